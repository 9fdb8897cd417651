"""The overview: one number moves, and everything that follows from it is seen at once."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from kernlib import Kernel
from kernlib.data import Dataset
from kernlib.figures import overview as figures
from kernlib.figures.film import film_figure, film_table
from kernlib.overview.film import Film, Frame
from kernlib.overview.sentence import plain_words
from pages.parts import compute, layout, state
from pages.parts.film import adopted_frame
from pages.parts.numbers import Number, most_telling, numbers, on_top
from pages.parts.widgets import number_slider

#: What a row is called in a sentence: one, and several.
WORDS = {
    "sequence": ("string", "strings"),
    "text": ("text", "texts"),
    "graph": ("graph", "graphs"),
    "node": ("node", "nodes"),
    "pair": ("pair", "pairs"),
}
#: Seconds of a run that go into other values, and of a whole curve that are spent unasked.
SLICE, UNASKED = 0.25, 30.0


def take(number: Number, value: Any) -> None:
    """Make the value of the slider, a what-if point or a frame the kernel's."""
    st.session_state["touched"] = number.path
    state.revise(number.at(number.place.parameter.clean(value, number.place.owner)))


def press(number: Number, key: str) -> None:
    """A pressed point of a what-if curve: its value becomes the kernel's."""
    points = st.session_state[key].selection.points
    value = points[0].get("customdata", points[0].get("x")) if points else None
    if isinstance(value, list):
        value = value[0] if value else None
    if value is not None and value != number.current:
        take(number, value)


def choose(key: str, steps: dict[str, Kernel]) -> None:
    """Another number to move, or a step that brings one in."""
    chosen = st.session_state[key]
    if chosen in steps:
        state.adopt(steps[chosen])
    else:
        st.session_state["touched"] = chosen


def controls(found: list[Number], number: Number | None, steps: dict[str, Kernel]) -> str:
    """The number at hand with its slider, and whether it is moved live or as a film."""
    which, slide, how = st.columns([3, 6, 2], vertical_alignment="bottom", gap="medium")
    names = {n.path: n.label for n in found} | {name: name for name in steps}
    key = f"overview.which.{number.path if number else ''}.{'|'.join(names)}"
    options = list(names)
    which.selectbox(
        "Number to move",
        options,
        index=options.index(number.path) if number else None,
        placeholder="Add a step with a number…",
        format_func=names.__getitem__,
        key=key,
        on_change=choose,
        args=(key, steps),
    )
    if number is None:
        return "Live"
    chosen = (
        how.segmented_control(
            "Moved",
            ["Live", "Film"],
            default="Live",
            key="overview.how",
            persist_state="session",
            required=True,
            help="Live: the slider above, through the server, at full resolution. Film: all values computed once, "
            "then played or dragged in your browser alone.",
        )
        or "Live"
    )
    p, current = number.place.parameter, number.current
    if current is None:
        current = compute.heuristics(view.data, view.kernel).get(p.name, p.default)
    if chosen == "Film":
        with slide.container(horizontal=True, vertical_alignment="center"):
            frame = adopted_frame("overview.adopt")
            st.toggle(
                "Own range in every frame",
                key="overview.per-frame",
                help="Colours and the feature map's axes are stretched for each frame by itself: patterns show, sizes "
                "do not compare.",
            )
        if frame is not None and frame < len(values) and values[frame] != number.current:
            take(number, values[frame])
            st.rerun()
    elif isinstance(current, int | float):
        with slide:
            number_slider(p, current, f"overview.slider.{number.path}", partial(take, number))
    return chosen


def gather(seconds: float) -> dict[Any, Frame]:
    """Frames of the number's values, as far as the time allows."""
    return compute.frames(data, {value: number.at(value) for value in values}, seconds, middle)


def rows_words(data: Dataset) -> tuple[str, str]:
    return WORDS.get(data.domain, ("row", "rows"))


