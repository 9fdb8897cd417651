"""Papers: printed figures of five papers next to ours."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from kernlib.papers import PAPERS, both_rules, count, provenance, reasons_outside, shipped, tables
from kernlib.papers.claims import INTRODUCTIONS
from pages.parts.frame import layout
from pages.parts.inputs.controls import option
from pages.parts.inputs.plain import plain
from pages.views.papers import experiments

results = list(shipped())
lines = [line for result in results for line in result["outcomes"]]
counted = count(lines)
short = {name: title.partition(": ")[2] for name, (title, _) in PAPERS.items()}
layout.heading(
    "Are the published values reproducible?",
    f"Five papers on kernels, run again. {counted.compared} of {counted.compared + counted.no_data} published values "
    f"are compared: {counted.within - counted.cheating} agree, {counted.outside} do not. {counted.cheating} agree only "
    f"when test rows choose the kernel. {counted.no_data} need data that are not available.",
)
verdicts = {}
for paper, title in short.items():
    own = count(line for result in results if result["paper"] == paper for line in result["outcomes"])
    verdicts[f"[{paper}] {title}"] = (own.within - own.cheating, own.cheating, own.outside, own.no_data)
st.dataframe(
    pd.DataFrame.from_dict(
        verdicts, "index", columns=["agree", "only when test rows choose", "do not agree", "not compared"]
    )
)
with st.expander(f"Why {counted.outside} values do not agree", icon=":material/help:"):
    for number, why in reasons_outside(lines):
        st.markdown(f"**{number}** · {plain(why)}")
with st.expander("When do two values agree?", icon=":material/rule:"):
    st.markdown(
        "Two values agree if they differ by at most twice the sum of their standard errors, SE = sd/√n over "
        "splits. "
        "Without a printed spread, the limit is twice our standard error plus half a unit of the last digit. "
        "An n marked * is our assumption: the source does not print it. " + plain(both_rules(lines))
    )
    st.markdown(
        "`python -m kernlib papers --out DIR` computes all results; they are shipped with the library. "
        f"{plain(provenance(results))} {plain(counted.words())}"
    )
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
    experiments.claims(paper, own_results)
    experiments.errata(paper, "")
    for table in tables(own_results):
        experiments.show(paper, table)
