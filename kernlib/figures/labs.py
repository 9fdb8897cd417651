"""Figures of the labs: points and lines on fixed axes, which a moving slider draws again in the browser."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from ..labs.asymptotic import Asymptotic, OfRows, leading_term, whole_bound
from ..labs.rarity import RECALL, Rates
from ..values.arrays import Array
from .frames import moving
from .marks import equal_line, line, log_axis, points, present
from .theme import BLUE, GREEN, MUTED, ORANGE, PINK, axis, composed

#: A figure for each stop of a slider, None where one is not known.
Stops = list[go.Figure]


def _log_axis(text: str, values: Iterable[Array], low: float) -> dict[str, Any]:
    """Return a logarithmic axis from `low` to a little above the largest value."""
    top = max(10 * low, *(float(np.max(v)) for v in values))
    return axis(text, type="log", dtick=1, range=[float(np.log10(low)), float(np.log10(top)) + 0.15])


#: Values below are beyond the picture.
_FLOOR = 1e-6


def eigenvalue_figure(stops: Sequence[OfRows], truth: Asymptotic) -> Stops:
    """Draw the eigenvalues of each number of rows on those of infinitely many."""
    i = np.arange(1, len(truth.eigenvalues) + 1)
    name = "all rows" if truth.constants is None else "true λ"
    return moving(
        [
            [line(i, truth.eigenvalues, name, MUTED), points(i[: len(s.eigenvalues)], s.eigenvalues, "l of n rows")]
            for s in stops
        ],
        axis("direction i", range=[0.3, len(i) + 0.7]),
        _log_axis("eigenvalue", [truth.eigenvalues, *(s.eigenvalues for s in stops)], _FLOOR),
        alt=f"The leading {len(i)} eigenvalues of n rows beside {name}.",
        caption=f"Points: eigenvalues of K/n; line: {name}. [R] bounds their distance by λ C(r, n) + E(r, n).",
    )


def coefficient_figure(stops: Sequence[OfRows], truth: Asymptotic) -> Stops:
    """Draw the coefficients of the target of each number of rows on their limits, with the noise and the bound."""
    i = np.arange(1, len(truth.coefficients) + 1)
    constants = truth.constants
    name = "true |σ|" if constants is not None else "all rows"
    frames, top = [], list[Array]()
    for s in stops:
        j = i[: len(s.information)]
        traces = [line(i, np.maximum(truth.coefficients, _FLOOR), name, MUTED)]
        top.append(s.information)
        if constants is not None:
            bounds = leading_term(s, constants), whole_bound(s, constants)
            top += bounds
            traces.append(line(j, bounds[0], "bound, leading term", ORANGE, dash="dash"))
            traces.append(line(j, bounds[1], "bound, all terms", ORANGE))
        if s.noise is not None:
            traces.append(points(j, s.noise, "noise |u′ε|/√n", MUTED))
        traces.append(points(j, s.information, "|u′Y|/√n" if constants is None else "|u′G|/√n"))
        frames.append(traces)
    return moving(
        frames,
        axis("direction i", range=[0.3, len(i) + 0.7]),
        _log_axis("coefficient over √n", [truth.coefficients, *top], 1e-4),
        alt="Label coefficients of n rows beside their limits.",
        caption="Points approach the line of their limits. No true spectrum is known here: all rows stand in for it."
        if constants is None
        else "Dashed: the leading term 2 l a c of [R]'s bound; solid: all its terms at the best r. "
        "c, the size of the cluster of eigenvalues around l, is 1, as are the factors O(…).",
    )


_COLOURS = (BLUE, ORANGE, GREEN, PINK, MUTED)


def measured_figure(
    stops: Sequence[float],
    known: Mapping[Any, Mapping[str, float]],
    names: Sequence[str],
    at: float,
    xaxis: str,
    log: bool,
    caption: str,
    measured: str = "error",
) -> go.Figure:
    """Draw errors, or what else is `measured`, over the known stops of a slider, with a line at the present one."""
    traces = []
    for name, colour in zip(names, _COLOURS, strict=False):
        here = [v for v in stops if name in known.get(v, {})]
        y = 100 * np.array([known[v][name] for v in here])
        traces.append(line(here, y, name, colour, dots=7, tip=f"%{{x:.3g}}: %{{y:.1f}}%<extra>{name}</extra>"))
    return composed(
        [*traces, stop_mark(known, names, at)],
        axis(xaxis) | (log_axis(stops) if log else {}),
        axis(f"{measured} (%)", range=_measured_range(known, names)),
        alt=f"{measured[0].upper()}{measured[1:]} over {xaxis}: {', '.join(names)}.",
        caption=caption,
    )


def stop_mark(known: Mapping[Any, Mapping[str, float]], names: Sequence[str], at: float) -> dict[str, Any]:
    """Return the line at the slider's stop in `measured_figure`."""
    return present([at, at], _measured_range(known, names))


def _measured_range(known: Mapping[Any, Mapping[str, float]], names: Sequence[str]) -> list[float]:
    every = [100 * known[v][name] for v in known for name in names if name in known[v]]
    return [-1, max(5.0, 1.1 * max(every, default=50.0))]


