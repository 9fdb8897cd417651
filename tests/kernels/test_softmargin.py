"""The asymmetric soft margin: labels raise the training diagonal, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernlib import (
    RBF,
    DataError,
    Deep,
    DomainError,
    Linear,
    NotFittedError,
    ParameterError,
    Repaired,
    SoftMarginDiagonal,
    parse,
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


def test_a_fitted_kernel_gives_the_inner_kernel_on_rows():
    fitted = SoftMarginDiagonal(RBF(sigma="median")).fit(X[:4], Y[:4])
    inner = RBF(sigma="median").fit(X[:4])
    np.testing.assert_allclose(fitted(X[4:], X[:4]), inner(X[4:], X[:4]))
    np.testing.assert_allclose(fitted(X[:4]), inner(X[:4]))
    np.testing.assert_allclose(fitted.diag(X), inner.diag(X))
    assert len(fitted(X, X)) == 6


def test_steps_around_it_see_the_raised_diagonal_of_the_training_rows():
    fold = Deep(SoftMarginDiagonal(Linear()), level=1, bandwidths=(1.0,)).fold(X[:4], X[4:], Y[:4])
    rho = np.array([1, 2, 2, 1]) / 4
    K = Linear()(X[:4]) + np.diag(0.02 * rho)
    d2 = np.add.outer(np.diag(K), np.diag(K)) - 2 * K
    np.testing.assert_allclose(fold.K, np.exp(-d2 / 2) / np.sqrt(2 * np.pi))


def test_the_inner_matrix_of_a_bound_kernel_is_left_alone():
    bound = SoftMarginDiagonal(Linear()).bind(X)
    everything = np.arange(6)
    first = bound.fold(everything, None, Y).K
    np.testing.assert_array_equal(bound.fold(everything, None, Y).K, first)


def test_text():
    kernel = SoftMarginDiagonal(Linear(), weight=0.1)
    assert parse(repr(kernel)) == kernel
    assert kernel.chain() == ("Linear", "diagonal + 0.1·ρ")


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (
            lambda k: k(X),
            NotFittedError,
            r"labels of the training rows are missing; .* Next: kernel\.fold\(train, test, y\)",
        ),
        (lambda k: k.fit(X), NotFittedError, "labels of the training rows are missing"),
        (lambda k: k.diag(X), NotFittedError, "labels of the training rows are missing"),
        (lambda k: k.fold(X[:3], X[3:]), NotFittedError, "labels of the training rows are missing"),
        (lambda k: k(X, X), NotFittedError, r"kernel\.fit\(train\)"),
        (lambda k: Repaired(k).fit(X, Y), NotFittedError, "put SoftMarginDiagonal around that step"),
        (
            lambda k: k.fold(X, None, [0.1, 0.2, 0.3, 0.4, 0.5, 0.7]),
            DataError,
            "y must hold classes; .* got real numbers",
        ),
        (lambda k: k.fold(X, None, [0, 1]), DomainError, "one label per row; got 6 rows and 2 labels"),
        (lambda k: SoftMarginDiagonal(Linear(), weight=-1.0), ParameterError, "weight must be .* got -1.0"),
    ],
)
def test_refusals(call, error, words):
    with pytest.raises(error, match=words):
        call(SoftMarginDiagonal(Linear()))
