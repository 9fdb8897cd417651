"""JSON: one object or list per line, or one list or object of records or columns, as table software writes them."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ...errors import DataError
from ..table import Part, Table, table_of_columns
from ..uploads import Limits, check_size, error_text, listed, shortened
from .base import Container, File, cell_words

_RECORDS = '{"text": "…", "label": "…"}'
#: A string as a whole, even one without an end, or a bracket outside of strings; without backtracking.
_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[\[{,]', re.DOTALL)


def _lines(file: File) -> Part:
    """Return the table of JSON Lines: one object of words, numbers, true, false or null per line, or one list.

    A key that a line leaves out is a missing cell there. Raises DataError, naming the line, for one that is not JSON.
    """
    name, records = file.name, _Records(file)
    for number, line in enumerate(io.StringIO(file.text), start=1):
        line = line.strip()
        if not line:
            continue
        try:
            record = json.loads(line.rstrip(","))
        except (ValueError, RecursionError) as error:
            raise DataError(
                f"{name}: line {number} is not JSON ({_why(error)}); expected one object per line, e.g. {_RECORDS}. "
                "Write each record on a line of its own."
            ) from None
        if isinstance(record, list):
            record = {f"x{j + 1}": cell for j, cell in enumerate(record)}
            records.named = False
        if not isinstance(record, dict):
            raise DataError(
                f"{name}: line {number} holds {type(record).__name__} {shortened(record)}; expected an object such as "
                f"{_RECORDS}. Write each record on a line of its own."
            )
        records.add(record, f"line {number}")
    return records.table("JSON Lines")


def _json(file: File) -> Part:
    """Return the table of one JSON value: a list of records or of lists, or an object of columns.

    Raises DataError for what is not JSON, for other shapes, and for more than allowed, counted before it is parsed.
    """
    name = file.name
    _count(file.text, name, file.limits)
    try:
        document = json.loads(file.text)
    except (ValueError, RecursionError) as error:
        raise DataError(
            f"{name}: it is not JSON ({_why(error)}); expected a list of records, e.g. [{_RECORDS}]. Correct the "
            "place, or write one record per line."
        ) from None
    records = _Records(file)
    for number, record in enumerate(_records(document, records, name), start=1):
        records.add(record, f"record {number}")
    return records.table("JSON")


class _Records:
    """Records as columns of words."""

    def __init__(self, file: File) -> None:
        self.file, self.rows, self.named = file, 0, True
        self.columns: dict[str, list[str]] = {}

    def add(self, record: Mapping[str, Any], where: str) -> None:
        name, limits = self.file.name, self.file.limits
        for key, value in record.items():
            if key not in self.columns:
                self.columns[key] = [""] * self.rows
                check_size(f"{name}: {where}", self.rows + 1, len(self.columns), limits)
            self.columns[key].append(_cell(value, key, f"{name}: {where}"))
        self.rows += 1
        check_size(f"{name}: {where}", self.rows, len(self.columns), limits)
        if len(record) < len(self.columns):
            for column in self.columns.values():
                if len(column) < self.rows:
                    column.append("")

    def table(self, container: str) -> Table:
        if not self.columns:
            raise DataError(
                f"{self.file.name}: the objects are empty; expected keys such as text and label. Fill them."
            )
        return table_of_columns(
            self.file.name, list(self.columns), list(self.columns.values()), container=container, named=self.named,
            limits=self.file.limits,
        )  # fmt: skip


def _count(text: str, name: str, limits: Limits) -> None:
    """Check the numbers of brackets and commas before parsing; those in strings count only where it matters."""
    brackets, cells = 2 * limits.rows + limits.columns + 1000, limits.cells + limits.rows + limits.columns
    if text.count("[") + text.count("{") <= brackets and text.count(",") <= cells:
        return
    counts = {"[": 0, "{": 0, ",": 0}
    for token in _TOKENS.finditer(text):
        mark = token[0][0]
        if mark in counts:
            counts[mark] += 1
            if counts["["] + counts["{"] > brackets or counts[","] > cells:
                raise DataError(
                    f"{name}: it holds more than {limits.rows} records or {limits.cells} values, the maximum. "
                    "Draw a sample."
                )


def _records(document: Any, records: _Records, name: str) -> Iterable[dict[str, Any]]:
    """Return the records of a JSON value, written by rows or by columns."""
    if isinstance(document, dict) and isinstance(document.get("columns"), list) and _all(document.get("data"), list):
        names = [str(column) for column in document["columns"]]
        index = document.get("index", [])
        rows = [dict(zip(names, _as_list(row, len(names), name), strict=True)) for row in document["data"]]
        if isinstance(index, list) and len(index) == len(rows) and not _count_up(index):
            rows = [{"index": str(key)} | row for key, row in zip(index, rows, strict=True)]
        return rows
    if isinstance(document, dict) and document:
        lists = [value for value in document.values() if _all(value, dict)]
        others = [value for value in document.values() if not isinstance(value, (dict, list))]
        if len(lists) == 1 and len(others) + 1 >= len(document) - 1:  # {"schema": …, "data": […]} and the like
            return list(lists[0])
        if _all(document.values(), list):
            return _of_columns({key: dict(enumerate(value)) for key, value in document.items()}, name)
        if _all(document.values(), dict):
            return _of_rows(document) if _names_rows(document) else _of_columns(document, name)
        return [document]  # one record, which is refused later as too few rows
    if _all(document, dict):
        return list(document)
    if _all(document, list):
        width = len(document[0])
        header = len(document) > 2 and _all(document[0], str) and not _all(document[1], str)
        records.named = header
        names = list(map(str, document[0])) if header else [f"x{j + 1}" for j in range(width)]
        if len({*names}) < len(names):
            raise DataError(f"{name}: two of its columns have the same name; expected different ones. Rename one.")
        body = document[1:] if header else document
        return [dict(zip(names, _as_list(row, width, name), strict=True)) for row in body]
    raise DataError(
        f"{name}: it holds {'a list of other things' if isinstance(document, list) else type(document).__name__}; "
        f"expected a list of records, e.g. [{_RECORDS}]. Write that, or one record per line."
    )


def _all(values: Any, kind: type) -> bool:
    if not isinstance(values, (list, type({}.values()))):
        return False
    return len(values) > 0 and all(isinstance(value, kind) for value in values)


def _as_list(row: Any, width: int, name: str) -> Sequence[Any]:
    if not isinstance(row, list) or len(row) != width:
        got = len(row) if isinstance(row, list) else type(row).__name__
        raise DataError(f"{name}: a row of its data has {got} cells; expected {width}, one per column. Correct it.")
    return row


def _names_rows(document: Mapping[str, Mapping[Any, Any]]) -> bool:
    """Return whether the outer names of an object of objects name rows: the cells of a column are of one kind."""
    inner = list(next(iter(document.values())))
    if _count_up(inner):
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


def _of_rows(document: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return records from rows keyed by name; a plain row number is dropped."""
    counts = _count_up(list(document))
    return [({} if counts else {"index": name}) | dict(cells) for name, cells in document.items()]


