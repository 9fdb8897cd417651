"""How rows are split into training and test parts; every split is the same for the same seed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .declare import Declared, param
from .errors import DataError, ParameterError
from .values.labels import AskedTask, Labels, read_labels
from .values.split import Split as Published

__all__ = [
    "PROTOCOLS",
    "ClassTooSmall",
    "FixedSplits",
    "GroupedSplits",
    "Protocol",
    "PublishedSplits",
    "RepeatedKFold",
    "RepeatedSplits",
    "Split",
]

Rows = NDArray[np.intp]
Split = tuple[int, Rows, Rows]


class ClassTooSmall(DataError):
    """Some classes have too few rows for a protocol; `classes` are they, `most` the rows of the smallest."""

    def __init__(self, start: str, small: Sequence[tuple[Any, int]], next_step: str) -> None:
        told = ", ".join(f"{count} of class {label!r}" for label, count in small[:5])
        super().__init__(f"{start}; got {told}{', …' if len(small) > 5 else ''}. {next_step}")
        self._parts = start, tuple(small), next_step

    def __reduce__(self) -> Any:
        return type(self), self._parts

    @property
    def classes(self) -> tuple[Any, ...]:
        """The classes that are too small."""
        return tuple(label for label, _ in self._parts[1])

    @property
    def most(self) -> int:
        """How many rows the smallest of them has."""
        return min(count for _, count in self._parts[1])

    def named(self, classes: Sequence[str]) -> ClassTooSmall:
        """The same with the classes' names instead of their codes."""
        start, small, step = self._parts
        known = range(len(classes))
        return ClassTooSmall(start, [(classes[code] if code in known else code, n) for code, n in small], step)


def _seed() -> Any:
    return param(
        0, kind="int", symbol="\\text{seed}", help="start of the random numbers", low=0, high=100, step=1,
        minimum=0, maximum=2**32 - 1,
    )  # fmt: skip


def _repeats(default: int) -> Any:
    return param(
        default, kind="int", symbol="R", help="how often the rows are split anew", low=1, high=100, step=1,
        minimum=1, maximum=10_000,
    )  # fmt: skip


@dataclass(frozen=True, repr=False)
class Protocol(Declared):
    """A protocol as a value: `splits(y)` yields (number, training rows, test rows)."""

    label: ClassVar[str]

    @property
    def count(self) -> int:
        """How many splits there are."""
        raise NotImplementedError

    @property
    def test_over_train(self) -> float:
        """n_test/n_train, which the corrected resampled t-test needs."""
        raise NotImplementedError

    def describe(self, task: AskedTask = "classification") -> str:
        """The protocol in one sentence; real targets ("regression") are not stratified."""
        raise NotImplementedError

    def splits(
        self,
        y: ArrayLike,
        *,
        task: AskedTask = "auto",
        groups: ArrayLike | None = None,
        published: Sequence[Published] = (),
    ) -> Iterator[Split]:
        """Splits of the rows that y labels: stratified for classes, plain for real targets.

        Parameters: `y` (n,); `task` as in `read_labels`; `groups` (n,), which rows belong together, read by
        `GroupedSplits` alone; `published`, the data set's own splits, read by `PublishedSplits` alone. Yields (number
        from 0, training rows, test rows), the rows sorted. Raises DataError, before the first split, when a class has
        too few rows.
        """
        labels = read_labels(y, task, owner=type(self).__name__)
        self._check(labels)
        # Checked here and not in the generator, so that the error comes with the call.
        return self._split(labels)

    def _check(self, labels: Labels) -> None:
        raise NotImplementedError

    def _split(self, labels: Labels) -> Iterator[Split]:
        raise NotImplementedError

    def _need(self, labels: Labels, rows: int, why: str, next_step: str) -> None:
        name = type(self).__name__
        if labels.classes is None or labels.codes is None:
            if len(labels.targets) < rows:
                raise DataError(
                    f"{name}: there must be at least {rows} rows, {why}; got {len(labels.targets)}. {next_step}"
                )
            return
        small = [(labels.classes[i].item(), int(n)) for i, n in enumerate(labels.counts) if n < rows]
        if small:
            raise ClassTooSmall(f"{name}: every class must have at least {rows} rows, {why}", small, next_step)


def _manner(task: AskedTask) -> str:
    return "" if task == "regression" else "stratified "


def _drawn(labels: Labels, repeats: int, train: int, test: int, seed: int) -> Iterator[tuple[Rows, Rows]]:
    from sklearn.model_selection import ShuffleSplit, StratifiedShuffleSplit

    kind = ShuffleSplit if labels.codes is None else StratifiedShuffleSplit
    splitter = kind(n_splits=repeats, train_size=train, test_size=test, random_state=seed)
    target = labels.targets if labels.codes is None else labels.codes
    for first, second in splitter.split(np.zeros(len(target)), target):
        _all_trained(labels, first)
        yield np.sort(first), np.sort(second)


