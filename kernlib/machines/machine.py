"""The base class of machines: fit on a Gram matrix, decide and predict for new rows."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..analysis.matrix import Checked, finite, looked_at, symmetric
from ..errors import DataError, NotFittedError
from ..values.arrays import Array, Factor, unmasked
from ..values.declare import Declared
from ..values.labels import AskedTask, Labels, read_labels


@dataclass(frozen=True, repr=False)
class Machine(Declared):
    """A learner over Gram matrices: a frozen value; `fit` returns a fitted copy.

    Equality, hash and repr use the parameters alone, not the fitted state.
    A machine implements `_learn` (K and labels to a fitted state) and `_decide` (the state and K* to decisions), and
    for a `Factor` `_learn_factor` and `_decide_factor`, which allocate no (n, n) matrix.
    """

    label: ClassVar[str]
    task: ClassVar[tuple[str, ...]] = ("classification",)
    needs_diag: ClassVar[bool] = False
    #: Parameters that only matter for real targets.
    regression_only: ClassVar[tuple[str, ...]] = ()

    _labels: Labels | None = field(default=None, init=False, repr=False, compare=False)
    _learnt: Any = field(default=None, init=False, repr=False, compare=False)
    #: Columns of the factor in `fit`; None for a Gram matrix.
    _rank: int | None = field(default=None, init=False, repr=False, compare=False)

    def fit(self, K: ArrayLike | Checked | Factor, y: ArrayLike | Labels, *, task: AskedTask = "auto") -> Self:
        """Return a copy fitted to the training rows.

        Parameters: `K` (n, n) Gram matrix of the training rows, or a `Factor` of it; `y` (n,) classes, or real
        targets for a machine whose `task` includes "regression", decided by `are_classes` unless `task` says so.
        To fit many machines to the same rows, pass `looked_at(K)` and `labels_` of the first: both are checked once.
        Raises DataError for a K that is not square, symmetric and finite, for a single class, and for real targets
        that the machine does not accept.
        """
        name = type(self).__name__
        short = isinstance(K, Factor)
        checked = looked_at(K.rows, f"{name}.fit", "F") if isinstance(K, Factor) else looked_at(K, f"{name}.fit")
        if not short:
            symmetric(checked, f"{name}.fit")
        labels = read_labels(y, task, len(checked), f"{name}.fit")
        if labels.task not in self.task:
            raise DataError(
                f"{name}.fit: y must be class labels; got real targets such as {labels.targets[0]:.6g}. "
                "Use KernelRidge or KernelPCARegression, or pass task='classification'."
            )
        learnt = self._learn_factor(checked.matrix, labels) if short else self._learn_checked(checked, labels)
        rank = checked.matrix.shape[1] if short else None
        # Not dataclasses.replace, which would validate every parameter again in every fold.
        fitted = object.__new__(type(self))
        fitted.__dict__.update(self.__dict__, _labels=labels, _learnt=learnt, _rank=rank)
        return fitted

    def decision(self, K_star: ArrayLike | Checked | Factor, k_diag: ArrayLike | None = None) -> Array:
        """Return decision values of new rows: (m,), positive for classes_[1], or (m, classes); real targets (m,).

        Parameters: `K_star` (m, n), new rows against the training rows, or a `Factor` of the new rows for a machine
        fitted on a factor; for many machines `looked_at(K_star)`; `k_diag` (m,), k(x, x) of the new rows, for machines
        with `needs_diag`; a factor contains it.
        Raises NotFittedError before fit, DataError for shapes that do not fit.
        """
        name = type(self).__name__
        labels = self._fitted_labels()
        if isinstance(K_star, Factor) or self._rank is not None:
            return self._decide_factor(self._learnt, labels, self._short_rows(K_star))
        rows = finite(K_star, f"{name}.decision", "K_star")
        n = len(labels.targets)
        if rows.shape[1] != n:
            raise DataError(
                f"{name}.decision: K_star must have one column for each of the {n} training rows; "
                f"got shape {rows.shape}. Pass k(new rows, training rows)."
            )
        diagonal: Array | None = None
        if self.needs_diag:
            diagonal = np.asarray(None if k_diag is None else unmasked(k_diag))
            if diagonal.dtype.kind not in "fiub" or diagonal.shape != (len(rows),) or not np.isfinite(diagonal).all():
                got = "None" if k_diag is None else f"{diagonal.dtype} of shape {diagonal.shape}"
                raise DataError(
                    f"{name}.decision: k_diag must be one finite k(x, x) for each of the {len(rows)} rows of "
                    f"K_star, as distances need it; got {got}. Pass k_diag=k.diag(new rows)."
                )
            diagonal = diagonal.astype(np.float64, copy=False)
        return self._decide(self._learnt, labels, rows, diagonal)

    def _short_rows(self, K_star: object) -> Array:
        name = type(self).__name__
        if not isinstance(K_star, Factor) or K_star.rank != self._rank:
            on = "a Gram matrix" if self._rank is None else f"a factor of {self._rank} columns"
            given = f"a factor of {K_star.rank} columns" if isinstance(K_star, Factor) else type(K_star).__name__
            raise DataError(
                f"{name}.decision: the machine was fitted on {on}; expected new rows in the same form, got {given}. "
                "Pass Factor(kernel.factor(new rows)) after fit(Factor(kernel.factor(rows)), y)."
            )
        return finite(K_star.rows, f"{name}.decision", "F_star")

    def predict(self, K_star: ArrayLike | Checked | Factor, k_diag: ArrayLike | None = None) -> NDArray[Any]:
        """Return labels (m,) of new rows, or real values (m,); parameters and exceptions as in `decision`."""
        return self.labels_of(self.decision(K_star, k_diag))

    def labels_of(self, decision: Array) -> NDArray[Any]:
        """Return the labels of decision values, so that decisions and labels need one evaluation."""
        return self._fitted_labels().decode(decision)

    def describe(self, chosen: Mapping[str, str] | None = None) -> str:
        """Return the machine as text, with its parameters; `chosen` maps a
        parameter to the text that replaces its value.

        >>> from kernlib.machines import SVM
        >>> SVM(C=10.0, scale="spread").describe()
        'support vector machine, C = 10 in units of 1/spread'
        >>> SVM(scale="spread").describe({"C": "tuned"})
        'support vector machine, C tuned in units of 1/spread'
        """
        numbers = []
        for p in self.parameters():
            value, unit = getattr(self, p.name), self.unit_of(p.name)
            if chosen and p.name in chosen:
                numbers.append(f"{p.name} {chosen[p.name]}" + (f" in {unit}" if unit else ""))
            elif isinstance(value, int | float) and not isinstance(value, bool):
                number = "∞" if value == math.inf else f"{value:g}"
                numbers.append(f"{p.name} = {number}" + (f" in {unit}" if unit and value != math.inf else ""))
            elif isinstance(value, str) and (p.kind != "choice" or value == "balanced"):
                numbers.append(f"{p.name} = {value}".replace("_", " "))
        return ", ".join([self.label, *numbers])

    @property
    def classes_(self) -> NDArray[Any] | None:
        """Return the sorted class labels, None for real targets; NotFittedError before fit."""
        return self._fitted_labels().classes

    @property
    def labels_(self) -> Labels:
        """Return the checked labels of the training rows; NotFittedError before fit."""
        return self._fitted_labels()

    def _fitted_labels(self) -> Labels:
        if self._labels is None:
            raise NotFittedError(
                f"{self!r}: must be fitted before it can decide; got no training rows. "
                "Call fit(K, y) and use the machine that it returns."
            )
        return self._labels

    def _learn(self, K: Array, labels: Labels) -> Any:
        raise NotImplementedError

    def _learn_checked(self, K: Checked, labels: Labels) -> Any:
        """Return the fitted state from a checked K, whose properties are shared by several machines."""
        return self._learn(K.matrix, labels)

    def _decide(self, learnt: Any, labels: Labels, K_star: Array, k_diag: Array | None) -> Array:
        raise NotImplementedError

    def _learn_factor(self, F: Array, labels: Labels) -> Any:
        """Return the state of `_learn` for K = F F', computed from F, (n, r)."""
        raise NotImplementedError

    def _decide_factor(self, learnt: Any, labels: Labels, F_star: Array) -> Array:
        """Return the decisions of `_decide` for K* = F* F', computed from F*, (m, r).

        A state with one weight per column of F decides on F* as a state with one per row decides on K*.
        """
        return self._decide(learnt, labels, F_star, None)


