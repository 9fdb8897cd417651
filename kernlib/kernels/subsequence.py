"""The subsequence kernel: words that two strings share, with gaps, which reduce the weight."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..core.base import Kernel
from ..errors import ParameterError
from ..numerics.blocks import block_size
from ..values.arrays import Array
from ..values.declare import floats, param, weights_problem, whole
from .words import Letters, over_pairs, read_letters, warn_too_short

#: Most bytes of the explicit features of one evaluation; more are computed in blocks of rows.
_FEATURE_BYTES = 1 << 26
#: Bytes of a block of rows whose growing features stay in the cache while a string is read.
_GROWING_BYTES = 1 << 22
#: Entries of one table of the dynamic programme: a handful of tables stays in a core's second-level cache.
_TABLE_ENTRIES = 1 << 17
#: Features for every pair of letters of two strings, up to which products of features cost less than the recursion.
_FEATURES_A_CELL = 16


@dataclass(frozen=True, repr=False)
class Subsequence(Kernel):
    """Common words of n letters, gaps allowed; each letter spanned multiplies by λ.

        Φ_u(s) = Σ_{i: s(i)=u} λ^{l(i)},  l(i) = i_n − i_1 + 1
        k_n(s, t) = Σ_{u ∈ Σⁿ} Φ_u(s) Φ_u(t)

    Parameters: order n, an integer from 1; decay λ, 0 < λ ≤ 1, the weight of every letter that a
    word spans; weights None, or (c_1, …, c_n) with c_i ≥ 0 for Σ_i c_i k_i. Letters are
    code points; a string shorter than n has no word, so its values are 0 (with a warning if all strings are shorter).

    Evaluated by explicit features (one recursion over each string, one matrix product) where
    |Σ|ⁿ is small beside |s||t|, else by the dynamic programme over all pairs at once; the values are the same.
    Besides the result it allocates at most 64 MB of features, or tables that fit the cache.

    Raises ParameterError for a parameter outside its range, DomainError for rows that are not strings.

    Lodhi et al., JMLR 2002, section 3; [O] 4.1 (n = 3, λ = ¼); [D].

    The words 'at' and 'ct' are in both, adjacent (λ²) in one string and stretched (λ³) in the other.

    >>> Subsequence(order=2, decay=0.5)(["act", "cat"]) * 64
    array([[9., 4.],
           [4., 9.]])
    """

    order: int = whole(3, "n", "letters in a word; long words make the diagonal large", 1, 8, minimum=1, maximum=64)
    decay: float = param(
        0.25,
        symbol=r"\lambda",
        help="weight per letter spanned; 1: gaps cost nothing",
        low=0.05,
        high=1.0,
        step=0.05,
        minimum=0.0,
        open_minimum=True,
        maximum=1.0,
    )
    weights: tuple[float, ...] | None = param(
        None,
        kind="other",
        symbol="c",
        help="weights of the orders 1 … n; none: order n alone",
        quiet=True,
        low=0.0,
        high=1.0,
        each="order",
        convert=floats,
        check=weights_problem("numbers c_1 … c_order", "weights=(1.0, 1.0, 1.0) for order=3"),
    )

    domain = "sequence"
    formula = (
        r"\sum_{u\in\Sigma^n}\;\sum_{\mathbf{i}:\,s(\mathbf{i})=u}\;\sum_{\mathbf{j}:\,t(\mathbf{j})=u}"
        r"\lambda^{l(\mathbf{i})+l(\mathbf{j})}"
    )
    source = "[O] 4.1, [D]"
    cost = "O(N(n|s||Σ|ⁿ⁻¹ + N|Σ|ⁿ)) or O(N²n|s||t|) for N strings, the cheaper one"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.weights is not None and len(self.weights) != self.order:
            raise ParameterError(
                f"Subsequence: weights must hold one number for each order from 1 to order={self.order}; got "
                f"{len(self.weights)}. Try weights={(1.0,) * self.order!r}, or None for order {self.order} alone."
            )

    def chip(self) -> str:
        tail = "" if self.weights is None else f", c={self.weights!r}"
        return f"Subsequence({self.order}, {self.decay:g}{tail})"

    def order_weights(self) -> tuple[float, ...]:
        """Return (c_1, …, c_n)."""
        return self.weights or (*(0.0 for _ in range(self.order - 1)), 1.0)

    def gram(self, X: Array, Y: Array | None) -> Array:
        x, y = read_letters(X, Y)
        c = self.order_weights()
        shortest = next(n for n, cn in enumerate(c, 1) if cn)
        warn_too_short("Subsequence", f"order={self.order}", shortest, x, y)
        way = gram_by_features if few_features(x, y, c) else gram_by_programme
        return way(x, y, Y is None, self.decay, c)

    def gram_diag(self, X: Array) -> Array:
        x, _ = read_letters(X)
        out = np.empty(len(X))
        order = np.argsort(x.lengths, kind="stable")
        for rows in _blocks(order, max(1, block_size(_TABLE_ENTRIES) // max(1, x.longest))):
            codes = x.padded(rows, -1).T
            out[rows] = programme(codes, np.where(codes < 0, -2, codes), self.decay, self.order_weights())
        return out


# -- the explicit map ------------------------------------------------------------------------


def few_features(x: Letters, y: Letters, c: tuple[float, ...]) -> bool:
    """Return whether explicit features are few beside the cells of the recursion's table, and fit into memory."""
    width = _width(x.size, c)
    cells = float(x.lengths.mean()) * float(y.lengths.mean())
    return 16 * width <= block_size(_FEATURE_BYTES) and width <= _FEATURES_A_CELL * cells


