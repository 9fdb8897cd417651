"""Kernels on the rows of tables, and steps that prepare columns, against their definitions."""

from __future__ import annotations

import collections
import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal, assert_array_max_ulp
from scipy.sparse import csr_array
from scipy.spatial.distance import pdist

from kernlib import (
    RBF,
    Coded,
    DataError,
    Deep,
    DegenerateError,
    DomainError,
    GeneralOverlap,
    Imputed,
    Laplacian,
    Linear,
    LogRows,
    Matern,
    Normalized,
    NotFittedError,
    On,
    Overlap,
    ParameterError,
    ProbabilityOverlap,
    Ranged,
    Standardized,
    StandardizedRows,
    UnitRows,
)
from kernlib.analysis import centred_alignment
from kernlib.data import Dataset, load_dataset
from kernlib.kernels import nominal
from kernlib.numerics.blocks import all_sizes
from kernlib.numerics.distances import median_distance

from .test_definitions import MIXED

# -- vectors -----------------------------------------------------------------------------------


X = np.random.default_rng(0).normal(size=(23, 4))
Y = np.random.default_rng(1).normal(size=(7, 4))


def test_medians_are_learnt_from_training_rows_alone():
    median = np.median(pdist(X))
    fitted = RBF(sigma="median").fit(X)
    assert_allclose(fitted(Y, X), RBF(sigma=float(median))(Y, X), rtol=1e-12)
    assert RBF(sigma="median").heuristics(X)["sigma"] == pytest.approx(median)
    assert Matern(length="median").fit(X).width() == fitted.width()
    assert Laplacian(sigma="median").fit(X).width() == pytest.approx(np.median(pdist(X, "cityblock")))
    many = np.arange(3000.0)[:, None]
    assert median_distance(many) == pytest.approx(np.median(pdist(many)), rel=0.01)


# -- one width for each column ------------------------------------------------------------------

_SIGNS = np.where(X[:, 0] * X[:, 2] > 0, "a", "b")


def test_widths_by_hand_are_those_of_scaled_columns():
    widths = (0.5, 2.0, 1.0, 30.0)
    kernel = RBF(sigma=widths)
    assert_allclose(kernel(X, Y), RBF(sigma=1.0)(X / widths, Y / widths), rtol=1e-12)
    assert_array_equal(RBF(sigma=(1.7,) * 4)(X), RBF(sigma=1.7)(X))
    assert RBF(sigma=[1, 2]) == RBF(sigma=(1.0, 2.0))
    assert RBF(sigma=(1.0,) * 9).chip() == "RBF(9 values)"
    for bad, says in (
        ((1.0, 0.0), "got 0.0"),
        ((1.0, "median"), "got 'median'"),
        ((), "a tuple of one for each column"),
    ):
        with pytest.raises(ParameterError, match=says):
            RBF(sigma=bad)
    with pytest.raises(DomainError, match="X has 4 columns; expected 2"):
        RBF(sigma=(1.0, 2.0))(X)


@pytest.mark.parametrize("criterion", ["alignment", "leave-one-out"])
def test_learnt_relevances(criterion):
    """Of four columns two matter together (an exclusive or), whatever their units; labels of test rows are not read."""
    rng = np.random.default_rng(3)
    rows = rng.normal(size=(120, 4))
    labels = np.where(rows[:, 0] * rows[:, 2] > 0, "a", "b")
    kernel = RBF(sigma=criterion)
    widths = kernel.fit(rows, labels).width()
    assert max(widths[[0, 2]]) < 0.2 * min(widths[[1, 3]])
    scaled = kernel.fit(rows * [1.0, 100.0, 1e-3, 1.0] + 5.0, labels).width()
    assert_allclose(scaled / [1.0, 100.0, 1e-3, 1.0], widths, rtol=1e-3)

    fitted = kernel.fit(rows[:80], labels[:80])
    given = RBF(sigma=tuple(fitted.width().tolist()))
    fold = kernel.bind(rows).fold(np.arange(80), np.arange(80, 120), labels[:80])
    assert_allclose(fold.K_star, given(rows[80:], rows[:80]), rtol=1e-9)
    assert_allclose(fitted(rows, rows)[80:, :80], fold.K_star, rtol=1e-9)
    assert_array_equal(fold.k_diag, np.ones(40))

    constant = np.column_stack([rows[:, 0], np.full(120, 7.0)])
    assert np.isfinite(kernel.fit(constant, rows[:, 0]).width()).all()
    for call, error, says in (
        (lambda: kernel.fit(rows), NotFittedError, "the labels of the training rows are missing"),
        (lambda: kernel.fit(np.ones((4, 2)), ["a", "b", "a", "b"]), DegenerateError, "two different rows"),
        (lambda: fitted(rows[:, :3]), DomainError, "expected 4, since the training rows had 4"),
    ):
        with pytest.raises(error, match=says):
            call()


