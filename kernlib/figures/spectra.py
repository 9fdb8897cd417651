"""Figures of several spectra: kernels over each other, fewer rows against all, and the geometry of feature space."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from ..analysis.layout import graph_layout
from ..analysis.relevant import RelevantDimension
from ..analysis.signal import Part, eigenvalue_errors, parts_by_size
from ..explain.quadratic import Quadratic
from ..values.words import number, percent
from .axes import log_axis, named_places
from .data import edge_trace
from .spectrum import INFORMATION, point_layout, point_traces
from .theme import (
    CLASS_COLOURS,
    DIVERGING,
    KEYED,
    MUTED,
    SEQUENTIAL,
    colour_bar,
    composed,
    escape,
    faint,
    lean,
    panels,
    row_labels,
    upright,
)

#: The most rows that `gram_rows` draws.
_LINES = 40
#: Colours of kept kernels; the present kernel has that of information.
_KEPT = tuple(c for c in CLASS_COLOURS if c != INFORMATION)


def kernels_plot(cuts: Sequence[tuple[str, RelevantDimension]], most: int | None = None) -> go.Figure:
    """Draw the eigenvalues, the labels' share and −log ℓ of several kernels: look for an early and sharp minimum.

    Parameters: `cuts` (name, relevant dimension) of each kernel, the present one first; `most` directions in view.
    """
    titles = ("eigenvalue l<sub>j</sub>/l<sub>1</sub>", "coefficient |s<sub>i</sub>|", "−log ℓ(d)")
    layout = panels(1, 3, titles, horizontal_spacing=0.06)
    traces: list[dict[str, Any]] = []
    last = max(len(rd.neg_log_likelihood) for _, rd in cuts)
    view = min(most or last, last)
    floor = 1.0
    for k, (name, rd) in enumerate(cuts):
        colour = INFORMATION if k == 0 else _KEPT[(k - 1) % len(_KEPT)]
        words = escape(name, 50)
        line = dict(color=colour, width=3 if k == 0 else 2)
        shown = min(view, len(rd.eigenvalues))
        values = np.maximum(rd.eigenvalues[:shown] / (float(np.abs(rd.eigenvalues).max()) or 1.0), 1e-12)
        floor = min(floor, float(values.min()))
        i = np.arange(1, shown + 1)
        curve = rd.neg_log_likelihood
        size = np.sqrt(rd.energy[:shown])
        common: dict[str, Any] = dict(type="scatter", legendgroup=f"{k}", name=f"{words}, d̂ = {rd.dimension}")
        tip = "%{x}: <b>%{y:.4g}</b><extra>" + words + "</extra>"
        traces += [
            common | dict(x=i, y=lean(values), mode="lines", line=line, hovertemplate=tip),
            common
            | dict(x=i, y=lean(size), mode="lines+markers", line=dict(color=colour, width=1), xaxis="x2", yaxis="y2",
                   marker=dict(color=colour, size=4), showlegend=False, hovertemplate=tip),
            common
            | dict(x=np.arange(1, len(curve) + 1), y=lean(curve), mode="lines", line=line, xaxis="x3", yaxis="y3",
                   showlegend=False, hovertemplate=tip),
            common
            | dict(x=[rd.dimension], y=[rd.minimum], mode="markers", xaxis="x3", yaxis="y3", showlegend=False,
                   marker=dict(color=colour, size=12, symbol="star", line=dict(color=MUTED, width=1)),
                   hovertemplate="d̂ = %{x}<extra>" + words + "</extra>"),
        ]  # fmt: skip
    for panel, title in (("", "direction j"), ("2", "direction i"), ("3", "dimension d")):
        layout[f"xaxis{panel}"] |= dict(title=dict(text=title), range=[0.5, view + 0.5])
    layout["yaxis"] |= log_axis([floor / 1.5, 1.5])
    layout["yaxis2"] |= dict(rangemode="tozero")
    named = "; ".join(f"{escape(name)}: d̂ = {rd.dimension}" for name, rd in cuts)
    return composed(
        traces, layout, height=400, legend=True, margin=KEYED | dict(l=50, t=40, b=80 + 20 * len(cuts)),
        alt=f"Spectra, coefficients and −log ℓ of {len(cuts)} kernels. {named}.",
        caption="The thick line is the present kernel, stars mark d̂. A kernel that fits the labels often needs "
        "few directions, with a sharp minimum.",
    )  # fmt: skip


def convergence_plot(parts: Sequence[Part], bound: ArrayLike | None = None, most: int = 30) -> go.Figure:
    """Draw the spectra of fewer rows against that of all rows: look for leading eigenvalues that already agree.

    Parameters: `parts` of `row_parts`; `bound` of the distance of new rows, over mean k(x, x), for all rows.
    """
    titles = ("eigenvalue l<sub>j</sub>/n", "relative difference from all rows", "share beyond the first j")
    layout = panels(1, 3, titles, horizontal_spacing=0.08)
    groups = parts_by_size(parts)
    whole = parts[-1].eigenvalues
    traces: list[dict[str, Any]] = []
    lowest = float(whole[0])
    for k, group in enumerate(groups):
        shown = min(most, min(part.n for part in group))
        j = np.arange(1, shown + 1)
        mean = np.mean([part.eigenvalues[:shown] for part in group], axis=0)
        colour = INFORMATION if k == len(groups) - 1 else MUTED
        line = dict(color=colour, width=1 + k, dash=("dot", "dash", "dashdot", "solid")[k + 4 - len(groups)])
        common: dict[str, Any] = dict(
            type="scatter", mode="lines", line=line, name=f"n = {group[0].n}", legendgroup=f"{k}",
            hovertemplate="%{x}: <b>%{y:.4g}</b><extra>n = " + str(group[0].n) + "</extra>", x=j,
        )  # fmt: skip
        positive = mean > 1e-12 * whole[0]
        lowest = min(lowest, float(mean[positive].min(initial=lowest)))
        traces.append(common | dict(y=np.where(positive, mean, np.nan)))
        if k < len(groups) - 1:
            scale = np.where(whole[:shown] > 1e-9 * whole[0], whole[:shown], np.nan)
            off = [np.abs(part.eigenvalues[:shown] / scale - 1) for part in group]
            traces.append(common | dict(y=np.mean(off, axis=0), xaxis="x2", yaxis="y2", showlegend=False))
            left = np.mean([part.residual[:shown] for part in group], axis=0)
            tip = f"rows left out by n = {group[0].n}"
            traces.append(
                common
                | dict(y=np.maximum(left, 0.0), xaxis="x3", yaxis="y3", name=tip, mode="markers",
                       marker=dict(color=MUTED, size=3 + k, symbol="circle-open"), showlegend=k == len(groups) - 2)
            )  # fmt: skip
        tail = np.mean([part.tail[:shown] for part in group], axis=0)
        traces.append(common | dict(y=np.maximum(tail, 0.0), xaxis="x3", yaxis="y3", showlegend=False))
    words = ""
    if bound is not None:
        limit = float(np.asarray(bound, dtype=np.float64).min())
        words = (
            f" The bound for new rows by Shawe-Taylor and others (2005) is at least {number(limit)} of the trace here"
            + (": it says nothing, because it is not below 1." if limit >= 1 else ".")
        )
    for panel in ("", "2", "3"):
        layout[f"xaxis{panel}"] |= dict(title=dict(text="direction j"))
    layout["yaxis"] |= log_axis([lowest / 1.5, 1.5 * float(whole[0])]) if lowest > 0 else {}
    layout["yaxis2"] |= dict(rangemode="tozero")
    beyond = [v for t in traces if t.get("yaxis") == "y3" for v in np.asarray(t["y"]).tolist() if v > 1e-9]
    layout["yaxis3"] |= log_axis([min(beyond, default=0.1) / 1.5, 1.5])
    largest = float(whole[0]) or 1.0
    first = [float(np.mean([abs(p.eigenvalues[0] - whole[0]) for p in group])) / largest for group in groups[:-1]]
    few = [f"{percent(one)} for parts of {group[0].n} rows" for one, group in zip(first, groups, strict=False)]
    differs = f"The first eigenvalue differs from that of all rows by {', '.join(few)}."
    return composed(
        traces, layout, height=360, legend=True, margin=KEYED | dict(l=60, t=40),
        alt=f"Eigenvalues of parts of the rows against all rows. {differs}",
        caption=f"{differs} {eigenvalue_errors(parts, most)} Right: the trace beyond the first j directions, and "
        f"circles: the mean squared distance of rows left out.{words}",
    )  # fmt: skip


def diagonal_plot(
    values: Sequence[Any], ratio: ArrayLike, sparsity: ArrayLike, name: str, current: Any = None, log: bool = False
) -> go.Figure:
    """Draw the diagonal ratio and the share of pairs with nearly no similarity over a parameter of the kernel.

    Parameters: `ratio` (v,) and `sparsity` (v,), nan where not computed.
    """
    layout = panels(1, 2, ("diagonal ratio", "pairs below 1% of the diagonal"), horizontal_spacing=0.1)
    x = [float(v) for v in values]
    traces, shapes = [], []
    for panel, y in (("", np.asarray(ratio, dtype=np.float64)), ("2", np.asarray(sparsity, dtype=np.float64))):
        traces.append(
            dict(type="scatter", x=x, y=y, xaxis=f"x{panel}", yaxis=f"y{panel}", mode="lines+markers",
                 line=dict(color=INFORMATION), name="diagonal ratio" if not panel else "sparsity",
                 hovertemplate=f"{escape(name)} = %{{x:.4g}}<br><b>%{{y:.4g}}</b><extra></extra>")
        )  # fmt: skip
        layout[f"xaxis{panel}"] |= dict(title=dict(text=escape(name))) | (log_axis(x) if log else {})
        if isinstance(current, int | float):
            shapes.append(upright(current, panel=panel)[0])
    known = np.asarray(ratio, dtype=np.float64)
    known = known[np.isfinite(known) & (known > 0)]
    if len(known):
        layout["yaxis"] |= log_axis([float(known.min()) / 1.3, float(known.max()) * 1.3])
    layout["yaxis2"] |= dict(tickformat=".0%", rangemode="tozero")
    return composed(
        traces, layout | dict(shapes=shapes), height=320, legend=False,
        margin=KEYED | dict(l=60, t=40, b=60),
        alt=f"Diagonal ratio and sparsity of the Gram matrix over {escape(name)}.",
        caption="A large diagonal ratio makes rows almost orthogonal. A machine can then separate many labels of the "
        "training rows, and may memorise them." + (" The dashed line is the present value." if shapes else ""),
    )  # fmt: skip


def quadratic_plot(
    made: Quadratic, y: ArrayLike, classes: Sequence[Any], ids: Sequence[Any] | None, columns: Sequence[str]
) -> go.Figure:
    """Draw the rows in the explicit feature space of ⟨x, x'⟩², with the plane that separates two classes."""
    P, w = made.places, made.weights
    traces = point_traces(list(P.T), y, classes, ids)
    # The plane is drawn over the two coordinates that it is least steep in.
    up = int(np.abs(w).argmax())
    a, b = [k for k in range(3) if k != up]
    if w[up]:
        ends = [np.linspace(P[:, k].min(), P[:, k].max(), 12) for k in (a, b)]
        grid = np.meshgrid(*ends)
        height = -(made.intercept + w[a] * grid[0] + w[b] * grid[1]) / w[up]
        low, high = float(P[:, up].min()), float(P[:, up].max())
        room = 0.1 * (high - low)
        height = np.where((height < low - room) | (height > high + room), np.nan, height)
        axes = {"xyz"[a]: grid[0], "xyz"[b]: grid[1], "xyz"[up]: height}
        traces.append(
            dict(type="surface", **axes, opacity=0.45, showscale=False, colorscale=[(0, MUTED), (1, MUTED)],
                 surfacecolor=np.zeros_like(height), name="separating plane", hoverinfo="skip", showlegend=True,
                 meta=dict(decoration=True))
        )  # fmt: skip
    one, two = (escape(c, 12) for c in columns)
    return composed(
        traces, point_layout([f"{one}²", f"√2 · {one} · {two}", f"{two}²"]), height=520, legend=True,
        alt=f"{len(P)} rows in the three coordinates of the quadratic feature space. {len(made.wrong)} rows lie on the "
        "wrong side of the plane.",
        caption="The kernel ⟨x, x′⟩² is the inner product of these three coordinates. A plane here is an ellipse or a "
        f"hyperbola in the input. Drag to rotate. {len(made.wrong)} of {len(P)} rows lie on the wrong side.",
    )  # fmt: skip


