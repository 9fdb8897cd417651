"""Splits of rows: random ones stratified by class or with whole groups, k-fold, fixed sizes, published ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..errors import DataError, ParameterError
from ..values.arrays import Split as Published
from ..values.declare import whole
from ..values.labels import AskedTask, Labels
from .protocol import ByShare, Protocol, Rows, lacking, manner, repeats_parameter, seed_parameter, share_parameter


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

    def _parts(self, labels: Labels, *_: Any) -> Iterator[tuple[Rows, ...]]:
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

    folds: int = whole(10, "k", "parts, each tested once", 2, 20, step=1, minimum=2)
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

    def _parts(self, labels: Labels, *_: Any) -> Iterator[tuple[Rows, ...]]:
        from sklearn import model_selection

        self._need(labels, self.folds, "one in every fold", "Choose fewer folds, or leave such classes out.")
        real = labels.codes is None
        kind = model_selection.RepeatedKFold if real else model_selection.RepeatedStratifiedKFold
        splitter = kind(n_splits=self.folds, n_repeats=self.repeats, random_state=self.seed)
        return _split(splitter, labels)


@dataclass(frozen=True, repr=False)
class FixedSplits(Protocol):
    """Stratified random parts of fixed sizes; other rows are not used.

    `parts` has the validation rows, which `splits` leaves out. Hyper-parameters are chosen on the validation part.

    Parameters: `train`, `test` ≥ 1 rows; `validation` ≥ 0 rows; `repeats` ≥ 1; `seed`.
    Reference: categorical kernels, experiments.

    >>> protocol = FixedSplits(train=4, validation=2, test=2, repeats=1)
    >>> [len(part) for part in next(protocol.parts([0, 1] * 5))[1:]]
    [4, 2, 2]
    """

    train: int = whole(100, "n", "rows to train on", 10, 2000, step=10, minimum=1)
    validation: int = whole(0, "v", "rows to choose hyper-parameters on", 0, 2000, step=10, minimum=0)
    test: int = whole(100, "m", "rows to test on", 10, 5000, step=10, minimum=1)
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

    def _parts(self, labels: Labels, *_: Any) -> Iterator[tuple[Rows, ...]]:
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
        return (
            self._with_validation(labels)
            if self.validation
            else _drawn(labels, self.repeats, self.train, self.test, self.seed)
        )

    def _with_validation(self, labels: Labels) -> Iterator[tuple[Rows, ...]]:
        others = _drawn(labels, self.repeats, self.train, self.validation + self.test, self.seed)
        for number, (first, rest) in enumerate(others):
            codes = None if labels.codes is None else labels.codes[rest]
            within = Labels(labels.task, labels.targets[rest], labels.classes, codes)
            validation, test = next(_drawn(within, 1, self.validation, self.test, (self.seed + 1 + number) % 2**32))
            yield first, rest[validation], rest[test]


def _drawn(labels: Labels, repeats: int, train: int, test: int, seed: int) -> Iterator[tuple[Rows, Rows]]:
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


def _split(splitter: Any, labels: Labels) -> Iterator[tuple[Rows, Rows]]:
    """Return the pairs of one of scikit-learn's splitters."""
    target = labels.targets if labels.codes is None else labels.codes
    pairs: Iterator[tuple[Rows, Rows]] = splitter.split(np.zeros(len(target)), target)
    return pairs


#: Draws of groups for one split before it fails.
_DRAWS = 200


