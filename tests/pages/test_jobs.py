"""Long runs in the background: started, stopped, gone on with, left alone; and nothing that stays behind."""

from __future__ import annotations

import itertools
import multiprocessing
import re
import subprocess
import sys
import threading
from collections import OrderedDict
from dataclasses import replace
from functools import partial

import pytest

from kernlib import RBF, Power
from kernlib.data import load_dataset
from kernlib.experiments import UPLOAD, Axis, RunSpec, sweep
from kernlib.machines import NearestCentroid
from kernlib.protocols import RepeatedSplits
from pages.parts.server import jobs
from pages.parts.server.jobs import Registry
from tests.conftest import PROJECT

from .drive import open_app, session, until

DATA = load_dataset("banana", n=60)


def spec(repeats: int = 4, sigma: float = 1.0) -> RunSpec:
    return RunSpec(
        "banana",
        Power(RBF(sigma=sigma), p=1.0),
        NearestCentroid(),
        RepeatedSplits(repeats=repeats),
        axis=Axis("kernel.p", (0.25, 0.5, 1.0)),
        reference=RBF(sigma=sigma),
        parameters=(("n", 60),),
    )


def scores(results) -> dict:
    return {(r.value, r.split): r.score for r in results}


class Gate:
    """A sweep that gives one result each time it is let through, and says when it is being computed."""

    def __init__(self, monkeypatch) -> None:
        self.permits = threading.Semaphore(0)
        self.running = 0
        self.most = 0
        self._lock = threading.Lock()
        real = sweep

        def slow(spec, data, *, done=(), cancelled, **options):
            with self._lock:
                self.running += 1
                self.most = max(self.most, self.running)
            try:
                for result in real(spec, data, done=done, cancelled=cancelled):
                    while not self.permits.acquire(timeout=0.005):
                        if cancelled():
                            return
                    yield result
            finally:
                with self._lock:
                    self.running -= 1

        monkeypatch.setattr(jobs, "sweep", slow)

    def let(self, results: int) -> None:
        self.permits.release(results)


@pytest.fixture
def gate(monkeypatch):
    return Gate(monkeypatch)


def test_what_comes_of_an_upload_is_its_own_sessions_alone(gate):
    own = replace(DATA, name="upload:" + DATA.digest[:12])
    run = replace(spec(), data=UPLOAD + DATA.digest, parameters=())
    registry = Registry()
    first = registry.start(run, own, "a")
    gate.let(5)
    until(lambda: len(first.results) == 5)
    assert registry.find(run, own, "b") is None
    second = registry.start(run, own, "b")
    assert second is not first
    assert second.results == [], "not even what came before a stop"
    gate.let(1000)
    until(lambda: not first.active and not second.active)
    assert registry.find(run, own, "a") is first
    assert registry.find(run, own, "c") is None
    third = registry.start(run, own, "c")
    assert third is not first
    until(lambda: not third.active)  # nothing goes on that would go through the next test's gate


def test_stop_and_go_on(gate):
    registry = Registry()
    job = registry.start(spec(), DATA, "a")
    gate.let(5)
    until(lambda: len(job.results) == 5)
    job.stop.set()
    until(lambda: not job.active)
    assert (job.state, len(job.results)) == ("stopped", 5)
    again = registry.start(spec(), DATA, "a")
    assert again is not job
    assert len(again.results) == 5, "what was computed is kept"
    gate.let(100)
    until(lambda: not again.active)
    assert again.state == "done"
    assert len(again.results) == again.total, "and nothing of it is computed twice"
    assert scores(again.results) == scores(sweep(spec(), DATA))


def test_a_stopped_run_names_the_button_that_continues_it(gate, monkeypatch):
    monkeypatch.setenv("KERNLIB_COMPUTE", "ask")
    app = open_app("curves", data="banana", kernel="RBF(sigma=1.2605)", **{"g.n": "40"})
    next(b for b in app.button if b.label == "Run").click().run()
    job = session(app).job
    gate.let(5)
    until(lambda: len(job.results) == 5)
    next(b for b in app.button if b.label == "Stop").click().run()
    until(lambda: not job.active)
    app.run()
    (stopped,) = [info.value for info in app.info if info.value.startswith("Stopped after")]
    assert re.findall(r"\*(.+?)\*", stopped) == ["Resume"]
    assert "Resume" in [button.label for button in app.button]


def test_a_stream_is_computed_apart_and_keeps_its_last_state(monkeypatch):
    streams = OrderedDict()
    monkeypatch.setattr(jobs, "kept", lambda name, make: streams)
    monkeypatch.setattr(jobs, "session_id", lambda: "a")
    registry = Registry()
    endless = registry.start_stream(1, itertools.count)
    until(lambda: endless.latest is not None and endless.latest > 3)
    again = registry.start_stream(2, partial(range, 5), endless.latest)
    assert again.latest >= 4, "what is known from before"
    until(lambda: not endless.active and not again.active)
    assert (endless.state, again.state, again.latest) == ("stopped", "done", 4)


