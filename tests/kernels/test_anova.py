"""The ANOVA kernel against the enumeration of every choice of columns."""

from __future__ import annotations

import itertools
import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernlib import ANOVA, RBF, DomainError, ParameterError
from kernlib.numerics.sizes import all_sizes


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


def test_first_order_is_the_direct_sum_and_the_last_the_tensor_product():
    X = np.random.default_rng(0).normal(size=(7, 5))
    columns = [RBF(sigma=2.0)(X[:, [c]]) for c in range(5)]
    np.testing.assert_allclose(ANOVA(order=1, sigma=2.0)(X), np.sum(columns, axis=0))
    np.testing.assert_allclose(ANOVA(order=5, sigma=2.0)(X), np.prod(columns, axis=0))
    np.testing.assert_allclose(ANOVA(order=5, sigma=2.0)(X), RBF(sigma=2.0)(X))


def test_an_order_above_the_columns_leaves_zero_and_says_so():
    with pytest.warns(UserWarning, match=r"ANOVA: order=3 asks for more columns than the 2 .* Try order=2"):
        assert not ANOVA(order=3)(np.ones((4, 2))).any()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not ANOVA(order=3).diag(np.ones((4, 2))).any()


def test_blocks_of_rows_join_to_one_symmetric_matrix():
    X = np.random.default_rng(1).normal(size=(23, 4))
    whole = ANOVA(order=2)(X)
    with all_sizes(60):
        np.testing.assert_array_equal(ANOVA(order=2)(X), whole)
    np.testing.assert_array_equal(whole, whole.T)


def test_one_row_and_one_column():
    assert ANOVA(order=1)([[2.0]]).tolist() == [[1.0]]


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: ANOVA(order=0), ParameterError, "ANOVA: order must be an integer with 1 <= order <= 64; got 0"),
        (lambda: ANOVA(order=1.5), ParameterError, "order must be an integer .* got 1.5"),
        (lambda: ANOVA(sigma=-1.0), ParameterError, "ANOVA: sigma must be a finite number with 0 < sigma; got -1.0"),
        (lambda: ANOVA()([["a", "b"]]), DomainError, r"ANOVA reads a finite float array of shape \(n, d\); got text"),
        (
            lambda: ANOVA(order=64)(np.zeros((1, 2_000_000))),
            ParameterError,
            r"ANOVA: order=64 of 2000000 columns makes 2\^\d+ terms; expected .* Try a smaller order",
        ),
    ],
)
def test_refusals(call, error, words):
    with pytest.raises(error, match=words):
        call()
