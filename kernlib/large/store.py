"""A matrix on disk while it is computed: the file of its values and the ledger of its complete tiles."""

from __future__ import annotations

import errno
import os
import shutil
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import DataError
from ..values.arrays import Array
from ..values.ledger import Ledger

#: Seconds between two writes of the ledger.
_EVERY = 0.5


class GrowingFile:
    """An (n, n) array in `path`.part and the numbers of its complete tiles in `path`.tiles; `finish` renames it `path`.

    `head` identifies the matrix, as JSON: a file of the same matrix is resumed, with the numbers of its complete tiles
    in `done`; the file of another matrix is refused and stays unchanged. All disk space is allocated
    before the first tile, so that a full disk is reported at once. `close` keeps an unfinished file for the next start.
    With `keep` the ledger stays beside the complete file, so that the next start recognises it: `complete` is then true
    and nothing is left to compute.

    Raises DataError if `path` exists, another process writes it, or the disk is too small or refuses.
    """

    def __init__(
        self, path: str | Path, n: int, dtype: np.dtype[Any], head: dict[str, Any], keep: bool = False
    ) -> None:
        self.path = Path(path)
        self.part, self.list = (self.path.with_name(self.path.name + end) for end in (".part", ".tiles"))
        self.done: set[int] = set()
        self._unwritten: list[int] = []
        self._written = time.monotonic()
        self._keep, self._resumed = keep, False
        self._ledger: Ledger | None = None
        self.complete = keep and self._is_complete(n, dtype, head)
        if self.complete:
            return
        if self.path.exists():
            raise DataError(f"{path}: the file exists already; expected a new name. Delete it, or choose another name.")
        try:
            if not self.part.exists():  # a list without its matrix
                self.list.unlink(missing_ok=True)
            self._ledger = Ledger(self.list, head, "matrix")
            self.done = {record["tile"] for record in self._ledger.records}
            self._resumed = True
            self.array: Array = self._allocated(n, dtype)
        except DataError:
            self.close()
            raise
        except OSError as error:
            self.close()
            raise DataError(
                f"{self.path}: a file of {n * n * dtype.itemsize / 2**30:.3g} GiB cannot be written there, "
                f"{error.strerror or error}. Free space, or choose a directory that is yours."
            ) from None

    def _is_complete(self, n: int, dtype: np.dtype[Any], head: dict[str, Any]) -> bool:
        """Return whether the file exists and is, in full, the matrix that the ledger beside it describes."""
        if not self.path.exists() or not Ledger.matches(self.list, head):
            return False
        try:
            K = np.load(self.path, mmap_mode="r")
        except (OSError, ValueError):
            return False
        return bool(K.shape == (n, n) and K.dtype == dtype)

    def _allocated(self, n: int, dtype: np.dtype[Any]) -> Array:
        size = n * n * dtype.itemsize
        allocated = (
            self.part.stat().st_blocks * 512 if self.part.exists() and hasattr(os.stat_result, "st_blocks") else 0
        )
        free = shutil.disk_usage(self.part.parent).free
        if size - allocated > free:
            fits = int(((free + allocated) / dtype.itemsize) ** 0.5)
            raise DataError(
                f"{self.path}: {n} rows need {size / 2**30:.3g} GiB on disk; expected at most the "
                f"{(free + allocated) / 2**30:.3g} GiB that are free. Take at most {fits} rows, "
                "dtype='float32', or another disk."
            )
        with suppress(OSError, ValueError):
            if self.part.stat().st_size < size:
                raise ValueError  # NumPy would fill the rest with zeros
            array: Array = np.lib.format.open_memmap(self.part, mode="r+")
            if array.shape == (n, n) and array.dtype == dtype and array.flags.c_contiguous:
                return array
        self.done = set()
        array = np.lib.format.open_memmap(self.part, mode="w+", dtype=dtype, shape=(n, n))
        if hasattr(os, "posix_fallocate"):  # otherwise a full disk ends the process when a page is written
            with self.part.open("r+b") as file:
                try:
                    os.posix_fallocate(file.fileno(), 0, os.fstat(file.fileno()).st_size)
                except OSError as error:
                    if error.errno not in (errno.EOPNOTSUPP, errno.EINVAL, errno.ENOSYS):
                        raise
        return array

    def note(self, number: int) -> None:
        """Record that a tile is written; within half a second the record survives a crash of the machine."""
        self.done.add(number)
        self._unwritten.append(number)
        if time.monotonic() - self._written > _EVERY:
            self._write()

    def _write(self) -> None:
        """Write the tiles to the disk, then their numbers; several at once, as neighbouring tiles share pages."""
        if self._unwritten and self._ledger is not None:
            self.array.flush()  # type: ignore[attr-defined]
            self._ledger.append(*({"tile": number} for number in self._unwritten))
            self._unwritten = []
        self._written = time.monotonic()

    def finish(self) -> None:
        """Rename the file, since all tiles are complete, and delete the ledger."""
        assert self._ledger is not None
        self.array.flush()  # type: ignore[attr-defined]
        self._unwritten = []
        del self.array
        os.replace(self.part, self.path)
        if self._keep:
            self._ledger.close()
        else:
            self._ledger.delete()
        self._ledger = None

    def close(self) -> None:
        """Keep the complete tiles for the next start; delete the files if there is none."""
        if self._ledger is None:
            return
        with suppress(OSError):  # tiles that the ledger lacks are computed again
            self._write()
        if self.done or not self._resumed:
            self._ledger.close()
        else:
            self._ledger.delete()
            with suppress(OSError):
                self.part.unlink()
        self._ledger = None
