"""Figures of predicted probabilities: how often a class occurs for each probability."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from ..analysis.outcomes import Calibration
from ..values.words import number
from .theme import MUTED, class_colour, equal_line, escape, finish


def calibration_plot(calibration: Calibration, name: str = "the class", code: int = 1) -> go.Figure:
    """Draw the share of a class over its predicted probability, bin by bin, and the rows in every bin below."""
    one = calibration
    name, colour = escape(name), class_colour(code)
    fig = make_subplots(rows=2, cols=1, shared_xaxes=True, row_heights=[0.68, 0.32], vertical_spacing=0.05)
    fig.add_trace(equal_line([0, 1], "calibrated"))
    fig.add_scatter(
        x=one.mean, y=one.share, mode="lines+markers", name="share of rows, 95% interval", line=dict(color=colour),
        marker=dict(color=colour, size=9), customdata=np.column_stack([one.rows, one.low, one.high]),
        error_y=dict(type="data", symmetric=False, array=one.high - one.share, arrayminus=one.share - one.low,
                     color=colour, thickness=1.5, width=4),
        hovertemplate="probability %{x:.2f}: <b>%{y:.1%}</b> of %{customdata[0]} rows, interval %{customdata[1]:.0%} "
        "to %{customdata[2]:.0%}<extra></extra>",
    )  # fmt: skip
    middle = one.edges.mean(axis=1)
    hits = np.rint(one.share * one.rows)
    for values, words, paint, text in (
        (hits, f"rows of {name}", colour, None), (one.rows - hits, "other rows", MUTED, one.rows)
    ):  # fmt: skip
        fig.add_bar(
            x=middle, y=values, width=one.edges[:, 1] - one.edges[:, 0], name=words, text=text, cliponaxis=False,
            marker=dict(color=paint, line_width=0), textposition="outside",
            hovertemplate="%{y} " + words + "<extra></extra>", row=2, col=1,
        )  # fmt: skip
    fig.update_layout(barmode="stack", bargap=0.03)
    fig.update_xaxes(range=[-0.02, 1.02], tickformat=".0%", dtick=0.25, tick0=0)
    fig.update_xaxes(title_text=f"predicted probability of {name}", row=2, col=1)
    fig.update_yaxes(title_text="share of rows", range=[-0.03, 1.03], tickformat=".0%", row=1, col=1)
    fig.update_yaxes(title_text="rows", range=[0, 1.25 * float(one.rows.max())], row=2, col=1)
    off = int(((one.mean < one.low) | (one.mean > one.high)).sum())
    return finish(
        fig, height=560,
        alt=f"Calibration of the probability of {name}. In {off} of {len(one.rows)} bins the probability lies outside "
        f"the interval of the share. Brier score {number(one.brier, 3)}.",
        caption="Rows in bins of their predicted probability, each predicted while it was a test row. Points on the "
        "dashed line are calibrated. Below it the probabilities are too high, above it too low. The numbers count "
        "the rows of each bin.",
    )  # fmt: skip
