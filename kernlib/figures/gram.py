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
from .axes import even_ticks
from .marks import axis, bars, heat, line, note
from .theme import (
    BLUE,
    DIVERGING,
    KEYED,
    ORANGE,
    SEQUENTIAL,
    colour_bar,
    composed,
    escape,
    lean,
    look_up,
    panels,
    read_classes,
    runs,
    shorten,
)

ValueRange = Literal["full", "off-diagonal", "diagonal"] | tuple[float, float] | None
Shown = Literal["values", "cosines", "distances"]

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
    shown: Shown = "values",
    pairs: bool = False,
) -> go.Figure:
    """Draw a Gram matrix as a heatmap: look for bright blocks along the diagonal, one for each class.

    Parameters: `K` (n, n), or (n, m) when every row is named; `order` (n,) a permutation of the rows;
    `y`, `classes`, `ids` in the order of K's rows, before `order`; `value_range` "full", "off-diagonal"
    (2–98% of the entries off the diagonal, values beyond it cut), "diagonal" (from 0, or its negative where entries of
    both signs matter, to the mean diagonal), limits, or None: off-diagonal when the diagonal is large;
    more than 400 rows are averaged in square blocks, at most 300 a side, and labelled so;
    `boundaries` between classes, drawn when `order` keeps classes together; `shown` what the entries are: "values" of
    the kernel, "cosines" of angles or "distances", whose colours are reversed, so that bright is always similar;
    `pairs` whether a click on a cell opens its two rows on *Why alike*, of an averaged cell the first ones.
    """
    cells = _CELLS if len(np.asarray(K)) <= _CELLS else _BLOCKS
    drawing = _drawn(K, order, y, classes, ids, value_range, cells, boundaries, shown=shown)
    if pairs:
        rows = np.arange(drawing.n) if order is None else np.asarray(order)
        drawing.trace["customdata"] = rows[:: drawing.block].tolist()
    across, down = _square_axes(drawing)
    averaged = dict(xref="paper", yref="paper", yanchor="bottom")
    words = [note(drawing.averaged, 0.5, 1, **averaged)] if drawing.block > 1 else []
    return composed(
        [drawing.trace],
        dict(xaxis=across, yaxis=down, shapes=drawing.lines, annotations=words),
        height=560,
        margin=dict(l=drawing.beside, t=34, b=88),
        legend=False,
        alt=drawing.alt,
        caption=drawing.caption,
    )


