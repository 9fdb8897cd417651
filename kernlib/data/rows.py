"""From a table and the choices about it to a data set: columns, square matrices, series, molecules."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from itertools import compress
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..errors import DataError
from ..kinds import KINDS, Kind
from ..numerics.distances import as_distances
from ..values.arrays import Array
from ..values.domains import Domain, Graph, Series, object_rows
from .cells import NUMERIC, CellKind, Cells, is_molecule
from .dataset import Dataset
from .files import counted, listed, optional_import, parser_errors, sanitize_name, shortened
from .table import Square

if TYPE_CHECKING:
    from .readings import Reading

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
