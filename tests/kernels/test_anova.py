"""The ANOVA kernel against the enumeration of every choice of columns."""

from __future__ import annotations

import itertools
import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from kernlib import ANOVA


def enumerated(X, Y, order, sigma):
    """[D] Convolution Kernels (cont'd): one product for every i_1 < … < i_D."""

    def k(u, v):
        return math.exp(-((u - v) ** 2) / (2 * sigma**2))

    choices = list(itertools.combinations(range(X.shape[1]), order))
    return np.array([[sum(math.prod(k(x[i], y[i]) for i in c) for c in choices) for y in Y] for x in X])


@settings(max_examples=60, deadline=None)
@given(columns=st.integers(1, 6), order=st.integers(1, 6), sigma=st.floats(0.2, 5.0), seed=st.integers(0, 10**6))
def test_recursion_is_the_enumeration(columns, order, sigma, seed):
    order = min(order, columns)
    X, Y = np.random.default_rng(seed).normal(size=(2, 4, columns))
    kernel = ANOVA(order=order, sigma=sigma)
    np.testing.assert_allclose(kernel(X), enumerated(X, X, order, sigma), rtol=1e-11)
    np.testing.assert_allclose(kernel(X, Y), enumerated(X, Y, order, sigma), rtol=1e-11, atol=1e-300)
    np.testing.assert_allclose(kernel.diag(X), math.comb(columns, order))
