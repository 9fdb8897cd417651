"""Selection of columns, the rival of a function of the entries."""

from __future__ import annotations

from kernlib.labs.measured import selection_sentence
from pages.parts.frame.view import View
from pages.parts.session.state import DataChoice
from pages.views.labs.measured import MeasuredLab, Stops
from pages.views.labs.shelf import Lab, needs_two, needs_vectors


def column_counts(view: View) -> Stops:
    """Return numbers of columns up to all of them."""
    d = view.data.d or 1
    counts = [n for n in (1, 3, 10, 30, 100, 300, 1000, 3000) if n < d] + [d]
    return Stops("Columns", "columns", dict.fromkeys(counts, view.kernel), True, len(counts) // 2)


LAB = Lab(
    "selection",
    "Feature selection, the rival",
    "Does choosing columns do what a function of the entries does?",
    "[O] section 4, tables with feature selection",
    DataChoice("colon-noise", (("scaling", "tissues"),)),
    "Linear()",
    MeasuredLab(
        "selection",
        ("columns chosen on training rows", "columns chosen on all rows", "all columns, power of the kernel"),
        selection_sentence,
        column_counts,
        "Test error over the number of columns",
        "Columns are ranked by the distance of the means of the classes over the spreads. "
        "Ranked on all rows, the test rows have chosen too.",
    ),
    (needs_two, needs_vectors),
)
