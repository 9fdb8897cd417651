"""Read files by their paths, within limits that follow the machine's memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..errors import DataError
from ..numerics.budget import memory_budget
from .dataset import Dataset
from .readings import Reading, readings, strongest
from .uploads import LIMITS, Limits, content

#: Bytes that a cell of a table takes while it is read: a string and the pointer to it.
_CELL = 200
#: A square matrix, its symmetric half and a copy.
_ENTRY = 24


def limits_of_memory(budget: int | None = None) -> Limits:
    """Return the limits for a file on a machine that nobody shares: in proportion to its memory.

    Never less than what an upload may hold; `budget` in bytes, by default `memory_budget()`.

    >>> limits_of_memory(2**33).cells, limits_of_memory(0) == LIMITS
    (42949672, True)
    """
    budget = memory_budget() if budget is None else budget
    return replace(
        LIMITS,
        bytes=max(LIMITS.bytes, budget // 4),
        rows=max(LIMITS.rows, budget // _CELL),
        columns=max(LIMITS.columns, budget // 2**16),
        cells=max(LIMITS.cells, budget // _CELL),
        sheet=max(LIMITS.sheet, budget // _CELL),
        side=max(LIMITS.side, int((budget / _ENTRY) ** 0.5)),
        unpacked=max(LIMITS.unpacked, budget // 4),
    )


def contents_of(paths: Sequence[str | Path], limits: Limits) -> dict[str, bytes]:
    """Return the files' bytes by name, in the given order; DataError for a file that cannot be read or is too large."""
    files = [Path(path) for path in paths]
    if len({file.name for file in files}) < len(files):
        raise DataError(f"{files[0].name}: two files have the same name; expected different ones. Rename one of them.")
    return {file.name: content(file, None, limits)[0] for file in files}


def read_paths(
    path: str | Path | Sequence[str | Path], *, rows: int | None = None, seed: int = 0, **choices: Any
) -> Dataset:
    """Return the data set of a file, or of files that belong together, within `limits_of_memory`.

    Parameters: `path`; `choices`, see `kernlib.data.CHOICES`; `rows` and `seed` of a stratified sample.

    Raises AmbiguousReadingError where the file could be read in several ways, or where a label, the entries of a matrix
    or missing cells need a decision; it lists the readings and what to write. DataError for a file that cannot be read.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "t.csv")
    >>> _ = file.write_text("size,kind\\n1.5,a\\n2.5,b\\n3.5,a\\n0.5,b\\n")
    >>> read_paths(file, label="kind")
    Dataset('t', vector, n=4, d=1, classes={'a': 2, 'b': 2})
    >>> read_paths(file)
    Traceback (most recent call last):
    kernlib.errors.AmbiguousReadingError: t.csv: how it is read has to be decided. ...
    """
    return strongest(readings_of_paths(path, **choices)).dataset(rows=rows, seed=seed)


def readings_of_paths(path: str | Path | Sequence[str | Path], **choices: Any) -> tuple[Reading, ...]:
    """Return the readings of a file, or of files that belong together; see `kernlib.data.readings`."""
    limits = limits_of_memory()
    paths = [path] if isinstance(path, str | Path) else list(path)
    (name, raw), *others = contents_of(paths, limits).items()
    return readings(name, raw, more=dict(others) or None, limits=limits, **choices)
