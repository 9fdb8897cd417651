"""Deep kernels, level by level: a Gaussian density in feature space, or a layer of infinite width."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Self

import numpy as np

from ..core.base import Kernel, owned
from ..core.folding import Fold, Shared, folded
from ..core.steps import MatrixStep, RowStep, Shorthand, Side, Tiles
from ..errors import ParameterError
from ..numerics.blocks import change_tiles
from ..numerics.distances import ROUNDING, bandwidth, gaussian_level, gaussian_levels, peak, squared_distances
from ..values.arrays import Array
from ..values.declare import floats, one_of, ordinary, param, positive, whole

_MAX_LEVEL = 50


def _bad_bandwidths(value: Any) -> str | None:
    if value is None or (isinstance(value, tuple) and all(h is None or (ordinary(h) and h > 0) for h in value)):
        return None
    return (
        f"must be None or a tuple of one finite number above 0, or None, per level; got {value!r}. Try bandwidths=None"
    )


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

    formula = r"k^{+}(x,x') = \frac{e^{-\delta^2/2h^2}}{\sqrt{2\pi}\,h},\quad {\delta^2=k(x,x)-2k(x,x')+k(x',x')}"
    source = "[K] eqs. 2.15–2.18"
    cost = "O(ℓ n²)"
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

    def fold_rows(self, train: Array, test: Array | None, y: Array | None, shared: Shared | None = None) -> Fold:
        levels = [self]
        while shared is None and isinstance(below := levels[0].kernel, Level):
            levels.insert(0, below)
        fold = folded(levels[0].kernel, train, test, y, shared)
        first = levels[0].with_kernel(fold.kernel)
        K = owned(fold.K)
        lengths = K.diagonal().copy()
        K, used = gaussian_levels(K, lengths, [one.bandwidth for one in levels], first.number, fold.kernel.rounding)
        kernel, K_star, k_diag = fold.kernel, fold.K_star, fold.k_diag
        if K_star is not None:
            K_star = owned(K_star)
        for one, h in zip(levels, used, strict=True):
            kernel = one.with_kernel(kernel).with_state(h) if one.learns_itself else one.with_kernel(kernel)
            if K_star is not None and k_diag is not None:
                K_star = kernel.new_matrix(K_star, k_diag, lengths)
                k_diag, lengths = np.full_like(k_diag, peak(h)), np.full_like(lengths, peak(h))
        return Fold(kernel, K, K_star, k_diag)

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


class Layers(MatrixStep):
    """Several layers over a kernel, each a function of two rows' lengths and of the angle between them.

    A subclass implements `layers`.
    """

    level: int
    level_step = "angles"

    def layers(self, K: Array, dx: Array, dy: Array) -> Iterator[Array]:
        """Yield the values of every layer from 0 on, given k of pairs and k(x, x), k(y, y) of the same shape."""
        raise NotImplementedError

    def correlations(self, variance: float, c: Array) -> tuple[Array, float]:
        """Return where the next layer takes correlations c (m,) of rows with this k(x, x), and its own k(x, x)."""
        raise NotImplementedError

    def scale(self, rows: Array) -> float:
        """Return the factor of the inner kernel's values below the first layer."""
        return 1.0

    def row_facts(self, side: Side) -> Array:
        """Return k(x, x) below the first layer, times `scale`, and `scale` itself, (n, 2)."""
        scale = self.scale(side.rows)
        return np.column_stack([side.d * scale, np.full(len(side.d), scale)])

    def level_matrices(self, K: Array, facts: Array) -> Iterator[Array]:
        """Yield the (n, n) matrices of levels 0 to `level` from that of the kernel inside, which is not changed."""
        yield from self.layers(K * facts[:, 1:], facts[:, :1], facts[:, 0])

    def new_matrix(self, K: Array, fx: Array, fy: Array) -> Array:
        def last_layer(rows: slice, columns: slice, tile: Array) -> None:
            tile *= fx[rows, 1:]
            *_, values = self.layers(tile, fx[rows, :1], fy[columns, 0])
            tile[...] = values

        return change_tiles(K, fx is fy, last_layer)

    def new_diagonal(self, side: Side, facts: Array) -> Array:
        *_, values = self.layers(facts[:, 0], facts[:, 0], facts[:, 0])
        return np.array(values)

    @property
    def rounding(self) -> float:
        return (1.0 + self.level) * self.kernel.rounding  # of the value and of the lengths, layer by layer

    @property
    def _blur(self) -> float:
        """Return 1 − c below which a correlation c may be 1 and its difference rounding."""
        return ROUNDING * self.kernel.rounding


def _gaps(K: Array, dx: Array, dy: Array, blur: float) -> tuple[Array, Array]:
    """Return √(k(x, x) k(y, y)) and 1 − c of the correlation c, from 0 to 2, exactly 0 for equal rows.

    A row without length is at a right angle to all others. 1 − c of nearly equal rows has more digits than c.
    """
    size = np.sqrt(np.maximum(dx, 0.0)) * np.sqrt(np.maximum(dy, 0.0))
    gap = np.divide(size - K, size, where=size > 0, out=np.ones_like(size))
    gap[(dx <= 0) & (dy <= 0)] = 0.0
    gap[gap <= blur] = 0.0
    gap[gap >= 2.0 - blur] = 2.0
    return size, gap


