"""One kernel against another on the page *Choose*: their errors split by split, tests, matrices and spectra."""

from __future__ import annotations

import shlex
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from kernlib.advice import Advice, Compared, Comparison
from kernlib.data import Dataset
from kernlib.figures import before_after
from kernlib.figures import choose as figures
from kernlib.figures.spectrum import coefficient_plot, eigenvalue_plot
from kernlib.statistics import paired_difference
from kernlib.values.arrays import Array
from kernlib.values.words import number, short_chains
from pages.parts.frame import layout, waiting
from pages.parts.inputs.controls import option
from pages.parts.inputs.plain import code, plain
from pages.parts.results import choosing, compute
from pages.parts.server.holder import deferred
from pages.parts.server.jobs import Task
from pages.parts.session import state
from pages.parts.session.uploaded import words_of
from pages.parts.session.value import current, is_current

#: Random halves on which two kernels are measured with C tuned inside.
_HALVES = 20
_RACE, _INSIDE = "of the race", "C tuned inside"
_WAYS = (
    "The race uses, for each kernel, the C that suits all rows. *C tuned inside* splits the rows into new random "
    "halves and tunes C by cross-validation inside the training half."
)


def draw(data: Dataset, found: Comparison) -> None:
    """Draw the menus of two kernels that raced, and how they differ. `data` are the rows compared."""
    lines = {repr(one.kernel): one for one in found.best if one.measured is not None}
    if len(lines) < 2 or found.race is None:
        st.info("A comparison needs two kernels in the race, the cross-validation of the best; only one ran.")
        return
    names = list(lines)
    words = dict(zip(names, short_chains([one.chain for one in lines.values()]), strict=True))
    left, right = st.columns(2, vertical_alignment="bottom")
    a = lines[option(left.selectbox, "A", names, "choose.a", names[0], format_func=words.__getitem__)]
    b = lines[option(right.selectbox, "B", names, "choose.b", names[1], format_func=words.__getitem__)]
    pair = words[repr(a.kernel)], words[repr(b.kernel)]
    if option(st.segmented_control, "Errors", [_RACE, _INSIDE], "choose.errors", help=_WAYS) == _RACE:
        first, second = found.race.scores[a.kernel], found.race.scores[b.kernel]
        splits = min(len(first), len(second))  # a kernel that was dropped ran the first splits alone
        _errors(first[:splits], second[:splits], found.race.test_over_train, pair)
    else:
        _inside(data, a, b, pair)
    _matrices(data, a, b)


def _inside(data: Dataset, a: Advice, b: Advice, words: tuple[str, str]) -> None:
    """Draw the errors with C tuned inside each training half, or the button that measures them."""
    if a.kernel == b.kernel:
        st.info("A and B are the same kernel. Choose another one for B.")
        return
    asked = (data, (a.kernel, b.kernel), _HALVES)
    job = choosing.pair_job(*asked)
    if job is not None and not waiting.ended(job, partial(_progress, job)):
        return
    one: Compared | None = None if job is None else job.latest
    if one is None or np.isnan(one.errors).any():
        if job is not None and job.problem:
            st.error(plain(job.problem))
        st.caption("The race uses one C for all splits, chosen with the test rows. Here no choice uses them.")
        st.button(
            f"Measure A and B on {_HALVES} halves",
            key="choose.pair.go",
            on_click=deferred(choosing.start_pair, *asked),
            icon=":material/play_arrow:",
            type="primary",
        )
        return
    _errors(one.errors[0], one.errors[1], one.test_over_train, words)
    given = [word for one in (a, b) for word in ("--kernel", repr(one.kernel))]
    given += ["--rows", str(data.n), "--splits", str(_HALVES)]
    script = shlex.join(["python", "-m", "kernlib", "compare", *words_of(current().data), *given])
    st.caption(f"The same without the browser: {code(script)}")


def _progress(job: Task) -> None:
    done = 0 if job.latest is None else int(np.isfinite(job.latest.errors).all(axis=0).sum())
    st.progress(done / _HALVES, text=f"{done} of {_HALVES} halves")


def _errors(first: Array, second: Array, test_over_train: float, names: tuple[str, str]) -> None:
    splits = len(first)
    scatter, tests = st.columns(2, gap="medium")
    with scatter:
        fig = figures.against(first, second, names)
        layout.figure(fig, "choose.against", name="a-against-b")
    test = paired_difference(first, second, test_over_train)
    with tests:
        layout.numbers(
            ("A is better", int((first < second).sum()), "Splits on which A errs less."),
            ("Equal", int((first == second).sum()), "Splits on which both have the same error."),
            ("B is better", int((first > second).sum()), "Splits on which B errs less."),
            ("Splits", splits, "Splits that both kernels ran."),
            width=layout.BESIDE,
        )

        def shown(points: float) -> str:
            return f"{number(100 * points, 3)} points"

        apart = "significantly" if test.separable else "not significantly"
        st.markdown(
            f"The error of A less that of B is **{shown(test.mean)}** (95% interval {shown(test.low)} to "
            f"{shown(test.high)}). It is {apart} different from 0 by the corrected resampled t-test: "
            f"t = {number(test.t, 3)}, p = {number(test.p_value, 2)}."
        )
        st.caption(
            "The test allows for the training rows that splits share (Nadeau and Bengio 2003). It holds for two "
            "kernels chosen beforehand; the figure above corrects for choosing among all."
        )


def _matrices(data: Dataset, a: Advice, b: Advice) -> None:
    order = compute.order(data, a.kernel, "class")
    pair = [compute.gram(data, one.kernel) for one in (a, b)]
    fig = before_after(
        *pair, titles=("A", "B"), order=order, y=data.y, classes=data.classes, ids=data.ids, common=False
    ).update_layout(height=520)
    layout.figure(fig, "choose.matrices", name="gram-matrices")
    for place, name, one in zip(st.columns(2, gap="medium"), "AB", (a, b), strict=True):
        with place:
            st.markdown(f"**{name}: {plain(one.chain)}**")
            if compute.labelled(data):
                cut = compute.relevant(data, one.kernel)
                fig = coefficient_plot(cut, max(3 * cut.dimension, 20))
                layout.figure(fig, f"choose.coefficients.{name}", name=f"coefficients-{name}")
            values = compute.decomposition(data, one.kernel).eigenvalues
            layout.figure(eigenvalue_plot(values), f"choose.eigenvalues.{name}", name=f"eigenvalues-{name}")
            st.button(
                f"Use {name} on all pages",
                key=f"choose.use.{name}",
                on_click=deferred(state.adopt, one.kernel),
                disabled=is_current(one.kernel),
            )


def table(found: Comparison) -> pd.DataFrame:
    """Return all settings: what they scored, and why they went no further."""
    raced = {one.kernel: one for one in found.best}
    rows = []
    for one in found.settings:
        runner = raced[one.kernel].measured if one.kernel in raced else None
        why = one.problem or "other settings have smaller quick errors"
        if one.kernel in raced:
            why = raced[one.kernel].problem or ("significantly worse" if runner and runner.dropped else "")
        rows.append(
            {
                "family": one.name,
                "kernel": repr(one.kernel),
                "squared leave-one-out error": None if one.errors is None else one.errors.squared,
                "cross-validation error": None if runner is None else runner.error,
                "rounds": None if runner is None else runner.rounds,
                "C over the spread": None if runner is None else getattr(runner.machine, "C", None),
                "dropped because": why,
            }
        )
    return pd.DataFrame(rows)
