"""Mismatch: against enumerating every neighbour; features, patterns and pairs of windows agree."""

from __future__ import annotations

from functools import partial
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernlib import Mismatch, NotFittedError
from kernlib.kernels import gapped as module
from kernlib.kernels.letters import read_letters
from kernlib.numerics.sizes import all_sizes

from .strings import rows

pytestmark = pytest.mark.filterwarnings("ignore:Mismatch:UserWarning", "ignore:Spectrum:UserWarning")


def by_definition(X, length, mismatches, alphabet):
    words = list(product(alphabet, repeat=length))
    features = []
    for s in X:
        windows = [s[i : i + length] for i in range(len(s) - length + 1)]
        windows = [w for w in windows if set(w) <= set(alphabet)]
        features.append(
            [sum(sum(a != b for a, b in zip(w, u, strict=True)) <= mismatches for w in windows) for u in words]
        )
    F = np.array(features, dtype=float).reshape(len(X), len(words))
    return F @ F.T


@settings(deadline=None, max_examples=80)
@given(
    st.lists(st.text(alphabet="abcz", max_size=8), min_size=1, max_size=5),
    st.integers(1, 4),
    st.integers(0, 4),
    st.sampled_from(["abc", "ab", "c", "abcd"]),
)
def test_both_ways_are_the_definition(X, length, mismatches, alphabet):
    mismatches = min(mismatches, length)
    expected = by_definition(X, length, mismatches, alphabet)
    kernel = Mismatch(length, mismatches, alphabet)
    np.testing.assert_array_equal(kernel(X), expected)
    np.testing.assert_array_equal(kernel.diag(X), np.diag(expected))
    x, y = read_letters(rows(X), rows(X[:2]), alphabet)
    smallest = max(1, length - 2 * mismatches)  # words that agree in fewer letters share no neighbour
    ways = [partial(module.gram_by_patterns, base=base) for base in range(smallest, length + 2)]
    for way in (module.gram_by_features, module.gram_by_pairs, *ways):
        np.testing.assert_array_equal(way(x, None, length, mismatches), expected)
        np.testing.assert_array_equal(way(x, y, length, mismatches), expected[:, :2])


def test_blocks_change_nothing():
    rng = np.random.default_rng(0)
    x, _ = read_letters(rows(["".join(rng.choice(list("acgt"), size=n)) for n in (30, 0, 4, 5, 41, 17)]))
    expected = module.gram_by_features(x, None, 5, 2)
    np.testing.assert_array_equal(module.gram_by_patterns(x, None, 5, 2, 6), expected)
    for base in (1, 3, 6):
        for size in (70, 30):  # 36 values: below 36 by the sparse products of large results
            with all_sizes(size):
                np.testing.assert_array_equal(module.gram_by_patterns(x, None, 5, 2, base), expected)
    with all_sizes(200):
        np.testing.assert_array_equal(module.gram_by_pairs(x, None, 5, 2), expected)
        np.testing.assert_array_equal(module.gram_by_pairs(x, x, 5, 2), expected)


@pytest.mark.parametrize(
    ("letters", "lengths", "by_features", "base"),
    [("ACDEFGHIKLMNPQRSTVWY", [200] * 200, False, 3), ("ACGT", [200] * 200, True, 0), ("ab", [60000, 50], True, 0)],
)
def test_the_way_is_chosen_by_cost(letters, lengths, by_features, base):
    """Two letters once took a way that compared all pairs of words, 34 s where 5 ms are enough."""
    rng = np.random.default_rng(0)
    x, _ = read_letters(rows(["".join(rng.choice(list(letters), size=n)) for n in lengths]), alphabet=letters)
    assert module.plan(x, None, 5, 1)[1:] == (by_features, base)


def test_many_mismatches_in_long_words_compare_pairs():
    """Sets of places run into the hundreds of thousands; the diagonal takes the same way."""
    X = ["acgtacgtacgtacgtacgtacgt", "acgtacgaacgtacgtaaaaacgt"]
    kernel = Mismatch(length=18, mismatches=7, alphabet="acgt")
    K = kernel(X)
    np.testing.assert_allclose(kernel.diag(X), np.diag(K))
    x, _ = read_letters(rows(X), alphabet="acgt")
    assert module.plan(x, None, 18, 7) is None


def test_the_alphabet_is_learnt_from_training_rows_alone():
    train, test = ["abab", "ba"], ["abz", "zz"]
    fitted = Mismatch(2, 1).fit(train)
    named = Mismatch(2, 1, alphabet="ab")
    np.testing.assert_array_equal(fitted(test, train), named(test, train))
    np.testing.assert_array_equal(fitted.diag(test), named.diag(test))
    assert fitted.diag(["zz"]) == 0  # a letter that no training row has
    with pytest.raises(NotFittedError, match="fit"):
        Mismatch(2, 1)(test, train)
