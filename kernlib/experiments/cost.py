"""The cost of a run or of a Gram matrix, estimated from a few of its rows before it is computed."""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..core.algebra import Joined
from ..core.base import Kernel
from ..core.steps import Wrapper, normal_form
from ..data import Dataset
from ..errors import KernlibError
from ..machines.solvers import FEW
from ..numerics.blocks import on_one_core
from ..numerics.budget import memory_budget
from ..own import OwnKernel
from ..own.functions import computed_anew, is_kept
from ..values.words import seconds_in_words, size_in_words
from ..wrappers.landmarks import landmarks_of
from .folds import Candidate, Group, Part, Setting, groups, parts, run
from .spec import RunSpec
from .sweep import bytes_needed, labels_of, matching, single_runs

#: Rows of a run's first sample.
_SMALL = 200
#: Combinations of kernel and machine that are timed at every point.
_COMBINATIONS = 8
#: Expected and largest powers by which time grows with the rows: for all pairs of rows, and with landmarks.
_BY_PAIRS, _BY_ROWS = (2.0, 3.0), (1.2, 1.5)
#: Seconds that the last sample of rows may take: of a run; of a matrix where the answer is clear, and where it is not.
_ENOUGH, _GLANCE, _LOOK = 0.6, 0.02, 0.4
#: A smaller prediction is clear if it is made from at least 1/`_ENLARGED` of the rows: with fewer, fixed costs hide
#: the cost per pair.
_CLEAR, _ENLARGED = 0.5, 8
#: Seconds of this process and by the clock after which a matrix is too long to be timed, and between two looks.
_WAIT, _PATIENCE, _AGAIN = 1.5, 30.0, 0.05

#: Numbers of rows with the seconds that they took, the smallest first.
Times = list[tuple[int, float]]


@dataclass(frozen=True)
class CostEstimate:
    """Cost of a run, or of an (n, n) Gram matrix or its factor by landmarks, on one core.

    `seconds` are meant to be right within a factor of two on an idle core, for a matrix within three, if `sure`;
    `bytes` of memory, of a `budget`. Of a run, `fits` is the number of machines trained.
    """

    seconds: float
    bytes: int
    sure: bool = True
    fits: int = 0
    budget: int = field(default_factory=memory_budget)

    @property
    def fits_memory(self) -> bool:
        """Return whether the memory budget allows the computation."""
        return self.bytes <= self.budget

    def words(self) -> str:
        """Return the estimate as text.

        >>> CostEstimate(90.0, 2_000_000, fits=1000).words(), CostEstimate(200.0, 72_000_000).words()
        ('1,000 fits, about 1.5 min, 2 MB', 'about 3.3 min, 72 MB')
        >>> CostEstimate(2e5, 72_000_000, sure=False).words()
        'more than a minute, perhaps hours: a few rows took longer than a second'
        """
        if not self.sure:
            return "more than a minute, perhaps hours: a few rows took longer than a second"
        trained = f"{self.fits:,} {'fit' if self.fits == 1 else 'fits'}, " if self.fits else ""
        return f"{trained}{seconds_in_words(self.seconds)}, {size_in_words(self.bytes, 2)}"


