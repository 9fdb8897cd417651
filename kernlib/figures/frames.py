"""Frames of a moving slider: small pictures that a browser draws over a figure while its parameter moves."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray

from ..values.arrays import Array
from .gram import ColourScale, ValueRange, colour_scale
from .marks import even_ticks
from .theme import BLUE, DIVERGING, SEQUENTIAL, composed, look_up, plain, read_classes, runs

#: Share of the range that is left free around the points.
_PAD = 0.05


def matrix_frames(
    figure: str, matrices: Sequence[Array | None], ranges: Sequence[ValueRange], y: ArrayLike | None
) -> dict[str, Any]:
    """Return the frames of a square heatmap for the browser, one for each matrix; None where one is not known.

    Parameters: `figure` the key of the figure below; `matrices` each (b, b), rows in the order shown; `ranges` of the
    colours of each, as in `gram_heatmap`; `y` labels in the order shown, whose classes are divided by lines, or None.

    >>> drawn = matrix_frames("gram", [np.eye(2), None], [(0.0, 1.0)] * 2, None)
    >>> drawn["side"], base64.b64decode(drawn["frames"][0]["shades"]).hex(), drawn["frames"][1]
    (2, 'ff0000ff', None)
    """
    known = [matrix for matrix in matrices if matrix is not None]
    frames = [
        None if matrix is None else _matrix_frame(matrix, colour_scale(matrix, matrix, values))
        for matrix, values in zip(matrices, ranges, strict=True)
    ]
    steps = np.arange(256.0)[None, :]
    palettes = [_packed(look_up(steps, 0.0, 255.0, colours)) for colours in (SEQUENTIAL, DIVERGING)]
    codes, _ = read_classes(y, ())
    blocks = [] if codes is None else runs(codes)
    lines = [start / len(codes) for _, start, _ in blocks[1:]] if codes is not None else []
    return {
        "figure": figure,
        "kind": "matrix",
        "side": len(known[0]) if known else 0,
        "palettes": palettes,
        "lines": lines if codes is not None and len(blocks) == len(np.unique(codes)) else [],
        "frames": frames,
    }


def _matrix_frame(matrix: Array, scale: ColourScale) -> dict[str, Any]:
    """Return a matrix with its colour bar; a diagonal beyond the colours is struck out."""
    beyond, (values, texts) = scale.beyond(matrix), scale.ticks(matrix)
    at = [(value - scale.low) / (scale.high - scale.low) for value in values]
    return {
        "shades": _packed(_shades(matrix, scale.low, scale.high)),
        "palette": int(scale.low < 0),
        "title": scale.title(beyond),
        "ticks": list(zip(at, texts, strict=True)),
        "struck": beyond is not None,
    }


def sentence_frames(sentences: Sequence[str | None]) -> dict[str, Any]:
    """Return the frames of a page's sentence, None where it is not known."""
    return {"figure": "sentence", "kind": "sentence", "frames": list(sentences)}


def figure_frames(figure: str, stops: Sequence[go.Figure | None], own_axes: bool = False) -> dict[str, Any]:
    """Return the frames of a figure for the browser, its traces and shapes at each stop; None where one is not known.

    Parameters: `figure` the key of the figure below; `stops` from `composed`; `own_axes` whether each stop has axes of
    its own, which its traces fill where they have no "range". Else the stops have the axes of the figure at rest.

    >>> from kernlib.figures.marks import points
    >>> stop = composed([points([0.0, 1.0], [0.0, 2.0], "rows")], "a", "b", alt="", caption="")
    >>> (frame,) = figure_frames("map", [stop], own_axes=True)["frames"]
    >>> frame["y"]["title"], frame["y"]["ticks"][0]
    ('b', (0.045, '0'))
    >>> np.frombuffer(base64.b64decode(frame["traces"][0]["places"]), "<u2")
    array([ 2979,  2979, 62556, 62556], dtype=uint16)
    """
    frames = [None if fig is None else figure_frame(fig, own_axes) for fig in stops]
    return {"figure": figure, "kind": "traces", "frames": frames}


def figure_frame(fig: go.Figure, own_axes: bool = False) -> dict[str, Any]:
    """Return the points, lines, bars and shapes of a figure, and with `own_axes` the titles and ticks of its axes."""
    drawn = plain(fig)
    layout, traces = drawn["layout"], [one for one in drawn["data"] if one["type"] not in ("heatmap", "contour")]
    axes = {name: layout[f"{name}axis"] for name in "xy"}
    axes = {name: one if "range" in one else _filled(one, [t[name] for t in traces]) for name, one in axes.items()}
    frame: dict[str, Any] = {
        "traces": [_trace(one, axes) for one in traces],
        "shapes": [_shape(one, axes) for one in layout.get("shapes", ())],
    }
    for name, one in axes.items() if own_axes else ():
        low, high = one["range"]
        values, texts = even_ticks(low, high, 6)
        ticks = zip(_share(values, one).round(3).tolist(), texts, strict=True)
        frame[name] = {"title": one["title"]["text"], "ticks": list(ticks)}
    return frame


