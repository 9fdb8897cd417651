"""The trained machine: what has the machine learnt?"""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import streamlit as st

from kernlib import Kernel
from kernlib.analysis import ORDERINGS
from kernlib.data import Dataset
from kernlib.experiments.proposals import default_machine
from kernlib.explain import Trained
from kernlib.explain.toy import ToyTable, toy_table
from kernlib.figures import machine as figures
from kernlib.machines import SVM
from kernlib.values.words import number, percent
from pages.parts.frame import layout, waiting
from pages.parts.frame.view import PageEnd, current_view, slider_in_projector
from pages.parts.inputs import axes
from pages.parts.inputs.controls import expander, option, tabs
from pages.parts.inputs.plain import plain
from pages.parts.inputs.widgets import parameter_control
from pages.parts.results import compute, inside
from pages.parts.session.value import current
from pages.views.machine import predicting, probabilities, supports, unlabelled

whole = current().data.load()
classes = whole.y is not None and whole.task == "classification"
if classes:
    layout.heading(
        "What has the machine learnt?",
        "A support vector machine trained on all rows in view: its border and the rows that define it. Drag C, or "
        "change the kernel in the line.",
    )
else:
    layout.heading(
        "Which groups are there, and are they stable?",
        "Targets are real numbers: *New rows* predicts those of a file. Groups and unusual rows need no labels."
        if whole.task == "regression"
        else "A machine needs labels with at least two classes; this data has none. Groups and unusual rows need no "
        "labels.",
    )
view = current_view()
data, kernel = view.data, view.kernel
if not classes or data.y is None:
    with layout.guarded():
        unlabelled.draw(data, kernel)
    raise PageEnd

main, beside = st.columns(layout.MAIN, gap="small")
with beside:
    slider_in_projector(view)
    (C_parameter,) = (p for p in SVM.parameters() if p.name == "C")
    proposed = default_machine(data)
    C = parameter_control(C_parameter, proposed.C if isinstance(proposed, SVM) else 1.0, "machine.C")
    st.caption("C in units of 1/spread: the same C suits kernels of any size.")
    between = (0, 1)
    if len(data.classes) > 2:
        pairs = [(i, j) for i in range(len(data.classes)) for j in range(i + 1, len(data.classes))]
        between = option(
            st.selectbox,
            "Between the classes",
            pairs,
            "machine.pair",
            format_func=lambda p: f"{data.classes[p[0]]} and {data.classes[p[1]]}"[:60],
            help="A support vector machine separates two classes at a time.",
        )


def weights_of_rows(data: Dataset, kernel: Kernel, C: float, between: tuple[int, int], machine: Trained) -> None:
    """Draw the weights of rows over the Gram matrix, and their mean over a parameter."""
    left, right = st.columns(layout.MAIN, gap="small")
    with right:
        by = option(st.selectbox, "Rows in the order", ORDERINGS, "machine.order", ORDERINGS[1])
    with left:
        fig = figures.dual_over_gram(machine, compute.gram(data, kernel), compute.order(data, kernel, by))
        layout.figure(fig, "machine.dual", name="dual")
    box = expander("Mean α over a parameter of the kernel", "machine.alphas")
    if box:
        with box, layout.guarded():
            mean_alpha(data, kernel, machine.C, between)


def mean_alpha(data: Dataset, kernel: Kernel, C: float, between: tuple[int, int]) -> None:
    """Draw the mean α of the support vectors over a parameter of the kernel, under one bound and at a hard margin.

    `C` is the present machine's bound of α: in units of the spread it would itself move with the parameter.
    """
    parameter, values = axes.values_of(data, kernel, "machine.alpha-over")
    values, costs = values[::2], {C: f"α at most {number(C, 2)}", math.inf: "a hard margin"}

    def draw(known: dict[tuple[float, float], float]) -> None:
        curves = {words: [known.get((cost, value), math.nan) for value in values] for cost, words in costs.items()}
        now, symbol = parameter.current, parameter.symbol
        fig = figures.alpha_over_plot(values, curves, parameter.label, symbol, now, parameter.log)
        layout.figure(fig, "machine.mean-alpha", name="mean-alpha")

    waiting.show(inside.mean_alphas(data, {v: parameter.at(v) for v in values}, tuple(costs), between), draw)
    st.caption("[C] 3.2 expects α to grow with the width of an RBF. Move it in the kernel menu: the border follows.")


