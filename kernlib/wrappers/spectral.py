"""Functions of a symmetric matrix by its eigenvalues: f(K) = U f(Λ) U'."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..numerics.linalg import eigenpairs
from ..values.arrays import Array


def functional_calculus(K: Array, f: Callable[[Array], Array]) -> Array:
    """Return U f(Λ) U' for f ≥ 0, symmetric to the last bit ([O] 3).

    >>> functional_calculus(np.array([[5.0, 4.0], [4.0, 5.0]]), np.sqrt)
    array([[2., 1.],
           [1., 2.]])
    """
    eigenvalues, U = eigenpairs(K, "The step over all rows")
    half = U * np.sqrt(f(eigenvalues))
    return np.asarray(half @ half.T)
