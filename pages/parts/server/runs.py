"""Runs of pages: the parts that are drawn again while their work goes on, and their marks.

A hidden element is the last of every run. A browser test reads its number, acts, and waits for a higher number with
nothing pending.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from html import escape

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.server.holder import look, session_holder, take_clicks, using
from pages.parts.server.limits import TICK
from pages.parts.server.starting import importing, warmed_up

#: Seconds between two looks for a newer request of a run that waits for the browser.
LOOK = 0.02


class _Run(threading.local):
    """The run that this thread executes: whether it is that of a whole page, and what it has drawn.

    `inside` whether it draws a part; `later` has the work that waits until all of the page is drawn.
    """

    of_page = False
    figures = 0
    pending = 0
    inside = False
    later: tuple[Callable[[], None], ...] = ()


_run = _Run()


@contextmanager
def run() -> Iterator[None]:
    """Run a whole page inside the block: a part that it draws leaves its work to the end of the page."""
    _run.of_page = True
    try:
        yield
    finally:
        _run.of_page = False


def pause(seconds: float) -> None:
    """Wait, and end the run as soon as a newer request arrives."""
    end = time.monotonic() + seconds
    while (now := time.monotonic()) < end:
        time.sleep(min(LOOK, end - now))
        look()


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
        of_page = _run.of_page
        if not of_page:
            warmed_up()
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
