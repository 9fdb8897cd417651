"""Answers, computed from the data, and sentences that compare a guess with the answer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import DataError
from ..values.arrays import Array
from ..values.declare import ordinary
from ..values.words import number
from .lesson import Question, View
from .quantities import Scene, positions

#: Relative change below which a number stays about the same.
_STAYS = 0.05
_DIRECTIONS = ("rises", "falls", "stays about the same")


@dataclass(frozen=True, eq=False)
class Truth:
    """The answer to a question.

    `values` are the measured numbers, one a variant (choose, order, draw) or a single one (number); `best` the index of
    the right option; `order` the right order of the variants; `labels` name the variants. For a question about rows:
    `rows` the right ones, `places` (n, 2) the positions of all rows, `names` their ids, `edges` (m, 2) of a graph,
    `codes` their classes.
    """

    values: tuple[float, ...] = ()
    labels: tuple[str, ...] = ()
    best: int = 0
    order: tuple[int, ...] = ()
    rows: tuple[int, ...] = ()
    places: Array = field(default_factory=lambda: np.zeros((0, 2)))
    names: tuple[str, ...] = ()
    edges: NDArray[np.intp] = field(default_factory=lambda: np.zeros((0, 2), dtype=np.intp))
    codes: tuple[int, ...] = ()

    def tied(self, a: int, b: int) -> bool:
        """Return whether two variants have the same value, up to rounding."""
        return math.isclose(self.values[a], self.values[b], rel_tol=1e-9, abs_tol=1e-12)


def truth(question: Question, view: View) -> Truth:
    """Compute the answer to a question under its view.

    Raises KernlibError where the data or the kernel do not allow the question.
    """
    arguments = dict(question.arguments)
    if question.kind == "point":
        scene = view.scene()
        rows = question.quantity.evaluate(scene, **arguments)
        return replace(picture(scene), rows=tuple(int(i) for i in rows))
    evaluate = question.quantity.evaluate
    if question.kind == "number":
        return Truth(values=(evaluate(view.scene(), **arguments),))
    scenes: dict[str, Scene] = {}
    values = []
    for _, changes, own in question.variants:
        key = repr(changes)
        scenes.setdefault(key, view.scene(**changes))
        values.append(float(evaluate(scenes[key], **arguments, **own)))
    return Truth(tuple(values), question.names, _best(question, values), _order(question, values))


def picture(scene: Scene) -> Truth:
    """Return the positions of the rows, for a question that asks to select rows, without an answer."""
    shown = Truth(
        places=positions(scene),
        names=scene.data.ids,
        codes=tuple(scene.labels.tolist()) if scene.data.classes else (),
    )
    edges = scene.data.row_kind.edges(scene.data)
    return shown if edges is None else replace(shown, edges=edges)


def _order(question: Question, values: Sequence[float]) -> tuple[int, ...]:
    sign = 1 if question.rank == "smallest" else -1
    return tuple(int(i) for i in np.argsort(sign * np.array(values), kind="stable"))


def _best(question: Question, values: Sequence[float]) -> int:
    if question.rank != "change":
        return _order(question, values)[0]
    first, last = values[0], values[-1]
    if abs(last - first) <= _STAYS * max(abs(first), abs(last)):
        return 2
    return 0 if last > first else 1


def check_guess(question: Question, guess: Any, rows: int = 0) -> Any:
    """Return a guess as a plain value of the right form; raise DataError for anything else.

    A guess is sent by a browser: an index, a number, or a list of numbers, of row numbers, or of places.
    """
    if question.kind == "number":
        if _in_range(question, guess):
            return float(guess)
    elif question.kind == "choose":
        if type(guess) is int and 0 <= guess < len(question.options):
            return guess
    elif isinstance(guess, list | tuple):
        if question.kind == "draw" and len(guess) == len(question.values):
            drawn = [value for value in guess if value is not None]
            if drawn and all(_in_range(question, value) for value in drawn):
                return tuple(None if value is None else float(value) for value in guess)
        elif question.kind == "order" and sorted(map(repr, guess)) == [repr(i) for i in range(len(question.variants))]:
            return tuple(guess)
        elif question.kind == "point" and all(type(i) is int and 0 <= i < rows for i in guess):
            return tuple(sorted(set(guess)))
    raise DataError(f"The answer does not fit the question; expected {_FORMS[question.kind]}. Answer again.")


_FORMS = {
    "choose": "one of the options",
    "number": "a number in the range",
    "draw": "a curve within the axes",
    "order": "every item once",
    "point": "rows of the picture",
}


def _in_range(question: Question, value: Any) -> bool:
    return ordinary(value) and question.low <= value <= question.high


def filled(guess: Sequence[float | None]) -> Array:
    """Return a drawn curve with gaps interpolated and its first and last value extended to the ends."""
    drawn = np.array([math.nan if v is None else v for v in guess], dtype=np.float64)
    known = np.flatnonzero(np.isfinite(drawn))
    return np.interp(np.arange(len(drawn)), known, drawn[known])


def truth_words(question: Question, answer: Truth) -> str:
    """Return the answer as text, without a guess."""
    if question.kind == "number":
        return f"The answer is {_say(answer.values[0], question)}.{_printed(question)}"
    if question.kind == "point":
        return f"The answer: {len(answer.rows)} {question.rows}."
    if question.kind == "draw":
        low, high = int(np.argmin(answer.values)), int(np.argmax(answer.values))
        return (
            f"Lowest at {answer.labels[low]} ({_say(answer.values[low], question)}), highest at {answer.labels[high]} "
            f"({_say(answer.values[high], question)})."
        )
    return _facts(question, answer)


def _printed(question: Question) -> str:
    """Return the sentence that cites what the source prints, if it does."""
    return "" if question.printed is None else f" The source prints {_say(question.printed, question)}."


def compare(question: Question, answer: Truth, guess: Any) -> str:
    """Return the sentence that compares a checked guess with the truth; without a guess, the answer."""
    if guess is None:
        return truth_words(question, answer)
    words: str = _COMPARE[question.kind](question, answer, guess)
    return words


def _compare_number(question: Question, answer: Truth, guess: float) -> str:
    value = answer.values[0]
    gap = guess - value
    guessed, measured = _say(guess, question), _say(value, question)
    near = abs(gap) <= max(question.step, 0.05 * (question.high - question.low))
    side = "close" if near else f"{_gap(abs(gap), question)} too {'high' if gap > 0 else 'low'}"
    words = f"Your guess was {guessed}; the answer is {measured}: {side}."
    if guessed == measured:
        words = f"The answer is {measured}, as you guessed."
    return words + _printed(question)


def _compare_choice(question: Question, answer: Truth, guess: int) -> str:
    facts = _facts(question, answer)
    if guess == answer.best or (question.rank != "change" and answer.tied(guess, answer.best)):
        return f"Right. {facts}"
    return f"You chose “{question.options[guess]}”. {facts}"


def _facts(question: Question, answer: Truth) -> str:
    """Return the measured values in one or two sentences."""
    measured = [_say(value, question) for value in answer.values]
    if question.rank == "change":
        verb = _DIRECTIONS[answer.best]
        ends = f"from {measured[0]} ({answer.labels[0]}) to {measured[-1]} ({answer.labels[-1]})"
        return f"The {question.quantity.name} {verb}: {ends}.{_printed(question)}"
    first, *others = answer.order
    *listed, last = [f"“{answer.labels[i]}” ({measured[i]})" for i in others]
    then = f"comes {last}" if not listed else f"come {', '.join(listed)} and {last}"
    return (
        f"“{answer.labels[first]}” has the {question.rank} {question.quantity.name}, {measured[first]}. "
        f"Then {then}.{_printed(question)}"
    )


def _compare_drawing(question: Question, answer: Truth, guess: Sequence[float | None]) -> str:
    drawn, values = filled(guess), np.array(answer.values)
    gaps = np.abs(drawn - values)
    worst = int(gaps.argmax())
    extreme = "lowest" if "error" in question.measure or "noise" in question.measure else "highest"
    pick = np.argmin if extreme == "lowest" else np.argmax
    ours, theirs = int(pick(values)), int(pick(drawn))
    if np.ptp(drawn) == 0:
        place = f"You drew a level line; the {extreme} point is at {answer.labels[ours]}"
    elif ours != theirs:
        place = f"You put the {extreme} point at {answer.labels[theirs]}; it is at {answer.labels[ours]}"
    else:
        place = f"The {extreme} point is at {answer.labels[ours]}, as you drew it"
    return (
        f"{place} ({_say(float(values[ours]), question)}). On average your curve is "
        f"{_gap(float(gaps.mean()), question)} off, most at {answer.labels[worst]}."
    )


def _compare_order(question: Question, answer: Truth, guess: Sequence[int]) -> str:
    rank = answer.order.index
    every = list(combinations(guess, 2))
    wrong = [(a, b) for a, b in every if rank(a) > rank(b) and not answer.tied(a, b)]
    if not wrong:
        return "Every item is in its place."
    a, b = max(wrong, key=lambda pair: abs(answer.values[pair[0]] - answer.values[pair[1]]))
    return (
        f"{len(every) - len(wrong)} of {len(every)} pairs are in the right order. Swapped: {answer.labels[a]} "
        f"({_say(answer.values[a], question)}) and {answer.labels[b]} ({_say(answer.values[b], question)})."
    )


def _compare_rows(question: Question, answer: Truth, guess: Sequence[int]) -> str:
    right = set(answer.rows)
    hits, wrong = len(right & set(guess)), len(set(guess) - right)
    missed = len(right) - hits
    return (
        f"{hits} of your {len(guess)} rows {_are(hits)} among the {len(right)} {question.rows}; "
        f"you missed {missed or 'none'}" + (f" and {wrong} {_are(wrong)} not among them." if wrong else ".")
    )


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


_COMPARE: dict[str, Any] = {
    "number": _compare_number,
    "choose": _compare_choice,
    "draw": _compare_drawing,
    "order": _compare_order,
    "point": _compare_rows,
}


def _say(value: float, question: Question) -> str:
    """Return a value with its unit."""
    if question.quantity.unit == "levels":
        return f"level {value:.0f}"
    return f"{number(value, 3)}%" if question.quantity.unit == "%" else _gap(value, question)


def _gap(value: float, question: Question) -> str:
    """Return a difference with its unit."""
    unit = question.quantity.unit
    if unit == "%":
        return f"{number(value, 3)} points"
    whole = unit in ("rows", "directions", "levels", "eigenvalues")
    return f"{value:.0f} {unit}" if whole else f"{number(value, 3)} {unit}".strip()
