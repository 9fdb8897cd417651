"""Gram figures: what is sent, what is averaged, labels."""

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose

from kernlib.analysis.matrix import block_means
from kernlib.figures import gram, theme

from .checking import HOSTILE, check


def rows(n):
    X = np.random.default_rng(0).standard_normal((n, 3))
    return np.exp(-((X[:, None] - X) ** 2).sum(-1) / 4)


def test_large_matrix_is_averaged_labelled_and_small():
    n = 2000
    fig = gram.gram_heatmap(np.ones((n, n)) + np.eye(n), y=np.repeat([0, 1], n // 2))
    text = check(fig)
    assert fig.data[0].z.shape == (286, 286), "blocks of 7 × 7: more than 300 a side would be less than two pixels each"
    assert len(text) < 750_000, "single precision, as bytes"
    assert "each cell averages 7×7 entries" in fig.layout.annotations[0].text
    assert "averages 7×7" in theme.caption(fig)


@pytest.mark.parametrize(("n", "cells"), [(7, 3), (10, 5), (11, 4), (5, 5), (1, 1), (9, 1)])
def test_block_means_equal_brute_force(n, cells):
    rng = np.random.default_rng(n)
    K, order = rng.standard_normal((n, n)), rng.permutation(n)
    z, b = block_means(K, cells, order)
    ordered = K[np.ix_(order, order)]
    parts = [[ordered[i : i + b, j : j + b] for j in range(0, n, b)] for i in range(0, n, b)]
    brute = [[(np.diagonal(p) if i == j else p).mean() for j, p in enumerate(row)] for i, row in enumerate(parts)]
    assert max(z.shape) <= cells
    assert_allclose(z, brute)


def test_order_moves_values_and_labels_together():
    K = np.diag([1.0, 2.0, 3.0])
    fig = gram.gram_heatmap(K, order=[2, 0, 1], ids=["p", "q", "r"], value_range="full", pair=(0, 2))
    framed = {(shape.x0 + 0.5, shape.y0 + 0.5) for shape in fig.layout.shapes if shape.name == "pair"}
    assert framed == {(1, 0), (0, 1)}, "row 0 stands second and row 2 first"
    assert_allclose(np.diagonal(fig.data[0].z), [3, 1, 2])
    assert list(fig.data[0].x) == ["r (row 2)", "p (row 0)", "q (row 1)"]
    assert fig.data[0].customdata == (2, 0, 1)


@pytest.mark.parametrize("y", [None, np.array([0, 0, 1])])
def test_the_first_row_stands_above_and_the_first_column_at_the_left(y):
    fig = gram.gram_heatmap(np.eye(3), y=y)
    assert (fig.layout.xaxis.autorange, fig.layout.yaxis.autorange) == (None, "reversed")


def test_names_stand_left_of_a_matrix():
    short, long = (gram.gram_heatmap(np.eye(3), ids=[name + x for x in "abc"]).layout for name in ("", "a long name "))
    assert list(short.yaxis.ticktext) == ["a", "b", "c"]
    assert list(short.xaxis.ticktext) == list(long.xaxis.ticktext) == ["0", "1", "2"]
    assert short.margin.l < long.margin.l < 150


def test_boundaries_only_where_classes_stand_together():
    y = np.array([0, 1, 0, 1])
    assert len(gram.gram_heatmap(np.eye(4), y=y, value_range="full").layout.shapes) == 0
    ordered = gram.gram_heatmap(np.eye(4), order=[0, 2, 1, 3], y=y)
    assert {s.x0 for s in ordered.layout.shapes} == {1.5, -0.5}


def test_an_order_by_real_labels_is_said():
    y = np.array([0.5, 2.0, 3.5])
    assert "from the smallest label to the largest" in theme.caption(gram.gram_heatmap(np.eye(3), np.arange(3), y))
    assert "smallest label" not in theme.caption(gram.gram_heatmap(np.eye(3), np.array([1, 0, 2]), y))


def test_large_diagonal_is_clipped_and_said():
    fig = gram.gram_heatmap(rows(30) + 100 * np.eye(30))
    assert fig.data[0].zmax < 2
    bar = fig.data[0].colorbar
    assert re.search(r"median k\(x, x\)<br>10\d$", bar.title.text)
    assert sorted(text[0] for text in bar.ticktext if text[0] in "≤≥") == ["≤", "≥"]
    assert "middle 96%" in theme.caption(fig)
    # A diagonal beyond the scale is struck through: its colour is not that of a bright block.
    assert [s.line.color for s in fig.layout.shapes if s.name == "diagonal"] == ["#9aa0a6"]
    assert "The diagonal is grey because its values are of another size: their median is 10" in theme.caption(fig)
    whole = gram.gram_heatmap(rows(30) + 100 * np.eye(30), value_range="full")
    assert whole.data[0].zmax > 100
    assert len(whole.layout.shapes) == 0
    signed = gram.gram_heatmap(np.array([[1.0, -0.5], [-0.5, 2.0]])).data[0]
    assert signed.zmin == -signed.zmax, "zero is the middle of signed colours"
    inside = gram.gram_heatmap(rows(30) - np.diag(np.diagonal(rows(30))), value_range="off-diagonal")
    assert len(inside.layout.shapes) == 0


@pytest.mark.parametrize("K", [[[1.0]], np.eye(2), np.ones((3, 3)), np.zeros((3, 3)), [[np.nan, 1], [1, 2.0]]])
def test_smallest_and_degenerate(K):
    for fig in (gram.gram_heatmap(K), gram.diagonal_histogram(K)):
        check(fig)
    assert gram.thumbnail(K, size=8).shape == (8, 8, 3)


def test_hostile_labels_are_inert():
    n = len(HOSTILE)
    for fig in (
        gram.gram_heatmap(rows(n), ids=HOSTILE),
        gram.gram_heatmap(rows(n), y=np.arange(n), classes=HOSTILE),
        gram.gram_heatmap(rows(n), y=["only"] * n),
    ):
        assert len(check(fig)) < 20_000


@pytest.mark.parametrize("size", [1e90, 1e-90])
def test_values_beyond_single_precision_are_drawn(size):
    z = gram.gram_heatmap(size * rows(5)).data[0].z
    assert_allclose(z, size * rows(5), rtol=1e-12)
    assert np.ptp(gram.gram_heatmap(1e9 + rows(5)).data[0].z) > 0.9


def test_thumbnail():
    image = gram.thumbnail(rows(50), size=20)
    assert image.shape == (20, 20, 3)
    assert image.dtype == np.uint8
    assert_allclose(gram.thumbnail(np.array([[0.0, 1], [1, 0]]), size=2)[0, :, 0], [0x44, 0xFD])
    assert gram.thumbnail(rows(5)).shape == (160, 160, 3)


def test_table_is_the_matrix_with_its_labels():
    frame = theme.table(gram.gram_heatmap(np.eye(2), ids=["=cmd", "<b>"]))
    assert frame.shape == (2, 2)
    assert list(frame.columns) == ["'=cmd (row 0)", "<b> (row 1)"]


def test_names_of_many_classes_do_not_run_into_each_other():
    sizes = [20, 40, 20, 8, 20, 12, 8, 12, 12, 8, 12, 20, 8, 20, 12, 12, 12, 12, 20]
    y, names = np.repeat(np.arange(19), sizes), [f"class {i}-of-the-bean" for i in range(19)]
    shown = gram.gram_heatmap(np.eye(len(y)), np.arange(len(y)), y, names)
    assert np.diff(shown.layout.xaxis.tickvals).min() >= len(y) / 19
    two = gram.gram_heatmap(np.eye(20), np.arange(20), np.repeat([0, 1], 10), ["benign", "malignant"])
    assert list(two.layout.xaxis.ticktext) == ["benign", "malignant"]