view = state.current_view("Pictures show {rows}; errors and directions are of all")
data, kernel = view.data, view.kernel
found = numbers(kernel)
touched = state.touched()
number = next((n for n in found if n.path == touched), None) or most_telling(found)
anchor = compute.heuristics(data, kernel).get(number.place.parameter.name) if number and number.log else None
values = number.values(anchor, 19 if data.n <= 400 else 13) if number else ()
middle = number.at(values[len(values) // 2]) if number else None

follow = (
    "**Drag the slider**, and all four pictures follow; the sentence reads them."
    if number is not None
    else "This one has no number to drag: **add a step** that has one. The sentence reads the pictures."
)
st.caption(f"A **kernel** gives every pair of rows a number: how alike they are. {follow}")
head = st.empty()
how = controls(found, number, on_top(kernel, data))


def live() -> None:
    """Four pictures of the present kernel; the curve of the others arrives."""
    left, right = st.columns([9, 7], gap="medium")
    with left, layout.guarded():
        K = compute.gram(data, kernel)
        order = compute.film_order(data, middle or kernel)
        fig = figures.gram_panel(K, order, data.y, data.classes, data.ids)
        layout.panel("Gram matrix: how alike is every pair?", fig, "overview.gram", fill="controls", name="gram-matrix")
    frame = compute.frame(data, kernel, number.current if number else None, middle)
    say(frame)
    with right, layout.guarded():
        fig = figures.feature_map(frame, data.y, data.classes, data.ids)
        layout.panel("Feature map: alike rows lie close", fig, "overview.features", fill="half", name="feature-map")
        if frame.dimension is None:
            st.info("Coefficients and quick errors need labels with at least two values.")
            return
        first, second = st.columns(2, gap="small")
        with first:
            fig = figures.coefficient_bars(frame)
            layout.panel("What the labels need", fig, "overview.labels", fill="half", name="coefficients")
        with second:
            if number is not None:
                arriving(frame)


def say(frame: Frame) -> None:
    """The sentence above the pictures."""
    words = plain_words(frame.seen, *rows_words(data)) if frame.seen else frame.problem
    with head.container(key="sentence"):
        st.subheader(words, anchor=False)


def unasked() -> bool:
    """Whether all values may be computed without being asked for."""
    seconds = compute.pace(data, kernel, middle) * len(values)
    if seconds < UNASKED or st.session_state.get("overview.wanted") == (data.digest, number.path):
        return True
    st.button(
        f"Compute {len(values)} values, about {seconds:.0f} s",
        key="overview.compute",
        on_click=st.session_state.__setitem__,
        args=("overview.wanted", (data.digest, number.path)),
    )
    return False


def arriving(frame: Frame) -> None:
    """The what-if curve, drawn again and again until every value is there."""
    if not unasked():
        curve(frame, {})
        return
    known = gather(SLICE)
    if len(known) == len(values):
        curve(frame, known)
        return

    def tick() -> None:
        if st.session_state["kernel"] != kernel:
            st.rerun()
        more = gather(SLICE)
        curve(frame, more)
        if len(more) == len(values):
            st.rerun()

    st.fragment(tick, run_every=0.3)()


def curve(frame: Frame, known: dict[Any, Frame]) -> None:
    fig = figures.what_if(
        values,
        [known[v].errors if v in known else None for v in values],
        number.symbol,
        number.current,
        frame.errors,
        number.log,
    )
    key = "overview.what-if"
    layout.panel(
        "What if?",
        fig,
        key,
        fill="half",
        name="what-if",
        on_select=lambda: press(number, key),
        selection_mode="points",
    )
    # A quick error is no number to publish: what is measured on splits stands there.
    st.page_link("pages/views/curves.py", label="Measure it with error bars", icon=":material/show_chart:")


def film() -> None:
    """The film of all values, or how far it is; from the browser only a frame taken over comes back."""
    known = gather(4 * SLICE)
    if len(known) < len(values):
        say(compute.frame(data, kernel, number.current, middle))
        wait()
        return
    frames = tuple(known[v] for v in values)
    with head.container(key="sentence"):
        st.subheader(f"{number.symbol} from {values[0]:g} to {values[-1]:g}: drag below, or play", anchor=False)
    per_frame = st.session_state.get("overview.per-frame", False)
    nearest = min(range(len(values)), key=lambda i: abs(values[i] - (number.current or values[0])))
    moving = Film(number.symbol, frames)
    fig = film_figure(
        moving,
        data.y,
        data.classes,
        data.ids,
        compute.film_order(data, middle),
        log=number.log,
        per_frame=per_frame,
        start=nearest,
        rows=rows_words(data)[1],
    )
    with st.container(key="film"):
        layout.figure(
            fig,
            "overview.film",
            name="film",
            data=lambda: film_table(moving),
            on_select=lambda: press(number, "overview.film"),
            selection_mode="points",
        )


def wait() -> None:
    """Say how far the film is; draw it when it is there."""

    def tick() -> None:
        done = len(gather(2 * SLICE))
        st.progress(done / len(values), text=f"Computing the film: {done} of {len(values)} frames")
        if done == len(values):
            st.rerun()

    st.fragment(tick, run_every=0.3)()


if how == "Film" and number is not None:
    with layout.guarded():
        film()
else:
    live()
