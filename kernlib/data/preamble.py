"""Read the lines above and below a table: comments, counts, titles, notes, sums.

All rules read records, whose quotation marks are resolved, and never raw lines.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

from .guesses import Choice, Guess, Row, read_by
from .header import first_line
from .numbers import writing_of
from .uploads import Record, number_of, records, shortened

#: The most lines of comments, and of a title.
_COMMENTS, _TITLE = 50, 20
#: What a line of sums or means below a table begins with.
_SUMS = re.compile(
    r"((grand |sub)?totals?|sum|mean|average|summe|(ins)?gesamt|mittelwert|somme|moyenne|suma|totale):?", re.IGNORECASE
)


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
    head = text.find("\n", len(text) - len(text.lstrip())) + 1
    end = text.find("\n", head) if head else -1
    names, dashes = text[:head].strip().removeprefix("|"), text[head : max(end, head)]
    if "|" in names and not names.startswith("|") and "--" in dashes and not dashes.strip(" \t|:-"):
        text = text[:head] + text[end:]
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
    depth = sum(takewhile(bool, begins))
    if not 0 < depth <= min(_COMMENTS, len(begins) - 1) or any(begins[depth:]):
        return None
    below: Sequence[list[str]] = [record.cells for record in filled[depth:]]
    end, before = filled[depth - 1].last, filled[depth - 2].last if depth > 1 else 0
    cells = next((record.cells for record in records(raw[filled[depth - 1].first - 1].lstrip("# "), mark)), [])
    if len(cells) != len(below[-1]):
        below = without_blank_end(below)
    width, shown = len(below[-1]), shortened(raw[end - 1])
    rows = [cells, *(row for row in below if len(row) == width)]
    fits = 1 < width == len(cells)
    words = width == 1 and writing_of({row[0].strip() for row in below}) is None
    over_numbers = any(writing_of({row[j] for row in rows[1:]}) for j in range(width if fits else 0))
    one, they = depth == 1, "The line at the top that begins with # is"
    they = they if one else f"The {depth} lines at the top that begin with # are"
    example = f": {shown}." if one else f", for example {shown}."
    as_data = Choice("It is a row" if one else "They are rows", skip=0, header=False)
    leave = Choice("It is a comment" if one else "They are comments", skip=end)
    names = Guess(f"The line {shown}, which begins with #, holds the names of the columns.", (as_data,), True)
    data = Guess(f"{they} read as data{example}", (leave,), True)
    comment = f"{they} read as {'a comment' if one else 'comments'} and left out{example}"
    left_out = Guess(comment, (as_data,) if words else (), words)
    titled = tuple(cell.strip() for cell in cells)
    return read_by([
        Row(fits and first_line(rows, None)[0], Above(end, titled, None, None if over_numbers else names)),
        Row(fits, Above(before, (), None, data)),
        Row(words and not raw[0].startswith(("# ", "##", "#!")), Above(guess=data)),
        Row(True, Above(end, (), None, left_out)),
    ]).reading  # fmt: skip


def _title(filled: Sequence[Record], raw: Sequence[str], mark: str) -> Above | None:
    """Read first lines of fewer cells than all others, or with one filled cell, as a title."""
    widths = [len(record.cells) for record in filled]
    depth = sum(1 for _ in takewhile(lambda r: sum(bool(c.strip()) for c in r.cells) == 1, filled[:_TITLE]))
    depth = 0 if depth == len(filled[:_TITLE]) else depth
    widths[:depth] = [1] * depth
    apart = filled[1].first > filled[0].last + 1  # a blank line follows
    width = widths[len(widths) // 2]
    if len(filled) < 4 or width < 3 or widths[0] >= widths[-1] - (not apart):
        return None
    begin = next(k for k, w in enumerate(widths) if w >= width - (not apart))
    skip, rest = filled[begin].first - 1, widths[begin:]
    if skip > _TITLE or len(rest) < 3 or any(w != width for w in rest[1:]):
        return None
    title = " ".join(cell.strip() for record in filled[:begin] for cell in record.cells if cell.strip())
    which = "The first line is read as a title and" if skip == 1 else f"The first {skip} lines are read as a title and"
    return Above(skip, (), None, Guess(f"{which} left out: {shortened(title)}. The table begins in line {skip + 1}."))


def lines_below(lines: Sequence[list[str]]) -> tuple[int, Guess | None]:
    """Return how many of the last lines are no rows, and the question about them: notes of one cell, and a sum.

    >>> lines_below([["shop", "n", "k"], ["a", "1", "u"], ["b", "2", "v"], ["Total", "3", ""], ["in May", "", ""]])[0]
    2
    """
    width, last = len(lines[0]) if lines else 0, [[cell.strip() for cell in line] for line in lines[3:][-_TITLE:][::-1]]
    notes = takewhile(lambda line: line[0] and not any(line[1:]) and number_of(line[0]) is None, last)
    below = sum(1 for _ in notes) if width > 2 else 0
    first = next(filter(None, last[below]), "") if below < len(last) else ""
    below += _SUMS.fullmatch(first) is not None
    if not below:
        return 0, None
    shown = shortened(" ".join(filter(None, last[below - 1])))
    which = f"The last line is no row and is left out: {shown}."
    which = which if below == 1 else f"The last {below} lines are no rows and are left out, from {shown} on."
    return below, Guess(which, (Choice("It is a row" if below == 1 else "They are rows", below=0),), question=True)
