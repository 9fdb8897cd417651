"""What a table can mean: the readings, one class each, with the evidence in the parsed table for each of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from ..errors import DataError
from .cells import NOT_COMPARED, NUMBERS, NUMERIC, CellKind, Cells
from .dataset import Dataset
from .files import counted, shortened
from .rows import of_columns, of_lines, of_long, of_square
from .table import FEATURES, WEIGHTS, Evidence, Pairs, Square, Table, table_of_columns, tamed_apart

if TYPE_CHECKING:
    from .readings import Reading

# Pairs, series and turned tables.


def joined(reading: Reading, weights: npt.NDArray[np.float64], nodes: Cells | None, by_line: bool) -> Square:
    """Return the square of a part whose lines join two names, NaN where none does; of two lines the larger value.

    `nodes` names all rows; without it they are those of the lines, in the order of lines or of the two columns.

    Raises DataError for a line with one end, an unknown name, or too many names.
    """
    part, (first, second) = reading.part, (reading.part.column(end).words() for end in _ends(reading))
    if "" in first or "" in second:
        i = next(i for i, line in enumerate(zip(first, second, strict=True)) if "" in line)
        raise DataError(f"{part.name}: data row {i + 1} names one end of two. Correct the line, or remove it.")
    lines = zip(first, second, strict=True) if by_line else (first, second)
    names = dict.fromkeys(chain.from_iterable(lines))
    known = names if nodes is None else dict.fromkeys(nodes.words())
    if unknown := next((name for name in names if name not in known), None):
        raise DataError(
            f"{part.name}: an edge leads to {shortened(unknown)}, which the table of nodes does not list; expected "
            "edges between listed nodes. Add the node, or remove the edge."
        )
    n = len(known)
    if not 2 <= n <= reading.limits.side:
        raise DataError(f"{part.name}: it names {n} rows; expected 2 to {reading.limits.side}. Choose a part of it.")
    place = {name: i for i, name in enumerate(known)}
    A = np.full((n, n), np.nan)
    np.fmax.at(A, ([place[name] for name in first], [place[name] for name in second]), weights)
    return Square(A, tuple(tamed_apart(tuple(place))))


def wide_series(table: Table) -> tuple[list[str], bool] | None:
    """Return the columns of a table whose lines are series, and whether neighbours are alike; None for other tables."""
    compared = [c for c in table.columns if table.likely_roles[c.name] == "compared"]
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
    first, rest = table.columns[0], [c for c in table.columns[1:] if c.kind in (*NUMBERS, "word")]
    if len(table.columns) < 3 or first.kind in (*NUMBERS, *NOT_COMPARED) or len({*first.texts}) < 0.95 * table.n:
        return None
    samples = numeric = [c for c in rest if c.kind in NUMBERS]
    families = Counter((_quantity(c.name), c.kind in NUMBERS) for c in rest)
    alike, count = max(families.items(), key=lambda one: one[1], default=(("", True), 0))
    if count > 3 or (count > 2 and 2 * count >= len(numeric)):
        samples = [c for c in rest if (_quantity(c.name), c.kind in NUMBERS) == alike]
    names_features = FEATURES.search(re.sub(r"[_#]|IDs?\b", " ", first.name)) is not None
    return ([c.name for c in samples], names_features) if len(samples) > 1 else None


def _quantity(name: str) -> str:
    """Return a column's name without its numbered sample: "LFQ intensity" of "LFQ intensity ctl_1"."""
    return re.sub(r"(^| )[^ ]+ \d+$|(^| )[^ ]*\d$", "", name)


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


# The readings.

#: The roles of columns, and the choices about rows, of most readings.
_COLUMNS = ("predict", "compared", "group", "id", "left out")
_ROWS = ("missing", "task", "without")
_SQUARE = ("matrix", "symmetrise", *_ROWS)


class Way:
    """One reading of the list.

    Each declares: `kind`; `words` in a menu; `roles` that columns may have; `fields`, the choices about rows that
    apply; `domain` of the rows without columns that it reads; `beside`, whether a table may describe its rows.
    """

    kind: ClassVar[str]
    words: ClassVar[str]
    domain: ClassVar[str] = ""
    beside: ClassVar[bool] = False
    roles: ClassVar[tuple[str, ...]] = _COLUMNS
    fields: ClassVar[tuple[str, ...]] = _ROWS

    def look(self, part: Table) -> Evidence | None:
        """Return why a part, with the table beside it, can be read like this; None where it cannot."""
        return None

    def square(self, reading: Reading) -> Square | None:
        """Return the matrix of the reading, None where it has none."""
        return None

    def make(self, reading: Reading) -> Dataset:
        """Return the data set."""
        return of_columns(reading)


