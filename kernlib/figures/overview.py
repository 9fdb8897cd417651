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
from .theme import (
    BLUE,
    ORANGE,
    SEQUENTIAL,
    TITLED,
    above,
    class_colour,
    class_symbol,
    composed,
    dotted,
    escape,
    read_classes,
    row_labels,
    shorten,
)

#: Errors in the figure: attribute, name, colour, marker. Training errors have open markers on a dotted line.
ERRORS = (
    ("test", "test error", BLUE, "circle"),
    ("training", "training error", BLUE, "circle-open"),
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
    layout: dict[str, Any] = {
        f"{axis}axis": dict(title=dict(text=title), zeroline=False)
        for axis, title in zip("xy", map_titles(frame), strict=True)
    }
    known, (codes, _) = math.isfinite(frame.explained[0]), read_classes(y, classes)
    if (key := class_key(y, classes, None)) is not None:
        layout["annotations"] = [key]
    return composed(
        plane_traces(frame.plane, y, classes, ids),
        layout,
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
    codes, names = read_classes(y, classes)
    labels = row_labels(ids, len(plane))
    kind = "scattergl" if len(plane) > 1500 else "scatter"
    size = 6 if len(plane) <= 300 else 5
    if codes is None:
        colour: Any = BLUE if y is None else np.asarray(y, dtype=np.float32)
        return [
            dict(
                type=kind,
                x=plane[:, 0],
                y=plane[:, 1],
                mode="markers",
                name="rows",
                hovertext=labels,
                showlegend=False,
                marker=dict(color=colour, colorscale=SEQUENTIAL, size=size, opacity=0.8, showscale=False),
                hovertemplate="%{hovertext}<extra></extra>",
            )
        ]
    return [
        dict(
            type=kind,
            x=plane[codes == c, 0],
            y=plane[codes == c, 1],
            mode="markers",
            name=name,
            hovertext=labels[codes == c],
            marker=dict(color=class_colour(c), symbol=class_symbol(c), size=size, opacity=0.8),
            hovertemplate="%{hovertext}<extra>" + name + "</extra>",
        )
        for c, name in enumerate(names)
    ]


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
    regression = bool(known) and known[0].task == "regression"
    lines, notes = [], []
    far = _guessing_far(known) and None not in errors
    if far:
        notes.append(_far_note(known, ""))
    elif known and math.isfinite(known[0].chance):
        level = known[0].chance
        lines.append(dotted(level))
        words = "the mean" if regression else "most frequent class"
        left = _from_chance(errors[-1]) < _from_chance(errors[0])  # the curve leaves room at the other end
        notes.append(
            dict(
                x=0 if left else 1,
                xref="paper",
                xanchor="left" if left else "right",
                y=level,
                yanchor="bottom",
                text=words,
                showarrow=False,
                font=dict(size=11),
            )
        )
    proposed = next((e for value, e in zip(values, errors, strict=True) if value == star and e is not None), None)
    if proposed is not None:
        notes.append(
            dict(x=float(star), y=proposed.test, text="★", showarrow=False, yshift=14, font=dict(size=18, color=ORANGE))
        )
    notes.append(_error_key(known, "") | dict(yshift=7))  # above the highest tick's letters
    layout = dict(
        xaxis=dict(title=dict(text=escape(name)), **_what_if_axis(values, current, log)),
        yaxis=_error_axis(known, far),
        shapes=lines,
        annotations=notes,
    )
    drawn = sum(e is not None for e in errors)
    by = known[0].by if known else "the machine"
    return composed(
        _what_if_traces(values, errors, current, now),
        layout,
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


def _error_key(known: Sequence[HalvesErrors], panel: str) -> dict[str, Any]:
    """Return a line above a panel that names the colour and marker of each error."""
    marks = {"circle": "●", "circle-open": "○", "square": "■"}
    words = [
        f'<span style="color:{colour}">{marks[symbol]}</span> {label}'
        for attribute, label, colour, symbol in ERRORS
        if known
    ]
    return above("  ".join(words), panel, right=True)


def _what_if_traces(
    values: Sequence[Any], errors: Sequence[HalvesErrors | None], current: Any, now: HalvesErrors | None
) -> list[dict[str, Any]]:
    """Return a line for each error and one ring at the present value, always the same number of traces."""
    x = np.array([float(v) for v in values], dtype=np.float64)
    traces, ring_x, ring_y = [], [], []
    for attribute, label, colour, symbol in ERRORS:
        heights = [math.nan if e is None else getattr(e, attribute) for e in errors]
        traces.append(
            dict(
                type="scatter",
                x=x,
                y=np.array(heights, dtype=np.float64),
                mode="lines+markers",
                name=label,
                connectgaps=False,
                line=dict(color=colour, width=2, dash="dot" if attribute == "training" else "solid"),
                marker=dict(color=colour, symbol=symbol, size=7),
                hovertemplate="%{x:.4g}: <b>%{y:.1%}</b><extra>" + label + "</extra>",
                customdata=list(values),
            )
        )
        here = math.nan if now is None else getattr(now, attribute)
        if current is not None and math.isfinite(here) and attribute != "training":
            ring_x.append(float(current))
            ring_y.append(here)
    traces.append(
        dict(
            type="scatter",
            x=ring_x,
            y=ring_y,
            mode="markers",
            name="now",
            showlegend=False,
            customdata=[current] * len(ring_x),
            marker=dict(symbol="circle-open", size=15, color=ORANGE, line=dict(width=3, color=ORANGE)),
            hovertemplate="now, %{x:.4g}: <b>%{y:.1%}</b><extra></extra>",
        )
    )
    return traces


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


def _far_note(known: Sequence[HalvesErrors], panel: str) -> dict[str, Any]:
    """Return the error of guessing in words at the upper edge of a panel that does not reach it."""
    words = "the mean" if known[0].task == "regression" else "most frequent class"
    text = f"{words} {percent(known[0].chance)} ↑"
    return above(text, panel, right=True) | dict(yanchor="top", font=dict(size=11))


def _error_axis(known: Sequence[HalvesErrors], far: bool) -> dict[str, Any]:
    """Return a y-axis from 0 to as far above the largest error as words need; to above guessing unless that is far."""
    tops = [v for e in known for v in (e.test, e.training, 0.0 if far else e.chance)]
    top = max(0.02, min((1.4 if far else 1.2) * max(tops, default=1.0), 3.0))
    return {
        "range": [0, top],
        "tickformat": ".0%",
        "title": {"text": known[0].measure if known else "error"},
    }
