"""Subsequence: against its definition, kernlab and strkernels; both ways of evaluating it agree."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernlib import DomainError, Normalized, ParameterError, Subsequence
from kernlib.kernels import subsequence as module
from kernlib.kernels.letters import read_letters
from kernlib.numerics.sizes import all_sizes

from .strings import ORACLE, ragged, rows

pytestmark = pytest.mark.filterwarnings("ignore:Subsequence:UserWarning")


def by_definition(s: str, t: str, order: int, decay: float) -> float:
    def features(x: str) -> dict[str, float]:
        found: dict[str, float] = defaultdict(float)
        for i in combinations(range(len(x)), order):
            found["".join(x[k] for k in i)] += decay ** (i[-1] - i[0] + 1)
        return found

    a, b = features(s), features(t)
    return sum(v * b[u] for u, v in a.items() if u in b)


@pytest.mark.parametrize("order", [2, 3])
def test_kernlab(order):
    K = Subsequence(order=order, decay=0.25)(ORACLE["strings"])
    np.testing.assert_allclose(K, ORACLE[f"subsequence_{order}"], rtol=1e-12, atol=1e-16)


def test_kernlab_normalised():
    K = Normalized(Subsequence(order=2))(ORACLE["strings"])
    np.testing.assert_allclose(K, ORACLE["subsequence_2_normalized"], rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("decay", [0.25, 0.5, 1.0])
def test_abba(decay):
    """[D]: Φ_AB(ABBA) = λ² + λ³; Φ_AB(AB) = λ²."""
    K = Subsequence(order=2, decay=decay)(["ABBA"], ["AB"])
    assert K[0, 0] == pytest.approx((decay**2 + decay**3) * decay**2)


def test_weighted_sum_of_orders_is_strkernels():
    K = Subsequence(order=3, decay=0.25, weights=(1.0, 1.0, 1.0))(ORACLE["strings"])
    np.testing.assert_allclose(K, ORACLE["subsequence_sum_1_to_3"], rtol=1e-12)


@settings(deadline=None, max_examples=60)
@given(ragged, ragged, st.integers(1, 4), st.sampled_from([0.25, 0.7, 1.0]), st.data())
def test_both_ways_are_the_definition(X, Y, order, decay, data):
    c = tuple(data.draw(st.lists(st.sampled_from([0.0, 1.0, 0.3]), min_size=order, max_size=order)))
    expected = np.array([[sum(cn * by_definition(s, t, n, decay) for n, cn in enumerate(c, 1)) for t in Y] for s in X])
    x, y = read_letters(rows(X), rows(Y))
    for way in (module.gram_by_features, module.gram_by_programme):
        np.testing.assert_allclose(way(x, y, False, decay, c), expected, rtol=1e-10, atol=1e-14)
    if any(c):
        np.testing.assert_allclose(Subsequence(order, decay, c)(X, Y), expected, rtol=1e-10, atol=1e-14)


@pytest.mark.parametrize("budget", [1 << 28, 1 << 10])
@pytest.mark.parametrize("c", [(0.0, 0.0, 1.0), (1.0, 0.5, 0.25)])
def test_blocks_change_nothing(budget, c):
    """Small budgets force many blocks of rows and tiles of pairs; strings cross a triangular piece."""
    rng = np.random.default_rng(0)
    X = rows(["".join(rng.choice(list("acgt"), size=size)) for size in (70, 3, 0, 131, 64, 65, 20)])
    x, y = read_letters(X)
    expected = module.gram_by_features(x, y, True, 0.8, c)
    with all_sizes(budget):
        for same in (True, False):
            for way in (module.gram_by_features, module.gram_by_programme):
                K = way(x, y, same, 0.8, c)
                np.testing.assert_allclose(K, expected, rtol=1e-10)
                assert not same or np.array_equal(K, K.T)
        np.testing.assert_allclose(Subsequence(3, 0.8, c).diag(X), np.diag(expected), rtol=1e-10)


def test_the_cheaper_way_is_taken():
    few = rows(["acgt" * 15] * 50)
    many = rows(["".join(chr(0x4E00 + (37 * i + j) % 900) for j in range(12)) for i in range(50)])
    for X, mapped in ((few, True), (many, False)):
        x, y = read_letters(X)
        assert module.mapping_is_cheaper(x, y, True, (0.0, 0.0, 1.0)) is mapped


def test_strings_shorter_than_the_order():
    with pytest.warns(
        UserWarning, match=r"Subsequence: order=5 needs strings of length 5 or more, the longest here has length 3"
    ):
        assert not Subsequence(order=5)(["abc", "ab", ""]).any()
    assert not Subsequence(order=5).diag(["abc"]).any()


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: Subsequence(order=0), ParameterError, ["Subsequence: order", "1 <= order", "got 0", "Try"]),
        (lambda: Subsequence(order=2.5), ParameterError, ["Subsequence: order", "integer", "2.5"]),
        (lambda: Subsequence(decay=0.0), ParameterError, ["Subsequence: decay", "0 < decay <= 1", "got 0.0"]),
        (lambda: Subsequence(decay=1.1), ParameterError, ["Subsequence: decay", "got 1.1"]),
        (lambda: Subsequence(weights=(1.0,)), ParameterError, ["Subsequence: weights", "order=3", "got 1", "Try"]),
        (lambda: Subsequence(weights=(0, 0, 0)), ParameterError, ["Subsequence: weights", "above 0", "Try"]),
        (lambda: Subsequence(weights=(1, -1, 0)), ParameterError, ["none negative", "-1"]),
        (lambda: Subsequence()("acgt"), DomainError, ["Subsequence", "list of n strings", "one str"]),
        (lambda: Subsequence()(["acgt", 3]), DomainError, ["Subsequence", "int in row 1"]),
    ],
)
def test_refusals(make, error, words):
    with pytest.raises(error) as caught:
        make()
    for word in words:
        assert word in str(caught.value)


def test_weights_are_printed_only_where_they_are_given():
    assert repr(Subsequence()) == "Subsequence(order=3, decay=0.25)"
    assert Subsequence().chip() == "Subsequence(3, 0.25)"
    assert repr(Subsequence(order=2, weights=[1, 2])) == "Subsequence(order=2, decay=0.25, weights=(1.0, 2.0))"