def sphere_plot(
    scores: ArrayLike, y: ArrayLike | None, classes: Sequence[Any] = (), ids: Sequence[Any] | None = None
) -> go.Figure:
    """Draw the rows along the first three directions of feature space, inside the sphere of the largest length.

    Parameters: `scores` (n, d) √l u of uncentred directions, so that ⟨scores_i, scores_j⟩ = k(x_i, x_j).
    """
    P = np.asarray(scores, dtype=np.float64)
    lengths = np.linalg.norm(P, axis=1)
    radius, shortest = float(lengths.max(initial=0.0)), float(lengths.min(initial=np.inf))
    whole = float((lengths**2).sum())
    P = np.pad(P[:, :3], ((0, 0), (0, max(0, 3 - P.shape[1]))))
    share = float((P**2).sum()) / whole if whole > 0 else 0.0
    around, up = np.linspace(0, 2 * np.pi, 49), np.linspace(-np.pi / 2, np.pi / 2, 25)
    across = [(np.cos(a) * np.cos(around), np.cos(a) * np.sin(around), np.full(49, np.sin(a))) for a in up[4:-1:4]]
    along = [(np.cos(up) * np.cos(b), np.cos(up) * np.sin(b), np.sin(up)) for b in around[:-1:6]]
    gap = np.full((3, 1), np.nan)
    x, y_, z = radius * np.hstack([part for line in (*across, *along) for part in (np.array(line), gap)])
    sphere = dict(
        type="scatter3d", x=lean(x), y=lean(y_), z=lean(z), mode="lines", name=f"length {number(radius, 3)}",
        line=dict(color="rgba(128,128,128,0.45)", width=1), hoverinfo="skip", meta=dict(decoration=True),
    )  # fmt: skip
    same = radius - shortest <= 1e-6 * radius
    lie = (
        f"All rows have length √k(x, x) = {number(radius, 3)}: in feature space they lie on this sphere."
        if same
        else f"Lengths √k(x, x) range from {number(shortest, 3)} to {number(radius, 3)}, the radius of the sphere."
    )
    return composed(
        [*point_traces(list(P.T), y, classes, ids), sphere],
        point_layout(["direction 1", "direction 2", "direction 3"], aspectmode="data"), height=520, legend=True,
        alt=f"{len(P)} rows along three directions of feature space, inside a sphere of radius {number(radius, 3)}.",
        caption=f"{lie} These three directions hold {percent(share)} of the squared length. The rest "
        "lies in further directions: a narrow kernel needs many.",
    )  # fmt: skip


