"""Feature spaces written down: their inner products are the Gram matrix, for whatever of the registry has one."""

from __future__ import annotations

import warnings
from functools import cache

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from kernlib import Kernel, Linear, Overlap, Polynomial, Spectrum, Subsequence, VectorSpace
from kernlib.errors import DataError, DegenerateError, ExplainError
from tests.kernels.examples import EVERY
from tests.kernels.rows import rows_for
from tests.kernels.test_contract import _smallest

#: What has a feature space that is written down, in at least one of its examples.
WITH = {
    "Centered",
    "Empirical",
    "Fisher",
    "Imputed",
    "LabelPairs",
    "LatentSemantic",
    "Linear",
    "Mismatch",
    "Monomial",
    "Normalized",
    "On",
    "Overlap",
    "Polynomial",
    "ProbabilityOverlap",
    "Product",
    "Repaired",
    "Spectrum",
    "Standardized",
    "Subsequence",
    "Sum",
    "VectorSpace",
    "WeightedDegree",
}


@cache
def has_features(kernel: Kernel) -> bool:
    """Whether `features` gives a feature space; where there is none to write down it says so."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        try:
            kernel.features(_smallest(kernel))
        except ExplainError as error:
            assert "no explicit feature space" in str(error)
            return False
    return True


def test_what_has_a_feature_space_keeps_it():
    found = {type(kernel).__name__ for kernel in EVERY if has_features(kernel)}
    assert found >= WITH


@pytest.mark.parametrize("kernel", EVERY, ids=repr)
@settings(max_examples=6, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_products_of_features_are_the_kernel(kernel, data):
    if not has_features(kernel):  # asked here, as to ask while tests are collected takes seconds in every worker
        return
    X = data.draw(rows_for(kernel))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        try:
            fitted = kernel.fit(X)
        except DegenerateError:
            assume(False)
        K = fitted(X)
        matrix, names = fitted.features(X)
    assert matrix.shape == (len(X), len(names))
    assert len(set(names)) == len(names)
    assert_allclose((matrix @ matrix.T).toarray(), K, rtol=1e-8, atol=1e-10 * (np.abs(K).max() + 1e-300))


def test_names_in_words_and_in_the_order_of_another_call():
    _, names = Spectrum(length=2).features(["gatta", "tat"])
    assert names == ("at", "ga", "ta", "tt")
    again, same = Spectrum(length=2).features(["cattat"], names=names)
    assert same == names
    assert again.toarray().tolist() == [[2.0, 0.0, 1.0, 1.0]]
    assert Polynomial(degree=2).features([[2.0, 3.0]], columns=("a", "b"))[1] == (
        "constant",
        "a",
        "b",
        "a^2",
        "a · b",
        "b^2",
    )
    assert VectorSpace().features(["the cat", "a cat"])[1] == ("a", "cat", "the")
    # Two columns of one name are two features all the same.
    rows = [["x", "x"], ["x", "y"]]
    matrix, names = Overlap().features(rows, columns=("side", "side"))
    assert names == ("side (2) is x", "side (2) is y", "side is x")
    assert_allclose((matrix @ matrix.T).toarray(), Overlap()(rows))
    with pytest.raises(DataError, match="each feature once"):
        Linear().features([[1.0, 2.0]], names=("x1", "x1"))


def test_too_many_to_be_written_down():
    with pytest.raises(ExplainError, match=r"1\.68e\+07 features; expected at most 200000"):
        Subsequence(order=12).features(["acgt" * 20])
