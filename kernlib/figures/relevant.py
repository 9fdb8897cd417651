"""Pictures of what the relevant dimension leaves: denoised labels, and noise over dimension."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from ..analysis.relevant import RelevantDimension, RelevantDimensionLOO
from ..values.arrays import RowNumbers
from .axes import log_axis
from .theme import (
    CLASS_COLOURS,
    MUTED,
    class_colour,
    class_names,
    class_symbol,
    escape,
    finish,
    lean,
    number,
    row_labels,
)

__all__ = ["denoised_labels", "noise_dimension_map"]

Point = tuple[str, float, float]
BLUE, ORANGE = CLASS_COLOURS[:2]

# Where the published study's own grouping of its thirteen data sets parts them.
LOW_DIMENSION, LOW_NOISE = 30.0, 0.09


def denoised_labels(
    rd: RelevantDimension | RelevantDimensionLOO,
    y: ArrayLike | None = None,
    classes: Sequence[Any] = (),
    ids: Sequence[Any] | None = None,
    d: int | None = None,
    rows: RowNumbers | None = None,
) -> go.Figure:
    """What the first d directions say of each row's label; rows whose label they dispute are ringed.

    Parameters: `y`, `classes` only name the labels (default: those in `rd`); `d` another cut than d̂; `rows` the
    numbers of those that are drawn, named by `ids`, where not all are.
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
    fig = go.Figure()
    if labels.codes is None or labels.classes is None:
        target = rd.targets
        ends = [float(min(target.min(), fitted.min())), float(max(target.max(), fitted.max()))]
        fig.add_scatter(
            x=ends, y=ends, mode="lines", line=dict(color=MUTED, dash="dash", width=1.5), name="ŷ = y",
            hoverinfo="skip", meta=dict(decoration=True),
        )  # fmt: skip
        fig.add_scatter(
            x=lean(target), y=lean(fitted), mode="markers", name="rows", hovertext=ids_text,
            customdata=np.arange(n, dtype=np.int32)[:, None], marker=dict(color=BLUE, size=6, opacity=0.95),
            hovertemplate="%{hovertext}<br>y = %{x:.4g}<br>ŷ = <b>%{y:.4g}</b><extra></extra>",
        )  # fmt: skip
        across, up = target, fitted
        fig.update_xaxes(title_text="label y")
        fig.update_yaxes(title_text="denoised label ŷ")
    else:
        codes = labels.codes
        given = classes if y is not None and len(classes) == len(labels.classes) else labels.classes
        names = class_names(given)
        two = fitted.ndim == 1
        up = fitted if two else rd.margin_at(cut)
        axis = f"ŷ (above 0: {names[1]})" if two else "ŷ of the own class less the best other"
        across = np.empty(n)
        across[np.lexsort((up, codes))] = np.arange(n)
        for code, name in enumerate(names):
            rows = np.flatnonzero(codes == code)
            fig.add_scatter(
                x=across[rows].astype(np.int32), y=lean(up[rows]), mode="markers", name=name,
                hovertext=ids_text[rows], customdata=rows.astype(np.int32)[:, None],
                marker=dict(color=class_colour(code), symbol=class_symbol(code), size=6, opacity=0.95),
                hovertemplate="%{hovertext}<br>ŷ = <b>%{y:.4g}</b><extra>" + name + "</extra>",
            )  # fmt: skip
        fig.add_hline(y=0, line=dict(color=MUTED, width=1.5, dash="dash"))
        fig.update_xaxes(title_text="rows, by class and ŷ")
        fig.update_yaxes(title_text=axis)
    if len(ringed):
        fig.add_scatter(
            x=lean(across[ringed]), y=lean(up[ringed]), mode="markers", hoverinfo="skip",
            name=f"disputed ({len(ringed)})", meta=dict(decoration=True),
            marker=dict(symbol="circle-open", size=13, color=MUTED, line=dict(width=2)),
        )  # fmt: skip
    return finish(
        fig, height=360, legend=True,
        alt=f"Denoised labels of {n} rows from {cut} components; {len(ringed)} labels are disputed.",
        caption=f"Each point is a row, as the first {cut} directions would label it. "
        + (
            f"Ringed rows, {len(ringed)} here, are those whose own label this disputes: mislabelled, unusual, or "
            "beyond this kernel."
            if len(ringed)
            else "They dispute no row's own label."
        ),
    )  # fmt: skip


def noise_dimension_map(
    points: Mapping[str, tuple[float, float]] | Sequence[Point],
    here: Point | Sequence[Point] | None = None,
    low_dimension: float = LOW_DIMENSION,
    low_noise: float = LOW_NOISE,
) -> go.Figure:
    """Noise over relevant dimension with landmarks: is this data set hard because it is noisy, or complex?

    Parameters: `points` landmarks as (name, dimension, noise) or {name: (dimension, noise)}, noise as a
    share of rows, or of the variance of real labels (`noise_share`); `here` the data in hand in the same form;
    `low_dimension`, `low_noise` part the quadrants.
    """
    marks = [(k, *v) for k, v in points.items()] if isinstance(points, Mapping) else list(points)
    own: list[Point] = [] if here is None else [here] if isinstance(here, tuple) else list(here)
    fig = go.Figure()
    spots = ("top center", "bottom center", "middle right", "middle left")
    groups = (("published", marks, MUTED, "circle", 8), ("here", own, ORANGE, "star", 15))
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
    fig.add_vline(x=low_dimension, line=line)
    fig.add_hline(y=low_noise, line=line)
    corners = (("simple, clean", 0, 0), ("simple, noisy", 0, 1), ("complex, clean", 1, 0), ("complex, noisy", 1, 1))
    for words, x, y in corners:
        fig.add_annotation(
            text=f"<i>{words}</i>", xref="paper", yref="paper", x=x, y=y, xanchor=("left", "right")[x],
            yanchor=("bottom", "top")[y], showarrow=False, font=dict(size=11),
        )  # fmt: skip
    everything = [p for p in [*marks, *own] if np.isfinite(p[1]) and np.isfinite(p[2])]
    highest = max([p[2] for p in everything], default=0.4)
    widest = max([p[1] for p in everything], default=300.0)
    ends = [1.0, 2.0 * max(widest, 300.0)]
    fig.update_xaxes(title_text="relevant dimension d̂", **log_axis(ends), range=np.log10(ends))
    fig.update_yaxes(title_text="noise level", tickformat=".0%", range=[-0.03, max(highest * 1.12, 0.4)])
    said = "; ".join(f"{escape(p[0])}: d̂ = {number(p[1])}, noise {p[2]:.1%}" for p in own)
    return finish(
        fig, height=420, alt=f"Noise over relevant dimension of {len(marks)} published data sets. {said}".strip() + ".",
        caption="To the right a problem needs many directions: a better kernel or more rows would help. Further up "
        "the labels themselves are noisy: no kernel will help much.",
    ).update_layout(margin_t=24)  # fmt: skip
