"""Kernels on vectors: of the inner product, of the distance, and over choices of columns; kernels on rows of counts."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from ..core.base import Kernel
from ..errors import DegenerateError, DomainError, ParameterError
from ..numerics.blocks import block_size, integer_power, over_tiles, same_rows
from ..numerics.distances import gaussian, median_distance, of_distance
from ..numerics.linalg import finite_lengths
from ..numerics.relevances import learnt_widths
from ..values.arrays import Array
from ..values.declare import one_of, param, positive, whole
from ..values.labels import read_labels

#: Rows and columns of a tile of `ANOVA`, which holds an array of its size for each order.
_TILE = 256


@dataclass(frozen=True, repr=False)
class Linear(Kernel):
    """The inner product of two vectors.

        k(x, x') = ⟨x, x'⟩

    Rows: finite floats of shape (n, d). Raises DomainError otherwise. [O] section 1.

    >>> Linear()([[1.0, 2.0], [3.0, 4.0]])
    array([[ 5., 11.],
           [11., 25.]])
    """

    domain = "vector"
    formula = r"\langle x, x'\rangle"
    source = "[O] 1"
    cost = "O(n²d), one matrix product"
    sums_columns = True

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

    domain = "vector"
    formula = r"(\langle x, x'\rangle + R)^{d}"
    source = "[O] eq. 18, [C] 3.2"
    cost = "O(n²d), one matrix product"

    def gram(self, X: Array, Y: Array | None) -> Array:
        own = same_rows(X, Y)
        others = X if Y is None or own else Y

        for rows in (X,) if own else (X, others):
            self.gram_diag(rows)

        def raised(rows: slice, columns: slice, out: Array) -> None:
            block = X[rows] @ others[columns].T
            block += self.offset
            integer_power(block, self.degree, out)

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

    domain = "vector"
    scaled_by: ClassVar[str] = "sigma"
    metric: ClassVar[Literal["euclidean", "cityblock"]] = "euclidean"
    squared = False

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
        width, metric = self.width(), "sqeuclidean" if self.squared else self.metric
        with np.errstate(over="ignore"):
            scaled = X / width, None if Y is None or same_rows(X, Y) else Y / width
        return of_distance(*scaled, metric, self.of_distances)

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

    formula = r"\exp\!\Big(-\frac{\lVert x-x'\rVert^2}{2\sigma^2}\Big)"
    source = "[K] eq. 3.1"
    cost = "O(n²d), one matrix product and one exponential pass"

    def learn(self, X: Array, y: Array | None) -> Any:
        if self.sigma == "median":
            return super().learn(X, y)
        y = self.require_labels(y, f"sigma={self.sigma!r} learns from them")
        targets = read_labels(y, owner="RBF").targets
        assert self.sigma == "alignment" or self.sigma == "leave-one-out"
        widths = learnt_widths(X, targets.reshape(len(targets), -1), self.sigma)
        if widths is None:
            raise DegenerateError(
                f"RBF: all {len(X)} training rows are equal, so no column has a width; expected two different rows. "
                "Give sigma as a number, e.g. sigma=1.0."
            )
        return widths

    def gram(self, X: Array, Y: Array | None) -> Array:
        width = self.width()
        if isinstance(width, np.ndarray) and len(width) != X.shape[1]:
            of = "the training rows had" if self.learns_itself else "sigma has a width for"
            raise DomainError(
                f"RBF: X has {X.shape[1]} columns; expected {len(width)}, since {of} {len(width)}. Give the same "
                "columns in the same order, or one width for all."
            )
        return gaussian(X, Y, width)


def _width(symbol: str, help: str = "distance within which rows are similar") -> float | Literal["median"]:
    """Return the declaration of a width that can be learnt from the training rows."""
    declared: float | Literal["median"] = positive(
        1.0, symbol, help, 0.01, 1000.0, choices=("median",), heuristic="median distance"
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

    sigma: float | Literal["median"] = _width(r"\sigma", "width: distance within which rows are similar")

    metric: ClassVar[Literal["euclidean", "cityblock"]] = "cityblock"
    formula = r"\exp\!\Big(-\frac{\lVert x-x'\rVert_1}{\sigma}\Big)"
    source = "Chapelle et al. 1999"
    cost = "O(n²d)"

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
    length: float | Literal["median"] = _width(r"\ell")

    scaled_by: ClassVar[str] = "length"
    formula = (
        r"\frac{2^{1-\nu}}{\Gamma(\nu)}\,(\sqrt{2\nu}\,r)^{\nu}K_\nu(\sqrt{2\nu}\,r),\quad r = \lVert x-x'\rVert/\ell"
    )
    source = "Rasmussen and Williams 2006, eq. 4.14"
    cost = "O(n²d)"

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
    length: float | Literal["median"] = _width(r"\ell")

    scaled_by: ClassVar[str] = "length"
    squared = True
    formula = r"\Big(1+\frac{\lVert x-x'\rVert^2}{2\alpha\ell^2}\Big)^{-\alpha}"
    source = "Rasmussen and Williams 2006, eq. 4.19"
    cost = "O(n²d)"

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

    domain = "vector"
    formula = r"\exp\!\Big(-\frac{2}{\ell^2}\sum_c\sin^2\frac{\pi(x_c-x'_c)}{p}\Big)"
    source = "MacKay 1998, eq. 47"
    cost = "O(n²d), one matrix product and one exponential pass"

    def _round(self, X: Array) -> Array:
        """Return each column as a point on a circle."""
        phase = 2.0 * np.pi * np.remainder(X / self.period, 1.0)
        return np.concatenate([np.cos(phase), np.sin(phase)], axis=1)

    def gram(self, X: Array, Y: Array | None) -> Array:
        other = None if Y is None or same_rows(X, Y) else self._round(Y)
        return gaussian(self._round(X), other, self.length)

    def gram_diag(self, X: Array) -> Array:
        return np.ones(len(X))


@dataclass(frozen=True, repr=False)
class Cosine(Kernel):
    """The cosine of the angle between two rows, as for embeddings: `Normalized(Linear())` in one word.

        k(x, x') = ⟨x, x'⟩ / (‖x‖ ‖x'‖)

    A row of zeros has no direction: its values are 0.

    Salton, Wong and Yang, "A Vector Space Model for Automatic Indexing", 1975.

    >>> Cosine()([[1.0, 0.0], [3.0, 3.0]]).round(4)
    array([[1.    , 0.7071],
           [0.7071, 1.    ]])
    """

    domain = "vector"
    formula = r"\frac{\langle x,x'\rangle}{\lVert x\rVert\,\lVert x'\rVert}"
    source = "Salton et al. 1975"
    cost = "O(n²d), one matrix product"

    def gram(self, X: Array, Y: Array | None) -> Array:
        U = _directions(X)
        if not same_rows(X, Y):
            return np.asarray(np.clip(U @ _directions(Y).T, -1.0, 1.0))  # type: ignore[arg-type]
        K = np.clip(U @ U.T, -1.0, 1.0)
        np.fill_diagonal(K, self.gram_diag(X))
        return np.asarray(K)

    def gram_diag(self, X: Array) -> Array:
        return np.asarray(X.any(axis=1), dtype=np.float64)


def _directions(X: Array) -> Array:
    """Return every row divided by its length, which the square of a large entry must not make infinite."""
    largest = np.abs(X).max(axis=1, initial=0.0)
    A = X / np.where(largest > 0, largest, 1.0)[:, None]
    length = np.sqrt(np.einsum("ij,ij->i", A, A))
    return np.asarray(A / np.where(length > 0, length, 1.0)[:, None])


@dataclass(frozen=True, repr=False)
class Sigmoid(Kernel):
    """The sigmoid of the inner product: named after neural networks, and not positive semi-definite.

        k(x, x') = tanh(γ ⟨x, x'⟩ + r)

    No feature space has these inner products for most γ and r. Support vector machines with it sometimes work all the
    same: for small γ it is close to tanh r + γ sech² r ⟨x, x'⟩, a multiple of the linear kernel to a machine with an
    intercept; for r < 0 the next term is positive, and then it behaves like a wide Gaussian. For γ large or r > 0 it is
    a trap.

    Parameters: gamma γ > 0; offset r, any number. Raises ParameterError otherwise.

    Lin and Lin, "A Study on Sigmoid Kernels for SVM and the Training of non-PSD Kernels by SMO-type Methods", 2003.

    >>> Sigmoid(gamma=1.0, offset=-1.0)([[0.0], [1.0]]).round(4)
    array([[-0.7616, -0.7616],
           [-0.7616,  0.    ]])
    """

    gamma: float = positive(0.1, r"\gamma", "factor of the inner product", 0.0001, 10.0)
    offset: float = param(0.0, symbol="r", help="added to the product, before tanh", low=-5.0, high=5.0)

    domain = "vector"
    psd = False
    formula = r"\tanh(\gamma\,\langle x,x'\rangle + r)"
    source = "Lin and Lin 2003"
    cost = "O(n²d), one matrix product"

    def gram(self, X: Array, Y: Array | None) -> Array:
        K = X @ (X if Y is None or same_rows(X, Y) else Y).T
        K *= self.gamma
        K += self.offset
        return np.asarray(np.tanh(K, out=K))

    def gram_diag(self, X: Array) -> Array:
        return np.asarray(np.tanh(self.gamma * np.einsum("ij,ij->i", X, X) + self.offset))


class _OfCounts(Kernel):
    """A kernel on rows without negative entries, such as histograms and counts."""

    domain = "vector"

    def _require_counts(self, X: Array) -> None:
        """Raise DomainError for a negative entry; after the row steps, which may make the entries positive."""
        if X.size and X.min() < 0:
            i, j = np.unravel_index(int(X.argmin()), X.shape)
            raise DomainError(
                f"{type(self).__name__}: expected counts or shares from 0 on; row {i}, column {j} is {X[i, j]:g}. "
                "Put Ranged around the kernel, or choose RBF for numbers of both signs."
            )


@dataclass(frozen=True, repr=False)
class ChiSquared(_OfCounts):
    """The exponential χ² kernel of histograms: a difference counts less where both rows have much.

        k(x, x') = exp(−γ Σ_c (x_c − x'_c)² / (x_c + x'_c)),  0/0 = 0

    Rows: finite numbers from 0 on. Parameters: gamma γ > 0. Raises ParameterError otherwise, DomainError, with its
    place, for a negative entry.

    Computed by scikit-learn's `chi2_kernel`. Zhang, Marszałek, Lazebnik and Schmid, IJCV 2007, eq. 4.

    >>> ChiSquared(gamma=1.0)([[1.0, 0.0], [0.0, 1.0]]).round(4)
    array([[1.    , 0.1353],
           [0.1353, 1.    ]])
    """

    gamma: float = positive(1.0, r"\gamma", "a large one lets only equal rows agree", 0.001, 100.0)

    formula = r"\exp\!\Big(-\gamma\sum_c\frac{(x_c-x'_c)^2}{x_c+x'_c}\Big)"
    source = "Zhang et al. 2007, eq. 4"
    cost = "O(n²d)"

    def gram(self, X: Array, Y: Array | None) -> Array:
        from sklearn.metrics.pairwise import chi2_kernel

        for rows in (X,) if Y is None else (X, Y):
            self._require_counts(rows)
        # A copy: scikit-learn refuses rows that are read-only.
        return np.asarray(chi2_kernel(X.copy(), None if Y is None else Y.copy(), gamma=self.gamma))

    def gram_diag(self, X: Array) -> Array:
        self._require_counts(X)
        return np.ones(len(X))


@dataclass(frozen=True, repr=False)
class Intersection(_OfCounts):
    """What two histograms have in common.

        k(x, x') = Σ_c min(x_c, x'_c)

    Rows: finite numbers from 0 on; a row of zeros shares nothing. Raises DomainError, with its place, for a negative
    entry.

    Swain and Ballard, "Color Indexing", IJCV 1991; Barla, Odone and Verri, ICIP 2003.

    >>> Intersection()([[2.0, 1.0], [1.0, 3.0]])
    array([[3., 2.],
           [2., 4.]])
    """

    formula = r"\sum_c \min(x_c, x'_c)"
    source = "Swain and Ballard 1991"
    cost = "O(n²d)"

    def gram(self, X: Array, Y: Array | None) -> Array:
        from scipy.spatial.distance import cdist

        other = X if Y is None else Y
        # min(a, b) = (a + b − |a − b|) / 2
        K = np.add.outer(self.gram_diag(X), self.gram_diag(other))
        K -= cdist(X, other, "cityblock")
        K *= 0.5
        return np.asarray(np.maximum(K, 0.0, out=K))

    def gram_diag(self, X: Array) -> Array:
        self._require_counts(X)
        return np.asarray(X.sum(axis=1))


@dataclass(frozen=True, repr=False)
class ANOVA(Kernel):
    """All interactions of exactly D columns: rows are similar if D columns agree together.

        k_D(x, x') = Σ_{1 ≤ i_1 < … < i_D ≤ N} Π_d k(x_{i_d}, x'_{i_d}),
        k(u, v) = exp(−(u − v)² / 2σ²) in each of the N columns

    D = 1 is the direct sum of the columns' kernels, D = N their tensor product (the RBF kernel).
    Computed by the recursion over columns S_s^{(j)} = S_s^{(j−1)} + k(x_j, x'_j) S_{s−1}^{(j−1)},
    N·D steps in place of N-choose-D products.

    Parameters: order D, an integer from 1 to 64; sigma σ > 0 in the units of the columns. An order
    above the number of columns leaves no term: the matrix is zero, with a UserWarning. Raises
    ParameterError outside the ranges, and where N-choose-D is beyond double precision.

    [D] Convolution Kernels (cont'd); Stitson et al., "Support vector regression with ANOVA
    decomposition kernels", 1997.

    >>> ANOVA(order=2)([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]).round(4)
    array([[3.    , 2.2131],
           [2.2131, 3.    ]])
    """

    order: int = whole(2, "D", "number of columns that interact; 1 is the direct sum", 1, 8, minimum=1, maximum=64)
    sigma: float = positive(1.0, r"\sigma", "width of every column's Gaussian", 0.01, 1000.0)

    domain = "vector"
    formula = r"\sum_{1\le i_1<\dots<i_D\le N}\ \prod_{d=1}^{D}{e^{-(x_{i_d}-x'_{i_d})^2/2\sigma^2}}"
    source = "[D] Convolution Kernels"
    cost = "O(n²·N·D)"

    def gram(self, X: Array, Y: Array | None) -> Array:
        if self._terms(X.shape[1]) == 0.0:
            warnings.warn(
                f"ANOVA: order={self.order} asks for more columns than the {X.shape[1]} there are, so no term is "
                f"left and every value is 0. Try order={X.shape[1]}.",
                UserWarning,
                stacklevel=3,
            )
            return np.zeros((len(X), len(X if Y is None else Y)))
        Y = None if same_rows(X, Y) else Y
        A = np.ascontiguousarray(X.T)
        B = A if Y is None else np.ascontiguousarray(Y.T)

        def sum_of_products(rows: slice, columns: slice, out: Array) -> None:
            with np.errstate(over="ignore"):  # far rows: an infinite square, and a kernel of 0
                out[...] = self._recursion(A[:, rows], B[:, columns])

        return over_tiles(
            len(X), None if Y is None else len(Y), sum_of_products, block_size(_TILE), self.order * len(A)
        )

    def _recursion(self, A: Array, B: Array) -> Array:
        """Return the order-D sum for rows A[:, i] against B[:, j]; D arrays of a block's size are alive."""
        shape = (A.shape[1], B.shape[1])
        columns = len(A)
        width = math.sqrt(2.0) * self.sigma
        sums: list[Array] = []  # sums[s − 1] is S_s; S_0 = 1 is never stored
        k, product = np.empty(shape), np.empty(shape)
        for j in range(columns):
            # Differences first: what is scaled before is rounded before.
            np.subtract(A[j][:, None], B[j], out=k)
            k /= width
            np.multiply(k, k, out=k)
            np.negative(k, out=k)
            np.exp(k, out=k)
            # Orders from which D can no longer be reached with the columns that are left are skipped.
            lowest = max(1, self.order - (columns - j - 1))
            if len(sums) < self.order:
                sums.append(np.zeros(shape))
            for s in range(len(sums), lowest - 1, -1):
                if s == 1:
                    sums[0] += k
                else:
                    sums[s - 1] += np.multiply(k, sums[s - 2], out=product)
        return sums[self.order - 1]

    def gram_diag(self, X: Array) -> Array:
        return np.full(len(X), self._terms(X.shape[1]))  # k(u, u) = 1: one for every choice of columns

    def _terms(self, columns: int) -> float:
        """Return N-choose-D, the value of every k(x, x); 0 where D > N."""
        terms = math.comb(columns, self.order)
        if terms.bit_length() > 1000:
            raise ParameterError(
                f"ANOVA: order={self.order} of {columns} columns makes 2^{terms.bit_length()} terms; expected a sum "
                "within double precision. Try a smaller order."
            )
        return float(terms)
