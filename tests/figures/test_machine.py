"""Figures of a trained machine: marks are at its numbers, for both signs and both dimensions."""

import numpy as np
import pytest

from kernlib import RBF, Linear, Spectrum
from kernlib.data import load_dataset
from kernlib.explain.trained import decision_field, toy_table, train, weights_in_words
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
    (rings,) = (t for t in fig.data if t.customdata is not None and t.marker.symbol == "circle-open")
    np.testing.assert_array_equal(np.asarray(rings.customdata)[:, 0], trained.rows[trained.support])
    np.testing.assert_array_equal(np.asarray(rings.x), X[trained.support, 0])
    if columns == 2:
        levels = sorted({t.contours.value for t in fig.data if t.type == "contour"})
        assert levels == [-1.0, 0.0, 1.0]
        np.testing.assert_allclose(np.asarray(fig.data[0].z), field.values, rtol=1e-5)


def test_margins(banana):
    data, trained = banana
    fig = figures.margin_histogram(trained)
    bins = fig.data[0].xbins
    assert abs(((1.0 - bins.start) / bins.size) % 1.0 - 0.5) < 1e-9, "a heap at 1 lies on the line, not before it"
    check(fig)
    assert sum(len(t.x) for t in fig.data) == data.n


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
