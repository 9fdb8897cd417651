"""Random draws that a page goes on with after its picture."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from itertools import islice
from typing import Generic, TypeVar

import streamlit as st

from pages.parts.server.holder import look

T = TypeVar("T")


class Draws(Generic[T]):
    """The first `count` draws of an iterator, so far; sessions with the same data continue them."""

    def __init__(self, more: Iterator[T], count: int) -> None:
        self.so_far, self.count, self._lock = list[T](), count, threading.Lock()
        self._more = islice(more, count)

    def complete(self) -> bool:
        """Return whether all draws are there."""
        return len(self.so_far) >= self.count

    def tell(self, words: str) -> None:
        """Draw how many there are."""
        st.caption(f"{words}: {len(self.so_far)} of {self.count}")

    def work(self, seconds: float) -> None:
        """Draw for so many seconds, and stop for a newer request."""
        end = time.perf_counter() + seconds
        while time.perf_counter() < end and not self.complete():
            with self._lock:
                self.so_far += islice(self._more, 1)
            look()
