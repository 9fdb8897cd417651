"""The locality-improved image kernel against its definition, pixel by pixel."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernlib import LocalityImprovedImage, Polynomial
from kernlib.numerics.sizes import all_sizes


def by_definition(kernel, x, y):
    """[D] Locality-Improved Kernels, steps 1 to 4."""
    height, width = kernel.shape
    q = (kernel.width - 1) // 2
    product = (x * y).reshape(kernel.shape)
    total = 0.0
    for i in range(height):
        for j in range(width):
            z = sum(
                max(q - max(abs(i - a), abs(j - b)), 0) * product[a, b] for a in range(height) for b in range(width)
            )
            total += z**kernel.d1
    return total**kernel.d2


@settings(max_examples=40, deadline=None)
@given(
    shape=st.tuples(st.integers(1, 6), st.integers(1, 5)),
    width=st.sampled_from([3, 5, 9, 31]),
    d1=st.integers(1, 4),
    d2=st.integers(1, 3),
    strip=st.sampled_from([1, 7, 112]),
    seed=st.integers(0, 10**6),
)
def test_definition(shape, width, d1, d2, strip, seed):
    kernel = LocalityImprovedImage(shape=shape, width=width, d1=d1, d2=d2)
    X, Y = np.random.default_rng(seed).normal(size=(2, 3, shape[0] * shape[1]))
    with all_sizes(strip):
        K, K_star, diagonal = kernel(X), kernel(X, Y), kernel.diag(X)
    expected = np.array([[by_definition(kernel, x, y) for y in X] for x in X])
    close = dict(rtol=1e-9, atol=1e-9 * np.abs(expected).max())
    np.testing.assert_allclose(K, expected, **close)
    np.testing.assert_array_equal(K, K.T)
    np.testing.assert_allclose(K_star, [[by_definition(kernel, x, y) for y in Y] for x in X], **close)
    np.testing.assert_allclose(diagonal, np.diag(expected), **close)


@pytest.mark.parametrize("d2", [1, 2, 3])
def test_the_narrowest_window_of_power_one_is_the_homogeneous_polynomial(d2):
    X = np.random.default_rng(0).normal(size=(5, 12))
    K = LocalityImprovedImage(shape=(3, 4), width=3, d1=1, d2=d2)(X)
    np.testing.assert_allclose(K, Polynomial(degree=d2, offset=0.0)(X), atol=1e-10)
