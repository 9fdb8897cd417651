"""φ on the entries' own axis: drawn through all pairs, and f on the eigenvalues beside it."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np
import streamlit as st

from kernlib import KernlibError
from kernlib.analysis import diagonal_ratio, effective_rank
from kernlib.labs import entries
from kernlib.stories import in_terms
from pages.parts.frame import layout
from pages.parts.frame.view import View
from pages.parts.inputs import surfaces
from pages.parts.results import compute
from pages.parts.session.machine import machine_of
from pages.views.labs.shelf import Lab, drawn_heights, sentence


def draw(lab: Lab, view: View) -> None:
    """Draw φ through the pairs; numbers and f on the eigenvalues follow."""
    data, kernel = view.data, view.kernel
    K = compute.gram(data, kernel)
    heights, take_phi = drawn_heights("labs.phi")
    phi = entries.start(K, heights)
    changed = compute.gram(data, entries.entrywise(kernel, phi))
    eigenvalues = np.linalg.eigvalsh(changed)
    heights, take_f = drawn_heights("labs.f")
    f = entries.start(np.maximum(eigenvalues, 0.0), heights)
    whole = entries.with_functions(kernel, phi, f)
    before = after = None
    with suppress(KernlibError):  # a class is too small to be halved
        before, after = (compute.on_halves(data, k, machine_of(data)) for k in (kernel, whole))
    sentence(entries.entries_sentence(K, changed, phi, before, after), data)
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
            take_phi,
            entries.named_heights(phi.low, phi.high),
            bottom=phi.low,
            cloud={
                "x": share.round(4).tolist(),
                "off": off.round(1).tolist(),
                "kind": kinds.tolist(),
                "names": entries.KINDS,
            },
        )
        st.caption("Marks stand a little off the line to be seen; pairs below the first point stand at it.")
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
        surfaces.draw_function(
            f.heights,
            1.0,
            ("eigenvalue over the largest", "f of the eigenvalue"),
            "labs.f.drawn",
            take_f,
            entries.named_heights(f.low / f.high, 1.0),
            bottom=f.low / f.high,
            cloud=_eigenvalue_marks(eigenvalues, f),
        )
        st.caption("The same for the eigenvalues: f uses all rows at once, test rows included.")


def _eigenvalue_marks(eigenvalues: np.ndarray, f: entries.DrawnFunction) -> dict[str, object]:
    known = eigenvalues[eigenvalues > 0]
    share = np.log(known / f.low) / np.log(f.high / f.low) if f.low else known / f.high
    share = np.clip(share, 0.0, 1.0)
    return {"x": share.round(4).tolist(), "off": [-12] * len(share), "kind": [0] * len(share), "names": ["eigenvalue"]}
