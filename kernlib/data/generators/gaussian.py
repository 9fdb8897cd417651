"""Normal inputs under an RBF kernel: the one common case whose true spectrum has a closed form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...values.arrays import Array
from ..dataset import About, Dataset
from .base import Generator, real_param, rows_param, seed_param

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

    about: ClassVar[About] = About(
        "normal-inputs",
        "Normal inputs with a known spectrum",
        "vector",
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

    def noise_variance(self, rows: Array) -> Array:
        """Return noise², the same for all rows."""
        return np.full(len(rows), self.noise**2)

    def _constants(self) -> tuple[float, float, float]:
        a, b = 0.25, 0.5 / self.width**2
        return a, b, float(np.sqrt(a * a + 2 * a * b))
