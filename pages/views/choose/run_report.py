"""Progress, result and downloads of a run."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from kernlib import Kernel
from kernlib.advice import orders_in_words
from kernlib.analysis import RocCurve, Threshold, at_threshold
from kernlib.data import Dataset
from kernlib.errors import DataError, KernlibError
from kernlib.experiments import (
    REFERENCE,
    UPLOAD,
    Axis,
    Criteria,
    Curve,
    Decisions,
    FoldResult,
    RunSpec,
    agreement_in_words,
    alike_in_words,
    best_in_words,
    chosen_table,
    curve,
    curve_csv,
    difference_in_words,
    gap_from_best,
    guess_of,
    like_the_best_in_words,
    more_rows,
    on_new_data_in_words,
    reference_name,
    results_csv,
    scikit_script,
    script,
    seen_by,
    settings_compared,
    transduction_in_words,
)
from kernlib.experiments.outcome.rivals import rival_lines, rivals, selection_run
from kernlib.experiments.proposals import transduction_run, ways_compared
from kernlib.figures import curves as figures
from kernlib.figures.theme import class_words
from kernlib.measures import measure
from kernlib.papers.almost_orthogonal import inductive_note
from kernlib.values.domains import form
from kernlib.values.words import number, percent, value_in_words
from kernlib.wrappers.best import BestColumns
from pages.parts.frame import layout
from pages.parts.frame.view import View
from pages.parts.frame.waiting import early_end
from pages.parts.inputs.controls import option, switch, tabs
from pages.parts.inputs.plain import code, plain
from pages.parts.results import compute
from pages.parts.server.holder import deferred
from pages.parts.server.jobs import Job, registry, session_id
from pages.parts.session import state
from pages.parts.session.chain import assemble, kernel_below, take_apart
from pages.parts.session.uploaded import files_of
from pages.parts.session.value import DataChoice, GivenRun, current

_TUNED = "What each split chose"
_MAP, _LINES = "map", "lines"


def described(given: GivenRun) -> None:
    """Describe a run that another page gave: its data, kernel, and what is varied, tuned and measured."""
    spec = given.spec
    varied = [f"{axis.path.split('.')[-1]} = {_values(axis)}" for axis in spec.axes]
    tuned = [f"{axis.path.split('.')[-1]} of {_values(axis)}" for axis in spec.tuning]
    st.markdown(f"**{plain(given.title)}**, as it was run")
    words = {
        "Data": spec.data + "".join(f", {name} = {value}" for name, value in spec.parameters)
        + (f", {spec.draws} draws" if spec.draws > 1 else ""),
        "Kernel": " → ".join(current().kernel.chain()),
        "Varied": "; ".join(varied) or "nothing",
        "Machine": _machine(spec),
        "Measure": ", ".join((spec.measure, *spec.also)),
        "Tuned": f"{'; '.join(tuned)}, by {_chosen_by(spec)}" if tuned else "nothing",
    }  # fmt: skip
    st.markdown("\n".join(f"- {name}: {plain(words_of)}" for name, words_of in words.items()))


def _chosen_by(spec: RunSpec) -> str:
    """Return as text by what a run's tuned values are chosen."""
    if spec.uses_validation:
        return "the validation rows"
    criteria = {
        "likelihood": "the smallest −log ℓ", "alignment": "the largest alignment",
        "leave-one-out": "the smallest leave-one-out error",
    }  # fmt: skip
    return criteria.get(spec.selection, spec.inner.describe(measure(spec.measure).task))


def opening() -> None:
    """Draw the box for a run file, whose run then stands in place of the controls."""
    key = "curves.file"
    st.file_uploader(
        "run.json of this page, or spec.json of `python -m kernlib run`", ["json"], key=key,
        on_change=deferred(lambda: _open(key)),
        help="The page shows the run with its data, kernel, splits and tuning. *Run* computes it again.",
    )  # fmt: skip


def _open(key: str) -> None:
    """Show the run of a file; a notice says what is wrong with it."""
    file = st.session_state.get(key)
    if file is None:
        return
    try:
        spec = RunSpec.from_json(file.getvalue())
        choice = _choice_of(spec)
        state.show("choose", choice, spec.kernel, GivenRun(spec, file.name))
    except KernlibError as error:
        state.change(state.notify, f"{file.name}: {error}")


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


def _values(axis: Axis) -> str:
    """Return a grid as text: a few values, or how many."""
    values = axis.values
    if axis.path == "kernel" or len(values) > 12:
        return f"{len(values)} {'kernels' if axis.path == 'kernel' else 'values'}"
    return ", ".join(value_in_words(v) for v in values)


