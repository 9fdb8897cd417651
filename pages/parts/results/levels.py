"""Cached accessors of the Depth page: levels, their numbers and errors."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from kernlib import Deep, Kernel, Nystrom, Precomputed, normal_form
from kernlib.analysis import (
    DeepLevel,
    LevelDistances,
    LevelNumbers,
    decompose,
    distances_of,
    level_numbers,
    levels_of,
    levels_to_collapse,
)
from kernlib.data import Dataset
from kernlib.errors import KernlibError
from kernlib.experiments import Axis, FoldResult, RunSpec, curve, seen_by, sweep
from kernlib.experiments.proposals import default_machine
from kernlib.explain import LevelBorders, level_borders
from kernlib.machines import NearestNeighbour
from kernlib.numerics.blas import one_blas_thread
from kernlib.overview.quick import quick_errors
from kernlib.protocols import GroupedSplits, Protocol, RepeatedSplits
from kernlib.wrappers.nystrom import with_landmarks
from pages.parts.results import compute
from pages.parts.server.caching import cached
from pages.parts.server.large import Sample
from pages.parts.server.presses import look

SPLITS = 5
Bandwidths = tuple[float | None, ...]


def level_0(data: Dataset, kernel: Kernel) -> tuple[Kernel, int]:
    """Return the kernel below the outermost deep steps, and the kernel's level over it.

    For large data the landmarks are the last step, and the deep steps are below them.
    """
    shown = normal_form(kernel)
    landmarks = shown if isinstance(shown, Nystrom) and isinstance(data, Sample) else None
    outer = base = shown if landmarks is None else landmarks.kernel
    while isinstance(base, Deep):
        base = base.kernel
    level = outer.level if isinstance(outer, Deep) and outer.kernel == base else 0
    return base if landmarks is None else with_landmarks(base, like=landmarks), level


#: Levels that are shown where the collapse lies deeper than anyone looks, or where finding it takes too long.
MOST, TEN = 50, 10
#: Entries of the Gram matrices of all levels that are held: 64 MB.
_ENTRIES = 8_000_000
#: Rows up to which the collapse is looked for: each level takes one pass over all pairs.
QUICK = 1000


def last_level(data: Dataset, kernel: Kernel) -> int:
    """Return the level at which all pairs look alike: deeper levels show nothing new. Ten where that is unknown."""
    return max(2, _to_collapse(data, kernel)[-1].level) if data.n <= QUICK else TEN


@cached(6, "Computing the levels…")
def levels(data: Dataset, kernel: Kernel, count: int, bandwidths: Bandwidths) -> tuple[DeepLevel, ...]:
    """Return the Gram matrices of levels 0…count over the kernel."""
    known = _to_collapse(data, kernel) if data.n <= QUICK and not any(bandwidths) else ()
    return known[: count + 1] if count < len(known) else levels_of(compute.gram(data, kernel), count, bandwidths)


@cached(6, "Computing the levels…")
def _to_collapse(data: Dataset, kernel: Kernel) -> tuple[DeepLevel, ...]:
    return levels_to_collapse(compute.gram(data, kernel), min(MOST, max(TEN, _ENTRIES // data.n**2)))


@cached(6)
def distances(data: Dataset, kernel: Kernel, count: int, bandwidths: Bandwidths) -> LevelDistances:
    """Return what each level does to the distances between rows."""
    codes = data.y if data.task == "classification" and compute.labelled(data) else None
    return distances_of(levels(data, kernel, count, bandwidths), codes)


#: Classes whose borders are drawn level by level: each has a field of its own in every frame.
MOST_CLASSES = 5


def has_borders(data: Dataset, kernel: Kernel) -> bool:
    """Return whether the rows are points in the plane, in classes, that the kernel can be asked about."""
    few = data.task == "classification" and 2 <= len(data.classes) <= MOST_CLASSES and compute.labelled(data)
    plane = data.row_kind.points and np.shape(data.inputs)[1:] == (2,)
    return few and plane and not kernel.transductive and not isinstance(data, Sample)


@cached(4, "Drawing the borders…")
def borders(data: Dataset, kernel: Kernel, count: int, bandwidths: Bandwidths) -> LevelBorders:
    """Return the borders of three machines in the plane at every level."""
    assert data.y is not None
    return level_borders(kernel, data.inputs, data.y, levels(data, kernel, count, bandwidths))


def in_units(level: DeepLevel) -> np.ndarray:
    """Return a level's matrix divided by its mean diagonal, so that levels of different scale compare."""
    mean = float(np.diagonal(level.K).mean())
    return np.asarray(level.K) / mean if mean > 0 else np.asarray(level.K)


