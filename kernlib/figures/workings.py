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
from .marks import axis, bars, heat, line, places_axis, points
from .theme import (
    BLUE,
    MUTED,
    ORANGE,
    SEQUENTIAL,
    class_colour,
    colour_bar,
    composed,
    escape,
    faint,
    row_labels,
    upright,
)


def inverting_plot(numbers: Weighed, alpha: float, column: str) -> go.Figure:
    """Draw h(z) with a column's categories: the value of agreeing on each."""
    names = [escape(m, 16) for m in numbers.categories]
    column = escape(column)
    written = dict(mode="markers+text" if len(names) <= 12 else "markers", text=names, textposition="middle right")
    tip = "%{hovertext}: P = %{x:.3g}, worth %{y:.3g}"
    return composed(
        [
            line(numbers.z, numbers.h, "h(z)", MUTED, tip=""),
            points(numbers.shares, numbers.weights, "categories", BLUE, 11, hovertext=names, tip=tip, **written),
        ],
        dict(xaxis=axis("z = P(category)", range=[-0.02, 1.08]), yaxis=axis("h(z)", range=[-0.04, 1.08])),
        height=340,
        legend=False,
        alt=f"h(z) for alpha = {number(alpha)} with {len(names)} categories of {column}.",
        caption=f"What agreeing on each value of {column} is worth: rare values are worth more. With a small α "
        "only the rarest keep a weight; with a large α only the most frequent lose theirs.",
    )


def few_rows_plot(few: FewRows, column: str, most: int = 4) -> go.Figure:
    """Draw the interval of h of estimated probabilities over the number of rows, for the commonest categories."""
    traces = []
    for c, name in enumerate(few.categories[:most]):
        words, colour = escape(name, 20), class_colour(c)
        ends = dict(line=dict(width=0), legendgroup=words, showlegend=False)
        fill = dict(fill="tonexty", fillcolor=faint(colour, 0.2))
        tip = f"{words}: P = {few.shares[c]:.3g}, h(P) = <b>%{{y:.3g}}</b>"
        whole = (few.rows[[0, -1]], few.weights[[c, c]])
        traces += [
            line(few.rows, few.high[:, c], f"{words}, 95%", tip="", **ends),
            line(few.rows, few.low[:, c], f"{words}, 5%", tip="", **fill, **ends),
            line(*whole, words, colour, legendgroup=words, tip=tip),
        ]
    return composed(
        traces,
        dict(
            xaxis=axis("training rows") | log_axis(few.rows.tolist()),
            yaxis=axis("h of the estimated P", range=[-0.04, 1.08]),
        ),
        height=320,
        alt=f"h of probabilities estimated from few rows, column {escape(column)}.",
        caption=f"{few.words()} Bands: 90% of the draws; lines: h of the shares of all rows. Error curves over the "
        "training size show what this costs.",
    )


def gaussian_profile(sigma: float, distances: ArrayLike) -> go.Figure:
    """Draw exp(−d²/2σ²) over a histogram of the rows' distances: the pairs that the kernel can tell apart."""
    d = np.asarray(distances, dtype=np.float64)
    top = max(float(d.max(initial=0.0)), 1e-300)
    counts, edges = np.histogram(d, bins=50, range=(0.0, top))
    x = np.linspace(0.0, top, 200)
    pairs = bars(
        (edges[:-1] + edges[1:]) / 2,
        counts / max(1, counts.max()),
        "pairs of rows, scaled to 1",
        MUTED,
        opacity=0.45,
        customdata=counts[:, None],
        width=np.diff(edges),
        tip="distance %{x:.3g}: %{customdata[0]} pairs",
    )
    curve = line(x, np.exp(-0.5 * (x / sigma) ** 2), "k", ORANGE, 3, tip="distance %{x:.3g}: k = %{y:.3g}")
    rule, words = upright(sigma, "σ")
    low, high = (float(v) for v in np.quantile(np.exp(-0.5 * (d / sigma) ** 2), (0.05, 0.95))) if d.size else (0.0, 0.0)
    return composed(
        [pairs, curve],
        dict(
            xaxis=axis("‖x − x'‖", range=[0, top * 1.02]),
            yaxis=axis("k", range=[0, 1.08]),
            shapes=[rule],
            annotations=words,
        ),
        height=340,
        alt=f"The Gaussian of width {number(sigma)} over a histogram of distances.",
        caption=f"Nine of ten pairs have a value between {number(low)} and {number(high)}. Where the curve is flat "
        "over the histogram, all pairs look similar (σ too large) or dissimilar (σ too small).",
    )


