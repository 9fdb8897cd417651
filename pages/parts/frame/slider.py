"""The slider of the parameter in hand, the same on every page.

Frames that are computed ahead are drawn in the browser while it moves.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import streamlit as st

from kernlib import Kernel
from kernlib.analysis.summary import Summary
from kernlib.figures.curves import error_ring, what_if
from kernlib.figures.frames import mark_frames
from kernlib.protocols import HALVES
from kernlib.values.labels import HalvesErrors
from kernlib.values.words import percent, value_in_words
from pages.parts.frame import layout, waiting
from pages.parts.frame.waiting import View
from pages.parts.inputs.controls import binding, button, in_row
from pages.parts.results import compute
from pages.parts.results.compute import Slices
from pages.parts.server.caching import Known
from pages.parts.server.jobs import limits, session_id
from pages.parts.server.runs import deferred, importing, keep, kept, part_place, until_done
from pages.parts.session import state
from pages.parts.session.chain import (
    Step,
    TunableParameter,
    axis_label,
    most_telling,
    numbers,
    power_on_top,
    steps_on_top,
    with_step,
)
from pages.parts.session.state import current

T = TypeVar("T")
#: Where the session keeps values that are no stops, by data set and parameter.
_OWN = "hand.own"


@dataclass(frozen=True)
class Hand:
    """The parameter in hand, its stops with the value in use among them, and the frames of their kernels."""

    view: View
    number: TunableParameter
    stops: tuple[Any, ...]
    value: Any
    middle: Kernel
    frames: Slices[Any, Summary]

    @property
    def index(self) -> int:
        """Return the place of the value in use."""
        return self.stops.index(self.value)

    def pieces(self, function: Known[..., T], *more: Any, first: tuple[Any, ...] = ()) -> Slices[Any, T]:
        """Return a function of the data, the kernel of each stop, and `more`, asked for as the frames are."""
        data, number, frames = self.view.data, self.number, self.frames

        def given(value: Any) -> tuple[Any, ...]:
            return data, number.at(value), *more

        return Slices(frames.name, [*first, *frames.keys], function, given)

    def now(self) -> Summary:
        """Return the frame of the kernel in use."""
        return compute.frame(self.view.data, self.view.kernel, self.middle)


def hand_of(view: View) -> Hand | None:
    """Return the parameter that was moved last, or the one that says most; None where the kernel has none."""
    data, kernel = view.data, view.kernel
    available = numbers(kernel)
    number = next((n for n in available if n.path == current().touched), None) or most_telling(available)
    if number is None:
        if kernel.has_factor:
            return None
        number = power_on_top(kernel)
    p = number.place.parameter
    learnt = compute.heuristics(data, kernel)
    value = number.current if number.current is not None else learnt.get(p.name, p.default)
    stops = number.values(learnt.get(p.name) if number.log else None, 19 if data.n <= 400 else 13)
    middle = number.at(stops[len(stops) // 2])
    # The last value that is no stop stays beside them; another data set forgets it.
    own = {place: one for place, one in kept(_OWN, dict[tuple[str, str], Any]).items() if place[0] == data.digest}
    if value not in stops:
        own[data.digest, number.path] = value
    keep(_OWN, own)
    stops = tuple(sorted({*stops, own.get((data.digest, number.path), value)}))
    # From the value in use outwards: what a finger reaches first is there first.
    here = stops.index(value)
    others = {v: number.at(v) for v in sorted(stops, key=lambda v: abs(stops.index(v) - here)) if v != value}
    frames = compute.frames(data, others, middle)
    return Hand(view, number, stops, value, middle, frames)


@dataclass(frozen=True)
class Lens:
    """What a page's slider moves beside the kernel's parameters: how much of the figures is in view.

    `control` keeps the stop in the link; words, one for each of the `stops`, say what is seen there.
    """

    control: str
    label: str
    stops: Sequence[int]
    value: int
    words: Sequence[str]


def lens_in_hand(control: str) -> bool:
    """Return whether the slider moves a page's lens and no parameter of the kernel: at first it does."""
    return f"{control}.hand" not in current().controls


def draw(
    hand: Hand | None,
    view: View,
    targets: Sequence[Mapping[str, Any]] = (),
    *,
    lens: Lens | None = None,
    words: Sequence[str] = (),
) -> None:
    """Draw the menu of parameters and the slider; `targets` are the frames of the page's figures.

    Parameters: `words` below the slider, for each stop; `lens` of the page.
    """
    with in_row(key="hand", vertical_alignment="top", gap="medium"):
        _menu(hand, view, lens)
        own = f"{view.data.digest[:12]}."
        if lens is not None and lens_in_hand(lens.control):
            stops = [str(stop) for stop in lens.stops]
            choose = partial(state.choose, lens.control)
            place = list(lens.stops).index(lens.value)
            scrub(
                "hand.slider",
                own + lens.control,
                lens.label,
                stops,
                place,
                lambda at: choose(stops[at]),
                targets,
                lens.words,
            )
        elif hand is not None:
            stops, number = [value_in_words(v) for v in hand.stops], hand.number
            take = partial(take_stop, hand)
            scrub("hand.slider", own + number.path, number.label, stops, hand.index, take, targets, words)
            if not hand.frames.keys:
                st.caption("The pictures of all values take too long: they do not follow the slider while it moves.")


