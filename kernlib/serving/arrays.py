"""A data set as arrays in one file, without pickles."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from ..data import Dataset
from ..errors import DataError
from ..values.arrays import Array
from ..values.graph import Graph
from ..values.series import Series

_WORDS = (
    "name",
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
)
_LABELS = (str, int, float, bool)


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
    head = {name: getattr(data, name) for name in _WORDS} | {"digest": data.digest}
    arrays = {"ids": _text(data.ids)} | ({} if data.y is None else {"y": data.y})
    if data.rows.dtype != object:
        arrays["rows"] = data.rows
    elif data.kinds:
        for j, column in enumerate(data.rows.T):
            words = isinstance(column[0], str)
            arrays |= _named(f"column{j}", column) if words else {f"column{j}": column.astype(np.float64)}
    elif isinstance(data.rows.flat[0], Series):
        arrays["series"] = np.concatenate([row.values for row in data.rows])
        arrays["lengths"] = np.array([len(row.values) for row in data.rows], dtype=np.int64)
    elif isinstance(data.rows.flat[0], Graph):
        arrays |= _graphs(data.rows, data.name)
    else:
        arrays |= _named("rows", data.rows.ravel())
    head["shape"] = data.rows.shape
    arrays["head"] = _text([json.dumps(head)])
    np.savez(file, allow_pickle=False, **arrays)


def load_dataset_file(file: Path, name: str) -> Dataset:
    """Return the data set of an .npz file under another name; DataError unless its digest is the one in the file."""
    with np.load(file, allow_pickle=False) as arrays:
        head = json.loads(_words(arrays["head"])[0])
        shape = tuple(head.pop("shape"))
        digest = head.pop("digest")
        if "rows" in arrays:
            rows: Any = arrays["rows"]
            if "rows.ends" in arrays:
                rows = _objects(_words(rows, arrays["rows.ends"]), shape)
        elif head["kinds"]:
            rows = np.empty(shape, dtype=object)
            for j in range(shape[1]):
                column = arrays[f"column{j}"]
                rows[:, j] = column if f"column{j}.ends" not in arrays else _words(column, arrays[f"column{j}.ends"])
        elif "series" in arrays:
            rows = np.split(arrays["series"], np.cumsum(arrays["lengths"])[:-1])
        else:
            rows = _loaded_graphs(arrays)
        given = {key: tuple(value) if isinstance(value, list) else value for key, value in head.items()}
        y = arrays.get("y")
        ids = tuple(_words(arrays["ids"]))
    data = Dataset(**given | {"rows": rows, "y": y, "ids": ids})
    if data.digest != digest:
        raise DataError(f"{data.title}: the rows were changed on their way. Show them again.")
    return data if data.name == name else dataclasses.replace(data, name=name)


def _objects(items: Iterable[str], shape: tuple[int, ...]) -> Array:
    rows = np.empty(int(np.prod(shape)), dtype=object)
    rows[:] = list(items)
    return rows.reshape(shape)


def _text(words: Iterable[str]) -> Array:
    """Return words as bytes of one array, a JSON list."""
    return np.frombuffer(json.dumps(list(words)).encode(), dtype=np.uint8)


def _named(name: str, words: Array) -> dict[str, Array]:
    """Return words as the bytes of all of them, and where each one ends."""
    raw = [str(word).encode("utf-8", "surrogatepass") for word in words]
    return {
        name: np.frombuffer(b"".join(raw), dtype=np.uint8),
        f"{name}.ends": np.cumsum([len(one) for one in raw], dtype=np.int64),
    }


def _words(content: Array, ends: Array | None = None) -> list[str]:
    raw = content.tobytes()
    if ends is None:
        return [str(word) for word in json.loads(raw)]
    starts = [0, *ends[:-1].tolist()]
    return [raw[a:b].decode("utf-8", "surrogatepass") for a, b in zip(starts, ends.tolist(), strict=True)]


def _graphs(graphs: Array, owner: str) -> dict[str, Array]:
    labels: list[list[Any]] = []
    for i, graph in enumerate(graphs):
        edges = [] if graph.edge_labels is None else graph.edge_labels.ravel().tolist()
        labels.append([list(graph.labels), None if graph.edge_labels is None else edges])
        for label in (*graph.labels, *(edge for edge in edges if edge is not None)):
            if not isinstance(label, _LABELS):
                raise DataError(
                    f"{owner}: graph {i} has the label {label!r:.40}; expected text or a number. Write str(label)."
                )
    return {
        "sizes": np.array([graph.n for graph in graphs], dtype=np.int64),
        "adjacency": np.concatenate([graph.adjacency.ravel() for graph in graphs]),
        "labels": np.frombuffer(json.dumps(labels).encode(), dtype=np.uint8),
    }


def _loaded_graphs(arrays: Any) -> Array:
    sizes = arrays["sizes"]
    labels = json.loads(arrays["labels"].tobytes())
    ends = np.cumsum(sizes**2)
    rows = np.empty(len(sizes), dtype=object)
    flat = arrays["adjacency"]
    for i, (n, end) in enumerate(zip(sizes.tolist(), ends.tolist(), strict=True)):
        nodes, edges = labels[i]
        edge_labels = None
        if edges is not None:
            edge_labels = np.empty(n * n, dtype=object)
            edge_labels[:] = edges
            edge_labels = edge_labels.reshape(n, n)
        rows[i] = Graph(flat[end - n * n : end].reshape(n, n), nodes, edge_labels)
    return rows
