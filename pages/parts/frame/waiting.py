"""Long computations: announced first, started by a click, drawn while they go on, stopped by a click."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any, TypeVar

import streamlit as st

from pages.parts.inputs.controls import once
from pages.parts.inputs.texts import plain
from pages.parts.results.asking import Result
from pages.parts.results.compute import TooLongError
from pages.parts.server.holder import deferred
from pages.parts.server.jobs import Task
from pages.parts.server.limits import NO_MEMORY, limits
from pages.parts.server.runs import part_place, until_done

T = TypeVar("T")


def show(
    result: Result[T],
    draw: Callable[[T], object] | None = None,
    meanwhile: Callable[[T], object] | None = None,
    *,
    key: str = "",
) -> bool:
    """Draw a result, again and again until it is complete, and return whether nothing more is to come.

    `draw` draws what is known, in the same place also when all is. With `meanwhile` alone, or without either, only
    what goes on is drawn, by default the progress, and the caller draws the complete result. Where a click must come
    first, its button is drawn, under this `key`. Where the result has failed, its sentence follows what is known of it.
    """
    permission = result.permission()
    if permission is not None and result.failure() is None:
        _ask(permission.label, permission.start, key)
        return False
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


def _ask(label: str, start: Callable[[], object], key: str) -> None:
    st.button(label, key=key or None, on_click=deferred(start), icon=":material/play_arrow:")


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
        _ask("Compute anyway" if job is None else "Try again", long.start, f"waiting.start.{name}")
        return

    def draw(_: object) -> None:
        progress(job)
        stop_button(job, f"waiting.stop.{name}")

    show(job, meanwhile=draw)


def progress(result: Result[Any]) -> None:
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
