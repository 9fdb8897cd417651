"""Rows whose format leaves no choice: time series of the UEA archive (.ts), and labelled graphs of a TUDataset."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...errors import DataError
from ...values.arrays import Array
from ...values.domains import object_rows
from ...values.graph import Graph
from ...values.labels import Task
from ..dataset import Dataset
from ..encodings import decode
from ..table import Complete, Part
from ..uploads import Limits, is_missing, shortened, stem, tamed
from .base import Container, File


def _is_ts(file: File) -> bool:
    marks = [line for line in file.lines if not line.startswith("#")]
    return bool(marks) and marks[0].lower().startswith(("@problemname", "@univariate", "@timestamps"))


def _ts(file: File) -> Part:
    data = read_ts(file.text, file.name, file.limits)
    return Complete(file.name, "UEA time series", data=data, why="The file declares its series and their labels.")


def read_ts(text: str, name: str, limits: Limits) -> Dataset:
    """Return the series of a UEA file with their labels; DataError, with the line, for what it cannot hold."""
    facts: dict[str, list[str]] = {}
    rows: list[Array] = []
    labels: list[str] = []
    numbers = 0
    for number, line in _data_lines(text, facts):
        if facts.get("timestamps", ["false"])[0] == "true":
            raise DataError(
                f"{name}: its series have time stamps; expected values at equally spaced times. Write each series "
                "as values alone, with @timeStamps false."
            )
        *channels, label = line.split(":") if _labelled(facts) else [*line.split(":"), ""]
        rows.append(_channels(channels, name, number))
        labels.append(label.strip())
        numbers += rows[-1].size
        _check(numbers, name, number, limits)
        if _labelled(facts) and (not channels or is_missing(labels[-1])):
            raise DataError(f"{name}: line {number} has no label behind the last colon; expected one. Add it.")
    y: Any = None
    task: Task | None = None
    if "targetlabel" in facts and facts["targetlabel"][0] == "true":
        y, task = np.array([_finite(word, name, "a target") for word in labels]), "regression"
    elif _labelled(facts):
        y, task = np.array(tamed(labels), dtype=np.str_), "classification"
    return Dataset(stem(name), name, "series", object_rows(rows), y=y, task=task, source=f"upload {name}")


def _labelled(facts: dict[str, list[str]]) -> bool:
    return any(facts.get(key, ["false"])[0] == "true" for key in ("classlabel", "targetlabel"))


def _data_lines(text: str, facts: dict[str, list[str]]) -> Iterator[tuple[int, str]]:
    """Yield number and text of the lines below @data; `facts` receives the keywords above, in small letters."""
    below = False
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if below:
            yield number, line
        elif line.lower().startswith("@data"):
            below = True
        elif line.startswith("@"):
            key, *values = line[1:].split() or [""]
            facts[key.lower()] = [value.lower() for value in values] or [""]


def _channels(channels: Sequence[str], name: str, number: int) -> Array:
    """Return the channels of one line as (length, channels); missing values at the end shorten a channel."""
    columns = []
    for channel in channels:
        words = channel.split(",")
        while words and is_missing(words[-1]):
            words.pop()
        columns.append([_finite(word, name, f"line {number}") for word in words])
    lengths = {len(column) for column in columns}
    if len(lengths) != 1 or 0 in lengths:
        raise DataError(
            f"{name}: line {number} has channels of {' and '.join(map(str, sorted(lengths))) or 'no'} values; expected "
            "equally many in each, and at least one. Cut them to one length."
        )
    return np.array(columns, dtype=np.float64).T


def _finite(word: str, name: str, where: str) -> float:
    try:
        value = float(word)
    except ValueError:
        value = np.nan
    if not np.isfinite(value):
        raise DataError(
            f"{name}: {where} has {shortened(word)}; expected finite numbers, missing ones only at the end. Fill the "
            "gap in, or cut the series there."
        )
    return value


def _check(numbers: int, name: str, number: int, limits: Limits) -> None:
    if numbers > limits.cells:
        raise DataError(
            f"{name}: line {number} brings it to {numbers} values; expected at most {limits.cells}. Draw a sample of "
            "the series."
        )


UEA = Container("UEA time series", _is_ts, _ts)

TU_PARTS = ("A", "graph_indicator", "graph_labels", "node_labels", "edge_labels")


def read_tudataset(files: Mapping[str, bytes], name: str, limits: Limits) -> Dataset:
    """Return the labelled graphs of a TUDataset's files: NAME_A, _graph_indicator, _graph_labels, _node_labels, ….

    Parameters: `files`, path → content; `name` of the archive; `limits` (`cells` bounds the sum of nodes² too).

    Raises DataError, naming file and line, for a number outside its range, an edge between two graphs, a file of
    another length.

    >>> files = {"T_A.txt": b"1, 2\\n3, 4\\n", "T_graph_indicator.txt": b"1\\n1\\n2\\n2\\n"}
    >>> files["T_graph_labels.txt"] = b"1\\n-1\\n"
    >>> read_tudataset(files, "T.zip", Limits()).class_counts
    {'-1': 1, '1': 1}
    """
    parts = {key: path for path in files for key in TU_PARTS if Path(path).name.endswith(f"_{key}.txt")}
    for key in ("A", "graph_indicator"):
        if key not in parts:
            raise DataError(f"{name}: a TUDataset needs a file NAME_{key}.txt; there is none. Add it.")

    def lines(key: str, width: int) -> list[list[int]]:
        return _whole_numbers(files[parts[key]], f"{name}: {Path(parts[key]).name}", width, limits)

    nodes = _nodes(name, [line[0] for line in lines("graph_indicator", 1)], limits)
    edges = lines("A", 2)
    kinds = lines("edge_labels", 1) if "edge_labels" in parts else None
    _same_length(name, "edge_labels", kinds, "A", len(edges))
    adjacency, named = _edges(f"{name}: {Path(parts['A']).name}", edges, kinds, nodes)
    labels: list[list[str]] | None = None
    if "node_labels" in parts:
        atoms = lines("node_labels", 0)
        _same_length(name, "node_labels", atoms, "graph_indicator", len(nodes.graph))
        labels = [[""] * size for size in nodes.sizes]
        for g, place, atom in zip(nodes.graph, nodes.place, atoms, strict=True):
            labels[g][place] = ",".join(map(str, atom))
    y = None
    if "graph_labels" in parts:
        given = lines("graph_labels", 1)
        _same_length(name, "graph_labels", given, "graphs", len(nodes.sizes))
        y = np.array([str(line[0]) for line in given], dtype=np.str_)
    graphs = np.empty(len(nodes.sizes), dtype=object)
    for g, A in enumerate(adjacency):
        graphs[g] = Graph(A, None if labels is None else labels[g], named[g] if kinds is not None else None)
    return Dataset(
        stem(name),
        name,
        "graph",
        graphs,
        y=y,
        source=f"upload {name}",
        note="Edges are read as undirected.",
    )


class _Nodes(NamedTuple):
    """The `graph` of each node and its `place` in it, both from 0; the number of nodes of each graph, `sizes`."""

    graph: list[int]
    place: list[int]
    sizes: list[int]


def _nodes(name: str, owner: list[int], limits: Limits) -> _Nodes:
    """Return the nodes of the graphs, numbered from 1; DataError for gaps in the numbers and for more than allowed."""
    count = max(owner)
    if min(owner) < 1 or count > limits.rows:
        raise DataError(
            f"{name}: graph_indicator must number the graphs from 1 to at most {limits.rows}; got "
            f"{min(owner) if min(owner) < 1 else count}. Number them again."
        )
    sizes, place = [0] * count, []
    for g in owner:
        place.append(sizes[g - 1])
        sizes[g - 1] += 1
    if 0 in sizes:
        raise DataError(f"{name}: graph {sizes.index(0) + 1} has no nodes. Number the graphs 1, 2, ….")
    entries = sum(size**2 for size in sizes)
    if entries > limits.cells:
        raise DataError(
            f"{name}: its adjacency matrices have {entries} entries; expected at most {limits.cells}. Choose fewer or "
            "smaller graphs."
        )
    return _Nodes([g - 1 for g in owner], place, sizes)


def _edges(
    who: str, edges: list[list[int]], kinds: list[list[int]] | None, nodes: _Nodes
) -> tuple[list[Array], list[dict[tuple[int, int], str]]]:
    """Return adjacency matrices and edge labels by graph; DataError for an edge outside one graph."""
    adjacency = [np.zeros((size, size)) for size in nodes.sizes]
    named: list[dict[tuple[int, int], str]] = [{} for _ in nodes.sizes]
    for e, (a, b) in enumerate(edges):
        if not (1 <= a <= len(nodes.graph) and 1 <= b <= len(nodes.graph)):
            raise DataError(
                f"{who}, edge {e + 1} joins nodes {a} and {b}; expected 1…{len(nodes.graph)}. Add the node, or remove "
                "the edge."
            )
        g, other = nodes.graph[a - 1], nodes.graph[b - 1]
        if g != other:
            raise DataError(
                f"{who}, edge {e + 1} joins nodes of graphs {g + 1} and {other + 1}; expected one graph. Remove the "
                "edge."
            )
        i, j = nodes.place[a - 1], nodes.place[b - 1]
        adjacency[g][i, j] = adjacency[g][j, i] = 1.0
        if kinds is not None:
            named[g][i, j] = named[g][j, i] = str(kinds[e][0])
    return adjacency, named


def is_tudataset(names: Iterable[str]) -> bool:
    """Return whether file names are those of a TUDataset."""
    return {"A", "graph_indicator"} <= {key for n in names for key in TU_PARTS if Path(n).name.endswith(f"_{key}.txt")}


def _same_length(name: str, what: str, got: Sequence[Any] | None, other: str, count: int) -> None:
    if got is not None and len(got) != count:
        raise DataError(f"{name}: {what} has {len(got)} lines; expected {count}, as many as {other}. Correct the file.")


def _whole_numbers(raw: bytes, who: str, width: int, limits: Limits) -> list[list[int]]:
    """Return lines of integers separated by commas, `width` per line (0: any number up to ten)."""
    if raw.count(b"\n") > limits.cells // 4:
        raise DataError(f"{who} has more than {limits.cells // 4} lines, the maximum. Choose fewer graphs.")
    lines = []
    for number, line in enumerate(decode(raw, who, "whole numbers").splitlines(), start=1):
        if is_missing(line):
            continue
        words = [word.strip() for word in line.split(",", 10)]
        if (width and len(words) != width) or not all(re.fullmatch(r"[+-]?\d{1,15}", w, re.ASCII) for w in words):
            expected = f"{width or 'some'} whole number{'s' if width != 1 else ''}"
            raise DataError(f"{who}, line {number} is {shortened(line)}; expected {expected}. Correct the line.")
        lines.append([int(word) for word in words])
    if not lines:
        raise DataError(f"{who} is empty; expected whole numbers. Fill it.")
    return lines
