"""A sheet over two numbers of the kernel: chosen by eye, judged by a criterion, adopted by a press."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from kernlib import Deep, Empirical, Kernel, Power
from kernlib.data import Dataset
from kernlib.experiments import Axis, RunSpec, curve
from kernlib.experiments.axis import with_value
from kernlib.figures import sheet_picture
from kernlib.machines import SVM
from kernlib.overview import CRITERIA, Sheet, sheet_of_frames

from . import compute, layout, state
from .inert import plain
from .jobs import Job, registry, session_id
from .levels import SPLITS, protocol_of
from .numbers import Number, numbers

__all__ = ["two_numbers"]

_POINTS = 6
#: Seconds up to which all cells are computed without being asked for.
_UNASKED = 25.0
_SLICE = 0.8
_SVM = f"test error of a support vector machine, {SPLITS} halvings"


def two_numbers(data: Dataset, base: Kernel, level: int) -> None:
    """The whole part: two numbers to choose, a criterion, the sheet."""
    kernel = Deep(base, level=max(level, 1))
    rows, columns, judged, more = st.columns([3, 3, 4, 3], vertical_alignment="bottom")
    if not any(n.place.owner == "Power" for n in numbers(kernel)):
        add = more.toggle(
            "With a power p",
            key="sheet.power",
            persist_state="session",
            help="Between the kernel and its levels: every value to the power p, then rows compared by all their "
            "values, as for large diagonals.",
        )
        if add:
            kernel = Deep(Empirical(Power(base, p=0.5)), level=max(level, 1))
    found = {n.path: n for n in numbers(kernel)}
    if len(found) < 2:
        st.info("The kernel has no number but its level. Switch on *With a power p*, or add a step in the sidebar.")
        return
    paths = list(found)
    down = rows.selectbox(
        "Down",
        [p for p in paths if p != "kernel.level"],
        format_func=lambda p: found[p].label,
        key=f"sheet.down.{len(paths)}",
    )
    across = columns.selectbox(
        "Across", [p for p in paths if p != down], format_func=lambda p: found[p].label, key=f"sheet.across.{down}"
    )
    labelled = compute.labelled(data)
    criteria = {c.words: name for name, c in CRITERIA.items()} if labelled else {}
    if labelled and data.task == "classification":
        criteria[_SVM] = "svm"
    words = judged.selectbox("Framed by", list(criteria) or ["nothing: there are no labels"], key="sheet.criterion")
    common = more.toggle(
        "One colour scale", key="sheet.common", persist_state="session", help="Otherwise each picture has its own."
    )
    first, second = found[down], found[across]
    values = tuple(_values(data, base, n) for n in (first, second))
    kernels = {(a, b): with_value(first.at(a), across.split(".")[1:], b) for a in values[0] for b in values[1]}
    job = None
    if criteria.get(words) == "svm":
        job = _svm(data, kernel, Axis(down, values[0]), Axis(across, values[1]))
    _arriving(data, kernels, (first, second), values, criteria.get(words, "ridge"), common, job)


def _values(data: Dataset, base: Kernel, number: Number) -> tuple[Any, ...]:
    """Six values over the number's range, about what the rows suggest."""
    anchor = compute.heuristics(data, base).get(number.place.parameter.name)
    found = number.values(anchor, _POINTS)
    if number.place.parameter.name == "level":
        return tuple(found[:_POINTS])
    places = np.unique(np.linspace(0, len(found) - 1, _POINTS).round().astype(int))
    return tuple(found[i] for i in places)


def _svm(data: Dataset, kernel: Kernel, first: Axis, second: Axis) -> Job:
    spec = RunSpec("shown", kernel, SVM(), protocol_of(data), "error", first, second=second)
    job = registry().find(spec, data, session_id())
    if job is None or job.state == "stopped":
        job = registry().start(spec, data, session_id())
    return job


def _arriving(
    data: Dataset,
    kernels: dict[tuple[Any, Any], Kernel],
    pair: tuple[Number, Number],
    values: tuple[tuple[Any, ...], tuple[Any, ...]],
    criterion: str,
    common: bool,
    job: Job | None,
) -> None:
    """The sheet, drawn again and again until every cell is there."""
    shown = st.session_state["kernel"]
    wanted = (data.digest, tuple(map(repr, kernels.values())))
    seconds = compute.pace(data, kernels[values[0][0], values[1][-1]], shown) * len(kernels)
    if seconds > _UNASKED and st.session_state.get("sheet.wanted") != wanted:
        st.button(
            f"Compute {len(kernels)} cells, about {seconds:.0f} s",
            on_click=st.session_state.__setitem__,
            args=("sheet.wanted", wanted),
        )
        return

    def draw() -> bool:
        """What is there, and whether it is all."""
        frames = compute.frames(data, kernels, 0.0, shown)
        sheet = sheet_of_frames(
            pair[0].label, values[0], pair[1].label, values[1], frames, "ridge" if job is not None else criterion
        )
        going = False
        if job is not None:
            sheet, going = _judged(sheet, job)
        left = [f"{sheet.missing} of {len(kernels)} cells to come"] if sheet.missing else []
        left += [f"{len(job.results)} of {job.total} test errors"] if job is not None and going else []
        if left:
            st.caption(" · ".join(left))
        layout.figure(
            sheet_picture(sheet, common),
            "sheet.picture",
            name="sheet",
            on_select=lambda: _press(kernels, values),
            selection_mode="points",
        )
        return not (sheet.missing or going)

    def tick() -> None:
        if st.session_state["kernel"] != shown or draw():
            st.rerun()
        compute.frames(data, kernels, _SLICE, shown)  # now: a browser fades what waits to be drawn anew

    if len(compute.frames(data, kernels, 0.0, shown)) == len(kernels) and (job is None or not job.active):
        draw()
    else:
        st.fragment(tick, run_every=0.3)()


def _judged(sheet: Sheet, job: Job) -> tuple[Sheet, bool]:
    job.watch()
    drawn = curve(job.spec, list(job.results))
    if job.state == "failed":
        st.error(plain(job.problem))
    return sheet.scored(drawn.mean, _SVM, True, drawn.best, drawn.not_worse), job.active


def _press(kernels: dict[tuple[Any, Any], Kernel], values: tuple[tuple[Any, ...], tuple[Any, ...]]) -> None:
    """A pressed cell becomes the kernel."""
    points = st.session_state["sheet.picture"].selection.points
    place = points[0].get("customdata") if points else None
    if isinstance(place, list):
        place = place[0] if place else None
    if place is not None:
        down, across = divmod(int(place), len(values[1]))
        state.adopt(kernels[values[0][down], values[1][across]])
