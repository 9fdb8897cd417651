"""Kernels on vectors beside scikit-learn's and the formulas: distances, periods, cosines, counts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.gaussian_process import kernels as gaussian_processes
from sklearn.metrics import pairwise

from kernlib import (
    RBF,
    ChiSquared,
    Cosine,
    DegenerateError,
    DomainError,
    Intersection,
    Laplacian,
    Linear,
    Matern,
    Normalized,
    ParameterError,
    Periodic,
    Ranged,
    RationalQuadratic,
    Sigmoid,
)
from kernlib.analysis import examine

X = np.random.default_rng(0).normal(size=(30, 4))
COUNTS = np.random.default_rng(1).poisson(2.0, size=(20, 6)).astype(float)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.floats(0.3, 5.0))
def test_formulas(seed, width):
    a, b = np.random.default_rng(seed).normal(size=(2, 1, 3))
    d1, d = np.abs(a - b).sum(), np.linalg.norm(a - b)
    expected = {
        Laplacian(sigma=width): np.exp(-d1 / width),
        Matern(nu=0.5, length=width): np.exp(-d / width),
        Matern(nu=1.5, length=width): (1 + np.sqrt(3) * d / width) * np.exp(-np.sqrt(3) * d / width),
        Matern(nu=2.5, length=width): (1 + np.sqrt(5) * d / width + 5 * d**2 / (3 * width**2))
        * np.exp(-np.sqrt(5) * d / width),
        RationalQuadratic(alpha=0.7, length=width): (1 + d**2 / (1.4 * width**2)) ** -0.7,
        Periodic(period=width, length=0.8): np.exp(-2 / 0.64 * (np.sin(np.pi * (a - b) / width) ** 2).sum()),
        Sigmoid(gamma=0.2, offset=0.1): np.tanh(0.2 * (a @ b.T)[0, 0] + 0.1),
    }
    for kernel, value in expected.items():
        np.testing.assert_allclose(kernel(a, b), [[value]], rtol=1e-9, err_msg=repr(kernel))


def test_one_column_is_scikit_learns_periodic_kernel():
    x = X[:, :1]
    theirs = gaussian_processes.ExpSineSquared(length_scale=0.8, periodicity=1.7)(x)
    np.testing.assert_allclose(Periodic(period=1.7, length=0.8)(x), theirs, rtol=1e-9)


def test_limits():
    np.testing.assert_allclose(RationalQuadratic(alpha=1e8, length=1.3)(X), RBF(sigma=1.3)(X), atol=1e-6)
    np.testing.assert_allclose(Cosine()(X), Normalized(Linear())(X), rtol=1e-12)
    np.testing.assert_allclose(ChiSquared(gamma=0.4)(COUNTS), pairwise.chi2_kernel(COUNTS, gamma=0.4))
    np.testing.assert_allclose(Intersection()(COUNTS), np.minimum(COUNTS[:, None], COUNTS).sum(axis=2))


@pytest.mark.parametrize("kernel", [
    Laplacian(), Matern(), RationalQuadratic(), Periodic(), Cosine(), ChiSquared(), Intersection(),
])  # fmt: skip
def test_equal_rows_and_constant_rows(kernel):
    rows = np.abs(np.repeat(X[:9], 2, axis=0))
    K = kernel(rows)
    np.testing.assert_allclose(K[::2, 1::2].diagonal(), kernel.diag(rows[::2]), rtol=1e-14)
    constant = kernel(np.full((3, 2), 5.0))
    np.testing.assert_allclose(constant, constant[0, 0], rtol=1e-14)


def test_medians_are_learnt_from_training_rows():
    absolute = np.abs(X[:, None] - X).sum(axis=2)[np.triu_indices(30, 1)]
    assert Laplacian(sigma="median").fit(X).width() == pytest.approx(np.median(absolute))
    assert Matern(length="median").fit(X).width() == RBF(sigma="median").fit(X).width()
    with pytest.raises(DegenerateError, match=r"Matern: the median distance .* give length as a number"):
        Matern(length="median").fit(np.ones((3, 2)))


def test_rows_without_direction_and_of_any_size():
    rows = np.array([[0.0, 0.0], [1e200, 1e200], [1e-200, 0.0]])
    np.testing.assert_allclose(Cosine()(rows), [[0, 0, 0], [0, 1, np.sqrt(0.5)], [0, np.sqrt(0.5), 1]], rtol=1e-12)


def test_the_sigmoid_is_no_kernel_and_the_doctor_says_so():
    assert not Sigmoid().is_psd
    assert np.linalg.eigvalsh(Sigmoid(gamma=1.0)(X)).min() < -0.1
    findings = {finding.name: finding.sound for finding in examine(Sigmoid(gamma=1.0)(X))}
    assert findings["indefinite"] is False


@pytest.mark.parametrize("kernel", [ChiSquared(), Intersection()])
def test_negative_entries_are_refused_by_place(kernel):
    rows = COUNTS.copy()
    rows[3, 2] = -1.5
    with pytest.raises(DomainError, match=r"expected counts or shares from 0 on; row 3, column 2 is -1\.5"):
        kernel(rows)
    assert np.isfinite(Ranged(kernel)(rows)).all()


def test_refusals():
    with pytest.raises(ParameterError, match=r"nu must be one of 0\.5, 1\.5, 2\.5"):
        Matern(nu=2.0)
    with pytest.raises(ParameterError, match="period"):
        Periodic(period=0.0)
