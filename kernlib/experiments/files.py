"""The file of an upload, read again as the data set that a run was specified for."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, get_args

from ..data import Dataset, Domain, Limits, Missing, Symmetrise, Task, Upload, read_upload
from ..data.paths import contents_of, limits_of_memory
from ..errors import DataError
from .spec import UPLOAD, RunSpec

__all__ = ["reread_upload"]

_ROLE = "role:"
_WITHOUT = "without:"


def reread_upload(paths: str | Path | Sequence[str | Path], spec: RunSpec) -> Dataset:
    """The data set in a file, read in the way that gives the spec's digest.

    The ways of reading (kind of rows, missing cells, task, symmetry) are tried until the digest
    fits. What was chosen by hand stands in the spec's `parameters`: ``("role:<column>", role)`` for
    columns, ``("header", False)``, ``("part", "Sheet 2")`` and ``("encoding", "cp1251")`` for what else the file was
    asked for, ``("without:<class>", True)`` for a class that is left out, ``("n", rows)`` and ``("seed", seed)`` for a
    stratified sample. For a spec of the catalogue's
    data, the file's first reading is taken as it is.

    Parameters: `paths`, the file, or it and those that belong to it.
    Raises DataError where no reading gives that digest, with the first reading's error if there was
    none at all.

    >>> import tempfile
    >>> from kernlib import Linear
    >>> file = Path(tempfile.mkdtemp(), "t.csv")
    >>> _ = file.write_text("size,kind\\n1.5,a\\n2.5,b\\n0.5,a\\n")
    >>> digest = read_upload("t.csv", file.read_bytes()).dataset().digest
    >>> reread_upload(file, RunSpec("upload:" + digest, Linear()))
    Dataset('t', vector, n=3, d=1, classes={'a': 2, 'b': 1})
    """
    wanted = spec.data[len(UPLOAD) :] if spec.data.startswith(UPLOAD) else None
    files = [Path(p) for p in ([paths] if isinstance(paths, str | Path) else paths)]
    limits = limits_of_memory()
    contents = contents_of(files, limits)
    first_error: DataError | None = None
    found = ""
    parameters = dict(spec.parameters)
    rows, seed = parameters.get("n"), int(parameters.get("seed", 0))
    without = [name.removeprefix(_WITHOUT) for name in parameters if name.startswith(_WITHOUT)]
    for upload, missing, task, symmetrise in _readings(contents, parameters, limits):
        try:
            data = upload.dataset(missing=missing, task=task, symmetrise=symmetrise)
            data = data.without_classes(*without) if without else data
            data = data if rows is None else data.stratified_sample(rows, seed=seed)
        except DataError as error:
            first_error = first_error or error
            continue
        if wanted is None or data.digest == wanted:
            return data
        found = found or data.digest
    if first_error is not None and not found:
        raise first_error
    raise DataError(
        f"{files[0].name}: the run was specified for other data; expected digest {str(wanted)[:12]}…, got "
        f"{found[:12]}…. Choose the file as it was then, with the same label column, roles and sample."
    )


def _readings(
    contents: dict[str, bytes], parameters: dict[str, Any], limits: Limits
) -> Iterator[tuple[Upload, Missing, Task | None, Symmetrise]]:
    """The likeliest first: as it is recognised, nothing dropped, labels deciding what they are."""
    name, *others = contents
    roles = {k.removeprefix(_ROLE): v for k, v in parameters.items() if k.startswith(_ROLE)}
    asked: dict[str, Any] = {
        "more": {other: contents[other] for other in others} or None, "roles": roles,
        "header": parameters.get("header"), "part": parameters.get("part", ""),
        "encoding": parameters.get("encoding", ""), "limits": limits,
    }  # fmt: skip
    guessed = read_upload(name, contents[name], **asked)
    domains: list[Domain | None] = [None, *(d for d in guessed.domains if d != guessed.domain)]
    tasks: tuple[Task | None, ...] = (None, *get_args(Task))
    for domain in domains:
        try:
            upload = guessed if domain is None else read_upload(name, contents[name], domain=domain, **asked)
        except DataError:
            continue  # this kind of rows cannot be made of the file with these roles
        symmetries: tuple[Symmetrise, ...] = get_args(Symmetrise) if upload.asymmetric else ("",)
        ways: tuple[Missing, ...] = get_args(Missing) if upload.missing else ("refuse",)
        for missing, task, symmetrise in itertools.product(ways, tasks, symmetries):
            yield upload, missing, task, symmetrise
