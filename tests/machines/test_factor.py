"""Machines on a factor F against the same machines on FF', and what they hold in memory."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from kernlib import RBF, DataError, Nystrom
from kernlib.analysis.gram import centred_alignment, class_means, diagnose
from kernlib.analysis.quick import quick_errors
from kernlib.analysis.relevant import permutation_band, relevant_dimension, relevant_dimension_loo
from kernlib.analysis.spectrum import decompose
from kernlib.analysis.summary import plain_words, summarise
from kernlib.machines import (
    MACHINES,
    SVM,
    KernelPCARegression,
    KernelPCASVM,
    KernelRidge,
    NearestCentroid,
)
from kernlib.machines.regression import left_out_errors
from kernlib.machines.solvers import by_liblinear, by_libsvm
from kernlib.values.arrays import Factor

RNG = np.random.default_rng(0)
X = RNG.normal(size=(150, 4))
F = Nystrom(RBF(sigma=1.5), landmarks=25).fit(X[:100]).factor(X)
TRAIN, TEST = F[:100], F[100:]
TWO = (X[:100, 0] + 0.7 * RNG.normal(size=100) > 0.4).astype(int)
THREE = np.digitize(X[:100, 0] + X[:100, 1] ** 2 + 0.3 * RNG.normal(size=100), [0.3, 1.2])
REAL = np.sin(X[:100, 0]) + 0.1 * RNG.normal(size=100)


def both(machine, y):
    """Decisions on the factor and on the matrices."""
    short = machine.fit(Factor(TRAIN), y).decision(Factor(TEST))
    k_diag = np.einsum("ij,ij->i", TEST, TEST)
    return short, machine.fit(TRAIN @ TRAIN.T, y).decision(TEST @ TRAIN.T, k_diag)


@pytest.mark.parametrize(
    "machine",
    [m() for m in MACHINES]
    + [KernelRidge(1e-3), KernelPCARegression(7), SVM(class_weight="balanced"), SVM(2.0, "spread")],
    ids=repr,
)
def test_the_factor_decides_as_the_matrix(machine):
    loose = isinstance(machine, SVM | KernelPCASVM)  # up to their solvers' tolerance
    for y in (TWO, THREE, REAL) if "regression" in machine.task else (TWO, THREE):
        assert_allclose(*both(machine, y), **(dict(atol=0.02) if loose else dict(rtol=1e-8, atol=1e-8)))


@pytest.mark.parametrize("C", [1e-6, 0.01, 1.0, 30.0, math.inf])
def test_the_linear_support_vector_machine_is_the_kernel_one(C):
    y = TWO if math.isfinite(C) else (X[:100, 0] > 0).astype(int)
    short, whole = both(SVM(C), y)
    assert np.abs(short - whole).max() <= 0.01 * max(1.0, np.abs(whole).max())
    machine = SVM(C).fit(Factor(TRAIN), y)
    assert set(SVM(C).fit(TRAIN @ TRAIN.T, y).support_) <= set(machine.support_)
    with pytest.raises(DataError, match="one weight per column"):
        machine.weights_


@pytest.mark.parametrize("shares", [0.5, 0.95])
def test_the_offset_of_liblinear_is_as_free_as_that_of_libsvm(shares):
    rows = RNG.normal(size=(2500, 6)) / 2.5
    sign = np.where(rows[:, 0] + 0.3 * RNG.normal(size=2500) > np.quantile(rows[:, 0], shares), 1, -1)
    came = 0
    for C in (0.1, 1.0, 10.0):
        w, b, _ = by_libsvm(rows, sign, C, 1e-4, 10**6)
        found = by_liblinear(rows, sign, C, 1e-3)
        if found is None:  # libsvm is then asked
            continue
        came += 1

        def objective(w, b, C=C):
            return w @ w / 2 + C * np.maximum(0, 1 - sign * (rows @ w + b)).sum()

        assert objective(*found) == pytest.approx(objective(w, b), rel=1e-4)
        assert_allclose(rows @ found[0] + found[1], rows @ w + b, atol=0.02 * np.abs(w).max() + 0.005)
    assert came >= 2
    # Where every row stands at the bound, a penalised offset would be far off: it is never taken for the answer.
    tiny, (w, b, _) = by_liblinear(rows, sign, 1e-7, 1e-6), by_libsvm(rows, sign, 1e-7, 1e-6, 10**6)
    assert tiny is None or abs(tiny[1] - b) < 0.05


def test_what_the_factor_tells_of_the_labels_is_what_the_matrix_tells():
    K, short = TRAIN @ TRAIN.T, Factor(TRAIN)
    found, whole = decompose(short), decompose(K)
    r = len(found.eigenvalues)
    assert_allclose(found.eigenvalues, whole.eigenvalues[:r], rtol=1e-7, atol=1e-10)
    assert_allclose(found.eigenvectors.T @ found.eigenvectors, np.eye(r), atol=1e-6)
    for y in (TWO, THREE, REAL):
        cut, exact = relevant_dimension(short, y), relevant_dimension(K, y, r)
        assert_allclose(cut.neg_log_likelihood, exact.neg_log_likelihood[:r], rtol=1e-7)
        assert_allclose(cut.variances, exact.variances, rtol=1e-6)
        assert cut.dimension == exact.dimension
        one, other = permutation_band(cut, permutations=30), permutation_band(exact, permutations=30)
        assert_allclose(one.minima, other.minima, rtol=1e-6)
        loo = relevant_dimension_loo(short, y)
        assert_allclose(loo.loo_error, relevant_dimension_loo(K, y, r).loo_error, rtol=1e-6)
        assert len(loo.energy) == len(K)
        assert loo.energy.sum() == pytest.approx((loo.labels.targets**2).sum()), "as of all directions"
        ridges, labels = np.array([0.01, 1.0]), loo.labels
        for left, right in zip(*(left_out_errors(p, labels, ridges=ridges) for p in (found, whole)), strict=True):
            assert_allclose(left, right, rtol=1e-8)
        targets = exact.labels.targets
        assert centred_alignment(short, targets) == pytest.approx(centred_alignment(K, targets), rel=1e-9)


def test_numbers_of_all_rows_and_the_ratio_of_a_sample():
    K = TRAIN @ TRAIN.T
    told, exact = diagnose(Factor(TRAIN), THREE), diagnose(K, THREE)
    for name in ("effective_rank", "alignment", "diagonal_ratio", "smallest"):
        assert getattr(told, name) == pytest.approx(getattr(exact, name), rel=1e-6, abs=1e-9), name
    assert_allclose(class_means(Factor(TRAIN), THREE), class_means(K, THREE))
    assert_allclose(told.eigenvalues, exact.eigenvalues, atol=1e-8)
    some = diagnose(Factor(TRAIN), THREE, eigenvalues=decompose(Factor(TRAIN)).eigenvalues, sample=np.arange(0, 100, 2))
    assert some.diagonal_ratio == diagnose(K[::2, ::2]).diagonal_ratio


def test_forms_are_not_mixed():
    machine = NearestCentroid().fit(Factor(TRAIN), TWO)
    with pytest.raises(DataError, match="a factor of"):
        machine.decision(TEST @ TRAIN.T)
    with pytest.raises(DataError, match="on a Gram matrix"):
        NearestCentroid().fit(TRAIN @ TRAIN.T, TWO).decision(Factor(TEST))
    with pytest.raises(DataError, match="F must be finite"):
        NearestCentroid().fit(Factor(TRAIN * np.nan), TWO)


def test_the_overview_s_numbers_are_those_of_the_matrix():
    K, order = TRAIN @ TRAIN.T, np.arange(100)
    for y, groups in ((THREE, None), (TWO, None), (REAL, None), (TWO, np.arange(100) // 5)):
        short, whole = quick_errors(Factor(TRAIN), y, groups=groups), quick_errors(K, y, groups=groups)
        assert_allclose([short.ridge, short.ridge_at], [whole.ridge, whole.ridge_at], rtol=1e-6)
    short, whole = summarise(Factor(TRAIN), THREE, order), summarise(K, THREE, order)
    assert short.within == pytest.approx(whole.within)
    assert plain_words(short) == plain_words(whole)
