"""Explanations of kernels without an explicit feature map, or with one of too many features."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator
from functools import singledispatch
from typing import Any

import numpy as np

from ..errors import ExplainError
from ..kernels.alignment import Alignment, EditDistance, edit_distances
from ..kernels.categorical import Composed
from ..kernels.combined import Convolution
from ..kernels.graphs import LabelSequences
from ..kernels.images import LocalityImprovedImage
from ..kernels.matrices import Precomputed, PrecomputedDistances
from ..kernels.nodes import Diffusion, OfLaplacian
from ..kernels.nominal import missing
from ..kernels.pairs import MetricPairs, TensorPairs, pair_numbers
from ..kernels.positions import CodonImproved, LocalityImprovedSequence, WeightedDegree
from ..kernels.series import DynamicTimeWarping, GlobalAlignment, best_alignment
from ..kernels.subsequence import Subsequence
from ..kernels.vectors import (
    ANOVA,
    RBF,
    ChiSquared,
    Cosine,
    Intersection,
    Laplacian,
    Linear,
    Matern,
    Periodic,
    Polynomial,
    RationalQuadratic,
    Sigmoid,
)
from ..numerics.sizes import block_size
from ..values.arrays import Array
from ..values.graph import GENERIC, Graph
from ..values.words import number
from .explanation import Explanation, Part, Scene, explanation, leaf, parts_of, through
from .features import by_features, same_category, share_of

#: A sum that cancels to a smaller share of its terms is 0 but for rounding.
_CANCELLED = 1e-13

_SHARED = "A product of one factor for each column, divided in proportion to the factors."


def shared_out(value: float, factors: Array) -> Array:
    """Return a product's value in shares proportional to its factors, which are ≥ 0: all 0 where a factor is 0."""
    total = float(factors.sum())
    return factors * (value / total) if total > 0.0 else np.zeros(len(factors))


def _compared(scene: Scene, values: Array) -> list[Part]:
    """Return one part for each column, with the cells of both rows."""
    x, y, d = scene.x[0], scene.y[0], len(values)
    names = (f"{scene.words.column(c, d)}: {number(x[c])} and {number(y[c])}" for c in range(d))
    return [Part(name, float(value)) for name, value in zip(names, values, strict=True)]


@explanation.register(Linear)
@explanation.register(Polynomial)
@explanation.register(Cosine)
@explanation.register(Sigmoid)
def _of_products(kernel: Linear | Polynomial | Cosine | Sigmoid, scene: Scene) -> Explanation:
    """Return a function of ⟨x, x'⟩ + r as the sum of the columns' products and r, in proportion."""
    x, y, d = scene.x[0], scene.y[0], scene.x.shape[1]
    offset = getattr(kernel, "offset", 0.0)
    products = x * y * getattr(kernel, "gamma", 1.0)
    inner = float(products.sum()) + offset
    size = float(np.abs(products).sum()) + abs(offset)
    ratio = scene.value(kernel) / inner if abs(inner) > _CANCELLED * size else 1.0
    names = (f"{scene.words.column(c, d)}: {number(x[c])} × {number(y[c])}" for c in range(d))
    parts = [Part(name, float(value) * ratio) for name, value in zip(names, products, strict=True)]
    if offset:
        parts.append(Part(f"the offset {number(offset)}", offset * ratio))
    return leaf(kernel, scene, parts, "One product for each column, in proportion.")


@singledispatch
def _terms(kernel: RBF | Laplacian | Periodic | ChiSquared, x: Array, y: Array) -> Array:
    """Return the terms of the exponent, one for each column, where the kernel is exp(−their sum)."""
    raise NotImplementedError


@_terms.register
def _(kernel: RBF, x: Array, y: Array) -> Array:
    return np.asarray(0.5 * ((x - y) / kernel.width()) ** 2)


@_terms.register
def _(kernel: Laplacian, x: Array, y: Array) -> Array:
    return np.asarray(np.abs(x - y) / kernel.width())


@_terms.register
def _(kernel: Periodic, x: Array, y: Array) -> Array:
    return np.asarray(2.0 * (np.sin(np.pi * (x - y) / kernel.period) / kernel.length) ** 2)


@_terms.register
def _(kernel: ChiSquared, x: Array, y: Array) -> Array:
    total = x + y
    return np.asarray(kernel.gamma * np.divide((x - y) ** 2, total, where=total > 0, out=np.zeros_like(total)))


