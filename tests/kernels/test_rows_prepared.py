"""Rows prepared one by one or by their columns' ranges, and nominal columns as numbers."""

from __future__ import annotations

import numpy as np
import pytest

from kernlib import (
    Coded,
    Linear,
    LogRows,
    Normalized,
    Overlap,
    Ranged,
    Standardized,
    StandardizedRows,
    UnitRows,
)
from kernlib.data import load_dataset

TABLE = np.array([["a", "x"], ["b", "y"], ["c", "x"], ["a", "z"]], dtype=object)


def test_figure_2_s_cosines_of_the_colon_tissues_are_those_of_a_chain():
    """[O] figure 2 prints the first 4 × 4 entries: logarithms, tissues, then genes standardised, then length 1."""
    data = load_dataset("colon")
    K = LogRows(StandardizedRows(Standardized(UnitRows(Linear()))))(data.rows)
    np.testing.assert_allclose(K, Normalized(LogRows(StandardizedRows(Standardized(Linear()))))(data.rows))
    printed = [[1.00, 0.41, 0.33, 0.42], [0.41, 1.00, 0.17, 0.39], [0.33, 0.17, 1.00, 0.61], [0.42, 0.39, 0.61, 1.00]]
    np.testing.assert_array_equal(K[:4, :4].round(2), printed)


@pytest.mark.parametrize("size", [1e-200, 1e200])
def test_very_small_and_very_large_numbers_are_standardised_like_any_others(size):
    X = np.array([[1.0, 7.0], [2.0, 7.0], [4.0, 7.0]])
    for step in (Standardized, StandardizedRows, UnitRows, Ranged):
        np.testing.assert_allclose(step(Linear())(X * [size, 1.0] if step in (Standardized, Ranged) else X * size),
                                   step(Linear())(X), atol=1e-14)  # fmt: skip


@pytest.mark.parametrize("train", [np.array([[1], [2]]), [[1, "a"], [2.0, "a"]]], ids=["whole numbers", "a list"])
def test_equal_numbers_are_one_category_whatever_their_type(train):
    test = np.array([[2.0, "a"], [True, "a"]], dtype=object)[:, : np.shape(train)[1]]
    found = Coded(Linear()).fit(train)(test[:1], train)
    np.testing.assert_array_equal(found, Overlap()(test[:1], train) * test.shape[1])
    assert found[0, 1] == test.shape[1]
    gaps = Coded(Linear()).fit([[1], [None]])(np.array([[np.nan]]), [[1], [None]])
    np.testing.assert_array_equal(gaps, [[0.0, 1.0]])
