"""Cached accessors: the trained machine and its tests, groups of rows, and why two rows are alike."""

from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd

from kernlib import Kernel
from kernlib.analysis.groups import Groups, spectral_groups, subsample_agreement
from kernlib.analysis.spectrum import KernelPCA, kernel_pca
from kernlib.data import Dataset
from kernlib.errors import DataError
from kernlib.experiments import Decisions, RunSpec
from kernlib.explain import (
    Across,
    Explanation,
    Field,
    Trained,
    Words,
    across_decision,
    decision_field,
    explain_rows,
    held_out_residuals,
    train,
)
from kernlib.figures.theme import class_words
from kernlib.machines import Machine
from kernlib.protocols import GroupedSplits, RepeatedSplits, SharedHalves, held_out_decisions
from kernlib.values.arrays import RowNumbers
from pages.parts.results import compute
from pages.parts.results.compute import Slices
from pages.parts.server.caching import known
from pages.parts.server.jobs import whole_of
from pages.parts.session.state import Pair, current

#: Splits over which rows are counted as wrong.
SPLITS = 20
#: Pairs of subsamples in which groups must come back.
PAIRS = 10


def _rows_between(data: Dataset, between: Pair) -> RowNumbers | None:
    """Return the rows of two classes of several; None where the matrix of all rows is taken."""
    if data.row_kind.square or len(data.classes) == 2:
        return None
    return np.flatnonzero(np.isin(np.asarray(data.y), between))


@known()
def _matrix_between(data: Dataset, kernel: Kernel, between: Pair) -> np.ndarray:
    """Return the matrix of the rows of two classes of several; the kernel learns from these rows alone."""
    rows = _rows_between(data, between)
    assert rows is not None
    assert data.y is not None
    compute.require_quick(data, kernel)
    return compute.read_only(kernel.specification.fold(data.inputs[rows], y=data.y[rows]).K)


@known()
def border(data: Dataset, kernel: Kernel, machine: Machine, between: Pair) -> tuple[Trained, Field | Across]:
    """Return the machine between two classes, and what its picture shows.

    That is f over the rows' own one or two columns, else the direction that spreads the rows most widely beside f, with
    decisions of machines that were trained without each row.
    """
    if data.y is None or data.task != "classification":
        raise DataError(f"{data.title} has no classes; expected class labels.")
    rows = _rows_between(data, between)
    if rows is None:
        K = compute.matrix(data, kernel)
        one = train(K, data.y, machine, data.classes, between)
    else:
        K = _matrix_between(data, kernel, between)
        one = dataclasses.replace(train(K, data.y[rows], machine, data.classes, between), rows=rows)
    if over_columns(data, kernel):
        return one, decision_field(kernel, data.inputs[one.rows], one.sign > 0, machine)
    return one, beside(data, kernel, machine, K, one)


def beside(
    data: Dataset, kernel: Kernel, machine: Machine, K: np.ndarray, one: Trained, shared: SharedHalves | None = None
) -> Across:
    """Return the direction beside f and held-out decisions; `shared` are halves of all levels."""
    found = across_decision(K if len(K) == len(one.rows) else K[np.ix_(one.rows, one.rows)], one.decision)
    if data.n > compute.LATER:  # as many machines as halves take too long; the picture then shows training rows
        return found
    assert data.y is not None
    memo = compute.bound_base(data, kernel) if shared is None else None
    f = held_out_decisions(
        kernel, data.inputs, data.y, machine, between=one.codes, groups=data.groups, memo=memo, shared=shared
    )
    return dataclasses.replace(found, held_out=f[one.rows])


@known()
def fit(data: Dataset, kernel: Kernel, machine: Machine) -> Field:
    """Return the predicted number over the one column of the rows."""
    assert data.y is not None
    return decision_field(kernel, data.inputs, data.y, machine, task="regression", size=200)


def over_columns(data: Dataset, kernel: Kernel) -> bool:
    """Return whether f is drawn over the rows' own one or two columns."""
    return data.row_kind.points and data.d is not None and data.d <= 2 and not kernel.transductive


def decisions_of(data: Dataset, kernel: Kernel, machine: Machine) -> Decisions:
    """Return the decisions of a machine on the test rows of twenty random halves."""
    choice = current().data
    protocol = (GroupedSplits if data.groups else RepeatedSplits)(repeats=SPLITS)
    measure = "squared error" if data.task == "regression" else "error"
    spec = RunSpec(choice.run_name(data), kernel, machine, protocol, measure, parameters=choice.parameters)
    return compute.decided(data, kernel, spec, None)


def residuals(data: Dataset, kernel: Kernel, machine: Machine) -> pd.DataFrame:
    """Return how far the prediction of each row was off as a test row of twenty random halves."""
    tests = decisions_of(data, kernel, machine)
    return held_out_residuals(tests.row, tests.y, tests.predicted)


@known()
def grouped(data: Dataset, kernel: Kernel) -> Groups:
    """Return groups of the rows, by spectral clustering, with their silhouettes and without their stability."""
    return spectral_groups(compute.gram(data, kernel), repeats=0)


def agreement(data: Dataset, kernel: Kernel) -> Slices[int, np.ndarray]:
    """Return how far groups agree in pairs of subsamples, to be asked for."""
    return Slices("pairs of random subsamples compared", range(PAIRS), _agreement, lambda pair: (data, kernel, pair))


@known()
def _agreement(data: Dataset, kernel: Kernel, pair: int) -> np.ndarray:
    return subsample_agreement(compute.gram(data, kernel), grouped(data, kernel).counts.tolist(), seed=pair)


@known()
def plane(data: Dataset, kernel: Kernel) -> KernelPCA:
    """Return two directions of centred kernel PCA."""
    return kernel_pca(compute.gram(data, kernel), centered=True, components=2)


@known()
def _fitted(data: Dataset, kernel: Kernel) -> Kernel:
    """Return the kernel fitted on all rows in view; with landmarks, on all rows of the data set."""
    whole = whole_of(data) if kernel.has_factor else data
    return kernel.specification.fit(whole.inputs, whole.y)


@known()
def alike(data: Dataset, kernel: Kernel, i: int, j: int) -> Explanation:
    """Return the parts of the kernel's value for rows i and j."""
    words = Words(tuple(data.columns), row_names(data))
    return explain_rows(_fitted(data, kernel), data.inputs, i, j, data.y, words)


def row_names(data: Dataset) -> tuple[str, ...]:
    """Return names of the rows: id, class, and the first letters of a string."""
    names = []
    named = dict(zip(map(str, data.classes), class_words(data.classes), strict=True))
    for i, name in enumerate(data.ids):
        words = f"row {i}" if name == str(i) else f"id {name}" if name.isdigit() else f"{name}"
        if data.labels:
            words += f", {named.get(str(data.labels[i]), data.labels[i])}"
        if beginning := data.row_kind.snippet(data.rows[i]):
            words += f": {beginning}"
        names.append(words)
    return tuple(names)
