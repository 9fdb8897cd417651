"""Values that rounding, overflow or underflow would decide: right, equal by every way of computing, or refused."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import pdist

import kernlib
from kernlib import (
    RBF,
    Centered,
    Deep,
    DegenerateError,
    Empirical,
    Exponential,
    GeneralOverlap,
    Linear,
    LocalityImprovedImage,
    Normalized,
    Polynomial,
    Power,
    Precomputed,
    Repaired,
    UnitRows,
)
from kernlib.errors import KernlibError
from kernlib.numerics.blocks import all_sizes
from kernlib.numerics.distances import median_distance, squared_distances

# -- distances ---------------------------------------------------------------------------------


rng = np.random.default_rng(0)
NEAR = rng.normal(size=(100, 3))
BESIDE = {
    "one row at 1e9": np.vstack([NEAR[1:], [[1e9, 0.0, 0.0]]]),
    "three clusters": np.vstack([NEAR[:30], NEAR[30:60] + 1e7, NEAR[60:] * [1, 1, -1] - [0, 3e7, 0]]),
    "epoch seconds and a zero": np.r_[1.7e9 + rng.integers(0, 5, 99), 0.0][:, None],
    "far from the origin": NEAR + 1e8,
    "overflowing squares": np.vstack([NEAR[1:], [[1e200, 0.0, 0.0]]]),
    "the ends of double precision": np.vstack([NEAR[2:], [[1.7e308, 0.0, 0.0]], [[-1.7e308, 0.0, 0.0]]]),
    "tiny": NEAR * 1e-170,
    "nothing far": NEAR,
}
ROWS = pytest.mark.parametrize("X", BESIDE.values(), ids=BESIDE)


def exact(X, Y, sigma):
    """exp(−Σ (x − y)²/2σ²), every difference by itself."""
    with np.errstate(over="ignore", under="ignore"):
        D = (X[:, None, :].astype(np.longdouble) - Y[None, :, :]) / np.longdouble(sigma)
        return np.exp(-0.5 * (D**2).sum(axis=2)).astype(float)


@ROWS
@pytest.mark.parametrize("sigma", [1.0, 30.0, 0.02])
def test_rbf_beside_far_rows(X, sigma):
    kernel = RBF(sigma=sigma)
    K = kernel(X)
    close = dict(rtol=2e-12, atol=1e-300)
    assert_allclose(K, exact(X, X, sigma), **close)
    assert_array_equal(K, K.T)
    assert_array_equal(kernel(X, X.copy()), K)
    with all_sizes(64):  # many tiles, on many threads
        assert_allclose(kernel(X), K, **close)
        assert_allclose(kernel(X, X[::-1])[:, ::-1], K, **close)
    assert np.linalg.eigvalsh(K).min() > -1e-12 * len(X)


@given(
    seed=st.integers(0, 10**6),
    exponents=st.lists(st.integers(-300, 307), min_size=2, max_size=6),
    sigma=st.sampled_from([1e-150, 1e-9, 1.0, 1e9, 1e150]),
    columns=st.integers(1, 4),
)
def test_rbf_of_any_finite_rows(seed, exponents, sigma, columns):
    draw = np.random.default_rng(seed)
    X = np.concatenate([draw.normal(size=(3, columns)) + draw.integers(0, 2) * 10.0**e for e in exponents])
    X *= 10.0 ** draw.integers(-3, 1)
    K = RBF(sigma=sigma)(X)
    assert_allclose(K, exact(X, X, sigma), rtol=1e-11, atol=1e-300)
    assert_array_equal(K, K.T)


def test_the_median_is_a_distance_where_its_square_is_none():
    for scale in (1e-250, 1e-170, 1.0, 1e170, 1e250):
        assert median_distance(NEAR * scale) == pytest.approx(float(np.median(pdist(NEAR))) * scale, rel=1e-12)
    with pytest.raises(DegenerateError, match=r"median distance .* expected .* Standardise"):
        median_distance(np.array([[1.7e308], [-1.7e308]]))
    K = RBF(sigma="median")(NEAR * 1e200)
    assert_allclose(K, RBF(sigma="median")(NEAR), rtol=1e-12)


def test_distances_in_feature_space_are_zero_where_rounding_explains_them():
    """Rows whose k(x, x) differ by 10^18: what the far one loses is not taken from the near ones."""
    X = BESIDE["one row at 1e9"]
    d = (X**2).sum(axis=1)
    d2 = squared_distances(X @ X.T, d, d)
    direct = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    assert_allclose(d2, direct, rtol=1e-9, atol=1e-13)
    same = np.ones((40, 1)) * 1e8 + np.arange(40)[:, None] * 1e-7  # equal rows, as far as K can tell
    assert not squared_distances(same @ same.T, (same**2).ravel(), (same**2).ravel()).any()
    with pytest.raises(DegenerateError, match="coincide in feature space"):
        Deep(Linear())(same)
    with pytest.raises(DegenerateError, match="coincide in feature space"):
        Deep(Linear(), level=2).fold(same[:30], same[30:])


@pytest.mark.parametrize(
    "kernel", [Linear(), Polynomial(), Polynomial(degree=7, offset=0.0), LocalityImprovedImage(shape=(1, 3), width=3)]
)
@pytest.mark.parametrize("scale", [1e150, 1e160, 1e300])
def test_what_leaves_double_precision_is_refused_with_a_next_step(kernel, scale):
    X = np.vstack([NEAR[:5], NEAR[:2] * scale])
    if kernel == Linear() and scale == 1e150:
        assert math.isfinite(Linear()(X).sum())
        return
    for call in (
        lambda: kernel(X),
        lambda: kernel(X, NEAR),
        lambda: kernel(NEAR, X),
        lambda: kernel.diag(X),
        lambda: kernel.bind(X),
        lambda: kernel.fold(NEAR, X),
        lambda: kernel.fold(X, NEAR),
    ):
        with pytest.raises(DegenerateError, match=r"row [56] is (inf|nan); expected finite values\. Standardise"):
            call()


STEPS = [
    Linear() ** 64,
    1e120 * Linear(),
    Linear() + Polynomial(),
    Polynomial() * Polynomial(),
    Power(Linear(), p=0.5),
    kernlib.Log(Linear()),
    Centered(Linear()),
    kernlib.Empirical(Linear()),
    Deep(Linear()),
    Deep(Linear(), level=2, bandwidths=(1.0, None)),
    kernlib.Conformal(Linear(), f="norm"),
    kernlib.Conformal(Linear(), f="gaussian"),
    kernlib.Normalized(Linear()),
    kernlib.Exponential(Linear()),
    kernlib.SquareRoot(Linear()),
    kernlib.Repaired(Power(Linear(), p=0.3), method="square"),
    kernlib.Standardized(Polynomial()),
]


@pytest.mark.parametrize("kernel", STEPS, ids=repr)
def test_no_step_hands_on_what_overflowed(kernel):
    """A finite matrix or an error of ours, and no warning, from every entry point."""
    for scale in (1e-160, 1e-100, 1e40, 1e100, 1e153, 1e160):
        X = np.vstack([NEAR[:6], NEAR[6:9] * scale])
        for call in (
            lambda X: kernel(X),
            lambda X: kernel.fit(X[:5])(X, X[:5]),
            kernel.diag,
            lambda X: kernel.fold(X).K,
            lambda X: kernel.bind(X).fold(np.arange(5), np.arange(5, 9)).K_star,
            lambda X: kernel.fold(X[:5], X[5:])[2],
        ):
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                try:
                    assert np.isfinite(call(X)).all()
                except KernlibError as error:
                    assert kernel.transductive or "expected" in str(error)


@pytest.mark.parametrize("base", [Linear(), Polynomial(), RBF()], ids=repr)
def test_equal_rows_are_the_origin_once_centred(base):
    """Rounding of 1e-16 is 0.34 after a power of 0.03."""
    X = np.tile([[0.1, 0.7, 1.3]], (7, 1))
    kernel = Power(Centered(base), p=0.03)
    assert not kernel(X).any()
    assert not kernel.fit(X)(X[:2], X).any()
    assert not kernel.fit(X).diag(X).any()
    assert not kernel.bind(X).fold(np.arange(4), np.arange(4, 7)).k_diag.any()


def test_a_root_makes_nothing_of_rounding():
    """Equal rows have one eigenvalue; √ of the others' rounding would be 1e-8 of it."""
    X = np.tile(NEAR[:1], (9, 1))
    for kernel in (kernlib.SquareRoot(Linear()), kernlib.SquareRoot(RBF())):
        K = kernel(X)
        assert_allclose(K, K[0, 0], rtol=1e-13)


