"""Choose, *Which value?*: the error over the values of a parameter, split by split, and the value to take."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernlib import Kernel
from kernlib.data import Dataset
from kernlib.experiments import UPLOAD, Curve, RunSpec, curve, guess_of, recommendation_in_words, value_to_take
from kernlib.figures import curves as figures
from kernlib.protocols import HALVES, ClassTooSmall, halves_protocol, suitable_measure
from kernlib.values.words import value_in_words
from pages.parts.frame import layout, waiting
from pages.parts.frame.waiting import PageEnd, View, current_view
from pages.parts.inputs.controls import button, plain
from pages.parts.results import compute
from pages.parts.server.jobs import Job, find_run, is_large, limits, start_run
from pages.parts.server.runs import deferred, part_place
from pages.parts.session import state
from pages.parts.session.state import current, data_set, is_current, machine_of, take_machine
from pages.views.choose import value_evidence
from pages.views.choose.value_settings import run_settings


def draw(sentence: DeltaGenerator, row: DeltaGenerator) -> None:
    """Draw the recommendation, the settings in a row, the curve, what to take away, and the drawer."""
    view = current_view("Error curves use all {n} rows")
    if not compute.labelled(view.whole):
        st.info(compute.UNLABELLED)
        raise PageEnd
    given = current().run
    with row:
        if given is None:
            spec = run_settings(view, value_evidence.opening)
        else:
            spec = given.spec
            data = view.whole if spec.data.startswith(UPLOAD) else data_set(spec.data, spec.parameters)
            view = replace(view, data=data, whole=data)
            with st.popover("Settings", icon=":material/tune:", type="tertiary"):
                value_evidence.described(given)
            st.button("My own settings", on_click=deferred(state.put, run=None), icon=":material/close:")
        buttons = st.container(horizontal=True, width="content")
    data = view.whole
    job = _started(view, spec, unasked=given is None)
    with buttons:
        _run_buttons(data, spec, job)
    if job is None:
        name = f"values of {spec.axis.path.split('.')[-1]}" if spec.axis else "this kernel"
        layout.sentence(f"Run measures {name}: {spec.protocol.describe(data.task or 'classification')}.", sentence)
        return
    drawn = None
    with sentence:
        words = st.empty()
    if job.active:  # once: a tick draws nothing outside its own part
        words.subheader("Measuring: what is drawn so far is preliminary.", anchor=False)

    def so_far(_: object) -> None:
        if job.results:
            _chart(job, data, complete=False)
        waiting.progress(job)

    with layout.guarded():
        if waiting.show(job, meanwhile=so_far):
            with part_place():
                drawn = _chart(job, data, complete=True)
            found = recommendation_in_words(job.spec, drawn, data.y)
            layout.sentence(found or "No split was measured.", words.container())
    waiting.early_end(job, f"Stopped after {len(job.results):,} of {job.total:,} points. *Resume* continues from here.")
    if drawn is not None and drawn.best is not None:
        with layout.guarded():
            _next_step(job, drawn, view)
            value_evidence.draw(job, drawn, view)


def _started(view: View, spec: RunSpec, unasked: bool) -> Job | None:
    """Return the job on show, begun by itself where a person asked for no other and it takes no longer than a run may.

    Where a class has too few rows for the splits, the page ends with the sentence that names it.
    """
    data = view.whole
    try:
        cost = compute.cost(spec, data)
    except ClassTooSmall as small:
        st.warning(plain(small), icon=":material/call_split:")
        raise PageEnd from None
    if not cost.fits_memory:
        st.warning("This needs more memory than available: choose a smaller sample or fewer values.")
        raise PageEnd
    job = _current_job(data, spec)
    if unasked and cost.seconds < limits().run and (job is None or (job.spec != spec and current().unasked)):
        _begin(data, spec, unasked=True)
        job = _current_job(data, spec)
    if job is None:
        st.caption(f"{spec.protocol.describe(data.task or 'classification')} · {cost.words()}")
    return job


def _begin(data: Dataset, spec: RunSpec, unasked: bool = False) -> None:
    """Start this page's run, or continue one that was stopped."""
    state.put(job=start_run(spec, data), unasked=unasked)


