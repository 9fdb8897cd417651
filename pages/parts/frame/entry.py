"""Entry for a link to a page on a new server.

Until `st.navigation` has run once, Streamlit treats the scripts in `pages` as its pages: it runs the
script that the link names, without `app.py`, and answers "Page not found" where there is none. So each
page has a script of its name there, which runs `app.py`; `app.py` then opens the same page. After that
`st.navigation` alone decides.
"""

from __future__ import annotations

import runpy
from pathlib import Path

import streamlit as st


def enter() -> None:
    """Run the whole app, as the server does from its next run on."""
    runpy.run_path(str(Path(__file__).parents[3] / "app.py"), run_name="__main__")
    st.stop()
