"""Read files named on a command line as uploads, within limits that follow the machine's memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

from ..errors import DataError
from ..numerics.budget import memory_budget
from .guesses import Reading, Role
from .read_upload import read_upload
from .reading import Upload
from .uploads import LIMITS, Limits, content

#: Bytes that a cell of a table takes while it is read: a string and the pointer to it.
_CELL = 200
#: A square matrix, its symmetric half and a copy.
_ENTRY = 24


def limits_of_memory(budget: int | None = None) -> Limits:
    """Return the limits for a file on a machine that nobody shares: in proportion to its memory.

    Never less than what an upload may hold; `budget` in bytes, by default `memory_budget()`.

    >>> limits_of_memory(2**33).cells, limits_of_memory(0) == LIMITS
    (42949672, True)
    """
    budget = memory_budget() if budget is None else budget
    return replace(
        LIMITS,
        bytes=max(LIMITS.bytes, budget // 4),
        rows=max(LIMITS.rows, budget // _CELL),
        columns=max(LIMITS.columns, budget // 2**16),
        cells=max(LIMITS.cells, budget // _CELL),
        sheet=max(LIMITS.sheet, budget // _CELL),
        side=max(LIMITS.side, int((budget / _ENTRY) ** 0.5)),
        unpacked=max(LIMITS.unpacked, budget // 4),
    )


def contents_of(paths: Sequence[str | Path], limits: Limits) -> dict[str, bytes]:
    """Return the files' bytes by name, in the given order; DataError for a file that cannot be read or is too large."""
    files = [Path(path) for path in paths]
    if len({file.name for file in files}) < len(files):
        raise DataError(f"{files[0].name}: two files have the same name; expected different ones. Rename one of them.")
    return {file.name: content(file, None, limits)[0] for file in files}


def read_paths(paths: Sequence[str | Path], reading: Reading | None = None, **asked: Any) -> Upload:
    """Read a file and the files that belong to it by `read_upload`, within `limits_of_memory`.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "t.csv")
    >>> _ = file.write_text("size,kind\\n1.5,a\\n2.5,b\\n")
    >>> read_paths([file], roles={"kind": "categorical"}).dataset()
    Dataset('t', mixed, n=2, d=2)
    """
    limits = limits_of_memory()
    (name, data), *more = contents_of(paths, limits).items()
    return read_upload(name, data, reading, more=dict(more) or None, limits=limits, **asked)


def roles_of(given: Sequence[str]) -> dict[str, Role]:
    """Return the roles of columns from words "COLUMN=ROLE"; DataError for an unknown role.

    >>> roles_of(["a=b=label", "size=ordinal"])
    {'a=b': 'label', 'size': 'ordinal'}
    """
    roles: dict[str, Role] = {}
    for text in given:
        column, _, word = text.rpartition("=")
        role: Role | None = next((r for r in get_args(Role) if r == word), None)
        if not column or role is None:
            raise DataError(
                f"--role: expected COLUMN=ROLE with one of the roles {', '.join(get_args(Role))}; got {text[:80]!r}. "
                "Write --role species=label."
            )
        roles[column] = role
    return roles


def arguments_of(reading: Reading) -> list[str]:
    """Return a reading as arguments of the command line.

    >>> arguments_of(Reading(header=False, roles={"x1": "id"}, absent="-8|-9"))
    ['--role', 'x1=id', '--no-header', '--absent=-8|-9']
    """
    given = [("role", f"{column}={role}") for column, role in dict(reading.roles).items()]
    rest = {name: value for name, value in reading.asked.items() if name not in ("roles", "without")}
    given += [("rows-are" if name == "domain" else name.replace("_", "-"), value) for name, value in rest.items()]
    words: list[str] = []
    for option, value in given:
        if isinstance(value, bool):
            words.append(f"--{option}" if value else f"--no-{option}")
        elif str(value).startswith("-"):
            words.append(f"--{option}={value}")
        else:
            words += [f"--{option}", str(value)]
    return words
