"""Steps before a kernel reads the rows: scaled rows and columns, filled cells, the columns that differ most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..core.steps import RowStep
from ..errors import DomainError, ParameterError
from ..numerics.linalg import squarable
from ..values.arrays import Array, unmasked
from ..values.declare import one_of, param, whole


class OfNumbers(RowStep):
    """A step from rows of numbers to rows of numbers."""

    domain = "vector"
    cost = "the kernel's cost"
    inside = ("vector", "any")
    instead = "leave this step out, or put it on numbers with On(columns, kernel)."


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

    formula = r"k(\log x,\ \log x')"
    source = "usual practice; [O] figure 2"

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

    formula = r"k\big((x-\bar x)/s(x),\ (x'-\bar x')/s(x')\big)"
    source = "usual practice; [O] figure 2"

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

    formula = r"k\big(x/\lVert x\rVert,\ x'/\lVert x'\rVert\big)"
    source = "usual practice; [O] figure 2"

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

    formula = r"k\Big(a+(b-a)\tfrac{x-\min}{\max-\min},\ \ldots\Big)"
    source = "usual practice"
    learns_itself = True

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
    formula = r"k\big((x-m)/s,\ (x'-m)/s\big)"
    source = "usual practice; columns of unlike units, [O] 4.1 note on scaling"
    instead = "leave this step out; columns of letters or categories have no mean."
    learns_itself = True

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

    fills_gaps = True
    formula = r"k(\hat x, \hat x'),\quad \hat x_j = x_j \text{ or } c_j"
    source = "usual practice"
    instead = "leave this step out; a missing category is a category."
    learns_itself = True

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


@dataclass(frozen=True, repr=False)
class BestColumns(OfNumbers):
    """A kernel on the columns whose class means differ most, against the spread within the classes.

        k(x_c, x'_c),  c the columns with the largest F = Σ_c n_c (m_c − m)² / Σ_i (x_i − m_c(i))²

    Learns the columns from the training rows and their labels. Of columns with equal F the last ones are kept, as by
    scikit-learn's `SelectKBest(f_classif)`. Only runs use this step, and no menu offers it: where the same labels
    choose the columns and judge the picture, noise looks like a difference between the classes.

    Parameters: columns, how many are kept; all where there are fewer. Raises NotFittedError without labels.

    Feature selection, [O] 4.1.

    >>> from kernlib import Linear
    >>> BestColumns(Linear(), columns=1).fold([[0.0, 5.0], [1.0, 9.0], [0.0, 6.0]], y=[0, 1, 0]).K
    array([[0., 0., 0.],
           [0., 1., 0.],
           [0., 0., 0.]])
    """

    columns: int = whole(10, "d", "columns that are kept", 1, 1000, minimum=1)

    formula = r"k(x_c,\ x'_c),\quad c\text{: the columns with the largest }F"
    source = "[O] 4.1; usual practice"
    learns_itself = True
    flatters = True

    def chip(self) -> str:
        return f"{self.columns} best columns"

    def heuristics(self, X: Any) -> dict[str, float]:
        return {}  # there are no labels here to choose the columns by

    def learn(self, X: Array, y: Array | None) -> tuple[Array, int]:
        y = self.require_labels(y, "they choose the columns")
        if np.isnan(X).any():
            raise DomainError(
                "BestColumns: X has missing cells; expected none. Put Imputed around it: Imputed(kernel)."
            )
        rows, (_, codes) = X / squarable(X, axis=0), np.unique(y, return_inverse=True)
        mean, between, within = rows.mean(axis=0), np.zeros(X.shape[1]), np.zeros(X.shape[1])
        for code in range(codes.max() + 1):
            part = rows[codes == code]
            between += len(part) * (part.mean(axis=0) - mean) ** 2
            within += ((part - part.mean(axis=0)) ** 2).sum(axis=0)
        # Rounding gives a constant column a ratio of two numbers near 0, which may be any.
        constant = X.max(axis=0) == X.min(axis=0)
        F = np.where(constant, -1.0, between / np.where(constant | (within == 0.0), np.nan, within))
        F[np.isnan(F)] = np.inf  # columns that are constant within each class
        # In single precision, so that equal F are equal however a machine rounds them.
        return np.sort(np.argsort(F.astype(np.float32), kind="stable")[-self.columns :]), X.shape[1]

    def map_rows(self, X: Array) -> Array:
        chosen, known = self.state
        self.require_learnt_columns(X, known)
        return np.asarray(X[:, chosen])
