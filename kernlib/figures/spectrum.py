"""Figures of a spectrum: eigenvalues, label coefficients, rebuilt labels, the relevant dimension, kernel PCA."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray

from ..analysis.gram import GramDiagnostics
from ..analysis.relevant import PermutationBand, RelevantDimension, RelevantDimensionLOO
from ..analysis.spectrum import Decomposition
from ..values.arrays import Array, RowNumbers
from ..values.words import number, percent
from .data import class_key
from .frames import figure_frames, moving
from .marks import GUIDE, above, across, bars, colour_words, line, log_axis, note, points, present, row_points, up
from .theme import (
    BLUE,
    GOLD,
    GREEN,
    MUTED,
    ORANGE,
    PURPLE,
    axis,
    class_colour,
    class_words,
    composed,
    escape,
    faint,
)

#: What colours mean on the page Spectrum, where blue and orange are classes: what the first d directions carry, the
#: leave-one-out error, and the true signal. Noise is grey.
INFORMATION, LEFT_OUT, TRUTH = PURPLE, GREEN, GOLD
#: Directions up to the cut that do not rise above the noise: of the colour of information, fainter.
_SUNK = faint(INFORMATION, 0.4)
#: The estimates of the relevant dimension.
Cut = RelevantDimension | RelevantDimensionLOO
#: One trace of a figure.
Trace = dict[str, Any]


def eigenvalue_plot(spectrum: Decomposition | GramDiagnostics | ArrayLike, cut: int | None = None) -> go.Figure:
    """Draw the sizes of eigenvalues, descending, on a log axis: look for their decay and for negative ones.

    Parameters: `spectrum` a decomposition, diagnostics, or eigenvalues (n,); `cut` marks a dimension d̂.
    """
    values = np.sort(np.asarray(getattr(spectrum, "eigenvalues", spectrum), dtype=np.float64))[::-1]
    n, size, j = len(values), np.abs(values), np.arange(1, len(values) + 1)
    tolerance = n * np.finfo(float).eps * float(size.max(initial=0.0))
    tip = "l<sub>%{x}</sub> = <b>%{customdata:.4g}</b>"
    signs = (("positive", values > tolerance, BLUE), ("negative", values < -tolerance, ORANGE))
    traces = [
        line(j[at], size[at], name, colour, 1.5, dots=5, customdata=values[at], tip=tip)
        for name, at, colour in signs
        if at.any()
    ]
    negative, zero = int(signs[1][1].sum()), int((size <= tolerance).sum())
    return composed(
        traces,
        "direction j",
        axis("|eigenvalue l<sub>j</sub>|") | log_axis(size[size > tolerance]),
        over=[] if cut is None else up(cut + 0.5, f"d̂ = {cut}"),
        height=320,
        alt=f"{n} eigenvalues falling from {number(max(values, default=0.0))} to {number(min(values, default=0.0))}; "
        f"{negative} negative, {zero} zero to rounding.",
        caption="The faster the eigenvalues fall, the fewer directions the kernel really uses. Negative ones mean "
        f"that it is not positive semi-definite. {zero} are zero to rounding and are left out.",
    )


def coefficient_plot(
    rd: RelevantDimension, most: int | None = None, d: int | None = None, cut: bool = True
) -> go.Figure:
    """Draw the label coefficients |s_i|, the cut d̂, and the two components: the root mean square on each side of it.

    Look for large coefficients on the left that rise above the even noise on the right.
    Parameters: `most` how many directions are in view, None for all; `d` marks another dimension; `cut` whether d̂ is
    known: it needs all directions.
    """
    size = _coefficient_sizes(rd)
    view = len(size) if most is None else min(max(most, rd.dimension + 1), len(size))
    traces = _coefficient_traces(rd, view, cut)
    over: list[Trace] = []
    caption = "Each bar is the part of the labels along one direction of kernel PCA."
    if cut:
        shown = {kind: [trace for trace in traces if trace["type"] == kind] for kind in ("bar", "scatter")}
        bars_key = [(trace["marker"]["color"], "■", trace["name"]) for trace in shown["bar"]]
        lines_key = [(trace["line"]["color"], "━", trace["name"]) for trace in shown["scatter"]]
        over = [
            *up(rd.dimension + 0.5, f"d̂ = {rd.dimension}"),
            *across(float(np.sqrt(rd.floor)), "noise limit", dash="dot"),
            above(f"{colour_words(bars_key)}<br>{colour_words(lines_key)}"),
        ]
        caption += (
            " Noise exceeds the dotted limit in 1% of directions. Solid lines are the root mean squares of the labels "
            "and of the noise, before and after the cut d̂."
        )
    else:
        caption += " The cut needs all directions."
    mark = None if d is None else cut_mark(rd, d, view)
    part = "" if view == len(size) else f" ({view} of {len(size):,})"
    return composed(
        traces if mark is None else [*traces, mark],
        axis(f"direction i, widest first{part}", range=[0.4, view + 0.6]),
        axis("coefficient |s<sub>i</sub>|", range=[0, _coefficient_top(size)]),
        over=over,
        bargap=0.15,
        height=360,
        legend=False,
        margin=dict(t=46, b=58),
        alt=f"Sizes of the first {view} of {len(size)} label coefficients.",
        caption=caption,
    )


def _coefficient_traces(rd: RelevantDimension, view: int, cut: bool = True) -> list[Trace]:
    """Return the bars of the first directions, and with a `cut` the root mean square on each side of it."""
    size = _coefficient_sizes(rd)[:view]
    i = np.arange(1, len(size) + 1)
    groups = [("|s<sub>i</sub>|", INFORMATION, i > 0)]
    if cut:
        rises = np.isin(i, np.flatnonzero(rd.rises) + 1)
        groups = [
            (f"above the noise ({rd.rising})", INFORMATION, rises),
            (f"not above it ({rd.dimension - rd.rising})", _SUNK, ~rises & (i <= rd.dimension)),
            (f"beyond d̂ ({rd.rising_beyond} of {len(rd.energy) - rd.dimension:,} above)", "#9aa5b1", i > rd.dimension),
        ]
    tip = "i = %{x}<br>|s<sub>i</sub>| = <b>%{y:.4g}</b>"
    traces = [bars(i[at], size[at], name, colour, tip=tip) for name, colour, at in groups if at.any()]
    if not cut:
        return traces
    middle = min(rd.dimension, view) + 0.5
    first, rest = _typical(rd)
    more: Trace = dict(meta=dict(decoration=True), tip="root mean square = <b>%{y:.4g}</b>")
    return [
        *traces,
        line([0.5, middle], [first, first], "root mean square up to d̂", INFORMATION, 2.5, **more),
        line([middle, view + 0.5], [rest, rest], "root mean square beyond", MUTED, 2.5, **more),
    ]


def _typical(rd: RelevantDimension) -> tuple[float, float]:
    """Return the root mean square of the coefficients before and after the cut."""
    first, rest = np.split(rd.energy, [rd.dimension])
    return float(np.sqrt(first.mean())), float(np.sqrt(rest.mean())) if len(rest) else 0.0


def cut_mark(rd: RelevantDimension, d: int, view: int) -> dict[str, Any] | None:
    """Return the line behind the first d directions in `coefficient_plot`; None at d̂, which has a line of its own.

    Parameters: `view` the directions in view; near the last of them the words stand left of the line.
    """
    if d == rd.dimension:
        return None
    top, side = _coefficient_top(_coefficient_sizes(rd)), "left" if d > 0.85 * view else "right"
    words = dict(mode="lines+text", text=["", f"d = {d}", ""], textposition=f"middle {side}")
    return present([d + 0.5] * 3, [0.0, 0.9 * top, top], **words, textfont=dict(size=12, color=ORANGE))


def _coefficient_sizes(rd: RelevantDimension) -> Array:
    """Return |s_i| of the directions that are known, (r,): with landmarks, the remaining ones share one mean."""
    return np.asarray(np.sqrt(rd.energy[: len(rd.coefficients)]))


def _coefficient_top(size: Array) -> float:
    """Return the upper end of the axis of coefficients."""
    return 1.12 * max(float(size.max(initial=0.0)), 1e-300)


def rebuilt_labels(
    rd: Cut,
    scene: Rebuilt | None = None,
    d: int | None = None,
    classes: Sequence[Any] = (),
    ids: Sequence[Any] | None = None,
    column: str = "",
) -> go.Figure:
    """Draw the labels as the first d directions rebuild them, rows sorted by class; rows that misfit are ringed.

    Parameters: `scene` where the rows stand; `d` another dimension than d̂; `classes` names; `ids` of the rows drawn;
    `column` the name of what is across where that is a column.
    """
    cut = rd.dimension if d is None else d
    scene = scene or Rebuilt(rd)
    up, misfit = scene.at(rd, cut)
    low, high = scene.range
    over = list[Trace]()
    if (codes := scene.codes) is not None:
        over = class_key(codes, classes or scene.classes)
        sides = [
            (f"side of {escape(name, 16)}", class_colour(i))
            for i, name in enumerate(class_words(classes or scene.classes))
        ]
        over += _sides(sides if scene.two else [("another class", MUTED), ("its own class", "")], low, high)
    across = escape(column) if scene.over_column else f"rows, sorted by {'y' if codes is None else 'class'}"
    return composed(
        scene.traces(rd, cut, classes, ids),
        axis(across, range=list(scene.ends), zeroline=False, showticklabels=scene.over_column),
        axis(scene.title, range=[low, high], zeroline=codes is not None),
        over=over,
        height=360,
        legend=False,
        margin=dict(t=30, b=58),
        alt=f"The labels of {len(up)} rows from {cut} directions; {misfit.sum()} misfit.",
        caption=f"Each point is a row: its label as the first {cut} directions rebuild it, at most at the edge. "
        f"Ringed: {misfit.sum()} of {len(up)} rows misfit.",
    )


def _sides(sides: Sequence[tuple[str, str]], low: float, high: float) -> list[Trace]:
    """Return the ground below and above 0, in a colour each, and its words in the corners."""
    ground = dict(type="rect", xref="x domain", x0=0, x1=1, yref="y", layer="below", line=dict(width=0))
    corner, drawn = dict(xref="x domain", xanchor="left", xshift=6, yref="y"), []
    for (words, colour), edge, anchor in zip(sides, (low, high), ("bottom", "top"), strict=True):
        if colour:
            drawn.append(ground | dict(y0=0.0, y1=edge, fillcolor=faint(colour, 0.08)))
        drawn.append(note(words, 0, edge, yanchor=anchor, **corner))
    return drawn


class Rebuilt:
    """Places and scale of the picture of rebuilt labels, the same for all d and all kernels of the same labels.

    Parameters: `rows` drawn, by default all, at `x` or at their rank.
    """

    def __init__(self, rd: Cut, rows: RowNumbers | None = None, x: ArrayLike | None = None) -> None:
        targets, codes = rd.targets, rd.labels.codes
        self.over_column, self.two = x is not None, targets.ndim == 1
        self.rows = np.arange(len(targets)) if rows is None else np.asarray(rows)
        self.codes = None if codes is None else codes[self.rows]
        self.classes = () if rd.labels.classes is None else tuple(range(len(rd.labels.classes)))
        self.y = targets[self.rows] if self.two else np.ones(len(self.rows))
        self.title = "label rebuilt from d directions" if self.two else "lead of its class over the best other"
        sorted_by = self.y if self.codes is None else self.codes
        rank = np.argsort(np.argsort(sorted_by, kind="stable"))
        self.across = np.asarray(rank if x is None else x, dtype=np.float64)
        self.ends = _with_room(self.across, 0.02)
        self.range = _with_room(targets, 0.2) if codes is None else (-1.6, 1.6) if self.two else (-1.0, 1.6)

    def at(self, rd: Cut, d: int) -> tuple[Array, NDArray[np.bool_]]:
        """Return the height of each row with d directions, within the axis, and whether it misfits."""
        up = rd.denoised_at(d) if self.two else rd.margin_at(d)
        return np.clip(up[self.rows], *self.range), np.isin(self.rows, rd.disputed_at(d))

    def traces(self, rd: Cut, d: int, classes: Sequence[Any] = (), ids: Sequence[Any] | None = None) -> list[Trace]:
        """Return the rows with the labels that d directions give them, real given labels, and rings at misfits."""
        up, misfit = self.at(rd, d)
        tip = "%{hovertext}<br>ŷ = <b>%{y:.4g}</b>"
        drawn = row_points(self.across, up, self.codes, classes or self.classes, ids, tip)
        if self.codes is None:
            drawn[0]["marker"]["color"] = INFORMATION
            given = points(self.across, self.y, "given label", MUTED, 4, marker=dict(opacity=0.7), **GUIDE)
            drawn = [given, *drawn]
        place = self.across[misfit], up[misfit]
        size = drawn[-1]["marker"]["size"] + 6
        ring = points(*place, "misfit", MUTED, size, "circle-open", marker=dict(line=dict(width=2)), **GUIDE)
        return [*drawn, *([ring] if misfit.any() else [])]


def _with_room(values: Array, share: float) -> tuple[float, float]:
    """Return the ends of an axis with room on both sides of the values."""
    low, high = float(values.min()), float(values.max())
    room = share * (high - low or 1.0)
    return low - room, high + room


@dataclass(frozen=True, eq=False)
class CutFrame:
    """A cut as a frame of the slider: the traces of coefficients and of rebuilt labels, and what they show as text.

    `sentence` what a page says of the cut, "" where that is not known.
    """

    coefficients: list[Trace]
    rebuilt: list[Trace]
    words: str
    sentence: str = ""

    @classmethod
    def of(cls, rd: RelevantDimension, scene: Rebuilt, view: int, d: int | None = None) -> CutFrame:
        """Return the frame of a cut with its first d directions, by default d̂; `view` coefficients are drawn."""
        kept = min(d or rd.dimension, len(rd.coefficients))
        top = float(_coefficient_sizes(rd).max())
        rule = line([rd.dimension + 0.5] * 2, [0.0, top], "", MUTED, dash="dash")
        return cls(
            [*_coefficient_traces(rd, view), rule] if view else [],
            scene.traces(rd, kept),
            f"{'' if d else f'd̂ = {kept}, '}{_rebuilt_words(rd, kept)}",
        )


def _rebuilt_words(rd: Cut, d: int) -> str:
    """Return how many labels the first d directions do not rebuild, as text."""
    share = percent(rd.noise_share_at(d))
    if rd.labels.task == "regression":
        return f"{share} of the variance of y not rebuilt"
    misfits = len(rd.disputed_at(d))
    place = "on the wrong side" if rd.targets.ndim == 1 else "in a wrong class"
    return f"{misfits:,} of {len(rd.eigenvectors):,} rows {place}" + (f", {share}" if misfits else "")


def cut_frames(
    page: str, frames: Sequence[CutFrame | None], rd: RelevantDimension, scene: Rebuilt, view: int
) -> list[dict[str, Any]]:
    """Return the frames of `coefficient_plot` of a cut, and of `rebuilt_labels`, for the browser, in their axes.

    Parameters: `page` begins the keys of both figures; `view` directions are shown.
    """
    top = _coefficient_top(_coefficient_sizes(rd))
    pictures = (
        ("coefficients", [0.4, view + 0.6], [0.0, top]),
        ("rebuilt", list(scene.ends), list(scene.range)),
    )
    drawn: list[dict[str, Any]] = []
    for name, x, y in pictures:
        traces = [None if f is None else getattr(f, name) for f in frames]
        drawn.append(figure_frames(f"{page}-{name}", moving(traces, dict(range=x), dict(range=y))))
    return drawn


def likelihood_plot(rd: RelevantDimension, loo: RelevantDimensionLOO, band: PermutationBand, most: int) -> go.Figure:
    """Draw −log ℓ(d) over the dimension with its minimum and its plausible range: a sharp minimum is a reliable cut.

    The axis is scaled to the minimum and cuts off the first spike. Parameters: `loo` the leave-one-out error over the
    same d; `band` the minimum that one in twenty shuffles of the labels reaches; `most` the largest d in view.
    """
    last = len(rd.neg_log_likelihood)
    view = min(max(most, rd.dimension + 1, 2), last)
    curve = np.where(rd.candidates, rd.neg_log_likelihood, np.nan)
    bottom, top = _valley(curve[:view])
    low, high = rd.plausible
    area = dict(type="rect", xref="x", yref="paper", x0=low - 0.5, x1=high + 0.5, y0=0, y1=1, layer="below")
    over = [area | dict(fillcolor=faint(INFORMATION), line=dict(width=0))]
    over.append(note("plausible d", high + 0.4, 0.5, xref="x", xanchor="right", yref="paper", yanchor="middle"))
    if band.threshold < top:  # else it would flatten the minimum
        over += across(band.threshold, "5% of shuffled labels reach this", dash="dot")
        bottom = min(bottom, band.threshold - 0.05 * (top - bottom))
    else:
        over.append(above(f"↑ shuffled labels: from {number(band.threshold)}"))
    # Late dimensions fit single rows, with errors beyond that of one direction; the minimum must stay visible.
    start = float(loo.loo_error[0])
    useful = np.minimum(loo.loo_error[: max(view, loo.dimension)], 1.5 * start if start > 0 else np.inf)
    across_all = dict(range=[1 - 0.01 * view, view + 0.01 * view])
    return composed(
        [
            *_curve(curve, rd.dimension, "−log ℓ", INFORMATION),
            *_curve(loo.loo_error, loo.dimension, "leave-one-out squared error", LEFT_OUT, "2"),
        ],
        dict(matches="x2", showticklabels=False, **across_all),
        axis("misfit, −log ℓ(d)", domain=[0.54, 1.0], range=[bottom, top]),
        xaxis2=axis("dimension d", anchor="y2", **across_all),
        yaxis2=axis("squared error", domain=[0.0, 0.46], anchor="x2", range=_valley(useful)),
        over=over,
        height=400,
        margin=dict(l=90, b=100),
        alt=f"−log ℓ over the dimension, smallest at d = {rd.dimension} with {number(rd.minimum)}; leave-one-out error "
        f"smallest at d = {loo.dimension}. {band.verdict}",
        caption="The smallest −log ℓ is the relevant dimension d̂, the best cut between information and noise. "
        f"Shaded: d from {low} to {high} are plausible at 95%. Values far above the minimum are cut off. "
        f"{band.verdict} The leave-one-out error asks which d predicts best. In view: d up to {view} of {last}.",
    )


def _valley(curve: Array) -> list[float]:
    """Return the ends of an axis from the lowest point to three times the way to the median, at most the whole."""
    low, middle, top = (float(v) for v in np.nanquantile(curve, [0, 0.5, 1]))
    end = min(top, low + 3 * (middle - low)) if middle > low else top
    span = (end - low) or abs(low) or 1.0
    return [low - 0.08 * span, low + 1.08 * span]


def _curve(values: NDArray[Any], best: int, name: str, colour: str, panel: str = "") -> list[Trace]:
    here = dict(xaxis=f"x{panel}", yaxis=f"y{panel}")
    star = points(
        [best],
        [float(values[best - 1])],
        f"minimum, d = {best}",
        colour,
        12,
        "star",
        marker=dict(line=dict(color=MUTED, width=1)),
        tip=f"d̂ = <b>%{{x}}</b><br>{name} = %{{y:.5g}}",
    )
    tip = "d = %{x}<br>" + name + " = <b>%{y:.5g}</b>"
    return [line(np.arange(1, len(values) + 1), values, name, colour, tip=tip) | here, star | here]


def signal_and_noise_plot(signal: ArrayLike, noise: ArrayLike) -> go.Figure:
    """Draw the coefficients of the true signal and of the noise, on one scale.

    Parameters: `signal` |U'G| and `noise` |U'ε|, (n,), of which the first 60 directions are in view.
    """
    s, e = (np.asarray(values)[:60] for values in (signal, noise))
    i, tip = np.arange(1, len(s) + 1), "i = %{x}: <b>%{y:.4g}</b>"
    return composed(
        [
            bars(i, s, "signal |u<sub>i</sub>′G|", TRUTH, tip=tip),
            points(i, e, "noise |u<sub>i</sub>′ε|", MUTED, 6, tip=tip),
        ],
        "direction i",
        axis("coefficient", rangemode="tozero"),
        height=400,
        alt=f"Coefficients of the true signal and of the noise along {len(s)} directions.",
        caption="A kernel that suits the signal puts it into the first directions; the noise spreads over all "
        "directions.",
    )
