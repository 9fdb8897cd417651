"""Subsequence: against its definition, kernlab and strkernels; both ways of evaluating it agree."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernlib import Subsequence
from kernlib.kernels import subsequence as module
from kernlib.kernels.letters import read_letters

from .strings import ragged, rows

pytestmark = pytest.mark.filterwarnings("ignore:Subsequence:UserWarning")


def by_definition(s: str, t: str, order: int, decay: float) -> float:
    def features(x: str) -> dict[str, float]:
        found: dict[str, float] = defaultdict(float)
        for i in combinations(range(len(x)), order):
            found["".join(x[k] for k in i)] += decay ** (i[-1] - i[0] + 1)
        return found

    a, b = features(s), features(t)
    return sum(v * b[u] for u, v in a.items() if u in b)


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


def test_the_cheaper_way_is_taken():
    few = rows(["acgt" * 15] * 50)
    many = rows(["".join(chr(0x4E00 + (37 * i + j) % 900) for j in range(12)) for i in range(50)])
    for X, mapped in ((few, True), (many, False)):
        x, y = read_letters(X)
        assert module.mapping_is_cheaper(x, y, True, (0.0, 0.0, 1.0)) is mapped
