"""Delimited text: the mark between cells, and the lines as rows of cells. Any text that no other container takes."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from ...errors import DataError
from ..table import Part, Table, table_of_columns
from ..uploads import number_of
from .base import Container, File
from .tables import Row, tabled

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


DELIMITED = Container("Delimited text", lambda file: True, read_delimited)
