"""Stratified random splits: repeated splits, k-fold, parts of fixed sizes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..errors import DataError, ParameterError
from ..values.declare import param
from ..values.labels import AskedTask, Labels, read_labels
from .protocol import ByShare, Pair, Protocol, Rows, lacking, manner, repeats_parameter, seed_parameter, share_parameter


@dataclass(frozen=True, repr=False)
class RepeatedSplits(ByShare):
    """Stratified random splits of all rows into two parts.

    Parameters: `repeats` ≥ 1; `train` 0 < share < 1 of the rows to train on, the others are tested;
    `seed`.
    Reference: deep kernel machines, chapter 3 (25 × 50–50).

    >>> protocol = RepeatedSplits(repeats=2)
    >>> protocol.describe()
    '2 stratified random 50–50 splits, seed 0'
    >>> [len(train) for _, train, _ in protocol.splits([0, 0, 0, 1, 1, 1])]
    [3, 3]
    """

    repeats: int = repeats_parameter(25)
    train: float = share_parameter("rows")
    seed: int = seed_parameter()

    label = "repeated splits"

    def describe(self, task: AskedTask = "classification") -> str:
        return f"{self.repeats} {manner(task)}random {self.shares} splits, seed {self.seed}"

    def _pairs(self, labels: Labels, *_: Any) -> Iterator[Pair]:
        self._need(labels, 2, "one to train on and one to test", "Leave such classes out, or choose more rows.")
        n, classes = len(labels.targets), 1 if labels.classes is None else len(labels.classes)
        train = self._size(n)
        if train < classes or n - train < classes:
            raise DataError(
                f"RepeatedSplits: both parts must have at least {classes} rows, one per class; got {train} to train "
                f"on and {n - train} to test. Choose train nearer to 0.5."
            )
        return _drawn(labels, self.repeats, train, n - train, self.seed)


@dataclass(frozen=True, repr=False)
class RepeatedKFold(Protocol):
    """Repeated k-fold cross-validation: every row is tested once per repeat.

    Parameters: `folds` ≥ 2; `repeats` ≥ 1; `seed`.
    Reference: almost-orthogonal patterns and categorical kernels (10 × 10).

    >>> protocol = RepeatedKFold(folds=3, repeats=2)
    >>> protocol.describe(), protocol.count
    ('stratified 3-fold cross-validation, repeated 2 times, seed 0', 6)
    """

    folds: int = param(10, kind="int", symbol="k", help="parts, each tested once", low=2, high=20, step=1, minimum=2)
    repeats: int = repeats_parameter(10)
    seed: int = seed_parameter()

    label = "repeated k-fold"

    @property
    def count(self) -> int:
        return self.folds * self.repeats

    @property
    def test_over_train(self) -> float:
        return 1 / (self.folds - 1)

    def describe(self, task: AskedTask = "classification") -> str:
        times = "once" if self.repeats == 1 else f"repeated {self.repeats} times"
        return f"{manner(task)}{self.folds}-fold cross-validation, {times}, seed {self.seed}"

    def _pairs(self, labels: Labels, *_: Any) -> Iterator[Pair]:
        from sklearn import model_selection

        self._need(labels, self.folds, "one in every fold", "Choose fewer folds, or leave such classes out.")
        real = labels.codes is None
        kind = model_selection.RepeatedKFold if real else model_selection.RepeatedStratifiedKFold
        splitter = kind(n_splits=self.folds, n_repeats=self.repeats, random_state=self.seed)
        return _split(splitter, labels)


@dataclass(frozen=True, repr=False)
class FixedSplits(Protocol):
    """Stratified random parts of fixed sizes; other rows are not used.

    `splits` leaves the validation part out and yields (number, training, test); `parts` yields the same
    draws as (number, training, validation, test). Hyper-parameters are chosen on the validation part.

    Parameters: `train`, `test` ≥ 1 rows; `validation` ≥ 0 rows; `repeats` ≥ 1; `seed`.
    Reference: categorical kernels, experiments.

    >>> protocol = FixedSplits(train=4, validation=2, test=2, repeats=1)
    >>> [len(part) for part in next(protocol.parts([0, 1] * 5))[1:]]
    [4, 2, 2]
    """

    train: int = param(100, kind="int", symbol="n", help="rows to train on", low=10, high=2000, step=10, minimum=1)
    validation: int = param(
        0,
        kind="int",
        symbol="v",
        help="rows to choose hyper-parameters on",
        low=0,
        high=2000,
        step=10,
        minimum=0,
    )
    test: int = param(100, kind="int", symbol="m", help="rows to test on", low=10, high=5000, step=10, minimum=1)
    repeats: int = repeats_parameter(20)
    seed: int = seed_parameter()

    label = "fixed sizes"

    @property
    def count(self) -> int:
        return self.repeats

    @property
    def test_over_train(self) -> float:
        return self.test / self.train

    def describe(self, task: AskedTask = "classification") -> str:
        parts = f"{self.train} training, "
        parts += f"{self.validation} validation and " if self.validation else ""
        parts += f"{self.test} test rows"
        return f"{self.repeats} {manner(task)}random draws of {parts}, seed {self.seed}"

    def parts(self, y: ArrayLike, *, task: AskedTask = "auto") -> Iterator[tuple[int, Rows, Rows, Rows]]:
        """Yield (number, training, validation, test); parameters and exceptions as in `splits`."""
        labels = read_labels(y, task, owner=type(self).__name__)
        self._check(labels)
        return self._parts(labels)

    def _parts(self, labels: Labels) -> Iterator[tuple[int, Rows, Rows, Rows]]:
        others = self.validation + self.test
        for number, (first, rest) in enumerate(_drawn(labels, self.repeats, self.train, others, self.seed)):
            if not self.validation:
                yield number, first, rest[:0], rest
                continue
            within = _some(labels, rest)
            inner = next(_drawn(within, 1, self.validation, self.test, (self.seed + 1 + number) % 2**32))
            yield number, first, rest[inner[0]], rest[inner[1]]

    def _pairs(self, labels: Labels, *_: Any) -> Iterator[Pair]:
        self._check(labels)
        return ((first, last) for _, first, _, last in self._parts(labels))

    def _check(self, labels: Labels) -> None:
        n, needed = len(labels.targets), self.train + self.validation + self.test
        if needed > n:
            raise DataError(
                f"FixedSplits: train + validation + test must be at most the {n} rows; got {self.train} + "
                f"{self.validation} + {self.test} = {needed}. Choose smaller parts."
            )
        used = 3 if self.validation else 2
        self._need(labels, used, "one in every part", "Leave such classes out, or choose more rows.")
        classes = 1 if labels.classes is None else len(labels.classes)
        for name in ("train", "validation", "test"):
            size = getattr(self, name)
            if size < classes and not (name == "validation" and size == 0):
                raise ParameterError(
                    f"FixedSplits: {name} must be at least {classes}, a row of every class; got {size}. "
                    f"Try {name}={10 * classes}."
                )


def _drawn(labels: Labels, repeats: int, train: int, test: int, seed: int) -> Iterator[Pair]:
    from sklearn.model_selection import ShuffleSplit, StratifiedShuffleSplit

    kind = ShuffleSplit if labels.codes is None else StratifiedShuffleSplit
    splitter = kind(n_splits=repeats, train_size=train, test_size=test, random_state=seed)
    for first, second in _split(splitter, labels):
        missing = lacking(labels, first)
        if missing is not None:
            assert labels.classes is not None
            raise DataError(
                f"splits: every class must have a row in the training part; got none of the {labels.counts[missing]} "
                f"of class {labels.classes[missing].item()!r} among {len(first)}. Choose a larger training part, or "
                "leave such classes out."
            )
        yield np.sort(first), np.sort(second)


def _split(splitter: Any, labels: Labels) -> Iterator[Pair]:
    """Return the pairs of one of scikit-learn's splitters."""
    target = labels.targets if labels.codes is None else labels.codes
    pairs: Iterator[Pair] = splitter.split(np.zeros(len(target)), target)
    return pairs


def _some(labels: Labels, rows: Rows) -> Labels:
    codes = None if labels.codes is None else labels.codes[rows]
    return Labels(labels.task, labels.targets[rows], labels.classes, codes)
