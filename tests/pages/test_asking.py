"""Asking for what takes long: what is known, what is still to come, and what a click must come before."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest

from kernlib import RBF, DataError
from kernlib.data import load_dataset
from kernlib.experiments import RunSpec
from pages.parts.results import compute
from pages.parts.results.asking import Slices
from pages.parts.server import caching
from pages.parts.server.caching import known
from pages.parts.server.holder import Holder, using
from pages.parts.server.jobs import Job, Task


@pytest.fixture(autouse=True)
def session(monkeypatch):
    monkeypatch.setattr(caching, "_shared", caching._Results())
    with using(Holder()) as holder:
        yield holder


def slices(pace: float = 0.005, permit: str = "") -> tuple[Slices[int, int], list[int]]:
    computed: list[int] = []

    @known()
    def piece(key: int) -> int:
        computed.append(key)
        time.sleep(pace)
        return key**2

    cost = (lambda: 100.0) if permit else None
    return Slices("squares", range(6), piece, lambda key: (key,), cost, permit or None), computed


def test_asking_computes_nothing_and_work_takes_one_piece_at_least():
    result, computed = slices(pace=0.01)
    assert (result.value(), result.done()) == ({}, False)
    result.work(0.001)
    assert (computed, result.value(), result.done()) == ([0], {0: 0}, False)
    assert result.progress() == (1 / 6, "1 of 6 squares")
    result.work(10.0)
    assert (result.value(), result.done()) == ({key: key**2 for key in range(6)}, True)


def test_what_takes_long_waits_for_a_click(monkeypatch):
    monkeypatch.delenv("KERNLIB_COMPUTE", raising=False)
    monkeypatch.setattr("pages.parts.results.asking.current", lambda: type("Asked", (), {"asked": None}))
    result, computed = slices(permit="these")
    permission = result.permission()
    assert permission is not None
    assert (permission.label, computed) == ("Compute 6 squares, about 1.7 min", [])
    monkeypatch.setattr("pages.parts.results.asking.current", lambda: type("Asked", (), {"asked": "these"}))
    assert result.permission() is None
    result.work(1.0)
    monkeypatch.setattr("pages.parts.results.asking.current", lambda: type("Asked", (), {"asked": None}))
    assert result.permission() is None, "what is known needs no permission"


@pytest.mark.parametrize("upload", [False, True])
def test_frames_are_known_to_all_sessions_but_those_of_an_upload(upload):
    data = load_dataset("banana", n=30)
    data = replace(data, name="upload:banana") if upload else data
    kernels = {w: RBF(sigma=w) for w in (1.0, 2.0, 4.0)}
    frames = compute.frames(data, kernels)
    assert frames.value() == {}
    frames.work(60.0)
    assert [*frames.value()] == [1.0, 2.0, 4.0], "in the order that the page asks for"
    assert compute.frames(data, kernels).done()
    with using(Holder()):
        assert compute.frames(data, kernels).done() is not upload


def test_files_and_results_have_one_budget_and_the_least_recent_go_first(monkeypatch):
    @known()
    def zeros(rows: int) -> np.ndarray:
        return np.zeros(rows)

    monkeypatch.setattr(caching, "_ROOM", 0)
    monkeypatch.setattr(caching, "memory_budget", lambda: int(5 * 8000 / caching._SHARE))
    monkeypatch.setattr(caching, "bytes_held", lambda: 2 * 8000)  # by files
    for rows in (1000, 999, 1000, 998):
        assert len(zeros(rows)) == rows
    assert [zeros.has(rows) for rows in (1000, 999, 998)] == [True, False, True]
    assert len(zeros(10_000)) == 10_000
    assert [zeros.has(rows) for rows in (10_000, 1000, 998)] == [True, False, False], "the last one stays"


TRIED: list[int] = []


@known()
def failing(key: int) -> int:
    TRIED.append(key)
    if key == 2:
        raise DataError("squares: 2 has none. Leave it out.")
    return key**2


def test_a_piece_that_fails_ends_the_slices_with_its_sentence():
    TRIED.clear()
    result = Slices("squares", range(4), failing, lambda key: (key,))
    result.work(10.0)
    assert result.done()
    assert (result.value(), str(result.failure())) == ({0: 0, 1: 1}, "squares: 2 has none. Leave it out.")
    result.work(10.0)
    assert TRIED == [0, 1, 2], "nothing is computed after it"
    again = Slices("squares", range(4), failing, lambda key: (key,))  # the next run of the page
    assert (len(again.value()), str(again.failure())) == (2, str(result.failure()))


def test_an_estimate_that_fails_is_the_answer(monkeypatch):
    monkeypatch.setattr("pages.parts.results.asking.current", lambda: type("Asked", (), {"asked": None}))
    result = Slices("squares", range(4), failing, lambda key: (key,), lambda: failing(2), "these")
    assert result.permission() is None
    assert "2 has none" in str(result.failure())


@pytest.mark.parametrize("make", [lambda: Job("s", spec=RunSpec("iris", RBF())), lambda: Task("s")])
def test_a_job_that_fails_answers_with_its_problem(make):
    job = make()
    job.state, job.problem = "failed", "the worker has too little memory"
    assert str(job.failure()) == "the worker has too little memory"
