"""What a file holds once it is parsed: a table of cells, with the evidence in it, or complete rows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, combinations
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ..errors import DataError
from .cells import NOT_COMPARED, NUMBERS, CellKind, Cells, decimal_comma, read_column
from .dataset import Dataset
from .files import LIMITS, Limits, check_letters, listed, shortened, unique


@dataclass(frozen=True)
class Layout:
    """Which lines of a text, or rows of a sheet, the table is made of.

    Parameters: `lines` of the file; `names`, how many of them name the columns; `above`, how many above them are left
    out; `mark` between cells; `unit`, what a line is called.
    """

    lines: int = 0
    names: int = 0
    above: int = 0
    mark: str = ""
    unit: str = "line"


@dataclass(frozen=True, eq=False)
class Table:
    """What a container gives: columns of cells, layout only, no meaning beyond what its format declares.

    Parameters: `name` of the file, `container` as text, `others`, names of further parts such as sheets, `notes`,
    sentences on what is left out; `columns`; `named`, whether the file names them; `declared`, the roles that the
    format itself declares; `layout` of its text. A format that leaves no choice, such as a TUDataset, gives its rows as
    `data`, without columns, and `why`. `beside` is a table that describes its rows.

    >>> table = table_of("t", ["x", "k"], [["1", "a"], ["2", "b"]])
    >>> table.n, [cells.kind for cells in table.columns]
    (2, ['whole number', 'word'])
    """

    name: str
    container: str = ""
    others: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    columns: tuple[Cells, ...] = ()
    named: bool = True
    declared: Mapping[str, str] = field(default_factory=dict)
    layout: Layout = field(default_factory=Layout)
    data: Dataset | None = None
    why: str = ""
    beside: Table | None = None

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
        if name not in self._by_name:
            raise DataError(f"{self.name}: there is no column {shortened(name)}; expected one of {listed(self.names)}.")
        return self._by_name[name]

    @cached_property
    def _by_name(self) -> dict[str, Cells]:
        return {cells.name: cells for cells in self.columns}

    @cached_property
    def likely_roles(self) -> Mapping[str, str]:
        """Return the role that each column is pre-filled with; only a name or the format makes a label.

        >>> body = [[f"p{i}", str(i % 3 + 0.5), "ab"[i % 2]] for i in range(6)]
        >>> table_of("t", ["name", "size", "class"], body).likely_roles
        {'name': 'id', 'size': 'compared', 'class': 'predict'}
        """
        roles, sided = dict(self.declared), rownames(self)
        if "predict" not in roles.values():
            by_name = {c.name.lower(): c for c in reversed(self.columns) if _could_be_label(c)}
            roles |= {by_name[low].name: "predict" for low in [low for low in LABELS if low in by_name][:1]}
        if sided is not None and roles.get(sided.name) != "predict":
            roles[sided.name] = "id"
        first = self.columns[sided is not None] if len(self.columns) > 1 else None
        roles = {c.name: roles.get(c.name) or _role(c, c is first) for c in self.columns}
        for role in ("group", "id"):  # one of each, and what the format declares
            some = [name for name, one in roles.items() if one == role and not self.declared.get(name) == role == "id"]
            roles |= dict.fromkeys(some[1:], "left out")
        return roles

    @cached_property
    def square(self) -> Square | None:
        """Return the square matrix that the table holds, whole or as a triangle; None for other tables.

        >>> square = table_of("t", ["", "a", "b"], [["a", "1", "0.5"], ["b", "0.5", "1"]]).square
        >>> square.ids, square.A.tolist(), square.agree
        (('a', 'b'), [[1.0, 0.5], [0.5, 1.0]], True)
        """
        n, columns, ids, label = self.n, list(self.columns), None, ""
        if not -1 <= len(columns) - n <= 2:
            return None
        first, entries = columns[0], (*NUMBERS, "empty")
        names = first.kind not in entries or rownames(self) is not None
        counts = len(columns) == n + 1 and first.kind == "whole number"
        if (names or counts) and len({*first.texts}) == n:
            ids, columns = first.texts, columns[1:]
        labels = [c for c in columns if c.kind not in entries]
        if not labels and len(columns) == n + 1:
            labels = [c for c in (columns[0], columns[-1]) if c.kind == "whole number" and c.distinct <= n / 2]
            labels.sort(key=lambda c: c.name.lower() not in LABELS)
        if labels:
            label = labels[0].name
            columns = [c for c in columns if c.name != label]
        if not columns or any(c.kind not in entries for c in columns):
            return None
        block = np.column_stack([c.numbers() for c in columns])
        heads = [c.name for c in columns] if self.named else None
        return None if np.isinf(block).any() else _completed(block, ids, heads, label)

    @cached_property
    def pairs(self) -> Pairs | None:
        """Return the two columns of the table that share a set of values, if there are any.

        Two columns of words that repeat are pairs as well where they are the whole table, or beside one other column.

        >>> found = table_of("t", ["u", "v", "d"], [["a", "b", "1"], ["a", "c", "2"], ["b", "c", "2.5"]]).pairs
        >>> found.ends, found.value, found.pairs == found.all_pairs
        (('u', 'v'), 'd', True)
        """
        low = {c.name.lower(): c for c in self.columns}
        named = [(low[a], low[b]) for a, b in ENDS if a in low and b in low][:1]
        if "from" in self.declared.values():
            ends = {role: self.column(name) for name, role in self.declared.items()}
            named = [(ends["from"], ends["to"])]
        elif not named and (long := self.long_series) is not None and long[2]:
            return None
        best: Pairs | None = None
        for one, other in named or _two(self):
            lines = list(zip(one.words(), other.words(), strict=True))
            a, b = (dict.fromkeys(filter(None, words)) for words in zip(*lines, strict=True))
            names = tuple(a | b)
            both, rows = len(a) + len(b) - len(names), len(names)
            share = both / max(1, min(len(a), len(b)))
            numbers = one.kind == "whole number" and self.named and len(self.columns) > 3
            alike = share >= (2 / 3 if numbers else 1 / 3) and (both > 2 or 3 * both >= rows > 2)
            several = len({*lines}) >= 0.9 * self.n and rows < 2 * len(lines)
            repeated = len(self.columns) < 4 and max(len(a), len(b)) < self.n > 2 and one.kind == other.kind == "word"
            share = share if named or (alike and several) else 0.0
            if (named or share or repeated) and (best is None or share > best.share + 0.2):
                pairs = len({tuple(sorted(line)) for line in lines if line[0] != line[1]})
                best = Pairs((one.name, other.name), share, _value(self, one, other), names, pairs, bool(named))
        return best

    @cached_property
    def long_series(self) -> tuple[str, str, bool] | None:
        """Return the columns of series and time of a long table, and whether names say it; None for other tables."""
        kinds = ("date",) if self.named else ("date", "whole number")
        clocks = [c for c in self.columns if not c.missing and (c.kind in kinds or _is_time(c))]
        owners = [c for c in self.columns[:LOOKED_AT] if c.kind in ("word", "whole number", "yes or no")]
        owners = [c for c in owners if 1 < c.distinct <= self.n / 2 and c.name.lower() not in chain(*ENDS)]
        owners = [c for c in owners if c.name.lower() not in LABELS or len(owners) == 1]
        for clock in sorted(clocks, key=_is_time, reverse=True)[:LOOKED_AT]:
            at = clock.in_order()
            for owner in owners:
                codes = np.unique(owner.words(), return_inverse=True)[1]
                order = np.argsort(codes, kind="stable")
                begins = np.diff(codes[order], prepend=-1) > 0
                rising = (np.diff(at[order])[~begins[1:]] > 0).all()
                together = len(np.unique(at[order][begins])) <= max(1, owner.distinct // 2)
                if owner is not clock and rising and together and self.n >= 2 * begins.sum():
                    return owner.name, clock.name, _is_time(clock)
        return None

    def with_columns(self, columns: Mapping[str, Cells]) -> Table:
        """Return the table with some columns read in another way."""
        return replace(self, columns=tuple(columns.get(cells.name, cells) for cells in self.columns))


@dataclass(frozen=True, eq=False)
class Square:
    """A square matrix from a table: names and labels of its rows, and what the file lacks of it.

    Parameters: `A` with NaN where an entry is missing; `ids`; `label`, the column with labels; `agree`, whether names
    on both sides agree; `triangle`, whether the file has one half alone.
    """

    A: npt.NDArray[np.float64]
    ids: tuple[str, ...] = ()
    label: str = ""
    agree: bool = False
    triangle: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the rows, numbers where the file has none."""
        return self.ids or tuple(map(str, range(len(self.A))))

    @property
    def diagonal(self) -> bool:
        """Return whether the file has the diagonal."""
        return bool(np.isfinite(self.A.diagonal()).any())

    @property
    def gaps(self) -> int:
        """Return the number of missing entries off the diagonal."""
        return int(np.isnan(self.A).sum()) - int(np.isnan(self.A.diagonal()).sum())

    @property
    def symmetric(self) -> bool:
        """Return whether it is symmetric where entries are known."""
        size = max(1.0, float(np.nanmax(np.abs(self.A), initial=0.0)))
        return bool(np.nanmax(np.abs(self.A - self.A.T), initial=0.0) <= 1e-8 * size)

    @property
    def zero_one(self) -> bool:
        """Return whether it holds zeros and ones with a zero diagonal: edges."""
        return bool(np.isin(self.A, (0, 1)).all() and not self.A.diagonal().any() and self.A.any())

    def holds(self) -> str:
        """Return what is proposed: distances for a zero diagonal without negative entries, else scores.

        Without a diagonal the entries alone decide nothing: distances are proposed unless some are negative, or they
        are percentages.
        """
        known = self.A[np.isfinite(self.A)]
        if not known.size or known.min() < 0:
            return "scores"
        if self.diagonal:
            return "distances" if np.nanmax(np.abs(self.A.diagonal())) <= 1e-9 * known.max() else "scores"
        return "scores" if 50 < known.max() <= 100 and float(np.median(known)) > 50 else "distances"


