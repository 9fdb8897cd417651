"""Kernels on graphs, by the walks that two graphs share, and on the nodes of one graph."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator

import numpy as np

from ..kernels.graphs import LabelPairs, LabelSequences
from ..values.arrays import Array
from ..values.graph import GENERIC, Graph
from ..values.words import number
from .explanation import Explanation, Part, Scene, Total, explanation, leaf

#: Walks of two edges that are enumerated to name their labels.
_NAMED = 20_000
#: Walks up to this length have one part per length; longer walks are one part.
_LENGTHS = 40
#: Longest walks that the series of one graph lists.
_LONGEST = 5


def _label_matrix(graph: Graph) -> tuple[list[Hashable], Array]:
    """Return the distinct labels of the nodes, and L: labels (rows) against nodes (columns)."""
    names = list(dict.fromkeys(graph.labels))
    L = np.array([[float(label == name) for label in graph.labels] for name in names])
    return names, L.reshape(len(names), graph.n)


def _by_label_pair(names: list[Hashable], values: Array) -> dict[tuple[Hashable, Hashable], float]:
    return {(a, b): float(values[i, j]) for i, a in enumerate(names) for j, b in enumerate(names)}


def label_pair_sums(kernel: LabelPairs, graph: Graph, number: int) -> dict[tuple[Hashable, Hashable], float]:
    """Return the entries of Φ(G) by pairs of labels; errors name the graph by its number."""
    names, L = _label_matrix(graph)
    return _by_label_pair(names, kernel.walk_sums(graph, L, number))


def label_pair_walks(graph: Graph, longest: int) -> list[dict[tuple[Hashable, Hashable], float]]:
    """Return [L Eⁿ L']: for every length n the number of walks from one label to another ([D]).

    >>> ring = Graph(np.roll(np.eye(6), 1, axis=1) + np.roll(np.eye(6), -1, axis=1), labels="CCCNCC")
    >>> walks = label_pair_walks(ring, 2)
    >>> walks[1]["C", "C"], walks[2]["C", "C"], walks[2]["N", "N"]
    (8.0, 18.0, 2.0)
    """
    names, L = _label_matrix(graph)
    counts_by_length, reached = [], L
    for _ in range(longest + 1):
        counts_by_length.append(_by_label_pair(names, reached @ L.T))
        reached = reached @ graph.adjacency
    return counts_by_length


@explanation.register
def _label_pairs(kernel: LabelPairs, scene: Scene) -> Explanation:
    graphs: tuple[Graph, Graph] = (scene.x[0], scene.y[0])
    first, second = (label_pair_sums(kernel, graph, 0) for graph in graphs)
    parts = [
        Part(f"from {a} to {b}: {number(first[a, b])} × {number(second[a, b])}", first[a, b] * second[a, b])
        for a, b in first
        if (a, b) in second
    ]
    how = "One term per pair of labels: the weighted number of walks between them in each graph."
    inside = tuple(_series(kernel, graph, which) for graph, which in zip(graphs, ("first", "second"), strict=True))
    return leaf(kernel, scene, parts, how, inside)


def _weight(series: str, beta: float, n: int) -> float:
    return beta**n / math.factorial(n) if series == "exponential" else float(beta**n)


def _series(kernel: LabelPairs, graph: Graph, which: str) -> Total:
    """Return all walks of a graph by length, each length weighted as in the series."""
    parts = []
    for n, pairs in enumerate(label_pair_walks(graph, _LONGEST)):
        weight = _weight(kernel.series, kernel.beta, n)
        listed = ", ".join(f"{a}→{b} {number(v)}" for (a, b), v in sorted(pairs.items(), key=lambda p: -p[1])[:6] if v)
        count = sum(pairs.values())
        parts.append(Part(f"length {n} ({listed}): weight {number(weight)}", weight * count))
    title = f"walks of the {which} graph by length, up to {_LONGEST}"
    return Total(title, tuple(parts), math.fsum(p.value for p in parts))


def walks_by_labels(graph: Graph, length: int) -> dict[tuple[Hashable, ...], float] | None:
    """Return walks of 0, 1 or 2 edges by their labels (node, edge, node, …); None where there are too many.

    >>> walks_by_labels(Graph([[0, 1], [1, 0]], labels="CO"), 1)
    {('C', '#', 'O'): 1.0, ('O', '#', 'C'): 1.0}
    """
    E = graph.adjacency
    starts, ends = np.nonzero(E)
    if length == 2:
        out = np.count_nonzero(E, axis=1)
        if int(out[ends].sum()) > _NAMED:
            return None
    counts: defaultdict[tuple[Hashable, ...], float] = defaultdict(float)

    def edge(i: int, j: int) -> Hashable:
        label: Hashable = GENERIC if graph.edge_labels is None else graph.edge_labels[i, j]
        return label

    if length == 0:
        for label in graph.labels:
            counts[(label,)] += 1.0
        return dict(counts)
    for i, j in zip(starts.tolist(), ends.tolist(), strict=True):
        head: tuple[Hashable, ...] = (graph.labels[i], edge(i, j), graph.labels[j])
        if length == 1:
            counts[head] += float(E[i, j])
            continue
        for k in np.flatnonzero(E[j]).tolist():
            counts[(*head, edge(j, k), graph.labels[k])] += float(E[i, j] * E[j, k])
    return dict(counts)


@explanation.register
def _label_sequences(kernel: LabelSequences, scene: Scene) -> Explanation:
    graphs: tuple[Graph, Graph] = (scene.x[0], scene.y[0])
    value = scene.value(kernel)
    parts: list[Part] = []
    for n, total in enumerate(_common_walks(*graphs)):
        weight = _weight(kernel.series, kernel.beta, n)
        if weight * total <= 1e-16 * value or n > _LENGTHS:
            break
        named = [walks_by_labels(g, n) for g in graphs] if n <= 2 else [None, None]
        if named[0] is not None and named[1] is not None:
            parts += [
                Part(f"{_walk(labels)}: {number(named[0][labels])} × {number(named[1][labels])}",
                     weight * named[0][labels] * named[1][labels])
                for labels in named[0] if labels in named[1]
            ]  # fmt: skip
        else:
            parts.append(
                Part(f"walks of {n} edge{'' if n == 1 else 's'}, equal labels: {number(total)}", weight * total)
            )
    left = value - math.fsum(p.value for p in parts)
    if abs(left) > 1e-13 * value:
        parts.append(Part("longer walks", left))
    how = "One term for every sequence of labels along a walk: both graphs' counts, times the weight of its length."
    return leaf(kernel, scene, parts, how, value=value)


def _walk(labels: tuple[Hashable, ...]) -> str:
    """Return the labels of nodes and edges in one text, the generic edge as a dash."""
    shown = [str(label) for label in labels]
    shown[1::2] = ["–" if label == GENERIC else f"–{label}–" for label in labels[1::2]]
    return "".join(shown)


def _common_walks(a: Graph, b: Graph) -> Iterator[float]:
    """Return 1'E×ⁿ1 for n = 0, 1, …: walks with the same labels, one in each graph."""
    if not a.n or not b.n:
        return
    P = np.array([[float(u == v) for v in b.labels] for u in a.labels])
    same = P.copy()
    edges = [(_of(a, label), _of(b, label)) for label in _edge_labels(a) & _edge_labels(b)]
    while True:
        yield float(P.sum())
        following = np.zeros_like(P)
        for E, F in edges:
            following += E @ P @ F.T
        P = same * following


def product_size(a: Graph, b: Graph) -> int:
    """Return the number of nodes of the direct product, without forming it."""
    counts = Counter(b.labels)
    return sum(counts[label] for label in a.labels)


def direct_product(a: Graph, b: Graph) -> Graph:
    """Return the graph whose walks are pairs of walks with the same labels, one in each graph ([D]).

    Its nodes are pairs of nodes with one label, its edges pairs of edges with one label. Kernels never form it.

    >>> edge = Graph([[0, 1], [1, 0]], labels="CO")
    >>> direct_product(edge, edge)
    Graph(<2 nodes, 2 directed edges, labels C O>)
    """
    same = np.array([u == v for u in a.labels for v in b.labels], dtype=bool)
    E = np.zeros((len(same), len(same)))
    for label in _edge_labels(a) & _edge_labels(b):
        E += np.kron(_of(a, label), _of(b, label))
    return Graph(E[np.ix_(same, same)], labels=[u for u in a.labels for v in b.labels if u == v])


def _edge_labels(graph: Graph) -> set[Hashable]:
    if graph.edge_labels is None:
        return {GENERIC}
    return {graph.edge_labels[i, j] for i, j in np.argwhere(graph.adjacency > 0)}


def _of(graph: Graph, label: Hashable) -> Array:
    """Return the adjacency matrix of the edges that carry a label."""
    if graph.edge_labels is None:
        return graph.adjacency
    return np.where(np.array([[x == label for x in row] for row in graph.edge_labels]), graph.adjacency, 0.0)
