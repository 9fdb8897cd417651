"""Phases of depth: a parameter over the levels, every cell coloured by both errors."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import streamlit as st

from kernlib.analysis.summary import Summary
from kernlib.figures.depth import column_mark, map_words
from kernlib.figures.frames import mark_frames
from pages.parts.frame import pictures, waiting
from pages.parts.frame.pictures import LevelMap, Place
from pages.parts.frame.view import View
from pages.parts.inputs.controls import option
from pages.parts.results import levels as deep
from pages.views.labs.shelf import Lab, drag_figures, place_of


def draw(lab: Lab, view: View) -> None:
    """Draw the map of levels over the kernel, made in the chosen way, with a sentence on the slider's level."""
    offered, outer = deep.recipes(view.data, view.kernel)
    named = {one.name: one for one in offered}
    with st.container(horizontal=True, gap="small"):
        chosen = option(st.selectbox, "Levels", list(named), "labs.recipe", label_visibility="collapsed", width=380)
        levels, used = deep.levels_of_page(view.data, named[chosen], outer)
        shown = pictures.map_of_levels(view, levels, used, deep.map_axes(view.data, levels.recipe, used))
    if shown is not None:
        waiting.show(shown.cells, partial(_draw, view, shown))


def _draw(view: View, shown: LevelMap, known: Mapping[Place, Summary]) -> None:
    names, symbol = [str(level) for level in shown.levels], shown.axis.number.symbol
    start, errors = shown.levels.index(shown.used[1]) or min(1, len(names) - 1), shown.errors(known)
    marks = [column_mark(i, len(shown.axis.values)) for i in range(len(names))]
    drag_figures(
        view,
        "Level",
        names,
        start,
        [map_words(symbol, errors, level) if shown.whole(known) else None for level in shown.levels],
        (
            "labs.map",
            "Outer frame: test error; inner frame: training error",
            shown.figure(known, place_of(names, start)),
        ),
        targets=[mark_frames("labs-map", marks)],
        progress=f"Measured {len(known)} of {len(shown.kernels)} kernels.",
    )
