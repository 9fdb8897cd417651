"""The origin of feature space moved to the training rows' mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..base import makes
from ..blocks import over_row_blocks
from ..distances import ROUNDING
from ..steps import MatrixStep, Side, Tiles
from ..values.arrays import Array

__all__ = ["Centered"]


@makes("centered")
@dataclass(frozen=True, repr=False)
class Centered(MatrixStep):
    """Inner products after the training rows' mean μ has become the origin.

        k(x, x') ↦ ⟨φ(x) − μ, φ(x') − μ⟩ = k(x, x') − m(x) − m(x') + m̄,
        m(x) = (1/n) Σ_i k(x, x_i),  m̄ = (1/n) Σ_i m(x_i)

    Learns the training rows and their means; test rows are centred with these.

    Schölkopf, Smola, Müller 1998, appendix; [R] Kernel PCA (there uncentred).

    >>> import numpy as np
    >>> from kernlib import Linear
    >>> Centered(Linear())(np.array([[1.0], [3.0]]))
    array([[ 1., -1.],
           [-1.,  1.]])
    """

    formula: ClassVar[str] = r"\langle\phi(x)-\mu,\ \phi(x')-\mu\rangle,\quad {\mu=\tfrac1n\sum_i\phi(x_i)}"
    source: ClassVar[str] = "[R], [C] 3.1"
    cost: ClassVar[str] = "O(n²)"
    keeps_rows: ClassVar[bool] = True

    @property
    def learns_itself(self) -> bool:
        return True

    def chip(self) -> str:
        return "centred"

    def _facts(self, side: Side) -> Array:
        return np.asarray(side.against.mean(axis=1))

    def _learn_from(self, K: Array, facts: Array, y: Array | None) -> float:
        return float(facts.mean())

    def _learn_from_tiles(self, tiles: Tiles, facts: Array, y: Array | None, n: int) -> float:
        return float(facts.mean())

    def _matrix(self, K: Array, fx: Array, fy: Array) -> Array:
        def centre(block: Array, start: int) -> None:
            means = fx[start : start + len(block), None]
            # The two means are added first, so that a symmetric matrix stays symmetric to the last bit.
            block -= means + fy
            block += self._state
            size = np.abs(block)
            if size.min(initial=np.inf) <= most:  # seldom: one bound for all first, and then each entry's own
                block[size <= self._rounding(means, fy)] = 0.0

        most = self._rounding(np.abs(fx).max(initial=0.0), np.abs(fy).max(initial=0.0))
        over_row_blocks(K, centre)
        return K

    def _diagonal(self, side: Side, facts: Array) -> Array:
        d = np.asarray(side.d - 2.0 * facts + self._state)
        d[np.abs(d) <= self._rounding(facts, facts)] = 0.0
        return d

    def _rounding(self, fx: Array, fy: Array) -> Array:
        """What rounding alone can leave of rows at the mean; a power above would make something of it."""
        return np.asarray(ROUNDING * (np.abs(fx) + np.abs(fy) + abs(self._state)))
