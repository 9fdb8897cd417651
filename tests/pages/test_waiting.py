"""A Gram matrix that takes long is never computed unasked, can be stopped, and is there afterwards like any other."""

from __future__ import annotations

import sys
import threading

import numpy as np
import pytest
from numpy.testing import assert_allclose
from streamlit.testing.v1 import AppTest

from kernlib import RBF, DataError, Power, Subsequence, parse
from kernlib.analysis.summary import Summary
from kernlib.data import Dataset, load_dataset
from kernlib.experiments import Axis, CostEstimate, RunSpec, gram_cost
from pages.parts.results import compute, directions
from pages.parts.server import jobs
from pages.parts.server.jobs import Limits
from pages.parts.server.runs import pause

from .drive import (
    choose,
    ended,
    ending,
    figures,
    finish,
    headings,
    headline,
    heat,
    kernel,
    open_app,
    own,
    pending,
    places,
    press,
    sent,
    sentences,
    session,
    until,
)


def link(width: str) -> dict[str, str]:
    """A kernel of this test alone: what one session has computed of a sample, all have."""
    return {"data": "banana", "kernel": f"Deep(RBF(sigma={width}), level=9)", "g.n": "20"}


@pytest.fixture
def long(monkeypatch):
    """Estimate two hours for every kernel but the one proposed for the data; offer a button first."""
    monkeypatch.setenv("KERNLIB_COMPUTE", "ask")
    real = gram_cost
    told = CostEstimate(7200.0, 3200)

    def cost(kernel, data):
        return told if "level=9" in repr(kernel) else real(kernel, data)

    monkeypatch.setattr(compute, "_gram_costs", cost)
    return told


@pytest.mark.usefixtures("in_red", "long")
def test_nothing_is_computed_before_it_is_asked_for_and_it_can_be_stopped(monkeypatch):
    app = open_app(**link("1.2501"))
    assert "takes about 2 h" in sentences(app)
    assert not figures(app)
    assert "1.25" in repr(kernel(app)), "the kernel is still the one that was asked for"
    assert not own(app, "computed")["matrices"]
    with monkeypatch.context() as endless:
        endless.setattr(jobs, "gram_in_subprocess", lambda *of, cancelled, **more: until(cancelled))
        press(app, "Compute anyway")
        job = matrix_of(app)
        until(lambda: job.state == "running")
        press(app, "Stop")
        assert ended(job) == ["stopped"]
    assert ending(app.run().button, "Try again")
    job.state, job.problem = "failed", "no memory"
    assert "no memory" in sentences(app.run())
    press(app, "Try again")
    job = matrix_of(app)
    assert ended(job) == ["done"]
    assert "takes about" not in sentences(app.run())
    assert heat(app)
    assert_allclose(job.latest, kernel(app)(load_dataset("banana", n=20).rows), rtol=1e-12)


def matrix_of(app) -> jobs.Task:
    (job,) = own(app, "computed")["matrices"].values()
    return job


def test_half_a_minute_is_not_asked_about(long, monkeypatch):
    monkeypatch.setenv("KERNLIB_COMPUTE", "always")
    app = open_app(**link("1.2503"))
    ended(matrix_of(app))
    assert "takes about" not in sentences(app.run())


def test_a_view_that_evaluates_anew_says_that_it_will_not(long):
    """The matrix may be there, after all its minutes: the decisions of all splits are not begun on the page."""
    data, kernel = load_dataset("banana", n=20), parse(link("1.2504")["kernel"])
    spec = RunSpec("banana", kernel, axis=Axis("kernel.level", (0, 1)), parameters=(("n", 20),))
    with pytest.raises(DataError, match=r"compares all rows again by .*takes about 2 h"):
        compute.decided(data, spec.kernel, spec, 0)


def test_the_leading_directions_of_many_rows_come_first(monkeypatch):
    monkeypatch.setattr(compute, "LATER", 50)
    monkeypatch.setattr(directions, "LEADING", 5)
    app = open_app("spectrum", data="twonorm", kernel="RBF(sigma=2.5)", g__n="60", g__seed="33")
    assert pending(app)
    assert headline(app).startswith("The first 5 directions hold ")
    assert "d̂" not in str(figures(app)["spectrum.coefficients"]), "the cut needs all directions"
    (frames,) = [target["frames"] for target in sent(app, "scrub")["targets"] if target["kind"] == "sentence"]
    assert not any("d̂" in sentence for sentence in frames), "nor does a sentence of the moving slider name it"
    (job,) = own(app, "computed")["spectra"].values()
    first = coefficients(app)
    for _ in range(2):
        job.work()
    ended(job)
    assert "directions hold" not in headline(app.run())
    assert_allclose(first, coefficients(app)[:5], rtol=1e-6)


def coefficients(app) -> np.ndarray:
    bars = [trace for trace in figures(app)["spectrum.coefficients"]["data"] if trace["type"] == "bar"]
    i, size = (np.concatenate([trace[axis] for trace in bars]) for axis in "xy")
    return size[np.argsort(i)]


