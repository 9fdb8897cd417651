"""The training rows as landmarks: any symmetric similarity becomes a kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from ..core.base import Kernel
from ..core.steps import MatrixStep, Shorthand, Side, WholeStep
from ..values.arrays import Array
from ..values.declare import one_of


@dataclass(frozen=True, repr=False)
class Empirical(Shorthand):
    """The empirical kernel map: a row is described by its similarities to the n training rows.

        Φ_n(x) = (k(x, x_1), …, k(x, x_n)),  k_n(x, x') = ⟨Φ_n(x), Φ_n(x')⟩

    On the training rows K ↦ K K', on new rows K* ↦ K* K'. The result is positive semi-definite
    for every k, so that powers of a kernel can be used safely.

    Learns the landmarks: the training rows. Raises NotFittedError on new rows before `fit`.

    Parameters: landmarks, "train", or "all" for training and test rows together ([O] eq. 19). "all" is transductive,
    since every value depends on the test rows (not on their labels), and is used bound to all rows.

    Tsuda 1999; Schölkopf et al., ECML 2002, eqs. 12, 15, 16, 19.

    >>> import numpy as np
    >>> from kernlib import Linear
    >>> Empirical(Linear())(np.array([[1.0], [2.0]]))
    array([[ 5., 10.],
           [10., 20.]])
    """

    formula: ClassVar[str] = r"\sum_{i=1}^{n} k(x,x_i)\,k(x',x_i)"
    source: ClassVar[str] = "[O] eqs. 12–16"
    cost: ClassVar[str] = "O(n³)"
    kind = "matrix"

    landmarks: Literal["train", "all"] = one_of(
        "train", "L", "landmark rows; all: test rows too, without their labels", ("train", "all")
    )

    def chip(self) -> str:
        return "empirical map" if self.landmarks == "train" else "empirical map (all rows)"

    def expanded(self) -> Kernel:
        return LandmarkMap(self.kernel) if self.landmarks == "train" else Squared(self.kernel)


class LandmarkMap(MatrixStep):
    """The map by the training rows: a row is described by its values against them alone."""

    reads_values: ClassVar[bool] = False
    keeps_rows: ClassVar[bool] = True
    learns_itself: ClassVar[bool] = True
    is_psd: ClassVar[bool] = True

    @property
    def rounding(self) -> float:
        return 2.0 * self.kernel.rounding

    def row_facts(self, side: Side) -> Array:
        return side.against

    def learn_from(self, K: Array, facts: Array, y: Array | None) -> bool:
        return True  # the training rows are kept; there is nothing more to know

    def new_matrix(self, K: Array, fx: Array, fy: Array) -> Array:
        return fx @ fy.T

    def new_diagonal(self, side: Side, facts: Array) -> Array:
        return np.asarray(np.einsum("ij,ij->i", facts, facts))


class Squared(WholeStep):
    """K K': every row is a landmark."""

    is_psd: ClassVar[bool] = True

    def change_whole(self, K: Array) -> Array:
        return np.asarray(K @ K.T)
