"""The pictures of each kind of row: a class named as its declaration in `kernlib.kinds`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import plotly.graph_objects as go

from ..data import Dataset
from ..explain import Explanation
from ..explain.features import neighbourhood_names
from ..kernels.series import best_alignment
from ..kinds import KINDS
from ..kinds.matrices import holds_distances
from ..stories import Scene
from ..values.arrays import Array
from ..values.objects import Graph, Series
from ..values.words import number
from .data import category_bars, graph_drawing, image_grid, scatter, sequence_letters, term_bars, value_histogram
from .gram import gram_heatmap
from .machine import pixel_parts
from .marks import heat, line, mark, places_axis
from .theme import MUTED, caption, captioned, class_colour, composed, escape, read_classes


@dataclass(frozen=True)
class Picture:
    """A figure with its place on a page and the `name` of its file."""

    figure: go.Figure
    place: str
    name: str


@dataclass(frozen=True)
class Menu:
    """What is chosen for the picture on Data: `label`, the name in links, and the entries; none to choose a row."""

    label: str
    control: str
    entries: Sequence[str] = ()


class Pictures:
    """How rows of one kind are drawn; every method may return nothing."""

    #: One figure shows many rows; else each row has a figure of its own.
    many: ClassVar[bool] = True

    def menu(self, data: Dataset) -> Menu | None:
        """Return what is chosen for the picture on Data."""
        return None

    def of_data(self, data: Dataset, chosen: int = 0) -> list[Picture]:
        """Return the pictures on Data, the main one first; `chosen` is an entry of the menu."""
        return []

    def of_column(self, cells: Array, data: Dataset, j: int) -> go.Figure:
        """Return the picture of column `j` of mixed rows; for kinds that can be a column."""
        raise NotImplementedError

    def of_rows(
        self, data: Dataset, rows: Sequence[int], names: Sequence[str], *, by_class: bool = False, across: int = 8
    ) -> go.Figure | None:
        """Return one picture of many rows in the order given, or by class."""
        return None

    def of_row(self, data: Dataset, row: int, name: str) -> go.Figure | None:
        """Return the picture of a row alone."""
        return None

    def of_pair(self, data: Dataset, pair: tuple[int, int], names: Sequence[str]) -> list[Picture]:
        """Return pictures of two rows for *Why alike*, side by side."""
        if self.many:
            return []
        drawn = [self.of_row(data, row, name) for row, name in zip(pair, names, strict=True)]
        return [Picture(fig, f"graph.{i}", f"graph-{i}") for i, fig in enumerate(drawn) if fig is not None]

    def of_parts(self, data: Dataset, explanation: Explanation) -> Picture | None:
        """Return a picture of where in the rows the parts of a kernel's value lie."""
        return None

    def of_scene(self, scene: Scene) -> go.Figure | None:
        """Return the rows of a lesson; None for the feature map."""
        return None


def pictures_named(kind: str) -> Pictures:
    """Return what draws the rows of a kind: the class here that is named as its declaration."""
    pictures: Pictures = globals()[type(KINDS[kind]).__name__]()
    return pictures


def pictures_of(data: Dataset) -> Pictures:
    """Return what draws the rows of a data set.

    >>> from kernlib.data import load_dataset
    >>> karate = load_dataset("karate")
    >>> [picture.name for picture in pictures_of(karate).of_data(karate)]
    ['graph']
    """
    return pictures_named(data.domain)


def labels_of(data: Dataset, rows: Sequence[int] | None = None, by_class: bool = True) -> tuple[Any, tuple[str, ...]]:
    """Return the codes and the classes of rows, or none."""
    if not by_class or data.y is None:
        return None, ()
    return data.y if rows is None else data.y[list(rows)], data.classes


# -- tables ----------------------------------------------------------------------------------


