"""The spectrum kernel: how often each contiguous word occurs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.base import Kernel
from ..values.arrays import Array
from ..values.declare import param
from ..values.domains import Domain
from .letters import read_letters, warn_too_short
from .words import count_products, count_squares, words_of


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

    length: int = param(
        3, kind="int", symbol=r"\gamma", help="letters in a word; long words make the diagonal large",
        low=1, high=10, minimum=1, maximum=10_000,
    )  # fmt: skip

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
