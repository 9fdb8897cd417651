"""The file of an upload, read again as the data set that a run was specified for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any, Literal, get_args

from ..data import Dataset, Domain, Table, Task, read_matrix, read_sequences, read_table
from ..errors import DataError
from .spec import UPLOAD, RunSpec

__all__ = ["read_upload"]

_Missing = Literal["refuse", "drop"]


def read_upload(path: str | Path, spec: RunSpec) -> Dataset:
    """The data set in a file, read in the way that gives the spec's digest.

    The ways of reading (kind of rows, missing cells, task, symmetry) are tried until the digest
    fits. A spec may narrow them in its `parameters`: ``("role:<column>", role)`` for columns whose
    role was chosen by hand, `n` and `seed` for a stratified sample. For a spec of the catalogue's
    data, the file's first reading is taken as it is.

    Raises DataError where no reading gives that digest, with the first reading's error if there was
    none at all.

    >>> import tempfile
    >>> from kernlib import Linear
    >>> file = Path(tempfile.mkdtemp(), "t.csv")
    >>> _ = file.write_text("size,kind\\n1.5,a\\n2.5,b\\n0.5,a\\n")
    >>> digest = read_table(file).to_dataset().digest
    >>> read_upload(file, RunSpec("upload:" + digest, Linear()))
    Dataset('t', vector, n=3, d=1, classes={'a': 2, 'b': 1})
    """
    wanted = spec.data[len(UPLOAD) :] if spec.data.startswith(UPLOAD) else None
    first_error: DataError | None = None
    found = ""
    parameters = dict(spec.parameters)
    for reading in _readings(path, parameters):
        try:
            data = reading()
            if wanted is not None and "n" in parameters and data.digest != wanted:
                data = data.stratified_sample(int(parameters["n"]), seed=int(parameters.get("seed", 0)))
        except DataError as error:
            first_error = first_error or error
            continue
        if wanted is None or data.digest == wanted:
            return data
        found = found or data.digest
    if first_error is not None and not found:
        raise first_error
    assert wanted is not None
    raise DataError(
        f"{Path(path).name}: the run was specified for other data; expected digest {wanted[:12]}…, got {found[:12]}…. "
        "Choose the file as it was then, with the same label column and roles."
    )


def _readings(path: str | Path, parameters: dict[str, Any]) -> Iterator[Callable[[], Dataset]]:
    roles = {k.removeprefix("role:"): v for k, v in parameters.items() if k.startswith("role:")}

    @cache
    def table() -> Table:
        found = read_table(path)
        return found.with_roles(roles) if roles else found

    def rows(domain: Domain | None, missing: _Missing, task: Task | None) -> Dataset:
        return table().to_dataset(domain, missing=missing, task=task)

    if Path(path).suffix.lower() not in (".npy", ".npz"):
        domains: tuple[Domain | None, ...] = (None, "vector", "categorical", "sequence", "text")
        for domain in domains:
            for missing in get_args(_Missing):
                for task in (None, *get_args(Task)):
                    yield partial(rows, domain, missing, task)
        yield partial(read_sequences, path)
    kinds: tuple[Literal["matrix", "node"], ...] = ("matrix", "node")
    repairs: tuple[Literal["mean", "max"] | None, ...] = (None, "mean", "max")
    for kind in kinds:
        for symmetrise in repairs:
            yield partial(read_matrix, path, domain=kind, symmetrise=symmetrise)
