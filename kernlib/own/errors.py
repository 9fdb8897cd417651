"""Errors of user code in one sentence, with the line of the file."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Self

from ..errors import KernlibError, OwnCodeError

_LONGEST = 200


class naming_the_line:
    """Turn whatever user code raises into an OwnCodeError that names its line; kernlib's errors pass.

    User code may raise anything. `file` is its file, if known: the innermost line in it is named, else the
    innermost line of all.

    >>> with naming_the_line("Cauchy"):
    ...     1 / 0
    Traceback (most recent call last):
    kernlib.errors.OwnCodeError: Cauchy: ZeroDivisionError, division by zero, in line 2 of ...
    """

    def __init__(self, owner: str, file: str = "", step: str = "Correct it there, then load it again.") -> None:
        self.owner, self.file, self.step = owner, file, step

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: TracebackType | None) -> None:
        if not isinstance(error, (Exception, SystemExit)) or isinstance(error, (KernlibError, MemoryError)):
            return  # an interruption ends the call; `sys.exit` would end this thread or process without a word
        where = _place(error, trace, self.file)
        said = error.msg if isinstance(error, SyntaxError) else str(error)
        words = " ".join(said.split())[:_LONGEST]
        named = f"{type(error).__name__}, {words}" if words else type(error).__name__
        raise OwnCodeError(f"{self.owner}: {named}, in {where}. {self.step}") from error


def _place(error: BaseException, trace: TracebackType | None, file: str) -> str:
    """Return the line and the file of an error as text."""
    if isinstance(error, SyntaxError) and error.lineno is not None:
        return f"line {error.lineno} of {_name(error.filename or file)}"
    frames = []
    while trace is not None:
        frames.append((trace.tb_frame.f_code.co_filename, trace.tb_lineno))
        trace = trace.tb_next
    readable = [frame for frame in frames[1:] if Path(frame[0]).is_file() or "ipykernel" in frame[0]]
    own = [frame for frame in frames if frame[0] == file] or readable or frames
    name, line = own[-1]
    return f"line {line} of {_name(name)}"


def _name(file: str) -> str:
    """Return the name of a file; that of a notebook's cell is a temporary one, which says nothing."""
    return "the notebook's cell" if "ipykernel" in file else Path(file).name
