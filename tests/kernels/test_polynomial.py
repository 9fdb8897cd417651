"""Polynomials of kernels with non-negative coefficients."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernlib import Linear, ParameterError, Polynomial, parse, polynomial


@settings(max_examples=40, deadline=None)
@given(c=st.lists(st.sampled_from([0.0, 0.5, 1.0, 3.0]), min_size=1, max_size=5).filter(any), seed=st.integers(0, 999))
def test_value_and_text(c, seed):
    X = np.random.default_rng(seed).normal(size=(4, 2))
    kernel = polynomial(Linear(), c)
    np.testing.assert_allclose(kernel(X), np.polynomial.polynomial.polyval(X @ X.T, c), atol=1e-12)
    assert parse(repr(kernel)) == kernel


def test_the_binomial_coefficients_make_the_polynomial_kernel():
    X = np.random.default_rng(0).normal(size=(4, 2))
    np.testing.assert_allclose(polynomial(Linear(), (1, 3, 3, 1))(X), Polynomial(degree=3, offset=1.0)(X))


@pytest.mark.parametrize(
    ("coefficients", "words"),
    [
        ((1.0, -0.5), "polynomial: coefficients must be finite numbers from 0 on; got -0.5 for the power 1"),
        ((float("inf"),), "got inf for the power 0"),
        (("1",), "got '1' for the power 0"),
        ((0, 0), r"coefficients must not all be 0; got \(0, 0\)\. Try coefficients=\(0, 1\)"),
        ((), r"must not all be 0; got \(\)"),
    ],
)
def test_refusals(coefficients, words):
    with pytest.raises(ParameterError, match=words):
        polynomial(Linear(), coefficients)