def border_in_columns(data: Dataset, kernel: Kernel, C: float, between: tuple[int, int], machine: Trained) -> None:
    """Draw the border over two columns, with the others at their medians, and on how many rows it is the machine's."""
    order = inside.telling_columns(data, between)
    left, right = st.columns(2)
    name = {j: data.columns[j] if data.columns else f"column {j + 1}" for j in order}
    across = option(left.selectbox, "Across", order, "machine.across", order[0], format_func=name.__getitem__)
    others = [j for j in order if j != across]
    up = option(right.selectbox, "Up", others, "machine.up", others[0], format_func=name.__getitem__)
    field = inside.plane_of(data, kernel, C, between, (across, up))
    rows = np.asarray(data.rows, dtype=np.float64)[:, [across, up]]
    st.markdown(
        f"The {len(order) - 2} other columns are at their medians. This border decides as the machine does on "
        f"**{percent(field.same)} of the rows**."
    )
    fig = figures.decision_field_plot(field, machine, rows, data.ids, (name[across], name[up]))
    layout.figure(fig, "machine.plane", name="border")


def border_in_directions(data: Dataset, kernel: Kernel, C: float, between: tuple[int, int], machine: Trained) -> None:
    """Draw the border over two directions of feature space, and on how many rows it is the machine's."""
    found = inside.directions(data, kernel, C, between)
    count = found.slopes.size
    if count < 2:
        st.info("These rows lie on a line in feature space: there is no second direction.")
        return
    places = range(min(count, 12))
    name = {j: f"direction {found.numbers[j]}, {percent(found.shares[j])} of f" for j in places}
    left, right = st.columns(2)
    across = option(left.selectbox, "Across", places, "machine.direction", 0, format_func=name.__getitem__)
    others = [j for j in places if j != across]
    up = option(right.selectbox, "Up", others, "machine.direction2", others[0], format_func=name.__getitem__)
    field = found.field(across, up)
    st.markdown(
        f"These two of {count} directions hold {percent(found.shares[[across, up]].sum())} of the variance of f. "
        f"The straight border here decides as the machine does on **{percent(field.same)} of the rows**."
    )
    rows = np.full((data.n, 2), np.nan)
    rows[machine.rows] = found.scores[:, [across, up]]
    fig = figures.decision_field_plot(field, machine, rows, data.ids, (name[across], name[up]))
    layout.figure(fig, "machine.directions", name="border-in-feature-space")
    st.caption("Directions are those of centred kernel PCA, numbered by eigenvalue, with their share of f's variance.")


def often_misclassified(data: Dataset, kernel: Kernel, C: float) -> None:
    """Draw the rows that are misclassified most often when they are test rows."""
    with st.spinner(f"{inside.SPLITS} random halvings: training on one half, testing on the other…"):
        misses = inside.wrong_rows(data, kernel, C)
    if not misses.wrong.any():
        st.success(f"No row was misclassified in any of {inside.SPLITS} random halvings.")
        return
    layout.figure(figures.wrong_bars(misses, data.ids), "machine.wrong", name="often-wrong")
    rows = misses.row[misses.wrong > 0][:25].tolist()
    counts = [f"{w} of {t}" for w, t in zip(misses.wrong, misses.tested, strict=True)]
    added = {"misclassified": counts[: len(rows)], "mean score": misses.score[: len(rows)]}
    st.dataframe(layout.row_table(data, rows, added), hide_index=True)


def memorising_example(printed: ToyTable) -> None:
    """Draw the printed weights of the toy example beside those computed here."""
    st.caption(
        "The linear kernel with a hard margin on the six rows: as printed in [O] 2 and as computed here. The "
        "kernel in the line has no influence."
    )
    layout.figure(figures.toy_weights(printed), "machine.toy", name="toy-weights")
    solutions = ("as printed", "this machine", "the good solution")
    lines = {str(j + 1): [w[j] for w in printed[:3]] for j in range(10)}
    new = {"f of a new row with 1 in column 1": printed.new[:, 0], "f of a row of zeros": printed.new[:, 1]}
    table = pd.DataFrame({"solution": solutions, **lines, "b": printed.intercepts, **new})
    st.dataframe(table.round(3), hide_index=True)
    st.caption(
        "This machine and the good solution classify all six rows correctly. On a new row with 1 in column 1, this "
        "machine gives 0.02, the good solution 1. The source prints its last weight, −0.11, under column 10; the sixth "
        "row's 9 is in column 9."
    )


