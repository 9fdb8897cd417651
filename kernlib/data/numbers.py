"""Recognise how a column writes its numbers: decimal mark, thousands, unit, percent, fraction, 1.2K, <0.5."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from itertools import product

from .uploads import number_of

_MONEY = r"[$€£¥]|(?:USD|EUR|GBP|CHF|JPY|US\$)(?=[\s\d]|$)"
_UNIT = re.compile(
    rf"(?P<less>[<>≤≥~]?)\s?(?P<sign>[+-]?)(?P<before>{_MONEY})?\s?"
    r"(?P<number>[+-]?[\d.,'’\u00a0\u202f ]*\d[.,]?(?:[eE][+-]?\d{1,3})?)\s?"
    rf"(?P<after>%|{_MONEY}|/\s?\d{{1,4}}|°?[A-Za-zµμ²³/]{{1,8}})?"
)
#: Letters behind a number that multiply it, where a column has several of them.
_TIMES = {"K": 1e3, "k": 1e3, "M": 1e6, "B": 1e9, "G": 1e9, "": 1.0}
#: Thousands between blanks or signs, four groups at most: longer rows of numbers are several numbers.
_APART = r"[1-9]\d{0,2}([%s \u00a0\u202f'’]\d{3}){1,4}"
#: Numbers with grouped thousands, by the mark of the decimals.
_GROUPED = {
    ".": re.compile(rf"[+-]?(\d+|[1-9]\d{{0,2}}(,\d{{3}})+|{_APART % ''})(\.\d*)?"),
    ",": re.compile(rf"[+-]?(?=,?\d)({_APART % '.'}|\d+)?(,\d*)?([eE][+-]?\d{{1,3}})?"),
}
_INFINITE = re.compile(r"[+-]*(inf|infinity|nan)", re.IGNORECASE)
#: Other spellings: the minus of typesetters, a loss in brackets, a sign behind the number, the exponent of Fortran.
_SPELLINGS = (
    (re.compile("\u2212(.*)"), r"-\1"),
    (re.compile(r"\(([$€£¥]?\s?[\d.,'’]*\d[.,]?%?)\)"), r"-\1"),
    (re.compile(r"([\d.,'’]*\d)-"), r"-\1"),
    (re.compile(r"([+-]?\d?\.\d+)[dD]([+-]\d{2,3})"), r"\1E\2"),
)
_SIGNS = frozenset("0123456789+-.eE")
#: A cell longer than this is no number that a person wrote.
_LONGEST = 60


@dataclass(frozen=True)
class Writing:
    """How numbers are written: the mark of the decimals, the thousands' marks and a unit, all to be taken off.

    `decimal` "." or ","; `grouped` whether the other mark (or a blank) parts thousands; `unit` "%", "$", "K", …, where
    "K" stands for thousands, millions and so on; `unsure` whether a comma could as well be the other of the two.

    >>> Writing(",", True).number("1.234,5"), Writing(unit="%").number("12 %"), Writing(grouped=True).number("12,345")
    (1234.5, 12.0, 12345.0)
    >>> Writing(unit="1.2K").number("1.2K"), Writing(unit="<").number("<0.5"), Writing(unit="/10").number("9 / 10")
    (1200.0, 0.5, 9.0)
    """

    decimal: str = "."
    grouped: bool = False
    unit: str = ""
    unsure: bool = False

    def number(self, cell: object) -> float | None:
        """Return the number that the cell spells in this way, or None."""
        word = str(cell).strip()
        if len(word) > _LONGEST:
            return number_of(word)
        for pattern, plain in _SPELLINGS:
            if match := pattern.fullmatch(word):
                word = match.expand(plain)
        times = 1.0
        if self.unit:
            word, unit = _parts(word)
            if self.unit == "1.2K" and unit in _TIMES:
                times = _TIMES[unit]
            elif unit != self.unit and not (self.unit == "<" and not unit):
                return None
        comma = self.decimal == ","
        if (comma or self.grouped) and not _INFINITE.fullmatch(word):
            if _GROUPED[self.decimal].fullmatch(word):
                word = re.sub(r"[ \u00a0\u202f'’]", "", word.replace("." if comma else ",", "").replace(",", "."))
            if comma and "," in word:
                return None
        number = number_of(word)
        return None if number is None else times * number

    @property
    def words(self) -> str:
        """Return the way of writing as text: " with a decimal comma, in %"; "" for plain numbers."""
        marks = " and ".join(["a decimal comma"] * (self.decimal == ",") + ["grouped thousands"] * self.grouped)
        return ",".join(filter(None, (marks and f" with {marks}", self.unit and f" in {self.unit}")))


PLAIN = Writing()


def writing_of(words: Collection[str], comma: bool | None = None) -> Writing | None:
    """Return how these different words (none missing) write numbers; None where a word is no number.

    `comma` is how the rest of the file writes decimals: True, with a comma; False, with a point; None, unknown.

    >>> writing_of({"1,5", "12,25"})
    Writing(decimal=',', grouped=False, unit='', unsure=False)
    >>> writing_of({"12,345", "1,000"}).unsure, writing_of({"0,345", "1,000"}).decimal
    (True, ',')
    >>> writing_of({"$ 12", "$ 13.5"}).unit, writing_of({"a", "1"}), writing_of({"\u0661,\u0662", "3"})
    ('$', None, None)
    >>> writing_of({"1.2K", "3M", "40"}).unit, writing_of({"<0.5", "0.7"}).unit, writing_of({"9 / 10", "3 / 10"}).unit
    ('1.2K', '<', '/10')
    """
    longest = max(map(len, words), default=0)
    if plain_numbers(words) is not None or all(number_of(word) is not None for word in words):
        # 1.234 among numbers with a decimal comma is a thousand and more.
        thousand = comma and not tells_mark(words) and any("." in word for word in words) and longest <= _LONGEST
        return Writing(",", True, unsure=True) if thousand else PLAIN
    if longest > _LONGEST or any(sign.isdecimal() and not sign.isascii() for sign in {*"".join(words)}):
        return None
    if all(word.startswith("(") for word in words):
        return None  # how these words are written, no losses
    units = {_parts(word)[1] for word in _respelt(words)}
    unit = min(units) if len(units) == 1 else ""
    if len(units) > 1 and units <= {*_TIMES}:
        unit = "1.2K"
    elif units == {"", "<"}:
        unit = "<"
    plain, by_point, by_comma = (
        all(way.number(word) is not None for word in words)
        for way in (Writing(unit=unit), Writing(".", True, unit), Writing(",", True, unit))
    )
    commas = any("," in word for word in words)
    if plain or not (by_point or by_comma):
        return Writing(unit=unit) if plain else None
    unsure = by_point and by_comma and commas
    if by_comma and (not by_point or (commas and bool(comma))):
        grouped = any(re.search(r"\d[. \u00a0\u202f'’]\d", word) for word in words)
        return Writing(",", grouped, unit, unsure)
    return Writing(".", True, unit, unsure)


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


def _respelt(words: Collection[str]) -> list[str]:
    spellings = {word: word for word in words}
    for word, (pattern, plain) in product(words, _SPELLINGS):
        if match := pattern.fullmatch(word[:_LONGEST]):
            spellings[word] = match.expand(plain)
    return list(spellings.values())


def _parts(word: str) -> tuple[str, str]:
    """Return a number and its unit; the whole word and "" where it is not one number with one unit."""
    match = _UNIT.fullmatch(word)
    if match is None or (match["before"] and match["after"]):
        return word, ""
    unit = (match["before"] or match["after"] or match["less"]).replace(" ", "")
    return (match["sign"] + match["number"].strip(), unit) if unit else (word, "")
