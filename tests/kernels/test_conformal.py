"""Conformal transformations: f by name, f as a callable, angles kept."""

from __future__ import annotations

import numpy as np
import pytest

from kernlib import Conformal, Deep, Linear

X = np.random.default_rng(0).normal(size=(6, 3))


def first_column(rows):
    return 1.0 + rows[:, 0] ** 2


@pytest.mark.parametrize(
    ("f", "values"),
    [
        ("inverse-norm", 1 / np.linalg.norm(X, axis=1)),
        ("gaussian", np.exp(-0.5 * (X**2).sum(axis=1))),
        ("norm", np.linalg.norm(X, axis=1)),
        (first_column, 1.0 + X[:, 0] ** 2),
    ],
)
def test_definition(f, values):
    np.testing.assert_allclose(Conformal(Linear(), f=f)(X), np.outer(values, values) * (X @ X.T))


def test_a_callable_over_a_kernel_that_learns_reads_the_rows_themselves_when_bound():
    kernel = Conformal(Deep(Linear()), f=first_column)
    fold, bound = kernel.fold(X[:4], X[4:]), kernel.bind(X).fold(np.arange(4), np.arange(4, 6))
    np.testing.assert_allclose(bound.K_star, fold.K_star)
    np.testing.assert_allclose(bound.k_diag, fold.k_diag)
    np.testing.assert_allclose(kernel.fit(X[:4])(X[4:], X[:4]), fold.K_star)
