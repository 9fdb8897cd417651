"""The locality-improved image kernel against its definition, pixel by pixel."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernlib import DomainError, LocalityImprovedImage, ParameterError, Polynomial
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


def test_moving_a_pixel_away_from_its_neighbour_lowers_the_similarity():
    near, far = np.zeros((2, 25))
    near[[12, 13]] = 1.0
    far[[12, 24]] = 1.0
    both = np.ones((1, 25))
    kernel = LocalityImprovedImage(shape=(5, 5), width=5)
    assert kernel(near[None], both)[0, 0] > kernel(far[None], both)[0, 0]


def test_one_image_of_one_pixel():
    assert LocalityImprovedImage(shape=(1, 1), width=3, d1=2, d2=3)([[2.0]]).tolist() == [[4.0**6]]


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: LocalityImprovedImage(shape=(3, 4))(np.ones((2, 10))), DomainError,
         r"X has 10 columns; expected 12, one per pixel of shape=\(3, 4\)\. Give the images' own height"),
        (lambda: LocalityImprovedImage(shape=(3,)), ParameterError,
         r"shape must be a tuple of two positive integers, \(height, width\); got \(3,\)"),
        (lambda: LocalityImprovedImage(shape=12), ParameterError, "shape must be a tuple .* got 12"),
        (lambda: LocalityImprovedImage(shape=(0, 4)), ParameterError, "two positive integers"),
        (lambda: LocalityImprovedImage(width=4), ParameterError, r"width must be odd, .* got 4\. Try width=5"),
        (lambda: LocalityImprovedImage(d1=0), ParameterError, "d1 must be an integer with 1 <= d1 <= 32; got 0"),
        (lambda: LocalityImprovedImage(d2=2.5), ParameterError, "d2 must be an integer"),
        (lambda: LocalityImprovedImage()([["a"] * 64]), DomainError, "got text"),
    ],
)  # fmt: skip
def test_refusals(call, error, words):
    with pytest.raises(error, match=words):
        call()


def test_a_shape_may_be_given_as_a_list_or_an_array():
    assert LocalityImprovedImage(shape=[3, 4]) == LocalityImprovedImage(shape=np.array([3, 4]))
