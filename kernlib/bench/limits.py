"""What this machine can do at best, measured in the same run."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .case import Case

__all__ = ["Machine", "best_of", "measure_machine"]


@dataclass(frozen=True)
class Machine:
    """`flops` of a matrix product, `written` bytes into fresh memory and `exponentials`, each in a second."""

    flops: float
    written: float
    exponentials: float

    def seconds(self, case: Case) -> float:
        """The time that the case's work takes at these rates, one after the other; 0 where nothing is counted."""
        return case.flops / self.flops + case.written / self.written + case.exponentials / self.exponentials


def measure_machine(n: int = 1500) -> Machine:
    """The best of a few runs; `n` is the side of the product that is timed."""
    A = np.random.default_rng(0).normal(size=(n, n))
    x = A.ravel()[: max(1, min(A.size, 1 << 16))].copy()
    out = np.empty_like(x)
    cores = _cores()
    return Machine(
        flops=2 * n**3 / best_of(lambda: A @ A),
        written=A.nbytes * 4 / best_of(lambda: np.full(4 * A.size, 1.0)),
        exponentials=cores * 16 * len(x) / best_of(lambda: [np.exp(x, out=out) for _ in range(16)]),
    )


def _cores() -> int:
    import os

    return os.cpu_count() or 1


def best_of(call: Callable[[], object], runs: int = 5) -> float:
    """Seconds of the quickest of a few calls, never 0."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return max(min(times), 1e-9)
