"""Figures of the rows themselves: points, letters, graphs, images, categories, words, classes."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray

from ..analysis.layout import graph_layout
from ..values.arrays import Array
from .theme import (
    BLUE,
    CLASS_COLOURS,
    GOLD,
    GREEN,
    ORANGE,
    class_colour,
    class_symbol,
    escape,
    finish,
    lean,
    read_classes,
    row_labels,
    shorten,
)

#: The usual colours of DNA and RNA letters; other alphabets use them in turn.
_BASES = {
    "A": GREEN,
    "C": BLUE,
    "G": GOLD,
    "T": ORANGE,
    "U": ORANGE,
}
PATTERNS = ("", "/", ".", "x", "-", "|", "+")
_LETTERS = (*CLASS_COLOURS, "#5b8f29", "#b0413e", "#3c8d93", "#a64ca6", "#6f7fd0", "#b5651d", "#008f7a", "#c2548a")


def scatter(
    X: ArrayLike,
    y: ArrayLike | None = None,
    classes: Sequence[Any] = (),
    ids: Sequence[Any] | None = None,
    columns: Sequence[Any] = (),
    dims: Sequence[int] = (1, 2),
) -> go.Figure:
    """Draw rows as points over two of their columns: look for classes that overlap and for outliers.

    Parameters: `X` (n, d); with d = 1 the row number is on the other axis; `columns` names; `dims`
    columns counted from 1. Every point's `customdata[0]` is its row number.
    """
    from .spectrum import points

    rows = np.asarray(X, dtype=np.float64)
    rows = rows[:, None] if rows.ndim == 1 else rows
    names = [escape(c) for c in columns] or [f"x<sub>{j + 1}</sub>" for j in range(rows.shape[1])]
    if rows.shape[1] == 1:
        picked, titles = [rows[:, 0], np.arange(len(rows), dtype=float)], [names[0], "row"]
    else:
        chosen = [min(max(int(c), 1), rows.shape[1]) for c in dims]
        picked, titles = [rows[:, c - 1] for c in chosen], [names[c - 1] for c in chosen]
    if read_classes(y, classes)[0] is not None:
        look_for = "Look for classes that overlap, curved borders between them, and rows that lie far from all others."
    elif y is not None:
        look_for = "Its colour is its label: look for how smoothly that changes, and for rows far from all others."
    else:
        look_for = "Look for groups, and for rows that lie far from all others."
    return points(
        picked, titles, y, classes, ids, what=" and ".join(titles),
        caption="Each point is a row. " + look_for,
    )  # fmt: skip


def _letters(strings: Sequence[str], most: int) -> list[str]:
    """Return the letters that occur, at most the `most` commonest, in alphabetical order."""
    counts = Counter(c for s in strings for c in s)
    return sorted(c for c, _ in counts.most_common(most))


def _letter_colour(letter: str, place: int, alphabet: Sequence[str]) -> str:
    if set(alphabet) <= set("ACGTUN-") and letter in _BASES:
        return _BASES[letter]
    return _LETTERS[place % len(_LETTERS)]


def sequence_letters(
    strings: Sequence[str],
    y: ArrayLike | None = None,
    classes: Sequence[Any] = (),
    ids: Sequence[Any] | None = None,
    max_rows: int = 40,
    max_letters: int = 200,
) -> go.Figure:
    """Draw sequences under each other, one colour per letter: look for columns of one colour.

    Rows are ordered by class and, beyond `max_rows`, thinned evenly within this order; letters beyond
    `max_letters` are not drawn. Large enough cells show their letter.
    """
    texts = [str(s) for s in strings]
    n = len(texts)
    codes, names = read_classes(y, classes)
    order = np.arange(n) if codes is None else np.argsort(codes, kind="stable")
    if n > max_rows:
        order = order[np.linspace(0, n - 1, max_rows).round().astype(int)]
    width = max(1, min(max((len(texts[i]) for i in order), default=1), max_letters))
    drawn = [texts[i][:width] for i in order]
    alphabet = _letters(drawn, 40)
    z, written = _letter_cells(drawn, width, alphabet)
    shades = [_letter_colour(a, k, alphabet) for k, a in enumerate(alphabet)] + ["#777777"]
    steps = len(shades)
    scale = [(at, c) for k, c in enumerate(shades) for at in (k / steps, (k + 1) / steps)]
    labels = row_labels(ids, n)
    rows = [f"{labels[i]}" + (f" · {names[codes[i]]}" if codes is not None else "") for i in order]
    fits = width <= 60
    fig = go.Figure(
        go.Heatmap(
            z=z, x=np.arange(1, width + 1), y=rows, text=written, texttemplate="%{text}" if fits else None,
            textfont=dict(size=10, color="#ffffff"), zmin=-0.5, zmax=steps - 0.5, colorscale=scale, showscale=False,
            xgap=1 if width <= 100 else 0, ygap=1, name="letters", hoverongaps=False,
            hovertemplate="%{y}<br>position %{x}: <b>%{text}</b><extra></extra>",
        )
    )  # fmt: skip
    beside = 10 if codes is None else _names_beside(fig, codes[order], names)
    fig.update_xaxes(title_text="position", showgrid=False, zeroline=False)
    fig.update_yaxes(
        type="category", autorange="reversed", showticklabels=False, ticks="", showgrid=False, title_text="row"
    )
    part = f" {len(order)} of {n} rows are shown." if len(order) < n else ""
    longest = max((len(t) for t in texts), default=0)
    cut = f" Only the first {width} of up to {longest} letters are drawn." if longest > width else ""
    return finish(
        fig, height=int(min(640, 90 + 16 * max(len(order), 4))), legend=False, margin=dict(r=beside),
        alt=f"{len(order)} sequences, one row each, coloured by letter ({len(alphabet)} letters).{part}{cut}",
        caption="Each row is a sequence, each colour a letter. "
        + (
            "Where a column has one colour the two agree."
            if n == 2
            else "In a column of one colour the class agrees. Patterns that shift sideways need a kernel that "
            "tolerates shifts."
        )
        + part + cut,
    )  # fmt: skip


def _letter_cells(texts: Sequence[str], width: int, alphabet: Sequence[str]) -> tuple[Array, NDArray[np.str_]]:
    """Return each letter's number in the alphabet, nan after the end of a text, and the letters as they are written."""
    number = {c: k for k, c in enumerate(alphabet)}
    z = np.full((len(texts), width), np.nan, dtype=np.float32)
    written = np.full((len(texts), width), "", dtype="<U8")
    for r, text in enumerate(texts):
        for c, letter in enumerate(text):
            z[r, c] = number.get(letter, len(alphabet))
            written[r, c] = escape(letter, 2)
    return z, written


