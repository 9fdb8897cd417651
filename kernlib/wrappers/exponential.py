"""The exponential of a kernel: all its powers at once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.steps import Pointwise
from ..errors import DegenerateError
from ..numerics.finite import LARGEST_EXPONENT
from ..values.arrays import Array
from ..values.declare import param


@dataclass(frozen=True, repr=False)
class Exponential(Pointwise):
    """The exponential of a kernel, Σ (γk)ᵐ/m!: products of every number of copies.

        k(x, x') ↦ exp(γ k(x, x')),  γ > 0

    Normalised, the exponential of the linear kernel is the RBF kernel with σ² = 1/γ.

    Parameters: gamma γ > 0. Raises ParameterError otherwise, DegenerateError where a value would
    be infinite in double precision (γ k(x, x') above 709).

    [C] Theorem 3.3; [D] Tricks for Constructing Kernels.

    >>> from kernlib import Linear
    >>> Exponential(Linear(), gamma=0.5)([[0.0], [2.0]]).round(4)
    array([[1.    , 1.    ],
           [1.    , 7.3891]])
    """

    gamma: float = param(
        1.0,
        symbol=r"\gamma",
        help="factor of every value before the exponential",
        low=0.001,
        high=10.0,
        scale="log",
        minimum=0.0,
        open_minimum=True,
    )

    formula: ClassVar[str] = r"\exp(\gamma\,k(x,x'))"
    source: ClassVar[str] = "[C] Theorem 3.3"
    cost: ClassVar[str] = "O(n²)"

    def chip(self) -> str:
        return f"exp({self.gamma:g}·)"

    @property
    def rounding(self) -> float:
        return max(1.0, self.gamma) * self.kernel.rounding

    def change_entries(self, values: Array) -> Array:
        values *= self.gamma
        return np.asarray(np.exp(values, out=values))

    def _check(self, values: Array) -> None:
        highest, lowest = float(values.max()), float(values.min())
        if lowest == -math.inf:
            raise DegenerateError(
                f"Exponential: the inner kernel {self.kernel!s:.120} overflows to -inf; expected finite values. "
                "Standardise the columns, give them in other units, or lower a degree or a power."
            )
        if self.gamma * highest > LARGEST_EXPONENT:
            raise DegenerateError(
                f"Exponential: the inner kernel reaches {highest:.4g}, so with gamma={self.gamma!r} its exponential is "
                f"infinite; expected gamma <= {LARGEST_EXPONENT / highest:.4g} for these rows. Lower gamma, or put "
                "Normalized around the inner kernel."
            )
