"""The explicit feature spaces of base kernels: columns, words, label pairs, terms, concepts."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from ..kernels.categorical import DrawnOverlap, Overlap, ProbabilityOverlap
from ..kernels.convolution import Convolution
from ..kernels.fisher import Fisher
from ..kernels.gappy import Motif, OfWords
from ..kernels.graphs import LabelPairs
from ..kernels.letters import alphabet_of, read_letters
from ..kernels.mismatch import Mismatch
from ..kernels.nominal import missing
from ..kernels.positions import WeightedDegree
from ..kernels.spectrum import PriorSpectrum, Spectrum
from ..kernels.subsequence import Subsequence
from ..kernels.subsequence import features as subsequence_features
from ..kernels.text import LatentSemantic, VectorSpace
from ..kernels.vectors import Linear, Polynomial
from ..values.arrays import Array
from .aligned import parameter_names
from .categorical import share_of
from .explanation import Words
from .features import MOST, Features, by_rows, counted_features, feature_map, sparse, too_many
from .graphs import label_pair_sums
from .strings import contiguous, pattern_words
from .texts import concept_words, term_names

#: Entries of a dense table of words.
_DENSE = 1 << 25


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
    rows = (pattern_words(kernel, str(s)) for s in X)
    return counted_features({word: count * math.sqrt(weight) for word, (count, weight) in row.items()} for row in rows)


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
        {
            f"{s[p : p + j]} at {p + 1}": math.sqrt(d - j + 1)
            for j in range(1, d + 1)
            for p in range(len(s) - j + 1)
        }
        for s in map(str, X)
    )  # fmt: skip


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
    return Features(sparse(kernel.factor_rows(X)), tuple(parameter_names(kernel)))


# -- graphs and texts ---------------------------------------------------------------------------


@feature_map.register
def _label_pairs(kernel: LabelPairs, X: Array, words: Words) -> Features:
    sums = (label_pair_sums(kernel, graph, number) for number, graph in enumerate(X))
    return counted_features({f"from {a} to {b}": value for (a, b), value in row.items()} for row in sums)


@feature_map.register
def _vector_space(kernel: VectorSpace, X: Array, words: Words) -> Features:
    return Features(sparse(kernel.term_counts(kernel.terms(), X)), tuple(term_names(kernel)))


@feature_map.register
def _latent(kernel: LatentSemantic, X: Array, words: Words) -> Features:
    matrix = kernel.text_features(kernel.term_counts(kernel.terms(), X))
    names = (f"concept {i} ({', '.join(terms)})" for i, terms in enumerate(concept_words(kernel), 1))
    return Features(sparse(matrix), tuple(names))
