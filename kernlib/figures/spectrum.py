"""Pictures of a spectrum: eigenvalues, label coefficients, the relevant dimension, kernel PCA, denoised labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray
from plotly.subplots import make_subplots

from ..analysis.relevant import PermutationBand, RelevantDimension, RelevantDimensionLOO
from ..analysis.spectrum import Decomposition, KernelPCA
from ..errors import DataError
from .theme import (
    CLASS_COLOURS,
    DIVERGING,
    MUTED,
    SEQUENTIAL,
    class_colour,
    class_symbol,
    escape,
    finish,
    lean,
    number,
    read_classes,
    row_labels,
)

__all__ = [
    "coefficient_plot",
    "denoised_labels",
    "eigenvalue_plot",
    "eigenvectors_over_input",
    "likelihood_plot",
    "noise_dimension_map",
    "pca_scatter",
]

Point = tuple[str, float, float]
BLUE, ORANGE, GREEN = CLASS_COLOURS[:3]

# Where the published study's own grouping of its thirteen data sets parts them.
LOW_DIMENSION, LOW_NOISE = 30.0, 0.09


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
    rd: RelevantDimension | RelevantDimensionLOO, sort: bool = False, log: bool = False, d: int | None = None
) -> go.Figure:
    """How much of the labels each kernel PCA direction carries: |s_i|, the cut, and the two fitted components.

    Look for large coefficients on the left that stand out of an even floor of noise on the right.
    Parameters: `sort` adds the same values in descending order; `log` a log axis; `d` another cut.
    """
    energy = np.square(rd.coefficients)
    energy = energy if energy.ndim == 1 else energy.sum(axis=1)
    size = lean(np.sqrt(energy))
    n, cut = len(size), rd.dimension if d is None else d
    i = np.arange(1, n + 1)
    sigma = [float(np.sqrt(part.mean())) if len(part) else 0.0 for part in (energy[:cut], energy[cut:])]
    fig = go.Figure()
    marks = dict(size=5 if n <= 400 else 3)
    groups = (("information, i ≤ d̂", slice(0, cut), BLUE), ("noise, i > d̂", slice(cut, n), ORANGE))
    for (name, part, colour), s in zip(groups, sigma, strict=True):
        if not len(i[part]):
            continue
        fig.add_scatter(
            x=i[part], y=size[part], name=name, mode="markers", marker=dict(color=colour, **marks),
            hovertemplate="i = %{x}<br>|s<sub>i</sub>| = <b>%{y:.4g}</b><extra></extra>",
        )  # fmt: skip
        ends = [i[part][0] - 0.5, i[part][-1] + 0.5]
        fig.add_scatter(
            x=ends, y=[s, s], mode="lines", line=dict(color=colour, width=2.5), showlegend=False,
            name="σ<sub>1</sub>" if part.start == 0 else "σ<sub>2</sub>", meta=dict(decoration=True),
            hovertemplate=("σ₁" if part.start == 0 else "σ₂") + " = <b>%{y:.4g}</b><extra></extra>",
        )  # fmt: skip
    if sort:
        fig.add_scatter(
            x=i, y=np.sort(size)[::-1], name="sorted by size", mode="lines", line=dict(color=GREEN, width=1.5),
            hovertemplate="rank %{x}<br>|s| = <b>%{y:.4g}</b><extra></extra>",
        )  # fmt: skip
    _cut_line(fig, cut, "d̂" if d is None or d == rd.dimension else "d")
    fig.update_xaxes(title_text="kernel PCA component i")
    fig.update_yaxes(title_text="|s<sub>i</sub>|", rangemode="tozero")
    if log:
        fig.update_yaxes(type="log", rangemode="normal", exponentformat="power")
    return finish(
        fig, height=340,
        alt=f"Sizes of {n} label coefficients; the first {cut} have root mean square {number(sigma[0])}, the others "
        f"{number(sigma[1])}.",
        caption="Each point says how much of the labels one kernel PCA direction carries. A clean drop at the dashed "
        "line means that the labels live in the first directions; the rest, an even floor, is noise.",
    )  # fmt: skip


def likelihood_plot(
    rd: RelevantDimension, loo: RelevantDimensionLOO | None = None, band: PermutationBand | None = None
) -> go.Figure:
    """−log ℓ(d) over the dimension with its minimum: a sharp valley is a cut that can be trusted.

    Parameters: `loo` adds the leave-one-out error below, over the same d; `band` what shuffled labels give.
    """
    rows = 1 if loo is None else 2
    fig = make_subplots(rows, 1, shared_xaxes=True, vertical_spacing=0.06)
    d = np.arange(1, len(rd.neg_log_likelihood) + 1)
    if band is not None and len(band.band) >= 2:
        low, high = lean(band.band[0]), lean(band.band[-1])
        edge = dict(mode="lines", line=dict(width=0), hoverinfo="skip", legendgroup="band")
        fig.add_scatter(x=d, y=high, name="shuffled, upper", showlegend=False, **edge, row=1, col=1)
        fig.add_scatter(
            x=d, y=low, fill="tonexty", fillcolor="rgba(128,128,128,0.25)", **edge, row=1, col=1,
            name=f"shuffled labels, {band.quantiles[0]:.0%}–{band.quantiles[-1]:.0%}",
        )  # fmt: skip
    _curve(fig, d, rd.neg_log_likelihood, rd.dimension, "−log ℓ", BLUE, 1)
    fig.update_yaxes(title_text="−log ℓ(d)", row=1, col=1)
    if loo is not None:
        _curve(
            fig, np.arange(1, len(loo.loo_error) + 1), loo.loo_error, loo.dimension, "leave-one-out error", ORANGE, 2
        )
        fig.update_yaxes(title_text="LOO error", row=2, col=1)
        # Late dimensions fit single rows and blow the error up; the valley must stay visible.
        if float(loo.loo_error.min()) > 0:
            fig.update_yaxes(type="log", nticks=5, row=2, col=1)
    fig.update_xaxes(title_text="dimension d", row=rows, col=1)
    verdict = "" if band is None else " " + band.verdict
    return finish(
        fig, height=320 if loo is None else 460,
        alt=f"−log ℓ over the dimension, smallest at d = {rd.dimension} with {number(rd.minimum)}"
        + ("" if loo is None else f"; leave-one-out error smallest at d = {loo.dimension}") + f".{verdict}",
        caption="The deepest point is the relevant dimension d̂. A sharp valley well below the grey band is a cut to "
        "trust; a flat one, or one inside the band, is not." + verdict,
    )  # fmt: skip


def _curve(fig: go.Figure, d: NDArray[Any], values: NDArray[Any], best: int, name: str, colour: str, row: int) -> None:
    fig.add_scatter(
        x=d, y=lean(values), name=name, mode="lines", line=dict(color=colour, width=2),
        hovertemplate="d = %{x}<br>" + name + " = <b>%{y:.5g}</b><extra></extra>", row=row, col=1,
    )  # fmt: skip
    fig.add_scatter(
        x=[best], y=[float(values[best - 1])], name=f"minimum, d = {best}", mode="markers", row=row, col=1,
        marker=dict(color=colour, size=12, symbol="star", line=dict(color=MUTED, width=1)), showlegend=True,
        hovertemplate="d̂ = <b>%{x}</b><br>" + name + " = %{y:.5g}<extra></extra>",
    )  # fmt: skip


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
    make: Any = (go.Scattergl if n > 4000 else go.Scatter) if flat else go.Scatter3d
    fig = go.Figure()
    axes = dict(zip("xyz", columns, strict=False))

    def add(rows: NDArray[np.intp], name: str, marker: dict[str, Any], extra: str) -> None:
        fig.add_trace(
            make(
                **{axis: lean(values[rows]) for axis, values in axes.items()},
                customdata=rows.astype(np.int32)[:, None], hovertext=labels[rows], name=name, mode="markers",
                marker=marker, hovertemplate="%{hovertext}<br>%{x:.4g}, %{y:.4g}" + ("" if flat else ", %{z:.4g}")
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
        fig.add_scatter(
            x=lean(columns[0][ringed]), y=lean(columns[1][ringed]), name="disputed label",
            mode="markers", hoverinfo="skip", meta=dict(decoration=True),
            marker=dict(symbol="circle-open", size=size + 7, color=MUTED, line=dict(width=2)),
        )  # fmt: skip
    if flat:
        fig.update_xaxes(title_text=titles[0])
        fig.update_yaxes(title_text=titles[1])
        fig.update_layout(dragmode="select")
    else:
        box = {
            f"{axis}axis": dict(
                title=dict(text=t), gridcolor="rgba(128,128,128,0.3)", showbackground=False, color=MUTED
            )
            for axis, t in zip("xyz", titles, strict=True)
        }
        fig.update_layout(
            scene=dict(
                **box, uirevision="kernlib", camera=dict(eye=dict(x=1.8, y=1.8, z=1.0), center=dict(x=0, y=0, z=-0.1))
            )
        )
    groups = f", in {len(names)} classes" if names else ""
    return finish(
        fig, height=430 if flat else 520, title=title, caption=caption, alt=f"Scatter of {n} rows over {what}{groups}.",
        legend=None if codes is None else True,
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


def denoised_labels(
    rd: RelevantDimension | RelevantDimensionLOO,
    y: ArrayLike | None = None,
    classes: Sequence[Any] = (),
    ids: Sequence[Any] | None = None,
    d: int | None = None,
) -> go.Figure:
    """What the first d directions say of each row's label; rows whose label they dispute are ringed.

    Parameters: `y`, `classes` only name the labels (default: those in `rd`); `d` another cut than d̂.
    """
    cut = rd.dimension if d is None else d
    fitted, labels, ringed = rd.denoised_at(cut), rd.labels, rd.disputed_at(cut)
    n = len(fitted)
    ids_text = row_labels(ids, n)
    fig = go.Figure()
    if labels.codes is None or labels.classes is None:
        target = rd.targets
        ends = [float(min(target.min(), fitted.min())), float(max(target.max(), fitted.max()))]
        fig.add_scatter(
            x=ends, y=ends, mode="lines", line=dict(color=MUTED, dash="dash", width=1.5), name="ŷ = y",
            hoverinfo="skip", meta=dict(decoration=True),
        )  # fmt: skip
        fig.add_scatter(
            x=lean(target), y=lean(fitted), mode="markers", name="rows", hovertext=ids_text,
            customdata=np.arange(n, dtype=np.int32)[:, None], marker=dict(color=BLUE, size=6, opacity=0.95),
            hovertemplate="%{hovertext}<br>y = %{x:.4g}<br>ŷ = <b>%{y:.4g}</b><extra></extra>",
        )  # fmt: skip
        across, up = target, fitted
        fig.update_xaxes(title_text="label y")
        fig.update_yaxes(title_text="denoised label ŷ")
    else:
        codes = labels.codes
        names = [escape(c) for c in labels.classes]
        if y is not None and len(classes) == len(names):
            names = [escape(c) for c in classes]
        two = fitted.ndim == 1
        up = fitted if two else rd.margin_at(cut)
        axis = f"ŷ (above 0: {names[1]})" if two else "ŷ of the own class less the best other"
        across = np.empty(n)
        across[np.lexsort((up, codes))] = np.arange(n)
        for code, name in enumerate(names):
            rows = np.flatnonzero(codes == code)
            fig.add_scatter(
                x=across[rows].astype(np.int32), y=lean(up[rows]), mode="markers", name=name,
                hovertext=ids_text[rows], customdata=rows.astype(np.int32)[:, None],
                marker=dict(color=class_colour(code), symbol=class_symbol(code), size=6, opacity=0.95),
                hovertemplate="%{hovertext}<br>ŷ = <b>%{y:.4g}</b><extra>" + name + "</extra>",
            )  # fmt: skip
        fig.add_hline(y=0, line=dict(color=MUTED, width=1.5, dash="dash"))
        fig.update_xaxes(title_text="rows, by class and ŷ")
        fig.update_yaxes(title_text=axis)
    if len(ringed):
        fig.add_scatter(
            x=lean(across[ringed]), y=lean(up[ringed]), mode="markers", hoverinfo="skip",
            name=f"disputed ({len(ringed)})", meta=dict(decoration=True),
            marker=dict(symbol="circle-open", size=13, color=MUTED, line=dict(width=2)),
        )  # fmt: skip
    return finish(
        fig, height=360, legend=True,
        alt=f"Denoised labels of {n} rows from {cut} components; {len(ringed)} labels are disputed.",
        caption=f"Each point is a row, as the first {cut} directions would label it. Ringed rows are those whose own "
        "label this disputes: mislabelled, unusual, or beyond this kernel.",
    )  # fmt: skip


def noise_dimension_map(
    points: Mapping[str, tuple[float, float]] | Sequence[Point],
    here: Point | Sequence[Point] | None = None,
    low_dimension: float = LOW_DIMENSION,
    low_noise: float = LOW_NOISE,
) -> go.Figure:
    """Noise over relevant dimension with landmarks: is this data set hard because it is noisy, or complex?

    Parameters: `points` landmarks as (name, dimension, noise) or {name: (dimension, noise)}, noise as a
    share of rows, or of the variance of real labels (`noise_share`); `here` the data in hand in the same form;
    `low_dimension`, `low_noise` part the quadrants.
    """
    marks = [(k, *v) for k, v in points.items()] if isinstance(points, Mapping) else list(points)
    own: list[Point] = [] if here is None else [here] if isinstance(here, tuple) else list(here)
    fig = go.Figure()
    spots = ("top center", "bottom center", "middle right", "middle left")
    groups = (("published", marks, MUTED, "circle", 8), ("here", own, ORANGE, "star", 15))
    for group, given, colour, symbol, size in groups:
        known = [p for p in given if np.isfinite(p[1]) and np.isfinite(p[2])]
        if known:
            known.sort(key=lambda p: (p[1], p[2]))
            fig.add_scatter(
                x=[float(p[1]) for p in known], y=[float(p[2]) for p in known], text=[escape(p[0], 24) for p in known],
                hovertext=[escape(p[0]) for p in known], mode="markers+text", name=group, cliponaxis=False,
                textposition=[spots[i % 4] for i in range(len(known))] if group == "published" else "top center",
                textfont=dict(size=11, color=colour), marker=dict(color=colour, symbol=symbol, size=size),
                hovertemplate="%{hovertext}<br>d̂ = %{x}<br>noise %{y:.1%}<extra></extra>",
            )  # fmt: skip
    line = dict(color=MUTED, width=1, dash="dot")
    fig.add_vline(x=low_dimension, line=line)
    fig.add_hline(y=low_noise, line=line)
    corners = (("simple, clean", 0, 0), ("simple, noisy", 0, 1), ("complex, clean", 1, 0), ("complex, noisy", 1, 1))
    for words, x, y in corners:
        fig.add_annotation(
            text=f"<i>{words}</i>", xref="paper", yref="paper", x=x, y=y, xanchor=("left", "right")[x],
            yanchor=("bottom", "top")[y], showarrow=False, font=dict(size=11),
        )  # fmt: skip
    everything = [p for p in [*marks, *own] if np.isfinite(p[1]) and np.isfinite(p[2])]
    highest = max([p[2] for p in everything], default=0.4)
    widest = max([p[1] for p in everything], default=300.0)
    fig.update_xaxes(title_text="relevant dimension d̂", type="log", range=[0, np.log10(max(widest, 300) * 2)], dtick=1)
    fig.update_yaxes(title_text="noise level", tickformat=".0%", range=[-0.03, max(highest * 1.12, 0.4)])
    said = "; ".join(f"{escape(p[0])}: d̂ = {number(p[1])}, noise {p[2]:.1%}" for p in own)
    return finish(
        fig, height=420, alt=f"Noise over relevant dimension of {len(marks)} published data sets. {said}".strip() + ".",
        caption="To the right a problem needs many directions: a better kernel or more rows would help. Further up "
        "the labels themselves are noisy: no kernel will help much.",
    ).update_layout(margin_t=24)  # fmt: skip
