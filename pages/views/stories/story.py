"""Parts of the page Stories: answering surfaces, truths computed while the reader thinks, guesses of a session."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from kernlib import Kernel, KernlibError, parse
from kernlib.analysis import order_rows
from kernlib.experiments import result_in_subprocess
from kernlib.figures.gram import thumbnail
from kernlib.labs.weights import weight_words
from kernlib.stories import (
    Classroom,
    Lesson,
    Question,
    Scene,
    Truth,
    View,
    picture,
    read_lesson,
    read_shelf,
)
from pages.parts.inputs import surfaces
from pages.parts.inputs.controls import Take, binding, button, in_row, plain
from pages.parts.results import compute
from pages.parts.server.caching import known
from pages.parts.server.jobs import READING, late_reading, session_id
from pages.parts.server.runs import deferred, keep, kept
from pages.parts.session import state
from pages.parts.session.state import DataChoice, Session, current

HERE = Path(__file__).parent
#: The script of a lesson in the page; an offline lesson carries the surfaces too.
SCRIPT = surfaces.SCRIPT + (HERE / "story.js").read_text()
_surface = st.components.v2.component("kernlib_story", html=surfaces.PLACE, css=surfaces.STYLE, js=SCRIPT)
_OWN = "stories.own"
#: Where the session keeps the number of the last arrow key that was done.
_TURNS = "stories.turns"
_PERSON = "stories.person"
#: The cookie that has a browser's name in a class (story.js).
_COOKIE = "kernlib_person"
_LATE = f"The computation took longer than {READING:.0f} seconds and was stopped. Use a lesson with fewer rows."


# -- lessons ----------------------------------------------------------------------------------------


@st.cache_resource
def _shelf() -> dict[str, Lesson]:
    return {lesson.name: lesson for lesson in read_shelf(HERE.parents[1] / "stories")}


def lessons() -> dict[str, Lesson]:
    """Return the lessons of the shelf, and those that this session opened from a file, by name."""
    return _shelf() | kept(_OWN, dict[str, Lesson])


def after(lesson: Lesson) -> str:
    """Return the name of the lesson that follows on the shelf; "" after the last one."""
    names = list(lessons())
    place = names.index(lesson.name)
    return names[place + 1] if place + 1 < len(names) else ""


def open_file(name: str, content: bytes) -> Lesson:
    """Read a lecturer's own lesson and keep it for this session; LessonError names the line of a mistake.

    Raises DataError where reading takes too long.
    """
    read = result_in_subprocess(read_lesson, (content, name), READING, late_reading(name))
    lesson = replace(read, name=f"own-{name.removesuffix('.md')[:60]}")
    kept(_OWN, dict[str, Lesson])[lesson.name] = lesson
    return lesson


@state.action
def turn(now: Session, lesson: str, step: int) -> Session:
    """Go to a step of a lesson; what was dragged on the last step is forgotten."""
    kept = {name: text for name, text in now.controls.items() if not name.startswith("stories.")}
    own = {"stories.lesson": lesson, "stories.step": str(step)} if lesson else {}
    return replace(now, controls=kept | own)


def here() -> tuple[Lesson | None, int]:
    """Return the lesson and the step in view; (None, 0) for the list of lessons."""
    controls = current().controls
    lesson = lessons().get(controls.get("stories.lesson", ""))
    text = controls.get("stories.step", "0")
    step = int(text) if text.isdecimal() else 0
    return lesson, 0 if lesson is None else min(step, len(lesson.steps) - 1)


def try_it(view: View) -> None:
    """Open a view on the Overview, where everything can be changed."""
    kernel = parse(view.kernel)
    if view.rows:
        _show_rows(view, kernel)
    else:
        state.show("see", DataChoice(view.data, view.parameters), kernel)


@state.action
def _show_rows(now: Session, view: View, kernel: Kernel) -> Session:
    return replace(state.adopted(state.uploaded(now, view.scene().data), kernel), goes="see")


# -- scenes and truths --------------------------------------------------------------------------------


def begin_truth(question: Question, view: View) -> None:
    """Begin to compute an answer while the reader thinks."""

    def work() -> None:
        with suppress(KernlibError):  # said where the answer is shown
            _truth(question, view)

    if not _truth.has(question, view):
        Thread(target=work, name="truth of a lesson", daemon=True).start()


def truth_of(question: Question, view: View) -> Truth:
    """Return the answer to a question; KernlibError where there is none."""
    with st.spinner("Computing the answer…"):
        return _truth(question, view)


@known()
def _truth(question: Question, view: View) -> Truth:
    return result_in_subprocess(type(question).truth, (question, view), READING, _LATE)


def own_words(question: Question, view: View, guess: Any) -> str:
    """Return what weights of a match, and the reader's own, give on the rows of the reveal; "" for other questions."""
    weighs = question.measure == "weight of a match" and question.kind == "draw"
    return _weight_words(question, view, guess) if weighs else ""


@known("Measuring the weights…")
def _weight_words(question: Question, view: View, guess: Any) -> str:
    return result_in_subprocess(weight_words, (question, view, guess), READING, _LATE)


