"""SVMlight files, lines of ``label number:value …``, by scikit-learn once their size is known."""

from __future__ import annotations

import io
import re
from itertools import pairwise

import numpy as np

from ...errors import DataError
from ..dataset import Dataset
from ..guesses import Guess
from ..reading import Upload, of_rows
from ..uploads import (
    LIMITS,
    Limits,
    Source,
    check_size,
    content,
    decode,
    number_of,
    parser_errors,
    shortened,
    stem,
)
from .base import File, Format, Head
from .contents import Square, array_labels, of_square, whole_labels

_NUMBER = r"[+-]?(?:\d{1,40}(?:\.\d{0,40})?|\.\d{1,40})(?:[eE][+-]?\d{1,3})?"
_LINE = re.compile(rf"{_NUMBER}(?:[ \t]+qid:\d{{1,18}})?(?:[ \t]+\d+:{_NUMBER})*[ \t]*(?:#.*)?", re.ASCII)
_QUERY = re.compile(r"[ \t]qid:(\d+)", re.ASCII)
_INDEX = re.compile(r"[ \t](\d+):", re.ASCII)


def looks_like_svmlight(head: Head) -> str:
    """Return the reason if each line is a label and number:value pairs; a row of zeros is its label alone.

    >>> looks_like_svmlight(Head("t", b"+1 1:0.5 7:2\\n-1\\n")), looks_like_svmlight(Head("t", b"1 2\\n3 4\\n"))
    ('Lines of a label and number:value pairs', '')
    """
    lines = [line for line in head.lines if not line.startswith("#")][:50]
    pairs = [re.match(r"\S+(\s+(qid|\d+):\S+)+", line) for line in lines]
    fits = all(pair or number_of(line.split("#")[0]) is not None for line, pair in zip(lines, pairs, strict=True))
    return "Lines of a label and number:value pairs" if fits and any(pairs) else ""


def read_svmlight(source: Source, name: str | None = None, *, limits: Limits = LIMITS) -> Dataset:
    """Return vector rows from an SVMlight file; a column that a line leaves out is 0 there.

    Parameters: as for `read_table`.

    Raises DataError, naming the line, for a line of another form, and for more rows, columns or cells than allowed,
    counted before the numbers are read.

    >>> read_svmlight(b"+1 1:0.5 3:2\\n-1 2:1\\n").rows.tolist()
    [[0.5, 0.0, 2.0], [0.0, 1.0, 0.0]]
    """
    raw, name = content(source, name, limits)
    text = decode(raw, name, "SVMlight text")
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
    labels, task = whole_labels(map(int, words)) if whole else array_labels(y, rows, None, name)
    return Dataset(
        stem(name), name, "vector", X.toarray(), y=labels, task=task, source=f"upload {name}",
        groups=tuple(queries) or None,
        note="Rows with the same qid belong together." if queries else "",
    )  # fmt: skip


def _svmlight(file: File, reason: str) -> Upload:
    data = read_svmlight(file.raw, file.name, limits=file.limits)
    guesses: tuple[Guess, ...] = ()
    if data.groups is not None:
        sentence = f"The rows belong to {len(set(data.groups))} queries (qid); the rows of a query are one group."
        guesses = (Guess(sentence),)
    X = data.rows
    if (
        file.domain != "vector"
        and data.n > 2
        and np.array_equal(X[:, 0], np.arange(1, data.n + 1))
        and re.match(r"\S+[ \t]+0:", file.head.text)
    ):
        # LIBSVM's -t 4: 0:serial 1:K(x, x₁) 2:K(x, x₂) …
        if X.shape[1] != data.n + 1:
            raise DataError(
                f"{file.name}: 0: counts the lines, as in LIBSVM's files of kernel values, and each line has "
                f"{X.shape[1] - 1} values; expected {data.n}, one for each line. Give the values between training "
                "rows; or remove 0: from each line where these are features."
            )
        classes = data.labels if data.task == "classification" else data.y
        square = Square(file.name, X[:, 1:], y=np.asarray(classes))
        return of_square(square, "Kernel values of LIBSVM", file.domain, file.limits, guesses)
    return of_rows(data, "SVMlight", reason, file.limits, guesses)


SVMLIGHT = Format("SVMlight", ("svmlight", "libsvm", "svm", "dat", "txt"), looks_like_svmlight, _svmlight)
