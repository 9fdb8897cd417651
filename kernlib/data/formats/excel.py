"""Spreadsheets (.xlsx), by openpyxl, row by row, so that the limits hold while they are read.

pandas would read one through openpyxl too, but fills the rows up to the widest cell before anything can be counted.
"""

from __future__ import annotations

import csv
import io
import re
import warnings
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from itertools import chain
from typing import Any

from ...errors import DataError
from ..guesses import Choice, Guess
from ..reading import Upload, of_table
from ..tables import Role, Table, read_table
from ..uploads import LIMITS, Limits, Source, content, listed, said, shortened
from .archives import unzipped
from .base import File, Format, Head, cell_words

__all__ = ["EXCEL", "read_excel"]


def read_excel(
    source: Source,
    name: str | None = None,
    *,
    sheet: str = "",
    roles: Mapping[str, Role] | None = None,
    header: bool | None = None,
    limits: Limits = LIMITS,
) -> Table:
    """A `Table` from a sheet of an .xlsx spreadsheet: the first that holds anything, or the one named.

    Parameters: as for `read_table`; `sheet`, its title.

    Raises DataError for a damaged file, an unknown sheet, more rows, columns, cells or letters than allowed.
    """
    raw, name = content(source, name, limits)
    table = _read(raw, name, sheet, header, limits)[0]
    return table.with_roles(roles) if roles else table


def _read(raw: bytes, name: str, sheet: str, header: bool | None, limits: Limits) -> tuple[Table, str, list[str]]:
    """The table, the sheet it stands on and the other sheets that hold anything."""
    try:
        import openpyxl
    except ImportError:
        raise DataError(
            f"{name}: spreadsheets are read by openpyxl, which is not installed here. Next: pip install "
            "'kernlib[excel]', or save the sheet as CSV UTF-8."
        ) from None
    for path, inside in unzipped(raw, name, limits).items():
        if path.endswith((".xml", ".rels")):
            _check(path, inside, name, limits)
    broken = (
        ValueError, LookupError, TypeError, AttributeError, OSError, EOFError, OverflowError, AssertionError,
        zipfile.BadZipFile, SyntaxError, RecursionError,
    )  # fmt: skip
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of styles and validations, which are not read
            book = openpyxl.load_workbook(io.BytesIO(raw), read_only=True, data_only=True, keep_links=False)
            sheets = {ws.title: ws for ws in book.worksheets}
            if sheet and sheet not in sheets:
                raise DataError(f"{name}: there is no sheet {shortened(sheet)}; expected one of {listed(sheets)}.")
            heights = {title: _height(ws) for title, ws in sheets.items()}
            filled = [title for title, height in heights.items() if height]
            # A sheet of two lines is a title page or a note beside one that is longer.
            chosen = sheet or next((title for title in filled if heights[title] > 2), next(iter(filled), ""))
            if not chosen:
                raise DataError(f"{name}: its sheets are empty; expected rows of values. Choose another file.")
            rows = _rows(sheets[chosen], name, limits)
    except DataError:
        raise
    except broken as error:
        raise DataError(f"{name}: the spreadsheet is damaged ({said(error)}). Save it anew, or as CSV UTF-8.") from None
    table = _table(rows, name, header, limits)
    return table, chosen, [title for title in filled if title != chosen]


#: Where the pieces begin that openpyxl holds one at a time, a row or a shared string; of other parts it holds all.
_PIECE = re.compile(rb"<(?:\w{1,20}:)?(?:row|si)\b")
#: The most tags in one piece, a hundred bytes or two each: more than a row of all columns has.
_TAGS = 1_000_000


def _check(path: str, inside: bytes, name: str, limits: Limits) -> None:
    """DataError for a part with entities, or with more tags in one piece than could be cells."""
    if re.search(rb"<!(DOCTYPE|ENTITY)", inside):
        raise DataError(f"{name}: {shortened(path)} declares a document type, which is not read. Save it anew.")
    most = min(_TAGS, 4 * limits.cells + 10_000)
    before = count = 0
    for place in chain((found.start() for found in _PIECE.finditer(inside)), (len(inside),)):
        tags, before, count = inside.count(b"<", before, place), place, count + 1
        if tags > most or count > limits.cells + 1:
            raise DataError(
                f"{name}: {shortened(path)} has more than {most} tags in one piece or more than {limits.cells} pieces, "
                "the most that is read. Save the sheet as CSV UTF-8."
            )


