"""Figures of the levels of a kernel: the matrices side by side, the border in the plane, the map of a parameter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

from ..statistics import compare_settings
from ..values.arrays import Array
from ..values.labels import HalvesErrors
from ..values.words import percent, value_in_words
from .gram import SIDE, small_picture
from .marks import BARE, GUIDE, heat, mark, present, unseen
from .theme import (
    ERROR_SCALE,
    MUTED,
    ORANGE,
    SEQUENTIAL,
    colour_bar,
    composed,
    escape,
    look_up,
)

if TYPE_CHECKING:
    from ..analysis.levels import Collapse
    from ..analysis.summary import Summary

#: Cells from one picture on a canvas to the next, down and across: words stand below each.
_DOWN, _ACROSS = 60, 52
#: Colours of the matrices on a map, whose two frames have the colours of errors.
_GREYS = ((0.0, "rgb(20,20,20)"), (1.0, "rgb(255,255,255)"))
#: The width of a picture's ground.
_GROUND = 5


def level_strip(pictures: Sequence[Array], shown: int | None = None) -> go.Figure:
    """Draw the Gram matrices of all levels, a small picture each: blocks sharpen, then fade.

    Every picture has a point whose `customdata` is its level, for clicks. Parameters: `pictures` of levels 0, 1, … from
    `small_picture`; `shown` the level in view, which has a frame; a click on another uses it.
    """
    across = _across(len(pictures))
    at = [divmod(level, across) for level in range(len(pictures))]
    words = {place: str(level) for level, place in enumerate(at)}
    hover = {place: f"level {level}" for level, place in enumerate(at)}
    drawn = dict(zip(at, pictures, strict=True))
    rows = [""] * -(-len(pictures) // across)
    traces, layout = _canvas(drawn, words, hover, rows, [""] * across, 0.7)
    return composed(
        traces if shown is None else [*traces, strip_mark(shown, len(at))],
        **layout,
        height=110 * len(rows),
        legend=False,
        margin=dict(l=4, r=4, t=4, b=4),
        alt=f"Small Gram matrices of levels 0 to {len(at) - 1}.",
        caption="One Gram matrix for each level, each on its own colour scale: compare patterns, not colours."
        + ("" if shown is None else " Click a level to use it."),
    )


def strip_mark(level: int, count: int) -> dict[str, Any]:
    """Return the frame around the level in view on the strip of so many levels."""
    row, column = divmod(level, _across(count))
    left, top = column * _ACROSS - 2.5, row * _DOWN - 2.5
    right, bottom = left + SIDE + 4, top + SIDE + 4
    style = dict(line=dict(color=ORANGE, width=3))
    return present([left, right, right, left, left], [top, top, bottom, bottom, top], **style)


def _across(count: int) -> int:
    return min(count, 6 if count <= 12 else 9)


def level_map(
    parameter: str,
    values: Sequence[Any],
    levels: Sequence[int],
    frames: Mapping[tuple[Any, Any], Summary],
    used: tuple[Any, Any] | None,
    taken: tuple[Any, int] | None = None,
) -> go.Figure:
    """Draw a parameter down and the level across, a small Gram matrix in every cell.

    The outer frame of a cell has the colour of its test error, the inner one that of its training error, both on one
    scale: bright is a small error. Every cell has a point whose `customdata` is its number, row by row.
    Parameters: `frames` by (value, level), as far as they are known; `used` the cell in use, which has a frame of its
    own; `taken` the recommended one, which has a star.
    """
    cells = {(i, j): frames.get((a, b)) for i, a in enumerate(values) for j, b in enumerate(levels)}
    pictures = {place: small_picture(f.cells) for place, f in cells.items() if f is not None and not f.problem}
    errors = {place: f.errors for place, f in cells.items() if f is not None and f.errors is not None}
    low = min((min(e.test, e.training) for e in errors.values()), default=0.0)
    # Guessing bounds the scale; where all errors are far below it, their own range shows what differs.
    high = max((min(e.chance, max(e.test, e.training)) for e in errors.values()), default=1.0)
    if high <= low:  # all errors are one: a bar without a range would begin below 0%
        high = max((e.chance for e in errors.values()), default=1.0)
    measure = next((e.measure for e in errors.values()), "error")
    least = min(errors.values(), key=lambda e: e.test, default=None)
    over, words, hover = [], {}, {}
    for place, one in cells.items():
        i, j = place
        says = f"{escape(parameter)} = {escape(value_in_words(values[i]))}, level {levels[j]}"
        if one is not None and one.problem:
            words[place], says = "×", f"{says}<br>{escape(one.problem, 120)}"
        if (e := errors.get(place)) is not None:
            ground, frame = (
                "rgb({},{},{})".format(*colour) for colour in look_up([e.test, e.training], low, high, ERROR_SCALE)
            )
            over += [_frame(place, ground, _GROUND, filled=True), _frame(place, frame, _GROUND / 3, filled=True)]
            star = "<b>★</b> " if (values[i], levels[j]) == taken else ""
            words[place] = star + (f"<b>{percent(e.test)}</b>" if e is least else percent(e.test))
            says += f"<br>test {measure} <b>{percent(e.test)}</b>, training {percent(e.training)}"
        hover[place] = says
    if used is not None and used[0] in values and used[1] in levels:
        over.append(_frame((list(values).index(used[0]), list(levels).index(used[1])), ORANGE, 3.0))
    traces, layout = _canvas(
        pictures, words, hover, [*map(value_in_words, values)], [*map(str, levels)], colours=_GREYS
    )
    layout["x"] |= dict(side="top", title=dict(text="level"))
    layout["y"] |= dict(title=dict(text=escape(parameter)))
    if errors:
        bar = colour_bar(f"{measure}<br>outer frame: test<br>inner: training") | dict(tickformat=".3~p")
        scale = dict(cmin=low, cmax=high, colorscale=ERROR_SCALE, colorbar=bar, showscale=True)
        traces[-1]["marker"] |= scale | dict(color=[low] * len(cells))
    return composed(
        traces,
        over=over,
        clickmode="event+select",
        **layout,
        height=70 + 88 * len(values),
        legend=False,
        margin=dict(t=56, b=10),
        alt=f"Small Gram matrices over {escape(parameter)} and the level, coloured by their errors.",
        caption=f"The outer frame of a cell is its test {measure}, written below where there is room. The inner "
        f"frame is its training {measure}. Bright is small, dark large or guessing. "
        "Orange frames the kernel in use, ★ is recommended.",
    )


def collapse_words(fall: Collapse | None) -> str:
    """Return how the levels end after a collapse, as one sentence; "" without a collapse."""
    if fall is None:
        return ""
    kind = {"constant": "constant off the diagonal", "everywhere": "constant everywhere", "identity": "the identity"}
    end = "rows nearly coincide" if fall.kind == "everywhere" else "a machine can memorise any labels"
    return f"From level {fall.level} on, K is nearly {kind[fall.kind]}: {end}."


def recommended_cell(
    errors: Mapping[tuple[Any, int], HalvesErrors], used: tuple[Any, int] | None
) -> tuple[Any, int] | None:
    """Return the (value, level) to take: the lowest level within one standard error of the smallest test error.

    Of several at this level it is the one in use, which also stays where its error is no larger, else the smallest
    whole number, else that of the smallest error. The standard error is that of `compare_settings`. None where none of
    these kernels learns.
    """
    return _recommended(errors, used)[0]


def _recommended(
    errors: Mapping[tuple[Any, int], HalvesErrors], used: tuple[Any, int] | None
) -> tuple[tuple[Any, int] | None, int]:
    """Return the cell to take, and how many are significantly worse than the best: both of one comparison."""
    places = {str(place): place for place in errors}
    found = compare_settings({name: errors[place].tests for name, place in places.items()}, test_over_train=1.0)
    worse = len(found.worse)
    good = [places[name] for name in found.as_good if errors[places[name]].verdict.startswith("learns")]
    if not good:
        return None, worse

    def order(place: tuple[Any, int]) -> tuple[Any, ...]:
        value, level = place
        return level, place != used, value if isinstance(value, int) else 0, errors[place].test

    chosen = min(good, key=order)
    if used is not None and used in errors and used[1] == chosen[1] and errors[used].test <= errors[chosen].test:
        chosen = used
    return chosen, worse


def map_words(
    parameter: str, errors: Mapping[tuple[Any, int], HalvesErrors], used: tuple[Any, int] | None
) -> list[str]:
    """Return which cell of a map by (value, level) to take, and what this rests on."""
    if not errors:
        return ["No kernel has an error."]

    def at(place: tuple[Any, int]) -> str:
        return f"{parameter} = {value_in_words(place[0])} and level {place[1]}"

    (simple, worse), smallest = _recommended(errors, used), min(errors, key=lambda place: errors[place].test)
    count, least = len(errors), percent(errors[smallest].test)
    if simple is None:
        measure, guess = errors[smallest].measure, percent(errors[smallest].chance)
        return [f"No kernel of the map learns: the smallest test {measure} is {least}, guessing {guess}."]
    of = errors[simple]
    first = f"{'Keep' if simple == used else 'Take'} {at(simple)}: test {of.measure} {percent(of.test)}."
    if used is not None and used in errors and used != simple:
        first += f" The kernel in use has {percent(errors[used].test)}."
    if count == 1:
        return [first]
    values, levels = [one for one, _ in errors], [one for _, one in errors]
    edge = smallest[0] in (min(values), max(values)) or smallest[1] == max(levels)
    ends = ", on the map's edge: beyond, it may be smaller." if edge else "."
    why = f"It is the smallest of {count}{ends}"
    if simple != smallest:
        simpler = f"At level {simple[1]}, {percent(of.test)} is" if simple[1] < smallest[1] else "This one is"
        why = f"The smallest of {count} is {least}, at {at(smallest)}{ends} {simpler} within one standard error of it."
    halves = len(of.tests)
    are = "is" if worse == 1 else "are"
    told = f"By {halves} halves, {worse} of the other {count - 1} {are} significantly worse."
    return [first, f"{why} {told if worse else f'{halves} halves are too few to rank {count} kernels.'}"]


def _frame(place: tuple[int, int], colour: str, width: float, filled: bool = False) -> dict[str, Any]:
    x, y = place[1] * _ACROSS - 0.5, place[0] * _DOWN - 0.5
    line = dict(color=colour, width=0 if filled else 3)
    shape = dict(type="rect", x0=x - width, x1=x + SIDE + width, y0=y - width, y1=y + SIDE + width, line=line)
    return shape | (dict(fillcolor=colour, layer="below") if filled else {})


def canvas_trace(canvas: Array, colours: Sequence[tuple[float, str]] = SEQUENTIAL) -> dict[str, Any]:
    """Return the trace of small pictures on one canvas, values 0…1 and nan between them."""
    # 8 bits exceed what the eye distinguishes, at a quarter of the bytes; 0 is missing and transparent.
    drawn = np.where(np.isfinite(canvas), 1 + np.round(254 * canvas), 0).astype(np.uint8)
    clear = [(0.0, "rgba(0,0,0,0)"), (0.5 / 255, "rgba(0,0,0,0)")]
    scale = [*clear, *(((1 + 254 * at) / 255, shade) for at, shade in colours)]
    return heat(drawn, "pictures", scale, zmin=0, zmax=255, showscale=False, **GUIDE)


def _canvas(
    pictures: Mapping[tuple[int, int], Array],
    words: Mapping[tuple[int, int], str],
    hover: Mapping[tuple[int, int], str],
    rows: Sequence[str],
    columns: Sequence[str],
    size: float = 1.0,
    colours: Sequence[tuple[float, str]] = SEQUENTIAL,
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return small pictures on one canvas: their traces, their words, the points that are clicked, and the axes.

    Parameters: `rows` and `columns` names of all, "" for those without one.
    """
    canvas = np.full((len(rows) * _DOWN, len(columns) * _ACROSS), np.nan)
    for (i, j), z in pictures.items():
        canvas[i * _DOWN : i * _DOWN + SIDE, j * _ACROSS : j * _ACROSS + SIDE] = z
    places = list(hover)
    x, y = ([p[axis] * pitch + (SIDE - 1) / 2 for p in places] for axis, pitch in ((1, _ACROSS), (0, _DOWN)))
    below, texts = [v + SIDE / 2 + _GROUND + 5 for v in y], [words.get(place, "") for place in places]
    written = dict(mode="text", text=texts, textfont=dict(size=12, color=MUTED), cliponaxis=False, **GUIDE)
    hovering = dict(hovertext=[hover[p] for p in places], tip="%{hovertext}")
    traces = [
        canvas_trace(canvas, colours),
        mark("scatter", "words", x=x, y=below, **written),
        unseen(x, y, "cells", list(range(len(places))), 80 * size, **hovering),
    ]

    def axis(names: Sequence[str], pitch: int, ends: list[int], **more: Any) -> dict[str, Any]:
        at = [place * pitch + (SIDE - 1) / 2 for place, name in enumerate(names) if name]
        ticks = dict(tickmode="array", tickvals=at, ticktext=[f"{escape(name)} " for name in names if name])
        return BARE | ticks | dict(constrain="domain", range=ends) | more

    across = axis(columns, _ACROSS, [-_GROUND - 2, len(columns) * _ACROSS - _GROUND])
    down = axis(rows, _DOWN, [len(rows) * _DOWN - 2, -_GROUND - 2], scaleanchor="x", constraintoward="top")
    return traces, dict(x=across, y=down, dragmode=False)
