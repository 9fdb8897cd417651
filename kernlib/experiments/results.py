"""Results on disk: every fold, the curve, and the spec that made them; all three files or none."""

from __future__ import annotations

import csv
import io
import os
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..errors import DataError
from .curve import Curve, curve
from .folds import FoldResult
from .spec import RunSpec

__all__ = ["check_writable", "curve_csv", "results_csv", "write_results"]


def results_csv(spec: RunSpec, results: Iterable[FoldResult]) -> str:
    """One line per fold in the order of value and split, numbers with all their digits."""
    order = {value: i for i, value in enumerate(spec.values)}
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    leaky = ["leaky"] if spec.leaky else []
    writer.writerow([*_axis_names(spec), "split", "score", *leaky, "train", "test", "seconds", "tuned", "problem"])
    for r in sorted(results, key=lambda r: (order.get(r.value, len(order)), r.split)):
        tuned = "; ".join(f"{path}={value!r}" for path, value in r.tuned)
        shown = [repr(r.leaky)] if spec.leaky else []
        sizes = (r.n_train, r.n_test, f"{r.seconds:.6f}")
        told = r.problem or r.warning
        writer.writerow([*_cells(spec, r.value), r.split, repr(r.score), *shown, *sizes, tuned, told])
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


def check_writable(out: str | Path) -> None:
    """Make the directory and write to it for a try, before hours are spent; DataError if it cannot be."""
    try:
        Path(out).mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=out) as probe:
            probe.write(b"kernlib")
    except OSError as error:
        raise _unwritable(out, error) from None


def write_results(spec: RunSpec, results: Iterable[FoldResult], out: str | Path) -> tuple[Path, ...]:
    """Write results.csv, curve.csv and spec.json to a directory, which is made if need be.

    All are written under other names first and renamed when all are complete, so that a full disk
    leaves the old files as they were. Raises DataError with the reason.

    >>> from kernlib import RBF
    >>> spec = RunSpec("colon", RBF())
    >>> [p.name for p in write_results(spec, [], tempfile.mkdtemp())]
    ['results.csv', 'curve.csv', 'spec.json']
    """
    found = list(results)
    contents = {
        "results.csv": results_csv(spec, found),
        "curve.csv": curve_csv(spec, curve(spec, found)),
        "spec.json": spec.to_json() + "\n",
    }
    directory = Path(out)
    waiting: list[tuple[Path, Path]] = []
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for name, content in contents.items():
            part = directory / f".{name}.{os.getpid()}.part"
            waiting.append((part, directory / name))
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
        raise _unwritable(out, error) from None
    return tuple(final for _, final in waiting)


def _unwritable(out: str | Path, error: OSError) -> DataError:
    return DataError(
        f"{out}: the results cannot be written, {error.strerror or error}; nothing was. "
        "Free space, or choose a directory that is yours."
    )
