"""What stands behind *Which value?*: how certain it is, further curves, decisions, and the run again."""

from __future__ import annotations

import shlex
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from kernlib.advice import markdown, page, run_sections
from kernlib.analysis import RocCurve, Threshold, at_threshold
from kernlib.errors import DataError, KernlibError
from kernlib.experiments import (
    REFERENCE,
    UPLOAD,
    Curve,
    Decisions,
    FoldResult,
    RunSpec,
    curve,
    curve_csv,
    difference_in_words,
    gap_from_best,
    more_in_words,
    reference_name,
    results_csv,
    scikit_script,
    script,
    seen_by,
    settings_compared,
    value_to_take,
)
from kernlib.figures import curves as figures
from kernlib.figures.theme import class_words, figure_html
from kernlib.measures import MEASURES
from kernlib.values.words import number, percent, value_in_words
from pages.parts.frame import layout
from pages.parts.frame.waiting import View
from pages.parts.inputs.controls import button, in_row, option, plain, switch
from pages.parts.results import compute
from pages.parts.server.jobs import Job
from pages.parts.server.runs import deferred
from pages.parts.session import state
from pages.parts.session.state import DataChoice, GivenRun, current
from pages.parts.session.uploaded import files_of
from pages.views.choose.value_settings import LEAKY, tunable


def described(given: GivenRun) -> None:
    """Draw a run that another page gave, as the script that repeats it."""
    st.markdown(f"**{plain(given.title)}**, as it was run")
    st.code(script(given.spec, *files_of(current().data)), wrap_lines=True)


def _chosen_by(spec: RunSpec) -> str:
    """Return as text by what a run's tuned values are chosen."""
    if spec.uses_validation:
        return "the validation rows"
    if spec.selection == "likelihood":
        return "the smallest −log ℓ"
    return spec.inner.describe(MEASURES[spec.measure].task)


def opening() -> None:
    """Draw the box for a run file, whose run then stands in place of the controls."""
    key = "choose.file"

    def opened() -> None:
        """Show the run of a file; a notice says what is wrong with it."""
        file = st.session_state.get(key)
        if file is None:
            return
        try:
            spec = RunSpec.from_json(file.getvalue())
            state.show("choose", _choice_of(spec), spec.kernel, GivenRun(spec, file.name))
        except KernlibError as error:
            state.change(state.notify, f"{file.name}: {error}")

    st.file_uploader(
        "run.json of this page, or spec.json of `python -m kernlib run`",
        ["json"],
        key=key,
        on_change=deferred(opened),
        help="The page shows the run with its data, kernel, splits and tuning. *Run* computes it again.",
    )


def _choice_of(spec: RunSpec) -> DataChoice:
    """Return the data of a run as a session chooses it; DataError for an upload that this session does not have."""
    if not spec.data.startswith(UPLOAD):
        return DataChoice(spec.data, spec.parameters)
    for choice, data in current().uploads.values():
        if data.digest == spec.data[len(UPLOAD) :]:
            return choice
    raise DataError("the run is of an uploaded file. Upload that file on the Data page, then open the run again.")


def _machine(spec: RunSpec) -> str:
    """Return the run's machine as text; a parameter that the run varies or tunes is none of the machine's own."""
    words = [(axis.path, "varied") for axis in spec.axes] + [(axis.path, "tuned") for axis in spec.tuning]
    return spec.machine.describe({path.removeprefix("machine."): word for path, word in words})


def beside(spec: RunSpec, drawn: Curve, results: list[FoldResult]) -> list[Curve]:
    """Return the same machines' curves on their training rows and with the leak, by which nothing is chosen."""
    plain_line = partial(replace, band=None, best=None, not_worse=(), reference=None, chosen=None, leaky=None)
    lines, training = [], f"training {spec.measure}"
    if training in spec.also:
        of_training, scores = seen_by(training, spec, results)
        one = curve(of_training, scores, label="training rows")
        lines.append(plain_line(one, measure=drawn.measure))
    if drawn.leaky is not None:
        lines.append(plain_line(drawn, scores=drawn.leaky, label="test rows, tuned on them (a leak)"))
    return lines


