"""Figures of the relevant dimension: denoised labels, and noise over dimension."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray

from ..analysis.relevant import LOW_DIMENSION, LOW_NOISE, RelevantDimension, RelevantDimensionLOO
from ..values.arrays import Array, RowNumbers
from ..values.words import number
from .axes import log_axis
from .spectrum import INFORMATION
from .theme import MUTED, class_colour, class_names, class_symbol, equal_line, escape, finish, lean, row_labels

Point = tuple[str, float, float]


def denoised_labels(
    rd: RelevantDimension | RelevantDimensionLOO,
    y: ArrayLike | None = None,
    classes: Sequence[Any] = (),
    ids: Sequence[Any] | None = None,
    d: int | None = None,
    rows: RowNumbers | None = None,
) -> go.Figure:
    """Draw the label that the first d directions give each row; disputed rows are ringed.

    Parameters: `y`, `classes` name the labels (default: those in `rd`); `d` another cut than d̂; `rows` the numbers of
    the rows drawn, named by `ids`, if not all rows are drawn.
    """
    cut = rd.dimension if d is None else d
    if rows is not None:
        codes = rd.labels.codes
        disputed = np.flatnonzero(np.isin(rows, rd.disputed_at(cut)))
        rd = replace(
            rd, eigenvectors=rd.eigenvectors[rows],
            labels=replace(rd.labels, targets=rd.labels.targets[rows], codes=None if codes is None else codes[rows]),
        )  # fmt: skip
    fitted, labels, ringed = rd.denoised_at(cut), rd.labels, rd.disputed_at(cut) if rows is None else disputed
    n = len(fitted)
    ids_text = row_labels(ids, n)
    if labels.codes is None or labels.classes is None:
        fig, across, up = _real_labels(rd.targets, fitted, ids_text)
    else:
        given = classes if y is not None and len(classes) == len(labels.classes) else labels.classes
        up = fitted if fitted.ndim == 1 else rd.margin_at(cut)
        fig, across = _class_labels(up, labels.codes, class_names(given), ids_text, two=fitted.ndim == 1)
    if len(ringed):
        fig.add_scatter(
            x=lean(across[ringed]), y=lean(up[ringed]), mode="markers", hoverinfo="skip",
            name=f"disputed ({len(ringed)})", meta=dict(decoration=True),
            marker=dict(symbol="circle-open", size=13, color=MUTED, line=dict(width=2)),
        )  # fmt: skip
    return finish(
        fig, height=360, legend=True,
        alt=f"Denoised labels of {n} rows from {cut} directions; {len(ringed)} labels are disputed.",
        caption=f"Each point is a row with its label according to the first {cut} directions. "
        + (
            f"{len(ringed)} ringed rows have another label: mislabelled, unusual, or beyond this kernel."
            if len(ringed)
            else "All rows agree with their own label."
        ),
    )  # fmt: skip


def _real_labels(target: Array, fitted: Array, ids: NDArray[Any]) -> tuple[go.Figure, Array, Array]:
    """Return denoised over given real labels, and the coordinates of the rows."""
    fig = go.Figure()
    ends = [float(min(target.min(), fitted.min())), float(max(target.max(), fitted.max()))]
    fig.add_trace(equal_line(ends, "ŷ = y"))
    fig.add_scatter(
        x=lean(target), y=lean(fitted), mode="markers", name="rows", hovertext=ids,
        customdata=np.arange(len(target), dtype=np.int32)[:, None],
        marker=dict(color=INFORMATION, size=6, opacity=0.95),
        hovertemplate="%{hovertext}<br>y = %{x:.4g}<br>ŷ = <b>%{y:.4g}</b><extra></extra>",
    )  # fmt: skip
    fig.update_xaxes(title_text="label y")
    fig.update_yaxes(title_text="denoised label ŷ")
    return fig, target, fitted


def _class_labels(
    up: Array, codes: RowNumbers, names: Sequence[str], ids: NDArray[Any], *, two: bool
) -> tuple[go.Figure, Array]:
    """Return the rows by class and ŷ, and their horizontal coordinates."""
    fig = go.Figure()
    across = np.empty(len(up))
    across[np.lexsort((up, codes))] = np.arange(len(up))
    for code, name in enumerate(names):
        rows = np.flatnonzero(codes == code)
        fig.add_scatter(
            x=across[rows].astype(np.int32), y=lean(up[rows]), mode="markers", name=name,
            hovertext=ids[rows], customdata=rows.astype(np.int32)[:, None],
            marker=dict(color=class_colour(code), symbol=class_symbol(code), size=6, opacity=0.95),
            hovertemplate="%{hovertext}<br>ŷ = <b>%{y:.4g}</b><extra>" + name + "</extra>",
        )  # fmt: skip
    fig.add_hline(y=0, line=dict(color=MUTED, width=1.5, dash="dash"))
    fig.update_xaxes(title_text="rows, by class and ŷ")
    fig.update_yaxes(title_text=f"ŷ (above 0: {names[1]})" if two else "ŷ of the own class less the best other")
    return fig, across


def noise_dimension_map(
    points: Mapping[str, tuple[float, float]] | Sequence[Point],
    here: Point | Sequence[Point] | None = None,
    share_of: Literal["rows", "variance"] = "rows",
) -> go.Figure:
    """Draw noise over relevant dimension next to published data sets: is this data set noisy, or complex?

    Parameters: `points` published data sets as (name, dimension, noise) or {name: (dimension, noise)}, noise as a share
    of rows; `here` the present data in the same form; `share_of` what its noise is a share of. A share of the variance
    of y does not compare with shares of rows: published points and the border of noise are then left out.
    """
    comparable = share_of == "rows"
    marks = [(k, *v) for k, v in points.items()] if isinstance(points, Mapping) else list(points)
    marks = marks if comparable else []
    own: list[Point] = [] if here is None else [here] if isinstance(here, tuple) else list(here)
    fig = go.Figure()
    spots = ("top center", "bottom center", "middle right", "middle left")
    groups = (("published", marks, MUTED, "circle", 8), ("here", own, INFORMATION, "star", 15))
    for group, given, colour, symbol, size in groups:
        known = [p for p in given if np.isfinite(p[1]) and np.isfinite(p[2])]
        if known:
            known.sort(key=lambda p: (p[1], p[2]))
            fig.add_scatter(
                x=[float(p[1]) for p in known], y=[float(p[2]) for p in known], text=[escape(p[0], 24) for p in known],
                hovertext=[escape(p[0]) for p in known], mode="markers+text", name=group, cliponaxis=False,
                textposition=[spots[i % 4] for i in range(len(known))] if group == "published" else "top center",
                textfont=dict(size=11, color=colour), marker=dict(color=colour, symbol=symbol, size=size),
                hovertemplate="%{hovertext}<br>d̂ = %{x}<br>noise %{y:.1%}<extra></extra>",
            )  # fmt: skip
    line = dict(color=MUTED, width=1, dash="dot")
    fig.add_vline(x=LOW_DIMENSION, line=line)
    corners = [("simple, clean", 0, 0), ("simple, noisy", 0, 1), ("complex, clean", 1, 0), ("complex, noisy", 1, 1)]
    if comparable:
        fig.add_hline(y=LOW_NOISE, line=line)
    for words, x, y in corners if comparable else [("simple", 0, 0), ("complex", 1, 0)]:
        fig.add_annotation(
            text=f"<i>{words}</i>", xref="paper", yref="paper", x=x, y=y, xanchor=("left", "right")[x],
            yanchor=("bottom", "top")[y], showarrow=False, font=dict(size=11),
        )  # fmt: skip
    known = [p for p in [*marks, *own] if np.isfinite(p[1]) and np.isfinite(p[2])]
    highest = max([p[2] for p in known], default=0.4)
    widest = max([p[1] for p in known], default=300.0)
    ends = [1.0, 2.0 * max(widest, 300.0)]
    unit = "share of rows" if comparable else "share of the variance of y"
    fig.update_xaxes(title_text="relevant dimension d̂", **log_axis(ends), range=np.log10(ends))
    fig.update_yaxes(
        title_text=f"estimated noise, {unit}", tickformat=".0%", range=[-0.03, max(highest * 1.12, 0.4)]
    )  # fmt: skip
    present = "; ".join(f"{escape(p[0])}: d̂ = {number(p[1])}, noise {p[2]:.1%}" for p in own)
    return finish(
        fig, height=420, margin=dict(t=24),
        alt=f"Noise over relevant dimension of {len(marks)} published data sets. {present}".strip() + ".",
        caption="Further right, the labels need more directions of this kernel. Further up, this "
        "kernel explains less of the labels: they are noisy, or their structure is beyond it. "
        + ("Dotted lines separate the quadrants of [R]." if comparable else
           "A share of the variance cannot be compared with error rates: the published data sets are left out."),
    )  # fmt: skip
