"""ARFF tables, as Weka writes them, with numbers, nominal words, strings, dates and sparse lines.

SciPy's reader refuses strings and sparse lines, and reads the whole file before counting anything; the tests compare
the two readers.
"""

from __future__ import annotations

import re
from dataclasses import replace

from ...errors import DataError
from ..cells import read_column
from ..table import Part, table_of
from ..uploads import check_size, shortened
from .base import Container, File

#: A word, with or without quotation marks. Each alternative begins with another letter, so there is no backtracking.
_WORD = r"(?:'((?:[^'\\]|\\.)*+)'|\"((?:[^\"\\]|\\.)*+)\"|([^%s'\"][^%s]*+)?)"
#: One cell, with its number in a sparse line, and the mark after it.
_CELL = re.compile(r"\s*" + _WORD % (",", ",") + r"\s*(,|$)")
_SPARSE = re.compile(r"\s*+(\d{1,9})\s++" + _CELL.pattern)
_ATTRIBUTE = re.compile(r"@attribute\s++" + _WORD % (r"\s{", r"\s'\"{") + r"\s*+(.*)", re.IGNORECASE | re.DOTALL)
_KINDS = {"numeric": "numeric", "real": "numeric", "integer": "numeric", "string": "string", "date": "date"}


def _arff(file: File) -> Part:
    """Return the table of an ARFF file: numeric, nominal, string and date attributes, '?' as a missing cell.

    A nominal attribute named class, or the last, is declared as what is predicted.

    Raises DataError, naming the line, for a line that does not fit the attributes, for an undeclared word, and beyond
    the limits.
    """
    name, limits = file.name, file.limits
    kinds: dict[str, str | dict[str, None]] = {}
    body: list[list[str]] = []
    weighted = below = False
    for number, line in enumerate(map(str.strip, file.text.split("\n")), start=1):
        if not line or line.startswith("%"):
            continue
        if below:
            check_size(name, len(body) + 1, len(kinds), limits, number)
            body.append(_row(line, kinds, f"{name}: line {number}"))
            weighted |= line.endswith("}") and not line.startswith("{")
        elif line[:5].lower() == "@data":
            below = True
        elif line[:9].lower() != "@relation":
            match = _ATTRIBUTE.match(line) if len(line) <= limits.letters else None
            title = "" if match is None else _word(*match.groups()[:3])
            if match is None or title in ("", *kinds):
                raise DataError(
                    f"{name}: line {number} is {shortened(line)}; expected @attribute, a new name and a type. Correct "
                    "the line."
                )
            kinds[title] = _kind(match[4].strip(), f"{name}: line {number}", limits.rows)
            check_size(name, 0, len(kinds), limits, number)
    if not (below and kinds):
        raise DataError(f"{name}: expected @attribute lines, @data, and rows of values. Download the file again.")
    notes = ("The weights of the rows are left out.",) if weighted else ()
    table = table_of(name, list(kinds), body, container="ARFF table", limits=limits, notes=notes)
    pairs = list(zip(table.columns, kinds.values(), strict=True))
    nominal = {cells.name: cells for cells, kind in pairs if isinstance(kind, dict)}
    label = next((name for name in nominal if name.lower() in ("class", "label", "target")), table.names[-1])
    words = {
        title: read_column(title, cells.raw, kind="word")
        for title, cells in nominal.items()
        if cells.kind not in ("empty", "word", "yes or no")
    }
    return replace(table.with_columns(words), declared={label: "predict"} if label in nominal else {})


def _word(single: str | None, double: str | None, bare: str | None) -> str:
    quoted = single if single is not None else double
    return (bare or "").strip() if quoted is None else re.sub(r"\\(.)", r"\1", quoted)


def _cells(text: str, who: str, most: int, cell: re.Pattern[str] = _CELL) -> list[list[str]]:
    """Return the cells of a line, at most `most`, each behind its number in a sparse line."""
    cells: list[list[str]] = []
    place = 0
    while True:
        match = cell.match(text, place)
        if match is None or len(cells) > most:
            raise DataError(
                f"{who} cannot be split into at most {most} cells near {shortened(text[place : place + 30])}. Close "
                "the quotation marks and separate cells by commas."
            )
        *number, single, double, bare, mark = match.groups()
        cells.append([*number, _word(single, double, bare)])
        place = match.end()
        if not mark or (place == len(text) and number):
            return cells


def _kind(words: str, who: str, most: int) -> str | dict[str, None]:
    """Return the type of an attribute, or its allowed words."""
    if words.startswith("{") and words.endswith("}"):
        return dict.fromkeys(cell for (cell,) in _cells(words[1:-1], who, most))
    kind = _KINDS.get(re.split(r"[\s\[]", words, maxsplit=1)[0].lower())  # real [0, 1]
    if kind is None:
        raise DataError(
            f"{who} has the type {shortened(words)}; expected numeric, string, date or words in braces. Correct it."
        )
    return kind


def _row(line: str, kinds: dict[str, str | dict[str, None]], who: str) -> list[str]:
    """Return the cells of a line, "" for missing ones; DataError where they do not fit the attributes."""
    if line.startswith("{") and line.endswith("}"):
        zeros = {"numeric": "0"}
        row = [next(iter(kind)) if isinstance(kind, dict) else zeros.get(kind, "") for kind in kinds.values()]
        for place, cell in _cells(line[1:-1].strip(), who, len(kinds), _SPARSE) if line[1:-1].strip() else ():
            if int(place) >= len(row):
                raise DataError(f"{who} has a value for attribute {place}; expected 0…{len(row) - 1}. Correct it.")
            row[int(place)] = cell
    else:
        row = [cell for (cell,) in _cells(line, who, len(kinds) + 1)]
        if len(row) == len(kinds) + 1 and row[-1].startswith("{"):
            row.pop()  # the weight of an instance
    if len(row) != len(kinds):
        raise DataError(f"{who} has {len(row)} cells; expected {len(kinds)}, one per attribute. Correct the line.")
    row = ["" if cell == "?" else cell for cell in row]
    for cell, (title, kind) in zip(row, kinds.items(), strict=True):
        if isinstance(kind, dict) and cell and cell not in kind:
            raise DataError(
                f"{who}: {shortened(title)} is {shortened(cell)}, which is not one of its declared values. Declare it, "
                "or correct the cell."
            )
    return row


def _is_arff(file: File) -> bool:
    line = next((line for line in file.lines if not line.startswith("%")), "").lower()
    return line.startswith(("@relation", "@attribute"))


ARFF = Container("ARFF table", _is_arff, _arff)
