"""The sidebar of every page: the data, the kernel as a chain of chips, the kernel builder."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from kernlib.data import CATALOGUE
from kernlib.figures.theme import class_words
from pages.parts.frame import layout
from pages.parts.inputs import builder, controls, history
from pages.parts.inputs.plain import plain
from pages.parts.inputs.widgets import parameter_widget
from pages.parts.results import choosing
from pages.parts.server.holder import deferred
from pages.parts.session import state
from pages.parts.session.uploaded import open_box
from pages.parts.session.value import DataChoice, Session, current


def draw() -> None:
    """Draw the sidebar."""
    now = current()
    with st.sidebar:
        if "stories.lesson" in now.controls:
            st.page_link("pages/views/stories/page.py", label="Back to the story", icon=":material/auto_stories:")
        history.undo_and_redo()
        _data(now)
        st.divider()
        builder.chain_of_chips()
        _keep(now)
        builder.kernel_builder(now.load(now.data))
        st.caption("The address bar is a link to this view.")
        controls.switch(
            "Projector",
            False,
            "all.projector",
            help="Larger letters, thicker lines, full contrast, and no sidebar: for a lecture in a bright room.",
        )
        layout.pictures()


def _data(now: Session) -> None:
    """Draw the menu of data sets, what the present one is, and its own parameters."""
    choice, own = now.data, now.uploads
    names = [*own, *CATALOGUE]
    if choice.name not in names:
        names.insert(0, choice.name)
    titles = {name: (own[name][1].title if name in own else CATALOGUE[name].title)[:60] for name in names}
    st.selectbox(
        "Data",
        names,
        index=names.index(choice.name),
        format_func=titles.__getitem__,
        help="Samples, generators, and your own files: upload them on the Data page.",
        **controls.binding(f"data.{len(own)}", choice.name, lambda name: state.choose_data(state.choice_of(name))),
    )
    data = now.load(choice)
    classes = " · ".join(
        f"{count:,} " + (words if words != name else f"of class\N{NO-BREAK SPACE}{name}")
        for (name, count), words in list(zip(data.class_counts.items(), class_words(data.classes), strict=False))[:4]
    )
    if not own:
        st.button(
            "Bring your own data",
            key="upload.bring",
            icon=":material/upload_file:",
            type="tertiary",
            on_click=deferred(open_box),
        )
    st.caption(plain(f"{data.row_kind.called} · n = {data.n:,}" + (f" · {classes}" if classes else "")))
    if not choice.uploaded:
        _parameters(choice)


def _keep(now: Session) -> None:
    """Draw the button that keeps the present kernel for the page *Choose*."""
    kept = choosing.kept()
    st.button(
        "Kept for Choose" if now.kernel in kept else "Keep for Choose",
        icon=":material/bookmark:",
        type="tertiary",
        key="kernel.keep",
        help="The page Choose compares kept kernels with its own settings, on the same splits",
        on_click=deferred(state.choose, choosing.KEPT, choosing.kept_text((*kept, now.kernel))),
        disabled=now.kernel in kept,
    )


def _parameters(choice: DataChoice) -> None:
    """Draw the parameters of a generator, or the size and seed of a sample."""
    entry = CATALOGUE[choice.name]
    declared, given = entry.parameters(), dict(choice.parameters)
    values = {p.name: given.get(p.name, p.default) for p in declared}

    def take(name: str, value: Any) -> None:
        changed = {**values, name: value}
        state.take_parameters(tuple((p.name, changed[p.name]) for p in declared if changed[p.name] != p.default))

    sample = entry.kind == "sample"
    with st.expander("Sample" if sample else "Generator"):
        for p in declared:
            if sample and p.name == "seed" and values["n"] == "all":
                continue  # a seed draws nothing where all rows are taken
            parameter_widget(p, values[p.name], f"g.{choice.name}.{p.name}", partial(take, p.name))