def _all_trained(labels: Labels, train: Rows) -> None:
    if labels.codes is None or labels.classes is None:
        return
    trained = np.bincount(labels.codes[train], minlength=len(labels.classes))
    if not trained.all():
        missing = int(trained.argmin())
        raise DataError(
            f"splits: every class must have a row in the training part; got none of the {labels.counts[missing]} "
            f"of class {labels.classes[missing].item()!r} among {len(train)}. Choose a larger training part, or "
            "leave such classes out."
        )


def _share(what: str) -> Any:
    return param(
        0.5, symbol="q", help=f"share of the {what} to train on", low=0.1, high=0.9, step=0.05, minimum=0,
        maximum=1, open_minimum=True, open_maximum=True,
    )  # fmt: skip


class _ByShare(Protocol):
    """Random splits, repeated, of which a share is trained on."""

    repeats: int
    train: float

    @property
    def count(self) -> int:
        return self.repeats

    @property
    def test_over_train(self) -> float:
        return (1 - self.train) / self.train

    @property
    def shares(self) -> str:
        """Both shares in percent, e.g. "50–50"."""
        return f"{100 * self.train:.3g}–{100 * (1 - self.train):.3g}"


@dataclass(frozen=True, repr=False)
class RepeatedSplits(_ByShare):
    """Random splits of all rows in two, the class shares kept.

    Parameters: `repeats` ≥ 1; `train` 0 < share < 1 of the rows to train on, the others are tested;
    `seed`.
    Reference: deep kernel machines, chapter 3 (25 × 50–50).

    >>> protocol = RepeatedSplits(repeats=2)
    >>> protocol.describe()
    '2 stratified random 50–50 splits, seed 0'
    >>> [len(train) for _, train, _ in protocol.splits([0, 0, 0, 1, 1, 1])]
    [3, 3]
    """

    repeats: int = _repeats(25)
    train: float = _share("rows")
    seed: int = _seed()

    label: ClassVar[str] = "repeated splits"

    def describe(self, task: AskedTask = "classification") -> str:
        return f"{self.repeats} {_manner(task)}random {self.shares} splits, seed {self.seed}"

    def _check(self, labels: Labels) -> None:
        self._need(labels, 2, "one to train on and one to test", "Leave such classes out, or choose more rows.")
        n, classes = len(labels.targets), 1 if labels.classes is None else len(labels.classes)
        train = self._size(n)
        if train < classes or n - train < classes:
            raise DataError(
                f"RepeatedSplits: both parts must have at least {classes} rows, one per class; got {train} to train "
                f"on and {n - train} to test. Choose train nearer to 0.5."
            )

    def _size(self, n: int) -> int:
        return round(self.train * n)

    def _split(self, labels: Labels) -> Iterator[Split]:
        n = len(labels.targets)
        train = self._size(n)
        for number, (first, second) in enumerate(_drawn(labels, self.repeats, train, n - train, self.seed)):
            yield number, first, second


@dataclass(frozen=True, repr=False)
class RepeatedKFold(Protocol):
    """k-fold cross-validation, repeated: every row is tested once per repeat.

    Parameters: `folds` ≥ 2; `repeats` ≥ 1; `seed`.
    Reference: almost-orthogonal patterns and categorical kernels (10 × 10).

    >>> protocol = RepeatedKFold(folds=3, repeats=2)
    >>> protocol.describe(), protocol.count
    ('stratified 3-fold cross-validation, repeated 2 times, seed 0', 6)
    """

    folds: int = param(10, kind="int", symbol="k", help="parts, each tested once", low=2, high=20, step=1, minimum=2)
    repeats: int = _repeats(10)
    seed: int = _seed()

    label: ClassVar[str] = "repeated k-fold"

    @property
    def count(self) -> int:
        return self.folds * self.repeats

    @property
    def test_over_train(self) -> float:
        return 1 / (self.folds - 1)

    def describe(self, task: AskedTask = "classification") -> str:
        times = "once" if self.repeats == 1 else f"repeated {self.repeats} times"
        return f"{_manner(task)}{self.folds}-fold cross-validation, {times}, seed {self.seed}"

    def _check(self, labels: Labels) -> None:
        self._need(labels, self.folds, "one in every fold", "Choose fewer folds, or leave such classes out.")

    def _split(self, labels: Labels) -> Iterator[Split]:
        from sklearn import model_selection

        real = labels.codes is None
        kind = model_selection.RepeatedKFold if real else model_selection.RepeatedStratifiedKFold
        splitter = kind(n_splits=self.folds, n_repeats=self.repeats, random_state=self.seed)
        target = labels.targets if labels.codes is None else labels.codes
        for number, (first, second) in enumerate(splitter.split(np.zeros(len(target)), target)):
            yield number, first, second