def run_of_choice(spec: RunSpec, drawn: Curve) -> RunSpec:
    """Return the run of the recommended value alone, with what its machine tunes; or of the reference."""
    place = value_to_take(spec, drawn)
    assert place is not None
    value = drawn.values[place] if drawn.beats_reference or spec.reference is None else REFERENCE
    alone = replace(spec.only(value), leaky=False, also=())
    if value != REFERENCE:
        kernel, machine = spec.at(value)
        alone = replace(alone.over(()), kernel=kernel.specification, machine=machine)
    return alone


def take_away(job: Job, drawn: Curve, chosen: RunSpec, view: View) -> None:
    """Draw the downloads of the chosen kernel's pipeline and of the report."""
    layout.download("pipeline.py", lambda: scikit_script(chosen, *files_of(view.choice)), "choose.value.pipeline")
    parts = partial(run_sections, job.spec, drawn, view.whole, script(job.spec, *files_of(view.choice)))
    title = f"{view.whole.title}: {drawn.measure} over {drawn.axis or 'one kernel'}"

    def page_of_report() -> str:
        taken = value_to_take(job.spec, drawn)
        fig = figures.error_curve(drawn, beside(job.spec, drawn, list(job.results)), taken=taken)
        return page(title, parts(), figure_html(fig) if job.spec.second is None else "")

    layout.report(page_of_report, lambda: markdown(title, parts()), "choose.value.away")


@layout.drawer("choose.value.evidence")
def draw(job: Job, drawn: Curve, view: View) -> None:
    """Draw how certain it is, what each split chose, the leak, decisions, and the run again."""
    _sentences(job, drawn, view)
    _differences(job, drawn)
    most = drawn.tuned[drawn.best] if job.spec.tuning and drawn.best is not None else ()
    if most:
        choice = ", ".join(f"{path.rpartition('.')[2]} = {value_in_words(value)}" for path, value in most[0][0])
        splits = sum(count for _, count in most)
        st.markdown(f"At the best value {most[0][1]:,} of {splits:,} splits chose {plain(choice)}.")
    if drawn.second == "" and view.whole.task == "classification":
        _decisions(job, drawn, view)
    _again(job, drawn, view)


def _sentences(job: Job, drawn: Curve, view: View) -> None:
    """Draw what the recommendation rests on, in sentences, and the switch that shows the leak."""
    spec, data = job.spec, view.whole
    lines = more_in_words(spec, drawn, data.y)
    difference = gap_from_best(drawn)
    if difference is not None:
        lines.insert(0, difference_in_words(difference, drawn, reference_name(spec)))
    if drawn.leaky is not None:
        gap = drawn.in_words(float(np.nanmean(np.abs(drawn.leakage))))
        lines.append(f"Tuning on the test rows would look {gap} better on average: that is leakage.")
    if spec.kernel.transductive:
        lines.append("Transductive: the kernel has seen the test rows, without their labels.")
    for words in filter(None, lines):
        st.markdown(plain(words))
    for text in (*drawn.problems[:3], *drawn.warnings[:3]):
        st.warning(plain(text))
    for known in compute.from_rows(data, view.kernel):
        if known.path not in {axis.path for axis in spec.axes}:
            st.markdown(plain(str(known)))
            button(
                "Learn it from each training part",
                f"choose.learn.{known.path}",
                state.adopt,
                known.learnt(view.kernel),
                icon=":material/school:",
                type="tertiary",
            )
    if current().run is None and (spec.tuning or tunable(spec.machine, spec.axes)):
        switch(
            "Show tuning on test rows (a leak)",
            False,
            LEAKY,
            help="A common mistake: the same folds, with the value that is best on the test rows. The honest curve "
            "tunes the same parameters inside the training part.",
        )


