"""Cached accessors: the trained machine and its tests, groups of rows, and why two rows are alike."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from kernlib import Kernel
from kernlib.analysis.groups import Groups, Unusual, one_class_scores, spectral_groups, subsample_agreement
from kernlib.analysis.outcomes import Calibration, Confusion, calibration_by_bins, probabilities_of
from kernlib.analysis.spectrum import KernelPCA, kernel_pca
from kernlib.data import Dataset
from kernlib.errors import DataError
from kernlib.experiments import Decisions, RunSpec
from kernlib.explain import (
    Across,
    Explanation,
    Field,
    OftenWrong,
    Residuals,
    Trained,
    Weights,
    Words,
    across_decision,
    decision_field,
    explain_rows,
    held_out_residuals,
    often_wrong,
    train,
    weights_in_words,
)
from kernlib.figures.theme import class_words
from kernlib.machines import KernelLogisticRegression, Machine
from kernlib.protocols import GroupedSplits, Protocol, RepeatedKFold, RepeatedSplits, held_out_decisions
from pages.parts.results import compute
from pages.parts.results.asking import Slices
from pages.parts.server.caching import known
from pages.parts.server.limits import whole_of
from pages.parts.session.state import current

#: Splits over which rows are counted as wrong.
SPLITS = 20
#: Pairs of subsamples in which groups must come back. More rows have fewer folds for their probabilities.
PAIRS = 10
_MANY = 600


def _between(data: Dataset, between: tuple[int, int]) -> Any:
    """Return the rows of two classes, and whether these are all rows."""
    assert data.y is not None
    rows = np.flatnonzero((data.y == between[0]) | (data.y == between[1]))
    return rows, len(rows) == data.n or data.row_kind.square


@known()
def trained(data: Dataset, kernel: Kernel, machine: Machine, between: tuple[int, int]) -> Trained:
    """Return the machine trained between two classes; its kernel learns from their rows alone."""
    if data.y is None or data.task != "classification":
        raise DataError(f"{data.title} has no classes; expected class labels.")
    return _trained_on(_matrix(data, kernel, between), data, machine, between)


def _trained_on(K: np.ndarray, data: Dataset, machine: Machine, between: tuple[int, int]) -> Trained:
    """Return the machine trained on a matrix of all rows, or of those of the two classes."""
    assert data.y is not None
    rows, whole = _between(data, between)
    if whole:
        return train(K, data.y, machine, data.classes, between)
    return dataclasses.replace(train(K, data.y[rows], machine, data.classes, between), rows=rows)


def _matrix(data: Dataset, kernel: Kernel, between: tuple[int, int]) -> np.ndarray:
    """Return the matrix from which the machine is trained: of all rows, or of those of the two classes."""
    return compute.gram(data, kernel) if _between(data, between)[1] else _matrix_between(data, kernel, between)


@known()
def _matrix_between(data: Dataset, kernel: Kernel, between: tuple[int, int]) -> np.ndarray:
    """Return the same matrix; one of all rows is not kept with those that pages share."""
    rows, whole = _between(data, between)
    if whole:
        K = compute.gram_uncached(data, kernel)[0]
        K = K if isinstance(K, np.ndarray) else compute.gram(data, kernel)
    else:
        compute.require_quick(data, kernel)
        K = kernel.specification.fold(data.inputs[rows], y=data.y[rows]).K  # type: ignore[index]
    return compute.read_only(K)


@known()
def field(data: Dataset, kernel: Kernel, machine: Machine, between: tuple[int, int]) -> Field:
    """Return f over one or two columns."""
    if data.task == "regression":
        assert data.y is not None
        return decision_field(kernel, data.inputs, data.y, machine, task="regression", size=200)
    rows = trained(data, kernel, machine, between)
    return decision_field(kernel, data.inputs[rows.rows], rows.sign > 0, machine)


@known()
def across(data: Dataset, kernel: Kernel, machine: Machine, between: tuple[int, int]) -> Across:
    """Return the direction that spreads the rows most widely beside the machine's decision, and held-out decisions."""
    return _beside(data, kernel, machine, _matrix(data, kernel, between), trained(data, kernel, machine, between))


def _beside(data: Dataset, kernel: Kernel, machine: Machine, K: np.ndarray, one: Trained) -> Across:
    found = across_decision(K if len(K) == len(one.rows) else K[np.ix_(one.rows, one.rows)], one.decision)
    if data.n > compute.LATER:  # as many machines as halves take too long; the picture then shows training rows
        return found
    assert data.y is not None
    memo = compute.bound_base(data, kernel)
    f = held_out_decisions(kernel, data.inputs, data.y, machine, between=one.codes, groups=data.groups, memo=memo)
    return dataclasses.replace(found, held_out=f[one.rows])


