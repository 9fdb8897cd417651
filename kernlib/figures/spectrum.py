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
from .frames import series_frames
from .marks import GUIDE, above, across, axis, bars, line, log_axis, note, points, present, upright
from .theme import (
    BLUE,
    GOLD,
    GREEN,
    KEYED,
    MUTED,
    ORANGE,
    PURPLE,
    TITLED,
    class_colour,
    class_names,
    class_symbol,
    composed,
    escape,
    faint,
    lean,
    row_labels,
)

#: What colours mean on the page Spectrum, where blue and orange are classes: what the first d directions carry, the
#: leave-one-out error, and the true signal. Noise is grey.
INFORMATION, LEFT_OUT, TRUTH = PURPLE, GREEN, GOLD
#: Directions up to the cut that do not rise above the floor: of the colour of information, fainter.
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
    traces = []
    for name, chosen, colour in (("positive", values > tolerance, BLUE), ("negative", values < -tolerance, ORANGE)):
        if chosen.any():
            style: Trace = dict(mode="lines+markers", marker=dict(color=colour, size=5))
            tip = "l<sub>%{x}</sub> = <b>%{customdata:.4g}</b>"
            more = style | dict(customdata=lean(values[chosen]), tip=tip)
            traces.append(line(j[chosen], lean(size[chosen]), name, colour, 1.5, **more))
    rule, words = upright(cut + 0.5, f"d̂ = {cut}") if cut is not None else ({}, [])
    negative, zero = int((values < -tolerance).sum()), int((size <= tolerance).sum())
    return composed(
        traces,
        dict(
            xaxis=axis("direction j"),
            yaxis=axis("|eigenvalue l<sub>j</sub>|") | log_axis(size[size > tolerance]),
            shapes=[rule] if rule else [],
            annotations=words,
        ),
        height=320,
        margin=KEYED,
        alt=f"{n} eigenvalues falling from {number(values[0]) if n else '–'} to {number(values[-1]) if n else '–'}; "
        f"{negative} negative, {zero} zero to rounding.",
        caption="The faster the eigenvalues fall, the fewer directions the kernel really uses. Negative ones mean "
        f"that it is not positive semi-definite. {zero} are zero to rounding and are left out.",
    )


def coefficient_plot(rd: Cut, most: int | None = None, d: int | None = None, cut: bool = True) -> go.Figure:
    """Draw the label coefficients |s_i|, the cut d̂, and the two components: the typical size on each side of it.

    Look for large coefficients on the left that stand out of an even floor of noise on the right.
    Parameters: `most` how many directions are in view, None for all; `d` marks another dimension; `cut` whether d̂ is
    known: it needs all directions.
    """
    size, view = _coefficient_sizes(rd, most)
    traces = _coefficient_traces(rd, view, cut)
    part = "" if view == len(size) else f", the first {view} of {len(size):,}"
    shapes, notes = [], []
    caption = "Each bar is the part of the labels along one direction of kernel PCA. The cut needs all directions."
    alt = f"Sizes of the first {view} label coefficients."
    if cut:
        rule, words = upright(rd.dimension + 0.5, f"d̂ = {rd.dimension}")
        shapes, notes = [rule], words
        if isinstance(rd, RelevantDimension):
            floor = float(np.sqrt(rd.floor))
            shapes.append(across(floor, dash="dot"))
            notes.append(note("floor", 1, floor, 11, xref="x domain", xanchor="right", yref="y", yanchor="bottom"))
        caption = (
            "Each bar is the part of the labels along one direction of kernel PCA. Noise exceeds the floor in 1% of "
            "directions. Solid lines are the typical sizes of the labels and of the noise, before and after the cut d̂."
        )
        alt = (
            f"Sizes of {len(size)} label coefficients; the first {rd.dimension} have root mean square "
            f"{number(_typical(rd)[0])}, the others {number(_typical(rd)[1])}."
        )
        key = [
            f'<span style="color:{trace["marker"]["color"]}">■</span> {trace["name"]}'
            for trace in traces
            if trace["type"] == "bar"
        ]
        notes.append(above("   ".join(key), right=True))
    mark = None if d is None else cut_mark(rd, d)
    return composed(
        traces if mark is None else [*traces, mark],
        dict(
            xaxis=axis(f"direction i{part}", range=[0.4, view + 0.6]),
            yaxis=axis("coefficient |s<sub>i</sub>|", range=[0, _coefficient_top(size)]),
            bargap=0.15,
            shapes=shapes,
            annotations=notes,
        ),
        height=360,
        legend=False,
        margin=TITLED | dict(t=30, b=58),
        alt=alt,
        caption=caption,
    )


