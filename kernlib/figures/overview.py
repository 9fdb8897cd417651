"""The small figures of the overview: feature map, and the errors of other values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from ..analysis.summary import Summary
from ..protocols import HalvesErrors
from ..values.arrays import Array
from ..values.words import number, percent
from .axes import log_axis
from .marks import axis, line, note, row_points
from .theme import (
    BLUE,
    ORANGE,
    TITLED,
    above,
    class_colour,
    class_symbol,
    composed,
    dotted,
    escape,
    present,
    read_classes,
    shorten,
)

#: Errors in the figure: attribute, name, colour, marker, its sign. Training errors have open markers on a dotted line.
ERRORS = (
    ("test", "test error", BLUE, "circle", "●"),
    ("training", "training error", BLUE, "circle-open", "○"),
)


def feature_map(
    frame: Summary,
    y: ArrayLike | None = None,
    classes: Sequence[Any] = (),
    ids: Sequence[Any] | None = None,
) -> go.Figure:
    """Draw the rows in the leading plane of centred kernel PCA: look for classes that separate.

    Parameters: `frame` from `summarise`; `y`, `classes`, `ids` of the rows; real targets colour the points.
    """
    titles = map_titles(frame)
    known, (codes, _) = math.isfinite(frame.explained[0]), read_classes(y, classes)
    key = class_key(y, classes, None)
    return composed(
        plane_traces(frame.plane, y, classes, ids),
        dict(
            xaxis=axis(titles[0], zeroline=False),
            yaxis=axis(titles[1], zeroline=False),
            annotations=[key] if key else [],
        ),
        height=300,
        legend=False,
        margin=TITLED | dict(t=24),
        alt=f"Scatter of {len(frame.plane)} rows in the two leading directions of centred kernel PCA.",
        caption=(
            "Each point is a row; distances approximate those of the kernel in two directions of centred kernel PCA"
            + (f" ({100 * sum(frame.explained):.0f}% of the spread). " if known else ". ")
            + ("" if codes is None else "Classes that separate here are easy for a kernel machine.")
        ),
    )


def map_titles(frame: Summary) -> tuple[str, str]:
    """Return the titles of the map's axes."""
    first, second = (f" ({100 * share:.0f}%)" if math.isfinite(share) else "" for share in frame.explained)
    return f"direction 1{first}", f"direction 2{second}"


def class_key(y: ArrayLike | None, classes: Sequence[Any], panel: str | None) -> dict[str, Any] | None:
    """Return a line above a panel that names the class of each colour; None for more than four classes.

    Parameters: `panel` as in `above`.
    """
    codes, names = read_classes(y, classes)
    if codes is None and y is not None:
        return above("bright: large label", panel, right=True)
    if codes is None or not 1 < len(names) <= 4:
        return None
    marks = dict(circle="●", diamond="◆", square="■") | {"triangle-up": "▲"}
    words = [
        f'<span style="color:{class_colour(c)}">{marks[class_symbol(c)]}</span> {shorten(name, 16)}'
        for c, name in enumerate(names)
    ]
    return above("   ".join(words), panel, right=True)


def plane_traces(
    plane: Array, y: ArrayLike | None, classes: Sequence[Any], ids: Sequence[Any] | None
) -> list[dict[str, Any]]:
    """Return one trace a class, in the order of the codes, or one trace without classes."""
    size = 6 if len(plane) <= 300 else 5
    return row_points(plane[:, 0], plane[:, 1], y, classes, ids, size, "%{hovertext}", 0.8, 1500)


