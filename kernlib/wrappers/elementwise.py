"""Functions of every entry and of the eigenvalues: powers, logarithms, exponentials, and functions drawn by hand."""

from __future__ import annotations

import functools
import itertools
import math
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from numbers import Real
from types import MappingProxyType
from typing import Any

import numpy as np

from ..core.algebra import Constant
from ..core.base import Kernel
from ..core.steps import Pointwise
from ..errors import DegenerateError, ParameterError
from ..numerics.linalg import LARGEST_EXPONENT
from ..values.arrays import Array
from ..values.declare import floats, ordinary, param, positive
from .spectral import SpectralStep


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
    formula = r"\operatorname{sgn}(k(x,x'))\,|k(x,x')|^{p}"
    source = "[O] 3"
    cost = "O(n²)"
    psd = False

    @property
    def is_psd(self) -> bool:
        return self.p == 1.0 and self.kernel.is_psd

    def chip(self) -> str:
        return f"power {self.p:g}"

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

    formula = r"\operatorname{sgn}(k(x,x'))\,\log(1+|k(x,x')|)"
    source = "[O] 3"
    cost = "O(n²)"
    psd = False

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

    formula = r"\exp(\gamma\,k(x,x'))"
    source = "[C] Theorem 3.3"
    cost = "O(n²)"

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
    known = all(isinstance(c, Real) and not isinstance(c, bool) and math.isfinite(c) and c >= 0 for c in coefficients)
    if not known or not any(coefficients):
        raise ParameterError(
            "polynomial: coefficients must be finite numbers from 0 on that are not all 0; got "
            f"{tuple(coefficients)!r}. Leave a power out with 0. Try coefficients=(0, 1)."
        )
    terms: list[Kernel] = []
    for i, c in enumerate(coefficients):
        if i == 0 or not c:
            terms += [Constant(value=float(c))] if c else []
        else:
            power = kernel if i == 1 else kernel**i
            terms.append(power if c == 1 else float(c) * power)
    return functools.reduce(operator.add, terms)


#: Functions to begin with.
NAMED: dict[str, Callable[[Any], Any]] = {"unchanged": lambda v: v, "√": np.sqrt, "log": np.log1p, "v²": np.square}
#: Values below this share of the largest one are so small that no point of a function needs to lie there.
_DUST = 1e-6


def interpolated(values: Array, heights: tuple[float, ...], top: float, bottom: float = 0.0) -> Array:
    """Return φ of values ≥ 0, with `heights` in units of `top` at the points `knots(top, bottom, len(heights))`.

    Straight lines join the points: over the value, or over its logarithm to the logarithm of φ where `bottom` > 0, so
    that √ and every other power are exact. The first and the last line go on; φ(0) = 0 over the logarithm.

    >>> interpolated(np.array([0.5, 1.0, 3.0]), (0.0, 0.8, 1.0), 2.0).round(2)
    array([0.8, 1.6, 2.4])
    >>> interpolated(np.array([0.0, 0.0025, 0.25, 4.0]), (0.1, 1.0), 1.0, 0.01)
    array([0.  , 0.05, 0.5 , 2.  ])
    """
    steps, h = len(heights) - 1, np.asarray(heights)
    if bottom:
        positive = values > 0
        values = np.log(np.where(positive, values, top) / bottom)
        place, h = values * (steps / np.log(top / bottom)), np.log(h)
    else:
        place = values * (steps / top)
    left = np.clip(place, 0, steps - 1).astype(np.intp)
    line = h[left] + (place - left) * (h[left + 1] - h[left])
    return np.where(positive, top * np.exp(line), 0.0) if bottom else np.asarray(top * line)


def knots(top: float, bottom: float, count: int) -> Array:
    """Return the points of a drawn function: equal steps from 0 to `top`, or of the logarithm from `bottom` > 0 on.

    >>> knots(1.0, 0.01, 3).round(4), knots(1.0, 0.0, 3)
    (array([0.01, 0.1 , 1.  ]), array([0. , 0.5, 1. ]))
    """
    return np.geomspace(bottom, top, count) if bottom else np.linspace(0.0, top, count)


def ends(values: Array) -> tuple[float, float]:
    """Return the lowest and the highest point of a function of such values, to three digits.

    The lowest is their 5% quantile without zeros, at least a millionth of the largest, and 0 where all are of one size:
    over equal steps of the value, most entries of a matrix with a large diagonal lie before the second of nine points.

    >>> ends(np.array([0.0, 0.001, 0.1, -2.0]))
    (0.0109, 2.0)
    """
    sizes = np.abs(values[values != 0])
    if not len(sizes):
        return 0.0, 1.0
    top = float(f"{sizes.max():.3g}")
    bottom = float(f"{max(float(np.quantile(sizes, 0.05)), _DUST * top):.3g}")
    return (bottom if bottom < 0.9 * top else 0.0), top


def _problem(value: Any) -> str | None:
    known = isinstance(value, tuple) and len(value) > 1 and all(ordinary(v) and v >= 0 for v in value)
    if known and value[-1] > 0 and all(a <= b for a, b in itertools.pairwise(value)):
        return None
    return (
        "must be a tuple of at least two heights from 0 on, none lower than the one before it and the last above 0; "
        f"got {value!r}. Try (0.0, 0.8, 1.0)"
    )


