"""Rows of a square matrix that the user brings: scores or inner products, as they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..base import Fold, Kernel, Shared
from ..errors import DomainError
from ..values.arrays import Array
from ..values.domains import Domain, check_rows

__all__ = ["Precomputed", "symmetric_matrix"]


@dataclass(frozen=True, repr=False)
class Precomputed(Kernel):
    """A symmetric matrix of scores or inner products that was computed elsewhere.

        k(i, j) = S_ij

    Rows: the n rows of a finite symmetric matrix (n, n), NumPy or SciPy sparse. Used bound:
    `Precomputed().bind(S)` is the kernel over the row numbers 0…n−1. A score matrix need not be positive
    semi-definite; `Repaired` or `Empirical` around it make a kernel of it.

    Raises DomainError for a matrix that is not square, finite and symmetric, and for a matrix of test
    rows, which unbound cannot be told from one of training rows.

    [K] section 3.4.1 (there MAMMOTH scores of protein structures).

    >>> bound = Precomputed().bind([[2.0, 1.0], [1.0, 3.0]])
    >>> bound([1], [0, 1])
    array([[1., 3.]])
    """

    domain: ClassVar[Domain] = "matrix"
    formula: ClassVar[str] = r"k(i,j) = S_{ij}"
    source: ClassVar[str] = "[K] 3.4.1"
    cost: ClassVar[str] = "O(n²), a copy"
    psd: ClassVar[bool] = False

    def _rows(self, X: Any) -> Array:
        return symmetric_matrix("matrix", X, type(self).__name__)

    def _gram(self, X: Array, Y: Array | None) -> Array:
        if Y is None or Y is X or np.array_equal(X, Y):
            return X.copy()
        raise _needs_binding(self)

    def _diag(self, X: Array) -> Array:
        return X.diagonal().copy()

    def _fold(self, train: Array, test: Array | None, y: Array | None, shared: Shared | None = None) -> Fold:
        if test is not None:
            raise _needs_binding(self)
        return super()._fold(train, None, y)


def symmetric_matrix(domain: Domain, X: Any, owner: str) -> Array:
    """A finite symmetric float matrix; rounding between its halves is averaged away."""
    S = check_rows(domain, X.toarray() if hasattr(X, "toarray") else X, owner)
    gap = np.abs(S - S.T)
    if gap.max() > 1e-8 * np.abs(S).max():
        i, j = np.unravel_index(int(gap.argmax()), S.shape)
        raise DomainError(
            f"{owner}: the matrix must be symmetric; entry ({i}, {j}) is {S[i, j]:g} and entry ({j}, {i}) is "
            f"{S[j, i]:g}. Take (S + S.T) / 2, or np.maximum(S, S.T) for directed edges."
        )
    return (S + S.T) / 2.0 if gap.any() else S


def _needs_binding(kernel: Kernel) -> DomainError:
    return DomainError(
        f"{kernel!r}: rows of two matrices cannot be told apart; expected the one matrix of all rows. "
        "Next: bound = kernel.bind(S), then bound(test, train) with row numbers."
    )
