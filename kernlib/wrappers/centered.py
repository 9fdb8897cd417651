"""The origin of feature space moved to the training rows' mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Self

import numpy as np

from ..base import Fold, Kernel, Wrapper, owned
from ..values.arrays import Array

__all__ = ["Centered"]


class _Centre(NamedTuple):
    landmarks: Array
    row_means: Array
    mean: float


@dataclass(frozen=True, repr=False)
class Centered(Wrapper):
    """Inner products after the training rows' mean μ has become the origin.

        k(x, x') ↦ ⟨φ(x) − μ, φ(x') − μ⟩ = k(x, x') − m(x) − m(x') + m̄,
        m(x) = (1/n) Σ_i k(x, x_i),  m̄ = (1/n) Σ_i m(x_i)

    Learns the training rows and their means; test rows are centred with these.

    Schölkopf, Smola, Müller 1998, appendix; [R] Kernel PCA (there uncentred).

    >>> import numpy as np
    >>> from kernlib import Linear
    >>> Centered(Linear())(np.array([[1.0], [3.0]]))
    array([[ 1., -1.],
           [-1.,  1.]])
    """

    formula: ClassVar[str] = r"\langle\phi(x)-\mu,\ \phi(x')-\mu\rangle,\quad \mu=\tfrac1n\sum_i\phi(x_i)"
    source: ClassVar[str] = "[R], [C] 3.1"
    cost: ClassVar[str] = "O(n²)"

    @property
    def learns_itself(self) -> bool:
        return True

    def chip(self) -> str:
        return "centred"

    def _means(self, X: Array) -> Array:
        centre: _Centre = self._state
        if centre.landmarks.ndim == 2:
            self._require_as_learnt(X, centre.landmarks.shape[1])
        return np.asarray(self.kernel._gram(X, centre.landmarks).mean(axis=1))

    def _gram(self, X: Array, Y: Array | None) -> Array:
        K = owned(self.kernel._gram(X, Y))
        mx = self._means(X)
        return self._shift(K, mx, mx if Y is None else self._means(Y))

    def _diag(self, X: Array) -> Array:
        centre: _Centre = self._state
        return np.asarray(self.kernel._diag(X) - 2.0 * self._means(X) + centre.mean)

    def _shift(self, K: Array, mx: Array, my: Array) -> Array:
        centre: _Centre = self._state
        # The two means are added first, so that a symmetric matrix stays symmetric to the last bit.
        K -= np.add.outer(mx, my)
        K += centre.mean
        return K

    def _fit(self, X: Array, y: Array | None) -> Self:
        return self._fold(X, None, y).kernel  # type: ignore[return-value]

    def _fold(self, train: Array, test: Array | None, y: Array | None) -> Fold:
        inner = self.kernel._fold(train, test, y)
        m = np.asarray(inner.K.mean(axis=1))
        fitted: Kernel = self._with_state(_Centre(train, m, float(m.mean())), kernel=inner.kernel)
        assert isinstance(fitted, Centered)
        K = fitted._shift(owned(inner.K), m, m)
        if inner.K_star is None or inner.k_diag is None:
            return Fold(fitted, K, None, None)
        m_star = np.asarray(inner.K_star.mean(axis=1))
        k_diag = inner.k_diag - 2.0 * m_star + m.mean()
        return Fold(fitted, K, fitted._shift(owned(inner.K_star), m_star, m), k_diag)
