"""From text to a table: the mark between cells, which lines name the columns, which are left out; sheets use it too."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice, pairwise, zip_longest
from typing import Any

import numpy as np

from ...errors import DataError
from ..cells import is_molecule, read_column
from ..files import File, check_letters, check_size, counted, is_missing, number_of, packed
from ..table import Layout, Table, table_of_columns

# `csv` has one limit for the whole process, and refuses longer cells. Here the limits of uploads refuse them, whatever
# the process has read before.
csv.field_size_limit(2**31 - 1)

#: A row: the number of its line and its cells.
Row = tuple[int, list[str]]
#: So many rows decide about the layout; so many become compact arrays at a time.
_LOOK, _AT_ONCE = 200, 4096
#: The most lines of a title.
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
    above, header, body, width = _beginning(first, file, names, mark)
    stairs = _is_staircase([row for _, row in body])
    columns, last, remarks = _columns(chain(body, left), file, 0 if stairs else width, header, width > 1 and _few(body))
    heads = _heads(header, len(columns))
    over = [(mark or " ").join(row) for _, row in above]
    notes = [*_left_out("above", over), *remarks, *more.pop("notes", ())]
    table = table_of_columns(
        file.name,
        heads or [f"x{j + 1}" for j in range(len(columns))],
        columns,
        container=container,
        named=bool(header),
        limits=file.limits,
        decimal=file.asked("decimal") or "",
        semicolons=mark == ";",
        notes=tuple(notes),
        layout=Layout(last, len(header), len(above), mark, unit),
        **more,
    )
    end = table.columns[-1]
    if len(columns) > 1 and end.kind == "empty" and end.name in (f"x{len(columns)}", f"column {len(columns)}"):
        return replace(table, columns=table.columns[:-1])  # a mark ends each line
    return table


def _left_out(where: str, lines: Sequence[str]) -> list[str]:
    """Return a sentence on lines that are left out, none without lines."""
    shown = " / ".join(line.strip()[:60] for line in lines[:3])
    more = f" and {len(lines) - 3} more lines" if len(lines) > 3 else ""
    return [f"Left out {where}: {shown}{more}".rstrip(".") + "."] if lines else []


def _filled(row: Sequence[str]) -> int:
    """Return the number of cells up to the last one that is not blank."""
    return max((j + 1 for j, cell in enumerate(row) if cell.strip()), default=0)


def _is_comment(row: Sequence[str]) -> bool:
    return row[0].lstrip().startswith(_COMMENT)


def _is_staircase(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether each row has one cell more than the one above: the lower half of a matrix."""
    lengths = [_filled(row) for row in rows[:50]]
    return len(lengths) > 2 and all(b - a == 1 for a, b in pairwise(lengths))


def _beginning(
    first: list[Row], file: File, names: int | None, mark: str
) -> tuple[list[Row], list[list[str]], list[Row], int]:
    """Return the rows above the table, those with names, the others, and the number of cells of most rows.

    Comments are above the table, and so are rows with fewer cells than most; names of columns may be one fewer. The
    last comment with as many cells as most rows names the columns where `_names_columns` says so.
    """
    rows = [row for _, row in first]
    place = next((k for k, row in enumerate(rows) if not _is_comment(row)), 0)  # 0: all of them begin so
    counts = Counter(map(len, rows[place:]))
    width = max(counts, key=lambda cells: (counts[cells], cells))
    skip, depth = file.asked("skip"), file.asked("header")
    if skip is not None:
        place = sum(number <= skip for number, _ in first)
        if place == len(first):
            raise DataError(f"{file.name}: all its {len(first)} lines are left out above. Skip fewer.")
    else:
        wide = [k for k in range(place) if width > 1 and len(_uncommented(rows[k], width)) == width]
        if wide and _names_columns(rows[wide[-1]], rows[place:], mark, depth):
            named = rows[wide[-1]]
            return (
                [one for one in first[:place] if one[1] is not named],
                [_uncommented(named, width)],
                first[place:],
                width,
            )
        while place < min(len(first) - 2, _MOST_ABOVE) and not _is_of_table(rows[place:], width):
            place += 1
    above, rest = first[:place], first[place:]
    if depth is None:
        depth = names if names is not None and names < len(rest) else _names(rows[place:], width)
    depth = min(depth, len(rest) - 1)
    return above, [_uncommented(row, width) for _, row in rest[:depth]], rest[depth:], width


