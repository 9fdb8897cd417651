"""Figures of the rows themselves and of their projections: points, letters, graphs, images, categories, words."""

from __future__ import annotations

import html
import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray

from ..analysis.layout import graph_layout
from ..analysis.spectrum import KernelPCA
from ..analysis.summary import Summary
from .marks import BARE, GUIDE, above, across, bars, colour_words, heat, note, places_axis, row_points, segments, up
from .theme import (
    BLUE,
    CLASS_COLOURS,
    MUTED,
    axis,
    class_colour,
    class_symbol,
    composed,
    escape,
    read_classes,
    row_labels,
    runs,
    shorten,
)

#: Bars of categories and of words; the others are summed, or left out.
_BARS = 20
#: Images that are drawn.
_IMAGES = 40
#: Edges that are drawn.
_EDGES = 5000
_LETTERS = (*CLASS_COLOURS, "#5b8f29", "#b0413e", "#3c8d93", "#a64ca6", "#6f7fd0", "#b5651d", "#008f7a", "#c2548a")


def scatter(
    X: ArrayLike, y: ArrayLike | None, classes: Sequence[Any], ids: Sequence[Any] | None, columns: Sequence[Any]
) -> go.Figure:
    """Draw rows as points over two columns: look for classes that overlap and for outliers.

    Parameters: `X` (n, 2); `columns` both names. Every point's `customdata[0]` is its row number.
    """
    rows = np.asarray(X, dtype=np.float64)
    (across, up), (_, names) = map(escape, columns), read_classes(y, classes)
    return composed(
        row_points(rows[:, 0], rows[:, 1], y, classes, ids),
        across,
        up,
        over=class_key(y, classes),
        dragmode="select",
        caption="Each point is a row. Look for groups or classes that overlap, and for rows far from all others.",
        alt=f"Scatter of {len(rows)} rows over {across} and {up}, in {max(1, len(names))} colours.",
        legend=len(names) > _KEYED,
    )


def feature_map(
    of: Summary | KernelPCA,
    y: ArrayLike | None = None,
    classes: Sequence[Any] = (),
    ids: Sequence[Any] | None = None,
) -> go.Figure:
    """Draw the rows in the leading plane of kernel PCA: look for classes that separate.

    Parameters: `of` a summary or a kernel PCA; `y`, `classes`, `ids` of the rows; real targets colour the points. Every
    point's `customdata[0]` is its row number.
    """
    shares = (*np.asarray(of.explained).tolist(), math.nan)[:2]
    plane = of.plane if isinstance(of, Summary) else np.pad(of.scores, ((0, 0), (0, 1)))[:, :2]
    # A constant direction, as the first of a diffusion kernel, is drawn as one value without its rounding errors.
    still = np.ptp(plane, axis=0) <= 1e-9 * np.abs(plane).max(axis=0, initial=0.0)
    plane = np.where(still, plane.mean(axis=0), plane)
    named = [f" ({100 * share:.0f}%)" if math.isfinite(share) else "" for share in shares]
    _, names = read_classes(y, classes)
    of_what = "centred kernel PCA" if isinstance(of, Summary) or of.centered else "kernel PCA"
    spread = f" ({100 * sum(shares):.0f}% of the spread)" if math.isfinite(sum(shares)) else ""
    return composed(
        row_points(plane[:, 0], plane[:, 1], y, classes, ids, "%{hovertext}"),
        *(axis(f"direction {i}{share}", zeroline=False) for i, share in enumerate(named, 1)),
        over=class_key(y, classes),
        legend=len(names) > _KEYED,
        margin=dict(t=24),
        alt=f"Scatter of {len(plane)} rows in the two leading directions of {of_what}.",
        caption="Each point is a row; distances approximate those of the kernel in two directions of "
        f"{of_what}{spread}. Classes that separate here are easy for a kernel machine.",
    )


#: The most classes that a line above the figure names.
_KEYED = 4


def class_key(y: ArrayLike | None, classes: Sequence[Any]) -> list[dict[str, Any]]:
    """Return a line above the figure that names the class of each colour; none for more than four classes."""
    _, names = read_classes(y, classes)
    if not 1 < len(names) <= _KEYED:
        return []
    marks = dict(circle="●", diamond="◆", square="■") | {"triangle-up": "▲"}
    return [above(colour_words((class_colour(c), marks[class_symbol(c)], shorten(n, 16)) for c, n in enumerate(names)))]


#: Sequences that are drawn, and letters of each.
_ROWS, _WIDTH = 24, 200


