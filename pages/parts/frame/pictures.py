"""The pictures of a data set by its kind of row."""

from __future__ import annotations

import streamlit as st

from kernlib.data import Dataset
from kernlib.figures.kinds import pictures_of
from pages.parts.frame import layout
from pages.parts.inputs.controls import number, option
from pages.parts.inputs.plain import plain


def draw(data: Dataset) -> None:
    """Draw the pictures of the rows, with the menu of what they show; of pairs, those of the rows that they name."""
    if data.base is not None:
        st.markdown(f"Pairs of rows of **{plain(data.base.title)}**:")
        draw(data.base)
        return
    pictures = pictures_of(data)
    menu, chosen = pictures.menu(data), 0
    if menu is not None and menu.entries:
        names, places = menu.entries, range(len(menu.entries))
        chosen = option(st.selectbox, menu.label, places, menu.control, format_func=names.__getitem__)
    elif menu is not None:
        chosen = number(menu.label, 0, data.n - 1, 0, menu.control)
    picture = pictures.of_data(data, chosen)[0]
    layout.panel(picture.name.capitalize(), picture.figure, picture.place, name=picture.name, fill="controls")