def eigenvectors_on_graph(
    adjacency: ArrayLike, U: ArrayLike, k: int = 6, ids: Sequence[Any] | None = None
) -> go.Figure:
    """Draw the first k eigenvectors as colours of a graph's nodes: look for parts of one colour."""
    A, vectors = np.asarray(adjacency, dtype=np.float64), np.asarray(U, dtype=np.float64)
    P, count = graph_layout(A), max(1, min(k, vectors.shape[1]))
    edges, _, _ = edge_trace(A, P)
    across = min(3, count)
    down = -(-count // across)
    layout = panels(down, across, [f"u<sub>{c + 1}</sub>" for c in range(count)], horizontal_spacing=0.03)
    labels, traces = row_labels(ids, len(A)), []
    for c in range(count):
        panel = "" if c == 0 else f"{c + 1}"
        most = float(np.abs(vectors[:, c]).max()) or 1.0
        here: dict[str, Any] = dict(type="scatter", xaxis=f"x{panel}", yaxis=f"y{panel}", showlegend=False)
        traces += [
            here | edges,
            here | dict(x=lean(P[:, 0]), y=lean(P[:, 1]), mode="markers", name=f"u{c + 1}", hovertext=labels,
                        marker=dict(color=lean(vectors[:, c]), colorscale=DIVERGING, cmin=-most, cmax=most, size=9,
                                    line=dict(color=MUTED, width=0.5)),
                        hovertemplate="%{hovertext}<br>u = <b>%{marker.color:.3g}</b><extra></extra>"),
        ]  # fmt: skip
        hidden = dict(showgrid=False, zeroline=False, showticklabels=False, ticks="")
        layout[f"xaxis{panel}"] |= hidden
        layout[f"yaxis{panel}"] |= hidden
    return composed(
        traces, layout, height=60 + 240 * down, legend=False, margin=dict(t=40),
        alt=f"The first {count} eigenvectors on the {len(A)} nodes of the graph.",
        caption="Colour is a node's entry in the eigenvector: blue below 0, orange above. Look whether the "
        "leading eigenvectors change slowly along edges.",
    )  # fmt: skip


def selected_coefficients(rd: RelevantDimension, rows: Sequence[int], most: int = 40) -> go.Figure:
    """Draw the coefficients |s_i| and the part of them that comes from some rows.

    s_i = Σ_k u_ik y_k: the part is the sum over the given rows k, of several classes the root of its sum of squares.
    """
    U, targets = rd.eigenvectors, rd.labels.targets.reshape(len(rd.eigenvectors), -1)
    shown = min(most, len(rd.coefficients))
    part = U[list(rows), :shown].T @ targets[list(rows)]
    whole = U[:, :shown].T @ targets
    signs = np.sign(whole) if whole.shape[1] == 1 else np.ones_like(whole)
    sizes = (np.abs(whole[:, 0]), (part * signs)[:, 0]) if whole.shape[1] == 1 else (
        np.sqrt((whole**2).sum(axis=1)), np.sqrt((part**2).sum(axis=1)))  # fmt: skip
    i = np.arange(1, shown + 1)
    traces = [
        dict(type="bar", x=i, y=lean(sizes[0]), name="all rows", marker=dict(color=faint(INFORMATION), line=dict(
            color=INFORMATION, width=1)), hovertemplate="i = %{x}<br><b>%{y:.4g}</b><extra>all rows</extra>"),
        dict(type="bar", x=i, y=lean(sizes[1]), name=f"the {len(rows)} selected rows", width=0.5, marker=dict(
            color=INFORMATION), hovertemplate="i = %{x}<br><b>%{y:.4g}</b><extra>selected</extra>"),
    ]  # fmt: skip
    return composed(
        traces, dict(barmode="overlay", xaxis=dict(title=dict(text="direction i")),
                     yaxis=dict(title=dict(text="coefficient |s<sub>i</sub>|"))),
        height=300, legend=True, margin=KEYED,
        alt=f"The part of {len(rows)} selected rows in {shown} coefficients.",
        caption="Filled: what the selected rows contribute to each coefficient. Below zero they work against the "
        "other rows.",
    )  # fmt: skip


def gram_rows(K: ArrayLike, rows: Sequence[int], order: ArrayLike, ids: Sequence[Any]) -> go.Figure:
    """Draw the first 40 of some rows of the Gram matrix against all rows in `order`, without k(x, x)."""
    matrix, chosen, places = (
        np.asarray(K, dtype=np.float64),
        np.asarray(rows, dtype=np.intp)[:_LINES],
        np.asarray(order),
    )
    part = f" The first {_LINES} of {len(rows)} selected rows are drawn." if len(rows) > _LINES else ""
    z = matrix[chosen][:, places]
    z[chosen[:, None] == places] = np.nan
    names = [escape(ids[i], 16) for i in chosen]
    trace = dict(
        type="heatmap", z=lean(z), colorscale=SEQUENTIAL, colorbar=colour_bar(),
        hovertemplate="%{y}, place %{x}<br>k = <b>%{z:.4g}</b><extra></extra>",
    )  # fmt: skip
    across = dict(title=dict(text="all rows, in the order of the Gram matrix"))
    return composed(
        [trace],
        dict(yaxis=named_places(names) | dict(autorange="reversed"), xaxis=across),
        height=120 + 14 * len(chosen),
        margin=dict(l=84, b=60),
        alt=f"{len(chosen)} rows of the Gram matrix.",
        caption=f"Each line is a selected row against all rows. Bright cells are rows that it is similar to.{part}",
    )
