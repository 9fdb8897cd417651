"""Marks of a figure as plain dicts: lines, points, bars, heatmaps, axes, words. `composed` makes the figure of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..values.words import number
from .theme import BLUE, MUTED, ORANGE, SEQUENTIAL, class_colour, class_symbol, lean, read_classes, row_labels

#: What only helps the eye: it answers no pointer and is not in the table.
GUIDE: dict[str, Any] = dict(hoverinfo="skip", meta=dict(decoration=True))
#: An axis of whole places without lines.
BARE: dict[str, Any] = dict(showgrid=False, zeroline=False, ticks="")


def mark(kind: str, name: str, tip: Any = None, **more: Any) -> dict[str, Any]:
    """Return a trace of Plotly's type `kind`; `tip` is its hover text, "" for none, None for Plotly's own."""
    hover: dict[str, Any] = {}
    if tip is not None:
        ended = tip if "<extra>" in tip else f"{tip}<extra></extra>"
        hover = dict(hovertemplate=ended) if tip else dict(hoverinfo="skip")
    return dict(type=kind, name=name) | hover | more


def line(
    x: Any, y: Any, name: str, colour: Any = BLUE, width: Any = 2, dash: Any = "", dots: Any = 0, **more: Any
) -> dict[str, Any]:
    """Return a line, with points of the size `dots`; `more` as in `mark`, of which `marker` is added to the points."""
    style = dict(color=colour, width=width) | (dict(dash=dash) if dash else {})
    given: dict[str, Any] = dict(x=x, y=y, mode="lines", line=style)
    if dots:
        given |= dict(mode="lines+markers", marker=dict(color=colour, size=dots) | more.pop("marker", {}))
    return mark("scatter", name, **given | more)


def points(
    x: Any, y: Any, name: str, colour: Any = BLUE, size: Any = 8, symbol: Any = None, **more: Any
) -> dict[str, Any]:
    """Return single points; `more` as in `mark`, of which `marker` is added to the marker."""
    style = dict(color=colour, size=size) | ({} if symbol is None else dict(symbol=symbol)) | more.pop("marker", {})
    return mark("scatter", name, **dict(x=x, y=y, mode="markers", marker=style) | more)


def row_points(
    x: Any,
    y: Any,
    labels: ArrayLike | None,
    classes: Sequence[Any],
    ids: Sequence[Any] | None,
    size: float,
    tip: str,
    opacity: float,
    many: int,
) -> list[dict[str, Any]]:
    """Return rows as points, one trace a class in the order of the codes, or one coloured by real targets.

    Each point's `customdata[0]` is its row number. Parameters: `tip` its hover text; more than `many` rows are drawn by
    the graphics card.
    """
    n, (codes, names) = len(x), read_classes(labels, classes)
    colour = BLUE if labels is None else np.asarray(labels, dtype=np.float32)
    groups: list[tuple[Any, str, Any, Any]] = [(np.arange(n), "rows", colour, None)]
    if codes is not None:
        groups = [(np.flatnonzero(codes == c), name, class_colour(c), class_symbol(c)) for c, name in enumerate(names)]
    scale = {} if labels is None or codes is not None else dict(colorscale=SEQUENTIAL)
    named = row_labels(ids, n)
    return [
        points(
            lean(x[rows]),
            lean(y[rows]),
            name,
            colour,
            size,
            symbol,
            marker=dict(opacity=opacity) | scale,
            customdata=rows.astype(np.int32)[:, None],
            hovertext=named[rows],
            tip=f"{tip}<extra>{'' if codes is None else name}</extra>",
            type="scattergl" if n > many else "scatter",
        )
        for rows, name, colour, symbol in groups
    ]


def bars(x: Any, y: Any, name: str, colour: Any = BLUE, **more: Any) -> dict[str, Any]:
    """Return bars; `more` as in `points`."""
    style = dict(color=colour, line=dict(width=0)) | more.pop("marker", {})
    return mark("bar", name, x=x, y=y, marker=style, **more)


def heat(z: Any, name: str, scale: Any = SEQUENTIAL, **more: Any) -> dict[str, Any]:
    """Return a heatmap; `more` as in `mark`."""
    return mark("heatmap", name, z=z, colorscale=scale, **more)


def unseen(x: Any, y: Any, name: str, places: Any, size: float, **more: Any) -> dict[str, Any]:
    """Return unseen points that take the clicks on what takes none, such as cells and words; `places` are clicked."""
    clear = dict(marker=dict(opacity=0))
    return points(
        x,
        y,
        name,
        None,
        size,
        "square",
        customdata=places,
        marker=dict(opacity=0),
        selected=clear,
        unselected=clear,
        meta=dict(decoration=True),
        **more,
    )


def axis(text: str = "", **more: Any) -> dict[str, Any]:
    """Return an axis with its title."""
    return (dict(title=dict(text=text)) if text else {}) | more


def places_axis(names: Sequence[str], text: Any = "", **more: Any) -> dict[str, Any]:
    """Return an axis of the places 0, 1, … with these names: equal names, or names cut to be equal, stay apart.

    >>> places_axis(["a", "a"])
    {'tickmode': 'array', 'tickvals': [0, 1], 'ticktext': ['a', 'a']}
    """
    return axis(text, tickmode="array", tickvals=list(range(len(names))), ticktext=list(names)) | more


def note(text: str, x: float, y: float, size: Any = 12, colour: Any = None, **more: Any) -> dict[str, Any]:
    """Return words without an arrow."""
    font = dict(size=size) | ({} if colour is None else dict(color=colour))
    return dict(text=text, x=x, y=y, showarrow=False, font=font) | more


def across(y: float, colour: Any = MUTED, width: Any = 1, dash: Any = "solid") -> dict[str, Any]:
    """Return a line over the whole width of the first panel."""
    ends = dict(xref="x domain", x0=0, x1=1, yref="y", y0=y, y1=y)
    return dict(type="line", line=dict(color=colour, width=width, dash=dash), **ends)


def up(x: float, colour: Any = MUTED, width: Any = 1.5, dash: Any = "dash") -> dict[str, Any]:
    """Return a line over the whole height of the first panel."""
    ends = dict(xref="x", x0=x, x1=x, yref="y domain", y0=0, y1=1)
    return dict(type="line", line=dict(color=colour, width=width, dash=dash), **ends)


def above(text: str) -> dict[str, Any]:
    """Return words above the figure, at its right end."""
    return note(text, 1, 1, xref="paper", xanchor="right", yref="paper", yanchor="bottom")


def equal_line(ends: Sequence[float], name: str) -> dict[str, Any]:
    """Return the dashed line of equal x and y between two `ends`."""
    return line(ends, ends, name, MUTED, 1.5, "dash", **GUIDE)


def upright(x: float, label: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a dashed line over the whole height of the figure, and its label beside its top."""
    return up(x), note(label, x, 1, xref="x", xanchor="left", xshift=4, yref="y domain", yanchor="top")


