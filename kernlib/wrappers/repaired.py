"""Kernels from symmetric score matrices: negative eigenvalues removed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.base import Kernel
from ..core.steps import Shorthand
from ..numerics.linalg import eigenvalues as eigenvalues_of
from ..values.arrays import Array
from ..values.declare import one_of
from .empirical import Empirical
from .spectral import SpectralStep


@dataclass(frozen=True, repr=False)
class Repaired(Shorthand):
    """A similarity with its negative eigenvalues removed.

        S = U diag(λ) U' ↦ U diag(Ψ(λ)) U'

    Parameters: method, which says what Ψ is:
    "clip": max(λ, 0), the nearest positive semi-definite matrix; "flip": |λ|; "shift": λ − min(λ_min, 0),
    which changes the diagonal alone; "psi": 1 + λ for λ > 0, else 0 ([K] 3.18; λ within rounding of 0
    counts as 0); "square": the form S S', the empirical map with the training rows as landmarks.

    All methods except "square" are transductive and used bound to all rows; if the inner kernel learns, it then
    learns from all of them. "square" can be evaluated on new rows, K* ↦ K* K', unless the inner kernel is
    transductive: then all rows are landmarks, so that `Repaired(Power(SquareRoot(k), p=0.5), method="square")` is
    the √K scheme A = √K, A_φ = φ(A), K' = A_φ² of [O] 3.

    Raises ParameterError for another method, TransductiveError for k(X, Y) and fold before `bind`.

    [K] eqs. 3.17, 3.18; [O] eqs. 12–16 for "square"; Chen, Garcia, Gupta, Rahimi, Cazzanti 2009 for the others.

    >>> from kernlib import Precomputed
    >>> Repaired(Precomputed(), method="psi")([[0.0, 2.0], [2.0, 0.0]])  # eigenvalues 2 ↦ 3 and −2 ↦ 0
    array([[1.5, 1.5],
           [1.5, 1.5]])
    """

    method: str = one_of(
        "clip", r"\Psi", "how negative eigenvalues are removed", ("clip", "flip", "shift", "psi", "square")
    )

    formula: ClassVar[str] = (
        r"U\,\mathrm{diag}(\Psi(\lambda))\,U^\top,\quad {\Psi(\lambda)=\max(\lambda,0)},\quad |\lambda|,\ \ldots"
    )
    source: ClassVar[str] = "[K] eqs. 3.17, 3.18"
    cost: ClassVar[str] = "O(n³), one eigendecomposition"

    kind = "whole"

    def chip(self) -> str:
        return f"repaired: {self.method}"

    def expanded(self) -> Kernel:
        if self.method == "square":
            return Empirical(self.kernel, landmarks="all" if self.kernel.transductive else "train").stands_for
        return _Spectral(self.kernel, self.method)


@dataclass(frozen=True, repr=False)
class _Spectral(SpectralStep):
    """The matrix with Ψ of its eigenvalues."""

    method: str

    def change_whole(self, K: Array) -> Array:
        if self.method == "shift":
            smallest = eigenvalues_of(K, "Repaired")[0]
            K[np.diag_indices_from(K)] -= min(smallest, 0.0)
            return K
        return super().change_whole(K)

    def new_eigenvalues(self, eigenvalues: Array) -> Array:
        if self.method == "flip":
            return np.abs(eigenvalues)
        if self.method == "clip":
            return np.maximum(eigenvalues, 0.0)
        # (3.18) jumps at 0: an eigenvalue within rounding of 0 must not become 1.
        rounding = len(eigenvalues) * np.finfo(float).eps * np.abs(eigenvalues).max()
        return np.where(eigenvalues > rounding, 1.0 + eigenvalues, 0.0)
