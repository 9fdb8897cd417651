"""Figures of rows without labels: how stable groups are, and which rows are unusual."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from ..analysis.groups import STABLE, Groups, Unusual
from ..analysis.spectrum import KernelPCA
from ..values.arrays import RowNumbers
from ..values.words import number
from .gram import gram_heatmap
from .spectrum import pca_scatter
from .theme import BLUE, MUTED, ORANGE, escape, finish


def grouped_gram(K: ArrayLike, codes: ArrayLike, ids: Sequence[Any] | None = None) -> go.Figure:
    """Draw a Gram matrix with its rows in the order of their groups, (n,) codes."""
    group = np.asarray(codes)
    fig = gram_heatmap(K, np.argsort(group, kind="stable"), group, _names(group), ids)
    sizes = ", ".join(map(str, np.bincount(group)))
    return _described(
        fig, f"Gram matrix of {len(group)} rows in groups of {sizes} rows.",
        "Rows in the order of their groups. Groups are made from this matrix: bright blocks alone do not show that "
        "they are stable.",
    )  # fmt: skip


def grouped_plane(scores: KernelPCA, codes: ArrayLike, ids: Sequence[Any] | None = None) -> go.Figure:
    """Draw rows along two kernel PCA directions in the colours of their groups, (n,) codes."""
    group = np.asarray(codes)
    return _described(
        pca_scatter(scores, group, _names(group), ids),
        f"{len(group)} rows along two kernel PCA directions, in {group.max() + 1} groups.",
        "Each point is a row. Groups that lie apart here are apart in feature space. Others may differ in further "
        "directions.",
    )  # fmt: skip


def _names(group: RowNumbers) -> list[str]:
    return [f"group {i + 1}" for i in range(int(group.max()) + 1)]


def _described(fig: go.Figure, alt: str, caption: str) -> go.Figure:
    return fig.update_layout(meta=dict(alt=alt, caption=caption))


def stability_plot(groups: Groups) -> go.Figure:
    """Draw silhouette and stability over the number of groups."""
    fig, around = go.Figure(), groups.agreement.std(axis=0)
    for values, spread, name, colour in (
        (groups.stability, around, "stability", BLUE),
        (groups.silhouette, None, "silhouette", ORANGE),
    ):
        fig.add_scatter(
            x=groups.counts, y=values, mode="lines+markers", name=name, line=dict(color=colour),
            error_y=None if spread is None else dict(type="data", array=spread, thickness=1.2, width=4, color=colour),
            hovertemplate=f"%{{x}} groups: {name} <b>%{{y:.2f}}</b><extra></extra>",
        )  # fmt: skip
    fig.add_hline(
        y=STABLE, line=dict(color=MUTED, dash="dash"), annotation=dict(text="stable above", font_size=12),
        annotation_position="bottom right",
    )  # fmt: skip
    low = min(0.0, float(groups.silhouette.min()), float((groups.stability - around).min()))
    fig.update_xaxes(title_text="number of groups", dtick=1)
    fig.update_yaxes(title_text="stability, silhouette", range=[low - 0.05, 1.08])
    best = groups.at(groups.proposed)
    return finish(
        fig, height=360,
        alt=f"The silhouette is largest for {groups.proposed} groups, {number(float(groups.silhouette[best]), 2)}; the "
        f"stability there is {number(float(groups.stability[best]), 2)}.",
        caption="Stability: how alike groups of two random subsamples are on shared rows. 1 is equal, 0 is chance; "
        "bars are one standard deviation. Silhouette: how much nearer rows are to their own group than to the next.",
    )  # fmt: skip


def unusual_plot(unusual: Unusual, ids: Sequence[Any] | None = None) -> go.Figure:
    """Draw a histogram of the scores of a one-class support vector machine."""
    outside = unusual.score < 0
    step = float(np.ptp(unusual.score)) / 40 or 1.0
    fig = go.Figure()
    for mine, name, colour in (
        (outside, "outside", ORANGE), (~outside, "inside or on the border", BLUE)
    ):  # fmt: skip
        fig.add_histogram(
            x=unusual.score[mine], name=name, marker=dict(color=colour, line_width=0),
            xbins=dict(start=step * np.floor(unusual.score.min() / step), end=unusual.score.max() + step, size=step),
            hovertemplate="%{x}: <b>%{y}</b> rows<extra></extra>",
        )  # fmt: skip
    fig.add_vline(x=0.0, line=dict(color=MUTED, width=2, dash="dash"))
    fig.update_layout(barmode="stack", bargap=0.03)
    fig.update_xaxes(title_text="score, below 0 outside the border")
    fig.update_yaxes(title_text="rows")
    worst = int(np.argmin(unusual.score))
    named = str(worst) if ids is None else escape(ids[worst])
    return finish(
        fig, height=360,
        alt=f"{int(outside.sum())} of {len(outside)} rows lie outside the border. The most unusual row is {named}.",
        caption="One machine learns a border around most rows. Its ν bounds the share of rows outside. A row with a "
        "low score is unlike the other rows by this kernel; it need not be an error.",
    )  # fmt: skip
