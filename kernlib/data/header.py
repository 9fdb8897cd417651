"""The first line of a table: names of columns, or the first row of data."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from .guesses import Choice, Guess
from .molecules import is_molecule
from .numbers import gap_words, writing_of
from .sequences import NUCLEOTIDES, is_peptide, kind_of_strings, named_like_strings
from .uploads import is_missing, number_of, shortened

#: The number of lines that are checked.
_LOOKED_AT = 2000


def first_line(lines: Sequence[Sequence[str]], header: bool | None) -> tuple[bool, tuple[Guess, ...]]:
    """Return whether the first line holds names of columns, and the guess where that is in doubt.

    Words above columns of numbers are names. Without columns of numbers, a first cell that repeats below (a class, "+")
    or is a sequence like those below it belongs to a row.

    >>> first_line([["x", "y"], ["1", "a"]], None)[0], first_line([["+", "AC"], ["-", "AG"], ["+", "AA"]], None)[0]
    (True, False)
    """
    if header is not None or len(lines) < 2:
        return bool(header) and len(lines) > 1, ()
    first, body = [cell.strip() for cell in lines[0]], list(lines[1:_LOOKED_AT])
    if not all(first[1:]) and any(number_of(cell) is not None for cell in first):
        return False, ()  # empty cells and numbers: a row
    names = [cell for cell in first if cell]
    for_names = for_row = 0
    steps = []
    for j, cell in enumerate(first):
        below = {word for line in body if not is_missing(word := str(line[j]).strip())}
        if not cell or not below:
            continue
        if writing_of(below - gap_words(below)) is None:
            for_row += _like_those_below(cell, below, len(body))
        elif writing_of({cell}) is not None:
            steps.append(cell)
        else:
            for_names += not is_missing(cell) and not gap_words({cell, "1"})
    if len(names) > 2 and _is_progression(names):
        for_row, steps = 0, names
    numbered = len(steps) > 2 and _is_progression(steps)  # 0, 1, 2, … of a data frame without names, or years
    row = Guess(
        "The first line is read as data, not as names: its cells are like those below them.",
        (Choice("It holds names", header=True),) if len(set(names)) == len(names) else (),
    )
    if steps and not (numbered and (for_names or not first[0] or _beyond(steps, body, first))):
        return False, (row,) if for_names else ()
    if not for_names and (for_row or len(set(names)) < len(names)):
        return False, (row,)
    data = (Choice("It is data", header=False),)
    if numbered:
        return True, (Guess("The first line is read as names although its numbers rise step by step.", data),)
    if not for_names and any(" " in name for name in names):
        return True, (Guess(f"The first line, {shortened(', '.join(names))}, is read as names.", data),)
    return True, ()


def _like_those_below(cell: str, below: set[str], rows: int) -> int:
    """Return how strongly a cell above words, not numbers, looks like one of them: 0, 1 or 2."""
    if cell in below and (len(below) <= max(20, rows // 10) or len(cell) > 20):
        return 1
    if _is_sequence(cell, below):
        return 2
    shaped = len(cell) > 3 and _shape(cell) and all(_shape(word) == _shape(cell) for word in below)
    sentence = _is_sentence(cell) and 2 * sum(map(_is_sentence, below)) > len(below)
    return int(bool(shaped) or sentence or writing_of({cell}) is not None)


def named(first: Sequence[str]) -> list[str]:
    """Return names for all columns: a blank first one names the rows, other blank ones are numbered.

    >>> named(["", "size\\n(cm)", ""])
    ['row', 'size (cm)', 'column 3']
    """
    names = [" ".join(cell.split()) for cell in first]  # a name may hold a line end
    for j, name in enumerate(names):
        if not name:
            stem = "row" if j == 0 else f"column {j + 1}"
            names[j] = stem if stem not in names else f"{stem} ({j + 1})"
    return names


def _is_sequence(cell: str, below: set[str]) -> bool:
    """Return whether a cell is a string like those below it: nucleotides, a peptide, a molecule, few letters."""
    if len(cell) >= 10 and NUCLEOTIDES.fullmatch(cell):
        return any(len(word) >= 10 and NUCLEOTIDES.fullmatch(word) for word in below)
    letters = set("".join(below))
    few = len(below) >= 10 and len(letters) <= 14 and all(word.isalpha() and word.isupper() for word in below)
    if few and len(cell) > 3 and {*cell} <= letters and not named_like_strings(cell):
        return True  # a list of strings over few letters
    if named_like_strings(cell) or not (is_peptide(cell) or is_molecule(cell)):
        return False
    kind = kind_of_strings("", below, len(below))[0]
    fits = is_molecule(cell) if "SMILES" in kind else is_peptide(cell)
    return bool(kind) and fits and min(map(len, below)) <= len(cell)


def _shape(cell: str) -> str:
    """Return a cell with one sign for each run of letters and of digits; "" for a cell without digits."""
    return re.sub(r"[a-z]+", "a", re.sub(r"[A-Z]+", "A", re.sub(r"\d+", "9", cell))) if re.search(r"\d", cell) else ""


def _is_sentence(cell: str) -> bool:
    return len(cell.split()) > 2


def _is_progression(cells: Sequence[str]) -> bool:
    if not all(cell.isascii() and cell.isdigit() and len(cell) < 10 for cell in cells):
        return False
    numbers = [int(cell) for cell in cells]
    return len({b - a for a, b in pairwise(numbers)}) == 1 and numbers[1] > numbers[0]


def _beyond(steps: Sequence[str], body: Sequence[Sequence[str]], first: Sequence[str]) -> bool:
    """Return whether the columns below hold fractions, or no line has such a progression, unlike the first line."""
    places = [j for j, cell in enumerate(first) if cell in steps]
    if any("." in str(line[j]) for line in body[:50] for j in places):
        return True
    return steps[0] in ("0", "1") and not any(_is_progression([str(line[j]).strip() for j in places]) for line in body)
