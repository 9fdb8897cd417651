"""What a run will cost, from a few of its own folds."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from ..blocks import on_one_core
from ..budget import memory_budget
from ..data import Dataset
from ..errors import KernlibError
from ..steps import normal_form
from ..values.arrays import Array
from .folds import Group, Part, Setting, groups, parts, run
from .memory import bytes_needed, landmarks_of
from .runs import single_runs
from .spec import RunSpec
from .sweep import labels_of, matching

__all__ = ["CostEstimate", "estimate"]

#: The first sample's rows; larger ones follow until the time says enough.
_SMALL = 200
#: Seconds after which no further fold is timed.
_ENOUGH = 0.6


@dataclass(frozen=True)
class CostEstimate:
    """Cost of a run on one core: `seconds`, of which `binding` for the Gram matrices before the first
    point; `fits` machines trained; `bytes` of memory, where `budget` may be taken.

    `seconds` aims at being right within a factor of two, where a core has nothing else to do.
    """

    seconds: float
    fits: int
    bytes: int
    binding: float
    budget: int

    @property
    def fits_memory(self) -> bool:
        """Whether the run would be started at all."""
        return self.bytes <= self.budget

    def words(self) -> str:
        """The estimate in words.

        >>> CostEstimate(90.0, 1000, 2**20, 1.0, 2**30).words()
        '1,000 fits, about 1.5 min, 1 MB'
        """
        return f"{self.fits:,} {'fit' if self.fits == 1 else 'fits'}, {in_words(self.seconds, self.bytes)}"


def in_words(seconds: float, size: int) -> str:
    """Seconds and bytes as a person says them, to two digits."""
    if seconds < 1:
        told = "less than a second"
    elif seconds < 60:
        told = f"about {seconds:.2g} s"
    elif seconds < 5400:
        told = f"about {seconds / 60:.2g} min"
    else:
        told = f"about {_digits(seconds / 3600)} h"
    megabytes = size / 2**20
    memory = f"{megabytes / 1024:.2g} GB" if megabytes >= 1000 else f"{max(1, round(megabytes))} MB"
    return f"{told}, {memory}"


def _digits(value: float) -> str:
    return f"{value:.2g}" if value < 100 else f"{value:.0f}"


def estimate(spec: RunSpec, data: Dataset | None = None, *, jobs: int = 1) -> CostEstimate:
    """The cost of `sweep(spec, data, jobs=jobs)`, from timing a few of its folds for about a second.

    Processor time is counted: on a machine that others keep busy the run takes longer than it says.

    Gram matrices and folds are timed on all rows where these are few, else on growing samples of
    them until one takes a fifth of a second; from there the growth is continued. Folds are timed at
    values spread over the axis, and with tuning on a few of the combinations. Nothing is kept.
    Raises as `sweep`, except that a run that needs too much memory is only said to (`fits_memory`).

    >>> from kernlib import RBF
    >>> from kernlib.protocols import RepeatedSplits
    >>> found = estimate(RunSpec("colon", RBF(sigma="median"), protocol=RepeatedSplits(repeats=4)))
    >>> found.fits, found.fits_memory
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
    made = groups(spec)
    setting = Setting.of(spec, task, data.groups)
    part = next(parts(spec, y, task, data))
    needed = bytes_needed(made, data.n, len(part.train), len(part.test), max(1, jobs))
    fold_seconds = binding = 0.0
    probes = _spread(made)
    start = time.perf_counter()
    seconds: list[float] = []
    bindings: list[float] = []
    for group in probes:
        if seconds and time.perf_counter() - start > _ENOUGH:
            break
        bind, per_split = _timed(group, data, y, part, setting)
        bindings.append(bind)
        seconds.append(per_split * len(group.points))
    # Groups that were not timed cost what the timed ones cost on the average, per point.
    points = sum(len(g.points) for g in made)
    timed = sum(len(g.points) for g in probes[: len(seconds)])
    fold_seconds = sum(seconds) / timed * points * spec.protocol.count
    different = _different(made)
    binding = max(bindings) + (different - 1) * (min(bindings) if len(bindings) > 1 else max(bindings))
    workers = min(max(1, jobs), _cores())
    return CostEstimate(binding + fold_seconds / workers, spec.fits, needed, binding, memory_budget())


def _cores() -> int:
    return os.cpu_count() or 1


