"""Columns scaled to mean 0 and standard deviation 1 before a kernel reads them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from ..numerics.finite import squarable
from ..values.arrays import Array
from .rows import OfNumbers


class _Columns(NamedTuple):
    """Mean and standard deviation of every column divided by its unit, (d,)."""

    unit: Array
    mean: Array
    spread: Array


@dataclass(frozen=True, repr=False)
class Standardized(OfNumbers):
    """A kernel on columns in units of their standard deviation, so that no unit of measurement dominates.

        k((x − m) / s, (x' − m) / s),  m and s each column's mean and standard deviation

    Learns m and s from the training rows; test rows are scaled with these. A column that is
    constant in training keeps its unit.

    Parameters: a kernel that reads vectors; DomainError for any other.

    >>> import numpy as np
    >>> from kernlib import Linear
    >>> Standardized(Linear())(np.array([[0.0, 100.0], [2.0, 300.0]]))
    array([[ 2., -2.],
           [-2.,  2.]])
    """

    stands = "first"
    formula: ClassVar[str] = r"k\big((x-m)/s,\ (x'-m)/s\big)"
    source: ClassVar[str] = "usual practice; columns of unlike units, [O] 4.1 note on scaling"
    instead: ClassVar[str] = "leave this step out; columns of letters or categories have no mean."
    learns_itself: ClassVar[bool] = True

    def chip(self) -> str:
        return "standardised"

    def learn(self, X: Array, y: Array | None) -> _Columns:
        unit = squarable(X, axis=0)[0]
        scaled = X / unit
        spread = scaled.std(axis=0)
        # Rounding gives a constant column a spread of about 1e-16 of its size; dividing by it makes noise.
        constant = spread <= 1e-12 * np.abs(scaled).max(axis=0)
        mean = scaled.mean(axis=0) * np.where(constant, unit, 1.0)
        return _Columns(np.where(constant, 1.0, unit), mean, np.where(constant, 1.0, spread))

    def map_rows(self, X: Array) -> Array:
        columns: _Columns = self.state
        self.require_learnt_columns(X, len(columns.mean))
        return np.asarray((X / columns.unit - columns.mean) / columns.spread)
