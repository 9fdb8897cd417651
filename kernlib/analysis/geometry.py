"""Angles and distances in feature space, from the Gram matrix alone; centring."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ..errors import DataError, DegenerateError
from ..numerics.distances import squared_distances as feature_distances
from ..statistics import rank_correlation
from ..values.arrays import Array
from ..values.notebook import Pictured
from ..values.words import number
from .matrix import finite, square, symmetric

#: Below this rank correlation a value hardly depends on another; from the larger on it clearly does.
_HARDLY, _CLEARLY = 0.3, 0.7
# Diagonals that differ by no more than this share are one length, up to rounding.
_ONE_LENGTH = 1e-9


@dataclass(frozen=True, eq=False, repr=False)
class Geometry(Pictured):
    """Result of `angles_and_distances`.

    `angles` in degrees and `distances`, one for each pair of two rows; pairs with a row of length 0 have no angle.
    `angle_bound` is 90 where no value is negative, else None; `distance_bound` is √(2c) where no value is negative
    and every k(x, x) is c (√2 for a normalised kernel), else None.
    """

    _drawn_by: ClassVar[str] = "entries.geometry_histograms"

    angles: Array
    distances: Array
    angle_bound: float | None
    distance_bound: float | None


def angles_and_distances(K: ArrayLike) -> Geometry:
    r"""Return the angles and distances between all pairs of rows in feature space.

    .. math:: \angle_{ij} = \arccos\frac{K_{ij}}{\sqrt{K_{ii}K_{jj}}},\qquad d_{ij} = \sqrt{K_{ii}-2K_{ij}+K_{jj}}

    Where k(x, x') ≥ 0, angles are at most 90°; where also k(x, x) = 1, distances are at most √2. Rows whose pairs are
    all near these bounds are almost orthogonal.

    Parameters: `K` (n, n) symmetric, n ≥ 2, with a diagonal that is not negative.
    Raises DataError for another matrix, DegenerateError for a negative diagonal.
    Reference: almost-orthogonal patterns, section 2.

    >>> pairs = angles_and_distances([[1.0, 0.0], [0.0, 1.0]])
    >>> pairs.angles, pairs.angle_bound, pairs.distances.round(4), round(pairs.distance_bound, 4)
    (array([90.]), 90.0, array([1.4142]), 1.4142)
    """
    matrix = symmetric(K, "angles_and_distances")
    diagonal = np.diagonal(matrix)
    if len(matrix) < 2:
        raise DataError("angles_and_distances: K must have at least two rows; got 1. Choose more rows.")
    if (diagonal < 0).any():
        i = int(np.argmin(diagonal))
        raise DegenerateError(
            f"angles_and_distances: k(x, x) must not be negative; got {diagonal[i]:.6g} in row {i}, a squared length "
            "below 0. Repair the matrix first."
        )
    pairs = np.triu_indices(len(matrix), 1)
    distances = np.sqrt(squared_distances(matrix)[pairs])
    length = np.sqrt(diagonal)
    scale = length[pairs[0]] * length[pairs[1]]
    known = scale > 0
    cosines = np.clip(matrix[pairs][known] / scale[known], -1.0, 1.0)
    positive = bool((matrix[pairs] >= 0).all())
    one_length = diagonal.max() - diagonal.min() <= _ONE_LENGTH * diagonal.max()
    return Geometry(
        np.degrees(np.arccos(cosines)),
        distances,
        90.0 if positive else None,
        math.sqrt(2 * float(diagonal.mean())) if positive and one_length else None,
    )


def cosine(K: ArrayLike, diag_x: ArrayLike | None = None, diag_y: ArrayLike | None = None) -> Array:
    r"""Return the cosines of the angles in feature space: K_ij / √(K_ii K_jj).

    Parameters: `K` (n, n), or (m, n) with `diag_x` (m,) and `diag_y` (n,), the values k(x, x) of its
    rows and columns.
    Raises DegenerateError when some k(x, x) is not positive: that row has no direction.
    Reference: almost-orthogonal patterns, section 3.

    >>> import numpy as np
    >>> cosine(np.array([[4.0, 2.0], [2.0, 4.0]]))
    array([[1. , 0.5],
           [0.5, 1. ]])
    """
    matrix, rows, columns = _with_diagonals(K, diag_x, diag_y, "cosine")
    for values in (rows, columns):
        if not (values > 0).all():
            i = int(np.argmin(values))
            raise DegenerateError(
                f"cosine: k(x, x) must be positive in every row; got {values[i]:.6g} in row {i}, which has "
                "no direction in feature space. Leave such rows out."
            )
    cosines: Array = matrix / np.sqrt(rows)[:, None]
    cosines /= np.sqrt(columns)
    return cosines


def squared_distances(K: ArrayLike, diag_x: ArrayLike | None = None, diag_y: ArrayLike | None = None) -> Array:
    r"""Return squared distances in feature space, never below zero: d²_ij = K_ii − 2 K_ij + K_jj.

    Parameters: `K` (n, n), or (m, n) with `diag_x` (m,) and `diag_y` (n,), the values k(x, x) of its
    rows and columns. Rounding errors become 0 (`kernlib.numerics.distances.squared_distances`).
    Raises DataError where they leave double precision.
    Reference: deep kernel machines, equation 2.5.

    >>> import numpy as np
    >>> squared_distances(np.array([[1.0, 2.0], [2.0, 4.0]]))
    array([[0., 1.],
           [1., 0.]])
    """
    matrix, rows, columns = _with_diagonals(K, diag_x, diag_y, "squared_distances")
    return finite(feature_distances(matrix.copy(), rows, columns), "squared_distances", "d²")


@dataclass(frozen=True, eq=False)
class BySize:
    """What the length of the rows does to their similarity, see `similarity_by_size`; all (n,).

    `sizes` lengths; `own` k(x, x); `others` the mean of k(x, x') over the other rows; `normalised` the same of cosines.
    """

    sizes: Array
    own: Array
    others: Array
    normalised: Array

    def words(self) -> str:
        """Return how far each follows the length, by rank correlation, as text."""
        own, others, normalised = (rank_correlation(self.sizes, v) for v in (self.own, self.others, self.normalised))
        left, before = abs(normalised), abs(others)
        does = "removes" if left < _HARDLY else "weakens" if left < before - 0.1 else "does not remove"
        one = float(np.ptp(self.own)) <= _ONE_LENGTH * float(np.abs(self.own).max())
        itself = (
            "k(x, x) is the same for all rows. By rank correlation, t"
            if one
            else f"k(x, x) {_follows(own)} the length of the rows: rank correlation {number(own, 2)}. T"
        )
        effect = f" Normalising {does} this." if before >= _HARDLY else ""
        return (
            f"{itself}he mean similarity to other rows {_follows(others)} the length, {number(others, 2)}; after "
            f"normalising it {_follows(normalised)} the length, {number(normalised, 2)}.{effect}"
        )


def _follows(rho: float) -> str:
    if not abs(rho) >= _HARDLY:
        return "hardly depends on"
    return f"{'rises' if rho > 0 else 'falls'}{'' if abs(rho) >= _CLEARLY else ' somewhat'} with"


def similarity_by_size(K: ArrayLike, sizes: ArrayLike) -> BySize:
    """Return self-similarity and mean similarity to other rows beside the rows' lengths, before and after normalising.

    Parameters: `K` (n, n) not normalised, of two rows or more; `sizes` (n,).

    >>> K = np.outer([1.0, 2.0, 3.0], [1.0, 2.0, 3.0])
    >>> similarity_by_size(K, [5, 10, 15]).others.tolist()
    [2.5, 4.0, 4.5]
    """
    matrix = square(K, "similarity_by_size")
    own = matrix.diagonal()
    others, normalised = ((M.sum(axis=1) - M.diagonal()) / (len(M) - 1) for M in (matrix, cosine_or_zero(matrix)))
    return BySize(np.asarray(sizes, dtype=np.float64), own, others, normalised)


def cosine_or_zero(matrix: Array) -> Array:
    """Return the cosines of a square matrix, 0 where a row has k(x, x) ≤ 0: it has no direction."""
    length = np.sqrt(np.maximum(matrix.diagonal(), 0.0))
    inverse = np.divide(1.0, length, out=np.zeros_like(length), where=length > 0)
    cosines: Array = matrix * inverse[:, None] * inverse
    return cosines


def _with_diagonals(
    K: ArrayLike, diag_x: ArrayLike | None, diag_y: ArrayLike | None, owner: str
) -> tuple[Array, Array, Array]:
    matrix = finite(K, owner)
    if (diag_x is None or diag_y is None) and matrix.shape[0] != matrix.shape[1]:
        raise DataError(
            f"{owner}: K must be square when diag_x or diag_y is left out; got shape {matrix.shape}. "
            "Pass diag_x=k.diag(X) and diag_y=k.diag(Y)."
        )
    diagonals = []
    for name, given, length in (("diag_x", diag_x, matrix.shape[0]), ("diag_y", diag_y, matrix.shape[1])):
        values = np.diagonal(matrix) if given is None else np.asarray(given, dtype=np.float64)
        if values.shape != (length,):
            raise DataError(
                f"{owner}: {name} must have one value for each of the {length} "
                f"{'rows' if name == 'diag_x' else 'columns'} of K; got shape {values.shape}. "
                "Pass k.diag of the same rows."
            )
        diagonals.append(values)
    return matrix, diagonals[0], diagonals[1]


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
