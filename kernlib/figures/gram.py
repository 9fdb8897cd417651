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
from ..analysis.matrix import block_means, diagonal_means
from ..values.arrays import Array
from ..values.words import number
from .marks import axis, even_ticks, heat, line, note
from .theme import (
    BLUE,
    DIVERGING,
    KEYED,
    ORANGE,
    SEQUENTIAL,
    colour_bar,
    composed,
    escape,
    faint,
    lean,
    look_up,
    read_classes,
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
    boundaries: bool = True,
    pairs: bool = False,
) -> go.Figure:
    """Draw a Gram matrix as a heatmap: look for bright blocks along the diagonal, one for each class.

    Parameters: `K` (n, n), or (n, m) when every row is named; `order` (n,) a permutation of the rows;
    `y`, `classes`, `ids` in the order of K's rows, before `order`; `value_range` "full", "off-diagonal"
    (2–98% of the entries off the diagonal, values beyond it cut), "diagonal" (from 0, or its negative where entries of
    both signs matter, to the mean diagonal), limits, or None: off-diagonal when the diagonal is large;
    more than 400 rows are averaged in square blocks, at most 300 a side, and labelled so;
    `boundaries` between classes, drawn when `order` keeps classes together; `pairs` whether a click on a cell opens its
    two rows on *Why alike*, of an averaged cell the first ones.
    """
    matrix = np.asarray(K)
    n = len(matrix)
    rows = np.arange(n) if order is None else np.asarray(order, dtype=np.intp)
    z, block = block_average(matrix, _CELLS if n <= _CELLS else _BLOCKS, rows)
    codes, classes_named = read_classes(y, classes)
    ordered = None if codes is None else codes[rows]
    blocks = _class_blocks(ordered, classes_named, block)
    by_label = codes is None and y is not None and _rises(np.asarray(y)[rows])
    scale = colour_scale([matrix], [z], value_range)
    if block > 1 and scale.spans == "diagonal":
        np.fill_diagonal(z, diagonal_means(matrix, block, rows))
    beyond = scale.beyond(matrix)
    averaged = f"each cell averages {block}×{block} entries"
    own = ids is not None and n <= _NAMED and any(str(ids[i]) != str(i) for i in range(n))
    names = [escape(ids[i], _LETTERS) for i in rows.tolist()] if own and ids is not None else []
    trace = _trace(z, _cell_labels(rows, ordered, classes_named, ids, block), scale, scale.title(z, beyond))
    if pairs:
        trace["customdata"] = rows[::block].tolist()
    lines = _boundary_lines([start for _, start, _ in blocks[1:]], len(z)) if boundaries else []
    across, down, left = _square_axes(len(z), block, blocks, names, "by label" if by_label else "in this order")
    above = dict(xref="paper", yref="paper", yanchor="bottom")
    size = "a constant" if not np.isfinite(z).any() or np.nanmin(z) == np.nanmax(z) else "a"
    return composed(
        [trace],
        dict(
            xaxis=across,
            yaxis=down,
            shapes=lines + ([] if beyond is None else [_struck_diagonal(len(z))]),
            annotations=[note(averaged, 0.5, 1, **above)] if block > 1 else [],
        ),
        height=560,
        margin=dict(l=left, t=34, b=88),
        legend=False,
        alt=f"Heatmap of {size} {n} by {matrix.shape[1]} Gram matrix, "
        f"{'rows ordered by class' if blocks else 'rows in the order shown'}"
        f"{', ' + averaged if block > 1 else ''}, colours from {number(scale.low)} to {number(scale.high)}.",
        caption=_caption(bool(blocks), by_label, scale, bool(scale.cut(z, beyond)), beyond)
        + (f" With {n} rows, {averaged}{_OWN if scale.spans == 'diagonal' else ''}." if block > 1 else ""),
    )


