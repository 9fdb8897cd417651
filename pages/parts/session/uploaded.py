"""The uploaded file of a session and how a person has it read, kept while pages change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import streamlit as st

from kernlib import KernlibError
from kernlib.data import LIMITS, Dataset, Reading, readings
from kernlib.data.choices import OF_FILE
from kernlib.data.limits import check_names
from kernlib.data.readings import merged
from kernlib.experiments import result_in_subprocess
from pages.parts.server.away import make_room
from pages.parts.server.holder import computed, keep, kept
from pages.parts.server.limits import READING, late_reading
from pages.parts.session import state
from pages.parts.session.value import DataChoice, current

_KEY, _RENEWED = "upload.held", "upload.renewed"
#: The key of the box around the file chooser, whose state says whether it is open.
BOX = "upload.box"


@dataclass(frozen=True, eq=False)
class UploadedFile:
    """The uploaded files and the choices of a person: one value, replaced by one assignment.

    `ids` names the files in the chooser; `choices` is what a person chose, see `kernlib.data.CHOICES`; `column` is the
    one whose menus are shown; `sample` has the number of rows (0 before it is chosen) and the seed. `shown` is the
    digest and the fill of the data that the pages have shown last; `open`, whether the panel is in front; `again`,
    whether the pages are to show the result of the last choice at once.
    """

    files: tuple[tuple[str, bytes], ...]
    ids: tuple[str, ...] = ()
    choices: dict[str, Any] = field(default_factory=dict)
    column: str = ""
    sample: tuple[int, int] = (0, 0)
    shown: tuple[str, str] | None = None
    open: bool = True
    again: bool = False

    @property
    def name(self) -> str:
        """Return the first file's name."""
        return self.files[0][0]

    @property
    def size(self) -> int:
        """Return the bytes of all files."""
        return sum(len(raw) for _, raw in self.files)

    @property
    def readings(self) -> tuple[Reading, ...]:
        """Return the readings of the file, once for each way to parse it; DataError for one that cannot be read."""
        parsed = {name: value for name, value in self.choices.items() if name in OF_FILE}
        found: tuple[Reading, ...] = self._once("readings", parsed, lambda: self._fresh(parsed))
        return found

    def _fresh(self, parsed: dict[str, Any]) -> tuple[Reading, ...]:
        names = [name for name, _ in self.files]
        check_names(names)
        read = partial(readings, more=dict(self.files[1:]) or None, **parsed)
        found: tuple[Reading, ...] = result_in_subprocess(read, self.files[0], READING, late_reading(names[0]))
        return found

    @property
    def reading(self) -> Reading:
        """Return the reading with all choices; the strongest one where a person has not chosen another."""

        def read() -> Reading:
            kind = self.choices.get("kind")
            first = next((one for one in self.readings if one.kind == kind), self.readings[0])
            more = {name: value for name, value in self.choices.items() if name not in (*OF_FILE, "kind")}
            return first.changed(**more) if more or kind else first

        reading: Reading = self._once("reading", self.choices, read)
        return reading

    @property
    def data(self) -> Dataset:
        """Return the data set as it would be used, with all its rows; or raise the error of its reading."""
        reading = self.reading
        data: Dataset = self._once("data", self.choices, reading.dataset)
        return data

    def _once(self, name: str, asked: Any, make: Callable[[], Any]) -> Any:
        """Return the result of `make` or raise its error, computed again where something else is `asked`."""
        last = computed("upload", dict[str, tuple[Any, Any]])
        if name not in last or last[name][0] != (self.files, asked):
            try:
                last[name] = (self.files, asked), make()
            except KernlibError as error:
                last[name] = (self.files, asked), error.with_traceback(None)
        made = last[name][1]
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
            make_room(sum(f.size for f in files))
            file = UploadedFile(tuple((f.name, f.getvalue()) for f in files), ids)
            keep(_KEY, file)
    return file


def hold(files: tuple[tuple[str, bytes], ...], choices: dict[str, Any]) -> UploadedFile:
    """Keep files that came otherwise than through the chooser, read in this way."""
    file = UploadedFile(files, choices=choices)
    make_room(file.size)
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
    if (file := present()) is not None:
        update(choices=choices, again=file.shown is not None and not file.open)


def leave_out(names: tuple[str, ...]) -> None:
    """Leave out classes with too few rows to be split."""
    if (file := present()) is not None:
        update(choices=file.choices | {"without": (*file.choices.get("without", ()), *names)})


def note_shown(data: Dataset) -> None:
    """Note that the pages show the data of this file."""
    update(shown=(data.digest, data.fill), again=False, open=False)


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
    """Return the names of the files of uploaded data; of data that were handed over, their title."""
    file = file_of(choice)
    return [choice.load().title] if file is None else [name for name, _ in file.files]


def file_of(choice: DataChoice) -> UploadedFile | None:
    """Return the uploaded file that these data come from; None for other data."""
    data, file = choice.load(), present()
    return file if file is not None and file.shown == (data.digest, data.fill) else None


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
    return LIMITS.bytes // 2**20
