"""Read the bytes, the text, the lines and the cells of uploads within limits, with errors that name the place."""

from __future__ import annotations

import codecs
import re
import struct
import tokenize
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from ..errors import DataError
from .foreign import kind_of

Source = bytes | str | Path | BinaryIO

#: The words for a missing cell, in small letters; "none" is an ordinary word, Python's "None" is missing.
MISSING = frozenset({
    "", "na", "n/a", "n.a.", "nan", "null", "?", "-nan", "#n/a", "#na", "<na>", "nat", ".",
    "#null!", "#value!", "#div/0!", "#ref!", "#num!", "#name?", "#error!",
})  # fmt: skip


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


def content(source: Source, name: str | None, limits: Limits) -> tuple[bytes, str]:
    """Return the content, never more than the limit, and what to call it."""
    if isinstance(source, (str, Path)):
        path = Path(source)
        name = name or path.name
        try:
            with path.open("rb") as stream:
                raw = stream.read(limits.bytes + 1)
        except OSError as error:
            raise DataError(f"{path}: the file cannot be read, {error.strerror or error}. Check the path.") from None
    elif isinstance(source, (bytes, bytearray, memoryview)):
        name = name or "upload"
        raw = bytes(source[: limits.bytes + 1])
    elif hasattr(source, "read"):
        name = name or Path(str(getattr(source, "name", "upload"))).name
        raw = source.read(limits.bytes + 1)
        if not isinstance(raw, bytes):
            raise DataError(f"{name}: expected a file opened for bytes; got text. Open it with mode 'rb'.")
    else:
        raise DataError(f"{name or 'upload'}: expected bytes, a path or a binary file; got {type(source).__name__}.")
    if len(raw) > limits.bytes:
        most = size_words(limits.bytes)
        raise DataError(f"{name}: the file is larger than {most}, the maximum. Draw a sample of its rows.")
    if not raw.strip():
        raise DataError(f"{name}: the file is empty; expected rows of values. Choose another file.")
    return raw, name


def size_words(count: int) -> str:
    """Return a number of bytes as text.

    >>> size_words(3 * 2**20), size_words(900)
    ('3 MB', '900 bytes')
    """
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


def too_long(cells: Sequence[str], limits: Limits) -> str:
    """Return a sentence about the first cell with too many letters; "" if there is none.

    >>> too_long(["ab", "abc"], Limits(letters=2))
    'column 2 has 3 letters; expected at most 2. Shorten the cell.'
    """
    if max(map(len, cells), default=0) <= limits.letters:
        return ""
    j, cell = next((j, cell) for j, cell in enumerate(cells, start=1) if len(cell) > limits.letters)
    return f"column {j} has {len(cell)} letters; expected at most {limits.letters}. Shorten the cell."


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


#: The errors that parsers of other libraries raise for a broken file.
_BROKEN = (
    ArithmeticError, AssertionError, AttributeError, EOFError, LookupError, MemoryError, OSError, RuntimeError,
    StopIteration, SyntaxError, TypeError, ValueError, Warning, struct.error, tokenize.TokenError, zipfile.BadZipFile,
    zlib.error,
)  # fmt: skip


@contextmanager
def parser_errors(what: str, advice: str, *more: type[Exception]) -> Iterator[None]:
    """Turn errors of another library's parser, and of the types `more`, into a DataError with that error's message.

    >>> with parser_errors("t.json: it is not JSON", "Correct it."):
    ...     int("x")
    Traceback (most recent call last):
    kernlib.errors.DataError: t.json: it is not JSON (invalid literal for int() with base 10: 'x'). Correct it.
    """
    broken: tuple[type[BaseException], ...] = (*_BROKEN, *more)
    try:
        yield
    except DataError:
        raise
    except broken as error:
        raise DataError(f"{what} ({error_text(error)}). {advice}") from None


#: Files that other readers take, by their first bytes.
_NO_TEXT = (
    (b"PK\x03\x04", "a zip archive or spreadsheet"), (b"PK\x05\x06", "a zip archive"), (b"\x93NUMPY", "a NumPy array"),
    (b"\x1f\x8b", "a gzip archive"), (b"PAR1", "a Parquet table"), (b"MATLAB 5.0", "a MATLAB file"),
)  # fmt: skip


