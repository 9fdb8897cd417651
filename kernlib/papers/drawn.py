"""What the papers' figures show, read from the results: plain numbers for pictures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .report import Table

__all__ = ["cosines", "gains", "moves", "ways"]

Lines = dict[str, dict[str, Any]]


def _by_row(table: Table) -> dict[str, Lines]:
    rows, columns, cells = table.crossed()
    return {row: {column: cells[row, column] for column in columns if (row, column) in cells} for row in rows}


def gains(table: Table) -> dict[str, tuple[float, ...]]:
    """What levels 1 to 5 gain over level 0 on each data set, (a_j − a_0)/(1 − a_0) of mean scores ([K] figure 3.1)."""
    found = {}
    for name, lines in _by_row(table).items():
        scores = [lines[f"level {level}"]["ours"] for level in range(len(lines))]
        if None not in scores:
            found[name] = tuple((a - scores[0]) / (1.0 - scores[0]) for a in scores[1:])
    return found


def moves(table: Table) -> list[tuple[str, float, float, float, float]]:
    """Relevant dimension and estimated error of each data set, as printed and as they come out here ([R])."""
    found = []
    for name, lines in _by_row(table).items():
        dim, noise = lines.get("dim"), lines.get("est. error")
        if dim and noise and dim["ours"] is not None and noise["ours"] is not None:
            found.append((name, dim["published"], noise["published"] / 100, dim["ours"], noise["ours"] / 100))
    return found


def cosines(table: Table) -> tuple[list[list[float]], list[list[float]]]:
    """The cosines of four tissues as two square matrices, printed and ours ([O] figure 2)."""

    def square(value: Callable[[dict[str, Any]], float]) -> list[list[float]]:
        K = [[1.0] * 4 for _ in range(4)]
        pairs = [(i, j) for i in range(4) for j in range(i + 1, 4)]
        for (i, j), line in zip(pairs, table.lines, strict=True):
            K[i][j] = K[j][i] = value(line)
        return K

    return square(lambda line: line["published"]), square(lambda line: line["ours"])


def ways(table: Table) -> list[tuple[str, float, float, float]]:
    """A kernel's error as printed, chosen on training rows, and chosen on the test rows ([C])."""
    found = []
    for line, other in zip(table.lines, table.lines[1:], strict=False):
        if line["item"] == other["item"] and other["of"] == "leaky" and None not in (line["ours"], other["ours"]):
            name = line["item"].partition(", ")[2]
            found.append((name, line["published"], line["ours"], other["ours"]))
    return found