def test_eigenvalues_of_many_rows_come_after_the_picture(monkeypatch):
    monkeypatch.setattr(compute, "LATER", 50)
    held = threading.Event()
    real = jobs.decompose
    monkeypatch.setattr(jobs, "decompose", lambda K: held.wait(60) and real(K))
    app = open_app(data="twonorm", kernel="RBF(sigma=2.5)", g__n="60", g__seed="31")
    assert heat(app)
    assert not own(app, "computed").get("spectra"), "the picture needs no eigenvalues"
    choose(app, "see.evidence", "True")
    (job,) = own(app, "computed")["spectra"].values()
    assert job.rest is not None, "whoever drags on is not waited for by a decomposition"
    for _ in range(2):  # the page rests, and draws itself again and again
        job.work()
    held.set()
    ended(job)
    app.run()
    assert "Effective rank" in [m.label for m in app.metric]
    assert_allclose(
        job.latest.eigenvalues, real(RBF(sigma=2.5)(load_dataset("twonorm", n=60, seed=31).rows)).eigenvalues
    )


def test_costs_are_told_before_they_are_paid(monkeypatch):
    """Long strings and a high order: hours, said within moments; and what is quick is known to be quick."""
    data = load_dataset("promoters")
    with monkeypatch.context() as patient:  # a loaded machine may not come to three samples in the time of a person
        patient.setattr(sys.modules["kernlib.experiments.cost"], "_WAIT", 600.0)
        quick = gram_cost(Subsequence(order=2), data)
    assert quick.sure
    assert quick.seconds < Limits().page
    letters = np.array(
        ["".join(row) for row in np.random.default_rng(0).choice(list("ACGT"), (300, 1000))], dtype=object
    )
    slow = gram_cost(Subsequence(order=10), Dataset("long", "Long", "sequence", letters))
    assert slow.seconds > Limits().page
    assert not slow.sure or slow.seconds > 60


def test_values_whose_matrices_take_too_long_together_have_no_frames(monkeypatch):
    monkeypatch.setenv("KERNLIB_COMPUTE", "")
    monkeypatch.setattr(compute, "gram_costs", lambda data, kernel: CostEstimate(8.0, 3200))
    data, widths = load_dataset("banana", n=20), [RBF(sigma=w) for w in (1.301, 1.401, 1.501, 1.601, 1.701)]
    power = [Power(widths[0], p=p) for p in (0.2, 0.4, 0.6, 0.8, 1.0)]
    for kernels, known in ((widths, []), (widths[:3], [0, 1, 2]), (power, [*range(5)])):  # one matrix below all powers
        assert compute.frames(data, dict(enumerate(kernels))).keys == known
    monkeypatch.setattr(compute, "gram_costs", lambda data, kernel: CostEstimate(4.0, 3200))
    assert len(compute.frames(data, {w: RBF(sigma=w) for w in range(1, 20)}).keys) == 19, "four seconds each"
    monkeypatch.setattr(compute, "gram_costs", lambda data, kernel: CostEstimate(8.0, 3200))
    monkeypatch.setattr(compute, "_computed", lambda data, kernel, make: make())
    app = open_app("see", data="banana", kernel="RBF(sigma=1.3)", g__n="20")
    assert "do not follow the slider" in sentences(app)
    assert heat(app)
    assert [*figures(app)["see.curve"]["data"]]


def test_the_page_runs_at_once_where_a_tick_has_finished_the_work():
    def page():
        import streamlit as st

        from pages.parts.server.runs import run, until_done

        known = st.session_state.setdefault("known", [])
        with run():
            if until_done(lambda: len(known) > 0, lambda: st.write("working"), lambda: known.append(1)):
                st.write("finished")

    app = AppTest.from_function(page).run()
    assert [m.value for m in app.markdown] == ["finished"], "no tick comes between"


def test_a_figure_does_not_wait_for_the_work_of_the_slider_above_it():
    def page():
        import streamlit as st

        from pages.parts.server.runs import run, until_done

        with run():
            until_done(lambda: False, lambda: st.write("slider"), lambda: st.write("work"))
            st.write("figure")

    app = AppTest.from_function(page).run()
    assert [m.value for m in app.markdown] == ["slider", "figure", "work"]


@pytest.mark.parametrize(
    ("view", "seed", "controls", "key"),
    [
        ("see", "31", {}, "see.curve"),
        ("spectrum", "32", {"spectrum.d.hand": "kernel"}, "spectrum.coefficients"),
    ],
)
def test_a_figure_whose_values_arrive_stays_where_it_is(view, seed, controls, key, monkeypatch):
    monkeypatch.setenv("KERNLIB_COMPUTE", "stepwise")
    app = open_app(view, data="twonorm", kernel="RBF(sigma=3.0)", g__n="200", g__seed=seed, **controls)
    arriving = places(app)
    assert pending(app)
    assert places(finish(app))[key] == arriving[key]


def test_a_kernel_that_cannot_be_evaluated_is_explained_by_its_own_sentence(monkeypatch):
    sentence = "RBF: these rows cannot be compared. Take others."
    monkeypatch.setattr(compute, "frame", lambda data, *_: Summary(data.n, problem=sentence))
    app = open_app("see", data="banana", kernel="RBF(sigma=0.7654)", g__n="40")
    assert headings(app)[:1] == [sentence]
    assert "at least two values" not in sentences(app)


@pytest.mark.usefixtures("in_red")
def test_a_run_that_fails_says_why_once():
    app = open_app("curves", data="banana", kernel="RBF(sigma=1.2506)", g__n="40", g__seed="7")
    job = session(app).job
    ended(job)
    job.state, job.problem = "failed", "The computation was killed from outside."
    assert [error.value for error in app.run().error] == [job.problem]


def test_a_newer_click_ends_a_pause(monkeypatch):
    class Newer(BaseException):
        """As Streamlit ends a run."""

    def newer() -> None:
        raise Newer

    monkeypatch.setattr("pages.parts.server.runs.look", newer)
    with pytest.raises(Newer):
        pause(600.0)