@pytest.mark.parametrize("criterion", ["alignment", "leave-one-out"])
def test_learnt_widths_are_where_the_criterion_has_its_optimum(criterion):
    """No small step improves it: by another computation of both criteria, which refits without each row."""
    y = np.where(_SIGNS == "a", 1.0, -1.0)
    best = RBF(sigma=criterion).fit(X, _SIGNS).width()

    def loss(widths: np.ndarray) -> float:
        K = RBF(sigma=tuple(widths.tolist()))(X)
        if criterion == "alignment":
            return -centred_alignment(K, y)
        return min(left_out(K, ridge) for ridge in np.geomspace(1e-4, 1e2, 60))

    def left_out(K: np.ndarray, ridge: float) -> float:
        errors = []
        for i in range(len(K)):
            rest = np.delete(np.arange(len(K)), i)
            errors.append(
                y[i]
                - y.mean()
                - K[i, rest] @ np.linalg.solve(K[np.ix_(rest, rest)] + ridge * np.eye(len(rest)), y[rest] - y.mean())
            )
        return float(np.mean(np.square(errors)))

    here = loss(best)
    assert here < loss(np.full(4, float(np.median(pdist(X))))) - 0.02
    for c in range(4):
        for factor in (0.8, 1.25):
            moved = best.copy()
            moved[c] *= factor
            assert loss(moved) >= here - 1e-3


# -- categorical -------------------------------------------------------------------------------


def by_categories(kernel, X, Y, train):
    """[C] sections 4.2–4.4 and 7.1, one pair and one column at a time."""
    alpha = getattr(kernel, "alpha", None)

    def h(p):
        return 1.0 if alpha is None else (1 - p**alpha) ** (1 / alpha)

    counts = [collections.Counter(column) for column in zip(*train.tolist(), strict=True)]

    def univariate(c, u, v):
        p, q = counts[c][u] / len(train), counts[c][v] / len(train)
        if u == v:
            return h(p)
        return 0.5 * h(p) * h(q) * (1 - abs(p - q)) if isinstance(kernel, GeneralOverlap) else 0.0

    def transformed(f, xy, xx, yy):
        if f is None:
            return xy
        return math.exp(kernel.gamma * xy) if f == "f1" else math.exp(-kernel.gamma * (xx + yy - 2 * xy))

    def composed(x, y):
        values = [
            transformed(kernel.before, univariate(c, x[c], y[c]), univariate(c, x[c], x[c]), univariate(c, y[c], y[c]))
            for c in range(len(x))
        ]
        return sum(values) / len(values) if kernel.composition == "mean" else math.prod(values)

    X, Y = X.tolist(), Y.tolist()
    return np.array([[transformed(kernel.after, composed(x, y), composed(x, x), composed(y, y)) for y in Y] for x in X])


VARIANTS = [
    cls(**({} if cls is Overlap else {"alpha": 0.7}), composition=composition, before=before, after=after, gamma=0.5)
    for cls in (Overlap, ProbabilityOverlap, GeneralOverlap)
    for composition in ("mean", "product")
    for before, after in itertools.product((None, "f1", "f2"), repeat=2)
]


rows = st.integers(1, 4).flatmap(
    lambda d: st.tuples(*(st.lists(st.tuples(*[st.sampled_from("abcd")] * d), min_size=1, max_size=6),) * 2)
)


@pytest.mark.parametrize("kernel", VARIANTS, ids=repr)
@settings(max_examples=6)
@given(pair=rows)
def test_definition_with_unseen_categories(kernel, pair):
    train, test = (np.array(r, dtype=object).reshape(len(r), -1) for r in pair)
    test[0, 0] = "unseen"
    fitted = kernel.fit(train)
    close = dict(rtol=1e-10, atol=1e-13)
    assert_allclose(fitted(train), by_categories(kernel, train, train, train), **close)
    assert_allclose(fitted(test, train), by_categories(kernel, test, train, train), **close)
    assert_allclose(fitted(test), by_categories(kernel, test, test, train), **close)
    assert_allclose(fitted.diag(test), np.diag(by_categories(kernel, test, test, train)), **close)


