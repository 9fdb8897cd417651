"""Read a file of new rows in the way in which the training rows were read."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from contextlib import suppress
from typing import get_args

import numpy as np

from ..errors import DataError
from ..kinds import KINDS
from .dataset import Dataset
from .guesses import Role
from .read_upload import read_upload
from .roles import Column
from .table import Table
from .uploads import LIMITS, Limits, is_missing, listed, sanitize_name, shortened


def new_rows(name: str, raw: bytes, like: Dataset, *, limits: Limits = LIMITS) -> Dataset:
    """Return the rows of a file as a machine trained on `like` reads them; further columns, such as labels, are unused.

    Columns are found by name, in any order; numbers, gaps and ordered words are read as those of the training rows.
    Files without names are read by place.

    Parameters: `name` and `raw`, the file; `like`, the training rows; `limits` as in `read_upload`.

    Raises DataError for a file that cannot be read, rows of another kind, a missing column, a missing cell where no
    training row has one, an unknown word of an ordered column, and strings of another alphabet.

    >>> train = read_upload("t.csv", b"size,kind\\n1.5,a\\n2.5,b\\n0.5,a\\n").dataset()
    >>> new_rows("new.csv", b"id,size\\nu,4\\nv,5\\n", train).ids
    ('u', 'v')
    >>> new_rows("new.csv", b"id,width\\nu,4\\nv,5\\n", train)
    Traceback (most recent call last):
    kernlib.errors.DataError: new.csv: column size is missing; the machine needs size, and the file has id, ...
    """
    kind = like.row_kind
    if kind.together:
        raise DataError(
            f"{name}: {kind.called} have values only together with all training rows; expected rows that can be read "
            "alone. Train on rows of numbers, categories, strings, texts, series or graphs."
        )
    limits = dataclasses.replace(limits, least=1)
    upload = read_upload(name, raw, limits=limits)
    if upload.table is not None and upload.content is None:
        wanted = like.read_as or _declared(like)
        table = _found(upload.table, wanted, like)
        if table is None:
            with suppress(DataError):  # the first line may be names that look like data
                again = read_upload(name, raw, header=True, limits=limits).table
                table = None if again is None else _found(again, wanted, like)
        if table is None:
            _missing(upload.table, wanted, like)
        assert table is not None
        _refuse_gaps(table, like)
        rows = table.to_dataset(like.domain, missing=like.fill or "refuse", new=True)
    else:
        rows = upload.dataset(missing=like.fill or "refuse")
    rows = dataclasses.replace(rows, y=None, classes=(), task=None, groups=None, splits=())
    return _checked(rows, like)


def _declared(like: Dataset) -> tuple[Column, ...]:
    """Return columns in the roles that the kind of row declares, for rows that come from no table."""
    roles: dict[str, Role] = {role: role for role in get_args(Role)}
    kinds = like.kinds or (like.domain,) * len(like.columns)
    of_kind = [KINDS[kind].roles[0][0] for kind in (kinds or (like.domain,))]
    return tuple(
        Column(column, roles[role], "as the training rows", 0, 0)
        for column, role in zip(like.columns or ("",), of_kind, strict=True)
    )


def _found(table: Table, wanted: Sequence[Column], like: Dataset) -> Table | None:
    """Return the table of the wanted columns and the file's ids; None where a column is missing."""
    places = {sanitize_name(column.name): j for j, column in enumerate(table.columns)}
    names = [sanitize_name(column.name) for column in wanted]
    if not set(names) <= places.keys():
        numbered = all(re.fullmatch(r"x\d+", one) for one in (*names, *places))
        roles = {role for ways in like.row_kind.roles for role in ways}
        fitting = [j for j, c in enumerate(table.columns) if c.role in roles or len(table.columns) == 1]
        if not like.row_kind.tabular and len(fitting) == 1:
            places = {names[0]: fitting[0]}
        elif numbered and len(table.columns) == len(wanted):
            places = dict(zip(names, range(len(wanted)), strict=True))
        else:
            return None
    used = [places[name] for name in names]
    ids = [j for j, c in enumerate(table.columns) if c.role == "id" and j not in used]
    columns = [_as_trained(table, j, column, bool(like.read_as)) for j, column in zip(used, wanted, strict=True)]
    return dataclasses.replace(
        table, columns=(*columns, *(table.columns[j] for j in ids)), cells=table.cells[:, used + ids], guesses=()
    )


