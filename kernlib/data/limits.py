"""What all readers of files share: limits, errors that name the place, numbers and missing cells, names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..errors import DataError

#: The words for a missing cell, in small letters; "none" is an ordinary word, Python's "None" is missing.
_MISSING = "na n/a n.a. nan null ? -nan #n/a #na <na> nat . #null! #value! #div/0! #ref! #num! #name? #error!"
MISSING = frozenset(["", *_MISSING.split()])


@dataclass(frozen=True)
class Limits:
    """The largest file that is read; every reader checks all of them before it allocates memory for more.

    Parameters
    ----------
    bytes : of the file; `unpacked`, of the content of an archive; `members`, files in an archive.
    rows, columns, cells : of a table or an array; `sheet`, cells of an Excel sheet, which take ten times as long.
    letters : of one cell, sequence or text.
    side : rows of a square matrix, nodes of a graph.
    least : the fewest rows; one is enough where a machine has training rows.

    >>> Limits(rows=100).rows
    100
    """

    bytes: int = 80 * 2**20
    rows: int = 500_000
    columns: int = 10_000
    cells: int = 5_000_000
    sheet: int = 1_000_000
    letters: int = 200_000
    side: int = 3_000  # as 64-bit numbers, 72 MB
    members: int = 20_000
    unpacked: int = 100 * 2**20
    least: int = 2

    def words(self) -> str:
        """Return the limits as a sentence.

        >>> LIMITS.words()[:60]
        'At most 80 MB (100 MB unpacked), 500,000 rows, 10,000 column'
        """
        return (
            f"At most {self.bytes // 2**20} MB ({self.unpacked // 2**20} MB unpacked), {self.rows:,} rows, "
            f"{self.columns:,} columns, {self.cells:,} cells ({self.sheet:,} in an Excel sheet), {self.letters:,} "
            f"letters per cell, {self.side:,} rows of a square matrix or nodes of a graph, {self.members:,} files in "
            "an archive."
        )


LIMITS = Limits()


def content(raw: bytes | Path, name: str, limits: Limits) -> bytes:
    """Return the content of a file, never more than the limit; DataError for a larger file or an empty one."""
    if isinstance(raw, Path):
        path = raw
        try:
            with path.open("rb") as stream:
                raw = stream.read(limits.bytes + 1)
        except OSError as error:
            raise DataError(f"{path}: the file cannot be read, {error.strerror or error}. Check the path.") from None
    if len(raw) > limits.bytes:
        most = size_words(limits.bytes)
        raise DataError(f"{name}: the file is larger than {most}, the maximum. Draw a sample of its rows.")
    if not raw.strip():
        raise DataError(f"{name}: the file is empty; expected rows of values. Choose another file.")
    return raw


def check_names(names: Sequence[str]) -> None:
    """Check that the names of several files differ."""
    if len({*names}) < len(names):
        raise DataError(f"{names[0][:100]}: two files have the same name; expected different ones. Rename one of them.")


def size_words(count: int) -> str:
    """Return a number of bytes as text."""
    return f"{count / 2**20:.3g} MB" if count >= 2**20 else f"{count} bytes"


def counted(number: int, what: str) -> str:
    """Return a number of things as text.

    >>> counted(1, "row"), counted(35, "row")
    ('1 row', '35 rows')
    """
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def check_size(name: str, rows: int, columns: int, limits: Limits, line: int | None = None) -> None:
    """Check that a table is within the limits; DataError says in which line it goes beyond them.

    >>> check_size("t.csv", 3, 2, Limits(rows=2), line=4)
    Traceback (most recent call last):
    kernlib.errors.DataError: t.csv: line 4 brings it to 3 rows of 2 columns; expected at most 2 rows, ...
    """
    if rows > limits.rows or columns > limits.columns or rows * columns > limits.cells:
        begin = "it has" if line is None else f"line {line} brings it to"
        raise DataError(
            f"{name}: {begin} {rows} rows of {columns} columns; expected at most {limits.rows} rows, {limits.columns} "
            f"columns and {limits.cells} cells. Draw a sample, or leave columns out."
        )


def check_letters(name: str, cells: Sequence[str], total: int, limits: Limits, where: str) -> int:
    """Return how many letters there are with those of these cells; DataError for too many in one of them or in all."""
    sizes = list(map(len, cells))
    total += sum(sizes)
    longest, most = max(sizes, default=0), max(limits.bytes, limits.unpacked)
    if longest > limits.letters:
        raise DataError(
            f"{name}: {where} has a cell of {longest} letters; expected at most {limits.letters}. Shorten it; if it "
            "spans several lines, close the quotation mark above it."
        )
    if total > most:  # many cells may be one word in memory
        raise DataError(
            f"{name}: its cells up to {where} hold {total} letters; expected at most {most}. Shorten the cells, or "
            "leave columns out."
        )
    return total


@contextmanager
def optional_import(reads: str, extra: str, instead: str) -> Iterator[None]:
    """Turn an ImportError into a DataError that names the extra of kernlib to install.

    >>> with optional_import("t.xlsx: spreadsheets are read by openpyxl", "excel", "save the sheet as CSV UTF-8"):
    ...     import openpyxl.no_such_module
    Traceback (most recent call last):
    kernlib.errors.DataError: t.xlsx: spreadsheets are read by openpyxl, which is not installed here. Next: ...
    """
    try:
        yield
    except ImportError:
        raise DataError(
            f"{reads}, which is not installed here. Next: pip install 'kernlib[{extra}]', or {instead}."
        ) from None


@contextmanager
def parser_errors(what: str, advice: str) -> Iterator[None]:
    """Turn errors of another library's parser into a DataError with that error's message.

    >>> with parser_errors("t.json: it is not JSON", "Correct it."):
    ...     int("x")
    Traceback (most recent call last):
    kernlib.errors.DataError: t.json: it is not JSON (invalid literal for int() with base 10: 'x'). Correct it.
    """
    try:
        yield
    except DataError:
        raise
    except Exception as error:  # such parsers raise whatever a broken file leads them to
        raise DataError(f"{what} ({error_text(error)}). {advice}") from None


def packed(cells: Any) -> npt.NDArray[Any]:
    """Return words as an array of NumPy's strings of any length."""
    try:
        return np.array(cells, dtype=np.dtypes.StringDType())
    except UnicodeEncodeError:  # half of a surrogate pair, as JSON may spell one, has no place in UTF-8
        whole = np.array(cells, dtype=object)
        flat = [str(cell).encode("utf-8", "replace").decode() for cell in whole.ravel().tolist()]
        return np.array(flat, dtype=np.dtypes.StringDType()).reshape(whole.shape)


