"""Which value is best, and how sure can one be? Error curves, live, split by split."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from kernlib.data import Dataset
from kernlib.experiments import UPLOAD, Curve, RunSpec
from kernlib.figures.overview import what_if
from kernlib.overview.film import Frame
from kernlib.protocols import ClassTooSmall
from pages.parts.frame import layout, too_small, waiting
from pages.parts.frame.view import PageEnd, current_view
from pages.parts.inputs.builder import chips
from pages.parts.inputs.controls import switch
from pages.parts.inputs.plain import plain
from pages.parts.results import compute
from pages.parts.results.asking import Slices
from pages.parts.server.holder import deferred
from pages.parts.server.jobs import Job, registry, session_id
from pages.parts.server.limits import limits
from pages.parts.session import state
from pages.parts.session.polling import part_place
from pages.parts.session.value import current, data_set
from pages.views.choose import run_report
from pages.views.choose.run_controls import run_controls


def draw() -> None:
    """Draw the controls and the run that they describe, or a given one."""
    view = current_view("Error curves use all {n} rows")
    data = view.whole
    if data.y is None:
        st.info("Error curves need labels; this data has none. Choose another data set in the line.")
        raise PageEnd

    chart, controls = st.columns(layout.MAIN, gap="small")
    with controls:
        press = st.container()  # always in sight, however many controls follow
        given = current().run
        if given is not None:
            spec = given.spec
            data = view.whole if spec.data.startswith(UPLOAD) else data_set(spec.data, spec.parameters)
            view = replace(view, data=data, whole=data)
            run_report.described(given)
            st.button("Back to the controls", on_click=deferred(state.put, run=None), icon=":material/tune:")
        else:
            spec = run_controls(view)
            with st.popover("Open a run", icon=":material/folder_open:", type="tertiary"):
                run_report.opening()
        varied = {axis.path for axis in spec.axes}
        for known in () if given is not None else compute.from_rows(data, view.kernel):
            if known.path not in varied:
                st.caption(plain(str(known)))
                st.button(
                    "Learn it from each training part",
                    key=f"curves.learn.{known.path}",
                    on_click=deferred(state.adopt, known.learnt(view.kernel)),
                    icon=":material/school:",
                    type="tertiary",
                )
    job = current_job(data, spec)
    with controls, layout.guarded():
        try:
            cost = compute.cost(data, view.kernel, spec)
        except ClassTooSmall as small:
            too_small.ways_out(small, view, spec.protocol)
            raise PageEnd from None
        st.caption(f"{spec.protocol.describe(data.task or 'classification')} · {cost.words()}")
        if not cost.fits_memory:
            st.warning("This needs more memory than available: choose a smaller sample or fewer values.")
        live = given is None and switch(
            "Follow the sliders",
            True,
            "curves.live",
            help=f"A run estimated at less than {limits().run:g} seconds starts automatically after every change. A "
            "longer run waits for *Run*.",
        )
        if live and cost.fits_memory and cost.seconds < limits().run and may_begin(job, spec):
            begin(data, spec, unasked=True)
            job = current_job(data, spec)
        go, stop = press.columns(2)
        go.button(
            "Resume" if job is not None and job.state == "stopped" else "Run",
            on_click=deferred(begin, data, spec),
            type="primary",
            icon=":material/play_arrow:",
            width="stretch",
            disabled=(job is not None and job.active and job.spec == spec) or not cost.fits_memory,
        )
        with stop:
            waiting.stop_button(job, None, width="stretch")
    drawn = None
    with chart, layout.guarded():
        if job is None:
            before_a_run(data, spec)
        elif waiting.ended(job, partial(so_far, data, job, complete=False)):
            with part_place():
                drawn = so_far(data, job, complete=True)
            if drawn is not None:
                run_report.sentences(job, drawn, data)
    # Over the whole page: three pictures side by side need its width.
    if job is not None and drawn is not None:
        with layout.guarded():
            run_report.details(job, drawn, view)


def begin(data: Dataset, spec: RunSpec, unasked: bool = False) -> None:
    """Start this page's run, or continue one that was stopped."""
    state.put(job=registry().start(spec, data, session_id()), unasked=unasked)


def current_job(data: Dataset, spec: RunSpec) -> Job | None:
    """Return the job on show: the one that is running, else the one for these controls."""
    job = current().job
    if job is not None and (job.spec == spec or job.active):
        return job
    return registry().find(spec, data, session_id())


def may_begin(job: Job | None, spec: RunSpec) -> bool:
    """Return whether a run may start by itself: nothing is known of it, and none that was asked for goes on."""
    if job is None:
        return True
    return job.spec != spec and current().unasked


def quick_values(data: Dataset, spec: RunSpec) -> tuple[Any, ...]:
    """Return the values that a quick look can tell something of: parameters of the kernel, one at a time."""
    if spec.axis is None or spec.second is not None or not spec.axis.path.startswith("kernel.") or data.n > 1000:
        return ()
    values = spec.axis.values
    return values if all(isinstance(v, int | float) for v in values) else ()


def quick_frames(data: Dataset, spec: RunSpec) -> Slices[Any, Frame]:
    """Return the frames by value, to be asked for."""
    return compute.frames(compute.in_view(data), {v: spec.at(v)[0] for v in quick_values(data, spec)})


def quick_look(data: Dataset, spec: RunSpec, known: dict[Any, Frame]) -> None:
    """Draw the errors on five halves in the place of the measured points."""
    values = quick_values(data, spec)
    if not values or spec.axis is None:
        return
    errors = [known[v].errors if v in known else None for v in values]
    log = len(values) > 2 and values[0] > 0 and values[-1] > 50 * values[0]
    fig = what_if(values, errors, spec.axis.path.split(".")[-1], log=log, height=470, pressed=False)
    layout.figure(fig, "curves.quick", fill="controls", name="quick-errors")


def before_a_run(data: Dataset, spec: RunSpec) -> None:
    """Draw what a run would measure, and the errors on five halves, again until all are known.

    Words and figure stand where a run has its own: *Run* replaces them, and nothing below them jumps.
    """

    def draw(known: dict[Any, Frame]) -> None:
        with st.container(key="outcome"):
            name = f"values of **{spec.axis.path.split('.')[-1]}** in " if spec.axis else ""
            st.markdown(
                f"Quick estimates for {name}{chips(spec.kernel)}. **Run** measures on test rows, more precisely with "
                "every split."
                if quick_values(data, spec)
                else f"**Run** tests {name}{chips(spec.kernel)}; the first point appears after the first split."
            )
        quick_look(data, spec, known)

    waiting.show(quick_frames(data, spec), draw)


def so_far(data: Dataset, job: Job, complete: bool) -> Curve | None:
    """Draw the curve of a run, or the quick look until its first points are measured; return the curve."""
    outcome, drawn = st.container(key="outcome"), None  # the progress, then the verdict: the chart keeps its place
    few = len(job.results) < min(len(job.spec.values), 4)
    if not job.results or (few and not complete):
        quick = quick_frames(data, job.spec)
        quick.work(limits().slice)
        quick_look(data, job.spec, quick.value())
    if complete or not few:
        drawn = run_report.chart(job, "curves.chart", data)
    with outcome:
        if not complete:
            waiting.progress(job)
        elif drawn is not None:
            run_report.verdict(job, drawn, data)
    if complete:
        run_report.end_early(job)
    return drawn
