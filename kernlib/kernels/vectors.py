"""Kernels on vectors: linear, polynomial, Gaussian."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from ..core.base import Kernel
from ..errors import DegenerateError, DomainError, NotFittedError
from ..numerics.blocks import integer_power, over_tiles, same_rows
from ..numerics.distances import gaussian, median_distance, of_distance
from ..numerics.finite import finite_lengths
from ..numerics.relevances import learnt_widths
from ..values.arrays import Array
from ..values.declare import param, positive, whole
from ..values.domains import Domain
from ..values.labels import read_labels


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

    degree: int = whole(3, "d", "degree; a high degree makes the diagonal large", 1, 10, minimum=1, maximum=64)
    offset: float = param(
        1.0, symbol="R", help="weight of lower degrees; 0 keeps only the highest", low=0.0, high=10.0, minimum=0.0
    )

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
    between two different training rows. A subclass may take one width for each column, as a tuple.
    """

    domain: ClassVar[Domain] = "vector"
    scaled_by: ClassVar[str] = "sigma"
    metric: ClassVar[Literal["euclidean", "cityblock"]] = "euclidean"
    squared: ClassVar[bool] = False

    @property
    def _given(self) -> float | str | tuple[float, ...]:
        given: float | str | tuple[float, ...] = getattr(self, self.scaled_by)
        return given

    @property
    def learns_itself(self) -> bool:
        return isinstance(self._given, str)

    def heuristics(self, X: Any) -> dict[str, float]:
        return {self.scaled_by: median_distance(self.checked_rows(X), metric=self.metric)}

    def learn(self, X: Array, y: Array | None) -> Any:
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

    def width(self) -> float | Array:
        """Return the width, given or learnt: a number, or one for each column, (d,)."""
        width = self.state if self.learns_itself else self._given
        return float(width) if isinstance(width, int | float) else np.array(width)

    def of_distances(self, d: Array) -> Array:
        """Return the values of distances d in units of the width, squared where `squared` says so; d may be changed."""
        raise NotImplementedError

    def gram(self, X: Array, Y: Array | None) -> Array:
        return self.gram_then(X, Y, lambda block: None)

    def gram_then(self, X: Array, Y: Array | None, then: Callable[[Array], object]) -> Array:
        width, metric = self.width(), "sqeuclidean" if self.squared else self.metric
        with np.errstate(over="ignore"):
            scaled = X / width, None if Y is None or same_rows(X, Y) else Y / width
        return of_distance(*scaled, metric, self.of_distances, then)

    def gram_diag(self, X: Array) -> Array:
        return np.ones(len(X))


@dataclass(frozen=True, repr=False)
class RBF(OfDistance):
    """The Gaussian, or radial basis function, kernel: near rows are similar, distant rows are not.

        k(x, x') = exp(−‖x − x'‖² / 2σ²)

    Parameters: sigma σ > 0 in the units of the columns, or "median", which learns the median
    distance between two different training rows. A small σ makes the Gram matrix the identity,
    a large one makes it constant.

    A tuple has one width σ_c for each column: exp(−½ Σ_c (x_c − x'_c)² / σ_c²). The column's relevance is 1/σ_c². Two
    words learn these widths from the training rows and their labels: "alignment" maximises the centred kernel target
    alignment, "leave-one-out" minimises the leave-one-out error of kernel ridge regression. With few rows and many
    columns both overfit.

    Raises ParameterError for σ ≤ 0, DegenerateError where the median distance is 0 or all training rows are equal,
    DomainError for another number of columns, NotFittedError where labels are needed and missing.

    [K] eq. 3.1; widths of columns: Neal, "Bayesian Learning for Neural Networks", 1996, section 1.2.4.

    >>> RBF(sigma=1.0)([[0.0], [1.0]]).round(4)
    array([[1.    , 0.6065],
           [0.6065, 1.    ]])
    >>> RBF(sigma=(1.0, 100.0))([[0.0, 0.0], [1.0, 5.0]]).round(4)  # the second column hardly matters
    array([[1.    , 0.6058],
           [0.6058, 1.    ]])
    """

    sigma: float | tuple[float, ...] | Literal["median", "alignment", "leave-one-out"] = positive(
        1.0,
        r"\sigma",
        "width: distance within which rows are similar",
        0.01,
        1000.0,
        choices=("median", "alignment", "leave-one-out"),
        heuristic="median distance",
        each="column",
    )

    formula: ClassVar[str] = r"\exp\!\Big(-\frac{\lVert x-x'\rVert^2}{2\sigma^2}\Big)"
    source: ClassVar[str] = "[K] eq. 3.1"
    cost: ClassVar[str] = "O(n²d), one matrix product and one exponential pass"

    def learn(self, X: Array, y: Array | None) -> Any:
        if self.sigma == "median":
            return super().learn(X, y)
        if y is None:
            raise NotFittedError(
                f"RBF: the labels of the training rows are missing; expected y, since sigma={self.sigma!r} learns from "
                "them, got none. Next: kernel.fit(train, y) or kernel.fold(train, test, y)."
            )
        targets = read_labels(y, owner="RBF").targets
        assert self.sigma == "alignment" or self.sigma == "leave-one-out"
        widths = learnt_widths(X, targets.reshape(len(targets), -1), self.sigma)
        if widths is None:
            raise DegenerateError(
                f"RBF: all {len(X)} training rows are equal, so no column has a width; expected two different rows. "
                "Give sigma as a number, e.g. sigma=1.0."
            )
        return widths

    def gram_then(self, X: Array, Y: Array | None, then: Callable[[Array], object]) -> Array:
        width = self.width()
        if isinstance(width, np.ndarray) and len(width) != X.shape[1]:
            of = "the training rows had" if self.learns_itself else "sigma has a width for"
            raise DomainError(
                f"RBF: X has {X.shape[1]} columns; expected {len(width)}, since {of} {len(width)}. Give the same "
                "columns in the same order, or one width for all."
            )
        return gaussian(X, Y, width, then)