def _height(ws: Any) -> int:
    """How many of its first hundred rows hold anything."""
    ws.reset_dimensions()  # what the file says of its size may be wrong
    return sum(any(cell is not None for cell in row) for row in ws.iter_rows(max_row=100, values_only=True))


def _rows(ws: Any, name: str, limits: Limits) -> list[list[str]]:
    rows: list[list[str]] = []
    width = count = blank = 0
    ws.reset_dimensions()
    for number, row in enumerate(ws.iter_rows(values_only=True), start=1):
        cells = [cell_words(value) for value in row]
        while cells and not cells[-1].strip():
            cells.pop()
        if not cells:
            blank += 1
            if blank > limits.rows:
                break  # a sheet of formatted, empty rows
            continue
        width = max(width, len(cells))
        count += len(cells)
        if len(rows) > limits.rows or width > limits.columns or max(count, len(rows) * width) > limits.cells:
            raise DataError(
                f"{name}: row {number} brings the sheet to {len(rows)} rows of {width} columns; expected at most "
                f"{limits.rows} rows, {limits.columns} columns and {limits.cells} cells. Draw a sample."
            )
        long = next((j for j, cell in enumerate(cells) if len(cell) > limits.letters), None)
        if long is not None:
            raise DataError(
                f"{name}: row {number}, column {long + 1} has {len(cells[long])} letters; expected at most "
                f"{limits.letters}. Shorten the cell."
            )
        rows.append(cells)
    return [row + [""] * (width - len(row)) for row in rows]


def _table(rows: list[list[str]], name: str, header: bool | None, limits: Limits) -> Table:
    """The rows as the same table that a text file of them would be; columns that hold nothing are left out."""
    held = [j for j in range(len(rows[0]) if rows else 0) if any(row[j].strip() for row in rows)]
    stream = io.StringIO()
    csv.writer(stream, delimiter="\t", quoting=csv.QUOTE_ALL).writerows([row[j] for j in held] for row in rows)
    raw = stream.getvalue().encode("utf-8", "replace")
    return read_table(raw, name, header=header, limits=replace(limits, bytes=len(raw)))


def _unstored(raw: bytes, name: str, limits: Limits) -> int:
    """How many formulas have no value stored with them, as programs leave them that do not compute."""
    sheets = {path: inside for path, inside in unzipped(raw, name, limits).items() if path.startswith("xl/worksheets/")}
    bare = (b"</f></c>", b"</f><v></v>", b"</f><v/>", b"</f><v />")
    return sum(inside.count(words) for inside in sheets.values() for words in bare)


def _looks_like_excel(head: Head) -> str:
    return "A zip with an Excel workbook" if "xl/workbook.xml" in head.members else ""


def _excel(file: File, reason: str) -> Upload:
    table, sheet, others = _read(file.raw, file.name, file.part, file.header, file.limits)
    said: tuple[Guess, ...] = ()
    if others:
        choices = tuple(Choice(f"Read the sheet {shortened(title)}", part=title) for title in others[:5])
        sentence = f"The sheet {shortened(sheet)} is read; {listed(shortened(title) for title in others)} "
        sentence += f"{'holds' if len(others) == 1 else 'hold'} something too."
        said = (Guess(sentence, choices, question=not file.part),)
    bare = _unstored(file.raw, file.name, file.limits)
    if bare:
        sentence = f"{bare} formulas have no value stored, so that their cells are empty here: open and save the file "
        said = (*said, Guess(sentence + "in a spreadsheet program first."))
    reason = reason.replace("A zip with an Excel workbook", f"The sheet {shortened(sheet)} of an Excel workbook")
    return of_table(table, "Excel sheet", reason, file.domain, file.limits, said)


EXCEL = Format("Excel sheet", ("xlsx", "xlsm"), _looks_like_excel, _excel, "zip")
