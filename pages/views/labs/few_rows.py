"""P from few rows: how many rows the probabilities of k1 need."""

from __future__ import annotations

from kernlib.labs.measured import few_rows_sentence
from pages.parts.session.state import DataChoice
from pages.views.labs.measured import MeasuredLab, same_kernel
from pages.views.labs.shelf import Lab, needs_categories, needs_classes

LAB = Lab(
    "few-rows",
    "P from few rows",
    "How many rows do the probabilities in k1 need?",
    "[C] section 4.2",
    DataChoice("promoters-categorical"),
    "ProbabilityOverlap(alpha=1.0)",
    MeasuredLab(
        "few rows",
        ("P from few rows", "P from all training rows"),
        few_rows_sentence,
        same_kernel("Rows behind P", "rows", (2, 3, 5, 8, 12, 20, 35), True, 2),
        "Test error over the rows behind P",
        "The machine always trains on all rows of the half; only P comes from fewer.",
    ),
    (needs_classes, needs_categories),
)
