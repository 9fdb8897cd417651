"""Formats that declare what they hold: FASTA strings, ARFF tables, SVMlight rows, UEA time series (.ts)."""

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
from ..files import File, Limits, check_size, counted, is_missing, number_of, parser_errors, shortened, stem, tamed
from ..table import Table, table_of, table_of_columns

_DROPPED = str.maketrans("", "", "0123456789 \t\n")


def read_fasta(file: File) -> Table:
    """Return the records of FASTA: id, sequence, and the words of the headers, of which the second can be labels.

    Letters become upper case, and insertions of A3M are left out.
    """
    headers, joined = _records(file)
    notes = []
    solid = ["".join(c for c in word if not c.islower() and c != ".") for word in joined]
    if solid != joined and "-" in "".join(solid) and len({*map(len, solid)}) == 1 and any(map(str.isupper, solid)):
        joined = solid
        notes.append("Lower-case letters are insertions of an A3M alignment and are left out.")
    if any("-" in word for word in joined):
        same = len({*map(len, joined)}) == 1
        notes.append(f"{'The sequences are aligned; gaps' if same else 'Gaps'} (-) are compared like letters.")
    words = [[*header.split(None, 2), "", "", ""][:3] for header in headers]
    ids, second, third = (list(column) for column in zip(*words, strict=True))
    columns = {"id": [word or str(i + 1) for i, word in enumerate(ids)], "sequence": [w.upper() for w in joined]}
    declared = {"id": "id", "sequence": "compared"}
    if any(second):
        # They can be classes where there are two or more, each with more than one row on average.
        classes = "" not in second and 1 < len({*second}) < len(second) and len({*second}) <= max(2, len(second) // 2)
        columns["second word"] = second
        declared["second word"] = "predict" if classes and not any(third) else "left out"
    if any(third):
        columns["description"] = [f"{a} {b}".strip() for a, b in zip(second, third, strict=True)]
        declared["description"] = "left out"
    return table_of_columns(
        file.name,
        list(columns),
        list(columns.values()),
        container="FASTA",
        declared=declared,
        notes=tuple(notes),
        limits=file.limits,
    )


def _records(file: File) -> tuple[list[str], list[str]]:
    """Return the headers and the strings of the records; lines with ; in front are comments, above them also with #."""
    above, *records = re.split(r"(?m)^>", re.sub(r"(?m)^;.*", "", file.text))
    check_size(file.name, len(records), 1, file.limits)
    if re.sub(r"(?m)^#.*", "", above).strip():
        raise DataError(f"{file.name}: there are letters before the first '>' line. Begin with a header.")
    headers, strings = list[str](), list[str]()
    for number, record in enumerate(records, start=1):
        header, _, letters = record.partition("\n")
        headers.append(header.strip()[: file.limits.letters])
        strings.append(letters.translate(_DROPPED))
        wrong = re.search(r"[^A-Za-z*\-.]", strings[-1])
        if wrong or not strings[-1]:
            why = f"holds {wrong[0]!r}; expected letters" if wrong else "has no letters"
            raise DataError(f"{file.name}: record {number}, {shortened(headers[-1])}, {why}. Correct or remove it.")
    return headers, strings


_ATTRIBUTE = re.compile(r"@attribute\s+('[^']*'|\"[^\"]*\"|[^\s'\"{]+)\s*(.*)", re.IGNORECASE)


def read_arff(file: File) -> Table:
    """Return the table of an ARFF file, '?' as a missing cell; nominal attributes hold words.

    A nominal attribute named class, or the last, is declared as what is predicted.

    Raises DataError, naming the line, for a line that does not fit the attributes, for a sparse row, and beyond the
    limits.
    """
    name, limits = file.name, file.limits
    attributes: list[tuple[str, str]] = []
    body: list[list[str]] = []
    below = False
    for number, line in enumerate(map(str.strip, file.text.split("\n")), start=1):
        where = f"{name}: line {number}"
        if not line or line.startswith("%") or line[:9].lower() == "@relation":
            continue
        if below:
            check_size(name, len(body) + 1, line.count(",") + 1, limits, number)  # before it is split
            body.append(_cells(line, len(attributes), where))
        elif line[:5].lower() == "@data":
            below = True
        elif match := _ATTRIBUTE.fullmatch(line):
            attributes.append((match[1].strip("'\""), match[2]))
        else:
            raise DataError(f"{where} is {shortened(line)}; expected @attribute, a name and a type. Correct the line.")
    if not (below and attributes):
        raise DataError(f"{name}: expected @attribute lines, @data, and rows of values. Download the file again.")
    names, kinds = zip(*attributes, strict=True)
    table = table_of(name, names, body, container="ARFF table", limits=limits)
    nominal = [cells for cells, kind in zip(table.columns, kinds, strict=True) if kind.startswith("{")]
    label = next((c.name for c in nominal if c.name.lower() in ("class", "label", "target")), table.names[-1])
    words = {
        c.name: read_column(c.name, c.raw, kind="word") for c in nominal if c.kind not in ("empty", "word", "yes or no")
    }
    declared = {c.name: "predict" for c in nominal if c.name == label}
    return replace(table.with_columns(words), declared=declared)


def _cells(line: str, width: int, where: str) -> list[str]:
    """Return the cells of a line, in single or double quotation marks where they hold a comma; "" for missing ones."""
    if line.startswith("{"):
        raise DataError(f"{where} is a sparse row, which is not read. Write all cells, for example in Weka.")
    mark = '"' if '"' in line and "'" not in line else "'"
    with parser_errors(f"{where} cannot be split into cells", "Close the quotation marks."):
        row = next(csv.reader([line], quotechar=mark, escapechar="\\", skipinitialspace=True, strict=True))
    if len(row) != width:
        raise DataError(
            f"{where} has {counted(len(row), 'cell')}; expected {width}, one per attribute. Correct the line."
        )
    return ["" if cell.strip() == "?" else cell.strip() for cell in row]


def read_svmlight(file: File) -> Table:
    """Return the table of an SVMlight file, as scikit-learn reads it; a column that a line leaves out is 0 there."""
    name, limits = file.name, file.limits
    from sklearn.datasets import load_svmlight_file

    if re.search(r"(?m)^[^#\n]*\sqid:", file.text):
        raise DataError(f"{name}: its lines have a qid:, which is not read. Leave it out, or write a table.")
    damaged = parser_errors(
        f"{name}: the SVMlight file cannot be read", "Each line needs a label and rising number:value pairs."
    )
    with damaged:
        X, y = load_svmlight_file(io.BytesIO(file.text.encode()))
    check_size(name, X.shape[0], X.shape[1], limits)
    zero_based = re.search(r"(?m)^[^#\n]*\s0:", file.text) is not None
    return table_of_columns(
        name,
        ["label", *(str(j + (not zero_based)) for j in range(X.shape[1]))],
        [y, *X.toarray().T],
        container="SVMlight rows",
        declared={"label": "predict"},
        limits=limits,
    )


def read_uea(file: File) -> Table:
    data = read_ts(file.text, file.name, file.limits)
    return Table(file.name, "UEA time series", data=data, why="The file declares its series and their labels.")


def read_ts(text: str, name: str, limits: Limits) -> Dataset:
    """Return the series of a UEA file with their labels; DataError, with the line, for what it cannot hold."""
    head, body = [*re.split(r"(?im)^[ \t]*@data(?:[ \t].*)?$\n?", text, maxsplit=1), ""][:2]
    facts = dict(re.findall(r"(?m)^[ \t]*@(\w+)[ \t]+(\S+)", head.lower()))
    if facts.get("timestamps") == "true":
        raise DataError(
            f"{name}: its series have time stamps; expected values at equally spaced times. Write each series as "
            "values alone, with @timeStamps false."
        )
    rows: list[Array] = []
    labels: list[str] = []
    numbers = 0
    for number, line in enumerate(map(str.strip, body.split("\n")), start=head.count("\n") + 2):
        if not line or line.startswith(("@", "#")):
            continue
        where, channels = f"{name}: line {number}", line.split(":")
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
        y, task = np.array([number_of(word) for word in labels], dtype=np.float64), "regression"
    elif labels:
        y, task = np.array(tamed(labels), dtype=np.str_), "classification"
    return Dataset(stem(name), name, "series", object_rows(rows), y=y, task=task, source=f"upload {name}")


def _channels(channels: Sequence[str], where: str) -> Array:
    """Return the channels of one line as (length, channels), without missing values at the end."""
    with parser_errors(f"{where} has channels of different lengths, or words", "Correct the line."):
        words = [channel.split(",") for channel in channels]
        values = np.array([[np.nan if is_missing(word) else float(word) for word in row] for row in words]).T
    known = np.flatnonzero((~np.isnan(values)).any(axis=1))
    return values[: known[-1] + 1 if len(known) else 0]
