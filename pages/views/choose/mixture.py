"""Several kernels mixed on the page *Choose*: weights, alignment and error beside the best single kernel."""

from __future__ import annotations

import streamlit as st

from kernlib import figures
from kernlib.advice import Comparison, Mixing
from kernlib.data import Dataset
from pages.parts.frame import layout, waiting
from pages.parts.inputs.plain import code, plain
from pages.parts.results import choosing
from pages.parts.server.holder import deferred
from pages.parts.server.jobs import Task
from pages.parts.session import state
from pages.parts.session.value import is_current

#: Kernels of a race that a click keeps.
_BEST = 3


def draw(data: Dataset, found: Comparison | None) -> None:
    """Draw the kept kernels, and how their mixture compares with each. `data` are the rows compared."""
    kernels = choosing.fitting(data)
    st.caption(
        "The mixture is a weighted sum of the kept kernels, on random halves of the rows. One half learns the weights "
        "with the largest centred alignment; the other half measures alignment and error."
    )
    st.markdown("  \n".join(code(kernel) for kernel in kernels) or "No kernel is kept yet.")
    job = choosing.mixing_job(data, kernels)
    with st.container(horizontal=True):
        complete = job is not None and job.state == "done"
        busy = job is not None and job.active
        st.button(
            "Mixed" if complete else "Mix the kept kernels",
            key="choose.mix.go",
            on_click=deferred(choosing.start_mixing, data, kernels),
            type="secondary" if complete or busy else "primary",
            icon=":material/check:" if complete else ":material/play_arrow:",
            disabled=complete or busy or len(kernels) < 2,
            help="A mixture needs two kept kernels: *Keep for Choose* in the last menu keeps one.",
        )
        best = [one.kernel for one in found.best if one.measured is not None][:_BEST] if found is not None else []
        if len(best) > 1 and len(kernels) < 2:
            st.button(
                f"Keep the best {len(best)}",
                key="choose.mix.best",
                on_click=deferred(state.choose, choosing.KEPT, choosing.kept_text(best)),
                icon=":material/bookmark:",
            )
        waiting.stop_button(job, "choose.mix.stop")
    if job is not None:
        waiting.show(job, lambda _: _live(job))


def _live(job: Task) -> None:
    """Draw how far the comparison is, and its figures."""
    now: Mixing | None = job.latest
    if job.active:
        done, total = (0, 1) if now is None else (now.errors.errors.shape[1] - now.missing, now.errors.errors.shape[1])
        st.progress(done / total, text="Starting" if now is None else f"{done} of {total} halves")
    else:
        waiting.early_end(job, "Stopped. *Mix the kept kernels* starts again.")
    if now is None or now.missing:
        return
    st.markdown(f"**{plain(now.in_words())}**")
    for place, (name, title, fig) in zip(st.columns(3, gap="medium"), figures.mixing_bars(now), strict=True):
        with place:
            layout.panel(title, fig, f"choose.mix.{name}", name=name)
    st.caption("The best single kernel is chosen by these errors, so its error is slightly optimistic.")
    st.button(
        "Use the mixture on all pages",
        key="choose.mix.use",
        on_click=deferred(state.adopt, now.mixture),
        disabled=is_current(now.mixture),
    )