def what_if(
    values: Sequence[Any],
    errors: Sequence[HalvesErrors | None],
    name: str,
    current: Any = None,
    now: HalvesErrors | None = None,
    log: bool = False,
    height: int = 240,
    pressed: bool = True,
    star: Any = None,
) -> go.Figure:
    """Draw the errors on the halves over the values of one parameter, with a marker at its present value.

    Parameters: `values` numbers; `errors` one for each, None while missing; `name` of the parameter;
    `current` its present value with the errors `now`; `log` a logarithmic axis; `pressed` whether the page responds to
    a click on a point; `star` the value that a comparison proposes, whose test error gets a star.
    """
    known = [e for e in (*errors, now) if e is not None]
    lines, notes = [], []
    far = _guessing_far(known) and None not in errors
    if far:
        words = f"{_guesser(known)} {percent(known[0].chance)} ↑"
        notes.append(above(words, right=True) | dict(yanchor="top", font=dict(size=11)))
    elif known and math.isfinite(known[0].chance):
        level = known[0].chance
        lines.append(dotted(level))
        left = _from_chance(errors[-1]) < _from_chance(errors[0])  # the curve leaves room at the other end
        side = dict(xref="paper", xanchor="left" if left else "right")
        notes.append(note(_guesser(known), 0 if left else 1, level, 11, yanchor="bottom", **side))
    proposed = next((e for value, e in zip(values, errors, strict=True) if value == star and e is not None), None)
    if proposed is not None:
        notes.append(note("★", float(star), proposed.test, 18, ORANGE, yshift=14))
    key = [f'<span style="color:{colour}">{sign}</span> {label}' for _, label, colour, _, sign in ERRORS if known]
    notes.append(above("  ".join(key), right=True) | dict(yshift=7))  # above the highest tick's letters
    drawn = sum(e is not None for e in errors)
    by = known[0].by if known else "the machine"
    return composed(
        _what_if_traces(values, errors, current, now),
        dict(
            xaxis=axis(escape(name), **_what_if_axis(values, current, log)),
            yaxis=_error_axis(known, far),
            shapes=lines,
            annotations=notes,
        ),
        height=height,
        legend=False,
        margin=TITLED | dict(r=12, t=30),
        alt=f"Error over {escape(name)}, {drawn} of {len(values)} values"
        + (f"; smallest {number(min(e.test for e in known))}." if known else "."),
        caption=f"{by[0].upper()}{by[1:]} is trained on five random halves and tested on the others. The "
        "kernel learns from the training half alone. "
        "A low training error (open circles) beside a test error near guessing means memorising. "
        + (
            "The ring marks the present value; click a point to use its value."
            if pressed
            else "The measured curve replaces it."
        ),
    )


def _from_chance(errors: HalvesErrors | None) -> float:
    """Return how far the test error is from that of guessing; infinity where it is not known."""
    return math.inf if errors is None else abs(errors.test - errors.chance)


def _guesser(known: Sequence[HalvesErrors]) -> str:
    return "the mean" if known[0].task == "regression" else "most frequent class"


def _what_if_traces(
    values: Sequence[Any], errors: Sequence[HalvesErrors | None], current: Any, now: HalvesErrors | None
) -> list[dict[str, Any]]:
    """Return a line for each error and one ring at the present value, always the same number of traces."""
    x = np.array([float(v) for v in values], dtype=np.float64)
    traces = []
    for attribute, label, colour, symbol, _ in ERRORS:
        heights = np.array([math.nan if e is None else getattr(e, attribute) for e in errors], dtype=np.float64)
        dots = dict(mode="lines+markers", connectgaps=False, marker=dict(color=colour, symbol=symbol, size=7))
        tip = "%{x:.4g}: <b>%{y:.1%}</b><extra>" + label + "</extra>"
        dash = "dot" if attribute == "training" else "solid"
        traces.append(line(x, heights, label, colour, 2, dash, customdata=list(values), tip=tip, **dots))
    return [*traces, error_ring(current, now)]


def error_ring(value: Any, errors: HalvesErrors | None) -> dict[str, Any]:
    """Return the ring around the test error of the slider's value; an empty trace where it is not known."""
    known = value is not None and errors is not None and math.isfinite(errors.test)
    return present(
        [float(value)] if known else [],
        [errors.test] if known and errors is not None else [],
        mode="markers",
        marker=dict(symbol="circle-open", size=15, color=ORANGE, line=dict(width=3, color=ORANGE)),
    )


def _what_if_axis(values: Sequence[Any], current: Any, log: bool) -> dict[str, Any]:
    """Return an x-axis over all values, which does not move while errors arrive."""
    numbers = [float(v) for v in (*values, *([] if current is None else [current]))]
    log = log and min(numbers) > 0
    low, high = (math.log10(end) if log else end for end in (min(numbers), max(numbers)))
    pad = 0.05 * (high - low) or 0.5
    return (log_axis(numbers, 3) if log else {"type": "linear"}) | {"range": [low - pad, high + pad]}


def _guessing_far(known: Sequence[HalvesErrors]) -> bool:
    """Return whether all errors are so far below guessing that an axis up to it would flatten them."""
    highest = max((e.test for e in known), default=math.inf)
    return bool(known) and known[0].chance > 3 * max(highest, 0.02)


def _error_axis(known: Sequence[HalvesErrors], far: bool) -> dict[str, Any]:
    """Return a y-axis from 0 to as far above the largest error as words need; to above guessing unless that is far."""
    tops = [v for e in known for v in (e.test, e.training, 0.0 if far else e.chance)]
    top = max(0.02, min((1.4 if far else 1.2) * max(tops, default=1.0), 3.0))
    return axis(known[0].measure if known else "error", range=[0, top], tickformat=".0%")
