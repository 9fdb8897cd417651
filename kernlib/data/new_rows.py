"""Read a file of new rows in the way in which the training rows were read."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from contextlib import suppress

from ..errors import DataError
from .cells import Cells, Column, read_column
from .dataset import Dataset
from .files import LIMITS, Limits, listed, parser_errors, sanitize_name
from .readings import Reading, readings
from .rows import CELLS, ROWS, of_columns
from .table import IDS, Table


def new_rows(name: str, raw: bytes, like: Dataset, *, limits: Limits = LIMITS) -> Dataset:
    """Return the rows of a file as a machine trained on `like` reads them; further columns, such as labels, are unused.

    Columns are found by name, in any order; numbers, gaps and ordered words are read as those of the training rows.
    Files without names are read by place.

    Parameters: `name` and `raw`, the file; `like`, the training rows; `limits` as in `readings`.

    Raises DataError for a file that cannot be read, rows of another kind, a missing column, a missing cell where no
    training row has one, an unknown word of an ordered column, and strings of another alphabet.

    >>> train = readings("t.csv", b"size,class\\n1.5,a\\n2.5,b\\n0.5,a\\n")[0].dataset()
    >>> new_rows("new.csv", b"id,size\\nu,4\\nv,5\\n", train).ids
    ('u', 'v')
    >>> new_rows("new.csv", b"id,width\\nu,4\\nv,5\\n", train)
    Traceback (most recent call last):
    kernlib.errors.DataError: new.csv: it lacks size; the machine needs size, and the file has id, width. ...
    """
    kind = like.row_kind
    if kind.together:
        raise DataError(
            f"{name}: {kind.called} have values only together with all training rows; expected rows that can be read "
            "alone. Train on rows of numbers, categories, strings, texts, series or graphs."
        )
    limits = dataclasses.replace(limits, least=1)
    found = readings(name, raw, limits=limits)
    kinds = like.kinds or (like.domain,) * len(like.columns)
    declared = zip(like.columns, kinds, strict=True)  # of rows that come from no table
    wanted = like.read_as or tuple(Column(column, CELLS[kind]) for column, kind in declared if kind in CELLS)
    if wanted and not kind.molecules and any(one.part.columns for one in found):
        rows = _of_table(raw, found, wanted, like)
    else:
        rows = _of_kind(found, like).dataset(new=True, missing=like.fill or None)
    rows = dataclasses.replace(rows, y=None, classes=(), task=None, groups=None, splits=())
    return _checked(rows, like)


def _of_kind(found: Sequence[Reading], like: Dataset) -> Reading:
    """Return the reading that gives rows of the training rows' kind, the first one where none is known to."""
    for one in found:
        with suppress(DataError):
            if one.dataset(new=True).domain == like.domain:
                return one
    return found[0]


def _of_table(raw: bytes, found: Sequence[Reading], wanted: Sequence[Column], like: Dataset) -> Dataset:
    one = next(one for one in found if one.part.columns)
    table = one.part
    columns = _found(table, wanted, like)
    if columns is None:
        with suppress(DataError):  # the first line may be names that look like data
            table = readings(one.name, raw, limits=one.limits, header=1)[0].part
            columns = _found(table, wanted, like)
    if columns is None:
        has = [sanitize_name(name) for name in table.names]
        names = [sanitize_name(column.name) or like.row_kind.called for column in wanted]
        raise DataError(
            f"{one.name}: it lacks {listed(name for name in names if name not in has)}; the machine needs "
            f"{listed(names)}, and the file has {listed(has)}. Add columns, or rename them."
        )
    roles = {cells.name: "compared" for cells in columns}
    rest = [c for c in table.columns if c.name not in roles and c.distinct == c.n]
    rest = [c for c in rest if c.name.lower() in IDS] or [c for c in rest if c.kind == "word"]
    part = dataclasses.replace(table, columns=(*columns, *rest[:1]), declared={})
    choices = {"roles": roles | {c.name: "id" for c in rest[:1]}, "missing": like.fill or "refuse"}
    one = dataclasses.replace(one, part=part, choices=choices, new=True)
    return of_columns(one, like.domain if like.kinds else None)


def _found(table: Table, wanted: Sequence[Column], like: Dataset) -> list[Cells] | None:
    """Return the wanted columns, read as those of the training rows; None where one is missing."""
    own = {sanitize_name(cells.name): cells for cells in table.columns}
    names = [sanitize_name(column.name) for column in wanted]
    if not {*names} <= own.keys():
        fitting = [c for c in table.columns if ROWS.get(c.kind) == like.domain or len(table.columns) == 1]
        if not like.row_kind.tabular and len(fitting) == 1:
            own = {names[0]: fitting[0]}
        elif len(own) == len(names) and all(re.fullmatch(r"x\d+", name) for name in (*names, *own)):
            own = dict(zip(names, table.columns, strict=True))
        else:
            return None
    columns = []
    for column, cells in zip(wanted, map(own.__getitem__, names), strict=True):
        if like.read_as and cells.raw.dtype.kind not in "iufb":
            cells = read_column(cells.name, cells.raw, like=column)
        elif column.kind != cells.kind and (column.kind, cells.kind) != ("number", "whole number"):
            cells = read_column(cells.name, cells.raw, kind=column.kind)
        columns.append(cells)
    return columns


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
        codes = parser_errors(f"{who}: the categories of the training rows are whole numbers", "Correct the cell.")
        with codes:
            rows = dataclasses.replace(rows, rows=rows.rows.astype(like.rows.dtype))
    note = [rows.note, *kind.unknown(like, rows, who)]
    return dataclasses.replace(rows, note=" ".join(filter(None, note)))
