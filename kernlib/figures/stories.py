"""Figures of a lesson: what a step shows, and the truth drawn over a guess."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go

from ..analysis import kernel_pca, order_rows, relevant_dimension
from ..core.base import Kernel
from ..errors import DataError
from ..explain import decision_field, train
from ..kernels.matrices import Precomputed
from ..labs.leak import tried_kernels
from ..machines import SVM
from ..measures import MEASURES
from ..stories import FIGURES, Draw, Number, Order, Point, Question, Scene, Truth, filled
from ..values.words import number
from .data import feature_map
from .gram import gram_heatmap
from .kinds import level_graphs, neighbourhood_level, pictures_of
from .labs import leak_figures
from .machine import decision_field_plot
from .marks import BARE, bars, equal_line, line, note, points, segments, up
from .spectrum import coefficient_plot, signal_and_noise_plot
from .theme import BLUE, MUTED, ORANGE, axis, composed, escape

_TRUTH, _GUESS = BLUE, ORANGE
#: Up to this many rows, each row is named.
_FEW = 12
_FAINT = "rgba(128,128,128,0.35)"


def scene_figures(scene: Scene, name: str, question: Question | None = None) -> list[go.Figure]:
    """Return the figure of a step by its name in `kernlib.stories.FIGURES`; those of a pair of rows stand side by side.

    Pairs that a `question` compares are joined by lines with letters, in a picture of two columns. Raises DataError
    where the rows do not allow it.
    """
    if name == "pair":
        return _pair(scene)
    fig = VIEWS[name](scene)
    if name == "rows" and question is not None and question.pairs and scene.data.row_kind.points:
        _join(fig, scene, question.pairs)
    return [fig]


def _join(fig: go.Figure, scene: Scene, pairs: Sequence[tuple[str, str]]) -> None:
    X = np.asarray(scene.data.rows, dtype=np.float64)
    for letter, names in zip("ABCDE", pairs, strict=False):
        (x0, y0), (x1, y1) = (X[scene.row(name), :2].tolist() for name in names)
        fig.add_shape(type="line", x0=x0, y0=y0, x1=x1, y1=y1, line=dict(color=MUTED, width=3, dash="dot"))
        fig.add_annotation(
            x=(x0 + x1) / 2, y=(y0 + y1) / 2, text=f"<b>{letter}</b>", showarrow=False, font=dict(size=20), yshift=14
        )


def _pair(scene: Scene) -> list[go.Figure]:
    """Return two rows as the pictures of their kind; nodes of graphs at the kernel's level of neighbourhoods."""
    assert scene.pair is not None  # a lesson is checked when it is read
    data, titles = scene.data, [f"row {name}" for name in scene.pair]
    i, j = (scene.row(name) for name in scene.pair)
    level = neighbourhood_level(scene.kernel)
    if level is not None:
        drawn = level_graphs([data.rows[i], data.rows[j]], titles, level)
    else:
        drawn = pictures_of(data).of_pair(data, (i, j), titles)
    if not drawn:
        raise DataError(f"{data.title}: {data.domain} rows have no picture of a pair. Choose the figure 'rows'.")
    return drawn


def _rows(scene: Scene) -> go.Figure:
    fig = pictures_of(scene.data).of_scene(scene)
    return _feature_map(scene) if fig is None else fig


def _gram(scene: Scene) -> go.Figure:
    data, K = scene.data, scene.gram
    order = order_rows(K, data.y, "class" if data.classes else "as read")
    return gram_heatmap(K, order, data.y, data.classes, data.ids, scene.colours or "diagonal")


def _feature_map(scene: Scene) -> go.Figure:
    return feature_map(kernel_pca(scene.gram), scene.data.y, scene.data.classes, scene.data.ids)