def _menu(hand: Hand | None, view: View, lens: Lens | None) -> None:
    """Draw the menu of what the slider moves: the page's lens, parameters of the kernel, and steps that bring one."""
    available, steps = numbers(view.kernel), steps_on_top(view.kernel)
    own = [] if hand is None or hand.number in available else [hand.number]
    first = {} if lens is None else {lens.control: lens.label}
    names = first | {n.path: n.label for n in [*available, *own]} | {name: name for name in steps}
    chosen = None if hand is None else hand.number.path
    if lens is not None and lens_in_hand(lens.control):
        chosen = lens.control

    def choose(path: str) -> None:
        if lens is not None:
            state.choose(f"{lens.control}.hand", None if path == lens.control else "kernel")
        if path in first:
            return
        if path in steps:
            state.adopt(with_step(view.kernel, path))
        else:
            state.put(touched=path)

    st.selectbox(
        "Parameter",
        list(names),
        index=None if chosen is None else list(names).index(chosen),
        placeholder="Add a step with a parameter…",
        format_func=names.__getitem__,
        label_visibility="collapsed",
        width=240,
        **binding(f"hand.which.{'|'.join(names)}", chosen, choose),
    )


def as_frames_arrive(frames: Slices[Any, Any], draw: Callable[[Mapping[Any, Any]], object]) -> None:
    """Draw what moves with the slider, again and again until all frames are known.

    Quick frames are drawn with the page, once; the page's figures do not wait for others.
    """
    if not importing() and not frames.value() and not frames.done():
        frames.work(limits().slice)
    if waiting.show(frames, meanwhile=draw):
        with part_place():
            draw(frames.value())


def which_predicts_best(hand: Hand | None, key: str) -> None:
    """Draw the button that measures the parameter in hand with error bars."""
    if hand is None or hand.view.data.y is None:
        return
    kernel, path = hand.view.kernel, hand.number.path
    button(
        f"Which {hand.number.symbol} predicts best?",
        key,
        lambda: state.vary(axis_label(kernel, path)),
        icon=":material/arrow_forward:",
        type="primary",
    )


def take_stop(hand: Hand, place: int) -> None:
    """Give the kernel the value of a stop."""
    number, value = hand.number, hand.stops[place]
    if number.kernel != hand.view.kernel:  # its step is not there yet: it begins under the slider's name
        new = Step(number.place.owner, {number.place.parameter.name: value})
        state.change_chain(current().steps[0].uid, lambda chain, _: (*chain, new))
        return
    of = hand.view.choice, hand.view.kernel
    state.move(number.path, number.place.parameter.clean(value, number.place.owner), of)


def error_rings(figure: str, stops: Sequence[Any], known: Mapping[Any, Summary]) -> dict[str, Any]:
    """Return the frames of the ring on the curve of errors, one for each stop."""
    return mark_frames(figure, [error_ring(v, known[v].errors) if v in known else None for v in stops])


def error_curve(
    key: str,
    frames: Slices[Any, Summary],
    here: Mapping[Any, Summary],
    stops: Sequence[Any],
    used: Any,
    take: Callable[[int], object],
    name: str,
    log: bool = False,
    star: Callable[[Mapping[Any, Summary]], Any] = lambda known: None,
    fill: layout.Fill = "half",
) -> None:
    """Draw test and training error over the slider's stops, again until all are known; a click on a point takes it.

    Parameters: `here` what is known beside the frames; `used` the present stop; `take` receives the place of a stop;
    `name` of the parameter, on a logarithmic axis with `log`; `star` returns the stop that the sentence names, if any.
    """

    def draw() -> None:
        known = {**frames.value(), **here}
        errors = {v: known[v].errors if v in known else None for v in stops}
        fig = what_if(stops, list(errors.values()), name, used, errors[used], log, star=star(known))
        layout.panel(
            f"Test and training error, {HALVES} random halves",
            fig,
            key,
            fill=fill,
            name="errors",
            on_press=partial(take_pressed, stops, used, take),
        )

    if until_done(frames.done, draw):
        with part_place():
            draw()


def take_pressed(stops: Sequence[Any], used: Any, take: Callable[[int], object], chosen: Any) -> None:
    """Take the place of the stop that was clicked in a figure, unless it is the present one."""
    value = layout.pressed_value(chosen)
    if value in stops and value != used:
        take(list(stops).index(value))


def error_words(errors: HalvesErrors | None) -> str:
    """Return both errors as text; empty where they are not known."""
    if errors is None or not math.isfinite(errors.test):
        return ""
    return f"test {errors.measure} {percent(errors.test)}, training {errors.measure} {percent(errors.training)}"


