"""Explanations of kernels on graphs, on the nodes of one graph, on given matrices, and on pairs."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator
from typing import Any

import numpy as np

from ..kernels.graphs import LabelSequences
from ..kernels.matrices import Precomputed, PrecomputedDistances
from ..kernels.nodes import Diffusion, OfLaplacian
from ..kernels.pairs import MetricPairs, TensorPairs, pair_numbers
from ..numerics.sizes import block_size
from ..values.arrays import Array
from ..values.graph import GENERIC, Graph
from ..values.words import number
from .explanation import Explanation, Part, Scene, explanation, leaf, parts_of

#: Walks of two edges that are enumerated to name their labels.
_NAMED = 20_000
#: Walks up to this length have one part per length; longer walks are one part.
_LENGTHS = 40
#: Most multiplications for walks; with more, heat is explained by eigenvectors.
_WORK = 5_000_000_000


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
        weight = kernel.beta**n / (math.factorial(n) if kernel.series == "exponential" else 1)
        if weight * total <= 1e-16 * value or n > _LENGTHS:
            break
        first, second = (walks_by_labels(graph, n) if n <= 2 else None for graph in graphs)
        if first is None or second is None:
            length = "1 edge" if n == 1 else f"{n} edges"
            parts.append(Part(f"walks of {length}, equal labels: {number(total)}", weight * total))
            continue
        for labels in (walk for walk in first if walk in second):
            counts = f"{number(first[labels])} × {number(second[labels])}"
            parts.append(Part(f"{_walk(labels)}: {counts}", weight * first[labels] * second[labels]))
    left = value - math.fsum(part.value for part in parts)
    if abs(left) > 1e-13 * value:
        parts.append(Part("longer walks", left))
    how = "One term for every sequence of labels along a walk: both graphs' counts, times the weight of its length."
    return leaf(kernel, scene, parts, how)


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


# -- nodes, matrices, pairs -----------------------------------------------------------------------


def lazy_walks(A: Array, beta: float, start: int, stop: int) -> Array:
    """Return exp(−βL) from one node to another by the number of steps, (m,).

    With c the largest degree, exp(−βL) = Σ_m e^{−βc} (βc)^m / m! (I − L/c)^m: a walk that moves along an edge of
    weight w with probability w/c and else stays, after a Poisson number of steps. All terms are ≥ 0.

    >>> lazy_walks(np.array([[0.0, 1.0], [1.0, 0.0]]), 0.5, 0, 1)[:2].round(4)
    array([0.    , 0.3033])
    """
    from scipy.sparse import csr_array

    W = np.array(A, dtype=np.float64)
    np.fill_diagonal(W, 0.0)
    degree = W.sum(axis=1)
    c = _fastest(W)
    stay = W / c
    stay[np.diag_indices_from(stay)] = 1.0 - degree / c
    step: Any = csr_array(stay) if np.count_nonzero(stay) < 0.1 * stay.size else stay
    mean = beta * c
    where = np.zeros(len(W))
    where[start] = 1.0
    values = np.empty(_walk_steps(mean) + 1)
    for m in range(len(values)):
        values[m] = math.exp(m * math.log(mean) - mean - math.lgamma(m + 1.0)) * where[stop]
        where = step @ where  # symmetric, so that columns are rows
    return values


def _fastest(W: Array) -> float:
    """Return the largest degree, 1 where there is no edge."""
    off = W.sum(axis=1) - np.diagonal(W)
    return float(off.max(initial=0.0)) or 1.0


def _walk_steps(mean: float) -> int:
    """Return the number of steps above which a Poisson probability with this mean is 0 in double precision."""
    return int(mean + 12.0 * math.sqrt(mean) + 30.0)


@explanation.register
def _diffusion(kernel: Diffusion, scene: Scene) -> Explanation:
    A = np.asarray(scene.whole, dtype=np.float64)
    if _walk_steps(kernel.beta * _fastest(A)) * A.size > block_size(_WORK):
        return _of_laplacian(kernel, scene)
    values = lazy_walks(A, kernel.beta, scene.i, scene.j)
    parts = parts_of(values, lambda m: f"walks of {m} step{'' if m == 1 else 's'}")
    how = "The probability that a random walk of so many steps leads from one node to the other, times its weight."
    return leaf(kernel, scene, _with_rounding(parts, scene.value(kernel), 1.0), how)


@explanation.register
def _of_laplacian(kernel: OfLaplacian, scene: Scene) -> Explanation:
    """Return the explanation as Σ_m r(s_m) u_im u_jm."""
    s, U = kernel.eigenvalues(np.asarray(scene.whole, dtype=np.float64))
    response = kernel.response(s)
    parts = parts_of(
        response * U[scene.i] * U[scene.j], lambda m: f"direction {m + 1} of the graph, s = {number(s[m])}"
    )
    how = "One term for every eigenvector of the Laplacian: slow ones (small s) are shared by whole neighbourhoods."
    return leaf(kernel, scene, _with_rounding(parts, scene.value(kernel), float(response.max())), how)


def _with_rounding(parts: list[Part], value: float, scale: float) -> list[Part]:
    """Return the parts, and the difference from the value where it is rounding of a decomposition of this scale."""
    left = value - math.fsum(part.value for part in parts)
    return [*parts, Part("rounding", left)] if 0.0 < abs(left) <= 1e-12 * scale else parts


@explanation.register
def _precomputed(kernel: Precomputed, scene: Scene) -> list[tuple[str, float]]:
    return [(f"entry ({scene.i}, {scene.j}) of the matrix", scene.value(kernel))]


@explanation.register
def _precomputed_distances(kernel: PrecomputedDistances, scene: Scene) -> list[tuple[str, float]]:
    distance = float(np.asarray(scene.whole, dtype=np.float64)[scene.i, scene.j])
    return [(f"−½ of the squared distance {number(distance)}", scene.value(kernel))]


@explanation.register
def _tensor(kernel: TensorPairs, scene: Scene) -> Explanation:
    B = _between_members(kernel, scene) + kernel.shift
    parts = [
        (f"straight: {number(B[0, 0])} × {number(B[1, 1])}", float(B[0, 0] * B[1, 1])),
        (f"crosswise: {number(B[0, 1])} × {number(B[1, 0])}", float(B[0, 1] * B[1, 0])),
    ]
    how = "The base kernel between the pairs' members: first with first times second with second, and crosswise."
    return leaf(kernel, scene, parts, how)


@explanation.register
def _metric(kernel: MetricPairs, scene: Scene) -> Explanation:
    B = _between_members(kernel, scene)
    difference = float(B[0, 0] + B[1, 1] - (B[0, 1] + B[1, 0]))
    terms = (
        ("first with first", B[0, 0]),
        ("less first with second", -B[0, 1]),
        ("less second with first", -B[1, 0]),
        ("second with second", B[1, 1]),
    )
    parts = [(f"{name}: {number(v)} × {number(difference)}", float(v) * difference) for name, v in terms]
    how = "The square of a difference of base values: one factor as a sum, times the other."
    return leaf(kernel, scene, parts, how)


def _between_members(kernel: TensorPairs | MetricPairs, scene: Scene) -> Array:
    """Return the base kernel between the members of both pairs, (2, 2)."""
    whole = scene.whole is not None
    everything = scene.whole if whole else scene.x
    base = kernel.base_kernel(everything)
    if not base.fitted:
        base = base.fit(np.unique(pair_numbers(everything)))
    first, second = (scene.i, scene.j) if whole else (0, 0)
    return base(pair_numbers(scene.x)[first], pair_numbers(scene.y)[second])