@dataclass(frozen=True, repr=False)
class GroupedSplits(ByShare):
    """Random splits that keep groups whole: all rows of a group are on one side.

    With some samples of a patient, or some rows of a batch, in the training part, the others test how well a machine
    remembers, not how well it generalises. Groups are drawn, so the share of rows is only roughly `train`; a draw in
    which a part lacks a class is repeated.

    Parameters: `repeats` ≥ 1; `train` 0 < share < 1 of the groups to train on, the others are tested; `seed`.
    `splits` raises DataError without groups, with a single group, or for a class in a single group.
    Reference: scikit-learn's `GroupShuffleSplit`.

    >>> protocol = GroupedSplits(repeats=1)
    >>> protocol.describe()
    '1 random 50–50 split of the groups, seed 0'
    >>> _, train, test = next(protocol.splits([0, 0, 1, 1, 0, 1, 0, 1], groups=list("uuvvwwxx")))
    >>> len(train), len(test)
    (4, 4)
    """

    repeats: int = repeats_parameter(25)
    train: float = share_parameter("groups")
    seed: int = seed_parameter()

    label = "groups stay together"

    def describe(self, task: AskedTask = "classification") -> str:
        splits = "split" if self.repeats == 1 else "splits"
        return f"{self.repeats} random {self.shares} {splits} of the groups, seed {self.seed}"

    def _parts(self, labels: Labels, groups: ArrayLike | None, *_: Any) -> Iterator[tuple[Rows, ...]]:
        if groups is None:
            raise DataError(
                "GroupedSplits: the data must have groups; got none. Give a column the role "
                "'group', or choose RepeatedSplits."
            )
        codes = np.unique(np.asarray(groups), return_inverse=True)[1].reshape(-1)
        count = int(codes.max()) + 1
        if len(codes) != len(labels.targets) or not 1 <= self._size(count) < count:
            raise DataError(
                f"GroupedSplits: expected at least 2 groups, one to train on and one to test; got {count}, "
                f"{self._size(count)} to train on, for {len(codes)} of {len(labels.targets)} rows. Choose train nearer "
                "to 0.5, another column as the group, or RepeatedSplits."
            )
        for code in range(0 if labels.classes is None else len(labels.classes)):
            if len(np.unique(codes[labels.codes == code])) < 2:
                assert labels.classes is not None
                raise DataError(
                    "GroupedSplits: every class must occur in at least 2 groups, one to train on and one to test; got "
                    f"1 with class {labels.classes[code].item()!r}. Leave such classes out, or choose RepeatedSplits."
                )
        return self._whole_groups(labels, codes, count)

    def _whole_groups(self, labels: Labels, codes: Rows, count: int) -> Iterator[tuple[Rows, ...]]:
        from sklearn.model_selection import GroupShuffleSplit

        size = self._size(count)
        # One stream of draws: a split that lacks a class uses the next draw.
        splitter = GroupShuffleSplit(
            n_splits=self.repeats * _DRAWS, train_size=size, test_size=count - size, random_state=self.seed
        )
        number = 0
        for tried, (first, second) in enumerate(splitter.split(codes, groups=codes)):
            if lacking(labels, first) is None and lacking(labels, second) is None:
                yield first, second
                number += 1
                if number == self.repeats:
                    return
            elif tried >= (number + 1) * _DRAWS - 1:
                break
        raise DataError(
            f"GroupedSplits: every class must have rows in both parts; got no such split in {_DRAWS} draws of {size} "
            f"of {count} groups. Choose train nearer to 0.5, or leave out classes of few groups."
        )


@dataclass(frozen=True, repr=False)
class PublishedSplits(Protocol):
    """The published splits of a data set into training and test rows.

    Only on these splits can published errors be compared one by one. A sample of the rows has none.

    Parameters: `most` ≥ 1, the number of splits to use, the first ones; fewer if the data set has fewer.
    `splits` raises DataError without published splits, or for one with a row number beyond the data.
    Reference: 'kernels, feature space, model selection', benchmark table (100 splits of each set).

    >>> from kernlib.data import load_dataset
    >>> heart = load_dataset("ida-heart")
    >>> splits = list(PublishedSplits().splits(heart.y, published=heart.splits))
    >>> len(splits), len(splits[0][1]), len(splits[0][2])
    (10, 170, 100)
    """

    most: int = repeats_parameter(100, "number of published splits to use")

    label = "published splits"

    @property
    def count(self) -> int:
        """Return the largest number of splits; the data set may have fewer."""
        return self.most

    @property
    def test_over_train(self) -> float:
        """Return nan: the ratio depends on the data set."""
        return float("nan")

    def describe(self, task: AskedTask = "classification") -> str:
        return f"the published splits, at most {self.most}" if self.most > 1 else "the first published split"

    def _parts(self, labels: Labels, groups: Any, published: Sequence[Published]) -> Iterator[tuple[Rows, ...]]:
        if not published:
            raise DataError(
                "PublishedSplits: the data must have published splits; got none. Load all rows (n='all') of a set that "
                "has some, because a sample has none, or choose RepeatedSplits."
            )
        n, chosen = len(labels.targets), list(published[: self.most])
        for split in chosen:
            highest = max(int(split.train.max()), int(split.test.max()))
            if highest >= n:
                raise DataError(
                    f"PublishedSplits: split {split.name!r} must name rows 0…{n - 1}; got {highest}. Pass the splits "
                    "of the same rows."
                )
        return ((split.train, split.test) for split in chosen)
