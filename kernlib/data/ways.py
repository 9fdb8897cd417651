"""The readings, one class each: its evidence in a part, the choices that it pre-fills, the data set that it makes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ..errors import DataError
from .cells import NUMERIC, CellKind, read_column
from .dataset import Dataset
from .files import Limits, counted, shortened, stem
from .rows import Plan, of_columns, of_lines, of_long, of_square
from .table import (
    LABELS,
    WEIGHTS,
    Complete,
    Evidence,
    Part,
    Square,
    Table,
    edges_as_square,
    long_series,
    neighbours,
    pairs_as_square,
    pairs_of,
    samples_as_columns,
    square_in,
    square_of,
    table_of_columns,
    turned,
    wide_series,
)

if TYPE_CHECKING:
    from .readings import Reading

#: The roles of columns, and the choices about rows, of most readings.
_COLUMNS = ("predict", "compared", "group", "id", "left out")
_ROWS = ("missing", "task", "without")
_SQUARE = ("matrix", "symmetrise", *_ROWS)
#: Why a part can be read in a way, and the choices that are proposed.
Look = tuple[Evidence, dict[str, Any]]


class Way:
    """One reading of the list.

    Each declares: `kind`; `words` in a menu; `parts`, the kinds of part that it reads; `roles` that columns may have;
    `fields`, the choices about rows that apply.
    """

    kind: ClassVar[str]
    words: ClassVar[str]
    parts: ClassVar[tuple[type[Part], ...]] = (Table,)
    roles: ClassVar[tuple[str, ...]] = _COLUMNS
    fields: ClassVar[tuple[str, ...]] = _ROWS

    def look(self, part: Any, beside: Table | None) -> Look | None:
        """Return why a part, with a table beside it or None, can be read like this; None where it cannot."""
        raise NotImplementedError

    def square(self, reading: Reading) -> Square | None:
        """Return the matrix of the reading, None where it has none."""
        return None

    def make(self, reading: Reading, new: bool) -> Dataset:
        """Return the data set; of `new` rows for a machine one is enough."""
        return of_columns(reading.plan(new))


def _with_label(table: Table, **others: str) -> dict[str, Any]:
    """Return likely roles as choices, those of `others` in place of some."""
    roles, named = table.likely_roles
    return {"roles": {c: others.get(role, role) for c, role in roles.items()}, "named_label": named}


class RowsAndColumns(Way):
    """Lines of a table as rows."""

    kind, words = "table", "rows and columns"

    def look(self, part: Table, beside: Table | None) -> Look | None:
        if beside is not None or part.staircase or (_is_lines(part) and part.columns[0].kind not in NUMERIC):
            return None
        choices, size = _with_label(part), f"{counted(part.n, 'row')} and {counted(len(part.columns), 'column')}"
        if "compared" not in choices["roles"].values():
            return Evidence("possible", f"{size}; no column is left to compare.", 0.1), choices
        if part.declared:
            return Evidence("declared", f"{part.container}: {size}.", 0.3), choices
        if part.named:
            return Evidence("strong", f"{size} with names.", 0.3), choices
        return Evidence("possible", f"{size} without names.", 0.35), choices


def _is_lines(table: Table) -> bool:
    return len(table.columns) == 1 and not table.named


# Matrices and pairs.


def _names_of(square: Square) -> tuple[str, ...]:
    return square.ids or tuple(map(str, range(len(square.A))))


def _naming(table: Table, ids: Sequence[str]) -> str | None:
    """Return the column of a table that names at least half of the rows, each in one line; None without."""
    best, most = None, len(ids) / 2
    for cells in table.columns if ids else ():
        words = cells.words()
        shared = len({*ids} & {*words})
        if shared >= most and shared > (0 if best is None else most) and len({*words}) == len(words):
            best, most = cells.name, shared
    return best


def _names_table(name: str, ids: Sequence[str], limits: Limits) -> Table:
    """Return the names of rows as a table."""
    who = "name of the row"
    table = table_of_columns(name, [who], [list(ids)], declared={who: "id"}, limits=replace(limits, least=1))
    return table.with_columns({who: read_column(who, list(ids), kind="word", codes=())})


def _rows_of(reading: Reading, square: Square) -> Table:
    """Return the names of rows, or the lines of the table beside them in their order; unlisted rows have no label."""
    table, ids, n = reading.beside, square.ids, len(square.A)
    if table is None:
        return _names_table(reading.name, _names_of(square), reading.limits)
    name = _naming(table, ids)
    if name is None:
        if table.n != n:
            raise DataError(
                f"{reading.name}: it has {n} rows and {table.name} {table.n}; expected one line per row. Give the "
                "table that belongs to it."
            )
        return replace(table, name=reading.name)
    place = {word: i for i, word in enumerate(table.column(name).words())}
    order, known = np.array([place.get(one, 0) for one in ids]), np.array([one in place for one in ids])
    columns = tuple(replace(c, raw=c.raw[order], present=c.present[order] & known) for c in table.columns)
    return replace(table, name=reading.name, columns=columns)


def _roles_beside(table: Table, naming: str | None) -> dict[str, Any]:
    """Return the roles of a table that describes rows: it has their label and names, and nothing is compared."""
    choices = _with_label(table, compared="left out", **({} if naming is None else {"id": "left out"}))
    if naming is not None:
        choices["roles"][naming] = "id"
    return choices


class SquareMatrix(Way):
    """A square of scores or distances, alone or with a table of its rows or of pairs of its rows."""

    kind, words, fields = "matrix", "square matrix", _SQUARE

    def look(self, part: Table, beside: Table | None) -> Look | None:
        square = square_in(part)
        if square is None or "from" in part.declared.values():
            return None
        n = len(square.A)
        size, choices = f"{n} × {n} numbers", dict[str, Any]()
        if beside is not None:
            ends, naming = _ends_in(beside, square), _naming(beside, square.ids)
            if ends is None and beside.n != n and naming is None:
                return None
            choices |= _roles_beside(beside, naming if ends is None else None)
            if ends is None:
                return Evidence("strong", f"{size}, and {beside.name} describes the rows.", 0.9), choices
            choices["roles"] |= dict.fromkeys(ends, "left out")
            return Evidence("strong", f"{beside.name} names pairs of the {n} rows of {part.name}.", 0.95), choices
        label, first = square.label, part.columns[0]
        if len(part.columns) > 1 and not part.staircase:
            choices["roles"] = {c.name: "compared" for c in part.columns}
            if square.ids and tuple(first.words()) == square.ids:
                choices["roles"][first.name] = "id"
            if label:
                choices["roles"][label] = "predict"
        choices["named_label"] = not label or label.lower() in LABELS or label in part.declared
        return self._evidence(square, size, f" {square.lacking}".rstrip(), part), choices

    def _evidence(self, square: Square, size: str, gaps: str, part: Table) -> Evidence:
        if part.container.endswith(", K"):
            return Evidence("strong", f"The array K holds {size}.{gaps}", 0.9)
        if square.agree:
            return Evidence("strong", f"{size} with the same names on both sides.{gaps}", 0.9)
        if square.why:
            return Evidence("possible", square.why, 0.85 if "triangle" in square.why else 0.25)
        if len(square.A) > 2 and square.symmetric:
            return Evidence("possible", f"{size}, symmetric.{gaps}", 0.85)
        return Evidence("possible", f"{size}, not symmetric.{gaps}", 0.2)

    def square(self, reading: Reading) -> Square | None:
        return square_in(reading.part) if isinstance(reading.part, Table) else None

    def make(self, reading: Reading, new: bool) -> Dataset:
        square, table = self.square(reading), reading.table
        assert square is not None
        if reading.beside is not None and (ends := _ends_in(reading.beside, square)) is not None:
            return _pairs_of_rows(reading, square, ends)
        if reading.beside is not None or not square.label or table is None or table.n != len(square.A):
            table = _rows_of(reading, square)
        return of_square(reading.plan(new, table), square)


def _ends_in(table: Table, square: Square) -> tuple[str, str] | None:
    """Return two columns of a table whose cells all name a row of the matrix; None for a table of its rows."""
    known = {*_names_of(square)}
    fitting = [c for c in table.columns if all(word in known for word in c.words())]
    if len(fitting) < 2 or (table.n == len(square.A) and len({*fitting[0].words()}) == table.n):
        return None
    if not square.ids and "predict" not in table.likely_roles[0].values():
        return None
    return fitting[0].name, fitting[1].name


def _pairs_of_rows(reading: Reading, square: Square, ends: tuple[str, str]) -> Dataset:
    """Return pairs of rows of a matrix, one line of the table each."""
    table = reading.beside
    assert table is not None
    names = _names_table(reading.name, _names_of(square), reading.limits)
    chosen = {k: v for k, v in reading.choices.items() if k in ("matrix", "missing", "symmetrise")}
    base = of_square(Plan(names, chosen, reading.limits), square)
    place = {name: i for i, name in enumerate(_names_of(square))}
    numbers = np.array([[place[word] for word in table.column(end).words()] for end in ends]).T
    ids = tuple(f"{base.ids[i]} – {base.ids[j]}" for i, j in numbers)
    notes = [f"Pairs of rows of {reading.name}."]
    keep = np.ones(table.n, dtype=bool)
    return reading.plan(False, table).dataset("pair", numbers, keep, notes, base=base, ids=ids)


def _chosen_ends(table: Table, roles: Mapping[str, str]) -> tuple[tuple[str, str] | None, list[str]]:
    """Return the two columns that name ends, the last in each role, and those that are compared."""
    first, second, value = ([c for c in table.names if roles.get(c) == role] for role in ("from", "to", "compared"))
    return ((first[-1], second[-1]) if first and second else None), value


class PairsWithValue(Way):
    """Lines of two names and a number: the entries of a matrix."""

    kind, words, fields = "pairs", "pairs with a value", _SQUARE
    roles = ("from", "to", "compared", "left out")

    def look(self, part: Table, beside: Table | None) -> Look | None:
        pairs = pairs_of(part) if beside is None else None
        if pairs is None or not pairs.value:
            return None
        lack, value = pairs.all_pairs - pairs.pairs, shortened(pairs.value)
        both = f"{shortened(pairs.ends[0])} and {shortened(pairs.ends[1])} name the same {pairs.rows} rows"
        why = f"{both}, with {value} for every pair."
        if lack > 0:
            why = f"{both}, with {value}; {counted(lack, 'pair')} of {pairs.all_pairs} lack it."
        nearly = pairs.pairs >= 0.9 * pairs.all_pairs and pairs.rows > 4
        roles = dict.fromkeys(part.names, "left out")
        roles |= {pairs.ends[0]: "from", pairs.ends[1]: "to", pairs.value: "compared"}
        weight = 0.85 if lack <= 0 else 0.75 if nearly else 0.25
        return Evidence("possible", why, weight), {"roles": roles}

    def square(self, reading: Reading) -> Square | None:
        table = reading.part
        if not isinstance(table, Table):
            return None
        ends, value = _chosen_ends(table, reading.roles)
        return None if ends is None or len(value) != 1 else pairs_as_square(table, ends, value[0])

    def make(self, reading: Reading, new: bool) -> Dataset:
        square = self.square(reading)
        if square is None:
            raise DataError(
                f"{reading.name}: pairs need two columns that name rows and one of numbers. Choose these columns."
            )
        return of_square(reading.plan(new, _rows_of(reading, square)), square)


# Graphs.


def _edges_in(part: Table) -> Table | Square | None:
    """Return the edges that a table holds: a line for each with two ends, lines of neighbours, a matrix of weights."""
    if (lines := neighbours(part)) is not None:
        return lines
    if pairs_of(part) is not None:
        return part
    square = square_of(part)
    if square is not None and not square.gaps and np.nanmin(square.A) >= 0 and len(square.A) > 2:
        return square
    two = [c for c in part.columns if c.kind in ("word", "whole number")][:2]
    twice = len(part.columns) in (2, 3) and len(two) == 2 and part.n > 2 and all(c.distinct < c.n for c in two)
    return part if twice and all(c.kind == "word" for c in two) else None


def _ends_of(edges: Table) -> tuple[str, str]:
    pairs = pairs_of(edges)
    return pairs.ends if pairs is not None else (edges.names[0], edges.names[1])


def _nodes_of(edges: Table | Square) -> tuple[str, ...]:
    if isinstance(edges, Square):
        return _names_of(edges)
    return tuple(dict.fromkeys(word for end in _ends_of(edges) for word in edges.column(end).words() if word))


def _roles_of_edges(edges: Table) -> dict[str, str]:
    """Return the roles of columns: two ends, and at most one weight, which is named so or stands beside them alone."""
    numbers = [c.name for c in edges.columns if c.kind in NUMERIC]
    weight = [name for name in numbers if name.lower() in WEIGHTS][:1]
    if not weight and not edges.named and len(edges.columns) == 3:
        weight = [name for name in numbers if name == edges.names[2]]
    first, second = _ends_of(edges)
    ends = {first: "from", second: "to"}
    return dict.fromkeys(edges.names, "left out") | ends | dict.fromkeys(weight, "compared")


class Edges(Way):
    """A graph whose nodes are the rows, alone or with a table of its nodes."""

    kind, words = "edges", "edges of a graph"
    roles, fields = ("from", "to", *_COLUMNS), ("task", "without")

    def look(self, part: Table, beside: Table | None) -> Look | None:
        edges = _edges_in(part)
        if edges is None:
            return None
        nodes = _nodes_of(edges)
        n, declared = len(nodes), "from" in part.declared.values()
        if beside is not None:
            square = square_of(beside)
            in_order = isinstance(edges, Square) and edges.zero_one and beside.n == n
            if (square is not None and square.agree) or not (in_order or _naming(beside, nodes)):
                return None
            choices = _roles_beside(beside, _naming(beside, nodes))
            if declared:
                why = f"A graph of {beside.n} nodes and {counted(part.n, 'edge')}."
                return Evidence("declared", why, 0.9), choices
            return Evidence("strong", f"{n} nodes, and {beside.name} describes them.", 0.85), choices
        if isinstance(edges, Square):
            if edges.zero_one:
                return Evidence("possible", f"{n} × {n} zeros and ones: edges.", 0.9), {}
            return Evidence("possible", "Numbers from 0 on could weigh edges.", 0.15), {}
        if edges is not part:
            return Evidence("possible", f"Each line is a node and its neighbours: {n} nodes.", 0.7), {}
        return self._of_table(part), {"roles": _roles_of_edges(part)}

    def _of_table(self, edges: Table) -> Evidence:
        pairs = pairs_of(edges)
        if pairs is None:
            return Evidence("possible", "Each line could join two names.", 0.3)
        names = f"{shortened(pairs.ends[0])} and {shortened(pairs.ends[1])} share {pairs.share:.0%} of their values"
        if pairs.value and pairs.pairs >= 0.9 * pairs.all_pairs and pairs.rows > 3:
            return Evidence("possible", f"{names}.", 0.4)
        if pairs.named:
            return Evidence("strong", f"{names}, and are named as the ends of edges.", 0.8)
        whole = edges.column(pairs.ends[0]).kind == "whole number"
        many = whole and len(edges.columns) > 3
        return Evidence("possible", f"{names}.", 0.2 if many else 0.5 if whole and edges.named else 0.7)

    def make(self, reading: Reading, new: bool) -> Dataset:
        part: Any = reading.part
        edges, notes, beside = _edges_in(part), list(part.notes), reading.beside
        if isinstance(edges, Square):
            return of_square(reading.plan(new, _rows_of(reading, edges)), edges, as_graph=True)
        edges = edges or part
        roles = reading.roles if edges is part and beside is None else _roles_of_edges(edges)
        ends, weights = _chosen_ends(edges, roles)
        if ends is None or len(weights) > 1:
            raise DataError(f"{reading.name}: edges need two columns of ends and at most one weight. Choose them.")
        weight = next(iter(weights), None)
        if weight is not None and edges.column(weight).distinct > 1:
            notes.append(f"Edges weighted by {shortened(weight)}.")
        naming = None if beside is None else beside.column(_naming(beside, _nodes_of(edges)) or beside.names[0])
        square = edges_as_square(edges, ends, weight, naming, reading.limits)
        table = _rows_of(reading, square)
        return of_square(replace(reading.plan(new, table), notes=tuple(notes)), square, as_graph=True)


# Rows that a format declares whole, and series.


class ManyGraphs(Way):
    """Graphs as rows."""

    kind, words = "graphs", "many graphs"
    fields: ClassVar[tuple[str, ...]] = ("without",)
    parts: ClassVar[tuple[type[Part], ...]] = (Complete,)
    roles: ClassVar[tuple[str, ...]] = ()
    domain: ClassVar[str] = "graph"

    def look(self, part: Part, beside: Table | None) -> Look | None:
        if not isinstance(part, Complete) or part.data is None or part.data.domain != self.domain:
            return None
        return Evidence("declared", part.why, 0.9), {}

    def make(self, reading: Reading, new: bool) -> Dataset:
        data: Dataset = reading.part.data  # type: ignore[attr-defined]
        name = reading.name
        return replace(data, name=stem(name), title=name, source=f"upload {name}")


class TimeSeries(ManyGraphs):
    """Series: those of their format, one for each line, each cell, or each value of an id."""

    kind, words, fields = "series", "time series", _ROWS
    parts, roles = (Table, Complete), ("time", *_COLUMNS)
    domain = "series"

    def look(self, part: Part, beside: Table | None) -> Look | None:
        if not isinstance(part, Table):
            return super().look(part, beside)
        if beside is not None:
            return None
        if (long := long_series(part)) is not None:
            choices = _with_label(part, id="left out", group="left out")
            choices["roles"] |= {long[0]: "id", long[1]: "time"}
            for c in part.columns:
                if choices["roles"][c.name] == "compared" and c.kind not in NUMERIC:
                    choices["roles"][c.name] = "left out"
            why = f"{shortened(long[0])} repeats, and {shortened(long[1])} rises within each."
            return Evidence("possible", why, 0.85 if long[2] else 0.4), choices
        choices, roles = _with_label(part, compared="left out"), part.likely_roles[0]
        if (lists := _first(part, "numbers")) is not None:
            choices["roles"][lists] = "compared"
            weight = 0.25 if "compared" in roles.values() else 0.8
            return Evidence("possible", f"Each cell of {shortened(lists)} is a list of numbers.", weight), choices
        if (wide := wide_series(part, roles)) is None:
            return None
        names, smooth = wide
        choices["roles"] |= dict.fromkeys(names, "compared")
        why = f"Each line could be a series of {len(names)} values{': neighbours are alike' if smooth else ''}."
        return Evidence("possible", why, 0.6 if smooth and not part.named else 0.25), choices

    def make(self, reading: Reading, new: bool) -> Dataset:
        if isinstance(reading.part, Complete):
            return super().make(reading, new)
        plan = reading.plan(new)
        return of_long(plan) if plan.having("time") else of_lines(plan)


# One column of words.


def _first(table: Table, *kinds: str) -> str | None:
    """Return the first column of a kind that the format does not leave out."""
    some = (c.name for c in table.columns if c.kind in kinds and table.declared.get(c.name) != "left out")
    return next(some, None)


class Words(Way):
    """Rows of one column: `cells` are its kind; `holds` lists kind, text and the weight of a column that is alone."""

    cells: ClassVar[CellKind]
    holds: ClassVar[tuple[tuple[CellKind, str, float], ...]]

    def look(self, part: Table, beside: Table | None) -> Look | None:
        for kind, what, alone in self.holds:
            name = _first(part, kind)
            if name is None or beside is not None or (kind == "text" and _is_lines(part)):
                continue
            choices, roles = self._choices(part, name), part.likely_roles[0]
            if part.declared.get(name) == "compared":
                return Evidence("declared", f"{part.container}: {what}.", 0.9), choices
            others = any(role == "compared" and part.column(c).kind != kind for c, role in roles.items())
            announced = kind == "molecule" and "smiles" in name.lower()
            weight = 0.62 if announced else 0.3 if others else alone
            why = f"{shortened(name)} holds {what}."
            return Evidence("possible" if others else "strong", why, weight), choices
        return None

    def _choices(self, part: Table, name: str) -> dict[str, Any]:
        choices = _with_label(part, compared="left out")
        choices["roles"][name] = "compared"
        return choices

    def make(self, reading: Reading, new: bool) -> Dataset:
        table = reading.table
        assert table is not None
        for name, role in reading.roles.items():
            cells = table.column(name)
            if role == "compared" and cells.kind not in (self.cells, "sequence"):
                table = table.with_columns({name: replace(cells, how=replace(cells.how, kind=self.cells))})
        return of_columns(reading.plan(new, table), "graph" if self.cells == "molecule" else None)


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

    def look(self, part: Table, beside: Table | None) -> Look | None:
        if beside is None and _is_lines(part) and part.columns[0].kind not in (*NUMERIC, "yes or no", "bits", "empty"):
            why = "Unknown format: each line can be taken as a text."
            return Evidence("possible", why, 0.05), self._choices(part, part.names[0])
        return super().look(part, beside)


class Turned(Way):
    """A table on its side: columns are the rows."""

    kind, words, roles = "turned", "turned table: columns are the rows", ("compared", "id", "left out")

    def look(self, part: Table, beside: Table | None) -> Look | None:
        alike = samples_as_columns(part) if part.named and beside is None else None
        if alike is None:
            return None
        samples, named = alike
        why = f"{counted(len(samples), 'column')} alike, such as {shortened(samples[0])}, could be the rows"
        why += f": {shortened(part.names[0])} names features." if named else "."
        weight = 0.65 if named else 0.22 if len(samples) > 3 and part.n >= 3 else 0.12
        roles = dict.fromkeys(part.names, "left out") | {part.names[0]: "id"} | dict.fromkeys(samples, "compared")
        return Evidence("possible", why, weight), {"roles": roles}

    def make(self, reading: Reading, new: bool) -> Dataset:
        table = reading.table
        assert table is not None
        samples = [name for name, role in reading.roles.items() if role == "compared"]
        if len(samples) < 2:
            raise DataError(
                f"{reading.name}: at least two columns are needed as rows; got {len(samples)}. Compare more."
            )
        side = turned(table, samples)
        roles = _with_label(side, predict="compared", group="compared", id="compared")["roles"] | {"sample": "id"}
        return of_columns(replace(reading.plan(new, side), choices=dict(reading.choices) | {"roles": roles}))


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