def _angle(gap: Array) -> tuple[Array, Array, Array]:
    """Return π − θ, sin θ and cos θ of 1 − cos θ; no digits are lost near 0, as arccos of the cosine would."""
    return np.pi - 2.0 * np.arcsin(np.sqrt(0.5 * gap)), np.sqrt(gap * (2.0 - gap)), 1.0 - gap


@dataclass(frozen=True, repr=False)
class ArcCosine(Layers):
    r"""The arc-cosine kernel: the inner product of two rows after a layer of infinitely many random units.

        k⁺(x, x') = (1/π) (k(x, x) k(x', x'))^{n/2} J_n(θ),  cos θ = k(x, x') / √(k(x, x) k(x', x'))
        J₀ = π − θ,  J₁ = sin θ + (π − θ) cos θ,  J₂ = 3 sin θ cos θ + (π − θ)(1 + 2 cos² θ)

    Order n = 0 has units that are 0 or 1, n = 1 rectified linear units, n = 2 their squares. Several levels are
    several layers. Equal rows have θ = 0 exactly; a row with k(x, x) = 0 is at a right angle to all others.

    Parameters: order n, 0, 1 or 2; level, an integer from 0 to 50. Raises ParameterError outside these,
    DegenerateError where values leave double precision: each layer of order 2 squares k(x, x).

    Cho and Saul, "Kernel Methods for Deep Learning", NIPS 2009, eqs. 1–6.

    >>> from kernlib import Linear
    >>> ArcCosine(Linear(), order=1)([[1.0, 0.0], [0.0, 2.0]]).round(4)
    array([[1.    , 0.6366],
           [0.6366, 4.    ]])
    """

    order: int = whole(
        1, "n", "0: threshold units; 1: rectified linear units; 2: their squares", 0, 2, minimum=0, maximum=2
    )
    level: int = whole(1, r"\ell", "number of layers; 0 is the given kernel", 0, 8, minimum=0, maximum=_MAX_LEVEL)

    formula = r"k^{+}(x,x') = \tfrac{1}{\pi}\,\big(k(x,x)\,k(x',x')\big)^{n/2}\,J_n(\theta)"
    source = "Cho and Saul 2009"
    cost = "O(ℓ n²), one angle per pair of rows and level"

    def chip(self) -> str:
        return f"arc-cosine {self.order}, level {self.level}"

    @property
    def rounding(self) -> float:
        # Threshold units see the angle itself: of rows that nearly agree it is right to the root of the rounding error.
        return math.sqrt(2.0 * self._blur) / ROUNDING if self.level and not self.order else super().rounding

    def layers(self, K: Array, dx: Array, dy: Array) -> Iterator[Array]:
        yield K
        for _ in range(self.level):
            size, gap = _gaps(K, dx, dy, self._blur)
            K = size**self.order * self._shape(gap)
            dx, dy = (np.maximum(d, 0.0) ** self.order * self._shape(np.zeros(1)) for d in (dx, dy))
            yield K

    def _shape(self, gap: Array) -> Array:
        """Return J_n(θ) / π, given 1 − cos θ."""
        rest, sin, cos = _angle(gap)
        if self.order == 0:
            return np.asarray(rest / np.pi)
        if self.order == 1:
            return np.asarray((sin + rest * cos) / np.pi)
        return np.asarray((3.0 * sin * cos + rest * (1.0 + 2.0 * cos**2)) / np.pi)

    def correlations(self, variance: float, c: Array) -> tuple[Array, float]:
        at_0 = float(self._shape(np.zeros(1))[0])
        return self._shape(1.0 - np.clip(c, -1.0, 1.0)) / at_0, float(variance**self.order * at_0)


