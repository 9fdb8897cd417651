"""The mismatch kernel: words count as well in all words that differ from them in a few letters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..base import Kernel
from ..declare import param
from ..errors import ParameterError
from ..values.arrays import Array
from ..values.domains import Domain
from .letters import Letters, alphabet_of, read_letters, warn_too_short
from .words import Sums, Words, coded_words, count_squares, windows_of, words_of

__all__ = ["Mismatch"]

#: Gapped words that are held at once, 12 bytes each in a sparse matrix.
_GROUP_WORDS = 1 << 20
#: Pairs of windows compared at once.
_COMPARED = 1 << 20
# Measured nanoseconds: to code one gapped word, to multiply a pair of equal ones, to compare a letter
# of two windows, to look up and add the value of a pair.
_WORD_NS, _EQUAL_NS, _LETTER_NS, _LOOKUP_NS = 40.0, 4.0, 0.3, 3.0
#: Whole numbers below it are exact in a float64, with room for a sum.
_EXACT = 2**46


def _alphabet_problem(value: Any) -> str | None:
    if value is None or (isinstance(value, str) and value and len(set(value)) == len(value)):
        return None
    return (
        "must be None, for the letters of the training rows, or a string that names every letter once; "
        f"got {value!r}. Try alphabet='ACGT'"
    )


@dataclass(frozen=True, repr=False)
class Mismatch(Kernel):
    """Contiguous words of k letters, each counting in all words within m substitutions of it.

        Φ_u(s) = Σ_{words a of s} 1[a and u differ in at most m letters],  u ∈ Σᵏ
        k(s, t) = Σ_u Φ_u(s) Φ_u(t)

    No neighbour is enumerated: a pair of words with e letters in agreement adds f(e), the number of
    u within m of both, and f(e) = Σ_j w_j C(e, j) turns the double sum into Σ_j w_j G_j, where G_j
    sums ordinary spectra over the C(k, j) ways to look at j of the k letters. For (5, 1) and 20
    letters this is 2 G₃ + 12 G₄ + 16 G₅. Where so many patterns cost more than comparing all pairs
    of words, the pairs are compared; the values are the same.

    Parameters: length k, an integer from 1; mismatches m, 0 ≤ m ≤ k (0: the spectrum kernel);
    alphabet Σ, a string of letters, or None for the letters of the training rows (then the kernel
    learns, and `fit` comes first). A word that holds a letter outside Σ counts nowhere: Σᵏ has no
    word like it.

    Raises ParameterError for a parameter outside its range, NotFittedError on new rows before
    `fit` where the alphabet is learnt. Warns where no string is as long as a word.

    Leslie, Eskin, Cohen, Weston and Noble, Bioinformatics 2004, section 2; [O] 4.2 (k = 3, m = 0).

    'aa' lies within one letter of aa, ab, ba, and 'bb' of bb, ab, ba: two in common.

    >>> Mismatch(length=2, mismatches=1, alphabet="ab")(["aa", "bb"])
    array([[3., 2.],
           [2., 3.]])
    """

    length: int = param(
        5, kind="int", symbol="k", help="letters in a word",
        low=1, high=10, minimum=1, maximum=64,
    )  # fmt: skip
    mismatches: int = param(
        1, kind="int", symbol="m", help="letters in which a word may differ and still count",
        low=0, high=3, minimum=0, maximum=64,
    )  # fmt: skip
    alphabet: str | None = param(
        None, kind="other", symbol=r"\Sigma", help="all letters; none: those of the training rows",
        check=_alphabet_problem,
    )  # fmt: skip

    domain: ClassVar[Domain] = "sequence"
    formula: ClassVar[str] = (
        r"\sum_{u\in\Sigma^k}\;\sum_{a\in s}\mathbf 1_{[d(a,u)\le m]}\;\sum_{b\in t}\mathbf 1_{[d(b,u)\le m]}"
    )
    source: ClassVar[str] = "[O] 4.2"
    cost: ClassVar[str] = "O(N|s|k^{2m}) for the counts, then one pass over the pairs of equal gapped words"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.mismatches > self.length:
            raise ParameterError(
                f"Mismatch: mismatches must be an integer with 0 <= mismatches <= length={self.length}; got "
                f"{self.mismatches}. Try mismatches={min(1, self.length)}, or longer words."
            )

    def __repr__(self) -> str:
        if self.alphabet is None:
            return f"Mismatch(length={self.length!r}, mismatches={self.mismatches!r})"
        return super().__repr__()

    @property
    def learns_itself(self) -> bool:
        return self.alphabet is None

    def _learn(self, X: Array, y: Array | None) -> str:
        return alphabet_of(X)

    def _read(self, X: Array, Y: Array | None) -> tuple[Letters, Letters]:
        alphabet: str = self._state if self.alphabet is None else self.alphabet
        return read_letters(X, Y, alphabet)

    def _gram(self, X: Array, Y: Array | None) -> Array:
        x, y = self._read(X, Y)
        warn_too_short("Mismatch", f"length={self.length}", self.length, x, y)
        other = None if Y is None else y
        if patterns_are_cheaper(x, other, self.length, self.mismatches):
            return gram_by_patterns(x, other, self.length, self.mismatches)
        return gram_by_pairs(x, other, self.length, self.mismatches)

    def _diag(self, X: Array) -> Array:
        x, _ = self._read(X, None)
        shared = shared_neighbours(self.length, self.mismatches, x.size)
        weights = pattern_weights(shared)
        own = float((np.maximum(x.lengths - self.length + 1, 0) ** 2.0).sum())
        looked_at = sum(comb(self.length, j) for j, w in enumerate(weights) if w)
        worth_it = looked_at * len(x.codes) * _WORD_NS < own * (self.length * _LETTER_NS + _LOOKUP_NS) + 1e6
        out = np.zeros(len(X))
        if worth_it and exact(weights):
            for patterns, w in _groups(weights, self.length, len(x.codes)):
                (words,) = words_of((x,), self.length, patterns)
                out += count_squares(words, np.repeat(w, words.sizes))
            return out
        for i, start in enumerate(x.starts):
            one = Letters(x.codes[start : start + x.lengths[i]], x.lengths[i : i + 1], x.size)
            out[i] = gram_by_pairs(one, None, self.length, self.mismatches)[0, 0]
        return out


def shared_neighbours(length: int, mismatches: int, letters: int) -> list[int]:
    """f(e) for e = 0 … k: how many words lie within m letters of two words that agree in e letters.

    Where the two differ, h = k − e places, u agrees with the first in i of them, with the second in
    j, with neither in the rest, (|Σ| − 2) choices each; where they agree it differs from both in r:
    f = Σ h!/(i! j! (h−i−j)!) (|Σ|−2)^{h−i−j} C(e, r) (|Σ|−1)^r over h − i + r ≤ m, h − j + r ≤ m.

    >>> shared_neighbours(5, 1, 20)
    [0, 0, 0, 2, 20, 96]
    """
    found = []
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
        found.append(total)
    return found


def pattern_weights(shared: list[int]) -> list[int]:
    """w_j with f(e) = Σ_j w_j C(e, j), by binomial inversion: w_j = Σ_e (−1)^{j−e} C(j, e) f(e).

    >>> pattern_weights([0, 0, 0, 2, 20, 96])
    [0, 0, 0, 2, 12, 16]
    """
    return [sum((-1) ** (j - e) * comb(j, e) * shared[e] for e in range(j + 1)) for j in range(len(shared))]


def exact(weights: list[int]) -> bool:
    """Whether the weighted sum, which has terms of both signs, loses nothing in float64."""
    return sum(abs(w) * comb(len(weights) - 1, j) for j, w in enumerate(weights)) < _EXACT


def patterns_are_cheaper(x: Letters, y: Letters | None, length: int, mismatches: int) -> bool:
    """Whether spectra over patterns cost less than comparing all pairs of windows."""
    weights = pattern_weights(shared_neighbours(length, mismatches, x.size))
    if not exact(weights):
        return False
    other = y or x
    windows = [float(np.maximum(side.lengths - length + 1, 0).sum()) for side in (x, other)]
    pairs = windows[0] * windows[1] / (2 if y is None else 1)
    share = [
        np.bincount(side.codes[side.codes >= 0], minlength=x.size) / max(1, len(side.codes)) for side in (x, other)
    ]
    chance = float(share[0] @ share[1])  # that two letters agree
    cost = sum(
        comb(length, j) * (sum(windows) * _WORD_NS + pairs * chance**j * _EQUAL_NS)
        for j, w in enumerate(weights) if w
    )  # fmt: skip
    return cost < pairs * (length * _LETTER_NS + _LOOKUP_NS) + 1e6


def gram_by_patterns(x: Letters, y: Letters | None, length: int, mismatches: int) -> Array:
    """Σ_j w_j G_j: spectra of the words seen through every set of j places.

    Sets that are shifts of each other see the same words but at a string's ends. So a shape is counted
    once, times its number of shifts, and what some shift does not see is taken away.
    """
    weights = pattern_weights(shared_neighbours(length, mismatches, x.size))
    sides = (x,) if y is None else (x, y)
    sums = Sums(len(x.lengths), None if y is None else len(y.lengths))
    seen: dict[int, list[_Seen]] = {}
    for j, w in enumerate(weights):
        for others in combinations(range(1, length), j - 1) if w and j else ():
            shape = (0, *others)
            shifts = length - shape[-1]
            if shifts not in seen:
                seen[shifts] = [_seen(side, length, shifts) for side in sides]
            _by_shape(sides, shape, shifts, seen[shifts], sums, w)
    K = sums.matrix()
    if weights[0]:  # every two words agree in no place
        counts = [windows_of(side, length)[1].astype(np.float64) for side in sides]
        K += weights[0] * np.outer(counts[0], counts[-1])
    return K


class _Seen(NamedTuple):
    """Where words begin that some shift sees, how many each string has, and which shift sees them, (shifts, words)."""

    at: Array
    counts: Array
    shifts: Array


def _seen(letters: Letters, length: int, shifts: int) -> _Seen:
    at, _ = windows_of(letters, length)
    window = np.zeros(len(letters.codes), dtype=bool)
    window[at] = True
    # A shift t sees the word at p where a whole window begins at p − t.
    by_shift = np.zeros((shifts, len(window)), dtype=bool)
    for t in range(min(shifts, len(window))):
        by_shift[t, t:] = window[: len(window) - t]
    found = np.flatnonzero(by_shift.any(axis=0))
    row_of = np.repeat(np.arange(len(letters.lengths)), letters.lengths)
    return _Seen(found, np.bincount(row_of[found], minlength=len(letters.lengths)), by_shift[:, found])


def _by_shape(
    sides: Sequence[Letters], shape: tuple[int, ...], shifts: int, seen: Sequence[_Seen], sums: Sums, weight: int
) -> None:
    """The spectra through all shifts of a shape, each with this weight, are added to the sums."""
    coded, size = coded_words([(side.codes, s.at) for side, s in zip(sides, seen, strict=True)], shape, sides[0].size)
    words = [Words(codes, s.counts, (size,)) for codes, s in zip(coded, seen, strict=True)]
    other = words[1] if len(words) > 1 else None
    sums.add(words[0], other, weight * shifts)
    if shifts > 1:
        # C counts all words, C_t = C − D_t those that shift t sees, so Σ_t C_t C_t' = shifts C C' − C D' − D C' +
        # Σ_t D_t D_t' with D = Σ_t D_t, the few words near a string's ends or an unknown letter.
        unseen = [_unseen(w, s) for w, s in zip(words, seen, strict=True)]
        sums.add(words[0], unseen[-1][0], -weight)
        if other is not None:
            sums.add(unseen[0][0], other, -weight)
        sums.add(unseen[0][1], None if other is None else unseen[1][1], weight)


def _unseen(words: Words, seen: _Seen) -> tuple[Words, Words]:
    """Every word as often as shifts do not see it; and the same with another code for every shift."""
    shifts = len(seen.shifts)
    word, shift = np.nonzero(~seen.shifts.T)
    codes = words.codes[word]
    counts = np.bincount(words.row_of[word], minlength=len(words.counts))
    apart = codes.astype(np.int64) * shifts + shift
    return Words(codes, counts, (words.size,)), Words(apart, counts, (words.size * shifts,))


def gram_by_pairs(x: Letters, y: Letters | None, length: int, mismatches: int) -> Array:
    """Σ f(agreeing letters) over all pairs of windows."""
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
    step = max(1, _COMPARED // len(other_at))
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


def _groups(weights: list[int], length: int, letters: int) -> Iterator[tuple[list[tuple[int, ...]], Array]]:
    """Patterns with their weights, as many at a time as memory allows."""
    every = [(places, w) for j, w in enumerate(weights) if w for places in combinations(range(length), j)]
    step = max(1, _GROUP_WORDS // max(1, letters))
    for i in range(0, len(every), step):
        part = every[i : i + step]
        yield [places for places, _ in part], np.array([w for _, w in part], dtype=np.float64)
