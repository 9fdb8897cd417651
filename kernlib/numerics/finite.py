"""Checks that values are finite: overflow raises DegenerateError with a remedy, never passes on as inf or NaN."""

from __future__ import annotations

import math

import numpy as np

from ..errors import DegenerateError
from ..values.arrays import Array, not_finite

#: exp of a larger number is infinite in double precision.
LARGEST_EXPONENT = math.log(np.finfo(np.float64).max)

_NEXT = "Standardise the columns, Standardized(kernel), give them in other units, or lower a degree or a power."


def overflow_checked_later() -> np.errstate:
    """Return a context without NumPy's overflow warnings; the caller checks the values afterwards."""
    return np.errstate(over="ignore", invalid="ignore")


def squarable(X: Array, axis: int | None = None) -> Array:
    """Return a unit for X, along an axis or for all, in which sums of squares neither overflow nor vanish.

    The unit is 1 where no scaling is needed, which avoids rounding; else it is the largest size.

    >>> squarable(np.array([[3.0, 1e200], [2.0, -4e200]]), axis=0).ravel()
    array([1.e+000, 4.e+200])
    """
    largest = np.abs(X).max(axis=axis, initial=0.0, keepdims=axis is not None)
    return np.where(((largest > 1e-100) & (largest < 1e100)) | (largest == 0.0), 1.0, largest)


def finite_gram(K: Array, psd: bool, owner: object) -> Array:
    """Return `K`, (n, n), of rows against themselves; only the diagonal is checked if K is PSD.

    >>> finite_gram(np.eye(2), True, "Linear()").shape
    (2, 2)
    """
    if psd:
        finite_lengths(K.diagonal(), owner)
        return K
    return finite_values(K, owner)


def finite_lengths(d: Array, owner: object) -> Array:
    """Return `d`, the values k(x, x) of rows, (n,); DegenerateError where one is not finite.

    |k(x, x')| ≤ √(k(x, x) k(x', x')), so rows of finite length have finite values everywhere.

    >>> finite_lengths(np.array([1.0, np.inf]), "Linear")
    Traceback (most recent call last):
        ...
    kernlib.errors.DegenerateError: Linear: k(x, x) of row 1 is inf; expected finite values. Standardise ...
    """
    bad = not_finite(d)
    if len(bad):
        i = bad[0, 0]
        raise DegenerateError(f"{_named(owner)}: k(x, x) of row {i} is {d[i]}; expected finite values. {_NEXT}")
    return d


def finite_values(K: Array, owner: object) -> Array:
    """Return `K`, (m, n); DegenerateError where an entry is not finite.

    >>> finite_values(np.array([[1.0, np.nan]]), "Power(Linear())")
    Traceback (most recent call last):
        ...
    kernlib.errors.DegenerateError: Power(Linear()): k(x, x') of rows 0 and 1 is nan; expected finite values. ...
    """
    bad = not_finite(K)
    if len(bad):
        i, j = bad[0]
        raise DegenerateError(
            f"{_named(owner)}: k(x, x') of rows {i} and {j} is {K[i, j]}; expected finite values. {_NEXT}"
        )
    return K


def _named(owner: object) -> str:
    """Return a kernel for an error message, at most 118 characters; called only where an error is raised."""
    name = str(owner)
    return name if len(name) <= 120 else f"{name[:117]}…"
