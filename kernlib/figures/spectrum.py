"""Figures of a spectrum: eigenvalues, label coefficients, the relevant dimension, kernel PCA."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray
from plotly.subplots import make_subplots

from ..analysis.interval import DimensionInterval
from ..analysis.relevant import PermutationBand, RelevantDimension, RelevantDimensionLOO
from ..analysis.spectrum import Decomposition, KernelPCA
from ..errors import DataError
from ..explain.trained import Field
from ..values.arrays import Array
from ..values.words import number
from .axes import log_axis
from .theme import (
    BLUE,
    DIVERGING,
    FAINT,
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
    class_dash,
    class_symbol,
    colour_bar,
    composed,
    escape,
    faint,
    finish,
    lean,
    panels,
    read_classes,
    row_labels,
    upright,
)

#: What colours mean on the page Spectrum, where blue and orange are classes: what the first d directions carry, the
#: leave-one-out error, and the true signal. Noise is grey.
INFORMATION, LEFT_OUT, TRUTH = PURPLE, GREEN, GOLD


def eigenvalue_plot(spectrum: Decomposition | ArrayLike, log: bool = True, cut: int | None = None) -> go.Figure:
    """Draw eigenvalues in descending order: look for their decay and for negative ones.

    Parameters: `spectrum` a decomposition or its eigenvalues, (n,); `log` draws their size on a log axis; `cut`
    marks a dimension d̂.
    """
    eigenvalues = spectrum.eigenvalues if isinstance(spectrum, Decomposition) else spectrum
    values = np.sort(np.asarray(eigenvalues, dtype=np.float64))[::-1]
    n = len(values)
    top = float(np.abs(values).max()) if n else 0.0
    tolerance = n * np.finfo(float).eps * top
    j = np.arange(1, n + 1)
    fig = go.Figure()
    for name, chosen, colour in by_sign(values, tolerance):
        if chosen.any() and not (log and colour == MUTED):
            drawn = np.abs(values[chosen]) if log else values[chosen]
            fig.add_scatter(
                x=j[chosen], y=lean(drawn), customdata=lean(values[chosen]), name=name,
                mode="lines+markers" if n <= 200 else "lines", line=dict(color=colour, width=1.5),
                marker=dict(color=colour, size=5),
                hovertemplate="l<sub>%{x}</sub> = <b>%{customdata:.4g}</b><extra></extra>",
            )  # fmt: skip
    fig.update_xaxes(title_text="direction j")
    fig.update_yaxes(title_text="|l<sub>j</sub>|" if log else "eigenvalue l<sub>j</sub>")
    if log:
        fig.update_yaxes(**log_axis(np.abs(values[np.abs(values) > tolerance])))
    if cut is not None:
        fig.add_vline(
            x=cut + 0.5, line=dict(color=MUTED, width=1.5, dash="dash"), annotation_text=f"d̂ = {cut}",
            annotation_position="top right", annotation_font_size=12,
        )  # fmt: skip
    negative, zero = int((values < -tolerance).sum()), int((np.abs(values) <= tolerance).sum())
    return finish(
        fig, height=320,
        alt=f"{n} eigenvalues falling from {number(values[0]) if n else '–'} to {number(values[-1]) if n else '–'}; "
        f"{negative} negative, {zero} zero to rounding.",
        caption="The faster the eigenvalues fall, the fewer directions the kernel really uses. Negative ones mean "
        "that it is not positive semi-definite."
        + (f" {zero} that are zero to rounding are left out of the log axis." if log and zero else ""),
    )  # fmt: skip


def by_sign(values: Array, tolerance: float) -> list[tuple[str, NDArray[np.bool_], str]]:
    """Return eigenvalues in three groups with their colours: (name, which, colour); zero up to the tolerance."""
    return [
        ("positive", values > tolerance, BLUE),
        ("zero to rounding", np.abs(values) <= tolerance, MUTED),
        ("negative", values < -tolerance, ORANGE),
    ]


def coefficient_plot(
    rd: RelevantDimension | RelevantDimensionLOO,
    sort: bool = False,
    log: bool = False,
    d: int | None = None,
    most: int | None = None,
    height: int = 360,
    interval: DimensionInterval | None = None,
    share: bool = False,
) -> go.Figure:
    """Draw the label coefficients |s_i| of all directions, the cut, and the normal distribution fitted to each side.

    Look for large coefficients on the left that stand out of an even floor of noise on the right. A line is at the root
    mean square of a side, a band holds 95% of its distribution, and a curve at the right is its density.
    Parameters: `sort` adds the same values in descending order; `log` a log axis; `d` another cut; `most` how many
    directions are in view (all can be reached by panning), None for all; `interval` shades the plausible dimensions;
    `share` adds the share of ‖y‖² in the first i directions.
    """
    energy = rd.energy
    size = np.sqrt(energy[: len(rd.coefficients)])  # with landmarks, the remaining directions share one mean
    n, cut = len(size), rd.dimension if d is None else d
    rms = [float(np.sqrt(part.mean())) if len(part) else 0.0 for part in (energy[:cut], energy[cut:])]
    view = n if most is None else min(max(most, cut + 1), n)
    name_of = "d̂" if d is None or d == rd.dimension else "d"
    columns = 1 if rd.coefficients.ndim == 1 else rd.coefficients.shape[1]
    traces = _coefficients(size, cut, view, name_of, rms, columns, sort, log)
    line, words = upright(cut + 0.5, f"{name_of} = {cut}", y=1.0 if interval is None else 0.95)
    ends, heights = _heights(size, view, rms, log)
    wide = 0.76 if share else 0.83
    traces += _densities(rms, columns, ends, log)
    layout: dict[str, Any] = dict(
        xaxis=dict(title=dict(text="direction i"), range=[0.5 - 0.01 * view, view + 0.5 + 0.01 * view],
                   domain=[0, wide]),
        xaxis2=dict(title=dict(text="how often", standoff=38),
                    domain=[wide + (0.1 if share else 0.02), 1], range=[0, 1.08],
                    showticklabels=False, ticks="", showgrid=False, anchor="y"),
        yaxis=dict(title=dict(text="coefficient |s<sub>i</sub>|"), **heights),
        shapes=[line, *_bars(interval)], annotations=words,
    )  # fmt: skip
    if share:
        traces.append(_share_so_far(np.cumsum(energy[:n]) / (float(energy.sum()) or 1.0)))
        layout["yaxis2"] = dict(
            overlaying="y", side="right", anchor="x", range=[0, 1.04], tickformat=".0%", showgrid=False,
            tickvals=[0, 0.5, 1],
        )  # fmt: skip
    shown = "" if view == n else f" The first {view} of {n} are in view."
    bars = "" if interval is None else f" Bars at the top: {_words_of(interval)}"
    return composed(
        traces, layout, height=height, legend=True, margin=KEYED | dict(b=120),
        alt=f"Sizes of {n} label coefficients; the first {cut} have root mean square {number(rms[0])}, the others "
        f"{number(rms[1])}.{shown}",
        caption="Each point is the part of the labels along one direction of uncentred kernel PCA. Look for an "
        "even floor behind the dashed line, and for the coefficients before it that rise above it. A normal "
        "distribution is fitted to each side. The line is its typical size (root mean square), the band holds 95% of "
        f"it. The curve at the right shows how often a size occurs (density).{bars}{shown}",
    )  # fmt: skip


def leading_coefficients(rd: RelevantDimension, height: int = 360) -> go.Figure:
    """Draw the label coefficients |s_i| of the first directions, while the others are being computed: without a cut."""
    size = np.sqrt(rd.energy[: len(rd.eigenvalues)])
    n = len(size)
    points = dict(
        type="scatter", x=np.arange(1, n + 1), y=lean(size), name="|s<sub>i</sub>|", mode="markers",
        marker=dict(color=INFORMATION, size=6),
        hovertemplate="i = %{x}<br>|s<sub>i</sub>| = <b>%{y:.4g}</b><extra></extra>",
    )  # fmt: skip
    share = _share_so_far(np.cumsum(rd.energy[:n]) / (float(rd.energy.sum()) or 1.0))
    layout = dict(
        xaxis=dict(title=dict(text="direction i"), range=[0, n + 1], domain=[0, 0.94]),
        yaxis=dict(title=dict(text="coefficient |s<sub>i</sub>|"), **_heights(size, n, [0.0], False)[1]),
        yaxis2=dict(overlaying="y", side="right", anchor="x", range=[0, 1.04], tickformat=".0%", showgrid=False),
    )
    return composed(
        [points, share], layout, height=height, legend=True, margin=KEYED | dict(b=120),
        alt=f"Sizes of the first {n} label coefficients.",
        caption="Each point is the part of the labels along one direction of uncentred kernel PCA. The dotted line is "
        "the share of the labels in the directions so far. The relevant dimension needs all directions.",
    )  # fmt: skip


def _coefficients(
    size: Array, cut: int, view: int, name_of: str, rms: Sequence[float], columns: int, sort: bool, log: bool
) -> list[dict[str, Any]]:
    """Return the coefficients on each side of the cut with their distribution; with `sort` also in descending order."""
    from scipy.special import chdtri

    n = len(size)
    i = np.arange(1, n + 1)
    traces: list[dict[str, Any]] = []
    marks = dict(size=7 if view <= 60 else 5 if view <= 400 else 3)
    reach = float(np.sqrt(chdtri(columns, 0.05) / columns))
    groups = (
        (f"information, i ≤ {name_of}", slice(0, cut), INFORMATION),
        (f"noise, i > {name_of}", slice(cut, n), MUTED),
    )
    for (name, part, colour), s in zip(groups, rms, strict=True):
        if not len(i[part]):
            continue
        ends = [i[part][0] - 0.5, i[part][-1] + 0.5]
        first = part.start == 0
        which = "information" if first else "noise"
        if not log:
            traces.append(
                dict(
                    type="scatter", x=ends, y=[reach * s, reach * s], mode="lines", line=dict(width=0),
                    fill="tozeroy", fillcolor=faint(colour), name=f"95% of {which}", showlegend=False,
                    hoverinfo="skip", meta=dict(decoration=True),
                )
            )  # fmt: skip
        traces.append(
            dict(
                type="scatter", x=ends, y=[s, s], mode="lines", line=dict(color=colour, width=3),
                name=f"typical size of {which} = {number(s)}", meta=dict(decoration=True),
                hovertemplate="typical size (root mean square) = <b>%{y:.4g}</b><extra></extra>",
            )
        )  # fmt: skip
        traces.append(
            dict(
                type="scatter", x=i[part], y=lean(size[part]), name=name, mode="markers",
                marker=dict(color=colour, **marks),
                hovertemplate="i = %{x}<br>|s<sub>i</sub>| = <b>%{y:.4g}</b><extra></extra>",
            )
        )  # fmt: skip
    if sort:
        traces.append(
            dict(
                type="scatter", x=i, y=lean(np.sort(size)[::-1]), name="sorted by size", mode="lines",
                line=dict(color=MUTED, width=1.5, dash="dash"),
                hovertemplate="rank %{x}<br>|s| = <b>%{y:.4g}</b><extra></extra>",
            )
        )  # fmt: skip
    return traces


def _heights(size: Array, view: int, rms: Sequence[float], log: bool) -> tuple[list[float], dict[str, Any]]:
    """Return the ends of the axis of coefficients, and the axis."""
    if not log:
        ends = [0.0, 1.12 * max(float(size[:view].max(initial=0.0)), max(rms), 1e-300)]
        return ends, dict(range=ends)
    # Labels without noise have rounding errors as coefficients, which must not stretch the axis.
    floor = max(float(size[:view].min()), 1e-6 * float(size.max()) or 1e-300)
    ends = [floor / 2, 2 * float(size.max()) or 1.0]
    return ends, log_axis(ends) | dict(rangemode="normal", range=np.log10(ends).tolist())


def _share_so_far(part: Array) -> dict[str, Any]:
    return dict(
        type="scatter", x=np.arange(1, len(part) + 1), y=lean(part), name="share of ‖y‖² so far", mode="lines",
        yaxis="y2", line=dict(color=INFORMATION, width=1.5, dash="dot"),
        hovertemplate="the first %{x}: <b>%{y:.1%}</b> of ‖y‖²<extra></extra>",
    )  # fmt: skip


def _densities(rms: Sequence[float], columns: int, ends: Sequence[float], log: bool) -> list[dict[str, Any]]:
    """Return the density of |s| on each side of the cut, scaled to one width, over the axis of the coefficients.

    With s_i of `columns` classes, Σ s²/variance has a chi-square distribution with as many degrees of freedom.
    """
    traces = []
    places = np.geomspace(ends[0], ends[1], 160) if log else np.linspace(0.0, ends[1], 400)
    for which, s, colour in (("noise", rms[1], MUTED), ("information", rms[0], INFORMATION)):
        if s <= 0:
            continue
        z = places * math.sqrt(columns) / s
        density = z ** (columns - 1) * np.exp(-(z**2) / 2)
        traces.append(
            dict(
                type="scatter", x=lean(density / (density.max() or 1.0)), y=lean(places), xaxis="x2", mode="lines",
                line=dict(color=colour, width=2), fill="tozerox", fillcolor=faint(colour), showlegend=False,
                name=f"density of {which}", hoverinfo="skip", meta=dict(decoration=True),
            )
        )  # fmt: skip
    return traces


def likelihood_plot(
    rd: RelevantDimension,
    loo: RelevantDimensionLOO | None = None,
    band: PermutationBand | None = None,
    most: int | None = None,
    interval: DimensionInterval | None = None,
    marked: int | None = None,
) -> go.Figure:
    """Draw −log ℓ(d) over the dimension with its minimum: a sharp minimum is a reliable cut.

    The axis is scaled to the minimum and cuts off the first spike. Parameters: `loo` adds the leave-one-out error,
    over the same d; `band` the curves of shuffled labels; `most` the largest d in view, None for all;
    `interval` shades the plausible dimensions; `marked` another d.
    """
    rows = 1 if loo is None else 2
    layout = panels(rows, 1, shared_xaxes=True, vertical_spacing=0.06)
    traces: list[dict[str, Any]] = []
    last = len(rd.neg_log_likelihood)
    view = last if most is None else min(max(most, rd.dimension + 1, 2), last)
    d = np.arange(1, last + 1)
    curve = np.where(rd.candidates, rd.neg_log_likelihood, np.nan)
    ends, cut_off = _valley(curve[:view])
    layout["yaxis"] |= dict(title=dict(text="misfit, −log ℓ(d)"), range=ends)
    trust = "A sharp minimum is a reliable cut; a flat minimum is not."
    if band is not None and len(band.band) >= 2:
        traces, trust, layout["annotations"] = _shuffled(band, view, ends[1])
    traces += _curve(d, curve, rd.dimension, "−log ℓ", INFORMATION)
    if loo is not None:
        errors = np.arange(1, len(loo.loo_error) + 1)
        traces += _curve(errors, loo.loo_error, loo.dimension, "leave-one-out error", LEFT_OUT, "2")
        # Late dimensions fit single rows, with errors beyond that of one direction; the minimum must stay visible.
        start = float(loo.loo_error[0])
        useful = np.minimum(loo.loo_error[: max(view, loo.dimension)], 1.5 * start if start > 0 else np.inf)
        below, _ = _valley(useful)
        cut_off |= float(loo.loo_error[:view].max()) > below[1]
        layout["yaxis2"] |= dict(title=dict(text="leave-one-out error"), range=below)
    for name in [name for name in layout if name.startswith("xaxis")]:
        layout[name]["range"] = [1 - 0.01 * view, view + 0.01 * view]
    layout["xaxis" if rows == 1 else "xaxis2"]["title"] = dict(text="dimension d")
    layout["shapes"] = _shaded(interval)
    if marked is not None and marked != rd.dimension:
        line, words = upright(marked, f"d = {marked}")
        layout["shapes"] = [*layout["shapes"], line | dict(yref="paper")]
        layout["annotations"] = [*layout.get("annotations", ()), *words]
    verdict = "" if band is None else " " + band.verdict
    verdict += "" if interval is None else f" Shaded: {_words_of(interval)}"
    part = "" if rd.candidates[:view].all() else " Gaps: there the first d directions hold less than the others."
    part += (" Values far above the minima are cut off." if cut_off else "") + (
        "" if view == last else f" Dimensions up to {view} of {last} are in view."
    )
    return composed(
        traces, layout, height=340 if loo is None else 460, margin=KEYED | dict(l=90, b=130),
        alt=f"−log ℓ over the dimension, smallest at d = {rd.dimension} with {number(rd.minimum)}"
        + ("" if loo is None else f"; leave-one-out error smallest at d = {loo.dimension}") + f".{verdict}",
        caption="How badly two normal distributions, information and noise, fit the coefficients that are split at d "
        f"(−log ℓ). The deepest point is the relevant dimension d̂. {trust}{verdict}{part}",
    )  # fmt: skip


def _shuffled(band: PermutationBand, view: int, top: float) -> tuple[list[dict[str, Any]], str, list[dict[str, Any]]]:
    """Return the band of shuffled labels, the sentence that reads it, and a note where the band is above `top`."""
    edge = dict(
        type="scatter", x=np.arange(1, band.band.shape[1] + 1), mode="lines", line=dict(width=0), hoverinfo="skip",
        legendgroup="band",
    )  # fmt: skip
    name = f"shuffled labels, {band.quantiles[0]:.0%}–{band.quantiles[-1]:.0%}"
    # The band is often far above: it must not flatten the minimum. Out of view, it has no entry in the legend.
    least = float(np.nanmin(band.band[0][:view]))
    in_view = least < top
    traces = [
        dict(y=lean(band.band[-1]), name="shuffled, upper", showlegend=False, **edge),
        dict(
            y=lean(band.band[0]), fill="tonexty", fillcolor=FAINT, name=name, showlegend=in_view,
            **edge,
        ),
    ]  # fmt: skip
    if in_view:
        trust = (
            "A sharp minimum well below the grey band is a reliable cut. A flat one, or one inside the band, is not."
        )
        return traces, trust, []
    note = above(f"↑ {name}: from {number(least)}", right=True)
    trust = f"The band of {name} lies above the visible range, from {number(least)} upwards."
    return traces, trust, [note]


def _shaded(interval: DimensionInterval | None) -> list[dict[str, Any]]:
    """Return the shading of the plausible dimensions over all panels; a dotted frame marks those of a bootstrap."""
    if interval is None:
        return []
    frame = dict(type="rect", xref="x", yref="paper", y0=0, y1=1, layer="below")
    ends = [(interval.profile, dict(fillcolor=faint(INFORMATION), line=dict(width=0)))]
    if interval.bootstrap is not None:
        ends.append((interval.bootstrap, dict(line=dict(color=MUTED, width=1, dash="dot"))))
    return [frame | dict(x0=low - 0.5, x1=high + 0.5) | style for (low, high), style in ends]


def _bars(interval: DimensionInterval | None) -> list[dict[str, Any]]:
    """Return a thick bar over the plausible dimensions at the top of a panel, and a thin one of a bootstrap."""
    if interval is None:
        return []
    low, high = interval.profile
    bars = [dict(type="rect", x0=low - 0.5, x1=high + 0.5, y0=0.97, y1=0.99, fillcolor=INFORMATION, line=dict(width=0))]
    if interval.bootstrap is not None:
        low, high = interval.bootstrap
        ends = dict(x0=low - 0.5, x1=high + 0.5, y0=0.98, y1=0.98)
        bars.append(dict(type="line", **ends, line=dict(color=INFORMATION, width=1.5)))
    return [bar | dict(xref="x", yref="y domain") for bar in bars]


def _words_of(interval: DimensionInterval) -> str:
    words = interval.words()
    return f"{words[0].lower()}{words[1:]}"


def _valley(curve: Array) -> tuple[list[float], bool]:
    """Return the ends of an axis from the lowest point to three times the way to the median, at most the whole curve,
    and whether it cuts off a part."""
    known = curve[np.isfinite(curve)]
    low, middle, top = (float(v) for v in np.quantile(known, [0, 0.5, 1]))
    end = min(top, low + 3 * (middle - low)) if middle > low else top
    span = (end - low) or abs(low) or 1.0
    return [low - 0.08 * span, low + 1.08 * span], end < top


def selection_curve(
    values: Sequence[Any],
    squared: ArrayLike,
    likelihood: ArrayLike,
    dimension: Sequence[int | None],
    name: str,
    current: Any = None,
    log: bool = False,
) -> go.Figure:
    """Draw the squared leave-one-out error, which chooses, over a kernel's parameter, and below it −log ℓ(d̂) with d̂.

    Parameters: `values` of the parameter `name`; `squared` (v,) squared leave-one-out errors and `likelihood` (v,)
    −log ℓ at each value's own d̂, nan where missing; `dimension` (v,) those d̂; `current` the present value; `log` a
    logarithmic axis.
    """
    x = np.array([float(v) for v in values])
    words = ["–" if v is None else str(v) for v in dimension]
    fig = make_subplots(2, 1, shared_xaxes=True, vertical_spacing=0.08, row_heights=[0.6, 0.4])
    smallest = []
    curves = (
        ("squared leave-one-out error", squared, LEFT_OUT, "star", 16),
        ("−log ℓ(d̂)", likelihood, INFORMATION, "diamond", 11),
    )  # fmt: skip
    for row, (label, given, colour, symbol, size) in enumerate(curves, 1):
        y = np.asarray(given, dtype=np.float64)
        fig.add_scatter(
            x=x, y=lean(y), mode="lines+markers", name=label, line=dict(color=colour, width=2),
            customdata=[float(v) for v in values], hovertext=words, connectgaps=True, row=row, col=1,
            hovertemplate=f"{escape(name)} = %{{x:.4g}}<br>{label} = <b>%{{y:.4g}}</b><br>d̂ = %{{hovertext}}"
            "<extra></extra>",
        )  # fmt: skip
        if np.isfinite(y).any():
            best = int(np.nanargmin(y))
            smallest.append(f"{label} smallest at {escape(name)} = {values[best]:.4g}, with d̂ = {words[best]}")
            fig.add_scatter(
                x=[x[best]], y=[y[best]], mode="markers", name=f"smallest, {values[best]:.4g}", hoverinfo="skip",
                marker=dict(symbol=symbol, size=size, color=colour), meta=dict(decoration=True), row=row, col=1,
            )  # fmt: skip
        fig.update_yaxes(title_text=label, row=row, col=1)
    if isinstance(current, int | float) and not (log and current <= 0):
        for row in (1, 2):
            fig.add_vline(x=float(current), line=dict(color=MUTED, width=1.5, dash="dash"), row=row, col=1)
        # Shapes take a value on a log axis, annotations its logarithm.
        fig.add_annotation(
            text=f"now {current:.4g}", x=math.log10(current) if log else float(current), y=1, yref="paper",
            yanchor="bottom", showarrow=False, font=dict(size=12),
        )  # fmt: skip
    fig.update_xaxes(title_text=escape(name), row=2, col=1)
    if log and len(x) and x.min() > 0:
        fig.update_xaxes(**log_axis(x))
    minima = "; ".join(smallest) + "." if smallest else "No value has been computed yet."
    return finish(
        fig, height=420, legend=False, margin=dict(t=24),
        alt=f"Squared leave-one-out error and −log ℓ at the relevant dimension over {escape(name)}. {minima}",
        caption="The star marks the smallest squared leave-one-out error of ridge regression: it chooses the value. "
        "−log ℓ below measures how sharp the cut at d̂ is: [R] proposes it for choosing a kernel. Click a point to use "
        "its value.",
    ).update_layout(clickmode="event+select")  # fmt: skip


def _curve(
    d: NDArray[Any], values: NDArray[Any], best: int, name: str, colour: str, panel: str = ""
) -> list[dict[str, Any]]:
    here = dict(type="scatter", xaxis=f"x{panel}", yaxis=f"y{panel}")
    return [
        dict(
            x=d, y=lean(values), name=name, mode="lines", line=dict(color=colour, width=2), **here,
            hovertemplate="d = %{x}<br>" + name + " = <b>%{y:.5g}</b><extra></extra>",
        ),
        dict(
            x=[best], y=[float(values[best - 1])], name=f"minimum, d = {best}", mode="markers", **here,
            marker=dict(color=colour, size=12, symbol="star", line=dict(color=MUTED, width=1)), showlegend=True,
            hovertemplate="d̂ = <b>%{x}</b><br>" + name + " = %{y:.5g}<extra></extra>",
        ),
    ]  # fmt: skip


def pca_scatter(
    scores: KernelPCA | ArrayLike,
    y: ArrayLike | None = None,
    classes: Sequence[Any] = (),
    ids: Sequence[Any] | None = None,
    dims: Sequence[int] = (1, 2),
    explained: ArrayLike | None = None,
    highlight: ArrayLike | None = None,
    centred: bool = False,
) -> go.Figure:
    """Draw rows along two or three kernel PCA directions: look for classes that lie apart.

    Parameters: `scores` (n, d), or a kernel PCA with its shares explained; `dims` directions counted from 1, two or
    three of them; `explained` (d,) shares for the axis titles; `highlight` row numbers to ring; `centred` whether
    scores given as an array come from the centred Gram matrix. Every point's `customdata[0]` is its row number, which
    is what a selection gives back.
    """
    if isinstance(scores, KernelPCA):
        centred = scores.centered
        explained = scores.explained if explained is None else explained
        scores = scores.scores
    Z = np.asarray(scores, dtype=np.float64)
    chosen = [int(c) for c in dims]
    if len(chosen) not in (2, 3) or any(c < 1 for c in chosen):
        raise DataError(f"pca_scatter: dims must be two or three directions counted from 1; got {tuple(dims)}.")
    # Directions that do not exist are drawn as zero.
    picked = [Z[:, c - 1] if c <= Z.shape[1] else np.zeros(len(Z)) for c in chosen]
    share = None if explained is None else np.asarray(explained)
    titles = [
        f"direction {c}, {'centred' if centred else 'uncentred'}"
        + (f" ({share[c - 1]:.1%})" if share is not None and c <= len(share) and np.isfinite(share[c - 1]) else "")
        for c in chosen
    ]
    if read_classes(y, classes)[0] is not None:
        how = "A straight line separates classes that lie apart here. Check the labels of points within another class."
    elif y is not None:
        how = "Its colour is its label: where that changes smoothly, the labels lie within few directions."
    else:
        how = "Look for groups, and for rows that lie far from all others."
    return points(
        picked, titles, y, classes, ids, highlight, what=f"kernel PCA directions {', '.join(map(str, chosen))}",
        caption=f"Each point is a row. {how}",
    )  # fmt: skip


def points(
    columns: Sequence[NDArray[Any]],
    titles: Sequence[str],
    y: ArrayLike | None,
    classes: Sequence[Any],
    ids: Sequence[Any] | None,
    highlight: ArrayLike | None,
    what: str,
    caption: str,
) -> go.Figure:
    """Draw a scatter of two or three columns, one trace per class or one coloured by real targets."""
    n = len(columns[0])
    codes, names = read_classes(y, classes)
    flat = len(columns) == 2
    # A constant direction, as the first of a diffusion kernel, is drawn as one value without its rounding errors.
    still = [float(np.ptp(v)) <= 1e-9 * float(np.abs(v).max()) if len(v) else False for v in columns]
    columns = [np.full_like(v, v.mean()) if constant else v for v, constant in zip(columns, still, strict=True)]
    alike = "{}, alike for all rows".format  # in a small map there is no room for more
    titles = [alike(t.split(",")[0]) if constant else t for t, constant in zip(titles, still, strict=True)]
    size = (8 if n <= 300 else 6 if n <= 1500 else 4) if flat else 4
    traces = point_traces(columns, y, classes, ids, size)
    if highlight is not None and flat and len(ringed := np.asarray(highlight, dtype=np.intp)):
        traces.append(
            dict(
                type="scatter", x=lean(columns[0][ringed]), y=lean(columns[1][ringed]), name="disputed label",
                mode="markers", hoverinfo="skip", meta=dict(decoration=True),
                marker=dict(symbol="circle-open", size=size + 7, color=MUTED, line=dict(width=2)),
            )
        )  # fmt: skip
    groups = f", in {len(names)} classes" if names else ""
    return composed(
        traces, point_layout(titles), height=430 if flat else 520, caption=caption,
        alt=f"Scatter of {n} rows over {what}{groups}.", legend=None if codes is None else True,
        margin=(KEYED if names else TITLED) if flat else None,
    )  # fmt: skip


def point_traces(
    columns: Sequence[NDArray[Any]], y: ArrayLike | None, classes: Sequence[Any], ids: Sequence[Any] | None,
    size: int = 4,
) -> list[dict[str, Any]]:  # fmt: skip
    """Return rows over two or three columns: one trace per class, or one coloured by real targets."""
    flat, n = len(columns) == 2, len(columns[0])
    labels, (codes, names) = row_labels(ids, n), read_classes(y, classes)
    kind = ("scattergl" if n > 4000 else "scatter") if flat else "scatter3d"
    axes = dict(zip("xyz", columns, strict=False))

    def trace(rows: NDArray[np.intp], name: str, marker: dict[str, Any], extra: str) -> dict[str, Any]:
        return dict(
            type=kind, **{axis: lean(values[rows]) for axis, values in axes.items()},
            customdata=rows.astype(np.int32)[:, None], hovertext=labels[rows], name=name, mode="markers",
            marker=marker,
            hovertemplate="%{hovertext}<br>%{x:.4g}, %{y:.4g}" + ("" if flat else ", %{z:.4g}")
            + f"<extra>{extra}</extra>",
        )  # fmt: skip

    if codes is not None:
        # WebGL has few symbols in three dimensions.
        symbols = [
            class_symbol(c) if flat else ("circle", "diamond", "square", "cross")[c % 4] for c in range(len(names))
        ]
        members = [np.flatnonzero(codes == code) for code in range(len(names))]
        return [
            trace(rows, name, dict(color=class_colour(c), symbol=symbols[c], size=size, opacity=0.95), name)
            for c, (name, rows) in enumerate(zip(names, members, strict=True))
            if len(rows)
        ]
    if y is None:
        return [trace(np.arange(n), "rows", dict(color=BLUE, size=size, opacity=0.95), "")]
    marker = dict(
        color=np.asarray(y, dtype=np.float32), colorscale=SEQUENTIAL, colorbar=colour_bar("y"), showscale=True,
        size=size, line=dict(color=MUTED, width=0.5),
    )  # fmt: skip
    return [trace(np.arange(n), "rows", marker, "y = %{marker.color:.4g}")]


def point_layout(titles: Sequence[str], **scene: Any) -> dict[str, Any]:
    """Return the axes of a scatter in two or three dimensions; `scene` are settings of the latter."""
    if len(titles) == 2:
        layout: dict[str, Any] = {f"{axis}axis": dict(title=dict(text=t)) for axis, t in zip("xy", titles, strict=True)}
        return layout | dict(dragmode="select")
    box = {
        f"{axis}axis": dict(title=dict(text=t), gridcolor="rgba(128,128,128,0.3)", showbackground=False, color=MUTED)
        for axis, t in zip("xyz", titles, strict=True)
    }
    camera = dict(eye=dict(x=1.8, y=1.8, z=1.0), center=dict(x=0, y=0, z=-0.1))
    return dict(scene=dict(**box, uirevision="kernlib", camera=camera, **scene))


def eigenvectors_over_input(X: ArrayLike, U: ArrayLike, k: int = 6, field: Field | None = None) -> go.Figure:
    """Draw the first k eigenvectors as functions of the input: lines for one column, coloured points for two.

    Look for smooth waves of increasing frequency. Parameters: `field` the eigenvectors over a grid of the plane, see
    `functions_over_input`, drawn as contours behind the points. Raises DataError for more columns.
    """
    rows = np.asarray(X, dtype=np.float64)
    rows = rows[:, None] if rows.ndim == 1 else rows
    vectors = np.asarray(U, dtype=np.float64)
    count = max(1, min(k, vectors.shape[1]))
    if rows.shape[1] > 2:
        raise DataError(
            f"eigenvectors_over_input: X must have one or two columns to be drawn over; got {rows.shape[1]}. "
            "Use pca_scatter for such rows."
        )
    if rows.shape[1] == 1:
        order = np.argsort(rows[:, 0], kind="stable")
        fig = go.Figure()
        for j in range(count):
            fig.add_scatter(
                x=lean(rows[order, 0]), y=lean(vectors[order, j]), mode="lines",
                name=f"u<sub>{j + 1}</sub>", line=dict(color=class_colour(j), dash=class_dash(j)),
                hovertemplate="x = %{x:.4g}<br>u = <b>%{y:.4g}</b><extra>u<sub>" + str(j + 1) + "</sub></extra>",
            )  # fmt: skip
        fig.update_xaxes(title_text="input x")
        fig.update_yaxes(title_text="eigenvector entry [u<sub>j</sub>]<sub>i</sub>")
        height = 360
    else:
        across = min(3, count)
        down = -(-count // across)
        fig = make_subplots(
            down, across, subplot_titles=[f"u<sub>{j + 1}</sub>" for j in range(count)], shared_xaxes=True,
            shared_yaxes=True, horizontal_spacing=0.03, vertical_spacing=0.2 / down,
        )  # fmt: skip
        for j in range(count):
            most = float(np.abs(vectors[:, j]).max()) or 1.0
            if field is not None and j < len(field.draws):
                fig.add_contour(
                    x=lean(field.x), y=lean(field.y), z=lean(field.draws[j]), colorscale=DIVERGING, zmin=-most,
                    zmax=most, opacity=0.6, showscale=False, hoverinfo="skip", line=dict(width=0.5), name="u",
                    contours=dict(start=-most, end=most, size=most / 5), showlegend=False,
                    row=j // across + 1, col=j % across + 1,
                )  # fmt: skip
            fig.add_scatter(
                x=lean(rows[:, 0]), y=lean(rows[:, 1]), mode="markers", showlegend=False,
                name=f"u<sub>{j + 1}</sub>", row=j // across + 1, col=j % across + 1,
                marker=dict(color=lean(vectors[:, j]), colorscale=DIVERGING, cmin=-most, cmax=most, size=6,
                            line=dict(color=MUTED, width=0.4)),
                hovertemplate="(%{x:.3g}, %{y:.3g})<br>u = <b>%{marker.color:.4g}</b><extra></extra>",
            )  # fmt: skip
        fig.update_xaxes(title_text="x<sub>1</sub>", row=down)
        fig.update_yaxes(title_text="x<sub>2</sub>", col=1)
        height = 60 + 220 * down
    return finish(
        fig, height=height, alt=f"The first {count} eigenvectors of the Gram matrix over the input.",
        caption="Look whether leading eigenvectors vary slowly over the input, and later ones faster. Labels are "
        "learnable if the first few eigenvectors can represent them. Signs are arbitrary.",
    )  # fmt: skip
