"""Data: what are the rows, and what do they look like?"""

from __future__ import annotations

from typing import Any

import streamlit as st

from kernlib.data import CATALOGUE, Dataset
from pages.parts import compute, layout, pictures, state, upload
from pages.parts.inert import code, plain

#: What a row is, where it has no columns to be counted.
ROWS = {"node": "a node", "graph": "a graph", "pair": "a pair", "matrix": "scores"}


def take(data: Dataset, by_hand: tuple[tuple[str, Any], ...]) -> None:
    """Show the uploaded data on all pages, from the next run on."""
    state.take_upload(data, by_hand)
    st.rerun()


choice = state.data_choice()
data = choice.load()
entry = CATALOGUE.get(choice.name)
layout.heading(plain(data.title), data.look_for or (entry.look_for if entry else "Your own data."))
with st.expander("Bring your own data", icon=":material/upload_file:", expanded=choice.uploaded):
    upload.draw(take, data)

main, beside = st.columns(layout.MAIN, gap="small")
with main, layout.guarded():
    shown = compute.in_view(data)
    pictures.draw(shown)
    if shown is not data:
        st.caption(f"The picture shows a sample of {shown.n:,} of {data.n:,} rows, classes in proportion.")
with beside:
    kind = ("Columns", data.d) if data.d is not None else ("Kind of row", ROWS.get(data.domain, data.domain))
    layout.numbers(
        ("Rows", data.n, "Number of examples; the Gram matrix compares each with each."),
        (*kind, "What a row is made of."),
        ("Classes", len(data.classes) or None, "Distinct labels."),
        ("Missing values", data.missing, "A kernel needs every value."),
        width=layout.BESIDE,
    )
    for warning in data.warnings:
        st.warning(plain(warning))
    if data.classes:
        pictures.counts(data)
    if data.note:
        st.caption(plain(data.note))
    if data.source:
        st.caption(f"**Source:** {plain(data.source) if choice.uploaded else data.source}")
    if data.citation:
        st.caption(f"**Cite:** {plain(data.citation)}")
    if data.licence:
        st.caption(f"**Licence:** {plain(data.licence)}")

st.subheader("Rows", anchor=False)
st.dataframe(pictures.rows_table(data), hide_index=True, height=320)
st.caption(
    f"SHA-256 of rows and labels: `{data.digest[:16]}…`" + (f" · made by {code(data.recipe)}" if data.recipe else "")
)
