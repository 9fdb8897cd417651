"""The spectrum kernel: how often each contiguous word occurs, all words alike or weighted by their probability."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from ..core.base import Kernel
from ..values.arrays import Array
from ..values.declare import one_of, param, whole
from ..values.domains import Domain
from .letters import alphabet_of, read_letters, warn_too_short
from .words import count_products, count_squares, windows_of, words_at, words_of


@dataclass(frozen=True, repr=False)
class Spectrum(Kernel):
    """Inner product of the counts of all contiguous words of γ letters.

        Φ_u(s) = number of positions at which u occurs in s,  u ∈ Σ^γ
        k(s, t) = Σ_u Φ_u(s) Φ_u(t)

    Parameters: length γ, an integer from 1. Letters are code points; a string shorter than γ has no
    word, so its values are 0 (with a warning if all strings are shorter).

    Raises ParameterError for a length below 1, DomainError for rows that are not strings.

    Leslie, Eskin and Noble, PSB 2002; [O] 4.2 (γ = 3); [D].

    >>> Spectrum(length=2)(["gatta", "atat"])
    array([[4., 3.],
           [3., 5.]])
    """

    length: int = whole(
        3, r"\gamma", "letters in a word; long words make the diagonal large", 1, 10, minimum=1, maximum=10_000
    )

    domain: ClassVar[Domain] = "sequence"
    formula: ClassVar[str] = r"\sum_{u\in\Sigma^{\gamma}} \#_u(s)\,\#_u(t)"
    source: ClassVar[str] = "[O] 4.2, [D]"
    cost: ClassVar[str] = "O(γN|s|) for the counts, then one pass over the pairs of equal words"

    def gram(self, X: Array, Y: Array | None) -> Array:
        x, y = read_letters(X, Y)
        warn_too_short("Spectrum", f"length={self.length}", self.length, x, y)
        words = words_of((x,) if Y is None else (x, y), self.length, range(self.length))
        return count_products(words[0], None if Y is None else words[1])

    def gram_diag(self, X: Array) -> Array:
        x, _ = read_letters(X)
        (words,) = words_of((x,), self.length, range(self.length))
        return count_squares(words)


@dataclass(frozen=True, repr=False)
class PriorSpectrum(Kernel):
    r"""Counts of words, each word weighted by its prior probability: agreeing on a rare word tells more.

        k(s, t) = Σ_{u∈Σ^γ} (P(u) / P̄)^α #_u(s) #_u(t)

    P is estimated on the training strings, with one added to every count, so that what they do not contain has a small
    probability. Of "letters", P(u) = Π_i P(u_i) and P̄ is that of a word of equally frequent letters; of "words", P(u)
    is the share of the word itself and P̄ = 1/(number of words). Where all words
    that occur have one P, the kernel is a multiple of `Spectrum`.

    Parameters: length γ, an integer from 1; power α, −1 for weights of one over the probability, 1 for the probability
    itself, 0 for `Spectrum`; of, "letters" or "words". A string shorter than γ has the value 0.

    Raises ParameterError outside these, DomainError for rows that are not strings.

    [O] 4.2: the spectrum kernel "weighted by prior probabilities"; Leslie, Eskin and Noble, PSB 2002.

    >>> PriorSpectrum(length=1, power=-1.0)(["aaab", "bc"]).round(2)  # b is rarer than a, c rarer than b
    array([[8.61, 1.11],
           [1.11, 2.78]])
    """

    length: int = whole(
        3, r"\gamma", "letters in a word; long words make the diagonal large", 1, 10, minimum=1, maximum=10_000
    )
    power: float = param(
        -1.0,
        symbol=r"\alpha",
        help="below 0 rare words count more, above 0 common ones",
        low=-1.0,
        high=1.0,
        minimum=-2.0,
        maximum=2.0,
    )
    of: Literal["letters", "words"] = one_of(
        "letters", "P", "probability of a word: of its letters, or of the word itself", ("letters", "words")
    )

    domain: ClassVar[Domain] = "sequence"
    formula: ClassVar[str] = r"\sum_{u\in\Sigma^{\gamma}} \big(P(u)/\bar P\big)^{\alpha}\,\#_u(s)\,\#_u(t)"
    source: ClassVar[str] = "[O] 4.2"
    cost: ClassVar[str] = "O(γN|s|) for the counts, then one sparse product"
    learns_itself: ClassVar[bool] = True

    def learn(self, X: Array, y: Array | None) -> Any:
        return np.array(X, dtype=object)

    def weighted_counts(self, *sides: Array) -> list[Any]:
        """Return rows by words for each side, as sparse matrices with the square root of a word's weight per count."""
        from scipy.sparse import csr_array

        train: Array = self.state
        alphabet = alphabet_of(np.concatenate([train, *sides]))
        read = [read_letters(rows, alphabet=alphabet)[0] for rows in (train, *sides)]
        windows = [windows_of(letters, self.length) for letters in read]
        words = words_at(read, windows, range(self.length))
        found = []
        for letters, (at, _), own in zip(read[1:], windows[1:], words[1:], strict=True):
            if self.of == "words":
                logs = _log_shares(words[0].codes, own.size)[own.codes]
            else:
                each = _log_shares(read[0].codes, letters.size)[letters.codes]
                logs = sum((each[at + place] for place in range(self.length)), np.zeros(len(at)))
            ends = np.concatenate([[0], np.cumsum(own.counts)])
            table = csr_array((np.exp(self.power / 2 * logs), own.codes, ends), shape=(len(own.counts), own.size))
            table.sum_duplicates()
            found.append(table)
        return found

    def gram(self, X: Array, Y: Array | None) -> Array:
        for rows in (X,) if Y is None else (X, Y):
            warn_too_short("PriorSpectrum", f"length={self.length}", self.length, read_letters(rows)[0])
        tables = self.weighted_counts(X) if Y is None else self.weighted_counts(X, Y)
        K: Array = (tables[0] @ tables[-1].T).toarray()
        return K if Y is not None else (K + K.T) / 2

    def gram_diag(self, X: Array) -> Array:
        (table,) = self.weighted_counts(X)
        return np.asarray(table.multiply(table).sum(axis=1))


def _log_shares(codes: Array, size: int) -> Array:
    """Return log(P / P̄) of every code below `size`, from its count with one added."""
    counts = np.bincount(codes[codes >= 0], minlength=size)
    seen = int(np.count_nonzero(counts))
    return np.asarray(np.log((counts + 1) * max(seen, 1) / (counts.sum() + seen + 1)))
