"""The sweep: one fold result after another, for every value of an axis and every split.

The base Gram matrix is computed once for the whole run; what learns is fitted on each training
part alone. Splits come in the outer loop, so that the whole curve is there early.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from joblib import Parallel, delayed

from ..base import Kernel
from ..data import Dataset
from ..errors import DataError, KernlibError
from ..labels import Task
from ..machines import Machine
from ..measures import MEASURES, Measure
from ..rows import Array
from .spec import RunSpec

__all__ = ["REFERENCE", "FoldResult", "sweep"]

#: Stands in the place of an axis value for the reference kernel's folds.
REFERENCE = "reference"


@dataclass(frozen=True)
class FoldResult:
    """One machine trained and tested once.

    `value` is the axis' value (None without an axis, REFERENCE for the reference kernel), `split`
    the split's number; `score` is nan where `problem` says why.
    """

    value: Any
    split: int
    score: float
    n_train: int
    n_test: int
    seconds: float
    problem: str = ""


def sweep(
    spec: RunSpec,
    data: Dataset | None = None,
    *,
    done: Collection[tuple[Any, int]] = (),
    cancelled: Callable[[], bool] = lambda: False,
    jobs: int = 1,
) -> Iterator[FoldResult]:
    """Fold results of a run, as they come.

    Parameters: `data` where it is loaded already; `done`, (value, split) pairs that are not to be
    computed again; `cancelled`, asked before every fold; `jobs`, threads.
    A fold that raises does not end the run: its result names the problem.
    Memory: one (n, n) matrix for the base kernel and one for every value of a kernel axis.
    Raises DataError for data without labels, and what the protocol raises.

    >>> from kernlib import RBF
    >>> from kernlib.protocols import RepeatedSplits
    >>> spec = RunSpec("breast-cancer-10", RBF(sigma="median"), protocol=RepeatedSplits(repeats=2))
    >>> [result.score < 0.2 for result in sweep(spec)]
    [True, True]
    """
    data = spec.load() if data is None else data
    y = data.y
    if y is None:
        raise DataError(f"{data.name}: error curves need labels; expected one per row, got none. Name a label column.")
    bound, task = _bound(spec, data), data.task or "auto"
    measure = MEASURES[spec.measure]

    def tasks() -> Iterator[Any]:
        for number, train, test in spec.protocol.splits(y, task=task):
            for kernel, group in bound:
                todo = [(value, machine) for value, machine in group if (value, number) not in done]
                if todo:
                    yield delayed(_fold)(kernel, todo, measure, y, task, number, train, test, cancelled)

    # Threads: libsvm and BLAS release the interpreter lock, and the matrices are shared, not copied.
    stream = Parallel(n_jobs=jobs, backend="threading", return_as="generator", pre_dispatch="2*n_jobs")(tasks())
    try:
        for results in stream:
            yield from results
            if cancelled():
                return
    finally:
        stream.close()


def _bound(spec: RunSpec, data: Dataset) -> list[tuple[Kernel, list[tuple[Any, Machine]]]]:
    """Each distinct kernel bound once, with the axis values and machines that it serves."""
    wanted: dict[Kernel, list[tuple[Any, Machine]]] = {}
    for value in spec.values:
        kernel, machine = spec.at(value)
        wanted.setdefault(kernel, []).append((value, machine))
    if spec.reference is not None:
        wanted.setdefault(spec.reference, []).append((REFERENCE, spec.machine))
    memo: dict[Kernel, Kernel] = {}
    return [(kernel.unfitted().bind(data.rows, memo), group) for kernel, group in wanted.items()]


def _fold(
    kernel: Kernel,
    group: list[tuple[Any, Machine]],
    measure: Measure,
    y: Array,
    task: Task,
    split: int,
    train: Array,
    test: Array,
    cancelled: Callable[[], bool],
) -> list[FoldResult]:
    if cancelled():
        return []
    start = time.perf_counter()
    try:
        fold = kernel.fold(train, test, y[train])
        assert fold.K_star is not None
    except KernlibError as error:
        return [FoldResult(v, split, np.nan, len(train), len(test), 0.0, str(error)) for v, _ in group]
    results = []
    for value, machine in group:
        score, problem = np.nan, ""
        try:
            fitted = machine.fit(fold.K, y[train], task=task)
            decision = fitted.decision(fold.K_star, fold.k_diag)
            score = measure(y[test], fitted.labels_of(decision), decision, fitted.classes_)
        except KernlibError as error:
            problem = str(error)
        now = time.perf_counter()
        results.append(FoldResult(value, split, float(score), len(train), len(test), now - start, problem))
        start = now
    return results
