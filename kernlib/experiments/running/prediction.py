"""Predict new rows by a machine that is trained on all rows of a data set."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...analysis.outcomes import probabilities_of
from ...core.base import Kernel
from ...core.folding import factored
from ...core.steps import normal_form
from ...data import Dataset
from ...errors import DataError, TransductiveError
from ...machines import KernelLogisticRegression, Machine
from ...numerics.blas import one_blas_thread
from ...values.arrays import Array
from ...values.words import inert_cell
from .folds import AnyFold
from .sweep import labels_of


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
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        shown = {"row": self.ids, **self.columns()}
        writer.writerow([inert_cell(name) for name in shown])
        for line in zip(*shown.values(), strict=True):
            writer.writerow([inert_cell(cell) if isinstance(cell, str) else repr(cell) for cell in line])
        return out.getvalue()


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
