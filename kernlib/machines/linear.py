"""The soft margin on short rows, with no (n, n) matrix: scikit-learn's liblinear, or libsvm behind it."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import NDArray

from ..values.arrays import Array
from .libsvm import Dual

__all__ = ["FEW", "solve_short"]

#: Rows up to which libsvm, which is surer and slower, is asked at once.
FEW = 2000
#: Passes over all rows, and moves of the origin, after which liblinear is given up; how much looser than libsvm's
#: tolerance it may be on the way, which is one part in 10⁵ of the objective.
_PASSES, _MOVES, _LOOSE = 20_000, 8, 10.0
#: Iterations a row after which libsvm is given up where it is asked because liblinear was: minutes otherwise.
_PATIENCE = 20


def solve_short(F: Array, codes: NDArray[np.intp], C: float, tolerance: float, iterations: int) -> Dual:
    r"""min_{w,b} ½‖w‖² + C Σ max(0, 1 − y_i(⟨w, F_i⟩ + b)) for every pair of classes, F (n, r): one against one.

    The dual of `libsvm.solve` for K = FF'. What comes is a `Dual` whose `weights` are w, (r, pairs), one number a
    column of F, and whose `support` are rows on or within the margin.

    liblinear penalises the offset, ½b², where libsvm leaves it free. The penalty does nothing where b = 0, and moving
    all rows by c moves b by −⟨w, c⟩ and leaves w: so the rows are moved until the offset that is left is 0, and the
    machine is libsvm's. Where liblinear does not converge (a hard margin, say), and for few rows, libsvm is asked
    with its linear kernel, which holds single rows of FF' in a cache of 200 MB; of many rows not for ever: what comes
    then is not `converged`.

    Parameters: F with columns of a mean near 0 and rows of length near 1; the others as in `libsvm.solve`.

    >>> dual = solve_short(np.array([[1.0], [-1.0]]), np.array([0, 1]), 1.0, 1e-3, 1000)
    >>> dual.weights.round(6), abs(dual.intercepts.round(6))
    (array([[1.]]), array([0.]))
    """
    classes = int(codes.max()) + 1
    pairs = [(i, j) for i in range(classes) for j in range(i + 1, classes)]
    weights, intercepts = np.empty((F.shape[1], len(pairs))), np.empty(len(pairs))
    support = np.zeros(len(F), dtype=bool)
    converged = True
    for pair, (i, j) in enumerate(pairs):
        rows = np.arange(len(F)) if classes == 2 else np.flatnonzero((codes == i) | (codes == j))
        part, sign = (F if classes == 2 else F[rows]), np.where(codes[rows] == i, 1, -1)
        found = _by_liblinear(part, sign, C, tolerance) if len(rows) > FEW else None
        patience = iterations if len(rows) <= FEW else min(iterations, _PATIENCE * len(rows))
        w, b, ended = _by_libsvm(part, sign, C, tolerance, patience) if found is None else (*found, True)
        weights[:, pair], intercepts[pair] = w, b
        converged &= ended
        support[rows] |= sign * (part @ w + b) <= 1 + tolerance
    return Dual(weights, intercepts, np.flatnonzero(support), converged)


def _by_liblinear(F: Array, sign: NDArray[np.intp], C: float, tolerance: float) -> tuple[Array, float] | None:
    """w and b, or None where liblinear did not come to an end."""
    # With C small all rows stand at the bound, and it is few of them that balance the offset.
    enough = _LOOSE * tolerance * min(1.0, 1e-2 * C * len(F))
    moved, found = np.zeros(F.shape[1]), []
    rows = F
    for _ in range(_MOVES):
        w, left, ended = _linear(rows, sign, C, _LOOSE * tolerance)
        if not ended or not w.any():
            return None
        offset = float(w @ moved) + left
        found.append((w, offset))
        moved = offset * w / (w @ w)
        rows = np.add(F, moved, out=None if rows is F else rows)  # F may be large: one moved copy of it, not one a move
        if abs(left) <= enough:
            break
    else:
        return None
    # The last digits, where so many passes go so far: what has not come to an end may be worse than what has.
    for _ in range(2):
        w, left, ended = _linear(rows, sign, C, tolerance)
        offset = float(w @ moved) + left
        found.append((w, offset))
        if not ended or not w.any():
            break
        moved = offset * w / (w @ w)
        np.add(F, moved, out=rows)
    return min(found, key=lambda wb: float(wb[0] @ wb[0] / 2 + C * np.maximum(0, 1 - sign * (F @ wb[0] + wb[1])).sum()))


def _linear(F: Array, sign: NDArray[np.intp], C: float, tolerance: float) -> tuple[Array, float, bool]:
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.svm import LinearSVC

    machine = LinearSVC(
        C=C, loss="hinge", dual=True, tol=tolerance, max_iter=_PASSES, intercept_scaling=1.0, random_state=0
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        machine.fit(F, sign)
    return np.asarray(machine.coef_[0]), float(machine.intercept_[0]), bool(machine.n_iter_ < _PASSES)


def _by_libsvm(
    F: Array, sign: NDArray[np.intp], C: float, tolerance: float, iterations: int
) -> tuple[Array, float, bool]:
    """w, b and whether the solver met its tolerance."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.svm import SVC

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        svc = SVC(kernel="linear", C=C, tol=tolerance, max_iter=iterations).fit(F, sign)
    return np.asarray(svc.coef_[0]), float(svc.intercept_[0]), not svc.fit_status_
