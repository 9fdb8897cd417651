"""Evidence for a machine: the confusions of its classes, or its predicted numbers."""

from __future__ import annotations

import plotly.graph_objects as go

from kernlib.figures import machine as figures
from kernlib.figures.curves import confusion_plot
from kernlib.machines import Machine
from pages.parts.frame import layout
from pages.parts.frame.waiting import View
from pages.parts.inputs.controls import plain
from pages.parts.results import machines
from pages.parts.session.uploaded import label_name


@layout.drawer("use.evidence")
def draw(view: View, machine: Machine) -> None:
    """Draw the predicted numbers, or which classes are confused."""
    data, kernel = view.data, view.kernel
    if data.task == "regression":
        layout.panel(*predicted(view, machine), "use.predicted")
        return
    with layout.guarded():
        fig = confusion_plot(machines.decisions_of(data, kernel, machine).confusion())
        layout.panel("Which classes are confused", fig, "use.confusion")


def predicted(view: View, machine: Machine) -> tuple[str, go.Figure]:
    """Return the targets of test rows beside their predictions, and the picture's title."""
    name = label_name() or "target"
    fig = figures.predicted_plot(machines.residuals(view.data, view.kernel, machine), view.data.ids, name)
    return f"The {plain(name)} of test rows beside its prediction", fig