# -- rounding ----------------------------------------------------------------------------------


WORDS = np.array([["a", "x"], ["a", "x"], ["b", "x"], ["c", "y"]], dtype=object)


@pytest.mark.parametrize("alpha", [0.1, 0.37, 1.0, 3.0])
@pytest.mark.parametrize("train", [[0], [0, 1]])
def test_categories_of_all_training_rows_have_no_length_in_any_way_of_computing(alpha, train):
    kernel, test = Normalized(GeneralOverlap(alpha=alpha)), [2, 3]
    fold, bound = kernel.fold(WORDS[train], WORDS[test]), kernel.bind(WORDS).fold(train, test)
    assert not fold.K.any()
    for one, other in zip(fold[1:], bound[1:], strict=True):
        assert_allclose(one, other, atol=1e-12)


@pytest.mark.parametrize("d", [1, 2, 3])
@pytest.mark.parametrize("power", [4, 5])
def test_a_deep_level_of_rows_that_only_rounding_separates_is_refused(d, power):
    inner = Normalized(Normalized(LocalityImprovedImage(shape=(3, 4), width=3, d1=d, d2=d))) ** power
    kernel = Deep(inner, level=2, bandwidths=(None, 1.5))
    for seed in range(10):
        X = 1e8 + np.random.default_rng(seed).choice([-1.0, 0.0, 1.0], size=(5, 12))
        with pytest.raises(DegenerateError, match="coincide in feature space"):
            kernel(X)


