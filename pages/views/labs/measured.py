"""Labs whose picture is errors over the stops of a slider: measured stop by stop, while the page is seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from kernlib import Kernel
from kernlib.data import Dataset
from kernlib.figures.frames import mark_frames
from kernlib.figures.labs import measured_figure, stop_mark
from kernlib.labs.measured import MEASUREMENTS, Measured
from kernlib.stories import in_terms
from kernlib.values.words import value_in_words
from pages.parts.frame import waiting
from pages.parts.frame.slider import hand_of
from pages.parts.frame.waiting import View
from pages.parts.results.compute import Slices
from pages.parts.server.caching import known
from pages.views.labs.shelf import Lab, drag_figures, place_of


@dataclass(frozen=True)
class Stops:
    """The stops of a slider: its label, how a sentence names one, the kernel of each, whether its axis is logarithmic.

    `start` is the place of the first stop in view.
    """

    label: str
    at: str
    kernels: Mapping[Any, Kernel]
    log: bool = False
    start: int = 0


@dataclass(frozen=True)
class Measures:
    """Draws what `kernlib.labs.measured` measures for a lab over the slider's stops.

    `stops` those of a view, `title` and `caption` of the figure, and what it draws where that is no error.
    """

    stops: Callable[[View], Stops]
    title: str
    caption: str
    drawn: str = ""

    def __call__(self, lab: Lab, view: View) -> None:
        """Draw what is known, again and again until all stops are measured."""
        stops, measurement, key = self.stops(view), MEASUREMENTS[lab.name], f"labs.{lab.name}"
        values, texts = list(stops.kernels), [value_in_words(v) for v in stops.kernels]
        at = values[place_of(texts, stops.start)]
        named = partial(in_terms, data=view.data)

        def draw(known: Mapping[Any, Measured]) -> None:
            whole = len(known) == len(values)
            words = [
                measurement.sentence(known, v, stops.at.format(value_in_words(v))) if whole else None for v in values
            ]
            curves = {
                v: {named(name): one[name] for name in list(one)[: measurement.curves]} for v, one in known.items()
            }
            names = list(dict.fromkeys(name for one in curves.values() for name in one))
            drawn = self.drawn or named("test error").removeprefix("test ")
            fig = measured_figure(values, curves, names, at, stops.label, stops.log, self.caption, drawn)
            drag_figures(
                view,
                stops.label,
                texts,
                stops.start,
                words,
                (key, self.title, fig),
                targets=[mark_frames(key.replace(".", "-"), [stop_mark(curves, names, v) for v in values])],
                progress=f"Measured {len(known)} of {len(values)} values.",
            )

        # The present stop first, then from there outwards.
        order = sorted(values, key=lambda v: abs(values.index(v) - values.index(at)))
        waiting.show(Slices("values", order, _piece, lambda v: (view.data, stops.kernels[v], lab.name, v)), draw)


@known()
def _piece(data: Dataset, kernel: Kernel, lab: str, stop: Any) -> Measured:
    return MEASUREMENTS[lab].of(data, kernel, stop)


def same_kernel(label: str, at: str, values: Sequence[Any], start: int, log: bool = True) -> Callable[[View], Stops]:
    """Return stops at which the measure takes the value, and the kernel stays."""
    return lambda view: Stops(label, at, dict.fromkeys(values, view.kernel), log, start)


def in_hand(view: View) -> Stops:
    """Return the stops of the parameter in hand: the kernel with each value."""
    hand = hand_of(view)
    assert hand is not None  # a lab's checks ask for a kernel with a parameter
    stops = {v: hand.number.at(v) for v in hand.stops}
    return Stops(hand.number.label, f"{hand.number.symbol} = {{}}", stops, hand.number.log, hand.index)


def column_counts(view: View) -> Stops:
    """Return numbers of columns up to all of them."""
    d = view.data.d or 1
    counts = [n for n in (1, 3, 10, 30, 100, 300, 1000, 3000) if n < d] + [d]
    return Stops("Columns", "{}", dict.fromkeys(counts, view.kernel), True, len(counts) // 2)
