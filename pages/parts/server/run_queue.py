"""Turns in order of arrival: runs of pages share the interpreter, and large files are read one after another.

Runs of sixty sessions at once would all end late: each gets a sixtieth of the interpreter, and the thread that sends
what they draw gets no more. Reading a large file takes many times its memory.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import inf

import streamlit as st

from pages.parts.server.holder import look
from pages.parts.server.shared import trim_memory

#: Seconds between two looks for a newer request of a run that waits for the browser.
LOOK = 0.02
#: A file of so many bytes is large.
LARGE = 2**20
#: Seconds between two looks at the queue of files, and between two looks for a newer click of a run that waits.
_LOOK, _PRESSED = 0.2, 0.1
#: Runs of pages at once: a second one only takes the interpreter from the first. After so many seconds a run no longer
#: counts: others need not wait for long work, which is mostly NumPy's and leaves the interpreter to them.
_RUNS, _HOLD = 1, 0.25


@dataclass(eq=False)
class Turn:
    """A turn that is waited for since a time, and has begun at another."""

    since: float = field(default_factory=time.monotonic)
    begun: float = inf
    called: threading.Event = field(default_factory=threading.Event)


class Turns:
    """A queue of which the first `places` turns are taken at once; after `hold` seconds a turn no longer counts."""

    def __init__(self, places: int, hold: float = inf) -> None:
        self._places, self._hold = places, hold
        self._lock = threading.Lock()
        self.queue: list[Turn] = []

    def take(self, mine: Turn, wait: Callable[[int], None]) -> None:
        """Take a turn; until it comes, call `wait` with the number of turns before it, again and again."""
        mine.begun = inf
        with self._lock:
            self.queue.append(mine)
        while before := self._before(mine):
            wait(before)

    def leave(self, mine: Turn) -> None:
        """Leave the queue."""
        with self._lock:
            if mine in self.queue:
                self.queue.remove(mine)
            self._call()

    def _before(self, mine: Turn) -> int:
        """Return the number of turns before this one; it begins where there is none."""
        with self._lock:
            now = time.monotonic()
            self.queue = [turn for turn in self.queue if now - turn.begun < self._hold]
            self.queue.sort(key=lambda turn: (turn.begun, turn.since))
            before = max(0, self.queue.index(mine) + 1 - self._places)
            if not before:
                mine.begun = now
            self._call()
            return before

    def _call(self) -> None:
        for turn in self.queue[: self._places]:
            turn.called.set()


class _Thread(threading.local):
    """What the session of this thread has of the runs' turns: its turn, or since when it waits for the next."""

    turn: Turn | None = None
    since: float = inf


files = Turns(1)
runs = Turns(_RUNS, _HOLD)
_own = _Thread()


@contextmanager
def run(later: float = 0.0) -> Iterator[None]:
    """Wait for the turn of this run of a page or of a part, in order of arrival, `later` by some seconds.

    A newer click of the session ends the wait before anything is computed, and takes its place in the queue. A part
    that is drawn by the run of its page has the page's turn.
    """
    if _own.turn is not None:
        yield
        return
    _own.since = min(_own.since, time.monotonic() + later)
    turn = Turn(_own.since)
    try:
        _take(turn)
        _own.turn, _own.since = turn, inf
        yield
    finally:
        _own.turn = None
        runs.leave(turn)


def _take(turn: Turn) -> None:
    def wait(_: int) -> None:
        turn.called.wait(_PRESSED)
        turn.called.clear()  # who comes with an older time goes before: this turn is called again
        look()

    runs.take(turn, wait)


def pause(seconds: float) -> None:
    """Wait while others have the turn, and end the run as soon as a newer request arrives."""
    turn, end = _own.turn, time.monotonic() + seconds
    if turn is not None:
        runs.leave(turn)
    while (now := time.monotonic()) < end:
        time.sleep(min(LOOK, end - now))
        look()
    if turn is not None:
        _take(turn)


@contextmanager
def reading(size: int) -> Iterator[None]:
    """Wait until no other session reads a large file, and say how many are before this one.

    A file of less than `LARGE` bytes does not wait. A newer click of the session ends the wait.
    """
    if size < LARGE:
        yield
        return
    place = st.empty()

    def wait(before: int) -> None:
        place.info(
            f"{before} {'file' if before == 1 else 'files'} of other people {'is' if before == 1 else 'are'} read "
            "before yours.",
            icon=":material/hourglass_empty:",
        )
        pause(_LOOK)

    mine = Turn()
    try:
        files.take(mine, wait)
        place.empty()
        yield
        trim_memory()  # before the next one takes as much
    finally:
        files.leave(mine)
