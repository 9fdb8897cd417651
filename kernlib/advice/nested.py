"""Nested cross-validation: the error on new data of choosing a kernel and training with it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..core.base import Kernel
from ..core.folding import folded
from ..core.steps import normal_form
from ..data import Dataset
from ..experiments.sweep import labels_of
from ..machines import Machine
from ..numerics.blas import one_blas_thread
from ..protocols import RepeatedKFold
from ..statistics import Band, mean_share, unexplained_share
from ..values.arrays import Array, RowNumbers

#: Outer folds: each repeats the whole comparison on four fifths of the rows.
OUTER = 5
#: The variance of an error of classes over that of independent rows.
_WIDENED = 1.44


@dataclass(frozen=True, eq=False)
class NestedLosses:
    """The losses of the rows that were held out from every choice: nan for a row that is not tested yet.

    `losses` (n,) are 0 or 1 for classes, squared differences for real targets; `folds` of `total` are done; each
    trained on `trained` rows, on average. `band` is the error with its interval, None before the last fold.
    """

    losses: Array
    folds: int
    total: int
    trained: int
    band: Band | None = None

    @property
    def complete(self) -> bool:
        """Return whether every fold is done."""
        return self.folds == self.total


def outer_folds(data: Dataset) -> list[tuple[RowNumbers, RowNumbers]]:
    """Return training and test rows of each outer fold; groups stay whole, and classes are spread over the folds."""
    y, task = labels_of(data)
    classes = data.task == "classification"
    if data.groups is not None:
        from sklearn.model_selection import GroupKFold, StratifiedGroupKFold

        folds = min(OUTER, len(set(data.groups)))
        kind = StratifiedGroupKFold if classes else GroupKFold
        splitter = kind(n_splits=folds, shuffle=True, random_state=1)
        return [(train, test) for train, test in splitter.split(np.zeros(data.n), y, np.asarray(data.groups))]
    smallest = int(np.unique(y, return_counts=True)[1].min()) if classes else data.n
    protocol = RepeatedKFold(folds=max(2, min(OUTER, smallest)), repeats=1, seed=1)
    return [(train, test) for _, train, test in protocol.splits(y, task=task)]


def held_out_losses(data: Dataset, kernel: Kernel, machine: Machine, train: RowNumbers, test: RowNumbers) -> Array:
    """Return the loss of every test row by a machine that has seen the training rows alone.

    0 or 1 for classes, the squared difference for real targets.
    """
    y, task = labels_of(data)
    with one_blas_thread():
        fold = folded(normal_form(kernel).bind(data.inputs, {}), train, test, y[train])
        assert fold.K_star is not None
        predicted = machine.fit(fold.K, y[train], task=task).predict(fold.K_star, fold.k_diag)
    if data.task == "classification":
        return np.asarray(predicted != y[test], dtype=np.float64)
    return np.asarray((predicted - y[test]) ** 2, dtype=np.float64)


def nested_band(losses: Array, data: Dataset, measure: str, folds: int) -> Band:
    """Return the error by `measure` with a 95% interval, over the rows, or the groups, of all folds.

    Folds share training rows. The variance of an error of classes is that of independent rows times 1.44, with which
    intervals covered 95% on 66 data sets; for real targets times 1 + J n_test/n_train for J folds, the factor of the
    corrected resampled t-test. A share has Wilson's interval, a mean of class shares the combination of theirs,
    unexplained variance one on a logarithmic scale: none leaves its range, and none has width 0.
    Reference: Nadeau and Bengio, Machine Learning 52, 2003; Zou and Donner, Statistics in Medicine 27, 2008.
    """
    y = labels_of(data)[0]
    owners = np.arange(len(y)) if data.groups is None else np.asarray(data.groups)
    if data.task == "regression":
        widened = 1 + folds / (folds - 1)
        targets = y.astype(np.float64)
        squares = (targets - targets.mean()) ** 2
        return unexplained_share(losses, squares, owners, widened)
    if measure != "balanced error":
        return mean_share(losses, owners, _WIDENED)
    parts = [mean_share(losses[y == one], owners[y == one], _WIDENED) for one in np.unique(y)]
    mean = float(np.mean([part.mean for part in parts]))
    below = math.sqrt(sum((part.mean - part.low) ** 2 for part in parts)) / len(parts)
    above = math.sqrt(sum((part.high - part.mean) ** 2 for part in parts)) / len(parts)
    error = math.sqrt(sum(part.standard_error**2 for part in parts)) / len(parts)
    return Band(mean, mean - below, mean + above, error, len(losses), 0.95)
