"""Papers: what five papers print, beside what comes out here."""

from __future__ import annotations

import streamlit as st

from kernlib.papers import PAPERS, count, shipped, tables
from kernlib.papers.claims import INTRODUCTIONS
from pages.parts import layout, papers
from pages.parts.inert import plain

layout.heading(
    "Do the published numbers come out?",
    "Five papers, run again with the kernels of this library. Two figures agree when they differ by at most twice the "
    "standard error of each.",
)
results = list(shipped())
counted = count(line for result in results for line in result["outcomes"])
layout.numbers(
    ("compared", counted.compared, "Printed figures with a counterpart here; sizes of data sets are not counted"),
    ("agree", counted.within - counted.cheating, "Within 2·SE + 2·SE"),
    ("only by cheating", counted.cheating, "Within the rule only when test rows choose: see categorical kernels"),
    ("do not agree", counted.outside, "Each with what is known of the reason"),
    ("not compared", counted.no_data, "The data, or the run, is not here: each says what it needs"),
)
st.caption(
    "The results come with the library; `python -m kernlib papers --out DIR` computes them again. n is the number of "
    "splits behind our figure, ± one standard deviation over splits."
)
paper = (
    st.segmented_control(
        "Paper",
        list(PAPERS),
        default="O",
        key="papers.paper",
        format_func=lambda short: PAPERS[short][0].partition(": ")[2],
        label_visibility="collapsed",
        persist_state="session",
    )
    or "O"
)
own = [result for result in results if result["paper"] == paper]
with layout.guarded():
    st.markdown(f"**[{paper}] {plain(PAPERS[paper][0])}**")
    st.markdown(plain(INTRODUCTIONS[paper]))
    st.caption(plain(count(line for result in own for line in result["outcomes"]).words()))
    papers.claims(paper, own)
    papers.errata(paper)
    for table in tables(own):
        papers.show(table)
