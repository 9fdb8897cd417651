"""Local alignment: the best-matching stretch of two strings, gaps allowed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.base import Kernel
from ..values.arrays import Array
from ..values.declare import param
from ..values.domains import Domain
from .letters import over_pairs, read_letters

#: Entries of one table: a few tables stay in a core's second-level cache.
_TABLE_ENTRIES = 1 << 15


@dataclass(frozen=True, repr=False)
class Alignment(Kernel):
    """Smith–Waterman scores: the best local alignment of two strings, gaps allowed.

        H_{p,q} = max(0, H_{p−1,q−1} + score(s_p, t_q), H_{p−1,q} + gap, H_{p,q−1} + gap),
        k(s, t) = max_{p,q} H_{p,q}

    score is `match` for equal letters and `mismatch` for different ones; a gap costs the same for
    each letter that it leaves out. The similarity is symmetric, but not an inner product: the matrix may have
    negative eigenvalues. Empirical(Alignment()) is a kernel: each row is the vector of its scores against the training
    rows (the pairwise score map).

    Parameters: match > 0; mismatch ≤ 0 and gap ≤ 0 are scores too, so they are added. Empty strings
    score 0.

    Raises ParameterError for a parameter outside its range, DomainError for rows that are not strings.

    Smith and Waterman, J. Mol. Biol. 1981; [O] 4.2 note 14; Liao and Noble 2002.

    Four letters of 'gatta' and 'gatca' match, one does not: 4·2 − 1.

    >>> Alignment(match=2.0, mismatch=-1.0, gap=-1.0)(["gatta", "gatca", "c"])
    array([[10.,  7.,  0.],
           [ 7., 10.,  2.],
           [ 0.,  2.,  2.]])
    """

    match: float = param(
        2.0,
        symbol=r"s_{=}",
        help="score of two equal letters",
        low=0.1,
        high=10.0,
        step=0.1,
        minimum=0.0,
        open_minimum=True,
    )
    mismatch: float = param(
        -1.0,
        symbol=r"s_{\ne}",
        help="score of two different letters, 0 or below",
        low=-10.0,
        high=0.0,
        step=0.1,
        maximum=0.0,
    )
    gap: float = param(
        -1.0, symbol="g", help="score of each letter in a gap, 0 or below", low=-10.0, high=0.0, step=0.1, maximum=0.0
    )

    domain: ClassVar[Domain] = "sequence"
    formula: ClassVar[str] = (
        r"\max_{p,q} H_{pq},\quad "
        r"H_{pq}=\max\big(0,\;H_{p-1,q-1}+\mathrm{score}(s_p,t_q),\;H_{p-1,q}+g,\;H_{p,q-1}+g\big)"
    )
    source: ClassVar[str] = "[O] 4.2 note 14"
    cost: ClassVar[str] = "O(N²|s||t|) for N strings"
    psd: ClassVar[bool] = False

    def gram(self, X: Array, Y: Array | None) -> Array:
        x, y = read_letters(X, Y)
        return over_pairs(x, None if Y is None else y, _TABLE_ENTRIES, self._scores)

    def _scores(self, s: Array, t: Array) -> Array:
        """Return the scores of P pairs at once, from codes (|s|, P) and (|t|, P), letter by letter of s.

        Within a row of H the gap along t is H_{p,q} = max_{q' ≤ q} (T_{q'} + (q − q') gap), T the maximum
        of the other three: gaps of 0 or 1, then up to 3, then up to 7, and so on. Padding equals no letter. Since
        `mismatch` ≤ 0 and `gap` ≤ 0, a padded cell is at most the largest of its three neighbours, so padding does not
        change the maximum.
        """
        length, pairs = t.shape
        before, row = np.zeros((length + 1, pairs)), np.zeros((length + 1, pairs))
        best = np.zeros((length + 1, pairs))
        shifted = np.empty_like(row)
        score = np.empty((length, pairs))
        t = np.ascontiguousarray(t)
        for letter in np.ascontiguousarray(s):
            np.multiply(t == letter, self.match - self.mismatch, out=score)
            score += self.mismatch
            score += before[:-1]
            np.add(before, self.gap, out=row)
            np.maximum(row, 0.0, out=row)
            np.maximum(row[1:], score, out=row[1:])
            reach = 1
            while reach <= length:
                np.add(row[:-reach], reach * self.gap, out=shifted[reach:])
                np.maximum(row[reach:], shifted[reach:], out=row[reach:])
                reach *= 2
            np.maximum(best, row, out=best)
            before, row = row, before
        return np.asarray(best.max(axis=0))

    def gram_diag(self, X: Array) -> Array:
        # The whole string against itself: no other alignment matches more letters.
        return self.match * np.fromiter(map(len, X), dtype=np.float64, count=len(X))
