"""Vector data: clouds, a noisy curve, inputs with a known spectrum, and data with large diagonals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...errors import ParameterError
from ...values.arrays import Array
from ...values.declare import param
from ..dataset import Dataset
from ..entries import Entry, Generator, count_param, generated, halves, real_param, rows_param, seed_param
from ..samples import SAMPLES


@dataclass(frozen=True, repr=False)
class Sinc(Generator):
    """Noisy regression on one input: a sine divided by its argument.

    y = sin(ωx)/(ωx) + ε, x uniform in (−π, π), ε ~ N(0, noise²); rows sorted by x.

    Parameters: n rows, noise ≥ 0 (standard deviation), frequency ω > 0, seed.

    Raises ParameterError outside the declared ranges.

    Reference: 'kernels, feature space, model selection', the model Y = G + ε; range and frequency are ours.

    >>> Sinc(n=50).generate()
    Dataset('sinc', vector, n=50, d=1, regression)
    """

    about: ClassVar[Entry] = generated(
        "sinc",
        "Noisy sinc (regression)",
        "vector",
        200,
        "× 1",
        look_for="The label coefficients fall to the level of the noise after the relevant dimension.",
        source="Generator of 'kernels, feature space, model selection'",
        note="Range and frequency are our choice.",
    )
    formula: ClassVar[str] = r"y = \frac{\sin \omega x}{\omega x} + \varepsilon,\ \varepsilon \sim N(0, \tau^2)"

    n: int = rows_param(200)
    noise: float = real_param(0.1, r"\tau", "standard deviation of the noise", slider=(0.0, 1.0, 0.01), maximum=100.0)
    frequency: float = real_param(
        4.0, r"\omega", "how quickly the curve waves", slider=(0.5, 10.0, 0.5), maximum=1000.0, positive=True
    )
    seed: int = seed_param()

    def generate(self) -> Dataset:
        """Return inputs (n, 1) in ascending order and real targets."""
        rng = np.random.default_rng(self.seed)
        x = np.sort(rng.uniform(-np.pi, np.pi, self.n))
        # numpy's sinc(t) is sin(πt)/(πt)
        y = np.sinc(self.frequency * x / np.pi) + self.noise * rng.standard_normal(self.n)
        return self._dataset(x[:, None], y, task="regression", columns=("x",))

    def target(self, rows: Array) -> Array:
        """Return sin(ωx)/(ωx).

        >>> Sinc(frequency=1.0).target(np.array([[0.0]]))
        array([1.])
        """
        return np.asarray(np.sinc(self.frequency * np.asarray(rows, dtype=np.float64)[:, 0] / np.pi))


@dataclass(frozen=True, repr=False)
class TwoClusters(Generator):
    """Two normal clusters at −distance and +distance on the first axis.

    x ~ N(±distance·e₁, spread²·I), half of the rows in each.

    Parameters: n rows, distance of each centre from the origin, spread > 0, dimension 1, 2, …, seed.

    Raises ParameterError outside the declared ranges.

    Reference: 'kernels, feature space, model selection': 'Data consists of two clusters at 3 and −3'.

    >>> TwoClusters(n=40, dimension=2).generate()
    Dataset('two-clusters', vector, n=40, d=2, classes={'-': 20, '+': 20})
    """

    about: ClassVar[Entry] = generated(
        "two-clusters",
        "Two clusters at ±3",
        "vector",
        200,
        "× 1",
        look_for="With a narrow RBF each leading eigenvector lives on one cluster and is flat on the other.",
        source="Generator of 'kernels, feature space, model selection'",
    )
    formula: ClassVar[str] = r"x \sim N(\pm c\, e_1,\ \tau^2 I)"

    n: int = rows_param(200)
    distance: float = real_param(
        3.0, "c", "distance of each centre from the origin", slider=(0.0, 6.0, 0.1), maximum=1000.0
    )
    spread: float = real_param(
        1.0, r"\tau", "standard deviation of a cluster", slider=(0.1, 3.0, 0.1), maximum=1000.0, positive=True
    )
    dimension: int = count_param(1, "d", "number of columns", slider=(1, 10, 1), bounds=(1, 1000))
    seed: int = seed_param()

    def generate(self) -> Dataset:
        """Return rows (n, dimension), the left cluster first."""
        self._refuse_too_large(self.n, self.dimension, "n and dimension")
        y = halves(self.n)
        X = self.spread * np.random.default_rng(self.seed).standard_normal((self.n, self.dimension))
        X[:, 0] += self.distance * np.where(y == 1, 1.0, -1.0)
        return self._dataset(X, y, classes=("-", "+"))

    def target(self, rows: Array) -> Array:
        """Return P(+ | x) − P(− | x) = tanh(c x₁ / spread²)."""
        return np.asarray(np.tanh(self.distance * np.asarray(rows, dtype=np.float64)[:, 0] / self.spread**2))


@dataclass(frozen=True, repr=False)
class Banana(Generator):
    """Two interlocking crescents in the plane with normal noise.

    (cos t, sin t) for the class '-', (1 − cos t, ½ − sin t) for '+', t uniform in (0, π), plus N(0,
    noise²·I).

    Parameters: n rows (half of each class), noise ≥ 0, seed.

    Raises ParameterError outside the declared ranges.

    Reference: in the manner of the banana set of Rätsch, Onoda, Müller (2001), which is shipped as 'banana'; its
    own generator is not printed.

    >>> Banana(n=30).generate().class_counts
    {'-': 15, '+': 15}
    """

    about: ClassVar[Entry] = generated(
        "banana-like",
        "Banana-like crescents",
        "vector",
        300,
        "× 2",
        look_for="A straight line cannot separate the crescents; watch which kernel PCA direction can.",
        source="Our generator, in the manner of the benchmark's banana set",
        note="Not the benchmark's own generator, which is not printed: its data are 'banana'.",
    )
    formula: ClassVar[str] = r"(\cos t, \sin t)\ \text{and}\ (1-\cos t, \tfrac12-\sin t),\ t \sim U(0,\pi)"

    n: int = rows_param(300)
    noise: float = real_param(0.2, r"\tau", "standard deviation of the noise", slider=(0.0, 1.0, 0.01), maximum=100.0)
    seed: int = seed_param()

    def generate(self) -> Dataset:
        """Return rows (n, 2) in random order."""
        rng = np.random.default_rng(self.seed)
        y = rng.permutation(halves(self.n))
        t = rng.uniform(0.0, np.pi, self.n)
        first = np.stack([np.cos(t), np.sin(t)], axis=1)
        second = np.stack([1.0 - np.cos(t), 0.5 - np.sin(t)], axis=1)
        X = np.where(y[:, None] == 1, second, first) + self.noise * rng.standard_normal((self.n, 2))
        return self._dataset(X, y, classes=("-", "+"))

    def target(self, rows: Array) -> Array | None:
        """Return P(+ | x) − P(− | x), the two densities integrated over t; None without noise."""
        from scipy.special import logsumexp

        if self.noise < 0.01:  # narrower than the steps of the integral
            return None
        X, t = np.asarray(rows, dtype=np.float64), np.pi * (np.arange(1000) + 0.5) / 1000
        curves = (np.stack([np.cos(t), np.sin(t)]), np.stack([1.0 - np.cos(t), 0.5 - np.sin(t)]))
        logs = []
        for curve in curves:
            squared = (X**2).sum(axis=1)[:, None] - 2 * X @ curve + (curve**2).sum(axis=0)
            logs.append(logsumexp(-squared / (2 * self.noise**2), axis=1))
        return np.asarray(np.tanh((logs[1] - logs[0]) / 2))


@dataclass(frozen=True, repr=False)
class Twonorm(Generator):
    """Two normal classes of unit covariance with opposite means.

    x ~ N(±a·1, I), a = 2/√d.

    Parameters: n rows (half of each class), dimension d, seed.

    Raises ParameterError outside the declared ranges.

    Reference: Breiman (1996), Bias, variance and arcing classifiers; the benchmark's twonorm with d = 20. The
    optimal rule is the sign of Σx_j, with an error of Φ(−2) = 2.3 %.

    >>> Twonorm(n=100).generate()
    Dataset('twonorm', vector, n=100, d=20, classes={'-': 50, '+': 50})
    """

    about: ClassVar[Entry] = generated(
        "twonorm",
        "Twonorm",
        "vector",
        400,
        "× 20",
        look_for="The relevant dimension is 2: direction 2 holds the classes, direction 1 is nearly constant.",
        source="Breiman 1996; 'kernels, feature space, model selection', benchmark table",
    )
    formula: ClassVar[str] = r"x \sim N(\pm a \mathbf{1}, I),\ a = 2/\sqrt{d}"

    n: int = rows_param(400)
    dimension: int = count_param(20, "d", "number of columns", slider=(2, 100, 1), bounds=(1, 1000))
    seed: int = seed_param()

    def generate(self) -> Dataset:
        """Return rows (n, d) in random order."""
        self._refuse_too_large(self.n, self.dimension, "n and dimension")
        rng = np.random.default_rng(self.seed)
        y = rng.permutation(halves(self.n))
        a = 2.0 / np.sqrt(self.dimension)
        X = rng.standard_normal((self.n, self.dimension)) + a * np.where(y == 1, 1.0, -1.0)[:, None]
        return self._dataset(X, y, classes=("-", "+"))

    def target(self, rows: Array) -> Array:
        """Return P(+ | x) − P(− | x) = tanh(a Σ x_j), a = 2/√d."""
        return np.asarray(np.tanh(2.0 / np.sqrt(self.dimension) * np.asarray(rows, dtype=np.float64).sum(axis=1)))


@dataclass(frozen=True, repr=False)
class Ringnorm(Generator):
    """A narrow normal class inside a wide one.

    '+': x ~ N(0, 4I); '-': x ~ N(a·1, I), a = 2/√d.

    Parameters: n rows (half of each class), dimension d, seed.

    Raises ParameterError outside the declared ranges.

    Reference: Breiman (1996). His text has a = 1/√d; the benchmark's pool (class means and variances measured on
    it) has a = 2/√d, which is used here.

    >>> Ringnorm(n=100).generate().class_counts
    {'-': 50, '+': 50}
    """

    about: ClassVar[Entry] = generated(
        "ringnorm",
        "Ringnorm",
        "vector",
        400,
        "× 20",
        look_for="The classes differ in spread more than in place: a linear machine misclassifies a quarter of the "
        "rows.",
        source="Breiman 1996; 'kernels, feature space, model selection', benchmark table",
    )
    formula: ClassVar[str] = r"+: N(0, 4I),\quad -: N(a \mathbf{1}, I),\ a = 2/\sqrt{d}"

    n: int = rows_param(400)
    dimension: int = count_param(20, "d", "number of columns", slider=(2, 100, 1), bounds=(1, 1000))
    seed: int = seed_param()

    def generate(self) -> Dataset:
        """Return rows (n, d) in random order."""
        self._refuse_too_large(self.n, self.dimension, "n and dimension")
        rng = np.random.default_rng(self.seed)
        y = rng.permutation(halves(self.n))
        Z = rng.standard_normal((self.n, self.dimension))
        X = np.where(y[:, None] == 1, 2.0 * Z, Z + 2.0 / np.sqrt(self.dimension))
        return self._dataset(X, y, classes=("-", "+"))

    def target(self, rows: Array) -> Array:
        """Return P(+ | x) − P(− | x), from the two normal densities."""
        X = np.asarray(rows, dtype=np.float64)
        inner = ((X - 2.0 / np.sqrt(self.dimension)) ** 2).sum(axis=1)
        log_ratio = inner / 2 - (X**2).sum(axis=1) / 8 - self.dimension * np.log(2.0)
        return np.asarray(np.tanh(log_ratio / 2))


def _triangles() -> Array:
    """Return Breiman's three base waves h1, h2, h3 at the points 1…21, (3, 21)."""
    points = np.arange(1, 22)
    return np.stack([np.maximum(6.0 - np.abs(points - centre), 0.0) for centre in (7, 15, 11)])


