"""Values that rounding, overflow or underflow would decide: refused, or equal by every way of computing them."""

from __future__ import annotations

import numpy as np
import pytest

from kernlib import (
    RBF,
    Centered,
    Deep,
    DegenerateError,
    Empirical,
    Exponential,
    GeneralOverlap,
    Linear,
    LocalityImprovedImage,
    Normalized,
    Nystrom,
    Pairs,
    Polynomial,
    Precomputed,
    Repaired,
    Standardized,
    TensorPairs,
    UnitRows,
)
from kernlib.errors import ExplainError

WORDS = np.array([["a", "x"], ["a", "x"], ["b", "x"], ["c", "y"]], dtype=object)


@pytest.mark.parametrize("alpha", [0.1, 0.37, 1.0, 3.0])
@pytest.mark.parametrize("train", [[0], [0, 1]])
def test_categories_of_all_training_rows_have_no_length_in_any_way_of_computing(alpha, train):
    kernel, test = Normalized(GeneralOverlap(alpha=alpha)), [2, 3]
    fold, bound = kernel.fold(WORDS[train], WORDS[test]), kernel.bind(WORDS).fold(train, test)
    assert not fold.K.any()
    for one, other in zip(fold[1:], bound[1:], strict=True):
        np.testing.assert_allclose(one, other, atol=1e-12)


def test_features_of_centred_pairs_are_refused_in_words_or_computed():
    pairs = Pairs(np.random.default_rng(0).normal(size=(4, 2)), [[0, 1], [2, 3], [1, 2]])
    with pytest.raises(ExplainError, match="TensorPairs has no explicit feature space"):
        Centered(TensorPairs(Linear())).features(pairs)


@pytest.mark.parametrize(
    "kernel",
    [
        Polynomial(degree=2) * Polynomial(degree=2),
        Polynomial(degree=2) ** 2,
        (Linear() * Linear()) * (Linear() * Linear()),
        (Linear() + Polynomial(degree=3)) * Polynomial(degree=2),
    ],
)
def test_features_of_products_have_different_names(kernel):
    X = np.random.default_rng(0).normal(size=(5, 3))
    matrix, names = kernel.features(X)
    assert len(set(names)) == len(names)
    np.testing.assert_allclose((matrix @ matrix.T).toarray(), kernel(X))
    assert kernel.features(X[:2], names).matrix.shape == (2, len(names))


@pytest.mark.parametrize("X", [np.ones((5, 2)), np.zeros((5, 1)), np.full((6, 2), 1e165), 1e165 * np.eye(6)])
def test_k_means_landmarks_of_equal_and_of_huge_rows(X):
    kernel = Nystrom(RBF(), 3, 0, "k-means++").fit(X)
    assert len(kernel.kept_rows) == 3
    different = len(np.unique(X, axis=0))
    assert len(np.unique(kernel.kept_rows, axis=0)) == min(3, different)


@pytest.mark.parametrize("d", [1, 2, 3])
@pytest.mark.parametrize("power", [4, 5])
def test_a_deep_level_of_rows_that_only_rounding_separates_is_refused(d, power):
    inner = Normalized(Normalized(LocalityImprovedImage(shape=(3, 4), width=3, d1=d, d2=d))) ** power
    kernel = Deep(inner, level=2, bandwidths=(None, 1.5))
    for seed in range(10):
        X = 1e8 + np.random.default_rng(seed).choice([-1.0, 0.0, 1.0], size=(5, 12))
        with pytest.raises(DegenerateError, match="coincide in feature space"):
            kernel(X)


@pytest.mark.parametrize("sigma", [3.0, 30.0, 300.0, 1000.0, 3e4, 1e5, 1e7])
@pytest.mark.parametrize("method", ["square", "clip", "flip"])
def test_centring_is_right_to_six_digits_or_refused(method, sigma):
    kernel = Centered(Repaired(UnitRows(RBF(sigma=sigma)), method=method))
    refused = 0
    for n in (2, 5, 8):
        X = np.random.default_rng(n).normal(size=(n, 3))
        try:
            K, turned = (kernel.bind(rows).fold(np.arange(n)).K for rows in (X, X[::-1]))
        except DegenerateError:
            refused += 1
            continue
        extent = np.abs(K).max() or 1.0
        assert np.linalg.eigvalsh(K / extent).min() > -1e-6
        assert np.abs(turned[::-1, ::-1] - K).max() <= 3e-6 * extent, "the order of rows changes little"
    assert not refused or 30 < sigma < 1e7
    assert refused == 3 or method != "square" or sigma not in (300.0, 1000.0)


@pytest.mark.parametrize("step", [Deep, Normalized, Exponential, lambda k: Deep(k, bandwidths=(0.5,))])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_steps_refuse_entries_that_overflow_below_a_finite_diagonal(step, sign):
    S = np.array([[0.0, sign, sign], [sign, 0.0, -sign], [sign, -sign, 0.0]]) * 1e150
    product = Precomputed() * Precomputed() * Precomputed()
    for kernel in (step(product), Empirical(step(product))):
        with pytest.raises(DegenerateError):
            kernel.bind(S).fold([0, 1, 2])


@pytest.mark.parametrize("scale", [1e-310, 1e-165, 1e165])
@pytest.mark.parametrize("kernel", [Standardized(Linear()), Standardized(RBF()), Normalized(Standardized(Linear()))])
def test_columns_of_extreme_units_are_standardised_as_others(kernel, scale):
    X = np.array([[1.0, 5.0, 2.0], [2.0, 5.0, 7.0], [4.0, 5.0, 3.0]])
    np.testing.assert_allclose(kernel(scale * X), kernel(X), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("exponent", np.arange(-78.0, -76.0, 0.25))
def test_a_length_below_the_normal_numbers_is_none_in_every_way_of_computing(exponent):
    X = np.random.default_rng(int(-4 * exponent)).normal(size=(4, 2)) * 10**exponent
    kernel = Normalized(Empirical(Linear()))
    told = kernel.fold(X[:2], X[2:])
    other = kernel.bind(X).fold(np.arange(2), np.arange(2, 4))
    for part, same in zip(told[1:], other[1:], strict=True):
        assert np.abs(part).max() <= 1 + 1e-6
        np.testing.assert_allclose(same, part, atol=1e-6)


def test_a_deep_level_knows_what_exponentials_add_to_rounding():
    X = np.array([list(word) for word in ("bbb", "bab", "bba", "aba", "aba")], dtype=object)
    near = 1e-9 * GeneralOverlap(alpha=0.1, before="f1", after="f2", gamma=1.0)
    assert GeneralOverlap(before="f1", after="f2").rounding > GeneralOverlap(before="f1").rounding > 1
    with pytest.raises(DegenerateError, match="nearly coincide"):
        Deep(near, level=1)(X)