def _coefficient_traces(rd: Cut, view: int, cut: bool = True) -> list[Trace]:
    """Return the bars of the first directions, and with a `cut` the typical size on each side of it."""
    size = _coefficient_sizes(rd)[0][:view]
    i = np.arange(1, len(size) + 1)
    names, groups = ("|s<sub>i</sub>|",) * 3, np.zeros(len(size), dtype=np.intp)
    if cut:  # a direction rises above the floor, does not, or is noise
        groups = np.where(i <= rd.dimension, 0, 2)
        names = ("information, i ≤ d̂", "", "noise, i > d̂")
        if isinstance(rd, RelevantDimension):
            groups[: rd.dimension][~rd.rises[: len(size)]] = 1
            names = (f"above the floor ({rd.rising})", f"below it ({rd.dimension - rd.rising})", names[2])
    tip = "i = %{x}<br>|s<sub>i</sub>| = <b>%{y:.4g}</b>"
    traces = [
        bars(i[groups == k], lean(size[groups == k]), name, colour, showlegend=False, tip=tip)
        for k, (name, colour) in enumerate(zip(names, (INFORMATION, _SUNK, "#9aa5b1"), strict=True))
        if (groups == k).any()
    ]
    if not cut:
        return traces
    middle = min(rd.dimension, view) + 0.5
    more: Trace = dict(showlegend=False, meta=dict(decoration=True))
    more["tip"] = "typical size (root mean square) = <b>%{y:.4g}</b>"
    first, rest = _typical(rd)
    return [
        *traces,
        line([0.5, middle], [first, first], "typical size", INFORMATION, 2.5, **more),
        line([middle, view + 0.5], [rest, rest], "typical size", MUTED, 2.5, **more),
    ]


def _typical(rd: Cut) -> tuple[float, float]:
    """Return the root mean square of the coefficients before and after the cut."""
    first, rest = np.split(rd.energy, [rd.dimension])
    return float(np.sqrt(first.mean())), float(np.sqrt(rest.mean())) if len(rest) else 0.0


def cut_mark(rd: Cut, d: int) -> dict[str, Any] | None:
    """Return the line behind the first d directions in `coefficient_plot`; None at d̂, which has a line of its own."""
    if d == rd.dimension:
        return None
    top = _coefficient_top(_coefficient_sizes(rd)[0])
    words = dict(mode="lines+text", text=["", f"d = {d}", ""], textposition="middle right")
    return present([d + 0.5] * 3, [0.0, 0.9 * top, top], **words, textfont=dict(size=12, color=ORANGE))


def _coefficient_sizes(rd: Cut, most: int | None = None) -> tuple[Array, int]:
    """Return |s_i| of the directions that are known, (r,), and how many of them are in view."""
    size = np.sqrt(rd.energy[: len(rd.coefficients)])  # with landmarks, the remaining directions share one mean
    return size, len(size) if most is None else min(max(most, rd.dimension + 1), len(size))


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
    scene = Rebuilt.of(rd) if scene is None else scene
    up, misfit = scene.at(rd, cut)
    low, high = scene.range
    given, key = "Grey is the given label.", None
    if (codes := scene.codes) is not None:
        given = "Lines are the given labels." if scene.two else "Below 0 another class has the larger label."
        key = class_key(codes, classes or list(range(len(scene.colours))))
    count = int(misfit.sum())
    outside = " Values beyond the axis stand at its edge." if ((up <= low) | (up >= high)).any() else ""
    across = escape(column) if scene.over_column else f"rows by {'y' if codes is None else 'class'}"
    return composed(
        scene.traces(rd, cut, classes, ids),
        dict(
            xaxis=axis(across, range=list(scene.ends), zeroline=False),
            yaxis=axis(scene.title, range=[low, high], zeroline=codes is not None),
            annotations=[key] if key else [],
        ),
        height=360,
        legend=False,
        margin=TITLED | dict(t=30, b=58),
        alt=f"The labels of {len(up)} rows from {cut} directions; {count} misfit.",
        caption=f"Each point is a row: its label as the first {cut} directions rebuild it. {given} "
        + (f"Ringed: {count} of {len(up)} rows misfit.{outside}" if count else f"No row misfits.{outside}"),
    )


