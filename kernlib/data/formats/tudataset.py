"""Many labelled graphs from the files of a TUDataset."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import DataError
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

    owner = [line[0] for line in lines("graph_indicator", 1)]
    count = max(owner)
    if min(owner) < 1 or count > limits.rows:
        raise DataError(
            f"{name}: graph_indicator must number the graphs from 1 to at most {limits.rows}; got "
            f"{min(owner) if min(owner) < 1 else count}. Number them again."
        )
    sizes = np.bincount(np.array(owner) - 1, minlength=count)
    if (sizes == 0).any():
        raise DataError(
            f"{name}: graph {int(np.flatnonzero(sizes == 0)[0]) + 1} has no nodes. Number the graphs 1, 2, …."
        )
    if int((sizes.astype(object) ** 2).sum()) > limits.cells:
        raise DataError(
            f"{name}: its adjacency matrices have {int((sizes.astype(object) ** 2).sum())} entries; expected at most "
            f"{limits.cells}. Choose fewer or smaller graphs."
        )
    place = [0] * len(owner)
    filled = [0] * count
    for v, g in enumerate(owner):
        place[v] = filled[g - 1]
        filled[g - 1] += 1
    adjacency = [np.zeros((size, size)) for size in sizes]
    edges = lines("A", 2)
    kinds = lines("edge_labels", 1) if "edge_labels" in parts else None
    _same_length(name, "edge_labels", kinds, "A", len(edges))
    named: list[dict[tuple[int, int], str]] = [{} for _ in range(count)]
    for e, (a, b) in enumerate(edges):
        if not (1 <= a <= len(owner) and 1 <= b <= len(owner)):
            raise DataError(
                f"{name}: {Path(parts['A']).name}, edge {e + 1} joins nodes {a} and {b}; expected 1…{len(owner)}. Add "
                "the node, or remove the edge."
            )
        if owner[a - 1] != owner[b - 1]:
            raise DataError(
                f"{name}: {Path(parts['A']).name}, edge {e + 1} joins nodes of graphs {owner[a - 1]} and "
                f"{owner[b - 1]}; expected one graph. Remove the edge."
            )
        g, i, j = owner[a - 1] - 1, place[a - 1], place[b - 1]
        adjacency[g][i, j] = adjacency[g][j, i] = 1.0
        if kinds is not None:
            named[g][i, j] = named[g][j, i] = str(kinds[e][0])
    labels: list[list[str]] | None = None
    if "node_labels" in parts:
        atoms = _whole_numbers(files[parts["node_labels"]], f"{name}: {Path(parts['node_labels']).name}", 0, limits)
        _same_length(name, "node_labels", atoms, "graph_indicator", len(owner))
        labels = [[""] * size for size in sizes]
        for v, atom in enumerate(atoms):
            labels[owner[v] - 1][place[v]] = ",".join(map(str, atom))
    y = None
    if "graph_labels" in parts:
        given = lines("graph_labels", 1)
        _same_length(name, "graph_labels", given, "graphs", count)
        y = np.array([str(line[0]) for line in given], dtype=np.str_)
    graphs = np.empty(count, dtype=object)
    for g in range(count):
        graphs[g] = Graph(adjacency[g], None if labels is None else labels[g], named[g] if kinds is not None else None)
    return Dataset(
        stem(name), name, "graph", graphs, y=y, source=f"upload {name}",
        note="Edges are read as undirected.",
    )  # fmt: skip


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