@dataclass(frozen=True, eq=False)
class Pairs:
    """Two columns that name rows of the same kind, and what stands beside them.

    Parameters: `ends`, their names; `share`, how much of the smaller set both have; `value`, the column of numbers
    beside them or ""; `names`, those in the first column, then those in the second alone; `pairs`, how many different
    pairs; `named`, whether the names of the columns say it.
    """

    ends: tuple[str, str]
    share: float
    value: str
    names: tuple[str, ...]
    pairs: int
    named: bool

    @property
    def all_pairs(self) -> int:
        """Return the number of pairs of different rows."""
        return len(self.names) * (len(self.names) - 1) // 2

    @property
    def complete(self) -> bool:
        """Return whether nearly every pair has a value."""
        return bool(self.value) and self.pairs >= 0.9 * self.all_pairs and len(self.names) > 3

    def roles(self, table: Table, value: Iterable[str]) -> dict[str, str]:
        """Return the roles of columns: the two ends, and what stands beside them."""
        ends = dict(zip(self.ends, ("from", "to"), strict=True))
        return dict.fromkeys(table.names, "left out") | ends | dict.fromkeys(value, "compared")


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
    return unique([name.strip() or f"column {j}" for j, name in enumerate(names, start=1)])


Strength = Literal["declared", "strong", "possible"]

