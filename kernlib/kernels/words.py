"""Strings as letter codes, their words as numbers, and counts of pairs of equal words."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..errors import DomainError
from ..numerics.blocks import block_size, change_tiles, over_row_blocks, over_tiles
from ..values.arrays import Array

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True)
class Letters:
    """n strings as one array of codes, row after row.

    `codes` holds 0…size−1, and −1 for a letter outside the alphabet; `lengths` is (n,).
    """

    codes: Array
    lengths: Array
    size: int

    @property
    def starts(self) -> Array:
        """Return where each string begins in `codes`, (n,)."""
        return np.asarray(np.cumsum(self.lengths) - self.lengths)

    @property
    def longest(self) -> int:
        return int(self.lengths.max(initial=0))

    def padded(self, rows: Array, fill: int) -> Array:
        """Return the codes of some rows, (rows, longest of them), `fill` beyond a string's end."""
        lengths = self.lengths[rows]
        columns = np.arange(lengths.max(initial=0))
        inside = columns < lengths[:, None]
        out = np.full(inside.shape, fill, dtype=np.int16 if self.size < 2**15 else np.int32)
        out[inside] = self.codes[(self.starts[rows][:, None] + columns)[inside]]
        return out


def read_letters(X: Array, Y: Array | None = None, alphabet: str | None = None) -> tuple[Letters, Letters]:
    """Return X and Y (or X twice) coded by the same alphabet.

    Without `alphabet`, the alphabet is the letters of X, or those that X and Y share: a letter of one side only equals
    no letter of the other, so it becomes −1 like every letter outside the alphabet.

    >>> import numpy as np
    >>> x, y = read_letters(np.array(["ab", "c"], dtype=object), np.array(["cad"], dtype=object))
    >>> x.codes, y.codes, x.size
    (array([ 0, -1,  1], dtype=int32), array([ 1,  0, -1], dtype=int32), 2)
    """
    sides = [_points(X)] if Y is None else [_points(X), _points(Y)]
    kept = [points for points, _ in sides] if alphabet is None else [_points_of(alphabet)]
    present = np.ones(1 + max(int(p.max(initial=0)) for p in [points for points, _ in sides] + kept), dtype=bool)
    for points in kept:
        occurring = np.zeros_like(present)
        occurring[points] = True
        present &= occurring
    table = np.where(present, np.cumsum(present) - 1, -1).astype(np.int32)
    size = int(present.sum())
    read = [Letters(table[points], lengths, size) for points, lengths in sides]
    return read[0], read[-1]


