"""Kernels on vectors: linear, polynomial, Gaussian."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from ..core.base import Kernel
from ..errors import DegenerateError
from ..numerics.blocks import integer_power, over_tiles, same_rows
from ..numerics.distances import gaussian, median_distance
from ..numerics.finite import finite_lengths
from ..values.arrays import Array
from ..values.declare import param
from ..values.domains import Domain


@dataclass(frozen=True, repr=False)
class Linear(Kernel):
    """The inner product of two vectors.

        k(x, x') = ⟨x, x'⟩

    Rows: finite floats of shape (n, d). Raises DomainError otherwise. [O] section 1.

    >>> Linear()([[1.0, 2.0], [3.0, 4.0]])
    array([[ 5., 11.],
           [11., 25.]])
    """

    domain: ClassVar[Domain] = "vector"
    formula: ClassVar[str] = r"\langle x, x'\rangle"
    source: ClassVar[str] = "[O] 1"
    cost: ClassVar[str] = "O(n²d), one matrix product"
    sums_columns: ClassVar[bool] = True

    def gram(self, X: Array, Y: Array | None) -> Array:
        self.gram_diag(X)
        if Y is None or same_rows(X, Y):
            return X @ X.T  # NumPy computes half of a symmetric product
        self.gram_diag(Y)
        return X @ Y.T

    def gram_diag(self, X: Array) -> Array:
        with np.errstate(over="ignore"):
            return finite_lengths(np.einsum("ij,ij->i", X, X), "Linear")


@dataclass(frozen=True, repr=False)
class Polynomial(Kernel):
    """All products of up to `degree` coordinates.

        k(x, x') = (⟨x, x'⟩ + R)^d

    Parameters: degree d, an integer from 1; offset R ≥ 0, 0 for the homogeneous kernel of [O]
    eq. 18. High degrees give large diagonals. [O] eq. 18; [C] 3.2.

    >>> Polynomial(degree=2, offset=1.0)([[1.0], [2.0]])
    array([[ 4.,  9.],
           [ 9., 25.]])
    """

    degree: int = param(
        3, kind="int", symbol="d", help="degree; a high degree makes the diagonal large",
        low=1, high=10, minimum=1, maximum=64,
    )  # fmt: skip
    offset: float = param(
        1.0, symbol="R", help="weight of lower degrees; 0 keeps only the highest",
        low=0.0, high=10.0, minimum=0.0,
    )  # fmt: skip

    domain: ClassVar[Domain] = "vector"
    formula: ClassVar[str] = r"(\langle x, x'\rangle + R)^{d}"
    source: ClassVar[str] = "[O] eq. 18, [C] 3.2"
    cost: ClassVar[str] = "O(n²d), one matrix product"

    def gram(self, X: Array, Y: Array | None) -> Array:
        return self.gram_then(X, Y, lambda block: None)

    def gram_then(self, X: Array, Y: Array | None, then: Callable[[Array], object]) -> Array:
        own = same_rows(X, Y)
        others = X if Y is None or own else Y

        for rows in (X,) if own else (X, others):
            self.gram_diag(rows)

        def raised(rows: slice, columns: slice, out: Array) -> None:
            block = X[rows] @ others[columns].T
            block += self.offset
            integer_power(block, self.degree, out)
            then(out)

        return over_tiles(len(X), None if own else len(others), raised)

    def gram_diag(self, X: Array) -> Array:
        with np.errstate(over="ignore"):
            d = np.einsum("ij,ij->i", X, X) + self.offset
            return finite_lengths(integer_power(d, self.degree), f"Polynomial, degree {self.degree}")


class OfDistance(Kernel):
    """A function of the distance between two rows in units of a width, 1 at distance 0.

    The parameter named `scaled_by` is the width: a number above 0, or "median", which learns the median distance
    between two different training rows.
    """

    domain: ClassVar[Domain] = "vector"
    scaled_by: ClassVar[str] = "sigma"
    metric: ClassVar[Literal["euclidean", "cityblock"]] = "euclidean"

    @property
    def _given(self) -> float | str:
        given: float | str = getattr(self, self.scaled_by)
        return given

    @property
    def learns_itself(self) -> bool:
        return self._given == "median"

    def heuristics(self, X: Any) -> dict[str, float]:
        return {self.scaled_by: median_distance(self.checked_rows(X), metric=self.metric)}

    def learn(self, X: Array, y: Array | None) -> float:
        name, width = type(self).__name__, median_distance(X, metric=self.metric)
        if not width > 0:
            instead = f"Give {self.scaled_by} as a number, e.g. {self.scaled_by}=1.0."
            if len(X) == 1:
                raise DegenerateError(
                    f"{name}: expected two rows or more for a median distance; got one sample. {instead}"
                )
            raise DegenerateError(
                f"{name}: the median distance between the {len(X)} training rows is 0, expected a width above 0. "
                f"Most rows are equal: {instead[0].lower()}{instead[1:]}"
            )
        return width

    def width(self) -> float:
        """Return the width, given or learnt."""
        return float(self.state if self._given == "median" else self._given)

    def gram_diag(self, X: Array) -> Array:
        return np.ones(len(X))


@dataclass(frozen=True, repr=False)
class RBF(OfDistance):
    """The Gaussian, or radial basis function, kernel: near rows are similar, distant rows are not.

        k(x, x') = exp(−‖x − x'‖² / 2σ²)

    Parameters: sigma σ > 0 in the units of the columns, or "median", which learns the median
    distance between two different training rows. A small σ makes the Gram matrix the identity,
    a large one makes it constant. Raises ParameterError for σ ≤ 0, DegenerateError where the
    median distance is 0.

    [K] eq. 3.1.

    >>> RBF(sigma=1.0)([[0.0], [1.0]]).round(4)
    array([[1.    , 0.6065],
           [0.6065, 1.    ]])
    """

    sigma: float | Literal["median"] = param(
        1.0, symbol=r"\sigma", help="width: distance within which rows are similar",
        low=0.01, high=1000.0, scale="log", minimum=0.0, open_minimum=True,
        choices=("median",), heuristic="median distance",
    )  # fmt: skip

    formula: ClassVar[str] = r"\exp\!\Big(-\frac{\lVert x-x'\rVert^2}{2\sigma^2}\Big)"
    source: ClassVar[str] = "[K] eq. 3.1"
    cost: ClassVar[str] = "O(n²d), one matrix product and one exponential pass"

    def gram(self, X: Array, Y: Array | None) -> Array:
        return gaussian(X, Y, self.width())

    def gram_then(self, X: Array, Y: Array | None, then: Callable[[Array], object]) -> Array:
        return gaussian(X, Y, self.width(), then)
