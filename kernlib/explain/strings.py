"""Explanations of kernels on strings and time series that have no explicit feature map, or one of too many words."""

from __future__ import annotations

import numpy as np

from ..errors import ExplainError
from ..kernels.alignment import Alignment, EditDistance, edit_distances
from ..kernels.convolution import Convolution
from ..kernels.positions import CodonImproved, LocalityImprovedSequence, WeightedDegree
from ..kernels.series import DynamicTimeWarping, GlobalAlignment, best_alignment
from ..kernels.subsequence import Subsequence
from ..numerics.sizes import block_size
from ..values.arrays import Array
from ..values.words import number
from .explanation import Explanation, Part, Scene, explanation, leaf, parts_of
from .features import by_features
from .tables import shared_out

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
