"""Several files as one data set: a graph or matrix with its table, many graphs, texts by folder."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath

import numpy as np
import numpy.typing as npt

from ...errors import DataError
from ...values.domains import Domain
from ..guesses import Guess
from ..reading import Upload, of_rows
from ..table import Table
from ..uploads import Limits, is_missing, listed, sanitize_name, shortened
from .contents import Pairs, Square
from .edge_lists import ends_of
from .networks import Network
from .texts import TEXT_ENDINGS, read_text_folders
from .tudataset import is_tudataset, read_tudataset

#: Reads one of the files, as rows of a domain or in the format recognised.
Read = Callable[[str, bytes, Domain | None], Upload]


def bundled(files: Mapping[str, bytes], name: str, domain: Domain | None, limits: Limits, read: Read) -> Upload:
    """Return several files as the one upload that they form together.

    Raises DataError for files that do not go together, and as the readers of each do.
    """
    if is_tudataset(files):
        data = read_tudataset(files, name, limits)
        return of_rows(data, "TUDataset", "Files named _A and _graph_indicator.", limits)
    endings = {PurePosixPath(path).suffix.lower() for path in files}
    in_folders = len({PurePosixPath(path).parent for path in files}) > 1
    if endings <= set(TEXT_ENDINGS) and (in_folders or len(files) > 2):
        reason = "Text files in folders; each folder is a class." if in_folders else "Text files without folders."
        return of_rows(read_text_folders(files, name, limits), "Texts by folder", reason, limits)
    if len(files) == 2:
        uploads = [_read(path, raw, read) for path, raw in files.items()]
        for one, other in (uploads, uploads[::-1]):
            joined = _joined(one, other, domain, limits)
            if joined is not None:
                return joined
        raise DataError(
            f"{name}: a file of {uploads[0].format} and one of {uploads[1].format} do not go together; expected edges "
            "and a node table, a matrix and a table of its rows, or a matrix and a table of pairs. "
            "Give one alone."
        )
    raise DataError(
        f"{name}: {len(files)} files, among them {listed(shortened(path) for path in sorted(files)[:3])}; expected one "
        "table, texts in a folder per class, a TUDataset, or edges and a node table. Pack those alone."
    )


def _read(path: str, raw: bytes, read: Read) -> Upload:
    """Return the upload of one of two files; a table that could be a list of edges is read as one."""
    name = sanitize_name(PurePosixPath(path).name, 100)
    upload = read(name, raw, None)
    could_be_edges = upload.content is None and "node" in upload.domains
    return read(name, raw, "node") if could_be_edges else upload


def _joined(one: Upload, other: Upload, domain: Domain | None, limits: Limits) -> Upload | None:
    """Return edges or a matrix joined with the table that belongs to it; None where the two do not fit."""
    base = one.content
    table = other.table
    if isinstance(other.content, Network) and isinstance(base, Square):
        table = other.content.lines
    if table is None or (other.content is not None and not isinstance(base, Square)):
        return None
    if isinstance(base, Network):
        column = _id_column(table, set(base.ids))
        network = base.with_nodes(table, column)
        if table.roles[column] != "id":
            table = table.with_roles({column: "id"})
        return Upload(
            one.name, "Edge list and node table", f"{one.reason} {other.name} lists the nodes.", "node", ("node",),
            table, limits, content=dataclasses.replace(network, nodes=table),
        )  # fmt: skip
    if not isinstance(base, Square):
        return None
    pairs = _pair_columns(table, base) if domain in (None, "pair") else None
    if pairs is not None:
        numbers, names = pairs
        return Upload(
            other.name, "Pairs over a matrix", f"{listed(names)} name rows of {one.name}.", "pair", ("pair",),
            table.with_roles(dict.fromkeys(names, "id")), limits, content=Pairs(other.name, base, numbers),
        )  # fmt: skip
    guesses: tuple[Guess, ...] = ()
    named = _by_name(table, base.ids) if base.ids else None
    if named is not None:
        table, absent = named
        if absent:
            sentence = f"{other.name} does not list {len(absent)} of {len(base.ids)} rows: {listed(absent[:3])}."
            guesses = (Guess(sentence),)
    elif base.ids and table.n == len(base.A):
        sentence = f"No column of {other.name} holds the names of the rows: its lines are read in the rows' order."
        guesses = (Guess(sentence, question=True),)
    if table.n != len(base.A):
        raise DataError(
            f"{one.name}: the matrix has {len(base.A)} rows and {other.name} {table.n}; expected one line per row. "
            "Give the table that belongs to it."
        )
    chosen: Domain = domain if domain in ("node", "matrix") else one.domain
    return dataclasses.replace(
        one, domain=chosen, table=table, format=f"{one.format} and a table of its rows",
        reason=f"{one.reason} {other.name} describes its {table.n} rows.",
        file_guesses=tuple(g for g in one.file_guesses if not any(c.name_label for c in g.choices)) + guesses,
    )  # fmt: skip


def _id_column(table: Table, ids: set[str]) -> str:
    """Return the column of a node table that holds the names that the edges use."""
    best, most = "", -1
    for column in table.columns:
        if column.distinct < table.n:
            continue
        shared = len(ids & {str(cell).strip() for cell in table.column(column.name)})
        if shared > most:
            best, most = column.name, shared
    if most < 1:
        raise DataError(
            f"{table.name}: no column holds the nodes that the edges join, "
            f"{listed(shortened(i) for i in sorted(ids)[:3])}; expected one with a name per node. Add it."
        )
    return best


def _by_name(table: Table, ids: tuple[str, ...]) -> tuple[Table, list[str]] | None:
    """Return the lines of a table in the order of the rows that they name, and the rows that it does not list.

    The lines of these are empty. None where no column names at least half of the rows. Raises DataError for a row that
    two lines name.
    """
    cells = {c.name: [sanitize_name(str(cell).strip()) for cell in table.column(c.name)] for c in table.columns}
    column = max(cells, key=lambda name: len({*ids}.intersection(cells[name])))
    words = cells[column]
    if 2 * len({*ids}.intersection(words)) < len(ids):
        return None
    counts = Counter(words)
    twice = next((name for name in ids if counts[name] > 1), None)
    if twice is not None:
        raise DataError(f"{table.name}: {shortened(twice)} has two lines; expected one for each row. Remove one.")
    place = {word: i for i, word in enumerate(words)}
    lines = [table.cells[place[name]] if name in place else [""] * len(table.columns) for name in ids]
    ordered = np.array(lines, dtype=object)
    ordered[:, list(cells).index(column)] = ids
    ordered.setflags(write=False)
    columns = tuple(
        c if c.name == column else dataclasses.replace(c, missing=sum(map(is_missing, ordered[:, j])))
        for j, c in enumerate(table.columns)
    )
    named = dataclasses.replace(table, columns=columns, cells=ordered)
    named = named if named.roles[column] == "id" else named.with_roles({column: "id"})
    return named, [name for name in ids if name not in place]


def _pair_columns(table: Table, base: Square) -> tuple[npt.NDArray[np.int64], list[str]] | None:
    """Return two columns whose cells all name a row of the matrix, as row numbers, with their names; else None."""
    place = {word: i for i, word in enumerate(base.ids or (str(i) for i in range(len(base.A))))}
    fitting = []
    named = ends_of(table)
    for column in table.columns:
        words = [str(cell).strip() for cell in table.column(column.name)]
        if (column.role != "label" or column.name in (named or ())) and all(word in place for word in words):
            fitting.append((column.name, [place[word] for word in words]))
    bad = next((end for end in named or () if end not in dict(fitting)), None)
    if bad is not None:
        row, cell = next((i, c) for i, c in enumerate(table.column(bad)) if str(c).strip() not in place)
        raise DataError(
            f"{table.name}: data row {row + 1} names {shortened(cell)}, which is not a row of {base.name}; expected "
            f"one of {listed(shortened(w) for w in list(place)[:3])}. Correct the name."
        )
    if named:
        fitting = [(end, dict(fitting)[end]) for end in named]
    # A table with one line per row and a column of different names describes the rows, not pairs.
    describes = table.n == len(base.A) and any(len(set(values)) == table.n for _, values in fitting) and not named
    if len(fitting) < 2 or (describes and len(fitting) < 3):
        return None
    if (
        not base.ids
        and not named
        and not all(re.search(r"id|row|first|second|a$|b$|1$|2$", n, re.I) for n, _ in fitting[:2])
    ):
        return None
    return np.column_stack([fitting[0][1], fitting[1][1]]).astype(np.int64), [fitting[0][0], fitting[1][0]]
