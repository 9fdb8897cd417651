"""The private folder of a server: what it was started with, and which kernel its pages show.

One process writes what is to be shown, the server writes which kernel is on screen. The folder belongs to the user
alone (mode 0700) and is removed at the end. Nothing that comes in through the web is written there and read again.
"""

from __future__ import annotations

import json
import os
import pickle
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from ..core.base import Kernel
from ..data import Dataset
from ..errors import DataError, KernlibError
from ..own.registered import naming_the_line, register_parts

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
    file = f"{data.digest[:12]}{data.fill}.pickle"
    if not (folder / file).exists():
        _replace(folder / file, pickle.dumps(data))
    return name, file


def datasets_of(folder: Path, opened: Opened) -> dict[str, Dataset]:
    """Return the data sets that were handed over, by name."""
    return {name: replace(pickle.loads((folder / file).read_bytes()), name=name) for name, file in opened.sets}


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