_HTML = """
<div class="row">
  <button type="button" aria-label="Play">▶</button><input type="range" min="0" step="1"><output></output>
</div>
<div class="words" aria-live="polite"></div>
"""
_LOOK = """
.row { display: flex; align-items: center; gap: 0.75rem; }
input { flex: 1; min-width: 6rem; height: 1.6rem; margin: 0; accent-color: var(--st-primary-color); cursor: pointer; }
input::-webkit-slider-runnable-track {
  height: 0.35rem; border-radius: 0.2rem; background: linear-gradient(to right,
    light-dark(#dcdfe6, #3a3f4b) var(--from), light-dark(#9ec7e3, #2d5f80) var(--from),
    light-dark(#9ec7e3, #2d5f80) var(--to), light-dark(#dcdfe6, #3a3f4b) var(--to));
}
input::-webkit-slider-thumb {
  appearance: none; width: 1.1rem; height: 1.1rem; border-radius: 50%; margin-top: -0.375rem;
  background: var(--st-primary-color);
}
input { appearance: none; background: none; }
input::-moz-range-track { height: 0.35rem; border-radius: 0.2rem; background: light-dark(#dcdfe6, #3a3f4b); }
input:focus-visible, button:focus-visible { outline: 3px solid var(--st-primary-color); outline-offset: 2px; }
output { min-width: 3.5rem; font-weight: 600; color: var(--st-primary-color); font-variant-numeric: tabular-nums; }
button {
  font: inherit; color: inherit; background: none; cursor: pointer; width: 2rem; height: 2rem; border-radius: 0.5rem;
  border: 1px solid light-dark(#d6d9e0, #3a3f4b);
}
.words { min-height: 1.3rem; font-size: 0.875rem; opacity: 0.85; }
"""
_slider = st.components.v2.component(
    "kernlib_scrub", html=_HTML, css=_LOOK, js=(Path(__file__).parent / "slider.js").read_text()
)
#: Holds a bundle of pictures in the browser, for the slider.
_bundle = st.components.v2.component(
    "kernlib_frames",
    js="""
        export default function ({ data }) {
          const pictures = (document[Symbol.for('kernlib.pictures')] ??= new Map());
          for (const [name, frame] of Object.entries(data)) pictures.set(name, frame);
          return () => {
            for (const [name, frame] of Object.entries(data)) if (pictures.get(name) === frame) pictures.delete(name);
          };
        }
    """,
)
#: Where the session keeps the number of the last move that was done, and the bundles of pictures that were sent.
_DONE, _SENT = "scrub.done", "scrub.sent"
#: Kinds of frames that are short, and come with the slider.
_SHORT = ("sentence", "mark")
#: Letters of a bundle from which on Streamlit keeps it in the browser.
_LARGE = 12_000


def scrub(
    key: str,
    name: str,
    label: str,
    stops: Sequence[str],
    index: int,
    take: Callable[[int], object],
    targets: Sequence[Mapping[str, Any]] = (),
    words: Sequence[str] = (),
) -> None:
    """Draw the slider; `take` receives the place of the stop where it is let go.

    Parameters: `name` of what moves, so that a move of what is gone changes nothing; `stops` as text; `index` of the
    present one; `targets` from `kernlib.figures.frames`, each over the figure with the key "figure"; `words` one text
    for each stop, "" where it is not known.
    """

    light, sent = _bundled(name, targets)

    def moved(state: Any) -> None:
        match state.get("moved"):
            case [int(number), str(of), int(place)] if number > kept(_DONE, int):
                keep(_DONE, number)
                if of == name and 0 <= place < len(stops) and place != index:
                    take(place)

    _slider(
        key=key,
        data={
            "session": session_id(),
            "done": kept(_DONE, int),
            "name": name,
            "label": label,
            "stops": list(stops),
            "index": index,
            "targets": light,
            "words": list(words),
        },
        on_moved_change=deferred(moved, reads=key),
    )
    for bundle in sent:
        _bundle(key=f"{key}.frames.{next(iter(bundle))}", data=bundle)


def _bundled(name: str, targets: Sequence[Mapping[str, Any]]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the targets with names in place of their pictures, and the pictures by name, in bundles.

    While more arrive, and after a move, the slider is drawn again with the same pictures. What is new is one bundle. It
    does not change any more once it is so large that Streamlit does not send it to the browser again.
    """
    before = kept(_SENT, dict[str, list[dict[str, Any]]]).get(name, [])
    there = {known for bundle in before for known in bundle}
    light: list[dict[str, Any]] = []
    new, used = dict[str, Any](), set[str]()
    for target in targets:
        if target["kind"] in _SHORT:
            light.append(dict(target))
            continue
        names = [None if frame is None else _digest(frame) for frame in target["frames"]]
        light.append({**target, "frames": names})
        found = {one: frame for one, frame in zip(names, target["frames"], strict=True) if one is not None}
        used |= found.keys()
        new |= {one: frame for one, frame in found.items() if one not in there}
    if new and before and len(json.dumps(before[-1])) < _LARGE:
        before, new = before[:-1], before[-1] | new
    sent = [bundle for bundle in (*before, new) if used & bundle.keys()]
    keep(_SENT, {name: sent})
    return light, sent


def _digest(frame: Any) -> str:
    return hashlib.blake2b(json.dumps(frame).encode(), digest_size=9).hexdigest()
