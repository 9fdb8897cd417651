"""Figures of predicted probabilities: how often a class occurs for each probability."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from ..analysis.outcomes import Calibration
from ..values.words import number
from .marks import axis, bars, line
from .theme import MUTED, class_colour, composed, equal_line, escape, panels


def calibration_plot(calibration: Calibration, name: str = "the class", code: int = 1) -> go.Figure:
    """Draw the share of a class over its predicted probability, bin by bin, and the rows in every bin below."""
    one = calibration
    name, colour = escape(name), class_colour(code)
    ends = dict(array=one.high - one.share, arrayminus=one.share - one.low, color=colour, thickness=1.5, width=4)
    shares = line(
        one.mean,
        one.share,
        "share of rows, 95% interval",
        mode="lines+markers",
        line=dict(color=colour),
        marker=dict(color=colour, size=9),
        customdata=np.column_stack([one.rows, one.low, one.high]),
        error_y=dict(type="data", symmetric=False, **ends),
        tip="probability %{x:.2f}: <b>%{y:.1%}</b> of %{customdata[0]} rows, interval %{customdata[1]:.0%} "
        "to %{customdata[2]:.0%}",
    )
    hits = np.rint(one.share * one.rows)
    below = dict(x=one.edges.mean(axis=1), width=np.diff(one.edges)[:, 0], xaxis="x2", yaxis="y2", cliponaxis=False)
    counted = [
        bars(y=values, name=words, colour=paint, text=text, textposition="outside", tip="%{y} " + words, **below)
        for values, words, paint, text in (
            (hits, f"rows of {name}", colour, None),
            (one.rows - hits, "other rows", MUTED, one.rows),
        )
    ]
    layout = panels(2, 1, shared_xaxes=True, row_heights=(0.68, 0.32), vertical_spacing=0.05)
    unit = dict(range=[-0.02, 1.02], tickformat=".0%", dtick=0.25, tick0=0)
    layout["xaxis"] |= unit
    layout["xaxis2"] |= axis(f"predicted probability of {name}", **unit)
    layout["yaxis"] |= axis("share of rows", range=[-0.03, 1.03], tickformat=".0%")
    layout["yaxis2"] |= axis("rows", range=[0, 1.25 * float(one.rows.max())])
    off = int(((one.mean < one.low) | (one.mean > one.high)).sum())
    return composed(
        [equal_line([0, 1], "calibrated"), shares, *counted],
        layout | dict(barmode="stack", bargap=0.03),
        height=560,
        alt=f"Calibration of the probability of {name}. In {off} of {len(one.rows)} bins the probability lies outside "
        f"the interval of the share. Brier score {number(one.brier, 3)}.",
        caption="Rows in bins of their predicted probability, each predicted while it was a test row. Points on the "
        "dashed line are calibrated. Below it the probabilities are too high, above it too low. The numbers count "
        "the rows of each bin.",
    )
