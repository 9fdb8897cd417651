"""Angles and distances in feature space, from the Gram matrix alone; centring."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..errors import DataError, DegenerateError
from ..numerics.distances import squared_distances as feature_distances
from ..values.arrays import Array
from .matrix import finite, square


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
