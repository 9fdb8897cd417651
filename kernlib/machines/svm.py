"""The support vector machine, on a Gram matrix and on kernel PCA features."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..analysis.matrix import Checked, looked_at
from ..analysis.spectrum import Decomposition
from ..errors import DataError, DegenerateError
from ..values.arrays import Array, Factor
from ..values.declare import one_of, positive
from ..values.labels import Labels
from .machine import Machine
from .regression import components_for, dimension_parameter
from .solvers import Dual, solve, solve_short

# C = ∞ is solved as this many units of one over the spread.
_HARD = 1e6
# Entries of K between its inverse and this number are safe in single precision.
_SINGLE = 1e30
# A larger finite C is a hard margin in effect.
_LARGEST_C = 1e300
# libsvm's own default, in units of the margin.
_TOLERANCE = 1e-3
# Limit for a badly scaled K, on which the solver may not converge.
_ITERATIONS = 1_000_000


def soft_margin(K: Checked, labels: Labels, C: float, scale: str, weights: Array | None = None) -> Dual:
    """Return the dual for this C, on the kernel's scale for "spread"; C = ∞ is 10⁶ over the rows' spread."""
    assert labels.codes is not None
    # libsvm keeps K in single precision. The machine for K/u and u·C is the same, and u a power of two exact.
    largest = K.largest
    unit = 1.0 if largest == 0 or 1 / _SINGLE < largest < _SINGLE else 2.0 ** math.frexp(largest)[1]
    if unit != 1.0:
        K = Checked(K.matrix / unit, largest / unit)
        C = min(C * unit, _LARGEST_C) if math.isfinite(C) and scale == "absolute" else C
    spread = K.trace / len(K) - K.mean
    C = cost_on_scale(C, scale, spread, lambda: float(np.abs(np.diagonal(K.matrix)).max()))
    tolerance = _tolerance(C, spread)
    dual = solve(K.matrix, labels.codes, C, tolerance, max(_ITERATIONS, 100 * len(K)), weights)
    alphas = dual.weights / unit if unit != 1.0 else dual.weights
    dual = Dual(alphas, dual.intercepts, dual.support, dual.converged, C / unit)
    if not (np.isfinite(dual.weights.sum()) and np.isfinite(dual.intercepts.sum())):
        raise DegenerateError(
            f"SVM.fit: C·K must stay within double precision; got C={C:.4g} and entries of K up to {largest:.4g}: "
            "libsvm has no finite solution. Standardise the columns, or choose another C."
        )
    return dual


def soft_margin_factor(F: Array, labels: Labels, C: float, scale: str, weights: Array | None = None) -> Dual:
    """Return `soft_margin` for K = FF', computed from F, (n, r); its `weights` are w, (r, pairs)."""
    assert labels.codes is not None
    middle = F.mean(axis=0)
    rows = F - middle  # the offset b is free: shifted rows have the same machine up to b, which is then near 0
    spread = float(np.einsum("ij,ij->", rows, rows)) / len(F)
    C = cost_on_scale(C, scale, spread, lambda: float(Factor(F).diagonal.max()))
    tolerance = _tolerance(C, spread)
    # The machine for F/u and u²·C is the same.
    unit = math.sqrt(spread) if 1 / _SINGLE < spread < _SINGLE else 1.0
    rows /= unit
    cost, most = min(C * unit**2, _LARGEST_C), max(_ITERATIONS, 100 * len(F))
    dual = solve_short(rows, labels.codes, cost, tolerance, most, weights)
    columns = dual.weights / unit
    return replace(dual, weights=columns, intercepts=dual.intercepts - middle @ columns, cost=C)


def cost_on_scale(C: float, scale: str, spread: float, longest: Callable[[], float]) -> float:
    """Return the finite bound of the weights: C itself, C over the spread, or a large one for the hard margin."""
    hard = math.isinf(C)
    if scale == "absolute" and not hard:
        return C
    # The spread of an indefinite kernel may be negative; its absolute value is the scale.
    size = spread if hard else abs(spread)
    if not size > 1e-12 * longest():
        asked = "a hard margin" if hard else f"C={C:.4g} on the scale of the kernel's spread"
        raise DegenerateError(
            f"SVM.fit: {asked} needs rows that differ in feature space; got rows that all coincide. "
            "Change the kernel's parameters, or choose a finite C with scale='absolute'."
        )
    return min((_HARD if hard else C) / size, _LARGEST_C)


def _tolerance(C: float, spread: float) -> float:
    # If C·K is far below 1, margins differ by less than libsvm's default tolerance, and the support vectors would be
    # arbitrary.
    return _TOLERANCE * min(1.0, max(100.0 * C * abs(spread), 1e-9))


