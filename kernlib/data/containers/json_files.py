"""JSON: one object or list per line, or one list or object of records or columns, as table software writes them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ...errors import DataError
from ..table import Part, Table, table_of_columns
from ..uploads import Limits, check_size, error_text, listed, shortened
from .base import Container, File, cell_words

_RECORDS = '{"text": "…", "label": "…"}'
#: A string as a whole, even one without an end, or a bracket outside of strings; without backtracking.
_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[\[{,]', re.DOTALL)
_Record = Mapping[str, Any]


def _lines(file: File) -> Part:
    """Return the table of JSON Lines: one object of words, numbers, true, false or null per line, or one list.

    A key that a line leaves out is a missing cell there. Raises DataError, naming the line, for one that is not JSON.
    """
    return _table(_records_by_line(file), file, "JSON Lines", not file.head.startswith("["))


def _records_by_line(file: File) -> Iterator[tuple[str, _Record]]:
    for number, line in enumerate(map(str.strip, file.text.split("\n")), start=1):
        if not line:
            continue
        where = f"{file.name}: line {number}"
        step = "one object per line, e.g. {}. Write each record on a line of its own"
        record = _parsed(line.rstrip(","), f"{where} is", step)
        if isinstance(record, list):
            record = {f"x{j + 1}": cell for j, cell in enumerate(record)}
        if not isinstance(record, dict):
            raise DataError(
                f"{where} holds {type(record).__name__} {shortened(record)}; expected an object such as {_RECORDS}. "
                "Write each record on a line of its own."
            )
        yield f"line {number}", record


def _json(file: File) -> Part:
    """Return the table of one JSON value: a list of records or of lists, or an object of columns.

    Raises DataError for what is not JSON, for other shapes, and for more than allowed, counted before it is parsed.
    """
    _count(file.text, file.name, file.limits)
    step = "a list of records, e.g. [{}]. Correct the place, or write one record per line"
    records, named = _records(_parsed(file.text, f"{file.name}: it is", step), file.name)
    return _table(((f"record {k}", record) for k, record in enumerate(records, start=1)), file, "JSON", named)


def _parsed(text: str, where: str, step: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        why = "nested too deeply" if isinstance(error, RecursionError) else error_text(error)
        raise DataError(f"{where} not JSON ({why}); expected {step.format(_RECORDS)}.") from None


def _table(records: Iterable[tuple[str, _Record]], file: File, container: str, named: bool) -> Table:
    """Return records as a table; a key that a record leaves out is a missing cell."""
    columns: dict[str, list[str]] = {}
    for rows, (place, record) in enumerate(records, start=1):
        where = f"{file.name}: {place}"
        for key, value in record.items():
            columns.setdefault(key, [""] * (rows - 1)).append(_cell(value, key, where))
        check_size(where, rows, len(columns), file.limits)
        if len(record) < len(columns):
            for column in columns.values():
                column += [""] * (rows - len(column))
    if not columns:
        raise DataError(f"{file.name}: the objects are empty; expected keys such as text and label. Fill them.")
    cells = list(columns.values())
    return table_of_columns(file.name, list(columns), cells, container=container, named=named, limits=file.limits)


def _count(text: str, name: str, limits: Limits) -> None:
    """Check the numbers of brackets and commas before parsing; those in strings count only where it matters."""
    brackets, cells = 2 * limits.rows + limits.columns + 1000, limits.cells + limits.rows + limits.columns
    if text.count("[") + text.count("{") <= brackets and text.count(",") <= cells:
        return
    counts = {"[": 0, "{": 0, ",": 0}
    for token in _TOKENS.finditer(text):
        if (mark := token[0][0]) in counts:
            counts[mark] += 1
            if counts["["] + counts["{"] > brackets or counts[","] > cells:
                raise DataError(
                    f"{name}: it holds more than {limits.rows} records or {limits.cells} values, the maximum. "
                    "Draw a sample."
                )


def _records(document: Any, name: str) -> tuple[Sequence[_Record], bool]:
    """Return the records of a JSON value, written by rows or by columns, and whether columns have names."""
    if isinstance(document, dict) and isinstance(document.get("columns"), list) and _all(document.get("data"), list):
        rows: Sequence[_Record] = _of_lists(document["data"], list(map(str, document["columns"])), name)
        index = document.get("index", [])
        if isinstance(index, list) and len(index) == len(rows):
            rows = _indexed(index, rows)
        return rows, True
    if isinstance(document, dict) and document:
        lists = [value for value in document.values() if _all(value, dict)]
        nested = sum(isinstance(value, (dict, list)) for value in document.values())
        if len(lists) == 1 and nested <= 2:  # {"schema": …, "data": […]} and the like
            return lists[0], True
        if _all(document.values(), list):
            return _of_columns({key: dict(enumerate(value)) for key, value in document.items()}, name), True
        if not _all(document.values(), dict):
            return [document], True  # one record, which is refused later as too few rows
        if _names_rows(document):
            return _indexed(list(document), list(document.values())), True
        return _of_columns(document, name), True
    if _all(document, dict):
        return document, True
    if _all(document, list):
        header = len(document) > 2 and _all(document[0], str) and not _all(document[1], str)
        names = list(map(str, document[0])) if header else [f"x{j + 1}" for j in range(len(document[0]))]
        if len({*names}) < len(names):
            raise DataError(f"{name}: two of its columns have the same name; expected different ones. Rename one.")
        return _of_lists(document[header:], names, name), header
    raise DataError(
        f"{name}: it holds {'a list of other things' if isinstance(document, list) else type(document).__name__}; "
        f"expected a list of records, e.g. [{_RECORDS}]. Write that, or one record per line."
    )


def _all(values: Any, kind: type) -> bool:
    plain = isinstance(values, (list, type({}.values())))
    return plain and len(values) > 0 and all(isinstance(value, kind) for value in values)


def _of_lists(rows: Iterable[Any], names: Sequence[str], name: str) -> list[_Record]:
    """Return records from lists of cells."""
    records: list[_Record] = []
    for row in rows:
        if not isinstance(row, list) or len(row) != len(names):
            got = len(row) if isinstance(row, list) else type(row).__name__
            raise DataError(
                f"{name}: a row of its data has {got} cells; expected {len(names)}, one per column. Correct it."
            )
        records.append(dict(zip(names, row, strict=True)))
    return records


def _indexed(index: Sequence[Any], records: Sequence[_Record]) -> Sequence[_Record]:
    """Return records with the names of their rows; plain row numbers are dropped."""
    if _count_up(index):
        return records
    return [{"index": str(key)} | dict(record) for key, record in zip(index, records, strict=True)]


def _names_rows(document: Mapping[str, _Record]) -> bool:
    """Return whether the outer names of an object of objects name rows: the cells of a column are of one kind."""
    if _count_up(list(next(iter(document.values())))):
        return False
    if _count_up(list(document)):
        return True
    by_name: dict[str, set[bool]] = {}
    for cells in document.values():
        for key, value in cells.items():
            by_name.setdefault(key, set()).add(isinstance(value, str))
    mixed_inside = any(len({isinstance(value, str) for value in cells.values()}) > 1 for cells in document.values())
    return mixed_inside and all(len(kinds) == 1 for kinds in by_name.values())


def _count_up(names: Sequence[Any]) -> bool:
    return all(str(name) == str(i) for i, name in enumerate(names))


def _of_columns(columns: Mapping[str, Mapping[Any, Any]], name: str) -> Sequence[_Record]:
    """Return records from columns, each a mapping from the row's name to its cell."""
    index = list(next(iter(columns.values())))
    for title, cells in columns.items():
        if len(cells) != len(index) or {*cells} != {*index}:
            raise DataError(
                f"{name}: the column {shortened(title)} has {len(cells)} cells; expected the same {len(index)} rows in "
                f"each of {listed(shortened(c) for c in columns)}. Write a list of records."
            )
    return _indexed(index, [{title: cells[key] for title, cells in columns.items()} for key in index])