def _roles(table: Table, **others: str) -> dict[str, str]:
    """Return likely roles, those of `others` in place of some."""
    return {name: others.get(role, role) for name, role in table.likely_roles.items()}


class RowsAndColumns(Way):
    """Lines of a table as rows."""

    kind, words = "table", "rows and columns"

    def look(self, part: Table) -> Evidence | None:
        if _is_lines(part) and part.columns[0].kind not in NUMERIC:
            return None
        roles, size = part.likely_roles, f"{counted(part.n, 'row')} and {counted(len(part.columns), 'column')}"
        if "compared" not in roles.values():
            return Evidence("possible", f"{size}; no column is left to compare.", 0.1, roles)
        if part.declared:
            return Evidence("declared", f"{part.container}: {size}.", 0.3, roles)
        if part.named:
            return Evidence("strong", f"{size} with names.", 0.3, roles)
        return Evidence("possible", f"{size} without names.", 0.35, roles)


def _is_lines(table: Table) -> bool:
    return len(table.columns) == 1 and not table.named


# Matrices, pairs and graphs.


def _naming(table: Table, ids: Sequence[str]) -> str | None:
    """Return the column of a table that names at least half of the rows, each in one line; None without."""
    best, most = None, len(ids) / 2
    for cells in table.columns if ids else ():
        words = {*cells.words()}
        shared = len({*ids} & words)
        if shared >= most and shared > (0 if best is None else most) and len(words) == cells.n:
            best, most = cells.name, shared
    return best


def _with_rows(reading: Reading, square: Square) -> Reading:
    """Return the reading of the names of rows, or of lines beside them in their order; other rows have no label."""
    table, ids, n = reading.part.beside, square.ids, len(square.A)
    if table is None:
        who, limits = "name of the row", replace(reading.limits, least=1)
        names = list(square.names)
        more: dict[str, Any] = {"declared": {who: "id"}, "kinds": {who: "word"}, "limits": limits}
        return reading.over(table_of_columns(reading.name, [who], [names], **more))
    name = _naming(table, ids)
    if name is None:
        if table.n != n:
            raise DataError(
                f"{reading.name}: it has {n} rows and {table.name} {table.n}; expected one line per row. Give the "
                "table that belongs to it."
            )
        return reading.over(table)
    place = {word: i for i, word in enumerate(table.column(name).words())}
    order, known = np.array([place.get(one, 0) for one in ids]), np.array([one in place for one in ids])
    columns = tuple(replace(c, raw=c.raw[order], present=c.present[order] & known) for c in table.columns)
    return reading.over(replace(table, columns=columns))


def _roles_beside(table: Table, naming: str | None) -> dict[str, str]:
    """Return the roles of a table that describes rows: it has their label and names, and nothing is compared."""
    if naming is None:
        return _roles(table, compared="left out")
    return _roles(table, compared="left out", id="left out") | {naming: "id"}


class SquareMatrix(Way):
    """A square of scores or distances, alone or with a table of its rows."""

    kind, words, fields, beside = "matrix", "square matrix", _SQUARE, True

    def look(self, part: Table) -> Evidence | None:
        square = part.square
        if square is None or "from" in part.declared.values():
            return None
        n, first, beside = len(square.A), part.columns[0], part.beside
        size, roles = f"{n} × {n} numbers", dict[str, str]()
        if beside is not None:
            naming = _naming(beside, square.ids)
            if beside.n != n and naming is None:
                return None
            why = f"{size}, and {beside.name} describes the rows."
            return Evidence("strong", why, 0.9, _roles_beside(beside, naming))
        if len(part.columns) > 1:
            roles = dict.fromkeys(part.names, "compared")
            if square.ids and tuple(first.words()) == square.ids:
                roles[first.name] = "id"
            if square.label:
                roles[square.label] = "predict"
        gaps = f" {square.gaps} entries lack a value." if square.gaps else ""
        if part.container.endswith(", K"):
            return Evidence("strong", f"The array K holds {size}.{gaps}", 0.9, roles)
        if square.agree:
            return Evidence("strong", f"{size} with the same names on both sides.{gaps}", 0.9, roles)
        if square.triangle:
            why = f"A triangle {'with' if square.diagonal else 'without'} its diagonal."
            return Evidence("possible", why, 0.85, roles)
        alike = n > 2 and square.symmetric
        why = f"{size}, {'symmetric' if alike else 'not symmetric'}.{gaps}"
        return Evidence("possible", why, 0.85 if alike else 0.2, roles)

    def square(self, reading: Reading) -> Square | None:
        return reading.part.square

    def make(self, reading: Reading) -> Dataset:
        square = reading.square
        assert square is not None
        own = reading.part.beside is None and bool(square.label) and reading.part.n == len(square.A)
        return of_square(reading if own else _with_rows(reading, square), square)


