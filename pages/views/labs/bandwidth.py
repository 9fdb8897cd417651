"""h from a few rows: how much a level depends on which rows gave its bandwidth."""

from __future__ import annotations

from kernlib.labs.measured import bandwidth_sentence
from pages.parts.session.state import DataChoice
from pages.views.labs.measured import MeasuredLab, same_kernel
from pages.views.labs.shelf import Lab, needs_labels

LAB = Lab(
    "bandwidth",
    "Rows behind h",
    "How many rows does the bandwidth h of a level need?",
    "[K] sections 2.2 and 3.6",
    DataChoice("banana", (("n", 160),)),
    "Linear()",
    MeasuredLab(
        "bandwidth",
        ("largest of 8 draws", "mean of 8 draws", "smallest of 8 draws"),
        bandwidth_sentence,
        same_kernel("Rows behind h", "rows", (2, 3, 5, 10, 20, 40, 80), True, 2),
        "Test error of level 1 over the rows behind h",
        "h is the mean of all distances: level 1 needs the Gram matrix of all rows ([K] 3.6). "
        "Each point takes h from eight draws of few rows.",
    ),
    (needs_labels,),
)
