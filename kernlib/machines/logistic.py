"""Kernel logistic regression: a machine whose decisions are probabilities of the classes."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike

from ..analysis.matrix import Checked
from ..analysis.outcomes import probabilities_of
from ..analysis.spectrum import Decomposition, decompose
from ..errors import DegenerateError
from ..values.arrays import Array, Factor
from ..values.declare import positive
from ..values.labels import Labels
from .svm import Priced, centred_factor, scale_parameter

#: Gradient of the mean loss at which the solver stops, in units of a row's length, and its limit of iterations.
_TOLERANCE, _ITERATIONS = 1e-7, 10_000
#: One decomposition serves all C that are tried on a fold.
_KNOWN: WeakKeyDictionary[Checked, Decomposition] = WeakKeyDictionary()


@dataclass(frozen=True, eq=False)
class _Solution:
    """f(x) = k(x)'weights + intercepts: `weights` (n or r, columns), one column for two classes."""

    weights: Array
    intercepts: Array
    cost: float
    converged: bool


@dataclass(frozen=True, repr=False)
class KernelLogisticRegression(Priced):
    r"""Logistic regression in feature space: decisions are log-odds, and `probabilities` those of the classes.

    .. math:: f(x) = \sum_i \alpha_i k(x, x_i) + b,\quad
        \min_{\alpha, b} \tfrac12 \alpha^\top K \alpha + C \sum_i \log(1 + e^{-y_i f(x_i)}),\quad
        P(y = +1 \mid x) = \frac1{1 + e^{-f(x)}}

    b is not penalised. More than two classes: one f_c for each, and P(c | x) ∝ exp f_c(x) (multinomial); `decision` is
    then log P. Solved by scikit-learn on kernel PCA features F, K = FF', where the penalty is ½‖w‖² (the representer
    theorem). A K with negative eigenvalues has no such features in these directions: they are left out, for new rows
    too, and probabilities are those of K's positive part.

    Parameters: `C` > 0, the price of a unit of log loss; `scale` "absolute" or "spread" as in `SVM`, the spread
    that of the positive part. `cost_` is C in the units of K; `converged_` is False if the solver stopped early.
    Raises DataError for real targets or one class; DegenerateError for a K without a positive eigenvalue, and for C on
    the scale of the spread on equal rows.
    Reference: Zhu and Hastie, Kernel logistic regression and the import vector machine, 2005, equation 5.

    >>> import numpy as np
    >>> x = np.array([-2.0, -1.0, 1.0, 2.0])
    >>> machine = KernelLogisticRegression(C=10.0).fit(np.outer(x, x), ["no", "no", "yes", "yes"])
    >>> machine.probabilities(np.outer([0.0, 0.5], x)).round(2)
    array([[0.5 , 0.5 ],
           [0.24, 0.76]])
    """

    C: float = positive(
        1.0, "C", "price of a unit of log loss: a larger C fits the training rows more closely", 1e-3, 1e4
    )
    scale: str = scale_parameter()

    label = "kernel logistic regression (probabilities)"

    def probabilities(self, K_star: ArrayLike | Checked | Factor) -> Array:
        """Return P(class | row) of new rows, (m, classes), in the order of `classes_`; exceptions as in `decision`."""
        return probabilities_of(self.decision(K_star))

    def _learn_checked(self, K: Checked, labels: Labels) -> _Solution:
        pairs = _eigenpairs(K)
        rank = pairs.rank
        if not rank:
            raise DegenerateError(
                "KernelLogisticRegression.fit: K must have a positive eigenvalue; got none, its largest is "
                f"{pairs.eigenvalues[0]:.6g}. Change the kernel's parameters."
            )
        lengths, directions = np.sqrt(pairs.eigenvalues[:rank]), pairs.eigenvectors[:, :rank]
        solution = self._learn_factor(directions * lengths, labels)
        # F* = K* U L^-½: the weights of rows are U L^-½ w.
        return replace(solution, weights=(directions / lengths) @ solution.weights)

    def _decide(self, learnt: Any, labels: Labels, K_star: Array, k_diag: Array | None) -> Array:
        values = K_star @ learnt.weights
        values += learnt.intercepts
        if values.shape[1] == 1:
            return np.asarray(values[:, 0])
        from scipy.special import log_softmax

        return np.asarray(log_softmax(values, axis=1))

    def _learn_factor(self, F: Array, labels: Labels) -> _Solution:
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.linear_model import LogisticRegression

        rows, middle, spread, C = centred_factor(F, self.C, self.scale, type(self).__name__)
        # The machine for √C F and C = 1 is the same, w/√C: the solver meets no tiny and no huge penalty.
        root = math.sqrt(C)
        rows *= root
        tolerance = _TOLERANCE * (root * math.sqrt(spread) or 1.0)
        solver = LogisticRegression(C=1.0, tol=tolerance, max_iter=_ITERATIONS)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            solver.fit(rows, labels.codes)
        weights = root * solver.coef_.T
        return _Solution(weights, solver.intercept_ - middle @ weights, C, bool(np.max(solver.n_iter_) < _ITERATIONS))


def _eigenpairs(K: Checked) -> Decomposition:
    pairs = _KNOWN.get(K)
    if pairs is None:
        pairs = _KNOWN[K] = decompose(K.matrix, owner="KernelLogisticRegression.fit")
    return pairs
