"""Spreadsheets (.xlsx), by openpyxl, row by row, so that the limits hold while they are read; merged cells are filled.

pandas also reads through openpyxl, but pads all rows to the widest one before the limits can be checked.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Mapping
from dataclasses import replace
from itertools import chain, islice, pairwise
from typing import Any

from ...errors import DataError
from ..table import Part
from ..uploads import Limits, check_size, listed, optional_import, parser_errors, shortened
from .archives import unzipped
from .base import Container, File, cell_words
from .tables import rows_of, tabled

#: The beginning of a row or a shared string, which openpyxl reads one at a time; it reads other parts at once.
_PIECE = re.compile(rb"<(?:\w{1,20}:)?(?:row|si)\b")
_ROW = re.compile(rb"<(?:\w{1,20}:)?row\b[^<>]{0,500}?\sr=[\"'](\d{1,9})[\"']")
_MERGED = re.compile(
    rb"<(?:\w{1,20}:)?mergeCell\s[^<>]{0,200}?ref=[\"']([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})[\"']"
)
#: The most tags in one row, in one string, and in the rest of a part. A row of 10,000 cells has some 60,000.
_TAGS = 100_000
_SHEETS = 255
_Range = tuple[int, int, int, int]


def _excel(file: File) -> Part:
    """Return the table of a sheet: the first with more than two rows, or the one that is asked for.

    Raises DataError for a damaged file, an unknown sheet, more rows, columns, cells or letters than allowed.
    """
    name, limits, asked = file.name, file.limits, file.asked("part")
    with optional_import(f"{name}: spreadsheets are read by openpyxl", "excel", "save the sheet as CSV UTF-8"):
        import openpyxl
    files = unzipped(file.raw, name, limits)
    for path, inside in files.items():
        if path.endswith((".xml", ".rels")):
            _check(path, inside, name, limits)
    damaged = parser_errors(f"{name}: the spreadsheet is damaged", "Save it again, or as CSV UTF-8.")
    with damaged, warnings.catch_warnings(action="ignore"):  # of styles and validations, which are not read
        book = openpyxl.load_workbook(io.BytesIO(file.raw), read_only=True, data_only=True, keep_links=False)
        sheets = {ws.title: ws for ws in book.worksheets}
        if asked and asked not in sheets:
            raise DataError(f"{name}: there is no sheet {shortened(asked)}; expected one of {listed(sheets)}.")
        heights = {title: _height(ws) for title, ws in sheets.items()}
        filled = [title for title, height in heights.items() if height]
        # A sheet of two lines is a title page or a note beside one that is longer.
        chosen = asked or next((title for title in filled if heights[title] > 2), next(iter(filled), ""))
        if not chosen:
            raise DataError(f"{name}: its sheets are empty; expected rows of values. Choose another file.")
        rows = _rows(sheets[chosen], name, limits)
        merged = _merged(files, chosen)
    _fill(rows, merged, limits)
    columns = [j for j in range(max(map(len, rows), default=0)) if any(j < len(row) and row[j].strip() for row in rows)]
    cells = [[row[j] if j < len(row) else "" for j in columns] for row in rows]
    bare = sum(
        inside.count(words)
        for path, inside in files.items()
        if path.startswith("xl/worksheets/")
        for words in (b"</f></c>", b"</f><v></v>", b"</f><v/>", b"</f><v />")
    )
    lacks = f"{bare} formulas have no stored value, so their cells are empty. Save it in a spreadsheet program first."
    notes = (lacks,) if bare else ()
    others = tuple(title for title in filled if title != chosen)
    return tabled(
        rows_of(cells),
        file,
        f"Sheet {shortened(chosen)}",
        unit="row",
        names=_names(cells, merged),
        others=others,
        notes=notes,
    )


def _merged(files: Mapping[str, bytes], title: str) -> list[_Range]:
    """Return the merged cells of a sheet: first row, last row, first column, last column, from 0."""
    book, links = (files.get(f"xl/{path}", b"") for path in ("workbook.xml", "_rels/workbook.xml.rels"))
    names = re.findall(rb"<(?:\w{1,20}:)?sheet\s[^<>]{0,2000}?>", book)
    targets = {}
    for one in re.findall(rb"<Relationship\s[^<>]{0,2000}?>", links):
        known, target = re.search(rb"\sId=[\"']([^\"']{1,100})", one), re.search(rb"\sTarget=[\"']([^\"']{1,300})", one)
        if known and target:
            targets[known[1]] = target[1]
    for one in names:
        key = re.search(rb":id=[\"']([^\"']{1,100})", one)
        named = re.search(rb"\sname=[\"']([^\"']{0,200})", one)
        if key and named and named[1].decode("utf-8", "replace") == title:
            path = targets.get(key[1], b"").decode("utf-8", "replace")
            part = files.get(path.lstrip("/") if path.startswith("/") else f"xl/{path}", b"")
            found = islice(_MERGED.finditer(part), 20_000)
            return [(int(m[2]) - 1, int(m[4]) - 1, _place(m[1]), _place(m[3])) for m in found]
    return []


def _place(letters: bytes) -> int:
    place = 0
    for letter in letters:
        place = 26 * place + letter - 64
    return place - 1


def _fill(rows: list[list[str]], merged: list[_Range], limits: Limits) -> None:
    """Write the value of merged cells into each of them."""
    room = limits.sheet
    for top, bottom, left, right in merged:
        if top >= len(rows) or left >= len(rows[top]) or not rows[top][left].strip():
            continue
        value = rows[top][left]
        room -= (min(bottom, len(rows) - 1) - top + 1) * (right - left + 1) * (1 + len(value) // 100)
        if room < 0 or right >= limits.columns:
            return
        for row in rows[top : bottom + 1]:
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


def _check(path: str, part: bytes, name: str, limits: Limits) -> None:
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
    # openpyxl silently drops a row whose number does not rise.
    for one, other in pairwise(int(number) for number in _ROW.findall(part)):
        if other <= one:
            raise DataError(
                f"{name}: {shortened(path)} has row {other} after row {one}; expected rising numbers. Save the sheet "
                "again, or as CSV UTF-8."
            )
    sheets = len(re.findall(rb"<(?:\w{1,20}:)?sheet\b", part)) if path == "xl/workbook.xml" else 0
    if sheets > _SHEETS:
        raise DataError(f"{name}: it has {sheets} sheets; expected at most {_SHEETS}. Save one as CSV UTF-8.")


def _height(ws: Any) -> int:
    """Return how many of the first hundred rows hold a value."""
    ws.reset_dimensions()  # the size that the file declares may be wrong
    first = islice(ws.iter_rows(values_only=True), 100)  # by count: the numbers of rows may be wrong, too
    return sum(any(cell is not None for cell in row) for row in first)


def _rows(ws: Any, name: str, limits: Limits) -> list[list[str]]:
    rows: list[list[str]] = []
    width = blank = padded = 0
    most = min(limits.cells, limits.sheet)
    ws.reset_dimensions()
    for number, row in enumerate(ws.iter_rows(values_only=True), start=1):
        padded += len(row)
        cells = [cell_words(value) for value in row]
        while cells and not cells[-1].strip():
            cells.pop()
        if not cells:
            blank += 1
            if blank > limits.rows or padded > 4 * most:
                break  # a sheet of formatted, empty rows
            rows.append([])
            continue
        width = max(width, len(cells))
        count = number - blank - 1
        check_size(name, count, width, replace(limits, cells=most), number)
        if padded > 4 * most:
            raise DataError(f"{name}: its first {number} rows have {padded} cells, most of them empty. Save it as CSV.")
        rows.append(cells)
    while rows and not rows[-1]:
        rows.pop()
    return rows


EXCEL = Container("Excel sheet", lambda file: "xl/workbook.xml" in file.members, _excel, "zip")
