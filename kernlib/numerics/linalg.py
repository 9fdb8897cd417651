"""Eigen- and singular value decompositions whose failures raise DegenerateError with a remedy."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ..errors import DegenerateError
from ..values.arrays import Array

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
