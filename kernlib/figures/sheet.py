"""A sheet over two parameters as one figure: a small Gram matrix in every cell, framed by its score."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from ..analysis.averaging import block_means
from ..overview.sheet import Sheet
from ..values.arrays import Array
from ..values.words import score_in_words, value_in_words
from .gram import value_limits
from .theme import MUTED, ORANGE, escape, finish, look_up, reserving

#: Cells along a side of a small picture, and the gap between two of them.
_SIDE, _GAP = 40, 11


def sheet_picture(sheet: Sheet, common: bool = False, size: int = 132) -> go.Figure:
    """Draw the sheet: look for the row and column where blocks are crisp and the frame is bright.

    Frames are brighter the better the score; a star marks the best cell, ≈ cells not distinguishable from it. Every
    cell has a point whose `customdata` is its number, row by row, for clicks.
    Parameters: `common` one colour scale for all pictures, else each its own; `size` pixels of a cell's side.
    """
    down, across = len(sheet.first_values), len(sheet.second_values)
    pitch = _SIDE + _GAP
    canvas = np.full((down * pitch, across * pitch), np.nan)
    pictures = _pictures(sheet, common)
    for (i, j), z in pictures.items():
        canvas[i * pitch : i * pitch + _SIDE, j * pitch : j * pitch + _SIDE] = z
    fig = go.Figure()
    if canvas.size:
        fig.add_trace(canvas_trace(canvas))
    fig.update_layout(shapes=_frames(sheet, pitch))
    _points(fig, sheet, pitch, size)
    middle = (_SIDE - 1) / 2
    plain: dict[str, Any] = dict(showgrid=False, zeroline=False, ticks="", tickmode="array")
    fig.update_xaxes(
        **plain, tickvals=[j * pitch + middle for j in range(across)], side="top", title_text=escape(sheet.second),
        ticktext=[_escaped(v) for v in sheet.second_values], range=[-_GAP / 2, across * pitch - _GAP / 2],
        constrain="domain",
    )  # fmt: skip
    fig.update_yaxes(
        **plain, tickvals=[i * pitch + middle for i in range(down)], title_text=escape(sheet.first),
        ticktext=[f"{_escaped(v)} " for v in sheet.first_values], range=[down * pitch - _GAP / 4, -_GAP / 2],
        scaleanchor="x", constrain="domain", constraintoward="top",
    )  # fmt: skip
    fig.update_layout(dragmode=False, clickmode="event+select")
    verdict = _verdict(sheet)
    scale = "All pictures share one colour scale." if common else "Each picture has its own colour scale."
    return finish(
        fig, height=90 + down * size, legend=False, margin=dict(t=64),
        alt=f"Small Gram matrices over {escape(sheet.first)} and {escape(sheet.second)}, framed by the "
        f"{sheet.words}. {verdict}",
        caption=f"Each cell is the Gram matrix at one pair of values, over its mean diagonal, rows in one order. "
        f"{scale} Frames are brighter the better the {sheet.words}, which is written below. {verdict} Click a cell to "
        "use its kernel.",
    )  # fmt: skip


def canvas_trace(canvas: Array, **place: Any) -> go.Heatmap:
    """Return small pictures on one canvas, values 0…1 and nan between them; `place` are settings of the heatmap."""
    # 8 bits exceed what the eye distinguishes, at a quarter of the bytes; 0 is missing and transparent.
    drawn = np.where(np.isfinite(canvas), 1 + np.round(254 * canvas), 0).astype(np.uint8)
    return go.Heatmap(
        z=drawn, zmin=0, zmax=255, colorscale=reserving("rgba(0,0,0,0)"), showscale=False, hoverinfo="skip",
        name="pictures", meta=dict(decoration=True), **place,
    )  # fmt: skip


def small_picture(cells: Array) -> tuple[Array, tuple[float, float]]:
    """Return a matrix as a square of `_SIDE` cells, and the range of its off-diagonal."""
    z, _ = block_means(cells, _SIDE)
    step = (np.arange(_SIDE) * len(z)) // _SIDE
    return np.asarray(z, dtype=np.float64)[np.ix_(step, step)], value_limits(z, "off-diagonal")


def _escaped(value: Any) -> str:
    return escape(value_in_words(value))


def _pictures(sheet: Sheet, common: bool) -> dict[tuple[int, int], Array]:
    """Return values in 0…1 of every computed cell, (side, side)."""
    cells, off = {}, {}
    for i, a in enumerate(sheet.first_values):
        for j, b in enumerate(sheet.second_values):
            frame = sheet.frames.get((a, b))
            if frame is None or frame.problem:
                continue
            cells[i, j], off[i, j] = small_picture(frame.cells)
    if not cells:
        return {}
    low, high = min(v[0] for v in off.values()), max(v[1] for v in off.values())
    for place, z in cells.items():
        a, b = (low, high) if common else off[place]
        cells[place] = np.clip((z - a) / (b - a), 0.0, 1.0)
    return cells


def _goodness(sheet: Sheet) -> Array:
    """Return the score in 0…1, 1 the best; one half where all are equal."""
    turned = -sheet.scores if sheet.lower_is_better else sheet.scores
    known = turned[np.isfinite(turned)]
    if not known.size or known.max() == known.min():
        return np.where(np.isfinite(turned), 0.5, np.nan)
    good: Array = (turned - known.min()) / (known.max() - known.min())
    return good


def _frames(sheet: Sheet, pitch: int) -> list[dict[str, Any]]:
    good = _goodness(sheet)
    colours = look_up(good, 0.0, 1.0)
    shapes = []
    for i, j in np.argwhere(np.isfinite(good)):
        r, g, b = (int(v) for v in colours[i, j])
        best = (int(i), int(j)) == sheet.best
        pad = 1.6 if best else 1.0
        shapes.append(
            dict(
                type="rect", x0=j * pitch - 0.5 - pad, x1=j * pitch + _SIDE - 0.5 + pad,
                y0=i * pitch - 0.5 - pad, y1=i * pitch + _SIDE - 0.5 + pad, xref="x", yref="y",
                line=dict(color=ORANGE if best else f"rgb({r},{g},{b})", width=5 if best else 4),
            )
        )  # fmt: skip
    return shapes


def _points(fig: go.Figure, sheet: Sheet, pitch: int, size: int) -> None:
    x, y, words, hover = [], [], [], []
    alike = set(sheet.alike)
    for i, a in enumerate(sheet.first_values):
        for j, b in enumerate(sheet.second_values):
            frame, score = sheet.frames.get((a, b)), float(sheet.scores[i, j])
            mark = "★ " if (i, j) == sheet.best else "≈ " if (i, j) in alike else ""
            shown = _in_words(sheet, score) if np.isfinite(score) else ""
            problem = f"<br>{escape(frame.problem, 120)}" if frame is not None and frame.problem else ""
            x.append(j * pitch + (_SIDE - 1) / 2)
            y.append(i * pitch + (_SIDE - 1) / 2)
            words.append("×" if problem else mark + shown)
            state = "not computed yet" if frame is None else ""
            if shown:
                state = f"{escape(sheet.words, 80)}: <b>{shown}</b>"
            place = f"{escape(sheet.first)} = {_escaped(a)}, {escape(sheet.second)} = {_escaped(b)}"
            hover.append(f"{place}<br>{state}{problem}")
    fig.add_scatter(
        x=x, y=y, mode="markers", customdata=list(range(len(x))), hovertext=hover,
        name=escape(sheet.words, 80), hovertemplate="%{hovertext}<extra></extra>",
        marker=dict(symbol="square", size=0.6 * size, color="rgba(0,0,0,0.001)", line=dict(width=0)),
        selected=dict(marker=dict(opacity=1)), unselected=dict(marker=dict(opacity=1)),
    )  # fmt: skip
    fig.add_scatter(
        x=x, y=[v + _SIDE / 2 + _GAP / 2 for v in y], mode="text", text=words, hoverinfo="skip", name="words",
        textfont=dict(size=11, color=MUTED), meta=dict(decoration=True), cliponaxis=False,
    )  # fmt: skip


def _in_words(sheet: Sheet, score: float) -> str:
    return score_in_words(score, sheet.is_share)


def _verdict(sheet: Sheet) -> str:
    if sheet.best is None:
        return "No cell has a score yet."
    i, j = sheet.best
    text = (
        f"Best (★): {_in_words(sheet, float(sheet.scores[i, j]))} at "
        f"{escape(sheet.first)} = {_escaped(sheet.first_values[i])}, "
        f"{escape(sheet.second)} = {_escaped(sheet.second_values[j])}."
    )
    if sheet.alike:
        text += f" {len(sheet.alike)} more (≈) {sheet.rule}: prefer the simplest."
    return text
