"""One width for each column of a Gaussian kernel, learnt from rows and their labels."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from ..values.arrays import Array
from .distances import gaussian, median_distance

#: Rows, evenly spaced, from which widths are learnt at most: a step of the search takes n³ operations.
_ROWS = 400
_STEPS = 60
#: Relevances stay within e^±_REACH times their first value, ridges within these bounds; k(x, x) = 1.
_REACH = 9.0
_RIDGES = (1e-4, 1e2)

#: Returns the loss of a Gram matrix and its derivative by every entry, (n, n), symmetric.


def learnt_widths(X: Array, targets: Array, criterion: Literal["alignment", "leave-one-out"]) -> Array | None:
    r"""Return the width of each column, (d,), of a Gaussian that suits the targets best; None if all rows are equal.

    .. math:: k(x, x') = \exp\Bigl(-\tfrac12 \sum_c (x_c - x'_c)^2 / \sigma_c^2\Bigr)

    "alignment" maximises the centred alignment of K with YY'; "leave-one-out" minimises the mean squared leave-one-out
    residual of kernel ridge regression over the widths and the ridge, by its closed form. Both follow the exact
    gradient from equal relevances of all columns in units of their standard deviation. The search is deterministic,
    ends at a local optimum, and multiplying a column by a number multiplies its width alone. A column that does not
    matter gets a large width, a constant column an arbitrary one.

    Parameters: `X` (n, d) finite; `targets` Y (n, t). Of more than 400 rows, as many are used, evenly spaced.
    References: Cortes, Mohri and Rostamizadeh, JMLR 13, 2012, section 2; Cawley and Talbot, JMLR 8, 2007, section 3.

    >>> X = np.random.default_rng(0).normal(size=(60, 2))
    >>> first, second = learnt_widths(X, np.sign(X[:, :1]), "alignment")
    >>> bool(second > 5 * first)
    True
    """
    from scipy.optimize import minimize

    if len(X) > _ROWS:
        chosen = np.linspace(0, len(X) - 1, _ROWS).astype(np.intp)
        X, targets = X[chosen], targets[chosen]
    unit = np.abs(X).max(axis=0)
    unit[unit == 0] = 1.0
    A = X / unit
    A = A - A.mean(axis=0)
    spread = A.std(axis=0)
    constant = spread <= 1e-12
    spread[constant] = 1.0
    A[:, constant] = 0.0
    A /= spread
    first = median_distance(A) or float(np.sqrt(2.0 * (A**2).sum() / len(A)))
    if not first > 0:
        return None
    Y = targets - targets.mean(axis=0)
    with_ridge = criterion == "leave-one-out"
    squares = A**2

    def loss(parameters: Array) -> tuple[float, Array]:
        """Return the loss and its gradient, both in the logarithms of 1/σ² and of the ridge."""
        w = np.exp(parameters[: len(unit)])
        K = gaussian(A * np.sqrt(w), None, 1.0)
        ridge = math.exp(parameters[-1]) if with_ridge else 0.0
        value, M = _left_out(K, Y, ridge) if with_ridge else _alignment(K, Y)
        # Σ_ij B_ij (x_i − x_j)² = 2 Σ_i (B1)_i x_i² − 2 x'Bx for every column at once
        B = M * K
        apart = B.sum(axis=1) @ squares - np.einsum("ic,ic->c", A, B @ A)
        gradient = -w * apart
        return value, np.append(gradient, ridge * np.trace(M)) if with_ridge else gradient

    start = np.full(len(unit), -2.0 * math.log(first))
    bounds = [(at - _REACH, at + _REACH) for at in start.tolist()]
    if with_ridge:
        start, bounds = np.append(start, math.log(0.1)), [*bounds, (math.log(_RIDGES[0]), math.log(_RIDGES[1]))]
    found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": _STEPS})
    return np.asarray(np.exp(-0.5 * found.x[: len(unit)]) * spread * unit)


def _alignment(K: Array, Y: Array) -> tuple[float, Array]:
    """Return minus the centred alignment of K with YY' for centred Y, and its derivative by K."""
    C = K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()
    size, target = float(np.linalg.norm(C)), float(np.linalg.norm(Y.T @ Y))
    if not size > 0 or not target > 0:
        return 0.0, np.zeros_like(K)
    agreement = float((Y * (C @ Y)).sum()) / (size * target)
    return -agreement, (agreement / size**2) * C - (Y @ Y.T) / (size * target)


def _left_out(K: Array, Y: Array, ridge: float) -> tuple[float, Array]:
    """Return the mean squared leave-one-out residual of ridge regression, and its derivative by K."""
    from scipy.linalg import cho_factor, cho_solve

    n = len(K)
    C = cho_solve(cho_factor(K + ridge * np.eye(n), overwrite_a=True, check_finite=False), np.eye(n), overwrite_b=True)
    C = (C + C.T) / 2
    a, own = C @ Y, C.diagonal()[:, None]
    residuals = a / own
    by_dual = 2.0 * residuals / (n * own)
    outer = (C @ by_dual) @ a.T
    by_own = (by_dual * residuals).sum(axis=1)
    return float((residuals**2).sum() / n), (C * by_own) @ C - (outer + outer.T) / 2
