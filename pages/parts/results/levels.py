"""Cached accessors of the Depth page: levels, their errors, borders, and the cells of the map."""

from __future__ import annotations

import dataclasses
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from kernlib import Empirical, Kernel, Power, Wrapper, normal_form
from kernlib.analysis import (
    DeepLevel,
    Recipe,
    Summary,
    diagonal_ratio,
    level_numbers,
    levels_to_collapse,
    recipes_for,
)
from kernlib.analysis.matrix import block_means
from kernlib.data import Dataset
from kernlib.errors import KernlibError
from kernlib.explain import Across, Field, Trained, level_borders, train
from kernlib.figures.frames import matrix_frames
from kernlib.figures.gram import small_picture, usual_range
from kernlib.machines import Machine
from kernlib.protocols import SharedHalves
from kernlib.wrappers.landmarks import with_landmarks
from pages.parts.results import compute
from pages.parts.results.compute import Slices
from pages.parts.results.machines import beside
from pages.parts.server.caching import known
from pages.parts.server.jobs import Sample, sampled
from pages.parts.server.runs import latest
from pages.parts.session.chain import TunableParameter, numbers
from pages.parts.session.state import Pair, machine_of, pair_of

#: Levels that are shown where the collapse lies deeper than anyone looks, or where finding it takes too long.
MOST, TEN = 50, 10
#: Entries of the Gram matrices of all levels that are held: 64 MB.
_ENTRIES = 8_000_000
#: Rows up to which all levels are drawn on all rows, and the rows of the sample of more: each level takes one pass over
#: all pairs.
QUICK, _DRAWN = 1000, 700
#: Cells along a side of a matrix that is drawn while the slider moves.
_CELLS = 110


@dataclass(frozen=True)
class Levels:
    """The levels on the page: a recipe, and how many levels are shown.

    The level in use is no part of it: what is computed of all levels stays when the slider moves.
    """

    recipe: Recipe
    count: int

    def kernel(self, level: int) -> Kernel:
        """Return the kernel of a level."""
        return self.recipe.at(level)

    @property
    def kernels(self) -> list[Kernel]:
        """Return the kernels of all levels."""
        return list(map(self.kernel, range(self.count + 1)))


def recipes(data: Dataset, kernel: Kernel) -> tuple[tuple[Recipe, ...], Kernel | None]:
    """Return the ways to make levels, and the outermost levels in use, if any.

    Levels are over the kernel below the outermost ones in use, else over the kernel itself. The levels in use take the
    place of those that are offered in the same way, with their own parameters. Levels with bandwidths that were set by
    hand are a kernel like any other, on which levels can be made. For large data the landmarks are the last step, and
    the levels are below them.
    """
    shown = normal_form(kernel)
    large = bool(shown.landmark_count) and isinstance(data, Sample)
    top = shown.children[0] if large else shown
    outer = top if top.level_step and not getattr(top, "bandwidths", None) else None
    first: Any = None if outer is None else outer.with_fields({"level": 0})
    base = top if outer is None else outer.children[0] if outer.children else first
    if large:
        base = with_landmarks(base, like=shown)
    offered = recipes_for(base, data.domain)
    if outer is None or large:
        return offered, outer
    own = Recipe(next((one.name for one in offered if _alike(one.kernel, outer)), outer.chip()), first)
    return (own, *(one for one in offered if one.name != own.name)), outer


def _alike(one: Kernel, other: Kernel) -> bool:
    """Return whether two kernels make levels in the same way, whatever their other parameters."""
    return type(one) is type(other) and all(getattr(one, p, 0) == getattr(other, p, 0) for p in ("order", "of"))


def levels_of_page(data: Dataset, recipe: Recipe, outer: Kernel | None) -> tuple[Levels, int]:
    """Return the levels of a recipe, and the one that is the outermost in use; 0 where those of another one are."""
    used = getattr(outer, "level", 0) if outer is not None and _alike(recipe.kernel, outer) else 0
    # Deeper than the level at which all pairs look alike, levels show nothing new. Ten where that is unknown.
    found = _to_collapse(data, recipe.base) if recipe.kernel.level_step == "distances" else ()
    last = max(2, found[-1].level) if found else TEN
    return Levels(recipe, max(last, used)), used


@known()
def drawn(data: Dataset) -> Dataset:
    """Return the rows on which all levels are drawn: all of them, or a stratified sample of many."""
    return sampled(data, _DRAWN) if data.n > QUICK and data.row_kind.independent else data


def of_rows(data: Dataset) -> str:
    """Return on how many rows all levels are drawn; "" where on all."""
    rows = drawn(data).n
    return f", on {rows:,} of {data.n:,} rows" if rows < data.n else ""


@known("Computing the levels…")
def matrices(data: Dataset, levels: Levels) -> tuple[DeepLevel, ...]:
    """Return the Gram matrices of levels 0 to the last on the rows that are drawn."""
    recipe = levels.recipe
    found = _to_collapse(data, recipe.base) if recipe.kernel.level_step == "distances" else ()
    if levels.count < len(found):
        return found[: levels.count + 1]
    rows = drawn(data)
    return recipe.levels(compute.gram(rows, recipe.base), rows.inputs, levels.count)


