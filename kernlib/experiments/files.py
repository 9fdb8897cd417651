"""A run on disk: its results, the folds of an interrupted run, and the file of an upload, read again."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from ..data import Dataset, readings_of_paths
from ..data.readings import of_parameters
from ..errors import DataError
from ..own.registered import own_parts
from ..values.ledger import Ledger
from ..values.words import inert_cell
from .curve import Curve, curve
from .folds import REFERENCE, FoldResult
from .spec import RunSpec
from .sweep import sweep

#: The file in the results' directory that exists until the run is complete.
JOURNAL = "folds.jsonl"


@contextmanager
def _writing_to(out: str | Path) -> Iterator[Path]:
    """Create the directory if needed; an error of the disk inside the block becomes a DataError."""
    try:
        Path(out).mkdir(parents=True, exist_ok=True)
        yield Path(out)
    except OSError as error:
        raise DataError(
            f"{out}: the results cannot be written, {error.strerror or error}; what is finished is kept. "
            "Free space, or choose a directory that is yours."
        ) from None


def version_of(package: str) -> str:
    """Return the version of an installed package; "" for kernlib in a checkout that is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


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
    complete. A run with user-defined kernels, whose code may have changed, starts anew. The directory belongs to this
    run until then.

    Parameters: `progress` is called after each fold with the number of results and the number of results that an
    earlier start left; `options` are `sweep`'s. Raises DataError if another run uses the directory or left unfinished
    results there, and as `sweep`.

    >>> import tempfile
    >>> from kernlib import RBF
    >>> from kernlib.protocols import RepeatedSplits
    >>> spec = RunSpec("iris", RBF(sigma="median"), protocol=RepeatedSplits(repeats=2))
    >>> files, results = run_to(tempfile.mkdtemp(), spec)
    >>> [file.name for file in files], len(results)
    (['results.csv', 'curve.csv', 'spec.json'], 2)
    """
    data = spec.load() if data is None else data
    with _writing_to(out) as directory:
        head = {"kernlib": version_of("kernlib"), "rows": data.digest, "spec": json.loads(spec.to_json())}
        with closing(Ledger(directory / JOURNAL, head)) as ledger:
            if any(own_parts(kernel) for kernel in (spec.reference, *(spec.at(v)[0] for v in spec.values)) if kernel):
                ledger.restart()
            results = _results(spec, ledger.records)
            resumed, done = len(results), {(r.value, r.split) for r in results}
            for result in sweep(spec, data, done=done, **options):
                ledger.append(asdict(result))
                results.append(result)
                progress(len(results), resumed)
            contents = {
                "results.csv": results_csv(spec, results),
                "curve.csv": curve_csv(spec, curve(spec, results)),
                "spec.json": spec.to_json() + "\n",
            }
            files = write_files(directory, contents)
            ledger.delete()
    return files, results


def _results(spec: RunSpec, records: list[dict[str, Any]]) -> list[FoldResult]:
    """Return records as fold results; JSON holds tuples as lists and 1.0 as itself, hence the run's own values."""
    values = {json.dumps(value): value for value in (*spec.values, REFERENCE)}
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


def write_files(out: str | Path, contents: dict[str, str]) -> tuple[Path, ...]:
    """Write texts to files of a directory and return the paths; raise DataError if it cannot be written.

    The files get temporary names first and are renamed when all are complete: if the disk is full, the old files stay
    unchanged.
    """
    with _writing_to(out) as directory:
        waiting = [(directory / f".{name}.part", directory / name) for name in contents]
        try:
            for (part, _), content in zip(waiting, contents.values(), strict=True):
                part.write_text(content, encoding="utf-8", newline="")
            for part, final in waiting:
                part.replace(final)
        finally:
            for part, _ in waiting:
                part.unlink(missing_ok=True)
    return tuple(final for _, final in waiting)


def reread_upload(paths: str | Path | Sequence[str | Path], spec: RunSpec) -> Dataset:
    """Return the data set in a file, read as the spec's `parameters` say; its digest must be the spec's.

    The parameters are those of `Reading.parameters`: ``("kind", "table")``, ``("role:<column>", role)``,
    ``("header", 0)``, ``("part", "Sheet 2")``, …, and ``("n", rows)`` with ``("seed", seed)`` for a sample. For a spec
    of the catalogue's data, the first reading is returned.

    Parameters: `paths`, the file, or several files that belong together.
    Raises DataError if the file cannot be read, or gives another digest.

    >>> import tempfile
    >>> from kernlib import Linear
    >>> file = Path(tempfile.mkdtemp(), "t.csv")
    >>> _ = file.write_text("size,class\\n1.5,a\\n2.5,b\\n0.5,a\\n")
    >>> digest = readings_of_paths(file)[0].dataset().digest
    >>> reread_upload(file, RunSpec("upload:" + digest, Linear()))
    Dataset('t', vector, n=3, d=1, classes={'a': 2, 'b': 1})
    """
    files = [Path(p) for p in ([paths] if isinstance(paths, str | Path) else paths)]
    parameters = dict(spec.parameters)
    rows, seed = parameters.get("n"), parameters.get("seed", 0)
    for key, value in (("n", rows), ("seed", seed)):
        if value is not None and type(value) is not int:
            raise DataError(
                f"The spec: parameters: {key} is {value!r:.40}; expected a whole number. Download the run again."
            )
    data = readings_of_paths(files, **of_parameters(parameters))[0].dataset()
    data = data if rows is None else data.stratified_sample(rows, seed=seed)
    if spec.upload not in ("", data.digest):
        raise DataError(
            f"{files[0].name}: the run was specified for other data; expected digest {spec.upload[:12]}…, got "
            f"{data.digest[:12]}…. Choose the unchanged file, label column, roles and sample. A run of an earlier "
            "version must be downloaded again."
        )
    return data
