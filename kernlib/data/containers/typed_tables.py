"""Tables whose cells have types: Excel sheets, Parquet, JSON; limits hold while they are read."""

from __future__ import annotations

import io
import json
import re
import warnings
from dataclasses import replace
from itertools import chain, islice, zip_longest
from typing import Any

from ...errors import DataError
from ..files import (
    File,
    Limits,
    cell_words,
    check_size,
    listed,
    optional_import,
    parser_errors,
    shortened,
    unzipped,
)
from ..table import Table, table_of_columns
from .delimited import rows_of, tabled

#: The beginning of a row or a shared string, which openpyxl reads one at a time; it reads other parts at once.
_PIECE = re.compile(rb"<(?:\w{1,20}:)?(?:row|si)\b")
_ROW = re.compile(rb"<(?:\w{1,20}:)?row\b[^<>]{0,500}?\sr=[\"'](\d{1,9})[\"']")
_MERGED = re.compile(rb"<(?:\w{1,20}:)?mergeCell\s[^<>]{0,200}?ref=[\"']([A-Z]{1,3}\d{1,7}:[A-Z]{1,3}\d{1,7})[\"']")
#: The most tags in one row, in one string, and in the rest of a part. A row of 10,000 cells has some 60,000.
_TAGS = 100_000
_Range = tuple[int, int, int, int]


def read_excel(file: File) -> Table:
    """Return the table of a sheet: the first with more than two rows, or the one that is asked for.

    Raises DataError for a damaged file, an unknown sheet, more rows, columns, cells or letters than allowed.
    """
    name, limits, asked = file.name, file.limits, file.asked("part")
    with optional_import(f"{name}: spreadsheets are read by openpyxl", "excel", "save the sheet as CSV UTF-8"):
        import openpyxl
    files = unzipped(file.raw, name, limits)
    for path, inside in files.items():
        if path.endswith((".xml", ".rels")):
            _check_part(path, inside, name, limits)
    damaged = parser_errors(f"{name}: the spreadsheet is damaged", "Save it again, or as CSV UTF-8.")
    with damaged, warnings.catch_warnings(action="ignore"):  # of styles and validations, which are not read
        book = openpyxl.load_workbook(io.BytesIO(file.raw), read_only=True, data_only=True, keep_links=False)
        sheets = {ws.title: ws for ws in book.worksheets}
        if asked and asked not in sheets:
            raise DataError(f"{name}: there is no sheet {shortened(asked)}; expected one of {listed(sheets)}.")
        rows, chosen = list[list[str]](), asked
        for title in [asked] if asked else sheets:
            if sum(map(bool, rows)) > 2:
                break
            # A sheet of two lines is a title page or a note beside one that is longer.
            found = _rows(sheets[title], name, limits)
            if sum(map(bool, found)) > (2 if rows else 0):
                rows, chosen = found, title
        if not rows:
            raise DataError(f"{name}: its sheets are empty; expected rows of values. Choose another file.")
        # In this mode openpyxl does not read merged cells: first row, last row, first column, last column, from 0.
        spans = islice(_MERGED.finditer(files[sheets[chosen]._worksheet_path]), 20_000)
        ranges = (openpyxl.utils.cell.range_boundaries(match[1].decode()) for match in spans)
        merged = [(top - 1, bottom - 1, left - 1, right - 1) for left, top, right, bottom in ranges]
    _fill(rows, merged, limits)
    columns = [column for column in zip_longest(*rows, fillvalue="") if any(map(str.strip, column))]
    cells = [list(row) for row in zip(*columns, strict=True)]
    bare = sum(
        len(re.findall(rb"</f>(<v></v>|<v ?/>)?</c>", inside))
        for path, inside in files.items()
        if "worksheets/" in path
    )
    lacks = f"{bare} formulas have no stored value, so their cells are empty. Save it in a spreadsheet program first."
    notes = (lacks,) if bare else ()
    others = tuple(title for title in sheets if title != chosen)
    return tabled(
        rows_of(cells),
        file,
        f"Sheet {shortened(chosen)}",
        unit="row",
        names=_names(cells, merged),
        others=others,
        notes=notes,
    )


