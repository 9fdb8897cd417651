"""How far the landmarks of a run's kernels are from the kernels that they stand for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..algebra import Product, Sum
from ..base import Kernel
from ..blas import one_blas_thread
from ..data import Dataset
from ..errors import KernlibError
from ..steps import RowStep, Wrapper, normal_form
from ..values.arrays import Array
from ..wrappers import Nystrom
from ..wrappers.landmarks import LandmarkError
from .folds import REFERENCE, parts
from .runs import single_runs
from .spec import RunSpec
from .sweep import labels_of, matching

__all__ = ["landmark_error", "landmark_errors"]


def landmark_error(kernel: Kernel, X: Any, y: Any = None, seed: int = 0) -> LandmarkError | None:
    """What the landmarks in a kernel cost on rows X, which it is fitted on if it is not yet; None without landmarks.

    Of several approximations in one kernel the worst. Raises what the kernel raises.

    >>> from kernlib import RBF
    >>> X = np.linspace(0.0, 3.0, 50)[:, None]
    >>> landmark_error(RBF(), X) is None, landmark_error(Nystrom(RBF(), landmarks=5), X).landmarks
    (True, 5)
    """
    form = normal_form(kernel)
    labels = None if y is None else np.asarray(y)
    steps = [(s if s.fitted else s._fit(rows, labels), rows) for s, rows in _steps(form, form._rows(X), labels)]
    found = [step.error(rows, seed) for step, rows in steps]
    return max(found, key=lambda error: error.relative, default=None)


def _steps(kernel: Kernel, rows: Array, y: Array | None) -> Iterator[tuple[Nystrom, Array]]:
    """Every approximation that reads whole rows, with the rows as it reads them."""
    if isinstance(kernel, Nystrom):
        yield kernel, rows
    elif isinstance(kernel, RowStep):
        yield from _steps(kernel.kernel, kernel._taught(rows, y)._map(rows), y)
    elif isinstance(kernel, Wrapper | Sum | Product):
        for child in kernel.children:
            yield from _steps(child, rows, y)


def landmark_errors(spec: RunSpec, data: Dataset | None = None) -> dict[Any, LandmarkError]:
    """The error of the landmarks by value of the axis, on the training part of the first split; empty without any.

    Values whose kernel cannot be fitted there are left out. Of a run over several data sets, the first one's.
    Raises as `sweep`.

    >>> from kernlib import RBF
    >>> from kernlib.experiments import Axis
    >>> spec = RunSpec("iris", Nystrom(RBF()), axis=Axis("kernel.landmarks", (5, 40)))
    >>> found = landmark_errors(spec)
    >>> found[40].relative < found[5].relative
    True
    """
    one = single_runs(spec)[0].spec
    data = matching(one, data if one.parameters == spec.parameters else None)
    y, task = labels_of(data)
    kernels = {value: one.at(value)[0] for value in one.values}
    if one.reference is not None:
        kernels[REFERENCE] = one.reference
    train = next(parts(one, y, task, data)).train
    known: dict[Kernel, LandmarkError | None] = {}
    errors = {}
    with one_blas_thread():
        for value, kernel in kernels.items():
            if kernel not in known:
                try:
                    known[kernel] = landmark_error(kernel, data.inputs[train], y[train])
                except KernlibError:  # the run's own results say so
                    known[kernel] = None
            error = known[kernel]
            if error is not None:
                errors[value] = error
    return errors
