"""Words counted by hand, concepts by NumPy's singular value decomposition, and the dual form (3.16)."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import assume, given, settings

from kernlib import LatentSemantic, VectorSpace
from kernlib.kernels import text as module
from kernlib.numerics.sizes import all_sizes

from .rows import ROWS

TEXTS = ["The cat sat on the mat", "the dog sat", "a dog and a cat", "mat"]


def table(texts: list[str], training: list[str]) -> np.ndarray:
    words = sorted({w for t in training for w in t.lower().split()})
    return np.array([[Counter(t.lower().split())[w] for w in words] for t in texts], dtype=float)


@settings(deadline=None)
@given(ROWS["text"])
def test_counts(texts):
    assume(any(texts))
    D = table(texts, texts)
    np.testing.assert_array_equal(VectorSpace()(texts), D @ D.T)


def test_new_texts_are_seen_through_the_training_words():
    kernel = VectorSpace().fit(TEXTS[:2])
    np.testing.assert_array_equal(kernel(["cat zebra zebra"], TEXTS[:2]), [[1.0, 0.0]])
    np.testing.assert_array_equal(kernel.diag(["cat zebra zebra", "zebra", ""]), [1.0, 0.0, 0.0])


def test_rare_words_weigh_more():
    D = table(TEXTS, TEXTS)
    n = len(TEXTS)
    weights = 1 + np.log((1 + n) / (1 + (D > 0).sum(axis=0)))
    np.testing.assert_allclose(VectorSpace(weighting="tf-idf")(TEXTS), (D * weights) @ (D * weights).T)
    # The weights are the training texts'.
    few = VectorSpace(weighting="tf-idf").fit(TEXTS[:2])
    assert few(["dog"], ["dog"])[0, 0] == pytest.approx((1 + math.log(3 / 2)) ** 2)


@settings(deadline=None)
@given(ROWS["text"])
def test_concepts_are_the_singular_vectors_of_the_training_texts(texts):
    train, test = texts[:-1], texts[-1:]
    assume(any(train))
    D, F = table(train, train), table(test, train)
    U, sigma, _ = np.linalg.svd(D.T, full_matrices=False)
    rank = int((sigma > 1e-9 * sigma[0]).sum())
    for k in (1, 2, 100):
        # Where two singular values are equal the first k are not defined.
        if k < rank and sigma[k - 1] - sigma[k] < 1e-6 * sigma[0]:
            continue
        Uk = U[:, : min(k, rank)]
        fitted = LatentSemantic(concepts=k).fit(train)
        np.testing.assert_allclose(fitted(train), D @ Uk @ Uk.T @ D.T, atol=1e-8)
        np.testing.assert_allclose(fitted(test, train), F @ Uk @ Uk.T @ D.T, atol=1e-8)
        np.testing.assert_allclose(fitted.diag(test), [np.sum((F @ Uk) ** 2)], atol=1e-8)
    np.testing.assert_allclose(LatentSemantic()(train), VectorSpace()(train), atol=1e-8)


@settings(deadline=None)
@given(ROWS["text"])
def test_primal_and_dual_are_the_same(texts):
    assume(any(texts))
    kernel = LatentSemantic(concepts=2)
    terms, D = kernel._learn_terms(np.array(texts, dtype=object))
    primal, dual = (kernel.with_state(kernel._concepts(terms, D, dual=form)) for form in (False, True))
    assert primal.state.D is None
    assert dual.state.D is not None
    np.testing.assert_allclose(primal(texts), dual(texts), atol=1e-9)


def test_lanczos_gives_what_the_whole_decomposition_gives():
    random = np.random.default_rng(0)
    texts = [" ".join(f"w{i}" for i in random.geometric(0.1, size=20)) for _ in range(60)]
    exact = LatentSemantic(concepts=5)(texts)
    with all_sizes(10):
        np.testing.assert_allclose(LatentSemantic(concepts=5)(texts), exact, atol=1e-8)


def test_bound_texts_are_counted_once(monkeypatch):
    counted = []
    original = module._BagOfWords._counted
    monkeypatch.setattr(module._BagOfWords, "_counted", lambda k, X: counted.append(len(X)) or original(k, X))
    bound = LatentSemantic(concepts=2).bind(TEXTS)
    folds = [bound.fold([0, 1, 2], [3]), bound.fold([1, 2, 3], [0])]
    assert counted == [4]
    monkeypatch.undo()
    np.testing.assert_allclose(folds[1].K, LatentSemantic(concepts=2)(TEXTS[1:]), atol=1e-12)
