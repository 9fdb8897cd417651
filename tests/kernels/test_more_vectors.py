"""Kernels on vectors beside scikit-learn's and the formulas: distances, periods, cosines, counts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernlib import (
    RBF,
    ChiSquared,
    Cosine,
    DegenerateError,
    DomainError,
    Intersection,
    Laplacian,
    Matern,
    Periodic,
    Ranged,
    RationalQuadratic,
    Sigmoid,
)

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


def test_medians_are_learnt_from_training_rows():
    absolute = np.abs(X[:, None] - X).sum(axis=2)[np.triu_indices(30, 1)]
    assert Laplacian(sigma="median").fit(X).width() == pytest.approx(np.median(absolute))
    assert Matern(length="median").fit(X).width() == RBF(sigma="median").fit(X).width()
    with pytest.raises(DegenerateError, match=r"Matern: the median distance .* give length as a number"):
        Matern(length="median").fit(np.ones((3, 2)))


def test_rows_without_direction_and_of_any_size():
    rows = np.array([[0.0, 0.0], [1e200, 1e200], [1e-200, 0.0]])
    np.testing.assert_allclose(Cosine()(rows), [[0, 0, 0], [0, 1, np.sqrt(0.5)], [0, np.sqrt(0.5), 1]], rtol=1e-12)


@pytest.mark.parametrize("kernel", [ChiSquared(), Intersection()])
def test_negative_entries_are_refused_by_place(kernel):
    rows = COUNTS.copy()
    rows[3, 2] = -1.5
    with pytest.raises(DomainError, match=r"expected counts or shares from 0 on; row 3, column 2 is -1\.5"):
        kernel(rows)
    assert np.isfinite(Ranged(kernel)(rows)).all()
