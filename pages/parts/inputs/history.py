"""Undo and redo of changes to data and kernel: relative to what is there, so that every click counts, each once."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.parts.server.holder import deferred, session_holder
from pages.parts.server.jobs import session_id
from pages.parts.session import state
from pages.parts.session.value import current

_KEY = "history"
_ICONS = {
    "undo": "M7 19v-2h7a4 4 0 0 0 0-8H8l3 3-1.4 1.4L4 8l5.6-5.4L11 4 8 7h6a6 6 0 0 1 0 12Z",
    "redo": "M17 19v-2h-7a4 4 0 0 1 0-8h6l-3 3 1.4 1.4L20 8l-5.6-5.4L13 4l3 3h-6a6 6 0 0 0 0 12Z",
}
_HTML = "".join(
    f'<button type="button" class="{name}" aria-label="{name.title()}" '
    f'title="{name.title()} the last change of data or kernel">'
    f'<svg viewBox="0 0 24 24" aria-hidden="true"><path d="{icon}"/></svg></button>'
    for name, icon in _ICONS.items()
)
_LOOK = """
:host, div { white-space: nowrap; }
button {
  font: inherit; color: inherit; background: none; border: 0; padding: 0.35rem; cursor: pointer;
  display: inline-flex; align-items: center; gap: 0.35rem;
}
button:hover:enabled { color: var(--st-primary-color); }
button:focus-visible { outline: 3px solid var(--st-primary-color); outline-offset: 2px; }
button:disabled { opacity: 0.4; cursor: not-allowed; }
svg { width: 1.25rem; height: 1.25rem; fill: currentColor; }
"""
_component = st.components.v2.component(
    "kernlib_history", html=_HTML, css=_LOOK, js=(Path(__file__).parent / "history.js").read_text()
)


def undo_and_redo() -> None:
    """Draw the two buttons."""
    now, own = current(), session_holder()
    _component(
        key=_KEY,
        width="content",
        data={"session": session_id(), "done": own.undone, "undo": bool(now.past), "redo": bool(now.future)},
        on_log_change=deferred(_clicked),
    )


def _clicked() -> None:
    """Do the entries of the browser's list that have not been done."""
    own, log = session_holder(), st.session_state.get(_KEY, {}).get("log")
    for entry in log if isinstance(log, list) else []:
        match entry:
            case [int(number), "undo" | "redo" as name] if number > own.undone:
                (state.undo if name == "undo" else state.redo)()
                own.undone = number
