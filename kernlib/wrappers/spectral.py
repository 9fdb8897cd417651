"""Functions of the eigenvalues of the whole Gram matrix: its root, its leading components, negative ones removed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.base import Kernel
from ..core.steps import Shorthand, WholeStep
from ..errors import DataError
from ..numerics.linalg import eigenpairs
from ..numerics.linalg import eigenvalues as eigenvalues_of
from ..values.arrays import Array
from ..values.declare import one_of, whole
from .landmarks import Empirical


class SpectralStep(WholeStep):
    """U f(Λ) U' for f ≥ 0, symmetric to the last bit ([O] 3); a subclass implements f, `new_eigenvalues`.

    >>> from kernlib import Precomputed, SquareRoot
    >>> SquareRoot(Precomputed())(np.array([[5.0, 4.0], [4.0, 5.0]]))
    array([[2., 1.],
           [1., 2.]])
    """

    is_psd: ClassVar[bool] = True

    def new_eigenvalues(self, eigenvalues: Array) -> Array:
        """Return f of the eigenvalues, which are given in ascending order."""
        raise NotImplementedError

    def change_whole(self, K: Array) -> Array:
        eigenvalues, U = eigenpairs(K, "The step over all rows")
        half = U * np.sqrt(self.new_eigenvalues(eigenvalues))
        return np.asarray(half @ half.T)


@dataclass(frozen=True, repr=False)
class SquareRoot(SpectralStep):
    """The positive semi-definite matrix whose square is K.

        √K = U diag(√λ) U',  K = U diag(λ) U'

    With an elementwise φ and the square around it this is the scheme against large diagonals of [O] 3,
    A = √K, A_φ = φ(A), K' = A_φ²: `Repaired(Power(SquareRoot(k), p=0.5), method="square")`, where
    p = 1 gives K back.

    Transductive: the root is computed from all rows, test rows included, so the kernel is used bound to them. If the
    inner kernel learns, it learns from all rows. Raises DataError if K has a negative eigenvalue beyond rounding,
    TransductiveError for k(X, Y) and fold before `bind`.

    [O] section 3, Functional Calculus on Matrices.

    >>> from kernlib import Linear
    >>> import numpy as np
    >>> SquareRoot(Linear())(np.array([[2.0, 1.0], [1.0, 2.0]]))
    array([[2., 1.],
           [1., 2.]])
    """

    formula = r"\sqrt{K} = U\,\mathrm{diag}(\sqrt{\lambda})\,U^\top"
    source = "[O] 3"
    cost = "O(n³), one eigendecomposition"

    def chip(self) -> str:
        return "√K"

    def new_eigenvalues(self, eigenvalues: Array) -> Array:
        largest = np.abs(eigenvalues).max()
        if eigenvalues[0] < -1e-10 * len(eigenvalues) * largest:
            raise DataError(
                f"{self!r}: the square root needs eigenvalues from 0 on; the smallest is {eigenvalues[0]:.4g}. "
                "Put Repaired(kernel, method='clip') around the inner kernel first."
            )
        # The root of an eigenvalue that is 0 but for rounding, 10⁻¹⁶ of the largest, would be 10⁻⁸ of the largest root.
        rounding = len(eigenvalues) * np.finfo(float).eps * largest
        return np.sqrt(np.where(eigenvalues > rounding, eigenvalues, 0.0))


@dataclass(frozen=True, repr=False)
class PrincipalComponents(SpectralStep):
    """Inner products of the first d kernel PCA features, whose directions come from all rows.

        k_d(x_i, x_j) = Σ_{m ≤ d} l_m [u_m]_i [u_m]_j,  K u_m = l_m u_m,  l_1 ≥ l_2 ≥ …

    Uncentred, as in [R]; `PrincipalComponents(Centered(k))` is the centred form, with the mean of all rows.
    Transductive: the directions are computed from all rows, test rows included, so the kernel is used bound to them.
    The machine `KernelPCASVM` uses directions of the training rows alone. If eigenvalues d and d + 1 are equal, the
    choice between their directions is arbitrary.

    Parameters: components d ≥ 1; no more are kept than there are positive eigenvalues. Raises TransductiveError for
    k(X, Y) and fold before `bind`.

    Schölkopf, Smola, Müller, Neural Computation 10, 1998; [O] 4.1, 'Kernel PCA, 15 features'.

    >>> from kernlib import Linear
    >>> PrincipalComponents(Linear(), components=1)(np.array([[3.0, 0.0], [0.0, 1.0], [1.0, 0.0]]))
    array([[9., 0., 3.],
           [0., 0., 0.],
           [3., 0., 1.]])
    """

    components: int = whole(
        15, "d", "number of kernel PCA components of all rows", 1, 50, step=1, minimum=1, maximum=20_000
    )

    formula = r"\sum_{m\le d} l_m [u_m]_i [u_m]_j,\quad K u_m = l_m u_m"
    source = "Schölkopf, Smola, Müller 1998; [O] 4.1"
    cost = "O(n³), one eigendecomposition"

    def chip(self) -> str:
        return f"{self.components} components (all rows)"

    def new_eigenvalues(self, eigenvalues: Array) -> Array:
        kept = np.maximum(eigenvalues, 0.0)
        kept[: max(0, len(kept) - self.components)] = 0.0
        return kept


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

    formula = r"U\,\mathrm{diag}(\Psi(\lambda))\,U^\top,\quad {\Psi(\lambda)=\max(\lambda,0)},\quad |\lambda|,\ \ldots"
    source = "[K] eqs. 3.17, 3.18"
    cost = "O(n³), one eigendecomposition"

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
