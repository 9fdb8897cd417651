"""What a Gram matrix will cost, from a few of its own rows, before it is computed."""

from __future__ import annotations

import math
import threading
import time
from dataclasses import dataclass

import numpy as np

from ..algebra import Product, Sum
from ..base import Kernel
from ..blocks import on_one_core
from ..data import Dataset
from ..errors import KernlibError
from ..steps import Wrapper
from ..wrappers import Nystrom
from .estimate import in_words
from .memory import landmarks_of

__all__ = ["GramCost", "gram_cost"]

#: Seconds that may go into timing: a glance where the answer is clear, more where it is not; nobody waits longer
#: than the last.
_GLANCE, _LOOK, _WAIT = 0.03, 0.8, 1.5
#: A prediction below this is not worth another look, if it is made from no fewer rows than the share of `_FEW`: of
#: fewer, what is done once hides what is done for every pair.
_CLEAR = 0.5
_FEW = 8


@dataclass(frozen=True)
class GramCost:
    """Cost of an (n, n) Gram matrix, or of the short rows that landmarks make of one, on one core: `seconds`, within a
    factor of two or three where `sure`, and its own `bytes`."""

    seconds: float
    bytes: int
    sure: bool = True

    def words(self) -> str:
        """The cost in words.

        >>> GramCost(200.0, 72_000_000).words()
        'about 3.3 min, 72 MB'
        >>> GramCost(2e5, 72_000_000, sure=False).words()
        'more than a minute, perhaps hours: a few rows took longer than a second'
        """
        if not self.sure:
            return "more than a minute, perhaps hours: a few rows took longer than a second"
        return in_words(self.seconds, self.bytes)


def gram_cost(kernel: Kernel, data: Dataset) -> GramCost:
    """The cost of ``kernel(data.inputs)``, from timing it on samples of 2, 4, 8, … rows for a moment.

    A sample is only begun where the one before says that it is worth its time. The processor time of
    one core is counted, so that a busy machine does not make a kernel look costly. Rows that mean nothing by
    themselves (nodes, scores, pairs) are not sampled: their matrices cost what linear algebra costs.

    >>> from kernlib import RBF
    >>> from kernlib.data import load_dataset
    >>> gram_cost(RBF(), load_dataset("iris")).seconds < 1
    True
    """
    if kernel.has_factor and landmarks_of(kernel) < data.n:
        return _short_cost(kernel, data)
    return _exact_cost(kernel, data, data.n)


def _exact_cost(kernel: Kernel, data: Dataset, n: int) -> GramCost:
    """The cost of an (n, n) Gram matrix of rows as those of the data, of which there may be more or fewer."""
    size = n**2 * 8
    if data.domain in ("node", "matrix", "pair"):
        return GramCost(1e-9 * n**3, size)
    measured: list[tuple[int, float]] = []
    over = threading.Event()
    # Two rows of the costliest kernels take many seconds: they are waited for no longer than a person would.
    timing = threading.Thread(target=_measure_alone, args=(kernel, data, n, measured, over), daemon=True)
    timing.start()
    timing.join(_WAIT)
    over.set()
    if timing.is_alive() and len(measured) < 3:
        return GramCost(max(120.0, _continued(measured, n)), size, sure=False)
    return GramCost(_continued(measured, n), size)


def _short_cost(kernel: Kernel, data: Dataset) -> GramCost:
    """Of n short rows: their values against the landmarks, drawn and compared twice, and the (m, m) decomposition."""
    landmarks = landmarks_of(kernel)
    # A square matrix of as many values needs no extrapolation to all pairs of many rows.
    exact = _exact_cost(_without_landmarks(kernel), data, min(data.n, math.isqrt(2 * landmarks * data.n)))
    seconds = exact.seconds + 2e-10 * (landmarks**3 + data.n * landmarks**2)
    return GramCost(seconds, 3 * 8 * data.n * landmarks, exact.sure)


def _without_landmarks(kernel: Kernel) -> Kernel:
    if isinstance(kernel, Nystrom):
        return kernel.kernel
    return kernel._with_children(_without_landmarks) if isinstance(kernel, Wrapper | Sum | Product) else kernel


def _measure_alone(
    kernel: Kernel, data: Dataset, n: int, measured: list[tuple[int, float]], over: threading.Event
) -> None:
    with on_one_core():  # else the time of threads of its own would not be seen
        _measure(kernel, data, n, measured, over)


def _measure(kernel: Kernel, data: Dataset, n: int, measured: list[tuple[int, float]], over: threading.Event) -> None:
    rng = np.random.default_rng(0)
    rows, spent, first = 2, 0.0, True
    while rows <= min(n, data.n) and not over.is_set():
        chosen = np.sort(rng.choice(data.n, rows, replace=False))
        labels = None if data.y is None else data.y[chosen]
        start = time.thread_time()
        try:
            kernel.fold(data.inputs[chosen], y=labels)
            took = time.thread_time() - start
            if not first:  # which pays for imports and first pages
                measured.append((rows, max(took, 1e-7)))
        except (KernlibError, MemoryError):
            # So few rows may be too much alike; what is wrong with all of them, evaluation says.
            took = time.thread_time() - start
        if first:
            first = False
            continue
        spent += took
        clear = measured and _FEW * rows >= n and _continued(measured, n) < _CLEAR
        allowed = _GLANCE if clear else _LOOK
        if (len(measured) > 2 or took > allowed / 4) and spent + 5 * took > allowed:
            return
        rows *= 2


def _continued(measured: list[tuple[int, float]], n: int) -> float:
    """Seconds at n rows: a fixed part and one that grows as n², or all of it faster where the last two samples did."""
    if not measured:
        return 0.0
    rows, seconds = measured[-1]
    if len(measured) == 1:
        return float(seconds * (n / rows) ** 2)
    before, shorter = measured[-2]
    power = np.log(seconds / shorter) / np.log(rows / before)
    if power > 2:
        return float(seconds * (n / rows) ** min(power, 3.0))
    per_pair = max(0.0, seconds - shorter) / (rows**2 - before**2)
    return float(seconds + per_pair * (n**2 - rows**2))