#: What the diagonal of an averaged matrix shows.
_OWN = ", and the diagonal shows k(x, x)"


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
        if self.spans in ("full", "diagonal") or matrix.shape[0] != matrix.shape[1]:
            return None
        diagonal = float(np.median(np.diagonal(matrix)))
        return diagonal if diagonal > self.high else None

    def ticks(self) -> tuple[list[float], list[str]]:
        """Return the values along the colour bar, and each as text."""
        return even_ticks(self.low, self.high)

    def title(self, z: Array, diagonal: float | None) -> str:
        """Return the title of the colour bar of these cells; `diagonal` as from `beyond`."""
        cut = self.cut(z, diagonal)
        return "k(x, x′)" + (f", {cut}" if cut else "")

    def cut(self, z: Array, diagonal: float | None) -> str:
        """Return what of these cells lies beyond the scale, "" for nothing; `diagonal` is the one that does."""
        room = 1e-5 * (self.high - self.low)
        ends = [
            f"{side} {number(end, 2)}"
            for side, end, beyond in (
                ("above", self.high, z > self.high + room),
                ("below", self.low, z < self.low - room),
            )
            if self.spans != "full" and bool(beyond.any())
        ]
        if not ends:
            return ""
        return f"cut {' and '.join(ends)}" + (f" (diagonal {number(diagonal, 2)})" if diagonal is not None else "")


def colour_scale(
    matrices: Sequence[NDArray[Any]],
    drawn: Sequence[Array],
    value_range: ValueRange,
) -> ColourScale:
    """Return one colour scale for the drawn cells of some matrices."""
    kind: ValueRange = "full" if value_range is None else value_range
    if value_range is None and any(diagonal_ratio(K) > LARGE_DIAGONAL for K in matrices):
        kind = "off-diagonal"
    usual = max(float(np.abs(np.diagonal(K)).mean()) for K in matrices) if kind == "diagonal" else 0.0
    if kind == "diagonal" and usual > 0:
        signed = min(float(np.nanmin(z)) for z in drawn) < -MATTERS * usual
        return ColourScale(-usual if signed else 0.0, usual, DIVERGING if signed else SEQUENTIAL, "diagonal")
    if kind == "diagonal":
        kind = "full"
    ends = [value_limits(z, kind) for z in drawn]
    low, high = min(e[0] for e in ends), max(e[1] for e in ends)
    signed = low < 0 < high and -low > MATTERS * high
    if signed:
        high = max(abs(low), abs(high))
        low = -high
    return ColourScale(low, high, DIVERGING if signed else SEQUENTIAL, kind if isinstance(kind, str) else "given")


def _trace(z: Array, labels: Sequence[str], scale: ColourScale, title: str) -> dict[str, Any]:
    """Return the cells with their colour bar and its title."""
    at, text = scale.ticks()
    bar = dict(orientation="h", len=0.6, x=0.5, xanchor="center", y=0, yref="container", ypad=6)
    bar |= dict(yanchor="bottom", tickmode="array", tickvals=at, ticktext=text)
    return heat(
        z,
        "K",
        scale.colours,
        x=labels,
        y=labels,
        zmin=scale.low,
        zmax=scale.high,
        hoverongaps=False,
        showscale=True,
        colorbar=colour_bar() | bar | dict(title=dict(text=title, side="bottom", font=dict(size=12))),
        tip="%{y}<br>%{x}<br>k = <b>%{z:.4g}</b>",
    )


def _caption(blocks: bool, by_label: bool, scale: ColourScale, cut: bool, beyond: float | None) -> str:
    """Return what a matrix shows as text; `cut` whether values lie beyond the scale, `beyond` a diagonal off it."""
    ordered_by = ", ordered from the smallest label to the largest" if by_label else ""
    sentences = [
        "Rows are ordered by class: where blocks on the diagonal are brighter, rows of that class are more similar."
        if blocks
        else f"Bright cells are pairs of rows with a large kernel value{ordered_by}."
    ]
    if scale.spans == "diagonal":
        sentences.append("Colours reach to the mean of k(x, x).")
    if cut:
        sentences.append(
            "Colours span the middle 96% of the values off the diagonal."
            if scale.spans == "off-diagonal"
            else "Values beyond the ends have the colour of the end."
        )
    if beyond is not None:
        sentences.append(f"The grey diagonal lies beyond the scale, at {number(beyond)}.")
    return " ".join(sentences)


def _class_blocks(codes: NDArray[np.intp] | None, names: Sequence[str], block: int) -> list[tuple[str, float, float]]:
    """Return (name, first, last cell edge) of each class where the rows, in the order shown, keep classes together."""
    if codes is None or len(blocks := runs(codes)) != len(np.unique(codes)):
        return []
    return [(names[c], start / block - 0.5, stop / block - 0.5) for c, start, stop in blocks]