class Vectors(Pictures):
    def of_data(self, data: Dataset, chosen: int = 0) -> list[Picture]:
        if data.image is not None:
            return [
                Picture(image_grid(data.complete().rows, data.image, data.y, data.classes), "data.images", "images")
            ]
        X, names = plane(data)
        fig = scatter(X, data.y, data.classes, data.ids, columns=names)
        if data.rows.shape[1] > 2:
            words = f"PC 1 and 2: the two directions in which the {data.rows.shape[1]} standardised columns vary most."
            captioned(fig, f"{caption(fig)} {words}")
        return [Picture(fig, "data.scatter", "scatter")]

    def of_column(self, cells: Array, data: Dataset, j: int) -> go.Figure:
        return value_histogram(cells.astype(float), data.y, data.classes, data.columns[j])

    def of_rows(
        self, data: Dataset, rows: Sequence[int], names: Sequence[str], *, by_class: bool = False, across: int = 8
    ) -> go.Figure | None:
        if data.image is None:
            return None
        y, classes = labels_of(data, rows, by_class)
        most = len(rows) * max(len(classes), 1)  # all that are shown may be of one class
        images = data.complete().rows[list(rows)]
        return image_grid(images, data.image, y, classes, max_images=most, across=across, numbers=list(rows))

    def of_pair(self, data: Dataset, pair: tuple[int, int], names: Sequence[str]) -> list[Picture]:
        fig = self.of_rows(data, pair, names, across=2)
        if fig is None:
            return []
        words = "The two rows, each with its number. Beside them: which pixels the value comes from."
        return [Picture(captioned(fig, words).update_layout(height=300), "images", "two-images")]

    def of_parts(self, data: Dataset, explanation: Explanation) -> Picture | None:
        if data.image is None:
            return None
        # The factors of a product are all but equal: the terms of its distance are drawn.
        title = "Part of the distance" if explanation.apart else "Part of k(x, x')"
        parts = explanation.apart or explanation.parts
        if len(parts) != data.rows.shape[1]:
            return None
        return Picture(pixel_parts([p.value for p in parts], data.image, title), "pixels", "pixels")

    def of_scene(self, scene: Scene) -> go.Figure:
        data = scene.data
        return scatter(data.rows, data.y, data.classes, data.ids, data.columns)


def plane(data: Dataset) -> tuple[Array, tuple[str, str]]:
    """Return two columns, or the two leading principal components of more, with their names."""
    X = data.complete().rows
    if X.shape[1] == 1:
        height = data.y if data.task == "regression" and data.y is not None else np.zeros(len(X))
        return np.column_stack([X[:, 0], height]), (data.columns[0], "y")
    if X.shape[1] == 2:
        return X, (data.columns[0], data.columns[1])
    from sklearn.decomposition import PCA
    from sklearn.preprocessing import StandardScaler

    scores: Array = PCA(2, random_state=0).fit_transform(StandardScaler().fit_transform(X))
    return scores, ("PC 1", "PC 2")


#: Up to this many rows, a table shows them all.
_FEW = 12


class Categorical(Pictures):
    def menu(self, data: Dataset) -> Menu:
        return Menu("Column", "data.column", data.columns)

    def of_data(self, data: Dataset, chosen: int = 0) -> list[Picture]:
        fig = category_bars(data.rows, chosen, data.y, data.classes, data.columns)
        return [Picture(fig, "data.bars", "categories")]

    def of_column(self, cells: Array, data: Dataset, j: int) -> go.Figure:
        return category_bars(cells, 0, data.y, data.classes, data.columns[j : j + 1])

    def of_scene(self, scene: Scene) -> go.Figure | None:
        return _table(scene) if scene.data.n <= _FEW else None


def _table(scene: Scene) -> go.Figure:
    """Return few rows of categories as a table; bright values are common."""
    rows = np.asarray(scene.data.rows, dtype=object)
    share = np.array([[(rows[:, j] == rows[i, j]).mean() for j in range(rows.shape[1])] for i in range(len(rows))])
    text = [[escape(value, 20) for value in row] for row in rows]
    bar = dict(title=dict(text="share of rows"), tickformat=".0%")
    shown = dict(zmin=0, zmax=1, xgap=2, ygap=2, colorbar=bar, tip="%{text}: %{z:.0%} of the rows")
    cells = heat(share, "share of rows", text=text, **shown)
    down, across = np.indices(share.shape).reshape(2, -1)
    words = mark(
        "scatter",
        "",
        "",
        x=across,
        y=down,
        text=[word for row in text for word in row],
        mode="text",
        showlegend=False,
        textfont=dict(size=18, color=np.where(share.ravel() > 0.6, "#000000", "#ffffff").tolist()),
    )
    return composed(
        [cells, words],
        dict(
            xaxis=places_axis(
                [f"<b>{escape(name)}</b>" for name in scene.data.columns], tickfont=dict(size=16), side="top", ticks=""
            ),
            yaxis=dict(showticklabels=False, autorange="reversed", ticks=""),
        ),
        alt=f"Table of {len(rows)} rows and {rows.shape[1]} columns of categories.",
        caption="One line for each row, one column for each property. Bright values are common.",
    )