def estimate(spec: RunSpec, data: Dataset | None = None, *, jobs: int = 1) -> CostEstimate:
    """Return the cost of `sweep(spec, data, jobs=jobs)`, from timing the middle of its points for about a second.

    Processor time is measured: on a busy machine the run takes longer. The Gram matrices and one fold are timed on
    growing samples of the rows and extrapolated; for a tuned run with a few of the combinations. Raises as `sweep`,
    except that a run beyond the memory budget is reported by `fits_memory`.

    >>> from kernlib import RBF
    >>> from kernlib.protocols import RepeatedSplits
    >>> cost = estimate(RunSpec("colon", RBF(sigma="median"), protocol=RepeatedSplits(repeats=4)))
    >>> cost.fits, cost.fits_memory
    (4, True)
    """
    runs = single_runs(spec)
    if len(runs) > 1:
        one = estimate(runs[-1].spec, data if runs[-1].spec.parameters == spec.parameters else None, jobs=jobs)
        return replace(one, seconds=one.seconds * len(runs), fits=spec.fits)
    data = matching(spec, data)
    y, task = labels_of(data)
    grouped = groups(spec)
    part = next(parts(spec, y, task, data))
    group = grouped[(len(grouped) - 1) // 2]  # at an end of the axis a kernel may cost a fraction of the average
    probe, share = thinned(group)
    setting, places = Setting.of(spec, task, data.groups), tuple(range(len(probe.points)))
    times: dict[int, tuple[float, float]] = {}

    def work(size: int) -> None:
        rows, smaller = np.arange(data.n), part
        if size < data.n:
            rng = np.random.default_rng(size)
            rows = np.sort(rng.choice(data.n, size, replace=False))
            smaller = _smaller(part, data.n, size, rng)
        start = time.thread_time()
        bound = probe.bind(data.inputs if size == data.n else data.inputs[rows], {})
        begun = time.thread_time()
        run(bound, places, smaller, setting, y[rows], lambda: False)
        times[size] = begun - start, time.thread_time() - begun

    law = _BY_ROWS if all(kernel.has_factor for kernel in group.kernels) else _BY_PAIRS
    with on_one_core():
        _time(work, data.n, first_size(group, data, part), lambda _: _ENOUGH, law)
    binding, folds = (
        extrapolated([(size, both[which]) for size, both in sorted(times.items())], data.n, law) for which in (0, 1)
    )
    # Each kernel that learns nothing is evaluated once for the whole run.
    binding *= _count_bases(grouped) / _count_bases([probe])
    points = sum(len(one.points) for one in grouped) / len(probe.points)
    workers = min(max(1, jobs), os.cpu_count() or 1)
    needed = bytes_needed(grouped, data.n, len(part.train), len(part.test), max(1, jobs))
    return CostEstimate(binding + folds * share * points * spec.protocol.count / workers, needed, fits=spec.fits)


def _count_bases(grouped: list[Group]) -> int:
    """Return the number of different base kernels that learn nothing, at least 1."""
    kernels = {normal_form(kernel) for group in grouped for kernel in group.kernels}
    return max(1, len({part for kernel in kernels for part in kernel.walk() if not part.children and not part.learns}))


def _time(
    work: Callable[[int], object],
    n: int,
    first: int,
    allowed: Callable[[Times], float],
    law: tuple[float, float] = _BY_PAIRS,
    *,
    clock: Callable[[], float] = time.thread_time,
    measured: Times | None = None,
    over: threading.Event | None = None,
) -> None:
    """Time `work` on growing numbers of rows up to n, as long as the next is predicted to take what is `allowed`.

    The first number runs twice, because the first run includes imports. `measured` receives the times as they come.
    """
    measured = [] if measured is None else measured
    for size in (first, *_growing(first, n)):
        if over is not None and over.is_set():
            return
        if len(measured) > 1 and extrapolated(measured, size, law) > allowed(measured):
            return
        start = clock()
        with suppress(KernlibError, MemoryError):  # few rows may be degenerate; the computation reports real errors
            work(size)
        if measured and measured[-1][0] == size:
            measured.pop()
        measured.append((size, max(clock() - start, 1e-7)))


def _growing(first: int, n: int) -> list[int]:
    """Return numbers of rows from `first` to n, each twice the one before, the last at most four times."""
    sizes = [first]
    while sizes[-1] < n:
        sizes.append(n if n <= 4 * sizes[-1] else 2 * sizes[-1])
    return sizes


def first_size(group: Group, data: Dataset, part: Part) -> int:
    """Return the rows of the first sample."""
    if data.row_kind.together:  # a sample of their rows is another problem
        return data.n
    landmarks = max(landmarks_of(kernel) if kernel.has_factor else 0 for kernel in group.kernels)
    if not landmarks:
        return min(_SMALL, data.n)
    # With few rows all are landmarks, and machines use another solver: beyond that the time grows about linearly.
    enough = 1.25 * FEW * data.n / len(part.train)
    return min(max(_SMALL, 3 * landmarks, round(enough)), data.n)


def _smaller(part: Part, n: int, size: int, rng: np.random.Generator) -> Part:
    """Return a split of a sample of rows, renumbered, in the proportions of the real one."""
    train = max(2, round(len(part.train) / n * size))
    test = max(1, round(len(part.test) / n * size))
    order = rng.permutation(size)
    cut = np.sort(order[train : train + test])
    return replace(part, train=np.sort(order[:train]), test=cut, validation=None if part.validation is None else cut)


def extrapolated(measured: Times, n: int, law: tuple[float, float] = _BY_PAIRS) -> float:
    """Return the seconds at n rows: a + b·nᵖ through the last two sizes, or a steeper power of n if they grow faster.

    The fixed part a does not grow; of a single size, all of the time grows. 0 without any size.
    """
    (size, seconds), (power, most) = measured[-1] if measured else (n, 0.0), law
    if size == n or seconds <= 0:
        return seconds
    if len(measured) > 1 and measured[-2][1] > 0:
        first, before = measured[-2]
        slope = np.log(seconds / before) / np.log(size / first)
        if slope < power:
            b = max(seconds - before, 0.0) / (float(size) ** power - float(first) ** power)
            return float(seconds + b * (float(n) ** power - float(size) ** power))
        power = min(slope, most)
    return float(seconds * (n / size) ** power)


def thinned(group: Group) -> tuple[Group, float]:
    """Return the group with a few combinations of every point, and the factor from its time to that of all.

    Of many kernels, a few keep all their machines, because machines share the cost of their kernel.
    """
    if max(len(p.candidates) for p in group.points) <= _COMBINATIONS:
        return group, 1.0
    thin = []
    for point in group.points:
        machines: dict[int, list[Candidate]] = {}
        for candidate in point.candidates:
            machines.setdefault(candidate.kernel, []).append(candidate)
        kernels = _some(list(machines), max(2, _COMBINATIONS // max(map(len, machines.values()))))
        chosen = [c for k in kernels for c in _some(machines[k], max(2, _COMBINATIONS // len(kernels)))]
        thin.append(replace(point, candidates=tuple(chosen)))
    kept = Group(tuple(thin), group.kernels).only(list(range(len(thin))))
    return kept, sum(len(p.candidates) for p in group.points) / sum(len(p.candidates) for p in thin)


def _some(values: list[Any], count: int) -> list[Any]:
    """Return at most `count` values, spread from the first to the last."""
    return [values[i] for i in np.unique(np.linspace(0, len(values) - 1, min(count, len(values))).astype(int))]


def gram_cost(kernel: Kernel, data: Dataset) -> CostEstimate:
    """Return the cost of ``kernel(data.inputs)``, from timing it briefly on samples of 2, 4, 8, … rows.

    The processor time of one core is measured: on a busy machine the kernel takes longer. Nodes, scores and pairs are
    not sampled, because a part of them is another problem; their matrices cost about as much as linear algebra.

    >>> from kernlib import RBF
    >>> from kernlib.data import load_dataset
    >>> gram_cost(RBF(), load_dataset("iris")).seconds < 1
    True
    """
    landmarks = landmarks_of(kernel) if kernel.has_factor else 0
    if not 0 < landmarks < data.n:
        return exact_cost(kernel, data, data.n)
    # A square matrix with as many values as n rows against the landmarks, twice, needs no extrapolation to all pairs.
    exact = exact_cost(_without_landmarks(kernel), data, min(data.n, math.isqrt(2 * landmarks * data.n)))
    seconds = exact.seconds + 2e-10 * (landmarks**3 + data.n * landmarks**2)
    return CostEstimate(seconds, 3 * 8 * data.n * landmarks, exact.sure)


def _without_landmarks(kernel: Kernel) -> Kernel:
    if kernel.landmark_count:
        return kernel.children[0]
    return kernel.with_children(_without_landmarks) if isinstance(kernel, Wrapper | Joined) else kernel


def exact_cost(kernel: Kernel, data: Dataset, n: int) -> CostEstimate:
    """Return the cost of an (n, n) Gram matrix of rows like those of the data."""
    size = n**2 * 8
    if data.row_kind.together:
        return CostEstimate(1e-9 * n**3, size)
    if n == data.n and is_kept(kernel, data.inputs):
        return CostEstimate(0.0, size)
    # Code that is not kernlib's may wait without computing, or compute elsewhere: its time is that of the clock.
    own = any(isinstance(part, OwnKernel) for part in kernel.walk())
    measured: Times = []
    over = threading.Event()

    def work(rows: int) -> None:
        chosen = np.sort(np.random.default_rng(rows).choice(data.n, rows, replace=False))
        kernel.fold(data.inputs[chosen], y=None if data.y is None else data.y[chosen])

    def allowed(so_far: Times) -> float:
        clear = _ENLARGED * so_far[-1][0] >= n and extrapolated(so_far, n) < _CLEAR
        return _GLANCE if clear else _LOOK

    def measure() -> None:
        clock = time.perf_counter if own else time.thread_time
        with on_one_core(), computed_anew():  # otherwise the time of its threads is not counted
            _time(work, n, min(2, n), allowed, clock=clock, measured=measured, over=over)

    # Two rows of the costliest kernels take many seconds, hence a limit: of processor time, or a busy machine would
    # make every kernel look costly.
    timing = threading.Thread(target=measure, daemon=True)
    begin, used = time.monotonic(), time.process_time()
    timing.start()
    while timing.is_alive() and time.monotonic() - begin < (_WAIT if own else _PATIENCE):
        if time.process_time() - used > _WAIT:
            break
        timing.join(_AGAIN)
    over.set()
    if timing.is_alive() and len(measured) < 3:
        return CostEstimate(max(120.0, extrapolated(measured, n)), size, sure=False)
    return CostEstimate(extrapolated(measured, n), size)
