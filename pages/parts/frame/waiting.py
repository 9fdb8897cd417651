"""Long computations: announced first, started by a click, computed behind the page, stopped by a click."""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Hashable
from typing import Any

import numpy as np
import streamlit as st

from kernlib.values.words import seconds_in_words
from pages.parts.inputs.controls import once
from pages.parts.inputs.plain import plain
from pages.parts.results.compute import TooLongError
from pages.parts.server.holder import deferred
from pages.parts.server.jobs import Job, Task, Work, matrix_job, registry
from pages.parts.server.limits import limits
from pages.parts.session import state
from pages.parts.session.polling import until_ended
from pages.parts.session.value import current


def panel(long: TooLongError) -> None:
    """Draw the estimate and a button, or the progress and a button that stops it; once on a page."""
    name = f"{long.data.digest[:12]}.{zlib.crc32(repr(long.kernel).encode())}"
    if not once(f"waiting.{name}"):
        st.caption("This needs the matrix above.")
        return
    job = matrix_job(long.data, long.kernel)
    if job is None and long.cost.sure and long.cost.seconds <= limits().matrix:
        job = registry().start_matrix(long.data, long.kernel)
    if job is not None and not _ended(job, long, name):
        return
    if job is not None and job.state == "failed":
        st.error(plain(job.problem), icon=":material/error:")
    st.info(plain(long), icon=":material/hourglass_empty:")
    st.button(
        "Compute anyway" if job is None else "Try again",
        key=f"waiting.start.{name}",
        on_click=deferred(_start, long),
        icon=":material/play_arrow:",
    )


def permitted(computation: Hashable, words: str, seconds: float) -> bool:
    """Return whether values may be computed; a button asks where they take long."""
    if seconds < limits().values or current().asked == computation:
        return True
    st.button(f"Compute {words}, {seconds_in_words(seconds)}", on_click=deferred(state.put, asked=computation))
    return False


def _start(long: TooLongError) -> None:
    registry().start_matrix(long.data, long.kernel)


def stop_button(job: Work | None, key: str | None, **options: Any) -> None:
    """Draw the button that stops a job; it is disabled where no job is active."""
    st.button(
        "Stop",
        key=key,
        on_click=None if job is None else job.stop.set,
        icon=":material/stop:",
        disabled=job is None or not job.active,
        **options,
    )


def early_end(job: Work, stopped: str) -> None:
    """Draw why a job has ended early: its problem, or the text `stopped`."""
    if job.state == "failed":
        st.error(plain(job.problem))
    elif job.state == "stopped":
        st.info(stopped)


def waits(job: Work) -> None:
    """Draw that a job waits, and for how many others that wait too."""
    before = registry().waiting_before(job)
    st.progress(0.0, text=f"Waiting for the server: {f'{before} before this one' if before else 'next in line'}")


def run_progress(job: Job) -> None:
    """Draw the progress of a run that waits or goes on."""
    if job.state == "waiting":
        waits(job)
    else:
        done = len(job.results)
        st.progress(min(1.0, done / max(1, job.total)), text=f"{done:,} of {job.total:,} points")


def when_at_rest(task: Task, K: np.ndarray) -> None:
    """Compute the eigenpairs of a large matrix once no slider moves, then draw the page again.

    While a person drags, every run replaces the job before its second tick, and the core is free for the next picture.
    """
    ticks = itertools.count()

    def begin() -> None:
        if next(ticks):
            registry().begin_spectrum(task, K)

    until_ended(task, begin)


def _ended(job: Task, long: TooLongError, name: str) -> bool:
    """Return whether the job has ended; until then draw its progress and a button that stops it."""

    def draw() -> None:
        passed = job.passed()
        if job.state == "waiting":
            waits(job)
        else:
            share = min(0.97, passed / max(1.0, long.cost.seconds))
            known = f" of {long.cost.words().partition(',')[0]}" if long.cost.sure else ""
            if job.parts is not None:
                done, total = job.parts
                share, known = done / total, f", {done:,} of {total:,} pairs"
            st.progress(share, text=f"{long.words}: {passed:.0f} s{known}")
        stop_button(job, f"waiting.stop.{name}")

    return until_ended(job, draw)
