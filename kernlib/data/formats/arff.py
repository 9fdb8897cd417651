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
from ..guesses import Guess, Role
from ..reading import Upload, of_table
from ..table import Table
from ..tables import table_of
from ..uploads import LIMITS, Limits, Source, check_size, content, decode, shortened, too_long
from .base import File, Format, Head

#: One cell and the mark after it. Each alternative begins with another letter, so there is no backtracking.
_CELL = re.compile(r"\s*(?:'((?:[^'\\]|\\.)*+)'|\"((?:[^\"\\]|\\.)*+)\"|([^,'\"][^,]*+)?)\s*(,|$)")
_ATTRIBUTE = re.compile(
    r"@attribute\s++(?:'((?:[^'\\]|\\.)*+)'|\"((?:[^\"\\]|\\.)*+)\"|([^\s'\"{]++))\s*+(.*)", re.IGNORECASE | re.DOTALL
)
_PLACE = re.compile(r"\s*+(\d{1,9})\s++")
_NUMBERS = ("numeric", "real", "integer")


def read_arff(source: Source, name: str | None = None, *, limits: Limits = LIMITS) -> Table:
    """Return a `Table` from an ARFF file: numeric, nominal, string and date attributes, '?' as a missing cell.

    Parameters: as for `read_table`. A declared type gives the column its role; a nominal attribute named class, or the
    last, is the label.

    Raises DataError, naming the line, for a line that does not fit the attributes, for an undeclared word, and beyond
    the limits.

    >>> raw = b"@relation r\\n@attribute size real\\n@attribute kind {a, b}\\n@data\\n1.5,a\\n?,b\\n"
    >>> read_arff(raw).roles
    {'size': 'numeric', 'kind': 'label'}
    """
    raw, name = content(source, name, limits)
    lines = _lines(decode(raw, name, "ARFF"))
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
        row = _row(line, names, kinds, f"{name}: line {number}", limits)
        weighted |= line.endswith("}") and not line.startswith("{")
        odd = next((j for j, known in enumerate(words) if known is not None and row[j] and row[j] not in known), None)
        if odd is not None:
            raise DataError(
                f"{name}: line {number}: {shortened(names[odd])} is {shortened(row[odd])}, which is not one of its "
                "declared values. Declare it, or correct the cell."
            )
        body.append(row)
    table = table_of(name, names, body, limits=limits)
    table = table.declared(_roles(table, kinds))
    if weighted:
        table = replace(table, guesses=(Guess("The weights of the rows are left out."), *table.guesses))
    return table


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


def _row(line: str, names: list[str], kinds: list[str | tuple[str, ...]], who: str, limits: Limits) -> list[str]:
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
    if long := too_long(row, limits):
        raise DataError(f"{who}, {long}")
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


def _roles(table: Table, kinds: list[str | tuple[str, ...]]) -> dict[str, tuple[Role, str]]:
    """Return the roles of the declared types where they differ from the roles guessed from the cells."""
    label = next((c.name for c in table.columns if c.role == "label"), None)
    last = table.columns[-1]
    if label is None and isinstance(kinds[-1], tuple) and last.distinct > 1:
        label = last.name
    roles: dict[str, tuple[Role, str]] = {}
    for column, kind in zip(table.columns, kinds, strict=True):
        if column.name == label:
            roles[column.name] = ("label", f"{column.distinct} distinct values, the last or named as a label")
        elif column.role == "ignore":
            continue
        elif isinstance(kind, tuple) and column.role != "group":
            roles[column.name] = ("categorical", f"declared as one of {len(kind)} values")
        elif kind == "numeric" and column.role not in ("id", "group"):
            roles[column.name] = ("numeric", "declared as numeric")
        elif kind == "date":
            roles[column.name] = ("ignore", "declared as a date")
    return roles


def _looks_like_arff(head: Head) -> str:
    line = next((line for line in head.lines if not line.startswith("%")), "").lower()
    return "It begins with @relation" if line.startswith(("@relation", "@attribute")) else ""


def _arff(file: File, reason: str) -> Upload:
    table = read_arff(file.raw, file.name, limits=file.limits)
    return of_table(table, "ARFF table", reason, file.domain, file.limits)


ARFF = Format("ARFF table", ("arff", "dat"), _looks_like_arff, _arff)