def _names_beside(fig: go.Figure, codes: NDArray[np.intp], names: Sequence[str]) -> int:
    """Write the class names beside the rows, which are ordered by class; return the pixels that they need."""
    beside, start = 10, 0
    for code in dict.fromkeys(codes.tolist()):
        count = int((codes == code).sum())
        name = names[code] if count > 4 else shorten(names[code], 14)
        # Beside few rows the names are horizontal and need their length.
        beside = max(beside, 34 if count > 4 else 14 + 7 * len(html.unescape(name)))
        fig.add_annotation(
            text=name, x=1, xref="paper", xanchor="left", y=start + (count - 1) / 2, yref="y", showarrow=False,
            textangle=90 if count > 4 else 0, font=dict(size=12, color=class_colour(code)), xshift=4,
        )  # fmt: skip
        if start:
            fig.add_hline(y=start - 0.5, line=dict(color="#ffffff", width=3))
        start += count
    return beside


def edge_trace(adjacency: Array, places: Array, most: int = 5000) -> tuple[dict[str, Any], int, int]:
    """Return the heaviest edges between places (n, 2) as one trace, the number drawn, and the number of all edges."""
    weights = np.triu(np.maximum(np.abs(adjacency), np.abs(adjacency.T)), 1)
    i, j = np.nonzero(weights)
    total = len(i)
    if total > most:
        kept = np.argsort(-weights[i, j], kind="stable")[:most]
        i, j = i[kept], j[kept]
    # A nan lifts the pen.
    lines = np.full((len(i), 3, 2), np.nan, dtype=np.float32)
    lines[:, 0], lines[:, 1] = places[i], places[j]
    trace = dict(
        type="scatter", x=lines[:, :, 0].ravel(), y=lines[:, :, 1].ravel(), mode="lines", hoverinfo="skip",
        line=dict(color="rgba(128,128,128,0.45)", width=1), name="edges", showlegend=False, meta=dict(decoration=True),
    )  # fmt: skip
    return trace, len(i), total