def _rises(values: NDArray[Any]) -> bool:
    """Return whether the values are numbers in ascending order."""
    return values.dtype.kind in "iuf" and len(values) > 1 and bool((np.diff(values) >= 0).all())


def _square_axes(
    cells: int, block: int, blocks: Sequence[tuple[str, float, float]], names: Sequence[str], by: str
) -> tuple[dict[str, Any], dict[str, Any], int]:
    """Return the x-axis and the y-axis of a matrix, and the pixels that the labels left of it need.

    Parameters: `blocks` of classes; `names` of all rows, where they fit; `by` what the rows are ordered by.
    """
    common = dict(type="category", showgrid=False, zeroline=False, constrain="domain", ticks="", tickmode="array")
    at = np.unique(np.linspace(0, cells - 1, 5).round().astype(int)).tolist()
    across = common | dict(tickvals=at, ticktext=[str(i * block) for i in at], title=dict(text=f"row ({by})"))
    left, down = 66, across
    if blocks:
        shown: list[tuple[str, float, float]] = []
        for one in blocks:  # wide enough for its name, and far enough from the last that has one
            far = not shown or sum(one[1:]) - sum(shown[-1][1:]) >= 2 * cells / _APART
            shown += [one] if far and one[2] - one[1] >= cells / 25 else []
        few = len(shown) <= 4
        words = [shorten(n, 20 if few else 14) for n, _, _ in shown]
        down = across = common | dict(tickvals=[(a + b) / 2 for _, a, b in shown], ticktext=words)
        across = across | (dict(tickangle=0) if few else {})
        left = 18 + 8 * max((len(html.unescape(shorten(name, 14))) for name, _, _ in shown), default=0)
    if names:
        down = common | dict(tickvals=list(range(len(names))), ticktext=list(names), tickfont=dict(size=10))
        longest = max(len(html.unescape(name)) for name in names)
        if not blocks and longest <= _LETTERS // 2:  # longer names would take the height of the matrix
            across = down | dict(tickangle=-90)
        left = 18 + 7 * longest
    return across, down | dict(autorange="reversed", scaleanchor="x", constraintoward="top"), left


def _struck_diagonal(cells: int) -> dict[str, Any]:
    """Return a grey line over the diagonal: its values are beyond the colour scale."""
    ends = dict(type="line", x0=-0.5, y0=-0.5, x1=cells - 0.5, y1=cells - 0.5, xref="x", yref="y")
    return dict(ends, name="diagonal", line=dict(color="#9aa0a6", width=4))


def _boundary_lines(edges: Sequence[float], cells: int) -> list[dict[str, Any]]:
    """Return the lines between classes, across and down a matrix with `cells` cells a side."""
    white = dict(type="line", xref="x", yref="y", line=dict(color="rgba(255,255,255,0.85)", width=1))
    upright = [dict(white, x0=edge, x1=edge, y0=-0.5, y1=cells - 0.5) for edge in edges]
    return upright + [dict(white, y0=edge, y1=edge, x0=-0.5, x1=cells - 0.5) for edge in edges]


def _cell_labels(
    rows: NDArray[np.intp],
    codes: NDArray[np.intp] | None,
    names: Sequence[str],
    ids: Sequence[Any] | None,
    block: int,
) -> list[str]:
    """Return one label per cell, each with its row number: no two are equal, and none is a number."""
    labels = []
    known = [] if codes is None else codes.tolist()
    for start in range(0, len(rows), block):
        part = rows[start : start + block]
        if len(part) == 1:
            i = int(part[0])
            label = f"row {i}"
            if ids is not None and str(ids[i]) != str(i):
                label += f" {escape(ids[i])}"
        else:
            label = f"places {start}–{start + len(part) - 1}"
        if codes is not None:
            present = sorted(set(known[start : start + block]))[:3]
            label += " · " + ", ".join(names[c] for c in present)
        labels.append(label)
    return labels


def block_average(K: ArrayLike, max_cells: int = 400, order: ArrayLike | None = None) -> tuple[Array, int]:
    """Return K in `order`, averaged over b×b blocks so that at most `max_cells` rows are left: (z, b).

    z is float32 where that holds its values, else float64; see `block_means`.

    >>> block_average([[1, 2, 9], [3, 4, 9], [5, 7, 8]], max_cells=2)
    (array([[2.5, 9. ],
           [6. , 8. ]], dtype=float32), 2)
    """
    z, block = block_means(K, max_cells, order)
    return lean(z), block


