"""Choose: which kernel suits these rows, and how sure is that?"""

from __future__ import annotations

import shlex
from dataclasses import replace
from functools import partial

import streamlit as st

from kernlib import KernlibError, parse
from kernlib.advice import (
    ROWS,
    Comparison,
    beats_guessing,
    can_nest,
    expected,
    expected_in_words,
    guessing,
    headline,
    information_in_words,
    markdown,
    methods,
    regrets_in_words,
    sections,
    stages,
    title_of,
)
from kernlib.data import Dataset
from kernlib.figures import choose as figures
from kernlib.values.words import seconds_in_words
from pages.parts.frame import layout, waiting
from pages.parts.frame.view import PageEnd
from pages.parts.inputs.controls import option, switch, tabs, text
from pages.parts.inputs.plain import code, plain
from pages.parts.results import choosing, compute
from pages.parts.results.asking import Done, Failed
from pages.parts.server.holder import deferred
from pages.parts.server.jobs import Task
from pages.parts.session import state, uploaded
from pages.parts.session.polling import part_place
from pages.parts.session.value import current
from pages.views.choose import grid, versus

#: Numbers of rows that can be compared.
SIZES = (100, 200, ROWS, 800, 1600)
#: Tabs that are there after a race.
RACED = ("A against B", "All settings", "Report")

layout.heading(
    "Which kernel suits these rows?",
    "Kernels of many families are compared on the same rows: all by a quick error, the best by cross-validation.",
)
data = current().data.load()
if not compute.labelled(data):
    st.info(
        "Without labels no kernel is better than another. Choose data with labels in the line, or name a label. The "
        "page *Machine* shows which groups a kernel sees."
    )
    raise PageEnd


def add(typed: str) -> None:
    """Keep a kernel that was typed; a notice says what is wrong with it."""
    try:
        kernel = parse(typed)
    except KernlibError as error:
        state.change(state.notify, str(error))
        return
    state.choose(choosing.KEPT, choosing.kept_text((*choosing.kept(), kernel)))


def planned(data: Dataset, rows: int, budget: str) -> str:
    """Return what a comparison will do, and how long it takes at most."""
    settings = choosing.grid(data, rows)
    families = len({one.family for one in settings})
    ends = "It stops when all is done" if choosing.BUDGETS[budget] is None else f"It stops after {budget} at most"
    return (
        f"{len(settings)} settings from {families} families will be compared on {min(rows, data.n):,} rows. Squares "
        f"fill as errors are known; then the best kernels are cross-validated. {ends}."
    )


chart, controls = st.columns(layout.MAIN, gap="small")
with controls, layout.guarded():
    above = st.container()
    budget = option(
        st.segmented_control,
        "Budget",
        list(choosing.BUDGETS),
        "choose.budget",
        choosing.BUDGET,
        help="The comparison ends after this time with what is known by then. *Resume* continues it.",
    )
    sizes = [size for size in SIZES if size < data.n]
    rows = ROWS
    if sizes and data.n > SIZES[0] and not data.row_kind.square:
        # All rows of a smaller set, and at most the largest size of a larger one.
        if data.n <= SIZES[-1]:
            sizes.append(data.n)
        rows = option(
            st.select_slider,
            "Rows compared",
            sizes,
            "choose.rows",
            min(ROWS, data.n),
            help="If the data has more rows, a stratified sample is compared. Twice as many rows take up to five "
            "times as long.",
        )
    job = choosing.job_of(data, rows)
    found: Comparison | None = None if job is None else job.latest
    done = choosing.is_complete(job, data, rows)
    nesting = choosing.outer_job(data, rows)
    if found is not None and found.nested is None and nesting is not None and nesting.latest is not None:
        found = replace(found, nested=nesting.latest)
    go, stop = above.columns([8, 5])
    busy = job is not None and job.active
    go.button(
        "Compared" if done else "Compare kernels" if busy or found is None else "Resume",
        key="choose.go",
        on_click=deferred(choosing.start, data, rows, choosing.BUDGETS[budget]),
        type="primary",
        icon=":material/check:" if done else ":material/play_arrow:",
        width="stretch",
        disabled=done or busy,
    )
    with stop:
        waiting.stop_button(job, "choose.stop", width="stretch")
    if found is None and not busy:
        above.caption(planned(data, rows, budget))


def own_kernels() -> None:
    """Draw the kernels that are compared by request, and the line to type one in."""
    for kernel in choosing.kept():
        name, away = st.columns([8, 1], gap=None, vertical_alignment="center")
        name.markdown(code(kernel))
        away.button(
            ":material/close:",
            key=f"choose.away.{kernel!r}",
            help="Remove this kernel",
            type="tertiary",
            on_click=deferred(
                state.choose, choosing.KEPT, choosing.kept_text([k for k in choosing.kept() if k != kernel])
            ),
        )
    typed = text("Type a kernel", "", "choose.typed", placeholder="Deep(RBF(sigma=1.5), level=2)")
    st.button("Add it", key="choose.add", on_click=deferred(add, typed), icon=":material/add:", disabled=not typed)
    st.caption("*Keep for Choose* in the last menu adds the kernel of any page.")


def outer_progress(job: Task) -> None:
    """Draw how far nested cross-validation is."""
    folds, total = (0, 5) if job.latest is None else (job.latest.folds, job.latest.total)
    st.progress(folds / total, text=f"Part {min(folds + 1, total)} of {total}")