def is_missing(cell: object) -> bool:
    word = cell.strip() if isinstance(cell, str) else str(cell).strip()
    # Tables have millions of cells: most are too long for any of these.
    return (len(word) < 5 or (word[0] == "#" and len(word) < 9)) and (word.lower() in MISSING or word == "None")


#: Without backtracking: \d+\.?\d* would try every division of a long row of digits before it fails.
NUMBER = re.compile(r"[+-]?(\d+(?:\.\d*)?|\.\d+)([eE][+-]?\d+)?|[+-]?(inf|infinity|nan)", re.IGNORECASE)


def number_of(cell: object) -> float | None:
    """Return the number that a cell spells in ASCII (no underscores, no other digits), or None."""
    word = str(cell).strip()
    return float(word) if word.isascii() and NUMBER.fullmatch(word) else None


def shortened(cell: object) -> str:
    words = repr(str(cell))
    return words if len(words) <= 60 else words[:57] + "…'"


#: Marks that change the reading direction of the text beside them, and other letters without a shape.
_SHAPELESS = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def sanitize_name(text: object, limit: int = 200) -> str:
    """Return a name as one short line: no control or direction marks, at most `limit` letters.

    >>> sanitize_name("a\u202eb\tc")
    'ab c'
    """
    raw = str(text)[: 8 * limit]
    kept = "".join(" " if c.isspace() else c for c in raw if c.isspace() or unicodedata.category(c) not in _SHAPELESS)
    kept = kept.strip()
    return kept if len(kept) <= limit and len(str(text)) <= 8 * limit else kept[: limit - 1] + "…"


def tamed(words: Sequence[str]) -> list[str]:
    """Return names cleaned by `sanitize_name`; names that become equal get numbers and stay different.

    >>> tamed(["a", "a\u202e", "a"])
    ['a', 'a (2)', 'a']
    """
    chosen: dict[str, str] = {}
    taken: set[str] = set()
    for word in sorted(set(words)):
        stem = sanitize_name(word) or "?"
        name, k = stem, 1
        while name in taken:
            k += 1
            name = f"{stem} ({k})"
        chosen[word] = name
        taken.add(name)
    return [chosen[word] for word in words]


def error_text(error: BaseException) -> str:
    """Return another library's error message, shortened to one line."""
    return sanitize_name(error, 120) or type(error).__name__


def listed(words: Any) -> str:
    words = [sanitize_name(word, 80) for word in words]
    return ", ".join(words[:12]) + (", …" if len(words) > 12 else "")


def stem(name: str) -> str:
    """Return a file's name without folders and endings, as the name of a data set.

    >>> stem("a/iris.csv.gz"), stem(".csv")
    ('iris', 'upload')
    """
    return Path(name).name.split(".")[0] or "upload"
