"""A data set as arrays and JSON in one .npz file, without pickles."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from ..data import Dataset
from ..errors import DataError
from ..values.arrays import Array
from ..values.objects import Graph, Series

#: The fields that are JSON as they are.
_FIELDS = (
    "title",
    "domain",
    "source",
    "note",
    "task",
    "fill",
    "classes",
    "columns",
    "kinds",
    "groups",
    "distances",
    "ids",
)


def save_dataset_file(file: Path, data: Dataset) -> None:
    """Write a data set as an .npz file; DataError for pairs, and for graph labels that are neither text nor number.

    >>> import tempfile
    >>> data = Dataset("toy", "Toy", "sequence", ["AB", "BA"], y=["u", "v"])
    >>> file = Path(tempfile.mkdtemp(), "toy.npz")
    >>> save_dataset_file(file, data)
    >>> load_dataset_file(file, "toy") == data
    True
    """
    if data.base is not None:
        raise DataError(f"{data.name}: pairs of rows cannot be handed over. Save them as a file, `kernlib show FILE`.")
    head: dict[str, Any] = {name: getattr(data, name) for name in _FIELDS}
    arrays = {} if data.y is None else {"y": data.y}
    rows, first = data.rows, data.rows.flat[0]
    if rows.dtype != object:
        arrays["rows"] = rows
    elif isinstance(first, Series):
        arrays["rows"] = np.concatenate([row.values for row in rows])
        head["lengths"] = [len(row.values) for row in rows]
    elif isinstance(first, Graph):
        arrays["rows"] = np.concatenate([graph.adjacency.ravel() for graph in rows])
        head["graphs"] = [_labels(graph, data.name) for graph in rows]
    else:
        head["rows"] = rows.tolist()
    text = np.frombuffer(json.dumps(head, default=float).encode(), dtype=np.uint8)
    np.savez(file, allow_pickle=False, head=text, **arrays)


def load_dataset_file(file: Path, name: str) -> Dataset:
    """Return the data set of an .npz file under a name."""
    with np.load(file, allow_pickle=False) as arrays:
        given = json.loads(arrays["head"].tobytes())
        y, rows = arrays.get("y"), arrays.get("rows")
    if "lengths" in given:
        rows = np.split(rows, np.cumsum(given.pop("lengths"))[:-1])
    elif "graphs" in given:
        rows = _graphs(rows, given.pop("graphs"))
    elif rows is None:
        cells = given.pop("rows")
        rows = np.empty((len(cells), len(cells[0])) if isinstance(cells[0], list) else len(cells), dtype=object)
        rows[:] = cells
    given = {key: tuple(value) if isinstance(value, list) else value for key, value in given.items()}
    return Dataset(name, **given, rows=rows, y=y)


def _labels(graph: Graph, owner: str) -> list[Any]:
    """Return the labels of a graph's nodes and of its edges, None without any."""
    edges = None if graph.edge_labels is None else graph.edge_labels.ravel().tolist()
    for label in (*graph.labels, *(label for label in edges or () if label is not None)):
        if not isinstance(label, str | int | float | bool):
            raise DataError(
                f"{owner}: a graph has the label {label!r:.40}; expected text or a number. Write str(label)."
            )
    return [list(graph.labels), edges]


def _graphs(adjacency: Array, labels: list[Any]) -> Array:
    rows, end = np.empty(len(labels), dtype=object), 0
    for i, (nodes, edges) in enumerate(labels):
        n, start = len(nodes), end
        end += n * n
        edge_labels: Array | None = None
        if edges is not None:
            edge_labels = np.empty((n, n), dtype=object)
            edge_labels.ravel()[:] = edges
        rows[i] = Graph(adjacency[start:end].reshape(n, n), nodes, edge_labels)
    return rows