def _chosen(reading: Reading, role: str) -> list[str]:
    """Return the columns of a part whose lines join two names that are in a role, by choice or as found."""
    pairs = reading.part.pairs if reading.part.beside is not None else None
    roles = reading.roles if pairs is None else pairs.roles(reading.part, _weight(reading.part, pairs))
    return [name for name in reading.part.names if roles.get(name) == role]


def _ends(reading: Reading) -> tuple[str, str]:
    """Return the two columns that name ends, the last in each role."""
    ends = [_chosen(reading, role)[-1:] for role in ("from", "to")]
    if not all(ends):
        raise DataError(f"{reading.name}: two columns have to name the rows or ends of edges. Choose these columns.")
    return ends[0][0], ends[1][0]


class PairsWithValue(Way):
    """Lines of two names and a number: the entries of a matrix."""

    kind, words, fields = "pairs", "pairs with a value", _SQUARE
    roles = ("from", "to", "compared", "left out")

    def look(self, part: Table) -> Evidence | None:
        pairs = part.pairs
        if pairs is None or not (pairs.value and (pairs.share or pairs.named)):
            return None
        lack, value = pairs.all_pairs - pairs.pairs, shortened(pairs.value)
        both = f"{shortened(pairs.ends[0])} and {shortened(pairs.ends[1])} name the same {len(pairs.names)} rows"
        why = f"{both}, with {value} for every pair."
        if lack > 0:
            why = f"{both}, with {value}; {counted(lack, 'pair')} of {pairs.all_pairs} lack it."
        weight = 0.85 if lack <= 0 else 0.75 if pairs.complete else 0.25
        return Evidence("possible", why, weight, pairs.roles(part, [pairs.value]))

    def square(self, reading: Reading) -> Square | None:
        ends = [*_chosen(reading, "from")[-1:], *_chosen(reading, "to")[-1:]]
        whole = all("" not in reading.part.column(end).words() for end in ends)
        return self._joined(reading) if whole else None  # `make` says why

    def _joined(self, reading: Reading) -> Square | None:
        """Return the square; None unless two columns of names and one of numbers are chosen."""
        values = _chosen(reading, "compared")
        if len(values) != 1 or not all(_chosen(reading, role) for role in ("from", "to")):
            return None
        square = joined(reading, reading.part.column(values[0]).numbers(), None, by_line=False)
        return replace(square, A=np.where(np.isfinite(square.A), square.A, square.A.T))

    def make(self, reading: Reading) -> Dataset:
        square = reading.square or self._joined(reading)  # which refuses a line with one end
        if square is None:
            raise DataError(
                f"{reading.name}: pairs need two columns that name rows and one of numbers. Choose these columns."
            )
        return of_square(_with_rows(reading, square), square)


def _edges_in(part: Table) -> Pairs | Square | None:
    """Return the edges in a part: lines with two ends, or a matrix of weights without gaps."""
    if (pairs := part.pairs) is not None:
        return pairs
    square = part.square
    weighs = square is not None and len(square.A) > 2 and not square.gaps and np.nanmin(square.A) >= 0
    return square if weighs else None


def _weight(edges: Table, pairs: Pairs) -> list[str]:
    """Return the column of weights, if there is one: it is named so, or the only one beside two ends without names."""
    numbers = [c.name for c in edges.columns if c.kind in NUMERIC]
    alone = not edges.named and len(edges.columns) == 3
    return [name for name in numbers if name.lower() in WEIGHTS or (alone and name not in pairs.ends)][:1]


