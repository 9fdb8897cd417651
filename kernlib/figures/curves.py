"""Figures of errors: curves over an axis with their uncertainty, cheap criteria, maps, ROC and confusion."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from ..values.arrays import Array
from ..values.words import number, value_in_words
from .axes import log_axis
from .theme import (
    MUTED,
    ORANGE,
    SEQUENTIAL,
    class_colour,
    class_dash,
    class_names,
    colour_bar,
    equal_line,
    escape,
    faint,
    finish,
    lean,
)

if TYPE_CHECKING:
    from ..analysis.outcomes import Confusion, RocCurve, Threshold
    from ..experiments.outcome.curve import Curve

# More single splits cannot be distinguished.
MOST_FOLDS = 60


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.number) and not isinstance(value, bool) and math.isfinite(value)


def _word(value: Any) -> str:
    return "as it is" if value is None else escape(value_in_words(value))


def error_curve(
    curves: list[Curve] | tuple[Curve, ...] | Curve,
    folds: bool | None = None,
    guess: float | None = None,
    taken: int | None = None,
) -> go.Figure:
    """Draw scores over an axis: the mean, its confidence band, and the best point.

    A star marks the best mean, unless the reference kernel is better; a diamond what to expect of it on new data.
    Hollow points are significantly worse by a corrected paired test. Missing scores are nan. Curves beside the measured
    one, such as that of the training error, are plain lines.

    Parameters: `folds` draws single splits faintly (default: for one curve only); `guess` the score of guessing;
    `taken` the place of the recommended value, which then has the star.
    """
    many = list(curves) if isinstance(curves, list | tuple) else [curves]
    # A training error or a leak is drawn as a plain line beside the measured curve.
    single = len(many) == 1 or sum(one.best is not None for one in many) == 1
    references = {(c.reference_label, f"{c.reference_mean:.9g}") for c in many if math.isfinite(c.reference_mean)}
    shared = len(references) == 1
    fig = go.Figure()
    every = [v for c in many for v in c.values]
    numeric = bool(every) and all(_is_number(v) for v in every)
    ticks = list(dict.fromkeys(_word(v) for v in every))
    alts: list[str] = []
    for index, one in enumerate(many):
        name = escape(one.label, 70) or (escape(one.measure) if single else f"curve {index + 1}")
        x = np.array([float(v) if numeric else ticks.index(_word(v)) for v in one.values], dtype=np.float64)
        words = np.array([_word(v) for v in one.values], dtype=object)
        measured = single and (one.best is not None or len(many) == 1)
        beside = single and not measured
        line = _Line(one, x, words, one.mean, name, class_colour(max(0, index - 1) if beside else index))
        if folds or (folds is None and measured):
            _folds(fig, line)
        _band(fig, line)
        _means(fig, line, "dot" if beside else class_dash(index), beside)
        _star(fig, line, taken)
        _expected(fig, line)
        reference = (one.reference_label, f"{one.reference_mean:.9g}")
        if reference in references:
            # Curves that share a reference share its line.
            references.remove(reference)
            _reference(fig, line, shared)
        alts.append(_in_words(line))
    _label_axes(fig, many, ticks, numeric)
    if guess is not None and many:
        _guess(fig, many, guess)
    if numeric and any(c.scale == "log" for c in many) and min(every) > 0:
        fig.update_xaxes(**log_axis(every))
    arrived = _arrived(many)
    return finish(
        fig, height=430, legend=True,
        alt=(" ".join(alts) or "No curves yet.") + arrived,
        caption=_caption(many, taken) + arrived,
    )  # fmt: skip


def _guess(fig: go.Figure, many: list[Curve], guess: float) -> None:
    """Draw the score of guessing as a line, or far from all curves as words at the edge of the figure."""
    known = np.concatenate([c.mean[np.isfinite(c.mean)] for c in many] + [[c.reference_mean] for c in many])
    known = known[np.isfinite(known)]
    if not len(known):
        return
    words, errors = f"guessing {many[0].in_words(guess)}", many[0].lower_is_better
    low, high = float(known.min()), float(known.max())
    span = max(high - (0.0 if errors else low), 0.02)
    if (guess > high + 0.6 * span) if errors else (guess < low - 0.6 * span):
        fig.add_annotation(
            x=1, xref="paper", xanchor="right", y=1 if errors else 0, yref="paper",
            yanchor="top" if errors else "bottom", text=f"{words} {'↑' if errors else '↓'}", showarrow=False,
            font=dict(color=ORANGE, size=13),
        )  # fmt: skip
        return
    fig.add_hline(y=guess, line=dict(color=ORANGE, width=1.5, dash="dot"))
    fig.add_annotation(
        x=1, xref="paper", xanchor="right", y=guess, yanchor="bottom", text=words, showarrow=False,
        font=dict(color=ORANGE, size=13),
    )  # fmt: skip


@dataclass(frozen=True)
class _Line:
    """A curve as it is drawn: places (values,) on the axis, the values as text, their means, a name and a colour."""

    one: Curve
    x: Array
    words: NDArray[Any]
    mean: Array
    name: str
    colour: str

    @property
    def order(self) -> NDArray[np.intp]:
        """Return the values' positions from left to right."""
        return np.argsort(self.x, kind="stable")


