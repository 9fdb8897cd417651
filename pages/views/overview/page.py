"""Overview: one parameter of the kernel moves, and four pictures and a sentence follow it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernlib import Kernel
from kernlib.figures import overview as figures
from kernlib.figures.film import film_figure, film_table
from kernlib.figures.gram import gram_panel
from kernlib.overview.film import Film, Frame
from kernlib.overview.sentence import plain_words
from pages.parts.frame import layout, waiting
from pages.parts.frame.film import frame_button
from pages.parts.frame.view import View, current_view
from pages.parts.inputs.axes import axis_label
from pages.parts.inputs.builder import number_key
from pages.parts.inputs.controls import binding, option, switch
from pages.parts.inputs.widgets import number_widget
from pages.parts.results import compute
from pages.parts.results.asking import Done, NeedsPermission, Slices
from pages.parts.server.holder import deferred
from pages.parts.server.limits import limits
from pages.parts.session import state
from pages.parts.session.chain import power_step, step_at
from pages.parts.session.numbers import TunableParameter, most_telling, numbers, on_top, power_on_top
from pages.parts.session.polling import part_place
from pages.parts.session.value import current


@dataclass(frozen=True)
class Moving:
    """The parameter that moves, its values, the frames of their kernels, and the kernel in their middle."""

    view: View
    number: TunableParameter
    values: tuple[Any, ...]
    frames: Slices[Any, Frame]
    middle: Kernel


def moving_of(view: View, available: list[TunableParameter]) -> Moving | None:
    """Return what moves: the parameter touched last, or else the most telling one; None where a kernel has none."""
    data, kernel, touched = view.data, view.kernel, current().touched
    number = next((n for n in available if n.path == touched), None) or most_telling(available)
    if number is None:
        if kernel.has_factor:
            return None
        number = power_on_top(kernel)
    anchor = compute.heuristics(data, kernel).get(number.place.parameter.name) if number.log else None
    values = number.values(anchor, 19 if data.n <= 400 else 13)
    kernels = {value: number.at(value) for value in values}
    middle = kernels[values[len(values) // 2]]
    frames = compute.frames(data, kernels, middle, permit=(data.digest, number.path))
    return Moving(view, number, values, frames, middle)


def frame_in_use(view: View, moving: Moving | None) -> Frame:
    """Return the pictures of the kernel in use."""
    if moving is None:
        return compute.frame(view.data, view.kernel)
    return compute.frame(view.data, view.kernel, moving.number.current, moving.middle)


def take(moving: Moving, value: Any) -> None:
    """Give the kernel the value of the slider, of a point or of a frame."""
    number = moving.number
    if number.kernel != moving.view.kernel:  # its step is not there yet: it begins under the slider's name
        new = replace(power_step(current().steps), values={number.place.parameter.name: value})
        state.change_chain(current().steps[0].uid, lambda chain, _: (*chain, new))
        return
    state.move(number.path, number.place.parameter.clean(value, number.place.owner))


def press(moving: Moving, chosen: Any) -> None:
    """Give the kernel the value of the point that was clicked."""
    value = layout.pressed_value(chosen)
    if value is not None and value != moving.number.current:
        take(moving, value)


def choose(steps: dict[str, Kernel], chosen: str) -> None:
    """Choose another parameter to move, or add a step that has one."""
    if chosen in steps:
        state.adopt(steps[chosen])
    else:
        state.put(touched=chosen)


def controls(view: View, numbers: list[TunableParameter], moving: Moving | None) -> bool:
    """Draw the parameter to move and its slider; return whether a film shows its values."""
    number, steps = None if moving is None else moving.number, on_top(view.kernel, view.data)
    with st.container(key="select-and-slider"):
        which, slide, how, colours = st.columns([3, 5, 2, 2], vertical_alignment="bottom", gap="medium")
    with colours:
        switch(
            "Stretch",
            False,
            "overview.stretch",
            help="Off: colours of the Gram matrix reach from 0 to the mean of k(x, x), whatever the slider has. "
            "On: they cover the middle 96% of the entries off the diagonal. The colour bar says what is cut.",
        )
    own = [] if number is None or number in numbers else [number]
    names = {n.path: n.label for n in [*numbers, *own]} | {name: name for name in steps}
    chosen = None if number is None else number.path
    which.selectbox(
        "Parameter",
        list(names),
        index=None if chosen is None else list(names).index(chosen),
        placeholder="Add a step with a parameter…",
        format_func=names.__getitem__,
        **binding(f"overview.which.{'|'.join(names)}", chosen, partial(choose, steps)),
    )
    if moving is None or number is None:
        return False
    film = (
        option(
            how.segmented_control,
            "Update",
            ["Live", "Film"],
            "overview.how",
            help="Live: the slider moves the kernel, and the server draws at full resolution. Film: all values are "
            "computed once; then the browser plays them.",
        )
        == "Film"
    )
    p, value = number.place.parameter, value_in_view(moving)
    if film:
        with slide.container(horizontal=True, vertical_alignment="center"):
            frame_button("overview.adopt", partial(take_frame, moving))
            switch(
                "Own scales",
                False,
                "overview.per-frame",
                help="Each frame has its own colours and its own axes of the feature map: compare patterns, not sizes.",
            )
    elif isinstance(value, int | float):
        if number.kernel == current().kernel:
            step = step_at(current().steps, view.kernel, number.path)
        else:
            step = power_step(current().steps) if number.kernel != view.kernel else None
        with slide:
            number_widget(
                p,
                value,
                f"overview.{number.path}" if step is None else number_key(step, p.name),
                partial(take, moving),
            )
    return film


def value_in_view(moving: Moving) -> Any:
    """Return the value of the slider; the heuristic's where the kernel learns its value."""
    p, value = moving.number.place.parameter, moving.number.current
    if value is None:
        value = compute.heuristics(moving.view.data, moving.view.kernel).get(p.name, p.default)
    return value


