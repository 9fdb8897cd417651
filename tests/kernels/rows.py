"""Rows of every domain: what hypothesis draws for the one contract that all kernels keep."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from kernlib import Kernel

#: domain -> strategy of a list-like of at least two rows
ROWS: dict[str, st.SearchStrategy] = {}


def _numbers(shape_min: int = 2) -> st.SearchStrategy:
    return st.tuples(st.integers(shape_min, 9), st.integers(1, 4), st.integers(0, 2**32 - 1)).map(
        lambda t: np.random.default_rng(t[2]).normal(size=(t[0], t[1])).round(3)
    )


ROWS["vector"] = _numbers()
ROWS["image"] = st.tuples(st.integers(2, 9), st.integers(0, 2**32 - 1)).map(
    lambda t: np.random.default_rng(t[1]).normal(size=(t[0], 12)).round(3)
)
ROWS["categorical"] = st.tuples(st.integers(2, 9), st.integers(1, 4), st.integers(0, 2**32 - 1)).map(
    lambda t: np.array(["a", "b", "c", "é", ""], dtype=object)[
        np.random.default_rng(t[2]).integers(0, 5, size=(t[0], t[1]))
    ]
)
ROWS["sequence"] = st.lists(st.text(alphabet="ACGTé", max_size=12), min_size=2, max_size=8)


def rows_for(kernel: Kernel) -> st.SearchStrategy:
    """Rows that `kernel` reads: those of its domain, unless it asks for a number of columns."""
    return ROWS["image" if "LocalityImprovedImage" in repr(kernel) else kernel.reads]
