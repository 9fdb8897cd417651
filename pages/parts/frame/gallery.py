"""All data sets, each with a small Gram matrix, by kind of row."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from kernlib import KernlibError
from kernlib.data import CATALOGUE
from kernlib.experiments.proposals import default_kernel
from kernlib.figures.frames import png
from kernlib.kinds import KINDS
from pages.parts.frame import layout, waiting
from pages.parts.inputs.controls import option
from pages.parts.inputs.plain import plain
from pages.parts.results import compute
from pages.parts.results.asking import Slices
from pages.parts.server.caching import known
from pages.parts.server.holder import deferred
from pages.parts.session import state
from pages.parts.session.value import current, first_choice

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


def draw() -> None:
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
                st.button(
                    plain(entry.title),
                    key=f"data.gallery.{name}",
                    type="tertiary",
                    disabled=name == here,
                    help=f"Use this data: {entry.size}.",
                    on_click=deferred(_use, name),
                )


def _use(name: str) -> None:
    state.choose_data(state.choice_of(name))
