"""What a lab is, and what all labs share: data, sentence, slider, pictures that move in the browser."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from kernlib import KernlibError, Overlap, parse
from kernlib.data import Dataset
from kernlib.figures.frames import figure_frames, sentence_frames
from kernlib.figures.theme import alt, caption, captioned
from kernlib.labs.entries import POINTS
from kernlib.stories import in_terms
from pages.parts.frame import layout
from pages.parts.frame.slider import hand_of, scrub
from pages.parts.frame.waiting import PageEnd, View, current_view
from pages.parts.inputs.controls import in_row, option, plain, value_of
from pages.parts.results import compute
from pages.parts.session import state
from pages.parts.session.state import DataChoice, Session, current

#: The heights of a drawn function.
Heights = tuple[float, ...]
#: The control that has the name of the open lab.
OPEN = "labs.lab"


#: Returns why a lab cannot use what is in view, or "".
Check = Callable[[View], str]


@dataclass(frozen=True)
class Lab:
    """A lab: its name in links, title, the source's question, and the data and kernel on which it stands alone.

    `shown` says what the picture shows and what to drag. `draw` receives the lab and what is in view, which passes the
    `checks`. A lab with `own_kernels` looks at no kernel of a person.
    """

    name: str
    title: str
    question: str
    source: str
    shown: str
    choice: DataChoice
    kernel: str
    draw: Callable[[Lab, View], None]
    checks: tuple[Check, ...] = ()
    own_kernels: bool = False

    def alone(self, view: View) -> bool:
        """Return whether a view is that of the lab standing alone."""
        return (view.choice, view.kernel) == (self.choice, parse(self.kernel))


def _needs(what: str, there: Callable[[View], bool]) -> Check:
    return lambda view: "" if there(view) else f"This lab needs {what}."


def _numeric(view: View) -> bool:
    rows = np.asarray(view.data.inputs)
    return rows.dtype.kind in "fiu" and rows.ndim == 2 and view.data.row_kind.independent


needs_classes = _needs("rows with classes", lambda view: view.data.task == "classification")
needs_two = _needs(
    "rows with two classes", lambda view: view.data.task == "classification" and len(view.data.classes) == 2
)
needs_labels = _needs("rows with labels", lambda view: view.data.y is not None)
needs_parameter = _needs("a kernel with a parameter", lambda view: hand_of(view) is not None)
needs_categories = _needs("categorical columns", lambda view: Overlap().can_read(view.data.domain))
needs_vectors = _needs("columns of numbers", _numeric)


def needs(lookup: Callable[[Dataset], object]) -> Check:
    """Return a check that has the words with which a look-up in the rows fails."""

    def missing(view: View) -> str:
        try:
            lookup(view.data)
        except KernlibError as error:
            return str(error)
        return ""

    return missing


@state.action
def open_lab(now: Session, name: str) -> Session:
    """Open a lab, or with "" the shelf; what was chosen in the last one is forgotten."""
    kept = {control: text for control, text in now.controls.items() if not control.startswith("labs.")}
    return replace(now, controls=kept | ({OPEN: name} if name else {}))


def on_own_data(lab: Lab) -> bool:
    """Draw the choice between the lab's own data and kernel and the person's; return whether it is the person's."""
    now = current()
    example, mine = lab.choice.load(), now.load(now.data)
    if mine.digest == example.digest:
        if lab.own_kernels or now.kernel == parse(lab.kernel):
            return False
        names = {"example": "The lab's kernel", "mine": "With my kernel"}
    else:
        # Two samples of one source have one title.
        same = mine.title == example.title
        title, own = (f"{one.title}, {one.n:,} rows" if same else one.title for one in (example, mine))
        names = {"example": title, "mine": f"On my data: {own}"}
    chosen = option(
        st.segmented_control,
        "Data",
        list(names),
        "labs.data",
        format_func=names.__getitem__,
        label_visibility="collapsed",
        width="content",
    )
    return chosen == "mine"


def view_of(lab: Lab, own: bool) -> View:
    """Return what a lab shows: its own data and kernel, or those of the person where the lab can use them."""
    if not own:
        example = lab.choice.load()
        return View(compute.in_view(example), parse(lab.kernel), lab.choice, example)
    view = current_view()
    missing = next(filter(None, (check(view) for check in lab.checks)), "")
    if missing:
        title = f"{view.whole.title}: "
        st.info(plain(f"{title}{missing.removeprefix(title)}"), icon=":material/info:")
        raise PageEnd
    return view


def drawn_heights(control: str, rising: bool = True) -> tuple[Heights | None, Callable[[Heights], None]]:
    """Return the heights of a drawn function that the state has, None without any, and how to keep others."""

    def read(text: str) -> Heights:
        given = tuple(float(v) for v in text.split("|"))
        known = len(given) == POINTS and all(0 <= v < inf for v in given) and any(given)
        if not known or (rising and list(given) != sorted(given)):
            raise ValueError(text)
        return given

    return value_of(control, None, read), lambda drawn: state.choose(control, "|".join(f"{v:g}" for v in drawn))


def sentence(words: str, data: Dataset) -> None:
    """Draw the sentence of a lab."""
    with st.container(key="sentence"):
        st.subheader(in_terms(words, data), anchor=False)


def place_of(stops: Sequence[str], start: int) -> int:
    """Return the place of the slider's stop before it is drawn."""
    return value_of("labs.stop", start, lambda text: list(stops).index(text))


def drag_figures(
    view: View,
    label: str,
    names: Sequence[str],
    start: int,
    words: Sequence[str | None],
    *figures: tuple[str, str, go.Figure | list[go.Figure]],
    targets: Sequence[dict[str, Any]] = (),
    progress: str = "Measuring…",
) -> None:
    """Draw a lab's sentence, its slider, and the figures that it moves, one or two, each with its key and title.

    `words` of each stop, None where they are not known yet, and `progress` in their place. `targets` are the frames of
    figures that do not move by themselves.
    """
    place = place_of(names, start)
    terms = [one and in_terms(one, view.data) for one in words]
    sentence(terms[place] or progress, view.data)
    moving = [figure_frames(key.replace(".", "-"), one) for key, _, one in figures if isinstance(one, list)]
    with in_row(key="hand", vertical_alignment="top", gap="medium"):
        st.markdown(f"**{label}**", width="content")
        scrub(
            "labs.slider",
            f"{view.data.digest[:12]}.{label}",
            label,
            names,
            place,
            lambda stop: state.choose("labs.stop", names[stop]),
            [*targets, *moving, sentence_frames(terms)],
        )
    for beside, (key, title, one) in zip(st.columns(len(figures), gap="medium"), figures, strict=True):
        fig = one[place] if isinstance(one, list) else one
        captioned(fig, *(in_terms(text(fig), view.data) for text in (caption, alt)))
        with beside:
            layout.panel(in_terms(title, view.data), fig, key, fill="controls")
        layout.after_the_picture()
