"""Formats that declare their label: ARFF tables, SVMlight rows, UEA time series (.ts)."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...errors import DataError
from ...values.arrays import Array
from ...values.domains import object_rows
from ...values.labels import Task
from ..cells import read_column
from ..dataset import Dataset
from ..limits import Limits, check_size, is_missing, number_of, parser_errors, shortened, stem, tamed
from ..table import Complete, Part, table_of, table_of_columns
from .files import File

_ATTRIBUTE = re.compile(r"@attribute\s+('[^']*'|\"[^\"]*\"|[^\s'\"{]+)\s*(.*)", re.IGNORECASE)


def read_arff(file: File) -> Part:
    """Return the table of an ARFF file: numeric, nominal, string and date attributes, '?' as a missing cell.

    A nominal attribute named class, or the last, is declared as what is predicted.

    Raises DataError, naming the line, for a line that does not fit the attributes, for an undeclared word, and beyond
    the limits.
    """
    name, limits = file.name, file.limits
    allowed: dict[str, set[str] | None] = {}
    body: list[list[str]] = []
    weighted = below = False
    for number, line in enumerate(map(str.strip, file.text.split("\n")), start=1):
        where = f"{name}: line {number}"
        if not line or line.startswith("%"):
            continue
        if below:
            check_size(name, len(body) + 1, len(allowed), limits, number)
            check_size(name, 1, line.count(","), limits, number)  # before it is split
            row = _cells(line, where)
            if len(row) == len(allowed) + 1 and re.fullmatch(r"\{.*\}", row[-1]):
                weighted = bool(row.pop())
            body.append(_checked(row, allowed, where))
        elif line[:5].lower() == "@data":
            below = True
        elif line[:9].lower() != "@relation":
            match = _ATTRIBUTE.fullmatch(line)
            title = "" if match is None else match[1].strip("'\"")
            if match is None or title in ("", *allowed):
                raise DataError(
                    f"{where} is {shortened(line)}; expected @attribute, a new name and a type. Correct the line."
                )
            allowed[title] = _allowed(match[2].strip(), where)
            check_size(name, 0, len(allowed), limits, number)
    if not (below and allowed):
        raise DataError(f"{name}: expected @attribute lines, @data, and rows of values. Download the file again.")
    notes = ("The weights of the rows are left out.",) if weighted else ()
    table = table_of(name, list(allowed), body, container="ARFF table", limits=limits, notes=notes)
    pairs = list(zip(table.columns, allowed.values(), strict=True))
    nominal = {cells.name: cells for cells, words in pairs if words is not None}
    label = next((name for name in nominal if name.lower() in ("class", "label", "target")), table.names[-1])
    words = {
        title: read_column(title, cells.raw, kind="word")
        for title, cells in nominal.items()
        if cells.kind not in ("empty", "word", "yes or no")
    }
    return replace(table.with_columns(words), declared={label: "predict"} if label in nominal else {})


def _cells(line: str, where: str) -> list[str]:
    """Return the cells of a line, in single or in double quotation marks where they hold a comma."""
    if line.startswith("{"):
        raise DataError(f"{where} is a sparse row, which is not read. Write all cells, for example in Weka.")
    mark = '"' if '"' in line and "'" not in line else "'"
    reader = csv.reader([line], quotechar=mark, escapechar="\\", skipinitialspace=True, strict=True)
    try:
        return [cell.strip() for cell in next(reader)]
    except csv.Error as error:
        raise DataError(f"{where} cannot be split into cells ({error}). Close the quotation marks.") from None


def _allowed(kind: str, where: str) -> set[str] | None:
    """Return the allowed words of a nominal attribute, None for other types."""
    if kind.startswith("{") and kind.endswith("}"):
        return {*_cells(kind[1:-1].strip(), where)}
    if re.split(r"[\s\[]", kind, maxsplit=1)[0].lower() not in ("numeric", "real", "integer", "string", "date"):
        raise DataError(
            f"{where} has the type {shortened(kind)}; expected numeric, string, date or words in braces. Correct it."
        )
    return None


def _checked(row: list[str], allowed: dict[str, set[str] | None], where: str) -> list[str]:
    """Return a row, "" for missing cells; DataError where it does not fit the attributes."""
    if len(row) != len(allowed):
        raise DataError(f"{where} has {len(row)} cells; expected {len(allowed)}, one per attribute. Correct the line.")
    for cell, (title, words) in zip(row, allowed.items(), strict=True):
        if words is not None and cell not in ("?", "", *words):
            raise DataError(
                f"{where}: {shortened(title)} is {shortened(cell)}, which is not one of its declared values. Declare "
                "it, or correct the cell."
            )
    return ["" if cell == "?" else cell for cell in row]


def read_svmlight(file: File) -> Part:
    """Return the table of an SVMlight file, as scikit-learn reads it; a column that a line leaves out is 0 there."""
    name, limits = file.name, file.limits
    from sklearn.datasets import load_svmlight_file

    damaged = parser_errors(
        f"{name}: the SVMlight file cannot be read", "Each line needs a label and rising number:value pairs."
    )
    with damaged:
        X, y, queries = load_svmlight_file(io.BytesIO(file.text.encode()), query_id=True)
    check_size(name, X.shape[0], X.shape[1], limits)
    if len(queries) not in (0, len(y)):
        raise DataError(f"{name}: {len(queries)} of {len(y)} lines have a qid:; expected it in all or in none. Add it.")
    zero_based = re.search(r"(?m)^[^#\n]*\s0:", file.text) is not None
    grouped = len(queries) > 0
    return table_of_columns(
        name,
        ["label", *(["qid"] if grouped else []), *(str(j + (not zero_based)) for j in range(X.shape[1]))],
        [y, *([queries] if grouped else []), *X.toarray().T],
        container="SVMlight rows",
        declared={"label": "predict"} | ({"qid": "group"} if grouped else {}),
        limits=limits,
    )


def read_uea(file: File) -> Part:
    data = read_ts(file.text, file.name, file.limits)
    return Complete(file.name, "UEA time series", data=data, why="The file declares its series and their labels.")


def read_ts(text: str, name: str, limits: Limits) -> Dataset:
    """Return the series of a UEA file with their labels; DataError, with the line, for what it cannot hold."""
    facts: dict[str, str] = {}
    rows: list[Array] = []
    labels: list[str] = []
    below, numbers = False, 0
    for number, line in enumerate(map(str.strip, text.split("\n")), start=1):
        where = f"{name}: line {number}"
        if line.startswith("@"):
            key, *values = line[1:].lower().split() or [""]
            facts[key] = values[0] if values else ""
            below |= key == "data"
        if line.startswith(("@", "#")) or not line or not below:
            continue
        if facts.get("timestamps") == "true":
            raise DataError(
                f"{name}: its series have time stamps; expected values at equally spaced times. Write each series "
                "as values alone, with @timeStamps false."
            )
        channels = line.split(":")
        if "true" in (facts.get("classlabel"), facts.get("targetlabel")):
            labels.append(channels.pop().strip())
            if not channels or is_missing(labels[-1]):
                raise DataError(f"{where} has no label behind the last colon; expected one. Add it.")
        rows.append(_channels(channels, where))
        numbers += rows[-1].size
        if numbers > limits.cells:
            raise DataError(
                f"{where} brings it to {numbers} values; expected at most {limits.cells}. Draw a sample of the series."
            )
    y: Any = None
    task: Task | None = None
    if facts.get("targetlabel") == "true":
        y, task = np.array([_finite(word, f"{name}: a target") for word in labels]), "regression"
    elif labels:
        y, task = np.array(tamed(labels), dtype=np.str_), "classification"
    return Dataset(stem(name), name, "series", object_rows(rows), y=y, task=task, source=f"upload {name}")


def _channels(channels: Sequence[str], where: str) -> Array:
    """Return the channels of one line as (length, channels); missing values at the end shorten a channel."""
    columns = []
    for channel in channels:
        words = channel.split(",")
        while words and is_missing(words[-1]):
            words.pop()
        columns.append([_finite(word, where) for word in words])
    lengths = {len(column) for column in columns}
    if len(lengths) != 1 or 0 in lengths:
        raise DataError(
            f"{where} has channels of {' and '.join(map(str, sorted(lengths))) or 'no'} values; expected equally many "
            "in each, and at least one. Cut them to one length."
        )
    return np.array(columns, dtype=np.float64).T


def _finite(word: str, where: str) -> float:
    value = number_of(word)
    if value is None or not np.isfinite(value):
        raise DataError(
            f"{where} has {shortened(word)}; expected finite numbers, missing ones only at the end. Fill the gap in, "
            "or cut the series there."
        )
    return value
