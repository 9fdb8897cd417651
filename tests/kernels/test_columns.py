"""On(columns, kernel): parts of a row as their kernels read them, summed and multiplied."""

from __future__ import annotations

import numpy as np
import pytest

from kernlib import (
    RBF,
    Deep,
    DomainError,
    Linear,
    On,
    Overlap,
    ParameterError,
    Precomputed,
    ProbabilityOverlap,
    Spectrum,
    TensorPairs,
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


def test_one_row_and_a_numeric_table():
    assert On((1,), Linear())(np.array([[5.0, 3.0]])).tolist() == [[9.0]]
    np.testing.assert_array_equal(On((1, 0), Linear())(NUMBERS), Linear()(NUMBERS[:, ::-1]))


def test_what_is_learnt_comes_from_the_training_rows_columns():
    kernel = On((2,), ProbabilityOverlap()) + On((0, 1), Deep(Linear()))
    fitted = kernel.fit(TABLE[:3])
    expected = ProbabilityOverlap().fit(TABLE[:3, [2]])(TABLE[3:, [2]], TABLE[:3, [2]])
    expected = expected + Deep(Linear()).fit(NUMBERS[:3])(NUMBERS[3:], NUMBERS[:3])
    np.testing.assert_allclose(fitted(TABLE[3:], TABLE[:3]), expected)
    np.testing.assert_allclose(kernel.bind(TABLE).fold([0, 1, 2], [3]).K_star, expected)


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


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (
            lambda: On((), Linear()),
            ParameterError,
            r"On: columns must be a tuple of column numbers from 0 on; got \(\)",
        ),
        (lambda: On((-1,), Linear()), ParameterError, r"column numbers from 0 on; got \(-1,\)"),
        (lambda: On(("a",), Linear()), ParameterError, "column numbers from 0 on"),
        (lambda: On((1.5,), Linear()), ParameterError, "column numbers from 0 on"),
        (lambda: On((0, 0), Linear()), ParameterError, r"each column once; got \(0, 0\)"),
        (lambda: On((0,), "Linear"), ParameterError, "On: kernel must be a kernel; got 'Linear'"),
        (
            lambda: On((0,), Precomputed()),
            DomainError,
            "reads matrix rows. Next: use it without this step; its rows are not columns",
        ),
        (
            lambda: On((0, 1), TensorPairs(Linear())),
            DomainError,
            "sequence, text, graph rows; got TensorPairs.*, which reads pair rows",
        ),
        (
            lambda: On((2, 3), Spectrum()),
            DomainError,
            r"one column; .* got \(2, 3\)\. Next: On\(\(2,\), …\) \+ On\(\(3,\)",
        ),
        (lambda: On((4,), Linear())(TABLE), DomainError, "column 4 does not exist; expected numbers from 0 to 3"),
        (lambda: (On((0,), Linear()) + On((9,), Linear()))(TABLE), DomainError, "column 9 does not exist"),
        (
            lambda: On((0, 2), Linear())(TABLE),
            DomainError,
            r"row 0, column 2 is 'red'; expected a number, since Linear\(\)",
        ),
        (lambda: On((2,), Spectrum())(TABLE), DomainError, "got a NoneType in row 3"),
        (
            lambda: On((0,), Linear())(["a"]),
            DomainError,
            r"On reads an array of shape \(n, d\) with columns of several",
        ),
        (lambda: On((0,), Linear()) + Linear(), DomainError, "Put each on its own columns"),
    ],
)
def test_refusals(call, error, words):
    with pytest.raises(error, match=words):
        call()
