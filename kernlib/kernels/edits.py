"""Edit distance: how many letters turn one string into another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.base import Kernel
from ..values.arrays import Array
from ..values.declare import param
from ..values.domains import Domain
from .letters import alphabet_of, over_pairs, read_letters

#: Entries of one table: a few tables stay in a core's second-level cache.
_TABLE_ENTRIES = 1 << 15


@dataclass(frozen=True, repr=False)
class EditDistance(Kernel):
    """An exponential of the edit distance: a natural similarity, and not positive semi-definite.

        k(s, t) = exp(−γ d(s, t)),  d the fewest letters put in, taken out or replaced (Levenshtein)

    Distances between strings are not distances between points, so that the matrix may have negative eigenvalues; the
    doctor says so, and `Repaired` or `Empirical` make a kernel of it. Two empty strings are equal.

    Parameters: gamma γ > 0; a large one lets only equal strings agree. Raises ParameterError otherwise, DomainError
    for rows that are not strings.

    Levenshtein 1966; Neuhaus and Bunke, "Edit distance-based kernel functions", Pattern Recognition 2006.

    >>> EditDistance(gamma=1.0)(["cat", "cart", ""]).round(4)  # distances 1, 3 and 4
    array([[1.    , 0.3679, 0.0498],
           [0.3679, 1.    , 0.0183],
           [0.0498, 0.0183, 1.    ]])
    """

    gamma: float = param(
        0.1,
        symbol=r"\gamma",
        help="a large one lets only equal strings agree",
        low=0.001,
        high=10.0,
        scale="log",
        minimum=0.0,
        open_minimum=True,
    )

    domain: ClassVar[Domain] = "sequence"
    psd: ClassVar[bool] = False
    formula: ClassVar[str] = r"\exp(-\gamma\, d(s,t)),\quad d\ \text{the edit distance}"
    source: ClassVar[str] = "Neuhaus and Bunke 2006"
    cost: ClassVar[str] = "O(N²|s||t|) for N strings"

    def gram(self, X: Array, Y: Array | None) -> Array:
        return np.asarray(np.exp(-self.gamma * edit_distances(X, Y)))

    def gram_diag(self, X: Array) -> Array:
        return np.ones(len(X))


def edit_distances(X: Array, Y: Array | None = None) -> Array:
    """Return the Levenshtein distance of every string of X to every one of Y, or of X, (n, m).

    >>> edit_distances(np.array(["kitten", "sitting", ""], dtype=object))
    array([[0., 3., 6.],
           [3., 0., 7.],
           [6., 7., 0.]])
    """
    # With all letters in the alphabet, a code below 0 is padding.
    letters = alphabet_of(X if Y is None else np.concatenate([X, Y]))
    x, y = read_letters(X, Y, letters)
    return over_pairs(x, None if Y is None else y, _TABLE_ENTRIES, _distances)


def _distances(s: Array, t: Array) -> Array:
    """Return the distances of P pairs at once, from codes (|s|, P) and (|t|, P) that are below 0 after a string's end.

    Row i of the table holds d(s_{1…i}, t_{1…j}) for all j. Letters put in along t are a running minimum of d − j.
    """
    lengths, ends = (s >= 0).sum(axis=0), (t >= 0).sum(axis=0)
    places = np.arange(len(t) + 1.0)[:, None]
    row = np.repeat(places, t.shape[1], axis=1)
    pairs = np.arange(t.shape[1])
    found = row[ends, pairs]  # of an empty string: all letters of the other
    for i, letter in enumerate(s, start=1):
        replaced = row[:-1] + (t != letter)
        row = row + 1.0
        np.minimum(row[1:], replaced, out=row[1:])
        row = np.minimum.accumulate(row - places, axis=0) + places
        done = lengths == i
        found[done] = row[ends[done], pairs[done]]
    return np.asarray(found)
