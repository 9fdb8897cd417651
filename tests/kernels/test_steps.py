"""Steps around kernels against their formulas."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.optimize import minimize
from scipy.stats import norm

from kernlib import (
    RBF,
    ArcCosine,
    Conformal,
    Deep,
    Eigenwise,
    Entrywise,
    InfiniteWidth,
    Linear,
    Mixture,
    Polynomial,
    Power,
    Precomputed,
    Repaired,
    SoftMarginDiagonal,
    SquareRoot,
    parse,
)
from kernlib.analysis import centred_alignment
from kernlib.analysis.levels import deep_levels

from .rows import ROWS
from .test_definitions import first_column
from .test_oracles import WIDTH

X6 = np.random.default_rng(0).normal(size=(6, 3))
X12 = np.random.default_rng(5).normal(size=(12, 3))


# -- deep --------------------------------------------------------------------------------------


def by_hand(base, train: np.ndarray, test: np.ndarray, levels: int) -> tuple[np.ndarray, ...]:
    """K, K* and k** of a level: Gaussians of the distances one level below, as wide as their mean in training."""
    K, K_star, k_diag = base(train), base(test, train), base.diag(test)
    for _ in range(levels):
        lengths = np.diagonal(K)
        among = np.maximum(np.add.outer(lengths, lengths) - 2 * K, 0.0)
        across = np.maximum(np.add.outer(k_diag, lengths) - 2 * K_star, 0.0)
        h = np.sqrt(among).sum() / len(train) ** 2
        K, K_star, k_diag = (norm.pdf(np.sqrt(squares), scale=h) for squares in (among, across, 0 * k_diag))
    return K, K_star, k_diag


@settings(max_examples=20)
@given(
    seed=st.integers(0, 10_000),
    levels=st.sampled_from([1, 2, 3, 5, 50]),
    base=st.sampled_from([Linear(), RBF(sigma=1.3), Polynomial(degree=2)]),
)
def test_levels_are_the_published_equations(seed, levels, base):
    X = np.random.default_rng(seed).normal(size=(14, 3))
    train, test = X[:9], X[9:]
    K, K_star, k_diag = by_hand(base, train, test, levels)
    fitted = Deep(base, level=levels).fit(train)
    assert_allclose(fitted(train), K, rtol=1e-12, atol=1e-12)
    assert_allclose(fitted(test, train), K_star, rtol=1e-12, atol=1e-12)
    assert_allclose(fitted.diag(test), k_diag, rtol=1e-12)
    one_by_one = deep_levels(base, train, levels)
    assert_allclose(one_by_one[-1].K, K, rtol=1e-12, atol=1e-12)
    assert [level.level for level in one_by_one] == list(range(levels + 1))
    assert fitted.learnt_bandwidths == pytest.approx([level.bandwidth for level in one_by_one[1:]], rel=1e-12)


# -- infinite ----------------------------------------------------------------------------------


X_WIDTH = np.array(WIDTH["X"])


def expectation(K, f) -> float:
    """E[f(u) f(u')], (u, u') ~ N(0, K), by Gauss–Hermite quadrature."""
    z, w = np.polynomial.hermite_e.hermegauss(180)
    L, w = np.linalg.cholesky(K), w / np.sqrt(2 * np.pi)
    u, v = (L[i, 0] * z[:, None] + L[i, 1] * z[None] for i in (0, 1))
    return float((w[:, None] * w * f(u) * f(v)).sum())


@settings(max_examples=20)
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
        assert_allclose(made(rows), K, rtol=1e-6)
        of_training = parse(repr(made).replace("nngp", "ntk"))
        assert_allclose(of_training(rows)[0, 1], tangent, rtol=1e-5)


@pytest.mark.parametrize(
    "make",
    [
        lambda level: ArcCosine(Linear(), order=0, level=level),
        lambda level: ArcCosine(RBF(sigma=0.7), order=1, level=level),
        lambda level: ArcCosine(Linear(), order=2, level=level),
        lambda level: InfiniteWidth(Linear(), level=level, of="ntk"),
        lambda level: InfiniteWidth(Linear(), level=level, activation="erf", of="ntk"),
    ],
)
def test_equal_rows_have_exactly_the_kernels_own_diagonal(make):
    """The angle of equal rows is 0: by arccos of a rounded cosine it was 1e-8, and order 0 off by as much."""
    twice = np.repeat(np.random.default_rng(3).normal(size=(40, 7)), 2, axis=0)
    for level in (1, 4):
        kernel = make(level)
        K, d = kernel(twice), kernel.diag(twice)
        assert_allclose(K[::2, 1::2].diagonal(), d[::2], rtol=1e-14)
        assert_allclose(kernel(twice[::2], twice[1::2]).diagonal(), d[::2], rtol=1e-14)
        assert_allclose(K.diagonal(), d, rtol=1e-14)


def test_rows_without_length_are_finite_without_biases():
    rows = np.array([[0.0, 0.0], [1.0, 2.0], [0.0, 0.0]])
    assert np.isfinite(InfiniteWidth(Linear(), level=3, biases=0.0, of="ntk")(rows)).all()


def test_the_edge_of_chaos():
    """At σ_w² = 2 without biases relu keeps k(x, x); erf has a fixed point below 1 beyond its edge."""
    relu = InfiniteWidth(Linear(), level=12, biases=0.0)
    assert_allclose(relu.diag(X_WIDTH), 2 * (X_WIDTH**2).mean(axis=1), rtol=1e-12)
    c = np.array([-0.5, 0.3, 0.99])
    after, variance = relu.correlations(2.0, c)
    assert variance == pytest.approx(2.0)
    assert (after > c).all()
    chaotic = InfiniteWidth(Linear(), activation="erf", weights=10.0, biases=0.0)
    q = 1.0
    for _ in range(200):
        q = chaotic.correlations(q, np.ones(1))[1]
    assert chaotic.correlations(q, np.array([0.999]))[0][0] < 0.999


# -- conformal ---------------------------------------------------------------------------------


def test_a_callable_over_a_kernel_that_learns_reads_the_rows_themselves_when_bound():
    kernel = Conformal(Deep(Linear()), f=first_column)
    fold, bound = (
        kernel.fold(X6[:4], X6[4:]),
        kernel.bind(X6).fold(np.arange(4), np.arange(4, 6)),
    )
    assert_allclose(bound.K_star, fold.K_star)
    assert_allclose(bound.k_diag, fold.k_diag)
    assert_allclose(kernel.fit(X6[:4])(X6[4:], X6[:4]), fold.K_star)


# -- drawn -------------------------------------------------------------------------------------


def test_over_the_logarithm_powers_are_exact_and_zero_stays_zero():
    K = np.array([[0.0, 1e-9, 0.3], [-1e-9, 2.0, 70.0]])
    for p in (0.3, 0.5, 1.0, 2.0):
        heights = tuple(np.geomspace(1e-3, 1.0, 5) ** p)
        step = Entrywise(Precomputed(), heights=heights, top=50.0, bottom=0.05)
        assert_allclose(step.change_entries(K.copy()), np.sign(K) * 50 * (np.abs(K) / 50) ** p, rtol=1e-12)
    K = RBF(sigma=0.5)(X12)
    root = Eigenwise(RBF(sigma=0.5), heights=(0.1, 1.0), bottom=0.01)(X12)
    top = np.linalg.eigvalsh(K)[-1]
    assert_allclose(root, np.sqrt(top) * SquareRoot(RBF(sigma=0.5))(X12), atol=1e-9)
    level = Entrywise(Precomputed(), heights=(1.0, 1.0), top=1.0, bottom=0.1)
    assert level.change_entries(np.array([0.0, 1e-12, 5.0])).tolist() == [0, 1, 1]


# -- repaired ----------------------------------------------------------------------------------


PSI = {
    "clip": lambda v: max(v, 0.0),
    "flip": abs,
    "psi": lambda v: 1.0 + v if v > 0 else 0.0,
}


@given(ROWS["matrix"])
def test_eigenvalues_go_through_psi(S):
    values, U = np.linalg.eigh(S)
    assume(np.abs(values).min() > 1e-6)
    for method, psi in PSI.items():
        expected = sum(psi(v) * np.outer(u, u) for v, u in zip(values, U.T, strict=True))
        assert_allclose(Repaired(Precomputed(), method=method)(S), expected, atol=1e-10)
    shifted = Repaired(Precomputed(), method="shift")(S)
    assert_allclose(shifted, S - min(values[0], 0.0) * np.eye(len(S)), atol=1e-10)
    assert_allclose(Repaired(Precomputed(), method="square")(S), S @ S.T, atol=1e-10)


def test_what_the_inner_kernel_learns_it_learns_from_all_rows():
    X = np.random.default_rng(0).normal(size=(6, 2))
    kernel = Repaired(Power(RBF(sigma="median"), p=0.5))
    whole = RBF(sigma="median").fit(X)
    assert_allclose(kernel.bind(X)([0, 1]), Repaired(Power(whole, p=0.5))(X)[:2, :2])
    # A kernel that was fitted by hand keeps what it has learnt.
    few = RBF(sigma="median").fit(X[:3])
    assert_allclose(SquareRoot(few)(X) @ SquareRoot(few)(X), few(X), atol=1e-12)


# -- softmargin --------------------------------------------------------------------------------


Y6 = np.array(["a", "b", "b", "c", "b", "a"])


@given(
    y=st.lists(st.integers(0, 2), min_size=4, max_size=4).filter(lambda y: len(set(y)) > 1),
    weight=st.just(0.0) | st.floats(1e-9, 1),
)
def test_the_training_diagonal_alone_is_raised_by_the_label_s_share(y, weight):
    kernel = SoftMarginDiagonal(Linear(), weight=weight)
    raised = np.diag([weight * y.count(label) / 4 for label in y])
    for fold in (
        kernel.fold(X6[:4], X6[4:], y),
        kernel.bind(X6).fold(np.arange(4), np.arange(4, 6), y),
    ):
        assert_allclose(fold.K, Linear()(X6[:4]) + raised)
        assert_allclose(fold.K_star, Linear()(X6[4:], X6[:4]))
        assert_allclose(fold.k_diag, Linear().diag(X6[4:]))


def test_steps_around_it_see_the_raised_diagonal_of_the_training_rows():
    fold = Deep(SoftMarginDiagonal(Linear()), level=1, bandwidths=(1.0,)).fold(X6[:4], X6[4:], Y6[:4])
    rho = np.array([1, 2, 2, 1]) / 4
    K = Linear()(X6[:4]) + np.diag(0.02 * rho)
    d2 = np.add.outer(np.diag(K), np.diag(K)) - 2 * K
    assert_allclose(fold.K, np.exp(-d2 / 2) / np.sqrt(2 * np.pi))


# -- mixture -----------------------------------------------------------------------------------


X40 = np.random.default_rng(0).normal(size=(40, 3))
Y40 = np.where(X40[:, 0] + 0.5 * X40[:, 1] ** 2 > 0.3, "a", "b")
KERNELS = (Linear(), RBF(sigma=0.5), RBF(sigma=2.0), RBF(sigma=8.0))


def test_learnt_weights_have_the_largest_alignment():
    """No other weights ≥ 0 do better: searched from many starts."""
    signs = np.where(Y40 == "a", 1.0, -1.0)
    fitted = Mixture(KERNELS, weights="alignment").fit(X40, Y40)
    weights = np.array(fitted.used_weights())
    assert weights.min() >= 0.0
    assert weights.sum() == pytest.approx(1.0)
    matrices = [k(X40) for k in KERNELS]

    def loss(v: np.ndarray) -> float:
        return -centred_alignment(sum(w * K for w, K in zip(np.abs(v) + 1e-12, matrices, strict=True)), signs)

    starts = np.random.default_rng(1).random((6, 4))
    best = min(minimize(loss, v, method="Nelder-Mead", options={"maxiter": 2000, "xatol": 1e-8}).fun for v in starts)
    assert -centred_alignment(fitted(X40), signs) <= best + 1e-6
    assert max(centred_alignment(K, signs) for K in matrices) <= centred_alignment(fitted(X40), signs) + 1e-12


def test_test_rows_never_influence_the_weights():
    kernel = Mixture(KERNELS, weights="alignment")
    train, test = np.arange(25), np.arange(25, 40)
    fold = kernel.fold(X40[train], X40[test], Y40[train])
    bound = kernel.bind(X40).fold(train, test, Y40[train])
    assert_allclose(fold.K_star, bound.K_star)
    assert_allclose(fold.kernel.used_weights(), kernel.fit(X40[train], Y40[train]).used_weights())
    assert_allclose(fold.kernel(X40[test], X40[train]), fold.K_star)
    assert_allclose(fold.kernel.diag(X40[test]), fold.k_diag)
