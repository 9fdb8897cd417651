"""Figures of a comparison of kernels: all settings, the race with one line per kernel, one kernel against another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

from ..advice import guessing, page, recommended, sections, title_of
from ..kernels.combined import chain_in_words
from ..values.arrays import Array
from ..values.words import number, percent, short_chains
from .depth import canvas_trace, small_picture
from .lecture import figure_html
from .theme import BLUE, MUTED, ORANGE, SEQUENTIAL, colour_bar, escape, finish

if TYPE_CHECKING:
    from ..advice import Advice, Comparison, Setting
    from ..data import Dataset

#: Pixels of a line, and the lines for which every figure has room.
_LINE, _LINES = 56, 8
#: The most letters of a kernel beside its family.
_LETTERS = 60
#: Cells of a small picture with the gap below it.
_PITCH = 50
#: How far above its line the name of a kernel stands, and below it the point and the bar, which run under no name.
_ABOVE, _BELOW = 0.27, 0.22
#: Unseen points across each line that make its name clickable.
_PRESSED = 24


def race_lines(state: Comparison, guess: float, columns: Sequence[str] = ()) -> go.Figure:
    """Draw one line per kernel, the best first: how much larger its error is than the best's, with its interval.

    A hollow point is significantly worse, a star is the recommended kernel. Every line has points whose `customdata` is
    its place, for clicks. Parameters: `guess` the error of guessing; `columns` names of the data's columns.
    """
    lines = [one for one in state.best if one.measured is not None]
    shown, fig = partial(percent, digits=3), go.Figure()
    gaps = np.array([_gap(one) for one in lines]).reshape(-1, 3)  # mean, low, high; nan for the best
    apart = np.nan_to_num(gaps[:, 0])
    known = [*apart, *gaps[np.isfinite(gaps)], 0.0]
    left, right, beyond = float(min(known)), float(max(known)), (guess - lines[0].error if lines else 0.0)
    span = max(right - left, 0.02)
    near = beyond <= right + 1.2 * span
    left, right = left - 0.06 * span, (max(right, beyond) if near else right) + 0.08 * span
    _pictures(fig, lines)
    if lines:
        fig.add_trace(_between_names(0.0, len(lines), "the best", dict(color=BLUE, width=1)))
    if near:
        fig.add_trace(_between_names(beyond, len(lines), "guessing", dict(color=ORANGE, width=1.5, dash="dash")))
    fig.add_annotation(
        text=f"guessing: error {shown(guess)}" + ("" if near else " →"), y=1, yref="paper", yanchor="bottom",
        x=beyond if near else 1, xref="x" if near else "paper", xanchor="right", showarrow=False, font=dict(size=12),
    )  # fmt: skip
    _dots(fig, lines, apart, gaps, shown)
    chains = short_chains([" → ".join(chain_in_words(one.kernel, columns)) for one in lines], _LETTERS)
    for place, (one, chain) in enumerate(zip(lines, chains, strict=True)):  # not a trace, whose text a click would fade
        fig.add_annotation(
            x=0.1, xref="paper", xanchor="left", y=place - _ABOVE, yanchor="middle", showarrow=False, align="left",
            text=f"<b>{escape(one.name, 34)}</b>  {escape(chain, _LETTERS)}  <b>{shown(one.error)}</b>",
            font=dict(size=12),
        )  # fmt: skip
    fig.add_trace(_pressable_names(len(lines), left, right))
    # Differences of errors are points, of a share of the variance they are hundredths of it: the same digits.
    ticks = dict(tickformat="+.0%", showgrid=False, zeroline=False)
    fig.update_xaxes(title_text="error above the best's, by cross-validation", range=[left, right], **ticks)
    fig.update_layout(
        xaxis2=dict(domain=[0, 0.085], range=[-2, _PITCH - 6], visible=False, anchor="y"),
        xaxis=dict(domain=[0.1, 1.0], anchor="y"),
        yaxis=dict(range=[max(len(lines), _LINES) - 0.3, -0.6], visible=False),
        dragmode=False, clickmode="event+select",
    )  # fmt: skip
    return finish(
        fig, height=90 + _LINE * max(len(lines), _LINES), legend=False, alt=_alt(state, lines, guess, shown),
        caption="Each line is a kernel with its error and a small picture of its Gram matrix, ★ the recommended one. "
        "A bar is the 95% interval of the difference from the best, corrected for the number of kernels. Where it "
        "does not reach 0, the kernel is significantly worse and its point hollow. Click a line to use its kernel.",
    )  # fmt: skip


def _between_names(x: float, count: int, name: str, line: dict[str, Any]) -> go.Scatter:
    """Return a vertical line that leaves out the names above the points."""
    ends = [end for place in range(count) for end in (place - 0.02, place + 0.48, None)]
    return go.Scatter(
        x=[x] * len(ends), y=ends, mode="lines", name=name, line=line, hoverinfo="skip", meta=dict(decoration=True)
    )


def _pressable_names(count: int, left: float, right: float) -> go.Scatter:
    """Return unseen points over the names, which are annotations and take no clicks."""
    across = np.linspace(left, right, _PRESSED)
    unseen = dict(marker=dict(opacity=0))
    return go.Scatter(
        x=np.tile(across, count), y=np.repeat(np.arange(count) - _ABOVE, _PRESSED), mode="markers", name="names",
        customdata=np.repeat(np.arange(count), _PRESSED), marker=dict(size=26, symbol="square", opacity=0),
        hoverinfo="none", selected=unseen, unselected=unseen, meta=dict(decoration=True),
    )  # fmt: skip


def _gap(one: Advice) -> tuple[float, float, float]:
    """Return how much larger the error of a kernel is than the best's, and the ends of its interval."""
    gap = one.measured.difference if one.measured is not None else None
    return (math.nan,) * 3 if gap is None else (gap.mean, gap.low, gap.high)


