"""Kernels of time series: alignments that stretch and shrink time, and autocorrelation."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.base import Kernel
from ..core.steps import RowStep
from ..errors import DomainError
from ..numerics.blocks import block_size, over_tiles, same_rows
from ..numerics.linalg import finite_lengths
from ..values.arrays import Array
from ..values.declare import positive, whole
from .vectors import RBF

#: Entries of an anti-diagonal of many pairs: its few arrays stay in a core's second-level cache.
_ENTRIES = 1 << 15
#: So many anti-diagonals multiply values at most by 3^256 ≈ 10^122.
_RESCALED = 256
#: Values per series, and series, from which the median distance is estimated.
_SAMPLED = 20, 100

#: Values of pairs from padded series (|s|, P, c) and (|t|, P, c) and their lengths (P,).
Values = Callable[[Array, Array, Array, Array], Array]


@dataclass(frozen=True, repr=False)
class GlobalAlignment(Kernel):
    r"""The normalised sum over all alignments of two series: series of one shape at another pace are similar.

        k(x, x') = g(x, x') / √(g(x, x) g(x', x'))
        g(x, x') = Σ_π Π_{(i, j) ∈ π} κ(x_i, x'_j),   κ = ω_{ij} e^{−d} / (2 − ω_{ij} e^{−d}),
        d = ‖x_i − x'_j‖² / 2σ²,   ω_{ij} = max(0, 1 − |i − j| / band), 1 without band

    π runs over all alignments: paths from the first pair of times to the last, each step forward in one series or in
    both. g of long series exceeds any float; it is computed with its logarithm, and k is finite for any length.

    Parameters: sigma σ > 0, in the units of the values: about the median distance of two values times the root of the
    length; band, None or the number of times T ≥ 1 by which an alignment may shift: k of series whose lengths differ by
    T or more is 0. Raises ParameterError otherwise, DomainError for series with different numbers of channels.

    Cuturi, Fast global alignment kernels, ICML 2011, equations 2, 6 and 9.

    >>> GlobalAlignment(sigma=1.0)([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0, 0.0], [1.0, 1.0]]).round(4)
    array([[1.    , 0.7473, 0.2052],
           [0.7473, 1.    , 0.0614],
           [0.2052, 0.0614, 1.    ]])
    """

    sigma: float = positive(
        1.0,
        r"\sigma",
        "width: distance within which two values match",
        0.01,
        1000.0,
        heuristic="median distance of two values times the root of the median length",
    )
    band: int | None = whole(
        None, "T", "times by which an alignment may shift at most", 1, 100, minimum=1, choices=(None,)
    )

    domain = "series"
    formula = r"\frac{g(x,x')}{\sqrt{g(x,x)\,g(x',x')}},\quad g(x,x') = \sum_{\pi}\prod_{(i,j)\in\pi}\kappa(x_i, x'_j)"
    source = "Cuturi 2011, eq. 2, 6 and 9"
    cost = "O(n² l²) for series of length l"

    def heuristics(self, X: Any) -> dict[str, float]:
        return {"sigma": alignment_width(self.checked_rows(X))}

    def gram(self, X: Array, Y: Array | None) -> Array:
        Y = None if same_rows(X, Y) else Y
        left = self._own(X)
        right = left if Y is None else self._own(Y)
        K = _over_pairs(X, Y, self._logarithms)
        K -= 0.5 * (left[:, None] + right)
        np.exp(K, out=K)
        if Y is None:
            np.fill_diagonal(K, 1.0)
        return K

    def gram_diag(self, X: Array) -> Array:
        return np.ones(len(X))

    def _own(self, X: Array) -> Array:
        """Return log g(x, x) of each row, (n,), 0 or more; DegenerateError for values that are too large for σ."""
        return finite_lengths(_row_by_row(X, self._logarithms), self)

    def _logarithms(self, s: Array, t: Array, s_lengths: Array, t_lengths: Array) -> Array:
        """Return log g of P pairs, anti-diagonal by anti-diagonal, each relative to a common factor of the pair.

        On an anti-diagonal i + j is constant, so that all its cells follow at once from the two before. A cell whose
        value is below 10^−308 of the largest on its anti-diagonal counts as 0; k would change by less than 10^−150.
        """
        n, pairs = s.shape[:2]
        scale = 1.0 / (math.sqrt(2.0) * self.sigma)
        now, last, before = (np.zeros((n + 2, pairs)) for _ in range(3))  # the cell i stands at i + 1
        last[0] = 0.0
        before[0] = 1.0
        logs, result = np.zeros(pairs), np.empty(pairs)
        ends = _ends(s_lengths, t_lengths)
        with np.errstate(over="ignore"):
            for k, (first, stop, w) in enumerate(_diagonals(s * scale, t * scale)):
                np.exp(w, out=w)
                if self.band is None:
                    w *= 2.0
                else:
                    apart = np.abs(2 * np.arange(first, stop) - k)
                    with np.errstate(divide="ignore"):
                        w *= (2.0 / np.maximum(0.0, 1.0 - apart / self.band))[:, None]
                w -= 1.0
                cell = now[first + 1 : stop + 1]
                np.add(last[first + 1 : stop + 1], last[first:stop], out=cell)
                cell += before[first:stop]
                cell /= w
                now[first] = now[stop + 1] = 0.0
                for p in ends.get(k, ()):
                    value = now[s_lengths[p], p]
                    result[p] = logs[p] + math.log(value) if value > 0 else -np.inf
                if k % _RESCALED == _RESCALED - 1:
                    largest = now.max(axis=0)
                    largest[largest == 0] = 1.0
                    now /= largest
                    last /= largest
                    logs += np.log(largest)
                now, last, before = before, now, last
        return result


@dataclass(frozen=True, repr=False)
class DynamicTimeWarping(Kernel):
    r"""A Gaussian of the dynamic time warping distance: the best alignment alone counts. Not always valid.

        k(x, x') = exp(−γ D(x, x')²),   D(x, x')² = min_π Σ_{(i, j) ∈ π} ‖x_i − x'_j‖²

    The minimum over alignments is no inner product: the Gram matrix may have negative eigenvalues. `GlobalAlignment`
    sums over all alignments instead, and is valid.

    Parameters: gamma γ > 0, one over the units of the values squared. Raises ParameterError otherwise, DomainError for
    series with different numbers of channels.

    Sakoe and Chiba, IEEE Transactions on Acoustics, Speech, and Signal Processing 26, 1978.

    >>> DynamicTimeWarping(gamma=1.0)([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0, 0.0], [1.0, 1.0]]).round(4)
    array([[1.    , 1.    , 0.1353],
           [1.    , 1.    , 0.0498],
           [0.1353, 0.0498, 1.    ]])
    """

    gamma: float = positive(
        0.1,
        r"\gamma",
        "how fast similarity falls with the squared distance",
        1e-4,
        100.0,
        heuristic="one over the median squared distance",
    )

    domain = "series"
    formula = r"\exp\!\Big(-\gamma \min_{\pi}\sum_{(i,j)\in\pi}\lVert x_i - x'_j\rVert^2\Big)"
    source = "Sakoe and Chiba 1978"
    cost = "O(n² l²) for series of length l"
    psd = False

    def heuristics(self, X: Any) -> dict[str, float]:
        rows = self.checked_rows(X)[: _SAMPLED[0]]
        apart = warping_distances(rows)[np.triu_indices(len(rows), k=1)]
        middle = float(np.median(apart)) if len(apart) else 0.0
        return {"gamma": 1.0 / middle if middle > 0 else 1.0}

    def gram(self, X: Array, Y: Array | None) -> Array:
        K = warping_distances(X, Y)
        K *= -self.gamma
        return np.asarray(np.exp(K, out=K))

    def gram_diag(self, X: Array) -> Array:
        return np.ones(len(X))


@dataclass(frozen=True, repr=False)
class Autocorrelation(Kernel):
    r"""The inner product of autocorrelations: series with the same rhythm are similar, wherever it starts.

        k(x, x') = (1 / c) Σ_{channels} Σ_{l=0}^{L} r_l(x) r_l(x'),
        r_l(x) = Σ_t (x_t − x̄)(x_{t+l} − x̄) / Σ_t (x_t − x̄)²

    A constant channel has r = 0, and so has a lag beyond the series.

    Parameters: lags L ≥ 1. Raises ParameterError otherwise, DomainError for series with different numbers of channels.

    Box and Jenkins, Time Series Analysis, 1970, equation 2.1.7.

    >>> Autocorrelation(lags=2)([[1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0], [0.0, 0.0, 1.0, 1.0]]).round(4)
    array([[1.8125, 1.8125, 0.5625],
           [1.8125, 1.8125, 0.5625],
           [0.5625, 0.5625, 1.3125]])
    """

    lags: int = whole(10, "L", "longest lag", 1, 50, minimum=1, maximum=10000)

    domain = "series"
    formula = r"\sum_{l=0}^{L} r_l(x)\,r_l(x')"
    source = "Box and Jenkins 1970, eq. 2.1.7"
    cost = "O(n l L + n² L) for series of length l"

    def checked_rows(self, X: Any) -> Array:
        rows = super().checked_rows(X)
        _same_channels(rows)
        return rows

    def require_same_columns(self, X: Array, Y: Array) -> None:
        _same_channels(X, Y)

    def factor_rows(self, X: Array) -> Array:
        """Return r of each channel one after another, over √c, (n, c (L + 1))."""
        return np.array([self._of(row.values) for row in X])

    def _of(self, values: Array) -> Array:
        largest = np.abs(values).max(axis=0)
        values = values / np.where(largest > 0, largest, 1.0)  # so that no sum leaves double precision
        centred = values - values.mean(axis=0)
        centred[:, np.abs(centred).max(axis=0) <= _FLAT] = 0.0
        r = np.zeros((self.lags + 1, values.shape[1]))
        for lag in range(min(self.lags + 1, len(values))):
            r[lag] = (centred[: len(values) - lag] * centred[lag:]).sum(axis=0)
        r /= np.where(r[0] > 0, r[0], 1.0)
        return np.asarray(r.T.ravel() / math.sqrt(values.shape[1]))


@dataclass(frozen=True, repr=False)
class Sampled(RowStep):
    """A kernel on vectors that reads time series, each at a fixed number of times spread evenly over its length.

        k_φ(x, x') = k(φ(x), φ(x')),  φ: the values at `times` places, linearly between two times, channel by channel

    With times = None the series are read as they are: they must have one length.

    Parameters: kernel, any kernel on vectors; times, None or at least 2. Raises ParameterError otherwise, DomainError
    for a kernel that does not read vectors, and without `times` for series of different lengths.

    Usual practice: any vector kernel on series of one length.

    >>> from kernlib import Linear
    >>> Sampled(Linear(), times=3)([[0.0, 2.0], [1.0, 1.0, 1.0, 1.0]])
    array([[5., 3.],
           [3., 3.]])
    """

    kernel: Kernel = dataclasses.field(default_factory=RBF)
    times: int | None = whole(
        None,
        "t",
        "times at which each series is read; None reads series of one length as they are",
        2,
        200,
        minimum=2,
        maximum=100000,
        choices=(None,),
    )

    domain = "series"
    begins_chain = True
    formula = r"k(\varphi(x),\,\varphi(x'))"
    source = "usual practice"
    cost = "the kernel's own, on as many columns as times"
    inside = ("vector", "any", "row")
    instead = "use it without this step, or take Sampled(RBF())."

    def chip(self) -> str:
        return "time by time" if self.times is None else f"{self.times} times"

    def require_same_columns(self, X: Array, Y: Array) -> None:
        for one in (self.map_rows(X[:1]), self.map_rows(Y[:1])):
            if one.shape[1] != self.map_rows(X[:1]).shape[1]:
                raise DomainError(
                    "Sampled: X and Y have series of different lengths or channels; expected the same. Give times a "
                    "number, e.g. times=50."
                )

    def map_rows(self, X: Array) -> Array:
        """Return the values at the same places of every series, (n, times · c)."""
        _same_channels(X)
        length = X[0].length if self.times is None else self.times
        for i, row in enumerate(X):
            if self.times is None and row.length != length:
                raise DomainError(
                    f"Sampled: expected series of one length; row 0 has {length} times and row {i} has {row.length}. "
                    "Give times a number, e.g. times=50, or take GlobalAlignment, which reads any lengths."
                )
        return np.array([_at(row.values, length) for row in X])


def _at(values: Array, times: int) -> Array:
    """Return the values at evenly spread times, channel by channel."""
    if len(values) != times:
        here = np.linspace(0.0, len(values) - 1.0, times)
        values = np.column_stack([np.interp(here, np.arange(len(values)), channel) for channel in values.T])
    return np.asarray(values.T.ravel())


#: A channel that varies by less than this share of its values is constant but for rounding.
_FLAT = 1e-13


def warping_distances(X: Array, Y: Array | None = None) -> Array:
    """Return the squared dynamic time warping distances of all pairs, (n, m), of series of equally many channels."""
    Y = None if same_rows(X, Y) else Y
    K = _over_pairs(X, Y, _warped)
    if Y is None:
        np.fill_diagonal(K, 0.0)
    return K


def _warped(s: Array, t: Array, s_lengths: Array, t_lengths: Array) -> Array:
    """Return D² of P pairs, anti-diagonal by anti-diagonal."""
    n, pairs = s.shape[:2]
    now, last, before = (np.full((n + 2, pairs), np.inf) for _ in range(3))
    before[0] = 0.0
    result, ends = np.empty(pairs), _ends(s_lengths, t_lengths)
    with np.errstate(over="ignore"):
        for k, (first, stop, w) in enumerate(_diagonals(s, t)):
            cell = now[first + 1 : stop + 1]
            np.minimum(last[first + 1 : stop + 1], last[first:stop], out=cell)
            np.minimum(cell, before[first:stop], out=cell)
            cell += w
            now[first] = now[stop + 1] = np.inf
            for p in ends.get(k, ()):
                result[p] = now[s_lengths[p], p]
            now, last, before = before, now, last
    return result


def best_alignment(x: Array, y: Array) -> Array:
    """Return the pairs of times (m, 2) of the best alignment of two series, (n, c) and (n', c), from first to last.

    >>> best_alignment(np.array([[0.0], [1.0]]), np.array([[0.0], [0.0], [1.0]])).tolist()
    [[0, 0], [0, 1], [1, 2]]
    """
    cost = ((x[:, None] - y) ** 2).sum(axis=2)
    total = np.full((len(x) + 1, len(y) + 1), np.inf)
    total[0, 0] = 0.0
    for k in range(sum(cost.shape) - 1):
        down = np.arange(max(0, k - len(y) + 1), min(len(x), k + 1))
        over = k - down
        before = np.minimum(np.minimum(total[down, over], total[down, over + 1]), total[down + 1, over])
        total[down + 1, over + 1] = cost[down, over] + before
    i, j = cost.shape
    path = []
    while i and j:
        path.append((i - 1, j - 1))
        step = int(np.argmin((total[i - 1, j - 1], total[i - 1, j], total[i, j - 1])))
        i, j = i - (step != 2), j - (step != 1)
    return np.array(path[::-1], dtype=np.intp)


def alignment_width(X: Array) -> float:
    """Return the usual width of `GlobalAlignment`: the median distance of two values times √(median length).

    The distances are those of evenly spaced values of evenly spaced series, so that the width is the same on every run.
    """
    from scipy.spatial.distance import pdist

    most, series = _SAMPLED
    rows = [X[i] for i in np.unique(np.linspace(0, len(X) - 1, series).astype(int))]
    points = np.concatenate([r.values[np.unique(np.linspace(0, r.length - 1, most).astype(int))] for r in rows])
    points = points[np.unique(np.linspace(0, len(points) - 1, 600).astype(int))]
    distances = pdist(points)
    middle = float(np.median(distances)) if len(distances) else 0.0
    return middle * math.sqrt(float(np.median([r.length for r in X]))) or 1.0


def _diagonals(s: Array, t: Array) -> Iterator[tuple[int, int, Array]]:
    """Yield the rows from first to stop of each anti-diagonal, and ‖s_i − t_j‖² there, ∞ beyond 10^308, (rows, P).

    `s` and `t` are (times, P), or (times, P, c) of several channels; the array is overwritten by the next one.
    """
    (n, pairs), m = s.shape[:2], len(t)
    t = np.ascontiguousarray(t[::-1])
    work = np.empty((n, pairs))
    room = work if s.ndim == 2 else np.empty(s.shape)
    for k in range(n + m - 1):
        first, stop = max(0, k - m + 1), min(n, k + 1)
        w, apart = work[: stop - first], room[: stop - first]
        np.subtract(s[first:stop], t[m - 1 - k + first : m - 1 - k + stop], out=apart)
        if s.ndim == 2:
            np.multiply(apart, apart, out=w)
        else:
            np.einsum("lpc,lpc->lp", apart, apart, out=w)
        yield first, stop, w


def _ends(s_lengths: Array, t_lengths: Array) -> dict[int, Array]:
    """Return the pairs whose last cell lies on an anti-diagonal, by the number of the anti-diagonal."""
    last = s_lengths + t_lengths - 2
    return {int(k): np.flatnonzero(last == k) for k in np.unique(last)}


def _over_pairs(X: Array, Y: Array | None, values: Values) -> Array:
    """Return the values of all pairs, (n, m), tile by tile; series of similar length are evaluated together."""
    _same_channels(X, *(() if Y is None else (Y,)))
    other = X if Y is None else Y
    by_x, by_y = (np.argsort([row.length for row in side], kind="stable") for side in (X, other))
    longest = max(row.length for row in X)

    def evaluate(rows: slice, columns: slice, out: Array) -> None:
        a, b = [X[i] for i in by_x[rows]], [other[j] for j in by_y[columns]]
        (s, n), (t, m) = _padded(a), _padded(b)
        across = np.repeat(np.arange(len(a)), len(b)), np.tile(np.arange(len(b)), len(a))
        # `take` keeps the order of the cells in memory, which an index by an array turns round: half of the time.
        pairs = s.take(across[0], axis=1), t.take(across[1], axis=1)
        out[...] = values(*pairs, n[across[0]], m[across[1]]).reshape(out.shape)

    K = np.empty((len(X), len(other)))
    tile = max(1, math.isqrt(block_size(_ENTRIES) // longest))
    K[np.ix_(by_x, by_y)] = over_tiles(len(X), None if Y is None else len(other), evaluate, tile, longest**2)
    return K


def _row_by_row(X: Array, values: Values) -> Array:
    """Return the values of the pairs (x, x), (n,)."""
    order = np.argsort([row.length for row in X], kind="stable")
    result = np.empty(len(X))
    step = max(1, block_size(_ENTRIES) // max(row.length for row in X))
    for start in range(0, len(X), step):
        rows = order[start : start + step]
        s, n = _padded([X[i] for i in rows])
        result[rows] = values(s, s, n, n)
    return result


def _padded(rows: list[Any]) -> tuple[Array, Array]:
    """Return series as (longest, P), or (longest, P, c) of several channels, and their lengths (P,)."""
    lengths = np.array([row.length for row in rows])
    out = np.zeros((lengths.max(), len(rows), rows[0].channels))
    for p, row in enumerate(rows):
        out[: row.length, p] = row.values
    return (out[:, :, 0] if out.shape[2] == 1 else out), lengths


def _same_channels(*sides: Array) -> None:
    """Raise DomainError unless all series have equally many channels."""
    channels = sides[0][0].channels
    for row, one in ((i, series) for side in sides for i, series in enumerate(side)):
        if one.channels != channels:
            raise DomainError(
                f"Series: expected {channels} channels in every row, as in row 0; row {row} has {one.channels}. Leave "
                "the others out, or add the missing channel."
            )
