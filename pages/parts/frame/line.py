"""The line on top of every working page: data, label and kernel in view, each with the menu that changes it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from kernlib.data import CATALOGUE, Dataset
from kernlib.figures.theme import class_words
from kernlib.kernels.combined import chain_in_words
from pages.parts.frame import gallery, layout, reading
from pages.parts.inputs import builder, controls, history
from pages.parts.inputs.plain import plain
from pages.parts.inputs.widgets import parameter_widget
from pages.parts.results import choosing
from pages.parts.server.holder import deferred
from pages.parts.session import state, uploaded
from pages.parts.session.uploaded import most_bytes, open_box, take_from_menu
from pages.parts.session.value import DataChoice, Session, current


def draw() -> Callable[[], None]:
    """Draw the line, and return what draws the menu that is open: the page's picture is sent before it."""
    now = current()
    data = now.load(now.data)
    with st.container(key="line", horizontal=True, vertical_alignment="center", gap="small"):
        menus = [
            _menu("Data", data.title, partial(_data, now, data)),
            _menu("Label", _label_in_words(data), partial(_label, now, data)),
            _menu("Kernel", " → ".join(chain_in_words(now.kernel, data.columns)), partial(_kernel, data)),
        ]
        history.undo_and_redo()
        menus.append(_menu("More", "⋯", partial(_more, now)))

    def fill() -> None:
        for name, box, content in menus:
            if box.open:
                with box.container(key=f"menu-{name}"):
                    content()

    return fill


def _menu(title: str, words: str, content: partial[None]) -> tuple[str, Any, partial[None]]:
    """Draw what a menu changes, and its button over it: under another label Streamlit would close an open menu."""
    name = title.lower()
    with st.container(key=f"line-of-{name}", width="content"):
        st.markdown(plain(words))
        box = st.popover(title, key=f"line.{name}", type="tertiary", on_change="rerun", wrap=False)
    return name, box, content


def _label_in_words(data: Dataset) -> str:
    if data.y is None:
        return "nothing to predict"
    classes = map(str, data.classes) if len(data.classes) < 4 else (f"{len(data.classes)} classes",)
    words = "a number" if data.task == "regression" else " or ".join(classes)
    return f"predict: {reading.label_name() or words}"


def _data(now: Session, data: Dataset) -> None:
    """Draw the menu of data sets, what the present one is, its own parameters, and all samples as small matrices."""
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
        help="Your files, samples and generators.",
        **controls.binding(f"data.{len(own)}", choice.name, lambda name: state.choose_data(state.choice_of(name))),
    )
    st.caption(plain(f"{data.row_kind.called} · n = {data.n:,}"))
    st.file_uploader(
        "Open a file",
        accept_multiple_files=True,
        key="line.files",
        on_change=deferred(take_from_menu, "line.data", reads="line.files"),
        max_upload_size=most_bytes(),
        help="A table, arrays, sequences, graphs, a matrix or texts. The next page shows how the file is read.",
    )
    if not choice.uploaded:
        _parameters(choice)
    gallery.draw()


def _parameters(choice: DataChoice) -> None:
    """Draw the parameters of a generator, or the size and seed of a sample."""
    entry = CATALOGUE[choice.name]
    declared, given = entry.parameters(), dict(choice.parameters)
    values = {p.name: given.get(p.name, p.default) for p in declared}

    def take(name: str, value: Any) -> None:
        changed = {**values, name: value}
        state.take_parameters(tuple((p.name, changed[p.name]) for p in declared if changed[p.name] != p.default))

    sample = entry.kind == "sample"
    for p in declared:
        if sample and p.name == "seed" and values["n"] == "all":
            continue  # a seed draws nothing where all rows are taken
        parameter_widget(p, values[p.name], f"g.{choice.name}.{p.name}", partial(take, p.name))


def _label(now: Session, data: Dataset) -> None:
    """Draw the menus that change the label at once, and what is predicted, with the size of every class."""
    changes = reading.label_menu()
    if data.y is None:
        st.markdown("These rows have no label: pictures show all that the kernel sees, and no error is measured.")
    elif data.task == "regression":
        st.markdown(f"A number from {data.y.min():.4g} to {data.y.max():.4g}.")
    else:
        counts = zip(data.class_counts.items(), class_words(data.classes), strict=False)
        for (name, count), words in counts:
            st.markdown(plain(f"{words if words != name else name}: {count:,} rows"))
    if not now.data.uploaded and data.columns and data.image is None and data.row_kind.independent:
        st.button(
            "Predict another column",
            key="line.as-file",
            on_click=deferred(_as_file, data),
            icon=":material/edit:",
            help="Opens these rows as a table, whose label you choose",
        )
    if now.data.uploaded and not changes:
        st.button("Choose another label", key="line.relabel", on_click=deferred(open_box), icon=":material/edit:")


def _as_file(data: Dataset) -> None:
    """Open the rows of a sample like a file, whose panel asks what is predicted."""
    table = pd.DataFrame(np.asarray(data.rows), columns=list(data.columns))
    label = next(name for name in ("label", "label of the sample") if name not in data.columns)
    if data.y is not None:
        table[label] = data.y if data.task == "regression" else list(data.labels)
    uploaded.hold(((f"{data.name}.csv", table.to_csv(index=False).encode()),), {"label": label})
    state.put(goes="data")


def _kernel(data: Dataset) -> None:
    """Draw the builder of the kernel."""
    builder.chain_of_chips()
    builder.kernel_builder(data)


def _more(now: Session) -> None:
    """Draw what leads away from the view: its link, the kept kernel, the projector."""
    if "stories.lesson" in now.controls:
        st.page_link("pages/views/stories/page.py", label="Back to the lesson", icon=":material/auto_stories:")
    st.caption("The address bar is a link to this view.")
    kept = choosing.kept()
    st.button(
        "Kept for Choose" if now.kernel in kept else "Keep for Choose",
        icon=":material/bookmark:",
        key="kernel.keep",
        help="The page Choose compares kept kernels with its own settings, on the same splits",
        on_click=deferred(state.choose, choosing.KEPT, choosing.kept_text((*kept, now.kernel))),
        disabled=now.kernel in kept,
    )
    layout.projector_switch()
