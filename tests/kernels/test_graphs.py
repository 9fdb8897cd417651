"""Kernels on graphs and on nodes: the worked example of [D], walks one by one, brute force, matrix functions."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.linalg import expm

from kernlib import (
    CommuteTime,
    Diffusion,
    DomainError,
    EdgeHistogram,
    Graph,
    Graphlets,
    KernlibError,
    LabelPairs,
    LabelSequences,
    RandomWalkSteps,
    RegularisedLaplacian,
    ShortestPath,
    VertexHistogram,
    WeisfeilerLehman,
)
from kernlib.advice.find import candidates
from kernlib.data import Dataset, load_dataset
from kernlib.errors import ParameterError
from kernlib.experiments.decisions import presets_for, starting
from kernlib.kernels import graphs
from kernlib.kernels.subgraphs import SHAPES, graphlet_counts, neighbourhoods, nodes_of

from .rows import ROWS
from .test_oracles import GRAPHS

# -- graphs ------------------------------------------------------------------------------------


# [D], Matrix Example: a ring of six nodes, one of them labelled differently.
RING = Graph(np.roll(np.eye(6), 1, axis=1) + np.roll(np.eye(6), -1, axis=1), labels="CCCNCC")
EDGE = Graph([[0, 1], [1, 0]])
ARROW = Graph([[0, 1], [0, 0]])


class TestGraph:
    def test_equal_by_content_from_whatever_it_is_made(self):
        g = Graph([[0, 1], [1, 0]], ["C", "O"], {(0, 1): "="})
        same = Graph(sp.csr_array(g.adjacency), np.array(["C", "O"]), np.array([["", "="], ["=", ""]]))
        assert g == same
        assert hash(g) == hash(same)
        assert g.edge_labels[1, 0] == "="
        assert g != Graph([[0, 1], [1, 0]], ["C", "O"])
        assert g != Graph([[0, 1], [1, 0]], ["O", "C"], {(0, 1): "="})
        assert g != "g"
        assert Graph([[0]], [np.int64(3)]) == Graph([[0]], [3])

    def test_empty(self):
        assert Graph([]).n == Graph(np.zeros((0, 0))).n == 0
        assert Graph(np.zeros((2, 2))).labels == ("#", "#")
        assert repr(Graph([])) == "Graph(<0 nodes, 0 directed edges>)"

    def test_immutable(self):
        A = np.array([[0.0, 1.0], [1.0, 0.0]])
        g = Graph(A)
        A[0, 1] = 5.0
        assert g.adjacency[0, 1] == 1.0
        with pytest.raises(ValueError, match="read-only"):
            g.adjacency[0, 1] = 2.0
        with pytest.raises(AttributeError):
            g.labels = None

    def test_networkx(self):
        networkx = pytest.importorskip("networkx")
        given = networkx.path_graph(["x", "y", "z"])
        given.nodes["y"]["label"] = "C"
        given.edges["y", "z"]["label"] = "="
        assert Graph(given) == Graph([[0, 1, 0], [1, 0, 1], [0, 1, 0]], "#C#", {(1, 2): "="})
        assert Graph(networkx.DiGraph([(0, 1)])) == ARROW
        assert Graph(networkx.Graph()).n == 0
        with pytest.raises(DomainError, match="several edges may join two nodes"):
            Graph(networkx.MultiGraph([(0, 1), (1, 0)]))


class TestWalks:
    def test_the_published_example(self):
        """L E L' and L E² L' of [D], read off the kernel's own series at small β."""
        L = np.array([[1, 1, 1, 0, 1, 1], [0, 0, 0, 1, 0, 0]], dtype=float)
        powers = [L @ np.linalg.matrix_power(RING.adjacency, n) @ L.T for n in range(3)]
        assert_array_equal(powers[1], [[8, 2], [2, 0]])
        assert_array_equal(powers[2], [[18, 2], [2, 2]])
        for series, second in (("geometric", 1.0), ("exponential", 0.5)):
            kernel = LabelPairs(beta=1e-4, series=series)
            values = kernel.walk_sums(RING, L, 0)
            expected = powers[0] + 1e-4 * powers[1] + second * 1e-8 * powers[2]
            assert_allclose(values, expected, rtol=0, atol=1e-10)
            assert_allclose(kernel([RING]), (values**2).sum())

    @settings(max_examples=25)
    @given(ROWS["graph"], st.floats(0.01, 0.11), st.sampled_from(["geometric", "exponential"]))
    def test_every_way_of_summing_gives_the_same(self, rows, beta, series):
        """Conjugate gradients and term by term give what the matrix of the product graph gives."""
        K = LabelSequences(beta=beta, series=series)(rows)
        side = graphs.Side(rows)
        for i, a in enumerate(rows):
            for j, b in enumerate(rows):
                if not a.n or not b.n:
                    assert K[i, j] == 0.0
                    continue
                left, right = side.block(np.array([i])), side.block(np.array([j]))
                product = graphs.Product(left, right, beta)
                E = beta * product_graph(a, b)
                walks = np.linalg.inv(np.eye(len(E)) - E) if series == "geometric" else expm(E)
                bound = beta * left.radius * right.radius
                found = [graphs.series_sums(product, bound, series == "exponential"), [walks.sum()]]
                if a.undirected and b.undirected and series == "geometric":
                    found.append(graphs.conjugate_gradients(product))
                for values in found:
                    assert_allclose(values[0], K[i, j], rtol=1e-11)

    def test_large_and_dense_graphs_take_the_other_operators(self):
        random = np.random.default_rng(0)
        n = 150
        ring = np.roll(np.eye(n), 1, axis=1) + np.roll(np.eye(n), -1, axis=1)
        dense = np.triu(random.random((70, 70)) < 0.5, 1).astype(float)
        rows = [Graph(ring, random.choice(["a", "b"], n)), Graph(dense + dense.T), EDGE, Graph([])]
        for kernel in (LabelSequences(beta=1e-4), LabelSequences(beta=1e-3, series="exponential")):
            K = kernel(rows)
            assert_allclose(kernel(rows, rows), K, rtol=1e-12)
            assert_allclose(kernel.diag(rows), np.diag(K), rtol=1e-12)
        # A ring without labels: every walk goes on in two ways in each graph.
        unlabelled = Graph(ring)
        assert_allclose(LabelSequences(beta=0.2)([unlabelled]), [[n * n / (1 - 0.2 * 4)]], rtol=1e-12)