def _current_job(data: Dataset, spec: RunSpec) -> Job | None:
    """Return the job on show: the one that is running, else the one for these settings."""
    job = current().job
    if job is not None and (job.spec == spec or job.active):
        return job
    return find_run(spec, data)


def _run_buttons(data: Dataset, spec: RunSpec, job: Job | None) -> None:
    """Draw the button that starts the run, where it has not started; while it is measured, the one that stops it."""
    if job is not None and job.active:
        waiting.stop_button(job, "choose.value.stop")
    elif job is None or job.state == "stopped" or job.spec != spec:
        button(
            "Resume" if job is not None and job.state == "stopped" else "Run",
            "choose.value.run",
            _begin,
            data,
            spec,
            type="primary",
            icon=":material/play_arrow:",
        )


def _chart(job: Job, data: Dataset, complete: bool) -> Curve:
    """Draw the curve, or the map of two parameters; return the curve."""
    spec, results = job.spec, list(job.results)
    drawn = curve(spec, results, label="test rows")
    taken = value_to_take(spec, drawn) if complete else None
    if spec.second is not None:
        fig = figures.score_map(drawn, taken)
    else:
        fig = figures.error_curve(drawn, value_evidence.beside(spec, drawn, results), guess_of(spec, data.y), taken)
    over = f" over {drawn.axis.partition(' of ')[0]}" if drawn.axis else ""
    title = f"Error{over}: {spec.protocol.describe(data.task or 'classification')}"
    if _as_on_all_pages(spec, data):
        title += f"; See has the first {HALVES} of them"
    # A figure that takes clicks is a new one with every point, and would blink.
    press = partial(layout.adopt_pressed, _kernels(spec, drawn)) if complete else None
    layout.panel(title, fig, "value.error-curve", data=drawn.to_frame, fill="controls", on_press=press)
    return drawn


def _as_on_all_pages(spec: RunSpec, data: Dataset) -> bool:
    """Return whether the run continues the halves of all pages, with their machine and measure."""
    other = spec.tuning or spec.protocol.count <= HALVES or is_large(data) or any(axis.outside for axis in spec.axes)
    if data.y is None or other or spec.measure != suitable_measure(data.y, data.task or "auto"):
        return False
    halves = halves_protocol(data.groups is not None, spec.protocol.count)
    return (spec.protocol, spec.machine) == (halves, machine_of(data))


def _kernels(spec: RunSpec, drawn: Curve) -> list[Kernel]:
    """Return the kernel of each value for clicks on a curve or a map, where a parameter of the kernel is varied."""
    if not any(axis.path.startswith("kernel") for axis in spec.axes):
        return []
    kernels = [spec.at(v)[0] for v in drawn.values]
    return [] if any(map(_flatters, kernels)) else kernels


def _flatters(kernel: Kernel) -> bool:
    """Return whether a picture of these rows would be optimistic."""
    return any(part.flatters for part in kernel.walk())


def _next_step(job: Job, drawn: Curve, view: View) -> None:
    """Draw the one next step, take the recommended value, and that kernel as a script and in a report."""
    chosen = value_evidence.run_of_choice(job.spec, drawn)
    varied = {axis.path.partition(".")[0] for axis in job.spec.axes}
    label, take, same = "Use this kernel", partial(state.adopt, chosen.kernel), is_current(chosen.kernel)
    if varied == {"machine"}:
        names = [axis.path.partition(".")[2] for axis in job.spec.axes]
        values = {name: getattr(chosen.machine, name) for name in names}
        now = machine_of(view.whole)
        same = type(now) is type(chosen.machine) and all(getattr(now, name) == values[name] for name in names)
        label = "Use " + ", ".join(f"{name} = {value_in_words(value)}" for name, value in values.items())
        take = partial(take_machine, chosen.machine, view.whole, names)
    with st.container(horizontal=True):
        button(
            label,
            "choose.value.use",
            take,
            type="primary",
            icon=":material/check:",
            disabled=same or _flatters(chosen.kernel),
        )
        value_evidence.take_away(job, drawn, chosen, view)
