"""Least squares in feature space: on the first d kernel PCA components, or with a ridge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..analysis.relevant import relevant_dimension
from ..analysis.spectrum import RIDGES, Decomposition, decompose, left_out_residuals
from ..errors import DegenerateError
from ..values.arrays import Array, Factor
from ..values.declare import param, positive, whole
from ..values.labels import Labels
from .machine import Machine


def components_for(K: Array | Factor, labels: Labels, dimension: int | str, owner: str) -> Decomposition:
    """Return the first d eigenpairs of K, at most those that are positive beyond rounding."""
    if dimension == "relevant":
        decomposition = decompose(K, owner=owner)
        y = labels.targets if labels.classes is None else labels.classes[labels.codes]
        d = relevant_dimension(K, y, task=labels.task, decomposition=decomposition).dimension
    else:
        d = min(int(dimension), len(K))
        decomposition = decompose(K, d, owner=owner)
    # Beyond the rank, 1/l_j would amplify rounding errors.
    usable = min(d, decomposition.rank)
    if not usable:
        raise DegenerateError(
            f"{owner}: K must have a positive eigenvalue; got none, its largest is {decomposition.eigenvalues[0]:.6g}. "
            "Change the kernel's parameters."
        )
    return Decomposition(decomposition.eigenvalues[:usable], decomposition.eigenvectors[:, :usable])


def dimension_parameter() -> Any:
    """Return the declaration of the number of kernel PCA components."""
    return whole(
        "relevant", "d", "kernel PCA components that are kept", 1, 100, step=1, minimum=1, choices=("relevant",)
    )


def _centred() -> Any:
    return param(
        False, kind="bool", symbol=r"\bar y", help="subtract the mean of the targets first, and add it to predictions"
    )


class _LeastSquares(Machine):
    """Squared loss: classes as ±1 or one-hot, real targets as given or, `centred`, minus their training mean."""

    centred: bool

    task = ("classification", "regression")
    regression_only = ("centred",)

    def __repr__(self) -> str:
        # The sources do not centre: the default is not printed.
        return super().__repr__() if self.centred else super().__repr__().replace(", centred=False", "")

    def _centred_labels(self, labels: Labels) -> tuple[Labels, float]:
        """Return the labels to fit, and the constant to add to every prediction."""
        return labels.less_mean() if self.centred else (labels, 0.0)

    def _decide(self, learnt: Any, labels: Labels, K_star: Array, k_diag: Array | None) -> Array:
        weights, offset = learnt[:2]
        decided: Array = K_star @ weights
        return decided + offset if offset else decided


@dataclass(frozen=True, repr=False)
class KernelPCARegression(_LeastSquares):
    r"""Least squares on the first d kernel PCA components.

    .. math:: f(x) = \sum_{j\le d} \frac{s_j}{l_j} \sum_i k(x, x_i)[u_j]_i,\quad s = U^\top y

    On the training rows f is the denoised label vector of the relevant dimension. Uncentred and
    without an intercept, as in the source. Classes: ±1, or one-hot for more than two.

    Parameters: `dimension` d ≥ 1, or "relevant" for the relevant dimension of the training rows; at most the rank of K
    is used, `dimension_` is the number in use; `centred` fits y − ȳ and adds ȳ, the mean of real training targets.
    Raises DataError for labels that do not fit, DegenerateError when K has no positive eigenvalue.
    Reference: kernels and feature space, 'kPCR' of the benchmark table.

    >>> import numpy as np
    >>> x = np.array([-2.0, -1.0, 1.0, 2.0])
    >>> machine = KernelPCARegression(dimension=1).fit(np.outer(x, x), 3 * x)
    >>> machine.predict(np.outer([5.0], x)).round(6)
    array([15.])
    """

    dimension: int | str = dimension_parameter()
    centred: bool = _centred()

    label = "kernel PCA regression"

    @property
    def dimension_(self) -> int:
        """Return the number of components in use."""
        self._fitted_labels()
        dimension: int = self._learnt[2]
        return dimension

    def _learn(self, K: Array | Factor, labels: Labels) -> tuple[Array, float, int]:
        labels, mean = self._centred_labels(labels)
        components = components_for(K, labels, self.dimension, "KernelPCARegression.fit")
        coefficients = components.eigenvectors.T @ labels.targets
        return components.eigenvectors / components.eigenvalues @ coefficients, mean, len(components.eigenvalues)

    def _learn_factor(self, F: Array, labels: Labels) -> tuple[Array, float, int]:
        weights, mean, dimension = self._learn(Factor(F), labels)
        # Σ_i k(x, x_i) α_i = F* (F' α): the same weights, in the columns of F.
        return F.T @ weights, mean, dimension


@dataclass(frozen=True, repr=False)
class KernelRidge(_LeastSquares):
    r"""Kernel ridge regression.

    .. math:: f(x) = \sum_i k(x, x_i)\,\alpha_i,\quad \alpha = (K + \lambda I)^{-1} y

    Without an intercept. Classes: ±1, or one-hot for more than two. λ is in the units of K: the
    machine for a·K and a·λ is that for K and λ.

    Parameters: `ridge` λ > 0, or "leave-one-out" for the λ of a grid with the smallest squared leave-one-out error on
    the training rows, from one eigendecomposition: the grid is `RIDGES` times the mean absolute eigenvalue of K, and
    `ridge_` is the λ in use; `centred` fits y − ȳ and adds ȳ, the mean of real training targets: without it, a
    kernel that is small between most rows draws predictions to 0, even for targets far from 0.
    Raises DataError for labels that do not fit, DegenerateError when K + λI is singular (possible
    only for a K with negative eigenvalues).
    Reference: Saunders, Gammerman, Vovk, 1998; kernels and feature space, 'KRR' of the benchmark table.

    >>> import numpy as np
    >>> x = np.array([-2.0, -1.0, 1.0, 2.0])
    >>> machine = KernelRidge(ridge=1e-9).fit(np.outer(x, x), 3 * x)
    >>> machine.predict(np.outer([5.0], x)).round(6)
    array([15.])
    """

    ridge: float | str = positive(
        1.0, r"\lambda", "penalty on the squared length of the weights", 1e-6, 1e3, choices=("leave-one-out",)
    )
    centred: bool = _centred()

    label = "kernel ridge regression"

    @property
    def ridge_(self) -> float:
        """Return the λ in use, in the units of K."""
        self._fitted_labels()
        ridge: float = self._learnt[2]
        return ridge

    def _learn(self, K: Array, labels: Labels) -> tuple[Array, float, float]:
        fitted, mean = self._centred_labels(labels)
        if isinstance(self.ridge, str):
            pairs = decompose(K, owner="KernelRidge.fit")
            ridge = self._least_left_out(pairs, labels)
            return pairs.eigenvectors @ _shrunk(pairs, fitted.targets, ridge), mean, ridge
        return self._solved(K, fitted.targets, self.ridge), mean, self.ridge

    def _least_left_out(self, pairs: Decomposition, labels: Labels) -> float:
        """Return the λ of the grid with the smallest squared leave-one-out error of this machine."""
        ridges, errors = left_out_errors(pairs, labels, self.centred)
        if not len(ridges):
            raise DegenerateError(
                "KernelRidge.fit: K must have a positive eigenvalue larger than its negative ones; got none. Repair "
                "the kernel, or choose a number for ridge."
            )
        # Of ridges that fit alike up to rounding, the largest: the simplest machine.
        return float(ridges[np.flatnonzero(errors <= errors.min() * (1 + 1e-9))[-1]])

    def _solved(self, K: Array, targets: Array, ridge: float) -> Array:
        """Return (K + λI)⁻¹ targets."""
        from scipy.linalg import LinAlgError, solve

        matrix = K.copy()
        matrix[np.diag_indices_from(matrix)] += ridge
        try:
            solved = solve(matrix, targets, assume_a="pos", overwrite_a=True)
        except LinAlgError:
            solved = self._solve_indefinite(K, targets, ridge)
        return np.asarray(solved, dtype=np.float64)

    def _solve_indefinite(self, K: Array, targets: Array, ridge: float) -> Array:
        # Rounding, or an indefinite K: the eigenvalues decide whether a solution exists.
        pairs = decompose(K, owner="KernelRidge.fit")
        if np.abs(pairs.eigenvalues + ridge).min() <= pairs.tolerance:
            raise DegenerateError(
                f"KernelRidge.fit: K + ridge·I must not be singular; got an eigenvalue of {-ridge:.6g} in K. "
                "Choose a larger ridge, or repair the kernel."
            )
        return np.asarray(pairs.eigenvectors @ _shrunk(pairs, targets, ridge))

    def _learn_factor(self, F: Array, labels: Labels) -> tuple[Array, float, float]:
        fitted, mean = self._centred_labels(labels)
        ridge = self.ridge
        if isinstance(ridge, str):
            ridge = self._least_left_out(decompose(Factor(F), owner="KernelRidge.fit"), labels)
        # F'(FF' + λI)⁻¹y = (F'F + λI)⁻¹F'y: r unknowns instead of n.
        if F.shape[1] > len(F):
            return np.asarray(F.T @ self._solved(F @ F.T, fitted.targets, ridge)), mean, ridge
        return self._solved(F.T @ F, F.T @ fitted.targets, ridge), mean, ridge


def left_out_errors(
    pairs: Decomposition, labels: Labels, centred: bool = False, ridges: Array | None = None
) -> tuple[Array, Array]:
    r"""Return ridges, and the leave-one-out squared error of kernel ridge regression at each, from one decomposition.

    .. math:: \mathrm{LOO}(\lambda) = \frac1n\sum_i\Big(\frac{\alpha_i}{[(K+\lambda I)^{-1}]_{ii}}\Big)^2,
        \quad \alpha = (K + \lambda I)^{-1} y

    exactly the error of n machines, each trained without one row. More classes than two: summed over the one-hot
    columns. The ridges are `RIDGES` times the mean absolute eigenvalue where none are given; those that a negative
    eigenvalue of K comes near to are left out. `centred` takes the mean of the n − 1 real targets off them.
    Reference: Cawley and Talbot, Neural Networks 17, 2004, equation 13.

    >>> from kernlib.values.labels import read_labels
    >>> x = np.linspace(-1, 1, 20)
    >>> left_out_errors(decompose(np.outer(x, x)), read_labels(3 * x), ridges=np.array([1e-6, 10.0]))[1].round(4)
    array([0.    , 1.1889])
    """
    values, targets = pairs.eigenvalues, labels.targets.reshape(len(labels.targets), -1)
    ridges = RIDGES * float(np.abs(values).sum()) / len(targets) if ridges is None else ridges
    ridges = ridges[(ridges > 0) & (ridges > -2 * min(0.0, float(values.min())))]
    residuals = left_out_residuals(pairs, targets, ridges, centred=centred and labels.codes is None)
    return ridges, np.einsum("itr,itr->r", residuals, residuals) / len(targets)


def _shrunk(pairs: Decomposition, targets: Array, ridge: float) -> Array:
    """Return (L + λI)⁻¹ U' targets."""
    coefficients = (pairs.eigenvectors.T @ targets).T
    return np.asarray((coefficients / (pairs.eigenvalues + ridge)).T)
