"""Training rows or all rows as landmarks, and √K: what the test rows add."""

from __future__ import annotations

from kernlib.labs.measured import transduction_sentence
from pages.parts.session.state import DataChoice
from pages.views.labs.measured import MeasuredLab, of_power
from pages.views.labs.shelf import Lab, needs_classes

LAB = Lab(
    "transduction",
    "Transduction",
    "What do test rows without labels add to the empirical map?",
    "[O] section 3, equation 19",
    DataChoice("markov-strings"),
    "Subsequence(order=3, decay=0.25)",
    MeasuredLab(
        "transduction",
        ("training rows as landmarks", "all rows as landmarks", "√K scheme, all rows"),
        transduction_sentence,
        of_power,
        "Test error over the power",
        "Test rows without their labels are among the landmarks of the second and third curve. "
        "New rows would need them again.",
    ),
    (needs_classes,),
)