@dataclass(frozen=True, repr=False)
class Waveform(Generator):
    """Random mixtures of two of three triangular waves, with noise, at 21 points.

    x = u·h_a + (1 − u)·h_b + ε, u ~ U(0, 1), ε ~ N(0, noise²·I); (a, b) = (1, 2), (1, 3), (2, 3) for the classes 1,
    2, 3; h_1, h_2, h_3 are triangles of height 6 around the points 7, 15, 11.

    Parameters: n rows (classes drawn with equal probability), classes "1-2-3" or one of the pairs "1-2", "1-3",
    "2-3", noise ≥ 0, seed.

    Raises ParameterError outside the declared ranges.

    Reference: Breiman, Friedman, Olshen, Stone (1984), Classification and Regression Trees, p. 49; Wave12, Wave13
    and Wave23 of 'deep kernel machines', table 3.1.

    >>> Waveform(n=90, pair="1-3").generate().classes
    ('1', '3')
    """

    about: ClassVar[Entry] = generated(
        "waveform-like",
        "Waveform (generated)",
        "vector",
        300,
        "× 21",
        look_for="Three triangles span the plane of the signal; all other directions are noise.",
        source="Breiman, Friedman, Olshen, Stone 1984",
    )
    formula: ClassVar[str] = r"x = u h_a + (1-u) h_b + \varepsilon,\ u \sim U(0,1)"

    n: int = rows_param(300)
    pair: str = param(
        "1-2-3",
        symbol=r"\text{classes}",
        kind="choice",
        help="all three classes or two of them",
        choices=("1-2-3", "1-2", "1-3", "2-3"),
    )
    noise: float = real_param(1.0, r"\tau", "standard deviation of the noise", slider=(0.0, 3.0, 0.1), maximum=100.0)
    seed: int = seed_param()

    def generate(self) -> Dataset:
        """Return rows (n, 21); every class occurs, with equal probability otherwise."""
        rng = np.random.default_rng(self.seed)
        classes = tuple(self.pair.split("-"))
        # one row of each class first, so that none is missing in a small sample
        y = rng.permutation(
            np.concatenate([np.arange(len(classes)), rng.integers(0, len(classes), self.n - len(classes))])
        )
        waves = _triangles()
        first = waves[np.array([0, 0, 1])]
        second = waves[np.array([1, 2, 2])]
        which = np.array([int(c) - 1 for c in classes])[y]
        u = rng.random((self.n, 1))
        X = u * first[which] + (1.0 - u) * second[which] + self.noise * rng.standard_normal((self.n, 21))
        return self._dataset(X, y, classes=classes)


