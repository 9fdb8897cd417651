"""Figures that compare published values with ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import Any, Literal

import numpy as np
import plotly.graph_objects as go

from ..analysis.relevant import LOW_DIMENSION, LOW_NOISE, quadrant
from ..values.words import number, percent
from .axes import log_axis
from .marks import GUIDE, across, axis, bars, heat, line, note, places_axis, points, up
from .spectrum import INFORMATION
from .theme import BLUE, GOLD, KEYED, MUTED, ORANGE, SEQUENTIAL, composed, escape, panels

_HERE, _PRINTED, _AMBER = BLUE, ORANGE, GOLD
#: One published or own data set: name, relevant dimension, noise.
Point = tuple[str, float, float]


def verdict_bars(papers: Mapping[str, tuple[int, int, int, int]]) -> go.Figure:
    """Draw how many printed figures of each paper agree, agree by leakage alone, disagree, and were not compared.

    Parameters: `papers` the four counts of each paper, by name.
    """
    names = [escape(name, 60) for name in papers]
    kinds = (
        ("agree", _HERE, ""),
        ("only when test rows choose", _AMBER, "/"),
        ("do not agree", _PRINTED, ""),
        ("not compared", MUTED, ""),
    )
    traces = []
    for (kind, colour, shape), values in zip(kinds, zip(*papers.values(), strict=True), strict=True):
        words = dict(text=[str(v) if v else "" for v in values], textfont=dict(color="white", size=12), textangle=0)
        words |= dict(textposition="inside", insidetextanchor="middle")
        marker = dict(color=colour, pattern=dict(shape=shape, fillmode="overlay", solidity=0.2))
        tip = "%{hovertext}: %{x} " + kind
        places = list(range(len(names)))
        traces.append(bars(values, places, kind, tip=tip, orientation="h", hovertext=names, marker=marker, **words))
    counts = "; ".join(
        f"{name}: {a} agree, {c} by leakage alone, {o} do not, {n} not compared"
        for name, (a, c, o, n) in papers.items()
    )
    return composed(
        traces,
        dict(
            barmode="stack",
            bargap=0.15,
            uniformtext=dict(minsize=9, mode="hide"),  # a number that does not fit into its bar is left to hovering
            xaxis=axis("published values"),
            yaxis=places_axis(names, autorange="reversed", ticks=""),
        ),
        height=290,
        margin=dict(b=88),
        alt=f"Published values by paper. {counts}.",
        caption="One bar for each paper: the numbers it prints, by verdict.",
    )


def published_beside(lines: Sequence[dict[str, Any]], title: str) -> go.Figure:
    """Draw printed and measured means over p, each with twice its standard error.

    Parameters: `lines` of `papers.json` whose labels are "p = value".
    """
    p = [float(line["label"].partition("= ")[2]) for line in lines]
    printed = [2 * line["published_sd"] / line["published_n"] ** 0.5 for line in lines]
    ours = [2 * (line["se"] or 0.0) for line in lines]
    traces = []
    for name, key, reach, colour, symbol in (
        ("printed", "published", printed, _PRINTED, "square"),
        ("here", "ours", ours, _HERE, "circle"),
    ):
        style = dict(mode="lines+markers", line=dict(color=colour), marker=dict(symbol=symbol))
        ends = dict(type="data", array=reach, thickness=1.2, width=4)
        traces.append(line(p, [one[key] for one in lines], name, error_y=ends, **style))
    agree = sum(line["verdict"] == "within" for line in lines)
    return composed(
        traces,
        dict(xaxis=axis("power p"), yaxis=axis("error", rangemode="tozero")),
        height=320,
        margin=dict(b=80),
        alt=f"{title}: printed and measured error over the power p, from {p[0]:g} to {p[-1]:g}.",
        caption=f"Printed and measured error over the power p, bars of two standard errors. Where the bars overlap "
        f"the numbers agree: {agree} of {len(lines)}.",
    )


def cosine_pair(printed: Sequence[Sequence[float]], ours: Sequence[Sequence[float]]) -> go.Figure:
    """Draw two matrices of cosines side by side, printed and ours, with their numbers."""
    layout = panels(1, 2, ["printed", "here"], horizontal_spacing=0.12)
    names = [f"tissue {i + 1}" for i in range(len(printed))]
    traces = []
    for panel, name, K in (("", "printed", printed), ("2", "here", ours)):
        written = dict(text=[[f"{v:.2f}" for v in row] for row in K], texttemplate="%{text}")
        place = dict(x=names, y=names, xaxis=f"x{panel}", yaxis=f"y{panel}", zmin=0, zmax=1, showscale=False)
        traces.append(heat(K, name, tip="%{y}, %{x}: %{z:.4f}", **place, **written))
        layout[f"yaxis{panel}"]["autorange"] = "reversed"
    apart = max(abs(a - b) for one, other in zip(printed, ours, strict=True) for a, b in zip(one, other, strict=True))
    return composed(
        traces,
        layout,
        height=300,
        legend=False,
        alt="Cosines between four colon tissues, printed and computed here.",
        caption=f"Cosines of the angles between the first four tissues. The largest difference is {apart:.4f}: less "
        "than half of the last printed digit.",
    )


def noise_dimension_map(
    places: Mapping[str, tuple[float, float]] | Sequence[Point],
    here: Point | None = None,
    share_of: Literal["rows", "variance"] = "rows",
) -> go.Figure:
    """Draw noise over relevant dimension next to published data sets: is this data set noisy, or complex?

    Parameters: `places` published data sets as (name, dimension, noise) or {name: (dimension, noise)}, noise as a share
    of rows; `here` the present data in the same form; `share_of` what its noise is a share of. A share of the variance
    of y does not compare with shares of rows: published data and the border of noise are then left out.
    """
    comparable = share_of == "rows"
    marks = [(k, *v) for k, v in places.items()] if isinstance(places, Mapping) else list(places)
    marks = marks if comparable else []
    own = [] if here is None else [here]
    spots = ("top center", "bottom center", "middle right", "middle left")
    traces, known = [], []
    groups = (("published", marks, (MUTED, 8, "circle"), 4), ("here", own, (INFORMATION, 15, "star"), 1))
    for group, given, style, turns in groups:
        drawn = sorted((p for p in given if np.isfinite(p[1]) and np.isfinite(p[2])), key=lambda p: (p[1], p[2]))
        if drawn:
            known += drawn
            names, x, y = zip(*drawn, strict=True)
            written = dict(mode="markers+text", text=[escape(name, 24) for name in names], cliponaxis=False)
            written |= dict(textfont=dict(size=11, color=style[0]), hovertext=[escape(name) for name in names])
            written["textposition"] = [spots[i % turns] for i in range(len(drawn))]
            tip = "%{hovertext}<br>d̂ = %{x}<br>noise %{y:.1%}"
            traces.append(points([float(v) for v in x], [float(v) for v in y], group, *style, tip=tip, **written))
    border, level = up(LOW_DIMENSION, width=1, dash="dot"), across(LOW_NOISE, dash="dot")
    corners = [("simple, clean", 0, 0), ("simple, noisy", 0, 1), ("complex, clean", 1, 0), ("complex, noisy", 1, 1)]
    ends = [1.0, 2.0 * max([p[1] for p in known] + [300.0])]
    unit = "share of rows" if comparable else "share of the variance of y"
    paper = dict(xref="paper", yref="paper")
    present = "".join(f" {escape(p[0])}: d̂ = {number(p[1])}, noise {percent(p[2])}." for p in own)
    return composed(
        traces,
        dict(
            xaxis=axis("relevant dimension d̂") | log_axis(ends) | dict(range=np.log10(ends).tolist()),
            yaxis=axis(
                f"estimated noise, {unit}",
                tickformat=".0%",
                range=[-0.03, max([1.12 * p[2] for p in known] + [0.4])],
            ),
            shapes=[border, level] if comparable else [border],
            annotations=[
                note(f"<i>{words}</i>", x, y, 11, xanchor=("left", "right")[x], yanchor=("bottom", "top")[y], **paper)
                for words, x, y in (corners if comparable else [("simple", 0, 0), ("complex", 1, 0)])
            ],
        ),
        height=400,
        legend=True,
        margin=KEYED | dict(t=24),
        alt=f"Noise over relevant dimension of {len(marks)} published data sets.{present}",
        caption="Further right, the labels need more directions of this kernel; further up, it explains less of them. "
        + (
            "Dotted lines separate the quadrants of [R]."
            if comparable
            else "A share of the variance cannot be compared with error rates: the published data sets are left out."
        ),
    )


def dimension_moves(places: Sequence[tuple[str, float, float, float, float]]) -> go.Figure:
    """Draw noise over relevant dimension: a line for each data set from the printed point to ours.

    Parameters: (name, printed dimension, printed noise, our dimension, our noise), noise as a share.
    """
    titles, dim, noise, dim_here, noise_here = zip(*places, strict=True)
    names = [escape(title, 30) for title in titles]
    order = sorted(range(len(places)), key=lambda i: (dim_here[i], noise_here[i]))
    spots = ["top center" if order.index(i) % 2 == 0 else "bottom center" for i in range(len(places))]
    written = dict(mode="markers+text", text=names, textposition=spots, textfont=dict(size=11, color=MUTED))
    tip = "%{{hovertext}}, {}<br>d̂ = %{{x}}<br>noise %{{y:.1%}}".format
    traces = [line([p[1], p[3]], [p[2], p[4]], "", MUTED, 1.2, showlegend=False, **GUIDE) for p in places]
    edge = dict(line=dict(width=2))
    square, circle = (_PRINTED, 10, "square-open"), (_HERE, 9, "circle")
    traces += [
        points(dim, noise, "printed", *square, marker=edge, hovertext=names, tip=tip("printed")),
        points(dim_here, noise_here, "here", *circle, cliponaxis=False, hovertext=names, tip=tip("here"), **written),
    ]
    same = sum(quadrant(p[1], p[2]) == quadrant(p[3], p[4]) for p in places)
    return composed(
        traces,
        dict(
            xaxis=axis("relevant dimension d̂") | log_axis([*dim, *dim_here]),
            yaxis=axis("estimated error, share of rows", tickformat=".0%", rangemode="tozero"),
            shapes=[up(LOW_DIMENSION, width=1, dash="dot"), across(LOW_NOISE, dash="dot")],
        ),
        height=420,
        margin=dict(b=84),
        alt=f"Noise over relevant dimension of {len(places)} data sets, printed and computed here.",
        caption="Further left, the labels lie within fewer directions; further down, the noise is lower. "
        f"A line joins the printed point with ours; dotted lines separate the paper's quadrants. "
        f"{same} of {len(places)} data sets stay in the quadrant of their published values.",
    )


def level_gains(gains: Mapping[str, Sequence[tuple[float, float]]], printed: str) -> go.Figure:
    """Draw each level's gain over level 0 with two standard errors, one group of bars per data set.

    Parameters: `gains` (gain, standard error) for levels 1, 2, … by data set; `printed` what the paper shows, as text.
    """
    names = [escape(name, 40) for name in gains]
    wrapped = ["<br>".join(wrap(name, 14)) for name in names]
    shades = [colour for _, colour in SEQUENTIAL[1::2]]
    traces = []
    for level, own in enumerate(zip(*gains.values(), strict=False), 1):
        ends = dict(type="data", array=[2 * error for _, error in own], thickness=1.2, width=3)
        marker = dict(color=shades[level - 1] if level <= len(shades) else MUTED)
        tip = "%{x}, level " + str(level) + ": %{y:+.1%}"
        height = [gain for gain, _ in own]
        traces.append(bars(wrapped, height, f"level {level}", marker=marker, error_y=ends, tip=tip))
    every = [one for own in gains.values() for one in own]
    above = sum(gain > 0 for gain, _ in every)
    clear, down = (sum(sign * gain > 2 * error for gain, error in every) for sign in (1, -1))
    return composed(
        traces,
        dict(
            barmode="group",
            bargap=0.25,
            yaxis=axis("gain over level 0", tickformat="+.0%", zeroline=True, zerolinewidth=2),
        ),
        height=340,
        margin=dict(b=84),
        alt=f"Gain of levels 1 to 5 over level 0 on {', '.join(names)}.",
        caption=f"Bars: the share of the possible gain over level 0, with two standard errors. {printed} Here {above} "
        f"of {len(every)} bars are above zero, {clear} clearly; {down} are clearly below.",
    )


def three_ways(rows: Sequence[tuple[str, float, float, float]], title: str) -> go.Figure:
    """Draw errors as printed, with the kernel chosen on training rows, and with it chosen on test rows.

    Parameters: (kernel, printed, chosen on training rows, chosen on test rows).
    """
    names = [escape(row[0], 30) for row in rows]
    columns = list(zip(*rows, strict=True))[1:]
    kinds = (("printed", _PRINTED, ""), ("chosen on training rows", _HERE, ""), ("chosen on test rows", _AMBER, "/"))
    traces = []
    for (name, colour, shape), values in zip(kinds, columns, strict=True):
        marker = dict(color=colour, pattern=dict(shape=shape))
        words = dict(text=[number(value, 2) for value in values], textposition="outside", cliponaxis=False)
        tip = "%{hovertext}, " + name + ": %{y:.4f}"
        traces.append(bars(list(range(len(names))), values, name, marker=marker, hovertext=names, tip=tip, **words))
    return composed(
        traces,
        dict(barmode="group", bargap=0.3, xaxis=places_axis(names), yaxis=axis("error", rangemode="tozero")),
        height=320,
        margin=dict(b=84),
        alt=f"{title}: errors of {', '.join(names)} as printed, honestly tuned and chosen on test rows.",
        caption="The blue bar is tuned without test rows. For the striped bar the test rows chose the kernel. "
        "Compare both with the printed bar.",
    )
