"""Error curves, criteria, maps, ROC and confusion."""

import numpy as np
import pytest

from kernlib.experiments.curve import Curve
from kernlib.figures import curves, theme

from .checking import HOSTILE, check


def make(values=(0.2, 0.6, 1.0), scores=None, **changes):
    scores = np.array([[0.3, 0.4], [0.1, 0.2], [0.5, np.nan]]) if scores is None else scores
    given = dict(
        axis="power p", symbol="p", values=values, scores=scores, measure="balanced error", lower_is_better=True,
        reference=np.array([0.4, 0.5]), reference_label="original", best=1, not_worse=(1, 0),
        band=np.array([[0.3, 0.4], [0.1, 0.2], [np.nan, np.nan]]), label="SVM",
    )  # fmt: skip
    return Curve(**(given | changes))


@pytest.mark.parametrize("style", ["line", "box"])
def test_curve(style):
    fig = curves.error_curve([make()], style)
    check(fig)
    assert "best mean 0.15 at 0.6" in theme.alt(fig)
    assert "5 of 6 results so far" in theme.caption(fig)
    star = next(t for t in fig.data if isinstance(t.marker.symbol, str) and t.marker.symbol == "star")
    assert star.y[0] == pytest.approx(0.15)


def test_line_shows_means_and_what_is_not_worse():
    fig = curves.error_curve(make())
    line = next(t for t in fig.data if t.error_y.array is not None)
    np.testing.assert_allclose(line.y, [0.35, 0.15, 0.5], rtol=1e-6)
    assert list(line.marker.symbol) == ["circle", "circle", "circle-open"]


def test_nothing_has_come_yet():
    empty = make(scores=np.full((3, 2), np.nan), best=None, not_worse=(), band=None, reference=np.full(2, np.nan))
    for style in ("line", "box"):
        fig = curves.error_curve([empty], style)
        check(fig)
        assert "no results yet" in theme.alt(fig)
    check(curves.error_curve([]))
    check(curves.error_curve([make(values=(), scores=np.zeros((0, 2)), best=None, band=None, not_worse=())]))


def test_log_words_one_point_and_several_curves():
    assert curves.error_curve([make(values=(0.01, 1.0, 100.0), scale="log")]).layout.xaxis.type == "log"
    check(curves.error_curve([make(values=(None, "median", "<script>"))]))
    check(curves.error_curve([make(values=(1.0,), scores=np.array([[0.2]]), best=0, not_worse=(), band=None)]))
    check(curves.error_curve([make(label=h, axis=h, measure=h, reference_label=h, symbol=h) for h in HOSTILE]))


def test_unordered_values_are_drawn_in_order():
    line = next(t for t in curves.error_curve(make(values=(1.0, 0.2, 0.6))).data if t.error_y.array is not None)
    assert list(line.x) == [0.2, 0.6, 1.0]


def test_shared_reference_is_drawn_once():
    fig = curves.error_curve([make(label="a"), make(label="b")])
    assert len(fig.layout.shapes) == 1


def test_criteria():
    fig = curves.criteria_lines([1, 2, 3], {"<b>align": [1, 2, 3], "nan": [np.nan] * 3}, [3, 2, 1], "p",
                                smaller_is_better={"<b>align": False})  # fmt: skip
    check(fig)
    assert "-1.00" in fig.layout.annotations[0].text
    check(curves.criteria_lines(["a", "b"], {"x": [1, 2]}))
    check(curves.criteria_lines([], {}))


def test_map_frames_the_best():
    fig = curves.score_map([0.1, 0.2], [0, 1, 2], [[0.3, 0.2], [0.1, np.nan], [0.4, 0.5]])
    check(fig)
    assert (fig.layout.shapes[0].x0, fig.layout.shapes[0].y0) == (-0.5, 0.5)
    check(curves.score_map(["<script>"], ["=1"], [[np.nan]], *HOSTILE[:3]))


def test_roc_area_counts_ties_half():
    assert "0.750" in theme.alt(curves.roc_plot([0, 0, 1, 1], [0.0, 1.0, 1.0, 1.0], ("n", "p")))
    check(curves.roc_plot(np.arange(9) % 3, np.random.default_rng(0).random((9, 3)), HOSTILE[:3]))
    check(curves.roc_plot([1, 1], [0.1, 0.2], ("a", "b")))


def test_confusion():
    fig = curves.confusion_plot([0, 0, 1], [0, 1, 1], ("a", "b"))
    check(fig)
    np.testing.assert_allclose(fig.data[0].z, [[0.5, 0.5], [0, 1]])
    assert "2 of 3" in theme.alt(fig)
    check(curves.confusion_plot(HOSTILE, HOSTILE[::-1]))
    check(curves.confusion_plot([0], [0]))


def test_precision_and_recall_are_those_of_another_library():
    from sklearn.metrics import average_precision_score, precision_recall_curve

    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 60)
    decision = np.round(y + rng.normal(size=60), 1)  # ties on purpose
    fig = curves.precision_recall_plot(y, decision, ("no", "yes"))
    assert f"{average_precision_score(y, decision):.3f}" in fig.data[0].name
    precision, recall, _ = precision_recall_curve(y, decision, drop_intermediate=False)
    drawn = dict(zip(np.round(fig.data[0].x, 5).tolist(), fig.data[0].y.tolist(), strict=True))
    for r, p in drawn.items():
        assert any(abs(r - a) < 1e-4 and abs(p - b) < 1e-4 for a, b in zip(recall, precision, strict=True))
    assert len(curves.precision_recall_plot([0, 0], [1.0, 2.0], ("a", "b")).data) <= 2
