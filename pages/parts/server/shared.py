"""Settings of the whole server, which let several people share the machine."""

from __future__ import annotations

import ctypes
import gc
import sys
import threading
import time
from contextlib import suppress

import streamlit as st

from kernlib.numerics.blas import one_thread_for_good

#: A full collection follows after so many newly imported modules, or so many seconds.
_MANY, _LONG = 40, 120.0
#: Seconds between collections of what is new since the last one.
_SHORT = 30.0
#: Open files to ask for where the system names no limit: what macOS grants.
_FILES = 10_240
_lock = threading.Lock()
_modules, _looked, _collected = 0, 0.0, 0.0


@st.cache_resource(show_spinner=False)
def prepare() -> None:
    """Limit each computation to one BLAS thread, and raise the limit of open files, once a server.

    Sessions that each take all cores wait for each other. A session has four open files, and many systems allow a
    process 1024 of them, macOS 256, unless it asks for more.
    """
    one_thread_for_good()
    with suppress(ImportError, OSError, ValueError):  # Windows has no such limit
        import resource

        now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        asked = max(now, _FILES) if most == resource.RLIM_INFINITY else most  # macOS grants no infinite number
        resource.setrlimit(resource.RLIMIT_NOFILE, (asked, most))


def collect_garbage() -> None:
    """Collect unused objects, and exclude long-lived ones from later collections.

    A collection over all objects of the libraries takes longer than drawing several pages. Every half a minute only
    what is new is looked through; a full collection follows every two minutes, and after runs that have imported many
    modules.
    """
    global _modules, _collected
    with _lock:
        now = time.monotonic()
        full = len(sys.modules) - _modules >= _MANY or now - _looked >= _LONG
        if not full and now - _collected < _SHORT:
            return
        _modules, _collected = len(sys.modules), now
    if full:
        look_through()
    else:
        gc.collect()
        gc.freeze()


def look_through() -> None:
    """Collect all unused objects, return their memory to the system, and exclude the rest from later collections."""
    global _looked
    _looked = time.monotonic()
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    trim_memory()


def trim_memory() -> None:
    """Return memory that is free to the system."""
    with suppress(AttributeError, OSError, TypeError):  # not every C library has malloc_trim
        ctypes.CDLL(None).malloc_trim(0)
