"""Kernels against their definitions, written out for one pair of rows: one table, on the rows of the contract."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable
from functools import cache, partial
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.linalg import expm
from sklearn.decomposition import KernelPCA

from kernlib import (
    ANOVA,
    RBF,
    Alignment,
    ArcCosine,
    Centered,
    CodonImproved,
    CommuteTime,
    Conformal,
    Convolution,
    Cosine,
    Diffusion,
    DrawnOverlap,
    EditDistance,
    Eigenwise,
    Entrywise,
    Exponential,
    GappyPair,
    Graph,
    InfiniteWidth,
    LabelPairs,
    LabelSequences,
    Laplacian,
    Linear,
    LocalityImprovedImage,
    LocalityImprovedSequence,
    Matern,
    MetricPairs,
    Mixture,
    Motif,
    On,
    Overlap,
    Pairs,
    Periodic,
    Power,
    Precomputed,
    PrincipalComponents,
    ProbabilityOverlap,
    RandomWalkSteps,
    RationalQuadratic,
    RegularisedLaplacian,
    Repaired,
    Sigmoid,
    Spectrum,
    SpectrumMixture,
    SquareRoot,
    Standardized,
    Subsequence,
    TensorPairs,
    WeightedDegree,
    WeisfeilerLehman,
    polynomial,
)
from kernlib.data import load_dataset
from kernlib.kernels.combined import two_substrings
from kernlib.kernels.nodes import laplacian

from .rows import rows_for

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


# -- vectors -----------------------------------------------------------------------------------


def enumerated(order: int, sigma: float, x, y) -> float:
    """[D] Convolution Kernels (cont'd): one product for every i_1 < … < i_D."""
    values = np.exp(-((x - y) ** 2) / (2 * sigma**2))
    return sum(map(math.prod, combinations(values, order)))


def by_pixels(kernel: LocalityImprovedImage, x, y) -> float:
    """[D] Locality-Improved Kernels, steps 1 to 4."""
    q, places = kernel.width // 2, [*np.ndindex(kernel.shape)]
    products = (x * y).reshape(kernel.shape)
    sums = [sum(max(q - max(abs(i - a), abs(j - b)), 0) * products[a, b] for a, b in places) for i, j in places]
    return sum(z**kernel.d1 for z in sums) ** kernel.d2


# -- strings -----------------------------------------------------------------------------------


def windows(s: str, length: int) -> list[str]:
    return [s[i : i + length] for i in range(len(s) - length + 1)]


def products_of(counts: Callable[[str], Counter], s: str, t: str) -> float:
    other = counts(t)
    return sum(c * other[u] for u, c in counts(s).items())


def gapped(k: int, m: int, s: str) -> Counter:
    return Counter((g, w[:k], w[k + g :]) for g in range(m + 1) for w in windows(s, 2 * k + g))


def motifs(patterns: tuple[str, ...], s: str) -> Counter:
    return Counter({p: len(re.findall(f"(?={p})", s)) for p in patterns})


def neighbours(length: int, mismatches: int, alphabet: str, s: str) -> Counter:
    return Counter(
        u
        for w in windows(s, length)
        if set(w) <= set(alphabet)
        for u in product(alphabet, repeat=length)
        if sum(map(str.__ne__, w, u)) <= mismatches
    )


def subsequences(order: int, decay: float, s: str) -> Counter:
    found = Counter()
    for i in combinations(range(len(s)), order):
        found["".join(s[k] for k in i)] += decay ** (i[-1] - i[0] + 1)
    return found


def common_subsequences(decay: float, weights: tuple[float, ...], s: str, t: str) -> float:
    return sum(c * products_of(partial(subsequences, n, decay), s, t) for n, c in enumerate(weights, 1))


def by_cells(match: float, mismatch: float, gap: float, s: str, t: str) -> float:
    H = np.zeros((len(s) + 1, len(t) + 1))
    for p, q in product(range(len(s)), range(len(t))):
        score = match if s[p] == t[q] else mismatch
        H[p + 1, q + 1] = max(0, H[p, q] + score, H[p, q + 1] + gap, H[p + 1, q] + gap)
    return H.max()


@cache
def edits(s: str, t: str) -> int:
    if not s or not t:
        return len(s) + len(t)
    return min(edits(s[1:], t) + 1, edits(s, t[1:]) + 1, edits(s[1:], t[1:]) + (s[0] != t[0]))


def weighted_degree(d: int, s: str, t: str) -> int:
    return sum((d - j + 1) * sum(map(str.__eq__, windows(s, j), windows(t, j))) for j in range(1, d + 1))


def windowed(v: tuple[float, ...], d1: int, d2: int, letters: int, s: str, t: str) -> float:
    """Windows of `letters` letters that match, and those `letters` further on: letters, or triplets in frame."""
    same, half = [*map(str.__eq__, windows(s, letters), windows(t, letters))], len(v) // 2
    near = [(letters * j, w) for j, w in enumerate(v, -half)]
    sums = [sum(w * same[p + j] for j, w in near if 0 <= p + j < len(same)) for p in range(len(same))]
    return sum(z**d1 for z in sums) ** d2


def by_decompositions(values, s: str, t: str) -> float:
    parts = product(two_substrings(s), two_substrings(t))
    return sum(math.prod(k(a, b) for k, a, b in zip(values, p, q, strict=True)) for p, q in parts)


# -- pairs -------------------------------------------------------------------------------------


def tensor(shift: float, x: Pairs, y: Pairs) -> float:
    """Both ways to match the objects of two pairs."""
    K, (a, b), (c, d) = x.rows + shift, *x.numbers, *y.numbers
    return K[a, c] * K[b, d] + K[a, d] * K[b, c]


def metric(x: Pairs, y: Pairs) -> float:
    K, (a, b), (c, d) = x.rows, *x.numbers, *y.numbers
    return (K[a, c] + K[b, d] - K[a, d] - K[b, c]) ** 2


# -- graphs ------------------------------------------------------------------------------------


def series(kind: str, beta: float, E) -> np.ndarray:
    return expm(beta * E) if kind == "exponential" else np.linalg.inv(np.eye(len(E)) - beta * E)


def equal(left, right) -> np.ndarray:
    return np.equal.outer(np.array(left, dtype=object), np.array(right, dtype=object))


def walks_between(kind: str, beta: float, g: Graph, h: Graph) -> float:
    """Walks that begin and end at equal labels."""
    alike = equal(g.labels, h.labels).astype(float)
    ends = series(kind, beta, g.adjacency) @ alike @ series(kind, beta, h.adjacency).T
    return float((alike * ends).sum())


def walks_along(kind: str, beta: float, g: Graph, h: Graph) -> float:
    """Walks in the product graph, whose nodes and edges have equal labels."""
    i, j = np.nonzero(equal(g.labels, h.labels))
    left, right = (np.full(one.adjacency.shape, "#") if one.edge_labels is None else one.edge_labels for one in (g, h))
    E = g.adjacency[np.ix_(i, i)] * h.adjacency[np.ix_(j, j)] * (left[np.ix_(i, i)] == right[np.ix_(j, j)])
    return float(series(kind, beta, E.astype(float)).sum())


def unfolded(level: int, graph: Graph) -> Counter:
    """The labels of nodes of all levels, each with the sorted labels of its neighbours written out."""
    labels = [*graph.labels]
    total = Counter(labels)
    for _ in range(level):
        near = [sorted((labels[j] for j in np.flatnonzero(row)), key=repr) for row in graph.adjacency]
        labels = [(own, *of) for own, of in zip(labels, near, strict=True)]
        total += Counter(labels)
    return total


def _counted(counts: Callable[..., Counter], *parameters) -> Callable[[str, str], float]:
    return partial(products_of, partial(counts, *parameters))


MOTIFS = ("AA", "A.A", "A[CG]", "[^A]", "é")
SPECTRA = {Spectrum(length=k): _counted(lambda k, s: Counter(windows(s, k)), k) for k in (1, 2, 4)}
DEFINED = [
    *((ANOVA(order=n, sigma=width), partial(enumerated, n, width)) for n, width in ((1, 0.5), (2, 1.3), (4, 3.0))),
    (Laplacian(sigma=0.7), lambda x, y: np.exp(-np.abs(x - y).sum() / 0.7)),
    *(
        (Matern(nu=nu, length=0.7), lambda x, y, f=f: f(np.linalg.norm(x - y) / 0.7))
        for nu, f in (
            (0.5, lambda d: np.exp(-d)),
            (1.5, lambda d: (1 + np.sqrt(3) * d) * np.exp(-np.sqrt(3) * d)),
            (2.5, lambda d: (1 + np.sqrt(5) * d + 5 * d**2 / 3) * np.exp(-np.sqrt(5) * d)),
        )
    ),
    (RationalQuadratic(alpha=0.7, length=2.0), lambda x, y: (1 + ((x - y) ** 2).sum() / 5.6) ** -0.7),
    (Periodic(period=2.0, length=0.8), lambda x, y: np.exp(-2 / 0.64 * (np.sin(np.pi * (x - y) / 2) ** 2).sum())),
    (Sigmoid(gamma=0.2, offset=0.1), lambda x, y: np.tanh(0.2 * (x @ y) + 0.1)),
    *(
        (kernel, partial(by_pixels, kernel))
        for kernel in (
            LocalityImprovedImage(shape=(3, 4), width=3, d1=4, d2=1),
            LocalityImprovedImage(shape=(4, 3), width=5, d1=2, d2=3),
            LocalityImprovedImage(shape=(12, 1), width=9, d1=3, d2=2),
            LocalityImprovedImage(shape=(2, 6), width=31, d1=1, d2=2),
        )
    ),
    *SPECTRA.items(),
    *((GappyPair(length=k, gap=m), _counted(gapped, k, m)) for k, m in ((1, 0), (1, 4), (2, 1), (3, 2))),
    (SpectrumMixture(length=2), _counted(lambda s: Counter(windows(s, 1) + windows(s, 2)))),
    (
        SpectrumMixture(length=3, weights=(4.0, 0.0, 1.0)),
        _counted(lambda s: Counter(2 * windows(s, 1) + windows(s, 3))),
    ),
    (Motif(patterns=MOTIFS), _counted(motifs, MOTIFS)),
    *(
        (Subsequence(len(c), decay, c), partial(common_subsequences, decay, c))
        for decay, c in ((0.25, (0.0, 0.0, 1.0)), (0.7, (1.0, 0.3)), (1.0, (1.0, 0.0, 0.0, 0.3)), (0.7, (1.0,)))
    ),
    *(
        (Alignment(*scores), partial(by_cells, *scores))
        for scores in ((2.0, -1.0, -1.0), (1.0, 0.0, 0.0), (0.7, -0.3, -0.45), (3.0, -3.0, -0.1))
    ),
    (EditDistance(gamma=0.3), lambda s, t: math.exp(-0.3 * edits(s, t))),
    (Convolution("two-substrings", (*SPECTRA,)[:2]), partial(by_decompositions, (*SPECTRA.values(),)[:2])),
    *((WeightedDegree(d), partial(weighted_degree, d)) for d in (1, 3, 12)),
    *((TensorPairs(Precomputed(), shift=shift), partial(tensor, shift)) for shift in (0.0, 1.0)),
    (MetricPairs(Precomputed()), metric),
    *(
        (cls(window, d1, d2, v), partial(windowed, v or (*range(1, window + 1), *range(window + 1, 0, -1)), d1, d2, n))
        for cls, n in ((LocalityImprovedSequence, 1), (CodonImproved, 3))
        for window, d1, d2, v in ((0, 3, 1, None), (2, 2, 2, (0.5, 1.0, 2.25, 0.0, 3.0)), (3, 4, 1, None))
    ),
    *(
        (cls(beta=beta, series=kind), partial(definition, kind, beta))
        for cls, definition in ((LabelPairs, walks_between), (LabelSequences, walks_along))
        for kind, beta in (("geometric", 0.1), ("exponential", 0.4))
    ),
    *((WeisfeilerLehman(level=level), _counted(unfolded, level)) for level in (0, 1, 2, 3)),
]


@pytest.mark.parametrize(("kernel", "value"), DEFINED, ids=[repr(kernel) for kernel, _ in DEFINED])
@settings(max_examples=15)
@given(data=st.data())
def test_the_definition(kernel, value, data):
    rows = data.draw(rows_for(kernel))
    expected = np.array([[value(x, y) for y in rows] for x in rows], dtype=float)
    assert_allclose(kernel(rows), expected, rtol=1e-10, atol=1e-10 * (1e-3 + np.abs(expected).max()))
    # Letters that only one side has may stand in a gap.
    assert_allclose(kernel(rows[:1], rows[1:]), expected[:1, 1:], rtol=1e-10, atol=1e-10 * (1 + np.abs(expected).max()))


# -- whole matrices ----------------------------------------------------------------------------


X = np.random.default_rng(5).normal(size=(12, 3))
G, K1 = X @ X.T, RBF()(X)
MATCHES = np.array([["a", "x"], ["a", "y"], ["a", "x"], ["b", "x"], ["c", "y"]])
MIXED = np.array(
    [[0.0, 1.0, "red", "ACGT"], [0.5, 1.0, "blue", "ACG"], [2.0, -1.0, "red", "TTT"], [1.0, 0.0, None, "GTAC"]],
    dtype=object,
)
PARTS = On((0, 1), RBF(sigma=1.5)), On((2,), Overlap()), On((3,), Spectrum(length=2))
OF_PARTS = (
    RBF(sigma=1.5)(MIXED[:, :2].astype(float)),
    Overlap()(MIXED[:, [2]]),
    Spectrum(length=2)(MIXED[:, 3].tolist()),
)
RANK_ONE = np.outer(range(1, 7), range(1, 7)) / 7.0
A = np.array(load_dataset("karate").rows, dtype=float)
L, ROOT = laplacian(A), np.diag(1 / np.sqrt(A.sum(axis=0)))
MIXTURE = (Linear(), RBF(sigma=0.5), RBF(sigma=2.0))


def _products(transformer, K) -> np.ndarray:
    rows = transformer.fit_transform(K)
    return np.asarray(rows @ rows.T)


def interpolated(values, heights, top: float) -> np.ndarray:
    return np.sign(values) * np.interp(np.abs(values), top * np.linspace(0, 1, len(heights)), top * np.array(heights))


def with_eigenvalues(K, f: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    values, U = np.linalg.eigh(K)
    return (U * f(values)) @ U.T


def first_column(rows):
    return 1.0 + rows[:, 0] ** 2


MATRICES = [
    *(
        (Conformal(Linear(), f=f), X, np.outer(values, values) * G)
        for f, values in (
            ("inverse-norm", 1 / np.linalg.norm(X, axis=1)),
            ("gaussian", np.exp(-0.5 * (X**2).sum(axis=1))),
            ("norm", np.linalg.norm(X, axis=1)),
            (first_column, first_column(X)),
        )
    ),
    (Exponential(Linear(), gamma=0.3), X, np.exp(0.3 * G)),
    (polynomial(Linear(), (0.5, 0.0, 3.0, 1.0)), X, np.polynomial.polynomial.polyval(G, (0.5, 0.0, 3.0, 1.0))),
    (Entrywise(Linear(), heights=(0.0, 0.7, 0.9, 1.0), top=9.0), X, interpolated(G, (0.0, 0.7, 0.9, 1.0), 9.0)),
    (
        Eigenwise(RBF(), heights=(0.0, 0.9, 1.0)),
        X,
        with_eigenvalues(K1, lambda values: interpolated(values, (0.0, 0.9, 1.0), values[-1])),
    ),
    (DrawnOverlap(heights=(1.0, 0.75, 0.5, 0.25, 0.0)), MATCHES, ProbabilityOverlap(alpha=1.0)(MATCHES)),
    (DrawnOverlap(heights=(1.0, 1.0)), MATCHES, Overlap()(MATCHES)),
    # (3.18) jumps by one at 0: rounding must not make a rank-one matrix one of full rank.
    (Repaired(Precomputed(), method="psi"), RANK_ONE, RANK_ONE * (1 + 13.0) / 13.0),
    # [O] 3: 'if φ is the identity, then we have K = K''.
    *(
        (Repaired(Power(SquareRoot(kernel), p=1.0), method="square"), X, kernel(X))
        for kernel in (Linear(), RBF(sigma="median"))
    ),
    (PrincipalComponents(RBF(), components=12), X, K1),
    (PrincipalComponents(Centered(RBF()), components=3), X, _products(KernelPCA(3, kernel="precomputed"), K1)),
    (Mixture(MIXTURE, weights=(1.0, 0.0, 2.0)), X, G + 2 * RBF(sigma=2.0)(X)),
    (Mixture(MIXTURE), X, sum(k(X) for k in MIXTURE) / 3),
    (sum(PARTS[1:], PARTS[0]), MIXED, sum(OF_PARTS)),
    (PARTS[0] * PARTS[1] * PARTS[2], MIXED, math.prod(OF_PARTS)),
    (Cosine(), [[0.0, 0.0], [1e200, 1e200], [1e-200, 0.0]], [[0, 0, 0], [0, 1, 0.5**0.5], [0, 0.5**0.5, 1]]),
    # Parallel rows and opposite ones; a row without length is at a right angle.
    (ArcCosine(Linear(), order=0), [[1.0, 2.0], [3.0, 6.0], [-0.7, -1.4]], [[1, 1, 0], [1, 1, 0], [0, 0, 1]]),
    (ArcCosine(Linear(), order=0), [[0.0], [2.0], [0.0]], [[1, 0.5, 1], [0.5, 1, 0.5], [1, 0.5, 1]]),
    (ArcCosine(Linear(), order=1), [[0.0], [2.0], [-3.0]], [[0, 0, 0], [0, 4, 0], [0, 0, 9]]),
    (InfiniteWidth(Linear(), level=0, weights=3.0, biases=0.5), X, G + 0.5),
    (InfiniteWidth(RBF(), level=0, weights=3.0), X, K1),
    (InfiniteWidth(Standardized(Linear()), level=2), X, Standardized(InfiniteWidth(Linear(), level=2))(X)),
    (RegularisedLaplacian(sigma=0.7), A, np.linalg.inv(np.eye(len(A)) + 0.49 * L)),
    (CommuteTime(), A, np.linalg.pinv(L, rcond=1e-10, hermitian=True)),
    (RandomWalkSteps(steps=4, a=2.5), A, np.linalg.matrix_power(1.5 * np.eye(len(A)) + ROOT @ A @ ROOT, 4)),
    *((Diffusion(beta=beta), A, expm(-beta * L)) for beta in (0.05, 0.3, 2.0)),
]


@pytest.mark.parametrize(
    ("kernel", "rows", "expected"), MATRICES, ids=[repr(kernel).partition(" at 0x")[0] for kernel, _, _ in MATRICES]
)
def test_the_matrix_of_the_definition(kernel, rows, expected):
    assert_allclose(kernel(rows), expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())
