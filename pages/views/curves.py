"""Error curves: which value is best, and how sure can one be?"""

from __future__ import annotations

import streamlit as st

from kernlib.experiments import RunSpec
from pages.parts import compute, layout, run_report, state
from pages.parts.builder import chips
from pages.parts.jobs import Job, registry, session_id
from pages.parts.run_controls import run_controls

layout.heading(
    "Which value predicts best, and how sure is that?",
    "The rows are split again and again: the machine learns from one part and is tested on the other. Points arrive "
    "as they are computed.",
)
view = state.current_view()
data = view.data
if data.y is None:
    st.info("Error curves need labels; this data has none. Choose another data set on the left.")
    st.stop()

controls, chart = st.columns([1, 2], gap="large")
with controls:
    spec = run_controls(view)


def begin(spec: RunSpec) -> None:
    """Start this page's run, or go on with one that was stopped."""
    st.session_state["job"] = registry().start(spec, data, session_id())


def halt(job: Job) -> None:
    """Stop after the fold that is being computed."""
    job.stop.set()


def current_job(spec: RunSpec) -> Job | None:
    """The job on show: the one that is running, else the one for these controls."""
    job: Job | None = st.session_state.get("job")
    if job is not None and (job.spec == spec or job.active):
        return job
    return registry().find(spec, data, session_id())


job = current_job(spec)
with controls, layout.guarded():
    cost = compute.cost(data, view.kernel, spec)
    st.caption(f"{spec.protocol.describe(data.task or 'classification')} · {cost.words()}")
    if not cost.fits_memory:
        st.warning("This needs more memory than there is: choose a smaller sample or fewer values.")
    go, stop = st.columns(2)
    busy = job is not None and job.active
    go.button(
        "Go on" if job is not None and job.state == "stopped" else "Run",
        on_click=begin,
        args=(spec,),
        type="primary",
        icon=":material/play_arrow:",
        width="stretch",
        disabled=(busy and job.spec == spec) or not cost.fits_memory,
    )
    stop.button("Stop", on_click=halt, args=(job,), icon=":material/stop:", width="stretch", disabled=not busy)


@st.fragment(run_every=0.7)
def follow(job: Job) -> None:
    """Draw again while the run goes on; one last full run when it ends."""
    run_report.progress(job)
    run_report.chart(job, "curves.chart")
    if not job.active:
        st.rerun()


with chart, layout.guarded():
    if job is None:
        st.markdown(f"Ready to vary **{spec.axis.path.split('.')[-1] if spec.axis else ''}** in {chips(spec.kernel)}.")
        st.caption("Press **Run**: the curve appears at once and gets surer with every split.")
        run_report.kept_chart()
    elif job.active:
        follow(job)
    else:
        run_report.progress(job)
        drawn = run_report.chart(job, "curves.chart")
        run_report.sentences(job, drawn)
        run_report.details(job, drawn, view)
