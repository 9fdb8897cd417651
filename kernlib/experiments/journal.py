"""What a run has found so far, line by line on disk, so that an interrupted run goes on where it stopped."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import ModuleType
from typing import Any, TextIO

from ..errors import DataError
from .folds import FoldResult
from .spec import RunSpec

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # a system without it: two runs into one directory are then the caller's to avoid
    fcntl = None

__all__ = ["JOURNAL", "Journal", "locked", "unwritable"]

#: Stands in the results' directory as long as a run is not complete.
JOURNAL = "folds.jsonl"


@contextmanager
def locked(out: str | Path) -> Iterator[Path]:
    """The directory, made if need be, for one writer at a time; DataError while another process has it.

    The lock is the system's and ends with its process, however that ends.

    >>> import tempfile
    >>> with locked(tempfile.mkdtemp()) as directory:
    ...     directory.is_dir()
    True
    """
    directory = Path(out)
    try:
        directory.mkdir(parents=True, exist_ok=True)
        handle = os.open(directory, os.O_RDONLY) if fcntl is not None else None
    except OSError as error:
        raise unwritable(out, error) from None
    try:
        if fcntl is not None and handle is not None:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise DataError(
                    f"{out}: another run is writing there; expected one run to a directory. "
                    "Wait for it, or choose another directory."
                ) from None
            except OSError:
                pass  # a file system that knows no locks
        yield directory
    finally:
        if handle is not None:
            os.close(handle)


class Journal:
    """The fold results of one run in `JOURNAL`, each on its line as soon as it is there.

    Its first line says which run on which rows by which version; `results` are those of an earlier
    start of the same run, whose last line may have been cut off. To be used inside `locked`.

    Raises DataError for the journal of another run, which is left as it is, and where nothing can
    be written.
    """

    def __init__(self, directory: Path, spec: RunSpec, digest: str) -> None:
        self.path = directory / JOURNAL
        self.results: list[FoldResult] = []
        self._file: TextIO | None = None
        self._head = {"kernlib": _version(), "rows": digest, "spec": json.loads(spec.to_json())}
        try:
            if self.path.exists():
                self._take_up()
            else:
                self._file = self.path.open("x", encoding="utf-8", newline="\n")
                self._write(self._head)
        except OSError as error:
            self.close()
            if not self.results:
                with suppress(OSError):
                    self.path.unlink()
            raise unwritable(directory, error) from None

    def _take_up(self) -> None:
        raw = self.path.read_bytes()
        whole = raw[: raw.rfind(b"\n") + 1]  # a line without its end was being written
        first, *lines = whole.decode("utf-8", errors="replace").splitlines() or [""]
        try:
            head = json.loads(first) if first else self._head
            if head == self._head:
                self.results = [_result(json.loads(line)) for line in lines]
        except (ValueError, TypeError, KeyError):
            head = None
        if head != self._head:
            what = [k for k in self._head if head.get(k) != self._head[k]] if isinstance(head, dict) else ["form"]
            raise DataError(
                f"{self.path}: an unfinished run of another {' and '.join(what)} stands there; expected the same run. "
                "Finish that one with its own spec, choose another directory, or delete the file."
            )
        self._file = self.path.open("r+", encoding="utf-8", newline="\n")
        self._file.truncate(len(whole))
        self._file.seek(0, os.SEEK_END)
        if not whole:
            self._write(self._head)

    def append(self, result: FoldResult) -> None:
        """Write one more result; it outlives this process at once."""
        try:
            self._write(asdict(result))
        except OSError as error:
            raise unwritable(self.path.parent, error, kept=len(self.results)) from None
        self.results.append(result)

    def _write(self, record: dict[str, Any]) -> None:
        assert self._file is not None
        self._file.write(json.dumps(record, ensure_ascii=False) + "\n")
        self._file.flush()

    def close(self) -> None:
        """Keep the file for the next start."""
        if self._file is not None:
            with suppress(OSError):
                self._file.close()
            self._file = None

    def finish(self) -> None:
        """Take the file away: the results are written."""
        self.close()
        with suppress(OSError):
            self.path.unlink()


def _version() -> str:
    try:
        return version("kernlib")
    except PackageNotFoundError:  # run from a checkout that was not installed
        return ""


def _result(record: dict[str, Any]) -> FoldResult:
    return FoldResult(**{name: _frozen(value) for name, value in record.items()})


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def unwritable(out: str | Path, error: OSError, kept: int = 0) -> DataError:
    """What is said where the disk refuses."""
    lost = f"the {kept} folds before are kept" if kept else "nothing was"
    return DataError(
        f"{out}: the results cannot be written, {error.strerror or error}; {lost}. "
        "Free space, or choose a directory that is yours."
    )
