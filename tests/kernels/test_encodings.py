"""Encodings: letters as numbers, and kernels on vectors that read strings through them."""

from __future__ import annotations

import numpy as np
import pytest

from kernlib import (
    RBF,
    Deep,
    DomainError,
    Empirical,
    Encoded,
    Linear,
    ParameterError,
    Polynomial,
    Spectrum,
    naive_encoding,
    one_hot_encoding,
)

DNA = ["ACGTA", "ACGTT", "TTTTT", "CAGTN"]


def test_linear_kernel_of_one_hot_letters_counts_matches():
    expected = [[sum(a == b != "N" for a, b in zip(s, t, strict=True)) for t in DNA] for s in DNA]
    np.testing.assert_array_equal(Encoded(Linear())(DNA), expected)


def test_numbers_follow_the_alphabet_as_it_is_written():
    np.testing.assert_array_equal(naive_encoding(["ACGT"], alphabet="TGCA"), [[3, 2, 1, 0]])
    np.testing.assert_array_equal(one_hot_encoding(["GA"], alphabet="GA"), [[1, 0, 0, 1]])
    assert one_hot_encoding(["", ""]).shape == (2, 0)


@pytest.mark.parametrize(
    "inner", [RBF(sigma=2.0), RBF(sigma="median"), Deep(Polynomial(), level=2), Empirical(Linear())]
)
@pytest.mark.parametrize(("encoding", "encode"), [("one-hot", one_hot_encoding), ("naive", naive_encoding)])
def test_it_is_the_kernel_on_the_encoded_rows(inner, encoding, encode):
    V = encode(DNA)
    kernel = Encoded(inner, encoding=encoding)
    np.testing.assert_array_equal(kernel(DNA), inner(V))
    fitted = kernel.fit(DNA[:3])
    np.testing.assert_allclose(fitted(DNA[3:], DNA[:3]), inner.fit(V[:3])(V[3:], V[:3]))
    np.testing.assert_allclose(fitted.diag(DNA), inner.fit(V[:3]).diag(V))


def test_two_encodings_share_no_look_up():
    """Both wrap the same kernel; bound to the same strings they must stay apart, yet share their own."""
    both = Encoded(Deep(RBF())) + Encoded(Deep(RBF()), encoding="naive")
    memo: dict = {}
    bound = both.bind(DNA, memo)
    np.testing.assert_allclose(bound(np.arange(4)), both(DNA))
    again = Encoded(Deep(RBF(), level=2)).bind(DNA, memo)
    assert again.kernel is bound.left
    assert again.kernel is not bound.right


def test_the_chain_reads_from_the_rows_on():
    assert Deep(Encoded(RBF())).chain() == ("one-hot letters", "RBF(1)", "level 1")
    assert Encoded(RBF()).reads == "sequence"


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: Encoded("rbf"), ParameterError, ["Encoded: kernel must be a kernel", "'rbf'", "Try"]),
        (
            lambda: Encoded(Spectrum()),
            DomainError,
            ["Encoded: expected a kernel", "reads vector", "sequence rows. Next"],
        ),
        (lambda: Encoded(encoding="two-hot"), ParameterError, ["Encoded: encoding", "'one-hot', 'naive'", "two-hot"]),
        (lambda: Encoded(alphabet="AA"), ParameterError, ["Encoded: alphabet", "every letter once", "'AA'", "Try"]),
        (lambda: one_hot_encoding(["A"], alphabet=""), ParameterError, ["one_hot_encoding: alphabet", "got ''"]),
        (lambda: Encoded()(["ACG", "AC"]), DomainError, ["row 0 has 3 letters and row 1 has 2", "Spectrum"]),
        (lambda: Encoded()(["ACG"], ["AC"]), DomainError, ["Encoded", "X has 3 letters", "Y has 2"]),
        (lambda: Encoded(Linear()).fold(["ACG"], ["AC"]), DomainError, ["Encoded", "X has 3 letters", "Y has 2"]),
        (lambda: naive_encoding("ACG"), DomainError, ["naive_encoding", "list of n strings", "one str"]),
    ],
)
def test_refusals(make, error, words):
    with pytest.raises(error) as caught:
        make()
    for word in words:
        assert word in str(caught.value)
