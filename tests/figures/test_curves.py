"""Error curves, criteria, maps, ROC and confusion."""

import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose

from kernlib.analysis.outcomes import confusion, roc_curves
from kernlib.experiments.curve import Curve
from kernlib.figures import curves, theme

from .checking import HOSTILE, check


def make(values=(0.2, 0.6, 1.0), scores=None, **changes):
    scores = np.array([[0.3, 0.4], [0.1, 0.2], [0.5, np.nan]]) if scores is None else scores
    given = dict(
        axis="power p",
        symbol="p",
        values=values,
        scores=scores,
        measure="balanced error",
        lower_is_better=True,
        reference=np.array([0.4, 0.5]),
        reference_label="original",
        best=1,
        not_worse=(1, 0),
        band=np.array([[0.3, 0.4], [0.1, 0.2], [np.nan, np.nan]]),
        label="SVM",
    )
    return Curve(**(given | changes))


def stars(fig):
    return [trace for trace in fig.data if str(trace.marker.symbol) == "star"]


def test_curve():
    fig = curves.error_curve(make())
    check(fig)
    assert "best mean 0.15 at 0.6" in theme.alt(fig)
    assert "So far 1 to 2 of 2 splits at each value." in theme.caption(fig)
    (star,) = stars(fig)
    assert star.y[0] == pytest.approx(0.15)
    line = next(t for t in fig.data if t.mode == "lines+markers")
    assert_allclose(line.y, [0.35, 0.15, 0.5], rtol=1e-6)
    assert list(line.marker.symbol) == ["circle", "circle", "circle-open"], "hollow is significantly worse"


def test_no_star_on_a_value_worse_than_the_reference():
    scores = np.array([[0.3, 0.4], [0.25, 0.2], [0.5, 0.45]])
    assert not stars(curves.error_curve(make(scores=scores, reference=np.array([0.1, 0.15]))))


def test_nothing_has_come_yet():
    empty = make(scores=np.full((3, 2), np.nan), best=None, not_worse=(), band=None, reference=np.full(2, np.nan))
    fig = curves.error_curve(empty)
    check(fig)
    assert "no results yet" in theme.alt(fig)


def test_log_words_one_point_and_several_curves():
    assert curves.error_curve(make(values=(0.01, 1.0, 100.0), scale="log")).layout.xaxis.type == "log"
    unordered = curves.error_curve(make(values=(1.0, 0.2, 0.6)))
    assert list(next(t for t in unordered.data if t.mode == "lines+markers").x) == [0.2, 0.6, 1.0]
    check(curves.error_curve(make(values=(None, "median", "<script>"))))
    check(curves.error_curve(make(values=(1.0,), scores=np.array([[0.2]]), best=0, not_worse=(), band=None)))
    for h in HOSTILE:
        check(curves.error_curve(make(label=h, axis=h, measure=h, reference_label=h, symbol=h), [make(label=h)]))


def test_errors_that_are_all_zero_lie_on_the_axis():
    fig = curves.error_curve(make(scores=np.zeros((3, 2)), band=None, reference=None))
    assert fig.layout.yaxis.rangemode == "nonnegative", "an axis from -1 to 1 shows errors that do not exist"


def test_curves_beside_it_are_dotted_and_without_marks():
    fig = curves.error_curve(make(label="a"), [make(label="b", best=None, reference=None)])
    assert [shape.type for shape in fig.layout.shapes] == ["line"]
    assert [t.name for t in fig.data if t.line.dash == "dot"] == ["b"]
    assert [t.name for t in stars(fig)] == ["recommended"]


def pairs(first, second, table, names=("p", "level", "error"), **changes):
    return make(
        **dict(zip(("axis", "second", "measure"), names, strict=True)),
        values=tuple(itertools.product(first, second)),
        scores=np.asarray(table, dtype=float).T.reshape(-1, 1),
        band=None,
        second_values=tuple(second),
        **changes,
    )


def test_map_frames_the_best_and_stars_what_to_take():
    drawn = pairs((0.1, 0.2), (0, 1, 2), [[0.3, 0.2], [0.1, np.nan], [0.4, 0.5]], best=1, not_worse=(1, 3))
    fig = curves.score_map(drawn, taken=3)
    check(fig)
    assert fig.data[0].z[1, 0] == 0.1
    assert [(s.x0, s.y0) for s in fig.layout.shapes] == [(-0.5, 0.5)]
    assert "is the best, 0.1 at p 0.1 and level 1. 4 of 6 cells are significantly worse" in theme.alt(fig)
    (star,) = [note for note in fig.layout.annotations if note.text == "★"]
    assert (round(star.x), round(star.y)) == (1, 0)
    (cells,) = [trace for trace in fig.data if trace.name == "cells"]
    assert (cells.x[3], cells.y[3], cells.customdata[3]) == (1, 0, 3)
    check(curves.score_map(pairs(["<script>"], ["=1"], [[np.nan]], HOSTILE[:3], best=None, not_worse=())))


def test_ranking_and_confusion_are_of_one_size():
    rng = np.random.default_rng(0)
    y, decision, names = np.arange(9) % 3, rng.random((9, 3)), HOSTILE[:3]
    figs = (
        curves.roc_plot(roc_curves(y, decision, names)),
        curves.confusion_plot(confusion(y, decision.argmax(axis=1), names)),
        curves.roc_plot(roc_curves([0, 1, 1], [0.1, 0.5, 0.4], ("a", "b"))),
        curves.confusion_plot(confusion([0], [0], ("a very long name of a class",))),
    )
    for fig in figs:
        check(fig)
        assert fig.layout.xaxis.automargin is False
    assert len({(fig.layout.height, str(fig.layout.margin)) for fig in figs}) == 1


def test_figures_draw_the_results():
    roc = roc_curves([0, 0, 1, 1], [0.0, 1.0, 1.0, 1.0], ("n", "p"))
    fig = curves.roc_plot(roc)
    assert "p, area 0.750" in theme.alt(fig)
    assert_allclose(fig.data[0].y, roc[0].true_positive_rate)
    fig = curves.confusion_plot(confusion([0, 0, 1], [0, 1, 1], ("a", "b")))
    assert_allclose(fig.data[0].z, [[0.5, 0.5], [0, 1]])
    assert "2 of 3" in theme.alt(fig)
