"""Figures of the labs: points and lines on fixed axes, which a moving slider draws again in the browser."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from ..labs.asymptotic import Asymptotic, OfRows, envelope
from ..values.arrays import Array
from .theme import BLUE, MUTED, ORANGE, composed


@dataclass(frozen=True, eq=False)
class Moving:
    """A figure for each stop of a slider: the traces of each on common axes, with one caption."""

    traces: Sequence[Sequence[Mapping[str, Any]] | None]
    xaxis: Mapping[str, Any]
    yaxis: Mapping[str, Any]
    alt: str
    caption: str

    def at(self, place: int) -> go.Figure:
        """Return the figure of a stop."""
        traces = [dict(trace) for trace in self.traces[place] or ()]
        return composed(
            traces, dict(xaxis=dict(self.xaxis), yaxis=dict(self.yaxis)), alt=self.alt, caption=self.caption, height=420
        )


def _line(x: Any, y: Any, name: str, colour: str = BLUE, dash: bool = False) -> dict[str, Any]:
    """Return the trace of a line."""
    style = dict(color=colour, width=2) | (dict(dash="dash") if dash else {})
    return dict(type="scatter", x=np.asarray(x), y=np.asarray(y), mode="lines", name=name, line=style)


def _dots(x: Any, y: Any, name: str, colour: str = BLUE, **more: Any) -> dict[str, Any]:
    """Return the trace of single points."""
    style = dict(color=colour, size=8)
    return dict(type="scatter", x=np.asarray(x), y=np.asarray(y), mode="markers", name=name, marker=style, **more)


def _log_range(*values: Array, low: float) -> list[float]:
    every = np.concatenate([np.ravel(v) for v in values])
    every = every[every > low]
    return [float(np.log10(low)), float(np.log10(every.max(initial=10 * low))) + 0.15]


#: Values below are beyond the picture.
_FLOOR = 1e-6


def eigenvalue_figure(stops: Sequence[OfRows], truth: Asymptotic) -> Moving:
    """Draw the eigenvalues of each number of rows on those of infinitely many."""
    i = np.arange(1, len(truth.eigenvalues) + 1)
    name = "true λ" if truth.known else "all rows"
    y = dict(
        type="log", title=dict(text="eigenvalue"), exponentformat="power", dtick=1,
        range=_log_range(truth.eigenvalues, *(s.eigenvalues for s in stops), low=_FLOOR),
    )  # fmt: skip
    return Moving(
        [[_line(i, truth.eigenvalues, name, MUTED), _dots(i[: len(s.eigenvalues)], s.eigenvalues, "l of n rows")]
         for s in stops],
        dict(title=dict(text="direction i"), range=[0.3, len(i) + 0.7]), y,
        alt=f"The leading {len(i)} eigenvalues of n rows beside {name}.",
        caption=f"Points: eigenvalues of K/n; line: {name}. [R] bounds their distance by λ C(r, n) + E(r, n).",
    )  # fmt: skip


def coefficient_figure(stops: Sequence[OfRows], truth: Asymptotic) -> Moving:
    """Draw the coefficients of the target of each number of rows on their limits, with the noise and the bound."""
    i = np.arange(1, len(truth.coefficients) + 1)
    name = "true |σ|" if truth.known else "all rows"
    frames = []
    for s in stops:
        j = i[: len(s.information)]
        traces = [_line(i, np.maximum(truth.coefficients, _FLOOR), name, MUTED)]
        bound = envelope(s, truth)
        if bound is not None:
            traces.append(_line(j, bound, "bound 2 l a<sub>r</sub> c", ORANGE, dash=True))
        if s.noise is not None:
            traces.append(_dots(j, s.noise, "noise |u′ε|/√n", MUTED))
        traces.append(_dots(j, s.information, "|u′G|/√n" if truth.known else "|u′Y|/√n"))
        frames.append(traces)
    top = [s.information for s in stops] + ([] if truth.size is None else [2 * truth.size * truth.eigenvalues])
    return Moving(
        frames,
        dict(title=dict(text="direction i"), range=[0.3, len(i) + 0.7]),
        dict(
            type="log", title=dict(text="coefficient over √n"), exponentformat="power", dtick=1,
            range=_log_range(truth.coefficients, *top, low=1e-4),
        ),
        alt="Label coefficients of n rows beside their limits.",
        caption="Points approach the line of their limits; noise is spread evenly over all directions. "
        + ("The dashed bound is the leading term of [R]'s theorem; its other terms have no printed constants."
           if truth.size is not None else "No true spectrum is known here: all rows stand in for it."),
    )  # fmt: skip
