"""Numbers, shares, sizes and parameter values as text: the one place that rounds them for a reader."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from numbers import Real
from typing import Any

#: Smaller shares are written as "less than" this.
_LEAST = 1e-4
#: A share this near to 1 is 1, but for rounding.
_ROUNDING = 1e-9
_RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_UNITS = ((1e15, "PB"), (1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"))
#: What a spreadsheet reads as a number, although it begins with a sign.
_SIGNED = re.compile(r"[+-]?(\d+(?:\.\d*)?|\.\d+)([eE][+-]?\d+)?|[+-]")


def number(value: float | None, digits: int = 4) -> str:
    """Return a number rounded to significant digits; whole digits stay up to a million. '–' stands for None and NaN.

    >>> number(0.123456), number(-2.0), number(12345.6), number(1e-7), number(1.6e9), number(None), number(math.inf)
    ('0.1235', '−2', '12346', '10⁻⁷', '1.6·10⁹', '–', '∞')
    >>> number(0.123456, digits=2), number(99.7, digits=2), number(9999.7), number(999999.7)
    ('0.12', '100', '10000', '10⁶')
    """
    if value is None or math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    rounded = abs(float(f"{value:.{digits}g}"))
    text = f"{value:.0f}" if 10**digits <= rounded and round(abs(value)) < 1e6 else f"{value:.{digits}g}"
    factor, _, power = text.partition("e")
    if power:
        times = {"1": "", "-1": "-"}.get(factor, f"{factor}·")
        text = f"{times}10{str(int(power)).translate(_RAISED)}"
    return text.replace("-", "−")


def value_in_words(value: Any) -> str:
    """Return a setting as text: a number as `number` writes it, several joined by commas, anything else as it prints.

    >>> value_in_words(0.1), value_in_words((2, "clip")), value_in_words(True), value_in_words(None)
    ('0.1', '2, clip', 'True', '–')
    """
    if isinstance(value, tuple):
        return ", ".join(map(value_in_words, value))
    if value is None or (isinstance(value, Real) and not isinstance(value, bool)):
        return number(None if value is None else float(value))
    return str(value)


def table_lines(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of a Markdown table; its cells are Markdown.

    >>> table_lines(("", "error"), [("RBF", "0.1")])
    ['| | error |', '|---|---|', '| RBF | 0.1 |']
    """
    first, *others = ["".join(f"| {cell} " if cell else "| " for cell in row) + "|" for row in (header, *rows)]
    return [first, f"|{'---|' * len(header)}", *others]


def short_chains(chains: Sequence[str], room: int = 40) -> list[str]:
    """Return short names of kernels where there is `room` for so many letters: the last steps, if they tell them apart.

    >>> short_chains(["columns 0, 3, 4, 7 → standardised → RBF(1)", "columns 0, 3, 4, 7 → standardised → RBF(2)"], 30)
    ['… → standardised → RBF(1)', '… → standardised → RBF(2)']
    """
    names = []
    for chain in chains:
        steps = chain.split(" → ")
        while len(" → ".join(steps)) > room and len(steps) > 1 + (steps[0] == "…"):
            steps = ["…", *steps[2 if steps[0] == "…" else 1 :]]
        names.append(" → ".join(steps))
    return [chain if names.count(name) > 1 else name for name, chain in zip(names, chains, strict=True)]


def percent(share: float, digits: int = 2) -> str:
    """Return a share as a percentage rounded to significant digits; whole digits are never rounded away.

    >>> percent(0.0123), percent(0.123), percent(0.05), percent(1.0), percent(0.0)
    ('1.2%', '12%', '5%', '100%', '0%')
    >>> percent(0.4837), percent(0.4837, digits=3), percent(3e-6), percent(-0.05)
    ('48%', '48.4%', 'less than 0.01%', '−5%')

    A share below 1 is never written as all:

    >>> percent(0.9999), percent(0.9999, digits=3), percent(1 - 1e-12)
    ('more than 99%', 'more than 99.9%', '100%')
    """
    if 0 < share < _LEAST:
        return f"less than {_to_digits(100 * _LEAST, 1)}%"
    most = 1 - 10.0 ** -max(2, digits)
    if most < share < 1 - _ROUNDING and _to_digits(100 * share, digits) == "100":
        return f"more than {_to_digits(100 * most, digits)}%"
    return f"{_to_digits(100 * share, digits)}%".replace("-", "−")


def score_in_words(score: float, share: bool, digits: int = 3) -> str:
    """Return an error or a score as text: a percentage where it is a `share` of rows, else a number.

    >>> score_in_words(0.1234, share=True), score_in_words(0.1234, share=False)
    ('12.3%', '0.123')
    """
    return percent(score, digits) if share else number(score, digits)


def size_in_words(size: float, digits: int = 3) -> str:
    """Return a number of bytes in a suitable unit, 1 MB being 10⁶, rounded to significant digits.

    >>> size_in_words(72_000_000), size_in_words(3 * 2**30), size_in_words(115_200), size_in_words(900)
    ('72 MB', '3.22 GB', '115 kB', '900 bytes')
    >>> size_in_words(137_234_567, digits=2), size_in_words(3.2e18)
    ('137 MB', '3,200 PB')
    """
    for factor, unit in _UNITS:
        if size >= factor * (1 - 0.5 * 10.0**-digits):  # 999.9 kB is 1 MB
            return f"{_to_digits(size / factor, digits)} {unit}"
    return f"{size:.0f} {'byte' if size == 1 else 'bytes'}"


def seconds_in_words(seconds: float) -> str:
    """Return an estimated duration in seconds as text, to two digits.

    >>> seconds_in_words(0.3), seconds_in_words(12.3), seconds_in_words(90), seconds_in_words(9000)
    ('less than a second', 'about 12 s', 'about 1.5 min', 'about 2.5 h')
    """
    if seconds < 1:
        return "less than a second"
    if seconds < 60:
        return f"about {number(seconds, 2)} s"
    return f"about {number(seconds / 60, 2)} min" if seconds < 5400 else f"about {number(seconds / 3600, 2)} h"


def _to_digits(value: float, digits: int) -> str:
    """Return a number rounded to significant digits, never to tens, without an exponent or trailing zeros."""
    if value == 0 or not math.isfinite(value):
        return f"{value:.0f}"
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    text = f"{value:,.{decimals}f}"
    return text.rstrip("0").rstrip(".") if decimals else text


def inert_cell(text: str) -> str:
    """Return `text`, with an apostrophe in front if a spreadsheet would run it: after = + - @, a tab or line end.

    A signed number stays as it is.

    >>> [inert_cell(t) for t in ("=1+1", " @x", "-1.5", "b", "")]
    ["'=1+1", "' @x", '-1.5', 'b', '']
    """
    if not text.lstrip(" ").startswith(("=", "+", "-", "@", "\t", "\r", "\n")) or _SIGNED.fullmatch(text):
        return text
    return "'" + text
