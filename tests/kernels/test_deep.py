"""Deep levels against equations 2.15 to 2.18 written out by hand, on training rows and on unseen ones."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernlib import RBF, Deep, Linear, Polynomial
from kernlib.analysis.levels import deep_levels


def by_hand(base, train: np.ndarray, test: np.ndarray, levels: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """K, K* and k** of a level, entry by entry from the definition."""
    K, S, d = base(train), base(test, train), base.diag(test)
    n = len(train)
    for _ in range(levels):
        distance = np.array([[math.sqrt(max(K[i, i] - 2 * K[i, j] + K[j, j], 0)) for j in range(n)] for i in range(n)])
        h = distance.sum() / n**2
        peak = 1 / (math.sqrt(2 * math.pi) * h)
        star = np.array([[max(d[t] - 2 * S[t, j] + K[j, j], 0) for j in range(n)] for t in range(len(test))])
        K = peak * np.exp(-(distance**2) / (2 * h**2))
        S = peak * np.exp(-star / (2 * h**2))
        d = np.full(len(test), peak)
    return K, S, d


@settings(max_examples=20, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    levels=st.integers(1, 5),
    base=st.sampled_from([Linear(), RBF(sigma=1.3), Polynomial(degree=2)]),
)
def test_levels_are_the_published_equations(seed, levels, base):
    X = np.random.default_rng(seed).normal(size=(14, 3))
    train, test = X[:9], X[9:]
    K, K_star, k_diag = by_hand(base, train, test, levels)
    fitted = Deep(base, level=levels).fit(train)
    np.testing.assert_allclose(fitted(train), K, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(fitted(test, train), K_star, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(fitted.diag(test), k_diag, rtol=1e-12)
    one_by_one = deep_levels(base, train, levels)
    np.testing.assert_allclose(one_by_one[-1].K, K, rtol=1e-12, atol=1e-12)
    assert [level.level for level in one_by_one] == list(range(levels + 1))
    assert fitted.learnt_bandwidths == pytest.approx([level.bandwidth for level in one_by_one[1:]], rel=1e-12)


def test_bandwidths_by_hand():
    X = np.random.default_rng(1).normal(size=(6, 2))
    given_h = Deep(Linear(), level=2, bandwidths=(0.7, None))
    assert given_h.fit(X).learnt_bandwidths[0] == 0.7
    assert not Deep(Linear(), level=1, bandwidths=(0.7,)).learns
    whole = Deep(Linear(), level=1, bandwidths=[0.7])
    np.testing.assert_allclose(
        whole(X, X), np.exp(-((X[:, None] - X) ** 2).sum(-1) / (2 * 0.49)) / (math.sqrt(2 * math.pi) * 0.7)
    )
