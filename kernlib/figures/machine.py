"""Figures of a trained machine: decision function, margins, weights of rows and of features."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from ..explain.trained import Across, Field, Residuals, ToyTable, Trained, Weights
from ..values.arrays import Array, RowNumbers
from ..values.words import percent
from .theme import (
    BLUE,
    DIVERGING,
    GREEN,
    MUTED,
    ORANGE,
    class_colour,
    class_names,
    class_symbol,
    colour_bar,
    escape,
    finish,
    row_labels,
)


def _of_class(trained: Trained) -> list[tuple[int, str, RowNumbers]]:
    """Return (code, name, positions) of the two classes, the negative class first."""
    return [
        (code, name, np.flatnonzero(trained.sign == sign))
        for code, name, sign in zip(trained.codes, class_names(trained.classes), (-1.0, 1.0), strict=True)
    ]


def decision_field_plot(
    field: Field,
    trained: Trained,
    X: ArrayLike,
    ids: Sequence[Any] | None = None,
    columns: Sequence[Any] = (),
) -> go.Figure:
    """Draw f over one or two columns: border, margins, support vectors, and machines trained on random halves.

    Parameters: `X` (n, 1) or (n, 2), all rows of the data. Each point's `customdata[0]` is its row number.
    """
    rows = np.asarray(X, dtype=np.float64)
    names = [escape(c) for c in columns] or [f"x<sub>{j + 1}</sub>" for j in range(rows.shape[1])]
    flat = rows.shape[1] == 1
    fig = go.Figure()
    if flat:
        _line(fig, field)
        for level in (-1.0, 0.0, 1.0):
            fig.add_hline(y=level, line=dict(color=MUTED, width=1, dash="dash" if level else "solid"))
    else:
        _plane(fig, field)
    chosen = rows[trained.rows]
    # Rings are grey on the page itself, dark over the pale field.
    height, ink = (trained.decision, MUTED) if flat else (chosen[:, 1], "#222222")
    _points(fig, trained, chosen[:, 0], height, row_labels(ids, len(rows)), ink)
    fig.update_xaxes(title_text=names[0], range=[field.x[0], field.x[-1]])
    fig.update_yaxes(title_text="f(x)" if flat else names[1], range=None if flat else [field.y[0], field.y[-1]])
    thin = "Thin lines are machines trained on random halves: where they spread, the border is uncertain."
    return finish(
        fig,
        height=540,
        alt=f"Decision function over {' and '.join(names)}: {_support(trained)}.",
        caption=" ".join([*_rings(trained), *([thin] if len(field.draws) else [])]),
    )


def across_plot(trained: Trained, across: Across, ids: Sequence[Any] | None = None) -> go.Figure:
    """Draw the rows by f(x) and their score on another direction: the border, the margins and both classes.

    `ids` of all rows of the data. Rows far beyond the others are drawn at the edge. Each point's `customdata[0]` is
    its row number.
    """
    count = int(max(map(int, trained.rows), default=0)) + 1
    fig = go.Figure()
    x, left, right = _within(trained.decision, -1.3, 1.3)
    y, low, high = _within(across.scores)
    for start, end, code in ((left, 0.0, trained.codes[0]), (0.0, right, trained.codes[1])):
        fig.add_vrect(x0=start, x1=end, fillcolor=class_colour(code), opacity=0.1, line_width=0, layer="below")
    for level in (-1.0, 0.0, 1.0):
        line = dict(color=MUTED, width=1.5 if level else 2.8, dash="dash" if level else "solid")
        fig.add_vline(x=level, line=line, layer="below")
    _points(fig, trained, x, y, row_labels(ids, count if ids is None else len(ids)), MUTED)
    _key(fig, "border f = 0", line=dict(color=MUTED, width=2.8))
    _key(fig, "margin f = ±1", line=dict(color=MUTED, width=1.5, dash="dash"))
    fig.update_xaxes(title_text="f(x), the machine's decision", range=[left, right], zeroline=False)
    title = f"direction {across.number}, {percent(across.share)} of the variance"
    fig.update_yaxes(title_text=title, range=[low, high], zeroline=False)
    beyond = int(((x != trained.decision) | (y != across.scores)).sum())
    edge = f"{beyond} {'row lies' if beyond == 1 else 'rows lie'} further out, drawn at the edge."
    return finish(
        fig,
        height=540,
        alt=f"Decision of {len(trained.rows)} rows against direction {across.number}: {_support(trained)}.",
        caption=" ".join([*_rings(trained), *([edge] if beyond else [])])
        or "Rows in the pale ground of the other class are misclassified although they trained the machine.",
    )


def _within(values: Array, low: float = math.inf, high: float = -math.inf) -> tuple[Array, float, float]:
    """Return values moved into a range that holds nearly all of them, and the range with a margin."""
    first, last = np.quantile(values, [0.03, 0.97]).tolist()
    room = 0.25 * (last - first) or 1.0
    low = min(low, max(first - room, float(values.min())))
    high = max(high, min(last + room, float(values.max())))
    margin = 0.04 * (high - low) or 1.0
    return np.clip(values, low, high), low - margin, high + margin


def _points(fig: go.Figure, trained: Trained, x: Array, y: Array, labels: Any, ink: str) -> None:
    """Add the rows by class, and rings around the support vectors."""
    for code, name, at in _of_class(trained):
        fig.add_scatter(
            x=x[at],
            y=y[at],
            mode="markers",
            name=name,
            customdata=trained.rows[at][:, None],
            hovertext=labels[trained.rows[at]],
            marker=dict(
                color=class_colour(code), symbol=class_symbol(code), size=7, line=dict(color="#fff", width=0.6)
            ),
            hovertemplate="%{hovertext}<br>%{x:.4g}, %{y:.4g}<extra>" + name + "</extra>",
        )
    at = trained.support
    if not len(at):
        return
    fig.add_scatter(
        x=x[at],
        y=y[at],
        mode="markers",
        name="support vectors",
        customdata=trained.rows[at][:, None],
        marker=dict(symbol="circle-open", size=12, color=ink, line=dict(width=1.2)),
        showlegend=False,
        hovertext=[f"α = {a:.4g}" for a in trained.alpha[at]],
        hovertemplate="%{hovertext}<extra></extra>",
    )
    _key(fig, "support vectors", marker=dict(symbol="circle-open", size=11, color=MUTED))


def _support(trained: Trained) -> str:
    count, n = len(trained.support), len(trained.rows)
    return f"{count} of {n} rows are support vectors" if count else f"{n} rows"


def _rings(trained: Trained) -> list[str]:
    return ["Rings mark support vectors, the rows that define the border."] if len(trained.support) else []


def fit_plot(field: Field, X: ArrayLike, y: ArrayLike, ids: Sequence[Any] | None, names: Sequence[Any]) -> go.Figure:
    """Draw the predictions of real targets over one column, with the rows.

    Parameters: `X` (n, 1) and `y` (n,), all rows; `names` of the column and of the target.
    """
    rows, targets = np.asarray(X, dtype=np.float64), np.asarray(y, dtype=np.float64)
    fig = go.Figure()
    _rows_of_targets(fig, rows[:, 0], targets, np.arange(len(rows)), ids)
    _line(fig, field)
    fig.update_xaxes(title_text=escape(names[0]))
    room = 0.15 * float(np.ptp(targets)) or 1.0  # a line that runs away beyond the rows would flatten all of them
    fig.update_yaxes(title_text=escape(names[1]), range=[float(targets.min()) - room, float(targets.max()) + room])
    caption = "Points are rows, the line is what the machine predicts."
    if len(field.draws):
        caption += " Thin lines are machines trained on random halves: where they spread, predictions are uncertain."
    return finish(fig, height=540, alt=f"Predictions over {escape(names[0])} and {len(rows)} rows.", caption=caption)


def predicted_plot(residuals: Residuals, ids: Sequence[Any] | None, name: Any) -> go.Figure:
    """Draw the targets over their predictions, made while the rows were test rows; `name` of the target."""
    targets = residuals.predicted + residuals.residual
    fig = go.Figure()
    ends = [float(targets.min()), float(targets.max())]
    fig.add_scatter(
        x=ends, y=ends, mode="lines", name="prediction = target", line=dict(color=MUTED, width=1.5, dash="dash"),
        hoverinfo="skip", meta=dict(decoration=True),
    )  # fmt: skip
    _rows_of_targets(fig, residuals.predicted, targets, residuals.row, ids)
    fig.update_xaxes(title_text=f"predicted {escape(name)}")
    fig.update_yaxes(title_text=escape(name))
    return finish(
        fig,
        height=540,
        alt=f"Targets of {len(targets)} rows over their predictions as test rows.",
        caption="Each row is predicted while it is a test row, on average over the splits. Rows far from the dashed "
        "line are predicted badly.",
    )


def _rows_of_targets(fig: go.Figure, x: Array, y: Array, rows: RowNumbers, ids: Sequence[Any] | None) -> None:
    labels = row_labels(ids, int(rows.max()) + 1 if ids is None else len(ids))
    fig.add_scatter(
        x=x,
        y=y,
        mode="markers",
        name="rows",
        customdata=rows[:, None],
        hovertext=labels[rows],
        marker=dict(color=BLUE, size=7, line=dict(color="#fff", width=0.6)),
        hovertemplate="%{hovertext}<br>%{x:.4g}, %{y:.4g}<extra></extra>",
    )


def _key(fig: go.Figure, name: str, **style: Any) -> None:
    """Add a legend entry in grey, which is readable on white and on black."""
    mode = "lines" if "line" in style else "markers"
    fig.add_scatter(x=[None], y=[None], mode=mode, name=name, meta=dict(decoration=True), **style)


def _line(fig: go.Figure, field: Field) -> None:
    for m, draw in enumerate(field.draws):
        fig.add_scatter(
            x=field.x, y=draw[0], mode="lines", line=dict(color=MUTED, width=1), opacity=0.45, hoverinfo="skip",
            name="trained on halves", legendgroup="halves", showlegend=m == 0,
        )  # fmt: skip
    fig.add_scatter(x=field.x, y=field.values[0], mode="lines", line=dict(color=ORANGE, width=3), name="f(x)")


def _plane(fig: go.Figure, field: Field) -> None:
    # Pale on both backgrounds, so that points and black lines stand out.
    reach = 1.9 * float(np.quantile(np.abs(field.values), 0.98)) or 1.0
    fig.add_heatmap(
        x=field.x, y=field.y, z=field.values.astype(np.float32), zmid=0.0, zmin=-reach, zmax=reach,
        colorscale=DIVERGING, zsmooth="best", name="f", hoverinfo="skip",
        colorbar=colour_bar("f(x)"),
    )  # fmt: skip
    for draw in field.draws:
        _contour(fig, field, draw, 0.0, dict(color="#555555", width=0.8), 0.5)
    for level, dash in ((-1.0, "dash"), (1.0, "dash"), (0.0, "solid")):
        line = dict(color="#222222", width=2.8 if level == 0.0 else 1.5, dash=dash)
        _contour(fig, field, field.values, level, line, 1.0)
    _key(fig, "border f = 0", line=dict(color=MUTED, width=2.8))
    _key(fig, "margin f = ±1", line=dict(color=MUTED, width=1.5, dash="dash"))
    if len(field.draws):
        _key(fig, "trained on halves", line=dict(color=MUTED, width=0.8))


def _contour(fig: go.Figure, field: Field, z: Array, level: float, line: dict[str, Any], opacity: float) -> None:
    low, high = float(z.min()), float(z.max())
    if not low < level < high:
        return  # Plotly would draw a border although there is none
    fig.add_contour(
        x=field.x, y=field.y, z=z.astype(np.float32), showscale=False, opacity=opacity, hoverinfo="skip", line=line,
        contours=dict(type="constraint", operation="=", value=level, showlines=True), showlegend=False,
        meta=dict(decoration=True),
    )  # fmt: skip


def margin_histogram(trained: Trained, bins: int = 40) -> go.Figure:
    """Draw a histogram of y·f(x) of the training rows, by class: look for rows below 0 and for a peak at exactly 1."""
    margin = trained.margin
    low, high = min(0.0, float(margin.min())), max(1.0, float(margin.max()))
    # A bin is centred at 1: rows with a margin of exactly 1 are drawn on the line, not beside it.
    width = 1.0 / max(1, round(bins / (high - low)))
    first = 1.0 - width * (np.ceil((1.0 - low) / width) + 0.5)
    fig = go.Figure()
    for code, name, at in _of_class(trained):
        fig.add_histogram(
            x=margin[at].astype(np.float32), name=name,
            marker=dict(color=class_colour(code), line_width=0),
            xbins=dict(start=first, end=high + width, size=width), hovertemplate="%{x}: <b>%{y}</b> rows",
        )  # fmt: skip
    fig.update_layout(barmode="stack", bargap=0.03)
    for where, text, side in ((0.0, "← wrong side ", "top left"), (1.0, " beyond the margin →", "top right")):
        fig.add_vline(
            x=where, line=dict(color=MUTED, width=2, dash="dash"), annotation=dict(text=text, font_size=12),
            annotation_position=side, annotation_yanchor="bottom",
        )  # fmt: skip
    fig.update_xaxes(title_text="margin of the row, y·f(x)")
    fig.update_yaxes(title_text="rows")
    inside, wrong = int((margin < 1.0 - 1e-3).sum()), int((margin < 0.0).sum())
    return finish(
        fig, height=480, alt=f"Margins of {len(margin)} rows: {inside} lie below 1, {wrong} of them on the wrong side.",
        caption=f"Training rows. Their label ±1 times f(x) is above 1 outside the margin, below 0 on the wrong side. "
        f"{inside} of {len(margin)} rows lie below 1, {wrong} of them below 0. If all rows lie at exactly 1, every row "
        "is a support vector. Training rows then show nothing about new rows.",
    )  # fmt: skip


def weight_bars(weights: Weights, classes: Sequence[Any], codes: tuple[int, int] = (0, 1), most: int = 20) -> go.Figure:
    """Draw the largest entries of w with their features' names: evidence for each class."""
    chosen = weights.largest(most)
    chosen = chosen[weights.values[chosen] != 0.0]
    values = weights.values[chosen]
    names = [escape(weights.names[m], 34) for m in chosen]
    fig = go.Figure()
    named = class_names(classes)
    for sign, code, name in ((1.0, codes[1], named[1]), (-1.0, codes[0], named[0])):
        mine = np.flatnonzero(np.sign(values) == sign)
        fig.add_bar(
            x=values[mine], y=mine, orientation="h", name=f"for {name}", hovertext=[names[m] for m in mine],
            marker=dict(color=class_colour(code), line_width=0), customdata=weights.counts[chosen[mine]][:, None],
            hovertemplate="%{hovertext}: <b>%{x:.4g}</b><br>in %{customdata[0]} rows<extra></extra>",
        )  # fmt: skip
    fig.update_yaxes(tickvals=list(range(len(names))), ticktext=names, autorange="reversed", showgrid=False)
    fig.update_xaxes(title_text="w")
    first = names[0] if names else "none"
    return finish(
        fig, height=120 + 21 * max(len(names), 4),
        alt=f"The {len(names)} largest of {len(weights.names)} weights; the largest is that of {first}.",
        caption=f"The {len(names)} features with the largest weight, of {len(weights.names)}. Features of a single row "
        f"hold {100 * weights.alone:.0f}% of the squared length of w. Near 100%, new rows have little of w in them.",
    )  # fmt: skip


def toy_weights(table: ToyTable) -> go.Figure:
    """Draw the toy example's weights by column: as printed, as computed here, and of the good solution."""
    fig = go.Figure()
    columns = [str(j) for j in range(1, 11)]
    for values, name, colour in (
        (table.printed, "as printed", BLUE),
        (table.ours, "this machine", ORANGE),
        (table.good, "the good solution", GREEN),
    ):
        fig.add_bar(x=columns, y=values, name=name, marker=dict(color=colour, line_width=0),
                    hovertemplate="column %{x}: %{y:.3f}")  # fmt: skip
    fig.update_layout(barmode="group", bargap=0.25)
    fig.update_xaxes(title_text="column", type="category")
    fig.update_yaxes(title_text="w", range=[-0.3, 0.3])
    return finish(
        fig, height=380, alt="Weights of three solutions of the 6 × 10 example over its ten columns.",
        caption="The machine spreads its weight over columns that are non-zero in one row each: it memorises. The good "
        "solution has 2 in column 1 (cut off here) and 0 elsewhere. The source prints its last weight under column "
        "10. The last row's 9 is in column 9, and so is this machine's weight.",
    )  # fmt: skip