def product_graph(a: Graph, b: Graph) -> np.ndarray:
    """The adjacency matrix of the direct product graph, over the pairs of nodes of one label."""
    nodes = [(i, k) for i, k in itertools.product(range(a.n), range(b.n)) if a.labels[i] == b.labels[k]]
    E = np.zeros((len(nodes), len(nodes)))
    labels = [np.full((g.n, g.n), "#") if g.edge_labels is None else g.edge_labels for g in (a, b)]
    for (p, (i, k)), (q, (j, l)) in itertools.product(enumerate(nodes), repeat=2):
        same = a.adjacency[i, j] and b.adjacency[k, l] and labels[0][i, j] == labels[1][k, l]
        E[p, q] = a.adjacency[i, j] * b.adjacency[k, l] if same else 0.0
    return E


class TestBound:
    """The geometric series is refused beyond the bound of the two radii, and has a limit below it."""

    @given(ROWS["graph"], st.floats(0.1, 1.5))
    def test_beyond_the_bound_of_the_radii(self, rows, beta):
        radii = [np.abs(np.linalg.eigvals(g.adjacency)).max() for g in rows if g.n]
        largest = max(radii, default=0.0) ** 2 * beta
        if abs(largest - 0.999) < 1e-6:
            return
        if largest < 0.999:
            K = LabelSequences(beta=beta)(rows)
            assert (K >= 0).all()
            assert np.isfinite(K).all()
        else:
            with pytest.raises(KernlibError, match=r"for sure only for beta < 1/\(ρ\(E\)ρ\(Ẽ\)\)"):
                LabelSequences(beta=beta)(rows)

    @given(st.lists(st.integers(2, 9), min_size=2, max_size=5))
    def test_the_beta_that_a_refusal_names_is_accepted(self, sizes):
        rows = [Graph(np.ones((n, n)) - np.eye(n)) for n in sizes]
        for sides in ((rows,), (rows, rows[::-1])):
            with pytest.raises(ParameterError, match="for sure only") as refused:
                LabelSequences(beta=1.5)(*sides)
            named = float(str(refused.value).split("expected beta <= ")[1].split(",")[0])
            assert np.isfinite(LabelSequences(beta=named)(*sides)).all()

    def test_near_the_bound(self):
        K4 = Graph(np.ones((4, 4)) - np.eye(4))
        assert_allclose(LabelSequences(beta=0.998 / 9)([K4]), [[16 / 0.002]], rtol=1e-9)

    def test_large_graphs_are_bounded_by_their_sums(self):
        n = 1600
        path = np.diag(np.ones(n - 1), 1)
        for E, radius in ((path, 1.0), (path + path.T, 2.0), (np.zeros((n, n)), 0.0)):
            assert graphs.spectral_radius(E) == radius
        walks = sum(0.5**k * 2 * (n - k) for k in range(60))
        assert_allclose(LabelSequences(beta=0.5)([Graph(path), EDGE])[0, 1], walks)

    def test_a_directed_graph_without_cycles_has_no_bound(self):
        assert_allclose(LabelSequences(beta=5.0)([ARROW]), [[4 + 5.0]])
        assert_allclose(LabelPairs(beta=5.0, series="geometric")([ARROW]), [[(2 + 5.0) ** 2]])


