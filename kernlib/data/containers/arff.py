"""ARFF tables, as Weka writes them, with numbers, nominal words, strings, dates and sparse lines.

SciPy's reader refuses strings and sparse lines, and reads the whole file before counting anything; the tests compare
the two readers.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import replace

from ...errors import DataError
from ..cells import read_column
from ..table import Part, Table, table_of
from ..uploads import Limits, check_size, shortened
from .base import Container, File

#: One cell and the mark after it. Each alternative begins with another letter, so there is no backtracking.
_CELL = re.compile(r"\s*(?:'((?:[^'\\]|\\.)*+)'|\"((?:[^\"\\]|\\.)*+)\"|([^,'\"][^,]*+)?)\s*(,|$)")
_ATTRIBUTE = re.compile(
    r"@attribute\s++(?:'((?:[^'\\]|\\.)*+)'|\"((?:[^\"\\]|\\.)*+)\"|([^\s'\"{]++))\s*+(.*)", re.IGNORECASE | re.DOTALL
)
_PLACE = re.compile(r"\s*+(\d{1,9})\s++")
_NUMBERS = ("numeric", "real", "integer")


def _arff(file: File) -> Part:
    """Return the table of an ARFF file: numeric, nominal, string and date attributes, '?' as a missing cell.

    A nominal attribute named class, or the last, is declared as what is predicted.

    Raises DataError, naming the line, for a line that does not fit the attributes, for an undeclared word, and beyond
    the limits.
    """
    name, limits = file.name, file.limits
    lines = _lines(file.text)
    names: list[str] = []
    kinds: list[str | tuple[str, ...]] = []
    for number, line in lines:
        word = line.split(None, 1)[0].lower()
        if word == "@data":
            break
        if word == "@relation":
            continue
        match = _ATTRIBUTE.match(line) if len(line) <= limits.letters else None
        if match is None:
            raise DataError(
                f"{name}: line {number} is {shortened(line)}; expected @attribute, a name and a type. Correct the line."
            )
        names.append(_word(match[1], match[2], match[3]))
        kinds.append(_kind(match[4].strip(), number, name, limits))
        check_size(name, 0, len(names), limits, number)
    else:
        raise DataError(f"{name}: there is no @data line; expected rows of values after it. Download the file again.")
    if not names:
        raise DataError(f"{name}: it declares no @attribute; expected one per column. Download the file again.")
    words = [frozenset(kind) if isinstance(kind, tuple) else None for kind in kinds]
    body: list[list[str]] = []
    weighted = False
    for number, line in lines:
        check_size(name, len(body) + 1, len(names), limits, number)
        row = _row(line, names, kinds, f"{name}: line {number}")
        weighted |= line.endswith("}") and not line.startswith("{")
        odd = next((j for j, known in enumerate(words) if known is not None and row[j] and row[j] not in known), None)
        if odd is not None:
            raise DataError(
                f"{name}: line {number}: {shortened(names[odd])} is {shortened(row[odd])}, which is not one of its "
                "declared values. Declare it, or correct the cell."
            )
        body.append(row)
    table = table_of(name, names, body, container="ARFF table", limits=limits)
    notes = ("The weights of the rows are left out.",) if weighted else ()
    return replace(_declared(table, kinds), notes=notes)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines with their numbers, without comments and blanks."""
    for number, line in enumerate(io.StringIO(text), start=1):
        line = line.strip()
        if line and not line.startswith("%"):
            yield number, line


def _word(single: str | None, double: str | None, bare: str | None) -> str:
    quoted = single if single is not None else double
    return (bare or "").strip() if quoted is None else re.sub(r"\\(.)", r"\1", quoted)


def _cells(text: str, who: str, most: int) -> list[str]:
    """Return the cells of a line, `most` of them at most."""
    cells: list[str] = []
    place = 0
    while True:
        if len(cells) > most:
            raise DataError(f"{who} has more than {most} cells; expected fewer. Correct the line.")
        match = _CELL.match(text, place)
        if match is None:
            raise DataError(
                f"{who} cannot be split into cells near {shortened(text[place : place + 30])}. Close the quotation "
                "marks and separate cells by commas."
            )
        cells.append(_word(match[1], match[2], match[3]))
        place = match.end()
        if not match[4]:
            return cells


def _kind(words: str, number: int, name: str, limits: Limits) -> str | tuple[str, ...]:
    """Return the type of an attribute, or its allowed words."""
    if words.startswith("{"):
        if not words.endswith("}"):
            raise DataError(f"{name}: line {number}: the list of words has no end; expected a closing brace.")
        return tuple(_cells(words[1:-1], f"{name}: line {number}", limits.rows))
    kind = re.split(r"[\s\[]", words, maxsplit=1)[0].lower()  # real [0, 1]
    if kind not in (*_NUMBERS, "string", "date"):
        raise DataError(
            f"{name}: line {number} has the type {shortened(words)}; expected numeric, string, date or words in "
            "braces. Correct the line."
        )
    return "numeric" if kind in _NUMBERS else kind


def _row(line: str, names: list[str], kinds: list[str | tuple[str, ...]], who: str) -> list[str]:
    if line.startswith("{") and line.endswith("}"):
        row = [kind[0] if isinstance(kind, tuple) else "0" if kind == "numeric" else "" for kind in kinds]
        for part in _sparse(line[1:-1], who):
            if int(part[0]) >= len(names):
                raise DataError(f"{who} has a value for attribute {part[0]}; expected 0…{len(names) - 1}. Correct it.")
            row[int(part[0])] = part[1]
    else:
        row = _cells(line, who, len(names) + 1)
        if len(row) == len(names) + 1 and row[-1].startswith("{"):
            row.pop()  # the weight of an instance
    if len(row) != len(names):
        raise DataError(f"{who} has {len(row)} cells; expected {len(names)}, one per attribute. Correct the line.")
    return ["" if cell == "?" else cell for cell in row]


def _sparse(text: str, who: str) -> Iterator[tuple[str, str]]:
    place = 0
    text = text.strip()
    while place < len(text):
        number = _PLACE.match(text, place)
        match = _CELL.match(text, number.end()) if number else None
        if number is None or match is None:
            raise DataError(f"{who} cannot be read near {shortened(text[place : place + 30])}; expected number value.")
        yield number[1], _word(match[1], match[2], match[3])
        place = match.end()


def _declared(table: Table, kinds: list[str | tuple[str, ...]]) -> Table:
    """Return the table with the cells of the declared types, and with the label that it declares."""
    changed = {}
    for cells, kind in zip(table.columns, kinds, strict=True):
        if isinstance(kind, tuple) and cells.kind not in ("empty", "word", "yes or no"):
            changed[cells.name] = read_column(cells.name, cells.raw, kind="word")
    nominal = [cells.name for cells, kind in zip(table.columns, kinds, strict=True) if isinstance(kind, tuple)]
    label = next((name for name in nominal if name.lower() in ("class", "label", "target")), "")
    label = label or (table.names[-1] if table.names[-1] in nominal else "")
    return replace(table.with_columns(changed), declared={label: "predict"} if label else {})


def _is_arff(file: File) -> bool:
    line = next((line for line in file.lines if not line.startswith("%")), "").lower()
    return line.startswith(("@relation", "@attribute"))


ARFF = Container("ARFF table", _is_arff, _arff)
