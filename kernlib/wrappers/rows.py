"""Rows of numbers prepared one by one, or by the columns' ranges, before a kernel reads them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..core.steps import RowStep
from ..errors import DomainError, ParameterError
from ..numerics.finite import squarable
from ..values.arrays import Array
from ..values.declare import param
from ..values.domains import Domain


class OfNumbers(RowStep):
    """A step from rows of numbers to rows of numbers."""

    domain: ClassVar[Domain] = "vector"
    cost: ClassVar[str] = "the kernel's cost"
    inside: ClassVar[tuple[Domain, ...]] = ("vector", "any")
    instead: ClassVar[str] = "leave this step out, or put it on numbers with On(columns, kernel)."


@dataclass(frozen=True, repr=False)
class LogRows(OfNumbers):
    """A kernel on the logarithm of every cell: factors between values become differences.

        k(log x, log x')  cell by cell

    For intensities, counts and concentrations. Raises DomainError for a cell that is not above 0.

    Usual practice with expression data; [O] 4.1, figure 2.

    >>> from kernlib import Linear
    >>> LogRows(Linear())([[1.0, np.e]])
    array([[1.]])
    """

    formula: ClassVar[str] = r"k(\log x,\ \log x')"
    source: ClassVar[str] = "usual practice; [O] figure 2"

    def chip(self) -> str:
        return "log of cells"

    def map_rows(self, X: Array) -> Array:
        if not X.min(initial=np.inf) > 0:
            i, j = np.argwhere(~(X > 0))[0]
            raise DomainError(
                f"LogRows: row {i}, column {j} is {X[i, j]:g}; expected values above 0, which have a logarithm. "
                "Add a small number to all cells first, or leave this step out."
            )
        return np.asarray(np.log(X))


@dataclass(frozen=True, repr=False)
class StandardizedRows(OfNumbers):
    """A kernel on rows that each have mean 0 and standard deviation 1: every row on its own scale.

        k((x − x̄)/s(x), (x' − x̄')/s(x'))

    It removes an effect that raises all values of a row, such as the brightness of a chip or a picture. Nothing is
    learnt: each row is standardised independently. A constant row becomes 0.

    Usual practice with expression data; it reproduces the printed cosines of the colon tissues in [O] 4.1, figure 2.

    >>> from kernlib import Linear
    >>> StandardizedRows(Linear())([[1.0, 3.0], [10.0, 30.0]])
    array([[2., 2.],
           [2., 2.]])
    """

    formula: ClassVar[str] = r"k\big((x-\bar x)/s(x),\ (x'-\bar x')/s(x')\big)"
    source: ClassVar[str] = "usual practice; [O] figure 2"

    def chip(self) -> str:
        return "rows standardised"

    def map_rows(self, X: Array) -> Array:
        X = X / squarable(X, axis=1)
        spread = X.std(axis=1, keepdims=True)
        constant = spread <= 1e-12 * np.abs(X).max(axis=1, keepdims=True)
        return np.asarray((X - X.mean(axis=1, keepdims=True)) / np.where(constant, np.inf, spread))


@dataclass(frozen=True, repr=False)
class UnitRows(OfNumbers):
    """A kernel on rows scaled to length 1: only directions count.

        k(x/‖x‖, x'/‖x'‖)

    With the linear kernel the same as `Normalized`; with any other kernel the rows get length 1, not their images in
    feature space. A row of zeros is unchanged.

    [O] 4.1, figure 2.

    >>> from kernlib import Linear
    >>> UnitRows(Linear())([[3.0, 4.0], [30.0, 40.0]])
    array([[1., 1.],
           [1., 1.]])
    """

    formula: ClassVar[str] = r"k\big(x/\lVert x\rVert,\ x'/\lVert x'\rVert\big)"
    source: ClassVar[str] = "usual practice; [O] figure 2"

    def chip(self) -> str:
        return "rows to length 1"

    def map_rows(self, X: Array) -> Array:
        X = X / squarable(X, axis=1)
        length = np.linalg.norm(X, axis=1, keepdims=True)
        return np.asarray(X / np.where(length > 0, length, 1.0))


class _Range(NamedTuple):
    least: Array
    width: Array


@dataclass(frozen=True, repr=False)
class Ranged(OfNumbers):
    """A kernel on columns scaled to one range by their smallest and largest training value.

        k(a + (b − a)(x − min)/(max − min), …)

    Learns each column's minimum and maximum; test rows may fall outside the range. A constant column becomes a.

    Parameters: low a and high b, a < b. Raises ParameterError otherwise, DomainError for a kernel on other rows.

    Usual practice.

    >>> from kernlib import Linear
    >>> Ranged(Linear())([[1.0], [3.0], [2.0]])
    array([[0.  , 0.  , 0.  ],
           [0.  , 1.  , 0.5 ],
           [0.  , 0.5 , 0.25]])
    """

    low: float = param(0.0, symbol="a", help="new value of a column's training minimum", low=-1.0, high=0.0)
    high: float = param(1.0, symbol="b", help="new value of a column's training maximum", low=0.5, high=10.0)

    formula: ClassVar[str] = r"k\Big(a+(b-a)\tfrac{x-\min}{\max-\min},\ \ldots\Big)"
    source: ClassVar[str] = "usual practice"
    learns_itself: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.low < self.high:
            raise ParameterError(
                f"Ranged: expected low < high; got low={self.low!r} and high={self.high!r}. Try low=0.0, high=1.0."
            )

    def chip(self) -> str:
        return f"columns to {self.low:g}…{self.high:g}"

    def learn(self, X: Array, y: Any) -> _Range:
        least, most = X.min(axis=0), X.max(axis=0)
        return _Range(least, np.where(most > least, most - least, np.inf))

    def map_rows(self, X: Array) -> Array:
        columns: _Range = self.state
        self.require_learnt_columns(X, len(columns.least))
        return np.asarray(self.low + (self.high - self.low) * ((X - columns.least) / columns.width))
