"""The one protocol behind every error that a page, a lesson or a verdict shows: five stratified halves.

Runs have protocols of their own, which a person chooses. Everything else is measured here, so that a kernel has the
same error wherever it stands.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..analysis.matrix import looked_at
from ..core.base import Kernel, Memo
from ..core.folding import FactoredFold, Fold, Shared, factored, finite_fold
from ..kernels.matrices import Precomputed
from ..machines import SVM, KernelRidge, Machine, starting_machine
from ..measures import MEASURES, Judge
from ..numerics.workers import one_blas_thread
from ..values.arrays import Array, Factor
from ..values.labels import AskedTask, HalvesErrors, read_labels
from .protocol import Protocol
from .splits import GroupedSplits, RepeatedSplits

#: Splits into halves behind every error.
HALVES = 5
#: With fewer rows of a class than this share of an equal one, predicting the other classes looks good by the error
#: rate: of two classes, one with less than a quarter of the rows.
_RARE = 0.5


def halves_protocol(grouped: bool = False, count: int = HALVES, seed: int = 0) -> Protocol:
    """Return the protocol of the halves: stratified for classes; whole groups of rows where they are known.

    >>> halves_protocol().describe()
    '5 stratified random 50–50 splits, seed 0'
    """
    return GroupedSplits(repeats=count, seed=seed) if grouped else RepeatedSplits(repeats=count, seed=seed)


def suitable_measure(y: ArrayLike, task: AskedTask = "auto") -> str:
    """Return the name of the measure that suits the labels: "balanced error" where a class is rare.

    Of two classes one is rare with less than a quarter of the rows, of more with less than half an equal share. Classes
    of a single row cannot be tested and do not count.

    >>> suitable_measure([0] * 80 + [1] * 20), suitable_measure([0] * 75 + [1] * 25)
    ('balanced error', 'error')
    """
    labels = read_labels(y, task, owner="suitable_measure")
    if labels.codes is None:
        return "unexplained variance"
    counts = labels.counts[labels.counts > 1]
    rare = len(counts) > 1 and counts.min() * len(counts) < _RARE * counts.sum()
    return "balanced error" if rare else "error"


def halves_machine(measure: str) -> Machine:
    """Return the machine of the protocol for a measure.

    >>> halves_machine("error"), halves_machine("unexplained variance")
    (SVM(C=10.0, scale='spread'), KernelRidge(ridge='leave-one-out', centred=True))
    """
    if MEASURES[measure].task == "regression":
        return starting_machine(KernelRidge, "regression")
    return starting_machine(SVM, "", measure)


def halves_of(
    y: ArrayLike,
    *,
    task: AskedTask = "auto",
    groups: ArrayLike | None = None,
    count: int = HALVES,
    seed: int = 0,
) -> tuple[tuple[Array, Array], ...]:
    """Return (training rows, test rows) of each split, the same for all kernels on rows with these labels.

    Raises DataError where a class has too few rows or groups for two halves.
    """
    labels = read_labels(y, task, owner="halves_of")
    coded = labels.targets if labels.codes is None else labels.codes
    named = None if groups is None else tuple(np.asarray(groups).tolist())
    return _drawn(coded.tobytes(), coded.dtype.str, labels.task, named, count, seed)


@functools.lru_cache(maxsize=8)
def _drawn(
    labels: bytes, dtype: str, task: AskedTask, groups: tuple[Any, ...] | None, count: int, seed: int
) -> tuple[tuple[Array, Array], ...]:
    y = np.frombuffer(labels, dtype=dtype)
    splits = halves_protocol(groups is not None, count, seed).splits(y, task=task, groups=groups)
    return tuple((train, test) for _, train, test in splits)


class SharedHalves:
    """Folds of several kernels on the halves of the same rows: what one kernel needs of another is computed once.

    The levels of a deep kernel, asked for from level 0 on, are each made from the one before. Parameters: `kernels`
    that will be asked for, each once; `X`, `memo` as in `errors_on_halves`.
    """

    def __init__(self, kernels: Iterable[Kernel], X: Any, memo: Memo | None = None) -> None:
        self.memo: Memo = {} if memo is None else memo
        bound = [kernel.specification.bind(X, self.memo) for kernel in kernels]
        self.folds = tuple(Shared(one for one in bound if not one.has_factor) for _ in range(HALVES))


def errors_on_halves(
    kernel: Kernel,
    X: Any,
    y: ArrayLike,
    *,
    task: AskedTask = "auto",
    groups: ArrayLike | None = None,
    memo: Memo | None = None,
    count: int = HALVES,
    machine: Machine | None = None,
    seed: int = 0,
    shared: SharedHalves | None = None,
) -> HalvesErrors:
    """Return the errors of a kernel's machine on five random halves of the rows, and on those that trained it.

    The machine is a support vector machine with C = 10 over the spread of the training rows, mean k(x, x) − mean
    k(x, x′); for real targets kernel ridge regression, its penalty chosen by leaving out training rows. What a kernel
    learns, landmarks among it, it learns from the training rows of each split. Where a class is rare the balanced
    error counts (`suitable_measure`), and classes weigh alike in training.

    Parameters: `kernel` a specification; `X` the rows; `y` (n,); `groups` (n,) one name a row, kept whole; `memo`
    evaluations of kernels bound to the same rows; `count` splits, of which the first five are always the same;
    `machine` and `seed` of the splits where a lesson asks what another C or another draw changes; `shared` folds of
    the five halves, in place of `memo`, where several kernels are measured on the same rows.
    Raises DataError for labels that cannot be halved, DegenerateError for a kernel or machine without a solution.
    Reference: Nadeau and Bengio, Machine Learning 52, 2003, for comparisons of the splits.

    >>> from kernlib import RBF
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(40) % 2
    >>> errors = errors_on_halves(RBF(), rng.normal(size=(40, 2)) + 4 * y[:, None], y)
    >>> errors.test, errors.training, errors.chance
    (0.0, 0.0, 0.5)
    """
    fold = _fold_on(kernel, X, memo, shared)
    return _measured(fold, y, task, groups, count, kernel.transductive, machine, seed)


def _fold_on(kernel: Kernel, X: Any, memo: Memo | None, shared: SharedHalves | None) -> Callable[..., Any]:
    """Return the function that gives a kernel's fold on a half, from its number, its rows and their labels."""
    bound = kernel.specification.bind(X, memo if shared is None else shared.memo)

    def fold(half: int, train: Array, test: Array, labels: Array) -> Fold | FactoredFold:
        if bound.has_factor:
            return factored(bound, train, test, labels)
        if shared is not None and half < HALVES:
            return shared.folds[half].fold(bound, train, test, labels)
        return finite_fold(bound, lambda: bound.fold_rows(train, test, labels))

    return fold


