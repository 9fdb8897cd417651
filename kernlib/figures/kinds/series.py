"""Time series as curves, by class, and the best alignment between two of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from ...data import Dataset
from ...kernels.series import best_alignment
from ...stories import Scene
from ...values.series import Series
from ..marks import line
from ..theme import MUTED, class_colour, composed, escape, read_classes
from .pictures import Menu, Picture, Pictures

#: Curves drawn of each class, and points of one curve or of one alignment.
_CURVES, _POINTS, _LINES = 12, 400, 120


class TimeSeries(Pictures):
    def menu(self, data: Dataset) -> Menu | None:
        channels = data.rows[0].channels
        return Menu("Channel", "data.channel", [f"channel {c + 1}" for c in range(channels)]) if channels > 1 else None

    def of_data(self, data: Dataset, chosen: int = 0) -> list[Picture]:
        return [Picture(curves(data, range(data.n), chosen, most=_CURVES), "data.curves", "curves")]

    def of_rows(
        self, data: Dataset, rows: Sequence[int], names: Sequence[str], *, by_class: bool = False, across: int = 8
    ) -> go.Figure:
        return curves(data, rows, 0, names)

    def of_pair(self, data: Dataset, pair: tuple[int, int], names: Sequence[str]) -> list[Picture]:
        return [Picture(alignment(data.rows[pair[0]], data.rows[pair[1]], names), "series", "two-series")]

    def of_scene(self, scene: Scene) -> go.Figure:
        return curves(scene.data, range(scene.data.n), 0)


def curves(
    data: Dataset, rows: Sequence[int], channel: int, names: Sequence[str] | None = None, most: int = 0
) -> go.Figure:
    """Draw one channel of series over time in panels by class; `most` curves of each class, 0 for all."""
    codes, classes = read_classes(data.y if data.classes else None, data.classes)
    groups = (
        [(c, name, [i for i in rows if codes[i] == c]) for c, name in enumerate(classes)] if codes is not None else []
    )
    groups = [group for group in groups if group[2]] or [(0, "series", list(rows))]
    named = dict(zip(rows, names or [data.ids[i] for i in rows], strict=True))
    traces, layout, drawn = [], {}, 0
    gap = 0.06 if len(groups) > 1 else 0.0
    height = (1.0 - gap * (len(groups) - 1)) / len(groups)
    for place, (code, name, members) in enumerate(groups):
        axis, top = str(place + 1) if place else "", 1.0 - place * (height + gap)
        shown = members[:most] if most else members
        drawn += len(shown)
        for k, i in enumerate(shown):
            values = data.rows[i].values[:, channel]
            step = -(-len(values) // _POINTS)
            traces.append(
                line(
                    np.arange(0, len(values), step),
                    values[::step].astype(np.float32),
                    name,
                    class_colour(code),
                    1.5,
                    legendgroup=name,
                    showlegend=k == 0,
                    opacity=0.75,
                    yaxis=f"y{axis}",
                    tip=f"{escape(named[i], 40)}<br>time %{{x}}: %{{y:.3g}}",
                )
            )
        layout[f"yaxis{axis}"] = dict(domain=[max(0.0, top - height), top], anchor="x", zeroline=False)
    last = f"y{len(groups)}" if len(groups) > 1 else "y"
    layout["xaxis"] = dict(title=dict(text="time"), anchor=last, zeroline=False)
    words = f"{drawn} of {len(rows)} series" if drawn < len(rows) else f"{drawn} series"
    panels = ", one panel for each class." if len(groups) > 1 else "."
    return composed(
        traces, layout, alt=f"Curves of {words} over time{panels}", caption=f"{words}, value over time{panels}"
    )


def alignment(x: Series, y: Series, names: Sequence[str]) -> go.Figure:
    """Draw the first channel of two series above each other, with lines between the times of their best alignment."""
    path = best_alignment(_shortened(x), _shortened(y))
    a, b = _shortened(x)[:, 0], _shortened(y)[:, 0]
    apart = float(np.ptp(a) / 2 + np.ptp(b) / 2) * 1.4 or 1.0
    a = a - a.mean() + apart
    b = b - b.mean()
    chosen = path[np.unique(np.linspace(0, len(path) - 1, _LINES).astype(int))]
    gaps = np.full(len(chosen), np.nan)
    across = np.column_stack([chosen, gaps]).ravel()
    up = np.column_stack([a[chosen[:, 0]], b[chosen[:, 1]], gaps]).ravel()
    lines = line(across, up, "aligned times", MUTED, 1, opacity=0.5, tip="")
    both = [
        line(np.arange(len(values)), values, escape(name, 40), class_colour(code), 2.5, tip="time %{x}")
        for code, (values, name) in enumerate(((a, names[0]), (b, names[1])))
    ]
    first = "The two series. "
    if x.channels > 1:
        first = f"The first of {x.channels} channels of both series; the alignment reads all channels. "
    return composed(
        [lines, *both],
        dict(xaxis=dict(title=dict(text="time"), zeroline=False), yaxis=dict(visible=False), height=320),
        alt=f"Two series with {len(path)} aligned pairs of times.",
        caption=f"{first}The first is shifted up. Lines join the times that the best alignment puts together.",
    )


def _shortened(series: Series) -> np.ndarray:
    """Return at most so many times of a series as a picture can show."""
    return series.values[:: -(-series.length // _POINTS)]