class Rebuilt:
    """Places and scale of the picture of rebuilt labels, the same for all d and all kernels of the same labels."""

    def __init__(
        self, targets: Array, codes: NDArray[np.intp] | None, count: int, rows: RowNumbers | None, x: ArrayLike | None
    ) -> None:
        self.over_column = x is not None
        self.rows = np.arange(len(targets)) if rows is None else np.asarray(rows)
        self.codes = None if codes is None else codes[self.rows]
        self.two = targets.ndim == 1
        self.y = targets[self.rows] if self.codes is None or self.two else np.ones(len(self.rows))
        self.colours = [INFORMATION] if codes is None else [class_colour(c) for c in range(count)]
        self.title = "label ŷ" if self.codes is None or self.two else "ŷ of its class less the best other"
        if x is None:
            self.across = np.empty(len(self.rows))
            sorted_by = self.y if self.codes is None else self.codes
            self.across[np.argsort(sorted_by, kind="stable")] = np.arange(len(self.rows))
        else:
            self.across = np.asarray(x, dtype=np.float64)
        low, high = float(self.across.min()), float(self.across.max())
        self.ends = (low - 0.02 * (high - low or 1.0), high + 0.02 * (high - low or 1.0))
        low, high = float(targets.min()), float(targets.max())
        room = 0.2 * (high - low) or 1.0
        self.range = (low - room, high + room) if codes is None else (-1.6, 1.6)

    @classmethod
    def of(cls, rd: Cut, rows: RowNumbers | None = None, x: ArrayLike | None = None) -> Rebuilt:
        """Return the picture of the labels of a cut: `rows` drawn, by default all, at `x` or at their rank."""
        known = rd.labels.classes
        return cls(rd.targets, rd.labels.codes, 0 if known is None else len(known), rows, x)

    def at(self, rd: Cut, d: int) -> tuple[Array, NDArray[np.bool_]]:
        """Return the height of each row with d directions, within the axis, and whether it misfits."""
        up = rd.denoised_at(d) if self.codes is None or self.two else rd.margin_at(d)
        return np.clip(up[self.rows], *self.range), np.isin(self.rows, rd.disputed_at(d))

    def traces(self, rd: Cut, d: int, classes: Sequence[Any] = (), ids: Sequence[Any] | None = None) -> list[Trace]:
        """Return the given labels, the rows with the labels that d directions give them, and rings at misfits."""
        up, misfit = self.at(rd, d)
        labels, size = row_labels(ids, len(up)), 7 if len(up) <= 300 else 5
        traces = self._given()
        for c, colour in enumerate(self.colours):
            members = np.arange(len(up)) if self.codes is None else np.flatnonzero(self.codes == c)
            name = class_names(classes)[c] if self.codes is not None and len(classes) else "ŷ"
            more: Trace = dict(hovertext=labels[members], customdata=members.astype(np.int32)[:, None])
            more |= dict(showlegend=False, tip="%{hovertext}<br>ŷ = <b>%{y:.4g}</b><extra>" + name + "</extra>")
            x, y = lean(self.across[members]), lean(up[members])
            symbol = None if self.codes is None else class_symbol(c)
            trace = points(x, y, name, colour, size, symbol, marker=dict(opacity=0.85), **more)
            traces.append(trace | dict(type="scattergl" if len(up) > 2000 else "scatter"))
        if misfit.any():
            ring = (MUTED, size + 6, "circle-open")
            place = lean(self.across[misfit]), lean(up[misfit])
            edge = dict(line=dict(width=2))
            traces.append(points(*place, "misfit", *ring, marker=edge, showlegend=False, **GUIDE))
        return traces

    def _given(self) -> list[Trace]:
        """Return the given labels: a line over the rows of each class, or points of real labels."""
        name, aside = "given label", dict(showlegend=False, **GUIDE)
        if self.codes is None:
            order = np.argsort(self.across)
            place = lean(self.across[order]), lean(self.y[order])
            return [points(*place, name, MUTED, 4, marker=dict(opacity=0.7), **aside)]
        lines = []
        for code in np.unique(self.codes) if self.two else ():
            ends, height = self.across[self.codes == code], float(self.y[self.codes == code][0])
            lines.append(line([ends.min() - 0.5, ends.max() + 0.5], [height] * 2, name, MUTED, 1.5, **aside))
        return lines


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
        top = float(_coefficient_sizes(rd)[0].max())
        rule = line([rd.dimension + 0.5] * 2, [0.0, top], "", MUTED, dash="dash")
        return cls(
            [*_coefficient_traces(rd, view), rule] if view else [],
            scene.traces(rd, kept),
            f"{'' if d else f'd̂ = {kept}, '}{_rebuilt_words(rd, kept)}",
        )