def _fill(rows: list[list[str]], merged: list[_Range], limits: Limits) -> None:
    """Write the value of merged cells into each of them."""
    room = limits.sheet
    for top, bottom, left, right in merged:
        spanned = rows[top : bottom + 1]
        value = spanned[0][left] if spanned and left < len(spanned[0]) else ""
        if not value.strip():
            continue
        room -= len(spanned) * (right - left + 1) * (1 + len(value) // 100)
        if room < 0 or right >= limits.columns:
            return
        for row in spanned:
            row += [""] * (right + 1 - len(row))
            row[left : right + 1] = [value] * (right + 1 - left)


def _names(cells: list[list[str]], merged: list[_Range]) -> int | None:
    """Return how many rows name the columns where merged cells show it: those that one merged name spans."""
    start = next((i for i, row in enumerate(cells) if sum(bool(cell.strip()) for cell in row) > 1), 0)
    spans = [bottom - top + 1 for top, bottom, left, right in merged if top == start and left == right]
    wide = any(top == bottom == start and right > left for top, bottom, left, right in merged)
    if spans and max(spans) < min(6, len(cells) - start - 1) and wide:
        return max(spans)
    return 2 if wide and len(cells) > start + 3 else None


def _check_part(path: str, part: bytes, name: str, limits: Limits) -> None:
    """Check that a part of the workbook has no entities and no more rows, strings and tags than the limits allow."""
    if re.search(rb"<!(DOCTYPE|ENTITY)", part):
        raise DataError(f"{name}: {shortened(path)} declares a document type, which is not read. Save it again.")
    most = min(_TAGS, 4 * limits.cells + 10_000)
    pieces = min(limits.sheet, limits.cells) + 1
    before = count = 0
    for place in chain((match.start() for match in _PIECE.finditer(part)), (len(part),)):
        tags, before, count = part.count(b"<", before, place), place, count + 1
        if tags > most or count > pieces:
            raise DataError(
                f"{name}: {shortened(path)} has more than {most} tags in one row or more than {pieces - 1} rows or "
                "strings, the maximum. Save the sheet as CSV UTF-8."
            )
    numbers = [int(number) for number in _ROW.findall(part)]
    if numbers != sorted({*numbers}):  # openpyxl silently drops a row whose number does not rise
        raise DataError(
            f"{name}: the rows of {shortened(path)} are not in order. Save the sheet again, or as CSV UTF-8."
        )


def _rows(ws: Any, name: str, limits: Limits) -> list[list[str]]:
    """Return the cells of a sheet, without blank ones at the end of a row and blank rows at the end."""
    rows: list[list[str]] = []
    width = count = padded = 0
    most = min(limits.cells, limits.sheet)
    ws.reset_dimensions()  # the size that the file declares may be wrong
    for number, row in enumerate(ws.iter_rows(values_only=True), start=1):
        cells = [cell_words(value) for value in row]
        while cells and not cells[-1].strip():
            cells.pop()
        padded += len(row)
        if not cells and (number - count > limits.rows or padded > 4 * most):
            break  # a sheet of formatted, empty rows
        width, count = max(width, len(cells)), count + bool(cells)
        check_size(name, count - 1, width, replace(limits, cells=most), number)
        rows.append(cells)
    while rows and not rows[-1]:
        rows.pop()
    return rows


def read_parquet(file: File) -> Table:
    """Return the table of a Parquet file of plain columns: numbers, words, dates, true and false.

    Raises DataError for a damaged file, for more rows, columns, cells or bytes than allowed (by the footer), for
    lists, structures and binary columns.
    """
    name, stream = file.name, io.BytesIO(file.raw)
    with optional_import(f"{name}: Parquet tables are read by pyarrow", "parquet", "write the table as CSV"):
        import pyarrow as pa  # type: ignore[import-untyped]
        from pyarrow import parquet
    with parser_errors(f"{name}: the Parquet file is damaged", "Write it again."):
        footer = parquet.read_metadata(stream)
        check_size(name, footer.num_rows, footer.num_columns, file.limits)
        size = sum(footer.row_group(i).total_byte_size for i in range(footer.num_row_groups))
        if not 0 <= size <= file.limits.unpacked:
            raise DataError(f"{name}: its footer announces {size} bytes; expected at most {file.limits.unpacked}.")
        schema = footer.schema.to_arrow_schema()
        words = [f.name for f in schema if pa.types.is_string(f.type) or pa.types.is_large_string(f.type)]
        # A repeated word is stored once in memory. A file may have two columns of one name, which read_table refuses.
        table = parquet.ParquetFile(stream, read_dictionary=words).read()
        table.validate(full=True)  # a damaged file could point outside its own buffers
        # Without pandas' types and with objects for gaps, whole numbers stay as written and a gap is None.
        frame = table.to_pandas(ignore_metadata=True, integer_object_nulls=True)
    # pandas writes the index last, and names an unnamed one like this: it names the rows.
    names = list(map(str, frame.columns))
    index = [j for j, title in enumerate(names) if re.fullmatch(r"__index_level_\d+__", title)]
    if len(index) == 1 and "index" not in names:
        names[index[0]] = "index"
    order = [*index, *(j for j in range(len(names)) if j not in index)]
    return _of_frame(frame.set_axis(names, axis=1).iloc[:, order], file, "Parquet table")


_RECORDS = '{"text": "…", "label": "…"}'


def read_json(file: File) -> Table:
    """Return the table of one JSON value, a list of records or lists, or an object of columns, or of one in each line.

    Raises DataError for what is not JSON, for other shapes, and for a value of more than allowed, counted before it is
    parsed.
    """
    lines = [(number, line) for number, line in enumerate(file.text.split("\n"), start=1) if line.strip()]
    try:
        if len(lines) > 1:
            _parsed(lines[0][1], file, "the first line")
    except DataError:
        lines = lines[:1]
    if len(lines) == 1:
        return _of_values(_parsed(file.text, file, "it"), file, "JSON")
    return _of_values([_parsed(line, file, f"line {number}") for number, line in lines], file, "JSON Lines")


def _parsed(text: str, file: File, what: str) -> Any:
    limits = file.limits
    brackets, cells = 2 * limits.rows + limits.columns + 1000, limits.cells + limits.rows + limits.columns
    if text.count("[") + text.count("{") > brackets or text.count(",") > cells:  # those in strings count as well
        raise DataError(
            f"{file.name}: it holds more than {limits.rows} records or {limits.cells} values, the maximum. Draw a "
            "sample, or write one record per line."
        )
    with parser_errors(f"{file.name}: {what} is not JSON", f"Write a list of records, [{_RECORDS}], or one a line."):
        return json.loads(text.strip().rstrip(","))


def _all(values: Any, kind: type | tuple[type, ...]) -> bool:
    return isinstance(values, list) and len(values) > 0 and all(isinstance(value, kind) for value in values)


def _of_values(value: Any, file: File, container: str) -> Table:
    """Return lists of cells as the rows of a sheet, records or columns as a table; what one leaves out is missing."""
    name, limits = file.name, file.limits
    if _all(value, list):
        return tabled(
            rows_of([_cell(cell, name, k, j) for j, cell in enumerate(row, 1)] for k, row in enumerate(value, 1)),
            file,
            container,
            unit="row",
        )
    by_column = isinstance(value, dict) and _all(list(value.values()), (dict, list))
    if isinstance(value, dict) and not by_column:
        value = [value]  # one record
    if not (by_column or _all(value, dict)):
        raise DataError(
            f"{name}: it holds a list of other things; expected a list of records, e.g. [{_RECORDS}]. Write that, or "
            "one record per line."
        )
    import pandas as pd

    parts = value.values() if by_column else value
    keys = {key for part in parts for key in (part if isinstance(part, dict) else range(len(part)))}
    check_size(name, *((len(keys), len(value)) if by_column else (len(value), len(keys))), limits)
    with parser_errors(f"{name}: it is no table", f"Write a list of records, e.g. [{_RECORDS}]."):
        frame = pd.DataFrame(value, dtype=object)
        if any(str(key) != str(i) for i, key in enumerate(frame.index)):
            frame = frame.reset_index()
    return _of_frame(frame, file, container)


def _of_frame(frame: Any, file: File, container: str) -> Table:
    """Return the columns of a pandas frame as a table."""
    names = list(map(str, frame.columns))
    columns = [
        [_cell(cell, file.name, k, title) for k, cell in enumerate(_values(frame.iloc[:, j]), start=1)]
        for j, title in enumerate(names)
    ]
    return table_of_columns(file.name, names, columns, container=container, limits=file.limits)


def _values(column: Any) -> list[Any]:
    """Return the cells of a column; those with one word share it."""
    if not hasattr(column, "cat"):
        return list(column.tolist())
    known = [*column.cat.categories.tolist(), None]
    return [known[code] for code in column.cat.codes]


def _cell(value: Any, name: str, record: int, key: object) -> str:
    value = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(value, list) and all(isinstance(one, (int, float)) for one in value):
        value = " ".join(map(repr, value))  # a list of numbers, as text files write it
    if isinstance(value, (dict, list, bytes)):
        kind = "an object" if isinstance(value, dict) else f"a {type(value).__name__}"
        raise DataError(
            f"{name}: record {record}, {shortened(key)} holds {kind}; expected text or a number. Flatten it."
        )
    return cell_words(value)
