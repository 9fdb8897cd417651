"""Figures of a trained machine: decision function and predictions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from ..analysis.groups import STABLE, Groups
from ..analysis.spectrum import KernelPCA
from ..explain.explanation import Part
from ..explain.trained import Across, Field, Trained
from ..values.arrays import Array, RowNumbers
from ..values.words import number, percent
from .data import feature_map, named_bars
from .frames import figure_frame, figure_frames, matrix_frames, moving
from .gram import gram_heatmap
from .marks import GUIDE, across, equal_line, heat, line, points, up, whiskers
from .theme import (
    BLUE,
    DIVERGING,
    MUTED,
    ORANGE,
    SEQUENTIAL,
    axis,
    captioned,
    class_colour,
    class_names,
    class_symbol,
    colour_bar,
    composed,
    escape,
    row_labels,
)

if TYPE_CHECKING:
    import pandas as pd

#: Lines of the border and the margins: grey, which is readable on white and on black.
_BORDER, _MARGIN = (MUTED, 2.8, "solid"), (MUTED, 1.5, "dash")
_LINES = "The solid line is the border f = 0, dashed lines are the margins f = ±1."


def _of_class(trained: Trained) -> list[tuple[int, str, RowNumbers]]:
    """Return (code, name, positions) of the two classes, the negative class first."""
    return [
        (code, name, np.flatnonzero(trained.sign == sign))
        for code, name, sign in zip(trained.codes, class_names(trained.classes), (-1.0, 1.0), strict=True)
    ]


def border_title(trained: Trained, picture: Field | Across) -> str:
    """Return the title of `border_plot`: over the rows' own columns, or across feature space."""
    first, second = trained.classes
    if isinstance(picture, Field):
        return f"Training rows and the border between {first} and {second}"
    if picture.held_out is None:
        return f"Training rows: {first} left of the border, {second} right"
    return "Each row, decided by a machine that has not seen it"


def border_plot(
    trained: Trained, picture: Field | Across, X: ArrayLike, ids: Sequence[Any], columns: Sequence[Any] = ()
) -> go.Figure:
    """Draw the border of a machine: over the rows' own one or two columns, or across feature space."""
    if isinstance(picture, Across):
        return across_plot(trained, picture, ids)
    return decision_field_plot(picture, trained, X, ids, columns)


def border_frames(figure: str, stops: Sequence[tuple[Trained, Field | Across] | None], X: Any) -> dict[str, Any]:
    """Return the frames of `border_plot` for the browser, None where one is not known, or over one column.

    Parameters: `figure` the key of the figure below; `stops` the machine and its picture at each; `X` all rows.
    """
    across = any(stop is not None and isinstance(stop[1], Across) for stop in stops)
    # Over one column the line's axis fits each value anew.
    known: list[Any] = [stop if across or np.shape(X)[1:] != (1,) else None for stop in stops]
    plots = [None if stop is None else border_plot(stop[0], stop[1], X, range(len(X))) for stop in known]
    if across:
        return figure_frames(figure, plots, own_axes=True)
    upside_down = [None if stop is None else stop[1].values[::-1] for stop in known]
    ends = [None if stop is None else (-_reach(stop[1]), _reach(stop[1])) for stop in known]
    drawn = matrix_frames(figure, upside_down, ends, None)
    for frame, plot in zip(drawn["frames"], plots, strict=True):
        if plot is not None:
            frame |= {"title": "f(x)", **figure_frame(plot)}
    return drawn | {"inset": 0.5}


def decision_field_plot(
    field: Field,
    trained: Trained,
    X: ArrayLike,
    ids: Sequence[Any] | None = None,
    columns: Sequence[Any] = (),
) -> go.Figure:
    """Draw f over one or two columns: border, margins and support vectors.

    Parameters: `X` (n, 1) or (n, 2), all rows of the data. Each point's `customdata[0]` is its row number.
    """
    rows = np.asarray(X, dtype=np.float64)
    names = [escape(c) for c in columns] or [f"x<sub>{j + 1}</sub>" for j in range(rows.shape[1])]
    flat = rows.shape[1] == 1
    chosen = rows[trained.rows]
    # Rings are grey on the page itself, dark over the pale field.
    height, ink = (trained.decision, MUTED) if flat else (chosen[:, 1], "#222222")
    levels = [line for level in (-1.0, 0.0, 1.0) for line in across(level, dash="dash" if level else "solid")]
    up_axis = axis("f(x)") if flat else axis(names[1], range=[field.y[0], field.y[-1]])
    return composed(
        [
            *([line(field.x, field.values[0], "f(x)", ORANGE, 3)] if flat else _plane(field)),
            *_points(trained, chosen[:, 0], height, row_labels(ids, len(rows)), ink, trained.support),
        ],
        axis(names[0], range=[field.x[0], field.x[-1]]),
        up_axis,
        over=levels if flat else (),
        alt=f"Decision function over {' and '.join(names)}: {_support(trained)}.",
        caption=f"{_LINES} Rings mark support vectors, the rows that define the border.",
    )


