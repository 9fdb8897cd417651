"""Recognise how a column writes its numbers: decimal comma, thousands, percent, currency, and missing ones."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from .uploads import is_missing, number_of

#: Among numbers these mean a missing number; among words they may be words.
_GAPS = frozenset({
    "-", "--", "*", "**", "none", "missing", "unknown", "nd", "n/d", "#value!", "#div/0!", "#ref!",
})  # fmt: skip
_UNIT = re.compile(
    r"(?P<sign>[+-]?)(?P<before>[$€£¥]|(?:USD|EUR|GBP|CHF|JPY|US\$)(?=[\s\d]))?\s?"
    r"(?P<number>[+-]?[\d.,'’\u00a0\u202f ]*\d[.,]?(?:[eE][+-]?\d{1,3})?)\s?"
    r"(?P<after>%|[$€£¥]|USD|EUR|GBP|CHF|JPY|°?[A-Za-zµμ²³/]{1,8})?"
)
_THOUSANDS = re.compile(r"[+-]?(\d{1,3}(,\d{3})+|\d+)(\.\d*)?")
#: Four groups at most: longer rows of numbers are several numbers.
_THOUSANDS_APART = re.compile(r"[+-]?(\d{1,3}([ \u00a0\u202f'’]\d{3}){1,4}|\d+)(\.\d*)?")
_COMMA = re.compile(r"[+-]?(\d{1,3}([. \u00a0\u202f'’]\d{3}){1,4}|\d+)?(,\d*)?([eE][+-]?\d{1,3})?")
_POINTS = re.compile(r"[+-]?\d{1,3}(\.\d{3})+")
_SIGNS = frozenset("0123456789+-.eE")
_MARKS = str.maketrans("", "", " \u00a0\u202f'’")
#: A cell longer than this is no number that a person wrote.
_LONGEST = 60


@dataclass(frozen=True)
class Writing:
    """How numbers are written: the mark of the decimals, the thousands' marks and a unit, all to be taken off.

    `decimal` "." or ","; `grouped` whether the other mark (or a blank) parts thousands; `unit` "%", "$", …;
    `unsure` whether a comma could as well be the other of the two.

    >>> Writing(",", True).number("1.234,5"), Writing(unit="%").number("12 %"), Writing(grouped=True).number("12,345")
    (1234.5, 12.0, 12345.0)
    """

    decimal: str = "."
    grouped: bool = False
    unit: str = ""
    unsure: bool = False

    def number(self, cell: object) -> float | None:
        """Return the number that the cell spells in this way, or None."""
        word = str(cell).strip()
        if self == PLAIN or len(word) > _LONGEST:
            return number_of(word)
        if self.unit:
            parts = _parts(word)
            if parts is None or parts[1] != self.unit:
                return None
            word = parts[0]
        if self.decimal == ",":
            if not _COMMA.fullmatch(word) or not any(c.isdigit() for c in word):
                return number_of(word) if _is_infinite(word) else None
            word = word.replace(".", "").replace(",", ".")
        elif self.grouped:
            if not (_THOUSANDS.fullmatch(word) or _THOUSANDS_APART.fullmatch(word)):
                return number_of(word)
            word = word.replace(",", "")
        return number_of(word.translate(_MARKS))

    @property
    def measured(self) -> bool:
        """Return whether letters behind the number are read as its unit: 66kg."""
        return bool(self.unit) and not re.fullmatch("[%$€£¥]|USD|EUR|GBP|CHF|JPY|US\\$", self.unit)

    @property
    def words(self) -> str:
        """Return the way of writing as text: " with a decimal comma, in %"; "" for plain numbers."""
        sentences = []
        if self.decimal == ",":
            sentences.append("with a decimal comma" + (" and grouped thousands" if self.grouped else ""))
        elif self.grouped:
            sentences.append("with grouped thousands")
        if self.unit:
            sentences.append(f"in {self.unit}")
        return " " + ", ".join(sentences) if sentences else ""


PLAIN = Writing()


def writing_of(words: Collection[str], comma: bool | None = None) -> Writing | None:
    """Return how these different words (none missing) write numbers; None where a word is no number.

    `comma` is how the rest of the file writes decimals: True, with a comma; False, with a point; None, unknown.

    >>> writing_of({"1,5", "12,25"})
    Writing(decimal=',', grouped=False, unit='', unsure=False)
    >>> writing_of({"12,345", "1,000"}).unsure
    True
    >>> writing_of({"$ 12", "$ 13.5"}).unit, writing_of({"a", "1"})
    ('$', None)
    """
    if plain_numbers(words) is not None and (not comma or tells_mark(words)):
        return PLAIN
    if any(len(word) > _LONGEST for word in words):
        return PLAIN if all(number_of(word) is not None for word in words) else None
    if all(number_of(word) is not None for word in words):
        if comma and not tells_mark(words) and any("." in word for word in words):
            # 1.234 among numbers with a decimal comma is a thousand and more.
            return Writing(",", True, unsure=True)
        return PLAIN
    unit = ""
    if any(number_of(word) is None and not _THOUSANDS.fullmatch(word) and not _COMMA.fullmatch(word) for word in words):
        parts = [_parts(word) for word in words]
        units = {part[1] for part in parts if part is not None}
        if None not in parts and len(units) == 1:
            (unit,) = units
            words = [part[0] for part in parts if part is not None]
    finite = [word for word in words if not _is_infinite(word)]
    by_point = all(number_of(w) is not None or _THOUSANDS.fullmatch(w) or _THOUSANDS_APART.fullmatch(w) for w in finite)
    by_comma = all(_COMMA.fullmatch(w) and any(c.isdigit() for c in w) for w in finite)
    if not finite or not (by_point or by_comma):
        return None
    if all(number_of(word) is not None for word in finite):
        return Writing(unit=unit)
    commas = any("," in word for word in finite)
    unsure = by_point and by_comma and commas
    if by_comma and (not by_point or (commas and bool(comma))):
        grouped = any(not re.fullmatch(r"[+-]?\d*(,\d*)?([eE][+-]?\d{1,3})?", word) for word in finite)
        return Writing(",", grouped, unit, unsure)
    return Writing(".", True, unit, unsure)


def plain_numbers(words: Collection[str]) -> list[float] | None:
    """Return words as numbers where all are plain and finite; None otherwise.

    >>> plain_numbers(["1", "-2.5e3"]), plain_numbers(["1", "x"]), plain_numbers(["1-2"])
    ([1.0, -2500.0], None, None)
    """
    if not _letters(words) <= _SIGNS:
        return None
    try:
        return [float(word) for word in words]
    except ValueError:
        return None


#: The sign that typesetters set before a number; a loss in brackets; the exponent of a Fortran program.
_MINUS = "\u2212"
_LOSS = re.compile(r"\(([$€£¥]?\s?[\d.,'’]*\d[.,]?%?)\)")
#: A number with its sign behind it, as in accounts.
_BEHIND = re.compile(r"([\d.,'’]*\d)-")
_FORTRAN = re.compile(r"([+-]?\d?\.\d+)[dD]([+-]\d{2,3})")


def respelt(words: Collection[str]) -> dict[str, str]:
    """Return words → the same numbers in plain writing, where all are numbers then; {} where nothing changes.

    >>> respelt({"\u22121.5", "2"}) == {"\u22121.5": "-1.5", "2": "2"}
    True
    >>> respelt({"12,50-", "3,25"})["12,50-"], respelt({"(3)", "4"})["(3)"], respelt({"1.5D-02"}), respelt({"(3)", "a"})
    ('-12,50', '-3', {'1.5D-02': '1.5E-02'}, {})
    """
    if _letters(words) <= _SIGNS and not any(word.endswith("-") for word in words):
        return {}
    spelt: dict[str, str] = {}
    for word in words:
        if word.startswith(_MINUS):
            spelt[word] = word.replace(_MINUS, "-", 1)
        elif loss := _LOSS.fullmatch(word[:_LONGEST]):
            spelt[word] = f"-{loss[1]}"
        elif behind := _BEHIND.fullmatch(word[:_LONGEST]):
            spelt[word] = f"-{behind[1]}"
        elif fortran := _FORTRAN.fullmatch(word[:_LONGEST]):
            spelt[word] = f"{fortran[1]}E{fortran[2]}"
    if not spelt or ("" not in words and all(word[-1] in ")-" for word in spelt) and len(spelt) == len(words)):
        return {}  # nothing but brackets: how these words are written
    spellings = {word: spelt.get(word, word) for word in words}
    present = [word for word in spellings.values() if not is_missing(word)]
    return spellings if writing_of(set(present) - gap_words(present)) is not None else {}


def gap_words(words: Collection[str]) -> frozenset[str]:
    """Return the words that mark a missing number among numbers, e.g. "-" and "none".

    >>> sorted(gap_words({"-", "1", "2.5"})), sorted(gap_words({"-", "+"}))
    (['-'], [])
    """
    if _letters(words) <= _SIGNS:  # as in most columns: no more of them can be spelt
        gaps = frozenset({"-", "--"}.intersection(words))
    else:
        gaps = frozenset(word for word in words if len(word) < 9 and word.lower() in _GAPS)
    if not gaps:
        return gaps
    rest = [word for word in words if word not in gaps and not is_missing(word)]
    return gaps if rest and writing_of(rest) is not None else frozenset()


def tells_mark(words: Collection[str]) -> bool:
    """Return whether the words show the decimal mark: 1.5 does, 1.500 may be 1500.

    >>> tells_mark({"1.5", "2"}), tells_mark({"1.500", "2"})
    (True, False)
    """
    return not all(_POINTS.fullmatch(word) or word.lstrip("+-").isdigit() for word in words)


def leading_zeros(words: Collection[str]) -> bool:
    """Return whether digits are a code rather than a number: 007 is not 7.

    >>> leading_zeros({"007", "12"}), leading_zeros({"0", "0.5"})
    (True, False)
    """
    return all(w.isdigit() for w in words) and any(w[:1] == "0" and len(w) > 1 for w in words)


def _letters(words: Collection[str]) -> set[str]:
    """Return all characters of the words."""
    return set("".join(words))


def _parts(word: str) -> tuple[str, str] | None:
    """Return a number and its unit."""
    match = _UNIT.fullmatch(word)
    if match is None or bool(match["before"]) == bool(match["after"]):
        return None
    return match["sign"] + match["number"].strip(), match["before"] or match["after"]


def _is_infinite(word: str) -> bool:
    return word.lower().lstrip("+-") in ("inf", "infinity", "nan")
