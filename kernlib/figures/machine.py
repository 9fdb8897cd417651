"""Figures of a trained machine: decision function, margins, weights of rows and of features."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike
from plotly.subplots import make_subplots

from ..explain.toy import ToyTable
from ..explain.trained import Field, OftenWrong, Trained, Weights, alpha_trend
from ..statistics import rank_correlation
from ..values.arrays import Array, RowNumbers
from ..values.words import number
from .axes import log_axis
from .gram import value_limits
from .theme import (
    BLUE,
    DIVERGING,
    GREEN,
    MUTED,
    ORANGE,
    SEQUENTIAL,
    class_colour,
    class_names,
    class_symbol,
    colour_bar,
    escape,
    finish,
    row_labels,
)

#: A Gram matrix of more rows is not drawn under the bars.
_HEATMAP_ROWS = 400


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
    labels = row_labels(ids, len(rows))
    names = [escape(c) for c in columns] or [f"x<sub>{j + 1}</sub>" for j in range(rows.shape[1])]
    flat = rows.shape[1] == 1
    fig = go.Figure()
    if flat:
        _line(fig, field)
    else:
        _plane(fig, field)
    chosen = rows[trained.rows]
    height = trained.decision if flat else chosen[:, 1]
    for code, name, at in _of_class(trained):
        fig.add_scatter(
            x=chosen[at, 0], y=height[at], mode="markers", name=name, customdata=trained.rows[at][:, None],
            hovertext=labels[trained.rows[at]],
            marker=dict(color=class_colour(code), symbol=class_symbol(code), size=7,
                        line=dict(color="#fff", width=0.6)),
            hovertemplate="%{hovertext}<br>%{x:.4g}, %{y:.4g}<extra>" + name + "</extra>",
        )  # fmt: skip
    top = float(trained.alpha.max(initial=0.0)) or 1.0
    ink = MUTED if flat else "#222222"  # grey on the page itself, dark over the pale field
    size = np.where(trained.bounded, 12.0, 10.0 + 12.0 * np.sqrt(trained.alpha / top))
    for bounded, name, symbol in ((False, "support vectors", "circle-open"), (True, "α at its bound C", "square-open")):
        at = np.flatnonzero((trained.alpha > 0) & (trained.bounded == bounded))
        if len(at):
            fig.add_scatter(
                x=chosen[at, 0], y=height[at], mode="markers", name=name, customdata=trained.rows[at][:, None],
                marker=dict(symbol=symbol, size=size[at], color=ink, line=dict(width=1.4)), showlegend=False,
                hovertext=[f"α = {a:.4g}" for a in trained.alpha[at]], hovertemplate="%{hovertext}<extra></extra>",
            )  # fmt: skip
            _key(fig, name, marker=dict(symbol=symbol, size=11, color=MUTED))
    fig.update_xaxes(title_text=names[0], range=[field.x[0], field.x[-1]])
    fig.update_yaxes(title_text="f(x)" if flat else names[1], range=None if flat else [field.y[0], field.y[-1]])
    support = len(trained.support)
    return finish(
        fig, height=540,
        alt=f"Decision function over {' and '.join(names)}: {support} of {len(trained.rows)} rows are support vectors, "
        f"{int(trained.bounded.sum())} of them at the bound.",
        caption="Rings mark support vectors, squares those with α at the bound C."
        + (" Thin lines are machines trained on random halves: where they spread, the border is uncertain."
           if len(field.draws) else ""),
    )  # fmt: skip


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
    fig.add_scatter(x=field.x, y=field.values[0], mode="lines", line=dict(color="#444", width=3), name="f(x)")
    for level in (-1.0, 0.0, 1.0):
        fig.add_hline(y=level, line=dict(color=MUTED, width=1, dash="dash" if level else "solid"))


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


def alpha_plot(trained: Trained, ids: Sequence[Any] | None = None) -> go.Figure:
    """Draw α in descending order: how many rows define the border."""
    support = trained.support
    labels = row_labels(ids, int(trained.rows.max()) + 1)
    fig = go.Figure()
    place = np.empty(len(trained.alpha), dtype=np.intp)
    place[support] = np.arange(1, len(support) + 1)
    for code, name, at in _of_class(trained):
        mine = np.intersect1d(at, support)
        fig.add_bar(
            x=place[mine], y=trained.alpha[mine], name=name, hovertext=labels[trained.rows[mine]],
            marker=dict(color=class_colour(code), line_width=0), hovertemplate="%{hovertext}: α = %{y:.4g}",
        )  # fmt: skip
    if np.isfinite(trained.C) and trained.bounded.any():
        fig.add_hline(y=trained.C, line=dict(color=MUTED, dash="dash"), annotation=dict(text="C", font_size=12))
    fig.update_layout(bargap=0.05)
    fig.update_xaxes(title_text="support vectors, largest α first")
    fig.update_yaxes(title_text="α", rangemode="tozero")
    share = 100.0 * len(support) / len(trained.alpha)
    return finish(
        fig, height=400, alt=f"{len(support)} of {len(trained.alpha)} rows have α above 0, {share:.0f}%.",
        caption=f"{len(support)} of {len(trained.alpha)} rows define the border; with the same C, removing others "
        "changes nothing. Nearly all rows with a similar α means rows that are nearly orthogonal about their mean.",
    )  # fmt: skip


def alpha_over_plot(
    values: Sequence[float], curves: Mapping[str, ArrayLike], name: str, symbol: str, current: float | None, log: bool
) -> go.Figure:
    """Draw the mean α of the support vectors over a parameter of the kernel: does α grow with the width of an RBF?

    Parameters: `values` of the parameter `name`, in short `symbol`; `curves` (v,) means by the words of their C, nan
    where there is none; `current` the present value; `log` a logarithmic axis.
    """
    fig = go.Figure()
    every = []
    for (words, means), colour, dash in zip(curves.items(), (BLUE, ORANGE), ("solid", "dot"), strict=False):
        mean = np.asarray(means, dtype=np.float64)
        every += mean[np.isfinite(mean) & (mean > 0)].tolist()
        fig.add_scatter(
            x=[float(v) for v in values], y=mean, mode="lines+markers", name=words, line=dict(color=colour, dash=dash),
            hovertemplate=f"{escape(name)} = %{{x:.4g}}: mean α <b>%{{y:.4g}}</b><extra>{words}</extra>",
        )  # fmt: skip
    if current is not None:
        fig.add_vline(x=current, line=dict(color=MUTED, width=1.5, dash="dash"))
    fig.update_xaxes(title_text=escape(name), **(log_axis(values) if log else {}))
    fig.update_yaxes(title_text="mean α", **(log_axis(every) if every else {}))
    trends = [f"with {words} it {alpha_trend(values, means, symbol)}" for words, means in curves.items()]
    now = " The dashed line is the present value." if current is not None else ""
    return finish(
        fig, height=340, alt=f"Mean α of the support vectors over {escape(name)}.",
        caption=f"The mean α of the support vectors: {', '.join(trends)}.{now}",
    )  # fmt: skip


def dual_over_gram(trained: Trained, K: ArrayLike, order: ArrayLike) -> go.Figure:
    """Draw α_i y_i as bars above the Gram matrix, in its order of rows: the blocks that the machine uses.

    Parameters: `K` (n, n) of all rows of the data; `order` (n,) row numbers in the order of the matrix.
    """
    matrix, numbers = np.asarray(K), np.asarray(order, dtype=np.intp)
    place = {int(row): at for at, row in enumerate(trained.rows)}
    shown = np.array([row for row in numbers.tolist() if row in place], dtype=np.intp)
    at = np.array([place[row] for row in shown.tolist()], dtype=np.intp)
    x = np.arange(len(shown))
    drawn = len(shown) <= _HEATMAP_ROWS
    fig = make_subplots(rows=2 if drawn else 1, cols=1, shared_xaxes=True, row_heights=[0.35, 0.65] if drawn else None,
                        vertical_spacing=0.04)  # fmt: skip
    for code, name, mine in _of_class(trained):
        chosen = np.flatnonzero(np.isin(at, mine))
        fig.add_bar(
            x=x[chosen], y=(trained.alpha * trained.sign)[at[chosen]], name=name, customdata=shown[chosen][:, None],
            marker=dict(color=class_colour(code), line_width=0), row=1, col=1,
            hovertemplate="row %{customdata[0]}: α·y = %{y:.4g}",
        )  # fmt: skip
    if drawn:
        block = matrix[np.ix_(shown, shown)].astype(np.float32)
        low, high = value_limits(block, "off-diagonal")
        fig.add_heatmap(
            z=block, x=x, y=x, colorscale=SEQUENTIAL, zmin=low, zmax=high, showscale=False, name="Gram matrix",
            hovertemplate="%{x}, %{y}: %{z:.4g}<extra></extra>", row=2, col=1,
        )  # fmt: skip
        fig.update_yaxes(autorange="reversed", row=2, col=1)
    fig.update_xaxes(title_text="rows in the order of the Gram matrix", row=2 if drawn else 1, col=1)
    fig.update_yaxes(title_text="α·y", row=1, col=1)
    fig.update_layout(bargap=0)
    return finish(
        fig, height=620 if drawn else 320, alt=f"Dual weights of {len(shown)} rows above their Gram matrix.",
        caption="Each bar is a row's weight in the decision: up for one class, down for the other. Below it is the "
        f"row's column of the Gram matrix.{_who_has_weight(trained, matrix)}",
    )  # fmt: skip


def _who_has_weight(trained: Trained, K: Array) -> str:
    """Return how the weights α go with the mean similarity to both classes; "" where one of them does not vary."""
    block = K[np.ix_(trained.rows, trained.rows)]
    same = trained.sign[:, None] == trained.sign
    own = np.where(same, block, 0.0).sum(axis=1) - block.diagonal()
    alike = own / np.maximum(same.sum(axis=1) - 1, 1)
    unlike = np.where(same, 0.0, block).sum(axis=1) / np.maximum((~same).sum(axis=1), 1)
    with_own, with_other = (rank_correlation(trained.alpha, values) for values in (alike, unlike))
    if not (math.isfinite(with_own) and math.isfinite(with_other)):
        return ""
    return (
        f" Rank correlation of |α| with the mean similarity to the other class: {number(with_other, 2)}, to the own "
        f"class: {number(with_own, 2)}."
    )


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


def wrong_bars(tests: OftenWrong, ids: Sequence[Any], most: int = 25) -> go.Figure:
    """Draw the rows that were misclassified most often as test rows."""
    chosen = np.flatnonzero(tests.wrong)[:most]
    names = [escape(ids[row], 28) for row in tests.row[chosen]]
    reach = float(np.abs(tests.score[chosen]).max(initial=0.0)) or 1.0
    fig = go.Figure(
        go.Bar(
            x=tests.share[chosen], y=np.arange(len(chosen)), orientation="h", name="share of tests misclassified",
            marker=dict(color=tests.score[chosen], colorscale=DIVERGING, cmin=-reach, cmax=reach, line_width=0,
                        colorbar=colour_bar("mean score")),
            customdata=np.column_stack([tests.row[chosen], tests.wrong[chosen], tests.tested[chosen]]), hovertext=names,
            hovertemplate="%{hovertext} (row %{customdata[0]}): misclassified in %{customdata[1]} of %{customdata[2]} "
            "tests, mean score %{marker.color:.3g}<extra></extra>",
        )
    )  # fmt: skip
    fig.update_yaxes(tickvals=list(range(len(names))), ticktext=names, autorange="reversed", showgrid=False)
    fig.update_xaxes(title_text="share of tests in which the row is misclassified", range=[0, 1.02], tickformat=".0%")
    always = int((tests.wrong == tests.tested).sum())
    return finish(
        fig, height=120 + 20 * max(len(names), 4), legend=False,
        alt=f"{int((tests.wrong > 0).sum())} of {len(tests.row)} tested rows are misclassified at least once, {always} "
        "always.",
        caption="A row misclassified in every split may have a wrong label, or may be unlike its class. The score "
        "is the mean of f(x) towards the row's own class. Far below 0, the machine is certain of the other class.",
    )  # fmt: skip
