"""Model selection over one parameter of the kernel: squared leave-one-out error and −log ℓ, drawn as they arrive."""

from __future__ import annotations

import math
from typing import Any

import streamlit as st

from kernlib import Kernel
from kernlib.data import Dataset
from kernlib.figures import selection_curve
from kernlib.overview.film import Frame
from pages.parts.frame import layout, waiting
from pages.parts.inputs import axes
from pages.parts.results import compute
from pages.parts.session import state
from pages.parts.session.numbers import TunableParameter


def over_the_number(data: Dataset, kernel: Kernel) -> None:
    """Draw the squared leave-one-out error and −log ℓ(d̂) over the parameter last touched; a click uses a value."""
    number, values = axes.values_of(data, kernel, "spectrum.over")
    kernels = {value: number.at(value) for value in values}

    def draw(frames: dict[Any, Frame]) -> None:
        shown = [frames.get(value) for value in values]
        layout.figure(
            selection_curve(
                values,
                [math.nan if f is None or f.quick is None else f.quick.squared for f in shown],
                [math.nan if f is None else f.likelihood for f in shown],
                [None if f is None else f.dimension for f in shown],
                number.label,
                number.current,
                number.log,
            ),
            "spectrum.selection",
            name="model-selection",
            on_press=lambda chosen: _press(number, chosen),
            selection_mode="points",
        )
        left = len(values) - len(frames)
        if left:
            st.caption(f"{left} of {len(values)} values still to compute")

    waiting.show(compute.frames(data, kernels, kernel, criteria=True), draw)


def _press(number: TunableParameter, chosen: Any) -> None:
    value = layout.pressed_value(chosen)
    if value is not None:
        whole = number.place.parameter.kind == "int"
        state.move(number.path, int(value) if whole else float(value))
