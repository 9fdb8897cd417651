"""The uploaded file of a session and how it is to be read, kept while pages change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import streamlit as st

from kernlib import KernlibError
from kernlib.data import Choice, Dataset, Limits, Reading, Upload, read_upload
from kernlib.errors import DataError
from kernlib.experiments import result_in_subprocess
from pages.parts.server.away import gives_up, make_room
from pages.parts.server.holder import Holder, keep, kept
from pages.parts.server.limits import READING, late_reading
from pages.parts.session import state
from pages.parts.session.value import current

_KEY = "upload.held"
#: The key of the box around the panel, whose state says whether it is open.
BOX = "upload.box"


@dataclass(frozen=True, eq=False)
class UploadedFile:
    """The uploaded files and the `Reading` that a person chose: one value, replaced by one assignment.

    `ids` names the files in the chooser, `version` counts the choices, `sample` has the number of rows (0 before it is
    chosen) and the seed. `accepted` are the questions whose present reading a person keeps. `shown` is the digest and
    the fill of the data that the pages have shown last, `again` says that the pages are to show the result of the last
    choice at once.
    """

    files: tuple[tuple[str, bytes], ...]
    ids: tuple[str, ...] = ()
    reading: Reading = field(default_factory=Reading)
    version: int = 0
    sample: tuple[int, int] = (0, 0)
    again: bool = False
    accepted: frozenset[str] = frozenset()
    shown: tuple[str, str] | None = None
    #: What was read and made last, with its reading and its version.
    _memo: dict[str, tuple[Any, Any]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Return the first file's name."""
        return self.files[0][0]

    @property
    def size(self) -> int:
        """Return the bytes of all files."""
        return sum(len(raw) for _, raw in self.files)

    def upload(self, limits: Limits) -> Upload:
        """Return the file as it is read, once for each reading; DataError for a file that cannot be read like this."""
        asked = replace(self.reading, task=None, missing="refuse", symmetrise="", without=())
        upload: Upload = self._once("upload", asked, lambda: self._fresh(limits))
        return replace(upload, reading=self.reading)  # answers that need no other reading settle their questions

    def _fresh(self, limits: Limits) -> Upload:
        names = [name for name, _ in self.files]
        if len(set(names)) < len(names):
            raise DataError(
                f"{names[0][:100]}: two files have the same name; expected different ones. Rename one of them."
            )
        read = partial(read_upload, more=dict(self.files[1:]) or None, limits=limits)
        arguments = (*self.files[0], self.reading)
        upload: Upload = result_in_subprocess(read, arguments, READING, late_reading(names[0]))
        return upload

    def other(self, place: str, choice: Choice, limits: Limits) -> Upload:
        """Return the file as it is read with a choice, once for each; `place` names the button."""
        reading = self.reading.changed(**choice.asked)
        other = replace(self, reading=reading)
        upload: Upload | str = self._once(f"other {place}", reading, lambda: other._fresh(limits))
        if isinstance(upload, str):
            raise DataError(upload)
        return upload

    def open_question(self, upload: Upload) -> bool:
        """Return whether a question about the file is not answered."""
        return any(guess.question and guess.sentence not in self.accepted for guess in upload.guesses)

    def made(self, make: Callable[[], Dataset]) -> Dataset:
        """Return the result of `make`, computed once for each version, or raise its error."""
        data: Dataset = self._once("data", self.version, make)
        return data

    def _once(self, name: str, asked: Any, make: Callable[[], Any]) -> Any:
        """Return the result of `make` or raise its error, computed again where something else is `asked`."""
        if name not in self._memo or self._memo[name][0] != asked:
            try:
                self._memo[name] = (asked, make())
            except KernlibError as error:
                self._memo[name] = (asked, error.with_traceback(None))
        made = self._memo[name][1]
        if isinstance(made, KernlibError):
            raise made
        return made

    @property
    def taken(self) -> bool:
        """Return whether the pages have shown the data."""
        return self.shown is not None

    @property
    def changed(self) -> bool:
        """Return whether a person changed a guess, beyond answering the panel's questions."""
        return bool(self.reading.asked.keys() - {"missing", "symmetrise"})


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


def hold(files: tuple[tuple[str, bytes], ...], reading: Reading) -> UploadedFile:
    """Keep files that came otherwise than through the chooser, read in this way."""
    file = UploadedFile(files, reading=reading)
    make_room(file.size)
    keep(_KEY, file)
    return file


def _update(fields: Callable[[UploadedFile], dict[str, Any]]) -> None:
    """Replace fields of the current value, unless the file has been discarded meanwhile."""
    file = present()
    if file is not None:
        keep(_KEY, replace(file, **fields(file)))


def _read_anew(file: UploadedFile, reading: Reading, again: bool) -> dict[str, Any]:
    return {"reading": reading, "version": file.version + 1, "again": again or file.again}


def change(again: bool = False, **asked: Any) -> None:
    """Change fields of the reading; widgets are drawn again from it, and `again` shows the result at once."""
    _update(lambda file: _read_anew(file, file.reading.changed(**asked), again))


def take(choice: Choice) -> None:
    """Read the file in the way of a choice, and show the result."""
    change(again=True, **choice.asked)


def accept(sentence: str) -> None:
    """Keep the present reading that a question is about, and show the result once no question is open."""
    _update(lambda file: {"accepted": file.accepted | {sentence}, "version": file.version + 1, "again": True})


def leave_out(names: tuple[str, ...]) -> None:
    """Leave out classes with too few rows to be split, and show the rest."""
    _update(lambda file: _read_anew(file, file.reading.changed(without=file.reading.without + names), again=True))


def reset_reading() -> None:
    """Reset the reading to the guesses, and show the result."""
    _update(lambda file: _read_anew(file, Reading(), again=True))


def set_sample(n: int, seed: int) -> None:
    """Draw a sample of `n` rows with this seed."""
    _update(lambda _: {"sample": (n, seed)})


def note_shown(data: Dataset) -> None:
    """Note that the pages show the data of this file."""
    file, shown = present(), (data.digest, data.fill)
    if file is not None and (file.again or file.shown != shown):
        _update(lambda _: {"shown": shown, "again": False})


def open_box() -> None:
    """Open the box around the panel, on its page; a callback, which runs before the box is drawn."""
    st.session_state[BOX] = True
    state.put(goes=None if current().page == "data" else "data")


def present() -> UploadedFile | None:
    """Return the file of this session, on any page."""
    file: UploadedFile | None = kept(_KEY, lambda: None)
    return file


def forget() -> None:
    """Discard the uploaded file."""
    keep(_KEY, None)


@gives_up
def _forget_what_was_read(own: Holder) -> None:
    file: UploadedFile | None = own.kept.get(_KEY)
    if file is not None:
        own.kept[_KEY] = replace(file, _memo={})


def emptied() -> None:
    """Discard the file when a person removes it from the chooser."""
    if not st.session_state.get("upload.files"):
        forget()
