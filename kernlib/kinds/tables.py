"""Rows of a table: numbers, categories, or columns of several kinds side by side."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator
from functools import reduce
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.algebra import Product, Sum
from ..core.base import Kernel
from ..core.steps import normal_form
from ..errors import DataError
from ..kernels import (
    ANOVA,
    RBF,
    Coded,
    Laplacian,
    Linear,
    LocalityImprovedImage,
    On,
    Overlap,
    Polynomial,
    ProbabilityOverlap,
    VectorSpace,
)
from ..values.arrays import Array
from ..values.declare import shown
from ..values.domains import Domain, as_array, finite_table, nominal_table, object_rows
from ..wrappers import Deep, Empirical, Imputed, Normalized, Power, Standardized, StandardizedRows
from .kind import (
    LEVELS,
    POWERS,
    WIDTHS,
    Family,
    Kind,
    Preset,
    deep,
    prepared,
    rounded_width,
    two_levels,
    unknown_categories,
)
from .strings import Sequences, Texts, for_sequences

if TYPE_CHECKING:
    from ..data.dataset import Dataset

#: With fewer rows a column may count them by chance.
_COUNTED = 5

_OF_NUMBERS = (
    Preset("Gaussian", RBF(sigma="median"), "Width from the data: near rows are similar."),
    Preset(
        "Large diagonal",
        Normalized(Polynomial(degree=12, offset=0.0)),
        "A high degree: only small angles between rows count. Add a power step and drag p.",
    ),
    two_levels(RBF(sigma="median")),
)


class Vectors(Kind):
    """Points: one number in each column, float64 (n, d)."""

    name = "vector"
    expected = "a finite float array of shape (n, d)"
    column = "several"
    dtype = np.float64
    title = "Vectors"
    called = "numbers"
    search = "numbers numeric columns measurements images pixels genes table"
    starts = MappingProxyType({LocalityImprovedImage: lambda data: _image(data)})
    needs = True
    stand_in = "banana"
    points = True
    fills = True
    quick = True

    def check(self, X: Any, owner: str) -> Array:
        return finite_table(self, X, owner)

    def read_rows(self, rows: Any, who: str, gaps: bool = False) -> Array:
        X = np.array(as_array(self, rows, who)) if gaps else rows
        missing = X != X if gaps else False
        if gaps:
            X[missing] = 0.0
        X = super().read_rows(X, who)
        X[missing] = np.nan
        return X

    def is_cell(self, cell: Any) -> bool:
        return isinstance(cell, (int, float, np.integer, np.floating)) and not isinstance(cell, (bool, np.bool_))

    def numbers(self, data: Dataset) -> list[int]:
        return list(range(data.rows.shape[1]))

    def warnings(self, data: Dataset) -> Iterator[str]:
        if data.n < _COUNTED:
            return
        steps = np.diff(data.rows, axis=0)
        counting = np.flatnonzero((np.abs(steps[0]) == 1) & (steps == steps[:1]).all(axis=0))
        if counting.size and data.rows.shape[1] > 1:
            shown = ", ".join(data.columns[j] for j in counting[:3])
            yield f"Column {shown} counts the rows: where they are sorted by class, it gives the label away."

    def presets(self, data: Dataset) -> tuple[Preset, ...]:
        return _OF_NUMBERS

    def prepared(self, kernel: Kernel, data: Dataset) -> Kernel:
        if data.fill:
            return normal_form(Imputed(prepared(kernel, data.complete()), strategy=data.fill))
        if unlike_units(data.rows) and kernel.reads == self.name:
            kernel = normal_form(Standardized(kernel))
        learnt = RBF(sigma="median")
        if kernel not in (learnt, Standardized(learnt)):
            return kernel
        number = RBF(sigma=rounded_width(kernel.heuristics(data.rows)["sigma"]))
        return number if kernel == learnt else Standardized(number)

    def settings(self, data: Dataset) -> Iterator[Family]:
        filled = data.complete()
        standardised, d = unlike_units(filled.rows), filled.rows.shape[1]

        def ready(kernel: Kernel, other: bool = False) -> Kernel:
            kernel = Standardized(kernel) if standardised != other else kernel
            return normal_form(Imputed(kernel, strategy=data.fill) if data.fill else kernel)

        def gauss(other: bool, times: float) -> Kernel:
            base: Kernel = RBF(sigma="median")
            base = Standardized(base) if standardised != other else base
            return RBF(sigma=rounded_width(times * base.heuristics(filled.rows)["sigma"]))

        names = ("standardised columns", "columns as they are")
        for other in (False, True):
            name = names[standardised == other]
            for times in WIDTHS if not other else WIDTHS[1:4]:
                yield f"Gaussian, {name}", ready(gauss(other, times), other)
            yield f"Polynomial, {name}", ready(Linear(), other)
            for degree in (2, 3, 5) if not other else (3,):
                yield f"Polynomial, {name}", ready(Normalized(Polynomial(degree=degree, offset=1.0)), other)
        standard = Standardized(Laplacian(sigma="median")).heuristics(filled.rows)["sigma"]
        for times in (0.3, 1.0, 3.0):
            kernel = Laplacian(sigma=rounded_width(times * standard))
            yield "Laplacian, standardised columns", ready(kernel, other=not standardised)
        for times in (0.5, 1.0, 2.0):
            for level in LEVELS:
                yield "Deep Gaussian", ready(Deep(gauss(False, times), level=level))
        for level in (1, 2):
            yield "Deep angles", ready(Deep(Normalized(Linear()), level=level))
        for p in (*POWERS, 1.0):
            yield "Empirical map", ready(Empirical(Power(Normalized(Polynomial(degree=5, offset=0.0)), p=p)))
        for times in (0.5, 2.0):
            yield "Empirical map", ready(Empirical(gauss(False, times)))
        if d <= 40:
            for order in range(2, min(3, d) + 1):
                yield "ANOVA", ready(ANOVA(order=order, sigma=1.0), other=not standardised)
        else:
            rows = StandardizedRows(RBF(sigma="median"))
            for times in (0.5, 1.0, 2.0):
                sigma = rounded_width(times * rows.heuristics(filled.rows)["sigma"])
                yield "Gaussian, standardised rows", ready(StandardizedRows(RBF(sigma=sigma)), standardised)
        image = self.starting(LocalityImprovedImage, filled)
        if image is not None:
            yield "Images by place", ready(image, standardised)

    def places(self, data: Dataset) -> Array | None:
        return np.asarray(data.rows, dtype=np.float64) if data.rows.shape[1] == 2 else None


def unlike_units(X: Array) -> bool:
    """Return whether one column's spread is more than ten times another's, so that it dominates distances."""
    if X.shape[1] < 2:
        return False
    spread = X.std(axis=0)
    spread = spread[spread > 0]
    # Pixels and genes share a unit although some hardly vary: a few constant columns are no reason.
    if len(spread) < 2 or X.shape[1] > 100:
        return False
    low, high = np.quantile(spread, (0.1, 0.9), method="nearest")  # no interpolation between columns
    return bool(high > 10 * low)


def _image(data: Dataset | None) -> LocalityImprovedImage | None:
    """Return the kernel for square images; None where the columns make no square."""
    columns = 0 if data is None else data.rows.shape[1]
    side = math.isqrt(columns)
    return LocalityImprovedImage(shape=(side, side)) if side * side == columns and side > 2 else None


_OF_CATEGORIES = (
    Preset("Overlap", Overlap(), "The share of columns in which two rows agree."),
    Preset("Rare counts more", ProbabilityOverlap(alpha=0.7), "Agreeing on a rare value weighs more."),
    two_levels(Overlap()),
)


class Categorical(Kind):
    """Nominal columns: int64 or an object array of str, (n, d)."""

    name = "categorical"
    expected = "an array of shape (n, d) whose columns are all nominal"
    column = "several"
    strings = nominal = True
    title = "Categorical rows"
    called = "categories"
    search = "categories category categorical nominal columns words categories answers table"
    stand_in = "solar-flare"
    quick = True

    def check(self, X: Any, owner: str) -> Array:
        return nominal_table(self, X, owner)

    def read_rows(self, rows: Any, who: str, gaps: bool = False) -> Array:
        raw = super().read_rows(rows, who)
        if raw.dtype.kind in "iub":
            return raw.astype(np.int64)
        cells = object_rows([cell.item() if isinstance(cell, np.generic) else cell for cell in raw.flat])
        cells, kinds = cells.reshape(raw.shape), {*map(type, cells)}
        if kinds <= {int, float} and all(float(cell).is_integer() for cell in cells.flat):
            return cells.astype(np.int64)
        if kinds != {str}:
            place, cell = next((p, c) for p, c in np.ndenumerate(cells) if not isinstance(c, str))
            raise DataError(
                f"{who}: categorical cells must be all text or all whole numbers; row {place[0]}, column {place[1]} is "
                f"{shown(cell)}. Turn numbers into text, and write a missing value as a category, such as '?'."
            )
        return cells

    def unknown(self, data: Dataset, new: Dataset, who: str) -> Iterator[str]:
        yield from unknown_categories(zip(data.columns, data.rows.T, new.rows.T, strict=True))

    def is_cell(self, cell: Any) -> bool:
        return isinstance(cell, (str, int, np.integer))

    def presets(self, data: Dataset) -> tuple[Preset, ...]:
        return _OF_CATEGORIES

    def settings(self, data: Dataset) -> Iterator[Family]:
        for exponent in (1, 2, 3, 5):
            yield "Overlap", Overlap() ** exponent if exponent > 1 else Overlap()
        for gamma in WIDTHS:
            yield "Overlap, Gaussian", Overlap(after="f2", gamma=gamma)
        for alpha in (0.4, 0.7, 1.0, 1.3):
            yield "Rare values", ProbabilityOverlap(alpha=alpha)
            yield "Rare values", ProbabilityOverlap(alpha=alpha) ** 2
            yield "Rare values, Gaussian", ProbabilityOverlap(alpha=alpha, after="f2", gamma=1.0)
        yield from deep("Deep overlap", Overlap())
        yield from deep("Deep rare values", ProbabilityOverlap(alpha=0.7))
        for coding in ("one-hot", "codes"):
            for degree in (2, 3, 5):
                yield f"Coded, {coding}", Coded(Normalized(Polynomial(degree=degree)), coding=coding)
            yield f"Coded, {coding}", Coded(RBF(sigma="median"), coding=coding)


#: What a column can hold; unless it is said, numbers and categories are recognised.
_COLUMNS: dict[Domain, Kind] = {kind.name: kind for kind in (Vectors(), Categorical(), Sequences(), Texts())}


class Mixed(Kind):
    """Columns of several kinds: an object array (n, d) of floats in columns of numbers and words in all others."""

    name = "mixed"
    expected = "an array of shape (n, d) with columns of several types"
    column = "several"
    every_table = True
    strings = nominal = True
    dtype = object
    fills = True
    title = "Mixed columns"
    called = "columns of several kinds"
    search = "mixed numbers categories columns of several types table"
    starts = MappingProxyType({On: lambda data: None if data is None else data.row_kind.parts(data)[0]})
    needs = True

    def check(self, X: Any, owner: str) -> Array:
        return nominal_table(self, X, owner)

    def unknown(self, data: Dataset, new: Dataset, who: str) -> Iterator[str]:
        places = [j for j, kind in enumerate(data.kinds) if _COLUMNS[kind].nominal]
        yield from unknown_categories((data.columns[j], data.rows[:, j], new.rows[:, j]) for j in places)

    def read(self, data: Dataset, who: str) -> tuple[Array, tuple[Domain, ...]]:
        """Return the rows and the kinds of their columns; with `fill` a column of numbers may hold NaN.

        >>> from kernlib.data import Dataset
        >>> data = Dataset("toy", "Toy", "mixed", [[1, "a"], [2.5, "b"]])
        >>> data.rows.tolist(), data.kinds
        ([[1.0, 'a'], [2.5, 'b']], ('vector', 'categorical'))
        """
        kinds = tuple(data.kinds)
        try:
            given = np.array(data.rows, dtype=object)
        except ValueError:
            given = np.empty(0, dtype=object)
        if given.ndim != 2 or given.shape[1] < 1:
            raise DataError(
                f"{who}: mixed rows must be a table of n rows and at least one column; got shape {given.shape}. Give "
                "every row the same columns."
            )
        if not kinds:
            numbers, words, *_ = _COLUMNS.values()
            kinds = tuple(numbers.name if all(map(numbers.is_cell, column)) else words.name for column in given.T)
        if len(kinds) != given.shape[1] or any(kind not in _COLUMNS for kind in kinds):
            raise DataError(
                f"{who}: kinds must say {', '.join(_COLUMNS)} for each of the {given.shape[1]} columns; got {kinds}. "
                "Leave them out to have numbers and categories recognised."
            )
        cells = np.empty(given.shape, dtype=object)
        for j, kind in enumerate(kinds):
            column, number = _COLUMNS[kind], kind == Vectors.name
            for i, cell in enumerate(given[:, j]):
                good = column.is_cell(cell) and (not number or math.isfinite(cell) or (data.fill and cell != cell))
                if not good:
                    raise DataError(
                        f"{who}: column {j} holds {column.called}; row {i} has {cell!r}. Correct the cell, fill it in, "
                        "or give the column another kind."
                    )
                cells[i, j] = float(cell) if number else str(cell)
        return cells, kinds

    def numbers(self, data: Dataset) -> list[int]:
        return list(data.of_kind(Vectors.name))

    def presets(self, data: Dataset) -> tuple[Preset, ...]:
        parts = self.parts(data)
        total, product = reduce(operator.add, parts), reduce(operator.mul, parts)
        if len(parts) == 1:
            return (Preset("By column", total, "A kernel for the one kind of column."),)
        return (
            Preset("Sum of all columns", total, "⊕: every kind of column adds its similarity."),
            Preset("Product of all columns", product, "⊗: rows are similar only if every kind of column is."),
            two_levels(total, "A Gaussian of the sum's distances, twice."),
        )

    def parts(self, data: Dataset) -> list[Kernel]:
        """Return one kernel per group of columns, all with k(x, x) = 1, so that all have equal weight.

        >>> from kernlib.data import load_dataset
        >>> heart = load_dataset("heart-mixed")
        >>> [part.columns for part in heart.row_kind.parts(heart)]
        [(0, 3, 4, 7, 9, 10, 11), (1, 2, 5, 6, 8, 12)]
        """
        parts: list[Kernel] = []
        numbers, nominal = data.of_kind(Vectors.name), data.of_kind(Categorical.name)
        if numbers:
            X = data.complete().rows[:, list(numbers)].astype(np.float64)
            width = Standardized(RBF(sigma="median")).heuristics(X)["sigma"]
            kernel: Kernel = Standardized(RBF(sigma=rounded_width(width)))
            parts.append(On(numbers, Imputed(kernel, strategy=data.fill) if data.fill else kernel))
        if nominal:
            parts.append(On(nominal, Overlap()))
        parts += [On((j,), for_sequences(data.rows[:, j].tolist())) for j in data.of_kind(Sequences.name)]
        parts += [On((j,), Normalized(VectorSpace())) for j in data.of_kind(Texts.name)]
        return parts

    def settings(self, data: Dataset) -> Iterator[Family]:
        parts = self.parts(data)
        yield from _combined(parts)
        for times in (0.25, 0.5, 2.0, 4.0):
            yield from _combined([_wider(part, times) for part in parts], few=True)
        for part in parts:
            yield "Some columns", part


def _combined(parts: list[Kernel], few: bool = False) -> Iterator[Family]:
    total = reduce(Sum, parts)
    yield "Sum of all columns", total
    yield "Product of all columns", reduce(Product, parts)
    for exponent in (2,) if few else (2, 3, 5):
        yield "Power of the sum", total**exponent
    yield from deep("Deep levels of the sum", total, (1,) if few else LEVELS)


def _wider(kernel: Kernel, times: float) -> Kernel:
    """Return the kernel with every Gaussian width in it multiplied."""
    width = getattr(kernel, "sigma", None)
    if isinstance(width, float):
        return kernel.with_fields({"sigma": rounded_width(times * width)})
    return kernel.with_children(lambda child: _wider(child, times))