def present(x: Sequence[float], y: Sequence[float], **style: Any) -> dict[str, Any]:
    """Return the mark of a slider's value as a trace, by default a line; `frames.mark_frames` moves it."""
    # The browser knows the mark by its name.
    return line(list(x), list(y), "now", ORANGE, showlegend=False, **GUIDE) | style


# -- axes with round ticks -------------------------------------------------------------------


def log_axis(values: Iterable[float], most: int = 6) -> dict[str, Any]:
    """Return a logarithmic axis over positive `values`, with ticks at 1, 2, 5, at 1, 3 or at powers of ten.

    Plotly writes the digit alone between powers of ten: 5 1 2 5 10 2 5 for what is 0.5 to 50. Parameters: `most`
    intervals between powers of ten, fewer for a narrow figure.

    >>> axis = log_axis([0.4, 30.0])
    >>> axis["tickvals"], axis["ticktext"]
    ([0.3, 1.0, 3.0, 10.0, 30.0], ['0.3', '1', '3', '10', '30'])
    >>> log_axis([1e-9, 1e9])["ticktext"][:3]
    ['10<sup>−9</sup>', '10<sup>−6</sup>', '0.001']
    """
    numbers = [float(v) for v in values if v > 0]
    if not numbers:
        return {"type": "log"}
    low, high = math.log10(min(numbers)), math.log10(max(numbers))
    decades = high - low
    if decades < 0.6:  # Plotly divides a short piece as it does a straight axis
        return {"type": "log"}
    digits = (1, 2, 5) if decades < 1.2 else (1, 3) if decades < 2.5 else (1,)
    step = max(1, math.ceil(decades / most))
    first = math.floor(low - 0.2)
    powers = range(first - first % step, math.ceil(high + 0.2) + 1, step)
    ticks = [(m, p) for p in powers for m in digits if low - 0.2 <= math.log10(m) + p <= high + 0.2]
    text = [f"{m * 10.0**p:g}" if -4 < p < 5 else _power(m, p) for m, p in ticks]
    return {"type": "log", "tickmode": "array", "tickvals": [float(f"{m}e{p}") for m, p in ticks], "ticktext": text}


def _power(digit: int, power: int) -> str:
    return ("" if digit == 1 else f"{digit}·") + f"10<sup>{power}</sup>".replace("-", "−")


def even_ticks(low: float, high: float, most: int = 5) -> tuple[list[float], list[str]]:
    """Return at most so many round values between the ends of a straight axis, and each as text.

    >>> even_ticks(0.0, 1.1), even_ticks(8e-8, 6.2e-5, 4)
    (([0.0, 0.5, 1.0], ['0', '0.5', '1']), ([2e-05, 4e-05, 6e-05], ['2·10⁻⁵', '4·10⁻⁵', '6·10⁻⁵']))
    """
    power = math.floor(math.log10((high - low) / most))
    for digit, up in ((1, 0), (2, 0), (5, 0), (1, 1), (2, 1)):
        step = float(f"{digit}e{power + up}")
        places = range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
        if len(places) <= most:
            break
    values = [float(f"{place * digit}e{power + up}") for place in places]
    size = max(map(abs, values), default=step)
    digits = max(2, 2 + math.floor(math.log10(max(size / step, 1.0))))
    return values, [number(value, digits) for value in values]
