"""What a file holds once it is parsed, a table of cells or complete rows; and the data set that a table makes."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import compress
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from ..errors import DataError
from ..kinds import KINDS, Kind
from ..numerics.distances import as_distances
from ..values.arrays import Array
from ..values.domains import Domain, Graph, Series, object_rows
from .cells import NOT_COMPARED, NUMERIC, CellKind, Cells, decimal_comma, is_molecule, read_column
from .dataset import Dataset
from .files import (
    LIMITS,
    Limits,
    check_letters,
    counted,
    listed,
    optional_import,
    parser_errors,
    sanitize_name,
    shortened,
    unique,
)

if TYPE_CHECKING:
    from .readings import Reading


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
    `data`, without columns, and `why`.

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


# From a table and the choices about it to a data set.

#: The kind of row that a column alone makes, by what its cells are.
ROWS: dict[CellKind, Domain] = {
    **dict.fromkeys(("number", "whole number", "ordered", "bits"), "vector"),
    **dict.fromkeys(("word", "yes or no", "date"), "categorical"),
    **dict.fromkeys(("sequence", "molecule"), "sequence"),
    "text": "text",
}
#: What the cells of a column are, by the kind of row that it alone makes: the first of those above.
CELLS: dict[Domain, CellKind] = {rows: cells for cells, rows in reversed(ROWS.items())}


def of_columns(reading: Reading, only: Domain | None = None) -> Dataset:
    """Return the rows of the compared columns: numbers, categories, strings, texts, or columns of several kinds."""
    compared = [(cells, KINDS[ROWS[cells.kind]]) for cells in reading.having("compared") if cells.kind in ROWS]
    if not compared:
        given = listed(f"{name[:60]}: {reading.roles.get(name, 'left out')}" for name in reading.table.names)
        raise DataError(f"{reading.name}: no column is left to compare; the roles are {given}. Compare one of them.")
    first = compared[0][1]
    one_kind = {kind for _, kind in compared} == {first} and (first.column == "several" or len(compared) == 1)
    whole = first if one_kind else next(kind for kind in KINDS.values() if kind.every_table)
    whole = KINDS[only] if only else whole
    fill: Any = reading.missing if reading.missing in ("mean", "most_frequent") and whole.fills else ""
    keep = np.ones(reading.table.n, dtype=bool)
    for cells, kind in compared:
        if cells.missing and kind.needs and not (fill and cells.kind in (*NUMERIC, "bits")):
            if reading.missing == "refuse":
                reading.refuse_gaps(cells)
            keep &= cells.present
    if keep.sum() < (1 if reading.new else 2):
        raise DataError(
            f"{reading.name}: at least two rows without missing cells are needed; got {int(keep.sum())}. Leave the "
            "columns with many gaps out."
        )
    notes = [] if keep.all() else [f"{int((~keep).sum())} of {reading.table.n} rows dropped for missing cells."]
    columns, names, kinds = list[Any](), list[str](), list[Domain]()
    try:
        for cells, kind in compared:
            made = _rows_of(cells.take(keep), kind, whole, reading.name)
            columns += made
            kinds += [kind.name] * len(made)
            names += [cells.name] if len(made) == 1 else [f"{cells.name} {j + 1}" for j in range(len(made))]
            if cells.kind == "ordered":
                order = [f"{shortened(word)} = {k + 1}" for k, word in enumerate(cells.how.scale[:6])]
                notes.append(f"{shortened(cells.name)} in order: {', '.join(order)}.")
    except DataError as error:  # cells do not know the file
        raise DataError(f"{reading.name}: {str(error).removeprefix(f'{reading.name}: ')}") from None
    if whole.molecules:
        notes.append("A molecule is a graph: atoms are nodes, bonds are edges, hydrogen atoms are left out.")
    rows: Any = np.column_stack(columns) if whole.tabular else columns[0]
    gaps = int((rows != rows).sum()) if fill else 0
    if gaps:
        notes.append(f"{gaps} missing cells, filled by the kernel from training rows.")
    if unknown := sum(int((~cells.present & keep).sum()) for cells, kind in compared if kind.nominal):
        notes.append(f"{unknown} missing categories are the category '?'.")
    more: dict[str, Any] = {"fill": fill if gaps else "", "read_as": tuple(cells.how for cells, _ in compared)}
    if whole.tabular:
        more["columns"] = tuple(map(sanitize_name, names))
    if whole.every_table:
        more["kinds"] = tuple(kinds)
    return reading.made(whole.name, rows, keep, notes, **more)


def _rows_of(cells: Cells, kind: Kind, rows: Kind, who: str) -> list[Any]:
    """Return one column, or those of a fingerprint, as this kind of row needs it."""
    if cells.kind == "bits":
        return list(cells.bits().T)
    if cells.kind in NUMERIC:
        return [cells.numbers()]
    words = cells.words()
    if kind.nominal:
        return [np.array([word or "?" for word in words], dtype=object)]
    if rows.molecules:
        return [molecular_graphs(words, f"{who}, column {shortened(cells.name)}")]
    return [np.array([kind.from_cell(word) for word in words], dtype=object)]


# Square matrices.


def of_square(reading: Reading, square: Square, as_graph: bool = False) -> Dataset:
    """Return the rows of a square matrix, as scores, as distances or as the nodes of a graph.

    Raises DataError for entries that are missing or that differ in the two halves without a choice, and for distances
    that are negative or have no zero diagonal.
    """
    A, notes, holds = square.A.copy(), list[str](), reading.choices.get("matrix") or square.holds()
    diagonal = np.isnan(A.diagonal())
    if diagonal.any():
        value = 0.0 if holds == "distances" or as_graph else float(max(1.0, np.nanmax(A, initial=1.0)))
        A[diagonal, diagonal] = value
        notes.append(f"The file has no diagonal: {value:g} is used.")
    keep = _without_gaps(reading, square, A, notes)
    A = A[np.ix_(keep, keep)]
    how = "max" if as_graph else reading.choices.get("symmetrise", "")
    if not (how or Square(A).symmetric):
        i, j = np.unravel_index(int(np.abs(A - A.T).argmax()), A.shape)
        raise DataError(
            f"{reading.name}: entry ({i}, {j}) is {A[i, j]:g} and ({j}, {i}) is {A[j, i]:g}; expected a symmetric "
            "matrix. Choose their mean or the larger of the two (symmetrise='mean' or 'max')."
        )
    if as_graph and not np.array_equal(A, A.T):
        notes.append("Edges are read as undirected.")
    elif not Square(A).symmetric:
        notes.append(f"Made symmetric by the {'mean' if how == 'mean' else 'maximum'}.")
    A = np.maximum(A, A.T) if how == "max" else (A + A.T) / 2
    more: dict[str, Any] = {} if as_graph else {"distances": holds == "distances"}
    if as_graph:
        loops = int(np.count_nonzero(A.diagonal()))
        notes += [f"{loops} edges from a node to itself left out."] if loops else []
        np.fill_diagonal(A, 0.0)
    elif holds == "distances":
        A = _as_distances(A, reading.name, notes)
    more["ids"] = tuple(map(sanitize_name, compress(square.names, keep)))
    return reading.made("node" if as_graph else "matrix", A, keep, notes, **more)


def _as_distances(A: npt.NDArray[np.float64], who: str, notes: list[str]) -> npt.NDArray[np.float64]:
    D = as_distances(A) if len(A) > 2 else (A if not A.diagonal().any() and A.min() >= 0 else None)
    if D is None:
        raise DataError(
            f"{who}: distances must have a zero diagonal and no negative entry; got a diagonal of up to "
            f"{np.abs(A.diagonal()).max():g} and a least entry of {A.min():g}. Read them as scores (matrix='scores')."
        )
    changed = int((D != A).sum())
    if changed:
        notes.append(f"{changed} entries near 0 are set to 0, as of distances.")
    return D


def _without_gaps(
    reading: Reading, square: Square, A: npt.NDArray[np.float64], notes: list[str]
) -> npt.NDArray[np.bool_]:
    """Fill missing entries in place, and return which rows are kept: others have most of the gaps."""
    gaps, keep = np.isnan(A), np.ones(len(A), dtype=bool)
    many = counted(int(np.count_nonzero(np.triu(gaps | gaps.T))), "pair")
    if not gaps.any():
        return keep
    if reading.missing in ("zero", "largest"):
        value = 0.0 if reading.missing == "zero" else float(np.nanmax(A, initial=0.0))
        A[gaps] = value
        notes.append(f"{many} without a value: {value:g} is used.")
        return keep
    if reading.missing != "drop":
        i, j = (square.names[k] for k in np.argwhere(gaps)[0])
        raise DataError(
            f"{reading.name}: {many} of rows without a value, such as {shortened(i)} and {shortened(j)}. Use 0 "
            "(missing='zero') or the largest value (missing='largest'), or leave rows out (missing='drop')."
        )
    while gaps[np.ix_(keep, keep)].any():
        keep[np.where(keep, (gaps & keep).sum(axis=1), -1).argmax()] = False
    notes.append(f"{counted(int((~keep).sum()), 'row')} with missing pairs left out.")
    return keep


# Series.


def of_lines(reading: Reading) -> Dataset:
    """Return one series for each line of a table: its compared columns in order, or one column of lists."""
    compared = reading.having("compared")
    lists = [cells for cells in compared if cells.kind == "numbers"]
    if lists:
        series = [values.reshape(-1, 1) for values in lists[0].lists()]
    else:
        table = np.column_stack(
            [c.numbers() for c in compared if c.kind in NUMERIC] or [np.empty((reading.table.n, 0))]
        )
        series = [
            row[: int(np.flatnonzero(np.isfinite(row))[-1]) + 1 if np.isfinite(row).any() else 0, None] for row in table
        ]
    return _of_series(reading, series, range(reading.table.n))


def of_long(reading: Reading) -> Dataset:
    """Return one series for each value of the id column, in the order of the time column."""
    identity, clock = reading.one("id"), reading.one("time")
    if identity is None or clock is None:
        raise DataError(f"{reading.name}: a long table of series needs a column for the series and one for the time.")
    values = [cells for cells in reading.having("compared") if cells.kind in NUMERIC]
    if not values:
        raise DataError(f"{reading.name}: no column of numbers is left to compare. Compare one of them.")
    cells, at = np.column_stack([c.numbers() for c in values]), clock.in_order()
    members: dict[str, list[int]] = {}
    for i, name in enumerate(identity.words()):
        members.setdefault(name, []).append(i)
    members.pop("", None)
    order = sorted(sorted(rows, key=at.__getitem__) for rows in members.values())
    label = reading.one("predict")
    if label is not None:
        words = label.words()
        mixed = next((name for name, rows in members.items() if len({words[i] for i in rows}) > 1), None)
        if mixed is not None:
            raise DataError(
                f"{reading.name}: the label {shortened(label.name)} changes within the series {shortened(mixed)}; "
                "expected one for each series. Predict another column."
            )
    note = f"One series for each {shortened(identity.name)}, in the order of {shortened(clock.name)}."
    return _of_series(reading, [cells[rows] for rows in order], [rows[0] for rows in order], note)


def _of_series(
    reading: Reading, series: Sequence[npt.NDArray[np.float64]], rows: Sequence[int], *notes: str
) -> Dataset:
    """Return series, those with gaps interpolated, left out or refused; their labels and names are in these rows."""
    if reading.missing == "mean" and not all(np.isfinite(values).all() for values in series):
        series = [np.column_stack(list(map(_interpolated, values.T))) for values in series]
        notes = (*notes, "Missing values inside series are interpolated.")
    whole = [bool(len(values) and np.isfinite(values).all()) for values in series]
    if not all(whole):
        if reading.missing == "refuse":
            raise DataError(
                f"{reading.name}: series {whole.index(False) + 1} has missing values. Interpolate them "
                "(missing='mean') or leave such series out (missing='drop')."
            )
        notes = (*notes, f"{whole.count(False)} series with missing values left out.")
    if sum(whole) < 2:
        raise DataError(f"{reading.name}: at least two series are needed; got {sum(whole)}. Choose other columns.")
    keep = np.zeros(reading.table.n, dtype=bool)
    keep[list(compress(rows, whole))] = True
    return reading.made("series", object_rows(list(map(Series, compress(series, whole)))), keep, notes)


def _interpolated(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    known = np.isfinite(values)
    return np.interp(np.arange(len(values)), np.flatnonzero(known), values[known]) if known.any() else values


#: A graph takes the square of its atoms; a molecule takes a millisecond.
_MOST_ATOMS, _MOST_MOLECULES = 1000, 20_000
_BONDS = {1: "single", 1.5: "aromatic", 2: "double", 3: "triple", 4: "quadruple"}


def molecular_graphs(molecules: Iterable[str], who: str) -> Array:
    """Return molecules as graphs: atoms labelled by their element, bonds by their order, hydrogen atoms left out.

    Parameters: `molecules`, SMILES; `who`, the file and the column for errors.
    Raises DataError without pysmiles, for a string that is no molecule, and for more than 1000 atoms.

    >>> molecular_graphs(["CC=O"], "t.smi")[0]
    Graph(<3 nodes, 4 directed edges, labels C O>)
    """
    with optional_import(
        f"{who}: molecules become graphs by pysmiles", "molecules", "compare the molecules as strings"
    ):
        from pysmiles import read_smiles
    logging.getLogger("pysmiles").setLevel(logging.ERROR)  # it reports each stereo centre
    words = list(molecules)
    known: dict[str, Graph] = {}
    if len(set(words)) > _MOST_MOLECULES:
        raise DataError(
            f"{who}: {len(set(words))} different molecules; expected at most {_MOST_MOLECULES} as graphs. Draw a "
            "sample, or compare the molecules as strings."
        )
    for row, word in enumerate(words, start=1):
        if word in known:
            continue
        if not is_molecule(word):
            raise DataError(f"{who}, data row {row} is {shortened(word)}; expected a molecule as SMILES. Correct it.")
        with parser_errors(f"{who}, data row {row}: {shortened(word)} is no molecule", "Correct it."):
            molecule = read_smiles(word)  # a ring of alternating bonds is the same as one of small letters
        if len(molecule) > _MOST_ATOMS:
            raise DataError(
                f"{who}, data row {row} has {len(molecule)} atoms; expected at most {_MOST_ATOMS}. Remove it."
            )
        place = {node: i for i, node in enumerate(molecule)}
        adjacency = np.zeros((len(molecule), len(molecule)))
        bonds: dict[tuple[int, int], str] = {}
        for a, b, order in molecule.edges(data="order"):
            if order:  # a dot joins two parts of a salt by a bond of order 0
                i, j = place[a], place[b]
                adjacency[i, j] = adjacency[j, i] = 1.0
                bonds[i, j] = _BONDS.get(order, f"{order:g}")
        known[word] = Graph(adjacency, [atom or "*" for _, atom in molecule.nodes(data="element")], bonds)
    graphs = np.empty(len(words), dtype=object)
    graphs[:] = [known[word] for word in words]
    return graphs
