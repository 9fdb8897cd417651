"""What all readers of files share: limits, a file as bytes and text, archives, encodings, missing cells, names."""

from __future__ import annotations

import codecs
import datetime
import gzip
import io
import itertools
import re
import unicodedata
import zipfile
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..errors import DataError
from ..values.words import size_in_words

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

    bytes: int = 80_000_000
    rows: int = 500_000
    columns: int = 10_000
    cells: int = 5_000_000
    sheet: int = 1_000_000
    letters: int = 200_000
    side: int = 3_000  # as 64-bit numbers, 72 MB
    members: int = 20_000
    unpacked: int = 100_000_000
    least: int = 2

    def words(self) -> str:
        """Return the limits as a sentence.

        >>> LIMITS.words()[:60]
        'At most 80 MB (100 MB unpacked), 500,000 rows, 10,000 column'
        """
        return (
            f"At most {size_in_words(self.bytes)} ({size_in_words(self.unpacked)} unpacked), {self.rows:,} rows, "
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
        most = size_in_words(limits.bytes)
        raise DataError(f"{name}: the file is larger than {most}, the maximum. Draw a sample of its rows.")
    if not raw.strip():
        raise DataError(f"{name}: the file is empty; expected rows of values. Choose another file.")
    return raw


def check_names(names: Sequence[str]) -> None:
    """Check that the names of several files differ."""
    if len({*names}) < len(names):
        raise DataError(f"{names[0][:100]}: two files have the same name; expected different ones. Rename one of them.")


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
        raise DataError(f"{what} ({sanitize_name(error, 120) or type(error).__name__}). {advice}") from None


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
    distinct = sorted({*words})
    names = unique([sanitize_name(word) or "?" for word in distinct])
    chosen = dict(zip(distinct, names, strict=True))
    return [chosen[word] for word in words]


def unique(names: Sequence[str]) -> list[str]:
    """Return different names: one that was there before gets a number.

    >>> unique(["a", "b", "a", "a (2)"])
    ['a', 'b', 'a (2)', 'a (2) (2)']
    """
    numbers: defaultdict[str, Iterator[int]] = defaultdict(lambda: itertools.count(2))
    found: dict[str, None] = {}
    for name in names:
        one = name
        while one in found:
            one = f"{name} ({next(numbers[name])})"
        found[one] = None
    return list(found)


def listed(words: Any) -> str:
    words = [sanitize_name(word, 80) for word in words]
    return ", ".join(words[:12]) + (", …" if len(words) > 12 else "")


def stem(name: str) -> str:
    """Return a file's name without folders and endings, as the name of a data set.

    >>> stem("a/iris.csv.gz"), stem(".csv")
    ('iris', 'upload')
    """
    return Path(name).name.split(".")[0] or "upload"


# A file as bytes and as text.

_TABLE = "Save the table as CSV UTF-8"
_PANDAS = "In Python: pandas.read_spss, read_stata or read_sas, then .to_csv('x.csv', index=False)"
_PICKLE = "Save a table with .to_csv('x.csv', index=False) or arrays with numpy.savez"
_DOT = r"(?i:(#[^\n]*\n|//[^\n]*\n)*(strict\s{1,9})?(di)?graph\s{0,9}(\"[^\"\n]{0,100}\"|\w{0,100})\s{0,9}\{)"
_PAJEK = r"(?i:(%[^\n]*\n)*\*(vertices|network))"
_EDGES = r"(#[^\n]*\n)*[^\s,{]{1,99}[ ,]{1,3}[^\s,{]{1,99}[ ,]{1,3}\{(['\"][^{}\n]*)?\}(\n|\Z)"
#: Bytes that text does not have, further on.
_BYTES = r"(?=[\s\S]{0,1000}?[\0-\x08\x0e-\x1a])"
#: Each format: a regular expression that matches the first bytes, or "zip:" and the name of a file in a zip archive;
#: the format's name; what to do.
FOREIGN: tuple[tuple[str, str, str], ...] = (
    (r"%PDF", "a PDF document", "Copy the table into a spreadsheet and save it as CSV UTF-8"),
    (rf"\x89PNG|\xff\xd8\xff|GIF8[79]a{_BYTES}|II\*\0|MM\0\*", "a picture", "Give the numbers behind it"),
    (
        r"([\s\S]{512})?\x89HDF\r\n\x1a\n|CDF[\x01\x02\x05]|SIMPLE  =",
        "an array file (HDF5, which MATLAB 7.3 is, netCDF, FITS)",
        "Save the arrays with numpy.savez, or in MATLAB with '-v7'",
    ),
    (r"\x80[\x02-\x05]|zip:data.pkl", "a pickle, which is never opened since it can run programs", _PICKLE),
    (r"RD[AX][23]\n|X\n\0\0\0", "R data", "In R: write.csv(x, 'x.csv', row.names = FALSE)"),
    (r"\$FL[23]@\(#\)|<stata_dta>|\0{12}\xc2\xea\x81\x60", "a file of SPSS, Stata or SAS", _PANDAS),
    (rf"SQLite format 3\0|(ARROW1|FEA1|ORC){_BYTES}", "a database, or a Feather, Arrow or ORC file", _TABLE),
    (
        r"\xd0\xcf\x11\xe0|zip:(\[Content_Types\].xml|content.xml|mimetype)",
        "an old spreadsheet, a document, or a file of another office program",
        "Save the sheet as CSV UTF-8",
    ),
    (
        rf"BZh{_BYTES}|\xfd7zXZ|7z\xbc\xaf|Rar!{_BYTES}|\x28\xb5\x2f\xfd|[\s\S]{{257}}ustar",
        "an archive",
        "Unpack it, and give the file inside, or a .zip or .gz of it",
    ),
    (f"{_DOT}|{_PAJEK}|{_EDGES}", "a Graphviz or Pajek graph, or edges with braces", "Write GraphML, or edges as CSV"),
    (
        r"(?i:clustal[ _\w(]|#nexus)|# STOCKHOLM|@[^\n]{0,500}\n[A-Za-z.*-]{1,8000}\n\+",
        "a Clustal, Stockholm or NEXUS alignment or FASTQ",
        "In Python: Bio.SeqIO.convert('x', 'clustal', 'x.fasta', 'fasta'), with the name of its format",
    ),
    (r"(?i:\s*<(!doctype|html|\?xml))", "a web page or XML", _TABLE),
)
#: Binary files that are read, by their first bytes.
_READ = (b"PK\x03\x04", b"PK\x05\x06", b"\x93NUMPY", b"\x1f\x8b", b"PAR1", b"MATLAB 5.0")
#: What some readers take for line ends, and other readers for letters.
_ODD_ENDS = "\v\f\x1c\x1d\x1e\x1f\x85\u2028\u2029"


def kind_of(start: bytes, members: Collection[str] = ()) -> tuple[str, str] | None:
    """Return the format and what to do with it, from the first bytes and the names in a zip; None if unknown.

    >>> kind_of(b"%PDF-1.4")
    ('a PDF document', 'Copy the table into a spreadsheet and save it as CSV UTF-8')
    """
    raw = start.decode("latin-1")
    text = raw.removeprefix("\xef\xbb\xbf").replace("\r\n", "\n").replace("\r", "\n").lstrip()
    names = [f"zip:{name}" for member in members for name in (member, member.rpartition("/")[2])]
    for mark, what, step in FOREIGN:
        if any(map(re.compile(mark).match, (raw, text, *names))):
            return what, step
    return None


def is_binary(raw: bytes) -> bool:
    """Return whether the first bytes are not text in any alphabet: a tenth of them are no letter, blank or line end."""
    start = raw[:8192]
    odd = sum(start.count(bytes([byte])) for byte in (*range(9), *range(14, 27), *range(28, 32), 127))
    return raw.startswith(_READ) or (10 * odd > len(start) and not _is_wide(raw))


def _is_wide(raw: bytes) -> bool:
    """Return whether the mark of UTF-16 begins the file."""
    marked = raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return marked and not raw.startswith(codecs.BOM_UTF32_LE)


def decode(raw: bytes, name: str) -> str:
    """Return text from UTF-8; DataError with the line that is not UTF-8 or holds a zero byte.

    >>> decode(b"a,b", "t.csv")
    'a,b'
    """
    what, place = "holds a zero byte", raw.find(b"\0")
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        place = error.start
        what = f"is not UTF-8 (byte {raw[place]:#04x} at {place})"
    if place < 0:
        return text
    if is_binary(raw):
        raise DataError(
            f"{name}: it is a binary file of a kind that is not known here (it begins with the bytes "
            f"{raw[:8].hex(' ')}); expected text. Export its data as CSV UTF-8."
        )
    line = raw.count(b"\n", 0, place) + 1
    raise DataError(f"{name}: line {line} {what}. Save the file as UTF-8 ('CSV UTF-8' in a spreadsheet).")


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


def as_text(raw: bytes) -> tuple[bytes, tuple[str, ...]]:
    """Return text in UTF-8 whose lines end with a line feed, and a sentence on its encoding; other files unchanged.

    What is not UTF-8 is read as Windows-1252, of Western Europe, where that is possible.

    >>> as_text("x;Größe".encode("cp1252"))[0].decode()
    'x;Größe'
    """
    if raw.startswith(_READ) or (b"\0" in raw and not _is_wide(raw)):
        return raw, ()
    try:
        return with_line_ends(raw.decode("utf-16" if _is_wide(raw) else "utf-8")).encode(), ()
    except UnicodeDecodeError:
        lenient = raw.decode("utf-8", "replace")
        wrong = lenient.count("\ufffd")
        if wrong < sum(c > "\x7f" for c in lenient) - wrong or is_binary(raw) or kind_of(raw[:8192]) is not None:
            return raw, ()  # a single wrong byte is an error, which a reader names by the line
    try:
        text = raw.decode("cp1252")
    except UnicodeDecodeError:
        return raw, ()
    word = re.search(r"[^\s,;|\"']{0,20}[^\x00-\x7f][^\s,;|\"']{0,20}", text)
    note = (
        f"The file is not UTF-8. It is read as Windows-1252, for example {shortened(word[0] if word else '')}; for "
        "another encoding save it as UTF-8."
    )
    return with_line_ends(text).encode(), (note,)


_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
#: Files that file managers add to archives.
_LITTER = re.compile(r"(^|/)(__MACOSX/|\.DS_Store$|Thumbs\.db$|desktop\.ini$|\._)")
#: The first bytes of the archives that are opened, once.
PACKED = (b"PK\x03\x04", b"\x1f\x8b")


def gunzipped(raw: bytes, name: str, limits: Limits) -> bytes:
    """Return the content of a gzip file, at most `limits.unpacked` bytes of it at any time.

    Raises DataError for a damaged or cut file, and for one that expands beyond the limit.

    >>> import gzip
    >>> gunzipped(gzip.compress(b"x,y"), "t.csv.gz", Limits())
    b'x,y'
    """
    damaged = parser_errors(f"{name}: the gzip file is damaged", "Download or pack it again.")
    with damaged, gzip.GzipFile(fileobj=io.BytesIO(raw)) as stream:
        content = stream.read(limits.unpacked + 1)
    if len(content) > limits.unpacked:
        raise DataError(
            f"{name}: it expands to more than {size_in_words(limits.unpacked)}, the maximum ({size_in_words(len(raw))} "
            "packed). Draw a sample of its rows."
        )
    return content


def opened_zip(raw: bytes, name: str, limits: Limits) -> tuple[zipfile.ZipFile, list[zipfile.ZipInfo]]:
    """Return the archive and those of its members that may be read, all checked from the directory alone.

    Raises DataError for too many members, an announced size beyond the limit, an encrypted member, a name twice, an
    unusual method.
    """
    # The directory itself could fill the memory: its entries are counted before it is read.
    count = raw.count(b"PK\x01\x02")
    if count > limits.members:
        raise DataError(
            f"{name}: the zip holds {count} files; expected at most {limits.members}. Pack fewer, or use one table."
        )
    with parser_errors(f"{name}: the archive is damaged", "Pack it again."):
        archive = zipfile.ZipFile(io.BytesIO(raw))
    members = [m for m in archive.infolist() if not m.filename.endswith("/") and not _LITTER.search(m.filename)]
    total, names = 0, set()
    for m in members:
        problem = (
            "is encrypted; expected a zip without a password. Pack it without one"
            if m.flag_bits & 0x1
            else f"is packed by method {m.compress_type}; expected deflate. Pack it as a usual zip"
            if m.compress_type not in _METHODS
            else "occurs twice; expected different names. Rename one of them"
            if m.filename in names
            else ""
        )
        if problem:
            raise DataError(f"{name}: the member {shortened(m.filename)} {problem}.")
        names.add(m.filename)
        total += m.file_size
    if total > limits.unpacked:
        raise DataError(
            f"{name}: its directory announces {size_in_words(total)}; expected at most "
            f"{size_in_words(limits.unpacked)} unpacked. Draw a sample of the rows."
        )
    return archive, members


def unzipped(raw: bytes, name: str, limits: Limits) -> dict[str, bytes]:
    """Return the files of a zip by name, none of them on disk, none longer than it announced.

    Raises DataError as `opened_zip`, and for a damaged member or one that unpacks to more than announced.
    """
    archive, members = opened_zip(raw, name, limits)
    contents: dict[str, bytes] = {}
    with archive:
        for m in members:
            who = f"{name}: the member {shortened(m.filename)}"
            with parser_errors(f"{who} is damaged", "Pack the archive again."), archive.open(m) as stream:
                content = stream.read(m.file_size + 1)
            if len(content) > m.file_size:
                raise DataError(f"{who} unpacks to more than the {m.file_size} bytes announced. Pack it again.")
            contents[m.filename] = content
    return contents


#: A container is recognised by at most these first bytes, so recognition is fast for any file.
HEAD = 8192


@dataclass(frozen=True, eq=False)
class File:
    """A file: its name, its bytes, the limits, the choices of a person, and the names of its members if it is a zip.

    `inside` says that it comes from an archive.
    """

    name: str
    raw: bytes = field(repr=False)
    limits: Limits = LIMITS
    choices: Mapping[str, Any] = field(default_factory=dict)
    members: tuple[str, ...] = ()
    inside: bool = False

    @property
    def is_zip(self) -> bool:
        """Return whether it is a zip; the letters PK alone could be a column's name."""
        return self.raw.startswith((b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08"))

    @cached_property
    def head(self) -> str:
        """Return the first characters, without byte-order mark and leading blanks; undecodable bytes become U+FFFD."""
        return self.raw[:HEAD].decode("utf-8-sig", "replace").lstrip()

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """Return the first lines that are complete and not blank, each without blanks around it."""
        lines = self.head.split("\n")
        if len(self.raw) > HEAD:
            lines = lines[:-1] or lines
        return tuple(line.strip() for line in lines if line.strip())

    @cached_property
    def text(self) -> str:
        """Return the whole file as text; DataError for a file that is not text."""
        return decode(self.raw, self.name)

    def asked(self, name: str) -> Any:
        """Return the choice of a person, None where it is left to the reader."""
        return self.choices.get(name)


def cell_words(value: Any) -> str:
    """Return a typed value as a text file would write it: "" for none or for several, a date without midnight.

    >>> cell_words(None), cell_words(2.0), cell_words(datetime.datetime(2020, 1, 31)), cell_words(True)
    ('', '2', '2020-01-31', 'true')
    """
    if value is None or isinstance(value, (dict, list)) or value != value:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if abs(value) < 1e15 and value == int(value) else repr(value)
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    return str(value).replace("\0", " ")
