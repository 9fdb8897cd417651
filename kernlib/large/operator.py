"""Products of a Gram matrix with a few columns, by tiles, without storing the matrix."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from ..core.base import Kernel, require_kernel
from ..errors import DataError
from ..numerics.workers import Backend
from ..values.arrays import Array
from .gram import block_of, filled
from .tiles import Place, Plan, Progress, Work, places, planned, silent, tile_of


class GramOperator:
    """A Gram matrix k(X) for products with columns, which is not stored.

        (K V)_i = Σ_j k(x_i, x_j) V_j,  the tiles above the diagonal evaluated once and used twice

    Every product evaluates all tiles again: n²/2 kernel values, and no memory for the matrix. On a cluster each worker
    receives V once and returns its tiles' contribution to K V. Parameters and errors as in `gram_blocks`.

    >>> from kernlib import RBF
    >>> X, V = np.linspace(0.0, 1.0, 40)[:, None], np.ones((40, 2))
    >>> K = GramOperator(RBF(sigma=0.5), X, block=16)
    >>> K.shape, bool(abs(K @ V - RBF(sigma=0.5)(X) @ V).max() < 1e-12)
    ((40, 40), True)
    """

    def __init__(
        self,
        kernel: Kernel,
        X: Any,
        *,
        y: Any = None,
        block: int | None = None,
        jobs: int = 1,
        backend: Backend = "auto",
        memory: int | None = None,
        learning: Progress = silent,
    ) -> None:
        require_kernel("GramOperator", "kernel", kernel)
        rows = kernel.checked_rows(X)
        owner = "GramOperator"
        self.work = Work(block_of(kernel, len(rows), block, jobs, memory, owner), jobs, backend, owner, learning)
        self.shape = (len(rows), len(rows))
        self.dtype = np.dtype(np.float64)
        self._plan: Plan = planned(kernel, rows, y, self.work)

    @property
    def kernel(self) -> Kernel:
        """Return the kernel fitted on the rows."""
        fitted: Kernel = self._plan.kernel
        return fitted

    @cached_property
    def diagonal(self) -> Array:
        """Return k(x, x) of every row, (n,)."""
        return self._plan.diag()

    def toarray(self, progress: Progress = silent) -> Array:
        """Return the whole matrix, (n, n), in memory."""
        return filled(np.empty(self.shape), self._plan, self.work, progress)

    def __matmul__(self, V: Array) -> Array:
        """Return K V for V (n, k) or (n,)."""
        return self.times(V)

    def times(self, V: Array, progress: Progress = silent) -> Array:
        """Return K V; `progress` is called with the number of finished tiles and their total."""
        given = np.asarray(V, dtype=np.float64)
        if given.ndim not in (1, 2) or len(given) != self.shape[0]:
            raise DataError(
                f"GramOperator: V must have one row for each of the {self.shape[0]} rows of K; got shape "
                f"{given.shape}. Pass (n,) or (n, k)."
            )
        V = given.reshape(len(given), -1)
        out = np.zeros_like(V)
        everything = places(self.shape[0], self.work.block)
        products = self.work.over(_products, self._plan, everything, V)
        for done, ((rows, columns), (upper, lower)) in enumerate(products, 1):
            out[rows] += upper
            if lower is not None:
                out[columns] += lower
            progress(done, len(everything))
        return out.reshape(given.shape)


def _products(plan: Plan, place: Place, V: Array) -> tuple[Array, Array | None]:
    """Return a tile's contribution to K V at its rows, and its mirror image's at its columns."""
    (rows, columns), K = place, tile_of(plan, place)
    return K @ V[columns], None if rows == columns else K.T @ V[rows]
