"""Read the lines above and below a table: comments, counts, titles, notes, sums.

All rules read records, whose quotation marks are resolved, and never raw lines.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from .guesses import Choice, Guess
from .header import first_line
from .numbers import writing_of
from .uploads import Record, number_of, records, shortened

#: The most lines of comments, and of a title.
_COMMENTS, _TITLE = 50, 20


class Above(NamedTuple):
    """The lines above a table: how many are left out, the names in them, the classes that they count, the guess."""

    skip: int = 0
    names: tuple[str, ...] = ()
    counts: tuple[int, tuple[str, ...]] | None = None
    guess: Guess | None = None


def lines_above(text: str, found: Sequence[Record], mark: str) -> Above:
    """Return what stands above the first record of the table.

    >>> text = "Report of May\\n\\nx,y,z\\n1,2,a\\n3,4,b\\n"
    >>> lines_above(text, records(text, ","), ",").skip
    2
    """
    filled = [record for record in found if any(cell.strip() for cell in record.cells)]
    raw = text[:200_000].split("\n")
    rules = (_counts, _comments, _title) if len(filled) > 1 else ()
    return next((above for rule in rules if (above := rule(filled, raw, mark))), Above())


def named_separator(text: str) -> tuple[str, str]:
    """Return the text with Excel's first line sep=; made blank, and the mark that it names, "" without such a line.

    The line of dashes below the names of a table in Markdown becomes blank as well.

    >>> named_separator("sep=;\\nx;y\\n1;a\\n")
    ('\\nx;y\\n1;a\\n', ';')
    """
    text = re.sub(r"\A(\s*\|?[^|\n]+\|[^\n]*\n)[ \t|:-]*--[ \t|:-]*(?=\n)", r"\1", text, count=1)
    match = re.match(r'"?sep=([,;|\t])"?[,;|\t]*\n', text[:40], re.IGNORECASE)
    return (text[match.end() - 1 :], match[1]) if match else (text, "")


def without_blank_end(lines: Sequence[list[str]]) -> Sequence[list[str]]:
    """Return the lines without an empty last column: a separator ends each line."""
    while lines and len(lines[0]) > 1 and not any("".join(line[len(lines[0]) - 1 :]).strip() for line in lines):
        lines = [line[: len(lines[0]) - 1] for line in lines]
    return lines


def _counts(filled: Sequence[Record], raw: Sequence[str], mark: str) -> Above | None:
    """Read the first line of scikit-learn and of word2vec, which count rows and columns; `read_table` verifies them."""
    first, second = [cell.strip() for cell in filled[0].cells], filled[1].cells
    if len(first) < 2 or not all(cell.isascii() and cell.isdigit() and len(cell) < 10 for cell in first[:2]):
        return None
    rows, columns, *classes = int(first[0]), int(first[1]), *first[2:]
    vectors = mark == " " and not classes and all(number_of(cell) is not None for cell in second[1:])
    if len(second) != columns + 1 or not all(classes) or not (len(classes) > 1 or vectors):
        return None
    what = f"names the classes, {shortened(', '.join(classes))}" if classes else "is left out"
    data = (Choice("It is data", skip=0, header=False),) if classes else ()
    guess = Guess(f"The first line counts rows and columns and {what}.", data)
    return Above(filled[0].last, (), (rows, tuple(classes)), guess)


def _comments(filled: Sequence[Record], raw: Sequence[str], mark: str) -> Above | None:
    """Read the first lines that begin with #; where lines further down begin so as well, all of them are rows."""
    begins = [raw[record.first - 1].startswith("#") for record in filled]
    depth = next((k for k, begin in enumerate(begins) if not begin), len(begins))
    if not 0 < depth <= min(_COMMENTS, len(begins) - 1) or any(begins[depth:]):
        return None
    below: Sequence[list[str]] = [record.cells for record in filled[depth:]]
    end = filled[depth - 1].last
    cells = next((record.cells for record in records(raw[filled[depth - 1].first - 1].lstrip("# "), mark)), [])
    if len(cells) != len(below[-1]):
        below = without_blank_end(below)
    width, shown = len(below[-1]), shortened(raw[end - 1])
    which = f"The {depth} lines at the top that begin with # are {{}}, for example {shown}."
    which = f"The line at the top that begins with # is {{}}: {shown}." if depth == 1 else which
    as_data = Choice("It is a row" if depth == 1 else "They are rows", skip=0, header=False)
    leave = Choice("It is a comment" if depth == 1 else "They are comments", skip=end)
    if width > 1 and len(cells) == width:  # as numpy.savetxt writes names of columns
        rows = [row for row in below if len(row) == width]
        if first_line([cells, *rows], None)[0]:
            over_numbers = any(writing_of({row[j] for row in rows}) for j in range(width))
            sentence = f"The line {shown}, which begins with #, holds the names of the columns."
            guess = None if over_numbers else Guess(sentence, (as_data,), question=True)
            return Above(end, tuple(cell.strip() for cell in cells), None, guess)
        above = filled[depth - 2].last if depth > 1 else 0
        return Above(above, (), None, Guess(which.replace("{}", "read as data", 1), (leave,), question=True))
    words = width == 1 and writing_of({row[0].strip() for row in below}) is None
    if words and not raw[0].startswith(("# ", "##", "#!")):
        return Above(guess=Guess(which.replace("{}", "read as data", 1), (leave,), question=True))
    what = "read as a comment and left out" if depth == 1 else "read as comments and left out"
    return Above(end, (), None, Guess(which.replace("{}", what, 1), (as_data,) if words else (), question=words))