#: Names that say what a column is, in small letters: what is predicted, groups, rows, times, ends and weights of edges.
_LABELS = (
    "label labels class classes target targets gnd y outcome response species diagnosis category phenotype sentiment"
)
LABELS = tuple(_LABELS.split())
GROUPS = ("group", "groups", "subject", "subjects", "subject_id", "patient", "patient_id", "batch", "fold")
IDS = ("id", "ids", "index", "key", "uuid", "rowid", "row_id", "seed", "name", "iid", "fid")
TIMES = ("time", "t", "timestamp", "step", "time_step", "timestep", "visit", "week", "day")
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


def _could_be_label(cells: Cells) -> bool:
    return cells.distinct > 1 and cells.kind not in _NO_LABEL and not (cells.kind == "word" and cells.different)


def _role(cells: Cells, first: bool) -> str:
    if cells.kind in NOT_COMPARED or (cells.distinct < 2 and not cells.missing):
        return "left out"
    if cells.kind == "date":
        return "id" if cells.different else "left out"
    if is_id(cells, first):
        return "id"
    grouped = cells.kind in ("word", "whole number") and 1 < cells.distinct < cells.n
    return "group" if grouped and cells.name.lower() in GROUPS else "compared"


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


# What a table holds: squares, pairs, series.


def _completed(
    block: npt.NDArray[np.float64], ids: list[str] | None, heads: list[str] | None, label: str
) -> Square | None:
    """Return a block of numbers as a square; where it has one half alone, that is the other half as well."""
    n, m = block.shape
    agree, order = _agreement(ids, heads)
    if m == n and ids and heads and ids != heads and ids[:-1] == heads[1:]:
        A = np.full((n + 1, n + 1), np.nan)  # rows 2 … n+1 below columns 1 … n, as R prints distances
        A[1:, :n], ids, heads = block, [heads[0], *ids], None
    elif m in (n - 1, n):
        A = np.full((n, n), np.nan)
        A[:, :m] = block[:, order]
    else:
        return None
    known, side = np.isfinite(A), len(A)
    lower, upper = np.tril(known, -1).any(), np.triu(known, 1).any()
    triangle = bool(lower != upper) and side > 2
    rows = ids or (heads if heads and len(heads) == side else ())
    square = Square(np.where(known, A, A.T), tuple(tamed_apart(rows)), label, agree, triangle)
    whole = m == n and side > 1
    return square if (triangle or whole) and (lower or upper) and square.gaps <= 0.5 * side * side else None


