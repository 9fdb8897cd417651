"""Rows of every domain: what hypothesis draws for the one contract that all kernels keep."""

from __future__ import annotations

from functools import cache

import numpy as np
from hypothesis import strategies as st

from kernlib import DegenerateError, DomainError, Graph, Kernel, Pairs

#: domain -> strategy of a list-like of at least two rows
ROWS: dict[str, st.SearchStrategy] = {}


def _numbers(shape_min: int = 2) -> st.SearchStrategy:
    return st.tuples(st.integers(shape_min, 9), st.integers(1, 4), st.integers(0, 2**32 - 1)).map(
        lambda t: np.random.default_rng(t[2]).normal(size=(t[0], t[1])).round(3)
    )


ROWS["vector"] = _numbers()
ROWS["positive"] = ROWS["vector"].map(lambda X: np.abs(X) + 0.1)
ROWS["image"] = st.tuples(st.integers(2, 9), st.integers(0, 2**32 - 1)).map(
    lambda t: np.random.default_rng(t[1]).normal(size=(t[0], 12)).round(3)
)
ROWS["categorical"] = st.tuples(st.integers(2, 9), st.integers(1, 4), st.integers(0, 2**32 - 1)).map(
    lambda t: np.array(["a", "b", "c", "é", ""], dtype=object)[
        np.random.default_rng(t[2]).integers(0, 5, size=(t[0], t[1]))
    ]
)
ROWS["mixed"] = st.tuples(st.integers(2, 8), st.integers(0, 2**32 - 1)).map(lambda t: _table(*t))
ROWS["sequence"] = st.lists(st.text(alphabet="ACGTé🧬", max_size=12), min_size=2, max_size=8)

#: Strings of one length, for the kernels that compare place by place.
ROWS["aligned"] = st.integers(0, 9).flatmap(
    lambda n: st.lists(st.text(alphabet="ACGTé🧬", min_size=n, max_size=n), min_size=2, max_size=8)
)


def _table(n: int, seed: int) -> np.ndarray:
    """Two numeric columns, a nominal one, and one of strings."""
    random = np.random.default_rng(seed)
    table = np.empty((n, 4), dtype=object)
    table[:, :2] = random.normal(size=(n, 2)).round(3)
    table[:, 2] = random.choice(["red", "blue", "é"], n)
    table[:, 3] = ["".join(random.choice(list("ACGT"), int(random.integers(0, 6)))) for _ in range(n)]
    return table


#: Kernels and steps that read no negative entries.
POSITIVE = ("LogRows", "ChiSquared", "Intersection")


@cache
def rows_for(kernel: Kernel) -> st.SearchStrategy:
    """Rows that `kernel` reads: those of its domain, unless it asks for a number of columns or for one length."""
    if kernel.reads == "sequence" and _asks_for_one_length(kernel):
        return ROWS["aligned"]
    if any(name in repr(kernel) for name in POSITIVE):
        return ROWS["positive"]
    if "PrecomputedDistances" in repr(kernel):
        return ROWS["distances"]
    return ROWS["image" if "LocalityImprovedImage" in repr(kernel) else kernel.reads]


@cache
def _asks_for_one_length(kernel: Kernel) -> bool:
    try:
        kernel.fold(["ACGTACGT", "ACGT", "CA"], y=[0, 1, 1])
    except DomainError:
        return True
    except DegenerateError:
        pass
    return False


def _graph(seed: int) -> Graph:
    """At most four nodes, so that ρ(E) ≤ 3 and the geometric series converges for every β in use."""
    random = np.random.default_rng(seed)
    n = int(random.integers(0, 5))
    E = np.triu(random.random((n, n)) < 0.6, 1).astype(float)
    E = E + E.T if random.random() < 0.8 else E
    edges = {(int(i), int(j)): "-="[int(random.integers(2))] for i, j in np.argwhere(E)}
    return Graph(E, random.choice(["C", "N", "#"], n), edges if random.random() < 0.5 else None)


def _series(n: int, channels: int, seed: int) -> list[np.ndarray]:
    """Series of one to seven times, some equal, some constant."""
    random = np.random.default_rng(seed)
    rows = [random.normal(size=(int(random.integers(1, 8)), channels)).round(2) for _ in range(n)]
    return rows if random.random() < 0.5 else [*rows, rows[0], np.ones((3, channels))]


def _symmetric(positive: bool) -> st.SearchStrategy:
    def made(t: tuple[int, int]) -> np.ndarray:
        A = np.random.default_rng(t[1]).normal(size=(t[0], t[0])).round(2)
        return np.maximum(A + A.T, 0.0) if positive else A + A.T

    return st.tuples(st.integers(2, 7), st.integers(0, 2**32 - 1)).map(made)


ROWS["graph"] = st.lists(st.integers(0, 2**32 - 1).map(_graph), min_size=2, max_size=6)
ROWS["series"] = st.tuples(st.integers(2, 6), st.integers(1, 2), st.integers(0, 2**32 - 1)).map(lambda t: _series(*t))
ROWS["node"] = _symmetric(positive=True)
ROWS["matrix"] = _symmetric(positive=False)
#: Those of points, their roots, and their squares, which break the triangle inequality.
ROWS["distances"] = st.tuples(ROWS["vector"], st.sampled_from([0.5, 1.0, 2.0])).map(
    lambda t: np.linalg.norm(t[0][:, None] - t[0], axis=2) ** t[1]
)


def _pairs(t: tuple[int, int, int]) -> Pairs:
    """A symmetric matrix serves as scores for one base kernel and as vectors for another."""
    n, m, seed = t
    random = np.random.default_rng(seed)
    A = random.normal(size=(n, n)).round(2)
    return Pairs(A + A.T, random.integers(0, n, size=(m, 2)))


ROWS["pair"] = st.tuples(st.integers(2, 5), st.integers(2, 7), st.integers(0, 2**32 - 1)).map(_pairs)
ROWS["text"] = st.lists(
    st.lists(st.sampled_from(["cat", "dog", "the", "Cat", "purrs", "é", "x"]), max_size=6).map(" ".join),
    min_size=2,
    max_size=8,
)
