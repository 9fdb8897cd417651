"""From rows of cells to a table: which lines name the columns, which are left out. One way for text and sheets."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice, pairwise
from typing import Any

import numpy as np

from ...errors import DataError
from ..cells import read_column
from ..table import Layout, Table, table_of_columns
from ..uploads import check_letters, check_size, is_missing, number_of, packed
from .base import File

#: A row: the number of its line and its cells.
Row = tuple[int, list[str]]
#: So many rows decide about the layout; so many become compact arrays at a time.
_LOOK, _AT_ONCE = 200, 4096
#: The most lines of a title or of notes.
_MOST_ABOVE = 30
_COMMENT = ("#", "%", "//", "!")


def tabled(
    rows: Iterable[Row],
    file: File,
    container: str,
    *,
    mark: str = "",
    names: int | None = None,
    unit: str = "line",
    **more: Any,
) -> Table:
    """Return the table of a file's rows.

    Parameters: `rows`, those that are not blank; `mark` between cells, for the layout; `names`, how many rows name the
    columns if the container knows it; `unit`, "line" or "row".

    Raises DataError, naming the line, for a row of another length, and for more rows or columns than allowed.
    """
    left = iter(rows)
    first = list(islice(left, _LOOK))
    if not first:
        raise DataError(
            f"{file.name}: the file holds no rows; expected a line of names and lines of values. Choose another."
        )
    width = _width(first)
    above, header, body = _beginning(first, width, file, names)
    stairs = _is_staircase([row for _, row in body])
    asked, reader = file.asked("below"), _Body(file, width, header, stairs)
    for number, row in chain(body, left):
        reader.add(number, row)
    columns, below, comments, repeated = reader.finished(asked)
    heads = _heads(header, columns, width, stairs)
    if 0 < len(heads) < len(columns):  # names of rows with blanks in them, which stand in several cells
        k = len(columns) - len(heads) + 1
        joined = packed(
            [" ".join(filter(None, cells)) for cells in zip(*(c.tolist() for c in columns[:k]), strict=True)]
        )
        columns = [joined, *columns[k:]]
    layout = Layout(
        reader.last, len(header), tuple(_line(row, mark) for _, row in above), below, comments, repeated, mark, unit
    )
    table = table_of_columns(
        file.name,
        heads or [f"x{j + 1}" for j in range(len(columns))],
        columns,
        container=container,
        named=bool(header),
        limits=file.limits,
        decimal=file.asked("decimal") or "",
        semicolons=mark == ";",
        layout=layout,
        staircase=stairs,
        **more,
    )
    return _without_empty_end(table)


def _line(row: Sequence[str], mark: str) -> str:
    return (mark or " ").join(row).strip()[:200]


def _filled(row: Sequence[str]) -> int:
    """Return the number of cells up to the last one that is not blank."""
    count = len(row)
    while count and not row[count - 1].strip():
        count -= 1
    return count


def _width(rows: Sequence[Row]) -> int:
    """Return the number of cells that most rows have, the larger one of two."""
    counts = Counter(len(row) for _, row in rows if not _comment(row))
    counts = counts or Counter(len(row) for _, row in rows)
    return max(counts, key=lambda width: (counts[width], width))


def _comment(row: Sequence[str]) -> bool:
    return row[0].lstrip().startswith(_COMMENT)


def _is_staircase(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether rows have one cell more each, or one less: a triangle."""
    lengths = [_filled(row) for row in rows[:50]]
    steps = {b - a for a, b in pairwise(lengths)}
    return len(lengths) > 2 and steps in ({1}, {-1})


def _beginning(
    first: list[Row], width: int, file: File, names: int | None
) -> tuple[list[Row], list[list[str]], list[Row]]:
    """Return the rows above the table, those with names, and the others."""
    skip, asked = file.asked("skip"), file.asked("header")
    place, named = 0, None
    if skip is not None:
        while place < len(first) and first[place][0] <= skip:
            place += 1
    else:
        place, named = _above(first, width)
    if place >= len(first):
        raise DataError(f"{file.name}: all its {len(first)} lines are left out above. Skip fewer.")
    above, rest = first[:place], first[place:]
    if named is not None and asked is None:
        above = [row for row in above if row is not named]
        return above, [_uncommented(named[1], width)], rest
    if asked is None:
        depth = names if names is not None and place + names < len(first) else _names(rest, width)
    else:
        depth = asked
    if depth >= len(rest):
        depth = max(0, len(rest) - 1)
    header = [_uncommented(row, width) if k == 0 else row for k, (_, row) in enumerate(rest[:depth])]
    return above, header, rest[depth:]


def _uncommented(row: list[str], width: int) -> list[str]:
    """Return a row of names without the mark of a comment in front."""
    if len(row) == width + 1 and row[0].strip() in _COMMENT:
        return row[1:]
    return [re.sub(r"^\s*(#+|%+|//)\s*(?=\S)", "", row[0]), *row[1:]]


