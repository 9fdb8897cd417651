"""What is set for the whole server, so that the people on it share the machine."""

from __future__ import annotations

import ctypes
import gc
import sys
import threading
import time
from contextlib import suppress

import streamlit as st

from kernlib.blas import one_thread_for_good

__all__ = ["look_through", "prepare", "put_aside"]

#: Modules that came since the last look, or seconds, from which on another look is worth it.
_MANY, _LONG = 40, 30.0
_lock = threading.Lock()
_modules, _looked = 0, 0.0


@st.cache_resource(show_spinner=False)
def prepare() -> None:
    """One BLAS thread a computation: sessions that each took all cores would wait for each other."""
    one_thread_for_good()


def put_aside() -> None:
    """Leave what is there to stay out of the garbage collections that follow every run of a page.

    Streamlit collects after each run, before the browser has heard that it ended, and looking through all objects of
    the libraries takes longer than drawing a page. Everything is looked through every half a minute instead, and after
    runs that have imported much.
    """
    global _modules
    with _lock:
        if len(sys.modules) - _modules < _MANY and time.monotonic() - _looked < _LONG:
            return
        _modules = len(sys.modules)
    look_through()


def look_through() -> None:
    """Collect what is no longer needed, of what was put aside too, and return it; put aside what is left."""
    global _looked
    _looked = time.monotonic()
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    with suppress(AttributeError, OSError, TypeError):  # another C library has its own ways
        ctypes.CDLL(None).malloc_trim(0)