def _arrived(many: list[Curve]) -> str:
    """Return how many splits have arrived, as text, for the curves that are not complete; "" if all are."""
    running = [c for c in many if c.splits.sum() < c.scores.size]
    if not running:
        return ""
    few, most = min(int(c.splits.min()) for c in running), max(int(c.splits.max()) for c in running)
    count = f"{few:,}" if few == most else f"{few:,} to {most:,}"
    return f" So far {count} of {max(c.scores.shape[1] for c in running):,} splits at each value."


def _label_axes(fig: go.Figure, many: list[Curve], ticks: list[str], numeric: bool) -> None:
    measures = list(dict.fromkeys(escape(c.measure) for c in many))
    better = "lower is better" if many and many[0].lower_is_better else "higher is better"
    axes = list(dict.fromkeys(escape(c.axis) for c in many if c.axis))
    fig.update_xaxes(title_text=" / ".join(axes) or ("" if ticks == [_word(None)] else "setting"))
    fig.update_yaxes(
        title_text=f"{' / '.join(measures)}<br><sub>{better}</sub>" if measures else "score",
        rangemode="nonnegative" if many and all(c.lower_is_better for c in many) else "normal",  # no error is below 0
    )
    if many and all(c.is_share for c in many):
        fig.update_yaxes(tickformat=".3~%")
    if not numeric:
        fig.update_xaxes(
            tickmode="array", tickvals=list(range(len(ticks))), ticktext=ticks, range=[-0.5, max(len(ticks) - 0.5, 0.5)]
        )


def _caption(many: list[Curve], taken: int | None) -> str:
    """Return how to read the figure: what is drawn, and what its marks mean."""
    sentences = ["The mean over splits with its 95% confidence band."]
    if all(c.best is None or c.beats_reference for c in many):
        sentences.append(f"★ is the {'best' if taken is None else 'recommended'} value.")
    if any(c.chosen for c in many):
        sentences.append("◇ is what to expect of the best value on new data, with its 95% interval.")
    choices = (choice for c in many for counts in c.tuned for choice, _ in counts)
    tuned = dict.fromkeys(path.rpartition(".")[2] for choice in choices for path, _ in choice)
    if tuned:
        sentences.append(f"Every split tunes {' and '.join(map(escape, tuned))} inside its training part.")
    sentences.append("Hollow points are significantly worse than the best.")
    return " ".join(sentences)


def _in_words(line: _Line) -> str:
    one, axis = line.one, escape(line.one.axis) or "the axis"
    if one.best is None or not np.isfinite(line.mean).any():
        return f"{line.name} over {axis}: no results yet."
    reference = f", reference {number(one.reference_mean)}" if math.isfinite(one.reference_mean) else ""
    return (
        f"{line.name} over {axis}: best mean {number(float(line.mean[one.best]))} at {line.words[one.best]}{reference}."
    )


