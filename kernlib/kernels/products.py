"""Kernels on vectors made from the inner product: cosine and sigmoid; and kernels on rows of counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.base import Kernel
from ..errors import DomainError
from ..numerics.blocks import same_rows
from ..values.arrays import Array
from ..values.declare import param, positive
from ..values.domains import Domain


@dataclass(frozen=True, repr=False)
class Cosine(Kernel):
    """The cosine of the angle between two rows, as for embeddings: `Normalized(Linear())` in one word.

        k(x, x') = ⟨x, x'⟩ / (‖x‖ ‖x'‖)

    A row of zeros has no direction: its values are 0.

    Salton, Wong and Yang, "A Vector Space Model for Automatic Indexing", 1975.

    >>> Cosine()([[1.0, 0.0], [3.0, 3.0]]).round(4)
    array([[1.    , 0.7071],
           [0.7071, 1.    ]])
    """

    domain: ClassVar[Domain] = "vector"
    formula: ClassVar[str] = r"\frac{\langle x,x'\rangle}{\lVert x\rVert\,\lVert x'\rVert}"
    source: ClassVar[str] = "Salton et al. 1975"
    cost: ClassVar[str] = "O(n²d), one matrix product"

    def gram(self, X: Array, Y: Array | None) -> Array:
        U = _directions(X)
        if not same_rows(X, Y):
            return np.asarray(np.clip(U @ _directions(Y).T, -1.0, 1.0))  # type: ignore[arg-type]
        K = np.clip(U @ U.T, -1.0, 1.0)
        np.fill_diagonal(K, self.gram_diag(X))
        return np.asarray(K)

    def gram_diag(self, X: Array) -> Array:
        return np.asarray(X.any(axis=1), dtype=np.float64)


def _directions(X: Array) -> Array:
    """Return every row divided by its length, which the square of a large entry must not make infinite."""
    largest = np.abs(X).max(axis=1, initial=0.0)
    A = X / np.where(largest > 0, largest, 1.0)[:, None]
    length = np.sqrt(np.einsum("ij,ij->i", A, A))
    return np.asarray(A / np.where(length > 0, length, 1.0)[:, None])


@dataclass(frozen=True, repr=False)
class Sigmoid(Kernel):
    """The sigmoid of the inner product: named after neural networks, and not positive semi-definite.

        k(x, x') = tanh(γ ⟨x, x'⟩ + r)

    No feature space has these inner products for most γ and r. Support vector machines with it sometimes work all the
    same: for small γ it is close to tanh r + γ sech² r ⟨x, x'⟩, a multiple of the linear kernel to a machine with an
    intercept; for r < 0 the next term is positive, and then it behaves like a wide Gaussian. For γ large or r > 0 it is
    a trap.

    Parameters: gamma γ > 0; offset r, any number. Raises ParameterError otherwise.

    Lin and Lin, "A Study on Sigmoid Kernels for SVM and the Training of non-PSD Kernels by SMO-type Methods", 2003.

    >>> Sigmoid(gamma=1.0, offset=-1.0)([[0.0], [1.0]]).round(4)
    array([[-0.7616, -0.7616],
           [-0.7616,  0.    ]])
    """

    gamma: float = positive(0.1, r"\gamma", "factor of the inner product", 0.0001, 10.0)
    offset: float = param(0.0, symbol="r", help="added to the product, before tanh", low=-5.0, high=5.0)

    domain: ClassVar[Domain] = "vector"
    psd: ClassVar[bool] = False
    formula: ClassVar[str] = r"\tanh(\gamma\,\langle x,x'\rangle + r)"
    source: ClassVar[str] = "Lin and Lin 2003"
    cost: ClassVar[str] = "O(n²d), one matrix product"

    def gram(self, X: Array, Y: Array | None) -> Array:
        K = X @ (X if Y is None or same_rows(X, Y) else Y).T
        K *= self.gamma
        K += self.offset
        return np.asarray(np.tanh(K, out=K))

    def gram_diag(self, X: Array) -> Array:
        return np.asarray(np.tanh(self.gamma * np.einsum("ij,ij->i", X, X) + self.offset))


class _OfCounts(Kernel):
    """A kernel on rows without negative entries, such as histograms and counts."""

    domain: ClassVar[Domain] = "vector"

    def _require_counts(self, X: Array) -> None:
        """Raise DomainError for a negative entry; after the row steps, which may make the entries positive."""
        if X.size and X.min() < 0:
            i, j = np.unravel_index(int(X.argmin()), X.shape)
            raise DomainError(
                f"{type(self).__name__}: expected counts or shares from 0 on; row {i}, column {j} is {X[i, j]:g}. "
                "Put Ranged around the kernel, or choose RBF for numbers of both signs."
            )


@dataclass(frozen=True, repr=False)
class ChiSquared(_OfCounts):
    """The exponential χ² kernel of histograms: a difference counts less where both rows have much.

        k(x, x') = exp(−γ Σ_c (x_c − x'_c)² / (x_c + x'_c)),  0/0 = 0

    Rows: finite numbers from 0 on. Parameters: gamma γ > 0. Raises ParameterError otherwise, DomainError, with its
    place, for a negative entry.

    Computed by scikit-learn's `chi2_kernel`. Zhang, Marszałek, Lazebnik and Schmid, IJCV 2007, eq. 4.

    >>> ChiSquared(gamma=1.0)([[1.0, 0.0], [0.0, 1.0]]).round(4)
    array([[1.    , 0.1353],
           [0.1353, 1.    ]])
    """

    gamma: float = positive(1.0, r"\gamma", "a large one lets only equal rows agree", 0.001, 100.0)

    formula: ClassVar[str] = r"\exp\!\Big(-\gamma\sum_c\frac{(x_c-x'_c)^2}{x_c+x'_c}\Big)"
    source: ClassVar[str] = "Zhang et al. 2007, eq. 4"
    cost: ClassVar[str] = "O(n²d)"

    def gram(self, X: Array, Y: Array | None) -> Array:
        from sklearn.metrics.pairwise import chi2_kernel

        for rows in (X,) if Y is None else (X, Y):
            self._require_counts(rows)
        # A copy: scikit-learn refuses rows that are read-only.
        return np.asarray(chi2_kernel(X.copy(), None if Y is None else Y.copy(), gamma=self.gamma))

    def gram_diag(self, X: Array) -> Array:
        self._require_counts(X)
        return np.ones(len(X))


@dataclass(frozen=True, repr=False)
class Intersection(_OfCounts):
    """What two histograms have in common.

        k(x, x') = Σ_c min(x_c, x'_c)

    Rows: finite numbers from 0 on; a row of zeros shares nothing. Raises DomainError, with its place, for a negative
    entry.

    Swain and Ballard, "Color Indexing", IJCV 1991; Barla, Odone and Verri, ICIP 2003.

    >>> Intersection()([[2.0, 1.0], [1.0, 3.0]])
    array([[3., 2.],
           [2., 4.]])
    """

    formula: ClassVar[str] = r"\sum_c \min(x_c, x'_c)"
    source: ClassVar[str] = "Swain and Ballard 1991"
    cost: ClassVar[str] = "O(n²d)"

    def gram(self, X: Array, Y: Array | None) -> Array:
        from scipy.spatial.distance import cdist

        other = X if Y is None else Y
        # min(a, b) = (a + b − |a − b|) / 2
        K = np.add.outer(self.gram_diag(X), self.gram_diag(other))
        K -= cdist(X, other, "cityblock")
        K *= 0.5
        return np.asarray(np.maximum(K, 0.0, out=K))

    def gram_diag(self, X: Array) -> Array:
        self._require_counts(X)
        return np.asarray(X.sum(axis=1))
