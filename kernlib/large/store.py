"""A matrix on disk while it grows: the part that is there, and the list of its tiles that are complete."""

from __future__ import annotations

import errno
import json
import os
import shutil
import time
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any, Self, TextIO

import numpy as np

from ..errors import DataError
from ..values.arrays import Array

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # a system without it: two writers of one file are then the caller's to avoid
    fcntl = None

__all__ = ["GrowingFile"]

#: Seconds after which what is written goes to the disk.
_EVERY = 0.5


class GrowingFile:
    """An (n, n) array in `path`.part, the tiles it holds in `path`.tiles, a line each; `finish` names it `path`.

    `about` says what matrix it is, as JSON has it: a file of the same is taken up again, with the numbers of its tiles
    in `done`; one of another is refused and left as it is. All space is taken before the first tile, so that a full
    disk is told at once. To be used in a `with` block: what is not finished stays for the next start. With `keep` the
    list stays beside the whole file, by which the next start knows it: `whole` is then true and nothing is to be done.

    Raises DataError where `path` is there already, another process writes it, the disk is too small or refuses.
    """

    def __init__(
        self, path: str | Path, n: int, dtype: np.dtype[Any], about: dict[str, Any], keep: bool = False
    ) -> None:
        self.path = Path(path)
        self.part, self.list = (self.path.with_name(self.path.name + end) for end in (".part", ".tiles"))
        self.done: set[int] = set()
        self._unlisted: list[int] = []
        self._listed = time.monotonic()
        self._keep, self._ours = keep, False
        self._log: TextIO | None = None
        self.whole = keep and self.path.exists() and self._is_whole(n, dtype, about)
        if self.whole:
            return
        if self.path.exists():
            raise DataError(f"{path}: the file is there already; expected a new name. Delete it, or choose another.")
        try:
            self._log = self.list.open("a+", encoding="utf-8", newline="\n")
            self._lock()
            self._take_up(about)
            self._ours = True
            self.array: Array = self._mapped(n, dtype)
        except OSError as error:
            self.close()
            raise self._refused(error, n, dtype) from None
        except DataError:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()

    def _is_whole(self, n: int, dtype: np.dtype[Any], about: dict[str, Any]) -> bool:
        """Whether the file is the matrix that the list beside it tells of, in full."""
        try:
            with self.list.open(encoding="utf-8") as lines:
                if json.loads(lines.readline() or "null") != about:
                    return False
            K = np.load(self.path, mmap_mode="r")
        except (OSError, ValueError):
            return False
        return bool(K.shape == (n, n) and K.dtype == dtype)

    def _lock(self) -> None:
        if fcntl is None or self._log is None:
            return
        try:
            fcntl.flock(self._log, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise DataError(
                f"{self.path}: another process is writing it; expected one. Wait for it, or choose another file."
            ) from None
        except OSError:
            pass  # a file system that knows no locks

    def _take_up(self, about: dict[str, Any]) -> None:
        assert self._log is not None
        self._log.seek(0)
        first, *lines = self._log.read().split("\n")[:-1] or [""]  # a line without its end was being written
        try:
            before = json.loads(first) if first else None
            self.done = {int(line) for line in lines}
        except ValueError:
            before = {}
        if before is not None and before != about:
            what = ", ".join(k for k in about if before.get(k) != about[k]) if isinstance(before, dict) else "form"
            raise DataError(
                f"{self.list}: an unfinished matrix stands there, expected the same one; got another ({what}). Finish "
                "that one, choose another file, or delete it and the one that ends in .part."
            )
        if before is None or not self.part.exists():
            self.done = set()
            self._log.truncate(0)
            self._write(json.dumps(about, ensure_ascii=False))
            with suppress(FileNotFoundError):
                self.part.unlink()

    def _mapped(self, n: int, dtype: np.dtype[Any]) -> Array:
        size = n * n * dtype.itemsize
        held = self.part.stat().st_blocks * 512 if self.part.exists() and hasattr(os.stat_result, "st_blocks") else 0
        free = shutil.disk_usage(self.part.parent).free
        if size - held > free:
            fits = int(((free + held) / dtype.itemsize) ** 0.5)
            raise DataError(
                f"{self.path}: {n} rows need {size / 2**30:.3g} GiB on disk; expected at most the "
                f"{(free + held) / 2**30:.3g} GiB that are free. Take at most {fits} rows, dtype='float32', or another "
                "disk."
            )
        whole = size + 4096
        if self.part.exists() and self.part.stat().st_size >= size:
            return np.lib.format.open_memmap(self.part, mode="r+")
        self.done = set()
        array = np.lib.format.open_memmap(self.part, mode="w+", dtype=dtype, shape=(n, n))
        if hasattr(os, "posix_fallocate"):  # else a full disk ends the process when a page is written
            with self.part.open("r+b") as file:
                try:
                    os.posix_fallocate(file.fileno(), 0, min(whole, os.fstat(file.fileno()).st_size))
                except OSError as error:
                    if error.errno not in (errno.EOPNOTSUPP, errno.EINVAL, errno.ENOSYS):
                        raise
        return array

    def note(self, number: int) -> None:
        """The tile of this number is written; within half a second it outlives this process, and the machine's fall."""
        self.done.add(number)
        self._unlisted.append(number)
        if time.monotonic() - self._listed > _EVERY:
            self._write_down()

    def _write_down(self) -> None:
        """The tiles that are written since are on the disk before they are in the list, and that at once of several:
        tiles beside each other share pages."""
        if self._unlisted:
            self.array.flush()  # type: ignore[attr-defined]
            self._write("\n".join(map(str, self._unlisted)))
            self._unlisted.clear()
        self._listed = time.monotonic()

    def _write(self, line: str) -> None:
        assert self._log is not None
        self._log.write(line + "\n")
        self._log.flush()

    def finish(self) -> None:
        """All tiles are there: the file gets its name, and the list goes."""
        self.array.flush()  # type: ignore[attr-defined]
        self._unlisted.clear()
        del self.array
        os.replace(self.part, self.path)
        self.close()
        if not self._keep:
            with suppress(OSError):
                self.list.unlink()

    def close(self) -> None:
        """Keep what is there for the next start; where no tile is, nothing is left."""
        if self._log is not None and self._unlisted:
            with suppress(OSError):  # then they are done again
                self._write_down()
        if self._ours and not self.done:
            self._ours = False
            for file in (self.part, self.list):
                with suppress(OSError):
                    file.unlink()
        if self._log is not None:
            with suppress(OSError):
                self._log.close()
            self._log = None

    def _refused(self, error: OSError, n: int, dtype: np.dtype[Any]) -> DataError:
        size = n * n * dtype.itemsize
        return DataError(
            f"{self.path}: a file of {size / 2**30:.3g} GiB cannot be written there, {error.strerror or error}. Free "
            "space, or choose a directory that is yours."
        )
