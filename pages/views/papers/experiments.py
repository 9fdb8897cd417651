"""A paper's tables, figures, claims and errata on the page, from the results shipped with the library."""

from __future__ import annotations

from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from kernlib import Diffusion
from kernlib.analysis import deep_recipe
from kernlib.figures import papers as figures
from kernlib.figures.depth import level_strip
from kernlib.figures.gram import small_picture
from kernlib.papers import Table, printed_n, value_text
from kernlib.papers.claims import ERRATA, claims
from kernlib.papers.report import gains, moves, ways
from pages.parts.frame import layout
from pages.parts.inputs.controls import plain
from pages.parts.results import compute, levels
from pages.parts.session.state import data_set
from pages.views.papers import row

_ICONS = {
    "confirmed": ":material/check_circle:",
    "contradicted": ":material/cancel:",
    "weak": ":material/help:",
    "not testable here": ":material/block:",
}


def checklist(paper: str) -> None:
    """Show the paper's claims, each with its status and evidence."""
    st.markdown("**Claims and evidence**")
    for claim in claims():
        if claim["paper"] == paper:
            status, words = claim["status"], plain(claim["evidence"])
            st.markdown(f"{_ICONS[status]} **{plain(claim['text'])}** {status.capitalize()}. {words}")


def errata(paper: str, table: str) -> None:
    """Show the errors in a table of the paper, or with "" those in the paper as a whole."""
    for where, sentence in ERRATA[paper]:
        if where == table:
            st.caption(f":material/edit_note: Error in the source: {plain(sentence)}")


def show(paper: str, table: Table) -> None:
    """Show a printed table next to ours, its figure, the protocol, the reasons for differences, and rows to run."""
    st.subheader(plain(table.title), anchor=False)
    if not any(line["ours"] is not None for line in table.lines):
        reason = next(iter(table.reasons), "")
        with st.expander(f"{len(table.lines)} published values without comparison. {plain(reason)}"):
            _long(table)
        errata(paper, table.title)
        row.choose(table)
        return
    if table.remark:
        st.markdown(plain(table.remark))
    errata(paper, table.title)
    pictured = _picture(paper, table)
    rows, columns, cells = table.crossed()
    if rows:
        drawn = all(line["of"] == "drawn" for line in cells.values())
        st.dataframe(
            pd.DataFrame({column: [_cell(cells.get((row, column))) for row in rows] for column in columns}, index=rows),
            height="content",
            key=f"papers.crossed.{table.title}",
        )
        st.caption(
            "Our values; the paper prints no value."
            if drawn
            else "Printed | ours, ✓ where they agree. All numbers with n and spread are below."
        )
    with st.expander("All numbers, and the protocol", expanded=not (rows or pictured)):
        _long(table)
        for words in table.protocols:
            st.markdown(f"- {plain(words)}")
    for reason in table.reasons:
        st.caption(plain(reason))
    row.choose(table)


def _picture(paper: str, table: Table) -> bool:
    """Draw the paper's figure with our values; return whether there is one."""
    made = _drawn(paper, table)
    if made is not None:
        layout.figure(made, f"papers.{table.title}", name="published-beside")
    if (paper, table.title) == ("K", "Figure 3.6"):
        with layout.guarded():
            _matrices()
        return True
    return made is not None


def _drawn(paper: str, table: Table) -> go.Figure | None:
    powers = [line for line in table.lines if line["label"].startswith("p = ") and ", " not in line["item"]]
    if len(powers) > 3:
        return figures.published_beside(powers, table.title)
    title = table.title
    if (paper, title) == ("R", "Benchmark"):
        printed, ours = moves(table)
        return figures.noise_dimension_map(printed, ours=ours)
    if paper == "K" and title in _PRINTED_WORDS:
        return figures.level_gains(gains(table), _PRINTED_WORDS[title])
    if paper == "C" and title in ("Promoters", "GMonks A1", "GMonks D1"):
        return figures.three_ways(ways(table), title)
    return None


#: What the paper says about its bars.
_PRINTED_WORDS = {
    "Figure 3.1": "The paper: most bars are positive.",
    "Figure 3.2": "The paper draws bars for a range of β.",
    "Figure 3.3": "The paper draws bars for a range of β.",
    "Figure 3.4": "The paper: higher levels are often better, level 5 sometimes worse.",
    "Figure 3.5": "The paper: levels 1 to 4 are better than level 0.",
}


def _matrices() -> None:
    """Show the law firm's Gram matrices level by level, as the paper draws them."""
    data = data_set("lawyers", ())
    kernel = Diffusion(beta=0.1)
    matrices = levels.matrices(data, levels.Levels(deep_recipe(kernel), 5))
    order = compute.order(data, kernel, "class")
    layout.chart(level_strip([small_picture(one.K, order) for one in matrices]), "papers.levels", height=190)
    st.caption(
        "Gram matrices of the 36 partners, rows by class, each level on its own colour scale. According to the "
        "paper, level 0 is close to diagonal. Levels 1 and 2 are more informative, higher levels less again."
    )


_MARKS = {"within": "✓", "outside": "✗", "no data": ""}


def _cell(line: dict[str, Any] | None) -> str:
    if line is None:
        return ""
    if line["of"] == "drawn":
        return value_text(line["ours"])
    return f"{value_text(line['published'])} | {value_text(line['ours'])} {_MARKS[line['verdict']]}"


def _long(table: Table) -> None:
    st.dataframe(
        pd.DataFrame(
            {
                "": table.label(line),
                "printed": value_text(line["published"], line["published_sd"]),
                "printed n": printed_n(line),
                "ours": value_text(line["ours"], line["sd"]),
                "our n": str(line["n"] or "–"),
                "verdict": "drawn" if line["of"] == "drawn" else line["verdict"],
            }
            for line in table.lines
        ),
        hide_index=True,
        height="content",
        column_config={
            "": st.column_config.TextColumn(pinned=True, width="large"),  # in sight while the numbers are scrolled
            "verdict": st.column_config.TextColumn(help="within: the two agree; outside: they do not."),
            "printed n": st.column_config.TextColumn(help="Splits behind the published value; * is our assumption."),
        },
        key=f"papers.table.{table.title}",
    )