def sequence_letters(
    strings: Sequence[str],
    y: ArrayLike | None = None,
    classes: Sequence[Any] = (),
    ids: Sequence[Any] | None = None,
) -> go.Figure:
    """Draw sequences under each other, one colour per letter: look for columns of one colour.

    Of two sequences, letters that only one of them has are grey. Rows are ordered by class and, beyond 24, thinned
    evenly within this order; letters beyond 200 are not drawn. Large enough cells show their letter.
    """
    n = len(strings)
    codes, names = read_classes(y, classes)
    order = np.arange(n) if codes is None else np.argsort(codes, kind="stable")
    order = order[np.unique(np.linspace(0, n - 1, _ROWS).round().astype(int))]
    texts = [str(strings[i]) for i in order]
    longest = max(map(len, texts))
    width = max(1, min(longest, _WIDTH))
    cells = [[*text[:width], *[""] * (width - len(text))] for text in texts]
    letters = sorted({letter for row in cells for letter in row if letter})
    alone = {*texts[0]} ^ {*texts[1]} if n == 2 else set[str]()
    letters = [letter for letter in letters if letter not in alone]
    shades = list(_LETTERS[: max(1, len(letters))])
    number: dict[str, float] = {letter: k % len(shades) for k, letter in enumerate(letters)}
    number |= dict.fromkeys(alone, len(shades))
    number[""] = np.nan
    shades += [MUTED] if alone else []
    steps = len(shades)
    labels = row_labels(ids, n)
    drawn = heat(
        np.array([[number[letter] for letter in row] for row in cells]),
        "letters",
        [(at, c) for k, c in enumerate(shades) for at in (k / steps, (k + 1) / steps)],
        x=np.arange(1, width + 1),
        y=[f"{labels[i]}" + (f" · {names[codes[i]]}" if codes is not None else "") for i in order],
        text=np.array([[escape(letter, 2) for letter in row] for row in cells]),
        texttemplate="%{text}" if width <= 60 else None,
        textfont=dict(size=10, color="#ffffff"),
        zmin=-0.5,
        zmax=steps - 0.5,
        showscale=False,
        xgap=1 if width <= 100 else 0,
        ygap=1,
        hoverongaps=False,
        tip="%{y}<br>position %{x}: <b>%{text}</b>",
    )
    blocks = [] if codes is None else runs(codes[order])
    ticks = [shorten(names[code], 14) for code, _, _ in blocks]
    part = f" {len(order)} of {n} rows and {width} of up to {longest} letters are drawn."
    part = part if len(order) < n or width < longest else ""
    more = " Letters that only one of the two has are grey." if alone else " Look for columns of one letter."
    if len(letters) > len(_LETTERS):
        more += f" After {len(_LETTERS)} letters, the colours repeat."
    middles = [(start + stop - 1) / 2 for _, start, stop in blocks]
    return composed(
        [drawn],
        axis("position", showgrid=False, zeroline=False),
        axis(
            "" if blocks else "row",
            **BARE | dict(type="category", autorange="reversed", tickvals=middles, ticktext=ticks),
        ),
        over=[shape for _, start, _ in blocks[1:] for shape in across(start - 0.5, colour="#ffffff", width=3)],
        height=int(min(640, 90 + 16 * max(len(order), 4))),
        legend=False,
        margin=dict(l=18 + 8 * max((len(html.unescape(name)) for name in ticks), default=2)),
        alt=f"{len(order)} sequences, one row each, coloured by letter ({len(letters)} letters).{part}",
        caption=f"Each row is a sequence, each colour a letter.{more}{part}",
    )


