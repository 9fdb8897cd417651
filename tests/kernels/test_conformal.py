"""Conformal transformations: f by name, f as a callable, angles kept."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernlib import RBF, Conformal, Deep, DegenerateError, Exponential, Linear, Normalized, ParameterError, Spectrum
from kernlib.wrappers.conformal import FUNCTIONS

X = np.random.default_rng(0).normal(size=(6, 3))


def first_column(rows):
    return 1.0 + rows[:, 0] ** 2


@pytest.mark.parametrize("f", [*FUNCTIONS, first_column])
def test_definition(f):
    K, d = Linear()(X), Linear().diag(X)
    values = FUNCTIONS[f](d) if isinstance(f, str) else f(X)
    expected = values[:, None] * K * values
    kernel = Conformal(Linear(), f=f)
    np.testing.assert_allclose(kernel(X), expected)
    np.testing.assert_allclose(kernel(X[:2], X), expected[:2])
    np.testing.assert_allclose(kernel.diag(X), np.diag(expected))
    for fold in (kernel.fold(X[:4], X[4:]), kernel.bind(X).fold(np.arange(4), np.arange(4, 6))):
        np.testing.assert_allclose(fold.K, expected[:4, :4])
        np.testing.assert_allclose(fold.K_star, expected[4:, :4])
        np.testing.assert_allclose(fold.k_diag, np.diag(expected)[4:])


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6), f=st.sampled_from([*FUNCTIONS, first_column]))
def test_angles_in_feature_space_stay(seed, f):
    rows = np.random.default_rng(seed).normal(size=(5, 3))
    np.testing.assert_allclose(Normalized(Conformal(Linear(), f=f))(rows), Normalized(Linear())(rows), atol=1e-12)


def test_the_inverse_norm_is_normalisation():
    strings = ["ACGT", "ACG", "", "TTTT"]
    kernel = Spectrum(length=2)
    np.testing.assert_allclose(Conformal(kernel, f="inverse-norm")(strings), Normalized(kernel)(strings))


def test_a_callable_over_a_kernel_that_learns_reads_the_rows_themselves_when_bound():
    kernel = Conformal(Deep(Linear()), f=first_column)
    fold, bound = kernel.fold(X[:4], X[4:]), kernel.bind(X).fold(np.arange(4), np.arange(4, 6))
    np.testing.assert_allclose(bound.K_star, fold.K_star)
    np.testing.assert_allclose(bound.k_diag, fold.k_diag)
    np.testing.assert_allclose(kernel.fit(X[:4])(X[4:], X[:4]), fold.K_star)


def test_callables_compare_by_identity():
    assert Conformal(Linear(), f=first_column) == Conformal(Linear(), f=first_column)
    assert Conformal(Linear(), f=first_column) != Conformal(Linear())
    assert "first_column" in Conformal(Linear(), f=first_column).chip()


def test_the_exponential_on_the_unit_sphere_is_the_gaussian_kernel():
    kernel = Conformal(Exponential(Linear(), gamma=0.25), f="inverse-norm")
    np.testing.assert_allclose(kernel(X), RBF(sigma=2.0)(X))


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (
            lambda: Conformal(Linear(), f="norms"),
            ParameterError,
            "Conformal: f must be one of 'inverse-norm', 'gaussian', 'norm'; got 'norms'",
        ),
        (lambda: Conformal(Linear(), f=3), ParameterError, "f must be one of .* got 3"),
        (
            lambda: Conformal(Linear(), f=lambda rows: rows)(X),
            DegenerateError,
            r"f must give one finite number for each row; expected shape \(6,\), got shape \(6, 3\)\. f reads all rows",
        ),
        (
            lambda: Conformal(Linear(), f=lambda rows: np.log(rows[:, 0] * 0))(np.ones((2, 1))),
            DegenerateError,
            "got values that are not finite",
        ),
    ],
)
@pytest.mark.filterwarnings("ignore:divide by zero")
def test_refusals(call, error, words):
    with pytest.raises(error, match=words):
        call()
