"""The film: one figure with frames that the browser plays without the server."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray
from plotly.subplots import make_subplots

from ..errors import DataError
from ..overview.film import Film, Frame, turned
from ..overview.sentence import plain_words
from ..protocols import HalvesErrors
from ..values.arrays import Array
from ..values.words import value_in_words
from .gram import MATTERS, cell_labels, film_edges, struck_diagonal
from .overview import (
    class_key,
    coefficient_traces,
    error_axis,
    error_key,
    far_note,
    guessing_far,
    plane_traces,
    what_if_axis,
    what_if_traces,
)
from .theme import DIVERGING, SEQUENTIAL, dotted, escape, finish, read_classes

if TYPE_CHECKING:
    import pandas as pd

_STILL = {"mode": "immediate", "frame": {"duration": 0, "redraw": True}, "transition": {"duration": 0}}
#: Pixels of the figure, of the space below its panels, and of the space above the controls there.
_HEIGHT, _BELOW, _CONTROLS = 650, 132, 74
#: The same figure on a telephone: its height, the space above its panels with sentence and controls, and below them.
_UPRIGHT, _ABOVE, _UNDER = 1080, 190, 56
#: A cell this far beyond the colours is not cut: the mean diagonal itself, in single precision.
_ROUNDING = 1e-5
#: Milliseconds of a frame while the film plays.
_PACE = 450


def film_figure(
    film: Film,
    y: ArrayLike | None = None,
    classes: Sequence[Any] = (),
    ids: Sequence[Any] | None = None,
    order: ArrayLike | None = None,
    *,
    log: bool = False,
    per_frame: bool = False,
    stretched: bool = False,
    start: int = 0,
    live: tuple[int, Array] | None = None,
    rows: str = "rows",
    narrow: bool = False,
) -> go.Figure:
    """Draw Gram matrix, feature map, label coefficients and errors over the values of one parameter as a film.

    Every matrix is divided by its mean diagonal and drawn in 256 shades (8 bits) from 0, or −1 where entries of both
    signs matter, to 1; feature maps are rotated onto each other. Parameters: `y`, `classes`, `ids` of the rows; `order`
    (n,) the frames' row order, for class boundaries; `log` a logarithmic axis; `stretched` colours over the entries off
    the diagonal; `per_frame` such colours, and axes, for every frame; `start` the first frame shown; `live` a frame and
    the (n, 2) feature map that it is rotated onto, so that the film is not a mirror image of
    another picture; `rows` the word for rows; `narrow` panels below each other, for a telephone.
    Raises DataError for a film without a computed frame.
    """
    good = [f for f in film.frames if not f.problem]
    if not good:
        why = film.frames[0].problem if film.frames else "there are no values"
        raise DataError(f"film: expected at least one value at which the kernel can be evaluated; got none. {why}")
    start = min(max(start, 0), len(film.frames) - 1)
    n, block = len(good[0].plane), good[0].block
    codes, names = read_classes(y, classes)
    places = np.asarray([] if order is None else order, dtype=np.intp)
    ordered = None if codes is None or order is None else codes[places]
    edge, lines = film_edges(ordered, names, block, len(good[0].cells))
    known = [f.errors for f in good if f.errors is not None]
    if known and math.isfinite(known[0].chance) and not guessing_far(known):
        lines.append(dotted(known[0].chance, "4"))
    scene = _Scene(
        film, good,
        turned([f.plane for f in film.frames], *(live or (start,))),
        _limits(film, good, per_frame, stretched),
        (y, classes, ids), cell_labels(places, ordered, names, ids, block), rows, per_frame, stretched or per_frame,
        lines, narrow,
    )  # fmt: skip
    fig = _panels(scene.shown > 0, narrow)
    if (key := class_key(y, classes, "2")) is not None:
        fig.add_annotation(key)
    for trace, (row, column) in scene.traces(start):
        fig.add_trace(trace, row=row, col=column)
    fig.frames = [
        go.Frame(
            name=value_in_words(frame.value),
            data=[_moving(trace) for trace, _ in scene.traces(i)],
            traces=list(range(len(fig.data))),
            layout=scene.layout(i),
        )
        for i, frame in enumerate(film.frames)
    ]
    _axes(fig, scene, edge, known, log)
    values = [value_in_words(value) for value in film.values]
    place = dict(x=0.29, len=0.71, y=1, yanchor="bottom", pad=dict(t=0, b=34)) if narrow else dict(x=0.13, len=0.87)
    fig.update_layout(film_controls(values, values, start, place))
    fig.update_layout(dict(shapes=lines) | scene.layout(start))
    scale = "Colours reach to the mean diagonal. "
    if scene.stretched:
        whose = "each frame in its own range of colours and axes" if per_frame else "one range for all frames"
        scale = f"Colours cover 2 to 98% of the entries off the diagonal, {whose}. "
    struck = "A dashed diagonal lies beyond the colours. " if any(scene.beyond) else ""
    averaged = f"Each cell averages {block}×{block} entries, and the diagonal shows k(x, x). " if block > 1 else ""
    labelled = scene.shown > 0
    shown_too = ", feature map, label coefficients and errors" if labelled else " and feature map"
    return finish(
        fig, height=_UPRIGHT if narrow else _HEIGHT, legend=False,
        margin=dict(t=_ABOVE, b=_UNDER, r=4) if narrow else dict(t=84, b=_BELOW),
        alt=f"Film of {len(film.frames)} values of {escape(film.name)}: Gram matrix of {n} {rows}{shown_too}.",
        caption=f"Every matrix is divided by its mean diagonal. {scale}{struck}{averaged}Feature maps are rotated "
        "onto each other, so that nothing flips."
        + (" Errors are those of a machine on five random halves." if labelled else ""),
    )  # fmt: skip


@dataclass(frozen=True)
class _Scene:
    """The input of a film's frames: planes and colour limits by frame, the rows' labels, names of the cells."""

    film: Film
    good: list[Frame]
    planes: list[Array]
    limits: list[tuple[float, float]]
    labels: tuple[ArrayLike | None, Sequence[Any], Sequence[Any] | None]
    names: list[str]
    rows: str
    per_frame: bool
    stretched: bool
    lines: list[dict[str, Any]]
    narrow: bool

    @cached_property
    def beyond(self) -> list[bool]:
        """Return for each frame whether its diagonal lies beyond the colours."""
        frames = zip(self.film.frames, self.limits, strict=True)
        return [
            self.stretched and not f.problem and float(np.median(np.diagonal(f.cells))) > high
            for f, (_, high) in frames
        ]

    @cached_property
    def shown(self) -> int:
        """Return the number of label coefficients in view; 0 without labels."""
        usual = 3 * float(np.median([f.dimension or 0 for f in self.good]))
        return min(max(20, round(usual)), 120, max(len(f.coefficients) for f in self.good))

    def traces(self, i: int) -> list[tuple[dict[str, Any], tuple[int, int]]]:
        """Return all traces of frame i with their panels, in the same order for every frame."""
        frame, frames = self.film.frames[i], self.film.frames
        traces = [(self._matrix(i), (1, 1))]
        _, plane, labels, errors_at = places(self.narrow)
        traces += [(t, plane) for t in plane_traces(self.planes[i], *self.labels)]
        if self.shown:
            traces += [(t, labels) for t in coefficient_traces(frame, self.shown)]
            values, errors = [f.value for f in frames], [f.errors for f in frames]
            traces += [(t, errors_at) for t in what_if_traces(values, errors, frame.value, frame.errors)]
        return traces

    def _matrix(self, i: int) -> dict[str, Any]:
        (low, high), frame = self.limits[i], self.film.frames[i]
        cells = np.zeros_like(self.good[0].cells) if frame.problem else frame.cells
        # A value negligible in this range is written as 0, not as 3.8e-24.
        ticks = [f"{t:.2g}" if abs(t) > 1e-3 * (high - low) else "0" for t in np.linspace(low, high, 5).tolist()]
        # The ends of the bar say what is cut.
        ticks[0] = f"≤ {ticks[0]}" if (cells < low - _ROUNDING).any() else ticks[0]
        ticks[-1] = f"≥ {ticks[-1]}" if (cells > high + _ROUNDING).any() else ticks[-1]
        signed = low < 0 and not self.stretched
        return dict(
            type="heatmap", z=_shades(cells, low, high), zmin=0, zmax=255,
            colorscale=DIVERGING if signed else SEQUENTIAL,
            name="K", opacity=0 if frame.problem else 1,
            x=self.names, y=self.names, hovertemplate="%{y}<br>%{x}<extra></extra>",
            colorbar=dict(
                orientation="h", thickness=9, xanchor="center", yanchor="top", ypad=32, outlinewidth=0,
                **(dict(len=0.8, x=0.5, y=1 - _MATRIX) if self.narrow else dict(len=0.36, x=0.23, y=0)),
                tickvals=[0, 63.75, 127.5, 191.25, 255], ticktext=ticks,
            ),
        )  # fmt: skip

    def layout(self, i: int) -> dict[str, Any]:
        """Return the layout of frame i: its title, a line over a diagonal beyond the colours, axes of its own."""
        frame = self.film.frames[i]
        words = frame.problem or (plain_words(frame.seen, self.rows.removesuffix("s"), self.rows) if frame.seen else "")
        width, most = (48, 6) if self.narrow else (110, 3)
        lines = _lines(f"{self.film.name[:20]} = {value_in_words(frame.value)}: {words}", width, most)
        layout: dict[str, Any] = {"title": {"text": f"<b>{'<br>'.join(lines)}</b>", "font": {"size": 14}}}
        if any(self.beyond):
            layout["shapes"] = [*self.lines, *(struck_diagonal(len(frame.cells), "") if self.beyond[i] else ())]
        return layout | _plane_ranges([self.planes[i]]) if self.per_frame else layout


#: The matrix's share of the height on a telephone.
_MATRIX = 0.42


def places(narrow: bool) -> tuple[tuple[int, int], ...]:
    """Return row and column of matrix, feature map, coefficients and errors."""
    return ((1, 1), (2, 1), (3, 1), (3, 2)) if narrow else ((1, 1), (1, 2), (2, 2), (2, 3))


def _panels(labelled: bool, narrow: bool) -> go.Figure:
    """Return the empty figure: matrix, feature map and, with labels, coefficients and errors."""
    grid: dict[str, Any] = dict(
        rows=2, cols=3, column_widths=[0.5, 0.25, 0.25], row_heights=[0.58, 0.42], horizontal_spacing=0.075,
        vertical_spacing=0.24, specs=[[{"rowspan": 2}, {"colspan": 2}, None], [None, {}, {}]],
    )  # fmt: skip
    if narrow:
        space = 0.125
        grid = dict(
            rows=3, cols=2, column_widths=[0.38, 0.62], horizontal_spacing=0.22, vertical_spacing=space,
            row_heights=[_MATRIX, 0.5 - space - 0.5 * _MATRIX, 0.5 - space - 0.5 * _MATRIX],
            specs=[[{"colspan": 2}, None], [{"colspan": 2}, None], [{}, {}]],
        )  # fmt: skip
    fig = make_subplots(
        **grid,
        subplot_titles=["<b>Gram matrix</b> / mean k(x, x)", "<b>Feature map</b>"]
        + (["<b>What the labels need</b>", "<b>What if?</b>"] if labelled else []),
    )
    raised = ("x3", "x4") if narrow else ("x4",)  # the key of the errors is between title and panel
    for title, axis in zip(fig.layout.annotations, ("x", "x2", "x3", "x4"), strict=False):
        title.update(x=0, xref=f"{axis} domain", xanchor="left", font_size=14, yshift=20 if axis in raised else 2)
    return fig


def _limits(film: Film, good: Sequence[Frame], per_frame: bool, stretched: bool) -> list[tuple[float, float]]:
    """Return the colours' range of each frame: to the mean diagonal, or stretched to the entries off it."""
    if per_frame:
        return [film_limits([frame]) for frame in film.frames]
    if stretched:
        return [film_limits(good)] * len(film.frames)
    signed = any(float(np.nanmin(frame.cells)) < -MATTERS for frame in good)
    return [(-1.0 if signed else 0.0, 1.0)] * len(film.frames)