def _heights() -> Any:
    return param(
        (0.0, 0.5, 1.0),
        kind="other",
        symbol="h",
        convert=floats,
        check=_problem,
        help="heights of the function at its points, in units of the last one",
    )


def _bottom(unit: str) -> Any:
    return param(
        0.0,
        kind="other",
        symbol="b",
        check=_bottom_problem,
        quiet=True,
        help=f"{unit} at the first point, with equal steps of its logarithm; 0 for equal steps from 0",
    )


def _bottom_problem(value: Any) -> str | None:
    if ordinary(value) and value >= 0:
        return None
    return f"must be a number from 0 on; got {value!r}. Try 0.001"


def _check_bottom(kernel: Entrywise | Eigenwise, top: float) -> None:
    """Check that points at equal steps of the logarithm rise, and that no height there is 0."""
    if kernel.bottom and not (kernel.bottom < top and kernel.heights[0] > 0):
        raise ParameterError(
            f"{type(kernel).__name__}: bottom must be below the last point, {top:g}, and all heights above 0 where "
            f"bottom is; got bottom={kernel.bottom!r}, heights={kernel.heights!r}. Try bottom={0.001 * top:g}."
        )


@dataclass(frozen=True, repr=False)
class Entrywise(Pointwise):
    """A function φ of every value, drawn by hand: straight lines between points.

        k(x, x') ↦ sgn(k(x, x')) φ(|k(x, x')|),  φ(vᵢ) = t hᵢ,  i = 0…m,  vᵢ = b (t/b)^(i/m), or t i/m for b = 0

    `Power` and `Log` are two such functions; which one a kernel with a large diagonal needs is open. Entries that are
    small against the diagonal differ over the logarithm only: with b > 0 the points lie at equal steps of log |k|, and
    lines are straight from log |k| to log φ, so that every power is exact. The result need not be positive
    semi-definite: put `Empirical` around it.

    Parameters: heights h, from 0 on and not falling, (0, ½, 1) changes nothing for b = 0; top t > 0, the value of |k|
    at the last point; bottom b, that of the first, 0 ≤ b < t, with heights above 0 where b is. The first and the last
    line go on. Raises ParameterError otherwise.

    Schölkopf, Weston, Eskin, Leslie, Noble, ECML 2002, section 3: a function φ of the entries; its last sentence leaves
    open which.

    >>> from kernlib import Linear
    >>> Entrywise(Linear(), heights=(0.0, 0.9, 1.0), top=4.0)(np.array([[2.0], [-1.0]]))
    array([[ 4. , -3.6],
           [-3.6,  1.8]])
    >>> Entrywise(Linear(), heights=(0.1, 1.0), top=100.0, bottom=1.0)(np.array([[2.0], [-1.0]]))  # 10 √|k|
    array([[ 20.        , -14.14213562],
           [-14.14213562,  10.        ]])
    """

    heights: tuple[float, ...] = _heights()
    top: float = positive(1.0, "t", "value of |k| at the last point", 0.01, 100.0)
    bottom: float = _bottom("value of |k|")

    edited_as = "entries"
    formula = r"\operatorname{sgn}(k(x,x'))\,\varphi(|k(x,x')|)"
    source = "[O] 3"
    cost = "O(n²)"
    psd = False

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_bottom(self, self.top)

    def chip(self) -> str:
        return "φ(·)"

    def change_entries(self, values: Array) -> Array:
        return np.copysign(interpolated(np.abs(values), self.heights, self.top, self.bottom), values)


@dataclass(frozen=True, repr=False)
class Eigenwise(SpectralStep):
    """A function f of the eigenvalues, drawn by hand: straight lines between points.

        K = U diag(λ) U' ↦ U diag(λ₁ f(λ/λ₁)) U',  f(vᵢ) = hᵢ,  i = 0…m,  vᵢ = b^(1 − i/m), or i/m for b = 0

    λ₁ is the largest eigenvalue. The identity leaves a kernel as it is, √ and the repairs of negative eigenvalues are
    other such functions; an eigenvalue below 0 counts as 0.

    Transductive: the function is applied to the matrix of all rows, test rows included.

    Parameters: heights h, from 0 on and not falling; bottom b, 0 ≤ b < 1, the share of λ₁ at the first point, with
    heights above 0 where b is: points at equal steps of log λ, and straight lines from log λ to log f. Raises
    ParameterError otherwise, TransductiveError for k(X, Y).

    [O] section 3, Functional Calculus on Matrices.

    >>> from kernlib import Linear
    >>> Eigenwise(Linear(), heights=(0.0, 1.0))(np.array([[2.0], [1.0]])).round(12)
    array([[4., 2.],
           [2., 1.]])
    """

    heights: tuple[float, ...] = _heights()
    bottom: float = _bottom("share of the largest eigenvalue")

    edited_as = "eigenvalues"
    formula = r"U\,\mathrm{diag}\big(\lambda_1 f(\lambda/\lambda_1)\big)\,U^\top"
    source = "[O] 3"
    cost = "O(n³), one eigendecomposition"

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_bottom(self, 1.0)

    def chip(self) -> str:
        return "f(λ)"

    def new_eigenvalues(self, eigenvalues: Array) -> Array:
        largest = max(float(eigenvalues[-1]), 0.0)
        if not largest:
            return np.zeros_like(eigenvalues)
        return interpolated(np.maximum(eigenvalues, 0.0), self.heights, largest, self.bottom * largest)