def _of_columns(columns: Mapping[str, Mapping[Any, Any]], name: str) -> list[dict[str, Any]]:
    """Return records from columns, each a mapping from the row's name to its cell."""
    index = list(next(iter(columns.values())))
    known = {*index}
    for title, cells in columns.items():
        if len(cells) != len(index) or any(key not in known for key in cells):
            raise DataError(
                f"{name}: the column {shortened(title)} has {len(cells)} cells; expected the same {len(index)} rows in "
                f"each of {listed(shortened(c) for c in columns)}. Write a list of records."
            )
    counts = _count_up(index)
    records: list[dict[str, Any]] = [{} if counts else {"index": str(key)} for key in index]
    for title, cells in columns.items():
        for record, key in zip(records, index, strict=True):
            record[title] = cells[key]
    return records


def _cell(value: Any, key: str, where: str) -> str:
    if isinstance(value, list) and all(isinstance(one, (int, float)) for one in value):
        value = " ".join(map(repr, value))  # a list of numbers, as text files write it
    if isinstance(value, (dict, list)):
        kind = "a list" if isinstance(value, list) else "an object"
        raise DataError(f"{where}, {shortened(key)} holds {kind}; expected text or a number. Flatten it.")
    return cell_words(value)


def _why(error: BaseException) -> str:
    return "nested too deeply" if isinstance(error, RecursionError) else error_text(error)


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