def _folds(fig: go.Figure, line: _Line) -> None:
    scores, x = line.one.scores[line.order], line.x[line.order]
    splits = np.flatnonzero(np.isfinite(scores).any(axis=0))[:MOST_FOLDS]
    if not len(splits):
        return
    # One trace for all splits, with a nan between two of them.
    ys = np.vstack([scores[:, splits], np.full((1, len(splits)), np.nan)]).T.ravel()
    xs = np.tile(np.append(x, np.nan), len(splits))
    fig.add_scatter(
        x=lean(xs), y=lean(ys), mode="lines", line=dict(color=faint(line.colour, 0.16), width=1),
        name=f"{line.name}, single splits", hoverinfo="skip", legendgroup=line.name, showlegend=False,
    )  # fmt: skip


def _band(fig: go.Figure, line: _Line) -> None:
    """Draw the confidence band within the range of the measure: no error below 0, no accuracy above 1."""
    one = line.one
    if one.band is None:
        return
    band = np.maximum(one.band, 0.0) if one.lower_is_better else np.minimum(one.band, 1.0)
    known = [i for i in line.order if np.isfinite(band[i]).all()]
    if len(known) < 2:
        return
    xs = np.concatenate([line.x[known], line.x[known][::-1]])
    ys = np.concatenate([band[known, 1], band[known, 0][::-1]])
    fig.add_scatter(
        x=xs, y=lean(ys), fill="toself", fillcolor=faint(line.colour, 0.18), line=dict(width=0), mode="lines",
        name=f"{line.name}, 95% band", hoverinfo="skip", legendgroup=line.name, showlegend=False,
    )  # fmt: skip


def _means(fig: go.Figure, line: _Line, dash: str, beside: bool) -> None:
    """Draw the means, or where they stand beside the measured ones a plain line."""
    one, order, spread = line.one, line.order, line.one.spread
    alike = np.isin(np.arange(len(line.x)), one.not_worse) | (not one.not_worse)
    fig.add_scatter(
        x=line.x[order], y=lean(line.mean[order]), name=line.name, legendgroup=line.name,
        mode="lines" if beside else "lines+markers",
        hovertext=line.words[order],
        line=dict(color=line.colour, width=2.5, dash=dash),
        marker=dict(color=line.colour, size=8, symbol=np.where(alike[order], "circle", "circle-open"),
                    line=dict(width=1.5)),
        customdata=lean(np.column_stack([np.arange(len(order)), spread, one.splits])[order]),
        hovertemplate=(escape(one.symbol) if "\\" not in one.symbol else "at") + " %{hovertext}: <b>%{y:.4g}</b> ± "
        "%{customdata[1]:.2g}<br>%{customdata[2]} splits<extra>" + line.name + "</extra>",
    )  # fmt: skip


def _star(fig: go.Figure, line: _Line, taken: int | None) -> None:
    best = line.one.best if line.one.best is None or taken is None else taken
    # A value worse than the reference kernel is not recommended.
    if best is None or not np.isfinite(line.mean[best]) or not line.one.beats_reference:
        return
    fig.add_scatter(
        x=[float(line.x[best])], y=[float(line.mean[best])], mode="markers", name=f"{line.name}, best",
        legendgroup=line.name, showlegend=False,
        marker=dict(symbol="star", size=16, color=line.colour, line=dict(color="#ffffff", width=1)),
        hovertemplate=f"best: {line.words[best]}<br><b>%{{y:.4g}}</b><extra>{line.name}</extra>",
        meta=dict(decoration=True),
    )  # fmt: skip


