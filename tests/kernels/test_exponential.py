"""The exponential of a kernel against its power series; overflow refused."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from kernlib import Exponential, Linear, Overlap, polynomial


@settings(max_examples=30, deadline=None)
@given(gamma=st.floats(0.01, 2.0), seed=st.integers(0, 10**6))
def test_it_is_its_power_series(gamma, seed):
    X = np.random.default_rng(seed).uniform(-1, 1, size=(4, 2))
    series = polynomial(Linear(), [gamma**m / math.factorial(m) for m in range(31)])
    np.testing.assert_allclose(Exponential(Linear(), gamma=gamma)(X), series(X), rtol=1e-9)


def test_it_is_f1_after_the_composition():
    X = np.array([["a", "b"], ["a", "c"]])
    np.testing.assert_allclose(Exponential(Overlap(), gamma=0.5)(X), Overlap(after="f1", gamma=0.5)(X))
