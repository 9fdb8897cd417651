"""Figures of signal and noise: a known target, the fit over the input, noisier labels, fewer rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from ..analysis.relevant import RelevantDimension
from ..analysis.signal import Part, parts_by_size
from ..errors import DataError
from ..explain.trained import Field
from ..values.arrays import Array
from ..values.words import number
from .axes import log_axis
from .spectrum import INFORMATION, TRUTH, point_traces
from .theme import DIVERGING, KEYED, MUTED, colour_bar, composed, faint, lean, panels, upright


def signal_and_noise_plot(
    signal: ArrayLike, noise: ArrayLike, floor: ArrayLike | None = None, d: int | None = None, most: int = 60
) -> go.Figure:
    """Draw the coefficients of the true signal above those of the noise, on axes of one scale.

    Parameters: `signal` |U'G| and `noise` |U'ε|, (n,); `floor` (n,) the expected size of the noise's; `d` a cut; `most`
    directions in view.
    """
    s, e = np.asarray(signal, dtype=np.float64), np.asarray(noise, dtype=np.float64)
    n = len(s)
    view = min(max(most, (d or 0) + 1), n)
    i = np.arange(1, n + 1)
    layout = panels(2, 1, shared_xaxes=True, vertical_spacing=0.08)
    traces: list[dict[str, Any]] = []
    for panel, values, name, colour in (
        ("", s, "signal |u<sub>i</sub>′G|", TRUTH),
        ("2", e, "noise |u<sub>i</sub>′ε|", MUTED),
    ):
        traces.append(
            dict(
                type="bar", x=i, y=lean(values), name=name, marker=dict(color=colour, line=dict(width=0)),
                xaxis=f"x{panel}", yaxis=f"y{panel}",
                hovertemplate="i = %{x}<br>" + name + " = <b>%{y:.4g}</b><extra></extra>",
            )
        )  # fmt: skip
        layout[f"yaxis{panel}"] |= dict(
            title=dict(text=name), range=[0, 1.05 * max(s[:view].max(), e[:view].max(), 1e-300)]
        )
        layout[f"xaxis{panel}"]["range"] = [0.4, view + 0.6]
    words = "A kernel that suits the signal puts it into the first directions; the noise spreads over all directions."
    if floor is not None:
        height = np.asarray(floor, dtype=np.float64)
        traces.append(
            dict(
                type="scatter", x=i, y=lean(height), name="expected size of the noise", mode="lines", xaxis="x2",
                yaxis="y2", line=dict(color=MUTED, width=2, dash="dash"),
                hovertemplate="expected <b>%{y:.4g}</b><extra></extra>",
            )
        )  # fmt: skip
        words += " The dashed line is the expected height of the noise floor."
    layout["xaxis2"]["title"] = dict(text="direction i")
    if d is not None:
        lines = [upright(d + 0.5, f"d = {d}"), upright(d + 0.5, panel="2")]
        layout["shapes"] = [line for line, _ in lines]
        layout["annotations"] = [one for _, label in lines for one in label]
        left = float((s[d:] ** 2).sum() / ((s**2).sum() or 1.0))
        words += f" Beyond the cut at d = {d} lies {left:.1%} of the signal's squared length."
    return composed(
        traces, layout, height=400, legend=True, margin=KEYED | dict(l=90),
        alt=f"Coefficients of the true signal and of the noise along {view} directions.", caption=words,
    )  # fmt: skip


def signal_over_eigenvalues(signal: ArrayLike, noise: ArrayLike, eigenvalues: ArrayLike, d: int) -> go.Figure:
    """Draw the coefficients of the true signal and of the noise over the eigenvalues of their directions.

    Where the kernel suits the signal, its coefficients fall with the eigenvalues; those of noise do not.

    Parameters: `signal` |U'G| and `noise` |U'ε|, (n,); `eigenvalues` l of the matrix, (n,); `d` a cut.
    """
    s, e, values = (np.asarray(v, dtype=np.float64) for v in (signal, noise, eigenvalues))
    values = values / len(values)
    known = values > 1e-12 * values.max()
    traces = [
        dict(
            type="scatter", x=lean(values[known]), y=lean(np.maximum(v[known], 1e-9 * s.max())), name=name,
            mode="markers", marker=dict(color=colour, size=6, symbol=symbol),
            hovertemplate="l/n = %{x:.3g}<br>" + name + " = <b>%{y:.3g}</b><extra></extra>",
        )
        for v, name, colour, symbol in (
            (e, "noise |u<sub>i</sub>′ε|", MUTED, "circle-open"), (s, "signal |u<sub>i</sub>′G|", TRUTH, "circle"),
        )
    ]  # fmt: skip
    across, up = log_axis(values[known]), log_axis(np.concatenate([s[known], e[known]]))
    low, high = (float(np.log10(v)) for v in (values[known].min(), values[known].max()))
    ends = [high + 0.05 * (high - low), low - 0.05 * (high - low)]
    layout: dict[str, Any] = dict(
        xaxis=dict(title=dict(text="eigenvalue l<sub>i</sub>/n, from large to small")) | across | dict(range=ends),
        yaxis=dict(title=dict(text="coefficient")) | up,
    )
    kept = float((s[:d] ** 2).sum() / ((s**2).sum() or 1.0))
    trace = float(np.maximum(values[:d], 0.0).sum() / np.maximum(values, 0.0).sum())
    return composed(
        traces, layout, height=400, legend=True, margin=KEYED | dict(l=90),
        alt=f"Coefficients of signal and noise over {int(known.sum())} eigenvalues.",
        caption=f"The {d} largest eigenvalues are {trace:.1%} of the trace. Their directions hold {kept:.1%} of the "
        "signal. Where the kernel suits the signal, its coefficients fall as the eigenvalues do; those of noise stay "
        "level.",
    )  # fmt: skip


def fit_over_input(
    field: Field,
    rd: RelevantDimension,
    d: int,
    X: ArrayLike,
    classes: Sequence[Any] = (),
    ids: Sequence[Any] | None = None,
    columns: Sequence[str] = (),
    target: ArrayLike | None = None,
) -> go.Figure:
    """Draw ŷ(x) from the first d directions over the input: a line, or in the plane a field with its border.

    Parameters: `field` the eigenvectors as functions over a grid, see `functions_over_input`; `rd` of two classes or
    real labels; `X` (n, 1) or (n, 2) rows; `target` G over the same grid, (h · w,), drawn as a line, in the plane as
    the border of two classes.
    Raises DataError for more than two classes.
    """
    if rd.coefficients.ndim != 1:
        raise DataError(
            f"The fit over the input is one function for two classes or real labels; found {rd.coefficients.shape[1]} "
            "classes. See the disputed rows below."
        )
    rows, count = np.asarray(X, dtype=np.float64), min(d, len(field.draws))
    values = np.tensordot(rd.coefficients[:count], field.draws[:count], 1) + rd.offset
    G = None if target is None else np.asarray(target, dtype=np.float64).reshape(values.shape)
    title = [str(c) for c in columns] or ["x", "x<sub>2</sub>"]
    two = rd.labels.codes is not None
    names = classes if len(classes) or rd.labels.classes is None else list(rd.labels.classes)
    places = [rows[:, 0], rd.targets] if rows.shape[1] == 1 else [rows[:, 0], rows[:, 1]]
    points = point_traces(places, rd.labels.codes, names, ids, 6)
    if rows.shape[1] == 1:
        lines, heights = _fit_line(field, rd, values[0], None if G is None else G[0], d)
        traces = [*points, *lines]
        layout: dict[str, Any] = dict(
            xaxis=dict(title=dict(text=title[0])),
            yaxis=dict(title=dict(text="label ±1 and ŷ" if two else "label y and ŷ"), range=heights),
        )
        how = "The line follows the labels with the first d directions."
    else:
        traces = [*_fit_plane(field, rd, values, G, d), *points]
        layout = dict(
            xaxis=dict(title=dict(text=title[0]), range=[float(field.x[0]), float(field.x[-1])]),
            yaxis=dict(title=dict(text=title[1]), range=[float(field.y[0]), float(field.y[-1])]),
        )
        how = "Colours are ŷ from the first d directions" + ("; the thick line is its border." if two else ".")
    # Over two columns, lines are drawn for the borders between two classes alone.
    gold = "true signal" if rows.shape[1] == 1 else "border of the true signal" if two else ""
    also = f" The gold line is the {gold}." if gold and G is not None else ""
    return composed(
        traces, layout, height=420, legend=True, margin=KEYED,
        alt=f"The fit from {d} directions over the input, with {len(rows)} rows.",
        caption=f"{how}{also} Drag d: few directions fit too little, many follow the noise.",
    )  # fmt: skip


def _fit_line(
    field: Field, rd: RelevantDimension, values: Array, G: Array | None, d: int
) -> tuple[list[dict[str, Any]], list[float]]:
    """Return ŷ, and G where it is known, over one column; and the range of heights that shows the labels, too."""
    lines = [] if G is None else [(G, "true signal G", TRUTH)]
    lines += [(values, f"ŷ from {d} directions", INFORMATION)]
    traces = [
        dict(type="scatter", x=lean(field.x), y=lean(heights), name=name, mode="lines",
             line=dict(color=colour, width=3))
        for heights, name, colour in lines
    ]  # fmt: skip
    ends = np.concatenate([rd.targets, [] if G is None else G])
    room = 0.15 * float(np.ptp(ends)) or 1.0
    return traces, [float(ends.min()) - room, float(ends.max()) + room]


def _fit_plane(field: Field, rd: RelevantDimension, values: Array, G: Array | None, d: int) -> list[dict[str, Any]]:
    """Return ŷ over two columns in colours, and of two classes its border, and that of G where it is known."""
    two = rd.labels.codes is not None
    most = float(np.abs(rd.targets - rd.offset).max()) or 1.0
    middle = 0.0 if two else float(rd.offset)
    shade = dict(
        type="heatmap", x=lean(field.x), y=lean(field.y), z=lean(values), colorscale=DIVERGING,
        zmin=middle - most, zmax=middle + most, name="ŷ", opacity=0.55, showscale=not two, showlegend=False,
        colorbar=colour_bar("ŷ"),
        hovertemplate="%{x:.3g}, %{y:.3g}<br>ŷ = <b>%{z:.3g}</b><extra></extra>",
    )  # fmt: skip
    borders = [(values, INFORMATION, f"border ŷ = 0 from {d} directions")]
    borders += [] if G is None else [(G, TRUTH, "border of the true signal, G = 0")]
    return [shade] + [
        dict(
            type="contour", x=lean(field.x), y=lean(field.y), z=lean(z), showscale=False, hoverinfo="skip",
            contours=dict(start=0, end=0, size=1, coloring="none"), line=dict(color=colour, width=3),
            name=name, showlegend=True,
        )
        for z, colour, name in (borders if two else [])
    ]  # fmt: skip


def noisier_plot(lines: Sequence[tuple[float, int, int, int, float, float]], now: float, flips: bool) -> go.Figure:
    """Draw d̂, the noise floor and the estimated noise over the noise that was added to the labels.

    Parameters: `lines` (share, d̂, smallest and largest plausible d, RMS of the noise, estimated noise); `now` the
    present share; `flips` whether classes were flipped, else normal noise in standard deviations of y was added.
    """
    columns = [np.array(column, dtype=np.float64) for column in zip(*lines, strict=True)]
    share, dimension, low, high, floor, estimate = columns
    base = float(estimate[0])
    expected = base + share - 2 * base * share if flips else (base + share**2) / (1 + share**2)
    titles = ("dimension d̂", "noise floor (RMS)", "noise, of " + ("rows" if flips else "variance"))
    layout = panels(1, 3, titles, horizontal_spacing=0.09)
    marks: dict[str, Any] = dict(type="scatter", x=share, mode="lines+markers")
    line = marks | dict(mode="lines")
    third: dict[str, Any] = dict(xaxis="x3", yaxis="y3")
    edge = dict(line=dict(width=0), hoverinfo="skip")
    traces = [
        line | edge | dict(y=high, showlegend=False, name="largest plausible d"),
        line | edge | dict(y=low, fill="tonexty", fillcolor=faint(INFORMATION), name="plausible d, 95%"),
        marks | dict(y=dimension, line=dict(color=INFORMATION), name="d̂ and the estimated noise"),
        marks | dict(y=lean(floor), xaxis="x2", yaxis="y2", line=dict(color=MUTED), name="typical size of noise"),
        marks | third | dict(y=lean(estimate), line=dict(color=INFORMATION), name="estimated noise", showlegend=False),
        line | third | dict(y=lean(expected), line=dict(color=TRUTH, dash="dash"), name="with the noise added"),
    ]
    ends = f"From no noise to the most {_change('d̂', dimension)}, and {_change('the noise floor', floor)}."
    shapes = []
    for panel in ("", "2", "3"):
        layout[f"xaxis{panel}"] |= dict(
            title=dict(text="labels flipped" if flips else "noise added, in SD of y"), tickformat=".0%" if flips else ""
        )
        layout[f"yaxis{panel}"] |= dict(rangemode="tozero", tickformat=".0%" if panel == "3" else "")
        shapes.append(upright(now, panel=panel)[0])
    return composed(
        traces, layout | dict(shapes=shapes), height=320, legend=True, margin=KEYED | dict(l=50, t=40),
        alt=f"Relevant dimension, noise floor and estimated noise for {len(share)} amounts of added noise. {ends}",
        caption=f"{ends} Directions whose signal sinks below the floor are lost. The estimate should follow the gold "
        "line: what was there before, and what was added.",
    )  # fmt: skip


def _change(name: str, values: Array) -> str:
    """Return how a quantity's last value differs from its first, as text, and a turn between them."""
    known = values[np.isfinite(values)]
    if not len(known):
        return f"{name} is unknown"
    first, last = number(known[0], 2), number(known[-1], 2)
    low, high = sorted((known[0], known[-1]))
    for turn in (known.min(), known.max()):
        if (turn < low or turn > high) and number(turn, 2) not in (first, last):
            return f"{name} goes from {first} through {number(turn, 2)} to {last}"
    if first == last:
        return f"{name} stays {first}"
    return f"{name} {'rises' if known[-1] > known[0] else 'falls'} from {first} to {last}"


