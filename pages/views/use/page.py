"""Use: the trained machine, its border, the rows most in doubt, predictions for new rows, and its script."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import streamlit as st

from kernlib.analysis.summary import Summary
from kernlib.data import Dataset
from kernlib.experiments import RunSpec, predict_script, scikit_script
from kernlib.explain import Trained
from kernlib.figures import machine as figures
from kernlib.machines import SVM, Machine
from kernlib.values.halves import HalvesErrors
from kernlib.values.words import number, percent
from pages.parts.frame import hand, layout, pictured
from pages.parts.frame.hand import Hand, hand_of
from pages.parts.frame.view import View, current_view
from pages.parts.inputs.controls import expander, option, value_of
from pages.parts.inputs.plain import plain
from pages.parts.inputs.widgets import parameter_control
from pages.parts.results import compute, inside
from pages.parts.server.large import whole_of
from pages.views.use import evidence, groups, predicting

#: Doubtful rows beside the border.
_DOUBTFUL = 12


def main(view: View) -> None:
    """Draw the machine of labelled rows; the groups of others."""
    data = view.data
    if data.y is None or data.task != "classification":
        groups.draw(view)
        return
    moving = hand_of(view)
    frame = compute.frame(data, view.kernel) if moving is None else moving.now()
    sentence = st.container(key="sentence")
    _slider(moving, view, frame)
    C, between = (
        compute.machine_cost(data),
        value_of("use.pair", _pairs(data)[0], {str(p): p for p in _pairs(data)}.__getitem__),
    )
    left, right = st.columns([9, 7], gap="medium")
    with left, layout.guarded():
        machine = inside.trained(data, view.kernel, C, between)
        with sentence:
            st.subheader(words_of(machine, frame.errors, len(data.classes) > 2), anchor=False)
        if not machine.converged:
            st.warning("The solver did not converge: results for this C are not reliable. Choose a smaller C.")
        _border(view, machine, C, between)
    layout.after_the_picture()
    with right, layout.guarded():
        _doubtful(view, C)
    _next_step(view, SVM(C=C, scale=inside.SCALE))
    if not data.row_kind.together:
        box = expander("Predict new rows", "use.new")
        if box is not None:
            with box, layout.guarded():
                predicting.draw(data, view.kernel, SVM(C=C, scale=inside.SCALE))
    evidence.draw(view, C, between)


def words_of(machine: Trained, errors: HalvesErrors | None, several: bool = False) -> str:
    """Return the page's sentence: the machine's error on new rows, and how many rows define its border.

    With `several` classes, it names the two of the border.
    """
    if (machine.decision > 0).all() or (machine.decision < 0).all():
        winner = machine.classes[int(machine.decision[0] > 0)]
        return f"Every row is assigned to {plain(winner)}: the machine has learnt nothing at this C. Raise C."
    border = f"the border between {machine.classes[0]} and {machine.classes[1]}" if several else "the border"
    support = plain(f"{len(machine.support)} of {len(machine.rows)} rows define {border}.")
    if errors is None or not math.isfinite(errors.test):
        return f"The machine has no test error here. {support}"
    name = "an error" if errors.measure == "error" else f"a {errors.measure}"
    test, chance = percent(errors.test), percent(errors.chance)
    return f"On new rows the machine has {name} of {test}, guessing has {chance}. {support}"


def _slider(moving: Hand | None, view: View, frame: Summary) -> None:
    """Draw the slider with the errors of its stops, those of the other pages, until all are known."""
    if moving is None:
        hand.draw(None, view)
        return
    here = {moving.value: frame}

    def draw(known: Mapping[Any, Summary]) -> None:
        hand.draw(moving, view, (), {**known, **here})

    hand.as_frames_arrive(moving.frames, draw, "use.frames")


def _pairs(data: Dataset) -> list[tuple[int, int]]:
    """Return the pairs of classes: a support vector machine separates two at a time."""
    return list(itertools.combinations(range(len(data.classes)), 2))


def _machine(data: Dataset) -> None:
    """Draw the menu of the machine, the one place that changes it for all pages."""
    (C_parameter,) = (p for p in SVM.parameters() if p.name == "C")
    with st.popover(f"Machine: SVM, C = {number(compute.machine_cost(data))}", icon=":material/settings:"):
        parameter_control(C_parameter, compute.proposed_cost(data), compute.COST)
        st.caption("C is in units of 1/spread: the same C suits kernels of any size. See and Depth use it too.")
        if len(data.classes) > 2:
            option(
                st.selectbox, "Border between", _pairs(data), "use.pair",
                format_func=lambda p: f"{data.classes[p[0]]} and {data.classes[p[1]]}"[:60],
                help="A support vector machine separates two classes at a time.",
            )  # fmt: skip


def _border(view: View, machine: Trained, C: float, between: tuple[int, int]) -> None:
    """Draw the border: over the rows' own one or two columns, or in the plane of two directions."""
    data, kernel = view.data, view.kernel
    if data.row_kind.points and data.d is not None and data.d <= 2 and not kernel.transductive:
        field = inside.field(data, kernel, C, between)
        title = f"The border between {plain(machine.classes[0])} and {plain(machine.classes[1])}"
        rows, axes = np.asarray(data.rows), data.columns
    else:
        found = inside.directions(data, kernel, C, between)
        if found.slopes.size < 2:
            layout.panel("Margins: rows below 0 are on the wrong side", figures.margin_histogram(machine), "use.border",
                         fill="controls", name="margins")  # fmt: skip
            return
        field = found.field(0, 1)
        title = f"The border in two directions: decides as the machine does on {percent(field.same)} of the rows"
        rows = np.full((data.n, 2), np.nan)
        rows[machine.rows] = found.scores[:, [0, 1]]
        axes = tuple(f"direction {found.numbers[j]}, {percent(found.shares[j])} of f" for j in (0, 1))
    fig = figures.decision_field_plot(field, machine, rows, data.ids, axes)
    layout.panel(title, fig, "use.border", fill="controls", name="border")


