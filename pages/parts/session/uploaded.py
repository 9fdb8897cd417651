"""The files of a session, kept while pages change: those a person uploads, and how they are read; those handed over.

A server that `kernlib show` or `kernlib.show` started has data, files and kernels of the process that opened it, and
tells it the kernel on screen. On another server the functions for it do nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import streamlit as st

from kernlib import Kernel, KernlibError
from kernlib.data import LIMITS, Dataset, Reading, readings
from kernlib.data.files import check_names
from kernlib.data.readings import OF_FILE, contents_of, merged
from kernlib.errors import DataError
from kernlib.experiments import result_in_subprocess
from kernlib.own import registered
from kernlib.serving import opened as folder_of
from pages.parts.server.caching import known, make_room
from pages.parts.server.jobs import READING, late_reading, most_rows
from pages.parts.server.runs import keep, kept, latest
from pages.parts.session import state
from pages.parts.session.state import DataChoice, Named, Session, current, first_choice, has_begun, store

T = TypeVar("T")
_KEY, _RENEWED = "upload.held", "upload.renewed"
#: The key of the box around the file chooser, whose state says whether it is open.
BOX = "upload.box"


@dataclass(frozen=True, eq=False)
class UploadedFile:
    """The uploaded files and the choices of a person: one value, replaced by one assignment.

    `ids` names the files in the chooser; `choices` is what a person chose, see `kernlib.data.CHOICES`; `column` is the
    one whose menus are shown; `rows` the number of rows of a sample, 0 before it is chosen. `shown` is the digest and
    the fill of the data that the pages have shown last; `open`, whether the panel is in front.
    """

    files: tuple[tuple[str, bytes], ...]
    ids: tuple[str, ...] = ()
    choices: dict[str, Any] = field(default_factory=dict)
    column: str = ""
    rows: int = 0
    shown: tuple[str, str] | None = None
    open: bool = True

    @property
    def name(self) -> str:
        """Return the first file's name."""
        return self.files[0][0]

    @property
    def readings(self) -> tuple[Reading, ...]:
        """Return the readings of the file, once for each way to parse it; DataError for one that cannot be read."""
        parsed = {name: value for name, value in self.choices.items() if name in OF_FILE}
        names = [name for name, _ in self.files]

        def read() -> tuple[Reading, ...]:
            check_names(names)
            call = partial(readings, more=dict(self.files[1:]) or None, **parsed)
            return result_in_subprocess(call, self.files[0], READING, late_reading(names[0]))

        return self._once("readings", parsed, read)

    @property
    def reading(self) -> Reading:
        """Return the reading with all choices; the strongest one where a person has not chosen another."""

        def read() -> Reading:
            kind = self.choices.get("kind")
            first = next((one for one in self.readings if one.kind == kind), self.readings[0])
            more = {name: value for name, value in self.choices.items() if name not in (*OF_FILE, "kind")}
            return first.changed(**more) if more or kind else first

        return self._once("reading", self.choices, read)

    @property
    def data(self) -> Dataset:
        """Return the data set as it would be used, with all its rows; or raise the error of its reading."""
        return self._once("data", self.choices, self.reading.dataset)

    @property
    def most(self) -> int:
        """Return the largest number of rows that pages can show."""
        return min(self.data.n, LIMITS.side if self.data.row_kind.together else most_rows())

    @property
    def count(self) -> int:
        """Return the number of rows that pages show: all, or those of a sample of many."""
        kind = self.data.row_kind
        return min(self.rows or kind.first_rows, self.most) if self.data.n > kind.large else self.data.n

    def taken(self) -> tuple[Dataset, Named]:
        """Return the rows that pages show, and how they are read otherwise than guessed, as parameters of a run."""
        data, by_hand = self.data, self.reading.parameters
        if self.count == data.n:
            return data, by_hand
        return data.stratified_sample(self.count), (*by_hand, ("n", self.count), ("seed", 0))

    def _once(self, name: str, asked: Any, make: Callable[[], T]) -> T:
        """Return the result of `make` or raise its error, computed again where something else is `asked`."""

        def tried() -> T | KernlibError:
            try:
                return make()
            except KernlibError as error:
                return error.with_traceback(None)

        made = latest(f"upload.{name}", (self.files, asked), tried)
        if isinstance(made, KernlibError):
            raise made
        return made


def uploaded_file(files: list[Any] | None) -> UploadedFile | None:
    """Return the files in the chooser, or those that it held when the page was left; None without files.

    Leaving the page empties the chooser without calling `emptied`.
    """
    file = present()
    if files:
        ids = tuple(f.file_id for f in files)
        if file is None or file.ids != ids:
            return hold(tuple((f.name, f.getvalue()) for f in files), {}, ids)
    return file


def hold(files: tuple[tuple[str, bytes], ...], choices: dict[str, Any], ids: tuple[str, ...] = ()) -> UploadedFile:
    """Keep files, read in this way; those of the chooser have `ids`."""
    file = UploadedFile(files, ids, choices)
    make_room(sum(len(raw) for _, raw in files))
    keep(_KEY, file)
    return file


def update(**fields: Any) -> None:
    """Replace fields of the current value, unless the file has been discarded meanwhile."""
    if (file := present()) is not None:
        keep(_KEY, replace(file, **fields))


def change(**choices: Any) -> None:
    """Change choices; None takes one back. Another kind or another way to parse the file drops those about columns."""
    if (file := present()) is not None:
        before = file.choices
        if choices.keys() & {"kind", *OF_FILE}:
            before = {name: value for name, value in before.items() if name in (*OF_FILE, "kind")}
        _choose({name: value for name, value in merged(before, choices).items() if value != ""})


