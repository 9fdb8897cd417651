"""The chooser of a file of your own; `pages.parts.frame.reading` then shows how it is read."""

from __future__ import annotations

import streamlit as st

from kernlib import KernlibError
from kernlib.data import LIMITS
from pages.parts.inputs.texts import plain
from pages.parts.server.holder import deferred
from pages.parts.session.uploaded import chooser_key, emptied, most_bytes, present, uploaded_file


def draw() -> None:
    """Draw the file chooser; a file is kept and shown by the panel, and nothing else changes."""
    files = st.file_uploader(
        "Your own data",
        accept_multiple_files=True,
        key=(key := chooser_key()),
        on_change=deferred(emptied, reads=key),
        max_upload_size=most_bytes(),
        help=f"{LIMITS.words()} 100,000 rows of 20 numbers take about 10 s. "
        "The file stays in this session and is discarded when it ends.",
    )
    st.caption(
        f"Tables, arrays, sequences, graphs, matrices, texts, up to {most_bytes()} MB. Larger files: "
        "`python -m kernlib advise FILE`."
    )
    before = present()
    try:
        if uploaded_file(files) is not before:
            st.rerun()  # the panel stands above the chooser, where this run has not drawn it
    except KernlibError as error:
        st.error(plain(str(error)), icon=":material/error:")
