"""Draw h: how much a match counts, by the probability of its category."""

from __future__ import annotations

import numpy as np
import streamlit as st

from kernlib.data import Dataset
from kernlib.labs.weights import PLACES, category_probabilities, named_weights, weight_errors, weights_sentence
from kernlib.values.halves import HalvesErrors
from pages.parts.frame.view import View
from pages.parts.inputs import surfaces
from pages.parts.inputs.controls import value_of
from pages.parts.server.caching import known
from pages.parts.session import state
from pages.parts.session.state import DataChoice
from pages.views.labs.shelf import Lab, needs_categories, needs_classes, sentence


@known()
def _errors(data: Dataset, heights: tuple[float, ...]) -> dict[str, HalvesErrors]:
    return weight_errors(data, heights)


def draw(view: View) -> None:
    """Draw h over the categories; the errors follow."""
    starts = named_weights()
    heights = value_of("labs.h", starts["1 − P"], _read)
    sentence(weights_sentence(_errors(view.data, heights)))
    share = np.sort(category_probabilities(view.data))
    off = np.random.default_rng(0).uniform(-20, 20, len(share))
    cloud = {
        "x": share.round(4).tolist(),
        "off": off.round(1).tolist(),
        "kind": [0] * len(share),
        "names": ["a category of a column"],
    }
    with st.container(width=900):
        surfaces.draw_function(
            heights,
            1.0,
            ("probability P of the category", "weight h of a match"),
            "labs.h.drawn",
            lambda drawn: state.choose("labs.h", "|".join(f"{v:g}" for v in drawn)),
            starts,
            rising=False,
            cloud=cloud,
        )
        st.caption("Each mark is a category at its share of the rows, a little off the line to be seen.")


def _read(text: str) -> tuple[float, ...]:
    given = tuple(float(v) for v in text.split("|"))
    if len(given) != len(PLACES) or min(given) < 0 or not any(given):
        raise ValueError(text)
    return given


LAB = Lab(
    "h",
    "Draw h",
    "Should a match on a rare category count more?",
    "[C] Definition 3; other h are its future work",
    DataChoice("promoters-categorical"),
    "ProbabilityOverlap(alpha=1.0)",
    draw,
    (needs_classes, needs_categories),
)
