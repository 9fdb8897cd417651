"""SVMlight files, lines of ``label number:value …``, by scikit-learn once their size is known."""

from __future__ import annotations

import io
import re
from itertools import pairwise

from ...errors import DataError
from ..table import Part, table_of_columns
from ..uploads import check_size, number_of, parser_errors, shortened
from .base import Container, File

_NUMBER = r"[+-]?(?:\d{1,40}(?:\.\d{0,40})?|\.\d{1,40})(?:[eE][+-]?\d{1,3})?"
_LINE = re.compile(rf"{_NUMBER}(?:[ \t]+qid:\d{{1,18}})?(?:[ \t]+\d+:{_NUMBER})*[ \t]*(?:#.*)?", re.ASCII)
_QUERY = re.compile(r"[ \t]qid:(\d+)", re.ASCII)
_INDEX = re.compile(r"[ \t](\d+):", re.ASCII)


def _is_svmlight(file: File) -> bool:
    """Return whether each line is a label and number:value pairs; a row of zeros is its label alone."""
    lines = [line for line in file.lines if not line.startswith("#")][:50]
    pairs = [re.match(r"\S+(\s+(qid|\d+):\S+)+", line) for line in lines]
    fits = all(pair or number_of(line.split("#")[0]) is not None for line, pair in zip(lines, pairs, strict=True))
    return bool(fits and any(pairs))


def _svmlight(file: File) -> Part:
    """Return the table of an SVMlight file; a column that a line leaves out is 0 there.

    Raises DataError, naming the line, for a line of another form, and for more rows, columns or cells than allowed,
    counted before the numbers are read.
    """
    name, limits = file.name, file.limits
    text = file.text
    rows = columns = highest = 0
    lowest = 1
    kept: list[str] = []
    queries: list[str] = []
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if _LINE.fullmatch(line) is None:
            raise DataError(
                f"{name}: line {number} is {shortened(line)}; expected a label and number:value pairs, e.g. "
                "'+1 1:0.5 3:2'. Correct the line; without labels write 0 in front of each."
            )
        kept.append(line.split("#")[0])
        queries += _QUERY.findall(kept[-1])
        numbers = [int(match[:12]) for match in _INDEX.findall(kept[-1])]
        if any(b <= a for a, b in pairwise(numbers)):
            raise DataError(f"{name}: line {number} has column numbers out of order; expected rising ones. Sort them.")
        rows += 1
        highest, lowest = max([highest, *numbers]), min([lowest, *numbers])
        columns = highest + (lowest == 0)
        check_size(name, rows, columns, limits, number)
    if rows < 2 or not columns:
        raise DataError(f"{name}: at least two rows with a column are needed; got {rows}. Add rows.")
    if queries and len(queries) != rows:
        raise DataError(
            f"{name}: {len(queries)} of {rows} lines have a qid:; expected it in all or in none. Add the missing ones."
        )
    from sklearn.datasets import load_svmlight_file

    stream = io.BytesIO("\n".join(kept).encode())
    with parser_errors(f"{name}: the SVMlight file cannot be read", "Write it again."):
        X, y = load_svmlight_file(stream, n_features=columns, zero_based=lowest == 0)
    words = [line.split(None, 1)[0] for line in kept]
    whole = all(word.lstrip("+-").isdigit() for word in words)
    table = [words if whole else y, *([queries] if queries else []), *X.toarray().T]
    names = ["label", *(["qid"] if queries else []), *(str(j + lowest) for j in range(X.shape[1]))]
    declared = {"label": "predict"} | ({"qid": "group"} if queries else {})
    return table_of_columns(name, names, table, container="SVMlight rows", declared=declared, limits=limits)


SVMLIGHT = Container("SVMlight", _is_svmlight, _svmlight)
