"""The 6 × 10 example of [O] 2: the printed weights, the recomputed weights, and the solution that generalises."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ..values.arrays import Array
from .trained import train

#: As printed. The last weight stands under column 10, yet the last row has its 9 in column 9: the two are swapped.
PRINTED_W = (0.04, 0.0, -0.11, 0.11, 0.0, 0.12, -0.12, 0.11, 0.0, -0.11)
PRINTED_B = -0.02
#: The good solution that the source names: the first column alone.
GOOD_W = (2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
GOOD_B = -1.0


class ToyTable(NamedTuple):
    """Weights (10,) and b of three solutions, and what each says of a new row of either class.

    `new` (3, 2): f for a row with its 1 in column 1 and nothing else known, and for a row of zeros.
    """

    printed: Array
    ours: Array
    good: Array
    intercepts: tuple[float, float, float]
    new: Array


def toy_table(X: Array, y: Array) -> ToyTable:
    """Return the hard-margin machine on the example's rows beside the printed and the good solution.

    >>> from kernlib.data import load_dataset
    >>> toy = load_dataset("large-diagonal-toy")
    >>> table = toy_table(toy.rows, toy.y)
    >>> table.ours.round(2).tolist()
    [0.04, 0.0, -0.11, 0.11, 0.0, 0.12, -0.12, 0.11, -0.11, 0.0]
    """
    rows = np.asarray(X, dtype=np.float64)
    machine = train(rows @ rows.T, y, C=math.inf)
    ours = rows.T @ (machine.alpha * machine.sign)
    printed, good = np.array(PRINTED_W), np.array(GOOD_W)
    intercepts = (PRINTED_B, machine.intercept, GOOD_B)
    new = np.array([[w[0] + b, b] for w, b in zip((printed, ours, good), intercepts, strict=True)])
    return ToyTable(printed, ours, good, intercepts, new)
