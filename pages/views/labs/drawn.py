"""Labs in which a function is drawn: φ through the entries with f on the eigenvalues, and the weight h of a match."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np
import streamlit as st

from kernlib import KernlibError
from kernlib.analysis import diagonal_ratio, effective_rank
from kernlib.labs import entries
from kernlib.labs.weights import category_probabilities, named_weights, weight_errors, weights_sentence
from kernlib.stories import in_terms
from kernlib.values.arrays import Array
from pages.parts.frame import layout
from pages.parts.frame.waiting import View
from pages.parts.inputs import surfaces
from pages.parts.results import compute
from pages.parts.server.caching import known
from pages.parts.session.state import machine_of
from pages.views.labs.shelf import Lab, drawn_heights, sentence

#: Under a function whose marks are pairs or categories.
_OFF = "Marks stand a little off the line to be seen"


def _cloud(share: Array, off: Array, names: Sequence[str], kinds: Array | None = None) -> dict[str, Any]:
    """Return marks at shares of the axis, so many pixels off the function, for the browser."""
    kind = np.zeros(len(share), dtype=int) if kinds is None else kinds
    return {"x": share.round(4).tolist(), "off": off.round(1).tolist(), "kind": kind.tolist(), "names": names}


def phi(lab: Lab, view: View) -> None:
    """Draw φ through the pairs; numbers and f on the eigenvalues follow."""
    data, kernel = view.data, view.kernel
    K = compute.gram(data, kernel)
    heights, take_phi = drawn_heights("labs.phi")
    function = entries.start(K, heights)
    changed = compute.gram(data, entries.entrywise(kernel, function))
    eigenvalues = np.linalg.eigvalsh(changed)
    heights, take_f = drawn_heights("labs.f")
    f = entries.start(np.maximum(eigenvalues, 0.0), heights)
    whole = entries.with_functions(kernel, function, f)
    before = after = None
    with suppress(KernlibError):  # a class is too small to be halved
        before, after = (compute.on_halves(data, k, machine_of(data)) for k in (kernel, whole))
    sentence(entries.entries_sentence(K, changed, function, before, after), data)
    left, right = st.columns(2, gap="medium")
    with left:
        share, kinds = entries.pair_cloud(K, data.y if data.classes else None, function.low, function.high)
        # Pairs of one place lie above each other: within a class above the curve, between classes below it.
        off = np.random.default_rng(1).uniform(2, 26, len(share)) * np.where(kinds == 1, 1, -1)
        surfaces.draw_function(
            function.heights,
            function.high,
            ("value of |k|", "φ of the value"),
            "labs.phi.drawn",
            take_phi,
            entries.named_heights(function.low, function.high),
            bottom=function.low,
            cloud=_cloud(share, off, entries.KINDS, kinds),
        )
        st.caption(f"{_OFF}; pairs below the first point stand at it.")
    layout.after_the_picture()
    with right:
        shown: list[tuple[str, Any, str]] = [
            ("Diagonal ratio", diagonal_ratio(changed), "Mean diagonal over mean |off-diagonal|, after φ."),
            ("Effective rank", effective_rank(eigenvalues), "The number of directions over which the rows spread."),
        ]
        if after is not None:
            machine = "The machine of all pages, on five halves of the rows."
            for name, error in (("Test error", after.test), ("Training error", after.training)):
                shown.append((in_terms(name, data), f"{error:.1%}", machine))
        layout.numbers(*shown, width=layout.BESIDE)
        share = entries.places_on_axis(eigenvalues[eigenvalues > 0], f.low, f.high)
        surfaces.draw_function(
            f.heights,
            1.0,
            ("eigenvalue over the largest", "f of the eigenvalue"),
            "labs.f.drawn",
            take_f,
            entries.named_heights(f.low / f.high, 1.0),
            bottom=f.low / f.high,
            cloud=_cloud(share, np.full(len(share), -12), ["eigenvalue"]),
        )
        st.caption("The same for the eigenvalues: f uses all rows at once, test rows included.")


_errors = known()(weight_errors)


def weights(lab: Lab, view: View) -> None:
    """Draw h over the categories, how much a match counts by the probability of its category; the errors follow."""
    starts = named_weights()
    drawn, take = drawn_heights("labs.h", rising=False)
    heights = drawn or starts["1 − P"]
    sentence(weights_sentence(_errors(view.data, heights)), view.data)
    share = np.sort(category_probabilities(view.data))
    with st.container(width=900):
        surfaces.draw_function(
            heights,
            1.0,
            ("probability P of the category", "weight h of a match"),
            "labs.h.drawn",
            take,
            starts,
            rising=False,
            cloud=_cloud(share, np.random.default_rng(0).uniform(-20, 20, len(share)), ["a category of a column"]),
        )
        st.caption(f"{_OFF}.")
