"""Probabilities of the classes by kernel logistic regression, and whether they hold for rows outside the training."""

from __future__ import annotations

import math

import streamlit as st

from kernlib import Kernel
from kernlib.analysis.calibration import Calibration
from kernlib.data import Dataset
from kernlib.figures.calibration import calibration_plot
from kernlib.figures.theme import class_words
from kernlib.values.words import number
from pages.parts.frame import layout
from pages.parts.inputs.controls import option
from pages.parts.results import inside

_LINES = 50


def draw(data: Dataset, kernel: Kernel, C: float) -> None:
    """Draw the calibration of one class against the rest, with a verdict, and the surest mistakes."""
    if math.isinf(C):
        st.info("With C = ∞ probabilities are 0 and 1: logistic regression needs a finite C. Lower C.")
        return
    words, code = class_words(data.classes), 1
    if len(words) > 2:
        code = option(
            st.selectbox, "Class, against the rest", list(range(len(words))), "machine.class",
            format_func=lambda c: words[c][:60],
        )  # fmt: skip
    folds = "20 splits that keep groups together" if data.groups else f"{inside.folds_of(data)} folds"
    with st.spinner(f"Kernel logistic regression on {folds}…"):
        result = inside.calibrated(data, kernel, C, code)
    st.markdown(_verdict(result))
    main, beside = st.columns(layout.MAIN, gap="small")
    with main:
        layout.figure(calibration_plot(result, words[code], code), "machine.calibration", name="calibration")
    with beside:
        layout.numbers(
            (
                "Brier score",
                result.brier,
                "Mean square of probability minus truth (1 or 0). Lower is better.",
            ),
            (
                "Brier, guessing",
                result.guess_brier,
                "Brier score of always predicting the class share.",
            ),
            ("Log loss", result.log_loss, "Mean −log of the probability of the truth. A sure mistake costs most."),
            ("Log loss, guessing", result.guess_log_loss, "Log loss of always predicting the class share."),
            width=layout.BESIDE,
        )
        st.caption(
            f"Kernel logistic regression with this C and kernel, {folds}. The probability of each row is from "
            "a machine that was trained without this row."
        )
        if kernel.transductive:
            st.caption("The kernel exists only for all rows at once, so the test rows were used, without their labels.")
    wrong = inside.mistakes(data, kernel, C)
    if not len(wrong.row):
        st.success("No row is misclassified: the most probable class of every row is its own.")
        return
    st.markdown(f"**{len(wrong.row)} of {len(result.probability)} rows misclassified, most confident mistakes first**")
    added = {
        "probability of its label": wrong.own[:_LINES],
        "predicted": [words[c] for c in wrong.predicted[:_LINES]],
        "probability of the predicted": wrong.probability[:_LINES],
    }
    st.dataframe(layout.row_table(data, wrong.row[:_LINES].tolist(), added), hide_index=True)


def _verdict(result: Calibration) -> str:
    """Return whether the probabilities say more than the share of the class, and whether they hold."""
    share = number(float(result.positive.mean()), 2)
    if not result.better:
        return (
            f"**No better than the share of the class ({share})**: these probabilities do not discriminate between "
            "rows. Try another kernel or C."
        )
    if result.calibrated:
        return (
            f"**Better than the share of the class ({share}), and calibrated** as far as these rows can tell. Of rows "
            "with probability p, about a share p is of the class."
        )
    how = "too extreme: the machine is too sure. Lower C" if result.extreme else "too cautious. Raise C"
    p = number(result.p_value, 2)
    return f"**Better than the share of the class ({share}), but not calibrated** (p = {p}): {how}."
