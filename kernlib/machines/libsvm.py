"""The interface to libsvm: scikit-learn's private entry without checks per call, or SVC as a fallback."""

from __future__ import annotations

import inspect
import math
import warnings
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..values.arrays import Array


@dataclass(frozen=True, eq=False)
class Dual:
    """A solved dual, one column per pair of classes (i < j), positive for class i as in libsvm.

    `weights` (n, pairs), zero off the support; `intercepts` (pairs,); `support` (s,) row numbers;
    `converged` whether the solver met its tolerance within its iterations; `cost` the bound of the weights.
    """

    weights: Array
    intercepts: Array
    support: NDArray[np.intp]
    converged: bool
    cost: float = math.inf


def solve(
    K: Array, codes: NDArray[np.intp], C: float, tolerance: float, iterations: int, weights: Array | None = None
) -> Dual:
    r"""Return the solved dual of the soft margin, max Σα − ½ Σ α_i α_j y_i y_j K_ij with 0 ≤ α ≤ C and Σ α_i y_i = 0.

    Every pair of classes is solved separately (one against one), as in libsvm.

    Parameters: `K` (n, n) float64; `codes` (n,) integers 0…classes−1, all of them present; `C` > 0
    finite; `tolerance` of the optimality conditions, in units of the margin; `iterations` at most; `weights`
    (classes,) multiply C for the rows of a class.

    >>> import numpy as np
    >>> dual = solve(np.diag([1.0, 1.0]), np.array([0, 1]), 1.0, 1e-3, 1000)
    >>> dual.weights[:, 0]
    array([ 1., -1.])
    """
    if direct_entry() is not None:
        try:
            return solve_directly(K, codes, C, tolerance, iterations, weights)
        except (TypeError, ValueError, AttributeError):
            # The private entry differs in this version; the public one is stable.
            pass
    return solve_through_svc(K, codes, C, tolerance, iterations, weights)


@cache
def direct_entry() -> Any:
    """Return `sklearn.svm._libsvm` if it exists and has the expected parameters, else None."""
    try:
        from sklearn.svm import _libsvm

        known = inspect.signature(_libsvm.fit).parameters
    except (ImportError, AttributeError, TypeError, ValueError):
        return None
    if not {"X", "Y", "svm_type", "kernel", "C", "class_weight", "tol", "max_iter"} <= set(known):
        return None
    # libsvm prints its progress unless this is set, as SVC does in each fit.
    _libsvm.set_verbosity_wrap(0)
    return _libsvm


def solve_directly(
    K: Array, codes: NDArray[np.intp], C: float, tolerance: float, iterations: int, weights: Array | None = None
) -> Dual:
    """Return `solve` by scikit-learn's private entry: at n = 50, most of an SVC call is checking."""
    solution = direct_entry().fit(
        np.ascontiguousarray(K),
        codes.astype(np.float64),
        svm_type=0,
        kernel="precomputed",
        C=C,
        class_weight=np.empty(0) if weights is None else np.asarray(weights, dtype=np.float64),
        tol=tolerance,
        cache_size=200.0,
        max_iter=iterations,
    )
    support, _, counts, coefficients, intercepts, _, _, status, _ = solution
    return _dual(len(K), support, counts, coefficients, intercepts, not status)


def solve_through_svc(
    K: Array, codes: NDArray[np.intp], C: float, tolerance: float, iterations: int, weights: Array | None = None
) -> Dual:
    """Return `solve` by scikit-learn's public SVC, whose signs for two classes are opposite to libsvm's."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.svm import SVC

    by_class = None if weights is None else dict(enumerate(weights))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        svc = SVC(kernel="precomputed", C=C, class_weight=by_class, tol=tolerance, max_iter=iterations).fit(K, codes)
    sign = -1.0 if len(svc.classes_) == 2 else 1.0
    return _dual(
        len(K), svc.support_, svc.n_support_, sign * svc.dual_coef_, sign * svc.intercept_, not svc.fit_status_
    )


def _dual(
    n: int, support: NDArray[Any], counts: NDArray[Any], coefficients: Array, intercepts: Array, converged: bool
) -> Dual:
    """Return the dual, a column per pair, from libsvm's compressed coefficients (row j−1: class i, row i: class j)."""
    classes = len(counts)
    weights = np.zeros((n, classes * (classes - 1) // 2))
    if classes == 2:  # both halves of the pair are in one row
        weights[support, 0] = coefficients[0]
        return Dual(weights, np.asarray(intercepts, dtype=np.float64), support.astype(np.intp), bool(converged))
    starts = np.concatenate([[0], np.cumsum(counts)])
    for pair, (i, j) in enumerate(combinations(range(classes), 2)):
        for own, other in ((i, j - 1), (j, i)):
            part = slice(starts[own], starts[own + 1])
            weights[support[part], pair] = coefficients[other, part]
    return Dual(weights, np.asarray(intercepts, dtype=np.float64), support.astype(np.intp), bool(converged))