@explanation.register(RBF)
@explanation.register(Laplacian)
@explanation.register(Periodic)
@explanation.register(ChiSquared)
def _of_factors(kernel: RBF | Laplacian | Periodic | ChiSquared, scene: Scene) -> Explanation:
    apart = _compared(scene, _terms(kernel, scene.x[0], scene.y[0]))
    value, factors = scene.value(kernel), np.exp([-part.value for part in apart])
    parts = [
        Part(f"{part.text}, factor {number(factor)}", share)
        for part, factor, share in zip(apart, factors.tolist(), shared_out(value, factors).tolist(), strict=True)
    ]
    return leaf(kernel, scene, parts or [Part("no columns: exp(0)", value)], _SHARED, apart)


@explanation.register(Matern)
@explanation.register(RationalQuadratic)
def _of_distance(kernel: Matern | RationalQuadratic, scene: Scene) -> Explanation:
    apart = _compared(scene, ((scene.x[0] - scene.y[0]) / kernel.width()) ** 2)
    distance = math.sqrt(sum(part.value for part in apart))
    one = Part(f"at distance r = {number(distance)}", scene.value(kernel))
    return leaf(kernel, scene, [one], "A function of the distance of all columns together.", apart)


@explanation.register
def _intersection(kernel: Intersection, scene: Scene) -> Explanation:
    parts = (part for part in _compared(scene, np.minimum(scene.x[0], scene.y[0])) if part.value)
    return leaf(kernel, scene, parts, "The smaller of both values in each column.")


@explanation.register
def _anova(kernel: ANOVA, scene: Scene) -> Explanation:
    """Return the products of columns, each shared equally among its columns: (k − k without the column) / order."""
    value, d = scene.value(kernel), scene.x.shape[1]
    without = np.zeros(d)
    if d > kernel.order:
        rows = (np.delete(np.stack([scene.x[0], scene.y[0]]), c, axis=1) for c in range(d))
        without = np.array([kernel.gram(pair[:1], pair[1:])[0, 0] for pair in rows])
    how = f"The products of {kernel.order} columns, each shared equally among its columns."
    return leaf(kernel, scene, _compared(scene, (value - without) / kernel.order), how)


@explanation.register
def _image(kernel: LocalityImprovedImage, scene: Scene) -> Explanation:
    products = scene.x[0] * scene.y[0]
    windows = np.empty(len(products))
    for read, written, window in kernel.strips():
        windows[written] = products[read] @ window
    powers, columns = windows**kernel.d1, kernel.shape[1]
    parts = parts_of(
        powers * powers.sum() ** (kernel.d2 - 1), lambda i: f"around pixel ({i // columns}, {i % columns})"
    )
    return leaf(kernel, scene, parts, "One term for the window around every pixel.")


@explanation.register
def _nominal(kernel: Composed, scene: Scene) -> Explanation:
    x, y = ([v.item() if isinstance(v, np.generic) else v for v in rows[0]] for rows in (scene.x, scene.y))
    d = len(x)
    p, q = np.array([[share_of(kernel, c, row[c]) for c in range(d)] for row in (x, y)])
    same = np.array([same_category(u, v) for u, v in zip(x, y, strict=True)])
    own = np.stack([kernel.equal_value(p), kernel.equal_value(q)])
    values = np.where(same, own[0], kernel.unequal_value(p, q))
    texts = []
    for c in range(d):
        first, second = ("missing" if missing(cell) else str(cell) for cell in (x[c], y[c]))
        cells = f"{first} in both" if same[c] else f"{first} and {second}"
        rarity = f", P = {number(p[c])}" if kernel.learns_itself and same[c] else ""
        texts.append(f"{scene.words.column(c, d)}: {cells}{rarity}")
    if kernel.before == "f1":
        values, own = np.exp(kernel.gamma * values), np.exp(kernel.gamma * own)
    elif kernel.before == "f2":
        values, own = np.exp(-kernel.gamma * (own.sum(axis=0) - 2.0 * values)), np.ones_like(own)
    if kernel.composition == "mean":
        joined, shares, lengths = float(values.mean()), values / d, own.mean(axis=1)
        how = f"The mean over {d} columns: each adds its own value over {d}."
    else:
        joined, lengths = float(values.prod()), own.prod(axis=1)
        shares, how = shared_out(joined, values), _SHARED
    parts = tuple(Part(text, float(share)) for text, share in zip(texts, shares, strict=True))
    if kernel.after is None:
        return leaf(kernel, scene, parts, how)
    zero = 1.0 if kernel.after == "f1" else math.exp(-kernel.gamma * lengths.sum())
    after = through(Explanation(joined, parts, (), how), scene.value(kernel), zero, kernel.after)
    return leaf(kernel, scene, after.parts, after.how)


#: Most pairs of letters of an alignment that is traced back, or of a table of a recursion.
_TRACED = 4_000_000
#: Stretches of an alignment of time series that are named.
_STRETCHES = 12


