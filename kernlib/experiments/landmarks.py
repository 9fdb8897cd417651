"""The approximation error of the landmarks in a run's kernels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import numpy as np

from ..core.algebra import Joined
from ..core.base import Kernel
from ..core.steps import RowStep, Wrapper, normal_form
from ..data import Dataset
from ..errors import KernlibError
from ..numerics.blas import one_blas_thread
from ..values.arrays import Array
from ..wrappers import Nystrom
from ..wrappers.landmarks import LandmarkAccuracy
from .running.folds import REFERENCE, parts
from .running.single import single_runs
from .running.sweep import labels_of, matching
from .spec import RunSpec


def landmark_error(kernel: Kernel, X: Any, y: Any = None) -> LandmarkAccuracy | None:
    """Return the error of the landmarks in a kernel on rows X, which fit it if needed; None without landmarks.

    Of several approximations in one kernel, the largest error. Raises what the kernel raises.

    >>> from kernlib import RBF
    >>> X = np.linspace(0.0, 3.0, 50)[:, None]
    >>> landmark_error(RBF(), X) is None, landmark_error(Nystrom(RBF(), landmarks=5), X).landmarks
    (True, 5)
    """
    form = normal_form(kernel)
    labels = None if y is None else np.asarray(y)
    pairs = _steps(form, form.checked_rows(X), labels)
    steps = [(s if s.fitted else s.fit_rows(rows, labels), rows) for s, rows in pairs]
    errors = [step.error(rows) for step, rows in steps]
    return max(errors, key=lambda error: error.relative, default=None)


def _steps(kernel: Kernel, rows: Array, y: Array | None) -> Iterator[tuple[Nystrom, Array]]:
    """Yield every approximation of whole rows, with the rows that it reads."""
    if kernel.landmark_count:
        yield cast(Nystrom, kernel), rows
    elif isinstance(kernel, RowStep):
        yield from _steps(kernel.kernel, kernel.fitted_step(rows, y).map_rows(rows), y)
    elif isinstance(kernel, Wrapper | Joined):
        for child in kernel.children:
            yield from _steps(child, rows, y)


def landmark_errors(spec: RunSpec, data: Dataset | None = None) -> dict[Any, LandmarkAccuracy]:
    """Return the error of the landmarks by value of the axis, on the first split's training part; empty without any.

    Values whose kernel cannot be fitted are left out. Of a run over several data sets, the first set is used.
    Raises as `sweep`.

    >>> from kernlib import RBF
    >>> from kernlib.experiments import Axis
    >>> spec = RunSpec("iris", Nystrom(RBF()), axis=Axis("kernel.landmarks", (5, 40)))
    >>> errors = landmark_errors(spec)
    >>> errors[40].relative < errors[5].relative
    True
    """
    one = single_runs(spec)[0].spec
    data = matching(one, data if one.parameters == spec.parameters else None)
    y, task = labels_of(data)
    kernels = {value: one.at(value)[0] for value in one.values}
    if one.reference is not None:
        kernels[REFERENCE] = one.reference
    train = next(parts(one, y, task, data)).train
    known: dict[Kernel, LandmarkAccuracy | None] = {}
    errors = {}
    with one_blas_thread():
        for value, kernel in kernels.items():
            if kernel not in known:
                try:
                    known[kernel] = landmark_error(kernel, data.inputs[train], y[train])
                except KernlibError:  # the run's results report it
                    known[kernel] = None
            error = known[kernel]
            if error is not None:
                errors[value] = error
    return errors