def outer(data: Dataset, rows: int, nesting: Task | None, state_now: Comparison) -> None:
    """Draw the expected error of the choice, and the button for nested cross-validation where it is not done."""
    for line in expected_in_words(state_now, data):
        st.markdown(plain(line))
    if state_now.nested is not None and state_now.nested.complete:
        return
    if nesting is not None and not waiting.ended(nesting, partial(outer_progress, nesting)):
        return
    if not can_nest(choosing.sample(data, rows)):
        return
    st.caption(
        "Nested cross-validation repeats the whole comparison on five parts of the rows. Each choice is tested on rows "
        f"that it has not seen: {seconds_in_words(4 * state_now.seconds)}."
    )
    st.button(
        "Test the whole procedure",
        key="choose.outer",
        on_click=deferred(choosing.start_outer, data, rows),
        icon=":material/verified:",
    )


def progress(job: Task) -> None:
    """Draw how far the comparison is, or that it was stopped."""
    state_now: Comparison | None = job.latest
    if not job.active:
        waiting.early_end(job, "Stopped. *Resume* continues from here.")
    elif state_now is None:
        st.progress(0.0, text="Starting")
    else:
        compared = len(state_now.settings)
        rounds = 0 if state_now.race is None else state_now.race.rounds
        share = 0.6 * compared / max(1, state_now.total) + 0.08 * rounds
        words = f"{compared} of {state_now.total} settings by their quick error"
        if compared == state_now.total:
            left = "" if state_now.race is None else f", {len(state_now.race.losses)} kernels left"
            words = f"Cross-validation: {rounds} of 5 rounds{left}"
        if state_now.stage == "nested":
            folds, total = (0, 5) if state_now.nested is None else (state_now.nested.folds, state_now.nested.total)
            share, words = folds / total, f"The whole comparison again: part {min(folds + 1, total)} of {total}"
        st.progress(min(1.0, share), text=words)


def main_figure(data: Dataset, rows: int, state_now: Comparison | None) -> None:
    """Draw the settings, or as soon as the race has begun one line a kernel, under the verdict."""
    verdict = "" if state_now is None else headline(state_now, data)
    if state_now is not None and beats_guessing(state_now, data):
        verdict = f"{verdict} {information_in_words(state_now)}"
    with st.container():  # the figure keeps its place below, with a verdict and without one
        if verdict:
            first, _, more = verdict.partition(". ")
            st.markdown(f"**{plain(first)}{'.' if more else ''}** {plain(more)}")
    if state_now is None or state_now.race is None:
        racing = [] if state_now is None else [one.kernel for one in state_now.best]
        fig = figures.settings_grid(choosing.grid(data, rows), state_now, racing)
        layout.figure(fig, "choose.settings", fill="controls" if verdict else "page", name="settings")
        return
    boxes = current().controls.get("choose.boxes") == "True"
    fig = figures.race_lines(
        state_now,
        guessing(data),
        expected(state_now),
        "box" if boxes else "line",
        data.task == "classification",
    )
    kernels = [one.kernel for one in state_now.best if one.measured is not None]
    layout.figure(
        fig,
        "choose.race",
        fill="controls",
        name="kernels",
        on_press=partial(layout.adopt_pressed, kernels),
        selection_mode="points",
    )


def report(data: Dataset, rows: int, found: Comparison) -> None:
    """Draw the downloads of the report, and the sentence to paste."""
    words = [*uploaded.words_of(current().data), "--rows", str(rows)]
    words += ["--settings", "settings.txt"] if found.grid else []
    script = shlex.join(["python", "-m", "kernlib", "advise", *words, "--report", "report.html"])
    own = script if current().data.uploaded else ""
    st.markdown("The verdict, the figure, the table, the protocol, a script, versions and sources.")
    with st.container(horizontal=True):
        layout.report(
            "report",
            lambda: figures.report_page(found, data, own),
            lambda: markdown(title_of(data), sections(found, data, own)),
            "choose.away",
        )
    st.markdown("For the methods section of a paper:")
    st.code(methods(found, data), language=None, wrap_lines=True)
    st.caption(f"The same without the browser: {code(script)}")


def live(data: Dataset, rows: int, found: Comparison | None, job: Task) -> None:
    """Draw the results of the comparison so far."""
    latest = job.latest
    if not job.active and found is not None:
        latest = found  # with the result of nested cross-validation
    main_figure(data, rows, latest)
    progress(job)


ended = job is None
with chart, layout.guarded():
    if job is None:
        with part_place():
            main_figure(data, rows, None)
    else:
        shown = partial(live, data, rows, found, job)
        ended = isinstance(waiting.show(job, lambda _: shown()), Done | Failed)
raced = found if ended and found is not None and found.race is not None else None
with controls, layout.guarded():
    if found is not None and ended:
        st.caption("  \n".join(plain(line) for line in (*stages(found, data), *found.notes)))
    if raced is not None:
        switch("Box plots of the splits", False, "choose.boxes")
    with st.expander("Kernels of your own", expanded=bool(choosing.kept())):
        own_kernels()
    if raced is not None:
        with st.expander("Expected error on new data", expanded=True):
            outer(data, rows, nesting, raced)
tab, place = tabs(["All settings"] if raced is None else RACED, "choose.tab")
with place, layout.guarded():
    if raced is None:
        grid.draw(data, rows)
    elif tab == "A against B":
        versus.draw(choosing.sample(data, rows), raced)
    elif tab == "Report":
        report(data, rows, raced)
    else:
        fig = figures.settings_grid(choosing.grid(data, rows), raced, [one.kernel for one in raced.best])
        layout.figure(fig, "choose.grid", name="settings")
        st.caption(plain(regrets_in_words()))
        st.dataframe(versus.table(raced), hide_index=True)
        grid.draw(data, rows)