def pairwise_decision(dual: Dual, classes: int, K_star: Array) -> Array:
    """Return (m,) for two classes, otherwise (m, classes): votes of all pairs, ties broken by their sums."""
    pairs = K_star @ dual.weights
    pairs += dual.intercepts
    if classes == 2:
        return np.asarray(-pairs[:, 0])
    votes = np.zeros((len(pairs), classes))
    sums = np.zeros((len(pairs), classes))
    for (i, j), value in zip(combinations(range(classes), 2), pairs.T, strict=True):
        votes[:, i] += value >= 0
        votes[:, j] += value < 0
        sums[:, i] += value
        sums[:, j] -= value
    # As in scikit-learn: scaled into (−⅓, ⅓), a sum never outweighs a vote.
    return np.asarray(votes + sums / (3 * (np.abs(sums) + 1)))


class _Voting(Machine):
    """A machine with labels by votes alone, as SVC: ties go to the first class, a decision of 0 to classes_[1]."""

    def labels_of(self, decision: Array) -> NDArray[Any]:
        if decision.ndim == 1:
            return self._fitted_labels().decode(np.where(decision >= 0, 1.0, -1.0))
        return self._fitted_labels().decode(np.rint(decision))


def _C() -> Any:
    return positive(1.0, "C", "price of a margin violation; ∞ is the hard margin", 1e-3, 1e4, choices=(math.inf,))


def scale_parameter() -> Any:
    """Return the declaration of the scale on which C is read."""
    return one_of(
        "absolute",
        r"\mathrm{scale}",
        "spread: C is divided by the spread of the training rows, mean k(x, x) − mean k(x, x'), so that one C "
        "suits kernels of any size",
        ("absolute", "spread"),
        quiet=True,
    )


class Priced(Machine):
    """A machine with a price C of errors, and the scale on which C is read."""

    C: float
    scale: str

    def unit_of(self, name: str) -> str:
        return "units of 1/spread" if name == "C" and self.scale == "spread" else ""

    @property
    def cost_(self) -> float:
        """Return C in the units of K, the bound of an SVM's weights α: C, or C over the training part's spread."""
        return float(self._solved().cost)

    @property
    def converged_(self) -> bool:
        """Return whether the solver met its tolerance."""
        return bool(self._solved().converged)

    def _solved(self) -> Any:
        """Return the solution, which holds its `cost` and whether the solver `converged`."""
        self._fitted_labels()
        return self._learnt


@dataclass(frozen=True, repr=False)
class SVM(_Voting, Priced):
    r"""Soft-margin support vector machine.

    .. math:: f(x) = \sum_i \alpha_i y_i k(x, x_i) + b,\quad
        \max_\alpha \sum_i\alpha_i - \tfrac12\sum_{ij}\alpha_i\alpha_j y_i y_j K_{ij},\ 0\le\alpha_i\le C

    More than two classes: one against one; `decision` as scikit-learn's one-against-rest view of it,
    `predict` by votes.

    C and K enter only as C·K: the machine for a·K and C/a is that for K and C. With C·K far below 1 every row
    reaches the bound, and f is a difference of sums of k plus b; unequal classes then all go to the larger one.
    ``scale="spread"`` measures C in units of one over s, the spread of the training rows in feature space,

    .. math:: s = \frac1n\sum_i K_{ii} - \frac1{n^2}\sum_{ij} K_{ij}

    so that 0 ≤ α_i ≤ C/s, and the machine for a·K is that for K. C = 10 is a good start there.

    Parameters: `C` > 0, the price of a unit of margin violation; math.inf is the hard margin, solved
    as 10⁶/s; `scale` "absolute" or "spread"; `class_weight` "equal", or "balanced", which multiplies C for the rows of
    a class of n_c rows by n / (classes · n_c), so that every class weighs alike. `converged_` is False if libsvm
    stopped after a million iterations; `cost_` is the bound of α in use, for a class of weight 1.
    Raises DataError for real targets or one class; DegenerateError for a hard margin, or C on the
    scale of the spread, on equal rows.
    Reference: Cortes and Vapnik, 1995; deep kernel machines, equations 2.19 onwards.

    >>> import numpy as np
    >>> x = np.array([-2.0, -1.0, 1.0, 2.0])
    >>> machine = SVM(C=10.0).fit(np.outer(x, x), ["no", "no", "yes", "yes"])
    >>> machine.predict(np.outer([-3.0, 0.5], x)).tolist()
    ['no', 'yes']
    >>> machine.support_.tolist()
    [1, 2]
    """

    C: float = _C()
    scale: str = scale_parameter()
    class_weight: str = one_of(
        "equal",
        r"\mathrm{weight}",
        "balanced: errors on a rare class cost more, so that every class weighs alike in training",
        ("equal", "balanced"),
        quiet=True,
    )

    label = "support vector machine"

    @property
    def support_(self) -> NDArray[np.intp]:
        """Return the row numbers of the support vectors."""
        return self._dual().support

    @property
    def weights_(self) -> Array:
        """Return α_i y_i of every training row, (n,), positive for classes_[1].

        For more classes (n, pairs), where pair (i, j) is positive for class i.
        """
        if self._rank is not None:
            raise DataError(
                "SVM.weights_: a machine on a factor has one weight per column, not per row; expected one fitted on "
                "a Gram matrix. Use `support_` and `decision`."
            )
        weights = self._dual().weights
        return np.asarray(-weights[:, 0]) if weights.shape[1] == 1 else weights

    @property
    def intercept_(self) -> Array:
        """Return b, (1,), or (pairs,), with the signs of `weights_`."""
        intercepts = self._dual().intercepts
        return np.asarray(-intercepts) if len(intercepts) == 1 else intercepts

    def _dual(self) -> Dual:
        dual: Dual = self._solved()
        return dual

    def class_weights(self, labels: Labels) -> Array | None:
        """Return the factor of C for every class, (classes,); None where all are 1."""
        if self.class_weight == "equal":
            return None
        return np.asarray(labels.counts.sum() / (len(labels.counts) * labels.counts))

    def _learn_checked(self, K: Checked, labels: Labels) -> Dual:
        return soft_margin(K, labels, self.C, self.scale, self.class_weights(labels))

    def _decide(self, learnt: Any, labels: Labels, K_star: Array, k_diag: Array | None) -> Array:
        return pairwise_decision(learnt, len(labels.counts), K_star)

    def _learn_factor(self, F: Array, labels: Labels) -> Dual:
        return soft_margin_factor(F, labels, self.C, self.scale, self.class_weights(labels))


