"""Results on disk: all folds, the curve, and the spec; all three files or none."""

from __future__ import annotations

import csv
import io
import os
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from ...data import Dataset
from ...values.words import inert_cell
from ..running.folds import FoldResult
from ..running.sweep import sweep
from ..spec import RunSpec
from .curve import Curve, curve
from .journal import Journal, locked, own_values, unwritable


def results_csv(spec: RunSpec, results: Iterable[FoldResult]) -> str:
    """Return one CSV line per fold, in the order of value and split, with all digits."""
    order = {value: i for i, value in enumerate(spec.values)}
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    scores = ["score", *(["leaky"] if spec.leaky else []), *spec.also]
    writer.writerow([*_axis_names(spec), "split", *scores, "train", "test", "seconds", "tuned", "problem"])
    for r in sorted(results, key=lambda r: (order.get(r.value, len(order)), r.split)):
        tuned = "; ".join(f"{path}={value!r}" for path, value in r.tuned)
        shown = [repr(r.leaky)] if spec.leaky else []
        sizes = (r.n_train, r.n_test, f"{r.seconds:.6f}")
        remark = inert_cell(r.problem or r.warning or ("One class for all test rows." if r.constant else ""))
        further = [repr(score) for score in r.also] if r.also else [""] * len(spec.also)
        writer.writerow([*_cells(spec, r.value), r.split, repr(r.score), *shown, *further, *sizes, tuned, remark])
    return out.getvalue()


def curve_csv(spec: RunSpec, drawn: Curve) -> str:
    """Return `Curve.to_frame` as CSV, with the axes' paths as column names and all digits."""
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
    """Compute a run and write its three files; after an interruption the same call resumes the run.

    Every result is written to `JOURNAL` as soon as it is computed; the file is deleted when the three files are
    complete. The directory belongs to this run until then.

    Parameters: `progress` is called after each fold
    with the number of results and the number of results that an earlier start left; `options` are `sweep`'s.
    Folds of damaged lines are computed again. Raises DataError if another run uses the directory or left unfinished
    results there, and as `sweep`.

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
        journal = Journal(directory, spec, data.digest, own_values(spec, data))
        try:
            resumed = len(journal.results)
            done = {(r.value, r.split) for r in journal.results}
            for result in sweep(spec, data, done=done, **options):
                journal.append(result)
                progress(len(journal.results), resumed)
            kept = f"the {len(journal.results)} folds are kept"
            contents = {
                "results.csv": results_csv(spec, journal.results),
                "curve.csv": curve_csv(spec, curve(spec, journal.results)),
                "spec.json": spec.to_json() + "\n",
            }
            files = write_files(directory, contents, kept)
            journal.finish()
        finally:
            journal.close()
    return files, journal.results


def check_writable(out: str | Path) -> None:
    """Create the directory and check, before the run, that files can be written to it; DataError if not."""
    try:
        Path(out).mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=out) as probe:
            probe.write(b"kernlib")
    except OSError as error:
        raise unwritable(out, error) from None


def write_files(directory: Path, contents: dict[str, str], kept: str = "no fold was kept") -> tuple[Path, ...]:
    """Write texts to files of a directory that this process has `locked`, and return the paths.

    The files get temporary names first and are renamed when all are complete: if the disk is full, the old files stay
    unchanged. Raises DataError with the reason; `kept` as in `unwritable`.
    """
    # The lock makes fixed temporary names safe; leftovers are overwritten.
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
        raise unwritable(directory, error, kept) from None
    return tuple(final for _, final in waiting)
