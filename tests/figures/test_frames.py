"""Frames of the moving slider beside the figures at rest; the small figures of the page See; offline pages."""

import base64
import re
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from kernlib import RBF
from kernlib.analysis import relevant_dimension
from kernlib.analysis.summary import summarise
from kernlib.explain import decision_field, train
from kernlib.figures import curves, data, depth, gram, labs, machine, spectrum, theme
from kernlib.figures.frames import figure_frames, mark_frames, matrix_frames
from kernlib.figures.theme import offline_page
from kernlib.protocols import errors_of_matrix

from .checking import HOSTILE, check

VALUES = (0.5, 1.0, 2.0, 4.0)


def matrices(n, values):
    y = np.arange(n) % 2
    X = np.random.default_rng(0).standard_normal((n, 2)) + 1.5 * y[:, None]
    d2 = ((X[:, None] - X) ** 2).sum(-1)
    return [np.exp(-d2 / (2 * v * v)) for v in values], y


def film(n=40, values=VALUES):
    made, y = matrices(n, values)
    order = np.argsort(y, kind="stable")
    return [summarise(K, y, order, errors=errors_of_matrix(K, y)) for K in made], y, order


def test_what_if_shows_what_is_known_and_the_present_value():
    made, _, _ = film()
    errors = [f.errors for f in made]
    fig = curves.what_if(VALUES, [errors[0], None, None, errors[3]], "σ", 1.0, errors[1], log=True)
    check(fig)
    test, training, now = fig.data
    assert np.isnan(test.y[1:3]).all()
    assert test.y[3] == errors[3].test
    assert training.y[0] == errors[0].training
    assert list(now.y) == [errors[1].test]
    whole = curves.what_if(VALUES, errors, "σ", 1.0, errors[1], log=True)
    far = [replace(one, tests=(0.05,), trainings=(0.0,), chance=0.6) for one in errors]
    near = curves.what_if(VALUES, far, "σ", 1.0, far[1])
    assert near.layout.yaxis.range[1] < 0.1, "guessing does not flatten the curves"
    assert ["guessing" in str(fig.layout.annotations[0].text) for fig in (whole, near)] == [True, False]
    assert whole.layout.xaxis.range == fig.layout.xaxis.range, "the axis does not move while points arrive"
    assert "from the training half alone" in theme.caption(fig)


def test_the_offline_page_holds_plotly_and_asks_for_nothing():
    made, y, _ = film()
    page = offline_page(
        data.feature_map(made[0], y, HOSTILE[:2], HOSTILE[:1] * 40), HOSTILE[0], "http://localhost/?a=1&b=2"
    )
    assert "<script>alert" not in page
    assert len(page) > 3_000_000
    assert "http://localhost/?a=1&amp;b=2" in page
    assert "<link" not in page
    assert not re.search(r"<[a-z]+ [^<>]*src=.?http", page), "no tag; Plotly's code names the hosts of maps"


def shades(frame, side):
    return np.frombuffer(base64.b64decode(frame["shades"]), np.uint8).reshape(side, side) / 255


@pytest.mark.parametrize("values", ["diagonal", "off-diagonal", "full"])
def test_the_colour_bar_of_a_frame_is_that_of_the_figure_at_rest(values):
    K = np.random.default_rng(0).standard_normal((30, 50))
    K = 50 * K @ K.T
    made = summarise(K, None, np.arange(30))
    (frame,) = matrix_frames("gram", [made.cells.astype(float) * made.unit], [values], None)["frames"]
    fig = gram.gram_heatmap(K, value_range=values)
    bar, (low, high) = fig.data[0].colorbar, (fig.data[0].zmin, fig.data[0].zmax)
    assert frame["title"] == bar.title.text
    assert [text for _, text in frame["ticks"]] == list(bar.ticktext)
    assert [low + share * (high - low) for share, _ in frame["ticks"]] == pytest.approx(bar.tickvals)
    assert frame["palette"] == 1, "both signs have colours"
    assert frame["struck"] == any(line.name == "diagonal" for line in fig.layout.shapes) == (values == "off-diagonal")


@pytest.mark.parametrize("n", [40, 300])
def test_a_frame_is_the_figure_at_rest(n):
    """Also where each row is similar only to itself: all cells but the diagonal are dark in both."""
    sigmas = (0.02, 0.5, 4.0)
    made, y, order = film(n, sigmas)
    drawn = matrix_frames("gram", [f.cells for f in made], [(0.0, 1.0)] * 3, y[order])
    assert drawn["lines"] == [0.5]
    for frame, sigma, K in zip(drawn["frames"], sigmas, matrices(n, sigmas)[0], strict=True):
        trace = gram.gram_heatmap(K, order, y, value_range="diagonal").data[0]
        moving, rest = shades(frame, drawn["side"]), np.asarray(trace.z)
        assert np.diagonal(moving).min() == np.diagonal(rest).min() == 1.0
        off = [one[~np.eye(len(one), dtype=bool)] for one in (moving, rest)]
        assert_allclose(*[one.mean() for one in off], atol=0.01)
        if sigma == sigmas[0]:
            assert max(np.quantile(one, 0.99) for one in off) < 0.1


