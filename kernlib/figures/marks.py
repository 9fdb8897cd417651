"""Marks of a figure as plain dicts: lines, points, bars, heatmaps, axes, words. `composed` makes the figure of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..values.words import number
from .theme import (
    BLUE,
    MUTED,
    ORANGE,
    SEQUENTIAL,
    axis,
    class_colour,
    class_symbol,
    colour_bar,
    read_classes,
    row_labels,
)

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


def segments(starts: Any, ends: Any, name: str, *style: Any, **more: Any) -> dict[str, Any]:
    """Return lines from points (n, 2) to others as one trace; `style` and `more` as in `line`."""
    path = np.full((len(starts), 3, 2), np.nan)  # a nan lifts the pen
    path[:, 0], path[:, 1] = starts, ends
    x, y = path.reshape(-1, 2).T
    return line(x, y, name, *style, **more)


def points(
    x: Any, y: Any, name: str, colour: Any = BLUE, size: Any = 8, symbol: Any = None, **more: Any
) -> dict[str, Any]:
    """Return single points; `more` as in `mark`, of which `marker` is added to the marker."""
    style = dict(color=colour, size=size) | ({} if symbol is None else dict(symbol=symbol)) | more.pop("marker", {})
    return mark("scatter", name, **dict(x=x, y=y, mode="markers", marker=style) | more)


def row_points(
    x: Any,
    y: Any,
    labels: ArrayLike | None = None,
    classes: Sequence[Any] = (),
    ids: Sequence[Any] | None = None,
    tip: str = "%{hovertext}<br>%{x:.4g}, %{y:.4g}",
    size: float | None = None,
) -> list[dict[str, Any]]:
    """Return rows as points, one trace a class, or one coloured by real targets.

    The class that lies closest together comes last, over the others. Each point's `customdata[0]` is its row number.
    Parameters: `tip` its hover text; `size` by default smaller for many rows, which the graphics card draws where they
    are very many.
    """
    n, (codes, names) = len(x), read_classes(labels, classes)
    colour = BLUE if labels is None else np.asarray(labels)
    groups: list[tuple[Any, str, Any, Any]] = [(np.arange(n), "rows", colour, None)]
    if codes is not None:
        groups = [(np.flatnonzero(codes == c), name, class_colour(c), class_symbol(c)) for c, name in enumerate(names)]
        groups = sorted((group for group in groups if len(group[0])), key=lambda group: -_area(x, y, group[0]))
    scale, hover = {}, row_labels(ids, n)
    if labels is not None and codes is None:
        scale = dict(colorscale=SEQUENTIAL, colorbar=colour_bar("y"), showscale=True, line=dict(color=MUTED, width=0.5))
    return [
        points(
            x[rows],
            y[rows],
            name,
            colour,
            size or (7 if n <= 300 else 5),
            symbol,
            marker=dict(opacity=0.85) | scale,
            customdata=rows[:, None],
            hovertext=hover[rows],
            tip=f"{tip}<extra>{name if codes is not None else 'y = %{marker.color:.4g}' if scale else ''}</extra>",
            type="scattergl" if n > _MANY else "scatter",
        )
        for rows, name, colour, symbol in groups
        if len(rows)
    ]


def _area(x: Any, y: Any, rows: Any) -> float:
    """Return the area that most of the rows cover."""
    low, high = np.nanquantile([np.asarray(x)[rows], np.asarray(y)[rows]], [0.1, 0.9], axis=1)
    return float(np.prod(high - low))


#: From this number of points on, the graphics card draws them.
_MANY = 2000


def bars(x: Any, y: Any, name: str, colour: Any = BLUE, **more: Any) -> dict[str, Any]:
    """Return bars; `more` as in `points`."""
    style = dict(color=colour, line=dict(width=0)) | more.pop("marker", {})
    return mark("bar", name, x=x, y=y, marker=style, **more)


def whiskers(values: Any, low: Any, high: Any, colour: Any = None) -> dict[str, Any]:
    """Return error bars from `low` to `high` around `values`."""
    ends = dict(array=np.subtract(high, values), arrayminus=np.subtract(values, low))
    return dict(type="data", symmetric=False, color=colour, thickness=1.5, width=5, **ends)


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


def across(y: float, label: str = "", colour: Any = MUTED, width: Any = 1, dash: Any = "solid") -> list[dict[str, Any]]:
    """Return a line over the whole width of the first panel, with a label above its right end."""
    return _rule("x", "y", y, dict(color=colour, width=width, dash=dash), label, xanchor="right", yanchor="bottom")


def up(x: float, label: str = "", colour: Any = MUTED, width: Any = 1.5, dash: Any = "dash") -> list[dict[str, Any]]:
    """Return a line over the whole height of the first panel, with a label beside its top."""
    style = dict(color=colour, width=width, dash=dash)
    return _rule("y", "x", x, style, label, xanchor="left", xshift=4, yanchor="top")


def _rule(along: str, of: str, at: float, style: dict[str, Any], label: str, **words: Any) -> list[dict[str, Any]]:
    """Return a line along the whole axis `along` at a value of the other axis, and its label at the end."""
    refs: dict[str, Any] = {f"{along}ref": f"{along} domain", f"{of}ref": of}
    ends = {f"{along}0": 0, f"{along}1": 1, f"{of}0": at, f"{of}1": at}
    named = [note(label, 1, at, **refs, **words) | {along: 1, of: at}] if label else []
    return [dict(type="line", line=style, **refs, **ends), *named]


def above(text: str) -> dict[str, Any]:
    """Return words above the figure, at its right end."""
    return note(text, 1, 1, xref="paper", xanchor="right", yref="paper", yanchor="bottom", align="right")


def colour_words(key: Iterable[tuple[str, str, str]]) -> str:
    """Return a line that says what colours mean, from the colour, the sign and the name of each."""
    return "   ".join(f'<span style="color:{colour}">{sign}</span> {name}' for colour, sign, name in key)


def equal_line(ends: Sequence[float], name: str) -> dict[str, Any]:
    """Return the dashed line of equal x and y between two `ends`."""
    return line(ends, ends, name, MUTED, 1.5, "dash", **GUIDE)


def present(x: Sequence[float], y: Sequence[float], **style: Any) -> dict[str, Any]:
    """Return the mark of a slider's value as a trace, by default a line; `frames.mark_frames` moves it."""
    # The browser knows the mark by its name.
    return line(list(x), list(y), "now", ORANGE, showlegend=False, **GUIDE) | style


# -- axes with round ticks -------------------------------------------------------------------


def log_axis(values: Iterable[float]) -> dict[str, Any]:
    """Return a logarithmic axis over positive `values`: ticks at 1, 2 and 5, or over many decades at powers of ten.

    Without a format, Plotly writes the digit alone between powers of ten: 5 1 2 5 10 2 5 for what is 0.5 to 50.

    >>> log_axis([0.4, 30.0]), log_axis([1e-9, 1e9])
    ({'type': 'log', 'dtick': 'D2', 'tickformat': '~g'}, {'type': 'log', 'dtick': 3})
    """
    numbers = [math.log10(v) for v in values if v > 0]
    decades = max(numbers, default=0.0) - min(numbers, default=0.0)
    if decades < 0.6:  # Plotly divides a short piece as it does a straight axis
        return {"type": "log"}
    return {"type": "log"} | ({"dtick": "D2", "tickformat": "~g"} if decades < 3 else {"dtick": math.ceil(decades / 8)})


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
