"""Figures of deep levels: a contact sheet of Gram matrices, and their numbers over the level."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from ..analysis.levels import TEST_ERROR, TRAINING_ERROR, collapse, compare_levels, informative_peak
from ..values.arrays import Array
from ..values.words import number, percent
from .axes import log_axis
from .gram import block_average, cell_labels, value_limits
from .theme import DIVERGING, MUTED, SEQUENTIAL, class_colour, composed, escape, lean, panels, read_classes, upright

if TYPE_CHECKING:
    from ..analysis.levels import Collapse, DeepLevel, LevelNumbers

#: The most cells along a side of a small picture.
_CELLS = 110
#: Attribute of LevelNumbers: words for its panel, and whether small is good (None: neither).
QUANTITIES: dict[str, tuple[str, bool | None]] = {
    "bandwidth": ("bandwidth h", None),
    "effective_rank": ("effective rank", None),
    "participation_ratio": ("participation ratio", None),
    "off_diagonal_spread": ("off-diagonal spread", None),
    "diagonal_ratio": ("diagonal ratio", None),
    "alignment": ("alignment with y", False),
    "separability": ("class separability", False),
    "dimension": ("relevant dimension d̂", None),
    "neg_log_likelihood": ("−log ℓ(d̂)", None),
    "noise": ("noise level", None),
    "errors": ("error", True),
}


def level_values(numbers: Sequence[LevelNumbers], name: str) -> Array:
    """Return one number of every level, nan where it is unknown."""
    values = (getattr(one, name, None) for one in numbers)
    return np.array([math.nan if v is None else float(v) for v in values])


def level_lines(numbers: Sequence[LevelNumbers], quantities: Sequence[str] | None = None) -> go.Figure:
    """Draw the numbers over the level, one small panel each.

    A star and a dashed line mark the best level by the first criterion of `peaks`, diamonds the best level by every
    other number that has a good direction, and shading the levels at which K has collapsed to a constant or to the
    identity. Parameters: `quantities` keys of QUANTITIES, by default all that have a value.
    """
    machines = list(
        dict.fromkeys(m for one in numbers for m in one.errors)
    )  # in the order of arrival: colours do not change
    drawn = [
        q
        for q in (QUANTITIES if quantities is None else [q for q in quantities if q in QUANTITIES])
        if (machines if q == "errors" else np.isfinite(level_values(numbers, q)).any())
    ]
    peak, fall = informative_peak(numbers), collapse(numbers)
    levels = np.array([one.level for one in numbers])
    layout, down = _panels(drawn, levels)
    traces: list[dict[str, Any]] = []
    shapes: list[dict[str, Any]] = []
    marked = []
    for i, q in enumerate(drawn):
        panel = "" if i == 0 else str(i + 1)
        for j, (name, values) in enumerate(level_curves(numbers, q, machines)):
            at = peak.level if peak is not None and q == peak.quantity and name != TRAINING_ERROR else None
            trace, best = _line(levels, values, escape(name), None if q == "errors" else QUANTITIES[q][1], at)
            colour = class_colour(j)
            trace["line"] |= dict(color=colour)
            trace["marker"] |= dict(color=colour)
            traces.append(trace | dict(xaxis=f"x{panel}", yaxis=f"y{panel}", showlegend=q == "errors"))
            marked += [] if best is None else [f"{escape(name)}: level {best}"]
        if peak is not None:
            line, _ = upright(peak.level, panel=panel)
            shapes.append(line)
        shapes += collapse_shade(fall, panel, levels[-1] if len(levels) else 0)
        if q == "bandwidth":
            known = level_values(numbers, q)
            known = known[np.isfinite(known)]
            if known.min() > 0 and known.max() > 30 * known.min():
                layout[f"yaxis{panel}"] |= log_axis(known, 3)
    star = "" if peak is None else f" The star and the dashed line mark level {peak.level}: {peak.rule}."
    fallen = collapse_words(fall)
    diamonds = any("diamond" in trace["marker"]["symbol"] for trace in traces)
    others = " Diamonds mark the best level by another number." if diamonds else ""
    return composed(
        traces, {**layout, "shapes": shapes}, margin=dict(l=56, b=100 if machines else 72),
        height=60 + 160 * down + (30 if machines else 0), legend=bool(machines) and "errors" in drawn,
        alt=f"{len(drawn)} quantities over levels {levels[0] if len(levels) else 0} to "
        f"{levels[-1] if len(levels) else 0}. {'; '.join(marked[:4])}.{star}{fallen}",
        caption=f"One panel for each number: a deeper level does not always help.{star}{others}{fallen}",
    )  # fmt: skip


#: What two recipes are compared by, each a panel: the error comes first.
_COMPARED = ("errors", "effective_rank", "alignment", "dimension")


def recipe_lines(recipes: Mapping[str, Sequence[LevelNumbers]], error: str = TEST_ERROR) -> go.Figure:
    """Draw the numbers of two ways to make levels over each other: one panel for each number, a line for each way.

    Parameters: `recipes` the numbers by name, as far as they are known; `error` the name of the error that is
    drawn.
    """
    known = {name: numbers for name, numbers in recipes.items() if numbers}
    curves = {
        q: [dict(level_curves(numbers, q, [error])).get(error if q == "errors" else QUANTITIES[q][0], np.empty(0))
            for numbers in known.values()]
        for q in _COMPARED
    }  # fmt: skip
    drawn = [q for q in _COMPARED if any(np.isfinite(values).any() for values in curves[q])]
    levels = np.arange(max((numbers[-1].level for numbers in known.values()), default=0) + 1)
    layout, down = _panels(drawn, levels)
    traces: list[dict[str, Any]] = []
    best = []
    for i, q in enumerate(drawn):
        panel = "" if i == 0 else str(i + 1)
        for j, (name, values) in enumerate(zip(known, curves[q], strict=True)):
            at = np.array([one.level for one in known[name]])
            choice = compare_levels(known[name]) if q == "errors" else None
            star = None if choice is None else choice.level
            trace, level = _line(at, values, escape(name, 60), None if q == "errors" else QUANTITIES[q][1], star)
            trace["line"] |= dict(color=class_colour(j), dash="solid" if j == 0 else "dash")
            trace["marker"] |= dict(color=class_colour(j))
            traces.append(trace | dict(xaxis=f"x{panel}", yaxis=f"y{panel}", showlegend=i == 0))
            if i == 0 and level is not None:
                least = float(values[at == level][0])
                shown = percent(least, 3) if q == "errors" else number(least, 3)
                best.append(f"{escape(name, 60)}: {shown} at level {level}")
    words = f"{error.capitalize()} at the lowest level that ties with the best: {'; '.join(best)}. " if best else ""
    words = words if "errors" in drawn else ""
    return composed(
        traces, layout, margin=dict(l=56, b=100), height=90 + 180 * down, legend=True,
        alt=f"{len(drawn)} quantities over the level for {' and '.join(known)}. {words}",
        caption=f"{words}A star marks that level, diamonds the best level by another number.",
    )  # fmt: skip


def level_curves(numbers: Sequence[LevelNumbers], quantity: str, machines: Sequence[str]) -> list[tuple[str, Array]]:
    """Return the curves of one panel with their names: one for each machine's error, one for any other quantity."""
    if quantity != "errors":
        return [(QUANTITIES[quantity][0], level_values(numbers, quantity))]
    return [(m, np.array([one.errors.get(m, math.nan) for one in numbers], dtype=float)) for m in machines]


