"""The file of an upload, read again as the data set of a run."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, get_args

from ...data import Dataset, Symmetrise, Task, readings_of_paths
from ...data.choices import OF_FILE, of_parameters
from ...errors import DataError
from ..spec import RunSpec


def reread_upload(paths: str | Path | Sequence[str | Path], spec: RunSpec) -> Dataset:
    """Return the data set in a file, read as the spec's `parameters` say; its digest must be the spec's.

    The parameters are those of `Reading.parameters`: ``("kind", "table")``, ``("role:<column>", role)``,
    ``("header", 0)``, ``("part", "Sheet 2")``, …, and ``("n", rows)`` with ``("seed", seed)`` for a sample.
    A spec of an earlier version has only some of them: then other readings, ways of handling missing cells and kinds
    of label are tried until the digest agrees. For a spec of the catalogue's data, the first reading is returned.

    Parameters: `paths`, the file, or several files that belong together.
    Raises DataError if no reading gives that digest, with the first reading's error if none succeeds.

    >>> import tempfile
    >>> from kernlib import Linear
    >>> file = Path(tempfile.mkdtemp(), "t.csv")
    >>> _ = file.write_text("size,class\\n1.5,a\\n2.5,b\\n0.5,a\\n")
    >>> digest = readings_of_paths(file)[0].dataset().digest
    >>> reread_upload(file, RunSpec("upload:" + digest, Linear()))
    Dataset('t', vector, n=3, d=1, classes={'a': 2, 'b': 1})
    """
    files = [Path(p) for p in ([paths] if isinstance(paths, str | Path) else paths)]
    first_error: DataError | None = None
    digest = ""
    parameters = dict(spec.parameters)
    rows, seed = parameters.get("n"), parameters.get("seed", 0)
    for key, value in (("n", rows), ("seed", seed)):
        if value is not None and type(value) is not int:
            raise DataError(
                f"The spec: parameters: {key} is {value!r:.40}; expected a whole number. Download the run again."
            )
    for make in _ways(files, of_parameters(parameters), parameters):
        try:
            data = make()
            data = data if rows is None else data.stratified_sample(rows, seed=seed)
        except DataError as error:
            first_error = first_error or error
            continue
        if spec.upload in ("", data.digest):
            return data
        digest = digest or data.digest
    if first_error is not None and not digest:
        raise first_error
    raise DataError(
        f"{files[0].name}: the run was specified for other data; expected digest {spec.upload[:12]}…, got "
        f"{digest[:12]}…. Choose the unchanged file, with the same label column, roles and sample."
    )


def _ways(files: list[Path], asked: dict[str, Any], parameters: Mapping[str, Any]) -> Iterator[Callable[[], Dataset]]:
    """Yield what makes the data set: the reading of the spec, then those that a spec of an earlier version may mean."""
    found = readings_of_paths(files, **asked)
    yield from (found[0].dataset,) if "kind" in parameters else ()
    old = {k: v for k, v in asked.items() if k not in OF_FILE}
    for one in found:
        tasks: tuple[Task | None, ...] = (None, *get_args(Task)) if one.label else (None,)
        symmetries: tuple[Symmetrise | None, ...] = (
            (None, *get_args(Symmetrise)[1:]) if "matrix" in one.choices else (None,)
        )
        squares = (None, "scores", "distances") if "matrix" in one.choices and "matrix" not in old else (None,)
        gaps = (None, "drop", "mean", "most_frequent") if one.gaps and "missing" not in old else (None,)
        labels = [{}] if one.label or "label" in old else [{}, *({"label": name} for name in one.candidates)]
        words = [{}, {"kinds": dict.fromkeys((c for c, role in one.roles.items() if role == "compared"), "word")}]
        for label, kinds, missing, task, half, square in itertools.product(
            labels, words if one.kind == "table" else [{}], gaps, tasks, symmetries, squares
        ):
            more = {"missing": missing, "task": task, "symmetrise": half, "matrix": square}
            choices: dict[str, Any] = {**label, **kinds, **{k: v for k, v in more.items() if v is not None}}
            yield partial(one.dataset, **choices)
