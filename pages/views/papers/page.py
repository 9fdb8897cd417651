"""Papers: printed figures of five papers next to ours."""

from __future__ import annotations

import streamlit as st

from kernlib.figures.papers import verdict_bars
from kernlib.papers import PAPERS, RULE, count, provenance, reasons_outside, shipped, tables
from kernlib.papers.claims import INTRODUCTIONS
from pages.parts.frame import layout
from pages.parts.inputs.controls import option, plain
from pages.views.papers import experiments

results = list(shipped())
lines = [line for result in results for line in result["outcomes"]]
counted = count(lines)
short = {name: title.partition(": ")[2] for name, (title, _) in PAPERS.items()}
layout.heading(
    "Do the numbers of five papers come out again?",
    f"Of {counted.compared + counted.no_data} published values we computed {counted.compared} again: "
    f"{counted.within - counted.cheating} agree, {counted.outside} do not. {counted.cheating} agree only if test rows "
    f"choose the kernel. {counted.no_data} need data that are not available.",
)
verdicts = {}
for paper, title in short.items():
    own = count(line for result in results if result["paper"] == paper for line in result["outcomes"])
    verdicts[f"[{paper}] {title}"] = (own.within - own.cheating, own.cheating, own.outside, own.no_data)
layout.panel("Published values, paper by paper", verdict_bars(verdicts), "papers.verdicts")
paper = option(
    st.segmented_control,
    "Paper",
    list(PAPERS),
    "papers.paper",
    "O",
    format_func=lambda name: f"[{name}] {short[name]}",
    label_visibility="collapsed",
)
own_results = [result for result in results if result["paper"] == paper]
with layout.guarded():
    st.markdown(f"**{plain(PAPERS[paper][0])}.** {plain(INTRODUCTIONS[paper])}")
    experiments.checklist(paper)
    experiments.errata(paper, "")
    for table in tables(own_results):
        experiments.show(paper, table)
with st.expander(f"Why {counted.outside} values do not agree", icon=":material/help:"):
    for number, why in reasons_outside(lines):
        st.markdown(f"**{number}** · {plain(why)}")
with st.expander("When do two values agree?", icon=":material/rule:"):
    st.markdown(
        "Two values agree if they differ by at most twice the sum of their standard errors, SE = sd/√n over "
        "splits. "
        "Without a printed spread, the limit is twice our standard error plus half a unit of the last digit. "
        "An n marked * is our assumption: the source does not print it. " + plain(RULE)
    )
    st.markdown(
        "`python -m kernlib papers --out DIR` computes all results; they are shipped with the library. "
        f"{plain(provenance(results))} {plain(counted.words())}"
    )
