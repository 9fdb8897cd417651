"""Two classes of unequal size: what prevalence changes in two pictures of the same decisions."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from ..core.base import Kernel
from ..data import Dataset
from ..protocols.halves import halves_machine, halves_of, suitable_measure
from ..values.arrays import Array
from ..values.words import percent


@dataclass(frozen=True, eq=False)
class Rates:
    """Shares of rows above each threshold: of the rarer class (`hits`) and of the other one (`alarms`), ascending."""

    hits: Array
    alarms: Array
    prevalence: float

    def precision(self, prevalence: float) -> Array:
        """Return the share of right alarms if the rarer class had this share of the rows; 1 without alarms.

        >>> Rates(np.array([0.0, 1.0]), np.array([0.0, 1.0]), 0.5).precision(0.1)
        array([1. , 0.1])
        """
        right, wrong = prevalence * self.hits, (1 - prevalence) * self.alarms
        return np.divide(right, right + wrong, out=np.ones_like(right), where=right + wrong > 0)

    def at_recall(self, recall: float) -> int:
        """Return the first threshold that finds this share of the rarer class."""
        return int(np.argmax(self.hits >= recall))


def rates(values: ArrayLike, rare: ArrayLike) -> Rates:
    """Return the rates over all thresholds of decision `values` (m,); `rare` (m,) says which rows are of the class.

    >>> rates([3.0, 2.0, 1.0], [True, False, True]).hits
    array([0. , 0.5, 0.5, 1. ])
    """
    from sklearn.metrics import roc_curve

    alarms, hits, _ = roc_curve(rare, values, drop_intermediate=False)
    return Rates(hits, alarms, float(np.asarray(rare, dtype=float).mean()))


def rates_on_halves(data: Dataset, kernel: Kernel) -> Rates:
    """Return the rates of the protocol's machine over the test rows of all halves together."""
    assert data.y is not None
    y = np.asarray(data.y)
    rare = int(np.argmin(np.bincount(y)))
    bound, machine = kernel.specification.bind(data.inputs), halves_machine(suitable_measure(y, "classification"))
    values, found = [], []
    for train, test in halves_of(y, task="classification", groups=data.groups):
        fold = bound.fold(train, test, y[train])
        fitted = machine.fit(fold.K, (y[train] == rare).astype(int), task="classification")
        assert fold.K_star is not None
        values.append(np.ravel(fitted.decision(fold.K_star, fold.k_diag)))
        found.append(y[test] == rare)
    # Odd classes have more test rows than training rows: the share is that of the data.
    return replace(rates(np.concatenate(values), np.concatenate(found)), prevalence=float((y == rare).mean()))


#: The share of the rarer class that must be found in the sentence.
RECALL = 0.8


def rates_sentence(found: Rates, prevalence: float) -> str:
    """Return what a share of the rarer class makes of the alarms at a recall of 80%."""
    place = found.at_recall(RECALL)
    precision = float(found.precision(prevalence)[place])
    return (
        f"To find {percent(float(found.hits[place]))} of a class with {percent(prevalence)} of the rows, "
        f"{percent(1 - precision)} of the alarms are false. False alarms among the others stay at "
        f"{percent(float(found.alarms[place]))}."
    )
