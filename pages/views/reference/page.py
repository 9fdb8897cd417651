"""Reference: every kernel with its formula, made from the registry."""

from __future__ import annotations

import streamlit as st

from kernlib import own_kernels
from kernlib.papers import PAPERS
from kernlib.registry import ALGEBRA, LEAVES, WRAPPERS
from kernlib.values.glossary import GLOSSARY
from pages.parts.frame import layout
from pages.parts.inputs.controls import expander, text
from pages.views.reference import cards

layout.heading(
    "Which kernels are there?",
    "Grouped by the rows that they read. Pictures: Gram matrices of a few rows, the same for all kernels of a group.",
)
query = text(
    "Find", "", "reference.find", placeholder="rows (categories, molecules, strings), a name, a source, a word"
)
if not query:
    with st.expander(f"Glossary: {len(GLOSSARY)} terms; sources", icon=":material/menu_book:"):
        st.markdown(f"Sources: {' · '.join(f'[{letter}] {title}' for letter, (title, _) in PAPERS.items())}.")
        st.markdown("\n".join(f"- **{term.name}**: {term.meaning}" for term in GLOSSARY))
groups = (
    ("User-defined kernels", own_kernels()),
    *cards.by_domain(LEAVES),
    ("Steps: a kernel made from a kernel", WRAPPERS),
    ("Algebra", ALGEBRA),
)
found = [(title, shown) for title, kernels in groups if (shown := [k for k in kernels if cards.matches(k, query)])]
if not found:
    st.info("No kernel has all these words. Try fewer, or a kind of row such as strings.", icon=":material/search_off:")
for title, shown in found:
    st.subheader(title, anchor=False)
    for kernel in shown:
        with st.container(horizontal=True, wrap=False, vertical_alignment="center"):
            cards.small_matrix(kernel)
            card = expander(f"**{kernel.__name__}** · {cards.first_line(kernel)}", f"reference.card.{kernel.__name__}")
        if card is not None:
            with card, layout.guarded():
                cards.card(kernel)