@dataclass(frozen=True, repr=False)
class KernelPCASVM(_Voting, Priced):
    r"""A linear SVM on the first d kernel PCA features.

    .. math:: \Psi_d(x) = \Big(\tfrac{1}{\sqrt{l_j}}\sum_i k(x, x_i)[u_j]_i\Big)_{j\le d},\quad
        f(x) = \langle w, \Psi_d(x)\rangle + b

    Parameters: `dimension` d ≥ 1, or "relevant" for the relevant dimension of the training rows; at
    most the rank of K is used; `C` and `scale` as in `SVM`, of the features.
    Raises DataError for real targets or one class.
    Reference: kernels and feature space, 'Kernel PCA and Feature Maps'.

    >>> import numpy as np
    >>> x = np.array([-2.0, -1.0, 1.0, 2.0])
    >>> machine = KernelPCASVM(dimension=1).fit(np.outer(x, x), [0, 0, 1, 1])
    >>> machine.predict(np.outer([-3.0, 0.5], x)).tolist()
    [0, 1]
    """

    dimension: int | str = dimension_parameter()
    C: float = _C()
    scale: str = scale_parameter()

    label = "kernel PCA features, then SVM"

    @property
    def dimension_(self) -> int:
        """Return the number of components that are in use."""
        self._fitted_labels()
        decomposition: Decomposition = self._learnt[0]
        return len(decomposition.eigenvalues)

    def _solved(self) -> Any:
        return super()._solved()[-1]

    def _learn(self, K: Array, labels: Labels) -> tuple[Decomposition, Dual]:
        components = components_for(K, labels, self.dimension, "KernelPCASVM.fit")
        U, scores = components.eigenvectors, components.eigenvectors * np.sqrt(components.eigenvalues)
        dual = soft_margin(looked_at(scores @ scores.T, "KernelPCASVM.fit"), labels, self.C, self.scale)
        # Ψ_d(x) = k(x)'U L^-½, and the training rows are U L^½: f(x) = k(x)'U U' α.
        return components, replace(dual, weights=U @ (U.T @ dual.weights))

    def _decide(self, learnt: Any, labels: Labels, K_star: Array, k_diag: Array | None) -> Array:
        return pairwise_decision(learnt[-1], len(labels.counts), K_star)

    def _learn_factor(self, F: Array, labels: Labels) -> tuple[Decomposition, Dual]:
        components = components_for(Factor(F), labels, self.dimension, "KernelPCASVM.fit")
        # Ψ_d of a row is F_i V_d: u_j = F v_j / √l_j.
        V = F.T @ (components.eigenvectors / np.sqrt(components.eigenvalues))
        dual = soft_margin_factor(F @ V, labels, self.C, self.scale)
        return components, replace(dual, weights=V @ dual.weights)
