"""The R-convolution against the double sum over decompositions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernlib import RBF, Convolution, Linear
from kernlib import Spectrum as Counts
from kernlib.kernels.convolution import two_substrings
from kernlib.numerics.sizes import all_sizes

PAIR = (Counts(length=1), Counts(length=2))


def by_definition(kernels, decompose, X, Y):
    def value(x, y):
        return sum(
            np.prod([k([a], [b])[0, 0] for k, a, b in zip(kernels, p, q, strict=True)])
            for p in decompose(x)
            for q in decompose(y)
        )

    return np.array([[value(x, y) for y in Y] for x in X], dtype=float)


strings = st.lists(st.text("ACG", max_size=5), min_size=1, max_size=5)


@pytest.mark.filterwarnings("ignore::UserWarning")
@settings(max_examples=25, deadline=None)
@given(X=strings, Y=strings, budget=st.sampled_from([1, 40, 1 << 20]))
def test_definition_with_rows_that_cannot_be_taken_apart(X, Y, budget):
    kernel = Convolution("two-substrings", PAIR)
    with all_sizes(budget):
        K, K_star, diagonal = kernel(X), kernel(X, Y), kernel.diag(X)
    np.testing.assert_allclose(K, by_definition(PAIR, two_substrings, X, X))
    np.testing.assert_array_equal(K, K.T)
    np.testing.assert_allclose(K_star, by_definition(PAIR, two_substrings, X, Y))
    np.testing.assert_allclose(diagonal, np.diag(K))


def halves(x):
    return [(x[:2], x[2:])]


def test_a_callable_takes_rows_of_any_kind_apart():
    X = np.random.default_rng(0).normal(size=(6, 4))
    kernel = Convolution(halves, (RBF(sigma=2.0), Linear()))
    np.testing.assert_allclose(kernel(X), RBF(sigma=2.0)(X[:, :2]) * Linear()(X[:, 2:]))
    assert kernel == Convolution(halves, (RBF(sigma=2.0), Linear()))
    assert "halves" in kernel.chip()
    np.testing.assert_allclose(kernel.bind(X).fold([0, 1, 2], [3]).K_star, kernel(X[3:4], X[:3]))


def test_the_source_s_string_of_three():
    assert two_substrings("ATG") == [("A", "TG"), ("AT", "G")]
    assert two_substrings("A") == two_substrings("") == []
