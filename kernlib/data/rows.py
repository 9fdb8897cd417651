"""From a table and the choices about it to a data set: columns, square matrices, graphs, series, molecules."""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np
import numpy.typing as npt

from ..errors import DataError
from ..kinds import KINDS, Kind
from ..numerics.distances import as_distances
from ..values.arrays import Array
from ..values.domains import Domain, object_rows
from ..values.labels import Task, are_classes
from ..values.objects import Graph, Series
from .cells import NUMBERS, NUMERIC, CellKind, Cells, is_molecule
from .dataset import Dataset, Fill
from .files import (
    LIMITS,
    Limits,
    counted,
    listed,
    optional_import,
    parser_errors,
    sanitize_name,
    shortened,
    stem,
    tamed,
)
from .table import Square, Table

#: The kind of row that a column alone makes, by what its cells are.
_ROWS: dict[CellKind, Domain] = {
    **dict.fromkeys(("number", "whole number", "ordered", "bits"), "vector"),
    **dict.fromkeys(("word", "yes or no", "date"), "categorical"),
    **dict.fromkeys(("sequence", "molecule"), "sequence"),
    "text": "text",
}


#: What the cells of a column are, by the kind of row that it alone makes: the first of those above.
CELLS: dict[Domain, CellKind] = {rows: cells for cells, rows in reversed(_ROWS.items())}


def kind_of_column(cells: Cells) -> Domain | None:
    """Return the kind of row that a column alone makes; None where it cannot be compared.

    >>> from kernlib.data.cells import read_column
    >>> kind_of_column(read_column("x", ["1", "2"])), kind_of_column(read_column("k", ["a", "b"]))
    ('vector', 'categorical')
    """
    return _ROWS.get(cells.kind)


