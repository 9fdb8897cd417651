"""Leading eigenpairs of a Gram matrix in memory, on disk or not stored, with their error bounds."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any, Literal, get_args

import numpy as np

from ..analysis.matrix import SYMMETRY_TOLERANCE, symmetric
from ..analysis.spectrum import Decomposition, decompose, fix_signs, lanczos
from ..errors import DataError, ParameterError
from ..numerics.blocks import block_size
from ..numerics.linalg import eigenpairs
from ..numerics.workers import memory_budget
from ..values.arrays import Array
from .gram import GramOperator, Progress, silent

Method = Literal["auto", "full", "lanczos", "randomised"]

PassProgress = Callable[[int, int, int, float], object]

#: Up to this size all eigenpairs take about a second.
_ALL_UP_TO = 1000
#: Extra columns beyond the requested pairs, as Halko et al. recommend.
_MORE = 10
#: Bytes of a memory-mapped matrix that are read at once.
_STRIP = 1 << 28
#: Maximum number of column blocks in the basis before a restart from its best part.
_BLOCKS = 8
#: Passes over K at most.
_PASSES = 40
#: A pair has converged if its residual is at most this share of the largest eigenvalue.
_CONVERGED = 1e-8


@dataclass(frozen=True, eq=False, repr=False)
class LeadingPairs(Decomposition):
    """The largest eigenvalues l of K, descending, (k,), and their eigenvectors u, (n, k), with the error of each.

    `residuals` (k,) are ‖K u − l u‖: an eigenvalue of K lies within that distance of every l (Weyl). `trace` is the
    trace of K, `method` the method used, `passes` how often the randomised method read or evaluated all of K.
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


def leading_eigenpairs(
    K: Array | GramOperator,
    components: int,
    *,
    method: Method = "auto",
    progress: PassProgress = silent,
) -> LeadingPairs:
    """Return the `components` largest eigenvalues of K, their eigenvectors, and the error of each pair.

    "full" decomposes K by LAPACK; "lanczos" is ARPACK's, with many passes over K and one vector in each; "randomised"
    is Rayleigh–Ritz in a block Krylov space from random columns, with few passes over K and many columns in each, for a
    K that is read from disk or evaluated again (SciPy's LOBPCG takes three times as many passes, and stops early where
    the rank of K is below three times its columns, as with many equal rows). "auto": full up to 1000 rows or for many
    pairs, Lanczos in memory, else randomised, until ‖K u − l u‖ ≤ 10⁻⁸ · l₁ or 40 passes are used up, when the
    residuals give the accuracy. The probability that random columns miss an eigenvalue is 0.

    Parameters: `K` (n, n) symmetric, an array, a memory-mapped file or a `GramOperator`; components 1…n; `progress`,
    called with the number of parts of K read in a pass, their total, the number of earlier passes and their error (nan
    before the second pass). Raises DataError for a K that is not symmetric or not finite, ParameterError; DataError for
    "full" beyond the memory budget. Of an array or a file, each entry is compared with its mirror image, once and by
    tiles that take 256 MB together; of a `GramOperator`, symmetry is checked in the space.

    Musco and Musco, "Randomized block Krylov methods", NIPS 2015; Halko, Martinsson and Tropp, SIAM Review 2011.

    >>> from kernlib import RBF
    >>> X = np.random.default_rng(0).normal(size=(400, 2))
    >>> pairs = leading_eigenpairs(GramOperator(RBF(sigma=1.0), X), 5, method="randomised")
    >>> bool(abs(pairs.eigenvalues - np.linalg.eigvalsh(RBF(sigma=1.0)(X))[:-6:-1]).max() < 1e-6), pairs.error < 1e-8
    (True, True)
    """
    n = _checked(K, components, method)
    if method == "auto":
        few = components + _MORE <= n // 8
        in_memory = not isinstance(K, GramOperator | np.memmap)
        method = "full" if n <= block_size(_ALL_UP_TO) or not few else "lanczos" if in_memory else "randomised"
    if method == "randomised" and components + _MORE < n:
        if not isinstance(K, GramOperator):
            _compare_halves(K)
        source = K if isinstance(K, GramOperator) else _Stored(K)
        return _krylov(source, components, progress)
    return _decomposed(_whole(K, progress), components, "full" if method == "randomised" else method)


def _whole(K: Any, progress: PassProgress) -> Array:
    n, budget = K.shape[0], memory_budget()
    if not isinstance(K, np.ndarray) or isinstance(K, np.memmap):
        needed = 3 * 8 * n * n
        if needed > budget:
            raise DataError(
                f"leading_eigenpairs: a decomposition in memory of {n} rows takes {needed / 2**30:.3g} GiB; expected "
                f"at most {budget / 2**30:.3g} GiB. Ask for at most {max(1, n // 8 - _MORE)} pairs with "
                "method='randomised'."
            )
    if isinstance(K, GramOperator):
        K = K.toarray(lambda done, total: progress(done, total, 0, float("nan")))
    return symmetric(K, "leading_eigenpairs")


