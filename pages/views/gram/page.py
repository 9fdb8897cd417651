"""The Gram matrix: how similar is each pair of rows?"""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from kernlib import Kernel, Normalized
from kernlib.analysis import ORDERINGS, similarity_by_size
from kernlib.data import Dataset
from kernlib.figures import entries
from kernlib.figures import gram as figures
from kernlib.figures.spectrum import pca_scatter
from pages.parts.frame import layout, waiting
from pages.parts.frame.view import PageEnd, current_view, slider_in_projector
from pages.parts.inputs.controls import number, option, switch, tabs
from pages.parts.results import compute
from pages.parts.session.chain import steps_shown
from pages.views.gram import doctor

SHOWN: dict[str, figures.Shown] = {"Values": "values", "Cosines": "cosines", "Distances": "distances"}

layout.heading(
    "How similar is every pair of rows?",
    "Each cell compares two rows: **bright means similar**. A kernel that suits the labels often shows bright "
    "blocks, one per class. Drag a parameter in the kernel menu and watch. Click a cell to see why its rows are alike.",
)
view = current_view("Pictures show {rows}; effective rank, alignment, classes and eigenvalues use all rows")
data, kernel = view.data, view.kernel
K = compute.gram(data, kernel)

main, beside = st.columns(layout.MAIN, gap="small")
with beside:
    slider_in_projector(view)
    shown = SHOWN[
        option(
            st.selectbox,
            "Entries",
            list(SHOWN),
            "gram.shown",
            help="The kernel's values, the cosines of the angles between rows, or the distances between them in "
            "feature space. Bright always means similar.",
        )
    ]
    orders = [o for o in ORDERINGS if data.y is not None or "class" not in o]
    by_value = {"class": "label", "class, then eigenvector": "label, then eigenvector"}  # of labels that are numbers
    ordering = option(
        st.selectbox,
        "Rows in the order",
        orders,
        "gram.order",
        orders[1],  # by class; clustering without labels
        format_func=lambda o: by_value.get(o, o) if data.task == "regression" else o,
        help="Only the order changes, never the values.",
    )
    large = compute.diagonal_ratio(data, kernel) > figures.LARGE_DIAGONAL
    ranges: dict[figures.ValueRange, str] = {"off-diagonal": "Without the diagonal", "full": "All entries"}
    spread = option(
        st.selectbox,
        "Colour range",
        list(ranges),
        "gram.range",
        "off-diagonal" if large else "full",
        format_func=ranges.__getitem__,
        help="A large diagonal would leave one colour for all other entries. The colours then span the middle "
        "96% of the other entries.",
    )
order = compute.order(data, kernel, ordering)
with main, layout.guarded():
    Z = K if shown == "values" else compute.geometry_matrix(data, kernel, shown)
    layout.figure(
        figures.gram_heatmap(Z, order, data.y, data.classes, data.ids, spread, shown=shown, pairs=True),
        "gram.heatmap",
        fill="page",
        name={"values": "gram-matrix"}.get(shown, shown),
        data=lambda: pd.DataFrame(Z, index=list(data.ids), columns=list(data.ids)).reset_index(names="row"),
    )
    layout.cells_open_pairs("gram.cells")

layout.after_the_picture()
# After the picture: these need all eigenvalues, which a job computes where there are many rows.
later = compute.eigenpairs(data, kernel)
findings = () if later else compute.findings(data, kernel)
if any(finding.name == "not symmetric" for finding in findings):  # there are no eigenvalues
    doctor.consultation(data, kernel, findings, order)
    raise PageEnd
diagnostics = None if later else compute.diagnostics(data, kernel)
with beside:
    layout.numbers(
        (
            "Diagonal ratio",
            diagnostics.diagonal_ratio if diagnostics else compute.diagonal_ratio(data, kernel),
            "Mean diagonal over mean |off-diagonal|. Far above 1, rows are nearly orthogonal, and many labels of the "
            "training rows can be separated. The tab Doctor compares training and test error.",
        ),
        (
            "Effective rank",
            diagnostics.effective_rank if diagnostics else "…",
            "The number of directions over which the rows spread: 1 for a constant matrix, n for the identity.",
        ),
        (
            "Alignment",
            diagnostics.alignment if diagnostics else "…",
            "Centred alignment of the matrix with the ideal one for these labels, −1 to 1: higher is better.",
        ),
        (
            "Least eigenvalue",
            diagnostics.smallest if diagnostics else "…",
            "Below zero (beyond rounding), the kernel is not an inner product: a kernel machine may not converge.",
        ),
        width=layout.BESIDE,
    )
    if diagnostics:
        doctor.summary(findings)
    else:
        st.info(f"Computing {data.n} eigenvalues: numbers and the doctor follow.", icon=":material/hourglass_empty:")
    if kernel.transductive:
        st.info("Transductive: this kernel exists only for all rows at once, test rows included.")
    layout.panel("Entries", entries.diagonal_histogram(K).update_layout(height=230), "gram.histogram", name="entries")