def graph_drawing(
    adjacency: ArrayLike,
    y: ArrayLike | None = None,
    classes: Sequence[Any] = (),
    ids: Sequence[Any] | None = None,
    labels: Sequence[Any] | None = None,
    title: str | None = None,
    max_edges: int = 5000,
) -> go.Figure:
    """Draw a graph with its nodes coloured by class: look for classes whose nodes are connected.

    Parameters: `labels` written in the nodes (short, e.g. atoms); `max_edges` drawn, the heaviest.
    """
    A = np.asarray(adjacency, dtype=np.float64)
    n, P = len(A), graph_layout(A)
    edges, drawn, total = edge_trace(A, P, max_edges)
    fig = go.Figure([edges])
    codes, names = read_classes(y, classes)
    hover = row_labels(ids, n)
    degree = (A != 0).sum(axis=1)
    hover = np.array(
        [f"{h}, {d} edge{'' if d == 1 else 's'}" for h, d in zip(hover, degree, strict=True)], dtype=object
    )
    size = (16 if n <= 40 else 10 if n <= 150 else 7) + (4 if labels is not None and n <= 40 else 0)
    written = None if labels is None or n > 80 else np.array([escape(v, 3) for v in labels], dtype=object)
    groups = [(c, name, np.flatnonzero(codes == c)) for c, name in enumerate(names)] if codes is not None else []
    for c, name, rows in groups or [(0, "nodes", np.arange(n))]:
        if len(rows):
            fig.add_scatter(
                x=lean(P[rows, 0]), y=lean(P[rows, 1]), name=name, hovertext=hover[rows],
                mode="markers" if written is None else "markers+text", text=None if written is None else written[rows],
                textfont=dict(color="#ffffff", size=10), customdata=rows.astype(np.int32)[:, None],
                # A label inside the node needs larger nodes.
                marker=dict(color=class_colour(c), symbol=class_symbol(c) if written is None else "circle", size=size,
                            opacity=1, line=dict(color="rgba(255,255,255,0.7)", width=0.8)),
                hovertemplate="%{hovertext}<extra>" + (name if groups else "") + "</extra>",
            )  # fmt: skip
    plain = dict(visible=False, showgrid=False, zeroline=False, range=[-1.12, 1.12])
    fig.update_xaxes(**plain, constrain="domain")
    fig.update_yaxes(**plain, scaleanchor="x", constrain="domain")
    part = f" The {drawn} heaviest edges are drawn." if total > drawn else ""
    return finish(
        fig, height=440, title=title, legend=bool(groups),
        alt=f"Drawing of a graph with {n} nodes and {total} edge{'' if total == 1 else 's'}"
        + (f", in {len(names)} classes" if groups else "") + f".{part}",
        caption=f"Nodes that share many edges are drawn close together. Where colours form patches, edges join "
        f"nodes of one class, which a diffusion kernel can use.{part}",
    )  # fmt: skip


