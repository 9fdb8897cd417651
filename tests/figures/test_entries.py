"""Histograms, class means and eigenvalues of a Gram matrix."""

import numpy as np
import pytest

from kernlib.analysis import angles_and_distances, diagnose, similarity_by_size
from kernlib.figures import entries, theme

from .checking import HOSTILE, check


def test_spectrum_bars_show_negative_eigenvalues():
    fig = entries.spectrum_bars([3.0, -1.0, 0.0])
    check(fig)
    assert [t.name for t in fig.data] == ["positive", "zero to rounding", "negative"]
    check(entries.spectrum_bars(np.geomspace(1e-20, 1, 300), log=True))
    check(entries.spectrum_bars(np.zeros(3), log=True))
    check(entries.spectrum_bars([]))
    # A rank-one matrix: what rounding leaves of its zeros is not printed.
    x = np.random.default_rng(0).normal(size=20)
    assert "down to 0, 0 of" in theme.alt(entries.spectrum_bars(diagnose(np.outer(x, x))))


def test_angles_stop_at_their_bounds():
    X = np.abs(np.random.default_rng(0).normal(size=(20, 3)))
    unit = X / np.linalg.norm(X, axis=1, keepdims=True)
    for K, shapes in ((unit @ unit.T, 2), (X @ X.T, 1), ((X - 1) @ (X - 1).T, 0), (np.ones((3, 3)), 2)):
        fig = entries.geometry_histograms(angles_and_distances(K))
        check(fig)
        assert len(fig.layout.shapes) == shapes
        assert [float(np.sum(t.y)) for t in fig.data] == pytest.approx([1, 1], abs=1e-5)
    assert any(a.text == "√2" for a in fig.layout.annotations)


def test_length_before_and_after_normalising():
    found = similarity_by_size(np.outer([1.0, 2.0, 3.0], [1.0, 2.0, 3.0]), [5, 10, 15])
    fig = entries.by_size_plot(found, [0, 1, 0], HOSTILE[:2], HOSTILE[:3])
    check(fig)
    assert sorted(v for t in fig.data if t.xaxis == "x2" for v in t.y) == [2.5, 4.0, 4.5]
    check(entries.by_size_plot(found, None, (), None))


def test_class_means_print_to_their_precision():
    X = np.random.default_rng(1).normal(size=(12, 3))
    X -= X.mean(axis=0)
    y = np.arange(12) % 2
    K = X @ X.T
    fig = entries.class_means(diagnose(K, y), ("a", "b"))
    check(fig)
    entry = K[np.ix_(y == 0, y == 1)]
    assert fig.data[0].text[0, 1] == theme.plus_minus(entry.mean(), entry.std()).replace(" ± ", "<br>± ")
    tiny = entries.class_means(diagnose(np.kron([[1.0, -1e-17], [-1e-17, 1.0]], np.ones((3, 3))), np.repeat([0, 1], 3)))
    assert tiny.data[0].text[0, 1] == "0<br>± 0"
    check(entries.class_means(diagnose(K)))


def test_plus_minus_has_the_digits_of_the_spread():
    assert theme.plus_minus(78.7, 209.0) == "79 ± 209"
    assert theme.plus_minus(1e-9, 2e-10) == "10⁻⁹ ± 2·10⁻¹⁰"
    assert theme.plus_minus(1e9, 2e8) == "10⁹ ± 2·10⁸"
    assert theme.plus_minus(3.14159, float("nan")) == "3.142"
    assert theme.plus_minus(float("nan"), float("nan")) == "–"
