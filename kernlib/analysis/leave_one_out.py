"""Leave-one-out and leave-group-out residuals of kernel ridge regression, from one eigendecomposition."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..values.arrays import Array, RowNumbers
from .spectrum import Decomposition

#: Candidate ridges, in units of the mean absolute eigenvalue.
RIDGES = np.geomspace(1e-6, 1e3, 19)


def left_out_residuals(
    decomposition: Decomposition,
    targets: Array,
    ridges: Array,
    members: Sequence[RowNumbers] | None = None,
    *,
    centred: bool = False,
    intercept: bool = False,
) -> Array:
    r"""Return the residuals of kernel ridge regression on rows that were left out, for every λ, without refitting.

    .. math:: y_i - \hat y_i^{(-i)} = \frac{\alpha_i}{C_{ii}},\quad \alpha = C y,\quad C = (K+\lambda I)^{-1}

    and for a group G of rows :math:`C_{GG}^{-1} \alpha_G`. Both equal the residuals of machines that are refitted
    without the rows. With `intercept` the machine has an intercept that is not penalised:

    .. math:: C = G - \frac{G 1 1' G}{1' G 1},\quad G = (K+\lambda I)^{-1}

    `centred` instead subtracts the mean of the training targets and adds it to the prediction, as `KernelRidge` does;
    the residual is linear in y, so it is the residual of y less the training mean times the residual of a constant 1.

    Parameters: `decomposition` all eigenpairs of K, or those of a factor (the other eigenvalues are 0); `targets`
    (n, t); `ridges` (r,), λ > 0 and no eigenvalue at −λ; `members` the row numbers of each group. Returns (n, t, r).
    Reference: Cawley and Talbot, Neural Networks 17, 2004, equation 13.

    >>> import numpy as np
    >>> from kernlib.analysis import decompose
    >>> x = np.array([-1.0, 0.0, 1.0])
    >>> K = decompose(np.outer(x, x))
    >>> left_out_residuals(K, 3 * x[:, None] + 5, np.array([1e-9]), intercept=True).ravel().round(6) + 0.0
    array([0., 0., 0.])
    >>> left_out_residuals(K, 3 * x[:, None] + 5, np.array([1e-9]), centred=True).ravel().round(6) + 0.0
    array([-3.,  0.,  3.])
    """
    values, U = decomposition.eigenvalues[:, None], decomposition.eigenvectors
    n = len(U)
    columns = np.hstack([targets, np.ones((n, 1))]) if centred or intercept else targets
    # The eigenpairs of a factor give I − U (L/(L + λ)) U' = λ (K + λI)⁻¹, all eigenpairs (K + λI)⁻¹ itself; the
    # factor λ cancels in the quotients.
    short = U.shape[1] < n
    weights = values / (values + ridges) if short else 1.0 / (values + ridges)
    coefficients = U.T @ columns
    dual = (U @ (coefficients[:, :, None] * weights[:, None]).reshape(len(values), -1)).reshape(n, -1, len(ridges))
    if short:
        np.subtract(columns[:, :, None], dual, out=dual)
    ones = dual[:, -1].copy() if intercept else np.zeros((n, len(ridges)))
    total = ones.sum(axis=0) if intercept else np.ones(len(ridges))
    if intercept:
        dual = dual[:, :-1]
        dual -= ones[:, None] * (dual.sum(axis=0) / total)
    if members is None:
        own = U**2 @ weights
        dual /= ((1.0 - own if short else own) - ones**2 / total)[:, None, :]
        residuals: Array = dual
    else:
        residuals = np.empty_like(dual)
        for rows in members:
            part = U[rows]
            for r in range(len(ridges)):
                own = (part * weights[:, r]) @ part.T
                own = np.eye(len(rows)) - own if short else own
                own -= np.outer(ones[rows, r], ones[rows, r]) / total[r]
                residuals[rows, :, r] = np.linalg.solve(own, dual[rows, :, r])
    if intercept or not centred:
        return residuals
    whole = targets.sum(axis=0)
    others = (whole - targets) / (n - 1)
    for rows in members or ():
        others[rows] = (whole - targets[rows].sum(axis=0)) / (n - len(rows))
    return np.asarray(residuals[:, :-1] - others[:, :, None] * residuals[:, -1:])
