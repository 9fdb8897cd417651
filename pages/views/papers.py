"""Papers: what five papers print, beside what comes out here."""

from __future__ import annotations

import streamlit as st

from kernlib.figures.papers import verdict_bars
from kernlib.papers import PAPERS, both_rules, count, made, shipped, tables, why_not
from kernlib.papers.claims import INTRODUCTIONS
from pages.parts import layout, papers
from pages.parts.inert import plain

results = list(shipped())
lines = [line for result in results for line in result["outcomes"]]
counted = count(lines)
short = {name: title.partition(": ")[2] for name, (title, _) in PAPERS.items()}
layout.heading(
    "Do the published numbers come out?",
    f"Five papers on kernels, run again here. Of {counted.compared + counted.no_data} printed numbers "
    f"{counted.compared} could be compared: {counted.within - counted.cheating} agree, {counted.cheating} agree only "
    f"when the test rows choose the kernel, {counted.outside} do not agree; {counted.no_data} need data that are not "
    "to be had.",
)
told = {}
for paper, title in short.items():
    own = count(line for result in results if result["paper"] == paper for line in result["outcomes"])
    told[f"[{paper}] {title}"] = (own.within - own.cheating, own.cheating, own.outside, own.no_data)
layout.figure(verdict_bars(told), "papers.verdicts", name="published-figures")
with st.expander(f"Why {counted.outside} numbers do not agree", icon=":material/help:"):
    for number, why in why_not(lines):
        st.markdown(f"**{number}** · {plain(why)}")
with st.expander("When do two numbers agree?", icon=":material/rule:"):
    st.markdown(
        "When they differ by at most twice the standard error of each, SE = sd/√n over the splits. A number that is "
        "printed without its spread is held against ours alone, with half a unit of its last digit. "
        + plain(both_rules(lines))
    )
    st.markdown(
        "The results come with the library, from one run of `python -m kernlib papers --out DIR`, which computes all "
        f"of them again. {plain(made(results))} {plain(counted.words())}"
    )
paper = (
    st.segmented_control(
        "Paper",
        list(PAPERS),
        default="O",
        key="papers.paper",
        format_func=lambda name: f"[{name}] {short[name]}",
        label_visibility="collapsed",
        persist_state="session",
    )
    or "O"
)
own_results = [result for result in results if result["paper"] == paper]
with layout.guarded():
    st.markdown(f"**{plain(PAPERS[paper][0])}.** {plain(INTRODUCTIONS[paper])}")
    papers.claims(paper, own_results)
    papers.errata(paper, "")
    for table in tables(own_results):
        papers.show(paper, table)
