"""Figures of kernels on several data sets: improvement over the first kernel, and mean ranks."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

from ..advice import ROPE, SETS_TITLE, page, sets_sections
from ..values.words import percent
from .axes import named_places
from .lecture import figure_html
from .theme import BLUE, FAINT, MUTED, class_colour, composed, escape

if TYPE_CHECKING:
    from ..advice import MultiComparison, OnSet

#: Larger losses are cut: one set where the first kernel has an error near 0 would hide the others.
_CUT = -1.0


def improvement_bars(state: MultiComparison) -> go.Figure:
    """Draw the improvement of each kernel over the first, a group of bars for each set, as in [K] figure 3.1.

    A whisker is one standard deviation of the splits. Bars below −100 % are cut.
    """
    shown = [one for one in state.sets if one.errors.size and not one.problem]
    labels = [f"{escape(one.title, 26)}{'' if one.complete else ' …'}" for one in shown]
    gains = [one.improvements for one in shown]
    traces: list[dict[str, Any]] = []
    for place, name in list(enumerate(state.names))[1:]:
        values = np.array([gain[place].value for gain in gains])
        spreads = np.array([gain[place].spread for gain in gains])
        traces.append(
            dict(
                type="bar", name=escape(name, 50), x=np.arange(len(shown)), y=np.maximum(values, _CUT),
                marker=dict(color=class_colour(place - 1)),
                error_y=dict(type="data", array=np.nan_to_num(spreads), thickness=1.5, width=4, color=MUTED),
                hovertext=[_hover(one, state.names, place) for one in shown],
                hovertemplate="%{hovertext}<extra></extra>",
            )
        )  # fmt: skip
    drawn = [value for trace in traces for value in trace["y"] if math.isfinite(value)]
    low, high = min([0.0, *drawn]), max([0.1, *drawn])
    pad = 0.25 * (high - low)
    layout: dict[str, Any] = dict(
        barmode="group",
        yaxis=dict(
            title=dict(text=f"improvement over {escape(state.names[0], 40)}"), tickformat=".0%", zeroline=True,
            range=[max(_CUT, low - pad), min(1.05, high + pad)],
        ),
        xaxis=named_places(labels),
    )  # fmt: skip
    best = [int(np.argmin(one.errors[:, np.isfinite(one.errors).all(axis=0)].mean(axis=1))) for one in shown]
    counts = ", ".join(f"{escape(name, 40)} on {best.count(place)}" for place, name in enumerate(state.names))
    return composed(
        traces, layout, height=420, legend=True, margin=dict(l=70, b=110),
        alt=f"Improvement over {escape(state.names[0], 60)} on {len(shown)} sets. The smallest error has {counts}.",
        caption=f"A bar is the share of {escape(state.names[0], 60)}'s error that a kernel avoids, below 0 what it "
        "adds. A whisker is one standard deviation over the splits. Look for kernels whose bars are positive on most "
        "sets.",
    )  # fmt: skip


def _hover(one: OnSet, names: tuple[str, ...], place: int) -> str:
    gain, errors = one.improvements[place], np.nanmean(one.errors, axis=1)
    band = "" if math.isnan(gain.low) else f"<br>95% interval {percent(gain.low)} to {percent(gain.high)}"
    own, first = one.in_words(errors[place]), one.in_words(errors[0])
    return (
        f"{escape(one.title)}, {one.n} rows<br>{escape(names[place], 60)}: {one.measure} {own}, "
        f"{escape(names[0], 40)} {first}<br>improvement <b>{percent(gain.value)}</b>{band}"
    )


def rank_lines(state: MultiComparison) -> go.Figure:
    """Draw the mean rank of each kernel, the best first, and the critical difference from the best as a band.

    Small points are the ranks on single sets. Without two complete sets the figure is empty.
    """
    ranks = state.ranks
    order = [] if ranks is None else [int(place) for place in np.argsort(ranks.ranks, kind="stable")]
    names = [escape(state.names[place], 44) for place in order]
    traces: list[dict[str, Any]] = []
    shapes: list[dict[str, Any]] = []
    means = "No mean ranks yet: they need two complete sets."
    if ranks is not None:
        titles = [escape(one.title) for one in state.compared]
        traces.append(
            dict(
                type="scatter", mode="markers", name="rank on one set",
                x=np.concatenate([ranks.table[:, place] for place in order]),
                y=np.repeat(np.arange(len(order)), ranks.sets) + 0.22, marker=dict(size=6, color=MUTED, opacity=0.5),
                hovertext=titles * len(order), hovertemplate="%{hovertext}: rank %{x}<extra></extra>",
            )
        )  # fmt: skip
        worse = [place in ranks.worse for place in order]
        traces.append(
            dict(
                type="scatter", mode="markers", name="mean rank", x=ranks.ranks[order], y=np.arange(len(order)),
                marker=dict(size=14, color=BLUE, symbol=["circle-open" if w else "circle" for w in worse],
                            line=dict(width=2)),
                hovertext=names, hovertemplate="%{hovertext}<br>mean rank <b>%{x:.3g}</b><extra></extra>",
            )
        )  # fmt: skip
        low = float(ranks.ranks.min())
        shapes.append(
            dict(type="rect", x0=low, x1=low + ranks.critical_difference, y0=0, y1=1, yref="paper", fillcolor=FAINT,
                 line=dict(width=0), layer="below")
        )  # fmt: skip
        means = "; ".join(f"{name} {ranks.ranks[place]:.2f}" for name, place in zip(names, order, strict=True))
        means = (
            f"Mean ranks over {ranks.sets} sets: {means}. The critical difference is {ranks.critical_difference:.2f}."
        )
    layout: dict[str, Any] = dict(
        shapes=shapes,
        xaxis=dict(
            title=dict(text="mean rank, 1 is best"), range=[0.8, len(state.names) + 0.2], dtick=1, zeroline=False
        ),
        yaxis=dict(
            tickvals=list(range(len(order))), ticktext=[f"{name} " for name in names], zeroline=False, ticks="",
            range=[max(1, len(order)) - 0.4, -0.6], showgrid=False, automargin=True,
        ),
    )  # fmt: skip
    return composed(
        traces, layout, height=max(240, 130 + 44 * len(order)), legend=True, margin=dict(b=90), alt=means,
        caption="Each kernel's rank, averaged over the sets; small points are single sets. The shaded band is the "
        "critical difference from the best (Nemenyi, 95%). Hollow points beyond it are significantly worse, if "
        "Friedman's test says that any differ.",
    )  # fmt: skip


def sets_page(state: MultiComparison, script: str = "", rope: float = ROPE) -> str:
    """Return the report of a comparison on several sets as one HTML page; parameters as in `sets_sections`."""
    figures = figure_html(improvement_bars(state), "improvement")
    if state.ranks is not None:
        figures += figure_html(rank_lines(state), "ranks", library=False)
    return page(SETS_TITLE, sets_sections(state, script, rope), figures)
