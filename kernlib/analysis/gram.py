"""What a Gram matrix looks like: its diagonal, its spread, its spectrum, its classes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import scipy.cluster.hierarchy
from numpy.typing import ArrayLike, NDArray

from ..distances import squared_distances as feature_distances
from ..errors import DataError, DegenerateError, ParameterError
from ..linalg import eigenvalues as eigenvalues_of
from ..notebook import Pictured
from ..values.arrays import Array
from ..values.labels import AskedTask, Labels, read_labels
from .matrix import finite, square, symmetric
from .spectrum import decompose

__all__ = [
    "ORDERINGS",
    "PSD_TOLERANCE",
    "GramDiagnostics",
    "Summary",
    "centre",
    "centre_rows",
    "centred_alignment",
    "class_means",
    "class_separability",
    "cosine",
    "diagnose",
    "diagonal_ratio",
    "effective_rank",
    "order_rows",
    "participation_ratio",
    "squared_distances",
]


# A smallest eigenvalue above −1e-10 max|l| is rounding in the entries, not a kernel that is indefinite.
PSD_TOLERANCE = 1e-10

ORDERINGS = ("as read", "class", "class, then eigenvector", "clustering")


@dataclass(frozen=True)
class Summary:
    """Seven numbers about the entries off the diagonal (nan when there are none)."""

    minimum: float
    lower_quartile: float
    median: float
    upper_quartile: float
    maximum: float
    mean: float
    mean_absolute: float


@dataclass(frozen=True, eq=False)
class GramDiagnostics(Pictured):
    """Result of `diagnose`.

    `n`; `diagonal` (n,); `off_diagonal` their `Summary`; `diagonal_ratio` mean K_ii / mean |K_ij|;
    `off_diagonal_spread` standard deviation of K_ij, i ≠ j; `eigenvalues` (n,) descending;
    `smallest_eigenvalue`; `psd` whether it is at least −`psd_tolerance`; `effective_rank` and
    `participation_ratio` in 1…n; `condition` l_1/l_n, inf when l_n is not positive beyond rounding.
    With labels: `classes`, `class_means` (classes, classes), `alignment` in −1…1, `separability`
    in 0…inf; without, None. `notes` say why a value is nan or infinite.
    """

    _drawn_by: ClassVar[str] = "gram.spectrum_bars"

    n: int
    diagonal: Array
    off_diagonal: Summary
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


def diagnose(
    K: ArrayLike,
    y: ArrayLike | None = None,
    *,
    eigenvalues: ArrayLike | None = None,
    task: AskedTask = "auto",
) -> GramDiagnostics:
    r"""Everything that one look at a Gram matrix can tell.

    .. math:: \frac{\frac1n\sum_i K_{ii}}{\frac1{n(n-1)}\sum_{i\ne j}|K_{ij}|},\quad
        \exp\Big(-\sum_j p_j\log p_j\Big),\quad \frac{(\sum_j l_j)^2}{\sum_j l_j^2},
        \quad p_j=\frac{l_j}{\sum_k l_k}

    A constant or singular matrix is described, not refused: what does not exist is nan, with the
    reason in `notes`.

    Parameters: `K` (n, n) symmetric; `y` (n,) classes or real targets (alignment only), None for
    none; `eigenvalues` (n,) when they are already there, so that none is computed twice.
    Raises DataError for a K that is not square, symmetric and finite, or for y that does not fit.
    Reference: almost-orthogonal patterns, section 3; deep kernel machines, figure 3.6.

    >>> import numpy as np
    >>> found = diagnose(np.eye(3) + 1.0, [0, 0, 1])
    >>> found.diagonal_ratio, found.psd, round(found.participation_ratio, 6)
    (2.0, True, 2.0)
    """
    matrix = symmetric(K, "diagnose")
    n = len(matrix)
    notes: list[str] = []
    diagonal = np.diagonal(matrix).copy()
    off = matrix[np.triu_indices(n, 1)]
    summary, ratio, spread = _off_diagonal(off, diagonal, notes)

    if eigenvalues is None:
        values: Array = eigenvalues_of(matrix, "diagnose")[::-1].copy()
    else:
        values = np.array(np.sort(np.asarray(eigenvalues, dtype=np.float64))[::-1])
        if values.shape != (n,):
            raise DataError(
                f"diagnose: eigenvalues must be all {n} of K; got shape {np.shape(eigenvalues)}. "
                "Leave them out, or use decompose(K) without components."
            )
    size = float(np.abs(values).max())
    tolerance = PSD_TOLERANCE * size
    smallest = float(values[-1])
    if size == 0:
        notes.append("K is zero everywhere: it has no spectrum to describe.")
    if smallest > tolerance:
        condition = float(values[0]) / smallest
    else:
        condition = math.inf
        if size:
            notes.append("K is singular to rounding, or indefinite: its condition is infinite.")

    if y is None:
        classes = means = alignment = separability = None
    else:
        labels = read_labels(y, task, n, "diagnose")
        alignment = centred_alignment(matrix, labels.targets)
        if math.isnan(alignment):
            notes.append("Centred K or y vanishes: all rows, or all labels, coincide; there is no alignment.")
        classes = means = separability = None
        if labels.codes is not None:
            classes = labels.classes
            means = class_means(matrix, labels.codes)
            separability = class_separability(matrix, labels.codes)
            if math.isnan(separability):
                notes.append("All rows coincide in feature space: classes have no scatter to compare.")
            if np.isnan(means).any():
                notes.append("A class with one row has no pairs within it: its class mean is nan.")
    return GramDiagnostics(
        n=n,
        diagonal=diagonal,
        off_diagonal=summary,
        diagonal_ratio=ratio,
        off_diagonal_spread=spread,
        eigenvalues=values,
        smallest_eigenvalue=smallest,
        psd=smallest >= -tolerance,
        psd_tolerance=tolerance,
        effective_rank=effective_rank(values),
        participation_ratio=participation_ratio(values),
        condition=condition,
        classes=classes,
        class_means=means,
        alignment=alignment,
        separability=separability,
        notes=tuple(notes),
    )


def _off_diagonal(off: Array, diagonal: Array, notes: list[str]) -> tuple[Summary, float, float]:
    if not len(off):
        notes.append("K has one row: nothing stands off the diagonal.")
        return Summary(*[math.nan] * 7), math.nan, math.nan
    low, lower, median, upper, high = np.quantile(off, [0, 0.25, 0.5, 0.75, 1]).tolist()
    absolute = float(np.abs(off).mean())
    summary = Summary(low, lower, median, upper, high, float(off.mean()), absolute)
    if absolute:
        ratio = float(diagonal.mean()) / absolute
    else:
        ratio = math.inf if diagonal.any() else math.nan
        notes.append("All entries off the diagonal are zero: every two rows are orthogonal.")
    # A constant has no spread; the mean's last digit would give it one.
    return summary, ratio, 0.0 if low == high else float(off.std())


def diagonal_ratio(K: ArrayLike) -> float:
    r"""mean K_ii / mean |K_ij|, i ≠ j: far above 1, every row is like itself and no other.

    Of a large matrix some two million entries are looked at, which tell the mean of many more.
    Parameters: `K` (n, n). 1 for a single row, inf where only the diagonal is not zero.

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
    r"""exp(−Σ p_j log p_j), p_j = max(l_j, 0)/Σ: between 1 (constant K) and n (K = I); nan for none.

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
    r"""(Σ l_j)² / Σ l_j² of the non-negative part: between 1 and n; nan when nothing is positive.

    Parameters: `eigenvalues` (n,).

    >>> participation_ratio([1.0, 1.0, 0.0])
    2.0
    """
    kept = np.maximum(np.asarray(eigenvalues, dtype=np.float64), 0.0)
    if not kept.any():
        return math.nan
    kept = kept / kept.max()
    return float(kept.sum() ** 2 / (kept**2).sum())


def class_means(K: ArrayLike, codes: NDArray[np.intp]) -> Array:
    """Mean of K_ij, i ≠ j, over the rows of every two classes, (classes, classes); nan where no pair is.

    Parameters: `K` (n, n); `codes` (n,) integers 0…classes−1.

    >>> import numpy as np
    >>> class_means(np.array([[9.0, 1, 2], [1, 9, 4], [2, 4, 9]]), np.array([0, 0, 1]))
    array([[ 1.,  3.],
           [ 3., nan]])
    """
    matrix = square(K, "class_means")
    member = np.eye(int(codes.max()) + 1)[codes]
    counts = member.sum(axis=0)
    sums = member.T @ matrix @ member - np.diag(member.T @ np.diagonal(matrix))
    pairs = np.outer(counts, counts) - np.diag(counts)
    means: Array = np.divide(sums, pairs, out=np.full_like(sums, np.nan), where=pairs > 0)
    return means


def centred_alignment(K: ArrayLike, targets: ArrayLike) -> float:
    r"""Centred alignment of K with the labels, in −1…1 (0…1 for PSD K); nan when either is constant.

    .. math:: \frac{\langle HKH, HTH\rangle}{\|HKH\|\,\|HTH\|},\quad T = YY^\top,\ H = I - \tfrac1n 11^\top

    Parameters: `K` (n, n); `targets` Y, (n,) ±1 or real, or (n, classes) one-hot.
    Reference: Cortes, Mohri, Rostamizadeh, JMLR 13, 2012, definition 4.

    >>> import numpy as np
    >>> y = np.array([1.0, 1.0, -1.0, -1.0])
    >>> round(centred_alignment(np.outer(y, y), y), 6)
    1.0
    """
    matrix = square(K, "centred_alignment")
    wide = np.asarray(targets, dtype=np.float64).reshape(len(matrix), -1)
    wide = wide - wide.mean(axis=0)
    centred = centre(matrix)
    # Both norms are judged against what centring started from: what is left of a constant is rounding.
    size = float(np.linalg.norm(centred))
    if size <= 1e-12 * np.linalg.norm(matrix) or not wide.any():
        return math.nan
    return float((wide * (centred @ wide)).sum() / (size * np.linalg.norm(wide.T @ wide)))


def class_separability(K: ArrayLike, codes: NDArray[np.intp]) -> float:
    r"""Between-class over within-class scatter in feature space, 0…inf; nan when all rows coincide.

    .. math:: \frac{\sum_c n_c\|\mu_c-\mu\|^2}{\sum_i\|\Phi(x_i)-\mu_{c(i)}\|^2}

    from K alone: the denominator is tr K − Σ_c (1/n_c) Σ_{i,j∈c} K_ij.

    Parameters: `K` (n, n); `codes` (n,) integers 0…classes−1.

    >>> import numpy as np
    >>> x = np.array([0.0, 2.0, 10.0, 12.0])
    >>> class_separability(np.outer(x, x), np.array([0, 0, 1, 1]))
    25.0
    """
    matrix = square(K, "class_separability")
    member = np.eye(int(codes.max()) + 1)[codes]
    trace = float(np.trace(matrix))
    within = trace - float((np.diagonal(member.T @ matrix @ member) / member.sum(axis=0)).sum())
    total = trace - float(matrix.sum()) / len(matrix)
    rounding = 1e-12 * float(np.abs(np.diagonal(matrix)).sum())
    if abs(total) <= rounding:
        return math.nan
    if abs(within) <= rounding:
        return math.inf
    return (total - within) / within


def cosine(K: ArrayLike, diag_x: ArrayLike | None = None, diag_y: ArrayLike | None = None) -> Array:
    r"""Cosines of the angles in feature space: K_ij / √(K_ii K_jj).

    Parameters: `K` (n, n), or (m, n) with `diag_x` (m,) and `diag_y` (n,), the values k(x, x) of its
    rows and columns.
    Raises DegenerateError when some k(x, x) is not positive: that row has no direction.
    Reference: almost-orthogonal patterns, section 3.

    >>> import numpy as np
    >>> cosine(np.array([[4.0, 2.0], [2.0, 4.0]]))
    array([[1. , 0.5],
           [0.5, 1. ]])
    """
    matrix, rows, columns = _with_diagonals(K, diag_x, diag_y, "cosine")
    for values in (rows, columns):
        if not (values > 0).all():
            i = int(np.argmin(values))
            raise DegenerateError(
                f"cosine: k(x, x) must be positive in every row; got {values[i]:.6g} in row {i}, which has "
                "no direction in feature space. Leave such rows out."
            )
    cosines: Array = matrix / np.sqrt(rows)[:, None]
    cosines /= np.sqrt(columns)
    return cosines


def squared_distances(K: ArrayLike, diag_x: ArrayLike | None = None, diag_y: ArrayLike | None = None) -> Array:
    r"""Squared distances in feature space, never below zero: d²_ij = K_ii − 2 K_ij + K_jj.

    Parameters: `K` (n, n), or (m, n) with `diag_x` (m,) and `diag_y` (n,), the values k(x, x) of its
    rows and columns. What rounding explains is 0 (`kernlib.distances.squared_distances`).
    Raises DataError where they leave double precision.
    Reference: deep kernel machines, equation 2.5.

    >>> import numpy as np
    >>> squared_distances(np.array([[1.0, 2.0], [2.0, 4.0]]))
    array([[0., 1.],
           [1., 0.]])
    """
    matrix, rows, columns = _with_diagonals(K, diag_x, diag_y, "squared_distances")
    return finite(feature_distances(matrix.copy(), rows, columns), "squared_distances", "d²")


def _with_diagonals(
    K: ArrayLike, diag_x: ArrayLike | None, diag_y: ArrayLike | None, owner: str
) -> tuple[Array, Array, Array]:
    matrix = finite(K, owner)
    if (diag_x is None or diag_y is None) and matrix.shape[0] != matrix.shape[1]:
        raise DataError(
            f"{owner}: K must be square when diag_x or diag_y is left out; got shape {matrix.shape}. "
            "Pass diag_x=k.diag(X) and diag_y=k.diag(Y)."
        )
    found = []
    for name, given, length in (("diag_x", diag_x, matrix.shape[0]), ("diag_y", diag_y, matrix.shape[1])):
        values = np.diagonal(matrix) if given is None else np.asarray(given, dtype=np.float64)
        if values.shape != (length,):
            raise DataError(
                f"{owner}: {name} must have one value for each of the {length} "
                f"{'rows' if name == 'diag_x' else 'columns'} of K; got shape {values.shape}. "
                "Pass k.diag of the same rows."
            )
        found.append(values)
    return matrix, found[0], found[1]


def centre(K: ArrayLike) -> Array:
    r"""HKH, H = I − 11'/n: the Gram matrix of the rows less their mean in feature space.

    Parameters: `K` (n, n). Raises DataError for a matrix that is not square or not finite.

    >>> import numpy as np
    >>> centre(np.array([[1.0, 0.0], [0.0, 1.0]]))
    array([[ 0.5, -0.5],
           [-0.5,  0.5]])
    """
    matrix = square(K, "centre")
    means = matrix.mean(axis=0)
    centred: Array = matrix - means
    centred -= matrix.mean(axis=1)[:, None]
    centred += means.mean()
    return centred


def centre_rows(K_star: ArrayLike, K: ArrayLike) -> Array:
    r"""New rows less the training mean: K*_ij − mean_j K*_ij − mean_i K_ij + mean K.

    Parameters: `K_star` (m, n), new rows against training rows; `K` (n, n) of the training rows.

    >>> import numpy as np
    >>> K = np.array([[1.0, 0.0], [0.0, 1.0]])
    >>> bool(np.allclose(centre_rows(K, K), centre(K)))
    True
    """
    rows, matrix = finite(K_star, "centre_rows", "K_star"), square(K, "centre_rows")
    if rows.shape[1] != len(matrix):
        raise DataError(
            f"centre_rows: K_star must have one column for each of the {len(matrix)} training rows; "
            f"got shape {rows.shape}. Pass k(new rows, training rows)."
        )
    centred: Array = rows - rows.mean(axis=1, keepdims=True) - matrix.mean(axis=0) + matrix.mean()
    return centred


def order_rows(
    K: ArrayLike,
    y: ArrayLike | None = None,
    by: str = "class",
    *,
    eigenvector: ArrayLike | None = None,
) -> NDArray[np.intp]:
    """Row numbers in the order in which a Gram matrix is best looked at.

    "as read"; "class": by label (real y: by value), stable; "class, then eigenvector": within a class
    by the leading eigenvector of K; "clustering": the leaves of average linkage on feature space
    distances.

    Parameters: `K` (n, n); `y` (n,), needed by the two orders that name the class; `by` one of
    `ORDERINGS`; `eigenvector` (n,) when the leading one is already there.
    Returns a permutation (n,). Raises ParameterError for `by`, DataError when y is missing.

    >>> import numpy as np
    >>> order_rows(np.eye(4), ["b", "a", "b", "a"], by="class")
    array([1, 3, 0, 2])
    """
    matrix = square(K, "order_rows")
    n = len(matrix)
    if by not in ORDERINGS:
        raise ParameterError(
            f"order_rows: by must be one of {', '.join(map(repr, ORDERINGS))}; got {by!r}. Try by='class'."
        )
    if by == "as read" or n == 1:
        return np.arange(n)
    if by == "clustering":
        distances = np.sqrt(squared_distances(matrix))
        tree = scipy.cluster.hierarchy.average(distances[np.triu_indices(n, 1)])
        return np.asarray(scipy.cluster.hierarchy.leaves_list(tree), dtype=np.intp)
    if y is None:
        raise DataError(f"order_rows: by={by!r} must have labels; got y=None. Pass y, or by='clustering'.")
    labels = read_labels(y, "auto", n, "order_rows")
    first = _sorting_key(labels)
    if by == "class":
        return np.argsort(first, kind="stable")
    if eigenvector is None:
        eigenvector = decompose(matrix, 1, owner="order_rows").eigenvectors[:, 0]
    return np.lexsort((np.asarray(eigenvector, dtype=np.float64), first))


def _sorting_key(labels: Labels) -> NDArray[Any]:
    return labels.targets if labels.codes is None else labels.codes
