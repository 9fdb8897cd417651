"""The splits published with a data set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import DataError
from ..values.arrays import Split as Published
from ..values.declare import param
from ..values.labels import AskedTask, Labels
from .protocol import Pair, Protocol


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

    most: int = param(
        100,
        kind="int",
        symbol="R",
        help="number of published splits to use",
        low=1,
        high=100,
        step=1,
        minimum=1,
        maximum=10_000,
    )

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

    def _pairs(self, labels: Labels, groups: Any, published: Sequence[Published]) -> Iterator[Pair]:
        n = len(labels.targets)
        if not published:
            raise DataError(
                "PublishedSplits: the data must have published splits; got none. Load all rows (n='all') of a set that "
                "has some, because a sample has none, or choose RepeatedSplits."
            )
        chosen = list(published[: self.most])
        for split in chosen:
            highest = max(int(split.train.max()), int(split.test.max()))
            if highest >= n:
                raise DataError(
                    f"PublishedSplits: split {split.name!r} must name rows 0…{n - 1}; got {highest}. Pass the splits "
                    "of the same rows."
                )
        return ((split.train, split.test) for split in chosen)
