"""Input checks of the functions of a Gram matrix."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from ..errors import DataError
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
    def same_halves(self) -> bool:
        """Return whether a square matrix is symmetric to the last bit, as nearly every Gram matrix is."""
        K, n, block = self.matrix, len(self.matrix), 256  # without an n×n temporary
        return all(np.array_equal(K[i : i + block], K[:, i : i + block].T) for i in range(0, n, block))


def looked_at(K: ArrayLike | Checked, owner: str, name: str = "K") -> Checked:
    """Return the checked matrix; a matrix checked before is returned unchanged. Raises DataError as `finite`.

    >>> looked_at([[1, 2], [3, -4]], "example").largest
    4.0
    """
    return K if isinstance(K, Checked) else Checked(*_sized(K, owner, name))


def finite(K: ArrayLike | Checked, owner: str, name: str = "K") -> Array:
    """Return `K` as a float64 matrix; raise DataError for wrong axes, NaN, infinity, or entries beyond 10¹⁵⁰.

    >>> finite([[1, 2]], "example")
    array([[1., 2.]])
    """
    return looked_at(K, owner, name).matrix


def _sized(K: ArrayLike, owner: str, name: str) -> tuple[Array, float]:
    """Return the checked matrix and its largest absolute entry."""
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
    return matrix, size


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
