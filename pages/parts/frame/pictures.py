"""A picture that fits the domain."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from kernlib.data import Dataset
from kernlib.figures import data as figures
from kernlib.figures.gram import gram_heatmap
from kernlib.figures.theme import caption
from kernlib.values.graph import Graph
from pages.parts.frame import layout
from pages.parts.inputs.controls import number, option
from pages.parts.inputs.plain import plain


def draw(data: Dataset) -> None:
    """Draw the figure for this data set's domain."""
    shape, main = image_shape(data), partial(layout.figure, fill="page")
    if shape is not None:
        main(
            figures.image_grid(data.complete().rows, shape, data.y, data.classes),
            "data.images",
            name="images",
        )
    elif data.domain == "vector":
        X, names = plane(data)
        fig = figures.scatter(X, data.y, data.classes, data.ids, columns=names)
        if data.rows.shape[1] > 2:
            words = f"PC 1 and 2: the two directions in which the {data.rows.shape[1]} standardised columns vary most."
            layout.captioned(fig, f"{caption(fig)} {words}")
        main(fig, "data.scatter", name="scatter")
    elif data.domain == "sequence":
        main(figures.sequence_letters(data.rows.tolist(), data.y, data.classes), "data.letters", name="letters")
        if len({len(s) for s in data.rows}) == 1:
            layout.figure(figures.sequence_logo(data.rows.tolist()), "data.logo", name="logo")
    elif data.domain == "categorical":
        column = option(
            st.selectbox, "Column", range(data.rows.shape[1]), "data.column", format_func=data.columns.__getitem__
        )
        main(
            figures.category_bars(data.rows, column, data.y, data.classes, data.columns), "data.bars", name="categories"
        )
    elif data.domain == "mixed":
        _column(data)
    elif data.domain == "node":
        main(figures.graph_drawing(data.rows, data.y, data.classes, data.ids), "data.graph", name="graph")
    elif data.domain == "graph":
        which = number("Graph", 0, data.n - 1, 0, "data.which")
        words = f"Graph {which}" + (f", {data.labels[which]}" if data.labels else "")
        main(labelled_graph(data.rows[which], node_labels(data.rows.tolist()), words), "data.molecule", name="graph")
    elif data.domain == "text":
        main(figures.term_bars(list(data.rows)), "data.terms", name="terms")
        lengths = [len(text.split()) for text in data.rows]
        layout.figure(
            figures.length_histogram(lengths, data.y, data.classes, unit="words"), "data.lengths", name="lengths"
        )
    elif data.domain == "matrix":
        main(gram_heatmap(data.rows, None, data.y, data.classes, data.ids), "data.matrix", name="scores")
    elif data.domain == "pair" and data.base is not None:
        st.markdown(f"Pairs of rows of **{plain(data.base.title)}**:")
        draw(data.base)


def _column(data: Dataset) -> None:
    """Draw one column of mixed rows by its kind."""
    columns = range(len(data.columns))
    j = option(st.selectbox, "Column", columns, "data.column", format_func=data.columns.__getitem__)
    cells = data.rows[:, j]
    if data.kinds[j] == "vector":
        figure = figures.value_histogram(cells.astype(float), data.y, data.classes, data.columns[j])
    elif data.kinds[j] == "categorical":
        figure = figures.category_bars(cells, 0, data.y, data.classes, data.columns[j : j + 1])
    elif data.kinds[j] == "sequence":
        figure = figures.sequence_letters(cells.tolist(), data.y, data.classes)
    else:
        figure = figures.term_bars(cells.tolist())
    layout.figure(figure, f"data.mixed.{data.kinds[j]}", fill="page", name="column")


def node_labels(graphs: Sequence[Graph]) -> list[str]:
    """Return all labels of the graphs' nodes, sorted."""
    return sorted({str(label) for graph in graphs for label in graph.labels})


def labelled_graph(graph: Graph, labels: Sequence[str], name: str, title: str | None = None) -> Any:
    """Return a figure of a graph whose nodes have the colours of their labels in `labels`."""
    place = {label: code for code, label in enumerate(labels)}
    codes = np.array([place[str(label)] for label in graph.labels], dtype=np.intp)
    words = [f"label {label}" for label in labels]
    fig = figures.graph_drawing(graph.adjacency, codes, words, labels=graph.labels, title=title)
    A = graph.adjacency
    edges = np.count_nonzero(A)
    counted = f"{edges} directed edges" if (A != A.T).any() else f"{edges // 2} edges"
    return layout.captioned(fig, f"{name}: {graph.n} nodes, coloured by their labels, and {counted}.")


def counts(data: Dataset) -> None:
    """Draw the number of rows per class."""
    layout.panel("Classes", figures.class_counts(data.class_counts), "data.counts", name="classes")


def plane(data: Dataset) -> tuple[np.ndarray, tuple[str, str]]:
    """Return two columns, or the two leading principal components of more, with their names."""
    X = data.complete().rows
    if X.shape[1] == 1:
        height = data.y if data.task == "regression" and data.y is not None else np.zeros(len(X))
        return np.column_stack([X[:, 0], height]), (
            data.columns[0],
            "y",
        )
    if X.shape[1] == 2:
        return X, (data.columns[0], data.columns[1])
    from sklearn.decomposition import PCA
    from sklearn.preprocessing import StandardScaler

    scores = PCA(2, random_state=0).fit_transform(StandardScaler().fit_transform(X))
    return scores, ("PC 1", "PC 2")


def image_shape(data: Dataset) -> tuple[int, int] | None:
    """Return height and width where the columns are pixels, else None."""
    if not data.name.startswith("digits"):
        return None
    side = round(data.rows.shape[1] ** 0.5)
    return (side, side) if side * side == data.rows.shape[1] else None
