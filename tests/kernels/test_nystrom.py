"""The Nyström approximation against its definition, and against what it approximates."""

from __future__ import annotations

import numpy as np
import pytest

from kernlib import RBF, Deep, NotFittedError, Nystrom, Standardized, Subsequence
from kernlib.data import load_dataset

X = np.random.default_rng(0).normal(size=(60, 3))


def test_the_formula_with_the_landmarks_that_were_drawn():
    kernel = Nystrom(RBF(sigma=1.5), landmarks=9, seed=3).fit(X[:40])
    L = kernel._kept
    assert len(L) == 9
    assert all((row == X[:40]).all(axis=1).any() for row in L), "training rows"
    k = RBF(sigma=1.5)
    expected = k(X[40:], L) @ np.linalg.pinv(k(L)) @ k(L, X[:40])
    np.testing.assert_allclose(kernel(X[40:], X[:40]), expected, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(kernel(L), k(L), rtol=1e-6, atol=1e-9)
    F = kernel.factor(X)
    np.testing.assert_allclose(F @ F.T, kernel(X))
    assert F.shape[1] <= 9


def test_all_training_rows_as_landmarks_change_nothing():
    fold = Nystrom(Standardized(RBF(sigma="median"))).fold(X[:40], X[40:])
    exact = Standardized(RBF(sigma="median")).fold(X[:40], X[40:])
    np.testing.assert_allclose(fold.K, exact.K, atol=1e-8)
    np.testing.assert_allclose(fold.K_star, exact.K_star, atol=1e-8)


def test_more_landmarks_come_nearer_and_another_seed_draws_others():
    exact = RBF(sigma=2.0)(X)
    errors = [np.abs(Nystrom(RBF(sigma=2.0), landmarks=m)(X) - exact).mean() for m in (5, 15, 45)]
    assert errors[0] > errors[1] > errors[2]
    assert not np.allclose(Nystrom(RBF(), landmarks=5)(X), Nystrom(RBF(), landmarks=5, seed=1)(X))


def test_the_inner_kernel_never_meets_all_pairs(monkeypatch):
    sizes = []
    true_gram = Subsequence._gram

    def counted(self, A, B):
        sizes.append((len(A), len(A if B is None else B)))
        return true_gram(self, A, B)

    monkeypatch.setattr(Subsequence, "_gram", counted)
    rows = load_dataset("markov-strings").rows
    bound = Deep(Nystrom(Subsequence(order=2), landmarks=6)).bind(rows)
    bound.fold(np.arange(30), np.arange(30, 50))
    assert sizes
    assert all(min(size) <= 6 for size in sizes)


def test_before_the_fit_there_is_no_factor():
    with pytest.raises(NotFittedError, match="factor"):
        Nystrom(RBF()).factor(X)
