"""Figures of a spectrum: eigenvalues, label coefficients, rebuilt labels, the relevant dimension, kernel PCA."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray

from ..analysis.gram import GramDiagnostics
from ..analysis.relevant import LOW_DIMENSION, LOW_NOISE, PermutationBand, RelevantDimension, RelevantDimensionLOO
from ..analysis.spectrum import Decomposition, KernelPCA
from ..values.arrays import Array, RowNumbers
from ..values.words import number, percent
from .axes import log_axis
from .frames import series_frames
from .overview import class_key
from .theme import (
    BLUE,
    GOLD,
    GREEN,
    KEYED,
    MUTED,
    ORANGE,
    PURPLE,
    SEQUENTIAL,
    TITLED,
    above,
    class_colour,
    class_names,
    class_symbol,
    colour_bar,
    composed,
    dotted,
    escape,
    faint,
    lean,
    panels,
    read_classes,
    row_labels,
    upright,
)

#: What colours mean on the page Spectrum, where blue and orange are classes: what the first d directions carry, the
#: leave-one-out error, and the true signal. Noise is grey.
INFORMATION, LEFT_OUT, TRUTH = PURPLE, GREEN, GOLD
#: Directions up to the cut that do not rise above the floor: of the colour of information, fainter.
_SUNK = faint(INFORMATION, 0.4)
#: One published or own data set: name, relevant dimension, noise.
Point = tuple[str, float, float]


def eigenvalue_plot(spectrum: Decomposition | GramDiagnostics | ArrayLike, cut: int | None = None) -> go.Figure:
    """Draw the sizes of eigenvalues, descending, on a log axis: look for their decay and for negative ones.

    Parameters: `spectrum` a decomposition, diagnostics, or eigenvalues (n,); `cut` marks a dimension d̂.
    """
    eigenvalues = spectrum.eigenvalues if isinstance(spectrum, Decomposition | GramDiagnostics) else spectrum
    values = np.sort(np.asarray(eigenvalues, dtype=np.float64))[::-1]
    n = len(values)
    tolerance = n * np.finfo(float).eps * float(np.abs(values).max(initial=0.0))
    j = np.arange(1, n + 1)
    traces = [
        dict(
            type="scatter",
            x=j[chosen],
            y=lean(np.abs(values[chosen])),
            customdata=lean(values[chosen]),
            name=name,
            mode="lines+markers" if n <= 200 else "lines",
            line=dict(color=colour, width=1.5),
            marker=dict(color=colour, size=5),
            hovertemplate="l<sub>%{x}</sub> = <b>%{customdata:.4g}</b><extra></extra>",
        )
        for name, chosen, colour in _by_sign(values, tolerance)
        if chosen.any() and colour != MUTED
    ]
    layout: dict[str, Any] = dict(
        xaxis=dict(title=dict(text="direction j")),
        yaxis=dict(title=dict(text="|eigenvalue l<sub>j</sub>|"))
        | log_axis(np.abs(values[np.abs(values) > tolerance])),
    )
    if cut is not None:
        line, words = upright(cut + 0.5, f"d̂ = {cut}")
        layout |= dict(shapes=[line], annotations=words)
    negative, zero = int((values < -tolerance).sum()), int((np.abs(values) <= tolerance).sum())
    return composed(
        traces,
        layout,
        height=320,
        margin=KEYED,
        alt=f"{n} eigenvalues falling from {number(values[0]) if n else '–'} to {number(values[-1]) if n else '–'}; "
        f"{negative} negative, {zero} zero to rounding.",
        caption="The faster the eigenvalues fall, the fewer directions the kernel really uses. Negative ones mean "
        "that it is not positive semi-definite."
        + (f" {zero} that are zero to rounding are left out of the log axis." if zero else ""),
    )


def _by_sign(values: Array, tolerance: float) -> list[tuple[str, NDArray[np.bool_], str]]:
    """Return eigenvalues in three groups with their colours: (name, which, colour); zero up to the tolerance."""
    return [
        ("positive", values > tolerance, BLUE),
        ("zero to rounding", np.abs(values) <= tolerance, MUTED),
        ("negative", values < -tolerance, ORANGE),
    ]


def coefficient_plot(
    rd: RelevantDimension | RelevantDimensionLOO, most: int | None = None, d: int | None = None, cut: bool = True
) -> go.Figure:
    """Draw the label coefficients |s_i|, the cut d̂, and the two components: the typical size on each side of it.

    Look for large coefficients on the left that stand out of an even floor of noise on the right.
    Parameters: `most` how many directions are in view, None for all; `d` marks another dimension; `cut` whether d̂ is
    known: it needs all directions.
    """
    size, view = _coefficient_sizes(rd, most)
    traces = _coefficient_traces(rd, view, cut)
    part = "" if view == len(size) else f", the first {view} of {len(size):,}"
    layout: dict[str, Any] = dict(
        xaxis=dict(title=dict(text=f"direction i{part}"), range=[0.4, view + 0.6]),
        yaxis=dict(title=dict(text="coefficient |s<sub>i</sub>|"), range=[0, _coefficient_top(size)]),
        bargap=0.15,
        shapes=[],
        annotations=[],
    )
    caption = "Each bar is the part of the labels along one direction of kernel PCA. The cut needs all directions."
    alt = f"Sizes of the first {view} label coefficients."
    if cut:
        _mark(layout, rd.dimension, f"d̂ = {rd.dimension}")
        if isinstance(rd, RelevantDimension):
            floor = float(np.sqrt(rd.floor))
            layout["shapes"].append(dotted(floor))
            at = dict(x=1, xref="x domain", xanchor="right", y=floor, yref="y", yanchor="bottom", showarrow=False)
            layout["annotations"].append(at | dict(text="floor", font=dict(size=11)))
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
        layout["annotations"].append(above("   ".join(key), None, right=True))
    if d is not None and d != rd.dimension:
        _mark(layout, d, f"d = {d}", ORANGE)
    return composed(
        traces, layout, height=360, legend=False, margin=TITLED | dict(t=30, b=58), alt=alt, caption=caption
    )


def _coefficient_traces(
    rd: RelevantDimension | RelevantDimensionLOO, view: int, cut: bool = True
) -> list[dict[str, Any]]:
    """Return the bars of the first directions, and with a `cut` the typical size on each side of it."""
    size, i = _coefficient_sizes(rd)[0][:view], np.arange(1, view + 1)
    groups = _coefficient_groups(rd, len(size)) if cut else np.zeros(len(size), dtype=np.intp)
    names = _group_names(rd) if cut else ("|s<sub>i</sub>|",) * 3
    tip = "i = %{x}<br>|s<sub>i</sub>| = <b>%{y:.4g}</b><extra></extra>"
    traces: list[dict[str, Any]] = [
        dict(
            type="bar",
            x=i[: len(size)][groups == k],
            y=lean(size[groups == k]),
            name=name,
            showlegend=False,
            marker=dict(color=colour, line=dict(width=0)),
            hovertemplate=tip,
        )
        for k, (name, colour) in enumerate(zip(names, _COEFFICIENT_COLOURS, strict=True))
        if (groups == k).any()
    ]
    if not cut:
        return traces
    middle = min(rd.dimension, view) + 0.5
    sides = ((0.5, middle, INFORMATION), (middle, view + 0.5, MUTED))
    for s, (start, end, colour) in zip(_typical(rd), sides, strict=True):
        traces.append(
            dict(
                type="scatter",
                x=[start, end],
                y=[s, s],
                mode="lines",
                name="typical size",
                showlegend=False,
                line=dict(color=colour, width=2.5),
                meta=dict(decoration=True),
                hovertemplate="typical size (root mean square) = <b>%{y:.4g}</b><extra></extra>",
            )
        )
    return traces


def _typical(rd: RelevantDimension | RelevantDimensionLOO) -> tuple[float, float]:
    """Return the root mean square of the coefficients before and after the cut."""
    first, rest = np.split(rd.energy, [rd.dimension])
    return float(np.sqrt(first.mean())), float(np.sqrt(rest.mean())) if len(rest) else 0.0


def _mark(layout: dict[str, Any], d: int, words: str, colour: str = "") -> None:
    """Add an upright line behind the first d directions; another one than d̂ in a colour, its words lower."""
    style: dict[str, Any] = dict(y=0.94, font=dict(size=12, color=colour)) if colour else {}
    line, annotations = upright(d + 0.5, words, **style)
    layout["shapes"].append(line | (dict(line=dict(color=colour, width=2)) if colour else {}))
    layout["annotations"] += annotations


#: Colours of `_coefficient_groups`.
_COEFFICIENT_COLOURS = (INFORMATION, _SUNK, "#9aa5b1")


def _coefficient_sizes(rd: RelevantDimension | RelevantDimensionLOO, most: int | None = None) -> tuple[Array, int]:
    """Return |s_i| of the directions that are known, (r,), and how many of them are in view."""
    size = np.sqrt(rd.energy[: len(rd.coefficients)])  # with landmarks, the remaining directions share one mean
    return size, len(size) if most is None else min(max(most, rd.dimension + 1), len(size))


def _coefficient_top(size: Array) -> float:
    """Return the upper end of the axis of coefficients."""
    return 1.12 * max(float(size.max(initial=0.0)), 1e-300)


def _coefficient_groups(rd: RelevantDimension | RelevantDimensionLOO, view: int) -> NDArray[np.intp]:
    """Return the group of each of the first directions, (view,): 0 rises above the floor, 1 does not, 2 is noise."""
    groups = np.where(np.arange(view) < rd.dimension, 0, 2)
    if isinstance(rd, RelevantDimension):
        groups[: rd.dimension][~rd.rises[:view]] = 1
    return groups


def _group_names(rd: RelevantDimension | RelevantDimensionLOO) -> tuple[str, str, str]:
    if isinstance(rd, RelevantDimension):
        return f"above the floor ({rd.rising})", f"below it ({rd.dimension - rd.rising})", "noise, i > d̂"
    return "information, i ≤ d̂", "", "noise, i > d̂"


def rebuilt_labels(
    rd: RelevantDimension | RelevantDimensionLOO,
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
    codes = scene.codes
    traces = scene.traces(rd, cut, classes, ids)
    low, high = scene.range
    layout: dict[str, Any] = dict(
        xaxis=dict(
            title=dict(text=escape(column) if scene.over_column else f"rows by {'y' if codes is None else 'class'}"),
            range=list(scene.ends),
            zeroline=False,
        ),
        yaxis=dict(title=dict(text=scene.title), range=[low, high], zeroline=codes is not None),
    )
    if codes is not None and (key := class_key(codes, classes or list(range(len(scene.colours))), None)) is not None:
        layout["annotations"] = [key]
    count = int(misfit.sum())
    outside = " Values beyond the axis stand at its edge." if ((up <= low) | (up >= high)).any() else ""
    given = (
        "Grey is the given label."
        if codes is None
        else ("Lines are the given labels." if scene.two else "Below 0 another class has the larger label.")
    )
    return composed(
        traces,
        layout,
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
    def of(
        cls,
        rd: RelevantDimension | RelevantDimensionLOO,
        rows: RowNumbers | None = None,
        x: ArrayLike | None = None,
    ) -> Rebuilt:
        """Return the picture of the labels of a cut: `rows` drawn, by default all, at `x` or at their rank."""
        known = rd.labels.classes
        return cls(rd.targets, rd.labels.codes, 0 if known is None else len(known), rows, x)

    def at(self, rd: RelevantDimension | RelevantDimensionLOO, d: int) -> tuple[Array, NDArray[np.bool_]]:
        """Return the height of each row with d directions, within the axis, and whether it misfits."""
        up = rd.denoised_at(d) if self.codes is None or self.two else rd.margin_at(d)
        return np.clip(up[self.rows], *self.range), np.isin(self.rows, rd.disputed_at(d))

    def traces(
        self,
        rd: RelevantDimension | RelevantDimensionLOO,
        d: int,
        classes: Sequence[Any] = (),
        ids: Sequence[Any] | None = None,
    ) -> list[dict[str, Any]]:
        """Return the given labels, the rows with the labels that d directions give them, and rings at misfits."""
        up, misfit = self.at(rd, d)
        names, size = row_labels(ids, len(up)), 7 if len(up) <= 300 else 5
        traces = self._given()
        for c, colour in enumerate(self.colours):
            members = np.arange(len(up)) if self.codes is None else np.flatnonzero(self.codes == c)
            name = class_names(classes)[c] if self.codes is not None and len(classes) else "ŷ"
            traces.append(
                dict(
                    type="scattergl" if len(up) > 2000 else "scatter",
                    x=lean(self.across[members]),
                    y=lean(up[members]),
                    mode="markers",
                    name=name,
                    hovertext=names[members],
                    showlegend=False,
                    customdata=members.astype(np.int32)[:, None],
                    marker=dict(color=colour, size=size, opacity=0.85),
                    hovertemplate="%{hovertext}<br>ŷ = <b>%{y:.4g}</b><extra>" + name + "</extra>",
                )
            )
        if misfit.any():
            marker = dict(symbol="circle-open", size=size + 6, color=MUTED, line=dict(width=2))
            traces.append(
                dict(
                    type="scatter",
                    x=lean(self.across[misfit]),
                    y=lean(up[misfit]),
                    mode="markers",
                    name="misfit",
                    hoverinfo="skip",
                    showlegend=False,
                    marker=marker,
                    meta=dict(decoration=True),
                )
            )
        return traces

    def _given(self) -> list[dict[str, Any]]:
        """Return the given labels: a line over the rows of each class, or points of real labels."""
        common = dict(
            type="scatter", showlegend=False, hoverinfo="skip", name="given label", meta=dict(decoration=True)
        )
        if self.codes is None:
            order = np.argsort(self.across)
            marker = dict(color=MUTED, size=4, opacity=0.7)
            return [common | dict(x=lean(self.across[order]), y=lean(self.y[order]), mode="markers", marker=marker)]
        lines = []
        for code in np.unique(self.codes) if self.two else ():
            ends = self.across[self.codes == code]
            height = float(self.y[self.codes == code][0])
            line = dict(color=MUTED, width=1.5)
            lines.append(common | dict(x=[ends.min() - 0.5, ends.max() + 0.5], y=[height] * 2, mode="lines", line=line))
        return lines


@dataclass(frozen=True, eq=False)
class CutFrame:
    """A cut as a frame of the slider: the traces of coefficients and of rebuilt labels, and what they show as text.

    `sentence` what a page says of the cut, "" where that is not known.
    """

    coefficients: list[dict[str, Any]]
    rebuilt: list[dict[str, Any]]
    words: str
    sentence: str = ""

    @classmethod
    def of(cls, rd: RelevantDimension, scene: Rebuilt, view: int, d: int | None = None) -> CutFrame:
        """Return the frame of a cut with its first d directions, by default d̂; `view` coefficients are drawn."""
        kept = min(d or rd.dimension, len(rd.coefficients))
        top = float(_coefficient_sizes(rd)[0].max())
        line = dict(x=[rd.dimension + 0.5] * 2, y=[0.0, top], mode="lines", line=dict(color=MUTED, dash="dash"))
        return cls(
            [*_coefficient_traces(rd, view), line] if view else [],
            scene.traces(rd, kept),
            f"{'' if d else f'd̂ = {kept}, '}{_rebuilt_words(rd, kept)}",
        )


def _rebuilt_words(rd: RelevantDimension | RelevantDimensionLOO, d: int) -> str:
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
    d: int | None = None,
) -> go.Figure:
    """Draw −log ℓ(d) over the dimension with its minimum and its plausible range: a sharp minimum is a reliable cut.

    The axis is scaled to the minimum and cuts off the first spike. Parameters: `loo` adds the leave-one-out error
    over the same d; `band` the minimum that one in twenty shuffles of the labels reaches; `most` the largest d in view,
    None for all; `d` marks another dimension.
    """
    layout = panels(1 if loo is None else 2, 1, shared_xaxes=True, vertical_spacing=0.08)
    last = len(rd.neg_log_likelihood)
    view = last if most is None else min(max(most, rd.dimension + 1, 2), last)
    curve = np.where(rd.candidates, rd.neg_log_likelihood, np.nan)
    ends, cut_off = _valley(curve[:view])
    layout["yaxis"] |= dict(title=dict(text="misfit, −log ℓ(d)"), range=ends)
    traces = _curve(curve, rd.dimension, "−log ℓ", INFORMATION)
    if loo is not None:
        traces += _curve(loo.loo_error, loo.dimension, "leave-one-out error", LEFT_OUT, "2")
        # Late dimensions fit single rows, with errors beyond that of one direction; the minimum must stay visible.
        start = float(loo.loo_error[0])
        useful = np.minimum(loo.loo_error[: max(view, loo.dimension)], 1.5 * start if start > 0 else np.inf)
        below, _ = _valley(useful)
        cut_off |= float(loo.loo_error[:view].max()) > below[1]
        layout["yaxis2"] |= dict(title=dict(text="leave-one-out error"), range=below)
    for name in [name for name in layout if name.startswith("xaxis")]:
        layout[name]["range"] = [1 - 0.01 * view, view + 0.01 * view]
    layout["xaxis" if loo is None else "xaxis2"]["title"] = dict(text="dimension d")
    low, high = rd.plausible
    layout["shapes"] = [
        dict(
            type="rect",
            xref="x",
            yref="paper",
            x0=low - 0.5,
            x1=high + 0.5,
            y0=0,
            y1=1,
            layer="below",
            fillcolor=faint(INFORMATION),
            line=dict(width=0),
        )
    ]
    verdict = ""
    if band is not None:
        verdict = f" {band.verdict}"
        level = band.threshold
        if level < ends[1]:  # else it would flatten the minimum
            layout["shapes"].append(dotted(level))
            layout["yaxis"]["range"] = [min(ends[0], level - 0.05 * (ends[1] - ends[0])), ends[1]]
            note = dict(x=1, xref="x domain", xanchor="right", y=level, yref="y", yanchor="top", showarrow=False)
            layout["annotations"] = [note | dict(text="1 in 20 shuffles of the labels", font=dict(size=11))]
        else:
            layout["annotations"] = [above(f"↑ shuffled labels: from {number(level)}", right=True)]
    if d is not None and d != rd.dimension:
        line, words = upright(d, f"d = {d}")
        layout["shapes"].append(line | dict(yref="paper"))
        layout["annotations"] = [*layout.get("annotations", ()), *words]
    part = "" if rd.candidates[:view].all() else " Gaps: there the first d directions hold less than the others."
    part += (" Values far above the minima are cut off." if cut_off else "") + (
        "" if view == last else f" Dimensions up to {view} of {last} are in view."
    )
    return composed(
        traces,
        layout,
        height=340 if loo is None else 400,
        margin=KEYED | dict(l=90),
        alt=f"−log ℓ over the dimension, smallest at d = {rd.dimension} with {number(rd.minimum)}"
        + ("" if loo is None else f"; leave-one-out error smallest at d = {loo.dimension}")
        + f".{verdict}",
        caption="The smallest −log ℓ is the relevant dimension d̂, the best cut between information and noise. "
        f"Shaded: d from {low} to {high} are plausible at 95%.{verdict}"
        + ("" if loo is None else " The leave-one-out error asks which d predicts best.")
        + part,
    )


def _valley(curve: Array) -> tuple[list[float], bool]:
    """Return the ends of an axis from the lowest point to three times the way to the median, at most the whole curve,
    and whether it cuts off a part."""
    known = curve[np.isfinite(curve)]
    low, middle, top = (float(v) for v in np.quantile(known, [0, 0.5, 1]))
    end = min(top, low + 3 * (middle - low)) if middle > low else top
    span = (end - low) or abs(low) or 1.0
    return [low - 0.08 * span, low + 1.08 * span], end < top


def _curve(values: NDArray[Any], best: int, name: str, colour: str, panel: str = "") -> list[dict[str, Any]]:
    here = dict(type="scatter", xaxis=f"x{panel}", yaxis=f"y{panel}")
    return [
        dict(
            x=np.arange(1, len(values) + 1),
            y=lean(values),
            name=name,
            mode="lines",
            line=dict(color=colour, width=2),
            **here,
            hovertemplate="d = %{x}<br>" + name + " = <b>%{y:.5g}</b><extra></extra>",
        ),
        dict(
            x=[best],
            y=[float(values[best - 1])],
            name=f"minimum, d = {best}",
            mode="markers",
            **here,
            marker=dict(color=colour, size=12, symbol="star", line=dict(color=MUTED, width=1)),
            showlegend=True,
            hovertemplate="d̂ = <b>%{x}</b><br>" + name + " = %{y:.5g}<extra></extra>",
        ),
    ]


def signal_and_noise_plot(signal: ArrayLike, noise: ArrayLike, most: int = 60) -> go.Figure:
    """Draw the coefficients of the true signal above those of the noise, on axes of one scale.

    Parameters: `signal` |U'G| and `noise` |U'ε|, (n,); `most` directions in view.
    """
    s, e = np.asarray(signal, dtype=np.float64), np.asarray(noise, dtype=np.float64)
    view = min(most, len(s))
    layout = panels(2, 1, shared_xaxes=True, vertical_spacing=0.08)
    traces: list[dict[str, Any]] = []
    for panel, values, name, colour in (
        ("", s, "signal |u<sub>i</sub>′G|", TRUTH),
        ("2", e, "noise |u<sub>i</sub>′ε|", MUTED),
    ):
        traces.append(
            dict(
                type="bar",
                x=np.arange(1, len(s) + 1),
                y=lean(values),
                name=name,
                xaxis=f"x{panel}",
                yaxis=f"y{panel}",
                marker=dict(color=colour, line=dict(width=0)),
                hovertemplate="i = %{x}<br>" + name + " = <b>%{y:.4g}</b><extra></extra>",
            )
        )
        top = 1.05 * max(s[:view].max(), e[:view].max(), 1e-300)
        layout[f"yaxis{panel}"] |= dict(title=dict(text=name), range=[0, top])
        layout[f"xaxis{panel}"]["range"] = [0.4, view + 0.6]
    layout["xaxis2"]["title"] = dict(text="direction i")
    return composed(
        traces,
        layout,
        height=400,
        legend=True,
        margin=KEYED | dict(l=90),
        alt=f"Coefficients of the true signal and of the noise along {view} directions.",
        caption="A kernel that suits the signal puts it into the first directions; the noise spreads over all "
        "directions.",
    )


def noise_dimension_map(
    points: Mapping[str, tuple[float, float]] | Sequence[Point],
    here: Point | None = None,
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
    own = [] if here is None else [here]
    spots = ("top center", "bottom center", "middle right", "middle left")
    traces, known = [], []
    groups = (("published", marks, MUTED, "circle", 8), ("here", own, INFORMATION, "star", 15))
    for group, given, colour, symbol, size in groups:
        drawn = sorted((p for p in given if np.isfinite(p[1]) and np.isfinite(p[2])), key=lambda p: (p[1], p[2]))
        if drawn:
            known += drawn
            traces.append(
                dict(
                    type="scatter",
                    x=[float(p[1]) for p in drawn],
                    y=[float(p[2]) for p in drawn],
                    text=[escape(p[0], 24) for p in drawn],
                    hovertext=[escape(p[0]) for p in drawn],
                    mode="markers+text",
                    name=group,
                    cliponaxis=False,
                    textposition=[spots[i % 4] for i in range(len(drawn))] if group == "published" else "top center",
                    textfont=dict(size=11, color=colour),
                    marker=dict(color=colour, symbol=symbol, size=size),
                    hovertemplate="%{hovertext}<br>d̂ = %{x}<br>noise %{y:.1%}<extra></extra>",
                )
            )
    line = dict(color=MUTED, width=1, dash="dot")
    border, _ = upright(LOW_DIMENSION)
    corners = [("simple, clean", 0, 0), ("simple, noisy", 0, 1), ("complex, clean", 1, 0), ("complex, noisy", 1, 1)]
    ends = [1.0, 2.0 * max([p[1] for p in known] + [300.0])]
    unit = "share of rows" if comparable else "share of the variance of y"
    layout = dict(
        xaxis=dict(title=dict(text="relevant dimension d̂")) | log_axis(ends) | dict(range=np.log10(ends).tolist()),
        yaxis=dict(
            title=dict(text=f"estimated noise, {unit}"),
            tickformat=".0%",
            range=[-0.03, max([1.12 * p[2] for p in known] + [0.4])],
        ),
        shapes=[border | dict(line=line), *([dotted(LOW_NOISE)] if comparable else [])],
        annotations=[
            dict(
                text=f"<i>{words}</i>",
                xref="paper",
                yref="paper",
                x=x,
                y=y,
                xanchor=("left", "right")[x],
                yanchor=("bottom", "top")[y],
                showarrow=False,
                font=dict(size=11),
            )
            for words, x, y in (corners if comparable else [("simple", 0, 0), ("complex", 1, 0)])
        ],
    )
    present = "".join(f" {escape(p[0])}: d̂ = {number(p[1])}, noise {percent(p[2])}." for p in own)
    return composed(
        traces,
        layout,
        height=400,
        legend=True,
        margin=KEYED | dict(t=24),
        alt=f"Noise over relevant dimension of {len(marks)} published data sets.{present}",
        caption="Further right, the labels need more directions of this kernel; further up, it explains less of them. "
        + (
            "Dotted lines separate the quadrants of [R]."
            if comparable
            else "A share of the variance cannot be compared with error rates: the published data sets are left out."
        ),
    )


def pca_scatter(
    scores: KernelPCA | ArrayLike,
    y: ArrayLike | None = None,
    classes: Sequence[Any] = (),
    ids: Sequence[Any] | None = None,
) -> go.Figure:
    """Draw rows along two kernel PCA directions: look for classes that lie apart.

    Parameters: `scores` (n, d), or a kernel PCA, whose shares explained stand at the axes. Every point's
    `customdata[0]` is its row number, which is what a selection gives back.
    """
    share, centred = np.empty(0), False
    if isinstance(scores, KernelPCA):
        share, centred, scores = scores.explained, scores.centered, scores.scores
    Z = np.asarray(scores, dtype=np.float64)
    # Directions that do not exist are drawn as zero.
    picked = [Z[:, c] if c < Z.shape[1] else np.zeros(len(Z)) for c in (0, 1)]
    titles = [
        f"direction {c + 1}, {'centred' if centred else 'uncentred'}"
        + (f" ({share[c]:.1%})" if c < len(share) and np.isfinite(share[c]) else "")
        for c in (0, 1)
    ]
    if read_classes(y, classes)[0] is not None:
        how = "A straight line separates classes that lie apart here. Check the labels of points within another class."
    elif y is not None:
        how = "Its colour is its label: where that changes smoothly, the labels lie within few directions."
    else:
        how = "Look for groups, and for rows that lie far from all others."
    return scatter_plot(
        picked, titles, y, classes, ids, what="kernel PCA directions 1, 2", caption=f"Each point is a row. {how}"
    )


def scatter_plot(
    columns: Sequence[NDArray[Any]],
    titles: Sequence[str],
    y: ArrayLike | None,
    classes: Sequence[Any],
    ids: Sequence[Any] | None,
    what: str,
    caption: str,
) -> go.Figure:
    """Draw a scatter of two columns, one trace per class or one coloured by real targets."""
    n = len(columns[0])
    names = read_classes(y, classes)[1]
    # A constant direction, as the first of a diffusion kernel, is drawn as one value without its rounding errors.
    still = [float(np.ptp(v)) <= 1e-9 * float(np.abs(v).max()) if len(v) else False for v in columns]
    columns = [np.full_like(v, v.mean()) if constant else v for v, constant in zip(columns, still, strict=True)]
    alike = "{}, alike for all rows".format  # in a small map there is no room for more
    titles = [alike(t.split(",")[0]) if constant else t for t, constant in zip(titles, still, strict=True)]
    layout: dict[str, Any] = {f"{axis}axis": dict(title=dict(text=t)) for axis, t in zip("xy", titles, strict=True)}
    return composed(
        _point_traces(columns, y, classes, ids, 8 if n <= 300 else 6 if n <= 1500 else 4),
        layout | dict(dragmode="select"),
        height=430,
        caption=caption,
        alt=f"Scatter of {n} rows over {what}{f', in {len(names)} classes' if names else ''}.",
        legend=True if names else None,
        margin=KEYED if names else TITLED,
    )


def _point_traces(
    columns: Sequence[NDArray[Any]],
    y: ArrayLike | None,
    classes: Sequence[Any],
    ids: Sequence[Any] | None,
    size: int = 4,
) -> list[dict[str, Any]]:
    """Return rows over two columns: one trace per class, or one coloured by real targets."""
    n = len(columns[0])
    labels, (codes, names) = row_labels(ids, n), read_classes(y, classes)

    def trace(rows: NDArray[np.intp], name: str, marker: dict[str, Any], extra: str) -> dict[str, Any]:
        return dict(
            type="scattergl" if n > 4000 else "scatter",
            x=lean(columns[0][rows]),
            y=lean(columns[1][rows]),
            customdata=rows.astype(np.int32)[:, None],
            hovertext=labels[rows],
            name=name,
            mode="markers",
            marker=marker,
            hovertemplate=f"%{{hovertext}}<br>%{{x:.4g}}, %{{y:.4g}}<extra>{extra}</extra>",
        )

    if codes is not None:
        members = [np.flatnonzero(codes == code) for code in range(len(names))]
        return [
            trace(rows, name, dict(color=class_colour(c), symbol=class_symbol(c), size=size, opacity=0.95), name)
            for c, (name, rows) in enumerate(zip(names, members, strict=True))
            if len(rows)
        ]
    if y is None:
        return [trace(np.arange(n), "rows", dict(color=BLUE, size=size, opacity=0.95), "")]
    marker = dict(
        color=np.asarray(y, dtype=np.float32),
        colorscale=SEQUENTIAL,
        colorbar=colour_bar("y"),
        showscale=True,
        size=size,
        line=dict(color=MUTED, width=0.5),
    )
    return [trace(np.arange(n), "rows", marker, "y = %{marker.color:.4g}")]