def two_steps(data: Dataset, kernel: Kernel, order: np.ndarray) -> None:
    """Draw the Gram matrices after two steps of the kernel side by side."""
    chain, words = steps_shown(data, kernel)
    if len(chain) < 2:
        st.info("The kernel has no step yet. Add one in the kernel menu, a power for example, and compare.")
        return
    left, right, own = st.columns([2, 2, 1], vertical_alignment="bottom")
    places, word = range(len(chain)), words.__getitem__
    a = option(left.selectbox, "Left: after the step", places, "gram.first", places[-2], format_func=word)
    b = option(right.selectbox, "Right: after the step", places, "gram.second", places[-1], format_func=word)
    first, second = compute.gram(data, chain[a]), compute.gram(data, chain[b])
    with own:
        apart = switch(
            "Own scales",
            not figures.of_like_size(first, second),
            "gram.own-scales",
            help="Each picture with its own colours: compare patterns, not colours.",
        )
    layout.figure(
        figures.before_after(
            first,
            second,
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


def angles(data: Dataset, kernel: Kernel) -> None:
    """Draw angles and distances, and where rows have lengths of their own, what these do to the similarity."""
    fig = entries.geometry_histograms(compute.angles_and_distances(data, kernel))
    layout.figure(fig, "gram.angles", name="angles")
    sizes = data.row_kind.sizes(data)
    if sizes is not None and np.ptp(sizes) > 0:
        st.markdown("**Length of the rows**, before and after normalising")
        plain_kernel = kernel.kernel if isinstance(kernel, Normalized) else kernel
        found = similarity_by_size(compute.gram(data, plain_kernel), sizes)
        layout.figure(entries.by_size_plot(found, data.y, data.classes, data.ids), "gram.sizes", name="length")


def exact_values(data: Dataset, K: np.ndarray, order: np.ndarray) -> None:
    """Draw a part of the matrix as a table."""
    size = min(data.n, 40)
    start = number("First row shown", 0, max(1, data.n - size), 0, "gram.crop", disabled=data.n <= size)
    part = order[start : start + size]
    st.caption(f"Rows {start} to {start + len(part) - 1} in the order above, at full resolution.")
    ids = [data.ids[i] for i in part]
    st.dataframe(pd.DataFrame(K[part][:, part], index=ids, columns=ids), height=420)


TABS = ("Feature map", "Two steps", "Doctor", "Classes", "Angles and distances", "Eigenvalues", "Exact values")
title, tab = tabs(TABS, "gram.tab")
with tab, layout.guarded():
    if title == "Two steps":
        two_steps(data, kernel, order)
    elif title == "Angles and distances":
        angles(data, kernel)
    elif title == "Exact values":
        exact_values(data, K, order)
    elif diagnostics is None:
        st.caption("This appears when the eigenvalues are computed.")
    elif title == "Feature map":
        st.markdown(
            "The rows as points whose inner products are the matrix: $\\sqrt{l_j}\\,[u_j]_i$ for the two leading "
            "eigenvectors $u_j$ with eigenvalues $l_j$."
        )
        scores = compute.feature_map(data, kernel)
        layout.figure(pca_scatter(scores, data.y, data.classes, data.ids), "gram.features", name="feature-map")
    elif title == "Doctor":
        doctor.consultation(data, kernel, findings, order)
    elif title == "Eigenvalues":
        layout.figure(entries.spectrum_bars(diagnostics), "gram.eigenvalues", name="eigenvalues")
    elif diagnostics.class_means is None:
        st.info("Class means need labels with at least two classes.")
    else:
        layout.figure(entries.class_means(diagnostics, data.classes), "gram.classes", name="class-means")
if later:
    waiting.show(later)
