"""Ridge regression with rows left out, in closed form from one eigendecomposition."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..values.arrays import Array, RowNumbers
from .spectrum import Decomposition

__all__ = ["left_out_residuals"]


def left_out_residuals(
    found: Decomposition,
    targets: Array,
    ridges: Array,
    members: Sequence[RowNumbers] | None = None,
    *,
    centred: bool = False,
) -> Array:
    r"""What a machine that never saw row i misses of its targets, for every λ: exactly, and without n machines.

    .. math:: y_i - \hat y_i^{(-i)} = \frac{\alpha_i}{[(K+\lambda I)^{-1}]_{ii}},\quad \alpha = (K+\lambda I)^{-1}y

    and for a group G of rows [(K+λI)⁻¹]_GG⁻¹ α_G. `centred` takes the mean of the rows that are left off the targets
    and puts it back; being linear in y, that is the residual of y less the mean of the others times that of a
    constant 1.

    Parameters: `found` all eigenpairs of K, or those of a factor (the eigenvalues beyond are 0); `targets` (n, t);
    `ridges` (r,), λ > 0 and no eigenvalue at −λ; `members` the rows of each group. Returns (n, t, r).
    Reference: Cawley and Talbot, Neural Networks 17, 2004, equation 13.

    >>> import numpy as np
    >>> from kernlib.analysis import decompose
    >>> x = np.array([-1.0, 0.0, 1.0])
    >>> found = left_out_residuals(decompose(np.outer(x, x)), 3 * x[:, None] + 5, np.array([1e-9]), centred=True)
    >>> found.ravel().round(6) + 0.0  # the mean and slope of the other two rows: 2 less 6.5 − 1.5, and so on
    array([-3.,  0.,  3.])
    """
    values, U = found.eigenvalues[:, None], found.eigenvectors
    n = len(U)
    wanted = np.hstack([targets, np.ones((n, 1))]) if centred else targets
    # Of a factor's few directions, I − U (L/(L + λ)) U' = λ (K + λI)⁻¹; of all of them, (K + λI)⁻¹ itself.
    short = U.shape[1] < n
    weights = values / (values + ridges) if short else 1.0 / (values + ridges)
    coefficients = U.T @ wanted
    dual = np.stack([U @ (coefficients[:, [c]] * weights) for c in range(wanted.shape[1])], axis=1)
    if short:
        dual = wanted[:, :, None] - dual
    if members is None:
        own = U**2 @ weights
        residuals: Array = dual / (1.0 - own if short else own)[:, None, :]
    else:
        residuals = np.empty_like(dual)
        for rows in members:
            part = U[rows]
            for r in range(len(ridges)):
                block = (part * weights[:, r]) @ part.T
                residuals[rows, :, r] = np.linalg.solve(np.eye(len(rows)) - block if short else block, dual[rows, :, r])
    if not centred:
        return residuals
    total = targets.sum(axis=0)
    others = (total - targets) / (n - 1)
    for rows in members or ():
        others[rows] = (total - targets[rows].sum(axis=0)) / (n - len(rows))
    return np.asarray(residuals[:, :-1] - others[:, :, None] * residuals[:, -1:])
