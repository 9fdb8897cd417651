"""Nearest neighbours by the distances of feature space."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..analysis.matrix import squared_distances
from ..errors import ParameterError
from ..values.arrays import Array, Factor
from ..values.declare import whole
from ..values.labels import Labels
from .machine import DistanceMachine, class_columns


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
    formula: ClassVar[str] = r"d^2(x, x_i) = k(x,x) - 2k(x,x_i) + k(x_i,x_i)"
    source: ClassVar[str] = "almost-orthogonal patterns, section 4"

    def _learn(self, K: Array, labels: Labels) -> tuple[Array]:
        self._require_rows(len(K))
        return (np.diagonal(K).copy(),)

    def _require_rows(self, n: int) -> None:
        if self.k > n:
            raise ParameterError(
                f"NearestNeighbour.fit: k must be an integer with 1 <= k <= {n}, the training rows; "
                f"got {self.k}. Try k=1."
            )

    def _learn_factor(self, F: Array, labels: Labels) -> tuple[Array, Array]:
        self._require_rows(len(F))
        return F, Factor(F).diagonal

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
