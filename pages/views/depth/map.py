"""The map of *Depth*: a parameter of the kernel over the levels, a small Gram matrix in every cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from kernlib import Kernel
from kernlib.analysis.summary import Summary
from kernlib.data import Dataset
from kernlib.experiments.axis import with_value
from kernlib.figures import depth
from kernlib.values.labels import HalvesErrors
from pages.parts.frame import layout, waiting
from pages.parts.inputs.controls import option, value_of
from pages.parts.results import compute
from pages.parts.results import levels as deep
from pages.parts.results.compute import Slices
from pages.parts.results.levels import Levels

#: Levels of the map: the last is deep enough to show the collapse.
_LEVELS = (0, 1, 2, 3, 4, 6, 8, 12, 16)
#: Values of the parameter.
_VALUES = 5
#: The control that has the parameter of the rows.
_ROWS = "depth.map"
#: A value of the parameter, and a level.
Place = tuple[Any, int]


@dataclass(frozen=True)
class LevelMap:
    """The cells of a map: the kernel of each place, and what is known of it."""

    labels: Sequence[str]
    label: str
    symbol: str
    values: tuple[Any, ...]
    levels: tuple[int, ...]
    used: Place
    kernels: Mapping[Place, Kernel]
    cells: Slices[Place, Summary]

    def menu(self) -> None:
        """Draw the menu of the parameter."""
        option(st.selectbox, "Rows of the map", self.labels, _ROWS, label_visibility="collapsed", width=200)

    def words(self) -> str:
        """Return where the smallest error is and what the kernels do, when all are measured."""
        known = self.cells.value()
        if len(known) < len(self.kernels):
            cells = f"{len(self.kernels)} kernels, one for each cell"
            return f"Measuring {cells}." if self.cells.keys else f"{cells}, take too long to measure here."
        return "\n".join(depth.map_words(self.symbol, _errors(known), self.used))

    def _taken(self, known: Mapping[Place, Summary]) -> Place | None:
        """Return the recommended cell, when all are measured."""
        errors = _errors(known)
        return depth.recommended_cell(errors, self.used) if errors and len(known) == len(self.kernels) else None

    def draw(self) -> None:
        """Draw the map, again and again until every cell is there; a click takes a cell."""

        def picture(known: Mapping[Place, Summary]) -> None:
            layout.panel(
                "Each cell is a kernel; bright outer frame: small test error. Click one to use it",
                depth.level_map(self.label, self.values, self.levels, known, self.used, self._taken(known)),
                _ROWS,
                fill="controls",
                on_press=partial(layout.adopt_pressed, list(self.kernels.values())),
            )

        waiting.show(self.cells, picture)


def _errors(known: Mapping[Place, Summary]) -> dict[Place, HalvesErrors]:
    return {place: one.errors for place, one in known.items() if one.errors is not None}


def map_of(data: Dataset, levels: Levels, used_level: int) -> LevelMap | None:
    """Return the map over the chosen parameter; None where the kernel has no parameter but its level."""
    parameters = deep.map_parameters(levels.recipe, used_level)
    if not parameters:
        return None
    label = value_of(_ROWS, next(iter(parameters)), {one: one for one in parameters}.__getitem__)
    number, used = parameters[label]
    suggested = compute.heuristics(data, levels.recipe.base).get(number.place.parameter.name)
    used = suggested if used is None else used
    grid = number.values(suggested if number.log else None, _VALUES)
    some = {grid[i] for i in np.linspace(0, len(grid) - 1, _VALUES).round().astype(int)}
    values = tuple(sorted(some | ({used} if isinstance(used, int | float) else set())))
    shown = tuple(sorted({*(i for i in _LEVELS if i <= levels.count), used_level}))
    kernels = {(a, b): with_value(number.at(a), ["level"], b) for a in values for b in shown}
    cells = compute.frames(data, kernels, levels.recipe.base, "cells")
    return LevelMap(list(parameters), label, number.symbol, values, shown, (used, used_level), kernels, cells)