@dataclass(frozen=True, eq=False)
class Plan:
    """Everything that a data set is made from: the table, the roles of its columns, the other choices, the limits."""

    table: Table
    choices: Mapping[str, Any]
    limits: Limits = LIMITS
    notes: tuple[str, ...] = ()
    new: bool = False

    @property
    def name(self) -> str:
        """Return the file's name."""
        return self.table.name

    @property
    def missing(self) -> str:
        """Return how missing cells are handled."""
        return str(self.choices.get("missing", "refuse"))

    def having(self, *roles: str) -> list[Cells]:
        """Return the columns in one of these roles."""
        given = self.choices.get("roles", {})
        return [cells for cells in self.table.columns if given.get(cells.name) in roles]

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
        row = int(np.flatnonzero(~cells.present)[0])
        fill = " or have numbers filled from training rows (missing='mean'; in a command --missing mean)"
        step = (
            f"Drop those rows (missing='drop'; in a command --missing drop),{fill if cells.kind in NUMERIC else ''} or "
            "leave the column out"
        )
        if self.new:
            step = "The training rows have none: fill the cells in, or leave those rows out"
        raise DataError(
            f"{self.name}: column {shortened(cells.name)} has {counted(cells.missing, 'missing cell')}, the first in "
            f"data row {row + 1}. {step}."
        )

    def dataset(
        self, domain: Domain, rows: Any, keep: npt.NDArray[np.bool_], notes: Sequence[str] = (), **more: Any
    ) -> Dataset:
        """Return the data set of rows that were kept, with labels, groups and names from the table."""
        y, task, there = self.labels(keep)
        known, identity = bool(there.all()), self.having("id")
        if "ids" not in more and identity:
            more["ids"] = tuple(map(sanitize_name, identity[0].take(keep).words()))
        data = Dataset(
            stem(self.name),
            self.name,
            domain,
            rows,
            y=y if known else None,
            task=task if known else None,
            source=f"upload {self.name}",
            groups=self.groups(keep),
            note=" ".join([*self.notes, *notes]),
            new=self.new,
            **more,
        )
        if known:
            return data
        note = f"{data.note} {counted(int((~there).sum()), 'row')} without a label dropped.".strip()
        return dataclasses.replace(data.take(np.flatnonzero(there)), y=y, task=task, note=note)

    def labels(self, keep: npt.NDArray[np.bool_]) -> tuple[Any, Task | None, npt.NDArray[np.bool_]]:
        """Return the labels of the rows that are kept, the task, and which of these rows have a label."""
        label = None if self.new else self.one("predict")
        if label is None:
            return None, None, np.ones(int(keep.sum()), dtype=bool)
        label = label.take(keep)
        if label.missing and self.missing == "refuse":
            self.refuse_gaps(label)
        label, there = label.take(label.present), label.present
        asked: Task | None = self.choices.get("task")
        if label.kind in NUMBERS:
            x = label.numbers()
            if asked == "regression" or (asked is None and not are_classes(x)):
                return x, "regression", there
        elif asked == "regression":
            raise DataError(
                f"{self.name}: the label {shortened(label.name)} holds words; real targets are numbers. Read it as "
                "classes, or choose another column."
            )
        words = label.words()
        distinct = {*words}
        if len(distinct) > max(50, len(words) // 2) and len(distinct) > 2:
            raise DataError(
                f"{self.name}: the label column {shortened(label.name)} has {len(distinct)} classes in {len(words)} "
                f"rows; expected at most {max(50, len(words) // 2)}. It looks like an id or a real target: choose "
                "another column, or task='regression'."
            )
        return np.array(tamed(words), dtype=np.str_), "classification", there

    def groups(self, keep: npt.NDArray[np.bool_]) -> tuple[str, ...] | None:
        """Return the group of each row that is kept, None without such a column; a row without one is its own."""
        column = self.one("group")
        if column is None:
            return None
        words = column.take(keep).words()
        known = tamed([word for word in words if word])
        names, taken = iter(known), set(known)
        alone = (f"? ({k})" for k in count(1) if f"? ({k})" not in taken)
        return tuple(next(names) if word else next(alone) for word in words)


def of_columns(plan: Plan, only: Domain | None = None) -> Dataset:
    """Return the rows of the compared columns: numbers, categories, strings, texts, or columns of several kinds."""
    kinds = {c.name: kind for c in plan.having("compared") if (kind := kind_of_column(c)) is not None}
    if not kinds:
        roles = {c.name: "left out" for c in plan.table.columns} | dict(plan.choices.get("roles", {}))
        given = listed(f"{name[:60]}: {role}" for name, role in roles.items())
        raise DataError(f"{plan.name}: no column is left to compare; the roles are {given}. Compare one of them.")
    first = next(iter(kinds.values()))
    one_kind = len({*kinds.values()}) == 1 and (KINDS[first].column == "several" or len(kinds) == 1)
    domain: Domain = only or (first if one_kind else next(kind.name for kind in KINDS.values() if kind.every_table))
    fill: Fill = plan.missing if plan.missing in ("mean", "most_frequent") and KINDS[domain].fills else ""  # type: ignore[assignment]
    keep = np.ones(plan.table.n, dtype=bool)
    compared = [plan.table.column(name) for name in kinds]
    for cells in compared:
        if cells.missing and KINDS[kinds[cells.name]].needs and not (fill and cells.kind in (*NUMERIC, "bits")):
            if plan.missing == "refuse":
                plan.refuse_gaps(cells)
            keep &= cells.present
    if keep.sum() < (1 if plan.new else 2):
        raise DataError(
            f"{plan.name}: at least two rows without missing cells are needed; got {int(keep.sum())}. Leave the "
            "columns with many gaps out."
        )
    notes = [] if keep.all() else [f"{int((~keep).sum())} of {plan.table.n} rows dropped for missing cells."]
    columns, names, kinds_of = [], [], []
    try:
        for cells in compared:
            kind = kinds[cells.name]
            made = _rows_of(cells.take(keep), KINDS[kind], KINDS[domain], plan.name)
            columns += made
            kinds_of += [kind] * len(made)
            names += [cells.name] if len(made) == 1 else [f"{cells.name} {j + 1}" for j in range(len(made))]
            if cells.kind == "ordered":
                order = [f"{shortened(word)} = {k + 1}" for k, word in enumerate(cells.how.scale[:6])]
                notes.append(f"{shortened(cells.name)} in order: {', '.join(order)}.")
    except DataError as error:  # cells do not know the file
        raise DataError(f"{plan.name}: {str(error).removeprefix(f'{plan.name}: ')}") from None
    if KINDS[domain].molecules:
        notes.append("A molecule is a graph: atoms are nodes, bonds are edges, hydrogen atoms are left out.")
    rows: Any = np.column_stack(columns) if KINDS[domain].tabular else columns[0]
    gaps = int((rows != rows).sum()) if fill else 0
    if gaps:
        notes.append(f"{gaps} missing cells, filled by the kernel from training rows.")
    unknown = sum(int((~c.present & keep).sum()) for c in compared if KINDS[kinds[c.name]].nominal)
    if unknown:
        notes.append(f"{unknown} missing categories are the category '?'.")
    mixed = KINDS[domain].every_table
    return plan.dataset(
        domain,
        rows,
        keep,
        notes,
        columns=tuple(map(sanitize_name, names)) if KINDS[domain].tabular else (),
        fill=fill if gaps else "",
        kinds=tuple(kinds_of) if mixed else (),
        read_as=tuple(c.how for c in compared),
    )


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


def of_square(plan: Plan, square: Square, as_graph: bool = False) -> Dataset:
    """Return the rows of a square matrix, as scores, as distances or as the nodes of a graph.

    Raises DataError for entries that are missing or that differ in the two halves without a choice, and for distances
    that are negative or have no zero diagonal.
    """
    A, notes, holds = square.A.copy(), [], plan.choices.get("matrix") or square.holds()
    if len(A) > plan.limits.side:
        raise DataError(
            f"{plan.name}: a matrix of {len(A)} rows takes {len(A) ** 2 * 8 / 1e6:.0f} MB; expected at most "
            f"{plan.limits.side} rows. Choose fewer."
        )
    diagonal = np.isnan(A.diagonal())
    if diagonal.any():
        value = 0.0 if holds == "distances" or as_graph else float(max(1.0, np.nanmax(A, initial=1.0)))
        A[diagonal, diagonal] = value
        notes.append(f"The file has no diagonal: {value:g} is used.")
    keep = np.ones(len(A), dtype=bool)
    if np.isnan(A).any():
        A, keep = _without_gaps(plan, square, A, holds, notes)
    if as_graph:
        if not np.array_equal(A, A.T):
            notes.append("Edges are read as undirected.")
        A = np.maximum(A, A.T)
        loops = int(np.count_nonzero(A.diagonal()))
        notes += [f"{loops} edges from a node to itself left out."] if loops else []
        np.fill_diagonal(A, 0.0)
    elif not Square(A).symmetric:
        how = plan.choices.get("symmetrise", "")
        if not how:
            i, j = np.unravel_index(int(np.abs(A - A.T).argmax()), A.shape)
            raise DataError(
                f"{plan.name}: entry ({i}, {j}) is {A[i, j]:g} and ({j}, {i}) is {A[j, i]:g}; expected a symmetric "
                "matrix. Choose their mean or the larger of the two (symmetrise='mean' or 'max')."
            )
        A = (A + A.T) / 2 if how == "mean" else np.maximum(A, A.T)
        notes.append(f"Made symmetric by the {'mean' if how == 'mean' else 'maximum'}.")
    elif not np.array_equal(A, A.T):
        A = (A + A.T) / 2
    more: dict[str, Any] = {}
    if not as_graph:
        if holds == "distances":
            A = _as_distances(A, plan.name, notes)
        more["distances"] = holds == "distances"
    ids = square.ids or tuple(map(str, range(len(keep))))
    more["ids"] = tuple(sanitize_name(name) for name, kept in zip(ids, keep, strict=True) if kept)
    return plan.dataset("node" if as_graph else "matrix", A, keep, notes, **more)


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
    plan: Plan, square: Square, A: npt.NDArray[np.float64], holds: str, notes: list[str]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
    """Return a matrix whose missing entries are filled, or without the rows that have most of them."""
    gaps, keep = np.isnan(A), np.ones(len(A), dtype=bool)
    many = int(np.count_nonzero(np.triu(gaps | gaps.T)))
    if plan.missing in ("zero", "largest"):
        value = 0.0 if plan.missing == "zero" else float(np.nanmax(A, initial=0.0))
        A[gaps] = value
        notes.append(f"{counted(many, 'pair')} without a value: {value:g} is used.")
        return A, keep
    if plan.missing != "drop":
        i, j = (int(k) for k in np.argwhere(gaps)[0])
        names = square.ids or tuple(map(str, range(len(A))))
        raise DataError(
            f"{plan.name}: {counted(many, 'pair')} of rows without a value, such as {shortened(names[i])} and "
            f"{shortened(names[j])}. Use 0 (missing='zero') or the largest value (missing='largest'), or leave rows "
            "out (missing='drop')."
        )
    while gaps[np.ix_(keep, keep)].any():
        counts = np.where(keep, (gaps & keep).sum(axis=1), -1)
        keep[int(counts.argmax())] = False
    notes.append(f"{counted(int((~keep).sum()), 'row')} with missing pairs left out.")
    return A[np.ix_(keep, keep)], keep


# Series.


def of_lines(plan: Plan) -> Dataset:
    """Return one series for each line of a table: its compared columns in order, or one column of lists."""
    compared = plan.having("compared")
    lists = [cells for cells in compared if cells.kind == "numbers"]
    if lists:
        series = [values.reshape(-1, 1) for values in lists[0].lists()]
    else:
        table = np.column_stack([c.numbers() for c in compared if c.kind in NUMERIC] or [np.empty((plan.table.n, 0))])
        series = [
            row[: int(np.flatnonzero(np.isfinite(row))[-1]) + 1 if np.isfinite(row).any() else 0, None] for row in table
        ]
    return _of_series(plan, series, range(plan.table.n))


def of_long(plan: Plan) -> Dataset:
    """Return one series for each value of the id column, in the order of the time column."""
    identity, clock = plan.one("id"), plan.one("time")
    if identity is None or clock is None:
        raise DataError(f"{plan.name}: a long table of series needs a column for the series and one for the time.")
    names = identity.words()
    at = clock.in_order()
    values = [cells for cells in plan.having("compared") if cells.kind in NUMERIC]
    if not values:
        raise DataError(f"{plan.name}: no column of numbers is left to compare. Compare one of them.")
    cells = np.column_stack([c.numbers() for c in values])
    members: dict[str, list[int]] = {}
    for i, name in enumerate(names):
        if name:
            members.setdefault(name, []).append(i)
    order = sorted(sorted(rows, key=at.__getitem__) for rows in members.values())
    label = plan.one("predict")
    if label is not None:
        words = label.words()
        mixed = next((name for name, rows in members.items() if len({words[i] for i in rows}) > 1), None)
        if mixed is not None:
            raise DataError(
                f"{plan.name}: the label {shortened(label.name)} changes within the series {shortened(mixed)}; "
                "expected one for each series. Predict another column."
            )
    note = f"One series for each {shortened(identity.name)}, in the order of {shortened(clock.name)}."
    plan = dataclasses.replace(plan, notes=(*plan.notes, note))
    return _of_series(plan, [cells[rows] for rows in order], [rows[0] for rows in order])


def _of_series(plan: Plan, series: Sequence[npt.NDArray[np.float64]], rows: Sequence[int]) -> Dataset:
    """Return series, those with gaps interpolated, left out or refused; their labels and names are in these rows."""
    notes = []
    if plan.missing == "mean" and not all(np.isfinite(values).all() for values in series):
        series = [np.column_stack(list(map(_interpolated, values.T))) for values in series]
        notes.append("Missing values inside series are interpolated.")
    whole = [bool(len(values) and np.isfinite(values).all()) for values in series]
    if not all(whole):
        if plan.missing == "refuse":
            raise DataError(
                f"{plan.name}: series {whole.index(False) + 1} has missing values. Interpolate them (missing='mean') "
                "or leave such series out (missing='drop')."
            )
        notes.append(f"{whole.count(False)} series with missing values left out.")
    if sum(whole) < 2:
        raise DataError(f"{plan.name}: at least two series are needed; got {sum(whole)}. Choose other columns.")
    keep = np.zeros(plan.table.n, dtype=bool)
    keep[[row for row, ok in zip(rows, whole, strict=True) if ok]] = True
    kept = [Series(values) for values, ok in zip(series, whole, strict=True) if ok]
    return plan.dataset("series", object_rows(kept), keep, notes)


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
