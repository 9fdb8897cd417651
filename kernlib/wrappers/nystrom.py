"""A kernel by its values against few landmarks: for more rows than a full Gram matrix could be made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from ..base import Kernel
from ..declare import param
from ..errors import DomainError
from ..linalg import eigenpairs
from ..steps import Wrapper
from ..values.arrays import Array

__all__ = ["Nystrom"]


@dataclass(frozen=True, repr=False)
class Nystrom(Wrapper):
    """The Nyström approximation: rows are compared by way of m landmarks, drawn from the training rows.

        k̃(x, x') = k(x, L) W⁺ k(L, x'),  W = k(L, L)

    Exact between landmarks, and everywhere when all training rows are landmarks and k is positive semi-definite; else
    the best approximation within the landmarks' span. The inner kernel is never evaluated on all pairs of rows:
    n·m values and one eigendecomposition of W, instead of n². `factor` gives the (n, m) matrix F with k̃ = F F'.

    Learns the landmarks (and what the inner kernel learns, from all training rows). Parameters: landmarks m ≥ 1, at
    most all training rows are taken; seed. Raises DomainError for a
    kernel that exists for all rows at once. Directions of W within rounding of 0, and negative ones, are left out.

    Williams and Seeger, "Using the Nyström method to speed up kernel machines", NIPS 2000.

    >>> from kernlib import RBF
    >>> X = np.linspace(0.0, 3.0, 200)[:, None]
    >>> approximate = Nystrom(RBF(sigma=1.0), landmarks=12).fit(X)
    >>> approximate.factor(X).shape[1] <= 12, bool(abs(approximate(X) - RBF(sigma=1.0)(X)).max() < 1e-3)
    (True, True)
    """

    landmarks: int = param(
        500, kind="int", symbol="m", help="how many training rows all others are compared with",
        low=10, high=1000, step=10, minimum=1, maximum=20_000,
    )  # fmt: skip
    seed: int = param(
        0, kind="int", symbol="s", help="which training rows are drawn", low=0, high=99, minimum=0, maximum=2**32 - 1
    )

    kind = "matrix"
    formula: ClassVar[str] = r"k(x,L)\,W^{+}\,k(L,x'),\quad W=k(L,L)"
    source: ClassVar[str] = "Williams and Seeger 2000"
    cost: ClassVar[str] = "O(n m), one eigendecomposition of (m, m)"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.kernel.transductive or self.kernel.reads in ("node", "matrix"):
            raise DomainError(
                f"Nystrom: {self.kernel!r} exists for all rows at once and has all its values; expected a kernel that "
                "meets new rows. Leave this step out."
            )

    @property
    def learns_itself(self) -> bool:
        return True

    @property
    def is_psd(self) -> bool:
        return True

    def chip(self) -> str:
        return f"{self.landmarks} landmarks"

    def factor(self, X: Any) -> Array:
        """F, (n, r) with r ≤ m: rows whose inner products are the approximate kernel's values.

        Raises NotFittedError before `fit`.
        """
        self._require_fitted("factor")
        return self._factor(self._rows(X))

    def _factor(self, X: Array) -> Array:
        landmarks: Any = self._kept
        if getattr(landmarks, "ndim", 1) == 2:
            self._require_as_learnt(X, landmarks.shape[1])
        return np.asarray(self.kernel._gram(X, landmarks) @ self._state)

    def _fit(self, X: Array, y: Array | None) -> Self:
        inner: Kernel = self.kernel if self.kernel.fitted else self.kernel._fit(X, y)
        chosen = np.random.default_rng(self.seed).permutation(len(X))[: self.landmarks]
        landmarks = X[np.sort(chosen)]
        eigenvalues, U = eigenpairs(inner._gram(landmarks, None), "Nystrom")
        kept = eigenvalues > 1e-12 * len(landmarks) * np.abs(eigenvalues).max()
        return self._with_kernel(inner)._with_state(U[:, kept] / np.sqrt(eigenvalues[kept]), landmarks)

    def _gram(self, X: Array, Y: Array | None) -> Array:
        F = self._factor(X)
        return F @ (F if Y is None else self._factor(Y)).T

    def _diag(self, X: Array) -> Array:
        F = self._factor(X)
        return np.asarray(np.einsum("ij,ij->i", F, F))
