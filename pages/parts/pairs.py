"""Two rows chosen: by name, in a map, or typed; and the two of them as what they are."""

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
from kernlib.figures.theme import alt
from kernlib.values.graph import Graph

from . import compute, inside, layout
from .pictures import image_shape, labelled_graph, node_labels

__all__ = ["choose", "choose_in_map", "draw", "draw_graphs", "typed"]

#: Columns of a table that can be typed into.
_TYPED = 60


def _keys(data: Dataset) -> tuple[str, str]:
    return f"alike.first.{data.digest[:12]}", f"alike.second.{data.digest[:12]}"


def _numbered(i: int, name: str) -> str:
    """What stands in the menu: a row's number once."""
    return (name if name.startswith(f"row {i}") else f"{i} · {name}")[:60]


def choose(data: Dataset, kernel: Kernel, *places: DeltaGenerator) -> tuple[int, int]:
    """Two rows of the data by their names."""
    first, second = _keys(data)
    if first not in st.session_state:
        st.session_state[first], st.session_state[second] = inside.first_pair(data, kernel)
    names = inside.row_names(data)
    for place, key, words in zip(places, (first, second), ("First row", "Second row"), strict=True):
        place.selectbox(
            words, range(data.n), key=key, persist_state="session", format_func=lambda i: _numbered(i, names[i])
        )
    return int(st.session_state[first]), int(st.session_state[second])


def choose_in_map(data: Dataset, kernel: Kernel, pair: tuple[int, int]) -> None:
    """The rows as points of the two leading directions; one or two of them chosen become the pair."""
    spectrum = compute.decomposition(data, kernel)
    scores = spectrum.eigenvectors[:, :2] * np.sqrt(np.maximum(spectrum.eigenvalues[:2], 0.0))
    key = f"alike.map.{data.digest[:12]}"
    fig = pca_scatter(scores, data.y, data.classes, data.ids)
    told = (
        "The rows as points, alike ones near each other. Press a point to make it the second row; the box tool above "
        "the map takes two at once."
    )
    # While a box is what dragging draws, Streamlit takes no presses of single points.
    fig.update_layout(height=300, dragmode="pan", meta=dict(alt=alt(fig), caption=told))
    layout.panel(
        "Choose the second row here",
        fig,
        key,
        name="map",
        on_select=lambda: _take(data, key),
        selection_mode=("points", "box"),
    )


def _take(data: Dataset, key: str) -> None:
    first, second = _keys(data)
    rows = layout.selected_rows(st.session_state[key])
    if len(rows) == 1:  # one after the other: what was second becomes first
        st.session_state[first] = st.session_state[second]
        st.session_state[second] = rows[0]
    elif rows:
        st.session_state[first], st.session_state[second] = rows[0], rows[1]


def typed(data: Dataset, pair: tuple[int, int]) -> tuple[Any, Any] | None:
    """Two rows typed by hand, starting from the chosen ones; None where such rows cannot be typed."""
    key = f"alike.typed.{data.digest[:12]}"
    if data.domain in ("sequence", "text"):
        area = st.text_input if data.domain == "sequence" else st.text_area
        return tuple(
            area(words, str(data.rows[row])[:1000], key=f"{key}.{words}", max_chars=1000)
            for words, row in (("First", pair[0]), ("Second", pair[1]))
        )  # type: ignore[return-value]
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
    # What was typed stands for the modality that is written so.
    known = [{str(v): v for v in data.rows[:, c].tolist()} for c in range(data.rows.shape[1])]
    return tuple(known[c].get(str(v), v) for c, v in enumerate(column))


def draw(data: Dataset, pair: tuple[int, int], told: Explanation) -> None:
    """The two rows as what they are."""
    rows = list(pair)
    shape = image_shape(data)
    y = None if data.y is None else data.y[rows]
    if shape is not None:
        images, where = st.columns(2)
        with images:
            fig = figures.image_grid(data.complete().rows[rows], shape, None, (), across=2, numbers=rows)
            told_of = "The two rows, each with its number. Beside them: which pixels the value comes from."
            fig.update_layout(height=300, meta=dict(alt=alt(fig), caption=told_of))
            layout.figure(fig, "alike.images", name="two-images")
        sums = [("part of k(x, x')", told.parts), *((t.title.split(";")[0], t.parts) for t in told.inside)]
        first = int(told.shared)  # the sum that the bars show: factors of a product are all but equal
        sums = [*sums[first:], *sums[:first]]
        for title, parts in sums:
            if len(parts) == shape[0] * shape[1]:
                with where:
                    layout.figure(pixel_parts([p.value for p in parts], shape, title), "alike.pixels", name="pixels")
                break
    elif data.domain == "sequence":
        layout.figure(
            figures.sequence_letters(data.rows[rows], y, data.classes, [data.ids[i] for i in rows]),
            "alike.letters",
            name="two-strings",
        )
    elif data.domain == "graph":
        draw_graphs([data.rows[i] for i in rows], [inside.row_names(data)[i] for i in rows], among=data.rows)
    elif data.domain == "node":
        marks = np.zeros(data.n, dtype=np.intp)
        marks[pair[0]], marks[pair[1]] = 1, 2
        fig = figures.graph_drawing(data.rows, marks, ("other nodes", "first", "second"), data.ids)
        told_of = (
            "The two nodes in their graph: the more short ways lead from one to the other, the more alike they are."
        )
        fig.update_layout(meta=dict(alt=alt(fig), caption=told_of))
        layout.figure(fig, "alike.nodes", name="two-nodes")
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
    """Graphs side by side, the same colour for the same label in all graphs `among` which they are."""
    labels = node_labels(graphs if among is None else among)
    for place, (column, graph, name) in enumerate(zip(st.columns(len(graphs)), graphs, names, strict=True)):
        with column:
            fig = labelled_graph(graph, labels, name, title=name)
            layout.figure(fig, f"{key}.graph.{place}", name=f"graph-{place}")
