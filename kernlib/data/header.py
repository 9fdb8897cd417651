"""The first line of a table: names of columns, or the first row of data."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from .guesses import Choice, Guess
from .numbers import gap_words, writing_of
from .uploads import is_missing, number_of, shortened

__all__ = ["NUCLEOTIDES", "first_line", "named"]

NUCLEOTIDES = re.compile(r"[ACGTUNRYSWKMBDHV]+", re.IGNORECASE)
#: So many lines are looked at.
_LOOKED_AT = 2000


def first_line(lines: Sequence[Sequence[str]], header: bool | None) -> tuple[bool, tuple[Guess, ...]]:
    """Whether the first line holds names, and what is to be said of that guess.

    Names are those of columns of numbers that are no numbers themselves. Without columns of numbers: a first cell that
    stands again below it (a class, "+") is a row's, and so is one that is a sequence.

    >>> first_line([["x", "y"], ["1", "a"]], None)[0], first_line([["+", "AC"], ["-", "AG"], ["+", "AA"]], None)[0]
    (True, False)
    """
    if header is not None or len(lines) < 2:
        return bool(header) and len(lines) > 1, ()
    first, body = [cell.strip() for cell in lines[0]], lines[1:_LOOKED_AT]
    if not all(first[1:]) and any(number_of(cell) is not None for cell in first):
        return False, ()  # gaps and numbers: a row
    names = [cell for cell in first if cell]
    for_names, for_row, steps = 0, 0, []
    for j, cell in enumerate(first):
        if not cell:
            continue
        below = {word for line in body if not is_missing(word := str(line[j]).strip())}
        if not below:
            continue
        if writing_of(below - gap_words(below)) is not None:
            if writing_of({cell}) is not None:
                steps.append(cell)
            elif not is_missing(cell) and not gap_words({cell, "1"}):
                for_names += 1
        elif cell in below and (len(below) <= max(20, len(body) // 10) or len(cell) > 20):
            for_row += 1
        elif _is_sequence(cell) and any(_is_sequence(word) for word in below):
            for_row += 2
        elif writing_of({cell}) is not None or (_is_sentence(cell) and 2 * sum(map(_is_sentence, below)) > len(below)):
            for_row += 1
    if len(names) > 2 and _is_progression(names):
        for_row, steps = 0, names
    numbered = len(steps) > 2 and _is_progression(steps)  # 0, 1, 2, … of a data frame without names, or years
    row = Guess(
        "The first line is taken for data, not for names: its cells are of the kind that stands below them.",
        (Choice("It holds names", header=True),),
    )
    if steps and not (numbered and (for_names or not first[0] or _beyond(steps, body, first))):
        return False, (row,) if for_names else ()
    if len(set(names)) < len(names) and not for_names:
        return False, (row,)
    if for_row and not for_names:
        return False, (row,)
    if numbered:
        names_said = Guess(
            "The first line is taken for names although it holds numbers: they go up step by step.",
            (Choice("It is data", header=False),),
        )
        return True, (names_said,)
    if not for_names and any(" " in name for name in names):
        shown = shortened(", ".join(names))
        said = Guess(f"The first line, {shown}, is taken for names.", (Choice("It is data", header=False),))
        return True, (said,)
    return True, ()


def named(first: Sequence[str]) -> list[str]:
    """Names for all columns: a blank one in front is the rows' own, others are numbered.

    >>> named(["", "x", ""])
    ['row', 'x', 'column 3']
    """
    names = [cell.strip() for cell in first]
    for j, name in enumerate(names):
        if not name:
            stem = "row" if j == 0 else f"column {j + 1}"
            names[j] = stem if stem not in names else f"{stem} ({j + 1})"
    return names


def _is_sequence(cell: str) -> bool:
    return len(cell) >= 10 and NUCLEOTIDES.fullmatch(cell.strip()) is not None


def _is_sentence(cell: str) -> bool:
    return len(cell.split()) > 2


def _is_progression(cells: Sequence[str]) -> bool:
    if not all(cell.isascii() and cell.isdigit() and len(cell) < 10 for cell in cells):
        return False
    numbers = [int(cell) for cell in cells]
    return len({b - a for a, b in pairwise(numbers)}) == 1 and numbers[1] > numbers[0]


def _beyond(steps: Sequence[str], body: Sequence[Sequence[str]], first: Sequence[str]) -> bool:
    """Whether the columns below hold fractions, or no such progression in any line: the first line is unlike them."""
    places = [j for j, cell in enumerate(first) if cell in steps]
    if any("." in str(line[j]) for line in body[:50] for j in places):
        return True
    return steps[0] in ("0", "1") and not any(_is_progression([str(line[j]).strip() for j in places]) for line in body)
