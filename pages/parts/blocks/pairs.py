"""Two rows: chosen by name, in a map, or typed; and drawn as images, letters, graphs or a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernlib import Kernel
from kernlib.data import Dataset
from kernlib.explain import Explanation
from kernlib.figures import data as figures
from kernlib.figures.explain import pixel_parts
from kernlib.figures.spectrum import pca_scatter
from kernlib.values.graph import Graph
from pages.parts.frame import layout
from pages.parts.frame.pictures import image_shape, labelled_graph, node_labels
from pages.parts.inputs.controls import option, text
from pages.parts.results import compute, inside
from pages.parts.session import state

#: The names of the two rows' menus.
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
    layout.captioned(fig, words).update_layout(height=300, dragmode="pan")
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
        state.change(state.controlled, dict(zip(_NAMES, (str(first), str(second)), strict=True)))


def typed(data: Dataset, pair: tuple[int, int]) -> tuple[Any, Any] | None:
    """Draw inputs to type two rows into; return the rows, or None where rows cannot be typed."""
    key = f"alike.typed.{data.digest[:12]}"
    if data.domain in ("sequence", "text"):
        area = st.text_input if data.domain == "sequence" else st.text_area
        first, second = (
            text(words, str(data.rows[row])[:1000], f"alike.typed.{words}", draw=area, max_chars=1000)
            for words, row in (("First", pair[0]), ("Second", pair[1]))
        )
        return first, second
    if data.domain not in ("vector", "categorical") or data.rows.shape[1] > _TYPED:
        return None
    table = pd.DataFrame(data.rows[list(pair)], columns=list(data.columns), index=["first", "second"])
    if data.domain == "categorical":
        table = table.astype(str)
    edited = st.data_editor(table.T, key=f"{key}.{pair}", height=320)
    return tuple(_cells(data, edited[side]) for side in ("first", "second"))  # type: ignore[return-value]


def _cells(data: Dataset, column: pd.Series) -> tuple[Any, ...]:
    if data.domain == "vector":
        return tuple(float(v) for v in pd.to_numeric(column, errors="coerce"))
    # What was typed stands for the category that is written so.
    known = [{str(v): v for v in data.rows[:, c].tolist()} for c in range(data.rows.shape[1])]
    return tuple(known[c].get(str(v), v) for c, v in enumerate(column))


def draw(data: Dataset, pair: tuple[int, int], explanation: Explanation) -> None:
    """Draw the two rows as images, letters, graphs or nodes, and as a table."""
    rows = list(pair)
    shape = image_shape(data)
    y = None if data.y is None else data.y[rows]
    if shape is not None:
        images, where = st.columns(2)
        with images:
            fig = figures.image_grid(data.complete().rows[rows], shape, None, (), across=2, numbers=rows)
            words = "The two rows, each with its number. Beside them: which pixels the value comes from."
            layout.captioned(fig, words).update_layout(height=300)
            layout.figure(fig, "alike.images", name="two-images")
        sums = [
            ("part of k(x, x')", explanation.parts),
            *((t.title.split(";")[0], t.parts) for t in explanation.inside),
        ]
        first = int(explanation.shared)  # the sum that the bars show: factors of a product are all but equal
        sums = [*sums[first:], *sums[:first]]
        for title, parts in sums:
            if len(parts) == shape[0] * shape[1]:
                with where:
                    layout.figure(pixel_parts([p.value for p in parts], shape, title), "alike.pixels", name="pixels")
                break
    elif data.domain == "sequence":
        layout.figure(
            figures.sequence_letters(data.rows[rows].tolist(), y, data.classes, [data.ids[i] for i in rows]),
            "alike.letters",
            name="two-strings",
        )
    elif data.domain == "graph":
        draw_graphs([data.rows[i] for i in rows], [inside.row_names(data)[i] for i in rows], among=data.rows.tolist())
    elif data.domain == "node":
        marks = np.zeros(data.n, dtype=np.intp)
        marks[pair[0]], marks[pair[1]] = 1, 2
        fig = figures.graph_drawing(data.rows, marks, ("other nodes", "first", "second"), data.ids)
        words = "The two nodes in their graph: the more short paths connect them, the more similar they are."
        layout.figure(layout.captioned(fig, words), "alike.nodes", name="two-nodes")
    elif data.domain == "pair" and data.base is not None and (side := image_shape(data.base)) is not None:
        members = data.rows[rows].ravel()
        layout.figure(
            figures.image_grid(data.base.complete().rows[members], side, None, (), across=4, numbers=members),
            "alike.pairs",
            name="two-pairs",
        )
    st.dataframe(layout.row_table(data, rows), hide_index=True)


def draw_graphs(
    graphs: list[Graph], names: list[str], key: str = "alike", among: Sequence[Graph] | None = None
) -> None:
    """Draw graphs side by side, with one colour for each label of the graphs in `among`."""
    labels = node_labels(graphs if among is None else among)
    for place, (column, graph, name) in enumerate(zip(st.columns(len(graphs)), graphs, names, strict=True)):
        with column:
            fig = labelled_graph(graph, labels, name, title=name)
            layout.figure(fig, f"{key}.graph.{place}", name=f"graph-{place}")
