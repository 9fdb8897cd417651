"""Formats that declare their label: ARFF tables, SVMlight rows, UEA time series (.ts)."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...errors import DataError
from ...values.arrays import Array
from ...values.domains import object_rows
from ...values.labels import Task
from ..cells import read_column
from ..dataset import Dataset
from ..limits import Limits, check_size, is_missing, parser_errors, shortened, stem, tamed
from ..table import Complete, Part, table_of, table_of_columns
from .files import File

#: A word, with or without quotation marks. Each alternative begins with another letter, so there is no backtracking.
_WORD = r"(?:'((?:[^'\\]|\\.)*+)'|\"((?:[^\"\\]|\\.)*+)\"|([^%s'\"][^%s]*+)?)"
#: One cell, with its number in a sparse line, and the mark after it.
_CELL = re.compile(r"\s*" + _WORD % (",", ",") + r"\s*(,|$)")
_SPARSE = re.compile(r"\s*+(\d{1,9})\s++" + _CELL.pattern)
_ATTRIBUTE = re.compile(r"@attribute\s++" + _WORD % (r"\s{", r"\s'\"{") + r"\s*+(.*)", re.IGNORECASE | re.DOTALL)
_KINDS = {"numeric": "numeric", "real": "numeric", "integer": "numeric", "string": "string", "date": "date"}


def read_arff(file: File) -> Part:
    """Return the table of an ARFF file: numeric, nominal, string and date attributes, '?' as a missing cell.

    A nominal attribute named class, or the last, is declared as what is predicted.

    Raises DataError, naming the line, for a line that does not fit the attributes, for an undeclared word, and beyond
    the limits.
    """
    name, limits = file.name, file.limits
    kinds: dict[str, str | dict[str, None]] = {}
    body: list[list[str]] = []
    weighted = below = False
    for number, line in enumerate(map(str.strip, file.text.split("\n")), start=1):
        if not line or line.startswith("%"):
            continue
        if below:
            check_size(name, len(body) + 1, len(kinds), limits, number)
            body.append(_row(line, kinds, f"{name}: line {number}"))
            weighted |= line.endswith("}") and not line.startswith("{")
        elif line[:5].lower() == "@data":
            below = True
        elif line[:9].lower() != "@relation":
            match = _ATTRIBUTE.match(line) if len(line) <= limits.letters else None
            title = "" if match is None else _word(*match.groups()[:3])
            if match is None or title in ("", *kinds):
                raise DataError(
                    f"{name}: line {number} is {shortened(line)}; expected @attribute, a new name and a type. Correct "
                    "the line."
                )
            kinds[title] = _kind(match[4].strip(), f"{name}: line {number}", limits.rows)
            check_size(name, 0, len(kinds), limits, number)
    if not (below and kinds):
        raise DataError(f"{name}: expected @attribute lines, @data, and rows of values. Download the file again.")
    notes = ("The weights of the rows are left out.",) if weighted else ()
    table = table_of(name, list(kinds), body, container="ARFF table", limits=limits, notes=notes)
    pairs = list(zip(table.columns, kinds.values(), strict=True))
    nominal = {cells.name: cells for cells, kind in pairs if isinstance(kind, dict)}
    label = next((name for name in nominal if name.lower() in ("class", "label", "target")), table.names[-1])
    words = {
        title: read_column(title, cells.raw, kind="word")
        for title, cells in nominal.items()
        if cells.kind not in ("empty", "word", "yes or no")
    }
    return replace(table.with_columns(words), declared={label: "predict"} if label in nominal else {})


def _word(single: str | None, double: str | None, bare: str | None) -> str:
    quoted = single if single is not None else double
    return (bare or "").strip() if quoted is None else re.sub(r"\\(.)", r"\1", quoted)


def _cells(text: str, who: str, most: int, cell: re.Pattern[str] = _CELL) -> list[list[str]]:
    """Return the cells of a line, at most `most`, each behind its number in a sparse line."""
    cells: list[list[str]] = []
    place = 0
    while True:
        match = cell.match(text, place)
        if match is None or len(cells) > most:
            raise DataError(
                f"{who} cannot be split into at most {most} cells near {shortened(text[place : place + 30])}. Close "
                "the quotation marks and separate cells by commas."
            )
        *number, single, double, bare, mark = match.groups()
        cells.append([*number, _word(single, double, bare)])
        place = match.end()
        if not mark or (place == len(text) and number):
            return cells


def _kind(words: str, who: str, most: int) -> str | dict[str, None]:
    """Return the type of an attribute, or its allowed words."""
    if words.startswith("{") and words.endswith("}"):
        return dict.fromkeys(cell for (cell,) in _cells(words[1:-1], who, most))
    kind = _KINDS.get(re.split(r"[\s\[]", words, maxsplit=1)[0].lower())  # real [0, 1]
    if kind is None:
        raise DataError(
            f"{who} has the type {shortened(words)}; expected numeric, string, date or words in braces. Correct it."
        )
    return kind


def _row(line: str, kinds: dict[str, str | dict[str, None]], who: str) -> list[str]:
    """Return the cells of a line, "" for missing ones; DataError where they do not fit the attributes."""
    if line.startswith("{") and line.endswith("}"):
        zeros = {"numeric": "0"}
        row = [next(iter(kind)) if isinstance(kind, dict) else zeros.get(kind, "") for kind in kinds.values()]
        for place, cell in _cells(line[1:-1].strip(), who, len(kinds), _SPARSE) if line[1:-1].strip() else ():
            if int(place) >= len(row):
                raise DataError(f"{who} has a value for attribute {place}; expected 0…{len(row) - 1}. Correct it.")
            row[int(place)] = cell
    else:
        row = [cell for (cell,) in _cells(line, who, len(kinds) + 1)]
        if len(row) == len(kinds) + 1 and row[-1].startswith("{"):
            row.pop()  # the weight of an instance
    if len(row) != len(kinds):
        raise DataError(f"{who} has {len(row)} cells; expected {len(kinds)}, one per attribute. Correct the line.")
    row = ["" if cell == "?" else cell for cell in row]
    for cell, (title, kind) in zip(row, kinds.items(), strict=True):
        if isinstance(kind, dict) and cell and cell not in kind:
            raise DataError(
                f"{who}: {shortened(title)} is {shortened(cell)}, which is not one of its declared values. Declare it, "
                "or correct the cell."
            )
    return row


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
    facts: dict[str, list[str]] = {}
    rows: list[Array] = []
    labels: list[str] = []
    numbers = 0
    for number, line in _data_lines(text, facts):
        if facts.get("timestamps", ["false"])[0] == "true":
            raise DataError(
                f"{name}: its series have time stamps; expected values at equally spaced times. Write each series "
                "as values alone, with @timeStamps false."
            )
        *channels, label = line.split(":") if _labelled(facts) else [*line.split(":"), ""]
        rows.append(_channels(channels, name, number))
        labels.append(label.strip())
        numbers += rows[-1].size
        _check(numbers, name, number, limits)
        if _labelled(facts) and (not channels or is_missing(labels[-1])):
            raise DataError(f"{name}: line {number} has no label behind the last colon; expected one. Add it.")
    y: Any = None
    task: Task | None = None
    if "targetlabel" in facts and facts["targetlabel"][0] == "true":
        y, task = np.array([_finite(word, name, "a target") for word in labels]), "regression"
    elif _labelled(facts):
        y, task = np.array(tamed(labels), dtype=np.str_), "classification"
    return Dataset(stem(name), name, "series", object_rows(rows), y=y, task=task, source=f"upload {name}")


def _labelled(facts: dict[str, list[str]]) -> bool:
    return any(facts.get(key, ["false"])[0] == "true" for key in ("classlabel", "targetlabel"))


def _data_lines(text: str, facts: dict[str, list[str]]) -> Iterator[tuple[int, str]]:
    """Yield number and text of the lines below @data; `facts` receives the keywords above, in small letters."""
    below = False
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if below:
            yield number, line
        elif line.lower().startswith("@data"):
            below = True
        elif line.startswith("@"):
            key, *values = line[1:].split() or [""]
            facts[key.lower()] = [value.lower() for value in values] or [""]


def _channels(channels: Sequence[str], name: str, number: int) -> Array:
    """Return the channels of one line as (length, channels); missing values at the end shorten a channel."""
    columns = []
    for channel in channels:
        words = channel.split(",")
        while words and is_missing(words[-1]):
            words.pop()
        columns.append([_finite(word, name, f"line {number}") for word in words])
    lengths = {len(column) for column in columns}
    if len(lengths) != 1 or 0 in lengths:
        raise DataError(
            f"{name}: line {number} has channels of {' and '.join(map(str, sorted(lengths))) or 'no'} values; expected "
            "equally many in each, and at least one. Cut them to one length."
        )
    return np.array(columns, dtype=np.float64).T


def _finite(word: str, name: str, where: str) -> float:
    try:
        value = float(word)
    except ValueError:
        value = np.nan
    if not np.isfinite(value):
        raise DataError(
            f"{name}: {where} has {shortened(word)}; expected finite numbers, missing ones only at the end. Fill the "
            "gap in, or cut the series there."
        )
    return value


def _check(numbers: int, name: str, number: int, limits: Limits) -> None:
    if numbers > limits.cells:
        raise DataError(
            f"{name}: line {number} brings it to {numbers} values; expected at most {limits.cells}. Draw a sample of "
            "the series."
        )
