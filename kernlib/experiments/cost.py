"""The cost of a run or of a Gram matrix, estimated from a few of its own folds or rows before it is computed."""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from ..core.algebra import Joined
from ..core.base import Kernel, Memo
from ..core.steps import Wrapper, normal_form
from ..data import Dataset
from ..errors import KernlibError
from ..kernels.matrices import Precomputed
from ..machines.linear import FEW
from ..numerics.blocks import on_one_core
from ..numerics.budget import memory_budget
from ..own import OwnKernel
from ..own.pairwise import computed_anew, is_kept
from ..values.arrays import Array
from ..values.words import seconds_in_words, size_in_words
from .memory import bytes_needed, landmarks_of, leaves_of
from .running.folds import Candidate, Group, Part, Setting, groups, parts, run
from .running.single import single_runs
from .running.sweep import labels_of, matching
from .spec import RunSpec

#: Rows of the first sample; larger samples follow until the time for timing is used up.
_SMALL = 200
#: Rows of the artificial fold that runs before any is timed.
_FIRST = 40
#: Seconds of one core after which no further fold is timed.
_ENOUGH = 0.6
#: Seconds that are not timed twice.
_LONG = 0.15
#: Combinations of kernel and machine that are timed at every point.
_COMBINATIONS = 8
#: Expected and largest powers by which time grows with the rows: for all pairs of rows, and with landmarks.
_BY_PAIRS, _BY_ROWS = (2.0, 3.0), (1.2, 1.5)
#: Seconds of one core for timing: if the answer is clear, if it is not, and at most.
_GLANCE, _LOOK, _WAIT = 0.03, 0.8, 1.5
#: Seconds by the clock that a busy machine may take for them, and between two looks at the timing thread.
_PATIENCE, _AGAIN = 30.0, 0.05
#: A smaller prediction is accepted if it is made from at least 1/`_ENLARGED` of the rows: with fewer, fixed costs hide
#: the cost per pair.
_CLEAR = 0.5
_ENLARGED = 8


@dataclass(frozen=True)
class CostEstimate:
    """Cost of a run, or of an (n, n) Gram matrix or its factor by landmarks, on one core.

    `seconds` are meant to be right within a factor of two on an idle core, for a matrix within three, if `sure`;
    `bytes` of memory, of a `budget`. Of a run, `fits` is the number of machines trained, and `binding` the part of
    `seconds` for the Gram matrices before the first point.
    """

    seconds: float
    bytes: int
    sure: bool = True
    fits: int = 0
    binding: float = 0.0
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
    """Return the cost of `sweep(spec, data, jobs=jobs)`, from timing a few of its folds for about a second.

    Processor time is measured: on a busy machine the run takes longer.

    Gram matrices and folds are timed on all rows if these are few, otherwise on growing samples for about half a second
    and extrapolated: a + b·n², or with landmarks a + b·n^1.2, where two sizes separate the fixed part a from b. Folds
    are timed at values spread over the axis, and for a tuned run at a few of the combinations. Results are discarded.
    Raises as `sweep`, except that a run beyond the memory budget is reported by `fits_memory`.

    >>> from kernlib import RBF
    >>> from kernlib.protocols import RepeatedSplits
    >>> cost = estimate(RunSpec("colon", RBF(sigma="median"), protocol=RepeatedSplits(repeats=4)))
    >>> cost.fits, cost.fits_memory
    (4, True)
    """
    if spec.settled:
        tuned = estimate(replace(spec, settled=0), data, jobs=jobs)
        plain = estimate(replace(spec, settled=0, tuning=(), selection="splits"), data, jobs=jobs)
        share = spec.settled / spec.splits
        return replace(tuned, seconds=tuned.seconds * share + plain.seconds, fits=spec.fits)
    runs = single_runs(spec)
    if len(runs) > 1:
        one = estimate(runs[-1].spec, data if runs[-1].spec.parameters == spec.parameters else None, jobs=jobs)
        return replace(one, seconds=one.seconds * len(runs), binding=one.binding * len(runs), fits=spec.fits)
    data = matching(spec, data)
    y, task = labels_of(data)
    grouped = groups(spec)
    setting = Setting.of(spec, task, data.groups)
    drawn = parts(spec, y, task, data)
    part = next(drawn)
    needed = bytes_needed(grouped, data.n, len(part.train), len(part.test), max(1, jobs))
    _warm(grouped[0], part, setting)
    drawing = _seconds(lambda: next(drawn, None)) if spec.protocol.count > 1 else 0.0
    probes = _spread(grouped)
    start = time.thread_time()
    seconds: list[float] = []
    bindings: list[float] = []
    bound: dict[int, Memo] = {}
    for group in probes:
        if seconds and time.thread_time() - start > _ENOUGH:
            break
        bind, per_split = _timed(group, data, y, part, setting, bound)
        bindings.append(bind)
        seconds.append(per_split * len(group.points))
    # Groups that were not timed cost the average of the timed ones, per point.
    points = sum(len(g.points) for g in grouped)
    timed = sum(len(g.points) for g in probes[: len(seconds)])
    fold_seconds = (sum(seconds) / timed * points + drawing) * spec.protocol.count
    # The first group binds the shared base, each of the others its own part.
    others = sum(bindings[1:]) / (len(bindings) - 1) * (len(grouped) - 1) if len(bindings) > 1 else 0.0
    binding = bindings[0] + others
    if len(bindings) == 1:
        binding *= _count_bases(grouped)
    workers = min(max(1, jobs), os.cpu_count() or 1)
    return CostEstimate(binding + fold_seconds / workers, needed, fits=spec.fits, binding=binding)


