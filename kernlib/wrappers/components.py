"""The leading kernel PCA components of all rows at once, as a kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..values.arrays import Array
from ..values.declare import param
from .spectral import SpectralStep


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

    components: int = param(
        15,
        kind="int",
        symbol="d",
        help="number of kernel PCA components of all rows",
        low=1,
        high=50,
        step=1,
        minimum=1,
        maximum=20_000,
    )

    formula: ClassVar[str] = r"\sum_{m\le d} l_m [u_m]_i [u_m]_j,\quad K u_m = l_m u_m"
    source: ClassVar[str] = "Schölkopf, Smola, Müller 1998; [O] 4.1"
    cost: ClassVar[str] = "O(n³), one eigendecomposition"

    def chip(self) -> str:
        return f"{self.components} components (all rows)"

    def new_eigenvalues(self, eigenvalues: Array) -> Array:
        kept = np.maximum(eigenvalues, 0.0)
        kept[: max(0, len(kept) - self.components)] = 0.0
        return kept
