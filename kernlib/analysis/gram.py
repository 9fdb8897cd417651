"""Diagnostics of a Gram matrix, or of its factor: diagonal, spread, spectrum, classes."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import DataError
from ..numerics.distances import ROUNDING
from ..numerics.linalg import eigenvalues as eigenvalues_of
from ..values.arrays import Array, Factor, RowNumbers
from ..values.labels import AskedTask, read_labels
from ..values.notebook import Pictured
from .matrix import centre, square, symmetric
from .spectrum import decompose

# A smallest eigenvalue above −1e-10 max|l| is rounding in the entries, not an indefinite kernel.
PSD_TOLERANCE = 1e-10


@dataclass(frozen=True, eq=False, repr=False)
class GramDiagnostics(Pictured):
    """Result of `diagnose`; a number that does not exist is nan.

    `n`; `diagonal` (n,); `diagonal_ratio` mean K_ii / mean |K_ij|; `off_diagonal_spread` standard deviation of K_ij,
    i ≠ j; `eigenvalues` (n,) descending; `smallest_eigenvalue`; `psd` whether it is at least −`psd_tolerance`;
    `effective_rank` in 1…n; `alignment` with the labels in −1…1, None without labels.
    """

    _drawn_by = "spectrum.eigenvalue_plot"

    n: int
    diagonal: Array
    diagonal_ratio: float
    off_diagonal_spread: float
    eigenvalues: Array
    smallest_eigenvalue: float
    psd: bool
    psd_tolerance: float
    effective_rank: float
    alignment: float | None = None

    @property
    def smallest(self) -> float:
        """Return `smallest_eigenvalue`, or 0 where it is rounding."""
        return self.smallest_eigenvalue if abs(self.smallest_eigenvalue) > self.psd_tolerance else 0.0


def diagnose(
    K: ArrayLike | Factor,
    y: ArrayLike | None = None,
    *,
    eigenvalues: ArrayLike | None = None,
    task: AskedTask = "auto",
    sample: RowNumbers | None = None,
) -> GramDiagnostics:
    r"""Return the diagnostics of a Gram matrix or of its factor.

    .. math:: \frac{\frac1n\sum_i K_{ii}}{\frac1{n(n-1)}\sum_{i\ne j}|K_{ij}|},\quad
        \exp\Big(-\sum_j p_j\log p_j\Big),\quad p_j=\frac{l_j}{\sum_k l_k}

    A constant or singular matrix is described, not refused. Of a factor F the diagonal, the spectrum and the alignment
    are those of all n rows, without an (n, n) matrix; ratio and spread of single entries are those of the rows
    `sample`.

    Parameters: `K` (n, n) symmetric, or a `Factor`; `y` (n,) classes or real targets, or None; `eigenvalues` (n,), or
    (r,) of a factor, if already computed; `sample` row numbers, by default all.
    Raises DataError for a K that is not square, symmetric and finite, or for y that does not fit.
    Reference: almost-orthogonal patterns, section 3; deep kernel machines, figure 3.6.

    >>> import numpy as np
    >>> numbers = diagnose(np.eye(3) + 1.0, [0, 0, 1])
    >>> numbers.diagonal_ratio, numbers.psd, round(numbers.effective_rank, 3)
    (2.0, True, 2.381)
    """
    n = len(K) if isinstance(K, Factor) else len(symmetric(K, "diagnose"))
    if isinstance(K, Factor):
        matrix, diagonal = K.dense(np.arange(n) if sample is None else sample), K.diagonal
        known = decompose(K, owner="diagnose").eigenvalues if eigenvalues is None else np.asarray(eigenvalues)
        values: Array = np.concatenate([known, np.zeros(n - len(known))])
    else:
        matrix = symmetric(K, "diagnose")
        diagonal = np.diagonal(matrix).copy()
        known = eigenvalues_of(matrix, "diagnose") if eigenvalues is None else np.asarray(eigenvalues, dtype=np.float64)
        values = np.array(np.sort(known)[::-1])
        if values.shape != (n,):
            raise DataError(
                f"diagnose: eigenvalues must be all {n} of K; got shape {values.shape}. "
                "Leave them out, or use decompose(K) without components."
            )
    off = matrix[np.triu_indices(len(matrix), 1)]
    size = float(np.abs(off).mean()) if len(off) else math.nan
    tolerance, smallest = PSD_TOLERANCE * float(np.abs(values).max()), float(values[-1])
    labels = None if y is None else read_labels(y, task, n, "diagnose")
    return GramDiagnostics(
        n=n,
        diagonal=diagonal,
        diagonal_ratio=float(diagonal.mean()) / size if size else math.inf if diagonal.any() else math.nan,
        # A constant has no spread; the mean's last digit would give it one.
        off_diagonal_spread=(0.0 if off.min() == off.max() else float(off.std())) if len(off) else math.nan,
        eigenvalues=values,
        smallest_eigenvalue=smallest,
        psd=smallest >= -tolerance,
        psd_tolerance=tolerance,
        effective_rank=effective_rank(values),
        alignment=None if labels is None else centred_alignment(K, labels.targets),
    )


def diagonal_ratio(K: ArrayLike) -> float:
    r"""Return mean |K_ii| / mean |K_ij|, i ≠ j: far above 1, every row is similar only to itself.

    The mean of a large matrix is estimated from some two million entries.
    Parameters: `K` (n, n). Returns 1 for a single row, a zero matrix, or a matrix that is not square; inf if all
    off-diagonal entries are zero.

    >>> diagonal_ratio([[4.0, 1.0], [-1.0, 4.0]])
    4.0
    """
    matrix = np.asarray(K)
    n = len(matrix)
    if n < 2 or matrix.shape[0] != matrix.shape[1]:
        return 1.0
    step = max(1, n * n // 2_000_000)
    part = np.abs(matrix[::step]).sum(dtype=np.float64)
    diagonal = np.abs(np.diagonal(matrix))
    off = float(part - diagonal[::step].sum()) / (len(matrix[::step]) * (n - 1))
    mean = float(diagonal.mean())
    return mean / off if off > 0 else (math.inf if mean > 0 else 1.0)


def effective_rank(eigenvalues: ArrayLike) -> float:
    r"""Return exp(−Σ p_j log p_j), p_j = max(l_j, 0)/Σ: between 1 (constant K) and n (K = I); nan for none.

    Parameters: `eigenvalues` (n,). Reference: Roy and Vetterli, EUSIPCO 2007.

    >>> round(effective_rank([1.0, 1.0, 0.0]), 6)
    2.0
    """
    kept = np.maximum(np.asarray(eigenvalues, dtype=np.float64), 0.0)
    if not kept.any():
        return math.nan
    share = kept[kept > 0] / kept.sum()
    share = share[share > 0]
    return float(np.exp(-(share * np.log(share)).sum()))


def class_means(K: ArrayLike | Factor, codes: NDArray[np.intp]) -> Array:
    """Return the mean of K_ij, i ≠ j, over the rows of every two classes, (classes, classes); nan without pairs.

    Parameters: `K` (n, n), or a `Factor`; `codes` (n,) integers 0…classes−1.

    >>> import numpy as np
    >>> class_means(np.array([[9.0, 1, 2], [1, 9, 4], [2, 4, 9]]), np.array([0, 0, 1]))
    array([[ 1.,  3.],
           [ 3., nan]])
    """
    member = np.eye(int(codes.max()) + 1)[codes]
    counts = member.sum(axis=0)
    if isinstance(K, Factor):
        middles, diagonal = member.T @ K.rows, K.diagonal
        sums = middles @ middles.T
    else:
        matrix = square(K, "class_means")
        sums, diagonal = member.T @ matrix @ member, np.diagonal(matrix)
    sums = sums - np.diag(member.T @ diagonal)
    pairs = np.outer(counts, counts) - np.diag(counts)
    means: Array = np.divide(sums, pairs, out=np.full_like(sums, np.nan), where=pairs > 0)
    return means


def centred_alignment(K: ArrayLike | Factor, targets: ArrayLike) -> float:
    r"""Return the centred alignment of K with the labels, in −1…1 (0…1 for PSD K); nan when either is constant.

    .. math:: \frac{\langle HKH, HTH\rangle}{\|HKH\|\,\|HTH\|},\quad T = YY^\top,\ H = I - \tfrac1n 11^\top

    For a factor F it is ‖Y_c'F_c‖² / (‖F_c'F_c‖ ‖Y_c'Y_c‖), without an (n, n) matrix.

    Parameters: `K` (n, n), or a `Factor`; `targets` Y, (n,) ±1 or real, or (n, classes) one-hot.
    Reference: Cortes, Mohri, Rostamizadeh, JMLR 13, 2012, definition 4.

    >>> import numpy as np
    >>> y = np.array([1.0, 1.0, -1.0, -1.0])
    >>> round(centred_alignment(np.outer(y, y), y), 6)
    1.0
    """
    wide = np.asarray(targets, dtype=np.float64)
    wide = wide.reshape(len(wide), -1)
    wide = wide - wide.mean(axis=0)
    if isinstance(K, Factor):
        F = K.rows - K.rows.mean(axis=0)
        size, whole = float(np.linalg.norm(F.T @ F)), float(np.linalg.norm(K.rows.T @ K.rows))
        agreement = float(np.linalg.norm(wide.T @ F) ** 2)
    else:
        matrix = square(K, "centred_alignment")
        centred = centre(matrix)
        size, whole = float(np.linalg.norm(centred)), float(np.linalg.norm(matrix))
        agreement = float((wide * (centred @ wide)).sum())
    # What centring leaves of a constant is rounding of its size.
    if size <= ROUNDING * whole or not wide.any():
        return math.nan
    return agreement / (size * float(np.linalg.norm(wide.T @ wide)))
