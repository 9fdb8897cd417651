"""Contact sheets, films and lines over the level."""

import math
from dataclasses import replace

import numpy as np
import pytest

from kernlib import Linear
from kernlib.analysis import distances_of
from kernlib.analysis.levels import DeepLevel, LevelNumbers, collapse, informative_peak, level_numbers, levels_of, peaks
from kernlib.explain import level_borders
from kernlib.figures import borders_beside, depth, distances_beside, level_film, theme
from kernlib.figures.kinds.series import alignment
from kernlib.protocols import HalvesErrors, errors_of_matrix
from kernlib.values.series import Series

from .checking import HOSTILE, check


def numbers(level, spread=0.3, alignment=math.nan, ratio=2.0, halves=None):
    nan = math.nan
    return LevelNumbers(level, None, 3.0, 2.0, spread, ratio, alignment, nan, None, nan, nan, (), halves)


def halves(test, spread=0.01):
    tests = tuple(test + spread * (i - 2) for i in range(5))
    return HalvesErrors("classification", "error", tests, (0.02,) * 5, 0.5, 40, 20)


@pytest.fixture
def levels():
    X = np.random.default_rng(0).standard_normal((20, 3))
    return levels_of(X @ X.T, 5)


def test_sheet_has_one_picture_per_level(levels):
    y = np.arange(20) % 2
    order = np.argsort(y, kind="stable")
    sheet = depth.contact_sheet(levels, order, y, HOSTILE[:2], HOSTILE * 4)
    assert len(sheet) == 6
    for level, fig in zip(levels, sheet, strict=True):
        check(fig)
        # What is hovered over is the kernel's own value.
        np.testing.assert_allclose(fig.data[0].z, level.K[np.ix_(order, order)], rtol=1e-5, atol=1e-6)
        assert str(fig.data[0].x[0]).startswith("row 0")
    assert len({f.data[0].zmax for f in sheet}) > 3, "each level on its own colour scale"


@pytest.mark.parametrize("K", [np.ones((1, 1)), np.zeros((2, 2)), np.ones((5, 5)), np.eye(3), -np.eye(3)])
def test_degenerate_levels(K):
    for fig in depth.contact_sheet([DeepLevel(0, None, K)]):
        check(fig)
    assert depth.contact_sheet([]) == ()


def test_rounding_of_a_constant_stays_flat():
    K = 1 + 1e-12 * np.arange(16.0).reshape(4, 4)
    (fig,) = depth.contact_sheet([DeepLevel(0, None, K)])
    assert fig.data[0].zmax - fig.data[0].zmin > 0.1


def test_large_levels_are_averaged_and_said():
    (fig,) = depth.contact_sheet([DeepLevel(0, None, np.ones((300, 300)))])
    assert fig.data[0].z.shape == (100, 100)
    assert "averages 3×3" in theme.caption(fig)


def test_lines_mark_peak_and_collapse():
    measured = [numbers(0, 0.3, 0.2), numbers(1, 0.2, 0.5), numbers(2, 0.001, 0.1), numbers(3, 0.0001, math.nan)]
    assert informative_peak(measured).level == 1
    assert collapse(measured).kind == "constant"
    fig = depth.level_lines(measured)
    check(fig)
    assert "mark level 1: largest alignment" in theme.caption(fig)
    assert "From level 2 on" in theme.caption(fig)


def test_the_errors_on_the_halves_decide_and_other_criteria_have_marks_of_their_own():
    """Level 1 ties with the best and is lower; level 0 is significantly worse: an open point."""
    measured = [numbers(i, 0.3, a, halves=halves(e)) for i, (a, e) in enumerate([(0.2, 0.4), (0.6, 0.101), (0.4, 0.1)])]
    measured[1] = replace(measured[1], halves=replace(halves(0.101), tests=(0.09, 0.12, 0.09, 0.12, 0.085)))
    best = peaks(measured)
    assert [(p.level, p.quantity) for p in best] == [(1, "errors"), (1, "alignment"), (0, "off_diagonal_spread")]
    assert informative_peak(measured) == best[0]
    fig = depth.level_lines(measured, ["errors", "alignment", "neg_log_likelihood"])
    check(fig)
    assert [list(line.marker.symbol) for line in fig.data][:3] == [
        ["circle", "star", "circle"], ["circle"] * 3, ["circle", "diamond", "circle"],
    ]  # fmt: skip
    assert "mark level 1: the lowest level that is not significantly worse than the best" in theme.caption(fig)
    assert {shape.x0 for shape in fig.layout.shapes if shape.type == "line"} == {1}


def test_lines_of_real_levels_and_errors(levels):
    y = np.arange(20) % 2
    measured = [level_numbers(one, y, halves=errors_of_matrix(one.K, y)) for one in levels]
    check(depth.level_lines(measured))
    check(depth.level_lines(measured, ["errors"]))
    check(depth.level_lines([numbers(0, math.nan)], ["alignment"]))
    check(depth.level_lines([]))


