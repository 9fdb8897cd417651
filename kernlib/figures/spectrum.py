"""Pictures of a spectrum: eigenvalues, label coefficients, the relevant dimension, kernel PCA, denoised labels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray
from plotly.subplots import make_subplots

from ..analysis.relevant import PermutationBand, RelevantDimension, RelevantDimensionLOO
from ..analysis.spectrum import Decomposition, KernelPCA
from ..errors import DataError
from ..values.arrays import Array
from .axes import log_axis
from .theme import (
    CLASS_COLOURS,
    DIVERGING,
    KEYED,
    MUTED,
    SEQUENTIAL,
    TITLED,
    class_colour,
    class_symbol,
    composed,
    escape,
    finish,
    lean,
    number,
    panels,
    read_classes,
    row_labels,
    upright,
)

__all__ = [
    "coefficient_plot",
    "eigenvalue_plot",
    "eigenvectors_over_input",
    "likelihood_plot",
    "pca_scatter",
    "selection_curve",
]

BLUE, ORANGE, GREEN = CLASS_COLOURS[:3]


def eigenvalue_plot(spectrum: Decomposition | ArrayLike, log: bool = True, cut: int | None = None) -> go.Figure:
    """Eigenvalues in descending order: look for how fast they fall, and for negative ones.

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
    for name, chosen, colour in (
        ("positive", values > tolerance, BLUE),
        ("zero to rounding", np.abs(values) <= tolerance, MUTED),
        ("negative (size)" if log else "negative", values < -tolerance, ORANGE),
    ):
        if chosen.any() and not (log and name.startswith("zero")):
            drawn = np.abs(values[chosen]) if log else values[chosen]
            fig.add_scatter(
                x=j[chosen], y=lean(drawn), customdata=lean(values[chosen]), name=name,
                mode="lines+markers" if n <= 200 else "lines", line=dict(color=colour, width=1.5),
                marker=dict(color=colour, size=5),
                hovertemplate="l<sub>%{x}</sub> = <b>%{customdata:.4g}</b><extra></extra>",
            )  # fmt: skip
    fig.update_xaxes(title_text="component j")
    fig.update_yaxes(title_text="|l<sub>j</sub>|" if log else "eigenvalue l<sub>j</sub>")
    if log:
        fig.update_yaxes(type="log", exponentformat="power", nticks=6)
    if cut is not None:
        _cut_line(fig, cut)
    negative, zero = int((values < -tolerance).sum()), int((np.abs(values) <= tolerance).sum())
    return finish(
        fig, height=320,
        alt=f"{n} eigenvalues falling from {number(values[0]) if n else '–'} to {number(values[-1]) if n else '–'}; "
        f"{negative} negative, {zero} zero to rounding.",
        caption="The faster the eigenvalues fall, the fewer directions the kernel really uses. Negative ones mean "
        "that it is not positive semi-definite."
        + (f" {zero} that are zero to rounding are left out of the log axis." if log and zero else ""),
    )  # fmt: skip


def _cut_line(fig: go.Figure, d: int, label: str = "d̂", **where: Any) -> None:
    fig.add_vline(
        x=d + 0.5, line=dict(color=MUTED, width=1.5, dash="dash"), annotation_text=f"{label} = {d}",
        annotation_position="top right", annotation_font_size=12, **where,
    )  # fmt: skip


