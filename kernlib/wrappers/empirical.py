"""The training rows as landmarks: any symmetric similarity becomes a kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from ..base import Fold, Kernel, Wrapper
from ..values.arrays import Array

__all__ = ["Empirical"]


@dataclass(frozen=True, repr=False)
class Empirical(Wrapper):
    """The empirical kernel map: a row is described by its similarities to the n training rows.

        Φ_n(x) = (k(x, x_1), …, k(x, x_n)),  k_n(x, x') = ⟨Φ_n(x), Φ_n(x')⟩

    On the training rows K ↦ K K', on new rows K* ↦ K* K'. The result is positive semi-definite
    whatever k is, which is what makes powers of a kernel safe to use.

    Learns the landmarks: the training rows. Raises NotFittedError on new rows before `fit`.

    Tsuda 1999; Schölkopf et al., ECML 2002, eqs. 12, 15, 16.

    >>> import numpy as np
    >>> from kernlib import Linear
    >>> Empirical(Linear())(np.array([[1.0], [2.0]]))
    array([[ 5., 10.],
           [10., 20.]])
    """

    formula: ClassVar[str] = r"\sum_{i=1}^{n} k(x,x_i)\,k(x',x_i)"
    source: ClassVar[str] = "[O] eqs. 12–16"
    cost: ClassVar[str] = "O(n³)"

    @property
    def learns_itself(self) -> bool:
        return True

    @property
    def is_psd(self) -> bool:
        return True

    def chip(self) -> str:
        return "empirical map"

    def _features(self, X: Array) -> Array:
        landmarks: Array = self._state
        if landmarks.ndim == 2:
            self._require_as_learnt(X, landmarks.shape[1])
        return self.kernel._gram(X, landmarks)

    def _gram(self, X: Array, Y: Array | None) -> Array:
        A = self._features(X)
        return A @ (A if Y is None else self._features(Y)).T

    def _diag(self, X: Array) -> Array:
        return _squared_lengths(self._features(X))

    def _fit(self, X: Array, y: Array | None) -> Self:
        inner: Kernel = self.kernel._fit(X, y) if self.kernel.learns else self.kernel
        return self._with_state(X, kernel=inner)

    def _fold(self, train: Array, test: Array | None, y: Array | None) -> Fold:
        inner = self.kernel._fold(train, test, y)
        fitted: Any = self._with_state(train, kernel=inner.kernel)
        K = inner.K @ inner.K.T
        if inner.K_star is None:
            return Fold(fitted, K, None, None)
        return Fold(fitted, K, inner.K_star @ inner.K.T, _squared_lengths(inner.K_star))


def _squared_lengths(A: Array) -> Array:
    return np.asarray(np.einsum("ij,ij->i", A, A))