def change_label(name: str) -> None:
    """Predict another column."""
    if (file := present()) is not None:
        roles = {c: role for c, role in file.choices.get("roles", {}).items() if role != "predict" and c != name}
        _choose(file.choices | {"roles": roles, "label": name})


def compare_columns(names: list[str]) -> None:
    """Compare these columns and leave out the others; at least one is compared."""
    if names and (file := present()) is not None:
        roles = dict(file.choices.get("roles", {}))
        for name, role in file.reading.roles.items():
            if role in ("compared", "left out", "id") and (name in names) != (role == "compared"):
                roles[name] = "compared" if name in names else "left out"
        _choose(file.choices | {"roles": roles})


def _choose(choices: dict[str, Any]) -> None:
    """Take these choices; where the pages show the rows and the panel is closed, the result is shown at once."""
    update(choices=choices)
    if (file := present()) is not None and file.shown is not None and not file.open:
        use()


def use() -> None:
    """Show the rows on all pages; where they cannot be read, the panel says why."""
    if (file := present()) is not None:
        update(open=True)
        with suppress(KernlibError):
            data, by_hand = file.taken()
            # First the state, then that it is shown: a run that ends in between notes it the next time.
            state.take_upload(data, by_hand)
            note_shown(data)


def note_shown(data: Dataset) -> None:
    """Note that the pages show the data of this file."""
    update(shown=(data.digest, data.fill), open=False)


def take_from_menu(files: list[Any] | None, menu: str) -> None:
    """Keep files of the chooser in a menu, close the menu, and lead to the page that shows how they are read."""
    if not files:
        return
    keep(_RENEWED, kept(_RENEWED, lambda: 0) + 1)  # the page's own chooser would put its earlier file back
    try:
        uploaded_file(files)
    except KernlibError as error:
        state.change(state.notify, str(error))
    st.session_state[menu] = False
    open_box()


def open_box() -> None:
    """Open the box around the file chooser, on its page; a callback, which runs before the box is drawn."""
    st.session_state[BOX] = True
    state.put(goes=None if current().page == "data" else "data")


def chooser_key() -> str:
    """Return the key of the page's file chooser: a new one after a file was chosen in the menu."""
    renewed = kept(_RENEWED, lambda: 0)
    return f"upload.files~{renewed}" if renewed else "upload.files"


def words_of(choice: DataChoice) -> list[str]:
    """Return the data of a command: a name, or the files with the arguments that read them as the pages do."""
    if not choice.uploaded:
        return [choice.name]
    file = file_of(choice)
    return [*files_of(choice), *([] if file is None else file.reading.arguments)]


def files_of(choice: DataChoice) -> list[str]:
    """Return the names of the files of uploaded data; of data that were handed over their title; of others none."""
    if not choice.uploaded:
        return []
    file = file_of(choice)
    return [choice.load().title] if file is None else [name for name, _ in file.files]


def file_of(choice: DataChoice) -> UploadedFile | None:
    """Return the uploaded file that these data come from; None for other data."""
    data, file = choice.load(), present()
    return file if file is not None and file.shown == (data.digest, data.fill) else None


def label_name() -> str:
    """Return the name of the column that holds the label of the rows in view, "" where they come from no such file."""
    file = file_of(current().data)
    return "" if file is None else file.reading.label or ""


def present() -> UploadedFile | None:
    """Return the file of this session, on any page."""
    file: UploadedFile | None = kept(_KEY, lambda: None)
    return file


def forget() -> None:
    """Discard the uploaded file."""
    keep(_KEY, None)


def emptied(files: list[Any] | None) -> None:
    """Discard the file when a person removes it from the chooser."""
    if not files:
        forget()


def most_bytes() -> int:
    """Return the largest file that the chooser takes, in MB."""
    return LIMITS.bytes // 10**6


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


def _opened() -> folder_of.Opened:
    """Return what the server was started with; nothing on another server."""
    folder = folder_of.server_folder()
    return folder_of.Opened() if folder is None else folder_of.read_opened(folder)


def holds(name: str) -> bool:
    """Return whether a data set of this name was handed over."""
    return name in dict(_opened().sets)


def begin(begun: Session, query: Mapping[str, str]) -> Session:
    """Return the state of a new session with what the server was started with."""
    folder = folder_of.server_folder()
    if folder is None:
        return begun
    for problem in _register(folder):
        begun = state.notify(begun, problem)
    opened, own = _opened(), _read()
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
    return _opened().kernel or None


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
    return ", ".join(
        dict.fromkeys(filter(None, (registered.file_of(type(part)) for part in registered.own_parts(kernel))))
    )


def changed_files() -> tuple[str, ...]:
    """Return the names of the files that were handed over, if one has changed since this session has read them."""
    files, stamps = _opened().files, _read().stamps
    return tuple(Path(file).name for file in files) if stamps and _stamps(files) != stamps else ()


def read_again(now: Session) -> Session:
    """Return the state with the files as they are now."""
    opened, file = _opened(), present()
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
        before = present()
        contents = tuple(contents_of(opened.files, LIMITS).items())
        file = hold(contents, dict(opened.choices) if choices is None else choices)
        used = again and before is not None and before.shown is not None
        if not used and file.reading.open_choices:
            return replace(begun, goes="data")
        data, by_hand = file.taken()
    except KernlibError as error:
        return replace(state.notify(begun, str(error)), goes="data")
    note_shown(data)
    return state.uploaded(begun, data, by_hand)


def _register(folder: Path) -> list[str]:
    """Register the kernels in the folder once for each list, never again; return what failed."""
    with _lock:  # not a cached result: to make it again would bring back kernels that were replaced since
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
