"""Spreadsheets (.xlsx), by openpyxl, row by row, so that the limits hold while they are read.

pandas also reads through openpyxl, but pads all rows to the widest one before the limits can be checked.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Mapping
from itertools import chain, islice, pairwise
from typing import Any

from ...errors import DataError
from ..guesses import Choice, Guess, Reading, Role
from ..reading import Upload, of_table
from ..table import Table
from ..tables import table_of_lines
from ..uploads import LIMITS, Limits, Source, content, listed, optional_import, parser_errors, shortened, too_long
from .archives import unzipped
from .base import File, Format, Head, cell_words


def read_excel(
    source: Source,
    name: str | None = None,
    *,
    sheet: str = "",
    roles: Mapping[str, Role] | None = None,
    header: bool | None = None,
    skip: int | None = None,
    below: int | None = None,
    limits: Limits = LIMITS,
) -> Table:
    """Return a `Table` from a sheet of an .xlsx spreadsheet: the first that is not empty, or the one named.

    Parameters: as for `read_table`; `sheet`, its title.

    Raises DataError for a damaged file, an unknown sheet, more rows, columns, cells or letters than allowed.
    """
    raw, name = content(source, name, limits)
    table = _read(raw, name, limits, Reading(part=sheet, header=header, skip=skip, below=below))[0]
    return table.with_roles(roles) if roles else table


def _read(raw: bytes, name: str, limits: Limits, asked: Reading) -> tuple[Table, str, list[str]]:
    """Return the table, its sheet, and the other sheets that are not empty."""
    with optional_import(f"{name}: spreadsheets are read by openpyxl", "excel", "save the sheet as CSV UTF-8"):
        import openpyxl
    for path, inside in unzipped(raw, name, limits).items():
        if path.endswith((".xml", ".rels")):
            _check(path, inside, name, limits)
    damaged = parser_errors(f"{name}: the spreadsheet is damaged", "Save it again, or as CSV UTF-8.")
    with damaged, warnings.catch_warnings(action="ignore"):  # of styles and validations, which are not read
        book = openpyxl.load_workbook(io.BytesIO(raw), read_only=True, data_only=True, keep_links=False)
        sheets = {ws.title: ws for ws in book.worksheets}
        if asked.part and asked.part not in sheets:
            raise DataError(f"{name}: there is no sheet {shortened(asked.part)}; expected one of {listed(sheets)}.")
        heights = {title: _height(ws) for title, ws in sheets.items()}
        filled = [title for title, height in heights.items() if height]
        # A sheet of two lines is a title page or a note beside one that is longer.
        chosen = asked.part or next((title for title in filled if heights[title] > 2), next(iter(filled), ""))
        if not chosen:
            raise DataError(f"{name}: its sheets are empty; expected rows of values. Choose another file.")
        rows = _rows(sheets[chosen], name, limits)
    # Without empty columns; an empty row is an empty line, so that the others keep their numbers.
    width = max(map(len, rows), default=0)
    columns = [j for j in range(width) if any(j < len(row) and row[j].strip() for row in rows)]
    cells = [[row[j] if j < len(row) else "" for j in columns] if row else [] for row in rows]
    table = table_of_lines(cells, name, asked.header, limits, asked.skip, asked.below, asked.turned)
    return table, chosen, [title for title in filled if title != chosen]


#: The beginning of a row or a shared string, which openpyxl reads one at a time; it reads other parts at once.
_PIECE = re.compile(rb"<(?:\w{1,20}:)?(?:row|si)\b")
_ROW = re.compile(rb"<(?:\w{1,20}:)?row\b[^<>]{0,500}?\sr=[\"'](\d{1,9})[\"']")
#: The most tags in one row, in one string, and in the rest of a part. A row of 10,000 cells has some 60,000.
_TAGS = 100_000
_SHEETS = 255


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
        if count > limits.rows or width > limits.columns or count * width > most or padded > 4 * most:
            raise DataError(
                f"{name}: row {number} brings the sheet to {count} rows of {width} columns; expected at most "
                f"{limits.rows} rows, {limits.columns} columns and {most} cells in an Excel sheet. Save the sheet as "
                "CSV UTF-8, or draw a sample."
            )
        if long := too_long(cells, limits):
            raise DataError(f"{name}: row {number}, {long}")
        rows.append(cells)
    while rows and not rows[-1]:
        rows.pop()
    return rows


def _unstored(raw: bytes, name: str, limits: Limits) -> int:
    """Return the number of formulas stored without a value, as programs write that do not compute them."""
    sheets = {path: inside for path, inside in unzipped(raw, name, limits).items() if path.startswith("xl/worksheets/")}
    bare = (b"</f></c>", b"</f><v></v>", b"</f><v/>", b"</f><v />")
    return sum(inside.count(words) for inside in sheets.values() for words in bare)


def _looks_like_excel(head: Head) -> str:
    return "A zip with an Excel workbook" if "xl/workbook.xml" in head.members else ""


def _excel(file: File, reason: str) -> Upload:
    table, sheet, others = _read(file.raw, file.name, file.limits, file)
    guesses: tuple[Guess, ...] = ()
    if others:
        choices = tuple(Choice(f"Read the sheet {shortened(title)}", part=title) for title in others[:5])
        sentence = f"The sheet {shortened(sheet)} is read; {listed(shortened(title) for title in others)} "
        sentence += f"{'holds' if len(others) == 1 else 'hold'} something too."
        guesses = (Guess(sentence, choices, question=not file.part),)
    bare = _unstored(file.raw, file.name, file.limits)
    if bare:
        sentence = f"{bare} formulas have no stored value, so their cells are empty here. Open and save the file "
        guesses = (*guesses, Guess(sentence + "in a spreadsheet program first."))
    reason = reason.replace("A zip with an Excel workbook", f"The sheet {shortened(sheet)} of an Excel workbook")
    return of_table(table, "Excel sheet", reason, file.domain, file.limits, guesses)


EXCEL = Format("Excel sheet", ("xlsx", "xlsm"), _looks_like_excel, _excel, "zip")