def _coefficients(scene: Scene) -> go.Figure:
    """Return |s_i| without the cut, which is what a question asks for."""
    rd = relevant_dimension(
        scene.gram, scene.labels, task=scene.data.task or "auto", decomposition=scene.spectrum, centred=True
    )
    return coefficient_plot(rd, most=60, cut=False)


def _signal_and_noise(scene: Scene) -> go.Figure:
    U = scene.spectrum.eigenvectors
    return signal_and_noise_plot(np.abs(U.T @ scene.target), np.abs(U.T @ (scene.labels - scene.target)))


def _border(scene: Scene) -> go.Figure:
    data = scene.data
    if not data.row_kind.points or data.d not in (1, 2):
        raise DataError(f"{data.title}: a border is drawn over one or two columns; found {data.d}. Choose other data.")
    machine = SVM(C=scene.C, scale="spread")
    trained = train(scene.gram, scene.labels, machine, data.classes)
    rows = np.asarray(data.rows, dtype=np.float64)
    field = decision_field(scene.kernel.specification, rows[trained.rows], trained.sign > 0, machine)
    return decision_field_plot(field, trained, rows, data.ids, data.columns)


def _staircase(scene: Scene) -> go.Figure:
    """Draw the map of correlations of a network's layers, and the way of the least correlation of two rows."""
    layers: Any = scene.kernel.specification
    if layers.level_step != "angles":
        raise DataError(f"{layers!r}: it has no layers; expected a kernel such as InfiniteWidth(Linear(), level=10).")
    K = Scene(scene.data, layers.kernel).gram
    length = np.sqrt(K.diagonal())
    used = variance = float(K.diagonal().mean()) * layers.scale(np.asarray(scene.data.rows))
    way = [float((K / np.outer(length, length)).min())]
    for _ in range(layers.level):
        used = variance
        after, variance = layers.correlations(used, np.array([way[-1]]))
        way.append(float(after[0]))
    first, last = number(way[0], 2), number(way[-1], 2)
    c = np.linspace(-1.0, 1.0, 201)
    steps = np.repeat(way, 2)
    ends = dict(range=[-1.02, 1.02])
    return composed(
        [
            equal_line([-1, 1], "c⁺ = c"),
            line(c, layers.correlations(used, c)[0], "last layer", _TRUTH, 4),
            line(steps[:-1], steps[1:], "two rows", _GUESS, dots=6),
        ],
        axis("correlation c before a layer", **ends),
        axis("correlation c⁺ after it", **ends),
        alt=f"The map of correlations, and {layers.level} steps from {first} to {last}.",
        caption=f"Two rows begin at the correlation {first} and end at {last}. Each step up is one layer.",
        legend=True,
    )


def _new_row(scene: Scene) -> go.Figure:
    """Draw how a repair of all rows changes the scores of the last one, which comes to the others' repaired matrix."""
    data, below = scene.data, getattr(scene.kernel, "kernel", None)
    if not isinstance(below, Kernel):
        raise DataError(f"{scene.kernel!r} repairs nothing; expected a kernel such as Repaired(Precomputed()).")
    S, K = Scene(data, below).gram, scene.gram
    joined = S.copy()
    joined[:-1, :-1] = replace(scene.kernel, kernel=Precomputed())(S[:-1, :-1])  # type: ignore[call-arg]
    again, together = (number(round(float(np.linalg.eigvalsh(one)[0]), 9) + 0.0, 2) for one in (joined, K))
    return composed(
        [points(S[-1, :-1], (K - S)[-1, :-1], "pair", tip="score %{x:.3f}<br>change %{y:.4f}")],
        "score of the new row with each other row",
        "change by the repair",
        alt=f"Changes of {data.n - 1} scores of a new row by the repair.",
        caption=f"Row {data.ids[-1]} comes to repaired rows. With its scores as they are, the smallest squared length "
        f"is {again}. Once all rows are repaired together it is {together}.",
    )


