"""Frames of a moving slider: small pictures that a browser draws over a figure while its parameter moves."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray

from ..values.arrays import Array
from .gram import ColourScale, ValueRange, colour_scale
from .marks import even_ticks
from .theme import (
    BLUE,
    CLASS_COLOURS,
    DIVERGING,
    ORANGE,
    SEQUENTIAL,
    class_colour,
    class_symbol,
    composed,
    look_up,
    read_classes,
    runs,
)

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


def point_frames(
    figure: str, planes: Sequence[Array | None], y: ArrayLike | None, titles: Sequence[Sequence[str]]
) -> dict[str, Any]:
    """Return the frames of a scatter for the browser, one for each (n, 2) map; None where one is not known.

    Each map fills its panel, as the figure at rest does. Parameters: `y` labels (n,) or None; `titles` of the two axes
    for each map.

    >>> drawn = point_frames("map", [np.array([[0.0, 0.0], [1.0, 2.0]])], [0, 1], [("a", "b")])
    >>> drawn["frames"][0]["y"]["title"], drawn["frames"][0]["y"]["ticks"][0]
    ('b', (0.045, '0'))
    >>> np.frombuffer(base64.b64decode(drawn["frames"][0]["places"]), "<u2")
    array([ 2979,  2979, 62556, 62556], dtype=uint16)
    """
    codes, _ = read_classes(y, ())
    n = next((len(plane) for plane in planes if plane is not None), 0)
    colours = [BLUE] if codes is None else [class_colour(c) for c in range(int(codes.max(initial=0)) + 1)]
    styles = point_styles(np.zeros(n, dtype=np.intp) if codes is None else codes, colours)
    frames = [
        None if plane is None else point_frame(plane, named, *_filled(plane))
        for plane, named in zip(planes, titles, strict=True)
    ]
    return {"figure": figure, "kind": "points", **styles, "frames": frames}


def _filled(plane: Array) -> tuple[Array, Array]:
    """Return the ends of a panel that a map fills, with a margin."""
    low, high = plane.min(axis=0), plane.max(axis=0)
    reach = (0.5 + _PAD) * np.where(high > low, high - low, 1.0)
    middle = (np.float64(low) + high) / 2
    return middle - reach, middle + reach


def point_frame(plane: Array, titles: Sequence[str], low: Array, high: Array) -> dict[str, Any]:
    """Return a map (n, 2) in a panel from `low` to `high`, with its axes; `titles` of both."""
    frame: dict[str, Any] = {"places": packed_shares((plane - low) / (high - low))}
    for axis, title, start, end in zip("xy", titles, low.tolist(), high.tolist(), strict=True):
        values, texts = even_ticks(start, end, 6)
        at = [round((value - start) / (end - start), 3) for value in values]
        frame[axis] = {"title": title, "ticks": list(zip(at, texts, strict=True))}
    return frame


def point_styles(codes: Array, colours: Sequence[str]) -> dict[str, Any]:
    """Return the class code of each point, (n,), each code's colour and its marker in figures at rest."""
    symbols = dict(zip(CLASS_COLOURS, map(class_symbol, range(len(CLASS_COLOURS))), strict=True))
    marks = [symbols.get(colour, "circle") for colour in colours]
    return {"codes": _packed((codes % 256).astype(np.uint8)), "colours": list(colours), "symbols": marks}


def mark_frames(figure: str, marks: Sequence[Mapping[str, Any] | None]) -> dict[str, Any]:
    """Return the frames of the mark of a slider's value, each the trace `present` that the figure has at rest.

    None where there is no mark.
    """

    def packed(mark: Mapping[str, Any]) -> dict[str, Any]:
        side = "left" if "left" in mark.get("textposition", "") else "right"
        words = next(((text, i, side) for i, text in enumerate(mark.get("text", ())) if text), None)
        size = mark["marker"]["size"] if mark["mode"] == "markers" else 0
        return {"x": mark["x"], "y": mark["y"], "size": size, "words": words}

    frames = [None if mark is None else packed(mark) for mark in marks]
    return {"figure": figure, "kind": "mark", "colour": ORANGE, "frames": frames}


@dataclass(frozen=True, eq=False)
class Moving:
    """A figure for each stop of a slider: the traces of each, None where one is not known, on common axes.

    Each axis has a fixed "range" and, where it is logarithmic, the "type".

    >>> moving = Moving([[{"x": [0.5], "y": [10.0], "mode": "markers"}]], {"range": [0, 1]},
    ...                 {"range": [0, 2], "type": "log"}).frames("f")
    >>> np.frombuffer(base64.b64decode(moving["frames"][0][0]["places"]), "<u2")
    array([32768, 32768], dtype=uint16)
    >>> named = {"x": [9, 0.1, 1], "y": [1, 1, 1], "mode": "markers+text", "text": ["far", "a", "b"],
    ...          "textposition": ["top center", "top center", "top left"]}
    >>> Moving([[named]], {"range": [0, 1]}, {"range": [0, 2]}).frames("f")["frames"][0][0]["names"]
    [('a', 'center'), ('b', 'right')]
    """

    traces: Sequence[Sequence[Mapping[str, Any]] | None]
    xaxis: Mapping[str, Any]
    yaxis: Mapping[str, Any]
    alt: str = ""
    caption: str = ""
    height: int = 420

    def at(self, place: int) -> go.Figure:
        """Return the figure of a stop at rest."""
        words: dict[str, Any] = dict(alt=self.alt, caption=self.caption, height=self.height)
        return composed([dict(one) for one in self.traces[place] or ()], dict(self.xaxis), dict(self.yaxis), **words)

    def frames(self, figure: str) -> dict[str, Any]:
        """Return the points, lines and bars of all stops for the browser; `figure` the key of the figure below."""
        low, high = self.xaxis["range"]
        drawn = [None if traces is None else [self._packed(trace) for trace in traces] for traces in self.traces]
        return {"figure": figure, "kind": "series", "bar": 0.85 / (high - low), "frames": drawn}

    def _packed(self, trace: Mapping[str, Any]) -> dict[str, Any]:
        places = np.column_stack([_share(trace["x"], self.xaxis), _share(trace["y"], self.yaxis)])
        kind = "bar" if trace.get("type") == "bar" else trace["mode"]
        if kind == "bar":  # a bar beyond the axis is cut off, a point there is not drawn
            places[:, 1] = np.minimum(places[:, 1], 1.0)
        inside = np.asarray(((places >= 0) & (places <= 1)).all(axis=1))
        written = zip(trace.get("text", ()), trace.get("textposition", ()), inside, strict=False)
        style = trace.get("line" if kind == "lines" else "marker", {})
        return {
            "places": packed_shares(places[inside]),
            "kind": kind,
            "colour": style.get("color", BLUE),
            "dash": "dash" in style,
            "size": style.get("size", 8),
            "symbol": style.get("symbol", "circle"),
            "names": [(text, "right" if "left" in side else "center") for text, side, there in written if there],
        }


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


def packed_shares(shares: Array) -> str:
    """Return shares of a panel, or numbers of points over 65535, as text."""
    return _packed((np.clip(shares, 0.0, 1.0) * 65535).round().astype("<u2"))


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