with layout.guarded():
    machine = inside.trained(data, kernel, C, between)
    if not machine.converged:
        st.warning("The solver did not converge: results for this C are not reliable. Choose a smaller C.")
    flat = data.row_kind.points and data.d is not None and data.d <= 2 and not kernel.transductive
    with main:
        if flat:
            layout.figure(
                figures.decision_field_plot(
                    inside.field(data, kernel, C, between), machine, data.rows, data.ids, data.columns
                ),
                "machine.field",
                fill="page",
                name="decision-field",
            )
        else:
            layout.figure(figures.margin_histogram(machine), "machine.margins", fill="page", name="margins")
    with beside:
        inner = int((machine.margin < 1.0 - 1e-3).sum())
        layout.numbers(
            (
                "Support vectors",
                len(machine.support),
                f"Rows with α above 0, of {len(machine.rows)}. With the same C, another row can be removed.",
            ),
            (
                "At the bound C",
                int(machine.bounded.sum()),
                "Rows whose α is C: they lie inside the margin or on the wrong side.",
            ),
            ("In the margin", inner, "Rows with a margin y·f(x) below 1: inside the margin, or on the wrong side."),
            ("Wrong side", int((machine.margin < 0).sum()), "Training rows that the machine misclassifies."),
            width=layout.BESIDE,
        )
        if (machine.decision > 0).all() or (machine.decision < 0).all():
            winner = machine.classes[int(machine.decision[0] > 0)]
            st.warning(f"Every row is assigned to {plain(winner)}: the machine has learnt nothing at this C. Raise C.")
        if len(machine.support) > 0.9 * len(machine.rows) and not machine.bounded.any():
            st.warning(
                "Nearly every row is a support vector, often because rows are nearly orthogonal about their mean. The "
                "machine may have memorised them: compare training and test error on *Error curves*."
            )
        alpha = figures.alpha_plot(machine, data.ids).update_layout(height=300)
        layout.panel("Weight α of each support vector", alpha, "machine.alpha", name="alpha")

    names = ["Support vectors", "Weights of rows", "Often misclassified", "Probabilities", "Weights of features"]
    plane = data.row_kind.points and data.d is not None and data.d > 2 and not kernel.transductive
    names += ["Margins"] if flat else ["Border in two columns"] if plane else []
    names += [] if flat else ["Border in feature space"]
    names += [] if data.row_kind.together else ["New rows"]
    names += ["Memorising example"] if data.name == "large-diagonal-toy" else []
    title, tab = tabs(names, "machine.tab")
    with tab, layout.guarded():
        if title == "Support vectors":
            supports.draw(data, machine)
        elif title == "Weights of rows":
            weights_of_rows(data, kernel, C, between, machine)
        elif title == "Often misclassified":
            often_misclassified(data, kernel, C)
        elif title == "Probabilities":
            probabilities.draw(data, kernel, C)
        elif title == "Weights of features":
            w = inside.weights(data, kernel, C, between)
            layout.figure(
                figures.weight_bars(w, machine.classes, machine.codes),
                "machine.weights",
                name="weights",
                data=lambda: pd.DataFrame({"feature": w.names, "w": w.values, "rows": w.counts}),
            )
            st.caption(f"b = {number(w.intercept)}. ⟨w, Φ(x)⟩ + b is f(x) on all rows to {number(w.gap, 1)}.")
        elif title == "New rows":
            predicting.draw(data, kernel, SVM(C=C, scale=inside.SCALE))
        elif title == "Border in two columns":
            border_in_columns(data, kernel, C, between, machine)
        elif title == "Border in feature space":
            border_in_directions(data, kernel, C, between, machine)
        elif title == "Margins":
            layout.figure(figures.margin_histogram(machine), "machine.margins", name="margins")
        else:
            memorising_example(toy_table(data.rows, data.y))
if math.isinf(C):
    st.caption("C = ∞ is computed as 10⁶ over the mean variance of the rows in feature space.")
