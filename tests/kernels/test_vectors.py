"""Kernels on vectors against scikit-learn and SciPy, and what they refuse."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import coo_matrix, csr_array, csr_matrix
from scipy.spatial.distance import pdist, squareform
from sklearn.metrics.pairwise import polynomial_kernel, rbf_kernel

from kernlib import (
    RBF,
    DegenerateError,
    DomainError,
    Linear,
    NotFittedError,
    Overlap,
    ParameterError,
    Polynomial,
    Standardized,
)
from kernlib.analysis import centred_alignment
from kernlib.numerics.distances import median_distance

X = np.random.default_rng(0).normal(size=(23, 4))
Y = np.random.default_rng(1).normal(size=(7, 4))


def test_values_of_another_library():
    np.testing.assert_allclose(RBF(sigma=1.7)(X, Y), rbf_kernel(X, Y, gamma=1 / (2 * 1.7**2)), rtol=1e-12)
    np.testing.assert_allclose(Polynomial(degree=3, offset=0.5)(X), polynomial_kernel(X, degree=3, gamma=1, coef0=0.5))
    np.testing.assert_allclose(
        Polynomial(degree=11, offset=0.0)(X, Y), polynomial_kernel(X, Y, degree=11, gamma=1, coef0=0)
    )
    np.testing.assert_allclose(Linear()(X, Y), X @ Y.T)


def test_large_matrices_take_the_blocked_way_to_the_same_values():
    big = np.random.default_rng(2).normal(size=(1300, 3))
    K = RBF(sigma=2.0)(big)
    np.testing.assert_array_equal(K, K.T)
    np.testing.assert_allclose(K, np.exp(-squareform(pdist(big, "sqeuclidean")) / 8), rtol=1e-9)
    P = Polynomial(degree=3)(big)
    np.testing.assert_array_equal(P, P.T)
    np.testing.assert_allclose(P, (big @ big.T + 1) ** 3, rtol=1e-9, atol=1e-9)


def test_far_from_the_origin_nothing_cancels():
    near = np.array([[1e8, 0.0], [1e8 + 1, 0.0]])
    np.testing.assert_allclose(RBF(sigma=1.0)(near)[0, 1], np.exp(-0.5), rtol=1e-6)


def test_the_median_is_learnt_from_training_rows_alone():
    fitted = RBF(sigma="median").fit(X)
    np.testing.assert_allclose(fitted(Y, X), RBF(sigma=float(np.median(pdist(X))))(Y, X), rtol=1e-12)
    assert RBF(sigma="median").heuristics(X)["sigma"] == pytest.approx(np.median(pdist(X)))
    assert median_distance(np.arange(3000.0)[:, None]) == pytest.approx(
        np.median(pdist(np.arange(3000.0)[:, None])), rel=0.01
    )


def test_columns_are_standardised_with_training_numbers():
    wide = X * [1.0, 100.0, 1e-4, 1.0]
    fitted = Standardized(Linear()).fit(wide[:10])
    m, s = wide[:10].mean(0), wide[:10].std(0)
    np.testing.assert_allclose(fitted(wide[10:], wide[:10]), ((wide[10:] - m) / s) @ ((wide[:10] - m) / s).T)
    constant = np.column_stack([X[:, 0], np.full(len(X), 0.1)])
    assert np.isfinite(Standardized(Linear())(constant)).all()


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (
            lambda: RBF(sigma=0.0),
            ParameterError,
            "RBF: sigma must be a finite number with 0 < sigma, or 'median', or",
        ),
        (lambda: RBF(sigma=-1), ParameterError, "got -1"),
        (lambda: RBF(sigma=float("inf")), ParameterError, "a finite number"),
        (lambda: RBF(sigma="mean"), ParameterError, "got 'mean'"),
        (lambda: RBF(sigma=True), ParameterError, "got True"),
        (lambda: Polynomial(degree=0), ParameterError, "Polynomial: degree must be an integer"),
        (lambda: Polynomial(degree=2.0), ParameterError, "an integer"),
        (lambda: Polynomial(offset=-0.1), ParameterError, "0 <= offset"),
        (lambda: Linear()(["a", "b"]), DomainError, "Linear reads a finite float array"),
        (lambda: Linear()([[1.0, np.nan]]), DomainError, "row 0, column 1 is nan"),
        (lambda: Linear()([[1.0], [np.inf]]), DomainError, "row 1, column 0 is inf"),
        (lambda: Linear()([1.0, 2.0]), DomainError, "X.reshape(-1, 1)"),
        (lambda: Linear()([[1.0], [1.0, 2.0]]), DomainError, "rows of different lengths"),
        (lambda: Linear()(np.empty((0, 3))), DomainError, "shape (0, 3)"),
        (lambda: Linear()(5), DomainError, "got a int"),
        (lambda: Linear()(np.array([[1, None]], object)), DomainError, "row 0, column 1 is nan"),
        (lambda: Linear()(np.array([[1, 2], [1, "b"]], object)), DomainError, "got 'b' in row 1, column 1. Next: enc"),
        (lambda: RBF(sigma="median").fit(X, 1), DomainError, "one label per row; got 23 rows and the int 1"),
        (lambda: Linear()(csr_array(X)), DomainError, "got a sparse csr_array. Next: X.toarray() makes it dense"),
        (lambda: Linear().diag(csr_matrix(X)), DomainError, "got a sparse csr_matrix"),
        (lambda: Linear()(X, coo_matrix(Y)), DomainError, "got a sparse coo_matrix"),
        (
            lambda: Linear()(np.ma.masked_array([[1, 2], [3, 4]], [[0, 0], [1, 0]])),
            DomainError,
            "row 1, column 0 is nan",
        ),
        (lambda: Linear()([np.ma.masked_array([1.0, 2.0], [False, True])]), DomainError, "row 0, column 1 is nan"),
        (lambda: Overlap()(np.ma.masked_equal([[1, 2]], 2)), DomainError, "got masked cells"),
        (lambda: Linear()(X * 1j), DomainError, "values of type complex128"),
        (lambda: Linear()(X, Y[:, :2]), DomainError, "X has 4 columns and Y has 2"),
        (
            lambda: RBF(sigma="median")(np.ones((5, 2))),
            DegenerateError,
            "median distance between the 5 training rows is 0",
        ),
        (lambda: RBF(sigma="median").fit(X, [1, 2]), DomainError, "23 rows and 2 labels"),
    ],
)
def test_refusals(make, error, words):
    with pytest.raises(error) as caught:
        make()
    assert words in str(caught.value)


# -- one width for each column ------------------------------------------------------------------

_SIGNS = np.where(X[:, 0] * X[:, 2] > 0, "a", "b")


def test_widths_by_hand_are_those_of_scaled_columns():
    widths = (0.5, 2.0, 1.0, 30.0)
    kernel = RBF(sigma=widths)
    np.testing.assert_allclose(kernel(X, Y), RBF(sigma=1.0)(X / widths, Y / widths), rtol=1e-12)
    np.testing.assert_array_equal(RBF(sigma=(1.7,) * 4)(X), RBF(sigma=1.7)(X))
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
    np.testing.assert_allclose(scaled / [1.0, 100.0, 1e-3, 1.0], widths, rtol=1e-3)

    fitted = kernel.fit(rows[:80], labels[:80])
    given = RBF(sigma=tuple(fitted.width().tolist()))
    fold = kernel.bind(rows).fold(np.arange(80), np.arange(80, 120), labels[:80])
    np.testing.assert_allclose(fold.K_star, given(rows[80:], rows[:80]), rtol=1e-9)
    np.testing.assert_allclose(fitted(rows, rows)[80:, :80], fold.K_star, rtol=1e-9)
    np.testing.assert_array_equal(fold.k_diag, np.ones(40))

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
