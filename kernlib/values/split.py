"""A published division of rows into training and test part."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import DataError
from .arrays import Array


@dataclass(frozen=True, eq=False)
class Split:
    """Row numbers of one published division into training and test rows.

    Parameters: `name` (str), `train` and `test` (1-D integer arrays, made read-only).

    Raises DataError when the two parts share a row or one of them is empty.

    >>> Split("1", [0, 1, 2], [3, 4]).test
    array([3, 4])
    """

    name: str
    train: Array
    test: Array

    def __post_init__(self) -> None:
        for part in ("train", "test"):
            numbers = np.array(getattr(self, part), dtype=np.int64)
            if numbers.ndim != 1 or numbers.size == 0:
                raise DataError(
                    f"Split {self.name!r}: {part} must be a list of at least one row number; "
                    f"got shape {numbers.shape}. Give the row numbers of the {part} part."
                )
            numbers.setflags(write=False)
            object.__setattr__(self, part, numbers)
        shared = np.intersect1d(self.train, self.test)
        if shared.size:
            raise DataError(
                f"Split {self.name!r}: train and test must not share rows; row {shared[0]} is in both. "
                "Remove it from one of the two."
            )