def _line(
    levels: Array, values: Array, name: str, small_is_good: bool | None, star: int | None
) -> tuple[dict[str, Any], int | None]:
    """Return one curve with the level of the `star` marked, else its own best by a diamond, and the level marked."""
    size, symbol, best = np.full(len(levels), 6), np.full(len(levels), "circle", dtype=object), None
    if star is not None:
        at = int(np.flatnonzero(levels == star)[0])
        size[at], symbol[at], best = 15, "star", star
    elif small_is_good is not None and np.isfinite(values).any():
        at = int(np.nanargmin(values) if small_is_good else np.nanargmax(values))
        size[at], symbol[at], best = 11, "diamond", levels[at]
    trace = dict(
        type="scatter", x=levels, y=lean(values), name=name, mode="lines+markers", connectgaps=False,
        line=dict(width=2), marker=dict(size=size, symbol=symbol, opacity=1, line=dict(width=0)),
        hovertemplate="level %{x}<br>" + name + " = <b>%{y:.4g}</b><extra></extra>",
    )  # fmt: skip
    return trace, best


def _panels(drawn: Sequence[str], levels: Array) -> tuple[dict[str, Any], int]:
    """Return the layout of one panel for each quantity, and the number of panel rows."""
    across = 2 if len(drawn) > 1 else 1
    down = max(1, -(-len(drawn) // across))
    layout = panels(
        down, across, [QUANTITIES[q][0] for q in drawn], horizontal_spacing=0.12,
        vertical_spacing=min(0.25, 0.34 / down), shared_xaxes=True,
    )  # fmt: skip
    ends = [levels.min() - 0.5, levels.max() + 0.5] if len(levels) else [-0.5, 0.5]
    if "errors" in drawn:
        place = drawn.index("errors")
        layout[f"yaxis{place + 1}" if place else "yaxis"]["tickformat"] = ".3~%"
    for name, axis in layout.items():
        if name.startswith("xaxis"):
            axis |= dict(dtick=max(1, math.ceil(len(levels) / 8)), range=ends, showgrid=False)
        elif name.startswith("yaxis"):
            axis["nticks"] = 5
    for column in range(1, across + 1):
        last = (len(drawn) - column) // across + 1
        if drawn and last >= 1:
            place = (last - 1) * across + column
            layout["xaxis" if place == 1 else f"xaxis{place}"] |= dict(title=dict(text="level"), showticklabels=True)
    return layout, down


def collapse_shade(fall: Collapse | None, panel: str, last: int) -> list[dict[str, Any]]:
    """Return the shading of the collapsed levels up to level `last`; `panel` as in `upright`."""
    if fall is None:
        return []
    return [
        dict(
            type="rect", x0=fall.level - 0.5, x1=last + 0.5, y0=0, y1=1, xref=f"x{panel}", yref=f"y{panel} domain",
            fillcolor=MUTED, opacity=0.18, line=dict(width=0), layer="below",
        )
    ]  # fmt: skip


def collapse_words(fall: Collapse | None) -> str:
    """Return the sentence that explains the shading; "" without a collapse."""
    if fall is None:
        return ""
    kind = {"constant": "constant off the diagonal", "everywhere": "constant everywhere", "identity": "the identity"}
    end = "rows nearly coincide" if fall.kind == "everywhere" else "a machine can memorise any labels"
    return f" From level {fall.level} on K is nearly {kind[fall.kind]} ({fall.rule}; shaded): {end}."


def contact_sheet(
    levels: Sequence[DeepLevel],
    order: ArrayLike | None = None,
    y: ArrayLike | None = None,
    classes: Sequence[Any] = (),
    ids: Sequence[Any] | None = None,
) -> tuple[go.Figure, ...]:
    """Draw one small Gram matrix per level in one row order, each on its own colour scale: blocks sharpen, then fade.

    Parameters: `order` (n,) as from `order_rows`; `y`, `classes`, `ids` for hovering. More than 110 rows are averaged
    in square blocks.
    """
    rows = np.arange(len(levels[0].K) if levels else 0) if order is None else np.asarray(order, dtype=np.intp)
    codes, names = read_classes(y, classes)
    cells = [block_average(one.K, _CELLS, rows) for one in levels]
    shown = [z.astype(np.float64) for z, _ in cells]
    ranges, signed = level_ranges(shown, False)
    bare = dict(
        type="category", showticklabels=False, ticks="", showgrid=False, zeroline=False, constrain="domain",
        automargin=False,
    )  # fmt: skip
    down = dict(autorange="reversed", scaleanchor="x", constraintoward="top")
    drawn = []
    for one, z, (low, high), (_, block) in zip(levels, shown, ranges, cells, strict=True):
        labels = cell_labels(rows, None if codes is None else codes[rows], names, ids, block)
        trace = dict(
            type="heatmap", z=lean(z), x=labels, y=labels, zmin=low, zmax=high, showscale=False,
            colorscale=DIVERGING if signed else SEQUENTIAL, name=f"level {one.level}", hoverongaps=False,
            hovertemplate="%{y}<br>%{x}<br>k = <b>%{z:.4g}</b><extra></extra>",
        )  # fmt: skip
        averaged = f" Each cell averages {block}×{block} entries." if block > 1 else ""
        fig = composed(
            [trace], dict(xaxis=bare, yaxis=bare | down), height=232, legend=False, margin=dict(l=2, r=2, t=2, b=2),
            alt=f"Level {one.level}: Gram matrix of {len(rows)} rows, colours from {number(low)} to {number(high)}.",
            caption=f"Each level has its own colour scale: compare patterns, not colours.{averaged}",
        )  # fmt: skip
        drawn.append(fig)
    return tuple(drawn)


def level_ranges(shown: Sequence[Array], common: bool, signed: bool = False) -> tuple[list[tuple[float, float]], bool]:
    """Return the ends of each level's colour scale, in the units of its cells, and whether 0 is in their middle.

    Parameters: `shown` cells of each level; `common` one scale for all; `signed` puts 0 in the middle also where no
    level has large negative values.
    """
    # A large diagonal, and single very similar pairs, must not use up the colour range.
    ranges = [value_limits(z, "off-diagonal") for z in shown]
    if common:
        ranges = [(min(low for low, _ in ranges), max(high for _, high in ranges))] * len(shown)
    else:
        for i, (z, (low, high)) in enumerate(zip(shown, ranges, strict=True)):
            # A constant matrix has rounding errors, which must stay flat.
            if high - low <= 1e-9 * float(np.abs(z).max(initial=0.0)):
                ranges[i] = value_limits(np.full((1, 1), low))
    signed = signed or any(low < -0.05 * high for low, high in ranges)
    if signed:
        ranges = [(-max(abs(low), abs(high)), max(abs(low), abs(high))) for low, high in ranges]
    return ranges, signed
