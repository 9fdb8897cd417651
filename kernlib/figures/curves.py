"""Pictures of errors: curves over an axis with their uncertainty, cheap criteria, maps, ROC and confusion."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray
from plotly.subplots import make_subplots

from ..values.arrays import Array
from .theme import CLASS_COLOURS, MUTED, SEQUENTIAL, class_colour, escape, finish, number, read_classes

if TYPE_CHECKING:
    from ..experiments.curve import Curve

__all__ = ["confusion_plot", "criteria_lines", "error_curve", "precision_recall_plot", "roc_plot", "score_map"]

DASHES = ("solid", "dash", "dot", "dashdot")
# More single splits than this are a fog, not a picture.
MOST_FOLDS = 60


def _clear(colour: str, opacity: float) -> str:
    r, g, b = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({r},{g},{b},{opacity})"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.number) and not isinstance(value, bool) and math.isfinite(value)


def _word(value: Any) -> str:
    return f"{value:.4g}" if _is_number(value) else escape(value)


def _mean(scores: Array) -> Array:
    known = np.isfinite(scores)
    count = known.sum(axis=1)
    total = np.where(known, scores, 0.0).sum(axis=1)
    mean: Array = np.divide(total, count, out=np.full(len(scores), np.nan), where=count > 0)
    return mean


def _spread(scores: Array) -> Array:
    return np.array([np.std(r[np.isfinite(r)], ddof=1) if np.isfinite(r).sum() > 1 else np.nan for r in scores])


def error_curve(
    curves: list[Curve] | tuple[Curve, ...] | Curve,
    style: Literal["line", "box"] = "line",
    folds: bool | None = None,
    title: str | None = None,
) -> go.Figure:
    """Scores over an axis: the mean, its confidence band, the splits' spread, the best point.

    A star marks the best mean; filled points cannot be told from it by a corrected paired test, hollow ones
    can. Scores that have not come yet are nan and simply not there. Parameters: `style` "line" or "box";
    `folds` draws single splits faintly (default: for one curve only).
    """
    many = list(curves) if isinstance(curves, list | tuple) else [curves]
    single = len(many) == 1
    fig = go.Figure()
    every = [v for c in many for v in c.values]
    # A box on a log or uneven axis would be as wide as its neighbours' gap: boxes stand side by side.
    numeric = style == "line" and bool(every) and all(_is_number(v) for v in every)
    ticks = list(dict.fromkeys(_word(v) for v in every))
    log = numeric and any(c.scale == "log" for c in many) and min(every) > 0
    alts: list[str] = []
    drawn: set[tuple[str, str]] = set()
    for index, one in enumerate(many):
        scores = np.atleast_2d(np.asarray(one.scores, dtype=np.float64))[: len(one.values)]
        colour = CLASS_COLOURS[index % len(CLASS_COLOURS)]
        name = escape(one.label) or (escape(one.measure) if single else f"curve {index + 1}")
        x = np.array([float(v) if numeric else ticks.index(_word(v)) for v in one.values], dtype=np.float64)
        order = np.argsort(x, kind="stable")
        words = np.array([_word(v) for v in one.values], dtype=object)
        mean, spread = _mean(scores), _spread(scores)
        if style == "box":
            _boxes(fig, x, scores, words, name, colour)
        else:
            if folds or (folds is None and single):
                _folds(fig, x, scores, order, colour, name)
            _band(fig, x, one.band, order, colour, name)
            _means(fig, one, x, mean, spread, scores, order, words, name, colour, DASHES[(index // 4) % 4])
        _best(fig, one, x, mean, words, name, colour, style == "box")
        if one.reference is not None and np.isfinite(reference := np.asarray(one.reference, dtype=float)).any():
            level = float(np.nanmean(reference))
            # Curves that share a reference share its line.
            if (key := (one.reference_label, f"{level:.9g}")) not in drawn:
                drawn.add(key)
                _reference(fig, one, level, MUTED if single else colour, name, single)
        alts.append(_told(one, name, mean, words))
    first = many[0] if many else None
    measures = list(dict.fromkeys(escape(c.measure) for c in many))
    better = "" if first is None else ("lower is better" if first.lower_is_better else "higher is better")
    axes = list(dict.fromkeys(escape(c.axis) for c in many if c.axis))
    fig.update_xaxes(title_text=" / ".join(axes) or "setting")
    fig.update_yaxes(title_text=f"{' / '.join(measures)}<br><sub>{better}</sub>" if measures else "score")
    if log:
        decades = math.log10(max(every) / min(every)) if min(every) < max(every) else 1
        fig.update_xaxes(type="log", exponentformat="power", dtick=math.ceil(decades / 6) if decades >= 2 else None)
    elif not numeric:
        fig.update_xaxes(
            tickmode="array", tickvals=list(range(len(ticks))), ticktext=ticks, range=[-0.5, max(len(ticks) - 0.5, 0.5)]
        )
    missing = sum(int((~np.isfinite(np.asarray(c.scores, dtype=float))).sum()) for c in many)
    total = sum(np.size(c.scores) for c in many)
    arrived = f" {total - missing} of {total} results so far." if missing else ""
    shape = "Each box spans the middle half of the splits." if style == "box" else (
        "The line is the mean over splits, the band where it may lie (95 %), bars one standard deviation of splits."
    )  # fmt: skip
    return finish(
        fig, height=430, title=title, legend=True,
        alt=(" ".join(alts) or "No curves yet.") + arrived,
        caption=f"{shape} The star is the best mean; hollow points are worse beyond chance, filled ones cannot be told "
        f"from it, so prefer the simplest of them.{arrived}",
    )  # fmt: skip


def _told(one: Curve, name: str, mean: Array, words: NDArray[Any]) -> str:
    axis = escape(one.axis) or "the axis"
    if one.best is None or not np.isfinite(mean).any():
        return f"{name} over {axis}: no results yet."
    reference = ""
    if one.reference is not None and np.isfinite(one.reference).any():
        reference = f", reference {number(float(np.nanmean(one.reference)))}"
    return f"{name} over {axis}: best mean {number(float(mean[one.best]))} at {words[one.best]}{reference}."


def _folds(fig: go.Figure, x: Array, scores: Array, order: NDArray[np.intp], colour: str, name: str) -> None:
    splits = np.flatnonzero(np.isfinite(scores).any(axis=0))[:MOST_FOLDS]
    if not len(splits):
        return
    # One trace for all splits: a nan between two of them lifts the pen.
    ys = np.vstack([scores[np.ix_(order, splits)], np.full((1, len(splits)), np.nan)]).T.ravel()
    xs = np.tile(np.append(x[order], np.nan), len(splits))
    fig.add_scatter(
        x=xs.astype(np.float32), y=ys.astype(np.float32), mode="lines", line=dict(color=_clear(colour, 0.16), width=1),
        name=f"{name}, single splits", hoverinfo="skip", legendgroup=name, showlegend=False,
    )  # fmt: skip


def _band(fig: go.Figure, x: Array, band: Array | None, order: NDArray[np.intp], colour: str, name: str) -> None:
    if band is None:
        return
    known = [int(i) for i in order if np.isfinite(band[i]).all()]
    if len(known) < 2:
        return
    xs = np.concatenate([x[known], x[known][::-1]])
    ys = np.concatenate([band[known, 1], band[known, 0][::-1]])
    fig.add_scatter(
        x=xs, y=ys.astype(np.float32), fill="toself", fillcolor=_clear(colour, 0.18), line=dict(width=0), mode="lines",
        name=f"{name}, 95 % band", hoverinfo="skip", legendgroup=name, showlegend=False,
    )  # fmt: skip


def _means(
    fig: go.Figure, one: Curve, x: Array, mean: Array, spread: Array, scores: Array, order: NDArray[np.intp],
    words: NDArray[Any], name: str, colour: str, dash: str,
) -> None:  # fmt: skip
    told = len(one.not_worse) > 0
    alike = np.isin(np.arange(len(x)), one.not_worse) | (not told)
    count = np.isfinite(scores).sum(axis=1)
    fig.add_scatter(
        x=x[order], y=mean[order].astype(np.float32), name=name, legendgroup=name, mode="lines+markers",
        line=dict(color=colour, width=2.5, dash=dash), hovertext=words[order],
        error_y=dict(type="data", array=spread[order].astype(np.float32), thickness=1, width=3,
                     color=_clear(colour, 0.55)),
        marker=dict(color=colour, size=8, symbol=np.where(alike[order], "circle", "circle-open"), line=dict(width=1.5)),
        customdata=np.column_stack([spread, count])[order].astype(np.float32),
        hovertemplate=(escape(one.symbol) if "\\" not in one.symbol else "at") + " %{hovertext}: <b>%{y:.4g}</b> ± "
        "%{customdata[0]:.2g}<br>%{customdata[1]} splits<extra>" + name + "</extra>",
    )  # fmt: skip


def _boxes(fig: go.Figure, x: Array, scores: Array, words: NDArray[Any], name: str, colour: str) -> None:
    known = np.isfinite(scores)
    xs, ys = np.repeat(x, known.sum(axis=1)), scores[known]
    fig.add_box(
        x=xs.astype(np.float32), y=ys.astype(np.float32), name=name, legendgroup=name, boxmean=True,
        boxpoints="outliers", line=dict(color=colour, width=1.5), fillcolor=_clear(colour, 0.25),
        marker=dict(color=colour, size=4),
    )  # fmt: skip
    fig.update_layout(boxmode="group")


def _best(
    fig: go.Figure, one: Curve, x: Array, mean: Array, words: NDArray[Any], name: str, colour: str, boxes: bool
) -> None:
    if one.best is None or not np.isfinite(mean[one.best]):
        return
    fig.add_scatter(
        x=[float(x[one.best])], y=[float(mean[one.best])], mode="markers", legendgroup=name, showlegend=False,
        name=f"{name}, best", marker=dict(symbol="star", size=16, color=colour, line=dict(color="#ffffff", width=1)),
        hovertemplate=f"best: {words[one.best]}<br><b>%{{y:.4g}}</b><extra>{name}</extra>", meta=dict(decoration=True),
    )  # fmt: skip


def _reference(fig: go.Figure, one: Curve, mean: float, colour: str, name: str, single: bool) -> None:
    words = escape(one.reference_label) or "reference"
    fig.add_hline(y=mean, line=dict(color=colour, width=1.5, dash="dash"))
    fig.add_scatter(
        x=[None], y=[None], mode="lines", line=dict(color=colour, width=1.5, dash="dash"), hoverinfo="skip",
        name=f"{words if single else f'{name}: {words}'} ({number(mean)})", meta=dict(decoration=True),
    )  # fmt: skip


def criteria_lines(
    values: Sequence[Any],
    criteria: Mapping[str, ArrayLike],
    error: ArrayLike | None = None,
    axis: str = "setting",
    scale: Literal["linear", "log"] = "linear",
    smaller_is_better: Mapping[str, bool] | None = None,
) -> go.Figure:
    """Cheap criteria under the axis of an error curve: does the cheap one find the same place?

    Parameters: `criteria` (v,) each, by name; `error` (v,) mean scores for the rank correlation in each
    panel's title; `smaller_is_better` by name, to mark the best with a star.
    """
    names = list(criteria)
    numeric = bool(len(values)) and all(_is_number(v) for v in values)
    words = [_word(v) for v in values]
    x = np.array([float(v) for v in values]) if numeric else np.arange(len(values), dtype=float)
    titles = []
    for name in names:
        rho = _rank_correlation(np.asarray(criteria[name], dtype=float), error)
        titles.append(escape(name) + (f" (rank correlation with the error {rho:.2f})" if math.isfinite(rho) else ""))
    rows = max(1, len(names))
    fig = make_subplots(rows, 1, shared_xaxes=True, subplot_titles=titles, vertical_spacing=min(0.2, 0.24 / rows))
    for i, name in enumerate(names):
        y = np.asarray(criteria[name], dtype=np.float64)
        colour = CLASS_COLOURS[i % len(CLASS_COLOURS)]
        size, symbol = np.full(len(y), 6), np.full(len(y), "circle", dtype=object)
        if smaller_is_better and name in smaller_is_better and np.isfinite(y).any():
            best = int(np.nanargmin(y) if smaller_is_better[name] else np.nanargmax(y))
            size[best], symbol[best] = 13, "star"
        fig.add_scatter(
            x=x, y=y.astype(np.float32), name=escape(name), mode="lines+markers", line=dict(color=colour, width=2),
            marker=dict(color=colour, size=size, symbol=symbol, opacity=1, line=dict(width=0)), hovertext=words,
            row=i + 1, col=1,
            hovertemplate="at %{hovertext}: <b>%{y:.4g}</b><extra></extra>",
        )  # fmt: skip
    if numeric and scale == "log" and len(x) and x.min() > 0:
        fig.update_xaxes(type="log", exponentformat="power")
    elif not numeric:
        fig.update_xaxes(tickmode="array", tickvals=x, ticktext=words)
    fig.update_xaxes(title_text=escape(axis), row=rows, col=1)
    fig.update_yaxes(nticks=4)
    fig.update_annotations(font_size=13)
    return finish(
        fig, height=70 + 130 * rows, legend=False,
        alt=f"{len(names)} criteria over {escape(axis)}: {', '.join(titles)}.",
        caption="Each needs one Gram matrix and no training. One whose best point lies where the error is smallest "
        "could have chosen the setting for you.",
    )  # fmt: skip


def _rank_correlation(values: Array, error: ArrayLike | None) -> float:
    if error is None:
        return math.nan
    other = np.asarray(error, dtype=np.float64)
    known = np.isfinite(values) & np.isfinite(other)
    if known.sum() < 3:
        return math.nan
    from scipy.stats import rankdata

    a, b = rankdata(values[known]), rankdata(other[known])
    a, b = a - a.mean(), b - b.mean()
    size = float(np.linalg.norm(a) * np.linalg.norm(b))
    return float(a @ b) / size if size else math.nan


def score_map(
    x_values: Sequence[Any],
    y_values: Sequence[Any],
    scores: ArrayLike,
    x_axis: str = "p",
    y_axis: str = "level",
    measure: str = "error",
    lower_is_better: bool = True,
) -> go.Figure:
    """Mean scores over two axes, e.g. (p, depth), the best cell framed.

    Parameters: `scores` (len(y_values), len(x_values)), nan where nothing has come yet.
    """
    z = np.asarray(scores, dtype=np.float32).reshape(len(y_values), len(x_values))
    xs, ys = [f"{_word(v)} " for v in x_values], [f"{_word(v)} " for v in y_values]
    places_x, places_y = list(range(len(xs))), list(range(len(ys)))
    scale = [(1 - share, colour) for share, colour in reversed(SEQUENTIAL)] if lower_is_better else SEQUENTIAL
    fig = go.Figure(
        go.Heatmap(
            z=z, x=places_x, y=places_y, colorscale=scale, xgap=1, ygap=1, name=escape(measure), hoverongaps=False,
            texttemplate="%{z:.3g}" if z.size <= 80 else None,
            colorbar=dict(orientation="h", thickness=10, len=0.6, x=0.5, xanchor="center", y=0, yref="container",
                          yanchor="bottom", outlinewidth=0, nticks=5,
                          title=dict(text=escape(measure), side="bottom", font=dict(size=12))),
            hovertemplate=f"{escape(x_axis)} %{{x}}, {escape(y_axis)} %{{y}}<br><b>%{{z:.4g}}</b><extra></extra>",
        )
    )  # fmt: skip
    told = "No results yet."
    if np.isfinite(z).any():
        place = np.nanargmin(z) if lower_is_better else np.nanargmax(z)
        i, j = np.unravel_index(int(place), z.shape)
        fig.add_shape(
            type="rect", x0=int(j) - 0.5, x1=int(j) + 0.5, y0=int(i) - 0.5, y1=int(i) + 0.5,
            line=dict(color=CLASS_COLOURS[1], width=4),
        )  # fmt: skip
        told = (
            f"Best {number(float(z[i, j]))} at {escape(x_axis)} {xs[int(j)]}and {escape(y_axis)} {ys[int(i)].strip()}."
        )
    plain = dict(showgrid=False, zeroline=False, ticks="", tickmode="array")
    fig.update_xaxes(tickvals=places_x, ticktext=xs, title_text=escape(x_axis), **plain)
    fig.update_yaxes(tickvals=places_y, ticktext=ys, title_text=escape(y_axis), **plain)
    return finish(
        fig, height=min(640, 150 + 44 * max(len(ys), 2)), bottom=90, legend=False,
        alt=f"{escape(measure)} over {escape(x_axis)} and {escape(y_axis)}. {told}",
        caption=f"Bright cells are good. A wide bright field is a choice that need not be exact. {told}",
    )  # fmt: skip


def roc_plot(y: ArrayLike, decision: ArrayLike, classes: Sequence[Any] = (), label: str = "") -> go.Figure:
    """True against false positives over all thresholds: the further up and left, the better the ranking.

    Parameters: `y` (m,) codes into `classes`, or labels; `decision` (m,) positive for the second class, or
    (m, classes), which gives one curve per class against the rest.
    """
    codes, names, columns = _one_against_rest(y, decision, classes)
    fig = go.Figure()
    areas = []
    for c, values in columns:
        positive = codes == c
        if not positive.any() or positive.all():
            continue
        false, true = _roc(positive, values)
        area = float(np.trapezoid(true, false))
        name = escape(label) if label and len(columns) == 1 else (names[c] if c < len(names) else str(c))
        areas.append(f"{name} {area:.3f}")
        fig.add_scatter(
            x=false.astype(np.float32), y=true.astype(np.float32), mode="lines", name=f"{name}, area {area:.3f}",
            line=dict(color=class_colour(c), width=2.5, dash=DASHES[(c // 4) % 4], shape="linear"),
            hovertemplate="false positives %{x:.1%}<br>true positives <b>%{y:.1%}</b><extra>" + name + "</extra>",
        )  # fmt: skip
    fig.add_scatter(
        x=[0, 1], y=[0, 1], mode="lines", line=dict(color=MUTED, dash="dash", width=1), name="chance",
        hoverinfo="skip", meta=dict(decoration=True),
    )  # fmt: skip
    fig.update_xaxes(title_text="false positive rate", range=[-0.02, 1.02], tickformat=".0%", constrain="domain")
    fig.update_yaxes(
        title_text="true positive rate", range=[-0.02, 1.02], tickformat=".0%", scaleanchor="x", constrain="domain"
    )
    return finish(
        fig, height=420, legend=True, alt=f"ROC curves; areas: {', '.join(areas) or 'none, only one class is there'}.",
        caption="The dashed line is guessing. The area is the chance that a row of the class is ranked above one "
        "that is not; a curve that climbs steeply at the left finds many at few false alarms.",
    )  # fmt: skip


def precision_recall_plot(y: ArrayLike, decision: ArrayLike, classes: Sequence[Any] = ()) -> go.Figure:
    """Precision against recall over all thresholds: what a rare class asks for, where ROC curves flatter.

    Parameters: as in `roc_plot`.
    """
    codes, names, columns = _one_against_rest(y, decision, classes)
    fig = go.Figure()
    told = []
    for c, values in columns:
        positive = codes == c
        if not positive.any():
            continue
        # From the highest score down: among the first m rows, how many are of the class.
        order = np.argsort(-values, kind="stable")
        hits = np.cumsum(positive[order])
        last_of_tie = np.append(np.diff(values[order]) != 0, True)
        precision = (hits / np.arange(1, len(hits) + 1))[last_of_tie]
        recall = (hits / hits[-1])[last_of_tie]
        mean = float(np.sum(np.diff(recall, prepend=0.0) * precision))
        name = names[c] if c < len(names) else str(c)
        told.append(f"{name} {mean:.3f}")
        fig.add_scatter(
            x=recall.astype(np.float32), y=precision.astype(np.float32), mode="lines", name=f"{name}, mean {mean:.3f}",
            line=dict(color=class_colour(c), width=2.5, dash=DASHES[(c // 4) % 4]),
            hovertemplate="recall %{x:.1%}<br>precision <b>%{y:.1%}</b><extra>" + name + "</extra>",
        )  # fmt: skip
        share = float(positive.mean())
        fig.add_scatter(
            x=[0, 1], y=[share, share], mode="lines", line=dict(color=MUTED, dash="dash", width=1), hoverinfo="skip",
            name="chance", showlegend=c == columns[0][0], meta=dict(decoration=True),
        )  # fmt: skip
    fig.update_xaxes(title_text="recall", range=[-0.02, 1.02], tickformat=".0%")
    fig.update_yaxes(title_text="precision", range=[-0.02, 1.02], tickformat=".0%")
    return finish(
        fig, height=420, legend=True, alt=f"Precision–recall curves; average precision: {', '.join(told) or 'none'}.",
        caption="The dashed line is guessing: the share of the class. A curve that stays high finds most rows of the "
        "class with few false alarms, which matters when the class is rare.",
    )  # fmt: skip


def _one_against_rest(
    y: ArrayLike, decision: ArrayLike, classes: Sequence[Any]
) -> tuple[NDArray[np.intp], tuple[str, ...], list[tuple[int, Array]]]:
    """Codes, class names, and (code, scores) for each curve: one for two classes, else one per class."""
    codes, names = read_classes(y, classes)
    scores = np.asarray(decision, dtype=np.float64)
    if codes is None:
        codes, names = np.zeros(len(scores), dtype=np.intp), ("y",)
    columns = [(1, scores)] if scores.ndim == 1 else [(c, scores[:, c]) for c in range(scores.shape[1])]
    if scores.ndim == 2 and scores.shape[1] == 2:
        columns = [(1, scores[:, 1] - scores[:, 0])]
    return codes, names, columns


def _roc(positive: NDArray[np.bool_], values: Array) -> tuple[Array, Array]:
    order = np.argsort(-values, kind="stable")
    ranked, hits = values[order], positive[order]
    # Rows of one value pass the threshold together.
    last = np.append(np.flatnonzero(np.diff(ranked)), len(ranked) - 1)
    true, false = np.cumsum(hits)[last], np.cumsum(~hits)[last]
    return np.append(0.0, false / (~positive).sum()), np.append(0.0, true / positive.sum())


def confusion_plot(y: ArrayLike, predicted: ArrayLike, classes: Sequence[Any] = ()) -> go.Figure:
    """Which class is taken for which: shares of each true class, with counts.

    Parameters: `y`, `predicted` (m,), both codes into `classes` or both labels.
    """
    true, guessed = np.asarray(y), np.asarray(predicted)
    pooled = np.concatenate([true, guessed])
    both, names = read_classes(pooled if len(classes) or pooled.dtype.kind in "biu" else pooled.astype(str), classes)
    assert both is not None
    count = max(len(names), int(both.max(initial=0)) + 1)
    counts = np.zeros((count, count), dtype=np.int64)
    np.add.at(counts, (both[: len(true)], both[len(true) :]), 1)
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    places = list(range(count))
    fig = go.Figure(
        go.Heatmap(
            z=shares.astype(np.float32), x=places, y=places, zmin=0, zmax=1, colorscale=SEQUENTIAL, showscale=False,
            xgap=2, ygap=2, text=counts.astype(np.int32), name="share of the true class",
            texttemplate="%{text}<br>%{z:.0%}" if count <= 8 else ("%{text}" if count <= 12 else None),
            hovertemplate="true %{y}, predicted %{x}<br><b>%{text}</b> rows, %{z:.1%}<extra></extra>",
        )
    )  # fmt: skip
    ticks = dict(tickmode="array", tickvals=places, ticktext=list(names), showgrid=False, zeroline=False, ticks="")
    fig.update_xaxes(**ticks, constrain="domain", title_text="predicted class")
    fig.update_yaxes(**ticks, constrain="domain", autorange="reversed", scaleanchor="x", title_text="true class")
    right = int(np.trace(counts))
    return finish(
        fig, height=400, legend=False,
        alt=f"Confusion of {count} classes: {right} of {int(counts.sum())} rows on the diagonal.",
        caption="Each row of the picture is a true class and adds up to 100 %. Off the diagonal stand the mistakes: "
        "look for a pair of classes that is confused one way only.",
    )  # fmt: skip