def test_suggested_kernels_converge_whatever_the_graphs():
    """Of random graphs of mean degree 4 the default β raised, and so did 15 of 36 settings of the advice."""
    random = np.random.default_rng(0)

    def drawn(n: int, degree: float) -> Graph:
        A = np.triu(random.random((n, n)) < degree / (n - 1), 1).astype(float)
        return Graph(A + A.T, random.choice(["C", "N"], n))

    for degree in (1.0, 4.0, 12.0):
        graphs = [drawn(30, degree) for _ in range(12)]
        unlabelled = [Graph(g.adjacency) for g in graphs]  # ρ(E×) reaches the bound
        data = Dataset("drawn", "Drawn", "graph", graphs, random.permutation(12) % 2, classes=("a", "b"))
        kernels = [preset.kernel for preset in presets_for(data)] + [one.kernel for one in candidates(data)]
        kernels += [starting(cls, data) for cls in (LabelSequences, LabelPairs)]
        for kernel in dict.fromkeys(kernels):
            assert np.isfinite(kernel(graphs)).all(), kernel
        p = LabelSequences.parameters()[0].around(LabelSequences().heuristics(graphs)["beta"])
        assert np.isfinite(LabelSequences(beta=p.high)(unlabelled)).all()
    with pytest.raises(ParameterError, match="converges for sure only for"):
        LabelSequences(beta=0.1)(unlabelled)
    assert LabelSequences().heuristics([Graph([[0]])]) == {}


# -- subgraphs ---------------------------------------------------------------------------------


def test_levels_one_by_one():
    for base in ("subtree", "edge", "shortest-path"):
        one_by_one = [*WeisfeilerLehman(level=3, base=base).level_matrices(GRAPHS)]
        for level, K in enumerate(one_by_one):
            assert_array_equal(WeisfeilerLehman(level=level, base=base)(GRAPHS), K)


def drawn(seed: int, directed: bool = False) -> Graph:
    random = np.random.default_rng(seed)
    n = int(random.integers(0, 8))
    E = (random.random((n, n)) < random.uniform(0.1, 0.8)).astype(float)
    return Graph(E if directed else np.maximum(np.triu(E, 1), np.triu(E, 1).T), random.choice(["C", "N"], n))


@given(seed=st.integers(0, 10**6), size=st.sampled_from([3, 4]))
def test_graphlets_by_enumeration(seed, size):
    """Every choice of nodes; a shape is known from its sorted degrees."""
    degrees = {
        "path of 3 nodes": (1, 1, 2),
        "triangle": (2, 2, 2),
        "path of 4 nodes": (1, 1, 2, 2),
        "star": (1, 1, 1, 3),
        "cycle of 4 nodes": (2, 2, 2, 2),
        "triangle with a tail": (1, 2, 2, 3),
        "cycle with a diagonal": (2, 2, 3, 3),
        "all 6 edges": (3, 3, 3, 3),
    }
    graph = drawn(seed)
    A = graph.adjacency
    found = Counter(
        tuple(sorted(A[np.ix_(s, s)].sum(axis=0).astype(int).tolist()))
        for s in itertools.combinations(range(graph.n), size)
    )
    expected = [found[degrees[name]] for name in SHAPES[size]]
    assert_array_equal(graphlet_counts(graph, size), expected)
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
    assert_array_equal(ShortestPath()(graphs)[:, :5], one_by_one)


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


# -- nodes -------------------------------------------------------------------------------------


A = np.array(load_dataset("karate").rows, dtype=float)


def test_a_graph_in_parts_and_nodes_without_edges():
    parts = np.array([[0.0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]])
    assert CommuteTime()(parts)[2].tolist() == [0, 0, 0, 0]
    for kernel in (RegularisedLaplacian(), RandomWalkSteps(), Diffusion(), CommuteTime()):
        K = kernel(parts)
        assert np.isfinite(K).all()
        assert_allclose(K[:2, 2:], 0.0, atol=1e-12)
        assert_allclose(kernel.diag(parts), np.diag(K))
        assert np.isfinite(kernel([[0.0]])).all()


def test_heat_in_units_of_the_graph():
    """Weights a hundred times as large need a hundredth of the time."""
    suited = Diffusion().heuristics(A)["beta"]
    assert Diffusion().heuristics(100 * A)["beta"] == pytest.approx(suited / 100)
    assert_allclose(Diffusion(beta=suited / 100)(100 * A), Diffusion(beta=suited)(A), atol=1e-9)
    assert Diffusion().heuristics(np.zeros((3, 3))) == {}
