"""Results on disk: every fold, the curve, and the spec that made them; all three files or none."""

from __future__ import annotations

import csv
import io
import os
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..cells import inert_cell
from ..data import Dataset
from .curve import Curve, curve
from .folds import FoldResult
from .journal import Journal, locked, unwritable
from .spec import RunSpec
from .sweep import sweep

__all__ = ["check_writable", "curve_csv", "results_csv", "run_to", "write_results"]


def results_csv(spec: RunSpec, results: Iterable[FoldResult]) -> str:
    """One line per fold in the order of value and split, numbers with all their digits."""
    order = {value: i for i, value in enumerate(spec.values)}
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    scores = ["score", *(["leaky"] if spec.leaky else []), *spec.also]
    writer.writerow([*_axis_names(spec), "split", *scores, "train", "test", "seconds", "tuned", "problem"])
    for r in sorted(results, key=lambda r: (order.get(r.value, len(order)), r.split)):
        tuned = "; ".join(f"{path}={value!r}" for path, value in r.tuned)
        shown = [repr(r.leaky)] if spec.leaky else []
        sizes = (r.n_train, r.n_test, f"{r.seconds:.6f}")
        told = inert_cell(r.problem or r.warning)
        further = [repr(score) for score in r.also] if r.also else [""] * len(spec.also)
        writer.writerow([*_cells(spec, r.value), r.split, repr(r.score), *shown, *further, *sizes, tuned, told])
    return out.getvalue()


def curve_csv(spec: RunSpec, drawn: Curve) -> str:
    """`Curve.to_frame` with the axes' paths as names and all digits."""
    frame = drawn.to_frame()
    names = _axis_names(spec)
    frame.columns = [*names, *frame.columns[len(names) :]]
    frame["not_worse_than_best"] = frame["not_worse_than_best"].astype(int)
    text: str = frame.to_csv(index=False, lineterminator="\n")
    return text


def _axis_names(spec: RunSpec) -> list[str]:
    return [axis.path for axis in spec.axes] or ["value"]


def _cells(spec: RunSpec, value: Any) -> list[Any]:
    if spec.second is not None:
        return list(value) if isinstance(value, tuple) else [value, value]
    return ["" if value is None else value]


def run_to(
    out: str | Path,
    spec: RunSpec,
    data: Dataset | None = None,
    *,
    progress: Callable[[int, int], object] = lambda done, resumed: None,
    **options: Any,
) -> tuple[tuple[Path, ...], list[FoldResult]]:
    """Compute a run and write its three files; interrupted, the same call goes on where it stopped.

    Every result is on disk, in `JOURNAL`, as soon as it is there; the file goes when the three are
    written. The directory belongs to this run until then.

    Parameters: `progress` is told after each fold how many there are, and how many were there at the
    start; `options` are `sweep`'s. Raises DataError where another run has the directory or its
    unfinished results stand there, and as `sweep`.

    >>> from kernlib import RBF
    >>> from kernlib.protocols import RepeatedSplits
    >>> spec = RunSpec("iris", RBF(sigma="median"), protocol=RepeatedSplits(repeats=2))
    >>> files, results = run_to(tempfile.mkdtemp(), spec)
    >>> [file.name for file in files], len(results)
    (['results.csv', 'curve.csv', 'spec.json'], 2)
    """
    data = spec.load() if data is None else data
    with locked(out) as directory:
        check_writable(directory)
        journal = Journal(directory, spec, data.digest)
        try:
            resumed = len(journal.results)
            done = {(r.value, r.split) for r in journal.results}
            for result in sweep(spec, data, done=done, **options):
                journal.append(result)
                progress(len(journal.results), resumed)
            files = _write(spec, journal.results, directory)
            journal.finish()
        finally:
            journal.close()
    return files, journal.results


def check_writable(out: str | Path) -> None:
    """Make the directory and write to it for a try, before hours are spent; DataError if it cannot be."""
    try:
        Path(out).mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=out) as probe:
            probe.write(b"kernlib")
    except OSError as error:
        raise unwritable(out, error) from None


def write_results(spec: RunSpec, results: Iterable[FoldResult], out: str | Path) -> tuple[Path, ...]:
    """Write results.csv, curve.csv and spec.json to a directory, which is made if need be.

    All are written under other names first and renamed when all are complete, so that a full disk
    leaves the old files as they were, and by one process at a time. Raises DataError with the reason.

    >>> from kernlib import RBF
    >>> spec = RunSpec("colon", RBF())
    >>> [p.name for p in write_results(spec, [], tempfile.mkdtemp())]
    ['results.csv', 'curve.csv', 'spec.json']
    """
    with locked(out) as directory:
        return _write(spec, list(results), directory)


def _write(spec: RunSpec, found: list[FoldResult], directory: Path) -> tuple[Path, ...]:
    contents = {
        "results.csv": results_csv(spec, found),
        "curve.csv": curve_csv(spec, curve(spec, found)),
        "spec.json": spec.to_json() + "\n",
    }
    # The directory is this process's: the names need not differ, and what an earlier one left is written over.
    waiting = [(directory / f".{name}.part", directory / name) for name in contents]
    try:
        for (part, _), content in zip(waiting, contents.values(), strict=True):
            with part.open("w", encoding="utf-8", newline="") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
        for part, final in waiting:
            part.replace(final)
    except OSError as error:
        for part, _ in waiting:
            with suppress(OSError):
                part.unlink()
        raise unwritable(directory, error) from None
    return tuple(final for _, final in waiting)
