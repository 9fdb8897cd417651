"""Pictures that several pages show: rows as what they are, and the map of a parameter over the levels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from kernlib import Kernel
from kernlib.analysis.summary import Summary
from kernlib.data import Dataset
from kernlib.figures import depth
from kernlib.figures.kinds import pictures_of
from kernlib.figures.theme import caption, captioned
from kernlib.statistics import compare_settings
from kernlib.values.labels import HalvesErrors
from pages.parts.frame import layout, waiting
from pages.parts.frame.view import View
from pages.parts.inputs.controls import number, option
from pages.parts.inputs.texts import plain
from pages.parts.results import compute
from pages.parts.results.asking import Slices
from pages.parts.results.levels import Levels, MapAxis

_SHOWN, _BESIDE = 40, 3


def of_rows(
    data: Dataset,
    rows: Sequence[int],
    names: Sequence[str],
    key: str,
    name: str,
    words: Callable[[int, str], str] = lambda _, own: own,
    *,
    graphs: int = _BESIDE,
    across: int = 8,
) -> int:
    """Draw rows as images, letters or graphs, and return how many were drawn: 0 where a table shows everything.

    `words` returns the caption from the number of rows drawn and the figure's own caption. Rows are drawn in the order
    given.
    """
    pictures, shown = pictures_of(data), rows[:_SHOWN]
    if pictures.many:
        fig = pictures.of_rows(data, shown, names[:_SHOWN], across)
        if fig is None:
            return 0
        layout.figure(captioned(fig, words(len(shown), caption(fig))), key, name=name)
        return len(shown)
    shown = rows[:graphs]  # each in a figure of its own, several side by side
    for place, row in enumerate(shown):
        if place % _BESIDE == 0:
            columns = st.columns(min(_BESIDE, len(shown) - place))
        fig = pictures.of_row(data, row, names[place])
        if fig is not None:
            with columns[place % _BESIDE]:
                layout.figure(fig, f"{key}.graph.{place}", name=f"graph-{place}")
    return len(shown)


def of_data(data: Dataset, preview: bool = False) -> None:
    """Draw the pictures of the rows, with the menu of what they show; of pairs, those of the rows that they name."""
    if data.base is not None:
        st.markdown(f"Pairs of rows of **{plain(data.base.title)}**:")
        of_data(data.base, preview)
        return
    pictures = pictures_of(data)
    menu, chosen = pictures.menu(data), 0
    if menu is not None and menu.entries:
        names, places = menu.entries, range(len(menu.entries))
        chosen = option(st.selectbox, menu.label, places, menu.control, format_func=names.__getitem__)
    elif menu is not None:
        chosen = number(menu.label, 0, data.n - 1, 0, menu.control)
    picture = pictures.of_data(data, chosen)
    # A matrix that moves into a column keeps the scale of its wider place: the preview is another figure.
    key = f"data.{picture.name}" + ".preview" * preview
    layout.panel(picture.name.capitalize(), picture.figure, key, name=picture.name.replace(" ", "-"), fill="controls")


#: Levels of the map: the last is deep enough to show the collapse.
_LEVELS = (0, 1, 2, 3, 4, 6, 8, 12, 16)
#: A value of the parameter, and a level.
Place = tuple[Any, int]


@dataclass(frozen=True)
class LevelMap:
    """The cells of a map: the kernel of each place, and what is known of it."""

    axis: MapAxis
    levels: tuple[int, ...]
    used: Place
    kernels: Mapping[Place, Kernel]
    cells: Slices[Place, Summary]

    def errors(self, known: Mapping[Place, Summary]) -> dict[Place, HalvesErrors]:
        """Return the errors of the known cells."""
        return {place: f.errors for place, f in known.items() if f.errors is not None}

    def whole(self, known: Mapping[Place, Summary]) -> bool:
        """Return whether all cells are known."""
        return len(known) == len(self.kernels)

    def figure(self, known: Mapping[Place, Summary], column: int | None = None) -> go.Figure:
        """Return the map as far as it is known, with a frame around a `column`."""
        errors, comparison = self.errors(known), None
        if self.whole(known) and len(errors) > 1:
            tests = {str(i): errors[place].tests for i, place in enumerate(self.kernels) if place in errors}
            comparison = compare_settings(tests, test_over_train=1.0)
        return depth.level_map(
            self.axis.number.label, self.axis.values, self.levels, known, self.used, comparison, column
        )


def map_of_levels(view: View, levels: Levels, used_level: int, axes: Mapping[str, MapAxis]) -> LevelMap | None:
    """Draw the menu of the parameter; return its map, or None where the kernel has no parameter but its level."""
    if not axes:
        st.info("This kernel has no parameter but its level.")
        return None
    chosen = option(st.selectbox, "Rows of the map", list(axes), "depth.map", label_visibility="collapsed", width=300)
    axis = axes[chosen]
    shown = tuple(sorted({*(i for i in _LEVELS if i <= levels.count), used_level}))
    kernels = axis.kernels(shown)
    permit = (view.data.digest, tuple(map(repr, kernels.values())))
    cells = compute.frames(view.data, kernels, levels.recipe.base, "cells", permit)
    return LevelMap(axis, shown, (axis.used, used_level), kernels, cells)


def level_map(view: View, levels: Levels, used_level: int, axes: Mapping[str, MapAxis]) -> None:
    """Draw the menu of the parameter, and the map, again and again until every cell is there; a click takes a cell."""
    shown = map_of_levels(view, levels, used_level, axes)
    if shown is None:
        return

    def picture(known: Mapping[Place, Summary]) -> None:
        count = f"{len(known)} of {len(shown.kernels)} kernels"
        words = depth.map_words(shown.axis.number.label, shown.errors(known)) if shown.whole(known) else f"{count}."
        layout.panel(
            words,
            shown.figure(known),
            "depth.map",
            name="map",
            on_press=partial(layout.adopt_pressed, list(shown.kernels.values())),
            selection_mode="points",
        )

    waiting.show(shown.cells, picture, key="depth.cells")