def recursion_table(table: ArrayLike, s: str, t: str, order: int, value: float) -> go.Figure:
    """Draw W_n of the subsequence kernel: the weight of common words of n letters that end at each pair of letters."""
    W = np.asarray(table, dtype=np.float64)
    rows, columns = ([escape(c, 2) for c in text] for text in (s, t))
    tip = "letter %{y} of the first, %{x} of the second: %{z:.4g}"
    written = dict(texttemplate="%{z:.3g}" if W.size <= 150 else None)
    return composed(
        [heat(W, f"W{order}", colorbar=colour_bar(), xgap=1, ygap=1, tip=tip, **written)],
        dict(
            xaxis=places_axis(columns, "second string", side="top"),
            yaxis=places_axis(rows, "first string", autorange="reversed"),
        ),
        height=min(620, 150 + 34 * max(len(rows), 3)),
        margin=dict(b=20),
        alt=f"Table of {len(rows)} by {len(columns)} letters for common words of {order} letters.",
        caption=f"Each cell: the weight of all common words of {order} letters that end at these two letters. It is "
        f"computed from the cells above and to the left in the table for words one letter shorter. In the last table, "
        f"λ² times the sum of all cells is k = {number(value, 4)}.",
    )


def window_bars(v: ArrayLike, unit: str) -> go.Figure:
    """Draw the weights of a window's positions, from left to right."""
    weights = np.asarray(v, dtype=np.float64)
    half = len(weights) // 2
    return composed(
        [bars(np.arange(-half, half + 1), weights, "weight", tip="place %{x}: weight %{y:.3g}")],
        dict(xaxis=axis(f"position in the window, in {unit}s", dtick=1 if half <= 12 else None), yaxis=axis("v")),
        height=300,
        legend=False,
        alt=f"Weights of a window of {len(weights)} {unit}s.",
        caption="The weight of a match at each place of the window. The power d1 rewards matches at several "
        "places at once.",
    )


def window_square(weights: ArrayLike) -> go.Figure:
    """Draw the window around a pixel: the weight of each neighbour."""
    z = np.asarray(weights, dtype=np.float64)
    half = len(z) // 2
    at = np.arange(-half, half + 1)
    tip, written = "%{y} down, %{x} right: weight %{z:g}", dict(texttemplate="%{z:g}", colorbar=colour_bar())
    return composed(
        [heat(z, "weight", x=at, y=at, xgap=1, ygap=1, tip=tip, **written)],
        dict(
            xaxis=axis("pixels to the right", constrain="domain"),
            yaxis=axis("pixels down", autorange="reversed", scaleanchor="x"),
        ),
        height=380,
        alt=f"A pyramid of weights over {len(z)} by {len(z)} pixels.",
        caption="The weight of each pixel's product around the pixel in the middle. The outermost ring of the "
        "window has weight 0.",
    )


def heat_on_graph(A: ArrayLike, numbers: HeatTable, at: int, start: int, ids: Sequence[Any] | None = None) -> go.Figure:
    """Draw nodes coloured by the heat that has reached them from one node."""
    W = np.asarray(A, dtype=np.float64)
    P = graph_layout(W)
    values = numbers.heat[at]
    size = np.where(np.arange(len(W)) == start, 20, 12)
    scale = dict(colorscale=SEQUENTIAL, cmin=0.0, cmax=float(values.max()), showscale=True, colorbar=colour_bar("heat"))
    named = dict(hovertext=row_labels(ids, len(W)), tip="%{hovertext}: %{marker.color:.4g}")
    beta = float(numbers.betas[at])
    hidden = dict(visible=False)
    return composed(
        [
            edge_trace(W, P)[0],
            points(
                P[:, 0], P[:, 1], "heat", values, size, marker=scale | dict(line=dict(color=MUTED, width=1)), **named
            ),
        ],
        dict(xaxis=hidden, yaxis=hidden | dict(scaleanchor="x")),
        height=440,
        legend=False,
        alt=f"Heat from one node of {len(W)} after β = {number(beta)}.",
        caption=f"One unit of heat began at the large node; after β = {number(beta)} that node has "
        f"{number(values[start])} of it. The even share is {number(1 / len(W))}. "
        "The colours are k(start, ·).",
    )
