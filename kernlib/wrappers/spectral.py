"""Functions of a symmetric matrix by its eigenvalues: f(K) = U f(Λ) U'."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

import numpy as np

from ..base import Fold, Kernel, Memo, Wrapper, owned
from ..errors import TransductiveError
from ..values.arrays import Array

__all__ = ["Transductive", "functional_calculus"]


def functional_calculus(K: Array, f: Callable[[Array], Array]) -> Array:
    """U f(Λ) U' for f ≥ 0, symmetric to the last bit ([O] 3).

    >>> functional_calculus(np.array([[5.0, 4.0], [4.0, 5.0]]), np.sqrt)
    array([[2., 1.],
           [1., 2.]])
    """
    eigenvalues, U = np.linalg.eigh(K)
    half = U * np.sqrt(f(eigenvalues))
    return np.asarray(half @ half.T)


@dataclass(frozen=True, repr=False)
class Transductive(Wrapper):
    """A function of the whole Gram matrix, which a row alone cannot be put through.

    A subclass gives `_whole`. If the inner kernel learns, it learns from all rows, without labels:
    what exists only for all rows at once has nothing else to learn from.
    """

    @property
    def transductive(self) -> bool:
        return True

    def _whole(self, K: Array) -> Array:
        """The new matrix for all rows from the inner one, which it may overwrite."""
        raise NotImplementedError

    def _gram(self, X: Array, Y: Array | None) -> Array:
        if not (Y is None or Y is X or (X.shape == Y.shape and bool((X == Y).all()))):
            self._require_fitted("k(X, Y)")
        if not self.kernel.fitted:
            return self._fold(X, None, None).K
        return self._whole(owned(self.kernel._gram(X, None)))

    def _diag(self, X: Array) -> Array:
        return self._gram(X, None).diagonal().copy()

    def _fit(self, X: Array, y: Array | None) -> Self:
        return self._with_state(None, kernel=self.kernel._fit(X, None) if self.kernel.learns else self.kernel)

    def _fold(self, train: Array, test: Array | None, y: Array | None) -> Fold:
        if test is not None:
            raise TransductiveError(
                f"fold: {self!r} exists only for all rows at once. Next: kernel.bind(X).fold(train, test) with "
                "row numbers; its test rows have been seen."
            )
        inner = self.kernel._fold(train, None, None)
        return Fold(self._with_state(None, kernel=inner.kernel), self._whole(owned(inner.K)), None, None)

    def _bind(self, rows: Array, memo: Memo) -> Kernel:
        from ..binding import Lookup

        inner = self.kernel._bind(rows, memo)
        everything = np.arange(len(rows))
        K = inner._gram(everything, None) if inner.fitted else inner._fold(everything, None, None).K
        return Lookup(self, self._whole(owned(K)))
