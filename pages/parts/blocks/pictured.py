"""Rows as what they are: images, letters, molecules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kernlib.data import Dataset
from kernlib.figures import data as figures
from kernlib.figures.theme import caption
from pages.parts.blocks.pairs import draw_graphs
from pages.parts.frame import layout
from pages.parts.frame.pictures import image_shape

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
    y = data.y if by_class else None
    classes = data.classes if by_class else ()
    shown = list(rows[:_SHOWN])
    labels = None if y is None else y[shown]
    shape = image_shape(data)
    if shape is not None:
        images = data.complete().rows[shown]
        most = _SHOWN * max(len(classes), 1)  # all that are shown may be of one class
        fig: Any = figures.image_grid(images, shape, labels, classes, max_images=most, across=across, numbers=shown)
    elif data.domain == "sequence":
        fig = figures.sequence_letters([data.rows[i] for i in shown], labels, classes, list(names[:_SHOWN]))
    elif data.domain == "graph":
        for start in range(0, min(graphs, len(rows)), _BESIDE):
            few = rows[start : start + _BESIDE]
            draw_graphs(
                [data.rows[i] for i in few], list(names[start : start + _BESIDE]), f"{key}.{start}", data.rows.tolist()
            )
        return min(graphs, len(rows))
    else:
        return 0
    layout.figure(layout.captioned(fig, words(len(shown), caption(fig))), key, name=name)
    return len(shown)
