"""The cost of a run or of a Gram matrix, estimated from a few of its rows before it is computed."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace

import numpy as np

from ..core.base import Kernel
from ..core.steps import normal_form
from ..data import Dataset
from ..errors import KernlibError
from ..machines.solvers import FEW
from ..numerics.blocks import on_one_core
from ..numerics.workers import memory_budget
from ..own.functions import computed_anew, is_kept
from ..values.arrays import Array
from ..values.words import seconds_in_words, size_in_words
from ..wrappers.landmarks import landmarks_of
from .axis import Axis
from .folds import Group, Part, Setting, groups, parts, run
from .spec import RunSpec
from .sweep import bytes_needed, matching, single_runs

#: Rows of a run's first sample.
_SMALL = 200
#: The next sample of rows may take a tenth of the predicted seconds, and so many at least and at most.
_GLANCE, _LOOK = 0.02, 0.5
#: Seconds of this process and by the clock after which a matrix is too long to be timed, and between two looks.
_WAIT, _PATIENCE, _AGAIN = 1.5, 30.0, 0.05

#: Numbers of rows, the smallest first, with the seconds of each part of the work.
Times = list[tuple[int, Array]]


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


def estimate(spec: RunSpec, data: Dataset | None = None) -> CostEstimate:
    """Return the cost of `sweep(spec, data)`, from timing the middle of its points for about a second.

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
        one = estimate(runs[-1].spec, data if runs[-1].spec.parameters == spec.parameters else None)
        return replace(one, seconds=one.seconds * len(runs), fits=spec.fits)
    data = matching(spec, data)
    grouped, few = groups(spec), _thinned(spec)
    probe, setting = groups(few), Setting.of(few, data)
    part = next(parts(setting, data))

    def work(size: int) -> Array:
        rng = np.random.default_rng(size)
        rows = np.sort(rng.choice(data.n, size, replace=False))
        smaller = part if size == data.n else _smaller(part, data.n, size, rng)
        sampled = replace(setting, y=setting.y[rows])
        start = time.thread_time()
        bound = [group.bind(data.inputs if size == data.n else data.inputs[rows], {}) for group in probe]
        begun = time.thread_time()
        for group in bound:
            run(group, group.points, smaller, sampled, lambda: False)
        return np.array([begun - start, time.thread_time() - begun])

    measured: Times = []
    power = 1.0 if all(kernel.has_factor for group in grouped for kernel in group.kernels) else 2.0
    with on_one_core():
        _time(work, data.n, first_size(grouped, data, part), power, measured, threading.Event())
    binding, folds = extrapolated(measured, data.n, power)
    # Each kernel that learns nothing is evaluated once for the whole run.
    seconds = binding * _count_bases(grouped) / _count_bases(probe) + folds * few.protocol.count * spec.fits / few.fits
    return CostEstimate(seconds, bytes_needed(grouped, data.n, len(part.train), len(part.test)), fits=spec.fits)


def _thinned(spec: RunSpec) -> RunSpec:
    """Return the run with at most three values of each axis and the ends of each tuned one."""

    def some(axis: Axis, count: int) -> Axis:
        places = np.linspace(0, len(axis.values) - 1, count).astype(int)
        return Axis(axis.path, tuple(axis.values[place] for place in places))

    thinned = replace(spec, tuning=tuple(some(axis, 2) for axis in spec.tuning))
    return thinned.over([some(axis, 3) for axis in spec.axes])


def _count_bases(grouped: Iterable[Group]) -> int:
    """Return the number of different base kernels that learn nothing, at least 1."""
    kernels = {normal_form(kernel) for group in grouped for kernel in group.kernels}
    return max(1, len({part for kernel in kernels for part in kernel.walk() if not part.children and not part.learns}))


def _time(
    work: Callable[[int], Array],
    n: int,
    size: int,
    power: float,
    measured: Times,
    over: threading.Event,
    enough: float = 0.0,
) -> None:
    """Time `work` on growing numbers of rows from `size` to n, while the next takes little beside all n.

    The first number runs twice, because the first run includes imports. `measured` receives the times as they come.
    Timing ends, too, where all n are estimated to take less than `enough` seconds.
    """
    work(size)
    while not over.is_set():
        measured.append((size, np.maximum(work(size), 1e-7)))
        if size == n:
            return
        size = n if n <= 4 * size else 2 * size
        following, whole = (extrapolated(measured, rows, power).sum() for rows in (size, n))
        if whole < enough or (len(measured) > 1 and following > min(_LOOK, max(_GLANCE, whole / 10))):
            return


