"""What a file can be: every table of every container is held against one list of readings."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import permutations, product
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from ..errors import AmbiguousReadingError, DataError
from ..numerics.workers import memory_budget
from ..values.domains import Domain
from ..values.labels import Task, are_classes
from .cells import CELL_KINDS, NUMBERS, NUMERIC, Cells, read_column
from .containers import parts_of
from .dataset import Dataset
from .files import LIMITS, Limits, check_names, content, counted, listed, sanitize_name, shortened, stem, tamed
from .meanings import WAYS, Way
from .table import LABELS, Evidence, Square, Strength, Table, candidates

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
    part : the table or the rows of the file.
    asked : the choices of a person; all others are proposals. new : whether the rows are new ones for a machine.

    >>> first, *others = readings("t.csv", b"size,class\\n1.5,a\\n2.5,b\\n0.5,a\\n")
    >>> first.kind, first.strength, first.choices["roles"]
    ('table', 'strong', {'size': 'compared', 'class': 'predict'})
    >>> first.dataset()
    Dataset('t', vector, n=3, d=1, classes={'a': 2, 'b': 1})
    """

    name: str
    kind: str
    strength: Strength
    why: str
    choices: Mapping[str, Any] = field(repr=False)
    part: Table = field(repr=False)
    asked: Mapping[str, Any] = field(default_factory=dict, repr=False)
    limits: Limits = field(default=LIMITS, repr=False)
    weight: float = field(default=0.5, repr=False)
    new: bool = field(default=False, repr=False)
    _origin: Table | None = field(default=None, repr=False)

    @property
    def way(self) -> Way:
        """Return what is declared of readings of this kind."""
        return WAYS[self.kind]

    @property
    def arguments(self) -> list[str]:
        """Return the arguments of a command that reads the file like this."""
        return arguments_of({"kind": self.kind} | dict(self.choices))

    @property
    def table(self) -> Table:
        """Return the table whose columns have roles."""
        return self.part.beside or self.part

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
        return candidates(self.table, self.roles) if asks else []

    @property
    def notes(self) -> list[str]:
        """Return sentences on what is left out of the file and how it is read."""
        return list(self.part.notes)

    @cached_property
    def open_choices(self) -> dict[str, str]:
        """Return what a person has to decide where nobody looks at a preview: choice → why.

        >>> readings("t.csv", b"a,b\\n1,x\\n2,y\\n3,x\\n4,y\\n")[0].open_choices
        {'label': "nothing says what is predicted; 'b' could be, or 'none'"}
        """
        needed: dict[str, str] = {}
        if self.strength == "possible" and "kind" not in self.asked:
            needed["kind"] = f"{self.kind} is a guess: {self.why}"
        roles = self.asked.get("roles", {})
        if not ("label" in self.asked or "predict" in roles.values() or any(c.lower() in LABELS for c in roles)):
            if self.label is not None:
                if self.label.lower() not in LABELS and self.label not in self.table.declared:
                    needed["label"] = f"{shortened(self.label)} is a guess"
            elif some := [c for c in self.candidates if c not in roles]:
                names = " or ".join(map(shortened, some[:3]))
                needed["label"] = f"nothing says what is predicted; {names} could be, or 'none'"
        if "matrix" in self.choices and "matrix" not in self.asked:
            needed["matrix"] = f"{self.choices['matrix']} are a guess; 'scores' or 'distances'"
        if self.choices.get("missing") not in (None, "refuse") and "missing" not in self.asked:
            needed["missing"] = f"{counted(self.gaps, 'missing cell')}: 'drop', 'mean' or another way"
        return needed

    @cached_property
    def gaps(self) -> int:
        """Return the number of missing cells in columns that are compared or predicted, or of missing pairs."""
        if self.part.beside is not None or self.kind in ("matrix", "pairs", "edges"):
            return 0 if self.square is None else self.square.gaps // 2
        needed = (*NUMERIC, "bits", "sequence", "molecule")
        return sum(
            c.missing
            for c in self.table.columns
            if c.name == self.label or (self.roles.get(c.name) == "compared" and c.kind in needed)
        )

    @cached_property
    def square(self) -> Square | None:
        """Return the matrix that the file holds, None where it holds none."""
        return self.way.square(self)

    def changed(self, **choices: Any) -> Reading:
        """Return the reading with other choices about columns and rows; None goes back to what is proposed.

        Raises DataError for an unknown choice, and for one that parses the file in another way: use `readings`.
        """
        asked = merged(self.asked, choices)
        if parsing := next((name for name in OF_FILE if asked.get(name) != self.asked.get(name)), None):
            raise DataError(f"{self.name}: {parsing} changes how the file is parsed. Call readings(…, {parsing}=…).")
        asked = checked(asked, self.name) | {"kind": self.kind}
        before = Evidence(self.strength, self.why, self.weight, self.roles)
        other = _reading(self.way, self._origin or self.part, asked, self.limits, before)
        assert other is not None
        return other

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
        data = self.part.data
        if data is None:
            data = self.way.make(replace(self, new=new))
        else:
            data = replace(data, name=stem(self.name), title=self.name, source=f"upload {self.name}")
        without = self.choices.get("without", ())
        data = data.without_classes(*without) if without else data
        return data if rows is None else data.stratified_sample(rows, seed=seed)

    @property
    def parameters(self) -> tuple[tuple[str, Any], ...]:
        """Return all choices as the parameters of a run, which then reads the file in this way without trying."""
        return parameters_of({"kind": self.kind} | dict(self.choices))

    # What a data set is made from.

    @property
    def missing(self) -> str:
        """Return how missing cells are handled."""
        return str(self.choices.get("missing", "refuse"))

    def over(self, table: Table) -> Reading:
        """Return the reading of the rows of another table, by its declared roles and those that are chosen."""
        roles = {**table.declared, **self.roles}
        table = replace(table, notes=self.part.notes)
        return replace(self, part=table, choices={**self.choices, "roles": roles})

    def having(self, role: str) -> list[Cells]:
        """Return the columns in a role."""
        return [cells for cells in self.table.columns if self.roles.get(cells.name) == role]

    def one(self, role: str) -> Cells | None:
        """Return the one column in a role; None without; DataError for several."""
        columns = self.having(role)
        if len(columns) > 1:
            raise DataError(
                f"{self.name}: one column can be {role!r}; got {listed(c.name for c in columns)}. Leave the others out."
            )
        return columns[0] if columns else None

    def refuse_gaps(self, cells: Cells) -> None:
        """Raise the DataError that says how missing cells can be handled."""
        fill = " or have numbers filled from training rows (missing='mean'; in a command --missing mean)"
        step = (
            f"Drop those rows (missing='drop'; in a command --missing drop),{fill if cells.kind in NUMERIC else ''} or "
            "leave the column out"
        )
        if self.new:
            step = "The training rows have none: fill the cells in, or leave those rows out"
        raise DataError(
            f"{self.name}: column {shortened(cells.name)} has {counted(cells.missing, 'missing cell')}, the first in "
            f"data row {int(cells.present.argmin()) + 1}. {step}."
        )

    def made(
        self, domain: Domain, rows: Any, keep: npt.NDArray[np.bool_], notes: Sequence[str] = (), **more: Any
    ) -> Dataset:
        """Return the data set of rows that were kept, with labels, groups and names from the table."""
        if "ids" not in more and (identity := self.having("id")):
            more["ids"] = tuple(map(sanitize_name, identity[0].take(keep).words()))
        name, source = stem(self.name), f"upload {self.name}"
        notes = [*self.notes, *notes]
        label = None if self.new else self.one("predict")
        there = np.ones(int(keep.sum()), dtype=bool)
        if label is not None:
            label = label.take(keep)
            there = label.present
            if label.missing and self.missing == "refuse":
                self.refuse_gaps(label)
            y, task = self._labels(label.take(there))
            if not there.all():
                notes.append(f"{counted(int((~there).sum()), 'row')} without a label dropped.")
            more |= {"y": y, "task": task} if there.all() else {}
        more |= {"groups": self._groups(keep), "note": " ".join(notes), "new": self.new}
        data = Dataset(name, self.name, domain, rows, source=source, **more)
        return data if there.all() else replace(data.take(np.flatnonzero(there)), y=y, task=task)

    def _labels(self, label: Cells) -> tuple[Any, Task]:
        """Return the labels of a column without gaps, and the task."""
        asked: Task | None = self.choices.get("task")
        if label.kind in NUMBERS:
            x = label.numbers()
            if asked == "regression" or (asked is None and not are_classes(x)):
                return x, "regression"
        words = label.words()
        if asked == "regression":
            return np.array(words), asked  # which a data set refuses
        distinct, most = len({*words}), max(50, len(words) // 2)
        if distinct > most:
            raise DataError(
                f"{self.name}: the label column {shortened(label.name)} has {distinct} classes in {len(words)} rows; "
                f"expected at most {most}. It looks like an id or a real target: choose another column, or "
                "task='regression'."
            )
        return np.array(tamed(words), dtype=np.str_), "classification"

    def _groups(self, keep: npt.NDArray[np.bool_]) -> tuple[str, ...] | None:
        """Return the group of each row that is kept, None without such a column; a row without one is its own."""
        column = self.one("group")
        if column is None:
            return None
        return tuple(tamed([word or f"? ({i})" for i, word in enumerate(column.take(keep).words(), start=1)]))


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
    asked, problem, every = checked(choices), None, list[Reading]()
    parts = parts_of(name, content, limits, asked, more)
    tables = list(parts)
    if len(parts) > 1:  # a graph and a table are three parts
        tables = [replace(one, beside=other) for one, other in permutations(parts, 2) if len(parts) < 3]
    for part, way in product(tables, WAYS.values()):
        fits = (part.data is None or part.data.domain == way.domain) and (part.beside is None or way.beside)
        if fits and asked.get("kind", way.kind) == way.kind:
            try:
                every += filter(None, [_reading(way, part, asked, limits)])
            except DataError as error:  # roles that this reading does not have
                problem = error
    if any(one.kind != "table" and (one.strength != "possible" or one.weight >= 0.6) for one in every):
        every = [replace(one, strength="possible") if one.kind == "table" else one for one in every]
    if every:
        return tuple(sorted(every, key=lambda one: (_ORDER[one.strength], -one.weight)))
    why = f"{name[:100]}: nothing in it can be compared; expected a table, a matrix, texts or sequences."
    if len(parts) > 1:
        why = (
            f"{parts[0].name} and {parts[1].name} do not go together; expected edges and a table of nodes, or a "
            "matrix and a table of its rows. Give one alone."
        )
    elif "kind" in asked:
        why = f"{name[:100]}: it cannot be read as {asked['kind']}. Choose another kind."
    raise problem or DataError(why)


def _reading(
    way: Way, origin: Table, asked: Mapping[str, Any], limits: Limits, before: Evidence | None = None
) -> Reading | None:
    """Return a reading with its choices, those of a person and proposals for all others; None without evidence.

    `before` is the evidence of a reading whose choices change, and its choices where there is no evidence any more.
    """
    part = _read_again(origin, asked)
    seen = way.look(part) if part.data is None else Evidence("declared", part.why, 0.9)
    seen = seen or before
    if seen is None:
        return None
    table, evidence, roles = part.beside or part, before or seen, dict(seen.roles)
    label, chosen = asked.get("label"), dict(asked.get("roles", {}))
    if label is not None:
        roles |= {c: "left out" for c, role in roles.items() if role == "predict" and c != label}
        if label != "none" or "none" in table.names:
            table.column(label)
            chosen[label] = "predict"
    chosen = _for_each(chosen, table)
    if way.kind == "table":  # a column whose cells a person chose is compared
        roles |= {c: "compared" for c in asked.get("kinds", {}) if roles.get(c) in ("id", "left out")}
    for column, role in chosen.items():
        table.column(column)
        if role not in way.roles:
            raise DataError(f"{part.name}: as {way.kind} a column can be {listed(way.roles)}; got {shortened(role)}.")
        if role in ("predict", "group", "from", "to", "time"):  # a second one replaces the first
            roles |= {c: "left out" for c, r in roles.items() if r == role and c != column and chosen.get(c) != role}
    choices = {key: value for key, value in asked.items() if key not in ("kind", "label", "roles")}
    if roles or chosen:
        choices["roles"] = roles | chosen
    more: dict[str, Any] = {"asked": dict(asked), "limits": limits, "weight": evidence.weight, "_origin": origin}
    one = Reading(part.name, way.kind, evidence.strength, evidence.why, choices, part, **more)
    # What is proposed for entries and for missing cells depends on the columns that are used.
    if "matrix" in way.fields:
        choices.setdefault("matrix", "distances" if one.square is None else one.square.holds())
    if one.gaps:
        numbers = any(c.missing and c.kind in (*NUMERIC, "bits") for c in one.having("compared"))
        choices.setdefault("missing", "mean" if numbers and one.square is None else "drop")
    return replace(one, choices=choices)


def _for_each(chosen: Mapping[str, Any], table: Table) -> dict[str, Any]:
    """Return choices by column, that of "*" for all columns without one of their own."""
    if "*" not in chosen or "*" in table.names:
        return dict(chosen)
    return dict.fromkeys(table.names, chosen["*"]) | {name: one for name, one in chosen.items() if name != "*"}


def _read_again(part: Table, asked: Mapping[str, Any]) -> Table:
    """Return a part whose cells, or those of the table beside it, are read as a person chose."""
    table = part.beside or part
    kinds, codes = asked.get("kinds", {}), _for_each(asked.get("codes", {}), table)
    changed = {}
    for name in dict.fromkeys((*kinds, *codes)):
        cells = table.column(name)
        kind, gaps = kinds.get(name, ""), codes.get(name)
        if kind not in ("", cells.kind) or (gaps is not None and tuple(sorted(gaps)) != cells.how.codes):
            comma = cells.how.writing.decimal == "," or None
            try:
                changed[name] = read_column(name, cells.raw, kind=kind, codes=gaps, comma=comma)
            except DataError as error:
                raise DataError(f"{table.name}: {error}") from None
    if not changed:
        return part
    table = table.with_columns(changed)
    return table if part.beside is None else replace(part, beside=table)


def merged(asked: Mapping[str, Any], choices: Mapping[str, Any]) -> dict[str, Any]:
    """Return choices with others over them: those about columns are added, None takes one back.

    >>> merged({"roles": {"a": "id"}, "missing": "drop"}, {"roles": {"b": "predict"}, "missing": None})
    {'roles': {'a': 'id', 'b': 'predict'}}
    """
    result = dict(asked)
    for name, value in choices.items():
        if value is None and name != "label":
            result.pop(name, None)
        elif name in _ONE:
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


#: What of the memory one unit of each limit takes: a cell is a string and the pointer to it.
_SHARES = {"bytes": 4, "unpacked": 4, "rows": 200, "cells": 200, "sheet": 200, "columns": 2**16}
#: Bytes of an entry of a square matrix: the matrix, its symmetric half and a copy.
_ENTRY = 24


def limits_of_memory(budget: int | None = None) -> Limits:
    """Return the limits for a file on a machine that nobody shares: in proportion to its memory.

    Never less than what an upload may hold; `budget` in bytes, by default `memory_budget()`.

    >>> limits_of_memory(2**33).cells, limits_of_memory(0) == LIMITS
    (42949672, True)
    """
    budget = memory_budget() if budget is None else budget
    most = {name: budget // share for name, share in _SHARES.items()} | {"side": int((budget / _ENTRY) ** 0.5)}
    return replace(LIMITS, **{name: max(getattr(LIMITS, name), value) for name, value in most.items()})


def contents_of(paths: Sequence[str | Path], limits: Limits) -> dict[str, bytes]:
    """Return the files' bytes by name, in the given order; DataError for a file that cannot be read or is too large."""
    files = [Path(path) for path in paths]
    check_names([file.name for file in files])
    return {file.name: content(file, file.name, limits) for file in files}


def read_paths(
    path: str | Path | Sequence[str | Path], *, rows: int | None = None, seed: int = 0, **choices: Any
) -> Dataset:
    """Return the data set of a file, or of files that belong together, within `limits_of_memory`.

    Parameters: `path`; `choices`, see `kernlib.data.CHOICES`; `rows` and `seed` of a stratified sample.

    Raises AmbiguousReadingError where the file could be read in several ways, or where a label, the entries of a matrix
    or missing cells need a decision; it lists the readings and what to write. DataError for a file that cannot be read.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "t.csv")
    >>> _ = file.write_text("size,kind\\n1.5,a\\n2.5,b\\n3.5,a\\n0.5,b\\n")
    >>> read_paths(file, label="kind")
    Dataset('t', vector, n=4, d=1, classes={'a': 2, 'b': 2})
    >>> read_paths(file)
    Traceback (most recent call last):
    kernlib.errors.AmbiguousReadingError: t.csv: how it is read has to be decided. ...
    """
    return strongest(readings_of_paths(path, **choices)).dataset(rows=rows, seed=seed)


def readings_of_paths(path: str | Path | Sequence[str | Path], **choices: Any) -> tuple[Reading, ...]:
    """Return the readings of a file, or of files that belong together; see `kernlib.data.readings`."""
    limits = limits_of_memory()
    paths = [path] if isinstance(path, str | Path) else list(path)
    (name, raw), *others = contents_of(paths, limits).items()
    return readings(name, raw, more=dict(others) or None, limits=limits, **choices)


# Choices: one declaration for menus, commands, run files and summaries.

#: What a column is used for. A person chooses among those that a reading has.
Role = Literal["predict", "compared", "group", "id", "left out", "from", "to", "time"]
#: How missing cells are handled; the kernel learns the mean and the most frequent value from training rows. A row
#: without a label is always dropped. "zero" and "largest" are for entries that a matrix lacks.
Missing = Literal["refuse", "drop", "mean", "most_frequent", "zero", "largest"]
Symmetrise = Literal["", "mean", "max"]
READINGS = ("table", "matrix", "pairs", "edges", "series", "sequences", "texts", "molecules", "graphs", "turned")
#: Roles of earlier versions, in run files and links: role and kind of cells.
_EARLIER: dict[str, tuple[Role, str]] = {
    **dict.fromkeys(("numeric", "decimal comma", "decimal point", "code missing"), ("compared", "number")),
    "ordinal": ("compared", "ordered"),
    "categorical": ("compared", "word"),
    "text": ("compared", "text"),
    "sequence": ("compared", "sequence"),
    "label": ("predict", ""),
    "ignore": ("left out", ""),
}
#: Choices of earlier versions that no longer exist.
_NO_LONGER = ("capitals", "name_label", "below", "encoding", "quotes")


@dataclass(frozen=True)
class Choice:
    """One thing that a person may decide about a file.

    Parameters: `name`, the keyword and the command's option; `label` on screen; `help`; `options`, empty for free
    text; `kind` of the value, "columns" for one value for each column.
    """

    name: str
    label: str
    help: str
    options: tuple[str, ...] = ()
    kind: Literal["word", "number", "columns", "words"] = "word"


#: All choices, in the order of the panel.
CHOICES: tuple[Choice, ...] = (
    Choice("kind", "Read as", "What the file holds", READINGS),
    Choice("part", "Part", "The sheet of a workbook, the array of an NPZ or MATLAB file"),
    Choice(
        "header",
        "Lines of names",
        "How many lines name the columns: 0 for none, 1 also for a comment above the rows",
        kind="number",
    ),
    Choice("skip", "Lines above", "Lines above the table that are left out, such as a title", kind="number"),
    Choice("delimiter", "Between cells", "The mark between cells"),
    Choice("decimal", "Decimal mark", "1.5 or 1,5", (".", ",")),
    Choice("roles", "Role", "What a column is used for", get_args(Role), "columns"),
    Choice("kinds", "Cells", "What the cells of a column are", CELL_KINDS, "columns"),
    Choice("codes", "Missing", "Words for missing cells, such as '-8|-9'; column * is all", kind="columns"),
    Choice("label", "Label", "The column to predict, 'none' for nothing to predict"),
    Choice("matrix", "Entries", "What a square matrix holds", ("scores", "distances")),
    Choice("missing", "Missing cells", "How missing cells are handled", get_args(Missing)),
    Choice("symmetrise", "Two halves", "What an asymmetric matrix becomes", ("mean", "max")),
    Choice("task", "Label holds", "Classes or real numbers", ("classification", "regression")),
    Choice("without", "Left-out classes", "Classes that are left out", kind="words"),
)
_TYPES: dict[str, Any] = {"word": str, "number": int, "words": lambda words: tuple(map(str, words))}
BY_NAME = {choice.name: choice for choice in CHOICES}
#: Those that change how the file is parsed.
OF_FILE = ("part", "header", "skip", "delimiter", "decimal")


def checked(choices: Mapping[str, Any], who: str = "The reading") -> dict[str, Any]:
    """Return choices with known names and values, without those that are left to the reader.

    Roles of earlier versions are read as today's: "numeric" as "compared" with cells that are numbers.

    Raises DataError for an unknown choice or value.

    >>> checked({"roles": {"x": "numeric"}, "header": False, "part": ""})
    {'header': 0, 'roles': {'x': 'compared'}, 'kinds': {'x': 'number'}}
    """
    if unknown := next((name for name in choices if name not in BY_NAME), None):
        raise DataError(f"{who}: there is no choice {shortened(unknown)}; expected one of {listed(BY_NAME)}.")
    roles = dict(choices.get("roles") or {})
    earlier = {column: _EARLIER[role] for column, role in roles.items() if role in _EARLIER}
    roles = {**roles, **{column: role for column, (role, _) in earlier.items()}}
    kinds = {column: kind for column, (_, kind) in earlier.items() if kind} | dict(choices.get("kinds") or {})
    given, result = {**choices, "roles": roles, "kinds": kinds}, dict[str, Any]()
    for name, choice in BY_NAME.items():
        value = given.get(name, "")
        if value is None:
            value = "none" if name == "label" else ""
        if choice.kind == "columns":
            value = {column: _of_column(choice, column, one, who) for column, one in dict(value or {}).items()}
        elif value != "":
            value = _TYPES[choice.kind](value)
        if choice.kind == "number" and value != "" and not 0 <= value <= 10_000:
            raise DataError(f"{who}: {name} must be a number of lines, 0 to 10000; got {value}.")
        if choice.kind == "word" and value and choice.options and value not in choice.options:
            raise DataError(f"{who}: {name} must be one of {listed(choice.options)}; got {shortened(value)}.")
        if value not in ("", (), {}):
            result[name] = value
    return result


def _of_column(choice: Choice, column: str, value: Any, who: str) -> Any:
    """Return the value of a choice for one column, the words of missing cells as a tuple."""
    if choice.name == "codes":
        words = (str(word).strip() for word in (value.split("|") if isinstance(value, str) else value))
        return tuple(word for word in words if word not in ("", "none"))
    if value not in choice.options:
        raise DataError(
            f"{who}: column {shortened(column)} has the {choice.label.lower()} {shortened(value)}; expected one "
            f"of {listed(choice.options)}."
        )
    return value


#: Of more columns than these, the most frequent role is written once, as that of "*".
_MANY = 100
#: Choices by column: how one column stands in a run file, and as an option of a command.
_ONE = {"roles": "role", "kinds": "cells", "codes": "codes"}


def parameters_of(choices: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    """Return choices as the parameters of a run: plain values under plain names.

    >>> parameters_of({"kind": "table", "roles": {"x1": "id"}})
    (('kind', 'table'), ('role:x1', 'id'))
    """
    given: list[tuple[str, Any]] = []
    for name, value in checked(choices).items():
        if name == "roles" and len(value) > _MANY:  # the most frequent role once, for all others
            most = Counter(value.values()).most_common(1)[0][0]
            value = {"*": most} | {column: role for column, role in value.items() if role != most}
        if name in _ONE:
            given += [(f"{_ONE[name]}:{k}", "|".join(v) or "none" if name == "codes" else v) for k, v in value.items()]
        elif name == "without":
            given += [(f"without:{one}", True) for one in value]
        else:
            given.append((name, value))
    return tuple(given)


def of_parameters(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the choices that the parameters of a run describe, those of earlier versions as today's.

    Raises DataError for a choice of an earlier version that no longer exists.

    >>> of_parameters({"role:x1": "ignore", "square": "distances", "n": 30})
    {'roles': {'x1': 'left out'}, 'matrix': 'distances'}
    """
    choices: dict[str, Any] = {}
    for key, value in parameters.items():
        prefix, mark, column = key.partition(":")
        name = next((name for name, one in _ONE.items() if mark and one == prefix), None)
        if name is not None:
            choices.setdefault(name, {})[column] = value
        elif prefix == "without" and mark:
            choices["without"] = (*choices.get("without", ()), column)
        elif key == "square":
            choices["matrix"] = value
        elif key == "absent":
            choices.setdefault("codes", {})["*"] = value
        elif key == "turned":
            choices |= {"kind": "turned"} if value else {}
        elif key in _NO_LONGER:
            raise DataError(f"The run was read with the choice {key!r}, which is no longer offered. Start a new run.")
        elif key in BY_NAME:
            choices[key] = value
    return checked(choices, "The run")


def arguments_of(choices: Mapping[str, Any]) -> list[str]:
    """Return choices as arguments of a command, such as ``--role kind=predict``.

    >>> arguments_of({"roles": {"kind": "predict"}, "header": 0, "missing": "drop"})
    ['--header', '0', '--role', 'kind=predict', '--missing', 'drop']
    """
    words: list[str] = []
    for key, value in parameters_of(choices):
        name, mark, column = key.partition(":")
        if mark:
            words += [f"--{name}", column if name == "without" else f"{column}={value}"]
        elif str(value).startswith("-"):
            words.append(f"--{name}={value}")
        else:
            words += [f"--{name}", str(value)]
    return words


def add_arguments(group: Any) -> None:
    """Add an option for every choice to a group of a command's options."""
    for choice in CHOICES:
        more: dict[str, Any] = {"choices": choice.options} if choice.options else {"metavar": choice.kind.upper()[:6]}
        help = choice.help
        if choice.kind == "columns":
            help += f": {', '.join(choice.options)}" if choice.options else ""
            more = {"metavar": "COLUMN=WORD", "type": _pair}
        if choice.kind in ("columns", "words"):
            more |= {"action": "append", "default": []}
        elif choice.kind == "number":
            more |= {"type": int}
        group.add_argument(f"--{_ONE.get(choice.name, choice.name)}", dest=choice.name, help=help, **more)


def _pair(words: str) -> tuple[str, str]:
    column, mark, word = words.rpartition("=")
    if not mark:
        raise argparse.ArgumentTypeError(f"expected COLUMN=WORD, such as kind=predict; got {words}")
    return column, word


def of_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the choices that the options of a command give."""
    given = {name: options[name] for name in BY_NAME if options.get(name) not in (None, [])}
    return checked(given, "The command")
