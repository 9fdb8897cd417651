"""What this server was started with, by `kernlib show` or `kernlib.show`, and the kernel on screen, which goes back.

On a server that was started otherwise every function here does nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kernlib import Kernel, KernlibError
from kernlib.data import LIMITS, Dataset
from kernlib.data.readings import contents_of
from kernlib.errors import DataError
from kernlib.own.registered import file_of, own_parts
from kernlib.serving import opened as folder_of
from pages.parts.server.caching import known
from pages.parts.server.holder import kept
from pages.parts.session import state, uploaded
from pages.parts.session.value import DataChoice, Session, current, first_choice, has_begun, store

Sets = Mapping[str, tuple[DataChoice, Dataset]]


@dataclass
class _Read:
    """What a session has read of what was handed over.

    `origin` is the name of the data set that it began with, `seen` the stamp of the list of data sets, `stamps` those
    of the files.
    """

    origin: str = "samples"
    seen: int = 0
    stamps: tuple[float, ...] = ()


_lock = threading.Lock()
_registered: dict[Path, int] = {}


def holds(name: str) -> bool:
    """Return whether a data set of this name was handed over."""
    folder = folder_of.server_folder()
    return folder is not None and name in dict(folder_of.read_opened(folder).sets)


def begin(begun: Session, query: Mapping[str, str]) -> Session:
    """Return the state of a new session with what the server was started with."""
    folder = folder_of.server_folder()
    if folder is None:
        return begun
    for problem in _register(folder):
        begun = state.notify(begun, problem)
    opened = folder_of.read_opened(folder)
    own = _read()
    own.seen = folder_of.stamp(folder)
    begun = replace(begun, uploads=_sets(folder))
    name = query.get("data", "")
    if name not in begun.uploads:
        name = "" if name else next(reversed(tuple(begun.uploads)), "")  # the newest, for an address without a name
    if name:
        begun = state.uploaded(begun, begun.uploads[name][1])
    elif "data" not in query and opened.files:
        begun = _with_files(begun, opened)
    elif "data" not in query and opened.sample:
        begun = state.with_data(begun, first_choice(opened.sample))
    own.origin = name or own.origin
    return begun


def _read() -> _Read:
    return kept("opened", _Read)


def first_kernel() -> str | None:
    """Return the repr of the kernel that the server was started with, if there is one."""
    folder = folder_of.server_folder()
    return None if folder is None else folder_of.read_opened(folder).kernel or None


def refresh() -> None:
    """Add to a running session what a later call has handed over."""
    folder = folder_of.server_folder()
    own = _read()
    if folder is None or own.seen == folder_of.stamp(folder):
        return
    _register(folder)
    own.seen = folder_of.stamp(folder)
    store(replace(current(), uploads={**_sets(folder), **current().uploads}))


def report() -> None:
    """Write which kernel this session shows, for the process that opened it.

    It is noted for the data set on screen; on other rows, such as a sample of it, for the one that the session was
    opened with.
    """
    folder = folder_of.server_folder()
    if folder is None or not has_begun():
        return
    now = current()
    name = now.data.name if now.data.name in _sets(folder) else _read().origin
    folder_of.note_kernel(folder, name, repr(now.kernel.specification))


def modules(kernel: Kernel) -> str:
    """Return the files that define the user-defined kernels in a kernel, for a link that is opened elsewhere."""
    return ", ".join(dict.fromkeys(filter(None, (file_of(type(part)) for part in own_parts(kernel)))))


def changed_files() -> tuple[str, ...]:
    """Return the names of the files that were handed over, if one has changed since this session has read them."""
    folder = folder_of.server_folder()
    if folder is None or not _read().stamps:
        return ()
    files = folder_of.read_opened(folder).files
    return () if _stamps(files) == _read().stamps else tuple(Path(file).name for file in files)


def read_again(now: Session) -> Session:
    """Return the state with the files as they are now."""
    folder = folder_of.server_folder()
    if folder is None:
        return now
    opened, file = folder_of.read_opened(folder), uploaded.present()
    after = _with_files(now, opened, None if file is None else file.choices, again=True)
    same = now.load(now.data).domain == after.load(after.data).domain
    return state.adopted(after, now.kernel) if same and after.goes is None else after


def _with_files(
    begun: Session, opened: folder_of.Opened, choices: dict[str, Any] | None = None, again: bool = False
) -> Session:
    """Return the state with the files: on the page *Data*, whose panel asks, where something has to be decided.

    Files that a person has used before are shown at once when they are read `again` in the same way.
    """
    _read().stamps = _stamps(opened.files)
    try:
        for name in opened.files:
            if Path(name).exists() and not Path(name).is_file():  # a pipe would be waited for
                raise DataError(
                    f"{name}: is no file any more; expected the one that was opened. Put it back and click Read again."
                )
        before = uploaded.present()
        contents = tuple(contents_of(opened.files, LIMITS).items())
        file = uploaded.hold(contents, dict(opened.choices) if choices is None else choices)
        used = again and before is not None and before.shown is not None
        if not used and file.reading.open_choices:
            return replace(begun, goes="data")
        data, by_hand = file.data, file.reading.parameters
        kind = data.row_kind
        if data.n > kind.large:
            data = data.stratified_sample(kind.first_rows)
            by_hand += (("n", kind.first_rows), ("seed", 0))
    except KernlibError as error:
        return replace(state.notify(begun, str(error)), goes="data")
    uploaded.note_shown(data)
    return state.uploaded(begun, data, by_hand)


def _register(folder: Path) -> list[str]:
    """Register the kernels in the folder once for each list; return what failed."""
    with _lock:
        now = folder_of.stamp(folder)
        if _registered.get(folder) == now:
            return []
        _registered[folder] = now
        return folder_of.register_kernels(folder)


@known("Reading the rows…")
def _loaded(folder: str, seen: int) -> Mapping[str, Dataset]:
    return folder_of.datasets_of(Path(folder), folder_of.read_opened(Path(folder)))


def _sets(folder: Path) -> dict[str, tuple[DataChoice, Dataset]]:
    data = _loaded(str(folder), folder_of.stamp(folder))
    return {name: (DataChoice(name), one) for name, one in data.items()}


def _stamps(files: tuple[str, ...]) -> tuple[float, ...]:
    return tuple(Path(file).stat().st_mtime if Path(file).exists() else 0.0 for file in files)