def _expected(fig: go.Figure, line: _Line) -> None:
    """Draw what to expect of the best value on new data, corrected for the choice, with its 95% interval."""
    best, chosen = line.one.best, line.one.chosen
    if best is None or chosen is None:
        return
    mean, low, high = chosen.mean, chosen.low, chosen.high
    fig.add_scatter(
        x=[float(line.x[best])], y=[mean], mode="markers", legendgroup=line.name, showlegend=False,
        name=f"{line.name}, corrected for the choice", meta=dict(decoration=True),
        marker=dict(symbol="diamond-open", size=10, color=line.colour, line=dict(width=2)),
        error_y=dict(type="data", symmetric=False, array=[high - mean], arrayminus=[mean - low], color=line.colour,
                     thickness=1.5, width=6),
        hovertemplate=f"expected on new data: <b>%{{y:.4g}}</b><br>95% interval {number(low)} to {number(high)}"
        f"<extra>{line.name}</extra>",
    )  # fmt: skip


def _reference(fig: go.Figure, line: _Line, shared: bool) -> None:
    """Draw the mean of the reference kernel, in grey where all curves share it."""
    one, mean, colour = line.one, line.one.reference_mean, MUTED if shared else line.colour
    style = dict(color=colour, width=1.5, dash="dash")
    fig.add_hline(y=mean, line=style)
    words = escape(one.reference_label) or "reference"
    fig.add_scatter(
        x=[None], y=[None], mode="lines", line=style, hoverinfo="skip", meta=dict(decoration=True),
        name=f"{words if shared else f'{line.name}: {words}'} ({one.in_words(mean)})",
    )  # fmt: skip


def score_map(drawn: Curve, taken: int | None = None) -> go.Figure:
    """Draw mean scores over two axes, e.g. (p, depth); the best cell is framed, those not significantly worse dotted.

    Parameters: `drawn` a curve of two axes; cells without a result are gaps; `taken` the place of the recommended cell,
    which then has a star.
    """
    x_axis, y_axis, measure = escape(drawn.axis), escape(drawn.second), escape(drawn.measure)
    z = lean(drawn.table)
    xs, ys = [f"{_word(v)} " for v in drawn.first_values], [f"{_word(v)} " for v in drawn.second_values]
    places_x, places_y = list(range(len(xs))), list(range(len(ys)))
    scale = [(1 - share, colour) for share, colour in reversed(SEQUENTIAL)] if drawn.lower_is_better else SEQUENTIAL
    fig = go.Figure(
        go.Heatmap(
            z=z, x=places_x, y=places_y, colorscale=scale, xgap=1, ygap=1, name=measure, hoverongaps=False,
            texttemplate="%{z:.3g}" if z.size <= 80 else None,
            colorbar=colour_bar() | dict(
                orientation="h", len=0.6, x=0.5, xanchor="center", y=0, yref="container", yanchor="bottom", nticks=5,
                title=dict(text=measure, side="bottom", font=dict(size=12)),
            ),
            hoverinfo="skip",
        )
    )  # fmt: skip
    unseen = dict(marker=dict(opacity=0))
    fig.add_scatter(  # a heatmap takes no clicks
        x=np.repeat(places_x, len(ys)), y=np.tile(places_y, len(xs)), mode="markers", name="cells",
        customdata=np.arange(len(xs) * len(ys)), marker=dict(size=28, symbol="square", opacity=0),
        hovertext=[f"{x_axis} {x}, {y_axis} {y}<br><b>{number(float(drawn.table[i, j]), 4)}</b>"
                   for j, x in enumerate(xs) for i, y in enumerate(ys)],
        hovertemplate="%{hovertext}<extra></extra>", selected=unseen, unselected=unseen, meta=dict(decoration=True),
    )  # fmt: skip
    best, also = "No results yet.", ""
    if drawn.best is not None:
        tied = {*drawn.not_worse, drawn.best}
        few = 2 * len(tied) < len(drawn.values)  # else frames would be everywhere
        for place in sorted(tied if few else {drawn.best}):
            j, i = divmod(place, len(ys))
            line = dict(width=4, dash="solid") if place == drawn.best else dict(width=2, dash="dot")
            box = dict(x0=j - 0.5, x1=j + 0.5, y0=i - 0.5, y1=i + 0.5)
            fig.add_shape(type="rect", line=line | dict(color=ORANGE), **box)
        if taken is not None:
            j, i = divmod(taken, len(ys))
            fig.add_annotation(
                x=j + 0.46, y=i + 0.42, xanchor="right", yanchor="top", text="★", showarrow=False,
                font=dict(color=ORANGE, size=20),
            )  # fmt: skip
        j, i = divmod(drawn.best, len(ys))
        best = f"The framed cell is the best, {number(float(z[i, j]))} at {x_axis} {xs[j]}and {y_axis} {ys[i].strip()}."
        worse = len(drawn.values) - len(tied)
        also = f" {worse} of {len(drawn.values)} cells are significantly worse" + (
            "; dotted ones are not." if few else "."
        )
        also += "" if taken is None else " ★ is the recommended one."
    plain = dict(showgrid=False, zeroline=False, ticks="", tickmode="array")
    fig.update_xaxes(tickvals=places_x, ticktext=xs, title_text=x_axis, **plain)
    fig.update_yaxes(tickvals=places_y, ticktext=ys, title_text=y_axis, **plain)
    return finish(
        fig, height=min(640, 150 + 44 * max(len(ys), 2)), margin=dict(b=90), legend=False,
        alt=f"{measure} over {x_axis} and {y_axis}. {best}{also}",
        caption="Bright cells are good: in a wide bright area the exact choice matters little. Click a cell to use it. "
        f"{best}{also}",
    )  # fmt: skip


