"""One decorator that caches results computed from a data set and a kernel.

Keys are values: the data set's digest and the kernel's repr, never an array and never the kernel object. Streamlit
hashes a dataclass by `asdict`, which drops the class names of nested kernels, and hashes only a part of a large array.
Sessions share the results of sample data. The results of an upload stay in its own session and end with it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import update_wrapper
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

import streamlit as st

from kernlib.data import Dataset
from kernlib.errors import DataError
from pages.parts.server.holder import kept
from pages.parts.server.large import is_large, whole_of
from pages.parts.server.limits import NO_MEMORY

_log = logging.getLogger(__name__)

P = ParamSpec("P")
R = TypeVar("R")


def is_upload(data: Dataset) -> bool:
    """Return whether the data is this session's own file."""
    return data.name.startswith("upload:")


class Cached(Generic[P, R]):
    """A function of a data set and other values, with its results in a cache."""

    def __init__(
        self, function: Callable[Concatenate[Dataset, P], R], entries: int, words: str, many: int | None
    ) -> None:
        self._usual = _by_scope(function, entries, words)
        self._large = self._usual if many is None else _by_scope(function, many, words, "many")
        self._name = function.__qualname__
        update_wrapper(self, function)

    def __call__(self, data: Dataset, /, *extra: P.args, **named: P.kwargs) -> R:
        keep = (self._large if is_large(whole_of(data)) else self._usual)[is_upload(data)]
        # By name: for each argument by place Streamlit reads the function's signature again.
        return keep(key=_key(data, extra, named), _given=(data, extra, named))

    def noted(self, data: Dataset, /, *extra: P.args, **named: P.kwargs) -> R:
        """Return the result, and note that this session has asked for it, with a result or an error."""
        self._asked().add(_key(data, extra, named))
        return self(data, *extra, **named)

    def asked(self, data: Dataset, /, *extra: P.args, **named: P.kwargs) -> bool:
        """Return whether this session has `noted` it: then it is known, and computed in no time."""
        return _key(data, extra, named) in self._asked()

    def _asked(self) -> set[str]:
        return kept(f"asked.{self._name}", set[str])


def _key(data: Dataset, extra: tuple[Any, ...], named: dict[str, Any]) -> str:
    return "\n".join((data.digest, repr(extra), repr(sorted(named.items()))))


def cached(
    entries: int, words: str = "", many: int | None = None
) -> Callable[[Callable[Concatenate[Dataset, P], R]], Cached[P, R]]:
    """Keep the last `entries` results of a function of (data, a kernel or other values with a faithful repr).

    `words` stand beside the spinner of a page that waits. `many` is the number of results kept for large data, where
    a result has numbers for each row.
    """
    return lambda function: Cached(function, entries, words, many)


def _by_scope(function: Callable[..., R], entries: int, words: str, of: str = "") -> tuple[Callable[..., R], ...]:
    """Return the function with one cache for all sessions, and with one for each session."""
    return tuple(_keyed(function, entries, scope, words, of) for scope in ("global", "session"))


def _keyed(function: Callable[..., R], entries: int, scope: Any, words: str, of: str) -> Callable[..., R]:
    def compute(key: str, _given: tuple[Dataset, Any, Any]) -> R:
        _log.debug("%s of %s", compute.__qualname__, key)
        data, extra, named = _given
        try:
            return function(data, *extra, **named)
        except MemoryError:
            raise DataError(f"{data.title}, {data.n:,} rows: {NO_MEMORY}") from None

    # Streamlit tells caches apart by qualified name and source, and all of these share both.
    compute.__qualname__ = f"{function.__module__}.{function.__qualname__}.{scope}{of}"
    return st.cache_resource(max_entries=entries, show_spinner=words or False, scope=scope)(compute)
