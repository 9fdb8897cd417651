"""Generators: frozen values with declared parameters; the same seed gives the same data.

A new one is an entry of sample_data/README.md, which has its words, and a class.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..errors import ParameterError
from ..values.arrays import Array
from ..values.declare import one_of
from . import samples  # noqa: F401 (some generators start from the rows of one)
from .catalogue import CATALOGUE, Content, Generator, number_param, rows_param, seed_param


def _noise_param(default: float, symbol: str = r"\tau", *, high: float = 1.0, step: float = 0.01) -> Any:
    """Return the declared deviation of the noise."""
    return number_param(
        default, symbol, "standard deviation of the noise", slider=(0.0, high, step), bounds=(0.0, 100.0)
    )


class TwoClasses(Generator):
    """Two classes of equal size in random order."""

    n: int
    classes: ClassVar[tuple[str, str]] = ("-", "+")

    def draw(self, rng: np.random.Generator) -> Content:
        """Return rows, codes and classes."""
        y = rng.permutation((np.arange(self.n) >= self.n - self.n // 2).astype(np.int64))
        return dict(rows=self.points(y, rng), y=y, classes=self.classes)

    def points(self, y: Array, rng: np.random.Generator) -> Any:
        """Return the rows of these classes."""
        raise NotImplementedError


@dataclass(frozen=True, repr=False)
class MarkovStrings(TwoClasses):
    """Two classes of strings that differ only in how often a letter follows itself.

    Positive class: P(next = same) = stay, P(next = other) = (1 − stay)/(letters − 1) for each other letter;
    negative class: P(next) = 1/letters. The first letter is uniform in both.

    Reference: Schölkopf, Weston, Eskin, Leslie, Noble: Dealing with large diagonals, section 4.1 (stay = 0.43, so
    that each of the 19 other letters has 0.03; n = 50).

    >>> data = MarkovStrings(seed=1).generate()
    >>> data
    Dataset('markov-strings', sequence, n=50, classes={'uniform': 25, 'sticky': 25})
    >>> len(data.rows[0])
    20
    """

    entry = "markov-strings"
    classes = ("uniform", "sticky")
    formula = r"P(a \mid a) = s,\quad P(b \mid a) = \frac{1-s}{|\Sigma|-1}\ (b \neq a)"

    n: int = rows_param(50, high=500, maximum=5000)
    length: int = number_param(20, r"\ell", "letters per string", slider=(5, 60, 1), bounds=(2, 1000))
    letters: int = number_param(20, r"|\Sigma|", "size of the alphabet", slider=(2, 26, 1), bounds=(2, 26))
    stay: float = number_param(
        0.43,
        "s",
        "probability that a letter of the positive class follows itself",
        slider=(0.0, 1.0, 0.01),
        bounds=(0.0, 1.0),
    )
    seed: int = seed_param()

    def points(self, y: Array, rng: np.random.Generator) -> Any:
        """Return the strings: each letter is the last one shifted by 0 (stay) or by 1…letters−1 (uniform)."""
        shape = (self.n, self.length - 1)
        moves = rng.integers(1, self.letters, size=shape)
        sticky = np.where(rng.random(shape) < self.stay, 0, moves)
        uniform = rng.integers(0, self.letters, size=shape)
        first = rng.integers(0, self.letters, size=(self.n, 1))
        steps = np.where(y[:, None] == 1, sticky, uniform)
        codes = np.concatenate([first, steps], axis=1).cumsum(axis=1) % self.letters
        letters = (codes + ord("a")).astype(np.uint8)
        return [row.tobytes().decode("ascii") for row in letters]


@dataclass(frozen=True, repr=False)
class NoisyColon(Generator):
    """Colon tissues with sparse noise columns: ⟨x, x⟩ grows by nonzero/3 on average, ⟨x, x'⟩ hardly at all.

    x ← (x, z), z ∈ R^columns zero but for `nonzero` places drawn anew for each row, there uniform in (0, 1).

    Parameters: columns added, nonzero of them per row, scaling of the 2000 genes: "standardised" (logarithm, each
    column to mean 0 and deviation 1, each row to length 1), "unit" (each row of raw intensities to length 1) or
    "tissues" (logarithm, each row standardised, then each column, each row to length 1), seed.

    Raises ParameterError outside the declared ranges, or when nonzero > columns.

    Reference: 'almost orthogonal patterns', section 4.1 and figure 2, where the diagonal is 1 before and 32–39
    after: rows of length 1 plus 100 squares of mean 1/3. The source does not say how the genes were scaled before;
    "tissues" gives the cosines that the figure prints.

    >>> NoisyColon(columns=1000).generate()
    Dataset('colon-noise', vector, n=62, d=3000, classes={'tumour': 40, 'normal': 22})
    """

    entry = "colon-noise"
    formula = r"x \leftarrow (x, z),\ z \in \mathbb{R}^{m}\ \text{with } r \text{ entries} \sim U(0,1)"

    columns: int = number_param(10_000, "m", "noise columns added", slider=(0, 20_000, 500), bounds=(0, 100_000))
    nonzero: int = number_param(
        100, "r", "entries of a row that are not zero", slider=(0, 500, 10), bounds=(0, 100_000)
    )
    scaling: str = one_of(
        "standardised", r"\text{scaling}", "how the genes are scaled", ("standardised", "unit", "tissues")
    )
    seed: int = seed_param()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.nonzero > self.columns:
            raise ParameterError(
                f"NoisyColon: nonzero must be at most columns={self.columns}; got nonzero={self.nonzero}. "
                f"Try nonzero={self.columns // 100}."
            )

    def draw(self, rng: np.random.Generator) -> Content:
        """Return rows (62, 2000 + columns)."""
        base = CATALOGUE["colon"].load()
        X = base.rows if self.scaling == "unit" else np.log(base.rows)
        for axis in {"unit": (), "standardised": (0,), "tissues": (1, 0)}[self.scaling]:
            X = (X - X.mean(axis=axis, keepdims=True)) / X.std(axis=axis, keepdims=True)
        X = X / np.linalg.norm(X, axis=1, keepdims=True)
        Z = np.zeros((base.n, self.columns))
        if self.nonzero:
            places = rng.permuted(np.tile(np.arange(self.columns), (base.n, 1)), axis=1)[:, : self.nonzero]
            np.put_along_axis(Z, places, rng.random((base.n, self.nonzero)), axis=1)
        names = base.columns + tuple(f"noise{j + 1}" for j in range(self.columns))
        return dict(rows=np.concatenate([X, Z], axis=1), y=base.y, classes=base.classes, columns=names)


@dataclass(frozen=True, repr=False)
class HiddenVariables(TwoClasses):
    """Ten informative and ten noise variables, which only the kernel (⟨h, h'⟩ + 1)⁴ reads.

    h = (N(y·shift·1, I), N(0, I)), y = ±1; the visible variables are all monomials of degree 1 to 4 of h, met
    through the kernel k = (⟨h, h'⟩ + 1)⁴, i.e. ``Polynomial(degree=4, offset=1)`` on these rows.

    Reference: 'almost orthogonal patterns', section 4.1, table 3 (the number of rows is not printed there).

    >>> HiddenVariables(n=60).generate()
    Dataset('hidden-variables', vector, n=60, d=20, classes={'-': 30, '+': 30})
    """

    entry = "hidden-variables"
    formula = r"h \sim (N(y\mu\mathbf{1}, I), N(0, I)),\quad k = (\langle h, h'\rangle + 1)^4"

    n: int = rows_param(100)
    informative: int = number_param(10, "d_1", "columns whose mean is the class", slider=(1, 50, 1), bounds=(1, 500))
    noise: int = number_param(10, "d_0", "columns of noise", slider=(0, 50, 1), bounds=(0, 500))
    shift: float = number_param(
        0.5, r"\mu", "mean of an informative column of the positive class", slider=(0.0, 2.0, 0.05), bounds=(0.0, 100.0)
    )
    seed: int = seed_param()

    def points(self, y: Array, rng: np.random.Generator) -> Any:
        """Return rows h (n, informative + noise) in random order."""
        H = rng.standard_normal((self.n, self.informative + self.noise))
        H[:, : self.informative] += self.shift * np.where(y == 1, 1.0, -1.0)[:, None]
        return H

    def draw(self, rng: np.random.Generator) -> Content:
        """Return rows with the names of their columns."""
        names = [f"h{j + 1}" for j in range(self.informative)] + [f"noise{j + 1}" for j in range(self.noise)]
        return super().draw(rng) | {"columns": names}


@dataclass(frozen=True, repr=False)
class Sinc(Generator):
    """Noisy regression on one input: a sine divided by its argument.

    y = sin(ωx)/(ωx) + ε, x uniform in (−π, π), ε ~ N(0, noise²); rows sorted by x.

    Reference: 'kernels, feature space, model selection', the model Y = G + ε; range and frequency are ours.

    >>> Sinc(n=50).generate()
    Dataset('sinc', vector, n=50, d=1, regression)
    """

    entry = "sinc"
    formula = r"y = \frac{\sin \omega x}{\omega x} + \varepsilon,\ \varepsilon \sim N(0, \tau^2)"

    n: int = rows_param(200)
    noise: float = _noise_param(0.1)
    frequency: float = number_param(
        4.0, r"\omega", "how quickly the curve waves", slider=(0.5, 10.0, 0.5), bounds=(0.0, 1000.0), positive=True
    )
    seed: int = seed_param()

    def draw(self, rng: np.random.Generator) -> Content:
        """Return inputs (n, 1) in ascending order and real targets."""
        x = np.sort(rng.uniform(-np.pi, np.pi, self.n))
        # numpy's sinc(t) is sin(πt)/(πt)
        y = np.sinc(self.frequency * x / np.pi) + self.noise * rng.standard_normal(self.n)
        return dict(rows=x[:, None], y=y, task="regression", columns=("x",))

    def target(self, rows: Array) -> Array:
        """Return sin(ωx)/(ωx).

        >>> Sinc(frequency=1.0).target(np.array([[0.0]]))
        array([1.])
        """
        return np.asarray(np.sinc(self.frequency * np.asarray(rows, dtype=np.float64)[:, 0] / np.pi))


#: α of the target g = Σ λᵢ αᵢ ψᵢ: a function that the kernel's operator can represent, as [R]'s theorem asks.
ALPHA = (1.0, -2.0, 2.0, 0.0, 2.0)


@dataclass(frozen=True, repr=False)
class NormalInputs(Generator):
    """Noisy regression on one normal input, whose RBF kernel has known eigenvalues and eigenfunctions.

    x ~ N(0, 1), y = g(x) + ε, g = Σᵢ λᵢ αᵢ ψᵢ with α = (1, −2, 2, 0, 2), ε ~ N(0, noise²). λ and ψ are those of
    the RBF kernel with this width under the density of x: with a = 1/4, b = 1/(2 width²), c = √(a² + 2ab),
    A = a + b + c and k = 0, 1, …

        λ_k = √(2a/A) (b/A)^k,  ψ_k(x) = (c/a)^¼ (2^k k!)^−½ exp(−(c − a) x²) H_k(√(2c) x)

    Reference: Zhu, Williams, Rohwer, Morciniec, 'Gaussian regression and optimal finite dimensional linear models',
    1998; Rasmussen and Williams, 'Gaussian Processes for Machine Learning', 2006, section 4.3.1.

    >>> NormalInputs(n=50).generate()
    Dataset('normal-inputs', vector, n=50, d=1, regression)
    >>> NormalInputs().eigenvalues(3).round(3)
    array([0.39 , 0.238, 0.145])
    """

    entry = "normal-inputs"
    formula = r"y = \sum_i \lambda_i \alpha_i \psi_i(x) + \varepsilon,\ x \sim N(0, 1)"

    n: int = rows_param(200)
    noise: float = _noise_param(0.2)
    width: float = number_param(
        0.5, r"\ell", "width of the RBF kernel", slider=(0.2, 2.0, 0.1), bounds=(0.0, 100.0), positive=True
    )
    seed: int = seed_param()

    def draw(self, rng: np.random.Generator) -> Content:
        """Return inputs (n, 1) and real targets; the first rows of more rows are the rows of fewer."""
        rng, noise = (np.random.default_rng([self.seed, part]) for part in (0, 1))
        X = rng.standard_normal(self.n)[:, None]
        y = self.target(X) + self.noise * noise.standard_normal(self.n)
        return dict(rows=X, y=y, task="regression", columns=("x",))

    def eigenvalues(self, count: int) -> Array:
        """Return the leading eigenvalues λ of the kernel's operator, (count,)."""
        a, b, c = self._constants()
        A = a + b + c
        return np.asarray(np.sqrt(2 * a / A) * (b / A) ** np.arange(count))

    def eigenfunctions(self, x: Array, count: int) -> Array:
        """Return the leading eigenfunctions ψ at places (n,), as (n, count), orthonormal under the density of x."""
        from scipy.special import eval_hermite, gammaln

        a, _, c = self._constants()
        x, k = np.asarray(x, dtype=np.float64)[:, None], np.arange(count)
        size = 0.25 * np.log(c / a) - 0.5 * (k * np.log(2.0) + gammaln(k + 1.0))
        return np.asarray(np.exp(size - (c - a) * x**2) * eval_hermite(k, np.sqrt(2 * c) * x))

    def coefficients(self, count: int) -> Array:
        """Return σᵢ = ⟨ψᵢ, g⟩ = λᵢ αᵢ of the target, (count,)."""
        alpha = np.zeros(max(count, len(ALPHA)))
        alpha[: len(ALPHA)] = ALPHA
        return np.asarray((self.eigenvalues(len(alpha)) * alpha)[:count])

    def target(self, rows: Array) -> Array:
        """Return g(x)."""
        x = np.asarray(rows, dtype=np.float64)[:, 0]
        return np.asarray(self.eigenfunctions(x, len(ALPHA)) @ self.coefficients(len(ALPHA)))

    def _constants(self) -> tuple[float, float, float]:
        a, b = 0.25, 0.5 / self.width**2
        return a, b, float(np.sqrt(a * a + 2 * a * b))


@dataclass(frozen=True, repr=False)
class Banana(TwoClasses):
    """Two interlocking crescents in the plane with normal noise.

    (cos t, sin t) for the class '-', (1 − cos t, ½ − sin t) for '+', t uniform in (0, π), plus N(0,
    noise²·I).

    Reference: in the manner of the banana set of Rätsch, Onoda, Müller (2001), which is shipped as 'banana'; its
    own generator is not printed.

    >>> Banana(n=30).generate().class_counts
    {'-': 15, '+': 15}
    """

    entry = "banana-like"
    formula = r"(\cos t, \sin t)\ \text{and}\ (1-\cos t, \tfrac12-\sin t),\ t \sim U(0,\pi)"

    n: int = rows_param(300)
    noise: float = _noise_param(0.2)
    seed: int = seed_param()

    def points(self, y: Array, rng: np.random.Generator) -> Any:
        """Return rows (n, 2) in random order."""
        t = rng.uniform(0.0, np.pi, self.n)
        first = np.stack([np.cos(t), np.sin(t)], axis=1)
        second = np.stack([1.0 - np.cos(t), 0.5 - np.sin(t)], axis=1)
        return np.where(y[:, None] == 1, second, first) + self.noise * rng.standard_normal((self.n, 2))


@dataclass(frozen=True, repr=False)
class Twonorm(TwoClasses):
    """Two normal classes of unit covariance with opposite means.

    x ~ N(±a·1, I), a = 2/√d.

    Reference: Breiman (1996), Bias, variance and arcing classifiers; the benchmark's twonorm with d = 20. The
    optimal rule is the sign of Σx_j, with an error of Φ(−2) = 2.3 %.

    >>> Twonorm(n=100).generate()
    Dataset('twonorm', vector, n=100, d=20, classes={'-': 50, '+': 50})
    """

    entry = "twonorm"
    formula = r"x \sim N(\pm a \mathbf{1}, I),\ a = 2/\sqrt{d}"

    n: int = rows_param(400)
    dimension: int = number_param(20, "d", "number of columns", slider=(2, 100, 1), bounds=(1, 1000))
    seed: int = seed_param()

    def points(self, y: Array, rng: np.random.Generator) -> Any:
        """Return rows (n, d) in random order."""
        a = 2.0 / np.sqrt(self.dimension)
        return rng.standard_normal((self.n, self.dimension)) + a * np.where(y == 1, 1.0, -1.0)[:, None]

    def target(self, rows: Array) -> Array:
        """Return P(+ | x) − P(− | x) = tanh(a Σ x_j), a = 2/√d."""
        return np.asarray(np.tanh(2.0 / np.sqrt(self.dimension) * np.asarray(rows, dtype=np.float64).sum(axis=1)))


@dataclass(frozen=True, repr=False)
class Ringnorm(TwoClasses):
    """A narrow normal class inside a wide one.

    '+': x ~ N(0, 4I); '-': x ~ N(a·1, I), a = 2/√d.

    Reference: Breiman (1996). His text has a = 1/√d; the benchmark's pool (class means and variances measured on
    it) has a = 2/√d, which is used here.

    >>> Ringnorm(n=100).generate().class_counts
    {'-': 50, '+': 50}
    """

    entry = "ringnorm"
    formula = r"+: N(0, 4I),\quad -: N(a \mathbf{1}, I),\ a = 2/\sqrt{d}"

    n: int = rows_param(400)
    dimension: int = number_param(20, "d", "number of columns", slider=(2, 100, 1), bounds=(1, 1000))
    seed: int = seed_param()

    def points(self, y: Array, rng: np.random.Generator) -> Any:
        """Return rows (n, d) in random order."""
        Z = rng.standard_normal((self.n, self.dimension))
        return np.where(y[:, None] == 1, 2.0 * Z, Z + 2.0 / np.sqrt(self.dimension))


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

    Reference: 'categorical kernels', algorithm 8; its experiments use one chunk.

    >>> GMonks(n=100).generate().rows.shape
    (100, 6)
    """

    entry = "gmonks"
    formula = r"\#\{\text{chunks}: p_2 \wedge \neg(p_1 \wedge p_3)\} \geq \tfrac12 \#\text{chunks}"

    n: int = rows_param(240)
    chunks: int = number_param(1, "d", "groups of six columns", slider=(1, 6, 1), bounds=(1, 50))
    seed: int = seed_param()

    def draw(self, rng: np.random.Generator) -> Content:
        """Return rows (n, 6·chunks) of codes from 1."""
        high = np.tile(MODALITIES, self.chunks)
        rows = rng.integers(1, high + 1, size=(self.n, high.size))
        names = tuple(f"a{j + 1}" if self.chunks == 1 else f"c{j // 6 + 1}a{j % 6 + 1}" for j in range(high.size))
        return dict(rows=rows, y=gmonks_rule(rows), classes=("false", "true"), columns=names)


def poisson_masses(rate: float, count: int) -> Array:
    """Return the masses e^{−λ}λ^j/j! for j = 1…count (the source's listing drops λ^j).

    >>> poisson_masses(4.0, 3).round(4)
    array([0.0733, 0.1465, 0.1954])
    """
    from scipy.special import gammaln

    j = np.arange(1, count + 1)
    return np.asarray(np.exp(-rate + j * np.log(rate) - gammaln(j + 1)))


@dataclass(frozen=True, repr=False)
class SyntheticPoisson(TwoClasses):
    """Nominal columns whose class shows in the columns' probability mass functions alone.

    Each column has m + 1 categories, m = 2 + Poisson(λ), with cumulated masses F_0 = 0, F_j = F_{j−1} +
    e^{−λ}λ^j/j!. For x ~ U(0, 1) a positive row takes the last j with F_j < x, a negative one the last j with x <
    F_j (the first category when there is none).

    Parameters: n rows (half of each class, in random order), dimension (columns), rate λ > 0, masses "poisson" or
    "printed" (e^{−λ}/j!, with which nearly all mass is missing and each column alone separates the classes: the likely
    reason for the errors of 0 that the source reports), seed.

    Reference: 'categorical kernels', algorithm 7. Erratum: its line 8 prints e^{−λ}/j!; the Poisson mass is
    e^{−λ}λ^j/j!. The source does not define the value of a negative row
    where no index fits.

    >>> SyntheticPoisson(n=60).generate()
    Dataset('synthetic-poisson', categorical, n=60, d=6, classes={'-': 30, '+': 30})
    """

    entry = "synthetic-poisson"
    formula = r"P(j) = e^{-\lambda} \frac{\lambda^j}{j!}"

    n: int = rows_param(240)
    dimension: int = number_param(6, "d", "number of columns", slider=(1, 30, 1), bounds=(1, 500))
    rate: float = number_param(
        4.0,
        r"\lambda",
        "Poisson rate: how many categories a column has",
        slider=(0.5, 10.0, 0.5),
        bounds=(0.0, 50.0),
        positive=True,
    )
    masses: str = one_of(
        "poisson",
        "P(j)",
        "the Poisson masses, or those of the source's listing, which drops λ^j",
        ("poisson", "printed"),
    )
    seed: int = seed_param()

    def points(self, y: Array, rng: np.random.Generator) -> Any:
        """Return rows (n, dimension) of codes from 1."""
        categories = 2 + rng.poisson(self.rate, self.dimension)
        x = rng.random((self.n, self.dimension))
        rows = np.empty((self.n, self.dimension), dtype=np.int64)
        for column, m in enumerate(categories):
            mass = poisson_masses(self.rate, int(m))
            if self.masses == "printed":
                mass = mass / self.rate ** np.arange(1, m + 1)
            F = np.concatenate([[0.0], np.cumsum(mass)])
            # the last j with F_j < x; F is ascending, so their number is that j, counted from 1
            common = np.maximum(np.searchsorted(F, x[:, column], side="left"), 1)
            # the last j with x < F_j is the last of all, as F ascends, unless x lies above the whole of F
            rare = np.where(x[:, column] < F[-1], F.size, 1)
            rows[:, column] = np.where(y == 1, common, rare)
        return rows


@dataclass(frozen=True, repr=False)
class CylinderBellFunnel(Generator):
    """Noisy series with one plateau, one rise or one fall, anywhere and of any duration.

    On the interval [a, b] the value is (6 + η) times 1 (cylinder), (t − a)/(b − a) (bell) or (b − t)/(b − a) (funnel),
    elsewhere 0; η and the noise ε(t) added at every t are normal, ε of standard deviation `noise`.

    Parameters: n rows, the three shapes in turn and in random order; length ℓ of the series; unequal u: each series is
    cut at its end by up to the share u; noise; seed. a is uniform in [ℓ/8, ℓ/4], b − a in [ℓ/4, 3ℓ/4]: [16, 32] and
    [32, 96] for ℓ = 128, as in the source.

    Reference: Saito, Local feature extraction and its applications, PhD thesis, Yale 1994, section 4.4.

    >>> data = CylinderBellFunnel(n=6).generate()
    >>> data, data.rows[0].length
    (Dataset('cylinder-bell-funnel', series, n=6, classes={'cylinder': 2, 'bell': 2, 'funnel': 2}), 123)
    """

    entry = "cylinder-bell-funnel"
    formula = r"x(t) = (6+\eta)\,1[a \le t \le b]\,s(t) + \varepsilon(t)"

    n: int = rows_param(120, high=600, maximum=5000)
    length: int = number_param(128, r"\ell", "times of a series", slider=(16, 512, 8), bounds=(8, 5000))
    unequal: float = number_param(
        0.25, "u", "share by which a series is cut at its end at most", slider=(0.0, 0.5, 0.05), bounds=(0.0, 0.9)
    )
    noise: float = _noise_param(1.0, r"\sigma", high=4.0, step=0.1)
    seed: int = seed_param()

    def draw(self, rng: np.random.Generator) -> Content:
        """Return the series with the classes cylinder, bell and funnel."""
        y = rng.permutation(np.arange(self.n) % 3)
        t = np.arange(1, self.length + 1.0)
        start = rng.uniform(self.length / 8, self.length / 4, self.n)[:, None]
        stop = start + rng.uniform(self.length / 4, 3 * self.length / 4, self.n)[:, None]
        share = (t - start) / (stop - start)
        shape = np.choose(y[:, None], [np.ones_like(share), share, 1.0 - share])
        height = 6.0 + rng.normal(size=(self.n, 1))
        noise = self.noise * rng.normal(size=share.shape)
        values = height * shape * ((t >= start) & (t <= stop)) + noise
        ends = np.maximum(2, np.ceil(self.length * (1 - self.unequal * rng.random(self.n)))).astype(int)
        rows = [row[:end] for row, end in zip(values, ends, strict=True)]
        return dict(rows=rows, y=y, classes=("cylinder", "bell", "funnel"))


@dataclass(frozen=True, repr=False)
class DigitPairs(Generator):
    """Pairs of handwritten digits: do both show the same digit?

    Rows (a, b) are row numbers, a < b, into `base` (a stratified sample of the digits 3 and 8); no pair occurs twice.

    Reference: the shape of 'Protein' in 'deep kernel machines', table 3.1 (40 interacting pairs against 160), whose
    score matrix is not available.

    >>> data = DigitPairs().generate()
    >>> data, data.base.n
    (Dataset('digit-pairs', pair, n=200, classes={'different': 160, 'same': 40}), 60)
    """

    entry = "digit-pairs"
    formula = r"y(a, b) = 1[\text{digit}(a) = \text{digit}(b)]"

    same: int = number_param(40, "n_1", "pairs of the same digit", slider=(10, 200, 10), bounds=(2, 400))
    different: int = number_param(160, "n_0", "pairs of different digits", slider=(10, 400, 10), bounds=(2, 400))
    images: int = number_param(60, "m", "images that the pairs are drawn from", slider=(60, 400, 10), bounds=(60, 1200))
    seed: int = seed_param()

    def draw(self, rng: np.random.Generator) -> Content:
        """Return pairs (same + different, 2) in random order, with `base` set."""
        base = CATALOGUE["digits-3-8"].load().stratified_sample(self.images, seed=self.seed)
        assert base.y is not None
        a, b = np.triu_indices(base.n, k=1)
        same = base.y[a] == base.y[b]
        chosen = np.concatenate(
            [
                rng.choice(np.flatnonzero(same), self.same, replace=False),
                rng.choice(np.flatnonzero(~same), self.different, replace=False),
            ]
        )
        chosen = rng.permutation(chosen)
        names = tuple(f"{base.ids[i]}–{base.ids[j]}" for i, j in zip(a[chosen], b[chosen], strict=True))
        rows, y = np.stack([a[chosen], b[chosen]], axis=1), same[chosen].astype(np.int64)
        return dict(rows=rows, y=y, classes=("different", "same"), ids=names, base=base)
