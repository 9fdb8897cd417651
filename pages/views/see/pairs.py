"""Two rows drawn as the pictures of their kind and as a table."""

from __future__ import annotations

import streamlit as st

from kernlib import Kernel
from kernlib.data import Dataset
from kernlib.explain import Explanation
from kernlib.figures.kinds import pictures_of
from kernlib.figures.kinds.graphs import level_graphs, node_labels, product_graph
from kernlib.values.graph import Graph
from pages.parts.frame import layout
from pages.parts.frame.terms import explained
from pages.parts.inputs.controls import option
from pages.parts.results import inside
from pages.parts.server.holder import deferred
from pages.parts.session import state


def draw(data: Dataset, pair: tuple[int, int], explanation: Explanation, kernel: Kernel) -> None:
    """Draw the two rows by the pictures of their kind, or as the kernel sees them, and as a table."""
    pictures, rows = pictures_of(data), list(pair)
    every = inside.row_names(data)
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
    missing = ""
    if "product graph" in drawn_as:
        product = product_graph([data.rows[i] for i in rows], node_labels(data.rows.tolist()))
        if isinstance(product, str):
            missing = product
        else:
            drawn.append(product)
    parts = pictures.of_parts(data, explanation)
    drawn += [] if parts is None else [parts]
    for place, picture in zip(st.columns(len(drawn)) if drawn else (), drawn, strict=True):
        with place:
            layout.figure(picture.figure, f"alike.{picture.place}", name=picture.name)
    if missing:
        st.caption(missing)
    if isinstance(data.rows[0], Graph):
        _indistinct(data, kernel, pair)
    st.dataframe(layout.row_table(data, rows), hide_index=True)


def _indistinct(data: Dataset, kernel: Kernel, pair: tuple[int, int]) -> None:
    """Draw how many pairs of different graphs the kernel cannot tell apart, and a button that shows one of them."""
    found = inside.indistinct(data, kernel)
    here = tuple(sorted(pair)) in found.different
    st.markdown(f"{found} {'The two graphs above are such a pair.' if here else ''}")
    if len(found.different) > here:
        after = next((other for other in found.different if other > tuple(sorted(pair))), found.different[0])
        st.button(
            "Show another pair" if here else "Show such a pair",
            key="alike.indistinct",
            on_click=deferred(state.compare, *after),
            icon=":material/difference:",
        )
    words = (
        "Only a complete graph kernel tells all graphs apart. It is at least as hard to compute as deciding whether "
        "two graphs are isomorphic ([D])."
    )
    st.caption(explained(words, "alike.indistinct"))