def end_early(job: Job) -> None:
    """Draw that a run was stopped, if it was."""
    early_end(job, f"Stopped after {len(job.results):,} of {job.total:,} points. *Resume* continues from here.")


def chart(job: Job, key: str, data: Dataset) -> Curve:
    """Draw the curve, or the map, of the results so far."""
    results = list(job.results)
    drawn = curve(job.spec, results, label=_name(job.spec))
    if not results:
        return drawn
    lines = _as_lines(job.spec)
    if job.spec.second is not None and not lines:
        fig = figures.score_map(drawn)
    else:
        ways = rival_lines(job.spec, drawn)
        own = _lines(job.spec, drawn) if lines else list(ways or ())
        shown = own or [drawn]
        training = f"training {job.spec.measure}"
        if training in job.spec.also:
            shown.append(_on_training(job, training, results, drawn.measure))
        if drawn.leaky is not None:
            leak = replace(
                drawn,
                scores=drawn.leaky,
                label="tuned on the test rows (a leak)",
                band=None,
                best=None,
                not_worse=(),
                reference=None,
            )
            shown.append(leak)
        chosen = {} if ways else current().controls  # two axes in one picture are drawn as lines
        guess = guess_of(job.spec, data.y)
        fig = figures.error_curve(shown, folds=chosen.get("curves.folds") == "True", guess=guess)
    layout.figure(fig, key, fill="controls", name="error-curve", data=drawn.to_frame)
    return drawn


def _lines(spec: RunSpec, drawn: Curve) -> list[Curve]:
    """Return a curve of two axes as lines, those of a comparison of ways under their names."""
    lines, ways = drawn.lines(), ways_compared(spec)
    return [replace(one, label=name) for one, name in zip(lines, ways, strict=True)] if ways else list(lines)


def _as_lines(spec: RunSpec) -> bool:
    """Return whether two axes are drawn as one line for each value of the second; kernels begin as lines."""
    if spec.second is None:
        return False
    return current().controls.get("curves.as", _LINES if spec.second.path == "kernel" else _MAP) == _LINES


def _on_training(job: Job, measure: str, results: list[FoldResult], axis: str) -> Curve:
    """Return the same machines' curve on their training rows, as a plain line: nothing is chosen by it."""
    spec, scores = seen_by(measure, job.spec, results)
    drawn = curve(spec, scores, label="on the training rows")
    return replace(drawn, measure=axis, band=None, best=None, not_worse=(), reference=None, chosen=None)


def verdict(job: Job, drawn: Curve, data: Dataset) -> None:
    """Draw the headline above the curve: the best value beside the reference and guessing, and what is like it."""
    if drawn.best is None:
        return
    both = rivals(job.spec, drawn)
    headline = both.in_words(drawn, guess_of(job.spec, data.y)) if both else best_in_words(job.spec, drawn, data.y)
    place, headline = st.empty(), f"**{plain(headline)}**"
    place.markdown(headline)  # in sight while the reference is compared
    if both is not None:
        place.markdown(f"{headline} {plain(both.compared(drawn)[0])}")
        return
    alike = alike_in_words(job.spec, drawn, data.y, data.classes)
    place.markdown(" ".join([headline, plain(alike)]))


def sentences(job: Job, drawn: Curve, data: Dataset) -> None:
    """Draw what else is to say about the result; what the headline rests on is folded away."""
    if job.spec.axis is not None and job.spec.axis.path == "protocol.train":
        for line in drawn.lines() if drawn.second else (drawn,):
            words = more_rows(line)
            if words:
                st.markdown(f"{plain(line.label)}: {plain(words)}" if drawn.second else plain(words))
    if drawn.leaky is not None:
        gap = number(float(np.nanmean(np.abs(drawn.leakage))), 2)
        st.markdown(f"Tuning on the test rows would make the score look **{gap}** better on average: that is leakage.")
    for text in (*drawn.problems[:3], *drawn.warnings[:3]):
        st.warning(plain(text))
    if ways := ways_compared(job.spec):
        st.markdown(plain(transduction_in_words(drawn.lines(), ways)))
        st.caption("The second and the third way have seen the test rows, without their labels: they are transductive.")
    both = rivals(job.spec, drawn)
    if both is not None:
        st.caption(
            "F ranks the columns: the spread between the classes over the spread within them. Each split ranks by its "
            "training rows alone. Given parameters of the kernel stay; learnt ones are learnt from the kept columns. "
            "[O] 4.1."
        )
    if job.spec.kernel.transductive:
        st.info("Transductive: the kernel has seen the test rows, without their labels.")
    if note := inductive_note(job.spec.data, job.spec.kernel):
        st.caption(plain(note))
    difference = None if both else gap_from_best(drawn)
    task = measure(job.spec.measure).task
    with st.expander("How certain is this?"):
        if difference is not None:
            st.markdown(plain(difference_in_words(difference, drawn, reference_name(job.spec))))
        alike = like_the_best_in_words(job.spec, drawn, data.y, data.classes)
        if both is not None:
            _, alike = both.compared(drawn)
        for words in (*alike, " ".join(on_new_data_in_words(drawn))):
            st.markdown(plain(words))
        st.caption(
            f"{len(job.results):,} points in {number(job.seconds, 2)} s · {job.spec.protocol.describe(task)} · "
            + _machine(job.spec)
            + (f" · chosen inside each training part by {_chosen_by(job.spec)}" if job.spec.tuning else "")
        )


