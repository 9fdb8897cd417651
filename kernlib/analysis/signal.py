"""Signal and noise in the label coefficients: known targets, noisier labels, and fewer rows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..errors import DataError, DegenerateError
from ..statistics import rank_correlation
from ..values.arrays import Array, RowNumbers
from ..values.labels import AskedTask
from ..values.words import number, percent
from .matrix import square
from .relevant import RelevantDimension, relevant_dimension
from .spectrum import Decomposition, decompose

#: Directions with a smaller share of the largest eigenvalue have no function value beyond the rows: it is rounding.
_LEAST = 1e-9


def noisier_labels(y: ArrayLike, share: float, classes: int = 0, seed: int = 0) -> tuple[Array, RowNumbers]:
    """Return labels with noise added, and the numbers of the rows whose class was flipped.

    Parameters: `y` (n,) codes of `classes` classes, or real targets where `classes` is 0; `share` of the rows whose
    class is replaced by another one, or the noise's standard deviation as a multiple of that of y. A larger share flips
    the same rows and more; the noise grows and keeps its shape.

    >>> noisier_labels([0, 0, 1, 1], 0.5, classes=2)[1].size
    2
    """
    values = np.asarray(y)
    rng = np.random.default_rng(seed)
    if not classes:
        noise = rng.standard_normal(len(values))
        return values + share * float(values.std()) * noise, np.empty(0, dtype=np.intp)
    order, steps = rng.permutation(len(values)), rng.integers(1, max(classes, 2), len(values))
    flipped = np.sort(order[: round(share * len(values))])
    changed = values.copy()
    changed[flipped] = (values[flipped] + steps[flipped]) % classes
    return changed, flipped


@dataclass(frozen=True, eq=False)
class SignalAndNoise:
    """The coefficients of a known target and of the noise; see `split_signal`.

    `signal` |U'G| and `noise` |U'ε|, (n,); `floor` (n,) the expected size of the noise's coefficients; `dimension` the
    d̂ that the expected coefficients give; `noise_share` the true noise, as `RelevantDimension.noise_share`; `distance`
    over d = 1… the mean squared distance of ŷ from G.
    """

    signal: Array
    noise: Array
    floor: Array
    noise_share: float
    distance: Array


def split_signal(rd: RelevantDimension, target: ArrayLike, variance: ArrayLike) -> SignalAndNoise:
    r"""Return the labels' two parts along the directions, Y = G + ε, for a known target G.

    .. math:: s = U'G + U'\varepsilon, \qquad E\,(u_i'\varepsilon)^2 = \sum_k [u_i]_k^2 \mathrm{Var}\,\varepsilon_k

    Parameters: `rd` of labels of two classes, or of reals; `target` G (n,), classes as ±1; `variance` (n,) of the
    noise. Raises DataError for more classes.
    Reference: kernels and feature space, 'The location of zero-mean noise'.

    >>> K = np.diag([3.0, 2.0, 1.0, 0.5])
    >>> rd = relevant_dimension(K, [2.1, 0.1, -0.1, 0.1])
    >>> split_signal(rd, [2.0, 0.0, 0.0, 0.0], np.full(4, 0.01)).floor.round(2).tolist()
    [0.1, 0.1, 0.1, 0.1]
    """
    y, G = rd.labels.targets, np.asarray(target, dtype=np.float64)
    if y.ndim != 1:
        raise DataError(f"split_signal: expected two classes or real labels; found {y.shape[1]} classes.")
    U, signal = rd.eigenvectors, G - rd.offset
    noise = y - signal
    if rd.labels.task == "regression":
        share = float((noise**2).mean() / y.var())
    else:
        share = float((np.where(signal > 0, 1.0, -1.0) != y).mean())
    fitted = np.cumsum(U[:, : rd.max_dimension] * rd.coefficients[: rd.max_dimension], axis=1)
    return SignalAndNoise(
        signal=np.abs(U.T @ signal),
        noise=np.abs(U.T @ noise),
        floor=np.sqrt((U**2).T @ np.asarray(variance, dtype=np.float64)),
        noise_share=share,
        distance=((fitted - signal[:, None]) ** 2).mean(axis=0),
    )


def functions_at(K_star: ArrayLike, pairs: Decomposition, count: int) -> Array:
    """Return the first `count` eigenvectors as functions at new points, f_j(x) = (1/l_j) Σ_i k(x, x_i) [u_j]_i.

    A direction whose eigenvalue is rounding, below 1e-9 of the largest, has no value beyond the rows: its column is 0.

    Parameters: `K_star` (m, n), new points against rows. Returns (m, count).
    """
    values = pairs.eigenvalues[:count]
    known = np.abs(values) > _LEAST * float(np.abs(pairs.eigenvalues).max())
    inverse = np.divide(1.0, values, out=np.zeros_like(values), where=known)
    functions: Array = np.asarray(K_star, dtype=np.float64) @ (pairs.eigenvectors[:, :count] * inverse)
    return functions


def spectrum_notes(rd: RelevantDimension, spectrum: Decomposition) -> tuple[str, ...]:
    """Return sentences about what limits the relevant dimension here: few rows, rank, negative eigenvalues, classes.

    >>> K = np.outer([1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0])
    >>> spectrum_notes(relevant_dimension(K, [0, 1, 1, 1]), decompose(K))[1]
    'The matrix has rank 1 of 4: later directions are arbitrary, and the search ends there.'
    """
    values, n = spectrum.eigenvalues, len(rd.eigenvectors)
    notes = []
    if n < 10:
        notes.append(f"Only {n} rows: the cut and its interval are hardly more than a guess below 10 rows.")
    rank = spectrum.directions
    if rank < n // 2 and len(values) == n:
        notes.append(f"The matrix has rank {rank} of {n}: later directions are arbitrary, and the search ends there.")
    negative = values[values < -spectrum.tolerance]
    if len(negative):
        share = float(np.abs(negative).sum() / np.abs(values).sum())
        notes.append(
            f"The matrix is indefinite: {len(negative)} negative eigenvalues hold {share:.1%} of the sum of |l|. "
            "Directions are in descending order of l, so theirs come last."
        )
    if rd.labels.targets.ndim == 2:
        notes.append(
            f"{rd.labels.targets.shape[1]} classes: one coefficient per class, and |s|² is their sum of squares."
        )
    if rd.labels.task == "regression":
        notes.append("Real labels: y is taken less its mean, and noise is a share of the variance of y.")
    return tuple(notes)


@dataclass(frozen=True, eq=False)
class Part:
    """A part of the rows: `n` of them, eigenvalues l_j/n (n,), d̂ and the noise's share there, None and nan without
    labels; `distance` the mean squared distance of ŷ from the target, nan without one; `residual` (m,) the mean squared
    distance of the other rows from the span of the first j = 1… directions, over the mean of k(x, x).
    """

    n: int
    eigenvalues: Array
    dimension: int | None
    noise_share: float
    distance: float
    residual: Array

    @property
    def tail(self) -> Array:
        """Return the share of the trace beyond the first j = 1… directions, (n,)."""
        rest: Array = 1.0 - np.cumsum(self.eigenvalues) / (float(self.eigenvalues.sum()) or 1.0)
        return rest


def row_parts(
    K: ArrayLike,
    y: ArrayLike | None = None,
    target: ArrayLike | None = None,
    *,
    task: AskedTask = "auto",
    decomposition: Decomposition | None = None,
    seed: int = 0,
) -> tuple[Part, ...]:
    """Return what disjoint eighths, quarters and halves of the rows show of the spectrum, and all rows, last.

    Parameters: `K` (n, n); `y` (n,) labels; `target` (n,) the noise-free labels, classes as ±1; `decomposition` of K.
    Parts of fewer than eight rows are left out.
    Reference: kernels and feature space, 'Convergence for kernel PCA' and the theorem ŷ → G.
    """
    matrix = square(K, "row_parts")
    n = len(matrix)
    order, parts = np.random.default_rng(seed).permutation(n), []
    for pieces in (8, 4, 2, 1):
        if n // pieces < 8:
            continue
        for piece in np.array_split(order, pieces):
            rows = np.sort(piece)
            others = np.setdiff1d(order, rows)
            inner = matrix if pieces == 1 else matrix[np.ix_(rows, rows)]
            pairs = decompose(inner) if pieces > 1 or decomposition is None else decomposition
            labels = None if y is None else np.asarray(y)[rows]
            G = None if target is None else np.asarray(target, dtype=np.float64)[rows]
            dimension, noise, distance = _cut_of(inner, labels, G, task, pairs)
            parts.append(
                Part(
                    len(rows), pairs.eigenvalues / len(rows), dimension, noise, distance,
                    _left_out(matrix, rows, others, pairs),
                )
            )  # fmt: skip
    return tuple(parts)


def parts_by_size(parts: Sequence[Part]) -> list[list[Part]]:
    """Return the parts of `row_parts` in groups of one size, up to one row: n may not be a multiple of 8.

    >>> [len(group) for group in parts_by_size(row_parts(np.eye(36)))]
    [4, 2, 1]
    """
    groups: list[list[Part]] = []
    for part in parts:
        if groups and abs(part.n - groups[-1][0].n) <= 1:
            groups[-1].append(part)
        else:
            groups.append([part])
    return groups


def eigenvalue_errors(parts: Sequence[Part], most: int = 30) -> str:
    """Return whether the error of an eigenvalue from fewer rows shrinks with the eigenvalue, as text.

    [R] bounds |l_i − λ_i| by λ_i C(r, n) + E(r, n) and prints neither C nor E. The error is measured instead: mean
    over the smallest parts, with the eigenvalues of all rows for λ.

    Parameters: `parts` of `row_parts`; `most` directions, as far as they are above rounding.
    """
    whole, fewest = parts[-1].eigenvalues, parts_by_size(parts)[0]
    shown = min(most, fewest[0].n)
    shown = int((whole[:shown] > 1e-6 * whole[0]).sum())
    error = np.mean([np.abs(part.eigenvalues[:shown] - whole[:shown]) for part in fewest], axis=0)
    if shown < 3 or len(parts) < 2:
        return ""
    rho, share = rank_correlation(whole[:shown], error), float(np.median(error / whole[:shown]))
    does = "shrinks with the eigenvalue, as in [R]" if rho > 0.5 else "does not shrink with the eigenvalue here"
    rank = "" if math.isnan(rho) else f": rank correlation {number(rho, 2)}"
    return (
        f"With {fewest[0].n} rows the error of the first {shown} eigenvalues {does}{rank}. Its median is "
        f"{percent(share)} of the eigenvalue. [R] prints no constants of its bound, so none is drawn."
    )


def _cut_of(
    K: Array, y: Array | None, target: Array | None, task: AskedTask, pairs: Decomposition
) -> tuple[int | None, float, float]:
    if y is None:
        return None, math.nan, math.nan
    try:
        rd = relevant_dimension(K, y, task=task, decomposition=pairs, centred=True)
    except (DataError, DegenerateError):  # labels of one value
        return None, math.nan, math.nan
    known = target is not None and rd.labels.targets.ndim == 1
    distance = float(((rd.denoised - target) ** 2).mean()) if known else math.nan
    return rd.dimension, rd.noise_share, distance


def _left_out(K: Array, rows: RowNumbers, others: RowNumbers, pairs: Decomposition) -> Array:
    """Return the mean squared distance of other rows from the span of the first directions, over mean k(x, x)."""
    if not len(others):
        return np.empty(0)
    count = min(len(rows), 60)
    lengths = np.sqrt(np.maximum(pairs.eigenvalues[:count], 0.0))
    scores = functions_at(K[np.ix_(others, rows)], pairs, count) * lengths
    own = K.diagonal()[others]
    left: Array = (own[:, None] - np.cumsum(scores**2, axis=1)).mean(axis=0) / (float(own.mean()) or 1.0)
    return left


def projection_bound(eigenvalues: ArrayLike, diagonal: ArrayLike, level: float = 0.95) -> Array:
    r"""Return the bound of the mean squared distance of new rows from the span of the first j = 1… directions.

    .. math:: \min_{\ell\le j}\Big[\sum_{i>\ell}\frac{l_i}{n} + \frac{1+\sqrt\ell}{\sqrt n}
        \sqrt{\frac2n\sum_i k(x_i,x_i)^2}\Big] + R^2\sqrt{\frac{18}{n}\log\frac{2n}{\delta}}

    holds for all j at once with probability `level` = 1 − δ; R² = max k(x, x) of the rows.

    Parameters: `eigenvalues` (n,) of the rows' K, divided by n; `diagonal` (n,) of K.
    Reference: Shawe-Taylor, Williams, Cristianini, Kandola, IEEE Transactions on Information Theory 51, 2005, 2510.

    >>> projection_bound([0.5, 0.5], [1.0, 1.0]).round(1).tolist()
    [8.8, 8.7]
    """
    values, own = np.asarray(eigenvalues, dtype=np.float64), np.asarray(diagonal, dtype=np.float64)
    n, ell = len(values), np.arange(1, len(values) + 1)
    tail = values.sum() - np.cumsum(values)
    spread = (1 + np.sqrt(ell)) / math.sqrt(n) * math.sqrt(2 * float((own**2).mean()))
    slack = float(own.max()) * math.sqrt(18 / n * math.log(2 * n / (1 - level)))
    bound: Array = np.minimum.accumulate(tail + spread) + slack
    return bound