def _spread(made: list[Group]) -> list[Group]:
    """Groups in the order in which they are timed: the first, the last, the middle, the quarters."""
    last = len(made) - 1
    order = [0, last, last // 2, last // 4, 3 * last // 4]
    return [made[i] for i in dict.fromkeys(order)]


def _different(made: list[Group]) -> int:
    """How many of the groups bring a Gram matrix of their own; those on a shared base cost one."""
    bases: set[object] = set()
    for group in made:
        for kernel in group.kernels:
            bases |= set(_bases(normal_form(kernel)))
    return max(1, len(bases))


def _bases(kernel: object) -> list[object]:
    children = getattr(kernel, "children", ())
    if children:
        return [base for child in children for base in _bases(child)]
    return [] if getattr(kernel, "learns", False) else [kernel]


def _timed(group: Group, data: Dataset, y: Array, part: Part, setting: Setting) -> tuple[float, float]:
    """Seconds to bind one kernel of a group, and seconds of one split per point."""
    single = group.only([0])
    single = Group(single.points, single.kernels[:1])
    probe, share = _thinned(group)
    places = [0] if len(probe.points) == 1 else sorted({0, len(probe.points) // 2, len(probe.points) - 1})
    # What several kernels have in common comes once: they are timed together.
    if len(probe.kernels) > 1 and len(probe.points) > 1:
        places = list(range(len(probe.points)))
    rng = np.random.default_rng(0)
    whole = data.domain in ("node", "matrix", "pair")  # their rows mean nothing by themselves
    # Of few rows all would be landmarks: with these, time grows about as the rows do, once there are more.
    landmarks = max(landmarks_of(kernel) if kernel.has_factor else 0 for kernel in group.kernels)
    size = data.n if whole else min(max(_SMALL, 3 * landmarks), data.n)
    measured: list[tuple[int, float, float]] = []
    while True:
        rows = np.arange(data.n) if size == data.n else np.sort(rng.choice(data.n, size, replace=False))
        inputs = data.inputs if size == data.n else data.inputs[rows]
        small = _smaller(part, data.n, rows, rng)
        start = time.thread_time()
        try:
            binding = _seconds(partial(_bind_anew, single, inputs))
            folds = _fold_seconds(probe.bind(inputs, {}), places, small, setting, y[rows])
        except KernlibError:
            binding = folds = 0.0  # the run itself will say so; a sample may also be too small for the kernel
        measured.append((size, binding, folds))
        took = time.thread_time() - start
        # The next sample must be worth its time, as far as this one can tell.
        larger = [s for s in ((data.n,) if data.n <= 4 * size else ()) + (2 * size,) if s <= data.n]
        larger = [s for s in larger if s > size and took * (s / size) ** 2.5 < _ENOUGH]
        if not larger:
            break
        size = larger[0]
    alone = 1.2 if landmarks else 2.0
    binding, folds = (_continued([(m[0], m[k]) for m in measured[-2:]], data.n, alone) for k in (1, 2))
    return binding, share * folds / len(places)


def _bind_anew(group: Group, inputs: object) -> Group:
    return group.bind(inputs, {})


def _smaller(part: Part, n: int, rows: Array, rng: np.random.Generator) -> Part:
    """A split of a sample of rows, numbered anew, in the proportions of the real one."""
    size = len(rows)
    if size == n:
        return part
    train = max(2, round(len(part.train) / n * size))
    test = max(1, round(len(part.test) / n * size))
    order = rng.permutation(size)
    cut = np.sort(order[train : train + test])
    return replace(part, train=np.sort(order[:train]), test=cut, validation=None if part.validation is None else cut)


def _continued(measured: list[tuple[int, float]], n: int, alone: float) -> float:
    """Seconds at n rows by the power law through the last two sizes; a single one grows by the power `alone`."""
    size, seconds = measured[-1]
    if size == n:
        return seconds
    power = alone
    if len(measured) > 1 and measured[0][1] > 0 and seconds > 0:
        power = float(np.clip(np.log(seconds / measured[0][1]) / np.log(size / measured[0][0]), 1.0, 3.0))
    return float(seconds * (n / size) ** power)


def _thinned(group: Group) -> tuple[Group, float]:
    """The group with at most six combinations per point, and what the rest multiplies its time by."""
    most = max(len(p.candidates) for p in group.points)
    if most <= 6:
        return group, 1.0
    thin = []
    for point in group.points:
        chosen = np.unique(np.linspace(0, len(point.candidates) - 1, 6).astype(int))
        thin.append(replace(point, candidates=tuple(point.candidates[i] for i in chosen)))
    kept = Group(tuple(thin), group.kernels).only(list(range(len(thin))))
    return kept, sum(len(p.candidates) for p in group.points) / sum(len(p.candidates) for p in thin)


def _fold_seconds(bound: Group, places: list[int], part: Part, setting: Setting, y: Array) -> float:
    return _seconds(lambda: run(bound, tuple(places), part, setting, y, lambda: False))


def _seconds(work: Callable[[], object]) -> float:
    """The shorter of two runs, as the first one pays for imports and first pages; one where it is long.

    Processor time of one core: how busy the machine is now says nothing of the run.
    """
    times: list[float] = []
    with on_one_core():
        while len(times) < 2 and sum(times) < _ENOUGH:
            start = time.thread_time()
            work()
            times.append(time.thread_time() - start)
    return min(times)
