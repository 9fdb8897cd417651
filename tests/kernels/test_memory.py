"""What an evaluation may hold at once: a few matrices of the result's size, never one for each column or letter."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from kernlib import (
    Fisher,
    GeneralOverlap,
    LocalityImprovedSequence,
    Mismatch,
    Overlap,
    ProbabilityOverlap,
    Spectrum,
    Subsequence,
    WeightedDegree,
)


def peak_bytes(call) -> int:
    tracemalloc.start()
    try:
        call()
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
def test_5000_rows_of_60_categories(kernel):
    n = 5000
    X = np.random.default_rng(0).integers(0, 4, size=(n, 60))
    assert peak_bytes(lambda: kernel(X)) < 3 * 8 * n * n


@pytest.mark.parametrize(
    ("kernel", "megabytes"),
    [
        (Subsequence(), 100),
        (Spectrum(), 100),
        (Mismatch(), 130),
        (WeightedDegree(), 60),
        (LocalityImprovedSequence(), 90),
        (Fisher(iterations=1), 100),
    ],
    ids=repr,
)
def test_2000_strings_of_200_letters(kernel, megabytes):
    """Beside the result, features and tables stay within what the constants of each module say."""
    n = 2000
    letters = np.random.default_rng(0).choice(list("ACDEFGHIKLMNPQRSTVWY"), size=(n, 200))
    X = ["".join(row) for row in letters]
    assert peak_bytes(lambda: kernel(X)) - 8 * n * n < megabytes * 1e6
