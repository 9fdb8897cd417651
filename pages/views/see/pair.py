"""Two rows in place of the map: in what they are alike and unlike, and the parts of their similarity."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from kernlib import Kernel
from kernlib.data import Dataset
from kernlib.explain import Explanation
from kernlib.explain.explanation import Part, contrast_in_words
from kernlib.figures import machine as figures
from kernlib.figures.kinds import level_graphs, pictures_of
from kernlib.kinds import KINDS
from kernlib.values.words import number
from pages.parts.frame import layout
from pages.parts.frame.view import View
from pages.parts.inputs.controls import option, value_of
from pages.parts.inputs.texts import plain
from pages.parts.results import machines
from pages.parts.server.holder import deferred
from pages.parts.session import state

#: The control that has the two rows.
PAIR = "see.pair"


def chosen(data: Dataset) -> tuple[int, int] | None:
    """Return the two rows that the state chooses; None where the map is shown."""

    def read(text: str) -> tuple[int, int] | None:
        first, second = map(int, text.split("|"))
        return (first, second) if max(first, second) < data.n and min(first, second) >= 0 else None

    return value_of(PAIR, None, read)


def draw(view: View, rows: tuple[int, int]) -> None:
    """Draw why two rows are similar: the sentence, the bars of their parts, and the rows themselves."""
    data, kernel = view.data, view.kernel
    names = machines.row_names(data)
    explanation = machines.alike(data, kernel, *rows)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{plain(names[rows[0]])}** and **{plain(names[rows[1]])}**: k = {number(explanation.value, 3)}")
        st.button(
            "Back to the map",
            key="see.back",
            icon=":material/scatter_plot:",
            type="tertiary",
            on_click=deferred(state.choose, PAIR, None),
        )
    if data.columns and data.rows.ndim == 2:
        nominal = [KINDS[kind].nominal for kind in data.kinds or (data.domain,) * len(data.columns)]
        st.markdown(plain(contrast_in_words(data.rows, data.columns, nominal, *rows)))
    if explanation.apart:
        value = sum(one.value for one in explanation.apart)
        caption = "Terms of the distance by column: a long bar makes the rows less similar."
        _bars("Parts of the distance", explanation.apart, value, "the distance", caption, bool(data.columns))
    elif explanation.below is not None and len(explanation.below.parts) > 1:
        below = explanation.below
        caption = f"{below.how} The map over training rows then compares how similar both rows are to all others."
        _bars("What both rows share", below.parts, below.value, "the value before the map", caption, bool(data.columns))
    elif len(explanation.parts) > 1:  # a single part is the value above
        caption, what = explanation.how, "k(x, x')"
        _bars("Parts of the similarity", explanation.parts, explanation.value, what, caption, bool(data.columns))
    elif not explanation.parts:
        st.info("These two rows have nothing in common: the value is 0.")
    _rows(data, rows, explanation, kernel)


def _bars(title: str, parts: Sequence[Part], value: float, what: str, caption: str, columns: bool) -> None:
    # What a part says behind its column is in the kernel's units: the row's own cells stand above.
    named = [Part(one.text.split(":")[0], one.value) if columns else one for one in parts]
    fig = figures.parts_bars(named, value, what=what, most=10, caption=caption)
    layout.panel(title, fig, "see.parts", name="parts", data=lambda: pd.DataFrame(parts, columns=["part", "value"]))


def _rows(data: Dataset, pair: tuple[int, int], explanation: Explanation, kernel: Kernel) -> None:
    """Draw the two rows by the pictures of their kind, or as the kernel sees them, and as a table."""
    pictures, rows = pictures_of(data), list(pair)
    every = machines.row_names(data)
    names = [every[i] for i in rows]
    drawn_as = {part.drawn_as: part for part in kernel.walk()}
    levels = getattr(drawn_as.get("neighbourhoods"), "level", 0)
    if levels:
        level = option(
            st.select_slider,
            "Neighbourhoods of level",
            range(levels + 1),
            "alike.level",
            1,
            help="The kernel counts the labels of all levels: at level 0 those of the nodes, then of neighbourhoods.",
        )
        drawn = level_graphs([data.rows[i] for i in rows], names, level)
    else:
        drawn = pictures.of_pair(data, pair, names)
    parts = pictures.of_parts(data, explanation)
    drawn += [] if parts is None else [parts]
    for i, (place, fig) in enumerate(zip(st.columns(len(drawn)) if drawn else (), drawn, strict=True)):
        with place:
            layout.figure(fig, f"alike.{i}", name=f"two-rows-{i}")
    st.dataframe(layout.row_table(data, rows), hide_index=True)
