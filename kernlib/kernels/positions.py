"""Kernels on strings of one length, compared position by position."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..core.base import Kernel
from ..errors import ParameterError
from ..numerics.blocks import block_size, over_tiles
from ..values.arrays import Array
from ..values.declare import floats, param, weights_problem, whole
from .words import Letters, read_letters, require_one_length, warn_too_short

#: Rows of a tile of pairs; its few counters stay in a core's second-level cache.
_TILE = 256
#: Entries that a tile's window of matches may have; wide windows get smaller tiles.
_WINDOW_ENTRIES = 1 << 22


@dataclass(frozen=True, repr=False)
class WeightedDegree(Kernel):
    """Weighted count of words of up to d letters at the same position; strings of equal length.

        k(s, t) = Σ_{j=1}^{d} w_j Σ_{i=1}^{N−j+1} 1[s_i…s_{i+j−1} = t_i…t_{i+j−1}],  w_j = d − j + 1

    At the end of a stretch of r agreeing letters min(r, d) words end, so one pass over the N places suffices.

    Parameters: degree d, an integer from 1. The source lets i run to N − d only; here it runs over
    every window that fits, so that no word is longer than N.

    Raises ParameterError for a degree outside its range, DomainError for strings of different lengths.

    [R] 'A Domain Specific Kernel'; Rätsch and Sonnenburg 2004.

    Two letters and one pair agree: 2·2 + 1·1.

    >>> WeightedDegree(degree=2)(["ACG", "ACT"])
    array([[8., 5.],
           [5., 8.]])
    """

    degree: int = whole(3, "d", "length of the longest word; longer words weigh less", 1, 20, minimum=1, maximum=1000)

    domain = "sequence"
    formula = r"\sum_{j=1}^{d}{(d-j+1)}\sum_{i=1}^{N-j+1}\mathbf 1[s_i^j{=}t_i^j],\quad {s_i^j=s_i\dots s_{i+j-1}}"
    source = "[R] A Domain Specific Kernel"
    cost = "O(n²N), whatever the degree"

    def gram(self, X: Array, Y: Array | None) -> Array:
        x, y, a, b = read_aligned("WeightedDegree", X, Y)
        warn_too_short("WeightedDegree", f"degree={self.degree}", 1, x, y, advice="Give strings with letters")
        return _over_tiles(a, None if Y is None else b, self._tile)

    def _tile(self, a: Array, b: Array) -> Array:
        d = self.degree
        run = np.zeros((len(a), len(b)), dtype=np.int16 if d <= 180 else np.int32)  # d(d + 1) < 2¹⁵
        twice = np.zeros(run.shape, dtype=np.int32 if a.shape[1] * d * (d + 1) < 2**31 else np.int64)
        ends = np.empty_like(run)
        for p in range(a.shape[1]):
            run += 1
            np.minimum(run, d, out=run)
            run *= a[:, p, None] == b[:, p]
            # Σ_{j ≤ r} (d − j + 1) = r (2d + 1 − r) / 2
            np.subtract(2 * d + 1, run, out=ends)
            ends *= run
            twice += ends
        return twice / 2.0

    def gram_diag(self, X: Array) -> Array:
        x, _, _, _ = read_aligned("WeightedDegree", X, None)
        N, d = x.longest, self.degree
        return np.full(len(X), float(sum((d - j + 1) * (N - j + 1) for j in range(1, min(d, N) + 1))))


def _window(default: int, what: str) -> Any:
    return whole(default, r"\ell", f"{what} on each side of the window's centre", 0, 20, minimum=0, maximum=500)


def _correlations(default: int) -> Any:
    return whole(default, "d_1", "power of each window: correlations within a window", 1, 8, minimum=1, maximum=32)


def _window_weights(what: str) -> Any:
    return param(
        None,
        kind="other",
        symbol="v",
        help=f"weights of the window's {what}; none: larger near the centre",
        quiet=True,
        convert=floats,
        check=weights_problem("2ℓ + 1 numbers", "weights=(1.0, 2.0, 1.0) for window=1"),
    )


@dataclass(frozen=True, repr=False)
class _Windowed(Kernel):
    """Common part of the locality-improved kernels: agreement in a window that slides over both strings."""

    window: int = _window(4, "positions")
    d1: int = _correlations(4)
    d2: int = whole(1, "d_2", "power of the sum: correlations between windows", 1, 4, minimum=1, maximum=16)
    weights: tuple[float, ...] | None = _window_weights("positions")

    domain = "sequence"
    #: The number of letters that are compared at once.
    compared: ClassVar[int] = 1
    source = "[D] Locality-Improved Kernels"
    cost = "O(n²Nℓ)"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.weights is not None and len(self.weights) != 2 * self.window + 1:
            raise ParameterError(
                f"{type(self).__name__}: weights must hold 2·window + 1 = {2 * self.window + 1} numbers; got "
                f"{len(self.weights)}. Give one for each place of the window, or None."
            )

    def chip(self) -> str:
        tail = "" if self.weights is None else f", v={self.weights!r}"
        return f"{type(self).__name__}({self.window}, {self.d1}, {self.d2}{tail})"

    def window_weights(self) -> Array:
        j = np.arange(-self.window, self.window + 1)
        return self.window + 1.0 - np.abs(j) if self.weights is None else np.array(self.weights)

    def _planes(self, x: Letters, a: Array, b: Array) -> list[tuple[Array, Array]]:
        """Return pairs of matrices of codes, (n, places) and (m, places), that are compared place by place."""
        raise NotImplementedError

    def gram(self, X: Array, Y: Array | None) -> Array:
        name = type(self).__name__
        x, y, a, b = read_aligned(name, X, Y)
        advice = f"Give strings of {self.compared} letters at least"
        warn_too_short(name, f"window={self.window}", self.compared, x, y, advice=advice)
        v = self.window_weights()
        K = np.zeros((len(a), len(b)))
        for left, right in self._planes(x, a, b):
            K += _over_tiles(left, None if Y is None else right, lambda s, t: _sliding(s, t, v, self.d1), len(v))
        return np.asarray(K**self.d2) if self.d2 != 1 else K

    def gram_diag(self, X: Array) -> Array:
        x, _, a, _ = read_aligned(type(self).__name__, X, None)
        v, planes = self.window_weights(), self._planes(x, a[:1], a[:1])
        one = sum(float(_sliding(s[:1], s[:1], v, self.d1)[0, 0]) for s, _ in planes)
        return np.full(len(X), np.float64(one) ** self.d2)  # a string agrees with itself everywhere


@dataclass(frozen=True, repr=False)
class LocalityImprovedSequence(_Windowed):
    """Matches weighted by windows: neighbouring matches count more; strings of equal length.

        win_p(s, t) = (Σ_{j=−ℓ}^{ℓ} v_j match_{p+j}(s, t))^{d1},  match_q = 1[s_q = t_q]
        k(s, t) = (Σ_{p=1}^{N} win_p(s, t))^{d2}

    Parameters: window ℓ ≥ 0, places on each side of the middle; d1 ≥ 1, correlations within a
    window; d2 ≥ 1, correlations between windows; weights v, 2ℓ + 1 numbers, or None for
    v_j = ℓ + 1 − |j|. The source sums p to ℓ and asks whether that is right; here the window's middle
    runs over every place of the strings, and beyond their ends nothing matches.

    Raises ParameterError for a parameter outside its range, DomainError for strings of different lengths.

    [D] 'DNA Start Codon Recognition' (ℓ = 4, d1 = 4); Zien et al., Bioinformatics 2000.

    Places 1 and 2 match, v = (1, 2, 1): the windows hold 2 + 1, 1 + 2 and 1.

    >>> LocalityImprovedSequence(window=1, d1=2, d2=1)(["ACG", "ACT"])
    array([[34., 19.],
           [19., 34.]])
    """

    formula = r"\Big(\sum_{p=1}^{N}\Big(\sum_{j=-\ell}^{\ell} v_j\,\mathrm{match}_{p+j}(s,t)\Big)^{d_1}\Big)^{d_2}"

    def _planes(self, x: Letters, a: Array, b: Array) -> list[tuple[Array, Array]]:
        return [(a, b)]


@dataclass(frozen=True, repr=False)
class CodonImproved(_Windowed):
    """The locality-improved kernel on triplets in frame (codons); strings of equal length.

        win_p(s, t) = (Σ_{j=−ℓ}^{ℓ} v_j codon_{p+3j}(s, t))^{d1}
        codon_q = 1[s_q s_{q+1} s_{q+2} = t_q t_{q+1} t_{q+2}]
        k(s, t) = (Σ_{p=1}^{N−2} win_p(s, t))^{d2}

    A window compares only triplets in the frame of its middle; the sum over p includes all three frames, since the
    strings do not tell which one is read.

    Parameters: window ℓ ≥ 0, triplets on each side of the middle one; d1 ≥ 1, d2 ≥ 1 and weights
    as in LocalityImprovedSequence. Strings of fewer than three letters have no triplet: zero, with
    a warning.

    Raises ParameterError for a parameter outside its range, DomainError for strings of different lengths.

    [D] 'DNA Start Codon Recognition' (ℓ = 3, d1 = 2); Zien et al., Bioinformatics 2000.

    >>> CodonImproved(window=1, d1=2, d2=1)(["ATGCCC", "ATGCCA"])
    array([[26., 13.],
           [13., 26.]])
    """

    window: int = _window(3, "triplets")
    d1: int = _correlations(2)
    weights: tuple[float, ...] | None = _window_weights("triplets")

    formula = r"\Big(\sum_{p=1}^{N-2}\Big(\sum_{j=-\ell}^{\ell} v_j\,\mathrm{codon}_{p+3j}(s,t)\Big)^{d_1}\Big)^{d_2}"
    compared: ClassVar[int] = 3

    def _planes(self, x: Letters, a: Array, b: Array) -> list[tuple[Array, Array]]:
        base = x.size + 2  # codes begin at −2

        def triplets(codes: Array) -> Array:
            c = codes.astype(np.int64) + 2
            return (c[:, :-2] * base + c[:, 1:-1]) * base + c[:, 2:]

        # Each frame is a string of its own triplets.
        left, right = triplets(a), triplets(b)
        return [(left[:, f::3], right[:, f::3]) for f in range(3)] if a.shape[1] >= 3 else []


def read_aligned(owner: str, X: Array, Y: Array | None) -> tuple[Letters, Letters, Array, Array]:
    """Return X and Y as letters and as matrices of codes (n, N), (m, N); DomainError unless all have one length.

    >>> read_aligned("WeightedDegree", np.array(["ACG", "AC"], dtype=object), None)
    Traceback (most recent call last):
    kernlib.errors.DomainError: WeightedDegree: expected strings of one length; row 0 has 3 letters and row 1 has 2. ...
    """
    x, y = read_letters(X, Y)
    length = int(x.lengths[0])
    require_one_length(owner, x, length)
    require_one_length(owner, y, length, "row" if Y is None else "the second argument's row")
    a = x.padded(np.arange(len(x.lengths)), -1)
    if Y is None:
        return x, y, a, a
    b = y.padded(np.arange(len(y.lengths)), -1)
    b[b == -1] = -2  # letters of one side only equal no letter
    return x, y, a, b


def _over_tiles(a: Array, b: Array | None, work: Callable[[Array, Array], Array], values_per_pair: int = 1) -> Array:
    """Return work(rows of a, rows of b) for all pairs; b None stands for a.

    `values_per_pair` is the number of values of each pair that `work` allocates.
    """
    other = a if b is None else b

    def evaluate(rows: slice, columns: slice, out: Array) -> None:
        out[...] = work(a[rows], other[columns])

    tile = max(1, min(block_size(_TILE), math.isqrt(block_size(_WINDOW_ENTRIES) // max(1, values_per_pair))))
    return over_tiles(len(a), None if b is None else len(b), evaluate, tile)


def _sliding(a: Array, b: Array, v: Array, power: int) -> Array:
    """Return Σ_p (Σ_j v_j [a_{p+j} = b_{p+j}])^power for all pairs of rows; only a window of matches is held."""
    width, half, N = len(v), len(v) // 2, a.shape[1]
    whole = bool((v == v.astype(np.int64)).all()) and v.sum() < 2**15
    kind = np.int16 if whole else np.float64
    ring = np.empty((min(width, max(1, N)), len(a), len(b)), dtype=kind)
    total = np.zeros(ring.shape[1:])
    win, term = np.empty(ring.shape[1:], dtype=kind), np.empty(ring.shape[1:], dtype=kind)
    value = np.empty_like(total)
    known = 0
    for p in range(N):
        while known < min(N, p + half + 1):
            ring[known % len(ring)] = a[:, known, None] == b[:, known]
            known += 1
        win[...] = 0
        for q in range(max(0, p - half), min(N, p + half + 1)):
            np.multiply(ring[q % len(ring)], kind(v[q - p + half]), out=term)
            win += term
        value[...] = win
        for _ in range(power - 1):
            value *= win
        total += value
    return total
