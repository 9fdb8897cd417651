"""JSON: one object per line, or one list or object of records or columns, as table software writes them."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from ...errors import DataError
from ..guesses import Role
from ..reading import Upload, of_table
from ..table import Table
from ..tables import table_of
from ..uploads import LIMITS, Limits, Source, check_size, content, decode, error_text, listed, shortened
from .base import File, Format, Head, checked_cell

_RECORDS = '{"text": "…", "label": "…"}'
#: A string as a whole, even one without an end, or a bracket outside of strings; without backtracking.
_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[\[{,]', re.DOTALL)
_Row = dict[str, str]


def read_json_lines(
    source: Source, name: str | None = None, *, roles: Mapping[str, Role] | None = None, limits: Limits = LIMITS
) -> Table:
    """Return a `Table` from JSON Lines: one object of words, numbers, true, false or null per line, or one list.

    Parameters: as for `read_table`. A key that a line leaves out is a missing cell there.

    Raises DataError, naming the line, for a line that is not JSON, not an object, nested or too large.

    >>> read_json_lines(b'{"text": "a b", "y": 1}\\n{"text": "c", "y": 0}\\n').n
    2
    """
    raw, name = content(source, name, limits)
    rows: list[_Row] = []
    names: dict[str, None] = {}
    text = decode(raw, name, "JSON Lines")
    if text.lstrip().startswith("["):  # one list of records, without its brackets and commas
        lines = [line.strip() for line in text.split("\n") if line.strip()]
        return read_json(f"[{','.join(lines)}]".encode(), name, roles=roles, limits=replace(limits, bytes=2 * len(raw)))
    for number, line in enumerate(io.StringIO(text), start=1):
        if not line.strip():
            continue
        where = f"line {number}"
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise DataError(
                f"{name}: {where} is not JSON ({_why(error)}); expected one object per line, e.g. {_RECORDS}. "
                "Write each record on a line of its own."
            ) from None
        if not isinstance(record, dict):
            raise DataError(
                f"{name}: {where} holds {type(record).__name__} {shortened(record)}; expected an object such as "
                f"{_RECORDS}. Write each record on a line of its own."
            )
        _add(record, rows, names, f"{name}: {where}", limits)
    return _table(rows, names, name, roles, limits)


def read_json(
    source: Source, name: str | None = None, *, roles: Mapping[str, Role] | None = None, limits: Limits = LIMITS
) -> Table:
    """Return a `Table` from one JSON value: a list of records, or an object of columns.

    Parameters: as for `read_table`. Read are ``[{"x": 1}, …]``, ``{"x": [1, …]}``, ``{"x": {"0": 1, …}}``,
    ``{"columns": […], "data": [[…], …]}`` and an object with one list of records, ``{"data": [{…}, …]}``.

    Raises DataError for what is not JSON, for other shapes, for nested cells and more than allowed.

    >>> read_json(b'[{"x": 1, "y": "a"}, {"x": 2, "y": "b"}]').roles
    {'x': 'numeric', 'y': 'label'}
    """
    raw, name = content(source, name, limits)
    text = decode(raw, name, "JSON")
    _check(text, name, limits)
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DataError(
            f"{name}: it is not JSON ({_why(error)}); expected a list of records, e.g. [{_RECORDS}]. Correct the "
            "place, or write one record per line."
        ) from None
    rows: list[_Row] = []
    names: dict[str, None] = {}
    for number, record in enumerate(_records(document, name), start=1):
        _add(record, rows, names, f"{name}: record {number}", limits)
    return _table(rows, names, name, roles, limits)


def _check(text: str, name: str, limits: Limits) -> None:
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


def _records(document: Any, name: str) -> Iterable[dict[str, Any]]:
    """Return the records of a JSON value, written by rows or by columns."""
    if isinstance(document, dict) and document and not isinstance(document.get("columns"), list):
        lists = [value for value in document.values() if isinstance(value, list) and _all(value, dict)]
        others = [value for value in document.values() if not isinstance(value, (dict, list))]
        if len(lists) == 1 and len(others) + 1 >= len(document) - 1:  # {"schema": …, "data": […]} and the like
            return list(lists[0])
        if _all(document.values(), list):
            return _of_columns({key: dict(enumerate(value)) for key, value in document.items()}, name)
        if _all(document.values(), dict):
            return _of_rows(document) if _names_rows(document) else _of_columns(document, name)
    if (
        isinstance(document, dict)
        and isinstance(document.get("columns"), list)
        and isinstance(document.get("data"), list)
        and not any(isinstance(column, dict) for column in document["columns"])
    ):
        names = [str(column) for column in document["columns"]]
        return [dict(zip(names, _as_list(row, len(names), name), strict=True)) for row in document["data"]]
    if isinstance(document, list) and _all(document, dict):
        return document
    if isinstance(document, list) and _all(document, list):
        width = len(document[0])
        header = all(isinstance(cell, str) for cell in document[0]) and not _all(document[1:2] and document[1], str)
        names = document[0] if header else [f"x{j + 1}" for j in range(width)]
        body = document[1:] if header else document
        return [dict(zip(names, _as_list(row, width, name), strict=True)) for row in body]
    if isinstance(document, dict):
        return [document]  # one record, which is refused later as too few rows
    raise DataError(
        f"{name}: it holds {'a list of other things' if isinstance(document, list) else type(document).__name__}; "
        f"expected a list of records, e.g. [{_RECORDS}]. Write that, or one record per line."
    )


def _all(values: Iterable[Any], kind: type) -> bool:
    values = list(values)
    return bool(values) and all(isinstance(value, kind) for value in values)


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
    for title, cells in columns.items():
        if len(cells) != len(index) or any(key not in cells for key in index):
            raise DataError(
                f"{name}: the column {shortened(title)} has {len(cells)} cells; expected the same {len(index)} rows in "
                f"each of {listed(shortened(c) for c in columns)}. Write a list of records."
            )
    counts = _count_up(index)
    named: list[dict[str, Any]] = [{} if counts else {"index": str(key)} for key in index]
    for title, cells in columns.items():
        for record, key in zip(named, index, strict=True):
            record[title] = cells[key]
    return named


def _add(record: Mapping[str, Any], rows: list[_Row], names: dict[str, None], where: str, limits: Limits) -> None:
    rows.append({key: _cell(value, key, where, limits) for key, value in record.items()})
    names.update(dict.fromkeys(record))
    check_size(where, len(rows), len(names), limits)


def _table(
    rows: list[_Row], names: Mapping[str, None], name: str, roles: Mapping[str, Role] | None, limits: Limits
) -> Table:
    if not names:
        raise DataError(f"{name}: the objects are empty; expected keys such as text and label. Fill them.")
    return table_of(name, list(names), [[row.get(key, "") for key in names] for row in rows], roles, limits=limits)


def _cell(value: Any, key: str, where: str, limits: Limits) -> str:
    if isinstance(value, (dict, list)):
        kind = "a list" if isinstance(value, list) else "an object"
        raise DataError(f"{where}, {shortened(key)} holds {kind}; expected text or a number. Flatten it.")
    return checked_cell(value, key, where, limits)


def _why(error: BaseException) -> str:
    return "nested too deeply" if isinstance(error, RecursionError) else error_text(error)


def _looks_like_lines(head: Head) -> str:
    """Return the reason if the first line is a whole object and another line follows; it may be cut off."""
    first, below, rest = head.text.partition("\n")
    if first.startswith("["):  # brackets could also enclose names of columns
        with suppress(ValueError, RecursionError):
            plain = [isinstance(cell, (str, int, float)) or cell is None for cell in json.loads(first)]
            return "One JSON list per line" if all(plain) and rest.lstrip().startswith("[") else ""
    if not first.startswith("{"):
        return ""
    if below:
        ends = first.rstrip().endswith("}") and (bool(rest.strip()) or not head.whole)
    else:
        ends = not head.whole and re.match(r'\{\s{0,9}"[^"]{0,200}"\s{0,9}:\s{0,9}[{\[]', first) is None
    return "One JSON object per line" if ends else ""


def _looks_like_json(head: Head) -> str:
    # A column of a CSV file may be named [x]; a file named .json is read as JSON.
    if re.match(r"\[\s{0,100}[{\[\]]", head.text) or (head.text.startswith("[") and head.ending == "json"):
        return "A JSON list"
    return "A JSON object" if head.text.startswith("{") else ""


def _lines(file: File, reason: str) -> Upload:
    table = read_json_lines(file.raw, file.name, limits=file.limits)
    return of_table(table, "JSON Lines", reason, file.domain, file.limits)


def _json(file: File, reason: str) -> Upload:
    table = read_json(file.raw, file.name, limits=file.limits)
    return of_table(table, "JSON", reason, file.domain, file.limits)


JSON_LINES = Format("JSON Lines", ("jsonl", "ndjson", "json"), _looks_like_lines, _lines)
JSON = Format("JSON", ("json",), _looks_like_json, _json)
