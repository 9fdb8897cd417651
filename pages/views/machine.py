"""The trained machine: what has the machine learnt?"""

from __future__ import annotations

import math

import pandas as pd
import streamlit as st

from kernlib.analysis import ORDERINGS
from kernlib.errors import KernlibError
from kernlib.experiments.proposals import default_machine
from kernlib.explain.toy import toy_table
from kernlib.figures import machine as figures
from kernlib.machines import SVM
from pages.parts.blocks import probabilities, supports, unlabelled
from pages.parts.frame import layout
from pages.parts.frame.view import PageEnd, current_view
from pages.parts.inputs.controls import option, tabs
from pages.parts.inputs.plain import plain
from pages.parts.inputs.widgets import parameter_control
from pages.parts.results import compute, inside
from pages.parts.session import state

whole = state.data_choice().load()
classes = whole.y is not None and whole.task == "classification"
if classes:
    layout.heading(
        "What has the machine learnt?",
        "A support vector machine trained on all rows in view: its border and the rows that define it. Drag C, or "
        "change the kernel in the sidebar.",
    )
else:
    layout.heading(
        "Which groups are there, and do they hold?",
        "A machine needs labels with at least two classes; this data has none. Groups and unusual rows need no labels.",
    )
view = current_view()
data, kernel = view.data, view.kernel
if not classes or data.y is None:
    with layout.guarded():
        unlabelled.draw(data, kernel)
    raise PageEnd

main, beside = st.columns(layout.MAIN, gap="small")
with beside:
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

with layout.guarded():
    machine = inside.trained(data, kernel, C, between)
    if not machine.converged:
        st.warning("The solver did not converge: results for this C are not reliable. Choose a smaller C.")
    flat = data.domain == "vector" and data.d is not None and data.d <= 2 and not kernel.transductive
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
                f"Rows with α above 0, of {len(machine.rows)}. Removing any other row changes nothing.",
            ),
            (
                "At the bound C",
                int(machine.bounded.sum()),
                "Rows whose α is C: they lie inside the margin or beyond it.",
            ),
            ("In the margin", inner, "Rows with y·f(x) below 1."),
            ("Wrong side", int((machine.margin < 0).sum()), "Training rows that the machine misclassifies."),
            width=layout.BESIDE,
        )
        if (machine.decision > 0).all() or (machine.decision < 0).all():
            winner = machine.classes[int(machine.decision[0] > 0)]
            st.warning(f"Every row is assigned to {plain(winner)}: the machine has learnt nothing at this C. Raise C.")
        if len(machine.support) > 0.9 * len(machine.rows) and not machine.bounded.any():
            st.warning("Nearly every row is a support vector: the machine has memorised the data.")

    names = ["Support vectors", "Weights of rows", "Often misclassified", "Probabilities", "Weights of features"]
    names += ["Margins"] if flat else []
    toy = data.name == "large-diagonal-toy"
    names += ["Memorising example"] if toy else []
    opened = tabs(names, "machine.tab")
    if "Support vectors" in opened:
        with opened["Support vectors"]:
            supports.draw(data, machine)
    if "Weights of rows" in opened:
        with opened["Weights of rows"]:
            first, second = st.columns(2, gap="large")
            with first:
                layout.figure(figures.alpha_plot(machine, data.ids), "machine.alpha", name="alpha")
            with second:
                orders = list(ORDERINGS)
                by = option(st.selectbox, "Rows in the order", orders, "machine.order", orders[min(1, len(orders) - 1)])
                order = compute.order(data, kernel, by)
                layout.figure(
                    figures.dual_over_gram(machine, compute.gram(data, kernel), order), "machine.dual", name="dual"
                )
    if "Often misclassified" in opened:
        with opened["Often misclassified"], layout.guarded():
            with st.spinner(f"{inside.SPLITS} random halvings: training on one half, testing on the other…"):
                misses = inside.wrong_rows(data, kernel, C)
            if misses.wrong.any():
                layout.figure(figures.wrong_bars(misses, data.ids), "machine.wrong", name="often-wrong")
                rows = misses.row[misses.wrong > 0][:25].tolist()
                table = layout.row_table(data, rows)
                counts = [f"{w} of {t}" for w, t in zip(misses.wrong, misses.tested, strict=True)]
                table.insert(2, "misclassified", counts[: len(rows)])
                table.insert(3, "mean score", misses.score[: len(rows)])
                st.dataframe(table, hide_index=True)
            else:
                st.success(f"No row was misclassified in any of {inside.SPLITS} random halvings.")
    if "Probabilities" in opened:
        with opened["Probabilities"], layout.guarded():
            probabilities.draw(data, kernel, C)
    if "Weights of features" in opened:
        with opened["Weights of features"]:
            try:
                w = inside.weights(data, kernel, C, between)
            except KernlibError as error:
                st.info(plain(error))
            else:
                layout.figure(
                    figures.weight_bars(w, machine.classes, machine.codes),
                    "machine.weights",
                    name="weights",
                    data=lambda: pd.DataFrame({"feature": w.names, "w": w.values, "rows": w.counts}),
                )
                st.caption(f"b = {w.intercept:.4g}. ⟨w, Φ(x)⟩ + b is f(x) on all rows to {w.gap:.1g}.")
    if "Margins" in opened:
        with opened["Margins"]:
            layout.figure(figures.margin_histogram(machine), "machine.margins", name="margins")
    if "Memorising example" in opened:
        with opened["Memorising example"]:
            printed = toy_table(data.rows, data.y)
            st.caption(
                "The linear kernel with a hard margin on the six rows: as printed in [O] 2 and as computed here. The "
                "kernel in the sidebar has no influence."
            )
            layout.figure(figures.toy_weights(printed), "machine.toy", name="toy-weights")
            solutions = ("as printed", "this machine", "the good solution")
            lines = {str(j + 1): [w[j] for w in printed[:3]] for j in range(10)}
            new = {"f of a new row with 1 in column 1": printed.new[:, 0], "f of a row of zeros": printed.new[:, 1]}
            st.dataframe(
                pd.DataFrame({"solution": solutions, **lines, "b": printed.intercepts, **new}).round(3),
                hide_index=True,
            )
            st.caption(
                "Both classify all six rows. On a new row this machine gives 0.02, the good solution 1. The source "
                "prints its last weight, −0.11, under column 10; the sixth row's 9 is in column 9."
            )
if math.isinf(C):
    st.caption("C = ∞ is computed as 10⁶ over the mean variance of the rows in feature space.")
