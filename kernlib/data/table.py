"""What a file holds once it is parsed: a table of cells, or complete rows; and evidence of what a table means."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations, pairwise
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ..errors import DataError
from .cells import NOT_COMPARED, NUMBERS, Cells, decimal_comma, read_column
from .dataset import Dataset
from .files import LIMITS, Limits, check_letters, listed, shortened


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

    @cached_property
    def likely_roles(self) -> tuple[Mapping[str, str], bool]:
        """Return the role that each column is pre-filled with, and whether the label's name says that it is one.

        >>> body = [[f"p{i}", str(i % 3 + 0.5), "ab"[i % 2]] for i in range(6)]
        >>> table_of("t", ["name", "size", "class"], body).likely_roles
        ({'name': 'id', 'size': 'compared', 'class': 'predict'}, True)
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
        return roles, label is not None and roles[label] == "predict"

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
_LOOKED_AT = 12


@dataclass(frozen=True)
class Evidence:
    """How sure a reading is, and why; `weight` orders readings of the same strength."""

    strength: Strength
    why: str
    weight: float = 0.5


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


# Square matrices.


def square_in(table: Table) -> Square | None:
    """Return the square matrix that a table holds: whole, as a triangle, or as n(n−1)/2 numbers in one column.

    >>> from kernlib.data.table import table_of
    >>> square = square_in(table_of("t", ["", "a", "b"], [["a", "1", "0.5"], ["b", "0.5", "1"]]))
    >>> square.ids, square.A.tolist(), square.agree
    (('a', 'b'), [[1.0, 0.5], [0.5, 1.0]], True)
    """
    square, cells = square_of(table), table.columns[0]
    side = round((1 + (1 + 8 * table.n) ** 0.5) / 2)
    fits = side * (side - 1) // 2 == table.n and 3 < side <= LIMITS.side
    if square is not None or len(table.columns) > 1 or cells.kind not in NUMBERS or cells.missing or not fits:
        return square
    from scipy.spatial.distance import squareform

    A = squareform(cells.numbers())
    np.fill_diagonal(A, np.nan)
    return Square(A, diagonal=False, why=f"{table.n} numbers are the pairs of {side} rows.")


def square_of(table: Table) -> Square | None:
    """Return the square matrix that a table holds, whole or as a triangle; None for other tables."""
    n, columns, ids, label = table.n, list(table.columns), None, ""
    if not table.staircase and not -1 <= len(columns) - n <= 2:
        return None
    first = columns[0]
    names = first.kind not in (*NUMBERS, "empty") or rownames(table) is not None
    counts = len(columns) == n + 1 and first.kind == "whole number"
    if (names or counts) and len({*first.texts}) == n:
        ids, columns = first.texts, columns[1:]
    words = [c for c in columns if c.kind not in (*NUMBERS, "empty")]
    if not words and len(columns) == n + 1:
        words = [c for c in (columns[0], columns[-1]) if c.kind == "whole number" and c.distinct <= n / 2]
        words = sorted(words, key=lambda c: c.name.lower() not in LABELS)[:1]
    if words and not table.staircase:
        label = words[0].name
        columns = [c for c in columns if c.name != label]
    if not columns or any(c.kind not in (*NUMBERS, "empty") for c in columns):
        return None
    block = np.column_stack([c.numbers() for c in columns])
    return None if np.isinf(block).any() else _completed(table, block, columns, ids, label)


def _completed(
    table: Table, block: npt.NDArray[np.float64], columns: list[Cells], ids: list[str] | None, label: str
) -> Square | None:
    """Return a block of numbers as a square; where it has one half alone, that is the other half as well."""
    n, m = block.shape
    heads = [c.name for c in columns] if table.named else None
    agree, order = _agreement(ids, heads)
    filled = [sum(map(bool, cells)) for cells in zip(*(c.texts for c in columns), strict=True)]
    A = np.full((n, n), np.nan)
    if table.staircase and filled[0] > filled[1]:  # the upper half, each line from its left
        for i, count in enumerate(filled):
            A[i, n - count :] = block[i, :count]
    elif m == n and ids is not None and heads is not None and ids != heads and ids[:-1] == heads[1:]:
        A = np.full((n + 1, n + 1), np.nan)  # rows 2 … n+1 below columns 1 … n, as R prints distances
        A[1:, :n], ids, heads = block, [heads[0], *ids], None
    elif m in (n - 1, n):
        A[:, :m] = block[:, order]
    else:
        return None
    known, side, why = np.isfinite(A), len(A), ""
    A = np.where(known, A, A.T)
    diagonal = bool(known.diagonal().any())
    lower, upper = np.tril(known, -1).any(), np.triu(known, 1).any()
    if lower != upper and side > 2:
        why = f"A triangle {'with' if diagonal else 'without'} its diagonal."
    elif m != n or side < 2:
        return None
    lack = int(np.isnan(A).sum()) - (0 if diagonal else side)
    if lack > 0.5 * side * side or not (lower or upper):
        return None
    rows = ids if ids is not None else heads if heads is not None and len(heads) == side else ()
    lacking = f"{lack} entries lack a value." if lack else ""
    return Square(A, tuple(tamed_apart(rows)), label, agree, diagonal, lacking, why)


