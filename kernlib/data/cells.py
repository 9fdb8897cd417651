"""The cells of a table: one grammar for every column, whatever file it comes from; how its numbers are written."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from ..errors import DataError
from .files import is_missing, number_of, packed, shortened

#: Atoms, bonds, branches and the ends of rings; nothing else.
_SMILES = re.compile(r"(\[[^\[\]\s]{1,40}\]|Cl|Br|[BCNOPSFIbcnops*]|[-=#$:/\\~.()]|%\d\d|\d)+(?<![-=#$:/\\~.(])")


def is_molecule(word: str) -> bool:
    """Return whether a word is written like a SMILES: its letters are atoms, rings and branches close.

    >>> [is_molecule(word) for word in ("CC(=O)O", "c1ccccc1", "[Na+].[Cl-]", "P1", "C(C", "red")]
    [True, True, True, False, False, False]
    """
    if not word[:1].isalpha() and word[:1] not in ("*", "["):
        return False
    outside = re.sub(r"\[[^\[\]]*\]", "", word)
    rings = Counter(re.findall(r"%\d\d|\d", outside)).values()
    closed = outside.count("(") == outside.count(")") and all(times % 2 == 0 for times in rings)
    return closed and _SMILES.fullmatch(word) is not None


_MONEY = r"[$€£¥]|(?:USD|EUR|GBP|CHF|JPY|US\$)(?=[\s\d]|$)"
_UNIT = re.compile(
    rf"(?P<less>[<>≤≥~]?)\s?(?P<sign>[+-]?)(?P<before>{_MONEY})?\s?"
    r"(?P<number>[+-]?[\d.,'’\u00a0\u202f ]*\d[.,]?(?:[eE][+-]?\d{1,3})?)\s?"
    rf"(?P<after>%|{_MONEY}|/\s?\d{{1,4}}|°?[A-Za-zµμ²³/]{{1,8}})?"
)
#: Thousands between blanks or signs, four groups at most: longer rows of numbers are several numbers.
_APART = r"[1-9]\d{0,2}([%s \u00a0\u202f'’]\d{3}){1,4}"
#: Numbers with grouped thousands, by the mark of the decimals.
_GROUPED = {
    ".": re.compile(rf"[+-]?(\d+|[1-9]\d{{0,2}}(,\d{{3}})+|{_APART % ''})(\.\d*)?"),
    ",": re.compile(rf"[+-]?(?=,?\d)({_APART % '.'}|\d+)?(,\d*)?([eE][+-]?\d{{1,3}})?"),
}
_SIGNS = frozenset("0123456789+-.eE")
#: A cell longer than this is no number that a person wrote.
_LONGEST = 60


@dataclass(frozen=True)
class Writing:
    """How numbers are written: the mark of the decimals, the thousands' marks and a unit, all to be taken off.

    `decimal` "." or ","; `grouped` whether the other mark (or a blank) parts thousands; `unit` "%", "$", "kg", …, the
    same in all cells; `unsure` whether a comma could as well be the other of the two.

    >>> Writing(",", True).number("1.234,5"), Writing(unit="%").number("12 %"), Writing(grouped=True).number("12,345")
    (1234.5, 12.0, 12345.0)
    >>> Writing(unit="<").number("<0.5"), Writing(unit="/10").number("9 / 10")
    (0.5, 9.0)
    """

    decimal: str = "."
    grouped: bool = False
    unit: str = ""
    unsure: bool = False

    def number(self, cell: object) -> float | None:
        """Return the number that the cell spells in this way, or None."""
        word, comma = plain_word(cell), self.decimal == ","
        if self.unit:
            word, unit = _parts(word)
            if unit != self.unit and not (self.unit == "<" and not unit):
                return None
        if (comma or self.grouped) and _GROUPED[self.decimal].fullmatch(word):
            word = re.sub(r"[ \u00a0\u202f'’]", "", word.replace("." if comma else ",", "").replace(",", "."))
        return number_of(word)


PLAIN = Writing()


def plain_word(cell: object) -> str:
    """Return a cell without blanks around it, the minus of typesetters as that of a keyboard."""
    return str(cell).strip().replace("\u2212", "-")


def writing_of(words: Collection[str], comma: bool | None = None) -> Writing | None:
    """Return how these different words (none missing) write numbers; None where a word is no number.

    `comma` is how the rest of the file writes decimals: True, with a comma; False, with a point; None, unknown.

    >>> writing_of({"1,5", "12,25"})
    Writing(decimal=',', grouped=True, unit='', unsure=False)
    >>> writing_of({"12,345", "1,000"}).unsure, writing_of({"0,345", "1,000"}).decimal
    (True, ',')
    >>> writing_of({"$ 12", "$ 13.5"}).unit, writing_of({"a", "1"}), writing_of({"\u0661,\u0662", "3"})
    ('$', None, None)
    >>> writing_of({"<0.5", "0.7"}).unit, writing_of({"9 / 10", "3 / 10"}).unit
    ('<', '/10')
    """
    longest = max(map(len, words), default=0)
    if plain_numbers(words) is not None or all(number_of(word) is not None for word in words):
        # 1.234 among numbers with a decimal comma is a thousand and more.
        thousand = comma and not tells_mark(words) and any("." in word for word in words) and longest <= _LONGEST
        return Writing(",", True, unsure=True) if thousand else PLAIN
    if longest > _LONGEST or any(sign.isdecimal() and not sign.isascii() for sign in {*"".join(words)}):
        return None
    units = {_parts(word)[1] for word in words}
    unit = "<" if units == {"", "<"} else min(units) if len(units) == 1 else ""
    marks = (".",) if comma is False else (".", ",")
    ways = [Writing(unit=unit), *(Writing(mark, True, unit) for mark in marks)]
    ways = [way for way in ways if all(way.number(word) is not None for word in words)]
    if not ways or not ways[0].grouped:
        return ways[0] if ways else None
    commas = any("," in word for word in words)
    return replace(ways[-1 if commas and comma else 0], unsure=len(ways) > 1 and commas)


def plain_numbers(words: Collection[str]) -> list[float] | None:
    """Return words as numbers where all are plain and finite; None otherwise.

    >>> plain_numbers(["1", "-2.5e3"]), plain_numbers(["1", "x"]), plain_numbers(["1-2"])
    ([1.0, -2500.0], None, None)
    """
    try:
        return [float(word) for word in words] if _SIGNS.issuperset("".join(words)) else None
    except ValueError:
        return None


def tells_mark(words: Collection[str]) -> bool:
    """Return whether the words show the decimal mark: 1.5 does, 1.500 may be 1500.

    >>> tells_mark({"1.5", "2"}), tells_mark({"0.500", "2"}), tells_mark({"1.500", "2"})
    (True, True, False)
    """
    return not all(re.fullmatch(r"[+-]?([1-9]\d{0,2}(\.\d{3})+|\d*)", word) for word in words)


def _parts(word: str) -> tuple[str, str]:
    """Return a number and its unit; the whole word and "" where it is not one number with one unit."""
    match = _UNIT.fullmatch(word)
    if match is None or (match["before"] and match["after"]):
        return word, ""
    unit = (match["before"] or match["after"] or match["less"]).replace(" ", "")
    return (match["sign"] + match["number"].strip(), unit) if unit else (word, "")


#: What the cells of a column are.
CellKind = Literal[
    "number",
    "whole number",
    "ordered",
    "word",
    "yes or no",
    "date",
    "text",
    "sequence",
    "molecule",
    "numbers",
    "bits",
    "empty",
]
CELL_KINDS: tuple[CellKind, ...] = get_args(CellKind)
#: Kinds that are read as numbers.
NUMBERS: tuple[CellKind, ...] = ("number", "whole number")
NUMERIC: tuple[CellKind, ...] = (*NUMBERS, "ordered")
#: Cells that no table of columns can compare.
NOT_COMPARED: tuple[CellKind, ...] = ("empty", "numbers")
#: What a person may choose for a column of words.
_OTHERS: tuple[CellKind, ...] = ("word", "ordered", "text", "sequence", "molecule", "number")
#: Among numbers these mean a missing number; among words they may be words.
_GAPS = frozenset(["-", "--", "*", "**", "none", "missing", "unknown", "nd", "n/d"])
_YES_NO = tuple(map(frozenset, (("true", "false"), ("yes", "no"), ("t", "f"), ("y", "n"))))
_TIME = r"\d{1,2}:\d{2}[\d:.]{0,12}( ?[AaPp]\.?[Mm]\.?)?( ?(Z|[A-Z]{2,4})?([+-]\d{1,2}(:?\d{2})?)?)?"
_MONTH = r"(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}"
_DAY = r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6}"
_DATE = re.compile(
    rf"(\d{{4}}[-/.]\d{{1,2}}([-/.]\d{{1,2}})?|\d{{1,2}}[./-]\d{{1,2}}[./-]\d{{2,4}})([T ]{_TIME})?"
    rf"|\d{{1,2}}[ -]{_MONTH}[ -]\d{{2,4}}( {_TIME})?|{_TIME}|({_DAY}, )?\d{{1,2}} {_MONTH} \d{{4}}([T ]{_TIME})?"
    rf"|({_DAY},? )?{_MONTH}\.? +\d{{1,2}},?( \d{{4}})?([T ]{_TIME})?( \d{{4}})?"
)
_LIST = re.compile(r"[\s,;|]+")
_NUCLEOTIDES = re.compile(r"[ACGTUNRYSWKMBDHV\-]+", re.IGNORECASE)
_RESIDUES = re.compile(r"[A-IK-Z*.\-]+", re.IGNORECASE)
_NAMES_SEQUENCE = re.compile(r"(^|_|\b)(seq|sequence|peptide|protein|dna|rna|cdr3|epitope|oligo|primer|kmer)s?(_|\b|$)")
_NAMES_MOLECULE = re.compile(r"smiles|molecule", re.IGNORECASE)
#: Numbers that may stand for a missing one: nines, and negative numbers such as -8 and -200.
_NINES, _CODE = re.compile(r"-?9{3,9}(\.9{1,4})?"), re.compile(r"-?9{1,9}(\.9{1,4})?|-[78]{1,4}|-\d{2,4}")
#: So many different values of a column are looked at where each look takes long.
_LOOKED_AT = 2000
#: Ordered words, each scale from low to high.
_SCALES = """
strongly_disagree disagree somewhat_disagree neutral neither_agree_nor_disagree somewhat_agree agree strongly_agree
very_dissatisfied dissatisfied neutral satisfied very_satisfied
very_poor poor fair good very_good excellent
very_low low medium moderate high very_high
low mid high
small medium large
xs s m l xl xxl
none mild moderate severe
bad fair good
never rarely sometimes often always
stage_i stage_ii stage_iii stage_iv
mon tue wed thu fri sat sun
jan feb mar apr may jun jul aug sep oct nov dec
cold cool mild warm hot
"""
SCALES = tuple(tuple(line.split()) for line in _SCALES.strip().split("\n"))


@dataclass(frozen=True)
class Column:
    """How a column is read: its kind, how numbers are written, words for missing cells, ordered words low to high.

    A `Dataset` keeps those of the file that it comes from, so that new rows are read in the same way.
    """

    name: str
    kind: CellKind
    writing: Writing = PLAIN
    codes: tuple[str, ...] = ()
    scale: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells of one column, as they are read.

    Parameters: `how` they are read; `raw`, the words of the file (n,) or numbers of an array; `present`, which cells
    are not missing; `values`, the different words; `kinds`, what the column could be as well; `strange`, words among
    numbers, such as trace in a column of amounts.

    >>> cells = read_column("size", ["1.5", "2", "NA", "-999", "-999", "3"])
    >>> cells.how.kind, cells.how.codes, cells.numbers().tolist()
    ('number', ('-999',), [1.5, 2.0, nan, nan, nan, 3.0])
    """

    how: Column
    raw: npt.NDArray[Any]
    present: npt.NDArray[np.bool_]
    values: frozenset[str]
    kinds: tuple[CellKind, ...] = ()
    strange: tuple[str, ...] = ()

    def __getstate__(self) -> dict[str, Any]:
        """Return the fields without the words, which take more memory than the cells and are made again."""
        return {name: value for name, value in vars(self).items() if name != "texts"}

    @property
    def name(self) -> str:
        """Return the column's name."""
        return self.how.name

    @property
    def kind(self) -> CellKind:
        """Return what the cells are."""
        return self.how.kind

    @property
    def n(self) -> int:
        """Return the number of rows."""
        return len(self.raw)

    @property
    def missing(self) -> int:
        """Return the number of missing cells."""
        return int(self.n - np.count_nonzero(self.present))

    @cached_property
    def distinct(self) -> int:
        """Return the number of different values, compared as numbers where they are numbers."""
        if self.kind in NUMBERS:
            x = self.numbers()
            return len(np.unique(x[np.isfinite(x)]))
        return len({*self.words()} - {""})

    @cached_property
    def different(self) -> bool:
        """Return whether values differ in nearly all rows."""
        return bool(self.distinct > 1 and self.distinct >= 0.95 * np.count_nonzero(self.present))

    @cached_property
    def texts(self) -> list[str]:
        """Return the cells as the file has them."""
        return list(map(plain_word, self.raw.tolist()))

    def numbers(self) -> npt.NDArray[np.float64]:
        """Return the cells as numbers, NaN for missing ones; DataError for a cell that is none."""
        if self.raw.dtype.kind in "iufb":
            return np.where(self.present, self.raw.astype(np.float64), np.nan)
        words, ordered = self.words() if self.kind == "ordered" else self.texts, self.kind == "ordered"
        if not ordered and self.how.writing == PLAIN and self.present.all():
            plain = plain_numbers(words)
            if plain is not None and np.isfinite(plain).all():
                return np.array(plain)
        scale = {word: k + 1.0 for k, word in enumerate(self.how.scale)}
        read: Any = scale.get if ordered else self.how.writing.number
        known = {word: read(word) for word in {*compress(words, self.present)}}
        bad = {word for word, value in known.items() if value is None or not np.isfinite(value)}
        if bad:
            i = next(i for i in np.flatnonzero(self.present).tolist() if words[i] in bad)
            expected = f"one of {', '.join(self.how.scale[:8])}" if ordered else "a number"
            raise DataError(
                f"column {shortened(self.name)} has {shortened(words[i])} in data row {i + 1}; expected {expected}."
            )
        pairs = zip(words, self.present.tolist(), strict=True)
        return np.array([known[word] if there else np.nan for word, there in pairs], dtype=np.float64)

    def in_order(self) -> npt.NDArray[Any]:
        """Return numbers that order the cells of a column of numbers or dates."""
        return self.numbers() if self.kind in NUMERIC else np.unique(self.words(), return_inverse=True)[1]

    def words(self) -> list[str]:
        """Return the cells as words, "" for missing ones: equal numbers are equal words, letters in NFC."""
        if self.kind in NUMBERS:
            x = self.numbers()
            known = {v: number_words(v) for v in {*x[self.present].tolist()}}
            return [known.get(v, "") for v in x.tolist()]
        same = {word: word if word.isascii() else unicodedata.normalize("NFC", word) for word in {*self.texts}}
        return [same[word] if there else "" for word, there in zip(self.texts, self.present.tolist(), strict=True)]

    def bits(self) -> npt.NDArray[np.float64]:
        """Return each letter of a fingerprint as numbers 0 and 1 (n, length)."""
        words = self.words()
        width = max(map(len, words))
        return np.array([[float(bit) for bit in word] if word else [np.nan] * width for word in words])

    def lists(self) -> list[npt.NDArray[np.float64]]:
        """Return the numbers of each cell; none for a missing cell."""
        return [np.array(_numbers_in(word) or [], dtype=np.float64) for word in self.words()]

    def take(self, rows: npt.NDArray[np.bool_]) -> Cells:
        """Return some rows of the column, read in the same way."""
        if rows.all():
            return self  # with what is known of it
        return replace(self, raw=self.raw[rows], present=self.present[rows])

    def shown(self, rows: Sequence[int]) -> list[str]:
        """Return the cells of some rows as they are read, for a table on screen."""
        some = replace(self, raw=self.raw[rows], present=self.present[rows])
        return [word[:200] for word in some.words()]