def test_shades_are_the_values_to_half_a_step_and_an_unknown_frame_is_none():
    made, _, _ = film()
    low, high = gram._value_limits(made[2].cells, "off-diagonal")
    drawn = matrix_frames("gram", [None, made[2].cells], [(0.0, 1.0), "off-diagonal"], None)
    assert drawn["frames"][0] is None
    back = low + shades(drawn["frames"][1], drawn["side"]) * (high - low)
    assert np.abs(back - np.clip(made[2].cells, low, high)).max() <= 0.51 * (high - low) / 255


def test_the_border_of_a_frame_is_the_one_at_rest():
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    X = rng.standard_normal((40, 2)) + 1.5 * y[:, None]
    K = np.exp(-((X[:, None] - X) ** 2).sum(-1) / 2)
    trained = train(K, y)
    field = decision_field(RBF(), X, y, size=20)
    drawn = machine.border_frames("border", [(trained, field)], X)
    plot = machine.border_plot(trained, field, X, range(40))
    heat = plot.data[0]
    shown = shades(drawn["frames"][0], 20)[::-1]
    np.testing.assert_allclose(heat.zmin + shown * (heat.zmax - heat.zmin), heat.z, atol=0.01 * heat.zmax)
    scattered = [trace for trace in plot.data if trace.type == "scatter"]
    for trace, moving in zip(scattered, drawn["frames"][0]["traces"], strict=True):
        left, right = plot.layout.xaxis.range
        known = [x for x in trace.x if x is not None]
        assert left + places(moving)[:, 0] * (right - left) == pytest.approx(known, abs=1e-3)
        style = trace.line if trace.mode == "lines" else trace.marker
        assert trace.mode == "lines" or style.symbol == moving["symbol"]
        assert moving["width"] == (style.width if trace.mode == "lines" else style.line.width or 2)


def places(trace):
    return np.frombuffer(base64.b64decode(trace["places"]), "<u2").reshape(-1, 2) / 65535


def test_points_keep_their_order_and_fill_their_panel():
    made, y, _ = film()
    fig = data.feature_map(made[1], y, ("a", "b"))
    (frame,) = figure_frames("map", [fig], own_axes=True)["frames"]
    at = np.empty((len(y), 2))
    for trace, moving in zip(fig.data, frame["traces"], strict=True):
        at[trace.customdata[:, 0]] = places(moving)
        assert (trace.marker.color, trace.marker.symbol) == (moving["colour"], moving["symbol"])
    for axis in (0, 1):
        assert np.corrcoef(at[:, axis], made[1].plane[:, axis])[0, 1] == pytest.approx(1.0, abs=1e-6)
        assert at[:, axis].max() - at[:, axis].min() == pytest.approx(1 / 1.1, abs=1e-3)
        ticks = frame["xy"[axis]]["ticks"]
        shares, values = zip(*[(share, float(text.replace("−", "-"))) for share, text in ticks], strict=True)
        lie = np.interp(made[1].plane[:, axis], values, shares, left=np.nan, right=np.nan)
        assert_allclose(at[:, axis][np.isfinite(lie)], lie[np.isfinite(lie)], atol=2e-3)


def test_the_mark_of_a_frame_is_the_one_at_rest():
    made, y, _ = film()
    errors = [f.errors for f in made]
    K = np.cov(np.random.default_rng(0).standard_normal((40, 3)) + y[:, None])
    cut = relevant_dimension(K, y)
    d = cut.dimension + 1
    known = {v: {"a": e.test} for v, e in zip(VALUES, errors, strict=True)}
    pairs = [
        (curves.error_ring(2.0, errors[2]), curves.what_if(VALUES, errors, "σ", 2.0, errors[2], True)),
        (depth.strip_mark(7, 14), depth.level_strip([np.zeros((40, 40))] * 14, 7)),
        (spectrum.cut_mark(cut, d, 40), spectrum.coefficient_plot(cut, None, d)),
        (spectrum.cut_mark(cut, 39, 40), spectrum.coefficient_plot(cut, None, 39)),
        (labs.stop_mark(known, ["a"], 2.0), labs.measured_figure(VALUES, known, ["a"], 2.0, "σ", True, "Caption.")),
    ]
    for mark, fig in pairs:
        (frame,) = mark_frames("figure", [mark])["frames"]
        (rest,) = [trace for trace in fig.data if trace.name == "now"]
        assert (list(rest.x), list(rest.y)) == (frame["x"], frame["y"])
        assert rest.mode != "markers" or rest.marker.size == frame["marker"]["size"]
        if rest.text is not None:
            assert (list(rest.text), rest.textposition) == (frame["text"], frame["textposition"])
            side = "left" if rest.x[0] == 39.5 else "right"
            assert rest.textposition == f"middle {side}", "words near the edge stand inside"
    assert spectrum.cut_mark(cut, cut.dimension, 40) is None, "d̂ has a line of its own"
    assert curves.error_ring(1.0, None)["x"] == [], "no ring without an error"
