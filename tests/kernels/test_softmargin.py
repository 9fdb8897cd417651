"""The asymmetric soft margin: labels raise the training diagonal, and nothing else."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from kernlib import (
    Deep,
    Linear,
    SoftMarginDiagonal,
)

X = np.random.default_rng(0).normal(size=(6, 2))
Y = np.array(["a", "b", "b", "c", "b", "a"])


@settings(max_examples=40, deadline=None)
@given(
    y=st.lists(st.integers(0, 2), min_size=4, max_size=4).filter(lambda y: len(set(y)) > 1),
    weight=st.just(0.0) | st.floats(1e-9, 1),
)
def test_the_training_diagonal_alone_is_raised_by_the_label_s_share(y, weight):
    kernel = SoftMarginDiagonal(Linear(), weight=weight)
    raised = np.diag([weight * y.count(label) / 4 for label in y])
    for fold in (kernel.fold(X[:4], X[4:], y), kernel.bind(X).fold(np.arange(4), np.arange(4, 6), y)):
        np.testing.assert_allclose(fold.K, Linear()(X[:4]) + raised)
        np.testing.assert_allclose(fold.K_star, Linear()(X[4:], X[:4]))
        np.testing.assert_allclose(fold.k_diag, Linear().diag(X[4:]))


def test_steps_around_it_see_the_raised_diagonal_of_the_training_rows():
    fold = Deep(SoftMarginDiagonal(Linear()), level=1, bandwidths=(1.0,)).fold(X[:4], X[4:], Y[:4])
    rho = np.array([1, 2, 2, 1]) / 4
    K = Linear()(X[:4]) + np.diag(0.02 * rho)
    d2 = np.add.outer(np.diag(K), np.diag(K)) - 2 * K
    np.testing.assert_allclose(fold.K, np.exp(-d2 / 2) / np.sqrt(2 * np.pi))
