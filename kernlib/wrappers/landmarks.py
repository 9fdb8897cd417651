"""Which training rows become landmarks, and how far an approximation by them is from what it approximates."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..algebra import Product, Sum
from ..base import Kernel
from ..errors import DomainError
from ..linalg import eigenpairs
from ..steps import MatrixStep, RowStep, Shorthand, Wrapper
from ..values.arrays import Array
from ..values.words import percent

__all__ = ["CHOICES", "LandmarkError", "drawn", "probed", "taught"]

#: How landmarks may be drawn.
CHOICES = ("uniform", "k-means++", "leverage")

#: A probe looks at so many blocks of so many rows against as many others.
_BLOCKS, _SIDE = 48, 8
#: Rows that are evaluated at a time against landmarks that are only looked at.
_ROWS = 2048
#: An estimate below this is told as next to nothing, also where it is 0.
_LEAST = 1e-4
_NEXT_TO_NOTHING = percent(_LEAST / 2)
#: A share of the rows' own values from which on it is told: it moves the diagonal ratio and the effective rank.
_MUCH = 0.01


def drawn(how: str, kernel: Kernel, X: Array, y: Array | None, count: int, seed: int) -> Array:
    """The numbers of `count` different rows of X, or of all, in ascending order; see `Nystrom`."""
    n = len(X)
    if count >= n:
        return np.arange(n)
    rng = np.random.default_rng(seed)
    if how == "k-means++":
        return _spread_out(kernel, X, y, count, seed)
    pilot = np.sort(rng.permutation(n)[:count])
    if how == "uniform":
        return pilot
    scores = _leverage(taught(kernel, X, y, pilot), X, pilot)
    # Exponential races (Efraimidis and Spirakis 2006): without replacement, by weights, in one pass.
    with np.errstate(divide="ignore"):
        arrivals = rng.exponential(size=n) / scores
    return np.sort(np.argsort(arrivals, kind="stable")[:count])


def _spread_out(kernel: Kernel, X: Array, y: Array | None, count: int, seed: int) -> Array:
    """Rows far from each other in the space in which the base kernel reads them."""
    from sklearn.cluster import kmeans_plusplus

    rows, inner = X, kernel
    while isinstance(inner, Wrapper):  # columns in other units would be other distances
        if isinstance(inner, RowStep):
            rows = inner._taught(rows, y)._map(rows)
        inner = inner.kernel
    table = rows if isinstance(rows, np.ndarray) else np.empty(0)  # pairs, strings
    if table.ndim != 2 or table.dtype.kind not in "fiub" or not np.isfinite(table.astype(float)).all():
        raise DomainError(
            f"Nystrom: choice='k-means++' takes distances between rows of finite numbers; got what {inner!r:.60} "
            "reads. Take choice='uniform' or choice='leverage'."
        )
    _, chosen = kmeans_plusplus(table.astype(np.float64), count, random_state=seed)
    # Of rows that coincide it may take one twice: others stand in, so that there are as many as were asked for.
    found = np.unique(chosen)
    left = np.setdiff1d(np.arange(len(X)), found)
    more = np.random.default_rng(seed).permutation(left)[: count - len(found)]
    return np.sort(np.concatenate([found, more])).astype(np.intp)


def _leverage(kernel: Kernel, X: Array, pilot: Array) -> Array:
    """Approximate ridge leverage scores of all rows, (n,) > 0, from uniformly drawn pilot rows P.

    l_i = (k(x_i, x_i) − k(x_i, P)(k(P, P) + (p/n) λ I)⁻¹ k(P, x_i)) / λ, with the λ that leaves of the matrix what lies
    beyond its p/2 leading directions, spread over as many: Musco and Musco, NIPS 2017, definition 1 and lemma 6.
    """
    n, p = len(X), len(pilot)
    eigenvalues, U = eigenpairs(kernel._gram(X[pilot], None), "Nystrom")
    eigenvalues = np.maximum(eigenvalues, 0.0)
    d = kernel._diag(X)
    half = max(1, p // 2)
    trace = float(d.sum())
    if not trace > 0:
        return np.ones(n)
    # p eigenvalues of the pilot stand for n: they grow by n/p.
    ridge = max((trace - n / p * float(eigenvalues[-half:].sum())) / half, 1e-12 * trace)
    basis = U / np.sqrt(eigenvalues + p / n * ridge)
    scores = np.empty(n)
    for start in range(0, n, _ROWS):
        part = slice(start, start + _ROWS)
        B = kernel._gram(X[part], X[pilot]) @ basis
        scores[part] = d[part] - np.einsum("ij,ij->i", B, B)
    # Rounding: no row is without any chance.
    return np.maximum(scores / ridge, 1e-9)


def taught(kernel: Kernel, X: Array, y: Array | None, chosen: Array) -> Kernel:
    """The kernel fitted without an (n, n) matrix: what steps learn from a Gram matrix they learn from chosen rows.

    What rows teach one by one (scales, frequencies, a median distance) is learnt from all of X.
    """
    if kernel.fitted:
        return kernel
    if isinstance(kernel, RowStep):
        own = kernel._taught(X, y)
        return own if own.kernel.fitted else own._with_kernel(taught(own.kernel, own._map(X), y, chosen))
    if isinstance(kernel, Sum | Product):
        return kernel._with_children(lambda child: taught(child, X, y, chosen))
    if isinstance(kernel, MatrixStep | Shorthand) and not kernel.has_factor:
        step = kernel._with_kernel(taught(kernel.kernel, X, y, chosen))
        return step if step.fitted else step._fit(X[chosen], None if y is None else y[chosen])
    return kernel._fit(X, y)


@dataclass(frozen=True)
class LandmarkError:
    """How far a Nyström approximation K̃ of n rows is from the kernel K that it approximates.

    `relative` estimates ‖K − K̃‖ / ‖K‖ (Frobenius): the diagonal is known in full, the entries beside it from a random
    probe of `entries` of them; `standard_error` is that of the probe. `missing` is the share of the trace that the
    landmarks do not span, exactly: 0 where every row lies in their span. `landmarks` that were taken, of `n` rows.
    """

    relative: float
    standard_error: float
    missing: float
    entries: int
    landmarks: int
    n: int

    def _about(self) -> str:
        """The estimate and its standard error; where it is next to nothing, that alone."""
        if 0 <= self.relative < _LEAST:
            return _NEXT_TO_NOTHING
        spread = percent(self.standard_error, 1) if self.standard_error > 0 else _NEXT_TO_NOTHING
        return f"{percent(self.relative)} ± {spread}"

    def short_words(self) -> str:
        """The estimate in a few words, and what the values of rows with themselves lose, where that is much.

        >>> LandmarkError(0.012, 0.0008, 0.03, 3072, 300, 20000).short_words()
        "300 landmarks: values differ from the exact kernel's by 1.2% ± 0.08%, k(x, x) is 3% too small"
        """
        if not self.entries:
            return "all rows are landmarks: values are exact"
        own = f", k(x, x) is {percent(self.missing)} too small" if self.missing >= _MUCH else ""
        return f"{self.landmarks:,} landmarks: values differ from the exact kernel's by {self._about()}{own}"

    def words(self) -> str:
        """The estimate in a sentence.

        >>> LandmarkError(0.012, 0.0008, 0.03, 3072, 300, 20000).words()  # doctest: +ELLIPSIS
        "300 landmarks stand for 20,000 rows: values differ from the exact kernel's by 1.2% ± 0.08% (root mean ..."
        """
        if not self.entries:
            return f"All {self.n:,} rows are landmarks: nothing is approximated."
        return (
            f"{self.landmarks:,} landmarks stand for {self.n:,} rows: values differ from the exact kernel's by "
            f"{self._about()} (root mean square, estimated from "
            f"{self.entries:,} random pairs and all rows with themselves); {percent(self.missing)} of the rows' "
            "squared length is lost."
        )


def probed(exact: Kernel, factor: Any, X: Array, landmarks: int, seed: int) -> LandmarkError:
    """The error of rows F = `factor(X)` against `exact(X)`, both fitted, from random blocks of entries.

    Blocks are independent draws, so that their scatter gives the standard error although entries of one block share
    rows.
    """
    n = len(X)
    d, F = exact._diag(X), factor(X)
    lost = d - np.einsum("ij,ij->i", F, F)
    missing = max(0.0, float(lost.sum()) / float(d.sum())) if d.sum() > 0 else math.nan
    if landmarks >= n or n < 2:
        gone = float(np.linalg.norm(lost)) / max(float(np.linalg.norm(d)), 1e-300)
        return LandmarkError(gone, 0.0, missing, 0, n, n)
    rng = np.random.default_rng(seed)
    side = min(_SIDE, n // 2)
    wrong, whole = np.empty(_BLOCKS), np.empty(_BLOCKS)
    for block in range(_BLOCKS):
        rows = rng.choice(n, 2 * side, replace=False)
        a, b = rows[:side], rows[side:]
        K = exact._gram(X[a], X[b])
        wrong[block] = np.mean((K - F[a] @ F[b].T) ** 2)
        whole[block] = np.mean(K**2)
    pairs = n * (n - 1.0)
    error = float((lost**2).sum() + pairs * wrong.mean())
    size = float((d**2).sum() + pairs * whole.mean())
    if not size > 0:
        return LandmarkError(math.nan, math.nan, missing, _BLOCKS * side**2, landmarks, n)
    ratio = error / size
    # Delta method for a ratio of means, then for its root.
    scatter = pairs * (wrong - wrong.mean() - ratio * (whole - whole.mean())) / size
    deviation = float(np.sqrt((scatter**2).sum() / (_BLOCKS * (_BLOCKS - 1))))
    relative = math.sqrt(ratio)
    return LandmarkError(
        relative, deviation / (2 * relative) if relative > 0 else 0.0, missing, _BLOCKS * side**2, landmarks, n
    )