@known("Computing the levels…")
def _to_collapse(data: Dataset, kernel: Kernel) -> tuple[DeepLevel, ...]:
    return levels_to_collapse(compute.gram(drawn(data), kernel), min(MOST, max(TEN, _ENTRIES // data.n**2)))


def order(data: Dataset, levels: Levels) -> np.ndarray:
    """Return the order of the rows in every matrix of all rows."""
    return compute.film_order(data, levels.recipe.base)


def drawn_order(data: Dataset, levels: Levels) -> np.ndarray:
    """Return the same order of the rows that are drawn."""
    rows, every = drawn(data), order(data, levels)
    return np.argsort(np.argsort(every)[rows.places]) if isinstance(rows, Sample) and rows is not data else every


@known()
def frames(data: Dataset, levels: Levels) -> dict[str, Any]:
    """Return the matrices of all levels as the browser draws them while the slider moves."""
    rows, shown, every = drawn_order(data, levels), drawn(data), matrices(data, levels)
    cells = [block_means(one.K, _CELLS, rows)[0] for one in every]
    y = shown.y[rows] if shown.y is not None and data.task == "classification" else None
    return matrix_frames("depth-gram", cells, [usual_range(diagonal_ratio(one.K)) for one in every], y)


@known()
def small_pictures(data: Dataset, levels: Levels) -> tuple[np.ndarray, ...]:
    """Return a small picture of the matrix of every level."""
    rows = drawn_order(data, levels)
    return tuple(small_picture(one.K, rows) for one in matrices(data, levels))


def has_border(data: Dataset) -> bool:
    """Return whether a machine separates classes of the rows."""
    return data.task == "classification" and len(data.classes) > 1 and compute.labelled(data)


def in_the_plane(data: Dataset, levels: Levels) -> bool:
    """Return whether the rows are points in the plane, in classes, that the kernel can be asked about."""
    plane = data.row_kind.points and np.shape(data.inputs)[1:] == (2,)
    kernel = levels.recipe.kernel
    asked = kernel.level_step == "distances" and not kernel.transductive
    return has_border(data) and plane and asked and not isinstance(data, Sample)


def machines(data: Dataset, levels: Levels) -> tuple[tuple[Trained, Field | Across], ...]:
    """Return the machine of all pages between two classes at every level, and f in the plane or a direction."""
    return trained_at_levels(data, levels, machine_of(data), pair_of(data))


@known("Training a machine at every level…")
def trained_at_levels(
    data: Dataset, levels: Levels, machine: Machine, between: Pair
) -> tuple[tuple[Trained, Field | Across], ...]:
    """Return a machine at every level, and f in the plane or the direction beside f."""
    rows, found = drawn(data), list[tuple[Trained, Across]]()
    assert rows.y is not None
    if in_the_plane(data, levels):
        return level_borders(levels.kernels, rows.inputs, rows.y, machine, rows.classes, between)
    shared = SharedHalves(levels.kernels, rows.inputs)
    for kernel, one in zip(levels.kernels, matrices(data, levels), strict=True):
        trained = train(one.K, rows.y, machine, rows.classes, between)
        across = beside(rows, kernel, machine, one.K, trained, shared)
        if found and found[-1][1].scores @ across.scores < 0:  # a direction has no sign
            across = dataclasses.replace(across, scores=-across.scores)
        found.append((trained, across))
    return tuple(found)


def measured(data: Dataset, levels: Levels) -> Slices[int, Summary]:
    """Return the spread and the errors of levels 0 to the last, to be asked for."""
    machine = compute.machine_for(data)
    return Slices(
        "levels measured",
        range(levels.count + 1),
        _numbers_of,
        lambda level: (data, levels.kernel(level), level, machine, _Among(levels)),
    )


@dataclass(frozen=True)
class _Among:
    """The levels among which a level's matrix stands. Its repr is empty, so that it is no part of a cache key."""

    levels: Levels

    def __repr__(self) -> str:
        return ""


@known()
def _numbers_of(data: Dataset, kernel: Kernel, level: int, machine: Machine | None, among: _Among) -> Summary:
    levels = among.levels

    def halves() -> SharedHalves:
        return SharedHalves(levels.kernels, data.inputs, compute.bound_base(data, levels.recipe.base))

    errors = None
    with suppress(KernlibError):  # a class with too few rows to be halved, or a machine without a solution
        if machine is not None:
            # Each level is made from the one before: a session keeps the halves of its last pass.
            shared = latest("depth.halves", (data.digest, repr(levels), repr(machine)), halves)
            errors = compute.on_halves(data, kernel, machine, shared)
    return level_numbers(matrices(data, levels)[level], errors)


def map_parameters(recipe: Recipe, used_level: int) -> dict[str, tuple[TunableParameter, Any]]:
    """Return the parameters that the map may vary, by label, each with its value in use, None without one.

    These are the kernel's own, and a power below its levels.
    """
    kernel = dataclasses.replace(recipe.kernel, level=max(used_level, 1))
    found = [(n, n.current) for n in numbers(kernel) if n.path != "kernel.level"]
    below = recipe.base
    if isinstance(recipe.kernel, Wrapper) and not any(part.telling == "p" for part in below.walk()):
        powered = kernel.with_kernel(Empirical(Power(below, p=0.5)))
        found += [(n, None) for n in numbers(powered) if n.place.parameter.name == "p"]
    return {number.label: (number, used) for number, used in found}
