"""Work in helper processes: the same numbers, ended at once, bounded in memory, behind everybody else."""

from __future__ import annotations

import gc
import os
import signal
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from kernlib import RBF, Convolution, DataError, Deep, Normalized, Subsequence
from kernlib.data import load_dataset, readings
from kernlib.experiments import gram_in_subprocess, helper, result_in_subprocess, sweep, sweep_in_subprocess
from tests.experiments.problems import by_fold, depth_run


def long_strings(n: int):
    letters = np.random.default_rng(0).choice(list("ACGT"), (n, 1000))
    rows = np.array(["".join(row) for row in letters], dtype=object)
    small = load_dataset("markov-strings", n=n)
    return replace(small, rows=rows)


def helpers() -> set[int]:
    return {h.process.pid for h in helper.idle}


def test_a_helper_gives_the_same_numbers_and_is_used_again():
    data = load_dataset("iris")
    kernel = Deep(Normalized(RBF(sigma="median")), level=2)
    assert_allclose(gram_in_subprocess(kernel, data), kernel(data.rows), rtol=1e-12)
    known = helpers()
    assert known
    spec = depth_run(repeats=3)
    assert by_fold(list(sweep_in_subprocess(spec, spec.load()))) == by_fold(list(sweep(spec)))
    assert helpers() == known
    assert all(os.getpriority(os.PRIO_PROCESS, pid) > os.getpriority(os.PRIO_PROCESS, 0) for pid in known)


def test_a_call_ends_when_its_time_is_over_and_its_helper_with_it_but_lives_after_a_refusal():
    assert result_in_subprocess(sum, (range(5),), 60.0, "late") == 10
    known = helpers()
    with pytest.raises(DataError, match="It took too long"):
        result_in_subprocess(sum, (range(10**15),), 0.0, "It took too long.")
    assert helpers() < known
    with pytest.raises(DataError, match="at least two data rows"):
        result_in_subprocess(readings, ("t.csv", b"#\n"), 60.0, "late")
    assert helpers()


def test_work_that_nobody_wants_ends_at_once():
    data = long_strings(40)
    asked = []

    def cancelled() -> bool:
        asked.append(1)
        return len(asked) > 5

    before = helpers()
    assert gram_in_subprocess(Subsequence(order=10), data, cancelled=cancelled) is None
    assert before - helpers() or not before, "its helper is gone, work and all"
    found = sweep_in_subprocess(depth_run(repeats=500), load_dataset("banana", n=40))
    next(found)
    found.close()
    gc.collect()
    assert len(helpers()) <= 2


def test_what_outgrows_its_memory_is_refused(monkeypatch):
    monkeypatch.setenv("KERNLIB_MEMORY_MB", "200")
    with pytest.raises(DataError, match=r"exceeds its memory budget of 0\.2 GB"):
        gram_in_subprocess(Convolution("two-substrings"), long_strings(200))
    monkeypatch.delenv("KERNLIB_MEMORY_MB")
    assert gram_in_subprocess(RBF(), load_dataset("iris")).shape == (150, 150)


def idle_helper() -> int:
    """Return the process that the next task goes to."""
    helper.warm()
    return helper.idle[-1].process.pid


def test_a_lower_limit_of_the_system_is_named_too():
    resource = pytest.importorskip("resource")
    if not hasattr(resource, "prlimit"):
        pytest.skip("only Linux limits another process")
    resource.prlimit(idle_helper(), resource.RLIMIT_AS, (700 * 2**20, resource.RLIM_INFINITY))
    with pytest.raises(DataError, match="or the memory that the system leaves it"):
        gram_in_subprocess(Convolution("two-substrings"), long_strings(400))


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_helper_that_is_killed_says_nothing_of_its_budget(number):
    pids = [idle_helper()]

    def kill() -> bool:
        if pids:
            os.kill(pids.pop(), number)
        return False

    with pytest.raises(DataError, match="killed from outside") as refused:
        gram_in_subprocess(Subsequence(order=10), long_strings(40), cancelled=kill)
    assert "budget" not in str(refused.value)