def _reach(field: Field) -> float:
    """Return the end of the colours of f, pale on both grounds, so that points and black lines stand out."""
    return 1.9 * float(np.quantile(np.abs(field.values), 0.98)) or 1.0


def across_plot(trained: Trained, other: Across, ids: Sequence[Any]) -> go.Figure:
    """Draw the rows by f(x) and their score on another direction: the border, the margins and both classes.

    Where they are known, f is that of machines trained without the row, and rows on the wrong side are ringed; else the
    support vectors are. `ids` of all rows of the data. Rows far beyond the others are drawn at the edge. Each point's
    `customdata[0]` is its row number.
    """
    f, ringed = decided(trained, other)
    x, left, right = _within(f, -1.3, 1.3)
    y, low, high = _within(other.scores)
    ground = dict(type="rect", opacity=0.1, line=dict(width=0), yref="y domain", y0=0, y1=1)
    sides = ((left, 0.0, trained.codes[0]), (0.0, right, trained.codes[1]))
    grounds = [ground | dict(x0=start, x1=end, fillcolor=class_colour(code)) for start, end, code in sides]
    levels = [line for level in (-1.0, 0.0, 1.0) for line in up(level, "", *(_MARGIN if level else _BORDER))]
    return composed(
        _points(trained, x, y, row_labels(ids, len(ids)), MUTED, ringed),
        axis(_decision(trained), range=[left, right], zeroline=False),
        axis(_beside(other), range=[low, high], zeroline=False),
        over=[one | dict(layer="below") for one in grounds + levels],
        alt=f"Decision of {len(trained.rows)} rows against direction {other.number}: "
        + (_support(trained) if other.held_out is None else f"{len(ringed)} on the wrong side")
        + ".",
        caption=f"{_LINES} Rings mark {'support vectors' if other.held_out is None else 'rows on the wrong side'}. "
        "Rows far beyond the others stand at the edge.",
    )


def decided(trained: Trained, picture: Field | Across) -> tuple[Array, RowNumbers]:
    """Return f of the rows as a picture of the border shows it, and the places of the rows that it rings.

    Held-out f with the rows on the wrong side where it is known, else f of the machine with its support vectors.
    """
    if isinstance(picture, Field) or picture.held_out is None:
        return trained.decision, trained.support
    return picture.held_out, np.flatnonzero(trained.sign * picture.held_out < 0)


def _decision(trained: Trained) -> str:
    """Return the title of f, with the classes of its two sides."""
    first, second = (escape(name, 20) for name in trained.classes)
    return f"← {first}   f(x), the machine's decision   {second} →"


def _beside(other: Across) -> str:
    return f"direction {other.number} ({percent(other.share)}), to spread the rows"


def _within(values: Array, low: float = math.inf, high: float = -math.inf) -> tuple[Array, float, float]:
    """Return values moved into a range that holds nearly all of them, and the range with a margin."""
    first, last = np.nanquantile(values, [0.03, 0.97]).tolist()
    room = 0.25 * (last - first) or 1.0
    low = min(low, max(first - room, float(np.nanmin(values))))
    high = max(high, min(last + room, float(np.nanmax(values))))
    margin = 0.04 * (high - low) or 1.0
    return np.clip(values, low, high), low - margin, high + margin