def chosen_strip(table: Array, grid: Sequence[Any], values: Sequence[Any], name: str, axis: str) -> go.Figure:
    """Draw which value of a tuned parameter each split chose: a column for each value of the axis, a row per split.

    Parameters: `table` (splits, values) places in the `grid`, nan where a split has no result; `name` of the parameter.
    """
    steps = len(grid)
    colours = [SEQUENTIAL[round(i * (len(SEQUENTIAL) - 1) / max(1, steps - 1))][1] for i in range(steps)]
    bands = [(edge / steps, colour) for i, colour in enumerate(colours) for edge in (i, i + 1)]
    words = np.array([_word(value) for value in grid], dtype=object)
    shown = np.where(np.isfinite(table), words[np.nan_to_num(table).astype(int)], "no result")
    xs = [f"{_word(value)} " for value in values]
    fig = go.Figure(
        go.Heatmap(
            z=lean(table), x=list(range(len(xs))), y=[f"{i + 1} " for i in range(len(table))], customdata=shown,
            zmin=-0.5, zmax=steps - 0.5, colorscale=bands, xgap=1, ygap=1 if len(table) <= 40 else 0, name=name,
            hoverongaps=False,
            colorbar=dict(title=dict(text=escape(name)), tickvals=list(range(steps)), ticktext=list(words),
                          outlinewidth=0, thickness=14),
            hovertemplate=f"{escape(axis)} %{{x}}, split %{{y}}<br>{escape(name)} = <b>%{{customdata}}</b>"
            "<extra></extra>",
        )
    )  # fmt: skip
    plain = dict(showgrid=False, zeroline=False, ticks="")
    fig.update_xaxes(tickvals=list(range(len(xs))), ticktext=xs, title_text=escape(axis), **plain)
    fig.update_yaxes(title_text="split", autorange="reversed", type="category", nticks=8, **plain)
    most = [float(np.nanmax(np.bincount(column[np.isfinite(column)].astype(int)) / max(1, np.isfinite(column).sum())))
            for column in table.T if np.isfinite(column).any()]  # fmt: skip
    share = f"The commonest choice is made by {min(most):.0%} to {max(most):.0%} of the splits." if most else ""
    return finish(
        fig, height=330, legend=False, alt=f"Choice of {escape(name)} by each split. {share}",
        caption=f"One colour in a column: the choice of {escape(name)} is stable. {share}",
    )  # fmt: skip


# ROC, precision–recall and confusion are drawn side by side: one height, and fixed margins.
_SIDE = dict(l=74, r=14, t=14, b=96, autoexpand=False)


def _side_by_side(fig: go.Figure, alt: str, caption: str) -> go.Figure:
    fig.update_xaxes(automargin=False)
    fig.update_yaxes(automargin=False)
    return finish(fig, height=400, legend=True, alt=alt, caption=caption).update_layout(margin=_SIDE)


