"""The square root of a Gram matrix, first step of the √K scheme."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..errors import DataError
from ..values.arrays import Array
from .spectral import SpectralStep


@dataclass(frozen=True, repr=False)
class SquareRoot(SpectralStep):
    """The positive semi-definite matrix whose square is K.

        √K = U diag(√λ) U',  K = U diag(λ) U'

    With an elementwise φ and the square around it this is the scheme against large diagonals of [O] 3,
    A = √K, A_φ = φ(A), K' = A_φ²: `Repaired(Power(SquareRoot(k), p=0.5), method="square")`, where
    p = 1 gives K back.

    Transductive: the root is computed from all rows, test rows included, so the kernel is used bound to them. If the
    inner kernel learns, it learns from all rows. Raises DataError if K has a negative eigenvalue beyond rounding,
    TransductiveError for k(X, Y) and fold before `bind`.

    [O] section 3, Functional Calculus on Matrices.

    >>> from kernlib import Linear
    >>> import numpy as np
    >>> SquareRoot(Linear())(np.array([[2.0, 1.0], [1.0, 2.0]]))
    array([[2., 1.],
           [1., 2.]])
    """

    formula: ClassVar[str] = r"\sqrt{K} = U\,\mathrm{diag}(\sqrt{\lambda})\,U^\top"
    source: ClassVar[str] = "[O] 3"
    cost: ClassVar[str] = "O(n³), one eigendecomposition"

    def chip(self) -> str:
        return "√K"

    def new_eigenvalues(self, eigenvalues: Array) -> Array:
        largest = np.abs(eigenvalues).max()
        if eigenvalues[0] < -1e-10 * len(eigenvalues) * largest:
            raise DataError(
                f"{self!r}: the square root needs eigenvalues from 0 on; the smallest is {eigenvalues[0]:.4g}. "
                "Put Repaired(kernel, method='clip') around the inner kernel first."
            )
        # The root of an eigenvalue that is 0 but for rounding, 10⁻¹⁶ of the largest, would be 10⁻⁸ of the largest root.
        rounding = len(eigenvalues) * np.finfo(float).eps * largest
        return np.sqrt(np.where(eigenvalues > rounding, eigenvalues, 0.0))
