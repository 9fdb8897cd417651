"""Two rows of a table: the columns in which they are alike, and those in which they are not, in their own cells."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..values.arrays import Array
from ..values.words import value_in_words

#: Columns that are named on each side.
_NAMED = 3
#: Numbers with a smaller gap, in standard deviations of their column, are alike.
_NEAR = 0.5


def contrast(rows: Array, nominal: Sequence[bool], i: int, j: int) -> tuple[list[int], list[int]]:
    """Return the columns in which two rows are most alike, and those in which they are least alike, each best first.

    Numbers are compared by their gap over the column's standard deviation; categories are equal or not, rare equal
    ones first. A constant column counts for neither side. Parameters: `rows` (n, d); `nominal` (d,) whether a column
    holds categories.

    >>> contrast(np.array([[0.0, 5.0], [0.1, 9.0], [9.0, 1.0], [4.0, 2.0]]), [False, False], 0, 1)
    ([0], [1])
    """
    gaps = np.full(len(nominal), np.nan)
    for column, categories in enumerate(nominal):
        cells = rows[:, column]
        if not categories:
            values = cells.astype(np.float64)
            spread = float(np.nanstd(values))
            gaps[column] = abs(values[i] - values[j]) / spread if spread > 0 else np.nan
        elif len(set(cells.tolist())) > 1:
            gaps[column] = _NEAR * float(np.mean(cells == cells[i])) if cells[i] == cells[j] else 1.0
    known = [int(c) for c in np.argsort(gaps, kind="stable") if np.isfinite(gaps[c])]
    return [c for c in known if gaps[c] < _NEAR], [c for c in reversed(known) if gaps[c] >= _NEAR]


def contrast_in_words(rows: Array, columns: Sequence[str], nominal: Sequence[bool], i: int, j: int) -> str:
    """Return in which columns two rows are alike and unlike, with their cells; "" where no column says anything.

    >>> rows = np.array([[0.0, 5.0], [0.1, 9.0], [9.0, 1.0], [4.0, 2.0]])
    >>> contrast_in_words(rows, ["a", "b"], [False, False], 0, 1)
    'Alike in a (0 and 0.1); unlike in b (5 and 9).'
    """
    sides = []
    for words, chosen in zip(("alike in", "unlike in"), contrast(rows, nominal, i, j), strict=True):
        cells = [
            f"{columns[c]} ({value_in_words(rows[i, c])} and {value_in_words(rows[j, c])})" for c in chosen[:_NAMED]
        ]
        more = f" and {len(chosen) - _NAMED} more" if len(chosen) > _NAMED else ""
        if cells:
            sides.append(f"{words} {', '.join(cells)}{more}")
    text = "; ".join(sides)
    return f"{text[0].upper()}{text[1:]}." if text else ""
