"""Weighted degree, locality- and codon-improved kernels against their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernlib import (
    CodonImproved,
    LocalityImprovedSequence,
    WeightedDegree,
)
from kernlib.numerics.sizes import all_sizes

from .strings import LETTERS

pytestmark = pytest.mark.filterwarnings("ignore:.*every value is 0:UserWarning")

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


def table(k, X, Y, *more):
    return np.array([[k(s, t, *more) for t in Y] for s in X], dtype=float)


@settings(deadline=None, max_examples=40)
@given(aligned, st.integers(1, 12))
def test_weighted_degree(X, d):
    expected = table(weighted_degree, X, X, d)
    kernel = WeightedDegree(d)
    np.testing.assert_array_equal(kernel(X), expected)
    np.testing.assert_array_equal(kernel(X[:1], X[1:]), expected[:1, 1:])
    np.testing.assert_array_equal(kernel.diag(X), np.diag(expected))


@settings(deadline=None, max_examples=40)
@given(aligned, st.integers(0, 3), st.integers(1, 4), st.integers(1, 2), st.data())
def test_windows(X, half, d1, d2, data):
    v = data.draw(st.none() | st.tuples(*[st.sampled_from([0.5, 1.0, 2.25])] * (2 * half + 1)))
    weights = v or tuple(half + 1 - abs(j) for j in range(-half, half + 1))
    for cls, step, letters in ((LocalityImprovedSequence, 1, 1), (CodonImproved, 3, 3)):
        kernel = cls(half, d1, d2, v)
        expected = table(windowed, X, X, weights, d1, d2, step, letters)
        np.testing.assert_allclose(kernel(X), expected, rtol=1e-12)
        np.testing.assert_allclose(kernel(X[:1], X[1:]), expected[:1, 1:], rtol=1e-12)
        np.testing.assert_allclose(kernel.diag(X), np.diag(expected), rtol=1e-12)


def test_wide_degrees_and_tiles():
    rng = np.random.default_rng(0)
    X = ["".join(rng.choice(list("ac"), p=[0.95, 0.05], size=230)) for _ in range(7)]
    for d in (180, 181, 300):
        expected = table(weighted_degree, X, X, d)
        for size in (3, 20):
            with all_sizes(size):
                np.testing.assert_array_equal(WeightedDegree(d)(X), expected)
    long = ["a" * 70_000]  # Σ_p r (2d + 1 − r) is above 2³¹
    np.testing.assert_array_equal(WeightedDegree(180)(long), WeightedDegree(180).diag(long)[None])
    with all_sizes(3):
        K = LocalityImprovedSequence(2, 3, 2)(X)
    np.testing.assert_allclose(K, table(windowed, X, X, (1, 2, 3, 2, 1), 3, 2, 1, 1), rtol=1e-12)
    np.testing.assert_array_equal(K, K.T)
    with all_sizes(20):
        np.testing.assert_array_equal(LocalityImprovedSequence(2, 3, 2)(X), K)
