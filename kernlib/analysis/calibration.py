"""Probabilities of classes, and whether they can be believed."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from ..values.arrays import Array


def probabilities_of(decision: ArrayLike) -> Array:
    """Return probabilities (m, classes) of decisions that are log-odds (m,), or log-probabilities (m, classes).

    >>> probabilities_of([0.0]).tolist(), probabilities_of(np.log([[0.2, 0.3, 0.5]])).round(3).tolist()
    ([[0.5, 0.5]], [[0.2, 0.3, 0.5]])
    """
    values = np.asarray(decision, dtype=np.float64)
    if values.ndim == 2:
        return np.exp(values)
    return np.stack([expit(-values), expit(values)], axis=1)
