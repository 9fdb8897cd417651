"""Kernels on vectors against scikit-learn and SciPy, and what they refuse."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from kernlib import (
    RBF,
    DegenerateError,
    DomainError,
    NotFittedError,
    ParameterError,
)
from kernlib.analysis import centred_alignment
from kernlib.numerics.distances import median_distance

X = np.random.default_rng(0).normal(size=(23, 4))
Y = np.random.default_rng(1).normal(size=(7, 4))


def test_the_median_is_learnt_from_training_rows_alone():
    fitted = RBF(sigma="median").fit(X)
    np.testing.assert_allclose(fitted(Y, X), RBF(sigma=float(np.median(pdist(X))))(Y, X), rtol=1e-12)
    assert RBF(sigma="median").heuristics(X)["sigma"] == pytest.approx(np.median(pdist(X)))
    assert median_distance(np.arange(3000.0)[:, None]) == pytest.approx(
        np.median(pdist(np.arange(3000.0)[:, None])), rel=0.01
    )


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
