"""From text to a table: the mark between cells, which lines name the columns, which are left out; sheets use it too."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice, pairwise
from typing import Any, Final

import numpy as np

from ...errors import DataError
from ..cells import read_column
from ..limits import check_letters, check_size, is_missing, number_of, packed
from ..table import Layout, Part, Table, table_of_columns
from .files import File

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


#: The marks between cells, in the order in which they are tried.
MARKS = {"\t": "tabs", ";": "semicolons", "|": "bars", ",": "commas", " ": "blanks", "::": "double colons"}
_ENCLOSE: Final = csv.QUOTE_MINIMAL
_LETTERS: Final = csv.QUOTE_NONE
#: The number of letters and of lines in which the mark is recognised.
_SAMPLE, _LINES = 200_000, 100
#: Networkx' attributes of an edge at the end of a line.
_TAIL = re.compile(r"\{[^{}]{0,2000}\}[ \t]*$")
_ATTRIBUTE = re.compile(r"['\"](\w{1,60})['\"]: ?('[^',{}]{0,200}'|\"[^\",{}]{0,200}\"|[^',\"{}]{1,200})")


def read_delimited(file: File) -> Part:
    """Return the table of a delimited text; lines that nothing divides are a table of one column.

    >>> read_delimited(File("t.csv", b"x;y\\n1,5;a\\n2,5;b\\n")).columns[0].numbers().tolist()
    [1.5, 2.5]
    """
    text, mark = _named_mark(file.text)
    mark = file.asked("delimiter") or mark or mark_of(text)
    mark = {"tab": "\t", "\\t": "\t", "blank": " ", "none": ""}.get(mark, mark)
    quotes = file.asked("quotes")
    if "}" in text and (tailed := _with_attributes(text, mark, file)) is not None:
        return tailed
    container = f"Text with {MARKS.get(mark, mark)} between cells" if mark else "Lines of text"
    if quotes is None:
        quotes = '"' in text and _encloses(text, mark, file)
    return tabled(_rows(text, mark, quotes, file), file, container, mark=mark)


def _named_mark(text: str) -> tuple[str, str]:
    """Return the text without the line by which spreadsheets name the mark, and the mark."""
    match = re.match(r"\"?sep=(.)\"?\n", text)
    return (text[match.end() :], match[1]) if match else (text, "")


def mark_of(text: str) -> str:
    """Return the mark that divides most lines into equally many cells; "" where none does.

    >>> mark_of("1,5;2,5\\n3,5;4,5\\n"), mark_of("x y\\n1 2.5\\n3 4\\n"), mark_of("One line.\\nA longer line.\\n")
    (';', ' ', '')
    """
    lines = [line for line in text[:_SAMPLE].split("\n") if line.strip()][:_LINES]
    lines = lines[: -1 if len(text) > _SAMPLE and len(lines) > 1 else None]
    best, most = "", 0.0
    for mark in MARKS:
        fit = _fit(lines, mark)
        if fit > max(most + (0.05 if best else 0), 0.7 if mark == " " else 0.6):
            best, most = mark, fit
    every = (
        mark for mark in "\t;|," if len(lines) > 1 and all(mark in line for line in lines) and not _is_prose(lines)
    )
    return best or next(every, "")  # an error then names the line that has other cells


def _fit(lines: Sequence[str], mark: str) -> float:
    """Return the share of lines that a mark divides into the same number of cells, two or more, or into a triangle."""
    if not any(mark in line for line in lines):
        return 0.0
    rows = [row for _, row in _split(lines, mark, '"' in "".join(lines)) if not row[0].lstrip().startswith("#")]
    counts = Counter(len(row) for row in rows)
    if len(rows) < 1 or max(counts) < 2:
        return 0.0
    width, times = max(((w, c) for w, c in counts.items()), key=lambda one: (one[1], one[0]))
    grow = [len(row) for row in rows[1:]]
    if len(grow) > 2 and {b - a for a, b in pairwise(grow)} in ({1}, {-1}):
        return 0.95
    if width < 2:
        return 0.0
    share = times / len(rows)
    if mark == " " and not _columns_of_blanks(rows, width):
        return 0.0
    if mark in ",;" and not any("," in line and re.search(r"[,;]\S", line) for line in lines) and mark == ",":
        return 0.0 if _is_prose(lines) else share
    return 0.0 if mark in ",;" and _is_prose(lines) else share


def _is_prose(lines: Sequence[str]) -> bool:
    """Return whether most lines are sentences: several words and a stop at the end, commas only before a blank."""
    if any(re.search(r"[\t|]|[,;][\"']?[^\s\"']", line) for line in lines):
        return False
    stops = sum(line.rstrip("\"' ").endswith((".", "!", "?")) and line.count(" ") > 1 for line in lines)
    return 5 * stops >= 4 * len(lines)


def _columns_of_blanks(rows: Sequence[Sequence[str]], width: int) -> bool:
    """Return whether cells between blanks are columns: one of numbers, or two or three of short words."""
    below = [row for row in rows if len(row) == width]
    numeric = any(all(number_of(row[j]) is not None for row in below[1:]) for j in range(width)) and len(below) > 1
    short = (
        width <= 3
        and len(below) == len(rows)
        and not any(cell.endswith((".", ",", "!")) for row in rows for cell in row)
    )
    return numeric or short


def _encloses(text: str, mark: str, file: File) -> bool:
    """Return whether quotation marks enclose cells, and are not letters."""
    sample = [line for line in text[:_SAMPLE].split("\n") if line.strip()]
    sample = sample[: -1 if len(text) > _SAMPLE else None]
    try:
        quoted = [row for _, row in _split(sample, mark, True, strict=True)]
    except csv.Error:
        return len(text) > _SAMPLE and '"' in mark + text[:1]
    letters = Counter(len(row) for _, row in _split(sample, mark, False))
    return not (len(quoted) < len(sample) and len(letters) == 1 and max(letters) > 1)


def _split(lines: Sequence[str], mark: str, quotes: bool, strict: bool = False) -> Iterator[Row]:
    """Yield rows of cells from lines."""
    if mark in ("", " ", "::") or len(mark) > 1:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                bare = line.strip()
                if not mark and quotes and len(bare) > 1 and bare[0] == bare[-1] == '"':
                    bare = bare[1:-1].replace('""', '"')
                cells = [bare] if not mark else line.split() if mark == " " else line.split(mark)
                quoted = mark == " " and quotes and '"' in line
                yield number, next(csv.reader([" ".join(cells)], delimiter=" ")) if quoted else cells
        return
    reader = csv.reader(
        (f"{line}\n" for line in lines), delimiter=mark, quoting=_ENCLOSE if quotes else _LETTERS, strict=strict
    )
    for row in reader:
        if row and any(cell.strip() for cell in row):
            yield reader.line_num, row


def _rows(text: str, mark: str, quotes: bool, file: File) -> Iterator[Row]:
    """Yield the rows of the whole text; names of rows with blanks in them are one cell."""
    lines = io.StringIO(text, newline="") if len(mark) == 1 and mark != " " else text.split("\n")
    if isinstance(lines, list):
        rows = _split(lines, mark, quotes)
        if mark == " ":
            some = [row for _, row in _split(lines[:_LINES], mark, quotes)]
            rows = _joined(rows) if _names_with_blanks(some) else rows
        yield from rows
        return
    reader = csv.reader(lines, delimiter=mark, quoting=_ENCLOSE if quotes else _LETTERS, strict=quotes)
    while True:
        begin = reader.line_num + 1
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            what = f"line {reader.line_num} goes on after a closing quotation mark"
            if "end of data" in str(error):
                what = f"line {begin} opens a quotation mark that no later line closes"
            raise DataError(
                f"{file.name}: {what}; expected marks around whole cells. Write a mark inside a cell twice, or read "
                "quotation marks as letters (quotes=False)."
            ) from None
        if row and any(cell.strip() for cell in row):
            yield reader.line_num, row


def _names_with_blanks(rows: Sequence[list[str]]) -> bool:
    """Return whether rows differ in length only by the words in front of their numbers."""
    below = [row for row in rows[1:] if row]
    if len({len(row) for row in below}) < 2 or len(below) < 2:
        return False
    ends = [len(row) - _words_in_front(row) for row in below]
    steps = {b - a for a, b in pairwise(ends)}
    return all(_words_in_front(row) > 0 for row in below) and (steps == {0} or steps in ({1}, {-1})) and max(ends) > 0


def _words_in_front(row: Sequence[str]) -> int:
    return next((k for k, cell in enumerate(row) if number_of(cell) is not None), len(row))


def _joined(rows: Iterator[Row]) -> Iterator[Row]:
    for number, row in rows:
        k = _words_in_front(row)
        yield number, [" ".join(row[:k]), *row[k:]] if k > 1 else row


def _with_attributes(text: str, mark: str, file: File) -> Table | None:
    """Return lines of two nodes and a dictionary as a table with a column for each key; None for other text."""
    lines = [line for line in text.split("\n") if line.strip() and not line.startswith("#")]
    if not lines or not all(_TAIL.search(line[-2100:]) for line in lines[:_LINES]):
        return None
    records = []
    for number, line in enumerate(lines, start=1):
        begin, brace, tail = line.partition("{")
        words = [word for word in re.split(r"[,;\s]+", begin.strip()) if word]
        if len(words) != 2 or not brace:
            raise DataError(
                f"{file.name}: line {number} is {line[:60]!r}; expected two nodes and attributes in braces."
            )
        records.append((words, {k: v.strip("'\"") for k, v in _ATTRIBUTE.findall(tail)}))
    keys = list(dict.fromkeys(key for _, attributes in records for key in attributes))[:50]
    columns = [[words[k] for words, _ in records] for k in (0, 1)]
    columns += [[attributes.get(key, "") for _, attributes in records] for key in keys]
    return table_of_columns(
        file.name,
        ["x1", "x2", *keys],
        columns,
        named=False,
        container="Lines with attributes in braces",
        limits=file.limits,
        declared={"x1": "from", "x2": "to"},
    )