#: Rows whose pairs all are compared: a matrix of 800 MB.
_PAIRS = 10_000


class DistanceMachine(Machine):
    """A machine of distances in feature space, which needs all pairs of training rows: K = F F' of a factor, too."""

    needs_diag = True

    def _learn_factor(self, F: Array, labels: Labels) -> tuple[Array, ...]:
        if len(F) > _PAIRS:
            raise DataError(
                f"{type(self).__name__}.fit: it compares all pairs of training rows; expected at most {_PAIRS:,} rows, "
                f"got {len(F):,}. Take a sample, or another machine."
            )
        return F, *self._learn(F @ F.T, labels)

    def _decide_factor(self, learnt: Any, labels: Labels, F_star: Array) -> Array:
        F, *state = learnt
        return self._decide(state, labels, F_star @ F.T, Factor(F_star).diagonal)


def class_columns(scores: Array) -> Array:
    """Return scores (m, classes) as decision values: for two classes the difference of the columns."""
    if scores.shape[1] == 2:
        difference: Array = scores[:, 1] - scores[:, 0]
        return difference
    return scores


def starting_machine(cls: type[Machine], task: str = "", measure: str = "") -> Machine:
    """Return a machine of this class with suggested parameters for a task and a measure.

    C = 10 on the scale of the kernel's spread suits kernels of any size: strings and graphs whose k(x, x) is far from 1
    as well as rows on a sphere. Real targets may lie far from 0 and are centred; a ridge of one size suits no two
    kernels, and is chosen by leave-one-out.

    >>> from kernlib.machines import SVM
    >>> starting_machine(SVM)
    SVM(C=10.0, scale='spread')
    """
    names = {p.name for p in cls.parameters()}
    scaled: dict[str, object] = {"C": 10.0, "scale": "spread"} if "scale" in names else {}
    scaled |= {"ridge": "leave-one-out"} if "ridge" in names else {}
    scaled |= {"class_weight": "balanced"} if "class_weight" in names and measure == "balanced error" else {}
    centred = dict.fromkeys(cls.regression_only, True) if task == "regression" else {}
    return cls(**scaled, **centred)
