"""The machine's best rates, measured in the same run."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .case import Case


@dataclass(frozen=True)
class Machine:
    """Rates a second: `flops` of a matrix product, bytes `written` to fresh memory, and `exponentials`."""

    flops: float
    written: float
    exponentials: float

    def seconds(self, case: Case) -> float:
        """Return the time of the case's minimum work at these rates, in sequence; 0 if the case counts none."""
        return case.flops / self.flops + case.written / self.written + case.exponentials / self.exponentials


def measure_machine(n: int = 1500) -> Machine:
    """Return the best rates of a few runs; `n` is the side of the matrix product."""
    A = np.random.default_rng(0).normal(size=(n, n))
    x = A.ravel()[: max(1, min(A.size, 1 << 16))].copy()
    out = np.empty_like(x)
    return Machine(
        flops=2 * n**3 / best_of(lambda: A @ A),
        written=A.nbytes * 4 / best_of(lambda: np.full(4 * A.size, 1.0)),
        exponentials=(os.cpu_count() or 1) * 16 * len(x) / best_of(lambda: [np.exp(x, out=out) for _ in range(16)]),
    )


def best_of(call: Callable[[], object], runs: int = 5) -> float:
    """Return the seconds of the fastest of a few calls, never 0."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return max(min(times), 1e-9)
