"""Centring in feature space: the training rows' mean becomes the origin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.steps import MatrixStep, Side, Tiles
from ..errors import DegenerateError
from ..numerics.blocks import over_row_blocks
from ..numerics.distances import RELIABLE, ROUNDING
from ..values.above import makes
from ..values.arrays import Array


@makes("centered")
@dataclass(frozen=True, repr=False)
class Centered(MatrixStep):
    """Inner products relative to the training rows' mean μ in feature space.

        k(x, x') ↦ ⟨φ(x) − μ, φ(x') − μ⟩ = k(x, x') − m(x) − m(x') + m̄,
        m(x) = (1/n) Σ_i k(x, x_i),  m̄ = (1/n) Σ_i m(x_i)

    Learns the training rows and their means; test rows are centred with these. Raises DegenerateError if
    fewer than six digits would be correct: the rows lie close together, far from the origin.

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
    learns_itself: ClassVar[bool] = True

    def chip(self) -> str:
        return "centred"

    def row_facts(self, side: Side) -> Array:
        return np.column_stack([side.against.mean(axis=1), side.d])

    def learn_from(self, K: Array, facts: Array, y: Array | None) -> float:
        means, d = facts.T
        mean = float(means.mean())
        largest = float((d - 2.0 * means + mean).max())
        noise = float(self._rounding(means, means, mean).max())
        if noise < largest < RELIABLE * noise:
            raise DegenerateError(
                f"Centered: the {len(d)} training rows lie near their mean in feature space, far from the origin; "
                f"expected squared distances from the mean well above the rounding error of k, {noise:.2g}, got at "
                f"most {largest:.2g}. Standardise the columns, or choose a kernel that separates the rows."
            )
        return mean

    def learn_from_tiles(self, tiles: Tiles, facts: Array, y: Array | None, n: int) -> float:
        return self.learn_from(facts, facts, y)  # the row facts are enough: no tile is evaluated

    def new_matrix(self, K: Array, fx: Array, fy: Array) -> Array:
        mx, my = fx[:, 0], fy[:, 0]

        def centre(block: Array, start: int) -> None:
            means = mx[start : start + len(block), None]
            # The two means are added first, so that a symmetric matrix stays symmetric to the last bit.
            block -= means + my
            block += self.state
            size = np.abs(block)
            if size.min(initial=np.inf) <= most:  # rare: first one bound for all entries, then one for each
                block[size <= self._rounding(means, my, self.state)] = 0.0

        most = self._rounding(np.abs(mx).max(initial=0.0), np.abs(my).max(initial=0.0), self.state)
        over_row_blocks(K, centre)
        return K

    def new_diagonal(self, side: Side, facts: Array) -> Array:
        means = facts[:, 0]
        d = np.asarray(side.d - 2.0 * means + self.state)
        d[np.abs(d) <= self._rounding(means, means, self.state)] = 0.0
        return d

    def _rounding(self, fx: Array, fy: Array, mean: float) -> Array:
        """Return a bound on the rounding error of a centred value; a smaller value counts as 0."""
        return np.asarray(ROUNDING * self.kernel.rounding * (np.abs(fx) + np.abs(fy) + abs(mean)))