def _cell(value: Any, key: str, where: str) -> str:
    if isinstance(value, list) and all(isinstance(one, (int, float)) for one in value):
        value = " ".join(map(repr, value))  # a list of numbers, as text files write it
    if isinstance(value, (dict, list)):
        kind = "a list" if isinstance(value, list) else "an object"
        raise DataError(f"{where}, {shortened(key)} holds {kind}; expected text or a number. Flatten it.")
    return cell_words(value)


def _is_lines(file: File) -> bool:
    """Return whether the first line is a whole object, or a list, and another follows; it may be cut off."""
    first, below, rest = file.head.partition("\n")
    first = first.strip()
    if first.startswith("["):  # brackets could also enclose names of columns
        plain = re.fullmatch(r"\[[^\[\]{}]{1,8000}\],?", first) is not None and not re.match(r"\[\s*[A-Za-z_]", first)
        return plain and rest.lstrip().startswith("[")
    whole = len(file.raw) > len(file.head.encode())
    if not first.startswith("{"):
        return False
    if below:
        return first.endswith("}") and (bool(rest.strip()) or whole)
    return whole and re.match(r'\{\s{0,9}"[^"]{0,200}"\s{0,9}:\s{0,9}[{\[]', first) is None


def _is_json(file: File) -> bool:
    # A column of a CSV file may be named [x].
    return re.match(r"\[\s{0,100}[{\[\]\"\d-]|\{\s{0,100}[\"}]", file.head) is not None


JSON_LINES = Container("JSON Lines", _is_lines, _lines)
JSON = Container("JSON", _is_json, _json)
