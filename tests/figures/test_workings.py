"""Figures of how kernels work: the marks are the kernel's own values."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from kernlib import RBF, Diffusion, LocalityImprovedImage, LocalityImprovedSequence, ProbabilityOverlap, Subsequence
from kernlib.data import load_dataset
from kernlib.explain.leaves import recursion_tables
from kernlib.explain.workings import heat, masses_from_few, pair_distances, weighed
from kernlib.figures import workings as figures
from kernlib.kernels.categorical import inverting
from kernlib.kernels.images import pyramid

from .checking import HOSTILE, check


def test_what_agreeing_is_worth():
    column = np.array([*HOSTILE[:3], *HOSTILE[:2], HOSTILE[0], None], dtype=object)
    numbers = weighed(column, 0.7)
    fig = figures.inverting_plot(numbers, 0.7, HOSTILE[1])
    check(fig)
    K = ProbabilityOverlap(alpha=0.7)(column[:, None])
    assert_allclose(fig.data[1].y[0], K[0, 0])
    assert "missing" in numbers.categories


def test_probabilities_from_few_rows_by_drawing_them():
    """The exact numbers, and the kernel fitted on rows that are drawn."""
    column = np.array([*"aaaaabbbcd", None], dtype=object)
    few = masses_from_few(column, lambda p: inverting(p, 0.7), [6, 60])
    rng, off, weights, unseen = np.random.default_rng(0), [], [], []
    true = ProbabilityOverlap(alpha=0.7).fit(column[:, None])
    worth = true(column[:, None]).diagonal()
    for _ in range(400):
        drawn = rng.choice(column, 6)[:, None]
        own = ProbabilityOverlap(alpha=0.7).fit(drawn)(column[:, None]).diagonal()
        off.append(np.abs(own - worth).mean())
        weights.append(own[0])
        unseen.append(np.mean([x not in drawn[:, 0].tolist() for x in column]))
    assert few.off[0] == pytest.approx(np.mean(off), abs=0.01)
    assert few.unseen[0] == pytest.approx(np.mean(unseen), abs=0.02)
    assert few.weights[0] == pytest.approx(worth[0])
    inside = np.mean((np.array(weights) >= few.low[0, 0] - 1e-9) & (np.array(weights) <= few.high[0, 0] + 1e-9))
    assert 0.88 < inside <= 1
    assert few.off[1] < few.off[0]
    assert "With 6 training rows h(P̂) is off by" in few.words()
    fig = figures.few_rows_plot(few._replace(categories=(*HOSTILE[:4], "e")), HOSTILE[0])
    check(fig)


def test_the_gaussian_over_the_distances():
    X = load_dataset("banana").rows[:40]
    fig = figures.gaussian_profile(0.8, pair_distances(X))
    check(fig)
    bars, curve = fig.data
    assert np.asarray(bars.customdata).sum() == 40 * 39 / 2
    d = float(np.linalg.norm(X[0] - X[1]))
    assert np.interp(d, curve.x, curve.y) == pytest.approx(RBF(sigma=0.8)(X[:2])[0, 1], abs=1e-3)
    check(figures.gaussian_profile(1.0, []))


def test_the_recursion_ends_in_the_value():
    tables = recursion_tables("CART", "CAT", 2, 0.5)
    value = float(Subsequence(order=2, decay=0.5)(["CART"], ["CAT"])[0, 0])
    fig = figures.recursion_table(tables[1], "CART", "CAT", 2, value)
    check(fig)
    assert 0.5**2 * np.asarray(fig.data[0].z).sum() == pytest.approx(value)
    assert fig.layout.yaxis.ticktext == tuple("CART")
    check(figures.recursion_table(np.ones((1, 2)), "<", "$a", 1, 0.0))


def test_windows():
    fig = figures.window_bars(LocalityImprovedSequence(window=2).window_weights(), "letter")
    check(fig)
    assert np.asarray(fig.data[0].y).tolist() == [1.0, 2.0, 3.0, 2.0, 1.0]
    square = pyramid((5, 5), 5)[12].reshape(5, 5)
    check(figures.window_square(square))
    one = np.zeros((2, 25))
    one[0, 12], one[1] = 1.0, 1.0
    middle = LocalityImprovedImage(shape=(5, 5), width=5, d1=1, d2=1)(one)[0, 1]
    assert middle == pytest.approx(square.sum())


def test_heat_from_a_node():
    A = load_dataset("karate").rows
    numbers = heat(A, 3, np.array([0.1, 1.0]))
    fig = figures.heat_on_graph(A, numbers, 1, 3, HOSTILE * 6)
    check(fig)
    assert_allclose(np.asarray(fig.data[-1].marker.color), Diffusion(beta=1.0)(A)[3])
    assert numbers.heat.sum(axis=1) == pytest.approx(1.0)