def _as_trained(table: Table, j: int, column: Column, from_table: bool) -> Column:
    """Return a column of the file in the role and the writing of the training column, with its own missing cells."""
    own = table.columns[j]
    codes = column.codes if column.role == "code missing" else ()
    missing = sum(is_missing(cell) or str(cell).strip() in codes for cell in table.cells[:, j])
    writing = column.writing if from_table else own.writing
    return dataclasses.replace(column, name=own.name, missing=missing, distinct=own.distinct, writing=writing)


def _missing(table: Table, wanted: Sequence[Column], like: Dataset) -> None:
    """Raise the DataError that names the missing columns."""
    has = [sanitize_name(column.name) for column in table.columns]
    names = [sanitize_name(column.name) or like.row_kind.called for column in wanted]
    absent = [name for name in names if name not in has]
    what, verb = ("column", "is") if len(absent) == 1 else ("columns", "are")
    others = listed([name for name in has if name not in names]) or "nothing else"
    raise DataError(
        f"{table.name}: {what} {listed(absent)} {verb} missing; the machine needs {listed(names)}, and the file has "
        f"{others} instead. Add the {what}, or rename one."
    )


def _refuse_gaps(table: Table, like: Dataset) -> None:
    """Raise DataError for missing cells where the kernel cannot fill them."""
    if like.fill:
        return
    for j, column in enumerate(table.columns):
        needed = column.role not in ("id", "categorical", "text")
        if needed and column.missing:
            gap = next(i for i, cell in enumerate(table.cells[:, j]) if is_missing(cell))
            raise DataError(
                f"{table.name}: column {shortened(column.name)} has {column.missing} missing cells, the first in data "
                f"row {gap + 1}; the training rows have none. Fill them in, or leave those rows out."
            )


def _checked(rows: Dataset, like: Dataset) -> Dataset:
    """Return the rows where they are of the training rows' kind, with a note on what no training row has."""
    who, kind = rows.title, like.row_kind
    if rows.domain != like.domain:
        raise DataError(
            f"{who}: its rows are {rows.row_kind.called}; expected {kind.called}, as the training rows. Choose another "
            "file, or train on such rows."
        )
    if kind.tabular and rows.d != like.d:
        raise DataError(
            f"{who}: its rows have {rows.d} columns; expected {like.d}, as the training rows. Give the columns names, "
            "or write the same ones."
        )
    if kind.tabular and kind.strings and like.rows.dtype != rows.rows.dtype:
        rows = dataclasses.replace(rows, rows=np.array(_as_known(rows, like), dtype=like.rows.dtype))
    note = [rows.note, *kind.unknown(like, rows, who)]
    return dataclasses.replace(rows, note=" ".join(filter(None, note)))


def _as_known(rows: Dataset, like: Dataset) -> list[tuple[object, ...]]:
    """Return rows with categories of the training rows' type: whole numbers where those are codes."""
    known = [like.row_kind.from_typed(like, row) for row in rows.rows.tolist()]
    kind = int if like.rows.dtype.kind in "iu" else str
    try:
        return [tuple(kind(cell) for cell in row) for row in known]
    except ValueError:
        wrong = next((i, cell) for i, row in enumerate(known) for cell in row if not str(cell).lstrip("-").isdigit())
        raise DataError(
            f"{rows.title}: data row {wrong[0] + 1} has {wrong[1]!r:.60}; expected a whole number, as the categories "
            "of the training rows. Correct the cell."
        ) from None
