"""Data: what are the rows, and what do they look like?"""

from __future__ import annotations

import numpy as np
import streamlit as st

from kernlib.data import CATALOGUE
from pages.parts import layout, pictures, state

data = state.data_choice().load()
entry = CATALOGUE[state.data_choice().name]
layout.heading(data.title, data.look_for or entry.look_for)

one, two, three, four = st.columns(4)
layout.number(one, "Rows", data.n, "Number of examples; the Gram matrix compares each with each.")
layout.number(
    two,
    "Columns" if data.domain in ("vector", "categorical") else "Kind of row",
    data.rows.shape[1] if data.domain in ("vector", "categorical") else data.domain,
    "What a row is made of.",
)
layout.number(three, "Classes", len(data.classes) or "–", "Distinct labels.")
missing = int(np.isnan(data.rows).sum()) if data.rows.dtype.kind == "f" else 0
layout.number(four, "Missing values", missing, "A kernel needs every value.")
if data.note:
    st.info(data.note)
for warning in data.warnings:
    st.warning(warning)

picture, about = st.columns([3, 2], gap="large")
with picture, layout.guarded():
    pictures.draw(data)
with about:
    if data.classes:
        pictures.counts(data)
    st.caption(f"**Source:** {data.source}")
    if data.citation:
        st.caption(f"**Cite:** {data.citation}")
    if data.licence:
        st.caption(f"**Licence:** {data.licence}")

st.subheader("Rows", anchor=False)
st.dataframe(pictures.rows_table(data), hide_index=True, height=320)
st.caption(
    f"SHA-256 of rows and labels: `{data.digest[:16]}…`" + (f" · made by `{data.recipe}`" if data.recipe else "")
)