class Mixed(Pictures):
    def menu(self, data: Dataset) -> Menu:
        return Menu("Column", "data.column", data.columns)

    def of_data(self, data: Dataset, chosen: int = 0) -> list[Picture]:
        kind = data.kinds[chosen]
        return [
            Picture(pictures_named(kind).of_column(data.rows[:, chosen], data, chosen), f"data.mixed.{kind}", "column")
        ]


# -- strings ---------------------------------------------------------------------------------


class Sequences(Pictures):
    def of_data(self, data: Dataset, chosen: int = 0) -> list[Picture]:
        return [Picture(sequence_letters(data.rows.tolist(), data.y, data.classes), "data.letters", "letters")]

    def of_column(self, cells: Array, data: Dataset, j: int) -> go.Figure:
        return sequence_letters(cells.tolist(), data.y, data.classes)

    def of_rows(
        self, data: Dataset, rows: Sequence[int], names: Sequence[str], *, by_class: bool = False, across: int = 8
    ) -> go.Figure:
        return sequence_letters([data.rows[i] for i in rows], *labels_of(data, rows, by_class), list(names))

    def of_pair(self, data: Dataset, pair: tuple[int, int], names: Sequence[str]) -> list[Picture]:
        fig = self.of_rows(data, pair, [data.ids[i] for i in pair], by_class=True)
        return [Picture(fig, "letters", "two-strings")]

    def of_scene(self, scene: Scene) -> go.Figure:
        data = scene.data
        return sequence_letters(data.rows.tolist(), data.y, data.classes, data.ids)


class Texts(Pictures):
    def of_data(self, data: Dataset, chosen: int = 0) -> list[Picture]:
        return [Picture(term_bars(list(data.rows)), "data.terms", "terms")]

    def of_column(self, cells: Array, data: Dataset, j: int) -> go.Figure:
        return term_bars(cells.tolist())

    def of_scene(self, scene: Scene) -> go.Figure:
        data = scene.data
        return sequence_letters(data.rows.tolist(), data.y, data.classes, data.ids)


# -- series ----------------------------------------------------------------------------------

#: Curves drawn of each class, and points of one curve or of one alignment.
_CURVES, _POINTS, _LINES = 12, 400, 120


class TimeSeries(Pictures):
    def menu(self, data: Dataset) -> Menu | None:
        channels = data.rows[0].channels
        return Menu("Channel", "data.channel", [f"channel {c + 1}" for c in range(channels)]) if channels > 1 else None

    def of_data(self, data: Dataset, chosen: int = 0) -> list[Picture]:
        return [Picture(curves(data, range(data.n), chosen, most=_CURVES), "data.curves", "curves")]

    def of_rows(
        self, data: Dataset, rows: Sequence[int], names: Sequence[str], *, by_class: bool = False, across: int = 8
    ) -> go.Figure:
        return curves(data, rows, 0, names)

    def of_pair(self, data: Dataset, pair: tuple[int, int], names: Sequence[str]) -> list[Picture]:
        return [Picture(alignment(data.rows[pair[0]], data.rows[pair[1]], names), "series", "two-series")]

    def of_scene(self, scene: Scene) -> go.Figure:
        return curves(scene.data, range(scene.data.n), 0)