def _points(trained: Trained, x: Array, y: Array, labels: Any, ink: str, at: RowNumbers) -> list[dict[str, Any]]:
    """Return the rows by class, and rings around some: support vectors, or rows on the wrong side."""
    traces = []
    for code, name, own in _of_class(trained):
        rows = trained.rows[own]
        tip = "%{hovertext}<br>%{x:.4g}, %{y:.4g}<extra>" + name + "</extra>"
        more = dict(customdata=rows[:, None], hovertext=labels[rows], marker=dict(line=_EDGE))
        traces.append(points(x[own], y[own], name, class_colour(code), 7, class_symbol(code), tip=tip, **more))
    ringed = "support vectors" if np.array_equal(at, trained.support) else "on the wrong side"
    style = dict(tip="", showlegend=False, marker=dict(line=dict(width=1.2)))
    return [*traces, points(x[at], y[at], ringed, ink, 12, "circle-open", **style)]


#: The edge of a row's point.
_EDGE = dict(color="#fff", width=0.6)


def _support(trained: Trained) -> str:
    return f"{len(trained.support)} of {len(trained.rows)} rows are support vectors"


def fit_figure(
    fields: Sequence[Field | None], X: ArrayLike, y: ArrayLike, ids: Sequence[Any], names: Sequence[Any]
) -> list[go.Figure]:
    """Draw the predictions of real targets over one column, with the rows, for each stop of a slider.

    Parameters: `fields` of the stops, None where one is not known; `X` (n, 1) and `y` (n,), all rows; `names` of the
    column and of the target.
    """
    rows, targets = np.asarray(X, dtype=np.float64)[:, 0], np.asarray(y, dtype=np.float64)
    column, target = map(escape, names)
    drawn = _rows_of_targets(rows, targets, np.arange(len(rows)), ids)
    # A line that runs away beyond the rows would flatten all of them.
    room = 0.15 * float(np.ptp(targets)) or 1.0
    along = next(([float(f.x[0]), float(f.x[-1])] for f in fields if f is not None), [0.0, 1.0])
    return moving(
        [None if f is None else [drawn, line(f.x, f.values[0], "f(x)", ORANGE, 3)] for f in fields],
        axis(column, range=along),
        axis(target, range=[float(targets.min()) - room, float(targets.max()) + room]),
        alt=f"Predictions over {column} and {len(rows)} rows.",
        caption="Points are rows, the line is what the machine predicts.",
    )


def predicted_plot(residuals: pd.DataFrame, ids: Sequence[Any], name: Any) -> go.Figure:
    """Draw the targets over their predictions, made while the rows were test rows; `name` of the target."""
    predicted, rows = residuals.predicted.to_numpy(), residuals.index.to_numpy()
    targets = predicted + residuals.residual.to_numpy()
    ends = [float(targets.min()), float(targets.max())]
    return composed(
        [
            equal_line(ends, "prediction = target"),
            _rows_of_targets(predicted, targets, rows, ids),
        ],
        f"predicted {escape(name)}",
        escape(name),
        alt=f"Targets of {len(targets)} rows over their predictions as test rows.",
        caption="Each row is predicted while it is a test row, on average over the splits. Rows far from the dashed "
        "line are predicted badly.",
    )


def _rows_of_targets(x: Array, y: Array, rows: RowNumbers, ids: Sequence[Any]) -> dict[str, Any]:
    labels = row_labels(ids, len(ids))
    more = dict(customdata=rows[:, None], hovertext=labels[rows], marker=dict(line=_EDGE))
    return points(x, y, "rows", BLUE, 7, tip="%{hovertext}<br>%{x:.4g}, %{y:.4g}", **more)


def _plane(field: Field) -> list[dict[str, Any]]:
    """Return f as colours, its border and margins as lines."""
    reach, z = _reach(field), field.values
    ends = dict(zmid=0.0, zmin=-reach, zmax=reach, zsmooth="best", colorbar=colour_bar("f(x)"))
    traces = [heat(z, "f", DIVERGING, x=field.x, y=field.y, tip="", **ends)]
    for level in (-1.0, 1.0, 0.0):
        if float(z.min()) < level < float(z.max()):  # else Plotly would draw a border although there is none
            _, width, dash = _MARGIN if level else _BORDER
            where = dict(type="constraint", operation="=", value=level, showlines=True)
            style: dict[str, Any] = dict(contours=where, line=dict(color="#222222", width=width, dash=dash))
            style |= dict(showscale=False, showlegend=False)
            traces.append(dict(type="contour", x=field.x, y=field.y, z=z, **style, **GUIDE))
    return traces


# -- rows without labels ---------------------------------------------------------------------


