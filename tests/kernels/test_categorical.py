"""Nominal kernels against the definitions, pair by pair and column by column."""

from __future__ import annotations

import collections
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernlib import GeneralOverlap, Overlap, ProbabilityOverlap
from kernlib.kernels import matches
from kernlib.numerics.sizes import all_sizes

KINDS = [Overlap, ProbabilityOverlap, GeneralOverlap]
TRANSFORMATIONS = [None, "f1", "f2"]


def by_definition(kernel, X, Y, train):
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


def variants():
    for cls in KINDS:
        for composition in ("mean", "product"):
            for before in TRANSFORMATIONS:
                for after in TRANSFORMATIONS:
                    own = {} if cls is Overlap else {"alpha": 0.7}
                    kernel = cls(**own, composition=composition, before=before, after=after, gamma=0.5)
                    yield pytest.param(kernel, id=f"{cls.__name__}-{composition}-{before}-{after}")


rows = st.integers(1, 4).flatmap(
    lambda d: st.tuples(*(st.lists(st.tuples(*[st.sampled_from("abcd")] * d), min_size=1, max_size=6),) * 2)
)


@pytest.mark.parametrize("kernel", [*variants()])
@settings(max_examples=6, deadline=None)
@given(pair=rows)
def test_definition_with_unseen_categories(kernel, pair):
    train, test = (np.array(r, dtype=object).reshape(len(r), -1) for r in pair)
    test[0, 0] = "unseen"
    fitted = kernel.fit(train)
    close = dict(rtol=1e-10, atol=1e-13)
    np.testing.assert_allclose(fitted(train), by_definition(kernel, train, train, train), **close)
    np.testing.assert_allclose(fitted(test, train), by_definition(kernel, test, train, train), **close)
    np.testing.assert_allclose(fitted(test), by_definition(kernel, test, test, train), **close)
    np.testing.assert_allclose(fitted.diag(test), np.diag(by_definition(kernel, test, test, train)), **close)
    # The same from rows that a sweep coded once, test rows among them.
    coded = kernel.prepared_rows(np.concatenate([train, test]), {})
    fold = kernel.fold_rows(coded[np.arange(len(train))], coded[np.arange(len(train), len(train) + len(test))], None)
    for found, expected in zip(fold[1:], (fitted(train), fitted(test, train), fitted.diag(test)), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-15)
    if kernel.learns:
        assert fold.kernel.pmf == fitted.pmf
        np.testing.assert_allclose(fold.kernel(test, train), fold.K_star, rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize("kernel", [*variants()])
def test_rare_categories_take_the_sparse_way_to_the_same_values(kernel):
    rng = np.random.default_rng(0)
    # A column of identifiers, one of three categories, one skewed: all three ways at once.
    X = np.column_stack(
        [np.arange(40), rng.integers(0, 3, 40), np.where(rng.random(40) < 0.8, 0, rng.integers(0, 30, 40))]
    )
    fitted = kernel.fit(X[:30])
    with all_sizes(1):
        K, K_star = fitted(X), fitted(X[30:], X[:30])
    np.testing.assert_array_equal(K, K.T)
    np.testing.assert_allclose(K, by_definition(kernel, X, X, X[:30]), rtol=1e-10, atol=1e-13)
    np.testing.assert_allclose(K_star, K[30:, :30], rtol=1e-12, atol=1e-13)


def test_a_product_of_tiny_values_is_the_same_by_every_way():
    # A factor 0 in a column, and h of a common category about 10⁻¹²: a sum of logarithms loses 10⁻¹³ of equal rows.
    X = np.array([list("aab"), list("acc"), list("bcc"), list("baa"), list("aab")], dtype=object)
    fitted = GeneralOverlap(alpha=0.1, composition="product").fit(X[[2, 1, 4]])
    K = fitted(X)
    assert 0.0 < K[1, 1] < 1e-20
    np.testing.assert_allclose(K, by_definition(fitted, X, X, X[[2, 1, 4]]), rtol=1e-13, atol=0)
    np.testing.assert_array_equal(fitted(X[3:], X), K[3:])
    np.testing.assert_array_equal(fitted.diag(X), K.diagonal())
    assert K[0, 4] == K[0, 0]


@pytest.mark.parametrize(
    "column",
    [
        np.array([1, 2, 1]), np.array([1.5, np.nan, 1.5]), np.array([True, False, True]),
        np.array(["é", "b", "é"]), np.array(["long text", "long", "long text"]), np.array([b"x", b"y", b"x"]),
        np.array(["2020-01-01", "2020-01-02", "2020-01-01"], dtype="M8[D]"), np.array([None, 1, None], dtype=object),
        np.array([10**18, -(10**18), 10**18]), np.array([255, 0, 255], dtype=np.uint8),
        np.array(["x" * 40, "y" * 40, "x" * 40]), np.array(["", "a", ""]), np.array([1j, 2j, 1j]),
        np.array([np.iinfo(np.uint64).max, 0, np.iinfo(np.uint64).max], dtype=np.uint64),
        np.array([np.iinfo(np.uint64).max, np.iinfo(np.uint64).max - 1, np.iinfo(np.uint64).max], dtype=np.uint64),
        np.array([-128, 127, -128], dtype=np.int8),
        np.array([np.iinfo(np.int64).max, np.iinfo(np.int64).min, np.iinfo(np.int64).max]),
    ],
    ids=lambda c: f"{c.dtype}-{c[0]}"[:24],
)  # fmt: skip
def test_columns_of_any_dtype(column):
    expected = [[1, 0, 1], [0, 1, 0], [1, 0, 1]]
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
    monkeypatch.setattr(matches, "_FEW", 0)
    if not dense:
        monkeypatch.setattr(matches, "_DENSE_ENTRIES", 0)
        monkeypatch.setattr(matches, "_SINGLE", 0)  # in double precision
    rng = np.random.default_rng(0)
    X, Y = (np.stack([rng.integers(0, m, n) for m in sizes], axis=1) for n in (50, 40))
    Y[0] += 1  # categories that X does not have
    for rows, others in ((X, None), (X, Y), (X[:1], Y), (np.full_like(X, 7), X)):
        agree = rows[:, None] == (rows if others is None else others)[None]
        np.testing.assert_array_equal(Overlap()(rows, others), agree.sum(axis=2) / len(sizes))
        trained = ProbabilityOverlap().fit(X)
        carried = (rows[:, None] == X).sum(axis=1)  # by how many training rows: 1 − P is a whole number over all
        scores = (agree * (len(X) - carried)[:, None]).sum(axis=2)
        K = trained(rows) if others is None else trained(rows, others)
        # Where rare ones are added to the others' sum there are two roundings.
        np.testing.assert_array_max_ulp(K, scores / (len(sizes) * len(X)), maxulp=0 if dense else 1)
