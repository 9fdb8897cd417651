"""The best of many kernels on shuffled labels."""

from __future__ import annotations

import numpy as np

from ..core.base import Kernel
from ..data import Dataset
from ..stories.quantities import Scene, kernel_errors
from ..values.arrays import Array
from ..values.words import percent


def tried_kernels(data: Dataset, kernel: Kernel, count: int, shuffled: bool = True) -> tuple[Array, Array]:
    """Return the test error of each kernel tried, and for each number k the best one's error on other new rows.

    Kernels look at random halves of the columns; with `shuffled` the labels are permuted first. The best of the first k
    is the one with the smallest test error, the first of equal ones.
    """
    errors = kernel_errors(Scene(data, kernel), count, shuffled)
    chosen, others = errors["test rows"], errors["validation rows"]
    best = [int(np.argmin(chosen[:k])) for k in range(1, count + 1)]
    return chosen, others[best]


def leak_sentence(chosen: Array, honest: Array, guessing: float, k: int) -> str:
    """Return what the best of k kernels reports, and what it is worth beside guessing."""
    least, other = float(chosen[:k].min()), float(honest[k - 1])
    of = "The one kernel tried reports" if k == 1 else f"The best of {k} kernels reports"
    return (
        f"{of} an error of {percent(least)} on the test rows; guessing has {percent(guessing)}. On other rows the same "
        f"kernel has {percent(other)}; the mean of all tried is {percent(float(chosen[:k].mean()))}."
    )