#: α of the target g = Σ λᵢ αᵢ ψᵢ: a function that the kernel's operator can represent, as [R]'s theorem asks.
ALPHA = (1.0, -2.0, 2.0, 0.0, 2.0)


@dataclass(frozen=True, repr=False)
class NormalInputs(Generator):
    """Noisy regression on one normal input, whose RBF kernel has known eigenvalues and eigenfunctions.

    x ~ N(0, 1), y = g(x) + ε, g = Σᵢ λᵢ αᵢ ψᵢ with α = (1, −2, 2, 0, 2), ε ~ N(0, noise²). λ and ψ are those of
    the RBF kernel with this width under the density of x: with a = 1/4, b = 1/(2 width²), c = √(a² + 2ab),
    A = a + b + c and k = 0, 1, …

        λ_k = √(2a/A) (b/A)^k,  ψ_k(x) = (c/a)^¼ (2^k k!)^−½ exp(−(c − a) x²) H_k(√(2c) x)

    Parameters: n rows, noise ≥ 0 (standard deviation), width > 0 of the kernel, seed.

    Raises ParameterError outside the declared ranges.

    Reference: Zhu, Williams, Rohwer, Morciniec, 'Gaussian regression and optimal finite dimensional linear models',
    1998; Rasmussen and Williams, 'Gaussian Processes for Machine Learning', 2006, section 4.3.1.

    >>> NormalInputs(n=50).generate()
    Dataset('normal-inputs', vector, n=50, d=1, regression)
    >>> NormalInputs().eigenvalues(3).round(3)
    array([0.39 , 0.238, 0.145])
    """

    about: ClassVar[Entry] = generated(
        "normal-inputs",
        "Normal inputs with a known spectrum",
        "vector",
        200,
        "× 1",
        look_for="With more rows the eigenvalues of the RBF kernel (σ = 0.5) approach 0.39, 0.24, 0.15.",
        source="Generator of 'kernels, feature space, model selection'",
        note="The spectrum is that of Zhu et al., 1998; the coefficients of the target are our choice.",
    )
    formula: ClassVar[str] = r"y = \sum_i \lambda_i \alpha_i \psi_i(x) + \varepsilon,\ x \sim N(0, 1)"

    n: int = rows_param(200)
    noise: float = real_param(0.2, r"\tau", "standard deviation of the noise", slider=(0.0, 1.0, 0.01), maximum=100.0)
    width: float = real_param(
        0.5, r"\ell", "width of the RBF kernel", slider=(0.2, 2.0, 0.1), maximum=100.0, positive=True
    )
    seed: int = seed_param()

    def generate(self) -> Dataset:
        """Return inputs (n, 1) and real targets; the first rows of more rows are the rows of fewer."""
        rng, noise = (np.random.default_rng([self.seed, part]) for part in (0, 1))
        X = rng.standard_normal(self.n)[:, None]
        y = self.target(X) + self.noise * noise.standard_normal(self.n)
        return self._dataset(X, y, task="regression", columns=("x",))

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

    about: ClassVar[Entry] = generated(
        "colon-noise",
        "Colon tissues with sparse noise",
        "vector",
        62,
        "× 12000",
        base="colon",
        look_for="The noise lifts the diagonal to about 34 and hides the genes; a power of 0.6 or 0.7 lowers the test "
        "error.",
        source="Alon et al. 1999 with the noise of 'almost orthogonal patterns', section 4.1",
        note="Columns are scaled over all rows, without their labels; the source does not say how it scaled.",
    )
    formula: ClassVar[str] = r"x \leftarrow (x, z),\ z \in \mathbb{R}^{m}\ \text{with } r \text{ entries} \sim U(0,1)"

    columns: int = count_param(10_000, "m", "noise columns added", slider=(0, 20_000, 500), bounds=(0, 100_000))
    nonzero: int = count_param(100, "r", "entries of a row that are not zero", slider=(0, 500, 10), bounds=(0, 100_000))
    scaling: str = param(
        "standardised",
        symbol=r"\text{scaling}",
        kind="choice",
        help="how the genes are scaled",
        choices=("standardised", "unit", "tissues"),
    )
    seed: int = seed_param()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.nonzero > self.columns:
            raise ParameterError(
                f"NoisyColon: nonzero must be at most columns={self.columns}; got nonzero={self.nonzero}. "
                f"Try nonzero={self.columns // 100}."
            )

    def generate(self) -> Dataset:
        """Return rows (62, 2000 + columns)."""
        base = SAMPLES["colon"].load()
        X = base.rows
        if self.scaling != "unit":
            X = np.log(X)
            if self.scaling == "tissues":
                X = (X - X.mean(axis=1, keepdims=True)) / X.std(axis=1, keepdims=True)
            X = (X - X.mean(axis=0)) / X.std(axis=0)
        X = X / np.linalg.norm(X, axis=1, keepdims=True)
        rng = np.random.default_rng(self.seed)
        Z = np.zeros((base.n, self.columns))
        if self.nonzero:
            places = rng.permuted(np.tile(np.arange(self.columns), (base.n, 1)), axis=1)[:, : self.nonzero]
            np.put_along_axis(Z, places, rng.random((base.n, self.nonzero)), axis=1)
        names = base.columns + tuple(f"noise{j + 1}" for j in range(self.columns))
        return self._dataset(
            np.concatenate([X, Z], axis=1),
            base.y,
            classes=base.classes,
            columns=names,
        )


