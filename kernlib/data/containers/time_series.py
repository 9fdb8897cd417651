"""Time series as the UEA archive writes them (.ts)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ...errors import DataError
from ...values.arrays import Array
from ...values.domains import object_rows
from ...values.labels import Task
from ..dataset import Dataset
from ..table import Complete, Part
from ..uploads import Limits, is_missing, shortened, stem, tamed
from .base import Container, File


def _is_ts(file: File) -> bool:
    marks = [line for line in file.lines if not line.startswith("#")]
    return bool(marks) and marks[0].lower().startswith(("@problemname", "@univariate", "@timestamps"))


def _ts(file: File) -> Part:
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
        y, task = np.array([_number(word, name, "a target") for word in labels]), "regression"
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


UEA = Container("UEA time series", _is_ts, _ts)
