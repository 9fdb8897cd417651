"""Recognise how a column writes its numbers: decimal comma, thousands, percent, currency, and missing ones."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from itertools import product

from .uploads import is_missing, number_of

#: Among numbers these mean a missing number; among words they may be words.
_GAPS = frozenset(["-", "--", "*", "**", "none", "missing", "unknown", "nd", "n/d", "#value!", "#div/0!", "#ref!"])
_MONEY = r"[$€£¥]|(?:USD|EUR|GBP|CHF|JPY|US\$)(?=[\s\d]|$)"
_UNIT = re.compile(
    rf"(?P<sign>[+-]?)(?P<before>{_MONEY})?\s?(?P<number>[+-]?[\d.,'’\u00a0\u202f ]*\d[.,]?(?:[eE][+-]?\d{{1,3}})?)\s?"
    rf"(?P<after>%|{_MONEY}|°?[A-Za-zµμ²³/]{{1,8}})?"
)
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
    (re.compile("\u2212(.*)"), r"-\1"), (re.compile(r"\(([$€£¥]?\s?[\d.,'’]*\d[.,]?%?)\)"), r"-\1"),
    (re.compile(r"([\d.,'’]*\d)-"), r"-\1"), (re.compile(r"([+-]?\d?\.\d+)[dD]([+-]\d{2,3})"), r"\1E\2"),
)  # fmt: skip
_SIGNS = frozenset("0123456789+-.eE")
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
        if self.unit and len(word) <= _LONGEST:
            word, unit = _parts(word)
            if unit != self.unit:
                return None
        comma = self.decimal == ","
        if len(word) > _LONGEST or not (comma or self.grouped) or _INFINITE.fullmatch(word):
            return number_of(word)
        if _GROUPED[self.decimal].fullmatch(word):
            word = re.sub(r"[ \u00a0\u202f'’]", "", word.replace("." if comma else ",", "").replace(",", "."))
        return None if comma and "," in word else number_of(word)

    @property
    def measured(self) -> bool:
        """Return whether letters behind the number are read as its unit: 66kg."""
        return bool(self.unit) and not re.fullmatch(f"%|{_MONEY}", self.unit)

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
    """
    longest = max(map(len, words), default=0)
    if plain_numbers(words) is not None or all(number_of(word) is not None for word in words):
        # 1.234 among numbers with a decimal comma is a thousand and more.
        thousand = comma and not tells_mark(words) and any("." in word for word in words) and longest <= _LONGEST
        return Writing(",", True, unsure=True) if thousand else PLAIN
    if longest > _LONGEST or any(sign.isdecimal() and not sign.isascii() for sign in {*"".join(words)}):
        return None
    units = {_parts(word)[1] for word in words}
    unit = min(units) if len(units) == 1 else ""
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


def respelt(words: Collection[str]) -> dict[str, str]:
    """Return words → the same numbers in plain writing, where all are numbers then; {} where nothing changes.

    >>> respelt({"\u22121.5", "2"}) == {"\u22121.5": "-1.5", "2": "2"}
    True
    >>> respelt({"12,50-", "3,25"})["12,50-"], respelt({"(3)", "4"})["(3)"], respelt({"1.5D-02"}), respelt({"(3)", "a"})
    ('-12,50', '-3', {'1.5D-02': '1.5E-02'}, {})
    """
    if _SIGNS.issuperset("".join(words)) and not any(word.endswith("-") for word in words):
        return {}
    spellings = {word: word for word in words}
    for word, (pattern, plain) in product(words, _SPELLINGS):
        if match := pattern.fullmatch(word[:_LONGEST]):
            spellings[word] = match.expand(plain)
    changed = [word for word, plain in spellings.items() if plain != word]
    if not changed or ("" not in words and len(changed) == len(words) and all(word[-1] in ")-" for word in changed)):
        return {}  # nothing but brackets: how these words are written
    present = {word for word in spellings.values() if not is_missing(word)}
    return spellings if writing_of(present - gap_words(present)) is not None else {}


def gap_words(words: Collection[str]) -> frozenset[str]:
    """Return the words that mark a missing number among numbers, e.g. "-" and "none".

    >>> sorted(gap_words({"-", "1", "2.5"})), sorted(gap_words({"-", "+"}))
    (['-'], [])
    """
    gaps = frozenset(word for word in words if len(word) < 9 and word.lower() in _GAPS)
    rest = [word for word in words if word not in gaps and not is_missing(word)] if gaps else []
    return gaps if rest and writing_of(rest) is not None else frozenset()


def tells_mark(words: Collection[str]) -> bool:
    """Return whether the words show the decimal mark: 1.5 does, 1.500 may be 1500.

    >>> tells_mark({"1.5", "2"}), tells_mark({"0.500", "2"}), tells_mark({"1.500", "2"})
    (True, True, False)
    """
    return not all(re.fullmatch(r"[+-]?([1-9]\d{0,2}(\.\d{3})+|\d*)", word) for word in words)


def _parts(word: str) -> tuple[str, str]:
    """Return a number and its unit; the whole word and "" where it is not one number with one unit."""
    match = _UNIT.fullmatch(word)
    if match is None or bool(match["before"]) == bool(match["after"]):
        return word, ""
    return match["sign"] + match["number"].strip(), match["before"] or match["after"]