def film_limits(frames: Sequence[Frame]) -> tuple[float, float]:
    """Return colour limits over frames, in units of the mean diagonal: 2 to 98% of the cells off the diagonal.

    A single very similar pair of rows would otherwise darken the rest of the film.
    """
    lows, highs = [], []
    for frame in frames:
        z = frame.cells
        if frame.problem or not np.isfinite(z).any():
            continue
        off = z[~np.eye(len(z), dtype=bool)] if len(z) > 1 else z.ravel()
        low, high = np.quantile(off[np.isfinite(off)], [0.02, 0.98]).tolist()
        lows.append(low)
        highs.append(high)
    low, high = min(lows, default=0.0), max(highs, default=1.0)
    if not high > low:
        pad = 0.5 * abs(low) or 0.5
        low, high = low - pad, high + pad
    return low, high


def film_table(film: Film) -> pd.DataFrame:
    """Return the numbers of every frame as a table, one row per value."""
    import pandas as pd

    rows = []
    for frame in film.frames:
        seen, errors, quick = frame.seen, frame.errors, frame.quick
        rows.append(
            {
                film.name: frame.value,
                "mean diagonal": math.nan if frame.problem else frame.scale,
                "diagonal ratio": frame.ratio,
                "mean within a class": seen.within if seen else math.nan,
                "mean between classes": seen.between if seen else math.nan,
                "relevant dimension": frame.dimension,
                "−log ℓ": frame.likelihood,
                "test error": errors.test if errors else math.nan,
                "training error": errors.training if errors else math.nan,
                "squared leave-one-out error": quick.squared if quick else math.nan,
                "problem": frame.problem,
            }
        )
    return pd.DataFrame(rows)


