"""Rows of numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from ..core.base import Kernel
from ..core.steps import normal_form
from ..errors import DataError
from ..kernels import ANOVA, RBF, Laplacian, Linear, LocalityImprovedImage, Polynomial
from ..values.arrays import Array
from ..values.domains import finite_table
from ..wrappers import Deep, Empirical, Imputed, Normalized, Power, Standardized, StandardizedRows
from .checked import refuse_not_finite, shape_words, to_float
from .kind import LEVELS, POWERS, WIDTHS, DataRows, Kind, Preset, Setting, prepared, rounded_width

#: With fewer rows a column may count them by chance.
_COUNTED = 5

_PRESETS = (
    Preset("Gaussian", RBF(sigma="median"), "Width from the data: near rows are similar."),
    Preset(
        "Large diagonal",
        Normalized(Polynomial(degree=12, offset=0.0)),
        "A high degree: only small angles between rows count. Add a power step and drag p.",
    ),
    Preset("Two levels deep", Deep(RBF(sigma="median"), level=2), "A Gaussian of distances, twice."),
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
    roles = (("numeric",),)
    needs = ("numeric",)
    stand_in = "banana"
    points = True
    typed = "table"
    as_column = True
    fills = True
    quick = True

    def check(self, X: Any, owner: str) -> Array:
        return finite_table(self, X, owner)

    def read_rows(self, rows: Any, who: str, gaps: bool = False) -> Array:
        X = to_float(rows, who, "vector rows")
        if X.ndim != 2 or X.shape[1] < 1:
            raise DataError(
                f"{who}: vector rows must be a table of n rows and at least one column; got {shape_words(X)}. "
                "Use rows.reshape(-1, 1) for a single column."
            )
        refuse_not_finite(np.where(np.isnan(X), 0.0, X) if gaps else X, who)
        return X

    def is_cell(self, cell: Any) -> bool:
        return isinstance(cell, (int, float, np.integer, np.floating)) and not isinstance(cell, (bool, np.bool_))

    def read_column(self, column: Array, j: int, gaps: bool, who: str) -> Sequence[float]:
        bad = next((i for i, cell in enumerate(column) if not self.is_cell(cell)), None)
        if bad is None:
            values = column.astype(np.float64)
            wrong = np.isinf(values) | (np.isnan(values) & (not gaps))
            bad = int(wrong.argmax()) if wrong.any() else None
        if bad is not None:
            raise DataError(
                f"{who}: column {j} must hold finite numbers; row {bad} has {column[bad]!r}. Make the column "
                "categorical, or fill the cell in."
            )
        return [float(value) for value in values]

    def numbers(self, data: DataRows) -> list[int]:
        return list(range(data.rows.shape[1]))

    def warnings(self, data: DataRows) -> Iterator[str]:
        if data.n < _COUNTED:
            return
        steps = np.diff(data.rows, axis=0)
        counting = np.flatnonzero((np.abs(steps[0]) == 1) & (steps == steps[:1]).all(axis=0))
        if counting.size and data.rows.shape[1] > 1:
            shown = ", ".join(data.columns[j] for j in counting[:3])
            yield f"Column {shown} counts the rows: where they are sorted by class, it gives the label away."

    def presets(self, data: DataRows) -> tuple[Preset, ...]:
        return _PRESETS

    def prepared(self, kernel: Kernel, data: DataRows) -> Kernel:
        if data.fill:
            return normal_form(Imputed(prepared(kernel, data.complete()), strategy=data.fill))
        if unlike_units(data.rows) and kernel.reads == self.name:
            kernel = normal_form(Standardized(kernel))
        learnt = RBF(sigma="median")
        if kernel not in (learnt, Standardized(learnt)):
            return kernel
        number = RBF(sigma=rounded_width(kernel.heuristics(data.rows)["sigma"]))
        return number if kernel == learnt else Standardized(number)

    def settings(self, data: DataRows) -> Iterator[Setting]:
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
                yield Setting(f"Gaussian, {name}", ready(gauss(other, times), other))
            yield Setting(f"Polynomial, {name}", ready(Linear(), other))
            for degree in (2, 3, 5) if not other else (3,):
                yield Setting(f"Polynomial, {name}", ready(Normalized(Polynomial(degree=degree, offset=1.0)), other))
        standard = Standardized(Laplacian(sigma="median")).heuristics(filled.rows)["sigma"]
        for times in (0.3, 1.0, 3.0):
            kernel = Laplacian(sigma=rounded_width(times * standard))
            yield Setting("Laplacian, standardised columns", ready(kernel, other=not standardised))
        for times in (0.5, 1.0, 2.0):
            for level in LEVELS:
                yield Setting("Deep Gaussian", ready(Deep(gauss(False, times), level=level)))
        for level in (1, 2):
            yield Setting("Deep angles", ready(Deep(Normalized(Linear()), level=level)))
        for p in (*POWERS, 1.0):
            yield Setting("Empirical map", ready(Empirical(Power(Normalized(Polynomial(degree=5, offset=0.0)), p=p))))
        for times in (0.5, 2.0):
            yield Setting("Empirical map", ready(Empirical(gauss(False, times))))
        if d <= 40:
            for order in range(2, min(3, d) + 1):
                yield Setting("ANOVA", ready(ANOVA(order=order, sigma=1.0), other=not standardised))
        else:
            rows = StandardizedRows(RBF(sigma="median"))
            for times in (0.5, 1.0, 2.0):
                sigma = rounded_width(times * rows.heuristics(filled.rows)["sigma"])
                yield Setting("Gaussian, standardised rows", ready(StandardizedRows(RBF(sigma=sigma)), standardised))
        image = self.starting(LocalityImprovedImage, filled)
        if image is not None:
            yield Setting("Images by place", ready(image, standardised))

    def from_typed(self, data: DataRows, cells: Sequence[Any]) -> tuple[float, ...]:
        return tuple(_number(cell) for cell in cells)

    def places(self, data: DataRows) -> Array | None:
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


def _number(cell: Any) -> float:
    try:
        return float(cell)
    except (TypeError, ValueError):
        return math.nan


def _image(data: DataRows | None) -> LocalityImprovedImage | None:
    """Return the kernel for square images; None where the columns make no square."""
    columns = 0 if data is None else data.rows.shape[1]
    side = math.isqrt(columns)
    return LocalityImprovedImage(shape=(side, side)) if side * side == columns and side > 2 else None
