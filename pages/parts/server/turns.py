"""Large files are read one after another: reading takes many times the memory of the file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from pages.parts.server.presses import pause
from pages.parts.server.shared import give_back

#: A file of so many bytes is large.
LARGE = 2**20
#: Seconds between two looks at the queue.
_LOOK = 0.2
#: One entry for each session that reads or waits; the first one reads.
_queue: list[object] = []


@contextmanager
def reading(size: int) -> Iterator[None]:
    """Wait until no other session reads a large file, and say how many are before this one.

    A file of less than `LARGE` bytes does not wait. A newer press of the session ends the wait.
    """
    if size < LARGE:
        yield
        return
    place, mine = st.empty(), object()
    _queue.append(mine)
    try:
        while before := _queue.index(mine):
            place.info(
                f"{before} {'file' if before == 1 else 'files'} of other people {'is' if before == 1 else 'are'} read "
                "before yours.", icon=":material/hourglass_empty:",
            )  # fmt: skip
            pause(_LOOK)
        place.empty()
        yield
        give_back()  # before the next one takes as much
    finally:
        _queue.remove(mine)
