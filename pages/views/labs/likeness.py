"""The similarity principle: do similar rows have one class?"""

from __future__ import annotations

from kernlib.labs.measured import likeness_sentence
from pages.parts.session.state import DataChoice
from pages.views.labs.measured import MeasuredLab, same_kernel
from pages.views.labs.shelf import Lab, needs_classes

LAB = Lab(
    "likeness",
    "Similar rows, similar labels",
    "Do rows that a kernel calls similar have the same class?",
    "[D] similarity principle",
    DataChoice("breast-cancer-10", (("n", 200),)),
    "Standardized(RBF(sigma=2.5))",
    MeasuredLab(
        "likeness",
        ("most similar pairs", "all pairs"),
        likeness_sentence,
        same_kernel("Most similar pairs (%)", "share", (0.1, 0.3, 1, 3, 10, 30, 100), True, 2),
        "Share of pairs with one class",
        "[D] asks that similar rows have similar labels; pairs are ordered by the kernel's cosine. "
        "All labels are used, so this is no test error.",
        "pairs with one class",
    ),
    (needs_classes,),
)