def coefficient_plot(
    rd: RelevantDimension | RelevantDimensionLOO,
    sort: bool = False,
    log: bool = False,
    d: int | None = None,
    most: int | None = None,
    height: int = 360,
) -> go.Figure:
    """How much of the labels each kernel PCA direction carries: |s_i|, the cut, and the two fitted components.

    Look for large coefficients on the left that stand out of an even floor of noise on the right.
    Parameters: `sort` adds the same values in descending order; `log` a log axis; `d` another cut; `most` how many
    directions are in view (all can be reached by panning), None for all.
    """
    energy = rd.energy
    size = np.sqrt(energy[: len(rd.coefficients)])  # beyond what landmarks span there is a mean only
    n, cut = len(size), rd.dimension if d is None else d
    i = np.arange(1, n + 1)
    sigma = [float(np.sqrt(part.mean())) if len(part) else 0.0 for part in (energy[:cut], energy[cut:])]
    seen = n if most is None else min(max(most, cut + 1), n)
    traces: list[dict[str, Any]] = []
    marks = dict(size=7 if seen <= 60 else 5 if seen <= 400 else 3)
    name_of = "d̂" if d is None or d == rd.dimension else "d"
    groups = ((f"information, i ≤ {name_of}", slice(0, cut), BLUE), (f"noise, i > {name_of}", slice(cut, n), ORANGE))
    for (name, part, colour), s in zip(groups, sigma, strict=True):
        if not len(i[part]):
            continue
        ends = [i[part][0] - 0.5, i[part][-1] + 0.5]
        first = part.start == 0
        traces.append(
            dict(
                type="scatter", x=ends, y=[s, s], mode="lines", line=dict(color=colour, width=3),
                fill=None if log else "tozeroy", fillcolor=_faint(colour),
                name=f"σ<sub>{1 if first else 2}</sub> = {number(s)}", meta=dict(decoration=True),
                hovertemplate=("σ₁" if first else "σ₂") + " = <b>%{y:.4g}</b><extra></extra>",
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
                line=dict(color=GREEN, width=1.5),
                hovertemplate="rank %{x}<br>|s| = <b>%{y:.4g}</b><extra></extra>",
            )
        )  # fmt: skip
    line, words = upright(cut + 0.5, f"{name_of} = {cut}")
    ends = [0.5 - 0.01 * seen, seen + 0.5 + 0.01 * seen]
    heights: dict[str, Any] = dict(rangemode="tozero")
    if log:
        # What labels without noise leave is rounding, and must not stretch the axis over sixteen decades.
        floor = max(float(size[:seen].min()), 1e-6 * float(size.max()) or 1e-300)
        heights = dict(
            type="log", rangemode="normal", exponentformat="power",
            range=[np.log10(floor / 2), np.log10(2 * float(size.max()) or 1.0)],
        )  # fmt: skip
    layout = dict(
        xaxis=dict(title=dict(text="kernel PCA component i"), range=ends),
        yaxis=dict(title=dict(text="|s<sub>i</sub>|"), **heights), shapes=[line], annotations=words,
    )  # fmt: skip
    shown = "" if seen == n else f" The first {seen} of {n} are in view."
    return composed(
        traces, layout, height=height, legend=True, margin=KEYED | dict(b=120),
        alt=f"Sizes of {n} label coefficients; the first {cut} have root mean square {number(sigma[0])}, the others "
        f"{number(sigma[1])}.{shown}",
        caption="Each point says how much of the labels one kernel PCA direction carries. A clean drop at the dashed "
        "line means that the labels live in the first directions; the rest, an even floor, is noise. The levels are "
        f"the two fitted components, σ₁ and σ₂.{shown}",
    )  # fmt: skip


def _faint(colour: str) -> str:
    r, g, b = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return f"rgba({r},{g},{b},0.12)"


