"""One pass over a large matrix, a block that fits the cache at a time, on all cores; sizes of blocks."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from typing import TypeVar

import numpy as np

from ..values.arrays import Array
from .workers import one_blas_thread

Piece = TypeVar("Piece")
Result = TypeVar("Result")

#: 512 KiB of float64: a block and its temporary stay in a core's second-level cache.
_BLOCK_ENTRIES = 1 << 16
#: Rows and columns of a tile: 2 MiB of float64, and wide enough that a product of tiles runs at full speed.
_TILE = 512
#: Rows and columns of a tile that is changed in its place by several temporaries of its size.
_CHANGED = 256
#: Below this, starting threads costs more than they save.
_THREADS_FROM = 1 << 20
_alone: ContextVar[bool] = ContextVar("alone", default=False)


def over_row_blocks(K: Array, work: Callable[[Array, int], object]) -> None:
    """Call ``work(K[i:j], i)`` for blocks that cover all rows of K; `work` writes in place.

    NumPy releases the interpreter lock inside its loops, so threads share the work of a large
    matrix; temporaries are of a block's size.
    """
    step = max(1, block_size(_BLOCK_ENTRIES) // max(1, K.shape[1]))

    def one(start: int) -> None:
        work(K[start : start + step], start)

    on_all_cores(one, range(0, len(K), step), K.size)


def over_tiles(
    n: int, m: int | None, work: Callable[[slice, slice, Array], object], tile: int | None = None, cost: int = 1
) -> Array:
    """Return a fresh (n, m) matrix, each tile of which ``work(rows, columns, out)`` has written into `out`.

    m None: (n, n), symmetric to the last bit. `work` is then called only for the tiles on and above the
    diagonal, and each is mirrored while it is in the cache. With several cores every worker
    has one BLAS thread, and a product of tiles is part of `work`. `tile` is the number of rows and columns of a tile,
    `cost` the number of operations of an entry, which decides whether threads are worth their start.

    >>> x = np.array([1.0, 2.0])
    >>> over_tiles(2, None, lambda rows, columns, out: np.multiply.outer(x[rows], x[columns], out=out))
    array([[1., 2.],
           [2., 4.]])
    """
    K = np.empty((n, n if m is None else m))
    tile = block_size(_TILE) if tile is None else tile

    def one(corner: tuple[int, int]) -> None:
        i, j = corner
        rows, columns = slice(i, min(i + tile, n)), slice(j, min(j + tile, K.shape[1]))
        out = K[rows, columns]
        work(rows, columns, out)
        if m is None and i == j:
            np.copyto(out, out.T.copy(), where=np.tri(len(out), k=-1, dtype=bool))
        elif m is None:
            K[columns, rows] = out.T

    corners = [(i, j) for i in range(0, n, tile) for j in range(i if m is None else 0, K.shape[1], tile)]
    on_all_cores(one, corners, K.size * cost)
    return K


def change_tiles(K: Array, symmetric: bool, work: Callable[[slice, slice, Array], object]) -> Array:
    """Return K after ``work(rows, columns, tile)`` has changed each tile in its place.

    `symmetric` says that equal entries K[i, j] and K[j, i] become equal values: a tile below the diagonal that mirrors
    one above is not computed.

    >>> change_tiles(np.array([[1.0, 2.0], [2.0, 4.0]]), True, lambda rows, columns, tile: np.sqrt(tile, out=tile))
    array([[1.        , 1.41421356],
           [1.41421356, 2.        ]])
    """
    size = block_size(_CHANGED)

    def one(corner: tuple[int, int]) -> None:
        rows, columns = (slice(start, start + size) for start in corner)
        tile, mirror = K[rows, columns], K[columns, rows]
        if not symmetric or rows == columns:
            work(rows, columns, tile)
        elif np.array_equal(tile, mirror.T):
            work(rows, columns, tile)
            mirror[...] = tile.T
        else:
            work(rows, columns, tile)
            work(columns, rows, mirror)

    n, m = K.shape
    corners = [(i, j) for i in range(0, n, size) for j in range(i if symmetric else 0, m, size)]
    on_all_cores(one, corners, K.size)
    return K


def over_upper_tiles(K: Array, work: Callable[[slice, slice, Array], Result]) -> list[Result]:
    """Change the tiles of a square K on and above its diagonal; return what ``work(rows, columns, tile)`` returns.

    >>> K = np.array([[1.0, 2.0], [2.0, 4.0]])
    >>> over_upper_tiles(K, lambda rows, columns, tile: float(tile.sum()))
    [9.0]
    """
    size = block_size(_CHANGED)

    def one(corner: tuple[slice, slice]) -> Result:
        tile = K[corner].copy()  # contiguous: each pass over it takes half the time
        result = work(*corner, tile)
        K[corner] = tile
        return result

    places = [slice(start, min(start + size, len(K))) for start in range(0, len(K), size)]
    return on_all_cores(one, [(rows, columns) for i, rows in enumerate(places) for columns in places[i:]], K.size)


def same_rows(X: Array, Y: Array | None) -> bool:
    """Return whether Y is None or holds the rows of X, so that k(X, X) equals k(X) to the last bit."""
    return Y is None or Y is X or (X.shape == Y.shape and np.array_equal(X, Y))


def integer_power(base: Array, exponent: int, out: Array | None = None) -> Array:
    """Return base ** exponent, exponent ≥ 1, by repeated squaring, many times faster than pow; `base` is overwritten.

    >>> integer_power(np.array([2.0, -3.0]), 5)
    array([  32., -243.])
    """
    if out is None:
        out = np.empty_like(base)
    while not exponent & 1:
        base *= base
        exponent >>= 1
    np.copyto(out, base)
    while exponent := exponent >> 1:
        base *= base
        if exponent & 1:
            out *= base
    return out


@contextmanager
def on_one_core() -> Iterator[None]:
    """Run the work of this thread in this thread only: `time.thread_time` then counts all of its processor time.

    >>> with on_one_core():
    ...     over_tiles(2, 1, lambda rows, columns, out: out.fill(1.0)).shape
    (2, 1)
    """
    before = _alone.set(True)
    try:
        with one_blas_thread():
            yield
    finally:
        _alone.reset(before)


def on_all_cores(one: Callable[[Piece], Result], pieces: Sequence[Piece], size: int) -> list[Result]:
    """Return ``one(piece)`` for all pieces of a matrix of `size` entries, in threads for a large matrix."""
    if size < block_size(_THREADS_FROM) or len(pieces) < 2 or _alone.get() or (cores := os.cpu_count() or 1) == 1:
        return [one(piece) for piece in pieces]
    from concurrent.futures import ThreadPoolExecutor

    with one_blas_thread(), ThreadPoolExecutor(cores) as pool:
        # Each in a copy of this thread's context, so that NumPy's error state holds there too.
        return list(pool.map(lambda context, piece: context.run(one, piece), [copy_context() for _ in pieces], pieces))


_replaced: int | None = None


def block_size(usual: int) -> int:
    """Return `usual`, or inside `all_sizes` the size given there."""
    return usual if _replaced is None else _replaced


@contextmanager
def all_sizes(size: int) -> Iterator[None]:
    """Replace every size of the library, on all threads, until the block ends.

    >>> with all_sizes(3):
    ...     block_size(1 << 20)
    3
    """
    global _replaced
    before, _replaced = _replaced, size
    try:
        yield
    finally:
        _replaced = before
