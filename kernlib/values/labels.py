"""Label vectors as classes or real targets, and the errors of predicting them on halves of the rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import DataError, ParameterError
from .arrays import Array, label_vector

Task = Literal["classification", "regression"]
#: The task that a caller passes; "auto": the values decide.
AskedTask = Literal["auto", "classification", "regression"]

#: Whole numbers that stand for classes have at most this many different values, unless each has ten rows.
_MOST = 20


def are_classes(y: ArrayLike) -> bool:
    """Return whether labels are classes rather than real targets: one rule for all dtypes.

    Words and booleans are classes. Numbers are classes when all are whole and

    - there are two different ones at most; or
    - they are 0…c−1 or 1…c without a gap, c ≤ 20 or ten rows for each on average; or
    - at most 20 are different, with two rows for each on average.

    All other numbers are targets: 1.0, 2.0, 3.0 are the classes 1, 2 and 3 whether they come from a list, a CSV or an
    array of floats; 0.5 and 1.5 are targets. ``task="regression"`` overrides the rule.

    >>> are_classes([1.0, 2.0, 3.0, 2.0]), are_classes(["a", "b"]), are_classes([-1, 1])
    (True, True, True)
    >>> are_classes([0.5, 1.5]), are_classes([31, 45, 52, 38]), are_classes(range(1000))
    (False, False, False)
    """
    values = np.asarray(y)
    if values.dtype.kind == "O":
        values = np.asarray(values.tolist())
    if values.dtype.kind not in "iuf":
        return True
    different = np.unique(values)
    if different.dtype.kind == "f" and not (np.isfinite(different).all() and (different == np.round(different)).all()):
        return False
    c, rows = len(different), values.size
    if c <= 2:
        return True
    gapless = different[0] in (0, 1) and different[-1] == different[0] + (c - 1)
    return bool(gapless and (c <= _MOST or c <= rows / 10)) or (c <= _MOST and c <= rows / 2)


@dataclass(frozen=True)
class Labels:
    """Labels as numbers: `targets` is y itself (real), ±1 (two classes) or one-hot (more).

    `classes` are the sorted distinct labels and `codes` the place of each row's label among them;
    both are None for real labels. In the ±1 coding classes[1] is +1.
    """

    task: Task
    targets: Array
    classes: NDArray[Any] | None = None
    codes: NDArray[np.intp] | None = None

    @property
    def counts(self) -> NDArray[np.intp]:
        """Return how many rows each class has, in the order of `classes`."""
        if self.codes is None:
            raise DataError("Real labels have no classes to count; read them with task='classification'.")
        return np.bincount(self.codes)

    def less_mean(self) -> tuple[Labels, float]:
        """Return real targets less their mean, and the mean; classes as they are, and 0.

        >>> read_labels([1.5, 2.5]).less_mean()[1]
        2.0
        """
        if self.task == "classification":
            return self, 0.0
        mean = float(self.targets.mean())
        targets = self.targets - mean
        # What is left of a constant is rounding.
        if np.abs(targets).max() <= 4 * np.finfo(float).eps * abs(mean):
            targets = np.zeros_like(targets)
        return replace(self, targets=targets), mean

    def decode(self, decision: Array) -> NDArray[Any]:
        """Return the label that each decision value, (m,) or (m, classes), stands for; reals pass through."""
        if self.classes is None:
            return decision
        picked = np.argmax(decision, axis=1) if decision.ndim == 2 else (decision > 0).astype(np.intp)
        decoded: NDArray[Any] = self.classes[picked]
        return decoded


def read_labels(
    y: ArrayLike | Labels, task: AskedTask = "auto", rows: int | None = None, owner: str = "labels"
) -> Labels:
    """Return labels from a vector of classes or real targets; `Labels` are returned unchanged.

    "auto" decides by `are_classes`.

    Parameters: `y` (n,); `rows` the expected n; `owner` the name that error texts begin with.
    Raises DataError for a wrong shape, missing values or a single class.

    >>> read_labels(["b", "a", "b"]).targets
    array([ 1., -1.,  1.])
    >>> read_labels([0.5, 1.5, 2.0]).task
    'regression'
    """
    if isinstance(y, Labels):
        if rows in (None, len(y.targets)):
            return y
        y = y.targets
    if task not in get_args(AskedTask):
        raise ParameterError(
            f"{owner}: task must be one of 'auto', 'classification', 'regression'; got {task!r}. Try task='auto'."
        )
    values = label_vector(y, rows, owner)
    if task == "regression" and values.dtype.kind not in "iufb":
        raise DataError(
            f"{owner}: real labels must be numbers; got {values.tolist()[0]!r}. Use task='classification' for classes."
        )
    if task == "regression" or (task == "auto" and not are_classes(values)):
        return Labels("regression", values.astype(np.float64))
    classes, codes = np.unique(values, return_inverse=True)
    if len(classes) < 2:
        raise DataError(
            f"{owner}: y must have at least two classes; got 1 class, {classes[0].item()!r}, "
            f"in all {len(values)} rows. Choose rows of both classes, or a stratified split."
        )
    if len(classes) == 2:
        targets: Array = np.where(codes == 1, 1.0, -1.0)
    else:
        targets = np.zeros((len(values), len(classes)))
        targets[np.arange(len(values)), codes] = 1.0
    return Labels("classification", targets, classes, codes)


#: A test error above this share of chance counts as guessing, one below `_PARTLY` as having learnt something.
_GUESSING, _PARTLY = 0.8, 0.5


@dataclass(frozen=True)
class HalvesErrors:
    """The result of `errors_on_halves`: one machine, trained on each of the same halves and tested on the others.

    `tests` and `trainings` are the errors on the test and training rows of each split, by the measure called `measure`
    ("error", "balanced error" or "unexplained variance"); `chance` is that of guessing without the rows; `n` rows in
    all, of which `trained` train a machine, on average. `transductive` says that the kernel has seen the test rows,
    without their labels; `constant` that every machine decides for one class; `machine` is the label of another machine
    than that of the protocol.
    """

    task: Literal["classification", "regression"]
    measure: str
    tests: tuple[float, ...]
    trainings: tuple[float, ...]
    chance: float
    n: int
    trained: int
    transductive: bool = False
    constant: bool = False
    machine: str = ""

    @property
    def test(self) -> float:
        """Return the mean error on the test rows."""
        return sum(self.tests) / len(self.tests)

    @property
    def training(self) -> float:
        """Return the mean error on the training rows."""
        return sum(self.trainings) / len(self.trainings)

    @property
    def by(self) -> str:
        """Return the machine as the subject of a sentence.

        >>> HalvesErrors("classification", "error", (0.4,), (0.0,), 0.5, 40, 20, machine="kernel density").by
        'the machine (kernel density)'
        """
        if self.machine:
            return f"the machine ({self.machine.partition(' (')[0]})"
        return "ridge regression" if self.task == "regression" else "a support vector machine"

    @property
    def verdict(self) -> Literal["memorises", "does not learn", "learns in part", "learns"]:
        """Return what both errors mean beside that of guessing.

        >>> HalvesErrors("classification", "error", (0.4, 0.5), (0.0, 0.0), 0.5, 40, 20).verdict
        'memorises'
        """
        if self.test >= _GUESSING * self.chance:
            return "memorises" if self.training < 0.5 * self.test else "does not learn"
        return "learns in part" if self.test >= _PARTLY * self.chance else "learns"
