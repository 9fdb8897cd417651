"""Where a link to a page comes in while the server is fresh.

Until `st.navigation` has run once, Streamlit takes the scripts in `pages` for pages of its own: it
runs the one that the link names, without `app.py`, and says "Page not found" where there is none.
So each page has a script of its name there that hands over to `app.py`, which finds the same
page again; from then on `st.navigation` alone decides.
"""

from __future__ import annotations

import runpy
from pathlib import Path

import streamlit as st


def enter() -> None:
    """Run the whole app, as the server will from its next run on."""
    runpy.run_path(str(Path(__file__).parents[3] / "app.py"), run_name="__main__")
    st.stop()
