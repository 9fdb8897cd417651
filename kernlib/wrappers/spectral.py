"""Functions of a symmetric matrix by its eigenvalues: f(K) = U f(Λ) U'."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ..core.steps import WholeStep
from ..numerics.linalg import eigenpairs
from ..values.arrays import Array


class SpectralStep(WholeStep):
    """U f(Λ) U' for f ≥ 0, symmetric to the last bit ([O] 3); a subclass implements f, `new_eigenvalues`.

    >>> from kernlib import Precomputed, SquareRoot
    >>> SquareRoot(Precomputed())(np.array([[5.0, 4.0], [4.0, 5.0]]))
    array([[2., 1.],
           [1., 2.]])
    """

    is_psd: ClassVar[bool] = True

    def new_eigenvalues(self, eigenvalues: Array) -> Array:
        """Return f of the eigenvalues, which are given in ascending order."""
        raise NotImplementedError

    def change_whole(self, K: Array) -> Array:
        eigenvalues, U = eigenpairs(K, "The step over all rows")
        half = U * np.sqrt(self.new_eigenvalues(eigenvalues))
        return np.asarray(half @ half.T)
