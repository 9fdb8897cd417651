"""Two rows: chosen by name, in a map, or typed; and drawn as the pictures of their kind and a table."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernlib import Kernel, LabelSequences, WeisfeilerLehman
from kernlib.data import Dataset
from kernlib.explain import Explanation
from kernlib.figures.kinds import pictures_of
from kernlib.figures.kinds.graph import labelled_graph, level_graphs, node_labels, product_graph
from kernlib.figures.spectrum import pca_scatter
from kernlib.figures.theme import captioned
from kernlib.values.graph import Graph
from pages.parts.frame import layout
from pages.parts.frame.terms import explained
from pages.parts.inputs.controls import option, text
from pages.parts.results import compute, inside
from pages.parts.server.holder import deferred
from pages.parts.session import state

#: The names of the two rows' menus, see `state.compare`.
_NAMES = ("alike.first", "alike.second")
#: Columns of a table that can be typed into.
_TYPED = 60


def _numbered(i: int, name: str) -> str:
    """Return a row's entry in the menu, with its number once."""
    return (name if name.startswith(f"row {i}") else f"{i} · {name}")[:60]


def choose(data: Dataset, kernel: Kernel, *places: DeltaGenerator) -> tuple[int, int]:
    """Draw the menus of two rows by their names, and return the rows that the state chooses."""
    names, start = inside.row_names(data), inside.first_pair(data, kernel)
    i, j = (
        option(place.selectbox, words, range(data.n), name, first, format_func=lambda i: _numbered(i, names[i]))
        for place, name, words, first in zip(places, _NAMES, ("First row", "Second row"), start, strict=True)
    )
    return i, j


def choose_in_map(data: Dataset, kernel: Kernel, pair: tuple[int, int]) -> None:
    """Draw the rows as points of the two leading directions; one or two clicked points become the pair."""
    spectrum = compute.decomposition(data, kernel)
    scores = spectrum.eigenvectors[:, :2] * np.sqrt(np.maximum(spectrum.eigenvalues[:2], 0.0))
    key = f"alike.map.{data.digest[:12]}"
    fig = pca_scatter(scores, data.y, data.classes, data.ids)
    words = (
        "The rows as points: similar rows lie near each other. Click a point to make it the second row. The box "
        "tool above the map selects two rows at once."
    )
    # While a box is what dragging draws, Streamlit takes no clicks of single points.
    captioned(fig, words).update_layout(height=300, dragmode="pan")
    layout.panel(
        "Choose the second row here",
        fig,
        key,
        name="map",
        on_press=lambda chosen: _take(chosen, pair),
        selection_mode=("points", "box"),
    )


def _take(chosen: Any, pair: tuple[int, int]) -> None:
    rows = layout.selected_rows(chosen)
    if rows:  # of single points the last two are the pair
        first, second = (pair[1], rows[0]) if len(rows) == 1 else rows[:2]
        state.compare(first, second)


def typed(data: Dataset, pair: tuple[int, int]) -> tuple[Any, Any] | None:
    """Draw inputs to type two rows into; return the rows, or None where rows cannot be typed."""
    key = f"alike.typed.{data.digest[:12]}"
    kind = data.row_kind
    if kind.typed in ("line", "lines"):
        area = st.text_input if kind.typed == "line" else st.text_area
        first, second = (
            text(words, str(data.rows[row])[:1000], f"alike.typed.{words}", draw=area, max_chars=1000)
            for words, row in (("First", pair[0]), ("Second", pair[1]))
        )
        return first, second
    if kind.typed != "table" or data.rows.shape[1] > _TYPED:
        return None
    table = pd.DataFrame(data.rows[list(pair)], columns=list(data.columns), index=["first", "second"])
    if kind.nominal:
        table = table.astype(str)
    edited = st.data_editor(table.T, key=f"{key}.{pair}", height=320)
    first, second = (kind.from_typed(data, edited[side].tolist()) for side in ("first", "second"))
    return first, second


def draw(data: Dataset, pair: tuple[int, int], explanation: Explanation, kernel: Kernel) -> None:
    """Draw the two rows by the pictures of their kind, or as the kernel sees them, and as a table."""
    pictures, rows = pictures_of(data), list(pair)
    every = inside.row_names(data)
    names = [every[i] for i in rows]
    levels = max((part.level for part in kernel.walk() if isinstance(part, WeisfeilerLehman)), default=0)
    if levels:
        level = option(
            st.select_slider, "Neighbourhoods of level", range(levels + 1), "alike.level", 1,
            help="The kernel counts the labels of all levels: at level 0 those of the nodes, then of neighbourhoods.",
        )  # fmt: skip
        drawn = level_graphs([data.rows[i] for i in rows], names, level)
    else:
        drawn = pictures.of_pair(data, pair, names)
    missing = ""
    if any(isinstance(part, LabelSequences) for part in kernel.walk()):
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
            "Show another pair" if here else "Show such a pair", key="alike.indistinct",
            on_click=deferred(state.compare, *after), icon=":material/difference:",
        )  # fmt: skip
    words = (
        "Only a complete graph kernel tells all graphs apart. It is at least as hard to compute as deciding whether "
        "two graphs are isomorphic ([D])."
    )
    st.caption(explained(words, "alike.indistinct"))


def draw_graphs(graphs: list[Graph], names: list[str]) -> None:
    """Draw the graphs of an example side by side, with one colour for each label."""
    labels = node_labels(graphs)
    for place, (column, graph, name) in enumerate(zip(st.columns(len(graphs)), graphs, names, strict=True)):
        with column:
            fig = labelled_graph(graph, labels, name, title=name)
            layout.figure(fig, f"alike.graph.{place}", name=f"graph-{place}")
