"""The pictures of each kind of row: a class named as its declaration in `kernlib.kinds`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import plotly.graph_objects as go

from ..core.base import Kernel
from ..data import Dataset
from ..explain import Explanation
from ..explain.features import neighbourhood_names
from ..kernels.series import best_alignment
from ..kinds import KINDS
from ..kinds.matrices import holds_distances
from ..stories import Scene
from ..values.arrays import Array
from ..values.domains import Graph, Series
from ..values.words import number
from .data import (
    category_bars,
    counted,
    graph_drawing,
    image_grid,
    scatter,
    sequence_letters,
    term_bars,
    value_histogram,
)
from .gram import gram_heatmap
from .machine import pixel_parts
from .marks import heat, line, places_axis, segments
from .theme import MUTED, axis, caption, captioned, class_colour, composed, escape, read_classes


@dataclass(frozen=True)
class Menu:
    """What is chosen for the picture on Data: `label`, the name in links, and the entries; none to choose a row."""

    label: str
    control: str
    entries: Sequence[str] = ()


class Pictures:
    """How rows of one kind are drawn; every method but `of_data` may return nothing."""

    #: What the picture on Data shows.
    shows: ClassVar[str] = "graph"
    #: One figure shows many rows; else each row has a figure of its own.
    many: ClassVar[bool] = True
    #: A lesson shows the picture on Data; else the feature map.
    in_lessons: ClassVar[bool] = True

    def menu(self, data: Dataset) -> Menu | None:
        """Return what is chosen for the picture on Data."""
        return None

    def of_data(self, data: Dataset, chosen: int = 0) -> go.Figure:
        """Return the picture on Data, by default that of a single column; `chosen` is an entry of the menu."""
        return self.of_column(data.rows, data, 0)

    def of_column(self, cells: Array, data: Dataset, j: int) -> go.Figure:
        """Return the picture of column `j` of mixed rows; for kinds that can be a column."""
        raise NotImplementedError

    def of_rows(self, data: Dataset, rows: Sequence[int], names: Sequence[str], across: int = 8) -> go.Figure | None:
        """Return one picture of many rows in the order given."""
        return None

    def of_row(self, data: Dataset, row: int, name: str) -> go.Figure:
        """Return the picture of a row alone; for kinds of which one figure does not show many."""
        raise NotImplementedError

    def of_pair(self, data: Dataset, pair: tuple[int, int], names: Sequence[str]) -> list[go.Figure]:
        """Return pictures of two rows for *Why alike*, side by side."""
        return [] if self.many else [self.of_row(data, row, name) for row, name in zip(pair, names, strict=True)]

    def of_parts(self, data: Dataset, explanation: Explanation) -> go.Figure | None:
        """Return a picture of where in the rows the parts of a kernel's value lie."""
        return None

    def of_scene(self, scene: Scene) -> go.Figure | None:
        """Return the rows of a lesson; None for the feature map."""
        return self.of_data(scene.data) if self.in_lessons else None


def pictures_named(kind: str) -> Pictures:
    """Return what draws the rows of a kind: the class here that is named as its declaration."""
    pictures: Pictures = globals()[type(KINDS[kind]).__name__]()
    return pictures


def pictures_of(data: Dataset) -> Pictures:
    """Return what draws the rows of a data set.

    >>> from kernlib.data import load_dataset
    >>> pictures_of(load_dataset("karate")).shows
    'graph'
    """
    return Images() if data.image is not None else pictures_named(data.domain)


# -- tables ----------------------------------------------------------------------------------


class Vectors(Pictures):
    shows = "scatter"

    def of_data(self, data: Dataset, chosen: int = 0) -> go.Figure:
        X, names = plane(data)
        fig = scatter(X, data.y, data.classes, data.ids, columns=names)
        if data.rows.shape[1] > 2:
            words = f"PC 1 and 2: the two directions in which the {data.rows.shape[1]} standardised columns vary most."
            captioned(fig, f"{caption(fig)} {words}")
        return fig

    def of_column(self, cells: Array, data: Dataset, j: int) -> go.Figure:
        return value_histogram(cells.astype(float), data.y, data.classes, data.columns[j])