def curves(
    data: Dataset, rows: Sequence[int], channel: int, names: Sequence[str] | None = None, most: int = 0
) -> go.Figure:
    """Draw one channel of series over time in panels by class; `most` curves of each class, 0 for all."""
    codes, classes = read_classes(data.y if data.classes else None, data.classes)
    groups = (
        [(c, name, [i for i in rows if codes[i] == c]) for c, name in enumerate(classes)] if codes is not None else []
    )
    groups = [group for group in groups if group[2]] or [(0, "series", list(rows))]
    named = dict(zip(rows, names or [data.ids[i] for i in rows], strict=True))
    traces, layout, drawn = [], {}, 0
    gap = 0.06 if len(groups) > 1 else 0.0
    height = (1.0 - gap * (len(groups) - 1)) / len(groups)
    for place, (code, name, members) in enumerate(groups):
        axis, top = str(place + 1) if place else "", 1.0 - place * (height + gap)
        shown = members[:most] if most else members
        drawn += len(shown)
        for k, i in enumerate(shown):
            values = data.rows[i].values[:, channel]
            step = -(-len(values) // _POINTS)
            traces.append(
                line(
                    np.arange(0, len(values), step),
                    values[::step].astype(np.float32),
                    name,
                    class_colour(code),
                    1.5,
                    legendgroup=name,
                    showlegend=k == 0,
                    opacity=0.75,
                    yaxis=f"y{axis}",
                    tip=f"{escape(named[i], 40)}<br>time %{{x}}: %{{y:.3g}}",
                )
            )
        layout[f"yaxis{axis}"] = dict(domain=[max(0.0, top - height), top], anchor="x", zeroline=False)
    last = f"y{len(groups)}" if len(groups) > 1 else "y"
    layout["xaxis"] = dict(title=dict(text="time"), anchor=last, zeroline=False)
    words = f"{drawn} of {len(rows)} series" if drawn < len(rows) else f"{drawn} series"
    panels = ", one panel for each class." if len(groups) > 1 else "."
    return composed(
        traces, layout, alt=f"Curves of {words} over time{panels}", caption=f"{words}, value over time{panels}"
    )


def alignment(x: Series, y: Series, names: Sequence[str]) -> go.Figure:
    """Draw the first channel of two series above each other, with lines between the times of their best alignment."""
    path = best_alignment(_shortened(x), _shortened(y))
    a, b = _shortened(x)[:, 0], _shortened(y)[:, 0]
    apart = float(np.ptp(a) / 2 + np.ptp(b) / 2) * 1.4 or 1.0
    a = a - a.mean() + apart
    b = b - b.mean()
    chosen = path[np.unique(np.linspace(0, len(path) - 1, _LINES).astype(int))]
    gaps = np.full(len(chosen), np.nan)
    across = np.column_stack([chosen, gaps]).ravel()
    up = np.column_stack([a[chosen[:, 0]], b[chosen[:, 1]], gaps]).ravel()
    lines = line(across, up, "aligned times", MUTED, 1, opacity=0.5, tip="")
    both = [
        line(np.arange(len(values)), values, escape(name, 40), class_colour(code), 2.5, tip="time %{x}")
        for code, (values, name) in enumerate(((a, names[0]), (b, names[1])))
    ]
    first = "The two series. "
    if x.channels > 1:
        first = f"The first of {x.channels} channels of both series; the alignment reads all channels. "
    return composed(
        [lines, *both],
        dict(xaxis=dict(title=dict(text="time"), zeroline=False), yaxis=dict(visible=False), height=320),
        alt=f"Two series with {len(path)} aligned pairs of times.",
        caption=f"{first}The first is shifted up. Lines join the times that the best alignment puts together.",
    )


def _shortened(series: Series) -> np.ndarray:
    """Return at most so many times of a series as a picture can show."""
    return series.values[:: -(-series.length // _POINTS)]


# -- graphs ----------------------------------------------------------------------------------


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


# -- matrices --------------------------------------------------------------------------------


class Matrix(Pictures):
    def of_data(self, data: Dataset, chosen: int = 0) -> list[Picture]:
        fig = gram_heatmap(data.rows, None, data.y, data.classes, data.ids)
        if not holds_distances(data):
            return [Picture(fig, "data.matrix", "scores")]
        tip = "%{y}<br>%{x}<br>distance <b>%{z:.4g}</b><extra></extra>"
        fig.update_traces(hovertemplate=tip, colorbar_title_text="distance")
        fig.update_layout(meta=dict(alt=f"Heatmap of the distances of {data.n} rows."))
        return [Picture(captioned(fig, "Dark cells are pairs of near rows."), "data.matrix", "distances")]


class PairsOfRows(Pictures):
    def of_pair(self, data: Dataset, pair: tuple[int, int], names: Sequence[str]) -> list[Picture]:
        if data.base is None:
            return []
        members = data.rows[list(pair)].ravel().tolist()
        fig = pictures_of(data.base).of_rows(data.base, members, [data.base.ids[i] for i in members], across=4)
        return [] if fig is None else [Picture(fig, "pairs", "two-pairs")]
