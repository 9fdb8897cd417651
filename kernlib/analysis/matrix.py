"""Input checks of the functions of a Gram matrix; angles, distances, centring and block means from it alone."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from ..errors import DataError
from ..numerics.distances import squared_distances as feature_distances
from ..values.arrays import Array, unmasked

# Relative to the largest entry; well above the rounding error of a symmetric formula.
SYMMETRY_TOLERANCE = 1e-8
# What is larger, or all smaller than its inverse, cannot be squared and summed in double precision.
LARGEST = 1e150


@dataclass(frozen=True, eq=False)
class Checked:
    """A checked matrix: all machines of a fold share one check.

    `matrix` float64 and finite, `largest` max |K_ij|; the other numbers are computed on first use.
    """

    matrix: Array
    largest: float

    def __len__(self) -> int:
        return len(self.matrix)

    @cached_property
    def mean(self) -> float:
        """Return the mean of all entries."""
        return float(self.matrix.mean())

    @cached_property
    def trace(self) -> float:
        """Return Σ K_ii of a square matrix."""
        return float(np.trace(self.matrix))

    @cached_property
    def diagonal(self) -> Array:
        """Return K_ii of a square matrix, (n,)."""
        return np.ascontiguousarray(np.diagonal(self.matrix))

    @cached_property
    def same_halves(self) -> bool:
        """Return whether a square matrix is symmetric to the last bit, as nearly every Gram matrix is."""
        K, n, block = self.matrix, len(self.matrix), 256  # without an n×n temporary
        return all(np.array_equal(K[i : i + block], K[:, i : i + block].T) for i in range(0, n, block))


def looked_at(K: ArrayLike | Checked, owner: str, name: str = "K") -> Checked:
    """Return the checked matrix; a matrix checked before is returned unchanged. Raises DataError as `finite`.

    >>> looked_at([[1, 2], [3, -4]], "example").largest
    4.0
    """
    if isinstance(K, Checked):
        return K
    if np.iscomplexobj(K):
        raise DataError(
            f"{owner}: {name} must be a matrix of real numbers; got complex ones. Take the real part, if that is meant."
        )
    try:
        matrix = np.asarray(unmasked(K), dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(
            f"{owner}: {name} must be a matrix of numbers; got {type(K).__name__} ({error}). "
            "Pass the Gram matrix k(X), not the rows X."
        ) from error
    if matrix.ndim != 2 or 0 in matrix.shape:
        raise DataError(
            f"{owner}: {name} must be a matrix with at least one row and column; got shape {matrix.shape}. "
            "Pass the Gram matrix k(X), not the rows X."
        )
    # Two passes without a temporary find every NaN, every infinity, and entries that cannot be squared.
    high, low = float(matrix.max()), float(matrix.min())
    if not (math.isfinite(high) and math.isfinite(low)):
        bad = np.argwhere(~np.isfinite(matrix))
        i, j = bad[0]
        raise DataError(
            f"{owner}: {name} must be finite; got {matrix[i, j]} at ({i}, {j}), {len(bad)} such entries "
            "in all. Standardise the columns, or change the kernel's parameters."
        )
    size = max(high, -low)
    if size > LARGEST:
        raise DataError(
            f"{owner}: {name} must have entries below {LARGEST:g} in size, whose products stay within double "
            f"precision; got {high if high > -low else low:.4g}. Standardise the columns, or put Normalized around "
            "the kernel."
        )
    return Checked(matrix, size)


def finite(K: ArrayLike | Checked, owner: str, name: str = "K") -> Array:
    """Return `K` as a float64 matrix; raise DataError for wrong axes, NaN, infinity, or entries beyond 10¹⁵⁰.

    >>> finite([[1, 2]], "example")
    array([[1., 2.]])
    """
    return looked_at(K, owner, name).matrix


def square(K: ArrayLike | Checked, owner: str) -> Array:
    """Return `finite` of a square matrix; refuse entries all below 10⁻¹⁵⁰ in size, unless all are 0.

    >>> square([[1, 0], [0, 1]], "example").shape
    (2, 2)
    """
    checked = looked_at(K, owner)
    matrix, size = checked.matrix, checked.largest
    if matrix.shape[0] != matrix.shape[1]:
        raise DataError(
            f"{owner}: K must be square, rows against the same rows; got shape {matrix.shape}. "
            "Pass k(X); a matrix k(test, train) belongs to predict or project."
        )
    if 0 < size < 1 / LARGEST:
        raise DataError(
            f"{owner}: K must have an entry of {1 / LARGEST:g} or more in size, or products leave double precision; "
            f"got {size:.4g} at most. Standardise the columns, or put Normalized around the kernel."
        )
    return matrix


def symmetric(K: ArrayLike | Checked, owner: str) -> Array:
    """Return `square` of a symmetric matrix, |K_ij − K_ji| ≤ 1e-8 max|K|.

    >>> symmetric([[1, 0], [1, 1]], "example")
    Traceback (most recent call last):
        ...
    kernlib.errors.DataError: example: K must be symmetric; ...
    """
    checked = looked_at(K, owner)
    matrix = square(checked, owner)
    if checked.same_halves:
        return matrix
    gap = np.abs(matrix - matrix.T)
    largest = gap.max()
    if largest > SYMMETRY_TOLERANCE * np.abs(matrix).max():
        i, j = np.unravel_index(int(gap.argmax()), gap.shape)
        raise DataError(
            f"{owner}: K must be symmetric; got K[{i}, {j}] = {matrix[i, j]:.6g} and "
            f"K[{j}, {i}] = {matrix[j, i]:.6g}. Symmetrise it, (K + K.T) / 2, "
            "or use the empirical map K @ K.T."
        )
    return matrix


def squared_distances(K: ArrayLike, diag_x: ArrayLike | None = None, diag_y: ArrayLike | None = None) -> Array:
    r"""Return squared distances in feature space, never below zero: d²_ij = K_ii − 2 K_ij + K_jj.

    Parameters: `K` (n, n), or (m, n) with both `diag_x` (m,) and `diag_y` (n,), the values k(x, x) of its rows and
    columns. Rounding errors become 0 (`kernlib.numerics.distances.squared_distances`).
    Raises DataError where they leave double precision.
    Reference: deep kernel machines, equation 2.5.

    >>> import numpy as np
    >>> squared_distances(np.array([[1.0, 2.0], [2.0, 4.0]]))
    array([[0., 1.],
           [1., 0.]])
    """
    if diag_x is None or diag_y is None:
        matrix = square(K, "squared_distances")
        diag_x = diag_y = np.diagonal(matrix)
    else:
        matrix = finite(K, "squared_distances")
    rows, columns = np.asarray(diag_x, dtype=np.float64), np.asarray(diag_y, dtype=np.float64)
    return finite(feature_distances(matrix.copy(), rows, columns), "squared_distances", "d²")


def cosine(matrix: Array) -> Array:
    """Return the cosines of the angles in feature space; 0 where a row has k(x, x) ≤ 0, and with it no direction.

    >>> cosine(np.array([[4.0, 2.0], [2.0, 4.0]]))
    array([[1. , 0.5],
           [0.5, 1. ]])
    """
    length = np.sqrt(np.maximum(matrix.diagonal(), 0.0))
    inverse = np.divide(1.0, length, out=np.zeros_like(length), where=length > 0)
    cosines: Array = matrix * inverse[:, None] * inverse
    return cosines


def centre(K: ArrayLike) -> Array:
    r"""Return HKH, H = I − 11'/n: the Gram matrix of the rows less their mean in feature space.

    Parameters: `K` (n, n). Raises DataError for a matrix that is not square or not finite.

    >>> import numpy as np
    >>> centre(np.array([[1.0, 0.0], [0.0, 1.0]]))
    array([[ 0.5, -0.5],
           [-0.5,  0.5]])
    """
    matrix = square(K, "centre")
    means = matrix.mean(axis=0)
    centred: Array = matrix - means
    centred -= matrix.mean(axis=1)[:, None]
    centred += means.mean()
    return centred


def block_means(K: ArrayLike, max_cells: int = 400, order: ArrayLike | None = None) -> tuple[Array, int]:
    """Return K in `order`, averaged over b×b blocks to at most `max_cells` rows: (means, b).

    The diagonal has the mean k(x, x) of each block. The last block may be smaller. Memory: n × n/b, never a second
    n × n; K itself if b = 1 without an order. Parameters: `K` (n, n).

    >>> block_means([[1, 2, 9], [3, 4, 9], [5, 7, 8]], max_cells=2)
    (array([[2.5, 9. ],
           [6. , 8. ]]), 2)
    """
    matrix = np.asarray(K)
    n = len(matrix)
    rows = np.arange(n) if order is None else np.asarray(order, dtype=np.intp)
    block = -(-max(n, 1) // max(max_cells, 1))
    if block == 1:
        return (matrix if order is None else matrix[np.ix_(rows, rows)]), 1
    starts = np.arange(0, n, block)
    tall = np.stack([matrix[rows[start : start + block]].mean(axis=0, dtype=np.float64) for start in starts])
    lengths = np.diff(np.append(starts, n))
    means = np.add.reduceat(tall[:, rows], starts, axis=1) / lengths
    np.fill_diagonal(means, np.add.reduceat(np.diagonal(matrix)[rows].astype(np.float64), starts) / lengths)
    return means, block
