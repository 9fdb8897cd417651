"""The trained machine: what has it learnt?"""

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
from pages.parts import compute, inside, layout, state, supports
from pages.parts.inert import plain
from pages.parts.widgets import parameter_widget

layout.heading(
    "What has the machine learnt?",
    "A support vector machine on all rows in view: its border, the rows that hold it, how sure it is. Drag C, or the "
    "kernel in the sidebar.",
)
view = state.current_view()
data, kernel = view.data, view.kernel
if data.y is None or data.task != "classification":
    st.info("This page needs classes: this data has none. Choose data whose rows belong to two classes or more.")
    raise state.PageEnd

main, beside = st.columns(layout.MAIN, gap="small")
with beside:
    (C_parameter,) = (p for p in SVM.parameters() if p.name == "C")
    proposed = default_machine(data, compute.gram(data, kernel))
    C = parameter_widget(C_parameter, proposed.C if isinstance(proposed, SVM) else 1.0, f"machine.{data.domain}.C")
    between = (0, 1)
    if len(data.classes) > 2:
        pairs = [(i, j) for i in range(len(data.classes)) for j in range(i + 1, len(data.classes))]
        between = st.selectbox(
            "Between the classes",
            pairs,
            key=f"machine.pair.{data.name}",
            persist_state="session",
            format_func=lambda p: f"{data.classes[p[0]]} and {data.classes[p[1]]}"[:60],
            help="More than two classes are told apart two by two.",
        )

with layout.guarded():
    told = inside.trained(data, kernel, C, between)
    if not told.converged:
        st.warning("The solver gave up before it was done: this is not the machine of this C. Choose a smaller C.")
    flat = data.domain == "vector" and data.d is not None and data.d <= 2 and not kernel.transductive
    with main:
        if flat:
            layout.figure(
                figures.decision_field_plot(
                    inside.field(data, kernel, C, between), told, data.rows, data.ids, data.columns
                ),
                "machine.field",
                fill="page",
                name="decision-field",
            )
        else:
            layout.figure(figures.margin_histogram(told), "machine.margins", fill="page", name="margins")
    with beside:
        inner = int((told.margin < 1.0 - 1e-3).sum())
        layout.numbers(
            (
                "Support vectors",
                len(told.support),
                f"Of {len(told.rows)} rows: those with α above 0. All others could be taken away.",
            ),
            ("At the bound C", int(told.bounded.sum()), "Rows that the soft margin has given up."),
            ("In the margin", inner, "Rows with y·f(x) below 1."),
            ("Wrong side", int((told.margin < 0).sum()), "Training rows that the machine gets wrong."),
            width=layout.BESIDE,
        )
        if (told.decision > 0).all() or (told.decision < 0).all():
            winner = told.classes[int(told.decision[0] > 0)]
            st.warning(f"Every row goes to {plain(winner)}: at this C nothing has been learnt. Raise C.")
        if len(told.support) > 0.9 * len(told.rows) and not told.bounded.any():
            st.warning("Nearly every row holds the border by itself, none is given up: a table learnt by heart.")

    names = ["Support vectors", "Weights of rows", "Often wrong", "Weights in words"]
    names += ["Margins"] if flat else []
    toy = data.name == "large-diagonal-toy"
    names += ["Table by heart"] if toy else []
    tabs = dict(zip(names, st.tabs(names, key=f"machine.tab.{len(names)}.{toy}", on_change="rerun"), strict=True))
    if tabs["Support vectors"].open:
        with tabs["Support vectors"]:
            supports.draw(data, told)
    if tabs["Weights of rows"].open:
        with tabs["Weights of rows"]:
            first, second = st.columns(2, gap="large")
            with first:
                layout.figure(figures.alpha_plot(told, data.ids), "machine.alpha", name="alpha")
            with second:
                orders = list(ORDERINGS)
                by = st.selectbox("Rows in the order", orders, index=min(1, len(orders) - 1), key="machine.order")
                order = compute.order(data, kernel, by)
                layout.figure(
                    figures.dual_over_gram(told, compute.gram(data, kernel), order), "machine.dual", name="dual"
                )
    if tabs["Often wrong"].open:
        with tabs["Often wrong"], layout.guarded():
            with st.spinner(f"{inside.SPLITS} random halves: training on one, testing on the other…"):
                found = inside.wrong_rows(data, kernel, C)
            if found.wrong.any():
                layout.figure(figures.wrong_bars(found, data.ids), "machine.wrong", name="often-wrong")
                rows = found.row[found.wrong > 0][:25].tolist()
                table = layout.row_table(data, rows)
                table.insert(
                    2, "wrong", [f"{w} of {t}" for w, t in zip(found.wrong, found.tested, strict=True)][: len(rows)]
                )
                table.insert(3, "mean score", found.score[: len(rows)])
                st.dataframe(table, hide_index=True)
            else:
                st.success(f"No row was wrong in any of {inside.SPLITS} random halves.")
    if tabs["Weights in words"].open:
        with tabs["Weights in words"]:
            try:
                w = inside.weights(data, kernel, C, between)
            except KernlibError as error:
                st.info(plain(error))
            else:
                layout.figure(
                    figures.weight_bars(w, told.classes, told.codes),
                    "machine.weights",
                    name="weights",
                    data=lambda: pd.DataFrame({"feature": w.names, "w": w.values, "rows": w.counts}),
                )
                st.caption(f"b = {w.intercept:.4g}. ⟨w, Φ(x)⟩ + b is f(x) on all rows to {w.gap:.1g}.")
    if flat and tabs["Margins"].open:
        with tabs["Margins"]:
            layout.figure(figures.margin_histogram(told), "machine.margins", name="margins")
    if toy and tabs["Table by heart"].open:
        with tabs["Table by heart"]:
            printed = toy_table(data.rows, data.y)
            st.caption(
                "The linear kernel with a hard margin on the six rows, as printed in [O] 2 and as found here, whatever "
                "the kernel in the sidebar is."
            )
            layout.figure(figures.toy_weights(printed), "machine.toy", name="toy-weights")
            solutions = ("as printed", "this machine", "the good solution")
            lines = {str(j + 1): [w[j] for w in printed[:3]] for j in range(10)}
            said = {"f of a new row with 1 in column 1": printed.new[:, 0], "f of a row of zeros": printed.new[:, 1]}
            st.dataframe(
                pd.DataFrame({"solution": solutions, **lines, "b": printed.intercepts, **said}).round(3),
                hide_index=True,
            )
            st.caption(
                "Both solve all six rows. On a new row the table has 0.02 to say where the good solution says 1. The "
                "source prints its last weight, −0.11, under column 10; the sixth row's 9 stands in column 9."
            )
if math.isinf(C):
    st.caption("C = ∞ is solved as 10⁶ over the rows' mean variance in feature space.")
