"""Figures of a comparison of kernels: all settings, the race with one line per kernel, one kernel against another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

from ..advice import expected as expected_of
from ..advice import guessing, page, recommended, sections, title_of
from ..kernels.columns import chain_in_words
from ..statistics import Band
from ..values.arrays import Array
from ..values.words import number, percent, short_chains
from .depth import canvas_trace, small_picture
from .lecture import figure_html
from .theme import BLUE, GREEN, MUTED, ORANGE, SEQUENTIAL, colour_bar, escape, finish

if TYPE_CHECKING:
    from ..advice import Advice, Comparison, Setting
    from ..data import Dataset

#: Pixels of a line, and the lines for which every figure has room.
_LINE, _LINES = 56, 8
#: The most letters of a kernel beside its family.
_LETTERS = 60
#: Cells of a small picture with the gap below it.
_PITCH = 50
#: Unseen points across each line that make its name clickable.
_PRESSED = 24


def race_lines(
    state: Comparison,
    guess: float,
    expected: Band | None = None,
    share: bool = True,
    columns: Sequence[str] = (),
) -> go.Figure:
    """Draw one line per kernel, the best first: its error, and the interval of its difference from the best.

    A hollow point is significantly worse. Every line has a point whose `customdata` is its place, for clicks.
    Parameters: `guess` the error of guessing; `expected` what to expect on new data; `share` whether an error is a
    share of rows, not of the variance; `columns` names of the data's columns.
    """
    lines = [one for one in state.best if one.measured is not None]
    shown = partial(percent, digits=3)
    fig = go.Figure()
    errors = np.array([one.error for one in lines])
    low, high = _intervals(lines)
    ends = [errors, low, high, [expected.low, expected.high] if expected else []]
    known = np.concatenate([np.asarray(end, dtype=np.float64) for end in ends])
    left, right = max(0.0, float(known.min(initial=1.0))), float(known.max(initial=0.0))
    _pictures(fig, lines)
    _dots(fig, lines, errors, low, high, shown)
    chosen = recommended(lines)
    if expected is not None and chosen is not None:
        _expected(fig, expected, lines.index(chosen), shown)
    if len(lines):
        fig.add_trace(_between_names(float(errors[0]), len(lines), "the best", dict(color=BLUE, width=1)))
    left, right = _guess(fig, guess, left, right, len(lines), shown)
    chains = short_chains([" → ".join(chain_in_words(one.kernel, columns)) for one in lines], _LETTERS)
    for place, (one, chain) in enumerate(zip(lines, chains, strict=True)):  # not a trace, whose text a click would fade
        fig.add_annotation(
            x=0.1, xref="paper", xanchor="left", y=place - 0.3, yanchor="middle", showarrow=False, align="left",
            text=f"<b>{escape(one.name, 34)}</b>  {escape(chain, _LETTERS)}", font=dict(size=12),
        )  # fmt: skip
    fig.add_trace(_pressable_names(len(lines), left, right))
    axis = "error by cross-validation" if share else "unexplained variance by cross-validation"
    fig.update_xaxes(
        title_text=f"{axis}, lower is better", range=[left, right], tickformat=".0%", showgrid=False, zeroline=False
    )
    fig.update_layout(
        xaxis2=dict(domain=[0, 0.085], range=[-2, _PITCH - 6], visible=False, anchor="y"),
        xaxis=dict(domain=[0.1, 1.0], anchor="y"),
        yaxis=dict(range=[max(len(lines), _LINES) - 0.45, -0.6], visible=False),
        dragmode=False, clickmode="event+select",
    )  # fmt: skip
    return finish(
        fig, height=90 + _LINE * max(len(lines), _LINES), legend=False, alt=_alt(state, lines, guess, shown),
        caption="Each line is a kernel, with a small picture of its Gram matrix. "
        + (
            "A bar is the 95% interval of the difference from the best, corrected for the number of kernels. "
            "A kernel whose bar does not reach the best's line is significantly worse, and its point is hollow."
            + ("" if expected is None else " ◇ marks the recommended kernel, at the error to expect on new rows.")
        )
        + " Click a line to use its kernel on all pages.",
    )  # fmt: skip


def _between_names(x: float, count: int, name: str, line: dict[str, Any]) -> go.Scatter:
    """Return a vertical line at an error that leaves out the names above the points."""
    ends = [end for place in range(count) for end in (place - 0.12, place + 0.52, None)]
    return go.Scatter(
        x=[x] * len(ends), y=ends, mode="lines", name=name, line=line, hoverinfo="skip", meta=dict(decoration=True)
    )


def _pressable_names(count: int, left: float, right: float) -> go.Scatter:
    """Return unseen points over the names, which are annotations and take no clicks."""
    across = np.linspace(left, right, _PRESSED)
    unseen = dict(marker=dict(opacity=0))
    return go.Scatter(
        x=np.tile(across, count), y=np.repeat(np.arange(count) - 0.3, _PRESSED), mode="markers", name="names",
        customdata=np.repeat(np.arange(count), _PRESSED), marker=dict(size=26, symbol="square", opacity=0),
        hoverinfo="none", selected=unseen, unselected=unseen, meta=dict(decoration=True),
    )  # fmt: skip


def _intervals(lines: Sequence[Advice]) -> tuple[Array, Array]:
    """Return the ends of each kernel's difference from its leader, around its own error; for the first its error."""
    errors = [one.error for one in lines]
    low, high = np.array(errors, dtype=np.float64), np.array(errors, dtype=np.float64)
    for place, one in enumerate(lines):
        gap = one.measured.difference if one.measured is not None else None
        if place and gap is not None and math.isfinite(gap.low):
            low[place], high[place] = one.error + gap.low - gap.mean, one.error + gap.high - gap.mean
    return low, high


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


