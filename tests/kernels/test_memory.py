"""What an evaluation may hold at once: a few matrices of the result's size, never one for each column or letter."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from kernlib import (
    Fisher,
    GeneralOverlap,
    Graph,
    LocalityImprovedSequence,
    Mismatch,
    Overlap,
    ProbabilityOverlap,
    Spectrum,
    Subsequence,
    WeightedDegree,
    WeisfeilerLehman,
)


def peak_bytes(kernel, X) -> int:
    """The most that an evaluation holds at once; what is loaded at the first one is not its own."""
    kernel(X[:20])
    tracemalloc.start()
    try:
        kernel(X)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "kernel",
    [
        Overlap(),
        Overlap(before="f2", after="f1"),
        ProbabilityOverlap(),
        ProbabilityOverlap(composition="product"),
        GeneralOverlap(),
        GeneralOverlap(composition="product"),
    ],
    ids=repr,
)
def test_3000_rows_of_60_categories(kernel):
    n = 3000
    X = np.random.default_rng(0).integers(0, 4, size=(n, 60))
    assert peak_bytes(kernel, X) < 2 * 8 * n * n


@pytest.mark.parametrize(
    ("kernel", "megabytes"),
    [
        (Subsequence(), 80),
        (Spectrum(), 25),
        (Mismatch(), 30),
        (WeightedDegree(), 8),
        (LocalityImprovedSequence(), 18),
        (Fisher(iterations=1), 10),
    ],
    ids=repr,
)
def test_1000_strings_of_200_letters(kernel, megabytes):
    """Beside the result, features and tables stay within what the constants of each module say: no second matrix."""
    n = 1000
    letters = np.random.default_rng(0).choice(list("ACDEFGHIKLMNPQRSTVWY"), size=(n, 200))
    X = ["".join(row) for row in letters]
    assert peak_bytes(kernel, X) - 8 * n * n < megabytes * 1e6


def test_levels_of_2000_graphs():
    """Neighbourhoods are counted level by level into the result."""
    rng = np.random.default_rng(0)
    rings = [np.eye(n) + np.roll(np.eye(n), 1, axis=1) for n in range(4, 12)]
    X = [Graph(A + A.T, rng.choice(list("CNO"), len(A))) for A in rings for _ in range(250)]
    assert peak_bytes(WeisfeilerLehman(level=5), X) < 1.3 * 8 * len(X) ** 2