@pytest.mark.parametrize("kernel", VARIANTS, ids=repr)
def test_rare_categories_take_the_sparse_way_to_the_same_values(kernel):
    rng = np.random.default_rng(0)
    # A column of identifiers, one of three categories, one skewed: all three ways at once.
    X = np.column_stack(
        [np.arange(40), rng.integers(0, 3, 40), np.where(rng.random(40) < 0.8, 0, rng.integers(0, 30, 40))]
    )
    fitted = kernel.fit(X[:30])
    with all_sizes(1):
        K, K_star = fitted(X), fitted(X[30:], X[:30])
    assert_array_equal(K, K.T)
    assert_allclose(K, by_categories(kernel, X, X, X[:30]), rtol=1e-10, atol=1e-13)
    assert_allclose(K_star, K[30:, :30], rtol=1e-12, atol=1e-13)


def test_a_product_of_tiny_values_is_the_same_by_every_way():
    # A factor 0 in a column, and h of a common category about 10⁻¹²: a sum of logarithms loses 10⁻¹³ of equal rows.
    X = np.array([list("aab"), list("acc"), list("bcc"), list("baa"), list("aab")], dtype=object)
    fitted = GeneralOverlap(alpha=0.1, composition="product").fit(X[[2, 1, 4]])
    K = fitted(X)
    assert 0.0 < K[1, 1] < 1e-20
    assert_allclose(K, by_categories(fitted, X, X, X[[2, 1, 4]]), rtol=1e-13, atol=0)
    assert_array_equal(fitted(X[3:], X), K[3:])
    assert_array_equal(fitted.diag(X), K.diagonal())
    assert K[0, 4] == K[0, 0]


@pytest.mark.parametrize(
    ("one", "other", "dtype"),
    [
        (1.5, np.nan, float),
        (True, False, bool),
        ("long text", "long", str),
        (b"x", b"y", bytes),
        ("2020-01-01", "2020-01-02", "M8[D]"),
        (None, 1, object),
        ("", "a", str),
        (1j, 2j, complex),
        (2**64 - 1, 2**64 - 2, np.uint64),
        (2**63 - 1, -(2**63), np.int64),
        (1, 2, ">i4"),
        (1.5, np.nan, ">f8"),
        ("ab", "a", ">U2"),
    ],
)
def test_columns_of_any_dtype(one, other, dtype):
    column = np.array([one, other, one], dtype=dtype)
    expected = [[1, 0, 1], [0, 1, 0], [1, 0, 1]]
    assert nominal.category_codes(column)[0].tolist() == [0, 1, 0]
    assert Overlap()(column[:, None]).tolist() == expected
    assert Overlap()(column[:, None], column[:, None].astype(object)).tolist() == expected


def test_missing_entries_are_one_category():
    X = np.array([None, float("nan"), np.nan, "a"], dtype=object)[:, None]
    assert Overlap()(X)[:3, :3].tolist() == np.ones((3, 3)).tolist()
    assert Overlap()(X)[0, 3] == 0
    assert ProbabilityOverlap().fit(X).pmf[0]["a"] == 0.25
    numbers = np.array([[np.nan], [1.0], [np.nan]])
    assert ProbabilityOverlap().fit(numbers)(numbers, X)[0, 1] == pytest.approx(1 / 3)


def test_rows_of_another_dtype_meet_the_fitted_ones():
    numbers, objects = np.array([[1], [2]]), np.array([[1], ["1"]], dtype=object)
    assert Overlap()(numbers, objects).tolist() == [[1, 0], [0, 0]]
    assert Overlap()(np.array([["a"], ["bc"]]), np.array([["bc"]])).ravel().tolist() == [0, 1]


