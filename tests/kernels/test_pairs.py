"""Pairwise kernels against their formulas, bound, unbound, and with a base kernel that learns."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from kernlib import (
    RBF,
    Diffusion,
    Linear,
    MetricPairs,
    Pairs,
    Precomputed,
    Spectrum,
    TensorPairs,
    TransductiveError,
)

from .rows import ROWS

S = np.array([[2.0, 1.0, -0.5], [1.0, 3.0, 0.2], [-0.5, 0.2, 1.0]])


@settings(deadline=None)
@given(ROWS["pair"])
def test_formulas(rows: Pairs):
    K, (p, q) = rows.rows, rows.numbers.T
    for shift in (0.0, 1.0):
        B = K + shift
        tensor = B[np.ix_(p, p)] * B[np.ix_(q, q)] + B[np.ix_(p, q)] * B[np.ix_(q, p)]
        np.testing.assert_allclose(TensorPairs(Precomputed(), shift=shift)(rows), tensor, atol=1e-9)
    metric = (K[np.ix_(p, p)] + K[np.ix_(q, q)] - K[np.ix_(p, q)] - K[np.ix_(q, p)]) ** 2
    np.testing.assert_allclose(MetricPairs(Precomputed())(rows), metric, atol=1e-9)
    np.testing.assert_allclose(MetricPairs(Precomputed().bind(K))(rows.numbers), metric, atol=1e-9)


def test_any_base_kernel():
    texts = ["ACGT", "ACGA", "TTTT"]
    numbers = np.array([[0, 1], [1, 2]])
    bound = TensorPairs(Spectrum(length=2).bind(texts))(numbers)
    np.testing.assert_array_equal(TensorPairs(Spectrum(length=2))((texts, numbers)), bound)
    A = np.ones((3, 3))
    kernel = TensorPairs(Diffusion())
    assert kernel.transductive
    np.testing.assert_allclose(
        kernel.bind((A, numbers)).fold([0], [1]).K_star, TensorPairs(Diffusion().bind(A))(numbers)[1:, :1]
    )
    for call in (lambda: kernel(Pairs(A, numbers), Pairs(A, numbers)), lambda: kernel.fold((A, numbers), (A, numbers))):
        with pytest.raises(TransductiveError, match="bind"):
            call()


def test_the_base_learns_from_the_objects_of_the_training_pairs():
    X = np.random.default_rng(1).normal(size=(6, 2))
    train, test = np.array([[0, 1], [1, 3]]), np.array([[4, 5]])
    learnt = RBF(sigma="median").fit(X[[0, 1, 3]])
    expected = TensorPairs(learnt.bind(X))
    everything = np.vstack([train, test])
    spec, bound = TensorPairs(RBF(sigma="median")), TensorPairs(RBF(sigma="median").bind(X))
    for fold in (
        spec.fold(Pairs(X, train), Pairs(X, test)),
        bound.fold(train, test),
        spec.bind(Pairs(X, everything)).fold([0, 1], [2]),
        bound.bind(everything).fold([0, 1], [2]),
    ):
        np.testing.assert_allclose(fold.K, expected(train))
        np.testing.assert_allclose(fold.K_star, expected(test, train))
        np.testing.assert_allclose(fold.k_diag, expected.diag(test))


def test_a_base_matrix_is_computed_once_for_a_sum(monkeypatch):
    calls = []
    original = Linear.gram
    monkeypatch.setattr(Linear, "gram", lambda k, X, Y: calls.append(1) or original(k, X, Y))
    (TensorPairs(Linear() + 1.0) + MetricPairs(Linear() + 1.0) + 1.0).bind(Pairs(S, [[0, 1], [1, 2]]))
    assert len(calls) == 1


def test_pairs_are_rows():
    pairs = Pairs(S, [[0, 1], [1, 2], [2, 2]])
    assert len(pairs) == 3
    assert pairs.shape == (3,)
    np.testing.assert_array_equal(pairs[[0, 2]].numbers, [[0, 1], [2, 2]])
    assert len(pairs[0]) == 1
    np.testing.assert_array_equal(pairs[np.array([True, False, True])].numbers, [[0, 1], [2, 2]])
