"""Evidence for a machine: its probabilities, its confusions, its margins, and the weights of its features."""

from __future__ import annotations

import math

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from kernlib.errors import ExplainError
from kernlib.figures import machine as figures
from kernlib.figures.curves import calibration_plot, confusion_plot
from kernlib.figures.theme import class_words
from kernlib.machines import Machine
from pages.parts.frame import layout
from pages.parts.frame.waiting import View
from pages.parts.inputs.controls import option, plain
from pages.parts.results import machines
from pages.parts.session.state import Pair
from pages.parts.session.uploaded import label_name


@layout.drawer("use.evidence")
def draw(view: View, machine: Machine, between: Pair) -> None:
    """Draw the predicted numbers, or what is known of the machine's classes."""
    data, kernel = view.data, view.kernel
    if data.task == "regression":
        layout.panel(*predicted(view, machine), "use.predicted")
        return
    left, right = st.columns(2, gap="medium")
    with left, layout.guarded():
        _probabilities(view, machine)
    with right, layout.guarded():
        fig = confusion_plot(machines.decisions_of(data, kernel, machine).confusion())
        layout.panel("Which classes are confused", fig, "use.confusion")
    with left, layout.guarded():
        fig = figures.margin_histogram(machines.border(data, kernel, machine, between)[0])
        layout.panel("Margins of training rows", fig, "use.margins")
    with right, layout.guarded():
        _weights(view, machine, between)


def predicted(view: View, machine: Machine) -> tuple[str, go.Figure]:
    """Return the targets of test rows beside their predictions, and the picture's title."""
    name = label_name() or "target"
    fig = figures.predicted_plot(machines.residuals(view.data, view.kernel, machine), view.data.ids, name)
    return f"The {plain(name)} of test rows beside its prediction", fig


def _probabilities(view: View, machine: Machine) -> None:
    """Draw the calibration of one class against the rest: kernel logistic regression with the C of the machine."""
    C, scale = getattr(machine, "C", 10.0), getattr(machine, "scale", "spread")
    if math.isinf(C):
        st.info("With C = ∞ probabilities are 0 and 1: logistic regression needs a finite C. Lower C.")
        return
    words, code = class_words(view.data.classes), 1
    if len(words) > 2:
        code = option(
            st.selectbox,
            "Class, against the rest",
            list(range(len(words))),
            "use.class",
            format_func=lambda c: words[c][:60],
        )
    result = machines.calibrated(view.data, view.kernel, C, scale, code)
    title = "No bin's probability lies outside the interval of its share"
    if result.off:
        title = f"In {result.off} of {len(result.rows)} bins the probability lies outside the interval of the share"
    layout.panel(title, calibration_plot(result, words[code], code), "use.calibration")


def _weights(view: View, machine: Machine, between: Pair) -> None:
    """Draw the largest weights of features."""
    data = view.data
    try:
        w = machines.weights(data, view.kernel, machine, between)
    except ExplainError:  # the kernel has no features to weigh
        return
    named = machines.border(data, view.kernel, machine, between)[0]
    layout.panel(
        "Largest weights of features",
        figures.weight_bars(w, named.classes, named.codes),
        "use.weights",
        data=lambda: pd.DataFrame({"feature": w.names, "w": w.values, "rows": w.counts}),
    )
