"""Figures that compare published values with ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import Any

import numpy as np
import plotly.graph_objects as go

from ..analysis.relevant import LOW_DIMENSION, LOW_NOISE, quadrant
from .marks import GUIDE, across, bars, line, log_axis, points, up, whiskers
from .spectrum import INFORMATION
from .theme import BLUE, GOLD, MUTED, ORANGE, SEQUENTIAL, axis, composed, escape, faint

_HERE, _PRINTED, _AMBER = BLUE, ORANGE, GOLD
#: One published or own data set: name, relevant dimension, noise.
Point = tuple[str, float, float]
#: A series: its name, colour, values, and twice their standard errors.
Series = tuple[str, str, Sequence[float], Sequence[float]]


def _beside(x: Sequence[Any], series: Sequence[Series], xaxis: str, yaxis: dict[str, Any], words: str) -> go.Figure:
    """Draw several values at each of some numbers as lines, or at each of some names as bars, with their errors."""
    traces = []
    for name, colour, values, errors in series:
        known = np.asarray(values), np.asarray(errors)
        ends = dict(error_y=whiskers(known[0], known[0] - known[1], known[0] + known[1])) if any(errors) else {}
        tip = "%{x}, " + name + ": %{y:.4f}"
        if isinstance(x[0], str):
            named = ["<br>".join(wrap(escape(one, 40), 14)) for one in x]
            traces.append(bars(named, values, name, colour, tip=tip, **ends))
        else:
            traces.append(line(x, values, name, colour, mode="lines+markers", tip=tip, **ends))
    return composed(
        traces,
        barmode="group",
        bargap=0.25,
        x=xaxis,
        y=yaxis,
        alt=f"{', '.join(name for name, *_ in series)} over {', '.join(escape(one, 40) for one in x)}.",
        caption=words,
    )


def verdict_bars(counts: Mapping[str, tuple[int, int, int, int]]) -> go.Figure:
    """Draw how many published values of each paper agree, agree only if test rows choose, do not agree, lack data."""
    kinds = (
        ("agree", _HERE, "white"),
        ("agree only if test rows choose the kernel", _AMBER, "black"),
        ("do not agree", _PRINTED, "black"),
        ("not compared: no data", faint(MUTED, 0.35), None),
    )
    names = [escape(name) for name in counts]
    traces = [
        bars(
            list(values),
            names,
            name,
            colour,
            orientation="h",
            text=[str(value or "") for value in values],
            textangle=0,
            textfont={} if ink is None else dict(color=ink),
            tip="%{y}: %{x} " + name,
        )
        for (name, colour, ink), values in zip(kinds, zip(*counts.values(), strict=True), strict=True)
    ]
    agree, _, outside, missing = map(sum, zip(*counts.values(), strict=True))
    return composed(
        traces,
        barmode="stack",
        bargap=0.3,
        x=axis("published values", automargin=True),
        y=axis(autorange="reversed", automargin=True),
        legend=True,
        alt=f"Published values of {len(names)} papers: {agree} agree, {outside} do not, {missing} have no data.",
        caption="Each row is a paper; each part counts its published values. Below, a paper's values one by one.",
    )


def published_beside(lines: Sequence[dict[str, Any]], title: str) -> go.Figure:
    """Draw printed and measured means over p; `lines` of `papers.json` whose labels are "p = value"."""
    p = [float(line["label"].partition("= ")[2]) for line in lines]
    errors = [2 * line["published_sd"] / line["published_n"] ** 0.5 for line in lines]
    series = (
        ("printed", _PRINTED, [line["published"] for line in lines], errors),
        ("here", _HERE, [line["ours"] for line in lines], [2 * (line["se"] or 0.0) for line in lines]),
    )
    words = (
        f"{title}: printed and measured error over the power p, bars of two standard errors. Where the bars overlap "
        f"the numbers agree: {sum(line['verdict'] == 'within' for line in lines)} of {len(lines)}."
    )
    return _beside(p, series, "power p", axis("error", rangemode="tozero"), words)


def level_gains(gains: Mapping[str, Sequence[tuple[float, float]]], printed: str) -> go.Figure:
    """Draw each level's gain over level 0 with two standard errors, one group of bars per data set.

    Parameters: `gains` (gain, standard error) for levels 1, 2, … by data set; `printed` what the paper shows, as text.
    """
    shades = [colour for _, colour in SEQUENTIAL[1::2]]
    series = [
        (f"level {level}", shades[(level - 1) % len(shades)], [gain for gain, _ in own], [2 * e for _, e in own])
        for level, own in enumerate(zip(*gains.values(), strict=False), 1)
    ]
    every = [one for own in gains.values() for one in own]
    above = sum(gain > 0 for gain, _ in every)
    clear, down = (sum(sign * gain > 2 * error for gain, error in every) for sign in (1, -1))
    words = (
        f"Bars: the share of the possible gain over level 0, with two standard errors. {printed} Here {above} "
        f"of {len(every)} bars are above zero, {clear} clearly; {down} are clearly below."
    )
    return _beside(list(gains), series, "", axis("gain over level 0", tickformat="+.3~p"), words)


def three_ways(rows: Sequence[tuple[str, float, float, float]], title: str) -> go.Figure:
    """Draw errors as printed, with the kernel chosen on training rows, and with it chosen on test rows.

    Parameters: (kernel, printed, chosen on training rows, chosen on test rows).
    """
    kinds = (("printed", _PRINTED), ("chosen on training rows", _HERE), ("chosen on test rows", _AMBER))
    names, *columns = zip(*rows, strict=True)
    series = [(*kind, values, ()) for kind, values in zip(kinds, columns, strict=True)]
    words = f"{title}: the blue bar is tuned without test rows. For the third bar the test rows chose the kernel."
    return _beside(names, series, "", axis("error", rangemode="tozero"), words)


def noise_dimension_map(
    places: Mapping[str, tuple[float, float]],
    here: Point | None = None,
    ours: Mapping[str, tuple[float, float]] | None = None,
) -> go.Figure:
    """Draw noise over relevant dimension next to published data sets: is this data set noisy, or complex?

    Parameters: `places` published data sets as {name: (dimension, noise)}, noise as a share of rows; `here` the present
    data as (name, dimension, noise); `ours` the same data sets as computed here, each joined by a line with its
    published point.
    """
    ours = ours or {}
    traces = [
        line([d, ours[name][0]], [noise, ours[name][1]], "", MUTED, 1.2, showlegend=False, **GUIDE)
        for name, (d, noise) in places.items()
        if name in ours
    ]
    groups: tuple[tuple[str, list[Point], tuple[str, int, str]], ...] = (
        ("published", _points(places), (MUTED, 8, "square-open" if ours else "circle")),
        ("computed here", _points(ours), (_HERE, 9, "circle")),
        ("here", [] if here is None else [here], (INFORMATION, 15, "star")),
    )
    known = []
    for group, given, style in groups:
        drawn = sorted((p for p in given if np.isfinite(p[1:]).all()), key=lambda p: p[1:])
        if drawn:
            known += drawn
            names, x, y = zip(*drawn, strict=True)
            more: dict[str, Any] = dict(hovertext=[escape(name) for name in names], cliponaxis=False)
            if not ours or group != "published":  # else each name would stand twice
                more |= dict(mode="markers+text", text=[escape(name, 24) for name in names])
                more |= dict(textfont=dict(size=11, color=style[0]), textposition=(_SPOTS * len(drawn))[: len(drawn)])
            tip = "%{hovertext}<br>d̂ = %{x}<br>noise %{y:.1%}"
            traces.append(points(list(map(float, x)), list(map(float, y)), group, *style, tip=tip, **more))
    ends = [1.0, 2.0 * max([p[1] for p in known] + [300.0])]
    rest = "Dotted lines separate the quadrants of [R]."
    if ours:
        same = sum(quadrant(*point) == quadrant(*ours[name]) for name, point in places.items())
        rest += f" {same} of {len(places)} data sets stay in the quadrant of their published values."
    return composed(
        traces,
        axis("relevant dimension d̂") | log_axis(ends) | dict(range=np.log10(ends).tolist()),
        axis(
            "estimated noise, share of rows", tickformat=".0%", range=[-0.03, max([1.12 * p[2] for p in known] + [0.4])]
        ),
        over=up(LOW_DIMENSION, width=1, dash="dot") + across(LOW_NOISE, dash="dot"),
        legend=True,
        alt=f"Noise over relevant dimension of {len(known)} data sets.",
        caption="Further right, the labels need more directions of this kernel; further up, it explains less of them. "
        + rest,
    )


#: Where the names of neighbouring points stand.
_SPOTS = ["top center", "bottom center", "middle right", "middle left"]


def _points(places: Mapping[str, tuple[float, float]]) -> list[Point]:
    return [(name, *point) for name, point in places.items()]
