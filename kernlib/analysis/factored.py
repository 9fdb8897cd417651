"""What a Gram matrix tells, from its factor: numbers of all rows without an (n, n) matrix."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from ..distances import ROUNDING
from ..values.arrays import Array, RowNumbers
from ..values.factor import Factor
from ..values.labels import AskedTask, read_labels
from .gram import GramDiagnostics, centred_alignment, diagnose, effective_rank, participation_ratio, scatter_ratio
from .spectrum import Decomposition

__all__ = ["alignment", "class_scatter", "diagnose_factor"]


def alignment(K: ArrayLike | Factor, targets: ArrayLike) -> float:
    """`centred_alignment` of a Gram matrix or of a factor F: ‖Y_c'F_c‖² / (‖F_c'F_c‖ ‖Y_c'Y_c‖).

    >>> y = np.array([1.0, 1.0, -1.0, -1.0])
    >>> round(alignment(Factor(y[:, None]), y), 6)
    1.0
    """
    if not isinstance(K, Factor):
        return centred_alignment(K, targets)
    wide = np.asarray(targets, dtype=np.float64).reshape(len(K), -1)
    wide = wide - wide.mean(axis=0)
    F = K.rows - K.rows.mean(axis=0)
    size, whole = float(np.linalg.norm(F.T @ F)), float(np.linalg.norm(K.rows.T @ K.rows))
    if size <= ROUNDING * whole or not wide.any():
        return math.nan
    return float(np.linalg.norm(wide.T @ F) ** 2 / (size * np.linalg.norm(wide.T @ wide)))


def diagnose_factor(
    K: Factor,
    y: ArrayLike | None,
    sample: RowNumbers,
    decomposition: Decomposition,
    *,
    task: AskedTask = "auto",
) -> GramDiagnostics:
    """`diagnose` of FF': sums, spectrum and alignment of all rows, the spread of single entries from a sample of rows.

    Exact over all n rows: the diagonal, the eigenvalues (those beyond the factor's columns are 0), effective rank,
    alignment, class means, separability. From the rows `sample` alone: quantiles and size of entries beside the
    diagonal with the diagonal ratio, and the classes' spreads; `notes` say so.
    """
    n = len(K)
    eigenvalues = np.zeros(n)
    eigenvalues[: len(decomposition.eigenvalues)] = decomposition.eigenvalues
    part = K.dense(sample)
    labels = None if y is None else read_labels(y, task, n, "diagnose_factor")
    near = diagnose(part, None if y is None else np.asarray(y)[sample], task=task)
    diagonal = K.diagonal
    mean_absolute = near.off_diagonal.mean_absolute
    size = float(eigenvalues[0])
    found = replace(
        near,
        n=n,
        diagonal=diagonal,
        diagonal_ratio=float(diagonal.mean()) / mean_absolute if mean_absolute else near.diagonal_ratio,
        eigenvalues=eigenvalues,
        smallest_eigenvalue=0.0 if len(decomposition.eigenvalues) < n else float(eigenvalues[-1]),
        psd=True,
        psd_tolerance=1e-10 * size,
        effective_rank=effective_rank(eigenvalues),
        participation_ratio=participation_ratio(eigenvalues),
        condition=math.inf,
        notes=(*near.notes, f"Quantiles and spreads of single entries are those of a sample of {len(sample):,} rows."),
    )
    if labels is None:
        return found
    found = replace(found, alignment=alignment(K, labels.targets))
    if labels.codes is None:
        return found
    means, within, total = class_scatter(K, labels.codes)
    return replace(
        found,
        classes=labels.classes,
        class_means=means,
        separability=scatter_ratio(within, total, float(diagonal.sum())),
    )


def class_scatter(K: Factor, codes: RowNumbers) -> tuple[Array, float, float]:
    """Mean entry, i ≠ j, of every two classes, (classes, classes); scatter within classes, and all of it.

    >>> class_scatter(Factor(np.array([[0.0], [2.0], [10.0], [12.0]])), np.array([0, 0, 1, 1]))[1:]
    (4.0, 104.0)
    """
    diagonal = K.diagonal
    member = np.eye(int(codes.max()) + 1)[codes]
    counts, sums = member.sum(axis=0), member.T @ K.rows
    products = sums @ sums.T
    pairs = np.outer(counts, counts) - np.diag(counts)
    inside = products - np.diag(member.T @ diagonal)
    means = np.divide(inside, pairs, out=np.full_like(inside, np.nan), where=pairs > 0)
    # Deviations, not differences of sums of squares, which cancel for rows far from the origin.
    centred = K.rows - K.rows.mean(axis=0)
    middles = member.T @ centred / counts[:, None]
    return means, float(((centred - middles[codes]) ** 2).sum()), float((centred**2).sum())
