"""What the Depth page asks of the mathematics: levels, their numbers and errors."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from kernlib import Deep, Kernel, Nystrom, Precomputed, normal_form
from kernlib.analysis import DeepLevel, LevelNumbers, decompose, level_numbers, levels_of
from kernlib.data import Dataset
from kernlib.errors import KernlibError
from kernlib.experiments import Axis, Curve, RunSpec, curve, sweep
from kernlib.machines import SVM, NearestNeighbour
from kernlib.overview.quick import quick_errors
from kernlib.protocols import GroupedSplits, Protocol, RepeatedSplits
from kernlib.wrappers.nystrom import with_landmarks

from . import compute
from .caching import cached
from .large import Sample

__all__ = [
    "SPLITS", "in_units", "level_0", "levels", "nearest_neighbour", "numbers_of", "protocol_of", "svm_run", "with_svm",
]  # fmt: skip

SPLITS = 5
Bandwidths = tuple[float | None, ...]


def level_0(data: Dataset, kernel: Kernel) -> tuple[Kernel, int]:
    """The kernel below the outermost deep steps, and the level that the kernel is over it.

    Many rows are compared by landmarks, which stand last: the deep steps are below these.
    """
    shown = normal_form(kernel)
    landmarks = shown if isinstance(shown, Nystrom) and isinstance(data, Sample) else None
    outer = base = shown if landmarks is None else landmarks.kernel
    while isinstance(base, Deep):
        base = base.kernel
    level = outer.level if isinstance(outer, Deep) and outer.kernel == base else 0
    return base if landmarks is None else with_landmarks(base, like=landmarks), level


@cached(6, "Computing the levels…")
def levels(data: Dataset, kernel: Kernel, count: int, bandwidths: Bandwidths) -> tuple[DeepLevel, ...]:
    """The Gram matrices of levels 0…count over the kernel."""
    return levels_of(compute.gram(data, kernel), count, bandwidths)


def in_units(level: DeepLevel) -> np.ndarray:
    """A level's matrix over its mean diagonal, so that levels of different size compare."""
    mean = float(np.diagonal(level.K).mean())
    return np.asarray(level.K) / mean if mean > 0 else np.asarray(level.K)


@dataclass(frozen=True)
class _Among:
    """Where a level's matrix stands. It prints as nothing: the numbers are not known by what stands above them."""

    count: int
    bandwidths: Bandwidths

    def __repr__(self) -> str:
        return ""


def numbers_of(data: Dataset, kernel: Kernel, count: int, bandwidths: Bandwidths, level: int) -> LevelNumbers:
    """The numbers of one level with its quick errors, the same however many levels there are above it."""
    below = bandwidths[:level]
    return _numbers_of(data, kernel, level, below if any(below) else (), _Among(count, bandwidths))


@cached(64, "Measuring each level…")
def _numbers_of(data: Dataset, kernel: Kernel, level: int, below: Bandwidths, among: _Among) -> LevelNumbers:
    one = levels(data, kernel, among.count, among.bandwidths)[level]
    if level == 0:
        found = compute.decomposition(data, kernel)
    else:
        found = decompose(one.K) if compute.labelled(data) else None
    if not compute.labelled(data):
        return level_numbers(one, task=data.task or "auto", decomposition=found)
    quick = quick_errors(one.K, data.y, task=data.task or "auto", groups=data.groups or None, decomposition=found)
    named = {"nearest centroid": quick.centroid, "ridge, leave-one-out": quick.ridge}
    errors = {name: error for name, error in named.items() if np.isfinite(error)}
    return level_numbers(one, data.y, task=data.task or "auto", errors=errors, decomposition=found)


def protocol_of(data: Dataset) -> Protocol:
    """Random halvings, groups held together."""
    return GroupedSplits(repeats=SPLITS) if data.groups else RepeatedSplits(repeats=SPLITS)


@cached(32, "Testing nearest neighbours…")
def nearest_neighbour(data: Dataset, kernel: Kernel) -> float | None:
    """Mean test error of the nearest neighbour on random halvings: the same at every level."""
    if data.task != "classification" or not compute.labelled(data):
        return None
    try:
        if kernel.learns:  # anew from the training rows of every split
            compute.require_quick(data, kernel)
            spec = RunSpec("shown", kernel, NearestNeighbour(k=1), protocol_of(data), "error")
            results = list(sweep(spec, data))
        else:
            spec = RunSpec("shown", Precomputed(), NearestNeighbour(k=1), protocol_of(data), "error")
            results = list(sweep(spec, _as_matrix(data, compute.gram(data, kernel))))
    except KernlibError:
        return None
    scores = [r.score for r in results if np.isfinite(r.score)]
    return float(np.mean(scores)) if scores else None


def _as_matrix(data: Dataset, K: np.ndarray) -> Dataset:
    """The same rows and labels, known by the matrix that is there already."""
    return Dataset(
        "shown", data.title, "matrix", K, data.y, classes=data.classes, groups=data.groups, task=data.task, ids=data.ids
    )


def svm_run(data: Dataset, kernel: Kernel, count: int, bandwidths: Bandwidths) -> RunSpec:
    """The run that gives the support vector machine's test error at every level."""
    padded = (*bandwidths, *(None,) * (count - len(bandwidths)))
    deep = Deep(kernel, level=0, bandwidths=padded if any(padded) else None)
    return RunSpec("shown", deep, SVM(), protocol_of(data), "error", Axis("kernel.level", tuple(range(count + 1))))


def with_svm(numbers: tuple[LevelNumbers, ...], spec: RunSpec, results: list[object]) -> tuple[LevelNumbers, ...]:
    """The numbers with what the run has found so far."""
    drawn: Curve = curve(spec, results)  # type: ignore[arg-type]
    name = f"SVM, {SPLITS} halvings"
    return tuple(
        replace(one, errors={**one.errors, name: float(mean)}) if np.isfinite(mean) else one
        for one, mean in zip(numbers, drawn.mean, strict=True)
    )