def _shares(fig: go.Figure, across: str, up: str) -> None:
    fig.update_xaxes(title_text=across, range=[-0.02, 1.02], tickformat=".0%", tickvals=[0, 0.5, 1])
    fig.update_yaxes(title_text=up, range=[-0.02, 1.02], tickformat=".0%")


def roc_plot(curves: Sequence[RocCurve] | RocCurve, at: Threshold | None = None) -> go.Figure:
    """Draw true against false positives over all thresholds: the further up and left, the better the ranking.

    Parameters: `curves` as from `kernlib.analysis.roc_curves`, one per class; `at` marks the point of a threshold.
    """
    curves = curves if isinstance(curves, Sequence) else [curves]
    fig = go.Figure()
    for one in curves:
        name = class_names((one.name,), 20)[0]
        fig.add_scatter(
            x=lean(one.false_positive_rate), y=lean(one.true_positive_rate), mode="lines",
            name=f"{name}, area {one.area:.3f}",
            line=dict(color=class_colour(one.code), width=2.5, dash=class_dash(one.code)),
            hovertemplate="false positives %{x:.1%}<br>true positives <b>%{y:.1%}</b><extra>" + name + "</extra>",
        )  # fmt: skip
    if at is not None:
        fig.add_trace(_marked(at.alarms, at.hits, at.threshold))
    fig.add_trace(equal_line([0, 1], "chance"))
    _shares(fig, "false positive rate", "true positive rate")
    areas = ", ".join(f"{class_names((one.name,))[0]} {one.area:.3f}" for one in curves)
    return _side_by_side(
        fig, alt=f"ROC curves; areas: {areas or 'none'}.",
        caption="The dashed line is guessing. The area is the probability that a row of the class ranks above one "
        "of another class. A steep curve at the left finds many rows with few false alarms.",
    )  # fmt: skip


def _marked(x: float, y: float, threshold: float) -> dict[str, Any]:
    """Return the point of a curve at the threshold in use."""
    return dict(
        type="scatter", x=[float(x)], y=[float(y)], mode="markers", showlegend=False,
        name=f"from {number(threshold, 3)} on",
        marker=dict(size=13, color=ORANGE, symbol="circle", line=dict(width=2, color="#ffffff")),
        hovertemplate="%{x:.1%}, <b>%{y:.1%}</b><extra>threshold in use</extra>",
    )  # fmt: skip


def confusion_plot(confusion: Confusion) -> go.Figure:
    """Draw how often each true class is predicted as each class, as shares and counts.

    Parameters: `confusion` from `kernlib.analysis.confusion`.
    """
    count = len(confusion.classes)
    places = list(range(count))
    fig = go.Figure(
        go.Heatmap(
            z=lean(confusion.shares), x=places, y=places, zmin=0, zmax=1, colorscale=SEQUENTIAL,
            showscale=False, xgap=2, ygap=2, text=confusion.counts.astype(np.int32), name="share of the true class",
            texttemplate="%{text}<br>%{z:.0%}" if count <= 5 else ("%{text}" if count <= 12 else None),
            hovertemplate="true %{y}, predicted %{x}<br><b>%{text}</b> rows, %{z:.1%}<extra></extra>",
        )
    )  # fmt: skip
    names = class_names(confusion.classes, 16 if count <= 4 else 6)
    ticks = dict(tickmode="array", tickvals=places, ticktext=names, showgrid=False, zeroline=False, ticks="")
    fig.update_xaxes(**ticks, title_text="predicted class", tickangle=0 if count <= 4 else -60)
    fig.update_yaxes(**ticks, autorange="reversed", title_text="true class", tickangle=-90 if count <= 4 else 0)
    return _side_by_side(
        fig, alt=f"Confusion of {count} classes: {confusion.right} of {confusion.total} rows on the diagonal.",
        caption="Each row is a true class and adds up to 100%. Mistakes are off the diagonal: "
        "look for two classes that are confused in one direction only.",
    )  # fmt: skip
