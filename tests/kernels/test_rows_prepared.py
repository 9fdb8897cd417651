"""Rows prepared one by one or by their columns' ranges, and nominal columns as numbers."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.preprocessing import MinMaxScaler, OneHotEncoder, OrdinalEncoder

from kernlib import (
    Coded,
    KernlibError,
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


def test_ranges_are_scikit_learn_s_and_learnt_from_training_rows():
    X = np.random.default_rng(0).normal(size=(9, 3))
    scaler = MinMaxScaler((-1.0, 3.0)).fit(X[:6])
    fold = Ranged(Linear(), low=-1.0, high=3.0).fold(X[:6], X[6:])
    np.testing.assert_allclose(fold.K_star, scaler.transform(X[6:]) @ scaler.transform(X[:6]).T)


@pytest.mark.parametrize(
    ("coding", "encoder"),
    [
        ("one-hot", OneHotEncoder(sparse_output=False, handle_unknown="ignore")),
        ("treatment", OneHotEncoder(sparse_output=False, drop="first")),
        ("codes", OrdinalEncoder()),
    ],
)
def test_codings_are_scikit_learn_s(coding, encoder):
    A = encoder.fit_transform(TABLE)
    np.testing.assert_allclose(Coded(Linear(), coding=coding)(TABLE), A @ A.T)


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


def test_one_hot_and_linear_count_agreements():
    np.testing.assert_allclose(Coded(Linear())(TABLE) / 2, Overlap()(TABLE))


def test_categories_come_from_training_rows_or_from_the_order_that_was_given():
    fold = Coded(Linear()).fold(TABLE[:2], np.array([["c", "x"]], dtype=object))
    np.testing.assert_allclose(fold.K_star, [[1.0, 0.0]])
    letters = np.array([list("AGCT"), list("ACGT")], dtype=object)
    given = Coded(Linear(), coding="codes", order=("A", "G", "C", "T"))
    np.testing.assert_allclose(given(letters), [[0 + 1 + 4 + 9, 0 + 2 + 2 + 9], [0 + 2 + 2 + 9, 0 + 4 + 1 + 9]])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: LogRows(Linear())([[1.0, 0.0]]), ["row 0, column 1 is 0", "above 0"]),
        (lambda: UnitRows(Overlap()), ["UnitRows: expected a kernel that reads vector rows", "On(columns, kernel)"]),
        (lambda: Ranged(Linear(), low=0.0, high=0.0), ["expected low < high"]),
        (lambda: Ranged(Linear(), hihg=2.0), ["Ranged: unknown parameter 'hihg'", "kernel, low, high", "mean high?"]),
        (lambda: Coded(Linear(), order=(1, 1.0)), ["names every category once"]),
        (
            lambda: Coded(Overlap()),
            ["Coded: expected a kernel that reads vector rows", "categorical rows. Next"],
        ),
        (lambda: Coded(order=("a", "a")), ["names every category once"]),
    ],
)
def test_refusals(call, words):
    with pytest.raises(KernlibError) as caught:
        call()
    for word in words:
        assert word in str(caught.value)
