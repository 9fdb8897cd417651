"""Error curves: which value is best, and how sure can one be?"""

from __future__ import annotations

import math

import pandas as pd
import streamlit as st

from kernlib.experiments import Axis, Curve, RunSpec, curve
from kernlib.figures import curves as figures
from kernlib.machines import MACHINES
from kernlib.measures import MEASURES
from kernlib.protocols import PROTOCOLS
from pages.parts import layout, state
from pages.parts.axes import choices
from pages.parts.builder import chips
from pages.parts.chain import take_apart
from pages.parts.jobs import Job, registry
from pages.parts.presets import default_machine
from pages.parts.widgets import parameter_widget

layout.heading(
    "Which value predicts best, and how sure is that?",
    "The rows are split again and again: the machine learns from one part and is tested on the other. Points arrive "
    "as they are computed.",
)
view = state.current_view()
data, kernel = view.data, view.kernel
if data.y is None:
    st.info("Error curves need labels; this data has none. Choose another data set on the left.")
    st.stop()
task = data.task or "classification"

controls, chart = st.columns([1, 2], gap="large")
with controls:
    machines = [m for m in MACHINES if task in m.task]
    proposed = default_machine(data)
    names = [m.__name__ for m in machines]
    start = names.index(type(proposed).__name__) if type(proposed).__name__ in names else 0
    name = st.selectbox(
        "Machine",
        names,
        index=start,
        key=f"curves.machine.{task}",
        persist_state="session",
        format_func=lambda n: next(m.label for m in machines if m.__name__ == n),
    )
    cls = machines[names.index(name)]
    origin = proposed if name == type(proposed).__name__ else cls()
    machine = cls(
        **{
            p.name: parameter_widget(p, getattr(origin, p.name), f"curves.{data.domain}.{name}.{p.name}")
            for p in cls.parameters()
        }
    )
    menu = choices(kernel, machine)
    labels = [c.label for c in menu]
    label = st.selectbox("Vary", labels, key=f"curves.axis.{data.domain}", persist_state="session")
    choice = menu[labels.index(label)] if label in labels else menu[0]
    grid = choice.grid()
    if len(grid) > 2:
        low, high = st.select_slider(
            "from … to",
            grid,
            (grid[0], grid[-1]),
            key=f"curves.range.{choice.label}.{len(grid)}",
            format_func=lambda v: "∞" if v == math.inf else f"{v:g}",
        )
        grid = tuple(v for v in grid if low <= v <= high)
    measures = [m for m in MEASURES.values() if m.task == task and not (m.two_classes_only and len(data.classes) > 2)]
    measure = st.selectbox(
        "Measure",
        [m.name for m in measures],
        key=f"curves.measure.{task}.{len(data.classes) > 2}",
        persist_state="session",
        format_func=lambda n: MEASURES[n].label,
        help="\n\n".join(f"**{m.label}**: {m.help}" for m in measures),
    )
    with st.expander("Protocol"):
        kind = st.selectbox(
            "How rows are split",
            [p.__name__ for p in PROTOCOLS[:2]],
            key="curves.protocol",
            persist_state="session",
            format_func=lambda n: next(p.label for p in PROTOCOLS if p.__name__ == n),
        )
        protocol_class = next(p for p in PROTOCOLS if p.__name__ == kind)
        protocol = protocol_class(
            **{p.name: parameter_widget(p, p.default, f"curves.{kind}.{p.name}") for p in protocol_class.parameters()}
        )
    against = take_apart(kernel)[0]
    reference = against.cls(**against.values, **against.fixed)
    with_reference = st.toggle(
        "Base kernel as reference",
        reference != kernel or choice.kernel != kernel,
        key=f"curves.reference.{data.domain}",
        persist_state="session",
        help=f"{' → '.join(reference.chain())} on the same splits, without any step.",
    )

with layout.guarded():
    spec = RunSpec(
        view.choice.name,
        choice.kernel,
        machine,
        protocol,
        measure,
        Axis(choice.place.path, grid),
        reference if with_reference else None,
        view.choice.parameters,
    )


