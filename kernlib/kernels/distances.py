"""Kernels on vectors that are functions of the distance between two rows, besides the Gaussian."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from ..core.base import Kernel
from ..numerics.blocks import same_rows
from ..numerics.distances import gaussian
from ..values.arrays import Array
from ..values.declare import one_of, positive
from ..values.domains import Domain
from .vectors import OfDistance


def _length(help: str = "distance within which rows are similar") -> float | Literal["median"]:
    """Return the declaration of a length scale that can be learnt from the training rows."""
    declared: float | Literal["median"] = positive(
        1.0, r"\ell", help, 0.01, 1000.0, choices=("median",), heuristic="median distance"
    )
    return declared


@dataclass(frozen=True, repr=False)
class Laplacian(OfDistance):
    """An exponential of the sum of absolute differences: sharper at 0 than the Gaussian, with a longer tail.

        k(x, x') = exp(−‖x − x'‖₁ / σ)

    Parameters: sigma σ > 0 in the units of the columns, or "median", which learns the median of ‖x − x'‖₁. Raises
    ParameterError for σ ≤ 0, DegenerateError where that median is 0.

    Chapelle, Haffner and Vapnik, IEEE Trans. Neural Networks 1999.

    >>> Laplacian(sigma=1.0)([[0.0, 0.0], [1.0, 1.0]]).round(4)
    array([[1.    , 0.1353],
           [0.1353, 1.    ]])
    """

    sigma: float | Literal["median"] = positive(
        1.0,
        r"\sigma",
        "width: distance within which rows are similar",
        0.01,
        1000.0,
        choices=("median",),
        heuristic="median distance",
    )

    metric: ClassVar[Literal["euclidean", "cityblock"]] = "cityblock"
    formula: ClassVar[str] = r"\exp\!\Big(-\frac{\lVert x-x'\rVert_1}{\sigma}\Big)"
    source: ClassVar[str] = "Chapelle et al. 1999"
    cost: ClassVar[str] = "O(n²d)"

    def of_distances(self, d: Array) -> Array:
        return np.asarray(np.exp(np.negative(d, out=d), out=d))


@dataclass(frozen=True, repr=False)
class Matern(OfDistance):
    r"""The Matérn kernel: functions that are continuous (ν = ½), once (3/2) or twice (5/2) differentiable.

        ν = ½: exp(−r),  3/2: (1 + √3 r) exp(−√3 r),  5/2: (1 + √5 r + 5r²/3) exp(−√5 r),  r = ‖x − x'‖ / ℓ

    Parameters: nu ν, 0.5, 1.5 or 2.5; length ℓ > 0 in the units of the columns, or "median", which learns the median
    distance. Raises ParameterError outside these, DegenerateError where the median distance is 0.

    Rasmussen and Williams, "Gaussian Processes for Machine Learning", 2006, eq. 4.14.

    >>> Matern(nu=0.5, length=1.0)([[0.0], [1.0]]).round(4)
    array([[1.    , 0.3679],
           [0.3679, 1.    ]])
    """

    nu: float = one_of(1.5, r"\nu", "smoothness: 0.5 is rough, 2.5 nearly as smooth as the Gaussian", (0.5, 1.5, 2.5))
    length: float | Literal["median"] = _length()

    scaled_by: ClassVar[str] = "length"
    formula: ClassVar[str] = (
        r"\frac{2^{1-\nu}}{\Gamma(\nu)}\,(\sqrt{2\nu}\,r)^{\nu}K_\nu(\sqrt{2\nu}\,r),\quad r = \lVert x-x'\rVert/\ell"
    )
    source: ClassVar[str] = "Rasmussen and Williams 2006, eq. 4.14"
    cost: ClassVar[str] = "O(n²d)"

    def of_distances(self, d: Array) -> Array:
        d *= math.sqrt(2.0 * self.nu)
        decay = np.exp(-d)
        if self.nu == 0.5:
            return decay
        return (1.0 + d if self.nu == 1.5 else 1.0 + d + d * d / 3.0) * decay


@dataclass(frozen=True, repr=False)
class RationalQuadratic(OfDistance):
    r"""A mixture of Gaussians of all widths: similar at many scales at once.

        k(x, x') = (1 + ‖x − x'‖² / 2αℓ²)^{−α}

    Parameters: alpha α > 0, a large one gives the Gaussian of width ℓ; length ℓ > 0 in the units of the columns, or
    "median", which learns the median distance. Raises ParameterError outside these, DegenerateError where the median
    distance is 0.

    Rasmussen and Williams, "Gaussian Processes for Machine Learning", 2006, eq. 4.19.

    >>> RationalQuadratic(alpha=1.0, length=1.0)([[0.0], [2.0]]).round(4)
    array([[1.    , 0.3333],
           [0.3333, 1.    ]])
    """

    alpha: float = positive(
        1.0, r"\alpha", "a small one gives distant rows some similarity; a large one is the Gaussian", 0.05, 50.0
    )
    length: float | Literal["median"] = _length()

    scaled_by: ClassVar[str] = "length"
    squared: ClassVar[bool] = True
    formula: ClassVar[str] = r"\Big(1+\frac{\lVert x-x'\rVert^2}{2\alpha\ell^2}\Big)^{-\alpha}"
    source: ClassVar[str] = "Rasmussen and Williams 2006, eq. 4.19"
    cost: ClassVar[str] = "O(n²d)"

    def of_distances(self, d: Array) -> Array:
        d /= 2.0 * self.alpha
        d += 1.0
        return np.asarray(np.power(d, -self.alpha, out=d))


@dataclass(frozen=True, repr=False)
class Periodic(Kernel):
    r"""Rows are similar where every column differs by about a whole number of periods.

        k(x, x') = exp(−(2/ℓ²) Σ_c sin²(π (x_c − x'_c) / p))

    For one column this is MacKay's kernel. For several it is the product over columns: a function of sin of the
    distance would not be positive semi-definite. Each column goes round a circle, and the kernel is the Gaussian there.

    Parameters: period p > 0 in the units of the columns; length ℓ > 0, a small one lets only equal phases agree.
    Raises ParameterError otherwise.

    MacKay, "Introduction to Gaussian processes", 1998, eq. 47; Rasmussen and Williams 2006, eq. 4.31.

    >>> Periodic(period=2.0)([[0.0], [2.0], [1.0]]).round(4)
    array([[1.    , 1.    , 0.1353],
           [1.    , 1.    , 0.1353],
           [0.1353, 0.1353, 1.    ]])
    """

    period: float = positive(1.0, "p", "rows this far apart are alike", 0.01, 100.0)
    length: float = positive(1.0, r"\ell", "width in phase: a small one lets only equal phases agree", 0.05, 20.0)

    domain: ClassVar[Domain] = "vector"
    formula: ClassVar[str] = r"\exp\!\Big(-\frac{2}{\ell^2}\sum_c\sin^2\frac{\pi(x_c-x'_c)}{p}\Big)"
    source: ClassVar[str] = "MacKay 1998, eq. 47"
    cost: ClassVar[str] = "O(n²d), one matrix product and one exponential pass"

    def _round(self, X: Array) -> Array:
        """Return each column as a point on a circle."""
        phase = 2.0 * np.pi * np.remainder(X / self.period, 1.0)
        return np.concatenate([np.cos(phase), np.sin(phase)], axis=1)

    def gram(self, X: Array, Y: Array | None) -> Array:
        return self.gram_then(X, Y, lambda block: None)

    def gram_then(self, X: Array, Y: Array | None, then: Callable[[Array], object]) -> Array:
        other = None if Y is None or same_rows(X, Y) else self._round(Y)
        return gaussian(self._round(X), other, self.length, then)

    def gram_diag(self, X: Array) -> Array:
        return np.ones(len(X))
