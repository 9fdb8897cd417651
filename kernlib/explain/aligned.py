"""Kernels that compare strings place by place, align them, decompose them, or use a model of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..errors import ExplainError
from ..kernels.alignment import Alignment
from ..kernels.convolution import Convolution
from ..kernels.fisher import Fisher
from ..kernels.positions import CodonImproved, LocalityImprovedSequence, WeightedDegree
from ..numerics.sizes import block_size
from ..values.arrays import Array
from ..values.words import number
from .explanation import Explanation, Part, Scene, explanation, leaf, parts_of

#: Most pairs of letters of an alignment that is traced back.
_TRACED = 4_000_000


def agreeing_stretches(s: str, t: str) -> Iterator[tuple[int, int]]:
    """Return (start, stop) of every stretch of places where two strings have the same letters.

    >>> list(agreeing_stretches("ACGTA", "ACTTA"))
    [(0, 2), (3, 5)]
    """
    start = None
    for p in range(len(s) + 1):
        same = p < len(s) and s[p] == t[p]
        if same and start is None:
            start = p
        elif not same and start is not None:
            yield start, p
            start = None


@explanation.register
def _weighted_degree(kernel: WeightedDegree, scene: Scene) -> Explanation:
    s, t, d = str(scene.x[0]), str(scene.y[0]), kernel.degree
    parts = []
    for start, stop in agreeing_stretches(s, t):
        # At each place a run of r letters ends min(r, d) words, of weights d, d − 1, …
        r = np.minimum(np.arange(1, stop - start + 1), d)
        value = float((r * (2 * d + 1 - r)).sum()) / 2.0
        where = f"place {start + 1}" if stop - start == 1 else f"places {start + 1}–{stop}"
        parts.append(Part(f"‘{s[start:stop]}’ at {where}", value))
    return leaf(kernel, scene, parts, "One term for every stretch in which the strings agree place by place.")


def window_values(kernel: LocalityImprovedSequence | CodonImproved, s: str, t: str) -> Array:
    """Return Σ_j v_j match_{p+j} of every window, by its middle place p, before the power d1."""
    step = kernel.compared
    places = len(s) - step + 1
    match = np.array([s[p : p + step] == t[p : p + step] for p in range(max(0, places))], dtype=np.float64)
    v = kernel.window_weights()
    out = np.zeros(len(match))
    for p in range(len(match)):
        at = p + step * np.arange(-kernel.window, kernel.window + 1)
        inside = (at >= 0) & (at < len(match))
        out[p] = v[inside] @ match[at[inside]]
    return out


@explanation.register(LocalityImprovedSequence)
@explanation.register(CodonImproved)
def _windowed(kernel: LocalityImprovedSequence | CodonImproved, scene: Scene) -> Explanation:
    s, t = str(scene.x[0]), str(scene.y[0])
    windows = window_values(kernel, s, t)
    powers = windows**kernel.d1
    unit = "letter" if kernel.compared == 1 else "triplet"

    def text(p: int) -> str:
        low, high = max(0, p - kernel.window * kernel.compared), p + (kernel.window + 1) * kernel.compared
        return f"window around {unit} {p + 1} (‘{s[low:high]}’): {number(windows[p])}^{kernel.d1}"

    how = "One term for every window: the weighted agreement in it, to the power d1" + (
        f", times the sum of all windows to the power {kernel.d2 - 1}." if kernel.d2 > 1 else "."
    )
    return leaf(kernel, scene, parts_of(powers * powers.sum() ** (kernel.d2 - 1), text), how)


@explanation.register
def _alignment(kernel: Alignment, scene: Scene) -> Explanation:
    s, t = str(scene.x[0]), str(scene.y[0])
    parts = []
    for what, first, second, place in _path(kernel, s, t):
        if what == "match":
            parts.append(Part(f"‘{first}’ in both, from letter {place}", kernel.match * len(first)))
        elif what == "mismatch":
            parts.append(Part(f"‘{first}’ against ‘{second}’, at letter {place}", kernel.mismatch * len(first)))
        else:
            parts.append(Part(f"‘{first or second}’ left out, at letter {place}", kernel.gap * len(first or second)))
    how = "The best local alignment, stretch by stretch; places are those of the first string."
    return leaf(kernel, scene, [p for p in parts if p.value], how)


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
        score = kernel.match if s[p - 1] == t[q - 1] else kernel.mismatch
        if H[p, q] == H[p - 1, q - 1] + score:
            step = ("match" if s[p - 1] == t[q - 1] else "mismatch", s[p - 1], t[q - 1], p)
            p, q = p - 1, q - 1
        elif H[p, q] == H[p - 1, q] + kernel.gap:
            step = ("gap", s[p - 1], "", p)
            p -= 1
        else:
            step = ("gap", "", t[q - 1], p + 1)
            q -= 1
        before = path[-1] if path else None
        if before and before[0] == step[0] and bool(before[1]) == bool(step[1]) and bool(before[2]) == bool(step[2]):
            path[-1] = (step[0], step[1] + before[1], step[2] + before[2], step[3])
        else:
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
    parts = [
        Part(f"{_cut(first[i])} with {_cut(second[j])}", float(product[i, j])) for i, j in np.argwhere(product).tolist()
    ]
    how = "One term for every decomposition of the first row with every decomposition of the second."
    return leaf(kernel, scene, parts, how)


def _cut(parts: tuple[object, ...]) -> str:
    return "|".join(str(p) for p in parts)


def parameter_names(kernel: Fisher) -> list[str]:
    """Return the model's parameter behind each entry of a Fisher score: starts, moves, and letters shown."""
    S = kernel.states
    names = [f"start in state {i + 1}" for i in range(S)]
    names += [f"move from state {i + 1} to {j + 1}" for i in range(S) for j in range(S)]
    return names + [f"‘{a}’ shown in state {i + 1}" for i in range(S) for a in kernel.state.model.alphabet]


@explanation.register
def _fisher(kernel: Fisher, scene: Scene) -> Explanation:
    u, v = (kernel.factor_rows(rows)[0] for rows in (scene.x, scene.y))
    names = parameter_names(kernel)
    parts = parts_of(u * v, lambda i: f"{names[i]}: {number(u[i])} × {number(v[i])}")
    how = "One term for every probability of the model: how far each string would move it, in units of its spread."
    return leaf(kernel, scene, parts, how)
