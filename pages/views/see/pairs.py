"""Two rows drawn as the pictures of their kind and as a table."""

from __future__ import annotations

import streamlit as st

from kernlib import Kernel
from kernlib.data import Dataset
from kernlib.explain import Explanation
from kernlib.figures.kinds import level_graphs, pictures_of
from pages.parts.frame import layout
from pages.parts.inputs.controls import option
from pages.parts.results import machines


def draw(data: Dataset, pair: tuple[int, int], explanation: Explanation, kernel: Kernel) -> None:
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
    for place, picture in zip(st.columns(len(drawn)) if drawn else (), drawn, strict=True):
        with place:
            layout.figure(picture.figure, f"alike.{picture.place}", name=picture.name)
    st.dataframe(layout.row_table(data, rows), hide_index=True)
