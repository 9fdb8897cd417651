"""Pixels in [0, 1] or in [−1, 1]: what length does to a polynomial."""

from __future__ import annotations

from kernlib.labs.measured import pixels_sentence
from pages.parts.session.state import DataChoice
from pages.views.labs.measured import MeasuredLab, same_kernel
from pages.views.labs.shelf import Lab, needs_two, needs_vectors

LAB = Lab(
    "pixels",
    "Pixels in [−1, 1]",
    "Why should pixels lie in [−1, 1] where the diagonal ratio stays the same?",
    "[O] section 2, below equation 18",
    DataChoice("digits-3-8", (("n", 300),)),
    "Polynomial(degree=6, offset=0.0)",
    MeasuredLab(
        "pixels",
        ("in [0, 1]", "in [−1, 1]", "in [0, 1], normalised"),
        pixels_sentence,
        same_kernel("Degree", "degree", (1, 2, 3, 4, 5, 6, 7, 8), False, 5),
        "Test error over the degree",
        "A polynomial multiplies by the lengths of both rows. [−1, 1] makes lengths of black-and-white digits equal, "
        "normalising those of any table.",
    ),
    (needs_two, needs_vectors),
)
