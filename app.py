"""See what a kernel does to your data: `streamlit run app.py`."""

from __future__ import annotations

import streamlit as st

from pages.parts import layout, sidebar, state
from pages.parts.inert import plain

st.set_page_config(
    page_title="kernlib",
    page_icon=":material/grid_view:",
    layout="wide",
    initial_sidebar_state="collapsed" if layout.projector() else 340,
)
layout.dress()

page = st.navigation(
    [
        st.Page("pages/views/overview.py", title="Overview", icon=":material/dashboard:", default=True),
        st.Page("pages/views/data.py", title="Data", icon=":material/table_view:", url_path="data"),
        st.Page("pages/views/gram.py", title="Gram matrix", icon=":material/grid_on:", url_path="gram"),
        st.Page("pages/views/depth.py", title="Depth", icon=":material/layers:", url_path="depth"),
        st.Page("pages/views/spectrum.py", title="Spectrum", icon=":material/equalizer:", url_path="spectrum"),
        st.Page("pages/views/curves.py", title="Error curves", icon=":material/show_chart:", url_path="curves"),
        st.Page("pages/views/machine.py", title="Machine", icon=":material/conversion_path:", url_path="machine"),
        st.Page("pages/views/reference.py", title="Kernels", icon=":material/menu_book:", url_path="kernels"),
    ],
    position="top",
)

state.read_link()
with st.sidebar:
    sidebar.draw()
for sentence in state.notices():
    st.warning(plain(sentence), icon=":material/link_off:")
try:
    with layout.guarded():
        page.run()
finally:
    state.write_link()  # also where a page has stopped early
