"""Phases of depth: a parameter over the levels, every cell coloured by both errors."""

from __future__ import annotations

from pages.parts.frame import pictures
from pages.parts.frame.view import View
from pages.parts.results import levels as deep
from pages.parts.session.state import DataChoice
from pages.views.labs.shelf import Lab, needs_labels, sentence


def draw(view: View) -> None:
    """Draw the map of the levels over the kernel, with its sentence."""
    offered, outer = deep.recipes(view.data, view.kernel)
    pictures.level_map(view, *deep.levels_of_page(view.data, offered[0], outer), sentence)


LAB = Lab(
    "phases",
    "Phases of depth",
    "Where does depth inform, where does it memorise, and where does it turn constant?",
    "[K] sections 2.4 and 3.5",
    DataChoice("banana", (("n", 100),)),
    "RBF(sigma=1.0)",
    draw,
    needs_labels,
)
