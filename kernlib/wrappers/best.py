"""The columns that differ most between the classes, chosen before a kernel reads the rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..errors import DomainError, NotFittedError
from ..numerics.finite import squarable
from ..values.arrays import Array
from ..values.declare import whole
from .rows import OfNumbers


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

    formula: ClassVar[str] = r"k(x_c,\ x'_c),\quad c\text{: the columns with the largest }F"
    source: ClassVar[str] = "[O] 4.1; usual practice"
    learns_itself: ClassVar[bool] = True

    def chip(self) -> str:
        return f"{self.columns} best columns"

    def heuristics(self, X: Any) -> dict[str, float]:
        return {}  # there are no labels here to choose the columns by

    def learn(self, X: Array, y: Array | None) -> tuple[Array, int]:
        if y is None:
            raise NotFittedError(
                "BestColumns: the labels of the training rows are missing; expected y, since they choose the columns, "
                "got none. Next: kernel.fold(train, test, y) or kernel.fit(train, y)."
            )
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
