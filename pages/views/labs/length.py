"""Length or size of rows, before and after normalising."""

from __future__ import annotations

from kernlib.labs.measured import length_sentence, row_sizes
from pages.parts.session.state import DataChoice
from pages.views.labs.measured import MeasuredLab, in_hand
from pages.views.labs.shelf import Lab, needs, needs_classes, needs_parameter

LAB = Lab(
    "length",
    "Size of the rows",
    "What does a kernel know beyond the size of the rows?",
    "[O] section 2; [D] normalised kernels",
    DataChoice("mutag"),
    "WeisfeilerLehman(level=2)",
    MeasuredLab(
        "length",
        ("as it is", "normalised", "size alone"),
        length_sentence,
        in_hand,
        "Test error over the parameter in hand",
        "Larger rows have larger values; a normalised kernel divides by the length of both rows in feature space.",
    ),
    (needs_classes, needs_parameter, needs(row_sizes)),
)
