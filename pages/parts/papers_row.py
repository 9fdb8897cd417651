"""One row of a paper's table: run again on the spot, or opened on the other pages."""

from __future__ import annotations

from typing import Any

import streamlit as st

from kernlib import Kernel
from kernlib.data import CATALOGUE
from kernlib.experiments import REFERENCE, RunSpec
from kernlib.papers import Exact, Experiment, Outcome, Row, Table, compared, outcomes, told
from pages.parts import compute, layout, state
from pages.parts.inert import plain
from pages.parts.jobs import Job, registry, session_id
from pages.parts.run_report import progress

__all__ = ["choose"]

#: Pages on which a row can be looked at.
_PAGES = (
    ("Gram matrix", "gram", "grid_on"), ("Depth", "depth", "layers"), ("Spectrum", "spectrum", "equalizer"),
    ("Error curves", "curves", "show_chart"),
)  # fmt: skip

Chosen = tuple[Experiment, Row, dict[str, Any]]


def choose(table: Table) -> None:
    """A menu of the table's rows; the chosen one can be run here or opened elsewhere."""
    runs: dict[str, Chosen] = {}
    formulas: dict[str, tuple[Exact, int, dict[str, Any]]] = {}
    for experiment, result in zip(table.experiments, table.results, strict=True):
        for number, line in enumerate(result["outcomes"]):
            if isinstance(experiment, Experiment):
                runs[table.label(line)] = (experiment, experiment.rows[number], line)
            elif isinstance(experiment, Exact):
                formulas[table.label(line)] = (experiment, number, line)
    if not runs and not formulas:
        return
    label = st.selectbox(
        "Run a row again, or open it",
        [*runs, *formulas],
        index=None,
        placeholder="Choose a row: run it again here, or open it on another page",
        key=f"papers.row.{table.title}",
        label_visibility="collapsed",
        width=560,
    )
    with layout.guarded(), st.container(border=True) if label else st.empty():
        if label in runs:
            _run(table.title, *runs[label])
            _open(table.title, *runs[label])
        elif label in formulas:
            _formula(*formulas[label])


def _formula(experiment: Exact, number: int, shipped: dict[str, Any]) -> None:
    """A value that needs no splits is computed on the spot."""
    now = outcomes(experiment)[number]
    st.markdown(f"**{plain(experiment.title)}: {plain(now.label)}**, computed just now, without splits.")
    _beside(now, shipped, "computed now")


def _run(title: str, experiment: Experiment, row: Row, shipped: dict[str, Any]) -> None:
    """How long it takes, a button, and what comes out beside what is shipped."""
    st.markdown(f"**{plain(experiment.title)}: {plain(row.label)}**")
    few = experiment.only(row, few=True)
    whole = experiment.only(row)
    wanted = whole
    if few.spec != whole.spec:
        names = {"few": f"First {few.spec.splits} splits", "all": f"All {_splits(experiment)} splits"}
        chosen = st.segmented_control(
            "Splits", list(names), default="few", key=f"papers.splits.{title}", format_func=lambda n: names[n],
            label_visibility="collapsed",
        )  # fmt: skip
        wanted = whole if chosen == "all" else few
    spec = wanted.spec
    data = compute.data_set(spec.data, spec.parameters)
    cost = compute.cost(data, spec.kernel, spec)
    job = registry().find(spec, data, session_id())
    if job is not None and job.active:
        _follow(job, title, wanted, shipped)
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Go on" if job is not None and job.state == "stopped" else "Run it again here",
            key=f"papers.run.{title}",
            on_click=_start,
            args=(spec,),
            icon=":material/play_arrow:",
            type="primary",
            disabled=not cost.fits_memory or (job is not None and job.state == "done"),
        )
        st.caption(cost.words() if cost.fits_memory else "This needs more memory than there is.")
    if job is not None:
        progress(job)
        _result(job, wanted, shipped, whole.spec)


def _splits(experiment: Experiment) -> int:
    """As many as there are: published splits tell their number with the data."""
    spec = experiment.spec
    known = len(compute.data_set(spec.data, spec.parameters).splits)
    return min(spec.splits, known) if known and "most" in repr(spec.protocol) else spec.splits


def _start(spec: RunSpec) -> None:
    registry().start(spec, compute.data_set(spec.data, spec.parameters), session_id())


@st.fragment(run_every=0.7)
def _follow(job: Job, title: str, wanted: Experiment, shipped: dict[str, Any]) -> None:
    progress(job)
    st.button("Stop", key=f"papers.stop.{title}", on_click=job.stop.set, icon=":material/stop:")
    if job.results:
        _result(job, wanted, shipped, None)
    if not job.active:
        st.rerun()


def _result(job: Job, wanted: Experiment, shipped: dict[str, Any], whole: RunSpec | None) -> None:
    results = list(job.results)
    if not results:
        return
    now = compared(wanted, wanted.spec, results)[0]
    _beside(now, shipped, "run now")
    problem = next((r.problem for r in results if r.problem), "")
    if problem:
        st.warning(plain(problem))
    if whole is not None and (job.state != "done" or whole != wanted.spec):
        st.caption("Few splits: the first of those behind the shipped number, too few for a verdict of weight.")
    elif whole is not None and shipped["ours"] is not None:
        same = abs(now.ours - shipped["ours"]) <= 1e-6 * abs(shipped["ours"])
        st.caption("The same number as the shipped one." if same else "Not the shipped number to six digits.")


def _beside(now: Outcome, shipped: dict[str, Any], words: str) -> None:
    layout.numbers(
        ("printed", told(shipped["published"], shipped["published_sd"]), "As the paper prints it"),
        ("shipped", told(shipped["ours"], shipped["sd"]), f"From {shipped['n']} splits, with the library"),
        (words, told(now.ours, now.sd), f"From {now.n} splits, just now"),
        ("verdict", "drawn" if now.of == "drawn" else now.verdict, "What just came out, by the rule of this page"),
        width=250,
    )


def _open(title: str, experiment: Experiment, row: Row, shipped: dict[str, Any]) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption("Open it on", width="content")
        for name, view, icon in _PAGES:
            if st.button(name, key=f"papers.open.{view}.{title}", icon=f":material/{icon}:"):
                _go(view, experiment, row, shipped)


def _go(view: str, experiment: Experiment, row: Row, shipped: dict[str, Any]) -> None:
    """The app becomes the experiment: its data, the row's kernel as most splits tuned it, its run."""
    spec = experiment.spec
    kernel: Kernel
    if row.at == REFERENCE and spec.reference is not None:
        kernel = spec.reference
    else:
        tuned = tuple((path, value) for path, value in shipped["chosen"][0][0]) if shipped["chosen"] else ()
        kernel, _ = spec.tuned(row.at, tuned)
    # Pages draw a sample of a large data set; the run itself keeps all of its rows.
    whole = dict(spec.parameters).get("n") == "all" or CATALOGUE[spec.data].kind == "sample"
    choice = state.first_choice(spec.data) if whole else state.DataChoice(spec.data, spec.parameters)
    compute.gram(choice.load(), kernel)
    state.choose_data(choice)
    state.adopt(kernel)
    state.give_run(spec, f"[{experiment.paper}] {experiment.item}")
    st.switch_page(f"pages/views/{view}.py")
