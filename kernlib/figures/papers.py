"""A printed curve beside ours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from .theme import CLASS_COLOURS, finish

__all__ = ["published_beside"]


def published_beside(lines: Sequence[dict[str, Any]], title: str) -> go.Figure:
    """Printed and measured means over p, each with twice its standard error.

    Parameters: `lines` of `papers.json` whose labels are "p = value".
    """
    fig = go.Figure()
    p = [float(line["label"].partition("= ")[2]) for line in lines]
    printed = [2 * line["published_sd"] / line["published_n"] ** 0.5 for line in lines]
    ours = [2 * (line["se"] or 0.0) for line in lines]
    for name, key, reach, colour, symbol in (
        ("printed", "published", printed, CLASS_COLOURS[1], "square"),
        ("here", "ours", ours, CLASS_COLOURS[0], "circle"),
    ):
        fig.add_scatter(
            x=p, y=[line[key] for line in lines], name=name, mode="lines+markers", line_color=colour,
            marker_symbol=symbol, error_y=dict(type="data", array=reach, thickness=1.2, width=4),
        )  # fmt: skip
    fig.update_xaxes(title_text="power p")
    fig.update_yaxes(title_text="error", rangemode="tozero")
    agree = sum(line["verdict"] == "within" for line in lines)
    return finish(
        fig,
        alt=f"{title}: printed and measured error over the power p, from {p[0]:g} to {p[-1]:g}.",
        caption=f"Printed and measured error over the power p, bars of two standard errors. Where the bars reach each "
        f"other the figures agree: {agree} of {len(lines)}.",
        height=320,
        bottom=80,
    )
