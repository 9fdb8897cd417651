"""The mismatch kernel: a word also counts for all words that differ from it in a few letters."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any, ClassVar

import numpy as np

from ..core.base import Kernel
from ..errors import ParameterError
from ..values.arrays import Array
from ..values.declare import param, whole
from ..values.domains import Domain
from .gapped import (
    exact,
    gram_by_features,
    gram_by_pairs,
    gram_by_patterns,
    pattern_weights,
    pays_by_patterns,
    plan,
    shared_neighbours,
)
from .letters import Letters, alphabet_of, read_letters, warn_too_short
from .words import count_squares, windows_of, words_at


def _alphabet_problem(value: Any) -> str | None:
    if value is None or (isinstance(value, str) and value and len(set(value)) == len(value)):
        return None
    return (
        "must be None, for the letters of the training rows, or a string that names every letter once; "
        f"got {value!r}. Try alphabet='ACGT'"
    )


@dataclass(frozen=True, repr=False)
class Mismatch(Kernel):
    """Inner product of counts of k-letter words, each counted for all words within m substitutions.

        Φ_u(s) = Σ_{words a of s} 1[a and u differ in at most m letters],  u ∈ Σᵏ
        k(s, t) = Σ_u Φ_u(s) Φ_u(t)

    No neighbour is enumerated: a pair of words that agree in e letters adds f(e), the number of
    u within m of both, and f(e) = Σ_j w_j C(e, j) turns the double sum into Σ_j w_j G_j, where G_j
    sums ordinary spectra over the C(k, j) choices of j of the k letters. For (5, 1) and 20
    letters this is 2 G₃ + 12 G₄ + 16 G₅. If so many patterns cost more than comparing all pairs
    of words, the pairs are compared; the values are the same.

    Parameters: length k, an integer from 1; mismatches m, 0 ≤ m ≤ k (0: the spectrum kernel);
    alphabet Σ, a string of letters, or None for the letters of the training rows (then the kernel
    learns, and needs `fit`). A word with a letter outside Σ is ignored, since it is not in Σᵏ.

    Raises ParameterError for a parameter outside its range, NotFittedError on new rows before
    `fit` if the alphabet is learnt. Warns if no string is as long as a word.

    Leslie, Eskin, Cohen, Weston and Noble, Bioinformatics 2004, section 2; [O] 4.2 (k = 3, m = 0).

    'aa' lies within one letter of aa, ab, ba, and 'bb' of bb, ab, ba: two in common.

    >>> Mismatch(length=2, mismatches=1, alphabet="ab")(["aa", "bb"])
    array([[3., 2.],
           [2., 3.]])
    """

    length: int = whole(5, "k", "letters in a word", 1, 10, minimum=1, maximum=64)
    mismatches: int = whole(1, "m", "letters in which a word may differ and still match", 0, 3, minimum=0, maximum=64)
    alphabet: str | None = param(
        None,
        kind="other",
        symbol=r"\Sigma",
        help="the alphabet; none: the letters of the training rows",
        quiet=True,
        check=_alphabet_problem,
    )

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

    @property
    def learns_itself(self) -> bool:
        return self.alphabet is None

    def learn(self, X: Array, y: Array | None) -> str:
        return alphabet_of(X)

    def letters(self) -> str:
        """Return Σ, given or learnt."""
        return str(self.state if self.alphabet is None else self.alphabet)

    def _read(self, X: Array, Y: Array | None) -> tuple[Letters, Letters]:
        return read_letters(X, Y, self.letters())

    def gram(self, X: Array, Y: Array | None) -> Array:
        x, y = self._read(X, Y)
        warn_too_short("Mismatch", f"length={self.length}", self.length, x, y)
        other = None if Y is None else y
        best = plan(x, other, self.length, self.mismatches)
        if best is None:
            return gram_by_pairs(x, other, self.length, self.mismatches)
        if best.by_features:
            return gram_by_features(x, other, self.length, self.mismatches)
        return gram_by_patterns(x, other, self.length, self.mismatches, best.base)

    def gram_diag(self, X: Array) -> Array:
        x, _ = self._read(X, None)
        shared = shared_neighbours(self.length, self.mismatches, x.size)
        weights = pattern_weights(shared)
        own = float((np.maximum(x.lengths - self.length + 1, 0) ** 2.0).sum())
        looked_at = sum(comb(self.length, j) for j, w in enumerate(weights) if w)
        worth_it = pays_by_patterns(looked_at * len(x.codes), own, self.length)
        out = np.zeros(len(X))
        if worth_it and exact(weights):
            windows = windows_of(x, self.length)
            for j, w in enumerate(weights):
                for places in combinations(range(self.length), j) if w else ():
                    (words,) = words_at((x,), [windows], places)
                    out += w * count_squares(words)
            return out
        for i, start in enumerate(x.starts):
            one = Letters(x.codes[start : start + x.lengths[i]], x.lengths[i : i + 1], x.size)
            out[i] = gram_by_pairs(one, None, self.length, self.mismatches)[0, 0]
        return out
