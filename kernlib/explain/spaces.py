"""The explicit feature spaces of base kernels: columns, words, label pairs, terms, concepts."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Hashable
from typing import Any

import numpy as np

from ..kernels.categorical import DrawnOverlap, Overlap, ProbabilityOverlap
from ..kernels.composed import Composed
from ..kernels.convolution import Convolution
from ..kernels.fisher import Fisher
from ..kernels.gappy import Motif, OfWords
from ..kernels.graphs import LabelPairs
from ..kernels.letters import alphabet_of, read_letters
from ..kernels.mismatch import Mismatch
from ..kernels.nominal import missing
from ..kernels.positions import WeightedDegree
from ..kernels.series import Autocorrelation
from ..kernels.spectrum import PriorSpectrum, Spectrum
from ..kernels.subsequence import Subsequence
from ..kernels.subsequence import features as subsequence_features
from ..kernels.text import LatentSemantic, VectorSpace
from ..kernels.vectors import Linear, Polynomial
from ..values.arrays import Array
from ..values.graph import Graph
from .explanation import Words
from .features import MOST, Features, by_rows, counted_features, feature_map, sparse, too_many

#: Entries of a dense table of words.
_DENSE = 1 << 25
#: Terms that name a concept.
_TERMS = 5


# -- columns ------------------------------------------------------------------------------------


@feature_map.register
def _linear(kernel: Linear, X: Array, words: Words) -> Features:
    d = X.shape[1]
    return Features(sparse(X), tuple(words.column(c, d) for c in range(d)))


@feature_map.register
def _polynomial(kernel: Polynomial, X: Array, words: Words) -> Features:
    d, degree = X.shape[1], kernel.degree
    count = math.comb(d + degree, degree) if kernel.offset else math.comb(d + degree - 1, degree)
    if count > min(MOST, _DENSE // max(1, len(X))):
        raise too_many(kernel, count)
    names, columns = [], []
    for size in range(0 if kernel.offset else degree, degree + 1):
        for chosen in itertools.combinations_with_replacement(range(d), size):
            powers = {c: chosen.count(c) for c in chosen}
            ways = math.factorial(degree) // math.factorial(degree - size)
            ways //= math.prod(math.factorial(p) for p in powers.values())
            columns.append(math.sqrt(ways * kernel.offset ** (degree - size)) * X[:, list(chosen)].prod(axis=1))
            names.append(
                " · ".join(f"{words.column(c, d)}{f'^{p}' if p > 1 else ''}" for c, p in powers.items()) or "constant"
            )
    return Features(sparse(np.column_stack(columns)), tuple(names))


def same_category(u: Any, v: Any) -> bool:
    return missing(v) if missing(u) else not missing(v) and bool(u == v)


def share_of(kernel: Composed, column: int, value: Any) -> float:
    """Return P of a category; 0 if it is not in the training rows, or if the kernel does not use P."""
    pmf = kernel.pmf[column] if kernel.learns_itself else {}
    return next((share for category, share in pmf.items() if same_category(category, value)), 0.0)


@feature_map.register(Overlap)
@feature_map.register(ProbabilityOverlap)
@feature_map.register(DrawnOverlap)
def _overlap(kernel: Overlap | ProbabilityOverlap | DrawnOverlap, X: Array, words: Words) -> Features:
    if kernel.composition != "mean" or kernel.before == "f2" or kernel.after is not None:
        return feature_map.dispatch(object)(kernel, X, words)
    d = X.shape[1]
    # f1 of no agreement is exp(0) = 1: a constant beside the matches.
    constant = 1.0 if kernel.before == "f1" else 0.0
    worth: dict[tuple[int, Any], float] = {}
    rows = []
    for x in X:
        row: dict[str, float] = {"constant": 1.0} if constant else {}
        for c, cell in enumerate(x):
            u = cell.item() if isinstance(cell, np.generic) else cell
            u = None if missing(u) else u
            if (c, u) not in worth:
                same = float(kernel.equal_value(np.array([share_of(kernel, c, u)]))[0])
                value = math.exp(kernel.gamma * same) if constant else same
                worth[c, u] = math.sqrt(max(0.0, value - constant) / d)
            row[f"{words.column(c, d)} is {'missing' if u is None else u}"] = worth[c, u]
        rows.append(row)
    return counted_features(rows)


# -- strings ------------------------------------------------------------------------------------


def contiguous(s: str, length: int) -> Counter[str]:
    """Return how often each contiguous word occurs.

    >>> contiguous("ATAT", 2)
    Counter({'AT': 2, 'TA': 1})
    """
    return Counter(s[p : p + length] for p in range(len(s) - length + 1))


@feature_map.register
def _spectrum(kernel: Spectrum, X: Array, words: Words) -> Features:
    return counted_features({w: float(k) for w, k in contiguous(str(s), kernel.length).items()} for s in X)


@feature_map.register
def _prior_spectrum(kernel: PriorSpectrum, X: Array, words: Words) -> Features:
    rows = [contiguous(str(s), kernel.length) for s in X]
    every = sorted(set().union(*rows))
    roots = np.sqrt(kernel.gram_diag(np.array(every, dtype=object))).tolist() if every else []
    weight = dict(zip(every, roots, strict=True))
    return counted_features({word: count * weight[word] for word, count in row.items()} for row in rows)


@feature_map.register
def _of_words(kernel: OfWords, X: Array, words: Words) -> Features:
    rows: list[dict[str, float]] = [{} for _ in X]
    for length, places, weight in kernel.patterns():
        read, gap = set(places), length - len(places)
        for s, row in zip(map(str, X), rows, strict=True):
            windows = (s[p : p + length] for p in range(len(s) - length + 1))
            counts = Counter("".join(c if i in read else "·" for i, c in enumerate(window)) for window in windows)
            named = {f"{word} (gap {gap})" if gap else word: count for word, count in counts.items()}
            row.update((word, count * math.sqrt(weight)) for word, count in named.items())
    return counted_features(rows)


@feature_map.register
def _motif(kernel: Motif, X: Array, words: Words) -> Features:
    return Features(sparse(kernel.factor_rows(X)), kernel.patterns)


@feature_map.register
def _mismatch(kernel: Mismatch, X: Array, words: Words) -> Features:
    letters, k, m = kernel.letters(), kernel.length, kernel.mismatches
    near = math.comb(k, m) * max(1, len(letters) - 1) ** m
    occurring = {w for s in X for w in contiguous(str(s), k) if set(w) <= set(letters)}
    if near * len(occurring) > 20 * MOST:
        raise too_many(kernel, min(float(near) * len(occurring), float(len(letters)) ** k))
    around = {w: neighbours(w, m, letters) for w in occurring}
    rows = []
    for s in X:
        row: dict[str, float] = {}
        for w, count in contiguous(str(s), k).items():
            for u in around.get(w, ()):
                row[u] = row.get(u, 0.0) + count
        rows.append(row)
    return counted_features(rows)


def neighbours(word: str, mismatches: int, letters: str) -> set[str]:
    """Return all words within this number of substitutions of a word.

    >>> sorted(neighbours("aa", 1, "ab"))
    ['aa', 'ab', 'ba']
    """
    near = {word}
    for places in itertools.combinations(range(len(word)), min(mismatches, len(word))):
        for chosen in itertools.product(letters, repeat=len(places)):
            changed = list(word)
            for p, letter in zip(places, chosen, strict=True):
                changed[p] = letter
            near.add("".join(changed))
    return near


@feature_map.register
def _subsequence(kernel: Subsequence, X: Array, words: Words) -> Features:
    c = kernel.order_weights()
    letters = alphabet_of(X)
    count = float(sum(float(len(letters)) ** n for n, cn in enumerate(c, 1) if cn))
    if count > min(MOST, _DENSE // max(1, len(X))):
        raise too_many(kernel, count)
    coded, _ = read_letters(X, None, letters)
    names: list[str] = []
    for n, cn in enumerate(c, 1):
        if cn:  # the letter read last is the leading digit of a word's number
            names += ["".join(reversed(word)) for word in itertools.product(letters, repeat=n)]
    if not names:
        return Features(sparse(np.zeros((len(X), 0))), ())
    return Features(sparse(subsequence_features(coded, np.arange(len(X)), kernel.decay, c)), tuple(names))


@feature_map.register
def _weighted_degree(kernel: WeightedDegree, X: Array, words: Words) -> Features:
    d = kernel.degree
    if sum(len(s) for s in X) * d > 20 * MOST:
        raise too_many(kernel, sum(len(s) for s in X) * d)
    return counted_features(
        {f"{s[p : p + j]} at {p + 1}": math.sqrt(d - j + 1) for j in range(1, d + 1) for p in range(len(s) - j + 1)}
        for s in map(str, X)
    )


@feature_map.register
def _convolution(kernel: Convolution, X: Array, words: Words) -> Features:
    splits = [kernel.decompositions(x) for x in X]
    flat = [parts for row in splits for parts in row]
    if not flat:
        return Features(sparse(np.zeros((len(X), 0))), ())
    product: Features | None = None
    for place, k in enumerate(kernel.kernels):
        part = feature_map(k, k.checked_rows([parts[place] for parts in flat]), Words())
        product = part if product is None else by_rows(kernel, product, part, "|")
    assert product is not None
    from scipy.sparse import csr_array

    ends = np.cumsum([0, *(len(row) for row in splits)])
    add = csr_array((np.ones(len(flat)), np.arange(len(flat)), ends), shape=(len(X), len(flat)))
    return Features(sparse(add @ product.matrix), product.names)


@feature_map.register
def _fisher(kernel: Fisher, X: Array, words: Words) -> Features:
    S = kernel.states
    names = [f"start in state {i + 1}" for i in range(S)]
    names += [f"move from state {i + 1} to {j + 1}" for i in range(S) for j in range(S)]
    names += [f"‘{a}’ shown in state {i + 1}" for i in range(S) for a in kernel.state.model.alphabet]
    return Features(sparse(kernel.factor_rows(X)), tuple(names))


# -- graphs, texts, series ----------------------------------------------------------------------


def _label_matrix(graph: Graph) -> tuple[list[Hashable], Array]:
    """Return the distinct labels of the nodes, and L: labels (rows) against nodes (columns)."""
    names = list(dict.fromkeys(graph.labels))
    L = np.array([[float(label == name) for label in graph.labels] for name in names])
    return names, L.reshape(len(names), graph.n)


def label_pair_walks(graph: Graph, longest: int) -> list[dict[tuple[Hashable, Hashable], float]]:
    """Return [L Eⁿ L']: for every length n the number of walks from one label to another ([D]).

    >>> ring = Graph(np.roll(np.eye(6), 1, axis=1) + np.roll(np.eye(6), -1, axis=1), labels="CCCNCC")
    >>> walks = label_pair_walks(ring, 2)
    >>> walks[1]["C", "C"], walks[2]["C", "C"], walks[2]["N", "N"]
    (8.0, 18.0, 2.0)
    """
    names, L = _label_matrix(graph)
    pairs = list(itertools.product(names, names))
    counts_by_length, reached = [], L
    for _ in range(longest + 1):
        counts_by_length.append(dict(zip(pairs, (reached @ L.T).ravel().tolist(), strict=True)))
        reached = reached @ graph.adjacency
    return counts_by_length


@feature_map.register
def _label_pairs(kernel: LabelPairs, X: Array, words: Words) -> Features:
    rows = []
    for place, graph in enumerate(X):
        names, L = _label_matrix(graph)
        pairs = (f"from {a} to {b}" for a, b in itertools.product(names, names))
        rows.append(dict(zip(pairs, kernel.walk_sums(graph, L, place).ravel().tolist(), strict=True)))
    return counted_features(rows)


def _term_names(kernel: VectorSpace | LatentSemantic) -> list[str]:
    """Return the terms of a fitted kernel, in the order of its columns."""
    vocabulary, columns = kernel.terms().vocabulary, kernel.terms().columns
    if vocabulary is None:
        return [] if columns is None else [f"term {c}" for c in columns]
    return sorted(vocabulary, key=vocabulary.__getitem__)


@feature_map.register
def _vector_space(kernel: VectorSpace, X: Array, words: Words) -> Features:
    return Features(sparse(kernel.term_counts(kernel.terms(), X)), tuple(_term_names(kernel)))


@feature_map.register
def _latent(kernel: LatentSemantic, X: Array, words: Words) -> Features:
    terms, concepts = _term_names(kernel), kernel.state
    basis = np.asarray(concepts.basis if concepts.D is None else concepts.D.T @ concepts.basis)
    names = []
    for i, column in enumerate(basis.T, 1):
        largest = np.argsort(-np.abs(column), kind="stable")[:_TERMS]
        names.append(f"concept {i} ({', '.join(terms[t] for t in largest)})")
    return Features(sparse(kernel.text_features(kernel.term_counts(kernel.terms(), X))), tuple(names))


@feature_map.register
def _autocorrelation(kernel: Autocorrelation, X: Array, words: Words) -> Features:
    matrix, each = kernel.correlations(X), kernel.lags + 1
    channels = matrix.shape[1] // each
    names = [
        f"lag {lag}" + (f", channel {channel}" if channels > 1 else "")
        for channel in range(1, channels + 1)
        for lag in range(each)
    ]
    return Features(sparse(matrix), tuple(names))
