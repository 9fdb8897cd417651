"""The same kernels on several data sets, on the page *Choose*: improvement, mean ranks, a report."""

from __future__ import annotations

import shlex
from functools import partial

import streamlit as st

from kernlib import Kernel
from kernlib.advice import HALVES, LEVELS, SETS_TITLE, MultiComparison, markdown, sets_in_words, sets_sections
from kernlib.data import CATALOGUE, Dataset
from kernlib.figures import sets as figures
from pages.parts.frame import layout, waiting
from pages.parts.inputs.controls import option, options
from pages.parts.inputs.plain import code, plain
from pages.parts.results import choosing
from pages.parts.results.asking import Done, Failed
from pages.parts.server.holder import deferred
from pages.parts.server.jobs import Task
from pages.parts.session import state
from pages.parts.session.uploaded import words_of
from pages.parts.session.value import DataChoice, current

#: Rows of a set and halves that can be chosen.
_ROWS, _SPLITS = (100, 200, 400), (5, HALVES, 20)
_PROPOSED, _KEPT = f"Levels {LEVELS[0]} to {LEVELS[-1]} of each set's proposed kernel", "Kernels of your own"
_NAMES = "choose.sets"


def draw() -> None:
    """Draw the menu of sets, and the results of the comparison so far."""
    chosen, kernels, rows, splits = _menus()
    job = choosing.sets_job(chosen, kernels, rows, splits)
    busy = job is not None and job.active
    complete = job is not None and job.state == "done"
    with st.container(horizontal=True):
        st.button(
            "Compared on these sets" if complete else "Compare on these sets",
            key="choose.sets.go",
            on_click=deferred(choosing.start_sets, chosen, kernels, rows, splits),
            type="secondary" if complete or busy else "primary",
            icon=":material/check:" if complete else ":material/play_arrow:",
            disabled=complete or busy or not chosen,
        )
        waiting.stop_button(job, "choose.sets.stop")
    if job is None:
        st.caption(
            "Every set is halved at random, the same halves for all kernels. C is tuned inside the training half."
        )
    elif isinstance(waiting.show(job, lambda _: _live(job)), Done | Failed):
        if job.latest is not None and job.latest.compared:
            _report(job.latest, rows, splits)


def _menus() -> tuple[list[Dataset], tuple[Kernel, ...], int, int]:
    """Draw what is chosen: the sets, the kernels, and how much is computed."""
    now = current()
    names = list(dict.fromkeys((now.data.name, *now.uploads, *CATALOGUE)))
    titles = {name: (now.uploads[name][1] if name in now.uploads else CATALOGUE[name]).title[:60] for name in names}
    kind = current().data.load().row_kind
    alike = [n for n in names if n in now.uploads or (CATALOGUE[n].row_kind is kind and CATALOGUE[n].kind == "sample")]
    sets, side = st.columns([8, 3], vertical_alignment="bottom")
    with sets:
        chosen = options(
            "Data sets", names, _NAMES, [now.data.name], format_func=titles.__getitem__,
            help="Samples, generators, and what this session has uploaded. Sets of unlike rows can be compared at "
            "different levels.",
        )  # fmt: skip
    side.button(
        "All samples like these",
        key="choose.sets.alike",
        on_click=deferred(state.choose, _NAMES, "|".join(alike)),
        help="Choose this session's uploads, and all samples with the same kind of rows.",
        width="stretch",
    )
    left, middle, right = st.columns([4, 3, 3], vertical_alignment="bottom")
    own = choosing.kept()
    which = option(
        left.selectbox, "Kernels", [_PROPOSED, *([_KEPT] if len(own) > 1 else [])], "choose.sets.kernels",
        help="*Kernels of your own* appears once two kernels are kept. All are compared with the first.",
    )  # fmt: skip
    rows = option(
        middle.segmented_control, "Rows of a set, at most", _ROWS, "choose.sets.rows", _ROWS[-1],
        help="If a set is larger, a stratified sample is compared.",
    )  # fmt: skip
    splits = option(
        right.segmented_control, "Halves", _SPLITS, "choose.sets.splits", HALVES,
        help="How often each set is halved: more halves make whiskers more reliable, and take longer.",
    )  # fmt: skip
    return [_choice(name).load() for name in chosen], own if which == _KEPT else (), rows, splits


def _choice(name: str) -> DataChoice:
    """Return the data in view as they are, an upload as it was read, and another set whole, as the command has it."""
    now = current()
    return now.data if name == now.data.name else now.uploads[name][0] if name in now.uploads else DataChoice(name)


def _live(job: Task) -> None:
    """Draw how far the comparison is, and what it says by then."""
    now: MultiComparison | None = job.latest
    with st.container():  # the figures keep their place below, with a state to report and without one
        if job.active:
            total, done = (1, 0) if now is None else (now.total, len(now.sets))
            words = "Starting" if now is None else f"Set {done} of {total}: {plain(now.sets[-1].title)}"
            st.progress(min(1.0, max(0, done - 1) / total), text=words)
        else:
            waiting.early_end(job, "Stopped. *Compare on these sets* continues from the sets that are complete.")
    if now is None or not any(one.errors.size for one in now.sets):
        return
    first, *others = sets_in_words(now)
    st.markdown(f"**{plain(first)}** " + plain(" ".join(others)))
    bars, ranks = st.columns([3, 2], gap="medium")
    with bars:
        layout.figure(figures.improvement_bars(now), "choose.sets.improvement", name="improvement")
    with ranks:
        layout.figure(figures.rank_lines(now), "choose.sets.ranks", name="mean-ranks")


def _report(found: MultiComparison, rows: int, splits: int) -> None:
    """Draw the table of all errors, the reports, and the command with the same numbers."""
    st.dataframe(found.to_frame(), hide_index=True)
    script = _command(rows, splits)
    with st.container(horizontal=True):
        layout.csv(found.to_frame, "choose.sets.table", "sets", help="All errors, improvements and ranks")
        layout.report(
            "sets", partial(figures.sets_page, found, script), partial(_markdown, found, script), "choose.sets.away"
        )
    st.caption(f"The same without the browser: {code(script)}")


def _markdown(found: MultiComparison, script: str) -> str:
    return markdown(SETS_TITLE, sets_sections(found, script))


def _command(rows: int, splits: int) -> str:
    """Return the command that compares the same kernels; an upload is given as its file."""
    now = current()
    text = now.controls.get(_NAMES)
    names = [now.data.name] if text is None else [name for name in text.split("|") if name]
    choices = [now.uploads[name][0] if name in now.uploads else DataChoice(name) for name in names]
    files = [word for choice in choices for word in words_of(choice)]
    kernels = choosing.kept() if now.controls.get("choose.sets.kernels") == _KEPT else ()
    more = [word for kernel in kernels for word in ("--kernel", repr(kernel))]
    asked = ["--rows", str(rows), "--splits", str(splits), *more]
    return shlex.join(["python", "-m", "kernlib", "compare", *files, *asked])
