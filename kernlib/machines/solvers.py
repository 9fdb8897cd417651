"""Solvers of the soft margin: libsvm for a Gram matrix, liblinear for a factor without an (n, n) matrix."""

from __future__ import annotations

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
    """Return `sklearn.svm._libsvm`, None where this version has another one."""
    try:
        from sklearn.svm import _libsvm

        # libsvm prints its progress unless this is set, as SVC does in each fit.
        _libsvm.set_verbosity_wrap(0)
    except (ImportError, AttributeError):
        return None
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


#: Up to this many rows libsvm is used, which is slower and more reliable.
FEW = 2000
#: Limits of liblinear: passes over all rows, shifts of the origin, and its tolerance as a multiple of libsvm's during
#: the shifts, which is one part in 10⁵ of the objective.
_PASSES, _MOVES, _LOOSE = 20_000, 8, 10.0
#: Limit of libsvm's iterations per row when it replaces liblinear; without it, minutes.
_PATIENCE = 20


def solve_short(
    F: Array, codes: NDArray[np.intp], C: float, tolerance: float, iterations: int, weights: Array | None = None
) -> Dual:
    r"""Return the solution of min_{w,b} ½‖w‖² + C Σ max(0, 1 − y_i(⟨w, F_i⟩ + b)) for every pair of classes, F (n, r).

    The problem of `libsvm.solve` for K = FF'. In the `Dual`, `weights` are w, (r, pairs), one number per column of F,
    and `support` are the rows on or within the margin.

    liblinear penalises the offset, ½b², libsvm does not. The penalty has no effect at b = 0, and shifting all rows by c
    changes b by −⟨w, c⟩ and not w: the rows are shifted until the remaining offset is 0, and the machine is libsvm's.
    If liblinear does not converge (for example with a hard margin), and for few rows, libsvm solves the problem with
    its linear kernel and a cache of 200 MB for rows of FF'. Its iterations are limited: the result may be not
    `converged`.

    Parameters: F with columns of a mean near 0 and rows of length near 1; the others as in `libsvm.solve`.

    >>> dual = solve_short(np.array([[1.0], [-1.0]]), np.array([0, 1]), 1.0, 1e-3, 1000)
    >>> dual.weights.round(6), abs(dual.intercepts.round(6))
    (array([[1.]]), array([0.]))
    """
    classes = int(codes.max()) + 1
    pairs = [*combinations(range(classes), 2)]
    columns, intercepts = np.empty((F.shape[1], len(pairs))), np.empty(len(pairs))
    support = np.zeros(len(F), dtype=bool)
    converged = True
    for pair, (i, j) in enumerate(pairs):
        rows = np.arange(len(F)) if classes == 2 else np.flatnonzero((codes == i) | (codes == j))
        part, sign = (F if classes == 2 else F[rows]), np.where(codes[rows] == i, 1, -1)
        sides = None if weights is None else {1: float(weights[i]), -1: float(weights[j])}
        solution = by_liblinear(part, sign, C, tolerance, sides) if len(rows) > FEW else None
        patience = iterations if len(rows) <= FEW else min(iterations, _PATIENCE * len(rows))
        w, b, ended = by_libsvm(part, sign, C, tolerance, patience, sides) if solution is None else (*solution, True)
        columns[:, pair], intercepts[pair] = w, b
        converged &= ended
        support[rows] |= sign * (part @ w + b) <= 1 + tolerance
    return Dual(columns, intercepts, np.flatnonzero(support), converged)


def by_liblinear(
    F: Array, sign: NDArray[np.intp], C: float, tolerance: float, sides: dict[int, float] | None = None
) -> tuple[Array, float] | None:
    """Return w and b, or None if liblinear does not converge."""
    # With a small C all rows are at the bound, and few of them determine the offset.
    enough = _LOOSE * tolerance * min(1.0, 1e-2 * C * len(F))
    moved, solutions = np.zeros(F.shape[1]), []
    rows = F
    for _ in range(_MOVES):
        w, left, ended = _linear(rows, sign, C, _LOOSE * tolerance, sides)
        if not ended or not w.any():
            return None
        offset = float(w @ moved) + left
        solutions.append((w, offset))
        moved = offset * w / (w @ w)
        rows = np.add(F, moved, out=None if rows is F else rows)  # F may be large: one shifted copy is reused
        if abs(left) <= enough:
            break
    else:
        return None
    # The last digits, if the passes suffice; a result that has not converged may be worse than the previous one.
    for _ in range(2):
        w, left, ended = _linear(rows, sign, C, tolerance, sides)
        offset = float(w @ moved) + left
        solutions.append((w, offset))
        if not ended or not w.any():
            break
        moved = offset * w / (w @ w)
        np.add(F, moved, out=rows)
    costs = C * (np.ones(len(F)) if sides is None else np.where(sign > 0, sides[1], sides[-1]))
    return min(
        solutions, key=lambda wb: float(wb[0] @ wb[0] / 2 + costs @ np.maximum(0, 1 - sign * (F @ wb[0] + wb[1])))
    )


def _linear(
    F: Array, sign: NDArray[np.intp], C: float, tolerance: float, sides: dict[int, float] | None = None
) -> tuple[Array, float, bool]:
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.svm import LinearSVC

    machine = LinearSVC(
        C=C,
        loss="hinge",
        dual=True,
        tol=tolerance,
        max_iter=_PASSES,
        intercept_scaling=1.0,
        random_state=0,
        class_weight=sides,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        machine.fit(F, sign)
    return np.asarray(machine.coef_[0]), float(machine.intercept_[0]), bool(machine.n_iter_ < _PASSES)


def by_libsvm(
    F: Array, sign: NDArray[np.intp], C: float, tolerance: float, iterations: int, sides: dict[int, float] | None = None
) -> tuple[Array, float, bool]:
    """Return w, b and whether the solver met its tolerance."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.svm import SVC

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        svc = SVC(kernel="linear", C=C, class_weight=sides, tol=tolerance, max_iter=iterations).fit(F, sign)
    return np.asarray(svc.coef_[0]), float(svc.intercept_[0]), not svc.fit_status_
