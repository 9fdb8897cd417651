"""A container: how a file is recognised by its first bytes, and how it becomes parts."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from ..encodings import decode
from ..table import Part
from ..uploads import LIMITS, Limits

#: A container is recognised by at most these first bytes, so recognition is fast for any file.
HEAD = 8192


@dataclass(frozen=True, eq=False)
class File:
    """A file: its name, its bytes, the limits, the choices of a person, and the names of its members if it is a zip."""

    name: str
    raw: bytes = field(repr=False)
    limits: Limits = LIMITS
    choices: Mapping[str, Any] = field(default_factory=dict)
    members: tuple[str, ...] = ()

    @property
    def is_zip(self) -> bool:
        """Return whether it is a zip; the letters PK alone could be a column's name."""
        return self.raw.startswith((b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08"))

    @cached_property
    def head(self) -> str:
        """Return the first characters, without byte-order mark and leading blanks; undecodable bytes become U+FFFD."""
        return self.raw[:HEAD].decode("utf-8-sig", "replace").lstrip()

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """Return the first lines that are complete and not blank, each without blanks around it."""
        lines = self.head.split("\n")
        if len(self.raw) > HEAD:
            lines = lines[:-1] or lines
        return tuple(line.strip() for line in lines if line.strip())

    @cached_property
    def text(self) -> str:
        """Return the whole file as text; DataError for a file that is not text."""
        return decode(self.raw, self.name)

    def asked(self, name: str) -> Any:
        """Return the choice of a person, None where it is left to the reader."""
        return self.choices.get(name)


@dataclass(frozen=True)
class Container:
    """One container: `name` as text, `is_one` recognises it, `read` returns its parts; `kind` of its bytes."""

    name: str
    is_one: Callable[[File], bool]
    read: Callable[[File], Part]
    kind: Literal["text", "zip", "binary"] = "text"


def cell_words(value: Any) -> str:
    """Return a typed value as a text file would write it: "" for none, a date without midnight.

    >>> cell_words(None), cell_words(2.0), cell_words(datetime.datetime(2020, 1, 31)), cell_words(True)
    ('', '2', '2020-01-31', 'true')
    """
    if value is None or value != value:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if abs(value) < 1e15 and value == int(value) else repr(value)
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    return str(value).replace("\0", " ")
