"""The fold results of a run on disk, line by line, so that an interrupted run resumes where it stopped."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from ...core.base import Kernel
from ...data import Dataset
from ...errors import DataError, KernlibError
from ...own.registered import own_parts
from ...values.ledger import Ledger, fcntl, lock
from ..running.folds import REFERENCE, FoldResult
from ..running.single import single_runs
from ..spec import RunSpec

#: The file in the results' directory that exists until the run is complete.
JOURNAL = "folds.jsonl"
#: About as many rows tell the code of a user-defined kernel from an earlier one.
_FEW = 16


@contextmanager
def locked(out: str | Path) -> Iterator[Path]:
    """Create the directory if needed and lock it for one writer; raise DataError if another process holds it.

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
        if handle is not None and not lock(handle):
            raise DataError(
                f"{out}: another run is writing there; expected one run per directory. "
                "Wait for it, or choose another directory."
            )
        yield directory
    finally:
        if handle is not None:
            os.close(handle)


class Journal:
    """The fold results of one run in the file `JOURNAL`, each written as soon as it is computed.

    `results` are those of an earlier start of the same run. Use it inside `locked`.

    `own` are the `own_values` of the run: results of earlier code are those of another run.

    Raises DataError for the journal of another run, which stays unchanged, and if the disk refuses.
    """

    def __init__(self, directory: Path, spec: RunSpec, digest: str, own: Sequence[Any] = ()) -> None:
        self.path = directory / JOURNAL
        existed = self.path.exists()
        head = {"kernlib": version_of("kernlib"), "rows": digest, "spec": json.loads(spec.to_json())}
        head |= {"definition of an own kernel": list(own)} if own else {}
        try:
            self._ledger = Ledger(self.path, head, "run")
            self.results = _results(spec, self._ledger.records)
        except OSError as error:
            if not existed:
                with suppress(OSError):
                    self.path.unlink()
            raise unwritable(directory, error) from None

    def append(self, result: FoldResult) -> None:
        """Write one more result to the disk."""
        try:
            self._ledger.append(asdict(result))
        except OSError as error:
            kept = f"the {len(self.results)} folds before it are kept" if self.results else "no fold was kept"
            raise unwritable(self.path.parent, error, kept) from None
        self.results.append(result)

    def close(self) -> None:
        """Keep the file for the next start."""
        self._ledger.close()

    def finish(self) -> None:
        """Delete the file: the results are written."""
        self._ledger.delete()


def own_values(spec: RunSpec, data: Dataset) -> list[Any]:
    """Return values of a run's user-defined kernels on a few rows, which tell their code from an earlier one."""
    values: list[Any] = []
    few = data.take(range(0, data.n, max(1, data.n // _FEW)))
    for kernel in (spec.kernel, *spec.values):
        if not isinstance(kernel, Kernel) or not own_parts(kernel):
            continue
        try:
            values.append([f"{value:.9g}" for value in kernel.fold(few.inputs, y=few.y).K.ravel()])
        except KernlibError as error:  # of these few rows, or of all
            values.append(str(error))
    return values


def version_of(package: str) -> str:
    """Return the version of an installed package; "" for kernlib in a checkout that is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _results(spec: RunSpec, records: list[dict[str, Any]]) -> list[FoldResult]:
    """Return records as fold results; JSON holds tuples as lists and 1.0 as itself, hence the run's own values."""
    values = {json.dumps(REFERENCE): REFERENCE}
    for one in single_runs(spec):
        values |= {json.dumps(value): value for value in map(one.outward_value, one.spec.values)}
    tuned = {(axis.path, json.dumps(value)): value for axis in spec.tuning for value in axis.values}
    return [
        FoldResult(
            **record
            | {
                "value": values[json.dumps(record["value"])],
                "tuned": tuple((path, tuned[path, json.dumps(value)]) for path, value in record["tuned"]),
                "also": tuple(record["also"]),
            }
        )
        for record in records
    ]


def unwritable(out: str | Path, error: OSError, kept: str = "no fold was kept") -> DataError:
    """Return the error for a directory that cannot be written; `kept` is the end of its sentence."""
    return DataError(
        f"{out}: the results cannot be written, {error.strerror or error}; {kept}. "
        "Free space, or choose a directory that is yours."
    )
