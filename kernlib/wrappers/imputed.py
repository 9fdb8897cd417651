"""Missing cells filled from the training rows before a kernel reads them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..numerics.finite import squarable
from ..values.arrays import Array, unmasked
from ..values.declare import one_of
from .rows import OfNumbers

_STRATEGIES = ("mean", "most_frequent")


@dataclass(frozen=True, repr=False)
class Imputed(OfNumbers):
    """A kernel on columns with gaps, each gap filled with a statistic of its training column.

        k(x̂, x̂'),  x̂_j = x_j where it is known, else c_j, learnt from the training rows

    Missing cells are NaN. Test rows are filled with the training rows' values, so that test rows never influence a
    fit. A column without any training value is filled with 0.

    Parameters: a kernel that reads vectors; strategy "mean" (c_j the column's mean) or "most_frequent" (its most
    frequent value, the smallest of several). DomainError for a kernel that reads anything else.

    >>> import numpy as np
    >>> from kernlib import Linear
    >>> Imputed(Linear())(np.array([[1.0], [np.nan], [3.0]]))
    array([[1., 2., 3.],
           [2., 4., 6.],
           [3., 6., 9.]])
    """

    strategy: str = one_of("mean", "c", "value for missing cells, from the training rows", _STRATEGIES)

    fills_gaps: ClassVar[bool] = True
    formula: ClassVar[str] = r"k(\hat x, \hat x'),\quad \hat x_j = x_j \text{ or } c_j"
    source: ClassVar[str] = "usual practice"
    instead: ClassVar[str] = "leave this step out; a missing category is a category."
    learns_itself: ClassVar[bool] = True

    def chip(self) -> str:
        return "gaps filled by the mean" if self.strategy == "mean" else "gaps filled by the most frequent"

    def checked_rows(self, X: Any) -> Array:
        """Check the rows as the kernel does, but allow NaN."""
        given = np.asarray(X := unmasked(X))
        if given.dtype.kind != "f" or not (gaps := np.isnan(given)).any():
            return self.kernel.checked_rows(X)
        return np.asarray(np.where(gaps, np.nan, self.kernel.checked_rows(np.where(gaps, 0.0, given))))

    def learn(self, X: Array, y: Array | None) -> Array:
        return _column_values(X, self.strategy)

    def map_rows(self, X: Array) -> Array:
        values: Array = self.state
        self.require_learnt_columns(X, len(values))
        return _fill(X, values)


def filled(X: Array, strategy: str) -> Array:
    """Return X with its gaps filled from X itself.

    >>> import numpy as np
    >>> filled(np.array([[1.0], [1.0], [4.0], [np.nan]]), "most_frequent").ravel()
    array([1., 1., 4., 1.])
    """
    return _fill(X, _column_values(X, strategy))


def _column_values(X: Array, strategy: str) -> Array:
    """Return one value per column, (d,)."""
    values = np.zeros(X.shape[1])
    for j, column in enumerate(X.T):
        known = column[~np.isnan(column)]
        if known.size and strategy == "mean":
            unit = squarable(known)
            values[j] = (known / unit).mean() * unit
        elif known.size:
            distinct, counts = np.unique(known, return_counts=True)
            values[j] = distinct[counts.argmax()]
    return values


def _fill(X: Array, values: Array) -> Array:
    return np.asarray(np.where(np.isnan(X), values, X))