def decode(raw: bytes, name: str, expected: str = "CSV or TSV text") -> str:
    """Return the text, from UTF-8, or from UTF-16 with its mark; see `with_line_ends`.

    Raises DataError with the recognised format, or the line that is not UTF-8.

    >>> decode("é;1".encode("utf-16"), "t.csv"), decode(b"a,b", "t.csv")
    ('é;1', 'a,b')
    """
    kind = kind_of(raw[:8192])
    what, step = kind or (not_text(raw), "Save it as text")
    if what:
        raise DataError(f"{name}: it is {what}, despite its name; expected {expected}. {step}.")
    wide = raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) and not raw.startswith(codecs.BOM_UTF32_LE)
    try:
        text = raw.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError as error:
        if wide:
            raise DataError(f"{name}: byte {error.start} breaks its UTF-16. Save the file as UTF-8.") from None
        if is_binary(raw):
            raise _unknown(raw, name, expected) from None
        line = raw.count(b"\n", 0, error.start) + 1
        raise DataError(
            f"{name}: line {line} is not UTF-8 (byte {raw[error.start]:#04x} at {error.start}). "
            "Save the file as UTF-8 ('CSV UTF-8' in a spreadsheet)."
        ) from None
    if "\0" in text:
        if is_binary(raw):
            raise _unknown(raw, name, expected)
        line = text.count("\n", 0, text.index("\0")) + 1
        raise DataError(f"{name}: line {line} holds a zero byte; expected {expected}. Save it in UTF-8.")
    text = with_line_ends(text)
    if re.match(r"\s*<(!doctype|html|\?xml)", text[:8192], re.IGNORECASE):
        raise DataError(f"{name}: it is a web page or XML, despite its name; expected {expected}. Save it as text.")
    return text


#: What some readers take for line ends, and other readers for letters.
_ODD_ENDS = "\v\f\x1c\x1d\x1e\x85\u2028\u2029"


def with_line_ends(text: str) -> str:
    """Return text without a byte-order mark whose lines end with a line feed; other marks of a line's end are blanks.

    >>> with_line_ends("a\\r\\nb\\rc\\fd"), with_line_ends("a\\u2028b")
    ('a\\nb\\nc d', 'a\\nb')
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    instead = " " if "\n" in text else "\n"
    for end in _ODD_ENDS:
        text = text.replace(end, instead)
    return text


def plain_text(raw: bytes) -> bytes:
    """Return text in UTF-8 with the line ends of `with_line_ends`; bytes that are not text are returned unchanged.

    >>> plain_text("é;1\\r2".encode("utf-16")).decode(), plain_text(b"\\xff\\r")
    ('é;1\\n2', b'\\xff\\r')
    """
    wide = raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) and not raw.startswith(codecs.BOM_UTF32_LE)
    if not wide and (b"\0" in raw or not_text(raw)):
        return raw
    try:
        return with_line_ends(raw.decode("utf-16" if wide else "utf-8-sig")).encode()
    except UnicodeError:
        return raw


def not_text(raw: bytes) -> str:
    """Return the format of a file for another reader, by its first bytes; "" for all other files."""
    return next((what for mark, what in _NO_TEXT if raw.startswith(mark)), "")


def is_binary(raw: bytes) -> bool:
    """Return whether the first bytes are not text in any alphabet: a tenth of them are no letter, blank or line end."""
    start = raw[:8192]
    odd = sum(start.count(bytes([byte])) for byte in (*range(9), *range(14, 27), *range(28, 32), 127))
    return 10 * odd > len(start)


def _unknown(raw: bytes, name: str, expected: str) -> DataError:
    if raw[1:2] == b"\0" or raw[:1] == b"\0":
        halves = raw[:8192][::2], raw[1:8192][::2]
        if any(half.count(0) > 0.9 * len(half) for half in halves) and not all(half.count(0) for half in halves):
            return DataError(f"{name}: it is text in UTF-16 without its mark; expected UTF-8. Save it in UTF-8.")
    shown = raw[:8].hex(" ")
    return DataError(
        f"{name}: it is a binary file of a kind that is not known here (it begins with the bytes {shown}); expected "
        f"{expected}. Export its data as CSV UTF-8."
    )


def packed(cells: Any) -> npt.NDArray[Any]:
    """Return words as an array of NumPy's fixed-width strings.

    >>> packed(["1.5", "a"])
    array(['1.5', 'a'], dtype=StringDType())
    """
    try:
        return np.array(cells, dtype=np.dtypes.StringDType())
    except UnicodeEncodeError:  # half of a surrogate pair, as JSON may spell one, has no place in UTF-8
        return np.array(cells, dtype=object)


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
