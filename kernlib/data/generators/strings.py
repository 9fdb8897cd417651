"""Generated data: strings of two Markov chains."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..dataset import About, Dataset
from .base import Generator, count_param, halves, real_param, rows_param, seed_param


@dataclass(frozen=True, repr=False)
class MarkovStrings(Generator):
    """Two classes of strings that differ only in how often a letter follows itself.

    Positive class: P(next = same) = stay, P(next = other) = (1 − stay)/(letters − 1) for each other letter;
    negative class: P(next) = 1/letters. The first letter is uniform in both.

    Parameters: n rows (half of them of each class, in random order), length of every string, letters of the
    alphabet (a, b, …), stay in [0, 1], seed.

    Raises ParameterError outside the declared ranges.

    Reference: Schölkopf, Weston, Eskin, Leslie, Noble: Dealing with large diagonals, section 4.1 (stay = 0.43, so
    that each of the 19 other letters has 0.03; n = 50).

    >>> data = MarkovStrings(seed=1).generate()
    >>> data
    Dataset('markov-strings', sequence, n=50, classes={'uniform': 25, 'sticky': 25})
    >>> len(data.rows[0])
    20
    """

    about: ClassVar[About] = About(
        "markov-strings",
        "Markov strings",
        "sequence",
        look_for="The subsequence kernel's Gram matrix is nearly diagonal; lower p and the sticky class appears as a "
        "block.",
        source="Generator of 'almost orthogonal patterns', section 4.1",
    )
    formula: ClassVar[str] = r"P(a \mid a) = s,\quad P(b \mid a) = \frac{1-s}{|\Sigma|-1}\ (b \neq a)"

    n: int = rows_param(50, high=500, maximum=5000)
    length: int = count_param(20, r"\ell", "letters per string", slider=(5, 60, 1), bounds=(2, 1000))
    letters: int = count_param(20, r"|\Sigma|", "size of the alphabet", slider=(2, 26, 1), bounds=(2, 26))
    stay: float = real_param(
        0.43,
        "s",
        "probability that a letter of the positive class follows itself",
        slider=(0.0, 1.0, 0.01),
        maximum=1.0,
    )
    seed: int = seed_param()

    def generate(self) -> Dataset:
        """Return the strings: each letter is the last one shifted by 0 (stay) or by 1…letters−1 (uniform)."""
        self._refuse_too_large(self.n, self.length, "n and length")
        rng = np.random.default_rng(self.seed)
        y = rng.permutation(halves(self.n))
        shape = (self.n, self.length - 1)
        moves = rng.integers(1, self.letters, size=shape)
        sticky = np.where(rng.random(shape) < self.stay, 0, moves)
        uniform = rng.integers(0, self.letters, size=shape)
        first = rng.integers(0, self.letters, size=(self.n, 1))
        steps = np.where(y[:, None] == 1, sticky, uniform)
        codes = np.concatenate([first, steps], axis=1).cumsum(axis=1) % self.letters
        letters = (codes + ord("a")).astype(np.uint8)
        rows = [row.tobytes().decode("ascii") for row in letters]
        return self._dataset(rows, y, classes=("uniform", "sticky"))
