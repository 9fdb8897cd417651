"""Rows as what they are: images, letters, molecules."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from kernlib.data import Dataset
from kernlib.figures.kinds import pictures_of
from kernlib.figures.theme import caption, captioned
from pages.parts.frame import layout

_SHOWN, _BESIDE = 40, 3


def draw(
    data: Dataset,
    rows: Sequence[int],
    names: Sequence[str],
    key: str,
    name: str,
    words: Callable[[int, str], str] = lambda _, own: own,
    *,
    by_class: bool = False,
    graphs: int = _BESIDE,
    across: int = 8,
) -> int:
    """Draw rows as images, letters or graphs, and return how many were drawn: 0 where a table shows everything.

    `words` returns the caption from the number of rows drawn and the figure's own caption. Rows are drawn in the order
    given, or `by_class`.
    """
    pictures, shown = pictures_of(data), rows[:_SHOWN]
    if not pictures.many:
        return each(data, rows[:graphs], names, key)
    fig = pictures.of_rows(data, shown, names[:_SHOWN], by_class=by_class, across=across)
    if fig is None:
        return 0
    layout.figure(captioned(fig, words(len(shown), caption(fig))), key, name=name)
    return len(shown)


def each(data: Dataset, rows: Sequence[int], names: Sequence[str], key: str) -> int:
    """Draw each row in a figure of its own, several side by side, and return how many were drawn."""
    pictures = pictures_of(data)
    for start in range(0, len(rows), _BESIDE):
        few = rows[start : start + _BESIDE]
        for place, (column, row) in enumerate(zip(st.columns(len(few)), few, strict=True)):
            fig = pictures.of_row(data, row, names[start + place])
            if fig is not None:
                with column:
                    layout.figure(fig, f"{key}.{start}.graph.{place}", name=f"graph-{place}")
    return len(rows)
