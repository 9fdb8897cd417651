"""Kernels that count common words of two strings: contiguous, with a few other letters, with a gap, or by patterns."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np

from ..core.base import Kernel
from ..errors import ParameterError
from ..values.arrays import Array
from ..values.declare import floats, one_of, param, weights_problem, whole
from .partial_matches import (
    gram_by_shapes,
    pattern_weights,
    shared_neighbours,
    tables_of_neighbours,
)
from .words import (
    Letters,
    add_products,
    add_table_product,
    alphabet_of,
    alphabet_problem,
    count_products,
    count_squares,
    read_letters,
    sparse_words,
    warn_too_short,
    windows_of,
    words_at,
    words_of,
)

#: Most choices of places of a word of `Mismatch`.
_PATTERNS = 1 << 14
#: Whole numbers below it are exact in a float64, with room for a sum.
_EXACT = 2**46


class OfWords(Kernel):
    """Inner products of counts of words, summed over several sets of words with a weight ≥ 0 each.

    A subclass implements `patterns`.
    """

    domain = "sequence"

    def patterns(self) -> list[tuple[int, Sequence[int], float]]:
        """Return for each set of words: letters of a window, the places in it that are read, and the weight."""
        raise NotImplementedError

    def gram(self, X: Array, Y: Array | None) -> Array:
        # All letters of both sides: a window whose gap holds a letter of one side alone is a window too.
        x, y = read_letters(X, Y, None if Y is None else alphabet_of(np.concatenate([X, Y])))
        shortest = min(length for length, _, _ in self.patterns())
        warn_too_short(type(self).__name__, self._needs(), shortest, x, y)
        total = np.zeros((len(X), len(X if Y is None else Y)))
        for length, places, weight in self.patterns():
            words = words_of((x,) if Y is None else (x, y), length, places)
            sides = words[0], None if Y is None else words[1]
            if weight == 1.0:
                add_products(total, *sides)
            else:
                total += weight * count_products(*sides)
        return total

    def gram_diag(self, X: Array) -> Array:
        x, _ = read_letters(X)
        total = np.zeros(len(X))
        for length, places, weight in self.patterns():
            total += weight * count_squares(words_of((x,), length, places)[0])
        return total

    def _needs(self) -> str:
        return "length=" + str(getattr(self, "length", 1))


@dataclass(frozen=True, repr=False)
class Spectrum(OfWords):
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

    formula = r"\sum_{u\in\Sigma^{\gamma}} \#_u(s)\,\#_u(t)"
    source = "[O] 4.2, [D]"
    cost = "O(γN|s|) for the counts, then one pass over the pairs of equal words"

    def patterns(self) -> list[tuple[int, Sequence[int], float]]:
        return [(self.length, range(self.length), 1.0)]


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

    domain = "sequence"
    formula = r"\sum_{u\in\Sigma^{\gamma}} \big(P(u)/\bar P\big)^{\alpha}\,\#_u(s)\,\#_u(t)"
    source = "[O] 4.2"
    cost = "O(γN|s|) for the counts, then one sparse product"
    learns_itself = True

    def learn(self, X: Array, y: Array | None) -> Any:
        return np.array(X, dtype=object)

    def _weighted_counts(self, rows: Array) -> Any:
        """Return rows by words as a sparse matrix, with the square root of a word's weight for each count."""
        train: Array = self.state
        letters, _ = read_letters(np.concatenate([train, rows]))
        windows = windows_of(letters, self.length)
        (words,) = words_at((letters,), [windows], range(self.length))
        of_train, words = words.split(len(train))
        if self.of == "words":
            logs = _log_shares(of_train.codes, words.size)[words.codes]
        else:
            each = _log_shares(letters.codes[: letters.lengths[: len(train)].sum()], letters.size)[letters.codes]
            at = windows[0][len(of_train.codes) :]
            logs = sum((each[at + place] for place in range(self.length)), np.zeros(len(at)))
        table = sparse_words(words, np.exp(self.power / 2 * logs))
        table.sum_duplicates()
        return table

    def gram(self, X: Array, Y: Array | None) -> Array:
        for rows in (X,) if Y is None else (X, Y):
            warn_too_short("PriorSpectrum", f"length={self.length}", self.length, read_letters(rows)[0])
        table = self._weighted_counts(X if Y is None else np.concatenate([X, Y]))
        K: Array = (table[: len(X)] @ table[0 if Y is None else len(X) :].T).toarray()
        return K if Y is not None else (K + K.T) / 2

    def gram_diag(self, X: Array) -> Array:
        table = self._weighted_counts(X)
        return np.asarray(table.multiply(table).sum(axis=1))


def _log_shares(codes: Array, size: int) -> Array:
    """Return log(P / P̄) of every code below `size`, from its count with one added."""
    counts = np.bincount(codes[codes >= 0], minlength=size)
    seen = int(np.count_nonzero(counts))
    return np.asarray(np.log((counts + 1) * max(seen, 1) / (counts.sum() + seen + 1)))


