"""A session whose browser is away gives up what can be computed again.

Streamlit keeps the session itself for half an hour, so that a laptop that slept finds its view. It empties what is
cached for a session at once when the connection ends, and calls what is to be released: so it is known here.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

import streamlit as st

from pages.parts.server.holder import Holder, session_holder
from pages.parts.server.limits import UNWATCHED
from pages.parts.server.shared import look_through

_releases: list[Callable[[Holder], None]] = []


def gives_up(release: Callable[[Holder], None]) -> Callable[[Holder], None]:
    """Register what removes from a session the results that can be computed again."""
    _releases.append(release)
    return release


def leave(own: Holder) -> None:
    """Let a session give up its results, unless a run of its page comes in time."""
    timer = threading.Timer(UNWATCHED, _give_up, (own, own.arrivals))
    timer.daemon = True
    timer.start()


def _give_up(own: Holder, arrivals: int) -> None:
    if own.arrivals == arrivals:
        for release in _releases:
            release(own)
        look_through()


@st.cache_resource(scope="session", show_spinner=False, on_release=leave)
def arrive() -> Holder:
    """Note that the browser of this session is here, once after each time that it was away."""
    own = session_holder()
    own.arrivals += 1
    return own
