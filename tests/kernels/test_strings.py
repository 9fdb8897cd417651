"""Kernels on strings and texts against their definitions, word by word and letter by letter."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter, defaultdict
from dataclasses import replace
from functools import partial
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from kernlib import (
    Alignment,
    CodonImproved,
    Convolution,
    EditDistance,
    Fisher,
    GappyPair,
    LatentSemantic,
    LocalityImprovedSequence,
    Mismatch,
    Motif,
    NotFittedError,
    PriorSpectrum,
    Spectrum,
    SpectrumMixture,
    Subsequence,
    VectorSpace,
    WeightedDegree,
    naive_encoding,
    one_hot_encoding,
)
from kernlib.kernels import fisher as fisher_module
from kernlib.kernels import partial_matches
from kernlib.kernels import subsequence as subsequence_module
from kernlib.kernels import text as text_module
from kernlib.kernels import words as words_module
from kernlib.kernels.alignment import edit_distances
from kernlib.kernels.combined import two_substrings
from kernlib.kernels.words import read_letters
from kernlib.numerics.blocks import all_sizes

from .rows import ROWS
from .strings import LETTERS, ragged, rows

pytestmark = [
    pytest.mark.filterwarnings("ignore:.*every value is 0:UserWarning"),
]

# -- alignment ---------------------------------------------------------------------------------


def by_cells(s, t, match, mismatch, gap):
    H = np.zeros((len(s) + 1, len(t) + 1))
    for p in range(1, len(s) + 1):
        for q in range(1, len(t) + 1):
            score = match if s[p - 1] == t[q - 1] else mismatch
            H[p, q] = max(0, H[p - 1, q - 1] + score, H[p - 1, q] + gap, H[p, q - 1] + gap)
    return H.max()


@settings(deadline=None, max_examples=60)
@given(ragged, ragged, st.sampled_from([(2.0, -1.0, -1.0), (1.0, 0.0, 0.0), (0.7, -0.3, -0.45), (3.0, -3.0, -0.1)]))
def test_the_recursion(X, Y, scores):
    kernel = Alignment(*scores)
    expected = np.array([[by_cells(s, t, *scores) for t in Y] for s in X])
    assert_allclose(kernel(X, Y), expected, atol=1e-12)
    K = kernel(X)
    assert_allclose(K, [[by_cells(s, t, *scores) for t in X] for s in X], atol=1e-12)
    assert_allclose(kernel.diag(X), np.diag(K), atol=1e-12)


# -- encodings ---------------------------------------------------------------------------------


DNA = ["ACGTA", "ACGTT", "TTTTT", "CAGTN"]


def test_numbers_follow_the_alphabet_as_it_is_written():
    assert_array_equal(naive_encoding(["ACGT"], alphabet="TGCA"), [[3, 2, 1, 0]])
    assert_array_equal(one_hot_encoding(["GA"], alphabet="GA"), [[1, 0, 0, 1]])
    assert one_hot_encoding(["", ""]).shape == (2, 0)


# -- counts of parts ---------------------------------------------------------------------------


STRINGS = st.lists(st.text(alphabet="ACGTé", max_size=14), min_size=2, max_size=5)


def windows(s: str, length: int) -> list[str]:
    return [s[i : i + length] for i in range(len(s) - length + 1)]


def gapped(s: str, k: int, m: int) -> Counter:
    return Counter((g, w[:k], w[k + g :]) for g in range(m + 1) for w in windows(s, 2 * k + g))


def motifs(s: str, patterns: tuple[str, ...]) -> Counter:
    return Counter({p: len(re.findall(f"(?={p})", s)) for p in patterns})


MOTIFS = ("AA", "A.A", "A[CG]", "[^A]", "é")
#: Kernels and the parts that they count in a string.
COUNTED = [
    *((Spectrum(length=k), lambda s, k=k: Counter(windows(s, k))) for k in (1, 2, 4)),
    *((GappyPair(length=k, gap=m), partial(gapped, k=k, m=m)) for k, m in ((1, 0), (1, 4), (2, 1), (3, 2))),
    (SpectrumMixture(length=2), lambda s: Counter(windows(s, 1) + windows(s, 2))),
    (SpectrumMixture(length=3, weights=(4.0, 0.0, 1.0)), lambda s: Counter(2 * windows(s, 1) + windows(s, 3))),
    (Motif(patterns=MOTIFS), partial(motifs, patterns=MOTIFS)),
]


@settings(max_examples=40, deadline=None)
@given(STRINGS)
def test_parts_are_counted_one_by_one(strings):
    for kernel, parts in COUNTED:
        counted = [parts(s) for s in strings]
        expected = np.array([[sum(c * b[u] for u, c in a.items()) for b in counted] for a in counted])
        assert_array_equal(kernel(strings), expected)
        # Letters that only one side has may stand in a gap.
        assert_array_equal(kernel(strings[:1], strings[1:]), expected[:1, 1:])
        assert_array_equal(kernel.diag(strings), np.diag(expected))


# -- edit distance -----------------------------------------------------------------------------


def slowly(s: str, t: str) -> int:
    row = list(range(len(t) + 1))
    for i, a in enumerate(s, 1):
        row, before = [i], row
        for j, b in enumerate(t, 1):
            row.append(min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b)))
    return row[-1]


@settings(max_examples=40, deadline=None)
@given(STRINGS, STRINGS)
def test_edit_distances_cell_by_cell(first, second):
    expected = [[slowly(s, t) for t in second] for s in first]
    assert_array_equal(edit_distances(np.array(first, dtype=object), np.array(second, dtype=object)), expected)
    assert_allclose(EditDistance(gamma=0.3)(first, second), np.exp(-0.3 * np.array(expected)))


# -- mismatch ----------------------------------------------------------------------------------


def by_neighbours(X, length, mismatches, alphabet):
    words = list(product(alphabet, repeat=length))
    features = []
    for s in X:
        known = [w for w in windows(s, length) if set(w) <= set(alphabet)]
        features.append(
            [sum(sum(a != b for a, b in zip(w, u, strict=True)) <= mismatches for w in known) for u in words]
        )
    F = np.array(features, dtype=float).reshape(len(X), len(words))
    return F @ F.T


@settings(deadline=None, max_examples=80)
@given(
    st.lists(st.text(alphabet="abcz", max_size=8), min_size=1, max_size=5),
    st.integers(1, 4),
    st.integers(0, 4),
    st.sampled_from(["abc", "ab", "c", "abcd"]),
)
def test_mismatch_in_every_way_is_the_definition(X, length, mismatches, alphabet):
    mismatches = min(mismatches, length)
    expected = by_neighbours(X, length, mismatches, alphabet)
    kernel = Mismatch(length, mismatches, alphabet)
    assert_array_equal(kernel(X), expected)
    assert_array_equal(kernel.diag(X), np.diag(expected))
    # By tables of all words or of patterns, by pairs of equal words, by pairs of windows.
    for comparisons, words, pair in ((0, 1 << 20, 256), (0, 0, 1 << 20), (0, 0, 1e-9), (1 << 40, 0, 256)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(partial_matches, "_COMPARISONS", comparisons)
            patch.setattr(partial_matches, "_WORDS", words)
            patch.setattr(partial_matches, "PAIR", pair)
            patch.setattr(words_module, "PAIR", pair)
            for size in (3, 200, 1 << 20):
                with all_sizes(size):
                    assert_array_equal(kernel(X), expected)
                    assert_array_equal(kernel(X, X[:2]), expected[:, :2])
                    assert_array_equal(kernel.diag(X), np.diag(expected))


def test_many_mismatches_in_long_words_compare_pairs():
    """Sets of places run into the hundreds of thousands; the diagonal takes the same way."""
    X = ["acgtacgtacgtacgtacgtacgt", "acgtacgaacgtacgtaaaaacgt"]
    kernel = Mismatch(length=18, mismatches=7, alphabet="acgt")
    K = kernel(X)
    assert_allclose(kernel.diag(X), np.diag(K))


def test_the_alphabet_is_learnt_from_training_rows_alone():
    train, test = ["abab", "ba"], ["abz", "zz"]
    fitted = Mismatch(2, 1).fit(train)
    named = Mismatch(2, 1, alphabet="ab")
    assert_array_equal(fitted(test, train), named(test, train))
    assert_array_equal(fitted.diag(test), named.diag(test))
    assert fitted.diag(["zz"]) == 0  # a letter that no training row has
    with pytest.raises(NotFittedError, match="fit"):
        Mismatch(2, 1)(test, train)


# -- positions ---------------------------------------------------------------------------------


aligned = st.integers(0, 9).flatmap(
    lambda n: st.lists(st.text(alphabet=LETTERS, min_size=n, max_size=n), min_size=2, max_size=6)
)


def weighted_degree(s, t, d):
    N = len(s)
    return sum((d - j + 1) * sum(s[i : i + j] == t[i : i + j] for i in range(N - j + 1)) for j in range(1, d + 1))


def windowed(s, t, v, d1, d2, step, letters):
    places, half = range(len(s) - letters + 1), len(v) // 2

    def match(q):
        return q in places and s[q : q + letters] == t[q : q + letters]

    return sum(sum(v[j + half] * match(p + step * j) for j in range(-half, half + 1)) ** d1 for p in places) ** d2


def pairwise(k, X, Y, *more):
    return np.array([[k(s, t, *more) for t in Y] for s in X], dtype=float)


@settings(deadline=None, max_examples=40)
@given(aligned, st.integers(1, 12))
def test_weighted_degree(X, d):
    expected = pairwise(weighted_degree, X, X, d)
    kernel = WeightedDegree(d)
    assert_array_equal(kernel(X), expected)
    assert_array_equal(kernel(X[:1], X[1:]), expected[:1, 1:])
    assert_array_equal(kernel.diag(X), np.diag(expected))


@settings(deadline=None, max_examples=40)
@given(aligned, st.integers(0, 3), st.integers(1, 4), st.integers(1, 2), st.data())
def test_windows(X, half, d1, d2, data):
    v = data.draw(st.none() | st.tuples(*[st.sampled_from([0.5, 1.0, 2.25])] * (2 * half + 1)))
    weights = v or tuple(half + 1 - abs(j) for j in range(-half, half + 1))
    for cls, step, letters in ((LocalityImprovedSequence, 1, 1), (CodonImproved, 3, 3)):
        kernel = cls(half, d1, d2, v)
        expected = pairwise(windowed, X, X, weights, d1, d2, step, letters)
        assert_allclose(kernel(X), expected, rtol=1e-12)
        assert_allclose(kernel(X[:1], X[1:]), expected[:1, 1:], rtol=1e-12)
        assert_allclose(kernel.diag(X), np.diag(expected), rtol=1e-12)


def test_wide_degrees_and_tiles():
    rng = np.random.default_rng(0)
    X = ["".join(rng.choice(list("ac"), p=[0.95, 0.05], size=230)) for _ in range(4)]
    for d in (180, 181, 300):
        expected = pairwise(weighted_degree, X, X, d)
        for size in (3, 20):
            with all_sizes(size):
                assert_array_equal(WeightedDegree(d)(X), expected)
    long = ["a" * 70_000]  # Σ_p r (2d + 1 − r) is above 2³¹
    assert_array_equal(WeightedDegree(180)(long), WeightedDegree(180).diag(long)[None])
    with all_sizes(3):
        K = LocalityImprovedSequence(2, 3, 2)(X)
    assert_allclose(K, pairwise(windowed, X, X, (1, 2, 3, 2, 1), 3, 2, 1, 1), rtol=1e-12)
    assert_array_equal(K, K.T)
    with all_sizes(20):
        assert_array_equal(LocalityImprovedSequence(2, 3, 2)(X), K)


# -- spectrum ----------------------------------------------------------------------------------


def by_words(s: str, t: str, length: int) -> int:
    a, b = (Counter(windows(x, length)) for x in (s, t))
    return sum(a[u] * b[u] for u in a)


@settings(deadline=None, max_examples=60)
@given(ragged, ragged, st.integers(1, 4))
def test_spectrum_both_ways_are_the_definition(X, Y, length):
    expected = np.array([[by_words(s, t, length) for t in Y] for s in X])
    x, y = read_letters(rows(X), rows(Y))
    a, b = words_module.words_of((x, y), length)
    for pair, size in itertools.product((1 << 20, 30, 1e-9), (1, 7, 1 << 20)):
        with pytest.MonkeyPatch.context() as patch, all_sizes(size):
            patch.setattr(words_module, "PAIR", pair)
            assert_array_equal(words_module.count_products(a, b), expected)


def test_long_words_are_ranked_before_their_numbers_overflow():
    rng = np.random.default_rng(1)
    core = "".join(rng.choice(list(LETTERS), size=40))
    X = [core, "a" + core, core[1:] + core[:30], "", core[:29]]
    assert_array_equal(Spectrum(30)(X), [[by_words(s, t, 30) for t in X] for s in X])


def weight(u: str, train: list[str], length: int, of: str) -> float:
    """P(u) over that of a letter or word of usual frequency, by counting, with one added to every count."""
    units = [u for s in train for u in windows(s, 1 if of == "letters" else length)]
    counts = Counter(units)
    share = {v: (counts[v] + 1) * max(len(counts), 1) / (len(units) + len(counts) + 1) for v in {*units, u, *u}}
    return float(np.prod([share[a] for a in u])) if of == "letters" else share[u]


@settings(deadline=None, max_examples=40)
@given(ragged, ragged, st.integers(1, 3), st.sampled_from([-1.0, 0.0, 0.5]), st.sampled_from(["letters", "words"]))
def test_words_are_weighted_by_their_probability_in_the_training_strings(X, Y, length, power, of):
    fitted = PriorSpectrum(length=length, power=power, of=of).fit(X)
    a, b = ([Counter(windows(s, length)) for s in side] for side in (X, Y))
    expected = [[sum(c * s[u] * weight(u, list(X), length, of) ** power for u, c in t.items()) for s in a] for t in b]
    assert_allclose(fitted(Y, X), np.array(expected).reshape(len(Y), len(X)), rtol=1e-9)
    if power == 0.0:
        assert_array_equal(fitted(X), Spectrum(length=length)(X))
    if len(Y):
        shown = fitted.explain(Y[0], X[0])
        assert shown.value == pytest.approx(expected[0][0])
        assert sum(part.value for part in shown.parts) == pytest.approx(expected[0][0])


# -- subsequence -------------------------------------------------------------------------------


def by_subsequences(s: str, t: str, order: int, decay: float) -> float:
    def features(x: str) -> dict[str, float]:
        found: dict[str, float] = defaultdict(float)
        for i in combinations(range(len(x)), order):
            found["".join(x[k] for k in i)] += decay ** (i[-1] - i[0] + 1)
        return found

    a, b = features(s), features(t)
    return sum(v * b[u] for u, v in a.items() if u in b)


@settings(deadline=None, max_examples=60)
@given(ragged, ragged, st.integers(1, 4), st.sampled_from([0.25, 0.7, 1.0]), st.data())
def test_subsequence_both_ways_are_the_definition(X, Y, order, decay, data):
    c = tuple(data.draw(st.lists(st.sampled_from([0.0, 1.0, 0.3]), min_size=order, max_size=order)))
    expected = np.array(
        [[sum(cn * by_subsequences(s, t, n, decay) for n, cn in enumerate(c, 1)) for t in Y] for s in X]
    )
    x, y = read_letters(rows(X), rows(Y))
    for way in (subsequence_module.gram_by_features, subsequence_module.gram_by_programme):
        assert_allclose(way(x, y, False, decay, c), expected, rtol=1e-10, atol=1e-14)
    with all_sizes(1):  # a row a block
        by_blocks = subsequence_module.gram_by_features(x, x, True, decay, c)
    assert_allclose(by_blocks, subsequence_module.gram_by_programme(x, x, True, decay, c), rtol=1e-10, atol=1e-14)
    if any(c):
        assert_allclose(Subsequence(order, decay, c)(X, Y), expected, rtol=1e-10, atol=1e-14)


def test_the_cheaper_way_is_taken():
    few = rows(["acgt" * 15] * 50)
    many = rows(["".join(chr(0x4E00 + (37 * i + j) % 900) for j in range(12)) for i in range(50)])
    for X, mapped in ((few, True), (many, False)):
        x, y = read_letters(X)
        assert subsequence_module.few_features(x, y, (0.0, 0.0, 1.0)) is mapped


# -- convolution -------------------------------------------------------------------------------


PAIR = (Spectrum(length=1), Spectrum(length=2))


def by_decompositions(kernels, decompose, X, Y):
    def value(x, y):
        return sum(
            np.prod([k([a], [b])[0, 0] for k, a, b in zip(kernels, p, q, strict=True)])
            for p in decompose(x)
            for q in decompose(y)
        )

    return np.array([[value(x, y) for y in Y] for x in X], dtype=float)


strings = st.lists(st.text("ACG", max_size=5), min_size=1, max_size=5)


@pytest.mark.filterwarnings("ignore::UserWarning")
@settings(max_examples=12, deadline=None)
@given(X=strings, Y=strings, budget=st.sampled_from([1, 40, 1 << 20]))
def test_definition_with_rows_that_cannot_be_taken_apart(X, Y, budget):
    kernel = Convolution("two-substrings", PAIR)
    with all_sizes(budget):
        K, K_star, diagonal = kernel(X), kernel(X, Y), kernel.diag(X)
    assert_allclose(K, by_decompositions(PAIR, two_substrings, X, X))
    assert_array_equal(K, K.T)
    assert_allclose(K_star, by_decompositions(PAIR, two_substrings, X, Y))
    assert_allclose(diagonal, np.diag(K))


def test_the_source_s_string_of_three():
    assert two_substrings("ATG") == [("A", "TG"), ("AT", "G")]
    assert two_substrings("A") == two_substrings("") == []


# -- fisher ------------------------------------------------------------------------------------


TRAIN = ["abba", "ab", "bbbaab", "", "a", "baab"]


def log_likelihood(x, model):
    """log of the sum over every path of states."""
    if not x:
        return 0.0
    codes = [model.alphabet.find(c) for c in x]
    show = np.column_stack([model.show, np.ones(len(model.start))])  # −1: a letter not read
    total = 0.0
    for path in product(range(len(model.start)), repeat=len(codes)):
        p = model.start[path[0]] * show[path[0], codes[0]]
        for before, here, code in zip(path, path[1:], codes[1:], strict=False):
            p *= model.move[before, here] * show[here, code]
        total += p
    return np.log(total)


def softmax(theta):
    e = np.exp(theta - theta.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def test_likelihood_is_the_sum_over_paths():
    model = fisher_module._train(rows(TRAIN), 3, 5, 0)
    X = [*TRAIN, "azb"]
    found = np.empty(len(X))
    for at, counts in fisher_module._expected_counts(read_letters(rows(X), None, model.alphabet)[0], model):
        found[at] = counts.log_likelihood
    assert_allclose(found, [log_likelihood(x, model) for x in X], rtol=1e-12)


def test_gradient_is_the_difference_of_the_likelihood():
    model = fisher_module._train(rows(TRAIN), 2, 3, 1)
    step = 1e-5
    for x in ("abba", "b", "azb", ""):
        expected = []
        for name in ("start", "move", "show"):
            theta = np.log(getattr(model, name))
            for i in np.ndindex(theta.shape):
                up, down = theta.copy(), theta.copy()
                up[i] += step
                down[i] -= step
                values = [log_likelihood(x, replace(model, **{name: softmax(t)})) for t in (up, down)]
                expected.append((values[0] - values[1]) / (2 * step))
        assert_allclose(fisher_module._gradients(rows([x]), model)[0], expected, atol=1e-8)


def test_em_never_lowers_the_penalised_likelihood():
    def objective(model):
        penalty = fisher_module._PRIOR * sum(np.log(p).sum() for p in (model.start, model.move, model.show))
        return penalty + sum(log_likelihood(x, model) for x in TRAIN)

    values = [objective(fisher_module._train(rows(TRAIN), 2, r, 0)) for r in range(8)]
    assert (np.diff(values) > -1e-9).all()


@pytest.mark.parametrize("y", [[-1, 1, -1, 1, 1, -1], [0, 1, 0, 1, 1, 0], ["n", "p", "n", "p", "p", "n"]])
def test_the_positive_class_trains_the_model(y):
    positive = [x for x, label in zip(TRAIN, y, strict=True) if label in (1, "p")]
    fitted = Fisher(states=2).fit(TRAIN, y)
    assert_array_equal(fitted(TRAIN), Fisher(states=2).fit(positive)(TRAIN))


def test_letters_and_strings_that_training_never_saw():
    fitted = Fisher(states=2).fit(["ab", "ba"])
    test = ["zé漢", "", "a" * 500, "zzz"]
    K = fitted(test, ["ab", "ba"])
    assert np.isfinite(K).all()
    assert not K[1].any()
    assert np.isfinite(fitted.diag(test)).all()
    assert not K[3, 1] > fitted.diag(["ababab"])[0]  # letters not read do not swamp the others
    with pytest.warns(UserWarning, match="Fisher: the 2 training rows .* every value is 0"):
        assert not Fisher()(["", ""]).any()


# -- text --------------------------------------------------------------------------------------


TEXTS = ["The cat sat on the mat", "the dog sat", "a dog and a cat", "mat"]


def counted(texts: list[str], training: list[str]) -> np.ndarray:
    words = sorted({w for t in training for w in t.lower().split()})
    return np.array([[Counter(t.lower().split())[w] for w in words] for t in texts], dtype=float)


@settings(deadline=None)
@given(ROWS["text"])
def test_counts(texts):
    assume(any(texts))
    D = counted(texts, texts)
    assert_array_equal(VectorSpace()(texts), D @ D.T)


def test_new_texts_are_seen_through_the_training_words():
    kernel = VectorSpace().fit(TEXTS[:2])
    assert_array_equal(kernel(["cat zebra zebra"], TEXTS[:2]), [[1.0, 0.0]])
    assert_array_equal(kernel.diag(["cat zebra zebra", "zebra", ""]), [1.0, 0.0, 0.0])


def test_rare_words_weigh_more():
    D = counted(TEXTS, TEXTS)
    n = len(TEXTS)
    weights = 1 + np.log((1 + n) / (1 + (D > 0).sum(axis=0)))
    assert_allclose(VectorSpace(weighting="tf-idf")(TEXTS), (D * weights) @ (D * weights).T)
    # The weights are the training texts'.
    few = VectorSpace(weighting="tf-idf").fit(TEXTS[:2])
    assert few(["dog"], ["dog"])[0, 0] == pytest.approx((1 + math.log(3 / 2)) ** 2)


@settings(deadline=None)
@given(ROWS["text"])
def test_concepts_are_the_singular_vectors_of_the_training_texts(texts):
    train, test = texts[:-1], texts[-1:]
    assume(any(train))
    D, F = counted(train, train), counted(test, train)
    U, sigma, _ = np.linalg.svd(D.T, full_matrices=False)
    rank = int((sigma > 1e-9 * sigma[0]).sum())
    for k in (1, 2, 100):
        # Where two singular values are equal the first k are not defined.
        if k < rank and sigma[k - 1] - sigma[k] < 1e-6 * sigma[0]:
            continue
        Uk = U[:, : min(k, rank)]
        V = D @ Uk / sigma[: Uk.shape[1]]  # the eigenvectors of DD', and the dual form (3.16)
        assert_allclose((F @ D.T) @ V / sigma[: Uk.shape[1]], F @ Uk, atol=1e-8)
        fitted = LatentSemantic(concepts=k).fit(train)
        assert_allclose(fitted(train), D @ Uk @ Uk.T @ D.T, atol=1e-8)
        assert_allclose(fitted(test, train), F @ Uk @ Uk.T @ D.T, atol=1e-8)
        assert_allclose(fitted.diag(test), [np.sum((F @ Uk) ** 2)], atol=1e-8)
    assert_allclose(LatentSemantic()(train), VectorSpace()(train), atol=1e-8)


def test_lanczos_gives_what_the_whole_decomposition_gives():
    random = np.random.default_rng(0)
    texts = [" ".join(f"w{i}" for i in random.geometric(0.1, size=20)) for _ in range(60)]
    exact = LatentSemantic(concepts=5)(texts)
    with all_sizes(10):
        assert_allclose(LatentSemantic(concepts=5)(texts), exact, atol=1e-8)


def test_bound_texts_are_counted_once(monkeypatch):
    counted = []
    original = text_module._BagOfWords._counted
    monkeypatch.setattr(text_module._BagOfWords, "_counted", lambda k, X: counted.append(len(X)) or original(k, X))
    bound = LatentSemantic(concepts=2).bind(TEXTS)
    folds = [bound.fold([0, 1, 2], [3]), bound.fold([1, 2, 3], [0])]
    assert counted == [4]
    monkeypatch.undo()
    assert_allclose(folds[1].K, LatentSemantic(concepts=2)(TEXTS[1:]), atol=1e-12)
