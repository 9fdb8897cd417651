"""Borders between classes in the plane, level by level of a deep kernel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..analysis.levels import DeepLevel, level_distances
from ..core.base import Kernel
from ..errors import DataError
from ..machines import SVM, KernelDensity, Machine, NearestCentroid
from ..numerics.distances import peak
from ..values.arrays import Array
from .trained import input_grid

#: Machines whose borders are drawn: linear in feature space, its density estimate, and the widest margin.
_MACHINES: dict[str, Machine] = {
    "centroid": NearestCentroid(),
    "density": KernelDensity(),
    "SVM": SVM(C=10.0, scale="spread"),
}


@dataclass(frozen=True, eq=False)
class LevelBorders:
    """Places `x` (w,) and `y` (h,) in the plane, and each machine's decision (L + 1, c, h, w), 0 on the border.

    c is 1 for two classes; for more classes, each class has its decision less the largest of the other classes.
    """

    x: Array
    y: Array
    decisions: dict[str, Array]


def level_borders(
    kernel: Kernel, X: ArrayLike, codes: ArrayLike, levels: Sequence[DeepLevel], size: int = 48
) -> LevelBorders:
    """Return the decisions of three machines over the plane at every level.

    Parameters: `kernel` of level 0; `X` (n, 2) rows; `codes` (n,) of at least two classes; `levels` of the kernel on X;
    `size` places along each axis. Raises DataError for other rows or classes, and for a kernel that needs all rows at
    once.
    Reference: Wang 2011, equations 2.2, 2.14 and 2.30.

    >>> from kernlib import RBF
    >>> from kernlib.analysis import levels_of
    >>> rows = np.array([[0.0, 0.0], [1.0, 0.0], [3.0, 3.0], [4.0, 3.0]])
    >>> borders = level_borders(RBF(), rows, [0, 0, 1, 1], levels_of(RBF()(rows), 2), size=8)
    >>> borders.decisions["centroid"].shape, bool(borders.decisions["density"][2, 0, 0, 0] < 0)
    ((3, 1, 8, 8), True)
    """
    rows, labels = np.asarray(X, dtype=np.float64), np.asarray(codes)
    if rows.ndim != 2 or rows.shape[1] != 2 or len(np.unique(labels)) < 2:
        raise DataError(
            f"level_borders: expected rows of two columns in at least two classes; got shape {rows.shape} and "
            f"{len(np.unique(labels))} classes."
        )
    x, y, grid = input_grid(kernel, rows, size, "level_borders")
    fold = kernel.specification.fold(rows, grid, labels)
    assert fold.K_star is not None
    assert fold.k_diag is not None
    base = np.sqrt(np.maximum(fold.k_diag[:, None] - 2 * fold.K_star + np.diagonal(fold.K), 0.0))
    bandwidths = [one.bandwidth or 1.0 for one in levels[1:]]
    through = level_distances(base, bandwidths)
    decisions: dict[str, list[Array]] = {name: [] for name in _MACHINES}
    for one, distances in zip(levels, through, strict=True):
        if one.level == 0:
            K_star, k_diag = fold.K_star, fold.k_diag
        else:
            top = peak(one.bandwidth or 1.0)
            K_star, k_diag = top - 0.5 * distances**2, np.full(len(grid), top)
        for name, machine in _MACHINES.items():
            fitted = machine.fit(np.array(one.K), labels)
            decisions[name].append(_leads(fitted.decision(K_star, k_diag)).reshape(-1, len(y), len(x)))
    return LevelBorders(x, y, {name: np.array(values) for name, values in decisions.items()})


def _leads(decision: Array) -> Array:
    """Return the decision between two classes, (1, m); for more, each class's less the largest other one, (c, m)."""
    if decision.ndim == 1 or decision.shape[1] == 1:
        return decision.reshape(1, -1)
    first, second = np.sort(decision, axis=1)[:, :-3:-1].T
    return np.asarray(np.where(first > decision.T, decision.T - first, first - second))