@dataclass(frozen=True, repr=False)
class HiddenVariables(Generator):
    """Ten informative and ten noise variables, which only the kernel (⟨h, h'⟩ + 1)⁴ reads.

    h = (N(y·shift·1, I), N(0, I)), y = ±1; the visible variables are all monomials of degree 1 to 4 of h, met
    through the kernel k = (⟨h, h'⟩ + 1)⁴, i.e. ``Polynomial(degree=4, offset=1)`` on these rows.

    Parameters: n rows (half of each class), informative and noise columns, shift, seed.

    Raises ParameterError outside the declared ranges.

    Reference: 'almost orthogonal patterns', section 4.1, table 3 (the number of rows is not printed there).

    >>> HiddenVariables(n=60).generate()
    Dataset('hidden-variables', vector, n=60, d=20, classes={'-': 30, '+': 30})
    """

    about: ClassVar[Entry] = generated(
        "hidden-variables",
        "Hidden variables",
        "vector",
        100,
        "× 20",
        look_for="Use Polynomial(degree=4, offset=1): from p = 1 to p near ½ the test error falls by a third or more.",
        source="Generator of 'almost orthogonal patterns', section 4.1",
        note="The source does not print its number of rows.",
    )
    formula: ClassVar[str] = r"h \sim (N(y\mu\mathbf{1}, I), N(0, I)),\quad k = (\langle h, h'\rangle + 1)^4"

    n: int = rows_param(100)
    informative: int = count_param(10, "d_1", "columns whose mean is the class", slider=(1, 50, 1), bounds=(1, 500))
    noise: int = count_param(10, "d_0", "columns of noise", slider=(0, 50, 1), bounds=(0, 500))
    shift: float = real_param(
        0.5, r"\mu", "mean of an informative column of the positive class", slider=(0.0, 2.0, 0.05), maximum=100.0
    )
    seed: int = seed_param()

    def generate(self) -> Dataset:
        """Return rows h (n, informative + noise) in random order."""
        self._refuse_too_large(self.n, self.informative + self.noise, "n, informative and noise")
        rng = np.random.default_rng(self.seed)
        y = rng.permutation(halves(self.n))
        H = rng.standard_normal((self.n, self.informative + self.noise))
        H[:, : self.informative] += self.shift * np.where(y == 1, 1.0, -1.0)[:, None]
        names = [f"h{j + 1}" for j in range(self.informative)] + [f"noise{j + 1}" for j in range(self.noise)]
        return self._dataset(H, y, classes=("-", "+"), columns=tuple(names))


