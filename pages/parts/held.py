"""The file that a session brought and what was said of it, kept while pages change, so that it stays open to both."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from kernlib import KernlibError
from kernlib.data import Choice, Dataset, Domain, Limits, Role, Task, Upload, read_upload
from kernlib.errors import DataError

__all__ = ["Held", "emptied", "forget", "held_file", "present"]

_KEY = "upload.held"


@dataclass
class Held:
    """Files as they came, and what a person said of them otherwise than guessed.

    `version` counts what was said, `taken` tells whether the data have been shown, `again` that they are to be anew.
    """

    files: tuple[tuple[str, bytes], ...]
    domain: Domain | None = None
    header: bool | None = None
    part: str = ""
    encoding: str = ""
    task: Task | None = None
    missing: str | None = None
    symmetrise: str | None = None
    roles: dict[str, Role] = field(default_factory=dict)
    without: tuple[str, ...] = ()
    version: int = 0
    again: bool = False
    taken: bool = False
    _read: tuple[Any, Upload | str] | None = None
    _made: tuple[int, Dataset | str] | None = None

    @property
    def name(self) -> str:
        """The first file's name."""
        return self.files[0][0]

    def upload(self, limits: Limits) -> Upload:
        """The file, read once for all that was said; DataError for what cannot be read so."""
        asked = (self.domain, self.header, self.part, self.encoding, tuple(self.roles.items()))
        if self._read is None or self._read[0] != asked:
            try:
                self._read = (asked, self._fresh(limits))
            except KernlibError as error:
                self._read = (asked, str(error))
        found = self._read[1]
        if isinstance(found, str):
            raise DataError(found)
        return found

    def _fresh(self, limits: Limits) -> Upload:
        names = [name for name, _ in self.files]
        if len(set(names)) < len(names):
            raise DataError(
                f"{names[0][:100]}: two files have the same name; expected different ones. Rename one of them."
            )
        return read_upload(
            names[0], self.files[0][1], more=dict(self.files[1:]) or None, domain=self.domain, roles=self.roles or None,
            header=self.header, part=self.part, encoding=self.encoding, limits=limits,
        )  # fmt: skip

    def made(self, make: Callable[[], Dataset]) -> Dataset | str:
        """What `make` gives, made once for all that was said; an error's words where it gives none."""
        if self._made is None or self._made[0] != self.version:
            try:
                self._made = (self.version, make())
            except KernlibError as error:
                self._made = (self.version, str(error))
        return self._made[1]

    def say(self, **more: Any) -> None:
        """What is said of the file otherwise, over what was said before; widgets begin anew from it."""
        roles = more.pop("roles", {})
        if roles or {"domain", "header", "part", "encoding", "task"} & more.keys():
            self.without = ()  # other labels have other classes
        self.roles = {**self.roles, **roles}
        if {"domain", "header", "part", "encoding"} & more.keys():
            # Another reading has other columns: what was said of those that are gone would be refused.
            self.roles, self.missing, self.symmetrise = dict(roles), None, None
        for name, value in more.items():
            setattr(self, name, value)
        self.version += 1

    def take(self, choice: Choice) -> None:
        """What one press chose; what it makes is shown at once."""
        asked = choice.asked | ({"task": choice.task} if choice.task else {})
        self.say(**asked)
        self.again = True

    def leave_out(self, names: tuple[str, ...]) -> None:
        """Classes with too few rows to be split are left out."""
        self.say(without=self.without + names)
        self.again = True

    def begin_anew(self) -> None:
        """Forget all that was said."""
        self.domain = self.header = self.task = self.missing = self.symmetrise = None
        self.part, self.encoding, self.roles, self.without, self.again = "", "", {}, (), True
        self.version += 1

    @property
    def by_hand(self) -> tuple[tuple[str, Any], ...]:
        """What was said otherwise than guessed, as the parameters of a run that reads the file again."""
        said: list[tuple[str, Any]] = [(f"role:{column}", role) for column, role in self.roles.items()]
        if self.header is not None:
            said.append(("header", self.header))
        said += [(f"without:{name}", True) for name in self.without]
        if self.part:
            said.append(("part", self.part))
        if self.encoding:
            said.append(("encoding", self.encoding))
        return tuple(said)

    @property
    def changed(self) -> bool:
        """Whether anything was said otherwise than guessed."""
        return bool(self.by_hand or self.domain or self.task)


def held_file(files: list[Any] | None) -> Held | None:
    """The files in the chooser, or those that were there when the page was left; None where there are none.

    The chooser forgets its files with the page: an empty one that nobody has emptied since gives back what is held.
    """
    held: Held | None = st.session_state.get(_KEY)
    if files:
        ids = tuple(f.file_id for f in files)
        if held is None or st.session_state.get("upload.ids") != ids:
            held = Held(tuple((f.name, f.getvalue()) for f in files))
            st.session_state[_KEY], st.session_state["upload.ids"] = held, ids
    return held


def present() -> Held | None:
    """The file that is held, whatever page is looked at."""
    return st.session_state.get(_KEY)


def forget() -> None:
    """The file is no longer wanted: its bytes go."""
    st.session_state.pop(_KEY, None)
    st.session_state.pop("upload.ids", None)


def emptied() -> None:
    """What the chooser calls when its files change: an empty one was emptied by hand."""
    if not st.session_state.get("upload.files"):
        forget()
