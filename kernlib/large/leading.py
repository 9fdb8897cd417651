"""Leading eigenpairs of a Gram matrix in memory, on disk or not stored, with their error bounds."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from ..analysis.matrix import SYMMETRY_TOLERANCE, symmetric
from ..analysis.spectrum import Decomposition, decompose, fix_signs
from ..errors import DataError, DegenerateError, ParameterError
from ..numerics.blocks import block_size
from ..numerics.workers import memory_budget
from ..values.arrays import Array
from .gram import GramOperator, Progress, silent

PassProgress = Callable[[int, int, int], object]

#: Up to this size all eigenpairs take about a second.
_ALL_UP_TO = 1000
#: A pair has converged if its residual is at most this share of the largest eigenvalue in size.
_CONVERGED = 1e-8
#: Restarts of ARPACK at most.
_RESTARTS = 20
#: Bytes of a memory-mapped matrix that are read at once.
_STRIP = 1 << 28


@dataclass(frozen=True, eq=False, repr=False)
class LeadingPairs(Decomposition):
    """The largest eigenvalues l of K, descending, (k,), and their eigenvectors u, (n, k), with the error of each.

    `residuals` (k,) are ‖K u − l u‖: an eigenvalue of K lies within that distance of every l (Weyl). `trace` is the
    trace of K, `method` the method used, `passes` how often K was read or evaluated, 0 for one that was in memory.
    """

    residuals: Array
    trace: float
    method: str
    passes: int

    @property
    def trace_left(self) -> float:
        """Return the share of the trace in the other eigenvalues; nan where the trace is 0."""
        return float(1.0 - self.eigenvalues.sum() / self.trace) if self.trace else float("nan")

    @property
    def error(self) -> float:
        """Return the largest residual as a share of the largest absolute eigenvalue; 0 for a zero matrix."""
        largest = float(np.abs(self.eigenvalues).max())
        return float(self.residuals.max() / largest) if largest else 0.0

    def words(self) -> str:
        """Return one sentence: number of pairs, method and error."""
        n, k = self.eigenvectors.shape
        left = "" if np.isnan(self.trace_left) else f"; the others carry {max(0.0, self.trace_left):.2g} of the trace"
        read = f", {self.passes} passes over K" if self.passes else ""
        return f"{k} of {n} eigenpairs, {self.method}{read}: ‖Ku − lu‖ ≤ {self.error:.1e} · l₁{left}"


def leading_eigenpairs(K: Array | GramOperator, components: int, *, progress: PassProgress = silent) -> LeadingPairs:
    """Return the `components` largest eigenvalues of K, their eigenvectors, and the error of each pair.

    Up to 1000 rows, or for more than n/8 pairs, LAPACK decomposes K; otherwise ARPACK computes the pairs by Lanczos
    until ‖K u − l u‖ ≤ 10⁻⁸ max|l|. K is in memory where 10 n² bytes (30 n² to decompose it) lie within the memory
    budget: a file is read and tiles are evaluated once. Beyond it, every product of K and a column is a pass over the
    file or all tiles, some 45 to 220 passes for 20 to 50 pairs; memory is then that of a strip or tile and of 1.5 k +
    20 columns. Where values are expensive, write them to a file first (`gram_blocks` with `out`): a pass over it takes
    less time.

    Parameters: `K` (n, n) symmetric, an array, a memory-mapped file or a `GramOperator`; components 1…n; `progress`,
    called with the number of parts of K read in a pass, their total and the number of earlier passes. Raises DataError
    for a K that is not symmetric or not finite, and for more than n/8 pairs beyond the memory budget; ParameterError;
    DegenerateError where ARPACK does not converge. Each entry of an array or a file is compared with its mirror image.

    Lehoucq, Sorensen and Yang, "ARPACK Users' Guide", SIAM 1998.

    >>> from kernlib import RBF
    >>> X = np.random.default_rng(0).normal(size=(400, 2))
    >>> pairs = leading_eigenpairs(GramOperator(RBF(sigma=1.0), X), 5)
    >>> bool(abs(pairs.eigenvalues - np.linalg.eigvalsh(RBF(sigma=1.0)(X))[:-6:-1]).max() < 1e-6), pairs.error < 1e-8
    (True, True)
    """
    n = _checked(K, components)
    few = n > block_size(_ALL_UP_TO) and components <= n // 8
    needed, budget = (10 if few else 30) * n * n, memory_budget()
    inside = isinstance(K, np.ndarray) and not isinstance(K, np.memmap)
    if inside or needed <= budget:
        if isinstance(K, GramOperator):
            K = K.toarray(lambda done, total: progress(done, total, 0))
        matrix = symmetric(K, "leading_eigenpairs")
        whole = None if few else decompose(matrix, owner="leading_eigenpairs")
        U = _lanczos(matrix.dot, n, components) if whole is None else whole.eigenvectors[:, :components]
        return _pairs(U, matrix @ U, float(np.trace(matrix)), "lanczos" if few else "full", 0)
    if not few:
        raise DataError(
            f"leading_eigenpairs: a decomposition in memory of {n} rows takes {needed / 2**30:.3g} GiB; expected "
            f"at most {budget / 2**30:.3g} GiB. Ask for at most {max(1, n // 8)} pairs."
        )
    source = K if isinstance(K, GramOperator) else _Stored(K)
    passes = 0

    def times(V: Array) -> Array:
        nonlocal passes
        KV = source.times(V, lambda done, total: progress(done, total, passes))
        passes += 1
        return KV

    U = _lanczos(times, n, components)
    return _pairs(U, times(U), float(source.diagonal.sum()), "lanczos", passes)


def _pairs(U: Array, KU: Array, trace: float, method: str, passes: int) -> LeadingPairs:
    l = np.einsum("ij,ij->j", U, KU)
    order = np.argsort(-l, kind="stable")
    l, U, KU = l[order], np.ascontiguousarray(U[:, order]), KU[:, order]
    return LeadingPairs(l, U, np.linalg.norm(KU - U * l, axis=0), trace, method, passes)


def _lanczos(times: Callable[[Array], Array], n: int, components: int) -> Array:
    """Return the leading eigenvectors of a symmetric matrix, given its product with a column."""
    from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh

    # Fixed for reproducible results; random, so that it is not orthogonal to a leading eigenvector.
    v = start = np.random.default_rng(0).standard_normal(n)
    for _ in range(2):  # the power method
        v = times(v / (np.linalg.norm(v) or 1.0))
    # ARPACK compares a residual with its eigenvalue, which may be 0: with this one added, with a size near the largest.
    size = float(np.linalg.norm(v)) or 1.0
    shifted = LinearOperator((n, n), matvec=lambda V: times(V) + size * V, dtype=np.float64)
    basis = min(n, components + max(components // 2, 20))
    how: Any = dict(which="LA", v0=start, ncv=basis, tol=_CONVERGED / 2, maxiter=_RESTARTS)
    try:
        _, vectors = eigsh(shifted, components, **how)
    except ArpackError as error:
        found = len(getattr(error, "eigenvalues", ()))
        raise DegenerateError(
            f"leading_eigenpairs: ARPACK found {found} of {components} pairs of {n} rows in {_RESTARTS} restarts; "
            f"expected eigenvalues that differ. Ask for {found or 'fewer'} pairs."
        ) from None
    return fix_signs(vectors)


class _Stored:
    """A symmetric matrix in a file, read by strips; DataError for one that is not symmetric or not finite."""

    def __init__(self, K: Array) -> None:
        self.K, self.diagonal = K, np.array(np.diagonal(K), dtype=np.float64)
        side, largest, worst = max(1, math.isqrt(block_size(_STRIP) // 24)), 0.0, 0.0
        for i, j in combinations_with_replacement(range(0, len(K), side), 2):
            tile = np.array(K[i : i + side, j : j + side], dtype=np.float64)
            largest = max(largest, float(tile.max()), -float(tile.min()))
            tile -= np.asarray(K[j : j + side, i : i + side], dtype=np.float64).T
            gap = max(float(tile.max()), -float(tile.min()))
            if not math.isfinite(gap):
                raise DataError(
                    "leading_eigenpairs: K must be finite; got NaN or infinity in the file. Standardise the columns."
                )
            worst = max(worst, gap)
        if worst > SYMMETRY_TOLERANCE * largest:
            raise DataError(
                f"leading_eigenpairs: K must be symmetric; got entries that differ by up to {worst:.2g} from their "
                "mirror images. Pass k(X), rows against the same rows."
            )

    def times(self, V: Array, progress: Progress = silent) -> Array:
        """Return K V."""
        out, step = np.empty(V.shape), max(1, block_size(_STRIP) // (8 * len(self.K)))
        starts = range(0, len(out), step)
        for done, start in enumerate(starts, 1):
            rows = slice(start, start + step)
            np.matmul(np.asarray(self.K[rows], dtype=np.float64), V, out=out[rows])
            progress(done, len(starts))
        return out


def _checked(K: Any, components: int) -> int:
    shape: tuple[int, ...] = getattr(K, "shape", ())
    if len(shape) != 2 or shape[0] != shape[1] or not shape[0]:
        raise DataError(
            f"leading_eigenpairs: K must be a square matrix or a GramOperator; got {type(K).__name__} of shape "
            f"{shape}. Pass kernel(X), gram_blocks(kernel, X, out=file) or GramOperator(kernel, X)."
        )
    n = int(shape[0])
    if not (isinstance(components, int | np.integer) and 1 <= components <= n):
        raise ParameterError(
            f"leading_eigenpairs: components must be an integer with 1 <= components <= {n}, the rows of K; got "
            f"{components!r}. Try components={min(10, n)}."
        )
    return n
