"""The map: a parameter of the kernel over the levels, a small matrix and both errors in every cell."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import streamlit as st

from kernlib.analysis.summary import Summary
from kernlib.figures.depth import level_map, memorising_words
from kernlib.statistics import compare_settings
from pages.parts.frame import layout, waiting
from pages.parts.frame.view import View
from pages.parts.inputs.controls import option
from pages.parts.results import compute
from pages.parts.results import levels as deep
from pages.parts.results.levels import Levels

#: Levels of the map: the last is deep enough to show the collapse.
_LEVELS = (0, 1, 2, 3, 4, 6, 8, 12, 16)


def draw(view: View, levels: Levels, used_level: int, say: Callable[[str], None] | None = None) -> None:
    """Draw the menu of the parameter, and the map, again and again until every cell is there.

    `say` draws the sentence where the data are not those of the line; a click then takes no cell.
    """
    axes = deep.map_axes(view.data, levels.recipe, used_level)
    if not axes:
        st.info("This kernel has no parameter but its level.")
        return
    chosen = option(st.selectbox, "Rows of the map", list(axes), "depth.map", label_visibility="collapsed", width=300)
    axis = axes[chosen]
    shown = tuple(sorted({*(i for i in _LEVELS if i <= levels.count), used_level}))
    kernels = axis.kernels(shown)
    permit = (view.data.digest, tuple(map(repr, kernels.values())))
    cells = compute.frames(view.data, kernels, levels.recipe.base, "cells", permit)
    used = (axis.used, used_level)

    def picture(known: Mapping[Any, Summary]) -> None:
        errors = {place: f.errors for place, f in known.items() if f.errors is not None}
        comparison = None
        if len(known) == len(kernels) and len(errors) > 1:
            tests = {str(i): errors[place].tests for i, place in enumerate(kernels) if place in errors}
            comparison = compare_settings(tests, test_over_train=1.0)
        words = memorising_words(errors) if len(known) == len(kernels) else f"{len(known)} of {len(kernels)} kernels"
        fig = level_map(axis.number.label, axis.values, shown, known, used, comparison)
        title = "Small Gram matrices on the ground of their test error"
        if say is not None:
            say(words)
            layout.panel(title, fig, "labs.map", fill="controls", name="map")
            return
        layout.panel(
            words or title,
            fig,
            "depth.map",
            name="map",
            on_press=partial(layout.adopt_pressed, list(kernels.values())),
            selection_mode="points",
        )

    waiting.show(cells, picture, key="depth.cells")
