"""The film of levels: one large Gram matrix, a slider through the levels, and panels beside the matrix.

The browser plays it without the server, as in `film`. Thumbnails of all levels are the slider's ticks.
"""

from __future__ import annotations

import base64
import math
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray

from ..analysis.levels import TRAINING_ERROR, collapse, compare_levels, peaks
from ..values.arrays import Array
from ..values.words import number, percent
from .depth import QUANTITIES, collapse_shade, collapse_words, level_curves, level_ranges, level_values
from .gram import STRUCK, block_average, cell_labels, film_edges
from .theme import (
    DIVERGING,
    MUTED,
    ORANGE,
    PURPLE,
    SEQUENTIAL,
    above,
    composed,
    escape,
    lean,
    look_up,
    read_classes,
    reserving,
)

if TYPE_CHECKING:
    from ..analysis.levels import DeepLevel, LevelNumbers, Peak

_STILL = {"mode": "immediate", "frame": {"duration": 0, "redraw": True}, "transition": {"duration": 0}}
#: Pixels of the space above a film's controls, and milliseconds of a frame while it plays.
_CONTROLS, _PACE = 74, 450
#: Cells along a side of the large matrix, and pixels of a thumbnail.
CELLS, _THUMB = 120, 40
#: Shares of the figure: top of the thumbnails, bottom and right of the matrix, left of the panels beside it.
_STRIP, FLOOR, _MATRIX, BESIDE = 0.09, 0.15, 0.5, 0.61
#: Pixels below the thumbnails for the slider.
_BELOW = 62
#: The colour of a diagonal beyond the scale.
_CUT = MUTED
NOW, SVM_COLOUR = ORANGE, PURPLE
#: Beside the matrix where no error is known, in pairs.
_QUANTITIES = ("effective_rank", "dimension", "off_diagonal_spread", "bandwidth")


@dataclass(frozen=True)
class Beside:
    """The panels beside the matrix: `still` traces, one list of `moving` traces for each level, and their `layout`.

    The lists have the same traces in the same order. `words` are the last sentences of the caption.
    """

    still: list[dict[str, Any]]
    moving: list[list[dict[str, Any]]]
    layout: dict[str, Any]
    words: str


def level_film(
    levels: Sequence[DeepLevel],
    numbers: Sequence[LevelNumbers] = (),
    order: ArrayLike | None = None,
    y: ArrayLike | None = None,
    classes: Sequence[Any] = (),
    ids: Sequence[Any] | None = None,
    *,
    beside: Beside | None = None,
    common: bool = True,
    difference: bool = False,
    start: int = 0,
    used: int | None = None,
    narrow: bool = False,
) -> go.Figure:
    """Draw the Gram matrix of one level, large, with a slider through all levels that needs no server.

    Each matrix is divided by its mean diagonal and drawn in 255 shades (8 bits). A diagonal beyond the colour scale has
    another colour and a dashed line. Parameters: `numbers` of the levels computed so far; `order` (n,), `y`, `classes`,
    `ids` of the rows; `beside` by default the numbers over the level; `common` one colour scale for all levels,
    otherwise each its own; `difference` the change from level 0; `start` the first level shown; `used` the one in use;
    `narrow` what stands beside the matrix below it, for a telephone.
    """
    n, start = len(levels[0].K), min(max(start, 0), len(levels) - 1)
    rows = np.arange(n) if order is None else np.asarray(order, dtype=np.intp)
    codes, names = read_classes(y, classes)
    ordered = None if codes is None else codes[rows]
    shown, block = _cells(levels, rows, difference)
    ranges, signed = level_ranges(shown, common, signed=difference)
    labels = cell_labels(rows, ordered, names, ids, block)
    scale = DIVERGING if signed else SEQUENTIAL
    cut = [_beyond(z, math.inf if difference else high) for z, (_, high) in zip(shown, ranges, strict=True)]
    beside = level_numbers_beside(levels, numbers) if beside is None else beside

    moving = [
        [
            _matrix(z, limits, labels, scale, beyond, difference, narrow),
            *(_strike(labels, beyond) if any(map(np.any, cut)) else ()),
            _ring(one.level),
            *beside.moving[i],
        ]
        for i, (one, z, limits, beyond) in enumerate(zip(levels, shown, ranges, cut, strict=True))
    ]
    titles = [_title(one, numbers, used, "<br>" if narrow else " · ") for one in levels]
    layout = _axes(levels, *film_edges(ordered, names, block, len(labels)), len(labels), narrow)
    layout["images"] = [
        _thumbnail(one.level, z, limits, scale, beyond)
        for one, z, limits, beyond in zip(levels, shown, ranges, cut, strict=True)
    ]
    stars = [peak.level for peak in peaks(numbers)[:1]] if len(numbers) == len(levels) else []
    ticks = [f"{one.level} ★" if one.level in stars else str(one.level) for one in levels]
    layout |= _film_controls([str(one.level) for one in levels], ticks, start, _slider_place(len(levels), narrow))
    for name, value in beside.layout.items():
        layout[name] = [*layout.get(name, []), *value] if isinstance(value, list) else value
        if narrow and "axis" in name:
            layout[name] = value | dict(domain=_below(name[0], value["domain"]))
    # Right above the matrix, whatever the size of the letters.
    layout["title"] = dict(
        text=titles[start], font=dict(size=14), yref="paper", y=1, yanchor="bottom", pad=dict(b=22 if narrow else 4)
    )
    what = "Change of the Gram matrix from level 0" if difference else "Gram matrix"
    return composed(
        [*moving[start], _picker(levels), *beside.still], layout, height=860 if narrow else 640, legend=False,
        frames=_frames(levels, moving, titles),
        margin=dict(l=10, r=10, t=64, b=10) if narrow else dict(l=10, r=10, t=34, b=_BELOW),
        alt=f"{what} of {n} rows at level {levels[start].level}, one of {len(levels)} that a slider moves through.",
        caption=f"{_caption(common, difference, block, any(map(np.any, cut)))} {beside.words}",
    )  # fmt: skip


