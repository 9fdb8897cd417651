"""Figures of how a kernel works, one per idea."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from ..analysis.layout import graph_layout
from ..explain.workings import FewRows, HeatTable, Weighed
from ..values.words import number
from .axes import log_axis
from .data import edge_trace
from .theme import BLUE, MUTED, ORANGE, SEQUENTIAL, class_colour, colour_bar, escape, faint, finish, row_labels


def inverting_plot(numbers: Weighed, alpha: float, column: str) -> go.Figure:
    """Draw h(z) with a column's categories: the value of agreeing on each."""
    fig = go.Figure(
        go.Scatter(
            x=numbers.z, y=numbers.h, mode="lines", line=dict(color=MUTED, width=2), name="h(z)", hoverinfo="skip"
        )
    )
    names = [escape(m, 16) for m in numbers.categories]
    fig.add_scatter(
        x=numbers.shares, y=numbers.weights, mode="markers+text" if len(names) <= 12 else "markers", name="categories",
        text=names, textposition="middle right", marker=dict(color=BLUE, size=11), hovertext=names,
        hovertemplate="%{hovertext}: P = %{x:.3g}, worth %{y:.3g}<extra></extra>",
    )  # fmt: skip
    fig.update_xaxes(title_text="z = P(category)", range=[-0.02, 1.08])
    fig.update_yaxes(title_text="h(z)", range=[-0.04, 1.08])
    return finish(
        fig, height=340, legend=False, alt=f"h(z) for alpha = {number(alpha)} with {len(names)} categories of "
        f"{escape(column)}.",
        caption=f"What agreeing on each value of {escape(column)} is worth: rare values are worth more. With a small α "
        "only the rarest keep a weight; with a large α only the most frequent lose theirs.",
    )  # fmt: skip


def few_rows_plot(few: FewRows, column: str, most: int = 4) -> go.Figure:
    """Draw the interval of h of estimated probabilities over the number of rows, for the commonest categories."""
    fig = go.Figure()
    for c, name in enumerate(few.categories[:most]):
        words, colour = escape(name, 20), class_colour(c)
        ends = dict(mode="lines", line=dict(width=0), legendgroup=words, hoverinfo="skip", showlegend=False)
        fig.add_scatter(x=few.rows, y=few.high[:, c], name=f"{words}, 95%", **ends)
        fig.add_scatter(
            x=few.rows, y=few.low[:, c], name=f"{words}, 5%", fill="tonexty", fillcolor=faint(colour, 0.2), **ends
        )
        fig.add_scatter(
            x=few.rows[[0, -1]], y=few.weights[[c, c]], mode="lines", name=words, legendgroup=words,
            line=dict(color=colour, width=2),
            hovertemplate=f"{words}: P = {few.shares[c]:.3g}, h(P) = <b>%{{y:.3g}}</b><extra></extra>",
        )  # fmt: skip
    fig.update_xaxes(title_text="training rows", **log_axis(few.rows.tolist()))
    fig.update_yaxes(title_text="h of the estimated P", range=[-0.04, 1.08])
    return finish(
        fig, height=320, alt=f"h of probabilities estimated from few rows, column {escape(column)}.",
        caption=f"{few.words()} Bands: 90% of the draws; lines: h of the shares of all rows. Error curves over the "
        "training size show what this costs.",
    )  # fmt: skip


def gaussian_profile(sigma: float, distances: ArrayLike) -> go.Figure:
    """Draw exp(−d²/2σ²) over a histogram of the rows' distances: the pairs that the kernel can tell apart."""
    d = np.asarray(distances, dtype=np.float64)
    top = max(float(d.max(initial=0.0)), 1e-300)
    counts, edges = np.histogram(d, bins=50, range=(0.0, top))
    x = np.linspace(0.0, top, 200)
    fig = go.Figure()
    fig.add_bar(
        x=(edges[:-1] + edges[1:]) / 2, y=counts / max(1, counts.max()), name="pairs of rows, scaled to 1",
        marker=dict(color=MUTED, line_width=0), opacity=0.45, customdata=counts[:, None], width=np.diff(edges),
        hovertemplate="distance %{x:.3g}: %{customdata[0]} pairs<extra></extra>",
    )  # fmt: skip
    fig.add_scatter(
        x=x, y=np.exp(-0.5 * (x / sigma) ** 2), mode="lines", line=dict(color=ORANGE, width=3), name="k",
        hovertemplate="distance %{x:.3g}: k = %{y:.3g}<extra></extra>",
    )  # fmt: skip
    fig.add_vline(x=sigma, line=dict(color=MUTED, dash="dash"), annotation=dict(text="σ", font_size=13))
    fig.update_xaxes(title_text="‖x − x'‖", range=[0, top * 1.02])
    fig.update_yaxes(title_text="k", range=[0, 1.08])
    low, high = (float(v) for v in np.quantile(np.exp(-0.5 * (d / sigma) ** 2), (0.05, 0.95))) if d.size else (0.0, 0.0)
    return finish(
        fig, height=340, alt=f"The Gaussian of width {number(sigma)} over a histogram of distances.",
        caption=f"Nine of ten pairs have a value between {number(low)} and {number(high)}. Where the curve is flat "
        "over the histogram, all pairs look similar (σ too large) or dissimilar (σ too small).",
    )  # fmt: skip


