"""Rows of several kinds of columns: numbers, categories, sequences and texts side by side."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import DataError
from ..values.arrays import Array
from ..values.domains import Domain

#: What a column of mixed rows can hold.
KINDS: tuple[Domain, ...] = ("vector", "categorical", "sequence", "text")


def mixed_rows(rows: Any, kinds: tuple[Domain, ...], gaps: bool, who: str) -> tuple[Array, tuple[Domain, ...]]:
    """Return rows as an object array (n, d), floats in columns of numbers and words in all others, and their kinds.

    With `gaps` a column of numbers may hold NaN. Raises DataError for a cell of another kind than its column.

    >>> rows, kinds = mixed_rows([[1, "a"], [2.5, "b"]], (), False, "toy")
    >>> rows.tolist(), kinds
    ([[1.0, 'a'], [2.5, 'b']], ('vector', 'categorical'))
    """
    try:
        given = np.array(rows, dtype=object)
    except ValueError:
        given = np.empty(0, dtype=object)
    if given.ndim != 2 or given.shape[1] < 1:
        raise DataError(
            f"{who}: mixed rows must be a table of n rows and at least one column; got shape {given.shape}. Give every "
            "row the same columns."
        )
    if not kinds:
        kinds = tuple("vector" if all(_is_number(cell) for cell in column) else "categorical" for column in given.T)
    if len(kinds) != given.shape[1] or any(kind not in KINDS for kind in kinds):
        raise DataError(
            f"{who}: kinds must say {', '.join(KINDS)} for each of the {given.shape[1]} columns; got {kinds}. Leave "
            "them out to have numbers and categories recognised."
        )
    cells = np.empty(given.shape, dtype=object)
    for j, kind in enumerate(kinds):
        if kind == "vector":
            cells[:, j] = _numbers(given[:, j], j, gaps, who)
            continue
        for i, cell in enumerate(given[:, j]):
            if not isinstance(cell, str) and (kind != "categorical" or not isinstance(cell, (int, np.integer))):
                raise DataError(
                    f"{who}: column {j} holds {kind} words; row {i} has {cell!r}. Write it as a word, a missing one "
                    "as '?'."
                )
            if kind == "sequence" and not cell:
                raise DataError(f"{who}: a sequence must have at least one letter; row {i}, column {j} is empty.")
            cells[i, j] = str(cell)
    return cells, kinds


def _is_number(cell: Any) -> bool:
    return isinstance(cell, (int, float, np.integer, np.floating)) and not isinstance(cell, (bool, np.bool_))


def _numbers(column: Array, j: int, gaps: bool, who: str) -> list[float]:
    bad = next((i for i, cell in enumerate(column) if not _is_number(cell)), None)
    if bad is None:
        values = column.astype(np.float64)
        wrong = np.isinf(values) | (np.isnan(values) & (not gaps))
        bad = int(wrong.argmax()) if wrong.any() else None
    if bad is not None:
        raise DataError(
            f"{who}: column {j} must hold finite numbers; row {bad} has {column[bad]!r}. Make the column categorical, "
            "or fill the cell in."
        )
    return [float(value) for value in values]
