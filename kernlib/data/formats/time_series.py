"""Time series: UEA's .ts, UCR's .tsv, and long tables with a line for each time."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence

import numpy as np

from ...errors import DataError
from ...values.arrays import Array
from ...values.domains import object_rows
from ...values.series import Series
from ..dataset import Dataset
from ..guesses import NUMERIC, Choice, Guess
from ..reading import Upload, of_rows, of_table
from ..table import TABLE_DOMAINS, Table
from ..tables import read_table
from ..uploads import Limits, decode, is_missing, sanitize_name, shortened, stem, tamed
from .base import File, Format, Head
from .contents import array_labels

_SERIES = "series"
_UCR = re.compile(r"_(train|test)\.(tsv|txt)(\.gz)?$", re.IGNORECASE)
#: Names of the columns of a long table, in small letters.
_IDS = frozenset({"id", "series", "series_id", "seriesid", "case", "case_id", "sample", "unit", "name", "instance"})
_TIMES = frozenset({"time", "t", "timestamp", "time_step", "timestep", "step", "dim_time"})


def _looks_like_ts(head: Head) -> str:
    marks = [line for line in head.lines if not line.startswith("#")]
    begins = marks and marks[0].lower().startswith(("@problemname", "@univariate", "@timestamps"))
    return "Begins with the keywords of UEA time series" if begins else ""


def _ts(file: File, reason: str) -> Upload:
    data = read_ts(decode(file.raw, file.name, "UEA time series"), file.name, file.limits)
    return of_rows(data, "UEA time series", reason, file.limits)


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
    y, task = None, None
    if "targetlabel" in facts and facts["targetlabel"][0] == "true":
        y, task = array_labels(np.array([_number(word, name, "a target") for word in labels]), len(rows), None, "")
        task = "regression"
    elif _labelled(facts):
        y, task = np.array(tamed(labels), dtype=np.str_), "classification"
    return Dataset(stem(name), name, _SERIES, object_rows(rows), y=y, task=task, source=f"upload {name}")


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
        columns.append([_number(word, name, f"line {number}") for word in words])
    lengths = {len(column) for column in columns}
    if len(lengths) != 1 or 0 in lengths:
        raise DataError(
            f"{name}: line {number} has channels of {' and '.join(map(str, sorted(lengths))) or 'no'} values; expected "
            "equally many in each, and at least one. Cut them to one length."
        )
    return np.array(columns, dtype=np.float64).T


def _number(word: str, name: str, where: str) -> float:
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


def _looks_like_ucr(head: Head) -> str:
    if not _UCR.search(head.name) or not head.lines:
        return ""
    cells = [re.split(r"\t|,|\s{2,}", line) for line in head.lines[:3]]
    numeric = all(len(row) > 4 and all(_is_number(cell) for cell in row) for row in cells)
    return "A label and the values of a series in each line, named as the UCR archive names it" if numeric else ""


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _ucr(file: File, reason: str) -> Upload | None:
    if file.domain not in (None, _SERIES):
        return None
    table = read_table(file.raw, file.name, header=False, limits=file.limits)
    first, *others = table.columns
    table = table.declared({
        first.name: ("label", "the first column of the UCR archive's files"),
        **{c.name: ("numeric", "a value of the series") for c in others},
    })  # fmt: skip
    upload = of_table(table, "UCR time series", reason, _SERIES, file.limits)
    rows = Choice("Read each line as a row of numbers", domain="vector")
    return dataclasses.replace(upload, file_guesses=(Guess("Each line is a time series behind its label.", (rows,)),))


def series_in(table: Table, file: File) -> Upload | None:
    """Return a long table as time series, one for each id; None for other tables.

    A column named as an id that repeats, one named as a time with different numbers for each id, columns of values,
    and perhaps a label that is one for each id.
    """
    if file.domain not in (None, _SERIES) or file.roles:
        return None
    by_name = {c.name.strip().lower(): c for c in table.columns}
    ids = [c for name, c in by_name.items() if name in _IDS and 1 < c.distinct <= table.n / 2]
    times = [c for name, c in by_name.items() if name in _TIMES]
    if len(ids) != 1 or len(times) != 1:
        return None
    names = [str(cell).strip() for cell in table.column(ids[0].name)]
    clock = [str(cell).strip() for cell in table.column(times[0].name)]
    values = [c for c in table.columns if c.role in NUMERIC and c not in (ids[0], times[0])]
    if not values or not all(map(_is_number, clock)):
        return None
    members: dict[str, list[int]] = {}
    for i, name in enumerate(names):
        members.setdefault(name, []).append(i)
    at = np.array(clock, dtype=np.float64)
    if any(len({*at[rows].tolist()}) < len(rows) for rows in members.values()):
        return None  # one id has two lines at one time
    order = [sorted(rows, key=lambda i: at[i]) for rows in members.values()]
    cells = np.column_stack([_column(table, c.name, file.name) for c in values])
    labels = [c for c in table.columns if c.role == "label"]
    y, task = None, None
    if labels:
        of_line = [str(cell).strip() for cell in table.column(labels[0].name)]
        mixed = next((rows for rows in order if len({of_line[i] for i in rows}) > 1), None)
        if mixed is not None:
            return None  # the label changes over time
        words = [of_line[rows[0]] for rows in order]
        whole = all(map(_is_number, words))
        given = np.array([float(w) for w in words]) if whole else np.array(words, dtype=np.str_)
        y, task = array_labels(given, len(order), None, file.name)
    series = object_rows([Series(cells[rows]) for rows in order])
    data = Dataset(
        stem(file.name), file.name, _SERIES, series, y=y, task=task,
        ids=tuple(map(sanitize_name, members)), source=f"upload {file.name}",
        note=f"One series for each {shortened(ids[0].name)}, in the order of {shortened(times[0].name)}.",
    )  # fmt: skip
    sentence = f"The lines of each {shortened(ids[0].name)} are one time series of {len(values)} "
    sentence += f"{'channel' if len(values) == 1 else 'channels'}."
    rows = Choice("Read each line as a row of its own", domain="vector")
    upload = of_rows(data, "Long table of time series", "A line for each time of each series.", file.limits)
    return dataclasses.replace(
        upload, domains=(_SERIES, *(d for d in TABLE_DOMAINS if d != _SERIES)), file_guesses=(Guess(sentence, (rows,)),)
    )


def _column(table: Table, column: str, name: str) -> Array:
    cells = [str(cell).strip() for cell in table.column(column)]
    bad = next((i for i, cell in enumerate(cells) if not _is_number(cell) or not np.isfinite(float(cell))), None)
    if bad is not None:
        raise DataError(
            f"{name}: data row {bad + 1} has {shortened(cells[bad])} in column {shortened(column)}; expected a finite "
            "number at every time of a series. Fill the gap in, or leave the line out."
        )
    return np.array(cells, dtype=np.float64)


UEA = Format("UEA time series", ("ts",), _looks_like_ts, _ts)
UCR = Format("UCR time series", ("tsv", "txt"), _looks_like_ucr, _ucr)
