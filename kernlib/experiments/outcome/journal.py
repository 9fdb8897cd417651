"""The fold results of a run on disk, line by line, so that an interrupted run resumes where it stopped."""

from __future__ import annotations

import json
import math
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, fields
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from ...core.base import Kernel
from ...data import Dataset
from ...errors import DataError, KernlibError
from ...measures import MEASURES
from ...own.registered import own_parts
from ...values.ledger import Ledger, fcntl, lock
from ..running.folds import REFERENCE, FoldResult
from ..running.single import single_runs
from ..spec import RunSpec, Tuned

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

    `results` are those of an earlier start of the same run. Every line is checked against the run: `notice` is a
    sentence about lines that cannot be used, or "". Use it inside `locked`.

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
            reader = _Reader(spec, [record for _, record in self._ledger.lines if isinstance(record, dict)])
            self.results, self.notice = self._ledger.accept(reader.read)
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


class _Reader:
    """Read records as fold results of one run, each fold once."""

    def __init__(self, spec: RunSpec, records: list[dict[str, Any]]) -> None:
        self.spec = spec
        # Values are compared as JSON text, in which 1, 1.0 and true differ.
        self.values: dict[str, Any] = {}
        self.splits: dict[str, set[int]] = {}
        for run in single_runs(spec):
            for value in map(run.outward_value, (*run.spec.values, *([REFERENCE] if spec.reference else []))):
                self.values[json.dumps(value)] = value
                splits = range(run.first_split, run.first_split + run.spec.protocol.count)
                self.splits.setdefault(json.dumps(value), set()).update(splits)
        self.tuning = {axis.path: {json.dumps(v): v for v in axis.values} for axis in spec.tuning}
        different = {json.dumps(record): _fold(record) for record in records}
        self.disputed = {fold for fold, count in Counter(different.values()).items() if count > 1}
        self.read_already: set[str] = set()

    def read(self, record: Any) -> FoldResult:
        """Return the record as a fold result; DataError if it is no result of this run."""
        if not isinstance(record, dict) or not {*_REQUIRED} <= {*record} <= {*_FIELDS}:
            raise DataError("no fold result")
        value, split = json.dumps(record["value"]), record["split"]
        if value not in self.values:
            raise DataError(f"value {value:.40} is not on the run's axis")
        if not _is_count(split) or split not in self.splits[value]:
            raise DataError(f"split {json.dumps(split):.40} is not one of the run's")
        if _fold(record) in self.disputed:
            raise DataError("two different results for one fold")
        if _fold(record) in self.read_already:
            raise DataError("a copy of an earlier line")
        self.read_already.add(_fold(record))
        for name, fits in _PLAIN.items():
            if name in record and not fits(record[name]):
                raise DataError(f"{name} is {json.dumps(record[name]):.40}")
        problem, also, leaky = record.get("problem", ""), record.get("also", []), record.get("leaky")
        if not isinstance(also, list) or len(also) != (0 if problem and not also else len(self.spec.also)):
            raise DataError(f"also is {json.dumps(also):.40}")
        if leaky is not None or (self.spec.leaky and not problem):
            leaky = self._score("leaky", leaky, self.spec.measure, bool(problem) or not self.spec.leaky)
        return FoldResult(
            value=self.values[value],
            split=split,
            score=self._score("score", record["score"], self.spec.measure, bool(problem)),
            n_train=record["n_train"],
            n_test=record["n_test"],
            seconds=float(record["seconds"]),
            problem=problem,
            tuned=self._tuned(record.get("tuned", []), value, bool(problem)),
            leaky=leaky,
            warning=record.get("warning", ""),
            constant=record.get("constant", False),
            also=tuple(self._score("also", s, name, False) for s, name in zip(also, self.spec.also, strict=bool(also))),
        )

    def _score(self, name: str, score: Any, measure: str, may_lack: bool) -> float:
        low, high = MEASURES[measure].low, MEASURES[measure].high
        # Rounding may take a share a little beyond 1.
        if not _is_number(score) or not (low - 1e-9 <= score <= high + 1e-9 or (may_lack and score != score)):
            raise DataError(f"{name} is {json.dumps(score):.40}")
        return float(score)

    def _tuned(self, tuned: Any, value: str, may_lack: bool) -> Tuned:
        expected = [p for p in self.tuning if value != json.dumps(REFERENCE) or p.startswith("machine.")]
        if may_lack and tuned == []:
            return ()
        try:
            pairs = tuple((path, self.tuning[path][json.dumps(chosen)]) for path, chosen in tuned)
        except (TypeError, ValueError, KeyError):
            pairs = None
        if pairs is None or [path for path, _ in pairs] != expected:
            raise DataError(f"tuned is {json.dumps(tuned):.40}")
        return pairs


_FIELDS = [f.name for f in fields(FoldResult)]
_REQUIRED = ("value", "split", "score", "n_train", "n_test", "seconds")


def _fold(record: dict[str, Any]) -> str:
    return json.dumps([record.get("value"), record.get("split")])


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < 2**53


def _is_number(value: Any) -> bool:
    return _is_count(value) or type(value) is float


#: The fields that are checked one by one.
_PLAIN: dict[str, Callable[[Any], bool]] = {
    "n_train": _is_count,
    "n_test": _is_count,
    "seconds": lambda value: _is_number(value) and 0 <= value < math.inf,
    "problem": lambda value: isinstance(value, str),
    "warning": lambda value: isinstance(value, str),
    "constant": lambda value: isinstance(value, bool),
}


def unwritable(out: str | Path, error: OSError, kept: str = "no fold was kept") -> DataError:
    """Return the error for a directory that cannot be written; `kept` is the end of its sentence."""
    return DataError(
        f"{out}: the results cannot be written, {error.strerror or error}; {kept}. "
        "Free space, or choose a directory that is yours."
    )