def _agreement(ids: Sequence[str] | None, heads: Sequence[str] | None) -> tuple[bool, Any]:
    """Return whether names on both sides agree, and the order of columns that makes them."""
    if ids is None or heads is None:
        return False, slice(None)
    one, other = ([name.strip().casefold() for name in names] for names in (ids, heads))
    if one == other:
        return True, slice(None)
    if len({*one}) == len(one) == len(other) and {*one} == {*other}:
        return True, [other.index(name) for name in one]
    return False, slice(None)


# Pairs and edges.


@dataclass(frozen=True, eq=False)
class Pairs:
    """Two columns that name rows of the same kind, and what stands beside them.

    Parameters: `ends`, their names; `share`, how much of the smaller set both have; `value`, the column of numbers
    beside them or ""; `rows`, how many different names; `pairs`, how many different pairs; `named`, whether the names
    of the columns say it.
    """

    ends: tuple[str, str]
    share: float
    value: str
    rows: int
    pairs: int
    named: bool

    @property
    def all_pairs(self) -> int:
        """Return the number of pairs of different rows."""
        return self.rows * (self.rows - 1) // 2


def pairs_of(table: Table) -> Pairs | None:
    """Return the two columns of a table that share a set of values, if there are any.

    >>> from kernlib.data.table import table_of
    >>> found = pairs_of(table_of("t", ["u", "v", "d"], [["a", "b", "1"], ["a", "c", "2"], ["b", "c", "2.5"]]))
    >>> found.ends, found.value, found.pairs == found.all_pairs
    (('u', 'v'), 'd', True)
    """
    low = {c.name.lower(): c for c in table.columns}
    declared = [table.column(name) for role in ("from", "to") for name, one in table.declared.items() if one == role]
    named = [(low[a], low[b]) for a, b in ENDS if a in low and b in low][:1]
    named = [(declared[0], declared[1])] if len(declared) == 2 else named
    if not named and (long := long_series(table)) is not None and long[2]:
        return None
    best: Pairs | None = None
    for one, other in named or _two(table):
        ends = list(zip(one.words(), other.words(), strict=True))
        a, b = ({*words} - {""} for words in zip(*ends, strict=True))
        both = len(a & b)
        share = both / max(1, min(len(a), len(b)))
        numbers = one.kind == "whole number" and table.named and len(table.columns) > 3
        alike = share >= (2 / 3 if numbers else 1 / 3) and (both > 2 or 3 * both >= len(a | b) > 2)
        several = len({*ends}) >= 0.9 * table.n and len(a | b) < 2 * len(ends)
        if (named or (alike and several)) and (best is None or share > best.share + 0.2):
            different = {tuple(sorted(end)) for end in ends if end[0] != end[1]}
            value = _value(table, (one.name, other.name))
            best = Pairs((one.name, other.name), share, value, len(a | b), len(different), bool(named))
    return best


def _two(table: Table) -> Iterator[tuple[Cells, Cells]]:
    """Yield two columns of words each, then two of whole numbers."""
    kinds = ("word", "yes or no", "date") if table.n > 1 else ("word", "yes or no")
    for some in (kinds, ("whole number",)):
        yield from combinations([c for c in table.columns[:_LOOKED_AT] if c.kind in some and not _counts(c)], 2)


def _counts(cells: Cells) -> bool:
    """Return whether a column counts the lines."""
    if cells.kind != "whole number" or cells.missing or cells.n < 3:
        return False
    return bool((np.diff(cells.numbers()) == 1).all())


