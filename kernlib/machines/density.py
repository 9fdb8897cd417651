"""Kernel density estimates on the distances of feature space."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..analysis.matrix import squared_distances
from ..errors import DegenerateError
from ..values.arrays import Array, Factor
from ..values.labels import Labels
from .machine import DistanceMachine, class_columns, in_row_blocks


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
    formula: ClassVar[str] = (
        r"\hat p_c(x) = \frac{1}{n_c}\sum_{y_i=c} \frac{1}{\sqrt{2\pi}h} \exp\Big(-\frac{d^2(x,x_i)}{2h^2}\Big)"
    )
    source: ClassVar[str] = "deep kernel machines (2.11), (2.12), (2.18)"

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
        self._require_apart(bandwidth, np.diagonal(K))
        return np.diagonal(K).copy(), bandwidth

    def _require_apart(self, bandwidth: float, diagonal: Array) -> None:
        # Distances are roots of differences: rounding leaves √eps of their length between equal rows.
        if bandwidth <= 1e-7 * float(np.sqrt(np.abs(diagonal).max())):
            raise DegenerateError(
                f"KernelDensity.fit: h, the mean distance in feature space, must be positive; got {bandwidth:.6g}, "
                f"all {len(diagonal)} training rows coincide. Change the kernel's parameters."
            )

    def _learn_factor(self, F: Array, labels: Labels) -> tuple[Array, Array, float]:
        diagonal = Factor(F).diagonal

        def lengths(block: Array) -> Array:
            return np.asarray(np.sqrt(squared_distances(block @ F.T, Factor(block).diagonal, diagonal)).sum(axis=1))

        bandwidth = float(in_row_blocks(F, len(F), lengths).sum()) / len(F) ** 2  # (2.18)
        self._require_apart(bandwidth, diagonal)
        return F, diagonal, bandwidth

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