def number_words(value: float) -> str:
    """Return a number as the name of a class: 1 for 1.0 and for -0.0 a plain 0.

    >>> number_words(1.0), number_words(-0.0), number_words(0.1)
    ('1', '0', '0.1')
    """
    return str(int(value)) if value == int(value) and abs(value) < 2**63 else repr(float(value))


def read_column(
    name: str,
    raw: Sequence[str] | npt.NDArray[Any],
    *,
    kind: str = "",
    codes: Sequence[str] | None = None,
    comma: bool | None = None,
    like: Column | None = None,
) -> Cells:
    """Return a column as one grammar reads it, or as `kind`, `codes` and `comma` ask; None and "" are guessed.

    `comma` is True for decimal commas, False for points; `like` reads the column as that of the training rows.

    >>> read_column("k", ["1", "1.0", "2"]).words()
    ['1', '1', '2']
    >>> [read_column("c", words).kind for words in (["yes", "no"], ["0.5 1", "2 3 4"], ["2024-05-01", "2024-05-02"])]
    ['yes or no', 'numbers', 'date']
    """
    if isinstance(raw, np.ndarray) and raw.dtype.kind in "iufb":
        return _of_numbers(name, raw, kind, codes)
    raw = raw if isinstance(raw, np.ndarray) else packed(list(raw))
    given = list(map(plain_word, raw.tolist()))
    counts = Counter(given)
    values = {word for word in counts if not is_missing(word)}
    if like is not None:
        gaps = {*like.codes}
        present = np.array([word in values and word not in gaps for word in given], dtype=bool)
        return Cells(replace(like, name=name), raw, present, frozenset(values - gaps))
    gaps = {word for word in values if len(word) < 9 and word.lower() in _GAPS} if codes is None else set()
    if gaps and (gaps == values or writing_of(values - gaps, comma) is None):
        gaps = set()  # among words these are words
    guessed, writing, strange = _kind_of(name, values - gaps, counts, comma)
    asked: Any = kind or guessed
    if asked in NUMBERS and writing is None:
        written = {word for word in values - gaps if writing_of({word}, comma) is not None}
        writing, strange = writing_of(written, comma) or PLAIN, ()
    missing = {*gaps, *(strange if asked in NUMBERS else ())}
    if codes is not None:
        missing = {word for word in codes if word}
    elif writing is not None:
        missing |= {*_numeric_codes(values - missing, counts, writing)}
    left = values - missing
    if asked == "bits" and not _are_bits(left):
        raise DataError(f"column {shortened(name)} holds other letters than 0 and 1, equally many; expected bits.")
    scale: tuple[str, ...] = ()
    if asked == "ordered":
        scale = ordered({unicodedata.normalize("NFC", word) for word in left})
    how = Column(name, asked, writing or PLAIN, tuple(sorted(missing & values)), scale)
    present = np.array([word in left for word in given], dtype=bool)
    others = ("number", "word", "ordered") if guessed in NUMBERS else _OTHERS
    kinds = tuple(dict.fromkeys((asked, guessed, *others)))
    return Cells(how, raw, present, frozenset(left), kinds, strange)


