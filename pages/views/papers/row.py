"""One row of a paper's table: run again on this page, or open on another page."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import streamlit as st

from kernlib import Kernel
from kernlib.data import CATALOGUE
from kernlib.experiments import REFERENCE
from kernlib.papers import Experiment, Row, Table, compared, value_text
from pages.parts.frame import layout, waiting
from pages.parts.inputs.controls import button, in_row, option, plain
from pages.parts.results import compute
from pages.parts.server.jobs import Job, find_run, start_run
from pages.parts.session import state
from pages.parts.session.state import DataChoice, GivenRun, data_set, first_choice

#: Pages on which a row can be looked at.
_PAGES = (
    ("See", "see", "grid_on"),
    ("Depth", "depth", "layers"),
    ("Spectrum", "spectrum", "equalizer"),
    ("Choose", "choose", "show_chart"),
)


@dataclass(frozen=True)
class Chosen:
    """A row of a paper's table, and what the library ships of it; `title` of the table."""

    title: str
    experiment: Experiment
    row: Row
    shipped: dict[str, Any]

    @cached_property
    def alone(self) -> Experiment:
        """Return the experiment of this row alone."""
        return self.experiment.only(self.row)


def choose(table: Table) -> None:
    """Show a menu of the table's rows; run the chosen row here or open it on another page."""
    runs = {
        table.label(line): Chosen(table.title, experiment, row, line)
        for experiment, result in zip(table.experiments, table.results, strict=True)
        if isinstance(experiment, Experiment)
        for row, line in zip(experiment.rows, result["outcomes"], strict=True)
    }
    if not runs:
        return
    label = option(
        st.selectbox,
        "Run a row again, or open it",
        [None, *runs],
        f"papers.row.{table.title}",
        format_func=lambda one: one or "Choose a row: run it again here, or open it on another page",
        label_visibility="collapsed",
        width=560,
    )
    with layout.guarded(), st.container(border=True) if label else st.empty():
        if label in runs:
            _run(chosen := runs[label])
            with in_row():
                st.caption("Open it on", width="content")
                for name, view, icon in _PAGES:
                    key = f"papers.open.{view}.{table.title}"
                    button(name, key, _open, view, chosen, icon=f":material/{icon}:")


def _run(chosen: Chosen) -> None:
    """Show the cost of a run, its button, and its result next to the shipped one."""
    st.markdown(f"**{plain(chosen.experiment.title)}: {plain(chosen.row.label)}**")
    spec = chosen.alone.spec
    data = data_set(spec.data, spec.parameters)
    cost = compute.cost(spec, data)
    job = find_run(spec, data)
    if job is not None:

        def so_far(_: object) -> None:
            waiting.progress(job)
            waiting.stop_button(job, f"papers.stop.{chosen.title}")
            _result(job, chosen)

        if not waiting.show(job, meanwhile=so_far):
            return
    with in_row():
        button(
            "Resume" if job is not None and job.state == "stopped" else "Run it again here",
            f"papers.run.{chosen.title}",
            start_run,
            spec,
            data,
            icon=":material/play_arrow:",
            type="primary",
            disabled=not cost.fits_memory or (job is not None and job.state == "done"),
        )
        st.caption(cost.words() if cost.fits_memory else "This needs more memory than available.")
    if job is not None:
        waiting.progress(job)
        _result(job, chosen, ended=True)


def _result(job: Job, chosen: Chosen, ended: bool = False) -> None:
    results, shipped = list(job.results), chosen.shipped
    if not results:
        return
    now = compared(chosen.alone, chosen.alone.spec, results)[0]
    verdict = "drawn" if now["of"] == "drawn" else now["verdict"]
    layout.numbers(
        ("printed", value_text(shipped["published"], shipped["published_sd"]), "From the paper"),
        ("shipped", value_text(shipped["ours"], shipped["sd"]), f"From {shipped['n']} splits, with the library"),
        ("run now", value_text(now["ours"], now["sd"]), f"From {now['n']} splits, run now"),
        ("verdict", verdict, "Of the new result, by the rule of this page"),
        width=250,
    )
    problem = next((r.problem for r in results if r.problem), "")
    if problem:
        st.warning(plain(problem))
    if ended and job.state != "done":
        st.caption("Only some of the splits behind the shipped number: too few for a reliable verdict.")
    elif ended and shipped["ours"] is not None:
        same = abs(now["ours"] - shipped["ours"]) <= 1e-6 * abs(shipped["ours"])
        st.caption(
            "Equal to the shipped number." if same else "Differs from the shipped number in the first six digits."
        )


def _open(view: str, chosen: Chosen) -> None:
    """Show the experiment on a page: its data, the row's kernel with the values that most splits tuned, its run."""
    experiment, row, shipped = chosen.experiment, chosen.row, chosen.shipped
    spec = experiment.spec
    kernel: Kernel
    if row.at == REFERENCE and spec.reference is not None:
        kernel = spec.reference
    else:
        tuned = tuple((path, value) for path, value in shipped["chosen"][0][0]) if shipped["chosen"] else ()
        kernel, _ = spec.tuned(row.at, tuned)
    # Pages draw a sample of a large data set; the run itself keeps all of its rows.
    whole = dict(spec.parameters).get("n") == "all" or CATALOGUE[spec.data].kind == "sample"
    choice = first_choice(spec.data) if whole else DataChoice(spec.data, spec.parameters)
    state.show(view, choice, kernel, GivenRun(spec, f"[{experiment.paper}] {experiment.item}"))
