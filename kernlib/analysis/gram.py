"""Diagnostics of a Gram matrix, or of its factor: diagonal, spread, spectrum, classes."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import DataError
from ..numerics.distances import ROUNDING
from ..numerics.linalg import eigenvalues as eigenvalues_of
from ..values.arrays import Array, RowNumbers
from ..values.factor import Factor
from ..values.labels import AskedTask, Labels, read_labels
from ..values.notebook import Pictured
from .matrix import centre, square, symmetric
from .spectrum import decompose

# A smallest eigenvalue above −1e-10 max|l| is rounding in the entries, not an indefinite kernel.
PSD_TOLERANCE = 1e-10


@dataclass(frozen=True)
class OffDiagonal:
    """Seven numbers about the entries off the diagonal (nan when there are none)."""

    minimum: float
    lower_quartile: float
    median: float
    upper_quartile: float
    maximum: float
    mean: float
    mean_absolute: float


@dataclass(frozen=True, eq=False, repr=False)
class GramDiagnostics(Pictured):
    """Result of `diagnose`.

    `n`; `diagonal` (n,); `off_diagonal` the entries off it; `diagonal_ratio` mean K_ii / mean |K_ij|;
    `off_diagonal_spread` standard deviation of K_ij, i ≠ j; `eigenvalues` (n,) descending;
    `smallest_eigenvalue`; `psd` whether it is at least −`psd_tolerance`; `effective_rank` and
    `participation_ratio` in 1…n; `condition` l_1/l_n, inf when l_n is not positive beyond rounding.
    `alignment` in −1…1, with labels of either kind. With classes: `classes`, `class_means` (classes, classes) of the
    entries of every two classes, and `separability`, in 0…inf for a PSD K. None
    otherwise. `notes` say why a value is nan, or the condition infinite.
    """

    _drawn_by = "spectrum.eigenvalue_plot"

    n: int
    diagonal: Array
    off_diagonal: OffDiagonal
    diagonal_ratio: float
    off_diagonal_spread: float
    eigenvalues: Array
    smallest_eigenvalue: float
    psd: bool
    psd_tolerance: float
    effective_rank: float
    participation_ratio: float
    condition: float
    classes: NDArray[Any] | None = None
    class_means: Array | None = None
    alignment: float | None = None
    separability: float | None = None
    notes: tuple[str, ...] = ()

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
        \exp\Big(-\sum_j p_j\log p_j\Big),\quad \frac{(\sum_j l_j)^2}{\sum_j l_j^2},
        \quad p_j=\frac{l_j}{\sum_k l_k}

    A constant or singular matrix is described, not refused: a number that does not exist is nan, with the reason in
    `notes`. Of a factor F the diagonal, the spectrum, the alignment, class means and separability are those of all n
    rows, without an (n, n) matrix; quantiles and spreads of single entries are those of the rows `sample`.

    Parameters: `K` (n, n) symmetric, or a `Factor`; `y` (n,) classes or real targets (alignment only), or None;
    `eigenvalues` (n,), or (r,) of a factor, if already computed; `sample` row numbers, by default all.
    Raises DataError for a K that is not square, symmetric and finite, or for y that does not fit.
    Reference: almost-orthogonal patterns, section 3; deep kernel machines, figure 3.6.

    >>> import numpy as np
    >>> numbers = diagnose(np.eye(3) + 1.0, [0, 0, 1])
    >>> numbers.diagonal_ratio, numbers.psd, round(numbers.participation_ratio, 6)
    (2.0, True, 2.0)
    """
    if isinstance(K, Factor):
        return _of_factor(K, y, eigenvalues, task, np.arange(len(K)) if sample is None else sample)
    matrix = symmetric(K, "diagnose")
    n = len(matrix)
    notes: list[str] = []
    diagonal = np.diagonal(matrix).copy()
    summary, ratio, spread = _off_diagonal(matrix[np.triu_indices(n, 1)], diagonal, notes)
    if eigenvalues is None:
        values: Array = eigenvalues_of(matrix, "diagnose")[::-1].copy()
    else:
        values = np.array(np.sort(np.asarray(eigenvalues, dtype=np.float64))[::-1])
        if values.shape != (n,):
            raise DataError(
                f"diagnose: eigenvalues must be all {n} of K; got shape {np.shape(eigenvalues)}. "
                "Leave them out, or use decompose(K) without components."
            )
    numbers = GramDiagnostics(
        n=n,
        diagonal=diagonal,
        off_diagonal=summary,
        diagonal_ratio=ratio,
        off_diagonal_spread=spread,
        notes=(*notes, *_spectrum_notes(values)),
        **_spectrum_numbers(values),
    )
    return numbers if y is None else _with_labels(numbers, matrix, read_labels(y, task, n, "diagnose"))


def _of_factor(
    K: Factor, y: ArrayLike | None, eigenvalues: ArrayLike | None, task: AskedTask, sample: RowNumbers
) -> GramDiagnostics:
    n, diagonal = len(K), K.diagonal
    known = decompose(K, owner="diagnose").eigenvalues if eigenvalues is None else np.asarray(eigenvalues)
    values = np.zeros(n)
    values[: len(known)] = known
    near = diagnose(K.dense(sample), None if y is None else np.asarray(y)[sample], task=task)
    size = near.off_diagonal.mean_absolute
    kept = [note for note in near.notes if note not in (_SINGULAR, _ZERO)]  # these are about the sample's matrix
    origin = f"Quantiles and spreads of single entries are those of a sample of {len(sample):,} rows."
    numbers = replace(
        near,
        n=n,
        diagonal=diagonal,
        diagonal_ratio=float(diagonal.mean()) / size if size else near.diagonal_ratio,
        notes=(*kept, *_spectrum_notes(values), origin),
        **_spectrum_numbers(values),
    )
    return numbers if y is None else _with_labels(numbers, K, read_labels(y, task, n, "diagnose"))


