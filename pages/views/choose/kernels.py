"""Which kernel suits these rows? The race of the families, and the one recommendation that it ends in."""

from __future__ import annotations

from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernlib.advice import (
    Advice,
    Comparison,
    guessing,
    headline,
    markdown,
    preliminary,
    proposed_measure,
    recommended,
    sections,
    title_of,
)
from kernlib.data import Dataset
from kernlib.experiments import RunSpec, scikit_script
from kernlib.figures import choose as figures
from kernlib.values.words import seconds_in_words
from pages.parts.frame import layout, waiting
from pages.parts.frame.waiting import PageEnd
from pages.parts.inputs.controls import button
from pages.parts.results import choosing, compute
from pages.parts.server.jobs import Task
from pages.parts.server.runs import part_place
from pages.parts.session import state
from pages.parts.session.state import current, is_current, machine_of
from pages.parts.session.uploaded import files_of
from pages.views.choose import evidence


def draw(sentence: DeltaGenerator, row: DeltaGenerator) -> None:
    """Draw the recommendation, the race, what to take away, and the drawer."""
    data = current().data.load()
    if not compute.labelled(data):
        sentence.subheader("Which kernel suits these rows?", anchor=False)
        st.info(compute.UNLABELLED)
        raise PageEnd
    with row:
        go, stop = st.container(width="content"), st.container(width="content")
    job = choosing.job_of(data)
    found: Comparison | None = None if job is None else job.latest
    _buttons(data, job, go, stop)
    ended = job is None
    with layout.guarded():
        if job is None:
            with part_place():
                _main(data, None, sentence)
        else:

            def so_far(_: object) -> None:
                _main(data, job.latest, sentence, job.active)
                _progress(job)

            ended = waiting.show(job, so_far)
    raced = found if ended and found is not None and found.race is not None else None
    chosen = None if raced is None else recommended(raced.best)
    if raced is not None and chosen is not None:
        _next_step(data, raced, chosen)
    if found is not None and ended:
        evidence.draw(data, found)


def _buttons(data: Dataset, job: Task | None, go: DeltaGenerator, stop: DeltaGenerator) -> None:
    """Draw the buttons that start and stop the comparison."""
    done, busy = choosing.is_complete(job, data), job is not None and job.active
    untested = choosing.is_untested(job, data)
    label = "Compare kernels" if busy or job is None or job.latest is None else "Resume"
    help = "Ends after two minutes with what is known by then. *Resume* continues it."
    if untested and job is not None:
        label = "Test the whole procedure"
        help = "Nested cross-validation repeats the comparison on five parts of the rows and tests each on others. "
        help += seconds_in_words(4 * job.latest.seconds)
    button(
        "Compared" if done and not untested else label,
        "choose.go",
        choosing.start,
        data,
        draw=go.button,
        help=help,
        type="secondary" if done else "primary",
        icon=":material/verified:" if untested else ":material/check:" if done else ":material/play_arrow:",
        disabled=busy or (done and not untested),
    )
    with stop:
        waiting.stop_button(job, "choose.stop")


def _progress(job: Task) -> None:
    """Draw how far the comparison is, or that it was stopped."""
    now: Comparison | None = job.latest
    if not job.active:
        waiting.early_end(job, "Stopped. *Resume* continues from here.")
    elif now is None:
        st.progress(0.0, text="Starting")
    else:
        done, total = now.progress
        words = {
            "settings": f"{done} of {total} settings by their quick error",
            "race": f"Cross-validation: {done} of {total} rounds",
            "nested": f"The whole comparison again: part {min(done + 1, total)} of {total}",
        }
        st.progress(min(1.0, done / total), text=words.get(now.stage, ""))


def _main(data: Dataset, found: Comparison | None, sentence: DeltaGenerator, measuring: bool = False) -> None:
    """Draw the settings, or as soon as the race has begun one line a kernel, under the one sentence."""
    settings = choosing.settings(data)
    words = "" if found is None else preliminary(found, data.columns) if measuring else headline(found, data)
    if not words:
        families = len({one.family for one in settings})
        words = f"{len(settings)} settings of {families} families can be compared on {choosing.sample(data).n:,} rows."
    raced = [] if found is None or found.race is None else [one for one in found.best if one.measured is not None]
    layout.sentence(words, sentence)
    if found is None or found.race is None:
        racing = [] if found is None else [one.kernel for one in found.best]
        fig = figures.settings_grid(settings, found, racing)
        layout.figure(fig, "choose.settings", fill="controls")
        return
    fig = figures.race_lines(found, guessing(data), data.columns, current().kernel)
    # A figure that takes clicks is a new one with every result, and would blink.
    press = None if measuring else partial(layout.adopt_pressed, [one.kernel for one in raced])
    title = "Cross-validation of the best settings, trained on 80% of the rows (See: 50%); ★ recommended"
    layout.panel(title, fig, "choose.kernels", fill="controls", on_press=press)


def _next_step(data: Dataset, found: Comparison, chosen: Advice) -> None:
    """Draw the one next step, and the recommended kernel as a script and in a report."""
    command = evidence.command(data, found)
    with st.container(horizontal=True):
        button(
            "Use this kernel",
            "choose.use",
            state.adopt,
            chosen.kernel,
            type="primary",
            icon=":material/check:",
            disabled=is_current(chosen.kernel),
        )
        layout.download("pipeline.py", lambda: pipeline(data, chosen), "choose.pipeline")
        layout.report(
            lambda: figures.report_page(found, data, command),
            lambda: markdown(title_of(data), sections(found, data, command)),
            "choose.away",
        )


def pipeline(data: Dataset, chosen: Advice) -> str:
    """Return the scikit-learn pipeline of the recommended kernel, with the C that suits it."""
    choice = current().data
    machine = chosen.machine or machine_of(data)
    spec = RunSpec(
        choice.run_name(data),
        chosen.kernel.specification,
        machine,
        measure=proposed_measure(data)[0],
        parameters=choice.parameters,
    )
    return scikit_script(spec, *files_of(choice))