def _agreement(ids: Sequence[str] | None, heads: Sequence[str] | None) -> tuple[bool, Any]:
    """Return whether names on both sides agree, and the order of columns that makes them."""
    one, other = ([name.strip().casefold() for name in names or ()] for names in (ids, heads))
    if not one or len(one) != len(other) or (one != other and (len({*one}) < len(one) or {*one} != {*other})):
        return False, slice(None)
    return True, slice(None) if one == other else [other.index(name) for name in one]


def _two(table: Table) -> Iterator[tuple[Cells, Cells]]:
    """Yield two columns of words each, then two of whole numbers."""
    kinds = ("word", "yes or no", "date") if table.n > 1 else ("word", "yes or no")
    for some in (kinds, ("whole number",)):
        yield from combinations([c for c in table.columns[:LOOKED_AT] if c.kind in some and not _counts(c)], 2)


def _counts(cells: Cells) -> bool:
    """Return whether a column counts the lines."""
    whole = cells.kind == "whole number" and not cells.missing and cells.n > 2
    return whole and bool((np.diff(cells.numbers()) == 1).all())


def _value(table: Table, one: Cells, other: Cells) -> str:
    """Return the likeliest column of values beside two ends: behind the first, without gaps, of a usual name."""
    start = table.names.index(one.name)
    places = [j for j, c in enumerate(table.columns) if c.kind in NUMBERS and c not in (one, other) and not _counts(c)]

    def unlikely(j: int) -> tuple[bool, bool, bool]:
        return j < start, table.columns[j].missing > 0, table.columns[j].name.lower() not in WEIGHTS

    return table.names[min(places, key=unlikely)] if places else ""


def _is_time(cells: Cells) -> bool:
    return cells.name.lower() in TIMES and cells.kind in (*NUMBERS, "date")
