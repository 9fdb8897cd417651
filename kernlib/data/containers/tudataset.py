"""Many labelled graphs from the files of a TUDataset."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...errors import DataError
from ...values.arrays import Array
from ...values.graph import Graph
from ..dataset import Dataset
from ..uploads import Limits, decode, is_missing, shortened, stem

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
        stem(name), name, "graph", graphs, y=y, source=f"upload {name}",
        note="Edges are read as undirected.",
    )  # fmt: skip


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
