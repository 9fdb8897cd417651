"""One row of a paper's table, opened on another page: *Choose* runs it again."""

from __future__ import annotations

from typing import Any

import streamlit as st

from kernlib import Kernel
from kernlib.data import CATALOGUE
from kernlib.experiments import REFERENCE
from kernlib.papers import Experiment, Row, Table, value_text
from pages.parts.inputs.controls import button, in_row, option
from pages.parts.session import state
from pages.parts.session.state import DataChoice, GivenRun, first_choice

#: Pages on which a row can be looked at.
_PAGES = (
    ("See", "see", "grid_on"),
    ("Depth", "depth", "layers"),
    ("Spectrum", "spectrum", "equalizer"),
    ("Choose", "choose", "show_chart"),
)


def choose(table: Table) -> None:
    """Draw a menu of the table's rows, and the pages on which the chosen row can be opened."""
    runs = {
        table.label(line): (experiment, row, line)
        for experiment, result in zip(table.experiments, table.results, strict=True)
        if isinstance(experiment, Experiment)
        for row, line in zip(experiment.rows, result["outcomes"], strict=True)
    }
    if not runs:
        return
    label = option(
        st.selectbox,
        "Open a row",
        [None, *runs],
        f"papers.row.{table.title}",
        format_func=lambda one: one or "Choose a row: open it on another page, Choose runs it again",
        label_visibility="collapsed",
        width=560,
    )
    if label in runs:
        with in_row():
            st.caption("Open it on", width="content")
            for name, view, icon in _PAGES:
                key = f"papers.open.{view}.{table.title}"
                button(name, key, _open, view, *runs[label], icon=f":material/{icon}:")


def _open(view: str, experiment: Experiment, row: Row, shipped: dict[str, Any]) -> None:
    """Show the experiment on a page: its data, the row's kernel with the values that most splits tuned, its run."""
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
    printed, ours = (
        value_text(shipped["published"], shipped["published_sd"]),
        value_text(shipped["ours"], shipped["sd"]),
    )
    title = f"[{experiment.paper}] {experiment.item}; {row.label}: printed {printed}, shipped {ours}"
    state.show(view, choice, kernel, GivenRun(spec, title))
