"""Several kernels at once, with a weight each: set by hand, or learnt by their agreement with the labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import numpy as np

from ..core.base import Kernel, Memo, require_kernel
from ..core.folding import Fold, Shared, folded
from ..errors import DegenerateError, DomainError, NotFittedError, ParameterError
from ..values.above import made
from ..values.arrays import Array
from ..values.declare import floats, ordinary, param
from ..values.labels import read_labels
from .vectors import RBF, Linear


def _bad_weights(value: Any) -> str | None:
    if value is None or (isinstance(value, str) and value == "alignment"):
        return None
    if isinstance(value, tuple) and all(ordinary(v) and v >= 0 for v in value) and any(value):
        return None
    return (
        f"must be None, 'alignment', or a tuple of numbers from 0 on that are not all 0; got {value!r}. "
        "Try weights='alignment'"
    )


@dataclass(frozen=True, repr=False)
class Mixture(Kernel):
    r"""A weighted sum of kernels over the same rows.

        k(x, x') = Σ_m w_m k_m(x, x'),  w_m ≥ 0

    Parameters: kernels, two or more that read rows of one kind; weights, a tuple of one number each, None for equal
    weights of sum 1, or "alignment": learnt from the training rows and their labels so that the centred alignment of
    the sum with the labels is largest (ALIGNF; deterministic, weights of sum 1, many of them 0).

    Mixing seldom beats the best single kernel by much: kernels that agree share their weight, and a kernel that the
    labels do not need gets none. It helps where kernels read different things, such as columns of several kinds.

    Raises ParameterError for fewer than two kernels or another number of weights, DomainError for kernels of different
    kinds of rows, NotFittedError without labels and DegenerateError where no kernel is aligned with the labels, both
    for "alignment" alone.

    Cortes, Mohri and Rostamizadeh, JMLR 13, 2012, proposition 9.

    >>> from kernlib import RBF, Linear
    >>> Mixture((Linear(), RBF(sigma=1.0)), weights=(0.5, 0.5))([[0.0], [1.0]]).round(4)
    array([[0.5   , 0.3033],
           [0.3033, 1.    ]])
    """

    kernels: tuple[Kernel, ...] = (Linear(), RBF())
    weights: tuple[float, ...] | Literal["alignment"] | None = param(
        None,
        kind="other",
        symbol="w",
        help="weight of each kernel; none: equal; 'alignment': learnt from the labels",
        low=0.0,
        high=1.0,
        choices=("alignment",),
        each="kernel",
        convert=floats,
        check=_bad_weights,
    )

    formula: ClassVar[str] = r"\sum_m w_m\,k_m(x,x')"
    source: ClassVar[str] = "Cortes et al. 2012"
    cost: ClassVar[str] = "the kernels' cost; m² passes over the matrices to learn weights"

    def __post_init__(self) -> None:
        if isinstance(self.kernels, Sequence) and not isinstance(self.kernels, str):
            object.__setattr__(self, "kernels", tuple(self.kernels))
        if not isinstance(self.kernels, tuple) or len(self.kernels) < 2:
            raise ParameterError(
                f"Mixture: kernels must be a tuple of two kernels or more; got {self.kernels!r:.80}. "
                "Try Mixture((Linear(), RBF()))."
            )
        for kernel in self.kernels:
            require_kernel("Mixture", "kernels", kernel)
        super().__post_init__()
        if isinstance(self.weights, tuple) and len(self.weights) != len(self.kernels):
            raise ParameterError(
                f"Mixture: weights must hold one number for each kernel; expected {len(self.kernels)}, got "
                f"{len(self.weights)}. Give as many, or weights='alignment'."
            )
        domains = {kernel.reads for kernel in self.kernels} - {"any"}
        if len(domains) > 1:
            raise DomainError(
                f"Mixture: the kernels read {' and '.join(sorted(domains))} rows; expected one kind. Put each on its "
                "own columns with On(columns, kernel)."
            )

    def chip(self) -> str:
        return f"mixture of {len(self.kernels)}"

    @property
    def learns_itself(self) -> bool:
        return self.weights == "alignment"

    @property
    def needs(self) -> tuple[Kernel, ...]:
        return self.kernels

    def used_weights(self) -> tuple[float, ...]:
        """Return the weight of each kernel, given or learnt; NotFittedError before `fit`."""
        if self.learns_itself:
            if self._learnt is None:
                self.require_fitted("used_weights")
            learnt: tuple[float, ...] = self.state
            return learnt
        if isinstance(self.weights, tuple):
            return self.weights
        return (1.0 / len(self.kernels),) * len(self.kernels)

    def checked_rows(self, X: Any) -> Array:
        rows = X
        for kernel in self.kernels:  # a kernel may refuse rows that another accepts
            rows = rows if kernel.reads == "any" else kernel.checked_rows(rows)
        return np.asarray(rows) if isinstance(rows, list) else rows

    def _mixed(self, values: Sequence[Array]) -> Array:
        return np.asarray(sum(w * K for w, K in zip(self.used_weights(), values, strict=True)))

    def gram(self, X: Array, Y: Array | None) -> Array:
        return self._mixed([kernel.gram(X, Y) for kernel in self.kernels])

    def gram_diag(self, X: Array) -> Array:
        return self._mixed([kernel.gram_diag(X) for kernel in self.kernels])

    def fit_rows(self, X: Array, y: Array | None) -> Self:
        fitted: Self = self.fold_rows(X, None, y).kernel
        return fitted

    def fold_rows(self, train: Array, test: Array | None, y: Array | None, shared: Shared | None = None) -> Fold:
        parts = [folded(kernel, train, test, y, shared) for kernel in self.kernels]
        fitted = self.with_fields({"kernels": tuple(part.kernel for part in parts)})
        if self.learns_itself and self._learnt is None:
            fitted = fitted.with_state(self._aligned([part.K for part in parts], y))
        K = fitted._mixed([part.K for part in parts])
        if test is None:
            return Fold(fitted, K, None, None)
        new = [(part.K_star, part.k_diag) for part in parts if part.K_star is not None and part.k_diag is not None]
        return Fold(fitted, K, fitted._mixed([a for a, _ in new]), fitted._mixed([d for _, d in new]))

    def _aligned(self, matrices: Sequence[Array], y: Array | None) -> tuple[float, ...]:
        if y is None:
            raise NotFittedError(
                "Mixture: the labels of the training rows are missing; expected y, since weights='alignment' learns "
                "from them, got none. Next: kernel.fold(train, test, y) or kernel.fit(train, y)."
            )
        targets = read_labels(y, owner="Mixture").targets
        weights = aligned_weights(matrices, targets.reshape(len(targets), -1))
        if not weights.any():
            raise DegenerateError(
                f"Mixture: none of the {len(matrices)} kernels is aligned with the labels of the {len(targets)} "
                "training rows; expected one with a centred alignment above 0. Choose other kernels, or give weights."
            )
        return tuple(weights.tolist())

    def bind_rows(self, rows: Array, memo: Memo) -> Kernel:
        if self not in memo:
            bound = self.with_children(lambda kernel: kernel.bind_rows(rows, memo))
            memo[self] = made("look-up")(self, bound.gram(np.arange(len(rows)), None)) if bound.fitted else bound
        return memo[self]  # type: ignore[no-any-return]


def aligned_weights(matrices: Sequence[Array], targets: Array) -> Array:
    r"""Return weights ≥ 0 of sum 1 with which Σ_k w_k K_k has the largest centred alignment with the targets.

    .. math:: w \propto \arg\min_{v \ge 0} v^\top M v - 2 v^\top a,\quad
        M_{kl} = \langle K_k^c, K_l^c\rangle_F,\quad a_k = \langle K_k^c, YY^\top\rangle_F

    A non-negative least squares problem with one solution up to kernels that agree; all weights are 0 where no kernel
    is aligned with the targets. Parameters: `matrices` (n, n) each; `targets` Y (n, c).
    Reference: Cortes, Mohri, Rostamizadeh, JMLR 13, 2012, proposition 9 (ALIGNF).

    >>> y = np.array([[1.0], [1.0], [-1.0], [-1.0]])
    >>> aligned_weights([y @ y.T, np.eye(4)], y).round(3)
    array([1., 0.])
    """
    from scipy.optimize import nnls

    Y = targets - targets.mean(axis=0)
    centred = [K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean() for K in matrices]
    sizes = np.array([np.linalg.norm(K) for K in centred])
    whole = np.array([np.linalg.norm(K) for K in matrices])
    useful = sizes > 1e-12 * whole  # of a constant matrix only rounding is left
    weights = np.zeros(len(centred))
    units = [K / size for K, size, known in zip(centred, sizes, useful, strict=True) if known]
    if not units:
        return weights
    M = np.array([[float(np.vdot(A, B)) for B in units] for A in units])
    a = np.array([float((Y * (A @ Y)).sum()) for A in units])
    s, V = np.linalg.eigh(M)
    root = np.sqrt(np.maximum(s, 1e-12 * s[-1]))
    found, _ = nnls(root[:, None] * V.T, (V.T @ a) / root)
    weights[useful] = found / sizes[useful]
    total = float(weights.sum())
    return weights / total if total > 0 else weights
