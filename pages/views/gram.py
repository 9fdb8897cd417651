"""The Gram matrix: how alike is each pair of rows?"""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from kernlib import Repaired
from kernlib.analysis.gram import ORDERINGS, cosine
from kernlib.errors import DegenerateError
from kernlib.figures import gram as figures
from kernlib.figures.spectrum import pca_scatter
from pages.parts import compute, layout, state
from pages.parts.inert import plain

layout.heading(
    "How alike is every pair of rows?",
    "Each cell compares two rows: **bright means alike**. A kernel that suits the labels shows bright blocks "
    "along the diagonal, one per class. Drag a parameter in the sidebar and watch.",
)
view = state.current_view()
data, kernel = view.data, view.kernel
K = compute.gram(data, kernel)

left, right = st.columns([3, 2], gap="large")
with left:
    by, span = st.columns(2)
    orders = [o for o in ORDERINGS if data.y is not None or "class" not in o]
    ordering = by.selectbox(
        "Rows in the order",
        orders,
        index=min(1, len(orders) - 1) if data.y is not None else 0,
        key="gram.order",
        persist_state="session",
        help="Only the order changes, never the values.",
    )
    large = compute.diagonal_ratio(data, kernel) > 3
    ranges = {"Diagonal left aside" if large else "Without the diagonal": "off-diagonal", "Everything": "full"}
    spread = span.selectbox(
        "Colours span",
        list(ranges),
        index=0 if large else 1,
        key=f"gram.range.{large}",
        help="Where the diagonal is large, everything else would be one colour: the span of the other entries "
        "(2 to 98 % of them) shows what is there.",
    )
    order = compute.order(data, kernel, ordering)
    fig = figures.gram_heatmap(K, order, data.y, data.classes, data.ids, value_range=ranges[spread])
    layout.figure(
        fig,
        "gram.heatmap",
        name="gram-matrix",
        data=lambda: pd.DataFrame(K, index=list(data.ids), columns=list(data.ids)).reset_index(names="row"),
    )

told = compute.diagnostics(data, kernel)  # after the picture: it needs all eigenvalues
with right:
    smallest = told.smallest_eigenvalue if abs(told.smallest_eigenvalue) > told.psd_tolerance else 0.0
    layout.numbers(
        (
            "Diagonal ratio",
            told.diagonal_ratio,
            "Mean diagonal over mean |off-diagonal|. Far above 1, a row is like itself alone: the kernel memorises.",
        ),
        (
            "Effective rank",
            told.effective_rank,
            "How many directions the rows really span: 1 is a constant matrix, n the identity.",
        ),
        (
            "Alignment with labels",
            told.alignment,
            "Centred alignment of the matrix with the ideal one for these labels, −1 to 1: higher is better.",
        ),
        (
            "Smallest eigenvalue",
            smallest,
            "Below zero (beyond rounding), this is no inner product: a kernel machine may not solve its problem.",
        ),
    )
    if told.psd:
        st.success("Positive semi-definite: a valid kernel matrix.", icon=":material/check:")
    else:
        st.warning(
            "**Indefinite:** some eigenvalues are negative, so this is no inner product. The tab *Repairs* shows five "
            "ways out.",
            icon=":material/warning:",
        )
    if kernel.transductive:
        st.info("Transductive: this kernel exists only for all rows at once, test rows included.")
    layout.figure(figures.diagonal_histogram(K), "gram.histogram", name="entries")

names = ["Feature map", "Classes", "Before and after", "Angles", "Eigenvalues", "Repairs", "Exact values"]
features, classes, before, angles, values, repairs, crop = st.tabs(names, key="gram.tab", on_change="rerun")
if before.open:
    with before, layout.guarded():
        inner = next((k for k in kernel.children if k.reads == kernel.reads), None)
        if inner is None:
            st.info("The kernel has no step yet. Add one in the sidebar, a power for example, and compare.")
        else:
            st.markdown(f"Before and after the last step, **{plain(kernel.chip())}**, same rows in the same order.")
            layout.figure(
                figures.before_after(
                    compute.gram(data, inner),
                    K,
                    titles=("before", "after"),
                    order=order,
                    y=data.y,
                    classes=data.classes,
                ),
                "gram.before",
                name="before-after",
            )
if classes.open:
    with classes, layout.guarded():
        if told.class_means is None:
            st.info("Class means need labels with at least two classes.")
        else:
            layout.figure(figures.class_means(told, data.classes), "gram.classes", name="class-means")
if angles.open:
    with angles, layout.guarded():
        try:
            layout.figure(
                figures.gram_heatmap(
                    cosine(K), order, data.y, data.classes, data.ids, value_range="full", title="cos ∠"
                ),
                "gram.cosine",
                name="cosines",
            )
        except DegenerateError as error:
            st.info(str(error))
if values.open:
    with values, layout.guarded():
        layout.figure(figures.spectrum_bars(told.eigenvalues), "gram.eigenvalues", name="eigenvalues")
if repairs.open:
    with repairs, layout.guarded():
        st.markdown(
            "What each repair would make of this matrix, **before it is taken**."
            + (" This matrix is positive semi-definite already: only *shift* leaves it alone." if told.psd else "")
        )
        methods = {p.name: p.choices for p in Repaired.parameters()}["method"]
        rows = []
        for method in methods:
            repaired = Repaired(kernel, method=method)
            after = compute.diagnostics(data, repaired)
            change = np.linalg.norm(compute.gram(data, repaired) - K) / np.linalg.norm(K)
            rows.append(
                {
                    "repair": method,
                    "smallest eigenvalue": after.smallest_eigenvalue,
                    "effective rank": after.effective_rank,
                    "alignment": after.alignment,
                    "relative change": change,
                    "needs all rows at once": repaired.transductive,
                }
            )
        st.dataframe(pd.DataFrame(rows), hide_index=True)
        with st.container(horizontal=True):
            for method in methods:
                st.button(
                    method.capitalize(),
                    key=f"gram.repair.{method}",
                    on_click=state.adopt,
                    args=(Repaired(kernel, method=method),),
                    help="Add this repair as a step",
                )
if features.open:
    with features, layout.guarded():
        st.markdown(
            "The rows as points whose inner products are the matrix: $\\sqrt{l_j}\\,[u_j]_i$ for the two leading "
            "eigenvectors $u_j$ with eigenvalues $l_j$."
        )
        spectrum = compute.decomposition(data, kernel)
        scores = spectrum.eigenvectors * np.sqrt(np.maximum(spectrum.eigenvalues, 0.0))
        layout.figure(pca_scatter(scores, data.y, data.classes, data.ids), "gram.features", name="feature-map")
if crop.open:
    with crop:
        size = min(data.n, 40)
        start = st.slider("First row shown", 0, max(1, data.n - size), 0, key="gram.crop", disabled=data.n <= size)
        part = order[start : start + size]
        st.caption(f"Rows {start} to {start + len(part) - 1} in the order above, at full resolution.")
        ids = [data.ids[i] for i in part]
        st.dataframe(pd.DataFrame(K[part][:, part], index=ids, columns=ids), height=420)
