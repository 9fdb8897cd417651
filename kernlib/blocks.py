"""One pass over a large matrix, a block of rows at a time, on all cores."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from .values.arrays import Array

__all__ = ["over_row_blocks", "over_upper_blocks", "upper_products"]

#: 512 KiB of float64: a block and its temporary stay in a core's second-level cache.
_BLOCK_ENTRIES = 1 << 16
#: Rows of a block of the upper triangle: enough that its mirror image is written in whole cache lines.
_UPPER_ROWS = 256
#: Below this, starting threads costs more than they save.
_THREADS_FROM = 1 << 20


def over_row_blocks(K: Array, work: Callable[[Array, int], object]) -> None:
    """Call ``work(K[i:j], i)`` for blocks that cover all rows of K; `work` writes in place.

    NumPy releases the interpreter lock inside its loops, so threads share the work of a large
    matrix; temporaries are of a block's size.
    """
    step = max(1, _BLOCK_ENTRIES // max(1, K.shape[1]))

    def one(start: int) -> None:
        work(K[start : start + step], start)

    _on_all_cores(one, range(0, len(K), step), K.size)


def over_upper_blocks(K: Array, work: Callable[[Array, int], Array]) -> None:
    """Replace a symmetric K by ``work`` of its upper blocks ``K[i:j, i:]`` and their mirror image.

    Only the upper triangle of K is read (see `upper_products`).

    `work` gets a contiguous copy of the block and its first row's number, and returns the new
    values; those must not depend on which of the two rows is named first. Half the entries are
    computed, and the result is symmetric to the last bit.
    """
    n = len(K)

    def one(start: int) -> None:
        stop = min(start + _UPPER_ROWS, n)
        block = work(K[start:stop, start:].copy(), start)
        square = block[:, : stop - start]
        lower = np.tri(stop - start, k=-1, dtype=bool)
        square[lower] = square.T[lower]
        K[start:stop, start:] = block
        K[stop:, start:stop] = block[:, stop - start :].T

    _on_all_cores(one, range(0, n, _UPPER_ROWS), K.size)


def upper_products(A: Array) -> Array:
    """A A' with its upper triangle alone filled in: half the work of the whole product."""
    from scipy.linalg.blas import dsyrk

    # In Fortran's order A.T is A as it lies in memory, and its lower triangle is our upper one.
    return np.asarray(dsyrk(1.0, np.ascontiguousarray(A).T, trans=1, lower=1).T)


def _on_all_cores(one: Callable[[int], None], starts: range, size: int) -> None:
    if size < _THREADS_FROM:
        for start in starts:
            one(start)
        return
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for _ in pool.map(one, starts):
            pass
