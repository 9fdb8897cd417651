"""Pictures of rows as what they are, which several pages show."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from kernlib.data import Dataset
from kernlib.figures.kinds import pictures_of
from kernlib.figures.theme import caption, captioned
from pages.parts.frame import layout
from pages.parts.inputs.controls import number, option, plain

_SHOWN, _BESIDE = 40, 3


def of_rows(
    data: Dataset,
    rows: Sequence[int],
    names: Sequence[str],
    key: str,
    name: str,
    words: Callable[[int, str], str] = lambda _, own: own,
    *,
    graphs: int = _BESIDE,
    across: int = 8,
) -> int:
    """Draw rows as images, letters or graphs, and return how many were drawn: 0 where a table shows everything.

    `words` returns the caption from the number of rows drawn and the figure's own caption. Rows are drawn in the order
    given.
    """
    pictures, shown = pictures_of(data), rows[:_SHOWN]
    if pictures.many:
        fig = pictures.of_rows(data, shown, names[:_SHOWN], across)
        if fig is None:
            return 0
        layout.figure(captioned(fig, words(len(shown), caption(fig))), key, name=name)
        return len(shown)
    shown = rows[:graphs]  # each in a figure of its own, several side by side
    for place, row in enumerate(shown):
        if place % _BESIDE == 0:
            columns = st.columns(min(_BESIDE, len(shown) - place))
        with columns[place % _BESIDE]:
            layout.figure(pictures.of_row(data, row, names[place]), f"{key}.graph.{place}", name=f"graph-{place}")
    return len(shown)


def of_data(data: Dataset, preview: bool = False) -> None:
    """Draw the pictures of the rows, with the menu of what they show; of pairs, those of the rows that they name."""
    if data.base is not None:
        st.markdown(f"Pairs of rows of **{plain(data.base.title)}**:")
        of_data(data.base, preview)
        return
    pictures = pictures_of(data)
    menu, chosen = pictures.menu(data), 0
    if menu is not None and menu.entries:
        names, places = menu.entries, range(len(menu.entries))
        chosen = option(st.selectbox, menu.label, places, menu.control, format_func=names.__getitem__)
    elif menu is not None:
        chosen = number(menu.label, 0, data.n - 1, 0, menu.control)
    name = pictures.shows
    # A matrix that moves into a column keeps the scale of its wider place: the preview is another figure.
    key = f"data.{name}" + ".preview" * preview
    layout.panel(name.capitalize(), pictures.of_data(data, chosen), key, name=name, fill="controls")