#: Halves that are drawn until each row has been a test row; a row is left out with a probability of 2⁻²⁰.
_UNTIL_TESTED = 20


def held_out_decisions(
    kernel: Kernel,
    X: Any,
    y: ArrayLike,
    machine: Machine,
    *,
    between: tuple[int, int] = (0, 1),
    groups: ArrayLike | None = None,
    memo: Memo | None = None,
    shared: SharedHalves | None = None,
) -> Array:
    """Return f of each row by a machine that was trained without it, (n,); above 0 it predicts the second class.

    The machine is that of the first half that does not hold the row: of the five of `errors_on_halves`, then of further
    ones. Rows of other classes, and those that all halves hold, have nan.

    Parameters: `y` (n,) class codes; `between` the codes of the two classes; `kernel`, `X`, `groups`, `memo`, `shared`
    as in `errors_on_halves`. Raises DataError for labels that cannot be halved.

    >>> from kernlib import RBF
    >>> y = np.arange(40) % 2
    >>> f = held_out_decisions(RBF(), np.random.default_rng(0).normal(size=(40, 2)) + 4 * y[:, None], y, SVM())
    >>> bool(((f > 0) == y).all())
    True
    """
    codes, fold = np.asarray(y), _fold_on(kernel, X, memo, shared)
    f, asked = np.full(len(codes), np.nan), np.isin(codes, between)
    with one_blas_thread():
        halves = halves_of(codes, task="classification", groups=groups, count=_UNTIL_TESTED)
        for half, (train, test) in enumerate(halves):
            new = asked[test] & np.isnan(f[test])
            if not new.any():
                continue
            own, pair = fold(half, train, test, codes[train]), asked[train]
            if isinstance(own, FactoredFold) and own.K_star is not None:
                K, K_star = own.K.rows @ own.K.rows.T, own.K_star.rows @ own.K.rows.T
            else:
                K, K_star = own.K, own.K_star
            fitted = machine.fit(K[np.ix_(pair, pair)], (codes[train][pair] == between[1]).astype(np.int64))
            f[test[new]] = fitted.decision(K_star[np.ix_(new, pair)], own.k_diag[new])
    return f


def errors_of_matrix(
    K: ArrayLike | Factor,
    y: ArrayLike,
    *,
    task: AskedTask = "auto",
    groups: ArrayLike | None = None,
    count: int = HALVES,
    machine: Machine | None = None,
) -> HalvesErrors:
    """Return `errors_on_halves` of a kernel that learns nothing, from its Gram matrix or factor.

    Of a kernel that learns, the matrix of all rows has seen the test rows: use `errors_on_halves`.

    >>> errors_of_matrix(np.eye(8), [0, 1] * 4).training
    0.0
    """
    if isinstance(K, Factor):
        rows = K.rows

        def fold(_half: int, train: Array, test: Array, labels: Array) -> FactoredFold:
            new = Factor(rows[test])
            return FactoredFold(None, Factor(rows[train]), new, new.diagonal)

        return _measured(fold, y, task, groups, count, False, machine)
    matrix = np.asarray(K, dtype=np.float64)
    return errors_on_halves(Precomputed(), matrix, y, task=task, groups=groups, count=count, machine=machine)


def _measured(
    fold: Any,
    y: ArrayLike,
    task: AskedTask,
    groups: ArrayLike | None,
    count: int,
    transductive: bool,
    other: Machine | None = None,
    seed: int = 0,
) -> HalvesErrors:
    labels = np.asarray(y)
    name = suitable_measure(labels, task)
    measure, machine, asked = MEASURES[name], halves_machine(name) if other is None else other, MEASURES[name].task
    results, sizes = [], []
    with one_blas_thread():
        halves = halves_of(labels, task=asked, groups=groups, count=count, seed=seed)
        for half, (train, test) in enumerate(halves):
            own = fold(half, train, test, labels[train])
            K = own.K if isinstance(own.K, Factor) else looked_at(own.K, "errors_on_halves")
            judge = Judge(labels[train], labels[test], (name, f"training {name}"), asked)
            results.append(judge(machine, K, own.K_star, own.k_diag)[0])
            sizes.append(len(train))
    return HalvesErrors(
        task=asked,
        measure=name,
        tests=tuple(float(one["score"]) for one in results),
        trainings=tuple(float(one["also"][0]) for one in results),
        chance=1.0 if asked == "regression" else measure.chance(labels),
        n=len(labels),
        trained=round(float(np.mean(sizes))),
        transductive=transductive,
        constant=all(one["constant"] for one in results),
        machine="" if type(machine) is type(halves_machine(name)) else machine.label,
    )
