"""Graphs, each drawn with the labels of its nodes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from ...data import Dataset
from ...values.graph import Graph
from ..data import graph_drawing
from ..theme import captioned
from .pictures import Menu, Picture, Pictures


class _Graphs(Pictures):
    many = False

    def menu(self, data: Dataset) -> Menu:
        return Menu("Graph", "data.which")

    def of_data(self, data: Dataset, chosen: int = 0) -> list[Picture]:
        words = f"Graph {chosen}" + (f", {data.labels[chosen]}" if data.labels else "")
        fig = labelled_graph(data.rows[chosen], node_labels(data.rows.tolist()), words)
        return [Picture(fig, "data.molecule", "graph")]

    def of_row(self, data: Dataset, row: int, name: str) -> go.Figure:
        return labelled_graph(data.rows[row], node_labels(data.rows.tolist()), name, title=name)


PICTURES = _Graphs()


def node_labels(graphs: Sequence[Graph]) -> list[str]:
    """Return all labels of the graphs' nodes, sorted."""
    return sorted({str(label) for graph in graphs for label in graph.labels})


def labelled_graph(graph: Graph, labels: Sequence[str], name: str, title: str | None = None) -> go.Figure:
    """Return a figure of a graph whose nodes have the colours of their labels in `labels`."""
    place = {label: code for code, label in enumerate(labels)}
    codes = np.array([place[str(label)] for label in graph.labels], dtype=np.intp)
    words = [f"label {label}" for label in labels]
    fig = graph_drawing(graph.adjacency, codes, words, labels=graph.labels, title=title)
    A = graph.adjacency
    edges = np.count_nonzero(A)
    counted = f"{edges} directed edges" if (A != A.T).any() else f"{edges // 2} edges"
    return captioned(fig, f"{name}: {graph.n} nodes, coloured by their labels, and {counted}.")
