"""The line on top of every working page: data, label and kernel in view, each with the menu that changes it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from kernlib import KernlibError
from kernlib.data import CATALOGUE, Dataset
from kernlib.experiments.decisions import default_kernel
from kernlib.figures.frames import png
from kernlib.figures.theme import class_words
from kernlib.kernels.combined import chain_in_words
from kernlib.kinds import KINDS
from pages.parts.frame import layout, reading, waiting
from pages.parts.inputs import builder, controls
from pages.parts.inputs.controls import button, in_row, option, parameter_widget, plain
from pages.parts.results import compute
from pages.parts.results.compute import Slices
from pages.parts.server.caching import known
from pages.parts.server.runs import deferred
from pages.parts.session import state, uploaded
from pages.parts.session.state import Session, current, first_choice
from pages.parts.session.uploaded import most_bytes, open_box, take_from_menu


def draw() -> Callable[[], None]:
    """Draw the line, and return what draws the menu that is open: the page's picture is sent before it."""
    now = current()
    data = now.load(now.data)
    classes = map(str, data.classes) if len(data.classes) < 4 else (f"{len(data.classes)} classes",)
    label = "a number" if data.task == "regression" else " or ".join(classes)
    label = "nothing to predict" if data.y is None else f"predict: {uploaded.label_name() or label}"
    kernel = " → ".join(chain_in_words(now.kernel, data.columns))
    boxes = []
    with in_row(key="line", gap="small"):
        for title, words, content in (
            ("Data", data.title, partial(_data, now, data)),
            ("Label", label, partial(_label, now, data)),
            ("Kernel", kernel, partial(builder.kernel_builder, data)),
            ("More", "⋯", partial(_more, now)),
        ):
            if title == "More":
                for step, act, changes in (("undo", state.undo, now.past), ("redo", state.redo, now.future)):
                    button(
                        f":material/{step}:",
                        f"line.{step}",
                        act,
                        type="tertiary",
                        help=f"{step.title()} the last change of data or kernel",
                        disabled=not changes,
                    )
            # The button lies over what its menu changes: under another label Streamlit would close an open menu.
            name = title.lower()
            with st.container(key=f"line-of-{name}", width="content"):
                st.markdown(plain(words))
                box = st.popover(title, key=f"line.{name}", type="tertiary", on_change="rerun", wrap=False)
            boxes.append((name, box, content))

    def fill() -> None:
        for name, box, content in boxes:
            if box.open:
                with box.container(key=f"menu-{name}"):
                    content()

    return fill


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
        **controls.binding(f"data.{len(own)}", choice.name, state.choose_data),
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
    declared = () if choice.uploaded else CATALOGUE[choice.name].parameters()
    values = {p.name: p.default for p in declared} | dict(choice.parameters)

    def take(name: str, value: Any) -> None:
        changed = {**values, name: value}
        state.take_parameters(tuple((p.name, changed[p.name]) for p in declared if changed[p.name] != p.default))

    for p in declared:
        if p.name == "seed" and values.get("n") == "all":
            continue  # a seed draws nothing where all rows of a sample are taken
        parameter_widget(p, values[p.name], f"g.{choice.name}.{p.name}", partial(take, p.name))
    gallery()


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
        button(
            "Predict another column",
            "line.as-file",
            _as_file,
            data,
            icon=":material/edit:",
            help="Opens these rows as a table, whose label you choose",
        )
    if now.data.uploaded and not changes:
        button("Choose another label", "line.relabel", open_box, icon=":material/edit:")


def _as_file(data: Dataset) -> None:
    """Open the rows of a sample like a file, whose panel asks what is predicted."""
    table = pd.DataFrame(np.asarray(data.rows), columns=list(data.columns))
    label = next(name for name in ("label", "label of the sample") if name not in data.columns)
    if data.y is not None:
        table[label] = data.y if data.task == "regression" else list(data.labels)
    uploaded.hold(((f"{data.name}.csv", table.to_csv(index=False).encode()),), {"label": label})
    state.put(goes="data")


def _more(now: Session) -> None:
    """Draw what leads away from the view: its link, the projector."""
    if "stories.lesson" in now.controls:
        st.page_link("views/stories/page.py", label="Back to the lesson", icon=":material/auto_stories:")
    st.caption("The address bar is a link to this view.")
    st.page_link("views/use/page.py", label="Script, pipeline, report", icon=":material/download:")
    st.page_link("views/stories/page.py", label="Lessons, alone or as a class", icon=":material/school:")
    layout.projector_switch()


#: Pixels of a picture, and of the card around it.
_SIDE, _WIDTH = 112, 148
_EMPTY = np.full((1, 1, 3), 128, dtype=np.uint8)


@known()
def _picture(name: str) -> np.ndarray | KernlibError:
    """Return the small matrix of a data set, or the error in its place: the other data sets still have theirs."""
    try:
        few = compute.few_rows(CATALOGUE[name].load(**dict(first_choice(name).parameters)))
        return compute.small_matrix(few, default_kernel(few))
    except KernlibError as error:
        return error


def gallery() -> None:
    """Draw the data sets of one kind of row."""
    with layout.guarded():
        by_kind = {kind.title: [n for n, e in CATALOGUE.items() if e.row_kind is kind] for kind in KINDS.values()}
        present = CATALOGUE.get(current().data.name)
        filled = [title for title, names in by_kind.items() if names]
        start = present.row_kind.title if present else filled[0]
        title = option(
            st.segmented_control, "Kind of row", filled, "data.gallery.kind", start, label_visibility="collapsed"
        )
        names = by_kind[title]
        waiting.show(Slices("pictures", names, _picture, lambda name: (name,)), partial(_cards, names))
        few = f"at most {compute.FEW}" if CATALOGUE[names[0]].row_kind.independent else "all"
        st.caption(
            f"Gram matrices of {few} rows with the first suggested kernel. Bright: similar. Rows with a class or a "
            "target are sorted by it."
        )


def _cards(names: list[str], pictures: dict[str, np.ndarray | KernlibError]) -> None:
    here = current().data.name
    with st.container(horizontal=True):
        for name in names:
            entry = CATALOGUE[name]
            with st.container(width=_WIDTH, gap="xxsmall"):
                picture = pictures.get(name, _EMPTY)
                with layout.guarded():
                    if isinstance(picture, Exception):
                        raise picture
                    # Within the page: the server may forget a file before the browser of a closing menu asks for it.
                    st.image(png(picture), width=_SIDE, alt=f"Gram matrix of {entry.title}")
                button(
                    plain(entry.title),
                    f"data.gallery.{name}",
                    state.choose_data,
                    name,
                    type="tertiary",
                    disabled=name == here,
                    help=f"Use this data: {entry.size}.",
                )
