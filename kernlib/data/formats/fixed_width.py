"""Tables of fixed width: each column has a fixed position in every line, filled up with blanks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ..guesses import Choice, Guess
from ..reading import Upload, of_table
from ..tables import table_of_lines
from ..uploads import delimiter_of, number_of
from .base import File, Format, Head

#: Lines that show columns: fewer could have blanks at the same places by chance.
_LEAST = 4


def columns_of(lines: Sequence[str]) -> list[tuple[int, int]]:
    """Return where the columns begin and end: between positions that are blank in all lines.

    >>> columns_of(["city      size", "New York    12", "Rome         3"])
    [(0, 8), (10, 14)]
    """
    width = max(map(len, lines), default=0)
    inked = np.zeros(width + 2, dtype=np.int8)
    for line in lines:
        letters = np.frombuffer(line.encode("utf-32-le"), dtype=np.uint32)
        inked[1 : len(letters) + 1] |= letters != 32
    edges = np.flatnonzero(np.diff(inked))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


def _named(places: list[tuple[int, int]], header: str) -> list[tuple[int, int]]:
    """Join pieces that only one long cell has, such as "Rio" in "Rio de Janeiro", to the named columns."""
    joined = places[:1]
    for k, (a, b) in enumerate(places[1:], 1):
        near = a - joined[-1][1] == 1
        ahead = k + 1 < len(places) and places[k + 1][0] - b == 1
        last = header[slice(*joined[-1])].strip()
        if (near and (not last if len(joined) > 1 else False)) or (near and not header[a:b].strip() and not ahead):
            joined[-1] = (joined[-1][0], b)
        else:
            joined.append((a, b))
    return joined


def _is_table(lines: Sequence[str]) -> bool:
    """Return whether lines are cells at fixed places: several columns, one of numbers, and blanks between them."""
    if len(lines) < _LEAST or any("\t" in line for line in lines):
        return False
    places = columns_of(lines)
    if len(places) < 2 or len(places) > 500:
        return False
    # Prose has words of any length: one blank in all lines separates columns only beside a column of numbers.
    cells = [[line[a:b].strip() for a, b in places] for line in lines[1:]]
    numeric = [all(not row[j] or number_of(row[j]) is not None for row in cells) for j in range(len(places))]
    filled = [any(row[j] for row in cells) for j in range(len(places))]
    wide = any(b - a > 1 for (_, a), (b, _) in pairwise(places))
    return wide and any(n and f for n, f in zip(numeric, filled, strict=True))


def _looks_like_fixed_width(head: Head) -> str:
    lines = [line.rstrip() for line in head.text.splitlines() if line.strip()]
    # The blanks before the first line are stripped; only distances from its end are kept.
    lines = lines[1:] if head.whole else lines[1:-1]
    if len(lines) < _LEAST - 1 or delimiter_of("\n".join(lines)) != "," or any("," in line for line in lines[:1]):
        return ""
    return "Columns at fixed places, with blanks between them" if _is_table([lines[0], *lines]) else ""


def _fixed_width(file: File, reason: str) -> Upload | None:
    if file.domain == "text":
        return None
    lines = [line.rstrip() for line in file.text.splitlines() if line.strip()]
    if len(lines) > file.limits.rows + 1 or not _is_table(lines):
        return None
    places = _named(columns_of(lines), lines[0])
    rows = [[line[a:b].strip() for a, b in places] for line in lines]
    table = table_of_lines(rows, file.name, file.header, file.limits)
    sentence = f"{len(places)} columns are split at the positions that are blank in all {len(lines)} lines."
    guesses = (Guess(sentence, (Choice("Each line is one text", domain="text"),)),)
    return of_table(table, "Table of fixed width", reason, file.domain, file.limits, guesses)


FIXED_WIDTH = Format("Table of fixed width", ("fwf", "txt", "dat", "prn"), _looks_like_fixed_width, _fixed_width)
