"""The button that adopts the kernel of the film's present frame."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from pages.parts.server.holder import deferred

_BUTTON = "<button type='button'></button>"
_LOOK = """
button {
  font: inherit; padding: 0.4rem 0.9rem; border-radius: 0.5rem; cursor: pointer;
  border: 1px solid var(--st-primary-color); background: var(--st-primary-color); color: light-dark(#ffffff, #0e1117);
}
button:focus-visible { outline: 3px solid var(--st-text-color); outline-offset: 2px; }
"""
_component = st.components.v2.component(
    "kernlib_film", html=_BUTTON, css=_LOOK, js=(Path(__file__).parent / "film.js").read_text()
)


def frame_button(key: str, take: Callable[[int], None], label: str = "Use this frame") -> None:
    """Draw the button; `take` receives the number of the frame. ← → step the film, p plays it, s stops it.

    A click on a point of a trace whose meta has `step` goes to the frame with the point's x as its number.
    """

    def pressed(clicked: Any) -> None:
        if clicked.frame is not None:
            take(int(clicked.frame))

    _component(key=key, data={"label": label}, on_frame_change=deferred(pressed, reads=key), width="content")
