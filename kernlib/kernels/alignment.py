"""Strings against each other letter by letter: the score of the best local alignment, and the edit distance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..core.base import Kernel
from ..values.arrays import Array
from ..values.declare import param, positive
from .words import alphabet_of, over_pairs, read_letters

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

    domain = "sequence"
    formula = (
        r"\max_{p,q} H_{pq},\quad "
        r"H_{pq}=\max\big(0,\;H_{p-1,q-1}+\mathrm{score}(s_p,t_q),\;H_{p-1,q}+g,\;H_{p,q-1}+g\big)"
    )
    source = "[O] 4.2 note 14"
    cost = "O(N²|s||t|) for N strings"
    psd = False

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


@dataclass(frozen=True, repr=False)
class EditDistance(Kernel):
    """An exponential of the edit distance: a natural similarity, and not positive semi-definite.

        k(s, t) = exp(−γ d(s, t)),  d the fewest letters put in, taken out or replaced (Levenshtein)

    Distances between strings are not distances between points, so that the matrix may have negative eigenvalues; the
    doctor says so, and `Repaired` or `Empirical` make a kernel of it. Two empty strings are equal.

    Parameters: gamma γ > 0; a large one lets only equal strings agree. Raises ParameterError otherwise, DomainError
    for rows that are not strings.

    Levenshtein 1966; Neuhaus and Bunke, "Edit distance-based kernel functions", Pattern Recognition 2006.

    >>> EditDistance(gamma=1.0)(["cat", "cart", ""]).round(4)  # distances 1, 3 and 4
    array([[1.    , 0.3679, 0.0498],
           [0.3679, 1.    , 0.0183],
           [0.0498, 0.0183, 1.    ]])
    """

    gamma: float = positive(0.1, r"\gamma", "a large one lets only equal strings agree", 0.001, 10.0)

    domain = "sequence"
    psd = False
    formula = r"\exp(-\gamma\, d(s,t)),\quad d\ \text{the edit distance}"
    source = "Neuhaus and Bunke 2006"
    cost = "O(N²|s||t|) for N strings"

    def gram(self, X: Array, Y: Array | None) -> Array:
        return np.asarray(np.exp(-self.gamma * edit_distances(X, Y)))

    def gram_diag(self, X: Array) -> Array:
        return np.ones(len(X))


def edit_distances(X: Array, Y: Array | None = None) -> Array:
    """Return the Levenshtein distance of every string of X to every one of Y, or of X, (n, m).

    >>> edit_distances(np.array(["kitten", "sitting", ""], dtype=object))
    array([[0., 3., 6.],
           [3., 0., 7.],
           [6., 7., 0.]])
    """
    # With all letters in the alphabet, a code below 0 is padding.
    letters = alphabet_of(X if Y is None else np.concatenate([X, Y]))
    x, y = read_letters(X, Y, letters)
    return over_pairs(x, None if Y is None else y, _TABLE_ENTRIES, _distances)


def _distances(s: Array, t: Array) -> Array:
    """Return the distances of P pairs at once, from codes (|s|, P) and (|t|, P) that are below 0 after a string's end.

    Row i of the table holds d(s_{1…i}, t_{1…j}) for all j. Letters put in along t are a running minimum of d − j.
    """
    lengths, ends = (s >= 0).sum(axis=0), (t >= 0).sum(axis=0)
    places = np.arange(len(t) + 1.0)[:, None]
    row = np.repeat(places, t.shape[1], axis=1)
    pairs = np.arange(t.shape[1])
    found = row[ends, pairs]  # of an empty string: all letters of the other
    for i, letter in enumerate(s, start=1):
        replaced = row[:-1] + (t != letter)
        row = row + 1.0
        np.minimum(row[1:], replaced, out=row[1:])
        row = np.minimum.accumulate(row - places, axis=0) + places
        done = lengths == i
        found[done] = row[ends[done], pairs[done]]
    return np.asarray(found)