class Edges(Way):
    """A graph whose nodes are the rows, alone or with a table of its nodes."""

    kind, words, beside = "edges", "edges of a graph", True
    roles, fields = ("from", "to", *_COLUMNS), ("task", "without")

    def look(self, part: Table) -> Evidence | None:
        pairs = _edges_in(part)
        if pairs is None:
            return None
        n, beside, declared = len(pairs.names), part.beside, "from" in part.declared.values()
        if beside is not None:
            own, naming = beside.square, _naming(beside, pairs.names)
            in_order = isinstance(pairs, Square) and pairs.zero_one and beside.n == n
            if (own is not None and own.agree) or not (in_order or naming):
                return None
            roles = _roles_beside(beside, naming)
            if declared:
                return Evidence("declared", f"A graph of {beside.n} nodes and {counted(part.n, 'edge')}.", 0.9, roles)
            return Evidence("strong", f"{n} nodes, and {beside.name} describes them.", 0.85, roles)
        if isinstance(pairs, Square):
            if pairs.zero_one:
                return Evidence("possible", f"{n} × {n} zeros and ones: edges.", 0.9)
            return Evidence("possible", "Numbers from 0 on could weigh edges.", 0.15)
        roles = pairs.roles(part, _weight(part, pairs))
        why = f"{shortened(pairs.ends[0])} and {shortened(pairs.ends[1])} share {pairs.share:.0%} of their values"
        if pairs.named and not pairs.complete:
            return Evidence("strong", f"{why}, and are named as the ends of edges.", 0.8, roles)
        if not pairs.share:
            return Evidence("possible", "Each line could join two names.", 0.3, roles)
        numbers = part.column(pairs.ends[0]).kind == "whole number"
        weight = 0.2 if numbers and len(part.columns) > 3 else 0.5 if numbers and part.named else 0.7
        return Evidence("possible", f"{why}.", 0.4 if pairs.complete else weight, roles)

    def make(self, reading: Reading) -> Dataset:
        part, beside, nodes = reading.part, reading.part.beside, None
        found = _edges_in(part)
        if isinstance(found, Square):
            return of_square(_with_rows(reading, found), found, as_graph=True)
        weight = _chosen(reading, "compared")
        if len(weight) > 1:
            raise DataError(f"{reading.name}: edges have at most one weight; got {len(weight)}. Leave others out.")
        weights = part.column(weight[0]).numbers() if weight else np.ones(part.n)
        if not (weights >= 0).all():
            i = int(np.argmin(weights >= 0))
            wrong = f"data row {i + 1} has the weight {shortened(part.column(weight[0]).raw[i])}"
            raise DataError(f"{part.name}: {wrong}; expected a number from 0 on. Correct the cell.")
        if beside is not None:
            nodes = beside.column(_naming(beside, found.names if found else ()) or beside.names[0])
        square = joined(reading, weights, nodes, by_line=True)
        square = replace(square, A=np.nan_to_num(square.A))
        if np.ptp(weights):
            note = f"Edges weighted by {shortened(weight[0])}."
            reading = replace(reading, part=replace(part, notes=(*part.notes, note)))
        return of_square(_with_rows(reading, square), square, as_graph=True)


# Rows that a format declares whole, and series.


class ManyGraphs(Way):
    """Graphs as rows."""

    kind, words = "graphs", "many graphs"
    roles, fields, domain = (), ("without",), "graph"


class TimeSeries(Way):
    """Series: those of their format, one for each line, each cell, or each value of an id."""

    kind, words, fields = "series", "time series", _ROWS
    roles = ("time", *_COLUMNS)
    domain = "series"

    def look(self, part: Table) -> Evidence | None:
        if (long := part.long_series) is not None:
            roles = _roles(part, id="left out", group="left out") | {long[0]: "id", long[1]: "time"}
            for name, role in roles.items():
                if role == "compared" and part.column(name).kind not in NUMERIC:
                    roles[name] = "left out"
            why = f"{shortened(long[0])} repeats, and {shortened(long[1])} rises within each."
            return Evidence("possible", why, 0.85 if long[2] else 0.4, roles)
        roles = _roles(part, compared="left out")
        if (lists := _first(part, "numbers")) is not None:
            weight = 0.25 if "compared" in part.likely_roles.values() else 0.8
            why = f"Each cell of {shortened(lists)} is a list of numbers."
            return Evidence("possible", why, weight, roles | {lists: "compared"})
        if (wide := wide_series(part)) is None:
            return None
        names, smooth = wide
        why = f"Each line could be a series of {len(names)} values{': neighbours are alike' if smooth else ''}."
        weight = 0.6 if smooth and not part.named else 0.25
        return Evidence("possible", why, weight, roles | dict.fromkeys(names, "compared"))

    def make(self, reading: Reading) -> Dataset:
        return of_long(reading) if reading.having("time") else of_lines(reading)