def graph_drawing(
    adjacency: ArrayLike,
    y: ArrayLike | None = None,
    classes: Sequence[Any] = (),
    ids: Sequence[Any] | None = None,
    labels: Sequence[Any] | None = None,
    title: str | None = None,
) -> go.Figure:
    """Draw a graph with its nodes coloured by class: look for classes whose nodes are connected.

    Parameters: `labels` written in the nodes (short, e.g. atoms). Of more than 5000 edges the heaviest are drawn.
    """
    A = np.asarray(adjacency, dtype=np.float64)
    n, P = len(A), graph_layout(A)
    weights = np.triu(np.maximum(np.abs(A), np.abs(A.T)), 1)
    ends = np.argwhere(weights)
    total = len(ends)
    drawn = ends[np.argsort(-weights[tuple(ends.T)], kind="stable")[:_EDGES]]
    edges = segments(*P[drawn.T], "edges", "rgba(128,128,128,0.45)", 1, showlegend=False, **GUIDE)
    degree = (A != 0).sum(axis=1)
    hover = np.array([f"{h}, {counted(d, 'edge')}" for h, d in zip(row_labels(ids, n), degree, strict=True)])
    # A label inside the node needs larger nodes.
    size = (16 if n <= 40 else 10 if n <= 150 else 7) + (4 if labels is not None and n <= 40 else 0)
    nodes = row_points(P[:, 0], P[:, 1], y, classes, ids, "%{hovertext}", size)
    written = None if labels is None or n > 80 else np.array([escape(v, 3) for v in labels])
    for trace in nodes:
        rows = trace["customdata"][:, 0]
        trace["hovertext"] = hover[rows]
        trace["marker"] |= dict(opacity=1, line=dict(color="rgba(255,255,255,0.7)", width=0.8))
        if written is not None:
            trace |= dict(mode="markers+text", text=written[rows], textfont=dict(color="#ffffff", size=10))
            trace["marker"]["symbol"] = "circle"
    _, names = read_classes(y, classes)
    plain = BARE | dict(visible=False, range=[-1.12, 1.12], constrain="domain")
    part = f" The {len(drawn)} heaviest edges are drawn." if total > len(drawn) else ""
    return composed(
        [edges, *nodes],
        plain,
        plain | dict(scaleanchor="x"),
        title=title,
        legend=bool(names),
        alt=f"Drawing of a graph, {counted(n, 'node')} and {counted(total, 'edge')}, in {max(1, len(names))} colours.",
        caption=f"Nodes that share many edges are drawn close together. Where colours form patches, edges join "
        f"nodes of one class, which a diffusion kernel can use.{part}",
    )


def counted(count: int, what: str) -> str:
    """Return a number of things as text, such as 1 edge."""
    return f"{count} {what}{'' if count == 1 else 's'}"


