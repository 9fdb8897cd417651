"""Cached accessors of the Depth page: levels, their numbers and errors."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from kernlib import Kernel, Precomputed, normal_form
from kernlib.analysis import (
    DeepLevel,
    LevelCorrelations,
    LevelDistances,
    LevelNumbers,
    Recipe,
    correlations_of,
    decompose,
    distances_of,
    level_numbers,
    levels_to_collapse,
    recipes_for,
    without_levels,
)
from kernlib.data import Dataset
from kernlib.errors import KernlibError
from kernlib.experiments import RunSpec, sweep
from kernlib.explain import LevelBorders, level_borders
from kernlib.machines import NearestNeighbour
from kernlib.protocols import halves_protocol
from kernlib.wrappers.infinite import Layers
from kernlib.wrappers.nystrom import with_landmarks
from pages.parts.results import compute
from pages.parts.results.asking import Slices
from pages.parts.server.caching import cached
from pages.parts.server.large import Sample

Bandwidths = tuple[float | None, ...]


def recipes(data: Dataset, kernel: Kernel) -> tuple[tuple[Recipe, ...], Kernel | None]:
    """Return the ways to make levels over the kernel below the outermost levels, and these outermost levels, if any.

    The levels in use take the place of those that are offered in the same way, with their own parameters. For large
    data the landmarks are the last step, and the levels are below them.
    """
    shown = normal_form(kernel)
    large = bool(shown.landmark_count) and isinstance(data, Sample)
    base, outer = without_levels(shown.children[0] if large else shown)
    if large:
        base = with_landmarks(base, like=shown)
    return recipes_for(base, data.domain), outer


def level_of(recipe: Recipe, outer: Kernel | None) -> int | None:
    """Return the level of a recipe that is in use: 0 without levels, None where those of another recipe are in use."""
    if outer is None:
        return 0
    if type(outer) is not type(recipe.kernel):
        return None
    inside = getattr(outer, "kernel", None)
    own = [p.name for p in outer.parameters() if p.name not in ("level", "bandwidths")]
    same = all(getattr(outer, name) == getattr(recipe.kernel, name) for name in own)
    level: int = getattr(outer, "level", 0)
    return level if same and (inside is None or without_levels(inside)[1] is None) else None


#: Levels that are shown where the collapse lies deeper than anyone looks, or where finding it takes too long.
MOST, TEN = 50, 10
#: Entries of the Gram matrices of all levels that are held: 64 MB.
_ENTRIES = 8_000_000
#: Rows up to which the collapse is looked for: each level takes one pass over all pairs.
QUICK = 1000


def last_level(data: Dataset, recipe: Recipe) -> int:
    """Return the level at which all pairs look alike: deeper levels show nothing new. Ten where that is unknown."""
    known = _to_collapse(data, recipe.base) if data.n <= QUICK and recipe.kernel.level_step == "distances" else ()
    return max(2, known[-1].level) if known else TEN


@cached(6, "Computing the levels…")
def levels(data: Dataset, recipe: Recipe, count: int, bandwidths: Bandwidths) -> tuple[DeepLevel, ...]:
    """Return the Gram matrices of levels 0…count."""
    deep = recipe.kernel.level_step == "distances"
    known = _to_collapse(data, recipe.base) if data.n <= QUICK and deep and not any(bandwidths) else ()
    if count < len(known):
        return known[: count + 1]
    return recipe.levels(compute.gram(data, recipe.base), data.inputs, count, bandwidths)


@cached(6, "Computing the levels…")
def _to_collapse(data: Dataset, kernel: Kernel) -> tuple[DeepLevel, ...]:
    return levels_to_collapse(compute.gram(data, kernel), min(MOST, max(TEN, _ENTRIES // data.n**2)))


def _codes(data: Dataset) -> np.ndarray | None:
    return data.y if data.task == "classification" and compute.labelled(data) else None


@cached(6)
def distances(data: Dataset, recipe: Recipe, count: int, bandwidths: Bandwidths) -> LevelDistances:
    """Return what each level of a deep kernel does to the distances between rows."""
    return distances_of(levels(data, recipe, count, bandwidths), _codes(data))


@cached(6)
def correlations(data: Dataset, recipe: Recipe, count: int) -> LevelCorrelations:
    """Return what each layer of a network does to the correlations of rows."""
    assert isinstance(recipe.kernel, Layers)
    return correlations_of(recipe.kernel, levels(data, recipe, count, ()), _codes(data))


#: Classes whose borders are drawn level by level: each has a field of its own in every frame.
MOST_CLASSES = 5


def has_borders(data: Dataset, recipe: Recipe) -> bool:
    """Return whether the rows are points in the plane, in classes, that the kernel can be asked about."""
    few = data.task == "classification" and 2 <= len(data.classes) <= MOST_CLASSES and compute.labelled(data)
    plane = data.row_kind.points and np.shape(data.inputs)[1:] == (2,)
    deep = recipe.kernel.level_step == "distances" and not recipe.kernel.transductive
    return few and plane and deep and not isinstance(data, Sample)


@cached(4, "Drawing the borders…")
def borders(data: Dataset, recipe: Recipe, count: int, bandwidths: Bandwidths) -> LevelBorders:
    """Return the borders of three machines in the plane at every level."""
    assert data.y is not None
    return level_borders(recipe.base, data.inputs, data.y, levels(data, recipe, count, bandwidths))


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


def numbers(data: Dataset, recipe: Recipe, count: int, bandwidths: Bandwidths) -> Slices[int, LevelNumbers]:
    """Return the numbers of levels 0…count, to be asked for."""

    def place(level: int) -> tuple[Dataset, Recipe, int, Bandwidths, _Among]:
        below = bandwidths[:level]
        return data, recipe, level, below if any(below) else (), _Among(count, bandwidths)

    return Slices(
        "levels measured",
        range(count + 1),
        lambda level: _numbers_of.noted(*place(level)),
        lambda level: _numbers_of.asked(*place(level)),
    )


@cached(600)
def _numbers_of(data: Dataset, recipe: Recipe, level: int, below: Bandwidths, among: _Among) -> LevelNumbers:
    one = levels(data, recipe, among.count, among.bandwidths)[level]
    task, labels = data.task or "auto", data.y if compute.labelled(data) else None
    of_base = level == 0 and recipe.at(0) == recipe.base
    pairs = compute.decomposition(data, recipe.base) if of_base else None if labels is None else decompose(one.K)
    if labels is None:
        return level_numbers(one, task=task, decomposition=pairs)
    errors = None
    with suppress(KernlibError):  # a class with too few rows to be halved, or a machine without a solution
        errors = compute.on_halves(data, _with_bandwidths(recipe.at(level), below))
    return level_numbers(one, labels, task=task, halves=errors, decomposition=pairs)


def _with_bandwidths(kernel: Kernel, below: Bandwidths) -> Kernel:
    return kernel.with_fields({"bandwidths": below}) if kernel.level_step == "distances" and any(below) else kernel


@cached(32, "Testing nearest neighbours…")
def nearest_neighbour(data: Dataset, kernel: Kernel) -> float | None:
    """Return the mean test error of the nearest neighbour on random halvings, the same at every level."""
    if data.task != "classification" or not compute.labelled(data):
        return None
    protocol = halves_protocol(data.groups is not None)
    try:
        if kernel.learns:  # anew from the training rows of every split
            compute.require_quick(data, kernel)
            results = list(sweep(RunSpec("shown", kernel, NearestNeighbour(k=1), protocol, "error"), data))
        else:
            spec = RunSpec("shown", Precomputed(), NearestNeighbour(k=1), protocol, "error")
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
