"""The leading kernel PCA components of all rows at once, as a kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.steps import WholeStep
from ..values.arrays import Array
from ..values.declare import param
from .spectral import functional_calculus


@dataclass(frozen=True, repr=False)
class PrincipalComponents(WholeStep):
    """Inner products of the first d kernel PCA features, whose directions come from all rows.

        k_d(x_i, x_j) = Σ_{m ≤ d} l_m [u_m]_i [u_m]_j,  K u_m = l_m u_m,  l_1 ≥ l_2 ≥ …

    Uncentred, as in [R]; `PrincipalComponents(Centered(k))` is the centred form, whose mean is that of all rows too.
    Transductive: all rows, test rows included, go into the directions; used bound to them. With directions of the
    training rows alone the machine is `KernelPCASVM`. Where eigenvalues number d and d + 1 are equal, which of their
    directions is kept is arbitrary.

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
        15, kind="int", symbol="d", help="number of kernel PCA components of all rows", low=1, high=50, step=1,
        minimum=1, maximum=20_000,
    )  # fmt: skip

    formula: ClassVar[str] = r"\sum_{m\le d} l_m [u_m]_i [u_m]_j,\quad K u_m = l_m u_m"
    source: ClassVar[str] = "Schölkopf, Smola, Müller 1998; [O] 4.1"
    cost: ClassVar[str] = "O(n³), one eigendecomposition"
    is_psd: ClassVar[bool] = True

    def chip(self) -> str:
        return f"{self.components} components (all rows)"

    def change_whole(self, K: Array) -> Array:
        return functional_calculus(K, self.new_eigenvalues)

    def new_eigenvalues(self, eigenvalues: Array) -> Array:
        kept = np.maximum(eigenvalues, 0.0)
        kept[: max(0, len(kept) - self.components)] = 0.0
        return kept
