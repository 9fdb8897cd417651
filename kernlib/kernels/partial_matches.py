"""Pairs of words that agree in some of their places, and sums over all pairs of the value of this agreement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from math import comb

import numpy as np

from ..numerics.sizes import block_size
from ..values.arrays import Array
from .words import Letters, windows_of

#: Pairs of windows compared at once.
_COMPARED = 1 << 20
#: Words that are counted at once, of as many patterns.
_WORDS = 1 << 19
#: Coding the words of a pattern costs as much as comparing every window with this many others.
_COMPARISONS = 16
#: Whole numbers below it are exact in a float64, with room for a sum.
_EXACT = 2**46


def shared_neighbours(length: int, mismatches: int, letters: int) -> list[int]:
    """Return f(e) for e = 0 … k: how many words lie within m letters of two words that agree in e letters.

    Where the two differ, h = k − e places, u agrees with the first in i of them, with the second in
    j, with neither in the rest, (|Σ| − 2) choices each; where they agree it differs from both in r:
    f = Σ h!/(i! j! (h−i−j)!) (|Σ|−2)^{h−i−j} C(e, r) (|Σ|−1)^r over h − i + r ≤ m, h − j + r ≤ m.

    >>> shared_neighbours(5, 1, 20)
    [0, 0, 0, 2, 20, 96]
    """
    counts = []
    for e in range(length + 1):
        h = length - e
        total = 0
        for r in range(min(e, mismatches) + 1):
            fewest = max(0, h + r - mismatches)
            ways = sum(
                comb(h, i) * comb(h - i, j) * (letters - 2) ** (h - i - j)
                for i in range(fewest, h + 1)
                for j in range(fewest, h - i + 1)
            )
            total += ways * comb(e, r) * (letters - 1) ** r
        counts.append(total)
    return counts


def pattern_weights(shared: list[int]) -> list[int]:
    """Return w_j with f(e) = Σ_j w_j C(e, j), by binomial inversion: w_j = Σ_e (−1)^{j−e} C(j, e) f(e).

    >>> pattern_weights([0, 0, 0, 2, 20, 96])
    [0, 0, 0, 2, 12, 16]
    """
    return [sum((-1) ** (j - e) * comb(j, e) * shared[e] for e in range(j + 1)) for j in range(len(shared))]


def patterns(length: int, weights: list[int], windows: int) -> Iterator[tuple[Sequence[Sequence[int]], float]]:
    """Yield sets of j places with their weight w_j, of that many windows as many at once as memory allows."""
    for j, weight in enumerate(weights):
        if weight:
            sets = combinations(range(length), j)
            while some := list(islice(sets, max(1, block_size(_WORDS) // max(1, windows)))):
                yield some, float(weight)


def pays_by_patterns(weights: list[int], windows: int) -> bool:
    """Return whether counting the words of all patterns is exact, and cheaper than comparing with so many windows."""
    number = sum(comb(len(weights) - 1, j) for j, w in enumerate(weights) if w)
    # The weighted sum has terms of both signs.
    exact = sum(abs(w) * comb(len(weights) - 1, j) for j, w in enumerate(weights)) < _EXACT
    return exact and number * _COMPARISONS <= windows


def gram_by_pairs(x: Letters, y: Letters | None, length: int, mismatches: int) -> Array:
    """Return Σ f(agreeing letters) over all pairs of windows."""
    values = np.array(shared_neighbours(length, mismatches, x.size), dtype=np.float64)
    other = x if y is None else y
    (at, counts), (other_at, other_counts) = (windows_of(side, length) for side in (x, other))
    K = np.zeros((len(counts), len(other_counts)))
    row_of = np.repeat(np.arange(len(counts)), counts)
    filled = np.flatnonzero(other_counts)
    if not len(at) or not len(filled):
        return K
    firsts = (np.cumsum(other_counts) - other_counts)[filled]
    small = np.int16 if x.size < 2**15 else np.int32
    a, b = x.codes.astype(small), other.codes.astype(small)
    places = np.arange(length)
    A, B = a[at + places[:, None]], b[other_at + places[:, None]]
    step = max(1, block_size(_COMPARED) // len(other_at))
    for i in range(0, len(at), step):
        agreeing = np.zeros((min(step, len(at) - i), len(other_at)), dtype=np.uint8)
        for p in range(length):
            agreeing += A[p, i : i + step, None] == B[p]
        by_string = np.add.reduceat(values[agreeing], firsts, axis=1)
        rows = row_of[i : i + step]
        begins = np.flatnonzero(np.diff(rows, prepend=-1))
        K[np.ix_(rows[begins], filled)] += np.add.reduceat(by_string, begins, axis=0)
    if y is None:  # whole numbers, symmetric already unless they exceed what float64 holds exactly
        K = np.triu(K) + np.triu(K, 1).T
    return K
