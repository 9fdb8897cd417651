"""Pictures of a Gram matrix: the matrix itself, its diagonal, its classes, its eigenvalues, a thumbnail."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray
from plotly.subplots import make_subplots

from ..analysis.gram import GramDiagnostics, diagonal_ratio
from .theme import CLASS_COLOURS, DIVERGING, MUTED, SEQUENTIAL, escape, finish, look_up, number, read_classes, runs

__all__ = [
    "before_after",
    "block_average",
    "class_means",
    "diagonal_histogram",
    "gram_heatmap",
    "spectrum_bars",
    "thumbnail",
    "value_limits",
]

ValueRange = Literal["full", "off-diagonal"] | tuple[float, float] | None
Diverging = Literal["auto"] | bool

# From this ratio of mean diagonal to mean |off-diagonal| on, the diagonal would use up the colour scale.
LARGE_DIAGONAL = 3.0


def gram_heatmap(
    K: ArrayLike,
    order: ArrayLike | None = None,
    y: ArrayLike | None = None,
    classes: Sequence[Any] = (),
    ids: Sequence[Any] | None = None,
    value_range: ValueRange = None,
    title: str | None = None,
    max_cells: int = 400,
    diverging: Diverging = "auto",
    boundaries: bool = True,
) -> go.Figure:
    """A Gram matrix as a picture: look for bright blocks along the diagonal, one for each class.

    Parameters: `K` (n, n), or (n, m) when every row is named; `order` (n,) a permutation of the rows;
    `y`, `classes`, `ids` in the order of K's rows, before `order`; `value_range` "full", "off-diagonal"
    (2–98 % of the entries off the diagonal, values beyond it clipped), limits, or None: off-diagonal when
    the diagonal is large; more than `max_cells` rows are averaged in square blocks and labelled so;
    `diverging` colours around zero, by default where entries of both signs matter; `boundaries` between
    classes, drawn when `order` keeps classes together.
    """
    fig = go.Figure()
    told = _add_matrix(fig, K, order, y, classes, ids, value_range, max_cells, diverging, boundaries)
    if told.block > 1:
        fig.add_annotation(
            text=told.averaged, xref="paper", yref="paper", x=0.5, y=1, yanchor="bottom", showarrow=False,
            font=dict(size=12),
        )  # fmt: skip
    _square_axes(fig, told)
    return finish(
        fig, alt=told.alt, caption=told.caption, height=500, title=title, bottom=72, legend=False,
    ).update_layout(margin_t=14 + 26 * bool(title) + 20 * (told.block > 1))  # fmt: skip


def before_after(
    *matrices: ArrayLike,
    titles: Sequence[str] = (),
    order: ArrayLike | None = None,
    y: ArrayLike | None = None,
    classes: Sequence[Any] = (),
    ids: Sequence[Any] | None = None,
    value_range: ValueRange = None,
    max_cells: int = 300,
    diverging: Diverging = "auto",
    boundaries: bool = True,
) -> go.Figure:
    """Two or more Gram matrices side by side in one order, each with its own colours.

    Look for structure that a step brings out or wipes away; colours do not compare across the pictures,
    each has its own bar. Parameters as in `gram_heatmap`; `titles` one per matrix.
    """
    count = max(len(matrices), 1)
    names = [escape(t) for t in titles] or (["before", "after"] if count == 2 else [f"{i + 1}" for i in range(count)])
    gap = 0.08 / max(count - 1, 1)
    fig = make_subplots(1, count, subplot_titles=names, horizontal_spacing=gap)
    width = (1 - gap * (count - 1)) / count
    alts = []
    for i, matrix in enumerate(matrices):
        told = _add_matrix(
            fig, matrix, order, y, classes, ids, value_range, max_cells, diverging, boundaries,
            place=(1, i + 1), bar_at=i * (width + gap) + width / 2, bar_share=0.8 * width,
        )  # fmt: skip
        _square_axes(fig, told, place=(1, i + 1), quiet=i > 0)
        alts.append(f"{names[i]}: {told.alt}")
        if told.block > 1:
            fig.layout.annotations[i].text += f" (averaged {told.block}×{told.block})"
    return finish(
        fig, alt=" ".join(alts), height=430, bottom=72, legend=False,
        caption="The same rows in the same order. Look for blocks that appear or vanish; each picture has its own "
        "colour bar, so compare patterns, not colours.",
    )  # fmt: skip


class _Told:
    """What drawing one matrix has found out, for axes, alt text and captions."""

    def __init__(self, n: int, cells: int, block: int) -> None:
        self.n, self.cells, self.block = n, cells, block
        self.blocks: list[tuple[str, float, float]] = []
        self.alt = self.caption = ""

    @property
    def averaged(self) -> str:
        return f"each cell averages {self.block}×{self.block} entries"


def _add_matrix(
    fig: go.Figure,
    K: ArrayLike,
    order: ArrayLike | None,
    y: ArrayLike | None,
    classes: Sequence[Any],
    ids: Sequence[Any] | None,
    value_range: ValueRange,
    max_cells: int,
    diverging: Diverging,
    boundaries: bool,
    place: tuple[int, int] = (1, 1),
    bar_at: float = 0.5,
    bar_share: float = 0.6,
) -> _Told:
    matrix = np.asarray(K)
    n = len(matrix)
    rows = np.arange(n) if order is None else np.asarray(order, dtype=np.intp)
    z, block = block_average(matrix, max_cells, rows)
    told = _Told(n, len(z), block)
    codes, names = read_classes(y, classes)
    ordered = None if codes is None else codes[rows]
    labels = _cell_labels(rows, ordered, names, ids, block)

    large = diagonal_ratio(matrix) > LARGE_DIAGONAL
    kind: ValueRange = ("off-diagonal" if large else "full") if value_range is None else value_range
    low, high = value_limits(z, kind)
    signed = (low < 0 < high and -low > 0.05 * high) if diverging == "auto" else bool(diverging)
    if signed:
        high = max(abs(low), abs(high))
        low = -high
    clipped = kind != "full" and bool((z > high).any() or (z < low).any())
    trace = go.Heatmap(
        z=z, x=labels, y=labels, zmin=low, zmax=high, colorscale=DIVERGING if signed else SEQUENTIAL,
        hovertemplate="%{y}<br>%{x}<br>k = <b>%{z:.4g}</b><extra></extra>", hoverongaps=False, name="K",
        colorbar=dict(
            title=dict(text="k(x, x′)" + (", clipped" if clipped else ""), side="bottom", font=dict(size=12)),
            orientation="h", thickness=10, len=bar_share, x=bar_at, xanchor="center", y=0, yref="container",
            yanchor="bottom", outlinewidth=0, nticks=5, ypad=6,
        ),
    )  # fmt: skip
    fig.add_trace(trace, row=None if not _grid(fig) else place[0], col=None if not _grid(fig) else place[1])

    together = ordered is not None and len(found := runs(ordered)) == len(np.unique(ordered))
    if together:
        edges = [start / block - 0.5 for _, start, _ in found[1:]]
        told.blocks = [(names[c], start / block - 0.5, stop / block - 0.5) for c, start, stop in found]
        if boundaries and edges:
            _lines(fig, edges, told.cells, place)
    size = "a constant" if not np.isfinite(z).any() or np.nanmin(z) == np.nanmax(z) else "a"
    ordering = "rows ordered by class" if together else "rows in the order shown"
    told.alt = (
        f"Heatmap of {size} {n} by {matrix.shape[1]} Gram matrix, {ordering}"
        f"{', ' + told.averaged if block > 1 else ''}, colours from {number(low)} to {number(high)}."
    )
    told.caption = (
        (
            "Rows of one class stand together: bright blocks on the diagonal mean that the kernel sees the classes. "
            if together
            else "Bright cells are pairs of rows that the kernel finds alike. "
        )
        + ("The diagonal dwarfs the rest, so colours show the 2–98 % range off the diagonal. " if clipped else "")
        + (f"With {n} rows, {told.averaged}." if block > 1 else "")
    )
    return told


def _grid(fig: go.Figure) -> bool:
    return getattr(fig, "_grid_ref", None) is not None


def _square_axes(fig: go.Figure, told: _Told, place: tuple[int, int] = (1, 1), quiet: bool = False) -> None:
    where = dict(row=place[0], col=place[1]) if _grid(fig) else {}
    shown = [b for b in told.blocks if b[2] - b[1] >= told.cells / 25]
    if told.blocks:
        ticks: dict[str, Any] = dict(
            tickmode="array",
            tickvals=[(a + b) / 2 for _, a, b in shown],
            ticktext=[escape_short(n) for n, _, _ in shown],
        )
    else:
        at = np.unique(np.linspace(0, told.cells - 1, 5).round().astype(int))
        ticks = dict(tickmode="array", tickvals=at, ticktext=[str(int(i) * told.block) for i in at])
    common = dict(type="category", showgrid=False, zeroline=False, constrain="domain", ticks="", **ticks)
    first = place[1]
    anchor = "x" if first == 1 else f"x{first}"
    title = None if told.blocks else "row (in this order)"
    fig.update_xaxes(**common, title_text=title, tickangle=0 if len(shown) <= 4 else None, **where)
    fig.update_yaxes(
        **common, autorange="reversed", scaleanchor=anchor, constraintoward="top", title_text=None if quiet else title,
        showticklabels=not quiet, **where,
    )  # fmt: skip


def escape_short(name: str) -> str:
    """An escaped class name, short enough for an axis."""
    return escape(html.unescape(name), 14)


def _lines(fig: go.Figure, edges: Sequence[float], cells: int, place: tuple[int, int]) -> None:
    at = "" if place[1] == 1 else str(place[1])
    for edge in edges:
        for x0, x1, y0, y1 in ((edge, edge, -0.5, cells - 0.5), (-0.5, cells - 0.5, edge, edge)):
            fig.add_shape(
                type="line", x0=x0, x1=x1, y0=y0, y1=y1, xref=f"x{at}", yref=f"y{at}",
                line=dict(color="rgba(255,255,255,0.85)", width=1),
            )  # fmt: skip


def _cell_labels(
    rows: NDArray[np.intp],
    codes: NDArray[np.intp] | None,
    names: Sequence[str],
    ids: Sequence[Any] | None,
    block: int,
) -> list[str]:
    """One label per cell. Each starts with its row number, so that no two are equal and none is a number."""
    labels = []
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
            present = np.unique(codes[start : start + block])[:3]
            label += " · " + ", ".join(names[c] for c in present)
        labels.append(label)
    return labels


def block_average(
    K: ArrayLike, max_cells: int = 400, order: ArrayLike | None = None
) -> tuple[NDArray[np.float32], int]:
    """K in `order`, averaged over b×b blocks so that at most `max_cells` rows are left: (z float32, b).

    The last block may be smaller. Memory: n × n/b, never a second n × n.

    >>> block_average([[1, 2, 9], [3, 4, 9], [5, 7, 8]], max_cells=2)
    (array([[2.5, 9. ],
           [6. , 8. ]], dtype=float32), 2)
    """
    matrix = np.asarray(K)
    n, m = matrix.shape
    rows = np.arange(n) if order is None else np.asarray(order, dtype=np.intp)
    columns = rows if m == n else np.arange(m)
    block = -(-max(n, m, 1) // max(max_cells, 1))
    if block == 1:
        z = matrix.astype(np.float32)
        return (z if order is None else z[np.ix_(rows, columns)]), 1
    starts, across = np.arange(0, n, block), np.arange(0, m, block)
    tall = np.empty((len(starts), m))
    for i, start in enumerate(starts):
        tall[i] = matrix[rows[start : start + block]].mean(axis=0, dtype=np.float64)
    if order is not None:
        tall = tall[:, columns]
    sums = np.add.reduceat(tall, across, axis=1)
    return (sums / np.diff(np.append(across, m))).astype(np.float32), block


def value_limits(K: ArrayLike, value_range: ValueRange = "full") -> tuple[float, float]:
    """The two ends of the colour scale: never equal, never nan.

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
        pad = 0.5 * abs(low) or 0.5
        low, high = low - pad, high + pad
    return low, high


