"""One pass over a large matrix, a block of rows at a time, on all cores."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from .rows import Array

__all__ = ["over_row_blocks"]

#: 512 KiB of float64: a block and its temporary stay in a core's second-level cache.
_BLOCK_ENTRIES = 1 << 16
#: Below this, starting threads costs more than they save.
_THREADS_FROM = 1 << 20


def over_row_blocks(K: Array, work: Callable[[Array, int], None]) -> None:
    """Call ``work(K[i:j], i)`` for blocks that cover all rows of K; `work` writes in place.

    NumPy releases the interpreter lock inside its loops, so threads share the work of a large
    matrix; temporaries are of a block's size.
    """
    step = max(1, _BLOCK_ENTRIES // max(1, K.shape[1]))
    starts = range(0, len(K), step)

    def one(start: int) -> None:
        work(K[start : start + step], start)

    if K.size < _THREADS_FROM:
        for start in starts:
            one(start)
        return
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for _ in pool.map(one, starts):
            pass
