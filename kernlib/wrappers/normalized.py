"""Every row scaled to length 1 in feature space."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.steps import MatrixStep, Side
from ..values.above import makes
from ..values.arrays import Array

#: A smaller k(x, x) is stored with fewer digits, and 1 / k(x, x) overflows.
_SMALLEST = np.finfo(np.float64).tiny


@makes("normalized")
@dataclass(frozen=True, repr=False)
class Normalized(MatrixStep):
    """The cosine of the angle between two rows in feature space.

        k(x, x') ↦ k(x, x') / √(k(x, x) k(x', x'))

    A row with k(x, x) = 0 (for example an empty string) has no direction: its values are 0. A negative diagonal entry,
    which an indefinite similarity may have, counts as 0 too, and so does one below 2.2e-308, which has lost digits.

    [O] eq. 20; [R] Simple Geometric Properties.

    >>> import numpy as np
    >>> from kernlib import Linear
    >>> Normalized(Linear())(np.array([[1.0, 0.0], [3.0, 3.0]])).round(4)
    array([[1.    , 0.7071],
           [0.7071, 1.    ]])
    """

    formula: ClassVar[str] = r"\frac{k(x,x')}{\sqrt{k(x,x)\,k(x',x')}}"
    source: ClassVar[str] = "[O] eq. 20, [R]"
    cost: ClassVar[str] = "O(n²)"

    def chip(self) -> str:
        return "normalised"

    @property
    def rounding(self) -> float:
        return 2.0 * self.kernel.rounding  # of the value and of the two lengths

    def row_facts(self, side: Side) -> Array:
        return inverse_length(side.d)

    def new_matrix(self, K: Array, fx: Array, fy: Array) -> Array:
        # One factor for both sides, so that rounding leaves a symmetric matrix symmetric.
        K *= np.multiply.outer(fx, fy)
        return K

    def new_diagonal(self, side: Side, facts: Array) -> Array:
        return np.where(np.isfinite(side.d), side.d >= _SMALLEST, np.nan)

    @property
    def has_factor(self) -> bool:
        return self.kernel.has_factor

    def factor_rows(self, X: Array) -> Array:
        F = self.kernel.factor_rows(X)
        return np.asarray(F * inverse_length(np.einsum("ij,ij->i", F, F))[:, None])


def inverse_length(d: Array) -> Array:
    """Return 1/√k(x, x) of rows with these k(x, x), (n,), and 0 for a row without a direction.

    >>> inverse_length(np.array([4.0, 0.0, -1.0]))
    array([0.5, 0. , 0. ])
    """
    length = np.sqrt(np.where(d >= _SMALLEST, d, 0.0))
    return np.divide(1.0, length, where=length > 0, out=np.zeros_like(length))