def begin() -> None:
    """Start this page's run, or go on with one that was stopped."""
    session = state.session_id()
    st.session_state["job"] = registry().start(spec, data, session)


def halt() -> None:
    """Stop after the fold that is being computed."""
    job: Job | None = st.session_state.get("job")
    if job is not None:
        job.stop.set()


def keep(job: Job, drawn: Curve) -> None:
    """Lay this curve under the next ones."""
    kept: list[Curve] = state.remember("curves.kept", [])
    kept[:] = [*kept[-3:], drawn]


job: Job | None = st.session_state.get("job")
if job is not None and job.spec != spec and not job.active:
    job = None
running = job is not None and job.active

with controls:
    st.caption(
        f"{protocol.describe(task)} · {len(spec.values) * protocol.count + (protocol.count if with_reference else 0)} fits"
    )
    go, stop = st.columns(2)
    go.button(
        "Run",
        on_click=begin,
        type="primary",
        icon=":material/play_arrow:",
        width="stretch",
        disabled=running and job is not None and job.spec == spec,
    )
    stop.button("Stop", on_click=halt, icon=":material/stop:", width="stretch", disabled=not running)


def draw(job: Job | None) -> None:
    """The chart with what has come so far."""
    kept: list[Curve] = state.remember("curves.kept", [])
    if job is None:
        st.markdown(f"Ready to vary **{choice.label}** for {chips(choice.kernel)}. Press **Run**.")
        if kept:
            layout.figure(figures.error_curve(kept), "curves.kept-chart", name="error-curves")
        return
    job.watch()
    done = len(job.results)
    if job.active:
        before = registry().waiting_before(job)
        words = f"waiting, {before} before this one" if job.state == "waiting" else f"{done} of {job.total} fits"
        st.progress(min(1.0, done / max(1, job.total)), text=words)
    drawn = curve(job.spec, list(job.results), label=" → ".join(job.spec.kernel.chain()))
    if job.state == "failed":
        st.error(job.problem)
    if done:
        style = "line"
        layout.figure(
            figures.error_curve([*kept, drawn], style=style),
            "curves.chart",
            name="error-curve",
            data=lambda: pd.DataFrame(drawn.scores, index=list(drawn.values)).reset_index(names=drawn.axis),
        )
    if not job.active:
        report(job, drawn)


def report(job: Job, drawn: Curve) -> None:
    """What the finished curve says, in sentences."""
    if job.state == "stopped":
        st.info(f"Stopped after {len(job.results)} of {job.total} fits. Run goes on from here.")
    if drawn.best is not None:
        mean, value = drawn.mean[drawn.best], drawn.values[drawn.best]
        tied = [f"{drawn.values[i]:g}" for i in sorted(drawn.not_worse) if i != drawn.best]
        also = f" Not separable from it (corrected paired t, 5 %): {', '.join(tied)}." if tied else ""
        st.markdown(
            f"Best: **{drawn.axis} = {value:g}** with {drawn.measure} {mean:.3f} ± {drawn.spread[drawn.best]:.3f}.{also}"
        )
    for problem in drawn.problems[:3]:
        st.warning(problem)
    if job.spec.kernel.transductive:
        st.info("Transductive: the kernel has seen the test rows, without their labels.")
    left, right, _ = st.columns([1, 1, 1])
    if drawn.best is not None and job.spec.axis and job.spec.axis.path.startswith("kernel."):
        best_kernel, _machine = job.spec.at(drawn.values[drawn.best])
        left.button("Use the best value", on_click=state.adopt, args=(best_kernel,), width="stretch")
    right.button("Keep for comparison", on_click=keep, args=(job, drawn), width="stretch")
    st.caption(f"{len(job.results)} fits in {job.seconds:.1f} s · {job.spec.protocol.describe(task)}")


@st.fragment(run_every=0.7)
def follow(job: Job) -> None:
    """Draw again while the run goes on; one last full run when it ends."""
    draw(job)
    if not job.active:
        st.rerun()


with chart, layout.guarded():
    if running and job is not None:
        follow(job)
    else:
        draw(job)