def take_frame(moving: Moving, frame: int) -> None:
    """Give the kernel the value of a frame."""
    if frame < len(moving.values) and moving.frames.done():
        value = film_values(moving)[frame]
        if value != moving.number.current:
            take(moving, value)


def film_values(moving: Moving) -> tuple[Any, ...]:
    """Return the values of the film, the one in view among them: it begins where the kernel memorises more."""
    values, known = moving.values, moving.frames.value()
    shown = tuple(sorted({*values, value_in_view(moving)}, reverse=values[0] > values[-1]))
    return shown[::-1] if known[values[-1]].ratio > known[values[0]].ratio else shown


def live(view: View, moving: Moving | None, head: DeltaGenerator) -> None:
    """Draw four pictures of the kernel in use, the last a curve over the parameter's other values."""
    data, kernel = view.data, view.kernel
    left, right = st.columns([9, 7], gap="medium")
    with left, layout.guarded():
        K = compute.gram(data, kernel)
        order = compute.film_order(data, kernel if moving is None else moving.middle)
        fig = gram_panel(K, order, data.y, data.classes, data.ids, "off-diagonal" if stretched() else "diagonal")
        layout.panel(
            "Gram matrix: how similar is every pair?", fig, "overview.gram", fill="controls", name="gram-matrix"
        )
    frame = frame_in_use(view, moving)
    say(frame, view, head)
    with right, layout.guarded():
        if frame.problem:
            return  # the sentence above the pictures says why
        fig = figures.feature_map(frame, data.y, data.classes, data.ids)
        layout.panel("Feature map: similar rows lie close", fig, "overview.features", fill="half", name="feature-map")
        if frame.dimension is None:
            st.info("Coefficients and errors need labels with at least two values.")
            return
        first, second = st.columns(2, gap="small")
        with first:
            fig = figures.coefficient_bars(frame)
            layout.panel("What the labels need", fig, "overview.labels", fill="half", name="coefficients")
        with second:
            if moving is not None:
                arriving(frame, moving)


