"""Imputed: gaps are filled with what the training rows hold, and with nothing that a test row holds."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

from kernlib import DataError, Imputed, Linear
from kernlib.data import Dataset

NAN = np.nan
X = np.array([[1.0, 2.0], [NAN, 2.0], [3.0, NAN], [1.0, 8.0], [NAN, 5.0]])


def test_a_masked_entry_is_missing() -> None:
    masked = np.ma.masked_array([[5.0, 1.0], [2.0, 3.0]], [[True, False], [False, False]])
    np.testing.assert_array_equal(Imputed(Linear())(masked), Imputed(Linear())([[NAN, 1.0], [2.0, 3.0]]))
    assert Dataset("d", "d", "vector", masked, fill="mean").missing == 1
    with pytest.raises(DataError, match="row 0, column 0 is nan"):
        Dataset("d", "d", "vector", masked)
    with pytest.raises(DataError, match="got a sparse csr_array"):
        Dataset("d", "d", "vector", csr_array(np.eye(2)))
