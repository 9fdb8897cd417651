"""The Gram matrix: how alike is each pair of rows?"""

from __future__ import annotations

import pandas as pd
import streamlit as st

from kernlib.analysis import ORDERINGS
from kernlib.figures import entries
from kernlib.figures import gram as figures
from kernlib.figures.spectrum import pca_scatter
from pages.parts import compute, doctor, layout, state, waiting
from pages.parts.chain import steps_shown

SHOWN = {"Values": "values", "Cosines": "cosines", "Distances": "distances"}

layout.heading(
    "How alike is every pair of rows?",
    "Each cell compares two rows: **bright means alike**. A kernel that suits the labels shows a bright block per "
    "class. Drag a number in the sidebar and watch.",
)
view = state.current_view("Pictures show {rows}; effective rank, alignment, classes and eigenvalues are of all")
data, kernel = view.data, view.kernel
K = compute.gram(data, kernel)

main, beside = st.columns(layout.MAIN, gap="small")
with beside:
    shown = SHOWN[
        st.selectbox(
            "Entries",
            list(SHOWN),
            key="gram.shown",
            persist_state="session",
            help="The kernel's values, the cosines of the angles between rows, or the distances between them in "
            "feature space. Bright always means alike.",
        )
    ]
    orders = [o for o in ORDERINGS if data.y is not None or "class" not in o]
    by_value = {"class": "label", "class, then eigenvector": "label, then eigenvector"}  # of labels that are numbers
    ordering = st.selectbox(
        "Rows in the order",
        orders,
        index=min(1, len(orders) - 1) if data.y is not None else 0,
        key="gram.order",
        persist_state="session",
        format_func=lambda o: by_value.get(o, o) if data.task == "regression" else o,
        help="Only the order changes, never the values.",
    )
    large = compute.diagonal_ratio(data, kernel) > figures.LARGE_DIAGONAL
    ranges = {"Diagonal left aside" if large else "Without the diagonal": "off-diagonal", "Everything": "full"}
    spread = st.selectbox(
        "Colours span",
        list(ranges),
        index=0 if large else 1,
        key=f"gram.range.{large}",
        help="Where the diagonal is large, everything else would be one colour: the span of the other entries "
        "(2 to 98% of them) shows what is there.",
    )
order = compute.order(data, kernel, ordering)
with main, layout.guarded():
    Z = K if shown == "values" else compute.geometry_matrix(data, kernel, shown)
    layout.figure(
        figures.gram_heatmap(Z, order, data.y, data.classes, data.ids, value_range=ranges[spread], shown=shown),
        "gram.heatmap",
        fill="page",
        name={"values": "gram-matrix"}.get(shown, shown),
        data=lambda: pd.DataFrame(Z, index=list(data.ids), columns=list(data.ids)).reset_index(names="row"),
    )

layout.after_the_picture()
# After the picture: these need all eigenvalues, which come later where there are many rows.
coming = compute.on_its_way(data, kernel)
told = None if coming else compute.diagnostics(data, kernel)
findings = () if coming else compute.findings(data, kernel)
with beside:
    layout.numbers(
        (
            "Diagonal ratio",
            told.diagonal_ratio if told else compute.diagonal_ratio(data, kernel),
            "Mean diagonal over mean |off-diagonal|. Far above 1, a row is like itself alone: the kernel memorises.",
        ),
        (
            "Effective rank",
            told.effective_rank if told else "…",
            "How many directions the rows really span: 1 is a constant matrix, n the identity.",
        ),
        (
            "Alignment",
            told.alignment if told else "…",
            "Centred alignment of the matrix with the ideal one for these labels, −1 to 1: higher is better.",
        ),
        (
            "Least eigenvalue",
            told.smallest if told else "…",
            "Below zero (beyond rounding), this is no inner product: a kernel machine may not solve its problem.",
        ),
        width=layout.BESIDE,
    )
    if told:
        doctor.summary(findings)
    else:
        st.info(f"Finding the {data.n} eigenvalues: numbers and the doctor follow.", icon=":material/hourglass_empty:")
    if kernel.transductive:
        st.info("Transductive: this kernel exists only for all rows at once, test rows included.")
    layout.panel("Entries", entries.diagonal_histogram(K).update_layout(height=230), "gram.histogram", name="entries")

names = ["Feature map", "Two steps", "Doctor", "Classes", "Angles and distances", "Eigenvalues", "Exact values"]
features, steps, cure, classes, angles, values, crop = st.tabs(names, key="gram.tab", on_change="rerun")
for tab in (features, cure, classes, values):
    if tab.open and not told:
        tab.caption("This comes with the eigenvalues.")
if coming:
    waiting.until_there(coming)
if features.open and told:
    with features, layout.guarded():
        st.markdown(
            "The rows as points whose inner products are the matrix: $\\sqrt{l_j}\\,[u_j]_i$ for the two leading "
            "eigenvectors $u_j$ with eigenvalues $l_j$."
        )
        scores = compute.feature_map(data, kernel)
        layout.figure(pca_scatter(scores, data.y, data.classes, data.ids), "gram.features", name="feature-map")
if steps.open:
    with steps, layout.guarded():
        chain, words = steps_shown(data, kernel)
        if len(chain) < 2:
            st.info("The kernel has no step yet. Add one in the sidebar, a power for example, and compare.")
        else:
            first, second, own = st.columns([2, 2, 1], vertical_alignment="bottom")
            numbers = range(len(chain))
            a = first.selectbox(
                "Left: after the step", numbers, len(chain) - 2, format_func=words.__getitem__, key="gram.first"
            )
            b = second.selectbox(
                "Right: after the step", numbers, len(chain) - 1, format_func=words.__getitem__, key="gram.second"
            )
            unlike = not figures.of_like_size(compute.gram(data, chain[a]), compute.gram(data, chain[b]))
            apart = own.toggle(
                "Own scales",
                unlike,
                key=f"gram.own-scales.{unlike}",
                persist_state="session",
                help="Each picture with its own colours: patterns compare, colours do not.",
            )
            layout.figure(
                figures.before_after(
                    compute.gram(data, chain[a]),
                    compute.gram(data, chain[b]),
                    titles=(words[a], words[b]),
                    order=order,
                    y=data.y,
                    classes=data.classes,
                    ids=data.ids,
                    common=not apart,
                ),
                "gram.before",
                name="two-steps",
            )
if cure.open and told:
    with cure, layout.guarded():
        doctor.consultation(data, kernel, findings, order)
if classes.open and told:
    with classes, layout.guarded():
        if told.class_means is None:
            st.info("Class means need labels with at least two classes.")
        else:
            layout.figure(entries.class_means(told, data.classes), "gram.classes", name="class-means")
if angles.open:
    with angles, layout.guarded():
        layout.figure(
            entries.geometry_histograms(compute.angles_and_distances(data, kernel)), "gram.angles", name="angles"
        )
if values.open and told:
    with values, layout.guarded():
        layout.figure(entries.spectrum_bars(told), "gram.eigenvalues", name="eigenvalues")
if crop.open:
    with crop:
        size = min(data.n, 40)
        start = st.slider("First row shown", 0, max(1, data.n - size), 0, key="gram.crop", disabled=data.n <= size)
        part = order[start : start + size]
        st.caption(f"Rows {start} to {start + len(part) - 1} in the order above, at full resolution.")
        ids = [data.ids[i] for i in part]
        st.dataframe(pd.DataFrame(K[part][:, part], index=ids, columns=ids), height=420)
