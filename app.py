"""The dashboard: `streamlit run app.py`."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware

from pages.parts.server.runs import OwnHosts, warm_up

# Beside a script in a folder with another one named `pages`, Streamlit would run the files in there as pages.
SCRIPT = Path(__file__).parent / "pages" / "start.py"

app = st.App(SCRIPT, lifespan=warm_up, middleware=[Middleware(OwnHosts)])