def _filled(axis: Mapping[str, Any], values: Sequence[Any]) -> dict[str, Any]:
    """Return an axis that the values fill, with a margin."""
    every = np.concatenate(values)
    low, high = float(every.min()), float(every.max())
    middle, reach = (low + high) / 2, (0.5 + _PAD) * (high - low or 1.0)
    return {**axis, "range": [middle - reach, middle + reach]}


def _trace(trace: Mapping[str, Any], axes: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    places = np.column_stack([_share(trace[name], axes[name]) for name in "xy"])
    kind, (low, high) = trace.get("mode", "bar"), axes["x"]["range"]
    if kind == "bar":  # a bar beyond the axis is cut off, a point there is not drawn
        places[:, 1] = np.minimum(places[:, 1], 1.0)
    inside = np.asarray(((places >= 0) & (places <= 1)).all(axis=1))
    written = zip(trace.get("text", ()), trace.get("textposition", ()), inside, strict=False)
    style = trace.get("line" if kind == "lines" else "marker", {})
    colour = style.get("color")
    return {
        "places": _packed((places[inside] * 65535).round().astype("<u2")),
        "kind": kind,
        "colour": colour if isinstance(colour, str) else BLUE,
        "opacity": style.get("opacity", 1.0),
        "width": style.get("width", style.get("line", {}).get("width", 2)),
        "dash": style.get("dash", "solid") != "solid",
        "size": 0.85 / (high - low) if kind == "bar" else style.get("size", 8),
        "symbol": style.get("symbol", "circle"),
        "names": [(text, "right" if "left" in side else "center") for text, side, there in written if there],
    }


def _shape(shape: Mapping[str, Any], axes: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return a line or an area with its ends x0, y0, x1, y1 as shares of the axes."""
    ends = [
        shape[f"{name}{end}"] if "domain" in shape.get(f"{name}ref", "") else float(_share(shape[f"{name}{end}"], one))
        for end in "01"
        for name, one in axes.items()
    ]
    return {"ends": ends, "fill": shape.get("fillcolor"), "opacity": shape.get("opacity", 1.0), "line": shape["line"]}


def mark_frames(figure: str, marks: Sequence[Mapping[str, Any] | None]) -> dict[str, Any]:
    """Return the frames of the mark of a slider's value, each the trace `present` that the figure has at rest.

    None where there is no mark.
    """
    return {"figure": figure, "kind": "mark", "frames": list(marks)}


def moving(
    stops: Sequence[Sequence[dict[str, Any]] | None],
    xaxis: dict[str, Any],
    yaxis: dict[str, Any],
    alt: str = "",
    caption: str = "",
) -> list[go.Figure]:
    """Return a figure for each stop of a slider: the traces of each, None where one is not known, on common axes.

    Each axis has a fixed "range" and, where it is logarithmic, the "type".

    >>> named = {"x": [9, 0.1, 1], "y": [1, 1, 1], "mode": "markers+text", "text": ["far", "a", "b"],
    ...          "textposition": ["top center", "top center", "top left"], "type": "scatter"}
    >>> drawn = figure_frames("f", moving([[named], None], {"range": [0, 1]}, {"range": [0, 2], "type": "log"}))
    >>> drawn["frames"][0]["traces"][0]["names"], drawn["frames"][1]
    ([('a', 'center'), ('b', 'right')], None)
    """
    return [None if one is None else composed(one, xaxis, yaxis, alt=alt, caption=caption) for one in stops]


def _share(values: Any, axis: Mapping[str, Any]) -> Array:
    """Return values as shares of an axis."""
    low, high = axis["range"]
    with np.errstate(divide="ignore", invalid="ignore"):
        v = np.asarray(values, dtype=np.float64)
        v = np.log10(v) if axis.get("type") == "log" else v
    return np.asarray(np.nan_to_num((v - low) / (high - low), nan=2.0, neginf=-1.0))


def _shades(matrix: Array, low: float, high: float) -> Array:
    with np.errstate(all="ignore"):  # values beyond double precision lie beyond the colours
        share = np.nan_to_num((matrix - low) / (high - low), nan=0.0)
    return np.asarray((np.clip(share, 0.0, 1.0) * 255).round().astype(np.uint8))


def _packed(values: Array) -> str:
    return base64.b64encode(np.ascontiguousarray(values).tobytes()).decode()


def png(pixels: NDArray[np.uint8]) -> str:
    """Return RGB pixels (height, width, 3) as the address of a PNG picture.

    >>> png(np.zeros((2, 3, 3), dtype=np.uint8))[:22]
    'data:image/png;base64,'
    """
    height, width, _ = pixels.shape
    lines = np.concatenate([np.zeros((height, 1), np.uint8), pixels.reshape(height, -1)], axis=1)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    body = chunk(b"IDAT", zlib.compress(lines.tobytes(), 6))
    whole = b"\x89PNG\r\n\x1a\n" + head + body + chunk(b"IEND", b"")
    return "data:image/png;base64," + base64.b64encode(whole).decode()
