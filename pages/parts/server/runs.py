"""Runs of pages: their turns in order of arrival, the parts that are drawn again while their work goes on, their marks.

Runs of sixty sessions at once would all end late: each gets a sixtieth of the interpreter, and the thread that sends
what they draw gets no more.

A hidden element is the last of every run. A browser test reads its number, acts, and waits for a higher number with
nothing pending.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from html import escape
from math import inf

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.server.holder import look, session_holder, take_clicks, using
from pages.parts.server.limits import TICK
from pages.parts.server.starting import importing, warmed_up

#: Seconds between two looks for a newer request of a run that waits for the browser.
LOOK = 0.02
#: Seconds between two looks for a newer click of a run that waits.
_PRESSED = 0.1
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


class _Run(threading.local):
    """The run that this thread executes: its turn, or since when its session waits for the next; what it has drawn.

    `inside` whether it draws a part; `later` has the work that waits until all of the page is drawn.
    """

    turn: Turn | None = None
    since: float = inf
    figures = 0
    pending = 0
    inside = False
    later: tuple[Callable[[], None], ...] = ()


runs = Turns(_RUNS, _HOLD)
_run = _Run()


@contextmanager
def run(later: float = 0.0) -> Iterator[None]:
    """Wait for the turn of this run of a page or of a part, in order of arrival, `later` by some seconds.

    A newer click of the session ends the wait before anything is computed, and takes its place in the queue. A part
    that is drawn by the run of its page has the page's turn.
    """
    if _run.turn is not None:
        yield
        return
    _run.since = min(_run.since, time.monotonic() + later)
    turn = Turn(_run.since)
    try:
        _take(turn)
        _run.turn, _run.since = turn, inf
        yield
    finally:
        _run.turn = None
        runs.leave(turn)


def _take(turn: Turn) -> None:
    def wait(_: int) -> None:
        turn.called.wait(_PRESSED)
        turn.called.clear()  # who comes with an older time goes before: this turn is called again
        look()

    runs.take(turn, wait)


def pause(seconds: float) -> None:
    """Wait while others have the turn, and end the run as soon as a newer request arrives."""
    turn, end = _run.turn, time.monotonic() + seconds
    if turn is not None:
        runs.leave(turn)
    while (now := time.monotonic()) < end:
        time.sleep(min(LOOK, end - now))
        look()
    if turn is not None:
        _take(turn)


#: Runs of all sessions, full ones and ticks: a new page has a higher number than the page before.
_numbers = itertools.count(1)


def begin_run() -> None:
    """Reset the counts at the start of a run."""
    _run.figures = _run.pending = 0
    _run.later = ()


def count_figure() -> None:
    """Count a figure that this run sends."""
    _run.figures += 1


def end_run(address: str) -> None:
    """Draw the hidden element: the run's number, its figures, the number of parts whose work goes on, its address."""
    if importing():
        until_done(lambda: False, lambda: None)  # this page again, with its errors
        _run.later = ()
    _mark(pending=_run.pending, figures=_run.figures, address=escape(address))


def work_on() -> None:
    """Do the work that parts of the page have left until all of it is drawn: figures come with their sentences."""
    for work in _run.later:
        work()


def _mark(**values: int | str) -> None:
    data = " ".join(f'data-{name}="{value}"' for name, value in {"run": next(_numbers), **values}.items())
    st.html(f"<span {data}></span>")  # hidden by the style sheet


def part(draw: Callable[[], object], every: float | None = None) -> None:
    """Draw a part of a page that runs alone: when a widget in it is clicked, or again and again after `every` seconds.

    It stands in a container that belongs to the page's run. Where a part's run is asked for while the page runs,
    Streamlit takes back what the page has drawn of the part and not yet sent; what follows it is sent. The browser then
    puts the part in the place of what follows, and where it cannot place the rest, takes the page down. So nothing may
    follow a part in its container, and no part may stand in another.
    """
    assert not _run.inside, "a part in a part"

    @wraps(draw)
    def alone() -> None:
        _run.inside = True
        try:
            with using(session_holder()):
                take_clicks()
                draw()
        finally:
            _run.inside = False

    with st.container():
        st.fragment(alone, run_every=every)()


def part_place() -> DeltaGenerator:
    """Return a container that is as far down as what a `part` draws: a figure drawn in both is not made anew."""
    return st.container().container()


def until_done(done: Callable[[], bool], draw: Callable[[], object], work: Callable[[], object] | None = None) -> bool:
    """Return True where the work is done; else draw what there is, again and again, and then run the page once more.

    Each tick first asks whether the work is `done`: the finished state is drawn by the run of the page alone, never
    also by the tick before it. Then it calls `draw`, and last `work`, which computes for `limits().slice` seconds at
    most; where that was the last of it, the page runs at once. The page's own run works when it has drawn everything.
    A tick of an earlier state draws nothing.

    A figure that `draw` has drawn stays where it is, and is not made anew, if the finished state is drawn in
    `part_place()` and as far down in it. `waiting.show` does so.
    """
    if done():
        return True
    shown, early = session_holder().state, importing()

    def go_on() -> None:
        if work is not None:
            work()
            if done():
                st.rerun()

    def tick() -> None:
        of_page = _run.turn is not None
        if not of_page:
            warmed_up()
        with run(later=TICK):
            if (early and not of_page) or session_holder().state is not shown or done():
                st.rerun()
            draw()
            if of_page:
                _run.later += (go_on,)
            else:
                go_on()
        _mark(pending=1)

    _run.pending += 1
    part(tick, TICK)
    return False