def image_grid(
    X: ArrayLike,
    shape: tuple[int, int],
    y: ArrayLike | None = None,
    classes: Sequence[Any] = (),
    max_images: int = 40,
    across: int = 8,
    numbers: ArrayLike | None = None,
) -> go.Figure:
    """Draw rows as images, a few of each class: see what the kernel must distinguish.

    Parameters: `X` (n, h·w); `shape` (h, w); `numbers` (n,) the row numbers that hovering shows, by default positions.
    """
    rows = np.asarray(X, dtype=np.float32)
    h, w = (int(v) for v in shape)
    codes, names = read_classes(y, classes)
    if codes is None:
        chosen = np.arange(min(len(rows), max_images))
    else:
        per = max(1, max_images // max(len(names), 1))
        chosen = np.concatenate([np.flatnonzero(codes == c)[:per] for c in range(len(names))])[:max_images]
    down = max(1, -(-len(chosen) // across))
    sheet = np.full((down * (h + 1) - 1, across * (w + 1) - 1), np.nan, dtype=np.float32)
    where = np.full(sheet.shape, "", dtype="<U64") if sheet.size <= 40_000 else None
    for k, i in enumerate(chosen):
        top, left = (k // across) * (h + 1), (k % across) * (w + 1)
        sheet[top : top + h, left : left + w] = rows[i].reshape(h, w)
        if where is not None:
            where[top : top + h, left : left + w] = f"row {i if numbers is None else np.asarray(numbers)[i]}" + (
                f" · {names[codes[i]]}"[:50] if codes is not None else ""
            )
    # Grey levels, not viridis: they look the same on both backgrounds.
    fig = go.Figure(
        go.Heatmap(
            z=sheet, colorscale=[(0.0, "#101418"), (1.0, "#f5f5f5")], showscale=False, hoverongaps=False, name="images",
            text=where, hovertemplate=("%{text}<br>" if where is not None else "") + "value %{z:.3g}<extra></extra>",
        )
    )  # fmt: skip
    if codes is not None:
        for k, i in enumerate(chosen):
            fig.add_annotation(
                x=(k % across) * (w + 1), y=(k // across) * (h + 1), xanchor="left", yanchor="top", showarrow=False,
                text=shorten(names[codes[i]], 8), font=dict(size=11, color="#ffffff"),
                bgcolor="rgba(0,0,0,0.55)", borderpad=1,
            )  # fmt: skip
    plain = dict(visible=False, constrain="domain")
    fig.update_xaxes(**plain)
    fig.update_yaxes(**plain, autorange="reversed", scaleanchor="x")
    return finish(
        fig, height=int(min(640, 20 + 62 * down * h / w)), legend=False, margin=dict(t=8),
        alt=f"{len(chosen)} of {len(rows)} images of {h} by {w} pixels"
        + (f", from {len(names)} classes." if names else "."),
        caption="Check how much images of one class differ, and which classes could be confused.",
    )  # fmt: skip


def category_bars(
    X: ArrayLike,
    column: int = 0,
    y: ArrayLike | None = None,
    classes: Sequence[Any] = (),
    columns: Sequence[Any] = (),
    most: int = 20,
) -> go.Figure:
    """Draw how often each category of one column occurs, by class: look for categories of a single class.

    Parameters: `X` (n, d) categorical rows, or (n,) one column; beyond `most` categories the rest are summed.
    """
    rows = np.asarray(X, dtype=object)
    values = rows if rows.ndim == 1 else rows[:, column]
    counts = Counter(values.tolist())
    shown = [v for v, _ in counts.most_common(most)]
    others = len(counts) - len(shown)
    place = {v: k for k, v in enumerate(shown)}
    at = np.array([place.get(v, len(shown)) for v in values.tolist()], dtype=np.intp)
    ticks = [escape(v, 20) for v in shown] + ([f"{others} others"] if others else [])
    fig = _class_bars(at, len(ticks), y, classes)
    name = escape(columns[column]) if len(columns) > column else f"x<sub>{column + 1}</sub>"
    fig.update_xaxes(title_text=name, tickmode="array", tickvals=list(range(len(ticks))), ticktext=ticks)
    fig.update_yaxes(title_text="rows")
    return finish(
        fig, height=320,
        alt=f"Counts of {len(counts)} categories of {name}; the most frequent is {ticks[0] if ticks else 'none'}.",
        caption="A frequent category of only one class is strong evidence. Rare categories weigh more in a kernel that "
        "uses their probabilities.",
    )  # fmt: skip


def _class_bars(
    at: NDArray[np.intp], bins: int, y: ArrayLike | None, classes: Sequence[Any], x: Any = None
) -> go.Figure:
    """Draw stacked counts of positions 0…bins−1, one trace per class."""
    codes, names = read_classes(y, classes)
    fig = go.Figure()
    groups = [(c, n, at[codes == c]) for c, n in enumerate(names)] if codes is not None else [(0, "rows", at)]
    for c, name, mine in groups:
        fig.add_bar(
            x=np.arange(bins) if x is None else x, y=np.bincount(mine, minlength=bins).astype(np.int32), name=name,
            marker=dict(
                color=class_colour(c), line_width=0,
                pattern=dict(shape=PATTERNS[c % len(PATTERNS)], fillmode="overlay", fgcolor="rgba(255,255,255,0.5)",
                             solidity=0.12, size=10),
            ),
            hovertemplate="%{x}: <b>%{y}</b><extra>" + (name if codes is not None else "") + "</extra>",
        )  # fmt: skip
    fig.update_layout(barmode="stack", bargap=0.12)
    return fig


def term_bars(counts: Mapping[str, float] | Sequence[tuple[str, float]] | Sequence[str], most: int = 20) -> go.Figure:
    """Draw the commonest terms: look for dominant words without meaning.

    Parameters: `counts` term to count, or the texts themselves (split at white space, lower case).
    """
    given: list[Any] = list(counts.items()) if isinstance(counts, Mapping) else list(counts)
    if given and isinstance(given[0], str):
        given = list(Counter(w for t in given for w in str(t).lower().split()).items())
    pairs: list[tuple[str, float]] = sorted(given, key=lambda p: (-float(p[1]), str(p[0])))[:most]
    places = list(range(len(pairs)))
    ticks = [escape(t, 24) for t, _ in pairs]
    fig = go.Figure(
        go.Bar(
            x=np.array([float(v) for _, v in pairs], dtype=np.float32), y=places, orientation="h", name="terms",
            hovertext=ticks, marker=dict(color=BLUE, line_width=0),
            hovertemplate="%{hovertext}: <b>%{x:.4g}</b><extra></extra>",
        )
    )  # fmt: skip
    fig.update_yaxes(tickmode="array", tickvals=places, ticktext=ticks, autorange="reversed", showgrid=False)
    fig.update_xaxes(title_text="count", rangemode="tozero")
    return finish(
        fig, height=90 + 20 * max(len(pairs), 3), legend=False,
        alt=f"The {len(pairs)} most frequent terms; the first is {ticks[0] if ticks else 'none'}.",
        caption="That a word occurs in every text says nothing about the class. Weighting by rarity, or a kernel over "
        "longer pieces, reduces their influence.",
    )  # fmt: skip


def value_histogram(
    values: ArrayLike, y: ArrayLike | None = None, classes: Sequence[Any] = (), name: str = "value", bins: int = 30
) -> go.Figure:
    """Draw the distribution of one column, by class: where the classes do not overlap, the column separates them.

    Parameters: `values` (n,) numbers, NaN where one is missing; `name` of the column, with its unit where it has one.
    """
    given = np.asarray(values, dtype=np.float64)
    known = np.isfinite(given)
    x = given[known]
    edges = np.histogram_bin_edges(x, bins=min(bins, max(1, len(np.unique(x)))))
    at = np.clip(np.searchsorted(edges, x, side="right") - 1, 0, len(edges) - 2)
    fig = _class_bars(at.astype(np.intp), len(edges) - 1, None if y is None else np.asarray(y)[known], classes,
                      x=(edges[:-1] + edges[1:]) / 2)  # fmt: skip
    fig.update_layout(bargap=0.04)
    fig.update_xaxes(title_text=escape(name))
    fig.update_yaxes(title_text="rows")
    missing = int((~known).sum())
    return finish(
        fig, height=320,
        alt=f"Values of {escape(name)} in {len(x)} rows, from {x.min(initial=np.inf):.4g} to "
        f"{x.max(initial=-np.inf):.4g}.",
        caption="Where the classes do not overlap, this column alone separates them."
        + (f" {missing} rows have no value here." if missing else ""),
    )  # fmt: skip
