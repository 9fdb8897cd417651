"""Kernels that count the small parts that two graphs share: nodes, edges, neighbourhoods, paths, graphlets."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..core.base import Kernel
from ..values.arrays import Array
from ..values.declare import one_of, whole
from ..values.domains import GENERIC, Graph
from .words import Words, add_products, count_squares

_MAX_LEVEL = 50


class Nodes(NamedTuple):
    """All nodes of several graphs, one graph after the other.

    `graph` (N,) of each node and `label` (N,) as a number; `tail` and `head` (E,), the ends of each directed edge.
    """

    graphs: Sequence[Graph]
    graph: Array
    label: Array
    tail: Array
    head: Array

    def edges(self) -> Array:
        """Return the label of each directed edge as a number, (E,)."""
        known: dict[Hashable, int] = {GENERIC: 0}
        codes = [np.zeros(0, dtype=np.int64)]
        for g in self.graphs:
            if g.edge_labels is None:
                codes.append(np.zeros(np.count_nonzero(g.adjacency), dtype=np.int64))
            else:
                labels = g.edge_labels[g.adjacency > 0]
                codes.append(np.array([known.setdefault(x, len(known)) for x in labels], dtype=np.int64))
        return np.concatenate(codes)


def nodes_of(graphs: Sequence[Graph]) -> Nodes:
    """Return the nodes and edges of several graphs as arrays; equal labels have equal numbers."""
    sizes = [g.n for g in graphs]
    starts = np.cumsum([0, *sizes])
    codes: dict[Hashable, int] = {}
    label = np.array([codes.setdefault(x, len(codes)) for g in graphs for x in g.labels], dtype=np.int64)
    ends = [np.nonzero(g.adjacency) for g in graphs]
    shift = np.repeat(starts[:-1], [len(one) for one, _ in ends])
    tail, head = (np.concatenate([np.zeros(0, dtype=np.int64), *side]) for side in zip(*ends, strict=True))
    return Nodes(graphs, np.repeat(np.arange(len(graphs)), sizes), label, tail + shift, head + shift)


class Counted(Kernel):
    """A kernel on graphs that is the inner product of counts of parts; a subclass implements `parts`."""

    domain = "graph"

    def parts(self, nodes: Nodes) -> Iterator[tuple[Array, Array]]:
        """Yield for each set of parts the graph of every part, and a number that is the same for equal parts."""
        raise NotImplementedError

    def _words(self, graphs: Sequence[Graph] | Array) -> Iterator[Words]:
        for graph, part in self.parts(nodes_of([*graphs])):
            size = 1 + int(part.max(initial=-1))
            if size > 4 * len(part):  # numbers with gaps
                values, part = np.unique(part, return_inverse=True)
                size = len(values)
            yield Words(part[np.argsort(graph, kind="stable")], np.bincount(graph, minlength=len(graphs)), size)

    def gram(self, X: Array, Y: Array | None) -> Array:
        K = np.zeros((len(X), len(X if Y is None else Y)))
        for both in self._words(X if Y is None else [*X, *Y]):
            x, y = both.split(len(X))
            add_products(K, x, None if Y is None else y)
        return K

    def gram_diag(self, X: Array) -> Array:
        return np.asarray(sum(map(count_squares, self._words(X)), np.zeros(len(X))))


@dataclass(frozen=True, repr=False)
class VertexHistogram(Counted):
    """Inner product of the counts of node labels; the baseline that every kernel on graphs should beat.

        k(G, G̃) = Σ_a #_a(G) #_a(G̃),  a over the labels of nodes

    Rows: graphs; edges are not read, and the value with a graph without nodes is 0. Raises DomainError where a row
    is not a Graph.

    Sugiyama and Borgwardt, "Halting in Random Walk Kernels", NIPS 2015, section 2.3.

    >>> VertexHistogram()([Graph([[0, 1], [1, 0]], labels="CO"), Graph([[0, 1], [1, 0]], labels="CC")])
    array([[2., 2.],
           [2., 4.]])
    """

    formula = r"\sum_a \#_a(G)\,\#_a(\tilde G)"
    source = "Sugiyama and Borgwardt 2015"
    cost = "O(v) for each graph of v nodes, then one matrix product"

    def parts(self, nodes: Nodes) -> Iterator[tuple[Array, Array]]:
        yield nodes.graph, nodes.label


@dataclass(frozen=True, repr=False)
class EdgeHistogram(Counted):
    """Inner product of the counts of edge labels.

        k(G, G̃) = Σ_a #_a(G) #_a(G̃),  a over the labels of edges

    Rows: graphs. An undirected edge counts in both directions, an edge without a label as '#'; nodes and weights
    are not read. The value with a graph without edges is 0. Raises DomainError where a row is not a Graph.

    Sugiyama and Borgwardt, "Halting in Random Walk Kernels", NIPS 2015, section 2.3.

    >>> EdgeHistogram()([Graph([[0, 1], [1, 0]], labels="CO")])
    array([[4.]])
    """

    formula = r"\sum_{a} \#_{a}(E)\,\#_{a}(\tilde E)"
    source = "Sugiyama and Borgwardt 2015"
    cost = "O(e) for each graph of e edges, then one matrix product"

    def parts(self, nodes: Nodes) -> Iterator[tuple[Array, Array]]:
        yield nodes.graph[nodes.tail], nodes.edges()


@dataclass(frozen=True, repr=False)
class ShortestPath(Counted):
    """Pairs of nodes with the same two labels at the same distance.

        k(G, G̃) = Σ_{i≠j} Σ_{i'≠j'} 1[labels of i, i' equal] 1[labels of j, j' equal] 1[d(i, j) = d̃(i', j') < ∞]

    d counts the edges of a shortest path; weights and labels of edges are not read, and pairs are ordered. The value
    with a graph of one node, or without edges, is 0. Raises DomainError where a row is not a Graph.

    Borgwardt and Kriegel, "Shortest-Path Kernels on Graphs", ICDM 2005.

    >>> edge, path = Graph([[0, 1], [1, 0]]), Graph([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    >>> ShortestPath()([edge, path])  # the path has 4 ordered pairs at distance 1 and 2 at distance 2
    array([[ 4.,  8.],
           [ 8., 20.]])
    """

    formula = r"\sum_{a,b,d} \#_{a,b,d}(G)\,\#_{a,b,d}(\tilde G)"
    source = "Borgwardt and Kriegel 2005"
    cost = "O(v·e) for each graph of v nodes and e edges, then one matrix product"

    def parts(self, nodes: Nodes) -> Iterator[tuple[Array, Array]]:
        yield _paths(nodes, *_distances(nodes))


#: Nodes of the graphs whose distances are computed by one call, which returns a matrix of all of them.
_NODES = 256


def _distances(nodes: Nodes) -> tuple[Array, Array, Array]:
    """Return i, j and d(i, j) of all ordered pairs i ≠ j at a finite distance in one graph."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import shortest_path

    starts = np.cumsum([0, *(g.n for g in nodes.graphs)])
    found, first = [], 0
    while first < len(nodes.graphs):
        last = max(first + 1, int(np.searchsorted(starts, starts[first] + _NODES, side="right")) - 1)
        begin, end = starts[first], starts[last]
        edges = slice(*np.searchsorted(nodes.tail, (begin, end)))
        # The search of paths of SciPy 1.13 reads 32-bit places alone.
        where = tuple((ends[edges] - begin).astype(np.int32) for ends in (nodes.tail, nodes.head))
        A = csr_array((np.ones(len(where[0])), where), shape=(end - begin,) * 2)
        D = shortest_path(A, method="D", unweighted=True)
        np.fill_diagonal(D, np.inf)
        i, j = np.nonzero(np.inf > D)
        found.append(np.stack([i + begin, j + begin, D[i, j].astype(np.int64)]))
        first = last
    i, j, d = np.concatenate([np.zeros((3, 0), dtype=np.int64), *found], axis=1)
    return i, j, d


def path_lengths(graph: Graph) -> tuple[Array, Array, Array]:
    """Return i, j and the number of edges of a shortest path from i to j, for all i ≠ j that a path connects."""
    return _distances(nodes_of([graph]))


def _paths(nodes: Nodes, i: Array, j: Array, d: Array) -> tuple[Array, Array]:
    labels, longest = 1 + int(nodes.label.max(initial=0)), 1 + int(d.max(initial=0))
    return nodes.graph[i], (nodes.label[i] * labels + nodes.label[j]) * longest + d


@dataclass(frozen=True, repr=False)
class Graphlets(Kernel):
    """Inner product of the counts of connected induced subgraphs of three or four nodes, by shape.

        k(G, G̃) = Σ_s #_s(G) #_s(G̃),  s over the connected graphs of `size` nodes

    Of three nodes there are 2 shapes: path and triangle. Of four there are 6: path, star, cycle, triangle with a tail,
    cycle with a diagonal, and all six edges. Labels and weights are not read, an edge counts without its direction,
    loops are left out. The value with a graph of fewer nodes is 0.

    Parameters: size, 3 or 4. Raises ParameterError otherwise, DomainError where a row is not a Graph.

    Shervashidze et al., "Efficient graphlet kernels for large graph comparison", AISTATS 2009.

    >>> triangle = Graph([[0, 1, 1], [1, 0, 1], [1, 1, 0]])
    >>> Graphlets(size=3)([triangle, Graph([[0, 1, 0], [1, 0, 1], [0, 1, 0]])])
    array([[1., 0.],
           [0., 1.]])
    """

    size: int = whole(3, "s", "nodes of a subgraph", 3, 4, minimum=3, maximum=4)

    domain = "graph"
    formula = r"\sum_s \#_s(G)\,\#_s(\tilde G)"
    source = "Shervashidze et al. 2009"
    cost = "O(v³) for each graph of v nodes, and O(v²·e) for four nodes"

    def factor_rows(self, X: Array) -> Array:
        return np.array([graphlet_counts(graph, self.size) for graph in X])


#: The connected shapes of three and of four nodes, in the order of `graphlet_counts`.
SHAPES = {
    3: ("path of 3 nodes", "triangle"),
    4: ("path of 4 nodes", "star", "cycle of 4 nodes", "triangle with a tail", "cycle with a diagonal", "all 6 edges"),
}


def graphlet_counts(graph: Graph, size: int) -> Array:
    """Return how often each shape of `SHAPES` occurs as an induced subgraph, from counts of all subgraphs.

    >>> graphlet_counts(Graph(np.ones((4, 4))), 4)
    array([0., 0., 0., 0., 0., 1.])
    """
    A = ((graph.adjacency + graph.adjacency.T) > 0).astype(np.float64)
    np.fill_diagonal(A, 0.0)
    degree, two = A.sum(axis=1), A @ A
    i, j = np.nonzero(np.triu(A))
    around = two[i, j]  # triangles at each edge
    triangles = around.sum() / 3.0
    if size == 3:
        return np.array([(degree * (degree - 1)).sum() / 2 - 3 * triangles, triangles])
    common = A[i] * A[j]
    full = ((common @ A) * common).sum() / 12.0
    crossed = (around * (around - 1)).sum() / 2 - 6 * full
    pairs = np.triu(two, 1)
    cycle = (pairs * (pairs - 1)).sum() / 4 - crossed - 3 * full
    tail = ((two * A).sum(axis=1) / 2 * (degree - 2)).sum() - 4 * crossed - 12 * full
    star = (degree * (degree - 1) * (degree - 2)).sum() / 6 - tail - 2 * crossed - 4 * full
    path = ((degree[i] - 1) * (degree[j] - 1)).sum() - 3 * triangles
    path -= 2 * tail + 4 * cycle + 6 * crossed + 12 * full
    return np.array([path, star, cycle, tail, crossed, full])


@dataclass(frozen=True, repr=False)
class WeisfeilerLehman(Counted):
    r"""Common neighbourhoods, one step wider from level to level.

        k(G, G̃) = Σ_{h=0…ℓ} k_base(G_h, G̃_h),  G_0 = G

    In G_h every node carries a new label for its label in G_{h−1} together with the sorted labels of its neighbours
    there: two nodes have equal labels where the trees that unfold from them to depth h are equal. The base "subtree"
    counts the labels of nodes, "edge" those of the two ends of each edge, "shortest-path" is `ShortestPath`. Level 0
    of "subtree" is `VertexHistogram`.

    Rows: graphs. Labels of edges and weights are not read, except labels of edges by the base "edge"; of a directed
    graph, the neighbours are those that edges lead to. A graph without nodes has the value 0 with all others.

    Parameters: level ℓ, an integer from 0 to 50; base. Raises ParameterError outside these, DomainError where a row
    is not a Graph.

    Shervashidze et al., "Weisfeiler–Lehman Graph Kernels", JMLR 2011, definition 4.

    >>> chain = Graph([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    >>> WeisfeilerLehman(level=1)([chain, Graph([[0, 1], [1, 0]])])  # at level 1 nodes with one or two neighbours
    array([[14., 10.],
           [10.,  8.]])
    """

    level: int = whole(
        3,
        r"\ell",
        "steps from a node that its neighbourhood reaches; 0: labels alone",
        0,
        8,
        minimum=0,
        maximum=_MAX_LEVEL,
    )
    base: str = one_of(
        "subtree", r"k_{\mathrm{base}}", "what is counted at each level", ("subtree", "edge", "shortest-path")
    )

    level_step = "neighbourhoods"
    formula = r"\sum_{h=0}^{\ell} k_{\mathrm{base}}(G_h,\tilde G_h)"
    source = "Shervashidze et al. 2011"
    cost = "O(ℓ·e) for each graph of e edges, then one matrix product"

    def parts(self, nodes: Nodes) -> Iterator[tuple[Array, Array]]:
        edges = nodes.edges() if self.base == "edge" else None
        paths = _distances(nodes) if self.base == "shortest-path" else None
        for level in neighbourhoods(nodes, self.level):
            if edges is not None:
                ends = level.label[level.tail] * (1 + int(level.label.max(initial=0))) + level.label[level.head]
                codes = np.unique(ends, return_inverse=True)[1] * (1 + int(edges.max(initial=0))) + edges
                yield level.graph[level.tail], codes
            elif paths is not None:
                yield _paths(level, *paths)
            else:
                yield level.graph, level.label

    def level_matrices(self, graphs: Sequence[Graph]) -> Iterator[Array]:
        """Yield the (n, n) matrices of levels 0 to `level`."""
        total = np.zeros((len(graphs), len(graphs)))
        for words in self._words(graphs):
            add_products(total, words, None)
            yield total.copy()


def neighbourhoods(nodes: Nodes, levels: int) -> Iterator[Nodes]:
    """Yield the nodes with their labels of levels 0 to `levels`: each for a label and the neighbours' sorted labels.

    >>> star = nodes_of([Graph([[0, 1, 1], [1, 0, 0], [1, 0, 0]])])
    >>> [level.label.tolist() for level in neighbourhoods(star, 1)]
    [[0, 0, 0], [1, 0, 0]]
    """
    yield nodes
    degree = np.bincount(nodes.tail, minlength=len(nodes.label))
    first = np.cumsum(degree) - degree
    turns = [first[degree > p] + p for p in range(int(degree.max(initial=0)))]
    for _ in range(levels):
        # Edges stand by node, and those of one node are sorted by the neighbour's label. A node's code has a digit for
        # each neighbour, 0 where there is none; codes that would leave 62 bits are numbered first.
        size = labels = 1 + int(nodes.label.max(initial=0))
        seen = np.sort(nodes.tail * labels + nodes.label[nodes.head]) - nodes.tail * labels
        code = nodes.label
        for now in turns:
            if size > 2**62 // (labels + 1):
                code = np.unique(code, return_inverse=True)[1]
                size = 1 + int(code.max())
            code = code * (labels + 1)
            code[nodes.tail[now]] += seen[now] + 1
            size *= labels + 1
        nodes = nodes._replace(label=np.unique(code, return_inverse=True)[1])
        yield nodes
