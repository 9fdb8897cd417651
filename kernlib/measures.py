"""Measures of a machine's predictions, and the improvement of one level over another."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .analysis.matrix import Checked
from .analysis.relevant import relevant_dimension, relevant_dimension_loo
from .errors import DataError
from .values.arrays import Array, Factor
from .values.labels import AskedTask, Labels


@dataclass(frozen=True)
class _Case:
    """Checked input of one measurement: codes 0…classes−1, or real values when `classes` is 0."""

    true: NDArray[Any]
    predicted: NDArray[Any]
    decision: Array | None
    classes: int


OfTraining = Callable[[Array | Checked | Factor, Array, AskedTask], float]


@dataclass(frozen=True)
class Measure:
    """A measure as a value: call it on labels, predictions and, for a ranking, decision values.

    `name` as in `MEASURES`; `label` for axes; `task`; `needs_decision`; `lower_is_better`; `low` and
    `high` its range; `two_classes_only`; `help` one line.
    """

    name: str
    label: str
    task: Literal["classification", "regression"]
    lower_is_better: bool
    help: str
    needs_decision: bool = False
    two_classes_only: bool = False
    low: float = 0.0
    high: float = 1.0
    #: For a measure of the training part: its value from the Gram matrix, the labels and the task, without a machine.
    of_training: OfTraining | None = field(default=None, repr=False, compare=False)
    #: Whether the machine is judged on its own training rows, where memorising looks perfect.
    on_training: bool = False
    _value: Callable[[_Case], float] = field(default=lambda case: math.nan, repr=False, compare=False)
    _chance: Callable[[Array], float] = field(default=lambda shares: math.nan, repr=False, compare=False)

    def __call__(
        self,
        y: ArrayLike,
        predicted: ArrayLike,
        decision: ArrayLike | None = None,
        classes: ArrayLike | None = None,
    ) -> float:
        """Return the value of the measure.

        Parameters: `y` (m,) true labels or real values; `predicted` (m,); `decision` (m,) positive for
        the second class, or (m, classes), needed if `needs_decision`; `classes` all class labels,
        sorted, as a machine's `classes_` (default: those in y). The positive class is the second.
        Raises DataError for lengths that differ, a missing decision, a class without rows in y whose rate is needed, or
        more than two classes for a measure of two.

        >>> MEASURES["error"](["a", "b", "b"], ["a", "a", "b"])
        0.3333333333333333
        """
        if self.of_training is not None:
            raise DataError(
                f"{self.name}: expected the Gram matrix of a training part; got predictions. Call "
                "measure.of_training(K, y, task)."
            )
        if self.task == "classification" and classes is None:
            classes = np.concatenate([np.ravel(y), np.ravel(predicted)])
        return self.on(y, classes)(predicted, decision)

    def on(self, y: ArrayLike, classes: ArrayLike | None) -> Callable[[ArrayLike, ArrayLike | None], float]:
        """Return the measure as a function of `predicted` and `decision` on rows whose labels are read once.

        Parameters (`classes` is required for classes) and exceptions as in a call of the measure.

        >>> error = MEASURES["error"].on([0, 1, 1], [0, 1])
        >>> error([0, 1, 1], None), error([1, 1, 1], None)
        (0.0, 0.3333333333333333)
        """
        true = np.asarray(y)
        known = None if self.task == "regression" else np.unique(np.asarray(classes))
        count = 0 if known is None else len(known)
        if self.two_classes_only and count > 2:
            raise DataError(
                f"{self.name}: expected two classes, because it ranks positives against negatives; got {count}. "
                "Use AUC, which averages one class against the rest, or balanced error."
            )
        codes = self._codes(true, known, "y")

        def value(predicted: ArrayLike, decision: ArrayLike | None) -> float:
            guessed = np.asarray(predicted)
            if true.ndim != 1 or true.shape != guessed.shape or not len(true):
                raise DataError(
                    f"{self.name}: y and predicted must be vectors of one length, at least 1; got shapes {true.shape} "
                    f"and {guessed.shape}. Measure the rows that were predicted."
                )
            scores = np.asarray(decision, dtype=np.float64) if self.needs_decision else None
            if scores is not None and scores.shape != ((len(true),) if count <= 2 else (len(true), count)):
                raise DataError(
                    f"{self.name}: expected decision, because it ranks rows, of shape ({len(true)},) for two classes "
                    f"or ({len(true)}, classes) for more; got {scores.shape} for {count} classes. "
                    "Pass machine.decision(K_star, k_diag)."
                )
            return self._value(_Case(codes, self._codes(guessed, known, "predicted"), scores, max(count, 2)))

        return value

    def _codes(self, values: NDArray[Any], known: NDArray[Any] | None, name: str) -> NDArray[Any]:
        """Return real values, or the place of every label among the known classes."""
        if known is None:
            return values.astype(np.float64)
        codes = np.searchsorted(known, values)
        if not (known[np.minimum(codes, len(known) - 1)] == values).all():
            raise DataError(
                f"{self.name}: {name} must hold the classes {known.tolist()}; got others among "
                f"{np.unique(values).tolist()}. Pass classes=machine.classes_."
            )
        return codes

    def chance(self, y: ArrayLike) -> float:
        """Return the score of guessing without the rows, for labels y: the baseline.

        For error and accuracy the guess is the most frequent class, for balanced error and AUC any; for precision,
        recall and F the largest of many classes, or all positive for two; for real values their mean, whose squared
        error is the variance of y, and whose share of it is 1.

        >>> MEASURES["error"].chance([0, 0, 0, 1])
        0.25
        """
        values = np.asarray(y)
        if self.name.endswith("squared error"):
            return float(np.var(values.astype(np.float64)))
        _, counts = np.unique(values, return_counts=True)
        return float(self._chance(counts / counts.sum()))


def _error(case: _Case) -> float:
    return int(np.count_nonzero(case.true != case.predicted)) / len(case.true)


def _balanced_error(case: _Case) -> float:
    counts = np.bincount(case.true, minlength=case.classes)
    wrong = np.bincount(case.true, weights=case.true != case.predicted, minlength=case.classes)
    present = counts > 0
    return float((wrong[present] / counts[present]).mean())


def _both_sides(case: _Case, name: str) -> Array:
    counts = np.bincount(case.true, minlength=case.classes)
    if not counts.all():
        raise DataError(
            f"{name}: y must hold rows of every class; got {counts.tolist()} rows per class. "
            "Use stratified splits, or larger test parts."
        )
    assert case.decision is not None
    return case.decision


def _auc(case: _Case) -> float:
    from sklearn.metrics import roc_auc_score

    decision = _both_sides(case, "AUC")
    if case.classes == 2:
        return float(roc_auc_score(case.true, decision))
    # One class against the rest, averaged: decision columns need not be probabilities.
    return float(np.mean([roc_auc_score(case.true == c, decision[:, c]) for c in range(case.classes)]))


def _precision_recall_f(place: int) -> Callable[[_Case], float]:
    def value(case: _Case) -> float:
        from sklearn.metrics import precision_recall_fscore_support

        labels = [1] if case.classes == 2 else list(range(case.classes))
        scores = precision_recall_fscore_support(
            case.true, case.predicted, labels=labels, average="macro", zero_division=0.0
        )
        return float(scores[place])

    return value


def _median_rfp(case: _Case) -> float:
    decision = _both_sides(case, "median RFP")
    return float(np.mean(decision[case.true == 0] >= np.median(decision[case.true == 1])))


def _squared_error(case: _Case) -> float:
    return float(np.mean((case.true - case.predicted) ** 2))


def _constant_guess(place: int) -> Callable[[Array], float]:
    """Return precision, recall or F of predicting one class for every row: the second of two, the largest of many."""

    def value(shares: Array) -> float:
        share = float(shares[-1]) if len(shares) == 2 else float(shares.max())
        score = (share, 1.0, 2 * share / (1 + share))[place]
        return score if len(shares) == 2 else score / len(shares)

    return value


def _unexplained(case: _Case) -> float:
    variance = float(np.var(case.true))
    if variance <= 0:
        raise DataError(
            f"unexplained variance: y must have two different values; got {len(case.true)} equal rows. Use larger test "
            "parts, or the squared error."
        )
    return _squared_error(case) / variance


_ALL: tuple[Measure, ...] = (
    Measure(
        "error",
        "error rate",
        "classification",
        True,
        "share of rows with the wrong label",
        _value=_error,
        _chance=lambda shares: float(1 - shares.max()),
    ),
    Measure(
        "accuracy",
        "accuracy",
        "classification",
        False,
        "share of rows with the right label",
        _value=lambda case: 1.0 - _error(case),
        _chance=lambda shares: float(shares.max()),
    ),
    Measure(
        "balanced error",
        "balanced error rate",
        "classification",
        True,
        "mean of the error rates of the classes: a rare class counts as much as a common one",
        _value=_balanced_error,
        _chance=lambda shares: 1 - 1 / len(shares),
    ),
    Measure(
        "AUC",
        "area under the ROC curve",
        "classification",
        False,
        "chance that a positive ranks above a negative; 0.5 is random, many classes one against the rest",
        needs_decision=True,
        _value=_auc,
        _chance=lambda shares: 0.5,
    ),
    Measure(
        "precision",
        "precision",
        "classification",
        False,
        "share of predicted positives that are positive; for many classes their mean",
        _value=_precision_recall_f(0),
        _chance=_constant_guess(0),
    ),
    Measure(
        "recall",
        "recall",
        "classification",
        False,
        "share of positives that are predicted positive; for many classes their mean",
        _value=_precision_recall_f(1),
        _chance=_constant_guess(1),
    ),
    Measure(
        "F",
        "F measure",
        "classification",
        False,
        "harmonic mean of precision and recall; for many classes their mean",
        _value=_precision_recall_f(2),
        _chance=_constant_guess(2),
    ),
    Measure(
        "median RFP",
        "median rate of false positives",
        "classification",
        True,
        "share of negatives that score at or above the median positive",
        needs_decision=True,
        two_classes_only=True,
        _value=_median_rfp,
        _chance=lambda shares: 0.5,
    ),
    Measure(
        "unexplained variance",
        "unexplained variance",
        "regression",
        True,
        "mean squared error as a share of the variance of the test targets, 1 − R²: 100% is as good as their mean",
        high=math.inf,
        _value=_unexplained,
        _chance=lambda shares: 1.0,
    ),
    Measure(
        "squared error",
        "mean squared error",
        "regression",
        True,
        "mean squared difference of prediction and target",
        high=math.inf,
        _value=_squared_error,
    ),
)

_ALL += tuple(
    replace(
        m,
        name=f"training {m.name}",
        label=f"{m.label} on the training rows",
        on_training=True,
        help=f"{m.help}, measured on the rows that the machine was trained on",
    )
    for m in _ALL
)


def _cut(fit: Callable[..., Any], field: str) -> OfTraining:
    return lambda K, y, task: float(getattr(fit(K, y, task=task), field))


_ALL += (
    Measure(
        "relevant dimension",
        "relevant dimension d̂",
        "classification",
        True,
        "directions of the training part's Gram matrix within which the labels lie",
        high=math.inf,
        of_training=_cut(relevant_dimension, "dimension"),
    ),
    Measure(
        "leave-one-out dimension",
        "dimension by leave-one-out",
        "classification",
        True,
        "the d that minimises the leave-one-out error of kernel PCA regression on the training part",
        high=math.inf,
        of_training=_cut(relevant_dimension_loo, "dimension"),
    ),
    Measure(
        "estimated error",
        "estimated noise",
        "classification",
        True,
        "share of training labels that the first d̂ directions contradict",
        of_training=_cut(relevant_dimension, "noise"),
    ),
)

MEASURES: dict[str, Measure] = {m.name: m for m in _ALL}

#: Predictions and decisions, by whether they are of the training rows; none where only K is measured.
Decided = dict[bool, tuple[Array, Array]]


class Judge:
    """Measure machines on one split by the measures of these names; its labels `train` and `test` are read once."""

    def __init__(self, train: Array, test: Array, names: Sequence[str], task: AskedTask) -> None:
        self.train, self.test, self.task = train, test, task
        self.measures = [MEASURES[name] for name in names]
        self.trained = [m for m in self.measures if m.of_training is None]
        self.labels: Array | Labels = train
        self.scores: dict[str, Callable[..., float]] = {}

    def __call__(
        self, machine: Any, K: Checked | Factor, K_star: Any, k_diag: Array | None
    ) -> tuple[dict[str, Any], Decided]:
        """Return a machine's scores, warning and whether it decides for one class, and its decisions."""
        more, decided = self._decided(machine, K, K_star, k_diag) if self.trained else ({}, {})
        score, *also = (
            self.scores[m.name](*decided[m.on_training])
            if m.of_training is None
            else m.of_training(K, self.train, self.task)
            for m in self.measures
        )
        return more | {"score": score, "also": tuple(also)}, decided

    def _decided(
        self, machine: Any, K: Checked | Factor, K_star: Any, k_diag: Array | None
    ) -> tuple[dict[str, Any], Decided]:
        fitted = machine.fit(K, self.labels, task=self.task)
        self.labels = fitted.labels_
        if not self.scores:
            rows = {m.name: self.train if m.on_training else self.test for m in self.trained}
            self.scores = {m.name: m.on(rows[m.name], fitted.classes_) for m in self.trained}
        decision = fitted.decision(K_star, k_diag)
        predicted = fitted.labels_of(decision)
        decided = {False: (predicted, decision)}
        if any(m.on_training for m in self.trained):
            on_training = fitted.decision(K, K.diagonal)
            decided[True] = fitted.labels_of(on_training), on_training
        warning = ""
        if not getattr(fitted, "converged_", True):
            warning = f"{machine!r}: the solver did not converge. Choose another C, or distrust the score."
        # To count the labels of the test rows and of the predictions in every fit took 5% of a sweep.
        same = fitted.labels_.codes is not None and bool((predicted == predicted[:1]).all())
        return {"warning": warning, "constant": same and len(set(self.test)) > 1}, decided


