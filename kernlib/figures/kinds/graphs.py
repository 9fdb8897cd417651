"""Graphs, each drawn with the labels of its nodes, and nodes in the drawing of their graph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from ...data import Dataset
from ...explain.features import neighbourhood_names
from ...stories import Scene
from ...values.graph import Graph
from ...values.words import number
from ..data import graph_drawing
from ..theme import MUTED, captioned
from .pictures import Menu, Picture, Pictures


class Graphs(Pictures):
    many = False

    def menu(self, data: Dataset) -> Menu:
        return Menu("Graph", "data.which")

    def of_data(self, data: Dataset, chosen: int = 0) -> list[Picture]:
        words = f"Graph {chosen}" + (f", {data.labels[chosen]}" if data.labels else "")
        fig = labelled_graph(data.rows[chosen], node_labels(data.rows.tolist()), words)
        return [Picture(fig, "data.molecule", "graph")]

    def of_row(self, data: Dataset, row: int, name: str) -> go.Figure:
        return labelled_graph(data.rows[row], node_labels(data.rows.tolist()), name, title=name)


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
    directed = bool((A != A.T).any())
    edges = np.count_nonzero(A) // (1 if directed else 2)
    counted = f"{edges} {'directed ' if directed else ''}edge{'' if edges == 1 else 's'}"
    return captioned(fig, f"{name}: {graph.n} nodes, coloured by their labels, and {counted}.")


def level_graphs(graphs: Sequence[Graph], names: Sequence[str], level: int) -> list[Picture]:
    """Return two graphs whose nodes have the colours of their neighbourhoods at a Weisfeiler–Lehman level.

    A neighbourhood that both graphs have has the same colour and number in both, the most frequent first; a node whose
    neighbourhood the other graph lacks is grey. Level 0 has the nodes' own labels.
    """
    if level == 0:
        own_labels = node_labels(graphs)
        drawn = (labelled_graph(g, own_labels, name, title=name) for g, name in zip(graphs, names, strict=True))
        return [Picture(fig, f"graph.{i}", f"graph-{i}") for i, fig in enumerate(drawn)]
    labels = [neighbourhood_names(graph, level)[level] for graph in graphs]
    first, second = (Counter(own) for own in labels)
    shared = sorted(first.keys() & second.keys(), key=lambda label: (-first[label] * second[label], label))
    place = {label: code for code, label in enumerate(shared)}
    value = sum(first[label] * second[label] for label in shared)
    pictures = []
    for i, (graph, own, name) in enumerate(zip(graphs, labels, names, strict=True)):
        codes = np.array([place.get(label, len(shared)) for label in own], dtype=np.intp)
        alone = int((codes == len(shared)).sum())
        written = ["" if code == len(shared) else str(code + 1) for code in codes.tolist()]
        classes = [*(f"{code + 1}" for code in range(len(shared))), _ALONE]
        fig = graph_drawing(graph.adjacency, codes, classes, ids=own, labels=written, title=name)
        fig.for_each_trace(lambda trace: trace.update(marker_color=MUTED), selector=dict(name=_ALONE))
        fig.update_layout(showlegend=False)
        words = (
            f"Equal numbers: equal neighbourhoods of level {level}. Grey: {alone} of {graph.n}, only here. Products of "
            f"counts: {number(value)}."
        )
        pictures.append(Picture(captioned(fig, words), f"graph.{i}", f"graph-{i}"))
    return pictures


#: The class of nodes whose neighbourhood the other graph lacks.
_ALONE = "in this graph alone"


class Nodes(Pictures):
    def of_data(self, data: Dataset, chosen: int = 0) -> list[Picture]:
        return [Picture(graph_drawing(data.rows, data.y, data.classes, data.ids), "data.graph", "graph")]

    def of_pair(self, data: Dataset, pair: tuple[int, int], names: Sequence[str]) -> list[Picture]:
        marks = np.zeros(data.n, dtype=np.intp)
        marks[pair[0]], marks[pair[1]] = 1, 2
        fig = graph_drawing(data.rows, marks, ("other nodes", "first", "second"), data.ids)
        words = "The two nodes in their graph: the more short paths connect them, the more similar they are."
        return [Picture(captioned(fig, words), "nodes", "two-nodes")]

    def of_scene(self, scene: Scene) -> go.Figure:
        data = scene.data
        return graph_drawing(data.rows, data.y, data.classes, data.ids, labels=data.ids)
