"""One cache of what pages compute, with one budget of bytes for results and uploads.

Keys are values: digest and fill of a data set, and the repr of anything else; never an array, never a kernel object.
Sessions share the results of sample data. The results of an upload stay in its own session and end with it.

Streamlit keeps a session itself for half an hour, so that a laptop that slept finds its view. It empties what is cached
for a session at once when the connection ends, and calls what is to be released: so a browser that left is known here.
"""

from __future__ import annotations

import logging
import pickle
import threading
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import update_wrapper
from typing import Any, Generic, ParamSpec, TypeVar
from weakref import WeakSet

import streamlit as st

from kernlib.data import Dataset
from kernlib.errors import DataError, KernlibError
from kernlib.numerics.workers import memory_budget
from pages.parts.server.runs import Holder, computed, session_holder

#: Seconds after which a job is stopped that no page looks at, and a session that was left gives up its results.
UNWATCHED = 120.0
#: What a page says where a computation finds no memory.
NO_MEMORY = "The server has too little memory for this. Take fewer rows, or add landmarks as the kernel's last step."
P = ParamSpec("P")
R = TypeVar("R")

#: The share of the memory budget for the files and results of all sessions, and the bytes for results at least.
_SHARE, _ROOM = 0.5, 2**28
#: Bytes of an empty result and its key.
_PLACE = 1000
_log = logging.getLogger(__name__)


@dataclass(eq=False)
class _Result:
    """A result, of 0 bytes before it is computed: one session computes it, others that ask for it wait.

    An error is not kept, because its cause may pass: only that there was one.
    """

    lock: threading.Lock = field(default_factory=threading.Lock)
    value: Any = None
    size: int = 0
    failed: bool = False
    used: float = 0.0


@dataclass(eq=False)
class _Results:
    """The results of one session, or those that all sessions share."""

    of: dict[str, _Result] = field(default_factory=dict)
    size: int = 0

    def __post_init__(self) -> None:
        with _lock:
            _all.add(self)


_lock = threading.Lock()
_all: WeakSet[_Results] = WeakSet()
_shared = _Results()


def is_upload(data: Dataset) -> bool:
    """Return whether the data is this session's own file."""
    return data.name.startswith("upload:")


class Known(Generic[P, R]):
    """A function of data sets and of values with a faithful repr, whose results are kept."""

    def __init__(self, function: Callable[P, R], words: str) -> None:
        self._function, self._words = function, words
        update_wrapper(self, function)

    def __call__(self, *given: P.args, **named: P.kwargs) -> R:
        results, key = self._place(given, named)
        with _lock:
            result = results.of.setdefault(key, _Result())
            result.used = time.monotonic()
        with result.lock:
            if not result.size:
                try:
                    with st.spinner(self._words) if self._words else nullcontext():
                        _log.debug("%s", key)
                        result.value = self._function(*given, **named)
                except (KernlibError, MemoryError) as error:
                    result.failed = True
                    if isinstance(error, MemoryError):
                        rows = (f"{one.title}, {one.n:,} rows: " for one in given if isinstance(one, Dataset))
                        raise DataError(next(rows, "") + NO_MEMORY) from None
                    raise
                result.size = _bytes(result.value)
                with _lock:
                    results.size += result.size
                    _make_room()
        value: R = result.value
        return value

    def has(self, *given: P.args, **named: P.kwargs) -> bool:
        """Return whether a call would return at once, or has raised an error before."""
        results, key = self._place(given, named)
        result = results.of.get(key)  # once: another session may discard it meanwhile
        return result is not None and (result.size > 0 or result.failed)

    def _place(self, given: tuple[Any, ...], named: dict[str, Any]) -> tuple[_Results, str]:
        name = f"{self._function.__module__}.{self._function.__qualname__}"
        values = (one.digest + one.fill if isinstance(one, Dataset) else repr(one) for one in given)
        own = any(isinstance(one, Dataset) and is_upload(one) for one in given)
        key = "\n".join((name, *values, repr(sorted(named.items()))))
        return computed("results", _Results) if own else _shared, key


def known(words: str = "") -> Callable[[Callable[P, R]], Known[P, R]]:
    """Keep the results of a function; `words` stand beside the spinner of a page that waits for one."""
    return lambda function: Known(function, words)


def _bytes(value: Any) -> int:
    """Return the bytes of a value's arrays, of the rest of its pickle, and of its place."""
    arrays: list[int] = []
    try:
        rest = pickle.dumps(value, protocol=5, buffer_callback=lambda array: arrays.append(array.raw().nbytes))
    except Exception:  # an iterator, or an object of a user's own class
        rest = b"."
    return _PLACE + len(rest) + sum(arrays)


def _make_room() -> None:
    """Discard results that were asked for least recently where all take too much, a tenth at least; the last stays."""
    size = sum(results.size for results in _all)
    if size <= _ROOM:
        return
    most = max(_ROOM, int(_SHARE * memory_budget()) - bytes_held())
    if size <= most:
        return
    every = [(result, key, results) for results in _all for key, result in results.of.items() if result.size]
    for result, key, results in sorted(every, key=lambda one: one[0].used)[:-1]:
        del results.of[key]
        results.size -= result.size
        size -= result.size
        if size <= 0.9 * most:
            break


#: Bytes of memory that a session holds for each byte of its files, as measured on tables.
_PER_BYTE = 7
#: The share of the memory budget that uploads may take.
_OF_UPLOADS = 0.25
#: Sessions with uploads.
_uploaders: WeakSet[Holder] = WeakSet()
_making_room = threading.Lock()


def leave(own: Holder) -> None:
    """Let a session give up its results, unless a run of its page comes in time."""
    own.left = time.monotonic()
    timer = threading.Timer(UNWATCHED, _give_up, (own, own.left))
    timer.daemon = True
    timer.start()


def _give_up(own: Holder, left: float) -> None:
    if own.left == left:
        own.computed.clear()


@st.cache_resource(scope="session", show_spinner=False, on_release=leave)
def arrive() -> Holder:
    """Note that the browser of this session is here, once after each time that it was away."""
    own = session_holder()
    own.left = 0.0
    return own


def make_room(size: int) -> None:
    """Count the bytes of an upload; DataError where the uploads of all people would take too many."""
    own, most = session_holder(), int(_OF_UPLOADS * memory_budget() / _PER_BYTE)
    with _making_room:
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
