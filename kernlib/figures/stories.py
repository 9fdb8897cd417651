"""Figures of a lesson: what a step shows, and the truth drawn over a guess."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
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
from ..stories import FIGURES, Question, Scene, Truth, filled
from ..values.words import number
from .data import feature_map
from .gram import gram_heatmap
from .kinds import level_graphs, pictures_of
from .labs import leak_figures
from .machine import decision_field_plot
from .marks import bars, equal_line, line, note, points, segments, up
from .spectrum import coefficient_plot, eigenvalue_plot, signal_and_noise_plot
from .theme import BLUE, MUTED, ORANGE, axis, composed, escape

_TRUTH, _GUESS = BLUE, ORANGE
#: Up to this many rows, each row is named.
_FEW = 12
_FAINT = "rgba(128,128,128,0.35)"


def scene_figures(
    scene: Scene, name: str, question: Question | None = None, stretched: bool = False
) -> list[go.Figure]:
    """Return the figure of a step by its name in `kernlib.stories.FIGURES`; those of a pair of rows stand side by side.

    With `stretched` the colours of a Gram matrix span the entries off the diagonal. Pairs that a `question` compares
    are joined by lines with letters, in a picture of two columns. Raises DataError where the rows do not allow it.
    """
    if name == "pair":
        return _pair(scene)
    fig = _gram(scene, stretched) if name == "gram" else VIEWS[name](scene)
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
    drawn_as = {part.drawn_as: part for part in scene.kernel.specification.walk()}
    level = getattr(drawn_as.get("neighbourhoods"), "level", None)
    if level is not None:
        drawn = level_graphs([data.rows[i], data.rows[j]], titles, level)
    else:
        drawn = pictures_of(data).of_pair(data, (i, j), titles)
    if not drawn:
        raise DataError(f"{data.title}: {data.domain} rows have no picture of a pair. Choose the figure 'rows'.")
    return [picture.figure for picture in drawn]


def _rows(scene: Scene) -> go.Figure:
    fig = pictures_of(scene.data).of_scene(scene)
    return _feature_map(scene) if fig is None else fig


def _gram(scene: Scene, stretched: bool = False) -> go.Figure:
    data, K = scene.data, scene.gram
    order = order_rows(K, data.y, "class" if data.classes else "as read")
    colours: Any = "off-diagonal" if stretched else scene.colours or "diagonal"
    return gram_heatmap(K, order, data.y, data.classes, data.ids, colours)


def _feature_map(scene: Scene) -> go.Figure:
    return feature_map(kernel_pca(scene.gram), scene.data.y, scene.data.classes, scene.data.ids)


def _coefficients(scene: Scene, cut: bool = True) -> go.Figure:
    """Return |s_i|; without the `cut` for a question that asks where it is."""
    rd = relevant_dimension(
        scene.gram, scene.labels, task=scene.data.task or "auto", decomposition=scene.spectrum, centred=True
    )
    return coefficient_plot(rd, most=60, cut=cut)


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
    return histogram.at(0)


VIEWS: dict[str, Callable[[Scene], go.Figure]] = {
    "rows": _rows,
    "gram": _gram,
    "feature map": _feature_map,
    "coefficients": lambda scene: _coefficients(scene, cut=False),
    "relevant dimension": _coefficients,
    "spectrum": lambda scene: eigenvalue_plot(scene.spectrum),
    "border": _border,
    "signal and noise": _signal_and_noise,
    "staircase": _staircase,
    "new row": _new_row,
    "errors of a hundred kernels": _errors_of_kernels,
}
assert {*VIEWS, "pair"} == set(FIGURES)


# -- a guess under the truth ----------------------------------------------------------------------


def reveal_figure(question: Question, truth: Truth, guess: Any = None, others: Sequence[Any] = ()) -> go.Figure:
    """Return the truth drawn over a guess, and over the guesses of a class.

    Parameters: `guess` as `check_guess` returns it, or None; `others` guesses of the same form.
    """
    return _REVEALS[question.kind](question, truth, guess, others)


def _curve(question: Question, truth: Truth, guess: Any, others: Sequence[Any]) -> go.Figure:
    # Evenly spaced, as the surface on which it was drawn.
    x, across = [f"{value:g}" for value in question.values], dict(type="category", showgrid=False, tickangle=0)
    across["range"] = [-0.2, len(x) - 0.8]
    lines = [line(x, filled(other), "", _FAINT, 1, showlegend=False, tip="") for other in others]
    if len(others) > 1:
        middle = np.median([filled(other) for other in others], axis=0)
        lines.append(line(x, middle, "median of the class", MUTED, 3, dots=6))
    if guess is not None:
        lines.append(line(x, filled(guess), "your guess", _GUESS, 3, "dash", 6))
    lines.append(line(x, list(truth.values), "measured", _TRUTH, 4, dots=6))
    name = question.across
    return composed(
        lines,
        axis(escape(name), **across),
        _axis_of(question, truth, 0.03),
        alt=f"{question.measure} over {name}: {_THE[guess is not None]} measured curve.",
        caption=_with_class(
            "The thick line is measured" + ("." if guess is None else ", the dashed line is your guess."), others
        ),
        legend=True,
    )


#: What is drawn, as text, by whether there is a guess.
_THE = {False: "the", True: "the guess and the"}


def _axis_of(question: Question, truth: Truth, room: float) -> dict[str, Any]:
    """Return the axis of what a question asks, with a share of its length as room on both sides."""
    low, high = min(question.low, *truth.values), max(question.high, *truth.values)
    pad = room * (high - low)
    return axis(escape(question.quantity.axis), range=[low - pad, high + pad])


def _with_class(words: str, others: Sequence[Any], how: str = "Faint") -> str:
    answers = "1 answer" if len(others) == 1 else f"{len(others)} answers"
    return f"{words} {how}: {answers} of the class." if others else words


def _number(question: Question, truth: Truth, guess: Any, others: Sequence[Any]) -> go.Figure:
    counts = Counter(others)
    marks = [("measured", truth.values[0], _TRUTH, "circle")]
    if guess is not None:
        marks.append(("your guess", guess, _GUESS, "diamond"))
    traces = [
        line(
            [value, value],
            [0, 0.6],
            f"{name}: {_amount(question, value)}",
            colour,
            3,
            dots=[0, 16],
            marker=dict(symbol=symbol),
        )
        for name, value, colour, symbol in marks
    ]
    if counts:
        x = [value for value, count in counts.items() for _ in range(count)]
        y = [0.1 + 0.06 * i for count in counts.values() for i in range(count)]
        traces.append(points(x, y, "the class", MUTED, 12, hoverinfo="x"))
    over = _printed(question)
    if len(others) > 1:
        middle = float(np.median(others))
        over += up(middle, f"median of the class: {_amount(question, middle)}")
    return composed(
        traces,
        _axis_of(question, truth, 0.1),
        dict(visible=False, range=[0, max(0.8, 0.25 + 0.06 * max(counts.values(), default=0))]),
        over=over,
        alt=f"{question.measure}: {_THE[guess is not None]} measured value {truth.values[0]:.4g}.",
        caption=_with_class(
            "The circle is measured" + ("." if guess is None else ", the diamond is your guess."), others
        ),
        legend=True,
        height=300,
    )


def _printed(question: Question) -> list[dict[str, Any]]:
    """Return a dashed line at the value that the source prints, and its words."""
    if question.printed is None:
        return []
    rule, words = up(question.printed, f"printed: {_amount(question, question.printed)}")
    return [rule, words | dict(y=0, yanchor="bottom", font=dict(size=16))]


def _amount(question: Question, value: float) -> str:
    """Return a value with its unit, as on the axis."""
    return number(value, 3) + ("%" if question.quantity.unit == "%" else "")


def _bars(question: Question, truth: Truth, guess: Any, others: Sequence[Any]) -> go.Figure:
    ordered, change = question.kind == "order", question.rank == "change"
    shown = list(truth.order) if ordered else list(range(len(truth.values)))
    chosen: set[int] = set()
    if ordered and guess is not None:
        # Items with one value may change places among themselves.
        chosen = {i for i in shown if not truth.tied(shown[list(guess).index(i)], i)}
    elif guess is not None and not change:
        chosen = {guess} - {truth.best}
    over, texts = [], []
    for place, i in enumerate(shown):
        # Names are above their bars: a telephone has no room beside them.
        over.append(note(escape(truth.labels[i], 60), 0, place - 0.36, 16, xanchor="left"))
        text = _amount(question, truth.values[i])
        if ordered and guess is not None:
            text += f" your place {list(guess).index(i) + 1}"
        elif guess == i and not change:
            text += " your choice"
        if ordered and others:
            text += f" · class {np.median([list(other).index(i) + 1 for other in others]):g}"
        elif others and not change:
            text += f" · {list(others).count(i)} of {len(others)}"
        texts.append(text)
    values = [truth.values[i] for i in shown]
    low, high = min([0.0, *values]), max([0.0, *values])
    bar = bars(
        values,
        list(range(len(shown))),
        question.measure,
        [_GUESS if i in chosen else _TRUTH for i in shown],
        text=texts,
        cliponaxis=False,
        orientation="h",
        width=0.46,
        textposition="outside",
        constraintext="none",
        textfont=dict(size=16),
    )
    words = f"Each bar is one of the {'variants' if change else 'options'}, as measured."
    if ordered:
        words = "Bars are in the measured order"
        words += "." if guess is None else "; an orange bar had another place in your order."
    votes = ""
    if change:
        own_vote = "" if guess is None else f" Your choice: {question.options[int(guess)]}."
        counted = ", ".join(f"{option} {list(others).count(i)}" for i, option in enumerate(question.options))
        votes = own_vote + (f" Class: {counted}." if others else "")
    return composed(
        [bar],
        axis(
            escape(question.quantity.axis),
            range=[low, high + (0.9 if ordered and others else 0.5) * (high - low)],
        ),
        dict(range=[len(shown) - 0.6, -0.6], showticklabels=False, ticks="", showgrid=False),
        over=over + _printed(question),
        alt=f"{question.measure} of {', '.join(escape(truth.labels[i], 60) for i in shown)}.{votes}",
        caption=f"{words}{votes}" if change else _with_class(words, others, "Beside the bars"),
        legend=False,
        margin=dict(l=16, b=60),
    )


def _points(question: Question, truth: Truth, guess: Any, others: Sequence[Any]) -> go.Figure:
    right, pointed = set(truth.rows), set(guess or ())
    named = len(truth.edges) > 0
    votes = Counter(i for other in others for i in other)
    asked = guess is not None
    groups: Mapping[str, tuple[set[int], str, str]] = {
        "neither": (set(range(len(truth.places))) - right - pointed, _FAINT, ""),
        "missed" if asked else "the answer": (right - pointed, _TRUTH, "-open" if asked else ""),
        "found": (right & pointed, _TRUTH, ""),
        "selected, does not belong": (pointed - right, _GUESS, "x"),
    }
    shapes = ["diamond" if code % 2 else "circle" for code in truth.codes] or ["circle"] * len(truth.places)
    traces: list[Any] = []
    if named:
        traces.append(segments(*truth.places[truth.edges.T], "", _FAINT, 0.7, tip="", showlegend=False))
    for name, (rows, colour, kind) in groups.items():
        if not rows:
            continue
        at = sorted(rows)
        symbol = [kind if kind == "x" else shapes[i] + kind for i in at]
        size = [12 + (14 * votes[i] / len(others) if others else 0) for i in at]
        traces.append(
            points(
                truth.places[at, 0],
                truth.places[at, 1],
                name,
                colour,
                size,
                symbol,
                customdata=at,
                marker=dict(line=dict(width=2, color=colour)),
                text=[truth.names[i] if named else f"row {truth.names[i]}" for i in at],
                hoverinfo="text",
                mode="markers+text" if named else "markers",
                textposition="top center",
            )
        )
    plain = dict(zeroline=False, showticklabels=not named, showgrid=not named)
    words = "Filled: selected correctly. Open: missed. Crosses: selected wrongly." if asked else "Filled: the answer."
    return composed(
        traces,
        plain,
        plain,
        alt=f"The rows, with the {len(right)} {question.measure} and those that were selected.",
        caption=_with_class(words + (" Larger: selected by more of the class." if others else ""), others),
        legend=True,
        height=420,
    )


_REVEALS: dict[str, Callable[[Question, Truth, Any, Sequence[Any]], go.Figure]] = {
    "draw": _curve,
    "number": _number,
    "choose": _bars,
    "order": _bars,
    "point": _points,
}
