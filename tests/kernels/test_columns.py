"""On(columns, kernel): parts of a row as their kernels read them, summed and multiplied."""

from __future__ import annotations

import numpy as np

from kernlib import (
    RBF,
    Deep,
    Linear,
    On,
    Overlap,
    Spectrum,
    parse,
)

TABLE = np.array(
    [[0.0, 1.0, "red", "ACGT"], [0.5, 1.0, "blue", "ACG"], [2.0, -1.0, "red", "TTT"], [1.0, 0.0, None, "GTAC"]],
    dtype=object,
)
NUMBERS = TABLE[:, :2].astype(float)


def test_direct_sum_and_tensor_product_are_those_of_the_parts():
    vector, nominal, sequence = RBF(sigma=1.5)(NUMBERS), Overlap()(TABLE[:, [2]]), Spectrum(length=2)(list(TABLE[:, 3]))
    parts = On((0, 1), RBF(sigma=1.5)), On((2,), Overlap()), On((3,), Spectrum(length=2))
    np.testing.assert_allclose((parts[0] + parts[1] + parts[2])(TABLE), vector + nominal + sequence)
    np.testing.assert_allclose((parts[0] * parts[1] * parts[2])(TABLE), vector * nominal * sequence)
    np.testing.assert_allclose((parts[0] + parts[2]).diag(TABLE), np.diag(vector + sequence))


def test_bound_to_the_same_table_each_base_matrix_is_computed_once_and_columns_are_not_mixed_up():
    memo = {}
    first = On((0,), Deep(Linear(), level=1)).bind(TABLE, memo)
    again = On((0,), Deep(Linear(), level=2)).bind(TABLE, memo)
    other = On((1,), Deep(Linear(), level=1)).bind(TABLE, memo)
    assert again.kernel is first
    assert first.kernel is not other.kernel
    np.testing.assert_allclose(other(np.arange(4)), Deep(Linear())(NUMBERS[:, [1]]))


def test_columns_may_be_given_as_a_list_or_a_number():
    assert On([0, 1], Linear()) == On(range(2), Linear()) == On(np.array([0, 1]), Linear()) == On((0, 1), Linear())
    assert On(2, Overlap()) == On((2,), Overlap())
    assert parse("On([0], Linear())") == On((0,), Linear())
