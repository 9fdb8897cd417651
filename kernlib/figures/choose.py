"""Figures of a comparison of kernels: all settings, the race with one line per kernel, one kernel against another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

from ..advice import guessing, page, recommended, sections, title_of
from ..kernels.combined import chain_in_words
from ..values.arrays import Array
from ..values.words import number, percent, short_chains
from .depth import canvas_trace
from .gram import small_picture
from .marks import GUIDE, line, note, places_axis, points, unseen, whiskers
from .theme import BLUE, ERROR_SCALE, MUTED, ORANGE, axis, colour_bar, composed, escape, figure_html

if TYPE_CHECKING:
    from ..advice import Advice, Comparison, Setting
    from ..core.base import Kernel
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


def race_lines(state: Comparison, guess: float, columns: Sequence[str] = (), used: Kernel | None = None) -> go.Figure:
    """Draw one line per kernel, the best first: how much larger its error is than the best's, with its interval.

    A hollow point is significantly worse, a star is the recommended kernel. Every line has points whose `customdata` is
    its place, for clicks. Parameters: `guess` the error of guessing; `columns` names of the data's columns; `used` the
    kernel in use, which is marked.
    """
    lines = [one for one in state.best if one.measured is not None]
    count = len(lines)
    known = [one.measured and one.measured.difference for one in lines]
    # How much larger the error is than the best's, and the ends of its interval where there is one.
    gaps = np.array([(g.mean, g.low, g.high) if g else (0.0,) * 3 for g in known]).reshape(-1, 3)
    gaps = np.where(np.isfinite(gaps), gaps, gaps[:, :1])
    left, right = float(gaps.min(initial=0.0)), float(gaps.max(initial=0.0))
    beyond = guess - lines[0].error if lines else 0.0
    span = max(right - left, 0.02)
    near = beyond <= right + 1.2 * span
    left, right = left - 0.06 * span, (max(right, beyond) if near else right) + 0.08 * span
    traces = [_pictures(lines)]
    if lines:
        traces.append(_between_names(0.0, count, "the best", BLUE, 1))
    if near:
        traces.append(_between_names(beyond, count, "guessing", ORANGE, 1.5, "dash"))
    end = dict(yref="paper", yanchor="bottom", xanchor="right", xref="x" if near else "paper")
    notes = [note(f"guessing: error {_shown(guess)}" + ("" if near else " →"), beyond if near else 1, 1, **end)]
    chains = short_chains([" → ".join(chain_in_words(one.kernel, columns)) for one in lines], _LETTERS)
    beside = dict(xref="paper", xanchor="left", yanchor="middle", align="left")
    for place, (one, chain) in enumerate(zip(lines, chains, strict=True)):  # not a trace, whose text a click would fade
        words = f"<b>{escape(one.name, 34)}</b>  {escape(chain, _LETTERS)}  <b>{_shown(one.error)}</b>"
        words += "  <i>in use</i>" if one.kernel == used else ""
        notes.append(note(words, 0.1, place - _ABOVE, **beside))
    # The names are annotations and take no clicks.
    across, places = np.tile(np.linspace(left, right, _PRESSED), count), np.repeat(np.arange(count), _PRESSED)
    pressed = unseen(across, places - _ABOVE, "names", places, 26, hoverinfo="none")
    # Differences of errors are points, of a share of the variance they are hundredths of it: the same digits.
    ticks = dict(tickformat="+.3~p", showgrid=False, zeroline=False, domain=[0.1, 1.0], anchor="y")
    return composed(
        [*traces, _dots(lines, gaps), pressed],
        axis("error above the best's, with its 95% interval", range=[left, right], **ticks),
        dict(range=[max(count, _LINES) - 0.3, -0.6], visible=False),
        xaxis2=dict(domain=[0, 0.085], range=[-2, _PITCH - 6], visible=False, anchor="y")
        | dict(scaleanchor="y", scaleratio=1 / _PITCH, constrain="domain", constraintoward="right"),
        over=notes,
        dragmode=False,
        clickmode="event+select",
        height=90 + _LINE * max(count, _LINES),
        legend=False,
        alt=_alt(state, lines, guess),
        caption="Each line is a kernel with its error and a small picture of its Gram matrix, ★ the recommended one. "
        "A bar is the 95% interval of the difference from the best, corrected for the number of kernels. Where it "
        "does not reach 0, the kernel is significantly worse and its point hollow. Click a line to use its kernel.",
    )


def _shown(error: float) -> str:
    return percent(error, digits=3)


def _between_names(x: float, count: int, name: str, *style: Any) -> dict[str, Any]:
    """Return a vertical line that leaves out the names above the points."""
    ends = [end for place in range(count) for end in (place - 0.02, place + 0.48, None)]
    return line([x] * len(ends), ends, name, *style, **GUIDE)


def _pictures(lines: Sequence[Advice]) -> dict[str, Any]:
    canvas = np.full((max(len(lines), 1) * _PITCH, _PITCH - 8), np.nan)
    for place, one in enumerate(lines):
        if one.picture is None:
            continue
        z = small_picture(one.picture)
        top = place * _PITCH + (_PITCH - len(z)) // 2
        canvas[top : top + len(z), : len(z)] = z
    return canvas_trace(canvas) | dict(x0=0, dx=1, y0=-0.5 + 0.5 / _PITCH, dy=1 / _PITCH, xaxis="x2", yaxis="y")


def _dots(lines: Sequence[Advice], gaps: Array) -> dict[str, Any]:
    dropped = [one.measured is not None and one.measured.dropped for one in lines]
    chosen = recommended(lines)
    symbols, sizes = ["circle-open" if worse else "circle" for worse in dropped], [13] * len(lines)
    if chosen is not None:
        symbols[lines.index(chosen)], sizes[lines.index(chosen)] = "star", 17
    apart, low, high = gaps.T
    clear = dict(marker=dict(opacity=1))
    return points(
        apart,
        np.arange(len(lines)) + _BELOW,
        "error",
        BLUE,
        sizes,
        symbols,
        customdata=list(range(len(lines))),
        marker=dict(line=dict(width=2)),
        error_x=whiskers(apart, low, high, BLUE),
        hovertext=[_hover(one, worse) for one, worse in zip(lines, dropped, strict=True)],
        tip="%{hovertext}",
        selected=clear,
        unselected=clear,
    )


def _hover(one: Advice, worse: bool) -> str:
    runner = one.measured
    assert runner is not None
    gap = runner.difference
    apart = ""
    if gap is not None and gap.mean:
        ends = f"{number(gap.low, 2)} to {number(gap.high, 2)}"
        apart = f"<br>{_shown(abs(gap.mean))} more than the best, 95% interval {ends}"
    rounds = f"{runner.rounds} {'round' if runner.rounds == 1 else 'rounds'}"
    end = ", then dropped: significantly worse" if worse else ""
    return f"{escape(repr(one.kernel), 90)}<br><b>{_shown(one.error)}</b>, {rounds} of cross-validation{end}{apart}"


def _alt(state: Comparison, lines: Sequence[Advice], guess: float) -> str:
    if not lines:
        return "No kernel has been cross-validated yet."
    rounds = 0 if state.race is None else state.race.rounds
    worse = sum(one.measured is not None and one.measured.dropped for one in lines)
    return (
        f"{len(lines)} kernels after {rounds} {'round' if rounds == 1 else 'rounds'} of cross-validation. The best, "
        f"{escape(lines[0].chain, 80)}, has the error {_shown(lines[0].error)}, the last {_shown(lines[-1].error)}. "
        f"{worse} are significantly worse; guessing has {_shown(guess)}."
    )


def report_page(state: Comparison, data: Dataset, script: str = "") -> str:
    """Return the report of a comparison as one HTML page with its figure; parameters as in `sections`."""
    fig = race_lines(state, guessing(data), data.columns)
    figure = figure_html(fig) if state.race is not None else ""
    return page(title_of(data), sections(state, data, script), figure)


_ERROR, _FAILED = "squared leave-one-out error", "could not be compared"
#: Squares of the settings by what is known of them; bright for a small error.
_MARKERS: dict[str, dict[str, Any]] = {
    # A dot, not an empty square, which looks like a checkbox.
    "not compared yet": dict(symbol="circle", size=5, color=MUTED),
    _FAILED: dict(symbol="x-thin-open", color=MUTED),
    _ERROR: dict(symbol="square", colorscale=ERROR_SCALE, colorbar=colour_bar(_ERROR)),
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
    return _ERROR, error, f"squared leave-one-out error {percent(error, 3)}"


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
    traces = []
    for name, marker in _MARKERS.items():
        if squares[name]:
            across, down, errors, hover = (np.array(column) for column in zip(*squares[name], strict=True))
            hovering = GUIDE if name == "they race" else dict(hovertext=hover, tip="%{hovertext}")
            style = marker | (dict(color=errors) if name == _ERROR else {})
            traces.append(points(across, down, name, None, 18, marker=style, **hovering))
    names = [f"{escape(family, 36)} " for family in families]
    height = dict(range=[len(families) - 0.4, -0.6], showgrid=False, zeroline=False, ticks="")
    return composed(
        traces,
        dict(visible=False, range=[-0.7, max([*counts.values(), 1]) - 0.3]),
        places_axis(names, **height),
        height=max(300, 60 + 44 * len(families)),
        legend=False,
        alt=f"{len(listed)} settings of {len(families)} families of kernels: {len(squares[_ERROR])} are compared, "
        f"{len(squares['they race'])} race.",
        caption="Each mark is a setting, a kernel with its parameters; each row is a family. Dots are not compared "
        "yet, bright squares have a small squared leave-one-out error. Framed squares race by cross-validation, "
        "crosses could not be compared.",
    )
