"""Shares and sizes as a person says them: the same everywhere."""

from __future__ import annotations

import math

__all__ = ["percent", "size_in_words"]

#: Of a share below this nothing is left in a sentence.
_LEAST = 1e-4
_UNITS = ((1e15, "PB"), (1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"))


def percent(share: float, digits: int = 2) -> str:
    """A share as a percentage of so many digits; the whole ones are never rounded away.

    >>> percent(0.0123), percent(0.123), percent(0.05), percent(1.0), percent(0.0)
    ('1.2%', '12%', '5%', '100%', '0%')
    >>> percent(0.4837), percent(0.4837, digits=3), percent(3e-6)
    ('48%', '48.4%', 'less than 0.01%')
    """
    if 0 < share < _LEAST:
        return f"less than {_to_digits(100 * _LEAST, 1)}%"
    return f"{_to_digits(100 * share, digits)}%"


def size_in_words(size: float, digits: int = 3) -> str:
    """Bytes in the unit that suits them, 1 MB being 10⁶, with so many digits.

    >>> size_in_words(72_000_000), size_in_words(3 * 2**30), size_in_words(115_200), size_in_words(900)
    ('72 MB', '3.22 GB', '115 kB', '900 bytes')
    >>> size_in_words(137_234_567, digits=2), size_in_words(3.2e18)
    ('137 MB', '3,200 PB')
    """
    for factor, unit in _UNITS:
        if size >= factor * (1 - 0.5 * 10.0**-digits):  # what would be told as 1000 of the unit below
            return f"{_to_digits(size / factor, digits)} {unit}"
    return f"{size:.0f} {'byte' if size == 1 else 'bytes'}"


def _to_digits(value: float, digits: int) -> str:
    """Rounded to so many digits but never to tens, without an exponent and without zeros at the end."""
    if value == 0 or not math.isfinite(value):
        return f"{value:.0f}"
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    told = f"{value:,.{decimals}f}"
    return told.rstrip("0").rstrip(".") if decimals else told