def _shades(cells: Array, low: float, high: float) -> NDArray[np.uint8]:
    """Return 8-bit shades; a missing value is the darkest."""
    share = np.nan_to_num((cells - low) / (high - low), nan=0.0)
    return (np.clip(share, 0.0, 1.0) * 255).round().astype(np.uint8)


def _moving(full: dict[str, Any]) -> dict[str, Any]:
    """Return the part of a trace that changes between frames."""
    if full["type"] == "heatmap":
        bar = {"ticktext": full["colorbar"]["ticktext"]}
        return {"type": "heatmap", "z": full["z"], "opacity": full["opacity"], "colorbar": bar}
    if full["type"] == "bar":
        return {"type": "bar", "y": full["y"], "marker": {"color": full["marker"]["color"]}}
    if full.get("name") == "now":
        return {"type": "scatter", "x": full["x"], "y": full["y"], "customdata": full["customdata"]}
    if full.get("mode") == "lines+markers":
        return {"type": "scatter"}
    return {"type": full["type"], "x": full["x"], "y": full["y"]}


def _lines(text: str, width: int, most: int) -> list[str]:
    """Return escaped lines, as a title does not wrap."""
    lines = textwrap.wrap(text, width, max_lines=most, placeholder="…", break_on_hyphens=False)
    return [escape(line, width) for line in lines]