class Images(Pictures):
    shows = "images"

    def of_data(self, data: Dataset, chosen: int = 0) -> go.Figure:
        assert data.image is not None
        return image_grid(data.complete().rows, data.image, data.y, data.classes)

    def of_rows(self, data: Dataset, rows: Sequence[int], names: Sequence[str], across: int = 8) -> go.Figure:
        assert data.image is not None
        return image_grid(data.complete().rows[list(rows)], data.image, across=across, numbers=list(rows))

    def of_pair(self, data: Dataset, pair: tuple[int, int], names: Sequence[str]) -> list[go.Figure]:
        words = "The two rows, each with its number. Beside them: which pixels the value comes from."
        return [captioned(self.of_rows(data, pair, names, across=2), words).update_layout(height=300)]

    def of_parts(self, data: Dataset, explanation: Explanation) -> go.Figure | None:
        # The factors of a product are all but equal: the terms of its distance are drawn.
        parts = explanation.apart or explanation.parts
        if data.image is None or len(parts) != data.rows.shape[1]:
            return None
        title = "Part of the distance" if explanation.apart else "Part of k(x, x')"
        return pixel_parts([p.value for p in parts], data.image, title)


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
    shows = "categories"

    def menu(self, data: Dataset) -> Menu:
        return Menu("Column", "data.column", data.columns)

    def of_data(self, data: Dataset, chosen: int = 0) -> go.Figure:
        return self.of_column(data.rows[:, chosen], data, chosen)

    def of_column(self, cells: Array, data: Dataset, j: int) -> go.Figure:
        return category_bars(cells, data.y, data.classes, data.columns[j])

    def of_scene(self, scene: Scene) -> go.Figure | None:
        return _table(scene) if scene.data.n <= _FEW else None


def _table(scene: Scene) -> go.Figure:
    """Return few rows of categories as a table; bright values are common."""
    rows = np.asarray(scene.data.rows, dtype=object)
    share = np.array([[(rows[:, j] == rows[i, j]).mean() for j in range(rows.shape[1])] for i in range(len(rows))])
    text = [[escape(value, 20) for value in row] for row in rows]
    bar = dict(title=dict(text="share of rows"), tickformat=".0%")
    written = dict(text=text, texttemplate="%{text}", textfont=dict(size=18))
    shown = dict(zmin=0, zmax=1, xgap=2, ygap=2, colorbar=bar, tip="%{text}: %{z:.0%} of the rows")
    names = [f"<b>{escape(name)}</b>" for name in scene.data.columns]
    return composed(
        [heat(share, "share of rows", **written, **shown)],
        places_axis(names, tickfont=dict(size=16), side="top", ticks=""),
        dict(showticklabels=False, autorange="reversed", ticks=""),
        alt=f"Table of {len(rows)} rows and {rows.shape[1]} columns of categories.",
        caption="One line for each row, one column for each property. Bright values are common.",
    )


class Mixed(Categorical):
    shows = "values"

    def of_data(self, data: Dataset, chosen: int = 0) -> go.Figure:
        return pictures_named(data.kinds[chosen]).of_column(data.rows[:, chosen], data, chosen)

    def of_scene(self, scene: Scene) -> None:
        return None


# -- strings ---------------------------------------------------------------------------------


class Sequences(Pictures):
    shows = "letters"

    def of_column(self, cells: Array, data: Dataset, j: int) -> go.Figure:
        return sequence_letters(cells.tolist(), data.y, data.classes, data.ids)

    def of_pair(self, data: Dataset, pair: tuple[int, int], names: Sequence[str]) -> list[go.Figure]:
        two, y = list(pair), None if data.y is None else data.y[list(pair)]
        return [sequence_letters([data.rows[i] for i in two], y, data.classes, [data.ids[i] for i in two])]


class Texts(Pictures):
    shows = "terms"

    def of_column(self, cells: Array, data: Dataset, j: int) -> go.Figure:
        return term_bars(cells.tolist())


# -- series ----------------------------------------------------------------------------------

#: Curves drawn of each class, and points of one curve or of one alignment.
_CURVES, _POINTS, _LINES = 12, 400, 120