def _pictures(fig: go.Figure, lines: Sequence[Advice]) -> None:
    canvas = np.full((max(len(lines), 1) * _PITCH, _PITCH - 8), np.nan)
    for place, one in enumerate(lines):
        if one.picture is None:
            continue
        z = small_picture(one.picture)
        top = place * _PITCH + (_PITCH - len(z)) // 2
        canvas[top : top + len(z), : len(z)] = z
    beside = dict(x0=0, dx=1, y0=-0.5 + 0.5 / _PITCH, dy=1 / _PITCH, xaxis="x2", yaxis="y")
    fig.add_trace(canvas_trace(canvas) | beside)


def _dots(fig: go.Figure, lines: Sequence[Advice], apart: Array, gaps: Array, shown: Any) -> None:
    dropped = [one.measured is not None and one.measured.dropped for one in lines]
    chosen = recommended(lines)
    symbols, sizes = ["circle-open" if worse else "circle" for worse in dropped], [13] * len(lines)
    if chosen is not None:
        symbols[lines.index(chosen)], sizes[lines.index(chosen)] = "star", 17
    bars = np.where(np.isfinite(gaps[:, 1:]), np.abs(gaps[:, 1:] - gaps[:, :1]), 0.0)
    fig.add_scatter(
        x=apart, y=np.arange(len(lines)) + _BELOW, mode="markers", name="error", customdata=list(range(len(lines))),
        marker=dict(size=sizes, color=BLUE, symbol=symbols, line=dict(width=2)),
        error_x=dict(type="data", symmetric=False, array=bars[:, 1], arrayminus=bars[:, 0], color=BLUE,
                     thickness=2, width=6),
        hovertext=[_hover(one, shown, worse) for one, worse in zip(lines, dropped, strict=True)],
        hovertemplate="%{hovertext}<extra></extra>", selected=dict(marker=dict(opacity=1)),
        unselected=dict(marker=dict(opacity=1)),
    )  # fmt: skip


def _hover(one: Advice, shown: Any, worse: bool) -> str:
    runner = one.measured
    assert runner is not None
    gap = runner.difference
    apart = ""
    if gap is not None and gap.mean:
        apart = (
            f"<br>{shown(abs(gap.mean))} more than the best, 95% interval {number(gap.low, 2)} to {number(gap.high, 2)}"
        )
    rounds = f"{runner.rounds} {'round' if runner.rounds == 1 else 'rounds'}"
    end = ", then dropped: significantly worse" if worse else ""
    return f"{escape(repr(one.kernel), 90)}<br><b>{shown(one.error)}</b>, {rounds} of cross-validation{end}{apart}"


def _alt(state: Comparison, lines: Sequence[Advice], guess: float, shown: Any) -> str:
    if not lines:
        return "No kernel has been cross-validated yet."
    rounds = 0 if state.race is None else state.race.rounds
    worse = sum(one.measured is not None and one.measured.dropped for one in lines)
    return (
        f"{len(lines)} kernels after {rounds} {'round' if rounds == 1 else 'rounds'} of cross-validation. The best, "
        f"{escape(lines[0].chain, 80)}, has the error {shown(lines[0].error)}, the last {shown(lines[-1].error)}. "
        f"{worse} are significantly worse; guessing has {shown(guess)}."
    )


