"""Virtual support vectors: shifted copies of the images that define the border."""

from __future__ import annotations

from kernlib.labs.measured import image_side, virtual_sentence
from pages.parts.session.state import DataChoice
from pages.views.labs.measured import MeasuredLab, same_kernel
from pages.views.labs.shelf import Lab, needs, needs_classes, needs_vectors

LAB = Lab(
    "virtual",
    "Virtual support vectors",
    "What do shifted copies of support vectors add?",
    "Schölkopf, Burges, Vapnik 1996",
    DataChoice("digits-3-8", (("n", 300),)),
    "Polynomial(degree=3, offset=1.0)",
    MeasuredLab(
        "virtual",
        ("images", "with virtual support vectors"),
        virtual_sentence,
        same_kernel("Training images", "images", (10, 20, 40, 80, 150), True, 2),
        "Test error over the number of training images",
        "Each support vector is shifted by one pixel in four directions and added; then the machine is trained again.",
    ),
    (needs_classes, needs_vectors, needs(image_side)),
)
