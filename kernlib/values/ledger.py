"""A file of JSON lines on disk, from which interrupted work resumes."""

from __future__ import annotations

import json
import zlib
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

from ..errors import DataError

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # Windows has no fcntl: there the caller must keep two writers apart
    fcntl = None


class Ledger:
    """Records of finished work in a file: one JSON object a line, each with a checksum.

    The first line, `head`, says what the work depends on. A file with another head is refused and stays unchanged. A
    line that is damaged, or was being written when a process died, is removed with all lines behind it: their work is
    done again. `records` holds the others.

    Raises DataError if the file belongs to other work or another process has it open; OSError if the disk refuses.
    """

    def __init__(self, path: Path, head: dict[str, Any]) -> None:
        self.path = path
        self.records: list[dict[str, Any]] = []
        self._file = path.open("a+b")
        try:
            self._lock()
            self._read(json.loads(json.dumps(head)))
        except (OSError, DataError):
            self.close()
            raise

    def _lock(self) -> None:
        """Lock the file for this process; the operating system releases the lock when the process ends or is killed."""
        with suppress(OSError):  # of a file system without locks
            if fcntl is not None:
                try:
                    fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    raise DataError(
                        f"{self.path}: another process is writing this run; expected one. Wait for it, or choose "
                        "another place."
                    ) from None

    def _read(self, head: dict[str, Any]) -> None:
        self._head = head
        self._file.seek(0)
        first, *lines = self._file.read().splitlines(keepends=True) or [b""]
        if not first.endswith(b"\n"):
            self.restart()
            return
        found = _record(first) or {}
        if found != head:
            other = [key for key in head if found.get(key) != head[key]]
            raise DataError(
                f"{self.path}: it holds an unfinished run with another {', '.join(other)}; expected the same "
                "run. Finish that run first, choose another place, or delete the file."
            )
        end = len(first)
        for line in lines:
            record = _record(line)
            if record is None:
                self._file.truncate(end)
                return
            self.records.append(record)
            end += len(line)

    def restart(self) -> None:
        """Forget all records: the work begins anew."""
        self.records = []
        self._file.truncate(0)
        self.append(self._head)

    def append(self, *records: dict[str, Any]) -> None:
        """Write records and hand them to the operating system, so that they survive the end of this process."""
        self._file.writelines(map(_line, records))
        self._file.flush()

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


def _record(line: bytes) -> dict[str, Any] | None:
    """Return the record of a line without its checksum, or None if the line is damaged or has no end."""
    try:
        record = json.loads(line) if line.endswith(b"\n") else None
    except (ValueError, RecursionError):
        return None
    if not isinstance(record, dict):
        return None
    checksum = record.pop("crc", None)
    return record if checksum == _checksum(record) else None
