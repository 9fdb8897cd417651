"""Figures of a trained machine: marks are at its numbers, for both signs and both dimensions."""

import base64
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from kernlib import RBF
from kernlib.analysis import kernel_pca
from kernlib.analysis.groups import spectral_groups
from kernlib.data import load_dataset
from kernlib.explain.trained import (
    across_decision,
    decision_field,
    train,
)
from kernlib.figures import machine as figures
from kernlib.machines import SVM, KernelRidge

from .checking import HOSTILE, check


@pytest.fixture(scope="module")
def banana():
    data = load_dataset("banana").stratified_sample(60)
    return data, train(RBF()(data.rows), data.y, classes=data.classes)


@pytest.mark.parametrize("columns", [2, 1])
def test_the_field_with_its_rows(banana, columns):
    data, _ = banana
    X = data.rows[:, :columns]
    trained = train(RBF()(X), data.y, classes=HOSTILE[:2])
    field = decision_field(RBF(), X, data.y == 1, size=12)
    fig = figures.decision_field_plot(field, trained, X, HOSTILE[:1] * data.n, HOSTILE[2:4])
    check(fig)
    (rings,) = (t for t in fig.data if t.name == "support vectors")
    assert_array_equal(np.asarray(rings.x), X[trained.support, 0])
    if columns == 2:
        levels = sorted({t.contours.value for t in fig.data if t.type == "contour"})
        assert levels == [-1.0, 0.0, 1.0]
        assert_allclose(np.asarray(fig.data[0].z), field.values, rtol=1e-5)


def test_the_border_across_feature_space_shows_all_rows(banana):
    data, trained = banana
    across = across_decision(RBF()(data.rows), trained.decision)
    far = replace(across, scores=np.where(np.arange(data.n) == 7, 1e3, across.scores))
    fig = figures.across_plot(trained, far, HOSTILE[:1] * data.n)
    check(fig)
    rows = {int(row): (x, y) for t in fig.data[:2] for (row,), x, y in zip(t.customdata, t.x, t.y, strict=True)}
    low, high = fig.layout.yaxis.range
    assert sorted(rows) == list(range(data.n))
    assert all(low <= y <= high for _, y in rows.values())
    assert high < 10, "one row that lies far off does not draw the others in a knot"
    assert rows[0][0] == trained.decision[0]
    held_out = np.where(np.arange(data.n) < 3, -trained.sign, trained.sign).astype(float)
    fig = figures.across_plot(trained, replace(across, held_out=held_out), data.ids)
    rings = next(t for t in fig.data if t.name == "on the wrong side")
    assert_allclose(rings.y, [y for row, (_, y) in sorted(rows.items()) if row < 3])
    assert "has not seen it" in figures.border_title(trained, replace(across, held_out=held_out))


def test_the_border_moves_through_machines_on_the_axes_of_each_figure(banana):
    data, _ = banana
    machines = []
    for sigma in (0.3, 3.0):
        K = RBF(sigma=sigma)(data.rows)
        trained = train(K, data.y, SVM(C=10.0))
        machines.append((trained, across_decision(K, trained.decision)))
    moving = figures.border_frames("border", [*machines, None], data.rows)
    assert moving["frames"].pop() is None
    for (trained, other), frame in zip(machines, moving["frames"], strict=True):
        fig = figures.across_plot(trained, other, data.ids)
        check(fig)
        (left, right), (low, high) = fig.layout.xaxis.range, fig.layout.yaxis.range
        rules = [left + (right - left) * shape["ends"][0] for shape in frame["shapes"] if not shape["fill"]]
        assert rules == pytest.approx([-1, 0, 1])
        assert [frame[axis]["title"] for axis in "xy"] == [fig.layout[f"{axis}axis"].title.text for axis in "xy"]
        for one, rest in zip(frame["traces"], fig.data, strict=True):
            at = np.frombuffer(base64.b64decode(one["places"]), "<u2").reshape(-1, 2) / 65535
            assert_allclose(left + (right - left) * at[:, 0], rest.x, atol=1e-3)
            assert_allclose(low + (high - low) * at[:, 1], rest.y, atol=1e-3)
        assert len(fig.data[2].x) == len(trained.support), "support vectors have rings"


def test_predictions_of_real_targets():
    found = pd.DataFrame({"predicted": [1.0, 2.0, 3.0], "residual": [-0.5, 0.25, 0.0]}, [2, 0, 1])
    fig = figures.predicted_plot(found, ["a", "b", "c"], HOSTILE[0])
    check(fig)
    points = fig.data[1]
    assert np.asarray(points.y).tolist() == [0.5, 2.25, 3.0]
    assert np.asarray(points.customdata)[:, 0].tolist() == [2, 0, 1]
    assert points.hovertext[0] == "c (row 2)"
    x = np.arange(6.0)[:, None]
    field = decision_field(RBF(), x, x[:, 0], KernelRidge(), task="regression", size=5)
    fit = figures.fit_figure([field], x, x[:, 0], HOSTILE, HOSTILE[:2])[0]
    check(fit)
    assert_allclose(fit.data[-1].y, field.values[0])
    assert fit.layout.yaxis.range[1] < 6.0, "the line may run away beyond the rows"


def test_groups_with_and_without_names_of_rows():
    X = np.random.default_rng(0).standard_normal((30, 2))
    K, y = RBF()(X), np.arange(30) % 2
    check(figures.grouped_gram(K, y, HOSTILE * 5))
    check(figures.grouped_plane(kernel_pca(K), y))
    check(figures.stability_plot(spectral_groups(K, 3, 2)))
