"""Measure ours and the peers alternately: check values, then medians of time, and memory."""

from __future__ import annotations

import gc
import importlib.util
import statistics
import time
import tracemalloc
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .case import Work

#: More rounds hardly change the medians.
_ROUNDS = 7


@dataclass(frozen=True)
class Compared:
    """One peer: median `seconds` and `ratio` of ours to its, None where it is `absent`, and the largest `difference`.

    `difference` is None for a peer that does other work.
    """

    name: str
    seconds: float | None = None
    ratio: float | None = None
    difference: float | None = None
    absent: str = ""


@dataclass(frozen=True)
class Measured:
    """One row of the table.

    `peak` bytes allocated during an evaluation, `result` bytes of its result; `difference` the largest difference from
    values of the definition, None where values are compared with peers alone.
    """

    work: Work
    n: int
    seconds: float
    peers: tuple[Compared, ...]
    peak: int
    result: int
    difference: float | None = None

    @property
    def same(self) -> bool:
        """Return whether all compared values are equal within the tolerance."""
        differences = [self.difference, *(p.difference for p in self.peers)]
        return all(d is None or d <= self.work.tolerance for d in differences)


def measure(work: Work, n: int, budget: float = 12.0) -> Measured:
    """Return one measured row at n rows, within about `budget` seconds if the slowest call allows it."""
    case = work.make(n)
    gc.collect()  # so that garbage of earlier rows is not collected during this one
    result, first = _timed(case.ours)
    checked = None if case.check is None else case.check(result)
    present, compared = [], []
    spent = first
    for peer in case.peers:
        if peer.package and importlib.util.find_spec(peer.package) is None:
            compared.append(Compared(peer.name, absent=f"{peer.package} is not installed"))
            continue
        theirs, seconds = _timed(peer.call)
        spent += seconds
        difference = None if peer.same is None else case.difference(result, peer.same(theirs))
        present.append((peer, seconds))
        compared.append(Compared(peer.name, difference=difference))
        del theirs
    size = int(getattr(result, "nbytes", 0))
    del result
    if budget >= spent:
        calls = [case.ours, *(peer.call for peer, _ in present)]
        times = [[_timed(call)[1] for call in calls] for _ in range(min(_ROUNDS, int(budget / max(spent, 1e-9))))]
    else:  # slow peers run once; ours runs again, as its first call includes imports
        times = [[_timed(case.ours)[1], *(seconds for _, seconds in present)]]
    own = statistics.median(t[0] for t in times)
    filled = iter(range(1, len(present) + 1))
    peers = tuple(one if one.absent else _filled(one, times, next(filled)) for one in compared)
    return Measured(
        work=work,
        n=n,
        seconds=own,
        peers=peers,
        peak=_peak(case.ours),
        result=size,
        difference=checked,
    )


def _filled(one: Compared, times: list[list[float]], place: int) -> Compared:
    seconds = statistics.median(t[place] for t in times)
    ratio = statistics.median(t[0] / t[place] for t in times)
    return Compared(one.name, seconds, ratio, one.difference)


def _timed(call: Callable[[], Any]) -> tuple[Any, float]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the peers
        start = time.perf_counter()
        result = call()
        return result, time.perf_counter() - start


def _peak(call: Callable[[], Any]) -> int:
    """Return the peak of bytes allocated by NumPy and Python during one call."""
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