def _is_of_table(rows: Sequence[list[str]], width: int) -> bool:
    """Return whether the first row belongs to the table: it has about as many cells as most, or begins a triangle."""
    if _is_staircase(rows) or _is_staircase(rows[1:]):
        return _is_staircase(rows) or len(rows[0]) > 2  # else it counts the others
    return len(rows[0]) >= max(width - 1, min(width, 2)) and _filled(rows[0]) > (width > 1)


def _uncommented(row: list[str], width: int) -> list[str]:
    """Return a row of names without the mark of a comment in front."""
    if len(row) == width + 1 and row[0].strip() in _COMMENT:
        return row[1:]
    return [re.sub(r"^\s*(#+|%+|//)\s*(?=\S)", "", row[0]), *row[1:]]


def _names_columns(comment: list[str], rows: list[list[str]], mark: str, asked: int | None) -> bool:
    """Return whether a comment with as many cells as the rows names the columns.

    It does where a person asks for one line of names, or where its mark and a name are one word, as in #id. With a
    blank between them it may as well be a remark, such as "# run" and the name of a person in two cells.
    """
    if asked not in (None, 1) or _has_number(comment[1:]) or _differs(rows[0], _kinds(rows[1:])):
        return False
    return asked == 1 or (mark != " " and re.match(r"\s*(#+|%+|//|!)\w", comment[0]) is not None)


def _has_number(cells: Iterable[str]) -> bool:
    return any(number_of(cell) is not None for cell in cells)


def _names(rows: list[list[str]], width: int) -> int:
    """Return how many first rows name the columns, 0 or 1: they differ, and in kind from the cells below."""
    head, below = [cell.strip() for cell in rows[0]], [row for row in rows[1:] if row != rows[0]]
    filled = [cell for cell in head if cell]
    if not below or _is_staircase(rows):
        return 0
    if _is_staircase(below):
        return 1
    if not filled or len({*filled}) < len(filled):
        return 0
    if len(head) < width or (not head[0] and len(filled) == len(head) - 1 > 0):
        return 1  # no name above the names of the rows
    if _has_number(filled) or any(map(is_missing, filled)):
        return 0
    kinds = _kinds(below)
    if _differs(head, kinds):
        return 1
    columns = [[row[j] for row in below if j < len(row)] for j in range(len(head))]
    again = any(cell in map(str.strip, column) for cell, column in zip(head, columns, strict=True))
    same = any(kind == "molecule" and is_molecule(cell) for kind, cell in zip(kinds, head, strict=False)) or all(
        kind == "sequence" == read_column("", [cell, *column]).kind
        for kind, cell, column in zip(kinds, head, columns, strict=False)
    )
    numbered = all(  # n7 above n12 is one more of them, in an edge list or a column of identifiers
        "#" in _numbered(cell) and _numbered(cell) in map(_numbered, column)
        for cell, column in zip(head, columns, strict=True)
    )
    longer = any(len(cell) > 60 or cell.endswith(".") for cell in head)
    return int(width > 1 and not (again or same or numbered or longer) and len(below) > 1)


def _numbered(cell: str) -> str:
    """Return a cell with "#" for each of its numbers."""
    return re.sub(r"\d+", "#", cell.strip())


def _kinds(rows: list[list[str]]) -> list[str]:
    """Return the kinds of the first columns."""
    return [read_column("", column).kind for column in islice(zip_longest(*rows, fillvalue=""), 200)]