@dataclass(frozen=True, repr=False)
class InfiniteWidth(Layers):
    r"""A neural network of infinite width: before training (NNGP), or trained by small steps (NTK).

        K⁺ = σ_w² E[φ(u) φ(u')] + σ_b²,  (u, u') ~ N(0, K)            of="nngp"
        Θ⁺ = K⁺ + σ_w² E[φ'(u) φ'(u')] Θ,  Θ = K at level 0           of="ntk"

    Level 0 of `Linear` is σ_w² ⟨x, x'⟩/d + σ_b² for d columns, that of any other kernel the kernel itself. The
    expectations have closed forms: for φ = relu those of `ArcCosine`, for φ = erf
    (2/π) arcsin(2K₁₂ / √((1 + 2K₁₁)(1 + 2K₂₂))). Equal rows have correlation 1 exactly.

    From level to level the correlation of two rows moves to a fixed point. At σ_w² = 2, σ_b² = 0, relu is at the edge
    of chaos: k(x, x) stays, and correlations approach 1 slowly.

    Parameters: level, an integer from 0 to 50; activation "relu" or "erf"; weights σ_w² > 0; biases σ_b² ≥ 0; of
    "nngp" or "ntk". Raises ParameterError outside these, DegenerateError where values leave double precision.

    Lee et al., ICLR 2018, eqs. 4–6; Jacot, Gabriel and Hongler, NeurIPS 2018; Williams, NIPS 1997, for erf; Schoenholz
    et al., ICLR 2017, for the edge of chaos.

    >>> from kernlib import Linear
    >>> InfiniteWidth(Linear(), level=1, biases=0.0)([[1.0, 0.0], [0.0, 2.0]]).round(4)
    array([[1.    , 0.6366],
           [0.6366, 4.    ]])
    """

    level: int = whole(1, r"\ell", "number of hidden layers", 0, 8, minimum=0, maximum=_MAX_LEVEL)
    activation: str = one_of("relu", r"\varphi", "function of each unit", ("relu", "erf"))
    weights: float = positive(
        2.0, r"\sigma_w^2", "variance of the weights; relu is at the edge of chaos at 2", 0.1, 10.0
    )
    biases: float = param(
        0.1,
        symbol=r"\sigma_b^2",
        help="variance of the biases; a large one makes rows more alike",
        low=0.0,
        high=2.0,
        minimum=0.0,
    )
    of: str = one_of("nngp", "K", "nngp: the network before training; ntk: while it is trained", ("nngp", "ntk"))

    formula = (
        r"K^{+} = \sigma_w^2\,\mathbb{E}[\varphi(u)\varphi(u')] + \sigma_b^2,\quad"
        r"\Theta^{+} = K^{+} + \sigma_w^2\,\mathbb{E}[\varphi'(u)\varphi'(u')]\,\Theta"
    )
    source = "Lee et al. 2018, Jacot et al. 2018"
    cost = "O(ℓ n²), one angle per pair of rows and level"

    def chip(self) -> str:
        return f"{self.activation} {self.of.upper()}, level {self.level}"

    #: The number of columns of the rows to which the kernel was bound.
    _columns: int | None = field(default=None, init=False, repr=False)

    @property
    def reads_rows(self) -> bool:
        return self._columns_matter

    @property
    def _columns_matter(self) -> bool:
        """Return whether the kernel inside is an inner product of columns, of which level 0 takes the mean."""
        inner = self.kernel
        while isinstance(inner, RowStep) and not inner.begins_chain:
            inner = inner.kernel
        return inner.sums_columns

    def scale(self, rows: Array) -> float:
        columns = rows.shape[1] if self._columns_matter else self._columns
        return self.weights / columns if columns else 1.0

    def _over_numbers(self, rows: Array) -> Self:
        # A bound kernel has row numbers only: the number of columns is kept.
        return self.with_fields({"_columns": rows.shape[1]}) if self._columns_matter else self

    @property
    def _from_columns(self) -> bool:
        return self._columns_matter or self._columns is not None

    def layers(self, K: Array, dx: Array, dy: Array) -> Iterator[Array]:
        if self._from_columns:
            K, dx, dy = K + self.biases, dx + self.biases, dy + self.biases
        tangent = K
        yield K
        for _ in range(self.level):
            values, derivatives = self._expectations(K, dx, dy)
            dx, dy = (self._expectations(d, d, d)[0] for d in (dx, dy))
            K = values
            if self.of == "ntk":
                tangent = K + derivatives * tangent
            yield tangent if self.of == "ntk" else K

    def _expectations(self, K: Array, dx: Array, dy: Array) -> tuple[Array, Array]:
        """Return K⁺, and σ_w² E[φ'(u) φ'(u')]."""
        size, gap = _gaps(K, dx, dy, self._blur)
        if self.activation == "relu":
            rest, sin, cos = _angle(gap)
            values = size * ((sin + rest * cos) / (2.0 * np.pi))
            derivatives = rest / (2.0 * np.pi)
        else:
            # The determinant of 1 + 2K, as a product without a difference of large numbers.
            twice, dx, dy = 2.0 * size * (1.0 - gap), np.maximum(dx, 0.0), np.maximum(dy, 0.0)
            outer = np.sqrt(1.0 + 2.0 * dx) * np.sqrt(1.0 + 2.0 * dy)
            apart = (1.0 + 2.0 * (dx + dy)) / (outer + 2.0 * size) + 2.0 * size * gap
            root = np.sqrt(apart) * np.sqrt(outer + twice)
            values = 2.0 / np.pi * np.arctan2(twice, root)
            derivatives = 4.0 / np.pi / root
        return self.weights * values + self.biases, self.weights * derivatives

    def correlations(self, variance: float, c: Array) -> tuple[Array, float]:
        d = np.full(np.shape(c), variance)
        values, own = (self._expectations(K, d, d)[0] for K in (d * np.clip(c, -1.0, 1.0), d))
        return values / own, float(own[0])