class TimeSeries(Pictures):
    shows = "curves"

    def menu(self, data: Dataset) -> Menu | None:
        channels = data.rows[0].channels
        return Menu("Channel", "data.channel", [f"channel {c + 1}" for c in range(channels)]) if channels > 1 else None

    def of_data(self, data: Dataset, chosen: int = 0) -> go.Figure:
        return curves(data, range(data.n), chosen, data.ids)

    def of_rows(self, data: Dataset, rows: Sequence[int], names: Sequence[str], across: int = 8) -> go.Figure:
        return curves(data, rows, 0, names)

    def of_pair(self, data: Dataset, pair: tuple[int, int], names: Sequence[str]) -> list[go.Figure]:
        return [alignment(data.rows[pair[0]], data.rows[pair[1]], names)]


def curves(data: Dataset, rows: Sequence[int], channel: int, names: Sequence[str]) -> go.Figure:
    """Draw one channel of series over time in panels by class, a few curves of each class."""
    codes, classes = read_classes(data.y if data.classes else None, data.classes)
    named = list(zip(rows, names, strict=True))
    groups = [(0, "series", named)]
    if codes is not None:
        members = [[one for one in named if codes[one[0]] == c] for c in range(len(classes))]
        groups = [(c, classes[c], own) for c, own in enumerate(members) if own]
    traces: list[dict[str, Any]] = []
    panels: dict[str, Any] = {}
    gap = 0.06 if len(groups) > 1 else 0.0
    height = (1.0 - gap * (len(groups) - 1)) / len(groups)
    for place, (code, group, own) in enumerate(groups):
        panel, top = f"y{place + 1}" if place else "y", 1.0 - place * (height + gap)
        for k, (i, name) in enumerate(own[:_CURVES]):
            values = _shortened(data.rows[i])[:, channel]
            time = np.arange(len(values)) * -(-data.rows[i].length // _POINTS)
            key = dict(legendgroup=group, showlegend=k == 0, opacity=0.75, yaxis=panel)
            tip = f"{escape(name, 40)}<br>time %{{x}}: %{{y:.3g}}"
            traces.append(line(time, values, group, class_colour(code), 1.5, tip=tip, **key))
        panels[f"yaxis{panel[1:]}"] = dict(domain=[max(0.0, top - height), top], anchor="x", zeroline=False)
    words = f"{len(traces)} of {len(rows)} series over time, one panel for each class."
    return composed(
        traces,
        axis("time", anchor=panel, zeroline=False),
        panels.pop("yaxis"),
        **panels,
        alt=f"Curves of {words}",
        caption=f"Values of {words}",
    )


def alignment(x: Series, y: Series, names: Sequence[str]) -> go.Figure:
    """Draw the first channel of two series above each other, with lines between the times of their best alignment."""
    path = best_alignment(_shortened(x), _shortened(y))
    a, b = (values - values.mean() for values in (_shortened(x)[:, 0], _shortened(y)[:, 0]))
    a = a + (float(np.ptp(a) + np.ptp(b)) * 0.7 or 1.0)
    chosen = path[np.unique(np.linspace(0, len(path) - 1, _LINES).astype(int))]
    first, second = (np.column_stack([at, values[at]]) for at, values in zip(chosen.T, (a, b), strict=True))
    lines = segments(first, second, "aligned times", MUTED, 1, opacity=0.5, tip="")
    both = [
        line(np.arange(len(values)), values, escape(name, 40), class_colour(code), 2.5, tip="time %{x}")
        for code, (values, name) in enumerate(((a, names[0]), (b, names[1])))
    ]
    return composed(
        [lines, *both],
        axis("time", zeroline=False),
        dict(visible=False),
        alt=f"Two series with {len(path)} aligned pairs of times.",
        caption="The first channel of both series, the first one shifted up. Lines join the times that the best "
        "alignment of all channels puts together.",
    )


def _shortened(series: Series) -> np.ndarray:
    """Return at most so many times of a series as a picture can show."""
    return series.values[:: -(-series.length // _POINTS)]


# -- graphs ----------------------------------------------------------------------------------


class Graphs(Pictures):
    many = in_lessons = False

    def menu(self, data: Dataset) -> Menu:
        return Menu("Graph", "data.which")

    def of_data(self, data: Dataset, chosen: int = 0) -> go.Figure:
        words = f"Graph {chosen}" + (f", {data.labels[chosen]}" if data.labels else "")
        return labelled_graph(data.rows[chosen], node_labels(data.rows.tolist()), words)

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
    edges = counted(int(np.count_nonzero(A)) // (2 - directed), "directed edge" if directed else "edge")
    return captioned(fig, f"{name}: {graph.n} nodes, coloured by their labels, and {edges}.")


def neighbourhood_level(kernel: Kernel) -> int | None:
    """Return the level of neighbourhoods that a kernel of graphs counts; None for another kernel."""
    parts: Iterator[Any] = kernel.specification.walk()
    return next((part.level for part in parts if part.level_step == "neighbourhoods"), None)


def level_graphs(graphs: Sequence[Graph], names: Sequence[str], level: int) -> list[go.Figure]:
    """Return two graphs whose nodes have the colours of their neighbourhoods at a Weisfeiler–Lehman level.

    A neighbourhood that both graphs have has the same colour and number in both, the most frequent first; a node whose
    neighbourhood the other graph lacks is grey. Level 0 has the nodes' own labels.
    """
    labels = [neighbourhood_names(graph, level)[level] for graph in graphs]
    first, second = (Counter(own) for own in labels)
    shared = sorted(first.keys() & second.keys(), key=lambda label: (-first[label] * second[label], label))
    place = {label: code for code, label in enumerate(shared)}
    numbers = map(str, range(1, len(shared) + 1))
    signs = [*(numbers if level else (label.strip("'") for label in shared)), _ALONE]
    value = sum(first[label] * second[label] for label in shared)
    pictures = []
    for graph, own, name in zip(graphs, labels, names, strict=True):
        codes = np.array([place.get(label, len(shared)) for label in own], dtype=np.intp)
        alone = int((codes == len(shared)).sum())
        written = ["" if code == len(shared) else signs[code] for code in codes.tolist()]
        fig = graph_drawing(graph.adjacency, codes, signs, ids=own, labels=written, title=name)
        fig.for_each_trace(lambda trace: trace.update(marker_color=MUTED), selector=dict(name=_ALONE))
        fig.update_layout(showlegend=False, margin_b=10)
        words = (
            f"Equal signs: equal neighbourhoods of level {level}. Grey: {alone} of {graph.n}, only here. Products of "
            f"counts: {number(value)}."
        )
        pictures.append(captioned(fig, words))
    return pictures


#: The class of nodes whose neighbourhood the other graph lacks.
_ALONE = "in this graph alone"


class Nodes(Pictures):
    def of_data(self, data: Dataset, chosen: int = 0) -> go.Figure:
        return graph_drawing(data.rows, data.y, data.classes, data.ids)

    def of_pair(self, data: Dataset, pair: tuple[int, int], names: Sequence[str]) -> list[go.Figure]:
        marks = np.zeros(data.n, dtype=np.intp)
        marks[pair[0]], marks[pair[1]] = 1, 2
        fig = graph_drawing(data.rows, marks, ("other nodes", "first", "second"), data.ids)
        words = "The two nodes in their graph: the more short paths connect them, the more similar they are."
        return [captioned(fig, words)]

    def of_scene(self, scene: Scene) -> go.Figure:
        data = scene.data
        return graph_drawing(data.rows, data.y, data.classes, data.ids, labels=data.ids)


# -- matrices --------------------------------------------------------------------------------


class Matrix(Pictures):
    shows = "matrix"
    in_lessons = False

    def of_data(self, data: Dataset, chosen: int = 0) -> go.Figure:
        fig = gram_heatmap(data.rows, None, data.y, data.classes, data.ids)
        if not holds_distances(data):
            return fig
        tip = "%{y}<br>%{x}<br>distance <b>%{z:.4g}</b><extra></extra>"
        fig.update_traces(hovertemplate=tip, colorbar_title_text="distance")
        alt = f"Heatmap of the distances of {data.n} rows."
        return captioned(fig, "Dark cells are pairs of near rows.", alt)


class PairsOfRows(Pictures):
    in_lessons = False

    def of_pair(self, data: Dataset, pair: tuple[int, int], names: Sequence[str]) -> list[go.Figure]:
        if data.base is None:
            return []
        members = data.rows[list(pair)].ravel().tolist()
        fig = pictures_of(data.base).of_rows(data.base, members, [data.base.ids[i] for i in members], 4)
        return [] if fig is None else [fig]