@dataclass(frozen=True, repr=False)
class Mismatch(Kernel):
    """Inner product of counts of k-letter words, each counted for all words within m substitutions.

        Φ_u(s) = Σ_{words a of s} 1[a and u differ in at most m letters],  u ∈ Σᵏ
        k(s, t) = Σ_u Φ_u(s) Φ_u(t)

    No neighbour is enumerated: a pair of words that agree in e letters adds f(e), the number of
    u within m of both, and f(e) = Σ_j w_j C(e, j) turns the double sum into Σ_j w_j G_j, where G_j
    sums ordinary spectra over the C(k, j) choices of j of the k letters. For (5, 1) and 20
    letters this is 2 G₃ + 12 G₄ + 16 G₅.

    Parameters: length k, an integer from 1; mismatches m, 0 ≤ m ≤ k (0: the spectrum kernel);
    alphabet Σ, a string of letters, or None for the letters of the training rows (then the kernel
    learns, and needs `fit`). A word with a letter outside Σ is ignored, since it is not in Σᵏ.

    Raises ParameterError for a parameter outside its range and for more than 16,384 choices of places, NotFittedError
    on new rows before `fit` if the alphabet is learnt. Warns if no string is as long as a word.

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
        check=lambda value: None if value is None else alphabet_problem(value),
    )

    domain = "sequence"
    formula = r"\sum_{u\in\Sigma^k}\;\sum_{a\in s}\mathbf 1_{[d(a,u)\le m]}\;\sum_{b\in t}\mathbf 1_{[d(b,u)\le m]}"
    source = "[O] 4.2"
    cost = "O(N|s|k^{2m}) for the counts, then one pass over the pairs of equal gapped words"

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
        tables = tables_of_neighbours((x,) if Y is None else (x, y), self.length, self.mismatches)
        if tables is None:
            return gram_by_shapes(x, None if Y is None else y, self._weights(x.size))
        K = np.zeros((len(x.lengths), len(y.lengths)))
        most = x.longest * y.longest * shared_neighbours(self.length, self.mismatches, x.size)[-1]
        add_table_product(K, tables[0], None if Y is None else tables[1], most)
        return K

    def _weights(self, letters: int) -> list[int]:
        """Return w_j for j = 0 … k; ParameterError where too many choices of j letters have one."""
        weights = pattern_weights(shared_neighbours(self.length, self.mismatches, letters))
        choices = [math.comb(self.length, j) for j in range(len(weights))]
        number = sum(choice for choice, weight in zip(choices, weights, strict=True) if weight)
        # The weighted sum has terms of both signs.
        largest = sum(choice * abs(weight) for choice, weight in zip(choices, weights, strict=True))
        if number > _PATTERNS or largest > _EXACT:
            raise ParameterError(
                f"Mismatch: length={self.length} and mismatches={self.mismatches} make {number:,} gapped words of "
                f"weights up to {max(map(abs, weights)):.2g}; expected at most {_PATTERNS:,}, and sums that are exact "
                "in double precision. Choose shorter words or fewer mismatches."
            )
        return weights

    def gram_diag(self, X: Array) -> Array:
        x, _ = self._read(X, None)
        out = np.zeros(len(X))
        for j, weight in enumerate(self._weights(x.size)):
            for places in combinations(range(self.length), j) if weight else ():
                out += weight * count_squares(words_of((x,), self.length, places)[0])
        return out


@dataclass(frozen=True, repr=False)
class GappyPair(OfWords):
    """Counts of pairs of words at every distance up to a largest gap.

        Φ_{u,v,g}(s) = positions at which u, then g letters of any kind, then v occur,  u, v ∈ Σᵏ, 0 ≤ g ≤ m
        k(s, t) = Σ_{u,v,g} Φ_{u,v,g}(s) Φ_{u,v,g}(t)

    Parameters: length k of each word, an integer from 1; gap m ≥ 0, the largest number of letters between them. A
    string shorter than 2k has no pair, so its values are 0 (with a warning if all strings are shorter).

    Raises ParameterError outside the ranges, DomainError for rows that are not strings.

    Mahrenholz et al., "Complex networks govern coiled-coil oligomerization", Mol. Cell. Proteomics 2011; KeBABS.

    >>> GappyPair(length=1, gap=1)(["gat", "gtt"])  # pairs ga, at, g·t and gt, tt, g·t
    array([[3., 1.],
           [1., 3.]])
    """

    length: int = whole(1, "k", "letters in each of the two words", 1, 6, minimum=1, maximum=1000)
    gap: int = whole(3, "m", "largest number of letters between the words", 0, 20, minimum=0, maximum=1000)

    formula = r"\sum_{g=0}^{m}\sum_{u,v\in\Sigma^k}\#_{u\cdot^g v}(s)\,\#_{u\cdot^g v}(t)"
    source = "Mahrenholz et al. 2011"
    cost = "O(mkN|s|) for the counts, then one pass over the pairs of equal words"

    def patterns(self) -> list[tuple[int, Sequence[int], float]]:
        k = self.length
        return [(2 * k + g, (*range(k), *range(k + g, 2 * k + g)), 1.0) for g in range(self.gap + 1)]


@dataclass(frozen=True, repr=False)
class SpectrumMixture(OfWords):
    """Spectrum kernels of several word lengths, with a weight each: short words are common, long ones tell.

        k(s, t) = Σ_{n=1…γ} c_n Σ_{u∈Σⁿ} Φ_u(s) Φ_u(t)

    Parameters: length γ, an integer from 1; weights c_1 … c_γ ≥ 0, None for 1 each. Letters are code points. The
    empty string has no word, so its values are 0.

    Raises ParameterError for a length below 1 or another number of weights, DomainError for rows that are not strings.

    [D] String Kernels; Leslie, Eskin and Noble, PSB 2002, section 3 (the sum over lengths).

    >>> SpectrumMixture(length=2)(["ab", "ba"])  # two equal letters, no equal pair
    array([[3., 2.],
           [2., 3.]])
    """

    length: int = whole(3, r"\gamma", "letters in the longest word", 1, 8, minimum=1, maximum=200)
    weights: tuple[float, ...] | None = param(
        None,
        kind="other",
        symbol="c",
        help="weight of each length; none: 1 each",
        quiet=True,
        low=0.0,
        high=1.0,
        each="length",
        convert=floats,
        check=weights_problem("one weight for each length", "weights=(1.0, 2.0, 4.0)"),
    )

    formula = r"\sum_{n=1}^{\gamma} c_n \sum_{u\in\Sigma^n}\#_u(s)\,\#_u(t)"
    source = "[D] String Kernels"
    cost = "O(γ²N|s|) for the counts, then one pass over the pairs of equal words"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.weights is not None and len(self.weights) != self.length:
            raise ParameterError(
                f"SpectrumMixture: weights must hold one weight for each length; expected {self.length}, got "
                f"{len(self.weights)}. Give as many, or None for 1 each."
            )

    def patterns(self) -> list[tuple[int, Sequence[int], float]]:
        weights = self.weights or (1.0,) * self.length
        return [(n, range(n), c) for n, c in enumerate(weights, start=1) if c]

    def _needs(self) -> str:
        return "a word"


def _patterns_problem(value: Any) -> str | None:
    wrong = not isinstance(value, tuple) or not value or not all(isinstance(v, str) and v for v in value)
    if wrong or len(set(value)) < len(value):
        return f"must be a tuple of different patterns, each a string; got {value!r}. Try patterns=('TATA', 'C.G')"
    for pattern in value:
        if not re.fullmatch(r"(?:[\w.]|\[\^?\w+\])+", pattern):
            return (
                f"holds {pattern!r}; expected letters and digits, '.' for any, '[AG]' for one of several and '[^AG]' "
                "for any other. Close every bracket"
            )
    return None


@dataclass(frozen=True, repr=False)
class Motif(Kernel):
    """Counts of given patterns, such as binding sites; what else a string holds is not read.

        k(s, t) = Σ_m #_m(s) #_m(t),  m over the patterns

    In a pattern a letter or digit is itself, `.` any letter, `[AG]` one of several, `[^AG]` any other. Places count
    where a pattern begins: overlapping ones too. A string with none of them has the value 0 with all others.

    Parameters: patterns, a tuple of different strings. Raises ParameterError for anything else, DomainError for rows
    that are not strings.

    Ben-Hur and Brutlag, "Remote homology detection: a motif based approach", Bioinformatics 2003; KeBABS.

    >>> Motif(patterns=("TATA", "C.G"))(["TATATA", "CAGTATA"])  # 2 and 0; 1 and 1
    array([[4., 2.],
           [2., 2.]])
    """

    patterns: tuple[str, ...] = param(
        ("TATA", "C.G", "A[AG]A"),
        kind="other",
        symbol="m",
        help="patterns that are counted: letters, . and [AG]",
        convert=lambda value: tuple(value) if isinstance(value, list) else value,
        check=_patterns_problem,
    )

    domain = "sequence"
    formula = r"\sum_{m}\#_m(s)\,\#_m(t)"
    source = "Ben-Hur and Brutlag 2003"
    cost = "O(mN|s|) for m patterns, then one matrix product"

    def factor_rows(self, X: Array) -> Array:
        found = [motif_expression(pattern) for pattern in self.patterns]
        return np.array([[sum(1 for _ in one.finditer(s)) for one in found] for s in X], dtype=np.float64)


def motif_expression(pattern: str) -> re.Pattern[str]:
    """Return the expression that finds every beginning of a pattern, overlapping ones too."""
    return re.compile(f"(?={pattern})", re.DOTALL)
