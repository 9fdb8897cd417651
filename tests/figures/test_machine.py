"""Figures of a trained machine: marks are at its numbers, for both signs and both dimensions."""

import numpy as np
import pytest

from kernlib import RBF, Linear, Spectrum
from kernlib.data import load_dataset
from kernlib.explain.toy import toy_table
from kernlib.explain.trained import decision_field, often_wrong, train, weights_in_words
from kernlib.figures import machine as figures

from .checking import HOSTILE, check


@pytest.fixture(scope="module")
def banana():
    data = load_dataset("banana").stratified_sample(60)
    return data, train(RBF()(data.rows), data.y, 1.0, data.classes)


@pytest.mark.parametrize("columns", [2, 1])
def test_the_field_with_its_rows(banana, columns):
    data, _ = banana
    X = data.rows[:, :columns]
    trained = train(RBF()(X), data.y, 1.0, HOSTILE[:2])
    field = decision_field(RBF(), X, data.y == 1, size=12, draws=3)
    fig = figures.decision_field_plot(field, trained, X, HOSTILE[:1] * data.n, HOSTILE[2:4])
    check(fig)
    rings = [t for t in fig.data if t.customdata is not None and t.marker.symbol in ("circle-open", "square-open")]
    ringed = np.concatenate([np.asarray(t.customdata)[:, 0] for t in rings])
    assert sorted(ringed) == sorted(trained.rows[trained.support])
    squares = next(t for t in rings if t.marker.symbol == "square-open")
    assert len(squares.x) == trained.bounded.sum() > 0
    np.testing.assert_array_equal(np.asarray(squares.x), X[trained.bounded, 0])
    if columns == 2:
        levels = sorted({t.contours.value for t in fig.data if t.type == "contour"})
        assert levels == [-1.0, 0.0, 1.0]
        np.testing.assert_allclose(np.asarray(fig.data[0].z), field.values, rtol=1e-5)


def test_the_mean_alpha_over_a_width(banana):
    data, _ = banana
    widths = (0.1, 0.4, 1.6)
    machines = [train(RBF(sigma=w)(data.rows), data.y, 1e4) for w in widths]
    means = [m.alpha[m.alpha > 0].mean() for m in machines]
    assert means == sorted(means), "[C] 3.2"
    fig = figures.alpha_over_plot(widths, {"C": means, "less": [1.0, np.nan, np.nan]}, HOSTILE[0], "σ", 0.4, True)
    check(fig)
    assert "with C it rises from" in fig.layout.meta["caption"]
    assert "with less it is unknown: for 2 values the solver" in fig.layout.meta["caption"]
    falling = figures.alpha_over_plot(widths, {"C": means[::-1]}, "σ", "σ", None, False)
    assert "falls from" in falling.layout.meta["caption"]


def test_margins_and_weights_of_rows(banana):
    data, trained = banana
    fig = figures.margin_histogram(trained)
    bins = fig.data[0].xbins
    assert abs(((1.0 - bins.start) / bins.size) % 1.0 - 0.5) < 1e-9, "a heap at 1 lies on the line, not before it"
    check(fig)
    assert sum(len(t.x) for t in fig.data) == data.n
    fig = figures.alpha_plot(trained, data.ids)
    check(fig)
    heights = np.concatenate([np.asarray(t.y) for t in fig.data])
    assert sorted(heights) == sorted(trained.alpha[trained.support])
    order = np.argsort(data.y, kind="stable")
    fig = figures.dual_over_gram(trained, RBF()(data.rows), order)
    check(fig)
    bars = [t for t in fig.data if t.type == "bar"]
    for t in bars:
        rows = np.asarray(t.customdata)[:, 0]
        np.testing.assert_array_equal(rows, order[np.asarray(t.x)])
        np.testing.assert_array_equal(np.asarray(t.y), (trained.alpha * trained.sign)[rows])


def test_weights_in_words_and_the_toy():
    strings = ["gattaca", "gattgca", "ccggtcc", "ccagtcc"]
    kernel = Spectrum(length=2)
    trained = train(kernel(strings), [0, 0, 1, 1], 10.0, HOSTILE[:2])
    w = weights_in_words(kernel, strings, trained)
    fig = figures.weight_bars(w, trained.classes, trained.codes, most=5)
    check(fig)
    drawn = np.concatenate([np.asarray(t.x) for t in fig.data])
    np.testing.assert_allclose(sorted(np.abs(drawn)), sorted(np.abs(w.values))[-5:])
    assert fig.data[0].name == "for =cmd|' /C calc'!A0"
    toy = load_dataset("large-diagonal-toy")
    check(figures.toy_weights(toy_table(toy.rows, toy.y)))
    linear = weights_in_words(Linear(), toy.rows, train(toy.rows @ toy.rows.T, toy.y, 1.0))
    assert "98%" in figures.weight_bars(linear, ("a", "b")).layout.meta["caption"]


def test_often_wrong():
    tests = often_wrong([0, 1, 2, 0], [0, 1, 1, 0], [1, 1, 0, 1], [2.0, 1.0, -0.5, 1.0])
    fig = figures.wrong_bars(tests, HOSTILE[:3])
    check(fig)
    assert np.asarray(fig.data[0].x).tolist() == [1.0, 1.0]
    assert np.asarray(fig.data[0].customdata)[0].tolist() == [0, 2, 2]