def _above(first: list[Row], width: int) -> tuple[int, Row | None]:
    """Return how many rows stand above the table: comments, a title, a count; and a comment that names the columns."""
    place, named = 0, None
    while place < min(len(first) - 1, _MOST_ABOVE) and _comment(first[place][1]):
        row = first[place][1]
        fits = len(row) in (width, width + (row[0].strip() in _COMMENT)) and width > 1
        if fits and not _has_number(row[1:]):
            named = first[place]
        place += 1
    if place and all(_comment(row) for _, row in first):
        return 0, None
    if named is not None:
        return place, named
    rows = [row for _, row in first]
    if _counts(rows[place], len(rows) - place - 1, len(first) >= _LOOK):
        return place + 1, None
    stairs = _is_staircase(rows[place:]) or _is_staircase(rows[place + 1 :])
    while not stairs and place < min(len(first) - 2, _MOST_ABOVE):
        row = rows[place]
        below = _filled(rows[place + 1])
        title = _filled(row) < min(width, 2) or (_filled(row) == 1 < width)
        short = len(row) < width - 1 and below != len(row) and not _short_names(rows[place:], width)
        if not (title or short) or (width < 3 and _filled(row) == width):
            break
        place += 1
    return place, None


def _short_names(rows: Sequence[Sequence[str]], width: int) -> bool:
    """Return whether a row is shorter since it has no names above those of the rows."""
    return (
        len(rows) > 1
        and _has_number(rows[1])
        and all(len(row) == width for row in rows[1:4])
        and not _has_number(rows[0])
        and len(rows[0]) > 1
    )


def _counts(row: Sequence[str], below: int, many: bool) -> bool:
    """Return whether a first row only counts the others, as programs write in front of a matrix."""
    words = " ".join(row).split()
    first = words[0] if words else ""
    fits = first.isdecimal() and len(first) < 9 and (int(first) in (below, below + 1) or (many and int(first) > below))
    return (
        fits and below > 1 and all(number_of(word) is None or word.isdecimal() for word in words[1:]) and len(words) < 4
    )


def _has_number(cells: Iterable[str]) -> bool:
    return any(number_of(cell) is not None and cell.strip() for cell in cells)


def _names(rows: list[Row], width: int) -> int:
    """Return how many first rows name the columns, 0 or 1: they differ, and in kind from the cells below."""
    if len(rows) < 2:
        return 0
    head, below = [cell.strip() for cell in rows[0][1]], [row for _, row in rows[1:] if row != rows[0][1]]
    filled = [cell for cell in head if cell]
    short = 0 < len(head) < width
    if _is_staircase(below) and not _is_staircase([row for _, row in rows]):
        return 1
    if not filled or len({*filled}) < len(filled) or _is_staircase([row for _, row in rows]):
        return 0
    if short or (not head[0] and len(filled) == len(head) - 1 > 0):
        return 1  # no name above the names of the rows
    if _has_number(filled) or any(map(is_missing, filled)):
        return 0
    columns = [[row[j] for row in below if j < len(row)] for j in range(len(head))]
    kinds = [read_column("", column).kind if column else "word" for column in columns[:200]]
    words = ("word", "text", "sequence", "molecule", "empty")
    if any(
        kind not in words and read_column("", [cell]).kind in words for kind, cell in zip(kinds, head, strict=False)
    ):
        return 1  # words above numbers, dates or the like
    again = any(cell in {word.strip() for word in column} for cell, column in zip(head, columns, strict=True))
    same = all(
        kind in ("sequence", "molecule") and read_column("", [cell, *column]).kind == kind
        for kind, cell, column in zip(kinds, head, columns, strict=False)
    )
    longer = any(len(cell) > 60 or cell.endswith(".") for cell in head)
    return int(width > 1 and not again and not same and not longer and len(below) > 1)