def _title(filled: Sequence[Record], raw: Sequence[str], mark: str) -> Above | None:
    """Read first lines of fewer cells than all others, or with one filled cell, as a title."""
    widths = [len(record.cells) for record in filled]
    alone = [sum(bool(cell.strip()) for cell in record.cells) == 1 for record in filled[:_TITLE]]
    depth = next((k for k, one in enumerate(alone) if not one), 0)
    widths[:depth] = [1] * depth
    apart = filled[1].first > filled[0].last + 1  # a blank line follows
    if len(filled) < 4 or widths[0] >= widths[-1] - (not apart):
        return None
    width = widths[len(widths) // 2]
    begin = next(k for k, w in enumerate(widths) if w >= width - (not apart))
    skip, rest = filled[begin].first - 1, widths[begin:]
    if skip > _TITLE or len(rest) < 3 or any(w != width for w in rest[1:]) or width < 3:
        return None
    title = " ".join(cell.strip() for record in filled[:begin] for cell in record.cells if cell.strip())
    which = "The first line is read as a title and" if skip == 1 else f"The first {skip} lines are read as a title and"
    return Above(skip, (), None, Guess(f"{which} left out: {shortened(title)}. The table begins in line {skip + 1}."))


def _is_note(line: Sequence[str]) -> bool:
    """Return whether only the first cell is filled, with words."""
    return bool(line[0].strip()) and not any(cell.strip() for cell in line[1:]) and number_of(line[0]) is None


#: What a line of sums or means below a table begins with.
_SUMS = frozenset({
    "total", "totals", "grand total", "sum", "subtotal", "mean", "average", "summe", "gesamt", "insgesamt",
    "mittelwert", "somme", "moyenne", "suma", "totale",
})  # fmt: skip


def lines_below(lines: Sequence[list[str]]) -> tuple[int, Guess | None]:
    """Return how many of the last lines are no rows, and the question about them: notes of one cell, and a sum.

    >>> lines_below([["shop", "n", "k"], ["a", "1", "u"], ["b", "2", "v"], ["Total", "3", ""], ["in May", "", ""]])[0]
    2
    """
    below, width = 0, len(lines[0]) if lines else 0
    while width > 2 and below < min(_TITLE, len(lines) - 3) and _is_note(lines[-below - 1]):
        below += 1
    first = next((c.strip().lower().rstrip(":") for c in lines[-below - 1] if c.strip()), "") if len(lines) > 3 else ""
    below += first in _SUMS
    if not below:
        return 0, None
    shown = shortened(" ".join(cell for cell in lines[-below] if cell.strip()))
    which = f"The last line is no row and is left out: {shown}."
    which = which if below == 1 else f"The last {below} lines are no rows and are left out, from {shown} on."
    return below, Guess(which, (Choice("It is a row" if below == 1 else "They are rows", below=0),), question=True)
