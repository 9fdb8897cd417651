"""The eigenvectors of a Gram matrix as functions over one or two input columns."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..analysis.signal import functions_at
from ..analysis.spectrum import Decomposition
from ..core.base import Kernel
from .trained import Field, input_grid


def functions_over_input(kernel: Kernel, X: ArrayLike, y: ArrayLike | None, pairs: Decomposition, count: int) -> Field:
    """Return the first `count` eigenvectors as functions over a grid, in `draws` (count, h, w).

    `values` (h, w) is 1 everywhere. Parameters: `X` (n, 1) or (n, 2) rows whose Gram matrix
    has the eigenvectors `pairs`; `y` for kernels that learn from labels.
    Raises DataError for rows of more columns, and for a kernel that needs all rows at once.

    >>> from kernlib import RBF
    >>> from kernlib.analysis import decompose
    >>> rows = np.linspace(-1, 1, 9)[:, None]
    >>> functions_over_input(RBF(), rows, None, decompose(RBF()(rows)), 3).draws.shape
    (3, 1, 300)
    """
    rows = np.asarray(X, dtype=np.float64)
    x, up, grid = input_grid(kernel, rows, 300 if rows.shape[1] == 1 else 50, "functions_over_input")
    fold = kernel.specification.fold(rows, grid, None if y is None else np.asarray(y))
    assert fold.K_star is not None
    values = functions_at(fold.K_star, pairs, count)
    return Field(x, up, np.ones((len(up), len(x))), values.T.reshape(-1, len(up), len(x)))