def _value(table: Table, ends: tuple[str, str]) -> str:
    start = table.names.index(ends[0])
    numeric = [
        (j < start, c.missing > 0, c.name.lower() not in WEIGHTS, j)
        for j, c in enumerate(table.columns)
        if c.kind in NUMBERS and c.name not in ends and not _counts(c)
    ]
    return table.names[min(numeric)[-1]] if numeric else ""


def pairs_as_square(table: Table, ends: tuple[str, str], value: str) -> Square:
    """Return the square of pairs with a value; a pair in both orders keeps both, one without stays missing."""
    first, second = (table.column(end).words() for end in ends)
    names = [name for name in dict.fromkeys((*first, *second)) if name]
    place = {name: k for k, name in enumerate(names)}
    A = np.full((len(names), len(names)), np.nan)
    for a, b, v in zip(first, second, table.column(value).numbers().tolist(), strict=True):
        if a and b:
            A[place[a], place[b]] = v
    A = np.where(np.isfinite(A), A, A.T)
    square = Square(A, tuple(tamed_apart(names)), diagonal=bool(np.isfinite(A.diagonal()).any()))
    every = len(names) * (len(names) - 1) // 2
    lacking = f"{square.gaps // 2} of {every} pairs lack a value." if square.gaps else ""
    return replace(square, lacking=lacking)


def edges_as_square(
    table: Table, ends: tuple[str, str], weight: str | None, nodes: Cells | None, limits: Limits
) -> Square:
    """Return the weights of edges between nodes, 0 elsewhere; `nodes` names all of them, None takes those with edges.

    Raises DataError for an edge with one end or to an unknown node, a weight that is not a number ≥ 0, too many nodes.
    """
    first, second = (table.column(end).words() for end in ends)
    weights = np.ones(table.n) if weight is None else table.column(weight).numbers()
    good = np.isfinite(weights) & (weights >= 0)
    if weight is not None and not good.all():
        i = int(np.argmin(good))
        raise DataError(
            f"{table.name}: data row {i + 1} has the weight {shortened(table.column(weight).raw[i])}; expected a "
            "number from 0 on. Correct the cell."
        )
    if "" in first or "" in second:
        i = next(i for i, pair in enumerate(zip(first, second, strict=True)) if "" in pair)
        raise DataError(f"{table.name}: data row {i + 1} has an edge with one end; expected two. Correct the line.")
    names = dict.fromkeys(word for end in zip(first, second, strict=True) for word in end)
    known = names if nodes is None else dict.fromkeys(nodes.words())
    unknown = next((name for name in names if name not in known), None)
    if unknown is not None:
        raise DataError(
            f"{table.name}: an edge leads to {shortened(unknown)}, which the table of nodes does not list; expected "
            "edges between listed nodes. Add the node, or remove the edge."
        )
    if not 2 <= len(known) <= limits.side:
        raise DataError(f"{table.name}: it has {len(known)} nodes; expected 2 to {limits.side}. Choose a part of it.")
    place = {name: i for i, name in enumerate(known)}
    A = np.zeros((len(place), len(place)))
    np.maximum.at(A, ([place[name] for name in first], [place[name] for name in second]), weights)
    return Square(A, tuple(place))


def neighbours(table: Table) -> Table | None:
    """Return the edges of a list of neighbours, one node and those that it is joined to in a line; None elsewhere."""
    if len(table.columns) > 1:
        return None
    lines = [line for words in table.columns[0].texts if (line := words.split()) and line[0] != "#"]
    heads, rest = [line[0] for line in lines], [word for line in lines for word in line[1:]]
    shared = 0 < len(heads) / 3 <= len({*heads} & {*rest}) and len(rest) <= LIMITS.rows
    if not shared or len({*heads}) < len(heads) or any(len(word) > 40 or word[-1] in ".," for word in rest):
        return None
    starts = [line[0] for line in lines for _ in line[1:]]
    return table_of_columns(table.name, ["from", "to"], [starts, rest], container=table.container)


# Series and turned tables.