def _dots(fig: go.Figure, lines: Sequence[Advice], errors: Array, low: Array, high: Array, shown: Any) -> None:
    dropped = [one.measured is not None and one.measured.dropped for one in lines]
    fig.add_scatter(
        x=errors, y=list(range(len(lines))), mode="markers", name="error", customdata=list(range(len(lines))),
        marker=dict(size=13, color=BLUE, symbol=["circle-open" if worse else "circle" for worse in dropped],
                    line=dict(width=2)),
        error_x=dict(type="data", symmetric=False, array=high - errors, arrayminus=errors - low, color=BLUE,
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


def _expected(fig: go.Figure, band: Band, place: int, shown: Any) -> None:
    fig.add_scatter(
        x=[band.mean], y=[place + 0.26], mode="markers", name="expected on new rows",
        marker=dict(symbol="diamond-open", size=10, color=GREEN, line=dict(width=2)),
        unselected=dict(marker=dict(opacity=1)),
        error_x=dict(type="data", symmetric=False, array=[band.high - band.mean], arrayminus=[band.mean - band.low],
                     color=GREEN, thickness=1.5, width=5),
        hovertemplate=f"expected on new data: <b>{shown(band.mean)}</b><br>95% interval {shown(band.low)} to "
        f"{shown(band.high)}<extra></extra>",
    )  # fmt: skip


def _guess(fig: go.Figure, guess: float, left: float, right: float, count: int, shown: Any) -> tuple[float, float]:
    """Draw the error of guessing, as a line or, far from all kernels, as words at the edge; return the axis' range."""
    span = max(right - left, 0.02)
    near = guess <= right + 1.2 * span
    low, high = max(0.0, left - 0.12 * span), (max(right, guess) if near else right) + 0.08 * span
    words = dict(y=1, yref="paper", yanchor="bottom", showarrow=False, font=dict(size=12))
    if near:
        fig.add_trace(_between_names(guess, count, "guessing", dict(color=ORANGE, width=1.5, dash="dash")))
        fig.add_annotation(x=guess, xanchor="right", text=f"guessing {shown(guess)}", **words)
    else:
        fig.add_annotation(x=1, xref="paper", xanchor="right", text=f"guessing {shown(guess)} →", **words)
    return low, high


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
    fig = race_lines(
        state, guessing(data), expected_of(state), share=data.task == "classification", columns=data.columns
    )
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
