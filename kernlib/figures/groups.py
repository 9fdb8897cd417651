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
from .data import pca_scatter
from .gram import gram_heatmap
from .marks import across, axis, line, mark, note, up
from .theme import BLUE, ORANGE, composed, escape


def grouped_gram(K: ArrayLike, codes: ArrayLike, ids: Sequence[Any] | None = None) -> go.Figure:
    """Draw a Gram matrix with its rows in the order of their groups, (n,) codes."""
    group = np.asarray(codes)
    fig = gram_heatmap(K, np.argsort(group, kind="stable"), group, _names(group), ids)
    sizes = ", ".join(map(str, np.bincount(group)))
    words = dict(
        alt=f"Gram matrix of {len(group)} rows in groups of {sizes} rows.",
        caption="Rows in the order of their groups. Groups are made from this matrix: bright blocks alone do not show "
        "that they are stable.",
    )
    return fig.update_layout(meta=words)


def grouped_plane(scores: KernelPCA, codes: ArrayLike, ids: Sequence[Any] | None = None) -> go.Figure:
    """Draw rows along two kernel PCA directions in the colours of their groups, (n,) codes."""
    group = np.asarray(codes)
    words = dict(
        alt=f"{len(group)} rows along two kernel PCA directions, in {group.max() + 1} groups.",
        caption="Each point is a row. Groups that lie apart here are apart in feature space. Others may differ in "
        "further directions.",
    )
    return pca_scatter(scores, group, _names(group), ids).update_layout(meta=words)


def _names(group: RowNumbers) -> list[str]:
    return [f"group {i + 1}" for i in range(int(group.max()) + 1)]


def stability_plot(groups: Groups) -> go.Figure:
    """Draw silhouette and stability over the number of groups."""
    spread = groups.agreement.std(axis=0)
    ends = dict(type="data", array=spread, thickness=1.2, width=4, color=BLUE)
    traces = [
        line(
            groups.counts,
            values,
            name,
            mode="lines+markers",
            line=dict(color=colour),
            error_y=error,
            tip=f"%{{x}} groups: {name} <b>%{{y:.2f}}</b>",
        )
        for values, name, colour, error in (
            (groups.stability, "stability", BLUE, ends),
            (groups.silhouette, "silhouette", ORANGE, None),
        )
    ]
    low = min(0.0, float(groups.silhouette.min()), float((groups.stability - spread).min()))
    best = groups.at(groups.proposed)
    return composed(
        traces,
        dict(
            xaxis=axis("number of groups", dtick=1),
            yaxis=axis("stability, silhouette", range=[low - 0.05, 1.08]),
            shapes=[across(STABLE, width=2, dash="dash")],
            annotations=[note("stable above", 1, STABLE, xref="x domain", xanchor="right", yanchor="top")],
        ),
        height=360,
        alt=f"The silhouette is largest for {groups.proposed} groups, {number(float(groups.silhouette[best]), 2)}; the "
        f"stability there is {number(float(groups.stability[best]), 2)}.",
        caption="Stability: how alike groups of two random subsamples are on shared rows. 1 is equal, 0 is chance; "
        "bars are one standard deviation. Silhouette: how much nearer rows are to their own group than to the next.",
    )


def unusual_plot(unusual: Unusual, ids: Sequence[Any] | None = None) -> go.Figure:
    """Draw a histogram of the scores of a one-class support vector machine."""
    score, outside = unusual.score, unusual.score < 0
    step = float(np.ptp(score)) / 40 or 1.0
    bins = dict(start=step * np.floor(score.min() / step), end=score.max() + step, size=step)
    traces = [
        mark(
            "histogram",
            name,
            "%{x}: <b>%{y}</b> rows",
            x=score[mine],
            marker=dict(color=colour, line=dict(width=0)),
            xbins=bins,
        )
        for mine, name, colour in ((outside, "outside", ORANGE), (~outside, "inside or on the border", BLUE))
    ]
    worst = int(np.argmin(score))
    named = str(worst) if ids is None else escape(ids[worst])
    return composed(
        traces,
        dict(
            barmode="stack",
            bargap=0.03,
            xaxis=axis("score, below 0 outside the border"),
            yaxis=axis("rows"),
            shapes=[up(0.0, width=2)],
        ),
        height=360,
        alt=f"{int(outside.sum())} of {len(outside)} rows lie outside the border. The most unusual row is {named}.",
        caption="One machine learns a border around most rows. Its ν bounds the share of rows outside. A row with a "
        "low score is unlike the other rows by this kernel; it need not be an error.",
    )
