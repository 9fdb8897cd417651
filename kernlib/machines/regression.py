"""Least squares in feature space: on the first d kernel PCA components, or with a ridge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..analysis.relevant import relevant_dimension
from ..analysis.spectrum import Decomposition, decompose
from ..errors import DegenerateError
from ..values.arrays import Array
from ..values.declare import param
from ..values.factor import Factor
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
    return param(
        "relevant", kind="int", symbol="d", help="kernel PCA components that are kept", low=1, high=100,
        step=1, minimum=1, choices=("relevant",),
    )  # fmt: skip


def _centred() -> Any:
    return param(
        False, kind="bool", symbol=r"\bar y", help="subtract the mean of the targets first, and add it to predictions"
    )


class _LeastSquares(Machine):
    """Squared loss: classes as ±1 or one-hot, real targets as given or, `centred`, minus their training mean."""

    centred: bool

    task: ClassVar[tuple[str, ...]] = ("classification", "regression")
    regression_only: ClassVar[tuple[str, ...]] = ("centred",)

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

    label: ClassVar[str] = "kernel PCA regression"
    formula: ClassVar[str] = r"f(x) = \sum_{j\le d} \frac{u_j^\top y}{l_j} \sum_i k(x, x_i)[u_j]_i"
    source: ClassVar[str] = "kernels and feature space, kPCR"

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

    Parameters: `ridge` λ > 0; `centred` fits y − ȳ and adds ȳ, the mean of real training targets: without it, a
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

    ridge: float = param(
        1.0, symbol=r"\lambda", help="penalty on the squared length of the weights", low=1e-6, high=1e3,
        scale="log", minimum=0, open_minimum=True,
    )  # fmt: skip
    centred: bool = _centred()

    label: ClassVar[str] = "kernel ridge regression"
    formula: ClassVar[str] = r"f(x) = \sum_i k(x, x_i)\,\alpha_i,\ \alpha = (K + \lambda I)^{-1} y"
    source: ClassVar[str] = "Saunders, Gammerman, Vovk 1998; kernels and feature space, KRR"

    def _learn(self, K: Array, labels: Labels) -> tuple[Array, float]:
        labels, mean = self._centred_labels(labels)
        return self._solved(K, labels.targets), mean

    def _solved(self, K: Array, targets: Array) -> Array:
        """Return (K + λI)⁻¹ targets."""
        from scipy.linalg import LinAlgError, solve

        matrix = K.copy()
        matrix[np.diag_indices_from(matrix)] += self.ridge
        try:
            solved = solve(matrix, targets, assume_a="pos", overwrite_a=True)
        except LinAlgError:
            solved = self._solve_indefinite(K, targets)
        return np.asarray(solved, dtype=np.float64)

    def _solve_indefinite(self, K: Array, targets: Array) -> Array:
        # Rounding, or an indefinite K: the eigenvalues decide whether a solution exists.
        decomposition = decompose(K, owner="KernelRidge.fit")
        shifted = decomposition.eigenvalues + self.ridge
        if np.abs(shifted).min() <= decomposition.tolerance:
            raise DegenerateError(
                f"KernelRidge.fit: K + ridge·I must not be singular; got an eigenvalue of {-self.ridge:.6g} in K. "
                "Choose a larger ridge, or repair the kernel."
            )
        coefficients = decomposition.eigenvectors.T @ targets
        solved: Array = decomposition.eigenvectors / shifted @ coefficients
        return solved

    def _learn_factor(self, F: Array, labels: Labels) -> tuple[Array, float]:
        labels, mean = self._centred_labels(labels)
        # F'(FF' + λI)⁻¹y = (F'F + λI)⁻¹F'y: r unknowns instead of n.
        if F.shape[1] > len(F):
            return np.asarray(F.T @ self._solved(F @ F.T, labels.targets)), mean
        return self._solved(F.T @ F, F.T @ labels.targets), mean