def _errors_of_kernels(scene: Scene) -> go.Figure:
    """Draw the histogram behind `best error of several kernels`, for the labels of the scene as they are."""
    chosen, honest = tried_kernels(scene.data, scene.kernel, 100, shuffled=False)
    guessing = MEASURES["error"].chance(np.asarray(scene.data.y))
    histogram, _ = leak_figures(chosen, honest, guessing, (100,))
    return histogram[0]


VIEWS: dict[str, Callable[[Scene], go.Figure]] = {
    "rows": _rows,
    "gram": _gram,
    "feature map": _feature_map,
    "coefficients": _coefficients,
    "border": _border,
    "signal and noise": _signal_and_noise,
    "staircase": _staircase,
    "new row": _new_row,
    "errors of a hundred kernels": _errors_of_kernels,
}
assert {*VIEWS, "pair"} == set(FIGURES)


# -- a guess under the truth ----------------------------------------------------------------------

#: Traces of a reveal, the sentence on how to read them, and the rest of its layout.
_Drawn = tuple[list[dict[str, Any]], str, dict[str, Any]]


def reveal_figure(question: Question, truth: Truth, guess: Any = None, others: Sequence[Any] = ()) -> go.Figure:
    """Return the truth drawn over a guess, and over the guesses of a class.

    Parameters: `guess` as `Question.checked` returns it, or None; `others` guesses of the same form.
    """
    draw = _curve if isinstance(question, Draw) else _rows_asked if isinstance(question, Point) else _bars
    traces, words, layout = draw(question, truth, guess, others)
    if others:
        words += f" With {len(others)} answer{'s' * (len(others) > 1)} of the class."
    return composed(traces, alt=question.compare(truth, guess), caption=words, legend=True, **layout)


def _curve(question: Question, truth: Truth, guess: Any, others: Sequence[Any]) -> _Drawn:
    # Evenly spaced, as the surface on which it was drawn.
    x, low, high = [f"{value:g}" for value in question.values], question.low, question.high
    lines = [line(x, filled(other), "", _FAINT, 1, showlegend=False, tip="") for other in others]
    if others:
        lines.append(line(x, np.median([*map(filled, others)], axis=0), "median of the class", MUTED, 3, dots=6))
    if guess is not None:
        lines.append(line(x, filled(guess), "your guess", _GUESS, 3, "dash", 6))
    lines.append(line(x, list(truth.values), "measured", _TRUTH, 4, dots=6))
    low, high = min(low, *truth.values), max(high, *truth.values)
    across = axis(escape(question.across), type="category", showgrid=False, tickangle=0, range=[-0.2, len(x) - 0.8])
    up_axis = axis(escape(question.quantity.axis), range=[low - 0.03 * (high - low), high + 0.03 * (high - low)])
    return lines, "The thick line is measured.", dict(x=across, y=up_axis)