def details(job: Job, drawn: Curve, view: View) -> None:
    """Draw buttons that use and keep the result, and tabs with its details and downloads."""
    if drawn.best is None:
        return
    with st.container(horizontal=True):
        if job.spec.axis and job.spec.axis.path.startswith("kernel."):
            best, _ = job.spec.at(drawn.values[drawn.best])
            st.button("Use the best value", on_click=deferred(state.adopt, best))
        if job.spec.second is not None:
            ways = (_LINES, _MAP) if job.spec.second.path == "kernel" else (_MAP, _LINES)
            option(st.segmented_control, "Two axes", ways, "curves.as", label_visibility="collapsed")
        elif not rivals(job.spec, drawn):  # no other run has both axes of its chart
            switch("Single splits", False, "curves.folds")
        _comparison(
            transduction_run(job.spec), view, "Compare with all rows as landmarks", "three ways to use the rows",
            "The same powers on the same splits by two transductive ways: they also use the test rows, without labels.",
        )  # fmt: skip
        columns = view.whole.inputs.shape[1] if form(view.whole.domain).points else 0
        _comparison(
            selection_run(job.spec, columns), view, "Compare with feature selection", "a power or the best columns",
            "Measures the kernel without the power on the best columns, from few to all, on the same splits. Each "
            "training part chooses its columns.",
        )  # fmt: skip
    panels: dict[str, Callable[[], None]] = {_TUNED: partial(_chosen_inside, job, drawn)} if job.spec.tuning else {}
    if job.spec.second is not None:
        panels["Adopt a cell"] = partial(_adopt_cell, job)
    panels |= {
        "ROC and confusion": partial(_decisions, job, drawn, view),
        "Cheap criteria": partial(_criteria, job, drawn, view),
        "Numbers": partial(_numbers, job, drawn, view),
        "Downloads": partial(_downloads, job, drawn, view),
    }
    title, place = tabs(list(panels), "curves.tab")
    with place, layout.guarded():
        panels[title]()


def _comparison(spec: RunSpec | None, view: View, label: str, title: str, help: str) -> None:
    """Draw the button that shows and starts a run that compares this one with other ways, where there is one."""
    if spec is not None:
        st.button(
            label, icon=":material/compare_arrows:", help=help, on_click=deferred(_compare, spec, view.whole, title)
        )


def _compare(spec: RunSpec, data: Dataset, title: str) -> None:
    state.put(run=GivenRun(spec, title), job=registry().start(spec, data, session_id()), unasked=False)


def _numbers(job: Job, drawn: Curve, view: View) -> None:
    """Draw the table of the curve, the differences between its values, and the landmarks' errors."""
    st.dataframe(_shown(job.spec, drawn), hide_index=True)
    _differences(job, drawn)
    _landmarks(job, view)


def _chosen_inside(job: Job, drawn: Curve) -> None:
    """Draw what each split chose, a strip for each tuned parameter, and how stable the choice is at the best value."""
    assert drawn.best is not None
    most = drawn.tuned[drawn.best]
    if most:
        choice = ", ".join(f"{path.rpartition('.')[2]} = {value_in_words(value)}" for path, value in most[0][0])
        splits = sum(count for _, count in most)
        st.markdown(f"At the best value {most[0][1]:,} of {splits:,} splits chose {plain(choice)}.")
    results, values, shown = list(job.results), drawn.values, slice(None)
    if drawn.second:  # beside each other only the columns of one value fit
        count = len(drawn.second_values)
        shown, values = slice(drawn.best % count, None, count), drawn.first_values
        st.caption(plain(f"At {drawn.second} = {value_in_words(drawn.second_values[drawn.best % count])}."))
    columns = st.columns(min(2, len(job.spec.tuning)))
    for place, axis in enumerate(job.spec.tuning):
        name = axis.path.rpartition(".")[2]
        table = chosen_table(job.spec, results, axis.path)[:, shown]
        fig = figures.chosen_strip(table, axis.values, values, name, drawn.axis or "value")
        with columns[place % len(columns)]:
            layout.figure(fig, f"curves.chosen.{axis.path}", name=f"chosen-{name}")


