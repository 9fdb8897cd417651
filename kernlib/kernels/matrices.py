"""Rows of a square matrix that the user supplies: scores, inner products or distances."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.base import Kernel
from ..core.folding import Fold, Shared
from ..errors import DomainError
from ..numerics.blocks import same_rows
from ..values.arrays import Array
from ..values.domains import Domain, check_rows


class _Given(Kernel):
    """Common part: the rows are one matrix of all rows, whose entries become values one by one."""

    domain = "matrix"
    psd = False

    def _values(self, S: Array) -> Array:
        """Return the kernel's values of the entries of a checked matrix, as a new array."""
        raise NotImplementedError

    def checked_rows(self, X: Any) -> Array:
        return symmetric_matrix("matrix", X, type(self).__name__)

    def gram(self, X: Array, Y: Array | None) -> Array:
        if not same_rows(X, Y):
            raise _needs_binding(self)
        return self._values(X)

    def gram_diag(self, X: Array) -> Array:
        return self._values(X.diagonal())

    def fold_rows(self, train: Array, test: Array | None, y: Array | None, shared: Shared | None = None) -> Fold:
        if test is not None:
            raise _needs_binding(self)
        return super().fold_rows(train, None, y)


@dataclass(frozen=True, repr=False)
class Precomputed(_Given):
    """A symmetric matrix of scores or inner products that was computed elsewhere.

        k(i, j) = S_ij

    Rows: the n rows of a finite symmetric matrix (n, n), NumPy or SciPy sparse. Used bound:
    `Precomputed().bind(S)` is the kernel over the row numbers 0…n−1. A score matrix need not be positive
    semi-definite; `Repaired` or `Empirical` around it make a kernel of it.

    Raises DomainError for a matrix that is not square, finite and symmetric, and for a matrix of test
    rows, which cannot be distinguished from one of training rows unless bound.

    [K] section 3.4.1 (there MAMMOTH scores of protein structures).

    >>> bound = Precomputed().bind([[2.0, 1.0], [1.0, 3.0]])
    >>> bound([1], [0, 1])
    array([[1., 3.]])
    """

    formula = r"k(i,j) = S_{ij}"
    source = "[K] 3.4.1"
    cost = "O(n²), a copy"

    def _values(self, S: Array) -> Array:
        return S.copy()


@dataclass(frozen=True, repr=False)
class PrecomputedDistances(_Given):
    """A symmetric matrix of distances that was computed elsewhere, as a kernel with these distances.

        k(i, j) = −½ D_ij²,  so that  k(i, i) − 2 k(i, j) + k(j, j) = D_ij²

    Distances in feature space are the given ones: `Deep` around it is a Gaussian of them, `Centered` the inner products
    of points with these distances (classical scaling), positive semi-definite if such points exist; `Repaired` around
    that removes negative eigenvalues.

    Rows: the n rows of a finite symmetric matrix (n, n) of distances from 0 to 1e150, its diagonal zero. Used bound,
    as `Precomputed`. Raises DomainError for any other matrix, and for a matrix of test rows.

    Schölkopf, "The kernel trick for distances", NIPS 2000; Torgerson, "Multidimensional scaling", Psychometrika 1952.

    >>> from kernlib import Centered
    >>> Centered(PrecomputedDistances())([[0.0, 2.0], [2.0, 0.0]])  # two points, one to each side of their mean
    array([[ 1., -1.],
           [-1.,  1.]])
    """

    formula = r"k(i,j) = -\tfrac{1}{2} D_{ij}^{2}"
    source = "Schölkopf 2000"
    cost = "O(n²)"

    def checked_rows(self, X: Any) -> Array:
        D = super().checked_rows(X)
        if D.diagonal().any() or D.min() < 0 or D.max() > _FARTHEST:
            bad = (D < 0) | (D > _FARTHEST) | (np.eye(len(D), dtype=bool) & (D != 0))
            i, j = np.argwhere(bad)[0]
            raise DomainError(
                f"{type(self).__name__}: expected distances from 0 to {_FARTHEST:g}, a row's to itself 0; entry "
                f"({i}, {j}) is {D[i, j]:g}. For scores, which are larger for more similar rows, choose Precomputed."
            )
        return D

    def _values(self, S: Array) -> Array:
        values = S * S
        values *= -0.5
        values += 0.0  # no −0
        return values


#: Squares of larger distances, and their sums, leave double precision.
_FARTHEST = 1e150


def symmetric_matrix(domain: Domain, X: Any, owner: str) -> Array:
    """Return a finite symmetric float matrix; rounding between its halves is averaged away."""
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
        f"{kernel!r}: rows of two matrices cannot be distinguished; expected the one matrix of all rows. "
        "Next: bound = kernel.bind(S), then bound(test, train) with row numbers."
    )
