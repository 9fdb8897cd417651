"""Means of a large matrix over square blocks."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..values.arrays import Array


def block_means(K: ArrayLike, max_cells: int = 400, order: ArrayLike | None = None) -> tuple[Array, int]:
    """Return K in `order`, averaged over b×b blocks to at most `max_cells` rows: (means, b).

    The last block may be smaller. Memory: n × n/b, never a second n × n; K itself if b = 1 without an order.

    >>> block_means([[1, 2, 9], [3, 4, 9], [5, 7, 8]], max_cells=2)
    (array([[2.5, 9. ],
           [6. , 8. ]]), 2)
    """
    matrix = np.asarray(K)
    n, m = matrix.shape
    rows = np.arange(n) if order is None else np.asarray(order, dtype=np.intp)
    columns = rows if m == n else np.arange(m)
    block = -(-max(n, m, 1) // max(max_cells, 1))
    if block == 1:
        return (matrix if order is None else matrix[np.ix_(rows, columns)]), 1
    starts, across = np.arange(0, n, block), np.arange(0, m, block)
    tall = np.empty((len(starts), m))
    for i, start in enumerate(starts):
        tall[i] = matrix[rows[start : start + block]].mean(axis=0, dtype=np.float64)
    if order is not None:
        tall = tall[:, columns]
    sums = np.add.reduceat(tall, across, axis=1)
    return sums / np.diff(np.append(across, m)), block


def diagonal_means(K: ArrayLike, block: int, order: ArrayLike | None = None) -> Array:
    """Return the mean k(x, x) of the rows of each block, in `order`: (cells,).

    >>> diagonal_means([[1, 2, 9], [3, 4, 9], [5, 7, 8]], 2)
    array([2.5, 8. ])
    """
    lengths = np.diagonal(np.asarray(K)).astype(np.float64)
    lengths = lengths if order is None else lengths[np.asarray(order, dtype=np.intp)]
    starts = np.arange(0, len(lengths), block)
    return np.asarray(np.add.reduceat(lengths, starts) / np.diff(np.append(starts, len(lengths))))
