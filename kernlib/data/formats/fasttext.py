"""Texts with fastText's labels: lines that begin with ``__label__NAME``."""

from __future__ import annotations

from ...errors import DataError
from ..guesses import Guess
from ..reading import Upload, of_table
from ..tables import table_of
from ..uploads import check_size, too_long
from .base import File, Format, Head

_MARK = "__label__"


def _looks_like_fasttext(head: Head) -> str:
    """Return why a file is fastText's, https://fasttext.cc/docs/en/supervised-tutorial.html; "" for others."""
    return f"Lines that begin with {_MARK}" if head.lines and all(line.startswith(_MARK) for line in head.lines) else ""


def _fasttext(file: File, reason: str) -> Upload:
    """Return the texts with the first label of each; further labels are counted in a guess."""
    more, rows = 0, list[list[str]]()
    for number, line in enumerate(file.text.splitlines(), start=1):
        words = line.split()
        if not words:
            continue
        labels = [word.removeprefix(_MARK) for word in words if word.startswith(_MARK)]
        if not words[0].startswith(_MARK) or not labels[0]:
            raise DataError(f"{file.name}: line {number} does not begin with {_MARK}NAME. Add its label.")
        check_size(file.name, len(rows) + 1, 2, file.limits, number)
        if long := too_long([line], file.limits):
            raise DataError(f"{file.name}: line {number}, {long}")
        more += len(labels) > 1
        rows.append([labels[0], " ".join(word for word in words if not word.startswith(_MARK))])
    table = table_of(file.name, ["label", "text"], rows).declared(
        {"label": ("label", f"behind {_MARK}"), "text": ("text", "the rest of each line")}
    )
    guess = Guess(f"{more} lines have several labels; the first one counts.", question=True)
    return of_table(table, "fastText", reason, file.domain, file.limits, (guess,) if more else ())


FASTTEXT = Format("fastText", ("txt", "train", "test", "valid"), _looks_like_fasttext, _fasttext)
