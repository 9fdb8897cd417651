"""Words that are not contiguous letters: pairs of words with a gap, and given patterns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..core.base import Kernel
from ..errors import ParameterError
from ..values.arrays import Array
from ..values.declare import param, weights_problem, whole
from ..values.domains import Domain
from .letters import Letters, alphabet_of, read_letters, warn_too_short
from .words import Words, count_products, count_squares, windows_of, words_at


class OfWords(Kernel):
    """Inner products of counts of words, summed over several sets of words with a weight ≥ 0 each.

    A subclass implements `patterns`.
    """

    domain: ClassVar[Domain] = "sequence"

    def patterns(self) -> list[tuple[int, Sequence[int], float]]:
        """Return for each set of words: letters of a window, the places in it that are read, and the weight."""
        raise NotImplementedError

    def gram(self, X: Array, Y: Array | None) -> Array:
        # All letters of both sides: a window whose gap holds a letter of one side alone is a window too.
        x, y = read_letters(X, Y, alphabet_of(X if Y is None else np.concatenate([X, Y])))
        shortest = min(length for length, _, _ in self.patterns())
        warn_too_short(type(self).__name__, self._needs(), shortest, x, y)
        total = np.zeros((len(X), len(X if Y is None else Y)))
        for length, places, weight in self.patterns():
            words = _words((x,) if Y is None else (x, y), length, places)
            total += weight * count_products(words[0], None if Y is None else words[1])
        return total

    def gram_diag(self, X: Array) -> Array:
        x, _ = read_letters(X)
        total = np.zeros(len(X))
        for length, places, weight in self.patterns():
            total += weight * count_squares(_words((x,), length, places)[0])
        return total

    def _needs(self) -> str:
        return "length=" + str(getattr(self, "length", 1))


def _words(sides: Sequence[Letters], length: int, places: Sequence[int]) -> list[Words]:
    return words_at(sides, [windows_of(side, length) for side in sides], places)


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

    formula: ClassVar[str] = r"\sum_{g=0}^{m}\sum_{u,v\in\Sigma^k}\#_{u\cdot^g v}(s)\,\#_{u\cdot^g v}(t)"
    source: ClassVar[str] = "Mahrenholz et al. 2011"
    cost: ClassVar[str] = "O(mkN|s|) for the counts, then one pass over the pairs of equal words"

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
        convert=lambda value: tuple(value) if isinstance(value, list) else value,
        check=weights_problem("one weight for each length", "weights=(1.0, 2.0, 4.0)"),
    )

    formula: ClassVar[str] = r"\sum_{n=1}^{\gamma} c_n \sum_{u\in\Sigma^n}\#_u(s)\,\#_u(t)"
    source: ClassVar[str] = "[D] String Kernels"
    cost: ClassVar[str] = "O(γ²N|s|) for the counts, then one pass over the pairs of equal words"

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
        if not re.fullmatch(r"(?:[^\[\]]|\[\^?[^\[\]^]+\])+", pattern):
            return (
                f"holds {pattern!r}; expected letters, '.' for any letter, '[AG]' for one of several and '[^AG]' for "
                "any other. Close every bracket"
            )
    return None


@dataclass(frozen=True, repr=False)
class Motif(Kernel):
    """Counts of given patterns, such as binding sites; what else a string holds is not read.

        k(s, t) = Σ_m #_m(s) #_m(t),  m over the patterns

    In a pattern a letter is itself, `.` any letter, `[AG]` one of several, `[^AG]` any other. Places count where a
    pattern begins: overlapping ones too. A string with none of them has the value 0 with all others.

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

    domain: ClassVar[Domain] = "sequence"
    formula: ClassVar[str] = r"\sum_{m}\#_m(s)\,\#_m(t)"
    source: ClassVar[str] = "Ben-Hur and Brutlag 2003"
    cost: ClassVar[str] = "O(mN|s|) for m patterns, then one matrix product"

    def factor_rows(self, X: Array) -> Array:
        found = [motif_expression(pattern) for pattern in self.patterns]
        return np.array([[sum(1 for _ in one.finditer(s)) for one in found] for s in X], dtype=np.float64)


def motif_expression(pattern: str) -> re.Pattern[str]:
    """Return the expression that finds every beginning of a pattern, overlapping ones too."""
    parts = re.findall(r"\[\^?[^\[\]]+\]|.", pattern, re.DOTALL)
    written = []
    for part in parts:
        if part == ".":
            written.append(".")
        elif len(part) > 1:
            inside = part[1:-1].removeprefix("^")
            written.append(f"[{'^' if part[1] == '^' else ''}{''.join(map(re.escape, inside))}]")
        else:
            written.append(re.escape(part))
    return re.compile(f"(?={''.join(written)})", re.DOTALL)