def _bars(question: Question, truth: Truth, guess: Any, others: Sequence[Any]) -> _Drawn:
    """Draw the measured variants as bars, or a number beside the numbers that were guessed."""
    change, order, words = question.rank == "change", list(range(len(truth.values))), "Each bar is a measured value."
    shown: list[tuple[str, float, str, str]] = []  # name, value, colour, text
    if isinstance(question, Number):
        words = "The first bar is measured."
        shown.append(("measured", truth.values[0], _TRUTH, ""))
        shown += [] if guess is None else [("your guess", guess, _GUESS, "")]
        shown += [("median of the class", float(np.median(others)), MUTED, "")] if others else []
        order = []
    elif isinstance(question, Order):
        order = list(truth.order)
    for i in order:
        text, other = "", False
        if isinstance(question, Order):
            if guess is not None:  # items with one value may change places among themselves
                text, other = f" your place {guess.index(i) + 1}", not truth.tied(order[guess.index(i)], i)
            if others:
                text += f" · class {np.median([one.index(i) + 1 for one in others]):g}"
        elif not change:
            text, other = (" your choice", i != truth.best) if guess == i else ("", False)
            text += f" · {list(others).count(i)} of {len(others)}" if others else ""
        shown.append((escape(truth.labels[i], 60), truth.values[i], _GUESS if other else _TRUTH, text))
    if change:
        votes = [f"{option} {list(others).count(i)}" for i, option in enumerate(question.options)]
        words += "" if guess is None else f" Your choice: {question.options[guess]}."
        words += f" Class: {', '.join(votes)}." if others else ""
    elif order and guess is not None:
        words += " Orange is where your answer differs."
    names, values, colours, texts = zip(*shown, strict=True)
    traces = [
        bars(
            values,
            list(range(len(shown))),
            question.measure,
            colours,
            text=[f"{_amount(question, value)}{text}" for value, text in zip(values, texts, strict=True)],
            cliponaxis=False,
            orientation="h",
            width=0.46,
            textposition="outside",
            constraintext="none",
            textfont=dict(size=16),
            showlegend=False,
        )
    ]
    low, high, bottom = min([0.0, *values]), max([0.0, *values]), len(shown) - 0.6
    room = 0.9 if isinstance(question, Order) and others else 0.5
    if isinstance(question, Number):
        low, high, room = min(low, question.low), max(high, question.high), 0.1
        stacked = [(value, i) for value, count in Counter(others).items() for i in range(count)]
        x, y = [value for value, _ in stacked], [bottom + 0.13 * i for _, i in stacked]
        traces += [points(x, y, "the class", MUTED, 10, hoverinfo="x")] if stacked else []
        bottom = max([bottom, *y]) + 0.35
    # Names are above their bars: a telephone has no room beside them.
    over = [note(name, 0, place - 0.36, 16, xanchor="left") for place, name in enumerate(names)]
    if question.printed is not None:
        rule, printed = up(question.printed, f"printed: {_amount(question, question.printed)}")
        over += [rule, printed | dict(y=0, yanchor="bottom", font=dict(size=16))]
    return (
        traces,
        words,
        dict(
            x=axis(escape(question.quantity.axis), range=[low, high + room * (high - low)]),
            y=dict(BARE, range=[bottom, -0.6], showticklabels=False),
            over=over,
            margin=dict(l=16),
        ),
    )


def _amount(question: Question, value: float) -> str:
    """Return a value with its unit, as on the axis."""
    return number(value, 3) + ("%" if question.quantity.unit == "%" else "")


def _rows_asked(question: Question, truth: Truth, guess: Any, others: Sequence[Any]) -> _Drawn:
    named, votes, places = len(truth.edges) > 0, Counter(i for other in others for i in other), truth.places
    every = np.arange(len(places))
    rows = points(
        places[:, 0],
        places[:, 1],
        "rows",
        MUTED,
        [12 + (14 * votes[i] / len(others) if others else 0) for i in every.tolist()],
        ["diamond" if code % 2 else "circle" for code in truth.codes] or "circle",
        marker=dict(opacity=0.5),
        text=[name if named else f"row {name}" for name in truth.names],
        hoverinfo="text",
        mode="markers+text" if named else "markers",
        textposition="top center",
    )
    traces = [segments(*places[truth.edges.T], "", _FAINT, 0.7, tip="", showlegend=False)] if named else []
    traces.append(rows)
    for name, chosen, *style in (
        ("the answer", truth.rows, _TRUTH, 20, "circle-open"),
        ("your rows", guess, _GUESS, 9, "x"),
    ):
        if chosen is not None:
            at = places[list(chosen)]
            traces.append(points(at[:, 0], at[:, 1], name, *style, marker=dict(line=dict(width=3)), hoverinfo="skip"))
    plain = dict(zeroline=False, ticks="", showticklabels=not named, showgrid=not named)
    words = "Rings are the answer, crosses your rows." + (" Larger: selected by more of the class." if others else "")
    return traces, words, dict(x=plain, y=plain)