@dataclass(frozen=True, repr=False)
class FixedSplits(Protocol):
    """Parts of fixed sizes, drawn at random, the class shares kept; rows beyond them are not used.

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
        0, kind="int", symbol="v", help="rows to choose hyper-parameters on", low=0, high=2000, step=10,
        minimum=0,
    )  # fmt: skip
    test: int = param(100, kind="int", symbol="m", help="rows to test on", low=10, high=5000, step=10, minimum=1)
    repeats: int = _repeats(20)
    seed: int = _seed()

    label: ClassVar[str] = "fixed sizes"

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
        return f"{self.repeats} {_manner(task)}random draws of {parts}, seed {self.seed}"

    def parts(self, y: ArrayLike, *, task: AskedTask = "auto") -> Iterator[tuple[int, Rows, Rows, Rows]]:
        """(number, training, validation, test); parameters and exceptions as in `splits`."""
        labels = read_labels(y, task, owner=type(self).__name__)
        self._check(labels)
        return self._parts(labels)

    def _parts(self, labels: Labels) -> Iterator[tuple[int, Rows, Rows, Rows]]:
        held = self.validation + self.test
        for number, (first, rest) in enumerate(_drawn(labels, self.repeats, self.train, held, self.seed)):
            if not self.validation:
                yield number, first, rest[:0], rest
                continue
            within = _some(labels, rest)
            inner = next(_drawn(within, 1, self.validation, self.test, (self.seed + 1 + number) % 2**32))
            yield number, first, rest[inner[0]], rest[inner[1]]

    def _split(self, labels: Labels) -> Iterator[Split]:
        for number, first, _, last in self._parts(labels):
            yield number, first, last

    def _check(self, labels: Labels) -> None:
        n, wanted = len(labels.targets), self.train + self.validation + self.test
        if wanted > n:
            raise DataError(
                f"FixedSplits: train + validation + test must be at most the {n} rows; got {self.train} + "
                f"{self.validation} + {self.test} = {wanted}. Choose smaller parts."
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


@dataclass(frozen=True, repr=False)
class GroupedSplits(_ByShare):
    """Random splits that leave groups whole: rows that belong together stand on one side.

    Several samples of one patient, rows of one batch: with some of them in the training part, the others test how well
    a machine remembers, not how well it generalises. Groups are drawn, so that the parts' rows are only roughly in
    the proportion of `train`; draws in which a part lacks a class are drawn again.

    Parameters: `repeats` ≥ 1; `train` 0 < share < 1 of the groups to train on, the others are tested; `seed`.
    Reference: scikit-learn's `GroupShuffleSplit`.

    >>> protocol = GroupedSplits(repeats=1)
    >>> protocol.describe()
    '1 random 50–50 split of the groups, seed 0'
    >>> _, train, test = next(protocol.splits([0, 0, 1, 1, 0, 1, 0, 1], groups=list("uuvvwwxx")))
    >>> len(train), len(test)
    (4, 4)
    """

    repeats: int = _repeats(25)
    train: float = _share("groups")
    seed: int = _seed()

    label: ClassVar[str] = "groups stay together"

    def describe(self, task: AskedTask = "classification") -> str:
        splits = "split" if self.repeats == 1 else "splits"
        return f"{self.repeats} random {self.shares} {splits} of the groups, seed {self.seed}"

    def splits(
        self,
        y: ArrayLike,
        *,
        task: AskedTask = "auto",
        groups: ArrayLike | None = None,
        published: Sequence[Published] = (),
    ) -> Iterator[Split]:
        """As in `Protocol.splits`; `groups` (n,) must be given.

        Raises DataError when there are no groups, fewer than two, or a class stands in one group alone.
        """
        labels = read_labels(y, task, owner="GroupedSplits")
        n = len(labels.targets)
        if groups is None:
            raise DataError(
                "GroupedSplits: the data must say which rows belong together; got no groups. Give a column the role "
                "'group', or choose RepeatedSplits."
            )
        names = np.asarray(groups)
        if names.shape != (n,):
            raise DataError(
                f"GroupedSplits: groups must name one group per row, {n} of them; got shape {names.shape}. "
                "Pass the groups of the same rows."
            )
        codes = np.unique(names, return_inverse=True)[1].reshape(-1)
        count = int(codes.max()) + 1
        if count < 2:
            raise DataError(
                "GroupedSplits: there must be at least 2 groups, one to train on and one to test; got 1. Choose "
                "another column as the group, or RepeatedSplits."
            )
        if not 1 <= self._size(count) < count:
            raise DataError(
                f"GroupedSplits: both parts must have at least 1 group; got {self._size(count)} to train on and "
                f"{count - self._size(count)} to test. Choose train nearer to 0.5."
            )
        for code in range(0 if labels.classes is None else len(labels.classes)):
            if len(np.unique(codes[labels.codes == code])) < 2:
                assert labels.classes is not None
                raise DataError(
                    "GroupedSplits: every class must stand in at least 2 groups, one to train on and one to test; got "
                    f"1 with class {labels.classes[code].item()!r}. Leave such classes out, or choose RepeatedSplits."
                )
        return self._whole_groups(labels, codes, count)

    def _size(self, count: int) -> int:
        return round(self.train * count)

    def _whole_groups(self, labels: Labels, codes: Rows, count: int) -> Iterator[Split]:
        from sklearn.model_selection import GroupShuffleSplit

        size = self._size(count)
        # One stream of draws: a split that lacks a class takes the next draw.
        splitter = GroupShuffleSplit(
            n_splits=self.repeats * _DRAWS, train_size=size, test_size=count - size, random_state=self.seed
        )
        number = 0
        for tried, (first, second) in enumerate(splitter.split(codes, groups=codes)):
            if number == self.repeats:
                return
            if _has_all(labels, first) and _has_all(labels, second):
                yield number, np.sort(first), np.sort(second)
                number += 1
            elif tried >= (number + 1) * _DRAWS - 1:
                break
        if number < self.repeats:
            raise DataError(
                f"GroupedSplits: every class must have rows in both parts; got no such split in {_DRAWS} draws of "
                f"{size} of {count} groups. Choose train nearer to 0.5, or leave out classes of few groups."
            )


#: How many draws of groups are made for one split before it is given up.
_DRAWS = 200


def _has_all(labels: Labels, rows: Rows) -> bool:
    if labels.codes is None or labels.classes is None:
        return True
    return bool(np.bincount(labels.codes[rows], minlength=len(labels.classes)).all())


def _some(labels: Labels, rows: Rows) -> Labels:
    codes = None if labels.codes is None else labels.codes[rows]
    return Labels(labels.task, labels.targets[rows], labels.classes, codes)


@dataclass(frozen=True, repr=False)
class PublishedSplits(Protocol):
    """The data set's own splits into training and test rows, as they were published with it.

    The only splits on which published errors can be compared one by one. A sample of the rows has none.

    Parameters: `most` ≥ 1, the first so many of them; all where there are fewer.
    Reference: 'kernels, feature space, model selection', benchmark table (100 splits of each set).

    >>> from kernlib.data import load_dataset
    >>> heart = load_dataset("ida-heart")
    >>> splits = list(PublishedSplits().splits(heart.y, published=heart.splits))
    >>> len(splits), len(splits[0][1]), len(splits[0][2])
    (10, 170, 100)
    """

    most: int = param(
        100, kind="int", symbol="R", help="the first so many of the published splits", low=1, high=100, step=1,
        minimum=1, maximum=10_000,
    )  # fmt: skip

    label: ClassVar[str] = "published splits"

    @property
    def count(self) -> int:
        """How many splits there are at most; the data set tells how many there are."""
        return self.most

    @property
    def test_over_train(self) -> float:
        """nan: the data set tells."""
        return float("nan")

    def describe(self, task: AskedTask = "classification") -> str:
        return f"the published splits, at most {self.most}" if self.most > 1 else "the first published split"

    def splits(
        self,
        y: ArrayLike,
        *,
        task: AskedTask = "auto",
        groups: ArrayLike | None = None,
        published: Sequence[Published] = (),
    ) -> Iterator[Split]:
        """As in `Protocol.splits`; `published` must be given.

        Raises DataError when there are none, or one names a row that is not there.
        """
        labels = read_labels(y, task, owner="PublishedSplits")
        n = len(labels.targets)
        if not published:
            raise DataError(
                "PublishedSplits: the data must come with splits; got none. Load all rows (n='all') of a set that has "
                "some, since a sample of them has none, or choose RepeatedSplits."
            )
        chosen = list(published[: self.most])
        for split in chosen:
            highest = max(int(split.train.max()), int(split.test.max()))
            if highest >= n:
                raise DataError(
                    f"PublishedSplits: split {split.name!r} must name rows 0…{n - 1}; got {highest}. Pass the splits "
                    "of the same rows."
                )
        return ((k, np.sort(split.train), np.sort(split.test)) for k, split in enumerate(chosen))


PROTOCOLS: tuple[type[Protocol], ...] = (RepeatedSplits, RepeatedKFold, FixedSplits, GroupedSplits, PublishedSplits)
