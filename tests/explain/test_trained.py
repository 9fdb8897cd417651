"""The trained machine looked into: weights are the decision, fields the fold's, the toy's table as printed."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn.svm import SVC

from kernlib import RBF, Deep, Linear, Mismatch, Normalized, ProbabilityOverlap, SquareRoot, Standardized, Subsequence
from kernlib.data import load_dataset
from kernlib.errors import DataError
from kernlib.explain.trained import (
    GOOD_B,
    GOOD_W,
    PRINTED_B,
    PRINTED_W,
    decision_field,
    directions_of,
    often_wrong,
    toy_table,
    train,
    weights_in_words,
)


def test_the_toy_as_printed():
    """[O] 2: all but two columns as printed; the last 9 stands in column 9, its printed weight under column 10."""
    toy = load_dataset("large-diagonal-toy")
    found = toy_table(toy.rows, toy.y)
    slipped = [*PRINTED_W[:8], PRINTED_W[9], PRINTED_W[8]]
    assert found.ours.round(2).tolist() == slipped
    assert round(found.intercepts[1], 2) == PRINTED_B
    assert toy.rows[5, 8] == 9
    for w, b in ((found.ours, found.intercepts[1]), (np.array(GOOD_W), GOOD_B)):
        np.testing.assert_array_equal(np.sign(toy.rows @ w + b), toy.signs)
    assert found.new[1, 0] == pytest.approx(0.02, abs=0.001)
    assert found.new[2].tolist() == [1.0, -1.0]
    weights = weights_in_words(Linear(), toy.rows, train(toy.rows @ toy.rows.T, toy.y, math.inf))
    assert weights.alone > 0.9


@pytest.mark.parametrize(
    ("name", "kernel"),
    [
        ("breast-cancer-10", Standardized(Linear())),
        ("promoters", Normalized(Subsequence(order=3, decay=0.5))),
        ("promoters", Mismatch(length=4, mismatches=1)),
        ("promoters-categorical", ProbabilityOverlap(alpha=0.7)),
    ],
)
def test_weights_are_the_decision_function(name, kernel):
    data = load_dataset(name).stratified_sample(80)
    K = kernel.fold(data.inputs, y=data.y).K
    told = train(K, data.y, 2.0, data.classes)
    found = weights_in_words(kernel, data.inputs, told, data.y, data.columns)
    assert found.gap < 1e-9 * np.abs(told.decision).max()
    svc = SVC(kernel="precomputed", C=2.0, tol=1e-6).fit(K, data.y)
    np.testing.assert_allclose(told.decision, svc.decision_function(K), atol=0.01 * np.abs(told.decision).max())
    assert set(told.support) >= set(np.flatnonzero(told.margin < 0.99))
    assert (told.alpha <= 2.0 * (1 + 1e-9)).all()
    assert (told.alpha[told.margin < 0.9] >= 2.0 * (1 - 1e-6)).all()
    assert abs((told.alpha * told.sign).sum()) < 1e-8


def test_the_border_in_all_directions_is_the_machine():
    data = load_dataset("promoters").stratified_sample(60)
    K = Normalized(Subsequence(order=3, decay=0.5))(data.inputs)
    machine = train(K, data.y, 2.0)
    found = directions_of(K, machine)
    f = machine.decision
    np.testing.assert_allclose(f.mean() + found.scores @ found.slopes, f, atol=1e-6)
    assert found.shares.sum() == pytest.approx(1.0)
    assert (np.diff(found.shares) <= 1e-12).all()
    # By centred rows of √K: f of a point that has moved along one direction.
    values, vectors = np.linalg.eigh(K)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    w, mean = (machine.alpha * machine.sign) @ root, root.mean(axis=0)
    j, k = 2, 0
    axes = [np.linalg.lstsq(found.scores[:, [m]], root - mean, rcond=None)[0][0] for m in (j, k)]
    field = found.field(j, k)
    point = mean + field.x[4] * axes[0] + field.y[7] * axes[1]
    assert field.values[7, 4] == pytest.approx(w @ point + machine.intercept, abs=1e-6)
    flat = f.mean() + found.scores[:, [j, k]] @ found.slopes[[j, k]]
    assert field.same == np.mean((flat > 0) == (f > 0)) < 1


def test_two_of_three_classes():
    data = load_dataset("wave-123").stratified_sample(90)
    K = data.rows @ data.rows.T
    told = train(K, data.y, 1e-3, data.classes, between=(2, 0))
    assert told.classes == (data.classes[2], data.classes[0])
    assert set(data.y[told.rows]) == {0, 2}
    assert (told.sign == np.where(data.y[told.rows] == 0, 1, -1)).all()
    with pytest.raises(DataError, match="expected rows of both classes"):
        train(K, data.y, 1.0, between=(0, 7))


def test_the_field_is_the_machine_on_new_points():
    data = load_dataset("banana").stratified_sample(60)
    kernel = Deep(RBF(sigma="median"), level=2)
    field = decision_field(kernel, data.rows, data.y == 1, C=5.0, size=9, draws=3, seed=4)
    fold = kernel.fold(data.rows, [[field.x[2], field.y[7]]])
    told = train(fold.K, data.y, 5.0)
    assert field.values[7, 2] == pytest.approx(float(fold.K_star[0] @ (told.alpha * told.sign) + told.intercept))
    assert field.draws.shape == (3, 9, 9)
    assert not np.allclose(field.draws[0], field.draws[1])
    line = decision_field(RBF(), data.rows[:, :1], data.y == 1, size=7, draws=1)
    assert line.values.shape == (1, 7)
    with pytest.raises(DataError, match="one or two columns"):
        decision_field(Linear(), np.zeros((4, 3)), [0, 0, 1, 1])
    with pytest.raises(DataError, match="all rows at once"):
        decision_field(SquareRoot(Linear()), data.rows, data.y)


def test_rows_that_are_often_wrong():
    found = often_wrong([0, 1, 2, 0, 1, 2], [0, 1, 2, 0, 1, 2], [0, 2, 2, 1, 2, 2], np.eye(3)[[0, 2, 2, 1, 2, 2]])
    assert found.row.tolist() == [1, 0, 2]
    assert found.wrong.tolist() == [2, 1, 0]
    assert found.score.tolist() == [-1.0, 0.0, 1.0]
