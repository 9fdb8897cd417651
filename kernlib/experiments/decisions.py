"""Decisions on rows that a machine has not seen: the test rows of a run, and new rows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..analysis.outcomes import Confusion, RocCurve, confusion, probabilities_of, roc_curves
from ..core.base import Kernel
from ..core.folding import factored
from ..core.steps import normal_form
from ..data import Dataset
from ..errors import DataError, ParameterError, TransductiveError
from ..machines import KernelLogisticRegression, Machine
from ..numerics.workers import one_blas_thread
from ..values.arrays import Array
from ..values.words import inert_cell
from .folds import REFERENCE, AnyFold, FoldResult, Part
from .spec import RunSpec
from .sweep import labels_of, matching, require_single, sweep


@dataclass(frozen=True, eq=False)
class Decisions:
    """The test rows of all splits, one split after another; a row that several splits test occurs several times.

    Parameters: `value` of the axis; `y` (m,) true codes or real values, `predicted` (m,), `decision`
    (m,) or (m, classes), `row` (m,) row numbers of the data, `split` (m,) numbers of the splits;
    `classes` the names of the codes; `folds` the results of the splits, as the sweep gives them.
    """

    value: Any
    y: Array
    predicted: Array
    decision: Array
    row: Array
    split: Array
    classes: tuple[str, ...]
    folds: tuple[FoldResult, ...]

    @property
    def scores(self) -> Array:
        """Return the decision for the second of two classes, (m,); (m, classes) for more."""
        two = self.decision.ndim == 2 and self.decision.shape[1] == 2
        return self.decision[:, 1] - self.decision[:, 0] if two else self.decision

    def confusion(self, threshold: float | None = None) -> Confusion:
        """Return how often each class was predicted as each; DataError for real targets.

        With a `threshold`, the second of two classes is predicted from this decision on.
        """
        self._need_classes("confusion")
        if threshold is None or len(self.classes) != 2:
            return confusion(self.y, self.predicted, self.classes)
        return confusion(self.y, (self.scores >= threshold).astype(np.int64), self.classes)

    def roc_curves(self) -> tuple[RocCurve, ...]:
        """Return one curve for two classes, otherwise one per class against the rest.

        Raises DataError for real targets, or where the test rows are of one class.

        >>> from kernlib import RBF
        >>> from kernlib.protocols import RepeatedSplits
        >>> values = decisions(RunSpec("breast-cancer-10", RBF(sigma="median"), protocol=RepeatedSplits(repeats=2)))
        >>> [curve.area > 0.9 for curve in values.roc_curves()]
        [True]
        """
        self._need_classes("roc_curves")
        return roc_curves(self.y, self.decision, self.classes)

    def _need_classes(self, owner: str) -> None:
        if not self.classes:
            raise DataError(f"Decisions.{owner}: expected classes; got real targets. Use the squared error.")


def decisions(spec: RunSpec, data: Dataset | None = None, value: Any = None) -> Decisions:
    """Return the test decisions of every split at `value`, computed as the sweep computes them.

    Parameters: `value`, one of the spec's values or REFERENCE; the others as in `sweep`.
    Raises ParameterError for a value that is not on the axis, DataError where every fold failed,
    and what `sweep` raises.
    """
    require_single(spec, "decisions")
    if value not in spec.values and (value != REFERENCE or spec.reference is None):
        raise ParameterError(f"decisions: value must be one of {spec.values!r:.200}; got {value!r}.")
    data = matching(spec, data)
    kept: list[tuple[Array, Array, Array, int]] = []

    def keep(_: Any, part: Part, predicted: Array, decision: Array) -> None:
        kept.append((part.test, predicted, decision, part.number))

    folds = [replace(fold, value=value) for fold in sweep(spec.only(value), data, keep=keep)]
    if not kept:
        why = next((f.problem for f in folds if f.problem), "its measure trains no machine")
        raise DataError(f"decisions: no split has a result; {why}")
    tests, predicted, decided, numbers = zip(*kept, strict=True)
    rows = np.concatenate(tests)
    return Decisions(
        value=value,
        y=labels_of(data)[0][rows],
        predicted=np.concatenate(predicted),
        decision=np.concatenate(decided),
        row=rows,
        split=np.repeat(numbers, [len(test) for test in tests]),
        classes=tuple(data.classes) if data.task == "classification" else (),
        folds=tuple(folds),
    )


@dataclass(frozen=True, eq=False)
class Predictions:
    """New rows with what a machine predicts.

    Parameters: `ids` (m,) names of the rows; `predicted` (m,) class names, or real values; `probability` (m, classes)
    by kernel logistic regression of the same C, or None; `classes`, the names of its columns.
    """

    ids: tuple[str, ...]
    predicted: tuple[str, ...] | tuple[float, ...]
    probability: Array | None
    classes: tuple[str, ...]

    def columns(self) -> dict[str, Sequence[Any]]:
        """Return the columns of a table: the prediction, and the probability of each class."""
        shown: dict[str, Sequence[Any]] = {"predicted": self.predicted}
        if self.probability is not None:
            shown |= {f"probability of {name}": self.probability[:, c].tolist() for c, name in enumerate(self.classes)}
        return shown

    def to_csv(self) -> str:
        """Return one CSV line per row, with all digits."""
        from pandas import DataFrame

        shown = {"row": self.ids, **self.columns()}
        cells = {
            inert_cell(name): [inert_cell(cell) if isinstance(cell, str) else cell for cell in column]
            for name, column in shown.items()
        }
        text: str = DataFrame(cells).to_csv(index=False, lineterminator="\n")
        return text


def predict_rows(kernel: Kernel, machine: Machine, data: Dataset, new: Dataset) -> Predictions:
    """Return the predictions of new rows, by the kernel and the machine trained on all rows of `data`.

    Kernel and machine learn from `data` alone: no new row has an influence on another one. For classes and a machine
    with a finite C, kernel logistic regression of the same C gives the probabilities.

    Parameters: `new`, rows of the same kind, see `kernlib.data.new_rows`; its labels are not read.
    Raises TransductiveError for a kernel that exists only for all rows at once, DataError for rows without labels and
    for rows of another kind, and what kernel and machine raise.

    >>> from kernlib import RBF
    >>> from kernlib.data import load_dataset
    >>> from kernlib.machines import SVM
    >>> data = load_dataset("iris")
    >>> print(predict_rows(RBF(sigma="median"), SVM(), data, data.take([0, 60])).to_csv()[:75])
    row,predicted,probability of setosa,probability of versicolor,probability o
    """
    if kernel.transductive:
        raise TransductiveError(
            f"predict_rows: {kernel!r:.200} exists only for all rows at once; expected a kernel with values for new "
            "rows. Remove that step."
        )
    if new.domain != data.domain:
        raise DataError(
            f"predict_rows: new rows must be {data.row_kind.called}, as the training rows; got {new.row_kind.called}. "
            "Choose another file."
        )
    y, task = labels_of(data)
    plain = normal_form(kernel.specification)
    with one_blas_thread():
        fold: AnyFold = (
            plain.fold(data.inputs, new.inputs, y)
            if not plain.has_factor
            else factored(plain, plain.checked_rows(data.inputs), plain.checked_rows(new.inputs), y)
        )
        assert fold.K_star is not None
        fitted = machine.fit(fold.K, y, task=task)
        predicted = fitted.predict(fold.K_star, fold.k_diag)
        if task == "regression":
            return Predictions(new.ids, tuple(map(float, predicted)), None, ())
        probability = None
        C = getattr(machine, "C", math.inf)
        if math.isfinite(C):
            scaled = {"scale": machine.scale} if hasattr(machine, "scale") else {}
            logistic = KernelLogisticRegression(C=C, **scaled).fit(fold.K, y, task=task)
            probability = probabilities_of(logistic.decision(fold.K_star, fold.k_diag))
    return Predictions(new.ids, tuple(data.classes[int(code)] for code in predicted), probability, tuple(data.classes))
