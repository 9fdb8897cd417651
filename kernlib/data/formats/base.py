"""The definition of a format: its name, its endings, how it is recognised and how it is read."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any, Literal

from ...errors import DataError
from ..guesses import Reading
from ..reading import Upload
from ..uploads import LIMITS, Limits, decode, shortened

#: A format is recognised by at most these first bytes, so recognition is fast for any file.
HEAD = 8192


@dataclass(frozen=True)
class Head:
    """The first bytes of a file, from which formats are recognised.

    Parameters: `name` of the file, `start`, at most `HEAD` of its bytes, `whole`, whether these are all of them;
    `members`, the names in it where it is a zip.

    >>> Head("t.txt", b"a b\\n\\nc d\\ne").lines
    ('a b', 'c d')
    """

    name: str
    start: bytes
    whole: bool = False
    members: tuple[str, ...] = ()

    @cached_property
    def text(self) -> str:
        """Return the first characters, without byte-order mark and leading blanks; undecodable bytes become U+FFFD."""
        return self.start.decode("utf-8-sig", "replace").lstrip()

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """Return the first lines that are complete and not blank, each without blanks around it.

        Where the first line is longer than the head, it is that line up to the last cell that is whole, if any is.
        """
        lines = self.text.split("\n")
        if not self.whole:
            lines = lines[:-1] or [self.text[: max(self.text.rfind(mark) for mark in " \t,;") + 1] or self.text]
        return tuple(line.strip() for line in lines if line.strip())

    @property
    def ending(self) -> str:
        """Return the ending of the name in lower case; for a gzipped file the ending before .gz.

        >>> Head("T.CSV.gz", b"").ending
        'csv'
        """
        return PurePosixPath(self.name.lower().removesuffix(".gz")).suffix.lstrip(".")


@dataclass(frozen=True, eq=False)
class File(Reading):
    """A file with the `Reading` that the caller chose."""

    name: str
    raw: bytes = field(repr=False)
    limits: Limits = LIMITS
    members: tuple[str, ...] = ()

    @property
    def is_zip(self) -> bool:
        """Return whether it is a zip; the letters PK alone could be a column's name."""
        return self.raw.startswith((b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08"))

    @cached_property
    def head(self) -> Head:
        """Return the first bytes, by which a format is recognised."""
        return Head(self.name, self.raw[:HEAD], len(self.raw) <= HEAD, self.members)

    @cached_property
    def text(self) -> str:
        """Return the whole file as text; DataError for a file that is not text."""
        return decode(self.raw, self.name)


@dataclass(frozen=True)
class Format:
    """One format of uploads; `FORMATS` is the table of all.

    Parameters: `name` as text; `endings` of its files; `looks_like` returns from a file's head the reason
    why it has the format, or ""; `read` returns an upload from the file and that reason, or None if the whole file
    shows another format; `kind` is text, zip or binary.
    """

    name: str
    endings: tuple[str, ...]
    looks_like: Callable[[Head], str]
    read: Callable[[File, str], Upload | None]
    kind: Literal["text", "zip", "binary"] = "text"


def reason_with_ending(words: str, head: Head, endings: tuple[str, ...]) -> str:
    """Return why a format was recognised, and that the ending of the file's name differs, if so.

    >>> reason_with_ending("It begins so", Head("t.png", b""), ("csv",))
    'It begins so, although the name ends in .png.'
    """
    ending = head.ending
    return f"{words}." if not ending or ending in endings else f"{words}, although the name ends in .{ending[:20]}."


def checked_cell(value: Any, key: str, where: str, limits: Limits) -> str:
    """Return the value of a key as a cell of text, "" for None; DataError with place and key for too many letters."""
    word = "" if value is None else str(value)
    if len(word) > limits.letters:
        raise DataError(
            f"{where}, {shortened(key)} has {len(word)} letters; expected at most {limits.letters}. Shorten it."
        )
    # JSON can escape half a surrogate pair, which UTF-8 cannot encode.
    return word.encode("utf-8", "replace").decode("utf-8").replace("\0", " ")


def cell_words(value: Any) -> str:
    """Return a value of a binary table as a text file would write it: "" for none, a date without midnight.

    >>> cell_words(None), cell_words(2.0), cell_words(datetime.datetime(2020, 1, 31))
    ('', '2.0', '2020-01-31')
    """
    if value is None or value != value:
        return ""
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    return str(value).replace("\0", " ")
