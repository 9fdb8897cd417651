"""Strings as arrays of letter codes, from which every sequence kernel computes."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..errors import DomainError
from ..numerics.blocks import over_tiles
from ..numerics.sizes import block_size
from ..values.arrays import Array


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
