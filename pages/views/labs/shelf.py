"""What a lab is, and what all labs share: data, sentence, slider, pictures that move in the browser."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import streamlit as st

from kernlib import KernlibError, Overlap, parse
from kernlib.data import Dataset
from kernlib.figures.frames import sentence_frames, series_frames
from kernlib.figures.labs import Moving
from pages.parts.frame import layout
from pages.parts.frame.slider import hand_of, scrub
from pages.parts.frame.view import PageEnd, View, current_view
from pages.parts.inputs.controls import option, value_of
from pages.parts.inputs.texts import plain
from pages.parts.results import compute
from pages.parts.session import state
from pages.parts.session.state import DataChoice, Session, current

#: The control that has the name of the open lab.
OPEN = "labs.lab"


@dataclass(frozen=True)
class Lab:
    """A lab: its name in links, title, the source's question, and the data and kernel on which it stands alone.

    `draw` receives what is in view; each of the `checks` returns why the lab cannot use a person's own data, or "".
    """

    name: str
    title: str
    question: str
    source: str
    choice: DataChoice
    kernel: str
    draw: Callable[[View], None]
    checks: tuple[Callable[[View], str], ...] = ()


def needs_classes(view: View) -> str:
    """Return what is missing where the rows have no classes."""
    return "" if view.data.task == "classification" else "This lab needs rows with classes."


def needs_labels(view: View) -> str:
    """Return what is missing where the rows have no labels."""
    return "" if view.data.y is not None else "This lab needs rows with labels."


def needs_parameter(view: View) -> str:
    """Return what is missing where the kernel has nothing to drag."""
    return "" if hand_of(view) is not None else "This lab needs a kernel with a parameter."


def needs_categories(view: View) -> str:
    """Return what is missing where the rows have no categorical columns."""
    return "" if Overlap().can_read(view.data.domain) else "This lab needs categorical columns."


def needs_vectors(view: View) -> str:
    """Return what is missing where the rows are no numbers."""
    numeric = np.asarray(view.data.inputs).dtype.kind in "fiu" and np.asarray(view.data.inputs).ndim == 2
    return "" if numeric and view.data.row_kind.independent else "This lab needs columns of numbers."


def needs(lookup: Callable[[Dataset], object]) -> Callable[[View], str]:
    """Return a check that has the words with which a look-up in the rows fails."""

    def missing(view: View) -> str:
        try:
            lookup(view.data)
        except KernlibError as error:
            return str(error)
        return ""

    return missing


def needs_two(view: View) -> str:
    """Return what is missing where the rows have no two classes."""
    two = view.data.task == "classification" and len(view.data.classes) == 2
    return "" if two else "This lab needs rows with two classes."


@state.action
def open_lab(now: Session, name: str) -> Session:
    """Open a lab, or with "" the shelf; what was chosen in the last one is forgotten."""
    kept = {control: text for control, text in now.controls.items() if not control.startswith("labs.")}
    return replace(now, controls=kept | ({OPEN: name} if name else {}))


def on_own_data(lab: Lab) -> bool:
    """Draw the choice between the lab's own data and the person's; return whether it is the person's."""
    now = current()
    example, mine = lab.choice.load(), now.load(now.data)
    if mine.digest == example.digest:
        return False
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


def in_terms(data: Dataset, words: str) -> str:
    """Return words on a test error as the other pages have them: for real targets it is the unexplained variance."""
    if data.task != "regression":
        return words
    return words.replace("test error", "unexplained variance").replace("Test error", "Unexplained variance")


def sentence(words: str) -> None:
    """Draw the sentence of a lab."""
    with st.container(key="sentence"):
        st.subheader(words, anchor=False)


def drag(view: View, label: str, stops: Sequence[str], start: int, targets: Sequence[dict[str, Any]] = ()) -> int:
    """Draw the lab's slider; return the place of its stop, kept in the link."""
    place = place_of(stops, start)
    with st.container(key="hand", horizontal=True, vertical_alignment="top", gap="medium"):
        st.markdown(f"**{label}**", width="content")
        scrub(
            "labs.slider",
            f"{view.data.digest[:12]}.{label}",
            label,
            stops,
            place,
            lambda stop: state.choose("labs.stop", stops[stop]),
            targets,
        )
    return place


def place_of(stops: Sequence[str], start: int) -> int:
    """Return the place of the slider's stop before it is drawn."""
    return value_of("labs.stop", start, lambda text: list(stops).index(text))


#: A figure for each stop of the lab's slider: its key, its title, and what moves.
Moved = tuple[str, str, Moving]


def drag_figures(
    view: View, label: str, names: Sequence[str], start: int, words: Sequence[str | None], *figures: Moved
) -> None:
    """Draw a lab whose slider moves one figure or two: the sentence of its stop, the slider, and the figures."""
    place = place_of(names, start)
    sentence(words[place] or "Measuring…")
    targets = [series_frames(key.replace(".", "-"), one.traces, one.xaxis, one.yaxis) for key, _, one in figures]
    drag(view, label, names, start, [*targets, sentence_frames(words)])
    for beside, figure in zip(st.columns(len(figures), gap="medium"), figures, strict=True):
        with beside:
            _panel(figure, place)
        layout.after_the_picture()


def _panel(figure: Moved, place: int) -> None:
    key, title, moving = figure
    layout.panel(title, moving.at(place), key, fill="controls", name=key.partition(".")[2])
