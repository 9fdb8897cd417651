"""The decisions on all test rows at one value of the axis: the input of ROC, precision–recall and confusion."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...analysis.outcomes import (
    Confusion,
    RocCurve,
    confusion,
    roc_curves,
)
from ...data import Dataset
from ...errors import DataError, ParameterError
from ...numerics.blas import one_blas_thread
from ...values.arrays import Array
from ..memory import bytes_needed, check_memory
from ..spec import RunSpec
from .folds import REFERENCE, FoldResult, Part, Setting, groups, parts, run
from .single import require_single
from .sweep import labels_of, matching


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


def decisions(
    spec: RunSpec,
    data: Dataset | None = None,
    value: Any = None,
    *,
    cancelled: Callable[[], bool] = lambda: False,
) -> Decisions:
    """Return the test decisions of every split at `value`, computed as the sweep computes them.

    Parameters: `value`, one of the spec's values or REFERENCE; the others as in `sweep`.
    Raises ParameterError for a value that is not on the axis, DataError where every fold failed,
    and what `sweep` raises.
    """
    require_single(spec, "decisions")
    data = matching(spec, data)
    y, task = labels_of(data)
    if value == REFERENCE and spec.reference is not None:
        pass
    elif value not in spec.values:
        raise ParameterError(f"decisions: value must be one of {spec.values!r:.200}; got {value!r}.")
    group, number = next((g, i) for g in groups(spec) for i, p in enumerate(g.points) if p.value == value)
    setting = Setting.of(spec, task, data.groups)
    only = group.only([number])
    first = next(parts(spec, y, task, data))
    check_memory(bytes_needed([only], data.n, len(first.train), len(first.test)), data.n)
    folds: list[FoldResult] = []
    kept: list[tuple[Array, Array, Array, int]] = []
    with one_blas_thread():
        bound = only.bind(data.inputs, {})
        for part in parts(spec, y, task, data):
            if cancelled():
                break

            def keep(_: Any, predicted: Array, decision: Array, part: Part = part) -> None:
                kept.append((part.test, predicted, decision, part.number))

            folds += run(bound, (0,), part, setting, y, cancelled, keep)
    if not kept:
        why = next((f.problem for f in folds if f.problem), "the run was cancelled before its first fold")
        raise DataError(f"decisions: no split has a result; {why}")
    tests, predicted, decided, numbers = zip(*kept, strict=True)
    rows = np.concatenate(tests)
    return Decisions(
        value=value,
        y=y[rows],
        predicted=np.concatenate(predicted),
        decision=np.concatenate(decided),
        row=rows,
        split=np.repeat(numbers, [len(test) for test in tests]),
        classes=tuple(data.classes) if data.task == "classification" else (),
        folds=tuple(folds),
    )
