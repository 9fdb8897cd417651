"""One cache of what pages compute, with one budget of bytes.

Keys are values: digest and fill of a data set, and the repr of anything else; never an array, never a kernel object.
Sessions share the results of sample data. The results of an upload stay in its own session and end with it.
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
from kernlib.numerics.budget import memory_budget
from pages.parts.server.away import bytes_held
from pages.parts.server.holder import computed
from pages.parts.server.limits import NO_MEMORY

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
    most = max(_ROOM, int(_SHARE * memory_budget()) - bytes_held())
    size = sum(results.size for results in _all)
    if size <= most:
        return
    every = [(result, key, results) for results in _all for key, result in results.of.items() if result.size]
    for result, key, results in sorted(every, key=lambda one: one[0].used)[:-1]:
        del results.of[key]
        results.size -= result.size
        size -= result.size
        if size <= 0.9 * most:
            break