def test_one_run_at_a_time_in_a_session(gate):
    registry = Registry()
    first = registry.start(spec(sigma=1.0), DATA, "a")
    until(lambda: first.state == "running")
    second = registry.start(spec(sigma=2.0), DATA, "a")
    other = registry.start(spec(sigma=3.0), DATA, "b")
    until(lambda: not first.active)
    assert first.state == "stopped"
    until(lambda: second.state == "running" and other.state == "running")
    gate.let(100)
    until(lambda: not second.active and not other.active)
    assert (second.state, other.state) == ("done", "done")
    assert gate.most <= 2


def test_no_more_run_than_there_are_workers_and_the_rest_know_their_place(gate):
    registry = Registry(workers=1)
    started = [registry.start(spec(sigma=s), DATA, f"session {s}") for s in (1.0, 2.0, 3.0)]
    until(lambda: started[0].state == "running")
    assert [j.state for j in started] == ["running", "waiting", "waiting"]
    assert [registry.waiting_before(j) for j in started] == [0, 0, 1]
    gate.let(1000)
    until(lambda: all(j.state == "done" for j in started))
    assert gate.most == 1


def test_a_run_that_no_page_looks_at_is_stopped(gate):
    registry = Registry(patience=1e6)
    job = registry.start(spec(), DATA, "a")
    gate.let(1)
    until(lambda: len(job.results) == 1)
    job.seen -= 999_000.0
    gate.let(1)
    until(lambda: len(job.results) == 2)
    assert job.active, "until then it goes on"
    job.seen -= 2_000_000.0
    until(lambda: not job.active)
    assert job.state == "stopped"
    assert len(job.results) < job.total


def test_a_waiting_run_that_no_page_looks_at_never_starts(gate):
    registry = Registry(workers=1)
    first = registry.start(spec(sigma=1.0), DATA, "a")
    until(lambda: first.state == "running")
    second = registry.start(spec(sigma=2.0), DATA, "b")
    second.seen -= 1000.0
    first.stop.set()
    until(lambda: not second.active)
    assert (second.state, second.results) == ("stopped", [])


def test_many_starts_and_cancels_leave_nothing_running(gate):
    registry = Registry(workers=2)
    before = set(threading.enumerate())
    started = []
    for i in range(60):
        started.append(registry.start(spec(sigma=1.0 + i), DATA, f"session {i % 4}"))
        if i % 3 == 0:
            started[-1].stop.set()
        gate.let(1)
    for job in started:
        job.stop.set()
    until(lambda: not any(job.active for job in started))
    assert gate.running == 0
    assert gate.most <= 2
    # Sessions of earlier tests that end now begin timers.
    begun = [thread for thread in set(threading.enumerate()) - before if not isinstance(thread, threading.Timer)]
    assert begun == [], "no thread per run"
    # And the registry still works.
    last = registry.start(spec(sigma=500.0), DATA, "last")
    gate.let(1000)
    until(lambda: not last.active)
    assert last.state == "done"


_ENDLESS = """
import threading
from pages.parts.server import jobs
from tests.pages.test_jobs import DATA, spec

begun = threading.Event()

def endless(*arguments, **options):
    begun.set()
    threading.Event().wait()
    yield

jobs.sweep = endless
jobs.Registry().start(spec(), DATA, "a")
assert begun.wait(60)
"""


def test_a_server_that_stops_does_not_wait_for_its_runs():
    subprocess.run([sys.executable, "-c", _ENDLESS], cwd=PROJECT, check=True, timeout=60)


def test_the_registry_drops_the_oldest_run_and_stops_it(gate):
    registry = Registry(workers=1, kept=3)
    started = [registry.start(spec(sigma=1.0 + i), DATA, f"session {i}") for i in range(5)]
    until(lambda: not started[0].active)
    assert [j.stop.is_set() for j in started] == [True, True, False, False, False]
    for job in started:
        job.stop.set()
    until(lambda: not any(j.active for j in started))


def test_data_that_cannot_be_split_fails_in_a_sentence():
    tiny = load_dataset("banana", n=2)
    job = Registry().start(spec(), tiny, "a")
    until(lambda: not job.active)
    assert job.state == "failed"
    assert "row" in job.problem


def test_what_nobody_foresaw_ends_the_run_and_not_the_server(monkeypatch, caplog):
    def broken(*args, **options):
        raise RuntimeError("a secret path")
        yield

    registry = Registry(workers=1)
    with monkeypatch.context() as m:
        m.setattr(jobs, "sweep", broken)
        job = registry.start(spec(), DATA, "a")
        until(lambda: not job.active)
    assert job.state == "failed"
    assert "secret" not in job.problem
    after = registry.start(spec(), DATA, "a")
    until(lambda: not after.active)
    assert after.state == "done"


def test_a_process_that_a_run_starts_does_not_draw():
    """Python imports the main file again in each process that it spawns; here that is pages/start.py."""
    assert not open_app("data").exception
    assert sys.modules["__main__"].__file__ == str(PROJECT / "pages" / "start.py")
    process = multiprocessing.get_context("spawn").Process(target=int)
    process.start()
    process.join()
    assert process.exitcode == 0