def long_series(table: Table) -> tuple[str, str, bool] | None:
    """Return the columns of the series and of the time in a long table, and whether names say it; None elsewhere."""
    clocks = [c for c in table.columns if c.kind in (*NUMBERS, "date") and not c.missing]
    clocks.sort(key=lambda c: c.name.lower() not in TIMES)
    owners = [c for c in table.columns[:_LOOKED_AT] if c.kind in ("word", "whole number", "yes or no")]
    owners = [c for c in owners if 1 < c.distinct <= table.n / 2 and not any(c.name.lower() in pair for pair in ENDS)]
    owners = [c for c in owners if c.name.lower() not in LABELS or len(owners) == 1]
    for clock in clocks[:_LOOKED_AT]:
        named = clock.name.lower() in TIMES
        if not named and clock.kind == "number":
            continue
        at = clock.in_order().tolist()
        for owner in owners:
            names = owner.words()
            if owner is clock or (not named and {*names} & {*clock.words()}):
                continue  # two ends of edges, in order
            known: dict[str, list[float]] = {}
            for name, time in zip(names, at, strict=True):
                known.setdefault(name, []).append(time)
            rising = all(a < b for times in known.values() for a, b in pairwise(times))
            starts = len({times[0] for times in known.values()}) <= max(1, len(known) // 2)
            if rising and starts and table.n >= 2 * len(known) and (named or min(map(len, known.values())) > 2):
                return owner.name, clock.name, named
    return None


def wide_series(table: Table, roles: Mapping[str, str]) -> tuple[list[str], bool] | None:
    """Return the columns of a table whose lines are series, and whether neighbours are alike; None for other tables."""
    compared = [c for c in table.columns if roles.get(c.name) == "compared"]
    if len(compared) < 8 or any(c.kind not in NUMBERS for c in compared):
        return None
    first, second = compared[:2]
    few = first.kind == "whole number" and first.distinct <= max(2, table.n / 4)
    if few and second.distinct > 2 * first.distinct:
        compared = compared[1:]
    x = np.column_stack([c.numbers()[:200] for c in compared])
    x = x - np.nanmean(x, axis=1, keepdims=True) if np.isfinite(x).any(axis=1).all() else x
    smooth = bool(np.nanmean(np.diff(x, axis=1) ** 2) < 0.6 * np.nanmean(x**2))
    names = [c.name for c in compared]
    return (names, smooth) if smooth or all(name[-1].isdigit() for name in names) else None


def samples_as_columns(table: Table) -> tuple[list[str], bool] | None:
    """Return the columns that are alike, as the samples of a turned table, and whether the first column names features.

    >>> from kernlib.data.table import table_of
    >>> names = ["gene", "chr", *(f"{name}_{k}" for k in range(2) for name in ("ctl", "treated"))]
    >>> body = [[f"g{i}", "1", *(str(i * k + 0.5) for k in range(4))] for i in range(9)]
    >>> samples_as_columns(table_of("t", names, body))
    (['ctl_0', 'treated_0', 'ctl_1', 'treated_1'], True)
    """
    first = table.columns[0]
    if len(table.columns) < 3 or first.kind in (*NUMBERS, *NOT_COMPARED) or len({*first.texts}) < 0.95 * table.n:
        return None
    families = Counter(
        (_quantity(c.name), c.kind in NUMBERS) for c in table.columns[1:] if c.kind in (*NUMBERS, "word")
    )
    numeric = [c.name for c in table.columns[1:] if c.kind in NUMBERS]
    alike, count = families.most_common(1)[0] if families else (("", True), 0)
    if (count > 2 and 2 * count >= len(numeric)) or count > 3:
        of_family = (c for c in table.columns[1:] if (c.kind in NUMBERS) == alike[1] and c.kind in (*NUMBERS, "word"))
        numeric = [c.name for c in of_family if _quantity(c.name) == alike[0]]
    if len(numeric) < 2:
        return None
    return numeric, FEATURES.search(re.sub(r"[_#]|IDs?\b", " ", first.name)) is not None


def _quantity(name: str) -> str:
    """Return a column's name without its numbered sample: "LFQ intensity" of "LFQ intensity ctl_1"."""
    *before, sample = name.split(" ")
    if not sample[-1:].isdigit():
        return name
    return " ".join(before[:-1] if sample.isdigit() else before)


def turned(table: Table, samples: Sequence[str]) -> Table:
    """Return a table whose rows are these columns, and whose columns are named by the first one."""
    features = tamed_apart(table.columns[0].texts)
    cells = [table.column(name) for name in samples]
    if all(c.kind in NUMBERS for c in cells):
        columns: list[Any] = list(np.column_stack([c.numbers() for c in cells]))
    else:
        columns = [list(row) for row in zip(*(c.words() for c in cells), strict=True)]
    names = ["sample", *(name if name != "sample" else "sample (feature)" for name in features)]
    return table_of_columns(
        table.name, names, [list(samples), *columns], container=table.container, declared={"sample": "id"}
    )
