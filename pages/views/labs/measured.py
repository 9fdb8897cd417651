"""Labs whose picture is errors over the stops of a slider: measured stop by stop, while the page is seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from kernlib import Kernel
from kernlib.data import Dataset
from kernlib.figures.frames import mark_frames, sentence_frames
from kernlib.figures.labs import measured_figure, stop_mark
from kernlib.labs.measured import MEASURES, Measured
from kernlib.values.words import value_in_words
from pages.parts.frame import layout, waiting
from pages.parts.frame.slider import hand_of
from pages.parts.frame.view import View
from pages.parts.results.asking import Slices
from pages.parts.server.caching import known
from pages.views.labs.shelf import drag, in_terms, place_of, sentence


@dataclass(frozen=True)
class Stops:
    """The stops of a slider: its label, symbol, values with the kernel of each, and whether its axis is logarithmic."""

    label: str
    symbol: str
    kernels: Mapping[Any, Kernel]
    log: bool = False
    start: int = 0


@dataclass(frozen=True)
class MeasuredLab:
    """Draws a measure of `kernlib.labs.measured` over the slider's stops.

    `names` of the curves, `said` the sentence of what is measured, `stops` those of a view, `caption` of the figure,
    and what it draws.
    """

    measure: str
    names: Sequence[str]
    said: Callable[[Mapping[Any, Measured], Any, str], str]
    stops: Callable[[View], Stops]
    title: str
    caption: str
    measured: str = "error"

    def __call__(self, view: View) -> None:
        """Draw what is known, again and again until all stops are measured."""
        stops = self.stops(view)
        values, texts = list(stops.kernels), [value_in_words(v) for v in stops.kernels]
        at = values[place_of(texts, stops.start)]
        # The present stop first, then from there outwards.
        order = sorted(values, key=lambda v: abs(values.index(v) - values.index(at)))
        pieces = Slices("values", order, _piece, lambda v: (view.data, stops.kernels[v], self.measure, v))
        waiting.show(pieces, partial(self._draw, view, stops, texts, at))

    def _draw(self, view: View, stops: Stops, texts: list[str], at: Any, known: Mapping[Any, Measured]) -> None:
        values = list(stops.kernels)
        whole = len(known) == len(values)
        named = partial(in_terms, view.data)
        words = [named(self.said(known, v, stops.symbol)) if whole else None for v in values]
        sentence(words[values.index(at)] or f"Measured {len(known)} of {len(values)} values.")
        marks = mark_frames("labs-measured", [stop_mark(known, self.names, v) for v in values])
        drag(view, stops.label, texts, values.index(at), [marks, sentence_frames(words)])
        curves = {named(name): name for name in self.names}
        drawn = {v: {name: one[key] for name, key in curves.items() if key in one} for v, one in known.items()}
        caption, measured = named(self.caption), self.measured
        if view.data.task == "regression":
            measured = "unexplained variance"
        fig = measured_figure(values, drawn, list(curves), at, stops.label, stops.log, caption, measured)
        layout.panel(named(self.title), fig, "labs.measured", fill="controls", name=self.measure)


@known()
def _piece(data: Dataset, kernel: Kernel, measure: str, stop: Any) -> Measured:
    return MEASURES[measure](data, kernel, stop)


def same_kernel(label: str, symbol: str, values: Sequence[Any], log: bool, start: int) -> Callable[[View], Stops]:
    """Return stops at which the measure takes the value, and the kernel stays."""
    return lambda view: Stops(label, symbol, dict.fromkeys(values, view.kernel), log, start)


def in_hand(view: View) -> Stops:
    """Return the stops of the parameter in hand: the kernel with each value."""
    hand = hand_of(view)
    assert hand is not None  # a lab's checks ask for a kernel with a parameter
    stops = {v: hand.number.at(v) for v in hand.stops}
    return Stops(hand.number.label, hand.number.symbol, stops, hand.number.log, hand.index)


#: Powers p of the kernel's values.
of_power = same_kernel("Power p", "p", (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0), False, 4)