def likelihood_plot(
    rd: RelevantDimension,
    loo: RelevantDimensionLOO | None = None,
    band: PermutationBand | None = None,
    most: int | None = None,
) -> go.Figure:
    """−log ℓ(d) over the dimension with its minimum: a sharp valley is a cut that can be trusted.

    The axis is scaled to the valley: what stands above it, the first spike, is cut off. Parameters: `loo` adds the
    leave-one-out error below, over the same d; `band` what shuffled labels give; `most` the largest d in view, None
    for all.
    """
    rows = 1 if loo is None else 2
    layout = panels(rows, 1, shared_xaxes=True, vertical_spacing=0.06)
    traces: list[dict[str, Any]] = []
    last = len(rd.neg_log_likelihood)
    seen = last if most is None else min(max(most, rd.dimension + 1, 2), last)
    d = np.arange(1, last + 1)
    ends, cut_off = _valley(rd.neg_log_likelihood[:seen])
    layout["yaxis"] |= dict(title=dict(text="−log ℓ(d)"), range=ends)
    trust = "A sharp valley is a cut to trust; a flat one is not."
    if band is not None and len(band.band) >= 2:
        edge = dict(type="scatter", x=d, mode="lines", line=dict(width=0), hoverinfo="skip", legendgroup="band")
        name = f"shuffled labels, {band.quantiles[0]:.0%}–{band.quantiles[-1]:.0%}"
        # The band often stands far above: it must not press the valley flat, and a key to nothing in view says nothing.
        least = float(np.nanmin(band.band[0][:seen]))
        in_view = least < ends[1]
        traces.append(dict(y=lean(band.band[-1]), name="shuffled, upper", showlegend=False, **edge))
        traces.append(
            dict(
                y=lean(band.band[0]), fill="tonexty", fillcolor="rgba(128,128,128,0.25)", name=name,
                showlegend=in_view, **edge,
            )
        )  # fmt: skip
        if in_view:
            trust = "A sharp valley well below the grey band is a cut to trust; a flat one, or one inside it, is not."
        else:
            trust = f"A sharp valley is a cut to trust: {name}, stay above this picture, at {number(least)} and higher."
            layout["annotations"] = [
                dict(
                    text=f"↑ {name}: from {number(least)}", xref="x domain", yref="y domain", x=1, y=1,
                    xanchor="right", yanchor="bottom", showarrow=False, font=dict(color=MUTED),
                )
            ]  # fmt: skip
    traces += _curve(d, rd.neg_log_likelihood, rd.dimension, "−log ℓ", BLUE)
    if loo is not None:
        errors = np.arange(1, len(loo.loo_error) + 1)
        traces += _curve(errors, loo.loo_error, loo.dimension, "leave-one-out error", ORANGE, "2")
        # Late dimensions fit single rows and blow the error up, beyond that of one direction; the valley must show.
        start = float(loo.loo_error[0])
        useful = np.minimum(loo.loo_error[: max(seen, loo.dimension)], 1.5 * start if start > 0 else np.inf)
        below, _ = _valley(useful)
        cut_off |= float(loo.loo_error[:seen].max()) > below[1]
        layout["yaxis2"] |= dict(title=dict(text="leave-one-out error"), range=below)
    for name in [name for name in layout if name.startswith("xaxis")]:
        layout[name]["range"] = [1 - 0.01 * seen, seen + 0.01 * seen]
    layout["xaxis" if rows == 1 else "xaxis2"]["title"] = dict(text="dimension d")
    verdict = "" if band is None else " " + band.verdict
    part = (" What stands far above the valleys is cut off." if cut_off else "") + (
        "" if seen == last else f" Dimensions up to {seen} of {last} are in view."
    )
    return composed(
        traces, layout, height=340 if loo is None else 460, margin=KEYED | dict(l=90, b=130),
        alt=f"−log ℓ over the dimension, smallest at d = {rd.dimension} with {number(rd.minimum)}"
        + ("" if loo is None else f"; leave-one-out error smallest at d = {loo.dimension}") + f".{verdict}",
        caption=f"The deepest point is the relevant dimension d̂. {trust}{verdict}{part}",
    )  # fmt: skip


def _valley(curve: Array) -> tuple[list[float], bool]:
    """Ends of an axis that shows where a curve is low, and whether some of it is cut off: three times the way from the
    lowest point to the middle one, at most all of it."""
    known = curve[np.isfinite(curve)]
    low, middle, top = (float(v) for v in np.quantile(known, [0, 0.5, 1]))
    wanted = min(top, low + 3 * (middle - low)) if middle > low else top
    span = (wanted - low) or abs(low) or 1.0
    return [low - 0.08 * span, low + 1.08 * span], wanted < top


