"""The map of *Depth*: a parameter of the kernel over the levels, a small Gram matrix in every cell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from kernlib import Kernel
from kernlib.analysis.summary import Summary
from kernlib.data import Dataset
from kernlib.figures import depth
from pages.parts.frame import layout, waiting
from pages.parts.inputs.controls import option, value_of
from pages.parts.results import compute
from pages.parts.results import levels as deep
from pages.parts.results.compute import Slices
from pages.parts.results.levels import Levels, MapAxis

#: Levels of the map: the last is deep enough to show the collapse.
_LEVELS = (0, 1, 2, 3, 4, 6, 8, 12, 16)
#: The control that has the parameter of the rows.
_ROWS = "depth.map"
#: A value of the parameter, and a level.
Place = tuple[Any, int]


@dataclass(frozen=True)
class LevelMap:
    """The cells of a map: the kernel of each place, and what is known of it."""

    axes: Mapping[str, MapAxis]
    axis: MapAxis
    levels: tuple[int, ...]
    used: Place
    kernels: Mapping[Place, Kernel]
    cells: Slices[Place, Summary]

    def menu(self) -> None:
        """Draw the menu of the parameter."""
        option(st.selectbox, "Rows of the map", list(self.axes), _ROWS, label_visibility="collapsed", width=200)

    def words(self) -> str:
        """Return where the smallest error is and what the kernels do, when all are measured."""
        known = self.cells.value()
        if len(known) < len(self.kernels):
            cells = f"{len(self.kernels)} kernels, one for each cell"
            return f"Measuring {cells}." if self.cells.permission() is None else f"{cells}, are not measured yet."
        errors = {place: one.errors for place, one in known.items() if one.errors is not None}
        return "\n".join(depth.map_words(self.axis.number.label, errors, self.used))

    def draw(self) -> None:
        """Draw the map, again and again until every cell is there; a click takes a cell."""

        def picture(known: Mapping[Place, Summary]) -> None:
            layout.panel(
                "Each cell is a kernel; bright frames are small errors. Click a cell to use it",
                depth.level_map(self.axis.number.label, self.axis.values, self.levels, known, self.used),
                _ROWS,
                fill="controls",
                on_press=partial(layout.adopt_pressed, list(self.kernels.values())),
                selection_mode="points",
            )

        waiting.show(self.cells, picture, key="depth.cells")


def map_of(data: Dataset, levels: Levels, used_level: int) -> LevelMap | None:
    """Return the map over the chosen parameter; None where the kernel has no parameter but its level."""
    axes = deep.map_axes(data, levels.recipe, used_level)
    if not axes:
        return None
    axis = axes[value_of(_ROWS, next(iter(axes)), {one: one for one in axes}.__getitem__)]
    shown = tuple(sorted({*(i for i in _LEVELS if i <= levels.count), used_level}))
    kernels = axis.kernels(shown)
    permit = (data.digest, tuple(map(repr, kernels.values())))
    cells = compute.frames(data, kernels, levels.recipe.base, "cells", permit)
    return LevelMap(axes, axis, shown, (axis.used, used_level), kernels, cells)