def before_after(
    *matrices: ArrayLike,
    titles: Sequence[str] = (),
    order: ArrayLike | None = None,
    y: ArrayLike | None = None,
    classes: Sequence[Any] = (),
    ids: Sequence[Any] | None = None,
    value_range: ValueRange = None,
    boundaries: bool = True,
    common: bool = True,
) -> go.Figure:
    """Draw two or more Gram matrices side by side in one order and on one colour scale.

    Look for structure that a step adds or removes. Parameters as in `gram_heatmap`; `titles` one per
    matrix; `common` False gives each its own colours, for matrices of different size, whose patterns then compare
    but not their colours.
    """
    count = max(len(matrices), 1)
    names = [escape(t) for t in titles] or (["before", "after"] if count == 2 else [f"{i + 1}" for i in range(count)])
    gap = 0.08 / max(count - 1, 1)
    layout = panels(1, count, names, horizontal_spacing=gap)
    width = (1 - gap * (count - 1)) / count
    shared = None
    if common and matrices:
        arrays = [np.asarray(matrix) for matrix in matrices]
        drawn = [block_average(matrix, _BLOCKS, order)[0] for matrix in arrays]
        shared = colour_scale(arrays, drawn, value_range, "values")
    traces, lines, alts = [], [], []
    left = 10
    for i, matrix in enumerate(matrices):
        panel = "" if i == 0 else str(i + 1)
        drawing = _drawn(
            matrix,
            order,
            y,
            classes,
            ids,
            value_range,
            _BLOCKS,
            boundaries,
            panel=panel,
            bar_at=0.5 if common else i * (width + gap) + width / 2,
            bar_share=0.8 * width if not common else 0.6 if i == 0 else 0.0,
            common=shared,
        )
        traces.append({**drawing.trace, "xaxis": f"x{panel}", "yaxis": f"y{panel}"})
        lines += drawing.lines
        across, down = _square_axes(drawing, panel, quiet=i > 0)
        layout[f"xaxis{panel}"] |= across
        layout[f"yaxis{panel}"] |= down
        left = max(left, drawing.beside if i == 0 else 0)
        alts.append(f"{names[i]}: {drawing.alt}")
        if drawing.block > 1:
            layout["annotations"][i]["text"] += f" (averaged {drawing.block}×{drawing.block})"
    compare = (
        "on one colour scale: equal colours are equal values."
        if common
        else "each on its own colour scale: compare patterns, not colours."
    )
    return composed(
        traces,
        {**layout, "shapes": lines},
        alt=" ".join(alts),
        height=430,
        legend=False,
        caption=f"The same rows in the same order, {compare} Look for blocks that appear or disappear.",
        margin=dict(l=left, b=88),
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
        if self.spans in ("full", "diagonal") or matrix.shape[0] != matrix.shape[1]:
            return None
        diagonal = float(np.median(np.diagonal(matrix)))
        return diagonal if diagonal > self.high else None

    def ticks(self) -> tuple[list[float], list[str]]:
        """Return the values along the colour bar, and each as text."""
        return even_ticks(self.low, self.high)

    def title(self, z: Array, diagonal: float | None, shown: Shown = "values") -> str:
        """Return the title of the colour bar of these cells; `diagonal` as from `beyond`."""
        cut = self.cut(z, diagonal)
        return _SHOWN[shown][1] + (f", {cut}" if cut else "")

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


#: An entry in a hover text and on the colour bar, the name of the matrix, and what bright pairs have.
_SHOWN: dict[str, tuple[str, str, str, str]] = {
    "values": ("k", "k(x, x′)", "Gram matrix", "with a large kernel value"),
    "cosines": ("cos ∠", "cosine of the angle", "matrix of cosines", "with a large cosine"),
    "distances": ("d", "distance in feature space", "matrix of distances", "at a small distance"),
}


def colour_scale(
    matrices: Sequence[NDArray[Any]],
    drawn: Sequence[Array],
    value_range: ValueRange,
    shown: Shown = "values",
) -> ColourScale:
    """Return one colour scale for the drawn cells of some matrices."""
    kind: ValueRange = "full" if value_range is None else value_range
    if value_range is None and shown == "values" and any(diagonal_ratio(K) > LARGE_DIAGONAL for K in matrices):
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
    elif shown == "distances":
        low = 0.0
    return ColourScale(low, high, DIVERGING if signed else SEQUENTIAL, kind if isinstance(kind, str) else "given")


class _Drawing:
    """One drawn matrix: its trace, lines, class blocks, alt text and caption."""

    def __init__(self, n: int, cells: int, block: int) -> None:
        self.n, self.cells, self.block = n, cells, block
        self.blocks: list[tuple[str, float, float]] = []
        self.by_label = False
        self.rows: list[str] = []
        self.trace: dict[str, Any] = {}
        self.lines: list[dict[str, Any]] = []
        self.alt = self.caption = ""

    @property
    def averaged(self) -> str:
        return f"each cell averages {self.block}×{self.block} entries"

    @property
    def named(self) -> list[tuple[str, float, float]]:
        """Return the blocks that are wide enough for their names, and far enough from the last that has one."""
        shown: list[tuple[str, float, float]] = []
        for block in self.blocks:
            far = not shown or sum(block[1:]) - sum(shown[-1][1:]) >= 2 * self.cells / _APART
            if far and block[2] - block[1] >= self.cells / 25:
                shown.append(block)
        return shown

    @property
    def beside(self) -> int:
        """Return the pixels that the labels left of the matrix need."""
        if self.rows:
            return 18 + 7 * max(len(html.unescape(name)) for name in self.rows)
        if not self.blocks:
            return 66
        return 18 + 8 * max((len(html.unescape(shorten(name, 14))) for name, _, _ in self.named), default=0)


def _drawn(
    K: ArrayLike,
    order: ArrayLike | None,
    y: ArrayLike | None,
    classes: Sequence[Any],
    ids: Sequence[Any] | None,
    value_range: ValueRange,
    max_cells: int,
    boundaries: bool,
    panel: str = "",
    bar_at: float = 0.5,
    bar_share: float = 0.6,
    shown: Shown = "values",
    common: ColourScale | None = None,
) -> _Drawing:
    matrix = np.asarray(K)
    n = len(matrix)
    rows = np.arange(n) if order is None else np.asarray(order, dtype=np.intp)
    z, block = block_average(matrix, max_cells, rows)
    drawing = _Drawing(n, len(z), block)
    codes, names = read_classes(y, classes)
    ordered = None if codes is None else codes[rows]
    labels = _cell_labels(rows, ordered, names, ids, block)
    if ids is not None and n <= _NAMED and any(str(ids[i]) != str(i) for i in range(n)):
        drawing.rows = [escape(ids[i], _LETTERS) for i in rows.tolist()]

    scale = common or colour_scale([matrix], [z], value_range, shown)
    low, high = scale.low, scale.high
    if block > 1 and scale.spans == "diagonal":
        np.fill_diagonal(z, diagonal_means(matrix, block, rows))
    beyond = scale.beyond(matrix)
    drawing.trace = _trace(z, labels, scale, shown, scale.title(z, beyond, shown), bar_at, bar_share)
    drawing.by_label = codes is None and y is not None and _rises(np.asarray(y)[rows])
    drawing.blocks = _class_blocks(ordered, names, block)
    if boundaries:
        drawing.lines = _boundary_lines([start for _, start, _ in drawing.blocks[1:]], drawing.cells, panel)
    if beyond is not None:
        drawing.lines += _struck_diagonal(drawing.cells, panel)
    size = "a constant" if not np.isfinite(z).any() or np.nanmin(z) == np.nanmax(z) else "a"
    ordering = "rows ordered by class" if drawing.blocks else "rows in the order shown"
    drawing.alt = (
        f"Heatmap of {size} {n} by {matrix.shape[1]} {_SHOWN[shown][2]}, {ordering}"
        f"{', ' + drawing.averaged if block > 1 else ''}, colours from {number(low)} to {number(high)}."
    )
    drawing.caption = _caption(drawing, shown, scale, bool(scale.cut(z, beyond)), beyond)
    return drawing


def _trace(
    z: Array, labels: Sequence[str], scale: ColourScale, shown: Shown, title: str, bar_at: float, bar_share: float
) -> dict[str, Any]:
    """Return the cells with their colour bar and its title; `bar_share` 0 draws none."""
    symbol, (at, text) = _SHOWN[shown][0], scale.ticks()
    bar = dict(orientation="h", len=bar_share or 0.6, x=bar_at, xanchor="center", y=0, yref="container", ypad=6)
    bar |= dict(yanchor="bottom", tickmode="array", tickvals=at, ticktext=text)
    return heat(
        z,
        "K",
        scale.colours,
        x=labels,
        y=labels,
        zmin=scale.low,
        zmax=scale.high,
        reversescale=shown == "distances",
        hoverongaps=False,
        showscale=bar_share > 0,
        colorbar=colour_bar() | bar | dict(title=dict(text=title, side="bottom", font=dict(size=12))),
        tip=f"%{{y}}<br>%{{x}}<br>{symbol} = <b>%{{z:.4g}}</b>",
    )


def _caption(drawing: _Drawing, shown: Shown, scale: ColourScale, cut: bool, beyond: float | None) -> str:
    """Return what a matrix shows as text; `cut` whether values lie beyond the scale, `beyond` a diagonal off it."""
    ordered_by = ", ordered from the smallest label to the largest" if drawing.by_label else ""
    sentences = [
        "Rows are ordered by class: where blocks on the diagonal are brighter, rows of that class are more similar."
        if drawing.blocks
        else f"Bright cells are pairs of rows {_SHOWN[shown][3]}{ordered_by}."
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
    if drawing.block > 1:
        own = ", and the diagonal shows k(x, x)" if scale.spans == "diagonal" else ""
        sentences.append(f"With {drawing.n} rows, {drawing.averaged}{own}.")
    return " ".join(sentences)


def _class_blocks(codes: NDArray[np.intp] | None, names: Sequence[str], block: int) -> list[tuple[str, float, float]]:
    """Return (name, first, last cell edge) of each class where the rows, in the order shown, keep classes together."""
    if codes is None or len(blocks := runs(codes)) != len(np.unique(codes)):
        return []
    return [(names[c], start / block - 0.5, stop / block - 0.5) for c, start, stop in blocks]


def _rises(values: NDArray[Any]) -> bool:
    """Return whether the values are numbers in ascending order."""
    return values.dtype.kind in "iuf" and len(values) > 1 and bool((np.diff(values) >= 0).all())


def _square_axes(drawing: _Drawing, panel: str = "", quiet: bool = False) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the x-axis and the y-axis of a matrix."""
    shown = drawing.named
    if drawing.blocks:
        ticks: dict[str, Any] = dict(
            tickmode="array",
            tickvals=[(a + b) / 2 for _, a, b in shown],
            ticktext=[shorten(n, 20 if len(shown) <= 4 else 14) for n, _, _ in shown],
        )
    else:
        at = np.unique(np.linspace(0, drawing.cells - 1, 5).round().astype(int)).tolist()
        ticks = dict(tickmode="array", tickvals=at, ticktext=[str(i * drawing.block) for i in at])
    by = "by label" if drawing.by_label else "in this order"
    title = {} if drawing.blocks else dict(title=dict(text=f"row ({by})"))
    common = dict(type="category", showgrid=False, zeroline=False, constrain="domain", ticks="", **ticks)
    across = common | title | (dict(tickangle=0) if len(shown) <= 4 else {})
    if drawing.rows:
        each = dict(tickvals=list(range(len(drawing.rows))), ticktext=drawing.rows, tickfont=dict(size=10), title=None)
        common, title = common | each, {}
        across = across if drawing.blocks else common | dict(tickangle=-90)
    down = (
        common
        | (dict() if quiet else title)
        | dict(autorange="reversed", scaleanchor=f"x{panel}", constraintoward="top", showticklabels=not quiet)
    )
    return across, down


def _struck_diagonal(cells: int, panel: str) -> list[dict[str, Any]]:
    """Return a grey line over the diagonal: its values are beyond the colour scale."""
    ends = dict(type="line", x0=-0.5, y0=-0.5, x1=cells - 0.5, y1=cells - 0.5, xref=f"x{panel}", yref=f"y{panel}")
    return [dict(ends, name="diagonal", line=dict(color="#9aa0a6", width=4))]


def _boundary_lines(edges: Sequence[float], cells: int, panel: str = "") -> list[dict[str, Any]]:
    """Return the lines between classes, across and down a matrix with `cells` cells a side."""
    ends = [((edge, edge), (-0.5, cells - 0.5)) for edge in edges]
    return [
        dict(
            type="line",
            x0=x[0],
            x1=x[1],
            y0=y[0],
            y1=y[1],
            xref=f"x{panel}",
            yref=f"y{panel}",
            line=dict(color="rgba(255,255,255,0.85)", width=1),
        )
        for end in ends
        for x, y in (end, end[::-1])
    ]


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


def diagonal_histogram(K: ArrayLike, bins: int = 40) -> go.Figure:
    """Draw diagonal and off-diagonal entries on one axis: two histograms far apart mean a large diagonal."""
    matrix = np.asarray(K, dtype=np.float64)
    n = len(matrix)
    diagonal = np.diagonal(matrix)
    step = max(1, n * n // 2_000_000)
    part = matrix[::step]
    off = part[np.arange(0, n, step)[:, None] != np.arange(matrix.shape[1])]
    both = np.concatenate([diagonal, off])
    low, high = value_limits(both[np.isfinite(both)][None, :], "full")
    edges = np.linspace(low, high, bins + 1)
    centres = lean((edges[1:] + edges[:-1]) / 2)
    traces: list[dict[str, Any]] = []
    highest = 0.0
    for name, values, colour in (("off the diagonal", off, BLUE), ("diagonal", diagonal, ORANGE)):
        share = np.histogram(values[np.isfinite(values)], edges)[0] / max(len(values), 1)
        if highest and np.count_nonzero(share) == 1:
            # A bar that holds all of the diagonal would flatten the other histogram: a line is drawn instead.
            at = float(centres[share.argmax()])
            traces.append(line([at, at], [0.0, highest], name, colour, 4, tip="k ≈ %{x:.4g}<br>the whole diagonal"))
            continue
        highest = float(share.max(initial=0.0))
        tip = "k ≈ %{x:.4g}<br>%{y:.1%} of these entries<extra>" + name + "</extra>"
        traces.append(bars(centres, lean(share), name, colour, width=edges[1] - edges[0], opacity=0.8, tip=tip))
    return composed(
        traces,
        dict(
            barmode="overlay",
            bargap=0,
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
