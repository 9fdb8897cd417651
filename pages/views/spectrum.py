"""Spectrum: how many directions carry what the labels say?"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from kernlib.figures import relevant
from kernlib.figures import spectrum as figures
from kernlib.papers import relevant_dimensions
from pages.parts.blocks import selection
from pages.parts.frame import layout
from pages.parts.frame.view import PageEnd, current_view
from pages.parts.inputs.controls import number, option, switch, tabs
from pages.parts.results import compute
from pages.parts.server.large import Sample

#: Disputed rows in the table.
MOST_LISTED = 500

layout.heading(
    "How many directions carry the information about the labels?",
    "The kernel's leading directions hold the information about the labels; the rest is noise. The **relevant "
    "dimension** $\\hat d$ is the number of these directions.",
)
view = current_view("Pictures show {rows}; numbers are of all, in the directions that landmarks span")
data, kernel = view.data, view.kernel
spectrum = compute.spectrum(data, kernel)
n = view.whole.n
drawn = data.places if isinstance(data, Sample) else None
everywhere = slice(None) if drawn is None else drawn

if data.y is None:
    st.info("This data has no labels: eigenvalues are shown, the relevant dimension needs labels.")
    layout.figure(
        figures.eigenvalue_plot(spectrum.eigenvalues), "spectrum.eigenvalues", fill="page", name="eigenvalues"
    )
    raise PageEnd

with layout.guarded():
    words, shown = st.columns([5, 1], gap="small", vertical_alignment="top")
    with shown.popover("View", icon=":material/tune:", width="stretch"):
        near = layout.first_of(
            "In view",
            ("Around the cut", "Everything"),
            "spectrum.view",
            "Around the cut: up to three times the relevant dimension.",
        )
        share = number(
            "Search $d$ up to this share of $n$",
            0.1,
            1.0,
            0.5,
            "spectrum.share",
            0.05,
            help="Beyond half of n the second part has few and tiny coefficients, and the fit degenerates.",
        )
        ordered = switch(
            "Sorted by size, too",
            False,
            "spectrum.sorted",
            help="The cut stays at about the same place even when coefficients are sorted.",
        )
        logs = switch("Logarithmic", False, "spectrum.log")
    top = max(1, min(n - 1, len(spectrum.eigenvalues), int(share * n)))
    searched = None if share == 0.5 else top  # by default no further than the rank of the matrix
    cut = compute.relevant(data, kernel, searched)
    loo = compute.loo(data, kernel, searched)
    band = compute.band(data, kernel, searched)
    interval = compute.plausible(data, kernel, searched)
    low, high = interval.profile
    with words:
        layout.numbers(
            (
                "Relevant dimension",
                f"{cut.dimension}" if low == high else f"{cut.dimension} ({low}–{high})",
                "The d that splits the label coefficients best into information and noise. In brackets: the plausible "
                "values at 95% by the profile likelihood.",
            ),
            (
                "By leave-one-out",
                loo.dimension,
                "The d with the smallest leave-one-out error of kernel PCA regression.",
            ),
            (
                "Estimated noise",
                f"{cut.noise_share:.1%}",
                "What the first d directions do not explain: "
                + ("a share of the variance of y." if data.task == "regression" else "a share of the rows."),
            ),
            (
                "−log ℓ at the cut",
                cut.minimum,
                "How sharp the cut is: lower separates information from noise better. It does not rank kernels.",
            ),
            width=170,
        )
    spanned = len(spectrum.eigenvalues)
    if drawn is not None and cut.dimension == spanned:  # no cut whose sharpness could be measured
        st.markdown(
            f":orange[:material/warning:] All {spanned} directions that the landmarks span carry information "
            f"about the labels: $\\hat d$ is at least {spanned}. More landmarks show where it ends."
            + ("" if band.reliable else f" But shuffled labels do equally well (p = {band.p_value:.3f}).")
        )
    else:
        st.markdown(
            f":green[:material/check_circle:] {band.verdict}"
            if band.reliable
            else f":orange[:material/warning:] {band.verdict}"
        )

    most = max(3 * cut.dimension, round(1.2 * loo.dimension), 12) if near else None
    lines, coefficients = st.columns(2, gap="small")
    with lines:
        layout.figure(
            figures.likelihood_plot(cut, loo, band, most, interval),
            "spectrum.likelihood",
            fill="controls",
            name="likelihood",
            data=lambda: pd.DataFrame(
                {"d": np.arange(1, len(cut.neg_log_likelihood) + 1), "neg_log_likelihood": cut.neg_log_likelihood}
            ),
        )
    with coefficients:
        layout.figure(
            figures.coefficient_plot(cut, sort=ordered, log=logs, most=most, height=460, interval=interval),
            "spectrum.coefficients",
            fill="controls",
            name="coefficients",
            data=lambda: pd.DataFrame({"i": np.arange(1, n + 1), "s2": cut.energy}),
        )

    layout.after_the_picture()
    names = ["Kernel PCA", "Which value?", "Denoised labels", "Eigenvalues", "Noise and dimension"]
    if data.domain == "vector" and data.rows.shape[1] <= 2:
        names.append("Over the input")
    opened = tabs(names, "spectrum.tab")
    if "Kernel PCA" in opened:
        with opened["Kernel PCA"]:
            axes = [f"{i}" for i in range(1, min(11, data.n + 1))]
            first, second, third = st.columns(3)
            dims = [
                int(option(first.selectbox, "Horizontal direction", axes, "spectrum.pc1")),
                int(option(second.selectbox, "Vertical direction", axes, "spectrum.pc2", axes[min(1, len(axes) - 1)])),
            ]
            depth = option(third.selectbox, "Third direction", ["none", *axes], "spectrum.pc3")
            if depth != "none":
                dims.append(int(depth))
            scores = compute.feature_map(data, kernel)
            brush: dict[str, Any] = (
                {"on_select": "rerun", "selection_mode": ("points", "box", "lasso")} if len(dims) == 2 else {}
            )
            chosen = layout.figure(
                figures.pca_scatter(scores, data.y, data.classes, data.ids, dims=tuple(dims)),
                f"spectrum.pca.{len(dims)}",
                name="kernel-pca",
                data=lambda: pd.DataFrame({f"direction {d}": scores[:, d - 1] for d in dims}),
                **brush,
            )
            rows = layout.selected_rows(chosen)
            if rows:
                st.caption(f"{len(rows)} rows selected")
                st.dataframe(layout.row_table(data, rows), hide_index=True)
    if "Which value?" in opened:
        with opened["Which value?"], layout.guarded():
            selection.over_the_number(data, kernel)
    if "Denoised labels" in opened:
        with opened["Denoised labels"]:
            d = number("Directions kept, $d$", 1, top, min(cut.dimension, top), "spectrum.d")
            layout.figure(
                relevant.denoised_labels(cut, data.y, data.classes, data.ids, d=d, rows=drawn),
                "spectrum.denoised",
                name="denoised-labels",
            )
            of = "of the variance of y" if data.task == "regression" else "of the rows"
            st.caption(f"At d = {d} the noise estimate is {cut.noise_share_at(d):.1%} {of}.")
            rows = [int(i) for i in cut.disputed_at(d)]
            st.markdown(f"**{len(rows)} rows whose label the fit disputes** at $d$ = {d}")
            if rows:
                st.dataframe(layout.row_table(view.whole, rows[:MOST_LISTED]), hide_index=True)
            if len(rows) > MOST_LISTED:
                st.caption(f"The first {MOST_LISTED} of them are listed.")
    if "Eigenvalues" in opened:
        with opened["Eigenvalues"]:
            layout.figure(
                figures.eigenvalue_plot(spectrum.eigenvalues, cut=cut.dimension),
                "spectrum.eigenvalues",
                name="eigenvalues",
            )
    if "Noise and dimension" in opened:
        with opened["Noise and dimension"], layout.guarded():
            layout.figure(
                relevant.noise_dimension_map(
                    relevant_dimensions(),
                    (data.title, cut.dimension, cut.noise_share),
                    share_of="variance" if data.task == "regression" else "rows",
                ),
                "spectrum.quadrant",
                name="noise-dimension",
            )
    if "Over the input" in opened:
        with opened["Over the input"]:
            k = number("Eigenvectors shown", 1, 12, 6, "spectrum.k")
            layout.figure(
                figures.eigenvectors_over_input(data.rows, spectrum.eigenvectors[everywhere], k),
                "spectrum.over",
                name="eigenvectors",
            )
