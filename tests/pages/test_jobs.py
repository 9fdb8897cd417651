"""Long runs in the background: started, stopped, gone on with, left alone; and nothing that stays behind."""

from __future__ import annotations

import itertools
import multiprocessing
import re
import subprocess
import sys
import threading
from dataclasses import replace
from functools import partial

import pytest

from kernlib import RBF, Power
from kernlib.data import load_dataset
from kernlib.experiments import UPLOAD, Axis, RunSpec, sweep
from kernlib.machines import NearestCentroid
from kernlib.protocols import RepeatedSplits
from pages.parts.server import jobs
from pages.parts.server.jobs import Job, Registry
from pages.parts.server.runs import Holder, using
from tests.conftest import PROJECT

from .drive import ended, open_app, press, sentences, session, until

DATA = load_dataset("banana", n=60)


def spec(sigma: float = 1.0) -> RunSpec:
    return RunSpec(
        "banana",
        Power(RBF(sigma=sigma), p=1.0),
        NearestCentroid(),
        RepeatedSplits(repeats=4),
        axis=Axis("kernel.p", (0.25, 0.5, 1.0)),
        reference=RBF(sigma=sigma),
        parameters=(("n", 60),),
    )


class Gate:
    """A sweep that gives one result each time it is let through, and says when it is being computed."""

    def __init__(self) -> None:
        self.permits = threading.Semaphore(0)
        self.running: list[RunSpec] = []
        self.most = 0

    def let(self, results: int, job=None) -> None:
        """Let so many results through; wait until the job has them."""
        total = results + len(job.results if job else ())
        self.permits.release(results)
        until(lambda: job is None or len(job.results) == total)

    def sweep(self, spec, data, *, done=(), cancelled, **options):
        self.running.append(spec)
        self.most = max(self.most, len(self.running))
        try:
            for result in sweep(spec, data, done=done, cancelled=cancelled):
                while not self.permits.acquire(timeout=0.005):
                    if cancelled():
                        return
                yield result
        finally:
            self.running.remove(spec)


#: The sessions of a test, by name.
SESSIONS: dict[str, Holder] = {}


def start(sigma: float = 1.0, session: str = "a") -> Job:
    with using(SESSIONS.setdefault(session, Holder())):
        return jobs.start_run(spec(sigma=sigma), DATA)


@pytest.fixture(autouse=True)
def registry(monkeypatch) -> Registry:
    """A registry of this test alone."""
    SESSIONS.clear()
    return of_workers(2, monkeypatch)


def of_workers(workers: int, monkeypatch) -> Registry:
    registry = Registry(workers)
    monkeypatch.setattr(jobs, "registry", lambda: registry)
    return registry


@pytest.fixture
def gate(monkeypatch):
    gate = Gate()
    monkeypatch.setattr(jobs, "sweep", gate.sweep)
    return gate


def test_what_comes_of_an_upload_is_its_own_sessions_alone(gate):
    own = replace(DATA, name="upload:" + DATA.digest[:12])
    run = replace(spec(), data=UPLOAD + DATA.digest, parameters=())
    first, other, third = Holder(), Holder(), Holder()
    with using(first):
        job = jobs.start_run(run, own)
    gate.let(5, job)
    with using(other):
        assert jobs.find_run(run, own) is None
        second = jobs.start_run(run, own)
    assert second is not job
    assert second.results == [], "not even what came before a stop"
    gate.let(1000)
    ended(job, second)
    with using(first):
        assert jobs.find_run(run, own) is job
    with using(third):
        assert jobs.find_run(run, own) is None


def test_a_finished_run_of_a_sample_is_every_sessions(gate):
    job = start()
    second = start(session="b")
    assert second is not job, "one that goes on may be stopped"
    gate.let(1000)
    ended(job, second)  # else it might end in the next test, as a finished run of that test's registry
    assert start(session="c").state == "done"


def test_a_matrix_that_was_stopped_while_a_page_looks_again_is_not_done():
    """A page that returns while its helper is being stopped makes a task current again."""
    task = jobs.Task()
    jobs._carry_out(task, lambda: iter([None]))
    assert (task.state, task.latest) == ("stopped", None)


def test_stop_and_go_on(gate):
    job = start()
    gate.let(5, job)
    job.stop.set()
    assert (ended(job), len(job.results)) == (["stopped"], 5)
    again = start()
    assert again is not job
    assert len(again.results) == 5, "what was computed is kept"
    gate.let(100)
    assert ended(again) == ["done"]
    assert len(again.results) == again.total, "and nothing of it is computed twice"
    scores = [{(r.value, r.split): r.score for r in results} for results in (again.results, sweep(spec(), DATA))]
    assert scores[0] == scores[1]


