"""What the cost on paper counts is what is evaluated, sent and returned."""

from __future__ import annotations

import sys
import threading
import time

import numpy as np
import pytest

from kernlib import RBF, Nystrom
from kernlib.data import load_dataset
from kernlib.experiments import gram_cost
from kernlib.large import GramOperator, gram_blocks, tiles
from kernlib.numerics.blocks import on_one_core, over_tiles
from tests.benchmarks.cost import Counts, Rates, gram_counts, product_counts, seconds


@pytest.fixture
def counted(monkeypatch):
    """Tiles, values, and bytes to and from the workers, of all that is evaluated by tiles."""
    seen = {"tiles": 0, "values": 0, "sent": 0, "returned": 0}
    over = tiles.Work.over

    def counting(self, what, plan, left, *more):
        seen["sent"] += sum(a.nbytes for a in more)
        for place, result in over(self, what, plan, left, *more):
            seen["tiles"] += 1
            seen["values"] += np.prod([part.stop - part.start for part in place])
            results = result if isinstance(result, tuple) else (result,)
            seen["returned"] += sum(r.nbytes for r in results if r is not None)
            yield place, result

    monkeypatch.setattr(tiles.Work, "over", counting)
    return seen


@pytest.mark.parametrize(("n", "block"), [(60, 20), (70, 20), (10, 64), (65, 64)])
def test_the_counts_are_those_of_a_run(counted, n, block):
    X = np.random.default_rng(0).normal(size=(n, 3))
    K = gram_blocks(RBF(), X, block=block)
    paper = gram_counts(n, block, row_bytes=24, workers=2)
    assert (paper.tiles, paper.values, paper.returned) == (counted["tiles"], counted["values"], counted["returned"])
    assert (paper.stored, paper.sent) == (K.nbytes, 2 * X.nbytes)
    counted.update(dict.fromkeys(counted, 0))
    operator, V = GramOperator(RBF(), X, block=block), np.ones((n, 5))
    products = [operator @ V for _ in range(3)]
    paper = product_counts(n, block, row_bytes=24, columns=5, passes=3, workers=2)
    assert (paper.tiles, paper.values, paper.returned) == (counted["tiles"], counted["values"], counted["returned"])
    assert paper.sent == 2 * counted["sent"] + 3 * 2 * X.nbytes  # to each of two workers
    assert paper.stored == products[0].nbytes
    assert paper.flops == 3 * 2 * 5 * n * n  # as many as of K V itself: symmetry saves values, not products


def test_on_one_core_all_work_is_this_threads_own(monkeypatch):
    monkeypatch.setattr("os.cpu_count", lambda: 2)

    def threads():
        seen = set()
        over_tiles(1100, None, lambda rows, columns, out: seen.add(threading.get_ident()) or out.fill(0.0))
        return seen

    own = {threading.get_ident()}
    assert not threads() & own
    with on_one_core():
        assert threads() == own
    assert not threads() & own


def test_a_busy_machine_does_not_make_a_kernel_look_costly(monkeypatch):
    """While others have the cores, the clock goes on and the timing thread does not: as if it slept."""
    module = sys.modules["kernlib.experiments.cost"]
    monkeypatch.setattr(module, "_WAIT", 0.06)
    fold = RBF.fold
    monkeypatch.setattr(RBF, "fold", lambda *args, **more: time.sleep(0.05) or fold(*args, **more))
    data = load_dataset("twonorm", n=16)
    assert gram_cost(RBF(), data).sure
    monkeypatch.setattr(module, "_PATIENCE", 0.06)
    assert not gram_cost(RBF(), data).sure, "but nobody waits for ever"


def test_landmarks_cost_what_as_many_values_cost(monkeypatch):
    asked = []
    exact = sys.modules["kernlib.experiments.cost"].exact_cost
    monkeypatch.setattr(
        sys.modules["kernlib.experiments.cost"],
        "exact_cost",
        lambda kernel, data, n: asked.append((kernel, n)) or exact(kernel, data, n),
    )
    data = load_dataset("twonorm", n=2000)
    found = gram_cost(Nystrom(RBF(), landmarks=10), data)
    assert asked == [(RBF(), 200)]  # 200² values: 2000 rows against 10, twice
    assert found.bytes == 3 * 8 * 2000 * 10


def test_the_time_is_that_of_what_takes_longest():
    counts = Counts(tiles=10, values=1000, flops=100.0, stored=800, sent=50, returned=50)
    rates = Rates(value=1.0, flop=1.0, byte=1.0, written=1.0, task=10.0)
    assert seconds(counts, rates, 1) == 1100
    assert seconds(counts, rates, 4) == 1000  # the client receives and writes
    assert seconds(counts, Rates(1.0, 1.0, 0.0, 0.0, 0.0), 4) == 275
    assert seconds(counts, Rates(1.0, 1.0, 1.0, 1.0, 10.0, start=7.0, cores=2), 4) == 1057