def first_size(grouped: Iterable[Group], data: Dataset, part: Part) -> int:
    """Return the rows of the first sample."""
    if data.row_kind.together:  # a sample of their rows is another problem
        return data.n
    landmarks = max(landmarks_of(kernel) if kernel.has_factor else 0 for group in grouped for kernel in group.kernels)
    # With few rows all are landmarks, and machines use another solver: beyond that the time grows about linearly.
    enough = 1.25 * FEW * data.n / len(part.train) if landmarks else 0
    return min(max(_SMALL, 3 * landmarks, round(enough)), data.n)


def _smaller(part: Part, n: int, size: int, rng: np.random.Generator) -> Part:
    """Return a split of a sample of rows, renumbered, in the proportions of the real one."""
    train = max(2, round(len(part.train) / n * size))
    test = max(1, round(len(part.test) / n * size))
    order = rng.permutation(size)
    cut = np.sort(order[train : train + test])
    return replace(part, train=np.sort(order[:train]), test=cut, validation=None if part.validation is None else cut)


def extrapolated(measured: Times, n: int, power: float) -> Array:
    """Return the seconds at n rows, a + b·nᵖ through the last two sizes; of a single size all grows with nᵖ."""
    size, seconds = measured[-1]
    first, before = measured[-2] if len(measured) > 1 else (0, 0 * seconds)
    growth = np.maximum(seconds - before, 0.0) / (float(size) ** power - float(first) ** power)
    return np.asarray(seconds + growth * (float(n) ** power - float(size) ** power))


def gram_cost(kernel: Kernel, data: Dataset, enough: float = 0.0) -> CostEstimate:
    """Return the cost of ``kernel(data.inputs)``, from timing it briefly on samples of 2, 4, 8, … rows.

    The processor time of one core is measured: on a busy machine the kernel takes longer. Below `enough` seconds the
    estimate is an upper bound, from the first samples alone. Nodes, scores and pairs are not sampled, because a part of
    them is another problem; their matrices cost about as much as linear algebra.

    >>> from kernlib import RBF
    >>> from kernlib.data import load_dataset
    >>> gram_cost(RBF(), load_dataset("iris")).seconds < 1
    True
    """
    landmarks = landmarks_of(kernel) if kernel.has_factor else 0
    if not 0 < landmarks < data.n:
        return exact_cost(kernel, data, data.n, enough)
    # A square matrix with as many values as n rows against the landmarks, twice, needs no extrapolation to all pairs.
    exact = exact_cost(_without_landmarks(kernel), data, min(data.n, math.isqrt(2 * landmarks * data.n)), enough)
    seconds = exact.seconds + 2e-10 * (landmarks**3 + data.n * landmarks**2)
    return CostEstimate(seconds, 3 * 8 * data.n * landmarks, exact.sure)


def _without_landmarks(kernel: Kernel) -> Kernel:
    return kernel.children[0] if kernel.landmark_count else kernel.with_children(_without_landmarks)


def exact_cost(kernel: Kernel, data: Dataset, n: int, enough: float = 0.0) -> CostEstimate:
    """Return the cost of an (n, n) Gram matrix of rows like those of the data."""
    size = n**2 * 8
    if data.row_kind.together:
        return CostEstimate(1e-9 * n**3, size)
    if n == data.n and is_kept(kernel, data.inputs):
        return CostEstimate(0.0, size)
    waits = any(part.waits for part in kernel.walk())
    clock = time.perf_counter if waits else time.thread_time
    measured: Times = []
    over = threading.Event()

    def work(rows: int) -> Array:
        chosen = np.sort(np.random.default_rng(rows).choice(data.n, rows, replace=False))
        start = clock()
        with suppress(KernlibError, MemoryError):  # few rows may be degenerate; the computation reports real errors
            kernel.fold(data.inputs[chosen], y=None if data.y is None else data.y[chosen])
        return np.array([clock() - start])

    def measure() -> None:
        with on_one_core(), computed_anew():  # otherwise the time of its threads is not counted
            _time(work, n, min(2, n), 2.0, measured, over, enough)

    # Two rows of the costliest kernels take many seconds, hence a limit: of processor time, or a busy machine would
    # make every kernel look costly.
    timing = threading.Thread(target=measure, daemon=True)
    begin, used = time.monotonic(), time.process_time()
    timing.start()
    while timing.is_alive() and time.monotonic() - begin < (_WAIT if waits else _PATIENCE):
        if time.process_time() - used > _WAIT:
            break
        timing.join(_AGAIN)
    over.set()
    seconds = float(extrapolated(measured, n, 2.0)[0]) if measured else 0.0
    if timing.is_alive() and len(measured) < 2:
        return CostEstimate(max(120.0, seconds), size, sure=False)
    return CostEstimate(seconds, size)
