"""Nominal columns whose classes follow a rule or masses, and strings of a Markov chain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...values.arrays import Array
from ...values.declare import param
from ..dataset import Dataset
from ..entries import Entry, Generator, count_param, generated, halves, real_param, rows_param, seed_param

# Categories of a1…a6 of one chunk.
MODALITIES = np.array([3, 3, 2, 3, 4, 6])


def gmonks_rule(rows: Array) -> Array:
    """Return the class of GMonks rows, 0 or 1: chunks that obey p₂ ∧ ¬(p₁ ∧ p₃), at least half of them.

    p₁ = (a₁ = a₂) ∨ (a₅ = 1); p₂ = at least two of the six are 1; p₃ = (a₅ = 3 ∧ a₄ = 1) ∨ (a₅ ≠ 3 ∧ a₂ ≠ 2).

    Parameters: `rows` (n, 6·chunks) of whole numbers from 1.

    Reference: 'categorical kernels', algorithm 8.

    >>> gmonks_rule(np.array([[1, 2, 1, 1, 2, 5], [1, 1, 1, 1, 1, 1]]))
    array([1, 0])
    """
    a = np.asarray(rows).reshape(len(rows), -1, 6)
    a1, a2, a4, a5 = a[..., 0], a[..., 1], a[..., 3], a[..., 4]
    p1 = (a1 == a2) | (a5 == 1)
    p2 = (a == 1).sum(axis=2) >= 2
    p3 = ((a5 == 3) & (a4 == 1)) | ((a5 != 3) & (a2 != 2))
    obeyed = p2 & ~(p1 & p3)
    return np.asarray(2 * obeyed.sum(axis=1) >= a.shape[1], dtype=np.int64)


@dataclass(frozen=True, repr=False)
class GMonks(Generator):
    """Generalised monks' problem: chunks of six nominal columns and a logical rule.

    Columns uniform over 3, 3, 2, 3, 4 and 6 categories; the class is `gmonks_rule`.

    Parameters: n rows, chunks of six columns, seed.

    Raises ParameterError outside the declared ranges.

    Reference: 'categorical kernels', algorithm 8; its experiments use one chunk.

    >>> GMonks(n=100).generate().rows.shape
    (100, 6)
    """

    about: ClassVar[Entry] = generated(
        "gmonks",
        "GMonks",
        "categorical",
        240,
        "× 6",
        look_for="The rule joins columns: compare the overlap kernels with an RBF on the codes.",
        source="Generator of 'categorical kernels', algorithm 8",
    )
    formula: ClassVar[str] = r"\#\{\text{chunks}: p_2 \wedge \neg(p_1 \wedge p_3)\} \geq \tfrac12 \#\text{chunks}"

    n: int = rows_param(240)
    chunks: int = count_param(1, "d", "groups of six columns", slider=(1, 6, 1), bounds=(1, 50))
    seed: int = seed_param()

    def generate(self) -> Dataset:
        """Return rows (n, 6·chunks) of codes from 1."""
        self._refuse_too_large(self.n, 6 * self.chunks, "n and chunks")
        high = np.tile(MODALITIES, self.chunks)
        rows = np.random.default_rng(self.seed).integers(1, high + 1, size=(self.n, high.size))
        names = tuple(f"a{j + 1}" if self.chunks == 1 else f"c{j // 6 + 1}a{j % 6 + 1}" for j in range(high.size))
        return self._dataset(rows, gmonks_rule(rows), classes=("false", "true"), columns=names)


def poisson_masses(rate: float, count: int) -> Array:
    """Return the masses e^{−λ}λ^j/j! for j = 1…count (the source's listing drops λ^j).

    >>> poisson_masses(4.0, 3).round(4)
    array([0.0733, 0.1465, 0.1954])
    """
    from scipy.special import gammaln

    j = np.arange(1, count + 1)
    return np.asarray(np.exp(-rate + j * np.log(rate) - gammaln(j + 1)))


def printed_masses(rate: float, count: int) -> Array:
    """Return the masses as the source's listing has them, e^{−λ}/j! for j = 1…count.

    >>> printed_masses(4.0, 3).round(4)
    array([0.0183, 0.0092, 0.0031])
    """
    return np.asarray(poisson_masses(rate, count) / rate ** np.arange(1, count + 1))


@dataclass(frozen=True, repr=False)
class SyntheticPoisson(Generator):
    """Nominal columns whose class shows in the columns' probability mass functions alone.

    Each column has m + 1 categories, m = 2 + Poisson(λ), with cumulated masses F_0 = 0, F_j = F_{j−1} +
    e^{−λ}λ^j/j!. For x ~ U(0, 1) a positive row takes the last j with F_j < x, a negative one the last j with x <
    F_j (the first category when there is none).

    Parameters: n rows (half of each class, in random order), dimension (columns), rate λ > 0, masses "poisson" or
    "printed" (e^{−λ}/j!, with which nearly all mass is missing and each column alone separates the classes: the likely
    reason for the errors of 0 that the source reports), seed.

    Raises ParameterError outside the declared ranges.

    Reference: 'categorical kernels', algorithm 7. Erratum: its line 8 prints e^{−λ}/j!; the Poisson mass is
    e^{−λ}λ^j/j!. The source does not define the value of a negative row
    where no index fits.

    >>> SyntheticPoisson(n=60).generate()
    Dataset('synthetic-poisson', categorical, n=60, d=6, classes={'-': 30, '+': 30})
    """

    about: ClassVar[Entry] = generated(
        "synthetic-poisson",
        "Synthetic-Poisson",
        "categorical",
        240,
        "× 6",
        look_for="Nearly every kernel solves it, as the source found; see which categories are rare.",
        source="Generator of 'categorical kernels', algorithm 7",
        note="The masses carry the factor λ^j that the source's listing drops.",
    )
    formula: ClassVar[str] = r"P(j) = e^{-\lambda} \frac{\lambda^j}{j!}"

    n: int = rows_param(240)
    dimension: int = count_param(6, "d", "number of columns", slider=(1, 30, 1), bounds=(1, 500))
    rate: float = real_param(
        4.0,
        r"\lambda",
        "Poisson rate: how many categories a column has",
        slider=(0.5, 10.0, 0.5),
        maximum=50.0,
        positive=True,
    )
    masses: str = param(
        "poisson",
        symbol="P(j)",
        kind="choice",
        help="the Poisson masses, or those of the source's listing, which drops λ^j",
        choices=("poisson", "printed"),
    )
    seed: int = seed_param()

    def generate(self) -> Dataset:
        """Return rows (n, dimension) of codes from 1."""
        self._refuse_too_large(self.n, self.dimension, "n and dimension")
        rng = np.random.default_rng(self.seed)
        y = rng.permutation(halves(self.n))
        categories = 2 + rng.poisson(self.rate, self.dimension)
        x = rng.random((self.n, self.dimension))
        rows = np.empty((self.n, self.dimension), dtype=np.int64)
        mass = poisson_masses if self.masses == "poisson" else printed_masses
        for column, m in enumerate(categories):
            F = np.concatenate([[0.0], np.cumsum(mass(self.rate, int(m)))])
            # the last j with F_j < x; F is ascending, so their number is that j, counted from 1
            common = np.maximum(np.searchsorted(F, x[:, column], side="left"), 1)
            # the last j with x < F_j is the last of all, as F ascends, unless x lies above the whole of F
            rare = np.where(x[:, column] < F[-1], F.size, 1)
            rows[:, column] = np.where(y == 1, common, rare)
        return self._dataset(rows, y, classes=("-", "+"))


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

    about: ClassVar[Entry] = generated(
        "markov-strings",
        "Markov strings",
        "sequence",
        50,
        "strings of 20",
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
