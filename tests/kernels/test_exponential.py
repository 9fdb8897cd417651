"""The exponential of a kernel against its power series; overflow refused."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernlib import RBF, DegenerateError, Exponential, Linear, Normalized, Overlap, ParameterError, polynomial


@settings(max_examples=30, deadline=None)
@given(gamma=st.floats(0.01, 2.0), seed=st.integers(0, 10**6))
def test_it_is_its_power_series(gamma, seed):
    X = np.random.default_rng(seed).uniform(-1, 1, size=(4, 2))
    series = polynomial(Linear(), [gamma**m / math.factorial(m) for m in range(31)])
    np.testing.assert_allclose(Exponential(Linear(), gamma=gamma)(X), series(X), rtol=1e-9)


def test_normalised_it_is_the_gaussian_kernel():
    X = np.random.default_rng(0).normal(size=(6, 3))
    np.testing.assert_allclose(Normalized(Exponential(Linear(), gamma=0.25))(X), RBF(sigma=2.0)(X))


def test_it_is_f1_after_the_composition():
    X = np.array([["a", "b"], ["a", "c"]])
    np.testing.assert_allclose(Exponential(Overlap(), gamma=0.5)(X), Overlap(after="f1", gamma=0.5)(X))


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (
            lambda: Exponential(Linear())([[100.0]]),
            DegenerateError,
            r"Exponential: the inner kernel reaches 1e\+04, so with gamma=1.0 .*; expected gamma <= 0\.07098",
        ),
        (lambda: Exponential(Linear()).diag([[100.0]]), DegenerateError, "expected gamma <= 0.07098"),
        (lambda: Exponential(Linear(), gamma=0), ParameterError, "Exponential: gamma must be .* 0 < gamma; got 0"),
        (lambda: Exponential(Linear(), gamma=-1), ParameterError, "gamma must be .* got -1"),
        (lambda: Exponential(Linear(), gamma=float("nan")), ParameterError, "got nan"),
    ],
)
def test_refusals(call, error, words):
    with pytest.raises(error, match=words):
        call()
