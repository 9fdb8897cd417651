"""Imputed: gaps are filled with what the training rows hold, and with nothing that a test row holds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.impute import SimpleImputer

from kernlib import RBF, DataError, Deep, DomainError, Empirical, Imputed, Linear, Overlap, Standardized
from kernlib.data import Dataset
from kernlib.wrappers.imputed import filled

NAN = np.nan
X = np.array([[1.0, 2.0], [NAN, 2.0], [3.0, NAN], [1.0, 8.0], [NAN, 5.0]])


@pytest.mark.parametrize("strategy", ["mean", "most_frequent"])
def test_it_fills_as_scikit_learn_does(strategy: str) -> None:
    imputer = SimpleImputer(strategy=strategy).fit(X[:3])
    kernel = RBF(sigma=2.0)
    fold = Imputed(kernel, strategy=strategy).fold(X[:3], X[3:])
    train, test = imputer.transform(X[:3]), imputer.transform(X[3:])
    np.testing.assert_allclose(fold.K, kernel(train))
    np.testing.assert_allclose(fold.K_star, kernel(test, train))
    np.testing.assert_allclose(fold.k_diag, kernel.diag(test))


def test_test_rows_touch_no_fit() -> None:
    for kernel in (Imputed(Linear()), Empirical(Deep(Imputed(Standardized(RBF(sigma="median")))))):
        changed = X.copy()
        changed[3:] *= 100.0
        one = kernel.bind(X).fold(np.arange(3), np.arange(3, 5))
        two = kernel.bind(changed).fold(np.arange(3), np.arange(3, 5))
        np.testing.assert_array_equal(one.K, two.K)
        np.testing.assert_allclose(one.K_star, kernel.fold(X[:3], X[3:]).K_star)


def test_a_column_without_any_value_is_filled_with_zero() -> None:
    assert filled(np.array([[NAN, 1.0], [NAN, NAN]]), "mean").tolist() == [[0.0, 1.0], [0.0, 1.0]]


def test_complete_rows_are_left_alone() -> None:
    rows = np.arange(6.0).reshape(3, 2)
    np.testing.assert_array_equal(Imputed(Linear())(rows), Linear()(rows))


def test_a_masked_entry_is_missing() -> None:
    masked = np.ma.masked_array([[5.0, 1.0], [2.0, 3.0]], [[True, False], [False, False]])
    np.testing.assert_array_equal(Imputed(Linear())(masked), Imputed(Linear())([[NAN, 1.0], [2.0, 3.0]]))
    assert Dataset("d", "d", "vector", masked, fill="mean").missing == 1
    with pytest.raises(DataError, match="row 0, column 0 is nan"):
        Dataset("d", "d", "vector", masked)
    with pytest.raises(DataError, match="got a sparse csr_array"):
        Dataset("d", "d", "vector", csr_array(np.eye(2)))


def test_what_it_refuses() -> None:
    with pytest.raises(DomainError, match="Imputed: expected a kernel that reads vector rows; got Overlap"):
        Imputed(Overlap())
    with pytest.raises(ValueError, match="strategy"):
        Imputed(Linear(), strategy="median")
    with pytest.raises(DomainError, match="row 1, column 0 is inf"):
        Imputed(Linear())(np.array([[NAN, 1.0], [np.inf, 1.0]]))


@given(st.data())
def test_any_gaps_give_finite_values(data: st.DataObject) -> None:
    n, d = data.draw(st.integers(2, 6)), data.draw(st.integers(1, 3))
    cells = data.draw(st.lists(st.sampled_from([NAN, 0.0, 1.0, -2.5]), min_size=n * d, max_size=n * d))
    K = Imputed(RBF(), strategy=data.draw(st.sampled_from(["mean", "most_frequent"])))(np.reshape(cells, (n, d)))
    assert np.isfinite(K).all()
