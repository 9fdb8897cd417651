"""Graphs that a kernel cannot tell apart: every renumbering tried, and two graphs that neighbourhoods cannot tell."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np

from kernlib import Graph, WeisfeilerLehman
from kernlib.explain import isomorphic as searched
from kernlib.explain.isomorphic import Indistinct, indistinct_graphs

#: Two graphs of 16 nodes of degree 6: the rook's moves on a 4 × 4 board, and Shrikhande's. Each two neighbours have two
#: common neighbours, and each two other nodes, too.
NODES = list(product(range(4), repeat=2))
ROOK = Graph([[float((a == c) != (b == d)) for c, d in NODES] for a, b in NODES])
STEPS = {(0, 1), (0, 3), (1, 0), (3, 0), (1, 1), (3, 3)}
SHRIKHANDE = Graph([[float(((a - c) % 4, (b - d) % 4) in STEPS) for c, d in NODES] for a, b in NODES])


def renumbered(graph: Graph, order) -> Graph:
    order = list(order)
    edges = None if graph.edge_labels is None else graph.edge_labels[np.ix_(order, order)]
    return Graph(graph.adjacency[np.ix_(order, order)], [graph.labels[i] for i in order], edges)


def decided(*graphs: Graph) -> Indistinct:
    """Compare all pairs: a kernel that is 0 on all graphs has them at distance 0."""
    return indistinct_graphs(np.zeros((len(graphs), len(graphs))), graphs)


def some_graph(rng, n: int) -> Graph:
    E = (rng.random((n, n)) < 0.5) * rng.integers(1, 3, (n, n)).astype(float)
    E = np.maximum(E, E.T) if rng.random() < 0.5 else E
    named = {(i, j): "xy"[rng.integers(2)] for i, j in np.argwhere(E > 0).tolist()} if rng.random() < 0.3 else None
    return Graph(E, rng.choice(["a", "b"], n).tolist(), named or None)


def test_a_renumbering_is_found_where_trying_all_finds_one():
    rng, found = np.random.default_rng(0), []
    for _ in range(150):
        n = int(rng.integers(1, 5))
        first, second = some_graph(rng, n), some_graph(rng, n)
        second = renumbered(first, rng.permutation(n)) if rng.random() < 0.4 else second
        expected = any(renumbered(first, order) == second for order in permutations(range(n)))
        assert decided(first, second) == (Indistinct((), 1, 0) if expected else Indistinct(((0, 1),), 0, 0))
        found.append(expected)
    assert 30 < sum(found) < 120


def test_edges_of_another_direction_are_another_graph():
    """All 64 directed graphs of three nodes are 16 graphs (OEIS A000273)."""
    places = [(i, j) for i in range(3) for j in range(3) if i != j]
    graphs = []
    for chosen in product((0.0, 1.0), repeat=6):
        E = np.zeros((3, 3))
        E[tuple(zip(*places, strict=True))] = chosen
        graphs.append(Graph(E))
    found = decided(*graphs)
    first: list[int] = []  # the first graph of each isomorphism class
    for i in range(64):
        if all((j, i) in found.different for j in first):
            first.append(i)
    assert len(first) == 16
    assert (found.same + len(found.different), found.undecided) == (64 * 63 // 2, 0)


def test_less_work_leaves_a_pair_undecided_and_changes_no_answer(monkeypatch):
    turned = renumbered(ROOK, np.random.default_rng(0).permutation(16))
    for other, answer in ((turned, Indistinct((), 1, 0)), (SHRIKHANDE, Indistinct(((0, 1),), 0, 0))):
        answers = []
        for work in (*range(0, 4000, 200), 1_000_000):
            monkeypatch.setattr(searched, "_WORK", work)
            answers.append(decided(ROOK, other))
        assert answers[0] == Indistinct((), 0, 1)
        assert answers[-1] == answer
        assert all(one in (answers[0], answer) for one in answers)


def test_graphs_that_neighbourhoods_cannot_tell_apart(monkeypatch):
    turned = renumbered(ROOK, np.random.default_rng(0).permutation(16))
    graphs = [ROOK, SHRIKHANDE, turned]
    found = indistinct_graphs(WeisfeilerLehman(level=3)(graphs), graphs)
    assert (found.different, found.same, found.undecided) == (((0, 1), (1, 2)), 1, 0)
    assert "2 pairs of different graphs have distance 0" in str(found)
    # Squared distances below 0 are not 0: an indefinite kernel says something else.
    nothing = indistinct_graphs(np.array([[1.0, 1.1], [1.1, 1.0]]), graphs[:2])
    assert (
        str(nothing) == "No two different graphs here have distance 0: on these rows the kernel tells them all apart."
    )
    monkeypatch.setattr(searched, "_WORK", 40)
    assert "takes too long for 1 pair at distance 0" in str(indistinct_graphs(np.ones((2, 2)), graphs[:2]))


def test_the_work_of_a_dense_graph_is_its_edges(monkeypatch):
    dense = np.ones((9, 9)) - np.eye(9)
    dense[0, 1] = dense[1, 0] = 0.0
    graphs = [Graph(dense), Graph(dense), renumbered(Graph(dense), range(8, -1, -1))]
    monkeypatch.setattr(searched, "_WORK", 30 * 9)  # enough for the nodes alone
    assert str(indistinct_graphs(np.ones((2, 2)), graphs[:2])) == (
        "No two different graphs here have distance 0: on these rows the kernel tells them all apart. "
        "1 pair at distance 0 is the same graph, numbered alike or differently."
    )
    found = indistinct_graphs(np.ones((3, 3)), graphs)
    assert (found.different, found.same, found.undecided) == ((), 1, 2)


def test_an_indefinite_kernel_at_distance_0_may_tell_graphs_apart():
    words = str(indistinct_graphs(np.ones((2, 2)), [ROOK, SHRIKHANDE], psd=False))
    assert "cannot tell" not in words
    assert "This kernel can be indefinite, so it may still tell them apart." in words