def usual_range(ratio: float) -> ValueRange:
    """Return the range of colours by the ratio of mean diagonal to mean |off-diagonal|.

    The diagonal sets it, unless it would hide the rest.

    >>> usual_range(1.5), usual_range(50.0)
    ('diagonal', 'off-diagonal')
    """
    return "off-diagonal" if ratio > LARGE_DIAGONAL else "diagonal"


def value_limits(K: ArrayLike, value_range: ValueRange = "full") -> tuple[float, float]:
    """Return the two ends of the colour scale: never equal, never nan.

    >>> value_limits([[9.0, 1.0], [1.0, 9.0]], "off-diagonal")
    (0.5, 1.5)
    """
    if isinstance(value_range, tuple | list):
        low, high = (float(v) for v in value_range)
    else:
        values = np.asarray(K)
        if value_range == "off-diagonal" and len(values) > 1:
            values = values[np.arange(len(values))[:, None] != np.arange(values.shape[1])]
            values = values[np.isfinite(values)]
            low, high = np.quantile(values, [0.02, 0.98]).tolist() if values.size else (0.0, 1.0)
        else:
            values = values[np.isfinite(values)]
            low, high = (float(values.min()), float(values.max())) if values.size else (0.0, 1.0)
    if not high > low:
        # Zeros everywhere are the lower end: half of a scale below them would look like negative values.
        low, high = (low - 0.5 * abs(low), high + 0.5 * abs(high)) if low else (0.0, 1.0)
    return low, high


def thumbnail(
    K: ArrayLike,
    size: int = 160,
    value_range: ValueRange = None,
    order: ArrayLike | None = None,
) -> NDArray[np.uint8]:
    """Return K as an RGB image (size, size, 3), in viridis.

    More rows than `size` are averaged in blocks; fewer are repeated, so that every thumbnail is about
    as large as its neighbour. For one colour scale over a strip pass the same `value_range` limits.
    """
    matrix = np.asarray(K)
    z, _ = block_average(matrix, size, order)
    if value_range is None:
        value_range = "off-diagonal" if diagonal_ratio(matrix) > LARGE_DIAGONAL else "full"
    low, high = value_limits(z, value_range)
    cell = (np.arange(size) * len(z)) // size
    return look_up(z[np.ix_(cell, cell * z.shape[1] // len(z))], low, high, SEQUENTIAL)


def diagonal_histogram(K: ArrayLike) -> go.Figure:
    """Draw diagonal and off-diagonal entries on one axis: two histograms far apart mean a large diagonal."""
    matrix = np.asarray(K, dtype=np.float64)
    n = len(matrix)
    diagonal = np.diagonal(matrix)
    step = max(1, n * n // 2_000_000)
    part = matrix[::step]
    off = part[np.arange(0, n, step)[:, None] != np.arange(matrix.shape[1])]
    both = np.concatenate([diagonal, off])
    low, high = value_limits(both[np.isfinite(both)][None, :], "full")
    edges = np.linspace(low, high, 41)
    centres = lean((edges[1:] + edges[:-1]) / 2)
    traces = []
    for name, values, colour in (("off the diagonal", off, BLUE), ("diagonal", diagonal, ORANGE)):
        share = np.histogram(values[np.isfinite(values)], edges)[0] / max(len(values), 1)
        # As lines: a bar that holds all of the diagonal would hide the other histogram.
        tip = "k ≈ %{x:.4g}<br>%{y:.1%} of these entries<extra>" + name + "</extra>"
        traces.append(line(centres, lean(share), name, colour, tip=tip) | dict(fill="tozeroy", fillcolor=faint(colour)))
    return composed(
        traces,
        dict(
            xaxis=axis("entry k(x, x′)", showexponent="last"),
            yaxis=axis("share of entries", tickformat=".0%", rangemode="tozero"),
        ),
        height=280,
        margin=KEYED | dict(l=90, r=16, b=122),
        alt=f"Histograms of the diagonal (mean {number(float(diagonal.mean()) if n else None)}) and of the other "
        f"entries. The mean diagonal over the mean size of the rest is {number(diagonal_ratio(matrix))}.",
        caption="Where the two histograms lie far apart, many labels can be separated on the training rows. "
        "Only the test error shows whether a machine has learnt.",
    )