def thumbnail(
    K: ArrayLike,
    size: int = 160,
    value_range: ValueRange = None,
    order: ArrayLike | None = None,
    diverging: bool = False,
) -> NDArray[np.uint8]:
    """K as an RGB image (size, size, 3) for a film-strip, viridis or blue to vermillion around zero.

    More rows than `size` are averaged in blocks; fewer are repeated, so that every thumbnail is about
    as large as its neighbour. For one colour scale over a strip pass the same `value_range` limits.
    """
    matrix = np.asarray(K)
    z, _ = block_average(matrix, size, order)
    if value_range is None:
        value_range = "off-diagonal" if diagonal_ratio(matrix) > LARGE_DIAGONAL else "full"
    low, high = value_limits(z, value_range)
    if diverging:
        high = max(abs(low), abs(high))
        low = -high
    cell = (np.arange(size) * len(z)) // size
    return look_up(z[np.ix_(cell, cell * z.shape[1] // len(z))], low, high, DIVERGING if diverging else SEQUENTIAL)


def diagonal_histogram(K: ArrayLike, bins: int = 40) -> go.Figure:
    """Diagonal and off-diagonal entries on one axis: two heaps far apart mean a large diagonal."""
    matrix = np.asarray(K, dtype=np.float64)
    n = len(matrix)
    diagonal = np.diagonal(matrix)
    step = max(1, n * n // 2_000_000)
    part = matrix[::step]
    off = part[np.arange(0, n, step)[:, None] != np.arange(matrix.shape[1])]
    both = np.concatenate([diagonal, off])
    low, high = value_limits(both[np.isfinite(both)][None, :], "full")
    edges = np.linspace(low, high, bins + 1)
    centres = ((edges[1:] + edges[:-1]) / 2).astype(np.float32)
    fig = go.Figure()
    for name, values, colour in (("off the diagonal", off, CLASS_COLOURS[0]), ("diagonal", diagonal, CLASS_COLOURS[1])):
        share = np.histogram(values[np.isfinite(values)], edges)[0] / max(len(values), 1)
        fig.add_bar(
            x=centres, y=share.astype(np.float32), name=name, width=edges[1] - edges[0],
            marker=dict(color=colour, line_width=0), opacity=0.8,
            hovertemplate="k ≈ %{x:.4g}<br>%{y:.1%} of these entries<extra>" + name + "</extra>",
        )  # fmt: skip
    fig.update_layout(barmode="overlay", bargap=0)
    fig.update_xaxes(title_text="entry k(x, x′)")
    fig.update_yaxes(title_text="share of entries", tickformat=".0%", rangemode="tozero")
    ratio = diagonal_ratio(matrix)
    return finish(
        fig, height=280,
        alt=f"Histograms of the diagonal (mean {number(float(diagonal.mean()) if n else None)}) and of the other "
        f"entries; mean diagonal over mean size of the rest is {number(ratio)}.",
        caption="Where the two heaps lie far apart, each row is similar to itself and to nothing else: a large "
        "diagonal, with which most machines only memorise.",
    )  # fmt: skip


def class_means(found: GramDiagnostics | ArrayLike, classes: Sequence[Any] | None = None) -> go.Figure:
    """Mean of K over the pairs of every two classes: look for a diagonal brighter than the rest.

    Parameters: `found` a GramDiagnostics with labels, or the (classes, classes) means themselves;
    `classes` names, by default those of `found`.
    """
    if isinstance(found, GramDiagnostics):
        means = np.zeros((0, 0)) if found.class_means is None else found.class_means
        known = found.classes if found.classes is not None else ()
        names = [escape(c, 20) for c in (known if classes is None or len(classes) != len(means) else classes)]
    else:
        means = np.asarray(found, dtype=np.float64)
        names = [escape(c, 20) for c in (range(len(means)) if classes is None else classes)]
    low, high = value_limits(means, "full")
    signed = low < 0 < high
    if signed:
        high = max(-low, high)
        low = -high
    places = list(range(len(names)))
    fig = go.Figure(
        go.Heatmap(
            z=means.astype(np.float32), x=places, y=places, zmin=low, zmax=high,
            colorscale=DIVERGING if signed else SEQUENTIAL, showscale=False, xgap=2, ygap=2, name="mean k",
            texttemplate="%{z:.3g}" if len(names) <= 8 else None,
            hovertemplate="class %{y} with class %{x}<br>mean k = <b>%{z:.4g}</b><extra></extra>",
        )
    )  # fmt: skip
    ticks = dict(tickmode="array", tickvals=places, ticktext=names, showgrid=False, zeroline=False, ticks="")
    fig.update_xaxes(**ticks, constrain="domain", title_text="class")
    fig.update_yaxes(**ticks, constrain="domain", autorange="reversed", scaleanchor="x", title_text="class")
    return finish(
        fig, height=320, legend=False,
        alt=f"Mean kernel value between every two of {len(names)} classes, from {number(low)} to {number(high)}.",
        caption="The kernel tells classes apart when rows are more alike within a class (diagonal) than between "
        "classes. A class of one row has no pairs within it.",
    )  # fmt: skip


def spectrum_bars(eigenvalues: GramDiagnostics | ArrayLike, log: bool = False, most: int = 100) -> go.Figure:
    """Eigenvalues as bars coloured by sign: orange ones make the matrix indefinite.

    Parameters: `eigenvalues` (n,) in any order, or the diagnostics that hold them; `log` shows their size on a
    log axis; of more than `most` the leading half and the trailing half are drawn.
    """
    if isinstance(eigenvalues, GramDiagnostics):
        eigenvalues = eigenvalues.eigenvalues
    values = np.sort(np.asarray(eigenvalues, dtype=np.float64))[::-1]
    n = len(values)
    number_of = np.arange(1, n + 1)
    if n > most:
        kept = np.r_[0 : most - most // 2, n - most // 2 : n]
        values, number_of = values[kept], number_of[kept]
    drawn = np.abs(values) if log else values
    tolerance = 1e-10 * float(np.abs(values).max()) if len(values) else 0.0
    fig = go.Figure()
    groups = (
        ("positive", values > tolerance, CLASS_COLOURS[0]),
        ("zero to rounding", np.abs(values) <= tolerance, MUTED),
        ("negative", values < -tolerance, CLASS_COLOURS[1]),
    )
    for name, chosen, colour in groups:
        if chosen.any():
            fig.add_bar(
                x=number_of[chosen], y=drawn[chosen].astype(np.float32), customdata=values[chosen].astype(np.float32),
                name=name, marker=dict(color=colour, line_width=0),
                hovertemplate="l<sub>%{x}</sub> = <b>%{customdata:.4g}</b><extra></extra>",
            )  # fmt: skip
    fig.update_layout(bargap=0.1, barmode="overlay")
    fig.update_xaxes(title_text="component j" + (f" (first and last {most // 2} of {n})" if n > most else ""))
    if n > most:
        fig.update_xaxes(type="category")
    fig.update_yaxes(title_text="|eigenvalue| |l<sub>j</sub>|" if log else "eigenvalue l<sub>j</sub>")
    if log:
        top = float(drawn.max()) if len(drawn) and drawn.max() > 0 else 1.0
        # What is only rounding must not stretch the axis over sixteen decades.
        shown = drawn[drawn > tolerance]
        floor = float(shown.min()) if len(shown) else top / 10
        fig.update_yaxes(
            type="log",
            range=[np.log10(floor / 2), np.log10(top * 2)],
            exponentformat="power",
            dtick=_decade(floor, top),
        )
    negative = int((values < -tolerance).sum())
    return finish(
        fig, height=300,
        alt=f"{n} eigenvalues from {number(values[0] if n else None)} down to {number(values[-1] if n else None)}, "
        f"{negative} of those shown negative.",
        caption="A few tall bars: the data lie near a few directions. Negative bars: no feature space gives these "
        "values, and the matrix needs a repair.",
    )  # fmt: skip


def _decade(low: float, high: float) -> float:
    return float(max(1, round(np.log10(high / low) / 5))) if low > 0 else 1.0
