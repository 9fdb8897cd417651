"""How the lines of a text became a table: what is shown beside the file as it was read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from .uploads import counted

Part = Literal["left out", "names", "row", "blank", ""]
#: The number of first lines that are kept, and of letters of each.
SHOWN, LETTERS = 40, 300


@dataclass(frozen=True)
class Layout:
    """The first lines of a text with the part that each plays, and the counts of all lines.

    Parameters: `lines`, (number, text, part) of the first lines; `total`, the number of lines; `above`, those left out
    at the top, `below`, at the end; `names`, those that hold the names of columns; `rows`, the rows of the table, 0
    where a line is no row; `mark` between cells, "" where no mark divides the lines.

    >>> Layout(((1, "x,y", "names"), (2, "1,a", "row"), (3, "2,b", "row")), 3, 0, 1, 2).words
    '3 lines, 1 header, 2 rows'
    """

    lines: tuple[tuple[int, str, Part], ...]
    total: int
    above: int
    names: int
    rows: int
    blank: int = 0
    mark: str = ""
    below: int = 0

    @property
    def words(self) -> str:
        """Return the counts as text."""
        if not self.rows:
            return counted(self.total, "line")
        inside = self.total - self.above - self.names - self.rows - self.blank - self.below
        parts = [counted(self.total, "line"), f"{self.above} left out above" if self.above else ""]
        parts += [counted(self.names, "header") if self.names < 2 else f"{self.names} lines of names"]
        parts += [counted(self.rows, "row"), f"{self.below} left out below" if self.below else ""]
        parts += [f"{self.blank} blank" if self.blank else ""]
        parts += [f"{inside} inside quotation marks" if inside > 0 else ""]
        return ", ".join(filter(None, parts)).replace("0 headers", "no header")


def plain_layout(raw: bytes) -> Layout | None:
    """Return the layout of a text in UTF-8 whose lines are no rows of a table; None for an empty text.

    >>> plain_layout(b">a\\nACGT\\n").words
    '2 lines'
    """
    first = raw[: SHOWN * 20_000].decode("utf-8", "replace").rstrip("\n").split("\n")[:SHOWN]
    lines: list[tuple[int, str, Part]] = [(k, line[:LETTERS], "") for k, line in enumerate(first, start=1)]
    return Layout(tuple(lines), raw.rstrip(b"\n").count(b"\n") + 1, 0, 0, 0) if any(first) else None


def layout_of(
    text: str,
    spans: Sequence[tuple[int, int]],
    above: int,
    names: int,
    rows: int,
    blank: int,
    mark: str,
    below: int,
) -> Layout:
    """Return the layout of a text whose first records lie in these spans of lines (first, last), the names first."""
    part_of: dict[int, Part] = {}
    for k, (first, last) in enumerate(spans):
        part_of |= dict.fromkeys(range(first, last + 1), "names" if k < names else "row")
    total = text.count("\n") + (not text.endswith("\n"))
    first_lines = text[: SHOWN * 20_000].split("\n")[:SHOWN]
    lines = []
    for number, line in enumerate(first_lines, start=1):
        part: Part = "left out" if number <= above else part_of.get(number, "row" if line.strip() else "blank")
        part = "left out" if number > total - below and line.strip() else part
        lines.append((number, line[:LETTERS] + ("…" if len(line) > LETTERS else ""), part))
    of_names = sum(last - first + 1 for first, last in spans[:names])
    return Layout(tuple(lines[:total]), total, above, of_names, rows, blank, mark, below)