@dataclass(frozen=True, repr=False)
class SparseBinary(Generator):
    """Sparse 0/1 rows with few positives, as in a drug-binding screen.

    P(x_ij = 1) ∝ r_i·c_j, scaled so that the mean is `density`; r_i (rows) and c_j (columns) are log-normal, so
    that some molecules have very many features and some features are common. For the positive rows the last
    `signal` columns have probability `strength` instead.

    Parameters: n rows, columns, density in (0, 0.2], positive share of the rows, signal columns, strength,
    seed.

    Raises ParameterError outside the declared ranges, or when signal > columns.

    Reference: the shape of the thrombin data (0.68 % ones, 42 of 1909 rows positive) in 'almost orthogonal
    patterns', section 4.2; the data themselves are not available.

    >>> SparseBinary(n=200, columns=1000).generate().class_counts
    {'inactive': 196, 'binds': 4}
    """

    about: ClassVar[Entry] = generated(
        "thrombin-like",
        "Sparse binary (thrombin-like)",
        "vector",
        600,
        "× 5000",
        look_for="Diagonal entries differ by orders of magnitude and the positives are few: use balanced error.",
        source="Our generator, to the proportions of the thrombin data",
        note="A stand-in: the thrombin data are not available, so published figures cannot be compared.",
    )
    formula: ClassVar[str] = r"P(x_{ij}=1) \propto r_i c_j,\ \text{mean } \rho"

    n: int = rows_param(600)
    columns: int = count_param(5000, "d", "number of binary features", slider=(500, 20_000, 500), bounds=(10, 139_351))
    density: float = param(
        0.0068,
        symbol=r"\rho",
        help="share of ones",
        low=0.001,
        high=0.05,
        scale="log",
        minimum=0.0,
        open_minimum=True,
        maximum=0.2,
    )
    positive: float = real_param(
        42 / 1909, r"\pi", "share of positive rows", slider=(0.01, 0.5, 0.01), maximum=0.5, positive=True
    )
    signal: int = count_param(20, "s", "columns that mark the positive rows", slider=(0, 200, 5), bounds=(0, 139_351))
    strength: float = real_param(0.4, "q", "probability of a one there", slider=(0.0, 1.0, 0.05), maximum=1.0)
    seed: int = seed_param()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.signal > self.columns:
            raise ParameterError(
                f"SparseBinary: signal must be at most columns={self.columns}; got signal={self.signal}. "
                f"Try signal={self.columns // 10}."
            )

    def generate(self) -> Dataset:
        """Return rows (n, columns) of zeros and ones in random order; at least two rows are positive."""
        self._refuse_too_large(self.n, self.columns, "n and columns")
        rng = np.random.default_rng(self.seed)
        positives = max(2, round(self.positive * self.n))
        y = rng.permutation((np.arange(self.n) < positives).astype(np.int64))
        row_weight = rng.lognormal(0.0, 1.0, self.n)
        column_weight = rng.lognormal(0.0, 1.0, self.columns)
        P = _scaled_to_mean(np.multiply.outer(row_weight, column_weight), self.density)
        if self.signal:
            P[np.flatnonzero(y == 1), -self.signal :] = self.strength
        X = (rng.random(P.shape) < P).astype(np.float64)
        return self._dataset(X, y, classes=("inactive", "binds"))


def _scaled_to_mean(W: Array, mean: float) -> Array:
    """Return min(1, t·W) with the t that gives the requested mean; entries below 1 make up for clipped ones."""
    W *= mean / W.mean()
    for _ in range(50):
        np.minimum(W, 1.0, out=W)
        got = W.mean()
        if abs(got - mean) <= 1e-6 * mean:
            break
        W *= mean / got
    return np.minimum(W, 1.0, out=W)