def _decisions(job: Job, drawn: Curve, view: View) -> None:
    values = list(drawn.values)
    place = (
        option(
            st.select_slider,
            f"At {drawn.axis}",
            range(len(values)),
            "choose.at",
            drawn.best,
            format_func=lambda i: job.spec.in_words(values[i]),
        )
        if len(values) > 1
        else 0
    )
    decisions = compute.decided(view.whole, job.spec.kernel, job.spec, values[place])
    roc = decisions.roc_curves()
    at = _threshold(roc[0], decisions) if len(roc) == 1 else None
    left, right = st.columns(2)
    with left:
        layout.figure(figures.roc_plot(roc, at), "choose.roc")
    with right:
        counts = decisions.confusion() if at is None else decisions.confusion(at.threshold)
        layout.figure(figures.confusion_plot(counts), "choose.confusion")
    st.caption("All test rows of all splits together; a row tested in several splits counts several times.")


def _threshold(roc: RocCurve, decisions: Decisions) -> Threshold:
    """Draw the sliders of the threshold and of the class' share, and what a machine with them does."""
    steps = sorted({0.0, *(float(f"{q:.3g}") for q in np.quantile(decisions.scores, np.linspace(0.01, 0.99, 49)))})
    own, words = float((decisions.y == roc.code).mean()), class_words(decisions.classes)
    shares = sorted({0.001, 0.003, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 0.99, round(own, 3)})
    left, right = st.columns(2, gap="large")
    threshold = option(
        left.select_slider,
        "Threshold of the decision",
        steps,
        "choose.threshold",
        0.0,
        format_func=value_in_words,
        help="The machine decides for the second class from this value on. 0 is its own threshold.",
    )
    share = option(
        right.select_slider,
        f"Share of {words[roc.code]} in new data"[:60],
        shares,
        "choose.share",
        round(own, 3),
        format_func=percent,
        help="Both rates stay the same. The rarer the class, the more of the rows called so are false alarms.",
    )
    at = at_threshold(decisions.y, decisions.decision, threshold, words)
    st.markdown(plain(at.in_words(share)))
    return at


def _differences(job: Job, drawn: Curve) -> None:
    """Draw the difference of each value from the best on the same splits."""
    found = settings_compared(drawn)
    if found is None:
        return
    words = list(map(job.spec.in_words, drawn.values))
    if len({*words}) < len(words):  # values that agree in the digits that are shown
        words = [str(v) for v in drawn.values]
    st.markdown(
        "Differences from the best on the same splits. The p-values are corrected for shared rows (Nadeau and Bengio "
        "2003) and for the number of settings (Holm 1979)."
    )
    table = pd.DataFrame(
        {
            drawn.axis or "value": reference_name(job.spec) if place == REFERENCE else words[int(place)],
            "difference": round(one.mean, 9),  # sums of floats leave 1e-18
            "from": one.low,
            "to": one.high,
            "p-value": one.p_value,
        }
        for place, one in found.differences.items()
    )
    formats = {"p-value": st.column_config.NumberColumn(format="%.2g")}
    st.dataframe(table, hide_index=True, column_config=formats)


def _again(job: Job, drawn: Curve, view: View) -> None:
    """Draw the files of the run, what repeats it without the browser, and the box that opens a run again."""
    spec, task = job.spec, MEASURES[job.spec.measure].task
    by = f" · chosen inside each training part by {_chosen_by(spec)}" if spec.tuning else ""
    st.caption(
        f"{len(job.results):,} points in {number(job.seconds, 2)} s · {spec.protocol.describe(task)} · "
        f"{_machine(spec)}{by}"
    )
    st.markdown("The run again, without the browser:")
    files = files_of(view.choice)
    given = ["--data", *files] if files else []
    st.code(shlex.join(["python", "-m", "kernlib", "run", "run.json", "--out", "results", *given]))
    with in_row():
        for name, text in (
            ("run.json", spec.to_json),
            ("run.py", lambda: script(spec, *files_of(view.choice))),
            ("folds.csv", lambda: results_csv(spec, list(job.results))),
            ("curve.csv", lambda: curve_csv(spec, drawn)),
        ):
            layout.download(name, text, f"choose.away.{name}")
