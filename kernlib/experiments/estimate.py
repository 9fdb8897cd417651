"""What a run will cost, from a few of its own folds."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ..data import Dataset
from ..errors import KernlibError
from ..rows import Array
from ..wrappers.deep import Deep
from .blas import one_blas_thread
from .folds import Group, Part, Setting, groups, parts, run
from .memory import bytes_needed, memory_budget
from .spec import RunSpec
from .sweep import labels_of, matching

__all__ = ["CostEstimate", "estimate"]

#: Rows up to which the real Gram matrix is timed; above, smaller ones are and the time is extrapolated.
_WHOLE = 400
#: Seconds after which no further fold is timed.
_ENOUGH = 0.6


@dataclass(frozen=True)
class CostEstimate:
    """Cost of a run on one core: `seconds`, of which `binding` for the Gram matrices before the first
    point; `fits` machines trained; `bytes` of memory, where `budget` may be taken.

    `seconds` aims at being right within a factor of two.
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
        s = self.seconds
        if s < 1:
            told = "less than a second"
        elif s < 60:
            told = f"about {s:.2g} s"
        elif s < 5400:
            told = f"about {s / 60:.2g} min"
        else:
            told = f"about {s / 3600:.2g} h"
        size = self.bytes / 2**20
        memory = f"{size / 1024:.2g} GB" if size >= 1000 else f"{max(1, round(size))} MB"
        return f"{self.fits:,} {'fit' if self.fits == 1 else 'fits'}, {told}, {memory}"


def estimate(spec: RunSpec, data: Dataset | None = None, *, jobs: int = 1) -> CostEstimate:
    """The cost of `sweep(spec, data, jobs=jobs)`, from timing a few of its folds for about a second.

    The Gram matrices are timed on all rows where these are few, else on two samples of them whose
    growth is continued. Folds are timed at values spread over the axis, and with tuning on a few of
    the combinations. Nothing that was computed is kept.
    Raises as `sweep`, except that a run that needs too much memory is only said to (`fits_memory`).

    >>> from kernlib import RBF
    >>> from kernlib.protocols import RepeatedSplits
    >>> found = estimate(RunSpec("colon", RBF(sigma="median"), protocol=RepeatedSplits(repeats=4)))
    >>> found.fits, found.seconds < 10
    (4, True)
    """
    data = matching(spec, data)
    y, task = labels_of(data)
    made = groups(spec)
    setting = Setting.of(spec, task)
    part = next(parts(spec, y, task))
    needed = bytes_needed(made, data.n, len(part.train), len(part.test), max(1, jobs))
    fold_seconds = binding = 0.0
    probes = _spread(made)
    start = time.perf_counter()
    seconds: list[float] = []
    bindings: list[float] = []
    for group in probes:
        if seconds and time.perf_counter() - start > _ENOUGH:
            break
        bind, per_split = _timed(group, data, y, part, setting, spec)
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
    import os

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
            bases |= set(_bases(kernel.kernel if isinstance(kernel, Deep) else kernel))
    return max(1, len(bases))


def _bases(kernel: object) -> list[object]:
    children = getattr(kernel, "children", ())
    if children:
        return [base for child in children for base in _bases(child)]
    return [] if getattr(kernel, "learns", False) else [kernel]


def _timed(group: Group, data: Dataset, y: Array, part: Part, setting: Setting, spec: RunSpec) -> tuple[float, float]:
    """Seconds to bind one kernel of a group, and seconds of one split per point."""
    single = group.only([0])
    single = Group(single.points, single.kernels[:1])
    sizes = [data.n] if data.n <= _WHOLE else [_WHOLE // 2, _WHOLE]
    if data.domain in ("node", "matrix", "pair"):
        sizes = [data.n]
    binding = _grown(sizes, data.n, lambda rows: _seconds(lambda: single.bind(_inputs(data, rows), {})))
    probe, share = _thinned(group)
    places = [0] if len(probe.points) == 1 else sorted({0, len(probe.points) // 2, len(probe.points) - 1})
    # Levels of one kernel come in one pass: they are timed together.
    if any(isinstance(k, Deep) for k in probe.kernels):
        places = list(range(len(probe.points)))
    if len(sizes) == 1:
        bound = probe.bind(data.inputs, {})
        return binding, share * _fold_seconds(bound, places, part, setting, y) / len(places)

    def folds(rows: Array) -> float:
        bound = probe.bind(_inputs(data, rows), {})
        cut = np.searchsorted(np.sort(rows), 0)  # row numbers of the sample are 0…len−1
        order = np.random.default_rng(0).permutation(len(rows)) + cut
        ratio = len(part.train) / (len(part.train) + len(part.test))
        used = (len(part.train) + len(part.test)) / data.n
        train = np.sort(order[: max(2, round(ratio * used * len(rows)))])
        test = np.sort(order[len(train) : max(len(train) + 1, round(used * len(rows)))])
        held = None if part.validation is None else test
        return _fold_seconds(bound, places, replace(part, train=train, test=test, validation=held), setting, y[rows])

    return binding, share * _grown(sizes, data.n, folds) / len(places)


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
    def once() -> None:
        run(bound, tuple(places), part, setting, y, lambda: False)

    with one_blas_thread():
        first = _seconds(once)  # the first call of all pays for imports and first pages
        return min(first, _seconds(once)) if first < _ENOUGH / 2 else first


def _inputs(data: Dataset, rows: Array) -> object:
    return data.inputs if len(rows) == data.n else data.inputs[rows]


def _grown(sizes: list[int], n: int, seconds: Callable[[Array], float]) -> float:
    """Seconds at n rows: measured, or continued as the power law through two sizes."""
    rng = np.random.default_rng(0)
    found = []
    for size in sizes:
        rows = np.arange(n) if size == n else np.sort(rng.choice(n, size, replace=False))
        try:
            found.append(seconds(rows))
        except KernlibError:
            found.append(0.0)  # a sample may be too small for what the whole allows
    if len(sizes) == 1 or not found[0] or not found[1]:
        return found[-1] * (n / sizes[-1]) ** 2
    power = float(np.clip(np.log(found[1] / found[0]) / np.log(sizes[1] / sizes[0]), 1.0, 3.0))
    return float(found[1] * (n / sizes[1]) ** power)


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