def grouped_gram(K: ArrayLike, codes: ArrayLike, ids: Sequence[Any] | None = None) -> go.Figure:
    """Draw a Gram matrix with its rows in the order of their groups, (n,) codes."""
    group = np.asarray(codes)
    fig = gram_heatmap(K, np.argsort(group, kind="stable"), group, _names(group), ids)
    sizes = ", ".join(map(str, np.bincount(group)))
    return captioned(
        fig,
        "Rows in the order of their groups. Groups are made from this matrix: bright blocks alone do not show that "
        "they are stable.",
        f"Gram matrix of {len(group)} rows in groups of {sizes} rows.",
    )


def grouped_plane(scores: KernelPCA, codes: ArrayLike, ids: Sequence[Any] | None = None) -> go.Figure:
    """Draw rows along two kernel PCA directions in the colours of their groups, (n,) codes."""
    group = np.asarray(codes)
    return captioned(
        feature_map(scores, group, _names(group), ids),
        "Each point is a row. Groups that lie apart here are apart in feature space. Others may differ in further "
        "directions.",
        f"{len(group)} rows along two kernel PCA directions, in {group.max() + 1} groups.",
    )


def _names(group: RowNumbers) -> list[str]:
    return [f"group {i + 1}" for i in range(int(group.max()) + 1)]


def stability_plot(groups: Groups) -> go.Figure:
    """Draw silhouette and stability over the number of groups."""
    low, high = (groups.stability + sign * groups.agreement.std(axis=0) for sign in (-1, 1))
    ends, tip = whiskers(groups.stability, low, high, BLUE), "%{x} groups: %{fullData.name} <b>%{y:.2f}</b>"
    traces = [
        line(groups.counts, groups.stability, "stability", BLUE, dots=6, error_y=ends, tip=tip),
        line(groups.counts, groups.silhouette, "silhouette", ORANGE, dots=6, tip=tip),
    ]
    best = groups.at(groups.proposed)
    return composed(
        traces,
        axis("number of groups", dtick=1),
        axis("stability, silhouette"),
        over=across(STABLE, "stable above", width=2, dash="dash"),
        alt=f"The silhouette is largest for {groups.proposed} groups, {number(float(groups.silhouette[best]), 2)}; the "
        f"stability there is {number(float(groups.stability[best]), 2)}.",
        caption="Stability: how alike groups of two random subsamples are on shared rows. 1 is equal, 0 is chance; "
        "bars are one standard deviation. Silhouette: how much nearer rows are to their own group than to the next.",
    )


# -- the parts of a value --------------------------------------------------------------------

#: Characters of a part's words beside its bar; hovering shows more.
_SHORT, _LONG = 44, 96


def parts_bars(parts: Sequence[Part], value: float, what: str, most: int, caption: str) -> go.Figure:
    """Draw the largest parts of a value; what the others are together is in the caption.

    Parameters: `parts` (text, value) summing to `value`, which is `what`.
    """
    order = sorted(parts, key=lambda part: -abs(part.value))
    shown, rest = order[:most], order[most:]
    others = number(math.fsum(p.value for p in rest), 4)
    return named_bars(
        np.array([p.value for p in shown], dtype=np.float64),
        [escape(p.text, _SHORT) for p in shown],
        [escape(p.text, _LONG) for p in shown],
        (("adds", BLUE), ("subtracts", ORANGE)),
        f"part of {what}",
        alt=f"{len(parts)} parts that sum to {number(value, 4)}.",
        caption=f"{caption} The {len(rest)} other parts together: {others}." if rest else caption,
    )


def pixel_parts(values: Any, shape: tuple[int, int], what: str) -> go.Figure:
    """Draw one number per pixel as an image: where two images agree or differ."""
    z = np.reshape(values, shape)
    signed, reach = bool((z < 0).any()), float(np.abs(z).max()) or 1.0
    style = dict(
        zmin=-reach if signed else 0.0, zmax=reach, colorbar=colour_bar(), tip="row %{y}, column %{x}: %{z:.3g}"
    )
    return composed(
        [heat(z, "pixels", DIVERGING if signed else SEQUENTIAL, **style)],
        dict(visible=False, constrain="domain"),
        dict(visible=False, autorange="reversed", scaleanchor="x"),
        height=300,
        alt=f"{what}, {shape[0]} by {shape[1]} pixels.",
        caption=f"{what}, pixel by pixel: bright pixels contribute most.",
    )
