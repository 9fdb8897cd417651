"""Gapped pairs, mixtures of spectra, motifs and edit distances against counting by hand."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernlib import EditDistance, GappyPair, Motif, Spectrum, SpectrumMixture
from kernlib.kernels.edits import edit_distances

STRINGS = st.lists(st.text(alphabet="ACGTé", max_size=14), min_size=2, max_size=5)


def products(rows: list[Counter]) -> list[list[int]]:
    return [[sum(c * b[u] for u, c in a.items()) for b in rows] for a in rows]


@settings(max_examples=40, deadline=None)
@given(STRINGS, st.integers(1, 3), st.integers(0, 4))
@pytest.mark.filterwarnings("ignore:GappyPair")
def test_gapped_pairs_by_counting(strings, k, m):
    counted = [
        Counter(
            (g, s[p : p + k], s[p + k + g : p + 2 * k + g]) for g in range(m + 1) for p in range(len(s) - 2 * k - g + 1)
        )
        for s in strings
    ]
    expected = products(counted)
    kernel = GappyPair(length=k, gap=m)
    np.testing.assert_array_equal(kernel(strings), expected)
    # Letters that only one side has may stand in a gap.
    np.testing.assert_array_equal(kernel(strings[:1], strings[1:]), [expected[0][1:]])


@settings(max_examples=25, deadline=None)
@given(STRINGS)
@pytest.mark.filterwarnings("ignore:Spectrum")
def test_a_mixture_of_spectra_is_their_sum(strings):
    weights = (0.5, 0.0, 2.0)
    expected = 0.5 * Spectrum(length=1)(strings) + 2.0 * Spectrum(length=3)(strings)
    np.testing.assert_allclose(SpectrumMixture(length=3, weights=weights)(strings), expected)
    ones = sum(Spectrum(length=n)(strings) for n in (1, 2))
    np.testing.assert_allclose(SpectrumMixture(length=2)(strings), ones)


def test_motifs_are_counted_where_they_overlap():
    strings = ["AAAA", "ACAG", "", "x.y"]
    kernel = Motif(patterns=("AA", "A.A", "A[CG]", "[^A]", "x"))
    counted = [[len(re.findall(f"(?={p})", s)) for p in kernel.patterns] for s in strings]
    np.testing.assert_array_equal(kernel(strings), np.array(counted) @ np.array(counted).T)


def slowly(s: str, t: str) -> int:
    row = list(range(len(t) + 1))
    for i, a in enumerate(s, 1):
        row, before = [i], row
        for j, b in enumerate(t, 1):
            row.append(min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b)))
    return row[-1]


@settings(max_examples=40, deadline=None)
@given(STRINGS, STRINGS)
def test_edit_distances_cell_by_cell(first, second):
    expected = [[slowly(s, t) for t in second] for s in first]
    np.testing.assert_array_equal(
        edit_distances(np.array(first, dtype=object), np.array(second, dtype=object)), expected
    )
    np.testing.assert_allclose(EditDistance(gamma=0.3)(first, second), np.exp(-0.3 * np.array(expected)))
