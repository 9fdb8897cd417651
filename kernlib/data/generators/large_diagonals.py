"""Data whose Gram matrices have large diagonals: sparse noise, hidden variables, sparse binary rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...errors import ParameterError
from ...values.arrays import Array
from ...values.declare import param
from ..dataset import About, Dataset
from ..samples import SAMPLES
from .base import Generator, count_param, halves, real_param, rows_param, seed_param


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

    about: ClassVar[About] = About(
        "colon-noise",
        "Colon tissues with sparse noise",
        "vector",
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
            licence=base.licence,
            citation=base.citation,
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

    about: ClassVar[About] = About(
        "hidden-variables",
        "Hidden variables",
        "vector",
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

    about: ClassVar[About] = About(
        "thrombin-like",
        "Sparse binary (thrombin-like)",
        "vector",
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