def _differs(head: Sequence[str], kinds: Sequence[str]) -> bool:
    """Return whether words are above numbers, dates or the like."""
    words = ("word", "text", "sequence", "molecule", "empty")
    some = (cell for cell, kind in zip(head, kinds, strict=False) if kind not in words)
    return any(read_column("", [cell]).kind in words for cell in some)


def _few(body: list[Row]) -> bool:
    """Return whether so few rows begin with the mark of a comment that it is one."""
    return sum(_is_comment(row) for _, row in body) <= len(body) / 5 + 1


def _columns(
    rows: Iterable[Row], file: File, width: int, header: list[list[str]], comments: bool
) -> tuple[list[Any], int, list[str]]:
    """Return the columns, the number of the last line, and sentences on what is left out; a `width` of 0 allows any.

    Rows become compact arrays, some at a time. Lines of a triangle are filled up with blanks.
    """
    name, limits = file.name, file.limits
    names = header[-1] if header else None
    parts: list[Any] = []
    waiting: list[list[str]] = []
    remarks: list[str] = []
    count = repeated = last = letters = longest = 0
    for number, row in rows:
        last = number
        if comments and _is_comment(row):
            remarks.append(" ".join(row))
            continue
        if row == names:
            repeated += 1
            continue
        if width and len(row) != width:
            if not len(row) > width >= _filled(row):
                mark = "If the mark between cells belongs to one of them, put the cell into quotation marks"
                step = mark if len(row) > width else "Add the missing cells, or delete the line"
                raise DataError(
                    f"{name}: line {number} has {counted(len(row), 'cell')}; expected {width}, as in most lines. "
                    f"{step}, or leave out lines above the table (skip=…)."
                )
            row = row[:width]
        count, longest = count + 1, max(longest, len(row))
        # A square matrix is limited by its side, with names and a label.
        if max(count, longest) > limits.side + 2 or longest > limits.columns:
            check_size(name, count, longest, limits, number)
        letters = check_letters(name, row, letters, limits, f"line {number}")
        waiting.append(row)
        if len(waiting) == _AT_ONCE and width:
            parts.append(packed(waiting))
            waiting = []
    if waiting:
        parts.append(packed([row + [""] * (longest - len(row)) for row in waiting]))
    if not parts:
        raise DataError(f"{name}: it holds names and no rows; expected lines of values. Add some.")
    notes = _left_out("as comments", remarks)
    if repeated:
        times = "once" if repeated == 1 else f"{repeated} times"
        notes.append(f"The names of the columns are repeated {times} among the rows and left out there.")
    return list(np.concatenate(parts).T), last, notes


def _heads(header: list[list[str]], count: int) -> list[str]:
    """Return the names of columns from one row or several; where they lack one, the names of rows have none."""
    if not header:
        return []
    longest = max(map(len, header))
    rows = [row + [""] * (longest - len(row)) for row in header]
    names = [
        " ".join(dict.fromkeys(filter(None, (cell.strip() for cell in cells)))) for cells in zip(*rows, strict=True)
    ]
    names = ["", *names] if len(names) == count - 1 else names
    return [*names, *[""] * (count - len(names))][:count]


def rows_of(lines: Iterable[Sequence[str]]) -> Iterator[Row]:
    """Yield rows with their numbers, blank ones left out."""
    for number, line in enumerate(lines, start=1):
        if any(cell.strip() for cell in line):
            yield number, list(line)


#: The marks between cells, in the order in which they are tried.
MARKS = {"\t": "tabs", ";": "semicolons", "|": "bars", ",": "commas", " ": "blanks"}
#: No text holds it: lines as they are.
_NOTHING = "\x1f"
#: The number of letters and of lines in which the mark is recognised.
_SAMPLE, _LINES = 200_000, 100