def _rebuilt_words(rd: Cut, d: int) -> str:
    """Return how many labels the first d directions do not rebuild, as text."""
    if rd.labels.task == "regression":
        return f"{percent(rd.noise_share_at(d))} of the variance of y not rebuilt"
    misfits = len(rd.disputed_at(d))
    share = f", {percent(rd.noise_share_at(d))}" if misfits else ""
    return f"{misfits:,} of {len(rd.eigenvectors):,} rows misfit{share}"


def coefficient_frames(
    figure: str, frames: Sequence[CutFrame | None], rd: RelevantDimension, view: int
) -> dict[str, Any]:
    """Return the frames of `coefficient_plot` of a cut for the browser, in its axes; `view` directions are shown."""
    traces = [None if frame is None else frame.coefficients for frame in frames]
    size = _coefficient_sizes(rd)[0]
    return series_frames(figure, traces, dict(range=[0.4, view + 0.6]), dict(range=[0.0, _coefficient_top(size)]))


def rebuilt_frames(figure: str, scene: Rebuilt, frames: Sequence[CutFrame | None]) -> dict[str, Any]:
    """Return the frames of `rebuilt_labels` for the browser."""
    traces = [None if frame is None else frame.rebuilt for frame in frames]
    return series_frames(figure, traces, dict(range=scene.ends), dict(range=scene.range))


