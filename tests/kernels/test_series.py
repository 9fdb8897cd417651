"""Kernels of time series: against tslearn, against every alignment written out, and by their properties."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from kernlib import Autocorrelation, DegenerateError, DomainError, DynamicTimeWarping, GlobalAlignment, Linear, Sampled
from kernlib.kernels.series import best_alignment, warping_distances

RNG = np.random.default_rng(5)
LONG_AND_SHORT = [RNG.normal(size=(n, 2)) for n in (1, 4, 6, 3)]


@cache
def alignments(n: int, m: int) -> list[tuple[tuple[int, int], ...]]:
    """All paths from (0, 0) to (n − 1, m − 1), each step forward in one series or in both."""
    if n == 1 and m == 1:
        return [((0, 0),)]
    before = [(n - 1, m), (n, m - 1), (n - 1, m - 1)]
    return [(*path, (n - 1, m - 1)) for i, j in before if i and j for path in alignments(i, j)]


@pytest.mark.parametrize("band", [None, 2, 5])
def test_the_sum_over_all_alignments_written_out(band):
    def g(x, y):
        def local(i, j):
            e = np.exp(-((x[i] - y[j]) ** 2).sum() / (2 * 0.7**2))
            e *= 1.0 if band is None else max(0.0, 1 - abs(i - j) / band)
            return e / (2 - e)

        return sum(np.prod([local(i, j) for i, j in path]) for path in alignments(len(x), len(y)))

    G = np.array([[g(x, y) for y in LONG_AND_SHORT] for x in LONG_AND_SHORT])
    own = np.sqrt(np.diag(G))
    kernel = GlobalAlignment(sigma=0.7, band=band)
    assert_allclose(kernel(LONG_AND_SHORT), G / own[:, None] / own, rtol=1e-12)
    assert_allclose(kernel(LONG_AND_SHORT[:1], LONG_AND_SHORT), (G / own[:, None] / own)[:1], rtol=1e-12)


def test_the_best_of_all_alignments_written_out():
    def cost(x, y, path):
        return sum(((x[i] - y[j]) ** 2).sum() for i, j in path)

    D = [[min(cost(x, y, p) for p in alignments(len(x), len(y))) for y in LONG_AND_SHORT] for x in LONG_AND_SHORT]
    rows = DynamicTimeWarping().checked_rows(LONG_AND_SHORT)
    assert_allclose(warping_distances(rows), D, rtol=1e-12)
    for x, y in zip(LONG_AND_SHORT, LONG_AND_SHORT[::-1], strict=True):
        path = best_alignment(x, y)
        assert tuple(map(tuple, path)) in alignments(len(x), len(y))
        assert cost(x, y, path) == pytest.approx(min(cost(x, y, p) for p in alignments(len(x), len(y))))


def test_the_proposed_widths_are_medians_of_distances():
    points = np.concatenate(LONG_AND_SHORT)
    apart = [np.linalg.norm(a - b) for a, b in combinations(points, 2)]
    proposed = GlobalAlignment().heuristics(LONG_AND_SHORT)["sigma"]
    assert proposed == pytest.approx(np.median(apart) * np.sqrt(np.median([len(row) for row in LONG_AND_SHORT])))
    D = warping_distances(DynamicTimeWarping().checked_rows(LONG_AND_SHORT))
    gamma = DynamicTimeWarping().heuristics(LONG_AND_SHORT)["gamma"]
    assert np.median([gamma * D[i, j] for i, j in combinations(range(4), 2)]) == pytest.approx(1.0)


def test_series_of_length_5000_have_finite_values():
    t = np.arange(5000) / 40
    K = GlobalAlignment(sigma=20.0)([np.sin(t), np.sin(t + 0.5), np.sin(3 * t)])
    assert np.isfinite(K).all()
    assert 1.0 > K[0, 1] > K[0, 2] >= 0.0


def test_values_far_apart_are_0_and_not_undefined():
    K = GlobalAlignment(sigma=0.01)([[0.0] * 40, [1e6] * 30, [0.0] * 40])
    assert_array_equal(K, [[1, 0, 1], [0, 1, 0], [1, 0, 1]])
    with pytest.raises(DegenerateError, match=r"k\(x, x\) of row 1"):
        GlobalAlignment(sigma=0.01)([[0.0], [1e307, -1e307]])
    assert_allclose(np.diag(Autocorrelation(lags=1)([[1e308, -1e308], [1.0, -1.0]])), 1.25)


def test_warping_is_no_inner_product():
    rows = [[1, 0, 1, 1, 1], [0, 1, 1, 0, 2], [1, 0, 0, 0, 0], [2, 1, 2, 0, 1], [0, 0], [2, 2], [0, 1, 1, 0], [2, 2, 1]]
    assert np.linalg.eigvalsh(DynamicTimeWarping(gamma=0.1)(rows)).min() < -0.1
    assert not DynamicTimeWarping().is_psd


def test_a_vector_kernel_on_series_of_one_length():
    X = RNG.normal(size=(5, 8))
    assert_allclose(Sampled(Linear())(X), Linear()(X))
    with pytest.raises(DomainError, match="row 0 has 8 times and row 1 has 7"):
        Sampled(Linear())([X[0], X[1, :7]])
    same = Sampled(Linear(), times=15)([X[0], np.interp(np.linspace(0, 7, 29), range(8), X[0])])
    assert_allclose(same, same[0, 0])
