"""What sessions hold while their browser is away, and how many bytes all uploads may take.

Streamlit keeps the session itself for half an hour, so that a laptop that slept finds its view. It empties what is
cached for a session at once when the connection ends, and calls what is to be released: so it is known here.
"""

from __future__ import annotations

import threading
import time
from weakref import WeakSet

import streamlit as st

from kernlib.errors import DataError
from kernlib.numerics.budget import memory_budget
from pages.parts.server.holder import Holder, session_holder
from pages.parts.server.limits import UNWATCHED
from pages.parts.server.shared import look_through

#: Bytes of memory that a session holds for each byte of its files, as measured on tables.
_PER_BYTE = 7
#: The share of the memory budget that uploads may take.
_SHARE = 0.25
#: Sessions with uploads.
_uploaders: WeakSet[Holder] = WeakSet()
_lock = threading.Lock()


def leave(own: Holder) -> None:
    """Let a session give up its results, unless a run of its page comes in time."""
    own.left = time.monotonic()
    timer = threading.Timer(UNWATCHED, _give_up, (own, own.left))
    timer.daemon = True
    timer.start()


def _give_up(own: Holder, left: float) -> None:
    if own.left == left:
        own.computed.clear()
        look_through()


@st.cache_resource(scope="session", show_spinner=False, on_release=leave)
def arrive() -> Holder:
    """Note that the browser of this session is here, once after each time that it was away."""
    own = session_holder()
    own.left = 0.0
    return own


def make_room(size: int) -> None:
    """Count the bytes of an upload; where all uploads take too many, those go that were left first.

    An absent session that loses its upload begins anew. DataError if people who are here need all the room.
    """
    own, most = session_holder(), int(_SHARE * memory_budget() / _PER_BYTE)
    with _lock:
        for oldest in sorted((one for one in _uploaders if one.left and one is not own), key=lambda one: one.left):
            if _total() + size > most:
                oldest.begin_anew()
                look_through()
        if _total() + size > most:
            raise DataError(
                f"The uploads of all people at this server would take {(_total() + size) / 2**20:.0f} MB; it has room "
                f"for {most / 2**20:.0f} MB. Upload fewer rows, or ask others to close their pages."
            )
        own.uploaded += size
        _uploaders.add(own)


def bytes_held() -> int:
    """Return the bytes of memory that the files of all sessions take."""
    return _PER_BYTE * _total()


def _total() -> int:
    return sum(one.uploaded for one in _uploaders)
