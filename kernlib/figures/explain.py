"""Figures of explanations: the parts of a kernel value as bars or pixels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from ..explain.explanation import Part, largest
from ..values.words import number
from .marks import axis, bars, heat, places_axis, up
from .theme import BLUE, DIVERGING, ORANGE, SEQUENTIAL, colour_bar, composed, escape

#: Characters of a part's words beside its bar; hovering shows more.
_SHORT, _LONG = 44, 96
#: The height fits at least this many bars, so that a few parts do not become huge bars.
_SLOTS = 5
#: A bar of the other parts together that is more than this many times as long as the longest is cut.
_CUT = 3


def parts_bars(
    parts: Sequence[Part], value: float, *, what: str = "k(x, x')", most: int = 18, caption: str = ""
) -> go.Figure:
    """Draw the largest parts of a value, the others as one hatched bar, and all of them as the table.

    Parameters: `parts` (text, value) summing to `value`, which is `what`.
    """
    shown = largest(parts, most)
    names = [escape(p.text, _SHORT) for p in shown]
    values = np.array([p.value for p in shown], dtype=np.float64)
    hatched, cut = [""] * len(shown), False
    if len(shown) < len(parts):
        longest = np.abs(values[:-1]).max(initial=0.0)
        hatched[-1], cut = "/", abs(values[-1]) > _CUT * longest > 0
        names[-1] = f"{names[-1]}, together {number(shown[-1].value, 4)}{' (bar cut)' if cut else ''}"
    traces = []
    for name, mine, colour in (
        ("adds", np.flatnonzero(values >= 0), BLUE),
        ("subtracts", np.flatnonzero(values < 0), ORANGE),
    ):
        if len(mine):
            pattern = dict(pattern=dict(shape=[hatched[m] for m in mine]))
            words = dict(hovertext=[escape(shown[m].text, _LONG) for m in mine], tip="%{hovertext}<br><b>%{x:.4g}</b>")
            traces.append(bars(values[mine], mine, name, colour, orientation="h", marker=pattern, **words))
    spare = max(0, _SLOTS - len(names)) / 2
    reach = np.clip([min(0, *values), max(0, *values)], -_CUT * longest, _CUT * longest) if cut else None
    count = len(parts)
    return composed(
        traces,
        dict(
            barmode="overlay",
            bargap=0.25,
            xaxis=axis(f"part of {what}", range=reach),
            yaxis=places_axis(names, range=[len(names) - 0.4 + spare, -0.6 - spare], showgrid=False),
            shapes=[up(0, width=1, dash="solid")],
        ),
        height=110 + 23 * max(len(shown), 4),
        alt=f"{count} parts that sum to {number(value, 4)}; the largest is {names[0] if names else 'none'}.",
        caption=caption or f"All {count} parts sum to {what} = {number(value, 4)}. Look for the few that dominate.",
    )


def pixel_parts(values: Any, shape: tuple[int, int], what: str) -> go.Figure:
    """Draw one number per pixel as an image: where two images agree or differ."""
    z = np.asarray(values, dtype=np.float32).reshape(shape)
    signed = bool((z < 0).any())
    reach = float(np.abs(z).max()) or 1.0
    ends = dict(zmin=-reach if signed else 0.0, zmax=reach)
    tip = "row %{y}, column %{x}: %{z:.3g}"
    words = f"{what}, pixel by pixel"
    return composed(
        [heat(z, "pixels", DIVERGING if signed else SEQUENTIAL, colorbar=colour_bar(), tip=tip, **ends)],
        dict(
            xaxis=dict(visible=False, constrain="domain"),
            yaxis=dict(visible=False, autorange="reversed", scaleanchor="x"),
        ),
        height=300,
        alt=f"{words}, {shape[0]} by {shape[1]}.",
        caption=f"{words}: bright pixels contribute most.",
    )
