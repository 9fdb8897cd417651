"""What a file holds once it is parsed: a table of cells, or rows that are complete."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ..errors import DataError
from .cells import Cells, decimal_comma, read_column
from .dataset import Dataset
from .limits import LIMITS, Limits, check_letters, listed, shortened


@dataclass(frozen=True)
class Layout:
    """Which lines of a text, or rows of a sheet, the table is made of.

    Parameters: `lines` of the file; `names`, how many of them name the columns; `above`, `below`, `comments`: lines
    that are left out; `repeated`, how often the names stand among the rows; `mark` between cells.
    """

    lines: int = 0
    names: int = 0
    above: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    comments: tuple[str, ...] = ()
    repeated: int = 0
    mark: str = ""
    unit: str = "line"

    def sentences(self) -> list[str]:
        """Return what is left out, one sentence each."""
        parts = [
            f"Left out {where}: {_quoted(lines)}."
            for where, lines in (("above", self.above), ("below", self.below), ("as comments", self.comments))
            if lines
        ]
        if self.repeated:
            times = "once" if self.repeated == 1 else f"{self.repeated} times"
            parts.append(f"The names of the columns are repeated {times} among the rows and left out there.")
        return parts


def _quoted(lines: Sequence[str]) -> str:
    shown = " / ".join(line.strip()[:60] for line in lines[:3])
    return f"{shown}{f' and {len(lines) - 3} more lines' if len(lines) > 3 else ''}".rstrip(".")


@dataclass(frozen=True, eq=False)
class Part:
    """What a container gives: layout only, no meaning beyond what its format declares.

    Parameters: `name` of the file, `container` as text, `others`, names of further parts such as sheets, `notes`,
    sentences on what is left out.
    """

    name: str
    container: str = ""
    others: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Table(Part):
    """A table: columns of cells.

    Parameters: `columns`; `named`, whether the file names them; `declared`, the roles that the format itself declares;
    `layout` of its text; `staircase`, whether its lines grow or shrink by one cell.

    >>> table = table_of("t", ["x", "k"], [["1", "a"], ["2", "b"]])
    >>> table.n, [cells.kind for cells in table.columns]
    (2, ['whole number', 'word'])
    """

    columns: tuple[Cells, ...] = ()
    named: bool = True
    declared: Mapping[str, str] = field(default_factory=dict)
    layout: Layout = field(default_factory=Layout)
    staircase: bool = False

    @property
    def n(self) -> int:
        """Return the number of rows."""
        return self.columns[0].n if self.columns else 0

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Return the names of the columns."""
        return tuple(cells.name for cells in self.columns)

    def column(self, name: str) -> Cells:
        """Return a column by its name; DataError for an unknown one."""
        place = self._places.get(name)
        if place is None:
            raise DataError(f"{self.name}: there is no column {shortened(name)}; expected one of {listed(self.names)}.")
        return self.columns[place]

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: j for j, name in enumerate(self.names)}

    def with_columns(self, columns: Mapping[str, Cells]) -> Table:
        """Return the table with some columns read in another way."""
        return replace(self, columns=tuple(columns.get(cells.name, cells) for cells in self.columns))


@dataclass(frozen=True, eq=False)
class Complete(Part):
    """Rows whose format leaves no choice: a TUDataset, UEA time series, a list of graphs."""

    data: Dataset | None = None
    why: str = ""


@dataclass(frozen=True, eq=False)
class Square:
    """A square matrix from a table: names and labels of its rows, and what the file lacks of it.

    Parameters: `A` with NaN where an entry is missing; `ids`; `label`, the column with labels; `agree`, whether names
    on both sides agree; `diagonal`, whether the file has it; `lacking`, a sentence on missing pairs; `why`.
    """

    A: npt.NDArray[np.float64]
    ids: tuple[str, ...] = ()
    label: str = ""
    agree: bool = False
    diagonal: bool = True
    lacking: str = ""
    why: str = ""

    @property
    def gaps(self) -> int:
        """Return the number of missing entries off the diagonal."""
        return int(np.isnan(self.A).sum()) - int(np.isnan(self.A.diagonal()).sum())

    @property
    def symmetric(self) -> bool:
        """Return whether it is symmetric where entries are known."""
        B = self.A - self.A.T
        size = max(1.0, float(np.nanmax(np.abs(self.A), initial=0.0)))
        return bool(np.nanmax(np.abs(B), initial=0.0) <= 1e-8 * size)

    @property
    def zero_one(self) -> bool:
        """Return whether it holds zeros and ones with a zero diagonal: edges."""
        A = self.A
        return bool(np.isin(A, (0, 1)).all() and not A.diagonal().any() and A.any())

    def holds(self) -> str:
        """Return what is proposed: distances for a zero diagonal without negative entries, else scores.

        Without a diagonal the entries alone decide nothing: distances are proposed unless some are negative, or all
        are between 0 and 1 or are percentages.
        """
        known = self.A[np.isfinite(self.A)]
        if not known.size or known.min() < 0:
            return "scores"
        if self.diagonal:
            return "distances" if np.nanmax(np.abs(self.A.diagonal()), initial=0.0) <= 1e-9 * known.max() else "scores"
        return "scores" if 50 < known.max() <= 100 and float(np.median(known)) > 50 else "distances"


def table_of(name: str, names: Sequence[str], body: Sequence[Sequence[Any]], **more: Any) -> Table:
    """Return a table of named columns from lines of cells; the rest is as for `table_of_columns`."""
    return table_of_columns(name, names, list(zip(*body, strict=True)), **more)


def table_of_columns(
    name: str,
    names: Sequence[str],
    columns: Sequence[Any],
    *,
    container: str = "",
    named: bool = True,
    limits: Limits = LIMITS,
    decimal: str = "",
    semicolons: bool = False,
    **more: Any,
) -> Table:
    """Return a table from its columns, each a sequence of words or an array of numbers."""
    rows = len(columns[0]) if columns else 0
    if rows < limits.least:
        raise DataError(
            f"{name}: at least {'two data rows are' if limits.least > 1 else 'one data row is'} needed; got {rows}. "
            "Add rows, or choose another file."
        )
    apart, letters = tamed_apart(names), 0
    for title, column in zip(apart, columns, strict=True):
        if not isinstance(column, np.ndarray):
            letters = check_letters(name, column, letters, limits, f"column {shortened(title)}")
    try:
        comma = {"": None, ",": True, ".": False}[decimal]
        read = [read_column(title, column, comma=comma) for title, column in zip(apart, columns, strict=True)]
        if not decimal and any(cells.how.writing.unsure for cells in read):
            known = decimal_comma(read)
            comma = semicolons if known is None else known
            read = [
                read_column(cells.name, cells.raw, comma=comma) if cells.how.writing.unsure else cells for cells in read
            ]
    except DataError as error:
        raise DataError(f"{name}: {error}") from None
    return Table(name, container, columns=tuple(read), named=named, **more)


def tamed_apart(names: Sequence[str]) -> list[str]:
    """Return the names of columns without blanks around them; an empty or repeated one gets a number.

    >>> tamed_apart(["x", "x", ""])
    ['x', 'x (2)', 'column 3']
    """
    taken: dict[str, int] = {}
    apart: list[str] = []
    for j, given in enumerate(names, start=1):
        name = given.strip() or f"column {j}"
        k = taken.get(name, 0) + 1
        unique = name if k == 1 else f"{name} ({k})"
        while k > 1 and unique in taken:
            k += 1
            unique = f"{name} ({k})"
        taken[name] = k
        taken.setdefault(unique, 1)
        apart.append(unique)
    return apart
