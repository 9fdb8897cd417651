"""The kinds of question: a class each, with its answer, computed from the data, and the sentence on a guess."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from ..errors import DataError
from ..values.arrays import Array
from ..values.declare import ordinary
from ..values.words import number
from .quantities import QUANTITIES, ROW_SETS, Named, Pair, Quantity, Scene, positions

if TYPE_CHECKING:
    from .lesson import View

#: Relative change below which a number stays about the same.
_STAYS = 0.05
_DIRECTIONS = ("rises", "falls", "stays about the same")


@dataclass(frozen=True, eq=False)
class Truth:
    """The answer to a question.

    `values` are the measured numbers of the variants, which `labels` name; `best` the index of the right option;
    `order` the right order of the variants. For a question about rows: `rows` the right ones, `places` (n, 2) the
    positions of all rows, `names` their ids, `edges` (m, 2) of a graph, `codes` their classes.
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


@dataclass(frozen=True)
class Question:
    """A step's question, and how to compute its answer.

    `measure` names a quantity or a set of rows, computed with `arguments`. The variants to compare are the `values` of
    `path`, `pairs` of row ids, or `kernels`; `rank` says which variant is first. `printed` is the value that the source
    prints. `called` is the name of an error that another measure than the error rate suits.
    """

    text: str
    measure: str
    arguments: Named = ()
    options: tuple[str, ...] = ()
    path: str = ""
    values: tuple[Any, ...] = ()
    pairs: tuple[Pair, ...] = ()
    kernels: tuple[str, ...] = ()
    rank: Literal["largest", "smallest", "change"] = "largest"
    low: float = 0.0
    high: float = 1.0
    step: float = 0.0
    printed: float | None = None
    symbol: str = ""
    called: str = ""

    #: What a question can ask for, what an answer is as text, what to do, whether the answer is given in the picture,
    #: and the names in a lesson file that only some kinds of question have.
    known: ClassVar[Mapping[str, Quantity]] = QUANTITIES
    form: ClassVar[str]
    do: ClassVar[str]
    in_picture: ClassVar[bool] = False
    keys: ClassVar[tuple[str, ...]] = ()

    @property
    def kind(self) -> str:
        """Return the name of the kind in lesson files."""
        return type(self).__name__.lower()

    @property
    def quantity(self) -> Quantity:
        """Return what is computed."""
        return replace(self.known[self.measure], name=self.called or self.measure)

    @property
    def across(self) -> str:
        """Return the title of the axis over which a curve is drawn."""
        return self.symbol or self.path.rpartition(".")[2].replace("_", " ")

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the variants."""
        named = self.options and self.rank != "change"
        return self.options if named else tuple(label for label, _, _ in self.variants)

    @property
    def variants(self) -> tuple[tuple[str, dict[str, Any], dict[str, Any]], ...]:
        """Return (label, changes to the scene, arguments of the measure) of every variant; one without changes."""
        if self.pairs:
            return tuple((f"{a} and {b}", {}, {"pair": (a, b)}) for a, b in self.pairs)
        if self.kernels:
            return tuple((text, {"kernel": text}, {}) for text in self.kernels)
        if not self.path:
            return (("", {}, {}),)
        part, _, name = self.path.rpartition(".")
        sign = " = " if len(self.across) == 1 else " "
        labels = [f"{self.across}{sign}{f'{v:g}' if isinstance(v, int | float) else v}" for v in self.values]
        changes: list[Any] = [({self.path: value}, {}) for value in self.values]
        if part == "measure":
            changes = [({}, {name: value}) for value in self.values]
        return tuple((label, *change) for label, change in zip(labels, changes, strict=True))

    def truth(self, view: View) -> Truth:
        """Return the answer under a view; KernlibError where the data or the kernel do not allow the question."""
        scenes, values = dict[str, Scene](), []
        for _, changes, own in self.variants:
            scene = scenes.setdefault(repr(changes), view.scene(**changes))
            values.append(float(self.quantity.evaluate(scene, **dict(self.arguments), **own)))
        order = np.argsort(values if self.rank == "smallest" else np.negative(values), kind="stable").tolist()
        best, first, last = order[0], values[0], values[-1]
        if self.rank == "change":
            stays = abs(last - first) <= _STAYS * max(abs(first), abs(last))
            best = 2 if stays else 0 if last > first else 1
        return Truth(tuple(values), self.names, best, tuple(order))

    def checked(self, guess: Any, rows: int = 0) -> Any:
        """Return a guess, which a browser sent, as a plain value of the right form; DataError for anything else.

        Parameters: `rows` in the picture of a question about rows.
        """
        plain = self._plain(guess, rows)
        if plain is None:
            raise DataError(f"The answer does not fit the question; expected {self.form}. Answer again.")
        return plain

    def compare(self, answer: Truth, guess: Any = None) -> str:
        """Return the sentence that compares a checked guess with the truth; without a guess, the answer."""
        words = self._facts(answer) if guess is None else self._compared(answer, guess)
        return words if self.printed is None else f"{words} The source prints {self.say(self.printed)}."

    def say(self, value: float) -> str:
        """Return a value with its unit."""
        if self.quantity.unit == "levels":
            return f"level {value:.0f}"
        return f"{number(value, 3)}%" if self.quantity.unit == "%" else self.gap(value)

    def gap(self, value: float) -> str:
        """Return a difference with its unit."""
        unit = self.quantity.unit
        if unit == "%":
            return f"{number(value, 3)} points"
        whole = unit in ("rows", "directions", "levels", "eigenvalues")
        return f"{value:.0f} {unit}" if whole else f"{number(value, 3)} {unit}".strip()

    def _within(self, value: Any) -> bool:
        return ordinary(value) and self.low <= value <= self.high

    def _plain(self, guess: Any, rows: int) -> Any:
        """Return what a browser sent as a plain value, None where it is no answer."""
        raise NotImplementedError

    def _compared(self, answer: Truth, guess: Any) -> str:
        raise NotImplementedError

    def _facts(self, answer: Truth) -> str:
        """Return the measured values in one or two sentences."""
        measured, name = [self.say(value) for value in answer.values], self.quantity.name
        if self.rank == "change":
            ends = f"from {measured[0]} ({answer.labels[0]}) to {measured[-1]} ({answer.labels[-1]})"
            return f"The {name} {_DIRECTIONS[answer.best]}: {ends}."
        first, *others = answer.order
        *listed, last = [f"“{answer.labels[i]}” ({measured[i]})" for i in others]
        then = f"comes {last}" if not listed else f"come {', '.join(listed)} and {last}"
        return f"“{answer.labels[first]}” has the {self.rank} {name}, {measured[first]}. Then {then}."


class Number(Question):
    """A number in a range."""

    form = "a number in the range"
    do = "Move the slider."
    keys = ("low", "high", "step")

    def _plain(self, guess: Any, rows: int) -> float | None:
        return float(guess) if self._within(guess) else None

    def _facts(self, answer: Truth) -> str:
        return f"The answer is {self.say(answer.values[0])}."

    def _compared(self, answer: Truth, guess: float) -> str:
        gap = guess - answer.values[0]
        guessed, measured = self.say(guess), self.say(answer.values[0])
        if guessed == measured:
            return f"The answer is {measured}, as you guessed."
        near = abs(gap) <= max(self.step, 0.05 * (self.high - self.low))
        side = "close" if near else f"{self.gap(abs(gap))} too {'high' if gap > 0 else 'low'}"
        return f"Your guess was {guessed}; the answer is {measured}: {side}."


class Choose(Question):
    """One of several options: a variant, or whether a number rises, falls or stays."""

    form = "one of the options"
    do = "Choose one."
    keys = ("options", "axis", "values", "pairs", "kernels", "rank")

    def _plain(self, guess: Any, rows: int) -> int | None:
        return guess if type(guess) is int and 0 <= guess < len(self.options) else None

    def _compared(self, answer: Truth, guess: int) -> str:
        right = guess == answer.best or (self.rank != "change" and answer.tied(guess, answer.best))
        return f"{'Right.' if right else f'You chose “{self.options[guess]}”.'} {self._facts(answer)}"


class Order(Question):
    """The order of the variants."""

    form = "every item once"
    do = "Move the items into order, first on top."
    keys = Choose.keys

    def _plain(self, guess: Any, rows: int) -> tuple[int, ...] | None:
        every = [repr(i) for i in range(len(self.variants))]
        return tuple(guess) if isinstance(guess, list | tuple) and sorted(map(repr, guess)) == every else None

    def _compared(self, answer: Truth, guess: Sequence[int]) -> str:
        rank = answer.order.index
        every = list(combinations(guess, 2))
        wrong = [(a, b) for a, b in every if rank(a) > rank(b) and not answer.tied(a, b)]
        if not wrong:
            return "Every item is in its place."
        pair = max(wrong, key=lambda pair: abs(answer.values[pair[0]] - answer.values[pair[1]]))
        swapped = " and ".join(f"{answer.labels[i]} ({self.say(answer.values[i])})" for i in pair)
        return f"{len(every) - len(wrong)} of {len(every)} pairs are in the right order. Swapped: {swapped}."


class Draw(Question):
    """A curve over the values of a parameter."""

    form = "a curve within the axes"
    do = "Draw with the mouse, a finger, or the arrow keys."
    in_picture = True
    keys = ("axis", "values", "low", "high")

    def _plain(self, guess: Any, rows: int) -> tuple[float | None, ...] | None:
        if not isinstance(guess, list | tuple) or len(guess) != len(self.values):
            return None
        drawn = [value for value in guess if value is not None]
        if not drawn or not all(map(self._within, drawn)):
            return None
        return tuple(None if value is None else float(value) for value in guess)

    def _facts(self, answer: Truth) -> str:
        low, high = (f"{answer.labels[pick(answer.values)]}" for pick in (np.argmin, np.argmax))
        least, most = self.say(min(answer.values)), self.say(max(answer.values))
        return f"Lowest at {low} ({least}), highest at {high} ({most})."

    def _compared(self, answer: Truth, guess: Sequence[float | None]) -> str:
        drawn, values = filled(guess), np.array(answer.values)
        gaps = np.abs(drawn - values)
        extreme = "lowest" if "error" in self.measure else "highest"
        ours, theirs = (int(one.argmin() if extreme == "lowest" else one.argmax()) for one in (values, drawn))
        at = f"at {answer.labels[ours]}"
        if np.ptp(drawn) == 0:
            place = f"You drew a level line; the {extreme} point is {at}"
        elif ours != theirs:
            place = f"You put the {extreme} point at {answer.labels[theirs]}; it is {at}"
        else:
            place = f"The {extreme} point is {at}, as you drew it"
        return (
            f"{place} ({self.say(float(values[ours]))}). On average your curve is {self.gap(float(gaps.mean()))} off, "
            f"most at {answer.labels[int(gaps.argmax())]}."
        )


class Point(Question):
    """Rows that are selected in a picture."""

    known = ROW_SETS
    form = "rows of the picture"
    do = "Click rows to select them."
    in_picture = True

    @property
    def rows(self) -> str:
        """Return the rows to select as text, such as "rows closer to 33"."""
        return self.measure.replace("the second row", str(dict(self.arguments).get("second")))

    def truth(self, view: View) -> Truth:
        scene = view.scene()
        rows = self.quantity.evaluate(scene, **dict(self.arguments))
        return replace(picture(scene), rows=tuple(int(i) for i in rows))

    def _plain(self, guess: Any, rows: int) -> tuple[int, ...] | None:
        if not isinstance(guess, list | tuple) or not all(type(i) is int and 0 <= i < rows for i in guess):
            return None
        return tuple(sorted(set(guess)))

    def _facts(self, answer: Truth) -> str:
        return f"The answer: {len(answer.rows)} {self.rows}."

    def _compared(self, answer: Truth, guess: Sequence[int]) -> str:
        right = set(answer.rows)
        hits, wrong = len(right & set(guess)), len(set(guess) - right)
        return (
            f"{hits} of your {len(guess)} rows {_are(hits)} among the {len(right)} {self.rows}; "
            f"you missed {len(right) - hits or 'none'}"
            + (f" and {wrong} {_are(wrong)} not among them." if wrong else ".")
        )


#: The kinds of question by their names in lesson files.
KINDS: dict[str, type[Question]] = {one.__name__.lower(): one for one in (Choose, Number, Draw, Point, Order)}


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def picture(scene: Scene) -> Truth:
    """Return the positions of the rows, for a question that asks to select rows, without an answer."""
    codes = tuple(scene.labels.tolist()) if scene.data.classes else ()
    shown = Truth(places=positions(scene), names=scene.data.ids, codes=codes)
    edges = scene.data.row_kind.edges(scene.data)
    return shown if edges is None else replace(shown, edges=edges)


def filled(guess: Sequence[float | None]) -> Array:
    """Return a drawn curve with gaps interpolated and its first and last value extended to the ends."""
    drawn = np.array([math.nan if v is None else v for v in guess], dtype=np.float64)
    known = np.flatnonzero(np.isfinite(drawn))
    return np.interp(np.arange(len(drawn)), known, drawn[known])
