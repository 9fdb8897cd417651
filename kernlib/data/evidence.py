"""What a table can be: evidence in its columns for squares, pairs, edges, series and turned tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from .cells import NOT_COMPARED, NUMBERS, Cells
from .limits import LIMITS
from .table import Layout, Square, Table, table_of_columns, tamed_apart

Strength = Literal["declared", "strong", "possible"]

#: Names that say what a column is, in small letters: what is predicted, groups, rows, times, ends and weights of edges.
_LABELS = "label labels class classes target y outcome response species diagnosis category phenotype sentiment"
LABELS = tuple(_LABELS.split())
GROUPS = ("group", "subject", "subject_id", "patient", "patient_id", "batch", "fold")
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
    if cells.n < 3 or not cells.different:
        return False
    low = cells.name.lower()
    if cells.kind in ("word", "date"):
        return cells.n >= 5 or cells.kind == "date" or low in IDS or low.endswith("_id") or cells.distinct == cells.n
    if cells.kind != "whole number" or low in LABELS:
        return False
    x = cells.numbers()
    x = x[np.isfinite(x)]
    steps = np.diff(x)
    named = low in IDS or low.endswith("id") or re.search(r"(^|[_ ])(nr|no|number|seed|code|index)$", low) is not None
    if named or cells.n < 5:
        return named
    counts = cells.distinct == cells.n and x.min() in (0, 1) and np.ptp(x) == cells.n - 1
    rises = first and ((steps > 0).all() or (steps < 0).all())
    return bool((counts and ((steps == 1).all() or cells.n >= 20)) or rises or np.abs(x).min() >= 1e7)


def likely_roles(table: Table) -> tuple[dict[str, str], bool]:
    """Return the role that each column is pre-filled with, and whether the label's name says that it is one.

    >>> from kernlib.data.table import table_of
    >>> body = [[f"p{i}", str(i % 3 + 0.5), "ab"[i % 2]] for i in range(6)]
    >>> likely_roles(table_of("t", ["name", "size", "class"], body))
    ({'name': 'id', 'size': 'compared', 'class': 'predict'}, True)
    """
    declared = table.declared
    label = next((c for c, role in declared.items() if role == "predict"), None)
    if label is None:
        by_name = {c.name.lower(): c for c in reversed(table.columns) if c.distinct > 1}
        some = (by_name[low] for low in LABELS if low in by_name)
        label = next((c.name for c in some if not (c.kind in _NO_LABEL or (c.kind == "word" and c.different))), None)
    sided = rownames(table)
    roles = {
        c.name: declared.get(c.name) or _role(c, label, j == (sided is not None)) for j, c in enumerate(table.columns)
    }
    if sided is not None and sided.name != label:
        roles[sided.name] = "id"
    groups = [name for name, role in roles.items() if role == "group"]
    ids = [name for name, role in roles.items() if role == "id" and declared.get(name) != "id"]
    roles |= dict.fromkeys((*groups[1:], *ids[1:]), "left out")
    return roles, label is not None and roles[label] == "predict"


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
    square = square_of(table)
    return square if square is not None else _condensed(table)


def square_of(table: Table) -> Square | None:
    """Return the square matrix that a table holds, whole or as a triangle; None for other tables."""
    n, columns, ids, label = table.n, list(table.columns), None, ""
    if not table.staircase and (len(columns) < 2 or abs(len(columns) - n) > 4):
        return None
    first, last = columns[0], columns[-1]
    if (first.kind not in (*NUMBERS, "empty") or rownames(table)) and len({*first.texts}) == n:
        ids, columns = first.texts, columns[1:]
    elif last.name == "index" and len({*last.texts}) == n:
        ids, columns = last.texts, columns[:-1]
    if not table.staircase:
        words = [c for c in columns if c.kind not in (*NUMBERS, "empty")]
        if len(words) > 1:
            return None
        if words:
            label = words[0].name
        elif len(columns) == n + 1:
            ends = [c for c in (columns[0], columns[-1]) if c.kind == "whole number" and c.distinct <= n / 2]
            label = min(ends, key=lambda c: c.name.lower() not in LABELS).name if ends else ""
            if not ends and columns[0].kind == "whole number" and columns[0].distinct == n:
                columns = columns[1:]  # a column that counts the rows
        columns = [c for c in columns if c.name != label]
        counts = [c for c in columns if c.name in ("0", "column 1") and c.kind == "whole number" and c.different]
        if counts and len(columns) == n + 1:
            columns.remove(counts[0])
    if not columns or any(c.kind not in (*NUMBERS, "empty") for c in columns):
        return None
    block = np.column_stack([c.numbers() for c in columns])
    if np.isinf(block).any():
        return None
    names = [c.name for c in columns]
    square = _completed(table, block, np.isfinite(block), ids, names, label)
    if square is None and table.staircase:  # by the cells that are there, such as NA
        there = np.column_stack([np.array([bool(word) for word in c.texts]) for c in columns])
        square = _completed(table, block, there, ids, names, label)
    return square


def _completed(
    table: Table,
    block: npt.NDArray[np.float64],
    known: npt.NDArray[np.bool_],
    ids: list[str] | None,
    names: list[str],
    label: str,
) -> Square | None:
    """Return a block of numbers as a square: as it stands, mirrored from a triangle, or with a first row added."""
    n, m = block.shape
    heads = names if table.named else None
    filled = known.sum(axis=1)
    A = np.full((n, n), np.nan)
    if n > 2 and m in (n - 1, n) and (known == np.tri(n, m, -1)).all():  # with or without its last, empty column
        A[:, :m] = block
        return _mirrored(A, ids, heads, label, diagonal=False)
    if m == n > 1 and (known == np.tri(n)).all():
        if ids is not None and heads is not None and ids != heads and ids[:-1] == heads[1:]:
            A = np.full((n + 1, n + 1), np.nan)  # rows 2 … n+1 below columns 1 … n, as R prints distances
            A[1:, :n] = block
            return _mirrored(A, [heads[0], *ids], None, label, diagonal=False)
        if n > 2:
            return _mirrored(block, ids, heads, label, diagonal=True)
    falls = (filled == np.arange(n, 0, -1)).all() or (filled == np.arange(n - 1, -1, -1)).all()
    if falls and table.staircase and n > 2:
        whole = int(filled[0]) == n
        for i, count in enumerate(filled.tolist()):
            A[i, n - count :] = block[i, :count]
        return _mirrored(A.T, ids, heads, label, diagonal=whole)
    if n != m or n < 2 or not known.any():
        return None
    if falls and known[np.triu_indices(n, 1)].all() and n > 2:
        return _mirrored(block.T, ids, heads, label, diagonal=bool(known[0, 0]))
    lack = int((~known).sum())
    if lack > 0.5 * n * n:
        return None
    agree, order = _agreement(ids, heads)
    lacking = f"{lack} entries lack a value." if lack else ""
    rows = ids if ids is not None else heads or ()
    return Square(block[:, order], tuple(tamed_apart(rows)), label, agree, bool(known.diagonal().any()), lacking)


def _mirrored(
    A: npt.NDArray[np.float64], ids: list[str] | None, heads: list[str] | None, label: str, diagonal: bool
) -> Square | None:
    """Return a square from its lower triangle."""
    if not np.isfinite(A).any():
        return None
    heads = heads if heads and len(heads) == len(A) else None
    which = "with" if diagonal else "without"
    return Square(
        np.where(np.isfinite(A), A, A.T),
        tuple(tamed_apart(ids if ids is not None else heads or ())),
        label,
        _agreement(ids, heads)[0],
        diagonal,
        why=f"A triangle {which} its diagonal.",
    )


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


def _condensed(table: Table) -> Square | None:
    """Return the square of n(n−1)/2 numbers in one column; None for other tables."""
    cells = table.columns[0]
    side = round((1 + (1 + 8 * table.n) ** 0.5) / 2)
    fits = side * (side - 1) // 2 == table.n and 3 < side <= LIMITS.side
    if len(table.columns) > 1 or cells.kind not in NUMBERS or cells.missing or not fits:
        return None
    A = np.full((side, side), np.nan)
    A[np.triu_indices(side, 1)] = cells.numbers()
    A = np.where(np.isfinite(A), A, A.T)
    return Square(A, diagonal=False, why=f"{table.n} numbers are the pairs of {side} rows.")


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
    named = next(((low[a], low[b]) for a, b in ENDS if a in low and b in low), None)
    declared = [name for role in ("from", "to") for name, one in table.declared.items() if one == role]
    if len(declared) == 2:
        named = table.column(declared[0]), table.column(declared[1])
    if named is None and (long := long_series(table)) is not None and long[2]:
        return None
    best: tuple[float, Cells, Cells] | None = None
    for one, other in [named] if named is not None else _two(table):
        ends = list(zip(one.words(), other.words(), strict=True))
        a, b = ({*words} - {""} for words in zip(*ends, strict=True))
        both = len(a & b)
        share = both / max(1, min(len(a), len(b)))
        numbers = one.kind == "whole number" and table.named and len(table.columns) > 3
        alike = share >= (2 / 3 if numbers else 1 / 3) and (both > 2 or 3 * both >= len(a | b) > 2)
        if named is not None or (alike and len({*ends}) >= 0.9 * table.n):
            if best is None or share > best[0] + 0.2:
                best = share, one, other
    if best is None:
        return None
    share, one, other = best
    ends = list(zip(one.words(), other.words(), strict=True))
    names = {word for end in ends for word in end}
    if len(names) >= 2 * len(ends) and named is None:
        return None
    different = {tuple(sorted(end)) for end in ends if end[0] != end[1]}
    value = _value(table, (one.name, other.name))
    return Pairs((one.name, other.name), share, value, len(names), len(different), named is not None)


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


def neighbours(table: Table) -> Table | None:
    """Return the edges of a list of neighbours, one node and those that it is joined to in a line; None elsewhere."""
    if len(table.columns) != 1:
        return None
    lines = [words.split() for words in table.columns[0].texts if words and not words.startswith("#")]
    heads, rest = [line[0] for line in lines], [word for line in lines for word in line[1:]]
    if len(lines) < 2 or len({*heads}) < len(heads) or not rest or len(rest) > LIMITS.rows:
        return None
    short = all(len(word) < 40 for word in (*heads[:200], *rest[:200]))
    shared = len({*heads} & {*rest}) >= len(heads) / 3
    if not (short and shared) or any(word.endswith((".", ",")) for word in rest[:200]):
        return None
    starts = [line[0] for line in lines for _ in line[1:]]
    layout = Layout(table.n)
    return table_of_columns(table.name, ["from", "to"], [starts, rest], container=table.container, layout=layout)


# Series and turned tables.


def long_series(table: Table) -> tuple[str, str, bool] | None:
    """Return the columns of the series and of the time in a long table, and whether names say it; None elsewhere."""
    clocks = [c for c in table.columns if c.kind in (*NUMBERS, "date") and not c.missing]
    clocks.sort(key=lambda c: c.name.lower() not in TIMES)
    owners = [
        c
        for c in table.columns[:_LOOKED_AT]
        if c.kind in ("word", "whole number", "yes or no") and 1 < c.distinct <= table.n / 2
    ]
    owners = [
        c
        for c in owners
        if not any(c.name.lower() in pair for pair in ENDS) and (c.name.lower() not in LABELS or len(owners) == 1)
    ]
    for clock in clocks[:_LOOKED_AT]:
        named = clock.name.lower() in TIMES or table.declared.get(clock.name) == "time"
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


def wide_series(table: Table, roles: dict[str, str]) -> tuple[list[str], float, bool] | None:
    """Return the columns of a table whose lines are series, how smooth these are, and whether names run in sequence."""
    compared = [c for c in table.columns if roles.get(c.name) == "compared"]
    if len(compared) < 8 or any(c.kind not in NUMBERS for c in compared):
        return None
    first, second = compared[:2]
    few = first.kind == "whole number" and first.distinct <= max(2, table.n / 4)
    if few and second.distinct > 2 * first.distinct:
        compared = compared[1:]
    names = [c.name for c in compared]
    stems = {m and m[1] for name in names for m in [re.fullmatch(r"(.*?)\d+(?:\.\d+)?\D*", name, re.DOTALL)]}
    x = np.column_stack([c.numbers()[:200] for c in compared])
    centred = x - np.nanmean(x, axis=1, keepdims=True) if np.isfinite(x).any(axis=1).all() else x
    steps, size = np.nanmean(np.diff(centred, axis=1) ** 2), np.nanmean(centred**2)
    smooth = 1 - float(steps / (2 * size)) if size > 0 else 0.0
    return names, smooth, len(stems) == 1 and None not in stems


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
    families: dict[tuple[str, bool], list[str]] = {}
    for cells in table.columns[1:]:
        if cells.kind in (*NUMBERS, "word"):
            families.setdefault((_quantity(cells.name), cells.kind in NUMBERS), []).append(cells.name)
    largest = max(families.values(), key=len, default=[])
    numeric = [c.name for c in table.columns[1:] if c.kind in NUMBERS]
    chosen = largest if (len(largest) > 2 and 2 * len(largest) >= len(numeric)) or len(largest) > 3 else numeric
    if len(chosen) < 2:
        return None
    return chosen, FEATURES.search(re.sub(r"[_#]|IDs?\b", " ", first.name)) is not None


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
