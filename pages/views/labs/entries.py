"""φ on the entries' own axis: drawn through all pairs, and f on the eigenvalues beside it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import numpy as np
import streamlit as st

from kernlib import KernlibError
from kernlib.analysis import diagonal_ratio, effective_rank
from kernlib.labs import entries
from pages.parts.frame import layout
from pages.parts.frame.view import View
from pages.parts.inputs import surfaces
from pages.parts.inputs.controls import value_of
from pages.parts.results import compute
from pages.parts.session import state
from pages.parts.session.machine import machine_of
from pages.parts.session.state import DataChoice
from pages.views.labs.shelf import Lab, in_terms, needs_labels, sentence


def draw(view: View) -> None:
    """Draw φ through the pairs; numbers and f on the eigenvalues follow."""
    data, kernel = view.data, view.kernel
    K = compute.gram(data, kernel)
    phi = entries.start(K, _heights("labs.phi"))
    changed = compute.gram(data, entries.entrywise(kernel, phi))
    eigenvalues = np.linalg.eigvalsh(changed)
    f = entries.start(np.maximum(eigenvalues, 0.0), _heights("labs.f"))
    whole = entries.with_functions(kernel, phi, f)
    before = after = None
    with suppress(KernlibError):  # a class is too small to be halved
        before, after = (compute.on_halves(data, k, machine_of(data)) for k in (kernel, whole))
    sentence(in_terms(data, entries.entries_sentence(K, changed, phi, before, after)))
    left, right = st.columns(2, gap="medium")
    with left:
        share, kinds = entries.pair_cloud(K, data.y if data.classes else None, phi.low, phi.high)
        # Pairs of one place lie above each other: within a class above the curve, between classes below it.
        off = np.random.default_rng(1).uniform(2, 26, len(share)) * np.where(kinds == 1, 1, -1)
        surfaces.draw_function(
            phi.heights,
            phi.high,
            ("value of |k|", "φ of the value"),
            "labs.phi.drawn",
            _take("labs.phi"),
            entries.named_heights(phi.low, phi.high),
            bottom=phi.low,
            cloud={
                "x": share.round(4).tolist(),
                "off": off.round(1).tolist(),
                "kind": kinds.tolist(),
                "names": entries.KINDS,
            },
        )
        st.caption("Each mark is a pair of rows, off the line to be seen. Pairs below the first point stand at it.")
    layout.after_the_picture()
    training = "On training rows" if data.task == "regression" else "Training error"
    with right:
        measured = (
            []
            if after is None
            else [
                (
                    in_terms(data, "Test error"),
                    f"{after.test:.1%}",
                    "The machine of all pages, on five halves of the rows.",
                ),
                (training, f"{after.training:.1%}", "Of the same machine."),
            ]
        )
        layout.numbers(
            ("Diagonal ratio", diagonal_ratio(changed), "Mean diagonal over mean |off-diagonal|, after φ."),
            ("Effective rank", effective_rank(eigenvalues), "The number of directions over which the rows spread."),
            *measured,
            width=layout.BESIDE,
        )
        top = 1.0
        surfaces.draw_function(
            f.heights,
            top,
            ("eigenvalue over the largest", "f of the eigenvalue"),
            "labs.f.drawn",
            _take("labs.f"),
            entries.named_heights(f.low / f.high, top),
            bottom=f.low / f.high,
            cloud=_eigenvalue_marks(eigenvalues, f),
        )
        st.caption("f of the eigenvalues uses all rows at once, test rows included.")


def _eigenvalue_marks(eigenvalues: np.ndarray, f: entries.DrawnFunction) -> dict[str, object]:
    known = eigenvalues[eigenvalues > 0]
    share = np.log(known / f.low) / np.log(f.high / f.low) if f.low else known / f.high
    share = np.clip(share, 0.0, 1.0)
    return {"x": share.round(4).tolist(), "off": [-12] * len(share), "kind": [0] * len(share), "names": ["eigenvalue"]}


def _heights(control: str) -> tuple[float, ...] | None:
    """Return the heights that the state has; None where nothing is drawn."""

    def read(text: str) -> tuple[float, ...]:
        given = tuple(float(v) for v in text.split("|"))
        if len(given) != entries.POINTS or not given[-1] > 0 or min(given) < 0 or list(given) != sorted(given):
            raise ValueError(text)
        return given

    return value_of(control, None, read)


def _take(control: str) -> Callable[[tuple[float, ...]], None]:
    return lambda drawn: state.choose(control, "|".join(f"{v:g}" for v in drawn))


LAB = Lab(
    "phi",
    "φ on the entries' own axis",
    "Which function of the entries does a kernel with a large diagonal need?",
    "[O] section 3, its open question",
    DataChoice("markov-strings"),
    "Subsequence(order=3, decay=0.25)",
    draw,
    (needs_labels,),
)
