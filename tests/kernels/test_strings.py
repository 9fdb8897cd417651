"""Kernels on strings and texts against their definitions, word by word and letter by letter."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from kernlib import (
    Fisher,
    LatentSemantic,
    Mismatch,
    PriorSpectrum,
    Spectrum,
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
from kernlib.kernels.words import read_letters
from kernlib.numerics import blocks
from kernlib.numerics.blocks import all_sizes

from .rows import ROWS
from .strings import ragged, rows
from .test_definitions import neighbours, weighted_degree, windows

pytestmark = [
    pytest.mark.filterwarnings("ignore:.*every value is 0:UserWarning"),
]


def inner_products(counts: list[Counter]) -> np.ndarray:
    return np.array([[sum(c * b[u] for u, c in a.items()) for b in counts] for a in counts])


# -- encodings ---------------------------------------------------------------------------------


def test_numbers_follow_the_alphabet_as_it_is_written():
    assert_array_equal(naive_encoding(["ACGT"], alphabet="TGCA"), [[3, 2, 1, 0]])
    assert_array_equal(one_hot_encoding(["GA"], alphabet="GA"), [[1, 0, 0, 1]])
    assert one_hot_encoding(["", ""]).shape == (2, 0)


# -- mismatch ----------------------------------------------------------------------------------


@settings(max_examples=80)
@given(
    st.lists(st.text(alphabet="abcz", max_size=8), min_size=1, max_size=5),
    st.integers(1, 4),
    st.integers(0, 4),
    st.sampled_from(["abc", "ab", "c", "abcd"]),
)
def test_mismatch_in_every_way_is_the_definition(X, length, mismatches, alphabet):
    mismatches = min(mismatches, length)
    expected = inner_products([neighbours(length, mismatches, alphabet, s) for s in X])
    kernel = Mismatch(length, mismatches, alphabet)
    # By tables of all words or of patterns, by pairs of equal words.
    for (words, pair), size in product(((1 << 20, 256), (0, 1 << 20), (0, 1e-9)), (3, 200, 1 << 20)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(partial_matches, "_WORDS", words)
            patch.setattr(partial_matches, "PAIR", pair)
            patch.setattr(words_module, "PAIR", pair)
            patch.setattr(blocks, "_replaced", size)
            assert_array_equal(kernel(X), expected)
            assert_array_equal(kernel(X, X[:2]), expected[:, :2])
            assert_array_equal(kernel.diag(X), np.diag(expected))


def test_the_alphabet_is_learnt_from_training_rows_alone():
    train, test = ["abab", "ba"], ["abz", "zz"]
    fitted = Mismatch(2, 1).fit(train)
    named = Mismatch(2, 1, alphabet="ab")
    assert_array_equal(fitted(test, train), named(test, train))
    assert_array_equal(fitted.diag(test), named.diag(test))
    assert fitted.diag(["zz"]) == 0  # a letter that no training row has


def test_wide_degrees_and_tiles():
    rng = np.random.default_rng(0)
    X = ["".join(rng.choice(list("ac"), p=[0.95, 0.05], size=230)) for _ in range(4)]
    for d in (180, 181, 300):
        expected = [[weighted_degree(d, s, t) for t in X] for s in X]
        for size in (3, 20):
            with all_sizes(size):
                assert_array_equal(WeightedDegree(d)(X), expected)
    long = ["a" * 70_000]  # Σ_p r (2d + 1 − r) is above 2³¹
    assert_array_equal(WeightedDegree(180)(long), WeightedDegree(180).diag(long)[None])


# -- spectrum ----------------------------------------------------------------------------------


@settings(max_examples=60)
@given(ragged, st.sampled_from([1, 2, 30]), st.sampled_from([1 << 20, 30, 1e-9]), st.sampled_from([1, 7, 1 << 20]))
def test_frequent_and_rare_words_are_counted_alike(X, length, pair, size):
    """Long words are ranked before their numbers overflow."""
    core = "abcé漢🧬\u0301" * 6
    X = [*X, core, "a" + core, core[1:] + core[:30]]
    expected = inner_products([Counter(windows(s, length)) for s in X])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(words_module, "PAIR", pair)
        patch.setattr(blocks, "_replaced", size)
        assert_array_equal(Spectrum(length)(X), expected)
        assert_array_equal(Spectrum(length)(X[1:], X), expected[1:])


def weight(u: str, train: list[str], length: int, of: str) -> float:
    """P(u) over that of a letter or word of usual frequency, by counting, with one added to every count."""
    units = [u for s in train for u in windows(s, 1 if of == "letters" else length)]
    counts = Counter(units)
    share = {v: (counts[v] + 1) * max(len(counts), 1) / (len(units) + len(counts) + 1) for v in {*units, u, *u}}
    return float(np.prod([share[a] for a in u])) if of == "letters" else share[u]


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


@settings(max_examples=60)
@given(
    ragged, ragged, st.lists(st.sampled_from([0.0, 1.0, 0.3]), min_size=1, max_size=4), st.sampled_from([1, 1 << 20])
)
def test_the_map_of_features_and_the_programme_agree(X, Y, weights, size):
    x, y = read_letters(rows(X), rows(Y))
    for sides, decay in product(((x, y, False), (x, x, True)), (0.25, 1.0)):
        with all_sizes(size):
            by_map = subsequence_module.gram_by_features(*sides, decay, (*weights,))
        assert_allclose(
            by_map, subsequence_module.gram_by_programme(*sides, decay, (*weights,)), rtol=1e-10, atol=1e-14
        )


def test_the_cheaper_way_is_taken():
    few = rows(["acgt" * 15] * 50)
    many = rows(["".join(chr(0x4E00 + (37 * i + j) % 900) for j in range(12)) for i in range(50)])
    for X, mapped in ((few, True), (many, False)):
        x, y = read_letters(X)
        assert subsequence_module.few_features(x, y, (0.0, 0.0, 1.0)) is mapped


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


def test_em_climbs_to_a_maximum_of_the_penalised_likelihood():
    def objective(model):
        penalty = fisher_module._PRIOR * sum(np.log(p).sum() for p in (model.start, model.move, model.show))
        return penalty + sum(log_likelihood(x, model) for x in TRAIN)

    models = [fisher_module._train(rows(TRAIN), 2, r, 0) for r in (*range(8), 10_000)]
    values = [objective(model) for model in models]
    assert (np.diff(values) > -1e-9).all()
    for name in ("start", "move", "show"):
        theta = np.log(getattr(models[-1], name))
        for i in np.ndindex(theta.shape):
            for step in (-0.3, 0.3):
                moved = theta.copy()
                moved[i] += step
                assert objective(replace(models[-1], **{name: softmax(moved)})) < values[-1]


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


# -- text --------------------------------------------------------------------------------------


TEXTS = ["The cat sat on the mat", "the dog sat", "a dog and a cat", "mat"]


def counted(texts: list[str], training: list[str]) -> np.ndarray:
    words = sorted({w for t in training for w in t.lower().split()})
    return np.array([[Counter(t.lower().split())[w] for w in words] for t in texts], dtype=float)


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