def _of_numbers(name: str, raw: npt.NDArray[Any], kind: str, codes: Sequence[str] | None) -> Cells:
    """Return a column of an array of numbers."""
    x = raw.astype(np.float64)
    if np.isinf(x).any():
        i = int(np.isinf(x).argmax())
        raise DataError(f"column {shortened(name)} has {x[i]} in row {i}; expected finite numbers. Correct it.")
    known = x[~np.isnan(x)]
    whole = bool((known == np.round(known)).all())
    guessed: CellKind = "empty" if not known.size else "whole number" if whole else "number"
    asked: Any = kind or guessed
    gaps = np.array([number_of(code) for code in codes or ()], dtype=np.float64)
    present = ~(np.isnan(x) | np.isin(x, gaps))
    values = frozenset(map(number_words, np.unique(x[present])[:1000].tolist()))
    how = Column(name, asked, PLAIN, tuple(codes or ()), ordered(values) if asked == "ordered" else ())
    return Cells(how, raw, present, values, tuple(dict.fromkeys((asked, guessed, "word"))))


def _kind_of(
    name: str, values: set[str], counts: Counter[str], comma: bool | None
) -> tuple[CellKind, Writing | None, tuple[str, ...]]:
    """Return what a column is, how it writes numbers (None for words), and words among its numbers."""
    if not values:
        return "empty", None, ()
    if any(option.issuperset(map(str.lower, values)) for option in _YES_NO) and len(values) < 5:
        return "yes or no", None, ()
    if _are_bits(values):
        return "bits", None, ()
    writing = writing_of(values, comma)
    digits = all(word.lstrip("+-").isdigit() for word in values)
    coded = all(map(str.isdigit, values)) and any(word[0] == "0" < word[1:] for word in values)
    if writing is not None and not coded:  # 007 is not 7
        numbers = [writing.number(word) or 0.0 for word in values]
        if np.isinf(numbers).any() or (digits and max(len(word.lstrip("+-")) for word in values) > 15):
            return "word", None, ()  # or whole numbers with more digits than a float holds
        return ("whole number" if all(x == round(x) for x in numbers) else "number"), writing, ()
    some = sorted(values)[:: max(1, len(values) // _LOOKED_AT)]
    if all(_DATE.fullmatch(word[:60]) for word in some):
        return "date", None, ()
    if all(_numbers_in(word) is not None for word in some) and len(some) > 1:
        return "numbers", None, ()
    rows = sum(counts[word] for word in values)
    if strings := _letters(name.lower(), some, len(values), rows):
        return strings, None, ()
    if not coded and len(values) > 4 and (strange := _strange(values, counts, rows, comma)):
        rest = writing_of(values - {*strange}, comma)
        if rest is not None:
            return "number", rest, strange
    several = sum(counts[word] for word in values if word.count(" ") > 1)
    return ("text" if 2 * several > rows and 2 * len(values) > rows else "word"), None, ()


def _strange(values: Collection[str], counts: Counter[str], rows: int, comma: bool | None) -> tuple[str, ...]:
    """Return a few words among numbers; none where there are so many that the column holds words."""
    strange: list[str] = []
    cells = 0
    for word in values:
        if writing_of({word}, comma) is None:
            strange.append(word)
            cells += counts[word]
            if 2 * cells > rows or (len(strange) > 3 and 10 * cells > rows):
                return ()
    return tuple(strange)


def _letters(name: str, some: Sequence[str], distinct: int, rows: int) -> CellKind | None:
    """Return whether words are sequences or molecules; None for other words."""
    longest = max(map(len, some))
    announced = bool(_NAMES_MOLECULE.search(name))
    if announced or (longest > 4 and 2 * distinct > rows):
        molecules = [word for word in some if is_molecule(word)]
        structured = sum(re.search(r"[=#(\[\d]", word) is not None for word in molecules)
        if 10 * len(molecules) >= 9 * len(some) and (announced or 2 * structured > len(some)):
            return "molecule"
    if longest < 4 or 4 * distinct <= rows or not all(map(_RESIDUES.fullmatch, some)):
        return None
    nucleotides = longest >= 10 and all(map(_NUCLEOTIDES.fullmatch, some))
    return "sequence" if nucleotides or longest >= 20 or _NAMES_SEQUENCE.search(name) else None


def _are_bits(values: Collection[str]) -> bool:
    length = len(next(iter(values), ""))
    return length >= 8 and all(len(word) == length for word in values) and {*"".join(values)} <= {"0", "1"}


def _numbers_in(word: str) -> list[float] | None:
    """Return the two numbers or more in a cell, between blanks, commas, semicolons or bars; None for other cells."""
    parts = _LIST.split(word.strip("[]() "))
    if len(parts) < 2 or word[-1:].strip("[]()0123456789."):
        return None
    numbers = [number_of(part) for part in parts]
    return None if None in numbers else [x for x in numbers if x is not None]


def _numeric_codes(values: set[str], counts: Counter[str], writing: Writing) -> tuple[str, ...]:
    """Return the words of numbers that stand for missing ones: codes at an end, far off or alone negative."""
    by_value: dict[float, list[str]] = {}
    for word in values:
        if (x := writing.number(word)) is not None:
            by_value.setdefault(x, []).append(word)
    left = sorted(by_value)

    def is_code(value: float, low: float, high: float) -> bool:
        """Return whether a value beside others from `low` to `high` is a code."""
        written, times = f"{value:.10g}", sum(counts[word] for word in by_value[value])
        nines = _NINES.fullmatch(written) is not None
        far = abs(value) >= 9 and max(low - value, value - high) > (high - low) * (1 if nines and times > 1 else 3)
        alone = value < -6 and low >= 0 and times > (1 if nines else 2)
        return _CODE.fullmatch(written) is not None and (alone or (far and (nines or times > 1)))

    while len(left) > 2:
        if is_code(left[0], left[1], left[-1]):
            del left[0]
        elif is_code(left[-1], left[0], left[-2]):
            del left[-1]
        else:
            break
    return tuple(word for value, words in by_value.items() if value not in left for word in words)


def ordered(words: Iterable[str]) -> tuple[str, ...]:
    """Return words from low to high: by their usual order, else by their first number, else by the alphabet.

    >>> ordered({"high", "low"}), ordered({"10-19", "20+", "<10"})
    (('low', 'high'), ('<10', '10-19', '20+'))
    """
    distinct = sorted({*words})
    if all((number := number_of(word)) is not None and np.isfinite(number) for word in distinct):
        return tuple(sorted(distinct, key=float))
    plain = {word: re.sub(r"[\s-]+", "_", word.lower()) for word in distinct}
    for scale in SCALES:
        if len({*plain.values()}) == len(plain) and {*plain.values()} <= {*scale}:
            return tuple(sorted(distinct, key=lambda word: scale.index(plain[word])))
    leading = {word: match for word in distinct if (match := re.match(r"(\D{0,3}?)(\d{1,15})", word, re.ASCII))}
    if len(leading) == len(distinct):
        first = {word: (int(match[2]), match[1].strip() not in ("<", "≤"), word) for word, match in leading.items()}
        return tuple(sorted(distinct, key=first.__getitem__))
    return tuple(distinct)


def decimal_comma(columns: Iterable[Cells]) -> bool | None:
    """Return whether the columns whose decimal mark is certain write commas; None where none is certain."""
    marks = {
        cells.how.writing.decimal
        for cells in columns
        if cells.kind == "number"
        and not cells.how.writing.unsure
        and (cells.how.writing.decimal == "," or tells_mark(cells.values))
    }
    return None if len(marks) != 1 else marks == {","}
