"""Numbers that the papers' figures draw, read from the results."""

from __future__ import annotations

from typing import Any

from .report import Table

Lines = dict[str, dict[str, Any]]


def _by_row(table: Table) -> dict[str, Lines]:
    rows, columns, cells = table.crossed()
    return {row: {column: cells[row, column] for column in columns if (row, column) in cells} for row in rows}


def gains(table: Table) -> dict[str, tuple[tuple[float, float], ...]]:
    """Return the gain of levels 1 to 5 over level 0, (a_j − a_0)/(1 − a_0), with its standard error ([K] 3.1)."""
    data = {}
    by_item: dict[str, Lines] = {}  # a table of one item has no rows and columns
    for line in table.lines:
        by_item.setdefault(line["item"].partition(", ")[2], {})[line["label"]] = line
    for name, lines in by_item.items():
        own = [lines[f"gain of level {level}"] for level in range(1, 6) if f"gain of level {level}" in lines]
        if own and all(line["ours"] is not None for line in own):
            data[name] = tuple((line["ours"], line["se"]) for line in own)
    return data


def moves(table: Table) -> tuple[dict[str, tuple[float, float]], dict[str, tuple[float, float]]]:
    """Return the relevant dimension and estimated error of each data set, printed and ours ([R])."""
    printed, ours = {}, {}
    for name, lines in _by_row(table).items():
        dim, noise = lines.get("dim"), lines.get("est. error")
        if dim and noise and dim["ours"] is not None and noise["ours"] is not None:
            printed[name] = dim["published"], noise["published"] / 100
            ours[name] = dim["ours"], noise["ours"] / 100
    return printed, ours


def ways(table: Table) -> list[tuple[str, float, float, float]]:
    """Return each kernel's error as printed, chosen on training rows, and chosen on the test rows ([C])."""
    errors = []
    for line, other in zip(table.lines, table.lines[1:], strict=False):
        if line["item"] == other["item"] and other["of"] == "leaky" and None not in (line["ours"], other["ours"]):
            name = line["item"].partition(", ")[2]
            errors.append((name, line["published"], line["ours"], other["ours"]))
    return errors
