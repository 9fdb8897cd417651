"""Draw h: how much a match counts, by the probability of its category."""

from __future__ import annotations

import numpy as np
import streamlit as st

from kernlib.data import Dataset
from kernlib.labs.weights import category_probabilities, named_weights, weight_errors, weights_sentence
from kernlib.values.halves import HalvesErrors
from pages.parts.frame.view import View
from pages.parts.inputs import surfaces
from pages.parts.server.caching import known
from pages.views.labs.shelf import Lab, drawn_heights, sentence


@known()
def _errors(data: Dataset, heights: tuple[float, ...]) -> dict[str, HalvesErrors]:
    return weight_errors(data, heights)


def draw(lab: Lab, view: View) -> None:
    """Draw h over the categories; the errors follow."""
    starts = named_weights()
    drawn, take = drawn_heights("labs.h", rising=False)
    heights = drawn or starts["1 − P"]
    sentence(weights_sentence(_errors(view.data, heights)), view.data)
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
            take,
            starts,
            rising=False,
            cloud=cloud,
        )
        st.caption("Marks stand a little off the line to be seen.")
