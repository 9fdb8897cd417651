"""Capacity: does a machine fit labels that mean nothing?"""

from __future__ import annotations

from kernlib.labs.measured import capacity_sentence
from pages.parts.session.state import DataChoice
from pages.views.labs.measured import MeasuredLab, in_hand
from pages.views.labs.shelf import Lab, needs_classes, needs_parameter

LAB = Lab(
    "capacity",
    "Capacity of a narrow RBF",
    "Can a kernel separate any labels, and what does that cost?",
    "[R] Embedded image has finite complexity",
    DataChoice("banana", (("n", 160),)),
    "RBF(sigma=0.5)",
    MeasuredLab(
        "capacity",
        ("test error", "training error", "test error, shuffled labels", "training error, shuffled labels"),
        capacity_sentence,
        in_hand,
        "Errors on the labels and on shuffled labels",
        "A machine that fits shuffled labels without error fits any labels: its training error says nothing.",
    ),
    (needs_classes, needs_parameter),
)
