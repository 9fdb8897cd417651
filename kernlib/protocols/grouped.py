"""Splits that keep groups of rows whole."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..errors import DataError
from ..values.labels import AskedTask, Labels
from .protocol import ByShare, Pair, Rows, lacking, repeats_parameter, seed_parameter, share_parameter

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

    def _pairs(self, labels: Labels, groups: ArrayLike | None, *_: Any) -> Iterator[Pair]:
        n = len(labels.targets)
        if groups is None:
            raise DataError(
                "GroupedSplits: the data must have groups; got none. Give a column the role "
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
                "GroupedSplits: expected at least 2 groups, one to train on and one to test; got 1. Choose "
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
                    "GroupedSplits: every class must occur in at least 2 groups, one to train on and one to test; got "
                    f"1 with class {labels.classes[code].item()!r}. Leave such classes out, or choose RepeatedSplits."
                )
        return self._whole_groups(labels, codes, count)

    def _whole_groups(self, labels: Labels, codes: Rows, count: int) -> Iterator[Pair]:
        from sklearn.model_selection import GroupShuffleSplit

        size = self._size(count)
        # One stream of draws: a split that lacks a class uses the next draw.
        splitter = GroupShuffleSplit(
            n_splits=self.repeats * _DRAWS, train_size=size, test_size=count - size, random_state=self.seed
        )
        number = 0
        for tried, (first, second) in enumerate(splitter.split(codes, groups=codes)):
            if number == self.repeats:
                return
            if lacking(labels, first) is None and lacking(labels, second) is None:
                yield first, second
                number += 1
            elif tried >= (number + 1) * _DRAWS - 1:
                break
        if number < self.repeats:
            raise DataError(
                f"GroupedSplits: every class must have rows in both parts; got no such split in {_DRAWS} draws of "
                f"{size} of {count} groups. Choose train nearer to 0.5, or leave out classes of few groups."
            )