# One column of words.


def _first(table: Table, *kinds: str) -> str | None:
    """Return the first column of a kind that the format does not leave out."""
    some = (c.name for c in table.columns if c.kind in kinds and table.declared.get(c.name) != "left out")
    return next(some, None)


class Words(Way):
    """Rows of one column: `cells` are its kind; `holds` lists kind, text and the weight of a column that is alone."""

    cells: ClassVar[CellKind]
    holds: ClassVar[tuple[tuple[CellKind, str, float], ...]]

    def look(self, part: Table) -> Evidence | None:
        for kind, what, alone in self.holds:
            name = _first(part, kind)
            if name is None or (kind == "text" and _is_lines(part)):
                continue
            roles = self._alone(part, name)
            if part.declared.get(name) == "compared":
                return Evidence("declared", f"{part.container}: {what}.", 0.9, roles)
            others = any(r == "compared" and part.column(c).kind != kind for c, r in part.likely_roles.items())
            announced = kind == "molecule" and "smiles" in name.lower()
            weight = 0.62 if announced else 0.3 if others else alone
            return Evidence("possible" if others else "strong", f"{shortened(name)} holds {what}.", weight, roles)
        return None

    def _alone(self, part: Table, name: str) -> dict[str, str]:
        return _roles(part, compared="left out") | {name: "compared"}

    def make(self, reading: Reading) -> Dataset:
        others = [c for c in reading.having("compared") if c.kind not in (self.cells, "sequence")]
        table = reading.table.with_columns({c.name: replace(c, how=replace(c.how, kind=self.cells)) for c in others})
        return of_columns(reading.over(table), "graph" if self.cells == "molecule" else None)


class Molecules(Words):
    """Molecules as graphs."""

    kind, words, cells = "molecules", "molecules as graphs", "molecule"
    holds = (("molecule", "molecules as SMILES", 0.7),)


class Sequences(Words):
    """Strings of letters."""

    kind, words, cells = "sequences", "sequences of letters", "sequence"
    holds = (("sequence", "strings of letters", 0.65), ("molecule", "molecules as strings", 0.5))


class Texts(Words):
    """Texts: a column of sentences, or the lines of a file of unknown format."""

    kind, words, cells = "texts", "texts", "text"
    holds = (("text", "sentences", 0.6),)

    def look(self, part: Table) -> Evidence | None:
        if _is_lines(part) and part.columns[0].kind not in (*NUMERIC, "yes or no", "bits", "empty"):
            why = "Unknown format: each line can be taken as a text."
            return Evidence("possible", why, 0.05, self._alone(part, part.names[0]))
        return super().look(part)


class Turned(Way):
    """A table on its side: columns are the rows."""

    kind, words, roles = "turned", "turned table: columns are the rows", ("compared", "id", "left out")

    def look(self, part: Table) -> Evidence | None:
        alike = samples_as_columns(part) if part.named else None
        if alike is None:
            return None
        samples, named = alike
        why = f"{counted(len(samples), 'column')} alike, such as {shortened(samples[0])}, could be the rows"
        why += f": {shortened(part.names[0])} names features." if named else "."
        weight = 0.65 if named else 0.22 if len(samples) > 3 and part.n >= 3 else 0.12
        roles = dict.fromkeys(part.names, "left out") | {part.names[0]: "id"} | dict.fromkeys(samples, "compared")
        return Evidence("possible", why, weight, roles)

    def make(self, reading: Reading) -> Dataset:
        table = reading.table
        samples = [name for name, role in reading.roles.items() if role == "compared"]
        if len(samples) < 2:
            raise DataError(
                f"{reading.name}: at least two columns are needed as rows; got {len(samples)}. Compare more."
            )
        side = turned(table, samples)
        roles = _roles(side, predict="compared", group="compared", id="compared") | {"sample": "id"}
        return of_columns(replace(reading.over(side), choices={**reading.choices, "roles": roles}))


#: All readings; a new one is a line here.
WAYS: dict[str, Way] = {
    way.kind: way
    for way in (
        SquareMatrix(),
        PairsWithValue(),
        Edges(),
        TimeSeries(),
        ManyGraphs(),
        Molecules(),
        Sequences(),
        Texts(),
        Turned(),
        RowsAndColumns(),
    )
}
