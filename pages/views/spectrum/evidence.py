"""Evidence for the cut: eigenvalues, −log ℓ and leave-one-out over d, doubtful labels, the published data sets."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from kernlib import figures
from kernlib.analysis import PermutationBand, RelevantDimension
from kernlib.data import Dataset
from pages.parts.frame import layout, pictures
from pages.parts.frame.waiting import View
from pages.parts.results import compute, directions
from pages.parts.server.jobs import Sample

#: Doubtful rows in the table, and as pictures.
_LISTED, _DRAWN = 500, 24


@layout.drawer("spectrum.evidence")
def draw(view: View, cut: RelevantDimension, band: PermutationBand, most: int) -> None:
    """Draw what the cut rests on."""
    from kernlib.papers import relevant_dimensions  # its experiments take half a second to load

    data, kernel = view.data, view.kernel
    left, right = st.columns(2, gap="medium")
    with left:
        loo = directions.loo(data, kernel)
        layout.panel(
            "Which d: sharpest cut, and smallest leave-one-out error",
            figures.likelihood_plot(cut, loo, band, max(most, round(1.2 * loo.dimension))),
            "spectrum.likelihood",
            data=lambda: pd.DataFrame(
                {
                    "d": np.arange(1, len(cut.neg_log_likelihood) + 1),
                    "neg_log_likelihood": cut.neg_log_likelihood,
                    "leave_one_out": loo.loo_error,
                }
            ),
        )
    with right:
        values = compute.spectrum(data, kernel).eigenvalues
        layout.panel(
            "Eigenvalues",
            figures.eigenvalue_plot(values, cut=cut.dimension),
            "spectrum.eigenvalues",
        )
    left, right = st.columns(2, gap="medium")
    with left:
        _doubtful(view, cut)
    if data.task != "regression":  # a share of the variance of y is no error rate
        with right:
            layout.panel(
                "Noise beside the published data sets",
                figures.noise_dimension_map(relevant_dimensions(), (data.title, cut.dimension, cut.noise_share)),
                "spectrum.noise-dimension",
            )


def _doubtful(view: View, cut: RelevantDimension) -> None:
    """Draw the rows whose label the first d̂ directions dispute, the most doubtful first."""
    data = view.whole
    table = doubtful_table(data, cut)
    rows = table["row"].tolist()
    st.markdown(f"**Doubtful labels**: {len(rows):,} of {data.n:,} rows misfit at d̂ = {cut.dimension}")
    if not rows:
        return
    if not isinstance(view.data, Sample):
        names = [f"{data.ids[row]} ({_named(data, row)})" for row in rows[:_DRAWN]]
        words = "The rows that misfit, with their given label, the most doubtful first."
        if pictures.of_rows(data, rows[:_DRAWN], names, "spectrum.doubtful", "doubtful", lambda *_: words, graphs=3):
            return
    st.dataframe(table, hide_index=True)
    layout.csv(lambda: table, "spectrum.doubtful", "doubtful-labels", "All columns of these rows")


def doubtful_table(data: Dataset, cut: RelevantDimension) -> pd.DataFrame:
    """Return the rows that misfit with id, given and rebuilt label, and how far it is from the given one."""
    fitted, rows = cut.denoised, cut.disputed
    added: dict[str, Any]
    if data.task == "regression":
        rest = cut.targets - fitted
        rows = rows[np.argsort(-np.abs(rest[rows]), kind="stable")][:_LISTED]
        added = {"given": cut.targets[rows], "rebuilt": fitted[rows], "residual": rest[rows]}
    else:
        margin = cut.margin_at(cut.dimension)
        rows = rows[np.argsort(margin[rows], kind="stable")][:_LISTED]
        given, found = cut.labels.decode(cut.labels.targets), cut.labels.decode(fitted)
        added = {
            "given": [_class(data, given[i]) for i in rows],
            "rebuilt": [_class(data, found[i]) for i in rows],
            "margin": margin[rows],
        }
    return layout.row_table(data, [int(i) for i in rows], added, label=False)


def _class(data: Dataset, code: Any) -> str:
    return data.classes[int(code)] if data.classes else str(code)


def _named(data: Dataset, row: int) -> str:
    assert data.y is not None
    return _class(data, data.y[row]) if data.classes else f"{data.y[row]:.4g}"