def dimension_over_rows(parts: Sequence[Part], regression: bool) -> go.Figure:
    """Draw d̂ and the distance of the fit from the true signal for fewer rows: look for values that settle.

    Parameters: `parts` of `fewer_rows`; `regression` names the unit of the noise, drawn where the signal is unknown.
    """
    n = np.array([part.n for part in parts], dtype=np.float64)
    cuts = np.cumsum([len(group) for group in parts_by_size(parts)])[:-1]
    d = np.array([np.nan if part.dimension is None else part.dimension for part in parts])
    distance = np.array([part.distance for part in parts])
    known = bool(np.isfinite(distance).any())
    second = distance if known else np.array([part.noise_share for part in parts])
    named = "mean (ŷ − G)²" if known else "estimated noise, share of " + ("variance" if regression else "rows")
    layout = panels(1, 2, ("relevant dimension d̂", named), horizontal_spacing=0.1)
    traces, ends = [], []
    sizes = np.array([size.mean() for size in np.split(n, cuts)])
    what = "the fit's distance from the true signal" if known else "the estimated noise"
    drawn = (("", "the mean d̂", d, INFORMATION), ("2", what, second, TRUTH if known else MUTED))
    for panel, name, values, colour in drawn:
        axes = dict(type="scatter", xaxis=f"x{panel}", yaxis=f"y{panel}")
        of_groups = np.split(values, cuts)
        middle = np.array([np.nanmean(v) if np.isfinite(v).any() else np.nan for v in of_groups])
        ends.append(_change(name, middle))
        traces += [
            dict(x=n, y=values, mode="markers", marker=dict(color=colour, size=7, opacity=0.6), showlegend=not panel,
                 name="a part of the rows", hovertemplate="n = %{x}<br><b>%{y:.4g}</b><extra></extra>", **axes),
            dict(x=sizes, y=middle, mode="lines", line=dict(color=colour, width=2), showlegend=not panel, name="mean",
                 hovertemplate="n = %{x}<br>mean <b>%{y:.4g}</b><extra></extra>", **axes),
        ]  # fmt: skip
        layout[f"xaxis{panel}"] |= dict(title=dict(text="rows n")) | log_axis(
            [float(n.min()) / 1.2, float(n.max()) * 1.2]
        )
        layout[f"yaxis{panel}"] |= dict(rangemode="tozero")
    end = f"d̂ of all {int(n.max())} rows is {number(d[-1])}."
    return composed(
        traces, layout, height=320, legend=True, margin=KEYED | dict(l=50, t=40),
        alt=f"Relevant dimension and {named} over the number of rows. {end}",
        caption="Each point is a disjoint part of the rows. "
        f"From {number(sizes[0], 3)} to {int(n.max())} rows {' and '.join(ends)}. Look whether both settle.",
    )  # fmt: skip
