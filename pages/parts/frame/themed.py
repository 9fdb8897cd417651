"""Figures with the page's theme written out, so that the browser draws them once.

Streamlit applies its theme in the browser, as a template, and then hands the figure to Plotly a second time. Plotly
takes any template for a new one and draws everything again, which is half of a figure's time. Without a template, with
a fixed data revision and with vectors as lists, Plotly sees no change. The values are those of Streamlit's theme, over
the figure's own template.
"""

from __future__ import annotations

import base64
import re
from typing import Any

import numpy as np
from plotly.basedatatypes import BaseFigure

_LETTERS = '"Source Sans", sans-serif'
#: Pixels of small, middle and large letters.
_SIZES = (12, 14, 16)
#: The light theme's own #808495 has a contrast of 3.8 on white.
_QUIET = "#5f6472"
#: Colours of secondary text, text, lines, page, headings and the hover frame, in the light and the dark theme.
_DAY = (_QUIET, "#262730", "#e6eaf1", "#ffffff", "#2f2d2b", "rgba(47, 45, 43, 0.2)")
_NIGHT = ("#e6eaf1", "#fafafa", "#31333f", "#171614", "#edebe8", "rgba(237, 235, 232, 0.2)")
_AXIS = re.compile(r"[xy]axis\d*")


class ThemedFigure(BaseFigure):  # type: ignore[misc]  # Plotly has no types
    """A figure as it is sent to the browser."""

    def __init__(self, drawn: dict[str, Any]) -> None:
        self._drawn = drawn

    def to_dict(self) -> dict[str, Any]:
        return self._drawn


def themed(drawn: dict[str, Any], dark: bool, letters: float = 1.0, settled: bool = True) -> ThemedFigure:
    """Return a figure's dict with its template and the page's theme written out, its letters enlarged by a factor.

    A `settled` figure does not change in the browser; any other goes by Plotly's own comparisons.
    """
    layout = drawn["layout"]
    template = layout.pop("template", {}).get("layout", {})
    layout.pop("meta", None)  # alt text and caption stand beside the figure
    look = _over(_look(dark, letters), template)
    across, down = look.pop("xaxis"), look.pop("yaxis")
    for name in _axes(drawn):
        axis = layout.get(name, {})
        below = across if name[0] == "x" else down
        if not axis.get("showline"):  # Plotly would draw a line that has a colour
            below = {part: value for part, value in below.items() if part != "linecolor"}
        layout[name] = _over(axis, below)
    words = layout.get("title", {}).get("text")
    drawn["layout"] = layout = _over(layout, look)
    if words:
        layout["title"]["text"] = f"<b>{words}</b>"
    if settled:
        layout["datarevision"] = 0  # other data are another figure to Streamlit, which begins it anew
        drawn["data"] = [_lists(trace) for trace in drawn["data"]]
    return ThemedFigure(drawn)


def _look(dark: bool, letters: float) -> dict[str, Any]:
    small, middle, large = (round(letters * size) for size in _SIZES)
    quiet, plain, line, page, heading, frame = _NIGHT if dark else _DAY
    words = dict(color=quiet, size=small)
    axis = dict(gridcolor=line, tickcolor=line, zerolinecolor=line, tickfont=words, automargin=True)
    return dict(
        font=dict(color=quiet, size=small, family=_LETTERS, weight=400),
        title=dict(font=dict(size=large, family=_LETTERS, color=heading), x=0, xanchor="left", pad=dict(l=4)),
        legend=dict(
            title=dict(font=words, side="top"),
            valign="top",
            bordercolor="rgba(0,0,0,0)",
            borderwidth=0,
            font=dict(color=plain, size=small),
        ),
        paper_bgcolor=page,
        plot_bgcolor=page,
        hoverlabel=dict(bgcolor=page, bordercolor=frame, font=dict(color=quiet, family=_LETTERS, size=small)),
        margin=dict(pad=8, r=0, l=0),
        xaxis=dict(axis, showgrid=False, zeroline=False, title=dict(font=dict(color=quiet, size=middle), standoff=20)),
        yaxis=dict(axis, ticklabelposition="outside", title=dict(font=dict(color=quiet, size=middle), standoff=24)),
    )


def _over(given: dict[str, Any], below: dict[str, Any]) -> dict[str, Any]:
    """Return `given` merged over `below`, at every depth."""
    merged = {**below, **given}
    for name, value in given.items():
        under = below.get(name)
        if isinstance(value, dict) and isinstance(under, dict):
            merged[name] = _over(value, under)
    return merged


def _axes(drawn: dict[str, Any]) -> set[str]:
    """Return the axes of the layout, and those that traces lie on by default."""
    axes = {name for name in drawn["layout"] if _AXIS.fullmatch(name)}
    for trace in drawn["data"]:
        if trace.get("type", "scatter") in ("scatter", "heatmap", "bar", "histogram", "box", "violin", "contour"):
            axes |= {"xaxis" + trace.get("xaxis", "x")[1:], "yaxis" + trace.get("yaxis", "y")[1:]}
    return axes


def _lists(node: Any) -> Any:
    """Return the node with vectors as lists: Plotly treats every typed array as changed."""
    if isinstance(node, dict):
        if "bdata" in node and "shape" not in node:
            return np.frombuffer(base64.b64decode(node["bdata"]), node["dtype"]).tolist()
        return {
            name: _lists(value) if isinstance(value, dict) else value for name, value in node.items() if name != "meta"
        }
    return node