def gram_by_features(x: Letters, y: Letters, same: bool, decay: float, c: tuple[float, ...]) -> Array:
    """Return ⟨Φ(s), Φ(t)⟩ for all rows by one matrix product, or one for each pair of blocks of rows."""
    n, m = len(x.lengths), len(y.lengths)
    K = np.empty((n, m))
    step = max(1, block_size(_FEATURE_BYTES) // (16 * max(1, _width(x.size, c))))
    for i in range(0, n, step):
        first = features(x, np.arange(i, min(i + step, n)), decay, c)
        for j in range(i if same else 0, m, step):
            # No name for the other features: they would stay while the next ones grow.
            own = same and i == j
            block = first @ (first if own else features(y, np.arange(j, min(j + step, m)), decay, c)).T
            K[i : i + step, j : j + step] = block
            if same and not own:
                K[j : j + step, i : i + step] = block.T
    return K


def features(x: Letters, rows: Array, decay: float, c: tuple[float, ...]) -> Array:
    """Return √c_n Φ_u(s) for all words u of the orders with c_n > 0, (rows, features).

    Q_n holds the words begun before the letter at hand, each at λ^(distance to its first letter);
    reading a appends it: Φ_n[a·] += Q_{n−1}, Q_n ← λ(Q_n + Q_{n−1} at [a·]). The letter read last
    is the leading index, so that appending touches one run of memory.
    """
    out = np.zeros((len(rows), _width(x.size, c)))
    # Longest first: the strings that still have a letter at position p are then the first ones.
    place = np.argsort(-x.lengths[rows], kind="stable")
    ends = np.cumsum([x.size**n if cn else 0 for n, cn in enumerate(c, 1)])
    for part in _blocks(place, max(1, block_size(_GROWING_BYTES) // (8 * max(1, out.shape[1])))):
        block = np.zeros((len(part), out.shape[1]))
        views = [block[:, ends[n - 1] - x.size**n : ends[n - 1]] if cn else None for n, cn in enumerate(c, 1)]
        _grow(x.padded(rows[part], -1), x.lengths[rows[part]], views, x.size, decay)
        for cn, view in zip(c, views, strict=True):
            if view is not None and cn != 1.0:
                view *= math.sqrt(cn)
        out[part] = block
    return out


def _grow(codes: Array, lengths: Array, views: list[Array | None], size: int, decay: float) -> None:
    order, b = len(views), len(codes)
    begun = [np.full((b, 1), decay)] + [np.zeros((b, size, size ** (n - 1))) for n in range(1, order)]
    into = [None if f is None else f.reshape(b, size, size ** (n - 1)) for n, f in enumerate(views, 1)]
    for p in range(codes.shape[1]):
        active = int(np.count_nonzero(lengths > p))
        rows = np.arange(active)
        letter = codes[:active, p].astype(np.intp)
        if (letter < 0).any():
            rows, letter = rows[letter >= 0], letter[letter >= 0]
        for n in range(order, 0, -1):
            words = begun[n - 1].reshape(b, size ** (n - 1))[rows]
            target = into[n - 1]
            if target is not None:
                target[rows, letter] += words
            if n < order:
                begun[n][rows, letter] += words
                begun[n][:active] *= decay


def _width(size: int, c: tuple[float, ...]) -> int:
    return sum(size**n for n, cn in enumerate(c, 1) if cn)


# -- the dynamic programme -------------------------------------------------------------------


def gram_by_programme(x: Letters, y: Letters, same: bool, decay: float, c: tuple[float, ...]) -> Array:
    """Return the Gram matrix by the recursion over pairs of strings."""
    return over_pairs(x, None if same else y, _TABLE_ENTRIES, lambda s, t: programme(s, t, decay, c))


def programme(s: Array, t: Array, decay: float, c: tuple[float, ...]) -> Array:
    """Return Σ_n c_n k_n(s_j, t_j) for P pairs at once: codes (|s|, P) and (|t|, P), values (P,).

    W_1[p, q] = [s_p = t_q],  W_n[p, q] = [s_p = t_q] Σ_{p'<p, q'<q} λ^{p−p'+q−q'} W_{n−1}[p', q']
    k_n = λ² Σ_{p,q} W_n[p, q]

    which is the k', k'' recursion of Lodhi et al. with the damping of the last letter taken out of
    the sums. Rows p are read one by one; `before[n]` is the sum over p' of the row at hand.
    """
    order, (length, pairs) = len(c), t.shape
    # |t| rounded up to pieces of equal length, the rest equal to no letter.
    piece = max(1, math.isqrt(max(0, length - 1)) + 1)
    pieces = -(-length // piece)
    letters = np.full((pieces * piece, pairs), -2, dtype=t.dtype)
    letters[:length] = t
    total = np.zeros(letters.shape)
    before = [np.zeros(letters.shape) for _ in range(order - 1)]
    agree, damped, term = np.empty(letters.shape), np.empty(letters.shape), np.empty(letters.shape)
    for letter in np.ascontiguousarray(s):
        agree[...] = letters == letter
        for n in range(order, 0, -1):
            if n == 1:
                w = agree
            else:
                _damped_before(before[n - 2].reshape(pieces, piece, pairs), decay, damped, term)
                w = np.multiply(damped, agree, out=damped)
            if c[n - 1] == 1.0:
                total += w
            elif c[n - 1]:
                total += np.multiply(w, c[n - 1], out=term)
            if n < order:
                before[n - 1] += w
                before[n - 1] *= decay
    return np.asarray(decay**2 * total.sum(axis=0))


def _damped_before(R: Array, decay: float, out: Array, scratch: Array) -> None:
    """Write Σ_{q'<q} λ^{q−q'} R[q'] for every q into `out`; R is (pieces, piece, P), q runs over the first two axes.

    First within all pieces at once, then from each piece to the next, so that the loops have 2√|t| iterations. A
    triangular matrix product does the same in one line, but many small products stall where BLAS threads wait for a
    busy core.
    """
    V, T = out.reshape(R.shape), scratch.reshape(R.shape)
    V[:, 0] = 0.0
    for j in range(1, R.shape[1]):
        np.add(V[:, j - 1], R[:, j - 1], out=V[:, j])
        V[:, j] *= decay
    if len(R) > 1:
        handed = T[:, 0]
        np.add(V[:, -1], R[:, -1], out=handed)
        handed *= decay
        for i in range(1, len(R)):
            handed[i] += decay ** R.shape[1] * handed[i - 1]
        for j in range(R.shape[1]):
            V[1:, j] += decay**j * handed[:-1]


def _blocks(rows: Array, step: int) -> Iterator[Array]:
    return (rows[i : i + step] for i in range(0, len(rows), step))
