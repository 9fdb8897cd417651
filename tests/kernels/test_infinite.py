"""Networks of infinite width: expectations by quadrature, the limits that theory names, and equal rows."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernlib import RBF, ArcCosine, InfiniteWidth, Linear, Standardized
from kernlib.parse import parse

ORACLE = json.loads((Path(__file__).parent.parent / "oracles/infinite_width.json").read_text())
X = np.array(ORACLE["X"])


def expectation(K, f) -> float:
    """E[f(u) f(u')], (u, u') ~ N(0, K), by Gauss–Hermite quadrature."""
    z, w = np.polynomial.hermite_e.hermegauss(90)
    L, w = np.linalg.cholesky(K), w / np.sqrt(2 * np.pi)
    u, v = (L[i, 0] * z[:, None] + L[i, 1] * z[None] for i in (0, 1))
    return float((w[:, None] * w * f(u) * f(v)).sum())


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10_000), weights=st.floats(0.2, 1.5), biases=st.floats(0.05, 1.0))
def test_erf_networks_by_quadrature(seed, weights, biases):
    from scipy.special import erf

    rows = np.random.default_rng(seed).normal(size=(2, 3))
    K = rows @ rows.T / 3 * weights + biases
    tangent = K[0, 1]
    for level in (1, 2):
        mean = [[expectation(K[np.ix_([i, j], [i, j])] + 1e-12 * np.eye(2), erf) for j in (0, 1)] for i in (0, 1)]
        slope = expectation(K, lambda u: 2 / np.sqrt(np.pi) * np.exp(-(u**2)))
        K = weights * np.array(mean) + biases
        tangent = K[0, 1] + weights * slope * tangent
        made = InfiniteWidth(Linear(), level=level, activation="erf", weights=weights, biases=biases)
        np.testing.assert_allclose(made(rows), K, rtol=1e-6)
        of_training = parse(repr(made).replace("nngp", "ntk"))
        np.testing.assert_allclose(of_training(rows)[0, 1], tangent, rtol=1e-5)


@pytest.mark.parametrize("make", [
    lambda level: ArcCosine(Linear(), order=0, level=level),
    lambda level: ArcCosine(RBF(sigma=0.7), order=1, level=level),
    lambda level: ArcCosine(Linear(), order=2, level=level),
    lambda level: InfiniteWidth(Linear(), level=level, of="ntk"),
    lambda level: InfiniteWidth(Linear(), level=level, activation="erf", of="ntk"),
])  # fmt: skip
def test_equal_rows_have_exactly_the_kernels_own_diagonal(make):
    """The angle of equal rows is 0: by arccos of a rounded cosine it was 1e-8, and order 0 off by as much."""
    twice = np.repeat(np.random.default_rng(3).normal(size=(40, 7)), 2, axis=0)
    for level in (1, 4):
        kernel = make(level)
        K, d = kernel(twice), kernel.diag(twice)
        np.testing.assert_allclose(K[::2, 1::2].diagonal(), d[::2], rtol=1e-14)
        np.testing.assert_allclose(kernel(twice[::2], twice[1::2]).diagonal(), d[::2], rtol=1e-14)
        np.testing.assert_allclose(K.diagonal(), d, rtol=1e-14)


def test_parallel_rows_and_opposite_rows():
    rows = np.array([[1.0, 2.0], [3.0, 6.0], [-0.7, -1.4]])
    np.testing.assert_array_equal(ArcCosine(Linear(), order=0)(rows), [[1, 1, 0], [1, 1, 0], [0, 0, 1]])
    assert ArcCosine(Linear(), order=1)(rows)[0, 2] == pytest.approx(0.0, abs=1e-15)


def test_a_row_without_length_is_at_a_right_angle():
    rows = np.array([[0.0, 0.0], [1.0, 2.0], [0.0, 0.0]])
    np.testing.assert_allclose(ArcCosine(Linear(), order=0)(rows), [[1, 0.5, 1], [0.5, 1, 0.5], [1, 0.5, 1]])
    np.testing.assert_array_equal(ArcCosine(Linear(), order=1)(rows)[0], [0, 0, 0])
    assert np.isfinite(InfiniteWidth(Linear(), level=3, biases=0.0, of="ntk")(rows)).all()


def test_level_0_is_the_mean_product_of_columns_or_the_kernel_itself():
    K = X @ X.T / X.shape[1]
    np.testing.assert_allclose(InfiniteWidth(Linear(), level=0, weights=3.0, biases=0.5)(X), 3 * K + 0.5)
    np.testing.assert_allclose(InfiniteWidth(RBF(), level=0, weights=3.0)(X), RBF()(X))
    scaled = InfiniteWidth(Standardized(Linear()), level=2)
    unscaled = Standardized(InfiniteWidth(Linear(), level=2))
    np.testing.assert_allclose(scaled(X), unscaled(X))
    # Bound to rows, the kernel inside reads numbers of rows: the columns are still known.
    np.testing.assert_allclose(scaled.bind(X).fit(np.arange(4))(np.arange(len(X)), np.arange(4)),
                               scaled.fit(X[:4])(X, X[:4]))  # fmt: skip


def test_the_edge_of_chaos():
    """At σ_w² = 2 without biases relu keeps k(x, x); erf has a fixed point below 1 beyond its edge."""
    relu = InfiniteWidth(Linear(), level=12, biases=0.0)
    np.testing.assert_allclose(relu.diag(X), 2 * (X**2).mean(axis=1), rtol=1e-12)
    assert relu.slope(0.7) == pytest.approx(1.0)
    c = np.array([-0.5, 0.3, 0.99])
    after, variance = relu.correlations(2.0, c)
    assert variance == pytest.approx(2.0)
    assert (after > c).all()
    chaotic = InfiniteWidth(Linear(), activation="erf", weights=10.0, biases=0.0)
    q = 1.0
    for _ in range(200):
        q = chaotic.correlations(q, np.ones(1))[1]
    assert chaotic.slope(q) > 1.0
    assert chaotic.correlations(q, np.array([0.999]))[0][0] < 0.999


@pytest.mark.parametrize("variance", [0.3, 2.0])
@pytest.mark.parametrize("kernel", [
    ArcCosine(Linear(), order=1), ArcCosine(Linear(), order=2), InfiniteWidth(Linear(), weights=1.5, biases=0.4),
    InfiniteWidth(Linear(), activation="erf", weights=3.0, biases=0.4),
])  # fmt: skip
def test_the_slope_is_that_of_the_map_of_correlations(kernel, variance):
    step = 1e-7
    (below, at_1), _ = kernel.correlations(variance, np.array([1.0 - step, 1.0]))
    assert kernel.slope(variance) == pytest.approx((at_1 - below) / step, rel=1e-3)
