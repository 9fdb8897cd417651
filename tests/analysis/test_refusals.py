"""What the analysis refuses, and the words that say why: one table."""

from __future__ import annotations

import numpy as np
import pytest

from kernlib.analysis import diagnose, levels_to_collapse, order_rows, squared_distances
from kernlib.analysis.doctor import examine
from kernlib.analysis.groups import spectral_groups
from kernlib.analysis.outcomes import confusion, roc_curves
from kernlib.analysis.relevant import permutation_band, relevant_dimension, relevant_dimension_loo
from kernlib.analysis.spectrum import Decomposition, kernel_pca
from kernlib.errors import DataError, DegenerateError, ParameterError

UNIT, X = np.eye(3), np.random.default_rng(0).normal(size=(18, 2))
K, y = np.exp(-((X[:, None] - X) ** 2).sum(-1)), X[:, 0]

REFUSED = [
    # matrices
    (lambda: examine(UNIT[:2]), DataError, "examine: K must be square"),
    (lambda: squared_distances(UNIT[:2]), DataError, "squared_distances: K must be square"),
    (lambda: diagnose([[1.0, 2.0]]), DataError, r"diagnose: K must be square.*got shape \(1, 2\)"),
    (lambda: diagnose([1.0, 2.0]), DataError, r"must be a matrix.*got shape \(2,\)"),
    (lambda: diagnose([["a", "b"]]), DataError, "must be a matrix of numbers; got list"),
    (
        lambda: diagnose([[1.0, 2.0], [0.0, 1.0]]),
        DataError,
        r"diagnose: K must be symmetric; got K\[0, 1\] = 2 and K\[1, 0\] = 0. Symmetrise",
    ),
    (lambda: diagnose([[1.0, np.nan], [0.0, 1.0]]), DataError, r"finite; got nan at \(0, 1\), 1 such entries"),
    (lambda: diagnose([[1.0, np.inf], [np.inf, 1.0]]), DataError, r"finite; got inf at \(0, 1\), 2 such"),
    (lambda: diagnose(UNIT, eigenvalues=[1.0]), DataError, r"eigenvalues must be all 3 of K; got shape \(1,\)"),
    (lambda: order_rows(UNIT, [0, 1, 1], "colour"), ParameterError, "by must be one of 'as read', 'class'.*'colour'"),
    (lambda: order_rows(UNIT), DataError, "by='class' must have labels; got y=None"),
    (lambda: levels_to_collapse(UNIT, limit=0), ParameterError, "limit"),
    (lambda: spectral_groups(np.eye(4)), DataError, "at least 5 rows to look for groups among; got 4"),
    # eigenvectors
    (
        lambda: kernel_pca(UNIT, components=4),
        ParameterError,
        "1 <= components <= 3, the rows of K.*got 4. Try components=3",
    ),
    (lambda: kernel_pca(0 * K + 0.1, centered=True), DegenerateError, "centred K must not vanish; got a constant K"),
    (lambda: kernel_pca(np.triu(K)), DataError, "K must be symmetric"),
    (lambda: kernel_pca(UNIT).project(UNIT[:, :2]), DataError, "one column for each of the 3 training rows"),
    # labels
    (lambda: roc_curves([1, 1], [0.1, 0.2], ("a", "b")), DataError, "rows of one class only"),
    (lambda: roc_curves([0, 1, 2], [0.1, 0.2, 0.3], "abc"), DataError, r"shape \(3,\) for 3 rows in 3 classes"),
    (lambda: confusion([1, 2], [1, 2], ("a", "b")), DataError, "codes must be integers 0…1.*from 1 to 2"),
    (lambda: confusion([1], [1, 0]), DataError, "vectors of one length"),
    # the relevant dimension
    (
        lambda: relevant_dimension(K, y, max_dimension=18),
        ParameterError,
        "1 <= max_dimension <= 17, one less than the rows; got 18. Try",
    ),
    (
        lambda: relevant_dimension(K, 0 * y, task="regression"),
        DegenerateError,
        "y must not be zero in every row; got 18 zeros",
    ),
    (
        lambda: relevant_dimension(K, 0 * y + 0.1, centred=True),
        DegenerateError,
        "y must not be constant; got 18 values of 0.1",
    ),
    (lambda: relevant_dimension_loo(K, ["a"] * 18), DataError, "relevant_dimension_loo: y must have at least two"),
    (lambda: relevant_dimension([[1.0]], [0.5]), DataError, "at least two rows; got 1"),
    (
        lambda: relevant_dimension(K, y, decomposition=Decomposition(y[:3], K[:3])),
        DataError,
        r"decomposition must hold eigenvectors of the 18 rows of K; got shape \(3, 18\)",
    ),
    (
        lambda: relevant_dimension(K, y).denoised_at(0),
        ParameterError,
        "RelevantDimension: d must be an integer with 1 <= d <= 18; got 0",
    ),
    (lambda: relevant_dimension(K, y).margin_at(1), DataError, "margin_at: expected classes"),
    (
        lambda: permutation_band(relevant_dimension(K, y), permutations=0),
        ParameterError,
        "1 <= permutations; got 0. Try permutations=200",
    ),
]


@pytest.mark.parametrize(("call", "error", "words"), REFUSED, ids=[words for *_, words in REFUSED])
def test_refusals_name_the_problem(call, error, words):
    with pytest.raises(error, match=words):
        call()