def _adopt_cell(job: Job) -> None:
    values = list(job.spec.values)
    names = list(map(job.spec.in_words, values))
    cell = option(st.selectbox, "Cell", range(len(values)), "curves.cell", format_func=names.__getitem__)
    kernel, _ = job.spec.at(values[cell])
    if not any(isinstance(part, BestColumns) for part in kernel.walk()):  # chosen by labels, it would flatter a picture
        st.button("Use this cell's kernel", on_click=deferred(state.adopt, kernel))


def _decisions(job: Job, drawn: Curve, view: View) -> None:
    values = list(drawn.values)
    place = (
        option(
            st.select_slider,
            f"At {drawn.axis}",
            range(len(values)),
            "curves.at",
            drawn.best,
            format_func=lambda i: job.spec.in_words(values[i]),
        )
        if len(values) > 1
        else 0
    )
    decisions = compute.decided(view.whole, job.spec.kernel, job.spec, values[place])
    roc, precision = decisions.roc_curves(), decisions.precision_recall_curves()
    at: Threshold | None = None
    if len(roc) == 1:
        at, share = _threshold(roc[0], decisions)
        precision = (roc[0].at_share(share),)
    left, middle, right = st.columns(3)
    with left:
        layout.figure(figures.roc_plot(roc, at), "curves.roc", name="roc")
    with middle:
        fig = figures.precision_recall_plot(precision, at)
        layout.figure(fig, "curves.precision-recall", name="precision-recall")
    with right:
        counts = decisions.confusion() if at is None else decisions.confusion(at.threshold)
        layout.figure(figures.confusion_plot(counts), "curves.confusion", name="confusion")
    st.caption("All test rows of all splits together; a row tested in several splits counts several times.")


def _threshold(roc: RocCurve, decisions: Decisions) -> tuple[Threshold, float]:
    """Draw the sliders of the threshold and of the class' share, and what a machine with them does; return both."""
    steps = sorted({0.0, *(float(f"{q:.3g}") for q in np.quantile(decisions.scores, np.linspace(0.01, 0.99, 49)))})
    own, words = float((decisions.y == roc.code).mean()), class_words(decisions.classes)
    shares = sorted({0.001, 0.003, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 0.99, round(own, 3)})
    left, right = st.columns(2, gap="large")
    threshold = option(
        left.select_slider, "Threshold of the decision", steps, "curves.threshold", 0.0, format_func=value_in_words,
        help="The machine decides for the second class from this value on. 0 is its own threshold.",
    )  # fmt: skip
    share = option(
        right.select_slider, f"Share of {words[roc.code]} in new data"[:60], shares, "curves.share", round(own, 3),
        format_func=percent,
        help="Both rates stay the same. The rarer the class, the more of the rows called so are false alarms.",
    )  # fmt: skip
    at = at_threshold(decisions.y, decisions.decision, threshold, words)
    st.markdown(plain(at.in_words(share)))
    return at, share


def _criteria(job: Job, drawn: Curve, view: View) -> None:
    if job.spec.axis is None or not all(axis.path.startswith("kernel.") for axis in job.spec.axes):
        st.info("Cheap criteria judge a kernel: vary the kernel's parameters alone.")
        return
    criteria = compute.criteria(view.whole, job.spec.kernel, job.spec)
    agreement = {Criteria.SHORT[name]: one for name, one in criteria.agreement(drawn).items()}
    st.markdown(plain(agreement_in_words(agreement, drawn)))
    if job.spec.second is not None or layout.first_of(
        "Criteria",
        ("Against the measured score", "Over the values"),
        "curves.criteria.as",
        "Does a criterion that needs no test rows order the values as the test error does?",
    ):
        layout.figure(figures.criteria_scatter(criteria, drawn), "curves.criteria.scatter", name="criteria")
    else:
        layout.figure(figures.criteria_lines(criteria, drawn), "curves.criteria", name="criteria")
    below = kernel_below(job.spec.kernel, job.spec.axis.path)
    ratio = compute.diagonal_ratio(view.data, below)
    st.caption(plain(orders_in_words(job.spec.axis.path, view.data.domain, ratio)))
    for text in criteria.problems[:3]:
        st.warning(plain(text))


