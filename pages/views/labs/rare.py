"""k0, k1 and k2: what rarity adds, and what g adds to it."""

from __future__ import annotations

from kernlib.labs.measured import rare_sentence
from pages.parts.session.state import DataChoice
from pages.views.labs.measured import MeasuredLab, same_kernel
from pages.views.labs.shelf import Lab, needs_categories, needs_classes

LAB = Lab(
    "rare",
    "g of k2",
    "Should two unequal rare categories be similar?",
    "[C] section 7.1: k2, whose g is left open",
    DataChoice("promoters-categorical"),
    "GeneralOverlap(alpha=1.0)",
    MeasuredLab(
        "rare",
        ("k0: a match counts 1", "k1: a match counts h(P)", "k2: unequal rare categories count g"),
        rare_sentence,
        same_kernel("Exponent α of h", "α", (0.25, 0.5, 1.0, 2.0, 4.0, 8.0), True, 2),
        "Test error over the exponent",
        "Here g(p, q) = ½ h(p) h(q) (1 − |p − q|), at most half of a match. No Gram matrix becomes indefinite.",
    ),
    (needs_classes, needs_categories),
)
