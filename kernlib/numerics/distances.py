"""Distances between rows and in feature space, with bounds on their rounding errors.

‖x‖² + ‖y‖² − 2⟨x, y⟩ is one matrix product, and a difference of large numbers where rows lie far
from the origin and near each other. How much of it is rounding is known from the norms alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np

from ..errors import DegenerateError
from ..values.arrays import Array
from .blocks import change_tiles, over_tiles, over_upper_tiles, same_rows
from .linalg import finite_values, squarable

#: d² = K_ii + K_jj − 2 K_ij is exact to this share of K_ii + K_jj: a smaller d² may be rounding.
ROUNDING = 16 * float(np.finfo(float).eps)

#: A result counts as computed, to six digits, where it exceeds this many times the bound on its rounding error.
RELIABLE = 1e4

_EPS = float(np.finfo(float).eps)
#: Half squared norms, in units of σ², up to which the product is as good as differences: 10⁻¹² of a kernel's value.
_SAFE = 1024.0
#: exp(−x) is 0 in double precision for every larger x.
_UNDERFLOW = 746.0
#: Differences that are held at once.
_DIFFERENCES = 1 << 16


def gaussian(X: Array, Y: Array | None, sigma: float | Array) -> Array:
    """Return exp(−‖(x − y)/σ‖² / 2) for every row of X against every row of Y, or of X, (n, m).

    `sigma` σ is one width, or one for each column, (d,).

    By one matrix product, tile by tile, and by differences for those pairs of which the product would
    be rounding: rows far from the middle and near each other. Values are right to about 10⁻¹² of
    themselves for all finite rows and every σ > 0; of X alone the matrix is symmetric to the last bit.

    >>> gaussian(np.array([[0.0], [1e9], [1e9 + 1]]), None, 1.0).round(4)
    array([[1.    , 0.    , 0.    ],
           [0.    , 1.    , 0.6065],
           [0.    , 0.6065, 1.    ]])
    """
    own = same_rows(X, Y)
    others = X if Y is None or own else Y
    with np.errstate(over="ignore", invalid="ignore"):
        # Moving the origin changes no distance.
        A, a = _prepared(X, X.mean(axis=0), sigma)
        B, b = (A, a) if own else _prepared(others, X.mean(axis=0), sigma)
    slack = 4 * A.shape[1] * _EPS

    def tile(rows: slice, columns: slice, out: Array) -> None:
        with np.errstate(over="ignore", invalid="ignore"):  # a thread has its own
            E = A[rows] @ _turned(B[columns]).T
            # NaN where a norm is infinite: the comparison is written so that such rows never count as safe.
            if not a[rows].max() + b[columns].max() <= _SAFE:
                size = np.add.outer(a[rows], b[columns])
                none = -_UNDERFLOW - slack * size > E
                unsure = ~((size <= _SAFE) | none)
                _by_differences(E, unsure, X[rows], others[columns], sigma)
            np.minimum(E, 0.0, out=E)
        np.exp(E, out=out)
        if own and rows == columns:
            np.fill_diagonal(out, 1.0)

    return over_tiles(len(X), None if own else len(others), tile)


def _prepared(X: Array, origin: Array, sigma: float | Array) -> tuple[Array, Array]:
    """Return [a, −½‖a‖², 1] and ½‖a‖² of the rows a = (x − origin) / σ: with `_turned`, −½‖a − b‖² is one product."""
    n, d = X.shape
    A = np.empty((n, d + 2))
    np.subtract(X, origin, out=A[:, :d])
    A[:, :d] /= sigma
    size = 0.5 * np.einsum("ij,ij->i", A[:, :d], A[:, :d])
    A[:, d], A[:, d + 1] = -size, 1.0
    return A, size


def _turned(B: Array) -> Array:
    turned = B.copy()
    turned[:, -2], turned[:, -1] = B[:, -1], B[:, -2]
    return turned


def _by_differences(E: Array, chosen: Array, X: Array, Y: Array, sigma: float | Array) -> None:
    """Write −‖x − y‖²/2σ² into the chosen entries of E, from the rows themselves."""
    i, j = np.nonzero(chosen)
    step = max(1, _DIFFERENCES // X.shape[1])
    for start in range(0, len(i), step):
        p, q = i[start : start + step], j[start : start + step]
        D = X[p]
        D -= Y[q]
        D /= sigma
        E[p, q] = -0.5 * np.einsum("ij,ij->i", D, D)


def of_distance(
    X: Array,
    Y: Array | None,
    metric: Literal["euclidean", "sqeuclidean", "cityblock"],
    last: Callable[[Array], Array],
) -> Array:
    """Return last(d) of the distances d of every row of X to every row of Y, or of X, (n, m), tile by tile.

    `last` returns the values of a tile of distances, which it may overwrite; it is 1 at 0, and of an infinite distance
    it may return NaN, which becomes 0.

    >>> of_distance(np.array([[0.0], [3.0]]), None, "sqeuclidean", lambda d2: 1.0 / (1.0 + d2))
    array([[1. , 0.1],
           [0.1, 1. ]])
    """
    from scipy.spatial.distance import cdist

    own = same_rows(X, Y)
    others = X if Y is None or own else Y

    def tile(rows: slice, columns: slice, out: Array) -> None:
        with np.errstate(over="ignore", invalid="ignore"):  # a thread has its own
            values = last(cdist(X[rows], others[columns], metric))
        np.copyto(out, values)
        np.copyto(out, 0.0, where=np.isnan(values))
        if own and rows == columns:
            np.fill_diagonal(out, 1.0)

    return over_tiles(len(X), None if own else len(others), tile, cost=X.shape[1])


def median_distance(X: Array, at_most: int = 1000, metric: Literal["euclidean", "cityblock"] = "euclidean") -> float:
    """Return the median distance between two different rows, 0 for a single row.

    Beyond `at_most` rows it is taken over that many, evenly spaced: the median of half a million
    pairs is accurate to a few parts in a thousand. Raises DegenerateError where it exceeds double
    precision.

    >>> median_distance(np.array([[0.0], [1.0], [4.0]]))
    3.0
    """
    from scipy.spatial.distance import pdist

    if len(X) > at_most:
        X = X[np.linspace(0, len(X) - 1, at_most).astype(np.intp)]
    if len(X) < 2:
        return 0.0
    # Squares of such numbers leave double precision, distances need not.
    unit = float(squarable(X))
    median = float(np.median(pdist(X if unit == 1.0 else X / unit, metric))) * unit
    if not math.isfinite(median):
        raise DegenerateError(
            f"The median distance between rows is not finite; expected entries well below 1e308, got {unit:.4g}. "
            "Standardise the columns, or give them in other units."
        )
    return median


def squared_distances(K: Array, dx: Array, dy: Array, rounding: float = 1.0) -> Array:
    """Return d² = dx + dy − 2K in feature space ([K] 2.5), written over K; dx is (m, 1), (m,) or a number, dy alike.

    d² is known to `rounding` · `ROUNDING` · (dx + dy), and 0 where it is less: two rows of squared length 10¹² whose
    distance is below 0.06 cannot be distinguished by K. If that matters, the origin is far from the rows:
    centre or standardise the columns before K is computed. `rounding` is that of the kernel, `Kernel.rounding`.

    Raises DegenerateError where an entry of K is not finite, which a Gaussian of d² would hide.

    >>> squared_distances(np.array([[1.0, 2.0], [2.0, 4.0]]), np.array([1.0, 4.0]), np.array([1.0, 4.0]))
    array([[0., 1.],
           [1., 0.]])
    """
    left, right = (np.broadcast_to(np.ravel(d), n) for d, n in zip((dx, dy), K.shape, strict=True))

    def distances(rows: slice, columns: slice, tile: Array) -> None:
        _to_distances(tile, left[rows], right[columns], rounding * ROUNDING)

    return change_tiles(K, np.array_equal(left, right), distances)


def _to_distances(tile: Array, left: Array, right: Array, bound: float) -> None:
    # d² of finite values may overflow: the rows are then infinitely far apart.
    finite_values(tile, "The kernel below a deep level")
    with np.errstate(over="ignore", invalid="ignore"):
        lengths = np.add.outer(left, right)
        tile *= -2.0
        tile += lengths
        # An indefinite K can have negative 'lengths'.
        np.copyto(tile, 0.0, where=tile <= np.maximum(bound * lengths, 0.0))


def gaussian_levels(
    K: Array, d: Array, bandwidths: Sequence[float | None], first: int = 1, rounding: float = 1.0
) -> tuple[Array, list[float]]:
    """Return the matrix after several deep levels ([K] 2.15–2.18), written over K, and h of each.

    Parameters: `K` (n, n) symmetric, of which the part above the diagonal is read; `d` (n,) its diagonal; `bandwidths`
    of each level, None for the mean distance; `first` the number of the first level, for errors; `rounding` that of the
    kernel below. Errors as of `bandwidth`, `peak` and `squared_distances`.

    >>> K, used = gaussian_levels(np.eye(2), np.ones(2), [None, 1.0])
    >>> K.round(4), [round(h, 4) for h in used]
    (array([[0.3989, 0.2449],
           [0.2449, 0.3989]]), [0.7071, 1.0])
    """
    n, used = len(K), list[float]()
    noise = 2.0 * ROUNDING * rounding * float(np.abs(d).max(initial=0.0))
    for level, given in enumerate(bandwidths, first):

        def distances(rows: slice, columns: slice, tile: Array, given: float | None = given) -> float:
            if used:
                _exponential(tile, used[-1])
                height = peak(used[-1])  # of a density, and k(x, x) of all rows
                tile *= -2.0 * height
                tile += 2.0 * height
                np.copyto(tile, 0.0, where=tile <= 2.0 * ROUNDING * rounding * height)
            else:
                _to_distances(tile, d[rows], d[columns], rounding * ROUNDING)
            return float(np.sqrt(tile).sum()) * (1 if rows == columns else 2) if given is None else 0.0

        total = sum(over_upper_tiles(K, distances))
        used.append(bandwidth(total / n**2, n, level, noise) if given is None else given)
        noise = 2.0 * ROUNDING * rounding * peak(used[-1])

    def density(rows: slice, columns: slice, tile: Array) -> None:
        _exponential(tile, used[-1])
        tile *= peak(used[-1])
        if rows != columns:
            K[columns, rows] = tile.T

    over_upper_tiles(K, density)
    return K, used


def _exponential(d2: Array, h: float) -> None:
    """Write exp(−d²/2h²) over d²."""
    with np.errstate(over="ignore"):  # infinitely far, a density of 0
        if 1e-150 < h < 1e150:
            d2 *= -0.5 / (h * h)
        else:  # h² leaves double precision where h does not
            d2 /= -2.0 * h
            d2 /= h
    np.exp(d2, out=d2)


def bandwidth(h: float, n: int, level: int, noise: float = 0.0) -> float:
    """Return h, the mean distance of n training rows, if it suits a deep level.

    Raises DegenerateError where h is 0, infinite, or h² is below `RELIABLE` times the rounding error `noise` of d².
    """
    if not math.isfinite(h):
        raise DegenerateError(
            f"Deep, level {level}: distances in feature space leave double precision, the bandwidth h is {h:g}; "
            "expected a finite h. Standardise the columns, or put Normalized around the kernel below."
        )
    if not h * h > RELIABLE * noise:
        raise DegenerateError(
            f"Deep, level {level}: all {n} training rows coincide in feature space, or nearly; expected a mean "
            f"distance h well above the rounding error of k, {math.sqrt(noise):.2g}, got {h:.2g}. Standardise the "
            "columns, choose a kernel that separates the rows, fewer levels, or give bandwidths."
        )
    return h


def gaussian_level(d2: Array, h: float) -> Array:
    """Return exp(−d²/2h²) / (√(2π) h) ([K] 2.15), written over d2; any h > 0 whose peak is a finite number.

    >>> gaussian_level(np.array([[0.0, 1.0]]), 1.0).round(4)
    array([[0.3989, 0.242 ]])
    """
    height = peak(h)

    def density(rows: slice, columns: slice, tile: Array) -> None:
        _exponential(tile, h)
        tile *= height

    return change_tiles(d2, d2.shape[0] == d2.shape[1], density)


def peak(h: float) -> float:
    """Return 1 / (√(2π) h), the value of a level's k(x, x); DegenerateError where it leaves double precision.

    >>> round(peak(1.0), 4)
    0.3989
    """
    height = 1.0 / (math.sqrt(2.0 * math.pi) * h)
    if not 0.0 < height < math.inf:
        raise DegenerateError(
            f"Deep: the bandwidth h = {h:g} makes a density of height 1/(√(2π) h) = {height:g}; expected a finite "
            "number above 0. Give a bandwidth nearer to the distances between rows, or None for the heuristic."
        )
    return height


def looks_like_distances(S: Array) -> bool:
    """Return whether a symmetric matrix may hold distances: none negative, a zero diagonal, zeros between equal rows.

    A guess: rows at distance 0 coincide, so that zeros are between the rows of groups, unlike the missing edges of a
    graph; scores are largest on the diagonal.

    >>> looks_like_distances(np.array([[0.0, 0, 3], [0, 0, 3], [3, 3, 0]]))
    True
    >>> looks_like_distances(np.array([[0.0, 0, 3, 1], [0, 0, 0, 2], [3, 0, 0, 0], [1, 2, 0, 0]]))
    False
    """
    n = len(S)
    if n < 3 or S.diagonal().any() or S.min() < 0:
        return False
    zero = S == 0
    group = zero.argmax(axis=1)
    grouped = bool(group.any()) and bool((zero == (group[:, None] == group)).all())
    return grouped or bool(np.count_nonzero(S) > 0.9 * n * (n - 1))


#: The diagonal and negative entries of distances may be this share of their median by rounding, or by a small constant.
_SLACK = 0.05


def as_distances(S: Array) -> Array | None:
    """Return a square matrix as distances: its diagonal and entries below 0 are 0 if they nearly are; None otherwise.

    >>> as_distances(np.array([[0.01, 3.0, 2], [3, 0.01, -1e-12], [2, -1e-12, 0.01]]))
    array([[0., 3., 2.],
           [3., 0., 0.],
           [2., 0., 0.]])
    """
    positive = S[S > 0]
    if len(S) < 3 or not positive.size:
        return None
    slack = _SLACK * float(np.median(positive))
    if np.abs(S.diagonal()).max() > slack or S.min() < -slack:
        return None
    least = 1e-9 * float(positive.max())
    D = np.where(least < S, S, 0.0)
    np.fill_diagonal(D, 0.0)
    return D