def _differences(job: Job, drawn: Curve) -> None:
    """Draw the difference of each value from the best on the same splits."""
    found = settings_compared(drawn)
    if found is None:
        return
    words = list(map(job.spec.in_words, drawn.values))
    if len({*words}) < len(words):  # values that agree in the digits that are shown
        words = [str(v) for v in drawn.values]
    named = {str(place): one for place, one in enumerate(words)} | {REFERENCE: reference_name(job.spec)}
    differences = {named[name]: one for name, one in found.differences.items()}
    st.markdown(
        "Differences from the best on the same splits. The p-values are corrected for shared rows (Nadeau and Bengio "
        "2003) and for the number of settings (Holm 1979)."
    )
    frame = {
        drawn.axis or "value": list(differences),
        "difference": [d.mean for d in differences.values()],
        "from": [d.low for d in differences.values()],
        "to": [d.high for d in differences.values()],
        "p-value": [d.p_value for d in differences.values()],
    }
    st.dataframe(pd.DataFrame(frame), hide_index=True)


def _landmarks(job: Job, view: View) -> None:
    """Draw the error of the landmarks at each value."""
    errors = compute.landmarks_of_run(view.whole, job.spec.kernel, job.spec)
    if not errors:
        return
    st.markdown(
        "Error of the landmarks on the first training part. The relative error is a root mean square over all entries, "
        "from a random probe. Not spanned is the share of the rows' squared length outside the landmarks' span."
    )
    frame = {
        (job.spec.axis.path.split(".")[-1] if job.spec.axis else "value"): list(map(job.spec.in_words, errors)),
        "landmarks": [e.landmarks for e in errors.values()],
        "relative error": [e.relative for e in errors.values()],
        "±": [e.standard_error for e in errors.values()],
        "not spanned": [e.missing for e in errors.values()],
    }
    # Beyond six digits two means differ by rounding.
    st.dataframe(pd.DataFrame(frame).round(6), hide_index=True)


def _downloads(job: Job, drawn: Curve, view: View) -> None:
    st.markdown("Everything that this curve depends on, and a script that recomputes it.")
    files = files_of(view.choice) if view.choice.uploaded else []
    spec, file, given = job.spec, files[0] if files else "", ["--data", *files] if files else []
    with st.container(horizontal=True):
        for name, text in (
            ("run.py", lambda: script(spec, file)),
            ("run.json", spec.to_json),
            ("folds.csv", lambda: results_csv(spec, list(job.results))),
            ("curve.csv", lambda: curve_csv(spec, drawn)),
        ):
            layout.download(name, text, f"curves.away.{name}")
    form = option(st.segmented_control, "Script", ("The run itself", "A scikit-learn pipeline"), "curves.script")
    if form == "A scikit-learn pipeline":
        pipeline = scikit_script(with_kernel(spec, view.kernel), file)
        layout.download("pipeline.py", lambda: pipeline, "curves.away.pipeline.py")
        st.code(pipeline, language="python")
        st.caption("The kernel in view, for what you already run in scikit-learn. A comment says what is left out.")
    else:
        st.code(script(spec, file), language="python")
        st.caption(
            "Without the browser: "
            + code(shlex.join(["python", "-m", "kernlib", "run", "run.json", "--out", "results", *given]))
        )


def with_kernel(spec: RunSpec, kernel: Kernel) -> RunSpec:
    """Return the run for a kernel; what it varies or tunes in another kernel, such as a step on top, is left out."""
    if spec.kernel == kernel.specification:
        return spec
    axis, second = (*(one for one in spec.axes if not one.path.startswith("kernel")), None, None)[:2]
    tuning = tuple(one for one in spec.tuning if not one.path.startswith("kernel"))
    return replace(
        spec, kernel=kernel.specification, axis=axis, second=second, tuning=tuning, reference=None,
        leaky=spec.leaky and bool(tuning),
    )  # fmt: skip


def _name(spec: RunSpec) -> str:
    return f"{spec.machine.label}, {assemble(take_apart(spec.kernel)[:1]).chip()}"


def _shown(spec: RunSpec, drawn: Curve) -> pd.DataFrame:
    """Return the curve's table; a column of numbers and words becomes a column of words."""
    frame = drawn.to_frame()
    words = {name: [value_in_words(v) for v in frame[name]] for name in frame if frame[name].dtype == object}
    if spec.axis is not None and spec.axis.path == "kernel":
        words[drawn.axis] = list(map(spec.axis.in_words, frame[drawn.axis]))
    return frame.assign(**words).rename(columns=lambda name: name.replace("_", " "))
