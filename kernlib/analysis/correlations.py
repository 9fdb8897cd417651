"""What the levels of a network of infinite width do to the correlation of two rows, and where that ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..values.arrays import Array
from ..wrappers.infinite import Layers
from .levels import DeepLevel, pairs_by_group

#: Levels after which the map of correlations counts as that of the limit.
_LIMIT = 400


@dataclass(frozen=True, eq=False)
class LevelCorrelations:
    """How correlations c = k(x, x')/√(k(x, x) k(x', x')) move from level to level.

    `before` (m,) correlations from −1 to 1, and `after` (L + 1, m) where level l takes them from level l − 1, at the
    mean k(x, x) there; level 0 leaves them as they are. `gaussian` (L + 1, m) is the same map for a level of the deep
    kernel machine, nan at level 0. `fixed` is the correlation to which the maps drive all pairs in the limit, and
    `slope` the slope of the limit's map at 1: above 1, rows that nearly agree are driven apart. `pairs` by name: rows
    (q, 2), and their `correlations` (q, L + 1).
    """

    before: Array
    after: Array
    gaussian: Array
    fixed: float
    slope: float
    pairs: dict[str, Array]
    correlations: dict[str, Array]


def correlations_of(layers: Layers, levels: Sequence[DeepLevel], codes: ArrayLike | None = None) -> LevelCorrelations:
    """Return the maps of correlations of each level, and pairs of rows through the levels; `codes` of classes.

    >>> from kernlib import ArcCosine, Linear
    >>> maps = correlations_of(ArcCosine(Linear(), order=0), [DeepLevel(0, None, np.eye(3))])
    >>> round(maps.fixed, 2), maps.slope
    (0.79, inf)
    """
    before = np.linspace(-1.0, 1.0, 201)
    start = variance = max(float(np.diagonal(levels[0].K).mean()), 0.0)
    after, gaussian = [before], [np.full_like(before, np.nan)]
    for one in levels[1:]:
        after.append(layers.correlations(variance, before)[0])
        gaussian.append(_gaussian_map(levels[one.level - 1].K, before))
        variance = layers.correlations(variance, np.ones(1))[1]
    fixed, slope = _limit(layers, start)
    unit = [_correlations(one.K) for one in levels]
    pairs = {name: chosen for name, (chosen, _) in pairs_by_group(unit[0], codes)[1].items()}
    through = {name: np.array([c[rows[:, 0], rows[:, 1]] for c in unit]).T for name, rows in pairs.items()}
    return LevelCorrelations(before, np.array(after), np.array(gaussian), fixed, slope, pairs, through)


def _limit(layers: Layers, variance: float) -> tuple[float, float]:
    """Return the correlation that the maps drive others to, and the slope of the last map at 1."""
    c = np.zeros(1)
    for _ in range(_LIMIT):
        after, own = layers.correlations(variance, c)
        if not (np.isfinite(own) and 1e-100 < own < 1e100):
            break
        c, variance = np.clip(after, -1.0, 1.0), own
    slope = layers.slope(variance)
    # At or below 1 the slope leads all pairs to 1, at the edge itself slower than any power.
    return (1.0 if slope <= 1.0 + 1e-9 else float(c[0])), slope


def _gaussian_map(K: Array, c: Array) -> Array:
    """Return exp(−d²/2h²) of rows of equal length with these correlations, h the mean distance ([K] 2.18)."""
    d = np.diagonal(K)
    h = float(np.sqrt(np.maximum(d[:, None] - 2.0 * K + d, 0.0)).mean())
    return np.exp(-(1.0 - c) * float(d.mean()) / h**2) if h > 0 else np.full_like(c, np.nan)


def _correlations(K: Array) -> Array:
    length = np.sqrt(np.maximum(np.diagonal(K), 0.0))
    size = np.multiply.outer(length, length)
    return np.asarray(np.divide(K, size, where=size > 0, out=np.zeros_like(size)))
