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
from .matrix import Checked, centre, square, symmetric
from .spectrum import decompose

# A smallest eigenvalue above −1e-10 max|l| is rounding in the entries, not an indefinite kernel.
PSD_TOLERANCE = 1e-10


@dataclass(frozen=True, eq=False, repr=False)
class GramDiagnostics(Pictured):
    """Result of `diagnose`; a number that does not exist is nan.

    `diagonal_ratio` mean |K_ii| / mean |K_ij|; `eigenvalues` (n,) descending; `alignment` with the labels in −1…1, None
    without labels; as properties `smallest`, `psd` and `effective_rank` in 1…n.
    """

    _drawn_by = "spectrum.eigenvalue_plot"

    diagonal_ratio: float
    eigenvalues: Array
    alignment: float | None = None

    @property
    def smallest(self) -> float:
        """Return the smallest eigenvalue, or 0 where it is rounding."""
        least = float(self.eigenvalues[-1])
        return least if abs(least) > PSD_TOLERANCE * float(np.abs(self.eigenvalues).max()) else 0.0

    @property
    def psd(self) -> bool:
        """Return whether no eigenvalue is negative beyond rounding."""
        return self.smallest >= 0

    @property
    def effective_rank(self) -> float:
        """Return `effective_rank` of the eigenvalues."""
        return effective_rank(self.eigenvalues)


def diagnose(
    K: ArrayLike | Factor,
    y: ArrayLike | None = None,
    *,
    eigenvalues: ArrayLike | None = None,
    task: AskedTask = "auto",
    sample: RowNumbers | None = None,
) -> GramDiagnostics:
    """Return the diagnostics of a Gram matrix or of its factor.

    A constant or singular matrix is described, not refused. Of a factor F the spectrum and the alignment are those of
    all n rows, without an (n, n) matrix; the ratio is that of the rows `sample`.

    Parameters: `K` (n, n) symmetric, or a `Factor`; `y` (n,) classes or real targets, or None; `eigenvalues` (n,), or
    (r,) of a factor, if already computed; `sample` row numbers, by default all.
    Raises DataError for a K that is not square, symmetric and finite, or for y that does not fit.
    Reference: almost-orthogonal patterns, section 3; deep kernel machines, figure 3.6.

    >>> import numpy as np
    >>> numbers = diagnose(np.eye(3) + 1.0, [0, 0, 1])
    >>> numbers.diagonal_ratio, numbers.psd, round(numbers.effective_rank, 3)
    (2.0, True, 2.381)
    """
    if isinstance(K, Factor):
        n, matrix = len(K), K.dense(np.arange(len(K)) if sample is None else sample)
        known = decompose(K, owner="diagnose").eigenvalues if eigenvalues is None else np.asarray(eigenvalues)
        values: Array = np.concatenate([known, np.zeros(n - len(known))])
    else:
        matrix = symmetric(K, "diagnose")
        n = len(matrix)
        known = eigenvalues_of(matrix, "diagnose") if eigenvalues is None else np.asarray(eigenvalues, dtype=np.float64)
        values = np.array(np.sort(known)[::-1])
        if values.shape != (n,):
            raise DataError(
                f"diagnose: eigenvalues must be all {n} of K; got shape {values.shape}. "
                "Leave them out, or use decompose(K) without components."
            )
    labels = None if y is None else read_labels(y, task, n, "diagnose")
    alignment = None if labels is None else centred_alignment(K, labels.targets)
    return GramDiagnostics(diagonal_ratio(matrix), values, alignment)


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


def centred_alignment(K: ArrayLike | Checked | Factor, targets: ArrayLike) -> float:
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
