"""See what a kernel does to your data: `streamlit run app.py`."""

from __future__ import annotations

from contextlib import suppress

import streamlit as st

from pages import PAGES
from pages.parts import layout, shared, sidebar, state
from pages.parts.inert import plain

st.set_page_config(
    page_title="kernlib",
    page_icon=":material/grid_view:",
    layout="wide",
    initial_sidebar_state="collapsed" if layout.projector() else 340,
)
layout.dress()
shared.prepare()

page = st.navigation(
    [
        st.Page(
            f"pages/views/{entry.view}.py",
            title=entry.title,
            url_path=entry.address or None,
            default=not entry.address,
        )
        for entry in PAGES
    ],
    position="top",
)

state.read_link()
sidebar.begin()
for sentence in state.notices(page.url_path):
    st.warning(plain(sentence), icon=":material/link_off:")
try:
    try:
        with layout.guarded(), suppress(state.PageEnd):
            page.run()
    finally:  # also where a page has stopped early
        sidebar.draw()
finally:
    state.write_link()
    shared.put_aside()
