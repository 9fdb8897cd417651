"""The simple kernel machine: the nearest class centroid in feature space."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..values.arrays import Array
from ..values.labels import Labels
from .machine import Machine, class_columns


@dataclass(frozen=True, repr=False)
class NearestCentroid(Machine):
    r"""The class whose mean in feature space is nearest.

    .. math:: f(x) = \frac1{n_1}\sum_{y_i=1} k(x, x_i) - \frac1{n_2}\sum_{y_i=2} k(x, x_i) - c,\quad
        c = \frac1{2n_1^2}\sum_{y_i,y_j=1} K_{ij} - \frac1{2n_2^2}\sum_{y_i,y_j=2} K_{ij}

    More classes: one column (1/n_c) Σ_i k(x, x_i) − (1/2n_c²) Σ_ij K_ij each, the largest wins.

    Raises DataError for real targets or one class.
    Reference: deep kernel machines, equations 2.2 and 2.10.

    >>> import numpy as np
    >>> x = np.array([-2.0, -1.0, 1.0, 2.0])
    >>> machine = NearestCentroid().fit(np.outer(x, x), [0, 0, 1, 1])
    >>> machine.decision(np.outer([-3.0, 0.5], x))
    array([-9. ,  1.5])
    """

    label = "nearest centroid (simple kernel machine)"
    formula: ClassVar[str] = r"f(x) = \frac{1}{n_1}\sum_{y_i=1} k(x, x_i) - \frac{1}{n_2}\sum_{y_i=2} k(x, x_i) - c(X)"
    source: ClassVar[str] = "deep kernel machines (2.2), (2.10)"

    def _learn(self, K: Array, labels: Labels) -> tuple[Array, Array]:
        means = np.eye(len(labels.counts))[labels.codes] / labels.counts
        thresholds = 0.5 * np.einsum("ic,ic->c", means, K @ means)  # (2.10)
        return means, thresholds

    def _decide(self, learnt: Any, labels: Labels, K_star: Array, k_diag: Array | None) -> Array:
        means, thresholds = learnt
        return class_columns(K_star @ means - thresholds)

    def _learn_factor(self, F: Array, labels: Labels) -> tuple[Array, Array]:
        means = F.T @ (np.eye(len(labels.counts))[labels.codes] / labels.counts)
        return means, 0.5 * (means**2).sum(axis=0)
