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
    result, spent = _timed(case.ours)
    checked = None if case.check is None else case.check(result)
    present = [peer for peer in case.peers if not peer.package or importlib.util.find_spec(peer.package)]
    once, differences = [], {}
    for peer in present:
        theirs, seconds = _timed(peer.call)
        once.append(seconds)
        differences[peer.name] = None if peer.same is None else case.difference(result, peer.same(theirs))
        del theirs
    size, spent = int(getattr(result, "nbytes", 0)), spent + sum(once)
    del result
    if budget >= spent:
        calls = [case.ours, *(peer.call for peer in present)]
        times = [[_timed(call)[1] for call in calls] for _ in range(min(_ROUNDS, int(budget / max(spent, 1e-9))))]
    else:  # slow peers run once; ours runs again, as its first call includes imports
        times = [[_timed(case.ours)[1], *once]]
    own, *others = zip(*times, strict=True)
    taken = dict(zip(differences, others, strict=True))
    peers = tuple(
        Compared(
            peer.name,
            statistics.median(taken[peer.name]),
            statistics.median(ours / theirs for ours, theirs in zip(own, taken[peer.name], strict=True)),
            differences[peer.name],
        )
        if peer in present
        else Compared(peer.name, absent=f"{peer.package} is not installed")
        for peer in case.peers
    )
    return Measured(work, n, statistics.median(own), peers, _peak(case.ours), size, checked)


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
