"""Evidence for a machine: its probabilities, its confusions, its margins, and the weights of its features."""

from __future__ import annotations

import math

import pandas as pd
import streamlit as st

from kernlib import KernlibError
from kernlib.explain.trained import toy_table
from kernlib.figures import machine as figures
from kernlib.figures.calibration import calibration_plot
from kernlib.figures.curves import confusion_plot
from kernlib.figures.theme import class_words
from pages.parts.frame import layout
from pages.parts.frame.view import View
from pages.parts.inputs.controls import expander, option
from pages.parts.inputs.plain import plain
from pages.parts.results import inside


def draw(view: View, C: float, between: tuple[int, int]) -> None:
    """Draw the drawer; it costs nothing while it is closed."""
    box = expander("Evidence", "use.evidence")
    if box is None:
        return
    data, kernel = view.data, view.kernel
    with box:
        left, right = st.columns(2, gap="medium")
        with left, layout.guarded():
            _probabilities(view, C)
        with right, layout.guarded():
            layout.panel(
                "Which classes are confused", confusion_plot(inside.confused(data, kernel, C)), "use.confusion",
                name="confusion",
            )  # fmt: skip
        with left, layout.guarded():
            fig = figures.margin_histogram(inside.trained(data, kernel, C, between))
            layout.panel("Margins of training rows", fig, "use.margins", name="margins")
        with right, layout.guarded():
            _weights(view, C, between)


def _probabilities(view: View, C: float) -> None:
    """Draw the calibration of one class against the rest."""
    if math.isinf(C):
        st.info("With C = ∞ probabilities are 0 and 1: logistic regression needs a finite C. Lower C.")
        return
    words, code = class_words(view.data.classes), 1
    if len(words) > 2:
        code = option(
            st.selectbox, "Class, against the rest", list(range(len(words))), "use.class",
            format_func=lambda c: words[c][:60],
        )  # fmt: skip
    result = inside.calibrated(view.data, view.kernel, C, code)
    title = (
        "Probabilities say no more than the share of the class"
        if not result.better
        else "Probabilities are calibrated"
        if result.calibrated
        else f"Probabilities are too {'extreme' if result.extreme else 'cautious'}"
    )
    layout.panel(title, calibration_plot(result, words[code], code), "use.calibration", name="calibration")


def _weights(view: View, C: float, between: tuple[int, int]) -> None:
    """Draw the largest weights of features; of the toy of [O], the printed ones beside them."""
    data = view.data
    if data.name == "large-diagonal-toy" and data.y is not None:
        layout.panel("Weights as printed in [O] and as computed here",
                     figures.toy_weights(toy_table(data.rows, data.y)), "use.toy", name="toy-weights")  # fmt: skip
        return
    try:
        w = inside.weights(data, view.kernel, C, between)
    except KernlibError as error:
        st.caption(plain(error))
        return
    named = inside.trained(data, view.kernel, C, between)
    layout.panel(
        "Largest weights of features", figures.weight_bars(w, named.classes, named.codes), "use.weights",
        name="weights", data=lambda: pd.DataFrame({"feature": w.names, "w": w.values, "rows": w.counts}),
    )  # fmt: skip
