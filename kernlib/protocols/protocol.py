"""The base class of protocols: splits of labelled rows, and the error for classes that are too small."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import DataError
from ..values.arrays import Split as Published
from ..values.declare import Declared, param, whole
from ..values.labels import AskedTask, Labels, read_labels

Rows = NDArray[np.intp]
#: The number of a split, its training and its test rows.
Split = tuple[int, Rows, Rows]


class ClassTooSmall(DataError):
    """Some classes have too few rows for a protocol."""

    def __init__(self, start: str, small: Sequence[tuple[Any, int]], next_step: str) -> None:
        small_classes = ", ".join(f"{count} of class {label!r}" for label, count in small[:5])
        super().__init__(f"{start}; got {small_classes}{', …' if len(small) > 5 else ''}. {next_step}")
        self._parts = start, tuple(small), next_step

    def __reduce__(self) -> Any:
        return type(self), self._parts

    def named(self, classes: Sequence[str]) -> ClassTooSmall:
        """Return the same error with the names of the classes instead of their codes."""
        start, small, step = self._parts
        known = range(len(classes))
        return ClassTooSmall(start, [(classes[code] if code in known else code, n) for code, n in small], step)


def seed_parameter() -> Any:
    return whole(0, "\\text{seed}", "start of the random numbers", 0, 100, step=1, minimum=0, maximum=2**32 - 1)


def repeats_parameter(default: int, help: str = "number of random splits") -> Any:
    return whole(default, "R", help, 1, 100, step=1, minimum=1, maximum=10_000)


@dataclass(frozen=True, repr=False)
class Protocol(Declared):
    """A protocol as a value: `splits(y)` yields (number, training rows, test rows)."""

    label: ClassVar[str]

    @property
    def count(self) -> int:
        """Return the number of splits."""
        raise NotImplementedError

    @property
    def test_over_train(self) -> float:
        """Return n_test/n_train, for the corrected resampled t-test."""
        raise NotImplementedError

    def describe(self, task: AskedTask = "classification") -> str:
        """Return the protocol in one phrase; real targets ("regression") are not stratified."""
        raise NotImplementedError

    def splits(
        self,
        y: ArrayLike,
        *,
        task: AskedTask = "auto",
        groups: ArrayLike | None = None,
        published: Sequence[Published] = (),
    ) -> Iterator[Split]:
        """Yield splits of the rows with labels y: stratified for classes, plain for real targets.

        Parameters: `y` (n,); `task` as in `read_labels`; `groups` (n,), the group of each row, which `GroupedSplits`
        alone requires; `published`, the data set's own splits, which `PublishedSplits` alone requires. Yields (number
        from 0, training rows, test rows), the rows sorted. Raises DataError, before the first split, when a class has
        too few rows or groups, when required groups or splits are missing, and when they belong to other rows.
        """
        drawn = self.parts(y, task=task, groups=groups, published=published)
        return ((number, train, test) for number, train, _, test in drawn)

    def parts(
        self,
        y: ArrayLike,
        *,
        task: AskedTask = "auto",
        groups: ArrayLike | None = None,
        published: Sequence[Published] = (),
    ) -> Iterator[tuple[int, Rows, Rows | None, Rows]]:
        """Yield (number, training, validation, test rows) of `splits`; no validation rows are None."""
        drawn = self._parts(read_labels(y, task, owner=type(self).__name__), groups, published)
        return (
            (number, np.sort(train), validation[0] if validation else None, np.sort(test))
            for number, (train, *validation, test) in enumerate(drawn)
        )

    def _parts(
        self, labels: Labels, groups: ArrayLike | None, published: Sequence[Published]
    ) -> Iterator[tuple[Rows, ...]]:
        """Check the rows, so that the call itself raises, and return the parts of every split, the test rows last."""
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


def lacking(labels: Labels, rows: Rows) -> int | None:
    """Return the code of a class that has none of the rows; None if every class has one, or for real targets."""
    if labels.codes is None or labels.classes is None:
        return None
    counts = np.bincount(labels.codes[rows], minlength=len(labels.classes))
    return None if counts.all() else int(counts.argmin())


def manner(task: AskedTask) -> str:
    return "" if task == "regression" else "stratified "


def share_parameter(what: str) -> Any:
    return param(
        0.5,
        symbol="q",
        help=f"share of the {what} to train on",
        low=0.1,
        high=0.9,
        step=0.05,
        minimum=0,
        maximum=1,
        open_minimum=True,
        open_maximum=True,
    )


class ByShare(Protocol):
    """Repeated random splits with a share of training rows."""

    repeats: int
    train: float

    @property
    def count(self) -> int:
        return self.repeats

    @property
    def test_over_train(self) -> float:
        return (1 - self.train) / self.train

    def _size(self, n: int) -> int:
        """Return the number of training rows or groups among n."""
        return round(self.train * n)

    @property
    def shares(self) -> str:
        """Return both shares in percent, e.g. "50–50"."""
        return f"{100 * self.train:.3g}–{100 * (1 - self.train):.3g}"
