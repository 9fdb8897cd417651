"""Figures of rows."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.spatial.distance import pdist

from kernlib.analysis.layout import graph_layout
from kernlib.figures import data, theme

from .checking import HOSTILE, check

Y = np.arange(len(HOSTILE))


def test_scatter():
    X = np.random.default_rng(0).standard_normal((len(HOSTILE), 3))
    for fig in (
        data.scatter(X, Y, HOSTILE, HOSTILE, HOSTILE[:2]),
        data.scatter(X, None, (), None, HOSTILE[:2]),
        data.scatter(X, X[:, 0], (), None, HOSTILE[:2]),
        data.scatter(X[:1], [0], ("only",), None, ("a", "b")),
    ):
        check(fig)
    assert data.scatter(np.zeros((5000, 2)), None, (), None, ("a", "b")).data[0].type == "scattergl"


def test_letters_are_aligned_ordered_and_bounded():
    fig = data.sequence_letters(["ACGT", "AC", "GGGG"], [1, 0, 1], ("n", "p"))
    check(fig)
    z = fig.data[0].z
    assert z.shape == (3, 4)
    assert np.isnan(z[0, 2:]).all()
    assert [t[:5] for t in fig.data[0].y] == ["row 1", "row 0", "row 2"]
    assert list(fig.layout.yaxis.ticktext) == ["n", "p"]
    shared = data.sequence_letters(["abc", "cbx"])
    z = shared.data[0].z
    assert z[0, 1] == z[1, 1]
    assert z[0, 2] == z[1, 0] != z[0, 0] == z[1, 2], "letters of one alone are grey"
    assert "grey" in theme.caption(shared)
    assert "grey" not in theme.caption(data.sequence_letters(["acca", "accaac"])), "both have the same letters"
    long = data.sequence_letters(["ac" * 100 + "g", "acg" * 60]).data[0].z
    assert np.nanmax(long) == 2, "a letter beyond the drawn ones is not missing"
    assert "repeat" in theme.caption(data.sequence_letters(["abcdefghijklmnopqrst"] * 3))
    many = data.sequence_letters(["ACGT" * 500] * 1000)
    check(many)
    assert many.data[0].z.shape == (24, 200)
    assert "24 of 1000 rows and 200 of up to 2000 letters" in theme.caption(many)
    check(data.sequence_letters(HOSTILE, Y, HOSTILE, HOSTILE))
    check(data.sequence_letters([""]))


@pytest.mark.parametrize("n", [1, 2, 3, 5, 40])
def test_layout_is_finite_and_the_same_every_time(n):
    A = (np.random.default_rng(0).random((n, n)) < 0.2).astype(float)
    P = graph_layout(A)
    assert np.isfinite(P).all()
    assert np.abs(P).max() <= 1 + 1e-9
    assert_array_equal(P, graph_layout(A))
    check(data.graph_drawing(A, np.arange(n) % 2, ("a", "b")))


def test_layout_tells_nodes_apart():
    P = graph_layout(np.ones((6, 6)))
    gap = np.sqrt(((P[:, None] - P) ** 2).sum(-1)) + 9 * np.eye(6)
    assert gap.min() > 0.1


@pytest.mark.parametrize("n", [12, 601])
def test_distances_in_a_layout_are_path_lengths(n):
    """With stress majorisation, and by scaling alone."""
    apart = pdist(graph_layout(np.eye(n, k=1)))
    assert np.corrcoef(apart, pdist(np.arange(n)[:, None]))[0, 1] > 0.99


def test_graph_draws_every_edge_once():
    A = np.zeros((4, 4))
    A[0, 1] = A[1, 0] = A[2, 3] = 1
    fig = data.graph_drawing(A, ids=HOSTILE[:4], labels=HOSTILE[:4])
    check(fig)
    assert len(fig.data[0].x) == 6
    assert "2 edges" in theme.alt(fig)
    assert "The 5000 heaviest edges are drawn" in theme.caption(data.graph_drawing(np.ones((102, 102))))


def test_images():
    X = np.arange(48.0).reshape(12, 4)
    fig = data.image_grid(X, (2, 2), np.arange(12) % 2, HOSTILE[:2], across=3)
    check(fig)
    assert_array_equal(fig.data[0].z[:2, :2], X[0].reshape(2, 2))
    check(data.image_grid(X[:1], (1, 4)))


def test_bars():
    for fig in (
        data.category_bars(HOSTILE, Y, HOSTILE, HOSTILE[0]),
        data.category_bars([1, 2, 1], None, (), "one"),
        data.category_bars(np.arange(100), None, (), "many"),
        data.term_bars(HOSTILE),
        data.term_bars([]),
    ):
        check(fig)