def stretched() -> bool:
    """Return whether colours cover the entries off the diagonal."""
    return current().controls.get("overview.stretch") == "True"


def say(frame: Frame, view: View, head: DeltaGenerator) -> None:
    """Draw the sentence above the pictures."""
    kind = view.data.row_kind
    words = plain_words(frame.seen, kind.one, kind.many) if frame.seen else frame.problem
    with head.container(key="sentence"):
        st.subheader(words, anchor=False)


def arriving(frame: Frame, moving: Moving) -> None:
    """Draw the what-if curve, again and again until every value is known; where they take long, only after a click."""
    answer = waiting.show(moving.frames, partial(curve, frame, moving))
    if isinstance(answer, NeedsPermission):
        with part_place():
            curve(frame, moving, {})


def curve(frame: Frame, moving: Moving, known: dict[Any, Frame]) -> None:
    """Draw the errors over the parameter's values; a click on a point takes its value."""
    number, values = moving.number, moving.values
    fig = figures.what_if(
        values,
        [known[v].errors if v in known else None for v in values],
        number.symbol,
        number.current,
        frame.errors,
        number.log,
    )
    layout.panel(
        "What if?",
        fig,
        "overview.what-if",
        fill="half",
        name="what-if",
        on_press=partial(press, moving),
        selection_mode="points",
    )
    # Error curves measure the same quantity on more splits.
    st.button(
        "Measure it with error bars",
        icon=":material/show_chart:",
        type="tertiary",
        key="overview.measure",
        on_click=deferred(state.vary, axis_label(moving.view.kernel, number.path)),
    )


def film(moving: Moving, head: DeltaGenerator) -> None:
    """Draw the film of all values, which has the sentence of each frame, or its progress.

    The browser sends back only the frame that is taken.
    """
    view, number, frames = moving.view, moving.number, moving.frames
    data = view.data
    frames.work(limits().slice)
    if not frames.done():
        say(frame_in_use(view, moving), view, head)
    answer = waiting.show(frames, meanwhile=lambda _: waiting.progress(frames), pace=2)
    if not isinstance(answer, Done):
        return
    order = film_values(moving)
    per_frame = current().controls.get("overview.per-frame") == "True"
    now = value_in_view(moving)
    start, present = order.index(now), compute.frame(data, view.kernel, now, moving.middle)
    drawn = Film(number.symbol, tuple(present if v == now else answer.value[v] for v in order))
    fig = film_figure(
        drawn,
        data.y,
        data.classes,
        data.ids,
        compute.film_order(data, moving.middle),
        log=number.log,
        per_frame=per_frame,
        stretched=stretched(),
        start=start,
        live=(start, present.plane),
        rows=data.row_kind.many,
        narrow=layout.narrow(),
    )
    with st.container(key="film"):
        layout.figure(
            fig,
            layout.film_key("overview"),
            fill="film",
            name="film",
            data=lambda: film_table(drawn),
            on_press=partial(press, moving),
            selection_mode="points",
        )


def main(view: View) -> None:
    """Draw the lead, the sentence, the controls and the pictures."""
    available = numbers(view.kernel)
    moving = moving_of(view, available)
    follow = (
        "**Drag the slider**: all four pictures follow, and the sentence describes them."
        if moving is not None
        else "This kernel has no parameter to drag: **add a step** that has one. The sentence describes the pictures."
    )
    layout.lead(f"A **kernel** gives every pair of rows a number: how similar they are. {follow}")
    head = st.container()  # a place that is emptied first would let the pictures jump
    if controls(view, available, moving) and moving is not None:
        with layout.guarded():
            film(moving, head)
    else:
        live(view, moving, head)


main(current_view("Pictures and errors show {rows}; directions use all rows"))
