"""Long computations: announced first, started by a press, computed behind the page, stopped by a press."""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Hashable

import streamlit as st

from pages.parts.inputs.controls import once
from pages.parts.inputs.plain import plain
from pages.parts.results.compute import TooLong
from pages.parts.server.jobs import MatrixJob, SpectrumJob, matrix_job, registry
from pages.parts.server.limits import limits
from pages.parts.session import state
from pages.parts.session.polling import until_done
from pages.parts.session.value import current


def panel(long: TooLong) -> None:
    """Draw the estimate and a button, or the progress and a button that stops it; once on a page."""
    name = f"{long.data.digest[:12]}.{zlib.crc32(repr(long.kernel).encode())}"
    if not once(f"waiting.{name}"):
        st.caption("This needs the matrix above.")
        return
    job = matrix_job(long.data, long.kernel)
    if job is None and long.cost.sure and long.cost.seconds <= limits().matrix:
        job = registry().start_matrix(long.data, long.kernel)
    if job is not None and not _arrived(job, long, name):
        return
    if job is not None and job.state == "failed":
        st.error(plain(job.problem), icon=":material/error:")
    st.info(plain(long), icon=":material/hourglass_empty:")
    st.button(
        "Compute anyway" if job is None else "Try again",
        key=f"waiting.start.{name}",
        on_click=_start,
        args=(long,),
        icon=":material/play_arrow:",
    )


def permitted(computation: Hashable, words: str, seconds: float) -> bool:
    """Return whether values may be computed; a button asks where they take long."""
    if seconds < limits().values or current().asked == computation:
        return True
    st.button(f"Compute {words}, about {seconds:.0f} s", on_click=state.ask, args=(computation,))
    return False


def _start(long: TooLong) -> None:
    registry().start_matrix(long.data, long.kernel)


def when_at_rest(job: SpectrumJob) -> None:
    """Compute the eigenpairs of a large matrix once no slider moves, then draw the page again.

    While a person drags, every run replaces the job before its second tick, and the core is free for the next picture.
    """
    ticks = itertools.count()

    def begin() -> None:
        job.watch()
        if next(ticks):
            registry().begin_spectrum(job)

    until_done(lambda: not job.active, lambda: None, begin)


def _arrived(job: MatrixJob, long: TooLong, name: str) -> bool:
    """Return whether the job has ended; until then draw its progress and a button that stops it."""

    def draw() -> None:
        job.watch()
        passed = job.passed()
        if job.state == "waiting":
            st.progress(0.0, text=f"Waiting: {registry().waiting_before(job)} before this one")
        else:
            share = min(0.97, passed / max(1.0, long.cost.seconds))
            known = f" of {long.cost.words().partition(',')[0]}" if long.cost.sure else ""
            st.progress(share, text=f"{long.words}: {passed:.0f} s{known}")
        st.button("Stop", key=f"waiting.stop.{name}", on_click=job.stop.set, icon=":material/stop:")

    return until_done(lambda: not job.active, draw)
