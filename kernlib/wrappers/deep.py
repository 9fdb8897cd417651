"""Deep kernel machines: a Gaussian density in feature space becomes the next kernel, level by level."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Self

import numpy as np

from ..core.base import Kernel
from ..core.steps import MatrixStep, Shorthand, Side, Tiles
from ..errors import ParameterError
from ..numerics.distances import ROUNDING, bandwidth, gaussian_level, mean_distance, peak, squared_distances
from ..values.arrays import Array
from ..values.declare import floats, ordinary, param, whole

_MAX_LEVEL = 50


def _bad_bandwidths(value: Any) -> str | None:
    if value is None:
        return None
    if not isinstance(value, tuple):
        return f"must be None or a tuple of one bandwidth per level; got {value!r}. Try bandwidths=None"
    wrong = [h for h in value if h is not None and not (ordinary(h) and h > 0)]
    return f"must hold finite numbers above 0 or None; got {wrong[0]!r}. None asks for the heuristic" if wrong else None


@dataclass(frozen=True, repr=False)
class Deep(Shorthand):
    """The deep kernel of a level: Gaussian densities of distances in the previous level's feature space.

        d²(i, j) = K(i, i) − 2 K(i, j) + K(j, j),   K⁺(i, j) = exp(−d² / 2h²) / (√(2π) h),
        h = (1/n²) Σ_{i,j} d(i, j)  over the training rows, the zero diagonal included

    Level 0 is the given kernel; each level is made from the one before. On new rows the
    bandwidths are those of the training rows.

    Parameters: level, an integer from 0 to 50; bandwidths, None for the heuristic or a tuple of
    one h > 0 per level, in which None asks for the heuristic at that level. Raises
    ParameterError outside these, DegenerateError where all training rows coincide (h = 0).

    Wang, "The Application of Deep Kernel Machines to Various Types of Data", Waterloo 2011,
    eqs. 2.15–2.18.

    >>> import numpy as np
    >>> from kernlib import Linear
    >>> Deep(Linear(), level=1, bandwidths=(1.0,))(np.array([[0.0], [1.0]])).round(4)
    array([[0.3989, 0.242 ],
           [0.242 , 0.3989]])
    """

    level: int = whole(1, r"\ell", "number of levels; 0 is the given kernel", 0, 8, minimum=0, maximum=_MAX_LEVEL)
    bandwidths: tuple[float | None, ...] | None = param(
        None,
        kind="other",
        symbol="h",
        help="bandwidth of each level; None: the mean distance (2.18)",
        convert=floats,
        check=_bad_bandwidths,
        heuristic="mean pairwise distance in feature space",
    )

    formula: ClassVar[str] = (
        r"k^{+}(x,x') = \frac{e^{-\delta^2/2h^2}}{\sqrt{2\pi}\,h},\quad {\delta^2=k(x,x)-2k(x,x')+k(x',x')}"
    )
    source: ClassVar[str] = "[K] eqs. 2.15–2.18"
    cost: ClassVar[str] = "O(ℓ n²)"
    kind = "matrix"
    level_step = "distances"
    telling = "level"
    stops = MappingProxyType({"level": tuple(range(7))})

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.bandwidths is not None and len(self.bandwidths) < self.level:
            raise ParameterError(
                f"Deep: bandwidths must hold one value per level; expected {self.level}, got "
                f"{len(self.bandwidths)}. Add the missing ones, or None for the heuristic."
            )

    @property
    def given(self) -> tuple[float | None, ...]:
        """Return the user's bandwidth of each level up to this one, None where the heuristic decides."""
        return (None,) * self.level if self.bandwidths is None else self.bandwidths[: self.level]

    @property
    def learnt_bandwidths(self) -> tuple[float, ...]:
        """Return h of every level as used on new rows; NotFittedError before `fit`."""
        if not self.fitted:
            self.require_fitted("learnt_bandwidths")
        bandwidths: list[float] = []
        level = self.stands_for
        for _ in range(self.level):
            assert isinstance(level, Level)
            bandwidths.insert(0, level.used)
            level = level.kernel
        return tuple(bandwidths)

    def chip(self) -> str:
        return f"level {self.level}"

    def expanded(self) -> Kernel:
        made = self.kernel
        for h in self.given:
            made = Level(made, h)
        return made


@dataclass(frozen=True, repr=False)
class Level(MatrixStep):
    """One level over a kernel: the recurrence of `Deep`, once. `bandwidth` None asks for the heuristic."""

    bandwidth: float | None = None

    def chip(self) -> str:
        return f"level {self.number}"

    @property
    def learns_itself(self) -> bool:
        return self.bandwidth is None

    @property
    def used(self) -> float:
        """Return h, given or learnt."""
        return float(self.state if self.bandwidth is None else self.bandwidth)

    def row_facts(self, side: Side) -> Array:
        return side.d

    def fit_to_matrix(self, K: Array, facts: Array, y: Array | None, train: Array) -> tuple[Self, Array]:
        d2 = squared_distances(K, facts[:, None], facts, self.kernel.rounding)
        fitted = self.with_state(mean_distance(d2, self.number, self._noise(facts))) if self.learns_itself else self
        return fitted, gaussian_level(d2, fitted.used)

    def learn_from_tiles(self, tiles: Tiles, facts: Array, y: Array | None, n: int) -> float:
        total = 0.0
        for (rows, columns), K in tiles():
            d = np.sqrt(squared_distances(K, facts[rows, None], facts[columns], self.kernel.rounding))
            total += float(d.sum()) * (1 if rows == columns else 2)
        return bandwidth(total / n**2, n, self.number, self._noise(facts))

    def _noise(self, d: Array) -> float:
        """Return the largest rounding error of d² between rows with these k(x, x)."""
        return 2.0 * ROUNDING * self.kernel.rounding * float(np.abs(d).max())

    def new_matrix(self, K: Array, fx: Array, fy: Array) -> Array:
        return gaussian_level(squared_distances(K, fx[:, None], fy, self.kernel.rounding), self.used)

    def new_diagonal(self, side: Side, facts: Array) -> Array:
        return np.full_like(facts, peak(self.used))

    @property
    def number(self) -> int:
        """Return how many levels there are up to this one."""
        return self.kernel.number + 1 if isinstance(self.kernel, Level) else 1
