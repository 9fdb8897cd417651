"""Sizes of blocks, and sizes from which another method is cheaper, which tests replace to reach both with few rows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

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
