"""What a page shows of the session's state, what it waits for, and the ways out where there is neither.

A Gram matrix that takes long is announced first, started by a click, and stopped by a click.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from kernlib import Kernel, KernlibError
from kernlib.data import Dataset
from kernlib.wrappers.landmarks import landmarks_of
from pages.parts.inputs.controls import button, in_row, once, plain
from pages.parts.results import compute
from pages.parts.results.compute import Slices, TooLongError
from pages.parts.server.caching import NO_MEMORY
from pages.parts.server.jobs import LANDMARKS, Task, limits, most_rows
from pages.parts.server.runs import part_place, until_done
from pages.parts.session import state
from pages.parts.session.state import DataChoice, current


def show(
    result: Slices[Any, Any] | Task,
    draw: Callable[[Any], object] | None = None,
    meanwhile: Callable[[Any], object] | None = None,
) -> bool:
    """Draw a result, again and again until it is complete, and return whether nothing more is to come.

    `draw` draws what is known, in the same place also when all is. With `meanwhile` alone, or without either, only
    what goes on is drawn, by default the progress, and the caller draws the complete result. Where the result has
    failed, its sentence follows what is known of it.
    """
    if draw is not None and not result.done():
        result.work(limits().slice)  # the first picture is not empty
    still = draw or meanwhile or (lambda _: st.caption(result.progress()[1]))
    if not until_done(result.done, lambda: still(result.value()), lambda: result.work(limits().slice)):
        return False
    if draw is not None:
        with part_place():
            draw(result.value())
    error = result.failure()
    if isinstance(error, TooLongError):
        raise error  # the page offers to compute it
    if error is not None:
        st.error(plain(NO_MEMORY if isinstance(error, MemoryError) else error), icon=":material/error:")
    return True


def panel(long: TooLongError) -> None:
    """Draw the estimate and a button, or the progress and a button that stops it; once on a page."""
    name = f"{long.data.digest[:12]}.{zlib.crc32(repr(long.kernel).encode())}"
    if not once(f"waiting.{name}"):
        st.caption("This needs the matrix above.")
        return
    if long.job is None and long.cost.sure and long.cost.seconds <= limits().matrix:
        long.start()
    job = long.job
    if job is None or not job.active:
        if job is not None and job.failure() is not None:
            st.error(plain(job.failure()), icon=":material/error:")
        st.info(plain(long), icon=":material/hourglass_empty:")
        label = "Compute anyway" if job is None else "Try again"
        button(label, f"waiting.start.{name}", long.start, icon=":material/play_arrow:")
        return

    def draw(_: object) -> None:
        progress(job)
        stop_button(job, f"waiting.stop.{name}")

    show(job, meanwhile=draw)


def progress(result: Slices[Any, Any] | Task) -> None:
    """Draw how much of a result is done."""
    share, words = result.progress()
    st.progress(share, text=words)


def stop_button(job: Task | None, key: str | None, **options: Any) -> None:
    """Draw the button that stops a job; it is disabled where no job is active."""
    st.button(
        "Stop",
        key=key,
        on_click=None if job is None else job.stop.set,
        icon=":material/stop:",
        disabled=job is None or not job.active,
        **options,
    )


def early_end(job: Task, stopped: str) -> None:
    """Draw the text `stopped` where a job was stopped."""
    if job.state == "stopped":
        st.info(stopped)


class PageEnd(Exception):
    """Nothing follows on this page but the slider of a view, if given, and an open menu, which `st.stop` would end."""

    def __init__(self, view: View | None = None) -> None:
        super().__init__()
        self.view = view


@dataclass(frozen=True)
class View:
    """A data set and a kernel that works on it.

    `data` are the rows that pictures show, `whole` all of them; they are the same up to `limits.MAX_ROWS`.
    """

    data: Dataset
    kernel: Kernel
    choice: DataChoice
    whole: Dataset


def current_view(scope: str = "This page shows {rows}") -> View:
    """Return the data and the kernel of the state; where the kernel fails, the page ends.

    A sentence then says what failed, and the slider leads to other values. For large data one line says what the page
    shows: `scope` names what is of `{rows}` and what of all `{n}`.
    """
    now = current()
    whole = now.load(now.data)
    data = compute.in_view(whole)
    view = View(data, now.kernel, now.data, whole)
    try:
        compute.gram(data, now.kernel)
    except KernlibError as error:
        _explain(error, now.data)
        raise PageEnd(view) from None
    parts: list[str] = []
    cost = compute.landmarks_cost(data, now.kernel)
    if whole is not data:
        rows = f"{data.n:,} of {whole.n:,} rows, a {'stratified' if data.classes else 'random'} sample"
        parts.append(scope.format(rows=rows, n=f"{whole.n:,}"))
    if cost is not None:
        parts.append(cost.words())
    if parts:
        st.caption(plain(" · ".join(parts)))
    return view


def _explain(error: KernlibError, choice: DataChoice) -> None:
    """Draw why there is no view, and the ways out."""
    if isinstance(error, compute.TooLargeError):
        _too_large(error, choice)
    elif isinstance(error, compute.TooLongError):
        panel(error)
    else:
        st.error(plain(error), icon=":material/error:")


def _too_large(error: compute.TooLargeError, choice: DataChoice) -> None:
    """Draw the sentence, and landmarks and fewer rows as buttons."""
    st.info(plain(error), icon=":material/hourglass_empty:")
    data, short = error.data, error.short
    by_landmarks = short is not None and data.n <= most_rows(short)
    with in_row():
        if by_landmarks:
            button(
                "Make landmarks the last step" if landmarks_of(error.kernel) else f"Use {LANDMARKS} landmarks",
                "large.landmarks",
                state.adopt,
                short,
                type="primary",
                icon=":material/scatter_plot:",
                help="Every row is compared with a few landmark rows only, drawn at random. The page shows the "
                "error of this approximation.",
            )
        if choice.uploaded and "n" in dict(choice.parameters):  # a sample of the file, to be drawn again
            st.page_link("views/data/page.py", label=f"Draw at most {error.most:,} rows on the Data page")
        else:
            button(
                f"Take {error.most:,} rows",
                "large.rows",
                state.take_rows,
                error.most,
                type="secondary" if by_landmarks else "primary",
                icon=":material/filter_list:",
                help="A sample of the rows, classes in proportion; a generator makes new rows. All numbers then "
                "describe only these rows.",
            )