def over_pairs(x: Letters, y: Letters | None, entries: int, values: Callable[[Array, Array], Array]) -> Array:
    """Return values(s, t) of all pairs of strings, (n, m), from codes (|s|, P) and (|t|, P) of P pairs at a time.

    Pairs of similar length are evaluated together, with |t| · P near `entries`. Padding and letters outside the
    alphabet equal no letter. y None stands for x; then the matrix is symmetric to the last bit.
    """
    other = x if y is None else y
    by_x, by_y = (np.argsort(side.lengths, kind="stable") for side in (x, other))

    def evaluate(rows: slice, columns: slice, out: Array) -> None:
        a, b = x.padded(by_x[rows], -1), other.padded(by_y[columns], -2)
        b[b == -1] = -2
        pairs = np.repeat(a, len(b), axis=0).T, np.tile(b, (len(a), 1)).T
        out[...] = values(*pairs).reshape(out.shape)

    K = np.empty((len(by_x), len(by_y)))
    tile = max(1, math.isqrt(block_size(entries) // max(1, other.longest)))
    K[np.ix_(by_x, by_y)] = over_tiles(len(by_x), None if y is None else len(by_y), evaluate, tile)
    return K


def require_one_length(owner: str, letters: Letters, length: int, where: str = "row") -> None:
    """Raise DomainError unless all strings have the length of the first row."""
    for row in np.flatnonzero(letters.lengths != length)[:1]:
        raise DomainError(
            f"{owner}: expected strings of one length; row 0 has {length} letters and {where} {row} has "
            f"{letters.lengths[row]}. Cut or pad them, or take Spectrum or Subsequence, which read any lengths."
        )


def alphabet_of(X: Array) -> str:
    """Return the distinct letters of all rows, sorted.

    >>> alphabet_of(np.array(["gatta", "cat"], dtype=object))
    'acgt'
    """
    return "".join(sorted(set("".join(X))))


def alphabet_problem(value: object) -> str | None:
    """Return what is wrong with an alphabet, as text; None for a string of different letters."""
    if isinstance(value, str) and value and len(set(value)) == len(value):
        return None
    return f"must be a string that names every letter once; got {value!r}. Try alphabet='ACGT'"


def warn_too_short(kernel: str, parameter: str, needed: int, *sides: Letters, advice: str | None = None) -> None:
    """Warn where a side has no string of `needed` letters, so that every value is 0."""
    for letters in sides:
        if letters.longest < needed:
            warnings.warn(
                f"{kernel}: {parameter} needs strings of length {needed} or more, the longest here has length "
                f"{letters.longest}; every value is 0. "
                f"{advice or 'Choose a smaller ' + parameter.split('=')[0] + ', or longer strings'}.",
                UserWarning,
                stacklevel=4,
            )
            return


def _points(X: Array) -> tuple[Array, Array]:
    """Return the code points of all strings in one array, and the strings' lengths."""
    lengths = np.fromiter(map(len, X), dtype=np.intp, count=len(X))
    return _points_of("".join(X)), lengths


def _points_of(text: str) -> Array:
    # A Python string can contain half of a surrogate pair, which counts as a letter.
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


#: Pairs of equal words take as long, one by one, as this many entries of a product of tables.
PAIR = 512
#: A product begins when this many pairs are counted by the other one.
_BEGIN = 1 << 15
#: Words of a table that are multiplied at once.
_COLUMNS = 1 << 12
#: Pairs of equal words counted at once: the arrays of a step stay in a core's second-level cache.
_PAIRS = 1 << 15
#: Sums of whole numbers below it are exact in a float32.
EXACT_SINGLE = 1 << 24


@dataclass(frozen=True)
class Words:
    """The words of n strings, row after row, each coded as a number below `size`.

    `codes` (words,), `counts` (n,) words in each string, repetitions included.
    """

    codes: Array
    counts: Array
    size: int

    @property
    def row_of(self) -> Array:
        return np.repeat(np.arange(len(self.counts)), self.counts)

    def split(self, rows: int) -> tuple[Words, Words]:
        """Return the words of the first rows, and those of the others, by the same numbers."""
        cut = int(self.counts[:rows].sum())
        first = Words(self.codes[:cut], self.counts[:rows], self.size)
        return first, Words(self.codes[cut:], self.counts[rows:], self.size)


def words_of(sides: Sequence[Letters], length: int, places: Sequence[int] | None = None) -> list[Words]:
    """Return the letters at some places of every window of `length` letters, for each side.

    'a·c' for 'abc' and the places {0, 2}; by default the whole window. A window with a letter outside the alphabet
    (−1) has no word.

    >>> from kernlib.kernels.words import read_letters
    >>> x, _ = read_letters(np.array(["abab", "b"], dtype=object))
    >>> words_of((x,), 2)
    [Words(codes=array([1, 2, 1], dtype=int32), counts=array([3, 0]), size=4)]
    """
    return words_at(sides, [windows_of(side, length) for side in sides], range(length) if places is None else places)


def words_at(sides: Sequence[Letters], windows: Sequence[tuple[Array, Array]], places: Sequence[int]) -> list[Words]:
    """Return the letters at some places after given ones, as many of these as given in each string."""
    letters = [
        [side.codes[p:].take(at, mode="clip") for p in places] for side, (at, _) in zip(sides, windows, strict=True)
    ]
    coded, size = _coded(letters, [len(at) for at, _ in windows], sides[0].size)
    return [Words(codes, counts, size) for codes, (_, counts) in zip(coded, windows, strict=True)]


def windows_of(letters: Letters, length: int) -> tuple[Array, Array]:
    """Return where windows of `length` known letters begin, and how many each string has."""
    counts = np.maximum(letters.lengths - length + 1, 0)
    total = int(counts.sum())
    at = np.arange(total) + np.repeat(letters.starts - (np.cumsum(counts) - counts), counts)
    if (letters.codes < 0).any():
        unknown = np.concatenate([[0], np.cumsum(letters.codes < 0)])
        known = unknown[at + length] == unknown[at]
        row_of = np.repeat(np.arange(len(counts)), counts)[known]
        at, counts = at[known], np.bincount(row_of, minlength=len(counts))
    return at, counts


def _coded(sides: list[list[Array]], windows: list[int], letters: int) -> tuple[list[Array], int]:
    """Return one number for the letters of each window, which are given place by place; equal where all letters are."""
    # Half the memory traffic where the numbers are small enough.
    narrow = max(1, letters) ** len(sides[0]) < 2**31
    coded: list[Array] = [np.zeros(n, dtype=np.int32 if narrow else np.int64) for n in windows]
    size = 1
    for place in zip(*sides, strict=True):
        if size > 2**40 // max(1, letters):
            coded, size = _ranked(coded)
        for codes, letter in zip(coded, place, strict=True):
            codes *= letters
            codes += letter
        size *= max(1, letters)
    # Codes become columns of a sparse matrix: far more columns than words would cost more than ranking.
    if size > 4 * sum(len(c) for c in coded) + 2**16:
        coded, size = _ranked(coded)
    return coded, size


def _ranked(coded: list[Array]) -> tuple[list[Array], int]:
    values, ranks = np.unique(np.concatenate(coded), return_inverse=True)
    return np.split(ranks.astype(np.int64), np.cumsum([len(c) for c in coded])[:-1]), len(values)


def count_products(x: Words, y: Words | None) -> Array:
    """Return Σ_u #_u(s) #_u(t) for all rows, (n, m); y None stands for x."""
    K = np.zeros((len(x.counts), len((y or x).counts)))
    add_products(K, x, y)
    return K


def add_products(K: Array, x: Words, y: Words | None) -> None:
    """Add `count_products` to K: frequent words by a product of tables, rare ones pair by pair.

    Every partial sum of whole numbers is exact below 2⁵³, so both ways give the same matrix, symmetric to the bit.
    """
    pairs = equal_pairs(x, y or x)
    shared = pairs > (1 if y is None else 0)
    saved = pairs - K.size / PAIR
    frequent = shared & (saved > 0)
    if saved[frequent].sum() < block_size(_BEGIN):
        frequent = np.zeros_like(shared)
    elif -saved[shared & ~frequent].sum() < block_size(_BEGIN):
        frequent = shared
    alone = x.counts
    for kept, add in ((frequent, _add_frequent), (shared & ~frequent, _add_rare)):
        if kept.any():
            left = _only(x, kept)
            add(K, left, None if y is None else _only(y, kept))
            alone = alone - left.counts
    if y is None:  # a word that occurs once equals only itself
        K[np.arange(len(K)), np.arange(len(K))] += alone


def equal_pairs(x: Words, y: Words) -> Array:
    """Return how often each word makes a pair of equal ones, (words,)."""
    often = np.bincount(x.codes, minlength=x.size).astype(np.float64)
    return np.asarray(often * (often if y is x else np.bincount(y.codes, minlength=x.size)))


def _only(words: Words, kept: Array) -> Words:
    """Return the words that are kept, numbered anew."""
    if kept.all():
        return words
    keep = kept[words.codes]
    codes = (np.cumsum(kept, dtype=np.int32 if words.size < 2**31 else np.int64) - 1)[words.codes[keep]]
    ends = np.concatenate([[0], np.cumsum(keep)])[np.concatenate([[0], np.cumsum(words.counts)])]
    return Words(codes, np.diff(ends), int(kept.sum()))


def _add_frequent(K: Array, x: Words, y: Words | None) -> None:
    most = int(x.counts.max()) * int((y or x).counts.max())
    add_table_product(K, table_of(x), None if y is None else table_of(y), most)


def add_table_product(K: Array, A: Array, B: Array | None, most: int) -> None:
    """Add AB' to K, AA' where B is None: tables of whole numbers whose products are sums of at most `most`."""
    number = np.float32 if most < EXACT_SINGLE else np.float64
    other = A if B is None else B

    def add(rows: slice, columns: slice, tile: Array) -> None:
        for start in range(0, A.shape[1], _COLUMNS):
            some = slice(start, start + _COLUMNS)
            left: Array = A[rows, some].astype(number, copy=False)
            right: Array = other[columns, some].astype(number, copy=False)
            tile += left @ right.T

    change_tiles(K, B is None, add)


def _add_rare(K: Array, x: Words, y: Words | None) -> None:
    A = sparse_words(x)
    B = (A if y is None else sparse_words(y)).T.tocsr()

    def add(block: Array, start: int) -> None:
        block += (A[start : start + len(block)] @ B).toarray()

    over_row_blocks(K, add)


class ByWord:
    """The places of words, sorted by word."""

    def __init__(self, words: Words) -> None:
        self.words = words
        # SciPy sorts in time linear in the words.
        number = np.arange(len(words.codes), dtype=np.int32 if len(words.codes) < 2**31 else np.int64)
        places = sparse_words(words, number).tocsc()
        self.rows, self.order, self.begin = places.indices.astype(np.intp), places.data, places.indptr.astype(np.intp)

    def add_pairs(self, K: Array, x: Words, weight: int) -> None:
        """Add weight · Σ_u #_u(s) #_u(t) to whole numbers K, (n, m), pair by pair of equal words in x and here.

        Of these words themselves, two places are one pair, counted in either triangle, and a place with itself none.
        """
        if x is self.words:
            first = np.empty(len(self.rows), dtype=np.intp)
            first[self.order] = np.arange(1, len(first) + 1)
        else:
            first = self.begin[x.codes]
        sizes = self.begin[1:][x.codes] - first
        before = np.cumsum(sizes) - sizes
        shift, row = first - before, x.row_of * K.shape[1]
        flat, start = K.reshape(-1), 0
        while start < len(sizes):
            stop = max(start + 1, int(np.searchsorted(before, before[start] + block_size(_PAIRS))))
            part = sizes[start:stop]
            places = np.arange(before[start], before[start] + part.sum())
            places += np.repeat(shift[start:stop], part)
            pairs = self.rows.take(places, mode="clip")
            pairs += np.repeat(row[start:stop], part)
            np.add.at(flat, pairs, weight)
            start = stop


def sparse_words(words: Words, values: Array | None = None) -> csr_array:
    """Return rows by words, 1 or a value each; repeated words are repeated entries, which a product sums."""
    from scipy.sparse import csr_array

    index = np.int32 if max(words.size, len(words.codes)) < 2**31 else np.int64
    ends = np.concatenate([[0], np.cumsum(words.counts)]).astype(index)
    shape = (len(words.counts), words.size)
    values = np.ones(len(words.codes)) if values is None else values
    return csr_array((values, words.codes.astype(index), ends), shape=shape)


def count_squares(x: Words) -> Array:
    """Return Σ_u #_u(s)² for every row, (n,)."""
    words, times = np.unique(x.row_of * np.int64(x.size) + x.codes, return_counts=True)
    sums = np.bincount(words // max(1, x.size), weights=times.astype(np.float64) ** 2, minlength=len(x.counts))
    return sums.astype(np.float64, copy=False)  # of no words at all, NumPy counts in whole numbers


def table_of(words: Words) -> Array:
    """Return how often each word occurs in each string, (n, words), in the smallest whole numbers that hold it."""
    ones = np.ones(len(words.codes), dtype=np.min_scalar_type(int(words.counts.max(initial=0))))
    return np.asarray(sparse_words(words, ones).toarray())
