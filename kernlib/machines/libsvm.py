"""The one seam to libsvm: scikit-learn's own entry without its per-call checks, or SVC behind it."""

from __future__ import annotations

import inspect
import warnings
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..values.arrays import Array

__all__ = ["Dual", "solve", "solve_directly", "solve_through_svc"]


@dataclass(frozen=True, eq=False)
class Dual:
    """A solved dual, one column per pair of classes (i < j), positive for class i as in libsvm.

    `weights` (n, pairs), zero off the support; `intercepts` (pairs,); `support` (s,) row numbers;
    `converged` whether the solver met its tolerance within its iterations.
    """

    weights: Array
    intercepts: Array
    support: NDArray[np.intp]
    converged: bool


def solve(K: Array, codes: NDArray[np.intp], C: float, tolerance: float, iterations: int) -> Dual:
    r"""The soft margin's dual, max Σα − ½ Σ α_i α_j y_i y_j K_ij with 0 ≤ α ≤ C and Σ α_i y_i = 0.

    Every pair of classes by itself (one against one), as libsvm does.

    Parameters: `K` (n, n) float64; `codes` (n,) integers 0…classes−1, all of them present; `C` > 0
    finite; `tolerance` of the optimality conditions, in units of the margin; `iterations` at most.

    >>> import numpy as np
    >>> dual = solve(np.diag([1.0, 1.0]), np.array([0, 1]), 1.0, 1e-3, 1000)
    >>> dual.weights[:, 0]
    array([ 1., -1.])
    """
    if _direct_entry() is not None:
        try:
            return solve_directly(K, codes, C, tolerance, iterations)
        except (TypeError, ValueError, AttributeError):
            # The private entry has changed under us; the public one keeps its promises.
            pass
    return solve_through_svc(K, codes, C, tolerance, iterations)


@cache
def _direct_entry() -> Any:
    """`sklearn.svm._libsvm` when it is there and takes what we give it, else None."""
    try:
        from sklearn.svm import _libsvm

        known = inspect.signature(_libsvm.fit).parameters
    except (ImportError, AttributeError, TypeError, ValueError):
        return None
    if not {"X", "Y", "svm_type", "kernel", "C", "tol", "max_iter"} <= set(known):
        return None
    # libsvm writes its progress to the terminal until it is told not to, as SVC does in each of its fits.
    _libsvm.set_verbosity_wrap(0)
    return _libsvm


def solve_directly(K: Array, codes: NDArray[np.intp], C: float, tolerance: float, iterations: int) -> Dual:
    """`solve` by scikit-learn's private entry: at n = 50 an SVC call is almost all checking."""
    found = _direct_entry().fit(
        np.ascontiguousarray(K),
        codes.astype(np.float64),
        svm_type=0,
        kernel="precomputed",
        C=C,
        tol=tolerance,
        cache_size=200.0,
        max_iter=iterations,
    )
    support, _, counts, coefficients, intercepts, _, _, status, _ = found
    return _dual(len(K), support, counts, coefficients, intercepts, not status)


def solve_through_svc(K: Array, codes: NDArray[np.intp], C: float, tolerance: float, iterations: int) -> Dual:
    """`solve` by scikit-learn's public SVC, whose two-class signs are libsvm's turned round."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.svm import SVC

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        svc = SVC(kernel="precomputed", C=C, tol=tolerance, max_iter=iterations).fit(K, codes)
    sign = -1.0 if len(svc.classes_) == 2 else 1.0
    return _dual(
        len(K), svc.support_, svc.n_support_, sign * svc.dual_coef_, sign * svc.intercept_, not svc.fit_status_
    )


def _dual(
    n: int, support: NDArray[Any], counts: NDArray[Any], coefficients: Array, intercepts: Array, converged: bool
) -> Dual:
    """libsvm's compressed coefficients, row j−1 for class i and row i for class j, spread out over pairs."""
    classes = len(counts)
    weights = np.zeros((n, classes * (classes - 1) // 2))
    if classes == 2:  # both halves of the one pair lie in the one row
        weights[support, 0] = coefficients[0]
        return Dual(weights, np.asarray(intercepts, dtype=np.float64), support.astype(np.intp), bool(converged))
    starts = np.concatenate([[0], np.cumsum(counts)])
    pair = 0
    for i in range(classes):
        for j in range(i + 1, classes):
            for own, other in ((i, j - 1), (j, i)):
                part = slice(starts[own], starts[own + 1])
                weights[support[part], pair] = coefficients[other, part]
            pair += 1
    return Dual(weights, np.asarray(intercepts, dtype=np.float64), support.astype(np.intp), bool(converged))
