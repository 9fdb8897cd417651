"""Functions of every entry: powers, logarithms, exponentials, and polynomials of a kernel."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from types import MappingProxyType
from typing import ClassVar

import numpy as np

from ..core.algebra import Constant
from ..core.base import Kernel
from ..core.steps import Pointwise
from ..errors import DegenerateError, ParameterError
from ..numerics.finite import LARGEST_EXPONENT
from ..values.arrays import Array
from ..values.declare import param, positive


@dataclass(frozen=True, repr=False)
class Power(Pointwise):
    """The subpolynomial kernel: powers below 1 reduce the dynamic range of the values.

        k(x, x') ↦ sgn(k(x, x')) |k(x, x')|^p,  0 < p ≤ 1

    A Gram matrix with a large diagonal can make an SVM memorise; a power below one shrinks the diagonal relative to the
    rest, unless all values are 0 or of one size. The result need not be positive semi-definite: put `Empirical` around
    it, as the source does.

    Parameters: p in (0, 1]; p = 1 changes nothing. Raises ParameterError outside.

    Schölkopf, Weston, Eskin, Leslie, Noble, "A kernel approach for learning from almost
    orthogonal patterns", ECML 2002, section 3.

    >>> import numpy as np
    >>> from kernlib import Linear
    >>> Power(Linear(), p=0.5)(np.array([[2.0], [-2.0]]))
    array([[ 2., -2.],
           [-2.,  2.]])
    """

    p: float = param(
        1.0,
        symbol="p",
        help="exponent of every entry; a smaller p brings entries of different sizes together",
        low=0.05,
        high=1.0,
        step=0.05,
        minimum=0.0,
        open_minimum=True,
        maximum=1.0,
    )

    telling = "p"
    stops = MappingProxyType({"p": tuple(round(0.1 + 0.05 * i, 2) for i in range(19))})
    shown_with = MappingProxyType({"p": 0.5})
    formula: ClassVar[str] = r"\operatorname{sgn}(k(x,x'))\,|k(x,x')|^{p}"
    source: ClassVar[str] = "[O] 3"
    cost: ClassVar[str] = "O(n²)"
    psd: ClassVar[bool] = False

    @property
    def is_psd(self) -> bool:
        return self.p == 1.0 and self.kernel.is_psd

    def chip(self) -> str:
        return f"|·|^{self.p:g}"

    def change_entries(self, values: Array) -> Array:
        if self.p == 1.0:
            return values
        negative = values < 0
        np.abs(values, out=values)
        np.power(values, self.p, out=values)
        if negative.any():
            np.negative(values, out=values, where=negative)
        return values


@dataclass(frozen=True, repr=False)
class Log(Pointwise):
    """The logarithm of every value, sign kept: values far above 1 are reduced, values below 1 hardly change.

        k(x, x') ↦ sgn(k(x, x')) log(1 + |k(x, x')|)

    The result need not be positive semi-definite: put `Empirical` around it.

    Schölkopf et al., ECML 2002, section 3 (there for positive values, log(x + 1)).

    >>> import numpy as np
    >>> from kernlib import Linear
    >>> Log(Linear())(np.array([[1.0]])).round(4)
    array([[0.6931]])
    """

    formula: ClassVar[str] = r"\operatorname{sgn}(k(x,x'))\,\log(1+|k(x,x')|)"
    source: ClassVar[str] = "[O] 3"
    cost: ClassVar[str] = "O(n²)"
    psd: ClassVar[bool] = False

    def chip(self) -> str:
        return "log(1+|·|)"

    def change_entries(self, values: Array) -> Array:
        return np.copysign(np.log1p(np.abs(values)), values)


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

    gamma: float = positive(1.0, r"\gamma", "factor of every value before the exponential", 0.001, 10.0)

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


def polynomial(kernel: Kernel, coefficients: Sequence[float]) -> Kernel:
    """Return a polynomial of a kernel, made from the algebra's own sums, multiples and powers.

        k(x, x') ↦ Σ_{i=0}^{m} c_i k(x, x')^i,  c_i ≥ 0

    Parameters: coefficients, (c_0, …, c_m), finite numbers from 0 on, not all 0. Terms whose
    coefficient is 0 are left out. Raises ParameterError otherwise: a negative coefficient may cost
    positive semi-definiteness.

    [C] 3.1; [D] Tricks for Constructing Kernels.

    >>> from kernlib import Linear
    >>> polynomial(Linear(), (1.0, 0.0, 2.0))
    Constant(value=1.0) + 2.0 * Linear() ** 2
    >>> polynomial(Linear(), (1.0, 0.0, 2.0))([[3.0]])
    array([[163.]])
    """
    for i, c in enumerate(coefficients):
        if not isinstance(c, Real) or isinstance(c, bool) or not math.isfinite(c) or c < 0:
            raise ParameterError(
                f"polynomial: coefficients must be finite numbers from 0 on; got {c!r} for the power {i}. "
                "Leave that power out with 0."
            )
    terms: list[Kernel] = []
    for i, c in enumerate(coefficients):
        if not c:
            continue
        if i == 0:
            terms.append(Constant(value=float(c)))
            continue
        power = kernel if i == 1 else kernel**i
        terms.append(power if c == 1 else float(c) * power)
    if not terms:
        raise ParameterError(
            f"polynomial: coefficients must not all be 0; got {tuple(coefficients)!r}. Try coefficients=(0, 1)."
        )
    whole = terms[0]
    for term in terms[1:]:
        whole = whole + term
    return whole