@dataclass(frozen=True)
class _Among:
    """The levels among which a level's matrix stands. Its repr is empty, so that it is no part of a cache key."""

    count: int
    bandwidths: Bandwidths

    def __repr__(self) -> str:
        return ""


def numbers(
    data: Dataset, kernel: Kernel, count: int, bandwidths: Bandwidths, seconds: float = 0.0
) -> tuple[LevelNumbers, ...]:
    """Return the numbers of the first levels: those that this session has asked for, and further ones for `seconds`.

    Where the others take no longer than that again, all. A newer click ends the work between two levels.
    """
    known: set[tuple[str, str, Bandwidths, int]] = st.session_state.setdefault("levels.known", set())
    begin, new, measured = time.perf_counter(), 0, []
    with one_blas_thread():
        for level in range(count + 1):
            key = (data.digest, repr(kernel), bandwidths[:level], level)
            if key not in known:
                passed = time.perf_counter() - begin
                if passed >= seconds and (not new or passed / new * (count + 1 - level) > seconds):
                    break
                look()
                new += 1
            measured.append(numbers_of(data, kernel, count, bandwidths, level))
            known.add(key)
    return tuple(measured)


def numbers_of(data: Dataset, kernel: Kernel, count: int, bandwidths: Bandwidths, level: int) -> LevelNumbers:
    """Return the numbers of one level with its quick errors, computed once whatever levels are above it."""
    below = bandwidths[:level]
    return _numbers_of(data, kernel, level, below if any(below) else (), _Among(count, bandwidths))


@cached(600)
def _numbers_of(data: Dataset, kernel: Kernel, level: int, below: Bandwidths, among: _Among) -> LevelNumbers:
    one = levels(data, kernel, among.count, among.bandwidths)[level]
    task, labels = data.task or "auto", data.y if compute.labelled(data) else None
    pairs = compute.decomposition(data, kernel) if level == 0 else decompose(one.K) if labels is not None else None
    if labels is None:
        return level_numbers(one, task=task, decomposition=pairs)
    quick = quick_errors(one.K, labels, task=task, groups=data.groups or None, decomposition=pairs)
    named = {"centroid": quick.centroid, "ridge": quick.ridge}
    errors = {name: error for name, error in named.items() if np.isfinite(error)}
    squared = (quick.squared, quick.squared_se)
    return level_numbers(one, labels, task=task, errors=errors, squared=squared, decomposition=pairs)


def protocol_of(data: Dataset) -> Protocol:
    """Return random halvings that keep groups together."""
    return GroupedSplits(repeats=SPLITS) if data.groups else RepeatedSplits(repeats=SPLITS)


@cached(32, "Testing nearest neighbours…")
def nearest_neighbour(data: Dataset, kernel: Kernel) -> float | None:
    """Return the mean test error of the nearest neighbour on random halvings, the same at every level."""
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
    """Return the same rows and labels as a data set of their Gram matrix."""
    return Dataset(
        "shown", data.title, "matrix", K, data.y, classes=data.classes, groups=data.groups, task=data.task, ids=data.ids
    )


def svm_run(data: Dataset, kernel: Kernel, count: int, bandwidths: Bandwidths) -> RunSpec:
    """Return the run that measures the support vector machine's errors at every level, on test and training rows."""
    padded = (*bandwidths, *(None,) * (count - len(bandwidths)))
    deep = Deep(kernel, level=0, bandwidths=padded if any(padded) else None)
    axis = Axis("kernel.level", tuple(range(count + 1)))
    return RunSpec("shown", deep, default_machine(data), protocol_of(data), "error", axis, also=("training error",))


#: The errors of the support vector machine: name in the figures, measure of the run.
SVM_ERRORS = {"SVM, test": "error", "SVM, training": "training error"}


def with_svm(
    numbers: tuple[LevelNumbers, ...], spec: RunSpec, results: Sequence[FoldResult]
) -> tuple[LevelNumbers, ...]:
    """Return the numbers with the errors of a run that has ended."""
    means = {name: curve(*seen_by(measure, spec, results)).mean for name, measure in SVM_ERRORS.items()}
    return tuple(
        replace(one, errors={name: float(mean[i]) for name, mean in means.items()} | one.errors)
        for i, one in enumerate(numbers)
    )
