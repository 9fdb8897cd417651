"""Polynomials of kernels with non-negative coefficients."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from kernlib import Linear, Polynomial, parse, polynomial


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
