"""What a file can be: one list of readings, against which every table of every container is held."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from ..errors import AmbiguousReadingError, DataError
from . import evidence as found
from .cells import NUMERIC, CellKind, read_column
from .choices import OF_FILE, arguments_of, checked, parameters_of
from .containers import parts_of
from .dataset import Dataset
from .evidence import Evidence, Strength
from .names import labels_in_names
from .rows import Plan, Square, network_of, of_columns, of_lines, of_long, of_network, of_square
from .table import Complete, Network, Part, Table, table_of_columns
from .uploads import LIMITS, Limits, counted, listed, shortened, stem

#: Of so many columns all roles stand in a command that reads the file again.
_REPEATED = 60
_ORDER: dict[Strength, int] = {"declared": 0, "strong": 1, "possible": 2}


@dataclass(frozen=True, eq=False)
class Reading:
    """One way to read a file: what it is, how sure that is, and the choices that make a data set of it.

    Parameters
    ----------
    name : the file. kind : "table", "matrix", "pairs", "edges", "series", "sequences", "texts", "molecules", "graphs",
        "turned". strength : "declared" by the format, "strong" by the file's own words, or "possible" by its structure.
    why : a sentence.
    choices : what is chosen or pre-filled: `roles` by column, `matrix`, `missing`, …; see `kernlib.data.CHOICES`.
    part : the table, the graph or the rows of the file. beside : a table that describes its rows, or None.
    asked : the choices of a person; all others are proposals.

    >>> first, *others = readings("t.csv", b"size,class\\n1.5,a\\n2.5,b\\n0.5,a\\n")
    >>> first.kind, first.strength, first.choices["roles"]
    ('table', 'strong', {'size': 'compared', 'class': 'predict'})
    >>> first.dataset()
    Dataset('t', vector, n=3, d=1, classes={'a': 2, 'b': 1})
    """

    name: str
    kind: str
    strength: str
    why: str
    choices: Mapping[str, Any] = field(repr=False)
    part: Part = field(repr=False)
    beside: Table | None = field(default=None, repr=False)
    asked: Mapping[str, Any] = field(default_factory=dict, repr=False)
    limits: Limits = field(default=LIMITS, repr=False)
    weight: float = field(default=0.5, repr=False)
    named_label: bool = field(default=True, repr=False)
    _origin: tuple[Part, Table | None] | None = field(default=None, repr=False)

    @property
    def arguments(self) -> list[str]:
        """Return the arguments of a command that reads the file like this; of many columns those that were asked."""
        chosen = self.choices if len(self.roles) <= _REPEATED else self.asked
        return arguments_of({"kind": self.kind} | dict(chosen))

    @cached_property
    def table(self) -> Table | None:
        """Return the table whose columns have roles; None for rows without choices."""
        if self.beside is not None:
            return _read_again(self.beside, self.choices)
        if isinstance(self.part, Network):
            return self.part.nodes
        return self.part if isinstance(self.part, Table) else None

    @property
    def roles(self) -> dict[str, str]:
        """Return the role of each column."""
        return dict(self.choices.get("roles", {}))

    @property
    def label(self) -> str | None:
        """Return the column that is predicted, or None."""
        return next((name for name, role in self.roles.items() if role == "predict"), None)

    @cached_property
    def candidates(self) -> list[str]:
        """Return the columns that could be predicted, the likeliest first."""
        asks = self.kind in ("table", "sequences", "texts", "molecules", "series")
        return found.candidates(self.table, self.roles) if asks and self.table is not None else []

    @property
    def notes(self) -> list[str]:
        """Return sentences on what is left out of the file and how it is read."""
        layout = self.part.layout.sentences() if isinstance(self.part, Table) else []
        return [*layout, *self.part.notes]

    @cached_property
    def open_choices(self) -> dict[str, str]:
        """Return what a person has to decide where nobody looks at a preview: choice → why.

        >>> readings("t.csv", b"a,b\\n1,x\\n2,y\\n3,x\\n4,y\\n")[0].open_choices
        {'label': "nothing says what is predicted; 'b' could be, or 'none'"}
        """
        choices: dict[str, str] = {}
        if self.strength == "possible" and "kind" not in self.asked:
            choices["kind"] = f"{self.kind} is a guess: {self.why}"
        if not self._decided("predict") and not self.named_label:
            if self.label is not None:
                choices["label"] = f"{shortened(self.label)} is a guess"
            elif some := [c for c in self.candidates if c not in self.asked.get("roles", {})]:
                names = " or ".join(map(shortened, some[:3]))
                choices["label"] = f"nothing says what is predicted; {names} could be, or 'none'"
        if "matrix" in self.choices and "matrix" not in self.asked:
            choices["matrix"] = f"{self.choices['matrix']} are a guess; 'scores' or 'distances'"
        if self.choices.get("missing") not in (None, "refuse") and "missing" not in self.asked:
            choices["missing"] = f"{counted(self.gaps, 'missing cell')}: 'drop', 'mean' or another way"
        return choices

    def _decided(self, role: str) -> bool:
        return "label" in self.asked or role in self.asked.get("roles", {}).values()

    @cached_property
    def gaps(self) -> int:
        """Return the number of missing cells in columns that are compared or predicted, or of missing pairs."""
        if self.table is None or self.beside is not None or self.kind in ("matrix", "pairs", "edges"):
            square = self._square
            return 0 if square is None else square.gaps // 2
        used = [c for c in self.table.columns if self.roles.get(c.name) in ("compared", "predict")]
        return sum(
            c.missing for c in used if c.kind in (*NUMERIC, "bits", "sequence", "molecule") or c.name == self.label
        )

    @cached_property
    def _square(self) -> Square | None:
        way = WAYS[self.kind]
        return way.square(self) if way.square is not None else None

    def changed(self, **choices: Any) -> Reading:
        """Return the reading with other choices about columns and rows; None goes back to what is proposed.

        Raises DataError for an unknown choice, and for one that parses the file in another way: use `readings`.
        """
        asked = merged(self.asked, choices)
        if parsing := next((name for name in OF_FILE if asked.get(name) != self.asked.get(name)), None):
            raise DataError(f"{self.name}: {parsing} changes how the file is parsed. Call readings(…, {parsing}=…).")
        asked = checked(asked, self.name) | {"kind": self.kind}
        part, beside = self._origin or (self.part, self.beside)
        return _reading(WAYS[self.kind], part, beside, asked, self.limits, self)

    def dataset(self, *, rows: int | None = None, seed: int = 0, new: bool = False, **choices: Any) -> Dataset:
        """Return the data set.

        Parameters
        ----------
        choices : in place of those that are pre-filled, see `kernlib.data.CHOICES`.
        rows, seed : the size of a stratified sample, and its seed; None returns all rows.
        new : whether these are new rows for a machine, of which one is enough.

        Raises
        ------
        DataError : the file, the place, what was expected, what was found, what to do.
        """
        if choices:
            return self.changed(**choices).dataset(rows=rows, seed=seed, new=new)
        data = WAYS[self.kind].make(self, new)
        without = self.choices.get("without", ())
        data = data.without_classes(*without) if without else data
        return data if rows is None else data.stratified_sample(rows, seed=seed)

    @property
    def parameters(self) -> tuple[tuple[str, Any], ...]:
        """Return all choices as the parameters of a run, which then reads the file in this way without trying."""
        return parameters_of({"kind": self.kind} | dict(self.choices))

    def plan(self, new: bool = False, table: Table | None = None) -> Plan:
        """Return what a data set is made from."""
        table = table if table is not None else self.table
        assert table is not None
        choices = dict(self.choices) | {"roles": dict(table.declared) | self.roles}
        return Plan(table, choices, self.limits, tuple(self.part.notes), new)


@dataclass(frozen=True, eq=False)
class Way:
    """One line of the list of readings.

    Parameters: `kind`; `words` in a menu; `roles` that columns may have; `evidence` for a part, None where there is
    none; `choices` that it pre-fills; `make` the data set; `square` of it, where it has one; `fields`, the choices
    about rows that apply.
    """

    kind: str
    words: str
    roles: tuple[str, ...]
    evidence: Callable[[Part, Table | None], Evidence | None]
    choices: Callable[[Part, Table | None, dict[str, Any]], dict[str, Any]]
    make: Callable[[Reading, bool], Dataset]
    square: Callable[[Reading], Square | None] | None = None
    fields: tuple[str, ...] = ()


def readings(
    name: str, content: bytes, *, more: Mapping[str, bytes] | None = None, limits: Limits = LIMITS, **choices: Any
) -> tuple[Reading, ...]:
    """Return the ways to read a file, the strongest first; nothing is decided but what `choices` say.

    Parameters
    ----------
    name, content : the file's name and bytes; the content decides what it is, never the ending of its name.
    more : further files that belong to it, name → bytes: a node table beside edges, a table beside a matrix, the files
        of a TUDataset. A zip of all files is equivalent.
    limits : bytes, rows, columns, …; all are checked before memory is allocated.
    choices : see `kernlib.data.CHOICES`; with `kind` only readings of that kind.

    Raises
    ------
    DataError : a file that cannot be read, or not in this way; no other error leaves this function.

    >>> [(one.kind, one.strength) for one in readings("g.csv", b"from,to\\na,b\\nb,c\\na,c\\n")]
    [('edges', 'strong'), ('table', 'possible')]
    """
    asked = checked(choices)
    parts = parts_of(name, content, limits, asked, more)
    found_ones = list(_all(parts, asked, limits))
    strong = [one for one in found_ones if one.kind != "table" and _ORDER[_strength(one)] < 2]
    contested = [one for one in found_ones if one.kind != "table" and one.weight >= 0.6]
    ranked = [
        dataclasses.replace(one, strength="possible") if one.kind == "table" and (strong or contested) else one
        for one in found_ones
    ]
    ranked.sort(key=lambda one: (_ORDER[_strength(one)], -one.weight))
    if "kind" in asked:
        ranked = [one for one in ranked if one.kind == asked["kind"]]
        if not ranked:
            kinds = listed(dict.fromkeys(one.kind for one in found_ones))
            raise DataError(
                f"{name[:100]}: it cannot be read as {asked['kind']}; expected one of {kinds or 'nothing'}."
            )
    if not ranked:
        raise DataError(f"{name[:100]}: nothing in it can be compared; expected a table, a matrix, texts or sequences.")
    return tuple(ranked)


def _strength(one: Reading) -> Strength:
    return one.strength  # type: ignore[return-value]


def _all(parts: Sequence[Part], asked: dict[str, Any], limits: Limits) -> Iterator[Reading]:
    """Yield the readings of one part, or of two that belong together."""
    if len(parts) == 2:
        together = list(_together(parts[0], parts[1], asked, limits)) + list(
            _together(parts[1], parts[0], asked, limits)
        )
        yield from together
        if not together:
            raise DataError(
                f"{parts[0].name} and {parts[1].name} do not go together; expected edges and a table of nodes, a "
                "matrix and a table of its rows, or a matrix and a table of pairs. Give one alone."
            )
        return
    part = _read_again(parts[0], asked) if isinstance(parts[0], Table) else parts[0]
    problem, count = None, 0
    for way in WAYS.values():
        seen = way.evidence(part, None) if asked.get("kind") in (None, way.kind) else None
        if seen is None:
            continue
        try:
            yield _reading(way, parts[0], None, asked, limits, seen)
            count += 1
        except DataError as error:  # roles that this reading does not have
            problem = error
    if problem is not None and not count:
        raise problem


def _together(one: Part, other: Part, asked: dict[str, Any], limits: Limits) -> Iterator[Reading]:
    """Yield the readings of a graph, edges or a matrix with a table that describes its rows."""
    if not isinstance(other, Table):
        return
    other = _read_again(other, asked)
    for kind in ("edges", "matrix"):
        way = WAYS[kind]
        seen = way.evidence(one, other)
        if seen is not None and asked.get("kind") in (None, kind):
            yield _reading(way, one, other, asked, limits, seen)


def _reading(
    way: Way, part: Part, beside: Table | None, asked: Mapping[str, Any], limits: Limits, seen: Evidence | Reading
) -> Reading:
    """Return a reading with its choices: those of a person, and proposals for all others."""
    origin = (part, beside)
    if beside is not None:
        beside = _read_again(beside, asked)
    elif isinstance(part, Table):
        part = _read_again(part, asked)
    table = beside if beside is not None else part.nodes if isinstance(part, Network) else part
    given = {key: value for key, value in asked.items() if key != "kind"}
    proposed = way.choices(part, beside, given)
    roles = dict(proposed.get("roles", {}))
    if isinstance(table, Table):
        _use_label(given, table, roles)
        if "*" in given.get("roles", {}) and "*" not in table.names:  # all columns that are not named
            given["roles"] = dict.fromkeys(table.names, given["roles"]["*"]) | {
                column: role for column, role in given["roles"].items() if column != "*"
            }
    if way.kind == "table":  # a column whose cells a person chose is compared
        chosen = (c for c in given.get("kinds", {}) if roles.get(c) in ("id", "left out"))
        roles |= dict.fromkeys(chosen, "compared")
    for column, role in given.get("roles", {}).items():
        if isinstance(table, Table):
            table.column(column)
        if role not in way.roles:
            raise DataError(f"{part.name}: as {way.kind} a column can be {listed(way.roles)}; got {shortened(role)}.")
        if role in ("predict", "group", "from", "to", "time"):  # a second one replaces the first
            others = given.get("roles", {})
            roles |= {c: "left out" for c, r in roles.items() if r == role and c != column and others.get(c) != role}
    choices = proposed | given | ({"roles": roles | given.get("roles", {})} if roles else {})
    choices.pop("label", None)
    named = bool(proposed.pop("named_label", True))
    choices.pop("named_label", None)
    # Which cells are missing depends on the columns that are used.
    whole = Reading(
        part.name, way.kind, seen.strength, seen.why, choices, part, beside,
        dict(asked), limits, seen.weight, named, origin,
    )  # fmt: skip
    if "missing" not in given:
        choices["missing"] = _proposed_missing(whole)
        if choices["missing"] == "refuse":
            del choices["missing"]
    return dataclasses.replace(whole, choices=choices)


def _use_label(given: dict[str, Any], table: Table, roles: dict[str, str]) -> None:
    """Put the choice of a label into the roles."""
    if "label" not in given:
        return
    name = given["label"]
    asked = dict(given.get("roles", {}))
    for column, role in roles.items():
        if role == "predict" and column != name:
            roles[column] = "left out"
    if name != "none" or "none" in table.names:
        table.column(name)
        asked[name] = "predict"
    given["roles"] = asked


def _proposed_missing(reading: Reading) -> str:
    if not reading.gaps:
        return "refuse"
    if reading.kind in ("matrix", "pairs", "edges"):
        return "zero" if reading.kind == "edges" else "drop"
    table = reading.table
    roles = reading.roles
    numbers = table is not None and any(
        c.missing and c.kind in (*NUMERIC, "bits") and roles.get(c.name) == "compared" for c in table.columns
    )
    return "mean" if numbers else "drop"


def _read_again(part: Table, asked: Mapping[str, Any]) -> Table:
    """Return the table with the cells of some columns read as a person chose."""
    kinds, codes, absent = asked.get("kinds", {}), asked.get("codes", {}), asked.get("absent", "")
    changed = {}
    words = [word.strip() for word in absent.split("|") if word.strip()] if absent else None
    if words == ["none"]:
        words = []
    for name in dict.fromkeys((*kinds, *codes, *(part.names if words is not None else ()))):
        cells = part.column(name)
        gaps = codes.get(name, words)
        if kinds.get(name, cells.kind) == cells.kind and (gaps is None or tuple(sorted(gaps)) == cells.how.codes):
            continue
        try:
            comma = cells.how.writing.decimal == "," or None
            changed[name] = read_column(name, cells.raw, kind=kinds.get(name, ""), codes=gaps, comma=comma)
        except DataError as error:
            raise DataError(f"{part.name}: {error}") from None
    return part.with_columns(changed) if changed else part


# The ways, one by one.


def _as_table(part: Part, beside: Table | None) -> Evidence | None:
    if not isinstance(part, Table):
        return None
    roles, _ = found.likely_roles(part)
    left = [name for name, role in roles.items() if role == "compared"]
    if part.staircase or (
        not part.named and len(part.columns) == 1 and part.columns[0].kind in ("word", "text", "numbers")
    ):
        return None
    size = f"{counted(part.n, 'row')} and {counted(len(part.columns), 'column')}"
    if not left:
        return Evidence("possible", f"{size}; no column is left to compare.", 0.1)
    if part.declared:
        return Evidence("declared", f"{part.container}: {size}.", 0.3)
    if part.named:
        return Evidence("strong", f"{size} with names.", 0.3)
    return Evidence("possible", f"{size} without names.", 0.35)


def _table_choices(part: Part, beside: Table | None, given: dict[str, Any]) -> dict[str, Any]:
    table = beside if beside is not None else part
    assert isinstance(table, Table)
    roles, named = found.likely_roles(table)
    return {"roles": roles, "named_label": named}


def _as_matrix(part: Part, beside: Table | None) -> Evidence | None:
    square = _square_in(part)
    if square is None:
        return None
    n = len(square.A)
    if beside is not None and _numbers_of_pairs(beside, square) is not None:
        return Evidence("strong", f"{beside.name} names pairs of the {n} rows of {part.name}.", 0.95)
    if beside is not None and beside.n != n and not _describes(beside, square.ids):
        return None
    gaps = f" {square.lacking}" if square.lacking else ""
    if beside is not None:
        return Evidence("strong", f"{n} × {n} numbers, and {beside.name} describes the rows.", 0.9)
    if part.container.endswith(", K"):
        return Evidence("strong", f"The array K holds {n} × {n} numbers.{gaps}", 0.9)
    if square.agree:
        return Evidence("strong", f"{n} × {n} numbers with the same names on both sides.{gaps}", 0.9)
    if square.why:
        return Evidence(
            "possible",
            f"{square.why[0].upper()}{square.why[1:]}.",
            0.85 if len(square.A) > 2 and "triangle" in square.why else 0.25,
        )
    if n > 2 and square.symmetric:
        return Evidence("possible", f"{n} × {n} numbers, symmetric.{gaps}", 0.85)
    return Evidence("possible", f"{n} × {n} numbers, not symmetric.{gaps}", 0.2)


def _square_in(part: Part) -> Square | None:
    if not isinstance(part, Table):
        return None
    square = found.square_of(part)
    return square if square is not None else found.condensed(part)


def _describes(table: Table, ids: Sequence[str]) -> bool:
    return bool(ids) and _naming(table, ids) is not None


def _naming(table: Table, ids: Sequence[str]) -> str | None:
    """Return the column of a table that names at least half of the rows, each in one line; None without."""
    best, most = None, len(ids) / 2
    for cells in table.columns:
        words = cells.words()
        shared = len({*ids} & {*words})
        if shared >= most and shared > (0 if best is None else most) and len({*words}) == len(words):
            best, most = cells.name, shared
    return best


def _numbers_of_pairs(table: Table, square: Square) -> tuple[str, str] | None:
    """Return two columns of a table whose cells all name a row of the matrix; None for a table of its rows."""
    ids = square.ids or tuple(map(str, range(len(square.A))))
    known = {*ids}
    fitting = [c.name for c in table.columns if all(word in known for word in c.words())]
    if len(fitting) < 2 or (table.n == len(ids) and len({*table.column(fitting[0]).words()}) == table.n):
        return None
    if not square.ids and not any(role == "predict" for role in found.likely_roles(table)[0].values()):
        return None
    return fitting[0], fitting[1]


def _matrix_choices(part: Part, beside: Table | None, given: dict[str, Any]) -> dict[str, Any]:
    square = _square_in(part)
    assert square is not None
    if beside is not None:
        choices = _table_choices(part, beside, given)
        name = _naming(beside, square.ids) if square.ids else None
        ends = _numbers_of_pairs(beside, square)
        choices["roles"] = {
            c: "left out" if role == "compared" else role for c, role in choices["roles"].items()
        } | ({} if ends is None else dict.fromkeys(ends, "left out"))  # fmt: skip
        if name is not None and ends is None:
            choices["roles"] = {c: "left out" if r == "id" else r for c, r in choices["roles"].items()} | {name: "id"}
        return choices | {"matrix": square.holds()}
    assert isinstance(part, Table)
    roles = {c.name: "compared" for c in part.columns}
    first = part.columns[0]
    if square.ids and tuple(first.words()) == square.ids:
        roles[first.name] = "id"
    if square.label:
        roles[square.label] = "predict"
    named = not square.label or square.label.lower() in found.LABELS or square.label in part.declared
    if len(part.columns) < 2 or part.staircase:
        roles = {}
    return {"matrix": square.holds(), "roles": roles, "named_label": named}


def _square_of_reading(reading: Reading) -> Square | None:
    return _square_in(reading.part)


def _make_matrix(reading: Reading, new: bool) -> Dataset:
    square, part = _square_in(reading.part), reading.part
    assert square is not None
    if not isinstance(part, Table):
        raise DataError(f"{part.name}: a graph is no matrix of scores. Read it as edges.")
    if reading.beside is not None:
        ends = _numbers_of_pairs(reading.beside, square)
        if ends is not None:
            return _make_pairs_of(reading, square, ends)
        return of_square(reading.plan(new, _in_order(reading, square.ids, len(square.A))), square)
    table = part
    if not square.label or len(square.A) != part.n:
        table = _names_table(reading, square.ids or tuple(map(str, range(len(square.A)))))
    return of_square(reading.plan(new, table), square)


def _names_table(reading: Reading, ids: Sequence[str]) -> Table:
    """Return the names of rows as a table, with the labels that a pattern finds in them."""
    pattern = reading.choices.get("name_label", "")
    columns, names, declared = [list(ids)], ["name of the row"], {"name of the row": "id"}
    if pattern:
        columns, names = [*columns, labels_in_names(ids, pattern, reading.name)], [*names, "label in the name"]
        declared["label in the name"] = "predict"
    limits = dataclasses.replace(reading.limits, least=1)
    table = table_of_columns(reading.name, names, columns, declared=declared, limits=limits)
    return table.with_columns(
        {name: read_column(name, column, kind="word", codes=()) for name, column in zip(names, columns, strict=True)}
    )


def _in_order(reading: Reading, ids: Sequence[str], n: int) -> Table:
    """Return the lines of the table beside a matrix or graph in the order of the rows; unlisted rows have no label."""
    table = reading.table
    assert table is not None
    name = _naming(table, ids) if ids else None
    if name is None:
        if table.n != n:
            raise DataError(
                f"{reading.name}: it has {n} rows and {table.name} {table.n}; expected one line per row. Give the "
                "table that belongs to it."
            )
        return dataclasses.replace(table, name=reading.name)
    place = {word: i for i, word in enumerate(table.column(name).words())}
    order = np.array([place.get(one, 0) for one in ids])
    listed_rows = np.array([one in place for one in ids])
    columns = [dataclasses.replace(c, raw=c.raw[order], present=c.present[order] & listed_rows) for c in table.columns]
    return dataclasses.replace(table, name=reading.name, columns=tuple(columns))


def _make_pairs_of(reading: Reading, square: Square, ends: tuple[str, str]) -> Dataset:
    """Return pairs of rows of a matrix, one line of the table each."""
    table = reading.beside
    assert table is not None
    names = _names_table(dataclasses.replace(reading, choices={}), square.ids or tuple(map(str, range(len(square.A)))))
    chosen = {k: v for k, v in reading.choices.items() if k in ("matrix", "missing", "symmetrise")}
    base = of_square(Plan(names, chosen, reading.limits), square)
    place = {name: i for i, name in enumerate(square.ids or names.columns[0].words())}
    numbers = np.array(
        [[place[w] for w in pair] for pair in zip(*(table.column(e).words() for e in ends), strict=True)]
    )
    plan = reading.plan(False, dataclasses.replace(reading.table or table, name=table.name))
    keep = np.ones(table.n, dtype=bool)
    ids = tuple(f"{base.ids[i]} – {base.ids[j]}" for i, j in numbers)
    return plan.dataset("pair", numbers, keep, [f"Pairs of rows of {reading.part.name}."], base=base, ids=ids)


def _as_pairs(part: Part, beside: Table | None) -> Evidence | None:
    pairs = found.pairs_of(part) if isinstance(part, Table) else None
    if pairs is None or not pairs.value:
        return None
    lack = pairs.all_pairs - pairs.pairs
    both = f"{shortened(pairs.ends[0])} and {shortened(pairs.ends[1])} name the same {pairs.rows} rows"
    if lack <= 0:
        return Evidence("possible", f"{both}, with {shortened(pairs.value)} for every pair.", 0.85)
    nearly = pairs.pairs >= 0.9 * pairs.all_pairs and pairs.rows > 4
    words = f"{both}, with {shortened(pairs.value)}; {counted(lack, 'pair')} of {pairs.all_pairs} lack it."
    return Evidence("possible", words, 0.75 if nearly else 0.25)


def _pairs_choices(part: Part, beside: Table | None, given: dict[str, Any]) -> dict[str, Any]:
    assert isinstance(part, Table)
    pairs = found.pairs_of(part)
    assert pairs is not None
    roles = {c.name: "left out" for c in part.columns}
    roles |= {pairs.ends[0]: "from", pairs.ends[1]: "to", pairs.value: "compared"}
    asked = roles | given.get("roles", {})
    ends, value = _ends(part, asked), [c for c, role in asked.items() if role == "compared"]
    square = found.pairs_as_square(part, ends, value[0]) if ends is not None and len(value) == 1 else None
    return {"roles": roles, "matrix": square.holds() if square is not None else "distances"}


def _ends(table: Table, roles: Mapping[str, str]) -> tuple[str, str] | None:
    first, second = ([c for c in table.names if roles.get(c) == role] for role in ("from", "to"))
    return (first[-1], second[-1]) if first and second else None


def _square_of_pairs(reading: Reading) -> Square | None:
    value = [name for name, role in reading.roles.items() if role == "compared"]
    if not isinstance(reading.part, Table) or (ends := _ends(reading.part, reading.roles)) is None or len(value) != 1:
        return None
    return found.pairs_as_square(reading.part, ends, value[0])


def _make_pairs(reading: Reading, new: bool) -> Dataset:
    square = _square_of_pairs(reading)
    if square is None:
        raise DataError(
            f"{reading.name}: pairs need two columns that name rows and one of numbers. Choose these columns."
        )
    return of_square(reading.plan(new, _names_table(reading, square.ids)), square)


def _edges_in(part: Part) -> Table | Network | Square | None:
    """Return the edges that a part holds: a table with two ends, lines of neighbours, a graph, a matrix of 0 and 1."""
    if isinstance(part, Network):
        return part
    if not isinstance(part, Table):
        return None
    if (lines := found.neighbours(part)) is not None:
        return lines
    if found.pairs_of(part) is not None:
        return part
    square = found.square_of(part)
    if square is not None and not square.gaps and np.nanmin(square.A) >= 0 and len(square.A) > 2:
        return square
    two = [c for c in part.columns if c.kind in ("word", "whole number")]
    listed_twice = (
        len(part.columns) in (2, 3) and len(two) >= 2 and part.n > 2 and all(c.distinct < c.n for c in two[:2])
    )
    return part if listed_twice and two[0].kind == two[1].kind == "word" else None


def _as_edges(part: Part, beside: Table | None) -> Evidence | None:
    edges = _edges_in(part)
    if edges is None:
        return None
    ids = _nodes_of(edges)
    if beside is not None:
        square = found.square_of(beside)
        in_order = isinstance(edges, Square) and edges.zero_one and beside.n == len(edges.A)
        if not (in_order or _describes(beside, ids)) or (square is not None and square.agree):
            return None
        return Evidence("strong", f"{len(ids)} nodes, and {beside.name} describes them.", 0.85)
    if isinstance(edges, Network):
        return Evidence("declared", f"A graph of {len(ids)} nodes and {counted(len(edges.edges), 'edge')}.", 0.9)
    if isinstance(edges, Square):
        if edges.zero_one:
            return Evidence("possible", f"{len(edges.A)} × {len(edges.A)} zeros and ones: edges.", 0.9)
        return Evidence("possible", "Numbers from 0 on could weigh edges.", 0.15)
    if edges is not part:
        return Evidence("possible", f"Each line is a node and its neighbours: {len(ids)} nodes.", 0.7)
    pairs = found.pairs_of(edges)
    if "from" in edges.declared.values():
        return Evidence("declared", f"{edges.container}: {len(ids)} nodes.", 0.9)
    if pairs is None:
        return Evidence("possible", "Each line could join two names.", 0.3)
    names = f"{shortened(pairs.ends[0])} and {shortened(pairs.ends[1])} share {pairs.share:.0%} of their values"
    complete = bool(pairs.value) and pairs.pairs >= 0.9 * pairs.all_pairs and pairs.rows > 3
    if complete:
        return Evidence("possible", f"{names}.", 0.4)
    if pairs.named:
        return Evidence("strong", f"{names}, and are named as the ends of edges.", 0.8)
    whole = edges.column(pairs.ends[0]).kind == "whole number"
    many = whole and len(edges.columns) > 3
    return Evidence("possible", f"{names}.", 0.2 if many else 0.5 if whole and edges.named else 0.7)


def _nodes_of(edges: Table | Network | Square) -> tuple[str, ...]:
    if isinstance(edges, Network):
        return edges.ids
    if isinstance(edges, Square):
        return edges.ids or tuple(map(str, range(len(edges.A))))
    pairs = found.pairs_of(edges)
    ends = pairs.ends if pairs is not None else edges.names[:2]
    return tuple(dict.fromkeys(word for end in ends for word in edges.column(end).words() if word))


def _edges_choices(part: Part, beside: Table | None, given: dict[str, Any]) -> dict[str, Any]:
    edges = _edges_in(part)
    assert edges is not None
    table = beside if beside is not None else edges.nodes if isinstance(edges, Network) else None
    if table is not None:
        roles, named = found.likely_roles(table)
        if beside is not None and (name := _naming(beside, _nodes_of(edges))) is not None:
            roles = {c: "left out" if r == "id" else r for c, r in roles.items()} | {name: "id"}
        roles = {c: "left out" if role == "compared" else role for c, role in roles.items()}
        return {"roles": roles, "named_label": named}
    if not isinstance(edges, Table) or edges is not part:
        return {}
    pairs = found.pairs_of(edges)
    ends = pairs.ends if pairs is not None else edges.names[:2]
    roles = {c.name: "left out" for c in edges.columns} | {ends[0]: "from", ends[1]: "to"}
    weight = next((c.name for c in edges.columns if c.name.lower() in found.WEIGHTS and c.kind in NUMERIC), None)
    if weight is None and not edges.named and len(edges.columns) == 3 and edges.columns[2].kind in NUMERIC:
        weight = edges.names[2]
    return {"roles": roles | ({weight: "compared"} if weight else {})}


def _make_edges(reading: Reading, new: bool) -> Dataset:
    edges = _edges_in(reading.part)
    if isinstance(edges, Square):
        plan = reading.plan(new, _names_table(reading, edges.ids or tuple(map(str, range(len(edges.A))))))
        if reading.beside is not None:
            plan = reading.plan(new, _in_order(reading, edges.ids, len(edges.A)))
        return of_square(plan, edges, as_graph=True)
    if isinstance(edges, Table):
        ends = (edges.names[0], edges.names[1])
        weight = None
        if edges is reading.part:
            if reading.beside is None:
                chosen = _ends(edges, reading.roles)
                weights = [name for name, role in reading.roles.items() if role == "compared"]
                if chosen is None or len(weights) > 1:
                    raise DataError(
                        f"{reading.name}: edges need two columns of ends and at most one weight. Choose them."
                    )
                ends, weight = chosen, next(iter(weights), None)
            else:
                proposed = _edges_choices(edges, None, {})["roles"]
                chosen = _ends(edges, proposed)
                ends = chosen if chosen is not None else ends
                weight = next((name for name, role in proposed.items() if role == "compared"), None)
        edges = network_of(edges, ends, weight, reading.limits)
    assert isinstance(edges, Network)
    if reading.beside is not None:
        edges = _over_nodes(reading, edges)
        table = dataclasses.replace(reading.table or reading.beside, name=reading.name)
    elif edges.nodes is not None and edges is reading.part:
        table = edges.nodes
    else:
        table = _names_table(reading, edges.ids)
    return of_network(dataclasses.replace(reading.plan(new, table), notes=()), edges)


def _over_nodes(reading: Reading, network: Network) -> Network:
    """Return the edges over the nodes of a table, in its order; DataError for an edge to an unknown node."""
    table = reading.beside
    assert table is not None
    ids = table.column(_naming(table, network.ids) or table.names[0]).words()
    place = {node: i for i, node in enumerate(ids)}
    unknown = next((node for node in network.ids if node not in place), None)
    if unknown is not None:
        raise DataError(
            f"{network.name}: an edge leads to {shortened(unknown)}, which {table.name} does not list; expected edges "
            "between listed nodes. Add the node, or remove the edge."
        )
    moved = np.array([place[node] for node in network.ids], dtype=np.int64)
    return dataclasses.replace(
        network, ids=tuple(ids), edges=moved[network.edges] if len(network.edges) else network.edges
    )


def _as_series(part: Part, beside: Table | None) -> Evidence | None:
    if isinstance(part, Complete):
        data = part.data
        return Evidence("declared", part.why, 0.9) if data is not None and data.domain == "series" else None
    if not isinstance(part, Table):
        return None
    if (long := found.long_series(part)) is not None:
        words = f"{shortened(long[0])} repeats, and {shortened(long[1])} rises within each."
        return Evidence("declared" if "time" in part.declared.values() else "possible", words, 0.85 if long[2] else 0.4)
    if any(c.kind == "numbers" for c in part.columns):
        name = next(c.name for c in part.columns if c.kind == "numbers")
        alone = "compared" not in found.likely_roles(part)[0].values()
        return Evidence("possible", f"Each cell of {shortened(name)} is a list of numbers.", 0.8 if alone else 0.25)
    wide = found.wide_series(part, found.likely_roles(part)[0])
    if wide is None:
        return None
    names, smooth, run = wide
    words = f"Each line could be a series of {len(names)} values"
    if smooth > 0.7 and run and not part.named:
        return Evidence("possible", f"{words}: neighbours are alike.", 0.6)
    return Evidence("possible", f"{words}.", 0.25) if run or smooth > 0.7 else None


def _series_choices(part: Part, beside: Table | None, given: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(part, Table):
        return {}
    roles, named = found.likely_roles(part)
    if (long := found.long_series(part)) is not None:
        roles = {c: "left out" if role in ("id", "group") else role for c, role in roles.items()}
        roles |= {long[0]: "id", long[1]: "time"}
        for c in part.columns:
            if roles[c.name] == "compared" and c.kind not in NUMERIC:
                roles[c.name] = "left out"
        return {"roles": roles, "named_label": named}
    lists = [c.name for c in part.columns if c.kind == "numbers"]
    wide = None if lists else found.wide_series(part, roles)
    compared = {lists[0]} if lists else {*wide[0]} if wide is not None else set()
    roles = {c: "left out" if role == "compared" else role for c, role in roles.items()} | dict.fromkeys(
        compared, "compared"
    )
    return {"roles": roles, "named_label": named}


def _make_series(reading: Reading, new: bool) -> Dataset:
    if isinstance(reading.part, Complete):
        return _make_complete(reading, new)
    plan = reading.plan(new)
    return of_long(plan) if plan.having("time") else of_lines(plan)


def _of_cells(kind: str, what: str, alone: float) -> Callable[[Part, Table | None], Evidence | None]:
    """Return the evidence for rows that are one column of cells of a kind."""

    def seen(part: Part, beside: Table | None) -> Evidence | None:
        if not isinstance(part, Table):
            return None
        columns = [c for c in part.columns if c.kind == kind and part.declared.get(c.name) != "left out"]
        if not columns or (kind == "text" and len(part.columns) == 1 and not part.named):
            return None
        name = shortened(columns[0].name)
        compared = [
            c for c, role in found.likely_roles(part)[0].items() if role == "compared" and part.column(c).kind != kind
        ]
        if part.declared.get(columns[0].name) == "compared":
            return Evidence("declared", f"{part.container}: {what}.", 0.9)
        announced = kind == "molecule" and "smiles" in columns[0].name.lower()
        weight = 0.62 if announced else 0.3 if compared else alone
        return Evidence("possible" if compared else "strong", f"{name} holds {what}.", weight)

    return seen


def _one_column(*kinds: str) -> Callable[[Part, Table | None, dict[str, Any]], dict[str, Any]]:
    def choices(part: Part, beside: Table | None, given: dict[str, Any]) -> dict[str, Any]:
        assert isinstance(part, Table)
        roles, named = found.likely_roles(part)
        columns = [c.name for c in part.columns if c.kind in kinds and part.declared.get(c.name) != "left out"]
        if not columns:
            columns = [max(part.columns, key=lambda c: max(map(len, map(str, c.raw[:50].tolist())))).name]
        roles = {c: "left out" if role == "compared" else role for c, role in roles.items()} | {columns[0]: "compared"}
        return {"roles": roles, "named_label": named}

    return choices


def _as_texts(part: Part, beside: Table | None) -> Evidence | None:
    if (seen := _of_cells("text", "sentences", 0.6)(part, beside)) is not None:
        return seen
    one = isinstance(part, Table) and len(part.columns) == 1 and not part.named
    if (
        one
        and isinstance(part, Table)
        and part.columns[0].kind in ("word", "text", "numbers", "date", "molecule", "sequence")
    ):
        return Evidence("possible", "Unknown format: as plain texts, one per line, only if you say so.", 0.05)
    return None


def _make_strings(of: CellKind) -> Callable[[Reading, bool], Dataset]:
    """Return the maker of rows from one column, read as cells of a kind."""

    def make(reading: Reading, new: bool) -> Dataset:
        table = reading.table
        assert table is not None
        for name, role in reading.roles.items():
            cells = table.column(name)
            if role == "compared" and cells.kind not in (of, "sequence"):
                how = dataclasses.replace(cells.how, kind=of)
                table = table.with_columns({name: dataclasses.replace(cells, how=how)})
        return of_columns(reading.plan(new, table))

    return make


def _make_molecules(reading: Reading, new: bool) -> Dataset:
    return of_columns(reading.plan(new), "graph")


def _as_graphs(part: Part, beside: Table | None) -> Evidence | None:
    data = part.data if isinstance(part, Complete) else None
    return Evidence("declared", part.why, 0.9) if data is not None and data.domain == "graph" else None  # type: ignore[attr-defined]


def _make_complete(reading: Reading, new: bool) -> Dataset:
    data = reading.part.data if isinstance(reading.part, Complete) else None
    assert data is not None
    return dataclasses.replace(data, name=stem(reading.name), title=reading.name, source=f"upload {reading.name}")


def _nothing(part: Part, beside: Table | None, given: dict[str, Any]) -> dict[str, Any]:
    return {}


def _as_turned(part: Part, beside: Table | None) -> Evidence | None:
    alike = found.samples_as_columns(part) if isinstance(part, Table) and part.named else None
    if alike is None or not isinstance(part, Table):
        return None
    samples, named = alike
    words = f"{counted(len(samples), 'column')} alike, such as {shortened(samples[0])}, could be the rows"
    if named:
        return Evidence("possible", f"{words}: {shortened(part.names[0])} names features.", 0.65)
    return Evidence("possible", f"{words}.", 0.22 if len(samples) > 3 and part.n >= 3 else 0.12)


def _turned_choices(part: Part, beside: Table | None, given: dict[str, Any]) -> dict[str, Any]:
    assert isinstance(part, Table)
    alike = found.samples_as_columns(part)
    samples = alike[0] if alike is not None else list(part.names[1:])
    return {
        "roles": {c: "compared" if c in samples else "id" if c == part.names[0] else "left out" for c in part.names}
    }


def _make_turned(reading: Reading, new: bool) -> Dataset:
    table = reading.table
    assert table is not None
    samples = [name for name, role in reading.roles.items() if role == "compared"]
    if len(samples) < 2:
        raise DataError(f"{reading.name}: at least two columns are needed as rows; got {len(samples)}. Compare more.")
    side = found.turned(table, samples)
    roles = {c: role for c, role in found.likely_roles(side)[0].items() if role != "predict"}
    roles = {c.name: roles.get(c.name, "compared") for c in side.columns}
    roles |= {c: "compared" for c, role in roles.items() if role in ("group", "id") and c != "sample"}
    plan = Plan(side, dict(reading.choices) | {"roles": roles}, reading.limits, tuple(reading.part.notes), new)
    pattern = reading.choices.get("name_label", "")
    if pattern:
        labels = read_column(
            "label in the name", labels_in_names(samples, pattern, reading.name), kind="word", codes=()
        )
        labelled = dataclasses.replace(side, columns=(*side.columns, labels))
        choices = dict(plan.choices) | {"roles": roles | {labels.name: "predict"}}
        plan = dataclasses.replace(plan, table=labelled, choices=choices)
    return of_columns(plan)


_COLUMNS = ("predict", "compared", "group", "id", "left out")
_ROWS = ("missing", "task", "without")
_SQUARE = ("matrix", "symmetrise", "missing", "name_label", "task", "without")
#: All readings; a new one is a line here.
WAYS: dict[str, Way] = {
    way.kind: way
    for way in (
        Way("matrix", "square matrix", _COLUMNS, _as_matrix, _matrix_choices, _make_matrix, _square_of_reading,
            _SQUARE),
        Way("pairs", "pairs with a value", ("from", "to", "compared", "left out"), _as_pairs, _pairs_choices,
            _make_pairs, _square_of_pairs, _SQUARE),
        Way("edges", "edges of a graph", ("from", "to", *_COLUMNS), _as_edges, _edges_choices, _make_edges, None,
            ("name_label", "task", "without")),
        Way("series", "time series", ("time", *_COLUMNS), _as_series, _series_choices, _make_series, None, _ROWS),
        Way("graphs", "many graphs", (), _as_graphs, _nothing, _make_complete, None, ("without",)),
        Way("molecules", "molecules as graphs", _COLUMNS, _of_cells("molecule", "molecules as SMILES", 0.7),
            _one_column("molecule"), _make_molecules, None, _ROWS),
        Way("sequences", "sequences of letters", _COLUMNS,
            lambda part, beside: _of_cells("sequence", "strings of letters", 0.65)(part, beside)
            or _of_cells("molecule", "molecules as strings", 0.5)(part, beside),
            _one_column("sequence", "molecule"), _make_strings("sequence"), None, _ROWS),
        Way("texts", "texts", _COLUMNS, _as_texts, _one_column("text"), _make_strings("text"), None, _ROWS),
        Way("turned", "turned table: columns are the rows", ("compared", "id", "left out"), _as_turned, _turned_choices,
            _make_turned, None, ("name_label", "missing", "task", "without")),
        Way("table", "rows and columns", _COLUMNS, _as_table, _table_choices,
            lambda reading, new: of_columns(reading.plan(new)), None, _ROWS),
    )
}  # fmt: skip


def merged(asked: Mapping[str, Any], choices: Mapping[str, Any]) -> dict[str, Any]:
    """Return choices with others over them: those about columns are added, None takes one back.

    >>> merged({"roles": {"a": "id"}, "missing": "drop"}, {"roles": {"b": "predict"}, "missing": None})
    {'roles': {'a': 'id', 'b': 'predict'}}
    """
    result = dict(asked)
    for name, value in choices.items():
        if value is None and name != "label":
            result.pop(name, None)
        elif name in ("roles", "kinds", "codes"):
            result[name] = {**result.get(name, {}), **value}
        else:
            result[name] = value
    return result


def strongest(found_ones: Sequence[Reading]) -> Reading:
    """Return the first reading; AmbiguousReadingError where a person has to decide something, with what to write.

    >>> strongest(readings("m.csv", b"1,0.5,0.1\\n0.5,1,0.2\\n0.1,0.2,1\\n", kind="matrix", matrix="scores")).kind
    'matrix'
    """
    first = found_ones[0]
    needed = first.open_choices
    if not needed:
        return first
    others = "; ".join(f"kind={one.kind!r}: {one.why.rstrip('.')}" for one in found_ones[:6])
    steps = "; ".join(f"{name}=…: {why}" for name, why in needed.items())
    raise AmbiguousReadingError(
        f"{first.name}: how it is read has to be decided. Readings: {others}. Decide {steps}.", tuple(found_ones)
    )
