"""Decompositions and finite values: a failure or an overflow raises DegenerateError with a remedy."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ..errors import DegenerateError
from ..values.arrays import Array, not_finite

_NEXT = "Standardise the columns, put Normalized around the kernel, or leave out rows that lie far from all others."


def eigenpairs(K: Array, owner: str) -> tuple[Array, Array]:
    """Return all l_j, ascending, and u_j with K u_j = l_j u_j, (n,) and (n, n); K symmetric, one triangle is read.

    Several matrices of one size, (b, n, n), are decomposed each by itself.

    Raises DegenerateError, which names `owner`, where K is not finite or the iteration does not converge.

    >>> eigenpairs(np.array([[2.0, 1.0], [1.0, 2.0]]), "example")[0]
    array([1., 3.])
    """
    values, vectors = _decomposed(np.linalg.eigh, K, owner)
    _require_finite(values, owner)
    return values, vectors


def eigenvalues(K: Array, owner: str) -> Array:
    """Return all l_j of K u_j = l_j u_j, ascending, (n,); errors as in `eigenpairs`.

    >>> eigenvalues(np.array([[2.0, np.nan], [np.nan, 2.0]]), "diagnose")
    Traceback (most recent call last):
        ...
    kernlib.errors.DegenerateError: diagnose: the matrix to decompose must be finite; got nan. Standardise ...
    """
    values: Array = _decomposed(np.linalg.eigvalsh, K, owner)
    _require_finite(values, owner)
    return values


def singular_pairs(F: Array, owner: str) -> tuple[Array, Array]:
    """Return u_j and σ_j of F, (n, min(n, r)) and descending (min(n, r),), with FF' u_j = σ_j² u_j.

    >>> singular_pairs(np.array([[3.0], [4.0]]), "example")[1]
    array([5.])
    """
    U, lengths, _ = _decomposed(partial(np.linalg.svd, full_matrices=False), F, owner)
    return U, lengths


def _decomposed(decompose: Callable[[Array], Any], K: Array, owner: str) -> Any:
    _require_finite(K, owner)
    try:
        return decompose(K)
    except np.linalg.LinAlgError:
        raise DegenerateError(
            f"{owner}: the decomposition of a {K.shape[-2]}×{K.shape[-1]} matrix with entries up to "
            f"{np.abs(K).max():.4g} did not converge; expected a matrix that LAPACK can decompose. {_NEXT}"
        ) from None


def _require_finite(K: Array, owner: str) -> None:
    high, low = K.max(initial=0.0), K.min(initial=0.0)
    if not (np.isfinite(high) and np.isfinite(low)):
        worst = high if not np.isfinite(high) else low
        raise DegenerateError(f"{owner}: the matrix to decompose must be finite; got {worst}. {_NEXT}")


#: exp of a larger number is infinite in double precision.
LARGEST_EXPONENT = math.log(np.finfo(np.float64).max)

_SMALLER = "Standardise the columns, Standardized(kernel), give them in other units, or lower a degree or a power."


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
        raise DegenerateError(f"{_named(owner)}: k(x, x) of row {i} is {d[i]}; expected finite values. {_SMALLER}")
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
            f"{_named(owner)}: k(x, x') of rows {i} and {j} is {K[i, j]}; expected finite values. {_SMALLER}"
        )
    return K


def _named(owner: object) -> str:
    """Return a kernel for an error message, at most 118 characters; called only where an error is raised."""
    name = str(owner)
    return name if len(name) <= 120 else f"{name[:117]}…"
