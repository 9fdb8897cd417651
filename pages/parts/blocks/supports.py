"""Support vectors as what they are: images, letters, molecules, documents, rows of a table."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from kernlib.data import Dataset
from kernlib.explain import Trained
from kernlib.figures import data as figures
from kernlib.figures.theme import alt, caption
from pages.parts.blocks.pairs import draw_graphs
from pages.parts.frame import layout
from pages.parts.frame.pictures import image_shape

_IMAGES, _LETTERS, _GRAPHS, _LINES = 40, 40, 6, 300


def draw(data: Dataset, machine: Trained) -> None:
    """Draw the support vectors, largest α first: a picture where the rows have one, and a table."""
    support = machine.support
    rows = machine.rows[support]
    _picture(data, rows)
    table = layout.row_table(data, rows[:_LINES].tolist())
    table.insert(2, "α", machine.alpha[support][:_LINES])
    table.insert(3, "y·f(x)", machine.margin[support][:_LINES])
    table.insert(4, "at the bound", machine.bounded[support][:_LINES])
    st.dataframe(table, hide_index=True)
    if len(rows) > _LINES:
        st.caption(f"The first {_LINES} of {len(rows)} support vectors.")


def _captioned(fig: Any, shown: int, count: int) -> Any:
    """Return the figure with the number of support vectors in its caption."""
    which = f"All {count} support vectors" if shown == count else f"The {shown} of {count} support vectors with most α"
    return fig.update_layout(meta=dict(alt=alt(fig), caption=f"{which}, by class. {caption(fig)}"))


def _picture(data: Dataset, rows: np.ndarray) -> None:
    shape = image_shape(data)
    if shape is not None:
        shown = rows[:_IMAGES]
        y = None if data.y is None else data.y[shown]
        images = data.complete().rows[shown]
        most = _IMAGES * max(len(data.classes), 1)  # all that are shown may be of one class
        fig = figures.image_grid(images, shape, y, data.classes, max_images=most, numbers=shown)
        layout.figure(_captioned(fig, len(shown), len(rows)), "machine.images", name="support-vectors")
    elif data.domain == "sequence":
        shown = rows[:_LETTERS]
        fig = figures.sequence_letters(
            data.rows[shown], None if data.y is None else data.y[shown], data.classes, [data.ids[i] for i in shown]
        )
        layout.figure(_captioned(fig, len(shown), len(rows)), "machine.letters", name="support-vectors")
    elif data.domain == "graph":
        for start in range(0, min(_GRAPHS, len(rows)), 3):
            chosen = rows[start : start + 3].tolist()
            names = [f"row {row} ({data.labels[row]})" for row in chosen]
            draw_graphs([data.rows[row] for row in chosen], names, f"machine.{start}", among=data.rows.tolist())
        st.caption(f"The {min(_GRAPHS, len(rows))} of {len(rows)} support vectors with most α.")
