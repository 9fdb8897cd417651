"""Cached accessors for looking inside: the trained machine, and why two rows are alike."""

from __future__ import annotations

import dataclasses
import html
from typing import Any

import numpy as np

from kernlib import Kernel, Power, Wrapper
from kernlib.data import Dataset
from kernlib.errors import DataError
from kernlib.experiments import UPLOAD, Axis, Decisions, RunSpec
from kernlib.explain import (
    Explanation,
    Field,
    OftenWrong,
    Trained,
    Weights,
    Words,
    decision_field,
    explain_rows,
    often_wrong,
    train,
    weights_in_words,
)
from kernlib.figures.theme import class_names
from kernlib.machines import SVM
from kernlib.protocols import GroupedSplits, RepeatedSplits

from . import compute, state
from .caching import cached
from .large import whole_of

__all__ = [
    "alike",
    "alike_typed",
    "field",
    "first_pair",
    "row_names",
    "trained",
    "weights",
    "without_powers",
    "wrong_rows",
]

#: Splits over which rows are counted as wrong.
SPLITS = 20


def _between(data: Dataset, between: tuple[int, int]) -> Any:
    """The rows of two classes, and whether those are all."""
    assert data.y is not None
    rows = np.flatnonzero((data.y == between[0]) | (data.y == between[1]))
    return rows, len(rows) == data.n or data.domain in ("node", "matrix")


@cached(24)
def trained(data: Dataset, kernel: Kernel, C: float, between: tuple[int, int]) -> Trained:
    """The machine between two classes; its kernel learns from their rows alone."""
    if data.y is None or data.task != "classification":
        raise DataError(f"{data.title} has no classes; expected labels for a machine that tells classes apart.")
    rows, whole = _between(data, between)
    if whole:
        return train(compute.gram(data, kernel), data.y, C, data.classes, between)
    compute.require_quick(data, kernel)
    K = kernel.specification.fold(data.inputs[rows], y=data.y[rows]).K
    found = train(K, data.y[rows], C, data.classes, between)
    return dataclasses.replace(found, rows=rows)


@cached(12)
def field(data: Dataset, kernel: Kernel, C: float, between: tuple[int, int]) -> Field:
    """f over the plane, with ten draws of half the rows."""
    found = trained(data, kernel, C, between)
    return decision_field(kernel, data.inputs[found.rows], found.sign > 0, C)


@cached(12)
def weights(data: Dataset, kernel: Kernel, C: float, between: tuple[int, int]) -> Weights:
    """w over the kernel's explicit features."""
    found = trained(data, kernel, C, between)
    rows, whole = _between(data, between)
    if whole:
        return weights_in_words(kernel.specification, data.inputs, found, data.y, data.columns)
    placed = dataclasses.replace(found, rows=np.arange(len(rows)))
    assert data.y is not None
    return weights_in_words(kernel.specification, data.inputs[rows], placed, data.y[rows], data.columns)


@cached(8)
def _decided(data: Dataset, kernel: Kernel, C: float) -> Decisions:
    choice = state.data_choice()
    protocol = GroupedSplits(repeats=SPLITS) if data.groups else RepeatedSplits(repeats=SPLITS, train=0.5, seed=0)
    name = UPLOAD + data.digest if choice.uploaded else choice.name
    spec = RunSpec(name, kernel, SVM(C=C), protocol, "error", Axis("machine.C", (C,)), None, choice.parameters)
    return compute.decided(data, kernel, spec, C)


@cached(8)
def wrong_rows(data: Dataset, kernel: Kernel, C: float) -> OftenWrong:
    """How often each row was wrong as a test row of twenty random halves."""
    found = _decided(data, kernel, C)
    return often_wrong(found.row, found.y, found.predicted, found.decision)


@cached(8)
def _fitted(data: Dataset, kernel: Kernel) -> Kernel:
    """The kernel as it has learnt from all rows shown."""
    # What a large view shows has learnt from all its rows.
    whole = whole_of(data) if kernel.has_factor else data
    return kernel.specification.fit(whole.inputs, whole.y)


@cached(48)
def alike(data: Dataset, kernel: Kernel, i: int, j: int) -> Explanation:
    """Why rows i and j are as alike as they are."""
    words = Words(tuple(data.columns), row_names(data))
    return explain_rows(_fitted(data, kernel), data.inputs, i, j, data.y, words)


@cached(48)
def alike_typed(data: Dataset, kernel: Kernel, x: Any, y: Any) -> Explanation:
    """The same for two rows that were typed; the kernel learns from the data's rows."""
    return _fitted(data, kernel).explain(x, y, columns=data.columns, rows=row_names(data))


def without_powers(kernel: Kernel) -> Kernel:
    """The kernel with every power of its chain at p = 1, to compare with."""
    if not isinstance(kernel, Wrapper):
        return kernel
    inner = without_powers(kernel.kernel)
    if isinstance(kernel, Power):
        return Power(inner, p=1.0)
    return kernel if inner == kernel.kernel else dataclasses.replace(kernel, kernel=inner)


def first_pair(data: Dataset, kernel: Kernel) -> tuple[int, int]:
    """The first row and the one of its class that is most like it, but for rows that are its twins."""
    matrix = compute.gram(data, kernel)
    K, own = matrix[0].copy(), matrix.diagonal()
    twins = np.isclose(K, own[0]) & np.isclose(own, own[0])
    K[0] = -np.inf
    if not twins.all():  # what two equal rows share is everything
        K[twins] = -np.inf
    if data.labels and data.y is not None and (data.y == data.y[0]).sum() > 1:
        K[data.y != data.y[0]] = -np.inf
    return 0, int(K.argmax())


def row_names(data: Dataset) -> tuple[str, ...]:
    """What a person calls the rows: id, class, and the first letters of what they hold."""
    found = []
    named = dict(zip(map(str, data.classes), map(html.unescape, class_names(data.classes)), strict=True))
    for i, name in enumerate(data.ids):
        told = f"row {i}" if name == str(i) else f"id {name}" if name.isdigit() else f"{name}"
        if data.labels:
            told += f" ({named.get(str(data.labels[i]), data.labels[i])})"
        if data.domain in ("sequence", "text"):
            told += f" {str(data.rows[i])[:24]}"
        found.append(told)
    return tuple(found)
