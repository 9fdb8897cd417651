"""The cost of a Gram matrix, estimated from a few of its rows before it is computed."""

from __future__ import annotations

import math
import threading
import time
from dataclasses import dataclass

import numpy as np

from ...core.algebra import Joined
from ...core.base import Kernel
from ...core.steps import Wrapper
from ...data import Dataset
from ...errors import KernlibError
from ...numerics.blocks import on_one_core
from ...own import OwnKernel
from ...own.pairwise import computed_anew, share_left
from .estimate import extrapolated, in_words
from .memory import landmarks_of

#: Seconds of one core for timing: if the answer is clear, if it is not, and at most.
_GLANCE, _LOOK, _WAIT = 0.03, 0.8, 1.5
#: Seconds by the clock that a busy machine may take for them, and between two looks at the timing thread.
_PATIENCE, _AGAIN = 30.0, 0.05
#: A smaller prediction is accepted if it is made from at least 1/`_FEW` of the rows: with fewer, fixed costs hide the
#: cost per pair.
_CLEAR = 0.5
_FEW = 8


@dataclass(frozen=True)
class GramCost:
    """Cost of an (n, n) Gram matrix, or of its factor by landmarks, on one core.

    `seconds` are right within a factor of two or three if `sure`; `bytes` of memory.
    """

    seconds: float
    bytes: int
    sure: bool = True

    def words(self) -> str:
        """Return the cost as text.

        >>> GramCost(200.0, 72_000_000).words()
        'about 3.3 min, 72 MB'
        >>> GramCost(2e5, 72_000_000, sure=False).words()
        'more than a minute, perhaps hours: a few rows took longer than a second'
        """
        if not self.sure:
            return "more than a minute, perhaps hours: a few rows took longer than a second"
        return in_words(self.seconds, self.bytes)


def gram_cost(kernel: Kernel, data: Dataset) -> GramCost:
    """Return the cost of ``kernel(data.inputs)``, from timing it briefly on samples of 2, 4, 8, … rows.

    A sample is timed only if the previous one predicts that it is cheap enough. The processor time of one core is
    measured: on a busy machine the kernel takes longer. Nodes, scores and pairs are not sampled, because a part of them
    is another problem; their matrices cost about as much as linear algebra.

    >>> from kernlib import RBF
    >>> from kernlib.data import load_dataset
    >>> gram_cost(RBF(), load_dataset("iris")).seconds < 1
    True
    """
    if kernel.has_factor and landmarks_of(kernel) < data.n:
        return _short_cost(kernel, data)
    return exact_cost(kernel, data, data.n)


def exact_cost(kernel: Kernel, data: Dataset, n: int) -> GramCost:
    """Return the cost of an (n, n) Gram matrix of rows like those of the data."""
    size = n**2 * 8
    if data.row_kind.together:
        return GramCost(1e-9 * n**3, size)
    measured: list[tuple[int, float]] = []
    over, clock = threading.Event(), list[int]()
    # Two rows of the costliest kernels take many seconds, hence a limit: of processor time, or a busy machine would
    # make every kernel look costly.
    timing = threading.Thread(target=_measure_alone, args=(kernel, data, n, measured, over, clock), daemon=True)
    begin = time.monotonic()
    timing.start()
    own = _is_own(kernel)
    while timing.is_alive() and _used([] if own else clock, time.monotonic() - begin) < _WAIT:
        timing.join(_AGAIN)
    over.set()
    left = share_left(kernel, data.inputs) if n == data.n else 1.0  # of a function of two rows, whose values are kept
    if timing.is_alive() and len(measured) < 3:
        return GramCost(left * max(120.0, extrapolated(measured, n)), size, sure=left == 0)
    return GramCost(left * extrapolated(measured, n), size)


def _is_own(kernel: Kernel) -> bool:
    """Return whether code that is not kernlib's takes part; it may wait without computing, or compute elsewhere."""
    return any(isinstance(part, OwnKernel) for part in kernel.walk())


def _used(clock: list[int], passed: float) -> float:
    """Return the processor time of the timing thread; the time `passed` where the system does not provide it."""
    try:
        return time.clock_gettime(clock[0]) if clock and passed < _PATIENCE else passed
    except OSError:  # the thread has just ended
        return passed


def _short_cost(kernel: Kernel, data: Dataset) -> GramCost:
    """Return the cost of a factor: n rows against the landmarks, twice, and the (m, m) decomposition."""
    landmarks = landmarks_of(kernel)
    # A square matrix with as many values needs no extrapolation to all pairs of rows.
    exact = exact_cost(_without_landmarks(kernel), data, min(data.n, math.isqrt(2 * landmarks * data.n)))
    seconds = exact.seconds + 2e-10 * (landmarks**3 + data.n * landmarks**2)
    return GramCost(seconds, 3 * 8 * data.n * landmarks, exact.sure)


def _without_landmarks(kernel: Kernel) -> Kernel:
    if kernel.landmark_count:
        return kernel.children[0]
    return kernel.with_children(_without_landmarks) if isinstance(kernel, Wrapper | Joined) else kernel


def _measure_alone(
    kernel: Kernel, data: Dataset, n: int, measured: list[tuple[int, float]], over: threading.Event, clock: list[int]
) -> None:
    if hasattr(time, "pthread_getcpuclockid"):  # not on Windows and macOS
        clock.append(time.pthread_getcpuclockid(threading.get_ident()))
    with on_one_core(), computed_anew():  # otherwise the time of its threads is not counted
        _measure(kernel, data, n, measured, over)


def _measure(kernel: Kernel, data: Dataset, n: int, measured: list[tuple[int, float]], over: threading.Event) -> None:
    rng = np.random.default_rng(0)
    now = time.perf_counter if _is_own(kernel) else time.thread_time
    rows, spent, first = 2, 0.0, True
    while rows <= min(n, data.n) and not over.is_set():
        chosen = np.sort(rng.choice(data.n, rows, replace=False))
        labels = None if data.y is None else data.y[chosen]
        start = now()
        try:
            kernel.fold(data.inputs[chosen], y=labels)
            took = now() - start
            if not first:  # the first sample includes imports
                measured.append((rows, max(took, 1e-7)))
        except (KernlibError, MemoryError):
            # Few rows may be degenerate; the evaluation of all rows reports real errors.
            took = now() - start
        if first:
            first = False
            continue
        spent += took
        clear = measured and _FEW * rows >= n and extrapolated(measured, n) < _CLEAR
        allowed = _GLANCE if clear else _LOOK
        if (len(measured) > 2 or took > allowed / 4) and spent + 5 * took > allowed:
            return
        rows *= 2
