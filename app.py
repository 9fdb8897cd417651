"""The dashboard: `streamlit run app.py`."""

from __future__ import annotations

import streamlit as st
from starlette.middleware import Middleware

from pages import MOVED, PAGES, script_of
from pages.parts.server.hosts import OwnHosts
from pages.parts.server.warm import warm_up, warmed_up

if __name__ == "__main__":  # a run of the app
    warmed_up()
    from pages.parts.frame.run import draw

    draw(PAGES, MOVED, script_of)
elif __name__ != "__mp_main__":  # the server; what a run spawns imports this file as well, and must do nothing
    app = st.App(__file__, lifespan=warm_up, middleware=[Middleware(OwnHosts)])
