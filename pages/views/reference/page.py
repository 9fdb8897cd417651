"""Reference: every kernel with its formula, made from the registry."""

from __future__ import annotations

import streamlit as st

from kernlib import own_kernels
from kernlib.kinds import KINDS
from kernlib.papers import PAPERS
from kernlib.registry import ALGEBRA, LEAVES, WRAPPERS
from kernlib.values.words import GLOSSARY
from pages.parts.frame import layout
from pages.parts.inputs.controls import expander, in_row, option, text
from pages.parts.session.state import current
from pages.views.reference import cards

layout.heading(
    "Which kernels are there?",
    "Each reads one kind of row; a step makes a kernel from a kernel. Pictures: Gram matrices of the same few rows.",
)
query = text(
    "Find", "", "reference.find", placeholder="rows (categories, molecules, strings), a name, a source, a word"
)
kernels = (*own_kernels(), *LEAVES)
groups = {kind.title: [k for k in kernels if k.domain == kind.name] for kind in KINDS.values()}
groups |= {"Steps": list(WRAPPERS), "Algebra": list(ALGEBRA)}
if query:
    found = {title: [k for k in kernels if cards.matches(k, query)] for title, kernels in groups.items()}
    if not any(found.values()):
        st.info(
            "No kernel has all these words. Try fewer, or a kind of row such as strings.", icon=":material/search_off:"
        )
else:
    titles = [title for title, kernels in groups.items() if kernels]
    reads = next((KINDS[part.domain] for part in current().kernel.walk() if part.domain in KINDS), None)
    title = option(
        st.pills, "Kernels by the rows that they read", titles, "reference.rows", reads.title if reads else None
    )
    found = {title: groups[title]}
for title, shown in found.items():
    if query and shown:
        st.subheader(title, anchor=False)
    for kernel in shown:
        with in_row(wrap=False):
            cards.small_matrix(kernel)
            card = expander(f"**{kernel.__name__}** · {cards.first_line(kernel)}", f"reference.card.{kernel.__name__}")
        if card is not None:
            with card, layout.guarded():
                cards.card(kernel)
if not query:
    with st.expander(f"Glossary: {len(GLOSSARY)} terms; sources", icon=":material/menu_book:"):
        st.markdown(f"Sources: {' · '.join(f'[{letter}] {title}' for letter, (title, _) in PAPERS.items())}.")
        st.markdown("\n".join(f"- **{term.name}**: {term.meaning}" for term in GLOSSARY))
