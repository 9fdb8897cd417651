"""A Gram matrix that takes long: said before, computed apart when it is wanted, stopped when it is not."""

from __future__ import annotations

import zlib

import streamlit as st

from .compute import TooLong
from .inert import plain
from .jobs import MatrixJob, SpectrumJob, matrix_job, registry

__all__ = ["panel", "until_there"]

#: Seconds up to which nobody is asked.
UNASKED = 30.0


def panel(long: TooLong) -> None:
    """What it will take and a button, or how far it is and a way to stop it; once on a page."""
    shown: set[str] = st.session_state.setdefault("waiting.shown", set())
    name = f"{long.data.digest[:12]}.{zlib.crc32(repr(long.kernel).encode())}"
    if name in shown:
        st.caption("This needs the matrix above.")
        return
    shown.add(name)
    job = matrix_job(long.data, long.kernel)
    if job is None and long.cost.sure and long.cost.seconds <= UNASKED:
        job = registry().start_matrix(long.data, long.kernel)
    if job is not None and job.active:
        _follow(job, long, name)
        return
    if job is not None and job.state == "failed":
        st.error(plain(job.problem), icon=":material/error:")
    st.info(plain(long), icon=":material/hourglass_empty:")
    st.button(
        "Compute it all the same" if job is None else "Try again",
        key=f"waiting.start.{name}",
        on_click=registry().start_matrix,
        args=(long.data, long.kernel),
        icon=":material/play_arrow:",
    )


def until_there(job: SpectrumJob) -> None:
    """Have a large matrix's eigenpairs found once the page rests, and draw it again when they are there.

    Whoever drags on has drawn the page anew by then, and the core is free for the next picture.
    """
    drawn = False

    def tick() -> None:
        nonlocal drawn
        job.watch()
        if drawn:
            registry().begin_spectrum(job)
        if not job.active:
            st.rerun()
        drawn = True

    st.fragment(tick, run_every=0.3)()


@st.fragment(run_every=0.7)
def _follow(job: MatrixJob, long: TooLong, name: str) -> None:
    job.watch()
    if not job.active:
        st.rerun()
    passed = job.passed()
    if job.state == "waiting":
        st.progress(0.0, text=f"Waiting: {registry().waiting_before(job)} before this one")
    else:
        share = min(0.97, passed / max(1.0, long.cost.seconds))
        known = f" of {long.cost.words().partition(',')[0]}" if long.cost.sure else ""
        st.progress(share, text=f"{long.words}: {passed:.0f} s{known}")
    st.button("Stop", key=f"waiting.stop.{name}", on_click=job.stop.set, icon=":material/stop:")
