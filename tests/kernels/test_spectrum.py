"""Spectrum: against counting words one by one; tables and lists of counts agree."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernlib import PriorSpectrum, Spectrum
from kernlib.kernels import words as module
from kernlib.kernels.letters import read_letters

from .strings import LETTERS, ragged, rows

pytestmark = pytest.mark.filterwarnings("ignore:(Prior)?Spectrum:UserWarning")


def by_definition(s: str, t: str, length: int) -> int:
    a, b = (Counter(x[i : i + length] for i in range(len(x) - length + 1)) for x in (s, t))
    return sum(a[u] * b[u] for u in a)


@settings(deadline=None, max_examples=60)
@given(ragged, ragged, st.integers(1, 4))
def test_both_ways_are_the_definition(X, Y, length):
    expected = np.array([[by_definition(s, t, length) for t in Y] for s in X])
    x, y = read_letters(rows(X), rows(Y))
    a, b = module.words_of((x, y), length, range(length))
    np.testing.assert_array_equal(module.product_of_tables(a, b), expected)
    np.testing.assert_array_equal(module.product_of_lists(a, b), expected)
    np.testing.assert_array_equal(module.product_of_pairs(a, b), expected)
    np.testing.assert_array_equal(Spectrum(length)(X, Y), expected)
    K = Spectrum(length)(X)
    np.testing.assert_array_equal(K, [[by_definition(s, t, length) for t in X] for s in X])
    np.testing.assert_array_equal(Spectrum(length).diag(X), np.diag(K))


def test_long_words_are_ranked_before_their_numbers_overflow():
    rng = np.random.default_rng(1)
    core = "".join(rng.choice(list(LETTERS), size=40))
    X = [core, "a" + core, core[1:] + core[:30], "", core[:29]]
    np.testing.assert_array_equal(Spectrum(30)(X), [[by_definition(s, t, 30) for t in X] for s in X])


def weight(u: str, train: list[str], length: int, of: str) -> float:
    """P(u) over that of a letter or word of usual frequency, by counting, with one added to every count."""
    units = [s[i : i + n] for n in [1 if of == "letters" else length] for s in train for i in range(len(s) - n + 1)]
    counts = Counter(units)
    share = {v: (counts[v] + 1) * max(len(counts), 1) / (len(units) + len(counts) + 1) for v in {*units, u, *u}}
    return float(np.prod([share[a] for a in u])) if of == "letters" else share[u]


@settings(deadline=None, max_examples=40)
@given(ragged, ragged, st.integers(1, 3), st.sampled_from([-1.0, 0.0, 0.5]), st.sampled_from(["letters", "words"]))
def test_words_are_weighted_by_their_probability_in_the_training_strings(X, Y, length, power, of):
    fitted = PriorSpectrum(length=length, power=power, of=of).fit(X)
    a, b = ([Counter(s[i : i + length] for i in range(len(s) - length + 1)) for s in side] for side in (X, Y))
    expected = [[sum(c * s[u] * weight(u, list(X), length, of) ** power for u, c in t.items()) for s in a] for t in b]
    np.testing.assert_allclose(fitted(Y, X), np.array(expected).reshape(len(Y), len(X)), rtol=1e-9)
    if power == 0.0:
        np.testing.assert_array_equal(fitted(X), Spectrum(length=length)(X))
    if len(Y):
        shown = fitted.explain(Y[0], X[0])
        assert shown.value == pytest.approx(expected[0][0])
        assert sum(part.value for part in shown.parts) == pytest.approx(expected[0][0])