def read_delimited(file: File) -> Table:
    """Return the table of a delimited text; lines that nothing divides are a table of one column.

    >>> read_delimited(File("t.csv", b"x;y\\n1,5;a\\n2,5;b\\n")).columns[0].numbers().tolist()
    [1.5, 2.5]
    """
    text = file.text
    if named := re.match(r"\"?sep=(.)\"?\n", text):  # by which spreadsheets name the mark
        text = text[named.end() :]
    asked = file.asked("delimiter") or (named[1] if named else mark_of(text))
    mark = {"tab": "\t", "\\t": "\t", "blank": " ", "none": ""}.get(asked, asked)
    if len(mark) > 1 or mark in ('"', "\n", "\r"):
        raise DataError(f"{file.name}: the mark between cells must be one sign; got {mark!r:.20}. Choose another.")
    container = f"Text with {MARKS.get(mark, mark)} between cells" if mark else "Lines of text"
    return tabled(_rows(text, mark, file.name), file, container, mark=mark)


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
    return best


def _fit(lines: Sequence[str], mark: str) -> float:
    """Return the share of lines that a mark divides into the same number of cells, two or more, or into a triangle."""
    if not any(mark in line for line in lines) or (mark in ",;" and _is_prose(lines)):
        return 0.0
    rows = [row for row in _split(lines, mark, quotes='"' in "".join(lines)) if row and not _is_comment(row)]
    counts = Counter(map(len, rows))
    if _is_staircase(rows[1:]):
        return 0.95
    width, times = max(counts.items(), key=lambda one: (one[1], one[0]), default=(0, 0))
    if width < 2 or (mark == " " and not _are_columns(rows, width)):
        return 0.0
    return times / len(rows)


def _is_prose(lines: Sequence[str]) -> bool:
    """Return whether most lines are sentences: several words and a stop at the end, commas only before a blank."""
    if any(re.search(r"[\t|]|[,;][\"']?[^\s\"']", line) for line in lines):
        return False
    stops = sum(line.rstrip("\"' ").endswith((".", "!", "?")) and line.count(" ") > 1 for line in lines)
    return 5 * stops >= 4 * len(lines)


def _are_columns(rows: Sequence[Sequence[str]], width: int) -> bool:
    """Return whether cells between blanks are columns: one of numbers, or two or three of short words."""
    below = [row for row in rows if len(row) == width]
    if len(below) > 1 and any(all(number_of(row[j]) is not None for row in below[1:]) for j in range(width)):
        return True
    stops = any(cell.endswith((".", ",", "!")) for row in rows for cell in row)
    return width <= 3 and len(below) == len(rows) and not stops


def _split(lines: Iterable[str], mark: str, quotes: bool, strict: bool = False) -> Any:
    """Return a reader of lines, whose `line_num` counts them."""
    if mark in ("", " "):  # several blanks are one mark, and lines have none around them
        lines = (line.strip() if not mark else " ".join(line.split()) for line in lines)
    quoting: Any = csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE
    return csv.reader((f"{line}\n" for line in lines), delimiter=mark or _NOTHING, quoting=quoting, strict=strict)


def _rows(text: str, mark: str, name: str) -> Iterator[Row]:
    """Yield the rows of the whole text with the numbers of their lines."""
    quotes = '"' in text
    reader = _split((line.rstrip("\n") for line in io.StringIO(text)), mark, quotes, strict=quotes)
    while True:
        begin = reader.line_num + 1
        try:
            row = next(reader, None)
        except csv.Error as error:
            what = f"line {reader.line_num} goes on after a closing quotation mark"
            if "end of data" in str(error):
                what = f"line {begin} opens a quotation mark that no later line closes"
            raise DataError(
                f"{name}: {what}; expected marks around whole cells. Write a mark inside a cell twice, or leave "
                "quotation marks out."
            ) from None
        if row is None:
            return
        if any(cell.strip() for cell in row):
            yield reader.line_num, row
