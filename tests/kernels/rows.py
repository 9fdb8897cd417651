"""Rows of every domain: what hypothesis draws for the one contract that all kernels keep."""

from __future__ import annotations

from functools import cache

import numpy as np
from hypothesis import strategies as st

from kernlib import DegenerateError, DomainError, Graph, Kernel, Pairs

#: domain -> strategy of a list-like of at least two rows
ROWS: dict[str, st.SearchStrategy] = {}
RANDOM = st.integers(0, 2**32 - 1).map(np.random.default_rng)
CATEGORIES = np.array(["a", "b", "c", "é", ""], dtype=object)


def _table(n: int, random: np.random.Generator) -> np.ndarray:
    """Two numeric columns, a nominal one, and one of strings."""
    table = np.empty((n, 4), dtype=object)
    table[:, :2] = random.normal(size=(n, 2)).round(3)
    table[:, 2] = random.choice(["red", "blue", "é"], n)
    table[:, 3] = ["".join(random.choice(list("ACGT"), int(random.integers(0, 6)))) for _ in range(n)]
    return table


ROWS["vector"] = st.builds(
    lambda n, d, random: random.normal(size=(n, d)).round(3), st.integers(2, 9), st.integers(1, 4), RANDOM
)
ROWS["positive"] = ROWS["vector"].map(lambda X: np.abs(X) + 0.1)
ROWS["image"] = st.builds(lambda n, random: random.normal(size=(n, 12)).round(3), st.integers(2, 9), RANDOM)
ROWS["categorical"] = st.builds(
    lambda n, d, random: CATEGORIES[random.integers(0, 5, size=(n, d))], st.integers(2, 9), st.integers(1, 4), RANDOM
)
ROWS["mixed"] = st.builds(_table, st.integers(2, 8), RANDOM)
ROWS["sequence"] = st.lists(st.text(alphabet="ACGTé🧬", max_size=12), min_size=2, max_size=8)

#: Strings of one length, for the kernels that compare place by place.
ROWS["aligned"] = st.integers(0, 9).flatmap(
    lambda n: st.lists(st.text(alphabet="ACGTé🧬", min_size=n, max_size=n), min_size=2, max_size=8)
)


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


def _graph(random: np.random.Generator) -> Graph:
    """At most four nodes, so that ρ(E) ≤ 3 and the geometric series converges for every β in use."""
    n = int(random.integers(0, 5))
    E = np.triu(random.random((n, n)) < 0.6, 1).astype(float)
    E = E + E.T if random.random() < 0.8 else E
    edges = {(int(i), int(j)): "-="[int(random.integers(2))] for i, j in np.argwhere(E)}
    return Graph(E, random.choice(["C", "N", "#"], n), edges if random.random() < 0.5 else None)


def _series(n: int, channels: int, random: np.random.Generator) -> list[np.ndarray]:
    """Series of one to seven times, some equal, some constant."""
    rows = [random.normal(size=(int(random.integers(1, 8)), channels)).round(2) for _ in range(n)]
    return rows if random.random() < 0.5 else [*rows, rows[0], np.ones((3, channels))]


def _symmetric(n: int, random: np.random.Generator) -> np.ndarray:
    A = random.normal(size=(n, n)).round(2)
    return A + A.T


ROWS["graph"] = st.lists(RANDOM.map(_graph), min_size=2, max_size=6)
ROWS["series"] = st.builds(_series, st.integers(2, 6), st.integers(1, 2), RANDOM)
ROWS["matrix"] = st.builds(_symmetric, st.integers(2, 7), RANDOM)
ROWS["node"] = ROWS["matrix"].map(lambda A: np.maximum(A, 0.0))
#: Those of points, their roots, and their squares, which break the triangle inequality.
ROWS["distances"] = st.tuples(ROWS["vector"], st.sampled_from([0.5, 1.0, 2.0])).map(
    lambda t: np.linalg.norm(t[0][:, None] - t[0], axis=2) ** t[1]
)


def _pairs(n: int, m: int, random: np.random.Generator) -> Pairs:
    """A symmetric matrix serves as scores for one base kernel and as vectors for another."""
    return Pairs(_symmetric(n, random), random.integers(0, n, size=(m, 2)))


ROWS["pair"] = st.builds(_pairs, st.integers(2, 5), st.integers(2, 7), RANDOM)
ROWS["text"] = st.lists(
    st.lists(st.sampled_from(["cat", "dog", "the", "Cat", "purrs", "é", "x"]), max_size=6).map(" ".join),
    min_size=2,
    max_size=8,
)