def likelihood_plot(
    rd: RelevantDimension,
    loo: RelevantDimensionLOO | None = None,
    band: PermutationBand | None = None,
    most: int | None = None,
) -> go.Figure:
    """Draw −log ℓ(d) over the dimension with its minimum and its plausible range: a sharp minimum is a reliable cut.

    The axis is scaled to the minimum and cuts off the first spike. Parameters: `loo` adds the leave-one-out error
    over the same d; `band` the minimum that one in twenty shuffles of the labels reaches; `most` the largest d in view,
    None for all.
    """
    layout: dict[str, dict[str, Any]] = dict(xaxis={}, yaxis={})
    if loo is not None:
        layout = dict(
            xaxis=dict(matches="x2", showticklabels=False),
            yaxis=dict(domain=[0.54, 1.0]),
            xaxis2=dict(anchor="y2"),
            yaxis2=dict(domain=[0.0, 0.46], anchor="x2"),
        )
    last = len(rd.neg_log_likelihood)
    view = last if most is None else min(max(most, rd.dimension + 1, 2), last)
    curve = np.where(rd.candidates, rd.neg_log_likelihood, np.nan)
    ends = _valley(curve[:view])
    layout["yaxis"] |= axis("misfit, −log ℓ(d)", range=ends)
    traces = _curve(curve, rd.dimension, "−log ℓ", INFORMATION)
    if loo is not None:
        traces += _curve(loo.loo_error, loo.dimension, "leave-one-out error", LEFT_OUT, "2")
        # Late dimensions fit single rows, with errors beyond that of one direction; the minimum must stay visible.
        start = float(loo.loo_error[0])
        useful = np.minimum(loo.loo_error[: max(view, loo.dimension)], 1.5 * start if start > 0 else np.inf)
        layout["yaxis2"] |= axis("leave-one-out error", range=_valley(useful))
    for name in [name for name in layout if name.startswith("xaxis")]:
        layout[name]["range"] = [1 - 0.01 * view, view + 0.01 * view]
    layout["xaxis" if loo is None else "xaxis2"] |= axis("dimension d")
    low, high = rd.plausible
    area = dict(type="rect", xref="x", yref="paper", x0=low - 0.5, x1=high + 0.5, y0=0, y1=1, layer="below")
    shapes = [area | dict(fillcolor=faint(INFORMATION), line=dict(width=0))]
    verdict, notes = "", []
    if band is not None:
        verdict = f" {band.verdict}"
        if band.threshold < ends[1]:  # else it would flatten the minimum
            shapes.append(across(band.threshold, dash="dot"))
            layout["yaxis"]["range"] = [min(ends[0], band.threshold - 0.05 * (ends[1] - ends[0])), ends[1]]
        else:
            notes.append(above(f"↑ shuffled labels: from {number(band.threshold)}", right=True))
    part = "" if view == last else f" Dimensions up to {view} of {last} are in view."
    return composed(
        traces,
        layout | dict(shapes=shapes, annotations=notes),
        height=340 if loo is None else 400,
        margin=KEYED | dict(l=90),
        alt=f"−log ℓ over the dimension, smallest at d = {rd.dimension} with {number(rd.minimum)}"
        + ("" if loo is None else f"; leave-one-out error smallest at d = {loo.dimension}")
        + f".{verdict}",
        caption="The smallest −log ℓ is the relevant dimension d̂, the best cut between information and noise. "
        f"Shaded: d from {low} to {high} are plausible at 95%. Values far above the minimum are cut off.{verdict}"
        + ("" if loo is None else " The leave-one-out error asks which d predicts best.")
        + part,
    )


def _valley(curve: Array) -> list[float]:
    """Return the ends of an axis from the lowest point to three times the way to the median, at most the whole."""
    known = curve[np.isfinite(curve)]
    low, middle, top = (float(v) for v in np.quantile(known, [0, 0.5, 1]))
    end = min(top, low + 3 * (middle - low)) if middle > low else top
    span = (end - low) or abs(low) or 1.0
    return [low - 0.08 * span, low + 1.08 * span]


def _curve(values: NDArray[Any], best: int, name: str, colour: str, panel: str = "") -> list[Trace]:
    here = dict(xaxis=f"x{panel}", yaxis=f"y{panel}")
    star = points([best], [float(values[best - 1])], f"minimum, d = {best}", colour, 12, "star", showlegend=True)
    star["marker"]["line"] = dict(color=MUTED, width=1)
    star["hovertemplate"] = f"d̂ = <b>%{{x}}</b><br>{name} = %{{y:.5g}}<extra></extra>"
    tip = "d = %{x}<br>" + name + " = <b>%{y:.5g}</b>"
    return [line(np.arange(1, len(values) + 1), lean(values), name, colour, tip=tip) | here, star | here]


def signal_and_noise_plot(signal: ArrayLike, noise: ArrayLike) -> go.Figure:
    """Draw the coefficients of the true signal and of the noise, on one scale.

    Parameters: `signal` |U'G| and `noise` |U'ε|, (n,), of which the first 60 directions are in view.
    """
    s, e = (lean(np.asarray(values)[:60]) for values in (signal, noise))
    i, tip = np.arange(1, len(s) + 1), "i = %{x}: <b>%{y:.4g}</b>"
    return composed(
        [
            bars(i, s, "signal |u<sub>i</sub>′G|", TRUTH, tip=tip),
            points(i, e, "noise |u<sub>i</sub>′ε|", MUTED, 6, tip=tip),
        ],
        dict(xaxis=axis("direction i"), yaxis=axis("coefficient", rangemode="tozero")),
        height=400,
        margin=KEYED | dict(l=90),
        alt=f"Coefficients of the true signal and of the noise along {len(s)} directions.",
        caption="A kernel that suits the signal puts it into the first directions; the noise spreads over all "
        "directions.",
    )
