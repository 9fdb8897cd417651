"""The cost of a Gram matrix, estimated from a few rows of it."""

from __future__ import annotations

import sys
import threading
import time

from kernlib import RBF, Nystrom
from kernlib.data import load_dataset
from kernlib.experiments import gram_cost
from kernlib.numerics.blocks import on_one_core, over_tiles


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
