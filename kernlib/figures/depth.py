"""Pictures of deep levels: a film-strip of Gram matrices, and their numbers over the level."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray
from plotly.subplots import make_subplots

from ..analysis.levels import collapse, informative_peak
from ..values.arrays import Array
from .gram import block_average, value_limits
from .theme import CLASS_COLOURS, DIVERGING, MUTED, SEQUENTIAL, escape, finish, lean, look_up, number

if TYPE_CHECKING:
    from ..analysis.levels import DeepLevel, LevelNumbers

__all__ = ["QUANTITIES", "film_strip", "level_lines", "strip_images"]

Scale = Literal["diagonal", "common", "level"]

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
    "neg_log_likelihood": ("−log ℓ(d̂)", True),
    "noise": ("noise level", True),
    "errors": ("test error", True),
}


def _values(numbers: Sequence[LevelNumbers], name: str) -> Array:
    found = (getattr(one, name, None) for one in numbers)
    return np.array([math.nan if v is None else float(v) for v in found])


def level_lines(numbers: Sequence[LevelNumbers], quantities: Sequence[str] | None = None) -> go.Figure:
    """Numbers over the level, one small panel each: look for the level at which labels fit best.

    Stars mark the best level where small or large is good, a dashed line the most informative level, and
    shading the levels at which K has collapsed to a constant or to the identity.
    Parameters: `quantities` keys of QUANTITIES, by default all that have a value.
    """
    asked = list(QUANTITIES) if quantities is None else [q for q in quantities if q in QUANTITIES]
    machines = sorted({m for one in numbers for m in one.errors})
    drawn = [q for q in asked if (machines if q == "errors" else np.isfinite(_values(numbers, q)).any())]
    levels = np.array([one.level for one in numbers])
    across = 2 if len(drawn) > 1 else 1
    down = max(1, -(-len(drawn) // across))
    fig = make_subplots(
        down, across, subplot_titles=[QUANTITIES[q][0] for q in drawn], horizontal_spacing=0.12,
        vertical_spacing=min(0.25, 0.34 / down), shared_xaxes=True,
    )  # fmt: skip
    peak, fall = informative_peak(numbers), collapse(numbers)
    best_told = []
    # All shapes at once: added one by one, each would be checked against all that are there.
    shapes: list[dict[str, Any]] = []
    for i, q in enumerate(drawn):
        where = dict(row=i // across + 1, col=i % across + 1)
        words, small_is_good = QUANTITIES[q]
        lines = (
            [(escape(m), np.array([one.errors.get(m, math.nan) for one in numbers], dtype=float)) for m in machines]
            if q == "errors"
            else [(words, _values(numbers, q))]
        )
        for j, (name, values) in enumerate(lines):
            colour = CLASS_COLOURS[j % len(CLASS_COLOURS)]
            size = np.full(len(levels), 6)
            symbol = np.full(len(levels), "circle", dtype=object)
            if small_is_good is not None and np.isfinite(values).any():
                best = int(np.nanargmin(values) if small_is_good else np.nanargmax(values))
                size[best], symbol[best] = 13, "star"
                best_told.append(f"{name} best at level {levels[best]}")
            fig.add_scatter(
                x=levels, y=lean(values), name=name, mode="lines+markers", connectgaps=False,
                line=dict(color=colour, width=2),
                marker=dict(color=colour, size=size, symbol=symbol, opacity=1, line=dict(width=0)),
                showlegend=q == "errors", hovertemplate="level %{x}<br>" + name + " = <b>%{y:.4g}</b><extra></extra>",
                **where,
            )  # fmt: skip
        panel = "" if i == 0 else str(i + 1)
        here = dict(xref=f"x{panel}", yref=f"y{panel} domain", y0=0, y1=1)
        if peak is not None:
            line = dict(color=MUTED, width=1, dash="dash")
            shapes.append(dict(type="line", x0=peak.level, x1=peak.level, line=line, **here))
        if fall is not None:
            shade = dict(fillcolor=MUTED, opacity=0.18, line_width=0, layer="below")
            shapes.append(dict(type="rect", x0=fall.level - 0.5, x1=levels[-1] + 0.5, **shade, **here))
        if q == "bandwidth" and np.nanmin(lines[0][1]) > 0 and np.nanmax(lines[0][1]) > 30 * np.nanmin(lines[0][1]):
            fig.update_yaxes(type="log", **where)
    ends = [levels.min() - 0.5, levels.max() + 0.5] if len(levels) else [-0.5, 0.5]
    fig.update_xaxes(dtick=max(1, math.ceil(len(levels) / 8)), range=ends, showgrid=False)
    for column in range(1, across + 1):
        last = (len(drawn) - column) // across + 1
        if drawn and last >= 1:
            fig.update_xaxes(title_text="level", showticklabels=True, row=last, col=column)
    fig.update_yaxes(nticks=5)
    fig.update_layout(shapes=shapes)
    fig.update_annotations(font_size=13)
    words = (
        f" From level {fall.level} on K is nearly {'constant' if fall.kind == 'constant' else 'the identity'} "
        f"({fall.rule}; shaded)."
        if fall
        else ""
    )
    at = "" if peak is None else f" The dashed line marks the most informative level, {peak.level}: {peak.rule}."
    return finish(
        fig, height=60 + 160 * down + (30 if machines else 0), legend=bool(machines) and "errors" in drawn,
        alt=f"{len(drawn)} quantities over levels {levels[0] if len(levels) else 0} to "
        f"{levels[-1] if len(levels) else 0}. {'; '.join(best_told[:4])}.{at}{words}",
        caption=f"Deeper is not always better: look for the level at which alignment peaks and errors are lowest, "
        f"and for the collapse beyond it.{at}{words}",
    )  # fmt: skip


def _strip(
    levels: Sequence[DeepLevel], order: ArrayLike | None, cells: int, scale: Scale
) -> tuple[list[Array], float, float, bool]:
    """Averaged matrices and the limits they share."""
    shown = []
    for one in levels:
        z, _ = block_average(one.K, cells, order)
        K = np.asarray(one.K)
        if scale == "diagonal":
            mean = float(np.diagonal(K).mean())
            z = z / np.float32(mean if mean > 0 else 1.0)
        elif scale == "level":
            off = z[~np.identity(len(z), dtype=np.bool_)] if len(z) > 1 else z.ravel()
            spread = float(off.std())
            # What is left of a constant is rounding, and must stay flat.
            z = (z - off.mean()) / np.float32(spread if spread > 1e-6 * float(np.abs(off).max() or 1) else 1e30)
        shown.append(lean(z))
    if not shown:
        return shown, 0.0, 1.0, False
    if scale == "level":
        return shown, -2.5, 2.5, True
    # Level 0 of a large diagonal must not take the colours from its neighbours.
    low, high = value_limits(np.concatenate([z.ravel() for z in shown])[None, :], "full")
    if scale == "diagonal":
        low, high = max(low, -1.0), min(high, 1.0)
    return (
        (shown, -max(-low, high), max(-low, high), True) if low < -0.05 * high else (shown, min(low, 0.0), high, False)
    )


def film_strip(
    levels: Sequence[DeepLevel],
    order: ArrayLike | None = None,
    scale: Scale = "diagonal",
    numbers: Sequence[LevelNumbers] | None = None,
    max_cells: int = 100,
) -> go.Figure:
    """One small Gram matrix per level, in one order and on one colour scale: watch blocks sharpen, then fade.

    Parameters: `order` (n,) as from `order_rows`; `scale` "diagonal" (each level divided by its mean
    diagonal, so that a collapse shows), "common" (values as they are) or "level" (each level standardised,
    so that faint structure shows); `numbers` adds the effective rank under the level's name.
    """
    shown, low, high, signed = _strip(levels, order, max_cells, scale)
    across = min(4, max(1, len(shown)))
    down = max(1, -(-len(shown) // across))
    by_level = {one.level: one for one in numbers or ()}
    titles = []
    for one in levels:
        more = by_level.get(one.level)
        titles.append(f"level {one.level}" + (f"<br>rank {number(more.effective_rank)}" if more else ""))
    fig = make_subplots(
        down,
        across,
        subplot_titles=titles,
        horizontal_spacing=0.02,
        vertical_spacing=(0.24 if by_level else 0.16) / down,
    )
    for i, (one, z) in enumerate(zip(levels, shown, strict=True)):
        where = dict(row=i // across + 1, col=i % across + 1)
        fig.add_heatmap(
            z=z, coloraxis="coloraxis", name=f"level {one.level}", **where,
            hovertemplate=f"level {one.level}<br>rows %{{y}}, %{{x}}<br><b>%{{z:.4g}}</b><extra></extra>",
        )  # fmt: skip
        fig.update_yaxes(
            autorange="reversed", scaleanchor=f"x{i + 1 if i else ''}", constrain="domain", constraintoward="top",
            showticklabels=False, ticks="", showgrid=False, zeroline=False, **where,
        )  # fmt: skip
        fig.update_xaxes(showticklabels=False, ticks="", showgrid=False, zeroline=False, constrain="domain", **where)
    words = {"diagonal": "k / mean diagonal", "common": "k(x, x′)", "level": "standardised k"}[scale]
    fig.update_layout(
        coloraxis=dict(
            cmin=low, cmax=high, colorscale=DIVERGING if signed else SEQUENTIAL,
            colorbar=dict(orientation="h", thickness=10, len=0.6, x=0.5, xanchor="center", y=0, yref="container",
                          yanchor="bottom", outlinewidth=0, nticks=5,
                          title=dict(text=words, side="bottom", font=dict(size=12))),
        )
    )  # fmt: skip
    fig.update_annotations(font_size=12)
    return finish(
        fig, height=90 + down * 190, bottom=72, legend=False,
        alt=f"{len(shown)} Gram matrices, one per level, all in the same row order and colours.",
        caption="The same rows at every level. Blocks that sharpen mean that the level brings a class together; an "
        "even field means that the level has forgotten what the rows were.",
    ).update_layout(margin_t=44)  # fmt: skip


def strip_images(
    levels: Sequence[DeepLevel], order: ArrayLike | None = None, size: int = 160, scale: Scale = "diagonal"
) -> list[NDArray[np.uint8]]:
    """The film-strip as RGB images (size, size, 3) on one colour scale, for a row of buttons with pictures."""
    shown, low, high, signed = _strip(levels, order, size, scale)
    images = []
    for z in shown:
        cell = (np.arange(size) * len(z)) // size
        images.append(look_up(z[np.ix_(cell, cell)], low, high, DIVERGING if signed else SEQUENTIAL))
    return images
