"""Evidence for the matrix in view: its entries, four numbers with the verdict, order and colours, doubtful pairs."""

from __future__ import annotations

import numpy as np
import streamlit as st

from kernlib.analysis import ORDERINGS
from kernlib.figures.gram import ValueRange, diagonal_histogram, usual_range
from pages.parts.frame import layout, waiting
from pages.parts.frame.slider import Hand
from pages.parts.frame.view import View
from pages.parts.inputs.controls import expander, option, value_of
from pages.parts.results import compute
from pages.views.see import doctor

_RANGES: dict[str, ValueRange] = {
    "automatic": None,
    "0 to the mean of k(x, x)": "diagonal",
    "without the diagonal": "off-diagonal",
    "all entries": "full",
}


def _orders(view: View) -> list[str]:
    return [order for order in ORDERINGS if view.data.y is not None or "class" not in order]


def chosen_order(view: View, moving: Hand | None) -> np.ndarray:
    """Return the order of the rows: that of the slider's frames, unless another one is chosen."""
    by = value_of("see.order", "", str)
    if by in _orders(view):
        return compute.order(view.data, view.kernel, by)
    return compute.film_order(view.data, view.kernel if moving is None else moving.middle)


def chosen_range(ratio: float) -> ValueRange:
    """Return the range of the colours; by default the usual one."""
    return _RANGES.get(value_of("see.range", "automatic", str)) or usual_range(ratio)


def draw(view: View) -> None:
    """Draw the drawer; it costs nothing while it is closed."""
    box = expander("Evidence", "see.evidence")
    if box is None:
        return
    data, kernel = view.data, view.kernel
    with box, layout.guarded():
        left, right = st.columns(2, gap="medium")
        with left:
            layout.panel("Entries", diagonal_histogram(compute.gram(data, kernel)), "see.entries", name="entries")
            orders = _orders(view)
            option(st.selectbox, "Rows in the order", orders, "see.order", orders[1])
            option(
                st.selectbox,
                "Colours",
                list(_RANGES),
                "see.range",
                "automatic",
                help="Automatic: up to the mean of k(x, x), unless the diagonal would hide the rest.",
            )
        with right:
            _numbers(view)


def _numbers(view: View) -> None:
    data, kernel = view.data, view.kernel
    later = compute.eigenpairs(data, kernel)
    if later is not None:
        waiting.show(later)
        return
    findings = compute.findings(data, kernel)
    if not any(finding.name == "not symmetric" for finding in findings):  # there are no eigenvalues
        seen = compute.diagnostics(data, kernel)
        layout.numbers(
            ("Diagonal ratio", seen.diagonal_ratio, "Mean diagonal over mean |off-diagonal|."),
            ("Effective rank", seen.effective_rank, "The number of directions over which the rows spread."),
            ("Alignment", seen.alignment, "Centred alignment with the ideal matrix for these labels, −1 to 1."),
            ("Least eigenvalue", seen.smallest, "Below zero, beyond rounding, the kernel is not an inner product."),
            width=layout.BESIDE,
        )
    doctor.consultation(data, kernel, findings)