@pytest.mark.parametrize("dense", [True, False], ids=["dense", "sparse where rare"])
@pytest.mark.parametrize("sizes", [(2,), (1, 2, 2, 2), (2, 4, 1, 3, 2), (9, 2, 30, 2), (3,)], ids=repr)
def test_whole_weights_are_summed_to_the_last_bit(sizes, dense, monkeypatch):
    monkeypatch.setattr(nominal, "_FEW", 0)
    if not dense:
        monkeypatch.setattr(nominal, "_DENSE_ENTRIES", 0)
        monkeypatch.setattr(nominal, "_SINGLE", 0)  # in double precision
    rng = np.random.default_rng(0)
    X, Y = (np.stack([rng.integers(0, m, n) for m in sizes], axis=1) for n in (50, 40))
    Y[0] += 1  # categories that X does not have
    for rows, others in ((X, None), (X, Y), (X[:1], Y), (np.full_like(X, 7), X)):
        agree = rows[:, None] == (rows if others is None else others)[None]
        assert_array_equal(Overlap()(rows, others), agree.sum(axis=2) / len(sizes))
        trained = ProbabilityOverlap().fit(X)
        carried = (rows[:, None] == X).sum(axis=1)  # by how many training rows: 1 − P is a whole number over all
        scores = (agree * (len(X) - carried)[:, None]).sum(axis=2)
        K = trained(rows) if others is None else trained(rows, others)
        # Where rare ones are added to the others' sum there are two roundings.
        assert_array_max_ulp(K, scores / (len(sizes) * len(X)), maxulp=0 if dense else 1)


# -- columns -----------------------------------------------------------------------------------


def test_bound_to_the_same_table_each_base_matrix_is_computed_once_and_columns_are_not_mixed_up():
    memo = {}
    first = On((0,), Deep(Linear(), level=1)).bind(MIXED, memo)
    again = On((0,), Deep(Linear(), level=2)).bind(MIXED, memo)
    other = On((1,), Deep(Linear(), level=1)).bind(MIXED, memo)
    assert again.kernel is first
    assert first.kernel is not other.kernel
    assert_allclose(other(np.arange(4)), Deep(Linear())(MIXED[:, [1]].astype(float)))


# -- imputed -----------------------------------------------------------------------------------


def test_a_masked_entry_is_missing():
    masked = np.ma.masked_array([[5.0, 1.0], [2.0, 3.0]], [[True, False], [False, False]])
    assert_array_equal(Imputed(Linear())(masked), Imputed(Linear())([[np.nan, 1.0], [2.0, 3.0]]))
    assert Dataset("d", "d", "vector", masked, fill="mean").missing == 1
    with pytest.raises(DataError, match="row 0, column 0 is nan"):
        Dataset("d", "d", "vector", masked)
    with pytest.raises(DataError, match="got a sparse csr_array"):
        Dataset("d", "d", "vector", csr_array(np.eye(2)))


# -- rows prepared -----------------------------------------------------------------------------


def test_figure_2_s_cosines_of_the_colon_tissues_are_those_of_a_chain():
    """[O] figure 2 prints the first 4 × 4 entries: logarithms, tissues, then genes standardised, then length 1."""
    data = load_dataset("colon")
    K = LogRows(StandardizedRows(Standardized(UnitRows(Linear()))))(data.rows)
    assert_allclose(K, Normalized(LogRows(StandardizedRows(Standardized(Linear()))))(data.rows))
    printed = [[1.00, 0.41, 0.33, 0.42], [0.41, 1.00, 0.17, 0.39], [0.33, 0.17, 1.00, 0.61], [0.42, 0.39, 0.61, 1.00]]
    assert_array_equal(K[:4, :4].round(2), printed)


@pytest.mark.parametrize("size", [1e-200, 1e200])
def test_very_small_and_very_large_numbers_are_standardised_like_any_others(size):
    X = np.array([[1.0, 7.0], [2.0, 7.0], [4.0, 7.0]])
    for step in (Standardized, StandardizedRows, UnitRows, Ranged):
        assert_allclose(
            step(Linear())(X * [size, 1.0] if step in (Standardized, Ranged) else X * size),
            step(Linear())(X),
            atol=1e-14,
        )


@pytest.mark.parametrize("train", [np.array([[1], [2]]), [[1, "a"], [2.0, "a"]]], ids=["whole numbers", "a list"])
def test_equal_numbers_are_one_category_whatever_their_type(train):
    test = np.array([[2.0, "a"], [True, "a"]], dtype=object)[:, : np.shape(train)[1]]
    found = Coded(Linear()).fit(train)(test[:1], train)
    assert_array_equal(found, Overlap()(test[:1], train) * test.shape[1])
    assert found[0, 1] == test.shape[1]
    gaps = Coded(Linear()).fit([[1], [None]])(np.array([[np.nan]]), [[1], [None]])
    assert_array_equal(gaps, [[0.0, 1.0]])
