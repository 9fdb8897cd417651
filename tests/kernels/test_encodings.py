"""Encodings: letters as numbers, and kernels on vectors that read strings through them."""

from __future__ import annotations

import numpy as np

from kernlib import (
    RBF,
    Deep,
    Encoded,
    Linear,
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


def test_two_encodings_share_no_look_up():
    """Both wrap the same kernel; bound to the same strings they must stay apart, yet share their own."""
    both = Encoded(Deep(RBF())) + Encoded(Deep(RBF()), encoding="naive")
    memo: dict = {}
    bound = both.bind(DNA, memo)
    np.testing.assert_allclose(bound(np.arange(4)), both(DNA))
    again = Encoded(Deep(RBF(), level=2)).bind(DNA, memo)
    assert again.kernel is bound.left
    assert again.kernel is not bound.right
