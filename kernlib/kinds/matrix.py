"""Matrices of scores or distances between objects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..kernels import Precomputed, PrecomputedDistances
from ..numerics.distances import looks_like_distances
from ..values.arrays import Array
from ..values.domains import finite_table
from ..wrappers import Centered, Deep, Empirical, Normalized, Repaired
from .checked import read_square
from .kind import POWERS, DataRows, Kind, Preset, Setting, deep, first_entries, powers

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
    Preset("Two levels deep", Deep(PrecomputedDistances(), level=2), "A Gaussian of distances, twice."),
)


def holds_distances(data: DataRows) -> bool:
    """Return whether a matrix holds distances: as its file or a person says, else as it looks."""
    return looks_like_distances(data.rows) if data.distances is None else data.distances


class Matrix(Kind):
    """Rows known by their scores or distances alone: a symmetric matrix, float64 (n, n)."""

    name = "matrix"
    expected = "a square (n, n) matrix of scores or inner products"
    layout = "square"
    title = "Matrices of scores or distances"
    called = "a matrix of scores or distances"
    row = "scores"
    search = "scores similarities similarity distances given precomputed matrix"
    quick = True
    compared = _COMPARED

    def check(self, X: Any, owner: str) -> Array:
        return finite_table(self, X, owner)

    def read_rows(self, rows: Any, who: str, gaps: bool = False) -> Array:
        return read_square(rows, who, "the matrix")

    def warnings(self, data: DataRows) -> Iterator[str]:
        if holds_distances(data):
            yield (
                "The matrix holds distances: the suggested kernels read it so. The kernel Precomputed reads scores, so "
                "it would treat distant rows as similar."
            )

    def presets(self, data: DataRows) -> tuple[Preset, ...]:
        return _DISTANCES if holds_distances(data) else _SCORES

    def settings(self, data: DataRows) -> Iterator[Setting]:
        if holds_distances(data):
            distances = PrecomputedDistances()
            yield from deep("Deep", distances, (1, 2, 3, 4))
            for method in ("clip", "flip", "shift", "square"):
                scaled = Repaired(Centered(distances), method=method)
                yield Setting("Classical scaling", scaled)
                yield from deep("Deep scaling", scaled)
            return
        own = Precomputed()
        yield Setting("As it is", own)
        for method in ("clip", "flip", "shift", "square"):
            repaired = Repaired(own, method=method)
            yield Setting("Repaired", repaired)
            yield from deep("Deep", repaired)
        yield Setting("Angles", Normalized(Repaired(own, method="clip")))
        yield Setting("Centred", Repaired(Centered(own), method="clip"))
        yield Setting("Rows by their scores", Empirical(own))
        if float(data.rows.min()) >= 0:
            yield from powers("Power", own, (0.1, *POWERS))

    def cells(self, data: DataRows, rows: Sequence[int], full: bool) -> list[tuple[str, Any]]:
        return first_entries(data, rows, full)
