"""A paper's tables, claims and errata on the page, from the results that come with the library."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from kernlib import Kernel
from kernlib.data import CATALOGUE
from kernlib.experiments import REFERENCE
from kernlib.figures.papers import published_beside
from kernlib.papers import Experiment, Table, told
from kernlib.papers.claims import CLAIMS, ERRATA
from kernlib.papers.report import Result
from pages.parts import compute, layout, state
from pages.parts.inert import plain

__all__ = ["claims", "errata", "show"]

_ICONS = {
    "confirmed": ":material/check_circle:", "contradicted": ":material/cancel:", "weak": ":material/help:",
    "not testable here": ":material/block:",
}  # fmt: skip


def claims(paper: str, results: list[Result]) -> None:
    """The paper's claims, each with what the figures say of it."""
    for claim in CLAIMS:
        if claim.paper == paper:
            status, evidence = claim.judged(results)
            st.markdown(f"{_ICONS[status]} **{plain(claim.text)}** {status}. {plain(evidence)}")


def errata(paper: str) -> None:
    """Where the paper errs."""
    with st.expander("Where the paper errs", icon=":material/edit_note:"):
        for sentence in ERRATA[paper]:
            st.markdown(f"- {plain(sentence)}")


def show(table: Table) -> None:
    """A printed table beside ours, how it was measured, why figures differ, and its kernels to open."""
    st.subheader(plain(table.title), anchor=False)
    protocols = table.protocols
    if len(protocols) > 3:
        with st.expander("How each was measured"):
            for words in protocols:
                st.markdown(f"- {plain(words)}")
    else:
        for words in protocols:
            st.caption(plain(words))
    powers = [line for line in table.lines if line["label"].startswith("p = ") and ", " not in line["item"]]
    if len(powers) > 3:
        layout.figure(published_beside(powers, table.title), f"papers.{table.title}", name="published-beside")
    rows, columns, cells = table.crossed()
    if rows:
        st.dataframe(
            pd.DataFrame({column: [_cell(cells.get((row, column))) for row in rows] for column in columns}, index=rows),
            height="content",
            key=f"papers.crossed.{table.title}",
        )
        drawn = all(line["of"] == "drawn" for line in cells.values())
        what = "What comes out here; the paper draws it." if drawn else "Printed | here, and whether the two agree."
        st.caption(f"{what} All figures with n and spread stand below.")
        with st.expander("All figures"):
            _long(table)
    else:
        _long(table)
    for reason in table.reasons:
        st.caption(plain(reason))
    _open(table)


_MARKS = {"within": "✓", "outside": "✗", "no data": ""}


def _cell(line: dict[str, Any] | None) -> str:
    if line is None:
        return ""
    if line["of"] == "drawn":
        return told(line["ours"])
    return f"{told(line['published'])} | {told(line['ours'])} {_MARKS[line['verdict']]}"


def _long(table: Table) -> None:
    st.dataframe(
        pd.DataFrame(
            {
                "": table.label(line),
                "printed": told(line["published"], line["published_sd"]),
                "here": told(line["ours"], line["sd"]),
                "n": str(line["n"] or "–"),
                "verdict": "drawn" if line["of"] == "drawn" else line["verdict"],
            }
            for line in table.lines
        ),
        hide_index=True,
        height="content",
        key=f"papers.table.{table.title}",
    )


def _open(table: Table) -> None:
    found = {}
    for experiment, result in zip(table.experiments, table.results, strict=True):
        if isinstance(experiment, Experiment):
            for row, line in zip(experiment.rows, result["outcomes"], strict=True):
                if row.of != "leaky":
                    found[table.label(line)] = (experiment, row.at, line)
    if not found:
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        label = st.selectbox("Row", list(found), key=f"papers.row.{table.title}", width=260)
        if st.button("Open on Gram matrix", key=f"papers.open.{table.title}", icon=":material/grid_on:"):
            _go(*found[label])


def _go(experiment: Experiment, at: Any, line: dict[str, Any]) -> None:
    """Take the experiment's data and the row's kernel, as most splits tuned it, and turn to the Gram matrix."""
    spec = experiment.spec
    with layout.guarded():
        kernel: Kernel
        if at == REFERENCE and spec.reference is not None:
            kernel = spec.reference
        else:
            tuned = tuple((path, value) for path, value in line["chosen"][0][0]) if line["chosen"] else ()
            kernel, _ = spec.tuned(at, tuned)
        whole = dict(spec.parameters).get("n") == "all" or CATALOGUE[spec.data].kind == "sample"
        choice = state.first_choice(spec.data) if whole else state.DataChoice(spec.data, spec.parameters)
        compute.gram(choice.load(), kernel)
        state.choose_data(choice)
        state.adopt(kernel)
        st.switch_page("pages/views/gram.py")