@pytest.mark.parametrize("sigma", [3.0, 30.0, 300.0, 1000.0, 3e4, 1e5, 1e7])
@pytest.mark.parametrize("method", ["square", "clip", "flip"])
def test_centring_is_right_to_six_digits_or_refused(method, sigma):
    kernel = Centered(Repaired(UnitRows(RBF(sigma=sigma)), method=method))
    refused = 0
    for n in (2, 5, 8):
        X = np.random.default_rng(n).normal(size=(n, 3))
        try:
            K, turned = (kernel.bind(rows).fold(np.arange(n)).K for rows in (X, X[::-1]))
        except DegenerateError:
            refused += 1
            continue
        extent = np.abs(K).max() or 1.0
        assert np.linalg.eigvalsh(K / extent).min() > -1e-6
        assert np.abs(turned[::-1, ::-1] - K).max() <= 3e-6 * extent, "the order of rows changes little"
    assert not refused or 30 < sigma < 1e7
    assert refused == 3 or method != "square" or sigma not in (300.0, 1000.0)


@pytest.mark.parametrize("step", [Deep, Normalized, Exponential, lambda k: Deep(k, bandwidths=(0.5,))])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_steps_refuse_entries_that_overflow_below_a_finite_diagonal(step, sign):
    S = np.array([[0.0, sign, sign], [sign, 0.0, -sign], [sign, -sign, 0.0]]) * 1e150
    product = Precomputed() * Precomputed() * Precomputed()
    for kernel in (step(product), Empirical(step(product))):
        with pytest.raises(DegenerateError):
            kernel.bind(S).fold([0, 1, 2])
