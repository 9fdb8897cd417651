"""Support vectors as what they are: images, letters, molecules, documents, rows of a table."""

from __future__ import annotations

import streamlit as st

from kernlib.data import Dataset
from kernlib.explain import Trained
from kernlib.figures.kinds import pictures_of
from pages.parts.frame import layout, pictured

_GRAPHS, _LINES = 6, 300


def draw(data: Dataset, machine: Trained) -> None:
    """Draw the support vectors, largest α first: a picture where the rows have one, and a table."""
    support = machine.support
    rows = machine.rows[support].tolist()
    alone = not pictures_of(data).many
    names = [f"row {row} ({data.labels[row]})" if alone else data.ids[row] for row in rows]

    def words(shown: int, own: str = "") -> str:
        count = len(rows)
        which = f"All {count} support vectors"
        if shown < count:
            which = f"The {shown} of {count} support vectors with the largest α"
        return f"{which}, by class. {own}" if own else f"{which}."

    shown = pictured.draw(
        data, rows, names, "machine.supports", "support-vectors", words, by_class=True, graphs=_GRAPHS
    )
    if alone:
        st.caption(words(shown))
    few = support[:_LINES]
    added = {"α": machine.alpha[few], "y·f(x)": machine.margin[few], "at the bound": machine.bounded[few]}
    st.dataframe(layout.row_table(data, rows[:_LINES], added), hide_index=True)
    if len(rows) > _LINES:
        st.caption(f"The first {_LINES} of {len(rows)} support vectors.")