@known()
def scene_of(view: View, **changes: Any) -> Scene:
    """Return a view's data and kernel with its Gram matrix; DataError where this would block the page."""
    scene = view.scene(**changes)
    compute.require_quick(scene.data, scene.kernel)
    _ = scene.gram
    return scene


@known()
def card_picture(view: View) -> NDArray[np.uint8]:
    """Return the Gram matrix of a view as a small image."""
    scene = scene_of(view)
    order = order_rows(scene.gram, scene.data.y, "class" if scene.data.classes else "as read")
    return thumbnail(scene.gram, order)[:100]


@st.cache_resource
def classroom() -> Classroom:
    """Return the classes of this server."""
    return Classroom()


def person() -> str:
    """Return the name that this browser has in a class: after a reload or a lost network it is the same person."""
    cookie = str(st.context.cookies.get(_COOKIE))
    return kept(_PERSON, lambda: cookie if re.fullmatch("[0-9a-f]{32}", cookie) else session_id())


def remember_person() -> None:
    """Let the browser keep its name in a class."""
    _surface(key="stories.remember", data={"kind": "person", "person": person()})


# -- guesses --------------------------------------------------------------------------------------------


#: Where a question is asked: its lesson, on a phone after the code of the class, and its step.
Place = tuple[str, int]


def guesses() -> dict[Place, Any]:
    """Return this session's guesses, which are never part of a link."""
    return kept("stories.guesses", dict[Place, Any])


def ask(question: Question, view: View, place: Place, sent: Any = None) -> None:
    """Draw the control that answers a question; `sent` is the answer where this session has no guess."""
    own, key = guesses(), "stories.answer.{}.{}".format(*place)
    guess, take = own.get(place, sent), partial(own.__setitem__, place)
    if question.kind == "choose":
        st.radio(
            plain(question.text),
            list(range(len(question.options))),
            guess,
            format_func=question.options.__getitem__,
            label_visibility="collapsed",
            **binding(key, guess, take),
        )
    elif question.kind == "number":
        number = int if question.step >= 1 else float
        value = number((question.low + question.high) / 2 if guess is None else guess)
        st.slider(
            plain(question.text),
            number(question.low),
            number(question.high),
            value,
            number(question.step or (question.high - question.low) / 100),
            label_visibility="collapsed",
            **binding(key, value, lambda chosen: take(float(chosen))),
        )
        with in_row():
            st.caption("No answer yet." if guess is None else f"Your answer: {value:g}", width="content")
            if guess is None:
                button(f"Keep {value:g}", f"{key}.keep", take, float(value), type="tertiary")
    else:
        _draw(question, view, key, guess, take)


def _draw(question: Question, view: View, key: str, guess: Any, take: Take) -> None:
    def answered() -> None:
        given = st.session_state[key].get("guess")
        try:
            checked = question.checked(given, rows)
        except KernlibError:  # a surface that has been cleared, or a browser of another lesson
            return
        take(checked)

    data, rows = surface_data(question, view)
    _surface(
        key=key,
        data=data | {"question": key, "start": None if guess is None else list(guess)},
        default={"guess": None},
        on_guess_change=deferred(answered, early=True),
    )


def surface_data(question: Question, view: View) -> tuple[dict[str, Any], int]:
    """Return what the answering surface of a question draws, and how many rows it shows."""
    common: dict[str, Any] = {"kind": question.kind, "label": question.text}
    if question.kind == "draw":
        axis = {"across": question.across, "up": question.quantity.axis, "low": question.low, "high": question.high}
        return common | axis | {"x": [f"{value:g}" for value in question.values]}, 0
    if question.kind == "order":
        return common | {"items": list(question.names)}, 0
    scene = scene_of(view)
    shown = picture(scene)
    places = np.round(shown.places, 4)
    return common | {
        "x": places[:, 0].tolist(),
        "y": places[:, 1].tolist(),
        "names": list(shown.names),
        # The two sides of a network are what is asked.
        "classes": None if len(shown.edges) else list(shown.codes) or None,
        "edges": shown.edges.tolist(),
    }, len(places)


def keys(turned: Callable[[int], None], person: str = "") -> None:
    """Let the arrow keys of the page turn the steps, and the browser keep its name in a class."""

    def pressed(clicked: Any) -> None:
        log, done, by = clicked.get("turns"), kept(_TURNS, int), 0
        for entry in log if isinstance(log, list) else []:
            match entry:
                case [int(number), int(step)] if number > done:
                    done, by = number, by + (step if step in (-1, 1) else 0)
        if done > kept(_TURNS, int):
            keep(_TURNS, done)
            turned(by)

    _surface(
        key="stories.keys",
        data={"kind": "keys", "person": person, "session": session_id(), "done": kept(_TURNS, int)},
        on_turns_change=deferred(pressed, reads="stories.keys"),
    )


def qr_code(address: str) -> bytes:
    """Return an address as a PNG of its QR code."""
    import segno

    out = io.BytesIO()
    segno.make(address).save(out, kind="png", scale=8)
    return out.getvalue()