def test_the_film_moves_matrix_title_and_marks_through_all_levels(levels):
    y = np.arange(20) % 2
    measured = [level_numbers(one, y, halves=halves(0.05 + 0.1 * one.level)) for one in levels]
    measured[5] = replace(measured[5], halves=replace(measured[5].halves, tests=(0.5, 0.6, 0.55, 0.5, 0.6)))
    order = np.argsort(y, kind="stable")
    fig = level_film(levels, measured, order, y, ("one", "other"), HOSTILE * 4, start=2, used=2)
    check(fig)
    assert [frame.name for frame in fig.frames] == list("012345")
    assert [step.args[0] for step in fig.layout.sliders[0].steps] == [(name,) for name in "012345"]
    assert fig.layout.title.text.startswith("<b>Level 2</b>, in use")
    assert "test error 25%" in fig.layout.title.text
    assert len(fig.layout.images) == 6
    assert "marks level 0: the lowest level that is not significantly worse" in theme.caption(fig)
    assert "Open points are significantly worse" in theme.caption(fig)
    lines = {trace.name: trace for trace in fig.data if trace.type == "scatter"}
    assert list(lines["test error"].marker.symbol)[:2] == ["star", "circle-open"]
    assert set(lines["training error"].marker.symbol) == {"circle"}
    assert fig.layout.sliders[0].steps[0].label == "0 ★"
    assert "alignment with y" not in lines, "one set of curves stands beside the matrix"
    for frame in fig.frames:
        moved = {fig.data[i].name: trace for i, trace in zip(frame.traces, frame.data, strict=True)}
        assert int(frame.name) == np.mean(moved["level shown"].x)
        K = levels[int(frame.name)].K
        shades = np.asarray(moved["K"].z, dtype=float)[~np.eye(20, dtype=bool)]
        exact = K[np.ix_(order, order)][~np.eye(20, dtype=bool)]
        inner = (shades > 1) & (shades < 255)
        assert inner.any()
        # Shades are the kernel's own values on a straight scale.
        assert np.corrcoef(exact[inner], shades[inner])[0, 1] > 0.999


def test_a_diagonal_beyond_the_scale_is_marked_where_it_is(levels):
    cut = [DeepLevel(0, None, np.ones((12, 12)) / 4 + np.diag(np.full(12, 9.0)) + np.eye(12, k=1) / 9)]
    fig = level_film([*cut, DeepLevel(1, 0.5, levels[1].K[:12, :12])], common=False)
    check(fig)
    matrix, black, white = fig.data[:3]
    assert (np.diag(matrix.z) == 0).all()
    assert (matrix.z[~np.eye(12, dtype=bool)] > 0).all()
    assert matrix.colorscale[0][1] == theme.MUTED
    assert "diagonal cut" in matrix.colorbar.title.text
    assert len(black.x) == len(white.x) == 2
    assert "diagonal is cut" in theme.caption(fig)
    whole = level_film([DeepLevel(0, None, np.ones((9, 9)))])
    check(whole)
    assert (np.diag(whole.data[0].z) > 0).all()
    assert "cut" not in whole.data[0].colorbar.title.text


def test_the_film_of_unlabelled_and_of_single_rows(levels):
    check(level_film(levels, [level_numbers(one) for one in levels]))
    check(level_film(levels, difference=True))
    below = level_film(levels, [level_numbers(one) for one in levels], narrow=True)
    check(below)
    places = below.layout.to_plotly_json()
    assert places["yaxis2"]["domain"][1] < places["yaxis"]["domain"][0], "the thumbnails are below the matrix"
    panels = [places[f"yaxis{i}"]["domain"] for i in (3, 4, 5)]
    assert max(top for _, top in panels) < places["yaxis2"]["domain"][0]
    assert min(places[f"xaxis{i}"]["domain"][0] for i in (3, 4, 5)) < 0.2
    check(level_film([DeepLevel(0, None, np.ones((1, 1)))]))


def test_distances_and_borders_beside_the_matrix_move_with_it(levels):
    codes = np.arange(20) % 2
    drawn = distances_of(levels, codes)
    fig = level_film(levels, beside=distances_beside(drawn, HOSTILE * 4))
    check(fig)
    assert "the contrast changes" in theme.caption(fig)
    for level, frame in enumerate(fig.frames):
        moved = {(fig.data[i].name, fig.data[i].xaxis): t for i, t in zip(frame.traces, frame.data, strict=True)}
        np.testing.assert_allclose(moved["level shown", "x3"].y, drawn.curves[level], atol=1e-6)
        assert set(moved["level shown", "x5"].x) == {level}
    X = np.random.default_rng(0).standard_normal((20, 2))
    plane = levels_of(X @ X.T, 2)
    borders = level_borders(Linear(), X, codes, plane, size=8)
    fig = level_film(plane, beside=borders_beside(borders, X, codes, HOSTILE[:2], (HOSTILE * 4)[:20], HOSTILE[:2]))
    check(fig)
    for level, frame in enumerate(fig.frames):
        for i, trace in zip(frame.traces, frame.data, strict=True):
            if fig.data[i].type == "contour":
                (exact,) = borders.decisions[fig.data[i].name][level]
                z = np.asarray(trace.z, dtype=float)
                assert ((np.sign(z) == np.sign(exact)) | (z == 0)).all()
                assert (z != 0).mean() > 0.9


def test_two_recipes_say_their_errors_as_shares_of_the_rows():
    one = [numbers(level, halves=halves(error, 0.0)) for level, error in enumerate((0.2, 0.0233))]
    fig = depth.recipe_lines({"first": one, "second": one[:1]})
    check(fig)
    assert fig.layout.yaxis.tickformat == ".3~%"
    assert "first: 2.33% at level 1." in theme.caption(fig)


def test_an_alignment_of_several_channels_says_which_one_is_drawn():
    rng = np.random.default_rng(0)
    one, three = ([Series(rng.normal(size=(length, c))) for length in (8, 11)] for c in (1, 3))
    assert "channels" not in theme.caption(alignment(*one, ["a", "b"]))
    assert "The first of 3 channels" in theme.caption(alignment(*three, ["a", "b"]))