def image_grid(
    X: ArrayLike,
    shape: tuple[int, int],
    y: ArrayLike | None = None,
    classes: Sequence[Any] = (),
    across: int = 8,
    numbers: ArrayLike | None = None,
) -> go.Figure:
    """Draw rows as images, a few of each class: see what the kernel must distinguish.

    Parameters: `X` (n, h·w); `shape` (h, w); `numbers` (n,) the row numbers that are written, by default positions.
    """
    rows = np.asarray(X)
    h, w = (int(v) for v in shape)
    codes, names = read_classes(y, classes)
    chosen = np.arange(len(rows))
    if codes is not None:
        per = max(1, _IMAGES // max(len(names), 1))
        chosen = np.concatenate([np.flatnonzero(codes == c)[:per] for c in range(len(names))])
    chosen = chosen[:_IMAGES]
    down = max(1, -(-len(chosen) // across))
    sheet = np.full((down * (h + 1) - 1, across * (w + 1) - 1), np.nan)
    notes, written = [], np.arange(len(rows)) if numbers is None else np.asarray(numbers)
    plate = dict(xanchor="left", yanchor="top", bgcolor="rgba(0,0,0,0.55)", borderpad=1)
    for k, i in enumerate(chosen):
        top, left = (k // across) * (h + 1), (k % across) * (w + 1)
        sheet[top : top + h, left : left + w] = rows[i].reshape(h, w)
        words = f"{written[i]}" + ("" if codes is None else f" · {shorten(names[codes[i]], 8)}")
        notes.append(note(words, left, top, 11, "#ffffff", **plate))
    # Grey levels, not viridis: they look the same on both backgrounds.
    greys = [(0.0, "#101418"), (1.0, "#f5f5f5")]
    plain = dict(visible=False, constrain="domain")
    return composed(
        [heat(sheet, "images", greys, showscale=False, hoverongaps=False, tip="value %{z:.3g}")],
        plain,
        plain | dict(autorange="reversed", scaleanchor="x"),
        over=notes,
        height=int(min(640, 20 + 62 * down * h / w)),
        legend=False,
        margin=dict(t=8),
        alt=f"{len(chosen)} of {len(rows)} images of {h} by {w} pixels.",
        caption="Check how much images of one class differ, and which classes could be confused. Each has its row "
        "number.",
    )


def category_bars(values: ArrayLike, y: ArrayLike | None, classes: Sequence[Any], column: Any) -> go.Figure:
    """Draw how often each category of a column occurs, by class: look for categories of a single class.

    Parameters: `values` (n,) categories, beyond 20 the rest are summed; `column` its name.
    """
    cells = np.asarray(values, dtype=object).tolist()
    counts = Counter(cells)
    shown = [v for v, _ in counts.most_common(_BARS)]
    others = len(counts) - len(shown)
    place = {v: k for k, v in enumerate(shown)}
    at = np.array([place.get(v, len(shown)) for v in cells], dtype=np.intp)
    ticks = [escape(v, 20) for v in shown] + ([f"{others} others"] if others else [])
    name = escape(column)
    return _class_bars(
        at,
        range(len(ticks)),
        y,
        classes,
        places_axis(ticks, name),
        0.12,
        alt=f"Counts of {len(counts)} categories of {name}, most often {', '.join(ticks[:3])}.",
        caption="A frequent category of only one class is strong evidence. Rare categories weigh more in a kernel that "
        "uses their probabilities.",
    )


def _class_bars(
    at: NDArray[np.intp],
    x: Any,
    y: ArrayLike | None,
    classes: Sequence[Any],
    xaxis: dict[str, Any],
    gap: float,
    **words: Any,
) -> go.Figure:
    """Draw stacked counts of the rows' positions `at` in `x`, one trace per class."""
    codes, names = read_classes(y, classes)
    groups = [(c, n, at[codes == c]) for c, n in enumerate(names)] if codes is not None else [(0, "rows", at)]
    traces = []
    for c, name, mine in groups:
        tip = "%{x}: <b>%{y}</b><extra>" + (name if codes is not None else "") + "</extra>"
        count = np.bincount(mine, minlength=len(x))
        traces.append(bars(np.asarray(x), count, name, class_colour(c), tip=tip))
    key, legend = class_key(y, classes), len(names) > _KEYED
    return composed(traces, xaxis, "rows", over=key, legend=legend, barmode="stack", bargap=gap, **words)


def term_bars(texts: Sequence[str]) -> go.Figure:
    """Draw the commonest words of texts, split at white space, lower case: look for dominant words without meaning."""
    counts = Counter(word for text in texts for word in str(text).lower().split())
    pairs = sorted(counts.items(), key=lambda p: (-p[1], p[0]))[:_BARS]
    names = [escape(term, 24) for term, _ in pairs]
    return named_bars(
        np.array([count for _, count in pairs]),
        names,
        names,
        (("terms", BLUE),),
        "count",
        legend=False,
        alt=f"The {len(pairs)} most frequent terms: {', '.join(names[:3])}.",
        caption="That a word occurs in every text says nothing about the class. Weighting by rarity, or a kernel over "
        "longer pieces, reduces their influence.",
    )


#: The height fits at least this many bars, so that a few do not become huge bars.
_SLOTS = 5


def named_bars(
    values: NDArray[Any],
    names: Sequence[str],
    hover: Sequence[str],
    kinds: Sequence[tuple[str, str]],
    across: str,
    **words: Any,
) -> go.Figure:
    """Draw numbers as bars below each other; `kinds` the name and colour of those of at least 0, and of the others."""
    traces = []
    for (name, colour), at in zip(kinds, (np.flatnonzero(values >= 0), np.flatnonzero(values < 0)), strict=False):
        told = dict(hovertext=[hover[m] for m in at.tolist()], tip="%{hovertext}<br><b>%{x:.4g}</b>")
        # Plotly would make bars as wide as the least distance of two of one colour.
        traces += [bars(values[at], at, name, colour, orientation="h", width=0.75, **told)] if len(at) else []
    spare = max(0, _SLOTS - len(names)) / 2
    return composed(
        traces,
        across,
        places_axis(names, range=[len(names) - 0.4 + spare, -0.6 - spare], showgrid=False),
        barmode="overlay",
        bargap=0.25,
        over=up(0, width=1, dash="solid"),
        height=110 + 23 * max(len(names), 4),
        **words,
    )


def value_histogram(
    values: ArrayLike, y: ArrayLike | None = None, classes: Sequence[Any] = (), name: str = "value"
) -> go.Figure:
    """Draw the distribution of one column, by class: where the classes do not overlap, the column separates them.

    Parameters: `values` (n,) numbers, NaN where one is missing; `name` of the column, with its unit where it has one.
    """
    given = np.asarray(values, dtype=np.float64)
    known = np.isfinite(given)
    x = given[known]
    edges = np.histogram_bin_edges(x, bins=min(30, max(1, len(np.unique(x)))))
    at = np.clip(np.searchsorted(edges, x, side="right") - 1, 0, len(edges) - 2)
    return _class_bars(
        at.astype(np.intp),
        (edges[:-1] + edges[1:]) / 2,
        None if y is None else np.asarray(y)[known],
        classes,
        axis(escape(name)),
        0.04,
        alt=f"Values of {escape(name)} in {len(x)} rows, from {x.min(initial=np.inf):.4g} to "
        f"{x.max(initial=-np.inf):.4g}.",
        caption="Where the classes do not overlap, this column alone separates them. "
        f"{len(x)} of {len(given)} rows have a value here.",
    )
