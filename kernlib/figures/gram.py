"""Figures of a Gram matrix: heatmap, several matrices side by side, thumbnail, histogram of the entries."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray

from ..analysis.gram import diagonal_ratio
from ..analysis.matrix import block_means
from ..values.arrays import Array
from ..values.words import number
from .marks import BARE, above, even_ticks, heat, line
from .theme import (
    BLUE,
    DIVERGING,
    ORANGE,
    SEQUENTIAL,
    axis,
    colour_bar,
    composed,
    escape,
    faint,
    look_up,
    read_classes,
    row_labels,
    runs,
    shorten,
)

ValueRange = Literal["full", "off-diagonal", "diagonal"] | tuple[float, float] | None
# The most rows that are drawn without averaging.
_CELLS = 400
# Cells per side where rows are averaged: two pixels each on a desktop screen. More cells would alternate between one
# and two pixels, and take twice the time to send and to draw.
_BLOCKS = 300
# The most rows whose names fit beside a matrix, and the letters of each.
_NAMED, _LETTERS = 32, 16
# The most slanted names that fit side by side below a matrix.
_APART = 19
#: Cells along a side of a small picture.
SIDE = 40
# Above this ratio of mean diagonal to mean |off-diagonal|, the colour scale leaves the diagonal out.
LARGE_DIAGONAL = 3.0
# Negative entries above this share of the largest matter: the scale has two colours.
MATTERS = 0.05


def gram_heatmap(
    K: ArrayLike,
    order: ArrayLike | None = None,
    y: ArrayLike | None = None,
    classes: Sequence[Any] = (),
    ids: Sequence[Any] | None = None,
    value_range: ValueRange = None,
    pair: tuple[int, int] | None = None,
) -> go.Figure:
    """Draw a Gram matrix as a heatmap: look for bright blocks along the diagonal, one for each class.

    Parameters: `K` (n, n); `order` (n,) a permutation of the rows;
    `y`, `classes`, `ids` in the order of K's rows, before `order`; `value_range` "full", "off-diagonal"
    (2–98% of the entries off the diagonal, values beyond it cut), "diagonal" (from 0, or its negative where entries of
    both signs matter, to the mean diagonal), limits, or None as `usual_range` of the matrix;
    more than 400 rows are averaged in square blocks, at most 300 a side, and labelled so; `pair` two rows whose cells
    have a frame. Lines divide classes that `order` keeps together. `customdata` has the number of each cell's first
    row, for clicks.
    """
    matrix = np.asarray(K)
    n = len(matrix)
    rows = np.arange(n) if order is None else np.asarray(order, dtype=np.intp)
    z, block = block_means(matrix, _CELLS if n <= _CELLS else _BLOCKS, rows)
    codes, class_names = read_classes(y, classes)
    ordered = None if codes is None else codes[rows]
    blocks = []
    if ordered is not None and len(stretches := runs(ordered)) == len(np.unique(ordered)):
        blocks = [(class_names[c], start / block - 0.5, stop / block - 0.5) for c, start, stop in stretches]
    values = np.asarray(y)[rows] if y is not None and codes is None else np.empty(0)
    by_label = values.dtype.kind in "iuf" and len(values) > 1 and bool((np.diff(values) >= 0).all())
    scale = colour_scale(matrix, z, value_range)
    beyond = scale.beyond(matrix)
    averaged = f"each cell averages {block}×{block} entries" if block > 1 else ""
    own = ids is not None and n <= _NAMED and any(str(ids[i]) != str(i) for i in range(n))
    names = [escape(ids[i], _LETTERS) for i in rows.tolist()] if own and ids is not None else []
    across, down, left = _square_axes(len(z), block, blocks, names)
    whole = dict(type="line", x0=-0.5, y0=-0.5, x1=len(z) - 0.5, y1=len(z) - 0.5, xref="x", yref="y")
    white = whole | dict(line=dict(color="rgba(255,255,255,0.85)", width=1))
    shapes = [white | {f"{end}0": edge, f"{end}1": edge} for end in "xy" for _, edge, _ in blocks[1:]]
    if beyond is not None:
        shapes.append(whole | dict(name="diagonal", line=dict(color="#9aa0a6", width=4)))
    if pair is not None:
        first, second = (np.flatnonzero(rows == row).item() // block for row in pair)
        frame = dict(type="rect", name="pair", line=dict(color=ORANGE, width=2))
        shapes += [
            frame | dict(x0=i - 0.5, x1=i + 0.5, y0=j - 0.5, y1=j + 0.5) for i, j in {(first, second), (second, first)}
        ]
    at, text = scale.ticks(z)
    # A label has the number of a row: no two are equal, and none is a number.
    leading = rows[::block]
    labels = ("from " * (block > 1) + row_labels(ids, n)[leading]).tolist()
    if codes is not None:
        labels = [f"{label} · {class_names[code]}" for label, code in zip(labels, codes[leading], strict=True)]
    cells = heat(
        z,
        "K",
        scale.colours,
        x=labels,
        y=labels,
        zmin=scale.low,
        zmax=scale.high,
        hoverongaps=False,
        colorbar=colour_bar(scale.title(beyond)) | dict(tickmode="array", tickvals=at, ticktext=text),
        customdata=leading.tolist(),
        tip="%{y}<br>%{x}<br>k = <b>%{z:.4g}</b>",
    )
    caption = _caption(bool(blocks), by_label, scale, beyond)
    if averaged:
        caption += f" With {n} rows, {averaged}, and the diagonal shows k(x, x)."
    return composed(
        [cells],
        across,
        down,
        over=[*shapes, *([above(averaged)] if averaged else [])],
        height=560,
        margin=dict(l=left, t=22 if averaged else 8, r=78, b=30 if blocks else 48),
        alt=f"Heatmap of a {n} by {n} Gram matrix, rows {'ordered by class' if blocks else 'in the order shown'}"
        f"{averaged and ', ' + averaged}, colours from {number(scale.low)} to {number(scale.high)}.",
        caption=caption,
    )


@dataclass(frozen=True)
class ColourScale:
    """The ends of a colour scale, its colours, and what it spans: values may lie beyond it unless that is "full"."""

    low: float
    high: float
    colours: list[tuple[float, str]]
    spans: Literal["full", "off-diagonal", "diagonal", "given"]

    def beyond(self, K: ArrayLike) -> float | None:
        """Return the usual entry of the diagonal of K where it lies beyond the scale."""
        matrix = np.asarray(K)
        if self.spans in ("full", "diagonal"):
            return None
        diagonal = float(np.median(np.diagonal(matrix)))
        return diagonal if diagonal > self.high else None

    def ticks(self, z: Array) -> tuple[list[float], list[str]]:
        """Return the values along the colour bar of these cells, and each as text; an end with cells beyond says so."""
        ends = {"≥": self.high, "≤": self.low}
        cut = [(ends[side], f"{side} {number(ends[side], 2)}") for side in self.cut(z)]
        room = 0.08 * (self.high - self.low)
        even = zip(*even_ticks(self.low, self.high), strict=True)
        kept = [(value, text) for value, text in even if all(abs(value - end) > room for end, _ in cut)]
        return [value for value, _ in (*kept, *cut)], [text for _, text in (*kept, *cut)]

    def title(self, diagonal: float | None) -> str:
        """Return the title of the colour bar; `diagonal` as from `beyond`."""
        return "k(x, x′)" + (f"<br>median k(x, x)<br>{number(diagonal, 2)}" if diagonal is not None else "")

    def cut(self, z: Array) -> str:
        """Return the ends of the scale that some of these cells lie beyond: "≥", "≤", both or none."""
        room = 1e-5 * (self.high - self.low)
        if self.spans == "full":
            return ""
        return "≥" * bool((z > self.high + room).any()) + "≤" * bool((z < self.low - room).any())


def colour_scale(K: NDArray[Any], drawn: Array, value_range: ValueRange) -> ColourScale:
    """Return the colour scale of the `drawn` cells of a matrix."""
    kind: ValueRange = usual_range(diagonal_ratio(K)) if value_range is None else value_range
    usual = float(np.abs(np.diagonal(K)).mean()) if kind == "diagonal" else 0.0
    if usual > 0:
        signed = float(np.nanmin(drawn)) < -MATTERS * usual
        return ColourScale(-usual if signed else 0.0, usual, DIVERGING if signed else SEQUENTIAL, "diagonal")
    if kind == "diagonal":
        kind = "full"
    low, high = _value_limits(drawn, kind)
    signed = low < 0 < high and -low > MATTERS * high
    if signed:
        high = max(-low, high)
        low = -high
    return ColourScale(low, high, DIVERGING if signed else SEQUENTIAL, kind if isinstance(kind, str) else "given")


def _caption(blocks: bool, by_label: bool, scale: ColourScale, beyond: float | None) -> str:
    """Return what a matrix shows as text; `beyond` a diagonal off the scale."""
    ordered_by = ", ordered from the smallest label to the largest" if by_label else ""
    words = (
        "Rows are ordered by class: where blocks on the diagonal are brighter, rows of that class are more similar."
        if blocks
        else f"Bright cells are pairs of rows with a large kernel value{ordered_by}."
    )
    if scale.spans == "diagonal":
        words += " Colours reach to the mean of k(x, x)."
    elif scale.spans == "off-diagonal":
        words += " Colours span the middle 96% of the values off the diagonal."
    if beyond is not None:
        words += f" The diagonal is grey because its values are of another size: their median is {number(beyond)}."
    return words


def _square_axes(
    cells: int, block: int, blocks: Sequence[tuple[str, float, float]], names: Sequence[str]
) -> tuple[dict[str, Any], dict[str, Any], int]:
    """Return the x-axis and the y-axis of a matrix, and the pixels that the labels left of it need.

    Parameters: `blocks` of classes; `names` of all rows, where they fit left of the matrix.
    """
    common = BARE | dict(type="category", constrain="domain", tickmode="array")
    at = np.unique(np.linspace(0, cells - 1, 5).round().astype(int)).tolist()
    across = common | dict(tickvals=at, ticktext=[str(i * block) for i in at], title=dict(text="row (in this order)"))
    down, words = across, list(names)
    if blocks:
        wide = [one for one in blocks if one[2] - one[1] >= cells / _APART]
        words = [shorten(name, 14) for name, _, _ in wide]
        down = across = common | dict(tickvals=[(a + b) / 2 for _, a, b in wide], ticktext=words)
        across = across | (dict(tickangle=0) if len(wide) <= 4 else {})
    if names:
        down = common | dict(tickvals=list(range(len(names))), ticktext=list(names), tickfont=dict(size=10))
    left = 18 + 8 * max((len(html.unescape(name)) for name in words), default=6)
    down = down | dict(autorange="reversed", scaleanchor="x", constraintoward="top")
    return across | dict(constraintoward="right"), down, left


def usual_range(ratio: float) -> ValueRange:
    """Return the range of colours by the ratio of mean diagonal to mean |off-diagonal|.

    The diagonal sets it, unless it would hide the rest.

    >>> usual_range(1.5), usual_range(50.0)
    ('diagonal', 'off-diagonal')
    """
    return "off-diagonal" if ratio > LARGE_DIAGONAL else "diagonal"


def _value_limits(K: ArrayLike, value_range: ValueRange = "full") -> tuple[float, float]:
    """Return the two ends of the colour scale: never equal, never nan.

    >>> _value_limits([[9.0, 1.0], [1.0, 9.0]], "off-diagonal")
    (0.5, 1.5)
    """
    if isinstance(value_range, tuple | list):
        low, high = (float(v) for v in value_range)
    else:
        values, share = np.asarray(K), 0.0
        if value_range == "off-diagonal" and len(values) > 1:
            values, share = values[np.arange(len(values))[:, None] != np.arange(values.shape[1])], 0.02
        values = values[np.isfinite(values)]
        low, high = np.quantile(values, [share, 1 - share]).tolist() if values.size else (0.0, 1.0)
    if not high > low:
        # Zeros everywhere are the lower end: half of a scale below them would look like negative values.
        low, high = (low - 0.5 * abs(low), high + 0.5 * abs(high)) if low else (0.0, 1.0)
    return low, high


def small_picture(K: ArrayLike, order: ArrayLike | None = None, size: int = SIDE) -> Array:
    """Return a matrix as a square of `size` cells in 0…1, in the range of colours of its large figure.

    More rows are averaged in blocks, fewer repeated. Parameters: `order` (n,) of the rows.
    """
    z, _ = block_means(K, size, order)
    down, across = ((np.arange(size) * n) // size for n in z.shape)
    scale = colour_scale(np.asarray(K), np.asarray(z, dtype=np.float64), None)
    low, high = scale.low, scale.high
    if high - low <= 1e-9 * float(np.abs(z).max(initial=0.0)):  # constant but for rounding, which stays flat
        return np.full((size, size), 0.5)
    return np.asarray(np.clip((np.asarray(z, dtype=np.float64)[np.ix_(down, across)] - low) / (high - low), 0.0, 1.0))


def thumbnail(K: ArrayLike, order: ArrayLike | None = None, size: int = 160) -> NDArray[np.uint8]:
    """Return K as an RGB image (size, size, 3), in viridis."""
    return look_up(small_picture(K, order, size), 0.0, 1.0)


def diagonal_histogram(K: ArrayLike) -> go.Figure:
    """Draw diagonal and off-diagonal entries on one axis: two histograms far apart mean a large diagonal."""
    matrix = np.asarray(K, dtype=np.float64)
    n = len(matrix)
    diagonal = np.diagonal(matrix)
    step = max(1, n * n // 2_000_000)
    off = matrix[::step][np.arange(0, n, step)[:, None] != np.arange(n)]
    edges = np.linspace(*_value_limits(np.concatenate([diagonal, off])[None, :]), 41)
    centres = (edges[1:] + edges[:-1]) / 2
    traces = []
    for name, values, colour in (("off the diagonal", off, BLUE), ("diagonal", diagonal, ORANGE)):
        share = np.histogram(values[np.isfinite(values)], edges)[0] / max(len(values), 1)
        # As lines: a bar that holds all of the diagonal would hide the other histogram.
        tip = "k ≈ %{x:.4g}<br>%{y:.1%} of these entries<extra>" + name + "</extra>"
        traces.append(line(centres, share, name, colour, tip=tip) | dict(fill="tozeroy", fillcolor=faint(colour)))
    return composed(
        traces,
        axis("entry k(x, x′)", showexponent="last"),
        axis("share of entries", tickformat=".0%", rangemode="tozero"),
        alt=f"Histograms of the diagonal (mean {number(float(diagonal.mean()) if n else None)}) and of the other "
        f"entries. The mean diagonal over the mean size of the rest is {number(diagonal_ratio(matrix))}.",
        caption="Where the two histograms lie far apart, many labels can be separated on the training rows. "
        "Only the test error shows whether a machine has learnt.",
    )
