"""Figures that compare published values with ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import Any

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from ..analysis.relevant import LOW_DIMENSION, LOW_NOISE, quadrant
from ..values.words import number
from .axes import log_axis, named_places
from .theme import BLUE, GOLD, MUTED, ORANGE, SEQUENTIAL, escape, finish

_HERE, _PRINTED, _AMBER = BLUE, ORANGE, GOLD


def verdict_bars(papers: Mapping[str, tuple[int, int, int, int]]) -> go.Figure:
    """Draw how many printed figures of each paper agree, agree by leakage alone, disagree, and were not compared.

    Parameters: `papers` the four counts of each paper, by name.
    """
    fig = go.Figure()
    names = [escape(name, 60) for name in papers]
    kinds = (
        ("agree", _HERE, ""), ("only when test rows choose", _AMBER, "/"), ("do not agree", _PRINTED, ""),
        ("not compared", MUTED, ""),
    )  # fmt: skip
    for place, (kind, colour, shape) in enumerate(kinds):
        values = [counts[place] for counts in papers.values()]
        fig.add_bar(
            y=list(range(len(names))), x=values, name=kind, orientation="h", hovertext=names,
            marker=dict(color=colour, pattern=dict(shape=shape, fillmode="overlay", solidity=0.2)),
            text=[str(v) if v else "" for v in values], textposition="inside", insidetextanchor="middle",
            textangle=0, textfont=dict(color="white", size=12),
            hovertemplate="%{hovertext}: %{x} " + kind + "<extra></extra>",
        )  # fmt: skip
    # A number that does not fit into its bar is left to hovering.
    fig.update_layout(barmode="stack", bargap=0.15, uniformtext=dict(minsize=9, mode="hide"))
    fig.update_yaxes(autorange="reversed", ticks="", **named_places(names))
    fig.update_xaxes(title_text="published values")
    counts = "; ".join(f"{name}: {a} agree, {c} by leakage alone, {o} do not, {n} not compared"
                     for name, (a, c, o, n) in papers.items())  # fmt: skip
    return finish(
        fig, height=290, margin=dict(b=88), alt=f"Published values by paper. {counts}.",
        caption="One bar for each paper: the numbers it prints, by verdict.",
    )  # fmt: skip


def published_beside(lines: Sequence[dict[str, Any]], title: str) -> go.Figure:
    """Draw printed and measured means over p, each with twice its standard error.

    Parameters: `lines` of `papers.json` whose labels are "p = value".
    """
    fig = go.Figure()
    p = [float(line["label"].partition("= ")[2]) for line in lines]
    printed = [2 * line["published_sd"] / line["published_n"] ** 0.5 for line in lines]
    ours = [2 * (line["se"] or 0.0) for line in lines]
    for name, key, reach, colour, symbol in (
        ("printed", "published", printed, _PRINTED, "square"),
        ("here", "ours", ours, _HERE, "circle"),
    ):
        fig.add_scatter(
            x=p, y=[line[key] for line in lines], name=name, mode="lines+markers", line_color=colour,
            marker_symbol=symbol, error_y=dict(type="data", array=reach, thickness=1.2, width=4),
        )  # fmt: skip
    fig.update_xaxes(title_text="power p")
    fig.update_yaxes(title_text="error", rangemode="tozero")
    agree = sum(line["verdict"] == "within" for line in lines)
    return finish(
        fig, height=320, margin=dict(b=80),
        alt=f"{title}: printed and measured error over the power p, from {p[0]:g} to {p[-1]:g}.",
        caption=f"Printed and measured error over the power p, bars of two standard errors. Where the bars overlap "
        f"the numbers agree: {agree} of {len(lines)}.",
    )  # fmt: skip


def cosine_pair(printed: Sequence[Sequence[float]], ours: Sequence[Sequence[float]]) -> go.Figure:
    """Draw two matrices of cosines side by side, printed and ours, with their numbers."""
    fig = make_subplots(1, 2, subplot_titles=["printed", "here"], horizontal_spacing=0.12)
    names = [f"tissue {i + 1}" for i in range(len(printed))]
    for place, K in enumerate((printed, ours), 1):
        fig.add_heatmap(
            z=K, x=names, y=names, zmin=0, zmax=1, colorscale=SEQUENTIAL, showscale=False,
            text=[[f"{v:.2f}" for v in row] for row in K], texttemplate="%{text}", name=("printed", "here")[place - 1],
            hovertemplate="%{y}, %{x}: %{z:.4f}<extra></extra>", row=1, col=place,
        )  # fmt: skip
    fig.update_yaxes(autorange="reversed")
    apart = max(abs(a - b) for one, other in zip(printed, ours, strict=True) for a, b in zip(one, other, strict=True))
    return finish(
        fig, height=300, legend=False, alt="Cosines between four colon tissues, printed and computed here.",
        caption=f"Cosines of the angles between the first four tissues. The largest difference is {apart:.4f}: less "
        "than half of the last printed digit.",
    )  # fmt: skip


def dimension_moves(points: Sequence[tuple[str, float, float, float, float]]) -> go.Figure:
    """Draw noise over relevant dimension: a line for each data set from the printed point to ours.

    Parameters: (name, printed dimension, printed noise, our dimension, our noise), noise as a share.
    """
    fig = go.Figure()
    for _, dim, noise, dim_here, noise_here in points:
        fig.add_scatter(
            x=[dim, dim_here], y=[noise, noise_here], mode="lines", line=dict(color=MUTED, width=1.2),
            showlegend=False, hoverinfo="skip", meta=dict(decoration=True),
        )  # fmt: skip
    names = [escape(p[0], 30) for p in points]
    fig.add_scatter(
        x=[p[1] for p in points], y=[p[2] for p in points], mode="markers", name="printed", hovertext=names,
        marker=dict(color=_PRINTED, symbol="square-open", size=10, line_width=2),
        hovertemplate="%{hovertext}, printed<br>d̂ = %{x}<br>noise %{y:.1%}<extra></extra>",
    )  # fmt: skip
    spots = ("top center", "bottom center")
    order = sorted(range(len(points)), key=lambda i: (points[i][3], points[i][4]))
    turn = {i: spots[rank % 2] for rank, i in enumerate(order)}
    fig.add_scatter(
        x=[p[3] for p in points], y=[p[4] for p in points], mode="markers+text", name="here", text=names,
        hovertext=names, textposition=[turn[i] for i in range(len(points))], textfont=dict(size=11, color=MUTED),
        marker=dict(color=_HERE, symbol="circle", size=9), cliponaxis=False,
        hovertemplate="%{hovertext}, here<br>d̂ = %{x}<br>noise %{y:.1%}<extra></extra>",
    )  # fmt: skip
    border = dict(color=MUTED, width=1, dash="dot")
    fig.add_vline(x=LOW_DIMENSION, line=border)
    fig.add_hline(y=LOW_NOISE, line=border)
    fig.update_xaxes(title_text="relevant dimension d̂", **log_axis(d for p in points for d in (p[1], p[3])))
    fig.update_yaxes(title_text="estimated error, share of rows", tickformat=".0%", rangemode="tozero")
    same = sum(quadrant(p[1], p[2]) == quadrant(p[3], p[4]) for p in points)
    return finish(
        fig, height=420, margin=dict(b=84),
        alt=f"Noise over relevant dimension of {len(points)} data sets, printed and computed here.",
        caption="Further left, the labels lie within fewer directions; further down, the noise is lower. "
        f"A line joins the printed point with ours; dotted lines separate the paper's quadrants. "
        f"{same} of {len(points)} data sets stay in the quadrant of their published values.",
    )  # fmt: skip


def level_gains(gains: Mapping[str, Sequence[tuple[float, float]]], printed: str) -> go.Figure:
    """Draw each level's gain over level 0 with two standard errors, one group of bars per data set.

    Parameters: `gains` (gain, standard error) for levels 1, 2, … by data set; `printed` what the paper shows, as text.
    """
    fig = go.Figure()
    names = [escape(name, 40) for name in gains]
    wrapped = ["<br>".join(wrap(name, 14)) for name in names]
    for level in range(max((len(g) for g in gains.values()), default=0)):
        fig.add_bar(
            x=wrapped, y=[g[level][0] for g in gains.values()], name=f"level {level + 1}",
            error_y=dict(type="data", array=[2 * g[level][1] for g in gains.values()], thickness=1.2, width=3),
            marker_color=SEQUENTIAL[1 + 2 * level][1] if 1 + 2 * level < len(SEQUENTIAL) else MUTED,
            hovertemplate="%{x}, level " + str(level + 1) + ": %{y:+.1%}<extra></extra>",
        )  # fmt: skip
    fig.update_layout(barmode="group", bargap=0.25)
    fig.update_yaxes(title_text="gain over level 0", tickformat="+.0%", zeroline=True, zerolinewidth=2)
    every = [one for own in gains.values() for one in own]
    up = sum(gain > 0 for gain, _ in every)
    clear, down = (sum(sign * gain > 2 * error for gain, error in every) for sign in (1, -1))
    return finish(
        fig, height=340, margin=dict(b=84), alt=f"Gain of levels 1 to 5 over level 0 on {', '.join(names)}.",
        caption=f"Bars: the share of the possible gain over level 0, with two standard errors. {printed} Here {up} of "
        f"{len(every)} bars are above zero, {clear} clearly; {down} are clearly below.",
    )  # fmt: skip


def three_ways(rows: Sequence[tuple[str, float, float, float]], title: str) -> go.Figure:
    """Draw errors as printed, with the kernel chosen on training rows, and with it chosen on test rows.

    Parameters: (kernel, printed, chosen on training rows, chosen on test rows).
    """
    fig = go.Figure()
    names = [escape(row[0], 30) for row in rows]
    columns = list(zip(*rows, strict=True))[1:]
    kinds = (("printed", _PRINTED, ""), ("chosen on training rows", _HERE, ""), ("chosen on test rows", _AMBER, "/"))
    for (name, colour, shape), values in zip(kinds, columns, strict=True):
        fig.add_bar(
            x=list(range(len(names))), y=values, name=name, marker=dict(color=colour, pattern_shape=shape),
            text=[number(value, 2) for value in values], textposition="outside", cliponaxis=False,
            hovertext=names, hovertemplate="%{hovertext}, " + name + ": %{y:.4f}<extra></extra>",
        )  # fmt: skip
    fig.update_layout(barmode="group", bargap=0.3)
    fig.update_xaxes(**named_places(names))
    fig.update_yaxes(title_text="error", rangemode="tozero")
    return finish(
        fig, height=320, margin=dict(b=84),
        alt=f"{title}: errors of {', '.join(names)} as printed, honestly tuned and chosen on test rows.",
        caption="The blue bar is tuned without test rows. For the striped bar the test rows chose the kernel. "
        "Compare both with the printed bar.",
    )  # fmt: skip
