"""Model selection by −log ℓ over one number of the kernel, as it arrives."""

from __future__ import annotations

import math
from typing import Any

import streamlit as st

from kernlib import Kernel
from kernlib.data import Dataset
from kernlib.figures import selection_curve

from . import compute, layout, state
from .numbers import Number, most_telling, numbers

__all__ = ["over_the_number"]

_SLICE = 0.8


def over_the_number(data: Dataset, kernel: Kernel) -> None:
    """−log ℓ(d̂) over the number last touched; a press takes a value."""
    found = numbers(kernel)
    if not found:
        st.info("This kernel has no number to choose. Add a step in the sidebar, a power for example.")
        return
    last = next((n for n in found if n.path == state.touched()), None) or most_telling(found)
    paths = [n.path for n in found]
    chosen = st.selectbox(
        "Over",
        paths,
        0 if last is None else paths.index(last.path),
        format_func=lambda path: found[paths.index(path)].label,
        key=f"selection.over.{'' if last is None else last.path}",
    )
    number = found[paths.index(chosen)]
    values = number.values(compute.heuristics(data, kernel).get(number.place.parameter.name))
    kernels = {value: number.at(value) for value in values}
    complete = len(compute.frames(data, kernels, 0.0, kernel)) == len(kernels)

    def draw() -> bool:
        frames = compute.frames(data, kernels, _SLICE, kernel)
        left = len(values) - len(frames)
        if left:
            st.caption(f"{left} of {len(values)} values to come")
        known = [frames.get(value) for value in values]
        layout.figure(
            selection_curve(
                values,
                [math.nan if f is None else f.likelihood for f in known],
                [None if f is None else f.dimension for f in known],
                number.label,
                number.current,
                number.log,
            ),
            "spectrum.selection",
            name="model-selection",
            on_select=lambda: _press(number),
            selection_mode="points",
        )
        return not left

    def tick() -> None:
        if st.session_state["kernel"] != kernel or draw():
            st.rerun()

    if complete:
        draw()
    else:
        st.fragment(tick, run_every=0.4)()


def _press(number: Number) -> None:
    points: list[dict[str, Any]] = st.session_state["spectrum.selection"].selection.points
    value = points[0].get("x") if points else None
    if value is not None:
        whole = number.place.parameter.kind == "int"
        state.revise(number.at(int(value) if whole else float(value)))
