"""Matrices of scores or distances between objects, and pairs of rows of another data set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.base import Kernel
from ..errors import DataError
from ..kernels import RBF, MetricPairs, Precomputed, PrecomputedDistances, TensorPairs
from ..numerics.distances import looks_like_distances
from ..values.arrays import Array
from ..values.domains import Domain, as_array, described
from ..wrappers import Centered, Deep, Empirical, Normalized, Repaired
from .kind import (
    LEVELS,
    POWERS,
    Family,
    Kind,
    Preset,
    SquareKind,
    deep,
    powers,
    prepared,
    two_levels,
)

if TYPE_CHECKING:
    from ..data.dataset import Dataset

#: Rows of a score matrix that are decomposed together in half a minute.
_COMPARED = 3000

_SCORES = (
    Preset("As it is", Precomputed(), "The matrix itself."),
    Preset("Clipped", Repaired(Precomputed(), method="clip"), "Negative eigenvalues set to zero."),
    Preset("Squared", Repaired(Precomputed(), method="square"), "Rows compared by all their scores."),
)
_DISTANCES = (
    Preset("Gaussian", Deep(PrecomputedDistances(), level=1), "Rows much nearer than the mean distance are similar."),
    Preset(
        "Classical scaling",
        Repaired(Centered(PrecomputedDistances()), method="clip"),
        "Points with these distances, as far as such points exist.",
    ),
    two_levels(PrecomputedDistances()),
)


def holds_distances(data: Dataset) -> bool:
    """Return whether a matrix holds distances: as its file or a person says, else as it looks."""
    return looks_like_distances(data.rows) if data.distances is None else data.distances


class Matrix(SquareKind):
    """Rows known by their scores or distances alone: a symmetric matrix, float64 (n, n)."""

    name = "matrix"
    expected = "a square (n, n) matrix of scores or inner products"
    title = "Matrices of scores or distances"
    called = "a matrix of scores or distances"
    search = "scores similarities similarity distances given precomputed matrix"
    compared = _COMPARED

    def presets(self, data: Dataset) -> tuple[Preset, ...]:
        return _DISTANCES if holds_distances(data) else _SCORES

    def settings(self, data: Dataset) -> Iterator[Family]:
        if holds_distances(data):
            distances = PrecomputedDistances()
            yield from deep("Deep", distances, (1, 2, 3, 4))
            for method in ("clip", "flip", "shift", "square"):
                scaled = Repaired(Centered(distances), method=method)
                yield "Classical scaling", scaled
                yield from deep("Deep scaling", scaled)
            return
        own = Precomputed()
        yield "As it is", own
        for method in ("clip", "flip", "shift", "square"):
            repaired = Repaired(own, method=method)
            yield "Repaired", repaired
            yield from deep("Deep", repaired)
        yield "Angles", Normalized(Repaired(own, method="clip"))
        yield "Centred", Repaired(Centered(own), method="clip")
        yield "Rows by their scores", Empirical(own)
        if float(data.rows.min()) >= 0:
            yield from powers("Power", own, (0.1, *POWERS))


_PRESETS = (
    Preset(
        "Tensor product",
        TensorPairs(RBF(sigma="median")),
        "Two pairs are similar if their members are, in either order.",
    ),
    Preset(
        "Metric learning",
        MetricPairs(RBF(sigma="median")),
        "Two pairs are similar if their members differ in the same way.",
    ),
    Preset("Both", TensorPairs(RBF(sigma="median")) + MetricPairs(RBF(sigma="median")), "The sum of the two."),
)


class PairsOfRows(Kind):
    """Pairs: int64 (n, 2), row numbers of a base data set."""

    name = "pair"
    expected = "an integer array of shape (n, 2) of row numbers"
    layout = "pairs"
    title = "Pairs"
    called = "pairs"
    one, many = "pair", "pairs"
    search = "pairs of rows links interactions same or different"
    independent = False

    def check(self, X: Any, owner: str) -> Array:
        array = as_array(self, X, owner)
        if array.ndim != 2 or array.shape[1] != 2 or array.shape[0] == 0 or array.dtype.kind not in "iu":
            raise self.wrong(owner, described(array), "give two row numbers for every pair")
        return array

    def read(self, data: Dataset, who: str) -> tuple[Array, tuple[Domain, ...]]:
        rows, kinds = super().read(data, who)
        limit = None if data.base is None else data.base.n
        low, high = int(rows.min(initial=0)), int(rows.max(initial=0))
        if low < 0 or (limit is not None and high >= limit):
            upper = "" if limit is None else f"…{limit - 1}"
            raise DataError(
                f"{who}: pairs must hold row numbers 0{upper} of the base data set; got {low if low < 0 else high}. "
                "Count the base rows from 0."
            )
        return rows, kinds

    def read_rows(self, rows: Any, who: str, gaps: bool = False) -> Array:
        return super().read_rows(rows, who).astype(np.int64)

    def presets(self, data: Dataset) -> tuple[Preset, ...]:
        return _PRESETS

    def starting(self, cls: type[Kernel], data: Dataset | None) -> Kernel | None:
        if cls not in (TensorPairs, MetricPairs):
            return super().starting(cls, data)
        base = None if data is None else data.base
        make: Any = cls
        kernel: Kernel = make(Precomputed() if base is None else prepared(base.row_kind.presets(base)[0].kernel, base))
        return kernel

    def settings(self, data: Dataset) -> Iterator[Family]:
        base = data.base
        members: list[Family] = [("as they are", Precomputed())]
        if base is not None:
            members = [(one.family, one.kernel) for one in base.row_kind.candidates(base)[:12]]
        for family, kernel in members:
            tensor, metric = TensorPairs(kernel), MetricPairs(kernel)
            yield f"Tensor product, {family}", tensor
            yield f"Metric, {family}", metric
            yield f"Both, {family}", Normalized(tensor) + Normalized(metric)
        yield from deep("Deep", TensorPairs(members[0][1]), LEVELS[:2])

    def cells(self, data: Dataset, rows: Sequence[int], full: bool) -> list[tuple[str, Any]]:
        return [(name, data.rows[list(rows), j]) for j, name in enumerate(("first", "second"))]