def recursion_tables(s: str, t: str, order: int, decay: float) -> list[Array]:
    """Return W_1 … W_n, each (|s|, |t|): the weight of common words of i letters that end at s_p and t_q.

    W_1 = [s_p = t_q],  W_i = [s_p = t_q] Σ_{p'<p, q'<q} λ^{p−p'+q−q'} W_{i−1}[p', q'],  k_i = λ² Σ W_i

    >>> tables = recursion_tables("CAT", "CART", 2, 0.5)
    >>> float(0.5**2 * tables[1].sum()) == float(Subsequence(order=2, decay=0.5)(["CAT"], ["CART"])[0, 0])
    True
    """
    match = (np.array(list(s))[:, None] == np.array(list(t))).astype(np.float64).reshape(len(s), len(t))
    tables = [match]
    for _ in range(order - 1):
        tables.append(match * _damped(_damped(tables[-1], decay).T, decay).T)
    return tables


def _damped(W: Array, decay: float) -> Array:
    """Return Σ_{p'<p} λ^{p−p'} W[p'] for every p."""
    out = np.zeros_like(W)
    for p in range(1, len(W)):
        out[p] = decay * (out[p - 1] + W[p - 1])
    return out


@explanation.register
def _subsequence(kernel: Subsequence, scene: Scene) -> Explanation:
    s, t = str(scene.x[0]), str(scene.y[0])
    words = sum(len(set(s + t)) ** n for n, c in enumerate(kernel.order_weights(), 1) if c)
    if words <= block_size(20_000) or len(s) * len(t) > block_size(_TRACED):
        return by_features(kernel, scene)
    tables = recursion_tables(s, t, len(kernel.order_weights()), kernel.decay)
    ends = sum(c * kernel.decay**2 * W.sum(axis=1) for c, W in zip(kernel.order_weights(), tables, strict=True))
    how = "Too many words to be named: summed by the place of their last letter in the first string."
    return leaf(kernel, scene, parts_of(ends, lambda p: f"words that end at letter {p + 1} ({s[p]})"), how)


@explanation.register
def _weighted_degree(kernel: WeightedDegree, scene: Scene) -> Explanation:
    s, t, d = str(scene.x[0]), str(scene.y[0]), kernel.degree
    agree = np.array([a == b for a, b in zip(s, t, strict=True)], dtype=np.int8)
    edges = np.flatnonzero(np.diff(agree, prepend=0, append=0)).reshape(-1, 2)
    parts = []
    for start, stop in edges.tolist():
        # At each place a run of r letters ends min(r, d) words, of weights d, d − 1, …
        r = np.minimum(np.arange(1, stop - start + 1), d)
        where = f"place {start + 1}" if stop - start == 1 else f"places {start + 1}–{stop}"
        parts.append(Part(f"{s[start:stop]} at {where}", float((r * (2 * d + 1 - r)).sum()) / 2.0))
    return leaf(kernel, scene, parts, "One term for every stretch in which the strings agree place by place.")


@explanation.register(LocalityImprovedSequence)
@explanation.register(CodonImproved)
def _windowed(kernel: LocalityImprovedSequence | CodonImproved, scene: Scene) -> Explanation:
    s, t, step = str(scene.x[0]), str(scene.y[0]), kernel.compared
    places = range(len(s) - step + 1)
    match = np.array([s[p : p + step] == t[p : p + step] for p in places], dtype=np.float64)
    weights = kernel.window_weights()
    windows = np.zeros(len(match))
    for offset, weight in zip(range(-kernel.window * step, kernel.window * step + 1, step), weights, strict=True):
        inside = np.arange(max(0, -offset), min(len(match), len(match) - offset))
        windows[inside] += weight * match[inside + offset]
    powers = windows**kernel.d1
    unit = "letter" if step == 1 else "triplet"

    def text(p: int) -> str:
        low, high = max(0, p - kernel.window * step), p + (kernel.window + 1) * step
        return f"window around {unit} {p + 1} ({s[low:high]}): {number(windows[p])}^{kernel.d1}"

    how = "One term for every window: the weighted agreement in it, to the power d1."
    return leaf(kernel, scene, parts_of(powers * powers.sum() ** (kernel.d2 - 1), text), how)


@explanation.register
def _alignment(kernel: Alignment, scene: Scene) -> Explanation:
    parts = []
    for what, first, second, place in _path(kernel, str(scene.x[0]), str(scene.y[0])):
        if what == "match":
            parts.append(Part(f"{first} in both, from letter {place}", kernel.match * len(first)))
        elif what == "mismatch":
            parts.append(Part(f"{first} against {second}, at letter {place}", kernel.mismatch * len(first)))
        else:
            parts.append(Part(f"{first or second} left out, at letter {place}", kernel.gap * len(first or second)))
    how = "The best local alignment, stretch by stretch; places are those of the first string."
    return leaf(kernel, scene, (part for part in parts if part.value), how)