def selection_curve(
    values: Sequence[Any],
    likelihood: ArrayLike,
    dimension: Sequence[int | None],
    name: str,
    current: Any = None,
    log: bool = False,
) -> go.Figure:
    """Model selection by −log ℓ(d̂): which value of a kernel's number separates information from noise best.

    Parameters: `values` of the number called `name`; `likelihood` (v,) −log ℓ at each value's own d̂, nan where it
    has not come; `dimension` (v,) those d̂; `current` the present value; `log` the axis.
    """
    y = np.asarray(likelihood, dtype=np.float64)
    x = np.array([float(v) for v in values])
    words = ["–" if v is None else str(v) for v in dimension]
    fig = go.Figure(
        go.Scatter(
            x=x, y=lean(y), mode="lines+markers", name="−log ℓ(d̂)", line=dict(color=BLUE, width=2),
            customdata=[float(v) for v in values], hovertext=words, connectgaps=True,
            hovertemplate=f"{escape(name)} = %{{x:.4g}}<br>−log ℓ = <b>%{{y:.4g}}</b><br>d̂ = %{{hovertext}}"
            "<extra></extra>",
        )
    )  # fmt: skip
    told = "No value has been computed yet."
    if np.isfinite(y).any():
        best = int(np.nanargmin(y))
        told = f"Smallest at {escape(name)} = {values[best]:.4g}, with d̂ = {words[best]}."
        fig.add_scatter(
            x=[x[best]], y=[y[best]], mode="markers", name=f"best, {values[best]:.4g}", hoverinfo="skip",
            marker=dict(symbol="star", size=16, color=ORANGE), meta=dict(decoration=True),
        )  # fmt: skip
    if isinstance(current, int | float) and not (log and current <= 0):
        fig.add_vline(x=float(current), line=dict(color=MUTED, width=1.5, dash="dash"))
        # Shapes take a value on a log axis, annotations its logarithm.
        fig.add_annotation(
            text=f"now {current:.4g}", x=math.log10(current) if log else float(current), y=1, yref="paper",
            yanchor="bottom", showarrow=False, font=dict(size=12),
        )  # fmt: skip
    fig.update_xaxes(title_text=escape(name))
    if log and len(x) and x.min() > 0:
        fig.update_xaxes(**log_axis(x))
    fig.update_yaxes(title_text="−log ℓ(d̂)")
    return finish(
        fig, height=340, legend=False, alt=f"−log ℓ at the relevant dimension over {escape(name)}. {told}",
        caption=f"Each point is a whole kernel, cut at its own relevant dimension; lower separates information from "
        f"noise better. {told} Press a point to take its value.",
    ).update_layout(margin_t=24, clickmode="event+select")  # fmt: skip


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
    title: str | None = None,
) -> go.Figure:
    """Rows in two or three kernel PCA components: look for classes that stand apart.

    Parameters: `scores` (n, d), or a kernel PCA with its shares explained; `dims` components counted from 1, two or
    three of them; `explained` (d,) shares for the axis titles; `highlight` row numbers to ring. Every point's
    `customdata[0]` is its row number, which is what a selection gives back.
    """
    if isinstance(scores, KernelPCA):
        explained = scores.explained if explained is None else explained
        scores = scores.scores
    Z = np.asarray(scores, dtype=np.float64)
    wanted = [int(c) for c in dims]
    if len(wanted) not in (2, 3) or any(c < 1 for c in wanted):
        raise DataError(f"pca_scatter: dims must be two or three components counted from 1; got {tuple(dims)}.")
    # One direction only: the others are drawn as zero instead of being refused.
    picked = [Z[:, c - 1] if c <= Z.shape[1] else np.zeros(len(Z)) for c in wanted]
    share = None if explained is None else np.asarray(explained)
    titles = [
        f"component {c}"
        + (f" ({share[c - 1]:.1%})" if share is not None and c <= len(share) and np.isfinite(share[c - 1]) else "")
        for c in wanted
    ]
    return points(
        picked, titles, y, classes, ids, highlight, title,
        what=f"kernel PCA components {', '.join(map(str, wanted))}",
        caption="Each point is a row. Classes that stand apart here can be told apart by a line in these directions; "
        "points amid the other class are worth a look.",
    )  # fmt: skip


