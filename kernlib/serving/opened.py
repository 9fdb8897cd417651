"""The private folder of a server: what it was started with, and which kernel its pages show.

One process writes what is to be shown, the server writes which kernel is on screen. The folder belongs to the user
alone (mode 0700) and is removed at the end. Nothing that comes in through the web is written there and read again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ..core.base import Kernel
from ..data import Dataset
from ..errors import DataError, KernlibError
from ..own.registered import naming_the_line, register_parts
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


#: Names the private folder in the environment of a server.
VARIABLE = "KERNLIB_OPENED"
_LIST, _KERNELS, _SEEN = "opened.json", "kernels", "seen"


@dataclass(frozen=True)
class Opened:
    """What a server shows first: data sets handed over as arrays, files, or a sample by its name.

    `sets` maps the name of each data set to its file in the folder; `files` are paths that are read like an upload,
    with `choices`; `sample` is a name of the catalogue; `kernel` the repr of the kernel to begin with.
    """

    sets: tuple[tuple[str, str], ...] = ()
    files: tuple[str, ...] = ()
    choices: dict[str, Any] = field(default_factory=dict)
    sample: str = ""
    kernel: str = ""


def write_opened(folder: Path, opened: Opened) -> None:
    """Replace the list of what is shown; the file is complete at any moment."""
    _replace(folder / _LIST, json.dumps(asdict(opened)).encode())


def read_opened(folder: Path) -> Opened:
    """Return the list of what is shown."""
    document = json.loads((folder / _LIST).read_text(encoding="utf-8"))
    return Opened(**document | {"sets": tuple(map(tuple, document["sets"]))} | {"files": tuple(document["files"])})


def stamp(folder: Path) -> int:
    """Return a number that changes with the list of what is shown."""
    return (folder / _LIST).stat().st_mtime_ns


def server_folder() -> Path | None:
    """Return the private folder of this process, if it is a server that a command or a call has started."""
    given = os.environ.get(VARIABLE)
    return Path(given) if given and (Path(given) / _LIST).is_file() else None


def add_dataset(folder: Path, data: Dataset) -> tuple[str, str]:
    """Write a data set and return the name by which pages know it, and its file."""
    name = f"upload:{data.digest[:12]}{data.fill}"
    file = f"{data.digest[:12]}{data.fill}.npz"
    if not (folder / file).exists():
        save_dataset_file(folder / file, data)
    return name, file


def datasets_of(folder: Path, opened: Opened) -> dict[str, Dataset]:
    """Return the data sets that were handed over, by name."""
    return {name: load_dataset_file(folder / file, name) for name, file in opened.sets}


def add_kernels(folder: Path, kernels: Sequence[Kernel]) -> None:
    """Write user-defined kernels for the server; DataError for one that cannot be sent to another process."""
    import cloudpickle

    target = folder / _KERNELS
    target.mkdir(exist_ok=True, mode=0o700)
    for kernel in kernels:
        name = type(kernel).__name__
        with naming_the_line(name, step="It cannot be sent to the server: give it by `--load FILE`."):
            content = cloudpickle.dumps(kernel.specification)
        _replace(target / f"{name}.pickle", content)


def register_kernels(folder: Path) -> list[str]:
    """Register the kernels that the process which started this server has written; return what failed, as text."""
    import cloudpickle

    problems = []
    for file in sorted((folder / _KERNELS).glob("*.pickle")):
        try:
            with naming_the_line(file.stem, step="The server could not make it: import what it needs there."):
                register_parts(cloudpickle.loads(file.read_bytes()))
        except KernlibError as error:
            problems.append(str(error))
    return problems


def note_kernel(folder: Path, name: str, text: str) -> None:
    """Write which kernel a page of this data set shows, unless it is written already."""
    file = _seen(folder, name)
    file.parent.mkdir(exist_ok=True, mode=0o700)
    if not file.exists() or file.read_text(encoding="utf-8") != text:
        _replace(file, text.encode())


def noted_kernel(folder: Path, name: str) -> str:
    """Return the repr of the kernel that a page of this data set showed last; "" before the first page."""
    try:
        return _seen(folder, name).read_text(encoding="utf-8")
    except OSError:
        return ""


def _seen(folder: Path, name: str) -> Path:
    return folder / _SEEN / f"{name.removeprefix('upload:')}.txt"


def _replace(file: Path, content: bytes) -> None:
    part = file.with_name(file.name + ".part")
    try:
        part.write_bytes(content)
        os.replace(part, file)
    except OSError as error:
        raise DataError(f"{file}: cannot be written, {error.strerror or error}. Free some space on the disk.") from None
