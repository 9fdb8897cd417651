"""Pairs of words that agree in some of their places, and sums over all pairs of the value of this agreement."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb

import numpy as np

from ..numerics.blocks import block_size
from ..values.arrays import Array
from .words import (
    EXACT_SINGLE,
    PAIR,
    ByWord,
    Letters,
    Words,
    count_products,
    equal_pairs,
    table_of,
    windows_of,
    words_at,
    words_of,
)

#: Most entries of the tables of all words.
_TABLE = 1 << 25
#: Most words of such tables for each window of an average string.
_WORDS = 32


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


def tables_of_neighbours(sides: Sequence[Letters], length: int, mismatches: int) -> list[Array] | None:
    """Return Φ_u of every string for all words u, (n, |Σ|ᵏ) for each side; None where there are too many words."""
    letters, n = sides[0].size, sum(len(side.lengths) for side in sides)
    size, windows = letters**length, sum(len(windows_of(side, length)[0]) for side in sides)
    if n * size > min(block_size(_TABLE), _WORDS * windows):
        return None
    found = words_of(sides, length)
    if found[0].size != size:
        return None
    half = length // 2
    first, last = (_differing(letters, places) for places in (half, length - half))
    tables = []
    for words in found:
        counts = table_of(words).astype(np.float32 if windows < EXACT_SINGLE else np.float64)
        counts = counts.reshape(-1, len(first), len(last))
        # Exactly r of the letters differ in the first half, the others at most in the second.
        near = [(first == r) @ (counts @ (last <= mismatches - r)) for r in range(mismatches + 1)]
        tables.append(sum(near[1:], near[0]).reshape(len(counts), -1))
    return tables


def _differing(letters: int, length: int) -> Array:
    """Return in how many letters each word of a length differs from each other, (|Σ|ˡ, |Σ|ˡ)."""
    words = np.indices((letters,) * length).reshape(length, letters**length)
    return np.asarray((words[:, :, None] != words[:, None]).sum(axis=0))


def gram_by_shapes(x: Letters, y: Letters | None, weights: list[int]) -> Array:
    """Return Σ_j w_j G_j, from pairs of equal words.

    Sets of places that are shifts of each other, a shape, find the same words W, but for words E_p at the ends of a
    string that the shift p lacks. So Σ_p (W − E_p)(W − E_p)' = cWW' − WD' − DW' + Σ_p E_p E_p', with D = Σ_p E_p.
    """
    length, sides = len(weights) - 1, (x,) if y is None else (x, y)
    windows = [windows_of(side, length) for side in sides]
    total = np.zeros((len(x.lengths), len(sides[-1].lengths)))
    # Of x alone, every pair of places is counted once, above the diagonal or below it.
    K = np.zeros(total.shape, dtype=np.int64)
    once = np.zeros(len(K), dtype=np.int64)
    for last in range(length):
        shifts = length - last
        sizes = [j for j in range(1 + (last > 0), last + 2) if weights[j]]
        if not sizes:
            continue
        begins, lacking = zip(*(_places(*pair, shifts) for pair in zip(sides, windows, strict=True)), strict=True)
        for j in sizes:
            for inner in combinations(range(1, last), j - 1 - (last > 0)):
                shape = sorted({0, *inner, last})
                W = words_at(sides, begins, shape)
                if K.size * W[0].size <= PAIR * equal_pairs(W[0], W[-1]).sum():
                    for p in range(shifts):
                        words = words_at(sides, windows, [p + place for place in shape])
                        total += weights[j] * count_products(words[0], None if y is None else words[1])
                    continue
                by_word = ByWord(W[-1])
                by_word.add_pairs(K, W[0], weights[j] * shifts)
                once += weights[j] * shifts * W[0].counts
                if shifts == 1:
                    continue
                D, E = ([_lacking(*one, apart) for one in zip(W, lacking, strict=True)] for apart in (1, shifts))
                by_word.add_pairs(K, D[0], -weights[j])
                ByWord(E[-1]).add_pairs(K, E[0], weights[j])
                once += weights[j] * E[0].counts
                if y is not None:
                    ByWord(D[1]).add_pairs(K, W[0], -weights[j])
    total += K
    if y is None:
        total += K.T
        total[np.arange(len(K)), np.arange(len(K))] += once
    if weights[0]:
        total += weights[0] * np.multiply.outer(windows[0][1], windows[-1][1])
    return total


def _places(
    letters: Letters, windows: tuple[Array, Array], shifts: int
) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
    """Return where some shift of a window's first letter is, as `windows_of`; and the places and shifts that lack."""
    window = np.zeros(len(letters.codes) + shifts, dtype=bool)  # the last entries stand before the first letter
    window[windows[0]] = True
    found = np.stack([window[np.arange(len(letters.codes)) - p] for p in range(shifts)])
    at = np.flatnonzero(found.any(axis=0))
    counts = np.diff(np.searchsorted(at, [*letters.starts, len(letters.codes)]))
    which, shift = np.nonzero(~found[:, at].T)
    return (at, counts), (which, shift)


def _lacking(words: Words, lacking: tuple[Array, Array], apart: int) -> Words:
    """Return the words that a shift lacks: all alike if `apart` is 1, by shift if it is the number of shifts."""
    which, shift = lacking
    ends = np.searchsorted(which, np.cumsum(words.counts))
    codes = words.codes[which] + shift % apart * np.int64(words.size)
    return Words(codes, np.diff(ends, prepend=0), words.size * apart)
