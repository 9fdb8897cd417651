"""The film's way back to the server: which frame is shown in the browser."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

__all__ = ["adopted_frame"]

_BUTTON = "<button type='button'>Use this frame</button>"
_LOOK = """
button {
  font: inherit; padding: 0.4rem 0.9rem; border-radius: 0.5rem; cursor: pointer;
  border: 1px solid var(--st-primary-color); background: var(--st-primary-color); color: white;
}
button:focus-visible { outline: 3px solid var(--st-text-color); outline-offset: 2px; }
"""
_component = st.components.v2.component(
    "kernlib_film", html=_BUTTON, css=_LOOK, js=(Path(__file__).parent / "film.js").read_text()
)


def adopted_frame(key: str) -> int | None:
    """The number of the frame whose button was just pressed; ← → step the film, p plays, s stops it."""
    result = _component(key=key, on_frame_change=lambda: None)
    return None if result.frame is None else int(result.frame)
