"""A sheet over two parameters of the kernel: a picture a cell, framed by a criterion; a click takes its kernel."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from kernlib import Empirical, Kernel, Power, Wrapper
from kernlib.analysis import Recipe
from kernlib.data import Dataset
from kernlib.experiments import Axis, RunSpec, curve
from kernlib.experiments.axis import with_value
from kernlib.figures import sheet_picture
from kernlib.overview import CRITERIA, Sheet, sheet_of_frames
from kernlib.protocols import HALVES, halves_machine, halves_protocol, suitable_measure
from pages.parts.frame import layout, waiting
from pages.parts.inputs.controls import option, switch
from pages.parts.results import compute
from pages.parts.results.asking import Together
from pages.parts.server.jobs import Job, registry, session_id
from pages.parts.session.numbers import TunableParameter, numbers
from pages.parts.session.value import current

_POINTS = 6
_SVM = f"test error of a support vector machine (C = 10/spread), {HALVES} halves"


def two_numbers(data: Dataset, recipe: Recipe, level: int) -> None:
    """Draw the menus of two parameters and of a criterion, and the sheet."""
    base, kernel = recipe.base, recipe.at(max(level, 1))
    rows, columns, judged, more = st.columns([3, 3, 4, 3], vertical_alignment="bottom")
    if isinstance(kernel, Wrapper) and not any(part.telling == "p" for part in kernel.walk()):
        with more:
            add = switch(
                "With a power p",
                False,
                "depth.sheet.power",
                help="Adds a power p and the empirical map between the kernel and its levels, against a large "
                "diagonal.",
            )
        if add:
            kernel = kernel.with_kernel(Empirical(Power(base, p=0.5)))
    by_path = {n.path: n for n in numbers(kernel)}
    if len(by_path) < 2:
        st.info("The only parameter is the level. Switch on *With a power p*, or add a step in the kernel menu.")
        return
    paths = list(by_path)
    down = option(
        rows.selectbox,
        "Down",
        [p for p in paths if p != "kernel.level"],
        "depth.sheet.down",
        format_func=lambda p: by_path[p].label,
    )
    across = option(
        columns.selectbox,
        "Across",
        [p for p in paths if p != down],
        "depth.sheet.across",
        format_func=lambda p: by_path[p].label,
    )
    labelled = compute.labelled(data)
    criteria = {c.words: name for name, c in CRITERIA.items()} if labelled else {}
    if labelled and data.task == "classification":
        criteria[_SVM] = "svm"
    words = option(
        judged.selectbox, "Framed by", list(criteria) or ["nothing: the data has no labels"], "depth.sheet.criterion"
    )
    with more:
        common = switch("One colour scale", False, "depth.sheet.common", help="Otherwise each picture has its own.")
    first, second = by_path[down], by_path[across]
    values = (_values(data, base, first), _values(data, base, second))
    kernels = {(a, b): with_value(first.at(a), across.split(".")[1:], b) for a in values[0] for b in values[1]}
    job = None
    if criteria.get(words) == "svm":
        job = _svm(data, kernel, Axis(down, values[0]), Axis(across, values[1]))
    _arriving(data, kernels, (first, second), values, criteria.get(words, "squared"), common, job)


def _values(data: Dataset, base: Kernel, number: TunableParameter) -> tuple[Any, ...]:
    """Return six values over the parameter's range, around the value that the rows suggest."""
    anchor = compute.heuristics(data, base).get(number.place.parameter.name)
    grid = number.values(anchor, _POINTS)
    if number.place.parameter.name == "level":
        return tuple(grid[:_POINTS])
    places = np.unique(np.linspace(0, len(grid) - 1, _POINTS).round().astype(int))
    return tuple(grid[i] for i in places)


def _svm(data: Dataset, kernel: Kernel, first: Axis, second: Axis) -> Job:
    assert data.y is not None
    measure = suitable_measure(data.y, data.task or "auto")
    machine, protocol = halves_machine(measure), halves_protocol(data.groups is not None)
    spec = RunSpec("shown", kernel, machine, protocol, measure, first, second=second)
    job = registry().find(spec, data, session_id())
    if job is None or job.state == "stopped":
        job = registry().start(spec, data, session_id())
    return job


def _arriving(
    data: Dataset,
    kernels: dict[tuple[Any, Any], Kernel],
    pair: tuple[TunableParameter, TunableParameter],
    values: tuple[tuple[Any, ...], tuple[Any, ...]],
    criterion: str,
    common: bool,
    job: Job | None,
) -> None:
    """Draw the sheet, again and again until every cell is there."""
    shown = current().kernel
    wanted = (data.digest, tuple(map(repr, kernels.values())))
    cells = compute.frames(data, kernels, shown, "cells", wanted, criteria=True)

    def draw(known: tuple[Any, ...]) -> None:
        frames = known[0]
        sheet = sheet_of_frames(
            pair[0].label, values[0], pair[1].label, values[1], frames, "squared" if job is not None else criterion
        )
        going = False
        if job is not None:
            sheet, going = _judged(sheet, job)
        layout.figure(
            sheet_picture(sheet, common),
            "sheet.picture",
            name="sheet",
            on_press=partial(layout.adopt_pressed, list(kernels.values())),
            selection_mode="points",
        )
        left = [f"{sheet.missing} of {len(kernels)} cells still to compute"] if sheet.missing else []
        left += [f"{len(job.results):,} of {job.total:,} test errors"] if job is not None and going else []
        if left:
            st.caption(" · ".join(left))

    waiting.show(Together(cells, *filter(None, [job])), draw)


def _judged(sheet: Sheet, job: Job) -> tuple[Sheet, bool]:
    job.watch()
    drawn = curve(job.spec, list(job.results))
    return sheet.scored(drawn.mean, _SVM, drawn.best, drawn.not_worse), job.active
