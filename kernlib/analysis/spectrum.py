"""Eigenvalues and eigenvectors of a Gram matrix; kernel PCA and the residuals of ridge regression from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..errors import DataError, DegenerateError, ParameterError
from ..numerics.linalg import eigenpairs, singular_pairs
from ..values.arrays import Array, Factor, RowNumbers
from ..values.notebook import Pictured
from .matrix import Checked, finite, symmetric

# Below this size a dense decomposition is faster than Lanczos.
_LANCZOS_FROM = 300


@dataclass(frozen=True, eq=False, repr=False)
class Decomposition(Pictured):
    """K u_j = l_j u_j with l descending: `eigenvalues` (d,) and `eigenvectors` (n, d), one per column."""

    _drawn_by = "spectrum.eigenvalue_plot"

    eigenvalues: Array
    eigenvectors: Array

    @property
    def tolerance(self) -> float:
        """Return n · eps · max|l|: eigenvalues of at most this size are rounding."""
        return float(len(self.eigenvectors) * np.finfo(float).eps * np.abs(self.eigenvalues).max())

    @property
    def directions(self) -> int:
        """Return the number of eigenvalues of either sign beyond rounding; further eigenvectors are arbitrary."""
        return int((np.abs(self.eigenvalues) > self.tolerance).sum())

    @property
    def rank(self) -> int:
        """Return the number of eigenvalues that are positive beyond rounding."""
        return int((self.eigenvalues > self.tolerance).sum())


@dataclass(frozen=True, eq=False, repr=False)
class KernelPCA(Decomposition):
    """Kernel PCA of n training rows; see `kernel_pca`.

    `eigenvalues` (d,), `eigenvectors` (n, d); `centered`; `total` is the trace of the decomposed
    matrix, `column_means` (n,) and `mean` those of K, which centre new rows.
    """

    _drawn_by = "data.feature_map"

    centered: bool
    total: float
    column_means: Array
    mean: float

    @property
    def scores(self) -> Array:
        """Return the second empirical feature map, (n, d): row i is (√l_j [u_j]_i)_j; negative l_j count as 0."""
        return self.eigenvectors * np.sqrt(np.maximum(self.eigenvalues, 0.0))

    @property
    def explained(self) -> Array:
        """Return the share of the trace that each component carries, (d,); nan when the trace is zero."""
        return self.eigenvalues / self.total if self.total else np.full_like(self.eigenvalues, np.nan)

    def project(self, K_star: ArrayLike, scaled: bool = False) -> Array:
        r"""Return the principal components of new rows: f_j(x) = (1/l_j) Σ_i k(x, x_i) [u_j]_i.

        On the training rows f_j(X) = u_j; with `scaled`, √l_j f_j, which on the training rows is
        `scores`. Where l_j is numerically zero f_j does not exist, and its column is 0. A centred
        map centres new rows with the training means.

        Parameters: `K_star` (m, n), new rows against training rows. Returns (m, d).
        Raises DataError when K_star has not one column per training row.
        Reference: kernels and feature space, f_i; the source swaps the indices of [u_j]_i.

        >>> import numpy as np
        >>> K = np.array([[2.0, 1.0], [1.0, 2.0]])
        >>> pca = kernel_pca(K)
        >>> np.allclose(pca.project(K), pca.eigenvectors)
        True
        """
        rows = finite(K_star, "KernelPCA.project", "K_star")
        if rows.shape[1] != len(self.eigenvectors):
            raise DataError(
                f"KernelPCA.project: K_star must have one column for each of the "
                f"{len(self.eigenvectors)} training rows; got shape {rows.shape}. "
                "Pass k(new rows, training rows)."
            )
        if self.centered:
            rows = rows - rows.mean(axis=1, keepdims=True) - self.column_means + self.mean
        usable = np.abs(self.eigenvalues) > self.tolerance
        inverse = np.zeros_like(self.eigenvalues)
        inverse[usable] = 1.0 / self.eigenvalues[usable]
        if scaled:
            inverse *= np.sqrt(np.maximum(self.eigenvalues, 0.0))
        projected: Array = rows @ (self.eigenvectors * inverse)
        return projected


def decompose(
    K: ArrayLike | Checked | Factor, components: int | None = None, owner: str = "decompose"
) -> Decomposition:
    """Return the eigenvalues, descending, and eigenvectors of K, with reproducible signs.

    All pairs by one dense decomposition; a few leading pairs by Lanczos (`components` ≤ n/8, n ≥ 300). The largest
    entry in size of every eigenvector is positive.

    Parameters: `K` (n, n) symmetric, or a `Factor`, whose non-zero eigenvalues come from the singular values √l_j of F;
    `components` number of leading pairs, 1…n, or None for all.
    Raises DataError for a matrix that is not symmetric or not finite, ParameterError for `components`.

    >>> decompose([[2.0, 1.0], [1.0, 2.0]]).eigenvalues
    array([3., 1.])
    """
    if isinstance(K, Factor):
        return _of_factor(finite(K.rows, owner, "F"), components, owner)
    return _decompose(symmetric(K, owner), components, owner)


def _of_factor(F: Array, components: int | None, owner: str) -> Decomposition:
    U, lengths = singular_pairs(F, owner)
    values = lengths**2
    # Smaller values are rounding errors without a direction; a zero matrix keeps one arbitrary direction.
    kept = max(1, int((values > len(F) * np.finfo(float).eps * values.max(initial=0.0)).sum()))
    kept = kept if components is None else min(kept, int(components))
    return Decomposition(values[:kept].copy(), fix_signs(U[:, :kept]))


def _decompose(matrix: Array, components: int | None, owner: str) -> Decomposition:
    """Return `decompose` of a matrix known to be symmetric up to rounding; one triangle is read."""
    n = len(matrix)
    if components is not None and not (isinstance(components, int | np.integer) and 1 <= components <= n):
        raise ParameterError(
            f"{owner}: components must be an integer with 1 <= components <= {n}, the rows of K, or None for "
            f"all; got {components!r}. Try components={min(10, n)}."
        )
    if components is not None and n >= _LANCZOS_FROM and components <= n // 8:
        pairs = lanczos(matrix, int(components))
        if pairs is not None:
            return pairs
    values, vectors = eigenpairs(matrix, owner)
    order = slice(None, None, -1)
    return Decomposition(values[order][:components].copy(), fix_signs(vectors[:, order][:, :components]))


def lanczos(matrix: Array, components: int) -> Decomposition | None:
    """Return the leading pairs of a symmetric float64 matrix by ARPACK, or None if it does not converge."""
    from scipy.sparse.linalg import ArpackError, eigsh

    if not matrix.any():
        return None
    n = len(matrix)
    # Fixed for reproducible results; random, so that it is not orthogonal to a leading eigenvector.
    start = np.random.default_rng(0).standard_normal(n)
    basis = min(n, components + max(components // 2, 20))
    try:
        values, vectors = eigsh(matrix, k=components, which="LA", v0=start, ncv=basis)
    except ArpackError:
        return None
    order = np.argsort(values)[::-1]
    return Decomposition(values[order], fix_signs(vectors[:, order]))


def fix_signs(vectors: Array) -> Array:
    """Return columns with the sign that makes their largest entry positive."""
    size = np.abs(vectors)
    # The first entry close to the largest: rounding must not swap two entries of equal size.
    place = np.argmax(size >= size.max(axis=0) * (1 - 1e-6), axis=0)
    signs = np.where(vectors[place, np.arange(vectors.shape[1])] < 0, -1.0, 1.0)
    fixed: Array = np.ascontiguousarray(vectors * signs)
    return fixed


def kernel_pca(K: ArrayLike, centered: bool = False, components: int | None = None) -> KernelPCA:
    r"""Return kernel PCA: K u_j = l_j u_j, both empirical feature maps and the projection of new rows.

    .. math:: \Psi(X_i) = (\sqrt{l_1}[u_1]_i, \dots, \sqrt{l_d}[u_d]_i)

    Uncentred as in the source; `centered` decomposes HKH, H = I − 11'/n.

    Parameters: `K` (n, n) symmetric; `components` number of leading pairs, 1…n, or None for all.
    Raises DataError for a matrix that is not symmetric or not finite, ParameterError for `components`,
    DegenerateError if centred K vanishes.
    Reference: kernels and feature space, 'The Empirical Feature Map' and 'Kernel PCA'.

    >>> import numpy as np
    >>> K = np.array([[2.0, 1.0], [1.0, 2.0]])
    >>> pca = kernel_pca(K)
    >>> np.allclose(pca.scores @ pca.scores.T, K)
    True
    """
    matrix = symmetric(K, "kernel_pca")
    means, mean = matrix.mean(axis=0), float(matrix.mean())
    largest = float(np.abs(matrix).max())
    if centered:
        matrix = matrix - means
        matrix -= means[:, None]
        matrix += mean
        if np.abs(matrix).max() <= len(matrix) * np.finfo(float).eps * largest:
            raise DegenerateError(
                "kernel_pca: centred K must not vanish; got a constant K, all rows coincide in "
                "feature space. Change the kernel's parameters, or use centered=False."
            )
    pairs = _decompose(matrix, components, "kernel_pca")
    return KernelPCA(pairs.eigenvalues, pairs.eigenvectors, centered, float(np.trace(matrix)), means, mean)


#: Candidate ridges, in units of the mean absolute eigenvalue.
RIDGES = np.geomspace(1e-6, 1e3, 19)


def left_out_residuals(
    decomposition: Decomposition,
    targets: Array,
    ridges: Array,
    members: Sequence[RowNumbers] | None = None,
    *,
    centred: bool = False,
    intercept: bool = False,
) -> Array:
    r"""Return the residuals of kernel ridge regression on rows that were left out, for every λ, without refitting.

    .. math:: y_i - \hat y_i^{(-i)} = \frac{\alpha_i}{C_{ii}},\quad \alpha = C y,\quad C = (K+\lambda I)^{-1}

    and for a group G of rows :math:`C_{GG}^{-1} \alpha_G`. Both equal the residuals of machines that are refitted
    without the rows. With `intercept` the machine has an intercept that is not penalised:

    .. math:: C = G - \frac{G 1 1' G}{1' G 1},\quad G = (K+\lambda I)^{-1}

    `centred` instead subtracts the mean of the training targets and adds it to the prediction, as `KernelRidge` does;
    the residual is linear in y, so it is the residual of y less the training mean times the residual of a constant 1.

    Parameters: `decomposition` all eigenpairs of K, or those of a factor (the other eigenvalues are 0); `targets`
    (n, t); `ridges` (r,), λ > 0 and no eigenvalue at −λ; `members` the row numbers of each group. Returns (n, t, r).
    Reference: Cawley and Talbot, Neural Networks 17, 2004, equation 13.

    >>> import numpy as np
    >>> from kernlib.analysis import decompose
    >>> x = np.array([-1.0, 0.0, 1.0])
    >>> K = decompose(np.outer(x, x))
    >>> left_out_residuals(K, 3 * x[:, None] + 5, np.array([1e-9]), intercept=True).ravel().round(6) + 0.0
    array([0., 0., 0.])
    >>> left_out_residuals(K, 3 * x[:, None] + 5, np.array([1e-9]), centred=True).ravel().round(6) + 0.0
    array([-3.,  0.,  3.])
    """
    values, U = decomposition.eigenvalues[:, None], decomposition.eigenvectors
    n = len(U)
    columns = np.hstack([targets, np.ones((n, 1))]) if centred or intercept else targets
    # The eigenpairs of a factor give I − U (L/(L + λ)) U' = λ (K + λI)⁻¹, all eigenpairs (K + λI)⁻¹ itself; the
    # factor λ cancels in the quotients.
    short = U.shape[1] < n
    weights = values / (values + ridges) if short else 1.0 / (values + ridges)
    coefficients = U.T @ columns
    dual = (U @ (coefficients[:, :, None] * weights[:, None]).reshape(len(values), -1)).reshape(n, -1, len(ridges))
    if short:
        np.subtract(columns[:, :, None], dual, out=dual)
    ones = dual[:, -1].copy() if intercept else np.zeros((n, len(ridges)))
    total = ones.sum(axis=0) if intercept else np.ones(len(ridges))
    if intercept:
        dual = dual[:, :-1]
        dual -= ones[:, None] * (dual.sum(axis=0) / total)
    if members is None:
        own = U**2 @ weights
        dual /= ((1.0 - own if short else own) - ones**2 / total)[:, None, :]
        residuals: Array = dual
    else:
        residuals = np.empty_like(dual)
        for rows in members:
            part = U[rows]
            for r in range(len(ridges)):
                own = (part * weights[:, r]) @ part.T
                own = np.eye(len(rows)) - own if short else own
                own -= np.outer(ones[rows, r], ones[rows, r]) / total[r]
                residuals[rows, :, r] = np.linalg.solve(own, dual[rows, :, r])
    if intercept or not centred:
        return residuals
    whole = targets.sum(axis=0)
    others = (whole - targets) / (n - 1)
    for rows in members or ():
        others[rows] = (whole - targets[rows].sum(axis=0)) / (n - len(rows))
    return np.asarray(residuals[:, :-1] - others[:, :, None] * residuals[:, -1:])
