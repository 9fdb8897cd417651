"""Beside the film of levels: what a level does to distances, and where it draws the border between two classes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ..values.arrays import Array
from ..values.words import number
from .level_film import BESIDE, FLOOR, NOW, SVM_COLOUR, Beside, now_line
from .overview import class_key, plane_traces
from .theme import BLUE, GREEN, MUTED, PINK, above, dotted, escape, lean, row_labels

if TYPE_CHECKING:
    from ..analysis.correlations import LevelCorrelations
    from ..analysis.levels import LevelDistances
    from ..explain.trained import LevelBorders

#: The distance at which a pair at distance h is one level later, in units of √(2 k(x, x)).
END = math.sqrt(1 - math.exp(-0.5))
#: Colours of groups of pairs, and of the borders.
_GROUPS = {"within a class": GREEN, "between classes": PINK, "all pairs": BLUE}
_BORDERS = {"centroid": (MUTED, "solid"), "density": (MUTED, "dot"), "SVM": (SVM_COLOUR, "solid")}
#: Where the panels of distances part, from below: pairs over the level, the map, the pairs' own distances.
_PAIRS, _MAP, _HEIGHTS = (FLOOR + 0.06, 0.45), (0.58, 0.88), (0.89, 0.97)
#: The height of the map of correlations.
_CORRELATIONS = (0.58, 0.96)


def distances_beside(distances: LevelDistances, ids: Sequence[Any] | None = None) -> Beside:
    """Return the distance at the level shown as a function of that at level 0, and single pairs through all levels.

    Lines stand at distance 0, equal rows; at 1, orthogonal rows; and at √(1 − e^−½) = 0.63, where all pairs end if h is
    their mean distance. Parameters: `ids` of the rows.
    """
    top = max(1.15, 1.05 * float(np.nanmax(distances.curves)))
    ends = [0.0, float(distances.base[-1])]
    key = "   ".join(f'<span style="color:{_GROUPS[name]}">━</span> {name}' for name in distances.pairs)
    notes = [
        *_lines_in_words(),
        above("<b>Distance at the level shown</b>, over that at level 0", "4"),
        above(f"<b>Pairs of rows through the levels</b>   {key}", "5"),
    ]
    across = dict(domain=[BESIDE, 1.0], zeroline=False, showgrid=False, automargin=False, ticks="outside")
    upwards = dict(range=[-0.04, top], zeroline=False, nticks=5, automargin=False)
    small = dict(standoff=2, font=dict(size=12))
    count = len(distances.curves)
    layout: dict[str, Any] = dict(
        xaxis3=across | dict(anchor="y3", range=ends, title=dict(text="distance at level 0", **small)),
        yaxis3=upwards | dict(domain=list(_MAP), anchor="x3"),
        xaxis4=across | dict(anchor="y4", range=ends, showticklabels=False, ticks=""),
        yaxis4=dict(domain=list(_HEIGHTS), anchor="x4", visible=False, range=[0, 1.05]),
        xaxis5=across | dict(anchor="y5", range=[-0.5, count - 0.5], dtick=max(1, math.ceil(count / 8)),
                             title=dict(text="level", **small)),
        yaxis5=upwards | dict(domain=list(_PAIRS), anchor="x5"),
        shapes=[dotted(height, panel) for panel in ("3", "5") for height in (0.0, END, 1.0)], annotations=notes,
    )  # fmt: skip
    still = [_all_levels(distances), *_spreads(distances), *_through(distances.pairs, distances.distances, ids)]
    moving = [
        [*_level_shown(distances.base, curve, at), now_line(level, [], -0.04, top, "5")]
        for level, (curve, at) in enumerate(zip(distances.curves, distances.at_h, strict=True))
    ]
    words = (
        "Distances are in units of √(2 · mean k(x, x)). Every level is an increasing function of the one "
        "below: nearest neighbours stay the same, and the contrast changes. A pair at distance h goes to 0.63. If h is "
        "the mean distance, all pairs end there."
    )
    return Beside([trace | dict(showlegend=False) for trace in still], moving, layout, words)


def _all_levels(distances: LevelDistances) -> dict[str, Any]:
    """Return the maps of all levels as one faint line."""
    maps = [np.append(curve, np.nan) for curve in distances.curves]
    return dict(
        type="scatter", x=lean(np.tile(np.append(distances.base, np.nan), len(maps))), y=lean(np.concatenate(maps)),
        mode="lines", line=dict(color="rgba(128,128,128,0.35)", width=1), hoverinfo="skip", name="all levels",
        xaxis="x3", yaxis="y3",
    )  # fmt: skip


def _spreads(distances: LevelDistances) -> Iterator[dict[str, Any]]:
    """Yield how often each distance at level 0 occurs, one group of pairs at a time."""
    edges = np.linspace(0.0, float(distances.base[-1]), 41)
    for name in distances.pairs:
        counts, _ = np.histogram(distances.spread[name], edges)
        yield dict(
            type="scatter", x=lean((edges[1:] + edges[:-1]) / 2), y=lean(counts / max(1, counts.max())),
            mode="lines", fill="tozeroy", line=dict(color=_GROUPS[name], width=1.5), name=f"pairs {name}",
            xaxis="x4", yaxis="y4", hovertemplate="distance %{x:.2f}<extra>pairs " + name + "</extra>",
        )  # fmt: skip


def _through(
    pairs_by_group: dict[str, Array], values: dict[str, Array], ids: Sequence[Any] | None
) -> Iterator[dict[str, Any]]:
    """Yield single pairs through all levels; the one in the middle of its group is a thick line."""
    n = 1 + max((int(pairs.max()) for pairs in pairs_by_group.values()), default=0)
    names = row_labels(ids, n if ids is None else len(ids))
    for name, pairs in pairs_by_group.items():
        for k, (pair, through) in enumerate(zip(pairs.tolist(), values[name], strict=True)):
            yield dict(
                type="scatter", x=list(range(len(through))), y=lean(through), mode="lines", name=name,
                meta=dict(step=True), xaxis="x5", yaxis="y5",
                line=dict(color=_GROUPS[name], width=3 if k == len(pairs) // 2 else 1),
                hovertemplate=f"{names[pair[0]]}, {names[pair[1]]}<br>level %{{x}}: %{{y:.3f}}<extra>{name}</extra>",
            )  # fmt: skip


def _level_shown(base: Array, curve: Array, at: float) -> list[dict[str, Any]]:
    """Return the map of one level, and where on it the bandwidth lies."""
    known = math.isfinite(at)
    return [
        dict(
            type="scatter", x=lean(base), y=lean(curve), mode="lines", line=dict(color=NOW, width=3),
            name="level shown", xaxis="x3", yaxis="y3", hovertemplate="%{x:.3f} → %{y:.3f}<extra>level shown</extra>",
        ),
        dict(
            type="scatter", x=[at if known else None], y=[END if known else None],
            xaxis="x3", yaxis="y3", mode="markers+text", text=["h"], name="bandwidth h", textposition="top center",
            marker=dict(color=NOW, size=9), textfont=dict(size=13),
            hovertemplate="at distance h in the level below<extra></extra>",
        ),
    ]  # fmt: skip


def _lines_in_words() -> list[dict[str, Any]]:
    """Return what the three lines are, beside them in the map."""
    places = (
        (0.0, 0.99, "right", "equal rows"),
        (END, 0.99, "right", "the end: all pairs alike"),
        (1.0, 0.01, "left", "orthogonal rows"),
    )
    return [
        dict(
            text=words, xref="x3 domain", x=x, xanchor=end, yref="y3", y=y, yanchor="bottom", showarrow=False,
            font=dict(size=11),
        )
        for y, x, end, words in places
    ]  # fmt: skip


def correlations_beside(maps: LevelCorrelations, ids: Sequence[Any] | None = None, *, trained: bool = False) -> Beside:
    """Return the map of correlations of the level shown with its fixed point, and single pairs through all levels.

    The map of a level of the deep kernel machine, from the same rows, is drawn beside it. Parameters: `ids` of the
    rows; `trained` says that the levels are those of a trained network, and the maps those of the untrained one.
    """
    count = len(maps.after)
    marks = f'<span style="color:{NOW}">━</span> this level   <span style="color:{MUTED}">┄</span> deep kernel'
    key = "   ".join(f'<span style="color:{_GROUPS[name]}">━</span> {name}' for name in maps.pairs)
    across = dict(domain=[BESIDE, 1.0], zeroline=False, showgrid=False, automargin=False, ticks="outside")
    upwards = dict(range=[-1.06, 1.1], zeroline=True, nticks=5, automargin=False)
    small = dict(standoff=2, font=dict(size=12))
    chaos = maps.slope > 1.0 + 1e-9
    layout: dict[str, Any] = dict(
        xaxis3=across | dict(anchor="y3", range=[-1.04, 1.04],
                             title=dict(text="correlation in the level below", **small)),
        yaxis3=upwards | dict(domain=list(_CORRELATIONS), anchor="x3"),
        xaxis5=across | dict(anchor="y5", range=[-0.5, count - 0.5], dtick=max(1, math.ceil(count / 8)),
                             title=dict(text="level", **small)),
        yaxis5=upwards | dict(domain=list(_PAIRS), anchor="x5"),
        shapes=[dotted(maps.fixed, "5")],
        annotations=[
            above(f"<b>Correlation at the level</b>   {marks}", "3"),
            above(f"<b>Pairs of rows through the levels</b>   {key}", "5"),
        ],
    )  # fmt: skip
    still = [
        dict(type="scatter", x=[-1, 1], y=[-1, 1], mode="lines", line=dict(color="rgba(128,128,128,0.5)", width=1),
             name="unchanged", hoverinfo="skip", xaxis="x3", yaxis="y3", meta=dict(decoration=True)),
        dict(type="scatter", x=[maps.fixed], y=[maps.fixed], mode="markers", xaxis="x3", yaxis="y3",
             name="fixed point", marker=dict(color=PINK, size=11, symbol="diamond"),
             hovertemplate="fixed point, correlation %{x:.3f}<extra></extra>"),
        *_through(maps.pairs, maps.correlations, ids),
    ]  # fmt: skip
    moving = []
    for level in range(count):
        maps_shown = (("this level", maps.after, NOW, "solid", 3), ("deep kernel", maps.gaussian, MUTED, "dot", 2))
        curves = [
            dict(type="scatter", x=lean(maps.before), y=lean(values[level]), mode="lines", name=name, xaxis="x3",
                 yaxis="y3", line=dict(color=colour, width=width, dash=dash),
                 hovertemplate="%{x:.3f} → %{y:.3f}<extra>" + name + "</extra>")
            for name, values, colour, dash, width in maps_shown
        ]  # fmt: skip
        moving.append([*curves, now_line(level, [], -1.06, 1.1, "5")])
    if chaos:
        end = f"Its slope at 1 is {number(maps.slope)}: nearly equal rows are driven apart (chaos)."
    elif maps.slope > 1.0 - 1e-9:
        end = "Its slope at 1 is 1, the edge of chaos: correlations approach 1 slowly."
    else:
        end = f"Its slope at 1 is {number(maps.slope)}: all rows become alike (order)."
    whose = "The map is that of the network before training; the pairs are those of the NTK. " if trained else ""
    words = (
        f"{whose}The map takes a pair's correlation to the next level; where it meets the diagonal, a pair stays. "
        f"The limit of all levels is {number(maps.fixed)} (diamond, dotted). {end}"
    )
    return Beside([trace | dict(showlegend=False) for trace in still], moving, layout, words)


def borders_beside(
    borders: LevelBorders,
    X: ArrayLike,
    y: ArrayLike,
    classes: Sequence[Any] = (),
    ids: Sequence[Any] | None = None,
    columns: Sequence[Any] = (),
) -> Beside:
    """Return the plane of the rows with the border of each machine at the level shown.

    Parameters: `X` (n, 2), `y`, `classes`, `ids` of the rows; `columns` names of the axes.
    """
    rows = np.asarray(X, dtype=np.float64)
    names = [escape(c) for c in columns] or ["x<sub>1</sub>", "x<sub>2</sub>"]
    still = [trace | dict(xaxis="x3", yaxis="y3") for trace in plane_traces(rows, y, classes, ids)]
    for trace in still:
        trace["marker"] |= dict(opacity=0.65)
    count = len(next(iter(borders.decisions.values())))
    moving = [
        [_border(borders, name, field) for name, fields in borders.decisions.items() for field in fields[level]]
        for level in range(count)
    ]
    marks = {"solid": "━", "dot": "┄"}
    key = "   ".join(
        f'<span style="color:{_BORDERS[name][0]}">{marks[_BORDERS[name][1]]}</span> {name}'
        for name in borders.decisions
    )
    notes = [above(key, "3") | dict(yshift=18)]
    if (of_classes := class_key(y, classes, "3")) is not None:
        notes.append(of_classes | dict(x=0, xanchor="left"))
    small = dict(standoff=2, font=dict(size=12))
    layout: dict[str, Any] = dict(
        xaxis3=dict(
            domain=[BESIDE, 1.0], anchor="y3", range=[borders.x[0], borders.x[-1]], zeroline=False, showgrid=False,
            title=dict(text=names[0], **small), automargin=False, ticks="outside",
        ),
        yaxis3=dict(
            domain=[FLOOR + 0.06, 0.93], anchor="x3", range=[borders.y[0], borders.y[-1]], zeroline=False,
            showgrid=False,
            title=dict(text=names[1], **small), automargin=False,
        ),
        annotations=notes,
    )  # fmt: skip
    words = (
        "The nearest centroid has a linear border in feature space. The density machine estimates the "
        "density of each class there. Up to its threshold it is the nearest centroid of the next level. "
        "The SVM has C = 10 in units of the kernel's spread."
    )
    return Beside(still, moving, layout, words)


def _border(borders: LevelBorders, name: str, values: Array) -> dict[str, Any]:
    """Return the contour at 0 of a decision, in 255 steps that are finest near the border."""
    size = float(np.median(np.abs(values))) or 1.0
    colour, dash = _BORDERS[name]
    return dict(
        type="contour", x=lean(borders.x), y=lean(borders.y), xaxis="x3", yaxis="y3", name=name, hoverinfo="skip",
        z=(np.clip(values / size, -1.0, 1.0) * 127).round().astype(np.int8), showscale=False,
        contours=dict(start=0, end=0, size=1, coloring="none", showlabels=False),
        line=dict(color=colour, width=3 if name == "SVM" else 2, dash=dash),
    )  # fmt: skip