@dataclass(frozen=True)
class Improvement:
    """The improvement of the mean accuracies, the `spread` of the splits about it (one standard deviation), and the
    `count` of splits."""

    value: float
    spread: float
    count: int


def improvement_over_splits(a_j: ArrayLike, a_0: ArrayLike) -> Improvement:
    r"""Return the improvement of mean accuracies over paired splits, with its spread.

    .. math:: \theta = \frac{\bar a_j - \bar a_0}{1 - \bar a_0},\qquad
        \theta_i = \theta + \frac{a_{ij} - \bar a_j - (1-\theta)(a_{i0} - \bar a_0)}{1 - \bar a_0}

    Accuracies are averaged first: the mean of per-split ratios is another number, and does not exist where
    level 0 is perfect on one split. θ_i are the pseudo-values of the infinitesimal jackknife, whose mean is θ;
    the spread is their standard deviation (ddof = 1).

    Parameters: `a_j`, `a_0` (J,) accuracies on the same splits, best value 1.
    All nan without splits, or if ā_0 = 1: no improvement is possible. Raises DataError for lengths that differ.
    Reference: Wang 2011, chapter 3; Efron, The Jackknife, the Bootstrap and Other Resampling Plans, 1982, chapter 6.

    >>> improvement_over_splits([0.95, 0.95], [1.0, 0.9]).value
    0.0
    """
    later, first = np.asarray(a_j, dtype=np.float64), np.asarray(a_0, dtype=np.float64)
    if later.ndim != 1 or later.shape != first.shape:
        raise DataError(
            f"improvement_over_splits: a_j and a_0 must have one value for each split; got shapes {later.shape} and "
            f"{first.shape}. Measure both on the same splits."
        )
    count = len(later)
    # Accuracies are multiples of 1/m: a smaller remainder is rounding.
    room = 1.0 - float(first.mean()) if count else 0.0
    if room <= 1e-12:
        return Improvement(math.nan, math.nan, count)
    difference = float((later - first).mean())
    value = difference / room if abs(difference) > 1e-15 else 0.0
    pseudo = value + (later - later.mean() - (1 - value) * (first - first.mean())) / room
    return Improvement(value, float(pseudo.std(ddof=1)) if count > 1 else math.nan, count)
