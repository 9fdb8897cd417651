"""Arrays and what is made of them: the types of signatures, factors of a Gram matrix, published splits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import DataError

#: Any NumPy array; docstrings state shape and kind of entries.
Array = NDArray[Any]
#: Numbers of rows, from 0 on.
RowNumbers = NDArray[np.intp]


def not_finite(values: Array) -> Array:
    """Return the places of the entries that are NaN or infinite, (number, axes).

    In a large array the sum is finite unless an entry is not, or it overflows: one pass, and no mask of all entries.

    >>> not_finite(np.array([[1.0, np.nan], [np.inf, 1e308]])).tolist(), not_finite(np.full(9, 1e308)).shape
    ([[0, 1], [1, 0]], (0, 1))
    """
    if values.size < 10_000:  # the mask takes less time than the context of the sum
        finite = np.isfinite(values).all()
    else:
        with np.errstate(over="ignore", invalid="ignore"):
            finite = np.isfinite(values.sum())
    return np.empty((0, values.ndim), dtype=np.intp) if finite else np.argwhere(~np.isfinite(values))


def all_numbers(cells: Array) -> bool:
    """Return whether all cells of a frame are numbers; true and false are words."""
    return all(isinstance(cell, (int, float, np.number)) and not isinstance(cell, bool) for cell in cells)


def unmasked(X: Any) -> Any:
    """Return an array whose masked entries are missing: NaN among numbers, None among others; all else unchanged.

    The missing entries of pandas, such as pd.NA in a column of words, are masked entries too.

    >>> unmasked(np.ma.masked_greater([1, 2, 3], 2)), unmasked([1, 2])
    (array([ 1.,  2., nan]), [1, 2])
    """
    if hasattr(X, "isna") and hasattr(X, "to_numpy"):
        gaps = np.asarray(X.isna())
        if not gaps.any():
            return X
        X = np.ma.MaskedArray(X.astype(object).to_numpy(), gaps)
        if all_numbers(X.compressed()):
            return X.filled(np.nan).astype(np.float64)
    if isinstance(X, list | tuple) and any(isinstance(row, np.ma.MaskedArray) for row in X):
        if len({np.shape(row) for row in X}) > 1:
            return X  # refused where a table is needed
        X = np.ma.array(X)
    if not isinstance(X, np.ma.MaskedArray):
        return X
    if not np.ma.getmaskarray(X).any():
        return np.asarray(X)
    cells: Array = X.data.astype(np.float64 if X.dtype.kind in "fiub" else object)
    cells[np.ma.getmaskarray(X)] = np.nan if cells.dtype.kind == "f" else None
    return cells


def label_vector(y: ArrayLike, rows: int | None, owner: str) -> Array:
    """Return labels as an array (n,) that NumPy can sort; DataError for a wrong shape and for missing values."""
    values = np.asarray(unmasked(y))
    if values.ndim != 1:
        raise DataError(
            f"{owner}: y must be one label per row, shape (n,); got shape {values.shape}. "
            "Pass a single column of labels."
        )
    if rows is not None and len(values) != rows:
        raise DataError(
            f"{owner}: y must have one label for each of the {rows} rows; got {len(values)}. "
            "Check for a missing or a doubled line, and slice both by the same row numbers."
        )
    if not len(values):
        raise DataError(f"{owner}: y must have at least one label; got an empty vector. Choose more rows.")
    missing: list[int] = []
    if values.dtype.kind == "O":
        missing = [i for i, v in enumerate(values) if v is None or v != v]
        kinds = sorted({type(v).__name__ for v in values})
        if not missing and "str" in kinds and len(kinds) > 1:
            raise DataError(
                f"{owner}: labels must be of one kind, text or numbers; got {', '.join(kinds)}. Make them all text."
            )
        # Mixed objects cannot be sorted by numpy.unique; plain strings and plain numbers can.
        values = values if missing else np.asarray(list(values))
    if values.dtype.kind == "f":
        missing = np.flatnonzero(~np.isfinite(values)).tolist()
    if missing:
        raise DataError(
            f"{owner}: y must not have missing or infinite values; got {len(missing)}, first at row {missing[0]}. "
            "Drop these rows, or give them a label."
        )
    return values


def kept(rows: Any) -> Any:
    """Return rows that a fitted or bound kernel may keep: a read-only copy, which the caller cannot change."""
    if not isinstance(rows, np.ndarray):
        return rows.copy() if hasattr(rows, "copy") else rows
    if rows.flags.writeable:
        rows = rows.copy()
        rows.flags.writeable = False
    return rows


@dataclass(frozen=True, eq=False)
class Factor:
    """K = F F' by F, (n, r), where r is far smaller than n; F* (m, r) stands for K* = F* F' in the same way.

    A machine takes either: `fit(Factor(F), y)` learns in r dimensions what `fit(F @ F.T, y)` learns, and
    `decision(Factor(F_star))` decides what `decision(F_star @ F.T)` decides.

    >>> K = Factor(np.array([[1.0, 0.0], [1.0, 2.0]]))
    >>> len(K), K.rank, K.diagonal
    (2, 2, array([1., 5.]))
    """

    rows: Array

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def rank(self) -> int:
        """Return r, the number of columns of F: at least the rank of K."""
        return int(self.rows.shape[1])

    @property
    def diagonal(self) -> Array:
        """Return k(x, x) of every row, (n,)."""
        diagonal: Array = np.einsum("ij,ij->i", self.rows, self.rows)
        return diagonal

    def dense(self, chosen: Array | None = None) -> Array:
        """Return K between the chosen rows, (c, c); without `chosen`, between all rows, (n, n)."""
        F = self.rows if chosen is None else self.rows[chosen]
        K: Array = F @ F.T
        return K


@dataclass(frozen=True, eq=False)
class Split:
    """Row numbers of one published division into training and test rows.

    Parameters: `name` (str), `train` and `test` (1-D integer arrays, made read-only).

    Raises DataError when the two parts share a row or one of them is empty.

    >>> Split("1", [0, 1, 2], [3, 4]).test
    array([3, 4])
    """

    name: str
    train: Array
    test: Array

    def __post_init__(self) -> None:
        for part in ("train", "test"):
            numbers = np.array(getattr(self, part), dtype=np.int64)
            if numbers.ndim != 1 or numbers.size == 0:
                raise DataError(
                    f"Split {self.name!r}: {part} must be a list of at least one row number; "
                    f"got shape {numbers.shape}. Give the row numbers of the {part} part."
                )
            numbers.setflags(write=False)
            object.__setattr__(self, part, numbers)
        shared = np.intersect1d(self.train, self.test)
        if shared.size:
            raise DataError(
                f"Split {self.name!r}: train and test must not share rows; row {shared[0]} is in both. "
                "Remove it from one of the two."
            )
