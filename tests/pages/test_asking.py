"""Asking for what takes long: what is known, and what is still to come."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest

from kernlib import RBF, DataError
from kernlib.data import load_dataset
from pages.parts.results import compute
from pages.parts.results.compute import Slices
from pages.parts.server import caching
from pages.parts.server.caching import known
from pages.parts.server.runs import Holder, using


@pytest.fixture(autouse=True)
def session(monkeypatch):
    monkeypatch.setattr(caching, "_shared", caching._Results())
    with using(Holder()) as holder:
        yield holder


TRIED: list[int] = []


@known()
def squared(key: int) -> int:
    TRIED.append(key)
    time.sleep(0.01)
    if key == 6:
        raise DataError("squares: 6 has none. Leave it out.")
    return key**2


def squares(count: int = 6) -> Slices[int, int]:
    TRIED.clear()
    return Slices("squares", range(count), squared, lambda key: (key,))


def test_asking_computes_nothing_and_work_takes_one_piece_at_least():
    result = squares()
    assert (result.value(), result.done()) == ({}, False)
    result.work(0.001)
    assert (TRIED, result.value(), result.done()) == ([0], {0: 0}, False)
    assert result.progress() == (1 / 6, "1 of 6 squares")
    result.work(10.0)
    assert (result.value(), result.done()) == ({key: key**2 for key in range(6)}, True)


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


def test_a_piece_that_fails_ends_the_slices_with_its_sentence():
    result = squares(8)
    for _ in range(2):
        result.work(10.0)
        assert result.done()
        assert [*range(7)] == TRIED, "nothing is computed after it"
    for one in (result, squares(8)):  # the next run of the page
        assert (len(one.value()), str(one.failure())) == (6, "squares: 6 has none. Leave it out.")