def _path(kernel: Alignment, s: str, t: str) -> list[tuple[str, str, str, int]]:
    """Return the stretches of one best alignment, in order: what, letters of s, letters of t, place in s."""
    if len(s) * len(t) > block_size(_TRACED):
        raise ExplainError(
            f"explain: the alignment of {len(s)} with {len(t)} letters is too long to be traced; expected at most "
            f"{block_size(_TRACED)} pairs of letters. Give shorter strings."
        )
    H = np.zeros((len(s) + 1, len(t) + 1))
    for p in range(1, len(s) + 1):
        for q in range(1, len(t) + 1):
            score = kernel.match if s[p - 1] == t[q - 1] else kernel.mismatch
            H[p, q] = max(0.0, H[p - 1, q - 1] + score, H[p - 1, q] + kernel.gap, H[p, q - 1] + kernel.gap)
    p, q = (int(v) for v in np.unravel_index(int(H.argmax()), H.shape))
    path: list[tuple[str, str, str, int]] = []
    while H[p, q] > 0.0:
        match = s[p - 1] == t[q - 1]
        if H[p, q] == H[p - 1, q - 1] + (kernel.match if match else kernel.mismatch):
            step = ("match" if match else "mismatch", s[p - 1], t[q - 1], p)
            p, q = p - 1, q - 1
        elif H[p, q] == H[p - 1, q] + kernel.gap:
            step = ("left out of the second", s[p - 1], "", p)
            p -= 1
        else:
            step = ("left out of the first", "", t[q - 1], p + 1)
            q -= 1
        if path and path[-1][0] == step[0]:
            _, first, second, _ = path.pop()
            step = (step[0], step[1] + first, step[2] + second, step[3])
        path.append(step)
    return path[::-1]


@explanation.register
def _convolution(kernel: Convolution, scene: Scene) -> Explanation:
    first, second = (kernel.decompositions(rows[0]) for rows in (scene.x, scene.y))
    if not first or not second:
        return leaf(kernel, scene, [], "A row that cannot be decomposed has the value 0 with every row.")
    product = np.ones((len(first), len(second)))
    for d, k in enumerate(kernel.kernels):
        product *= k([p[d] for p in first], [p[d] for p in second])
    names = [["|".join(map(str, pieces)) for pieces in side] for side in (first, second)]
    parts = parts_of(product.ravel(), lambda m: " with ".join((names[0][m // len(second)], names[1][m % len(second)])))
    return leaf(kernel, scene, parts, "One term for every decomposition of one row with every one of the other.")


@explanation.register
def _edit_distance(kernel: EditDistance, scene: Scene) -> list[tuple[str, float]]:
    distance = edit_distances(scene.x, scene.y)[0, 0]
    letters = "letter" if distance == 1 else "letters"
    return [(f"{distance:g} {letters} put in, taken out or replaced", scene.value(kernel))]


# -- time series --------------------------------------------------------------------------------


@explanation.register
def _global(kernel: GlobalAlignment, scene: Scene) -> list[tuple[str, float]]:
    n, m = scene.x[0].length, scene.y[0].length
    return [(f"all alignments of {n} times with {m}", scene.value(kernel))]


@explanation.register
def _warped(kernel: DynamicTimeWarping, scene: Scene) -> Explanation:
    x, y = scene.x[0].values, scene.y[0].values
    if len(x) * len(y) > block_size(_TRACED):
        one = Part(f"the best alignment of {len(x)} times with {len(y)}", scene.value(kernel))
        return leaf(kernel, scene, [one])
    path = best_alignment(x, y)
    away = kernel.gamma * ((x[path[:, 0]] - y[path[:, 1]]) ** 2).sum(axis=1)
    apart = []
    for steps in np.array_split(np.arange(len(path)), min(_STRETCHES, len(path))):
        (a, b), (c, d) = path[steps[0]], path[steps[-1]]
        apart.append(Part(f"times {a} to {c} with {b} to {d}", float(away[steps].sum())))
    shares = shared_out(scene.value(kernel), np.exp([-part.value for part in apart])).tolist()
    parts = [Part(part.text, share) for part, share in zip(apart, shares, strict=True)]
    how = "A product of one factor for each stretch of the best alignment, divided in proportion to the factors."
    return leaf(kernel, scene, parts, how, apart)


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