def _spread(grouped: list[Group]) -> list[Group]:
    """Return the groups in the order of timing: the middle, the ends, the quarters.

    Often one alone is timed: at an end of the axis a kernel may cost a fraction of the average, or fail.
    """
    last = len(grouped) - 1
    order = [last // 2, 0, last, last // 4, 3 * last // 4]
    return [grouped[i] for i in dict.fromkeys(order)]


def _count_bases(grouped: list[Group]) -> int:
    """Return the number of different base kernels that learn nothing, at least 1: a run computes each once."""
    leaves = {leaf for group in grouped for kernel in group.kernels for leaf in leaves_of(normal_form(kernel))}
    return max(1, sum(not leaf.learns for leaf in leaves))


def _timed(
    group: Group, data: Dataset, y: Array, part: Part, setting: Setting, known: dict[int, Memo]
) -> tuple[float, float]:
    """Return the seconds to bind a group, except the kernels already bound, and the seconds of one split per point.

    `known` holds the kernels bound to samples of each size; the group's own are added.
    """
    probe, share = thinned(group)
    places = [0] if len(probe.points) == 1 else sorted({0, len(probe.points) // 2, len(probe.points) - 1})
    # Kernels that share evaluations are timed together.
    if len(probe.kernels) > 1 and len(probe.points) > 1:
        places = list(range(len(probe.points)))
    law = _BY_ROWS if all(kernel.has_factor for kernel in group.kernels) else _BY_PAIRS
    measured: list[tuple[int, float, float]] = []
    costs: list[tuple[int, float]] = []
    size = first_size(group, data, part)
    while size:
        rng = np.random.default_rng(size)  # the same rows for all groups
        rows = np.arange(data.n) if size == data.n else np.sort(rng.choice(data.n, size, replace=False))
        inputs = data.inputs if size == data.n else data.inputs[rows]
        small = _smaller(part, data.n, rows, rng)
        memo = known.setdefault(size, {})
        start = time.thread_time()
        try:
            binding = _seconds(lambda i=inputs, m=memo: probe.bind(i, _copied(m)))  # type: ignore[misc]
            todo = probe.bind(inputs, memo), tuple(places), small, setting, y[rows], lambda: False
            folds = _seconds(partial(run, *todo))
        except KernlibError:
            binding = folds = 0.0  # the run reports the error itself; a sample may also be too small for the kernel
        measured.append((size, binding * len(group.kernels) / len(probe.kernels), folds))
        costs.append((size, time.thread_time() - start))
        # The next sample must be cheap enough by the previous ones.
        larger = [s for s in ((data.n,) if data.n <= 4 * size else ()) + (2 * size,) if size < s <= data.n]
        size = next((s for s in larger if extrapolated(costs, s, law) < _ENOUGH), 0)
    measured.sort()
    binding, folds = (extrapolated([(m[0], m[k]) for m in measured], data.n, law) for k in (1, 2))
    return binding, share * folds / len(places)


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


def _copied(memo: Memo) -> Memo:
    """Return a copy of the bound kernels, nested memos included."""
    return {key: _copied(value) if isinstance(value, dict) else value for key, value in memo.items()}


def _warm(group: Group, part: Part, setting: Setting) -> None:
    """Run one point's fold on a few artificial rows, so that first imports are not counted."""
    half, n = _FIRST // 2, _FIRST
    y = np.sin(np.arange(n)) if setting.task == "regression" else np.arange(n) % 2
    one = group.only([0])
    bound = replace(one, bound=(Precomputed().bind(np.eye(n) + np.outer(y, y)),) * len(one.kernels))
    train, test = np.arange(half), np.arange(half, n)
    few = Part(0, train, test, None if part.validation is None else test)
    if setting.owners is not None:
        setting = replace(setting, owners=np.arange(n) // 2)
    run(bound, (0,), few, setting, y, lambda: False)


def _smaller(part: Part, n: int, rows: Array, rng: np.random.Generator) -> Part:
    """Return a split of a sample of rows, renumbered, in the proportions of the real one."""
    size = len(rows)
    if size == n:
        return part
    train = max(2, round(len(part.train) / n * size))
    test = max(1, round(len(part.test) / n * size))
    order = rng.permutation(size)
    cut = np.sort(order[train : train + test])
    return replace(part, train=np.sort(order[:train]), test=cut, validation=None if part.validation is None else cut)


def extrapolated(measured: list[tuple[int, float]], n: int, law: tuple[float, float] = _BY_PAIRS) -> float:
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
    most = max(len(p.candidates) for p in group.points)
    if most <= _COMBINATIONS:
        return group, 1.0
    thin = []
    for point in group.points:
        machines: dict[int, list[Candidate]] = {}
        for candidate in point.candidates:
            machines.setdefault(candidate.kernel, []).append(candidate)
        each = max(map(len, machines.values()))
        kernels = _some(list(machines), max(2, _COMBINATIONS // each))
        chosen = [c for k in kernels for c in _some(machines[k], max(2, _COMBINATIONS // len(kernels)))]
        thin.append(replace(point, candidates=tuple(chosen)))
    kept = Group(tuple(thin), group.kernels).only(list(range(len(thin))))
    return kept, sum(len(p.candidates) for p in group.points) / sum(len(p.candidates) for p in thin)


def _some(values: list[Any], count: int) -> list[Any]:
    """Return at most `count` values, spread from the first to the last."""
    return [values[i] for i in np.unique(np.linspace(0, len(values) - 1, min(count, len(values))).astype(int))]


def _seconds(work: Callable[[], object]) -> float:
    """Return the shorter of two runs, because the first one includes first calls; of a long run, the first.

    Processor time of one core is measured: the present load of the machine does not count.
    """
    times: list[float] = []
    with on_one_core():
        while len(times) < 2 and sum(times) < _LONG:
            start = time.thread_time()
            work()
            times.append(time.thread_time() - start)
    return min(times)


def gram_cost(kernel: Kernel, data: Dataset) -> CostEstimate:
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


def exact_cost(kernel: Kernel, data: Dataset, n: int) -> CostEstimate:
    """Return the cost of an (n, n) Gram matrix of rows like those of the data."""
    size = n**2 * 8
    if data.row_kind.together:
        return CostEstimate(1e-9 * n**3, size)
    if n == data.n and is_kept(kernel, data.inputs):
        return CostEstimate(0.0, size)
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
    if timing.is_alive() and len(measured) < 3:
        return CostEstimate(max(120.0, extrapolated(measured, n)), size, sure=False)
    return CostEstimate(extrapolated(measured, n), size)


def _is_own(kernel: Kernel) -> bool:
    """Return whether code that is not kernlib's takes part; it may wait without computing, or compute elsewhere."""
    return any(isinstance(part, OwnKernel) for part in kernel.walk())


def _used(clock: list[int], passed: float) -> float:
    """Return the processor time of the timing thread; the time `passed` where the system does not provide it."""
    try:
        return time.clock_gettime(clock[0]) if clock and passed < _PATIENCE else passed
    except OSError:  # the thread has just ended
        return passed


def _short_cost(kernel: Kernel, data: Dataset) -> CostEstimate:
    """Return the cost of a factor: n rows against the landmarks, twice, and the (m, m) decomposition."""
    landmarks = landmarks_of(kernel)
    # A square matrix with as many values needs no extrapolation to all pairs of rows.
    exact = exact_cost(_without_landmarks(kernel), data, min(data.n, math.isqrt(2 * landmarks * data.n)))
    seconds = exact.seconds + 2e-10 * (landmarks**3 + data.n * landmarks**2)
    return CostEstimate(seconds, 3 * 8 * data.n * landmarks, exact.sure)


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
        clear = measured and _ENLARGED * rows >= n and extrapolated(measured, n) < _CLEAR
        allowed = _GLANCE if clear else _LOOK
        if (len(measured) > 2 or took > allowed / 4) and spent + 5 * took > allowed:
            return
        rows *= 2