def points(
    columns: Sequence[NDArray[Any]],
    titles: Sequence[str],
    y: ArrayLike | None,
    classes: Sequence[Any],
    ids: Sequence[Any] | None,
    highlight: ArrayLike | None,
    title: str | None,
    what: str,
    caption: str,
) -> go.Figure:
    """A scatter of two or three columns, one trace per class or one coloured by real targets."""
    n = len(columns[0])
    labels = row_labels(ids, n)
    codes, names = read_classes(y, classes)
    flat = len(columns) == 2
    # A direction in which all rows are one point, as the first of a diffusion kernel, is no map of its rounding.
    still = [float(np.ptp(v)) <= 1e-9 * float(np.abs(v).max()) if len(v) else False for v in columns]
    columns = [np.full_like(v, v.mean()) if constant else v for v, constant in zip(columns, still, strict=True)]
    titles = [f"{t}, alike for all rows" if constant else t for t, constant in zip(titles, still, strict=True)]
    kind = ("scattergl" if n > 4000 else "scatter") if flat else "scatter3d"
    traces: list[dict[str, Any]] = []
    axes = dict(zip("xyz", columns, strict=False))

    def add(rows: NDArray[np.intp], name: str, marker: dict[str, Any], extra: str) -> None:
        traces.append(
            dict(
                type=kind, **{axis: lean(values[rows]) for axis, values in axes.items()},
                customdata=rows.astype(np.int32)[:, None], hovertext=labels[rows], name=name,
                mode="markers", marker=marker,
                hovertemplate="%{hovertext}<br>%{x:.4g}, %{y:.4g}" + ("" if flat else ", %{z:.4g}")
                + f"<extra>{extra}</extra>",
            )
        )  # fmt: skip

    size = (8 if n <= 300 else 6 if n <= 1500 else 4) if flat else 4
    if codes is not None:
        for code, name in enumerate(names):
            rows = np.flatnonzero(codes == code)
            if len(rows):
                # WebGL in three dimensions knows few symbols; colour must do there.
                symbol = class_symbol(code) if flat else ("circle", "diamond", "square", "cross")[code % 4]
                add(rows, name, dict(color=class_colour(code), symbol=symbol, size=size, opacity=0.95), name)
    elif y is not None:
        bar = dict(title=dict(text="y", side="right"), thickness=10, outlinewidth=0)
        shade = dict(color=np.asarray(y, dtype=np.float32), colorscale=SEQUENTIAL, colorbar=bar, showscale=True)
        add(
            np.arange(n), "rows", dict(size=size, line=dict(color=MUTED, width=0.5), **shade), "y = %{marker.color:.4g}"
        )
    else:
        add(np.arange(n), "rows", dict(color=BLUE, size=size, opacity=0.95), "")
    if highlight is not None and flat and len(ringed := np.asarray(highlight, dtype=np.intp)):
        traces.append(
            dict(
                type="scatter", x=lean(columns[0][ringed]), y=lean(columns[1][ringed]), name="disputed label",
                mode="markers", hoverinfo="skip", meta=dict(decoration=True),
                marker=dict(symbol="circle-open", size=size + 7, color=MUTED, line=dict(width=2)),
            )
        )  # fmt: skip
    layout: dict[str, Any]
    if flat:
        layout = {f"{axis}axis": dict(title=dict(text=t)) for axis, t in zip("xy", titles, strict=True)}
        layout["dragmode"] = "select"
    else:
        box = {
            f"{axis}axis": dict(
                title=dict(text=t), gridcolor="rgba(128,128,128,0.3)", showbackground=False, color=MUTED
            )
            for axis, t in zip("xyz", titles, strict=True)
        }
        camera = dict(eye=dict(x=1.8, y=1.8, z=1.0), center=dict(x=0, y=0, z=-0.1))
        layout = dict(scene=dict(**box, uirevision="kernlib", camera=camera))
    groups = f", in {len(names)} classes" if names else ""
    return composed(
        traces, layout, height=430 if flat else 520, title=title, caption=caption,
        alt=f"Scatter of {n} rows over {what}{groups}.", legend=None if codes is None else True,
        margin=(KEYED if names else TITLED) if flat else None,
    )  # fmt: skip


def eigenvectors_over_input(X: ArrayLike, U: ArrayLike, k: int = 6) -> go.Figure:
    """The first k eigenvectors as functions of the input: lines for one column, coloured points for two.

    Look for smooth waves that get faster from component to component. Raises DataError for more columns.
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
                name=f"u<sub>{j + 1}</sub>", line=dict(color=class_colour(j), dash=_dash(j)),
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
        caption="Leading eigenvectors vary slowly over the input, later ones faster. What the labels do must be "
        "built from the first few to be learnable. Their signs are arbitrary.",
    )  # fmt: skip


def _dash(j: int) -> str:
    return ("solid", "dash", "dot", "dashdot")[(j // 4) % 4]