def _doubtful(view: View, C: float) -> None:
    """Draw the rows that are misclassified most often while they are test rows."""
    data = view.data
    misses = inside.wrong_rows(data, view.kernel, C)
    count = int((misses.wrong > 0).sum())
    if not count:
        st.markdown(f"**No row is in doubt:** none is misclassified in {inside.SPLITS} random halvings.")
        return
    rows = misses.row[:count][:_DOUBTFUL].tolist()
    st.markdown(f"**Rows most in doubt: {count} are misclassified in some of {inside.SPLITS} halvings**")
    names = [f"{data.ids[row]}" for row in rows]
    drawn = pictured.draw(data, rows, names, "use.doubtful", "doubtful-rows", across=4)
    wrong = [f"{w} of {t}" for w, t in zip(misses.wrong, misses.tested, strict=True)]
    added = {"misclassified": wrong[: len(rows)]}
    st.dataframe(layout.row_table(data, rows, added), hide_index=True, height=215 if drawn else "content")


def _next_step(view: View, machine: Machine) -> None:
    """Draw the one next step, the machine as a script; the same as a scikit-learn pipeline; the machine's menu."""
    whole, choice = whole_of(view.data), view.choice
    spec = RunSpec(choice.run_name(whole), view.kernel.specification, machine, parameters=choice.parameters)
    file = whole.title if choice.uploaded else ""
    with st.container(horizontal=True, vertical_alignment="center"):
        layout.download(
            "predict.py", lambda: predict_script(spec, file), "use.script", "Take the machine: predict.py",
            type="primary", help="Trains this machine again and predicts the rows of any file. It needs kernlib alone.",
        )  # fmt: skip
        layout.download("pipeline.py", lambda: scikit_script(spec, file), "use.pipeline",
                        help="The kernel and the machine as a scikit-learn pipeline.")  # fmt: skip
        _machine(view.data)


main(current_view("The machine is trained on {rows}"))
