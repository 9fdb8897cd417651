"""One decorator for everything that is computed from a data set and a kernel.

Keys are values: the data set's digest and the kernel's repr, never an array and never the kernel
object (Streamlit hashes a dataclass through `asdict`, which drops the class names of nested
kernels; and it samples large arrays). What comes from sample data is shared between sessions;
what comes from an upload stays in its own session and ends with it.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

import streamlit as st

from kernlib import Kernel
from kernlib.data import Dataset

from .large import is_large, whole_of
from .shared import look_through

__all__ = ["cached", "is_upload"]

_log = logging.getLogger(__name__)

P = ParamSpec("P")
R = TypeVar("R")
Accessor = Callable[Concatenate[Dataset, Kernel, P], R]


def is_upload(data: Dataset) -> bool:
    """Whether the data came from this session's own file."""
    return data.name.startswith("upload:")


def cached(entries: int, words: str = "", many: int | None = None) -> Callable[[Accessor[P, R]], Accessor[P, R]]:
    """Keep the last `entries` results of a function of (data, kernel, values that print as they are…).

    `words` say what a page waits for, where it waits; `many` is the number that is kept of data with many rows, where a
    result holds numbers of each.
    """

    def decorate(function: Accessor[P, R]) -> Accessor[P, R]:
        shared = _keyed(function, entries, "global", words)
        own = _keyed(function, entries, "session", words)
        few = (
            (shared, own)
            if many is None
            else tuple(_keyed(function, many, scope, words, "many") for scope in ("global", "session"))
        )

        @wraps(function)
        def accessor(data: Dataset, kernel: Kernel, *extra: P.args, **named: P.kwargs) -> R:
            keep = (few if is_large(whole_of(data)) else (shared, own))[is_upload(data)]
            key = (data.digest, repr(kernel), repr(extra), repr(sorted(named.items())))
            return keep(key, data, kernel, extra, named)

        return accessor

    return decorate


def _keyed(function: Callable[..., R], entries: int, scope: Any, words: str, of: str = "") -> Callable[..., R]:
    def compute(key: tuple[str, ...], _data: Dataset, _kernel: Kernel, _extra: Any, _named: Any) -> R:
        _log.debug("%s of %s", compute.__qualname__, key)
        return function(_data, _kernel, *_extra, **_named)

    # Streamlit tells caches apart by qualified name and source, and all of these share both.
    compute.__qualname__ = f"{function.__module__}.{function.__qualname__}.{scope}{of}"
    release = _give_back if scope == "session" else None
    return st.cache_resource(max_entries=entries, show_spinner=words or False, scope=scope, on_release=release)(compute)


_giving = threading.Lock()


def _give_back(_: object) -> None:
    """Return what a session that ended held to the system: its allocator would keep it for the next one."""
    if _giving.acquire(blocking=False):
        # After the session's own state has gone too; and once more for what was still on its way out.
        _after(8.0, _trim)


def _trim() -> None:
    _giving.release()
    look_through()
    _after(12.0, look_through)


def _after(seconds: float, work: Callable[[], None]) -> None:
    timer = threading.Timer(seconds, work)
    timer.daemon = True
    timer.start()