def test_a_stopped_run_names_the_button_that_continues_it(gate, monkeypatch):
    monkeypatch.setenv("KERNLIB_COMPUTE", "ask")
    app = open_app("curves", data="banana", kernel="RBF(sigma=1.2605)", g__n="40")
    press(app, "Run")
    job = session(app).job
    gate.let(5, job)
    press(app, "Stop")
    ended(job)
    app.run()
    assert re.search(r"Stopped after.*\*Resume\*", sentences(app))
    assert "Resume" in [button.label for button in app.button]


def test_a_stream_is_computed_apart_and_keeps_its_last_state():
    with using(Holder()):
        endless = jobs.start_stream(1, itertools.count)
        until(lambda: endless.latest is not None and endless.latest > 3)
        again = jobs.start_stream(2, partial(range, 5), endless.latest)
    assert again.latest >= 4, "what is known from before"
    assert (ended(endless, again), again.latest) == (["stopped", "done"], 4)


def test_one_run_at_a_time_in_a_session(gate):
    first = start()
    until(lambda: first.state == "running")
    second = start(2.0, "a")
    other = start(3.0, "b")
    assert ended(first) == ["stopped"]
    until(lambda: second.state == "running" and other.state == "running")
    gate.let(100)
    assert ended(second, other) == ["done"] * 2
    assert gate.most <= 2


def test_no_more_run_than_there_are_workers_and_the_rest_wait(gate, monkeypatch):
    of_workers(1, monkeypatch)
    started = [start(s, f"session {s}") for s in (1.0, 2.0, 3.0)]
    until(lambda: started[0].state == "running")
    assert [j.state for j in started] == ["running", "waiting", "waiting"]
    started[1].seen -= 1000.0  # no page looks at it: it never starts
    gate.let(1000)
    assert ended(*started) == ["done", "stopped", "done"]
    assert started[1].results == []
    assert gate.most == 1


def test_a_run_that_no_page_looks_at_is_stopped(gate, monkeypatch):
    monkeypatch.setattr(jobs, "UNWATCHED", 1e6)
    job = start()
    gate.let(1, job)
    job.seen -= 999_000.0
    gate.let(1, job)
    assert job.active, "until then it goes on"
    job.seen -= 2_000_000.0
    assert ended(job) == ["stopped"]
    assert len(job.results) < job.total


def test_many_starts_and_cancels_leave_nothing_running(gate):
    before = set(threading.enumerate())
    started = []
    for i in range(60):
        started.append(start(1.0 + i, f"session {i % 4}"))
        if i % 3 == 0:
            started[-1].stop.set()
        gate.let(1)
    for job in started:
        job.stop.set()
    ended(*started)
    assert gate.running == []
    assert gate.most <= 2
    # Sessions of earlier tests that end now begin timers.
    until(lambda: all(isinstance(thread, threading.Timer) for thread in set(threading.enumerate()) - before))
    # And the registry still works.
    last = start(500.0, "last")
    gate.let(1000)
    assert ended(last) == ["done"]


_ENDLESS = """
import threading
from pages.parts.server import jobs
from pages.parts.server.runs import Holder, using
from tests.pages.test_jobs import DATA, spec

begun = threading.Event()

def endless(*arguments, **options):
    begun.set()
    threading.Event().wait()
    yield

jobs.sweep = endless
with using(Holder()):
    jobs.start_run(spec(), DATA)
assert begun.wait(60)
"""


def test_a_server_that_stops_does_not_wait_for_its_runs():
    subprocess.run([sys.executable, "-c", _ENDLESS], cwd=PROJECT, check=True, timeout=60)


def test_data_that_cannot_be_split_fails_in_a_sentence():
    with using(Holder()):
        job = jobs.start_run(spec(), load_dataset("banana", n=2))
    assert ended(job) == ["failed"]
    assert "row" in job.problem


def test_what_nobody_foresaw_ends_the_run_and_not_the_server(monkeypatch, caplog):
    def broken(*args, **options):
        raise RuntimeError("a secret path")
        yield

    of_workers(1, monkeypatch)
    with monkeypatch.context() as m:
        m.setattr(jobs, "sweep", broken)
        job = start()
        assert ended(job) == ["failed"]
    assert "secret" not in job.problem
    assert ended(start()) == ["done"]


def test_a_process_that_a_run_starts_does_not_draw():
    """Python imports the main file again in each process that it spawns; here that is pages/start.py."""
    open_app("data")
    assert sys.modules["__main__"].__file__ == str(PROJECT / "pages" / "start.py")
    process = multiprocessing.get_context("spawn").Process(target=int)
    process.start()
    process.join()
    assert process.exitcode == 0
