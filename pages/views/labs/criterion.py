"""Criteria that need no machine against the test error."""

from __future__ import annotations

from kernlib.labs.measured import criteria_sentence
from pages.parts.session.state import DataChoice
from pages.views.labs.measured import MeasuredLab, in_hand
from pages.views.labs.shelf import Lab, needs_labels, needs_parameter

LAB = Lab(
    "criterion",
    "Criterion against error",
    "Does the criterion that needs no machine pick the kernel that predicts best?",
    "[R] Application: model selection",
    DataChoice("banana", (("n", 200),)),
    "RBF(sigma=0.5)",
    MeasuredLab(
        "criteria",
        ("test error", "leave-one-out error"),
        criteria_sentence,
        in_hand,
        "Test error, and leave-one-out error that is known without it",
        "The test error needs halves of the rows; the other curve is ridge regression with each row left out. "
        "−log ℓ and alignment are in the sentence.",
    ),
    (needs_labels, needs_parameter),
)
