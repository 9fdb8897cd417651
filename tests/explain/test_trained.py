"""The trained machine looked into: its decision is scikit-learn's, fields the fold's."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.svm import SVC

from kernlib import RBF, Deep, Linear, Normalized, ProbabilityOverlap, SquareRoot, Standardized, Subsequence
from kernlib.data import load_dataset
from kernlib.errors import DataError
from kernlib.explain.trained import (
    across_decision,
    decision_field,
    held_out_residuals,
    often_wrong,
    train,
)
from kernlib.machines import SVM, KernelRidge, NearestNeighbour


@pytest.mark.parametrize(
    ("name", "kernel"),
    [
        ("breast-cancer-10", Standardized(Linear())),
        ("promoters", Normalized(Subsequence(order=3, decay=0.5))),
        ("promoters-categorical", ProbabilityOverlap(alpha=0.7)),
    ],
)
def test_the_machine_is_that_of_scikit_learn(name, kernel):
    data = load_dataset(name).stratified_sample(80)
    K = kernel.fold(data.inputs, y=data.y).K
    told = train(K, data.y, SVM(C=2.0), data.classes)
    assert_allclose(K @ (told.alpha * told.sign) + told.intercept, told.decision)
    svc = SVC(kernel="precomputed", C=2.0, tol=1e-6).fit(K, data.y)
    assert_allclose(told.decision, svc.decision_function(K), atol=0.01 * np.abs(told.decision).max())
    assert set(told.support) >= set(np.flatnonzero(told.margin < 0.99))
    assert (told.alpha <= 2.0 * (1 + 1e-9)).all()
    assert (told.alpha[told.margin < 0.9] >= 2.0 * (1 - 1e-6)).all()
    assert abs((told.alpha * told.sign).sum()) < 1e-8


def test_the_direction_beside_the_decision_spreads_the_rows():
    """A direction along which one row lies far off has the largest variance, and draws all others in one knot."""
    rng = np.random.default_rng(0)
    f, wide = rng.normal(size=80), rng.uniform(-2.0, 2.0, size=80)
    X = np.column_stack([40.0 * (np.arange(80) == 3), 5.0 * f, wide])
    found = across_decision(X @ X.T, f)
    assert abs(np.corrcoef(found.scores, wide)[0, 1]) > 0.9
    assert found.number == 3
    assert found.share == pytest.approx(wide.var() / X.var(axis=0).sum(), rel=0.1)


@pytest.mark.parametrize("machine", [KernelRidge(ridge="leave-one-out"), NearestNeighbour()])
def test_other_machines_have_no_support_vectors_here(machine):
    data = load_dataset("banana").stratified_sample(60)
    K = RBF()(data.rows)
    trained = train(K, data.y, machine, data.classes)
    expected = machine.fit(K, data.y).decision(K, np.diagonal(K))
    assert_allclose(trained.decision, expected)
    assert not len(trained.support)


def test_the_residuals_are_those_of_test_rows():
    found = held_out_residuals([4, 2, 4], [1.0, 3.0, 1.0], [2.0, 3.5, 3.0])
    assert (found.index.tolist(), found.predicted.tolist(), found.residual.tolist()) == (
        [4, 2],
        [2.5, 3.5],
        [-1.5, -0.5],
    )
    x = np.linspace(0.0, 1.0, 20)[:, None]
    field = decision_field(RBF(sigma=0.3), x, x[:, 0] ** 2, KernelRidge(ridge=1e-6), task="regression", size=11)
    assert_allclose(np.interp([0.25, 0.5], field.x, field.values[0]), [0.0625, 0.25], atol=0.02)


def test_two_of_three_classes():
    data = load_dataset("wave-123").stratified_sample(90)
    K = data.rows @ data.rows.T
    told = train(K, data.y, SVM(C=1e-3), data.classes, between=(2, 0))
    assert told.classes == (data.classes[2], data.classes[0])
    assert set(data.y[told.rows]) == {0, 2}
    assert (told.sign == np.where(data.y[told.rows] == 0, 1, -1)).all()
    with pytest.raises(DataError, match="expected rows of both classes"):
        train(K, data.y, between=(0, 7))


def test_the_field_is_the_machine_on_new_points():
    data = load_dataset("banana").stratified_sample(60)
    kernel = Deep(RBF(sigma="median"), level=2)
    field = decision_field(kernel, data.rows, data.y == 1, SVM(C=5.0), size=9)
    fold = kernel.fold(data.rows, [[field.x[2], field.y[7]]])
    told = train(fold.K, data.y, SVM(C=5.0))
    assert field.values[7, 2] == pytest.approx(float(fold.K_star[0] @ (told.alpha * told.sign) + told.intercept))
    line = decision_field(RBF(), data.rows[:, :1], data.y == 1, size=7)
    assert line.values.shape == (1, 7)
    with pytest.raises(DataError, match="one or two columns"):
        decision_field(Linear(), np.zeros((4, 3)), [0, 0, 1, 1])
    with pytest.raises(DataError, match="all rows at once"):
        decision_field(SquareRoot(Linear()), data.rows, data.y)


def test_rows_that_are_often_wrong():
    found = often_wrong([0, 1, 2, 0, 1, 2], [0, 1, 2, 0, 1, 2], [0, 2, 2, 1, 2, 2], np.eye(3)[[0, 2, 2, 1, 2, 2]])
    assert found.index.tolist() == [1, 0, 2]
    assert found.wrong.tolist() == [2, 1, 0]
    assert found.score.tolist() == [-1.0, 0.0, 1.0]
