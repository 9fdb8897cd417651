"""The checks that every function of a Gram matrix begins with."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..errors import DataError
from ..values.arrays import Array

__all__ = ["SYMMETRY_TOLERANCE", "finite", "square", "symmetric"]


# Relative to the largest entry; well above what a symmetric formula loses to rounding.
SYMMETRY_TOLERANCE = 1e-8


def finite(K: ArrayLike, owner: str, name: str = "K") -> Array:
    """`K` as a float64 matrix; DataError for a wrong number of axes, NaN or infinity.

    >>> finite([[1, 2]], "example")
    array([[1., 2.]])
    """
    try:
        matrix = np.asarray(K, dtype=np.float64)
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
    # One sum is much cheaper than isfinite and a temporary, and finds every NaN and infinity.
    if not np.isfinite(matrix.sum()):
        bad = np.argwhere(~np.isfinite(matrix))
        if len(bad):
            i, j = bad[0]
            raise DataError(
                f"{owner}: {name} must be finite; got {matrix[i, j]} at ({i}, {j}), {len(bad)} such entries "
                "in all. Scale the columns, or change the kernel's parameters."
            )
    return matrix


def square(K: ArrayLike, owner: str) -> Array:
    """`finite`, and as many rows as columns.

    >>> square([[1, 0], [0, 1]], "example").shape
    (2, 2)
    """
    matrix = finite(K, owner)
    if matrix.shape[0] != matrix.shape[1]:
        raise DataError(
            f"{owner}: K must be square, rows against the same rows; got shape {matrix.shape}. "
            "Pass k(X); a matrix k(test, train) belongs to predict or project."
        )
    return matrix


def symmetric(K: ArrayLike, owner: str) -> Array:
    """`square`, and |K_ij − K_ji| ≤ 1e-8 max|K|.

    >>> symmetric([[1, 0], [1, 1]], "example")
    Traceback (most recent call last):
        ...
    kernlib.errors.DataError: example: K must be symmetric; ...
    """
    matrix = square(K, owner)
    # Nearly every Gram matrix is symmetric to the last bit; that is seen without an n×n temporary.
    n, block = len(matrix), 256
    if all(np.array_equal(matrix[i : i + block], matrix[:, i : i + block].T) for i in range(0, n, block)):
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
