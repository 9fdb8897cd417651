"""The same sweep on processes and on a real Dask cluster, workers dying on the way."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from kernlib import RBF, Centered, Deep, ParameterError, Spectrum
from kernlib.experiments import Axis, sweep
from kernlib.large import GramOperator, gram_blocks, leading_eigenpairs
from kernlib.numerics.workers import cluster_address
from kernlib.protocols import RepeatedSplits
from tests.experiments.problems import RUNS, by_fold, depth_run, points, spec_of, strings_run


class _Fatal(RBF):
    """Kills the process that fits it while a file is there, unless it is the test's own."""

    learns_itself = True

    def learn(self, X, y):
        time.sleep(0.02)
        if os.getpid() != int(os.environ["KERNLIB_TEST_OWN"]):
            try:
                os.unlink(os.environ["KERNLIB_TEST_FATAL"])
            except FileNotFoundError:
                return 1.0
            os.kill(os.getpid(), signal.SIGKILL)
        return 1.0


def test_a_process_that_dies_costs_no_result(tmp_path, monkeypatch, caplog):
    mark = tmp_path / "once"
    monkeypatch.setenv("KERNLIB_TEST_FATAL", str(mark))
    monkeypatch.setenv("KERNLIB_TEST_OWN", str(os.getpid()))
    data = points(40)
    spec = spec_of(data, _Fatal(), protocol=RepeatedSplits(repeats=12), axis=Axis("machine.C", (0.1, 1.0)))
    expected = by_fold(list(sweep(spec, data, backend="threading")))
    caplog.clear()
    mark.write_text("")
    found = list(sweep(spec, data, jobs=2, backend="loky"))
    assert not mark.exists()
    assert "workers failed, attempt 1 of 3" in caplog.text
    assert "attempt 2" not in caplog.text
    assert len(found) == len(expected) == 24
    assert by_fold(found) == expected


def test_without_an_address_the_cluster_is_refused_in_words(monkeypatch):
    pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")
    monkeypatch.delenv("KERNLIB_DASK", raising=False)
    if cluster_address():
        pytest.skip("a scheduler is configured on this machine")
    with pytest.raises(ParameterError, match="got no address"):
        list(sweep(depth_run(), backend="dask"))
    monkeypatch.setenv("KERNLIB_DASK", "tcp://127.0.0.1:9")
    assert cluster_address() == "tcp://127.0.0.1:9"


@pytest.fixture(scope="module")
def cluster():
    distributed = pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0", silence_logs=50
    ) as made:
        yield made


@pytest.fixture
def dask(cluster, monkeypatch, caplog):
    """The cluster, configured; had it failed, this process would have finished the work and said so."""
    monkeypatch.setenv("KERNLIB_DASK", cluster.scheduler_address)
    yield cluster
    assert "workers failed" not in caplog.text


@pytest.mark.parametrize("name", RUNS)
@pytest.mark.usefixtures("dask")
def test_a_cluster_gives_the_same_numbers(name):
    spec = RUNS[name]
    assert by_fold(list(sweep(spec, backend="dask"))) == by_fold(list(sweep(spec)))


def test_a_configured_cluster_is_used_by_itself_and_by_two_runs_at_once(dask):
    def connected():
        return sum(name.startswith("Client-") for name in dask.scheduler.clients)

    before = connected()
    one, other = depth_run(repeats=3), strings_run()
    first, second = sweep(one, jobs=2), sweep(other, jobs=2)
    found = [next(first)], [next(second)]
    assert connected() == before + 2
    found[1].extend(second)
    found[0].extend(first)
    assert by_fold(found[0]) == by_fold(list(sweep(one)))
    assert by_fold(found[1]) == by_fold(list(sweep(other)))
    until = time.monotonic() + 5
    while connected() > before and time.monotonic() < until:
        time.sleep(0.05)
    assert connected() == before


def test_a_worker_killed_in_the_middle_loses_nothing(cluster, monkeypatch):
    monkeypatch.setenv("KERNLIB_DASK", cluster.scheduler_address)
    spec = replace(depth_run(repeats=60), axis=Axis("kernel.level", tuple(range(6))))
    expected = by_fold(list(sweep(spec)))
    victim = next(iter(cluster.workers.values())).pid
    found = []
    for result in sweep(spec, backend="dask"):
        found.append(result)
        if len(found) == 12:
            os.kill(victim, signal.SIGKILL)
    assert victim not in {worker.pid for worker in cluster.workers.values()}
    assert len(found) == len(expected) == 360
    assert by_fold(found) == expected


@pytest.mark.usefixtures("dask")
def test_a_gram_matrix_of_a_cluster_is_the_local_one_to_the_last_bit(tmp_path):
    strings = ["".join(row) for row in np.random.default_rng(0).choice(list("ACGT"), (90, 30))]
    X = np.random.default_rng(0).normal(size=(90, 4))
    for kernel, rows in ((Spectrum(length=3), strings), (Centered(Deep(RBF(sigma="median"))), X)):
        alone = gram_blocks(kernel, rows, block=30)
        assert_array_equal(gram_blocks(kernel, rows, block=30, backend="dask"), alone)
    found = gram_blocks(kernel, rows, tmp_path / "K.npy", block=30, jobs=2)  # a configured cluster is used by itself
    assert_array_equal(found, alone)


@pytest.mark.usefixtures("dask")
def test_leading_pairs_from_a_cluster():
    X = np.random.default_rng(0).normal(size=(300, 3))
    found, alone = (
        leading_eigenpairs(GramOperator(RBF(sigma=1.0), X, block=100, backend=backend), 6, method="randomised")
        for backend in ("dask", "threading")
    )
    assert_array_equal(found.eigenvalues, alone.eigenvalues)
    assert_array_equal(found.eigenvectors, alone.eigenvectors)
    assert found.words() == alone.words()
