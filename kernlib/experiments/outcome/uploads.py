"""The file of an upload, read again as the data set of a run."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import get_args

from ...data import Dataset, Domain, Limits, Missing, Reading, Symmetrise, Task, Upload, read_upload
from ...data.paths import contents_of, limits_of_memory
from ...errors import DataError
from ..spec import RunSpec


def reread_upload(paths: str | Path | Sequence[str | Path], spec: RunSpec) -> Dataset:
    """Return the data set in a file, read in the way that gives the spec's digest.

    The ways of reading (kind of rows, missing cells, task, symmetry) are tried until the digest agrees. Choices that a
    user made are in the spec's `parameters`: ``("role:<column>", role)`` for columns; ``("header", False)``,
    ``("part", "Sheet 2")`` and ``("encoding", "cp1251")`` for options of the file; ``("without:<class>", True)`` for a
    class that is left out; ``("n", rows)`` and ``("seed", seed)`` for a stratified sample. For a spec of the
    catalogue's data, the first reading of the file is returned.

    Parameters: `paths`, the file, or several files that belong together.
    Raises DataError if no reading gives that digest, with the first reading's error if none succeeds.

    >>> import tempfile
    >>> from kernlib import Linear
    >>> file = Path(tempfile.mkdtemp(), "t.csv")
    >>> _ = file.write_text("size,kind\\n1.5,a\\n2.5,b\\n0.5,a\\n")
    >>> digest = read_upload("t.csv", file.read_bytes()).dataset().digest
    >>> reread_upload(file, RunSpec("upload:" + digest, Linear()))
    Dataset('t', vector, n=3, d=1, classes={'a': 2, 'b': 1})
    """
    files = [Path(p) for p in ([paths] if isinstance(paths, str | Path) else paths)]
    limits = limits_of_memory()
    contents = contents_of(files, limits)
    first_error: DataError | None = None
    digest = ""
    parameters = dict(spec.parameters)
    rows, seed = parameters.get("n"), parameters.get("seed", 0)
    for key, value in (("n", rows), ("seed", seed)):
        if value is not None and type(value) is not int:
            raise DataError(
                f"The spec: parameters: {key} is {value!r:.40}; expected a whole number. Download the run again."
            )
    for upload, asked in _readings(contents, Reading.of_parameters(parameters), limits):
        try:
            data = upload.dataset(asked, rows=rows, seed=seed)
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


def _readings(contents: dict[str, bytes], asked: Reading, limits: Limits) -> Iterator[tuple[Upload, Reading]]:
    """Yield the readings, the likeliest first: as recognised, no rows dropped, the task guessed from the labels."""
    (name, raw), *others = contents.items()
    more = dict(others) or None
    guessed = read_upload(name, raw, asked, more=more, limits=limits)
    domains: list[Domain | None] = [None, *(d for d in guessed.domains if d != guessed.domain)]
    tasks: tuple[Task | None, ...] = (None, *get_args(Task))
    for domain in domains:
        try:
            one = replace(asked, domain=domain)
            upload = guessed if domain is None else read_upload(name, raw, one, more=more, limits=limits)
        except DataError:
            continue  # this kind of rows cannot be made of the file with these roles
        symmetries: tuple[Symmetrise, ...] = get_args(Symmetrise) if upload.asymmetric else ("",)
        gaps = upload.missing or (upload.table is not None and upload.table.missing)
        ways: tuple[Missing, ...] = get_args(Missing) if gaps else ("refuse",)
        for missing, task, symmetrise in itertools.product(ways, tasks, symmetries):
            yield upload, replace(asked, missing=missing, task=task, symmetrise=symmetrise)
