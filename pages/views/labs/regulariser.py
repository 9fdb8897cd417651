"""Σ a² is the empirical map's machine: two regularisers over C."""

from __future__ import annotations

from kernlib.labs.measured import regulariser_sentence
from pages.parts.session.state import DataChoice
from pages.views.labs.measured import MeasuredLab, same_kernel
from pages.views.labs.shelf import Lab, needs_two

LAB = Lab(
    "regulariser",
    "Σ a² and the empirical map",
    "Which machine does the regulariser Σ a² stand for?",
    "[O] equations 11 to 16",
    DataChoice("markov-strings"),
    "Subsequence(order=3, decay=0.25)",
    MeasuredLab(
        "regulariser",
        ("‖w‖²", "Σ a²", "SVM with K K′"),
        regulariser_sentence,
        same_kernel("C", "C", (0.01, 0.1, 1.0, 10.0, 100.0, 1000.0), True, 3),
        "Test error over C",
        "The orange and the green curve are one machine, computed in two ways. C is in units of one over the spread.",
    ),
    (needs_two,),
)
