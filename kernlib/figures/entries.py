"""Figures of a Gram matrix's numbers: its entries, angles and distances, class means, eigenvalues."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike
from plotly.subplots import make_subplots

from ..analysis.geometry import BySize, Geometry
from ..analysis.gram import GramDiagnostics, diagonal_ratio
from ..values.words import number
from .axes import log_axis
from .gram import value_limits
from .spectrum import by_sign, point_traces
from .theme import (
    BLUE,
    CLASS_COLOURS,
    DIVERGING,
    KEYED,
    MUTED,
    ORANGE,
    SEQUENTIAL,
    class_names,
    composed,
    finish,
    lean,
    panels,
    plus_minus,
)


def diagonal_histogram(K: ArrayLike, bins: int = 40) -> go.Figure:
    """Draw diagonal and off-diagonal entries on one axis: two histograms far apart mean a large diagonal."""
    matrix = np.asarray(K, dtype=np.float64)
    n = len(matrix)
    diagonal = np.diagonal(matrix)
    step = max(1, n * n // 2_000_000)
    part = matrix[::step]
    off = part[np.arange(0, n, step)[:, None] != np.arange(matrix.shape[1])]
    both = np.concatenate([diagonal, off])
    low, high = value_limits(both[np.isfinite(both)][None, :], "full")
    edges = np.linspace(low, high, bins + 1)
    centres = lean((edges[1:] + edges[:-1]) / 2)
    bars: list[dict[str, Any]] = []
    highest = 0.0
    for name, values, colour in (("off the diagonal", off, BLUE), ("diagonal", diagonal, ORANGE)):
        share = np.histogram(values[np.isfinite(values)], edges)[0] / max(len(values), 1)
        if highest and np.count_nonzero(share) == 1:
            # A bar that holds all of the diagonal would flatten the other histogram: a line is drawn instead.
            at = float(centres[share.argmax()])
            rule = dict(
                type="scatter", x=[at, at], y=[0.0, highest], name=name, mode="lines", line=dict(color=colour, width=4),
                hovertemplate="k ≈ %{x:.4g}<br>the whole diagonal<extra></extra>",
            )  # fmt: skip
            bars.append(rule)
            continue
        highest = float(share.max(initial=0.0))
        bars.append(
            dict(
                type="bar", x=centres, y=lean(share), name=name, width=edges[1] - edges[0], opacity=0.8,
                marker=dict(color=colour, line=dict(width=0)),
                hovertemplate="k ≈ %{x:.4g}<br>%{y:.1%} of these entries<extra>" + name + "</extra>",
            )
        )  # fmt: skip
    ratio = diagonal_ratio(matrix)
    layout = dict(
        barmode="overlay", bargap=0, xaxis=dict(title=dict(text="entry k(x, x′)"), showexponent="last"),
        yaxis=dict(title=dict(text="share of entries"), tickformat=".0%", rangemode="tozero"),
    )  # fmt: skip
    return composed(
        bars, layout, height=280, margin=KEYED | dict(l=90, r=16, b=122),
        alt=f"Histograms of the diagonal (mean {number(float(diagonal.mean()) if n else None)}) and of the other "
        f"entries. The mean diagonal over the mean size of the rest is {number(ratio)}.",
        caption="Where the two histograms lie far apart, many labels can be separated on the training rows. "
        "Only the test error shows whether a machine has learnt.",
    )  # fmt: skip


def by_size_plot(found: BySize, y: ArrayLike | None, classes: Sequence[Any], ids: Sequence[Any] | None) -> go.Figure:
    """Draw self-similarity and mean similarity to other rows over the length of the rows: does length decide?"""
    layout = panels(1, 3, ("to itself", "to others", "normalised"), horizontal_spacing=0.1)
    traces: list[dict[str, Any]] = []
    for panel, values in (("", found.own), ("2", found.others), ("3", found.normalised)):
        for trace in point_traces([found.sizes, values], y, classes, ids, 6):
            traces.append(trace | dict(xaxis=f"x{panel}", yaxis=f"y{panel}", showlegend=not panel and y is not None))
        layout[f"xaxis{panel}"] |= dict(nticks=4)
        layout[f"yaxis{panel}"] |= dict(rangemode="tozero")
    layout["xaxis2"] |= dict(title=dict(text="length of the row"))
    return composed(
        traces, layout, height=340, legend=y is not None, margin=KEYED | dict(l=60, t=40),
        alt=f"Similarity of {len(found.sizes)} rows to themselves and to others, over their length.",
        caption=f"k(x, x), the mean k(x, x′) to other rows, and the same after normalising. {found.words()}",
    )  # fmt: skip


def geometry_histograms(geometry: Geometry, bins: int = 60) -> go.Figure:
    """Draw angles and distances between all pairs of rows, with the kernel's bounds.

    Look for a peak at the bound: rows that are all almost orthogonal, and all equally far apart.
    Parameters: `geometry` from `angles_and_distances`.
    """
    fig = make_subplots(1, 2, subplot_titles=("angles", "distances"), horizontal_spacing=0.1)
    # Degrees have a natural scale; an axis of equal distances still needs a length.
    ends = (180.0 if geometry.angle_bound is None else 90.0, max(float(geometry.distances.max(initial=0.0)), 1e-300))
    summary = []
    for i, (values, bound, unit) in enumerate(
        ((geometry.angles, geometry.angle_bound, "°"), (geometry.distances, geometry.distance_bound, ""))
    ):
        where = dict(row=1, col=i + 1)
        high = max(ends[i], bound or 0.0)
        edges = np.linspace(0, high * (1 + 1e-9), bins + 1)
        share = np.histogram(values, edges)[0] / max(len(values), 1)
        fig.add_bar(
            x=lean((edges[1:] + edges[:-1]) / 2), y=lean(share), width=edges[1] - edges[0],
            marker=dict(color=CLASS_COLOURS[i], line_width=0), name=("angle in degrees", "distance")[i],
            hovertemplate="%{x:.3g}" + unit + "<br>%{y:.1%} of the pairs<extra></extra>", **where,
        )  # fmt: skip
        if len(values):
            mean, spread = float(values.mean()), float(values.std()) if np.ptp(values) else 0.0
            summary.append(f"{('angles', 'distances')[i]} {plus_minus(mean, spread)}{unit}")
        if bound is not None:
            words = ("90°", "√2" if math.isclose(bound, math.sqrt(2)) else f"√(2k) = {number(bound)}")[i]
            fig.add_vline(
                x=bound, line=dict(color=MUTED, width=1.5, dash="dash"), annotation_text=words,
                annotation_position="top", annotation_font_size=12, **where,
            )  # fmt: skip
    fig.update_xaxes(title_text="angle in degrees", range=[0, ends[0] * 1.02], row=1, col=1)
    fig.update_xaxes(title_text="distance", range=[0, max(ends[1], geometry.distance_bound or 0) * 1.05], row=1, col=2)
    fig.update_yaxes(tickformat=".0%", rangemode="tozero", nticks=5)
    fig.update_yaxes(title_text="share of pairs", row=1, col=1)
    fig.update_layout(bargap=0)
    bounds = "Values have both signs: angles may reach 180°."
    if geometry.angle_bound is not None:
        bounds = "No value is negative, so no angle is beyond 90°. A peak there means almost orthogonal rows."
    if geometry.distance_bound is not None:
        bounds += " All rows have one length: no distance is beyond its dashed line, where orthogonal rows lie."
    return finish(
        fig, height=330, legend=False,
        alt=f"Histograms over all pairs of rows, mean ± standard deviation: {'; '.join(summary) or 'no pairs'}.",
        caption=f"Pairs of rows ({'; '.join(summary)}). {bounds}",
    )  # fmt: skip


def class_means(numbers: GramDiagnostics, classes: Sequence[Any] = ()) -> go.Figure:
    """Draw mean ± standard deviation of K over the pairs of every two classes: look for a high diagonal.

    Parameters: `numbers` diagnostics of rows with labels; `classes` names, by default the labels themselves.
    """
    none = np.zeros((0, 0))
    means = none if numbers.class_means is None else numbers.class_means
    spreads = none if numbers.class_spreads is None else numbers.class_spreads
    known = numbers.classes if numbers.classes is not None else ()
    names = class_names(classes if len(classes) == len(means) else known, 20)
    # Means that are 0 after centring have rounding errors.
    size = float(np.abs(numbers.diagonal).max(initial=0.0))
    means, spreads = (np.where(np.abs(part) <= 1e-13 * size, 0.0, part) for part in (means, spreads))
    low, high = value_limits(means, "full")
    signed = low < 0 < high
    if signed:
        high = max(-low, high)
        low = -high
    places = list(range(len(names)))
    words = np.array(
        [[plus_minus(float(m), float(s)).replace(" ± ", "<br>± ") for m, s in zip(*row, strict=True)]
         for row in zip(means, spreads, strict=True)], dtype=object,
    ).reshape(means.shape)  # fmt: skip
    fig = go.Figure(
        go.Heatmap(
            z=lean(means), x=places, y=places, zmin=low, zmax=high,
            colorscale=DIVERGING if signed else SEQUENTIAL, showscale=False, xgap=2, ygap=2, name="mean k",
            text=words, texttemplate="%{text}" if len(names) <= 8 else None,
            hovertemplate="class %{y} with class %{x}<br>mean k = <b>%{text}</b><extra></extra>",
        )
    )  # fmt: skip
    ticks = dict(tickmode="array", tickvals=places, ticktext=names, showgrid=False, zeroline=False, ticks="")
    fig.update_xaxes(**ticks, constrain="domain", title_text="class")
    fig.update_yaxes(**ticks, constrain="domain", autorange="reversed", scaleanchor="x", title_text="class")
    diagonal = plus_minus(numbers.diagonal_mean, numbers.diagonal_spread)
    off = plus_minus(numbers.off_diagonal.mean, numbers.off_diagonal_spread)
    return finish(
        fig, height=380, legend=False,
        alt=f"Mean kernel value between every two of {len(names)} classes, from {number(low)} to {number(high)}.",
        caption="Mean ± standard deviation of k(x, x′) over the pairs of two classes. Where means within a "
        "class (diagonal) exceed those between classes, the kernel sees the classes; the spread decides how well. "
        f"k(x, x) itself: {diagonal}; all pairs: {off}. A class of one row has no pairs within it.",
    )  # fmt: skip


def spectrum_bars(eigenvalues: GramDiagnostics | ArrayLike, log: bool = False, most: int = 100) -> go.Figure:
    """Draw eigenvalues as bars coloured by sign: orange ones make the matrix indefinite.

    Parameters: `eigenvalues` (n,) in any order, or the diagnostics that hold them; `log` shows their size on a
    log axis; of more than `most` the leading half and the trailing half are drawn.
    """
    if isinstance(eigenvalues, GramDiagnostics):
        eigenvalues = eigenvalues.eigenvalues
    values = np.sort(np.asarray(eigenvalues, dtype=np.float64))[::-1]
    n = len(values)
    j = np.arange(1, n + 1)
    if n > most:
        kept = np.r_[0 : most - most // 2, n - most // 2 : n]
        values, j = values[kept], j[kept]
    drawn = np.abs(values) if log else values
    tolerance = 1e-10 * float(np.abs(values).max()) if len(values) else 0.0
    fig = go.Figure()
    for name, chosen, colour in by_sign(values, tolerance):
        if chosen.any():
            fig.add_bar(
                x=j[chosen], y=lean(drawn[chosen]), customdata=lean(values[chosen]),
                name=name, marker=dict(color=colour, line_width=0),
                hovertemplate="l<sub>%{x}</sub> = <b>%{customdata:.4g}</b><extra></extra>",
            )  # fmt: skip
    fig.update_layout(bargap=0.1, barmode="overlay")
    fig.update_xaxes(title_text="direction j" + (f" (first and last {most // 2} of {n})" if n > most else ""))
    if n > most:  # a line in place of the omitted eigenvalues
        fig.update_xaxes(type="category", tickvals=j[::10], tickangle=0)
        fig.add_vline(x=most - most // 2 - 0.5, line=dict(color=MUTED, width=1.5, dash="dot"))
    fig.update_yaxes(title_text="|eigenvalue| |l<sub>j</sub>|" if log else "eigenvalue l<sub>j</sub>")
    if log:
        top = float(drawn.max()) if len(drawn) and drawn.max() > 0 else 1.0
        # Rounding errors must not stretch the axis over sixteen decades.
        shown = drawn[drawn > tolerance]
        floor = float(shown.min()) if len(shown) else top / 10
        fig.update_yaxes(**log_axis((floor / 2, top * 2)), range=np.log10((floor / 2, top * 2)).tolist())
    negative = int((values < -tolerance).sum())
    return finish(
        fig, height=300,
        alt=f"{n} eigenvalues from {number(values[0] if n else None)} down to "
        f"{number(None if not n else values[-1] if abs(values[-1]) > tolerance else 0.0)}, "
        f"{negative} of those shown negative.",
        caption="If a few bars are tall, the data lie near a few directions. If eigenvalues are negative (orange), no "
        "feature space gives these values, and the matrix needs a repair.",
    )  # fmt: skip
