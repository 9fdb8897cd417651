"""Parts of a page that are drawn again while their work goes on, and a hidden element that says what a run has drawn.

The hidden element is the last of every run. A browser test reads its number, acts, and waits for a higher number with
nothing pending.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable
from functools import wraps
from html import escape

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.server.holder import session_holder, take_clicks, using
from pages.parts.server.limits import TICK
from pages.parts.server.run_queue import run
from pages.parts.session.value import current

#: Runs of all sessions, full ones and ticks: a new page has a higher number than the page before.
_numbers = itertools.count(1)


class _Run(threading.local):
    """Counts of the run that this thread executes, and whether it draws a part."""

    figures = 0
    pending = 0
    inside = False


_run = _Run()


def begin_run() -> None:
    """Reset the counts at the start of a run."""
    _run.figures = _run.pending = 0


def count_figure() -> None:
    """Count a figure that this run sends."""
    _run.figures += 1


def end_run(address: str) -> None:
    """Draw the hidden element: the run's number, its figures, the number of parts whose work goes on, its address."""
    _mark(pending=_run.pending, figures=_run.figures, address=escape(address))


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
    most; where that was the last of it, the page runs at once. A tick of an earlier state draws nothing.

    A figure that `draw` has drawn stays where it is, and is not made anew, if the finished state is drawn in
    `part_place()` and as far down in it. `waiting.show` does so.
    """
    if done():
        return True
    shown = current()

    def tick() -> None:
        with run(later=TICK):
            if current() is not shown or done():
                st.rerun()
            draw()
            if work is not None:
                work()
                if done():
                    st.rerun()
        _mark(pending=1)

    _run.pending += 1
    part(tick, TICK)
    return False
