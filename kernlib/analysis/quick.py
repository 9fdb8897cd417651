"""Quick errors, which rank many kernels from one Gram matrix each; pages show the errors on the halves instead."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ..errors import DataError
from ..values.arrays import Array, Factor
from ..values.labels import AskedTask, Labels, read_labels
from .matrix import finite, square
from .spectrum import RIDGES, Decomposition, decompose, left_out_residuals


@dataclass(frozen=True)
class QuickErrors:
    """Result of `quick_errors`; nan where an error does not exist.

    `task` sets the unit: a share of rows in 0…1 for classes; for real targets the mean squared error over the variance
    of the targets, 0…inf, where 1 is as good as the mean. `ridge` leave-one-out error of kernel ridge regression with
    an intercept, at the ridge `ridge_at`, the best of the candidates; `chance` the error of always predicting the most
    frequent class, or 1. `squared` is the squared leave-one-out error over the variance of the targets, for classes too
    (±1 for two, one-hot for more): kernels are sorted by it, as it has fewer ties than a share of rows; `squared_se`
    its standard error over the rows.
    """

    task: Literal["classification", "regression"]
    ridge: float
    ridge_at: float
    chance: float
    squared: float = math.nan
    squared_se: float = math.nan


def quick_errors(
    K: ArrayLike | Factor,
    y: ArrayLike,
    *,
    task: AskedTask = "auto",
    groups: ArrayLike | None = None,
    decomposition: Decomposition | None = None,
) -> QuickErrors:
    """Return the errors of ridge regression from one Gram matrix: for choosing a kernel, never for publishing.

    Ridge regression by `left_out_residuals`: the same residuals as machines refitted without the row, or without its
    group where `groups` are given. For classes the intercept is fitted and not penalised; without it, a kernel that
    memorises is rewarded. For real targets the intercept is the mean of the training targets, as in `KernelRidge`.
    λ is the candidate with the smallest mean square, which is slightly optimistic. A kernel that learns has learnt
    from all rows.

    Parameters: `K` (n, n) symmetric, or a `Factor`, for which no (n, n) matrix is allocated; `y` (n,); `groups` (n,)
    one name a row; `decomposition` all eigenpairs of K (the non-zero ones of a factor), if already computed.
    Raises DataError for K or y that cannot be used.
    Reference: Cawley and Talbot, Neural Networks 17, 2004, equation 13; deep kernel machines, equation 2.10.

    >>> import numpy as np
    >>> x = np.r_[-3.0, -2.0, -2.5, -1.5, 1.5, 2.5, 2.0, 3.0]
    >>> errors = quick_errors(np.outer(x, x), np.repeat(["a", "b"], 4))
    >>> errors.ridge, errors.chance
    (0.0, 0.5)
    """
    short = isinstance(K, Factor)
    matrix = finite(K.rows, "quick_errors", "F") if isinstance(K, Factor) else square(K, "quick_errors")
    labels = read_labels(y, task, len(matrix), "quick_errors")
    members = None if groups is None else _members(groups, len(matrix))
    pairs = decompose(K, owner="quick_errors") if decomposition is None else decomposition
    if pairs.eigenvectors.shape != matrix.shape and not short:
        raise DataError(
            f"quick_errors: decomposition must hold all {len(matrix)} eigenvectors of K; got shape "
            f"{pairs.eigenvectors.shape}. Use decompose(K) without components."
        )
    n, targets = len(matrix), labels.targets.reshape(len(matrix), -1)
    chance = 1.0 if labels.codes is None else 1.0 - float(labels.counts.max()) / n
    ridges, variance = _ridges(pairs, targets, members)
    if not len(ridges):
        return QuickErrors(labels.task, math.nan, math.nan, chance)
    residuals = _residuals(pairs, labels, targets, ridges, members)
    squares = (residuals**2).sum(axis=1) / variance
    best = int(squares.mean(axis=0).argmin())
    squared = float(squares[:, best].mean())
    ridge = squared
    if labels.codes is not None:
        predicted = labels.decode((targets - residuals[:, :, best]).reshape(labels.targets.shape))
        ridge = float(np.mean(predicted != labels.decode(labels.targets)))
    se = float(squares[:, best].std(ddof=1)) / math.sqrt(n)
    return QuickErrors(labels.task, ridge, float(ridges[best]), chance, squared, se)


def _residuals(
    pairs: Decomposition, labels: Labels, targets: Array, ridges: Array, members: list[Array] | None
) -> Array:
    """Return the residuals of rows that were left out: for classes with an intercept, else about the mean."""
    classes = labels.codes is not None
    return left_out_residuals(pairs, targets, ridges, members, intercept=classes, centred=not classes)


def shuffled_squares(
    decomposition: Decomposition,
    y: ArrayLike,
    shuffles: Sequence[Array],
    *,
    task: AskedTask = "auto",
    groups: ArrayLike | None = None,
) -> Array:
    """Return the `squared` of `quick_errors` for shuffled labels, (len(shuffles),): what chance alone reaches.

    Parameters: `decomposition` of K; `y` (n,); `shuffles` row numbers (n,): row i
    gets the label of row shuffle[i]; `groups` as in `quick_errors`. nan where there is no such error.

    >>> import numpy as np
    >>> x = np.r_[-3.0, -2.0, -2.5, -1.5, 1.5, 2.5, 2.0, 3.0]
    >>> y, other = np.repeat(["a", "b"], 4), np.array([0, 4, 1, 5, 2, 6, 3, 7])
    >>> own, shuffled = shuffled_squares(decompose(np.outer(x, x)), y, [np.arange(8), other])
    >>> bool(own < 0.2 < 1 < shuffled), round(float(own / quick_errors(np.outer(x, x), y).squared), 12)
    (True, 1.0)
    """
    n = len(decomposition.eigenvectors)
    labels = read_labels(y, task, n, "shuffled_squares")
    members = None if groups is None else _members(groups, n)
    targets = labels.targets.reshape(n, -1)
    ridges, variance = _ridges(decomposition, targets, members)
    if not len(ridges):
        return np.full(len(shuffles), math.nan)
    columns = targets.shape[1]
    stacked = np.hstack([targets[rows] for rows in shuffles])
    residuals = _residuals(decomposition, labels, stacked, ridges, members)
    squares = np.einsum("icr,icr->cr", residuals, residuals).reshape(len(shuffles), columns, -1).sum(axis=1)
    return np.asarray(squares.min(axis=1) / (n * variance))


def _ridges(pairs: Decomposition, targets: Array, members: list[Array] | None) -> tuple[Array, float]:
    """Return the candidate ridges, none where no error exists, and the variance of the targets."""
    values, variance = pairs.eigenvalues, float(targets.var(axis=0).sum())
    if variance <= 0 or (members is not None and len(members) < 2):
        return np.empty(0), variance
    ridges = RIDGES * (float(np.abs(values).sum()) / len(pairs.eigenvectors))
    # An indefinite K has no inverse near its negative eigenvalues: only ridges well beyond them count.
    return ridges[(ridges > 0) & (ridges > -2 * min(0.0, float(values.min())))], variance


def _members(groups: ArrayLike, n: int) -> list[Array]:
    names = np.asarray(groups)
    if names.shape != (n,):
        raise DataError(
            f"quick_errors: groups must name one group for each of the {n} rows; got shape {names.shape}. "
            "Pass the groups of the same rows."
        )
    return [np.flatnonzero(names == name) for name in np.unique(names)]