def _cells(levels: Sequence[DeepLevel], rows: NDArray[np.intp], difference: bool) -> tuple[list[Array], int]:
    """Return the cells of each level in units of its mean diagonal, and the rows in a cell."""
    shown, block = [], 1
    for one in levels:
        z, block = block_average(one.K, CELLS, rows)
        mean = float(np.diagonal(np.asarray(one.K)).mean())
        shown.append(z.astype(np.float64) / (mean if mean > 0 else 1.0))
    return ([z - shown[0] for z in shown] if difference else shown), block


def _beyond(z: Array, high: float) -> NDArray[np.bool_]:
    """Return which cells of the diagonal lie beyond the scale by more than a visible shade."""
    return np.asarray(np.diagonal(z) > high + 0.02 * abs(high)) & (len(z) > 1)


def _shades(z: Array, limits: tuple[float, float], cut: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Return 8-bit shades 1…255; 0 is the diagonal beyond the scale."""
    low, high = limits
    shades = 1 + (np.clip(np.nan_to_num((z - low) / (high - low)), 0.0, 1.0) * 254).round().astype(np.uint8)
    shades[np.diag(cut)] = 0
    return shades.astype(np.uint8)


def _matrix(
    z: Array, limits: tuple[float, float], labels: list[str], scale: list[tuple[float, str]], cut: NDArray[np.bool_],
    difference: bool, narrow: bool,
) -> dict[str, Any]:  # fmt: skip
    words = "k − k of level 0, over their mean diagonals" if difference else "k(x, x′) / mean diagonal"
    ticks = np.linspace(*limits, 5).tolist()
    return dict(
        type="heatmap", z=_shades(z, limits, cut), x=labels, y=labels, zmin=0, zmax=255,
        colorscale=reserving(_CUT, scale),
        name="K", hovertemplate="%{y}<br>%{x}<extra></extra>",
        colorbar=dict(
            x=_UPRIGHT_MATRIX[0] if narrow else _MATRIX, xanchor="left", xpad=8, y=1, yanchor="top",
            len=_UPRIGHT_MATRIX[1] if narrow else 1 - FLOOR, thickness=10, outlinewidth=0, ypad=0,
            title=dict(text=words + ("; grey: diagonal cut" if cut.any() else ""), side="right", font=dict(size=12)),
            tickvals=[1, 64.5, 128, 191.5, 255], ticktext=[f"{t:.2g}" if abs(t) > 1e-9 else "0" for t in ticks],
        ),
    )  # fmt: skip


def _strike(labels: list[str], cut: NDArray[np.bool_]) -> list[dict[str, Any]]:
    """Return a dashed line over a diagonal that is mostly cut, as `gram_heatmap` does with shapes."""
    ends = [labels[0], labels[-1]] if cut.mean() > 0.5 else []
    common = dict(
        type="scatter", x=ends, y=ends, mode="lines", hoverinfo="skip", showlegend=False, meta=dict(decoration=True)
    )
    return [common | dict(name="diagonal cut", line=line) for line in STRUCK]


def _ring(level: int) -> dict[str, Any]:
    """Return the frame around the thumbnail of the level."""
    a, b = level - 0.5, level + 0.5
    return dict(
        type="scatter", x=[a, b, b, a, a], y=[0, 0, 1, 1, 0], xaxis="x2", yaxis="y2", mode="lines", hoverinfo="skip",
        line=dict(color=NOW, width=3), name="level shown", showlegend=False, meta=dict(decoration=True),
    )  # fmt: skip


def _picker(levels: Sequence[DeepLevel]) -> dict[str, Any]:
    """Return an invisible point over each thumbnail: hovering shows its level, a click selects it."""
    numbers = [one.level for one in levels]
    return dict(
        type="scatter", x=numbers, y=[0.5] * len(numbers), xaxis="x2", yaxis="y2", mode="markers", showlegend=False,
        marker=dict(size=40, symbol="square", opacity=0), name="levels", meta=dict(decoration=True, step=True),
        hovertemplate="level %{x}<extra></extra>",
    )  # fmt: skip


def _frames(
    levels: Sequence[DeepLevel], moving: Sequence[Sequence[dict[str, Any]]], titles: Sequence[str]
) -> list[dict[str, Any]]:
    """Return a frame for each level, without what is the same at all levels: it would be checked and sent for each."""
    parts = {i: changing for i in range(len(moving[0])) if (changing := _parts([traces[i] for traces in moving]))}
    return [
        dict(
            name=str(one.level),
            data=[dict(type=traces[i]["type"]) | {part: traces[i][part] for part in parts[i]} for i in parts] or None,
            traces=list(parts),
            layout=dict(title=dict(text=title)),
        )
        for one, traces, title in zip(levels, moving, titles, strict=True)
    ]


def _parts(traces: Sequence[dict[str, Any]]) -> list[str]:
    """Return the parts of one trace that differ between levels."""
    first = traces[0]
    return [part for part in first if any(not np.array_equal(trace[part], first[part]) for trace in traces[1:])]


def _title(level: DeepLevel, numbers: Sequence[LevelNumbers], used: int | None, between: str) -> str:
    """Return the line above the matrix: level, whether it is in use, bandwidth, and the known errors on new rows."""
    words = [f"<b>Level {level.level}</b>" + (", in use" if level.level == used else "")]
    words += [] if level.bandwidth is None else [f"h {number(level.bandwidth, 3)}"]
    for one in numbers:
        if one.level == level.level:
            tested = {name: error for name, error in one.errors.items() if name != TRAINING_ERROR}
            words += [f"{escape(name)} {percent(error)}" for name, error in tested.items()]
    known = 1 + (level.bandwidth is not None)
    return between.join(" · ".join(line) for line in (words[:known], words[known:]) if line)


def _thumbnail(
    level: int, z: Array, limits: tuple[float, float], scale: list[tuple[float, str]], cut: NDArray[np.bool_]
) -> dict[str, Any]:
    """Return a level's matrix as a small picture above the slider."""
    at = (np.arange(min(len(z), _THUMB)) * len(z)) // min(len(z), _THUMB)
    small = look_up(z[np.ix_(at, at)], *limits, scale)
    if cut.any():
        np.einsum("iic->ic", small)[cut[at]] = [int(_CUT[i : i + 2], 16) for i in (1, 3, 5)]
    return dict(
        source=png(small), xref="x2", yref="y2", x=level, y=0.5, sizex=0.9, sizey=0.88, xanchor="center",
        yanchor="middle", sizing="contain", layer="below",
    )  # fmt: skip


def png(pixels: NDArray[np.uint8]) -> str:
    """Return RGB pixels (height, width, 3) as the address of a PNG picture.

    >>> png(np.zeros((2, 3, 3), dtype=np.uint8))[:22]
    'data:image/png;base64,'
    """
    height, width, _ = pixels.shape
    lines = np.concatenate([np.zeros((height, 1), np.uint8), pixels.reshape(height, -1)], axis=1)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    body = chunk(b"IDAT", zlib.compress(lines.tobytes(), 6))
    whole = b"\x89PNG\r\n\x1a\n" + head + body + chunk(b"IEND", b"")
    return "data:image/png;base64," + base64.b64encode(whole).decode()


def _slider_place(count: int, narrow: bool) -> dict[str, Any]:
    """Return the place of the slider: its first and last tick are below the middle of their thumbnails."""
    left = _UPRIGHT_LEFT if narrow else _LEFT
    from_left = left + (1 - left) / (2 * count)
    length = 1 - (1 - left) / (2 * count) - from_left if count > 1 else 0.05
    # Plotly leaves ten pixels at both ends of a slider.
    return dict(x=from_left, len=length, y=_UPRIGHT_STRIP[0] if narrow else 0, pad=dict(t=0, b=0, l=-10, r=-10))


#: On a telephone: width and height of the matrix, ends of the thumbnails, their left end, top of what is below them.
_UPRIGHT_MATRIX, _UPRIGHT_STRIP, _UPRIGHT_LEFT, _UPRIGHT_TOP = (0.84, 0.41), (0.51, 0.545), 0.22, 0.38


def _below(axis: str, domain: Sequence[float]) -> list[float]:
    """Return a domain beside the matrix as one below it."""
    if axis == "x":
        return [0.1 + 0.9 * (end - BESIDE) / (1 - BESIDE) for end in domain]
    return [_UPRIGHT_TOP * (end - FLOOR) / (1 - FLOOR) + 0.05 * (1 - end) for end in domain]


#: The left end of the thumbnails: the buttons that play are left of them.
_LEFT = 0.085


def _axes(
    levels: Sequence[DeepLevel], edge: dict[str, Any], lines: list[dict[str, Any]], cells: int, narrow: bool
) -> dict[str, Any]:
    """Return the axes of the matrix and of the thumbnails; `edge` and `lines` as from `film_edges`."""
    ends = [levels[0].level - 0.5, levels[-1].level + 0.5]
    bare = dict(visible=False, fixedrange=True)
    return dict(
        xaxis=dict(
            edge, domain=[0.05, _UPRIGHT_MATRIX[0]] if narrow else [0.03, _MATRIX], anchor="y",  # names: left of it
            constraintoward="right", tickangle=0, automargin=False, range=[-0.5, cells - 0.5],
        ),
        yaxis=dict(
            edge, domain=[1 - _UPRIGHT_MATRIX[1] if narrow else FLOOR, 1], anchor="x", range=[cells - 0.5, -0.5],
            scaleanchor="x", constraintoward="top", tickangle=-90, automargin=False,
        ),
        xaxis2=dict(bare, domain=[_UPRIGHT_LEFT if narrow else _LEFT, 1], anchor="y2", range=ends),
        yaxis2=dict(bare, domain=list(_UPRIGHT_STRIP) if narrow else [0, _STRIP], anchor="x2", range=[-0.04, 1.04]),
        shapes=lines,
    )  # fmt: skip


def _caption(common: bool, difference: bool, block: int, cut: bool) -> str:
    what = "The change from level 0: blue less, orange more. " if difference else ""
    scale = (
        "One colour scale for all levels, in units of their mean diagonal. A collapse is an even field off "
        "the diagonal."
        if common
        else "Each level has its own colour scale: compare patterns, not colours."
    )
    averaged = f" Each cell averages {block}×{block} entries." if block > 1 else ""
    grey = " A grey diagonal is cut: it lies beyond the scale." if cut else ""
    return f"{what}Rows have one order at all levels. {scale}{averaged}{grey}"


# -- beside the matrix: the numbers over the level ----------------------------------------------------


def level_numbers_beside(levels: Sequence[DeepLevel], numbers: Sequence[LevelNumbers]) -> Beside:
    """Return the training and test errors over the level; without labels small panels of other numbers.

    A line marks the level shown. A star marks the level that `peaks` chooses, on the curve that decides and on the
    slider, and open points the levels that are significantly worse than the best; in panels diamonds mark the best by
    other criteria.
    """
    machines = list(dict.fromkeys(name for one in numbers for name in one.errors))
    choice = compare_levels(numbers) if len(numbers) == len(levels) else None
    drawn = ["errors"] if machines else [q for q in _QUANTITIES if np.isfinite(level_values(numbers, q)).any()]
    complete = len(numbers) == len(levels)
    best = {peak.quantity: peak for peak in peaks(numbers)} if complete else {}
    star = next(iter(best.values()), None)
    fall = collapse(numbers) if complete else None
    places = _grid(drawn)
    at = np.array([one.level for one in numbers])
    still: list[dict[str, Any]] = []
    moving: list[list[dict[str, Any]]] = [[] for _ in levels]
    layout: dict[str, Any] = dict(shapes=[], annotations=[])
    for i, (q, (across, down)) in enumerate(zip(drawn, places, strict=True)):
        axis = str(3 + i)
        curves = level_curves(numbers, q, machines)
        for name, values in curves:
            training = name == TRAINING_ERROR
            worse = () if choice is None or q != "errors" or training else choice.worse
            still.append(_curve(at, values, name, q, axis, None if training else best.get(q), star, worse))
        everything = np.concatenate([values for _, values in curves])
        low, high = _ends(everything, q)
        bottom = not any(other[1][1] < down[0] for other in places if q == "errors" or other[0] == across)
        layout[f"xaxis{axis}"] = dict(
            domain=across, anchor=f"y{axis}", range=[levels[0].level - 0.5, levels[-1].level + 0.5], showgrid=False,
            zeroline=False, showticklabels=bottom, dtick=max(1, math.ceil(len(levels) / 8)), automargin=False,
            ticks="outside" if bottom else "",
            title=dict(text="level" if bottom else "", standoff=6, font=dict(size=12)),
        )  # fmt: skip
        layout[f"yaxis{axis}"] = dict(
            domain=down, anchor=f"x{axis}", range=[low, high], nticks=4, zeroline=False, automargin=False,
            tickformat=".0%" if q == "errors" else ".3~g",
        )  # fmt: skip
        layout["annotations"].append(_heading(q, axis, machines, star))
        layout["shapes"] += collapse_shade(fall, axis, levels[-1].level)
        known = {one.level: [values[j] for _, values in curves] for j, one in enumerate(numbers)}
        for traces, one in zip(moving, levels, strict=True):
            traces.append(now_line(one.level, known.get(one.level, [math.nan] * len(curves)), low, high, axis))
    words = "The dotted line is the error on the training rows. " if TRAINING_ERROR in machines else ""
    words += "Open points are significantly worse than the best level. " if choice is not None and choice.worse else ""
    if star is not None:
        words += f"★ marks level {star.level}: {star.rule}."
        others = [peak for peak in best.values() if peak.level != star.level]
        words += "".join(f" ◆ {peak.rule}: level {peak.level}." for peak in others)
    return Beside(still, moving, layout, words + collapse_words(fall))


def _grid(drawn: Sequence[str]) -> list[tuple[list[float], list[float]]]:
    """Return the place of each panel: the errors over the whole width, the others in pairs below them."""
    wide = [q for q in drawn if q == "errors"]
    pairs = [q for q in drawn if q != "errors"]
    rows = math.ceil(len(pairs) / 2)
    total = (rows + 1.5 * len(wide)) or 1
    one, gap, middle = (1 - FLOOR) / total, 0.07, 0.5 * (BESIDE + 1)
    places, top = [], 1.0
    for _ in wide:
        places.append(([BESIDE, 1.0], [top - 1.5 * one + gap, top]))
        top -= 1.5 * one
    for i in range(len(pairs)):
        high = top - (i // 2) * one
        across = [BESIDE, middle - 0.035] if i % 2 == 0 else [middle + 0.035, 1.0]
        places.append((across, [high - one + gap, high]))
    return places


def _ends(values: Array, quantity: str) -> tuple[float, float]:
    """Return the ends of a panel's axis."""
    known = values[np.isfinite(values)]
    low, high = float(known.min()), float(known.max())
    if quantity in ("errors", "effective_rank", "dimension", "off_diagonal_spread"):
        low = min(low, 0.0)
    pad = 0.12 * (high - low) or 0.1 * abs(high) or 0.1
    return low - (pad if low else 0.04 * (high - low)), high + pad


def _style(machine: str) -> tuple[str, str]:
    """Return the colour and the dash of a machine's error: dashed on the training rows."""
    return SVM_COLOUR, "dot" if machine == TRAINING_ERROR else "solid"


def _curve(
    at: Array,
    values: Array,
    name: str,
    quantity: str,
    axis: str,
    peak: Peak | None,
    star: Peak | None,
    worse: Sequence[int] = (),
) -> dict[str, Any]:
    colour, dash = _style(name) if quantity == "errors" else (MUTED, "solid")
    size, symbol = np.full(len(at), 5 if quantity == "errors" else 4), np.full(len(at), "circle", dtype=object)
    symbol[np.isin(at, worse)] = "circle-open"
    if peak is not None and star is not None and (peak is star or peak.level != star.level):
        where = int(np.flatnonzero(at == peak.level)[0])
        size[where], symbol[where] = (15, "star") if peak is star else (11, "diamond")
    label = escape(name)
    shown = "%{y:.1%}" if quantity == "errors" else "%{y:.4g}"
    return dict(
        type="scatter", x=at, y=lean(values), name=label, mode="lines+markers", connectgaps=False, showlegend=False,
        line=dict(width=2, color=colour, dash=dash), xaxis=f"x{axis}", yaxis=f"y{axis}", meta=dict(step=True),
        marker=dict(size=size, symbol=symbol, color=colour, opacity=1, line=dict(width=0)),
        hovertemplate="level %{x}<br>" + label + f" <b>{shown}</b><extra></extra>",
    )  # fmt: skip


def now_line(level: int, values: Sequence[float], low: float, high: float, axis: str) -> dict[str, Any]:
    """Return the line at the level shown, with a ring on every value."""
    known = [float(v) if math.isfinite(v) else None for v in values]
    return dict(
        type="scatter", x=[level] * (len(known) + 2), y=[low, *known, high], mode="lines+markers", hoverinfo="skip",
        connectgaps=True, marker=dict(
            size=[0, *[10] * len(known), 0], color=NOW, symbol="circle-open", line=dict(width=2, color=NOW), opacity=1
        ),
        line=dict(color=NOW, width=1.5), xaxis=f"x{axis}", yaxis=f"y{axis}", name="level shown", showlegend=False,
        meta=dict(decoration=True),
    )  # fmt: skip


def _heading(quantity: str, axis: str, machines: Sequence[str], star: Peak | None) -> dict[str, Any]:
    """Return a panel's title; that of the errors names its lines."""
    text = f"<b>{QUANTITIES[quantity][0]}</b>"
    if quantity == "errors":
        words = []
        for name in machines:
            colour, dash = _style(name)
            words.append(f'<span style="color:{colour}">{"┄" if dash == "dot" else "━"}</span> {escape(name, 24)}')
        # Two lines: beside the matrix there is no room for five names.
        text = "<b>error</b>  " + "  ".join(words[:3]) + ("<br>" + "  ".join(words[3:]) if len(words) > 3 else "")
    elif star is not None and star.quantity == quantity:
        text = f"★ {text}"
    return above(text, axis)


def _film_controls(names: Sequence[str], labels: Sequence[str], start: int, place: dict[str, Any]) -> dict[str, Any]:
    """Return a film's slider over its frames and the buttons that play and stop it, below the pictures.

    Parameters: `names` of the frames; `labels` of the slider's ticks; `place` of the slider, its x and len, and its y
    where that is not below the pictures.
    """
    height: dict[str, Any] = dict(y=0, yanchor="top", pad=dict(t=_CONTROLS, b=0))
    place = height | place
    height = {name: place[name] for name in height}
    height["pad"] = dict(t=place["pad"]["t"], b=place["pad"]["b"], r=0)
    play = {
        "mode": "immediate", "fromcurrent": True, "frame": {"duration": _PACE, "redraw": True},
        "transition": {"duration": 0},
    }  # fmt: skip
    return dict(
        sliders=[
            dict(
                active=start, ticklen=4, currentvalue=dict(visible=False),
                steps=[
                    dict(label=label, method="animate", args=[[name], _STILL])
                    for name, label in zip(names, labels, strict=True)
                ],
                **place,
            )
        ],
        updatemenus=[
            dict(
                type="buttons", direction="left", showactive=False, x=0, xanchor="left", font=dict(size=14), **height,
                buttons=[
                    dict(label="▶", method="animate", args=[None, play]),
                    dict(label="❚❚", method="animate", args=[[None], _STILL]),
                ],
            )
        ],
    )  # fmt: skip
