"""The splits that a data set was published with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ..declare import param
from ..errors import DataError
from ..values.labels import AskedTask, read_labels
from ..values.split import Split as Published
from .protocol import Protocol, Split

__all__ = ["PublishedSplits"]


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