def _decomposed(matrix: Array, components: int, method: str) -> LeadingPairs:
    pairs = lanczos(matrix, components) if method == "lanczos" and components < len(matrix) else None
    if pairs is None:
        method, pairs = "full", decompose(matrix, owner="leading_eigenpairs")
    l, U = pairs.eigenvalues[:components], np.ascontiguousarray(pairs.eigenvectors[:, :components])
    return LeadingPairs(l, U, np.linalg.norm(matrix @ U - U * l, axis=0), float(np.trace(matrix)), method, 0)


def _compare_halves(K: Array) -> None:
    """Check that a stored K is symmetric: each tile against its mirror image, three at a time within `_STRIP` bytes."""
    n, side = len(K), max(1, math.isqrt(block_size(_STRIP) // 24))
    worst, largest, place = 0.0, 0.0, (0, 0)
    for i, j in combinations_with_replacement(range(0, n, side), 2):
        tile = np.array(K[i : i + side, j : j + side], dtype=np.float64)
        largest = max(largest, float(tile.max()), -float(tile.min()))
        tile -= np.asarray(K[j : j + side, i : i + side], dtype=np.float64).T
        np.abs(tile, out=tile)
        if tile.max() > worst:
            row, column = np.unravel_index(int(tile.argmax()), tile.shape)
            worst, place = float(tile.max()), (i + int(row), j + int(column))
    if worst > SYMMETRY_TOLERANCE * largest:
        i, j = place
        raise DataError(
            f"leading_eigenpairs: K must be symmetric; got K[{i}, {j}] = {K[i, j]:.6g} and K[{j}, {i}] = "
            f"{K[j, i]:.6g}. Pass k(X), rows against the same rows."
        )


class _Stored:
    """A matrix read by strips, from memory or from a file."""

    def __init__(self, K: Array) -> None:
        self.K, self.shape = K, K.shape
        self.step = max(1, block_size(_STRIP) // (8 * K.shape[1]))

    @property
    def diagonal(self) -> Array:
        return np.array(np.diagonal(self.K), dtype=np.float64)

    def times(self, V: Array, progress: Progress = silent) -> Array:
        """Return K V."""
        out = np.empty((len(self.K), V.shape[1]))
        starts = range(0, len(out), self.step)
        for done, start in enumerate(starts, 1):
            rows = slice(start, start + self.step)
            np.matmul(np.asarray(self.K[rows], dtype=np.float64), V, out=out[rows])
            progress(done, len(starts))
        return out


def _krylov(K: GramOperator | _Stored, components: int, progress: PassProgress) -> LeadingPairs:
    """Run Rayleigh–Ritz in a space that grows by the residuals of the pairs that have not converged."""
    n, width = K.shape[0], components + _MORE
    trace = float(K.diagonal.sum())
    Q = np.linalg.qr(np.random.default_rng(0).standard_normal((n, width)))[0]
    count, error = 0, float("nan")

    def times(V: Array) -> Array:
        KV = K.times(V, lambda done, total: progress(done, total, count, error))
        if not np.isfinite(KV).all():
            raise DataError(
                "leading_eigenpairs: K must be finite; got NaN or infinity in K V. Standardise the columns."
            )
        return KV

    KQ = times(Q)
    count = 1
    while True:
        T = Q.T @ KQ
        if np.abs(T - T.T).max() > SYMMETRY_TOLERANCE * np.abs(T).max():
            raise DataError(
                "leading_eigenpairs: K must be symmetric; got one that differs from its mirror image. Pass k(X), rows "
                "against the same rows."
            )
        values, W = eigenpairs((T + T.T) / 2, "leading_eigenpairs")
        values, W = values[::-1][:width], W[:, ::-1][:, :width]
        U, KU = Q @ W, KQ @ W
        R = KU - U * values
        residuals = np.linalg.norm(R, axis=0)
        largest = float(np.abs(values).max())
        error = float(residuals[:components].max()) / largest if largest else 0.0
        open_ = residuals > _CONVERGED * largest
        if count >= _PASSES or not open_[:components].any():
            break
        if Q.shape[1] + int(open_.sum()) > min(n, _BLOCKS * width):
            Q, KQ = U, KU
        new = _beside(Q, R[:, open_])
        if not new.shape[1]:
            break  # the space is invariant under K: its pairs are eigenpairs of K
        Q, KQ = np.hstack([Q, new]), np.hstack([KQ, times(new)])
        count += 1
    l, U, residuals = values[:components], fix_signs(U[:, :components]), residuals[:components]
    return LeadingPairs(l, U, residuals, trace, "randomised", count)


def _beside(Q: Array, R: Array) -> Array:
    """Return an orthonormal basis of the part of R orthogonal to the columns of Q."""
    from scipy.linalg import qr

    R = R / np.linalg.norm(R, axis=0)
    for _ in range(2):  # twice, as the first pass leaves rounding errors
        R = R - Q @ (Q.T @ R)
    basis, r, _ = qr(R, mode="economic", pivoting=True)
    kept = np.abs(np.diagonal(r)) > 1e-10
    new = basis[:, kept]
    new = new - Q @ (Q.T @ new)
    return np.asarray(np.linalg.qr(new)[0]) if new.shape[1] else new


def _checked(K: Any, components: int, method: str) -> int:
    if method not in get_args(Method):
        raise ParameterError(
            f"leading_eigenpairs: method must be one of {', '.join(get_args(Method))}; got {method!r}. Try 'auto'."
        )
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
