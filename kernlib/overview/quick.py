"""Quick errors: what a Gram matrix and labels tell about prediction before any sweep is run."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from ..analysis.leave_one_out import left_out_residuals
from ..analysis.matrix import finite, square
from ..analysis.spectrum import Decomposition, decompose
from ..errors import DataError
from ..machines.centroid import NearestCentroid
from ..protocols import GroupedSplits, Protocol, RepeatedSplits
from ..values.arrays import Array
from ..values.factor import Factor
from ..values.labels import AskedTask, Labels, read_labels

__all__ = ["RIDGES", "QuickErrors", "quick_errors"]

#: Ridges that are tried, in units of the mean size of an eigenvalue.
RIDGES = np.geomspace(1e-6, 1e3, 19)


@dataclass(frozen=True)
class QuickErrors:
    """Result of `quick_errors`; nan where an error does not exist.

    `task` says what the numbers are: shares of rows in 0…1 for classes; for real targets the mean squared
    error over the variance of the targets, 0…inf, 1 being as good as the mean. `centroid` nearest centroid
    (classes only), mean over `splits` halvings; `ridge` leave-one-out error of kernel ridge regression at
    `ridge_at`, the best of the tried λ; `chance` the error of always saying the commonest class, or 1.
    `grouped` whether groups were left out whole.
    """

    task: Literal["classification", "regression"]
    centroid: float
    ridge: float
    ridge_at: float
    chance: float
    splits: int
    grouped: bool = False

    @property
    def best(self) -> float:
        """The smaller of the two; nan when there is none."""
        known = [e for e in (self.centroid, self.ridge) if math.isfinite(e)]
        return min(known, default=math.nan)


def quick_errors(
    K: ArrayLike | Factor,
    y: ArrayLike,
    *,
    task: AskedTask = "auto",
    groups: ArrayLike | None = None,
    decomposition: Decomposition | None = None,
    splits: int = 5,
) -> QuickErrors:
    """Errors of two simple machines from one Gram matrix: for choosing, never the number to publish.

    Ridge regression by `left_out_residuals`, exactly what the machine that never saw a row misses of it, real targets
    less the mean of the rows that it saw; with `groups` a whole group is left out. λ is the one of 19 with the smallest
    mean square, which flatters a little. What the kernel learnt from the rows, it learnt from all of them.

    Parameters: `K` (n, n) symmetric, or a `Factor`, of which no (n, n) matrix is made; `y` (n,); `groups` (n,) rows
    that belong together; `decomposition` all eigenpairs of K (those beyond 0 of a factor) when they are there
    already; `splits` halvings of the rows for the nearest centroid.
    Raises DataError for K or y that cannot be used.
    Reference: Cawley and Talbot, Neural Networks 17, 2004, equation 13; deep kernel machines, equation 2.10.

    >>> import numpy as np
    >>> x = np.r_[-3.0, -2.0, -2.5, -1.5, 1.5, 2.5, 2.0, 3.0]
    >>> found = quick_errors(np.outer(x, x), np.repeat(["a", "b"], 4))
    >>> found.centroid, found.ridge, found.chance
    (0.0, 0.0, 0.5)
    """
    short = isinstance(K, Factor)
    matrix = finite(K.rows, "quick_errors", "F") if isinstance(K, Factor) else square(K, "quick_errors")
    labels = read_labels(y, task, len(matrix), "quick_errors")
    members = None if groups is None else _members(groups, len(matrix))
    found = decompose(K, owner="quick_errors") if decomposition is None else decomposition
    if found.eigenvectors.shape != matrix.shape and not short:
        raise DataError(
            f"quick_errors: decomposition must hold all {len(matrix)} eigenvectors of K; got shape "
            f"{found.eigenvectors.shape}. Use decompose(K) without components."
        )
    ridge, at = _ridge(found, labels, members)
    return QuickErrors(
        task=labels.task,
        centroid=_centroid(matrix, labels, groups, splits, short),
        ridge=ridge,
        ridge_at=at,
        chance=1.0 if labels.codes is None else 1.0 - float(labels.counts.max()) / len(matrix),
        splits=splits,
        grouped=groups is not None,
    )


def _members(groups: ArrayLike, n: int) -> list[Array]:
    names = np.asarray(groups)
    if names.shape != (n,):
        raise DataError(
            f"quick_errors: groups must name one group for each of the {n} rows; got shape {names.shape}. "
            "Pass the groups of the same rows."
        )
    _, codes = np.unique(names, return_inverse=True)
    return [np.flatnonzero(codes == code) for code in range(int(codes.max()) + 1)]


def _centroid(K: Array, labels: Labels, groups: Any, splits: int, short: bool) -> float:
    if labels.codes is None:
        return math.nan
    protocol: Protocol = RepeatedSplits(repeats=splits) if groups is None else GroupedSplits(repeats=splits)
    wrong = []
    try:
        for _, train, test in protocol.splits(labels.codes, task="classification", groups=groups):
            own: Any = Factor(K[train]) if short else K[np.ix_(train, train)]
            new: Any = Factor(K[test]) if short else K[np.ix_(test, train)]
            machine = NearestCentroid().fit(own, labels.codes[train], task="classification")
            wrong.append(float((machine.predict(new) != labels.codes[test]).mean()))
    except DataError:  # a class with too few rows to be halved has no such error
        return math.nan
    return float(np.mean(wrong)) if wrong else math.nan


def _ridge(found: Decomposition, labels: Labels, members: list[Array] | None) -> tuple[float, float]:
    values, n = found.eigenvalues, len(found.eigenvectors)
    ridges = RIDGES * (float(np.abs(values).sum()) / n)
    # An indefinite K has no inverse near its negative eigenvalues: only ridges well beyond them count.
    ridges = ridges[(ridges > 0) & (ridges > -2 * min(0.0, float(values.min())))]
    if not len(ridges) or (members is not None and len(members) < 2):
        return math.nan, math.nan
    wide = labels.targets.reshape(n, -1)
    residual = left_out_residuals(found, wide, ridges, members, centred=labels.codes is None)
    squares = (residual**2).sum(axis=1).mean(axis=0)
    best = int(squares.argmin())
    if labels.codes is None:
        spread = float(wide.var())
        return (float(squares[best]) / spread if spread > 0 else math.nan), float(ridges[best])
    predicted = labels.decode((wide - residual[:, :, best]).reshape(labels.targets.shape))
    return float((predicted != labels.decode(labels.targets)).mean()), float(ridges[best])
