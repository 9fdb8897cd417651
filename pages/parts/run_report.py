"""What a run has to say, while it goes on and when it is over."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from kernlib.data import Dataset
from kernlib.errors import ParameterError
from kernlib.experiments import Axis, Curve, against_guessing, curve, curve_csv, results_csv, scikit_script, script
from kernlib.figures import curves as figures
from kernlib.measures import measure
from kernlib.statistics import not_separable_from_best

from . import compute, layout, state
from .chain import assemble, take_apart
from .inert import plain
from .jobs import Job, registry

__all__ = ["chart", "described", "details", "kept_chart", "progress", "sentences"]

_MOST_KEPT = 4


def described(given: state.GivenRun) -> None:
    """A run that came from another page, in words: what is varied, tuned and measured."""
    spec = given.spec
    varied = [f"{axis.path.split('.')[-1]} = {_values(axis)}" for axis in spec.axes]
    tuned = [f"{axis.path.split('.')[-1]} of {_values(axis)}" for axis in spec.tuning]
    how = {"splits": spec.inner.describe(), "likelihood": "the smallest −log ℓ"}.get(spec.selection, spec.selection)
    how = "the validation rows" if spec.uses_validation else how
    st.markdown(f"**{plain(given.title)}**, as it was run")
    words = {
        "Data": spec.data + "".join(f", {name} = {value}" for name, value in spec.parameters)
        + (f", {spec.draws} draws" if spec.draws > 1 else ""),
        "Kernel": " → ".join(given.kernel.chain()),
        "Varied": "; ".join(varied) or "nothing",
        "Machine": repr(spec.machine),
        "Measure": ", ".join((spec.measure, *spec.also)),
        "Tuned": f"{'; '.join(tuned)}, by {how}" if tuned else "nothing",
    }  # fmt: skip
    st.markdown("\n".join(f"- {name}: {plain(said)}" for name, said in words.items()))


def _values(axis: Axis) -> str:
    """A grid in words: a few values, or how many."""
    values = axis.values
    if axis.path == "kernel" or len(values) > 12:
        return f"{len(values)} {'kernels' if axis.path == 'kernel' else 'values'}"
    return ", ".join(_word(v) for v in values)


def progress(job: Job) -> None:
    """How far the run is, and what stopped it."""
    job.watch()
    done = len(job.results)
    if job.state == "waiting":
        before = registry().waiting_before(job)
        st.progress(0.0, text=f"Waiting: {before} {'run' if before == 1 else 'runs'} before this one")
    elif job.active:
        st.progress(min(1.0, done / max(1, job.total)), text=f"{done} of {job.total} points")
    elif job.state == "failed":
        st.error(plain(job.problem))
    elif job.state == "stopped":
        st.info(f"Stopped after {done} of {job.total} points. *Go on* takes it up from here.")


def chart(job: Job, key: str) -> Curve:
    """The curve, or the map, of what has come so far."""
    results = list(job.results)
    drawn = curve(job.spec, results, label=_label(job))
    if not results:
        return drawn
    if job.spec.second is not None:
        fig = figures.score_map(drawn)
    else:
        shown = [*_kept(), drawn]
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
        style = st.session_state.get("curves.style", "line")
        fig = figures.error_curve(shown, style=style or "line", folds=st.session_state.get("curves.folds", False))
    layout.figure(fig, key, fill="page", name="error-curve", data=drawn.to_frame)
    return drawn


def kept_chart() -> None:
    """The curves that were kept, when no run is on show."""
    if _kept():
        layout.figure(figures.error_curve(_kept()), "curves.kept-chart", name="error-curves")


def sentences(job: Job, drawn: Curve, data: Dataset) -> None:
    """The result in words that can be defended."""
    if drawn.best is not None:
        value = drawn.values[drawn.best]
        mean, spread = drawn.mean[drawn.best], drawn.spread[drawn.best]
        tied = [_word(drawn.values[i]) for i in sorted(drawn.not_worse) if i != drawn.best]
        others = len(drawn.values) - 1
        if len(tied) == others > 1:
            tied = [f"any of the other {others}"]
        elif len(tied) > 8:
            tied = [f"{len(tied)} of the other {others}"]
        also = f" The splits cannot tell it from {', '.join(tied)} (corrected paired t-test, 5%)." if tied else ""
        where = f"{drawn.axis} = {_word(value)}" if drawn.axis else "This kernel"
        splits = int(drawn.splits[drawn.best])
        of = f"± {spread:.3f} over {splits} splits.{also}" if splits > 1 else "on one split, which cannot say how sure."
        st.markdown(f"Best: **{where}** with {drawn.measure} {mean:.3f} {of}")
        level = drawn.reference_mean
        if level < mean if drawn.lower_is_better else level > mean:
            label = plain(drawn.reference_label) or "the reference"
            st.markdown(f"The dashed line, {label}, does better than every value here: {level:.3f}.")
        if data.y is not None:
            st.markdown(plain(against_guessing(job.spec, drawn, data.y, data.classes)))
    if drawn.leaky is not None:
        gap = float(np.nanmean(np.abs(drawn.leakage)))
        st.markdown(
            f"Tuning on the test rows would claim **{gap:.3f}** better on average: that is the leak, not skill."
        )
    for text in (*drawn.problems[:3], *drawn.warnings[:3]):
        st.warning(plain(text))
    if job.spec.kernel.transductive:
        st.info("Transductive: the kernel has seen the test rows, without their labels.")
    task = measure(job.spec.measure).task
    st.caption(
        f"{len(job.results)} points in {job.seconds:.1f} s · {job.spec.protocol.describe(task)} · {job.spec.machine!r}"
        + (" · tuned inside each training part" if job.spec.tuning else "")
    )


def details(job: Job, drawn: Curve, view: state.View) -> None:
    """Adopt, keep, look closer, and take away."""
    if drawn.best is None:
        return
    with st.container(horizontal=True):
        if job.spec.axis and job.spec.axis.path.startswith("kernel."):
            best, _ = job.spec.at(drawn.values[drawn.best])
            st.button("Use the best value", on_click=state.adopt, args=(best,))
        if job.spec.second is None:
            st.button("Keep for comparison", on_click=_keep, args=(drawn,))
            if _kept():
                st.button("Forget kept curves", on_click=_kept().clear)
            st.segmented_control(
                "Style", ["line", "box"], default="line", key="curves.style", label_visibility="collapsed"
            )
            st.toggle("Single splits", key="curves.folds", persist_state="session")
    names = ["Improvement", "ROC and confusion", "Cheap criteria", "Numbers", "Take away"]
    if job.spec.second is not None:
        names[0] = "Adopt a cell"
    gain, roc, cheap, numbers, away = st.tabs(names, key="curves.tab", on_change="rerun")
    if gain.open:
        with gain, layout.guarded():
            _adopt_cell(job) if job.spec.second is not None else _improvement(drawn)
    if roc.open:
        with roc, layout.guarded():
            _decisions(job, drawn, view)
    if cheap.open:
        with cheap, layout.guarded():
            _criteria(job, drawn, view)
    if numbers.open:
        with numbers, layout.guarded():
            st.dataframe(_shown(drawn), hide_index=True)
            _differences(job, drawn)
            _landmarks(job, view)
    if away.open:
        with away:
            _take_away(job, drawn, view)


def _adopt_cell(job: Job) -> None:
    values = list(job.spec.values)
    cell = st.selectbox("Cell", range(len(values)), format_func=lambda i: _word(values[i]), key="curves.cell")
    kernel, _ = job.spec.at(values[cell])
    st.button("Use this cell's kernel", on_click=state.adopt, args=(kernel,))


def _improvement(drawn: Curve) -> None:
    if not (drawn.low >= 0.0 and drawn.high <= 1.0):
        st.info(
            f"A share of the possible improvement needs a best value that cannot be beaten, such as accuracy 1; "
            f"{drawn.measure} has none here. Hold the curve against its dashed line instead."
        )
        return
    # Level 0 and p = 1 are the kernel as it was.
    start = len(drawn.values) - 1 if drawn.symbol == "p" else 0
    over = st.selectbox(
        f"Improvement over {drawn.axis} =",
        range(len(drawn.values)),
        start,
        format_func=lambda i: _word(drawn.values[i]),
        key="curves.over",
    )
    gained = drawn.improvement(drawn.values[over])
    st.markdown(
        "Share of the possible improvement, $(\\bar a_j - \\bar a_0)/(1 - \\bar a_0)$ for accuracies averaged over "
        "the splits; its spread is one standard deviation of splits by the jackknife."
    )
    if np.isnan(gained[over].value):
        st.info(f"At {_word(drawn.values[over])} no split has an error: nothing is left to improve.")
    frame = {
        drawn.axis or "value": [_word(v) for v in drawn.values],
        "improvement": [g.value for g in gained],
        "spread": [g.spread for g in gained],
        "band from": [g.low for g in gained],
        "band to": [g.high for g in gained],
        "splits": [g.count for g in gained],
    }
    st.dataframe(pd.DataFrame(frame), hide_index=True)


def _decisions(job: Job, drawn: Curve, view: state.View) -> None:
    values = list(drawn.values)
    place = (
        st.select_slider(
            f"At {drawn.axis}", range(len(values)), drawn.best, format_func=lambda i: _word(values[i]), key="curves.at"
        )
        if len(values) > 1
        else 0
    )
    found = compute.decided(view.whole, job.spec.kernel, job.spec, values[place])
    left, middle, right = st.columns(3)
    with left:
        layout.figure(figures.roc_plot(found.roc_curves()), "curves.roc", name="roc")
    with middle:
        fig = figures.precision_recall_plot(found.precision_recall_curves())
        layout.figure(fig, "curves.precision-recall", name="precision-recall")
    with right:
        layout.figure(figures.confusion_plot(found.confusion()), "curves.confusion", name="confusion")
    st.caption("All test rows of all splits together; a row that several splits tested counts as often.")


def _criteria(job: Job, drawn: Curve, view: state.View) -> None:
    if job.spec.second is not None or job.spec.axis is None or not job.spec.axis.path.startswith("kernel."):
        st.info("Cheap criteria judge a kernel: vary one of the kernel's parameters.")
        return
    found = compute.criteria(view.whole, job.spec.kernel, job.spec)
    layout.figure(figures.criteria_lines(found, drawn), "curves.criteria", name="criteria")
    for text in found.problems[:3]:
        st.warning(plain(text))


def _differences(job: Job, drawn: Curve) -> None:
    """Each value against the best on the same splits."""
    complete = np.isfinite(drawn.scores).all(axis=0)
    if complete.sum() < 2 or len(drawn.values) < 2:
        return
    table = {_word(v): row for v, row in zip(drawn.values, drawn.scores[:, complete], strict=True)}
    told = not_separable_from_best(table, drawn.test_over_train, drawn.lower_is_better)
    st.markdown(
        "Differences from the best on the same splits, corrected for their shared rows (Nadeau and Bengio 2003):"
    )
    frame = {
        drawn.axis or "value": list(told.differences),
        "difference": [d.mean for d in told.differences.values()],
        "from": [d.low for d in told.differences.values()],
        "to": [d.high for d in told.differences.values()],
        "p-value": [d.p_value for d in told.differences.values()],
    }
    st.dataframe(pd.DataFrame(frame), hide_index=True)


def _landmarks(job: Job, view: state.View) -> None:
    """What the landmarks of each value cost."""
    found = compute.landmarks_of_run(view.whole, job.spec.kernel, job.spec)
    if not found:
        return
    st.markdown(
        "How far landmarks are from the kernel that they stand for, on the first training part: root mean square over "
        "all entries, relative, from a random probe; and the share of the rows' squared length that they do not span."
    )
    frame = {
        (job.spec.axis.path.split(".")[-1] if job.spec.axis else "value"): [_word(v) for v in found],
        "landmarks": [e.landmarks for e in found.values()],
        "relative error": [e.relative for e in found.values()],
        "±": [e.standard_error for e in found.values()],
        "not spanned": [e.missing for e in found.values()],
    }
    # Beyond six digits two means differ by rounding.
    st.dataframe(pd.DataFrame(frame).round(6), hide_index=True)


def _take_away(job: Job, drawn: Curve, view: state.View) -> None:
    st.markdown("Everything that this curve depends on, and a script that computes every number of it again.")
    spec, file = job.spec, view.data.title if view.choice.uploaded else ""
    with st.container(horizontal=True):
        for name, text, mime in (
            ("run.py", lambda: script(spec, file), "text/x-python"),
            ("run.json", lambda: spec.to_json(), "application/json"),
            ("folds.csv", lambda: results_csv(spec, list(job.results)), "text/csv"),
            ("curve.csv", lambda: curve_csv(spec, drawn), "text/csv"),
        ):
            st.download_button(
                name,
                data=lambda text=text: text().encode(),
                file_name=name,
                mime=mime,
                on_click="ignore",
                icon=":material/download:",
                key=f"curves.away.{name}",
            )
    form = st.segmented_control(
        "Script", ("The run itself", "A scikit-learn pipeline"), default="The run itself", key="curves.away.form"
    )
    if form == "A scikit-learn pipeline":
        try:
            st.code(scikit_script(spec, file), language="python")
            st.caption("The same kernel, splits and means, for what you already run in scikit-learn.")
        except ParameterError as error:
            st.info(plain(error))
    else:
        st.code(script(spec, file), language="python")
        st.caption(
            "Without the browser: `python -m kernlib run run.json --out results" + (" --data FILE`" if file else "`")
        )


def _kept() -> list[Curve]:
    return state.remember("curves.kept", [])


def _keep(drawn: Curve) -> None:
    kept = _kept()
    kept[:] = [*kept, drawn][-_MOST_KEPT:]


def _label(job: Job) -> str:
    return f"{job.spec.machine.label}, {assemble(take_apart(job.spec.kernel)[:1], {}).chip()}"


def _shown(drawn: Curve) -> pd.DataFrame:
    """The curve's table; values of several kinds, such as a number beside a word, are shown as words."""
    frame = drawn.to_frame()
    words = {name: [_word(v) for v in frame[name]] for name in frame if frame[name].dtype == object}
    return frame.assign(**words).rename(columns=lambda name: name.replace("_", " "))


def _word(value: Any) -> str:
    if isinstance(value, tuple):
        return " × ".join(_word(v) for v in value)
    if value is None:
        return "–"
    return f"{value:g}" if isinstance(value, (int, float)) else str(value)