def report_page(state: Comparison, data: Dataset, script: str = "") -> str:
    """Return the report of a comparison as one HTML page with its figure; parameters as in `sections`."""
    fig = race_lines(state, guessing(data), data.columns)
    figure = figure_html(fig, "kernels") if state.race is not None else ""
    return page(title_of(data), sections(state, data, script), figure)


_ERROR, _FAILED = "squared leave-one-out error", "could not be compared"
#: Squares of the settings by what is known of them; bright for a small error.
_MARKERS: dict[str, dict[str, Any]] = {
    # A dot, not an empty square, which looks like a checkbox.
    "not compared yet": dict(symbol="circle", size=5, color=MUTED),
    _FAILED: dict(symbol="x-thin-open", color=MUTED),
    _ERROR: dict(
        symbol="square", colorscale=[(1 - at, shade) for at, shade in reversed(SEQUENTIAL)], colorbar=colour_bar(_ERROR)
    ),
    "they race": dict(symbol="square-open", size=24, color=ORANGE, line=dict(width=3)),
}


def _compared(one: Advice | None) -> tuple[str, float, str]:
    """Return the kind of a setting's square, its error, and what hovering over it shows."""
    if one is not None and one.problem:
        return _FAILED, math.nan, escape(one.problem, 120)
    if one is None or one.errors is None or math.isnan(one.errors.squared):
        return "not compared yet", math.nan, "not compared yet"
    # An error above 1 is worse than the mean of the labels.
    error = min(one.errors.squared, 1.2)
    return _ERROR, error, f"unexplained variance {percent(error, 3)}"


def settings_grid(
    settings: Sequence[Setting], state: Comparison | None = None, racing: Sequence[Any] = ()
) -> go.Figure:
    """Draw every setting as a square, one row per family: empty until it is compared, then bright for a small error.

    Parameters: `settings` of the data; `state` of their comparison; `racing` the kernels that race, which are framed.
    """
    known = {} if state is None else {one.kernel: one for one in state.settings}
    listed = {one.kernel: one.family for one in settings}
    listed |= {kernel: one.name for kernel, one in known.items() if kernel not in listed}
    families = list(dict.fromkeys(listed.values()))
    counts = dict.fromkeys(families, 0)
    squares: dict[str, list[tuple[int, int, float, str]]] = {name: [] for name in _MARKERS}
    for kernel, family in listed.items():
        kind, error, words = _compared(known.get(kernel))
        square = (counts[family], families.index(family), error, f"{escape(repr(kernel), 90)}<br>{words}")
        for name in (kind, "they race") if kernel in racing else (kind,):
            squares[name].append(square)
        counts[family] += 1
    fig = go.Figure()
    for name, marker in _MARKERS.items():
        if squares[name]:
            across, down, errors, hover = (np.array(column) for column in zip(*squares[name], strict=True))
            hovering = dict(hovertext=hover, hovertemplate="%{hovertext}<extra></extra>")
            if name == "they race":
                hovering = dict(hoverinfo="skip", meta=dict(decoration=True))
            fig.add_scatter(
                x=across, y=down, mode="markers", name=name, **hovering,
                marker=dict(size=18) | marker | (dict(color=errors) if name == _ERROR else {}),
            )  # fmt: skip
    fig.update_xaxes(visible=False, range=[-0.7, max([*counts.values(), 1]) - 0.3])
    fig.update_yaxes(
        tickvals=list(range(len(families))), ticktext=[f"{escape(family, 36)} " for family in families], showgrid=False,
        range=[len(families) - 0.4, -0.6], zeroline=False, ticks="",
    )  # fmt: skip
    done, racers = len(squares[_ERROR]), len(squares["they race"])
    return finish(
        fig, height=max(300, 60 + 44 * len(families)), legend=False,
        alt=f"{len(listed)} settings of {len(families)} families of kernels, {done} of them compared; "
        f"{racers} race.",
        caption="Each mark is a setting, a kernel with its parameters; each row is a family. "
        + ("Bright squares have a small squared leave-one-out error." if done else "No setting is compared yet.")
        + (" Framed squares race by cross-validation." if racers else "")
        + (" A cross marks a setting that could not be compared; its hover text says why." if squares[_FAILED] else ""),
    )  # fmt: skip
