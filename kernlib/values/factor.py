"""A Gram matrix that is never allocated: rows whose inner products are its entries."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .arrays import Array


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
