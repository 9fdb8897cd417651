"""Phases of depth: a parameter over the levels, every cell coloured by both errors."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import streamlit as st

from kernlib.analysis.summary import Summary
from kernlib.figures.depth import column_mark, phase_words
from kernlib.figures.frames import mark_frames, sentence_frames
from pages.parts.frame import layout, pictures, waiting
from pages.parts.frame.pictures import LevelMap, Place
from pages.parts.frame.view import View
from pages.parts.inputs.controls import option
from pages.parts.results import levels as deep
from pages.parts.session.state import DataChoice
from pages.views.labs.shelf import Lab, drag, in_terms, needs_labels, place_of, sentence


def draw(view: View) -> None:
    """Draw the map of levels over the kernel, made in the chosen way, with a sentence on the slider's level."""
    offered, outer = deep.recipes(view.data, view.kernel)
    named = {one.name: one for one in offered}
    with st.container(horizontal=True, gap="small"):
        chosen = option(st.selectbox, "Levels", list(named), "labs.recipe", label_visibility="collapsed", width=380)
        shown = pictures.map_of_levels(view, *deep.levels_of_page(view.data, named[chosen], outer))
    if shown is not None:
        waiting.show(shown.cells, partial(_draw, view, shown))


def _draw(view: View, shown: LevelMap, known: Mapping[Place, Summary]) -> None:
    names, symbol = [str(level) for level in shown.levels], shown.axis.number.symbol
    start = shown.levels.index(shown.used[1])
    at, errors = place_of(names, start), shown.errors(known)
    named, whole = partial(in_terms, view.data), shown.whole(known)
    words = [named(phase_words(errors, level, symbol)) if whole else None for level in shown.levels]
    sentence(words[at] or f"Measured {len(known)} of {len(shown.kernels)} kernels.")
    marks = [column_mark(i, len(shown.axis.values)) for i in range(len(names))]
    drag(view, "Level", names, start, [mark_frames("labs-map", marks), sentence_frames(words)])
    title = "Small Gram matrices on the ground of their test error"
    layout.panel(named(title), shown.figure(known, at), "labs.map", fill="controls", name="map")


LAB = Lab(
    "phases",
    "Phases of depth",
    "Where does depth inform, where does it memorise, and where does it turn constant?",
    "[K] sections 2.4 and 3.5",
    DataChoice("banana", (("n", 100),)),
    "RBF(sigma=1.0)",
    draw,
    (needs_labels,),
)
