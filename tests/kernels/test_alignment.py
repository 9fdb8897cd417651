"""Alignment: against the recursion cell by cell, and its map against the product of scores."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from kernlib import Alignment

from .strings import ragged


def by_definition(s, t, match, mismatch, gap):
    H = np.zeros((len(s) + 1, len(t) + 1))
    for p in range(1, len(s) + 1):
        for q in range(1, len(t) + 1):
            score = match if s[p - 1] == t[q - 1] else mismatch
            H[p, q] = max(0, H[p - 1, q - 1] + score, H[p - 1, q] + gap, H[p, q - 1] + gap)
    return H.max()


@settings(deadline=None, max_examples=60)
@given(ragged, ragged, st.sampled_from([(2.0, -1.0, -1.0), (1.0, 0.0, 0.0), (0.7, -0.3, -0.45), (3.0, -3.0, -0.1)]))
def test_the_recursion(X, Y, scores):
    kernel = Alignment(*scores)
    expected = np.array([[by_definition(s, t, *scores) for t in Y] for s in X])
    np.testing.assert_allclose(kernel(X, Y), expected, atol=1e-12)
    K = kernel(X)
    np.testing.assert_allclose(K, [[by_definition(s, t, *scores) for t in X] for s in X], atol=1e-12)
    np.testing.assert_allclose(kernel.diag(X), np.diag(K), atol=1e-12)


def test_textbook_alignment():
    """GGTTGACTA and TGTTACGG with 3, −3, −2 score 13 (GTT-AC under GTTGAC)."""
    assert Alignment(match=3.0, mismatch=-3.0, gap=-2.0)(["GGTTGACTA"], ["TGTTACGG"]) == 13
