"""Reference: every kernel with its formula, made from the registry."""

from __future__ import annotations

import streamlit as st

from kernlib.registry import ALGEBRA, LEAVES, WRAPPERS
from pages.parts import layout, reference

layout.heading(
    "Which kernels are there?",
    "All kernels and steps, by the kind of rows they read. Made from the library's own declarations.",
)
st.caption(
    "Sources: [O] almost orthogonal patterns, Schölkopf et al. 2002 · [D] Scott, designing kernels, 2006 · [K] Wang, "
    "deep kernel machines, 2011 · [R] Braun, kernels and model selection, 2006 · [C] Villegas García, categorical "
    "variables, 2013."
)
wanted = st.text_input(
    "Find",
    placeholder="what you have (rows with categories, molecules, strings), a name, a source, a word",
    key="reference.find",
)
for title, kernels in (
    *reference.by_domain(LEAVES),
    ("Steps: a kernel made from a kernel", WRAPPERS),
    ("Algebra", ALGEBRA),
):
    shown = [k for k in kernels if reference.matches(k, wanted)]
    if not shown:
        continue
    st.subheader(title, anchor=False)
    for kernel in shown:
        card = st.expander(
            f"**{kernel.__name__}** · {reference.first_line(kernel)}",
            key=f"reference.card.{kernel.__name__}",
            on_change="rerun",
        )
        if card.open:
            with card, layout.guarded():
                reference.card(kernel)