def _spectrum_numbers(values: Array) -> dict[str, Any]:
    """Return the diagnostics that depend on the eigenvalues alone, (n,) descending."""
    tolerance, smallest = PSD_TOLERANCE * float(np.abs(values).max()), float(values[-1])
    return dict(
        eigenvalues=values,
        smallest_eigenvalue=smallest,
        psd=smallest >= -tolerance,
        psd_tolerance=tolerance,
        effective_rank=effective_rank(values),
        participation_ratio=participation_ratio(values),
        condition=float(values[0] / smallest) if smallest > tolerance else math.inf,
    )


def _spectrum_notes(values: Array) -> list[str]:
    if not values.any():
        return [_ZERO]
    return [_SINGULAR] if values[-1] <= PSD_TOLERANCE * np.abs(values).max() else []


def _with_labels(numbers: GramDiagnostics, K: Array | Factor, labels: Labels) -> GramDiagnostics:
    """Return the numbers with alignment, class means and separability."""
    notes = list(numbers.notes)
    alignment = centred_alignment(K, labels.targets)
    if math.isnan(alignment) and _VANISHES not in notes:
        notes.append(_VANISHES)
    if labels.codes is None:
        return replace(numbers, alignment=alignment, notes=tuple(notes))
    means, separability = class_means(K, labels.codes), class_separability(K, labels.codes)
    for absent, reason in ((math.isnan(separability), _COINCIDE), (np.isnan(means).any(), _ONE_ROW)):
        if absent and reason not in notes:
            notes.append(reason)
    return replace(
        numbers,
        alignment=alignment,
        classes=labels.classes,
        class_means=means,
        separability=separability,
        notes=tuple(notes),
    )


_ZERO = "K is zero everywhere: it has no spectrum to describe."
_SINGULAR = "K is singular to rounding, or indefinite: its condition is infinite."
_VANISHES = "Centred K or y vanishes: all rows, or all labels, coincide; there is no alignment."
_COINCIDE = "All rows coincide in feature space: classes have no scatter to compare."
_ONE_ROW = "A class with one row has no pairs within it: its class mean is nan."


def _off_diagonal(off: Array, diagonal: Array, notes: list[str]) -> tuple[OffDiagonal, float, float]:
    if not len(off):
        notes.append("K has one row: there are no entries off the diagonal.")
        return OffDiagonal(*[math.nan] * 7), math.nan, math.nan
    low, lower, median, upper, high = np.quantile(off, [0, 0.25, 0.5, 0.75, 1]).tolist()
    absolute = float(np.abs(off).mean())
    summary = OffDiagonal(low, lower, median, upper, high, float(off.mean()), absolute)
    if absolute:
        ratio = float(diagonal.mean()) / absolute
    else:
        ratio = math.inf if diagonal.any() else math.nan
        notes.append("All entries off the diagonal are zero: every two rows are orthogonal.")
    # A constant has no spread; the mean's last digit would give it one.
    return summary, ratio, 0.0 if low == high else float(off.std())


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


def participation_ratio(eigenvalues: ArrayLike) -> float:
    r"""Return (Σ l_j)² / Σ l_j² of the non-negative part: between 1 and n; nan when nothing is positive.

    Parameters: `eigenvalues` (n,).

    >>> participation_ratio([1.0, 1.0, 0.0])
    2.0
    """
    kept = np.maximum(np.asarray(eigenvalues, dtype=np.float64), 0.0)
    if not kept.any():
        return math.nan
    kept = kept / kept.max()
    return float(kept.sum() ** 2 / (kept**2).sum())


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


def class_separability(K: ArrayLike | Factor, codes: NDArray[np.intp]) -> float:
    r"""Return between-class over within-class scatter in feature space, 0…inf; nan when all rows coincide.

    .. math:: \frac{\sum_c n_c\|\mu_c-\mu\|^2}{\sum_i\|\Phi(x_i)-\mu_{c(i)}\|^2}

    from K alone: the denominator is tr K − Σ_c (1/n_c) Σ_{i,j∈c} K_ij.

    Parameters: `K` (n, n), or a `Factor`; `codes` (n,) integers 0…classes−1.

    >>> import numpy as np
    >>> x = np.array([0.0, 2.0, 10.0, 12.0])
    >>> class_separability(np.outer(x, x), np.array([0, 0, 1, 1]))
    25.0
    """
    member = np.eye(int(codes.max()) + 1)[codes]
    # Centred first: of rows far from the origin the traces are large and their difference rounding.
    if isinstance(K, Factor):
        F = K.rows - K.rows.mean(axis=0)
        middles = member.T @ F / member.sum(axis=0)[:, None]
        within, total = float(((F - middles[codes]) ** 2).sum()), float((F**2).sum())
        size = float(K.diagonal.sum())
    else:
        matrix = square(K, "class_separability")
        centred = centre(matrix)
        total, size = float(np.trace(centred)), float(np.abs(np.diagonal(matrix)).sum())
        within = total - float((np.einsum("ic,ic->c", member, centred @ member) / member.sum(axis=0)).sum())
    if abs(total) <= ROUNDING * size:
        return math.nan
    return math.inf if abs(within) <= ROUNDING * size else (total - within) / within
