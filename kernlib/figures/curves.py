"""Figures of errors: curves over an axis with their uncertainty, cheap criteria, maps, ROC and confusion."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

from ..protocols import HalvesErrors
from ..values.arrays import Array
from ..values.declare import ordinary
from ..values.words import number, value_in_words
from .marks import (
    BARE,
    above,
    across,
    colour_words,
    equal_line,
    heat,
    line,
    log_axis,
    note,
    places_axis,
    points,
    present,
    unseen,
    whiskers,
)
from .theme import (
    BLUE,
    ERROR_SCALE,
    MUTED,
    ORANGE,
    SEQUENTIAL,
    axis,
    class_colour,
    class_names,
    colour_bar,
    composed,
    escape,
    faint,
)

if TYPE_CHECKING:
    from ..analysis.outcomes import Confusion, RocCurve, Threshold
    from ..experiments.curve import Curve

# More single splits cannot be distinguished.
MOST_FOLDS = 60


def _word(value: Any) -> str:
    return "as it is" if value is None else escape(value_in_words(value))


def error_curve(
    drawn: Curve, beside: Sequence[Curve] = (), guess: float | None = None, taken: int | None = None
) -> go.Figure:
    """Draw scores over an axis: the mean, its confidence band, single splits, and the best point.

    A star marks the best mean, unless the reference kernel is better; a diamond what to expect of it on new data.
    Hollow points are significantly worse by a corrected paired test. Missing scores are nan.

    Parameters: `beside` means that are drawn as dotted lines, such as the training error; `guess` the score of
    guessing; `taken` the place of the recommended value, which then has the star.
    """
    every = list(drawn.values)
    numeric = bool(every) and all(map(ordinary, every))
    ticks = list(dict.fromkeys(map(_word, every)))
    x = np.array([float(v) if numeric else ticks.index(_word(v)) for v in every], dtype=np.float64)
    name = escape(drawn.label, 70) or escape(drawn.measure)
    traces = _measured(drawn, x, name, taken)
    for index, one in enumerate(beside):
        traces.append(_means(one, x, escape(one.label, 70), class_colour(index), "dot") | dict(mode="lines"))
    over: list[dict[str, Any]] = []
    if math.isfinite(drawn.reference_mean):
        label = escape(drawn.reference_label) or "reference"
        label = f"{label} ({drawn.in_words(drawn.reference_mean)})"
        over += across(drawn.reference_mean, label, width=1.5, dash="dash")
    if guess is not None:
        over += _guess([drawn, *beside], guess)
    xaxis = axis(escape(drawn.axis) or ("" if ticks == [_word(None)] else "setting"))
    if not numeric:
        xaxis |= places_axis(ticks, range=[-0.5, max(len(ticks) - 0.5, 0.5)])
    elif drawn.scale == "log" and min(every) > 0:
        xaxis |= log_axis(every)
    yaxis = axis(
        f"{escape(drawn.measure)}<br><sub>{'lower' if drawn.lower_is_better else 'higher'} is better</sub>",
        rangemode="nonnegative" if drawn.lower_is_better else "normal",  # no error is below 0
        tickformat=".3~%" if drawn.is_share else None,
    )
    best = "no results yet"
    if drawn.best is not None:
        best = f"best mean {number(float(drawn.mean[drawn.best]))} at {_word(every[drawn.best])}"
    total = drawn.scores.shape[1]
    few, most = int(drawn.splits.min(initial=total)), int(drawn.splits.max(initial=0))
    some = "" if few == total else f" So far {few:,} to {most:,} of {total:,} splits at each value."
    return composed(
        traces,
        xaxis,
        yaxis,
        over=over,
        legend=True,
        alt=f"{name} over {escape(drawn.axis) or 'the axis'}: {best}.{some}",
        caption="The mean over splits with its 95% confidence band. ★ marks what is recommended, ◇ what to expect of "
        f"it on new data. Hollow points are significantly worse than the best.{some}",
    )


def _guess(many: list[Curve], guess: float) -> list[dict[str, Any]]:
    """Return the score of guessing as a line, or far from all curves as words at the edge of the figure."""
    scores = np.concatenate([[c.reference_mean, *c.mean] for c in many])
    if not np.isfinite(scores).any():
        return []
    words = f"guessing {many[0].in_words(guess)}"
    low, high = float(np.nanmin(scores)), float(np.nanmax(scores))
    room = 0.6 * max(high - (0.0 if many[0].lower_is_better else low), 0.02)
    if low - room <= guess <= high + room:
        return across(guess, words, ORANGE, 1.5, "dot")
    return [above(f"{words} {'↑' if guess > high else '↓'}")]


def _measured(one: Curve, x: Array, name: str, taken: int | None) -> list[dict[str, Any]]:
    """Return a curve at the places x: its single splits, confidence band, means, star, and expectation on new data."""
    order, traces = np.argsort(x, kind="stable"), []
    splits = np.flatnonzero(np.isfinite(one.scores).any(axis=0))[:MOST_FOLDS]
    if len(splits):
        # One trace for all splits, with a nan between two of them.
        ys = np.vstack([one.scores[order][:, splits], np.full(len(splits), np.nan)]).T.ravel()
        xs = np.tile(np.append(x[order], np.nan), len(splits))
        traces.append(line(xs, ys, "single splits", faint(BLUE, 0.16), 1, tip="", showlegend=False))
    if one.band is not None:
        band = np.clip(one.band, one.low, one.high)  # no error below 0, no accuracy above 1
        known = order[np.isfinite(band[order]).all(axis=1)]
        if len(known) > 1:
            xs, ys = np.concatenate([x[known], x[known][::-1]]), np.concatenate([band[known, 1], band[known, 0][::-1]])
            filled = dict(fill="toself", fillcolor=faint(BLUE, 0.18), line=dict(width=0))
            traces.append(line(xs, ys, "95% interval of the mean, wide as splits share rows", tip="", **filled))
    traces.append(_means(one, x, name, BLUE, "solid"))
    best = one.best
    if best is None:
        return traces
    mark: dict[str, Any] = dict(meta=dict(decoration=True), colour=BLUE)
    starred = best if taken is None else taken
    if np.isfinite(one.mean[starred]) and one.beats_reference:  # else the reference is recommended
        tip = f"best: {_word(one.values[starred])}<br><b>%{{y:.4g}}</b>"
        edge = dict(marker=dict(line=dict(color="#ffffff", width=1)), size=16, symbol="star", tip=tip)
        traces.append(points([x[starred]], [one.mean[starred]], "recommended", **edge, **mark))
    if one.chosen is not None:
        mean, low, high = one.expected(starred)
        style = dict(size=10, symbol="diamond-open", marker=dict(line=dict(width=2)))
        tip = f"expected on new data: <b>%{{y:.4g}}</b><br>95% interval {number(low)} to {number(high)}"
        bar = dict(error_y=whiskers([mean], [low], [high], BLUE), tip=tip)
        traces.append(points([x[starred]], [mean], "expected on new rows, 95% interval", **style, **bar, **mark))
    return traces


def _means(one: Curve, x: Array, name: str, colour: str, dash: str) -> dict[str, Any]:
    order = np.argsort(x, kind="stable")
    alike = np.isin(order, one.not_worse) | (not one.not_worse)
    return line(
        x[order],
        one.mean[order],
        name,
        colour,
        2.5,
        dash,
        8,
        hovertext=[_word(one.values[i]) for i in order],
        marker=dict(symbol=np.where(alike, "circle", "circle-open"), line=dict(width=1.5)),
        customdata=np.column_stack([np.arange(len(order)), one.spread, one.splits])[order],
        tip=("at" if "\\" in one.symbol else escape(one.symbol)) + " %{hovertext}: <b>%{y:.4g}</b> ± "
        "%{customdata[1]:.2g}<br>%{customdata[2]} splits<extra>" + name + "</extra>",
    )


def score_map(drawn: Curve, taken: int | None = None) -> go.Figure:
    """Draw mean scores over two axes, e.g. (p, depth); the best cell is framed.

    Parameters: `drawn` a curve of two axes; cells without a result are gaps; `taken` the place of the recommended cell,
    which then has a star.
    """
    x_axis, y_axis, measure = escape(drawn.axis), escape(drawn.second), escape(drawn.measure)
    xs, ys = ([f"{_word(v)} " for v in values] for values in (drawn.first_values, drawn.second_values))
    places_x, places_y = list(range(len(xs))), list(range(len(ys)))
    scale = ERROR_SCALE if drawn.lower_is_better else SEQUENTIAL
    gaps = dict(xgap=1, ygap=1, hoverongaps=False, texttemplate="%{z:.3g}" if drawn.table.size <= 80 else None)
    cells = heat(drawn.table, measure, scale, tip="", x=places_x, y=places_y, colorbar=colour_bar(measure), **gaps)
    pressed = unseen(  # a heatmap takes no clicks
        np.repeat(places_x, len(ys)),
        np.tile(places_y, len(xs)),
        "cells",
        np.arange(len(xs) * len(ys)),
        28,
        hovertext=[
            f"{x_axis} {x}, {y_axis} {y}<br><b>{number(float(drawn.table[i, j]), 4)}</b>"
            for j, x in enumerate(xs)
            for i, y in enumerate(ys)
        ],
        tip="%{hovertext}",
    )
    best, over = "No results yet.", list[dict[str, Any]]()
    if drawn.best is not None:
        j, i = divmod(drawn.best, len(ys))
        box = dict(type="rect", x0=j - 0.5, x1=j + 0.5, y0=i - 0.5, y1=i + 0.5)
        over.append(box | dict(line=dict(width=4, color=ORANGE)))
        worse = len(drawn.values) - len({*drawn.not_worse, drawn.best})
        best = (
            f"The framed cell is the best, {number(float(drawn.table[i, j]))} at {x_axis} {xs[j]}and {y_axis} "
            f"{ys[i].strip()}. {worse} of {len(drawn.values)} cells are significantly worse. ★ is recommended."
        )
    if taken is not None:
        j, i = divmod(taken, len(ys))
        over.append(note("★", j + 0.46, i + 0.42, 20, ORANGE, xanchor="right", yanchor="top"))
    return composed(
        [cells, pressed],
        places_axis(xs, x_axis, **BARE),
        places_axis(ys, y_axis, **BARE),
        over=over,
        height=min(640, 150 + 44 * max(len(ys), 2)),
        legend=False,
        alt=f"{measure} over {x_axis} and {y_axis}. {best}",
        caption="Bright cells are good: in a wide bright area the exact choice matters little. Click a cell to use it. "
        + best,
    )


# ROC, precision–recall and confusion are drawn side by side: one height, and fixed margins.
_SIDE = dict(l=74, r=14, t=14, b=96, autoexpand=False)


def roc_plot(curves: Sequence[RocCurve] | RocCurve, at: Threshold | None = None) -> go.Figure:
    """Draw true against false positives over all thresholds: the further up and left, the better the ranking.

    Parameters: `curves` as from `kernlib.analysis.roc_curves`, one per class; `at` marks the point of a threshold.
    """
    traces, areas, tip = [], [], "false positives %{x:.1%}<br>true positives <b>%{y:.1%}</b>"
    for one in curves if isinstance(curves, Sequence) else [curves]:
        areas.append(f"{class_names((one.name,), 20)[0]}, area {one.area:.3f}")
        traces.append(
            line(one.false_positive_rate, one.true_positive_rate, areas[-1], class_colour(one.code), 2.5, tip=tip)
        )
    if at is not None:
        style = dict(marker=dict(line=dict(width=2, color="#ffffff")), tip=tip, showlegend=False)
        label = f"from {number(at.threshold, 3)} on"
        traces.append(points([float(at.alarms)], [float(at.hits)], label, ORANGE, 13, "circle", **style))
    unit = dict(range=[-0.02, 1.02], tickformat=".0%", automargin=False)
    return composed(
        [*traces, equal_line([0, 1], "chance")],
        axis("false positive rate", tickvals=[0, 0.5, 1], **unit),
        axis("true positive rate", **unit),
        legend=True,
        margin=_SIDE,
        alt=f"ROC curves of {'; '.join(areas)}.",
        caption="The dashed line is guessing. The area is the probability that a row of the class ranks above one "
        "of another class. A steep curve at the left finds many rows with few false alarms.",
    )


def confusion_plot(confusion: Confusion) -> go.Figure:
    """Draw how often each true class is predicted as each class, as shares and counts.

    Parameters: `confusion` from `kernlib.analysis.confusion`.
    """
    count = len(confusion.classes)
    places, few = list(range(count)), count <= 4
    cells = heat(
        confusion.shares,
        "share of the true class",
        x=places,
        y=places,
        zmin=0,
        zmax=1,
        showscale=False,
        xgap=2,
        ygap=2,
        text=confusion.counts,
        texttemplate="%{text}<br>%{z:.0%}" if count <= 5 else ("%{text}" if count <= 12 else None),
        tip="true %{y}, predicted %{x}<br><b>%{text}</b> rows, %{z:.1%}",
    )
    names = class_names(confusion.classes, 16 if few else 6)
    plain = BARE | dict(automargin=False)
    return composed(
        [cells],
        places_axis(names, "predicted class", tickangle=0 if few else -60, **plain),
        places_axis(names, "true class", autorange="reversed", tickangle=-90 if few else 0, **plain),
        legend=True,
        margin=_SIDE,
        alt=f"Confusion of {count} classes: {confusion.right} of {confusion.total} rows on the diagonal.",
        caption="Each row is a true class and adds up to 100%. Mistakes are off the diagonal: "
        "look for two classes that are confused in one direction only.",
    )


# -- errors on the halves ------------------------------------------------------------------

#: Errors in the figure: name, marker, its sign, line. Training errors have open markers on a dotted line.
ERRORS = (("test", "circle", "●", "solid"), ("training", "circle-open", "○", "dot"))


def what_if(
    values: Sequence[Any],
    errors: Sequence[HalvesErrors | None],
    name: str,
    current: Any = None,
    now: HalvesErrors | None = None,
    log: bool = False,
    star: Any = None,
) -> go.Figure:
    """Draw the errors on the halves over the values of one parameter, with a marker at its present value.

    Parameters: `values` numbers; `errors` one for each, None while missing; `name` of the parameter;
    `current` its present value with the errors `now`; `log` a logarithmic axis; `star` the value that a comparison
    proposes, whose test error gets a star.
    """
    known = [e for e in (*errors, now) if e is not None]
    of = known[0] if known else None
    level, measure, by = (math.nan, "error", "the machine") if of is None else (of.chance, of.measure, of.by)
    near = math.isfinite(level) and level <= 3 * max(0.02, *(e.test for e in known))  # else it would flatten the curve
    key = [(BLUE, sign, name_of) for name_of, _, sign, _ in ERRORS] + [(MUTED, "┈", "guessing")] * near
    over = [above(colour_words(key)) | dict(yshift=7), *(across(level, dash="dot") if near else [])]
    proposed = next((e for value, e in zip(values, errors, strict=True) if value == star and e is not None), None)
    if proposed is not None:
        over.append(note("★", float(star), proposed.test, 18, ORANGE, yshift=14))
    x, traces = np.array(values, dtype=np.float64), []
    for name_of, symbol, _, dash in ERRORS:
        heights = np.array([math.nan if e is None else getattr(e, name_of) for e in errors], dtype=np.float64)
        label, style = f"{name_of} {measure}", dict(marker=dict(symbol=symbol), customdata=list(values))
        tip = f"%{{x:.4g}}: <b>%{{y:.1%}}</b><extra>{label}</extra>"
        traces.append(line(x, heights, label, BLUE, 2, dash, 7, tip=tip, **style))
    drawn = sum(e is not None for e in errors)
    numbers = [*x, *([] if current is None else [float(current)])]
    log = log and min(numbers) > 0
    low, high = (math.log10(end) if log else end for end in (min(numbers), max(numbers)))
    whole = dict(dtick=1) if high - low <= 6 and all(isinstance(value, int) for value in values) else {}
    pad = 0.05 * (high - low) or 0.5  # all values are in view: the axis does not move while errors arrive
    top = max((v for e in known for v in (e.test, e.training, e.chance if near else 0.0)), default=1.0)
    return composed(
        [*traces, error_ring(current, now)],
        axis(escape(name), range=[low - pad, high + pad]) | (log_axis(numbers) if log else {"type": "linear"} | whole),
        axis(measure, range=[0, max(0.02, min(1.25 * top, 3.0))], tickformat=".3~p"),
        over=over,
        height=240,
        legend=False,
        margin=dict(t=30),
        alt=f"The {measure} over {escape(name)}, {drawn} of {len(values)} values, "
        f"smallest {number(min((e.test for e in known), default=math.nan))}.",
        caption=f"{by[0].upper()}{by[1:]} is trained on five random halves and tested on the others. The "
        "kernel learns from the training half alone. "
        f"A low training {measure} (open circles) beside a test {measure} near guessing means memorising. "
        "The ring marks the present value; click a point to use its value.",
    )


def error_ring(value: Any, errors: HalvesErrors | None) -> dict[str, Any]:
    """Return the ring around the test error of the slider's value; an empty trace where it is not known."""
    known = value is not None and errors is not None and math.isfinite(errors.test)
    return present(
        [float(value)] if known else [],
        [errors.test] if known and errors is not None else [],
        mode="markers",
        marker=dict(symbol="circle-open", size=15, color=ORANGE, line=dict(width=3, color=ORANGE)),
    )