def _plane_ranges(planes: Sequence[Array]) -> dict[str, Any]:
    known = [p for p in planes if np.isfinite(p).all()]
    if not known:
        return {}
    together = np.concatenate(known)
    low, high = together.min(axis=0), together.max(axis=0)
    pad = 0.06 * (high - low)
    pad[pad == 0] = 0.5
    return {f"{axis}axis2": {"range": [float(low[k] - pad[k]), float(high[k] + pad[k])]} for k, axis in enumerate("xy")}


def _axes(fig: go.Figure, scene: _Scene, edge: dict[str, Any], known: Sequence[HalvesErrors], log: bool) -> None:
    """Set all axes; `edge` is what those of the matrix share, `known` are the errors of all frames that have some."""
    film, good = scene.film, scene.good
    matrix, plane, labels, errors = (dict(row=row, col=col) for row, col in places(scene.narrow))
    fig.update_xaxes(**matrix, tickangle=0, **edge)
    fig.update_yaxes(**matrix, autorange="reversed", scaleanchor="x", constraintoward="top", tickangle=-90, **edge)
    fig.update_layout(_plane_ranges(scene.planes))
    # Close to its ticks: the title of the panel below begins right under it.
    fig.update_xaxes(**plane, title_text="direction 1, centred", title_standoff=2, zeroline=False)
    fig.update_yaxes(**plane, title_text="direction 2", zeroline=False)
    if scene.shown:
        top = max((float(np.nanmax(f.coefficients)) for f in good if len(f.coefficients)), default=1.0)
        words = "direction i" if scene.narrow else "direction i; blue up to d̂"
        fig.update_xaxes(**labels, title_text=words, range=[0.2, scene.shown + 0.8])
        fig.update_yaxes(**labels, title_text="|s<sub>i</sub>|", range=[0, 1.05 * top])
        fig.update_xaxes(**errors, title_text=escape(film.name), **what_if_axis(film.values, None, log))
        fig.update_yaxes(**errors, **error_axis(known, far := guessing_far(known)))
        for note in (error_key(known, "4"), *([far_note(known, "4")] if far else ())):
            fig.add_annotation(note)


def film_controls(names: Sequence[str], labels: Sequence[str], start: int, place: dict[str, Any]) -> dict[str, Any]:
    """Return a film's slider over its frames and the buttons that play and stop it, below the pictures.

    Parameters: `names` of the frames; `labels` of the slider's ticks; `place` of the slider, its x and len, and its y
    where that is not below the pictures.
    """
    height: dict[str, Any] = dict(y=0, yanchor="top", pad=dict(t=_CONTROLS, b=0))
    place = height | place
    height = {name: place[name] for name in height}
    height["pad"] = dict(t=place["pad"]["t"], b=place["pad"]["b"], r=0)
    play = {
        "mode": "immediate", "fromcurrent": True, "frame": {"duration": _PACE, "redraw": True},
        "transition": {"duration": 0},
    }  # fmt: skip
    return dict(
        sliders=[
            dict(
                active=start, ticklen=4, currentvalue=dict(visible=False),
                steps=[
                    dict(label=label, method="animate", args=[[name], _STILL])
                    for name, label in zip(names, labels, strict=True)
                ],
                **place,
            )
        ],
        updatemenus=[
            dict(
                type="buttons", direction="left", showactive=False, x=0, xanchor="left", font=dict(size=14), **height,
                buttons=[
                    dict(label="▶", method="animate", args=[None, play]),
                    dict(label="❚❚", method="animate", args=[[None], _STILL]),
                ],
            )
        ],
    )  # fmt: skip
