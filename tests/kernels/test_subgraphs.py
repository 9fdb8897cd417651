"""Kernels that count parts of graphs: another program's values, brute force, and labels that decide."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from kernlib import EdgeHistogram, Graph, Graphlets, ShortestPath, VertexHistogram, WeisfeilerLehman
from kernlib.kernels.subgraphs import SHAPES, graphlet_counts, neighbourhoods, nodes_of

_ORACLES = Path(__file__).parent.parent / "oracles"
ORACLE, WALKS = (json.loads((_ORACLES / f"grakel_{name}.json").read_text()) for name in ("parts", "walks"))


def read(n: int, labels: list, edges: list) -> Graph:
    E = np.zeros((n, n))
    E[tuple(np.transpose(edges))] = 1
    return Graph(E + E.T, labels)


GRAPHS = [read(**g) for g in WALKS["graphs"]]


def test_levels_one_by_one():
    for base in ("subtree", "edge", "shortest-path"):
        one_by_one = [*WeisfeilerLehman(level=3, base=base).level_matrices(GRAPHS)]
        for level, K in enumerate(one_by_one):
            np.testing.assert_array_equal(WeisfeilerLehman(level=level, base=base)(GRAPHS), K)


def drawn(seed: int, directed: bool = False) -> Graph:
    random = np.random.default_rng(seed)
    n = int(random.integers(0, 8))
    E = (random.random((n, n)) < random.uniform(0.1, 0.8)).astype(float)
    return Graph(E if directed else np.maximum(np.triu(E, 1), np.triu(E, 1).T), random.choice(["C", "N"], n))


@settings(max_examples=40, deadline=None)
@given(seeds=st.tuples(st.integers(0, 10**6), st.integers(0, 10**6)), directed=st.booleans())
def test_neighbourhoods_by_nested_labels(seeds, directed):
    def unfolded(graph: Graph, level: int) -> Counter:
        labels, total = list(graph.labels), Counter(graph.labels)
        for _ in range(level):
            near = [sorted((labels[j] for j in np.flatnonzero(row)), key=repr) for row in graph.adjacency]
            labels = [(own, *of) for own, of in zip(labels, near, strict=True)]
            total += Counter(labels)
        return total

    graphs = [drawn(seed, directed) for seed in seeds]
    for level in (0, 1, 2, 3):
        a, b = (unfolded(g, level) for g in graphs)
        expected = [[sum(c * q[t] for t, c in p.items()) for q in (a, b)] for p in (a, b)]
        np.testing.assert_array_equal(WeisfeilerLehman(level=level)(graphs), expected)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), size=st.sampled_from([3, 4]))
def test_graphlets_by_enumeration(seed, size):
    """Every choice of nodes; a shape is known from its sorted degrees."""
    degrees = {
        "path of 3 nodes": (1, 1, 2), "triangle": (2, 2, 2), "path of 4 nodes": (1, 1, 2, 2), "star": (1, 1, 1, 3),
        "cycle of 4 nodes": (2, 2, 2, 2), "triangle with a tail": (1, 2, 2, 3), "cycle with a diagonal": (2, 2, 3, 3),
        "all 6 edges": (3, 3, 3, 3),
    }  # fmt: skip
    graph = drawn(seed)
    A = graph.adjacency
    found = Counter(
        tuple(sorted(A[np.ix_(s, s)].sum(axis=0).astype(int).tolist()))
        for s in itertools.combinations(range(graph.n), size)
    )
    expected = [found[degrees[name]] for name in SHAPES[size]]
    np.testing.assert_array_equal(graphlet_counts(graph, size), expected)
    assert Graphlets(size=size).diag([graph])[0] == sum(c * c for c in expected)


def test_what_is_read():
    """Edge labels by the edge kernels alone, weights by none, and loops are no graphlets."""
    plain, named = Graph([[0, 1], [1, 0]]), Graph([[0, 5], [5, 0]], edge_labels={(0, 1): "="})
    for kernel in (WeisfeilerLehman(), ShortestPath(), VertexHistogram()):
        assert kernel([plain, named])[0, 1] == kernel([plain])[0, 0]
    assert EdgeHistogram()([plain, named]).tolist() == [[4.0, 0.0], [0.0, 4.0]]
    assert WeisfeilerLehman(level=0, base="edge")([plain, named])[0, 1] == 0.0
    assert Graphlets()([Graph(np.ones((3, 3)))])[0, 0] == 1.0


def test_paths_of_many_graphs_at_once():
    """More nodes than one call takes, graphs of every size among them."""
    graphs = [drawn(seed) for seed in range(150)]
    one_by_one = [[ShortestPath()([a], [b])[0, 0] for b in graphs[:5]] for a in graphs]
    np.testing.assert_array_equal(ShortestPath()(graphs)[:, :5], one_by_one)


def test_neighbourhoods_of_many_neighbours_are_told_apart():
    """Codes of 40 neighbours leave 64 bits: a centre has another label if, and only if, one of its leaves has."""

    def star(leaves: list[int]) -> Graph:
        A = np.zeros((len(leaves) + 1,) * 2)
        A[0, 1:] = A[1:, 0] = 1
        return Graph(A, labels=[0, *leaves])

    leaves = list(range(1, 41))
    graphs = [star(leaves), star(leaves[::-1]), star([*leaves[:-1], 1]), star(leaves[:-1]), star([2, *leaves[1:]])]
    for level in (1, 2, 3):
        *_, nodes = neighbourhoods(nodes_of(graphs), level)
        centres = nodes.label[[0, 41, 82, 123, 163]]
        assert centres[0] == centres[1]
        assert len({*centres[1:].tolist()}) == 4
