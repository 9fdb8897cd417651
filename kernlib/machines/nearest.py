"""Machines of means and distances in feature space: the nearest centroid, density estimates, nearest neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..analysis.matrix import squared_distances
from ..errors import DegenerateError, ParameterError
from ..values.arrays import Array
from ..values.declare import whole
from ..values.labels import Labels
from .machine import DistanceMachine, Machine, class_columns


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


@dataclass(frozen=True, repr=False)
class KernelDensity(DistanceMachine):
    r"""The class with the larger density estimate in feature space.

    .. math:: \hat p_c(x) = \frac1{n_c}\sum_{y_i=c} \frac{1}{\sqrt{2\pi}h}
        \exp\Big(-\frac{d^2(x,x_i)}{2h^2}\Big),\quad h = \frac1{n^2}\sum_{ij} d(x_i, x_j)

    d is the distance in feature space and h is learnt from the training rows, the zero diagonal
    included. `decision` is log p̂ per class, or log p̂_1 − log p̂_0 for two, which has the sign of
    (2.14) and does not underflow.

    Raises DataError for real targets, one class, or a missing `k_diag`; DegenerateError when all
    training rows coincide in feature space (h = 0).
    Reference: deep kernel machines, equations 2.11, 2.12, 2.14 and 2.18.

    >>> import numpy as np
    >>> x = np.array([-2.0, -1.0, 1.0, 2.0])
    >>> machine = KernelDensity().fit(np.outer(x, x), [0, 0, 1, 1])
    >>> new = np.array([-3.0, 0.5])
    >>> machine.predict(np.outer(new, x), k_diag=new**2).tolist()
    [0, 1]
    >>> machine.bandwidth_
    1.75
    """

    label = "kernel density"

    @property
    def bandwidth_(self) -> float:
        """Return h, the mean distance in feature space between training rows."""
        self._fitted_labels()
        bandwidth: float = self._learnt[-1]
        return bandwidth

    def _learn(self, K: Array, labels: Labels) -> tuple[Array, float]:
        distances = squared_distances(K)
        np.fill_diagonal(distances, 0.0)
        bandwidth = float(np.sqrt(distances).mean())  # (2.18)
        diagonal = np.diagonal(K).copy()
        # Distances are roots of differences: rounding leaves √eps of their length between equal rows.
        if bandwidth <= 1e-7 * float(np.sqrt(np.abs(diagonal).max())):
            raise DegenerateError(
                f"KernelDensity.fit: h, the mean distance in feature space, must be positive; got {bandwidth:.6g}, "
                f"all {len(diagonal)} training rows coincide. Change the kernel's parameters."
            )
        return diagonal, bandwidth

    def _decide(self, learnt: Any, labels: Labels, K_star: Array, k_diag: Array | None) -> Array:
        from scipy.special import logsumexp

        diagonal, bandwidth = learnt
        exponents = squared_distances(K_star, k_diag, diagonal)
        with np.errstate(over="ignore"):
            exponents *= -0.5 / bandwidth**2
        # A row infinitely far from all has equally likely classes; −∞ − (−∞) would be nan.
        np.maximum(exponents, -1e300, out=exponents)
        density = np.empty((len(K_star), len(labels.counts)))
        for c, count in enumerate(labels.counts):
            density[:, c] = logsumexp(exponents[:, labels.codes == c], axis=1) - np.log(count)
        density -= np.log(np.sqrt(2 * np.pi) * bandwidth)
        return class_columns(density)


@dataclass(frozen=True, repr=False)
class NearestNeighbour(DistanceMachine):
    r"""The class of most of the k nearest training rows in feature space.

    .. math:: d^2(x, x_i) = k(x,x) - 2k(x,x_i) + k(x_i,x_i)

    Equal votes go to the class with the nearest row. `decision` is the share of votes per class, minus a multiple of
    the distance to the class's nearest row that is too small to outweigh a vote, so that rankings (AUC) are possible;
    for two classes the difference.

    Parameters: `k` neighbours, 1…n.
    Raises ParameterError at fit when k exceeds the training rows; DataError for real targets, one
    class, or a missing `k_diag`.
    Reference: almost-orthogonal patterns, section 4 (k = 1).

    >>> import numpy as np
    >>> x = np.array([-2.0, -1.0, 1.0, 2.0])
    >>> machine = NearestNeighbour(k=1).fit(np.outer(x, x), ["a", "a", "b", "b"])
    >>> new = np.array([-3.0, 0.5])
    >>> machine.predict(np.outer(new, x), k_diag=new**2).tolist()
    ['a', 'b']
    """

    k: int = whole(1, "k", "neighbours that vote", 1, 25, step=1, minimum=1)

    label = "k nearest neighbours"

    def _learn(self, K: Array, labels: Labels) -> tuple[Array]:
        if self.k > len(K):
            raise ParameterError(
                f"NearestNeighbour.fit: k must be an integer with 1 <= k <= {len(K)}, the training rows; "
                f"got {self.k}. Try k=1."
            )
        return (np.diagonal(K).copy(),)

    def _decide(self, learnt: Any, labels: Labels, K_star: Array, k_diag: Array | None) -> Array:
        assert labels.codes is not None
        (diagonal,) = learnt
        distances = squared_distances(K_star, k_diag, diagonal)
        m, classes = len(K_star), len(labels.counts)
        # A stable order: of equally near rows the first votes, as with argmin.
        near = np.argsort(distances, axis=1, kind="stable")[:, : self.k]
        votes = np.zeros((m, classes))
        np.add.at(votes, (np.arange(m)[:, None], labels.codes[near]), 1.0 / self.k)
        nearest = np.sqrt(np.stack([distances[:, labels.codes == c].min(axis=1) for c in range(classes)], axis=1))
        total = nearest.sum(axis=1, keepdims=True)
        share = np.divide(nearest, total, out=np.zeros_like(nearest), where=total > 0)
        return class_columns(votes - share / (2 * self.k))