@known()
def at_stop(
    data: Dataset, kernel: Kernel, machine: Machine, between: tuple[int, int]
) -> tuple[Trained, Field | Across]:
    """Return the machine at a stop of a slider, and f over two columns or the direction beside f."""
    K = _matrix_between(data, kernel, between)
    one = _trained_on(K, data, machine, between)
    if over_columns(data, kernel):
        return one, decision_field(kernel, data.inputs[one.rows], one.sign > 0, machine)
    return one, _beside(data, kernel, machine, K, one)


def pictured(data: Dataset, kernel: Kernel, machine: Machine, between: tuple[int, int]) -> Field | Across:
    """Return what the picture of the border shows: f over the rows' own one or two columns, or across feature space."""
    return (field if over_columns(data, kernel) else across)(data, kernel, machine, between)


def over_columns(data: Dataset, kernel: Kernel) -> bool:
    """Return whether f is drawn over the rows' own one or two columns."""
    return data.row_kind.points and data.d is not None and data.d <= 2 and not kernel.transductive


@known()
def weights(data: Dataset, kernel: Kernel, machine: Machine, between: tuple[int, int]) -> Weights:
    """Return the weights w over the kernel's explicit features."""
    learnt = trained(data, kernel, machine, between)
    rows, whole = _between(data, between)
    if whole:
        return weights_in_words(kernel.specification, data.inputs, learnt, data.y, data.columns)
    placed = dataclasses.replace(learnt, rows=np.arange(len(rows)))
    assert data.y is not None
    return weights_in_words(kernel.specification, data.inputs[rows], placed, data.y[rows], data.columns)


@known()
def _decided(data: Dataset, kernel: Kernel, machine: Machine) -> Decisions:
    return _tested(data, kernel, machine, RepeatedSplits(repeats=SPLITS, train=0.5, seed=0))


def _tested(data: Dataset, kernel: Kernel, machine: Machine, protocol: Protocol) -> Decisions:
    choice = current().data
    protocol = GroupedSplits(repeats=SPLITS) if data.groups else protocol
    measure = "squared error" if data.task == "regression" else "error"
    spec = RunSpec(choice.run_name(data), kernel, machine, protocol, measure, parameters=choice.parameters)
    return compute.decided(data, kernel, spec, None)


@known()
def _logistic(data: Dataset, kernel: Kernel, C: float, scale: str) -> Decisions:
    """Return the decisions of kernel logistic regression on every row, made while the row was a test row."""
    most = 10 if data.n <= _MANY else 5
    count = max(2, min(most, *data.class_counts.values()))  # every fold has a row of every class
    folds = RepeatedKFold(folds=count, repeats=1, seed=0)
    return _tested(data, kernel, KernelLogisticRegression(C=C, scale=scale), folds)


@known()
def calibrated(data: Dataset, kernel: Kernel, C: float, scale: str, code: int) -> Calibration:
    """Return how well the probabilities of one class hold, against the rest."""
    tests = _logistic(data, kernel, C, scale)
    ratio = float(np.mean([fold.n_test / fold.n_train for fold in tests.folds]))
    chances = probabilities_of(tests.decision)[:, code]
    return calibration_by_bins(tests.y == code, chances, tests.row, tests.split, ratio)


@known()
def wrong_rows(data: Dataset, kernel: Kernel, machine: Machine) -> OftenWrong:
    """Return how often each row was misclassified as a test row of twenty random halves."""
    tests = _decided(data, kernel, machine)
    return often_wrong(tests.row, tests.y, tests.predicted, tests.decision)


@known()
def residuals(data: Dataset, kernel: Kernel, machine: Machine) -> Residuals:
    """Return how far the prediction of each row was off as a test row of twenty random halves."""
    tests = _decided(data, kernel, machine)
    return held_out_residuals(tests.row, tests.y, tests.predicted)


@known()
def confused(data: Dataset, kernel: Kernel, machine: Machine) -> Confusion:
    """Return the classes and what test rows of twenty random halves were taken for."""
    return _decided(data, kernel, machine).confusion()


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
def unusual(data: Dataset, kernel: Kernel, nu: float) -> Unusual:
    """Return how unusual every row is, by a one-class support vector machine."""
    return one_class_scores(compute.gram(data, kernel), nu)


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