class _Body:
    """The rows of a table as compact arrays, with those that are left out."""

    def __init__(self, file: File, width: int, header: list[list[str]], stairs: bool) -> None:
        self.file, self.limits, self.stairs = file, file.limits, stairs
        self.side = file.limits.side + 2  # a square matrix is limited by its side, with names and a label
        self.width = 0 if stairs else width
        self.header = [cell.strip() for cell in header[-1]] if header else []
        self.parts: list[Any] = []
        self.waiting: list[list[str]] = []
        self.odd: list[tuple[int, int, list[str]]] = []  # the number of rows before it, its line, its cells
        self.comments: list[str] = []
        self.count = self.repeated = self.last = self.letters = 0

    def add(self, number: int, row: list[str]) -> None:
        self.last = number
        if self.stairs:
            self.width = max(self.width, len(row))
        elif len(row) != self.width:
            if len(row) > self.width and _filled(row) <= self.width:
                row = row[: self.width]
            else:
                self.odd.append((self.count, number, row))
                if len(self.odd) > _MOST_ABOVE:
                    self._refuse(*self.odd[0])
                return
        if self.header and row[: len(self.header)] == self.header and len(row) == len(self.header):
            self.repeated += 1
            return
        self._check(self.count + 1, len(row), number)
        self.letters = check_letters(self.file.name, row, self.letters, self.limits, f"line {number}")
        self.count += 1
        self.waiting.append(row)
        if len(self.waiting) == _AT_ONCE and not self.stairs:
            self._pack()

    def _check(self, rows: int, columns: int, number: int) -> None:
        if max(rows, columns) > self.side or columns > self.limits.columns:
            check_size(self.file.name, rows, columns, self.limits, number)

    def _pack(self) -> None:
        if self.waiting:
            self.parts.append(packed(self.waiting))
            self.waiting = []

    def _refuse(self, before: int, number: int, row: list[str]) -> None:
        mark = "If the mark between cells belongs to one of them, put the cell into quotation marks."
        step = mark if len(row) > self.width else "Add the missing cells, or delete the line."
        raise DataError(
            f"{self.file.name}: line {number} has {len(row)} cells; expected {self.width}, as in most lines. {step}"
        )

    def finished(self, below: int | None) -> tuple[list[Any], tuple[str, ...], tuple[str, ...], int]:
        """Return the columns, the lines left out below, the comments, and how often the names are repeated."""
        notes: list[str] = []
        for before, number, row in self.odd:
            if row[0].lstrip().startswith(_COMMENT):
                self.comments.append(_line(row, " "))
            elif before == self.count and _filled(row) == 1 < self.width and number_of(row[0]) is None:
                notes.append(_line(row, " "))
            else:
                self._refuse(before, number, row)
        if self.stairs:
            self.waiting = [row + [""] * (self.width - len(row)) for row in self.waiting]
            self._check(len(self.waiting), self.width, self.last)
        self._pack()
        if not self.parts:
            raise DataError(f"{self.file.name}: it holds names and no rows; expected lines of values. Add some.")
        cells = np.concatenate(self.parts)
        keep = np.ones(len(cells), dtype=bool)
        first = [str(cell).lstrip() for cell in cells[:, 0].tolist()]
        marked = [i for i, cell in enumerate(first) if cell.startswith(_COMMENT)] if cells.shape[1] > 1 else []
        if 0 < len(marked) <= len(first) / 5 + 1 and len(marked) < len(first) - 1:
            self.comments += [_line(cells[i].tolist(), " ") for i in marked]
            keep[marked] = False
        if below is None:
            below = len(_footers([cell for cell, kept in zip(first, keep, strict=True) if kept]))
            below = 0 if below >= keep.sum() - 1 else below
        else:
            below = max(0, below - len(notes))
        if below:
            ends = np.flatnonzero(keep)[-below:]
            notes = [_line(cells[i].tolist(), " ") for i in ends] + notes
            keep[ends] = False
        cells = cells if keep.all() else cells[keep]
        return [cells[:, j] for j in range(cells.shape[1])], tuple(notes), tuple(self.comments), self.repeated


def _footers(first: Sequence[str]) -> list[str]:
    """Return the first cells of last rows that begin with a mark, where no other row does: __not_counted, * a note."""
    ends: list[str] = []
    for cell in reversed(first[-20:]):
        if not re.match(r"[_*†‡]", cell):
            break
        ends.append(cell)
    some = first[: len(first) - len(ends)]
    return ends if ends and not any(cell[:1] in {end[0] for end in ends} for cell in some[-2000:]) else []


def _heads(header: list[list[str]], columns: Sequence[Any], width: int, stairs: bool) -> list[str]:
    """Return the names of columns from one row or several; fewer names than columns leave out the rows' own."""
    if not header:
        return []
    longest = max(map(len, header))
    rows = [row + [""] * (longest - len(row)) for row in header]
    names = [
        " ".join(dict.fromkeys(filter(None, (cell.strip() for cell in cells)))) for cells in zip(*rows, strict=True)
    ]
    if len(names) == len(columns) + 1 and not names[-1]:
        names.pop()
    if len(names) < len(columns):
        if stairs:
            return ["", *names, *("" for _ in range(len(columns) - 1 - len(names)))][: len(columns)]
        return ["", *names]
    return names[: len(columns)] if not stairs or len(names) >= len(columns) else names


def _without_empty_end(table: Table) -> Table:
    """Return the table without an empty, unnamed last column, which a mark at the end of each line makes."""
    last = table.columns[-1]
    unnamed = last.name in (f"x{len(table.columns)}", f"column {len(table.columns)}")
    if len(table.columns) > 1 and last.kind == "empty" and unnamed and not table.staircase:
        return replace(table, columns=table.columns[:-1])
    return table


def rows_of(lines: Iterable[Sequence[str]]) -> Iterator[Row]:
    """Yield rows with their numbers, blank ones left out."""
    for number, line in enumerate(lines, start=1):
        if any(cell.strip() for cell in line):
            yield number, list(line)
