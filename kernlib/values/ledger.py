"""A file of JSON lines on disk, from which interrupted work resumes."""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from ..errors import DataError

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # Windows has no fcntl: there the caller must keep two writers apart
    fcntl = None

R = TypeVar("R")


def lock(descriptor: int) -> bool:
    """Lock an open file or directory for this process; return False if another process holds the lock.

    The operating system releases the lock when the process ends, even if it is killed.
    """
    if fcntl is not None:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            pass  # a file system without locks
    return True


class Ledger:
    """Records of finished work in a file: one JSON object a line, each with a checksum.

    The first line, `head`, says what the work depends on. A file with another head is refused and stays unchanged. A
    line without its end was being written when a process died; it is removed. `lines` holds the line number and the
    record of every line that is intact, and the record None of every line that is damaged.

    Raises DataError if the file belongs to other work or another process has it open; OSError if the disk refuses.
    """

    def __init__(self, path: Path, head: dict[str, Any], work: str) -> None:
        self.path = path
        self.lines: list[tuple[int, Any]] = []
        self._head: dict[str, Any] = json.loads(json.dumps(head))
        self._file = path.open("a+b")
        try:
            self._require_lock(work)
            self._read(work)
        except (OSError, DataError):
            self.close()
            raise

    def _require_lock(self, work: str) -> None:
        if not lock(self._file.fileno()):
            raise DataError(
                f"{self.path}: another process is writing this {work}; expected one. Wait for it, or choose another "
                "place."
            )

    def _read(self, work: str) -> None:
        self._file.seek(0)
        content = self._file.read()
        end = content.rfind(b"\n") + 1
        first, *rest = content[:end].split(b"\n")[:-1] or [b""]
        self._file.truncate(end)
        if not first:
            self._file.truncate(0)
            self.append(self._head)
            return
        head = _record(first)
        if head != self._head:
            other = [key for key in self._head if not isinstance(head, dict) or head.get(key) != self._head[key]]
            raise DataError(
                f"{self.path}: it holds an unfinished {work} with another {', '.join(other)}; expected the same "
                f"{work}. Finish that {work} first, choose another place, or delete the file."
            )
        self.lines = [(number, _record(line)) for number, line in enumerate(rest, 2)]

    @classmethod
    def matches(cls, path: Path, head: dict[str, Any]) -> bool:
        """Return whether a file exists and begins with this head."""
        try:
            with path.open("rb") as file:
                return bool(_record(file.readline()) == json.loads(json.dumps(head)))
        except OSError:
            return False

    def accept(self, read: Callable[[Any], R]) -> tuple[list[R], str]:
        """Return what `read` makes of each record, and a sentence about the lines that cannot be used, or "".

        `read` raises DataError for a record that does not belong to the work. Such lines leave the file, so that the
        work behind them is done again.
        """
        accepted, kept, refused = [], [], {}
        for number, record in self.lines:
            try:
                if record is None:
                    raise DataError("damaged")
                accepted.append(read(record))
                kept.append((number, record))
            except DataError as error:
                refused[number] = str(error)
        if not refused:
            return accepted, ""
        self.rewrite(record for _, record in kept)
        shown = [f"line {number} ({why})" for number, why in list(refused.items())[:5]]
        more = f" and {len(refused) - 5} more" if len(refused) > 5 else ""
        return accepted, (
            f"{self.path}: {', '.join(shown)}{more} cannot be used; {len(accepted)} other lines are kept. The work of "
            "the unusable lines is done again."
        )

    def append(self, *records: dict[str, Any]) -> None:
        """Write records and hand them to the operating system, so that they survive the end of this process."""
        self._file.writelines(map(_line, records))
        self._file.flush()

    def rewrite(self, records: Iterable[dict[str, Any]]) -> None:
        """Replace all records; the file is complete at any moment."""
        part = self.path.with_name(self.path.name + ".part")
        file = part.open("a+b")
        try:
            lock(file.fileno())
            file.truncate(0)
            file.writelines(map(_line, [self._head, *records]))
            file.flush()
            os.fsync(file.fileno())
            os.replace(part, self.path)
        except OSError:
            file.close()
            raise
        self._file.close()
        self._file = file

    def close(self) -> None:
        """Close the file, which stays for the next start."""
        with suppress(OSError):
            self._file.close()

    def delete(self) -> None:
        """Remove the file: the work is complete."""
        self.close()
        with suppress(OSError):
            self.path.unlink()


def _line(record: dict[str, Any]) -> bytes:
    return (json.dumps(record | {"crc": _checksum(record)}) + "\n").encode()


def _checksum(record: dict[str, Any]) -> str:
    return f"{zlib.crc32(json.dumps(record).encode()):08x}"


def _record(line: bytes) -> Any:
    """Return the record of a line without its checksum, or None if the line is damaged.

    Earlier versions wrote no checksum: such a line is returned as it is.
    """
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(record, dict) or "crc" not in record:
        return record
    checksum = record.pop("crc")
    return record if checksum == _checksum(record) else None
