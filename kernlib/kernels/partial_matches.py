"""Pairs of words that agree in some of their places, and sums over all pairs of the value of this agreement."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np

from ..numerics.sizes import block_size
from ..values.arrays import Array
from .words import Letters, Marks, Sums, Words, windows_of, words_at

#: Pairs of windows compared at once.
_COMPARED = 1 << 20
# Measured nanoseconds: to code one gapped word, to multiply a pair of equal words, to do so and compare further
# letters, to compare a letter of two windows, to look up and add the value of a pair.
_WORD_NS, _EQUAL_NS, _LOOKED_AT_NS, _LETTER_NS, _LOOKUP_NS = 40.0, 4.0, 8.0, 0.3, 3.0
# For one entry of a table: to count into it, to multiply it, to substitute one letter of one word.
_TABLE_NS, _TABLE_PRODUCT_NS, _STEP_NS = 1.0, 0.02, 1.5
#: Most bytes of the features of all words over the alphabet.
_FEATURE_BYTES = 1 << 27
#: Further letters that are compared when words are equal in some: their values are in a table of 2^(2 · 7 + 1).
_REFINED = 7
#: Whole numbers below it are exact in a float64, with room for a sum.
_EXACT = 2**46
#: The same for a float32.
_EXACT_SINGLE = 2.0**23


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


def exact(weights: list[int]) -> bool:
    """Return whether the weighted sum, which has terms of both signs, loses nothing in float64."""
    return sum(abs(w) * comb(len(weights) - 1, j) for j, w in enumerate(weights)) < _EXACT


def pays_by_patterns(words: int, pairs: float, length: int) -> bool:
    """Return whether coding this number of gapped words costs less than comparing this number of window pairs."""
    return bool(words * _WORD_NS < pairs * (length * _LETTER_NS + _LOOKUP_NS) + 1e6)


class Plan(NamedTuple):
    """The cheapest way to sum over patterns: the expected `nanoseconds`, and how.

    `by_features`: by Φ itself; else patterns of fewer than `base` places as spectra, one by one, and all others by
    comparing pairs of words that are equal in `base` places.
    """

    nanoseconds: float
    by_features: bool
    base: int


def plan(x: Letters, y: Letters | None, length: int, mismatches: int) -> Plan | None:
    """Return the cheapest sum over patterns; None where comparing window pairs is cheaper, or a sum is not exact."""
    weights = pattern_weights(shared_neighbours(length, mismatches, x.size))
    if not exact(weights):
        return None
    other = y or x
    windows = [float(np.maximum(side.lengths - length + 1, 0).sum()) for side in (x, other)]
    pairs = windows[0] * windows[1] / (2 if y is None else 1)
    n, m = len(x.lengths), len(other.lengths)
    rows, products = (n, n * m / 2) if y is None else (n + m, n * m)
    words = windows[0] if y is None else sum(windows)
    share = [
        np.bincount(side.codes[side.codes >= 0], minlength=x.size) / max(1, len(side.codes)) for side in (x, other)
    ]
    chance = float(share[0] @ share[1])  # that two letters agree

    def spectrum(j: int) -> float:
        as_table = rows * x.size**j * _TABLE_NS + products * x.size**j * _TABLE_PRODUCT_NS
        return float(2 * words * _WORD_NS + min(pairs * chance**j * _EQUAL_NS, as_table))

    ways = []
    features = x.size**length
    if 8 * rows * features * (mismatches + 1) <= _FEATURE_BYTES:
        steps = length * mismatches + 1
        ways.append((words * _WORD_NS + features * (rows * steps * _STEP_NS + products * _TABLE_PRODUCT_NS), True, 0))
    needed = [j for j, w in enumerate(weights) if w and j]
    for base in range(max(min(needed, default=1), length - _REFINED), length + 2):
        spectra = sum(comb(length - 1, j - 1) * spectrum(j) for j in needed if j < base)
        looks = comb(length - 1, base - 1) if base <= length else 0
        ways.append((spectra + looks * (2 * words * _WORD_NS + pairs * chance**base * _LOOKED_AT_NS), False, base))
    best = Plan(*min(ways))
    return best if best.nanoseconds < pairs * (length * _LETTER_NS + _LOOKUP_NS) + 1e6 else None


def gram_by_features(x: Letters, y: Letters | None, length: int, mismatches: int) -> Array:
    """Return ⟨Φ(s), Φ(t)⟩ with Φ_u for all words u over the alphabet."""
    sides = (x,) if y is None else (x, y)
    F = [_features(side, length, mismatches) for side in sides]
    # No partial sum exceeds the largest k(s, s), by Cauchy and Schwarz: below 2²⁴ single precision is exact.
    if max(float(np.einsum("ij,ij->j", f, f).max(initial=0.0)) for f in F) < _EXACT_SINGLE:
        F = [f.astype(np.float32) for f in F]
    return np.asarray(F[0].T @ F[-1], dtype=np.float64)


def _features(letters: Letters, length: int, mismatches: int) -> Array:
    """Return Φ of every string, a column each."""
    at, many = windows_of(letters, length)
    n, size = len(many), letters.size**length
    places = np.zeros(len(at), dtype=np.int64)
    for place in range(length):
        places *= letters.size
        places += letters.codes[at + place]
    places *= n
    places += np.repeat(np.arange(n), many)
    # Words at exactly 0, 1, … m letters from u: letter by letter, each is kept or becomes any other.
    counts = np.bincount(places, minlength=n * size).astype(np.float64)
    away = [counts] + [np.zeros(n * size) for _ in range(mismatches)]
    for place in range(length):
        shape = letters.size**place, letters.size, letters.size ** (length - 1 - place) * n
        for r in range(mismatches, 0, -1):
            nearer, farther = away[r - 1].reshape(shape), away[r].reshape(shape)
            farther += nearer.sum(axis=1, keepdims=True)
            farther -= nearer
    for one in away[1:]:
        counts += one
    return counts.reshape(size, n)


def gram_by_patterns(x: Letters, y: Letters | None, length: int, mismatches: int, base: int) -> Array:
    """Return Σ_j w_j G_j: spectra of the words restricted to every set of j places.

    Sets that are shifts of each other have the same words except at a string's ends. So a shape is counted once, times
    its number of shifts, and the words that a shift lacks are subtracted. For sets of `base` places and more, pairs of
    words equal in the first `base` places are evaluated once, with the value of all larger sets.
    """
    weights = pattern_weights(shared_neighbours(length, mismatches, x.size))
    sides = (x,) if y is None else (x, y)
    sums = Sums(len(x.lengths), None if y is None else len(y.lengths))
    covered: dict[int, list[_Covered]] = {}
    for j in range(1, min(base, length) + 1):
        for others in combinations(range(1, length), j - 1) if j == base or weights[j] else ():
            shape = (0, *others)
            shifts = length - shape[-1]
            if shifts not in covered:
                covered[shifts] = [_covered(side, length, shifts) for side in sides]
            if j < base:
                _by_shape(sides, shape, shifts, covered[shifts], sums, weights[j])
            else:
                _with_larger(sides, shape, length, covered[shifts], sums, weights[base:])
    K = sums.matrix()
    if weights[0]:  # every two words agree in no place
        counts = [windows_of(side, length)[1].astype(np.float64) for side in sides]
        K += weights[0] * np.outer(counts[0], counts[-1])
    return K


class _Covered(NamedTuple):
    """The words that at least one shift covers.

    `at` are their start positions, `counts` their numbers per string; `shifts` (shifts, words) says which shifts cover
    which words.
    """

    at: Array
    counts: Array
    shifts: Array


def _covered(letters: Letters, length: int, shifts: int) -> _Covered:
    at, _ = windows_of(letters, length)
    window = np.zeros(len(letters.codes), dtype=bool)
    window[at] = True
    # A shift t covers the word at p where a whole window begins at p − t.
    by_shift = np.zeros((shifts, len(window)), dtype=bool)
    for t in range(min(shifts, len(window))):
        by_shift[t, t:] = window[: len(window) - t]
    words = np.flatnonzero(by_shift.any(axis=0))
    row_of = np.repeat(np.arange(len(letters.lengths)), letters.lengths)
    return _Covered(words, np.bincount(row_of[words], minlength=len(letters.lengths)), by_shift[:, words])


def _by_shape(
    sides: Sequence[Letters], shape: tuple[int, ...], shifts: int, covered: Sequence[_Covered], sums: Sums, weight: int
) -> None:
    """Add the spectra through all shifts of a shape to the sums, each with this weight."""
    words = words_at(sides, [(s.at, s.counts) for s in covered], shape)
    other = words[1] if len(words) > 1 else None
    sums.add(words[0], other, weight * shifts)
    if shifts > 1:
        # C counts all words, C_t = C − D_t those that shift t covers, so Σ_t C_t C_t' = shifts C C' − C D' − D C' +
        # Σ_t D_t D_t' with D = Σ_t D_t, the few words near a string's ends or an unknown letter.
        uncovered = [_uncovered(w, s) for w, s in zip(words, covered, strict=True)]
        sums.add(words[0], uncovered[-1][0], -weight)
        if other is not None:
            sums.add(uncovered[0][0], other, -weight)
        sums.add(uncovered[0][1], None if other is None else uncovered[1][1], weight)


def _uncovered(words: Words, covered: _Covered) -> tuple[Words, Words]:
    """Return every word as often as shifts do not cover it; and the same with another code for every shift."""
    shifts = len(covered.shifts)
    word, shift = np.nonzero(~covered.shifts.T)
    codes = words.codes[word]
    counts = np.bincount(words.row_of[word], minlength=len(words.counts))
    apart = codes.astype(np.int64) * shifts + shift
    return Words(codes, counts, words.size), Words(apart, counts, words.size * shifts)


def _with_larger(
    sides: Sequence[Letters],
    shape: tuple[int, ...],
    length: int,
    covered: Sequence[_Covered],
    sums: Sums,
    weights: list[int],
) -> None:
    """Add the spectra through all shifts of a shape, and of all sets that extend it, to the sums.

    Every set of places has one beginning of this many, so a pair of words that are equal through the shape is
    worth, for every shift t that covers both, g(e) = Σ_r w_r C(e, r), where e of that window's further letters agree.
    """
    shifts, further = length - shape[-1], length - 1 - shape[-1]
    g = np.array([sum(w * comb(e, r) for r, w in enumerate(weights)) for e in range(further + 1)])
    # By bits: which shifts see both words, and above them which further letters agree.
    index = np.arange(1 << (shifts + further))
    value = np.zeros(len(index), dtype=np.int64)
    for t in range(shifts):
        inside = (index >> shifts) & ((1 << (further - t)) - 1)
        value += ((index >> t) & 1) * g[np.bitwise_count(inside)]
    usual = (1 << shifts) - 1
    bits = np.uint8 if len(index) <= 2**8 else np.uint16
    words = words_at(sides, [(s.at, s.counts) for s in covered], shape)
    letter = np.uint8 if sides[0].size < 2**8 else np.int32
    marks = []
    for side, s in zip(sides, covered, strict=True):
        mask: Array = np.zeros(len(s.at), dtype=bits)
        for t in range(shifts):
            mask = mask | (s.shifts[t].astype(bits) << bits(t))
        # Letters beyond the text, and unknown letters, are in no window that a shift covers.
        ahead = [side.codes.astype(letter).take(s.at + shape[-1] + 1 + r, mode="clip") for r in range(further)]
        marks.append([*([mask] if shifts > 1 else []), *ahead])
    more = value - value[usual]

    def odd(pairs: list[tuple[Array, Array]]) -> tuple[Array, Array]:
        agreeing = pairs[1:] if shifts > 1 else pairs
        shared = pairs[0][0] & pairs[0][1] if shifts > 1 else np.ones(len(pairs[0][0]), dtype=bits)
        for r, (a, b) in enumerate(agreeing):
            shared |= (a == b).astype(bits) << bits(shifts + r)
        places = np.flatnonzero(shared != usual)
        return places, more[shared[places]]

    some = Marks(list(zip(marks[0], marks[-1], strict=True)), odd) if marks[0] else None
    sums.pair(words[0], words[1] if len(words) > 1 else None, int(value[usual]), some)
    if len(sides) == 1 and some is not None:  # a word agrees with itself in all further letters
        mask = marks[0][0] if shifts > 1 else np.ones(len(covered[0].at), dtype=bits)
        sums.once(words[0], more[np.bitwise_or(mask, ((1 << further) - 1) << shifts)])


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
