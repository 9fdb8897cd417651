"""What a table can be: evidence in its columns for squares, pairs, edges, series and turned tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from .cells import Cells
from .rows import NOT_COMPARED, Square
from .table import Layout, Table, table_of_columns, tamed_apart
from .uploads import LIMITS

Strength = Literal["declared", "strong", "possible"]

#: Names that say what a column is, in small letters: what is predicted, groups, rows, times, ends and weights of edges.
LABELS = (
    "label", "labels", "class", "classes", "target", "y", "outcome", "response", "species", "diagnosis", "category",
    "phenotype", "sentiment",
)  # fmt: skip
GROUPS = ("group", "subject", "subject_id", "patient", "patient_id", "batch", "fold")
IDS = ("id", "ids", "index", "key", "uuid", "rowid", "row_id", "seed", "name", "iid", "fid")
TIMES = ("time", "t", "timestamp", "step", "time_step", "timestep")
ENDS = (
    ("from", "to"),
    ("source", "target"),
    ("source", "destination"),
    ("src", "dst"),
    ("node1", "node2"),
    ("fromnodeid", "tonodeid"),
)
WEIGHTS = ("weight", "weights", "w", "value", "score", "combined_score")
#: What the first column of a turned table is called: features in lines.
FEATURES = re.compile(
    r"(?i)\b(gene|genes|protein|probe|probeset|snp|rs|marker|otu|asv|taxon|feature|metabolite|wavelength)s?\b"
)
_NUMERIC = ("number", "whole number")
#: Cells that are no labels, whatever their column is called.
_NO_LABEL = ("text", "sequence", "molecule", "date", "numbers", "bits")
#: So many columns are looked at as ends of edges; so many values decide.
_LOOKED_AT, _VALUES = 12, 5000


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
    counts = cells.distinct == cells.n > 4 and x.min() in (0, 1) and np.ptp(x) == cells.n - 1
    counts = counts and (bool((steps == 1).all()) or cells.n >= 20)
    named = (
        low in IDS or re.search(r"(^|[_ ])(id|nr|no|number|seed|code|index)$", low) is not None or low.endswith("id")
    )
    rises = first and cells.n >= 5 and bool((steps > 0).all() or (steps < 0).all())
    long = cells.n >= 5 and np.abs(x).min() >= 1e7
    return bool(counts or named or rises or long)


def likely_roles(table: Table) -> tuple[dict[str, str], bool]:
    """Return the role that each column is pre-filled with, and whether the label's name says that it is one.

    >>> from kernlib.data.table import table_of
    >>> body = [[f"p{i}", str(i % 3 + 0.5), "ab"[i % 2]] for i in range(6)]
    >>> likely_roles(table_of("t", ["name", "size", "class"], body))
    ({'name': 'id', 'size': 'compared', 'class': 'predict'}, True)
    """
    label = next((c for c, role in table.declared.items() if role == "predict"), None)
    if label is None and not any(role == "predict" for role in table.declared.values()):
        by_name = {c.name.lower(): c for c in reversed(table.columns) if c.distinct > 1}
        label = next(
            (by_name[low].name for low in LABELS if low in by_name and not _is_unlikely_label(by_name[low])), None
        )
    named = rownames(table) is not None
    roles = {
        c.name: str(table.declared.get(c.name) or _role(c, label, j == int(named))) for j, c in enumerate(table.columns)
    }
    if rownames(table) is not None and table.columns[0].name != label:
        roles[table.columns[0].name] = "id"
    groups = [name for name, role in roles.items() if role == "group"]
    roles |= dict.fromkeys(groups[1:], "left out")
    several = [name for name, role in roles.items() if role == "id" and table.declared.get(name) != "id"]
    roles |= dict.fromkeys(several[1:], "left out")
    return roles, label is not None and roles[label] == "predict"


def _is_unlikely_label(cells: Cells) -> bool:
    return cells.kind in _NO_LABEL or (
        cells.kind == "word" and cells.different
    )


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
        c for c in table.columns
        if c.kind in ("word", "yes or no", "whole number", "ordered") and 2 <= c.distinct <= min(20, c.n / 2)
        and roles.get(c.name) in ("compared", "left out", "group") and c.n >= 4
    ]  # fmt: skip
    return [c.name for c in sorted(few, key=lambda c: (c.kind == "whole number", c.distinct))]


def rownames(table: Table) -> Cells | None:
    """Return the first column where a named table has no name for it, as the names of rows."""
    first = table.columns[0]
    return first if table.named and first.name == "column 1" and first.kind not in NOT_COMPARED else None


# Square matrices.


def square_of(table: Table) -> Square | None:
    """Return the square matrix that a table holds, whole or as a triangle; None for other tables.

    >>> from kernlib.data.table import table_of
    >>> square = square_of(table_of("t", ["", "a", "b"], [["a", "1", "0.5"], ["b", "0.5", "1"]]))
    >>> square.ids, square.A.tolist(), square.agree
    (('a', 'b'), [[1.0, 0.5], [0.5, 1.0]], True)
    """
    columns = list(table.columns)
    if (not table.staircase and abs(len(columns) - table.n) > 4) or (len(columns) < 2 and not table.staircase):
        return None
    first, names, ids = columns[0], list(table.names), None
    sided = rownames(table) is not None
    if len({*_texts(first)}) == table.n and (first.kind not in (*_NUMERIC, "empty") or sided):
        ids, columns, names = _texts(first), columns[1:], names[1:]
    elif table.columns[-1].name == "index" and len({*_texts(columns[-1])}) == table.n:
        ids, columns, names = _texts(columns[-1]), columns[:-1], names[:-1]
    label = ""
    if not table.staircase:
        words = [c for c in columns if c.kind not in (*_NUMERIC, "empty")]
        if len(words) > 1:
            return None
        if words:
            label = words[0].name
        elif len(columns) == table.n + 1:
            ends = [c for c in (columns[0], columns[-1]) if c.kind == "whole number" and c.distinct <= table.n / 2]
            ends.sort(key=lambda c: c.name.lower() not in LABELS)
            label = ends[0].name if ends else ""
            if not label and columns[0].kind == "whole number" and columns[0].distinct == table.n:
                columns, names = columns[1:], names[1:]  # a column that counts the rows
        counts = [c for c in columns if c.name in ("0", "column 1") and c.kind == "whole number" and c.different]
        if counts and len(columns) - bool(label) == table.n + 1:
            columns = [c for c in columns if c is not counts[0]]
        columns = [c for c in columns if c.name != label]
        names = [c.name for c in columns]
    if any(c.kind not in (*_NUMERIC, "empty") for c in columns) or not columns:
        return None
    block = np.column_stack([c.numbers() for c in columns]) if len(columns) > 0 else np.empty((table.n, 0))
    if np.isinf(block).any():
        return None
    square = _completed(table, block, np.isfinite(block), ids, names, label)
    if square is None and table.staircase:  # by the cells that are there, such as NA
        there = np.column_stack([np.array([bool(word) for word in _texts(c)]) for c in columns])
        square = _completed(table, block, there, ids, names, label)
    return square


def _texts(cells: Cells) -> list[str]:
    return [str(cell).strip() for cell in cells.raw.tolist()]


def _completed(
    table: Table, block: npt.NDArray[np.float64], known: npt.NDArray[np.bool_], ids: list[str] | None, names: list[str],
    label: str,
) -> Square | None:  # fmt: skip
    """Return a block of numbers as a square: as it stands, mirrored from a triangle, or with a first row added."""
    n, m = block.shape
    heads = names if table.named else None
    filled = known.sum(axis=1)
    lower = bool((filled == np.arange(n)).all()) and bool(known[np.tril_indices(n, -1, m)].all())
    with_diagonal = (
        bool((filled == np.arange(1, n + 1)).all()) and m >= n and bool(known[np.tril_indices(n, 0, m)].all())
    )
    falling = bool((filled == np.arange(n, 0, -1)).all()) or bool((filled == np.arange(n - 1, -1, -1)).all())
    if lower and m in (n - 1, n) and n > 2:  # a strict triangle, with or without its last, empty column
        A = np.full((n, n), np.nan)
        A[:, :m] = block
        return _mirrored(A, ids, heads, label, diagonal=False)
    shifted = ids is not None and heads is not None and ids != heads and list(ids[:-1]) == list(heads[1:])
    if with_diagonal and m == n and n > 2 and not known.all() and not shifted:
        return _mirrored(block, ids, heads, label, diagonal=True)
    if with_diagonal and m == n and shifted and ids is not None and heads is not None and not known.all():
        A = np.full((n + 1, n + 1), np.nan)  # rows 2 … n+1 below columns 1 … n, as R prints distances
        A[1:, :n] = block
        return _mirrored(A, [heads[0], *ids], None, label, diagonal=False)
    if falling and table.staircase and n > 2:
        k = int(filled[0])
        A = np.full((n, n), np.nan)
        for i in range(n):
            start = i + (k == n - 1)
            A[i, start : start + int(filled[i])] = block[i, : int(filled[i])]
        return _mirrored(A.T, ids, heads, label, diagonal=k == n)
    if n != m or n < 2 or not known.any():
        return None
    upper = bool((filled == np.arange(n, 0, -1)).all() or (filled == np.arange(n - 1, -1, -1)).all())
    if upper and bool(known[np.triu_indices(n, 1)].all()) and n > 2:
        return _mirrored(block.T, ids, heads, label, diagonal=bool(known[0, 0]))
    if (~known).sum() > 0.5 * n * n:
        return None
    agree, order = _agreement(ids, heads)
    A = block[:, order] if order is not None else block
    rows = tuple(ids) if ids is not None else tuple(heads) if heads is not None else ()
    gaps = np.argwhere(~known)
    lacking = f"{len(gaps)} entries lack a value." if len(gaps) else ""
    diagonal = bool(known.diagonal().any())
    return Square(A, tamed_ids(rows), label, agree, diagonal, lacking, "")


def _mirrored(
    A: npt.NDArray[np.float64], ids: list[str] | None, heads: list[str] | None, label: str, diagonal: bool
) -> Square | None:
    """Return a square from its lower triangle."""
    if not np.isfinite(A).any():
        return None
    B = np.where(np.isfinite(A), A, A.T)
    names = ids if ids is not None else heads if heads and len(heads) == len(B) else None
    agree = _agreement(ids, heads)[0] if ids is not None and heads is not None and len(heads) == len(B) else False
    which = "with" if diagonal else "without"
    return Square(B, tamed_ids(names or ()), label, agree, diagonal, "", f"a triangle {which} its diagonal")


def _agreement(ids: Sequence[str] | None, heads: Sequence[str] | None) -> tuple[bool, list[int] | None]:
    """Return whether names on both sides agree, and the order of columns that makes them."""
    if ids is None or heads is None or len(ids) != len(heads):
        return False, None
    one, other = [name.strip().casefold() for name in ids], [name.strip().casefold() for name in heads]
    if one == other:
        return True, None
    if len({*one}) == len(one) and {*one} == {*other}:
        place = {name: j for j, name in enumerate(other)}
        return True, [place[name] for name in one]
    return False, None


def tamed_ids(names: Sequence[str]) -> tuple[str, ...]:
    """Return names of rows that differ, none where there are none."""
    return tuple(tamed_apart(names)) if names else ()


def condensed(table: Table) -> Square | None:
    """Return the square of n(n−1)/2 numbers in one column; None for other tables."""
    numeric = [c for c in table.columns if c.kind in _NUMERIC]
    if len(numeric) != 1 or len(table.columns) > 1 or numeric[0].missing:
        return None
    side = round((1 + (1 + 8 * table.n) ** 0.5) / 2)
    if side * (side - 1) // 2 != table.n or not 3 < side <= LIMITS.side:
        return None
    A = np.full((side, side), np.nan)
    A[np.triu_indices(side, 1)] = numeric[0].numbers()
    A = np.where(np.isfinite(A), A, A.T)
    return Square(A, diagonal=False, why=f"{table.n} numbers are the pairs of {side} rows")


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
    lines: int
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
    usable = [
        c for c in table.columns[:_LOOKED_AT]
        if c.kind in ("word", "whole number", "yes or no") or (c.kind == "date" and table.n > 1)
    ]  # fmt: skip
    low = {c.name.lower(): c for c in table.columns}
    named = next(((low[a], low[b]) for a, b in ENDS if a in low and b in low), None)
    declared = [name for role in ("from", "to") for name, one in table.declared.items() if one == role]
    named = (table.column(declared[0]), table.column(declared[1])) if len(declared) == 2 else named
    if named is None and (long := long_series(table)) is not None and long[2]:
        return None
    sets = {c.name: {*c.words()} - {""} for c in usable}
    best: tuple[float, Cells, Cells] | None = None
    for one, other in [named] if named is not None else _two(usable):
        a, b = (sets.get(c.name) or {*c.words()} - {""} for c in (one, other))
        share = len(a & b) / max(1, min(len(a), len(b)))
        different = len({*zip(one.words(), other.words(), strict=True)})
        numbers = one.kind == "whole number" and table.named and len(table.columns) > 3
        both = len(a & b)
        alike = share >= (2 / 3 if numbers else 1 / 3) and (both > 2 or 3 * both >= len(a | b))
        if named is not None or (alike and different >= 0.9 * table.n and len(a | b) > 2):
            if best is None or share > best[0] + 0.2:
                best = share, one, other
    if best is None:
        return None
    share, one, other = best
    ends = list(zip(one.words(), other.words(), strict=True))
    if len({*one.words(), *other.words()}) >= 2 * len(ends) and named is None:
        return None
    return Pairs(
        (one.name, other.name), share, _value(table, (one.name, other.name)), len({w for end in ends for w in end}),
        len({tuple(sorted(end)) for end in ends if end[0] != end[1]}), table.n, named is not None,
    )  # fmt: skip


def _two(columns: Sequence[Cells]) -> Iterator[tuple[Cells, Cells]]:
    """Yield two columns of words each, then two of whole numbers."""
    for numbers in (False, True):
        alike = [c for c in columns if (c.kind == "whole number") == numbers and not _counts(c)]
        yield from combinations(alike, 2)


def _counts(cells: Cells) -> bool:
    """Return whether a column counts the lines."""
    if cells.kind != "whole number" or cells.missing or cells.n < 3:
        return False
    return bool((np.diff(cells.numbers()) == 1).all())


def _value(table: Table, ends: tuple[str, str]) -> str:
    numeric = [c for c in table.columns if c.kind in _NUMERIC and c.name not in ends and not _counts(c)]
    numeric.sort(key=lambda c: (c.missing > 0, c.name.lower() not in WEIGHTS))
    after = [c for c in numeric if table.names.index(c.name) > table.names.index(ends[0])]
    return (after or numeric)[0].name if numeric else ""


def pairs_as_square(table: Table, ends: tuple[str, str], value: str) -> Square:
    """Return the square of pairs with a value; a pair in both orders keeps both, one without stays missing."""
    first, second = (table.column(end).words() for end in ends)
    x = table.column(value).numbers()
    place: dict[str, int] = {}
    for word in (*first, *second):
        place.setdefault(word, len(place))
    place.pop("", None)
    names = [*place]
    place = {name: k for k, name in enumerate(names)}
    A = np.full((len(names), len(names)), np.nan)
    for a, b, v in zip(first, second, x.tolist(), strict=True):
        if a and b:
            A[place[a], place[b]] = v
    A = np.where(np.isfinite(A), A, A.T)
    off = np.isnan(A).sum() - np.isnan(A.diagonal()).sum()
    lacking = f"{int(off) // 2} of {len(names) * (len(names) - 1) // 2} pairs lack a value." if off else ""
    return Square(A, tamed_ids(names), diagonal=bool(np.isfinite(A.diagonal()).any()), lacking=lacking)


def neighbours(table: Table) -> Table | None:
    """Return the edges of a list of neighbours, one node and those that it is joined to in a line; None elsewhere."""
    if len(table.columns) != 1:
        return None
    lines = [word.split() for word in map(str, table.columns[0].raw.tolist()) if word.strip()]
    lines = [line for line in lines if line and not line[0].startswith("#")]
    heads = [line[0] for line in lines]
    rest = [word for line in lines for word in line[1:]]
    if len(lines) < 2 or len({*heads}) < len(heads) or not rest or len(rest) > LIMITS.rows:
        return None
    short = all(len(word) < 40 for word in (*heads[:200], *rest[:200]))
    shared = len({*heads} & {*rest}) >= len(heads) / 3
    if not (short and shared) or any(word.endswith((".", ",")) for word in rest[:200]):
        return None
    edges = [(line[0], word) for line in lines for word in line[1:]]
    return table_of_columns(
        table.name, ["from", "to"], [list(end) for end in zip(*edges, strict=True)], container=table.container,
        layout=Layout(table.n),
    )  # fmt: skip


# Series and turned tables.


def long_series(table: Table) -> tuple[str, str, bool] | None:
    """Return the columns of the series and of the time in a long table, and whether names say it; None elsewhere."""
    clocks = [c for c in table.columns if c.kind in (*_NUMERIC, "date") and not c.missing]
    clocks.sort(key=lambda c: c.name.lower() not in TIMES)
    owners = [
        c for c in table.columns[:_LOOKED_AT]
        if c.kind in ("word", "whole number", "yes or no") and 1 < c.distinct <= table.n / 2
    ]  # fmt: skip
    declared = [name for name, role in table.declared.items() if role == "time"]
    ends = {name for pair in ENDS for name in pair}
    for clock in clocks[:_LOOKED_AT]:
        named = clock.name.lower() in TIMES or clock.name in declared
        at = clock.numbers() if clock.kind in _NUMERIC else np.unique(np.array(clock.words()), return_inverse=True)[1]
        if not named and clock.kind == "number":
            continue
        for owner in owners:
            if owner.name.lower() in ends or owner is clock or (owner.name.lower() in LABELS and len(owners) > 1):
                continue
            names = owner.words()
            known: dict[str, list[float]] = {}
            for name, time in zip(names, at.tolist(), strict=True):
                known.setdefault(name, []).append(time)
            if not named and {*names} & {*clock.words()}:
                continue  # two ends of edges, in order
            rising = all(a < b for times in known.values() for a, b in pairwise(times))
            starts = len({times[0] for times in known.values()}) <= max(1, len(known) // 2)
            if rising and starts and table.n >= 2 * len(known) and (named or min(map(len, known.values())) > 2):
                return owner.name, clock.name, named
    return None


def wide_series(table: Table, roles: dict[str, str]) -> tuple[list[str], float, bool] | None:
    """Return the columns of a table whose lines are series, how smooth these are, and whether names run in sequence."""
    numeric = [c for c in table.columns if roles.get(c.name) == "compared" and c.kind in _NUMERIC]
    if len(numeric) < 8 or any(roles.get(c.name) == "compared" and c.kind not in _NUMERIC for c in table.columns):
        return None
    first = numeric[0]
    few = (
        first.kind == "whole number"
        and first.distinct <= max(2, table.n / 4)
        and numeric[1].distinct > 2 * first.distinct
    )
    numeric = numeric[1:] if few else numeric
    names = [c.name for c in numeric]
    numbers = [re.search(r"(\d+(?:\.\d+)?)\D*$", name) for name in names]
    run = all(numbers) and len({name[: m.start()] for name, m in zip(names, numbers, strict=True) if m}) == 1
    x = np.column_stack([c.numbers()[:200] for c in numeric])
    centred = x - np.nanmean(x, axis=1, keepdims=True) if np.isfinite(x).any(axis=1).all() else x
    steps, size = np.nanmean(np.diff(centred, axis=1) ** 2), np.nanmean(centred**2)
    smooth = 1 - float(steps / (2 * size)) if size > 0 else 0.0
    return names, smooth, run and (table.named or True)


def samples_as_columns(table: Table) -> tuple[list[str], bool] | None:
    """Return the columns that are alike, as the samples of a turned table, and whether the first column names features.

    >>> from kernlib.data.table import table_of
    >>> names = ["gene", "chr", *(f"ctl_{k}" for k in range(4))]
    >>> body = [[f"g{i}", "1", *(str(i * k + 0.5) for k in range(4))] for i in range(9)]
    >>> samples_as_columns(table_of("t", names, body))
    (['ctl_0', 'ctl_1', 'ctl_2', 'ctl_3'], True)
    """
    first = table.columns[0]
    if len(table.columns) < 3 or first.kind in (*_NUMERIC, *NOT_COMPARED) or len({*_texts(first)}) < 0.95 * table.n:
        return None
    alike = [c for c in table.columns[1:] if c.kind in (*_NUMERIC, "word")]
    families: dict[tuple[str, bool], list[str]] = {}
    for cells in alike:
        stem = re.sub(r"[\s_.\-]*[A-Za-z]{0,5}[\s_.\-]*\d+$", "", cells.name)
        families.setdefault((stem, cells.kind in _NUMERIC), []).append(cells.name)
    largest = max(families.values(), key=len, default=[])
    numeric = [c.name for c in alike if c.kind in _NUMERIC]
    chosen = largest if (len(largest) > 2 and 2 * len(largest) >= len(numeric)) or len(largest) > 3 else numeric
    if len(chosen) < 2:
        return None
    return chosen, FEATURES.search(re.sub(r"[_#]|IDs?\b", " ", first.name)) is not None


def turned(table: Table, samples: Sequence[str]) -> Table:
    """Return a table whose rows are these columns, and whose columns are named by the first one."""
    features = tamed_apart(_texts(table.columns[0]))
    cells = [table.column(name) for name in samples]
    if all(c.kind in _NUMERIC for c in cells):
        block = np.column_stack([c.numbers() for c in cells])
        columns: list[Any] = [np.array(row) for row in block]
    else:
        words = [c.words() for c in cells]
        columns = [list(row) for row in zip(*words, strict=True)]
    return table_of_columns(
        table.name, ["sample", *(name if name != "sample" else "sample (feature)" for name in features)],
        [list(samples), *columns], container=table.container, declared={"sample": "id"}, layout=table.layout,
    )  # fmt: skip
