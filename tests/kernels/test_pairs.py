"""Pairwise kernels against their formulas, bound, unbound, and with a base kernel that learns."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from kernlib import (
    RBF,
    Deep,
    Diffusion,
    KernlibError,
    Linear,
    MetricPairs,
    Pairs,
    Precomputed,
    Spectrum,
    TensorPairs,
    TransductiveError,
    parse,
)

from .rows import ROWS

S = np.array([[2.0, 1.0, -0.5], [1.0, 3.0, 0.2], [-0.5, 0.2, 1.0]])


def by_formula(K: np.ndarray, pairs: np.ndarray, metric: bool) -> np.ndarray:
    out = np.empty((len(pairs), len(pairs)))
    for i, (p1, p2) in enumerate(pairs):
        for j, (q1, q2) in enumerate(pairs):
            if metric:
                out[i, j] = (K[p1, q1] + K[p2, q2] - K[p1, q2] - K[p2, q1]) ** 2
            else:
                out[i, j] = K[p1, q1] * K[p2, q2] + K[p1, q2] * K[p2, q1]
    return out


@settings(deadline=None)
@given(ROWS["pair"])
def test_formulas(rows: Pairs):
    K, numbers = rows.rows, rows.numbers
    base = Precomputed().bind(K)
    for kernel, unbound, expected in (
        (TensorPairs(base), TensorPairs(Precomputed()), by_formula(K, numbers, metric=False)),
        (TensorPairs(base, shift=1.0), TensorPairs(Precomputed(), shift=1.0), by_formula(K + 1, numbers, metric=False)),
        (MetricPairs(base), MetricPairs(Precomputed()), by_formula(K, numbers, metric=True)),
        (
            TensorPairs(base) + MetricPairs(base),
            TensorPairs(Precomputed()) + MetricPairs(Precomputed()),
            by_formula(K, numbers, metric=False) + by_formula(K, numbers, metric=True),
        ),
    ):
        for values in (
            kernel(numbers),
            kernel(numbers, numbers),
            unbound(rows),
            unbound((K, numbers)),
            kernel.bind(numbers)(np.arange(len(numbers))),
            unbound.bind(rows)(np.arange(len(numbers))),
        ):
            np.testing.assert_allclose(values, expected, atol=1e-9)
        np.testing.assert_allclose(kernel.diag(numbers), np.diag(expected), atol=1e-9)
        np.testing.assert_array_equal(kernel(numbers), kernel(numbers).T)


def test_metric_pairs_compare_differences():
    X = np.random.default_rng(0).normal(size=(5, 3))
    numbers = np.array([[0, 1], [2, 3], [4, 0]])
    D = X[numbers[:, 0]] - X[numbers[:, 1]]
    np.testing.assert_allclose(MetricPairs(Linear())(Pairs(X, numbers)), (D @ D.T) ** 2)
    np.testing.assert_allclose(MetricPairs(Linear() + 1.0)(Pairs(X, numbers)), (D @ D.T) ** 2)  # a number cancels


def test_the_order_within_a_pair_does_not_count():
    numbers = np.array([[0, 1], [2, 1], [0, 0]])
    for kernel in (TensorPairs(Precomputed()), MetricPairs(Precomputed())):
        np.testing.assert_allclose(kernel(Pairs(S, numbers)), kernel(Pairs(S, numbers[:, ::-1])))


def test_any_base_kernel():
    texts = ["ACGT", "ACGA", "TTTT"]
    numbers = np.array([[0, 1], [1, 2]])
    bound = TensorPairs(Spectrum(length=2).bind(texts))(numbers)
    np.testing.assert_array_equal(TensorPairs(Spectrum(length=2))((texts, numbers)), bound)
    A = np.ones((3, 3))
    kernel = TensorPairs(Diffusion())
    assert kernel.transductive
    np.testing.assert_allclose(
        kernel.bind((A, numbers)).fold([0], [1]).K_star, TensorPairs(Diffusion().bind(A))(numbers)[1:, :1]
    )
    for call in (lambda: kernel(Pairs(A, numbers), Pairs(A, numbers)), lambda: kernel.fold((A, numbers), (A, numbers))):
        with pytest.raises(TransductiveError, match="bind"):
            call()


def test_the_base_learns_from_the_objects_of_the_training_pairs():
    X = np.random.default_rng(1).normal(size=(6, 2))
    train, test = np.array([[0, 1], [1, 3]]), np.array([[4, 5]])
    learnt = RBF(sigma="median").fit(X[[0, 1, 3]])
    expected = TensorPairs(learnt.bind(X))
    everything = np.vstack([train, test])
    spec, bound = TensorPairs(RBF(sigma="median")), TensorPairs(RBF(sigma="median").bind(X))
    for fold in (
        spec.fold(Pairs(X, train), Pairs(X, test)),
        bound.fold(train, test),
        spec.bind(Pairs(X, everything)).fold([0, 1], [2]),
        bound.bind(everything).fold([0, 1], [2]),
    ):
        np.testing.assert_allclose(fold.K, expected(train))
        np.testing.assert_allclose(fold.K_star, expected(test, train))
        np.testing.assert_allclose(fold.k_diag, expected.diag(test))


def test_a_base_matrix_is_computed_once_for_a_sum(monkeypatch):
    calls = []
    original = Linear.gram
    monkeypatch.setattr(Linear, "gram", lambda k, X, Y: calls.append(1) or original(k, X, Y))
    (TensorPairs(Linear() + 1.0) + MetricPairs(Linear() + 1.0) + 1.0).bind(Pairs(S, [[0, 1], [1, 2]]))
    assert len(calls) == 1


def test_text_of_bound_and_unbound():
    assert repr(TensorPairs(Precomputed().bind(S))) == "TensorPairs(Precomputed().bind(<3 rows>), shift=0.0)"
    for kernel in (TensorPairs(Precomputed(), shift=1.0), TensorPairs() + MetricPairs(Deep(Linear()))):
        assert parse(repr(kernel)) == kernel
    assert TensorPairs(Precomputed()).chain() == ("Precomputed", "TPPK")
    assert TensorPairs() == TensorPairs(Precomputed())


def test_pairs_are_rows():
    pairs = Pairs(S, [[0, 1], [1, 2], [2, 2]])
    assert len(pairs) == 3
    assert pairs.shape == (3,)
    np.testing.assert_array_equal(pairs[[0, 2]].numbers, [[0, 1], [2, 2]])
    assert len(pairs[0]) == 1
    np.testing.assert_array_equal(pairs[np.array([True, False, True])].numbers, [[0, 1], [2, 2]])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: TensorPairs(Precomputed())([[0, 1]]),
            "the base kernel Precomputed() is not bound to rows; expected TensorPairs(kernel.bind(rows)) for plain",
        ),
        (lambda: MetricPairs(Linear())("01"), "or Pairs(rows, numbers) in their place; got a str."),
        (
            lambda: TensorPairs(Precomputed().bind(S))([[0, 3]]),
            "row 3 does not exist; expected row numbers from 0 to 2",
        ),
        (lambda: TensorPairs(Precomputed().bind(S))([[0, 1, 2]]), "got shape (1, 3) of int64. Next: give two row"),
        (lambda: TensorPairs(Precomputed().bind(S))([[0.5, 1.0]]), "integer array of shape (n, 2)"),
        (
            lambda: TensorPairs(Precomputed().bind(S))((S, [[0, 1]])),
            "already bound to its rows; expected only row numbers",
        ),
        (lambda: Pairs(S, [[0, 1], [-1, 2]]), "Pairs: pair 1 is (-1, 2); expected row numbers from 0 to 2."),
        (lambda: Pairs(S, [[0, 1, 2]]), "Pairs reads an integer array of shape (n, 2) of row numbers"),
        (
            lambda: TensorPairs(Linear())(Pairs(S, [[0, 1]]), Pairs(S[:2], [[0, 1]])),
            "must number the same rows; got two sets of 3 and 2 different rows. Put all objects into one",
        ),
        (lambda: MetricPairs(3), "MetricPairs: kernel must be a kernel; got 3."),
        (lambda: TensorPairs(Linear(), shift=-1.0), "TensorPairs: shift must be a finite number with 0 <= shift"),
    ],
)
def test_refusals(call, message):
    with pytest.raises(KernlibError) as error:
        call()
    assert message in str(error.value)