def recursion_table(table: ArrayLike, s: str, t: str, order: int, value: float) -> go.Figure:
    """Draw W_n of the subsequence kernel: the weight of common words of n letters that end at each pair of letters."""
    W = np.asarray(table, dtype=np.float64)
    rows, columns = ([escape(c, 2) for c in text] for text in (s, t))
    fig = go.Figure(
        go.Heatmap(
            z=W, colorscale=SEQUENTIAL, name=f"W{order}", colorbar=colour_bar(), xgap=1, ygap=1,
            texttemplate="%{z:.3g}" if W.size <= 150 else None,
            hovertemplate="letter %{y} of the first, %{x} of the second: %{z:.4g}<extra></extra>",
        )
    )  # fmt: skip
    fig.update_xaxes(tickvals=list(range(len(columns))), ticktext=columns, side="top", title_text="second string")
    fig.update_yaxes(tickvals=list(range(len(rows))), ticktext=rows, autorange="reversed", title_text="first string")
    return finish(
        fig, height=min(620, 150 + 34 * max(len(rows), 3)), margin=dict(b=20),
        alt=f"Table of {len(rows)} by {len(columns)} letters for common words of {order} letters.",
        caption=f"Each cell: the weight of all common words of {order} letters that end at these two letters. It is "
        f"computed from the cells above and to the left in the table for words one letter shorter. In the last table, "
        f"λ² times the sum of all cells is k = {number(value, 4)}.",
    )  # fmt: skip


def window_bars(v: ArrayLike, unit: str) -> go.Figure:
    """Draw the weights of a window's positions, from left to right."""
    weights = np.asarray(v, dtype=np.float64)
    half = len(weights) // 2
    fig = go.Figure(
        go.Bar(
            x=np.arange(-half, half + 1), y=weights, name="weight", marker=dict(color=BLUE, line_width=0),
            hovertemplate="place %{x}: weight %{y:.3g}<extra></extra>",
        )
    )  # fmt: skip
    fig.update_xaxes(title_text=f"position in the window, in {unit}s", dtick=1 if half <= 12 else None)
    fig.update_yaxes(title_text="v")
    return finish(
        fig, height=300, legend=False, alt=f"Weights of a window of {len(weights)} {unit}s.",
        caption="The weight of a match at each place of the window. The power d1 rewards matches at several "
        "places at once.",
    )  # fmt: skip


def window_square(weights: ArrayLike) -> go.Figure:
    """Draw the window around a pixel: the weight of each neighbour."""
    z = np.asarray(weights, dtype=np.float64)
    half = len(z) // 2
    at = np.arange(-half, half + 1)
    fig = go.Figure(
        go.Heatmap(
            z=z, x=at, y=at, colorscale=SEQUENTIAL, name="weight", texttemplate="%{z:g}", xgap=1, ygap=1,
            colorbar=colour_bar(),
            hovertemplate="%{y} down, %{x} right: weight %{z:g}<extra></extra>",
        )
    )  # fmt: skip
    fig.update_xaxes(title_text="pixels to the right", constrain="domain")
    fig.update_yaxes(title_text="pixels down", autorange="reversed", scaleanchor="x")
    return finish(
        fig, height=380, alt=f"A pyramid of weights over {len(z)} by {len(z)} pixels.",
        caption="The weight of each pixel's product around the pixel in the middle. The outermost ring of the "
        "window has weight 0.",
    )  # fmt: skip


def heat_on_graph(A: ArrayLike, numbers: HeatTable, at: int, start: int, ids: Sequence[Any] | None = None) -> go.Figure:
    """Draw nodes coloured by the heat that has reached them from one node."""
    W = np.asarray(A, dtype=np.float64)
    P = graph_layout(W)
    fig = go.Figure([edge_trace(W, P)[0]])
    values = numbers.heat[at]
    size = np.where(np.arange(len(W)) == start, 20, 12)
    fig.add_scatter(
        x=P[:, 0], y=P[:, 1], mode="markers", name="heat", hovertext=row_labels(ids, len(W)),
        marker=dict(color=values, colorscale=SEQUENTIAL, cmin=0.0, cmax=float(values.max()), size=size, showscale=True,
                    line=dict(color=MUTED, width=1), colorbar=colour_bar("heat")),
        hovertemplate="%{hovertext}: %{marker.color:.4g}<extra></extra>",
    )  # fmt: skip
    fig.update_xaxes(visible=False)
    fig.update_yaxes(visible=False, scaleanchor="x")
    beta = float(numbers.betas[at])
    return finish(
        fig, height=440, legend=False, alt=f"Heat from one node of {len(W)} after β = {number(beta)}.",
        caption=f"One unit of heat began at the large node; after β = {number(beta)} that node has "
        f"{number(values[start])} of it. The even share is {number(1 / len(W))}. "
        "The colours are k(start, ·).",
    )  # fmt: skip
