"""Rows of several kinds of columns: numbers, categories, sequences and texts side by side."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from functools import reduce
from types import MappingProxyType
from typing import Any

import numpy as np

from ..core.algebra import Product, Sum
from ..core.base import Kernel
from ..errors import DataError
from ..kernels import RBF, On, Overlap, VectorSpace
from ..values.arrays import Array
from ..values.domains import Domain, nominal_table
from ..wrappers import Deep, Imputed, Normalized, Standardized
from .categorical import Categorical
from .checked import unknown_categories
from .kind import LEVELS, DataRows, Kind, Preset, Setting, deep, rounded_width
from .sequence import Sequences, for_sequences
from .text import Texts
from .vector import Vectors

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
    roles = (("numeric", "categorical", "sequence", "text"),)
    needs = ("numeric", "sequence")

    def check(self, X: Any, owner: str) -> Array:
        return nominal_table(self, X, owner)

    def unknown(self, data: DataRows, new: DataRows, who: str) -> Iterator[str]:
        places = [j for j, kind in enumerate(data.kinds) if _COLUMNS[kind].nominal]
        yield from unknown_categories((data.columns[j], data.rows[:, j], new.rows[:, j]) for j in places)

    def read(self, data: DataRows, who: str) -> tuple[Array, tuple[Domain, ...]]:
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
            cells[:, j] = _COLUMNS[kind].read_column(given[:, j], j, bool(data.fill), who)
        return cells, kinds

    def numbers(self, data: DataRows) -> list[int]:
        return list(data.of_kind(Vectors.name))

    def presets(self, data: DataRows) -> tuple[Preset, ...]:
        parts = self.parts(data)
        total, product = reduce(operator.add, parts), reduce(operator.mul, parts)
        if len(parts) == 1:
            return (Preset("By column", total, "A kernel for the one kind of column."),)
        return (
            Preset("Sum of all columns", total, "⊕: every kind of column adds its similarity."),
            Preset("Product of all columns", product, "⊗: rows are similar only if every kind of column is."),
            Preset("Two levels deep", Deep(total, level=2), "A Gaussian of the sum's distances, twice."),
        )

    def parts(self, data: DataRows) -> list[Kernel]:
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

    def settings(self, data: DataRows) -> Iterator[Setting]:
        parts = self.parts(data)
        yield from _combined(parts)
        for times in (0.25, 0.5, 2.0, 4.0):
            yield from _combined([_wider(part, times) for part in parts], few=True)
        for part in parts:
            yield Setting("Some columns", part)


def _combined(parts: list[Kernel], few: bool = False) -> Iterator[Setting]:
    total = reduce(Sum, parts)
    yield Setting("Sum of all columns", total)
    yield Setting("Product of all columns", reduce(Product, parts))
    for exponent in (2,) if few else (2, 3, 5):
        yield Setting("Power of the sum", total**exponent)
    yield from deep("Deep levels of the sum", total, (1,) if few else LEVELS)


def _wider(kernel: Kernel, times: float) -> Kernel:
    """Return the kernel with every Gaussian width in it multiplied."""
    width = getattr(kernel, "sigma", None)
    if isinstance(width, float):
        return kernel.with_fields({"sigma": rounded_width(times * width)})
    return kernel.with_children(lambda child: _wider(child, times))