def against_figure(names: Sequence[str], kernel: Sequence[float], powers: Sequence[Sequence[float] | None]) -> Stops:
    """Draw one point a problem: the error of the kernel across, that of its power up.

    Parameters: errors of the `kernel` by problem, and of its `powers` by stop, None where they are not known yet.
    """
    x = 100 * np.array(kernel)
    every = np.concatenate([x, *(100 * np.array(y) for y in powers if y is not None)])
    top = 1.08 * float(every.max(initial=10.0))
    sides = ["top left" if v > 0.75 * top else "top center" for v in x]  # names stay inside a narrow figure
    written = dict(mode="markers+text", text=list(names), textposition=sides)

    def problems(y: Sequence[float]) -> list[dict[str, Any]]:
        problem = points(x, 100 * np.array(y), "problem", tip="%{text}: %{x:.1f} → %{y:.1f}%", **written)
        return [equal_line([0, top], "equal"), problem]

    return moving(
        [None if y is None else problems(y) for y in powers],
        axis("test error of the kernel (%)", range=[0, top]),
        axis("test error of its power (%)", range=[0, top]),
        alt=f"One point for each of {len(names)} problems.",
        caption="Each point is a problem: below the dashed line the power has the smaller error. [O] draws ROC scores "
        "of protein families this way.",
    )


def prevalence_figures(found: Rates, stops: Sequence[float]) -> tuple[Stops, Stops]:
    """Draw ROC, which no prevalence changes, and precision over recall, which follows it."""
    place = found.at_recall(RECALL)
    unit = dict(range=[-0.02, 1.02], tickformat=".0%")

    def curve(x: Array, y: Array, guessing: list[float], first: int = 0) -> list[dict[str, Any]]:
        return [
            line([0, 1], guessing, "guessing", MUTED, dash="dash"),
            line(x[first:], y[first:], "thresholds"),
            points([x[place]], [y[place]], "recall of 80%", ORANGE),
        ]

    roc = [curve(found.alarms, found.hits, [0, 1]) for _ in stops]
    precision = [curve(found.hits, found.precision(share), [share, share], 1) for share in stops]
    recall = "share of the rarer class that is found"
    return (
        moving(
            roc,
            unit | axis("false alarms among other rows"),
            unit | axis(recall),
            alt="ROC curve of the test rows.",
            caption="Both axes are shares within one class: the sizes of the classes change nothing.",
        ),
        moving(
            precision,
            unit | axis(recall),
            unit | axis("share of right alarms"),
            alt="Precision over recall of the test rows.",
            caption="The share of right alarms follows the share π of the rarer class. "
            "It is π h / (π h + (1 − π) a) at hits h and false alarms a.",
        ),
    )


def leak_figures(chosen: Array, honest: Array, guessing: float, stops: Sequence[int]) -> tuple[Stops, Stops]:
    """Draw the errors of the kernels tried so far as a histogram, and the best one over their number.

    Parameters: `chosen` test errors of the kernels; `honest` errors, on other rows, of the best of the first k by them;
    `guessing` the error of always predicting the larger class.
    """
    unit = 100 * float(np.diff(np.unique(chosen)).min(initial=0.05))  # bars of one test row each have no gaps
    edges = np.arange(-unit / 2, 100 + unit, unit)
    counts = [np.histogram(100 * chosen[:k], edges)[0] for k in stops]
    best = 100 * np.minimum.accumulate(chosen)
    tries = np.arange(1, len(chosen) + 1)
    top, chance = float(np.max(counts)) + 1, 100 * guessing
    tried, reported = [], []
    errors = 100 * np.array([chosen.min(), chosen.max(), honest.min(), honest.max(), guessing])
    seen = [max(0.0, float(errors.min()) - 5), min(100.0, float(errors.max()) + 5)]
    for k, count in zip(stops, counts, strict=True):
        # Steps as a line: the browser draws lines while the slider moves.
        x, y = np.repeat(edges, 2)[1:-1], np.repeat(count, 2)
        least = [best[k - 1]]
        tried.append(
            [
                line([chance] * 2, [0, top], "guessing", MUTED, dash="dash"),
                line(x, y, "kernels tried"),
                points(least, count[np.digitize(least, edges[:-1]) - 1], "best", ORANGE),
            ]
        )
        reported.append(
            [
                line([0, len(chosen) + 1], [chance] * 2, "guessing", MUTED, dash="dash"),
                # The lower line is wider: both are seen while they agree, and their ends while there is one kernel.
                line(tries[:k], best[:k], "error that is reported", BLUE, 6),
                line(tries[:k], 100 * honest[:k], "the same kernel on other rows", ORANGE),
                points([k], least, "reported", BLUE, 14, showlegend=False),
                points([k], 100 * honest[k - 1 : k], "on other rows", ORANGE, showlegend=False),
            ]
        )
    return (
        moving(
            tried,
            axis("error on the test rows (%)", range=seen),
            axis("kernels", range=[0, top]),
            alt="Histogram of the errors of the kernels tried.",
            caption="All kernels are tried on the same test rows. The point is the error that the best one reports. "
            "Guessing always predicts the larger class.",
        ),
        moving(
            reported,
            axis("kernels tried", range=[0, len(chosen) + 1]),
            axis("error (%)", range=seen),
            alt="Error of the best kernel over the number tried.",
            caption="The smallest of more errors is smaller. On rows that chose nothing, the same kernel guesses.",
        ),
    )
