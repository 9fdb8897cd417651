"""What a file holds once it is parsed: a table of cells, or complete rows; and evidence of what a table means."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ..errors import DataError
from .cells import NOT_COMPARED, CellKind, Cells, decimal_comma, read_column
from .dataset import Dataset
from .files import LIMITS, Limits, check_letters, listed, shortened


@dataclass(frozen=True)
class Layout:
    """Which lines of a text, or rows of a sheet, the table is made of.

    Parameters: `lines` of the file; `names`, how many of them name the columns; `above`, `comments`: lines
    that are left out; `repeated`, how often the names stand among the rows; `mark` between cells.
    """

    lines: int = 0
    names: int = 0
    above: tuple[str, ...] = ()
    comments: tuple[str, ...] = ()
    repeated: int = 0
    mark: str = ""
    unit: str = "line"

    def sentences(self) -> list[str]:
        """Return what is left out, one sentence each."""
        parts = [
            f"Left out {where}: {_quoted(lines)}."
            for where, lines in (("above", self.above), ("as comments", self.comments))
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
    `layout` of its text.

    >>> table = table_of("t", ["x", "k"], [["1", "a"], ["2", "b"]])
    >>> table.n, [cells.kind for cells in table.columns]
    (2, ['whole number', 'word'])
    """

    columns: tuple[Cells, ...] = ()
    named: bool = True
    declared: Mapping[str, str] = field(default_factory=dict)
    layout: Layout = field(default_factory=Layout)

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

    @cached_property
    def likely_roles(self) -> Mapping[str, str]:
        """Return the role that each column is pre-filled with; only a name or the format makes a label.

        >>> body = [[f"p{i}", str(i % 3 + 0.5), "ab"[i % 2]] for i in range(6)]
        >>> table_of("t", ["name", "size", "class"], body).likely_roles
        {'name': 'id', 'size': 'compared', 'class': 'predict'}
        """
        declared = self.declared
        label = next((c for c, role in declared.items() if role == "predict"), None)
        if label is None:
            by_name = {c.name.lower(): c for c in reversed(self.columns) if c.distinct > 1}
            some = (by_name[low] for low in LABELS if low in by_name)
            label = next(
                (c.name for c in some if not (c.kind in _NO_LABEL or (c.kind == "word" and c.different))), None
            )
        sided = rownames(self)
        roles = {
            c.name: declared.get(c.name) or _role(c, label, j == (sided is not None))
            for j, c in enumerate(self.columns)
        }
        if sided is not None and sided.name != label:
            roles[sided.name] = "id"
        groups = [name for name, role in roles.items() if role == "group"]
        ids = [name for name, role in roles.items() if role == "id" and declared.get(name) != "id"]
        roles |= dict.fromkeys((*groups[1:], *ids[1:]), "left out")
        return roles

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
    kinds: Mapping[str, CellKind] = {},
    **more: Any,
) -> Table:
    """Return a table from its columns, each a sequence of words or an array of numbers.

    `kinds` names what the cells of some columns are, whatever they look like; none of their words is a missing cell.
    """
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

    def read(title: str, column: Any, comma: bool | None) -> Cells:
        return read_column(title, column, comma=comma, kind=kinds.get(title, ""), codes=() if title in kinds else None)

    try:
        comma = {"": None, ",": True, ".": False}[decimal]
        cells = [read(title, column, comma) for title, column in zip(apart, columns, strict=True)]
        if not decimal and any(one.how.writing.unsure for one in cells):
            known = decimal_comma(cells)
            comma = semicolons if known is None else known
            cells = [read(one.name, one.raw, comma) if one.how.writing.unsure else one for one in cells]
    except DataError as error:
        raise DataError(f"{name}: {error}") from None
    return Table(name, container, columns=tuple(cells), named=named, **more)


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


Strength = Literal["declared", "strong", "possible"]

#: Names that say what a column is, in small letters: what is predicted, groups, rows, times, ends and weights of edges.
_LABELS = (
    "label labels class classes target targets gnd y outcome response species diagnosis category phenotype sentiment"
)
LABELS = tuple(_LABELS.split())
GROUPS = ("group", "groups", "subject", "subjects", "subject_id", "patient", "patient_id", "batch", "fold")
IDS = ("id", "ids", "index", "key", "uuid", "rowid", "row_id", "seed", "name", "iid", "fid")
TIMES = ("time", "t", "timestamp", "step", "time_step", "timestep")
_ENDS = "from to, source target, source destination, src dst, node1 node2, fromnodeid tonodeid"
ENDS = tuple(pair.split() for pair in _ENDS.split(", "))
WEIGHTS = ("weight", "weights", "w", "value", "score", "combined_score")
#: What the first column of a turned table is called: features in lines.
FEATURES = re.compile(
    r"(?i)\b(gene|genes|protein|probe|probeset|snp|rs|marker|otu|asv|taxon|feature|metabolite|wavelength)s?\b"
)
#: Cells that are no labels, whatever their column is called.
_NO_LABEL = ("text", "sequence", "molecule", "date", "numbers", "bits")
#: So many columns are looked at as ends of edges.
LOOKED_AT = 12


@dataclass(frozen=True)
class Evidence:
    """How sure a reading is, and why; `weight` orders readings of one strength; `roles` of columns are proposed."""

    strength: Strength
    why: str
    weight: float = 0.5
    roles: Mapping[str, str] = field(default_factory=dict)


# Roles of columns.


def is_id(cells: Cells, first: bool = True) -> bool:
    """Return whether a column names or counts the rows: values differ in nearly all of them, and are no measurements.

    Numbers that only rise do so as the `first` column.
    """
    if cells.n < 3 or not cells.different or cells.kind not in ("word", "date", "whole number"):
        return False
    low = cells.name.lower()
    if cells.kind != "whole number" or low in LABELS:
        return cells.kind != "whole number"
    if low in IDS or low.endswith("id") or re.search(r"(^|[_ ])(nr|no|number|seed|code|index)$", low):
        return True
    x = cells.numbers()[cells.present]
    steps = np.diff(x)
    rises = bool((x[0] in (0, 1) and (steps == 1).all()) or (first and ((steps > 0).all() or (steps < 0).all())))
    return cells.n >= 5 and (rises or bool(np.abs(x).min() >= 1e7))


def _role(cells: Cells, label: str | None, first: bool) -> str:
    if cells.name == label:
        return "predict"
    if cells.kind in NOT_COMPARED or (cells.distinct < 2 and not cells.missing):
        return "left out"
    if cells.kind == "date":
        return "id" if cells.different else "left out"
    if is_id(cells, first):
        return "id"
    if cells.name.lower() in GROUPS and cells.kind in ("word", "whole number") and 1 < cells.distinct < cells.n:
        return "group"
    return "compared"


def candidates(table: Table, roles: dict[str, str]) -> list[str]:
    """Return the columns that could be predicted, the likeliest first: few different values, each several times."""
    few = [
        c
        for c in table.columns
        if c.kind in ("word", "yes or no", "whole number", "ordered")
        and c.n >= 4
        and 2 <= c.distinct <= min(20, c.n / 2)
        and roles.get(c.name) in ("compared", "left out", "group")
    ]
    return [c.name for c in sorted(few, key=lambda c: (c.kind == "whole number", c.distinct))]


def rownames(table: Table) -> Cells | None:
    """Return the first column where a named table has no name for it, as the names of rows."""
    first = table.columns[0]
    return first if table.named and first.name == "column 1" and first.kind not in NOT_COMPARED else None
