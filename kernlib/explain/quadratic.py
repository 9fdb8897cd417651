"""The explicit feature space of the homogeneous polynomial of degree 2 in the plane."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..values.arrays import Array, RowNumbers
from .trained import Trained


@dataclass(frozen=True, eq=False)
class Quadratic:
    """Rows of two columns under Φ(x) = (x1², √2 x1 x2, x2²), whose inner products are ⟨x, x'⟩², and a plane there.

    `places` (n, 3); `weights` (3,) and `intercept` of the plane ⟨w, Φ⟩ + b = 0; `wrong` rows on its other side.
    """

    places: Array
    weights: Array
    intercept: float
    wrong: RowNumbers


def quadratic_map(X: ArrayLike) -> Array:
    """Return Φ(x) = (x1², √2 x1 x2, x2²) of rows (n, 2), (n, 3).

    >>> quadratic_map([[1.0, 2.0]]).round(3).tolist()
    [[1.0, 2.828, 4.0]]
    """
    rows = np.asarray(X, dtype=np.float64)
    return np.column_stack([rows[:, 0] ** 2, np.sqrt(2) * rows[:, 0] * rows[:, 1], rows[:, 1] ** 2])


def quadratic_plane(X: ArrayLike, machine: Trained) -> Quadratic:
    """Return the rows under the quadratic map with the plane of a machine trained on ⟨x, x'⟩²."""
    places = quadratic_map(X)
    weights = (machine.alpha * machine.sign) @ places[machine.rows]
    return Quadratic(places, weights, machine.intercept, machine.rows[machine.margin < 0])


def ellipse(n: int = 160, seed: int = 0) -> tuple[Array, RowNumbers]:
    """Return rows in the plane, (n, 2), and whether each lies outside a tilted ellipse: no line separates them.

    >>> rows, outside = ellipse(40)
    >>> rows.shape, sorted(set(outside.tolist()))
    ((40, 2), [0, 1])
    """
    rows = np.random.default_rng(seed).uniform(-1.4, 1.4, (20 * n, 2))
    level = rows[:, 0] ** 2 + 0.8 * rows[:, 0] * rows[:, 1] + 1.5 * rows[:, 1] ** 2
    apart = np.flatnonzero(np.abs(level - 1.0) > 0.15)[:n]
    return rows[apart], (level[apart] > 1.0).astype(np.intp)
